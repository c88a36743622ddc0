//! The Error Details of a ComfyUI error report, with its Stack Trace.

use std::ops::Range;

use rulecheck::evidence::{Failure, Form, Raised};

use crate::anchors::Marks;
use crate::failures::{Found, frames, message, record, traceback, types};
use crate::lines::Lines;
use crate::scan::{ascii_lower_starts, skip};

/// A field of the Error Details.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Node,
    Type,
    Message,
}

const FIELDS: [(&str, Field); 4] = [
    ("exception type", Field::Type),
    ("exception message", Field::Message),
    ("node type", Field::Node),
    ("node id", Field::Node),
];

const SECTIONS: [&str; 8] = [
    "stack trace",
    "system information",
    "devices",
    "logs",
    "attached workflow",
    "additional context",
    "comfyui error report",
    "error details",
];

/// How far the details may be from their heading.
const LONGEST: usize = 400;

/// Reads the report whose heading or first field stands in line `first`.
pub(crate) fn read(lines: &Lines<'_>, first: usize) -> Option<Found> {
    let mut details = Details::default();
    let mut index = if section(lines.text(first)) == Some("error details") { first + 1 } else { first };
    while index < lines.len().min(first + LONGEST) && details.take(lines, index) {
        index += 1;
    }
    let raised = details.finish(lines)?;
    let (trace, next) = stack(lines, index);
    let chain = vec![Raised { trace, ..raised }];
    Some(Found { failure: Failure { form: Form::Report, span: lines.range(first..next)?, chain }, next })
}

/// What the details say so far.
#[derive(Debug, Default)]
struct Details {
    error_type: Option<Range<usize>>,
    /// Where the message begins, and the last line that is not blank.
    message: Option<(usize, usize, usize)>,
    fields: usize,
    /// The type and the message have been named, if only as not applicable.
    named: (bool, bool),
}

impl Details {
    /// Whether line `index` belongs to the details.
    fn take(&mut self, lines: &Lines<'_>, index: usize) -> bool {
        let text = lines.text(index);
        let stack = frames::frame(lines, index).is_some() || frames::header(lines, index);
        if stack || section(text).is_some() || text.starts_with("## ") {
            return false;
        }
        if let Some((field, from)) = self.named_field(text) {
            return self.set(lines, index, field, from);
        }
        if lines.blank(index) {
            return true;
        }
        if lines.stamped(index) || (record::starts(lines, index) && lines.sure(index).is_none()) {
            return false;
        }
        if self.type_goes_on(lines, index) {
            return true;
        }
        // Where the field's name was cut off the message stands behind the node.
        let (_, _, last) = self.message.get_or_insert((index, 0, index));
        *last = index;
        self.fields > 0
    }

    /// A long type may be wrapped; its range then holds a line end.
    fn type_goes_on(&mut self, lines: &Lines<'_>, index: usize) -> bool {
        let text = lines.text(index);
        let word = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'));
        let Some(name) = self.error_type.as_mut().filter(|_| word && self.message.is_none()) else { return false };
        let Some(part) = lines.part(index, 0..text.len()).filter(|part| part.start == name.end + 1) else {
            return false;
        };
        name.end = part.end;
        true
    }

    /// A field by its name, or, in a translated report, by its value and its place.
    fn named_field(&self, text: &str) -> Option<(Field, usize)> {
        let by_value = || foreign_field(text).filter(|_| self.error_type.is_none()).map(|from| (Field::Type, from));
        let behind = self.error_type.is_some() && self.message.is_none();
        let by_place = || any_field(text).filter(|_| behind).map(|from| (Field::Message, from));
        field(text).or_else(by_value).or_else(by_place)
    }

    /// Takes a field; one that comes a second time belongs to another report.
    fn set(&mut self, lines: &Lines<'_>, index: usize, field: Field, from: usize) -> bool {
        if self.names_again(field) {
            return false;
        }
        self.fields += 1;
        match field {
            Field::Type if self.error_type.is_none() => self.error_type = value(lines, index, from),
            Field::Message if self.message.is_none() => self.message = Some((index, from, index)),
            _ => {}
        }
        true
    }

    fn names_again(&mut self, field: Field) -> bool {
        match field {
            Field::Node => false,
            Field::Type => std::mem::replace(&mut self.named.0, true),
            Field::Message => std::mem::replace(&mut self.named.1, true),
        }
    }

