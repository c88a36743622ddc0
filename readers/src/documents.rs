//! Documents within clean text: which there are, what kind each is, and the failures that they tell of.

use std::ops::Range;

use rulecheck::evidence::{Document, Failure, Form, Raised, Scalar};

use crate::copy::{Copy, Edit, Shift};
use crate::failures::{lead, types};
use crate::json::{self, Scanned, Value};
use crate::{escapes, scan};

/// An `execution_error` is looked for no more often in one document.
const MOST_ERRORS: usize = 64;

/// Clean text whose documents are read.
#[derive(Debug, Default)]
pub(crate) struct Read {
    /// The text, with the texts of its documents unescaped.
    pub(crate) copy: Copy,
    /// The documents, in order.
    pub(crate) documents: Vec<Document>,
    /// The failures they name.
    pub(crate) failures: Vec<Failure>,
    /// The parts of the text to look for failures in: all but the documents, and long texts within them.
    pub(crate) regions: Vec<Range<usize>>,
}

/// Finds the documents in `copy`.
pub(crate) fn read(copy: Copy) -> Read {
    let (found, edits) = find(&copy.text);
    let copy = if edits.is_empty() { copy } else { copy.edited(&edits) };
    let shift = Shift::of(&edits);
    let mut read = Read::default();
    let mut behind = 0;
    for scanned in found {
        let span = shift.place(scanned.span.start)..shift.place(scanned.span.end);
        read.regions.push(behind..span.start);
        behind = span.end;
        let values = scanned.values.into_iter().map(|value| moved(value, &shift)).collect();
        add(&copy.text, values, &mut read);
    }
    read.regions.push(behind..copy.text.len());
    read.regions.retain(|region| region.start < region.end);
    read.copy = copy;
    read
}

fn moved(value: Value, shift: &Shift) -> Value {
    Value { span: shift.place(value.span.start)..shift.place(value.span.end), ..value }
}

/// The documents of a text and all changes that unescape it.
fn find(text: &str) -> (Vec<Scanned>, Vec<Edit>) {
    let (mut found, mut edits) = (Vec::new(), Vec::new());
    let mut start = 0;
    while start < text.len() {
        let rest = text.as_bytes().get(start..).unwrap_or_default();
        let end = memchr::memchr(b'\n', rest).map_or(text.len(), |at| start + at);
        let candidate = candidate(text, start..end);
        match candidate.map(|at| json::scan(text, at)) {
            Some(Ok(scanned)) => {
                start = scanned.span.end.max(start + 1);
                edits.extend(scanned.edits.iter().cloned());
                found.push(scanned);
            }
            // Where a document breaks off, the search goes on behind what was read, so that all of it stays one pass.
            Some(Err(at)) if at > end => start = next_line(text, at),
            _ => {
                edits.extend(escapes::of_line(text, start, end));
                start = end + 1;
            }
        }
    }
    (found, edits)
}

fn next_line(text: &str, at: usize) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    memchr::memchr(b'\n', rest).map_or(text.len(), |found| at + found + 1)
}

/// Where a document may begin in a line: at its start, or anywhere where the line names what ComfyUI sends.
fn candidate(text: &str, line: Range<usize>) -> Option<usize> {
    let part = text.get(line.clone())?;
    let start = scan::skip(part, 0, " \t");
    if part.get(start..)?.starts_with(['{', '[']) {
        return Some(line.start + start);
    }
    memchr::memchr(b'{', part.as_bytes())?;
    let names = |quote: char| {
        ["execution_error", "exception_message", "node_errors"]
            .iter()
            .any(|name| part.contains(&format!("{quote}{name}{quote}")))
    };
    // Clients print what they receive as JSON or as a Python dictionary.
    ['"', '\'']
        .into_iter()
        .filter(|quote| names(*quote))
        .find_map(|quote| Some(line.start + part.find(&format!("{{{quote}"))?))
}

fn add(text: &str, values: Vec<Value>, read: &mut Read) {
    let kind = kind(&values);
    let mut told: Vec<Range<usize>> = Vec::new();
    let replied = if kind == "json" { reply(text, &values) } else { None };
    for failure in errors(text, &values).into_iter().chain(refusal(text, &values)).chain(replied) {
        told.push(failure.span.clone());
        read.failures.push(failure);
    }
    if !matches!(kind, "workflow" | "prompt") {
        let outside = |span: &Range<usize>| told.iter().all(|told| span.end <= told.start || span.start >= told.end);
        let texts = values.iter().filter(|value| value.text).map(|value| value.span.clone());
        read.regions.extend(texts.filter(|span| outside(span) && text.get(span.clone()).is_some_and(telling)));
    }
    let scalars = values.into_iter().map(|value| Scalar {
        value: text.get(value.span.clone()).unwrap_or("").to_owned(),
        path: value.path,
        span: value.span,
    });
    read.documents.push(Document { kind, scalars: scalars.collect() });
}

/// Whether a text within a document may hold a failure.
fn telling(text: &str) -> bool {
    text.len() > 16
        && ["rror", "xception", "Traceback", "Killed", "ailed to validate"].iter().any(|word| text.contains(word))
}

