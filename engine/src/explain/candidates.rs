//! Values that would make a test come out otherwise, and how to say so.

use std::collections::BTreeSet;

use crate::diagnosis::Diagnosis;
use crate::facts::State;
use crate::ir::{Comparison, FactId, FactRef, Group, Matching, StateKind, Term, Test, TextRef};
use crate::value::{Number, Type, Value};
use crate::version::Version;
use crate::{spoken, words};

const GIB: u64 = 1 << 30;
/// Of many patterns, so many are named.
const MOST_PATTERNS: usize = 3;

/// Values of a fact that may give a test this outcome; `None` stands for "no value".
pub(super) fn candidates(
    diagnosis: &Diagnosis,
    fact: FactId,
    ty: &Type,
    current: &State,
    test: &Test,
    holds: bool,
) -> Vec<Option<Value>> {
    match test {
        Test::Holds(_) => vec![Some(Value::Bool(holds))],
        Test::Compare(left, op, right) => {
            let Some((op, literal)) = beside(diagnosis, fact, left, *op, right) else { return Vec::new() };
            for_comparison(ty, if holds { op } else { op.opposite() }, &literal)
        }
        Test::Within(_, low, high) if holds => vec![Some(low.clone()), Some(high.clone())],
        Test::Within(_, low, high) => [above(high), below(low)].into_iter().flatten().map(Some).collect(),
        Test::OneOf(_, values) if holds => values.iter().cloned().map(Some).collect(),
        Test::OneOf(_, values) => other_than(ty, values),
        Test::Has(_, group, values) => for_set(current, *group, values, holds),
        Test::State(_, kind) => for_state(ty, *kind, holds),
        _ => Vec::new(),
    }
}

/// The comparison as seen from the fact, and the value on its other side.
fn beside(
    diagnosis: &Diagnosis,
    fact: FactId,
    left: &Term,
    op: Comparison,
    right: &Term,
) -> Option<(Comparison, Value)> {
    let own = Term::Fact(FactRef::Fact(fact));
    let value = |term: &Term| diagnosis.session.term_value(&diagnosis.ruleset, term);
    if *left == own {
        Some((op, value(right)?))
    } else if *right == own {
        Some((op.mirrored(), value(left)?))
    } else {
        None
    }
}

fn for_comparison(ty: &Type, op: Comparison, literal: &Value) -> Vec<Option<Value>> {
    match op {
        Comparison::Equal | Comparison::LessOrEqual | Comparison::GreaterOrEqual => vec![Some(literal.clone())],
        Comparison::NotEqual => other_than(ty, std::slice::from_ref(literal)),
        Comparison::Less => below(literal).into_iter().map(Some).collect(),
        Comparison::Greater => above(literal).into_iter().map(Some).collect(),
    }
}

fn below(value: &Value) -> Option<Value> {
    match value {
        Value::Size(bytes) => Some(Value::Size(if *bytes > 2 * GIB { bytes - GIB } else { bytes / 2 })),
        Value::Number(number) => Number::new(number.get() - 1.0).map(Value::Number),
        Value::Version(_) => Version::parse("0").map(Value::Version),
        _ => None,
    }
}

fn above(value: &Value) -> Option<Value> {
    match value {
        Value::Size(bytes) => Some(Value::Size(bytes.saturating_add(GIB))),
        Value::Number(number) => Number::new(number.get() + 1.0).map(Value::Number),
        Value::Version(version) => {
            let first: u64 =
                version.as_str().trim_start_matches(['v', 'V']).split(['.', '-', '_', '+']).next()?.parse().ok()?;
            Version::parse(&(first + 1).to_string()).map(Value::Version)
        }
        _ => None,
    }
}

/// Values that are none of these.
fn other_than(ty: &Type, values: &[Value]) -> Vec<Option<Value>> {
    let others: Vec<Value> = match ty {
        Type::OneOf(words) => words.iter().cloned().map(Value::Text).collect(),
        Type::Bool => vec![Value::Bool(true), Value::Bool(false)],
        Type::Text | Type::Name => vec![Value::text("other")],
        Type::Number | Type::Size | Type::Version => values.iter().filter_map(above).collect(),
        Type::Set(_) => vec![Value::Set(BTreeSet::new())],
    };
    others.into_iter().filter(|other| !values.contains(other)).map(Some).collect()
}

