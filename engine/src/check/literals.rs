//! Literals: what a written value is beside a fact of a type.

use std::collections::BTreeSet;
use std::sync::Arc;

use rulecheck_grammar::ast::{self, Operand};
use rulecheck_grammar::{Diagnostic, Span, Spanned};

use super::{At, Checker, codes, quote_list};
use crate::value::{Number, Type, Value, is_name, parse_number, parse_size};
use crate::version::Version;

/// What stands beside a literal and gives it its type, and the operator between.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beside {
    pub(super) span: Span,
    pub(super) op: Option<Span>,
}

impl From<Span> for Beside {
    fn from(span: Span) -> Self {
        Self { span, op: None }
    }
}

/// A type with its article, for messages.
pub(super) const fn a(ty: &Type) -> &'static str {
    match ty {
        Type::Bool => "a bool",
        Type::Number => "a number",
        Type::Size => "a size",
        Type::Version => "a version",
        Type::Text => "a text",
        Type::Name => "a name",
        Type::OneOf(_) => "a choice of words",
        Type::Set(_) => "a set",
    }
}

/// Whether a word beside a fact of this type is a word, not a fact.
pub(super) const fn is_word(ty: &Type) -> bool {
    matches!(ty, Type::Text | Type::Name | Type::OneOf(_))
}

/// What a literal is by its look.
pub(super) fn looks(operand: &Operand) -> &'static str {
    match operand {
        Operand::Size(..) => "a size",
        Operand::Text(_) => "a text",
        Operand::Word(word) if parse_number(word).is_some() => "a number",
        Operand::Word(word) if Version::parse(word).is_some() => "a version",
        Operand::Word(word) if word == "true" || word == "false" => "a bool",
        Operand::Word(_) => "a word",
    }
}

/// The text of a word or quoted literal.
pub(super) fn words(operand: &Operand) -> Option<&str> {
    match operand {
        Operand::Word(word) => Some(word),
        Operand::Text(text) => Some(&text.value),
        Operand::Size(..) => None,
    }
}

