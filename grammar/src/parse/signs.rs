//! Signs that other keyboards and other languages have for ours: `＝`, `（`, `、`, `≥`.

use super::cx::{Cx, span};
use crate::codes;
use crate::diagnostic::Diagnostic;

/// What a sign that is not ASCII is written as here.
fn ours(sign: char) -> Option<String> {
    let plain = match sign {
        '、' => ",",
        '。' => ".",
        '【' | '〔' | '「' => "[",
        '】' | '〕' | '」' => "]",
        '≥' | '≧' => ">=",
        '≤' | '≦' => "<=",
        '≠' => "!=",
        '×' => "*",
        '÷' => "/",
        '–' | '—' | '−' => "-",
        '…' => "..",
        '→' => "->",
        // The full-width forms stand in the order of ASCII.
        '\u{ff01}'..='\u{ff5e}' => {
            return char::from_u32(u32::from(sign) - 0xfee0).filter(|it| *it != '"').map(String::from);
        }
        _ => return None,
    };
    Some(plain.to_owned())
}

/// What is to be said of a sign at a place that is one of ours in another form; mends all of them up to the end of the
/// line, but those in quotes.
pub(super) fn foreign_sign(cx: &Cx<'_>, at: usize, end: usize) -> Option<Diagnostic> {
    let line = cx.slice(at, end).lines().next()?;
    let sign = line.chars().next()?;
    if matches!(sign, '，' | '、') && !is_in_bracket(cx, at) {
        let found = cx.error(codes::OPERATOR, format!("`{sign}` joins nothing here"), span(at, at + sign.len_utf8()));
        return Some(found.help("write `and` or `or` between conditions, and a `then` before each action"));
    }
    let plain = ours(sign)?;
    let (mut mended, mut used, mut quoted) = (String::new(), 0, false);
    for (offset, it) in line.char_indices() {
        quoted ^= it == '"';
        let other = if quoted { None } else { ours(it) };
        if other.is_some() {
            mended.push_str(line.get(used..offset).unwrap_or(""));
            used = offset + it.len_utf8();
        }
        mended.extend(other);
    }
    let message = format!("`{sign}` is written `{plain}`");
    let found = cx.error(codes::OPERATOR, message, span(at, at + sign.len_utf8()));
    let help = format!("write `{plain}`: the signs of the language are those of an English keyboard");
    Some(found.help(help).edit(cx.id, span(at, at + used), mended))
}

/// Whether a bracket is open on the line before a place.
fn is_in_bracket(cx: &Cx<'_>, at: usize) -> bool {
    let before = cx.slice(0, at);
    let line = before.get(before.rfind('\n').map_or(0, |it| it + 1)..).unwrap_or("");
    line.matches(['[', '(']).count() > line.matches([']', ')']).count()
}
