//! Conditions, values and patterns.

use super::{Name, Quoted};
use crate::source::{Span, Spanned};

/// A condition or an arithmetic term: brackets are the same for both, types decide afterwards.
#[derive(Debug, Clone)]
pub struct Expr {
    /// Its place, brackets included.
    pub span: Span,
    /// What it is.
    pub kind: ExprKind,
}

impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Expr {}

/// What an expression is.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// `a and b`: two or more, flat.
    And(Vec<Expr>),
    /// `a or b`: two or more, flat.
    Or(Vec<Expr>),
    /// `not a`
    Not(Box<Expr>),
    /// `at least N of (a, b)`
    AtLeast(Spanned<u32>, Vec<Expr>),
    /// `any of (a, b)`, `all of (a, b)`, `none of (a, b)`
    Group(GroupKind, Vec<Expr>),
    /// `any gpu where (…)`, `no disk where (…)`, `every gpu where (…)`
    Quantified {
        /// Of how many elements it must hold.
        quantifier: Spanned<Quantifier>,
        /// Whose elements.
        record: Name,
        /// What must hold; its place includes the brackets.
        condition: Box<Expr>,
    },
    /// `no problem`
    NoProblem,
    /// `a OP b`; `version` holds the second half of `NAME = WORD OP VERSION`.
    Compare {
        /// Left of the operator.
        left: Box<Expr>,
        /// The operator.
        op: Spanned<CompareOp>,
        /// Right of the operator.
        right: Box<Expr>,
        /// `OP VERSION` behind `NAME = WORD`.
        version: Option<(Spanned<CompareOp>, Spanned<Operand>)>,
    },
    /// `a in [b, c]`, `a not in 1..2`
    In {
        /// What is looked for.
        left: Box<Expr>,
        /// Whether it was written `not in`.
        negated: bool,
        /// Where it is looked for.
        items: Spanned<Items>,
    },
    /// `a about 24 GB`
    About {
        /// A size.
        left: Box<Expr>,
        /// The size as sold: number, blank, unit.
        size: Spanned<String>,
    },
    /// `a has b`, `a has any of [b, c]`
    Has {
        /// A set.
        left: Box<Expr>,
        /// How many of the items it must have; absent for one item without a list.
        group: Option<GroupKind>,
        /// The items.
        items: Vec<Spanned<Operand>>,
    },
    /// `a is known`, `a is not none`
    Is {
        /// A fact or a record.
        left: Box<Expr>,
        /// Whether it was written `is not`.
        negated: bool,
        /// What is asked.
        state: Spanned<State>,
    },
    /// `a matches …`, `a not matches …` is not in the language: write `not a matches …`
    Matches {
        /// A text.
        left: Box<Expr>,
        /// What is looked for in it; its place begins behind `matches`.
        matching: Spanned<Matching>,
    },
    /// `a + b`
    Arithmetic {
        /// The operator.
        op: Spanned<ArithmeticOp>,
        /// Left of it.
        left: Box<Expr>,
        /// Right of it.
        right: Box<Expr>,
    },
    /// A name, word, number, size or text.
    Operand(Operand),
}

/// A group of conditions or items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupKind {
    /// `any of`
    Any,
    /// `all of`
    All,
    /// `none of`
    None,
}

/// How a condition speaks of the elements of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantifier {
    /// `any`
    Any,
    /// `no`
    No,
    /// `every`
    Every,
}

/// `= != < <= > >=`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompareOp {
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

/// `+ - * /`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArithmeticOp {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
}

/// What `is` asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// `known`
    Known,
    /// `unknown`
    Unknown,
    /// `none`
    None,
}

/// The right side of `in`.
#[derive(Debug, Clone, PartialEq)]
pub enum Items {
    /// `[a, b]`
    List(Vec<Spanned<Operand>>),
    /// `a..b`
    Range(Range),
}

/// `LOW..HIGH`, both included.
#[derive(Debug, Clone, PartialEq)]
pub struct Range {
    /// The lower end.
    pub low: Spanned<Operand>,
    /// The upper end.
    pub high: Spanned<Operand>,
}

/// A single value or name, as written; the fact beside it says what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operand {
    /// A run of letters, digits and `_ - . +`: a fact, a word, a number or a version. A leading dot is a field of the
    /// element a quantifier speaks of. `true`, `false` and `none` are words too.
    Word(String),
    /// A size: the number as written and its unit (`B KiB MiB GiB TiB`).
    Size(String, String),
    /// `"…"`
    Text(Quoted),
}

/// What stands behind `matches`.
#[derive(Debug, Clone, PartialEq)]
pub struct Matching {
    /// One pattern, or those of `any of (…)`.
    pub patterns: Vec<Spanned<Pattern>>,
    /// Whether it was written `any of (…)`.
    pub any_of: bool,
    /// `followed by PATTERN within N lines`
    pub followed_by: Option<(Spanned<Pattern>, Spanned<u32>)>,
    /// `at least N times`
    pub times: Option<Spanned<u32>>,
}

/// A text pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pattern {
    /// A phrase, bare or quoted. A bare one holds one literal part.
    Phrase {
        /// Literal runs and holes, in order.
        parts: Vec<PhrasePart>,
        /// Whether it stood in quotes.
        quoted: bool,
    },
    /// `/…/i`
    Regex {
        /// Without the slashes, `\/` resolved.
        source: String,
        /// Whether `i` stood behind it.
        insensitive: bool,
    },
}

/// A part of a phrase.
#[derive(Debug, Clone, Eq)]
pub enum PhrasePart {
    /// Text to be found.
    Literal(String),
    /// `{name: TYPE}`; in a hole without a type, the fact's type or the shortest text decides.
    Hole {
        /// Its name.
        name: Name,
        /// How it is read.
        ty: Option<Spanned<HoleType>>,
    },
    /// `{*}`
    Any(Span),
}

impl PartialEq for PhrasePart {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (PhrasePart::Literal(a), PhrasePart::Literal(b)) => a == b,
            (PhrasePart::Hole { name, ty }, PhrasePart::Hole { name: other_name, ty: other_ty }) => {
                name == other_name && ty == other_ty
            }
            (PhrasePart::Any(_), PhrasePart::Any(_)) => true,
            _ => false,
        }
    }
}

/// How a hole is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HoleType {
    /// `number`
    Number,
    /// `size`: `405.00 MB`, `2.00 GiB`, `8192MB`, all binary.
    Size,
    /// `bytes`: a bare number of bytes.
    Bytes,
    /// `mib`: a bare number of mebibytes.
    Mib,
    /// `version`
    Version,
    /// `word`: no white space.
    Word,
    /// `name`: letters, digits, `_ - .`
    Name,
    /// `quoted`: in any quotes.
    Quoted,
    /// `path`
    Path,
    /// `text`: the shortest up to what follows, on the line.
    Text,
    /// `line`: the rest of the line.
    Line,
    /// `list`: words between commas or white space.
    List,
}
