//! Looks for patterns in one text: where a literal hits, the pattern is tried there.

use std::ops::Range;

use super::expression::{Expression, Reach};
use super::literal::Place;
use super::machine::Room;
use super::parts::Phrase;
use super::phrase::Memory;
use super::space::{line_end, line_start, skip_space, skip_space_back, slice};
use super::{Compiled, Hit, Inner};
use crate::ir::PatternId;

/// A match over several lines is found if it begins and ends at most this many lines from the literal that it holds.
/// Only regular expressions have this limit.
pub(super) const REACH: usize = 64;

/// Where the search for one pattern in a text stands.
#[derive(Debug, Default)]
pub(super) struct Progress {
    memory: Memory,
    /// The next place at which a match may begin.
    next: usize,
    /// Lines an expression has yet to be run on.
    pending: Option<Range<usize>>,
    /// The line for which these were last extended.
    line: Range<usize>,
    pub(super) hits: Vec<Hit>,
}

impl Progress {
    /// A literal of the pattern begins at a place.
    pub(super) fn meet(&mut self, compiled: &Compiled, place: Place, text: &str, at: usize) {
        match compiled {
            Compiled::Phrase(phrase) => {
                let first = match place {
                    Place::First | Place::Anywhere => at,
                    Place::Inside(spaces) => self.earliest(text.as_bytes(), at, spaces),
                };
                self.search(phrase, text, first..at);
            }
            Compiled::Expression(expression) => {
                if place != Place::First || !self.try_at(expression, text, at) {
                    self.extend(expression, text, at);
                }
            }
            Compiled::Fault => {}
        }
    }

    /// Looks for the match of an expression that begins at a place; false if its lines are to be searched instead.
    fn try_at(&mut self, expression: &Expression, text: &str, at: usize) -> bool {
        if self.pending.is_some() {
            return false;
        }
        if at < self.next {
            return true;
        }
        let lines = lines_around(text.as_bytes(), at, expression.reach);
        let bytes = lines.end.saturating_sub(at);
        expression.announce(bytes);
        let Ok(hit) = expression.match_at(slice(text, 0..lines.end), at, &mut Room::default()) else { return false };
        self.memory.steps += bytes as u64;
        if let Some(hit) = hit.filter(|hit| !hit.span.is_empty()) {
            self.next = hit.span.end;
            self.hits.push(hit);
        }
        true
    }

    /// Looks through all of the text.
    pub(super) fn search_all(&mut self, compiled: &Compiled, text: &str) {
        match compiled {
            Compiled::Phrase(phrase) => self.search(phrase, text, 0..text.len()),
            Compiled::Expression(expression) => self.run(expression, text, 0..text.len()),
            Compiled::Fault => {}
        }
    }

    /// Does what was put off.
    pub(super) fn finish(&mut self, compiled: &Compiled, text: &str) {
        if let (Compiled::Expression(expression), Some(lines)) = (compiled, self.pending.take()) {
            self.run(expression, text, lines);
        }
    }

    fn search(&mut self, phrase: &Phrase, text: &str, starts: Range<usize>) {
        let starts = starts.start.max(self.next)..starts.end;
        if starts.start <= starts.end {
            self.next = phrase.search(text, starts, &mut self.memory, &mut self.hits);
        }
    }

    /// Where a phrase may begin that holds a literal at a place behind so many runs of white space: each of them may
    /// lead over a line end.
    fn earliest(&self, text: &[u8], at: usize, spaces: u32) -> usize {
        // What lies before the next possible start is not looked at, so that many hits on one line stay one pass.
        let text = text.get(self.next.min(at)..at).unwrap_or_default();
        let mut start = line_start(text, text.len());
        for _ in 0..spaces {
            start = line_start(text, skip_space_back(text, start));
        }
        self.next.min(at) + start
    }

    fn extend(&mut self, expression: &Expression, text: &str, at: usize) {
        let bytes = text.as_bytes();
        // Another hit on the line of the last one asks for nothing more.
        if self.pending.is_some() && (self.line.start..=self.line.end).contains(&at) {
            return;
        }
        self.line = line_start(bytes, at)..line_end(bytes, at);
        let lines = lines_around(bytes, at, expression.reach);
        match &mut self.pending {
            Some(pending) if lines.start <= pending.end => pending.end = pending.end.max(lines.end),
            pending => {
                if let Some(before) = pending.replace(lines) {
                    self.run(expression, text, before);
                }
            }
        }
    }

    /// Runs an expression on whole lines; what stands around them counts for `^ $ \b`.
    fn run(&mut self, expression: &Expression, text: &str, lines: Range<usize>) {
        self.memory.steps += lines.len() as u64;
        expression.announce(lines.len());
        let mut room = Room::default();
        let text = slice(text, 0..lines.end);
        let mut at = lines.start.max(self.next);
        while at <= text.len() {
            let Some(hit) = expression.find_at(text, at, &mut room) else { break };
            at = hit.span.end;
            // An empty match is found but says nothing.
            if hit.span.is_empty() {
                at += text.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
            } else {
                self.hits.push(hit);
            }
        }
        self.next = lines.end;
    }

    /// Work done, in places looked at.
    pub(super) const fn steps(&self) -> u64 {
        self.memory.steps
    }
}

/// The lines that a match may lie on whose literal stands at a place.
fn lines_around(text: &[u8], at: usize, reach: Reach) -> Range<usize> {
    let mut lines = line_start(text, at)..line_end(text, at);
    match reach {
        Reach::Far => {
            for _ in 0..REACH {
                lines.start = line_start(text, lines.start.saturating_sub(1));
                lines.end = line_end(text, (lines.end + 1).min(text.len()));
            }
        }
        Reach::Spaces(runs) => {
            for _ in 0..runs.min(u32::try_from(REACH).unwrap_or(u32::MAX)) {
                let before = text.get(..lines.start).unwrap_or_default();
                lines.start = line_start(text, skip_space_back(before, lines.start));
                lines.end = line_end(text, skip_space(text, lines.end));
            }
        }
    }
    lines
}

/// Searches in progress, by pattern.
#[derive(Debug, Default)]
pub(super) struct Board {
    /// For each pattern, one more than its place in `open`.
    slots: Vec<u32>,
    open: Vec<(PatternId, Progress)>,
}

impl Board {
    pub(super) fn of(&mut self, pattern: PatternId) -> Option<&mut Progress> {
        if self.slots.len() <= pattern.index() {
            self.slots.resize(pattern.index() + 1, 0);
        }
        let slot = self.slots.get_mut(pattern.index())?;
        if *slot == 0 {
            self.open.push((pattern, Progress::default()));
            *slot = u32::try_from(self.open.len()).unwrap_or(0);
        }
        self.open.get_mut((*slot as usize).checked_sub(1)?).map(|(_, progress)| progress)
    }

    /// Ends all searches and gives what they found, by pattern; and the work done.
    pub(super) fn finish(&mut self, inner: &Inner, text: &str) -> (Vec<(PatternId, Vec<Hit>)>, u64) {
        let mut steps = 0;
        let mut all = Vec::new();
        for (pattern, mut progress) in self.open.drain(..) {
            if let Some(slot) = self.slots.get_mut(pattern.index()) {
                *slot = 0;
            }
            if let Some(compiled) = inner.compiled(pattern) {
                progress.finish(compiled, text);
            }
            steps += progress.steps();
            if !progress.hits.is_empty() {
                all.push((pattern, progress.hits));
            }
        }
        all.sort_by_key(|(pattern, _)| *pattern);
        (all, steps)
    }
}
