//! Inputs too long to be kept: what is read of them.

use std::io::{self, Read};

use encoding_rs::Encoding;
use rulecheck::evidence::Gap;

use crate::decode;
use crate::error::ReadError;
use crate::kinds::Piece;
use crate::sieve::Sieve;

/// How much is read at once.
const BLOCK: usize = 64 << 10;
/// How much of the input the guess of its encoding looks at.
const SAMPLE: usize = 1 << 20;

/// What is kept of a text that is too long to be kept whole: its beginning and its end, of every kind of line the first
/// and the last ones, and of every kind of failure, too, with what stands around it. Places still are those of the input.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Excerpt {
    /// The input's name, or `-`.
    pub name: String,
    /// How many bytes the input has.
    pub bytes: u64,
    /// How many lines were left out.
    pub lines_left_out: usize,
    /// What was kept, with an empty line wherever something was left out.
    pub text: String,
    /// Where something was left out.
    pub gaps: Vec<Gap>,
}

impl Excerpt {
    /// Reads an input of any length in one pass. The encoding is a WHATWG label; `None` to find out.
    ///
    /// # Errors
    /// If it cannot be read, is no text, or the encoding does not exist.
    pub fn read(name: &str, mut input: impl Read, label: Option<&str>) -> Result<Self, ReadError> {
        let failed = |error: io::Error| ReadError::Unreadable { name: name.to_owned(), reason: error.to_string() };
        let mut sample = Vec::new();
        input.by_ref().take(SAMPLE as u64).read_to_end(&mut sample).map_err(failed)?;
        let (encoding, mark) = decode::encoding(name, whole_lines(&sample), label)?;
        let mut sieve = Sieve::new();
        let rest = sample.get(mark..).unwrap_or_default().chain(input);
        let bytes = sift(encoding, rest, &mut sieve).map_err(failed)? + mark as u64;
        Ok(Self::of(name, bytes, sieve.finish()))
    }

    fn of(name: &str, bytes: u64, pieces: Vec<Piece>) -> Self {
        let mut excerpt = Self { name: name.to_owned(), bytes, ..Self::default() };
        let (mut end, mut line) = (0, 1);
        for piece in pieces {
            if piece.at != end {
                excerpt.lines_left_out += piece.line.saturating_sub(line);
                if !excerpt.text.ends_with('\n') {
                    excerpt.text.push('\n');
                }
                excerpt.text.push('\n');
                excerpt.gaps.push(Gap { at: excerpt.text.len(), line: piece.line, column: piece.column });
            }
            end = piece.end();
            line = piece.line + memchr::memchr_iter(b'\n', piece.text.as_bytes()).count();
            excerpt.text.push_str(&piece.text);
        }
        excerpt
    }
}

/// A sample without the line that it cuts off.
fn whole_lines(sample: &[u8]) -> &[u8] {
    let cut = sample.len() == SAMPLE;
    let end = memchr::memrchr(b'\n', sample).filter(|_| cut).map_or(sample.len(), |at| at + 1);
    sample.get(..end).unwrap_or_default()
}

/// Decodes an input into the sieve; returns how many bytes it had.
fn sift(encoding: &'static Encoding, mut input: impl Read, sieve: &mut Sieve) -> io::Result<u64> {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut block = vec![0; BLOCK];
    let mut text = String::with_capacity(4 * BLOCK);
    let mut total = 0;
    loop {
        let read = match input.read(&mut block) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        total += read as u64;
        let mut bytes = block.get(..read).unwrap_or_default();
        loop {
            let (result, used, _) = decoder.decode_to_string(bytes, &mut text, read == 0);
            sieve.push(&text);
            text.clear();
            bytes = bytes.get(used..).unwrap_or_default();
            if result == encoding_rs::CoderResult::InputEmpty {
                break;
            }
        }
        if read == 0 {
            return Ok(total);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_say_where_the_text_goes_on() {
        let piece = |at, line, column, text: &str| Piece { at, line, column, text: text.to_owned() };
        let excerpt =
            Excerpt::of("-", 100, vec![piece(0, 1, 1, "ab\n"), piece(3, 2, 1, "cd"), piece(90, 7, 5, "ef\n")]);
        assert_eq!(excerpt.text, "ab\ncd\n\nef\n");
        assert_eq!(excerpt.gaps, [Gap { at: 7, line: 7, column: 5 }]);
        assert_eq!(excerpt.lines_left_out, 5);
    }

    #[test]
    fn utf_16_is_read_in_parts() {
        let line = "RuntimeError: 内存不足\r\n".repeat(300_000);
        let bytes: Vec<u8> = line.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let excerpt = Excerpt::read("-", bytes.as_slice(), Some("utf-16le")).unwrap();
        assert_eq!(excerpt.bytes, bytes.len() as u64);
        assert!(excerpt.text.starts_with("RuntimeError: 内存不足\r\n") && !excerpt.text.contains('\u{fffd}'));
        assert!(excerpt.lines_left_out > 0);
    }
}
