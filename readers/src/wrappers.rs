//! What stands before the text of a line: quoting marks, container names, time stamps, levels.

use memchr::memmem;

use crate::scan::{ascii_lower_starts, digits, skip};
use crate::scratch::Scratch;

/// How much stands before the text, and whether a record of a log begins there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Prefix {
    /// Bytes to take away.
    pub(crate) len: usize,
    /// A time stamp or a level was among them.
    pub(crate) stamped: bool,
}

/// Prefixes that programs put before every line they pass on, as this input shows them.
#[derive(Debug, Default)]
pub(crate) struct Wrappers {
    learnt: Vec<Signature>,
    /// Blanks that every line of the input begins with: it was pasted from an indented place.
    margin: usize,
}

/// Longest prefix that is learnt.
const LONGEST: usize = 100;
/// Longest line from which a prefix is learnt.
const LONGEST_LINE: usize = 4096;
/// How many places are looked at to learn prefixes.
const PLACES: usize = 64;
/// A line may be wrapped several times: quoted, by a container, by a log.
const LAYERS: usize = 8;

impl Wrappers {
    /// Learns what stands before `Traceback` or a frame, if the next line has it too.
    pub(crate) fn learn(source: &str) -> Self {
        let mut found = Self { margin: margin(source), ..Self::default() };
        let mut scratch = Scratch::default();
        for needle in ["Traceback (most recent call last)", "File \""] {
            for hit in memmem::find_iter(source.as_bytes(), needle).take(PLACES) {
                if let Some(signature) = found.signature_at(source, hit, needle, &mut scratch) {
                    found.learnt.push(signature);
                }
            }
        }
        found.learnt.extend(padded_container(source));
        found
    }

    fn signature_at(&self, source: &str, hit: usize, needle: &str, scratch: &mut Scratch) -> Option<Signature> {
        let start = hit.saturating_sub(2 * LONGEST);
        let before = source.as_bytes().get(start..hit)?;
        let line_start = start + memchr::memrchr2(b'\n', b'\r', before)? + 1;
        let (line, next) = line_and_next(source, line_start)?;
        scratch.read(source, line);
        let text = scratch.text().to_owned();
        let known = self.prefix(&text).len;
        let prefix = text.get(known..)?.split(needle).next()?;
        let prefix = if needle.starts_with("File") { prefix.strip_suffix("  ").unwrap_or(prefix) } else { prefix };
        let signature = Signature::of(prefix)?;
        scratch.read(source, next);
        let next_known = self.prefix(scratch.text()).len;
        signature.matches(scratch.text().get(next_known..)?)?;
        Some(signature)
    }

    /// What stands before the text of `line`.
    pub(crate) fn prefix(&self, line: &str) -> Prefix {
        let mut prefix = Prefix { len: self.margin.min(blanks(line)), ..Prefix::default() };
        for _ in 0..LAYERS {
            let Some(rest) = line.get(prefix.len..) else { break };
            let Some(layer) = layer(rest, prefix.stamped).or_else(|| self.learnt_layer(rest)) else { break };
            prefix.len += layer.len;
            prefix.stamped |= layer.stamped;
        }
        prefix
    }

    fn learnt_layer(&self, rest: &str) -> Option<Prefix> {
        self.learnt.iter().find_map(|signature| signature.matches(rest)).map(|len| Prefix { len, stamped: false })
    }
}

/// Blanks that all lines have in common.
fn margin(source: &str) -> usize {
    let lines = source.split(['\n', '\r']).filter(|line| !line.trim().is_empty());
    lines.map(blanks).min().unwrap_or(0)
}

