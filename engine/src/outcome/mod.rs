//! What a session comes to: problems in order, ranked suggestions, and what is withheld and why.

mod fixes;
mod problems;

use std::ops::Range;

use crate::facts::Reason;
use crate::ir::{FixId, ProblemId, RuleId};
use crate::read::Standing;
use crate::ruleset::Ruleset;
use crate::session::{Probing, Session};
use crate::words;

/// The outcome of a session.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// In order, the primary one first.
    pub problems: Vec<ProblemFound>,
    /// In order of rank.
    pub suggestions: Vec<SuggestionFound>,
    /// In order of declaration.
    pub withheld: Vec<WithheldFound>,
    /// What a reader should know.
    pub notices: Vec<Notice>,
    /// Whether a fact of this machine supports anything of it.
    pub rests_on_probes: bool,
}

/// Certain or possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Certainty {
    /// A rule holds.
    Certain,
    /// A rule may hold, or only suspects.
    Possible,
}

impl Certainty {
    /// The word of the contract.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Certain => "certain",
            Self::Possible => "possible",
        }
    }
}

/// Recommended or possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// All that it depends on is known and holds.
    Recommended,
    /// It depends on something not known, or its problem is only suspected.
    Possible,
}

impl Status {
    /// The word of the contract.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Recommended => "recommended",
            Self::Possible => "possible",
        }
    }
}

/// Why a fix is not offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WithheldReason {
    /// A rule says not to.
    Avoided,
    /// It is done already.
    InEffect,
    /// What it requires is not so.
    NotApplicable,
    /// It was tried and did not help.
    Tried,
}

impl WithheldReason {
    /// The word of the contract.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Avoided => "avoided",
            Self::InEffect => "in-effect",
            Self::NotApplicable => "not-applicable",
            Self::Tried => "tried",
        }
    }
}

/// An action of a rule: the rule and the index of the action in it.
pub type ActionRef = (RuleId, usize);

/// A problem that came up.
#[derive(Debug, Clone)]
pub struct ProblemFound {
    /// `None` is the one that suggestions without a problem share.
    pub problem: Option<ProblemId>,
    /// Certain or possible.
    pub certainty: Certainty,
    /// The problem that covers it.
    pub covered_by: Option<ProblemId>,
    /// The actions that diagnosed or suspect it.
    pub actions: Vec<ActionRef>,
    /// Places in the clean text, the nearest to the failure first.
    pub evidence: Vec<Range<usize>>,
    /// Lines between the evidence and the failure.
    pub distance: u32,
    /// The facts that would decide it.
    pub needs: Vec<String>,
}

/// A suggestion.
#[derive(Debug, Clone)]
pub struct SuggestionFound {
    /// The fix.
    pub fix: FixId,
    /// The problem it is listed under.
    pub problem: Option<ProblemId>,
    /// Recommended or possible.
    pub status: Status,
    /// The smallest of that status.
    pub priority: u8,
    /// How many single tests hold behind it.
    pub tests: usize,
    /// The actions that suggest it.
    pub actions: Vec<ActionRef>,
    /// The facts that would make it certain.
    pub needs: Vec<String>,
    /// When not to do it.
    pub cautions: Vec<CautionFound>,
    /// Fixes of its group that it stands for.
    pub alternatives: Vec<FixId>,
}

/// When not to do something.
#[derive(Debug, Clone)]
pub struct CautionFound {
    /// The rule.
    pub rule: RuleId,
    /// The undecided `avoid`; `None` for an undecided exception of the rule.
    pub action: Option<usize>,
    /// The facts that would decide it.
    pub needs: Vec<String>,
}

/// A fix that is not offered.
#[derive(Debug, Clone)]
pub struct WithheldFound {
    /// The fix.
    pub fix: FixId,
    /// Why.
    pub reason: WithheldReason,
    /// The actions that avoid it, or suggested it.
    pub actions: Vec<ActionRef>,
}

/// What a reader of the answer should know of how it came about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// The text is of another machine, so this one was not asked.
    OtherMachine(String),
    /// Failures below the one the text is about.
    LaterFailures {
        /// How many.
        count: usize,
        /// Where the first stands, as `NAME:LINE`.
        first: String,
    },
    /// Two places of the text state different values of a fact; the first is used.
    Disagreement {
        /// The fact.
        fact: String,
        /// The value in use.
        used: String,
        /// The other value.
        other: String,
    },
}

impl Notice {
    /// The notice in a language.
    #[must_use]
    pub fn text(&self, lang: &str) -> String {
        words::notice(self, lang)
    }
}

impl Outcome {
    /// The outcome of a session.
    #[must_use]
    pub fn of(ruleset: &Ruleset, session: &Session) -> Self {
        let mut problems = problems::found(ruleset, session);
        let (suggestions, withheld) = fixes::found(ruleset, session, &problems);
        if suggestions.iter().any(|suggestion| suggestion.problem.is_none()) {
            problems.push(unnamed(&suggestions));
        }
        let rests_on_probes = problems
            .iter()
            .flat_map(|problem| &problem.actions)
            .chain(suggestions.iter().flat_map(|s| &s.actions))
            .any(|(rule, _)| session.rests_on_probe(ruleset, *rule));
        Self { problems, suggestions, withheld, notices: notices(ruleset, session), rests_on_probes }
    }
}

/// The problem that suggestions without one share.
fn unnamed(suggestions: &[SuggestionFound]) -> ProblemFound {
    let shared = || suggestions.iter().filter(|suggestion| suggestion.problem.is_none());
    let certain = shared().any(|suggestion| suggestion.status == Status::Recommended);
    ProblemFound {
        problem: None,
        certainty: if certain { Certainty::Certain } else { Certainty::Possible },
        covered_by: None,
        actions: shared().flat_map(|suggestion| suggestion.actions.iter().copied()).collect(),
        evidence: Vec::new(),
        distance: u32::MAX,
        needs: Vec::new(),
    }
}

fn notices(ruleset: &Ruleset, session: &Session) -> Vec<Notice> {
    let mut notices = Vec::new();
    if let Probing::Off(Reason::Contradicted(what)) = session.probing() {
        notices.push(Notice::OtherMachine(what.clone()));
    }
    notices.extend(later_failures(session));
    for disagreement in session.texts.disagreements() {
        notices.push(Notice::Disagreement {
            fact: ruleset.fact_name(disagreement.fact).to_owned(),
            used: disagreement.taken.0.to_string(),
            other: disagreement.other.0.to_string(),
        });
    }
    notices
}

fn later_failures(session: &Session) -> Option<Notice> {
    let evidence = session.texts.evidence();
    let later = session.texts.others().iter().filter(|other| other.standing == Standing::Follows);
    let spans: Vec<_> =
        later.filter_map(|other| evidence.failures().get(other.index)).map(|failure| &failure.span).collect();
    let place = evidence.place(spans.first()?)?;
    Some(Notice::LaterFailures { count: spans.len(), first: format!("{}:{}", place.input, place.line) })
}
