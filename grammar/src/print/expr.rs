//! Conditions, with as few brackets as their meaning allows.

use super::doc::Doc;
use super::text::{code, escape, quoted};
use crate::ast::{
    ArithmeticOp, CompareOp, Expr, ExprKind, GroupKind, Items, Matching, Operand, Pattern, PhrasePart, Quantifier,
    Range, State,
};
use crate::parse::HOLE_TYPES;

/// How strongly parts bind, from loose to strong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Or,
    And,
    Not,
    Test,
    Sum,
    Product,
    Primary,
}

/// A condition.
pub(super) fn condition(expr: &Expr) -> Doc {
    Doc::group(at(expr, Level::Or))
}

/// An expression where only what binds at least as strongly as `level` may stand without brackets.
fn at(expr: &Expr, level: Level) -> Vec<Doc> {
    let inner = parts(&expr.kind);
    if level_of(&expr.kind) >= level {
        return inner;
    }
    vec![Doc::group([vec![Doc::text("(")], inner, vec![Doc::text(")")]].into_iter().flatten().collect())]
}

fn level_of(kind: &ExprKind) -> Level {
    match kind {
        ExprKind::Or(_) => Level::Or,
        ExprKind::And(_) => Level::And,
        ExprKind::Not(_) => Level::Not,
        ExprKind::Compare { .. }
        | ExprKind::In { .. }
        | ExprKind::About { .. }
        | ExprKind::Has { .. }
        | ExprKind::Is { .. }
        | ExprKind::Matches { .. } => Level::Test,
        ExprKind::Arithmetic { op, .. } => arithmetic_level(op.node),
        ExprKind::AtLeast(..)
        | ExprKind::Group(..)
        | ExprKind::Quantified { .. }
        | ExprKind::NoProblem
        | ExprKind::Operand(_) => Level::Primary,
    }
}

fn arithmetic_level(op: ArithmeticOp) -> Level {
    match op {
        ArithmeticOp::Add | ArithmeticOp::Subtract => Level::Sum,
        ArithmeticOp::Multiply | ArithmeticOp::Divide => Level::Product,
    }
}

fn parts(kind: &ExprKind) -> Vec<Doc> {
    match kind {
        ExprKind::Or(list) => chain(list, "or ", Level::And),
        ExprKind::And(list) => chain(list, "and ", Level::Not),
        ExprKind::Not(inner) => prefixed("not ", at(inner, Level::Not)),
        ExprKind::AtLeast(count, list) => conditions(&format!("at least {} of (", count.node), list),
        ExprKind::Group(group, list) => conditions(&format!("{} of (", group_word(*group)), list),
        ExprKind::Quantified { quantifier, record, condition } => {
            let word = match quantifier.node {
                Quantifier::Any => "any",
                Quantifier::No => "no",
                Quantifier::Every => "every",
            };
            let inner = parts(&condition.kind);
            vec![bracketed(&format!("{word} {} where (", record.node), inner)]
        }
        ExprKind::NoProblem => vec![Doc::text("no problem")],
        ExprKind::Compare { left, op, right, version } => {
            let mut list = at(left, Level::Sum);
            list.push(Doc::text(format!(" {} ", compare_sign(op.node))));
            list.extend(at(right, Level::Sum));
            if let Some((op, value)) = version {
                list.extend([Doc::text(format!(" {} ", compare_sign(op.node))), operand(&value.node)]);
            }
            list
        }
        ExprKind::In { left, negated, items } => {
            let word = if *negated { " not in " } else { " in " };
            let items = match &items.node {
                Items::List(list) => list_of(list),
                Items::Range(it) => range(it),
            };
            followed(left, word, items)
        }
        ExprKind::About { left, size } => followed(left, " about ", Doc::text(size.node.clone())),
        ExprKind::Has { left, group, items } => match group {
            Some(group) => followed(left, &format!(" has {} of ", group_word(*group)), list_of(items)),
            None => followed(left, " has ", items.first().map_or_else(|| Doc::text(""), |it| operand(&it.node))),
        },
        ExprKind::Is { left, negated, state } => {
            let not = if *negated { "not " } else { "" };
            followed(left, &format!(" is {not}{}", state_word(state.node)), Doc::text(""))
        }
        ExprKind::Matches { left, matching: it } => followed(left, " matches ", matching(&it.node)),
        ExprKind::Arithmetic { op, left, right } => arithmetic(op.node, left, right),
        ExprKind::Operand(it) => vec![operand(it)],
    }
}

/// `a and b and c`: a line may begin with each `and`.
fn chain(list: &[Expr], word: &str, level: Level) -> Vec<Doc> {
    let mut out = Vec::new();
    for (index, part) in list.iter().enumerate() {
        if index > 0 {
            out.extend([Doc::Line, Doc::text(word)]);
        }
        out.push(Doc::group(at(part, level)));
    }
    out
}

