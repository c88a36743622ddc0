//! Truth and values: the connectives, and how values compare.

use std::cmp::Ordering;

use rulecheck::{Type, Value};
use rulecheck_grammar::ast::{self, CompareOp, Operand};

/// True, false, or unknown (`None`).
pub type Truth = Option<bool>;

/// Kleene's `and`: false if one is false, else unknown if one is unknown.
pub fn all(values: impl IntoIterator<Item = Truth>) -> Truth {
    values
        .into_iter()
        .reduce(|a, b| if a == Some(false) || b == Some(false) { Some(false) } else { a.and(b) })
        .unwrap_or(Some(true))
}

/// Kleene's `or`.
pub fn any(values: impl IntoIterator<Item = Truth>) -> Truth {
    not(all(values.into_iter().map(not)))
}

/// Kleene's `not`.
#[must_use]
pub fn not(value: Truth) -> Truth {
    value.map(|value| !value)
}

/// True if so many hold, false if not even the unknown ones would do.
pub fn at_least(count: usize, values: impl IntoIterator<Item = Truth>) -> Truth {
    let values: Vec<Truth> = values.into_iter().collect();
    let held = values.iter().filter(|value| **value == Some(true)).count();
    let open = values.iter().filter(|value| value.is_none()).count();
    if held >= count {
        Some(true)
    } else if held + open < count {
        Some(false)
    } else {
        None
    }
}

/// How a value compares with another; of two versions the second says how many parts count.
pub(super) fn order(own: &Value, other: &Value) -> Option<Ordering> {
    match (own, other) {
        (Value::Version(own), Value::Version(other)) => Some(own.compare_to(other)),
        (Value::Text(own), Value::Text(other)) => Some(own.to_lowercase().cmp(&other.to_lowercase())),
        (Value::Bool(own), Value::Bool(other)) => Some(own.cmp(other)),
        _ => amount(own)?.partial_cmp(&amount(other)?),
    }
}

pub(super) fn equal(own: &Value, other: &Value) -> bool {
    order(own, other) == Some(Ordering::Equal)
}

pub(super) fn amount(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => Some(number.get()),
        #[expect(clippy::cast_precision_loss, reason = "sizes here stay below 2^53")]
        Value::Size(bytes) => Some(*bytes as f64),
        _ => None,
    }
}

pub(super) const fn fits(op: CompareOp, order: Ordering) -> bool {
    match op {
        CompareOp::Equal => order.is_eq(),
        CompareOp::NotEqual => order.is_ne(),
        CompareOp::Less => order.is_lt(),
        CompareOp::LessOrEqual => order.is_le(),
        CompareOp::Greater => order.is_gt(),
        CompareOp::GreaterOrEqual => order.is_ge(),
    }
}

pub(super) fn written(operand: &Operand) -> String {
    match operand {
        Operand::Word(word) => word.clone(),
        Operand::Size(number, unit) => format!("{number} {unit}"),
        Operand::Text(text) => text.value.clone(),
    }
}

pub(super) const fn is_wordy(ty: &Type) -> bool {
    matches!(ty, Type::Text | Type::Name | Type::OneOf(_))
}

/// A literal as the fact beside it reads it.
pub(super) fn literal(operand: &Operand, ty: &Type) -> Option<Value> {
    match (operand, ty) {
        (Operand::Size(..), _) => Value::parse(&written(operand), &Type::Size),
        (_, ty) if is_wordy(ty) => Some(Value::text(written(operand))),
        (operand, ty) => Value::parse(&written(operand), ty),
    }
}

pub(super) fn plain(ty: &ast::Type) -> Type {
    match ty {
        ast::Type::Bool => Type::Bool,
        ast::Type::Number => Type::Number,
        ast::Type::Size => Type::Size,
        ast::Type::Version => Type::Version,
        ast::Type::Text => Type::Text,
        ast::Type::Name => Type::Name,
        ast::Type::OneOf(words) => Type::OneOf(words.iter().map(|word| word.node.as_str().into()).collect()),
        ast::Type::Set(of) => Type::Set(plain(of).into()),
    }
}
