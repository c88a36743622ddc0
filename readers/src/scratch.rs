//! One line of the input without its damage: colours, control and zero-width characters, entities, full-width signs.

use std::ops::Range;

use crate::copy::Copy;

/// A run of the scratch text and the run of the input it stands for.
#[derive(Debug, Clone)]
struct Piece {
    at: usize,
    len: usize,
    original: Range<usize>,
}

/// A line being cleaned.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    text: String,
    pieces: Vec<Piece>,
}

/// Longest control sequence that is looked for, in bytes; what is longer is text.
const LONGEST_SEQUENCE: usize = 512;

/// The longest entity is `&quot;`.
const ENTITIES: [(&str, &str); 8] = [
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&amp;", "&"),
    ("&quot;", "\""),
    ("&#39;", "'"),
    ("&#x27;", "'"),
    ("&apos;", "'"),
    ("&nbsp;", " "),
];

impl Scratch {
    /// The clean text of the line.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Reads a line of `source`, without its end.
    pub(crate) fn read(&mut self, source: &str, line: Range<usize>) {
        self.text.clear();
        self.pieces.clear();
        let Some(text) = source.get(line.clone()) else { return };
        let mut kept = 0;
        let mut at = 0;
        while let Some(found) = next_special(text.as_bytes(), at) {
            let Some(rest) = text.get(found..) else { break };
            let Some((len, with)) = replacement(rest) else {
                at = found + rest.chars().next().map_or(1, char::len_utf8);
                continue;
            };
            self.keep(text, line.start, kept..found);
            self.put(with, line.start + found..line.start + found + len);
            at = found + len;
            kept = at;
        }
        self.keep(text, line.start, kept..text.len());
    }

    /// Copies a run of the scratch text out.
    pub(crate) fn write(&self, run: Range<usize>, input: usize, source: &str, out: &mut Copy) {
        let first = self.pieces.partition_point(|piece| piece.at + piece.len <= run.start);
        for piece in self.pieces.iter().skip(first).take_while(|piece| piece.at < run.end) {
            let from = run.start.max(piece.at) - piece.at;
            let to = run.end.min(piece.at + piece.len) - piece.at;
            if piece.len == piece.original.len() {
                out.keep(input, source, piece.original.start + from..piece.original.start + to);
            } else if let Some(text) = self.text.get(piece.at + from..piece.at + to) {
                out.put(input, text, piece.original.clone());
            }
        }
    }

    /// The place in the input before a place of the scratch text.
    pub(crate) fn original(&self, at: usize) -> Option<usize> {
        let index = self.pieces.partition_point(|piece| piece.at + piece.len <= at);
        let piece = self.pieces.get(index)?;
        let offset = if piece.len == piece.original.len() { at - piece.at } else { 0 };
        Some(piece.original.start + offset)
    }

    fn keep(&mut self, text: &str, line_start: usize, run: Range<usize>) {
        if let Some(kept) = text.get(run.clone()).filter(|kept| !kept.is_empty()) {
            self.pieces.push(Piece {
                at: self.text.len(),
                len: kept.len(),
                original: line_start + run.start..line_start + run.end,
            });
            self.text.push_str(kept);
        }
    }

    fn put(&mut self, with: &str, original: Range<usize>) {
        if !with.is_empty() {
            self.pieces.push(Piece { at: self.text.len(), len: with.len(), original });
            self.text.push_str(with);
        }
    }
}

/// The next byte that may begin damage.
fn next_special(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let special = |byte: &u8| SPECIAL.get(usize::from(*byte)) == Some(&true);
    rest.iter().position(special).map(|found| from + found)
}

/// The bytes that may begin damage.
static SPECIAL: [bool; 256] = special_bytes();

const fn special_bytes() -> [bool; 256] {
    let mut table = [false; 256];
    let mut rest: &mut [bool] = &mut table;
    let mut byte = 0u8;
    while let Some((first, behind)) = rest.split_first_mut() {
        let control = byte < 0x20 && byte != b'\t';
        *first = control || matches!(byte, 0x7f | b'&' | b'<' | b'[' | 0xc2 | 0xe2 | 0xe3 | 0xef);
        rest = behind;
        byte = byte.wrapping_add(1);
    }
    table
}

/// What begins `rest`: its length, and what stands for it in clean text.
fn replacement(rest: &str) -> Option<(usize, &'static str)> {
    let bytes = rest.as_bytes();
    match bytes.first()? {
        0x1b => Some((escape_length(bytes), "")),
        b'&' => {
            ENTITIES.iter().find(|(entity, _)| rest.starts_with(entity)).map(|(entity, with)| (entity.len(), *with))
        }
        b'<' => line_break(rest).or_else(|| tag(rest)),
        b'[' => bare_colour_length(bytes).map(|len| (len, "")),
        byte if byte.is_ascii() => Some((1, "")),
        _ => wide_replacement(rest),
    }
}

