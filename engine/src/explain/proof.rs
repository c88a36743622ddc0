//! The recorded support as a tree.

use std::collections::BTreeSet;

use crate::diagnosis::Diagnosis;
use crate::evidence::Place;
use crate::explanation::{ProofNode, RulePlace, Truth};
use crate::facts::State;
use crate::graph::OverKey;
use crate::ir::{Condition, ConditionKind, FactRef, Fix, Over, RuleId, Site, Test, TextRef, Unit};
use crate::session::{Context, test_facts};
use crate::words;

/// Builds proofs; each rule is shown in full once.
pub(super) struct Prover<'a> {
    diagnosis: &'a Diagnosis,
    lang: &'a str,
    shown: BTreeSet<RuleId>,
}

impl<'a> Prover<'a> {
    pub(super) const fn new(diagnosis: &'a Diagnosis, lang: &'a str) -> Self {
        Self { diagnosis, lang, shown: BTreeSet::new() }
    }

    /// The rules behind something, or that none speaks of it.
    pub(super) fn rules(&mut self, rules: &[RuleId], about: &str) -> Vec<ProofNode> {
        if rules.is_empty() {
            return vec![ProofNode::new(words::NO_RULE_FOR.with(self.lang, &[about]), Truth::False)];
        }
        let mut seen = BTreeSet::new();
        rules.iter().filter(|rule| seen.insert(**rule)).map(|&rule| self.rule(rule)).collect()
    }

    /// The rule with the fewest conditions that do not hold; the first of those.
    pub(super) fn nearest(&self, rules: impl Iterator<Item = RuleId>) -> Option<RuleId> {
        rules.min_by_key(|rule| self.diagnosis.open_tests(*rule))
    }

    fn value(&self, condition: &Condition, context: Context) -> Truth {
        let graph = self.diagnosis.ruleset.graph();
        self.diagnosis.session.node(&self.diagnosis.ruleset, graph.node_of(condition.id), context)
    }

    /// A rule with its condition and exception.
    pub(super) fn rule(&mut self, id: RuleId) -> ProofNode {
        let name = self.diagnosis.rule_name(id).to_owned();
        let mut node =
            ProofNode::new(words::RULE_NODE.with(self.lang, &[&name]), self.diagnosis.session.rule(id).lenient());
        node.rule = Some(name);
        let Some(rule) = self.diagnosis.ruleset.program().rules.get(id.index()) else { return node };
        node.place = self.place(rule.site);
        if !self.shown.insert(id) {
            node.what = words::SEE_ABOVE.with(self.lang, &[&node.what]);
            return node;
        }
        node.children.push(self.condition(&rule.when, Context::Run));
        if let Some(unless) = &rule.unless {
            let mut exception = self.condition(unless, Context::Run);
            exception.what = words::EXCEPT.with(self.lang, &[&exception.what]);
            node.children.push(exception);
        }
        node
    }

    /// What a fix requires.
    pub(super) fn requirements(&mut self, fix: &Fix) -> Vec<ProofNode> {
        fix.requires
            .iter()
            .map(|condition| {
                let mut node = self.condition(condition, Context::Run);
                node.what = words::REQUIRES.with(self.lang, &[&node.what]);
                node
            })
            .collect()
    }

    /// A fact with its value, and the rules that concluded it.
    pub(super) fn fact(&mut self, name: &str, state: &State) -> ProofNode {
        let said = match state {
            State::Known(value, _) => format!("{name} = {value}"),
            State::None(_) => format!("{name} = {}", words::NO_VALUE.get(self.lang)),
            State::Unknown(reason) => words::FACT_UNKNOWN.with(self.lang, &[name, &words::reason(reason, self.lang)]),
        };
        let value = if matches!(state, State::Unknown(_)) { Truth::Unknown } else { Truth::True };
        let mut node = ProofNode::new(said, value);
        node.fact = Some(name.to_owned());
        if let Some(provenance) = state.provenance() {
            node.origin = Some(provenance.origin);
            node.time.clone_from(&provenance.time);
            node.evidence = self.diagnosis.places(&provenance.spans);
        }
        let program = self.diagnosis.ruleset.program();
        let concluders = program.fact_names.get(name).and_then(|id| program.facts.get(id.index()));
        let concluders: Vec<Unit> = concluders.map_or_else(Vec::new, |fact| fact.concluders.clone());
        let by_rule = state.provenance().is_none_or(|provenance| provenance.origin == crate::facts::Origin::Rule);
        for unit in concluders.into_iter().filter(|_| by_rule) {
            match unit {
                Unit::Rule(rule) => node.children.push(self.rule(rule)),
                Unit::Table(table) => node.children.extend(self.table(table)),
            }
            // Rules behind the one that gave the value have no say in it.
            if matches!(unit, Unit::Rule(rule) if state.provenance().and_then(|it| it.rule) == Some(rule.index())) {
                break;
            }
        }
        node
    }

