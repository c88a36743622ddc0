//! One run: what is known of each fact, and the state of each node, rule and problem.
//!
//! A session starts with what was given and read, is evaluated, asks the host for what undecided rules need, and is
//! evaluated again until nothing more is to be asked ([`asking`]). Afterwards it is only read.

mod asking;
mod evaluate;
mod machine;
mod needs;
mod render;
pub(crate) mod support;
mod test;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::explanation::Truth;
use crate::facts::{Answer, Origin, Provenance, Reading, Reason, State};
use crate::given::{Given, fact_type};
use crate::graph::NodeId;
use crate::ir::{Fact, FactId, RecordId};
use crate::read::Texts;
use crate::ruleset::Ruleset;
use crate::value::{Type, Value};

pub(crate) use support::test_facts;
pub use test::Context;
pub(crate) use test::ordering;

/// The state of one run.
#[derive(Debug, Clone)]
pub struct Session {
    /// What the text says.
    pub texts: Arc<Texts>,
    /// What was given, read or probed, by fact; closed facts of rules are in `closed`.
    base: Vec<Option<State>>,
    /// Facts of families that no rule names.
    pub(crate) extra: BTreeMap<Arc<str>, (Type, State)>,
    /// Elements of records.
    elements: Vec<Elements>,
    /// Whether probes may be asked.
    probing: Probing,
    /// The state of each node in the last evaluation.
    nodes: Vec<Option<Truth>>,
    /// What rules and tables concluded, closed.
    closed: Vec<Option<State>>,
    /// Of each rule, its `when` and its `unless`.
    rules: Vec<RuleState>,
    /// Whether each problem is certain.
    problems: Vec<Truth>,
    /// Whether no rule that does not ask this itself diagnosed any; set before the first that asks.
    no_problem: Option<Truth>,
    /// Tests whose outcome is supposed, for asking what would be.
    supposed: BTreeMap<NodeId, Truth>,
}

/// Whether this machine may be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Probing {
    /// It may.
    On,
    /// It may not, and why.
    Off(Reason),
}

/// What is known of the elements of a record.
#[derive(Debug, Clone)]
pub enum Elements {
    /// Nothing.
    Unknown(Reason),
    /// These, perhaps none; the flag says whether they are all that a probe knows too.
    Known(Vec<BTreeMap<FactId, State>>, Provenance),
}

/// The state of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleState {
    /// Whether its condition holds.
    pub when: Truth,
    /// Whether its exception holds; false without one.
    pub unless: Truth,
}

impl RuleState {
    /// Whether the rule holds for `diagnose` and `conclude`, where the exception counts as `and not (…)`.
    #[must_use]
    pub fn strict(self) -> Truth {
        and(self.when, not(self.unless))
    }

    /// Whether the rule holds for `suggest` and `avoid`, where an undecided exception is only a caution.
    #[must_use]
    pub fn lenient(self) -> Truth {
        if self.unless == Truth::True { Truth::False } else { self.when }
    }
}

/// Kleene's `and`.
#[must_use]
pub fn and(left: Truth, right: Truth) -> Truth {
    match (left, right) {
        (Truth::False, _) | (_, Truth::False) => Truth::False,
        (Truth::True, Truth::True) => Truth::True,
        _ => Truth::Unknown,
    }
}

/// Kleene's `not`.
#[must_use]
pub const fn not(truth: Truth) -> Truth {
    match truth {
        Truth::True => Truth::False,
        Truth::False => Truth::True,
        Truth::Unknown => Truth::Unknown,
    }
}

impl Session {
    /// A session that knows what was given and read.
    #[must_use]
    pub fn new(ruleset: &Ruleset, texts: Arc<Texts>, given: &Given) -> Self {
        let program = ruleset.program();
        let mut session = Self {
            base: vec![None; program.facts.len()],
            extra: BTreeMap::new(),
            elements: vec![Elements::Unknown(Reason::NotStated); program.records.len()],
            probing: Probing::On,
            nodes: Vec::new(),
            closed: Vec::new(),
            rules: Vec::new(),
            problems: Vec::new(),
            no_problem: None,
            supposed: BTreeMap::new(),
            texts,
        };
        session.take_texts(ruleset);
        session.take_given(ruleset, given);
        session.make_elements(ruleset);
        session
    }

    fn take_texts(&mut self, ruleset: &Ruleset) {
        let texts = Arc::clone(&self.texts);
        for (&fact, stated) in texts.facts() {
            self.set_base(fact, State::Known(stated.value.clone(), stated.provenance.clone()));
        }
        for name in ["error", "trace", "log", "error.type", "error.message", "error.cause"] {
            if let Some(&fact) = ruleset.program().fact_names.get(name)
                && matches!(self.base.get(fact.index()), Some(None))
                && let state @ (State::Known(..) | State::None(_)) = texts.state_of(name)
            {
                self.set_base(fact, state);
            }
        }
        for (name, stated) in texts.members() {
            let ty = fact_type(ruleset.program(), name).unwrap_or(Type::Text);
            self.extra.insert(Arc::clone(name), (ty, State::Known(stated.value.clone(), stated.provenance.clone())));
        }
    }

