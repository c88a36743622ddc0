//! Clean text as lines that know which tell-tale words stand in them.

use std::ops::Range;

use crate::anchors::{self, Marks};
use crate::failures::types::{self, TypeLine};

/// A line of clean text, without its end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line {
    /// First byte in the clean text.
    pub(crate) start: usize,
    /// Behind its last byte.
    pub(crate) end: usize,
    /// What stands in it.
    pub(crate) marks: Marks,
    /// A record of a log begins here.
    pub(crate) stamped: bool,
}

/// The lines of a part of the clean text.
#[derive(Debug)]
pub(crate) struct Lines<'t> {
    text: &'t str,
    items: Vec<Line>,
}

impl<'t> Lines<'t> {
    /// Splits the part `region` of `text`. `stamps` are the places in `text` where records begin, in order.
    pub(crate) fn of(text: &'t str, region: Range<usize>, stamps: &[usize]) -> Self {
        let mut lines = Self { text, items: Vec::new() };
        let Some(part) = text.get(region.clone()) else { return lines };
        let mut hits = anchors::find(part).peekable();
        let mut stamps = stamps.iter().skip(stamps.partition_point(|at| *at < region.start)).peekable();
        let mut start = 0;
        while start < part.len() {
            let rest = part.as_bytes().get(start..).unwrap_or_default();
            let end = memchr::memchr(b'\n', rest).map_or(part.len(), |at| start + at);
            let mut marks = Marks::default();
            while let Some((_, mark)) = hits.next_if(|(at, _)| *at < end) {
                marks |= mark;
            }
            let line = Line { start: region.start + start, end: region.start + end, marks, stamped: false };
            let mut stamped = false;
            while stamps.next_if(|at| **at <= line.end).is_some() {
                stamped = true;
            }
            lines.items.push(Line { stamped, ..line });
            start = end + 1;
        }
        lines
    }

    /// How many lines there are.
    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    /// The text of a line; empty behind the last.
    pub(crate) fn text(&self, index: usize) -> &'t str {
        self.items.get(index).map_or("", |line| self.text.get(line.start..line.end).unwrap_or(""))
    }

    /// A range of the clean text.
    pub(crate) fn slice(&self, range: &Range<usize>) -> &'t str {
        self.text.get(range.clone()).unwrap_or("")
    }

    /// Whether a line holds nothing but white space, or there is none.
    pub(crate) fn blank(&self, index: usize) -> bool {
        self.text(index).trim().is_empty()
    }

    /// Whether a line has one of these marks.
    pub(crate) fn has(&self, index: usize, marks: Marks) -> bool {
        self.items.get(index).is_some_and(|line| line.marks.has(marks))
    }

    /// What a line says if it names an exception without doubt.
    pub(crate) fn sure(&self, index: usize) -> Option<TypeLine> {
        if self.has(index, Marks::TYPE) { types::sure(self.text(index)) } else { None }
    }

    /// Whether a record of a log begins with the line.
    pub(crate) fn stamped(&self, index: usize) -> bool {
        self.items.get(index).is_some_and(|line| line.stamped)
    }

    /// Blanks before the text of a line.
    pub(crate) fn indent(&self, index: usize) -> usize {
        let text = self.text(index);
        text.len() - text.trim_start().len()
    }

    /// The first line from `index` on that is not blank, at most `within` lines on.
    pub(crate) fn skip_blank(&self, index: usize, within: usize) -> Option<usize> {
        (index..self.len().min(index + within + 1)).find(|index| !self.blank(*index))
    }

    /// A part of a line as a range of the clean text, without white space at its ends.
    pub(crate) fn part(&self, index: usize, part: Range<usize>) -> Option<Range<usize>> {
        let start = self.items.get(index)?.start;
        let text = self.text(index).get(part.clone())?;
        let trimmed = text.trim();
        let from = start + part.start + (text.len() - text.trim_start().len());
        (!trimmed.is_empty()).then(|| from..from + trimmed.len())
    }

    /// Whole lines as a range of the clean text: from the text of the first to the end of the text of the last.
    pub(crate) fn range(&self, lines: Range<usize>) -> Option<Range<usize>> {
        let first = lines.clone().find(|index| !self.blank(*index))?;
        let last = lines.rev().find(|index| !self.blank(*index))?;
        let from = self.items.get(first)?.start;
        let to = self.items.get(last)?.start + self.text(last).trim_end().len();
        Some(from..to)
    }
}
