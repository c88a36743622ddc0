//! JSON as people paste it: cut off at its end, with trailing commas, as a printed Python dictionary, in the midst of
//! other text. Values keep their place.

use std::fmt::Write as _;
use std::ops::Range;

use crate::copy::Edit;
use crate::escapes;

/// Brackets nest no deeper.
const DEEPEST: usize = 256;
/// Paths are no longer than this many bytes.
const LONGEST_PATH: usize = 300;
/// A document has no more scalar values; what has more is read as text alone.
const MOST_VALUES: usize = 500_000;

/// A value of a document, within the text scanned.
#[derive(Debug, Clone)]
pub(crate) struct Value {
    /// Keys joined by dots, `[n]` for elements.
    pub(crate) path: String,
    /// Its place; of a text, what is between the quotes.
    pub(crate) span: Range<usize>,
    /// Whether it is a text.
    pub(crate) text: bool,
}

/// A document found in a text.
#[derive(Debug)]
pub(crate) struct Scanned {
    /// Its place.
    pub(crate) span: Range<usize>,
    /// Its scalar values, in order.
    pub(crate) values: Vec<Value>,
    /// The escapes in its texts, and what they stand for.
    pub(crate) edits: Vec<Edit>,
}

/// Scans the document that begins at `start`; where there is none, returns how far the text could be one.
pub(crate) fn scan(text: &str, start: usize) -> Result<Scanned, usize> {
    let mut scanner =
        Scanner { text, at: start, stack: Vec::new(), path: String::new(), values: Vec::new(), edits: Vec::new() };
    let whole = scanner.run();
    // The paste may end within the document: what was read so far stands.
    let ends = scanner.at >= text.len();
    let many = scanner.values.len() > MOST_VALUES;
    if many
        || (!whole && !ends)
        || !scanner
            .values
            .iter()
            .any(|value| value.path.contains(|c: char| c != '[' && c != ']' && !c.is_ascii_digit()))
    {
        return Err(scanner.at.max(start + 1));
    }
    Ok(Scanned { span: start..scanner.at.min(text.len()), values: scanner.values, edits: scanner.edits })
}

/// An open bracket.
struct Open {
    /// The index of its current element; none for an object.
    index: Option<usize>,
    /// How much of the path leads to it.
    path: usize,
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    stack: Vec<Open>,
    path: String,
    values: Vec<Value>,
    edits: Vec<Edit>,
}

impl Scanner<'_> {
    /// Whether a whole document stands here.
    fn run(&mut self) -> bool {
        loop {
            if !self.value() {
                return false;
            }
            while !self.stack.is_empty() {
                match self.behind_value() {
                    Some(true) => break,
                    Some(false) => {}
                    None => return false,
                }
            }
            if self.stack.is_empty() {
                return true;
            }
        }
    }

    /// Reads a scalar, or goes into a bracket up to its first value.
    fn value(&mut self) -> bool {
        match self.peek() {
            Some(b'{') => self.open(false),
            Some(b'[') => self.open(true),
            Some(b'"' | b'\'') => match self.string() {
                Some(span) => self.scalar(span, true),
                None => false,
            },
            Some(byte) if byte.is_ascii_alphanumeric() || byte == b'-' => {
                let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
                let len = rest
                    .iter()
                    .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.'))
                    .count();
                let span = self.at..self.at + len;
                self.at = span.end;
                !self.stack.is_empty() && self.scalar(span, false)
            }
            _ => false,
        }
    }

    fn open(&mut self, array: bool) -> bool {
        if self.stack.len() >= DEEPEST {
            return false;
        }
        self.at += 1;
        self.stack.push(Open { index: array.then_some(0), path: self.path.len() });
        if self.peek().is_some_and(|byte| byte == if array { b']' } else { b'}' }) {
            // An empty one is a value that is over already: `behind_value` closes it.
            return true;
        }
        // The recursion is bounded by `DEEPEST`.
        self.enter() && self.value()
    }

    /// Extends the path by the key or index of the value that follows.
    fn enter(&mut self) -> bool {
        let Some(open) = self.stack.last() else { return false };
        self.path.truncate(open.path);
        match open.index {
            Some(index) => {
                let _ = write!(self.path, "[{index}]");
                true
            }
            None => self.key(),
        }
    }

    fn key(&mut self) -> bool {
        if !matches!(self.peek(), Some(b'"' | b'\'')) {
            return false;
        }
        let edits = self.edits.len();
        let Some(span) = self.string() else { return false };
        self.edits.truncate(edits);
        self.extend(self.text.get(span).unwrap_or(""));
        if self.peek() != Some(b':') {
            return false;
        }
        self.at += 1;
        true
    }

    /// Adds a key to the path. Keys that lead too far are left out, so that paths cost no more than the text.
    fn extend(&mut self, key: &str) {
        if self.path.len() + key.len() <= LONGEST_PATH {
            if !self.path.is_empty() {
                self.path.push('.');
            }
            self.path.push_str(key);
        }
    }

    /// What follows a value: another one, which is then entered, or the end of the bracket. `None` where neither does.
    fn behind_value(&mut self) -> Option<bool> {
        let byte = self.peek()?;
        let open = self.stack.last_mut()?;
        let close = if open.index.is_some() { b']' } else { b'}' };
        if byte == b',' {
            self.at += 1;
            if self.peek() != Some(close) {
                if let Some(index) = self.stack.last_mut().and_then(|open| open.index.as_mut()) {
                    *index += 1;
                }
                return self.enter().then_some(true);
            }
        } else if byte != close {
            return None;
        }
        self.at += 1;
        let open = self.stack.pop()?;
        self.path.truncate(open.path);
        Some(false)
    }

    fn scalar(&mut self, span: Range<usize>, text: bool) -> bool {
        // Nothing is no value.
        if text || !matches!(self.text.get(span.clone()), Some("null" | "None")) {
            self.values.push(Value { path: self.path.clone(), span, text });
        }
        self.values.len() <= MOST_VALUES
    }

    /// A text, as the place between its quotes. One that the paste cuts off ends with the paste.
    fn string(&mut self) -> Option<Range<usize>> {
        let quote = *self.text.as_bytes().get(self.at)?;
        let start = self.at + 1;
        let mut at = start;
        loop {
            let rest = self.text.as_bytes().get(at..)?;
            let Some(found) = memchr::memchr2(quote, b'\\', rest) else {
                self.at = self.text.len();
                self.values.push(Value { path: self.path.clone(), span: start..self.text.len(), text: true });
                return None;
            };
            at += found;
            if rest.get(found) == Some(&quote) {
                self.at = at + 1;
                return Some(start..at);
            }
            match escapes::read(self.text, at) {
                Some(edit) => {
                    at = edit.run.end;
                    self.edits.push(edit);
                }
                None => at += 2,
            }
        }
    }

    /// The next byte that is no white space.
    fn peek(&mut self) -> Option<u8> {
        let rest = self.text.as_bytes().get(self.at..)?;
        self.at += rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        self.text.as_bytes().get(self.at).copied()
    }
}
