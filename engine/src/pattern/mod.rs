//! Text patterns: phrases, holes and regular expressions, looked for all at once.
//!
//! Each pattern gives one literal (an expression may give a few) to a [`prefilter::Prefilter`] that sees the whole
//! text once; only where a literal stands is the pattern tried. What is looked for costs little until the text holds its
//! literal, so the number of patterns hardly counts.
//!
//! An image holds the matcher ([`Matcher::write`], [`Matcher::read`]): the tables of the prefilter are used where they
//! lie, and a pattern is decoded where its literal stands.
//!
//! # Limits
//! - A regular expression has 2048 instructions or compiles to 1 MiB at most; a match of one over several lines ends at most 64 lines from
//!   its literal.
//! - A hole other than `text` and `line` reads 4096 bytes at most; a number, version or name 128.
//! - Words and digits are ASCII, and so is case in regular expressions; phrases ignore the case of all letters. White
//!   space is ASCII white space, U+00A0 and U+3000.

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
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use expression::check_expression;
pub(crate) use hole::{assignments, value as hole_value};
pub(crate) use uses::{Patterns, Uses};

use crate::image::{Flat, ImageError, Reader, Writer};
use crate::ir::{Pattern, PatternId, Program};
use crate::list::List;
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
    compiled: List<Compiled>,
    prefilter: Prefilter,
    /// Which literal is of which patterns, sorted.
    owners: Flat<[u32; 2]>,
    rest: Rest,
}

/// What is small, or needed whole.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Rest {
    /// Where in each pattern its literals stand, by pattern.
    places: Vec<Place>,
    /// Patterns without a literal: tried on each text as a whole.
    bare: Vec<PatternId>,
    /// Patterns that cannot be used.
    faulty: Patterns,
    uses: Uses,
}

#[derive(Debug, Serialize, Deserialize)]
enum Compiled {
    Phrase(Phrase),
    Expression(Expression),
    Fault,
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
        self.compiled.get(pattern.index())
    }

    /// The patterns of a literal.
    fn owners(&self, literal: u32) -> impl Iterator<Item = PatternId> {
        let from = self.owners.partition_point(|&[other, _]| other < literal);
        let owners = self.owners.get(from..).unwrap_or_default().iter();
        owners.take_while(move |&&[other, _]| other == literal).map(|&[_, pattern]| PatternId(pattern))
    }
}

fn compile(pattern: &Pattern) -> Compiled {
    match pattern {
        Pattern::Phrase(parts) => Compiled::Phrase(Phrase::new(parts)),
        Pattern::Regex { source, insensitive, .. } => {
            Expression::new(source, *insensitive).map_or(Compiled::Fault, Compiled::Expression)
        }
    }
}

impl Matcher {
    /// Prepares the patterns of a program.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        let compiled: Vec<Compiled> = program.patterns.iter().map(compile).collect();
        let mut rest = Rest { uses: Uses::of(program), ..Rest::default() };
        let mut literals: Vec<Vec<u8>> = Vec::new();
        let mut numbers: HashMap<Vec<u8>, u32> = HashMap::new();
        let mut owners: Vec<[u32; 2]> = Vec::new();
        let chosen = literal::choose(program.patterns.iter());
        for ((id, chosen), compiled) in (0..).map(PatternId).zip(chosen).zip(&compiled) {
            if matches!(compiled, Compiled::Fault) {
                rest.faulty.insert(id);
            }
            let (set, place) = chosen.unwrap_or((Vec::new(), Place::Anywhere));
            if set.is_empty() {
                rest.bare.push(id);
            }
            rest.places.push(place);
            for literal in set {
                let next = u32::try_from(literals.len()).unwrap_or(u32::MAX);
                let number = *numbers.entry(literal).or_insert_with_key(|literal| {
                    literals.push(literal.clone());
                    next
                });
                owners.push([number, id.0]);
            }
        }
        owners.sort_unstable();
        owners.dedup();
        let prefilter = Prefilter::new(&literals);
        Self { inner: Arc::new(Inner { compiled: compiled.into(), prefilter, owners: owners.into(), rest }) }
    }

    /// Writes all of it into an image.
    pub(crate) fn write(&self, image: &mut Writer) {
        let Inner { compiled, prefilter, owners, rest } = &*self.inner;
        image.list(compiled);
        prefilter.write(image);
        image.flat(owners);
        image.value(rest);
    }

    /// The matcher that was written. Its patterns are decoded where a text may hold them.
    pub(crate) fn read(image: &mut Reader) -> Result<Self, ImageError> {
        let (compiled, prefilter) = (image.list()?, Prefilter::read(image)?);
        let inner = Inner { compiled, prefilter, owners: image.flat()?, rest: image.value()? };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Whether a pattern cannot be used (a regular expression beyond the limits); it matches nothing then.
    #[must_use]
    pub fn is_faulty(&self, pattern: PatternId) -> bool {
        self.inner.rest.faulty.contains(pattern)
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
            for pattern in inner.owners(literal) {
                let place = inner.rest.places.get(pattern.index()).copied().unwrap_or(Place::Anywhere);
                if wanted.contains(pattern)
                    && let (Some(progress), Some(compiled)) = (board.of(pattern), inner.compiled(pattern))
                {
                    progress.meet(compiled, place, text, at);
                }
            }
        });
        for &pattern in inner.rest.bare.iter().filter(|&&pattern| wanted.contains(pattern)) {
            if let (Some(progress), Some(compiled)) = (board.of(pattern), inner.compiled(pattern)) {
                progress.search_all(compiled, text);
            }
        }
        let (hits, work) = board.finish(inner, text);
        *steps += work;
        hits
    }

    pub(crate) fn uses(&self) -> &Uses {
        &self.inner.rest.uses
    }
}
