//! Lines that fit: wrapping by columns, where wide characters take two.

use unicode_width::UnicodeWidthChar;

use super::markup::{Markup, Tone};

/// The columns a text takes.
pub(crate) fn width(text: &str) -> usize {
    text.chars().map(char_width).sum()
}

/// The columns a character takes.
pub(crate) fn char_width(c: char) -> usize {
    c.width().unwrap_or(0)
}

/// A text of spaces.
pub(crate) fn spaces(columns: usize) -> String {
    " ".repeat(columns)
}

/// Adds a paragraph: `first` stands before its first line, `rest` before the others; both are not part of the tone.
pub(crate) fn paragraph(out: &mut Markup, first: (Tone, &str), rest: &str, body: (Tone, &str), columns: usize) {
    let room = columns.saturating_sub(width(first.1).max(width(rest))).max(MIN_ROOM);
    for (index, line) in wrap(body.1, room).iter().enumerate() {
        if index == 0 {
            out.push(first.0, first.1);
        } else {
            out.push(Tone::Plain, rest);
        }
        out.push(body.0, line);
        out.end_line();
    }
}

/// A paragraph never gets narrower than this, whatever stands before it.
const MIN_ROOM: usize = 24;

/// Breaks a text into lines of at most `room` columns; at least one. Line ends in it are kept. Between words, and
/// beside wide characters, which have no spaces; a longer word is cut, unless it is an address.
pub(crate) fn wrap(text: &str, room: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text.trim_end().split('\n') {
        wrap_line(line.trim_end(), room, &mut lines);
    }
    lines
}

fn wrap_line(text: &str, room: usize, lines: &mut Vec<String>) {
    let mut line = String::new();
    let mut used = 0;
    for piece in pieces(text) {
        let columns = width(piece.trim_end());
        if used > 0 && used + columns > room {
            lines.push(std::mem::take(&mut line).trim_end().to_owned());
            used = 0;
        }
        if columns > room && !piece.contains("://") {
            used = cut(piece, room, &mut line, lines);
        } else {
            line.push_str(piece);
            used += width(piece);
        }
    }
    lines.push(line.trim_end().to_owned());
}

/// Cuts a piece that is longer than a line; what is left of it begins the next. Returns the columns used there.
fn cut(piece: &str, room: usize, line: &mut String, lines: &mut Vec<String>) -> usize {
    let mut used = 0;
    for c in piece.chars() {
        if used > 0 && used + char_width(c) > room {
            lines.push(std::mem::take(line));
            used = 0;
        }
        line.push(c);
        used += char_width(c);
    }
    used
}

/// The text in pieces between which a line may end.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut before: Option<char> = None;
    for (at, c) in text.char_indices() {
        if before.is_some_and(|before| may_break(before, c)) {
            pieces.extend(text.get(start..at));
            start = at;
        }
        before = Some(c);
    }
    pieces.extend(text.get(start..));
    pieces
}

fn may_break(before: char, behind: char) -> bool {
    if behind == ' ' {
        return false;
    }
    before == ' ' || ((is_wide(before) || is_wide(behind)) && !closes(behind) && !opens(before))
}

fn is_wide(c: char) -> bool {
    char_width(c) == 2
}

/// Signs that do not begin a line.
fn closes(c: char) -> bool {
    matches!(
        c,
        '，' | '。'
            | '、'
            | '；'
            | '：'
            | '？'
            | '！'
            | '）'
            | '》'
            | '」'
            | '』'
            | '】'
            | '”'
            | '’'
            | '…'
            | ','
            | '.'
            | ';'
            | ':'
            | '?'
            | '!'
            | ')'
            | ']'
            | '%'
    )
}

/// Signs that do not end a line.
fn opens(c: char) -> bool {
    matches!(c, '（' | '《' | '「' | '『' | '【' | '“' | '‘' | '(' | '[')
}

/// A text on one line, shortened to so many columns.
pub(crate) fn shorten(text: &str, columns: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if width(&line) <= columns {
        return line;
    }
    let mut used = 0;
    let keep = |c: &char| {
        used += char_width(*c);
        used < columns
    };
    let mut short: String = line.chars().take_while(keep).collect();
    short.truncate(short.trim_end().len());
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(wrap("显存不足，请降低分辨率", 10), ["显存不足，", "请降低分辨", "率"]);
        assert_eq!(wrap("用 --cpu-vae 解码", 12), ["用 --cpu-vae", "解码"]);
        assert!(wrap("显存不足，请降低分辨率", 9).iter().all(|line| width(line) <= 9));
    }

    #[test]
    fn words_stay_whole_and_addresses_uncut() {
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("see https://example.org/long", 10), ["see", "https://example.org/long"]);
        assert_eq!(wrap("abcdefghijkl", 5), ["abcde", "fghij", "kl"]);
        assert_eq!(wrap("a\n\nb", 5), ["a", "", "b"]);
        assert_eq!(wrap("", 5), [""]);
    }

    #[test]
    fn what_is_shortened_says_so() {
        assert_eq!(shorten("a  b\nc", 10), "a b c");
        assert_eq!(shorten("显存不足不足", 7), "显存不…");
    }
}
