//! Asking the host: only for what undecided rules need, and only while nothing says that the failure happened elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use super::machine::{amounts_agree, names_agree};
use super::needs::Need;
use super::test::ordering;
use super::{DEVICES, Elements, Probing, Session, probed, used_of};
use crate::explanation::Truth;
use crate::facts::{Element, FactSource, Origin, Provenance, Reading, Reason, State};
use crate::graph::NodeId;
use crate::ir::{ActionKind, FactId, RecordId, RuleId};
use crate::ruleset::Ruleset;
use crate::value::Value;

/// The facts that tell one machine from another (contract: another system, GPU or amount of RAM).
const MACHINE: [&str; 2] = ["os", "ram.total"];

/// The fields that tell one card from another.
const CARD: [&str; 3] = ["gpu.vendor", "gpu.name", "gpu.vram.total"];

/// The fields of one element that are known.
type Values = BTreeMap<FactId, Value>;

impl Session {
    /// Evaluates, asks the host for what is still needed, and evaluates again until nothing is to be asked.
    pub fn run(&mut self, ruleset: &Ruleset, host: &mut dyn FactSource) {
        let mut compared = false;
        if !host.is_there() {
            self.probing = Probing::Off(Reason::ProbesOff);
        }
        loop {
            self.evaluate(ruleset);
            let wanted = self.wanted(ruleset);
            if wanted.is_empty() {
                return;
            }
            if !compared && !host.is_where_it_failed() {
                compared = true;
                if let Some(contradiction) = self.other_machine(ruleset, host) {
                    self.probing = Probing::Off(Reason::Contradicted(contradiction));
                    continue;
                }
            }
            for need in wanted {
                self.ask(ruleset, need, host);
            }
        }
    }

    /// What undecided rules, and conditions of fixes that came up, need and the host was not asked for.
    fn wanted(&self, ruleset: &Ruleset) -> BTreeSet<Need> {
        if self.probing != Probing::On {
            return BTreeSet::new();
        }
        let mut conditions: Vec<NodeId> = Vec::new();
        for (id, rule) in (0..).map(RuleId).zip(&ruleset.index().rules) {
            if self.is_open(ruleset, id) && self.bears_on(ruleset, &rule.actions) {
                conditions.extend(rule.conditions());
            }
            if self.rule(id).lenient() != Truth::False {
                conditions.extend(rule.actions.iter().flat_map(|action| fix_conditions(ruleset, action)));
            }
        }
        let needs = self.needs_of(ruleset, conditions);
        needs.into_iter().filter(|need| self.is_askable(ruleset, *need)).collect()
    }

    /// Whether what a rule does can change what is offered: to avoid what nothing suggests does not.
    fn bears_on(&self, ruleset: &Ruleset, actions: &[ActionKind]) -> bool {
        let suggested =
            |fix| ruleset.suggesting(fix).iter().any(|(rule, _)| self.rule(*rule).lenient() != Truth::False);
        actions.iter().any(|action| match *action {
            ActionKind::Diagnose(_) | ActionKind::Suspect(_) | ActionKind::Suggest(..) => true,
            ActionKind::Avoid(fix) => suggested(fix),
            ActionKind::Conclude(..) => false,
        })
    }

    pub(super) fn is_askable(&self, ruleset: &Ruleset, need: Need) -> bool {
        match need {
            Need::Fact(fact) => matches!(self.fact(ruleset, fact), State::Unknown(Reason::NotAsked)),
            Need::Record(record) => self.may_ask_record(ruleset, record),
            Need::Section(_) => false,
        }
    }

    fn ask(&mut self, ruleset: &Ruleset, need: Need, host: &mut dyn FactSource) {
        let program = ruleset.program();
        match need {
            Need::Fact(id) => {
                let Some(fact) = program.facts.get(id.index()) else { return };
                match fact.record {
                    Some(record) => self.ask_record(ruleset, record, host),
                    None => {
                        let state = probed(Some(fact), host.get(&fact.name));
                        self.set_base(id, settled(state));
                    }
                }
            }
            Need::Record(record) => self.ask_record(ruleset, record, host),
            Need::Section(_) => {}
        }
    }

