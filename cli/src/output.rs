//! The one door to standard output and standard error, and the one place that knows colours.

use std::io::{self, Write};

use anstream::AutoStream;
use rulecheck::report::{Markup, Tone};

use crate::failure::Result;

/// Writes a text as it stands.
pub(crate) fn text(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Writes marked text, with colour if wanted.
pub(crate) fn markup(markup: &Markup, color: bool) -> Result<()> {
    if !color {
        return text(&markup.plain());
    }
    styled(&colored(markup), color)
}

/// Writes a text that may hold colours already, as other libraries render them.
pub(crate) fn styled(text: &str, color: bool) -> Result<()> {
    if !color {
        return self::text(text);
    }
    // Old consoles of Windows need to be told to take colours, or to be called for each; the stream does either.
    let mut out = AutoStream::always(io::stdout().lock());
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Writes to standard error. That nobody reads it is no reason to fail.
pub(crate) fn error(text: &str) {
    let mut out = AutoStream::always(io::stderr().lock());
    let _ = out.write_all(text.as_bytes());
    let _ = out.flush();
}

fn colored(markup: &Markup) -> String {
    let mut out = String::new();
    for (tone, text) in markup.spans() {
        let code = code(tone);
        if code.is_empty() {
            out.push_str(text);
            continue;
        }
        // A colour never spans a line end: pagers would lose it.
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                out.push('\n');
            }
            if !line.is_empty() {
                out.push_str(&format!("\u{1b}[{code}m{line}\u{1b}[0m"));
            }
        }
    }
    out
}

const fn code(tone: Tone) -> &'static str {
    match tone {
        Tone::Plain => "",
        Tone::Heading => "1;36",
        Tone::Strong => "1",
        Tone::Faint => "2",
        Tone::Good => "1;32",
        Tone::Warn => "1;33",
        Tone::Bad | Tone::Pointer => "1;31",
        Tone::Code => "32",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_ends_with_its_line() {
        let mut markup = Markup::new();
        markup.push(Tone::Strong, "a\nb");
        assert_eq!(colored(&markup), "\u{1b}[1ma\u{1b}[0m\n\u{1b}[1mb\u{1b}[0m");
    }
}
