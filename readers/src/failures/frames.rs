//! The lines of a stack.

use crate::anchors::Marks;
use crate::lines::Lines;
use crate::scan::{ascii_lower_starts, digits};

/// What a line is within a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Frame {
    /// `File "…", line 3, in f`, whole.
    Whole,
    /// A frame that goes on in the next line, since the paste was wrapped.
    Open,
}

/// Whether a line is a frame.
pub(crate) fn frame(lines: &Lines<'_>, index: usize) -> Option<Frame> {
    let text = lines.text(index);
    if lines.has(index, Marks::FRAME) {
        return Some(Frame::Whole);
    }
    let start = text.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '`' | '"' | '|' | '>' | '*'));
    if !ascii_lower_starts(start, "file ") {
        return None;
    }
    if ascii_lower_starts(start, "file \"") {
        // `File "…", lin` / `e 12, in f`.
        return Some(Frame::Open);
    }
    // IPython: `File /usr/lib/tempfile.py:622, in f(*args)`, `File <string>:1`.
    let colon = start.rfind(':').filter(|at| digits(start.as_bytes().get(at + 1..).unwrap_or_default()) > 0);
    let numbered =
        start.match_indices(':').any(|(at, _)| digits(start.as_bytes().get(at + 1..).unwrap_or_default()) > 0);
    (colon.is_some() || (numbered && start.contains(", in "))).then_some(Frame::Whole)
}

/// Whether a line belongs to a stack wherever it stands within: carets, stubs, notes of repetition.
pub(crate) fn filler(text: &str) -> bool {
    let text = text.trim();
    let carets = !text.is_empty() && text.bytes().all(|byte| matches!(byte, b'^' | b'~' | b' '));
    let stub = text.starts_with('(') && text.ends_with(')') && text.contains("source line");
    let dots = matches!(text, "..." | "…" | "[...]" | ".....");
    let repeated = text.starts_with("[Previous line repeated") || text.contains("frames hidden");
    let arrow = text.starts_with("--> ") || text.starts_with("---> ") || text.starts_with("----> ");
    carets || stub || dots || repeated || arrow
}

/// Whether a line is the head of a traceback, with or without the type that IPython prints before it.
pub(crate) fn header(lines: &Lines<'_>, index: usize) -> bool {
    lines.has(index, Marks::HEADER)
}
