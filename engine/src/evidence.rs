//! What was pasted, read: clean text that knows its places, the failures in it, and documents.
//!
//! Readers build it; the engine reads facts from it by the packs' extractors, and points back into the input.

use std::ops::Range;
use std::sync::Arc;

use crate::value::Value;

/// The evidence of one run. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    inner: Arc<Parts>,
}

/// What evidence is made of. A reader fills it and turns it into [`Evidence`].
#[derive(Debug, Clone, Default)]
pub struct Parts {
    /// The inputs, in the order given.
    pub inputs: Vec<Input>,
    /// The text of all inputs without what is only damage: one `\n` per line, no colours, no quoting marks.
    pub text: String,
    /// Where each run of `text` came from, in order, without gaps.
    pub segments: Vec<Segment>,
    /// The failures that show by their form, in the order of the text.
    pub failures: Vec<Failure>,
    /// The documents found in the inputs.
    pub documents: Vec<Document>,
}

/// One file, or what came on standard input.
#[derive(Debug, Clone)]
pub struct Input {
    /// A file's name, or `-`.
    pub name: Arc<str>,
    /// What it was taken for: `text`, `comfyui-report`, `json`, `png`, …
    pub kind: &'static str,
    /// Its length in bytes, as given.
    pub bytes: u64,
    /// The input as text, decoded but otherwise as given; places count in it.
    pub text: Arc<str>,
    /// Where `text` lacks a part of a long input, in order.
    pub gaps: Vec<Gap>,
    /// How many lines of the input `text` lacks.
    pub lines_left_out: usize,
}

/// A place of an input's text before which a part of the input is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// Where the text goes on, in bytes of the text.
    pub at: usize,
    /// The line of the input that this is, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
}

impl Input {
    /// The line and column of the input that a place of its text stands for.
    fn line_and_column(&self, at: usize) -> Option<(usize, usize)> {
        let behind = self.gaps.partition_point(|gap| gap.at <= at);
        let start = Gap { at: 0, line: 1, column: 1 };
        let from = behind.checked_sub(1).and_then(|index| self.gaps.get(index)).copied().unwrap_or(start);
        let before = self.text.get(from.at..at)?;
        let ends = before.bytes().filter(|&byte| byte == b'\n').count();
        let column = match before.rfind('\n') {
            Some(last) => before.get(last + 1..)?.chars().count() + 1,
            None => from.column + before.chars().count(),
        };
        Some((from.line + ends, column))
    }
}

/// A run of clean text and the run of an input it stands for.
///
/// Where both have the same length they are the same text, position by position; otherwise the whole run stands for
/// the whole of the original one (an escape, a line end).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    /// First byte in the clean text.
    pub clean: usize,
    /// Bytes of clean text.
    pub clean_len: usize,
    /// Which input.
    pub input: usize,
    /// First byte in the input's text.
    pub original: usize,
    /// Bytes of the input's text.
    pub original_len: usize,
}

/// How a failure showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// A report's Error Details, or an `execution_error`: these name the failure.
    Report,
    /// A Python traceback, or its last line alone where frames stand around it.
    Traceback,
    /// `!!! Exception during processing !!!`, `Error occurred when executing …:` and the like.
    Marker,
    /// A single line of the form `some.ErrorType: message`.
    Line,
    /// `Failed to validate prompt` and `Prompt outputs failed validation` blocks.
    Validation,
    /// A program's native end: an exit code, `Killed`, `Segmentation fault`, an abort's message.
    Native,
}

/// A failure that shows by its form. Ranges are bytes of the clean text.
#[derive(Debug, Clone)]
pub struct Failure {
    /// How it showed.
    pub form: Form,
    /// All of it, from its first line to its last.
    pub span: Range<usize>,
    /// The exceptions of a chain, in the order printed; at least one. The last is the one that was raised in the end.
    pub chain: Vec<Raised>,
}

/// One exception of a chain.
#[derive(Debug, Clone, Default)]
pub struct Raised {
    /// Its type as printed: `torch.OutOfMemoryError`.
    pub error_type: Option<Range<usize>>,
    /// Its message, hint lines included: several ranges where the paste interrupts it.
    pub message: Vec<Range<usize>>,
    /// Its stack: the frame lines.
    pub trace: Vec<Range<usize>>,
}

/// A document such as a JSON reply or a workflow, as its scalar values.
#[derive(Debug, Clone)]
pub struct Document {
    /// `system-stats`, `execution-error`, `history`, `workflow`, `prompt`, `json`.
    pub kind: &'static str,
    /// In the order of the document.
    pub scalars: Vec<Scalar>,
}

/// A scalar value of a document.
#[derive(Debug, Clone)]
pub struct Scalar {
    /// Keys joined by dots, `[n]` for elements: `devices[0].vram_total`.
    pub path: String,
    /// A text, number or bool as written; a text is unescaped.
    pub value: String,
    /// Where it stands, in bytes of the clean text.
    pub span: Range<usize>,
}

