//! What a run found: read-only views over the recorded session.

mod fixes;
mod texts;

use crate::evidence::{Evidence, Place};
use crate::facts::{Origin, State};
use crate::ir::{FixId, ProblemSeverity, RuleId};
use crate::outcome::{Outcome, ProblemFound};
use crate::ruleset::Ruleset;
use crate::session::Session;
use crate::value::Value;

pub use crate::explain::NearMiss;
use crate::explain::QuestionFound;
pub use crate::outcome::{Certainty, Notice, Status, WithheldReason};
pub use crate::steps::{Alternative, Shell, StepText};
pub use fixes::{Caution, Suggestion, Withheld};

/// The result of [`Ruleset::diagnose`]: facts, problems, ranked suggestions, what was withheld, and questions.
#[derive(Debug, Clone)]
pub struct Diagnosis {
    pub(crate) ruleset: Ruleset,
    pub(crate) evidence: Evidence,
    pub(crate) session: Session,
    pub(crate) outcome: Outcome,
}

impl Diagnosis {
    /// The ruleset it was made with.
    #[must_use]
    pub const fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// The evidence it was made from.
    #[must_use]
    pub const fn evidence(&self) -> &Evidence {
        &self.evidence
    }

    /// Whether a failure was recognised in the text by its form.
    #[must_use]
    pub fn has_failure(&self) -> bool {
        self.session.texts.failure_span().is_some()
    }

    /// The first line of the failure, for titles; empty without a text.
    #[must_use]
    pub fn headline(&self) -> String {
        let said = |name| self.session.value_named(&self.ruleset, name).map(|value| value.to_string());
        let message = said("error.message").unwrap_or_default();
        let line = message.lines().find(|line| !line.trim().is_empty()).unwrap_or("").trim();
        match said("error.type") {
            Some(ty) if line.is_empty() => ty,
            Some(ty) => format!("{ty}: {line}"),
            None => line.to_owned(),
        }
    }

    /// All facts that are known or known to be none, by name.
    #[must_use]
    pub fn facts(&self) -> Vec<FactView<'_>> {
        self.session
            .listed_facts(&self.ruleset)
            .into_iter()
            .map(|(name, ty, state)| FactView { diagnosis: self, name, ty, state })
            .collect()
    }

    /// The problems, the primary one first.
    #[must_use]
    pub fn problems(&self) -> Vec<ProblemView<'_>> {
        self.outcome
            .problems
            .iter()
            .enumerate()
            .map(|(index, found)| ProblemView { diagnosis: self, found, index })
            .collect()
    }

    /// The fixes to try, in order.
    #[must_use]
    pub fn suggestions(&self) -> Vec<Suggestion<'_>> {
        self.outcome.suggestions.iter().enumerate().map(|(index, found)| Suggestion::new(self, found, index)).collect()
    }

    /// Fixes that rules suggested and that are not offered, with the reason.
    #[must_use]
    pub fn withheld(&self) -> Vec<Withheld<'_>> {
        self.outcome.withheld.iter().map(|found| Withheld::new(self, found)).collect()
    }

    /// What a person could answer, the most useful question first.
    #[must_use]
    pub fn questions(&self) -> Vec<Question<'_>> {
        self.found_questions().into_iter().map(|found| Question { diagnosis: self, found }).collect()
    }

    /// What the reader of the answer should know of how it came about: contradictions, probes that were switched off.
    #[must_use]
    pub fn notices(&self) -> &[Notice] {
        &self.outcome.notices
    }

    /// Whether any fact of this machine supports a problem or suggestion.
    #[must_use]
    pub fn rests_on_probes(&self) -> bool {
        self.outcome.rests_on_probes
    }

    pub(crate) fn rule_name(&self, rule: RuleId) -> &str {
        self.ruleset.program().rules.get(rule.index()).map_or("", |rule| &*rule.name)
    }

    /// The title of a fix; of one that is declared nowhere its id.
    fn fix_title(&self, fix: FixId, lang: &str) -> String {
        let info = &self.ruleset.fix(fix).info;
        if info.declared { self.session.render(&info.title, lang) } else { info.id.to_string() }
    }

    pub(crate) fn places(&self, spans: &[std::ops::Range<usize>]) -> Vec<Place> {
        spans.iter().filter_map(|span| self.evidence.place(span)).collect()
    }

    /// The reasons of the actions that hold, in this language, each once.
    fn because(&self, actions: &[(RuleId, usize)], lang: &str) -> Vec<String> {
        let mut texts = Vec::new();
        for &(rule, action) in actions {
            if let Some(text) = self.because_of(rule, action, lang)
                && !texts.contains(&text)
            {
                texts.push(text);
            }
        }
        texts
    }

    fn because_of(&self, rule: RuleId, action: usize, lang: &str) -> Option<String> {
        let text = self.ruleset.program().rules.get(rule.index())?.actions.get(action)?.because.as_ref()?;
        let said = self.session.render_known(text, lang)?;
        let probed = self.session.rests_on_probe(&self.ruleset, rule);
        Some(if probed { crate::words::on_this_computer(&said, lang) } else { said })
    }
}

/// A fact that is known, or known to be none.
#[derive(Debug, Clone, Copy)]
pub struct FactView<'a> {
    diagnosis: &'a Diagnosis,
    name: &'a str,
    ty: &'a crate::value::Type,
    state: &'a State,
}

