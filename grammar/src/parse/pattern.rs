//! Patterns: phrases with holes, bare phrases, regular expressions.

use super::cx::{Cx, shown, span};
use super::mistakes;
use super::syntax::{Node, Nodes, Rule};
use super::text::{raw_lines, unescape_one};
use super::words::own_type;
use crate::ast::{HoleType, Matching, Pattern, PhrasePart};
use crate::codes;
use crate::nearest::nearest;
use crate::source::{Span, Spanned};

/// The words that say how a hole is read.
pub(crate) const HOLE_TYPES: &[(&str, HoleType)] = &[
    ("number", HoleType::Number),
    ("size", HoleType::Size),
    ("bytes", HoleType::Bytes),
    ("mib", HoleType::Mib),
    ("version", HoleType::Version),
    ("word", HoleType::Word),
    ("name", HoleType::Name),
    ("quoted", HoleType::Quoted),
    ("path", HoleType::Path),
    ("text", HoleType::Text),
    ("line", HoleType::Line),
    ("list", HoleType::List),
];

/// Reads what stands behind `matches`.
pub(super) fn matching(cx: &mut Cx<'_>, node: Node<'_>) -> Option<Matching> {
    let mut parts = Nodes::of(node);
    let mut result = Matching { patterns: Vec::new(), any_of: false, followed_by: None, times: None };
    let (rule, first) = parts.any()?;
    if rule == Rule::any_of {
        result.any_of = true;
        for part in Nodes::of(first) {
            if !matches!(part.as_rule(), Rule::comma | Rule::close) {
                result.patterns.push(pattern(cx, &part)?);
            }
        }
    } else {
        result.patterns.push(pattern(cx, &first)?);
    }
    if let Some(followed) = parts.one(Rule::followed) {
        let mut inner = Nodes::of(followed);
        let second = pattern(cx, &inner.next()?)?;
        let lines = number(cx, &Nodes::of(inner.one(Rule::within)?).one(Rule::word)?)?;
        result.followed_by = Some((second, lines));
    }
    if let Some(times) = parts.one(Rule::times) {
        result.times = Some(number(cx, &Nodes::of(times).one(Rule::word)?)?);
    }
    Some(result)
}

/// Reads a phrase or a regular expression.
pub(super) fn pattern(cx: &mut Cx<'_>, node: &Node<'_>) -> Option<Spanned<Pattern>> {
    let place = cx.span(node);
    match node.as_rule() {
        Rule::string => Some(Spanned::new(phrase(cx, node.as_str(), place)?, place)),
        Rule::regex => Some(Spanned::new(regex(cx, node.as_str(), place)?, place)),
        Rule::bare => bare(cx, node.as_str(), place.start as usize),
        _ => None,
    }
}

/// A whole number.
pub(super) fn number(cx: &mut Cx<'_>, node: &Node<'_>) -> Option<Spanned<u32>> {
    let place = cx.span(node);
    if let Some(number) = whole(node.as_str()) {
        return Some(Spanned::new(number, place));
    }
    let found = cx.error(codes::NUMBER, format!("{} is no whole number", shown(node.as_str())), place);
    cx.report(found.help("write a number such as `3`"));
    None
}

/// Reads a whole number of digits alone.
pub(super) fn whole(text: &str) -> Option<u32> {
    if text.bytes().all(|it| it.is_ascii_digit()) { text.parse().ok() } else { None }
}

fn bare(cx: &mut Cx<'_>, raw: &str, at: usize) -> Option<Spanned<Pattern>> {
    let text = raw.trim_end();
    let place = span(at, at + text.len());
    let whole = || cx.slice(at, cx.text.len()).lines().next().map_or(0, str::len);
    if let Some(found) =
        mistakes::in_other_quotes(cx, at, text).or_else(|| mistakes::square_choice(cx, at, at + whole()))
    {
        cx.report(found);
        return None;
    }
    if let Some(why) = mistakes::why_quote(text) {
        let found = mistakes::curly_quotes(cx, at, at + text.len())
            .unwrap_or_else(|| mistakes::quote_phrase(cx, mistakes::whole_phrase(cx, at), &why));
        cx.report(found);
        return None;
    }
    let parts = vec![PhrasePart::Literal(text.to_owned())];
    Some(Spanned::new(Pattern::Phrase { parts, quoted: false }, place))
}

fn regex(cx: &mut Cx<'_>, raw: &str, place: Span) -> Option<Pattern> {
    let close = raw.rfind('/')?;
    let flags = raw.get(close + 1..)?;
    if !matches!(flags, "" | "i") {
        let found = mistakes::regex_flags(cx, place, flags);
        cx.report(found);
        return None;
    }
    let body = raw.get(1..close)?;
    let mut source = String::with_capacity(body.len());
    let mut chars = body.chars();
    while let Some(it) = chars.next() {
        if it != '\\' {
            source.push(it);
            continue;
        }
        match chars.next() {
            Some('/') => source.push('/'),
            escaped => {
                source.push('\\');
                source.extend(escaped);
            }
        }
    }
    Some(Pattern::Regex { source, insensitive: flags == "i" })
}

