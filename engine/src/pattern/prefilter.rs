//! One look over a text for the literals of all patterns.

use super::fold::Fold;
use super::grams::Grams;
use super::literal::LONGEST;
use crate::image::{Flat, ImageError, Reader, Writer};

/// Folded bytes that are scanned at a time: they stay in the fastest cache.
const BLOCK: usize = 16 << 10;
/// From this many literals on, grams of two words pay for their longer hash.
const MANY: usize = 3000;

/// Finds literals, without regard to case and kinds of white space.
#[derive(Debug)]
pub(super) struct Prefilter {
    literals: Literals,
    classes: Vec<Grams>,
}

/// All literals in one row.
#[derive(Debug)]
struct Literals {
    bytes: Flat<u8>,
    /// Where each begins, and behind the last where that ends.
    starts: Flat<u32>,
}

impl Literals {
    fn new(literals: &[Vec<u8>]) -> Self {
        let ends = literals.iter().scan(0, |end, literal| {
            *end += literal.len();
            u32::try_from(*end).ok()
        });
        Self { bytes: literals.concat().into(), starts: std::iter::once(0).chain(ends).collect() }
    }

    fn get(&self, index: u32) -> Option<&[u8]> {
        let start = *self.starts.get(index as usize)? as usize;
        self.bytes.get(start..*self.starts.get(index as usize + 1)? as usize)
    }
}

/// What a scan needs room for; used again for the next one.
#[derive(Debug, Default)]
pub(super) struct Room {
    fold: Fold,
    found: Vec<(usize, u32)>,
}

impl Prefilter {
    /// For folded literals, each of one byte at least.
    pub(super) fn new(literals: &[Vec<u8>]) -> Self {
        let of = |from: usize, to: usize| -> Vec<u32> {
            let fits = |(index, literal): (usize, &Vec<u8>)| {
                (from..=to).contains(&literal.len()).then(|| u32::try_from(index).ok())
            };
            literals.iter().enumerate().filter_map(fits).flatten().collect()
        };
        let shortest =
            |members: &[u32]| members.iter().filter_map(|&member| literals.get(member as usize)).map(Vec::len).min();
        let longs = if of(15, usize::MAX).len() > MANY { 23 } else { usize::MAX };
        let mut classes = Vec::new();
        let mut add = |members: Vec<u32>, length: usize, stride: usize| {
            if !members.is_empty() {
                classes.push(Grams::new(literals, &members, length, stride));
            }
        };
        add(of(longs, usize::MAX), 16, 8);
        add(of(15, longs - 1), 8, 8);
        add(of(8, 14), 5, 4);
        let middle = of(4, 7);
        let length = if shortest(&middle) == Some(4) { 3 } else { 4 };
        add(middle, length, 2);
        add(of(2, 3), 2, 1);
        add(of(1, 1), 1, 1);
        Self { literals: Literals::new(literals), classes }
    }

    pub(super) fn write(&self, image: &mut Writer) {
        image.flat(&self.literals.bytes);
        image.flat(&self.literals.starts);
        image.value(&self.classes.len());
        self.classes.iter().for_each(|class| class.write(image));
    }

    pub(super) fn read(image: &mut Reader) -> Result<Self, ImageError> {
        let literals = Literals { bytes: image.flat()?, starts: image.flat()? };
        let classes: usize = image.value()?;
        Ok(Self { literals, classes: (0..classes).map(|_| Grams::read(image)).collect::<Result<_, _>>()? })
    }

    /// The literals of a text and where they begin in it, in its order.
    pub(super) fn scan(&self, text: &[u8], room: &mut Room, mut hits: impl FnMut(usize, u32)) {
        let Room { fold, found } = room;
        if self.classes.is_empty() {
            return;
        }
        fold.reset();
        let mut from = 0;
        loop {
            let at_end = fold.fill(text, from + BLOCK + LONGEST);
            let length = fold.bytes.len();
            // A literal that begins before the limit is in the window as a whole.
            let limit = if at_end { length } else { length - LONGEST };
            let until = if at_end { limit.next_multiple_of(8) } else { limit & !7 };
            fold.bytes.resize(length.max(until + 16), 0);
            self.scan_block(&fold.bytes, length, from..until, found);
            fold.bytes.truncate(length);
            found.sort_unstable();
            for &(at, literal) in found.iter() {
                hits(fold.place(at), literal);
            }
            found.clear();
            if at_end {
                return;
            }
            let kept = LONGEST.next_multiple_of(8).min(until);
            fold.advance(until - kept);
            from = kept;
        }
    }

    fn scan_block(&self, bytes: &[u8], length: usize, range: std::ops::Range<usize>, found: &mut Vec<(usize, u32)>) {
        for class in &self.classes {
            let (words, _) = bytes.get(range.start..range.end + 8).unwrap_or_default().as_chunks::<8>();
            class.scan(words, range.start, &mut |literal, place, at| {
                let Some(own) = self.literals.get(literal) else { return };
                let Some(start) = place.checked_sub(at) else { return };
                let end = (start + own.len()).min(length);
                if bytes.get(start..end) == Some(own) {
                    found.push((start, literal));
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_literal_is_found_wherever_it_stands() {
        let literals: Vec<Vec<u8>> = [
            &b"a"[..],
            b"oom",
            b"cuda",
            b"winerror",
            b"got prompt",
            b"cannot import",
            b"mps backend out of memory",
            b"tried to allocate",
        ]
        .iter()
        .map(|literal| literal.to_vec())
        .collect();
        let filter = Prefilter::new(&literals);
        let mut room = Room::default();
        for pad in [0, 1, 3, 7, 8, 200, BLOCK - 9, BLOCK + LONGEST - 3, 3 * BLOCK + 5] {
            for (index, literal) in literals.iter().enumerate() {
                let text = [vec![b'.'; pad], literal.to_ascii_uppercase(), b"..".to_vec()].concat();
                let mut hits = Vec::new();
                filter.scan(&text, &mut room, |at, literal| hits.push((at, literal)));
                assert!(hits.contains(&(pad, u32::try_from(index).unwrap())), "{pad} {literal:?} {hits:?}");
                assert_eq!(hits.iter().filter(|hit| hit.1 as usize == index && hit.0 == pad).count(), 1);
            }
        }
    }
}
