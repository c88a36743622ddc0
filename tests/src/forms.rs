//! The ways in which a paste gets damaged on its way: each makes of a text the one that would have been pasted.

use std::fmt::Write as _;

/// A way of damaging a text.
pub struct Form {
    /// What was done to it.
    pub name: &'static str,
    /// The bytes that are pasted in the end.
    pub apply: fn(&str) -> Vec<u8>,
}

/// All forms that the suite knows.
pub const FORMS: [Form; 21] = [
    Form { name: "as given", apply: |text| text.as_bytes().to_vec() },
    Form { name: "cut at 60", apply: |text| cut(text, 60).into_bytes() },
    Form { name: "cut at 72", apply: |text| cut(text, 72).into_bytes() },
    Form { name: "cut at 80", apply: |text| cut(text, 80).into_bytes() },
    Form { name: "cut at 100", apply: |text| cut(text, 100).into_bytes() },
    Form { name: "cut at 120", apply: |text| cut(text, 120).into_bytes() },
    Form { name: "words to 60", apply: |text| fold(text, 60).into_bytes() },
    Form { name: "words to 72", apply: |text| fold(text, 72).into_bytes() },
    Form { name: "words to 80", apply: |text| fold(text, 80).into_bytes() },
    Form { name: "words to 100", apply: |text| fold(text, 100).into_bytes() },
    Form { name: "words to 120", apply: |text| fold(text, 120).into_bytes() },
    Form { name: "lower case", apply: |text| text.to_lowercase().into_bytes() },
    Form { name: "indented", apply: |text| before_lines(text, "    ").into_bytes() },
    Form { name: "quoted", apply: |text| before_lines(text, "> ").into_bytes() },
    Form { name: "docker", apply: |text| before_lines(text, "comfyui-1  | ").into_bytes() },
    Form { name: "CRLF", apply: |text| text.replace('\n', "\r\n").into_bytes() },
    Form { name: "UTF-16", apply: |text| utf16(text, true) },
    Form { name: "UTF-16, no mark", apply: |text| utf16(text, false) },
    Form { name: "full width", apply: |text| full_width(text).into_bytes() },
    Form { name: "one line", apply: |text| text.replace('\n', " ").into_bytes() },
    Form { name: "HTML", apply: |text| html(text).into_bytes() },
];

/// Cut after so many characters, as a terminal does.
fn cut(text: &str, width: usize) -> String {
    let mut out = String::new();
    for line in text.split('\n') {
        for (at, symbol) in line.chars().enumerate() {
            if at > 0 && at % width == 0 {
                out.push('\n');
            }
            out.push(symbol);
        }
        out.push('\n');
    }
    out
}

/// Broken between words, as `fold -s` and editors do.
fn fold(text: &str, width: usize) -> String {
    let mut out = String::new();
    for line in text.split('\n') {
        let mut used = 0;
        for word in line.split_inclusive(' ') {
            let len = word.chars().count();
            if used > 0 && used + word.trim_end().chars().count() > width {
                out.truncate(out.trim_end_matches(' ').len());
                out.push('\n');
                used = 0;
            }
            used += len;
            out.push_str(word);
        }
        out.push('\n');
    }
    out
}

fn before_lines(text: &str, prefix: &str) -> String {
    text.split('\n').fold(String::new(), |mut out, line| {
        let _ = writeln!(out, "{prefix}{line}");
        out
    })
}

/// With or without a byte order mark.
fn utf16(text: &str, mark: bool) -> Vec<u8> {
    let mark = mark.then_some(0xfeff_u16);
    mark.into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

/// As an input method for Chinese writes signs.
fn full_width(text: &str) -> String {
    let wide = |symbol| match symbol {
        ':' => '：',
        '(' => '（',
        ')' => '）',
        ',' => '，',
        other => other,
    };
    text.chars().map(wide).collect()
}

fn html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\n', "<br>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_and_folded_at_their_width() {
        assert_eq!(cut("abcdefg\nh", 3), "abc\ndef\ng\nh\n");
        assert_eq!(fold("ab cde f\ng", 6), "ab cde\nf\ng\n");
        assert_eq!(utf16("a", true), [0xff, 0xfe, b'a', 0]);
    }
}
