//! `some.ErrorType: message` on a line of its own.

use rulecheck::evidence::{Failure, Form, Raised};

use crate::failures::{Found, frames, message, traceback};
use crate::lines::Lines;

/// A line that names an exception, with the lines that go on with its message. A traceback behind it that lost its foot
/// is its stack.
pub(crate) fn read(lines: &Lines<'_>, index: usize) -> Option<Found> {
    let text = lines.text(index);
    let line = lines.sure(index)?;
    let from = if line.message < text.len() { line.message } else { text.len() };
    let announced = text
        .trim_start_matches(['"', '`', ' '])
        .get(..22)
        .is_some_and(|start| start.eq_ignore_ascii_case("exception has occurred"));
    if from == text.len() && !announced && text.trim().contains(' ') {
        return None;
    }
    let message = message::read(lines, index, from, false);
    let mut raised = Raised { error_type: lines.part(index, line.name), message: message.ranges, trace: Vec::new() };
    let mut next = message.next;
    let mut form = Form::Line;
    if let Some(found) = stack_without_foot(lines, next) {
        raised.trace = found.raised.into_iter().flat_map(|raised| raised.trace).collect();
        next = found.next;
        form = Form::Traceback;
    }
    Some(Found { failure: Failure { form, span: lines.range(index..next)?, chain: vec![raised] }, next })
}

fn stack_without_foot(lines: &Lines<'_>, next: usize) -> Option<traceback::Chain> {
    let head = lines.skip_blank(next, 2)?;
    if !frames::header(lines, head) && frames::frame(lines, head).is_none() {
        return None;
    }
    let found = traceback::read(lines, head)?;
    let footless = |raised: &Raised| raised.error_type.is_none() && raised.message.is_empty();
    found.raised.iter().all(footless).then_some(found)
}
