//! Findings about rule text, as data. Rendering is somebody else's work.

use crate::source::{SourceId, Span};

/// A stable code such as `RC0301`. The first two digits say the kind: 01 syntax, 02 names, 03 types and units,
/// 04 structure of rules and entries, 05 advice of the linter, 06 packs and manifests, 07 limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub &'static str);

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The rules cannot be used as they are.
    Error,
    /// They can, but probably do not say what was meant.
    Warning,
}

/// A marked place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The source the place is in.
    pub source: SourceId,
    /// The place.
    pub span: Span,
    /// What is said beside it; may be empty for a primary label.
    pub text: String,
    /// Whether this is where the mistake is, rather than context.
    pub primary: bool,
}

/// A replacement that mends the finding and changes nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The source to change.
    pub source: SourceId,
    /// What to replace; empty to insert.
    pub span: Span,
    /// The new text.
    pub replacement: String,
}

/// One finding: what is wrong in the maintainer's words, where, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its stable code.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// Lower case, no full stop, user text in backticks: says what is wrong, not where.
    pub message: String,
    /// The places; the first primary one is the place of the finding.
    pub labels: Vec<Label>,
    /// What to do, as an imperative.
    pub help: Option<String>,
    /// A replacement that does it.
    pub edit: Option<Edit>,
}

impl Diagnostic {
    /// An error at one place.
    pub fn error(code: Code, message: impl Into<String>, source: SourceId, span: Span) -> Self {
        Self::new(Severity::Error, code, message, source, span)
    }

    /// A warning at one place.
    pub fn warning(code: Code, message: impl Into<String>, source: SourceId, span: Span) -> Self {
        Self::new(Severity::Warning, code, message, source, span)
    }

    fn new(severity: Severity, code: Code, message: impl Into<String>, source: SourceId, span: Span) -> Self {
        let label = Label { source, span, text: String::new(), primary: true };
        Self { code, severity, message: message.into(), labels: vec![label], help: None, edit: None }
    }

    /// Says something beside the primary place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        if let Some(first) = self.labels.first_mut() {
            first.text = text.into();
        }
        self
    }

    /// Marks another place as context.
    #[must_use]
    pub fn context(mut self, source: SourceId, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { source, span, text: text.into(), primary: false });
        self
    }

    /// Adds what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds a replacement that does it.
    #[must_use]
    pub fn edit(mut self, source: SourceId, span: Span, replacement: impl Into<String>) -> Self {
        self.edit = Some(Edit { source, span, replacement: replacement.into() });
        self
    }

    /// The source and span of the finding, for sorting.
    #[must_use]
    pub fn place(&self) -> (SourceId, Span) {
        self.labels.iter().find(|l| l.primary).map_or((SourceId::default(), Span::default()), |l| (l.source, l.span))
    }
}

/// The findings of a run, of all files and passes.
#[derive(Debug, Clone, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// No findings yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }

    /// Whether any finding is an error.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|d| d.severity == Severity::Error)
    }

    /// Whether nothing was found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many findings there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// The findings, in the order they were found.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// Orders the findings by file, place and code, and drops exact repetitions.
    pub fn sort(&mut self) {
        self.list.sort_by(|a, b| (a.place(), a.code, &a.message).cmp(&(b.place(), b.code, &b.message)));
        self.list.dedup();
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}
