//! Values of facts, and how they compare and print.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::version::Version;

/// The type of a fact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Type {
    /// True or false.
    Bool,
    /// A plain number.
    Number,
    /// A number of bytes.
    Size,
    /// A version with any number of parts.
    Version,
    /// Any text.
    Text,
    /// A run of letters, digits and `_ - .`.
    Name,
    /// One of these words.
    OneOf(Arc<[Arc<str>]>),
    /// A set of values of one type.
    Set(Arc<Type>),
}

impl Type {
    /// Whether a value is of this type.
    #[must_use]
    pub fn takes(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Bool, Value::Bool(_))
            | (Self::Number, Value::Number(_))
            | (Self::Size, Value::Size(_))
            | (Self::Version, Value::Version(_))
            | (Self::Text, Value::Text(_)) => true,
            (Self::Name, Value::Text(text)) => is_name(text),
            (Self::OneOf(words), Value::Text(text)) => words.contains(text),
            (Self::Set(of), Value::Set(items)) => items.iter().all(|item| of.takes(item)),
            _ => false,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => f.write_str("bool"),
            Self::Number => f.write_str("number"),
            Self::Size => f.write_str("size"),
            Self::Version => f.write_str("version"),
            Self::Text => f.write_str("text"),
            Self::Name => f.write_str("name"),
            Self::OneOf(words) => write!(f, "one of {}", words.join(", ")),
            Self::Set(of) => write!(f, "set of {of}"),
        }
    }
}

/// A finite number with a total order.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Number(f64);

impl Number {
    /// `None` for what is no finite number.
    #[must_use]
    pub fn new(value: f64) -> Option<Self> {
        // Adding zero turns -0.0 into 0.0, so that equal numbers have equal bits.
        value.is_finite().then_some(Self(value + 0.0))
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Number {}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The value of a known fact.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Value {
    /// Of a `bool` fact.
    Bool(bool),
    /// Of a `number` fact.
    Number(Number),
    /// Of a `size` fact, in bytes.
    Size(u64),
    /// Of a `version` fact.
    Version(Version),
    /// Of a `text`, `name` or `one of` fact.
    Text(Arc<str>),
    /// Of a `set of …` fact.
    Set(BTreeSet<Value>),
}

impl Value {
    /// A text, name or word.
    #[must_use]
    pub fn text(text: impl Into<Arc<str>>) -> Self {
        Self::Text(text.into())
    }

    /// Reads a value of a type as a person writes it: sizes as in rules or in bytes, sets with commas. `None` if the
    /// text does not fit the type.
    #[must_use]
    pub fn parse(text: &str, ty: &Type) -> Option<Self> {
        let text = text.trim();
        match ty {
            Type::Bool => match text {
                "true" | "yes" => Some(Self::Bool(true)),
                "false" | "no" => Some(Self::Bool(false)),
                _ => None,
            },
            Type::Number => parse_number(text).map(Self::Number),
            Type::Size => parse_size(text).map(Self::Size),
            Type::Version => Version::parse(text).map(Self::Version),
            Type::Text => Some(Self::text(text)),
            Type::Name => is_name(text).then(|| Self::text(text)),
            Type::OneOf(words) => {
                words.iter().find(|word| word.eq_ignore_ascii_case(text)).map(|word| Self::Text(Arc::clone(word)))
            }
            Type::Set(of) => text
                .split(',')
                .map(str::trim)
                .filter(|item| !item.is_empty())
                .map(|item| Self::parse(item, of))
                .collect::<Option<BTreeSet<_>>>()
                .map(Self::Set),
        }
    }
}

/// In human units: what texts for people print.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(value) => write!(f, "{value}"),
            Self::Size(bytes) => f.write_str(&format_size(*bytes)),
            Self::Version(version) => write!(f, "{version}"),
            Self::Text(text) => f.write_str(text),
            Self::Set(items) => {
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{item}")?;
                }
                Ok(())
            }
        }
    }
}

/// Whether a text is a `name`: letters, digits, `_ - .`, not empty.
#[must_use]
pub fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