fn arithmetic(op: ArithmeticOp, left: &Expr, right: &Expr) -> Vec<Doc> {
    let (sign, right_level) = match op {
        ArithmeticOp::Add => (" + ", Level::Product),
        ArithmeticOp::Subtract => (" - ", Level::Product),
        ArithmeticOp::Multiply => (" * ", Level::Primary),
        ArithmeticOp::Divide => (" / ", Level::Primary),
    };
    let mut list = at(left, arithmetic_level(op));
    list.push(Doc::text(sign));
    list.extend(at(right, right_level));
    list
}

fn prefixed(word: &str, inner: Vec<Doc>) -> Vec<Doc> {
    std::iter::once(Doc::text(word)).chain(inner).collect()
}

fn followed(left: &Expr, word: &str, right: Doc) -> Vec<Doc> {
    let mut list = at(left, Level::Sum);
    list.extend([Doc::text(word), right]);
    list
}

fn bracketed(open: &str, inner: Vec<Doc>) -> Doc {
    Doc::group(prefixed(open, inner).into_iter().chain([Doc::text(")")]).collect())
}

fn conditions(open: &str, list: &[Expr]) -> Vec<Doc> {
    vec![Doc::list(open, list.iter().map(condition), ")")]
}

/// `[a, b]`
fn list_of(list: &[crate::source::Spanned<Operand>]) -> Doc {
    Doc::fill("[", list.iter().map(|it| operand(&it.node)), "]")
}

/// `a..b`
pub(super) fn range(range: &Range) -> Doc {
    Doc::group(vec![operand(&range.low.node), Doc::text(".."), operand(&range.high.node)])
}

/// A single value.
pub(super) fn operand(operand: &Operand) -> Doc {
    match operand {
        Operand::Word(word) => Doc::text(word.clone()),
        Operand::Size(number, unit) => Doc::text(format!("{number} {unit}")),
        Operand::Text(text) => quoted(text),
    }
}

/// `known`, `unknown` or `none`.
pub(super) fn state_word(state: State) -> &'static str {
    match state {
        State::Known => "known",
        State::Unknown => "unknown",
        State::None => "none",
    }
}

fn group_word(group: GroupKind) -> &'static str {
    match group {
        GroupKind::Any => "any",
        GroupKind::All => "all",
        GroupKind::None => "none",
    }
}

fn compare_sign(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Equal => "=",
        CompareOp::NotEqual => "!=",
        CompareOp::Less => "<",
        CompareOp::LessOrEqual => "<=",
        CompareOp::Greater => ">",
        CompareOp::GreaterOrEqual => ">=",
    }
}

fn matching(matching: &Matching) -> Doc {
    let mut patterns = matching.patterns.iter().map(|it| pattern(&it.node));
    let mut list = if matching.any_of {
        vec![Doc::list("any of (", patterns, ")")]
    } else {
        patterns.next().into_iter().collect()
    };
    if let Some((second, lines)) = &matching.followed_by {
        list.extend([Doc::Line, Doc::text("followed by "), pattern(&second.node)]);
        list.push(Doc::text(format!(" within {} lines", lines.node)));
    }
    if let Some(times) = &matching.times {
        list.push(Doc::text(format!(" at least {} times", times.node)));
    }
    Doc::group(list)
}

/// A phrase, always in quotes, or a regular expression.
pub(super) fn pattern(pattern: &Pattern) -> Doc {
    let mut out = String::new();
    match pattern {
        Pattern::Phrase { parts, .. } => {
            out.push('"');
            for part in parts {
                phrase_part(part, &mut out);
            }
            out.push('"');
        }
        Pattern::Regex { source, insensitive } => regex(source, *insensitive, &mut out),
    }
    Doc::Text(out)
}

fn phrase_part(part: &PhrasePart, out: &mut String) {
    match part {
        PhrasePart::Literal(text) => {
            for (index, run) in text.split('{').enumerate() {
                if index > 0 {
                    code('{', out);
                }
                // A hole behind it would make it the sign for a character.
                let (run, sign) = run.strip_suffix("\\u").map_or((run, ""), |run| (run, r"\\u"));
                escape(run, out);
                out.push_str(sign);
            }
        }
        PhrasePart::Hole { name, ty } => {
            out.push('{');
            out.push_str(&name.node);
            if let Some((word, _)) = HOLE_TYPES.iter().find(|(_, it)| ty.as_ref().is_some_and(|ty| ty.node == *it)) {
                out.push_str(": ");
                out.push_str(word);
            }
            out.push('}');
        }
        PhrasePart::Any(_) => out.push_str("{*}"),
    }
}

fn regex(source: &str, insensitive: bool, out: &mut String) {
    out.push('/');
    let mut escaped = false;
    for it in source.chars() {
        if it == '/' && !escaped {
            out.push('\\');
        }
        escaped = it == '\\' && !escaped;
        out.push(it);
    }
    out.push('/');
    if insensitive {
        out.push('i');
    }
}
