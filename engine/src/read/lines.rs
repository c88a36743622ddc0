//! Lines of the clean text: how many stand between two places, and what they are.

use std::ops::Range;
use std::sync::OnceLock;

use super::view::Found;
use crate::ir::{LineClass, Program};
use crate::pattern::space::{line_end, line_start, skip_space};

/// Line ends are counted up to every such place.
const BLOCK: usize = 4096;

/// Counts lines without remembering each.
#[derive(Debug, Clone, Default)]
pub(super) struct LineCounts {
    counts: OnceLock<Vec<usize>>,
}

impl LineCounts {
    /// Line ends between two places, whichever is first.
    pub(super) fn between(&self, text: &str, from: usize, to: usize) -> usize {
        let (from, to) = (from.min(to), from.max(to));
        if to - from <= 2 * BLOCK {
            return count(text, from..to);
        }
        self.before(text, to) - self.before(text, from)
    }

    fn before(&self, text: &str, at: usize) -> usize {
        let counts = self.counts.get_or_init(|| {
            let mut sum = 0;
            let blocks = text.as_bytes().chunks(BLOCK).map(|block| {
                let before = sum;
                sum += memchr::memchr_iter(b'\n', block).count();
                before
            });
            blocks.collect()
        });
        let at = at.min(text.len());
        // At the very end of the text there may be no block.
        let block = (at / BLOCK).min(counts.len().saturating_sub(1));
        counts.get(block).copied().unwrap_or(0) + count(text, block * BLOCK..at)
    }
}

fn count(text: &str, range: Range<usize>) -> usize {
    text.as_bytes().get(range).map_or(0, |part| memchr::memchr_iter(b'\n', part).count())
}

/// What the program's `line` declarations recognise in a text.
#[derive(Debug, Clone, Default)]
pub(super) struct Recognised {
    /// Where starts and runs begin, sorted.
    pub(super) starts: Vec<usize>,
    pub(super) runs: Vec<usize>,
    /// Lines that say so; sorted, apart, whole lines.
    pub(super) warnings: Vec<Range<usize>>,
    pub(super) retries: Vec<Range<usize>>,
    pub(super) imports: Vec<Range<usize>>,
}

impl Recognised {
    pub(super) fn new(program: &Program, found: &Found, text: &str) -> Self {
        let places = |kind: LineClass| -> Vec<usize> {
            let mut places: Vec<usize> =
                lines_of(program, found, text, |class| class == kind).into_iter().map(|line| line.start).collect();
            places.dedup();
            places
        };
        let of = |kind: LineClass| merge(lines_of(program, found, text, |class| class == kind));
        Self {
            starts: places(LineClass::Start),
            runs: places(LineClass::Run),
            warnings: of(LineClass::Warning),
            retries: of(LineClass::Retry),
            imports: of(LineClass::Import),
        }
    }
}

/// The lines that patterns of some kinds match, sorted by where they begin.
pub(super) fn lines_of(
    program: &Program,
    found: &Found,
    text: &str,
    kind: impl Fn(LineClass) -> bool,
) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut lines = Vec::new();
    for line in program.lines.iter().filter(|line| kind(line.kind)) {
        let mut last = 0..0;
        for hit in found.of(line.pattern) {
            // Several hits on one long line need not look for its ends again.
            if last.start <= hit.span.start && hit.span.end <= last.end && last.end > 0 {
                continue;
            }
            last = line_start(bytes, hit.span.start)..line_end(bytes, hit.span.end);
            lines.push(last.clone());
        }
    }
    lines.sort_by_key(|line: &Range<usize>| (line.start, line.end));
    lines
}

/// Joins sorted ranges that touch or overlap.
pub(super) fn merge(ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut merged: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

/// Whether a range shares a byte with one of several, which are sorted and apart.
pub(super) fn touches(ranges: &[Range<usize>], range: &Range<usize>) -> bool {
    let index = ranges.partition_point(|other| other.end <= range.start);
    ranges.get(index).is_some_and(|other| other.start < range.end)
}

/// The lines a range lies in.
pub(super) fn whole_lines(text: &str, range: &Range<usize>) -> Range<usize> {
    let bytes = text.as_bytes();
    line_start(bytes, range.start)..line_end(bytes, range.end.max(range.start))
}

/// The first line behind a place that is not blank; empty at the end of the text.
pub(super) fn next_line(text: &str, at: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let from = skip_space(bytes, line_end(bytes, at));
    from..line_end(bytes, from)
}

/// Runs of lines outside some ranges (sorted and apart), without lines that hold no letter or digit at their edges.
pub(super) fn remaining(text: &str, taken: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut left = Vec::new();
    let mut at = 0;
    let last = text.len()..text.len();
    for range in taken.iter().chain(std::iter::once(&last)) {
        let end = range.start.max(at);
        if let Some(part) = text.get(at..end) {
            let speaks = |c: char| c.is_alphanumeric();
            let first = part.find(speaks);
            let last = part.rfind(speaks);
            if let (Some(first), Some(last)) = (first, last) {
                left.push(
                    line_start(text.as_bytes(), at + first).max(at)..line_end(text.as_bytes(), at + last).min(end),
                );
            }
        }
        at = at.max(range.end);
    }
    left
}
