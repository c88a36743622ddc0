//! Regular expressions: whether they can be read, and their named groups.

use std::sync::Arc;

use regex_syntax::ast::parse::ParserBuilder;
use regex_syntax::ast::{self, Ast, ErrorKind, GroupKind, Visitor};
use rulecheck_grammar::{Code, Diagnostic, Span};

use super::{At, codes, id};

/// A regular expression as the checker sees it.
pub(super) struct Regex {
    /// The names of its groups, in order.
    pub(super) groups: Vec<Arc<str>>,
    /// Whether every match holds a run of at least two characters that can be searched for.
    pub(super) has_literal: bool,
}

/// Why a regular expression cannot be used, and where.
pub(super) enum Fault {
    Syntax(Box<ast::Error>),
    /// `(?i)` and the like.
    Flags(ast::Span),
    /// `\p{…}`
    Unicode(ast::Span),
}

/// Reads a regular expression, without translating it: at run time it is compiled when it is first needed.
pub(super) fn read(source: &str) -> Result<Regex, Fault> {
    let tree = ParserBuilder::new().nest_limit(128).build().parse(source);
    let tree = tree.map_err(|error| Fault::Syntax(Box::new(error)))?;
    let groups = ast::visit(&tree, Groups::default())?;
    Ok(Regex { groups, has_literal: has_literal(&tree) })
}

#[derive(Default)]
struct Groups {
    names: Vec<Arc<str>>,
}

impl Visitor for Groups {
    type Output = Vec<Arc<str>>;
    type Err = Fault;

    fn finish(self) -> Result<Self::Output, Fault> {
        Ok(self.names)
    }

    fn visit_pre(&mut self, tree: &Ast) -> Result<(), Fault> {
        match tree {
            Ast::Group(group) => match &group.kind {
                GroupKind::CaptureName { name, .. } => self.names.push(name.name.as_str().into()),
                GroupKind::NonCapturing(flags) if !flags.items.is_empty() => return Err(Fault::Flags(flags.span)),
                GroupKind::NonCapturing(_) | GroupKind::CaptureIndex(_) => {}
            },
            Ast::Flags(flags) => return Err(Fault::Flags(flags.span)),
            Ast::ClassUnicode(class) => return Err(Fault::Unicode(class.span)),
            _ => {}
        }
        Ok(())
    }

    fn visit_class_set_item_pre(&mut self, item: &ast::ClassSetItem) -> Result<(), Fault> {
        match item {
            ast::ClassSetItem::Unicode(class) => Err(Fault::Unicode(class.span)),
            _ => Ok(()),
        }
    }
}

/// Whether every match holds a run that can be searched for. Recursion is bounded by the nest limit.
fn has_literal(tree: &Ast) -> bool {
    match tree {
        Ast::Concat(concat) => {
            let mut run = 0;
            concat.asts.iter().any(|part| {
                match part {
                    Ast::Literal(literal) => run += u32::from(!literal.c.is_whitespace()),
                    Ast::Assertion(_) => {}
                    _ => run = 0,
                }
                run >= 2 || has_literal(part)
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
pub(super) fn explain(fault: &Fault, written: &str, at: At, span: Span) -> Diagnostic {
    let (code, message, help) = match fault {
        Fault::Syntax(error) => syntax(error.kind()),
        Fault::Flags(_) => (
            codes::REGEX,
            "flags cannot stand inside a regular expression".to_owned(),
            "write `i` behind the closing slash, or `[Aa]` for one letter",
        ),
        Fault::Unicode(_) => {
            (codes::REGEX, "classes of Unicode are not available".to_owned(), "name the characters: `[äöü]`")
        }
    };
    let own = match fault {
        Fault::Syntax(error) => error.span(),
        Fault::Flags(span) | Fault::Unicode(span) => span,
    };
    Diagnostic::error(code, message, at.source, place(own, written, span)).help(help)
}

fn syntax(kind: &ErrorKind) -> (Code, String, &'static str) {
    match kind {
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
        kind => (codes::REGEX, format!("the regular expression cannot be read: {}", self::fault(kind)), remedy(kind)),
    }
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
        ErrorKind::GroupUnclosed | ErrorKind::GroupUnopened => {
            "close it, or write `\\(` or `\\)` for the bracket itself"
        }
        ErrorKind::ClassUnclosed => "close it, or write `\\[` for the bracket itself",
        ErrorKind::RepetitionMissing => "write `\\*`, `\\+` or `\\?` for the sign itself",
        ErrorKind::RepetitionCountUnclosed
        | ErrorKind::RepetitionCountDecimalEmpty
        | ErrorKind::RepetitionCountInvalid => "write `\\{` for the brace itself",
        ErrorKind::EscapeUnrecognized => "take the backslash out, or write `\\\\` for a backslash",
        ErrorKind::GroupNameDuplicate { .. } => "give each group a name of its own",
        _ => "see the syntax of Rust's regular expressions; a quoted phrase with holes may be enough",
    }
}

/// Where in the file a part of the expression stands. Written, each `/` of the expression has a backslash that was taken away.
fn place(own: &ast::Span, written: &str, span: Span) -> Span {
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
    let start = span.start + 1 + locate(own.start.offset);
    let end = span.start + 1 + locate(own.end.offset);
    Span::new(start.min(span.end), end.max(start).min(span.end))
}
