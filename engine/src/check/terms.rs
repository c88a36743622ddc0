//! Terms: what names stand for beside operators, as facts and as texts.

use rulecheck_grammar::ast::{Expr, ExprKind, Operand};
use rulecheck_grammar::{Diagnostic, Span, Spanned};

use super::conditions::Scope;
use super::literals::{a, example};
use super::names::Thing;
use super::{Checker, codes, literals};
use crate::ir::{ErrorPart, FactRef, Over, Term, TextRef};
use crate::value::Type;

impl Checker<'_> {
    /// The fact that a name stands for here: a field of the element at hand, a capture, or a fact.
    pub(super) fn fact_ref(&mut self, word: &str, span: Span, scope: Scope<'_>) -> Option<(FactRef, Type)> {
        if word.starts_with('.') {
            return self.element_field(word, span, scope);
        }
        if let Some(capture) = scope.captures.and_then(|captures| captures.get(word)) {
            return Some((capture.fact.clone(), capture.ty.clone()));
        }
        if scope.captures.is_some_and(|captures| captures.is_lost(word)) && self.thing(word).is_none() {
            let message =
                format!("the hole `{word}` stands under `not`, `none of`, `unless` or `where`, where nothing is kept");
            self.error(
                codes::UNKNOWN_FACT,
                scope.at,
                span,
                message,
                "name a hole of a pattern that the rule's `when` matches",
            );
            return None;
        }
        if self.thing(word).is_none() && self.is_bare_field(word, span, scope) {
            return None;
        }
        let fact = self.fact_named(&Spanned::new(word.to_owned(), span), scope.at)?;
        Some((FactRef::Fact(fact), self.type_of(fact)))
    }

    /// Reports a field of the elements at hand that lacks its dot.
    pub(super) fn is_bare_field(&mut self, word: &str, span: Span, scope: Scope<'_>) -> bool {
        let fields = scope.element.map(|over| self.fields_of(over)).unwrap_or_default();
        let is_field = fields.iter().any(|field| field.trim_start_matches('.') == word);
        if is_field {
            let message = format!("no pack declares a fact `{word}`");
            let error = Diagnostic::error(codes::UNKNOWN_FACT, message, scope.at.source, span);
            let error = error.help(format!("a field of each element has a dot in front: `.{word}`"));
            self.push(error.edit(scope.at.source, span, format!(".{word}")));
        }
        is_field
    }

    fn element_field(&mut self, word: &str, span: Span, scope: Scope<'_>) -> Option<(FactRef, Type)> {
        let fact = match scope.element {
            Some(Over::Record(record)) => {
                let full = self.program.records.get(record.index()).map(|record| format!("{}{word}", record.name));
                full.and_then(|full| self.fact(&full))
            }
            Some(Over::Errors) if matches!(word, ".type" | ".message" | ".cause" | ".trace") => {
                let message = format!("`{word}` of a failure is a text");
                self.error(
                    codes::OTHER_KIND,
                    scope.at,
                    span,
                    message,
                    format!("write `{word} matches \"…\"`, or `.type = …`"),
                );
                return None;
            }
            Some(Over::Errors) => None,
            None => {
                self.field_without_element(word, span, scope);
                return None;
            }
        };
        if let Some(fact) = fact {
            return Some((FactRef::Element(fact), self.type_of(fact)));
        }
        let fields = scope.element.map(|over| self.fields_of(over)).unwrap_or_default();
        let near = self.guess(word.trim_start_matches('.'), fields.iter().map(String::as_str));
        let message = format!("the elements have no field `{word}`");
        let error = Diagnostic::error(codes::UNKNOWN_FIELD, message, scope.at.source, span);
        let error = match near {
            Some(near) => {
                error.help(format!("did you mean `.{near}`?")).edit(scope.at.source, span, format!(".{near}"))
            }
            None => error.help(format!("the fields are {}", super::quote_list(fields.iter().map(String::as_str)))),
        };
        self.push(error);
        None
    }

    fn field_without_element(&mut self, word: &str, span: Span, scope: Scope<'_>) {
        let fact = self.program.facts.iter().find(|fact| fact.record.is_some() && fact.name.ends_with(word));
        let full = fact.map(|fact| fact.name.to_string());
        let error = Diagnostic::error(
            codes::UNKNOWN_FIELD,
            format!("no quantifier says whose field `{word}` is"),
            scope.at.source,
            span,
        );
        let error = match full {
            Some(full) => error
                .help(format!(
                    "write `{full}` for the element that the failing run used, or `any {} where (…)`",
                    full.trim_end_matches(word)
                ))
                .edit(scope.at.source, span, full),
            None => error.help("put it in `any RECORD where (…)`"),
        };
        self.push(error);
    }

    /// A fact before an operator that asks for one.
    pub(super) fn fact_beside(&mut self, expr: &Expr, scope: Scope<'_>) -> Option<(FactRef, Type)> {
        if let ExprKind::Operand(Operand::Word(word)) = &expr.kind {
            return self.fact_ref(word, expr.span, scope);
        }
        self.error(codes::NO_FACT, scope.at, expr.span, "a fact is needed here", "name a fact before the operator");
        None
    }

    /// A term before `in` or `about`.
    pub(super) fn term_beside(&mut self, expr: &Expr, scope: Scope<'_>) -> Option<(Term, Type)> {
        match &expr.kind {
            ExprKind::Arithmetic { .. } => self.arithmetic(expr, scope),
            _ => self.fact_beside(expr, scope).map(|(fact, ty)| (Term::Fact(fact), ty)),
        }
    }

    /// The text before `matches`.
    pub(super) fn text_beside(&mut self, expr: &Expr, scope: Scope<'_>) -> Option<TextRef> {
        let ExprKind::Operand(Operand::Word(word)) = &expr.kind else {
            let help = "name a text before `matches`: `error`, `log`, `trace`, a section or a text fact";
            self.error(codes::UNKNOWN_TEXT, scope.at, expr.span, "only a text matches a pattern", help);
            return None;
        };
        self.text_ref(word, expr.span, scope)
    }

    /// The text of a name; what is none is reported.
    pub(super) fn text_ref(&mut self, word: &str, span: Span, scope: Scope<'_>) -> Option<TextRef> {
        if let Some(text) = self.known_text(word, scope) {
            return Some(text);
        }
        match self.thing(word) {
            None if !word.starts_with('.') && self.fact_is_unknown(word, scope) => self.unknown_text(word, span, scope),
            Some(Thing::Record(_)) => {
                let message = format!("`{word}` is a record, not a text");
                self.error(codes::UNKNOWN_TEXT, scope.at, span, message, format!("name one of its fields: `{word}.…`"));
            }
            _ => {
                let (_, ty) = self.fact_ref(word, span, scope)?;
                let help = match ty {
                    Type::Set(_) => format!("write `{word} has …`"),
                    _ => format!("compare it: `{word} = {}`", example(&ty)),
                };
                let message = format!("`{word}` is {}, and only a text matches a pattern", a(&ty));
                self.error(codes::UNKNOWN_TEXT, scope.at, span, message, help);
            }
        }
        None
    }

    fn fact_is_unknown(&self, word: &str, scope: Scope<'_>) -> bool {
        scope.captures.is_none_or(|captures| captures.get(word).is_none() && !captures.is_lost(word))
    }

    fn unknown_text(&mut self, word: &str, span: Span, scope: Scope<'_>) {
        let near = self.near_fact(word);
        let error = Diagnostic::error(codes::UNKNOWN_TEXT, format!("no text is named `{word}`"), scope.at.source, span);
        let error = match near {
            Some(near) => error.help(format!("did you mean `{near}`?")).edit(scope.at.source, span, near),
            None => error.help("match `error`, `log`, `trace`, a section or a text fact"),
        };
        self.push(error);
    }

    /// The text of a name, if it is one.
    pub(super) fn known_text(&mut self, word: &str, scope: Scope<'_>) -> Option<TextRef> {
        if scope.element == Some(Over::Errors) {
            let part = match word {
                "error" => Some(ErrorPart::All),
                ".type" => Some(ErrorPart::Type),
                ".message" => Some(ErrorPart::Message),
                ".cause" => Some(ErrorPart::Cause),
                ".trace" => Some(ErrorPart::Trace),
                _ => None,
            };
            if let Some(part) = part {
                return Some(TextRef::EachError(part));
            }
        }
        match word {
            "log" => Some(TextRef::Log),
            "error" => Some(TextRef::Error),
            "error.type" => Some(TextRef::ErrorType),
            "error.message" => Some(TextRef::ErrorMessage),
            "error.cause" => Some(TextRef::ErrorCause),
            "trace" => Some(TextRef::Trace),
            _ => self.text_of_fact(word, scope),
        }
    }

    fn text_of_fact(&mut self, word: &str, scope: Scope<'_>) -> Option<TextRef> {
        if let Some(capture) = scope.captures.and_then(|captures| captures.get(word)) {
            return literals::is_word(&capture.ty).then(|| TextRef::Fact(capture.fact.clone()));
        }
        if word.starts_with('.') {
            let Some(Over::Record(record)) = scope.element else { return None };
            let full = format!("{}{word}", self.program.records.get(record.index())?.name);
            let fact = self.fact(&full)?;
            return literals::is_word(&self.type_of(fact)).then_some(TextRef::Fact(FactRef::Element(fact)));
        }
        match self.thing(word)? {
            Thing::Section(section) => Some(TextRef::Section(section)),
            Thing::Fact(fact) => literals::is_word(&self.type_of(fact)).then_some(TextRef::Fact(FactRef::Fact(fact))),
            Thing::Record(_) => None,
        }
    }
}
