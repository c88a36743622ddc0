//! A program's native end: exit codes, signals, aborts, and the stacks that are printed then.

use std::ops::Range;

use rulecheck::evidence::{Failure, Form, Raised};

use crate::anchors::Marks;
use crate::failures::{Found, record};
use crate::lines::Lines;
use crate::scan::{digits, find_ignoring_case, skip};

/// How far apart the lines of one end may stand.
const APART: usize = 14;
/// A native stack is read no further than this many lines.
const LONGEST: usize = 400;

/// What a line says of an end.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct End {
    error_type: Option<Range<usize>>,
    message: Range<usize>,
}

/// Reads the end that begins in line `first`, with what else is printed of it and the stack.
pub(crate) fn read(lines: &Lines<'_>, first: usize) -> Option<Found> {
    let mut raised = Raised::default();
    let mut last = None;
    let mut index = first;
    while index < lines.len() && index <= last.unwrap_or(first) + APART {
        if lines.has(index, Marks::STACK) {
            let behind = behind_stack(lines, index + 1);
            raised.trace.extend(lines.range(index + 1..behind));
            last = Some(behind.max(index + 1) - 1);
            index = behind.max(index + 1);
            continue;
        }
        let end = if lines.has(index, Marks::NATIVE) { end(lines.text(index)) } else { None };
        match end {
            Some(end) => {
                index = add(lines, index, end, &mut raised);
                last = Some(index - 1);
            }
            None if last.is_none() || (record::starts(lines, index) && index > first) => break,
            None => index += 1,
        }
    }
    let last = last?;
    Some(Found {
        failure: Failure { form: Form::Native, span: lines.range(first..last + 1)?, chain: vec![raised] },
        next: last + 1,
    })
}

/// Adds what line `index` says, and returns the line behind it.
fn add(lines: &Lines<'_>, index: usize, end: End, raised: &mut Raised) -> usize {
    if raised.error_type.is_none() {
        raised.error_type = end.error_type.and_then(|part| lines.part(index, part));
    }
    raised.message.extend(lines.part(index, end.message));
    let mut next = index + 1;
    // `what():` may stand on the next line; stacks without a head begin with `#0`.
    if let Some(at) = find_ignoring_case(lines.text(next), "what():").filter(|_| raised.error_type.is_some()) {
        raised.message.extend(lines.part(next, at + 7..lines.text(next).len()));
        next += 1;
    }
    let behind = (next..lines.len().min(next + LONGEST))
        .find(|line| !lines.text(*line).trim_start().starts_with('#'))
        .unwrap_or(next);
    if lines.text(next).trim_start().starts_with("#0") {
        raised.trace.extend(lines.range(next..behind));
        next = behind;
    }
    next
}

/// A stack ends at a blank line.
fn behind_stack(lines: &Lines<'_>, first: usize) -> usize {
    let stops =
        |index: &usize| lines.blank(*index) || lines.has(*index, Marks::HEADER | Marks::PROCESSING | Marks::STACK);
    (first..lines.len().min(first + LONGEST)).find(stops).unwrap_or(lines.len().min(first + LONGEST))
}

fn end(text: &str) -> Option<End> {
    let lower = text.to_ascii_lowercase();
    let whole = || End { error_type: None, message: 0..text.len() };
    if lower.contains("terminate called") || lower.contains("terminating due to") {
        return Some(abort(text, &lower));
    }
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let certain = says(&CERTAIN);
    (certain || killed(&lower) || coded(&lower) || signalled(&lower)).then(whole)
}

/// Words that stand nowhere else.
const CERTAIN: [&str; 20] = [
    "windows fatal exception",
    "fatal python error",
    "segmentation fault",
    "(core dumped)",
    "failed assertion",
    "memory access fault by gpu",
    "sigkill",
    "sigsegv",
    "sigabrt",
    "sending sigterm",
    "bus error",
    "illegal hardware instruction",
    "illegal instruction",
    "trace/bpt trap",
    "oom-kill:",
    "corrupted size vs",
    "double free or corruption",
    "free(): invalid pointer",
    "stack smashing detected",
    "(0xc0",
];

