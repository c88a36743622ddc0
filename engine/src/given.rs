//! Facts that a caller states.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::ir::{FactId, Program, RecordId};
use crate::ruleset::Ruleset;
use crate::value::{Type, Value};

/// What a caller states of a run. It stands before all that is read, concluded or probed.
#[derive(Debug, Clone, Default)]
pub struct Given {
    facts: BTreeMap<Arc<str>, (Type, Option<Value>)>,
    elements: Vec<(RecordId, BTreeMap<FactId, Option<Value>>)>,
    absent: Vec<RecordId>,
}

/// Why a stated fact could not be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GivenError {
    /// No such fact; perhaps this one was meant.
    UnknownFact {
        /// The name.
        name: String,
        /// A known name like it.
        nearest: Option<String>,
    },
    /// The value does not fit the fact's type.
    WrongType {
        /// The fact.
        name: String,
        /// The value.
        value: String,
        /// The type.
        ty: Type,
    },
    /// The value lies outside what the fact can be.
    OutOfRange {
        /// The fact.
        name: String,
        /// The value.
        value: String,
        /// The least it can be.
        low: String,
        /// The most it can be.
        high: String,
    },
}

impl fmt::Display for GivenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownFact { name, nearest: Some(nearest) } => {
                write!(f, "there is no fact `{name}`; did you mean `{nearest}`?")
            }
            Self::UnknownFact { name, nearest: None } => {
                write!(f, "there is no fact `{name}`; `rulecheck list facts` shows all")
            }
            Self::WrongType { name, value, ty } => {
                write!(f, "`{value}` is no value of `{name}`: it takes {}", expected(ty))
            }
            Self::OutOfRange { name, value, low, high } => {
                write!(f, "`{name}` cannot be {value}: it lies between {low} and {high}")
            }
        }
    }
}

impl std::error::Error for GivenError {}

fn expected(ty: &Type) -> String {
    match ty {
        Type::Bool => "`true` or `false`".to_owned(),
        Type::Number => "a number".to_owned(),
        Type::Size => "a size such as `8 GiB`, or bytes".to_owned(),
        Type::Version => "a version such as `14.5`".to_owned(),
        Type::Text => "a text".to_owned(),
        Type::Name => "a name of letters, digits and `_ - .`".to_owned(),
        Type::OneOf(words) => format!("one of {}", words.join(", ")),
        Type::Set(of) => format!("values with commas between, each {}", expected(of)),
    }
}

impl Given {
    /// Nothing stated yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// States a fact as a person writes it; `none` says that it has no value. A record's name takes only `none`.
    ///
    /// # Errors
    /// If there is no such fact, or the value does not fit it.
    pub fn set(&mut self, ruleset: &Ruleset, name: &str, value: &str) -> Result<(), GivenError> {
        let program = ruleset.program();
        let wrong =
            |ty: &Type| GivenError::WrongType { name: name.to_owned(), value: value.to_owned(), ty: ty.clone() };
        if let Some(index) = program.records.iter().position(|record| &*record.name == name) {
            if value.trim() != "none" {
                return Err(wrong(&Type::OneOf(["none".into()].into())));
            }
            self.absent.push(RecordId(u32::try_from(index).unwrap_or(u32::MAX)));
            return Ok(());
        }
        let ty = fact_type(program, name).ok_or_else(|| unknown(program, name))?;
        self.facts.insert(name.into(), (ty, parsed(program, name, value)?));
        Ok(())
    }

    /// States an element of a record (`gpu`) as a person writes it: fields by full name (`gpu.vram.total`) or by what
    /// stands behind the record's, values as for [`Given::set`].
    ///
    /// # Errors
    /// If there is no such record or field, or a value does not fit its field.
    pub fn set_element(&mut self, ruleset: &Ruleset, record: &str, fields: &[(&str, &str)]) -> Result<(), GivenError> {
        let program = ruleset.program();
        let index =
            program.records.iter().position(|known| &*known.name == record).ok_or_else(|| unknown(program, record))?;
        let mut element = BTreeMap::new();
        for (field, value) in fields {
            let full = if field.starts_with(&format!("{record}.")) {
                (*field).to_owned()
            } else {
                format!("{record}.{field}")
            };
            let id = program.fact_names.get(full.as_str()).ok_or_else(|| unknown(program, &full))?;
            let value = parsed(program, &full, value)?;
            element.insert(*id, value);
        }
        self.add_element(RecordId(u32::try_from(index).unwrap_or(u32::MAX)), element);
        Ok(())
    }

    /// States a fact by its id.
    pub(crate) fn set_fact(&mut self, program: &Program, fact: FactId, value: Option<Value>) {
        if let Some(fact) = program.facts.get(fact.index()) {
            self.facts.insert(Arc::clone(&fact.name), (fact.ty.clone(), value));
        }
    }

    /// States that a record has no elements.
    pub(crate) fn set_absent(&mut self, record: RecordId) {
        self.absent.push(record);
    }

    /// States an element of a record.
    pub(crate) fn add_element(&mut self, record: RecordId, fields: BTreeMap<FactId, Option<Value>>) {
        self.elements.push((record, fields));
    }

    pub(crate) fn facts(&self) -> impl Iterator<Item = (&Arc<str>, &(Type, Option<Value>))> {
        self.facts.iter()
    }

    pub(crate) fn elements(&self) -> impl Iterator<Item = (RecordId, &BTreeMap<FactId, Option<Value>>)> {
        self.elements.iter().map(|(record, fields)| (*record, fields))
    }

    pub(crate) fn absent_records(&self) -> impl Iterator<Item = RecordId> {
        self.absent.iter().copied()
    }
}

/// The type of a fact or member of a family.
pub(crate) fn fact_type(program: &Program, name: &str) -> Option<Type> {
    if let Some(id) = program.fact_names.get(name) {
        return program.facts.get(id.index()).map(|fact| fact.ty.clone());
    }
    let member = |prefix: &str| name.strip_prefix(prefix).is_some_and(|rest| !rest.is_empty());
    program.families.iter().find(|family| member(&family.prefix)).map(|family| family.ty.clone())
}

/// A value as a person writes it; `None` for `none`.
fn parsed(program: &Program, name: &str, value: &str) -> Result<Option<Value>, GivenError> {
    let ty = fact_type(program, name).ok_or_else(|| unknown(program, name))?;
    if value.trim() == "none" {
        return Ok(None);
    }
    let wrong = || GivenError::WrongType { name: name.to_owned(), value: value.to_owned(), ty: ty.clone() };
    let stated = Value::parse(value, &ty).ok_or_else(wrong)?;
    let declared = program.fact_names.get(name).and_then(|id| program.facts.get(id.index()));
    match declared.and_then(|fact| fact.range.as_ref().filter(|_| !fact.takes(&stated))) {
        Some((low, high)) => Err(GivenError::OutOfRange {
            name: name.to_owned(),
            value: stated.to_string(),
            low: low.to_string(),
            high: high.to_string(),
        }),
        None => Ok(Some(stated)),
    }
}

fn unknown(program: &Program, name: &str) -> GivenError {
    let nearest = rulecheck_grammar::nearest(name, program.fact_names.keys().map(|name| &**name));
    GivenError::UnknownFact { name: name.to_owned(), nearest: nearest.map(ToOwned::to_owned) }
}
