//! Declarations: each clause to pest, and what it found into the tree.

use super::cx::{Cx, shown, span};
use super::mistakes;
use super::scan::word_at;
use super::split::{Group, RawDeclaration};
use super::syntax::{self, Node, Nodes, Rule};
use super::usage::usage;
use super::words::Kind;
use super::{MAX_CLAUSE, entry, fact, pattern, rule, test, text, value};
use crate::ast::{
    Binding, BindingValue, Clause, Declaration, DeclarationKind, Disable, Extract, ExtractFrom, Line, Trivia,
};
use crate::codes;
use crate::nearest::nearest;
use crate::source::{Span, Spanned};

/// A declaration being read.
pub(super) struct Reader<'c, 'a> {
    pub(super) cx: &'c mut Cx<'a>,
    pub(super) kind: Kind,
    /// Whether something of it was left out because of a mistake.
    pub(super) partial: bool,
}

/// Reads a declaration; `None` if nothing could be made of it.
pub(super) fn declaration(cx: &mut Cx<'_>, raw: RawDeclaration) -> Option<Declaration> {
    let kind = raw.kind?;
    let mut groups = raw.groups;
    let end = groups.last()?.end;
    let mut head = groups.remove(0);
    let place = span(head.start, end);
    let trivia = std::mem::take(&mut head.trivia);
    let mut reader = Reader { cx, kind, partial: false };
    let kind = reader.body(&head, groups)?;
    Some(Declaration { span: place, partial: reader.partial, trivia, kind })
}

impl<'a> Reader<'_, 'a> {
    fn body(&mut self, head: &Group, clauses: Vec<Group>) -> Option<DeclarationKind> {
        Some(match self.kind {
            Kind::Rule => DeclarationKind::Rule(rule::rule(self, head, clauses)?),
            Kind::Fact => DeclarationKind::Fact(fact::fact(self, head, clauses)?),
            Kind::Record => DeclarationKind::Record(fact::record(self, head, clauses)?),
            Kind::Section => DeclarationKind::Section(self.whole(head, Rule::section_head, fact::section)?),
            Kind::Table => DeclarationKind::Table(fact::table(self, head, clauses)?),
            Kind::Problem => DeclarationKind::Problem(self.entry(head, clauses, entry::problem)?),
            Kind::Fix => DeclarationKind::Fix(self.entry(head, clauses, entry::fix)?),
            Kind::Launcher => DeclarationKind::Launcher(self.entry(head, clauses, entry::launcher)?),
            Kind::Extract => {
                let from = mistakes::next_word(self.cx, head.start + "extract".len(), head.end);
                let (_, what) = mistakes::next_word(self.cx, from.0 + from.1.len(), head.end);
                let rule = if what == "json" { Rule::extract_json } else { Rule::extract_text };
                DeclarationKind::Extract(self.whole(head, rule, extract)?)
            }
            Kind::Line => DeclarationKind::Line(self.whole(head, Rule::line_head, line)?),
            Kind::Test => DeclarationKind::Test(test::test(self, head, clauses)?),
            Kind::Disable => DeclarationKind::Disable(self.whole(head, Rule::disable_head, disable)?),
        })
    }

    /// Parses and lowers a group that is one clause.
    pub(super) fn whole<T>(
        &mut self,
        group: &Group,
        rule: Rule,
        lower: impl FnOnce(&mut Cx<'a>, Nodes<'a>) -> Option<T>,
    ) -> Option<T> {
        if group.broken {
            self.partial = true;
            return None;
        }
        self.piece(rule, group.start, group.end, lower)
    }

    /// Parses and lowers the text between two places.
    pub(super) fn piece<T>(
        &mut self,
        rule: Rule,
        start: usize,
        end: usize,
        lower: impl FnOnce(&mut Cx<'a>, Nodes<'a>) -> Option<T>,
    ) -> Option<T> {
        let before = self.cx.found();
        let result = self.parsed(rule, start, end).and_then(|nodes| lower(self.cx, nodes));
        if result.is_none() {
            self.partial = true;
            if self.cx.found() == before {
                let found = self.cx.error(codes::UNEXPECTED, "this clause cannot be understood", span(start, end));
                self.cx.report(found.help("write it as the language's guide shows"));
            }
        }
        result
    }

    fn parsed(&mut self, rule: Rule, start: usize, end: usize) -> Option<Nodes<'a>> {
        if end - start > MAX_CLAUSE {
            let message = format!("this clause is longer than {} MiB", MAX_CLAUSE >> 20);
            let found = self.cx.error(codes::CLAUSE_TOO_LONG, message, span(start, start + 1));
            self.cx.report(found.help("split it"));
            return None;
        }
        match syntax::run(self.cx, rule, start, end) {
            Ok(nodes) => Some(nodes),
            Err(stop) => {
                let usage = usage(rule, word_at(self.cx.text, start, end));
                let found = mistakes::stopped(self.cx, &stop, start, end, &usage);
                self.cx.report(found);
                None
            }
        }
    }

    /// Reads clauses; leaves out those with a mistake.
    pub(super) fn clauses<T>(
        &mut self,
        groups: Vec<Group>,
        mut lower: impl FnMut(&mut Self, &Group) -> Option<T>,
    ) -> Vec<Clause<T>> {
        let mut list = Vec::with_capacity(groups.len());
        for mut group in groups {
            let trivia = std::mem::take(&mut group.trivia);
            match lower(self, &group) {
                Some(kind) => list.push(Clause { span: span(group.start, group.end), trivia, kind }),
                None => self.partial = true,
            }
        }
        list
    }

    /// The first word of a clause, and the grammar's rule for it; reports a word that begins none.
    pub(super) fn clause_word(&mut self, start: usize, end: usize) -> Option<(&'a str, Rule)> {
        let word = word_at(self.cx.text, start, end);
        if let Some(rule) = self.kind.clause(word) {
            return Some((word, rule));
        }
        let first = self.cx.slice(start, end).chars().next().map_or(0, char::len_utf8);
        let place = span(start, start + word.len().max(first));
        let words = self.kind.clause_words().iter().map(|(it, _)| *it);
        let noun = self.kind.noun();
        let message = format!("{} begins no clause of a {noun}", shown(self.cx.at(place)));
        let found = self.cx.error(codes::UNKNOWN_CLAUSE, message, place);
        let found = match nearest(word, words.clone()) {
            _ if self.kind == Kind::Rule && mistakes::VERBS.contains(&word) => {
                found.help(format!("write `then {word}`")).edit(self.cx.id, span(start, start), "then ")
            }
            _ if self.kind == Kind::Rule && word == "if" => found.help("write `when`").edit(self.cx.id, place, "when"),
            _ if self.kind == Kind::Rule && matches!(word, "else" | "otherwise" | "elif" | "elsif") => {
                found.help("write a second rule for the other case, or `unless CONDITION` for an exception")
            }
            Some(near) => found.help(format!("did you mean `{near}`?")).edit(self.cx.id, place, near),
            None => found.help(format!("a {noun} has: {}", words.collect::<Vec<_>>().join(", "))),
        };
        self.cx.report(found);
        None
    }

    fn entry<T>(
        &mut self,
        head: &Group,
        clauses: Vec<Group>,
        lower: fn(&mut Cx<'a>, Rule, &str, Nodes<'a>) -> Option<T>,
    ) -> Option<crate::ast::Entry<T>> {
        let id = self.whole(head, Rule::entry_head, |cx, mut it| value::id(cx, &it.one(Rule::word)?));
        let clauses = self.clauses(clauses, |reader, group| {
            if group.broken {
                return None;
            }
            let (word, rule) = reader.entry_clause(group)?;
            reader.piece(rule, group.start, group.end, |cx, nodes| lower(cx, rule, word, nodes))
        });
        Some(crate::ast::Entry { id: id?, clauses })
    }

    fn entry_clause(&mut self, group: &Group) -> Option<(&'a str, Rule)> {
        let word = word_at(self.cx.text, group.start, group.end);
        if self.kind == Kind::Launcher && !word.is_empty() && word != "title" {
            return Some((word, Rule::template_clause));
        }
        let (word, rule) = self.clause_word(group.start, group.end)?;
        let (_, next) = mistakes::next_word(self.cx, group.start + word.len(), group.end);
        Some((
            word,
            match rule {
                Rule::flag_step if next == "off" => Rule::flag_off,
                Rule::env_step if next == "off" => Rule::env_off,
                rule => rule,
            },
        ))
    }
}