/// Leading blanks and tabs.
fn blanks(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// `comfyui     | `: a service without a number, if it stands before every line.
fn padded_container(source: &str) -> Option<Signature> {
    let mut lines = source.lines().filter(|line| !line.trim().is_empty()).take(PLACES);
    let (name, _) = lines.next()?.split_once('|')?;
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_' | b'.');
    let fits = name.ends_with("  ")
        && name.len() <= LONGEST
        && !name.trim_end().is_empty()
        && name.trim_end().bytes().all(plain);
    let prefix = format!("{name}| ");
    (fits && lines.all(|line| line.starts_with(prefix.trim_end()))).then_some(Signature(prefix))
}

fn line_and_next(source: &str, start: usize) -> Option<(std::ops::Range<usize>, std::ops::Range<usize>)> {
    let ends = |from: usize| {
        let rest = source.as_bytes().get(from..source.len().min(from + LONGEST_LINE))?;
        memchr::memchr2(b'\n', b'\r', rest)
            .map(|at| from + at)
            .or_else(|| (rest.len() < LONGEST_LINE).then_some(source.len()))
    };
    let end = ends(start)?;
    let next = skip(source, end, "\r\n");
    Some((start..end, next..ends(next)?))
}

/// A prefix in which every run of digits stands for any other.
#[derive(Debug)]
struct Signature(String);

impl Signature {
    fn of(prefix: &str) -> Option<Self> {
        let trimmed = prefix.trim_end();
        let closed = trimmed.ends_with([']', '|'])
            || (trimmed.ends_with([':', '-']) && trimmed.contains(|c: char| c.is_ascii_digit()));
        // The lines of an exception group are drawn, not wrapped.
        if !closed || trimmed.trim_start() == "|" || prefix.len() > LONGEST || prefix.contains(['"', '`']) {
            return None;
        }
        Some(Self(prefix.to_owned()))
    }

    /// The length of this prefix at the start of `line`; a line that ends within its last blanks has it too.
    fn matches(&self, line: &str) -> Option<usize> {
        let (mine, theirs) = (self.0.as_bytes(), line.as_bytes());
        let (mut i, mut j) = (0, 0);
        while i < mine.len() {
            let (a, b) = (mine.get(i)?, theirs.get(j));
            match b {
                None if self.0.get(i..)?.trim().is_empty() => return Some(j),
                Some(b) if a.is_ascii_digit() && b.is_ascii_digit() => {
                    i += digits(mine.get(i..)?);
                    j += digits(theirs.get(j..)?);
                }
                Some(b) if a == b => {
                    i += 1;
                    j += 1;
                }
                _ => return None,
            }
        }
        Some(j)
    }
}

/// One layer at the start of `line`.
fn layer(line: &str, stamped: bool) -> Option<Prefix> {
    let record = |len| Prefix { len, stamped: true };
    let wrapper = |len| Prefix { len, stamped: false };
    match line.as_bytes().first()? {
        b'>' | b' ' => quote(line).map(wrapper),
        b'[' => bracket(line),
        b'0'..=b'9' => date(line).or_else(|| time(line).map(record)),
        b'-' if stamped => dashed_level(line).map(record),
        b'A'..=b'Z' => level_root(line).or_else(|| if stamped { bare_level(line) } else { None }).map(record),
        b'a'..=b'z' => container(line).map(wrapper),
        _ => None,
    }
}

/// A quoting mark of Markdown or mail. `>>` is a prompt, or how some programs begin their lines.
fn quote(line: &str) -> Option<usize> {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let rest = line.get(indent..)?.strip_prefix('>')?;
    if indent > 3 || rest.starts_with('>') {
        return None;
    }
    Some(indent + 1 + usize::from(rest.starts_with(' ')))
}

/// `comfyui-1  | `: the service and its number.
fn container(line: &str) -> Option<usize> {
    let name =
        line.bytes().take(60).position(|byte| !byte.is_ascii_alphanumeric() && !matches!(byte, b'-' | b'_' | b'.'))?;
    let numbered = line.get(..name)?.trim_end_matches(|c: char| c.is_ascii_digit());
    if numbered.len() == name || !numbered.ends_with(['-', '_']) {
        return None;
    }
    let bar = skip(line, name, " ");
    (bar > name && line.get(bar..)?.starts_with('|'))
        .then(|| bar + 1 + usize::from(line.get(bar + 1..).is_some_and(|rest| rest.starts_with(' '))))
}

const LEVELS: [&str; 11] =
    ["info", "warning", "error", "debug", "detail", "critical", "warn", "fatal", "trace", "notice", "verbose"];

/// `[INFO] `, `[2024-11-06 23:41:06.473] `, `[rank4]: `, `[ComfyUI-0/STDERR] `.
fn bracket(line: &str) -> Option<Prefix> {
    let close = line.bytes().take(LONGEST).position(|byte| byte == b']')?;
    let inside = line.get(1..close)?;
    let rest = line.get(close + 1..)?;
    let one_blank = close + 1 + usize::from(rest.starts_with(' '));
    if LEVELS.iter().any(|level| inside.trim_end().eq_ignore_ascii_case(level))
        && (rest.is_empty() || rest.starts_with(' '))
    {
        return Some(Prefix { len: one_blank, stamped: true });
    }
    if inside.starts_with(|c: char| c.is_ascii_digit())
        && (whole_date(inside) || time_length(inside) == Some(inside.len()))
    {
        return Some(Prefix { len: one_blank, stamped: true });
    }
    if let Some(number) = inside.strip_prefix("rank")
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && rest.starts_with(": ")
    {
        return Some(Prefix { len: close + 3, stamped: false });
    }
    let stream = inside.ends_with("/STDERR") || inside.ends_with("/STDOUT");
    stream.then_some(Prefix { len: one_blank, stamped: false })
}

fn whole_date(inside: &str) -> bool {
    date_length(inside).is_some_and(|len| len == inside.len())
}

/// A date and time at the start of a line, with what follows it.
fn date(line: &str) -> Option<Prefix> {
    let len = date_length(line)?;
    let rest = line.get(len..)?;
    if let Some(rest) = rest.strip_prefix('Z') {
        // Containers stamp every line, so a stamp says nothing about records.
        return rest.starts_with(' ').then_some(Prefix { len: len + 2, stamped: false });
    }
    if rest.starts_with(" - ") {
        let level = dashed_level(rest.get(1..)?).map_or(3, |level| 1 + level);
        return Some(Prefix { len: len + level, stamped: true });
    }
    if rest == " -" || rest.is_empty() {
        return Some(Prefix { len: line.len(), stamped: true });
    }
    (rest.starts_with(' ')).then_some(Prefix { len: len + 1, stamped: true })
}

/// `2026-09-01T19:08:48.935230`, `2024-12-16 17:10:56,767`, `2024-09-21 18:10:18`.
fn date_length(line: &str) -> Option<usize> {
    let bytes = line.as_bytes();
    let shape = |from: usize, pattern: &[u8]| {
        bytes.get(from..from + pattern.len()).is_some_and(|text| {
            text.iter()
                .zip(pattern)
                .all(|(byte, shape)| if *shape == b'0' { byte.is_ascii_digit() } else { byte == shape })
        })
    };
    if !shape(0, b"0000-00-00") || !matches!(bytes.get(10), Some(b' ' | b'T')) {
        return None;
    }
    Some(11 + time_length(line.get(11..)?)?)
}

/// `17:10:56`, with a fraction.
fn time_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    for (at, byte) in bytes.get(..8)?.iter().enumerate() {
        let fits = if at % 3 == 2 { *byte == b':' } else { byte.is_ascii_digit() };
        if !fits {
            return None;
        }
    }
    let fraction = match bytes.get(8) {
        Some(b'.' | b',' | b'-') => match digits(bytes.get(9..)?) {
            0 => 0,
            count => 1 + count,
        },
        _ => 0,
    };
    Some(8 + fraction)
}

