//! Hard-wrapped pastes: a terminal or an editor cut long lines at a width. Where the line ends of an input show that,
//! those that it put in are taken out again, so that every other form is read as if nothing had happened. The frames of
//! a stack are put together whatever the width, since their form shows where one is broken.

use crate::failures::begins_anew;
use crate::scan::digits;

/// Widths at which programs wrap.
const NARROWEST: usize = 40;
const WIDEST: usize = 200;

/// How an input was wrapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrapped {
    /// Nothing shows that it was.
    No,
    /// Lines end between words before this width, in characters.
    Between(usize),
    /// Lines were cut at this width, within words.
    Within(usize),
}

/// What stands for a line end that is taken out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Joint {
    /// The cut went through a word, or left its blank behind.
    Nothing,
    /// A blank was lost there.
    Blank,
}

impl Wrapped {
    /// Learns from the line ends of an input whether it was wrapped, and where.
    pub(crate) fn learn(source: &str) -> Self {
        let widest = |breakable: bool| {
            let lines = source.lines().map(Line::of).filter(|line| line.breakable || !breakable);
            lines.map(|line| line.width).max().unwrap_or(0)
        };
        if let width @ NARROWEST..=WIDEST = widest(false)
            && Tally::of(source, width).cut(width)
        {
            return Self::Within(width);
        }
        // What has no blank could not be broken by programs that break between words.
        match widest(true) {
            width @ NARROWEST..=WIDEST if Tally::of(source, width).folded() => Self::Between(width),
            _ => Self::No,
        }
    }

    /// Whether the line end between two lines was put in. `text` is a line as given, `next` what follows, clean.
    pub(crate) fn joint(self, text: &str, next: &str) -> Option<Joint> {
        broken_frame(text, next).or_else(|| match self {
            Self::No => None,
            Self::Within(width) => cut_joint(text, next, width),
            Self::Between(width) => fold_joint(text, next, width),
        })
    }
}

fn cut_joint(text: &str, next: &str, width: usize) -> Option<Joint> {
    let line = Line::of(text);
    if begins_anew(next.trim_start(), false) || alike(text, next) {
        return None;
    }
    // Copying takes away a blank at the end.
    let lost = line.width + 1 == width && !line.trailing && !next.starts_with(' ');
    match line.width == width {
        true => Some(Joint::Nothing),
        false => lost.then_some(Joint::Blank),
    }
}

fn fold_joint(text: &str, next: &str, width: usize) -> Option<Joint> {
    let line = Line::of(text);
    if !line.is_full(first_word(next), width) || begins_anew(next, true) || ends_itself(text) || alike(text, next) {
        return None;
    }
    let cut_word = line.width == width && !line.breakable;
    Some(if line.trailing || cut_word { Joint::Nothing } else { Joint::Blank })
}

/// Where a frame goes on: `File` / `"…",` / `line 3, in` / `f`, and a path that was broken.
fn broken_frame(text: &str, next: &str) -> Option<Joint> {
    let (text, next) = (unquoted(text).trim(), next.trim_start());
    let numbered = |text: &str| text.strip_prefix("line ").is_some_and(|rest| digits(rest.as_bytes()) > 0);
    let path = || text.starts_with("File \"") || text.starts_with('"');
    if text == "File" && next.starts_with('"') {
        return Some(Joint::Blank);
    }
    if text.ends_with("\",") && path() && numbered(next) {
        return Some(Joint::Blank);
    }
    let number = "\", line ";
    if text.starts_with("File \"") && !text.contains(number) && format!("{text}{next}").contains(number) {
        return Some(Joint::Nothing);
    }
    let named = || next.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '<')) && !next.contains(' ');
    let tail = text.strip_suffix(", in").and_then(|text| text.rsplit_once("line "));
    let at_number = tail.is_some_and(|(before, number)| {
        digits(number.as_bytes()) == number.len() && (before.is_empty() || before.ends_with("\", "))
    });
    (at_number && named()).then_some(Joint::Blank)
}

/// A line as it was given.
#[derive(Debug, Clone, Copy)]
struct Line {
    /// In characters, with blanks at its end.
    width: usize,
    /// A blank stands within it.
    breakable: bool,
    /// It ends in a blank.
    trailing: bool,
}

impl Line {
    fn of(text: &str) -> Self {
        let inside = text.trim();
        Self {
            width: text.chars().count(),
            breakable: inside.contains(' '),
            trailing: text.ends_with(' ') && !inside.is_empty(),
        }
    }

    /// Whether so long a word would not have fitted behind it.
    fn is_full(&self, word: usize, width: usize) -> bool {
        word > 0 && self.width > 0 && self.width + usize::from(!self.trailing) + word > width
    }
}

/// A line that a program ends itself: a bar, a fence, a whole frame.
fn ends_itself(text: &str) -> bool {
    let text = text.trim_end();
    let framed = text.rsplit_once("\", line ").and_then(|(_, rest)| rest.split_once(", in "));
    if framed.is_some_and(|(_, name)| !name.is_empty() && !name.contains(' ')) {
        return true;
    }
    text.ends_with("it/s]") || text.ends_with("s/it]") || text.ends_with("```")
}

