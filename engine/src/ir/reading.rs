//! What is read from texts and documents: extractors, and what lines are.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{FactId, Hole, PatternId, Site, TextRef};
use crate::value::Value;

/// Reads facts from the text or from a document.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Extractor {
    /// What it reads.
    pub from: ExtractFrom,
    /// What it gives.
    pub gives: Vec<Give>,
    /// Where it is declared.
    pub site: Site,
}

/// What an extractor reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExtractFrom {
    /// A pattern in a text.
    Text(TextRef, PatternId),
    /// The value at a path of a document.
    Json(Arc<str>),
}

/// What an extractor gives a fact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Give {
    /// A fixed value.
    Value(FactId, Value),
    /// What a named hole or group of the pattern read; in a document, the value, read like this hole if one is given,
    /// else by the fact's type.
    Hole(FactId, u32, Option<Hole>),
}

/// What a line is.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct LineKind {
    /// What.
    pub kind: LineClass,
    /// A line that matches.
    pub pattern: PatternId,
    /// Where it is declared.
    pub site: Site,
}

/// What a line can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum LineClass {
    /// The program started.
    Start,
    /// A run started.
    Run,
    /// Said at every start.
    Banner,
    /// A progress bar.
    Progress,
    /// A warning.
    Warning,
    /// A row of a table.
    Table,
    /// A failure that was handled by trying again.
    Retry,
    /// A package failed to import.
    Import,
}
