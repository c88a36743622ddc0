//! The lines of a message, from its first on.

use std::ops::Range;

use crate::failures::record;
use crate::lines::Lines;

/// A message is read no further than this many lines.
const LONGEST: usize = 400;

/// A message and the line behind it.
#[derive(Debug, Default)]
pub(crate) struct Message {
    /// Its ranges in the clean text.
    pub(crate) ranges: Vec<Range<usize>>,
    /// The line behind it.
    pub(crate) next: usize,
}

/// Reads a message that begins in line `first` at `from`. Where frames carry stamps of their own, so may its lines.
pub(crate) fn read(lines: &Lines<'_>, first: usize, from: usize, stamps_within: bool) -> Message {
    let mut last = first;
    let mut index = first + 1;
    while index < lines.len().min(first + LONGEST) {
        if lines.blank(index) {
            match lines.skip_blank(index, 3) {
                Some(found) if record::continues(lines.text(found)) && !lines.stamped(found) => index = found,
                _ => break,
            }
        }
        let announced = index == first + 1 && announces(lines.text(first)) && lines.sure(index).is_some();
        let alien = lines.stamped(index) && !(stamps_within && record::hint(lines.text(index)));
        if alien || (record::starts(lines, index) && !announced) {
            break;
        }
        last = index;
        index += 1;
    }
    Message { ranges: range(lines, first, from, last).into_iter().collect(), next: last + 1 }
}

/// `backend='inductor' raised:` says what stands on the next line.
fn announces(text: &str) -> bool {
    text.trim_end().ends_with(':')
}

/// The text from `from` in line `first` to the end of line `last`, without quotes that close what the line opens.
pub(crate) fn range(lines: &Lines<'_>, first: usize, from: usize, last: usize) -> Option<Range<usize>> {
    let text = lines.text(first);
    let head = lines.part(first, from..text.len());
    let tail = if last > first { lines.range(first + 1..last + 1) } else { None };
    let (start, mut end) = match (head, tail) {
        (Some(head), tail) => (head.start, tail.map_or(head.end, |tail| tail.end)),
        (None, Some(tail)) => (tail.start, tail.end),
        (None, None) => return None,
    };
    let closing = lines.text(last).trim_end();
    if let Some(quote) = ['"', '`'].into_iter().find(|quote| closing.ends_with(*quote))
        && text.trim_start().starts_with(quote)
        && end > start
    {
        end -= 1;
    }
    (end > start).then_some(start..end)
}