fn wide_replacement(rest: &str) -> Option<(usize, &'static str)> {
    let symbol = rest.chars().next()?;
    let with = match symbol {
        '：' => ":",
        '（' => "(",
        '）' => ")",
        '，' if ascii_follows(rest, symbol) => ",",
        '；' if ascii_follows(rest, symbol) => ";",
        '\u{3000}' | '\u{a0}' | '\u{2007}' | '\u{202f}' => " ",
        '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{ad}' | '\u{202a}'..='\u{202e}' => "",
        // Consoles without colours print the escape character as an arrow.
        '←' | '␛' if rest.get(symbol.len_utf8()..).is_some_and(|rest| rest.starts_with('[')) => {
            let len = control_length(rest.as_bytes().get(symbol.len_utf8() + 1..)?)?;
            return Some((symbol.len_utf8() + 1 + len, ""));
        }
        _ => return None,
    };
    Some((symbol.len_utf8(), with))
}

/// Whether text goes on in ASCII, where a full-width sign is none of a Chinese sentence.
fn ascii_follows(rest: &str, symbol: char) -> bool {
    rest.as_bytes().get(symbol.len_utf8()).is_some_and(u8::is_ascii)
}

/// The length of an escape sequence at the start of `bytes`; at least the escape character itself.
fn escape_length(bytes: &[u8]) -> usize {
    match bytes.get(1) {
        Some(b'[') => bytes.get(2..).and_then(control_length).map_or(2, |len| 2 + len),
        // Titles, links, and what terminals are told in other ways.
        Some(b']' | b'P' | b'X' | b'^' | b'_') => string_length(bytes),
        // `ESC ( B` chooses a set of characters.
        Some(0x20..=0x2f) if bytes.get(2).is_some_and(u8::is_ascii_graphic) => 3,
        Some(0x20..=0x7e) => 2,
        _ => 1,
    }
}

/// Parameters and the final letter of a control sequence.
fn control_length(bytes: &[u8]) -> Option<usize> {
    let end = bytes.iter().take(LONGEST_SEQUENCE).position(|byte| !(0x20..=0x3f).contains(byte))?;
    bytes.get(end).is_some_and(|byte| (0x40..=0x7e).contains(byte)).then_some(end + 1)
}

/// Such a command ends in a bell or in `ESC \`; if in neither, a terminal shows nothing of what follows, either.
fn string_length(bytes: &[u8]) -> usize {
    const LONGEST: usize = 4096;
    let window = bytes.get(2..bytes.len().min(LONGEST)).unwrap_or_default();
    match window.iter().position(|byte| matches!(byte, 0x07 | 0x1b)) {
        Some(end) if window.get(end) == Some(&0x07) => 2 + end + 1,
        Some(end) if window.get(end + 1) == Some(&b'\\') => 2 + end + 2,
        Some(end) => 2 + end,
        None if bytes.len() < LONGEST => bytes.len(),
        None => 2,
    }
}

/// A break where the line ends anyway adds none.
fn line_break(rest: &str) -> Option<(usize, &'static str)> {
    let len = line_break_length(rest.as_bytes())?;
    let ends = rest.get(len..).is_some_and(|rest| rest.bytes().all(|byte| byte == b' '));
    Some((len, if ends { "" } else { "\n" }))
}

/// Tags of a page's source, and of what issues fold away.
const TAGS: [&str; 18] = [
    "<p>",
    "</p>",
    "<pre>",
    "</pre>",
    "<code>",
    "</code>",
    "<strong>",
    "</strong>",
    "<em>",
    "</em>",
    "<div>",
    "</div>",
    "<li>",
    "</li>",
    "<details>",
    "</details>",
    "<summary>",
    "</summary>",
];

/// A tag is no text. `<module>` is.
fn tag(rest: &str) -> Option<(usize, &'static str)> {
    let start =
        |tag: &str| rest.as_bytes().get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag.as_bytes()));
    TAGS.into_iter().find(|tag| start(tag)).map(|tag| (tag.len(), ""))
}

/// `<br>`, `<br/>`, `<br />`.
fn line_break_length(bytes: &[u8]) -> Option<usize> {
    ["<br>", "<br/>", "<br />"]
        .into_iter()
        .find(|tag| bytes.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag.as_bytes())))
        .map(str::len)
}

/// `[0m`, `[1;33m`: a colour whose escape character got lost on the way.
fn bare_colour_length(bytes: &[u8]) -> Option<usize> {
    let digits = bytes.get(1..)?.iter().take(12).position(|byte| !matches!(byte, b'0'..=b'9' | b';'))?;
    let inside = bytes.get(1..=digits)?;
    let known = |part: &[u8]| {
        matches!(part, b"0" | b"1" | b"2" | b"3" | b"4" | b"22" | b"38" | b"39" | b"5")
            || (part.len() == 2 && matches!(part.first(), Some(b'3' | b'4' | b'9')))
            || part.len() == 3
    };
    let colour = digits > 0 && bytes.get(1 + digits) == Some(&b'm') && inside.split(|byte| *byte == b';').all(known);
    // `[5m 3s]` is a time.
    (colour && bytes.get(2 + digits) != Some(&b' ')).then_some(digits + 2)
}
