//! The text as the prefilter sees it: lower case, one space for each run of white space.
//!
//! It is made block by block in a buffer that stays in the cache; places lead back into the text.

use super::space::{skip_space, space_at};

/// Bytes that are looked at together.
const LANE: usize = 16;

/// A window on the folded text that moves over it.
#[derive(Debug, Default)]
pub(super) struct Fold {
    pub(super) bytes: Vec<u8>,
    /// Where the window begins in the folded text.
    base: usize,
    /// Places in the folded text from which on the text runs in step with it, and where in the text that is.
    marks: Vec<(usize, usize)>,
    /// How far the text is read.
    read: usize,
}

impl Fold {
    /// Begins a text.
    pub(super) fn reset(&mut self) {
        self.bytes.clear();
        self.base = 0;
        self.marks.clear();
        self.marks.push((0, 0));
        self.read = 0;
    }

    /// Reads on until the window holds this many bytes or the text ends; true at the end.
    pub(super) fn fill(&mut self, text: &[u8], size: usize) -> bool {
        let mut previous = self.bytes.last() == Some(&b' ');
        while self.bytes.len() < size {
            let Some(lane) = text.get(self.read..).and_then(<[u8]>::first_chunk::<LANE>) else { break };
            let (folded, odd, last) = fold_lane(lane, previous);
            if odd {
                self.fold_slowly(text, self.read + LANE);
                previous = self.bytes.last() == Some(&b' ');
            } else {
                self.bytes.extend_from_slice(&folded);
                self.read += LANE;
                previous = last;
            }
        }
        if text.len().saturating_sub(self.read) < LANE {
            self.fold_slowly(text, text.len());
        }
        self.read >= text.len()
    }

    /// Byte by byte, at least up to a place.
    #[inline(never)]
    fn fold_slowly(&mut self, text: &[u8], until: usize) {
        while self.read < until {
            let Some(&byte) = text.get(self.read) else { return };
            if space_at(text, self.read) == 0 {
                self.bytes.push(byte.to_ascii_lowercase());
                self.read += 1;
                continue;
            }
            let behind = skip_space(text, self.read);
            let had_space = self.bytes.last() == Some(&b' ');
            if !had_space {
                self.bytes.push(b' ');
            }
            if had_space || behind - self.read != 1 {
                self.mark(behind);
            }
            self.read = behind;
        }
    }

    /// From here on, the folded text stands for the text from `text` on.
    fn mark(&mut self, text: usize) {
        let folded = self.base + self.bytes.len();
        match self.marks.last_mut() {
            Some(last) if last.0 == folded => last.1 = text,
            _ => self.marks.push((folded, text)),
        }
    }

    /// Gives up the bytes before a place in the window.
    pub(super) fn advance(&mut self, count: usize) {
        let count = count.min(self.bytes.len());
        self.bytes.drain(..count);
        self.base += count;
        let needless = self.marks.partition_point(|mark| mark.0 <= self.base).saturating_sub(1);
        self.marks.drain(..needless);
    }

    /// The place in the text of a place in the window.
    pub(super) fn place(&self, at: usize) -> usize {
        let folded = self.base + at;
        let index = self.marks.partition_point(|mark| mark.0 <= folded);
        let mark = index.checked_sub(1).and_then(|index| self.marks.get(index)).copied().unwrap_or_default();
        mark.1 + (folded - mark.0)
    }
}

/// Folds bytes among which each white space character is one byte and alone. Otherwise (or where that cannot be told)
/// the second value is true. The third: whether the last one is white space.
#[inline]
fn fold_lane(lane: &[u8; LANE], previous: bool) -> ([u8; LANE], bool, bool) {
    let mut folded = [0u8; LANE];
    let mut spaces = [0u8; LANE];
    let mut odd = 0u8;
    for ((&byte, folded), space) in lane.iter().zip(&mut folded).zip(&mut spaces) {
        let is_space = u8::from(byte == b' ') | u8::from(byte.wrapping_sub(b'\t') < 5);
        let upper = u8::from(byte.wrapping_sub(b'A') < 26);
        *space = is_space;
        *folded = if is_space == 1 { b' ' } else { byte | (upper << 5) };
        odd |= u8::from(byte == 0xC2) | u8::from(byte == 0xE3);
    }
    let mut before = [0u8; LANE];
    if let (Some(before), Some(spaces)) = (before.get_mut(1..), spaces.get(..LANE - 1)) {
        before.copy_from_slice(spaces);
    }
    if let Some(first) = before.first_mut() {
        *first = u8::from(previous);
    }
    for (space, before) in spaces.iter().zip(&before) {
        odd |= space & before;
    }
    (folded, odd != 0, spaces.last() == Some(&1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str) -> (String, Vec<usize>) {
        let mut fold = Fold::default();
        fold.reset();
        assert!(fold.fill(text.as_bytes(), usize::MAX));
        let places = (0..fold.bytes.len()).map(|at| fold.place(at)).collect();
        (String::from_utf8(fold.bytes).unwrap(), places)
    }

    #[test]
    fn places_lead_back() {
        let text = "MPS\n   backend\u{3000}OUT of\u{a0}  memory, a long line to fill lanes\n\n\tx°";
        let (folded, places) = whole(text);
        assert_eq!(folded, "mps backend out of memory, a long line to fill lanes x°");
        for word in ["mps", "backend", "out", "memory", "long", "x°"] {
            let place = places[folded.find(word).unwrap()];
            assert!(text.get(place..).unwrap().to_lowercase().starts_with(word), "{word}");
        }
    }

    #[test]
    fn a_moving_window_sees_the_same() {
        let text = "Ab  c\n".repeat(300) + "ü\u{3000}\u{3000}end of it all, and more";
        let (folded, places) = whole(&text);
        let mut fold = Fold::default();
        fold.reset();
        let mut seen = Vec::new();
        let mut base = 0;
        loop {
            let end = fold.fill(text.as_bytes(), 64);
            for at in 0..fold.bytes.len() {
                if base + at == seen.len() {
                    seen.push((fold.bytes[at], fold.place(at)));
                }
            }
            if end {
                break;
            }
            let count = fold.bytes.len() - 10;
            fold.advance(count);
            base += count;
        }
        let expected: Vec<_> = folded.bytes().zip(places).collect();
        assert_eq!(seen, expected);
    }
}
