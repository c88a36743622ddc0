//! What the holes of a phrase read.

use std::collections::BTreeSet;
use std::ops::Range;

use super::space::{is_boundary, is_word, line_end, skip_space, slice, space_at, trim, word_at};
use crate::ir::Hole;
use crate::value::{Value, parse_number, parse_size, unit_bytes};
use crate::version::Version;

/// A hole other than `text` and `line` reads no more than this many bytes.
pub(super) const LONGEST: usize = 4096;
/// A number, version or name is no longer than this.
pub(super) const LONGEST_NAME: usize = 128;

/// The value of a hole whose text is known. `None` if the text does not fit the hole's type.
pub(crate) fn value(hole: Hole, text: &str) -> Option<Value> {
    let text = text.trim();
    match hole {
        Hole::Number => parse_number(text).map(Value::Number),
        Hole::Size => sized(text).map(Value::Size),
        Hole::Bytes => bare(text, 0),
        Hole::Mib => bare(text, 20),
        Hole::Version => Version::parse(text).map(Value::Version),
        Hole::List => {
            let items = items(text);
            (!items.is_empty()).then_some(Value::Set(items))
        }
        Hole::Name => crate::value::is_name(text).then(|| Value::text(text)),
        Hole::Path => is_path(text).then(|| Value::text(text)),
        Hole::Word | Hole::Quoted | Hole::Text | Hole::Line => (!text.is_empty()).then(|| Value::text(text)),
    }
}

/// A number with its unit; a number alone is no size.
fn sized(text: &str) -> Option<u64> {
    text.ends_with(|c: char| c.is_ascii_alphabetic()).then(|| parse_size(text)).flatten()
}

/// A bare number, in units of two to a power.
fn bare(text: &str, power: u32) -> Option<Value> {
    if let Ok(whole) = text.parse::<u64>() {
        return whole.checked_mul(1 << power).map(Value::Size);
    }
    let bytes = parse_number(text)?.get() * f64::from(1u32 << power);
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked against the range"
    )]
    (bytes >= 0.0 && bytes < u64::MAX as f64).then(|| Value::Size(bytes.round() as u64))
}

/// A path has a separator, or a dot before an extension.
fn is_path(text: &str) -> bool {
    let rooted = is_rooted(text.as_bytes());
    let parted = text.contains(['/', '\\']) || text.trim_end_matches('.').contains('.');
    parted && (rooted || !text.contains(char::is_whitespace))
}

/// Whether a path begins at a drive, a root, a share or a home folder. Only such a one may hold spaces.
pub(super) fn is_rooted(text: &[u8]) -> bool {
    match text {
        [b'/' | b'~', ..] | [b'\\', b'\\', ..] => true,
        [drive, b':', b'/' | b'\\', ..] => drive.is_ascii_alphabetic(),
        _ => false,
    }
}