    /// Asks for the elements of a record. Where the text or the caller named one, the host's element of that name adds
    /// what was not stated; else the host's elements are the record's.
    fn ask_record(&mut self, ruleset: &Ruleset, id: RecordId, host: &mut dyn FactSource) {
        let Some(record) = ruleset.program().records.get(id.index()) else { return };
        let listed = host.elements(&record.name);
        let elements: Vec<BTreeMap<FactId, State>> = match &listed {
            Ok(elements) => elements.iter().map(|element| states(ruleset, element)).collect(),
            Err(_) => Vec::new(),
        };
        let stated = match self.elements(id) {
            Some(Elements::Known(list, provenance)) => Some((list.clone(), provenance.clone())),
            _ => None,
        };
        let device = self.device(ruleset, id);
        let at = stated.as_ref().and_then(|(list, _)| used_of(list, device));
        let used = match &stated {
            Some((list, _)) => at
                .and_then(|at| list.get(at))
                .and_then(|used| elements.iter().find(|element| agree(ruleset, used, element))),
            None => used_of(&elements, device).and_then(|used| elements.get(used)),
        };
        let missing = match (&listed, used) {
            (Err(reason), _) => State::Unknown(reason.clone()),
            (Ok(list), None) if list.is_empty() && stated.is_none() => State::None(Provenance::of(Origin::Probe)),
            _ => State::Unknown(Reason::NotStated),
        };
        for &field in &record.fields {
            if matches!(self.base.get(field.index()), Some(None)) {
                let state = used.and_then(|element| element.get(&field)).cloned().unwrap_or_else(|| missing.clone());
                self.set_base(field, settled(state));
            }
        }
        match (stated, listed) {
            (Some((mut list, provenance)), _) => {
                if let (Some(own), Some(used)) = (at.and_then(|at| list.get_mut(at)), used) {
                    for (&field, state) in used {
                        own.entry(field).or_insert_with(|| settled(state.clone()));
                    }
                }
                self.set_elements(id, Elements::Known(list, provenance));
            }
            (None, Ok(_)) => self.set_elements(id, Elements::Known(elements, Provenance::of(Origin::Probe))),
            (None, Err(reason)) => self.set_elements(id, Elements::Unknown(settled_reason(reason))),
        }
    }

    /// What the text or the caller says of the machine that this host contradicts: the fact, there and here.
    fn other_machine(&self, ruleset: &Ruleset, host: &mut dyn FactSource) -> Option<String> {
        let mut other = |name: &&str| {
            let stated = self.value_named(ruleset, name)?;
            let Reading::Known(here) = host.get(name).reading else { return None };
            (!values_agree(name, &stated, &here)).then(|| format!("`{name}`: {stated} / {here}"))
        };
        MACHINE.iter().find_map(&mut other).or_else(|| self.other_card(ruleset, host))
    }

    /// A stated card that is none of this host's.
    fn other_card(&self, ruleset: &Ruleset, host: &mut dyn FactSource) -> Option<String> {
        let stated = self.stated_cards(ruleset);
        if stated.iter().all(BTreeMap::is_empty) {
            return None;
        }
        let here = host.elements(DEVICES).ok()?;
        let here: Vec<_> = here.iter().map(|element| known(&states(ruleset, element))).collect();
        stated.iter().find_map(|card| none_of(ruleset, card, &here))
    }

    /// What is stated of each card that tells it from others; of the one used also what was concluded.
    fn stated_cards(&self, ruleset: &Ruleset) -> Vec<Values> {
        let fields = CARD.iter().filter_map(|name| ruleset.program().fact_names.get(*name).copied());
        let used = fields.clone().filter_map(|field| Some((field, self.fact(ruleset, field).value()?.clone())));
        let fields: BTreeSet<FactId> = fields.collect();
        let record = ruleset.program().records.iter().position(|record| &*record.name == DEVICES);
        let listed = match record.and_then(|at| self.elements.get(at)) {
            Some(Elements::Known(list, _)) => list.as_slice(),
            _ => &[],
        };
        let device = record.and_then(|at| self.device(ruleset, RecordId(u32::try_from(at).ok()?)));
        let at = used_of(listed, device);
        let others = listed.iter().enumerate().filter(|(index, _)| Some(*index) != at).map(|(_, card)| known(card));
        let mut cards: Vec<Values> = std::iter::once(used.collect()).chain(others).collect();
        cards.iter_mut().for_each(|card| card.retain(|field, _| fields.contains(field)));
        cards
    }
}

