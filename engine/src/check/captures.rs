//! What the named holes of a rule's patterns read, as names of that rule.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use rulecheck_grammar::ast::{Expr, ExprKind, GroupKind, Matching, Operand};
use rulecheck_grammar::{Diagnostic, Span};

use super::conditions::{DEEPEST, Scope};
use super::patterns::captured_type;
use super::{At, Checker, codes, id};
use crate::ir::FactRef;
use crate::value::Type;

/// A name that a rule's pattern gives.
#[derive(Debug, Clone)]
pub(super) struct Capture {
    pub(super) name: Arc<str>,
    pub(super) fact: FactRef,
    pub(super) ty: Type,
    span: Span,
}

/// The names that a rule's patterns give.
#[derive(Debug, Default)]
pub(super) struct Captures {
    known: Vec<Capture>,
    by_name: HashMap<Arc<str>, usize>,
    /// Names of holes that stand where nothing is captured.
    lost: HashSet<Arc<str>>,
}

impl Captures {
    pub(super) fn get(&self, name: &str) -> Option<&Capture> {
        self.known.get(*self.by_name.get(name)?)
    }

    /// Whether a hole has this name, but stands under `not`, `none of`, `unless` or `where`.
    pub(super) fn is_lost(&self, name: &str) -> bool {
        self.lost.contains(name)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.known.iter().map(|capture| capture.name.as_ref())
    }
}

impl Checker<'_> {
    /// The captures of a rule: the named holes of the patterns that its `when` matches positively.
    pub(super) fn captures(&mut self, when: &Expr, unless: Option<&Expr>, at: At) -> Captures {
        let mut captures = Captures::default();
        self.capture(when, true, at, 0, &mut captures);
        if let Some(unless) = unless {
            self.capture(unless, false, at, 0, &mut captures);
        }
        captures
    }

    fn capture(&mut self, expr: &Expr, positive: bool, at: At, depth: u32, captures: &mut Captures) {
        if depth > DEEPEST {
            return;
        }
        match &expr.kind {
            ExprKind::And(items) | ExprKind::Or(items) | ExprKind::AtLeast(_, items) => {
                items.iter().for_each(|item| self.capture(item, positive, at, depth + 1, captures));
            }
            ExprKind::Group(kind, items) => {
                let positive = positive && *kind != GroupKind::None;
                items.iter().for_each(|item| self.capture(item, positive, at, depth + 1, captures));
            }
            ExprKind::Not(inner) => self.capture(inner, false, at, depth + 1, captures),
            ExprKind::Quantified { condition, .. } => self.capture(condition, false, at, depth + 1, captures),
            ExprKind::Matches { left, matching } => self.capture_matching(left, &matching.node, positive, at, captures),
            _ => {}
        }
    }

    fn capture_matching(&mut self, left: &Expr, matching: &Matching, positive: bool, at: At, captures: &mut Captures) {
        let followed = matching.followed_by.iter().map(|(pattern, _)| pattern);
        for pattern in matching.patterns.iter().chain(followed) {
            // What is wrong with a pattern or a text is said where the condition is read.
            let Ok((read, holes)) = self.read_pattern(&pattern.node) else { continue };
            if holes.is_empty() {
                continue;
            }
            if !positive {
                captures.lost.extend(holes.into_iter().map(|hole| hole.name));
                continue;
            }
            let ExprKind::Operand(Operand::Word(word)) = &left.kind else { continue };
            let Some(text) = self.known_text(word, Scope::new(at).with(captures)) else { continue };
            let pattern_id = self.intern(read);
            for (index, hole) in holes.into_iter().enumerate() {
                let span = if hole.span == Span::default() { pattern.span } else { hole.span };
                if let Some(first) = captures.get(&hole.name) {
                    let first = first.span;
                    self.hole_twice(&hole.name, span, first, at);
                    continue;
                }
                let fact = FactRef::Capture {
                    name: Arc::clone(&hole.name),
                    text: Box::new(text.clone()),
                    pattern: pattern_id,
                    hole: id(index),
                };
                captures.by_name.insert(Arc::clone(&hole.name), captures.known.len());
                captures.known.push(Capture { name: hole.name, fact, ty: captured_type(hole.hole), span });
            }
        }
    }

    fn hole_twice(&mut self, name: &str, span: Span, first: Span, at: At) {
        let error =
            Diagnostic::error(codes::HOLE_TWICE, format!("two holes of the rule are named `{name}`"), at.source, span);
        let error = error.label("again here").context(at.source, first, "first here");
        self.push(error.help("give one another name, or write `{*}` where the value is not needed"));
    }
}
