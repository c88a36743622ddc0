//! An input's text to clean text: one `\n` per line, without colours, quoting marks, stamps and fences.

use std::ops::Range;

use crate::copy::Copy;
use crate::flat;
use crate::scan::skip;
use crate::scratch::Scratch;
use crate::wrapped::{Joint, Wrapped};
use crate::wrappers::{Prefix, Wrappers};

/// Appends the clean text of `source`, which is input number `input`, to `out`.
pub(crate) fn clean(source: &str, input: usize, out: &mut Copy) {
    let mut cleaner = Cleaner {
        source,
        input,
        wrappers: Wrappers::learn(source),
        wrapped: Wrapped::learn(source),
        scratch: Scratch::default(),
        before: None,
    };
    let mut start = 0;
    while start < source.len() {
        let rest = source.as_bytes().get(start..).unwrap_or_default();
        let end = memchr::memchr2(b'\n', b'\r', rest).map_or(source.len(), |at| start + at);
        start = cleaner.line(start..end, out);
    }
    cleaner.end_line(out);
    if !out.text.is_empty() && !out.text.ends_with('\n') {
        out.put(input, "\n", source.len()..source.len());
    }
}

/// An input on its way to clean text.
struct Cleaner<'s> {
    source: &'s str,
    input: usize,
    wrappers: Wrappers,
    wrapped: Wrapped,
    scratch: Scratch,
    /// The line written last, and its end, which is not yet written.
    before: Option<(Range<usize>, End)>,
}

/// A line end.
struct End {
    /// Where it stands.
    run: Range<usize>,
    /// Whether its last byte is `\n`, so that it can be taken over as it is.
    plain: bool,
}

impl Cleaner<'_> {
    /// Writes a line without its end, and returns where the next begins.
    fn line(&mut self, line: Range<usize>, out: &mut Copy) -> usize {
        self.scratch.read(self.source, line.clone());
        let text = self.scratch.text();
        let prefix = self.wrappers.prefix(text);
        let first = text.get(prefix.len..).and_then(|text| text.split('\n').next()).unwrap_or("");
        match self.joint(first, prefix) {
            Some(joint) => self.join(joint, out),
            None => self.end_line(out),
        }
        self.write_lines(out);
        let end = line_end(self.source, line.end);
        let next = end.run.end.max(line.end + 1).min(self.source.len());
        self.before = (!end.run.is_empty()).then_some((line, end));
        next
    }

    /// Whether the line before goes on in the one that begins with `next`.
    fn joint(&self, next: &str, prefix: Prefix) -> Option<Joint> {
        let (line, end) = self.before.as_ref()?;
        // A carriage return alone draws over a line.
        let drawn = !end.plain;
        if drawn || prefix.stamped {
            return None;
        }
        self.wrapped.joint(self.source.get(line.clone())?, next)
    }

    fn join(&mut self, joint: Joint, out: &mut Copy) {
        if let Some((_, end)) = self.before.take()
            && joint == Joint::Blank
        {
            out.put(self.input, " ", end.run);
        }
    }

    /// Writes one `\n` for the end of the line before.
    fn end_line(&mut self, out: &mut Copy) {
        let Some((_, end)) = self.before.take() else { return };
        if end.plain {
            // The `\r`s before a `\n` are left out, so that the `\n` stays part of the next run.
            out.keep(self.input, self.source, end.run.end - 1..end.run.end);
        } else {
            out.put(self.input, "\n", end.run);
        }
    }

    /// Writes the line in the scratch. Breaks of HTML make several lines of one.
    fn write_lines(&self, out: &mut Copy) {
        let (scratch, input, source) = (&self.scratch, self.input, self.source);
        let mut start = 0;
        for line in scratch.text().split_inclusive('\n') {
            let text = line.strip_suffix('\n').unwrap_or(line);
            let prefix = self.wrappers.prefix(text);
            if prefix.stamped {
                out.stamp();
            }
            let run = without_fence(text.get(prefix.len..).unwrap_or(""));
            let run = start + prefix.len + run.start..start + prefix.len + run.end;
            write_run(scratch, &run, input, source, out);
            scratch.write(start + text.len()..start + line.len(), input, source, out);
            start += line.len();
        }
    }
}

/// The line end at `at`; empty at the end of the input.
fn line_end(source: &str, at: usize) -> End {
    let bytes = source.as_bytes();
    let mut end = at;
    while bytes.get(end) == Some(&b'\r') {
        end += 1;
    }
    let plain = bytes.get(end) == Some(&b'\n');
    End { run: at..end + usize::from(plain), plain }
}

