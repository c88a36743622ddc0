//! Why a suggestion stands where it does.

use crate::diagnosis::{Diagnosis, Suggestion};
use crate::ir::FixId;
use crate::outcome::SuggestionFound;
use crate::words;

/// Which step of the order decided between a suggestion and the one before it; for the first, and the one behind it.
pub(super) fn text(diagnosis: &Diagnosis, fix: FixId, lang: &str) -> String {
    let suggestions = diagnosis.suggestions();
    let found = &diagnosis.outcome.suggestions;
    let Some(own) = found.iter().position(|found| found.fix == fix) else { return String::new() };
    let (other, word) = match own.checked_sub(1) {
        Some(before) => (before, words::ORDER_BEHIND),
        None if found.len() == 1 => return words::ORDER_ONLY.get(lang).to_owned(),
        None => (1, words::ORDER_BEFORE),
    };
    let (Some(a), Some(b), Some(own), Some(other)) =
        (found.get(own), found.get(other), suggestions.get(own), suggestions.get(other))
    else {
        return String::new();
    };
    word.with(lang, &[other.fix(), &decided_by((a, own), (b, other), lang)])
}

fn decided_by(
    (a, own): (&SuggestionFound, &Suggestion<'_>),
    (b, other): (&SuggestionFound, &Suggestion<'_>),
    lang: &str,
) -> String {
    if a.problem != b.problem {
        return words::BY_PROBLEM.with(lang, &[own.problem(), other.problem()]);
    }
    if a.status != b.status {
        return words::BY_STATUS.with(lang, &[words::status(a.status).get(lang), words::status(b.status).get(lang)]);
    }
    if a.priority != b.priority {
        return words::BY_PRIORITY.with(lang, &[&a.priority.to_string(), &b.priority.to_string()]);
    }
    if own.risk() != other.risk() {
        return words::BY_RISK.with(lang, &[words::risk(own.risk()).get(lang), words::risk(other.risk()).get(lang)]);
    }
    if a.tests != b.tests {
        return words::BY_TESTS.with(lang, &[&a.tests.to_string(), &b.tests.to_string()]);
    }
    words::BY_DECLARATION.get(lang).to_owned()
}