impl Checker<'_> {
    /// The value of a literal of a type; what is none is reported.
    pub(super) fn literal(
        &mut self,
        operand: &Spanned<Operand>,
        ty: &Type,
        beside: impl Into<Beside>,
        at: At,
    ) -> Option<Value> {
        let beside = beside.into();
        if let Type::Set(of) = ty {
            return self.set_literal(operand, of, beside, at);
        }
        if matches!(ty, Type::Text | Type::Name)
            && let Operand::Word(word) = &operand.node
            && matches!(word.as_str(), "none" | "unknown")
        {
            self.state_as_value(word, operand.span, beside, at);
            return None;
        }
        if let (Operand::Word(word), Type::Version) = (&operand.node, ty)
            && !self.is_exact(word, operand.span, at)
        {
            return None;
        }
        let value = match (&operand.node, ty) {
            (Operand::Size(number, unit), Type::Size) => return self.size(number, unit, operand.span, at),
            (Operand::Word(word), Type::Bool) => match word.as_str() {
                "true" => Some(Value::Bool(true)),
                "false" => Some(Value::Bool(false)),
                _ => None,
            },
            (Operand::Word(word), Type::Number) => parse_number(word).map(Value::Number),
            (Operand::Word(word), Type::Version) => Version::parse(word).map(Value::Version),
            (operand, Type::Text) => words(operand).map(Value::text),
            (operand, Type::Name) => words(operand).filter(|word| is_name(word)).map(Value::text),
            (operand, Type::OneOf(_)) => words(operand).and_then(|word| Value::parse(word, ty)),
            _ => None,
        };
        if value.is_none() {
            self.bad_literal(operand, ty, beside, at);
        }
        value
    }

    fn state_as_value(&mut self, word: &str, span: Span, beside: Beside, at: At) {
        let fact = self.slice(at, beside.span).to_owned();
        let error = Diagnostic::error(codes::BAD_LITERAL, format!("`{word}` is no value"), at.source, span);
        self.push(error.help(format!("write `{fact} is {word}`, or `\"{word}\"` in quotes if that is the word")));
    }

    fn set_literal(&mut self, operand: &Spanned<Operand>, of: &Arc<Type>, beside: Beside, at: At) -> Option<Value> {
        let Operand::Text(text) = &operand.node else {
            return Some(Value::Set(BTreeSet::from([self.literal(operand, of, beside, at)?])));
        };
        let items: Option<BTreeSet<_>> = match Value::parse(&text.value, &Type::Set(Arc::clone(of))) {
            Some(Value::Set(items)) => Some(items),
            _ => None,
        };
        if items.is_none() {
            self.bad_literal(operand, of, beside, at);
        }
        items.map(Value::Set)
    }

    fn size(&mut self, number: &str, unit: &str, span: Span, at: At) -> Option<Value> {
        if matches!(unit, "KB" | "MB" | "GB" | "TB") {
            let binary = format!("{number} {}iB", unit.trim_end_matches('B'));
            let message = format!("`{unit}` is the unit a size is sold in");
            let error = Diagnostic::error(codes::MISSING_UNIT, message, at.source, span);
            self.push(
                error.help(format!("write `{binary}`, or `about {number} {unit}`")).edit(at.source, span, binary),
            );
            return None;
        }
        let size = parse_size(&format!("{number} {unit}"));
        if size.is_none() {
            let message = format!("`{number} {unit}` is no size that a machine could have");
            self.error(codes::BAD_LITERAL, at, span, message, "write a size such as `8 GiB` or `405 MiB`");
        }
        size.map(Value::Size)
    }

    /// Reports a version with a part that stands for any number, which no program has.
    fn is_exact(&mut self, word: &str, span: Span, at: At) -> bool {
        let is_any = |part: &str| matches!(part, "x" | "X" | "*");
        let Some(any) = word.split('.').position(is_any) else { return true };
        let exact = word.split('.').take(any).collect::<Vec<_>>().join(".");
        let message = format!("`{word}` is no version that a program could have");
        let error = Diagnostic::error(codes::BAD_LITERAL, message, at.source, span);
        let help = format!("write `{exact}`: only as many parts count as the literal has");
        self.push(error.help(help).edit(at.source, span, exact));
        false
    }

    /// Reports a literal that is no value of a type.
    pub(super) fn bad_literal(&mut self, operand: &Spanned<Operand>, ty: &Type, beside: Beside, at: At) {
        let word = words(&operand.node).unwrap_or("").to_owned();
        let fact = matches!(operand.node, Operand::Word(_)) && self.fact(&word).is_some();
        let error = match (&operand.node, ty) {
            (Operand::Word(_), Type::Size) if parse_number(&word).is_some() => missing_unit(&word, operand.span, at),
            (Operand::Size(..) | Operand::Text(_), Type::Number | Type::Version | Type::Bool)
            | (Operand::Text(_) | Operand::Size(..), Type::Size)
            | (Operand::Size(..), _) => unlike(operand, ty, at),
            (Operand::Word(_), Type::Number | Type::Size | Type::Version | Type::Bool) if fact => {
                let message = format!("`{word}` is a fact, and only a value can stand here");
                let help = format!("write {}, such as `{}`", a(ty), example(ty));
                Diagnostic::error(codes::VALUE_WANTED, message, at.source, operand.span).help(help)
            }
            (_, Type::OneOf(words)) => self.unknown_word(&word, words, operand.span, beside, at),
            _ => {
                let message = format!("`{word}` is no {}", a(ty).trim_start_matches("a "));
                let help = format!("write {}, such as `{}`", a(ty), example(ty));
                Diagnostic::error(codes::BAD_LITERAL, message, at.source, operand.span).help(help)
            }
        };
        self.push(mark(error, beside, at, a(ty)));
    }

    fn unknown_word(&mut self, word: &str, known: &[Arc<str>], span: Span, beside: Beside, at: At) -> Diagnostic {
        let begins = |it: &&Arc<str>| word.len() > 2 && it.starts_with(&word.to_lowercase());
        let longer = known.iter().find(begins).map(ToString::to_string);
        let near = longer.or_else(|| self.guess(word, known.iter().map(AsRef::as_ref)));
        let message = format!("`{}` cannot be `{word}`", self.slice(at, beside.span));
        let error = Diagnostic::error(codes::UNKNOWN_WORD, message, at.source, span);
        match near {
            Some(near) => error.help(format!("did you mean `{near}`?")).edit(at.source, span, near),
            None => {
                let shown = quote_list(known.iter().take(12).map(AsRef::as_ref));
                let more = if known.len() > 12 { ", …" } else { "" };
                error.help(format!("it is one of {shown}{more}"))
            }
        }
    }

    /// The ends of a range.
    pub(super) fn range(
        &mut self,
        range: &ast::Range,
        span: Span,
        ty: &Type,
        beside: impl Into<Beside>,
        at: At,
    ) -> Option<(Value, Value)> {
        let beside = beside.into();
        let low = self.literal(&range.low, ty, beside, at);
        let high = self.literal(&range.high, ty, beside, at);
        let (low, high) = low.zip(high)?;
        let empty = match (&low, &high) {
            (Value::Version(low), Value::Version(high)) => low.compare_to(high).is_gt() && high.compare_to(low).is_lt(),
            _ => low > high,
        };
        if empty {
            let (left, right) = (self.slice(at, range.low.span).to_owned(), self.slice(at, range.high.span).to_owned());
            let error = Diagnostic::error(
                codes::EMPTY_RANGE,
                format!("nothing lies between `{left}` and `{right}`"),
                at.source,
                span,
            );
            self.push(error.help("write the lower end first").edit(at.source, span, format!("{right}..{left}")));
            return None;
        }
        Some((low, high))
    }

    /// The range of a size as sold: from 1 % below the decimal to 1 % above the binary reading.
    pub(super) fn as_sold(&mut self, size: &Spanned<String>, at: At) -> Option<(Value, Value)> {
        let split = size.node.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(size.node.len());
        let (number, unit) = size.node.split_at_checked(split)?;
        let power = match unit.trim() {
            "MB" => 2,
            "GB" => 3,
            "TB" => 4,
            _ => 0,
        };
        let sold = number.parse::<f64>().ok().filter(|number| *number > 0.0 && power > 0);
        let bounds = sold.map(|sold| (sold * 0.99 * 1000_f64.powi(power), sold * 1.01 * 1024_f64.powi(power)));
        let Some((low, high)) = bounds.and_then(|(low, high)| bytes(low).zip(bytes(high))) else {
            self.not_as_sold(size, number, unit.trim(), at);
            return None;
        };
        Some((Value::Size(low), Value::Size(high)))
    }

    fn not_as_sold(&mut self, size: &Spanned<String>, number: &str, unit: &str, at: At) {
        let message = format!("`{}` is no size as sold", size.node);
        let error = Diagnostic::error(codes::BAD_LITERAL, message, at.source, size.span);
        self.push(match unit {
            "MiB" | "GiB" | "TiB" => {
                let sold = format!("{number} {}", unit.replace('i', ""));
                error.help(format!("write it as on the box: `about {sold}`")).edit(at.source, size.span, sold)
            }
            _ => error.help("write it as on the box, such as `about 24 GB`"),
        });
    }
}

