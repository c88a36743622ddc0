//! Mistakes in the shape of a condition.

use super::cx::{Cx, shown, span};
use super::expr::Parser;
use super::syntax::{self, Rule};
use super::token::Sort;
use super::value::is_keyword;
use super::{mistakes, signs};
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// How operators of other languages are written here.
const FOREIGN: &[(&str, &str)] = &[
    ("==", "="),
    ("<>", "!="),
    ("&&", "and"),
    ("||", "or"),
    ("!", "not"),
    ("&", "and"),
    ("|", "or"),
    ("AND", "and"),
    ("And", "and"),
    ("OR", "or"),
    ("Or", "or"),
    ("NOT", "not"),
    ("Not", "not"),
    ("equals", "="),
    ("contains", "matches"),
    ("includes", "matches"),
    ("match", "matches"),
    ("IN", "in"),
    ("IS", "is"),
];

/// Comparisons in words.
const IN_WORDS: &[(&str, &str)] = &[
    ("is about", "about"),
    ("is less than", "<"),
    ("is lower than", "<"),
    ("is below", "<"),
    ("is greater than", ">"),
    ("is more than", ">"),
    ("is above", ">"),
    ("is at least", ">="),
    ("is at most", "<="),
    ("is equal to", "="),
    ("is not equal to", "!="),
];

