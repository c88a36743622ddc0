//! Conditions, and the patterns, facts and texts they speak of.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{ConditionId, FactId, PatternId, ProblemId, RecordId, SectionId, Site};
use crate::value::Value;

/// A text pattern.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Pattern {
    /// Literal runs and holes.
    Phrase(Vec<PhrasePart>),
    /// A regular expression in Rust's syntax.
    Regex {
        /// Without slashes.
        source: Arc<str>,
        /// Whether case is ignored.
        insensitive: bool,
        /// Named groups, in order; `_` stands for `-` in fact names.
        groups: Vec<Arc<str>>,
    },
}

/// A part of a phrase.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum PhrasePart {
    /// Text to be found.
    Literal(Arc<str>),
    /// A hole that is read; its number is its place among the named holes of the phrase.
    Hole(Hole),
    /// `{*}`
    Any,
}

/// How a hole is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Hole {
    /// Gives a number.
    Number,
    /// Gives a size from a number and unit.
    Size,
    /// Gives a size from a bare number of bytes.
    Bytes,
    /// Gives a size from a bare number of mebibytes.
    Mib,
    /// Gives a version.
    Version,
    /// No white space.
    Word,
    /// Letters, digits, `_ - .`.
    Name,
    /// In any quotes.
    Quoted,
    /// A path.
    Path,
    /// The shortest text up to what follows, on the line.
    Text,
    /// The rest of the line.
    Line,
    /// Words between commas or white space; if any begins with `--`, only those that do.
    List,
}

/// A text that patterns are looked for in.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum TextRef {
    /// All of the input.
    Log,
    /// Type, message and hint lines of the failure.
    Error,
    /// Its type.
    ErrorType,
    /// Its message.
    ErrorMessage,
    /// The exceptions before it in a chain.
    ErrorCause,
    /// Its stack.
    Trace,
    /// A section.
    Section(SectionId),
    /// The value of a text, name or one-of fact (also within a quantifier).
    Fact(FactRef),
    /// In `any error where (…)`: a text of the failure at hand: `.message`, `.type`, `.cause`, `.trace`, or all of it.
    EachError(ErrorPart),
}

/// A part of a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ErrorPart {
    /// Type, message and hint lines.
    All,
    /// `.type`
    Type,
    /// `.message`
    Message,
    /// `.cause`
    Cause,
    /// `.trace`
    Trace,
}

/// A fact as a condition or text refers to it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum FactRef {
    /// A fact; a field of a record is that of the element the failing run used.
    Fact(FactId),
    /// A field of the element a quantifier speaks of.
    Element(FactId),
    /// What a hole of this rule's pattern read in a text.
    Capture {
        /// The name it has in the rule.
        name: Arc<str>,
        /// The text.
        text: Box<TextRef>,
        /// The pattern.
        pattern: PatternId,
        /// Which of the pattern's named holes.
        hole: u32,
    },
}

/// A condition.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Condition {
    /// Its number.
    pub id: ConditionId,
    /// Where it stands.
    pub site: Site,
    /// What it is.
    pub kind: ConditionKind,
}

impl Condition {
    /// Visits its single tests, in the order written.
    pub fn each_test<'c>(&'c self, visit: &mut dyn FnMut(&'c Test)) {
        match &self.kind {
            ConditionKind::All(list) | ConditionKind::Any(list) | ConditionKind::AtLeast(_, list) => {
                list.iter().for_each(|inner| inner.each_test(visit));
            }
            ConditionKind::Not(inner) | ConditionKind::Quantified(_, _, inner) => inner.each_test(visit),
            ConditionKind::Test(test) => visit(test),
        }
    }
}

/// What a condition is. `none of (…)` is a `Not` of an `Any`; `not in` and `is not` are a `Not` of the positive.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum ConditionKind {
    /// All hold.
    All(Vec<Condition>),
    /// One holds.
    Any(Vec<Condition>),
    /// It does not hold.
    Not(Box<Condition>),
    /// At least so many hold.
    AtLeast(u32, Vec<Condition>),
    /// Over the elements of a record.
    Quantified(Quantifier, Over, Box<Condition>),
    /// A single test.
    Test(Test),
}

/// What a quantifier speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Over {
    /// The elements of a record.
    Record(RecordId),
    /// The failures of the text.
    Errors,
}

/// How a condition speaks of elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Quantifier {
    /// For one at least.
    Any,
    /// For none.
    No,
    /// For each.
    Every,
}

/// A single test.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Test {
    /// A bool fact.
    Holds(FactRef),
    /// `left OP right`; versions as [`crate::Version::compare_to`] says, texts and words without regard to case.
    Compare(Term, Comparison, Term),
    /// Within a range, ends included (versions: in the sense of the literals).
    Within(Term, Value, Value),
    /// One of these values.
    OneOf(Term, Vec<Value>),
    /// A set holds one, all or none of these.
    Has(FactRef, Group, Vec<Value>),
    /// A fact is known, unknown or none.
    State(FactRef, StateKind),
    /// A record has elements (`Known`), has none (`None`), or it is not known (`Unknown`).
    RecordState(RecordId, StateKind),
    /// A section is in the text (`Known`) or missing (`Unknown`).
    SectionState(SectionId, StateKind),
    /// A text matches.
    Matches(Matching),
    /// A problem is certain.
    Problem(ProblemId),
    /// No rule certainly diagnosed any problem.
    NoProblem,
}

/// One, all or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Group {
    /// One at least.
    Any,
    /// Each.
    All,
    /// Not one.
    None,
}

/// Known, unknown or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum StateKind {
    /// It has a value.
    Known,
    /// Nothing is known of it.
    Unknown,
    /// It is known to have no value.
    None,
}

/// How two terms compare. With a fact that is none, no comparison holds, `!=` neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

impl Comparison {
    /// As written in a rule.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        }
    }

    /// The comparison with its sides exchanged.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Greater => Self::Less,
            Self::GreaterOrEqual => Self::LessOrEqual,
            Self::Equal | Self::NotEqual => self,
        }
    }

    /// The comparison that holds where this one does not, both sides being known.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::Less => Self::GreaterOrEqual,
            Self::LessOrEqual => Self::Greater,
            Self::Greater => Self::LessOrEqual,
            Self::GreaterOrEqual => Self::Less,
        }
    }
}

/// A side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Term {
    /// A value of the other side's type.
    Literal(Value),
    /// A fact.
    Fact(FactRef),
    /// Two terms; `None` for a result that is no value (a division by zero, a negative size): then the test is unknown.
    Arithmetic(Box<Term>, Operator, Box<Term>),
}

/// An arithmetic operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
}

impl Operator {
    /// As written in a rule.
    #[must_use]
    pub const fn sign(self) -> char {
        match self {
            Self::Add => '+',
            Self::Subtract => '-',
            Self::Multiply => '*',
            Self::Divide => '/',
        }
    }
}

/// `TEXT matches …`
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Matching {
    /// Where.
    pub text: TextRef,
    /// One of these.
    pub patterns: Vec<PatternId>,
    /// Followed by this, at most so many lines below.
    pub followed_by: Option<(PatternId, u32)>,
    /// At least so many times; 1 if not said.
    pub times: u32,
}