fn bytes(size: f64) -> Option<u64> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked against the range")]
    (0.0..9.0e18).contains(&size).then_some(size.round() as u64)
}

/// Marks what stands beside a literal, and the operator between.
fn mark(error: Diagnostic, beside: Beside, at: At, what: &str) -> Diagnostic {
    let error = error.context(at.source, beside.span, what);
    match beside.op {
        Some(op) => error.context(at.source, op, ""),
        None => error,
    }
}

fn missing_unit(word: &str, span: Span, at: At) -> Diagnostic {
    let message = format!("compares a size with the number `{word}`, which has no unit");
    let help = format!("write the unit: `{word} GiB`, `{word} MiB` or `{word} B`");
    Diagnostic::error(codes::MISSING_UNIT, message, at.source, span).label("a number").help(help)
}

fn unlike(operand: &Spanned<Operand>, ty: &Type, at: At) -> Diagnostic {
    let (has, wants) = (looks(&operand.node), a(ty));
    let error = Diagnostic::error(
        codes::UNLIKE_TYPES,
        format!("{wants} and {has} cannot be compared"),
        at.source,
        operand.span,
    );
    let error = error.label(has);
    match &operand.node {
        Operand::Text(text) if Version::parse(&text.value).is_some() && *ty == Type::Version => {
            error.help("take the quotes out").edit(at.source, operand.span, text.value.clone())
        }
        _ => error.help(format!("write {wants}, such as `{}`", example(ty))),
    }
}

/// A value of a type.
pub(super) fn example(ty: &Type) -> String {
    match ty {
        Type::Bool => "true".to_owned(),
        Type::Number => "3".to_owned(),
        Type::Size => "8 GiB".to_owned(),
        Type::Version => "2.4".to_owned(),
        Type::Text => "\"some text\"".to_owned(),
        Type::Name => "some-name".to_owned(),
        Type::OneOf(words) => words.first().map_or_else(String::new, |word| word.as_ref().to_owned()),
        Type::Set(of) => example(of),
    }
}

/// A number literal in arithmetic.
pub(super) fn number(operand: &Operand) -> Option<Number> {
    match operand {
        Operand::Word(word) => parse_number(word),
        Operand::Size(..) | Operand::Text(_) => None,
    }
}
