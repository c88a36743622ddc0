//! Diagnoses and explanations for people and programs: pure functions from the views to text.
//!
//! The text forms are lists of marked spans ([`Markup`]); a program adds colour to them in one place, or drops the
//! marks. Every form is a function of its input: no clock, no widths of terminals, no order of hash maps.

mod json;
mod layout;
mod markdown;
mod markup;
mod nothing;
mod prune;
mod quote;
mod text;
mod tree;

pub use json::{
    diagnosis as json, explanation as explanation_json, explanations as explanations_json, value as value_json,
};
pub use markdown::{diagnosis as markdown, explanation as explanation_markdown};
pub use markup::{Markup, Tone};
pub use text::diagnosis as text;
pub use tree::{explanation as explanation_text, explanations as explanations_text};

/// How a report for people is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style<'a> {
    /// The language: `en` or `zh`; texts of packs that lack it come in their first.
    pub lang: &'a str,
    /// How much is said.
    pub detail: Detail,
    /// Columns to fit in.
    pub width: usize,
}

/// How much a report says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// Only what is wrong and what to try, a line each.
    Brief,
    /// What a person needs.
    Usual,
    /// All of it.
    Full,
}

impl<'a> Style<'a> {
    /// The usual report in a language, 80 columns wide.
    #[must_use]
    pub const fn new(lang: &'a str) -> Self {
        Self { lang, detail: Detail::Usual, width: 80 }
    }

    /// How many of a list are shown, when the usual report shows `usual`.
    pub(crate) fn limit(&self, usual: usize) -> usize {
        if self.detail == Detail::Full { usize::MAX } else { usual }
    }
}
