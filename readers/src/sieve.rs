//! One pass over a text of any length that keeps what may matter, in bounded memory: its beginning, its end, every
//! kind of line, and every kind of failure with what stands around it.

use std::collections::VecDeque;

use crate::anchors::{self, Marks};
use crate::kinds::{self, Kinds, Piece};

/// The beginning is kept whole, and so is the end; in bytes.
const HEAD: usize = 1 << 20;
const TAIL: usize = 2 << 20;
/// For kinds of lines, and for kinds of failures.
const LINES: usize = 6 << 20;
const FAILURES: usize = 6 << 20;
/// Longer lines are taken in parts.
const LONGEST: usize = 8 << 10;
/// How many lines before a failure belong to it, and how many behind the last line that shows one.
const BEFORE: usize = 14;
const BEHIND: usize = 12;
/// A failure goes on no longer.
const LARGEST: usize = 64 << 10;

/// Marks that show a failure.
fn telling() -> Marks {
    Marks::HEADER
        | Marks::FRAME
        | Marks::PROCESSING
        | Marks::EXECUTING
        | Marks::REPORT
        | Marks::CONNECTOR
        | Marks::VALIDATION
        | Marks::NATIVE
        | Marks::TYPE
        | Marks::STACK
}

/// A text on its way through.
#[derive(Debug)]
pub(crate) struct Sieve {
    /// What has not yet a whole line, or is at the end of what has come.
    buffer: String,
    /// The place of the buffer.
    at: u64,
    line: usize,
    column: usize,
    head: Vec<Piece>,
    head_room: usize,
    /// The last blocks, which may be the end.
    tail: VecDeque<Piece>,
    tail_len: usize,
    /// The lines that may stand before a failure.
    before: VecDeque<(u64, Piece)>,
    failure: Option<Failing>,
    lines: Kinds,
    failures: Kinds,
}

/// A failure that is being read.
#[derive(Debug)]
struct Failing {
    piece: Piece,
    kind: u64,
    quiet: usize,
}

impl Sieve {
    pub(crate) fn new() -> Self {
        Self {
            buffer: String::new(),
            at: 0,
            line: 1,
            column: 1,
            head: Vec::new(),
            head_room: HEAD,
            tail: VecDeque::new(),
            tail_len: 0,
            before: VecDeque::new(),
            failure: None,
            lines: Kinds::new(LINES),
            failures: Kinds::new(FAILURES),
        }
    }

    /// Takes the next part of the text. Parts of some 64 KiB are best.
    pub(crate) fn push(&mut self, text: &str) {
        self.buffer.push_str(text);
        let whole = memchr::memrchr(b'\n', self.buffer.as_bytes()).map(|at| at + 1);
        let end = match whole {
            Some(end) => end,
            None if self.buffer.len() > LONGEST => boundary(&self.buffer, self.buffer.len()),
            None => return,
        };
        let rest = self.buffer.split_off(end);
        let block = std::mem::replace(&mut self.buffer, rest);
        self.block(block);
    }

    /// What is kept, in order.
    pub(crate) fn finish(mut self) -> Vec<Piece> {
        let rest = std::mem::take(&mut self.buffer);
        self.block(rest);
        self.close();
        while let Some((kind, piece)) = self.before.pop_front() {
            self.lines.add(kind, piece);
        }
        let mut pieces = self.head;
        pieces.extend(self.lines.into_pieces());
        pieces.extend(self.failures.into_pieces());
        pieces.extend(self.tail);
        pieces.sort_by_key(|piece| piece.at);
        pieces
    }

    /// Takes a block of whole lines, or a part of a long one.
    fn block(&mut self, text: String) {
        if text.is_empty() {
            return;
        }
        let piece = Piece { at: self.at, line: self.line, column: self.column, text };
        (self.line, self.column) = behind(&piece);
        self.at = piece.end();
        if self.head_room > 0 {
            self.head_room = self.head_room.saturating_sub(piece.text.len());
            self.head.push(piece);
            return;
        }
        self.tail_len += piece.text.len();
        self.tail.push_back(piece);
        while self.tail_len > TAIL
            && let Some(oldest) = self.tail.pop_front()
        {
            self.tail_len -= oldest.text.len();
            self.sift(&oldest);
        }
    }

    /// Looks at the lines of a block.
    fn sift(&mut self, block: &Piece) {
        let mut marks = anchors::find_in_long(&block.text).peekable();
        let (mut start, mut line, mut column) = (0, block.line, block.column);
        while start < block.text.len() {
            let end = line_end(&block.text, start);
            let mut mark = Marks::default();
            while let Some((_, one)) = marks.next_if(|(at, _)| *at < end) {
                mark |= one;
            }
            let text = block.text.get(start..end).unwrap_or_default();
            let piece = Piece { at: block.at + start as u64, line, column, text: text.to_owned() };
            (line, column) = behind(&piece);
            self.take(piece, mark.has(telling()));
            start = end;
        }
    }

