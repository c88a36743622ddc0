//! The facts of one group as they were read.

use std::collections::BTreeMap;

use rulecheck::{Reading, Reason};

/// The fields of one element, by full name.
pub type Fields = BTreeMap<String, Reading>;

/// What reading a group gave.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// Facts that stand alone, by name.
    pub flat: Fields,
    /// Records: their elements, the one that counts without a quantifier first; or why they cannot be told.
    pub records: BTreeMap<String, Result<Vec<Fields>, Reason>>,
    /// What the names of a family mean that are not among the flat facts, by prefix: `env.`.
    pub families: Fields,
}

impl Facts {
    /// With one more fact that stands alone.
    pub(crate) fn with(mut self, name: &str, reading: Reading) -> Self {
        self.flat.insert(name.to_owned(), reading);
        self
    }

    /// Of one record.
    pub(crate) fn record(name: &str, elements: Result<Vec<Fields>, Reason>) -> Self {
        Self { records: BTreeMap::from([(name.to_owned(), elements)]), ..Self::default() }
    }
}
