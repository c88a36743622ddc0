//! What a person could answer to decide what is open.

use std::collections::{BTreeMap, BTreeSet};

use super::QuestionFound;
use crate::ir::{ActionKind, RuleId};
use crate::ruleset::Ruleset;
use crate::session::Session;

/// Questions for facts that undecided rules wait for and that can be asked of a person: the one that decides most first.
pub(super) fn found(ruleset: &Ruleset, session: &Session) -> Vec<QuestionFound> {
    let program = ruleset.program();
    let mut decides: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (index, rule) in program.rules.iter().enumerate() {
        let id = RuleId(u32::try_from(index).unwrap_or(u32::MAX));
        if !session.is_open(ruleset, id) {
            continue;
        }
        let targets = rule.actions.iter().filter_map(|action| target(ruleset, &action.kind));
        let targets: Vec<String> = targets.collect();
        for name in session.rule_needs(ruleset, id) {
            decides.entry(name).or_default().extend(targets.iter().cloned());
        }
    }
    let mut questions: Vec<QuestionFound> = decides
        .into_iter()
        .filter(|(name, _)| {
            let fact = program.fact_names.get(name.as_str()).and_then(|id| program.facts.get(id.index()));
            fact.is_some_and(|fact| fact.ask.is_some())
        })
        .map(|(fact, decides)| QuestionFound { fact, decides: decides.into_iter().collect() })
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
