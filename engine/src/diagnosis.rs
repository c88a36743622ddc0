//! What a run found: read-only views over the recorded session.

use std::fmt;

use crate::evidence::{Evidence, Place};
use crate::explanation::Truth;
use crate::facts::{Origin, State};
use crate::ir::{Citation, FixId, ProblemSeverity, Risk, RuleId};
use crate::outcome::{Outcome, ProblemFound, SuggestionFound, WithheldFound};
use crate::ruleset::Ruleset;
use crate::session::Session;
use crate::value::Value;

pub use crate::outcome::{Certainty, Notice, Status, WithheldReason};
pub use crate::steps::{Alternative, Shell, StepText};

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
        self.outcome
            .suggestions
            .iter()
            .enumerate()
            .map(|(index, found)| Suggestion { diagnosis: self, found, index })
            .collect()
    }

    /// Fixes that rules suggested and that are not offered, with the reason.
    #[must_use]
    pub fn withheld(&self) -> Vec<Withheld<'_>> {
        self.outcome.withheld.iter().map(|found| Withheld { diagnosis: self, found }).collect()
    }

    /// What a person could answer, the most useful question first.
    #[must_use]
    pub fn questions(&self) -> Vec<Question<'_>> {
        self.outcome.questions.iter().map(|found| Question { diagnosis: self, found }).collect()
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

    /// The facts that would decide a possible problem.
    #[must_use]
    pub fn needs(&self) -> &'a [String] {
        &self.found.needs
    }
}

/// A fix to try.
#[derive(Debug, Clone, Copy)]
pub struct Suggestion<'a> {
    diagnosis: &'a Diagnosis,
    found: &'a SuggestionFound,
    index: usize,
}

impl<'a> Suggestion<'a> {
    fn entry(&self) -> &'a crate::ir::Fix {
        self.diagnosis.ruleset.fix(self.found.fix)
    }

    fn text(&self, text: Option<&crate::ir::Text>, lang: &str) -> Option<String> {
        text.map(|text| self.diagnosis.session.render(text, lang))
    }

    /// Its place in the order, from 1.
    #[must_use]
    pub const fn rank(&self) -> usize {
        self.index + 1
    }

    /// The id of the fix.
    #[must_use]
    pub fn fix(&self) -> &'a str {
        &self.entry().info.id
    }

    /// Its title.
    #[must_use]
    pub fn title(&self, lang: &str) -> String {
        self.diagnosis.fix_title(self.found.fix, lang)
    }

    /// Recommended or possible.
    #[must_use]
    pub const fn status(&self) -> Status {
        self.found.status
    }

    /// 1 is tried first.
    #[must_use]
    pub const fn priority(&self) -> u8 {
        self.found.priority
    }

    /// The problem it is listed under.
    #[must_use]
    pub fn problem(&self) -> &'a str {
        let id = self.found.problem.and_then(|id| self.diagnosis.ruleset.program().problems.get(id.index()));
        id.map_or("unnamed", |problem| &*problem.info.id)
    }

    /// Why.
    #[must_use]
    pub fn because(&self, lang: &str) -> Vec<String> {
        self.diagnosis.because(&self.found.actions, lang)
    }

    /// The rules that suggest it.
    #[must_use]
    pub fn rules(&self) -> Vec<&'a str> {
        rule_names(self.diagnosis, &self.found.actions)
    }

    /// The facts that would make a possible suggestion certain.
    #[must_use]
    pub fn needs(&self) -> &'a [String] {
        &self.found.needs
    }

    /// How risky it is.
    #[must_use]
    pub fn risk(&self) -> Risk {
        self.entry().risk
    }

    /// What it costs.
    #[must_use]
    pub fn risk_note(&self, lang: &str) -> Option<String> {
        self.text(self.entry().risk_note.as_ref(), lang)
    }

    /// How to do it on this install.
    #[must_use]
    pub fn steps(&self, lang: &str) -> Vec<StepText> {
        crate::steps::render(&self.diagnosis.ruleset, &self.diagnosis.session, self.found.fix, lang)
    }

    /// How to see that it worked.
    #[must_use]
    pub fn verify(&self, lang: &str) -> Option<String> {
        self.text(self.entry().verify.as_ref(), lang)
    }

    /// How to take it back.
    #[must_use]
    pub fn undo(&self, lang: &str) -> Option<String> {
        self.text(self.entry().undo.as_ref(), lang)
    }

    /// When not to do it, as far as that is still open.
    #[must_use]
    pub fn cautions(&self, lang: &str) -> Vec<Caution> {
        self.found
            .cautions
            .iter()
            .map(|caution| Caution { text: self.caution_text(caution, lang), needs: caution.needs.clone() })
            .collect()
    }

    fn caution_text(&self, caution: &crate::outcome::CautionFound, lang: &str) -> String {
        let because = caution.action.and_then(|action| self.diagnosis.because_of(caution.rule, action, lang));
        let rule = self.diagnosis.ruleset.program().rules.get(caution.rule.index());
        if let (Some(because), Some(rule)) = (&because, rule) {
            return crate::words::holds_if(because, &self.diagnosis.spoken(&rule.when, lang), lang);
        }
        because.unwrap_or_else(|| {
            let unless = rule.and_then(|rule| rule.unless.as_ref().or(Some(&rule.when)));
            let condition = unless.map_or_else(String::new, |condition| self.diagnosis.spoken(condition, lang));
            crate::words::not_if(&condition, lang)
        })
    }

    /// Fixes of the same group that it stands for.
    #[must_use]
    pub fn alternatives(&self) -> Vec<&'a str> {
        self.found.alternatives.iter().map(|&fix| &*self.diagnosis.ruleset.fix(fix).info.id).collect()
    }

    /// Where it was learnt, by trust.
    #[must_use]
    pub fn sources(&self) -> &'a [Citation] {
        &self.entry().info.sources
    }

    /// When it was last checked.
    #[must_use]
    pub fn verified(&self) -> Option<&'a str> {
        self.entry().info.verified.as_deref()
    }
}

