//! Facts, records, sections and tables.

use super::cx::{Cx, shown};
use super::declaration::{Reader, plain};
use super::split::Group;
use super::syntax::{Node, Nodes, Rule};
use super::words::own_type;
use super::{pattern, text, value};
use crate::ast::{Clause, Edge, Fact, FactClause, Record, Section, Table, Type};
use crate::codes;
use crate::nearest::nearest;
use crate::source::{Span, Spanned};

const TYPES: &[(&str, Type)] = &[
    ("bool", Type::Bool),
    ("number", Type::Number),
    ("size", Type::Size),
    ("version", Type::Version),
    ("text", Type::Text),
    ("name", Type::Name),
];

/// Reads `fact …` and the clauses below it.
pub(super) fn fact(reader: &mut Reader<'_, '_>, head: &Group, groups: Vec<Group>) -> Option<Fact> {
    let fact = reader.whole(head, Rule::fact_head, fact_body);
    let below = groups.into_iter().flat_map(|group| about_clauses(reader, group)).collect::<Vec<_>>();
    let mut fact = fact?;
    fact.clauses.extend(below);
    Some(fact)
}

/// Reads the clauses of a group; the first gets its comments.
fn about_clauses(reader: &mut Reader<'_, '_>, mut group: Group) -> Vec<Clause<FactClause>> {
    let trivia = std::mem::take(&mut group.trivia);
    let mut list = reader.whole(&group, Rule::about_clause, about).unwrap_or_default();
    if let Some(first) = list.first_mut() {
        first.trivia = trivia;
    }
    list
}

/// Reads descriptions, questions and probes in a row.
fn about(cx: &mut Cx<'_>, nodes: Nodes<'_>) -> Option<Vec<Clause<FactClause>>> {
    let mut list = Vec::new();
    for node in nodes {
        let (rule, place) = (node.as_rule(), cx.span(&node));
        let kind = match rule {
            Rule::text => FactClause::Description(text::text(cx, node)?),
            Rule::ask => FactClause::Ask(text::text(cx, Nodes::of(node).one(Rule::text)?)?),
            Rule::probe => FactClause::Probe(cx.name(&Nodes::of(node).one(Rule::word)?)),
            _ => continue,
        };
        list.push(plain(place, kind));
    }
    Some(list)
}

/// Reads `NAME: TYPE in RANGE …`.
fn fact_body(cx: &mut Cx<'_>, mut nodes: Nodes<'_>) -> Option<Fact> {
    let mut name = cx.name(&nodes.one(Rule::word)?);
    let family = nodes.eat(Rule::family);
    if family && let Some(base) = name.node.strip_suffix('.') {
        name = Spanned::new(base.to_owned(), Span::new(name.span.start, name.span.end - 1));
    }
    let name = value::fact_name(cx, name)?;
    nodes.one(Rule::colon)?;
    let ty = type_name(cx, nodes.one(Rule::type_name)?)?;
    let range = match nodes.one(Rule::within_range) {
        Some(node) => Some(value::range(cx, Nodes::of(node).one(Rule::range)?)?),
        None => None,
    };
    let clauses = about(cx, nodes)?;
    Some(Fact { name, family, ty, range, clauses })
}

fn type_name(cx: &mut Cx<'_>, node: Node<'_>) -> Option<Spanned<Type>> {
    let place = cx.span(&node);
    let (rule, inner) = Nodes::of(node).any()?;
    let ty = match rule {
        Rule::set_of => {
            let (rule, item) = Nodes::of(inner).any()?;
            Type::Set(Box::new(item_type(cx, rule, item)?))
        }
        rule => item_type(cx, rule, inner)?,
    };
    Some(Spanned::new(ty, place))
}

fn item_type(cx: &mut Cx<'_>, rule: Rule, node: Node<'_>) -> Option<Type> {
    if rule == Rule::one_of {
        let words = Nodes::of(node).filter(|it| it.as_rule() == Rule::word);
        return Some(Type::OneOf(words.map(|it| cx.name(&it)).collect()));
    }
    if let Some((_, ty)) = TYPES.iter().find(|(word, _)| *word == node.as_str()) {
        return Some(ty.clone());
    }
    let place = cx.span(&node);
    let names = TYPES.iter().map(|(word, _)| *word);
    let found = cx.error(codes::TYPE, format!("{} is no type", shown(node.as_str())), place);
    let found = match own_type(node.as_str()).or_else(|| nearest(node.as_str(), names.clone())) {
        Some(near) => found.help(format!("did you mean `{near}`?")).edit(cx.id, place, near),
        None => found.help(format!("write {}, one of a, b or set of TYPE", names.collect::<Vec<_>>().join(", "))),
    };
    cx.report(found);
    None
}

