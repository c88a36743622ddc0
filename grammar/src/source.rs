//! Rule text with a name, and places in it.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A named rule text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// What diagnostics call it: a path as the user gave it, or a pack's file.
    pub name: Arc<str>,
    /// The text, as read.
    pub text: Arc<str>,
}

impl Source {
    /// A source of this name and text.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        Self { name: name.into(), text: text.into() }
    }

    /// Line and column of a byte offset. An offset behind the end is the end.
    #[must_use]
    pub fn position(&self, offset: u32) -> Position {
        let before = self.text.get(..offset as usize).unwrap_or(&self.text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Position {
            line: before.bytes().filter(|&b| b == b'\n').count() + 1,
            column: before.get(line_start..).unwrap_or("").chars().filter(|&c| c != '\u{feff}').count() + 1,
        }
    }

    /// The text a span covers; empty if the span lies outside.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }
}

/// Which of the sources of a run: its index in the order they were handed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct SourceId(pub u32);

/// A place as people count: both from 1, the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// A half-open range of bytes in one source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One behind the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` to `end`.
    #[must_use]
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The smallest span that holds both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A piece of syntax and where it stands. Two are equal when the pieces are, wherever they stand, so that a tree equals
/// the tree of its own print.
#[derive(Clone, Copy, Default)]
pub struct Spanned<T> {
    /// The piece.
    pub node: T,
    /// Its place.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// `node` at `span`.
    pub const fn new(node: T, span: Span) -> Self {
        Self { node, span }
    }
}

impl<T: PartialEq> PartialEq for Spanned<T> {
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node
    }
}

impl<T: Eq> Eq for Spanned<T> {}

impl<T: fmt::Debug> fmt::Debug for Spanned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}@{}..{}", self.node, self.span.start, self.span.end)
    }
}
