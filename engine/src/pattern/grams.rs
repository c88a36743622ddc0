//! Finds literals in folded text by sampling it.
//!
//! Of each literal a window is chosen that holds a whole gram wherever it begins in the sampling grid; the text is looked
//! at only at the places of the grid. One gram is one machine word, so a literal of 15 bytes costs an eighth of a look-up per
//! byte, whatever the number of literals: a bitmap that fits the cache says no to nearly all.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::image::{Flat, ImageError, Reader, Writer};

const MIX: u64 = 0x9E37_79B9_7F4A_7C15;
const MIX_PAIR: u64 = 0xD6E8_FEB8_6659_FD93;
/// The mask of two bytes.
const PAIR: u64 = 0xFFFF;
/// Words of a set of pairs of bytes.
const PAIR_WORDS: usize = 1 << 10;
/// Bits of the bitmap for each gram.
const SPARSE: usize = 16;

/// The literals of one length class.
#[derive(Debug)]
pub(super) struct Grams {
    /// Every so many bytes the text is looked at: 1, 2, 4 or 8.
    stride: usize,
    /// The bytes of a word that make a gram.
    mask: u64,
    /// A gram is two words.
    pair: bool,
    bits: Flat<u64>,
    /// Bits of a hash that are not used.
    shift: u32,
    /// For grams of one or two bytes, in place of `bits`: which pairs of bytes begin with one, as bits.
    pairs: Flat<u64>,
    /// Grams by their hash; open addressing.
    grams: Flat<u64>,
    /// Of each gram, where its literals are in `entries` and how many; none is a free slot.
    places: Flat<[u32; 2]>,
    /// Literals and where in them the gram begins.
    entries: Flat<[u32; 2]>,
}

impl Grams {
    /// For literals that are at least `length + stride - 1` bytes long; a `length` of 16 takes grams of two words.
    pub(super) fn new(literals: &[Vec<u8>], members: &[u32], length: usize, stride: usize) -> Self {
        let pair = length == 16;
        let mask = if length >= 8 { u64::MAX } else { (1 << (8 * length)) - 1 };
        let gram = |literal: &[u8], at: usize| {
            if pair { join(word(literal, at), word(literal, at + 8)) } else { word(literal, at) & mask }
        };
        let bytes = |member: u32| literals.get(member as usize).map_or(&[][..], Vec::as_slice);
        let mut counts: HashMap<u64, u32, BuildHasherDefault<GramHasher>> = HashMap::default();
        for &member in members {
            let literal = bytes(member);
            for at in 0..=literal.len().saturating_sub(length) {
                *counts.entry(gram(literal, at)).or_default() += 1;
            }
        }
        let mut sited: Vec<(u64, u32, u16)> = Vec::with_capacity(members.len() * stride);
        for &member in members {
            let literal = bytes(member);
            let count = |at: usize| counts.get(&gram(literal, at)).copied().unwrap_or(0);
            let cost = |from: &usize| (*from..*from + stride).map(|at| u64::from(count(at))).sum::<u64>();
            let best = (0..=literal.len().saturating_sub(length + stride - 1)).min_by_key(cost).unwrap_or(0);
            sited.extend((best..best + stride).map(|at| (gram(literal, at), member, u16::try_from(at).unwrap_or(0))));
        }
        sited.sort_unstable();
        Self::from_sited(&sited, stride, mask, pair)
    }

    fn from_sited(sited: &[(u64, u32, u16)], stride: usize, mask: u64, pair: bool) -> Self {
        let grams = sited.chunk_by(|a, b| a.0 == b.0).count();
        let bit_count = (grams * SPARSE).next_power_of_two().max(1 << 12);
        let slots = (grams * 2).next_power_of_two().max(2);
        let mut made = Self {
            stride,
            mask,
            pair,
            bits: vec![0; bit_count / 64].into(),
            shift: 64 - bit_count.trailing_zeros(),
            pairs: vec![0; if mask <= PAIR { PAIR_WORDS } else { 0 }].into(),
            grams: vec![0; slots].into(),
            places: vec![[0, 0]; slots].into(),
            entries: sited.iter().map(|&(_, member, at)| [member, u32::from(at)]).collect(),
        };
        let mut start = 0;
        for group in sited.chunk_by(|a, b| a.0 == b.0) {
            let length = u32::try_from(group.len()).unwrap_or(u32::MAX);
            if let Some(&(gram, ..)) = group.first() {
                made.insert(gram, start, length);
            }
            start += length;
        }
        made
    }

    fn insert(&mut self, gram: u64, start: u32, length: u32) {
        // A single byte begins 256 pairs.
        let pairs = self.pairs.to_mut();
        for pair in (gram..64 * pairs.len() as u64).step_by((self.mask as usize).saturating_add(1)) {
            if let Some(word) = pairs.get_mut((pair / 64) as usize) {
                *word |= 1 << (pair % 64);
            }
        }
        let hash = gram.wrapping_mul(MIX) >> self.shift;
        if let Some(bits) = self.bits.to_mut().get_mut((hash / 64) as usize) {
            *bits |= 1 << (hash % 64);
        }
        let (grams, places) = (self.grams.to_mut(), self.places.to_mut());
        let slots = grams.len();
        let mut slot = slot_of(gram, slots);
        while let (Some(own), Some(place)) = (grams.get_mut(slot), places.get_mut(slot)) {
            if place[1] == 0 {
                (*own, *place) = (gram, [start, length]);
                return;
            }
            slot = (slot + 1) & (slots - 1);
        }
    }

    /// Writes the tables as they are.
    pub(super) fn write(&self, image: &mut Writer) {
        image.value(&(self.stride, self.mask, self.pair, self.shift));
        image.flat(&self.bits);
        image.flat(&self.pairs);
        image.flat(&self.grams);
        image.flat(&self.places);
        image.flat(&self.entries);
    }

