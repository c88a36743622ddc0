//! What a run needs of every rule, fact and fix, so that these are decoded only where they have a say.

use serde::{Deserialize, Serialize};

use crate::graph::{Graph, NodeId};
use crate::ir::{ActionKind, Condition, FactId, FixId, ProblemId, Program, RuleId, Test};

/// Derived from a program and its graph.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Index {
    pub(crate) rules: Vec<Head>,
    pub(crate) facts: Vec<FactHead>,
    /// Of each problem, the rules that diagnose or suspect it.
    pub(crate) diagnosing: Vec<Vec<RuleId>>,
    pub(crate) fixes: Vec<FixHead>,
}

/// What a run needs of a rule.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Head {
    /// Its condition.
    pub(crate) when: NodeId,
    /// Its exception.
    pub(crate) unless: Option<NodeId>,
    /// Whether it asks for `no problem`.
    pub(crate) asks_no_problem: bool,
    /// What it does.
    pub(crate) actions: Vec<ActionKind>,
    /// The problems its condition names.
    pub(crate) problems: Vec<ProblemId>,
}

impl Head {
    /// Its condition and its exception.
    pub(crate) fn conditions(&self) -> impl Iterator<Item = NodeId> {
        std::iter::once(self.when).chain(self.unless)
    }
}

/// What a run needs of a fact.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct FactHead {
    /// How many actions and tables conclude it.
    pub(crate) concluders: usize,
    /// Whether a machine can be asked for it.
    pub(crate) has_probe: bool,
    /// Whether a person can.
    pub(crate) has_question: bool,
}

/// What a run needs of a fix.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct FixHead {
    /// The actions that suggest it.
    pub(crate) suggesting: Vec<(RuleId, usize)>,
    /// The actions that avoid it.
    pub(crate) avoiding: Vec<(RuleId, usize)>,
    /// Its requirements and the conditions of its steps.
    pub(crate) conditions: Vec<NodeId>,
}

impl Index {
    pub(crate) fn new(program: &Program, graph: &Graph) -> Self {
        let mut index = Self {
            rules: program.rules.iter().map(|rule| head(rule, graph)).collect(),
            facts: program.facts.iter().map(|fact| fact_head(fact, program)).collect(),
            diagnosing: vec![Vec::new(); program.problems.len()],
            fixes: program.fixes.iter().map(|fix| fix_head(fix, graph)).collect(),
        };
        for (id, head) in (0..).map(RuleId).zip(&index.rules) {
            for (place, action) in head.actions.iter().enumerate() {
                match action {
                    ActionKind::Diagnose(problem) | ActionKind::Suspect(problem) => {
                        push(index.diagnosing.get_mut(problem.index()), id);
                    }
                    ActionKind::Suggest(fix, _) => {
                        push(index.fixes.get_mut(fix.index()).map(|fix| &mut fix.suggesting), (id, place));
                    }
                    ActionKind::Avoid(fix) => {
                        push(index.fixes.get_mut(fix.index()).map(|fix| &mut fix.avoiding), (id, place));
                    }
                    ActionKind::Conclude(..) => {}
                }
            }
        }
        index
    }

    pub(crate) fn fact(&self, id: FactId) -> Option<&FactHead> {
        self.facts.get(id.index())
    }

    pub(crate) fn fix(&self, id: FixId) -> Option<&FixHead> {
        self.fixes.get(id.index())
    }
}

fn head(rule: &crate::ir::Rule, graph: &Graph) -> Head {
    Head {
        when: graph.node_of(rule.when.id),
        unless: rule.unless.as_ref().map(|unless| graph.node_of(unless.id)),
        asks_no_problem: std::iter::once(&rule.when).chain(&rule.unless).any(asks_no_problem),
        actions: rule.actions.iter().map(|action| action.kind.clone()).collect(),
        problems: rule.problems.clone(),
    }
}

fn fact_head(fact: &crate::ir::Fact, program: &Program) -> FactHead {
    let record = fact.record.and_then(|record| program.records.get(record.index()));
    FactHead {
        concluders: fact.concluders.len(),
        has_probe: fact.probe.is_some() || record.is_some_and(|record| record.probe.is_some()),
        has_question: fact.ask.is_some(),
    }
}

fn fix_head(fix: &crate::ir::Fix, graph: &Graph) -> FixHead {
    let steps = fix.steps.iter().filter_map(|step| step.when.as_ref());
    let conditions = fix.requires.iter().chain(steps).map(|condition| graph.node_of(condition.id)).collect();
    FixHead { conditions, ..FixHead::default() }
}

fn asks_no_problem(condition: &Condition) -> bool {
    let mut asks = false;
    condition.each_test(&mut |test| asks |= *test == Test::NoProblem);
    asks
}

fn push<T>(list: Option<&mut Vec<T>>, item: T) {
    if let Some(list) = list {
        list.push(item);
    }
}
