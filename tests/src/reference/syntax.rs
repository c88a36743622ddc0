//! The syntax tree, read: the clauses of a rule, and what a condition names.

use rulecheck_grammar::ast::{
    ActionKind, Clause, CompareOp, Expr, ExprKind, FactClause, GroupKind, Items, Operand, Rule, RuleClause,
};

use super::truth::written;

pub(super) fn word(expr: &Expr) -> &str {
    match &expr.kind {
        ExprKind::Operand(Operand::Word(word)) => word,
        _ => "",
    }
}

pub(super) fn has_probe(clauses: &[Clause<FactClause>]) -> bool {
    clauses.iter().any(|clause| matches!(clause.kind, FactClause::Probe(_)))
}

pub(super) fn when(rule: &Rule) -> impl Iterator<Item = &Expr> {
    rule.clauses.iter().filter_map(|clause| if let RuleClause::When(expr) = &clause.kind { Some(expr) } else { None })
}

pub(super) fn unless(rule: &Rule) -> impl Iterator<Item = &Expr> {
    rule.clauses.iter().filter_map(|clause| if let RuleClause::Unless(expr) = &clause.kind { Some(expr) } else { None })
}

pub(super) fn actions(rule: &Rule) -> impl Iterator<Item = &ActionKind> {
    rule.clauses
        .iter()
        .filter_map(|clause| if let RuleClause::Then(action) = &clause.kind { Some(&action.kind.node) } else { None })
}

pub(super) fn diagnoses(rule: &Rule, problem: &str) -> bool {
    actions(rule)
        .any(|action| matches!(action, ActionKind::Diagnose(id) | ActionKind::Suspect(id) if id.node == problem))
}

/// The conditions right below one.
pub(super) fn parts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::And(list) | ExprKind::Or(list) | ExprKind::AtLeast(_, list) | ExprKind::Group(_, list) => {
            list.iter().collect()
        }
        ExprKind::Not(inner) | ExprKind::Quantified { condition: inner, .. } => vec![inner],
        _ => Vec::new(),
    }
}

pub(super) fn asks_no_problem(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::NoProblem) || parts(expr).into_iter().any(asks_no_problem)
}

/// The problems that a single condition asks for, and whether it asks that they are not.
pub(super) fn asked_problems(expr: &Expr) -> Option<(Vec<String>, bool)> {
    match &expr.kind {
        ExprKind::Compare { left, op, right, .. } if word(left) == "problem" => {
            Some((vec![word(right).to_owned()], op.node == CompareOp::NotEqual))
        }
        ExprKind::In { left, negated, items } if word(left) == "problem" => match &items.node {
            Items::List(list) => Some((list.iter().map(|item| written(&item.node)).collect(), *negated)),
            Items::Range(_) => None,
        },
        _ => None,
    }
}

/// The problems that a condition names outside `not`, `none of` and quantifiers.
pub(super) fn named(expr: &Expr) -> Vec<String> {
    match &expr.kind {
        ExprKind::Not(_) | ExprKind::Group(GroupKind::None, _) | ExprKind::Quantified { .. } => Vec::new(),
        _ => match asked_problems(expr) {
            Some((problems, false)) => problems,
            Some((_, true)) => Vec::new(),
            None => parts(expr).into_iter().flat_map(named).collect(),
        },
    }
}

/// The facts that a single condition reads, with `.version` for the second half of `NAME = WORD OP VERSION`.
pub(super) fn words(expr: &Expr) -> Vec<String> {
    match &expr.kind {
        ExprKind::Compare { left, right, version, .. } => {
            let version = version.iter().map(|_| format!("{}.version", word(left)));
            words(left).into_iter().chain(words(right)).chain(version).collect()
        }
        ExprKind::Arithmetic { left, right, .. } => words(left).into_iter().chain(words(right)).collect(),
        ExprKind::In { left, .. }
        | ExprKind::About { left, .. }
        | ExprKind::Has { left, .. }
        | ExprKind::Is { left, .. } => words(left),
        ExprKind::Operand(Operand::Word(word)) => vec![word.clone()],
        _ => Vec::new(),
    }
}

/// What stands in braces.
pub(super) fn printed(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0))
}
