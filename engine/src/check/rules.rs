//! Rules.

use std::collections::BTreeSet;
use std::sync::Arc;

use rulecheck_grammar::ast::{self, ActionKind as Said, Expr, Name, Operand, RuleClause};
use rulecheck_grammar::{Diagnostic, Span, Spanned};

use super::captures::Captures;
use super::collect::{Declarations, Item};
use super::conditions::Scope;
use super::names::TEXTS;
use super::texts::Braces;
use super::{At, Checker, codes};
use crate::ir::{Action, ActionKind, Condition, ConditionKind, ProblemId, Rule, Test};

/// The clauses of a rule, sorted.
#[derive(Default)]
struct Parts<'f> {
    when: Option<(&'f Expr, Span)>,
    unless: Option<(&'f Expr, Span)>,
    actions: Vec<&'f ast::Action>,
    /// Whether a clause is missing or one too many.
    broken: bool,
}

impl Checker<'_> {
    /// Reads the rules. Gives back the rank of each among all declarations.
    pub(super) fn rules(&mut self, all: &Declarations<'_>) -> Vec<u32> {
        let mut ranks = Vec::new();
        for item in &all.rules {
            if let Some(rule) = self.rule(item) {
                self.program.rules.push(rule);
                ranks.push(item.rank);
            }
        }
        ranks
    }

    fn rule(&mut self, item: &Item<'_, ast::Rule>) -> Option<Rule> {
        let at = item.at;
        let (name, unique) = self.rule_name(item);
        let parts = self.parts(item);
        let (when, _) = parts.when?;
        let unless = parts.unless.map(|(unless, _)| unless);
        let captures = self.captures(when, unless, at);
        let scope = Scope::new(at).with(&captures);
        let when = self.condition(when, scope);
        let unless = unless.map(|unless| self.condition(unless, scope));
        let actions = self.actions(&parts.actions, &captures, at);
        if item.partial {
            return None;
        }
        let when = when?;
        let unless = match unless {
            Some(unless) => Some(unless?),
            None => None,
        };
        let actions = actions?;
        // All that it did may be gone with what a later pack took out.
        if parts.broken || !unique || actions.is_empty() {
            return None;
        }
        let problems = named_problems(&when);
        let site = at.site(item.node.name.as_ref().map_or(item.span, |name| name.span));
        Some(Rule { name, named: item.node.name.is_some(), pack: at.pack, site, when, unless, actions, problems })
    }

    /// The name of a rule, and whether no other has it.
    fn rule_name(&mut self, item: &Item<'_, ast::Rule>) -> (Arc<str>, bool) {
        let at = item.at;
        let Some(name) = &item.node.name else {
            let line = self.line_of(at, item.span.start);
            let file = self.program.sources.get(at.source.0 as usize).map_or("", |source| &source.name);
            return (format!("{file}:{line}").into(), true);
        };
        let known: Arc<str> = name.node.as_str().into();
        if let Some(first) = self.names.rules.get(&known).copied() {
            self.declared_twice("rule", name, at, first);
            return (known, false);
        }
        self.names.rules.insert(Arc::clone(&known), at.site(name.span));
        (known, true)
    }

    fn parts<'f>(&mut self, item: &Item<'f, ast::Rule>) -> Parts<'f> {
        let mut parts = Parts::default();
        for clause in &item.node.clauses {
            let slot = match &clause.kind {
                RuleClause::When(expr) => {
                    (&mut parts.when, expr, "when", "join the two with `and`, or write two rules")
                }
                RuleClause::Unless(expr) => (&mut parts.unless, expr, "unless", "join the two with `or`"),
                RuleClause::Then(action) => {
                    parts.actions.push(action);
                    continue;
                }
            };
            let (slot, expr, word, help) = slot;
            if let Some((_, first)) = slot {
                let message = format!("a rule has one `{word}`, and this is the second");
                let error = Diagnostic::error(codes::RULE_SHAPE, message, item.at.source, clause.span);
                self.push(error.context(item.at.source, *first, "the first").help(help));
                parts.broken = true;
            } else {
                *slot = Some((expr, clause.span));
            }
        }
        if !item.partial {
            self.is_whole(item, &mut parts);
        }
        parts
    }

    fn is_whole(&mut self, item: &Item<'_, ast::Rule>, parts: &mut Parts<'_>) {
        let place = item.node.name.as_ref().map_or(item.span, |name| name.span);
        if parts.when.is_none() {
            let help = "add `when CONDITION`";
            self.error(codes::RULE_SHAPE, item.at, place, "the rule has no `when`", help);
            parts.broken = true;
        }
        if parts.actions.is_empty() {
            let help = "add `then suggest FIX`, `then diagnose PROBLEM` or another action";
            self.error(codes::RULE_SHAPE, item.at, place, "the rule does nothing", help);
            parts.broken = true;
        }
    }

    fn actions(&mut self, actions: &[&ast::Action], captures: &Captures, at: At) -> Option<Vec<Action>> {
        let mut sound = Some(Vec::new());
        for action in actions {
            let because = action.because.as_ref().map(|text| self.text(text, at, Braces::Prose, Some(captures)));
            if matches!(action.kind.node, Said::Avoid(_)) && because.is_none() {
                let help = "add `because \"…\"`: it is shown beside the fix that is withheld";
                self.error(codes::RULE_SHAPE, at, action.kind.span, "`avoid` does not say why", help);
            }
            match self.action(&action.kind, at) {
                Ok(Some(kind)) => {
                    let action = Action { site: at.site(action.kind.span), kind, because };
                    sound.as_mut().map(|sound| sound.push(action)).unwrap_or_default();
                }
                Ok(None) => {}
                Err(Reported) => sound = None,
            }
        }
        sound
    }

    /// An action; `None` if what it names was taken out by a later pack.
    fn action(&mut self, action: &Spanned<Said>, at: At) -> Result<Option<ActionKind>, Reported> {
        let (Said::Diagnose(name)
        | Said::Suspect(name)
        | Said::Suggest(name, _)
        | Said::Avoid(name)
        | Said::Conclude(name, _)) = &action.node;
        if !matches!(action.node, Said::Conclude(..)) && self.is_taken_out(name) {
            return Ok(None);
        }
        let kind = match &action.node {
            Said::Diagnose(problem) => self.problem(problem, at).map(ActionKind::Diagnose),
            Said::Suspect(problem) => self.problem(problem, at).map(ActionKind::Suspect),
            Said::Avoid(fix) => self.fix(fix, at).map(ActionKind::Avoid),
            Said::Suggest(fix, priority) => {
                // That it lies between 1 and 9 is seen to where it is parsed.
                let priority = priority.as_ref().and_then(|priority| u8::try_from(priority.node).ok()).unwrap_or(5);
                self.fix(fix, at).map(|fix| ActionKind::Suggest(fix, priority.clamp(1, 9)))
            }
            Said::Conclude(fact, value) => self.conclude(fact, value, at),
        };
        kind.map(Some).ok_or(Reported)
    }

    fn is_taken_out(&self, name: &Name) -> bool {
        let id = name.node.as_str();
        self.names.disabled.contains(id) && !self.names.problems.contains_key(id) && !self.names.fixes.contains_key(id)
    }

    fn conclude(&mut self, name: &Name, value: &Spanned<Operand>, at: At) -> Option<ActionKind> {
        let fact = self.fact_named(name, at)?;
        if TEXTS.contains(&name.node.as_str()) {
            let message = format!("`{}` is what the text says, and no rule concludes it", name.node);
            self.error(codes::OTHER_KIND, at, name.span, message, "conclude a fact that you declare yourself");
            return None;
        }
        let ty = self.type_of(fact);
        self.literal(value, &ty, name.span, at).map(|value| ActionKind::Conclude(fact, value))
    }
}

/// A mistake that was reported.
struct Reported;

/// The problems that a condition names outside `not` and `none of`, in the order written.
fn named_problems(when: &Condition) -> Vec<ProblemId> {
    let mut problems = Vec::new();
    collect(when, &mut problems);
    let mut seen = BTreeSet::new();
    problems.retain(|problem| seen.insert(*problem));
    problems
}

/// Recursion is bounded by the depth that [`Checker::condition`] allows.
fn collect(condition: &Condition, problems: &mut Vec<ProblemId>) {
    match &condition.kind {
        ConditionKind::All(list) | ConditionKind::Any(list) | ConditionKind::AtLeast(_, list) => {
            list.iter().for_each(|inner| collect(inner, problems));
        }
        ConditionKind::Test(Test::Problem(problem)) => problems.push(*problem),
        ConditionKind::Not(_) | ConditionKind::Quantified(..) | ConditionKind::Test(_) => {}
    }
}
