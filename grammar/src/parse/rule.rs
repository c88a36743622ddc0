//! Rules: conditions and actions.

use super::cx::{Cx, shown};
use super::declaration::{Reader, plain};
use super::expr::condition;
use super::mistakes::next_word;
use super::pattern::whole;
use super::split::Group;
use super::syntax::{Node, Nodes, Rule as Syntax};
use super::{cx, text, value};
use crate::ast::{Action, ActionKind, Clause, Rule, RuleClause, Text};
use crate::codes;
use crate::source::{Span, Spanned};

/// Reads a rule. One that lost a clause to a mistake is partial: it would say something else, and is there only so that
/// the mistakes in its other clauses are found in the same run.
pub(super) fn rule(reader: &mut Reader<'_, '_>, head: &Group, groups: Vec<Group>) -> Option<Rule> {
    let mut clauses = Vec::new();
    let name = head_clauses(reader, head, &mut clauses);
    for mut group in groups {
        let trivia = std::mem::take(&mut group.trivia);
        let first = clauses.len();
        pieces(reader, &group, group.start, &mut clauses);
        if let Some(clause) = clauses.get_mut(first) {
            clause.trivia = trivia;
        }
    }
    Some(Rule { name: name?, clauses })
}

/// Reads the first line: `rule NAME` with or without clauses, or a bare `when`. The outer `None`: it has a mistake.
fn head_clauses(
    reader: &mut Reader<'_, '_>,
    head: &Group,
    clauses: &mut Vec<Clause<RuleClause>>,
) -> Option<Option<Spanned<String>>> {
    if head.broken {
        reader.partial = true;
        return None;
    }
    if !reader.cx.slice(head.start, head.end).starts_with("rule") {
        pieces(reader, head, head.start, clauses);
        return Some(None);
    }
    // Up to the first clause that begins with `then` or `unless`; a `when` before it stands behind the name.
    let cut = head.cuts.first().map_or(head.end, |cut| cut + "then".len());
    let (name_at, name) = next_word(reader.cx, head.start + "rule".len(), head.end);
    let (when_at, when) = next_word(reader.cx, name_at + name.len(), head.end);
    let end = if when == "when" { when_at + when.len() } else { cut.min(head.end) };
    let result = reader.piece(Syntax::rule_head, head.start, end, |cx, mut it| value::id(cx, &it.one(Syntax::word)?));
    if when == "when" || !head.cuts.is_empty() {
        pieces(reader, head, if when == "when" { when_at } else { cut - "then".len() }, clauses);
    }
    result.map(Some)
}

/// Reads the clauses that follow each other from `start` on.
fn pieces(reader: &mut Reader<'_, '_>, group: &Group, start: usize, clauses: &mut Vec<Clause<RuleClause>>) {
    if group.broken {
        reader.partial = true;
        return;
    }
    let mut start = start;
    let first = start;
    for cut in group.cuts.iter().copied().filter(|cut| *cut > first).chain([group.end]) {
        let end = start + reader.cx.slice(start, cut).trim_end().len();
        if let Some(clause) = piece(reader, start, end) {
            clauses.push(plain(cx::span(start, end), clause));
        }
        start = cut;
    }
}

fn piece(reader: &mut Reader<'_, '_>, start: usize, end: usize) -> Option<RuleClause> {
    let Some((word, rule)) = reader.clause_word(start, end) else {
        reader.partial = true;
        return None;
    };
    reader.piece(rule, start, end, |cx, mut nodes| match word {
        "when" => Some(RuleClause::When(condition(cx, nodes.one(Syntax::condition)?)?)),
        "unless" => Some(RuleClause::Unless(condition(cx, nodes.one(Syntax::condition)?)?)),
        _ => Some(RuleClause::Then(action(cx, nodes)?)),
    })
}

fn action(cx: &mut Cx<'_>, mut nodes: Nodes<'_>) -> Option<Action> {
    let (rule, node) = nodes.any()?;
    let place = cx.span(&node);
    let mut parts = Nodes::of(node);
    let mut kind = if rule == Syntax::conclude {
        let fact = value::used(cx, &parts.one(Syntax::word)?)?;
        parts.one(Syntax::equals)?;
        ActionKind::Conclude(fact, value::value(cx, parts.one(Syntax::value)?)?)
    } else {
        let verb = parts.one(Syntax::verb)?;
        let name = value::used(cx, &parts.one(Syntax::word)?)?;
        match verb.as_str() {
            "diagnose" => ActionKind::Diagnose(name),
            "suspect" => ActionKind::Suspect(name),
            "avoid" => ActionKind::Avoid(name),
            _ => ActionKind::Suggest(name, None),
        }
    };
    let (mut because, mut end) = (None, place);
    while let Some((rule, node)) = nodes.any() {
        let part = cx.span(&node);
        match rule {
            Syntax::because => add_because(cx, node, part, &mut because)?,
            Syntax::priority => {
                add_priority(cx, node, part, &mut kind)?;
                end = part;
            }
            _ => {}
        }
    }
    Some(Action { kind: Spanned::new(kind, place.to(end)), because })
}

fn add_because(cx: &mut Cx<'_>, node: Node<'_>, place: Span, because: &mut Option<Text>) -> Option<()> {
    let reason = text::text(cx, Nodes::of(node).one(Syntax::text)?)?;
    if because.replace(reason).is_some() {
        return repeated(cx, "because", place);
    }
    Some(())
}

fn add_priority(cx: &mut Cx<'_>, node: Node<'_>, place: Span, kind: &mut ActionKind) -> Option<()> {
    let ActionKind::Suggest(_, priority) = kind else {
        let found = cx.error(codes::MISPLACED, "only `suggest` takes a `priority`", place);
        cx.report(found.help("delete it").edit(cx.id, place, ""));
        return None;
    };
    let word = Nodes::of(node).one(Syntax::word)?;
    let Some(number) = whole(word.as_str()).filter(|it| (1..=9).contains(it)) else {
        let found = cx.error(codes::NUMBER, format!("{} is no priority", shown(word.as_str())), cx.span(&word));
        cx.report(found.help("write a number from 1, tried first, to 9"));
        return None;
    };
    let number = Spanned::new(number, cx.span(&word));
    if priority.replace(number).is_some() {
        return repeated(cx, "priority", place);
    }
    Some(())
}

fn repeated(cx: &mut Cx<'_>, word: &str, place: Span) -> Option<()> {
    let found = cx.error(codes::REPEATED, format!("a second `{word}`"), place);
    cx.report(found.help("an action has one; write another `then` for another action"));
    None
}
