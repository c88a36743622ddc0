//! The pieces of a condition: its tokens, and the parts that are put together from them.

use super::cx::Cx;
use super::syntax::{Node, Nodes, Rule};
use crate::ast::{CompareOp, Expr, ExprKind, GroupKind};
use crate::source::Span;

/// What a token is.
pub(super) enum Sort<'i> {
    Word,
    Text,
    Sign,
    /// What stands behind `matches`, parsed.
    Matching(Node<'i>),
}

/// A piece of a condition.
pub(super) struct Token<'i> {
    pub(super) sort: Sort<'i>,
    pub(super) text: &'i str,
    pub(super) span: Span,
}

/// The tokens of a condition.
pub(super) fn tokens<'i>(cx: &Cx<'_>, node: Node<'i>) -> Vec<Token<'i>> {
    let mut list = Vec::new();
    for part in Nodes::of(node) {
        let (text, place) = (part.as_str(), cx.span(&part));
        let sort = match text.as_bytes().first() {
            _ if part.as_rule() == Rule::matching => Sort::Matching(part),
            Some(b'"') if text.len() > 1 => Sort::Text,
            Some(byte) if byte.is_ascii_punctuation() && !b"_-.+".contains(byte) => Sort::Sign,
            _ if text.contains("..") => {
                split_range(text, place, &mut list);
                continue;
            }
            _ => Sort::Word,
        };
        list.push(Token { sort, text, span: place });
    }
    list
}

/// The grammar takes `GiB..8` for one word, since that costs it nothing.
fn split_range<'i>(text: &'i str, place: Span, list: &mut Vec<Token<'i>>) {
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let len = match rest.find("..") {
            Some(0) => 2,
            Some(at) => at,
            None => rest.len(),
        };
        let (token, behind) = rest.split_at_checked(len.max(first.len_utf8())).unwrap_or((rest, ""));
        let end = place.end - u32::try_from(behind.len()).unwrap_or(0);
        let start = end - u32::try_from(token.len()).unwrap_or(0);
        let sort = if token == ".." { Sort::Sign } else { Sort::Word };
        list.push(Token { sort, text: token, span: Span::new(start, end) });
        rest = behind;
    }
}

/// An expression, and how deep brackets, `not` and arithmetic nest in it. Boxed, so that the frames of the recursion
/// over brackets stay small.
pub(super) struct Deep {
    pub(super) expr: Box<Expr>,
    pub(super) depth: u32,
}

/// Conditions joined by `and` or by `or`.
pub(super) struct Chain {
    place: Span,
    depth: u32,
    list: Vec<Expr>,
    make: fn(Vec<Expr>) -> ExprKind,
}

impl Chain {
    pub(super) fn new(make: fn(Vec<Expr>) -> ExprKind) -> Self {
        Self { place: Span::default(), depth: 0, list: Vec::new(), make }
    }

    pub(super) fn push(&mut self, part: Deep) {
        self.place = if self.list.is_empty() { part.expr.span } else { self.place.to(part.expr.span) };
        self.depth = self.depth.max(part.depth);
        self.list.push(*part.expr);
    }

    /// The only part alone, or a flat chain: brackets around a chain of the same kind are dropped.
    pub(super) fn finish(mut self) -> Deep {
        if self.list.len() == 1
            && let Some(only) = self.list.pop()
        {
            return Deep { expr: Box::new(only), depth: self.depth };
        }
        let mut kind = (self.make)(Vec::new());
        for part in self.list {
            match (&mut kind, part.kind) {
                (ExprKind::And(list), ExprKind::And(parts)) | (ExprKind::Or(list), ExprKind::Or(parts)) => {
                    list.extend(parts);
                }
                (ExprKind::And(list) | ExprKind::Or(list), kind) => list.push(Expr { span: part.span, kind }),
                _ => {}
            }
        }
        Deep { expr: Box::new(Expr { span: self.place, kind }), depth: self.depth }
    }
}

/// The comparison that a sign means.
pub(super) fn compare_op(sign: &str) -> Option<CompareOp> {
    Some(match sign {
        "=" => CompareOp::Equal,
        "!=" => CompareOp::NotEqual,
        "<" => CompareOp::Less,
        "<=" => CompareOp::LessOrEqual,
        ">" => CompareOp::Greater,
        ">=" => CompareOp::GreaterOrEqual,
        _ => return None,
    })
}

/// The group that a word begins.
pub(super) fn group_kind(word: &str) -> Option<GroupKind> {
    Some(match word {
        "any" => GroupKind::Any,
        "all" => GroupKind::All,
        "none" => GroupKind::None,
        _ => return None,
    })
}