impl Parser<'_, '_, '_> {
    /// Reports a mistake.
    pub(super) fn report<T>(&mut self, make: impl FnOnce(&Cx<'_>) -> Diagnostic) -> Option<T> {
        let found = make(self.cx);
        self.cx.report(found);
        None
    }

    /// A mistake that is known by what stands at the next token.
    fn special(&mut self) -> Option<Diagnostic> {
        let at = self.place().start as usize;
        let end = self.end.end as usize;
        self.phrase_to_quote()
            .or_else(|| self.foreign())
            .or_else(|| self.lone_matching())
            .or_else(|| mistakes::curly_quotes(self.cx, at, end))
            .or_else(|| mistakes::needless_sign(self.cx, at, end))
            .or_else(|| signs::foreign_sign(self.cx, at, end))
    }

    /// Reports that `what` is missing before the next token.
    pub(super) fn missing<T>(&mut self, what: &str) -> Option<T> {
        if let Some(found) = self.special() {
            return self.report(|_| found);
        }
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map(|it| it.text);
        let behind = before.map_or_else(String::new, |it| format!(" behind {}", shown(it)));
        let last = self.last_place();
        let (place, found) = match self.tokens.get(self.at) {
            Some(token) => (token.span, format!(", found {}", shown(token.text))),
            None => (span(last.end as usize, last.end as usize), String::new()),
        };
        let message = format!("{what} is missing{behind}{found}");
        let reserved = self.word_at(0).is_some_and(is_keyword);
        self.report(|cx| {
            let found = cx.error(codes::CONDITION, message, place);
            found.help(if reserved { "this is a word of the language and no name" } else { "write it there" })
        })
    }

    /// Reports a token that nothing begins with, behind a whole condition.
    pub(super) fn unexpected<T>(&mut self) -> Option<T> {
        if let Some(found) = self.special().or_else(|| self.value_to_quote()) {
            return self.report(|_| found);
        }
        let (text, place) = self.tokens.get(self.at).map_or(("", self.end), |it| (it.text, it.span));
        let last = self.last_place();
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or("", |it| it.text);
        let is_value = matches!(self.tokens.get(self.at).map(|it| &it.sort), Some(Sort::Word | Sort::Text));
        let found = match text {
            ")" | "]" => self.cx.error(codes::BRACKET, format!("this `{text}` closes nothing"), place).help("delete it"),
            "," => self
                .cx
                .error(codes::CONDITION, "conditions are not joined by `,`", place)
                .help("write `and` or `or` between conditions, and `in [a, b]` for one of several values"),
            verb if mistakes::VERBS.contains(&verb) => self
                .cx
                .error(codes::UNEXPECTED, format!("`then` is missing before `{text}`"), place)
                .help(format!("write `then {text}`"))
                .edit(self.cx.id, span(place.start as usize, place.start as usize), "then "),
            "followed" => self
                .cx
                .error(codes::UNEXPECTED, "this `followed` lacks its phrase or its number of lines", place)
                .help("write `followed by \"…\" within 20 lines`"),
            "at" => self
                .cx
                .error(codes::UNEXPECTED, "this `at` does not say how often", place)
                .help("write `at least 3 times`"),
            "=" | "!=" | "<" | "<=" | ">" | ">=" => chained(self.cx, last, place),
            _ if is_value && text.starts_with(['-', '+']) && text.len() > 1 => self
                .cx
                .error(codes::OPERATOR, format!("`{}` needs white space on both sides", text.get(..1).unwrap_or("")), place)
                .help("without it, it belongs to the number or word"),
            "not" => self
                .cx
                .error(codes::CONDITION, format!("`not` stands before the whole test, not behind {}", shown(before)), place)
                .help(format!("write `not {before} …`")),
            "matches" | "has" | "is" | "in" | "about" => self
                .cx
                .error(codes::CONDITION, format!("`{text}` needs a fact before it"), place)
                .help(format!("join conditions with `and` or `or`, and write `FACT {text} …`")),
            _ if is_value => self
                .cx
                .error(codes::CONDITION, format!("an operator is missing between {} and {}", shown(before), shown(text)), place)
                .help("write `and` or `or` between conditions, and `=`, `<`, `in`, `has`, `is` or `matches` between values"),
            _ => self
                .cx
                .error(codes::UNEXPECTED, format!("{} has no meaning here", shown(text)), place)
                .help("delete it, or put the phrase that it belongs to in quotes"),
        };
        self.report(|_| found)
    }

    /// A value of several words without quotes.
    fn value_to_quote(&self) -> Option<Diagnostic> {
        let is_plain = |at: usize| {
            self.tokens.get(at).is_some_and(|it| {
                matches!(it.sort, Sort::Word) && !is_keyword(it.text) && !["because", "priority"].contains(&it.text)
            })
        };
        let first = self.at.checked_sub(1)?;
        let sign = self.tokens.get(first.checked_sub(1)?)?.text;
        if !(matches!(sign, "=" | "!=") && is_plain(first) && is_plain(self.at)) {
            return None;
        }
        let last = (self.at..self.tokens.len()).take_while(|&at| is_plain(at)).last()?;
        let place = self.tokens.get(first)?.span.to(self.tokens.get(last)?.span);
        let quoted = format!("\"{}\"", self.cx.at(place));
        let found = self.cx.error(codes::CONDITION, "this value has several words, so it needs quotes", place);
        Some(found.help(format!("write `{quoted}`")).edit(self.cx.id, place, quoted))
    }

    /// Reports a bracket that is still open where something else stands.
    pub(super) fn unclosed<T>(&mut self, open: Span) -> Option<T> {
        if self.at < self.tokens.len() && !self.is_closing() {
            return self.unexpected();
        }
        self.report(|cx| unclosed(cx, open))
    }

    fn is_closing(&self) -> bool {
        self.tokens.get(self.at).is_some_and(|it| it.text == "]")
    }

    /// A bare phrase before the next token whose `and` or `or` was taken for one of the language.
    fn phrase_to_quote(&self) -> Option<Diagnostic> {
        let (index, token) =
            self.tokens.iter().enumerate().take(self.at).rev().find(|(_, it)| matches!(it.sort, Sort::Matching(_)))?;
        let Sort::Matching(node) = &token.sort else { return None };
        let bare = node.clone().into_inner().flatten().filter(|it| it.as_rule() == Rule::bare).last()?;
        let ends_it = bare.as_span().end() == node.as_span().end();
        let between = self.tokens.get(index + 1..self.at)?;
        let joins = between.iter().filter(|it| matches!(it.text, "and" | "or")).count();
        let plain = between.iter().skip(1).all(|it| matches!(it.sort, Sort::Word));
        let begins = between.first().map_or_else(|| self.word_at(0), |it| Some(it.text));
        if !ends_it || !plain || joins > 1 || !matches!(begins, Some("and" | "or")) {
            return None;
        }
        let start = self.cx.base + bare.as_span().start();
        // To the end of the clause: which `and` is the last of the phrase shows only in what follows it.
        let rest = self.cx.slice(start, self.end.end as usize);
        let place = span(start, start + mistakes::phrase_len(rest));
        let word = begins.unwrap_or("and");
        Some(mistakes::quote_phrase(self.cx, place, &format!("holds `{word}`")))
    }

    /// An operator of another language.
    fn foreign(&self) -> Option<Diagnostic> {
        let token = self.tokens.get(self.at)?;
        let (mut text, mut place) = (token.text, token.span);
        let next = self.tokens.get(self.at + 1);
        // Signs that the grammar knows only apart.
        if let Some(next) = next.filter(|it| it.span.start == place.end)
            && let ("=" | "==", "~" | ">" | "=") | ("<", ">") = (text, next.text)
        {
            place = place.to(next.span);
            text = self.cx.at(place);
        }
        if text == ">"
            && let Some(before) = self.at.checked_sub(1).and_then(|at| self.tokens.get(at))
            && before.text == "="
            && before.span.end == place.start
        {
            place = before.span.to(place);
            text = "=>";
        }
        let ours = match text {
            "=~" => "matches",
            "=>" => ">=",
            "===" => "=",
            // What is asked of a set is not asked of a text.
            "contains" | "includes" if !self.is_behind_text() => "has",
            _ => FOREIGN.iter().find(|(it, _)| *it == text)?.1,
        };
        if ours == "not" && text == "!" {
            let found = self.cx.error(codes::OPERATOR, "`!` is written `not`", place);
            return Some(found.help("write `not`").edit(self.cx.id, place, "not "));
        }
        let found = self.cx.error(codes::OPERATOR, format!("`{text}` is written `{ours}`"), place);
        Some(found.help(format!("write `{ours}`")).edit(self.cx.id, place, ours))
    }

    /// Whether the token before is a text, or the next one a quoted phrase.
    fn is_behind_text(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or("", |it| it.text);
        let is_text = |name: &str| matches!(name, "error" | "trace" | "log") || name.starts_with("error.");
        is_text(before) || self.tokens.get(self.at + 1).is_some_and(|it| matches!(it.sort, Sort::Text))
    }

    /// A `matches` with nothing before it, or with something behind it that is no pattern.
    fn lone_matching(&mut self) -> Option<Diagnostic> {
        let token = self.tokens.get(self.at)?;
        if matches!(token.sort, Sort::Matching(_)) {
            let start = token.span.start as usize;
            let at = self.cx.slice(0, start).rfind("matches").unwrap_or(start);
            let found = self.cx.error(codes::CONDITION, "`matches` needs a text before it", span(at, at + 7));
            return Some(found.help("write `error matches …` or `log matches …`").edit(
                self.cx.id,
                span(at, at),
                "error ",
            ));
        }
        if token.text != "matches" {
            return None;
        }
        let (start, end) = (token.span.end as usize, self.end.end as usize);
        let base = self.cx.base;
        let stop = syntax::run(self.cx, Rule::only_matching, start, end).err();
        self.cx.base = base;
        let usage = "a phrase behind `matches`: `\"…\"`, `/…/`, `any of (\"…\", \"…\")`, or words that go to the end of the line";
        Some(mistakes::stopped(self.cx, &stop?, start, end, usage))
    }
}

