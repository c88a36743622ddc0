//! Texts in quotes: the inverse of `parse/text.rs`.

use std::fmt::Write as _;

use super::doc::Doc;
use crate::ast::{Quoted, Text};

/// A text with its translations, each of which may begin a line.
pub(super) fn text(text: &Text) -> Doc {
    let mut parts = vec![quoted(&text.base.node)];
    for (language, translation) in &text.translations {
        parts.extend([Doc::Line, Doc::text(format!("{} ", language.node)), quoted(&translation.node)]);
    }
    Doc::group(parts)
}

/// A text as it was written, on one line or as a block.
pub(super) fn quoted(text: &Quoted) -> Doc {
    if !text.block {
        let mut out = String::from("\"");
        escape(&text.value, &mut out);
        out.push('"');
        return Doc::Text(out);
    }
    let mut lines = vec!["\"\"\"".to_owned()];
    if !text.value.is_empty() {
        lines.extend(block_lines(&text.value));
    }
    lines.push("\"\"\"".to_owned());
    Doc::Block(lines)
}

/// Writes a text that stands between `"` and `"`.
pub(super) fn escape(value: &str, out: &mut String) {
    for (at, it) in value.char_indices() {
        let behind = value.get(at + it.len_utf8()..).unwrap_or("");
        match it {
            '"' => out.push_str("\\\""),
            '\\' if needs_escape(behind) || behind.is_empty() => out.push_str("\\\\"),
            '\t' => out.push('\t'),
            _ if it.is_control() => code(it, out),
            _ => out.push(it),
        }
    }
}

/// Whether a backslash before this would be taken for an escape, also because it will be written as one.
fn needs_escape(behind: &str) -> bool {
    let next = behind.chars().next();
    let is_escaped = next.is_some_and(|it| it.is_control() || (it.is_whitespace() && behind.len() == it.len_utf8()));
    is_escaped || behind.starts_with(['"', '\\']) || behind.starts_with("u{")
}

/// `\u{…}`
pub(super) fn code(it: char, out: &mut String) {
    // Writing to a text cannot fail.
    let _ = write!(out, "\\u{{{:x}}}", u32::from(it));
}

fn block_lines(value: &str) -> Vec<String> {
    let mut lines: Vec<String> = value.split('\n').map(block_line).collect();
    let mut filled = lines.iter_mut().filter(|it| !it.is_empty()).peekable();
    if let Some(first) = filled.next() {
        let all_indented =
            first.starts_with(char::is_whitespace) && filled.all(|it| it.starts_with(char::is_whitespace));
        // What all lines begin with would be taken for layout.
        if all_indented && let Some(it) = first.chars().next() {
            let mut line = String::new();
            code(it, &mut line);
            line.push_str(first.get(it.len_utf8()..).unwrap_or(""));
            *first = line;
        }
    }
    lines
}

fn block_line(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    for (at, it) in line.char_indices() {
        let behind = line.get(at + it.len_utf8()..).unwrap_or("");
        match it {
            '"' if behind.starts_with("\"\"") => out.push_str("\\\""),
            '\\' if needs_escape(behind) => out.push_str("\\\\"),
            // White space at a line's end is not kept.
            _ if it.is_whitespace() && behind.is_empty() => code(it, &mut out),
            '\t' => out.push('\t'),
            _ if it.is_control() => code(it, &mut out),
            _ => out.push(it),
        }
    }
    out
}
