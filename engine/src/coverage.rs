//! Which outcomes of rules and conditions their tests have seen.

use crate::diagnosis::Diagnosis;
use crate::explanation::Truth;
use crate::graph::NodeId;
use crate::ir::{Condition, ConditionKind, FactRef, Rule, RuleId, Site, Test, TextRef};
use crate::ruleset::Ruleset;
use crate::session::{Context, test_facts};

/// What the tests saw of the rules.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    /// Of each rule, in order of declaration.
    pub rules: Vec<Covered>,
}

/// The outcomes that were seen of a rule or condition.
#[derive(Debug, Clone)]
pub struct Covered {
    /// The rule's name, or the condition's text.
    pub name: String,
    /// Where it stands.
    pub site: Site,
    /// Whether it reads the text, so that a strict check asks for a test in which it is true and one in which it is false.
    pub reads_text: bool,
    /// Whether it can be unknown: a text is always there, so whether it matches is not.
    pub can_be_unknown: bool,
    /// Seen true.
    pub seen_true: bool,
    /// Seen false.
    pub seen_false: bool,
    /// Seen unknown.
    pub seen_unknown: bool,
    /// The single conditions of a rule, in the order written.
    pub conditions: Vec<Covered>,
}

impl Covered {
    fn new(name: String, site: Site) -> Self {
        Self {
            name,
            site,
            reads_text: false,
            can_be_unknown: false,
            seen_true: false,
            seen_false: false,
            seen_unknown: false,
            conditions: Vec::new(),
        }
    }

    /// What it can be and no test made it: of `true`, `false`, `unknown`.
    #[must_use]
    pub fn unseen(&self) -> Vec<&'static str> {
        let outcomes = [
            ("true", self.seen_true),
            ("false", self.seen_false),
            ("unknown", self.seen_unknown || !self.can_be_unknown),
        ];
        outcomes.into_iter().filter(|(_, seen)| !seen).map(|(word, _)| word).collect()
    }

    fn see(&mut self, value: Truth) {
        match value {
            Truth::True => self.seen_true = true,
            Truth::False => self.seen_false = true,
            Truth::Unknown => self.seen_unknown = true,
        }
    }
}

/// Collects coverage.
pub(crate) struct Collector<'a> {
    ruleset: &'a Ruleset,
    rules: Vec<Covered>,
    /// The nodes of each rule's conditions.
    nodes: Vec<Vec<NodeId>>,
}

impl<'a> Collector<'a> {
    pub(crate) fn new(ruleset: &'a Ruleset) -> Self {
        let (rules, nodes) = ruleset.program().rules.iter().map(|rule| of_rule(ruleset, rule)).unzip();
        Self { ruleset, rules, nodes }
    }

    pub(crate) fn see(&mut self, diagnosis: &Diagnosis) {
        for (index, (rule, nodes)) in self.rules.iter_mut().zip(&self.nodes).enumerate() {
            rule.see(diagnosis.session.rule(RuleId(u32::try_from(index).unwrap_or(u32::MAX))).lenient());
            for (condition, node) in rule.conditions.iter_mut().zip(nodes) {
                condition.see(diagnosis.session.node(self.ruleset, *node, Context::Run));
            }
        }
    }

    pub(crate) fn finish(self) -> Coverage {
        Coverage { rules: self.rules }
    }
}

fn of_rule(ruleset: &Ruleset, rule: &Rule) -> (Covered, Vec<NodeId>) {
    let mut covered = Covered::new(rule.name.to_string(), rule.site);
    let mut nodes = Vec::new();
    for condition in std::iter::once(&rule.when).chain(&rule.unless) {
        collect(ruleset, condition, &mut covered.conditions, &mut nodes);
    }
    covered.reads_text = covered.conditions.iter().any(|condition| condition.reads_text);
    covered.can_be_unknown = covered.conditions.iter().any(|condition| condition.can_be_unknown);
    (covered, nodes)
}

fn collect(ruleset: &Ruleset, condition: &Condition, into: &mut Vec<Covered>, nodes: &mut Vec<NodeId>) {
    match &condition.kind {
        ConditionKind::All(list) | ConditionKind::Any(list) | ConditionKind::AtLeast(_, list) => {
            list.iter().for_each(|child| collect(ruleset, child, into, nodes));
        }
        ConditionKind::Not(inner) => collect(ruleset, inner, into, nodes),
        ConditionKind::Quantified(..) | ConditionKind::Test(_) => {
            let mut covered = Covered::new(ruleset.quote(condition.site), condition.site);
            condition.each_test(&mut |test| {
                covered.reads_text |= reads_text(test);
                covered.can_be_unknown |= can_be_unknown(test);
            });
            into.push(covered);
            nodes.push(ruleset.graph().node_of(condition.id));
        }
    }
}

fn reads_text(test: &Test) -> bool {
    let captures = test_facts(test).into_iter().any(|fact| matches!(fact, FactRef::Capture { .. }));
    captures || matches!(test, Test::Matches(matching) if !matches!(matching.text, TextRef::Fact(_)))
}

/// Texts are always there, and so is the answer whether something is known.
fn can_be_unknown(test: &Test) -> bool {
    match test {
        Test::Matches(matching) => matches!(matching.text, TextRef::Section(_) | TextRef::Fact(_)),
        Test::State(..) | Test::RecordState(..) | Test::SectionState(..) | Test::NoProblem => false,
        Test::Holds(_) | Test::Compare(..) | Test::Within(..) | Test::OneOf(..) | Test::Has(..) | Test::Problem(_) => {
            true
        }
    }
}