/// A place in an input, as shown to people: what was read there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Index of the input.
    pub input_index: usize,
    /// Line from 1, in the input as given.
    pub line: usize,
    /// Column from 1, in characters.
    pub column: usize,
    /// Length in characters of the input as given.
    pub length: usize,
    /// The text there, as given.
    pub text: String,
    /// The name of the input.
    pub input: Arc<str>,
    /// The first line the place lies in, as given.
    pub line_text: String,
}

impl From<Parts> for Evidence {
    fn from(parts: Parts) -> Self {
        Self { inner: Arc::new(parts) }
    }
}

impl Evidence {
    /// The inputs, in the order given.
    #[must_use]
    pub fn inputs(&self) -> &[Input] {
        &self.inner.inputs
    }

    /// The clean text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.inner.text
    }

    /// The failures that show by their form, in the order of the text.
    #[must_use]
    pub fn failures(&self) -> &[Failure] {
        &self.inner.failures
    }

    /// The documents.
    #[must_use]
    pub fn documents(&self) -> &[Document] {
        &self.inner.documents
    }

    /// The clean text of a range; empty if it lies outside.
    #[must_use]
    pub fn slice(&self, range: &Range<usize>) -> &str {
        self.inner.text.get(range.clone()).unwrap_or("")
    }

    /// Where a range of the clean text stands in the input. `None` if it lies in no input, or for an empty evidence.
    #[must_use]
    pub fn place(&self, range: &Range<usize>) -> Option<Place> {
        let first = self.segment_at(range.start)?;
        let last = if range.end > range.start { self.segment_at(range.end - 1)? } else { first };
        let start = original(first, range.start, false);
        let end = if last.input == first.input {
            original(last, range.end, true)
        } else {
            first.original + first.original_len
        };
        let input = self.inner.inputs.get(first.input)?;
        let text = input.text.get(start..end.max(start))?;
        let before = input.text.get(..start)?;
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line_end = input.text.get(start..)?.find('\n').map_or(input.text.len(), |at| start + at);
        let (line, column) = input.line_and_column(start)?;
        Some(Place {
            input_index: first.input,
            line,
            column,
            length: text.chars().count(),
            text: text.to_owned(),
            input: Arc::clone(&input.name),
            line_text: input.text.get(line_start..line_end)?.trim_end_matches('\r').to_owned(),
        })
    }

    fn segment_at(&self, clean: usize) -> Option<&Segment> {
        let segments = &self.inner.segments;
        let behind = segments.partition_point(|segment| segment.clean <= clean);
        let mut candidates = segments.get(..behind)?.iter().rev();
        candidates
            .find(|segment| clean < segment.clean + segment.clean_len)
            .or_else(|| segments.get(behind.checked_sub(1)?))
    }
}

/// The input position that a clean position stands for.
fn original(segment: &Segment, clean: usize, is_end: bool) -> usize {
    let offset = clean.saturating_sub(segment.clean);
    if segment.clean_len == segment.original_len {
        segment.original + offset.min(segment.original_len)
    } else if is_end {
        segment.original + segment.original_len
    } else {
        segment.original
    }
}

impl Scalar {
    /// The value as text.
    #[must_use]
    pub fn as_value(&self) -> Value {
        Value::text(self.value.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(text: &str, gaps: Vec<Gap>) -> Input {
        Input { name: "-".into(), kind: "text", bytes: 30, text: text.into(), gaps, lines_left_out: 0 }
    }

    #[test]
    fn places_behind_a_gap_are_those_of_the_whole_input() {
        let input = given("a\n\nbc\nd", vec![Gap { at: 3, line: 100, column: 41 }]);
        assert_eq!(input.line_and_column(0), Some((1, 1)));
        assert_eq!(input.line_and_column(4), Some((100, 42)));
        assert_eq!(input.line_and_column(6), Some((101, 1)));
    }

    #[test]
    fn places_point_into_the_input_as_given() {
        let original = "a\u{1b}[31mError\u{1b}[0m\r\n内存 full";
        let evidence = Evidence::from(Parts {
            inputs: vec![given(original, Vec::new())],
            text: "aError\n内存 full".into(),
            segments: vec![
                Segment { clean: 0, clean_len: 1, input: 0, original: 0, original_len: 1 },
                Segment { clean: 1, clean_len: 5, input: 0, original: 6, original_len: 5 },
                Segment { clean: 6, clean_len: 1, input: 0, original: 15, original_len: 2 },
                Segment { clean: 7, clean_len: 11, input: 0, original: 17, original_len: 11 },
            ],
            ..Parts::default()
        });
        let place = evidence.place(&(1..6)).unwrap();
        assert_eq!((place.line, place.column, place.length, place.text.as_str()), (1, 7, 5, "Error"));
        let place = evidence.place(&(14..18)).unwrap();
        assert_eq!((place.line, place.column, place.text.as_str()), (2, 4, "full"));
        assert_eq!(place.line_text, "内存 full");
    }
}
