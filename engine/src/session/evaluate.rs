//! Evaluation: nodes, rules, problems and concluded facts, each once, in the program's order.

use super::test::{Context, ordering, truth};
use super::{Elements, RuleState, Session, and, not};
use crate::explanation::Truth;
use crate::facts::{Origin, Provenance, Reason, State};
use crate::graph::{Node, NodeId, OverKey};
use crate::index::Head;
use crate::ir::{ActionKind, FactId, Quantifier, RecordId, RuleId, Table, Unit};
use crate::ruleset::Ruleset;
use crate::value::Value;

/// What a rule or table says of a fact.
enum Conclusion {
    /// This value.
    Holds(Value),
    /// Perhaps this value; `None`: perhaps some.
    Open(Option<Value>),
    /// Nothing.
    Silent,
}

impl Session {
    /// Evaluates all rules over the facts as they are now.
    pub(super) fn evaluate(&mut self, ruleset: &Ruleset) {
        let program = ruleset.program();
        self.nodes = vec![None; ruleset.graph().len()];
        self.closed = vec![None; program.facts.len()];
        self.rules = vec![RuleState { when: Truth::False, unless: Truth::False }; program.rules.len()];
        self.problems = vec![Truth::False; program.problems.len()];
        self.no_problem = None;
        let mut open: Vec<usize> = ruleset.index().facts.iter().map(|fact| fact.concluders).collect();
        for &unit in &program.order {
            match unit {
                Unit::Rule(id) => {
                    if let Some(rule) = ruleset.head(id) {
                        self.evaluate_rule(ruleset, id, rule);
                        rule.actions.iter().for_each(|action| {
                            if let ActionKind::Conclude(fact, _) = *action {
                                self.count_down(ruleset, &mut open, fact);
                            }
                        });
                    }
                }
                Unit::Table(id) => {
                    if let Some(table) = program.tables.get(id.index()) {
                        self.count_down(ruleset, &mut open, table.fact);
                    }
                }
            }
        }
    }

