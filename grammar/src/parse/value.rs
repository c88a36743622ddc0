//! Values: words, sizes and texts.

use super::cx::{Cx, shown, span};
use super::syntax::{Node, Nodes, Rule};
use super::words::RESERVED;
use super::{mistakes, signs};
use crate::ast::{Operand, Range};
use crate::codes;
use crate::source::{Span, Spanned};

/// The units of sizes.
const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
/// The units of sizes as sold, and the one that is meant almost always.
const SOLD: [(&str, &str); 4] = [("KB", "KiB"), ("MB", "MiB"), ("GB", "GiB"), ("TB", "TiB")];

/// Reads a node that is a value.
pub(super) fn value(cx: &mut Cx<'_>, node: Node<'_>) -> Option<Spanned<Operand>> {
    let place = cx.span(&node);
    let mut parts = Nodes::of(node);
    if let Some(string) = parts.one(Rule::string) {
        return Some(Spanned::new(Operand::Text(super::text::string(cx, &string).node), place));
    }
    let first = parts.one(Rule::word).or_else(|| parts.one(Rule::bound))?;
    let unit = parts.one(Rule::unit);
    let next = unit.as_ref().map(|it| (it.as_str(), cx.span(it)));
    let (operand, _) = word(cx, first.as_str(), cx.span(&first), next)?;
    Some(Spanned::new(operand, place))
}

/// Reads a node that is a range.
pub(super) fn range(cx: &mut Cx<'_>, node: Node<'_>) -> Option<Spanned<Range>> {
    let place = cx.span(&node);
    let mut parts = Nodes::of(node);
    let low = value(cx, parts.one(Rule::limit)?)?;
    parts.one(Rule::dots)?;
    let high = value(cx, parts.one(Rule::limit)?)?;
    Some(Spanned::new(Range { low, high }, place))
}

/// Reads a word, with the unit behind it if it is a number; says how many words were used.
pub(super) fn word(cx: &mut Cx<'_>, text: &str, place: Span, next: Option<(&str, Span)>) -> Option<(Operand, usize)> {
    is_plain(cx, text, place)?;
    let (number, unit) = split_number(text);
    if number.is_empty() {
        return Some((Operand::Word(text.to_owned()), 1));
    }
    let unit_at = place.start as usize + number.len();
    let (unit, unit_place, used) = match next {
        Some((next, next_place)) if unit.is_empty() && is_like_unit(next) => (next, next_place, 2),
        _ => (unit, span(unit_at, unit_at + unit.len()), 1),
    };
    if UNITS.contains(&unit) {
        return Some((Operand::Size(number.to_owned(), unit.to_owned()), used));
    }
    if !is_like_unit(unit) {
        return Some((Operand::Word(text.to_owned()), 1));
    }
    let found = wrong_unit(cx, number, unit, unit_place);
    cx.report(found);
    None
}

/// Reads a size as sold, `24 GB`, from one or two words; as written with one space, and how many words were used.
pub(super) fn sold_size(words: &[&str]) -> Option<(String, usize)> {
    let (number, unit) = split_number(words.first()?);
    if number.is_empty() {
        return None;
    }
    let (unit, used) = if unit.is_empty() { (*words.get(1)?, 2) } else { (unit, 1) };
    let is_unit = UNITS.contains(&unit) || SOLD.iter().any(|(sold, _)| *sold == unit);
    is_unit.then(|| (format!("{number} {unit}"), used))
}

/// A number at the start of a word, and the letters behind it; two empty texts where the word is something else.
fn split_number(text: &str) -> (&str, &str) {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let behind = digits.trim_start_matches(|it: char| it.is_ascii_digit());
    let fraction = behind.strip_prefix('.').map(|it| it.trim_start_matches(|it: char| it.is_ascii_digit()));
    let unit = match fraction {
        Some(rest) if behind.len() - rest.len() > 1 => rest,
        _ => behind,
    };
    let is_number = digits.starts_with(|it: char| it.is_ascii_digit());
    if !is_number || !unit.bytes().all(|it| it.is_ascii_alphabetic()) {
        return ("", "");
    }
    (text.get(..text.len() - unit.len()).unwrap_or(""), unit)
}

fn is_like_unit(word: &str) -> bool {
    word == "B"
        || (word.len() > 1
            && UNITS.iter().chain(SOLD.iter().map(|(sold, _)| sold)).any(|it| it.eq_ignore_ascii_case(word)))
}

