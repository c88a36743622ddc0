//! Problems, fixes and launchers: clauses of texts, words and steps.

use super::cx::Cx;
use super::expr::condition;
use super::syntax::{Node, Nodes, Rule};
use super::{text, value};
use crate::ast::{Expr, FixClause, LauncherClause, Name, Operand, ProblemClause, Quoted, SourceRef, Step, Text};
use crate::codes;
use crate::source::Spanned;

/// Lowers a clause of a problem.
pub(super) fn problem(cx: &mut Cx<'_>, rule: Rule, word: &str, mut nodes: Nodes<'_>) -> Option<ProblemClause> {
    Some(match (rule, word) {
        (Rule::text_clause, "title") => ProblemClause::Title(text_of(cx, nodes)?),
        (Rule::text_clause, "summary") => ProblemClause::Summary(text_of(cx, nodes)?),
        (Rule::text_clause, "cause") => ProblemClause::Cause(text_of(cx, nodes)?),
        (Rule::text_clause, _) => ProblemClause::Unverified(text_of(cx, nodes)?),
        (Rule::word_clause, "category") => ProblemClause::Category(cx.name(&nodes.one(Rule::word)?)),
        (Rule::word_clause, "severity") => ProblemClause::Severity(cx.name(&nodes.one(Rule::word)?)),
        (Rule::word_clause, _) => ProblemClause::Verified(cx.name(&nodes.one(Rule::word)?)),
        (Rule::names_clause, "related") => ProblemClause::Related(names(cx, nodes)?),
        (Rule::names_clause, _) => ProblemClause::Supersedes(names(cx, nodes)?),
        (Rule::keywords_clause, _) => ProblemClause::Keywords(keywords(cx, nodes)),
        (Rule::source_clause, _) => ProblemClause::Source(source(cx, nodes)?),
        _ => return None,
    })
}

/// Lowers a clause of a fix.
pub(super) fn fix(cx: &mut Cx<'_>, rule: Rule, word: &str, mut nodes: Nodes<'_>) -> Option<FixClause> {
    Some(match (rule, word) {
        (Rule::text_clause, "title") => FixClause::Title(text_of(cx, nodes)?),
        (Rule::text_clause, "summary") => FixClause::Summary(text_of(cx, nodes)?),
        (Rule::text_clause, "verify") => FixClause::Verify(text_of(cx, nodes)?),
        (Rule::text_clause, "undo") => FixClause::Undo(text_of(cx, nodes)?),
        (Rule::text_clause, _) => FixClause::Unverified(text_of(cx, nodes)?),
        (Rule::condition_clause, _) => FixClause::Requires(condition(cx, nodes.one(Rule::condition)?)?),
        (Rule::word_clause, "exclusive") => FixClause::Exclusive(value::used(cx, &nodes.one(Rule::word)?)?),
        (Rule::word_clause, _) => FixClause::Verified(cx.name(&nodes.one(Rule::word)?)),
        (Rule::names_clause, _) => FixClause::Related(names(cx, nodes)?),
        (Rule::keywords_clause, _) => FixClause::Keywords(keywords(cx, nodes)),
        (Rule::source_clause, _) => FixClause::Source(source(cx, nodes)?),
        (Rule::risk_clause, _) => {
            let level = cx.name(&nodes.one(Rule::word)?);
            let note = match nodes.one(Rule::text) {
                Some(node) => Some(text::text(cx, node)?),
                None => None,
            };
            FixClause::Risk(level, note)
        }
        _ => return step_clause(cx, rule, word, nodes),
    })
}

/// Lowers a clause of a launcher.
pub(super) fn launcher(cx: &mut Cx<'_>, rule: Rule, _: &str, mut nodes: Nodes<'_>) -> Option<LauncherClause> {
    if rule == Rule::text_clause {
        return Some(LauncherClause::Title(text_of(cx, nodes)?));
    }
    let name = cx.name(&nodes.one(Rule::word)?);
    let text = text_of_next(cx, &mut nodes)?;
    Some(LauncherClause::Template { name, text, when: when(cx, &mut nodes)? })
}