/// Reads a number: decimal, or hexadecimal behind `0x`; a thousands separator is no part of one.
#[must_use]
pub fn parse_number(text: &str) -> Option<Number> {
    let (sign, digits) = text.strip_prefix('-').map_or((1.0, text), |rest| (-1.0, rest));
    if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        #[expect(clippy::cast_precision_loss, reason = "codes have 32 bits; larger ones may round")]
        return u64::from_str_radix(hex, 16).ok().and_then(|value| Number::new(sign * value as f64));
    }
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    text.parse().ok().and_then(Number::new)
}

/// Bytes in a unit, whatever base its name claims: PyTorch, ComfyUI and drivers print binary figures under decimal
/// names. A missing unit counts bytes.
#[must_use]
pub fn unit_bytes(unit: &str) -> Option<u64> {
    let unit = unit.to_ascii_lowercase();
    let power = match unit.as_str() {
        "" | "b" | "byte" | "bytes" => 0,
        "k" | "ki" | "kb" | "kib" => 1,
        "m" | "mi" | "mb" | "mib" => 2,
        "g" | "gi" | "gb" | "gib" => 3,
        "t" | "ti" | "tb" | "tib" => 4,
        "p" | "pb" | "pib" => 5,
        "e" | "eb" | "eib" => 6,
        _ => return None,
    };
    Some(1u64 << (10 * power))
}

/// Reads a size: a number and a unit, with or without a space. `None` for negative and unrepresentable ones.
#[must_use]
pub fn parse_size(text: &str) -> Option<u64> {
    let text = text.trim();
    let split = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(split)?;
    let unit = unit_bytes(unit.trim())?;
    if let Ok(whole) = number.parse::<u64>() {
        return whole.checked_mul(unit);
    }
    #[expect(clippy::cast_precision_loss, reason = "a unit is a power of two")]
    let bytes = number.parse::<f64>().ok()? * unit as f64;
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked against the range"
    )]
    (bytes >= 0.0 && bytes < u64::MAX as f64).then(|| bytes.round() as u64)
}

/// A size in the largest unit that leaves at least 1, with at most two decimals: `405 MiB`, `8.72 GiB`.
#[must_use]
pub fn format_size(bytes: u64) -> String {
    const UNITS: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let power = (63 - bytes.max(1).leading_zeros()) / 10;
    #[expect(clippy::cast_precision_loss, reason = "two decimals are printed")]
    let scaled = bytes as f64 / (1u64 << (10 * power)) as f64;
    let unit = UNITS.get(power as usize).unwrap_or(&"B");
    let number = format!("{scaled:.2}");
    let number = number.trim_end_matches('0').trim_end_matches('.');
    format!("{number} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_binary_under_any_name() {
        assert_eq!(parse_size("405.00 MB"), Some(405 << 20));
        assert_eq!(parse_size("8192MB"), Some(8192 << 20));
        assert_eq!(parse_size("9.07 GB"), Some(9_738_838_344));
        assert_eq!(parse_size("20 bytes"), Some(20));
        assert_eq!(parse_size("17179869184.00 GiB"), None);
        assert_eq!(parse_size("-3 GB"), None);
        assert_eq!(parse_size("GB"), None);
    }

    #[test]
    fn sizes_print_as_people_read_them() {
        assert_eq!(format_size(405 << 20), "405 MiB");
        assert_eq!(format_size(9_738_838_344), "9.07 GiB");
        assert_eq!(format_size(0), "0 B");
        assert_eq!(format_size(u64::MAX), "16 EiB");
    }

    #[test]
    fn words_of_a_one_of_take_its_spelling() {
        let ty = Type::OneOf(["macos".into(), "linux".into()].into());
        assert_eq!(Value::parse("MacOS", &ty), Some(Value::text("macos")));
        assert_eq!(Value::parse("beos", &ty), None);
    }

    #[test]
    fn codes_read_as_hexadecimal() {
        assert_eq!(parse_number("0xC0000005"), Number::new(3_221_225_477.0));
        assert_eq!(parse_number("nan"), None);
    }
}