    fn take(&mut self, piece: Piece, tells: bool) {
        let kind = kinds::kind(&piece.text);
        if let Some(failing) = &mut self.failure {
            failing.piece.text.push_str(&piece.text);
            failing.quiet = if tells { 0 } else { failing.quiet + 1 };
            if failing.quiet == 0 {
                failing.kind = failing.kind.rotate_left(5) ^ kind;
            }
            if failing.quiet >= BEHIND || failing.piece.text.len() >= LARGEST {
                self.close();
            }
        } else if tells {
            self.open(piece, kind);
        } else {
            self.before.push_back((kind, piece));
            if self.before.len() > BEFORE
                && let Some((kind, piece)) = self.before.pop_front()
            {
                self.lines.add(kind, piece);
            }
        }
    }

    fn open(&mut self, piece: Piece, kind: u64) {
        self.lines.failed(piece.at);
        let mut before = std::mem::take(&mut self.before).into_iter().map(|(_, piece)| piece);
        let piece = match before.next() {
            Some(mut first) => {
                before.chain([piece]).for_each(|piece| first.text.push_str(&piece.text));
                first
            }
            None => piece,
        };
        self.failure = Some(Failing { piece, kind, quiet: 0 });
    }

    fn close(&mut self) {
        if let Some(failing) = self.failure.take() {
            self.failures.add(failing.kind, failing.piece);
        }
    }
}

/// The line and column behind a piece.
fn behind(piece: &Piece) -> (usize, usize) {
    match memchr::memrchr(b'\n', piece.text.as_bytes()) {
        Some(last) => {
            let ends = memchr::memchr_iter(b'\n', piece.text.as_bytes()).count();
            (piece.line + ends, piece.text.get(last + 1..).map_or(0, |rest| rest.chars().count()) + 1)
        }
        None => (piece.line, piece.column + piece.text.chars().count()),
    }
}

/// Behind the line that begins at `start`, which a carriage return ends, too; or behind a part of a long one.
fn line_end(text: &str, start: usize) -> usize {
    let rest = text.as_bytes().get(start..).unwrap_or_default();
    let window = rest.get(..LONGEST.min(rest.len())).unwrap_or_default();
    match memchr::memchr2(b'\n', b'\r', window) {
        Some(at) if rest.get(at..at + 2) == Some(b"\r\n") => start + at + 2,
        Some(at) => start + at + 1,
        None if window.len() < LONGEST => text.len(),
        None => boundary(text, start + LONGEST).max(start + 1),
    }
}

/// The last boundary between characters, if possible behind a blank, not behind `at`.
fn boundary(text: &str, at: usize) -> usize {
    const NEAR: usize = 256;
    let end = text.floor_char_boundary(at);
    let from = text.floor_char_boundary(end.saturating_sub(NEAR));
    let blank = text.get(from..end).and_then(|near| near.rfind(' ')).map(|blank| from + blank + 1);
    blank.filter(|blank| *blank > 0).unwrap_or(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sifted(text: &str) -> Vec<Piece> {
        let mut sieve = Sieve::new();
        text.as_bytes().chunks(60_001).for_each(|part| sieve.push(str::from_utf8(part).unwrap()));
        sieve.finish()
    }

    #[test]
    fn what_is_kept_is_the_text_at_its_place() {
        let mut text = String::new();
        for number in 0..200_000 {
            if number == 90_000 {
                text.push_str("Traceback (most recent call last):\n  File \"a.py\", line 3, in f\nValueError: once\n");
            }
            text.push_str(&format!("step {number} of many, and nothing happens\r\n"));
        }
        let kept = sifted(&text);
        assert!(kept.iter().map(|piece| piece.text.len()).sum::<usize>() < 4 << 20);
        for piece in &kept {
            let at = usize::try_from(piece.at).unwrap();
            assert_eq!(text.get(at..at + piece.text.len()), Some(piece.text.as_str()));
            assert_eq!(text.get(..at).unwrap().matches('\n').count() + 1, piece.line);
        }
        assert!(kept.windows(2).all(|pair| pair[0].end() <= pair[1].at));
        let failure = kept.iter().find(|piece| piece.text.contains("ValueError: once")).unwrap();
        assert!(failure.text.contains("step 89999 ") && failure.text.contains("step 90005 "));
    }

    #[test]
    fn one_line_of_any_length_is_kept_in_parts() {
        let text = format!("{} RuntimeError: CUDA out of memory {}", "abc ".repeat(2 << 20), "xyz ".repeat(2 << 20));
        let kept = sifted(&text);
        assert!(kept.iter().map(|piece| piece.text.len()).sum::<usize>() < 5 << 20);
        let part = kept.iter().find(|piece| piece.text.contains("CUDA out of memory")).unwrap();
        assert_eq!((part.line, part.column as u64), (1, part.at + 1));
    }
}
