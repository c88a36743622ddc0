//! Hard-wrapped pastes: a terminal or an editor cut long lines at a width. Where the line ends of an input show that,
//! those that it put in are taken out again, so that every other form is read as if nothing had happened.

use crate::failures::begins_anew;

/// Widths at which programs wrap.
const NARROWEST: usize = 40;
const WIDEST: usize = 200;

/// How an input was wrapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wrapped {
    /// No line is wider, in characters.
    width: usize,
    /// Lines were cut within words.
    within_words: bool,
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
    pub(crate) fn learn(source: &str) -> Option<Self> {
        let lines = || source.lines().map(Line::of);
        let mut width = 0;
        for line in lines() {
            // What has no blank could not be cut by some programs.
            if line.breakable || line.width <= WIDEST {
                width = width.max(line.width);
            }
            if width > WIDEST {
                return None;
            }
        }
        if width < NARROWEST {
            return None;
        }
        let mut tally = Tally::default();
        let mut pairs = lines().peekable();
        while let Some(line) = pairs.next() {
            if let Some(next) = pairs.peek() {
                tally.add(&line, next, width);
            }
        }
        tally.verdict(width)
    }

    /// Whether the line end between two lines was put in. `text` is a line as given, `next` what follows, clean.
    pub(crate) fn joint(&self, text: &str, next: &str) -> Option<Joint> {
        let line = Line::of(text);
        let exact = line.width == self.width;
        if self.within_words {
            let joins = exact && !begins_anew(next.trim_start(), false);
            return joins.then_some(Joint::Nothing);
        }
        if !line.is_full(first_word(next), self.width) || begins_anew(next, true) || ends_itself(text) {
            return None;
        }
        let cut_word = exact && !line.breakable;
        Some(if line.trailing || cut_word { Joint::Nothing } else { Joint::Blank })
    }
}

/// A line as it was given.
#[derive(Debug, Clone, Copy)]
struct Line<'t> {
    text: &'t str,
    /// In characters, with blanks at its end.
    width: usize,
    /// A blank stands within it.
    breakable: bool,
    /// It ends in a blank.
    trailing: bool,
}

impl<'t> Line<'t> {
    fn of(text: &'t str) -> Self {
        let inside = text.trim();
        Self {
            text,
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

/// A line that a program ends itself.
fn ends_itself(text: &str) -> bool {
    let text = text.trim_end();
    text.ends_with("it/s]") || text.ends_with("s/it]") || text.ends_with("```")
}

/// The characters of the first word.
fn first_word(text: &str) -> usize {
    text.trim_start_matches([' ', '>']).split([' ', '\t']).next().map_or(0, |word| word.chars().count())
}

/// What the line ends of an input say.
#[derive(Debug, Default)]
struct Tally {
    /// Lines so long that wrapping is to be seen in them.
    long: usize,
    /// Of these, those that are full where something goes on.
    full: usize,
    /// Of these, those that show that the same sentence goes on.
    strong: usize,
    /// Those that are exactly as wide as the widest.
    exact: usize,
    /// Those of the exact ones at which the next line begins within a word.
    split: usize,
}

impl Tally {
    fn add(&mut self, line: &Line<'_>, next: &Line<'_>, width: usize) {
        let own = unquoted(next.text);
        let blank = own.trim().is_empty();
        let long = line.width * 3 > width * 2;
        self.long += usize::from(long && !blank);
        if blank || ends_itself(line.text) || !line.is_full(first_word(next.text), width) {
            return;
        }
        let exact = line.width == width && !line.trailing;
        if begins_anew(own, !exact) {
            return;
        }
        self.full += usize::from(long);
        self.strong += usize::from(line.trailing || goes_on(line.text, own));
        self.exact += usize::from(exact);
        self.split += usize::from(exact && !own.starts_with(' ') && goes_on(line.text, own));
    }

    fn verdict(&self, width: usize) -> Option<Wrapped> {
        let wrapped = self.strong > 0 && self.full * 2 >= self.long;
        let within_words = self.exact >= 3 && self.exact * 10 >= self.full * 8 && self.split > 0;
        wrapped.then_some(Wrapped { width, within_words })
    }
}

/// A line without the quoting mark that a mail puts before it.
fn unquoted(text: &str) -> &str {
    text.strip_prefix("> ").unwrap_or(text)
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
        assert_eq!(Wrapped::learn(wrapped), Some(Wrapped { width: 61, within_words: false }));
        let plain = "Using pytorch attention in VAE, and nothing else at all here\nModel loaded\ngot prompt\nRuntimeError: bad";
        assert_eq!(Wrapped::learn(plain), None);
    }
}
