//! Which fixes are suggested, under which problem, in which order, and which are withheld.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::problems::superseded;
use super::{ActionRef, CautionFound, Certainty, ProblemFound, Status, SuggestionFound, WithheldFound, WithheldReason};
use crate::explanation::Truth;
use crate::index::Head;
use crate::ir::{ActionKind, Condition, FixId, ProblemId, RuleId, StepKind};
use crate::ruleset::Ruleset;
use crate::session::{Session, and};
use crate::steps;

/// One `suggest` that holds or may hold.
struct Candidate {
    problem: Option<ProblemId>,
    action: ActionRef,
    status: Status,
    priority: u8,
}

/// One `avoid` that holds or may hold, and the problems it is for; none: for all.
struct Avoid {
    action: ActionRef,
    holds: Truth,
    problems: Option<BTreeSet<ProblemId>>,
}

/// The suggestions in order of rank, and the withheld fixes in order of declaration.
pub(super) fn found(
    ruleset: &Ruleset,
    session: &Session,
    problems: &[ProblemFound],
) -> (Vec<SuggestionFound>, Vec<WithheldFound>) {
    let mut suggestions = Vec::new();
    let mut withheld = Vec::new();
    for index in 0..ruleset.program().fixes.len() {
        let fix = FixId(u32::try_from(index).unwrap_or(u32::MAX));
        match one(ruleset, session, problems, fix) {
            Some(Ok(suggestion)) => suggestions.push(suggestion),
            Some(Err(reason)) => withheld.push(reason),
            None => {}
        }
    }
    let place = |problem: Option<ProblemId>| position(problems, problem);
    suggestions.sort_by_key(|s| {
        let risk = ruleset.fix(s.fix).risk;
        (place(s.problem), s.status, s.priority, risk, Reverse(s.tests), s.fix)
    });
    (offer_one_of_each_group(ruleset, suggestions), withheld)
}

/// Where a problem stands for its fixes: covered ones behind all others, those without a problem last.
pub(crate) fn position(problems: &[ProblemFound], problem: Option<ProblemId>) -> (bool, usize) {
    let index = problem.and_then(|_| problems.iter().position(|found| found.problem == problem));
    let covered = index.and_then(|index| problems.get(index)).is_some_and(|found| found.covered_by.is_some());
    (covered && index != Some(0), index.unwrap_or(usize::MAX))
}

fn one(
    ruleset: &Ruleset,
    session: &Session,
    problems: &[ProblemFound],
    fix: FixId,
) -> Option<Result<SuggestionFound, WithheldFound>> {
    let candidates = candidates(ruleset, session, problems, fix);
    let avoids = avoids(ruleset, session, fix);
    let withhold = |reason, actions| Some(Err(WithheldFound { fix, reason, actions }));
    if candidates.is_empty() {
        let actions: Vec<ActionRef> = avoids.iter().filter(|a| a.holds == Truth::True).map(|a| a.action).collect();
        return if actions.is_empty() { None } else { withhold(WithheldReason::Avoided, actions) };
    }
    let (kept, dropped): (Vec<Candidate>, Vec<Candidate>) = candidates
        .into_iter()
        .partition(|candidate| !avoids.iter().any(|avoid| avoid.hits(candidate.problem, Truth::True)));
    if kept.is_empty() {
        let hits = |avoid: &&Avoid| dropped.iter().any(|candidate| avoid.hits(candidate.problem, Truth::True));
        return withhold(WithheldReason::Avoided, avoids.iter().filter(hits).map(|avoid| avoid.action).collect());
    }
    let actions = || kept.iter().map(|candidate| candidate.action).collect();
    if required(ruleset, session, fix) == Truth::False || steps::none_applies(ruleset, session, fix) {
        return withhold(WithheldReason::NotApplicable, actions());
    }
    if steps::in_effect(ruleset, session, fix) {
        return withhold(WithheldReason::InEffect, actions());
    }
    Some(Ok(suggestion(ruleset, session, problems, fix, kept, &avoids)))
}

/// Whether what a fix requires is so.
fn required(ruleset: &Ruleset, session: &Session, fix: FixId) -> Truth {
    ruleset.fix(fix).requires.iter().fold(Truth::True, |value, condition| and(value, session.holds(ruleset, condition)))
}

/// A fix is listed under a problem that holds, if there is one; else under one that may; else under none.
fn standing(problems: &[ProblemFound], problem: Option<ProblemId>) -> (bool, Option<Certainty>) {
    let found = problems.iter().find(|found| problem.is_some() && found.problem == problem);
    (found.is_none(), found.map(|found| found.certainty))
}

impl Avoid {
    fn hits(&self, problem: Option<ProblemId>, holds: Truth) -> bool {
        let concerns = match (&self.problems, problem) {
            (None, _) => true,
            (Some(problems), Some(problem)) => problems.contains(&problem),
            (Some(_), None) => false,
        };
        self.holds == holds && concerns
    }
}

