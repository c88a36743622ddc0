//! Regular expressions: whether they can be read, and their named groups.

use std::sync::Arc;

use regex_syntax::ast::parse::ParserBuilder;
use regex_syntax::ast::{self, Ast, ErrorKind, GroupKind, Visitor};
use rulecheck_grammar::{Diagnostic, Span};

use super::{At, codes, id};

/// A regular expression as the checker sees it.
pub(super) struct Regex {
    /// The names of its groups, in order.
    pub(super) groups: Vec<Arc<str>>,
    /// Whether every match holds a run of at least three letters or digits that can be searched for.
    pub(super) has_literal: bool,
}

/// Reads a regular expression, without translating it: at run time it is compiled when it is first needed.
pub(super) fn read(source: &str) -> Result<Regex, ast::Error> {
    let tree = ParserBuilder::new().nest_limit(128).build().parse(source)?;
    let groups = ast::visit(&tree, Groups::default()).unwrap_or_default();
    Ok(Regex { groups, has_literal: has_literal(&tree) })
}

#[derive(Default)]
struct Groups {
    names: Vec<Arc<str>>,
}

impl Visitor for Groups {
    type Output = Vec<Arc<str>>;
    type Err = ();

    fn finish(self) -> Result<Self::Output, ()> {
        Ok(self.names)
    }

    fn visit_pre(&mut self, tree: &Ast) -> Result<(), ()> {
        if let Ast::Group(group) = tree
            && let GroupKind::CaptureName { name, .. } = &group.kind
        {
            self.names.push(name.name.as_str().into());
        }
        Ok(())
    }
}

/// Whether every match holds a run that can be searched for. Recursion is bounded by the nest limit.
fn has_literal(tree: &Ast) -> bool {
    match tree {
        Ast::Concat(concat) => {
            let mut run = 0;
            concat.asts.iter().any(|part| {
                run = if matches!(part, Ast::Literal(literal) if literal.c.is_alphanumeric()) { run + 1 } else { 0 };
                run >= 3 || has_literal(part)
            })
        }
        Ast::Alternation(alternation) => alternation.asts.iter().all(has_literal),
        Ast::Group(group) => has_literal(&group.ast),
        Ast::Repetition(repetition) => !is_optional(&repetition.op.kind) && has_literal(&repetition.ast),
        _ => false,
    }
}

const fn is_optional(kind: &ast::RepetitionKind) -> bool {
    use ast::RepetitionRange::{AtLeast, Bounded, Exactly};
    match kind {
        ast::RepetitionKind::ZeroOrOne | ast::RepetitionKind::ZeroOrMore => true,
        ast::RepetitionKind::OneOrMore => false,
        ast::RepetitionKind::Range(AtLeast(least) | Exactly(least) | Bounded(least, _)) => *least == 0,
    }
}

/// What is wrong with a regular expression, at its place in the rule file. `span` covers it with its slashes.
pub(super) fn explain(error: &ast::Error, written: &str, at: At, span: Span) -> Diagnostic {
    let place = place(error, written, span);
    let (code, message, help) = match error.kind() {
        ErrorKind::UnsupportedLookAround => (
            codes::REGEX_BEYOND,
            "regular expressions here have no look-around".to_owned(),
            "match the text itself and ask the rest as a condition of its own: `… matches /…/ and not … matches /…/`",
        ),
        ErrorKind::UnsupportedBackreference => (
            codes::REGEX_BEYOND,
            "regular expressions here have no back-references".to_owned(),
            "write what the group may match a second time, or two patterns: `matches \"A\" followed by \"B\" within 1 lines`",
        ),
        kind => (codes::REGEX, format!("the regular expression cannot be read: {}", fault(kind)), remedy(kind)),
    };
    Diagnostic::error(code, message, at.source, place).help(help)
}

fn fault(kind: &ErrorKind) -> String {
    match kind {
        ErrorKind::GroupUnclosed => "a `(` is not closed".to_owned(),
        ErrorKind::GroupUnopened => "a `)` closes nothing".to_owned(),
        ErrorKind::ClassUnclosed => "a `[` is not closed".to_owned(),
        ErrorKind::RepetitionMissing => "there is nothing to repeat".to_owned(),
        ErrorKind::RepetitionCountUnclosed => "a `{` is not closed".to_owned(),
        ErrorKind::EscapeUnrecognized => "this escape does not exist".to_owned(),
        ErrorKind::GroupNameDuplicate { .. } => "two groups have the same name".to_owned(),
        ErrorKind::NestLimitExceeded(limit) => format!("it nests more than {limit} deep"),
        other => other.to_string(),
    }
}

const fn remedy(kind: &ErrorKind) -> &'static str {
    match kind {
        ErrorKind::GroupUnclosed | ErrorKind::GroupUnopened => "close it, or write `\\(` or `\\)` for the bracket itself",
        ErrorKind::ClassUnclosed => "close it, or write `\\[` for the bracket itself",
        ErrorKind::RepetitionMissing => "write `\\*`, `\\+` or `\\?` for the sign itself",
        ErrorKind::RepetitionCountUnclosed | ErrorKind::RepetitionCountDecimalEmpty | ErrorKind::RepetitionCountInvalid => {
            "write `\\{` for the brace itself"
        }
        ErrorKind::EscapeUnrecognized => "take the backslash out, or write `\\\\` for a backslash",
        ErrorKind::GroupNameDuplicate { .. } => "give each group a name of its own",
        _ => "see the syntax of Rust's regular expressions; a quoted phrase with holes may be enough",
    }
}

/// Where in the file an error stands. Written, each `/` of the expression has a backslash that was taken away.
fn place(error: &ast::Error, written: &str, span: Span) -> Span {
    let body = written.strip_prefix('/').unwrap_or(written);
    let locate = |offset: usize| {
        let mut read = 0;
        let mut bytes = body.bytes().enumerate().peekable();
        while read < offset {
            let Some((_, byte)) = bytes.next() else { break };
            if byte == b'\\' && bytes.peek().is_some_and(|&(_, next)| next == b'/') {
                bytes.next();
            }
            read += 1;
        }
        id(bytes.peek().map_or(body.len(), |&(index, _)| index))
    };
    let start = span.start + 1 + locate(error.span().start.offset);
    let end = span.start + 1 + locate(error.span().end.offset);
    Span::new(start.min(span.end), end.max(start).min(span.end))
}