/// Where a number may end, the longest first.
pub(super) fn number_ends(text: &[u8], at: usize) -> [Option<usize>; 3] {
    let digits = |mut at: usize| {
        let from = at;
        while at - from < LONGEST_NAME && text.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let first = at + usize::from(text.get(at) == Some(&b'-'));
    if text.get(first) == Some(&b'0') && matches!(text.get(first + 1), Some(b'x' | b'X')) {
        let mut end = first + 2;
        while end - first < 18 && text.get(end).is_some_and(u8::is_ascii_hexdigit) {
            end += 1;
        }
        if end > first + 2 {
            return [Some(end), None, None];
        }
    }
    let whole = digits(first);
    let fraction =
        if text.get(whole) == Some(&b'.') { Some(digits(whole + 1)).filter(|&end| end > whole + 1) } else { None };
    if whole == first && fraction.is_none() {
        return [None; 3];
    }
    let mantissa = fraction.unwrap_or(whole);
    let exponent = if matches!(text.get(mantissa), Some(b'e' | b'E')) {
        let sign = mantissa + 1 + usize::from(matches!(text.get(mantissa + 1), Some(b'+' | b'-')));
        Some(digits(sign)).filter(|&end| end > sign)
    } else {
        None
    };
    [exponent, fraction, (whole > first).then_some(whole)]
}

/// Where a size ends: a number, perhaps white space, and a unit that is no part of a longer word.
pub(super) fn size_end(text: &[u8], at: usize) -> Option<usize> {
    let number = number_ends(text, at).into_iter().flatten().next()?;
    let unit = skip_space(text, number);
    let mut end = unit;
    while end - unit < 6 && text.get(end).is_some_and(u8::is_ascii_alphabetic) {
        end += 1;
    }
    let word = std::str::from_utf8(text.get(unit..end)?).ok()?;
    (end > unit && !word_at(text, end) && unit_bytes(word).is_some()).then_some(end)
}

/// Where the run of bytes ends that satisfy a test.
pub(super) fn run_end(text: &[u8], at: usize, longest: usize, mut member: impl FnMut(&[u8], usize) -> bool) -> usize {
    let mut end = at;
    while end < text.len() && end - at < longest && member(text, end) {
        end += 1;
    }
    while !is_boundary(text, end) && end > at {
        end -= 1;
    }
    end
}

/// Bytes of a `name`; characters outside ASCII count if they are letters or digits.
pub(super) fn in_name(text: &str, at: usize) -> bool {
    match text.as_bytes().get(at) {
        Some(&byte) if byte < 0x80 => is_word(byte) || matches!(byte, b'-' | b'.'),
        Some(_) => {
            let start = (0..4).filter_map(|back| at.checked_sub(back)).find(|&start| text.is_char_boundary(start));
            start
                .and_then(|start| text.get(start..))
                .and_then(|rest| rest.chars().next())
                .is_some_and(char::is_alphanumeric)
        }
        None => false,
    }
}

/// Bytes of a version.
pub(super) fn in_version(text: &[u8], at: usize) -> bool {
    text.get(at).is_some_and(|&byte| is_word(byte) || matches!(byte, b'.' | b'-' | b'+'))
}

/// The range inside quotes that open at a place, and where the closing one ends.
pub(super) fn quoted(text: &str, at: usize) -> Option<(Range<usize>, usize)> {
    let open = text.get(at..)?.chars().next()?;
    let close = match open {
        '\'' | '"' | '`' => open,
        '‘' => '’',
        '“' => '”',
        '«' => '»',
        '「' => '」',
        '『' => '』',
        '《' => '》',
        _ => return None,
    };
    let from = at + open.len_utf8();
    let mut until = line_end(text.as_bytes(), from).min(from.saturating_add(LONGEST));
    while !text.is_char_boundary(until) {
        until -= 1;
    }
    let mut search = from;
    while let Some(offset) = text.get(search..until)?.find(close) {
        let found = search + offset;
        let behind = found + close.len_utf8();
        // An apostrophe within a word closes nothing.
        if close != '\'' || !word_at(text.as_bytes(), behind) {
            return (found > from).then_some((from..found, behind));
        }
        search = behind;
    }
    None
}

/// The end of a list in brackets that open at a place; quotes inside count.
pub(super) fn bracketed_end(text: &[u8], at: usize) -> Option<usize> {
    let close = match text.get(at)? {
        b'[' => b']',
        b'(' => b')',
        b'{' => b'}',
        _ => return None,
    };
    let mut quote = None;
    for (offset, &byte) in text.get(at + 1..)?.iter().take(LONGEST).enumerate() {
        match quote {
            Some(open) if byte == open => quote = None,
            Some(_) => {}
            None if byte == close => return Some(at + offset + 2),
            None if matches!(byte, b'\'' | b'"') => quote = Some(byte),
            None => {}
        }
    }
    None
}

/// The words of a list: split at white space and commas outside quotes, without quotes and brackets.
pub(crate) fn words(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    let splits = |at: usize| {
        space_at(bytes, at)
            .max(usize::from(matches!(bytes.get(at), Some(b',' | b'[' | b']' | b'(' | b')' | b'{' | b'}'))))
    };
    while at < bytes.len() {
        if let length @ 1.. = splits(at) {
            at += length;
        } else if let Some((inside, behind)) =
            matches!(bytes.get(at), Some(b'\'' | b'"')).then(|| quoted(text, at)).flatten()
        {
            found.push(slice(text, inside));
            at = behind;
        } else {
            let from = at;
            while at < bytes.len() && splits(at) == 0 {
                at += 1;
            }
            let word = slice(text, from..at).trim_matches(['\'', '"', '`']);
            if !word.is_empty() {
                found.push(word);
            }
        }
    }
    found
}

/// The values of a list: flags if there are any, without what is assigned to them, else all words.
fn items(text: &str) -> BTreeSet<Value> {
    let words = words(text);
    let flags = words.iter().any(|word| is_flag(word));
    words
        .into_iter()
        .filter(|word| !flags || is_flag(word))
        .map(|word| Value::text(if flags { word.split('=').next().unwrap_or(word) } else { word }))
        .collect()
}

fn is_flag(word: &str) -> bool {
    word.strip_prefix("--").is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphanumeric()))
}

