//! The failures that show by their form.

mod frames;
mod group;
pub(crate) mod lead;
mod line;
mod marker;
mod message;
mod native;
mod record;
mod report;
mod traceback;
pub(crate) mod types;
mod validation;

pub(crate) use record::{begins_anew, record_starts};
use rulecheck::evidence::{Failure, Form, Raised};

use crate::anchors::Marks;
use crate::lines::Lines;
use crate::scan::ascii_lower_starts;

/// A failure and the line behind it.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) failure: Failure,
    pub(crate) next: usize,
}

/// All failures in these lines, in order.
pub(crate) fn find(lines: &Lines<'_>, failures: &mut Vec<Failure>) {
    let mut index = 0;
    let mut free = 0;
    while index < lines.len() {
        match at(lines, index, free) {
            Some(found) => {
                index = found.next.max(index + 1);
                free = index;
                failures.push(found.failure);
            }
            None => index += 1,
        }
    }
}

/// The failure that begins in line `index`. Lines before `free` belong to the one before.
fn at(lines: &Lines<'_>, index: usize, free: usize) -> Option<Found> {
    if report::begins(lines, index) {
        return report::read(lines, index);
    }
    if lines.has(index, Marks::PROCESSING) {
        return marker::processing(lines, index, free);
    }
    if lines.has(index, Marks::EXECUTING) {
        return marker::executing(lines, index, free);
    }
    if lines.has(index, Marks::HEADER | Marks::CONNECTOR) || frames::frame(lines, index).is_some() {
        return stack(lines, index, free);
    }
    if lines.has(index, Marks::VALIDATION) {
        return validation::read(lines, index);
    }
    if lines.has(index, Marks::NATIVE | Marks::STACK)
        && let Some(found) = native::read(lines, index)
    {
        return Some(found);
    }
    if lines.has(index, Marks::TYPE) { line::read(lines, index) } else { None }
}

/// A traceback with the line that introduces it and the one that says which import it broke.
fn stack(lines: &Lines<'_>, index: usize, free: usize) -> Option<Found> {
    let connected = lines.has(index, Marks::CONNECTOR);
    let begin = if connected { traceback::behind(lines, index)? } else { index };
    let traceback::Chain { raised: mut chain, next } = traceback::read(lines, begin)?;
    let first = if connected {
        // Of the exception before the connector only what stands above it is left.
        let mut before = vec![Raised::default()];
        let first = lead::complete(lines, index, free, &mut before);
        chain.splice(0..0, before.into_iter().filter(|raised| !raised.message.is_empty()));
        first
    } else {
        lead::complete(lines, index, free, &mut chain)
    };
    let next = behind_import(lines, next);
    Some(Found { failure: Failure { form: Form::Traceback, span: lines.range(first..next)?, chain }, next })
}

/// ComfyUI prints `Cannot import … module for custom nodes` behind the traceback; it belongs to the failure.
fn behind_import(lines: &Lines<'_>, next: usize) -> usize {
    match lines.skip_blank(next, 3) {
        Some(index) if ascii_lower_starts(lines.text(index).trim_start(), "cannot import ") => index + 1,
        _ => next,
    }
}