    pub(super) fn read(image: &mut Reader) -> Result<Self, ImageError> {
        let (stride, mask, pair, shift) = image.value()?;
        let (bits, pairs, grams) = (image.flat()?, image.flat()?, image.flat()?);
        Ok(Self { stride, mask, pair, bits, shift, pairs, grams, places: image.flat()?, entries: image.flat()? })
    }

    /// Calls back with each literal that may stand at a place: `found(literal, gram's place, gram's place in it)`. The
    /// words are the text from `base` on; the last one (two for pairs) is only looked into.
    pub(super) fn scan(&self, words: &[[u8; 8]], base: usize, found: &mut impl FnMut(u32, usize, usize)) {
        if self.mask <= PAIR {
            return self.scan_pairs(words, base, found);
        }
        match (self.stride, self.pair) {
            (_, true) => self.scan_strided::<8, true>(words, base, found),
            (2, _) => self.scan_strided::<2, false>(words, base, found),
            (4, _) => self.scan_strided::<4, false>(words, base, found),
            _ => self.scan_strided::<8, false>(words, base, found),
        }
    }

    fn scan_strided<const STRIDE: usize, const PAIR: bool>(
        &self,
        words: &[[u8; 8]],
        base: usize,
        found: &mut impl FnMut(u32, usize, usize),
    ) {
        let mut place = base;
        let mut words = words.iter().map(|word| u64::from_le_bytes(*word));
        let Some(mut low) = words.next() else { return };
        let (bits, shift) = (&*self.bits, self.shift);
        // The lowest bit says whether a gram may be one of ours.
        let probe = |gram: u64| {
            let hash = gram.wrapping_mul(MIX) >> shift;
            bits.get((hash / 64) as usize).map_or(0, |bits| bits >> (hash % 64))
        };
        for high in words {
            let gram = |offset: usize| {
                if PAIR {
                    join(low, high)
                } else if offset == 0 {
                    low & self.mask
                } else {
                    ((low >> (8 * offset)) | (high << (64 - 8 * offset))) & self.mask
                }
            };
            let mut any = 0;
            for offset in (0..8).step_by(STRIDE) {
                any |= probe(gram(offset));
            }
            if any & 1 != 0 {
                for offset in (0..8).step_by(STRIDE) {
                    if probe(gram(offset)) & 1 != 0 {
                        self.look_up(gram(offset), place + offset, found);
                    }
                }
            }
            low = high;
            place += 8;
        }
    }

    /// Grams of one or two bytes are looked up as they are, at each place.
    fn scan_pairs(&self, words: &[[u8; 8]], base: usize, found: &mut impl FnMut(u32, usize, usize)) {
        let Some(pairs) = self.pairs.first_chunk::<PAIR_WORDS>() else { return };
        let mut words = words.iter().map(|word| u64::from_le_bytes(*word));
        let Some(mut low) = words.next() else { return };
        for (place, high) in (base..).step_by(8).zip(words) {
            let next = (low >> 8) | (high << 56);
            let pair = |offset: usize| {
                if offset.is_multiple_of(2) { pair_at(low, offset / 2) } else { pair_at(next, offset / 2) }
            };
            let mut any = 0;
            for offset in 0..8 {
                any |= holds(pairs, pair(offset));
            }
            if any != 0 {
                for offset in (0..8).filter(|&offset| holds(pairs, pair(offset)) != 0) {
                    self.look_up(u64::from(pair(offset)) & self.mask, place + offset, found);
                }
            }
            low = high;
        }
    }

    #[inline(never)]
    fn look_up(&self, gram: u64, place: usize, found: &mut impl FnMut(u32, usize, usize)) {
        let slots = self.grams.len();
        let mut slot = slot_of(gram, slots);
        while let (Some(&own), Some(&[start, length])) = (self.grams.get(slot), self.places.get(slot)) {
            if length == 0 {
                return;
            }
            if own == gram {
                let entries = self.entries.get(start as usize..(start + length) as usize);
                for &[literal, at] in entries.unwrap_or_default() {
                    found(literal, place, at as usize);
                }
                return;
            }
            slot = (slot + 1) & (slots - 1);
        }
    }
}

/// One of the four pairs of bytes of a word.
#[inline]
fn pair_at(word: u64, index: usize) -> u16 {
    let [a, b, c, d, e, f, g, h] = word.to_le_bytes();
    match index {
        0 => u16::from_le_bytes([a, b]),
        1 => u16::from_le_bytes([c, d]),
        2 => u16::from_le_bytes([e, f]),
        _ => u16::from_le_bytes([g, h]),
    }
}

#[inline]
fn holds(pairs: &[u64; PAIR_WORDS], pair: u16) -> u64 {
    pairs.get(usize::from(pair / 64)).map_or(0, |word| word >> (pair % 64) & 1)
}

/// Grams are hashed as they are in the table: they need no protection against collisions made on purpose.
#[derive(Default)]
struct GramHasher(u64);

impl Hasher for GramHasher {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u64(&mut self, gram: u64) {
        self.0 = (self.0 ^ gram).wrapping_mul(MIX);
    }
}

fn slot_of(gram: u64, slots: usize) -> usize {
    (gram.wrapping_mul(MIX) >> 20) as usize & (slots - 1)
}

fn join(low: u64, high: u64) -> u64 {
    (low.wrapping_mul(MIX) ^ high.rotate_left(32)).wrapping_mul(MIX_PAIR) ^ high
}

/// Eight bytes from a place on, zeros behind the end.
fn word(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    for (byte, &from) in word.iter_mut().zip(bytes.get(at..).unwrap_or_default()) {
        *byte = from;
    }
    u64::from_le_bytes(word)
}
