//! What is told of a text, since nothing is read here.

use std::collections::BTreeMap;

use rulecheck_grammar::ast::Expr;

use super::syntax::parts;
use super::{Run, Truth};

/// The facts that a text has without a declaration.
pub(super) const PARTS: [&str; 6] = ["error", "error.type", "error.message", "error.cause", "trace", "log"];

/// A text, as far as conditions and the order of problems go.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text {
    /// The conditions that look in it, by their address in the syntax tree. Others are unknown.
    pub holds: BTreeMap<usize, Truth>,
    /// How many lines there are between the failure and what stands behind a problem; of some problems nothing does.
    pub distances: BTreeMap<String, Option<u32>>,
    /// Whether a failure was recognised in it.
    pub has_failure: bool,
}

impl Run<'_> {
    /// What a condition came to that looks in the text.
    pub(super) fn looked_for(&self, expr: &Expr) -> Option<Truth> {
        self.world.text.holds.get(&(std::ptr::from_ref(expr) as usize)).copied()
    }

    /// The nearest first; what stands nowhere last.
    pub(super) fn distance(&self, problem: &str) -> u32 {
        self.world.text.distances.get(problem).copied().flatten().unwrap_or(u32::MAX)
    }
}

/// A condition and all below it.
#[must_use]
pub fn every(expr: &Expr) -> Vec<&Expr> {
    std::iter::once(expr).chain(parts(expr).into_iter().flat_map(every)).collect()
}
