//! `some.ErrorType: message`: is a line the last line of a traceback?

use std::ops::Range;

use crate::scan::{ascii_lower_starts, find_ignoring_case};

/// A line that names an exception.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TypeLine {
    /// The type, within the line.
    pub(crate) name: Range<usize>,
    /// Where the message begins; the line's length if it has none.
    pub(crate) message: usize,
}

/// Endings by which a type shows as an exception wherever it stands.
const SURE: [&str; 4] = ["Error", "Exception", "Interrupt", "ExceptionGroup"];
/// Endings that only stand for one at the foot of a traceback.
const LIKELY: [&str; 12] = [
    "Exit",
    "Warning",
    "Failure",
    "Failed",
    "Fault",
    "Timeout",
    "NotFound",
    "Blocked",
    "Unsupported",
    "OutOfResources",
    "StopIteration",
    "Missing",
];

/// Words before a type that belong to no name: `Exception has occurred: RuntimeError`.
const LEADS: [&str; 7] = [
    "exception has occurred: ",
    "unhandled exception: ",
    "uncaught exception: ",
    "error: ",
    "fatal: ",
    "exception: ",
    "warn!: ",
];

/// A line that names an exception without doubt.
pub(crate) fn sure(line: &str) -> Option<TypeLine> {
    let start = undecorated(line);
    sure_at(line, start).or_else(|| sure_at(line, start + lead(line.get(start..)?)?)).or_else(|| within(line))
}

fn sure_at(line: &str, start: usize) -> Option<TypeLine> {
    let found = typed(line, start)?;
    let name = line.get(found.name.clone())?;
    sure_name(name, found.message < line.len()).then_some(found)
}

/// `… Unexpected error: RuntimeError: message`: a type behind words that speak of an error, or behind code.
fn within(line: &str) -> Option<TypeLine> {
    let end = line.find("Error: ")? + 5;
    let start = line.get(..end)?.rfind(' ')? + 1;
    let name = line.get(start..end)?;
    let before = line.get(..start)?;
    let speaks = before.ends_with(": ")
        && ["error", "exception", "fatal", "crash"].iter().any(|word| find_ignoring_case(before, word).is_some());
    // In a flattened traceback the foot stands behind a source line.
    let sure = speaks || name.contains('.') || before.ends_with(") ");
    let alphabetic = name.starts_with(|c: char| c.is_ascii_alphabetic());
    (sure && name != "Error" && alphabetic).then(|| sure_at(line, start)).flatten()
}

/// A line that names an exception if it stands at the foot of a traceback.
pub(crate) fn likely(line: &str) -> Option<TypeLine> {
    let found = typed(line, undecorated(line))?;
    let name = line.get(found.name.clone())?;
    let has_message = found.message < line.len();
    let last = last_part(name);
    let capital = last.starts_with(|c: char| c.is_ascii_uppercase());
    let dotted = last.len() < name.len() && capital && !name.starts_with(|c: char| c.is_ascii_uppercase());
    let likely = capital && LIKELY.iter().any(|ending| last.ends_with(ending));
    (sure_name(name, has_message) || dotted || likely).then_some(found)
}

fn sure_name(name: &str, has_message: bool) -> bool {
    let last = last_part(name);
    let dotted = last.len() < name.len();
    if SURE.iter().any(|ending| last.ends_with(ending))
        && last.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')
    {
        // JavaScript and shells print a bare `Error: …`, which names no type.
        return last != "Error" || dotted;
    }
    // `torch._dynamo.exc.Unsupported`: the module says what it holds.
    if dotted && [".exc.", ".errors.", "exceptions."].iter().any(|module| name.contains(module)) {
        return true;
    }
    // Typed from memory: `runtimeerror: …`, `OSERROR: …`.
    let lower = last.to_ascii_lowercase();
    let ending = ["error", "exception"].into_iter().find(|ending| lower.ends_with(ending));
    has_message && !last.contains('_') && ending.is_some_and(|ending| lower.len() >= ending.len() + 2)
}

fn last_part(name: &str) -> &str {
    name.rsplit(['.', ':']).next().unwrap_or(name)
}

/// A dotted name at `start`, followed by a colon or by nothing.
fn typed(line: &str, start: usize) -> Option<TypeLine> {
    let bytes = line.as_bytes();
    let mut end = start;
    while let Some(byte) = bytes.get(end) {
        let inside =
            byte.is_ascii_alphanumeric() || *byte == b'_' || (matches!(byte, b'.') && name_starts(bytes, end + 1));
        let scope = *byte == b':' && bytes.get(end + 1) == Some(&b':') && name_starts(bytes, end + 2);
        if !inside && !scope {
            break;
        }
        end += if scope { 2 } else { 1 };
    }
    if end == start || end - start > 160 || bytes.get(start).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let rest = line.get(end..)?;
    let closed = rest.trim_start_matches(['*', '`']);
    if closed.trim().is_empty() {
        return Some(TypeLine { name: start..end, message: line.len() });
    }
    let message = closed.strip_prefix(':')?;
    let at = line.len() - message.trim_start_matches(['*', '`']).trim_start().len();
    Some(TypeLine { name: start..end, message: at })
}

fn name_starts(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
}

/// Where the text of a line begins, behind quotes, bullets and crosses.
fn undecorated(line: &str) -> usize {
    let rest = line.trim_start_matches(|c: char| {
        c.is_whitespace()
            || matches!(
                c,
                '"' | '\'' | '`' | '*' | '-' | '>' | '•' | '|' | '│' | '❌' | '✖' | '×' | '⚠' | '\u{fe0f}' | '“' | '«'
            )
    });
    // A test runner marks lines by `E   `.
    let rest = rest.strip_prefix("E  ").map_or(rest, str::trim_start);
    line.len() - rest.len()
}

fn lead(text: &str) -> Option<usize> {
    LEADS.iter().find(|lead| ascii_lower_starts(text, lead)).map(|lead| lead.len())
}
