//! What a phrase is made of.

use serde::{Deserialize, Serialize};

use super::space::space_at;
use crate::ir::{Hole, PhrasePart};

/// A phrase, ready to be matched.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Phrase {
    pub(super) parts: Vec<Part>,
    pub(super) holes: usize,
    /// White space must stand before it, or nothing at all.
    pub(super) space_first: bool,
    /// White space must stand behind it, or nothing at all.
    pub(super) space_last: bool,
}

/// A part of a phrase.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Part {
    /// Lower case, one space for each run of white space, none at the edges.
    Run(Box<[u8]>),
    /// A run of white space.
    Space,
    /// `{*}`, and whether white space stands beside it in the pattern.
    Gap { left: bool, right: bool },
    /// A hole and its number.
    Hole(Hole, usize),
}

/// A letter in lower case, where that is one character.
pub(super) fn lower(c: char) -> char {
    let mut all = c.to_lowercase();
    match (all.next(), all.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}

/// A letter in upper case, where that is one character.
pub(super) fn upper(c: char) -> char {
    let mut all = c.to_uppercase();
    match (all.next(), all.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}

/// Whether a character is one of two cases that bytes do not tell from each other: a letter beyond ASCII.
pub(super) fn is_far_letter(c: char) -> bool {
    !c.is_ascii() && (lower(c) != c || upper(c) != c)
}

/// Appends a text in lower case with one space for each run of white space. Letters beyond ASCII stay as they are.
pub(super) fn fold_into(folded: &mut Vec<u8>, text: &str) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if let length @ 1.. = space_at(bytes, at) {
            if folded.last() != Some(&b' ') {
                folded.push(b' ');
            }
            at += length;
        } else {
            folded.push(byte.to_ascii_lowercase());
            at += 1;
        }
    }
}

impl Phrase {
    pub(super) fn new(source: &[PhrasePart]) -> Self {
        let mut parts = Vec::new();
        let mut holes = 0;
        let mut literal = Vec::new();
        for part in source {
            match part {
                PhrasePart::Literal(text) => {
                    fold_into(&mut literal, &text.chars().map(lower).collect::<String>());
                }
                PhrasePart::Any => {
                    push_literal(&mut parts, &mut literal);
                    parts.push(Part::Gap { left: false, right: false });
                }
                PhrasePart::Hole(hole) => {
                    push_literal(&mut parts, &mut literal);
                    parts.push(Part::Hole(*hole, holes));
                    holes += 1;
                }
            }
        }
        push_literal(&mut parts, &mut literal);
        let mut parts = join_gaps(parts);
        // A gap at an edge asks for nothing; it only says that a word may go on there.
        let open_first = matches!(parts.first(), Some(Part::Gap { .. }));
        if open_first {
            parts.remove(0);
        }
        if matches!(parts.last(), Some(Part::Gap { .. })) {
            parts.pop();
            parts.push(Part::Gap { left: false, right: false });
        }
        let space_first = parts.first() == Some(&Part::Space);
        if space_first {
            parts.remove(0);
        }
        let space_last = parts.last() == Some(&Part::Space);
        if space_last {
            parts.pop();
        }
        if open_first {
            parts.insert(0, Part::Gap { left: false, right: false });
        }
        Self { parts, holes, space_first, space_last }
    }
}

fn push_literal(parts: &mut Vec<Part>, literal: &mut Vec<u8>) {
    let run = literal.trim_ascii();
    if literal.first() == Some(&b' ') {
        parts.push(Part::Space);
    }
    if !run.is_empty() {
        parts.push(Part::Run(run.into()));
        if literal.last() == Some(&b' ') {
            parts.push(Part::Space);
        }
    }
    literal.clear();
}

/// Takes the white space beside gaps into them.
fn join_gaps(parts: Vec<Part>) -> Vec<Part> {
    let mut joined: Vec<Part> = Vec::with_capacity(parts.len());
    for part in parts {
        match (joined.last_mut(), part) {
            (Some(Part::Gap { right, .. }), Part::Space) => *right = true,
            (Some(Part::Gap { right, .. }), Part::Gap { .. }) if !*right => {}
            (Some(Part::Space), Part::Gap { right, .. }) => {
                joined.pop();
                joined.push(Part::Gap { left: true, right });
            }
            (_, part) => joined.push(part),
        }
    }
    joined
}
