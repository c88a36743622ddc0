//! Flattened text: a traceback, a report or a log whose line ends were lost on the way.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use crate::escapes;
use crate::failures::record_starts;
use crate::scan::{digits, skip};

/// No shorter line holds several.
const SHORTEST: usize = 120;

/// What begins a line, as far as it shows in the midst of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    /// A frame of a stack.
    Frame,
    /// The head of a traceback, and what ComfyUI prints before one.
    Head,
    /// A heading or a bullet of a report.
    Report,
    /// A row of a table; the line begins two bytes on.
    Row,
    /// A node in the list of what a workflow lacks.
    Bullet,
    /// A program that names itself.
    Tag,
    /// What programs log.
    Record,
}

const OWN: [(&str, Start); 35] = [
    ("file \"", Start::Frame),
    ("traceback (most recent call last)", Start::Head),
    ("!!! exception during", Start::Head),
    ("during handling of the above exception", Start::Head),
    ("the above exception was the direct", Start::Head),
    ("error occurred when executing", Start::Head),
    ("- **", Start::Report),
    ("## ", Start::Report),
    ("# comfyui error report", Start::Report),
    ("| |", Start::Row),
    ("+ |", Start::Row),
    ("| +--", Start::Row),
    ("invalid prompt: {", Start::Record),
    ("comfyui version:", Start::Record),
    ("vae load device:", Start::Record),
    ("clip/text encoder model load device:", Start::Record),
    ("using pytorch attention", Start::Record),
    ("using sub quadratic", Start::Record),
    ("using xformers", Start::Record),
    ("prompt outputs failed validation", Start::Record),
    ("- value not in list:", Start::Record),
    ("- required input is missing", Start::Record),
    ("- return type mismatch", Start::Record),
    ("* ", Start::Bullet),
    ("** ", Start::Record),
    ("commit hash:", Start::Record),
    ("python 3.", Start::Record),
    ("loading weights [", Start::Record),
    ("creating model from config", Start::Record),
    ("calculating sha256", Start::Record),
    ("model loaded in", Start::Record),
    ("[", Start::Tag),
    ("warning: ", Start::Record),
    ("killed", Start::Record),
    ("venv \"", Start::Record),
];

/// Shorter words may stand in any sentence.
const SHORTEST_RECORD: usize = 8;

static WORDS: LazyLock<Vec<(&'static str, Start)>> = LazyLock::new(|| {
    let records = record_starts().filter(|word| word.len() >= SHORTEST_RECORD);
    let records = records.filter(|word| OWN.iter().all(|(own, _)| !own.starts_with(word)));
    OWN.into_iter().chain(records.map(|word| (word, Start::Record))).collect()
});

static AUTOMATON: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::LeftmostLongest)
        .kind(Some(AhoCorasickKind::ContiguousNFA))
        .build(WORDS.iter().map(|(word, _)| word))
        .ok()
});

/// Where a line that holds several lines of a traceback, a report or a log is to be broken.
pub(crate) fn breaks(text: &str) -> Vec<usize> {
    if text.len() < SHORTEST || keeps_ends(text) {
        return Vec::new();
    }
    let found = find(text);
    let feet = feet(text, &found);
    if feet.is_empty() && !flattened(text, &found) {
        return Vec::new();
    }
    let mut starts: Vec<usize> = found.iter().map(|(at, _)| *at).collect();
    starts.extend(feet);
    starts.sort_unstable();
    starts.dedup();
    starts.retain(|start| *start > 0);
    starts
}

/// JSON keeps its line ends as escapes.
fn keeps_ends(text: &str) -> bool {
    let whole = ["{", "[{", "[\"", "\""].iter().any(|open| text.trim_start().starts_with(open));
    let within = || text.contains("exception_message") && ["{\"", "{'"].iter().any(|open| text.contains(open));
    whole || within() || escapes::escaped(text)
}

/// What begins lines in a text, in order.
fn find(text: &str) -> Vec<(usize, Start)> {
    let hits = AUTOMATON.iter().flat_map(|automaton| automaton.find_iter(text));
    let mut behind = None;
    let starts = hits.filter_map(|hit| {
        // A mark and the word behind it begin one line.
        let marked = behind.replace(hit.end()) == Some(hit.start());
        let (_, start) = WORDS.get(hit.pattern().as_usize())?;
        let free = |byte: &u8| !byte.is_ascii_alphanumeric() && !matches!(byte, b'_' | b'.' | b'/' | b'\\');
        let before = hit.start().checked_sub(1).and_then(|at| text.as_bytes().get(at));
        match start {
            Start::Frame => before
                .is_none_or(free)
                .then(|| frame_end(text, hit.start()))
                .flatten()
                .map(|_| hit.start() - indent(text, hit.start())),
            Start::Row => Some(hit.start() + 2),
            Start::Tag => tag(text, hit.start()).then_some(hit.start()),
            Start::Bullet => bullet(text, hit.start()).then_some(hit.start()),
            _ if text.get(hit.start()..).is_some_and(|rest| rest.starts_with("cannot import name")) => None,
            _ => (!marked && before.is_none_or(u8::is_ascii_whitespace)).then_some(hit.start()),
        }
        .map(|at| (at, *start))
    });
    starts.collect()
}