fn known(fields: &BTreeMap<FactId, State>) -> Values {
    fields.iter().filter_map(|(field, state)| Some((*field, state.value()?.clone()))).collect()
}

/// The first thing stated of a card that leaves none of these it may be: the fact, there and here.
fn none_of(ruleset: &Ruleset, stated: &Values, here: &[Values]) -> Option<String> {
    let mut left: Vec<&Values> = here.iter().collect();
    for (field, value) in stated {
        let name = ruleset.fact_name(*field);
        let (agreeing, others): (Vec<_>, Vec<_>) =
            left.into_iter().partition(|card| field_agrees(ruleset, *field, value, card));
        if agreeing.is_empty() {
            let found: Vec<_> = others.iter().filter_map(|card| card.get(field)).map(Value::to_string).collect();
            // A program may name the maker that it was built for where there is no card at all.
            let told = !found.is_empty() || name != "gpu.vendor";
            let found = if found.is_empty() { "none".to_owned() } else { found.join(", ") };
            return told.then(|| format!("`{name}`: {value} / {found}"));
        }
        left = agreeing;
    }
    None
}

/// Whether a field that is stated may be that of this card. Of memory that a card shares with the processor programs
/// and drivers count different parts.
fn field_agrees(ruleset: &Ruleset, field: FactId, stated: &Value, card: &Values) -> bool {
    let name = ruleset.fact_name(field);
    let is =
        |name: &str| ruleset.program().fact_names.get(name).and_then(|id| card.get(id)) == Some(&Value::Bool(true));
    let shared = name == "gpu.vram.total" && (is("gpu.unified") || is("gpu.integrated"));
    shared || card.get(&field).is_none_or(|here| values_agree(name, stated, here))
}

/// What a fix asks before it is offered: its requirements and the conditions of its steps.
fn fix_conditions<'a>(ruleset: &'a Ruleset, action: &ActionKind) -> &'a [NodeId] {
    let ActionKind::Suggest(fix, _) = action else { return &[] };
    ruleset.index().fix(*fix).map_or(&[], |fix| &fix.conditions)
}

/// A state that is not asked for again.
fn settled(state: State) -> State {
    match state {
        State::Unknown(reason) => State::Unknown(settled_reason(reason)),
        state => state,
    }
}

/// A host that does not know a fact says `NotStated`, which would be asked again.
fn settled_reason(reason: Reason) -> Reason {
    match reason {
        Reason::NotAsked | Reason::NotStated => Reason::NotPresent("this host does not tell it".to_owned()),
        reason => reason,
    }
}

fn states(ruleset: &Ruleset, element: &Element) -> BTreeMap<FactId, State> {
    let program = ruleset.program();
    let known = |(name, answer): (&String, &crate::facts::Answer)| {
        let id = *program.fact_names.get(name.as_str())?;
        Some((id, probed(program.facts.get(id.index()), answer.clone())))
    };
    element.fields.iter().filter_map(known).collect()
}

/// Whether no text, and no amount of memory, that both state tells the elements apart.
fn agree(ruleset: &Ruleset, stated: &BTreeMap<FactId, State>, here: &BTreeMap<FactId, State>) -> bool {
    let here = known(here);
    known(stated).iter().all(|(field, stated)| match stated {
        Value::Text(_) => field_agrees(ruleset, *field, stated, &here),
        Value::Size(_) if ruleset.fact_name(*field) == "gpu.vram.total" => field_agrees(ruleset, *field, stated, &here),
        _ => true,
    })
}

fn values_agree(name: &str, stated: &Value, here: &Value) -> bool {
    match (stated, here) {
        (Value::Size(stated), Value::Size(here)) => amounts_agree(*stated, *here),
        (Value::Text(stated), Value::Text(here)) if name == "gpu.name" => names_agree(stated, here),
        (Value::Text(stated), Value::Text(here)) => {
            let (stated, here) = (stated.to_lowercase(), here.to_lowercase());
            stated.contains(&here) || here.contains(&stated)
        }
        _ => ordering(stated, here).is_some_and(std::cmp::Ordering::is_eq),
    }
}
