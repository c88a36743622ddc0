//! Tests beside the rules: what is given and what is expected.

use super::cx::{Cx, span};
use super::declaration::Reader;
use super::entry::names;
use super::split::Group;
use super::syntax::{Node, Nodes, Rule};
use super::{text, value};
use crate::ast::{Expectation, FactExpectation, Given, Name, State, Test, TestClause};
use crate::codes;
use crate::source::Spanned;

/// Reads `test …` and its clauses.
pub(super) fn test(reader: &mut Reader<'_, '_>, head: &Group, groups: Vec<Group>) -> Option<Test> {
    let name = reader.whole(head, Rule::test_head, |cx, mut it| Some(text::string(cx, &it.one(Rule::string)?)));
    let clauses = reader.clauses(groups, |reader, group| {
        if group.broken {
            return None;
        }
        let (_, rule) = reader.clause_word(group.start, group.end)?;
        reader.piece(rule, group.start, group.end, |cx, nodes| match rule {
            Rule::given_clause => given(cx, nodes),
            _ => expect(cx, nodes),
        })
    });
    Some(Test { name: name?, clauses })
}

fn given(cx: &mut Cx<'_>, mut nodes: Nodes<'_>) -> Option<TestClause> {
    if let Some(node) = nodes.one(Rule::given_text) {
        let mut parts = Nodes::of(node);
        let log = parts.one(Rule::given_kind)?.as_str() == "log";
        let from = parts.eat(Rule::from);
        let text = text::string(cx, &parts.one(Rule::string)?);
        return Some(if from {
            TestClause::GivenFile { log, path: text }
        } else {
            TestClause::GivenText { log, text }
        });
    }
    if let Some(node) = nodes.one(Rule::given_element) {
        let mut parts = Nodes::of(node);
        let record = value::used(cx, &parts.one(Rule::word)?)?;
        parts.one(Rule::colon)?;
        return Some(TestClause::GivenElement(record, givens(cx, parts)?));
    }
    Some(TestClause::Given(givens(cx, nodes)?))
}

fn givens(cx: &mut Cx<'_>, nodes: Nodes<'_>) -> Option<Vec<Given>> {
    let mut list = Vec::new();
    for node in nodes {
        if node.as_rule() == Rule::given {
            add_given(cx, node, &mut list)?;
        }
    }
    Some(list)
}

/// `FACT = VALUE`; `FACT = [a, b]` gives a set its elements one by one.
fn add_given(cx: &mut Cx<'_>, node: Node<'_>, list: &mut Vec<Given>) -> Option<()> {
    let mut parts = Nodes::of(node);
    let fact = value::used(cx, &parts.one(Rule::word)?)?;
    if parts.eat(Rule::is) {
        let state = parts.one(Rule::state)?;
        if state.as_str() == "none" {
            list.push(Given { fact, value: None });
            return Some(());
        }
        let message = format!("a fact cannot be given as `{}`", state.as_str());
        let found = cx.error(codes::UNEXPECTED, message, cx.span(&state));
        cx.report(found.help("what a test does not give is unknown; write `is none` for known to have no value"));
        return None;
    }
    parts.one(Rule::equals)?;
    let (rule, node) = parts.any()?;
    if rule == Rule::value {
        list.push(Given { fact, value: Some(value::value(cx, node)?) });
        return Some(());
    }
    for item in Nodes::of(node).filter(|it| it.as_rule() == Rule::value) {
        list.push(Given { fact: fact.clone(), value: Some(value::value(cx, item)?) });
    }
    Some(())
}

fn expect(cx: &mut Cx<'_>, mut nodes: Nodes<'_>) -> Option<TestClause> {
    let node = nodes.one(Rule::expectation)?;
    let place = cx.span(&node);
    let (rule, inner) = Nodes::of(node).any()?;
    let mut parts = Nodes::of(inner);
    let expectation = match rule {
        Rule::expect_fact => expect_fact(cx, parts)?,
        Rule::expect_only => Expectation::OnlySuggest(names(cx, parts)?),
        Rule::expect_suggest => {
            let no = parts.one(Rule::no).map(|it| cx.span(&it));
            let fix = word(cx, &mut parts)?;
            let first = parts.one(Rule::first).map(|it| cx.span(&it));
            if let (Some(no), Some(first)) = (no, first) {
                let found =
                    cx.error(codes::MISPLACED, "`first` says nothing behind `no`", first).context(cx.id, no, "here");
                cx.report(found.help("delete it").edit(cx.id, first, ""));
                return None;
            }
            Expectation::Suggest { no: no.is_some(), fix, first: first.is_some() }
        }
        Rule::expect_problem => {
            let no = parts.eat(Rule::no);
            match parts.one(Rule::word) {
                Some(node) => Expectation::Problem { no, id: value::used(cx, &node)? },
                None if no => Expectation::NoProblem,
                None => {
                    let at = place.end as usize;
                    let found = cx.error(codes::UNEXPECTED, "the id of a problem is missing here", span(at, at));
                    cx.report(found.help("write `expect problem ID`, or `expect no problem`"));
                    return None;
                }
            }
        }
        _ => {
            let avoid = parts.one(Rule::other)?.as_str() == "avoid";
            let name = word(cx, &mut parts)?;
            if avoid { Expectation::Avoid(name) } else { Expectation::Possible(name) }
        }
    };
    Some(TestClause::Expect(Spanned::new(expectation, place)))
}

fn word(cx: &mut Cx<'_>, parts: &mut Nodes<'_>) -> Option<Name> {
    value::used(cx, &parts.one(Rule::word)?)
}

fn expect_fact(cx: &mut Cx<'_>, mut parts: Nodes<'_>) -> Option<Expectation> {
    let fact = word(cx, &mut parts)?;
    if parts.eat(Rule::equals) {
        return Some(Expectation::Fact(fact, FactExpectation::Value(value::value(cx, parts.one(Rule::value)?)?)));
    }
    parts.one(Rule::is)?;
    let state = match parts.one(Rule::state)?.as_str() {
        "known" => State::Known,
        "unknown" => State::Unknown,
        _ => State::None,
    };
    Some(Expectation::Fact(fact, FactExpectation::State(state)))
}
