//! Extractors, and what lines are.

use std::sync::Arc;

use rulecheck_grammar::ast::{self, BindingValue, ExtractFrom as From, Operand};
use rulecheck_grammar::{Diagnostic, Span, Spanned};

use super::collect::{Declarations, Item};
use super::conditions::Scope;
use super::literals::a;
use super::names::TEXTS;
use super::patterns::{NamedHole, fits, hole, hole_word};
use super::{At, Checker, codes, id};
use crate::ir::{ExtractFrom, Extractor, FactId, Give, Hole, LineClass, LineKind};

impl Checker<'_> {
    /// Reads the extractors.
    pub(super) fn extractors(&mut self, all: &Declarations<'_>) {
        for item in &all.extracts {
            let extractor = match &item.node.from.node {
                From::Text(text, pattern) => self.text_extractor(item, text, pattern),
                From::Json(path) => self.json_extractor(item, path),
            };
            if let Some(extractor) = extractor {
                self.extracted.extend(extractor.gives.iter().map(|give| match give {
                    Give::Value(fact, _) | Give::Hole(fact, ..) => *fact,
                }));
                self.program.extractors.push(extractor);
            }
        }
    }

    fn text_extractor(
        &mut self,
        item: &Item<'_, ast::Extract>,
        text: &ast::Name,
        pattern: &Spanned<ast::Pattern>,
    ) -> Option<Extractor> {
        let at = item.at;
        let text = self.text_ref(&text.node, text.span, Scope::new(at));
        let id = self.pattern(&pattern.node, pattern.span, at)?;
        let holes = self.read_pattern(&pattern.node).map(|(_, holes)| holes).unwrap_or_default();
        let mut gives = Vec::new();
        let mut sound = true;
        for (index, hole) in holes.iter().enumerate() {
            match self.give_hole(hole, index, pattern.span, at) {
                Some(give) => gives.push(give),
                None => sound = false,
            }
        }
        self.no_fact_twice(&holes, pattern.span, at);
        if let Some(binding) = &item.node.binding {
            gives.push(self.bound(binding, &pattern.node, at)?);
        }
        if gives.is_empty() && sound {
            let help = "name a fact in a hole: `{gpu.name: text}`, or add `as FACT = VALUE`";
            self.error(codes::EXTRACTOR, at, pattern.span, "the extractor gives no fact", help);
            return None;
        }
        Some(Extractor { from: ExtractFrom::Text(text?, id), gives, site: at.site(item.span) }).filter(|_| sound)
    }

    /// The fact that a hole names.
    fn give_hole(&mut self, hole: &NamedHole, index: usize, pattern: Span, at: At) -> Option<Give> {
        let span = if hole.span == Span::default() { pattern } else { hole.span };
        let fact = self.given_fact(&hole.name, span, at)?;
        if let Some(read) = hole.hole {
            self.hole_fits(read, fact, span, at)?;
        }
        Some(Give::Hole(fact, id(index), None))
    }

    /// A fact that an extractor may give.
    fn given_fact(&mut self, name: &str, span: Span, at: At) -> Option<FactId> {
        if TEXTS.contains(&name) {
            let message = format!("`{name}` is read from the failure and cannot be extracted");
            self.error(codes::OTHER_KIND, at, span, message, "give the value to a fact of its own");
            return None;
        }
        self.fact_named(&Spanned::new(name.to_owned(), span), at)
    }

    fn hole_fits(&mut self, hole: Hole, fact: FactId, span: Span, at: At) -> Option<()> {
        let ty = self.type_of(fact);
        if fits(hole, &ty) {
            return Some(());
        }
        let name = self.program.facts.get(fact.index()).map_or_else(String::new, |fact| fact.name.to_string());
        let word = hole_word(hole);
        let message = format!("`{name}` is {}, and a `{word}` hole cannot give one", a(&ty));
        let mut error = Diagnostic::error(codes::HOLE_TYPE, message, at.source, span).label(a(&ty));
        if let Some(site) = self.program.facts.get(fact.index()).map(|fact| fact.site) {
            error = error.context(site.source, site.span, "declared here");
        }
        let fitting = hole_word(super::patterns::hole_of(&ty));
        self.push(error.help(format!("read it as `{fitting}`, or leave the type out")));
        None
    }

    fn no_fact_twice(&mut self, holes: &[NamedHole], pattern: Span, at: At) {
        for (index, hole) in holes.iter().enumerate() {
            let Some(first) = holes.iter().take(index).find(|other| other.name == hole.name) else { continue };
            let place = |hole: &NamedHole| if hole.span == Span::default() { pattern } else { hole.span };
            let message = format!("the pattern gives `{}` twice", hole.name);
            let error = Diagnostic::error(codes::EXTRACTOR, message, at.source, place(hole)).label("again here");
            self.push(error.context(at.source, place(first), "first here").help("write `{*}` for one of the two"));
        }
    }

    /// `as FACT = LITERAL` behind a text pattern.
    fn bound(&mut self, binding: &ast::Binding, pattern: &ast::Pattern, at: At) -> Option<Give> {
        let BindingValue::Literal(literal) = &binding.value else {
            let fact = &binding.fact;
            let name = &fact.node;
            let help = if matches!(pattern, ast::Pattern::Phrase { .. }) {
                format!("put the fact in a hole of the pattern: `{{{name}}}`, or write `as {name} = VALUE`")
            } else {
                format!(
                    "name a group of the pattern after the fact: `(?<{}>…)`, or write `as {name} = VALUE`",
                    name.replace('-', "_")
                )
            };
            self.error(
                codes::EXTRACTOR,
                at,
                fact.span,
                format!("nothing says which part of the text `{name}` is"),
                help,
            );
            return None;
        };
        let fact = self.given_fact(&binding.fact.node, binding.fact.span, at)?;
        self.fixed(fact, literal, binding.fact.span, at)
    }

    fn fixed(&mut self, fact: FactId, literal: &Spanned<Operand>, name: Span, at: At) -> Option<Give> {
        let ty = self.type_of(fact);
        self.literal(literal, &ty, name, at).map(|value| Give::Value(fact, value))
    }

    fn json_extractor(&mut self, item: &Item<'_, ast::Extract>, path: &Spanned<ast::Quoted>) -> Option<Extractor> {
        let at = item.at;
        let Some(binding) = &item.node.binding else {
            let help = "add `as FACT`, the fact that the value at this path is";
            self.error(codes::EXTRACTOR, at, path.span, "the extractor gives no fact", help);
            return None;
        };
        if !is_path(&path.node.value) {
            let message = format!("`{}` is no path in a document", path.node.value);
            let help = "join keys by dots and write `[n]` for elements: `devices[0].vram_total`";
            self.error(codes::EXTRACTOR, at, path.span, message, help);
            return None;
        }
        let fact = self.given_fact(&binding.fact.node, binding.fact.span, at)?;
        let give = match &binding.value {
            BindingValue::Literal(literal) => self.fixed(fact, literal, binding.fact.span, at)?,
            BindingValue::Hole(None) => Give::Hole(fact, 0, None),
            BindingValue::Hole(Some(ty)) => {
                let hole = hole(ty.node);
                self.hole_fits(hole, fact, ty.span, at)?;
                Give::Hole(fact, 0, Some(hole))
            }
        };
        let from = ExtractFrom::Json(Arc::from(path.node.value.trim()));
        Some(Extractor { from, gives: vec![give], site: at.site(item.span) })
    }

    /// Reads what lines are.
    pub(super) fn lines(&mut self, all: &Declarations<'_>) {
        const KINDS: [(&str, LineClass); 8] = [
            ("start", LineClass::Start),
            ("run", LineClass::Run),
            ("banner", LineClass::Banner),
            ("progress", LineClass::Progress),
            ("warning", LineClass::Warning),
            ("table", LineClass::Table),
            ("retry", LineClass::Retry),
            ("import", LineClass::Import),
        ];
        for item in &all.lines {
            let kind = self.clause_word(&item.node.kind, &KINDS, "kind of line", item.at);
            let pattern = self.pattern(&item.node.pattern.node, item.node.pattern.span, item.at);
            if let Some((kind, pattern)) = kind.zip(pattern) {
                self.program.lines.push(LineKind { kind, pattern, site: item.at.site(item.span) });
            }
        }
    }
}

/// Whether a text can be the path of a value: keys joined by dots, `[n]` for elements.
fn is_path(path: &str) -> bool {
    let path = path.trim();
    let key = |key: &str| {
        let (name, elements) = key.split_once('[').map_or((key, None), |(name, rest)| (name, Some(rest)));
        let numbers = elements.is_none_or(|rest| {
            rest.strip_suffix(']')
                .is_some_and(|inner| inner.split("][").all(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit())))
        });
        numbers && (!name.is_empty() || elements.is_some()) && !name.contains(['[', ']'])
    };
    !path.is_empty() && path.split('.').all(key)
}
