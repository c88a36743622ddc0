//! What is said when no rule knows the failure: what was understood all the same, and what to add.

use super::Detail;
use super::markup::Tone;
use super::text::Report;
use crate::diagnosis::Diagnosis;
use crate::words::{self, Word};

/// What the answer comes to.
pub(crate) fn headline(diagnosis: &Diagnosis) -> Word {
    if diagnosis.evidence().failures().is_empty() { words::NO_FAILURE } else { words::NO_RULE }
}

/// What to add to the paste so that more can be said.
pub(crate) fn missing(diagnosis: &Diagnosis) -> Vec<Word> {
    let mut missing = Vec::new();
    let failures = diagnosis.evidence().failures();
    if failures.is_empty() {
        missing.push(words::ADD_ERROR);
    } else if failures.iter().all(|failure| failure.chain.iter().all(|raised| raised.trace.is_empty())) {
        missing.push(words::ADD_TRACE);
    }
    // The facts that every start of a program prints first.
    let facts = diagnosis.facts();
    let known = |names: &[&str]| facts.iter().any(|fact| names.contains(&fact.name()));
    if !(known(&["os"]) && known(&["torch.version", "app.version"])) {
        missing.push(words::ADD_START);
    }
    missing
}

pub(crate) fn write(report: &mut Report<'_>) {
    let diagnosis = report.diagnosis;
    report.out.push(Tone::Warn, "? ");
    report.line(Tone::Strong, report.word(headline(diagnosis)));
    let failure = diagnosis.headline();
    if !failure.is_empty() {
        report.paragraph("  ", "  ", Tone::Plain, &shortened(&failure));
    }
    report.understood();
    report.heading(words::ADD_TO_PASTE);
    for word in missing(diagnosis) {
        report.item(report.word(word));
    }
    if report.style.detail == Detail::Full {
        report.item(report.word(words::ADD_RULE));
    }
}

/// A first line that people can read: a paste may hold one of megabytes.
fn shortened(line: &str) -> String {
    const MOST: usize = 400;
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or("")),
        None => line.to_owned(),
    }
}
