//! A regular expression as a short program that is ready to run: no start-up, nothing to build.
//!
//! It tries the alternatives in their order and remembers where it has been, so a search takes at most one step for each
//! instruction and place. For a few lines that is faster than building what `regex` builds; for long texts
//! ([`Machine::fits`]) that pays.

use std::ops::RangeInclusive;

use regex_syntax::hir::{Capture, Class, Hir, HirKind, Look, Repetition};
use serde::{Deserialize, Serialize};

use super::space::is_word;

/// A program of more instructions is left to `regex`.
const LONGEST: usize = 2048;
/// Pairs of instructions and places that one search may remember.
const MOST_STATES: usize = 1 << 20;

/// The program of an expression. Immutable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Machine {
    code: Vec<Op>,
    classes: Vec<Set>,
    /// Bytes that a match may begin with, as bits; none where it may be empty.
    first: Option<[u64; 4]>,
    /// Places that are recorded: the match, then each named group; two each.
    slots: usize,
}

/// An instruction; numbers are places in the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Op {
    Byte(u8),
    Class(u16),
    /// The first is tried before the second.
    Split(u16, u16),
    Jump(u16),
    Save(u16),
    Assert(Edge),
    Match,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Edge {
    TextStart,
    TextEnd,
    LineStart,
    LineEnd,
    Word,
    NoWord,
    WordStart,
    WordEnd,
    WordStartHalf,
    WordEndHalf,
}

/// A set of characters: ASCII as bits, the others as ranges.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Set {
    ascii: [u64; 2],
    ranges: Vec<(char, char)>,
}

/// Room for a search, used again for the next.
#[derive(Debug, Default)]
pub(super) struct Room {
    visited: Vec<u64>,
    open: Vec<Open>,
    /// What was recorded by the last search that found something.
    pub(super) slots: Vec<Option<usize>>,
}

#[derive(Debug)]
enum Open {
    Try { op: u16, at: usize },
    Restore { slot: u16, old: Option<usize> },
}

impl Machine {
    /// The program of an expression whose named groups have these numbers; `None` if it is too long, or speaks of what only `regex`
    /// knows.
    pub(super) fn new(hir: &Hir, groups: &[usize]) -> Option<Self> {
        let mut writer = Writer { code: Vec::new(), classes: Vec::new(), groups };
        writer.push(Op::Save(0))?;
        writer.write(hir)?;
        writer.push(Op::Save(1))?;
        writer.push(Op::Match)?;
        let Writer { code, classes, .. } = writer;
        let mut machine = Self { code, classes, first: None, slots: 2 * (groups.len() + 1) };
        machine.first = machine.first_bytes();
        Some(machine)
    }

    /// Whether a search over so many bytes is one for this machine.
    pub(super) fn fits(&self, bytes: usize) -> bool {
        bytes.saturating_add(1).saturating_mul(self.code.len()) <= MOST_STATES
    }

    /// The first match that begins at one of these places. Where it is, and its named groups, stand in the room.
    pub(super) fn find_at(&self, text: &str, starts: RangeInclusive<usize>, room: &mut Room) -> bool {
        let from = *starts.start();
        let places = text.len().saturating_sub(from) + 1;
        room.visited.clear();
        room.visited.resize((places * self.code.len()).div_ceil(64), 0);
        starts.into_iter().any(|at| self.may_begin(text, at) && self.matches_at(text, from, at, room))
    }

    fn may_begin(&self, text: &str, at: usize) -> bool {
        match (self.first, text.as_bytes().get(at)) {
            (Some(first), Some(&byte)) => holds(&first, byte),
            (Some(_), None) => false,
            (None, _) => text.is_char_boundary(at),
        }
    }

