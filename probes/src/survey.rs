//! Everything that a machine tells, as a list.

use std::collections::BTreeMap;
use std::time::Duration;

use rulecheck::{Answer, Reading};

use crate::fact::{self, FACTS, Fact};
use crate::group::Group;
use crate::host::Asked;

/// Every fact, by name, and what reading cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Survey {
    /// The facts, by name, those of a record by element.
    pub facts: Vec<Surveyed>,
    /// The groups, by name.
    pub groups: Vec<Cost>,
}

/// One fact of a survey.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surveyed {
    /// Its full name. A record without elements, or whose elements cannot be told, stands by its own name.
    pub name: String,
    /// The element it is a field of, from 0.
    pub element: Option<usize>,
    /// The group it was read with.
    pub group: Group,
    /// What reading that group cost.
    pub cost: Duration,
    /// Whether it may show who or where somebody is.
    pub private: bool,
    /// What was read, and when.
    pub answer: Answer,
}

/// What reading a group cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cost {
    /// The group.
    pub group: Group,
    /// How long it took.
    pub cost: Duration,
    /// When it was read, as RFC 3339.
    pub time: String,
}

pub(crate) fn of(groups: &BTreeMap<Group, Asked>) -> Survey {
    let mut facts = Vec::new();
    for fact in FACTS {
        let Some(asked) = groups.get(&fact.group) else { continue };
        for (name, element, reading) in lines(fact, asked) {
            facts.push(Surveyed {
                name,
                element,
                group: fact.group,
                cost: asked.cost,
                private: fact.private,
                answer: Answer { reading, time: Some(asked.time.clone()) },
            });
        }
    }
    facts.sort_by(|a, b| (&a.name, a.element).cmp(&(&b.name, b.element)));
    facts.dedup_by(|a, b| a.name == b.name && a.element == b.element);
    let cost = |(&group, asked): (&Group, &Asked)| Cost { group, cost: asked.cost, time: asked.time.clone() };
    let mut groups: Vec<_> = groups.iter().map(cost).collect();
    groups.sort_by_key(|cost| cost.group.as_str());
    Survey { facts, groups }
}

type Line = (String, Option<usize>, Reading);

fn lines(fact: &Fact, asked: &Asked) -> Vec<Line> {
    if let Some(record) = fact::record_of(fact.name) {
        return match asked.elements(record) {
            Ok([]) => vec![(record.to_owned(), None, Reading::None)],
            Ok(elements) => fields(fact.name, elements),
            Err(reason) => vec![(record.to_owned(), None, Reading::Unknown(reason))],
        };
    }
    match fact.name.strip_suffix('*') {
        Some(prefix) => members(fact, prefix, asked),
        None => vec![(fact.name.to_owned(), None, asked.reading(fact, fact.name))],
    }
}

fn fields(name: &str, elements: &[crate::Fields]) -> Vec<Line> {
    let field = |(index, fields): (usize, &crate::Fields)| {
        fields.get(name).map(|reading| (name.to_owned(), Some(index), reading.clone()))
    };
    elements.iter().enumerate().filter_map(field).collect()
}

/// The members of a family that are there. A family of which nothing can be told stands by its own name.
fn members(fact: &Fact, prefix: &str, asked: &Asked) -> Vec<Line> {
    let Ok(facts) = &asked.facts else { return vec![(fact.name.to_owned(), None, asked.reading(fact, fact.name))] };
    let found: Vec<Line> = facts
        .flat
        .iter()
        .filter(|(name, _)| name.starts_with(prefix))
        .map(|(name, reading)| (name.clone(), None, reading.clone()))
        .collect();
    if found.is_empty() { vec![(fact.name.to_owned(), None, asked.reading(fact, fact.name))] } else { found }
}