fn kind(values: &[Value]) -> &'static str {
    let any = |test: &dyn Fn(&str) -> bool| values.iter().any(|value| test(&value.path));
    if any(&|path| path.ends_with("status_str") || path.contains("status.messages[")) {
        "history"
    } else if any(&|path| last_key(path) == "exception_message") {
        "execution-error"
    } else if any(&|path| path.starts_with("system.")) && any(&|path| path.starts_with("devices[")) {
        "system-stats"
    } else if any(&|path| path.starts_with("nodes[") && path.ends_with(".type")) {
        "workflow"
    } else if any(&|path| path.split_once('.').is_some_and(|(_, rest)| rest == "class_type"))
        || any(&|path| path.starts_with("prompt.") && path.ends_with(".class_type"))
    {
        "prompt"
    } else {
        "json"
    }
}

fn last_key(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// The failures that `execution_error` objects name.
fn errors(text: &str, values: &[Value]) -> Vec<Failure> {
    let messages = values.iter().filter(|value| last_key(&value.path) == "exception_message");
    messages.take(MOST_ERRORS).filter_map(|message| error(text, values, message)).collect()
}

fn error(text: &str, values: &[Value], message: &Value) -> Option<Failure> {
    let object = message.path.strip_suffix("exception_message")?;
    let under = |value: &Value, name: &str| value.path.strip_prefix(object).is_some_and(|rest| rest.starts_with(name));
    let error_type =
        values.iter().find(|value| under(value, "exception_type")).and_then(|value| trimmed(text, &value.span));
    let trace: Vec<_> = values
        .iter()
        .filter(|value| under(value, "traceback["))
        .filter_map(|value| trimmed(text, &value.span))
        .collect();
    let said = without_type(text, trimmed(text, &message.span), error_type.as_ref());
    let all = || said.iter().chain(&error_type).chain(&trace);
    let span = all().map(|range| range.start).min()?..all().map(|range| range.end).max()?;
    let raised = Raised { error_type, message: said.into_iter().collect(), trace };
    Some(Failure { form: Form::Report, span, chain: vec![raised] })
}

fn without_type(text: &str, message: Option<Range<usize>>, error_type: Option<&Range<usize>>) -> Option<Range<usize>> {
    let range = message?;
    let name = error_type.and_then(|name| text.get(name.clone()));
    let rest =
        name.and_then(|name| text.get(range.clone())?.strip_prefix(name)?.strip_prefix(':')).map(str::trim_start);
    let start = rest.map_or(range.start, |rest| range.end - rest.len());
    (start < range.end).then_some(start..range.end)
}

fn trimmed(text: &str, span: &Range<usize>) -> Option<Range<usize>> {
    let part = text.get(span.clone())?;
    let start = span.start + (part.len() - part.trim_start_matches('\n').len());
    let end = span.start + part.trim_end().len();
    (start < end).then_some(start..end)
}

/// What a program answers or logs when something failed: a message, beside a code or a level that says so. A message with
/// a type or a stack is found by its form.
fn reply(text: &str, values: &[Value]) -> Option<Failure> {
    let value = |value: &Value| text.get(value.span.clone()).unwrap_or("");
    let says = |said: &Value| {
        let key = last_key(&said.path);
        let level = matches!(key, "level" | "levelname" | "severity" | "type") && is_error(value(said));
        let code = matches!(key, "code" | "status" | "status_code" | "statusCode") && is_error(value(said));
        level || code || matches!(key, "traceback" | "exception" | "exc_info")
    };
    let object = values.iter().find(|value| says(value)).map(|value| parent(&value.path))?;
    let named = |value: &&Value| {
        value.text
            && parent(&value.path) == object
            && matches!(last_key(&value.path), "message" | "msg" | "detail" | "error")
    };
    let message = values.iter().find(named)?;
    let said = value(message);
    let typed = said.lines().any(|line| types::sure(line).is_some()) || said.contains("Traceback (most");
    if typed || !lead::complains(said) {
        return None;
    }
    let span = trimmed(text, &message.span)?;
    Some(Failure {
        form: Form::Line,
        span: span.clone(),
        chain: vec![Raised { message: vec![span], ..Raised::default() }],
    })
}

/// The path of the object that a value belongs to.
fn parent(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(parent, _)| parent)
}

/// `error`, `HTTP_500`, `503`.
fn is_error(value: &str) -> bool {
    let figures = value.rsplit(|c: char| !c.is_ascii_digit()).next().unwrap_or("");
    let failed = figures.len() == 3 && figures.starts_with(['4', '5']);
    failed
        || ["error", "fatal", "critical", "exception"]
            .iter()
            .any(|word| scan::find_ignoring_case(value, word).is_some())
}

/// What the server answers when it refuses a workflow: `error`, and `node_errors` for each node.
fn refusal(text: &str, values: &[Value]) -> Option<Failure> {
    let refused = values.iter().any(|value| value.path.starts_with("node_errors.") || value.path == "error.extra_info");
    if !refused || !values.iter().any(|value| value.path == "error.type") {
        return None;
    }
    let speaks = |value: &&Value| {
        let said = matches!(last_key(&value.path), "message" | "details");
        said && (value.path.starts_with("error.") || value.path.contains(".errors["))
    };
    let message: Vec<_> = values.iter().filter(speaks).filter_map(|value| trimmed(text, &value.span)).collect();
    let span = message.first()?.start..message.last()?.end;
    Some(Failure { form: Form::Validation, span, chain: vec![Raised { message, ..Raised::default() }] })
}
