//! Texts for people: languages, and the facts they print.

use std::collections::BTreeSet;
use std::sync::Arc;

use rulecheck_grammar::ast::{self, Quoted};
use rulecheck_grammar::{Diagnostic, Span, Spanned};

use super::captures::Captures;
use super::names::{TEXTS, Thing};
use super::{At, Checker, codes, id, quote_list};
use crate::ir::{FactId, FactRef, Piece, Text};
use crate::value::Type;

/// What braces mean in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Braces {
    /// Themselves.
    Plain,
    /// Facts; between backticks only such that can stand in a command.
    Prose,
    /// Facts that can stand in a command.
    Command,
    /// Slots and facts, in prose.
    Template,
    /// Slots and facts, in a command.
    CommandTemplate,
}

/// The slots of launchers' templates.
const SLOTS: [&str; 5] = ["flag", "name", "value", "args", "set"];

/// Where a text stands.
#[derive(Clone, Copy)]
struct Context<'s> {
    at: At,
    braces: Braces,
    captures: Option<&'s Captures>,
}

/// The names that a text prints.
type Printed = BTreeSet<String>;

/// A pair of braces in a text that may print something.
struct Brace<'t> {
    /// What stands in it.
    name: &'t str,
    /// Whether it stands between backticks.
    code: bool,
    /// Where it stands in the file.
    span: Span,
}

