//! Facts: what is known of a run, where it came from, and the door through which a host hands facts in.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use crate::value::Value;

/// Where a fact came from, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// The caller said so.
    Given,
    /// It was read from the text.
    Text,
    /// A rule concluded it.
    Rule,
    /// This machine was asked.
    Probe,
}

impl Origin {
    /// The word of the contract.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::Text => "text",
            Self::Rule => "rule",
            Self::Probe => "probe",
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a host says of one fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// Its value.
    Known(Value),
    /// It is known to have no value: no NVIDIA card here.
    None,
    /// It could not be told.
    Unknown(Reason),
}

/// Why a fact is unknown.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// Nothing states it.
    NotStated,
    /// It has a probe that was not asked.
    NotAsked,
    /// Probes are off for this run, or the text is of another machine.
    ProbesOff,
    /// This host cannot tell it: no such driver, library or file.
    NotPresent(String),
    /// The system refused.
    NotPermitted(String),
    /// It did not answer in time.
    TimedOut(String),
    /// It answered what cannot be.
    Unreadable(String),
    /// Sources contradict each other.
    Contradicted(String),
    /// A rule that would conclude it is undecided.
    Undecided,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStated => f.write_str("nothing states it"),
            Self::NotAsked => f.write_str("this machine was not asked"),
            Self::ProbesOff => f.write_str("this machine is not asked in this run"),
            Self::Undecided => f.write_str("a rule that would conclude it is undecided"),
            Self::NotPresent(why) => write!(f, "not present: {why}"),
            Self::NotPermitted(why) => write!(f, "no permission: {why}"),
            Self::TimedOut(why) => write!(f, "no answer in time: {why}"),
            Self::Unreadable(why) => write!(f, "unreadable: {why}"),
            Self::Contradicted(why) => write!(f, "contradicted: {why}"),
        }
    }
}

/// A host's answer, with the time it was read (RFC 3339), which only explanations print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// What was read.
    pub reading: Reading,
    /// When, if that matters.
    pub time: Option<String>,
}

impl From<Reading> for Answer {
    fn from(reading: Reading) -> Self {
        Self { reading, time: None }
    }
}

/// A host that can be asked for facts: this machine, a launcher that knows its install, or nobody.
///
/// It is asked only for what an undecided rule needs. A name that it does not know is `Unknown`. For a record it is
/// asked by [`FactSource::elements`].
pub trait FactSource {
    /// One fact by its full name: `ram.total`.
    fn get(&mut self, name: &str) -> Answer;

    /// The elements of a record (`gpu`), each with its fields by full name (`gpu.vram.total`); an empty list says
    /// there are none. `Err` says why they cannot be told.
    ///
    /// # Errors
    /// The reason why the elements cannot be told.
    fn elements(&mut self, record: &str) -> Result<Vec<Element>, Reason> {
        let _ = record;
        Err(Reason::NotStated)
    }

    /// Whether there is a host that could tell anything at all; else nothing is waited for.
    fn is_there(&self) -> bool {
        true
    }

    /// Whether the failure is known to have happened on this host, so that it is asked even where the text seems to be
    /// of another machine.
    fn is_where_it_failed(&self) -> bool {
        false
    }
}

/// One element of a record: readings by full field name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Element {
    /// Fields, by full name.
    pub fields: BTreeMap<String, Answer>,
}

/// A host that knows nothing, for bots.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nobody;

impl FactSource for Nobody {
    fn get(&mut self, _: &str) -> Answer {
        Reading::Unknown(Reason::ProbesOff).into()
    }

    fn elements(&mut self, _: &str) -> Result<Vec<Element>, Reason> {
        Err(Reason::ProbesOff)
    }

    fn is_there(&self) -> bool {
        false
    }
}

/// A fact as a session holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// A value and how it is known.
    Known(Value, Provenance),
    /// Known to have no value.
    None(Provenance),
    /// Not known, and why.
    Unknown(Reason),
}

impl State {
    /// The value, if there is one.
    #[must_use]
    pub const fn value(&self) -> Option<&Value> {
        match self {
            Self::Known(value, _) => Some(value),
            _ => None,
        }
    }

    /// How it is known.
    #[must_use]
    pub const fn provenance(&self) -> Option<&Provenance> {
        match self {
            Self::Known(_, provenance) | Self::None(provenance) => Some(provenance),
            Self::Unknown(_) => None,
        }
    }
}

/// How a fact is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provenance {
    /// Where it came from.
    pub origin: Origin,
    /// The places in the clean text it was read from.
    pub spans: Vec<Range<usize>>,
    /// The rule that concluded it, as an index into the program's rules.
    pub rule: Option<usize>,
    /// When a probe read it.
    pub time: Option<String>,
}

impl Provenance {
    /// Of this origin, without places.
    #[must_use]
    pub const fn of(origin: Origin) -> Self {
        Self { origin, spans: Vec::new(), rule: None, time: None }
    }

    /// Read from these places of the text.
    #[must_use]
    pub const fn text(spans: Vec<Range<usize>>) -> Self {
        Self { origin: Origin::Text, spans, rule: None, time: None }
    }
}
