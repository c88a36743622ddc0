//! Whatever the bytes, reading ends without a panic, and every range lies in the text and has a place in the input.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "a test may panic")]

use std::fmt::Write as _;

use proptest::prelude::*;
use rulecheck::Evidence;
use rulecheck_readers::{Reader, read};

/// Pieces of which pastes are made, whole and broken.
const PIECES: [&str; 44] = [
    "Traceback (most recent call last):",
    "\n",
    "\r",
    "\r\n",
    "  File \"a.py\", line 3, in f",
    "    g()",
    "RuntimeError: bad",
    "ValueError",
    "!!! Exception during processing !!! ",
    "Error occurred when executing X:",
    "During handling of the above exception, another exception occurred:",
    "- **Exception Type:** OSError",
    "- **Exception Message:** x",
    "## Error Details",
    "## Stack Trace",
    "```",
    "> ",
    "comfyui-1  | ",
    "2026-09-01T19:08:48.935230 - ",
    "[ERROR] ",
    "\u{1b}[31m",
    "\u{1b}]0;",
    "&lt;",
    "<br>",
    "：",
    "\u{200b}",
    "内存",
    "\\n",
    "\\\"",
    "\"",
    "{\"a\": ",
    "{\"exception_message\": \"m\\n\", \"exception_type\": \"T\", \"traceback\": [\"x\\n\"]}",
    "[",
    "]",
    "}",
    ",",
    "Killed",
    "exit code -5",
    "terminate called after throwing an instance of 'T'",
    "what(): x",
    "Failed to validate prompt for output 1:",
    "| Traceback (most recent call last):",
    " 5%|# | 1/2 [00:01<00:01, 1.2it/s]",
    "Cannot import x module for custom nodes: y",
];

fn holds_together(evidence: &Evidence) -> Result<(), TestCaseError> {
    let text = evidence.text();
    let mut ranges = Vec::new();
    for failure in evidence.failures() {
        prop_assert!(!failure.chain.is_empty());
        ranges.push(&failure.span);
        for raised in &failure.chain {
            ranges.extend(raised.error_type.iter().chain(&raised.message).chain(&raised.trace));
        }
    }
    ranges.extend(evidence.documents().iter().flat_map(|document| document.scalars.iter().map(|scalar| &scalar.span)));
    for range in ranges {
        prop_assert!(text.get(range.clone()).is_some(), "{range:?} of {} in {text:?}", text.len());
        prop_assert!(evidence.place(range).is_some(), "no place for {range:?} in {text:?}");
    }
    // What is the same in the input as in the clean text is found at its place.
    for (at, symbol) in text.char_indices().filter(|(_, symbol)| symbol.is_ascii_alphabetic()) {
        let place = evidence.place(&(at..at + 1));
        let found =
            place.as_ref().is_some_and(|place| place.text.contains(symbol) || place.text.starts_with(['&', '\\']));
        prop_assert!(found, "{symbol:?} at {at} stands for {place:?} in {text:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        if let Ok(evidence) = read("-", &bytes) {
            holds_together(&evidence)?;
        }
    }

    #[test]
    fn any_text(text in "\\PC{0,200}") {
        if let Ok(evidence) = read("-", text.as_bytes()) {
            holds_together(&evidence)?;
        }
    }

    #[test]
    fn any_mixture(pieces in proptest::collection::vec((0..PIECES.len(), any::<bool>()), 0..60), split in any::<bool>()) {
        let mut paste = String::new();
        for (piece, ends) in pieces {
            let _ = write!(paste, "{}{}", PIECES[piece], if ends { "\n" } else { "" });
        }
        if let Ok(evidence) = read("-", paste.as_bytes()) {
            holds_together(&evidence)?;
        }
        if split && let Ok(reader) = Reader::new().add("a", paste.as_bytes()) && let Ok(reader) = reader.add("b", paste.as_bytes()) {
            holds_together(&reader.finish().expect("two inputs"))?;
        }
    }
}
