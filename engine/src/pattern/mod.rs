//! Text patterns: phrases, holes and regular expressions, looked for all at once.
//!
//! Each pattern gives one literal (an expression may give a few) to a [`prefilter::Prefilter`] that sees the whole
//! text once; only where a literal stands is the pattern tried, and only then is it compiled. What is looked for
//! costs little until the text holds its literal, so the number of patterns hardly counts.
//!
//! # Limits
//! - A regular expression compiles to 1 MiB at most; a match of one over several lines ends at most 64 lines from
//!   its literal.
//! - A hole other than `text` and `line` reads 4096 bytes at most; a number, version or name 128.
//! - Case, words and digits are ASCII. White space is ASCII white space, U+00A0 and U+3000.

mod expression;
mod fold;
mod grams;
mod hole;
mod literal;
mod machine;
mod parts;
mod phrase;
mod prefilter;
mod scan;
pub(crate) mod space;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod uses;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

pub use expression::check_expression;
pub(crate) use hole::{assignments, value as hole_value};
pub(crate) use uses::{Patterns, Uses};

use crate::ir::{Pattern, PatternId, Program};
use crate::value::Value;
use expression::Expression;
use literal::Place;
use parts::Phrase;
use prefilter::Prefilter;
use scan::{Board, Progress};

/// Where a pattern matched, and what its holes or groups read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The place, in bytes. In a [`crate::read::Texts`] it counts in the clean text.
    pub span: Range<usize>,
    /// One for each named hole or group, in their order. A group that took no part in the match is `None`.
    pub captures: Vec<Option<Captured>>,
}

/// What a hole or group read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Captured {
    /// The value, of the hole's type; a group of a regular expression gives its text.
    pub value: Value,
    /// The place, counted like [`Hit::span`].
    pub span: Range<usize>,
}

/// All patterns of a program, ready to be looked for. Immutable and cheap to clone.
#[derive(Debug, Clone)]
pub struct Matcher {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    patterns: Vec<Pattern>,
    compiled: Vec<OnceLock<Box<Compiled>>>,
    prefilter: Prefilter,
    /// For each literal, the patterns that have it, in their order.
    owners: Vec<Vec<(PatternId, Place)>>,
    /// Patterns without a literal: tried on each text as a whole.
    bare: Vec<PatternId>,
    uses: Uses,
}

#[derive(Debug)]
enum Compiled {
    Phrase(Phrase),
    Expression(Expression),
    Fault(String),
}

/// What scans need room for; used again for the next text.
#[derive(Debug, Default)]
pub(crate) struct Room {
    prefilter: prefilter::Room,
    board: Board,
    /// The work of all scans, in places looked at by patterns.
    pub(crate) steps: u64,
}

impl Inner {
    fn compiled(&self, pattern: PatternId) -> Option<&Compiled> {
        let source = self.patterns.get(pattern.index())?;
        let slot = self.compiled.get(pattern.index())?;
        Some(slot.get_or_init(|| Box::new(compile(source))))
    }
}

fn compile(pattern: &Pattern) -> Compiled {
    match pattern {
        Pattern::Phrase(parts) => Compiled::Phrase(Phrase::new(parts)),
        Pattern::Regex { source, insensitive, .. } => match Expression::new(source, *insensitive) {
            Ok(expression) => Compiled::Expression(expression),
            Err(fault) => Compiled::Fault(fault),
        },
    }
}

impl Matcher {
    /// Prepares the patterns of a program. Expressions are compiled only where a text may hold them.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        let mut literals: Vec<Vec<u8>> = Vec::new();
        let mut numbers: HashMap<Vec<u8>, usize> = HashMap::new();
        let mut owners: Vec<Vec<(PatternId, Place)>> = Vec::new();
        let mut bare = Vec::new();
        for (id, chosen) in (0..).map(PatternId).zip(literal::choose(&program.patterns)) {
            let Some((set, place)) = chosen else {
                bare.push(id);
                continue;
            };
            for literal in set {
                let number = *numbers.entry(literal).or_insert_with_key(|literal| {
                    literals.push(literal.clone());
                    owners.push(Vec::new());
                    literals.len() - 1
                });
                if let Some(owners) = owners.get_mut(number)
                    && owners.last().is_none_or(|owner| owner.0 != id)
                {
                    owners.push((id, place));
                }
            }
        }
        let compiled = program.patterns.iter().map(|_| OnceLock::new()).collect();
        let prefilter = Prefilter::new(literals);
        let inner =
            Inner { patterns: program.patterns.clone(), compiled, prefilter, owners, bare, uses: Uses::of(program) };
        Self { inner: Arc::new(inner) }
    }

    /// Why a pattern cannot be used (a regular expression beyond the limits); it matches nothing then.
    #[must_use]
    pub fn fault(&self, pattern: PatternId) -> Option<&str> {
        match self.inner.compiled(pattern)? {
            Compiled::Fault(fault) => Some(fault),
            _ => None,
        }
    }

    /// All matches of one pattern in a text, from left to right; places count in that text.
    #[must_use]
    pub fn find(&self, pattern: PatternId, text: &str) -> Vec<Hit> {
        let mut progress = Progress::default();
        if let Some(compiled) = self.inner.compiled(pattern) {
            progress.search_all(compiled, text);
        }
        progress.hits
    }

    /// All matches of the wanted patterns in a text, by pattern; each pattern's from left to right.
    pub(crate) fn scan(&self, text: &str, wanted: &Patterns, room: &mut Room) -> Vec<(PatternId, Vec<Hit>)> {
        let Room { prefilter, board, steps } = room;
        let inner = &*self.inner;
        inner.prefilter.scan(text.as_bytes(), prefilter, |at, literal| {
            for &(pattern, place) in inner.owners.get(literal as usize).into_iter().flatten() {
                if wanted.contains(pattern)
                    && let (Some(progress), Some(compiled)) = (board.of(pattern), inner.compiled(pattern))
                {
                    progress.meet(compiled, place, text, at);
                }
            }
        });
        for &pattern in inner.bare.iter().filter(|&&pattern| wanted.contains(pattern)) {
            if let (Some(progress), Some(compiled)) = (board.of(pattern), inner.compiled(pattern)) {
                progress.search_all(compiled, text);
            }
        }
        let (hits, work) = board.finish(inner, text);
        *steps += work;
        hits
    }

    pub(crate) fn uses(&self) -> &Uses {
        &self.inner.uses
    }
}
