//! Text patterns: one each, whoever names it, and the holes that read.

use std::sync::Arc;

use rulecheck_grammar::ast::{self, HoleType, PhrasePart};
use rulecheck_grammar::{Span, Spanned};

use super::{At, Checker, codes, id, regexes};
use crate::ir::{Hole, Pattern, PatternId, PhrasePart as Part};
use crate::value::Type;

/// More holes than this are refused: a text that fills them is looked for with patience that nobody has.
const MOST_HOLES: usize = 64;

/// Words that begin an action, and words that make a test of the fact before them.
const VERBS: [&str; 4] = ["suggest", "diagnose", "suspect", "avoid"];
const OPERATORS: [&str; 7] = ["=", "!=", "<", "<=", ">", ">=", "matches"];

/// A named hole or group of a pattern.
#[derive(Debug, Clone)]
pub(super) struct NamedHole {
    /// Its name, with `-` for the `_` of a group where a fact's name wants it.
    pub(super) name: Arc<str>,
    /// How it is read; none for a group.
    pub(super) hole: Option<Hole>,
    /// Its place, or that of the regular expression.
    pub(super) span: Span,
}

impl Checker<'_> {
    /// The id of a pattern; what is wrong with it is reported.
    pub(super) fn pattern(&mut self, pattern: &ast::Pattern, span: Span, at: At) -> Option<PatternId> {
        if let ast::Pattern::Phrase { parts, quoted: false } = pattern
            && let [PhrasePart::Literal(words)] = parts.as_slice()
        {
            self.holds_the_rest(words, span, at);
        }
        match self.read_pattern(pattern) {
            Ok((pattern, _)) => {
                self.is_some_pattern(&pattern, span, at)?;
                Some(self.intern(pattern))
            }
            Err(fault) => {
                let written = self.slice(at, span).to_owned();
                self.push(regexes::explain(&fault, &written, at, span));
                None
            }
        }
    }

    /// Reports a bare phrase that swallowed an action or a condition, since the word before it is missing.
    fn holds_the_rest(&mut self, words: &str, span: Span, at: At) {
        let words: Vec<&str> = words.split([' ', '\t', '，', '、', ',']).filter(|word| !word.is_empty()).collect();
        for (index, pair) in words.windows(2).enumerate() {
            let [first, second] = pair else { continue };
            let ends = index + 2 == words.len() && index > 0;
            let (what, missing) = if VERBS.contains(first) && (ends || self.names_entry(second)) {
                ("an action", "then")
            } else if OPERATORS.contains(second) && self.names.things.contains_key(*first)
                || *first == "not" && self.names.things.contains_key(*second)
            {
                ("a condition", "and")
            } else {
                continue;
            };
            let message = format!("this phrase seems to hold {what}: `{first} {second}`");
            let help =
                format!("write `{missing}` before `{first}`, or put the phrase in quotes if all of it is to be found");
            return self.error(codes::SWALLOWED, at, span, message, help);
        }
    }

    fn names_entry(&self, id: &str) -> bool {
        let is_like_id =
            id.contains('-') && id.bytes().all(|it| it.is_ascii_lowercase() || b"-0123456789".contains(&it));
        is_like_id || self.names.fixes.contains_key(id) || self.names.problems.contains_key(id)
    }

    /// The pattern and its named holes, in order.
    pub(super) fn read_pattern(&mut self, pattern: &ast::Pattern) -> Result<(Pattern, Vec<NamedHole>), regexes::Fault> {
        match pattern {
            ast::Pattern::Phrase { parts, .. } => Ok(self.phrase(parts)),
            ast::Pattern::Regex { source, insensitive } => {
                let groups = regexes::read(source)?.groups;
                let holes = groups.iter().map(|name| NamedHole {
                    name: self.group_name(name),
                    hole: None,
                    span: Span::default(),
                });
                let holes = holes.collect();
                Ok((Pattern::Regex { source: source.as_str().into(), insensitive: *insensitive, groups }, holes))
            }
        }
    }

    fn phrase(&mut self, parts: &[PhrasePart]) -> (Pattern, Vec<NamedHole>) {
        let mut read = Vec::with_capacity(parts.len());
        let mut holes = Vec::new();
        for part in parts {
            read.push(match part {
                PhrasePart::Literal(text) => Part::Literal(text.as_str().into()),
                PhrasePart::Any(_) => Part::Any,
                PhrasePart::Hole { name, ty } => {
                    let hole = self.hole(&name.node, ty.as_ref());
                    holes.push(NamedHole { name: name.node.as_str().into(), hole: Some(hole), span: name.span });
                    Part::Hole(hole)
                }
            });
        }
        (Pattern::Phrase(read), holes)
    }

    /// How a hole is read: as written, else as the fact of its name is, else as the shortest text.
    fn hole(&mut self, name: &str, ty: Option<&Spanned<HoleType>>) -> Hole {
        if let Some(ty) = ty {
            return hole(ty.node);
        }
        let fact = self.fact(name);
        fact.map_or(Hole::Text, |fact| hole_of(&self.type_of(fact)))
    }

    /// A group's name as a fact's: `_` stands for `-` where no fact has the name as it is.
    fn group_name(&mut self, name: &Arc<str>) -> Arc<str> {
        let dashed = name.replace('_', "-");
        if dashed != **name && self.fact(name).is_none() { dashed.into() } else { Arc::clone(name) }
    }

    /// The id of a pattern: that of an equal one, if there is any.
    pub(super) fn intern(&mut self, pattern: Pattern) -> PatternId {
        if let Some(known) = self.patterns.get(&pattern) {
            return *known;
        }
        let new = PatternId(id(self.program.patterns.len()));
        self.patterns.insert(pattern.clone(), new);
        self.program.patterns.push(pattern);
        new
    }

    fn is_some_pattern(&mut self, pattern: &Pattern, span: Span, at: At) -> Option<()> {
        let empty = match pattern {
            Pattern::Phrase(parts) => parts.iter().all(|part| match part {
                Part::Literal(text) => text.trim().is_empty(),
                Part::Any => true,
                Part::Hole(_) => false,
            }),
            Pattern::Regex { source, .. } => source.is_empty(),
        };
        let holes = match pattern {
            Pattern::Phrase(parts) => parts.iter().filter(|part| matches!(part, Part::Hole(_))).count(),
            Pattern::Regex { groups, .. } => groups.len(),
        };
        if holes > MOST_HOLES {
            let message = format!("the pattern has {holes} holes, more than {MOST_HOLES}");
            self.error(codes::PATTERN, at, span, message, "write `{*}` for what is not read, or several patterns");
            return None;
        }
        if empty {
            let help = "write the words that the text must hold";
            self.error(codes::PATTERN, at, span, "the pattern matches every text", help);
            return None;
        }
        Some(())
    }
}