fn for_set(current: &State, group: Group, values: &[Value], holds: bool) -> Vec<Option<Value>> {
    let mut items = match current.value() {
        Some(Value::Set(items)) => items.clone(),
        _ => BTreeSet::new(),
    };
    let add = (group == Group::None) != holds;
    if add {
        let wanted = if group == Group::All { values.len() } else { 1 };
        items.extend(values.iter().take(wanted).cloned());
    } else {
        items.retain(|item| !values.contains(item));
    }
    vec![Some(Value::Set(items))]
}

fn for_state(ty: &Type, kind: StateKind, holds: bool) -> Vec<Option<Value>> {
    let some = || Some(sample(ty));
    match (kind, holds) {
        (StateKind::Known, true) | (StateKind::None, false) | (StateKind::Unknown, false) => vec![some()],
        (StateKind::Known, false) | (StateKind::None, true) => vec![None],
        (StateKind::Unknown, true) => Vec::new(),
    }
}

/// Some value of a type.
fn sample(ty: &Type) -> Value {
    match ty {
        Type::Bool => Value::Bool(true),
        Type::Number => Number::new(1.0).map_or(Value::Bool(true), Value::Number),
        Type::Size => Value::Size(GIB),
        Type::Version => Version::parse("1").map_or(Value::Bool(true), Value::Version),
        Type::Text | Type::Name => Value::text("x"),
        Type::OneOf(words) => words.first().map_or(Value::text("x"), |word| Value::Text(word.clone())),
        Type::Set(_) => Value::Set(BTreeSet::new()),
    }
}

/// What a fact would have to be: the condition where there is a bound, else the value.
pub(super) fn describe_wish(
    diagnosis: &Diagnosis,
    wish: Option<(&Test, bool)>,
    value: Option<&Value>,
    lang: &str,
) -> String {
    let shown = value.map_or_else(|| words::NO_VALUE.get(lang).to_owned(), ToString::to_string);
    match wish {
        Some((Test::Compare(left, op, right), holds)) => {
            let facts = [left, right].map(|term| matches!(term, Term::Fact(_)));
            let (op, literal) = match facts {
                [true, _] => (*op, right),
                _ => (op.mirrored(), left),
            };
            let op = if holds { op } else { op.opposite() };
            match (op, diagnosis.session.term_value(&diagnosis.ruleset, literal)) {
                (Comparison::Equal, _) | (_, None) => shown,
                (op, Some(literal)) => format!("{} {literal}", op.sign()),
            }
        }
        Some((Test::Within(_, low, high), true)) => format!("{low}..{high}"),
        Some((Test::OneOf(_, values), true)) => values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" | "),
        Some((Test::OneOf(_, values), false)) => {
            format!("!= {}", values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
        }
        Some((Test::State(_, StateKind::Known), true)) => words::ANY_VALUE.get(lang).to_owned(),
        _ => shown,
    }
}

/// The name of the text a matching looks in, and how it is said that it holds the pattern, and that it does not.
pub(super) fn describe_text(diagnosis: &Diagnosis, test: &Test, lang: &str) -> Option<(String, String, String)> {
    let Test::Matches(matching) = test else { return None };
    let pattern = describe_patterns(diagnosis, matching);
    let name = text_name(diagnosis, &matching.text);
    Some((name, words::TEXT_HAS.with(lang, &[&pattern]), words::TEXT_HAS_NOT.with(lang, &[&pattern])))
}

fn text_name(diagnosis: &Diagnosis, text: &TextRef) -> String {
    match text {
        TextRef::Log => "log".to_owned(),
        TextRef::Error | TextRef::EachError(_) => "error".to_owned(),
        TextRef::ErrorType => "error.type".to_owned(),
        TextRef::ErrorMessage => "error.message".to_owned(),
        TextRef::ErrorCause => "error.cause".to_owned(),
        TextRef::Trace => "trace".to_owned(),
        TextRef::Section(id) => diagnosis
            .ruleset
            .program()
            .sections
            .get(id.index())
            .map_or_else(String::new, |section| section.name.to_string()),
        TextRef::Fact(FactRef::Fact(id) | FactRef::Element(id)) => diagnosis.ruleset.fact_name(*id).to_owned(),
        TextRef::Fact(FactRef::Capture { name, .. }) => name.to_string(),
    }
}

fn describe_patterns(diagnosis: &Diagnosis, matching: &Matching) -> String {
    let all = &diagnosis.ruleset.program().patterns;
    let patterns = matching.patterns.iter().filter_map(|id| all.get(id.index())).map(spoken::pattern);
    let mut shown: Vec<String> = patterns.take(MOST_PATTERNS).collect();
    if matching.patterns.len() > MOST_PATTERNS {
        shown.push("…".to_owned());
    }
    shown.join(" | ")
}
