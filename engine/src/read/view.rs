//! Texts put together from pieces of the clean text, with the way back.

use std::ops::Range;

use crate::evidence::{Evidence, Failure, Raised};
use crate::ir::{ErrorPart, PatternId};
use crate::pattern::Hit;

/// A text made of pieces of the clean text.
#[derive(Debug, Clone, Default)]
pub(super) struct Composed {
    pub(super) text: String,
    pieces: Vec<Piece>,
}

#[derive(Debug, Clone, Copy)]
struct Piece {
    at: usize,
    length: usize,
    clean: usize,
}

impl Composed {
    /// A part of a failure; empty if the paste lacks it.
    pub(super) fn part(evidence: &Evidence, failure: &Failure, part: ErrorPart) -> Self {
        let mut made = Self::default();
        let main = main_member(failure);
        match part {
            ErrorPart::All => {
                failure.chain.iter().for_each(|raised| made.push_raised(evidence, raised));
                if made.text.is_empty() {
                    made.push_range(evidence, &failure.span, "");
                }
            }
            ErrorPart::Type => {
                if let Some(range) = failure.chain.get(main).and_then(|raised| raised.error_type.as_ref()) {
                    made.push_range(evidence, range, "");
                }
            }
            ErrorPart::Message => {
                failure
                    .chain
                    .get(main)
                    .into_iter()
                    .flat_map(|raised| &raised.message)
                    .for_each(|range| made.push_range(evidence, range, "\n"));
            }
            ErrorPart::Cause => {
                let others = failure.chain.iter().enumerate().filter(|(index, _)| *index != main);
                others.for_each(|(_, raised)| made.push_raised(evidence, raised));
            }
            ErrorPart::Trace => {
                failure
                    .chain
                    .iter()
                    .flat_map(|raised| &raised.trace)
                    .for_each(|range| made.push_range(evidence, range, "\n"));
            }
        }
        made
    }

    /// `TYPE: MESSAGE`, whatever form it had.
    fn push_raised(&mut self, evidence: &Evidence, raised: &Raised) {
        if let Some(range) = &raised.error_type {
            self.push_range(evidence, range, "\n");
        }
        let mut between = if raised.error_type.is_some() { ": " } else { "\n" };
        for range in &raised.message {
            self.push_range(evidence, range, between);
            between = "\n";
        }
    }

    fn push_range(&mut self, evidence: &Evidence, range: &Range<usize>, between: &str) {
        let text = evidence.slice(range);
        let kept = text.trim_start_matches('\n');
        let clean = range.start + (text.len() - kept.len());
        let kept = kept.trim_end_matches('\n');
        if kept.is_empty() {
            return;
        }
        if !self.text.is_empty() {
            self.text.push_str(between);
        }
        self.pieces.push(Piece { at: self.text.len(), length: kept.len(), clean });
        self.text.push_str(kept);
    }

    /// The places in the clean text it is made of.
    pub(super) fn ranges(&self) -> Vec<Range<usize>> {
        self.pieces.iter().map(|piece| piece.clean..piece.clean + piece.length).collect()
    }

    /// Hits in this text as hits in the clean text.
    pub(super) fn to_clean(&self, found: Vec<(PatternId, Vec<Hit>)>) -> Found {
        let mut all = found;
        for hit in all.iter_mut().flat_map(|(_, hits)| hits) {
            hit.span = self.clean_range(&hit.span);
            for captured in hit.captures.iter_mut().flatten() {
                captured.span = self.clean_range(&captured.span);
            }
        }
        Found { all }
    }

    /// Where a range of this text stands in the clean text: from its first piece to its last; where these are out of
    /// order (a report may give the message before the type), the longer one.
    fn clean_range(&self, span: &Range<usize>) -> Range<usize> {
        let inside = |piece: &Piece| {
            let start = span.start.max(piece.at);
            let end = span.end.min(piece.at + piece.length);
            (start < end).then(|| piece.clean + (start - piece.at)..piece.clean + (end - piece.at))
        };
        let first = self.pieces.partition_point(|piece| piece.at + piece.length <= span.start);
        let behind = self.pieces.partition_point(|piece| piece.at < span.end);
        let parts = self.pieces.get(first..behind.max(first)).unwrap_or_default();
        let start = parts.iter().find_map(inside);
        let end = parts.iter().rev().find_map(inside);
        match (start, end) {
            (Some(start), Some(end)) if start.start <= end.end && start.start <= end.start => start.start..end.end,
            (Some(start), Some(end)) => {
                if start.len() >= end.len() {
                    start
                } else {
                    end
                }
            }
            _ => 0..0,
        }
    }
}

/// The exception of a chain that gives a failure its type and message: the first whose type is in the paste.
pub(super) fn main_member(failure: &Failure) -> usize {
    let typed = failure.chain.iter().position(|raised| raised.error_type.is_some());
    typed.or_else(|| failure.chain.iter().position(|raised| !raised.message.is_empty())).unwrap_or(0)
}

/// Hits by pattern, in clean text.
#[derive(Debug, Clone, Default)]
pub(super) struct Found {
    /// Sorted by pattern.
    pub(super) all: Vec<(PatternId, Vec<Hit>)>,
}

impl Found {
    pub(super) fn of(&self, pattern: PatternId) -> &[Hit] {
        let index = self.all.binary_search_by_key(&pattern, |(pattern, _)| *pattern).ok();
        index.and_then(|index| self.all.get(index)).map_or(&[], |(_, hits)| hits)
    }

    /// The hits within a range. They are sorted and apart, so it is a run of them.
    pub(super) fn within(&self, pattern: PatternId, range: &Range<usize>) -> &[Hit] {
        let hits = self.of(pattern);
        let first = hits.partition_point(|hit| hit.span.start < range.start);
        let behind = hits.partition_point(|hit| hit.span.end <= range.end);
        hits.get(first..behind.max(first)).unwrap_or_default()
    }

    /// Adds what was found for further patterns.
    pub(super) fn add(&mut self, more: Vec<(PatternId, Vec<Hit>)>) {
        self.all.extend(more);
        self.all.sort_by_key(|(pattern, _)| *pattern);
        self.all.dedup_by_key(|(pattern, _)| *pattern);
    }

    /// The hits that lie in one of several ranges, which are sorted and apart.
    pub(super) fn inside(&self, ranges: &[Range<usize>], wanted: impl Fn(PatternId) -> bool) -> Self {
        let holds = |hit: &&Hit| {
            let index = ranges.partition_point(|range| range.end < hit.span.end);
            ranges.get(index).is_some_and(|range| range.start <= hit.span.start)
        };
        let of = |(pattern, hits): &(PatternId, Vec<Hit>)| (*pattern, hits.iter().filter(holds).cloned().collect());
        Self { all: self.all.iter().filter(|(pattern, _)| wanted(*pattern)).map(of).collect() }
    }
}