/// Reads `record …` and its fields.
pub(super) fn record(reader: &mut Reader<'_, '_>, head: &Group, groups: Vec<Group>) -> Option<Record> {
    let head = reader.whole(head, Rule::record_head, |cx, mut it| {
        let name = value::fact_name_of(cx, &it.one(Rule::word)?)?;
        Some((name, about(cx, it)?))
    });
    let (mut clauses, mut fields) = (Vec::new(), Vec::new());
    for group in groups {
        if is_about(reader, &group) {
            clauses.extend(about_clauses(reader, group));
        } else {
            fields.extend(reader.clauses(vec![group], |reader, it| reader.whole(it, Rule::field, fact_body)));
        }
    }
    let (name, first) = head?;
    clauses.splice(0..0, first);
    Some(Record { name, clauses, fields })
}

/// Whether a line of a record is no field: a field has a `:` behind its name.
fn is_about(reader: &Reader<'_, '_>, group: &Group) -> bool {
    let text = reader.cx.slice(group.start, group.end);
    let behind = text.strip_prefix("ask").or_else(|| text.strip_prefix("probe"));
    let is_word =
        |it: &str| it.starts_with([' ', '\t', '"', '\u{a0}', '\u{3000}']) && !it.trim_start().starts_with(':');
    text.starts_with('"') || behind.is_some_and(is_word)
}

/// Reads `section …`.
pub(super) fn section(cx: &mut Cx<'_>, mut nodes: Nodes<'_>) -> Option<Section> {
    let name = value::fact_name_of(cx, &nodes.one(Rule::word)?)?;
    nodes.one(Rule::from)?;
    let last = nodes.one(Rule::which).is_none_or(|it| it.as_str() == "last");
    let from = edge(cx, nodes.one(Rule::edge)?)?;
    let to = match nodes.one(Rule::to) {
        Some(_) => Some(edge(cx, nodes.one(Rule::edge)?)?),
        None => None,
    };
    Some(Section { name, last, from, to })
}

fn edge(cx: &mut Cx<'_>, node: Node<'_>) -> Option<Spanned<Edge>> {
    let place = cx.span(&node);
    let inner = Nodes::of(node).next()?;
    let edge = match (inner.as_rule(), inner.as_str()) {
        (Rule::place, "error") => Edge::Error,
        (Rule::place, "start") => Edge::Start,
        (Rule::place, _) => Edge::End,
        _ => Edge::Pattern(pattern::pattern(cx, &inner)?.node),
    };
    Some(Spanned::new(edge, place))
}

/// Reads `table …` and its entries.
pub(super) fn table(reader: &mut Reader<'_, '_>, head: &Group, groups: Vec<Group>) -> Option<Table> {
    let head = reader.whole(head, Rule::table_head, |cx, mut it| {
        let fact = value::fact_name_of(cx, &it.one(Rule::word)?)?;
        it.one(Rule::from)?;
        Some((fact, value::used(cx, &it.one(Rule::word)?)?))
    });
    let (mut entries, mut otherwise) = (Vec::new(), None);
    for group in groups {
        let text = reader.cx.slice(group.start, group.end);
        let is_otherwise = text.strip_prefix("otherwise").is_some_and(|it| it.starts_with(char::is_whitespace));
        if is_otherwise && !text.contains("->") {
            let place = super::cx::span(group.start, group.end);
            let clause = reader
                .clauses(vec![group], |reader, it| reader.whole(it, Rule::otherwise_clause, otherwise_fact))
                .pop();
            if otherwise.is_some() {
                repeated_otherwise(reader, place);
            }
            otherwise = clause.or(otherwise);
        } else {
            entries.extend(reader.clauses(vec![group], |reader, it| reader.whole(it, Rule::table_entry, table_entry)));
        }
    }
    let (fact, from) = head?;
    Some(Table { fact, from, entries, otherwise })
}

fn repeated_otherwise(reader: &mut Reader<'_, '_>, place: Span) {
    let found = reader.cx.error(codes::REPEATED, "a second `otherwise`", place);
    reader.cx.report(found.help("a table has one"));
}

fn otherwise_fact(cx: &mut Cx<'_>, mut nodes: Nodes<'_>) -> Option<Spanned<String>> {
    value::used(cx, &nodes.one(Rule::word)?)
}

fn table_entry(
    cx: &mut Cx<'_>,
    mut nodes: Nodes<'_>,
) -> Option<(Spanned<crate::ast::Operand>, Spanned<crate::ast::Operand>)> {
    let key = value::value(cx, nodes.one(Rule::value)?)?;
    nodes.one(Rule::arrow)?;
    Some((key, value::value(cx, nodes.one(Rule::value)?)?))
}