    fn take_given(&mut self, ruleset: &Ruleset, given: &Given) {
        for (name, (ty, value)) in given.facts() {
            let provenance = Provenance::of(Origin::Given);
            let state = match value {
                Some(value) => State::Known(value.clone(), provenance),
                None => State::None(provenance),
            };
            match ruleset.program().fact_names.get(name) {
                Some(&fact) => self.set_base(fact, state),
                None => {
                    self.extra.insert(Arc::clone(name), (ty.clone(), state));
                }
            }
        }
        for id in given.absent_records() {
            self.set_elements(id, Elements::Known(Vec::new(), Provenance::of(Origin::Given)));
            let fields = ruleset.program().records.get(id.index()).map_or(&[][..], |record| &record.fields);
            for &field in fields {
                self.set_base(field, State::None(Provenance::of(Origin::Given)));
            }
        }
        for (record, fields) in given.elements() {
            let element = fields.iter().map(|(fact, value)| (*fact, given_state(value.as_ref()))).collect();
            match self.elements.get_mut(record.index()) {
                Some(Elements::Known(list, _)) => list.push(element),
                Some(slot) => *slot = Elements::Known(vec![element], Provenance::of(Origin::Given)),
                None => {}
            }
        }
    }

    /// Fields that were read or given without an element are those of the element used, or make one; given elements give the plain fields.
    fn make_elements(&mut self, ruleset: &Ruleset) {
        for (index, record) in ruleset.program().records.iter().enumerate() {
            if matches!(self.elements.get(index), Some(Elements::Known(list, _)) if list.is_empty()) {
                continue;
            }
            let flat: BTreeMap<FactId, State> = record
                .fields
                .iter()
                .filter_map(|&field| Some((field, self.base.get(field.index())?.clone()?)))
                .collect();
            let id = RecordId(u32::try_from(index).unwrap_or(u32::MAX));
            let device = self.device(ruleset, id);
            match self.elements.get_mut(index) {
                Some(Elements::Known(list, _)) => {
                    if let Some(used) = used_of(list, device).and_then(|used| list.get_mut(used)) {
                        flat.iter().for_each(|(field, state)| {
                            used.entry(*field).or_insert_with(|| state.clone());
                        });
                        let used = used.clone();
                        self.fill_fields(used);
                    }
                }
                Some(Elements::Unknown(_)) if !flat.is_empty() => {
                    let provenance =
                        flat.values().find_map(State::provenance).cloned().unwrap_or(Provenance::of(Origin::Text));
                    self.set_elements(id, Elements::Known(vec![flat], provenance));
                }
                _ => {}
            }
        }
    }

    fn fill_fields(&mut self, element: BTreeMap<FactId, State>) {
        for (field, state) in element {
            if let Some(slot @ None) = self.base.get_mut(field.index()) {
                *slot = Some(state);
            }
        }
    }

    fn set_base(&mut self, fact: FactId, state: State) {
        if let Some(slot) = self.base.get_mut(fact.index()) {
            *slot = Some(state);
        }
    }

    /// Evaluates with these facts given and these tests supposed: what would be.
    pub(crate) fn change(
        &mut self,
        ruleset: &Ruleset,
        facts: impl IntoIterator<Item = (FactId, Option<Value>)>,
        supposed: BTreeMap<NodeId, Truth>,
    ) {
        for (fact, value) in facts {
            let state = given_state(value.as_ref());
            let record = ruleset.program().facts.get(fact.index()).and_then(|fact| fact.record);
            if let Some(record) = record {
                self.set_field(ruleset, record, fact, state.clone());
            }
            self.set_base(fact, state);
        }
        self.supposed = supposed;
        self.evaluate(ruleset);
    }

    /// A field given without an element is one of the element used, which it makes if there is none.
    fn set_field(&mut self, ruleset: &Ruleset, record: RecordId, field: FactId, state: State) {
        let device = self.device(ruleset, record);
        match self.elements.get_mut(record.index()) {
            Some(Elements::Known(list, _)) if !list.is_empty() => {
                if let Some(used) = used_of(list, device).and_then(|used| list.get_mut(used)) {
                    used.insert(field, state);
                }
            }
            Some(slot) => {
                *slot = Elements::Known(vec![BTreeMap::from([(field, state)])], Provenance::of(Origin::Given));
            }
            None => {}
        }
    }