/// A bracket that is not closed.
pub(super) fn unclosed(cx: &Cx<'_>, open: Span) -> Diagnostic {
    let sign = cx.at(open);
    let close = if sign == "[" { "]" } else { ")" };
    cx.error(codes::BRACKET, format!("this `{sign}` is not closed"), open)
        .help(format!("write `{close}` where it ends"))
}

/// `1 < a < 3`
pub(super) fn chained(cx: &Cx<'_>, first: Span, second: Span) -> Diagnostic {
    cx.error(codes::OPERATOR, format!("a second `{}` cannot follow", cx.at(second)), second)
        .context(cx.id, first, "behind this one")
        .help("write two comparisons with `and` between them, or `in LOW..HIGH`")
}

/// `a = none`
pub(super) fn state_compared(cx: &Cx<'_>, place: Span, instead: &str) -> Diagnostic {
    cx.error(codes::OPERATOR, format!("{} asks for no value", shown(cx.at(place))), place)
        .help(format!("write `{instead}`"))
        .edit(cx.id, place, instead)
}

/// What stands behind `in` is neither a list nor a range.
pub(super) fn no_list(cx: &Cx<'_>, place: Span) -> Diagnostic {
    cx.error(codes::UNEXPECTED, "a list or a range is needed here", place)
        .help("write a list as `[a, b]`, a range as `4 GiB..8 GiB`")
}

