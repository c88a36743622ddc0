//! Flattened text: a traceback or a report whose line ends were lost on the way.

use std::ops::Range;

use memchr::memmem;

use crate::anchors::{self, Marks};
use crate::scan::{digits, find_ignoring_case};

/// Where a line that holds several lines of a traceback or of a report is to be broken.
pub(crate) fn breaks(text: &str, marks: Marks, frames: usize) -> Vec<usize> {
    let mut starts = if frames > 0 { of_frames(text, frames) } else { Vec::new() };
    if marks.has(Marks::REPORT) && text.contains(" - **") {
        starts.extend(memmem::find_iter(text.as_bytes(), " - **").map(|at| at + 1));
        starts.extend(memmem::find_iter(text.as_bytes(), " ## ").map(|at| at + 1));
    }
    starts.sort_unstable();
    starts.dedup();
    starts.retain(|start| *start > 0);
    starts
}

/// A line with several frames, a frame behind other text, or the foot of the traceback behind its frame.
fn of_frames(text: &str, frames: usize) -> Vec<usize> {
    let first_file = find_ignoring_case(text, "file \"");
    let leads = first_file.is_some_and(|at| text.get(..at).is_some_and(|before| before.trim().len() > 8));
    let mut starts = Vec::new();
    let mut tail = 0;
    for (at, mark) in anchors::find(text) {
        if mark == Marks::FRAME {
            if frames > 1 || leads {
                starts.extend(file_before(text, tail..at));
            }
            tail = at + 8 + digits(text.as_bytes().get(at + 8..).unwrap_or_default());
        } else if mark.has(Marks::HEADER | Marks::CONNECTOR | Marks::PROCESSING) && at > 0 {
            starts.extend(type_in(text, tail..at));
            starts.push(at);
            tail = at;
        }
    }
    starts.extend(type_in(text, tail..text.len()));
    starts
}

/// Where the frame begins whose line number stands behind `run`.
fn file_before(text: &str, run: Range<usize>) -> Option<usize> {
    let before = text.get(run.clone())?.to_ascii_lowercase();
    before.rfind("file \"").map(|found| run.start + found)
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
