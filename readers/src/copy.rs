//! Clean text under construction: every run knows which run of the input it stands for.

use std::ops::Range;

use rulecheck::evidence::Segment;

/// A change of clean text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edit {
    /// What is replaced.
    pub(crate) run: Range<usize>,
    /// What stands there instead.
    pub(crate) with: String,
}

/// Clean text, its map back to the inputs, and where records of a log begin.
#[derive(Debug, Default)]
pub(crate) struct Copy {
    /// The text so far.
    pub(crate) text: String,
    /// What each run of it stands for.
    pub(crate) segments: Vec<Segment>,
    /// Where in the text a line begins from which a time stamp or a level was taken: a record of a log starts there.
    pub(crate) stamps: Vec<usize>,
}

impl Copy {
    /// Takes a run of the input over as it is.
    pub(crate) fn keep(&mut self, input: usize, source: &str, run: Range<usize>) {
        if let Some(text) = source.get(run.clone()) {
            self.append(text, input, run);
        }
    }

    /// Puts `text` where the input has `run`; an empty run is a place between two bytes.
    pub(crate) fn put(&mut self, input: usize, text: &str, run: Range<usize>) {
        if text.is_empty() {
            return;
        }
        self.segments.push(segment(self.text.len(), text.len(), input, &run));
        self.text.push_str(text);
    }

    /// Notes that a record of a log begins here.
    pub(crate) fn stamp(&mut self) {
        if self.stamps.last() != Some(&self.text.len()) {
            self.stamps.push(self.text.len());
        }
    }

    /// Adds what another copy holds.
    pub(crate) fn extend(&mut self, other: &Self) {
        let base = self.text.len();
        self.segments.extend(other.segments.iter().map(|segment| Segment { clean: segment.clean + base, ..*segment }));
        self.stamps.extend(other.stamps.iter().map(|at| at + base));
        self.text.push_str(&other.text);
    }

    /// The same text with changes, which are in order and do not overlap. It still knows the places in the input.
    pub(crate) fn edited(&self, edits: &[Edit]) -> Self {
        let mut out = Self::default();
        let mut from = Cursor::default();
        for edit in edits {
            self.carry(&mut from, edit.run.start, &mut out);
            let (input, run) = self.original(&from, &edit.run);
            out.put(input, &edit.with, run);
            from.at = edit.run.end;
        }
        self.carry(&mut from, self.text.len(), &mut out);
        out
    }

    /// Copies everything from the cursor up to `end`.
    fn carry(&self, from: &mut Cursor, end: usize, out: &mut Self) {
        while let Some(stamp) = self.stamps.get(from.stamp).filter(|stamp| **stamp < end || end == self.text.len()) {
            out.stamps.push(out.text.len() + stamp.saturating_sub(from.at));
            from.stamp += 1;
        }
        while from.at < end {
            let Some(segment) = self.skip_to(from) else { break };
            let to = end.min(segment.clean + segment.clean_len);
            let Some(text) = self.text.get(from.at..to) else { break };
            if segment.clean_len == segment.original_len {
                let start = segment.original + from.at.saturating_sub(segment.clean);
                out.append(text, segment.input, start..start + text.len());
            } else {
                out.put(segment.input, text, segment.original..segment.original + segment.original_len);
            }
            from.at = to;
        }
    }

    /// The segment that holds the cursor.
    fn skip_to(&self, from: &mut Cursor) -> Option<Segment> {
        while self.segments.get(from.segment).is_some_and(|segment| segment.clean + segment.clean_len <= from.at) {
            from.segment += 1;
        }
        self.segments.get(from.segment).copied()
    }

    /// What a run of the text stands for, which begins at or behind the cursor.
    fn original(&self, from: &Cursor, run: &Range<usize>) -> (usize, Range<usize>) {
        let place = |at: usize, behind: bool| {
            let index = from.segment
                + self
                    .segments
                    .get(from.segment..)?
                    .iter()
                    .take_while(|segment| segment.clean + segment.clean_len <= at)
                    .count();
            let segment = self.segments.get(index)?;
            let offset = match (segment.clean_len == segment.original_len, behind) {
                (true, _) => at.saturating_sub(segment.clean) + usize::from(behind),
                (false, true) => segment.original_len,
                (false, false) => 0,
            };
            Some((segment.input, segment.original + offset))
        };
        let first = place(run.start, false).unwrap_or_default();
        let last = place(run.end.saturating_sub(1), true).filter(|last| last.0 == first.0).unwrap_or(first);
        (first.0, first.1..last.1.max(first.1))
    }

    /// Adds text that is the same in the input.
    fn append(&mut self, text: &str, input: usize, run: Range<usize>) {
        if text.is_empty() {
            return;
        }
        match self.segments.last_mut() {
            Some(last)
                if last.input == input
                    && last.clean_len == last.original_len
                    && last.original + last.original_len == run.start =>
            {
                last.clean_len += text.len();
                last.original_len += text.len();
            }
            _ => self.segments.push(segment(self.text.len(), text.len(), input, &run)),
        }
        self.text.push_str(text);
    }
}

/// How far a copy has been carried over.
#[derive(Debug, Default)]
struct Cursor {
    at: usize,
    segment: usize,
    stamp: usize,
}

fn segment(clean: usize, clean_len: usize, input: usize, run: &Range<usize>) -> Segment {
    Segment { clean, clean_len, input, original: run.start, original_len: run.len() }
}

/// Where places of a text lie after edits.
#[derive(Debug)]
pub(crate) struct Shift(Vec<(usize, usize, usize)>);

impl Shift {
    /// The shift that `edits`, which are in order, make.
    pub(crate) fn of(edits: &[Edit]) -> Self {
        let (mut removed, mut added) = (0, 0);
        let step = |edit: &Edit| {
            removed += edit.run.len();
            added += edit.with.len();
            (edit.run.end, removed, added)
        };
        Self(edits.iter().map(step).collect())
    }

    /// Where `at` lies, which is not within an edit.
    pub(crate) fn place(&self, at: usize) -> usize {
        let behind = self.0.partition_point(|(end, ..)| *end <= at);
        let (removed, added) = behind
            .checked_sub(1)
            .and_then(|index| self.0.get(index))
            .map_or((0, 0), |(_, removed, added)| (*removed, *added));
        at + added - removed.min(at + added)
    }
}