/// What stands behind `about` is no size as sold.
pub(super) fn no_sold_size(cx: &Cx<'_>, place: Span) -> Diagnostic {
    cx.error(codes::UNIT, "`about` needs a size as sold", place).help("write `about 24 GB`")
}

/// `has [a, b]`
pub(super) fn has_list(cx: &Cx<'_>, place: Span) -> Diagnostic {
    let at = span(place.start as usize, place.start as usize);
    cx.error(codes::UNEXPECTED, "`has` does not say how many of this list", place)
        .help("write `has any of [a, b]`, `has all of [a, b]` or `has none of [a, b]`")
        .edit(cx.id, at, "any of ")
}

/// `a is macos`
pub(super) fn no_state(cx: &Cx<'_>, place: Span, found: Span, instead: &str) -> Diagnostic {
    let behind = cx.slice(place.start as usize, cx.text.len());
    if let Some((words, sign)) = IN_WORDS.iter().find(|(words, _)| behind.starts_with(words)) {
        let place = span(place.start as usize, place.start as usize + words.len());
        let found = cx.error(codes::OPERATOR, format!("`{words}` is written `{sign}`"), place);
        return found.help(format!("write `{sign}`")).edit(cx.id, place, *sign);
    }
    let what = if cx.at(found).is_empty() { "nothing".to_owned() } else { shown(cx.at(found)) };
    cx.error(codes::OPERATOR, format!("`is` asks whether a fact is `known`, `unknown` or `none`, found {what}"), place)
        .help(format!("write `{instead}` to compare with a value"))
        .edit(cx.id, place, instead)
}

/// `[]`
pub(super) fn empty_list(cx: &Cx<'_>, open: Span) -> Diagnostic {
    cx.error(codes::UNEXPECTED, "this list is empty", open).help("write `[a, b]`")
}

/// Two items of a list without a comma.
pub(super) fn between(cx: &Cx<'_>, open: Span) -> Diagnostic {
    cx.error(codes::BRACKET, "the items of this list are not parted by `,`, or it is not closed", open)
        .help("write `[a, b]`")
}

/// `a*2`
pub(super) fn sign_without_space(cx: &Cx<'_>, place: Span) -> Diagnostic {
    let sign = cx.at(place);
    cx.error(codes::OPERATOR, format!("`{sign}` needs white space on both sides"), place)
        .help(format!("write ` {sign} `"))
        .edit(cx.id, place, format!(" {sign} "))
}

/// `at least of (…)`
pub(super) fn no_count(cx: &Cx<'_>, place: Span) -> Diagnostic {
    cx.error(codes::NUMBER, "`at least` needs a whole number", place).help("write `at least 2 of (a, b, c)`")
}

/// `at least 2 (…)`
pub(super) fn no_of(cx: &Cx<'_>, place: Span) -> Diagnostic {
    cx.error(codes::UNEXPECTED, "`of` is missing behind `at least`", place).help(
        "write `at least 2 of (a, b, c)`; how often a phrase stands in a text is `matches \"…\" at least 2 times`",
    )
}

/// `any gpu (…)`
pub(super) fn no_where(cx: &Cx<'_>, start: Span, place: Span) -> Diagnostic {
    let word = cx.at(start);
    cx.error(codes::UNEXPECTED, format!("`{word}` needs `where (…)` or `of (…)`"), start.to(place))
        .help(format!("write `{word} gpu where (.vendor = nvidia)` or `any of (a, b)`"))
}

/// `no problems`
pub(super) fn no_problems(cx: &Cx<'_>, place: Span) -> Diagnostic {
    cx.error(codes::UNEXPECTED, "`no problems` is written `no problem`", place)
        .help("write `no problem`")
        .edit(cx.id, place, "problem")
}

/// `any of [a, b]`
pub(super) fn no_group(cx: &Cx<'_>, place: Span) -> Diagnostic {
    cx.error(codes::UNEXPECTED, "conditions in brackets are needed here", place).help("write `(a, b)`")
}