    /// Which element of a record of devices the failure names.
    fn device(&self, ruleset: &Ruleset, record: RecordId) -> Option<usize> {
        let record = ruleset.program().records.get(record.index())?;
        if &*record.name == DEVICES { self.texts.device() } else { None }
    }

    fn set_elements(&mut self, record: RecordId, elements: Elements) {
        if let Some(slot) = self.elements.get_mut(record.index()) {
            *slot = elements;
        }
    }

    /// What is known of the elements of a record.
    #[must_use]
    pub fn elements(&self, record: RecordId) -> Option<&Elements> {
        self.elements.get(record.index())
    }

    /// Whether the machine was, or may be, asked.
    #[must_use]
    pub const fn probing(&self) -> &Probing {
        &self.probing
    }

    /// The state of a fact after evaluation.
    #[must_use]
    pub fn fact(&self, ruleset: &Ruleset, fact: FactId) -> State {
        if let Some(state) = self.closed.get(fact.index()).and_then(Option::as_ref) {
            return state.clone();
        }
        self.base.get(fact.index()).and_then(Option::as_ref).map_or_else(|| self.unread(ruleset, fact), Clone::clone)
    }

    /// Why a fact that nothing states is unknown.
    fn unread(&self, ruleset: &Ruleset, fact: FactId) -> State {
        let has_probe = ruleset.index().fact(fact).is_some_and(|fact| fact.has_probe);
        State::Unknown(match &self.probing {
            _ if !has_probe => Reason::NotStated,
            Probing::On => Reason::NotAsked,
            Probing::Off(reason) => reason.clone(),
        })
    }

    /// The state of a fact by its full name, members of families included.
    #[must_use]
    pub fn fact_named(&self, ruleset: &Ruleset, name: &str) -> Option<State> {
        match ruleset.program().fact_names.get(name) {
            Some(&fact) => Some(self.fact(ruleset, fact)),
            None => self.extra.get(name).map(|(_, state)| state.clone()),
        }
    }

    /// The value of a fact by its full name.
    #[must_use]
    pub fn value_named(&self, ruleset: &Ruleset, name: &str) -> Option<Value> {
        self.fact_named(ruleset, name)?.value().cloned()
    }

    /// All facts that are known or known to be none, by name.
    pub(crate) fn listed_facts<'a>(&'a self, ruleset: &'a Ruleset) -> Vec<(&'a str, &'a Type, &'a State)> {
        let facts = &ruleset.program().facts;
        let declared = (0..facts.len()).filter_map(|index| {
            let state = self.closed.get(index)?.as_ref().or(self.base.get(index)?.as_ref())?;
            let fact = facts.get(index).filter(|_| !matches!(state, State::Unknown(_)))?;
            Some((&*fact.name, &fact.ty, state))
        });
        let extra = self.extra.iter().map(|(name, (ty, state))| (&**name, ty, state));
        let mut list: Vec<_> =
            declared.chain(extra).filter(|(_, _, state)| !matches!(state, State::Unknown(_))).collect();
        list.sort_by_key(|(name, _, _)| *name);
        list
    }

    /// The state of a rule.
    #[must_use]
    pub fn rule(&self, rule: crate::ir::RuleId) -> RuleState {
        self.rules.get(rule.index()).copied().unwrap_or(RuleState { when: Truth::False, unless: Truth::False })
    }

    /// Whether a problem is certain (`Unknown`: possible).
    #[must_use]
    pub fn problem(&self, problem: crate::ir::ProblemId) -> Truth {
        self.problems.get(problem.index()).copied().unwrap_or(Truth::False)
    }
}

/// The record whose elements programs number as `cuda:0`, `cuda:1`.
const DEVICES: &str = "gpu";

/// Which element the failing run used: the one of the device that the text names, else the first.
fn used_of<T>(list: &[T], device: Option<usize>) -> Option<usize> {
    let named = device.filter(|index| *index < list.len());
    named.or(if list.is_empty() { None } else { Some(0) })
}

fn given_state(value: Option<&Value>) -> State {
    let provenance = Provenance::of(Origin::Given);
    value.map_or_else(|| State::None(provenance.clone()), |value| State::Known(value.clone(), provenance.clone()))
}

/// A host's answer as a state. What the fact cannot be is no reading.
fn probed(fact: Option<&Fact>, answer: Answer) -> State {
    let provenance = Provenance { time: answer.time, ..Provenance::of(Origin::Probe) };
    match answer.reading {
        Reading::Known(value) if fact.is_some_and(|fact| !fact.takes(&value)) => {
            State::Unknown(Reason::Unreadable(value.to_string()))
        }
        Reading::Known(value) => State::Known(value, provenance),
        Reading::None => State::None(provenance),
        Reading::Unknown(reason) => State::Unknown(reason),
    }
}
