//! The tests beside the rules: runs them, and says what was not as they expect.

use crate::coverage::Collector;
pub use crate::coverage::{Coverage, Covered};
use crate::diagnosis::Diagnosis;
use crate::evidence::Evidence;
use crate::explanation::Explanation;
use crate::facts::{Nobody, State};
use crate::given::Given;
use crate::ir::{Expectation, FixId, GivenText, ProblemId, RuleTest, Site, StateKind};
use crate::outcome::{Certainty, Status, WithheldReason};
use crate::ruleset::Ruleset;
use crate::session::ordering;

/// A text that a test gives and a caller turns into evidence, since the engine reads neither files nor pastes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestText<'a> {
    /// A text as pasted.
    Text(&'a str),
    /// A file, by its path from the rule file with this name.
    File {
        /// The path as the test has it.
        path: &'a str,
        /// The rule file.
        beside: &'a str,
    },
}

/// Turns the texts of a test, in their order, into one evidence; the error is said as the test's failure.
pub type ReadTexts<'a> = &'a mut dyn FnMut(&[TestText<'_>]) -> Result<Evidence, String>;

/// How a test went.
#[derive(Debug, Clone)]
pub struct TestReport {
    /// Its name.
    pub name: String,
    /// Where it stands.
    pub site: Site,
    /// What was not as expected; empty if it passed.
    pub failures: Vec<TestFailure>,
}

/// An expectation that did not come true.
#[derive(Debug, Clone)]
pub struct TestFailure {
    /// Where the expectation stands.
    pub site: Site,
    /// What was expected and what came instead.
    pub message: String,
    /// The proof of what came up, or why it did not.
    pub explanation: Option<Explanation>,
}

impl Ruleset {
    /// Runs the tests beside the rules, in order of declaration.
    pub fn run_tests(&self, read: ReadTexts<'_>) -> (Vec<TestReport>, Coverage) {
        let mut coverage = Collector::new(self);
        let mut reports = Vec::new();
        for test in self.program().tests.iter() {
            let failures = match self.run_test(test, read) {
                Ok(diagnosis) => {
                    coverage.see(&diagnosis);
                    Checker { diagnosis: &diagnosis }.failures(test)
                }
                Err(message) => vec![TestFailure { site: test.site, message, explanation: None }],
            };
            reports.push(TestReport { name: test.name.to_string(), site: test.site, failures });
        }
        (reports, coverage.finish())
    }

    fn run_test(&self, test: &RuleTest, read: ReadTexts<'_>) -> Result<Diagnosis, String> {
        let beside = self.program().sources.get(test.site.source.0 as usize).map_or("", |source| &*source.name);
        let texts: Vec<TestText<'_>> = test
            .texts
            .iter()
            .map(|text| match text {
                GivenText::Error(text) | GivenText::Log(text) => TestText::Text(text),
                GivenText::LogFile(path) => TestText::File { path, beside },
            })
            .collect();
        let evidence = if texts.is_empty() { Evidence::default() } else { read(&texts)? };
        let mut given = Given::new();
        for (fact, value) in &test.facts {
            given.set_fact(self.program(), *fact, value.clone());
        }
        test.absent.iter().for_each(|record| given.set_absent(*record));
        for (record, fields) in &test.elements {
            given.add_element(*record, fields.iter().cloned().collect());
        }
        self.diagnose_with(&evidence, &given, &mut Nobody).map_err(|error| error.to_string())
    }
}

struct Checker<'a> {
    diagnosis: &'a Diagnosis,
}

impl Checker<'_> {
    fn failures(&self, test: &RuleTest) -> Vec<TestFailure> {
        let failed = test.expectations.iter().filter_map(|(expectation, site)| {
            let (message, about) = self.check(expectation)?;
            let explanation = about.and_then(|id| self.diagnosis.why_not(&id, "en"));
            Some(TestFailure { site: *site, message, explanation })
        });
        failed.collect()
    }

    /// What is wrong, and the id that the proof is of.
    fn check(&self, expectation: &Expectation) -> Option<(String, Option<String>)> {
        match expectation {
            Expectation::Problem(id) => self.problem(*id, Some(Certainty::Certain)),
            Expectation::PossibleProblem(id) => self.problem(*id, Some(Certainty::Possible)),
            Expectation::NotProblem(id) => self.problem(*id, None),
            Expectation::NoProblem => self.no_problem(),
            Expectation::PossibleFix(fix) => self.suggested(*fix, Some(Status::Possible), false),
            Expectation::Suggest { fix, first } => self.suggested(*fix, None, *first),
            Expectation::NotSuggest(fix) => self.not_suggested(*fix),
            Expectation::OnlySuggest(fixes) => self.only(fixes),
            Expectation::Avoid(fix) => self.avoided(*fix),
            Expectation::FactIs(fact, value) => {
                let state = self.diagnosis.session.fact(&self.diagnosis.ruleset, *fact);
                let name = self.diagnosis.ruleset.fact_name(*fact).to_owned();
                let is = state.value().is_some_and(|own| ordering(own, value).is_some_and(std::cmp::Ordering::is_eq));
                (!is).then(|| (format!("`{name}` is {}, not {value}", said(&state)), Some(name)))
            }
            Expectation::FactState(fact, kind) => {
                let state = self.diagnosis.session.fact(&self.diagnosis.ruleset, *fact);
                let name = self.diagnosis.ruleset.fact_name(*fact).to_owned();
                let is = matches!(
                    (&state, kind),
                    (State::Known(..), StateKind::Known)
                        | (State::None(_), StateKind::None)
                        | (State::Unknown(_), StateKind::Unknown)
                );
                (!is).then(|| (format!("`{name}` is {}", said(&state)), Some(name)))
            }
        }
    }

    fn problem(&self, id: ProblemId, wanted: Option<Certainty>) -> Option<(String, Option<String>)> {
        let name = self.diagnosis.ruleset.program().problems.get(id.index())?.info.id.to_string();
        let found =
            self.diagnosis.outcome.problems.iter().find(|found| found.problem == Some(id)).map(|found| found.certainty);
        let message = match (found, wanted) {
            (found, wanted) if found == wanted => return None,
            (Some(found), _) => format!("problem `{name}` is {}", found.as_str()),
            (None, _) => format!("problem `{name}` did not come up; {}", self.problems_that_did()),
        };
        Some((message, Some(name)))
    }

    fn problems_that_did(&self) -> String {
        let ids: Vec<String> = self.diagnosis.problems().iter().map(|problem| format!("`{}`", problem.id())).collect();
        if ids.is_empty() { "none did".to_owned() } else { format!("{} did", ids.join(", ")) }
    }

    fn no_problem(&self) -> Option<(String, Option<String>)> {
        let mut certain = self.diagnosis.outcome.problems.iter().filter(|found| found.problem.is_some());
        let found = certain.find(|found| found.certainty == Certainty::Certain)?.problem?;
        let name = self.diagnosis.ruleset.program().problems.get(found.index())?.info.id.to_string();
        Some((format!("problem `{name}` is certain"), Some(name)))
    }

    fn suggested(&self, fix: FixId, wanted: Option<Status>, first: bool) -> Option<(String, Option<String>)> {
        let name = self.diagnosis.ruleset.fix(fix).info.id.to_string();
        let suggestions = &self.diagnosis.outcome.suggestions;
        let Some(rank) = suggestions.iter().position(|found| found.fix == fix) else {
            return Some((format!("fix `{name}` is not suggested; {}", self.fixes_that_are()), Some(name)));
        };
        let status = suggestions.get(rank)?.status;
        if wanted.is_some_and(|wanted| wanted != status) {
            return Some((format!("fix `{name}` is {}", status.as_str()), Some(name)));
        }
        (first && rank > 0)
            .then(|| (format!("fix `{name}` has rank {}; {}", rank + 1, self.fixes_that_are()), Some(name)))
    }

    fn fixes_that_are(&self) -> String {
        let ids: Vec<String> = self.diagnosis.suggestions().iter().map(|found| format!("`{}`", found.fix())).collect();
        if ids.is_empty() { "none is".to_owned() } else { format!("in order: {}", ids.join(", ")) }
    }

    fn not_suggested(&self, fix: FixId) -> Option<(String, Option<String>)> {
        let found = self.diagnosis.outcome.suggestions.iter().find(|found| found.fix == fix)?;
        let name = self.diagnosis.ruleset.fix(fix).info.id.to_string();
        Some((format!("fix `{name}` is {}", found.status.as_str()), Some(name)))
    }

    fn only(&self, wanted: &[FixId]) -> Option<(String, Option<String>)> {
        let found: Vec<FixId> = self.diagnosis.outcome.suggestions.iter().map(|found| found.fix).collect();
        let same = found.len() == wanted.len() && wanted.iter().all(|fix| found.contains(fix));
        (!same).then(|| (format!("other fixes are suggested; {}", self.fixes_that_are()), None))
    }

    fn avoided(&self, fix: FixId) -> Option<(String, Option<String>)> {
        let name = self.diagnosis.ruleset.fix(fix).info.id.to_string();
        let found = self.diagnosis.outcome.withheld.iter().find(|found| found.fix == fix);
        match found {
            Some(found) if found.reason == WithheldReason::Avoided => None,
            Some(found) => Some((format!("fix `{name}` is withheld as {}", found.reason.as_str()), Some(name))),
            None => Some((format!("fix `{name}` is not avoided"), Some(name))),
        }
    }
}

fn said(state: &State) -> String {
    match state {
        State::Known(value, _) => value.to_string(),
        State::None(_) => "none".to_owned(),
        State::Unknown(reason) => format!("unknown ({reason})"),
    }
}
