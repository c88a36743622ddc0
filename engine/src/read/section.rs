//! Where the sections of a text are.

use std::ops::Range;

use super::failure::Choice;
use super::view::Found;
use crate::evidence::{Evidence, Form};
use crate::ir::{Edge, Program, Section};
use crate::pattern::space::{line_end, line_start};

/// The place of each section of a program; `None` where the paste lacks it.
pub(super) fn places(
    program: &Program,
    evidence: &Evidence,
    found: &Found,
    choice: &Choice,
) -> Vec<Option<Range<usize>>> {
    program.sections.iter().map(|section| place(section, evidence, found, choice)).collect()
}

fn place(section: &Section, evidence: &Evidence, found: &Found, choice: &Choice) -> Option<Range<usize>> {
    let text = evidence.text();
    let failure = choice.in_log.as_ref().map(|span| span.start);
    let start = match section.from {
        Edge::Start => 0,
        Edge::End => text.len(),
        Edge::Error => failure?,
        Edge::Pattern(pattern) => {
            let hits = found.of(pattern);
            let hit = if section.last {
                last_start(hits.len(), |index| hits.get(index).map(|hit| hit.span.start), evidence, choice)
            } else {
                Some(0)
            };
            line_start(text.as_bytes(), hits.get(hit?)?.span.start)
        }
    };
    let end = match section.to {
        Edge::Start => 0,
        Edge::End => text.len(),
        // A failure before the section (a report names it first) does not end it.
        Edge::Error => failure.filter(|&failure| failure >= start).unwrap_or(text.len()),
        Edge::Pattern(pattern) => {
            // The line that begins a section does not end it.
            let first = line_end(text.as_bytes(), start);
            let next = found.of(pattern).iter().find(|hit| hit.span.start > first);
            next.map_or(text.len(), |hit| line_start(text.as_bytes(), hit.span.start).max(start))
        }
    };
    (start < end).then_some(start..end)
}

/// The last start before the failure; without a failure the last of all. So too where a report names the failure and
/// all the log stands behind it.
fn last_start(
    count: usize,
    begin: impl Fn(usize) -> Option<usize>,
    evidence: &Evidence,
    choice: &Choice,
) -> Option<usize> {
    let last = count.checked_sub(1)?;
    let Some(failure) = &choice.in_log else { return Some(last) };
    let before = (0..count).rev().find(|&index| begin(index).is_some_and(|begin| begin <= failure.start));
    let form = choice.failure.and_then(|index| evidence.failures().get(index)).map(|failure| failure.form);
    before.or_else(|| (form == Some(Form::Report)).then_some(last))
}
