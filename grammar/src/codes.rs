//! The codes of the findings that this crate reports: `RC01xx` syntax, `RC07xx` limits.

use crate::diagnostic::Code;

/// Something else is needed here than what stands there, or something is missing.
pub const UNEXPECTED: Code = Code("RC0101");
/// A declaration begins with a word that declares nothing.
pub const UNKNOWN_DECLARATION: Code = Code("RC0102");
/// A line is indented too little or too much for what it says.
pub const INDENTATION: Code = Code("RC0103");
/// A clause begins with a word that this kind of declaration does not have.
pub const UNKNOWN_CLAUSE: Code = Code("RC0104");
/// A text is not closed.
pub const UNCLOSED_TEXT: Code = Code("RC0105");
/// A line of a `"""` text begins in column 1, where declarations begin.
pub const BLOCK_INDENTATION: Code = Code("RC0106");
/// A bracket is not closed, or closes nothing.
pub const BRACKET: Code = Code("RC0107");
/// A phrase can only be understood in quotes.
pub const QUOTE_PHRASE: Code = Code("RC0108");
/// A `{` in a phrase begins no hole.
pub const HOLE: Code = Code("RC0109");
/// A hole has a type that does not exist.
pub const HOLE_TYPE: Code = Code("RC0110");
/// `\u{…}` names no character.
pub const ESCAPE: Code = Code("RC0111");
/// A regular expression is not closed or has a flag that does not exist.
pub const REGEX: Code = Code("RC0112");
/// A name is written in a way that names cannot be, or is a word of the language.
pub const NAME: Code = Code("RC0113");
/// An operator is written as in another language.
pub const OPERATOR: Code = Code("RC0114");
/// A condition is missing, or what stands there is none.
pub const CONDITION: Code = Code("RC0115");
/// A whole number is needed, or another one.
pub const NUMBER: Code = Code("RC0116");
/// A size has a unit that does not exist, or one that may not stand here.
pub const UNIT: Code = Code("RC0117");
/// A phrase is empty.
pub const EMPTY_PHRASE: Code = Code("RC0118");
/// A fact has a type that does not exist.
pub const TYPE: Code = Code("RC0119");
/// A text stands in quotes of another kind than `"`.
pub const QUOTES: Code = Code("RC0120");
/// Something that can be said once is said twice.
pub const REPEATED: Code = Code("RC0121");
/// A part belongs to another kind of clause or action.
pub const MISPLACED: Code = Code("RC0122");

/// Brackets, `not` or arithmetic nest too deep.
pub const TOO_DEEP: Code = Code("RC0701");
/// A file is too long.
pub const FILE_TOO_LONG: Code = Code("RC0702");
/// A clause is too long.
pub const CLAUSE_TOO_LONG: Code = Code("RC0703");
/// A file has too many mistakes to list them all.
pub const TOO_MANY_FINDINGS: Code = Code("RC0704");
/// The thread that parses has too little stack.
pub const STACK: Code = Code("RC0705");
