//! What is wrong, in the writer's words: turns the place where a parse stopped into a finding.

use super::cx::{Cx, shown, span};
use super::scan::{blank_len, word_at};
use super::syntax::{Rule, Stop, describe};
use super::words::{Kind, is_clause_word};
use super::{pattern, signs};
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::nearest::nearest;
use crate::source::Span;

/// The words that say what an action does.
pub(super) const VERBS: [&str; 5] = ["suggest", "diagnose", "suspect", "avoid", "conclude"];

/// A clause that the grammar did not accept.
pub(super) fn stopped(cx: &Cx<'_>, stop: &Stop, start: usize, end: usize, usage: &str) -> Diagnostic {
    if stop.no_stack {
        let message = "this thread has too little stack to parse the clause";
        return cx.error(codes::STACK, message, span(start, end)).help("parse on a thread with 1 MiB of stack or more");
    }
    let at = stop.at.min(end);
    let token = token(cx, at, end);
    let special = curly_quotes(cx, at, end)
        .or_else(|| needless_sign(cx, at, end))
        .or_else(|| signs::foreign_sign(cx, at, end))
        .or_else(|| unquoted_value(cx, at, end, start))
        .or_else(|| second_action(cx, at, end, start))
        .or_else(|| clause_word(cx, at, end, start))
        .or_else(|| unclosed_regex(cx, at, end))
        .or_else(|| unquoted(cx, stop, at, end));
    let found = special.unwrap_or_else(|| match token {
        Some(place) => unexpected(cx, &stop.expected, place),
        None if stop.expected.contains(&Rule::token) => {
            cx.error(codes::CONDITION, "a condition is missing here", behind(cx, start, end))
        }
        None => cx.error(
            codes::UNEXPECTED,
            format!("expected {} here", join(&expected(&stop.expected))),
            behind(cx, start, end),
        ),
    });
    match usage {
        _ if found.help.is_some() => found,
        "" => found.help("write it as the language's guide shows"),
        usage => found.help(format!("write {usage}")),
    }
}

/// Something stands where something else is needed; offers the keyword it may be a slip of.
fn unexpected(cx: &Cx<'_>, rules: &[Rule], place: Span) -> Diagnostic {
    let words = expected(rules);
    let token = cx.at(place);
    let found = cx.error(codes::UNEXPECTED, format!("expected {}, found {}", join(&words), shown(token)), place);
    let keywords = words.iter().filter_map(|it| it.strip_prefix('`')?.strip_suffix('`'));
    match nearest(token, keywords) {
        Some(near) => found.help(format!("did you mean `{near}`?")).edit(cx.id, place, near),
        None => found,
    }
}

/// Behind the last word understood: where what is missing should stand.
pub(super) fn behind(cx: &Cx<'_>, start: usize, end: usize) -> Span {
    let text = cx.slice(start, end).trim_end();
    let at = start + text.len();
    span(at, at)
}

/// The word, text or sign at a place, for a message.
fn token(cx: &Cx<'_>, at: usize, end: usize) -> Option<Span> {
    let text = cx.slice(at, end);
    let first = text.chars().next()?;
    if first == '"' {
        let close = text.get(1..).and_then(|it| it.find('"')).map_or(text.len(), |it| it + 2);
        return Some(span(at, at + close));
    }
    let len = word_at(cx.text, at, end).len().max(first.len_utf8());
    Some(span(at, at + len))
}

/// What could stand there, in words.
fn expected(rules: &[Rule]) -> Vec<&'static str> {
    let described = rules.iter().filter(|it| **it != Rule::language).map(|it| describe(*it));
    let mut words: Vec<&str> =
        described.flat_map(|it| it.split(", ")).flat_map(|it| it.split(" or ")).filter(|it| !it.is_empty()).collect();
    words.sort_unstable_by_key(|it| (it.starts_with("the end"), *it));
    words.dedup();
    // That a clause may end is only worth saying where nothing else may stand.
    if words.len() > 1 && words.last().is_some_and(|it| it.starts_with("the end")) {
        words.pop();
    }
    words
}

