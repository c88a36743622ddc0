//! What is said when no rule knows the failure: what was understood all the same, and what to add.

use super::markup::Tone;
use super::text::Report;
use super::{Detail, Style};
use crate::diagnosis::{Diagnosis, NearMiss};
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
    nearest(report);
    report.heading(words::ADD_TO_PASTE);
    for word in missing(diagnosis) {
        report.item(report.word(word));
    }
    if report.style.detail == Detail::Full {
        report.item(report.word(words::ADD_RULE));
    }
}

/// Near misses of which a person is told, a line each: what it would be, and what is missing.
pub(crate) fn near_misses(diagnosis: &Diagnosis, style: &Style<'_>) -> Vec<String> {
    const SHOWN: usize = 3;
    let told = |miss: &NearMiss| miss.by_text || style.detail == Detail::Full;
    let line = |miss: NearMiss| {
        let titles: Vec<_> = miss.titles.iter().zip(&miss.decides).map(|(title, id)| titled(title, id)).collect();
        let titles = titles.join(words::JOIN.get(style.lang));
        words::WOULD_TAKE.with(style.lang, &[&titles, &miss.needs.join(words::SAID_AND.get(style.lang))])
    };
    diagnosis.near_misses(style.lang).into_iter().filter(told).take(style.limit(SHOWN)).map(line).collect()
}

fn titled(title: &str, id: &str) -> String {
    if title == id { format!("[{id}]") } else { format!("{title} [{id}]") }
}

fn nearest(report: &mut Report<'_>) {
    let lines = near_misses(report.diagnosis, report.style);
    if lines.is_empty() {
        return;
    }
    report.heading(words::NEAREST);
    for line in lines {
        report.item(&line);
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