/// Writes a part of a line without what is cut out of it.
fn write_run(scratch: &Scratch, run: &Range<usize>, input: usize, source: &str, out: &mut Copy) {
    let mut at = run.start;
    for cut in cuts(scratch.text().get(run.clone()).unwrap_or("")) {
        let cut_start = run.start + cut.at.start;
        if cut_start < at {
            continue;
        }
        scratch.write(at..cut_start, input, source, out);
        if cut.breaks {
            let place = scratch.original(cut_start).unwrap_or(source.len());
            out.put(input, "\n", place..place);
        }
        if cut.stamped {
            out.stamp();
        }
        at = run.start + cut.at.end;
    }
    scratch.write(at..run.end, input, source, out);
}

/// What a fence leaves of a line: nothing where it stands alone, the text where it is glued to one.
fn without_fence(line: &str) -> Range<usize> {
    let trimmed = line.trim();
    if let Some(rest) = trimmed.strip_prefix("```") {
        let word = rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'+'));
        if word {
            return 0..0;
        }
        let start = line.len() - rest.len() - (line.len() - line.trim_end().len());
        return start..without_closing(line).max(start);
    }
    0..without_closing(line)
}

fn without_closing(line: &str) -> usize {
    line.trim_end().strip_suffix("```").map_or(line.len(), str::len)
}

/// A run inside a line that is not text.
struct Cut {
    at: Range<usize>,
    /// A line ends there.
    breaks: bool,
    /// A record begins behind it.
    stamped: bool,
}

/// Stamps that writes put in the midst of a line, places where a progress bar is glued to what follows, and the line
/// ends that a flattened line has lost.
fn cuts(line: &str) -> Vec<Cut> {
    let mut cuts = Vec::new();
    let bytes = line.as_bytes();
    for dash in memchr::memchr_iter(b'-', bytes) {
        // Behind a stamp stands ` - `; within it stand other dashes.
        let behind = bytes.get(dash + 1) == Some(&b' ');
        if let Some(start) = dash.checked_sub(27).filter(|start| behind && is_stamp(bytes, *start)) {
            let breaks = ends_progress(line, start);
            cuts.push(Cut { at: start..dash + 2, breaks, stamped: breaks });
        }
    }
    // A stamp at the end of the line has lost its last blank.
    if let Some(start) = line.len().checked_sub(28).filter(|start| line.ends_with(" -") && is_stamp(bytes, *start)) {
        cuts.push(Cut { at: start..line.len(), breaks: false, stamped: false });
    }
    for slash in memchr::memchr_iter(b'/', bytes) {
        let rate = rate_end(bytes, slash).and_then(|rate| behind_progress(line, rate));
        cuts.extend(rate.map(|end| Cut { at: end..skip(line, end, " "), breaks: true, stamped: false }));
    }
    cuts.extend(flat::breaks(line).into_iter().map(|at| Cut { at: at..at, breaks: true, stamped: false }));
    cuts.sort_by_key(|cut| cut.at.start);
    cuts
}

/// Where the rate of a progress bar ends: `it/s`, `s/it`, `MB/s`.
fn rate_end(bytes: &[u8], slash: usize) -> Option<usize> {
    let before = bytes.get(slash.checked_sub(1)?)?;
    let behind = bytes.get(slash + 1..)?;
    match before {
        b't' | b'B' if behind.starts_with(b"s") => Some(slash + 2),
        b's' if behind.starts_with(b"it") => Some(slash + 3),
        _ => None,
    }
}

/// Where a progress bar ends to which other text is glued: `…, 4.12s/it, loss=0.1]ERROR`.
fn behind_progress(line: &str, rate: usize) -> Option<usize> {
    let rest = line.get(rate..)?;
    let close = rest.bytes().take(160).position(|byte| byte == b']')?;
    let plain = rest.starts_with(']') || rest.starts_with(", ");
    let end = rate + close + 1;
    let behind = line.get(end..)?;
    (plain
        && !behind.trim().is_empty()
        && !behind.starts_with([']', ',', ')', '\\'])
        && !is_stamp(line.as_bytes(), end))
    .then_some(end)
}

fn ends_progress(line: &str, at: usize) -> bool {
    line.get(..at)
        .is_some_and(|before| before.ends_with("it/s]") || before.ends_with("s/it]") || before.ends_with("B/s]"))
}

/// Whether `2026-09-01T19:08:48.935230` begins at `start`.
fn is_stamp(bytes: &[u8], start: usize) -> bool {
    const SHAPE: &[u8; 26] = b"0000-00-00T00:00:00.000000";
    bytes.get(start..start + SHAPE.len()).is_some_and(|text| {
        text.iter().zip(SHAPE).all(|(byte, shape)| if *shape == b'0' { byte.is_ascii_digit() } else { byte == shape })
    })
}