/// Reads a quoted phrase: literal runs and holes.
fn phrase(cx: &mut Cx<'_>, raw: &str, place: Span) -> Option<Pattern> {
    let (_, lines) = raw_lines(raw, place.start as usize);
    let mut parts = Parts::default();
    let before = cx.found();
    for (index, (at, line)) in lines.iter().enumerate() {
        if index > 0 {
            parts.literal.push('\n');
        }
        phrase_line(cx, line, *at, &mut parts);
    }
    parts.flush();
    if cx.found() > before {
        return None;
    }
    let is_empty = parts.list.iter().all(|it| matches!(it, PhrasePart::Literal(text) if text.trim().is_empty()));
    if is_empty {
        let found = cx.error(codes::EMPTY_PHRASE, "this phrase is empty", place);
        cx.report(found.help("write the words to be found"));
        return None;
    }
    Some(Pattern::Phrase { parts: parts.list, quoted: true })
}

#[derive(Default)]
struct Parts {
    list: Vec<PhrasePart>,
    literal: String,
}

impl Parts {
    fn flush(&mut self) {
        if !self.literal.is_empty() {
            self.list.push(PhrasePart::Literal(std::mem::take(&mut self.literal)));
        }
    }
}

fn phrase_line(cx: &mut Cx<'_>, line: &str, at: usize, parts: &mut Parts) {
    let mut rest = line;
    while let Some(found) = rest.find(['\\', '{']) {
        parts.literal.push_str(rest.get(..found).unwrap_or(""));
        let special = rest.get(found..).unwrap_or("");
        let place = at + line.len() - special.len();
        rest = if special.starts_with('\\') {
            unescape_one(cx, special, place, &mut parts.literal)
        } else {
            hole(cx, special, place, parts)
        };
    }
    parts.literal.push_str(rest);
}

/// Reads the hole that `text` begins with; returns what stands behind it.
fn hole<'t>(cx: &mut Cx<'_>, text: &'t str, at: usize, parts: &mut Parts) -> &'t str {
    let closed = text.find('}').and_then(|close| Some((text.get(1..close)?, text.get(close + 1..)?)));
    let Some((inner, rest)) = closed else { return no_hole(cx, text, at, text.len()) };
    let place = span(at, at + inner.len() + 2);
    if inner.trim() == "*" {
        parts.flush();
        parts.list.push(PhrasePart::Any(place));
        return rest;
    }
    let (name, ty) = inner.split_once(':').map_or((inner, None), |(name, ty)| (name, Some(ty)));
    let is_name = |it: &str| !it.is_empty() && it.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.".contains(&b));
    if !is_name(name.trim()) {
        return no_hole(cx, text, at, inner.len() + 2);
    }
    let name = trimmed(name, at + 1);
    let ty = ty.map(|it| trimmed(it, at + 1 + inner.len() - it.len()));
    let ty = match ty {
        None => None,
        Some(word) => match hole_type(cx, &word) {
            Some(ty) => Some(Spanned::new(ty, word.span)),
            None => return rest,
        },
    };
    parts.flush();
    parts.list.push(PhrasePart::Hole { name, ty });
    rest
}

fn trimmed(text: &str, at: usize) -> Spanned<String> {
    let start = at + text.len() - text.trim_start().len();
    let word = text.trim();
    Spanned::new(word.to_owned(), span(start, start + word.len()))
}

/// The hole type of a word; reports a word that is none.
pub(super) fn hole_type(cx: &mut Cx<'_>, word: &Spanned<String>) -> Option<HoleType> {
    if let Some((_, ty)) = HOLE_TYPES.iter().find(|(it, _)| *it == word.node) {
        return Some(*ty);
    }
    let names = HOLE_TYPES.iter().map(|(it, _)| *it);
    let mut found = cx.error(codes::HOLE_TYPE, format!("{} is no type of a hole", shown(&word.node)), word.span);
    let own = own_type(&word.node).filter(|it| names.clone().any(|name| name == *it));
    found = match own.or_else(|| nearest(&word.node, names.clone())) {
        Some(near) => found.help(format!("did you mean `{near}`?")).edit(cx.id, word.span, near),
        None => found.help(format!("write one of: {}", names.collect::<Vec<_>>().join(", "))),
    };
    cx.report(found);
    None
}

/// A `{` in a phrase that begins no hole; goes on behind it.
fn no_hole<'t>(cx: &mut Cx<'_>, text: &'t str, at: usize, len: usize) -> &'t str {
    let brace = span(at, at + 1);
    let found = cx
        .error(codes::HOLE, "this `{` begins no hole", span(at, at + len))
        .help("a hole is `{name: size}`, `{name}` or `{*}`; write `\\u{7b}` for a brace that stands in the text")
        .edit(cx.id, brace, "\\u{7b}");
    cx.report(found);
    text.get(1..).unwrap_or("")
}
