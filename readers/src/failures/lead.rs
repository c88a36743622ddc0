//! What stands before a traceback: the line that introduces it, and the message where the paste lost the foot.

use std::ops::Range;

use rulecheck::evidence::Raised;

use crate::failures::{frames, message, record};
use crate::lines::Lines;
use crate::scan::find_ignoring_case;

/// How far above a traceback its message is looked for.
const ABOVE: usize = 14;

/// Words of a line that says what went wrong.
const COMPLAINTS: [&str; 26] = [
    "error",
    "fail",
    "exception",
    "out of memory",
    "not enough",
    "cannot",
    "can't",
    "could not",
    "couldn't",
    "assert",
    "invalid",
    "unable",
    "no such",
    "denied",
    "not found",
    "not supported",
    "should be",
    "must be",
    "expected",
    "mismatch",
    "fatal",
    "错误",
    "失败",
    "异常",
    "内存",
    "无法",
];

/// Whether a text says that something went wrong.
pub(crate) fn complains(text: &str) -> bool {
    COMPLAINTS.iter().any(|word| find_ignoring_case(text, word).is_some())
}

/// Completes the chain of the traceback that begins in line `first` by what stands above it, and returns the first line
/// that belongs to it. Lines before `free` belong to other failures.
pub(crate) fn complete(lines: &Lines<'_>, first: usize, free: usize, chain: &mut Vec<Raised>) -> usize {
    let Some(last) = chain.last_mut() else { return first };
    if last.error_type.is_none() && last.message.is_empty() {
        let said = said_above(lines, first, free);
        let start = said.first().map(|paragraph| paragraph.start);
        last.message.extend(said.into_iter().filter_map(|paragraph| paragraph_range(lines, paragraph)));
        return start.unwrap_or_else(|| introduced(lines, first, free).unwrap_or(first));
    }
    let Some(lead) = introduced(lines, first, free) else { return first };
    let text = lines.text(lead).trim();
    let foot = last.message.first().map_or("", |range| lines.slice(range));
    let head: String = foot.chars().take(24).collect();
    if !text.ends_with(':') && !text.contains(head.trim_end()) {
        let message = message::range(lines, lead, 0, lead).into_iter().collect();
        chain.insert(0, Raised { message, ..Raised::default() });
    }
    lead
}

/// The line right above that introduces the traceback: it ends in a colon, or says what went wrong.
fn introduced(lines: &Lines<'_>, first: usize, free: usize) -> Option<usize> {
    let lead = (free..first).rev().take(2).find(|index| !lines.blank(*index))?;
    let text = lines.text(lead).trim();
    let fits = !record::progress(text) && !record::prompt(text) && (text.ends_with(':') || complains(text));
    fits.then_some(lead)
}

/// The paragraphs above that say what went wrong; directly above frames that lack a head, whatever they say, since a
/// dialog prints the message and then the frames.
pub(crate) fn said_above(lines: &Lines<'_>, first: usize, free: usize) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut end = first;
    let mut index = first;
    let headless = !frames::header(lines, first);
    let floor = free.max(first.saturating_sub(ABOVE));
    while index > floor {
        index -= 1;
        let stops = !lines.blank(index) && foreign(lines, index);
        if lines.blank(index) || stops || index == floor {
            let start = if lines.blank(index) || stops { index + 1 } else { index };
            let says = (start..end).any(|line| complains(lines.text(line)));
            let adjacent = headless && found.is_empty() && start < end;
            if adjacent {
                found.insert(0, start..end);
            } else if says {
                let first = (start..end).find(|line| complains(lines.text(*line))).unwrap_or(start);
                found.insert(0, first..end);
            }
            end = index;
        }
        if stops || lines.stamped(index) {
            break;
        }
    }
    found
}

/// Whether a line belongs to something else than the message above a traceback.
fn foreign(lines: &Lines<'_>, index: usize) -> bool {
    let text = lines.text(index).trim();
    // `Exception in thread …:` introduces, and does not end what was said before it.
    // Where a paste turns the order round, the failed import stands above.
    record::starts(lines, index) && !text.ends_with(':') && !text.starts_with("Cannot import ")
}

fn paragraph_range(lines: &Lines<'_>, paragraph: Range<usize>) -> Option<Range<usize>> {
    let last = paragraph.clone().rev().find(|index| !lines.blank(*index))?;
    let first = paragraph.clone().find(|index| !lines.blank(*index))?;
    // What only introduces the traceback is no part of the message.
    let last = if last > first && lines.text(last).trim_end().ends_with(':') { last - 1 } else { last };
    let introduces = lines.text(first).trim_end().ends_with(':') && first == last;
    if introduces { None } else { message::range(lines, first, 0, last) }
}
