//! Escapes of JSON strings, in documents and in text that was pasted out of one.

use crate::copy::Edit;
use crate::scan::skip;

/// The escape at `at`, where a backslash stands. `None` if it is none.
pub(crate) fn read(text: &str, at: usize) -> Option<Edit> {
    let bytes = text.as_bytes();
    let plain = |with: &str| Some(Edit { run: at..at + 2, with: with.to_owned() });
    match bytes.get(at + 1)? {
        b'n' => plain("\n"),
        b't' => plain("\t"),
        b'r' | b'b' | b'f' => plain(""),
        b'"' => plain("\""),
        b'\'' => plain("'"),
        b'\\' => plain("\\"),
        b'/' => plain("/"),
        b'u' => unicode(text, at),
        _ => None,
    }
}

fn unicode(text: &str, at: usize) -> Option<Edit> {
    let unit = |at: usize| {
        let hex = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u32::from_str_radix(hex, 16).ok()
    };
    let first = unit(at)?;
    let (code, end) = match first {
        0xd800..=0xdbff => {
            let second = unit(at + 6).filter(|second| (0xdc00..=0xdfff).contains(second))?;
            (0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00), at + 12)
        }
        _ => (first, at + 6),
    };
    let symbol = char::from_u32(code)?;
    // Colours within a string are damage as everywhere; what remains of them is not.
    let with = if symbol.is_control() && symbol != '\n' && symbol != '\t' { String::new() } else { symbol.to_string() };
    Some(Edit { run: at..end, with })
}

/// The escapes of a line that was copied out of a JSON string: it shows a traceback by `\n`, or is a quoted string with
/// such line ends. Elsewhere `\n` is part of a Windows path.
pub(crate) fn of_line(text: &str, start: usize, end: usize) -> Vec<Edit> {
    let Some(line) =
        text.get(start..end).filter(|line| memchr::memchr(b'\\', line.as_bytes()).is_some() && escaped(line))
    else {
        return Vec::new();
    };
    let mut edits = Vec::new();
    let mut at = 0;
    let quoted = quoted(line);
    if quoted && let Some(open) = line.find('"') {
        edits.push(Edit { run: start + open..start + open + 1, with: String::new() });
    }
    while let Some(found) = line.get(at..).and_then(|rest| rest.find('\\')) {
        let place = start + at + found;
        match read(text, place).filter(|edit| edit.run.end <= end) {
            Some(edit) => {
                at = edit.run.end - start;
                edits.push(edit);
            }
            None => at = at + found + 1,
        }
    }
    if quoted {
        let close = start + line.trim_end().trim_end_matches(',').len();
        edits.push(Edit { run: close - 1..end, with: String::new() });
    }
    edits
}

/// Whether a line was copied out of a JSON string.
pub(crate) fn escaped(line: &str) -> bool {
    if !line.contains("\\n") {
        return false;
    }
    let shows = ["\\nTraceback (most", "\\n  File ", "\\nFile \\\"", "last):\\n", "\\n\\n  File", "\\\\nFile"]
        .iter()
        .any(|sign| line.contains(sign));
    shows || quoted(line)
}

/// Whether `C:` stands at the end.
fn ends_in_drive(before: &str) -> bool {
    let mut last = before.bytes().rev();
    last.next() == Some(b':')
        && last.next().is_some_and(|letter| letter.is_ascii_alphabetic())
        && last.next().is_none_or(|byte| !byte.is_ascii_alphanumeric())
}

/// Whether a line is one string in quotes, with valid escapes, and no path with single backslashes.
fn quoted(line: &str) -> bool {
    let trimmed = line.trim().trim_end_matches(',');
    let Some(inside) = trimmed.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else { return false };
    let mut at = 0;
    while let Some(found) = inside.get(at..).and_then(|rest| rest.find(['\\', '"'])) {
        let place = at + found;
        let drive = inside.get(..place).is_some_and(ends_in_drive);
        match read(inside, place).filter(|_| !drive || inside.as_bytes().get(place + 1) == Some(&b'\\')) {
            Some(edit) => at = edit.run.end,
            None => return false,
        }
    }
    skip(inside, 0, " ") < inside.len()
}
