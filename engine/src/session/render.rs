//! Texts with the values of facts.

use super::Session;
use crate::facts::State;
use crate::ir::{FactRef, Piece, Text};
use crate::ruleset::Ruleset;

/// What stands for an unknown value.
const ELLIPSIS: &str = "…";

impl Text {
    /// The pieces in a language, else in the base language.
    #[must_use]
    pub fn pieces(&self, lang: &str) -> &[Piece] {
        let wanted = self.languages.iter().find(|(language, _)| &**language == lang);
        wanted.or(self.languages.first()).map_or(&[], |(_, pieces)| pieces)
    }

    /// The facts it prints, in any language.
    pub fn facts(&self) -> impl Iterator<Item = &FactRef> {
        self.languages.iter().flat_map(|(_, pieces)| pieces).filter_map(|piece| match piece {
            Piece::Fact(fact) => Some(fact),
            _ => None,
        })
    }
}

impl Session {
    /// A text with the values of its facts; an unknown one prints `…`.
    #[must_use]
    pub fn render(&self, text: &Text, lang: &str) -> String {
        self.pieces(text, lang, &[], Some(ELLIPSIS), &str::to_owned).unwrap_or_default()
    }

    /// A text whose values each go through `quote`, for commands.
    #[must_use]
    pub fn render_quoted(&self, text: &Text, lang: &str, quote: &dyn Fn(&str) -> String) -> String {
        self.pieces(text, lang, &[], Some(ELLIPSIS), quote).unwrap_or_default()
    }

    /// A text with the values of its facts; none if it prints an unknown one.
    #[must_use]
    pub fn render_known(&self, text: &Text, lang: &str) -> Option<String> {
        self.pieces(text, lang, &[], None, &str::to_owned)
    }

    /// A template with its slots filled.
    #[must_use]
    pub fn render_slots(&self, text: &Text, lang: &str, slots: &[(&str, &str)]) -> String {
        self.pieces(text, lang, slots, Some(ELLIPSIS), &str::to_owned).unwrap_or_default()
    }

    /// The names of the facts that a text prints and that are not known.
    #[must_use]
    pub fn unknown_facts_of(&self, ruleset: &Ruleset, text: &Text) -> Vec<String> {
        let unknown = text.facts().filter(|fact| !matches!(self.rendered_state(fact), Some(State::Known(..))));
        unknown
            .map(|fact| match fact {
                FactRef::Fact(id) | FactRef::Element(id) => ruleset.fact_name(*id).to_owned(),
                FactRef::Capture { name, .. } => name.to_string(),
            })
            .collect()
    }

    /// `unknown` stands for an unknown value; without it a text that prints one is none.
    fn pieces(
        &self,
        text: &Text,
        lang: &str,
        slots: &[(&str, &str)],
        unknown: Option<&str>,
        quote: &dyn Fn(&str) -> String,
    ) -> Option<String> {
        let mut out = String::new();
        for piece in text.pieces(lang) {
            match piece {
                Piece::Literal(literal) => out.push_str(literal),
                Piece::Slot(name) => match slots.iter().find(|(slot, _)| *slot == &**name) {
                    Some((_, value)) => out.push_str(value),
                    None => {
                        out.push('{');
                        out.push_str(name);
                        out.push('}');
                    }
                },
                Piece::Fact(fact) => match self.rendered_state(fact) {
                    Some(State::Known(value, _)) => out.push_str(&quote(&value.to_string())),
                    _ => out.push_str(unknown?),
                },
            }
        }
        Some(out)
    }

    fn rendered_state(&self, fact: &FactRef) -> Option<State> {
        match fact {
            FactRef::Fact(id) => {
                let closed = self.closed.get(id.index()).and_then(Option::as_ref);
                closed.or(self.base.get(id.index())?.as_ref()).cloned()
            }
            FactRef::Element(_) => None,
            FactRef::Capture { text, pattern, hole, .. } => {
                let hits = self.texts.hits(text, *pattern);
                let captured = self.texts.nearest(hits)?.captures.get(*hole as usize)?.clone()?;
                Some(State::Known(captured.value, crate::facts::Provenance::text(vec![captured.span])))
            }
        }
    }
}
