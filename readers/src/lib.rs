//! Pasted bytes to [`Evidence`]: encodings, colours, wrapped and quoted pastes, tracebacks, ComfyUI's reports, JSON,
//! and the workflow inside a PNG.
//!
//! `bytes` → `decode` or `png` → `clean` → `documents` → `lines` → `failures`. Readers know forms only: which of the
//! failures is *the* failure, and what any of it means, say the packs.
//!
//! Everything is read in one pass, in time linear in the input, and nothing panics. An input of more than [`WHOLE`]
//! bytes is read as an [`Excerpt`], in bounded memory whatever its length. Limits: a text packed into a PNG unpacks to at
//! most 64 MiB; a document nests at most 256 deep and has at most 500 000 scalar values, and what goes beyond is read as
//! text.

mod anchors;
mod clean;
mod copy;
mod decode;
mod documents;
mod error;
mod escapes;
mod excerpt;
mod failures;
mod flat;
mod json;
mod kind;
mod kinds;
mod lines;
mod png;
mod scan;
mod scratch;
mod sieve;
mod wrapped;
mod wrappers;

use std::ops::Range;

use rulecheck::evidence::{Document, Evidence, Failure, Input, Parts};

pub use error::ReadError;
pub use excerpt::Excerpt;

/// Inputs of at most so many bytes are read whole.
pub const WHOLE: usize = 16 << 20;

/// Whether an input that begins with these bytes is a picture, which is never read as an [`Excerpt`].
#[must_use]
pub fn is_picture(bytes: &[u8]) -> bool {
    png::is_png(bytes)
}

/// Reads one input. `name` is a file's name, or `-` for the standard input.
///
/// # Errors
/// If the input is empty or no text.
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
    /// If it is empty or no text, or the encoding asked for does not exist.
    pub fn add(self, name: &str, bytes: &[u8]) -> Result<Self, ReadError> {
        let is_png = png::is_png(bytes);
        if bytes.len() > WHOLE && !is_png {
            let excerpt = Excerpt::read(name, bytes, self.label.as_deref())?;
            return self.add_excerpt(excerpt);
        }
        let text = if is_png { png::text(name, bytes)? } else { decode::decode(name, bytes, self.label.as_deref())? };
        let kind = if is_png { "png" } else { "text" };
        let size = bytes.len() as u64;
        self.add_input(Input {
            name: name.into(),
            kind,
            bytes: size,
            text: text.into(),
            gaps: Vec::new(),
            lines_left_out: 0,
        })
    }

    /// Adds what was read of an input that is too long to be kept.
    ///
    /// # Errors
    /// If it is empty.
    pub fn add_excerpt(self, excerpt: Excerpt) -> Result<Self, ReadError> {
        let Excerpt { name, bytes, lines_left_out, text, gaps } = excerpt;
        self.add_input(Input { name: name.into(), kind: "text", bytes, text: text.into(), gaps, lines_left_out })
    }

    fn add_input(mut self, mut input: Input) -> Result<Self, ReadError> {
        let mut copy = copy::Copy::default();
        clean::clean(&input.text, self.parts.inputs.len(), &mut copy);
        if copy.text.trim().is_empty() {
            return Err(ReadError::Empty { name: input.name.to_string() });
        }
        let read = documents::read(copy);
        let mut found = read.failures;
        for region in &read.regions {
            let lines = lines::Lines::of(&read.copy.text, region.clone(), &read.copy.stamps);
            failures::find(&lines, &mut found);
        }
        found.sort_by_key(|failure| (failure.span.start, failure.form));
        if input.kind == "text" {
            input.kind = kind::of(&read.copy, &found, &read.documents);
        }
        self.parts.inputs.push(input);
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
