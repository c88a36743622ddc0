//! Which of the failures in a text is the one it is about.

use std::ops::Range;

use super::lines::{Recognised, next_line, touches, whole_lines};
use super::view::{Composed, main_member};
use super::{Other, Standing};
use crate::evidence::{Evidence, Failure, Form};
use crate::ir::ErrorPart;

/// The failure, if one shows by its form, and what the others are.
#[derive(Debug, Clone, Default)]
pub(super) struct Choice {
    pub(super) failure: Option<usize>,
    pub(super) others: Vec<Other>,
    /// Where the log prints the failure that a report names; else where the failure stands.
    pub(super) in_log: Option<Range<usize>>,
}

/// What a line that is recognised makes of a failure.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cover {
    None,
    Handled,
    Import,
}

pub(super) fn choose(evidence: &Evidence, lines: &Recognised) -> Choice {
    let failures = evidence.failures();
    let covers: Vec<Cover> = failures.iter().map(|failure| cover(evidence.text(), failure, lines)).collect();
    let of = |wanted: Cover| -> Vec<usize> {
        covers.iter().enumerate().filter(|(_, cover)| **cover == wanted).map(|(index, _)| index).collect()
    };
    let open = of(Cover::None);
    let form = |index: &usize| failures.get(*index).map(|failure| failure.form);
    let reported: Vec<usize> = open.iter().copied().filter(|index| form(index) == Some(Form::Report)).collect();
    let candidates = if reported.is_empty() { &open } else { &reported };
    let chosen = first_of_last(failures, candidates, lines).or_else(|| of(Cover::Import).first().copied());
    let Some(index) = chosen else {
        let others = (0..failures.len()).map(|index| Other { index, standing: Standing::Handled }).collect();
        return Choice { others, ..Choice::default() };
    };
    let is_report = |index: usize| form(&index) == Some(Form::Report);
    let twin = is_report(index).then(|| {
        let twins: Vec<usize> =
            open.iter().copied().filter(|&other| !is_report(other) && same(evidence, index, other)).collect();
        first_of_last(failures, &twins, lines)
    });
    let twin = twin.flatten();
    Choice {
        failure: Some(index),
        others: others(evidence, index, &covers),
        in_log: failures.get(twin.unwrap_or(index)).map(|failure| failure.span.clone()),
    }
}

fn others(evidence: &Evidence, chosen: usize, covers: &[Cover]) -> Vec<Other> {
    let failures = evidence.failures();
    let start = failures.get(chosen).map_or(0, |failure| failure.span.start);
    let standing = |index: usize| match covers.get(index) {
        Some(Cover::Handled) => Standing::Handled,
        Some(Cover::Import) => Standing::Import,
        _ if same(evidence, chosen, index) => Standing::Same,
        _ if failures.get(index).is_some_and(|failure| failure.span.start < start) => Standing::Earlier,
        _ => Standing::Follows,
    };
    (0..failures.len())
        .filter(|&index| index != chosen)
        .map(|index| Other { index, standing: standing(index) })
        .collect()
}

/// A warning covers a failure whose last type (or first message line) it is; a retry or an import also one that it
/// lies in or stands right behind, since that is where programs say what they made of it.
fn cover(text: &str, failure: &Failure, lines: &Recognised) -> Cover {
    let last = failure.chain.last();
    let head = last.and_then(|raised| raised.error_type.as_ref().or_else(|| raised.message.first()));
    let head = whole_lines(text, head.unwrap_or(&failure.span));
    let span = whole_lines(text, &failure.span);
    let near = |ranges: &[Range<usize>]| {
        !ranges.is_empty() && (touches(ranges, &span) || touches(ranges, &next_line(text, span.end)))
    };
    if touches(&lines.warnings, &head) || near(&lines.retries) {
        Cover::Handled
    } else if near(&lines.imports) {
        Cover::Import
    } else {
        Cover::None
    }
}

/// The first of the last run that holds one, else the first of the last start that holds one.
fn first_of_last(failures: &[Failure], candidates: &[usize], lines: &Recognised) -> Option<usize> {
    let before = |places: &[usize], at: usize| {
        places.partition_point(|&place| place <= at).checked_sub(1).and_then(|index| places.get(index)).copied()
    };
    let begin = |index: usize| failures.get(index).map_or(0, |failure| failure.span.start);
    let start_of = |index: usize| before(&lines.starts, begin(index));
    // A start ends the run before it.
    let run_of = |index: usize| {
        before(&lines.runs, begin(index)).filter(|&run| start_of(index).is_none_or(|start| start <= run))
    };
    let last_run = candidates.iter().filter_map(|&index| run_of(index)).max();
    if last_run.is_some() {
        return candidates.iter().copied().find(|&index| run_of(index) == last_run);
    }
    let last_start = candidates.iter().map(|&index| start_of(index)).max()?;
    candidates.iter().copied().find(|&index| start_of(index) == last_start)
}

/// Whether two failures say the same: one in a report, one in its log.
fn same(evidence: &Evidence, one: usize, other: usize) -> bool {
    let failures = evidence.failures();
    let (Some(one), Some(other)) = (failures.get(one), failures.get(other)) else { return false };
    let message = |failure: &Failure| {
        let first = failure.chain.get(main_member(failure)).and_then(|raised| raised.message.first()).cloned();
        first.map(|range| evidence.slice(&range).lines().next().unwrap_or_default().trim().to_owned())
    };
    let kind = |failure: &Failure| Composed::part(evidence, failure, ErrorPart::Type).text;
    let (own, its) = (kind(one), kind(other));
    let alike = own.is_empty() || its.is_empty() || own == its;
    alike && message(one).is_some_and(|own| !own.is_empty() && Some(own) == message(other))
}
