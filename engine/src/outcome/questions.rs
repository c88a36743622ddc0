//! What a person could answer to decide what is open.

use std::collections::{BTreeMap, BTreeSet};

use super::QuestionFound;
use crate::ir::{ActionKind, FactId, RuleId};
use crate::ruleset::Ruleset;
use crate::session::Session;

/// Questions for facts that undecided rules wait for and that can be asked of a person: the one that decides most first.
pub(super) fn found(ruleset: &Ruleset, session: &Session) -> Vec<QuestionFound> {
    let mut decides: BTreeMap<FactId, BTreeSet<String>> = BTreeMap::new();
    for (id, rule) in (0..).map(RuleId).zip(&ruleset.index().rules) {
        if !session.is_open(ruleset, id) {
            continue;
        }
        let asked = session.fact_needs(ruleset, id).into_iter();
        let asked: Vec<FactId> =
            asked.filter(|fact| ruleset.index().fact(*fact).is_some_and(|fact| fact.has_question)).collect();
        if asked.is_empty() {
            continue;
        }
        let targets: Vec<String> = rule.actions.iter().filter_map(|action| target(ruleset, action)).collect();
        for fact in asked {
            decides.entry(fact).or_default().extend(targets.iter().cloned());
        }
    }
    let mut questions: Vec<QuestionFound> = decides
        .into_iter()
        .map(|(fact, decides)| QuestionFound {
            fact: ruleset.fact_name(fact).to_owned(),
            decides: decides.into_iter().collect(),
        })
        .collect();
    questions.sort_by(|a, b| b.decides.len().cmp(&a.decides.len()).then_with(|| a.fact.cmp(&b.fact)));
    questions
}

fn target(ruleset: &Ruleset, kind: &ActionKind) -> Option<String> {
    let program = ruleset.program();
    match kind {
        ActionKind::Diagnose(problem) | ActionKind::Suspect(problem) => {
            program.problems.get(problem.index()).map(|problem| problem.info.id.to_string())
        }
        ActionKind::Suggest(fix, _) | ActionKind::Avoid(fix) => {
            program.fixes.get(fix.index()).map(|fix| fix.info.id.to_string())
        }
        ActionKind::Conclude(..) => None,
    }
}