/// When not to do something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caution {
    /// In words.
    pub text: String,
    /// The facts that would decide it.
    pub needs: Vec<String>,
}

/// A fix that is not offered.
#[derive(Debug, Clone, Copy)]
pub struct Withheld<'a> {
    diagnosis: &'a Diagnosis,
    found: &'a WithheldFound,
}

impl<'a> Withheld<'a> {
    /// The id of the fix.
    #[must_use]
    pub fn fix(&self) -> &'a str {
        &self.diagnosis.ruleset.fix(self.found.fix).info.id
    }

    /// Its title.
    #[must_use]
    pub fn title(&self, lang: &str) -> String {
        self.diagnosis.fix_title(self.found.fix, lang)
    }

    /// Why not.
    #[must_use]
    pub const fn reason(&self) -> WithheldReason {
        self.found.reason
    }

    /// Why not, in words.
    #[must_use]
    pub fn because(&self, lang: &str) -> Vec<String> {
        let (ruleset, session) = (&self.diagnosis.ruleset, &self.diagnosis.session);
        let fix = ruleset.fix(self.found.fix);
        match self.found.reason {
            WithheldReason::Avoided | WithheldReason::Tried => self.diagnosis.because(&self.found.actions, lang),
            WithheldReason::InEffect => {
                crate::steps::changes(fix).map(|change| crate::words::is_set(&change, lang)).collect()
            }
            WithheldReason::NotApplicable => fix
                .requires
                .iter()
                .filter(|condition| session.holds(ruleset, condition) == Truth::False)
                .map(|condition| crate::words::needs(&self.diagnosis.spoken(condition, lang), lang))
                .collect(),
        }
    }

    /// The rules that avoid it, or suggested it.
    #[must_use]
    pub fn rules(&self) -> Vec<&'a str> {
        rule_names(self.diagnosis, &self.found.actions)
    }
}

/// A question to a person.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    diagnosis: &'a Diagnosis,
    found: &'a crate::outcome::QuestionFound,
}

impl<'a> Question<'a> {
    /// The fact it asks for.
    #[must_use]
    pub fn fact(&self) -> &'a str {
        &self.found.fact
    }

    /// The question.
    #[must_use]
    pub fn text(&self, lang: &str) -> String {
        let fact = self.diagnosis.ruleset.program().fact_names.get(&*self.found.fact);
        let fact = fact.and_then(|id| self.diagnosis.ruleset.program().facts.get(id.index()));
        let ask = fact.and_then(|fact| fact.ask.as_ref());
        ask.map_or_else(|| format!("{}?", self.found.fact), |text| self.diagnosis.session.render(text, lang))
    }

    /// What the answer decides: fixes and problems.
    #[must_use]
    pub fn decides(&self) -> &'a [String] {
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

impl fmt::Display for WithheldReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
