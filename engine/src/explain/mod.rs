//! Proofs, looked up in what the session recorded; and what kept something from coming up.

mod candidates;
mod least_change;
mod nearest;
mod order;
mod proof;
mod questions;

use crate::diagnosis::Diagnosis;
use crate::explanation::{Explanation, ProofNode, ProofStatus, Truth};
use crate::facts::State;
use crate::ir::{FixId, ProblemId, RuleId};
use crate::outcome::{Certainty, Status, WithheldReason};
use crate::words;
pub use nearest::NearMiss;
use proof::Prover;
pub(crate) use questions::QuestionFound;

/// What an id names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    Problem(ProblemId),
    Fix(FixId),
    Rule(RuleId),
    Fact(String),
    /// What a later pack took out, by its place in the program's list.
    Disabled(usize),
}

impl Diagnosis {
    /// Why a suggestion, problem, fact, rule or withheld fix is as it is, in English. `None` for an unknown id; a rule
    /// is `rule:NAME` where its name alone means something else.
    #[must_use]
    pub fn explain(&self, id: &str) -> Option<Explanation> {
        self.explain_in(id, "en")
    }

    /// [`Diagnosis::explain`] in a language.
    #[must_use]
    pub fn explain_in(&self, id: &str, lang: &str) -> Option<Explanation> {
        let target = self.target(id)?;
        let mut answer = self.answer(id, &target, lang);
        if matches!(answer.status, ProofStatus::Absent | ProofStatus::Withheld | ProofStatus::Unknown) {
            answer.least_change = least_change::find(self, &target, lang);
        }
        Some(answer)
    }

    /// Everything that came up, explained: problems, then suggestions, then what was withheld.
    #[must_use]
    pub fn explain_all(&self, lang: &str) -> Vec<Explanation> {
        let problems = self.problems().into_iter().map(|problem| problem.id().to_owned());
        let suggestions = self.suggestions().into_iter().map(|suggestion| suggestion.fix().to_owned());
        let withheld = self.withheld().into_iter().map(|withheld| withheld.fix().to_owned());
        problems.chain(suggestions).chain(withheld).filter_map(|id| self.explain_in(&id, lang)).collect()
    }

    /// What kept something from coming up, and the least that would have to be different. What did come up is explained
    /// as by [`Diagnosis::explain_in`]. `None` for an unknown id.
    #[must_use]
    pub fn why_not(&self, id: &str, lang: &str) -> Option<Explanation> {
        self.explain_in(id, lang)
    }

    fn target(&self, id: &str) -> Option<Target> {
        let program = self.ruleset.program();
        let index = |position: usize| u32::try_from(position).unwrap_or(u32::MAX);
        let rule = |name: &str| {
            program.rules.iter().position(|rule| &*rule.name == name).map(|at| Target::Rule(RuleId(index(at))))
        };
        let disabled = |name: &str, is_kind: fn(&str) -> bool| {
            let found = program.disabled.iter().rposition(|entry| &*entry.name == name && is_kind(&entry.kind));
            found.map(Target::Disabled)
        };
        if let Some(name) = id.strip_prefix("rule:") {
            return rule(name).or_else(|| disabled(name, |kind| kind == "rule"));
        }
        let problem = program.problems.iter().position(|problem| &*problem.info.id == id);
        let fix = program.fixes.iter().position(|fix| &*fix.info.id == id);
        let fact = self.session.fact_named(&self.ruleset, id).map(|_| Target::Fact(id.to_owned()));
        problem
            .map(|at| Target::Problem(ProblemId(index(at))))
            .or_else(|| fix.map(|at| Target::Fix(FixId(index(at)))))
            .or(fact)
            .or_else(|| rule(id))
            .or_else(|| disabled(id, |_| true))
    }

    fn answer(&self, id: &str, target: &Target, lang: &str) -> Explanation {
        let mut prover = Prover::new(self, lang);
        let (title, status, proof) = match target {
            Target::Problem(problem) => self.problem_answer(*problem, &mut prover, lang),
            Target::Fix(fix) => self.fix_answer(*fix, &mut prover, lang),
            Target::Rule(rule) => self.rule_answer(*rule, &mut prover),
            Target::Fact(name) => self.fact_answer(name, &mut prover, lang),
            Target::Disabled(index) => self.disabled_answer(*index, &prover, lang),
        };
        let order = match target {
            Target::Fix(fix) => order::text(self, *fix, lang),
            _ => String::new(),
        };
        Explanation { id: id.to_owned(), title, status, proof, order, least_change: Vec::new(), lang: lang.to_owned() }
    }

