//! White space and words, as patterns see them: in bytes of UTF-8, without tables.
//!
//! White space is ASCII white space, U+00A0 and U+3000, the same set that rule files have. Words are ASCII: messages of
//! programs are.

use std::ops::Range;

/// Length of the white space character at a place, 0 if there is none.
#[inline]
pub(crate) fn space_at(text: &[u8], at: usize) -> usize {
    match text.get(at) {
        Some(b' ' | b'\t'..=b'\r') => 1,
        Some(0xC2) if text.get(at + 1) == Some(&0xA0) => 2,
        Some(0xE3) if text.get(at + 1) == Some(&0x80) && text.get(at + 2) == Some(&0x80) => 3,
        _ => 0,
    }
}

/// Length of the white space character that ends at a place, 0 if there is none.
#[inline]
pub(crate) fn space_before(text: &[u8], at: usize) -> usize {
    let back = |n: usize| at.checked_sub(n).and_then(|place| text.get(place));
    match back(1) {
        Some(b' ' | b'\t'..=b'\r') => 1,
        Some(0xA0) if back(2) == Some(&0xC2) => 2,
        Some(0x80) if back(2) == Some(&0x80) && back(3) == Some(&0xE3) => 3,
        _ => 0,
    }
}

/// Behind the white space that begins at a place.
#[inline]
pub(crate) fn skip_space(text: &[u8], mut at: usize) -> usize {
    loop {
        match space_at(text, at) {
            0 => return at,
            length => at += length,
        }
    }
}

/// Before the white space that ends at a place.
#[inline]
pub(crate) fn skip_space_back(text: &[u8], mut at: usize) -> usize {
    loop {
        match space_before(text, at) {
            0 => return at,
            length => at -= length,
        }
    }
}

/// A range without white space at its edges.
pub(crate) fn trim(text: &[u8], range: Range<usize>) -> Range<usize> {
    let start = skip_space(text, range.start).min(range.end);
    let end = skip_space_back(text, range.end).max(start);
    start..end
}

/// `A-Z a-z 0-9 _`
#[inline]
pub(crate) const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether a word character stands at a place.
#[inline]
pub(crate) fn word_at(text: &[u8], at: usize) -> bool {
    text.get(at).is_some_and(|&byte| is_word(byte))
}

/// Whether a word character stands before a place.
#[inline]
pub(crate) fn word_before(text: &[u8], at: usize) -> bool {
    at.checked_sub(1).is_some_and(|before| word_at(text, before))
}

/// Where the line of a place begins.
#[inline]
pub(crate) fn line_start(text: &[u8], at: usize) -> usize {
    text.get(..at).and_then(|before| memchr::memrchr(b'\n', before)).map_or(0, |end| end + 1)
}

/// Where the line of a place ends, before its line end.
#[inline]
pub(crate) fn line_end(text: &[u8], at: usize) -> usize {
    text.get(at..).and_then(|behind| memchr::memchr(b'\n', behind)).map_or(text.len(), |length| at + length)
}

/// Whether a character begins at a place (or the text ends there).
#[inline]
pub(crate) fn is_boundary(text: &[u8], at: usize) -> bool {
    text.get(at).is_none_or(|&byte| byte & 0xC0 != 0x80)
}

/// The text of a range; empty if it is none.
#[inline]
pub(crate) fn slice(text: &str, range: Range<usize>) -> &str {
    text.get(range).unwrap_or("")
}
