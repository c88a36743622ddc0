//! Conditions and patterns.

use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use rulecheck_grammar::Span;
use rulecheck_grammar::ast::*;

use super::{at, characters, id, operand, range};

fn expr(kind: ExprKind) -> Expr {
    Expr { span: Span::default(), kind }
}

fn phrase() -> BoxedStrategy<Pattern> {
    let hole =
        ("[a-z]{1,4}(\\.[a-z]{1,3})?", of(prop::sample::select(vec![HoleType::Size, HoleType::Word, HoleType::Path])));
    let part = prop_oneof![
        3 => characters().prop_map(PhrasePart::Literal),
        1 => hole.prop_map(|(name, ty)| PhrasePart::Hole { name: at(name), ty: ty.map(at) }),
        1 => Just(PhrasePart::Any(Span::default())),
    ];
    vec(part, 0..5)
        .prop_map(|list| {
            let mut parts = vec![PhrasePart::Literal("x".to_owned())];
            for part in list {
                match (parts.last_mut(), part) {
                    (Some(PhrasePart::Literal(before)), PhrasePart::Literal(text)) => before.push_str(&text),
                    (_, PhrasePart::Literal(text)) if text.is_empty() => {}
                    (_, part) => parts.push(part),
                }
            }
            Pattern::Phrase { parts, quoted: true }
        })
        .boxed()
}

/// A pattern as the printer gives it back: a quoted phrase or a regular expression.
pub fn pattern() -> BoxedStrategy<Pattern> {
    let piece =
        prop::sample::select(vec!["a", "[0-9]+", "\\d", "/", " ", "\"", " # ", "\\\\", "^", "(x|y)", "\\.", "中"]);
    prop_oneof![
        3 => phrase(),
        1 => (vec(piece, 0..5), any::<bool>())
            .prop_map(|(source, insensitive)| Pattern::Regex { source: source.concat(), insensitive }),
    ]
    .boxed()
}

fn matching() -> BoxedStrategy<Matching> {
    let followed = (pattern(), 0..100_u32).prop_map(|(it, lines)| (at(it), at(lines)));
    (vec(pattern().prop_map(at), 1..4), any::<bool>(), of(followed), of((1..9_u32).prop_map(at)))
        .prop_map(|(mut patterns, any_of, followed_by, times)| {
            if !any_of {
                patterns.truncate(1);
            }
            Matching { patterns, any_of, followed_by, times }
        })
        .boxed()
}

fn group() -> impl Strategy<Value = GroupKind> {
    prop::sample::select(vec![GroupKind::Any, GroupKind::All, GroupKind::None])
}

fn compare_op() -> impl Strategy<Value = CompareOp> {
    use CompareOp::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    prop::sample::select(vec![Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual])
}

fn items() -> impl Strategy<Value = Vec<rulecheck_grammar::Spanned<Operand>>> {
    vec(operand().prop_map(at), 1..5)
}

fn compare(left: Expr, right: Expr, op: CompareOp, version: Option<(CompareOp, Operand)>) -> ExprKind {
    let takes_version = op == CompareOp::Equal && matches!(right.kind, ExprKind::Operand(Operand::Word(_)));
    let version = version.filter(|_| takes_version).map(|(op, value)| (at(op), at(value)));
    ExprKind::Compare { left: Box::new(left), op: at(op), right: Box::new(right), version }
}

/// Parts of a chain: chains of the same kind are flat.
fn flat(list: Vec<Expr>, or: bool) -> Vec<Expr> {
    let part = |it: Expr| match it.kind {
        ExprKind::Or(parts) if or => parts,
        ExprKind::And(parts) if !or => parts,
        kind => vec![expr(kind)],
    };
    list.into_iter().flat_map(part).collect()
}

fn test(inner: &BoxedStrategy<Expr>) -> BoxedStrategy<ExprKind> {
    use ArithmeticOp::{Add, Divide, Multiply, Subtract};
    let left = || inner.clone().prop_map(Box::new);
    let state = prop::sample::select(vec![State::Known, State::Unknown, State::None]);
    let sign = prop::sample::select(vec![Add, Subtract, Multiply, Divide]);
    prop_oneof![
        (inner.clone(), inner.clone(), compare_op(), of((compare_op(), operand())))
            .prop_map(|(left, right, op, version)| compare(left, right, op, version)),
        (left(), any::<bool>(), prop_oneof![items().prop_map(Items::List), range().prop_map(Items::Range)])
            .prop_map(|(left, negated, items)| ExprKind::In { left, negated, items: at(items) }),
        (left(), "[0-9]{1,2} (GB|MB|TiB)").prop_map(|(left, size)| ExprKind::About { left, size: at(size) }),
        (left(), of(group()), items()).prop_map(|(left, group, mut items)| {
            if group.is_none() {
                items.truncate(1);
            }
            ExprKind::Has { left, group, items }
        }),
        (left(), any::<bool>(), state).prop_map(|(left, negated, it)| ExprKind::Is { left, negated, state: at(it) }),
        (left(), matching()).prop_map(|(left, it)| ExprKind::Matches { left, matching: at(it) }),
        (sign, left(), left()).prop_map(|(op, left, right)| ExprKind::Arithmetic { op: at(op), left, right }),
    ]
    .boxed()
}

/// A condition, with all kinds nested in each other.
pub fn condition() -> BoxedStrategy<Expr> {
    let leaf = prop_oneof![
        8 => operand().prop_map(ExprKind::Operand),
        1 => Just(ExprKind::NoProblem),
    ];
    leaf.prop_map(expr)
        .prop_recursive(4, 24, 3, |inner| {
            let inner = inner.boxed();
            let list = || vec(inner.clone(), 1..4);
            let quantifier = prop::sample::select(vec![Quantifier::Any, Quantifier::No, Quantifier::Every]);
            prop_oneof![
                vec(inner.clone(), 2..5).prop_map(|it| ExprKind::And(flat(it, false))),
                vec(inner.clone(), 2..5).prop_map(|it| ExprKind::Or(flat(it, true))),
                inner.clone().prop_map(|it| ExprKind::Not(Box::new(it))),
                (1..9_u32, list()).prop_map(|(count, list)| ExprKind::AtLeast(at(count), list)),
                (group(), list()).prop_map(|(group, list)| ExprKind::Group(group, list)),
                (quantifier, id(), inner.clone()).prop_map(|(it, record, condition)| ExprKind::Quantified {
                    quantifier: at(it),
                    record,
                    condition: Box::new(condition),
                }),
                test(&inner),
                test(&inner),
            ]
            .prop_map(expr)
        })
        .boxed()
}
