//! The user's own line, with the matched part pointed at.

use super::layout::{char_width, spaces};
use super::markup::is_hidden;
use crate::evidence::Place;

/// A line of the input as it can be shown, and the line below that points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Quote {
    /// What can be shown of the line.
    pub(crate) line: String,
    /// Spaces and `^`, one per column.
    pub(crate) pointer: String,
    /// Lines that the place goes on for below this one.
    pub(crate) more_lines: usize,
}

/// Quotes the first line of a place within so many columns: cut at the sides if it is longer, the place always in view.
pub(crate) fn quote(place: &Place, columns: usize) -> Quote {
    let shown = visible(&place.line_text);
    let first = place.column.saturating_sub(1);
    let behind = first + place.length.max(1);
    let marked = |&(at, _): &(usize, char)| at >= first && at < behind;
    // Leading white space of the line says nothing and costs room.
    let indent = shown.iter().take_while(|item| item.1 == ' ' && !marked(item)).count();
    let shown: Vec<_> = shown.into_iter().skip(indent).map(|item| (item.1, marked(&item))).collect();
    let (line, pointer) = crop(&shown, columns);
    Quote { line, pointer, more_lines: place.text.trim_end().matches('\n').count() }
}

/// The characters of a line that can be shown, each with its place in the line as given. Colours and other escapes are
/// left out, tabs become spaces.
fn visible(line: &str) -> Vec<(usize, char)> {
    let mut shown = Vec::new();
    let mut chars = line.chars().enumerate().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '\t' => shown.push((at, ' ')),
            '\u{1b}' if chars.next_if(|&(_, next)| next == '[').is_some() => {
                while chars.next_if(|&(_, next)| !('@'..='~').contains(&next)).is_some() {}
                chars.next();
            }
            _ if is_hidden(c) => {}
            _ => shown.push((at, c)),
        }
    }
    shown
}

fn crop(shown: &[(char, bool)], columns: usize) -> (String, String) {
    let (from, to) = window(shown, columns);
    let mut line = String::new();
    let mut pointer = String::new();
    let mut put = |c: char, marked: bool| {
        line.push(c);
        let sign = if marked { "^" } else { " " };
        pointer.push_str(&sign.repeat(char_width(c)));
    };
    if from > 0 {
        put('…', false);
    }
    for &(c, marked) in shown.get(from..to).unwrap_or(&[]) {
        put(c, marked);
    }
    if to < shown.len() {
        put('…', false);
    }
    let pointer = pointer.trim_end().to_owned();
    (line.trim_end().to_owned(), pointer)
}

/// Which characters are shown: all if they fit, else a run that holds the marked part and as much as fits around it.
fn window(shown: &[(char, bool)], columns: usize) -> (usize, usize) {
    let columns_of = |items: &[(char, bool)]| items.iter().map(|item| char_width(item.0)).sum::<usize>();
    if columns_of(shown) <= columns {
        return (0, shown.len());
    }
    // Two columns are kept for the dots at the sides.
    let room = columns.saturating_sub(2).max(1);
    let first = shown.iter().position(|item| item.1).unwrap_or(0);
    let behind = shown.iter().rposition(|item| item.1).map_or(first, |at| at + 1);
    let fitting = |items: &mut dyn Iterator<Item = &(char, bool)>, mut left: usize| {
        items.take_while(|item| take(&mut left, char_width(item.0))).count()
    };
    let around = |from: usize, to: usize| shown.get(from..to).unwrap_or(&[]);
    // A third of what is free stands before the place, and what the end of the line leaves over.
    let free = room.saturating_sub(columns_of(around(first, behind)));
    let after = columns_of(around(behind, shown.len())).min(free - free / 3);
    let from = first - fitting(&mut around(0, first).iter().rev(), free - after);
    let to = from + fitting(&mut around(from, shown.len()).iter(), room);
    (from, to)
}

/// Takes columns from what is left, if there are enough.
fn take(left: &mut usize, columns: usize) -> bool {
    let enough = *left >= columns;
    *left = if enough { *left - columns } else { 0 };
    enough
}

/// What a place is called: `paste.txt:41`.
pub(crate) fn name(place: &Place) -> String {
    format!("{}:{}:{}", place.input, place.line, place.column)
}

/// A quotation under a margin, as two lines; the pointer is left out when there is nothing to point at.
pub(crate) fn margin(depth: usize) -> String {
    format!("{}│ ", spaces(depth))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: &str, column: usize, text: &str) -> Place {
        Place {
            input_index: 0,
            line: 1,
            column,
            length: text.chars().count(),
            text: text.to_owned(),
            input: "-".into(),
            line_text: line.to_owned(),
        }
    }

    #[test]
    fn the_pointer_stands_below_what_matched() {
        let quoted = quote(&place("  Error: out of memory", 10, "out of"), 40);
        assert_eq!(quoted.line, "Error: out of memory");
        assert_eq!(quoted.pointer, "       ^^^^^^");
    }

    #[test]
    fn wide_characters_are_pointed_at_with_two_signs() {
        let quoted = quote(&place("错误: 显存不足", 5, "显存"), 40);
        assert_eq!(quoted.pointer, "      ^^^^");
    }

    #[test]
    fn a_long_line_is_cut_around_the_match() {
        let line = format!("{}HERE{}", "a".repeat(100), "b".repeat(100));
        let quoted = quote(&place(&line, 101, "HERE"), 30);
        assert_eq!(quoted.line, "…aaaaaaaaHEREbbbbbbbbbbbbbbbb…");
        assert_eq!(quoted.pointer, "         ^^^^");
        let quoted = quote(&place(&line.replace('b', ""), 101, "HERE"), 30);
        assert_eq!(quoted.line, format!("…{}HERE", "a".repeat(24)));
        let quoted = quote(&place(&line, 1, &line), 30);
        assert_eq!(quoted.line.chars().count(), 29);
    }

    #[test]
    fn colours_and_line_ends_are_not_shown() {
        let quoted = quote(&place("\u{1b}[31mError\u{1b}[0m: full", 6, "Error"), 40);
        assert_eq!((quoted.line.as_str(), quoted.pointer.as_str()), ("Error: full", "^^^^^"));
        assert_eq!(quote(&place("one", 1, "one\ntwo\nthree"), 40).more_lines, 2);
    }
}