    fn problem_answer(&self, id: ProblemId, prover: &mut Prover<'_>, lang: &str) -> (String, ProofStatus, ProofNode) {
        let entry = self.ruleset.program().problems.get(id.index());
        let title = entry.map_or_else(String::new, |problem| self.session.render(&problem.info.title, lang));
        let found = self.outcome.problems.iter().find(|found| found.problem == Some(id));
        let status = match found {
            Some(found) if found.covered_by.is_some() => ProofStatus::Covered,
            Some(found) if found.certainty == Certainty::Certain => ProofStatus::Certain,
            Some(_) => ProofStatus::Possible,
            None => ProofStatus::Absent,
        };
        let rules: Vec<RuleId> = match found {
            Some(found) => found.actions.iter().map(|(rule, _)| *rule).collect(),
            None => prover.nearest(self.ruleset.diagnosing(id).iter().copied()).into_iter().collect(),
        };
        let name = entry.map_or("", |problem| &*problem.info.id);
        let mut node = ProofNode::new(words::PROBLEM_NODE.with(lang, &[name, &title]), self.session.problem(id));
        node.children = prover.rules(&rules, name);
        if let Some(covering) =
            found.and_then(|found| found.covered_by).and_then(|id| self.ruleset.program().problems.get(id.index()))
        {
            node.children.push(ProofNode::new(words::COVERED_BY.with(lang, &[&covering.info.id]), Truth::True));
        }
        (title, status, node)
    }

    fn fix_answer(&self, id: FixId, prover: &mut Prover<'_>, lang: &str) -> (String, ProofStatus, ProofNode) {
        let fix = self.ruleset.fix(id);
        let title = self.session.render(&fix.info.title, lang);
        let heading = words::FIX_NODE.with(lang, &[&fix.info.id, &title]);
        if let Some(found) = self.outcome.suggestions.iter().find(|found| found.fix == id) {
            let recommended = found.status == Status::Recommended;
            let (status, value) = if recommended {
                (ProofStatus::Recommended, Truth::True)
            } else {
                (ProofStatus::Possible, Truth::Unknown)
            };
            let mut node = ProofNode::new(heading, value);
            let rules: Vec<RuleId> = found.actions.iter().map(|(rule, _)| *rule).collect();
            node.children = prover.rules(&rules, &fix.info.id);
            node.children.extend(prover.requirements(fix));
            let cautions: Vec<RuleId> = found.cautions.iter().filter(|c| c.action.is_some()).map(|c| c.rule).collect();
            if !cautions.is_empty() {
                node.children.extend(prover.rules(&cautions, &fix.info.id));
            }
            return (title, status, node);
        }
        let mut node = ProofNode::new(heading, Truth::False);
        if let Some(found) = self.outcome.withheld.iter().find(|found| found.fix == id) {
            let rules: Vec<RuleId> = found.actions.iter().map(|(rule, _)| *rule).collect();
            node.children = prover.rules(&rules, &fix.info.id);
            if found.reason == WithheldReason::Avoided {
                // What would suggest it, besides what advises against it.
                let nearest = prover.nearest(self.ruleset.suggesting(id).iter().map(|(rule, _)| *rule));
                node.children.extend(nearest.map(|rule| prover.rule(rule)));
            }
            node.children.extend(prover.requirements(fix));
            node.what = format!("{} ({})", node.what, words::withheld(found.reason).get(lang));
            return (title, ProofStatus::Withheld, node);
        }
        let offered = self.outcome.suggestions.iter().find(|found| found.alternatives.contains(&id));
        let nearest = prover.nearest(self.ruleset.suggesting(id).iter().map(|(rule, _)| *rule));
        node.children = prover.rules(&nearest.into_iter().collect::<Vec<_>>(), &fix.info.id);
        let status = if offered.is_some() { ProofStatus::Withheld } else { ProofStatus::Absent };
        (title, status, node)
    }

    fn rule_answer(&self, id: RuleId, prover: &mut Prover<'_>) -> (String, ProofStatus, ProofNode) {
        let node = prover.rule(id);
        let status = match self.session.rule(id).lenient() {
            Truth::True => ProofStatus::Certain,
            Truth::False => ProofStatus::Absent,
            Truth::Unknown => ProofStatus::Unknown,
        };
        (self.rule_name(id).to_owned(), status, node)
    }

    fn disabled_answer(&self, index: usize, prover: &Prover<'_>, lang: &str) -> (String, ProofStatus, ProofNode) {
        let program = self.ruleset.program();
        let mut node = ProofNode::new(String::new(), Truth::False);
        if let Some(entry) = program.disabled.get(index) {
            let pack = program.packs.get(entry.pack.index()).map_or("", |pack| &*pack.name);
            let because = entry.because.as_ref().map_or_else(String::new, |text| self.session.render(text, lang));
            node.what = words::TAKEN_OUT.with(lang, &[&entry.kind, &entry.name, pack]);
            node.place = prover.place(entry.site);
            if !because.is_empty() {
                node.children.push(ProofNode::new(because, Truth::True));
            }
        }
        (String::new(), ProofStatus::Absent, node)
    }

    fn fact_answer(&self, name: &str, prover: &mut Prover<'_>, lang: &str) -> (String, ProofStatus, ProofNode) {
        let state =
            self.session.fact_named(&self.ruleset, name).unwrap_or(State::Unknown(crate::facts::Reason::NotStated));
        let status = match state {
            State::Known(..) => ProofStatus::Known,
            State::None(_) => ProofStatus::None,
            State::Unknown(_) => ProofStatus::Unknown,
        };
        let program = self.ruleset.program();
        let fact = program.fact_names.get(name).and_then(|id| program.facts.get(id.index()));
        let title = fact.map_or_else(String::new, |fact| self.session.render(&fact.description, lang));
        (title, status, prover.fact(name, &state))
    }
}