/// The hole that a type of the language is.
pub(super) const fn hole(ty: HoleType) -> Hole {
    match ty {
        HoleType::Number => Hole::Number,
        HoleType::Size => Hole::Size,
        HoleType::Bytes => Hole::Bytes,
        HoleType::Mib => Hole::Mib,
        HoleType::Version => Hole::Version,
        HoleType::Word => Hole::Word,
        HoleType::Name => Hole::Name,
        HoleType::Quoted => Hole::Quoted,
        HoleType::Path => Hole::Path,
        HoleType::Text => Hole::Text,
        HoleType::Line => Hole::Line,
        HoleType::List => Hole::List,
    }
}

/// The hole that reads a type of fact.
pub(super) const fn hole_of(ty: &Type) -> Hole {
    match ty {
        Type::Number => Hole::Number,
        Type::Size => Hole::Size,
        Type::Version => Hole::Version,
        Type::Text => Hole::Text,
        Type::Bool | Type::Name | Type::OneOf(_) => Hole::Name,
        Type::Set(_) => Hole::List,
    }
}

/// The word for a hole in the language.
pub(super) const fn hole_word(hole: Hole) -> &'static str {
    match hole {
        Hole::Number => "number",
        Hole::Size => "size",
        Hole::Bytes => "bytes",
        Hole::Mib => "mib",
        Hole::Version => "version",
        Hole::Word => "word",
        Hole::Name => "name",
        Hole::Quoted => "quoted",
        Hole::Path => "path",
        Hole::Text => "text",
        Hole::Line => "line",
        Hole::List => "list",
    }
}

/// The type of what a hole reads in a rule.
pub(super) fn captured_type(hole: Option<Hole>) -> Type {
    match hole {
        Some(Hole::Number) => Type::Number,
        Some(Hole::Size | Hole::Bytes | Hole::Mib) => Type::Size,
        Some(Hole::Version) => Type::Version,
        Some(Hole::List) => Type::Set(std::sync::Arc::new(Type::Text)),
        _ => Type::Text,
    }
}

/// Whether a fact of a type can hold what a hole reads.
pub(super) fn fits(hole: Hole, ty: &Type) -> bool {
    match ty {
        Type::Number => hole == Hole::Number,
        Type::Size => matches!(hole, Hole::Size | Hole::Bytes | Hole::Mib),
        Type::Version => hole == Hole::Version || reads_text(hole),
        Type::Text | Type::Name | Type::OneOf(_) | Type::Bool => reads_text(hole),
        Type::Set(of) => hole == Hole::List || fits(hole, of),
    }
}

const fn reads_text(hole: Hole) -> bool {
    use Hole::{Bytes, List, Mib, Number, Size, Version};
    !matches!(hole, Number | Size | Bytes | Mib | Version | List)
}
