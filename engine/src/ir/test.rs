//! The tests beside the rules.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{FactId, FixId, PackId, ProblemId, RecordId, Site, StateKind};
use crate::value::Value;

/// A test beside the rules.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RuleTest {
    /// Its name.
    pub name: Arc<str>,
    /// Its pack.
    pub pack: PackId,
    /// Where it is declared.
    pub site: Site,
    /// Facts given; `None` is `is none`.
    pub facts: Vec<(FactId, Option<Value>)>,
    /// Elements given: record and fields.
    pub elements: Vec<GivenElement>,
    /// Records given as having no elements: `given gpu is none`.
    pub absent: Vec<RecordId>,
    /// Texts given, in order.
    pub texts: Vec<GivenText>,
    /// What is expected, and where it says so.
    pub expectations: Vec<(Expectation, Site)>,
}

/// An element that a test gives: its record, and its fields.
pub type GivenElement = (RecordId, Vec<(FactId, Option<Value>)>);

/// A text a test gives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum GivenText {
    /// `given error "…"`: the failure's text.
    Error(Arc<str>),
    /// `given log "…"`: a text as pasted.
    Log(Arc<str>),
    /// `given log from "path"`: a file beside the rule file.
    LogFile(Arc<str>),
}

/// What a test expects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Expectation {
    /// Is certain.
    Problem(ProblemId),
    /// Does not come up, not even as possible.
    NotProblem(ProblemId),
    /// No certain problem at all.
    NoProblem,
    /// Comes up as possible.
    PossibleProblem(ProblemId),
    /// Comes up as possible.
    PossibleFix(FixId),
    /// Is suggested, recommended or possible; first of all if `first`.
    Suggest {
        /// The fix.
        fix: FixId,
        /// Whether it must be rank 1.
        first: bool,
    },
    /// Is not suggested, not even as possible.
    NotSuggest(FixId),
    /// Just these are suggested.
    OnlySuggest(Vec<FixId>),
    /// Is withheld by an `avoid`.
    Avoid(FixId),
    /// Has this value.
    FactIs(FactId, Value),
    /// Is known, unknown or none.
    FactState(FactId, StateKind),
}