/// `terminate called after throwing an instance of 'c10::Error'  what():  message`.
fn abort(text: &str, lower: &str) -> End {
    let start = lower.find("terminat").unwrap_or(0);
    let quoted = text.get(start..).and_then(|rest| {
        let open = start + rest.find('\'')? + 1;
        let close = open + text.get(open..)?.find('\'')?;
        (close > open).then_some(open..close)
    });
    let of_type =
        lower.contains("of type ").then(|| lower.find("of type ").map(|at| at + 8)).flatten().and_then(|from| {
            let to = from + text.get(from..)?.find(": ")?;
            Some((from..to, to + 2..text.len()))
        });
    if let Some((name, message)) = of_type.filter(|_| quoted.is_none()) {
        return End { error_type: Some(name), message };
    }
    let message = match lower.find("what():") {
        Some(at) => at + 7..text.len(),
        None if quoted.is_some() => text.len()..text.len(),
        None => start..text.len(),
    };
    End { error_type: quoted, message }
}

/// `Killed`, `[1]  1234 killed  python main.py`, `Out of memory: Killed process 1234`.
fn killed(lower: &str) -> bool {
    let bare = lower.trim_matches(|c: char| !c.is_alphabetic());
    if matches!(bare, "killed" | "已杀死" | "aborted" | "killed: 9") || lower.contains("已杀死") {
        return true;
    }
    if lower.contains("killed process") || lower.contains("zsh: killed") || lower.contains("zsh: abort") {
        return true;
    }
    // A shell prints the process number before what became of it: `line 42:     8 Killed      python3 main.py`.
    ["killed", "abort "].into_iter().any(|word| {
        let Some(at) = lower.find(word) else { return false };
        let before = lower.get(..at).unwrap_or("");
        let behind = lower.get(at + word.trim_end().len()..).unwrap_or("");
        let numbered = before.ends_with(' ') && before.trim_end().ends_with(|c: char| c.is_ascii_digit());
        numbered && (behind.is_empty() || behind.starts_with("  "))
    })
}

/// Exit codes that a program does not choose itself: signals and Windows' status codes. `exited with code 1` is an end, too.
fn coded(lower: &str) -> bool {
    const WORDS: [(&str, i64); 8] = [
        ("exited with", 1),
        ("crashed with", 1),
        ("crashes with", 1),
        ("退出代码", 1),
        ("退出码", 1),
        ("exception code", 128),
        ("exit code", 128),
        ("exit status", 128),
    ];
    WORDS.iter().any(|(word, least)| {
        let behind = lower.find(word).and_then(|at| lower.get(at + word.len()..));
        behind.and_then(first_number).is_some_and(|code| code >= *least || code < 0)
    })
}

fn first_number(text: &str) -> Option<i64> {
    let at = text.char_indices().take(24).find(|(_, c)| c.is_ascii_digit())?.0;
    let rest = text.get(at..)?;
    if let Some(hex) = rest.strip_prefix("0x") {
        let len = hex.bytes().take_while(u8::is_ascii_hexdigit).count();
        return i64::from_str_radix(hex.get(..len.min(15))?, 16).ok();
    }
    let len = digits(rest.as_bytes());
    let number: i64 = rest.get(..len.min(18))?.parse().ok()?;
    Some(if text.get(..at)?.ends_with('-') { -number } else { number })
}

/// `killed by signal 9`, `received signal: 11`.
fn signalled(lower: &str) -> bool {
    lower.find("signal ").or_else(|| lower.find("signal:")).is_some_and(|at| {
        let from = skip(lower, at + 6, " :=");
        let number = lower.get(from..).and_then(first_number);
        matches!(number, Some(4 | 6 | 7 | 8 | 9 | 11 | 15))
            && lower.get(from..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    })
}