/// The arguments among the words of a list that have a value: `--port=8188`, `--reserve-vram 2`.
pub(crate) fn assignments(text: &str) -> Vec<(&str, &str)> {
    let words = words(text);
    let mut found = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let Some(name) = word.strip_prefix("--").filter(|_| is_flag(word)) else { continue };
        match (name.split_once('='), words.get(index + 1)) {
            (Some((name, value)), _) => found.push((name, value.trim_matches(['\'', '"']))),
            (None, Some(next)) if !next.starts_with("--") => found.push((name, *next)),
            (None, _) => {}
        }
    }
    found.retain(|(name, value)| !name.is_empty() && !value.is_empty());
    found
}

/// A range without the signs that end a sentence.
pub(super) fn without_end_signs(text: &[u8], range: Range<usize>, signs: &[u8]) -> Range<usize> {
    let mut end = range.end;
    while end > range.start && text.get(end - 1).is_some_and(|byte| signs.contains(byte)) {
        end -= 1;
    }
    trim(text, range.start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(words: &[&str]) -> Option<Value> {
        Some(Value::Set(words.iter().map(|&word| Value::text(word)).collect()))
    }

    #[test]
    fn lists_give_their_flags_or_all_their_words() {
        assert_eq!(value(Hole::List, "['main.py', '--lowvram', '--port=8188']"), set(&["--lowvram", "--port"]));
        assert_eq!(value(Hole::List, "main.py --reserve-vram 2 --listen"), set(&["--reserve-vram", "--listen"]));
        assert_eq!(value(Hole::List, "sm_50, sm_60  sm_70"), set(&["sm_50", "sm_60", "sm_70"]));
        assert_eq!(value(Hole::List, "[]"), None);
        assert_eq!(words(r#"'C:\a b\main.py', "x""#), [r"C:\a b\main.py", "x"]);
    }

    #[test]
    fn arguments_have_the_word_behind_them_or_what_is_assigned() {
        let found = assignments("['main.py', '--reserve-vram', '2', '--port=8188', '--lowvram', '--listen']");
        assert_eq!(found, [("reserve-vram", "2"), ("port", "8188")]);
    }

    #[test]
    fn sizes_need_a_unit_and_bare_numbers_have_none() {
        assert_eq!(value(Hole::Size, "405.00 MB"), Some(Value::Size(405 << 20)));
        assert_eq!(value(Hole::Size, "405"), None);
        assert_eq!(value(Hole::Bytes, "17179869184"), Some(Value::Size(17_179_869_184)));
        assert_eq!(value(Hole::Mib, "24564"), Some(Value::Size(24564 << 20)));
        assert_eq!(value(Hole::Mib, "24564.5"), Some(Value::Size((24564 << 20) + (1 << 19))));
        assert_eq!(value(Hole::Bytes, "-1"), None);
        assert_eq!(size_end(b"405.00 MB on", 0), Some(9));
        assert_eq!(size_end(b"8192MB", 0), Some(6));
        assert_eq!(size_end(b"8192 MBs", 0), None);
        assert_eq!(size_end("2.00\u{3000}GiB".as_bytes(), 0), Some(10));
    }

    #[test]
    fn quotes_hold_their_kind() {
        let inside = |text: &str| quoted(text, 0).map(|(range, _)| text.get(range).unwrap().to_owned());
        assert_eq!(inside("'it's here' x").as_deref(), Some("it's here"));
        assert_eq!(inside("“a b” c").as_deref(), Some("a b"));
        assert_eq!(inside("\"open"), None);
        assert_eq!(inside("''"), None);
        assert_eq!(inside("「模型」"), Some("模型".into()));
    }

    #[test]
    fn numbers_end_where_they_end() {
        assert_eq!(number_ends(b"12.5e3x", 0), [Some(6), Some(4), Some(2)]);
        assert_eq!(number_ends(b"0xC0000005", 0), [Some(10), None, None]);
        assert_eq!(number_ends(b"-3", 0), [None, None, Some(2)]);
        assert_eq!(number_ends(b"x", 0), [None; 3]);
    }
}
