//! `!!! Exception during processing !!! …` and `Error occurred when executing X:`.

use rulecheck::evidence::{Failure, Form, Raised};

use crate::failures::{Found, frames, lead, message, record, traceback};
use crate::lines::Lines;
use crate::scan::{find_ignoring_case, skip};

/// How many lines a message before its traceback may have.
const LONGEST: usize = 120;

/// And how many where each of them has a stamp.
const STAMPED: usize = 8;

/// `!!! Exception during processing !!! message`, with the traceback that follows.
pub(crate) fn processing(lines: &Lines<'_>, index: usize, free: usize) -> Option<Found> {
    let text = lines.text(index);
    let word = "!!! exception during processing";
    let at = find_ignoring_case(text, word)? + word.len();
    let at = skip(text, at, " ");
    let at = skip(text, skip(text, at, "!"), " ");
    // A progress bar that was drawn over the line has left its rest.
    let at = if text.get(at..).is_some_and(record::progress) { text.len() } else { at };
    read(lines, index, at, free)
}

/// `Error occurred when executing KSampler:`, a message and frames; `ComfyUI execution error: message`.
pub(crate) fn executing(lines: &Lines<'_>, index: usize, free: usize) -> Option<Found> {
    let text = lines.text(index);
    let relayed = "comfyui execution error: ";
    if let Some(at) = find_ignoring_case(text, relayed) {
        return read(lines, index, at + relayed.len(), free);
    }
    let word = "error occurred when executing";
    let at = find_ignoring_case(text, word)? + word.len();
    let rest = text.get(at..)?;
    let colon = rest.find(": ").or_else(|| rest.trim_end().strip_suffix(':').map(str::len));
    read(lines, index, colon.map_or(text.len(), |colon| at + colon + 1), free)
}

fn read(lines: &Lines<'_>, index: usize, from: usize, free: usize) -> Option<Found> {
    let stack = stack_behind(lines, index);
    let own = match stack {
        Some(stack) => message::range(lines, index, from, stack - 1).into_iter().collect(),
        None => Vec::new(),
    };
    let (own, mut next) = if stack.is_none() { alone(lines, index, from) } else { (own, index + 1) };
    let mut chain = Vec::new();
    if let Some(found) = stack.and_then(|stack| traceback::read(lines, stack)) {
        next = found.next;
        chain = found.raised;
    }
    let typed = chain.last().is_some_and(|last| last.error_type.is_some());
    if !typed {
        let trace = chain.pop().unwrap_or_default();
        let message = if own.is_empty() { trace.message } else { own };
        chain.push(Raised { error_type: None, message, trace: trace.trace });
    }
    let silent = chain.last().is_some_and(|last| !typed && last.message.is_empty());
    let first = if silent { lead::complete(lines, index, free, &mut chain) } else { index };
    let form = if typed { Form::Traceback } else { Form::Marker };
    Some(Found { failure: Failure { form, span: lines.range(first..next)?, chain }, next })
}

/// The head or first frame behind a marker, if only its message stands between.
fn stack_behind(lines: &Lines<'_>, index: usize) -> Option<usize> {
    // Some programs stamp every line that they pass on.
    let each = lines.stamped(index) && lines.stamped(index + 1) && lines.stamped(index + 2);
    for next in index + 1..(index + LONGEST).min(lines.len()) {
        if frames::header(lines, next) || frames::frame(lines, next).is_some() {
            return Some(next);
        }
        let typed = lines.sure(next).is_some();
        if (lines.stamped(next) && !(each && next < index + STAMPED)) || (record::starts(lines, next) && !typed) {
            return None;
        }
    }
    None
}

/// A message without a stack: it ends at a blank line.
fn alone(lines: &Lines<'_>, index: usize, from: usize) -> (Vec<std::ops::Range<usize>>, usize) {
    if lines.text(index).get(from..).is_some_and(|rest| !rest.trim().is_empty()) {
        let found = message::read(lines, index, from, false);
        return (found.ranges, found.next);
    }
    match lines.skip_blank(index + 1, 2) {
        Some(first) if !lines.stamped(first) && (!record::starts(lines, first) || lines.sure(first).is_some()) => {
            let found = message::read(lines, first, 0, false);
            (found.ranges, found.next)
        }
        _ => (Vec::new(), index + 1),
    }
}
