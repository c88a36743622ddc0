//! Pasted bytes to [`Evidence`]: encodings, colours, wrapped and quoted pastes, tracebacks, ComfyUI's reports, JSON,
//! and the workflow inside a PNG.
//!
//! `bytes` → `decode` or `png` → `clean` → `documents` → `lines` → `failures`. Readers know forms only: which of the
//! failures is *the* failure, and what any of it means, say the packs.
//!
//! Everything is read in one pass, in time linear in the input, and nothing panics. Limits: an input has at most
//! [`MAX_BYTES`]; a text packed into a PNG unpacks to at most 64 MiB; a document nests at most 256 deep and has at most
//! 500 000 scalar values, and what goes beyond is read as text.

mod anchors;
mod clean;
mod copy;
mod decode;
mod documents;
mod error;
mod escapes;
mod failures;
mod flat;
mod json;
mod kind;
mod lines;
mod png;
mod scan;
mod scratch;
mod wrapped;
mod wrappers;

use std::ops::Range;
use std::sync::Arc;

use rulecheck::evidence::{Document, Evidence, Failure, Input, Parts};

pub use error::ReadError;

/// The most bytes one input may have.
pub const MAX_BYTES: u64 = 256 << 20;

/// Reads one input. `name` is a file's name, or `-` for the standard input.
///
/// # Errors
/// If the input is empty, no text, or too large.
pub fn read(name: &str, bytes: &[u8]) -> Result<Evidence, ReadError> {
    Reader::new().add(name, bytes)?.finish()
}

/// Reads several inputs that together tell of one failure, in the order given.
///
/// ```
/// let evidence = rulecheck_readers::Reader::new()
///     .encoding(Some("gbk"))
///     .add("log.txt", b"RuntimeError: \xc4\xda\xb4\xe6\xb2\xbb\xd7\xe3")?
///     .finish()?;
/// assert_eq!(evidence.text(), "RuntimeError: 内存不足\n");
/// # Ok::<(), rulecheck_readers::ReadError>(())
/// ```
#[derive(Debug, Default)]
pub struct Reader {
    label: Option<String>,
    parts: Parts,
    copy: copy::Copy,
}

impl Reader {
    /// A reader without inputs.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The encoding of the inputs that follow, by its WHATWG label; `None` to find out.
    #[must_use]
    pub fn encoding(mut self, label: Option<&str>) -> Self {
        self.label = label.map(str::to_owned);
        self
    }

    /// Adds an input.
    ///
    /// # Errors
    /// If it is empty, no text, or too large, or the encoding asked for does not exist.
    pub fn add(mut self, name: &str, bytes: &[u8]) -> Result<Self, ReadError> {
        let size = bytes.len() as u64;
        if size > MAX_BYTES {
            return Err(ReadError::TooLarge { name: name.to_owned(), bytes: size });
        }
        let is_png = png::is_png(bytes);
        let text = if is_png { png::text(name, bytes)? } else { decode::decode(name, bytes, self.label.as_deref())? };
        let input = self.parts.inputs.len();
        let mut copy = copy::Copy::default();
        clean::clean(&text, input, &mut copy);
        if copy.text.trim().is_empty() {
            return Err(ReadError::Empty { name: name.to_owned() });
        }
        let read = documents::read(copy);
        let mut found = read.failures;
        for region in &read.regions {
            let lines = lines::Lines::of(&read.copy.text, region.clone(), &read.copy.stamps);
            failures::find(&lines, &mut found);
        }
        found.sort_by_key(|failure| (failure.span.start, failure.form));
        let kind = if is_png { "png" } else { kind::of(&read.copy, &found, &read.documents) };
        self.parts.inputs.push(Input { name: Arc::from(name), kind, bytes: size, text: Arc::from(text) });
        self.append(&read.copy, found, read.documents);
        Ok(self)
    }

    /// Appends what one input holds: its places count from its own start until then.
    fn append(&mut self, copy: &copy::Copy, failures: Vec<Failure>, documents: Vec<Document>) {
        let base = self.copy.text.len();
        self.copy.extend(copy);
        self.parts.failures.extend(failures.into_iter().map(|failure| moved(failure, base)));
        self.parts.documents.extend(documents.into_iter().map(|mut document| {
            for scalar in &mut document.scalars {
                shift(&mut scalar.span, base);
            }
            document
        }));
    }

    /// The evidence of the inputs added.
    ///
    /// # Errors
    /// If there was none.
    pub fn finish(mut self) -> Result<Evidence, ReadError> {
        if self.parts.inputs.is_empty() {
            return Err(ReadError::Empty { name: "the input".to_owned() });
        }
        self.parts.text = self.copy.text;
        self.parts.segments = self.copy.segments;
        Ok(Evidence::from(self.parts))
    }
}

fn moved(mut failure: Failure, base: usize) -> Failure {
    shift(&mut failure.span, base);
    for raised in &mut failure.chain {
        let ranges = raised.error_type.iter_mut().chain(&mut raised.message).chain(&mut raised.trace);
        ranges.for_each(|range| shift(range, base));
    }
    failure
}

fn shift(range: &mut Range<usize>, base: usize) {
    *range = range.start + base..range.end + base;
}
