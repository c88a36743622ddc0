//! What is kept of a log that is too long to keep: of every kind of line, and of every kind of failure, the first and
//! the last ones, and those that stand nearest before a failure.

use std::collections::HashMap;

/// Of a kind, so many of the first are kept.
const FIRST: usize = 2;
/// And so many of the last, and of those nearest before a failure.
const LAST: usize = 2;

/// A run of the text as given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Where it begins, in bytes of the decoded text.
    pub(crate) at: u64,
    /// Its line, from 1.
    pub(crate) line: usize,
    /// The column at which it begins, from 1, in characters.
    pub(crate) column: usize,
    /// The text.
    pub(crate) text: String,
}

impl Piece {
    /// Behind its last byte.
    pub(crate) fn end(&self) -> u64 {
        self.at + self.text.len() as u64
    }
}

/// What is kept of one kind.
#[derive(Debug, Default)]
struct Kind {
    first: Vec<Piece>,
    last: Vec<Piece>,
    /// Nearest before the last failures.
    near: Vec<Piece>,
}

/// All kinds, within a number of bytes.
#[derive(Debug)]
pub(crate) struct Kinds {
    numbers: HashMap<u64, usize>,
    kinds: Vec<Kind>,
    room: usize,
    /// Where the last failure begins.
    failure: u64,
}

impl Kinds {
    /// Nothing yet; at most about `room` bytes will be kept.
    pub(crate) fn new(room: usize) -> Self {
        Self { numbers: HashMap::new(), kinds: Vec::new(), room, failure: 0 }
    }

    /// Notes that a failure begins here: what came before it matters.
    pub(crate) fn failed(&mut self, at: u64) {
        self.failure = at;
    }

    /// Keeps a piece of a kind, unless there is no room for a further kind.
    pub(crate) fn add(&mut self, kind: u64, piece: Piece) {
        let most = piece.text.len().saturating_add(KIND_COST) * (FIRST + 2 * LAST);
        let number = match self.numbers.get(&kind) {
            Some(number) => *number,
            None if self.room < most => return,
            None => {
                self.room -= most;
                self.numbers.insert(kind, self.kinds.len());
                self.kinds.push(Kind::default());
                self.kinds.len() - 1
            }
        };
        if let Some(kind) = self.kinds.get_mut(number) {
            kind.add(piece, self.failure);
        }
    }

    /// All that was kept, in no order.
    pub(crate) fn into_pieces(self) -> impl Iterator<Item = Piece> {
        self.kinds.into_iter().flat_map(|kind| kind.first.into_iter().chain(kind.near).chain(kind.last))
    }
}

/// What keeping a piece costs beside its text.
const KIND_COST: usize = 64;

impl Kind {
    fn add(&mut self, piece: Piece, failure: u64) {
        if self.first.len() < FIRST {
            self.first.push(piece);
            return;
        }
        // The one that was the latest when a failure came stays.
        if let Some(latest) = self.last.last().filter(|latest| latest.at < failure && failure < piece.at) {
            push(&mut self.near, latest.clone());
        }
        push(&mut self.last, piece);
    }
}

/// Adds to a row of the last ones.
fn push(row: &mut Vec<Piece>, piece: Piece) {
    if row.len() == LAST {
        row.remove(0);
    }
    row.push(piece);
}

/// What kind of line a text is: lines are of one kind that differ in figures, in words that hold figures, and in the
/// length of bars.
pub(crate) fn kind(text: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let mut mix = |value: u64| hash = (hash ^ value).wrapping_mul(0x0000_0100_0000_01b3);
    let bytes = text.trim().as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or_default();
        let run = |inside: fn(&u8) -> bool| rest.iter().take_while(|byte| inside(byte)).count();
        if byte.is_ascii_alphanumeric() {
            let len = run(u8::is_ascii_alphanumeric);
            let word = rest.get(..len).unwrap_or_default();
            if word.iter().any(u8::is_ascii_digit) {
                mix(u64::from(b'0'));
            } else {
                word.iter().for_each(|byte| mix(u64::from(*byte)));
            }
            at += len;
        } else if byte.is_ascii() {
            mix(u64::from(*byte));
            at += rest.iter().take_while(|other| *other == byte).count();
        } else if (0xe3..=0xed).contains(byte) {
            // Letters of East Asia are words; blocks, of which bars are drawn, are not.
            mix(u64::from(*byte));
            at += 1;
        } else {
            mix(u64::from(b' '));
            at += run(|byte| !byte.is_ascii() && !(0xe3..=0xed).contains(byte)).max(1);
        }
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(at: u64, text: &str) -> Piece {
        Piece { at, line: 1, column: 1, text: text.to_owned() }
    }

    #[test]
    fn lines_that_differ_in_figures_are_of_one_kind() {
        assert_eq!(kind("got 12 of a1b2"), kind("got 7 of ff00"));
        assert_eq!(kind(" 5%|█    | 1/20"), kind("25%|████     | 5/20"));
        assert_ne!(kind("内存不足"), kind("内存足够"));
    }

    #[test]
    fn the_first_the_last_and_those_before_a_failure_are_kept() {
        let mut kinds = Kinds::new(10_000);
        for at in 0..10 {
            kinds.add(1, piece(at * 10, "x"));
            if at == 4 {
                kinds.failed(45);
            }
        }
        let mut places: Vec<u64> = kinds.into_pieces().map(|piece| piece.at).collect();
        places.sort_unstable();
        assert_eq!(places, [0, 10, 40, 80, 90]);
    }
}
