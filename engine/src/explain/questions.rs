//! What a person could answer to decide what is open, the answer that leaves least open first.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::candidates::candidates;
use crate::diagnosis::Diagnosis;
use crate::explanation::Truth;
use crate::facts::State;
use crate::ir::{ActionKind, Condition, ConditionKind, Fact, FactId, FactRef, Fix, RuleId, Test};
use crate::session::{RuleState, test_facts};
use crate::value::{Type, Value};

/// Questions that are weighed by their answers; those that speak of fewer problems and fixes stand behind them.
const WEIGHED: usize = 8;
/// Answers of one question that are tried.
const ANSWERS: usize = 12;

/// A question.
#[derive(Debug, Clone)]
pub struct QuestionFound {
    /// The fact.
    pub fact: String,
    /// Fixes and problems that its answer decides.
    pub decides: Vec<String>,
}

/// How well a question separates what is open; the smallest is the best.
type Weight = (usize, Reverse<usize>, Reverse<usize>);

impl Diagnosis {
    /// Questions for facts that undecided rules, or suggestions, wait for and that can be asked of a person.
    pub(crate) fn found_questions(&self) -> Vec<QuestionFound> {
        let open = self.open_rules();
        let mut questions = self.waited_for(&open);
        questions.sort_by(|a, b| b.decides.len().cmp(&a.decides.len()).then_with(|| a.fact.cmp(&b.fact)));
        let rest = questions.split_off(questions.len().min(WEIGHED));
        if questions.len() > 1 {
            questions.sort_by_cached_key(|question| (self.weight(question, &open), question.fact.clone()));
        }
        questions.extend(rest);
        questions
    }

    fn open_rules(&self) -> Vec<RuleId> {
        let all = (0..self.ruleset.program().rules.len()).map(|at| RuleId(u32::try_from(at).unwrap_or(u32::MAX)));
        all.filter(|&rule| self.session.is_open(&self.ruleset, rule)).collect()
    }

    fn waited_for(&self, open: &[RuleId]) -> Vec<QuestionFound> {
        let mut decides: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let can_be_asked = |fact: &FactId| self.ruleset.index().fact(*fact).is_some_and(|fact| fact.has_question);
        for &id in open {
            let asked: Vec<FactId> =
                self.session.fact_needs(&self.ruleset, id).into_iter().filter(can_be_asked).collect();
            let Some(rule) = self.ruleset.head(id).filter(|_| !asked.is_empty()) else { continue };
            let targets: Vec<String> = rule.actions.iter().filter_map(|action| self.target_id(action)).collect();
            for fact in asked {
                let name = self.ruleset.fact_name(fact).to_owned();
                decides.entry(name).or_default().extend(targets.iter().cloned());
            }
        }
        for found in &self.outcome.suggestions {
            let fix: &Fix = self.ruleset.fix(found.fix);
            let conditions: Vec<&Condition> = fix.requires.iter().collect();
            for name in self.session.need_names(&self.ruleset, &conditions) {
                decides.entry(name).or_default().insert(fix.info.id.to_string());
            }
        }
        let can_be_asked = |name: &str| self.declared(name).is_some_and(|(_, fact)| fact.ask.is_some());
        let named = decides.into_iter().filter(|(name, _)| can_be_asked(name));
        named.map(|(fact, decides)| QuestionFound { fact, decides: decides.into_iter().collect() }).collect()
    }

    fn declared(&self, name: &str) -> Option<(FactId, &Fact)> {
        let program = self.ruleset.program();
        let id = *program.fact_names.get(name)?;
        Some((id, program.facts.get(id.index())?))
    }

    fn target_id(&self, kind: &ActionKind) -> Option<String> {
        let program = self.ruleset.program();
        match kind {
            ActionKind::Diagnose(problem) | ActionKind::Suspect(problem) => {
                program.problems.get(problem.index()).map(|problem| problem.info.id.to_string())
            }
            ActionKind::Suggest(fix, _) | ActionKind::Avoid(fix) => {
                program.fixes.get(fix.index()).map(|fix| fix.info.id.to_string())
            }
            ActionKind::Conclude(..) => None,
        }
    }

    /// What is left open over all answers (in hundredths of a rule), then how many different outcomes they have.
    fn weight(&self, question: &QuestionFound, open: &[RuleId]) -> Weight {
        let decided = Reverse(question.decides.len());
        let Some((fact, declared)) = self.declared(&question.fact) else {
            return (usize::MAX, Reverse(0), decided);
        };
        let answers = self.answers(fact, &declared.ty, open);
        let outcomes: Vec<Vec<RuleState>> = answers.into_iter().map(|answer| self.after(fact, answer, open)).collect();
        let undecided = |states: &Vec<RuleState>| states.iter().filter(|it| it.strict() == Truth::Unknown).count();
        let left: usize = outcomes.iter().map(undecided).sum();
        let mut different: Vec<&Vec<RuleState>> = Vec::new();
        for outcome in &outcomes {
            if !different.contains(&outcome) {
                different.push(outcome);
            }
        }
        ((left * 100).checked_div(outcomes.len()).unwrap_or(usize::MAX), Reverse(different.len()), decided)
    }

    fn after(&self, fact: FactId, answer: Option<Value>, open: &[RuleId]) -> Vec<RuleState> {
        let mut session = self.session.clone();
        session.change(&self.ruleset, [(fact, answer)], BTreeMap::new());
        open.iter().map(|&rule| session.rule(rule)).collect()
    }

    /// Answers that make a difference: all words of a choice, else values on both sides of each test.
    fn answers(&self, fact: FactId, ty: &Type, open: &[RuleId]) -> Vec<Option<Value>> {
        let mut answers: Vec<Option<Value>> = match ty {
            Type::Bool => [true, false].map(|value| Some(Value::Bool(value))).into(),
            Type::OneOf(words) => words.iter().map(|word| Some(Value::Text(word.clone()))).collect(),
            _ => {
                let current: State = self.session.fact(&self.ruleset, fact);
                let tests = self.tests_of(fact, open);
                let sides = tests.iter().flat_map(|test| [(test, true), (test, false)]);
                sides.flat_map(|(test, holds)| candidates(self, fact, ty, &current, test, holds)).collect()
            }
        };
        let mut seen = BTreeSet::new();
        answers.retain(|answer| seen.insert(answer.clone()));
        answers.truncate(ANSWERS);
        answers
    }

    fn tests_of(&self, fact: FactId, open: &[RuleId]) -> Vec<&Test> {
        let mut tests = Vec::new();
        for rule in open.iter().filter_map(|id| self.ruleset.program().rules.get(id.index())) {
            for condition in std::iter::once(&rule.when).chain(&rule.unless) {
                collect_tests(condition, fact, &mut tests);
            }
        }
        tests
    }
}

fn collect_tests<'c>(condition: &'c Condition, fact: FactId, into: &mut Vec<&'c Test>) {
    match &condition.kind {
        ConditionKind::All(list) | ConditionKind::Any(list) | ConditionKind::AtLeast(_, list) => {
            list.iter().for_each(|part| collect_tests(part, fact, into));
        }
        ConditionKind::Not(inner) | ConditionKind::Quantified(_, _, inner) => collect_tests(inner, fact, into),
        ConditionKind::Test(test) => {
            let reads = test_facts(test).into_iter().any(|read| matches!(read, FactRef::Fact(id) if *id == fact));
            if reads && !into.contains(&test) {
                into.push(test);
            }
        }
    }
}
