//! The one door to pest: the generated parser, and its rules in words.

use pest::Parser as _;
use pest::error::{Error, ErrorVariant, InputLocation};
use pest::iterators::{Pair, Pairs};

use super::cx::{Cx, span};
use crate::source::{Span, Spanned};

#[derive(pest_derive::Parser)]
#[grammar = "rules.pest"]
struct RulesParser;

/// A piece of the parse of a clause.
pub(super) type Node<'i> = Pair<'i, Rule>;

/// Where the parse of a clause stopped, and what could have stood there.
pub(super) struct Stop {
    /// The place in the source.
    pub(super) at: usize,
    /// What could have stood there.
    pub(super) expected: Vec<Rule>,
    /// Whether it was the thread's stack that ended the parse, rather than the text.
    pub(super) no_stack: bool,
}

/// Parses the source's text between two places, and makes the first the base of spans.
pub(super) fn run<'a>(cx: &mut Cx<'a>, rule: Rule, start: usize, end: usize) -> Result<Nodes<'a>, Stop> {
    cx.base = start;
    match RulesParser::parse(rule, cx.clean.get(start..end).unwrap_or("")) {
        Ok(mut pairs) => Ok(Nodes(pairs.next().map(Pair::into_inner).unwrap_or(pairs))),
        Err(error) => Err(stop(*Box::new(error), start)),
    }
}

fn stop(error: Error<Rule>, base: usize) -> Stop {
    let at = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => base + at,
    };
    match error.variant {
        ErrorVariant::ParsingError { positives, .. } => Stop { at, expected: positives, no_stack: false },
        ErrorVariant::CustomError { .. } => Stop { at, expected: Vec::new(), no_stack: true },
    }
}

/// The parts of a piece, taken in order.
pub(super) struct Nodes<'i>(Pairs<'i, Rule>);

impl<'i> Nodes<'i> {
    /// The parts of a node.
    pub(super) fn of(node: Node<'i>) -> Self {
        Self(node.into_inner())
    }

    /// The next part, if it is of this kind.
    pub(super) fn one(&mut self, rule: Rule) -> Option<Node<'i>> {
        if self.0.peek()?.as_rule() == rule { self.0.next() } else { None }
    }

    /// Whether the next part is of this kind, which is then stepped over.
    pub(super) fn eat(&mut self, rule: Rule) -> bool {
        self.one(rule).is_some()
    }

    /// The next part of any kind, with its kind.
    pub(super) fn any(&mut self) -> Option<(Rule, Node<'i>)> {
        let node = self.0.next()?;
        Some((node.as_rule(), node))
    }
}

impl<'i> Iterator for Nodes<'i> {
    type Item = Node<'i>;

    fn next(&mut self) -> Option<Node<'i>> {
        self.0.next()
    }
}

impl Cx<'_> {
    /// The place of a node in the source.
    pub(super) fn span(&self, node: &Node<'_>) -> Span {
        let at = node.as_span();
        span(self.base + at.start(), self.base + at.end())
    }

    /// The text of a node, with its place.
    pub(super) fn name(&self, node: &Node<'_>) -> Spanned<String> {
        Spanned::new(node.as_str().to_owned(), self.span(node))
    }
}

/// What a rule is called in messages; empty for those that stand for their parts.
pub(super) fn describe(rule: Rule) -> &'static str {
    match rule {
        Rule::word => "a name",
        Rule::bound | Rule::limit => "a value",
        Rule::string | Rule::text => "a text in quotes",
        Rule::language => "a translation",
        Rule::unit => "a unit",
        Rule::value => "a value",
        Rule::range | Rule::within_range => "a range",
        Rule::url => "an address in `<…>`",
        Rule::equals => "`=`",
        Rule::colon => "`:`",
        Rule::comma => "`,`",
        Rule::arrow => "`->`",
        Rule::dots => "`..`",
        Rule::regex => "a regular expression",
        Rule::bare | Rule::pattern | Rule::matching | Rule::only_matching => "a phrase",
        Rule::any_of => "`any of (…)`",
        Rule::close => "`)`",
        Rule::followed => "`followed by`",
        Rule::within => "`within N lines`",
        Rule::lines_word => "`lines`",
        Rule::times => "`at least N times`",
        Rule::times_word => "`times`",
        Rule::token | Rule::condition => "a condition",
        Rule::clause_word => "`when`",
        Rule::verb | Rule::advice => "`suggest`, `diagnose`, `suspect` or `avoid`",
        Rule::conclude => "`conclude`",
        Rule::priority => "`priority`",
        Rule::because => "`because`",
        Rule::family => "`*`",
        Rule::type_name => "a type",
        Rule::one_of => "`one of`",
        Rule::set_of => "`set of`",
        Rule::ask => "`ask`",
        Rule::probe => "`probe`",
        Rule::from => "`from`",
        Rule::to => "`to`",
        Rule::which => "`first` or `last`",
        Rule::edge => "a text in quotes or a regular expression",
        Rule::place => "`error`, `start` or `end`",
        Rule::instead_of => "`instead of`",
        Rule::when => "`when`",
        Rule::binding | Rule::as_word => "`as`",
        Rule::given_text | Rule::given_kind => "`error` or `log` with a text",
        Rule::given_element | Rule::given => "a fact",
        Rule::list => "a list in `[…]`",
        Rule::list_close => "`]`",
        Rule::is => "`is`",
        Rule::state => "`none`, `known` or `unknown`",
        Rule::expectation => "`problem`, `suggest`, `possible`, `avoid` or `fact`",
        Rule::expect_fact => "`fact`",
        Rule::expect_only => "`only suggest`",
        Rule::expect_suggest => "`suggest`",
        Rule::expect_problem => "`problem`",
        Rule::expect_other | Rule::other => "`possible` or `avoid`",
        Rule::no => "`no`",
        Rule::first => "`first`",
        Rule::EOI => "the end of the clause",
        Rule::white
        | Rule::gap
        | Rule::end
        | Rule::letter
        | Rule::no_language
        | Rule::words
        | Rule::texts
        | Rule::stop
        | Rule::bare_run
        | Rule::some_of
        | Rule::lasting
        | Rule::symbol
        | Rule::item
        | Rule::rule_head
        | Rule::condition_clause
        | Rule::then_clause
        | Rule::fact_head
        | Rule::field
        | Rule::fact_rest
        | Rule::about
        | Rule::about_clause
        | Rule::record_head
        | Rule::section_head
        | Rule::table_head
        | Rule::table_entry
        | Rule::otherwise_clause
        | Rule::entry_head
        | Rule::text_clause
        | Rule::word_clause
        | Rule::names_clause
        | Rule::keywords_clause
        | Rule::source_clause
        | Rule::risk_clause
        | Rule::template_clause
        | Rule::flag_step
        | Rule::flag_off
        | Rule::env_step
        | Rule::env_off
        | Rule::via_step
        | Rule::text_step
        | Rule::off
        | Rule::follows
        | Rule::when_end
        | Rule::extract_json
        | Rule::extract_text
        | Rule::line_head
        | Rule::disable_head
        | Rule::test_head
        | Rule::given_clause
        | Rule::givens
        | Rule::expect_clause => "",
    }
}
