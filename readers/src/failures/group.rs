//! Exception groups: a traceback drawn as a tree.

use rulecheck::evidence::Raised;

use crate::anchors::Marks;
use crate::failures::types;
use crate::lines::Lines;

/// Whether the traceback at `index` is one of a group.
pub(crate) fn begins(lines: &Lines<'_>, index: usize) -> bool {
    lines.has(index, Marks::HEADER) && lines.text(index).contains("Exception Group Traceback")
}

/// The exceptions of a group and the line behind it: those it holds, in the order printed, and the group itself last,
/// since that is what was raised in the end.
pub(crate) fn read(lines: &Lines<'_>, first: usize) -> (Vec<Raised>, usize) {
    let mut found: Vec<Raised> = Vec::new();
    let mut current = Raised::default();
    let mut index = first + 1;
    while let Some(gutter) = gutter(lines.text(index)).filter(|_| index < lines.len()) {
        let text = lines.text(index);
        let inner = text.get(gutter..).unwrap_or("");
        if text.trim_start().starts_with('+') {
            close(&mut found, &mut current);
        } else if lines.has(index, Marks::FRAME) || (inner.starts_with("  ") && current.error_type.is_none()) {
            current.trace.extend(lines.part(index, gutter..text.len()));
        } else if let Some(line) = types::likely(inner).filter(|_| current.error_type.is_none()) {
            current.error_type = lines.part(index, gutter + line.name.start..gutter + line.name.end);
            current.message.extend(lines.part(index, gutter + line.message..text.len()));
        } else if current.error_type.is_some() {
            current.message.extend(lines.part(index, gutter..text.len()));
        }
        index += 1;
    }
    close(&mut found, &mut current);
    if !found.is_empty() {
        found.rotate_left(1);
    }
    (found, index)
}

fn close(found: &mut Vec<Raised>, current: &mut Raised) {
    let raised = std::mem::take(current);
    if raised.error_type.is_some() || !raised.trace.is_empty() {
        found.push(raised);
    }
}

/// Where the text begins behind the lines of the tree.
fn gutter(text: &str) -> Option<usize> {
    let start = text.len() - text.trim_start().len();
    let rest = text.get(start..)?;
    let bar = rest.strip_prefix('|').or_else(|| rest.strip_prefix('+'))?;
    Some(text.len() - bar.strip_prefix(' ').unwrap_or(bar).len())
}