    fn matches_at(&self, text: &str, from: usize, start: usize, room: &mut Room) -> bool {
        room.slots.clear();
        room.slots.resize(self.slots, None);
        room.open.clear();
        room.open.push(Open::Try { op: 0, at: start });
        while let Some(open) = room.open.pop() {
            match open {
                Open::Restore { slot, old } => room.set(slot, old),
                Open::Try { op, at } => {
                    if self.run(text, from, op, at, room) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Goes on from an instruction until it fails (false) or matches.
    fn run(&self, text: &str, from: usize, mut op: u16, mut at: usize, room: &mut Room) -> bool {
        loop {
            if !room.visit((at - from) * self.code.len() + usize::from(op)) {
                return false;
            }
            match self.code.get(usize::from(op)) {
                Some(Op::Byte(byte)) if text.as_bytes().get(at) == Some(byte) => {
                    at += 1;
                    op += 1;
                }
                Some(&Op::Class(class)) => match self.step(text, at, class) {
                    Some(behind) => {
                        at = behind;
                        op += 1;
                    }
                    None => return false,
                },
                Some(&Op::Split(first, second)) => {
                    room.open.push(Open::Try { op: second, at });
                    op = first;
                }
                Some(&Op::Jump(to)) => op = to,
                Some(&Op::Save(slot)) => {
                    let old = room.slots.get(usize::from(slot)).copied().flatten();
                    room.open.push(Open::Restore { slot, old });
                    room.set(slot, Some(at));
                    op += 1;
                }
                Some(Op::Assert(edge)) if edge.is_at(text.as_bytes(), at) => op += 1,
                Some(Op::Match) => return true,
                Some(Op::Byte(_) | Op::Assert(_)) | None => return false,
            }
        }
    }

    /// Behind the character at a place, if it is of a class.
    fn step(&self, text: &str, at: usize, class: u16) -> Option<usize> {
        let byte = *text.as_bytes().get(at)?;
        let set = self.classes.get(usize::from(class))?;
        if byte < 0x80 {
            return holds(&set.ascii, byte).then_some(at + 1);
        }
        let character = text.get(at..)?.chars().next()?;
        let held = set.ranges.iter().any(|&(first, last)| (first..=last).contains(&character));
        held.then_some(at + character.len_utf8())
    }

    /// The bytes that can follow the start without one before them; `None` where the end can.
    fn first_bytes(&self) -> Option<[u64; 4]> {
        let mut first = [0; 4];
        let mut seen = vec![false; self.code.len()];
        let mut open = vec![0u16];
        while let Some(op) = open.pop() {
            let seen = seen.get_mut(usize::from(op))?;
            if std::mem::replace(seen, true) {
                continue;
            }
            match *self.code.get(usize::from(op))? {
                Op::Byte(byte) => insert(&mut first, byte),
                Op::Class(class) => self.classes.get(usize::from(class))?.first_bytes(&mut first),
                Op::Split(one, other) => open.extend([one, other]),
                Op::Jump(to) => open.push(to),
                Op::Save(_) | Op::Assert(_) => open.push(op + 1),
                Op::Match => return None,
            }
        }
        Some(first)
    }
}

impl Room {
    /// Whether a state is new.
    fn visit(&mut self, state: usize) -> bool {
        let Some(word) = self.visited.get_mut(state / 64) else { return false };
        let bit = 1 << (state % 64);
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    fn set(&mut self, slot: u16, place: Option<usize>) {
        if let Some(known) = self.slots.get_mut(usize::from(slot)) {
            *known = place;
        }
    }
}

impl Edge {
    fn of(look: Look) -> Option<Self> {
        Some(match look {
            Look::Start => Self::TextStart,
            Look::End => Self::TextEnd,
            Look::StartLF => Self::LineStart,
            Look::EndLF => Self::LineEnd,
            Look::WordAscii => Self::Word,
            Look::WordAsciiNegate => Self::NoWord,
            Look::WordStartAscii => Self::WordStart,
            Look::WordEndAscii => Self::WordEnd,
            Look::WordStartHalfAscii => Self::WordStartHalf,
            Look::WordEndHalfAscii => Self::WordEndHalf,
            _ => return None,
        })
    }

    fn is_at(self, text: &[u8], at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|place| text.get(place)).copied();
        let behind = text.get(at).copied();
        let (word_before, word_behind) = (before.is_some_and(is_word), behind.is_some_and(is_word));
        match self {
            Self::TextStart => before.is_none(),
            Self::TextEnd => behind.is_none(),
            Self::LineStart => before.is_none_or(|byte| byte == b'\n'),
            Self::LineEnd => behind.is_none_or(|byte| byte == b'\n'),
            Self::Word => word_before != word_behind,
            Self::NoWord => word_before == word_behind,
            Self::WordStart => !word_before && word_behind,
            Self::WordEnd => word_before && !word_behind,
            Self::WordStartHalf => !word_before,
            Self::WordEndHalf => !word_behind,
        }
    }
}

impl Set {
    fn add(&mut self, first: char, last: char) {
        for character in first..=last.min('\x7f') {
            if let Ok(byte) = u8::try_from(character) {
                insert(&mut self.ascii, byte);
            }
        }
        if last > '\x7f' {
            self.ranges.push((first.max('\u{80}'), last));
        }
    }

    fn first_bytes(&self, into: &mut [u64; 4]) {
        let ascii = into.iter_mut().zip(self.ascii);
        ascii.for_each(|(word, own)| *word |= own);
        let lead = |character: char| character.encode_utf8(&mut [0; 4]).as_bytes().first().copied().unwrap_or_default();
        for &(first, last) in &self.ranges {
            (lead(first)..=lead(last)).for_each(|byte| insert(into, byte));
        }
    }
}

fn holds(bits: &[u64], byte: u8) -> bool {
    bits.get(usize::from(byte / 64)).is_some_and(|word| word >> (byte % 64) & 1 != 0)
}

fn insert(bits: &mut [u64], byte: u8) {
    if let Some(word) = bits.get_mut(usize::from(byte / 64)) {
        *word |= 1 << (byte % 64);
    }
}

/// Writes programs. Each method gives `None` where the program gets too long.
struct Writer<'g> {
    code: Vec<Op>,
    classes: Vec<Set>,
    groups: &'g [usize],
}

impl Writer<'_> {
    fn push(&mut self, op: Op) -> Option<u16> {
        let at = self.here()?;
        self.code.push(op);
        Some(at)
    }

    fn here(&self) -> Option<u16> {
        (self.code.len() < LONGEST).then(|| u16::try_from(self.code.len()).ok()).flatten()
    }

    fn set(&mut self, at: u16, op: Op) {
        if let Some(slot) = self.code.get_mut(usize::from(at)) {
            *slot = op;
        }
    }

    fn write(&mut self, hir: &Hir) -> Option<()> {
        match hir.kind() {
            HirKind::Empty => Some(()),
            HirKind::Literal(literal) => literal.0.iter().try_for_each(|&byte| self.push(Op::Byte(byte)).map(|_| ())),
            HirKind::Class(class) => self.class(class),
            HirKind::Look(look) => self.push(Op::Assert(Edge::of(*look)?)).map(|_| ()),
            HirKind::Repetition(repetition) => self.repetition(repetition),
            HirKind::Capture(capture) => self.capture(capture),
            HirKind::Concat(parts) => parts.iter().try_for_each(|part| self.write(part)),
            HirKind::Alternation(branches) => self.alternation(branches),
        }
    }

    fn class(&mut self, class: &Class) -> Option<()> {
        let mut set = Set::default();
        match class {
            Class::Unicode(class) => class.ranges().iter().for_each(|range| set.add(range.start(), range.end())),
            Class::Bytes(_) => return None,
        }
        let known = self.classes.iter().position(|other| *other == set);
        let number = known.unwrap_or_else(|| {
            self.classes.push(set);
            self.classes.len() - 1
        });
        self.push(Op::Class(u16::try_from(number).ok()?)).map(|_| ())
    }

    fn capture(&mut self, capture: &Capture) -> Option<()> {
        let group = self.groups.iter().position(|&group| group == capture.index as usize);
        let Some(group) = group else { return self.write(&capture.sub) };
        let slot = u16::try_from(2 * (group + 1)).ok()?;
        self.push(Op::Save(slot))?;
        self.write(&capture.sub)?;
        self.push(Op::Save(slot + 1)).map(|_| ())
    }

    fn alternation(&mut self, branches: &[Hir]) -> Option<()> {
        let mut ends = Vec::new();
        for (index, branch) in branches.iter().enumerate() {
            if index + 1 == branches.len() {
                self.write(branch)?;
                break;
            }
            let split = self.push(Op::Match)?;
            self.write(branch)?;
            ends.push(self.push(Op::Match)?);
            self.set(split, Op::Split(split + 1, self.here()?));
        }
        let end = self.here()?;
        ends.into_iter().for_each(|at| self.set(at, Op::Jump(end)));
        Some(())
    }

    fn repetition(&mut self, repetition: &Repetition) -> Option<()> {
        let sub = &*repetition.sub;
        let may_be_empty = sub.properties().minimum_len() == Some(0);
        match (repetition.min, repetition.max) {
            // What may be empty is repeated as `(x+)?`, so that an empty turn does not stand before a longer one.
            (0, None) if may_be_empty => self.optional(repetition.greedy, |writer| writer.plus(sub, repetition.greedy)),
            (0, None) => {
                let split = self.push(Op::Match)?;
                self.write(sub)?;
                self.push(Op::Jump(split))?;
                self.set(split, fork(repetition.greedy, split + 1, self.here()?));
                Some(())
            }
            (min, None) => {
                (1..min).try_for_each(|_| self.write(sub))?;
                self.plus(sub, repetition.greedy)
            }
            (min, Some(max)) => {
                (0..min).try_for_each(|_| self.write(sub))?;
                let mut splits = Vec::new();
                for _ in min..max {
                    splits.push(self.push(Op::Match)?);
                    self.write(sub)?;
                }
                let end = self.here()?;
                splits.into_iter().for_each(|at| self.set(at, fork(repetition.greedy, at + 1, end)));
                Some(())
            }
        }
    }

    fn optional(&mut self, greedy: bool, write: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        let split = self.push(Op::Match)?;
        write(self)?;
        self.set(split, fork(greedy, split + 1, self.here()?));
        Some(())
    }

    /// `x+`
    fn plus(&mut self, sub: &Hir, greedy: bool) -> Option<()> {
        let start = self.here()?;
        self.write(sub)?;
        let split = self.here()?;
        self.push(fork(greedy, start, split + 1)).map(|_| ())
    }
}

/// Whether to go on or to leave first.
fn fork(greedy: bool, on: u16, out: u16) -> Op {
    if greedy { Op::Split(on, out) } else { Op::Split(out, on) }
}