/// A clause without comments of its own.
pub(super) fn plain<T>(place: Span, kind: T) -> Clause<T> {
    Clause { span: place, trivia: Trivia::default(), kind }
}

fn extract(cx: &mut Cx<'_>, mut nodes: Nodes<'_>) -> Option<Extract> {
    let from = if nodes.eat(Rule::from) {
        let name = value::used(cx, &nodes.one(Rule::word)?)?;
        let pattern = pattern::pattern(cx, &nodes.next()?)?;
        let place = name.span.to(pattern.span);
        Spanned::new(ExtractFrom::Text(name, pattern), place)
    } else {
        let path = text::string(cx, &nodes.one(Rule::string)?);
        let place = path.span;
        Spanned::new(ExtractFrom::Json(path), place)
    };
    let binding = match nodes.one(Rule::binding) {
        Some(node) => Some(binding(cx, node)?),
        None => None,
    };
    Some(Extract { from, binding })
}

fn binding(cx: &mut Cx<'_>, node: Node<'_>) -> Option<Binding> {
    let mut parts = Nodes::of(node);
    parts.one(Rule::as_word)?;
    let fact = value::used(cx, &parts.one(Rule::word)?)?;
    let value = match parts.any() {
        None => BindingValue::Hole(None),
        Some((Rule::equals, _)) => BindingValue::Literal(value::value(cx, parts.one(Rule::value)?)?),
        Some(_) => {
            let word = cx.name(&parts.one(Rule::word)?);
            let ty = pattern::hole_type(cx, &word)?;
            BindingValue::Hole(Some(Spanned::new(ty, word.span)))
        }
    };
    Some(Binding { fact, value })
}

fn line(cx: &mut Cx<'_>, mut nodes: Nodes<'_>) -> Option<Line> {
    let kind = cx.name(&nodes.one(Rule::word)?);
    let pattern = pattern::pattern(cx, &nodes.next()?)?;
    Some(Line { kind, pattern })
}

fn disable(cx: &mut Cx<'_>, mut nodes: Nodes<'_>) -> Option<Disable> {
    let kind = cx.name(&nodes.one(Rule::word)?);
    let name = value::used(cx, &nodes.one(Rule::word)?)?;
    let because = match nodes.one(Rule::because) {
        Some(node) => Some(text::text(cx, Nodes::of(node).one(Rule::text)?)?),
        None => None,
    };
    Some(Disable { kind, name, because })
}
