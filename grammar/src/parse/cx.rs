//! What every part of the parser needs: the text, and where its findings go.

use crate::codes;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::{SourceId, Span};

/// Behind this many findings in a file the rest is not listed.
pub(super) const MAX_FINDINGS: usize = 10_000;

/// The source that is parsed, and its findings.
pub(super) struct Cx<'a> {
    /// The source's text.
    pub(super) text: &'a str,
    /// The same with blanks for comments and for white space of other kinds, each byte at the same place.
    pub(super) clean: &'a str,
    /// The source.
    pub(super) id: SourceId,
    /// Where the text that pest is given begins in the source.
    pub(super) base: usize,
    found: usize,
    diagnostics: &'a mut Diagnostics,
}

impl<'a> Cx<'a> {
    pub(super) fn new(text: &'a str, id: SourceId, diagnostics: &'a mut Diagnostics) -> Self {
        Self { text, clean: text, id, base: 0, found: 0, diagnostics }
    }

    /// The same source once its comments are known.
    pub(super) fn cleaned<'b>(&'b mut self, clean: &'b str) -> Cx<'b> {
        Cx { text: self.text, clean, id: self.id, base: 0, found: self.found, diagnostics: self.diagnostics }
    }

    /// How many findings there are so far.
    pub(super) fn found(&self) -> usize {
        self.found
    }

    /// The text between two places; empty where there is none.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or("")
    }

    /// The text at a span.
    pub(super) fn at(&self, span: Span) -> &'a str {
        self.slice(span.start as usize, span.end as usize)
    }

    /// Begins an error.
    pub(super) fn error(&self, code: Code, message: impl Into<String>, span: Span) -> Diagnostic {
        Diagnostic::error(code, message, self.id, span)
    }

    /// Reports a finding.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.found += 1;
        if self.found < MAX_FINDINGS {
            self.diagnostics.push(diagnostic);
        } else if self.found == MAX_FINDINGS {
            let span = diagnostic.place().1;
            let message = format!("this file has more than {MAX_FINDINGS} mistakes");
            self.diagnostics.push(
                self.error(codes::TOO_MANY_FINDINGS, message, span)
                    .help("mend the ones above first: the rest is not listed"),
            );
        }
    }
}

/// A span of byte offsets. Sources are shorter than 4 GiB, see [`super::MAX_FILE`].
pub(super) fn span(start: usize, end: usize) -> Span {
    Span::new(u32::try_from(start).unwrap_or(u32::MAX), u32::try_from(end).unwrap_or(u32::MAX))
}

/// A piece of the writer's text for a message: in backticks, on one line, cut if long.
pub(super) fn shown(text: &str) -> String {
    const LONGEST: usize = 40;
    let line = text.lines().next().unwrap_or("");
    if line.chars().count() <= LONGEST {
        return format!("`{line}`");
    }
    let cut: String = line.chars().take(LONGEST).collect();
    format!("`{cut}…`")
}
