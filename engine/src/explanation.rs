//! Proofs: why something came up, or what kept it from coming up.

use crate::evidence::Place;
use crate::facts::Origin;
use crate::value::Value;

/// True, false or unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Truth {
    /// It holds.
    True,
    /// It does not hold.
    False,
    /// It depends on what is not known.
    Unknown,
}

impl Truth {
    /// `true`, `false` or `unknown`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::True => "true",
            Self::False => "false",
            Self::Unknown => "unknown",
        }
    }
}

/// What became of what is explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProofStatus {
    /// A fix that is recommended.
    Recommended,
    /// A fix or problem that is possible.
    Possible,
    /// A fix that is withheld.
    Withheld,
    /// A problem that is certain, or a rule that holds.
    Certain,
    /// A problem that another covers.
    Covered,
    /// A fact with a value.
    Known,
    /// A fact known to have none.
    None,
    /// A fact, or rule, that is not decided.
    Unknown,
    /// It did not come up.
    Absent,
}

impl ProofStatus {
    /// The word of the contract.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Recommended => "recommended",
            Self::Possible => "possible",
            Self::Withheld => "withheld",
            Self::Certain => "certain",
            Self::Covered => "covered",
            Self::Known => "known",
            Self::None => "none",
            Self::Unknown => "unknown",
            Self::Absent => "absent",
        }
    }
}

/// A place in a rule file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulePlace {
    /// The file, as the source is named.
    pub file: String,
    /// Line from 1.
    pub line: usize,
    /// Column from 1.
    pub column: usize,
}

/// A node of a proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofNode {
    /// What it says, in words or in the words of the rule.
    pub what: String,
    /// Whether it holds.
    pub value: Truth,
    /// The rule it is or is part of.
    pub rule: Option<String>,
    /// Where that stands.
    pub place: Option<RulePlace>,
    /// The places in the input behind it.
    pub evidence: Vec<Place>,
    /// The fact it reads.
    pub fact: Option<String>,
    /// Where that fact came from.
    pub origin: Option<Origin>,
    /// When a probe read it.
    pub time: Option<String>,
    /// What it follows from.
    pub children: Vec<ProofNode>,
}

impl ProofNode {
    /// A node that only says something.
    #[must_use]
    pub const fn new(what: String, value: Truth) -> Self {
        Self {
            what,
            value,
            rule: None,
            place: None,
            evidence: Vec::new(),
            fact: None,
            origin: None,
            time: None,
            children: Vec::new(),
        }
    }
}

/// A change of one fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The fact.
    pub fact: String,
    /// What it is, in words.
    pub from: String,
    /// What it would have to be, in words: a bound where there is one.
    pub to: String,
    /// A change that was evaluated and does it.
    pub by: ChangeBy,
}

/// What is changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeBy {
    /// The fact gets this value.
    Value(Value),
    /// The fact gets no value.
    None,
    /// The text holds what the condition looks for, or no longer does.
    Text,
}

/// The answer to "why" or "why not".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// What is explained.
    pub id: String,
    /// Its title in the language asked for.
    pub title: String,
    /// What became of it.
    pub status: ProofStatus,
    /// Why.
    pub proof: ProofNode,
    /// Why it stands where it does in the order; empty if it stands nowhere.
    pub order: String,
    /// The least that would have to be different for it to come up; empty if it did or none was found.
    pub least_change: Vec<Change>,
    /// The language it is in.
    pub lang: String,
}