/// `a, b or c`
fn join(words: &[&str]) -> String {
    match words {
        [] => describe(Rule::EOI).to_owned(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

fn is_curly(it: char) -> bool {
    matches!(it, '“' | '”' | '„' | '‟' | '«' | '»' | '「' | '」' | '＂')
}

pub(super) fn curly_quotes(cx: &Cx<'_>, at: usize, end: usize) -> Option<Diagnostic> {
    let text = cx.slice(at, end);
    let open = text.chars().next().filter(|it| is_curly(*it) || *it == '\'')?;
    let inner = text.get(open.len_utf8()..)?;
    let close = inner.char_indices().find(|(_, it)| is_curly(*it) || *it == open);
    let found = |place| cx.error(codes::QUOTES, format!("a text does not stand in `{open}`"), place);
    let Some((len, it)) = close else {
        return Some(found(span(at, at + open.len_utf8())).help("write `\"` before and behind it"));
    };
    let place = span(at, at + open.len_utf8() + len + it.len_utf8());
    let quoted = format!("\"{}\"", inner.get(..len).unwrap_or("").replace('"', "\\\""));
    Some(found(place).help("write `\"` before and behind it").edit(cx.id, place, quoted))
}

/// A bare phrase that stands in quotes of another kind, which would count as part of it.
pub(super) fn in_other_quotes(cx: &Cx<'_>, at: usize, text: &str) -> Option<Diagnostic> {
    let quote = text.chars().next().filter(|it| matches!(it, '\'' | '`'))?;
    let inner = text.get(1..)?.strip_suffix(quote)?;
    let found = cx.error(codes::QUOTES, format!("a text does not stand in `{quote}`"), span(at, at + text.len()));
    Some(found.help("write `\"` before and behind it").edit(cx.id, span(at, at + text.len()), in_quotes(inner)))
}

/// `any of ["a", "b"]` behind `matches`.
pub(super) fn square_choice(cx: &Cx<'_>, at: usize, end: usize) -> Option<Diagnostic> {
    let line = cx.slice(at, end);
    let behind = line.strip_prefix("any")?.trim_start().strip_prefix("of")?.trim_start();
    let open = at + line.len() - behind.len();
    let close = open + behind.strip_prefix('[')?.find(']')? + 1;
    let list = cx.slice(open + 1, close);
    let found = cx.error(codes::BRACKET, "the phrases of a choice stand in round brackets", span(open, close + 1));
    Some(found.help(format!("write `any of ({list})`")).edit(cx.id, span(open, close + 1), format!("({list})")))
}

/// The value of a variable that holds signs, as `expandable_segments:True`.
fn unquoted_value(cx: &Cx<'_>, at: usize, end: usize, start: usize) -> Option<Diagnostic> {
    let before = cx.slice(start, at);
    let (_, value) = before.strip_prefix("env")?.split_once('=')?;
    let behind = cx.slice(at, end).split(char::is_whitespace).next()?;
    let first = at - value.trim_start().len();
    if value.trim().is_empty() || behind.is_empty() || first == at || value.ends_with(char::is_whitespace) {
        return None;
    }
    let place = span(first, at + behind.len());
    let quoted = format!("\"{}\"", cx.at(place));
    let found = cx.error(codes::UNEXPECTED, "this value needs quotes", place);
    Some(found.help(format!("write `{quoted}`")).edit(cx.id, place, quoted))
}

/// A `:` or `;` that other languages end a line with.
pub(super) fn needless_sign(cx: &Cx<'_>, at: usize, end: usize) -> Option<Diagnostic> {
    let text = cx.slice(at, end);
    let sign = text.chars().next().filter(|it| matches!(it, ':' | ';' | '：' | '；'))?;
    let rest = text.get(sign.len_utf8()..)?;
    let ends_line = rest.trim_start_matches([' ', '\t']).chars().next().is_none_or(|it| it == '\n' || it == '\r');
    if !ends_line {
        return None;
    }
    let place = span(at, at + sign.len_utf8());
    let found = cx.error(codes::UNEXPECTED, format!("`{sign}` ends nothing here"), place);
    Some(found.help("delete it: a clause ends with its line").edit(cx.id, place, ""))
}

/// A clause that is indented as if it went on the clause above.
fn clause_word(cx: &Cx<'_>, at: usize, end: usize, start: usize) -> Option<Diagnostic> {
    let word = word_at(cx.text, at, end);
    let before = cx.slice(start, at);
    let line = before.rfind('\n')?;
    let begins_line = before.get(line + 1..)?.trim().is_empty();
    if !begins_line || !(is_clause_word(word) || Kind::of(word).is_some()) {
        return None;
    }
    let place = span(at, at + word.len());
    Some(
        cx.error(codes::INDENTATION, format!("`{word}` is indented as if it went on the line above"), place)
            .help("indent it like the clause above: a deeper line goes on that clause"),
    )
}

/// `then suggest a, b` or `then suggest a and diagnose c`: each action has a `then` of its own.
fn second_action(cx: &Cx<'_>, at: usize, end: usize, start: usize) -> Option<Diagnostic> {
    let joint = if cx.slice(at, end).starts_with(',') { "," } else { word_at(cx.text, at, end) };
    let mut before = cx.slice(start, at).split_whitespace();
    if !matches!(joint, "," | "and" | "or") || before.next() != Some("then") {
        return None;
    }
    let (next, word) = next_word(cx, at + joint.len(), end);
    let verb = if VERBS.contains(&word) { "" } else { before.next()? };
    let then = format!("then {verb}{}", if verb.is_empty() { "" } else { " " });
    let found = cx.error(codes::UNEXPECTED, format!("{} joins no actions", shown(joint)), span(at, at + joint.len()));
    let place = span(behind(cx, start, at).start as usize, next);
    Some(found.help(format!("give each action its `then`: `{then}{word}`")).edit(cx.id, place, format!(" {then}")))
}

fn unclosed_regex(cx: &Cx<'_>, at: usize, end: usize) -> Option<Diagnostic> {
    let line = cx.slice(at, end).lines().next()?;
    if !line.starts_with('/') {
        return None;
    }
    let place = span(at, at + line.trim_end().len());
    let found = cx.error(codes::REGEX, "this regular expression is not closed", place);
    Some(found.help("write `/` behind it, or put quotes around a phrase that begins with `/`"))
}

/// Words where a text must stand in quotes.
fn unquoted(cx: &Cx<'_>, stop: &Stop, at: usize, end: usize) -> Option<Diagnostic> {
    let wants_text = stop.expected.iter().any(|it| matches!(it, Rule::string | Rule::text | Rule::edge));
    let others = stop.expected.iter().any(|it| matches!(it, Rule::word | Rule::value | Rule::EOI));
    let line = cx.slice(at, end).lines().next()?.trim_end();
    if !wants_text || others || line.is_empty() || line.contains('"') {
        return None;
    }
    let place = span(at, at + line.len());
    let found = cx.error(codes::UNEXPECTED, "this text needs quotes", place);
    Some(found.help("write `\"` before and behind it").edit(cx.id, place, format!("\"{line}\"")))
}

/// A `"` that is not closed on its line.
pub(super) fn unclosed_text(cx: &Cx<'_>, start: usize, at: usize, end: usize) -> Diagnostic {
    if let Some(bare) = bare_before(cx, start, at) {
        return quote_phrase(cx, whole_phrase(cx, bare), "holds `\"`");
    }
    let line = cx.slice(at, end).trim_end();
    let found = cx.error(codes::UNCLOSED_TEXT, "this text is not closed", span(at, at + line.len()));
    if line.ends_with("\\\"") {
        return found.help("write `\\\\` for a backslash before the closing quote: `\\\"` is a quote in the text");
    }
    found.help("write `\"` behind its last word, or `\"\"\"` before and behind a text of several lines")
}

/// Where a bare phrase begins that the `"` at a place stands in.
fn bare_before(cx: &Cx<'_>, start: usize, at: usize) -> Option<usize> {
    let before = cx.slice(start, at);
    let found = ["matches ", "followed by "].iter().filter_map(|it| Some(before.rfind(it)? + it.len())).max()?;
    let phrase = before.get(found..)?;
    let begins = phrase.trim_start();
    let is_bare = !begins.is_empty() && !begins.starts_with(['"', '/', '(']) && !begins.starts_with("any of");
    let ended = ["and", "or", "then", "unless"].iter().any(|word| phrase.split_whitespace().any(|it| it == *word));
    (is_bare && !ended).then_some(start + found + phrase.len() - begins.len())
}

/// Why a bare phrase cannot stand without quotes.
pub(super) fn why_quote(text: &str) -> Option<String> {
    if let Some(sign) = text.chars().find(|it| matches!(it, '(' | '"' | '{' | '}') || is_curly(*it)) {
        return Some(format!("holds `{sign}`"));
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let number = |it: &&str| it.starts_with(|it: char| it.is_ascii_digit());
    let counts = |pair: &[&str], first: &str, second: &str| pair == [first, second];
    for at in 0..words.len() {
        let rest = words.get(at..).unwrap_or_default();
        if rest.get(..2).is_some_and(|it| counts(it, "at", "least")) && rest.get(2).is_some_and(number) {
            return Some("holds `at least`".to_owned());
        }
        if rest.first() == Some(&"within") && rest.get(1).is_some_and(number) {
            return Some("holds `within`".to_owned());
        }
    }
    None
}

/// A phrase that is only understood in quotes; `place` is where it begins, and what of it was read.
pub(super) fn quote_phrase(cx: &Cx<'_>, place: Span, why: &str) -> Diagnostic {
    let text = cx.at(place);
    let quoted = with_counts(text).unwrap_or_else(|| in_quotes(text));
    let help =
        if quoted.len() <= 100 { format!("write `{quoted}`") } else { "write `\"` before and behind it".to_owned() };
    cx.error(codes::QUOTE_PHRASE, format!("this phrase {why}, so it needs quotes"), place)
        .help(help)
        .edit(cx.id, place, quoted)
}

/// All of a bare phrase that begins at a place, as far as it was probably meant to go.
pub(super) fn whole_phrase(cx: &Cx<'_>, start: usize) -> Span {
    span(start, start + phrase_len(cx.slice(start, cx.text.len())))
}

/// A bare phrase that ends in what counts it or what follows it, as it was probably meant.
fn with_counts(text: &str) -> Option<String> {
    let (phrase, count) = text.rsplit_once(" at least ").or_else(|| text.rsplit_once(" within "))?;
    let words: Vec<&str> = count.split_whitespace().collect();
    let [number, unit] = words.as_slice() else { return None };
    pattern::whole(number)?;
    let counted = match *unit {
        "times" | "time" => format!("{} at least {number} {unit}", in_quotes(phrase.trim())),
        "lines" | "line" => {
            let (first, second) = phrase.split_once(" followed by ")?;
            let second = second.trim();
            let second = if second.starts_with('"') { second.to_owned() } else { in_quotes(second) };
            format!("{} followed by {second} within {number} {unit}", in_quotes(first.trim()))
        }
        _ => return None,
    };
    Some(counted)
}

fn in_quotes(text: &str) -> String {
    let escaped = without_stray_braces(&text.replace('\\', "\\\\").replace('"', "\\\""));
    format!("\"{escaped}\"")
}

/// How far a bare phrase goes that was not understood: to the `and` or `or` that a condition follows, or to the end of
/// the line or bracket.
pub(super) fn phrase_len(text: &str) -> usize {
    let line = text.split(['\n', '\r']).next().unwrap_or("");
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(rest) = line.get(at..).filter(|it| !it.is_empty()) {
        match rest.chars().next() {
            Some('(') => depth += 1,
            Some(')') if depth == 0 => break,
            Some(')') => depth -= 1,
            Some('#') if at > 0 && line.get(..at).is_some_and(|it| it.ends_with([' ', '\t'])) => break,
            _ => {}
        }
        let word = word_at(line, at, line.len());
        if matches!(word, "then" | "unless") || (matches!(word, "and" | "or") && is_condition(line, at + word.len())) {
            break;
        }
        at += word.len().max(rest.chars().next().map_or(1, char::len_utf8));
    }
    line.get(..at).unwrap_or("").trim_end().len()
}

/// Whether what stands at a place looks like a condition: a word and an operator, a word alone, or what only begins one.
fn is_condition(line: &str, at: usize) -> bool {
    const BEHIND: &[&str] =
        &["=", "!=", "<", "<=", ">", ">=", "in", "is", "has", "matches", "about", "and", "or", "then", "unless"];
    let words: Vec<&str> = line.get(at..).unwrap_or("").split_whitespace().take(2).collect();
    match words.as_slice() {
        [first, ..] if first.starts_with('(') || matches!(*first, "not" | "at" | "any" | "all" | "none" | "no") => true,
        [_, second] => BEHIND.contains(second),
        [_] => true,
        _ => false,
    }
}

/// A regular expression with flags that do not exist, or a phrase that begins with `/`.
pub(super) fn regex_flags(cx: &Cx<'_>, place: Span, flags: &str) -> Diagnostic {
    let flags_at = span(place.end as usize - flags.len(), place.end as usize);
    if flags.len() <= 2 {
        let found = cx.error(codes::REGEX, format!("`{flags}` is no flag of a regular expression"), flags_at);
        return found.help("write `i` to ignore case; there is no other flag");
    }
    let place = whole_phrase(cx, place.start as usize);
    cx.error(codes::REGEX, "a phrase that begins with `/` needs quotes", place)
        .help("write `\"` before and behind it; `/…/` is a regular expression")
        .edit(cx.id, place, in_quotes(cx.at(place)))
}

/// The place of the word behind a place, over white space.
pub(super) fn next_word<'a>(cx: &Cx<'a>, at: usize, end: usize) -> (usize, &'a str) {
    let mut at = at;
    while at < end {
        let len = blank_len(cx.clean, at).max(usize::from(cx.slice(at, end).starts_with('\n')));
        if len == 0 {
            break;
        }
        at += len;
    }
    (at, word_at(cx.text, at, end))
}

/// A text with its braces escaped, but for those of a hole such as `{wanted: size}`: the writer meant them.
fn without_stray_braces(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('{') {
        let hole = behind.split_once('}').is_some_and(|(inside, _)| {
            let plain = |it: char| it.is_ascii_alphanumeric() || matches!(it, '.' | '-' | '_' | ':' | ' ' | '*');
            (inside.contains(": ") || inside == "*") && inside.chars().all(plain)
        });
        out.push_str(before);
        out.push_str(if hole { "{" } else { "\\u{7b}" });
        rest = behind;
    }
    out.push_str(rest);
    out
}