fn step_clause(cx: &mut Cx<'_>, rule: Rule, word: &str, mut nodes: Nodes<'_>) -> Option<FixClause> {
    let start = cx.base;
    let step = step(cx, rule, word, &mut nodes)?;
    let when = when(cx, &mut nodes)?;
    // Up to its `when`, without the white space before it.
    let whole = nodes.next().map_or(start, |it| cx.span(&it).end as usize);
    let end = when.as_ref().map_or(whole, |it| {
        let before = cx.slice(start, it.span.start as usize);
        start + before.rfind("when").and_then(|at| before.get(..at)).unwrap_or(before).trim_end().len()
    });
    Some(FixClause::Step(Spanned::new(step, super::cx::span(start, end)), when))
}

/// The value of a flag, which is no second flag.
fn flag_value(cx: &mut Cx<'_>, node: Node<'_>) -> Option<Spanned<Operand>> {
    let value = value::value(cx, node)?;
    match &value.node {
        Operand::Word(word) if word.starts_with("--") => {
            let found = cx.error(codes::UNEXPECTED, format!("`{word}` is a flag of its own"), value.span);
            cx.report(found.help(format!("write `flag {word}` on a line of its own")));
            None
        }
        _ => Some(value),
    }
}

fn step(cx: &mut Cx<'_>, rule: Rule, word: &str, nodes: &mut Nodes<'_>) -> Option<Step> {
    Some(match rule {
        Rule::flag_step => {
            let flag = value::used(cx, &nodes.one(Rule::word)?)?;
            let value = match nodes.one(Rule::value) {
                Some(node) => Some(flag_value(cx, node)?),
                None => None,
            };
            let instead_of = match nodes.one(Rule::instead_of) {
                Some(node) => names(cx, Nodes::of(node))?,
                None => Vec::new(),
            };
            Step::Flag { flag, value, instead_of }
        }
        Rule::flag_off => {
            let mut flags = Vec::new();
            while let Some(node) = nodes.one(Rule::word) {
                flags.push(value::used(cx, &node)?);
                nodes.eat(Rule::comma);
            }
            Step::FlagOff(flags)
        }
        Rule::env_step => {
            let name = value::used(cx, &nodes.one(Rule::word)?)?;
            nodes.one(Rule::equals)?;
            Step::Env { name, value: value::value(cx, nodes.one(Rule::value)?)? }
        }
        Rule::env_off => Step::EnvOff(value::used(cx, &nodes.one(Rule::word)?)?),
        Rule::via_step => {
            let template = value::used(cx, &nodes.one(Rule::word)?)?;
            Step::Via { template, args: text_of_next(cx, nodes)? }
        }
        Rule::text_step if word == "run" => Step::Run(text_of_next(cx, nodes)?),
        Rule::text_step => Step::Do(text_of_next(cx, nodes)?),
        _ => return None,
    })
}

/// The condition at the end of a step. The outer `None`: it has a mistake.
fn when(cx: &mut Cx<'_>, nodes: &mut Nodes<'_>) -> Option<Option<Expr>> {
    match nodes.one(Rule::when) {
        Some(node) => Some(Some(condition(cx, Nodes::of(node).one(Rule::condition)?)?)),
        None => Some(None),
    }
}

fn text_of(cx: &mut Cx<'_>, mut nodes: Nodes<'_>) -> Option<Text> {
    text_of_next(cx, &mut nodes)
}

fn text_of_next(cx: &mut Cx<'_>, nodes: &mut Nodes<'_>) -> Option<Text> {
    text::text(cx, nodes.one(Rule::text)?)
}

/// The names of a list with commas.
pub(super) fn names(cx: &mut Cx<'_>, nodes: Nodes<'_>) -> Option<Vec<Name>> {
    let words: Vec<Node<'_>> = nodes.filter(|it| it.as_rule() == Rule::word).collect();
    words.iter().map(|it| value::used(cx, it)).collect()
}

fn keywords(cx: &mut Cx<'_>, nodes: Nodes<'_>) -> Vec<Spanned<Quoted>> {
    let texts: Vec<Node<'_>> = nodes.filter(|it| it.as_rule() == Rule::string).collect();
    texts.iter().map(|it| text::string(cx, it)).collect()
}

fn source(cx: &mut Cx<'_>, mut nodes: Nodes<'_>) -> Option<SourceRef> {
    let kind = cx.name(&nodes.one(Rule::word)?);
    let title = text::string(cx, &nodes.one(Rule::string)?);
    let url = nodes.one(Rule::url).map(|node| {
        let address = node.as_str().trim_start_matches('<').trim_end_matches('>');
        Spanned::new(address.to_owned(), cx.span(&node))
    });
    Some(SourceRef { kind, title, url })
}