/// `[Crystools INFO] GPU/s:`.
fn tag(text: &str, at: usize) -> bool {
    const LONGEST_NAME: usize = 30;
    let before = text.get(..at).unwrap_or("");
    let Some((name, behind)) = text.get(at + 1..).and_then(|rest| rest.split_once("] ")) else { return false };
    before.chars().next_back().is_none_or(char::is_whitespace)
        && (3..LONGEST_NAME).contains(&name.len())
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && behind.starts_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit())
}

/// `* KSampler (Efficient) 1042:` in the list of what a workflow lacks.
fn bullet(text: &str, at: usize) -> bool {
    const LONGEST_NAME: usize = 80;
    let name = text.get(at + 2..).and_then(|rest| rest.split(':').next()).unwrap_or("");
    text.contains("validat") && name.len() < LONGEST_NAME && name.ends_with(|c: char| c.is_ascii_digit() || c == ')')
}

/// The two blanks before a frame, where a third stands for the line end.
fn indent(text: &str, at: usize) -> usize {
    if text.get(..at).is_some_and(|before| before.ends_with("   ")) { 2 } else { 0 }
}

/// Behind the line number of the frame at `at`, which its indentation may precede.
fn frame_end(text: &str, at: usize) -> Option<usize> {
    const LONGEST_PATH: usize = 600;
    let path = skip(text, at, " ") + "file \"".len();
    let rest = text.as_bytes().get(path..text.len().min(path + LONGEST_PATH))?;
    let number = path + memchr::memchr(b'"', rest)? + 1 + ", line ".len();
    let lower = text.get(number - ", line ".len()..number)?;
    lower.eq_ignore_ascii_case(", line ").then(|| number + digits(text.as_bytes().get(number..).unwrap_or_default()))
}

/// Whether a line holds several: two frames, a frame behind other text, two bullets, or three records.
fn flattened(text: &str, found: &[(usize, Start)]) -> bool {
    let count = |start: Start| found.iter().filter(|(_, other)| *other == start).count();
    let frames = count(Start::Frame);
    let led = found
        .iter()
        .find(|(_, start)| *start == Start::Frame)
        .is_some_and(|(at, _)| text.get(..*at).is_some_and(|before| before.trim().len() > 8));
    let several = count(Start::Record) + count(Start::Head) + count(Start::Report) + count(Start::Tag) > 2;
    let headed = found.iter().any(|(at, start)| *start == Start::Head && *at > 8);
    frames > 1 || led || headed || count(Start::Report) > 1 || count(Start::Row) > 2 || several
}

/// Where the types stand that end the stacks.
fn feet(text: &str, found: &[(usize, Start)]) -> Vec<usize> {
    let mut feet = Vec::new();
    for (index, (at, start)) in found.iter().enumerate() {
        let next = found.get(index + 1);
        let end = next.map_or(text.len(), |(next, _)| *next);
        match start {
            Start::Frame if next.is_none_or(|(_, next)| *next != Start::Frame) => {
                feet.extend(frame_end(text, *at).and_then(|from| foot(text, from..end)));
            }
            Start::Record | Start::Head | Start::Tag => {
                feet.extend(type_in(text, *at..end).filter(|foot| !introduced(text, *foot)));
            }
            _ => {}
        }
    }
    feet
}

/// Where the foot of a traceback begins behind its last frame: at the type, or behind the stub for a source line.
fn foot(text: &str, run: Range<usize>) -> Option<usize> {
    let stub = || {
        let (before, _) = text.get(run.clone())?.split_once("(source line) ")?;
        Some(run.start + before.len() + "(source line) ".len())
    };
    type_in(text, run.clone()).or_else(stub)
}

/// Whether what stands before a place leads to it.
fn introduced(text: &str, at: usize) -> bool {
    text.get(..at).is_some_and(|before| before.trim_end().ends_with([':', '(', '"', '\'', '`', '!', '*', '=']))
}

/// Types that are known behind a word to which they are glued.
const BUILT_IN: [&str; 15] = [
    "ModuleNotFoundError",
    "FileNotFoundError",
    "NotImplementedError",
    "OutOfMemoryError",
    "AttributeError",
    "AssertionError",
    "PermissionError",
    "RuntimeError",
    "ImportError",
    "MemoryError",
    "ValueError",
    "IndexError",
    "TypeError",
    "KeyError",
    "OSError",
];

/// Where a type with its message begins within a run of a flattened traceback.
fn type_in(text: &str, run: Range<usize>) -> Option<usize> {
    let part = text.get(run.clone())?;
    let end = ["Error:", "Exception:"].into_iter().filter_map(|word| Some(part.find(word)? + word.len() - 1)).min()?;
    let name = part.get(..end)?;
    let start = name
        .rfind(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.')))
        .map_or(0, |at| at + name.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8));
    let word = name.get(start..)?;
    // Where line ends were lost without a blank, the source line's last word stands before the type.
    let glued = BUILT_IN.iter().find(|known| !word.contains('.') && word.ends_with(*known));
    let start = glued.map_or(start, |known| end - known.len());
    (start > 0).then_some(run.start + start)
}