    fn finish(self, lines: &Lines<'_>) -> Option<Raised> {
        let message = self.message.and_then(|(first, from, last)| message::range(lines, first, from, last));
        let message = message.filter(|range| lines.slice(range) != "N/A");
        if self.fields == 0 || (self.error_type.is_none() && message.is_none()) {
            return None;
        }
        Some(without_type(lines, self.error_type, message))
    }
}

/// The error card writes `Type: message` where the dialog writes the message alone.
fn without_type(lines: &Lines<'_>, error_type: Option<Range<usize>>, message: Option<Range<usize>>) -> Raised {
    let text = message.as_ref().map_or("", |range| lines.slice(range));
    let start = message.as_ref().map_or(0, |range| range.start);
    let named = error_type.as_ref().map(|name| lines.slice(name));
    let repeated = named
        .and_then(|name| text.strip_prefix(name)?.strip_prefix(':'))
        .map(|rest| text.len() - rest.trim_start().len());
    let line = if error_type.is_none() { types::sure(text) } else { None };
    let own = line.as_ref().map(|line| start + line.name.start..start + line.name.end);
    let from = repeated.or(line.map(|line| line.message)).unwrap_or(0);
    let message = message.map(|range| start + from..range.end).filter(|range| range.start < range.end);
    Raised { error_type: error_type.or(own), message: message.into_iter().collect(), trace: Vec::new() }
}

fn value(lines: &Lines<'_>, index: usize, from: usize) -> Option<Range<usize>> {
    let text = lines.text(index);
    let to = text.trim_end_matches(['*', '`', ' ']).len().max(from);
    let start = skip(text, from, " `");
    lines.part(index, start.min(to)..to).filter(|range| lines.slice(range) != "N/A")
}

/// The frames behind the details, and the line behind them.
fn stack(lines: &Lines<'_>, index: usize) -> (Vec<Range<usize>>, usize) {
    let headed = section(lines.text(index)) == Some("stack trace");
    let Some(first) = lines.skip_blank(if headed { index + 1 } else { index }, 4) else {
        return (Vec::new(), index.min(lines.len()));
    };
    if !frames::header(lines, first) && frames::frame(lines, first).is_none() {
        return (Vec::new(), if headed { index + 1 } else { index });
    }
    match traceback::read(lines, first) {
        Some(found) => (found.raised.into_iter().flat_map(|raised| raised.trace).collect(), found.next),
        None => (Vec::new(), first),
    }
}

/// `## Stack Trace`, or `Stack Trace` as copied from a page.
fn section(text: &str) -> Option<&'static str> {
    let marked = text.trim_start().starts_with('#');
    let title = text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '#' | '*' | ':'));
    let found = SECTIONS.iter().find(|section| ascii_lower_starts(title, section))?;
    (marked || title.len() == found.len()).then_some(*found)
}

/// `- **Exception Type:** RuntimeError`, with or without the marks of Markdown: which field, and where its value begins.
fn field(text: &str) -> Option<(Field, usize)> {
    let start = text.len() - text.trim_start_matches([' ', '\t', '-', '*', '•', '·', '#']).len();
    let rest = text.get(start..)?;
    let (name, field) = FIELDS.iter().find(|(name, _)| ascii_lower_starts(rest, name))?;
    let colon = rest.get(name.len()..)?.trim_start_matches(['*', ' ']).strip_prefix(':')?;
    Some((*field, text.len() - colon.trim_start_matches(['*', ' ']).len()))
}

/// A field whose name was translated: `- **异常类型:** RuntimeError`. Its value shows that it is the type.
fn foreign_field(text: &str) -> Option<usize> {
    let label = text.trim_start().strip_prefix("- **")?;
    let value = label.split_once("**").map(|(_, value)| value.trim_start_matches([':', ' ']))?;
    let line = types::sure(value)?;
    (line.name.start == 0 && line.name.end == value.trim_end().len()).then_some(text.len() - value.len())
}

/// The value of a field of any name.
fn any_field(text: &str) -> Option<usize> {
    let (_, value) = text.trim_start().strip_prefix("- **")?.split_once("**")?;
    Some(text.len() - value.trim_start_matches([':', ' ']).len())
}

/// Whether the line is the heading of the details or one of the fields that say what failed.
pub(crate) fn begins(lines: &Lines<'_>, index: usize) -> bool {
    let text = lines.text(index);
    if !lines.has(index, Marks::REPORT) {
        return foreign_field(text).is_some();
    }
    section(text) == Some("error details") || matches!(field(text), Some((Field::Type | Field::Message, _)))
}