/// `11:04:36.672 `, `19:37:45 [ERROR] `: a time alone may be part of a sentence.
fn time(line: &str) -> Option<usize> {
    let len = time_length(line)?;
    let rest = line.get(len..)?;
    let levelled = rest.strip_prefix(' ').and_then(bracket).is_some_and(|prefix| prefix.stamped);
    (rest.starts_with(' ') && (len > 8 || levelled)).then_some(len + 1)
}

/// `- root - ERROR - `.
fn dashed_level(line: &str) -> Option<usize> {
    let rest = line.strip_prefix("- ")?;
    let (logger, level) = rest.split_once(" - ")?;
    if LEVELS.iter().any(|name| logger.eq_ignore_ascii_case(name)) {
        return Some(2 + logger.len() + 3);
    }
    let (level, _) = level.split_once(" - ")?;
    let known = LEVELS.iter().any(|name| level.eq_ignore_ascii_case(name));
    (known && !logger.contains(' ')).then_some(2 + logger.len() + 3 + level.len() + 3)
}

/// `ERROR:root:`.
fn level_root(line: &str) -> Option<usize> {
    let level = LEVELS.iter().find(|level| ascii_lower_starts(line, level))?;
    line.get(level.len()..)?.starts_with(":root:").then_some(level.len() + 6)
}

/// `ERROR    `, behind a time.
fn bare_level(line: &str) -> Option<usize> {
    let level = LEVELS.iter().find(|level| ascii_lower_starts(line, level))?;
    let end = skip(line, level.len(), " ");
    (end >= level.len() + 2).then_some(end)
}