    fn count_down(&mut self, ruleset: &Ruleset, open: &mut [usize], fact: FactId) {
        if let Some(count) = open.get_mut(fact.index()) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                self.close(ruleset, fact);
            }
        }
    }

    fn evaluate_rule(&mut self, ruleset: &Ruleset, id: RuleId, rule: &Head) {
        if self.no_problem.is_none() && rule.asks_no_problem {
            self.no_problem = Some(truth(!self.problems.contains(&Truth::True)));
        }
        let when = self.fill(ruleset, rule.when);
        let unless = match rule.unless {
            Some(unless) if when != Truth::False => self.fill(ruleset, unless),
            _ => Truth::False,
        };
        let state = RuleState { when, unless };
        if let Some(slot) = self.rules.get_mut(id.index()) {
            *slot = state;
        }
        for action in &rule.actions {
            let (problem, found) = match *action {
                ActionKind::Diagnose(problem) => (problem, state.strict()),
                ActionKind::Suspect(problem) if state.strict() != Truth::False => (problem, Truth::Unknown),
                _ => continue,
            };
            if let Some(slot) = self.problems.get_mut(problem.index()) {
                *slot = not(and(not(*slot), not(found)));
            }
        }
    }

    /// Closes a fact that rules or tables conclude. What was given or read stands before; a probe stands behind.
    fn close(&mut self, ruleset: &Ruleset, fact: FactId) {
        let base = self.base.get(fact.index()).and_then(Option::as_ref);
        let origin = base.and_then(State::provenance).map(|provenance| provenance.origin);
        if matches!(origin, Some(Origin::Given | Origin::Text)) {
            return;
        }
        let probed = base.cloned();
        let state = self.concluded(ruleset, fact).or(probed).unwrap_or_else(|| match self.unread(ruleset, fact) {
            State::Unknown(Reason::NotStated) => State::None(Provenance::of(Origin::Rule)),
            unknown => unknown,
        });
        if let Some(slot) = self.closed.get_mut(fact.index()) {
            *slot = Some(state);
        }
    }

    /// The first declared conclusion that holds, unless an earlier one with another value is still open.
    fn concluded(&self, ruleset: &Ruleset, fact: FactId) -> Option<State> {
        let program = ruleset.program();
        let mut open: Vec<Option<Value>> = Vec::new();
        for &unit in &program.facts.get(fact.index())?.concluders {
            let (conclusion, rule) = match unit {
                Unit::Rule(id) => (self.rule_concludes(ruleset.head(id)?, id, fact), Some(id.index())),
                Unit::Table(id) => (self.table_concludes(ruleset, program.tables.get(id.index())?), None),
            };
            match conclusion {
                Conclusion::Holds(value) => {
                    let agrees = |other: &Option<Value>| other.as_ref() == Some(&value);
                    return Some(if open.iter().all(agrees) {
                        State::Known(value, Provenance { rule, ..Provenance::of(Origin::Rule) })
                    } else {
                        State::Unknown(Reason::Undecided)
                    });
                }
                Conclusion::Open(value) => open.push(value),
                Conclusion::Silent => {}
            }
        }
        (!open.is_empty()).then_some(State::Unknown(Reason::Undecided))
    }

    fn rule_concludes(&self, rule: &Head, id: RuleId, fact: FactId) -> Conclusion {
        let value = rule.actions.iter().find_map(|action| match action {
            ActionKind::Conclude(concluded, value) if *concluded == fact => Some(value.clone()),
            _ => None,
        });
        match (value, self.rule(id).strict()) {
            (Some(value), Truth::True) => Conclusion::Holds(value),
            (Some(value), Truth::Unknown) => Conclusion::Open(Some(value)),
            _ => Conclusion::Silent,
        }
    }

    fn table_concludes(&self, ruleset: &Ruleset, table: &Table) -> Conclusion {
        let found = match self.fact(ruleset, table.from) {
            State::Known(key, _) => {
                let entry = table
                    .entries
                    .iter()
                    .find(|(entry, _)| ordering(&key, entry).is_some_and(std::cmp::Ordering::is_eq));
                entry.map(|(_, value)| value.clone())
            }
            State::None(_) => None,
            State::Unknown(_) => return Conclusion::Open(None),
        };
        if let Some(value) = found {
            return Conclusion::Holds(value);
        }
        match table.otherwise.map(|fact| self.fact(ruleset, fact)) {
            Some(State::Known(value, _)) => Conclusion::Holds(value),
            Some(State::Unknown(_)) => Conclusion::Open(None),
            Some(State::None(_)) | None => Conclusion::Silent,
        }
    }

    /// Evaluates a node and those below it that its value needs, and remembers them.
    fn fill(&mut self, ruleset: &Ruleset, id: NodeId) -> Truth {
        if let Some(Some(known)) = self.nodes.get(id.0 as usize) {
            return *known;
        }
        let graph = ruleset.graph();
        match graph.node(id) {
            Some(Node::All(children)) => {
                for &child in children {
                    if self.fill(ruleset, child) == Truth::False {
                        break;
                    }
                }
            }
            Some(Node::Any(children) | Node::AtLeast(_, children)) => {
                for &child in children {
                    self.fill(ruleset, child);
                }
            }
            Some(Node::Not(child)) => {
                self.fill(ruleset, *child);
            }
            _ => {}
        }
        let value = self.combine(ruleset, id, Context::Run);
        if let Some(slot) = self.nodes.get_mut(id.0 as usize) {
            *slot = Some(value);
        }
        value
    }

    /// The value of a node, from what is remembered or by evaluating it.
    #[must_use]
    pub fn node(&self, ruleset: &Ruleset, id: NodeId, context: Context) -> Truth {
        if !ruleset.graph().is_local(id)
            && let Some(Some(known)) = self.nodes.get(id.0 as usize)
        {
            return *known;
        }
        self.combine(ruleset, id, context)
    }

    fn combine(&self, ruleset: &Ruleset, id: NodeId, context: Context) -> Truth {
        match ruleset.graph().node(id) {
            Some(Node::All(children)) => self.fold(ruleset, children, context, Truth::True, and, Truth::False),
            Some(Node::Any(children)) => {
                let or = |a, b| not(and(not(a), not(b)));
                self.fold(ruleset, children, context, Truth::False, or, Truth::True)
            }
            Some(Node::Not(child)) => not(self.node(ruleset, *child, context)),
            Some(Node::AtLeast(count, children)) => self.at_least(ruleset, *count as usize, children, context),
            Some(Node::Quantified(quantifier, over, child)) => self.quantified(ruleset, *quantifier, *over, *child),
            Some(Node::Test(test)) => match self.supposed.get(&id) {
                Some(supposed) => *supposed,
                None => self.test(ruleset, test, context),
            },
            None => Truth::Unknown,
        }
    }

    fn fold(
        &self,
        ruleset: &Ruleset,
        children: &[NodeId],
        context: Context,
        start: Truth,
        step: impl Fn(Truth, Truth) -> Truth,
        decided: Truth,
    ) -> Truth {
        let mut value = start;
        for &child in children {
            value = step(value, self.node(ruleset, child, context));
            if value == decided {
                break;
            }
        }
        value
    }

    fn at_least(&self, ruleset: &Ruleset, count: usize, children: &[NodeId], context: Context) -> Truth {
        let values: Vec<Truth> = children.iter().map(|&child| self.node(ruleset, child, context)).collect();
        let held = values.iter().filter(|&&value| value == Truth::True).count();
        let open = values.iter().filter(|&&value| value == Truth::Unknown).count();
        if held >= count {
            Truth::True
        } else if held + open < count {
            Truth::False
        } else {
            Truth::Unknown
        }
    }

    fn quantified(&self, ruleset: &Ruleset, quantifier: Quantifier, over: OverKey, child: NodeId) -> Truth {
        let Some(contexts) = self.contexts(over) else { return Truth::Unknown };
        let values = contexts.into_iter().map(|context| self.node(ruleset, child, context));
        let or = |a, b| not(and(not(a), not(b)));
        match quantifier {
            Quantifier::Any => values.fold(Truth::False, or),
            Quantifier::No => not(values.fold(Truth::False, or)),
            Quantifier::Every => values.fold(Truth::True, and),
        }
    }

    /// The elements a quantifier speaks of; `None` where they are not known.
    pub(crate) fn contexts(&self, over: OverKey) -> Option<Vec<Context>> {
        match over {
            OverKey::Errors => Some((0..self.texts.error_count()).map(Context::Error).collect()),
            OverKey::Record(record) => match self.elements.get(record as usize)? {
                Elements::Known(list, _) => {
                    Some((0..list.len()).map(|index| Context::Element(RecordId(record), index)).collect())
                }
                Elements::Unknown(_) => None,
            },
        }
    }

    /// Whether a condition of a fix or template holds.
    #[must_use]
    pub fn holds(&self, ruleset: &Ruleset, condition: &crate::ir::Condition) -> Truth {
        self.node(ruleset, ruleset.graph().node_of(condition.id), Context::Run)
    }
}
