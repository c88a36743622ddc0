//! Fixes as a person or program sees them: those to try, and those that are not offered.

use std::fmt;

use super::{Diagnosis, rule_names};
use crate::explanation::Truth;
use crate::ir::{Citation, Risk};
use crate::outcome::{Status, SuggestionFound, WithheldFound, WithheldReason};
use crate::steps::StepText;

/// A fix to try.
#[derive(Debug, Clone, Copy)]
pub struct Suggestion<'a> {
    diagnosis: &'a Diagnosis,
    found: &'a SuggestionFound,
    index: usize,
}

impl<'a> Suggestion<'a> {
    pub(super) const fn new(diagnosis: &'a Diagnosis, found: &'a SuggestionFound, index: usize) -> Self {
        Self { diagnosis, found, index }
    }

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
    pub(super) const fn new(diagnosis: &'a Diagnosis, found: &'a WithheldFound) -> Self {
        Self { diagnosis, found }
    }

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

impl fmt::Display for WithheldReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
