//! Advice: what is allowed, and probably not meant.

use super::Checker;
use super::collect::Declarations;

impl Checker<'_> {
    /// Gives advice about the checked program.
    pub(super) fn lint(&mut self, _declarations: &Declarations<'_>) {}
}
