//! Problems, fixes and launchers: what is said to people.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Condition, FactRef, PackId, ProblemId, Site};

/// A text for people in several languages.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Text {
    /// Language and pieces, the base language first; empty for no text.
    pub languages: Vec<(Arc<str>, Vec<Piece>)>,
}

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Piece {
    /// Itself.
    Literal(Arc<str>),
    /// The value of a fact.
    Fact(FactRef),
    /// A slot of a launcher's template: `flag`, `name`, `value`, `args`, `set`.
    Slot(Arc<str>),
}

/// Where something was learnt.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Citation {
    /// A word of the pack's order of trust.
    pub kind: Arc<str>,
    /// What it is.
    pub title: Arc<str>,
    /// Where it is.
    pub url: Option<Arc<str>>,
}

/// What problems and fixes have in common.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct EntryInfo {
    /// Its id.
    pub id: Arc<str>,
    /// Whether it is declared, or only named.
    pub declared: bool,
    /// Its pack, if declared.
    pub pack: Option<PackId>,
    /// Where it is declared (or first named).
    pub site: Site,
    /// Its title.
    pub title: Text,
    /// In short.
    pub summary: Option<Text>,
    /// Words to find it by.
    pub keywords: Vec<Arc<str>>,
    /// Related ids.
    pub related: Vec<Arc<str>>,
    /// Sources, sorted by trust.
    pub sources: Vec<Citation>,
    /// `2026-09-26`
    pub verified: Option<Arc<str>>,
    /// What is not verified.
    pub unverified: Option<Text>,
}

/// How bad a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum ProblemSeverity {
    /// Something failed.
    #[default]
    Failure,
    /// Something will fail, or is slower than it need be.
    Warning,
    /// Worth knowing.
    Note,
}

/// A problem.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Problem {
    /// Id, title, sources, …
    pub info: EntryInfo,
    /// A word: `hardware`, …
    pub category: Option<Arc<str>>,
    /// How bad it is.
    pub severity: ProblemSeverity,
    /// What happens.
    pub cause: Option<Text>,
    /// What this is the exact form or the cause of.
    pub supersedes: Vec<ProblemId>,
}

/// How risky a fix is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum Risk {
    /// Nothing can be lost.
    #[default]
    Low,
    /// Something may stop working, and can be undone.
    Medium,
    /// Something can be lost.
    High,
}

/// A fix: one change.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Fix {
    /// Id, title, sources, …
    pub info: EntryInfo,
    /// False: it does not apply.
    pub requires: Vec<Condition>,
    /// Of one group, the best-ranked is offered.
    pub exclusive: Option<Arc<str>>,
    /// How to do it.
    pub steps: Vec<Step>,
    /// How risky it is.
    pub risk: Risk,
    /// What it costs.
    pub risk_note: Option<Text>,
    /// How to see that it worked.
    pub verify: Option<Text>,
    /// How to take it back.
    pub undo: Option<Text>,
}

/// A step of a fix.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Step {
    /// Where it stands.
    pub site: Site,
    /// What to do.
    pub kind: StepKind,
    /// Only then.
    pub when: Option<Condition>,
}

/// What to do.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum StepKind {
    /// `flag --x VALUE instead of --y`
    Flag {
        /// With its dashes.
        flag: Arc<str>,
        /// Its value.
        value: Option<Arc<str>>,
        /// Flags to take out for it.
        instead_of: Vec<Arc<str>>,
    },
    /// `flag off --x`
    FlagOff(Vec<Arc<str>>),
    /// `env NAME = VALUE`
    Env {
        /// The variable.
        name: Arc<str>,
        /// Its value.
        value: Arc<str>,
    },
    /// `env off NAME`
    EnvOff(Arc<str>),
    /// `via TEMPLATE "…"`
    Via {
        /// A template of launchers.
        template: Arc<str>,
        /// What it is used with.
        args: Text,
    },
    /// `run "…"`
    Run(Text),
    /// `do "…"`
    Do(Text),
}

/// How a kind of install takes changes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Launcher {
    /// Its id: a value of the fact `install`.
    pub id: Arc<str>,
    /// Its title.
    pub title: Text,
    /// Its templates, in the order written; of one name the first whose condition holds.
    pub templates: Vec<Template>,
    /// Its pack.
    pub pack: PackId,
    /// Where it is declared.
    pub site: Site,
}

/// A template of a launcher.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Template {
    /// `flag`, `env`, `pip`, …
    pub name: Arc<str>,
    /// The text with slots.
    pub text: Text,
    /// Only then.
    pub when: Option<Condition>,
}
