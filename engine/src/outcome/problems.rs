//! Which problems came up, and in which order.

use std::collections::BTreeSet;

use super::{ActionRef, Certainty, ProblemFound};
use crate::explanation::Truth;
use crate::ir::{ActionKind, ProblemId, ProblemSeverity, RuleId};
use crate::ruleset::Ruleset;
use crate::session::Session;

/// The problems that came up, the primary one first.
pub(super) fn found(ruleset: &Ruleset, session: &Session) -> Vec<ProblemFound> {
    let ids = (0..ruleset.program().problems.len()).map(|index| ProblemId(u32::try_from(index).unwrap_or(u32::MAX)));
    let mut list: Vec<ProblemFound> = ids.filter_map(|id| problem(ruleset, session, id)).collect();
    cover(ruleset, &mut list);
    let has_failure = session.texts.failure_span().is_some();
    list.sort_by_key(|found| {
        let severity = severity(ruleset, found);
        let covered = found.covered_by.is_some();
        let (first, second) =
            if has_failure { (severity as u8, found.certainty as u8) } else { (found.certainty as u8, severity as u8) };
        (first, second, covered, found.distance, found.problem)
    });
    list
}

fn severity(ruleset: &Ruleset, found: &ProblemFound) -> ProblemSeverity {
    let problem = found.problem.and_then(|id| ruleset.program().problems.get(id.index()));
    problem.map_or(ProblemSeverity::Failure, |problem| problem.severity)
}

fn problem(ruleset: &Ruleset, session: &Session, id: ProblemId) -> Option<ProblemFound> {
    if session.problem(id) == Truth::False {
        return None;
    }
    let certain = session.problem(id) == Truth::True;
    let mut actions: Vec<ActionRef> = Vec::new();
    let mut needs = BTreeSet::new();
    let mut spans = Vec::new();
    for &rule in ruleset.diagnosing(id) {
        let holds = session.rule(rule).strict();
        let Some(action) = action_for(ruleset, rule, id, holds, certain) else { continue };
        actions.push((rule, action));
        if holds == Truth::Unknown {
            needs.extend(session.rule_needs(ruleset, rule));
        }
        spans.extend(session.rule_support(ruleset, rule).spans);
    }
    spans.sort_by_key(|span| (distance(session, span), span.start, span.end));
    spans.dedup();
    Some(ProblemFound {
        problem: Some(id),
        certainty: if certain { Certainty::Certain } else { Certainty::Possible },
        covered_by: None,
        distance: spans.first().map_or(u32::MAX, |span| distance(session, span)),
        actions,
        evidence: spans,
        needs: if certain { Vec::new() } else { needs.into_iter().collect() },
    })
}

fn distance(session: &Session, span: &std::ops::Range<usize>) -> u32 {
    session.texts.line_distance(span).unwrap_or(u32::MAX)
}

/// The action of a rule that counts for a problem: of a certain problem only those that make it certain.
fn action_for(ruleset: &Ruleset, rule: RuleId, id: ProblemId, holds: Truth, certain: bool) -> Option<usize> {
    let actions = &ruleset.head(rule)?.actions;
    actions.iter().position(|action| match *action {
        ActionKind::Diagnose(problem) if problem == id => holds == Truth::True || (!certain && holds == Truth::Unknown),
        ActionKind::Suspect(problem) if problem == id => !certain && holds != Truth::False,
        _ => false,
    })
}

/// Marks what others supersede, straight or through others. A possible problem covers only possible ones.
fn cover(ruleset: &Ruleset, list: &mut [ProblemFound]) {
    let came_up: Vec<(ProblemId, Certainty)> =
        list.iter().filter_map(|found| Some((found.problem?, found.certainty))).collect();
    for &(covering, certainty) in &came_up {
        for covered in superseded(ruleset, covering) {
            let entry = list.iter_mut().find(|found| found.problem == Some(covered));
            if let Some(entry) = entry
                && entry.covered_by.is_none()
                && covered != covering
                && (certainty == Certainty::Certain || entry.certainty == Certainty::Possible)
            {
                entry.covered_by = Some(covering);
            }
        }
    }
}

/// All problems that a problem supersedes, straight or through others.
pub(super) fn superseded(ruleset: &Ruleset, id: ProblemId) -> BTreeSet<ProblemId> {
    let mut all = BTreeSet::new();
    let mut open = vec![id];
    while let Some(next) = open.pop() {
        let entry = ruleset.program().problems.get(next.index());
        for &covered in entry.map_or(&[][..], |problem| &problem.supersedes) {
            if all.insert(covered) {
                open.push(covered);
            }
        }
    }
    all
}