impl<'a> FactView<'a> {
    /// Its full name.
    #[must_use]
    pub const fn name(&self) -> &'a str {
        self.name
    }

    /// Its value; `None` where it is known to have none.
    #[must_use]
    pub const fn value(&self) -> Option<&'a Value> {
        self.state.value()
    }

    /// Its type.
    #[must_use]
    pub const fn ty(&self) -> &'a crate::value::Type {
        self.ty
    }

    /// Where it came from.
    #[must_use]
    pub fn origin(&self) -> Origin {
        self.state.provenance().map_or(Origin::Rule, |p| p.origin)
    }

    /// Where it was read in the input.
    #[must_use]
    pub fn evidence(&self) -> Vec<Place> {
        self.state.provenance().map_or_else(Vec::new, |p| self.diagnosis.places(&p.spans))
    }
}

/// A problem that came up.
#[derive(Debug, Clone, Copy)]
pub struct ProblemView<'a> {
    diagnosis: &'a Diagnosis,
    found: &'a ProblemFound,
    index: usize,
}

impl<'a> ProblemView<'a> {
    fn entry(&self) -> Option<&'a crate::ir::Problem> {
        self.found.problem.and_then(|id| self.diagnosis.ruleset.program().problems.get(id.index()))
    }

    /// Its id; `unnamed` for what only fixes were suggested for.
    #[must_use]
    pub fn id(&self) -> &'a str {
        self.entry().map_or("unnamed", |problem| &*problem.info.id)
    }

    /// Its title in a language, or else in its first.
    #[must_use]
    pub fn title(&self, lang: &str) -> String {
        match self.entry() {
            Some(problem) if problem.info.declared => self.diagnosis.session.render(&problem.info.title, lang),
            Some(problem) => problem.info.id.to_string(),
            None => self.diagnosis.headline(),
        }
    }

    /// Its summary.
    #[must_use]
    pub fn summary(&self, lang: &str) -> Option<String> {
        self.entry()?.info.summary.as_ref().map(|text| self.diagnosis.session.render(text, lang))
    }

    /// Its cause.
    #[must_use]
    pub fn cause(&self, lang: &str) -> Option<String> {
        self.entry()?.cause.as_ref().map(|text| self.diagnosis.session.render(text, lang))
    }

    /// Certain or possible.
    #[must_use]
    pub const fn certainty(&self) -> Certainty {
        self.found.certainty
    }

    /// How bad it is.
    #[must_use]
    pub fn severity(&self) -> ProblemSeverity {
        self.entry().map_or(ProblemSeverity::Failure, |problem| problem.severity)
    }

    /// Whether it is the one to treat first.
    #[must_use]
    pub const fn is_primary(&self) -> bool {
        self.index == 0
    }

    /// The problem that is the exact form or the cause of this one.
    #[must_use]
    pub fn covered_by(&self) -> Option<&'a str> {
        let id = self.found.covered_by?;
        self.diagnosis.ruleset.program().problems.get(id.index()).map(|problem| &*problem.info.id)
    }

    /// Why, in a language.
    #[must_use]
    pub fn because(&self, lang: &str) -> Vec<String> {
        self.diagnosis.because(&self.found.actions, lang)
    }

    /// The rules that diagnosed or suspect it.
    #[must_use]
    pub fn rules(&self) -> Vec<&'a str> {
        rule_names(self.diagnosis, &self.found.actions)
    }

    /// The places in the input behind it.
    #[must_use]
    pub fn evidence(&self) -> Vec<Place> {
        self.diagnosis.places(&self.found.evidence)
    }

    /// The fewest lines between one of those places and the failure; `None` without a place.
    #[must_use]
    pub fn distance(&self) -> Option<u32> {
        (self.found.distance != u32::MAX).then_some(self.found.distance)
    }

    /// The facts that would decide a possible problem.
    #[must_use]
    pub fn needs(&self) -> &'a [String] {
        &self.found.needs
    }
}

/// A question to a person.
#[derive(Debug, Clone)]
pub struct Question<'a> {
    diagnosis: &'a Diagnosis,
    found: QuestionFound,
}

impl Question<'_> {
    /// The fact it asks for.
    #[must_use]
    pub fn fact(&self) -> &str {
        &self.found.fact
    }

    fn declared(&self) -> Option<&crate::ir::Fact> {
        let program = self.diagnosis.ruleset.program();
        program.facts.get(program.fact_names.get(&*self.found.fact)?.index())
    }

    /// The type of the fact, and so of the answer.
    #[must_use]
    pub fn ty(&self) -> Option<&crate::value::Type> {
        self.declared().map(|fact| &fact.ty)
    }

    /// The question.
    #[must_use]
    pub fn text(&self, lang: &str) -> String {
        let ask = self.declared().and_then(|fact| fact.ask.as_ref());
        ask.map_or_else(|| format!("{}?", self.found.fact), |text| self.diagnosis.session.render(text, lang))
    }

    /// What the answer decides: fixes and problems.
    #[must_use]
    pub fn decides(&self) -> &[String] {
        &self.found.decides
    }
}

fn rule_names<'a>(diagnosis: &'a Diagnosis, actions: &[(RuleId, usize)]) -> Vec<&'a str> {
    let mut names = Vec::new();
    for &(rule, _) in actions {
        let name = diagnosis.rule_name(rule);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