    fn table(&mut self, table: crate::ir::TableId) -> Vec<ProofNode> {
        let program = self.diagnosis.ruleset.program();
        let Some(table) = program.tables.get(table.index()) else { return Vec::new() };
        std::iter::once(table.from)
            .chain(table.otherwise)
            .filter_map(|fact| program.facts.get(fact.index()))
            .filter_map(|fact| {
                Some(self.fact(&fact.name, &self.diagnosis.session.fact_named(&self.diagnosis.ruleset, &fact.name)?))
            })
            .collect()
    }

    fn condition(&mut self, condition: &Condition, context: Context) -> ProofNode {
        let value = self.value(condition, context);
        let mut node = ProofNode::new(self.diagnosis.ruleset.quote(condition.site), value);
        node.place = self.place(condition.site);
        match &condition.kind {
            ConditionKind::All(list) | ConditionKind::Any(list) | ConditionKind::AtLeast(_, list) => {
                node.children = list.iter().map(|child| self.condition(child, context)).collect();
            }
            ConditionKind::Not(inner) => node.children = vec![self.condition(inner, context)],
            ConditionKind::Quantified(_, over, inner) => {
                let key = match over {
                    Over::Record(record) => OverKey::Record(record.0),
                    Over::Errors => OverKey::Errors,
                };
                let contexts = self.diagnosis.session.contexts(key).unwrap_or_default();
                node.children = contexts.into_iter().map(|context| self.condition(inner, context)).collect();
            }
            ConditionKind::Test(test) => self.test(test, context, &mut node),
        }
        node
    }

    fn test(&mut self, test: &Test, context: Context, node: &mut ProofNode) {
        let session = &self.diagnosis.session;
        if let Test::Matches(matching) = test
            && !matches!(matching.text, TextRef::Fact(_))
        {
            let hits = session.matching_hits(&self.diagnosis.ruleset, matching, context);
            let nearest = session.texts.nearest(&hits).map(|hit| hit.span.clone());
            node.evidence =
                nearest.into_iter().filter_map(|span| self.diagnosis.evidence.place(&span)).collect::<Vec<Place>>();
        }
        if let Test::Problem(problem) = test {
            let rules: Vec<RuleId> = self.diagnosis.ruleset.diagnosing(*problem).to_vec();
            let holds = |rule: &RuleId| self.diagnosis.session.rule(*rule).strict();
            let relevant: Vec<RuleId> = match node.value {
                Truth::True => rules.into_iter().filter(|rule| holds(rule) == Truth::True).collect(),
                Truth::False => {
                    // The one that came nearest first: it says most of why.
                    let mut rules = rules;
                    rules.sort_by_key(|rule| self.diagnosis.open_tests(*rule));
                    rules
                }
                Truth::Unknown => rules.into_iter().filter(|rule| holds(rule) != Truth::False).collect(),
            };
            node.children = relevant.into_iter().map(|rule| self.rule(rule)).collect();
        }
        for fact in test_facts(test) {
            let state = self.diagnosis.session.state_of(&self.diagnosis.ruleset, fact, context);
            let child = self.fact(&self.fact_name(fact), &state);
            node.children.push(child);
        }
    }

    fn fact_name(&self, fact: &FactRef) -> String {
        match fact {
            FactRef::Fact(id) | FactRef::Element(id) => self.diagnosis.ruleset.fact_name(*id).to_owned(),
            FactRef::Capture { name, .. } => name.to_string(),
        }
    }

    pub(super) fn place(&self, site: Site) -> Option<RulePlace> {
        let source = self.diagnosis.ruleset.program().sources.get(site.source.0 as usize)?;
        let at = source.position(site.span.start);
        Some(RulePlace { file: source.name.to_string(), line: at.line, column: at.column })
    }
}
