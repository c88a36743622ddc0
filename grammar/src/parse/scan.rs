//! The characters of a line that matter before any grammar: quotes, regular expressions, comments, brackets, and the
//! words that begin a clause within a line. Each byte is looked at once.

use std::ops::Range;

/// How deep brackets may nest in a declaration.
pub(super) const MAX_DEPTH: u32 = 128;

/// What keeps a clause from being parsed at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// A `"` at this place is not closed on its line.
    UnclosedText(usize),
    /// The bracket at this place is one too deep.
    TooDeep(usize),
}

/// What was found in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scan {
    /// One behind the last character that is neither white space nor comment.
    pub(super) end: usize,
    /// Where a comment begins.
    pub(super) comment: Option<usize>,
    /// What is wrong.
    pub(super) fault: Option<Fault>,
}

/// Walks the lines of a declaration.
pub(super) struct Scanner<'a> {
    text: &'a str,
    /// Where an open `"""` stands.
    pub(super) block: Option<usize>,
    depth: u32,
    /// Whether a pattern may stand next, so that a `/` begins a regular expression.
    lead: bool,
    /// Whether a `/` behind white space always does.
    patterns: bool,
    /// Whether `then` and `unless` begin clauses.
    clauses: bool,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, block: None, depth: 0, lead: false, patterns: false, clauses: false }
    }

    /// Begins a declaration: whether it has no arithmetic, and whether it is a rule.
    pub(super) fn begin_declaration(&mut self, patterns: bool, clauses: bool) {
        *self = Self { patterns, clauses, ..Self::new(self.text) };
    }

    /// Begins a clause: what the one before left open does not count.
    pub(super) fn begin_clause(&mut self) {
        self.depth = 0;
        self.lead = false;
    }

    /// Reads a line from `at` to `end`; puts the places of `then` and `unless` into `cuts`, and those of white space of
    /// other kinds into `blanks`.
    pub(super) fn line(
        &mut self,
        at: usize,
        end: usize,
        cuts: &mut Vec<usize>,
        blanks: &mut Vec<Range<usize>>,
    ) -> Scan {
        let mut at = at;
        let mut scan = Scan { end: at, comment: None, fault: None };
        let mut behind_white = true;
        if self.block.is_some() {
            let Some(closed) = self.find_block_end(at, end) else {
                scan.end = end;
                return scan;
            };
            self.block = None;
            (at, scan.end, behind_white) = (closed, closed, false);
        }
        while at < end {
            let blank = blank_len(self.text, at);
            if blank > 0 {
                if blank > 1 {
                    blanks.push(at..at + blank);
                }
                at += blank;
                behind_white = true;
                continue;
            }
            if self.byte(at) == b'#' && behind_white {
                scan.comment = Some(at);
                break;
            }
            at = match self.piece(at, end, behind_white, cuts) {
                Ok(next) => next,
                Err(fault) => {
                    scan.fault = Some(fault);
                    scan.end = end;
                    return scan;
                }
            };
            behind_white = false;
            scan.end = at;
        }
        scan
    }

    /// Steps over a text, a regular expression, a word or a sign.
    fn piece(&mut self, at: usize, end: usize, behind_white: bool, cuts: &mut Vec<usize>) -> Result<usize, Fault> {
        let lead = std::mem::replace(&mut self.lead, false);
        match self.byte(at) {
            b'"' => self.quoted(at, end),
            b'/' if lead || (self.patterns && behind_white) => Ok(self.find_close(at + 1, end, b'/').unwrap_or(at + 1)),
            b'(' | b'[' => {
                self.lead = true;
                self.depth += 1;
                if self.depth > MAX_DEPTH { Err(Fault::TooDeep(at)) } else { Ok(at + 1) }
            }
            b')' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                Ok(at + 1)
            }
            b',' => {
                self.lead = true;
                Ok(at + 1)
            }
            b'<' => Ok(self.find_url_end(at, end).unwrap_or(at + 1)),
            byte if is_letter(byte) => Ok(self.word(at, end, cuts)),
            _ => Ok(at + 1),
        }
    }

    fn word(&mut self, at: usize, end: usize, cuts: &mut Vec<usize>) -> usize {
        let close = at + word_at(self.text, at, end).len().max(1);
        match self.text.get(at..close) {
            Some("matches" | "by") => self.lead = true,
            Some("then" | "unless") if self.clauses => cuts.push(at),
            _ => {}
        }
        close
    }

    fn quoted(&mut self, at: usize, end: usize) -> Result<usize, Fault> {
        if self.text.get(at..end).is_some_and(|it| it.starts_with("\"\"\"")) {
            return Ok(self.find_block_end(at + 3, end).unwrap_or_else(|| {
                self.block = Some(at);
                end
            }));
        }
        self.find_close(at + 1, end, b'"').ok_or(Fault::UnclosedText(at))
    }

    /// One behind the next `close` that has no backslash before it.
    fn find_close(&self, at: usize, end: usize, close: u8) -> Option<usize> {
        let mut escaped = false;
        let bytes = self.text.as_bytes().get(at..end)?;
        let found = bytes.iter().position(|&byte| {
            let here = byte == close && !escaped;
            escaped = byte == b'\\' && !escaped;
            here
        })?;
        Some(at + found + 1)
    }

    /// One behind the next `"""` that has no backslash before it.
    fn find_block_end(&self, at: usize, end: usize) -> Option<usize> {
        let mut at = at;
        loop {
            let close = self.find_close(at, end, b'"')?;
            if self.text.get(close..end)?.starts_with("\"\"") {
                return Some(close + 2);
            }
            at = close;
        }
    }

    /// One behind the `>` of `<https://…>`: brackets and signs in it are not ours.
    fn find_url_end(&self, at: usize, end: usize) -> Option<usize> {
        let inner = self.text.get(at + 1..end)?;
        let close = inner.find(|it: char| matches!(it, '<' | '>') || it.is_whitespace())?;
        let is_url = inner.get(..close)?.contains(':') && inner.get(close..)?.starts_with('>');
        is_url.then_some(at + close + 2)
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }
}

/// Whether a byte can belong to a word. Of other alphabets all do; the grammar knows better, and it does not matter here.
fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'+') || byte >= 0x80
}

/// The length of the white space character at a place, 0 where there is none. No line ends stand in a line, except
/// that of a file with `\r` alone, which is white space.
pub(super) fn blank_len(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    match bytes.get(at) {
        Some(b' ' | b'\t' | 0x0b | 0x0c | b'\r') => 1,
        Some(0xc2) if bytes.get(at + 1) == Some(&0xa0) => 2,
        Some(0xe3) if bytes.get(at + 1..at + 3) == Some(&[0x80, 0x80]) => 3,
        Some(0xef) if bytes.get(at + 1..at + 3) == Some(&[0xbb, 0xbf]) => 3,
        _ => 0,
    }
}

/// The word that begins at a place, perhaps empty.
pub(super) fn word_at(text: &str, at: usize, end: usize) -> &str {
    let bytes = text.as_bytes();
    let mut close = at;
    while close < end && bytes.get(close).is_some_and(|&it| is_letter(it) && (it < 0x80 || blank_len(text, close) == 0))
    {
        close += 1;
    }
    text.get(at..close).unwrap_or("")
}