fn wrong_unit(cx: &Cx<'_>, number: &str, unit: &str, place: Span) -> crate::Diagnostic {
    let sold = SOLD.iter().find(|(it, _)| it.eq_ignore_ascii_case(unit));
    if let Some((sold, meant)) = sold {
        return cx
            .error(codes::UNIT, format!("{} may only stand behind `about`", shown(unit)), place)
            .help(format!("write `{number} {meant}`, or `about {number} {sold}` for a size as sold"))
            .edit(cx.id, place, *meant);
    }
    let meant = UNITS.iter().find(|it| it.eq_ignore_ascii_case(unit)).copied().unwrap_or("GiB");
    cx.error(codes::UNIT, format!("{} is no unit", shown(unit)), place)
        .help(format!("write `{meant}`"))
        .edit(cx.id, place, meant)
}

/// Whether a word of the language stands where a value should; `true false none unknown` are values.
pub(super) fn is_keyword(word: &str) -> bool {
    RESERVED.contains(&word) && !matches!(word, "true" | "false" | "none" | "unknown")
}

/// Whether a text is a kebab-case id.
pub(super) fn is_id(text: &str) -> bool {
    text.split('-')
        .all(|part| !part.is_empty() && part.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit()))
}

/// Checks the id of something that is declared.
pub(super) fn id(cx: &mut Cx<'_>, node: &Node<'_>) -> Option<Spanned<String>> {
    let name = cx.name(node);
    declared(cx, name, is_id)
}

/// Checks the name of a fact that is declared: ids joined by dots.
pub(super) fn fact_name(cx: &mut Cx<'_>, name: Spanned<String>) -> Option<Spanned<String>> {
    declared(cx, name, |it| it.split('.').all(is_id))
}

/// The same of a node.
pub(super) fn fact_name_of(cx: &mut Cx<'_>, node: &Node<'_>) -> Option<Spanned<String>> {
    let name = cx.name(node);
    fact_name(cx, name)
}

fn declared(cx: &mut Cx<'_>, name: Spanned<String>, is_valid: fn(&str) -> bool) -> Option<Spanned<String>> {
    if RESERVED.contains(&name.node.as_str()) {
        let found = cx.error(codes::NAME, format!("`{}` is a word of the language", name.node), name.span);
        cx.report(found.help("choose another name"));
        return None;
    }
    if !is_valid(&name.node) {
        let found = cx.error(codes::NAME, format!("{} is no name", shown(&name.node)), name.span);
        cx.report(match kebab(&name.node, is_valid).filter(|it| is_valid(it)) {
            Some(kebab) => {
                let help = format!("names are lower-case words joined by `-`: `{kebab}`");
                found.help(help).edit(cx.id, name.span, kebab)
            }
            None => found.help("names are lower-case words joined by `-`"),
        });
    }
    Some(name)
}

/// A name as it would be in kebab-case.
fn kebab(text: &str, is_valid: fn(&str) -> bool) -> Option<String> {
    let dot = if is_valid("a.b") { "." } else { "-" };
    let mut out = String::new();
    let mut previous = '-';
    for it in text.chars() {
        let breaks = it.is_uppercase() && (previous.is_lowercase() || previous.is_ascii_digit());
        match it {
            '_' | '-' | '+' if !out.ends_with(['-', '.']) => out.push('-'),
            '.' if !out.ends_with(['-', '.']) => out.push_str(dot),
            _ if it.is_alphanumeric() => {
                if breaks {
                    out.push('-');
                }
                out.extend(it.to_lowercase());
            }
            _ => {}
        }
        previous = it;
    }
    let kebab = out.trim_matches(['-', '.']).to_owned();
    (!RESERVED.contains(&kebab.as_str())).then_some(kebab)
}

/// Reports a sign in a word that is no letter of any alphabet.
fn is_plain(cx: &mut Cx<'_>, text: &str, place: Span) -> Option<()> {
    let Some((at, sign)) = text.char_indices().find(|(_, it)| !it.is_ascii() && !it.is_alphanumeric()) else {
        return Some(());
    };
    let start = place.start as usize;
    let line = start + cx.slice(start, cx.text.len()).find('\n').unwrap_or(cx.text.len() - start);
    let at = start + at;
    let special = mistakes::curly_quotes(cx, start, line).or_else(|| signs::foreign_sign(cx, at, line));
    let found = special.unwrap_or_else(|| {
        cx.error(codes::NAME, format!("`{sign}` cannot stand in a word"), span(at, at + sign.len_utf8()))
            .help("write the word in quotes if it belongs to it")
    });
    cx.report(found);
    None
}

/// A name that is used, not declared. Whether it exists is the checker's business.
pub(super) fn used(cx: &mut Cx<'_>, node: &Node<'_>) -> Option<Spanned<String>> {
    let name = cx.name(node);
    is_plain(cx, &name.node, name.span)?;
    if RESERVED.contains(&name.node.as_str()) {
        let found = cx.error(codes::NAME, format!("`{}` is a word of the language", name.node), name.span);
        cx.report(found.help("a name is needed here"));
        return None;
    }
    Some(name)
}