fn suggestion(
    ruleset: &Ruleset,
    session: &Session,
    problems: &[ProblemFound],
    fix: FixId,
    candidates: Vec<Candidate>,
    avoids: &[Avoid],
) -> SuggestionFound {
    let best = candidates.iter().map(|candidate| candidate.status).min().unwrap_or(Status::Possible);
    let mut chosen: Vec<Candidate> = candidates.into_iter().filter(|candidate| candidate.status == best).collect();
    chosen.sort_by_key(|candidate| (standing(problems, candidate.problem), position(problems, candidate.problem)));
    let problem = chosen.first().and_then(|candidate| candidate.problem);
    let mut needs = fix_needs(ruleset, session, fix);
    let settled = needs.is_empty() && required(ruleset, session, fix) == Truth::True;
    let status = if settled { best } else { Status::Possible };
    if best == Status::Possible {
        needs.extend(chosen.iter().flat_map(|candidate| candidate_needs(ruleset, session, candidate)));
    }
    let exceptions = chosen.iter().filter_map(|candidate| open_exception(ruleset, session, candidate.action.0));
    let maybe = avoids.iter().filter(|avoid| avoid.hits(problem, Truth::Unknown)).map(|avoid| CautionFound {
        rule: avoid.action.0,
        action: Some(avoid.action.1),
        needs: session.rule_needs(ruleset, avoid.action.0),
    });
    SuggestionFound {
        fix,
        problem,
        status,
        priority: chosen.iter().map(|candidate| candidate.priority).min().unwrap_or(5),
        tests: chosen
            .iter()
            .map(|candidate| session.rule_support(ruleset, candidate.action.0).tests)
            .max()
            .unwrap_or(0),
        cautions: exceptions.chain(maybe).collect(),
        actions: chosen.iter().map(|candidate| candidate.action).collect(),
        needs: needs.into_iter().collect(),
        alternatives: Vec::new(),
    }
}

/// What a fix itself waits for: its requirements, and the facts that its steps print.
fn fix_needs(ruleset: &Ruleset, session: &Session, id: FixId) -> BTreeSet<String> {
    let fix = ruleset.fix(id);
    let requirements: Vec<&Condition> = fix.requires.iter().collect();
    let mut needs: BTreeSet<String> = session.need_names(ruleset, &requirements).into_iter().collect();
    for step in &fix.steps {
        if step.when.as_ref().is_some_and(|when| session.holds(ruleset, when) == Truth::False) {
            continue;
        }
        let (StepKind::Do(text) | StepKind::Run(text) | StepKind::Via { args: text, .. }) = &step.kind else {
            continue;
        };
        needs.extend(session.unknown_facts_of(ruleset, text));
    }
    needs
}

fn candidate_needs(ruleset: &Ruleset, session: &Session, candidate: &Candidate) -> Vec<String> {
    let rule = candidate.action.0;
    if session.rule(rule).when == Truth::Unknown { session.rule_needs(ruleset, rule) } else { Vec::new() }
}

/// An exception that is not decided: the suggestion holds, with a caution.
fn open_exception(ruleset: &Ruleset, session: &Session, id: RuleId) -> Option<CautionFound> {
    if session.rule(id).unless != Truth::Unknown {
        return None;
    }
    let unless = ruleset.program().rules.get(id.index())?.unless.as_ref()?;
    Some(CautionFound { rule: id, action: None, needs: session.need_names(ruleset, &[unless]) })
}

fn candidates(ruleset: &Ruleset, session: &Session, problems: &[ProblemFound], fix: FixId) -> Vec<Candidate> {
    let mut list = Vec::new();
    for &(id, action) in ruleset.suggesting(fix) {
        let Some(rule) = ruleset.head(id) else { continue };
        let holds = session.rule(id).lenient();
        let Some(ActionKind::Suggest(_, priority)) = rule.actions.get(action) else { continue };
        if holds == Truth::False {
            continue;
        }
        let suspects = rule.actions.iter().any(|action| matches!(action, ActionKind::Suspect(_)));
        let status = if holds == Truth::True && !suspects { Status::Recommended } else { Status::Possible };
        let named = named_problems(rule);
        let mut listed =
            problems.iter().filter_map(|found| found.problem).filter(|problem| named.contains(problem)).peekable();
        if listed.peek().is_none() {
            list.push(Candidate { problem: None, action: (id, action), status, priority: *priority });
        }
        list.extend(listed.map(|problem| Candidate {
            problem: Some(problem),
            action: (id, action),
            status,
            priority: *priority,
        }));
    }
    list
}

fn avoids(ruleset: &Ruleset, session: &Session, fix: FixId) -> Vec<Avoid> {
    let mut list = Vec::new();
    for &(id, action) in ruleset.avoiding(fix) {
        let Some(rule) = ruleset.head(id) else { continue };
        let holds = session.rule(id).lenient();
        if holds == Truth::False {
            continue;
        }
        let named = named_problems(rule);
        let problems = (!named.is_empty()).then(|| {
            let covered = named.iter().flat_map(|&problem| superseded(ruleset, problem));
            named.iter().copied().chain(covered).collect()
        });
        list.push(Avoid { action: (id, action), holds, problems });
    }
    list
}

/// The problems a rule is about: those its condition names, and those it diagnoses or suspects itself.
fn named_problems(rule: &Head) -> Vec<ProblemId> {
    let own = rule.actions.iter().filter_map(|action| match *action {
        ActionKind::Diagnose(problem) | ActionKind::Suspect(problem) => Some(problem),
        _ => None,
    });
    rule.problems.iter().copied().chain(own).collect()
}

/// Of each exclusive group the best-ranked is offered; the others are its alternatives.
fn offer_one_of_each_group(ruleset: &Ruleset, suggestions: Vec<SuggestionFound>) -> Vec<SuggestionFound> {
    let mut offered: Vec<SuggestionFound> = Vec::new();
    for suggestion in suggestions {
        let group = &ruleset.fix(suggestion.fix).exclusive;
        let first = offered.iter_mut().find(|first| group.is_some() && ruleset.fix(first.fix).exclusive == *group);
        match first {
            Some(first) => first.alternatives.push(suggestion.fix),
            None => offered.push(suggestion),
        }
    }
    offered
}
