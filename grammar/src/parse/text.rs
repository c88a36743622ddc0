//! Texts in quotes: escapes, and blocks over lines.

use super::cx::{Cx, span};
use super::syntax::{Node, Nodes, Rule};
use crate::ast::{Quoted, Text};
use crate::codes;
use crate::source::{Span, Spanned};

/// A line of a quoted text: its place in the source, and its characters with escapes as written.
pub(super) type RawLine<'a> = (usize, &'a str);

/// Reads `"…"` or `"""…"""`.
pub(super) fn quoted(cx: &mut Cx<'_>, raw: &str, place: Span) -> Spanned<Quoted> {
    let (block, lines) = raw_lines(raw, place.start as usize);
    let mut value = String::with_capacity(raw.len());
    for (index, (at, line)) in lines.iter().enumerate() {
        if index > 0 {
            value.push('\n');
        }
        unescape(cx, line, *at, &mut value);
    }
    Spanned::new(Quoted { value, block }, place)
}

/// Reads a text with its translations.
pub(super) fn text(cx: &mut Cx<'_>, node: Node<'_>) -> Option<Text> {
    let mut parts = Nodes::of(node);
    let base = string(cx, &parts.one(Rule::string)?);
    let mut translations = Vec::new();
    while let Some(language) = parts.one(Rule::language) {
        let translated = string(cx, &parts.one(Rule::string)?);
        translations.push((cx.name(&language), translated));
    }
    Some(Text { base, translations })
}

/// Reads a node that is a quoted text.
pub(super) fn string(cx: &mut Cx<'_>, node: &Node<'_>) -> Spanned<Quoted> {
    quoted(cx, node.as_str(), cx.span(node))
}

/// The lines between the quotes, those of a block without what they are all indented by.
pub(super) fn raw_lines(raw: &str, at: usize) -> (bool, Vec<RawLine<'_>>) {
    let block = raw.strip_prefix("\"\"\"").and_then(|it| it.strip_suffix("\"\"\""));
    match block {
        Some(body) => (true, block_lines(body, at + 3)),
        None => (false, vec![(at + 1, raw.strip_prefix('"').and_then(|it| it.strip_suffix('"')).unwrap_or(raw))]),
    }
}

fn block_lines(body: &str, at: usize) -> Vec<RawLine<'_>> {
    let mut lines = Vec::new();
    let mut start = at;
    for line in body.split('\n') {
        lines.push((start, line.trim_end()));
        start += line.len() + 1;
    }
    // What stands on the line of the opening quotes is not indented by layout.
    let opening = if lines.is_empty() { (at, "") } else { lines.remove(0) };
    if lines.last().is_some_and(|(_, line)| line.is_empty()) {
        lines.pop();
    }
    dedent(&mut lines);
    let opened = opening.1.trim_start();
    if !opened.is_empty() {
        lines.insert(0, (opening.0 + opening.1.len() - opened.len(), opened));
    }
    lines
}

/// Takes the white space off that all lines begin with.
fn dedent(lines: &mut [RawLine<'_>]) {
    let mut common: Option<&str> = None;
    for (_, line) in lines.iter().filter(|(_, line)| !line.is_empty()) {
        let indent = line.get(..line.len() - line.trim_start().len()).unwrap_or("");
        let shared = common.map_or(indent.len(), |it| shared_len(it, indent));
        common = indent.get(..shared);
    }
    let width = common.map_or(0, str::len);
    for (at, line) in lines {
        if let Some(rest) = line.get(width..) {
            *at += width;
            *line = rest;
        }
    }
}

fn shared_len(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(x, y)| x == y).map(|(x, _)| x.len_utf8()).sum()
}

/// Resolves the escapes of a line that begins at `at` in the source, and adds it to `value`.
pub(super) fn unescape(cx: &mut Cx<'_>, line: &str, at: usize, value: &mut String) {
    let mut rest = line;
    while let Some(found) = rest.find('\\') {
        value.push_str(rest.get(..found).unwrap_or(""));
        let escape = rest.get(found..).unwrap_or("");
        let place = at + line.len() - escape.len();
        rest = unescape_one(cx, escape, place, value);
    }
    value.push_str(rest);
}

/// Resolves the escape that `text` begins with; returns what stands behind it.
pub(super) fn unescape_one<'t>(cx: &mut Cx<'_>, text: &'t str, at: usize, value: &mut String) -> &'t str {
    let behind = text.strip_prefix('\\').unwrap_or(text);
    if let Some(rest) = behind.strip_prefix(['"', '\\']) {
        value.extend(behind.chars().next());
        return rest;
    }
    let Some(code) = behind.strip_prefix("u{") else {
        value.push('\\');
        return behind;
    };
    let (digits, rest) = code.split_once('}').unwrap_or((code, ""));
    let character = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
    match character.filter(|_| code.contains('}') && !digits.starts_with('+')) {
        Some(character) => value.push(character),
        None => {
            let place = span(at, at + text.len() - rest.len());
            let found = cx
                .error(codes::ESCAPE, "`\\u{…}` names no character", place)
                .help("write its number in hexadecimal, such as `\\u{e9}`, or `\\\\u` for a backslash and `u`");
            cx.report(found);
        }
    }
    rest
}
