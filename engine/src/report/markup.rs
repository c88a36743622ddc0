//! Text as a list of marked spans.

/// What a span of text is, for whoever adds colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tone {
    /// Running text.
    Plain,
    /// A heading.
    Heading,
    /// What matters most in its place: a title.
    Strong,
    /// What can be passed over: places, ids.
    Faint,
    /// Good news: it holds, it is recommended.
    Good,
    /// Something to be careful with, or not known.
    Warn,
    /// What is wrong, or does not hold.
    Bad,
    /// A command or setting, to be copied as it stands.
    Code,
    /// The line under a quotation that points at what matched.
    Pointer,
}

/// Text as a list of marked spans. Holds no control characters but `\n`: what was pasted cannot move a terminal's cursor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Markup {
    spans: Vec<(Tone, String)>,
}

impl Markup {
    /// No text yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a span. Control characters other than line ends are left out.
    pub fn push(&mut self, tone: Tone, text: &str) {
        let text: String = text.chars().filter(|&c| c == '\n' || !is_hidden(c)).collect();
        if text.is_empty() {
            return;
        }
        match self.spans.last_mut() {
            Some((last, so_far)) if *last == tone => so_far.push_str(&text),
            _ => self.spans.push((tone, text)),
        }
    }

    /// Ends the line.
    pub fn end_line(&mut self) {
        self.push(Tone::Plain, "\n");
    }

    /// The spans, in order.
    pub fn spans(&self) -> impl Iterator<Item = (Tone, &str)> {
        self.spans.iter().map(|(tone, text)| (*tone, text.as_str()))
    }

    /// The text without its marks.
    #[must_use]
    pub fn plain(&self) -> String {
        self.spans.iter().map(|(_, text)| text.as_str()).collect()
    }

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }
}

/// Whether a character must not reach a terminal from a paste: controls, and marks that reorder what is shown.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_pasted_cannot_steer_a_terminal() {
        let mut markup = Markup::new();
        markup.push(Tone::Plain, "a\u{1b}[2Jb\r");
        markup.push(Tone::Plain, "\u{202e}c\n");
        assert_eq!(markup.plain(), "a[2Jbc\n");
        assert_eq!(markup.spans().count(), 1);
    }
}
