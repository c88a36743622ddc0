//! What an undecided condition waits for.

use std::collections::BTreeSet;

use super::test::Context;
use super::{Elements, Probing, Session};
use crate::explanation::Truth;
use crate::facts::{Reason, State};
use crate::graph::{Node, NodeId, OverKey};
use crate::index::Head;
use crate::ir::{ActionKind, Condition, FactId, FactRef, ProblemId, RecordId, RuleId, Term, Test, TextRef, Unit};
use crate::ruleset::Ruleset;

/// Something not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// A fact.
    Fact(FactId),
    /// The elements of a record.
    Record(RecordId),
    /// A part of the text.
    Section(u32),
}

/// Collects needs, each rule and problem once.
#[derive(Default)]
pub(super) struct Collector {
    needs: BTreeSet<Need>,
    rules: BTreeSet<RuleId>,
    facts: BTreeSet<FactId>,
}

impl Session {
    /// What the conditions wait for; empty if all are decided.
    pub(super) fn needs_of(&self, ruleset: &Ruleset, conditions: impl IntoIterator<Item = NodeId>) -> BTreeSet<Need> {
        let mut collector = Collector::default();
        for condition in conditions {
            self.collect(ruleset, condition, Context::Run, &mut collector);
        }
        collector.needs
    }

    /// The names of what a rule's condition and exception wait for.
    #[must_use]
    pub fn rule_needs(&self, ruleset: &Ruleset, rule: RuleId) -> Vec<String> {
        ruleset
            .head(rule)
            .map_or_else(Vec::new, |rule| self.names_of(ruleset, self.needs_of(ruleset, rule.conditions())))
    }

    /// The facts that a rule's condition and exception wait for.
    pub(crate) fn fact_needs(&self, ruleset: &Ruleset, rule: RuleId) -> Vec<FactId> {
        let needs = ruleset.head(rule).map_or_else(BTreeSet::new, |rule| self.needs_of(ruleset, rule.conditions()));
        let facts = needs.into_iter().filter_map(|need| match need {
            Need::Fact(fact) => Some(fact),
            Need::Record(_) | Need::Section(_) => None,
        });
        facts.collect()
    }

    /// The names of what conditions wait for.
    #[must_use]
    pub fn need_names(&self, ruleset: &Ruleset, conditions: &[&Condition]) -> Vec<String> {
        let nodes = conditions.iter().map(|condition| ruleset.graph().node_of(condition.id));
        self.names_of(ruleset, self.needs_of(ruleset, nodes))
    }

    fn names_of(&self, ruleset: &Ruleset, needs: BTreeSet<Need>) -> Vec<String> {
        let program = ruleset.program();
        let mut names: Vec<String> = needs
            .into_iter()
            .filter_map(|need| match need {
                Need::Fact(fact) => program.facts.get(fact.index()).map(|fact| fact.name.to_string()),
                Need::Record(record) => program.records.get(record.index()).map(|record| record.name.to_string()),
                Need::Section(section) => {
                    program.sections.get(section as usize).map(|section| section.name.to_string())
                }
            })
            .collect();
        names.sort();
        names
    }

    /// Whether a fact that rules leave open may still be decided by asking the host.
    pub(super) fn waits_for_host(&self, ruleset: &Ruleset, fact: &FactRef) -> bool {
        let mut collector = Collector::default();
        self.collect_fact(ruleset, fact, Context::Run, &mut collector);
        collector.needs.into_iter().any(|need| self.is_askable(ruleset, need))
    }

    fn collect(&self, ruleset: &Ruleset, id: NodeId, context: Context, into: &mut Collector) {
        if self.node(ruleset, id, context) != Truth::Unknown {
            return;
        }
        match ruleset.graph().node(id) {
            Some(Node::All(children) | Node::Any(children) | Node::AtLeast(_, children)) => {
                for &child in children {
                    self.collect(ruleset, child, context, into);
                }
            }
            Some(Node::Not(child)) => self.collect(ruleset, *child, context, into),
            Some(Node::Quantified(_, over, child)) => match (self.contexts(*over), over) {
                (Some(contexts), _) => {
                    contexts.into_iter().for_each(|context| self.collect(ruleset, *child, context, into));
                }
                (None, OverKey::Record(record)) => {
                    into.needs.insert(Need::Record(RecordId(*record)));
                }
                (None, OverKey::Errors) => {}
            },
            Some(Node::Test(test)) => self.collect_test(ruleset, test, context, into),
            None => {}
        }
    }

