//! A word that stands alone where a condition is asked for, and what was meant by it.

use rulecheck_grammar::ast::{CompareOp, Expr, ExprKind, GroupKind, Items, Operand, Pattern};
use rulecheck_grammar::{Diagnostic, Span};

use super::conditions::Scope;
use super::literals::{a, example, is_word};
use super::names::{TEXTS, Thing};
use super::{Checker, codes};
use crate::ir::{Condition, Test};
use crate::value::Type;

/// A list of more stray words than this is not looked through for each of them.
const MANY: usize = 64;

impl Checker<'_> {
    /// A word alone: a bool fact, or a mistake.
    pub(super) fn lone(&mut self, word: &str, span: Span, scope: Scope<'_>) -> Option<Condition> {
        match word {
            "true" => return Some(self.always(true, span, scope)),
            "false" => return Some(self.always(false, span, scope)),
            _ => {}
        }
        if self.is_bool(word, scope) {
            let (fact, _) = self.fact_ref(word, span, scope)?;
            return Some(self.test(Test::Holds(fact), false, span, scope));
        }
        if !self.goes_on(word, span, scope) {
            self.no_condition(word, span, scope);
        }
        None
    }

    fn is_bool(&mut self, word: &str, scope: Scope<'_>) -> bool {
        if word.starts_with('.') {
            let Some(crate::ir::Over::Record(record)) = scope.element else { return false };
            let full = self.program.records.get(record.index()).map(|record| format!("{}{word}", record.name));
            return full.and_then(|full| self.fact(&full)).is_some_and(|fact| self.type_of(fact) == Type::Bool);
        }
        let captured = scope.captures.is_some_and(|captures| captures.get(word).is_some());
        !captured && self.fact(word).is_some_and(|fact| self.type_of(fact) == Type::Bool)
    }

    /// Whether the word goes on what stands before it: a bare phrase that ended too soon, or a list of words.
    fn goes_on(&mut self, word: &str, span: Span, scope: Scope<'_>) -> bool {
        // `stage = a or b or c` is one mistake, said at `b`.
        let strays = scope.before.iter().rev().take(MANY).take_while(|expr| self.is_stray(expr)).count();
        let Some(start) = scope.before.iter().rev().nth(strays) else { return false };
        let start = last_leaf(start);
        match &start.kind {
            ExprKind::Matches { matching, .. } => {
                let Some(phrase) = matching.node.patterns.last().filter(|pattern| is_bare(&pattern.node)) else {
                    return false;
                };
                if strays == 0 {
                    self.unquoted(phrase.span, span, word, scope);
                }
                true
            }
            ExprKind::Compare { .. } | ExprKind::In { .. } | ExprKind::Has { .. } => {
                if strays > 0 {
                    return true;
                }
                if self.names.things.contains_key(word) && !self.is_word_beside(start, word) {
                    return false;
                }
                let after =
                    scope.after.iter().take_while(|expr| self.is_stray(expr)).last().map_or(span, |expr| expr.span);
                self.loose_word(start, word, span, after, scope)
            }
            _ => false,
        }
    }

    /// Whether an expression is a word that stands for nothing.
    fn is_stray(&self, expr: &Expr) -> bool {
        matches!(&expr.kind, ExprKind::Operand(Operand::Word(word)) if !self.names.things.contains_key(word.as_str()))
    }

    /// Whether what a condition asks for can be this word.
    fn is_word_beside(&self, condition: &Expr, word: &str) -> bool {
        let (ExprKind::Compare { left, .. } | ExprKind::In { left, .. } | ExprKind::Has { left, .. }) = &condition.kind
        else {
            return false;
        };
        let ExprKind::Operand(Operand::Word(name)) = &left.kind else { return false };
        let Some(Thing::Fact(fact)) = self.names.things.get(name.as_str()) else { return false };
        matches!(self.type_of(*fact), Type::OneOf(words) if words.iter().any(|known| **known == *word))
    }

    fn unquoted(&mut self, phrase: Span, span: Span, word: &str, scope: Scope<'_>) {
        let at = scope.at;
        let whole = phrase.to(span);
        let quoted = format!("\"{}\"", self.slice(at, whole).replace('\\', "\\\\").replace('"', "\\\""));
        let message = format!("the phrase ends before `{word}`, which is no condition");
        let error = Diagnostic::error(codes::UNQUOTED_PHRASE, message, at.source, span).label("no condition");
        let error = error.context(at.source, phrase, "the phrase ends here");
        self.push(
            error
                .help(format!("if the word belongs to the phrase, put it in quotes: `{quoted}`"))
                .edit(at.source, whole, quoted),
        );
    }

    /// `stage = a or b`: offers the list. False if the word before is no list either.
    fn loose_word(&mut self, start: &Expr, word: &str, span: Span, end: Span, scope: Scope<'_>) -> bool {
        let at = scope.at;
        let (left, operator, behind) = match &start.kind {
            ExprKind::Compare { left, op, right, version: None } => match op.node {
                CompareOp::Equal => (left, "in", right.span),
                CompareOp::NotEqual => (left, "not in", right.span),
                _ => return false,
            },
            ExprKind::In { left, negated, items } if matches!(items.node, Items::List(_)) => {
                (left, if *negated { "not in" } else { "in" }, items.span)
            }
            ExprKind::Has { left, group, items } => {
                let Some(last) = items.last() else { return false };
                let first = items.first().map_or(last.span, |item| item.span);
                let all = matches!(group, Some(GroupKind::All)) || self.joined_by_and(start.span, span, scope);
                (left, if all { "has all of" } else { "has any of" }, first.to(last.span))
            }
            _ => return false,
        };
        let name = self.slice(at, left.span).to_owned();
        let listed = self.slice(at, behind).trim_matches(['[', ']']).to_owned();
        let following = scope.after.iter().take_while(|expr| expr.span.end <= end.end);
        let more: Vec<_> = following.map(|expr| format!(", {}", self.slice(at, expr.span))).collect();
        let instead = format!("{name} {operator} [{listed}, {word}{}]", more.concat());
        let error = Diagnostic::error(codes::LOOSE_WORD, format!("`{word}` alone is no condition"), at.source, span);
        let error = error.context(at.source, start.span, "the word before it stands here");
        self.push(error.help(format!("write `{instead}`")).edit(at.source, start.span.to(end), instead));
        true
    }

    fn joined_by_and(&self, before: Span, word: Span, scope: Scope<'_>) -> bool {
        self.slice(scope.at, Span::new(before.end, word.start)).trim() == "and"
    }

    fn no_condition(&mut self, word: &str, span: Span, scope: Scope<'_>) {
        let at = scope.at;
        let known = scope.captures.and_then(|captures| captures.get(word)).map(|capture| capture.ty.clone());
        let thing = self.thing(word);
        let (what, help) = match (known, thing) {
            (Some(ty), _) => (a(&ty), compared(word, &ty)),
            (None, Some(Thing::Fact(fact))) => {
                let ty = self.type_of(fact);
                (a(&ty), compared(word, &ty))
            }
            (None, Some(Thing::Record(_))) => {
                ("a record", format!("write `any {word} where (…)`, or `{word} is none`"))
            }
            (None, Some(Thing::Section(_))) => {
                ("a section of the text", format!("write `{word} matches \"…\"`, or `{word} is known`"))
            }
            (None, None) if TEXTS.contains(&word) => ("a text", format!("write `{word} matches \"…\"`")),
            (None, None) if word == "problem" => ("no bool", "write `problem = ID`, or `no problem`".to_owned()),
            (None, None) if word.starts_with('.') => {
                let Some((_, ty)) = self.fact_ref(word, span, scope) else { return };
                (a(&ty), compared(word, &ty))
            }
            (None, None) => {
                self.unknown_fact(word, span, at);
                return;
            }
        };
        let message = format!("`{word}` is {what}, and only a bool fact stands alone");
        self.error(codes::NO_CONDITION, at, span, message, help);
    }
}

/// How a fact of a type is asked.
fn compared(word: &str, ty: &Type) -> String {
    match ty {
        Type::Set(_) => format!("write `{word} has …`, or `{word} is known`"),
        ty if is_word(ty) => format!("write `{word} = …`, or `{word} is known`"),
        ty => format!("write `{word} >= {}`, or `{word} is known`", example(ty)),
    }
}

/// The condition that ends an expression.
fn last_leaf(expr: &Expr) -> &Expr {
    let mut leaf = expr;
    loop {
        leaf = match &leaf.kind {
            ExprKind::And(items) | ExprKind::Or(items) => match items.last() {
                Some(last) => last,
                None => return leaf,
            },
            ExprKind::Not(inner) => inner,
            _ => return leaf,
        };
    }
}

fn is_bare(pattern: &Pattern) -> bool {
    matches!(pattern, Pattern::Phrase { quoted: false, .. })
}
