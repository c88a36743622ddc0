//! The host: asked by a session, reads each group once.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rulecheck::{Answer, Element, FactSource, Reading, Reason};

use crate::bounded::within;
use crate::clock;
use crate::fact::{self, Fact};
use crate::facts::{Facts, Fields};
use crate::group::Group;
use crate::machine::{Machine, ThisMachine};
use crate::process;
use crate::survey::{self, Survey};

/// A machine that answers a session. Making one costs nothing; each group is read when one of its facts is asked for
/// first, and not again.
pub struct Host {
    machine: Arc<dyn Machine>,
    limits: BTreeMap<Group, Duration>,
    groups: BTreeMap<Group, Asked>,
}

/// A group that was asked.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) facts: Result<Facts, Reason>,
    pub(crate) cost: Duration,
    pub(crate) time: String,
}

impl Host {
    /// This machine.
    #[must_use]
    pub fn new() -> Self {
        Self::of(ThisMachine::default())
    }

    /// Another machine: a recorded one, or one that is reached in another way.
    #[must_use]
    pub fn of(machine: impl Machine + 'static) -> Self {
        Self { machine: Arc::new(machine), limits: BTreeMap::new(), groups: BTreeMap::new() }
    }

    /// The same host with another time limit for a group.
    #[must_use]
    pub fn with_limit(mut self, group: Group, limit: Duration) -> Self {
        self.limits.insert(group, limit);
        self
    }

    /// Reads every group and lists every fact, by name: what `rulecheck probe` prints.
    pub fn survey(&mut self) -> Survey {
        for group in Group::ALL {
            self.ask(group);
        }
        survey::of(&self.groups)
    }

    /// The groups that were read so far, with what each cost.
    pub fn asked(&self) -> impl Iterator<Item = (Group, Duration)> {
        self.groups.iter().map(|(group, asked)| (*group, asked.cost))
    }

    fn ask(&mut self, group: Group) -> &Asked {
        let limit = self.limits.get(&group).copied().unwrap_or(group.limit());
        let machine = &self.machine;
        self.groups.entry(group).or_insert_with(|| {
            let machine = Arc::clone(machine);
            let (time, start) = (clock::now(), Instant::now());
            let facts = within(limit, group.as_str(), move || machine.read(group));
            Asked { facts, cost: start.elapsed(), time }
        })
    }
}

impl Default for Host {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Host").field("limits", &self.limits).field("groups", &self.groups).finish_non_exhaustive()
    }
}

impl FactSource for Host {
    fn get(&mut self, name: &str) -> Answer {
        let Some(fact) = fact::find(name) else { return self.record_itself(name) };
        let asked = self.ask(fact.group);
        Answer { reading: asked.reading(fact, name), time: Some(asked.time.clone()) }
    }

    fn elements(&mut self, record: &str) -> Result<Vec<Element>, Reason> {
        let group = fact::group_of(record).ok_or(Reason::NotStated)?;
        let asked = self.ask(group);
        let elements = asked.elements(record)?;
        let answer = |(name, reading): (&String, &Reading)| {
            (name.clone(), Answer { reading: reading.clone(), time: Some(asked.time.clone()) })
        };
        Ok(elements.iter().map(|fields| Element { fields: fields.iter().map(answer).collect() }).collect())
    }
}

impl Host {
    /// A record by its own name has no value, but it is known to be none where it has no elements.
    fn record_itself(&mut self, name: &str) -> Answer {
        let reading = match self.elements(name) {
            Ok(elements) if elements.is_empty() => Reading::None,
            Ok(_) => Reading::Unknown(Reason::NotStated),
            Err(reason) => Reading::Unknown(reason),
        };
        reading.into()
    }
}

impl Asked {
    /// The elements of a record.
    pub(crate) fn elements(&self, record: &str) -> Result<&[Fields], Reason> {
        let facts = self.facts.as_ref().map_err(Clone::clone)?;
        match facts.records.get(record) {
            Some(Ok(elements)) => Ok(elements),
            Some(Err(reason)) => Err(reason.clone()),
            None => Err(not_told()),
        }
    }

    /// One fact by its full name.
    pub(crate) fn reading(&self, fact: &Fact, name: &str) -> Reading {
        if let Some(record) = fact::record_of(name) {
            return match self.elements(record) {
                Ok([]) => Reading::None,
                Ok([first, ..]) => first.get(name).cloned().unwrap_or_else(|| Reading::Unknown(not_told())),
                Err(reason) => Reading::Unknown(reason),
            };
        }
        let facts = match &self.facts {
            Ok(facts) => facts,
            Err(reason) => return Reading::Unknown(reason.clone()),
        };
        // What is not looked at is not known to be absent.
        if name.strip_prefix("env.").is_some_and(|variable| variable != "*" && !process::speaks_of(variable)) {
            return Reading::Unknown(Reason::NotPermitted(
                "variables that may hold what is private are not read".to_owned(),
            ));
        }
        let found = facts.flat.get(name).or_else(|| facts.families.get(fact.name.strip_suffix('*')?));
        found.cloned().unwrap_or_else(|| Reading::Unknown(not_told()))
    }
}

fn not_told() -> Reason {
    Reason::NotPresent("this system does not tell it".to_owned())
}
