//! The support of a conclusion: the places and facts behind it, looked up in the recorded states.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{Context, Session};
use crate::explanation::Truth;
use crate::facts::{Origin, State};
use crate::graph::{Node, NodeId};
use crate::ir::{FactId, FactRef, RuleId, Term, Test, TextRef};
use crate::ruleset::Ruleset;

/// What stands behind the value of a condition.
#[derive(Debug, Clone, Default)]
pub struct Support {
    /// Places in the clean text, each once, in order.
    pub spans: Vec<Range<usize>>,
    /// The facts that were read.
    pub facts: BTreeSet<FactId>,
    /// How many single tests make it what it is.
    pub tests: usize,
    /// Whether a fact of this machine is among them.
    pub probed: bool,
    visited: BTreeSet<RuleId>,
}

impl Session {
    /// The support of a rule that holds, or of what holds of it so far.
    #[must_use]
    pub fn rule_support(&self, ruleset: &Ruleset, rule: RuleId) -> Support {
        let mut support = Support::default();
        self.support_rule(ruleset, rule, &mut support);
        support.spans.sort_by_key(|span| (span.start, span.end));
        support.spans.dedup();
        support
    }

    /// Whether a fact of this machine supports a rule.
    #[must_use]
    pub fn rests_on_probe(&self, ruleset: &Ruleset, rule: RuleId) -> bool {
        self.rule_support(ruleset, rule).probed
    }

    fn support_rule(&self, ruleset: &Ruleset, id: RuleId, into: &mut Support) {
        if !into.visited.insert(id) {
            return;
        }
        if let Some(rule) = ruleset.head(id) {
            self.support(ruleset, rule.when, Context::Run, into);
        }
    }

    /// Adds the support of a node: of the children that make it what it is; of an undecided one, of what holds in it.
    fn support(&self, ruleset: &Ruleset, id: NodeId, context: Context, into: &mut Support) {
        let value = self.node(ruleset, id, context);
        match ruleset.graph().node(id) {
            Some(Node::All(children) | Node::Any(children) | Node::AtLeast(_, children)) => {
                let wanted = if value == Truth::Unknown { Truth::True } else { value };
                for &child in children {
                    if self.node(ruleset, child, context) == wanted {
                        self.support(ruleset, child, context, into);
                    }
                }
            }
            Some(Node::Not(child)) => self.support(ruleset, *child, context, into),
            Some(Node::Quantified(_, over, child)) => {
                for context in self.contexts(*over).unwrap_or_default() {
                    if self.node(ruleset, *child, context) == Truth::True {
                        self.support(ruleset, *child, context, into);
                    }
                }
            }
            Some(Node::Test(test)) if value != Truth::Unknown => {
                into.tests += 1;
                self.support_test(ruleset, test, context, into);
            }
            _ => {}
        }
    }

    fn support_test(&self, ruleset: &Ruleset, test: &Test, context: Context, into: &mut Support) {
        match test {
            Test::Matches(matching) => {
                if let TextRef::Fact(fact) = &matching.text {
                    self.support_fact(ruleset, fact, context, into);
                } else {
                    let hits = self.matching_hits(ruleset, matching, context);
                    into.spans.extend(self.texts.nearest(&hits).map(|hit| hit.span.clone()));
                }
            }
            Test::Problem(problem) => {
                for &rule in ruleset.diagnosing(*problem) {
                    if self.rule(rule).strict() == Truth::True {
                        self.support_rule(ruleset, rule, into);
                    }
                }
            }
            _ => test_facts(test).into_iter().for_each(|fact| self.support_fact(ruleset, fact, context, into)),
        }
    }

    fn support_fact(&self, ruleset: &Ruleset, fact: &FactRef, context: Context, into: &mut Support) {
        if let FactRef::Fact(id) | FactRef::Element(id) = fact {
            into.facts.insert(*id);
        }
        let state = self.state_of(ruleset, fact, context);
        let Some(provenance) = state.provenance() else { return };
        into.spans.extend(provenance.spans.iter().cloned());
        into.probed |= provenance.origin == Origin::Probe;
        if let (State::Known(..), Some(rule)) = (&state, provenance.rule) {
            self.support_rule(ruleset, RuleId(u32::try_from(rule).unwrap_or(u32::MAX)), into);
        }
    }
}

/// The facts a test reads.
pub(crate) fn test_facts(test: &Test) -> Vec<&FactRef> {
    let mut facts = Vec::new();
    match test {
        Test::Holds(fact) | Test::Has(fact, ..) | Test::State(fact, _) => facts.push(fact),
        Test::Compare(left, _, right) => {
            term_facts(left, &mut facts);
            term_facts(right, &mut facts);
        }
        Test::Within(term, ..) | Test::OneOf(term, _) => term_facts(term, &mut facts),
        Test::Matches(matching) => {
            if let TextRef::Fact(fact) = &matching.text {
                facts.push(fact);
            }
        }
        Test::RecordState(..) | Test::SectionState(..) | Test::Problem(_) | Test::NoProblem => {}
    }
    facts
}

fn term_facts<'a>(term: &'a Term, into: &mut Vec<&'a FactRef>) {
    match term {
        Term::Literal(_) => {}
        Term::Fact(fact) => into.push(fact),
        Term::Arithmetic(left, _, right) => {
            term_facts(left, into);
            term_facts(right, into);
        }
    }
}