/// Lists have lines of one kind, each of its own.
fn alike(text: &str, next: &str) -> bool {
    let first = |text: &str| text.trim_start().split([' ', '\t']).next().unwrap_or("").to_owned();
    let word = first(text);
    word.len() > 2 && word == first(next)
}

/// The characters of the first word.
fn first_word(text: &str) -> usize {
    text.trim_start_matches([' ', '>']).split([' ', '\t']).next().map_or(0, |word| word.chars().count())
}

/// What the line ends of an input say. Counted are those at which something goes on.
#[derive(Debug, Default)]
struct Tally {
    /// Lines so long that wrapping is to be seen in them.
    long: usize,
    /// Of these, those behind which the next word would not have fitted.
    full: usize,
    /// Of the full ones, those that show that the same sentence goes on.
    strong: usize,
    /// Those that are exactly as wide as the widest.
    exact: usize,
    /// Those of the exact ones behind which a word goes on, or a blank stands.
    split: usize,
    /// Those of the exact ones that end with a word, or behind which one stands.
    whole_words: usize,
    /// Those that are not much narrower.
    near: usize,
    /// Exact ones at which something else begins.
    ended: usize,
}

impl Tally {
    fn of(source: &str, width: usize) -> Self {
        let mut tally = Self::default();
        let mut lines = source.lines().peekable();
        while let Some(line) = lines.next() {
            if let Some(next) = lines.peek() {
                tally.add(line, next, width);
            }
        }
        tally
    }

    fn add(&mut self, text: &str, next: &str, width: usize) {
        let (line, own) = (Line::of(text), unquoted(next));
        let blank = own.trim().is_empty();
        let long = line.width * 3 > width * 2;
        let exact = line.width == width;
        self.long += usize::from(long && !blank);
        if blank || ends_itself(text) || line.width == 0 {
            return;
        }
        if begins_anew(own.trim_start(), false) || alike(text, own) {
            self.ended += usize::from(exact);
            return;
        }
        self.near += usize::from(!exact && line.width * 10 > width * 9);
        self.exact += usize::from(exact);
        self.whole_words += usize::from(exact && between_words(text, own));
        self.split += usize::from(exact && (own.starts_with(' ') || goes_on(text, own)));
        if line.is_full(first_word(next), width) && !begins_anew(own, true) {
            self.full += usize::from(long);
            self.strong += usize::from(line.trailing || goes_on(text, own));
        }
    }

    /// Whether lines are cut at the width.
    fn cut(&self, width: usize) -> bool {
        // One line of that width says something only where programs have that width.
        let usual = width.is_multiple_of(10) || matches!(width, 72 | 76 | 78 | 79 | 119 | 132);
        self.split > 0
            && self.exact >= 3 * self.near
            && self.exact >= 3 * self.ended
            && (self.exact > 1 || usual)
            && self.whole_words * 2 < self.exact.max(2)
    }

    /// Whether lines end between words before the width.
    fn folded(&self) -> bool {
        self.strong > 0 && self.full * 2 >= self.long
    }
}

/// A line without the quoting mark that a mail puts before it.
fn unquoted(text: &str) -> &str {
    text.strip_prefix("> ").unwrap_or(text)
}

/// Words that are seldom the beginning of others, and words that are seldom the end of others.
const BEFORE: [&str; 16] = [
    "with", "not", "from", "your", "this", "that", "was", "has", "are", "you", "have", "been", "tried", "memory",
    "error", "device",
];
const BEHIND: [&str; 20] = [
    "of", "to", "is", "in", "on", "by", "or", "as", "be", "and", "for", "the", "not", "with", "from", "you", "has",
    "was", "memory", "error",
];

/// Whether a word stands at one side of a line end that is known to be whole.
fn between_words(text: &str, next: &str) -> bool {
    let last = text.rsplit(' ').next().unwrap_or("");
    let first = next.split(' ').next().unwrap_or("");
    BEFORE.contains(&last) || BEHIND.contains(&first)
}

/// Whether a line stops in the midst of a sentence or a name, which the next goes on with.
fn goes_on(text: &str, next: &str) -> bool {
    let stops = text.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | '(' | '/' | '\\' | '_' | '-' | '='));
    stops && next.starts_with(|c: char| c.is_lowercase() || c.is_ascii_digit() || matches!(c, '(' | ')' | '_' | '\\'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_width_is_learnt_from_lines_that_go_on() {
        let wrapped = "RuntimeError: PytorchStreamReader failed reading zip archive: \nfailed finding central directory. This can be caused by a \ncorrupted file";
        assert_eq!(Wrapped::learn(wrapped), Wrapped::Between(62));
        let exact = "RuntimeError: [enforce fail at alloc_cpu.cpp:117] data. DefaultCPUAllocator: not\nenough memory: you tried";
        assert_eq!(Wrapped::learn(exact), Wrapped::Between(80));
        let plain =
            "Using pytorch attention in VAE, and nothing else at all here\nModel loaded\ngot prompt\nRuntimeError: bad";
        assert_eq!(Wrapped::learn(plain), Wrapped::No);
    }
}