impl Checker<'_> {
    /// A text in which braces are plain.
    pub(super) fn plain_text(&mut self, text: &ast::Text, at: At) -> Text {
        self.text(text, at, Braces::Plain, None)
    }

    /// A text that prints facts.
    pub(super) fn prose(&mut self, text: &ast::Text, at: At) -> Text {
        self.text(text, at, Braces::Prose, None)
    }

    /// A text with its translations.
    pub(super) fn text(&mut self, text: &ast::Text, at: At, braces: Braces, captures: Option<&Captures>) -> Text {
        let context = Context { at, braces, captures };
        let languages = self.pack(at.pack).map(|pack| pack.languages.clone()).unwrap_or_default();
        let base_language = languages.first().cloned().unwrap_or_else(|| "en".into());
        let (pieces, facts) = self.pieces(&text.base, context);
        let mut read = vec![(Arc::clone(&base_language), pieces)];
        for (language, translation) in &text.translations {
            let (pieces, own) = self.pieces(translation, context);
            if self.is_language(language, &languages, &read, at) {
                self.same_facts(&language.node, (&text.base, &facts), (translation, &own), at);
                read.push((language.node.as_str().into(), pieces));
            }
        }
        Text { languages: read }
    }

    fn is_language(
        &mut self,
        language: &ast::Name,
        known: &[Arc<str>],
        read: &[(Arc<str>, Vec<Piece>)],
        at: At,
    ) -> bool {
        if read.iter().any(|(other, _)| **other == *language.node) {
            let message = format!("the text is there in `{}` already", language.node);
            let help = "the text itself is in the pack's first language; translate it once into each of the others";
            self.error(codes::LANGUAGE, at, language.span, message, help);
            return false;
        }
        if known.iter().any(|other| **other == *language.node) {
            return true;
        }
        let message = format!("the pack has no language `{}`", language.node);
        let list = quote_list(known.iter().map(AsRef::as_ref));
        let help = format!(
            "its languages are {list}; add `{}` to `languages` in `pack.ron`, or take the text out",
            language.node
        );
        self.error(codes::LANGUAGE, at, language.span, message, help);
        false
    }

    fn same_facts(
        &mut self,
        language: &str,
        base: (&Spanned<Quoted>, &Printed),
        own: (&Spanned<Quoted>, &Printed),
        at: At,
    ) {
        let lacks = |list: &Printed, other: &Printed| -> Vec<String> {
            other.difference(list).take(12).map(|name| format!("{{{name}}}")).collect()
        };
        let (missing, extra) = (lacks(own.1, base.1), lacks(base.1, own.1));
        let (message, help) = if !missing.is_empty() {
            let list = quote_list(missing.iter().map(String::as_str));
            (format!("the `{language}` text does not print {list}"), format!("print {list} in both, or in neither"))
        } else if !extra.is_empty() {
            let list = quote_list(extra.iter().map(String::as_str));
            (
                format!("the `{language}` text prints {list}, which the text it translates does not"),
                format!("print {list} in both, or in neither"),
            )
        } else {
            return;
        };
        let error = Diagnostic::error(codes::TRANSLATION_FACTS, message, at.source, own.0.span);
        self.push(error.context(at.source, base.0.span, "the text it translates").help(help));
    }

    /// The pieces of one text, and the names it prints.
    fn pieces(&mut self, text: &Spanned<Quoted>, context: Context<'_>) -> (Vec<Piece>, Printed) {
        let value = text.node.value.as_str();
        if context.braces == Braces::Plain || !value.contains('{') {
            return (vec![Piece::Literal(value.into())], Printed::new());
        }
        let (mut pieces, mut names, mut literal) = (Vec::new(), Printed::new(), String::new());
        let mut places = self.places(text, context.at);
        let (mut rest, mut ticks, last_tick) = (value, 0, value.rfind('`').unwrap_or(0));
        while let Some((before, behind)) = rest.split_once('{') {
            literal.push_str(before);
            ticks += before.bytes().filter(|&byte| byte == b'`').count();
            let inner = behind.split_once('}').filter(|(inner, _)| !inner.contains(['{', '\n']));
            let Some((name, after)) = inner else {
                literal.push('{');
                rest = behind;
                continue;
            };
            let span = places.next(name);
            let code = ticks % 2 == 1 && value.len() - behind.len() <= last_tick;
            if let Some(piece) = self.piece(&Brace { name, code, span }, context) {
                if !literal.is_empty() {
                    pieces.push(Piece::Literal(std::mem::take(&mut literal).into()));
                }
                pieces.push(piece);
                names.insert(name.to_owned());
                rest = after;
            } else {
                literal.push('{');
                rest = behind;
            }
        }
        literal.push_str(rest);
        if !literal.is_empty() {
            pieces.push(Piece::Literal(literal.into()));
        }
        (pieces, names)
    }

    /// What braces print; none if they are plain or were reported.
    fn piece(&mut self, brace: &Brace<'_>, context: Context<'_>) -> Option<Piece> {
        let template = matches!(context.braces, Braces::Template | Braces::CommandTemplate);
        if template && SLOTS.contains(&brace.name) {
            return Some(Piece::Slot(brace.name.into()));
        }
        let capture = context.captures.and_then(|captures| captures.get(brace.name));
        let (fact, ty) = match capture {
            Some(capture) => (capture.fact.clone(), capture.ty.clone()),
            None => match self.thing(brace.name) {
                Some(Thing::Fact(fact)) => (FactRef::Fact(fact), self.type_of(fact)),
                _ => {
                    if is_fact_like(brace.name) {
                        self.unknown_in_text(brace, context, template);
                    }
                    return None;
                }
            },
        };
        let command = brace.code || matches!(context.braces, Braces::Command | Braces::CommandTemplate);
        if command && !self.is_safe(&fact, &ty) {
            self.text_in_command(brace, context.at);
        }
        Some(Piece::Fact(fact))
    }

    fn unknown_in_text(&mut self, brace: &Brace<'_>, context: Context<'_>, template: bool) {
        let (name, at) = (brace.name, context.at);
        let lost = context.captures.is_some_and(|captures| captures.is_lost(name));
        let help = if lost {
            "the hole stands under `not`, `none of`, `unless` or `where`, where nothing is kept".to_owned()
        } else if self.thing(name).is_some() || TEXTS.contains(&name) {
            "only facts are printed; `{error.message}` prints what the failure says".to_owned()
        } else {
            let own: Vec<_> =
                context.captures.map(|captures| captures.names().map(str::to_owned).collect()).unwrap_or_default();
            let slots: &[&str] = if template { &SLOTS } else { &[] };
            let near = self.guess(name, own.iter().map(String::as_str).chain(slots.iter().copied()));
            match near.or_else(|| self.near_fact(name)) {
                Some(near) => {
                    let error = Diagnostic::error(codes::UNKNOWN_FACT_IN_TEXT, no_fact(name), at.source, brace.span);
                    let error = error.help(format!("did you mean `{{{near}}}`?"));
                    self.push(error.edit(at.source, brace.span, format!("{{{near}}}")));
                    return;
                }
                None => format!("print a fact that is declared, or write `{{ {name} }}` for the braces themselves"),
            }
        };
        self.error(codes::UNKNOWN_FACT_IN_TEXT, at, brace.span, no_fact(name), help);
    }

    /// Whether a value can stand in a command: it does not come from the input as text.
    fn is_safe(&self, fact: &FactRef, ty: &Type) -> bool {
        match ty {
            Type::Bool | Type::Number | Type::Size | Type::Version | Type::OneOf(_) => true,
            Type::Set(of) => self.is_safe(fact, of),
            Type::Text | Type::Name => matches!(fact, FactRef::Fact(fact) if self.is_table_value(*fact)),
        }
    }

    /// Whether a fact's values all stand in tables.
    fn is_table_value(&self, fact: FactId) -> bool {
        let mut fact = fact;
        // A chain of `otherwise` may go in a circle; that is reported elsewhere.
        for _ in 0..=self.table_facts.len() {
            match self.table_facts.get(&fact) {
                _ if self.comes_from_outside(fact) => return false,
                None => return matches!(self.type_of(fact), Type::OneOf(_)),
                Some(None) => return true,
                Some(Some(otherwise)) => fact = *otherwise,
            }
        }
        false
    }

    fn comes_from_outside(&self, fact: FactId) -> bool {
        let probed = self.program.facts.get(fact.index()).is_none_or(|fact| fact.probe.is_some());
        probed || self.extracted.contains(&fact)
    }

    fn text_in_command(&mut self, brace: &Brace<'_>, at: At) {
        let message = format!("`{{{}}}` may hold text of the input, which never becomes part of a command", brace.name);
        let help = "print it outside `run`, `via` and backticks, or look it up in a `table`, whose entries are safe";
        self.error(codes::TEXT_IN_COMMAND, at, brace.span, message, help);
    }

    fn places(&self, text: &Spanned<Quoted>, at: At) -> Places {
        Places { written: self.slice(at, text.span).to_owned(), start: text.span.start, from: 0, whole: text.span }
    }
}

fn no_fact(name: &str) -> String {
    format!("the text prints `{{{name}}}`, and there is no such fact")
}

/// Finds braces in the text as it was written, one behind the other.
struct Places {
    written: String,
    start: u32,
    from: usize,
    whole: Span,
}

impl Places {
    fn next(&mut self, name: &str) -> Span {
        let wanted = format!("{{{name}}}");
        let found = self.written.get(self.from..).and_then(|rest| rest.find(&wanted));
        let Some(found) = found else { return self.whole };
        let start = self.from + found;
        // The next brace may stand inside these, where they are plain.
        self.from = start + 1;
        Span::new(self.start + id(start), self.start + id(start + wanted.len()))
    }
}

/// Whether a word is written as facts are: ids joined by dots.
fn is_fact_like(word: &str) -> bool {
    let id = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_lowercase())
            && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    word.split('.').all(id)
}