    fn collect_test(&self, ruleset: &Ruleset, test: &Test, context: Context, into: &mut Collector) {
        match test {
            Test::Holds(fact) | Test::Has(fact, ..) | Test::State(fact, _) => {
                self.collect_fact(ruleset, fact, context, into);
            }
            Test::Compare(left, _, right) => {
                self.collect_term(ruleset, left, context, into);
                self.collect_term(ruleset, right, context, into);
            }
            Test::Within(term, ..) | Test::OneOf(term, _) => self.collect_term(ruleset, term, context, into),
            Test::RecordState(record, _) => {
                into.needs.insert(Need::Record(*record));
            }
            Test::SectionState(section, _) => {
                into.needs.insert(Need::Section(section.0));
            }
            Test::Matches(matching) => match &matching.text {
                TextRef::Section(section) => {
                    into.needs.insert(Need::Section(section.0));
                }
                TextRef::Fact(fact) => self.collect_fact(ruleset, fact, context, into),
                _ => {}
            },
            Test::Problem(problem) => self.collect_problem(ruleset, *problem, into),
            Test::NoProblem => {}
        }
    }

    fn collect_term(&self, ruleset: &Ruleset, term: &Term, context: Context, into: &mut Collector) {
        match term {
            Term::Literal(_) => {}
            Term::Fact(fact) => self.collect_fact(ruleset, fact, context, into),
            Term::Arithmetic(left, _, right) => {
                self.collect_term(ruleset, left, context, into);
                self.collect_term(ruleset, right, context, into);
            }
        }
    }

    fn collect_fact(&self, ruleset: &Ruleset, fact: &FactRef, context: Context, into: &mut Collector) {
        let (FactRef::Fact(id) | FactRef::Element(id)) = fact else { return };
        match self.state_of(ruleset, fact, context) {
            State::Unknown(Reason::Undecided) => {
                if !into.facts.insert(*id) {
                    return;
                }
                let concluders = ruleset.program().facts.get(id.index()).map_or(&[][..], |fact| &fact.concluders);
                for unit in concluders {
                    match unit {
                        // What is declared behind one that holds has no say.
                        Unit::Rule(rule) if self.rule(*rule).strict() == Truth::True => break,
                        Unit::Rule(rule) => self.collect_rule(ruleset, *rule, into),
                        Unit::Table(table) => {
                            let Some(table) = ruleset.program().tables.get(table.index()) else { continue };
                            for from in std::iter::once(table.from).chain(table.otherwise) {
                                self.collect_fact(ruleset, &FactRef::Fact(from), context, into);
                            }
                        }
                    }
                }
            }
            State::Unknown(_) => {
                into.needs.insert(Need::Fact(*id));
            }
            _ => {}
        }
    }

    fn collect_problem(&self, ruleset: &Ruleset, problem: ProblemId, into: &mut Collector) {
        for &rule in ruleset.diagnosing(problem) {
            self.collect_rule(ruleset, rule, into);
        }
    }

    fn collect_rule(&self, ruleset: &Ruleset, id: RuleId, into: &mut Collector) {
        if self.rule(id).strict() != Truth::Unknown || !into.rules.insert(id) {
            return;
        }
        for condition in ruleset.head(id).into_iter().flat_map(Head::conditions) {
            self.collect(ruleset, condition, Context::Run, into);
        }
    }

    /// Whether a rule that diagnoses, suggests or avoids is undecided.
    #[must_use]
    pub fn is_open(&self, ruleset: &Ruleset, id: RuleId) -> bool {
        let Some(rule) = ruleset.head(id) else { return false };
        let state = self.rule(id);
        let matters = rule.actions.iter().any(|action| !matches!(action, ActionKind::Conclude(..)));
        let open = state.lenient() == Truth::Unknown || (state.when == Truth::True && state.unless == Truth::Unknown);
        matters && open
    }

    /// Whether the host may still tell the elements of a record.
    pub(super) fn may_ask_record(&self, ruleset: &Ruleset, record: RecordId) -> bool {
        let has_probe = ruleset.program().records.get(record.index()).is_some_and(|record| record.probe.is_some());
        let unasked = matches!(self.elements(record), Some(Elements::Unknown(Reason::NotStated | Reason::NotAsked)));
        has_probe && unasked && self.probing == Probing::On
    }
}
