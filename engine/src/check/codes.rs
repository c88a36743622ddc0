//! The codes of what the checker finds. Each has a page under `docs/codes/`.

use rulecheck_grammar::Code;

// ---- 02: names

/// A name stands where a fact is asked for, and no pack declares it.
pub const UNKNOWN_FACT: Code = Code("RC0201");
/// Two declarations share a name that must be unique.
pub const DECLARED_TWICE: Code = Code("RC0202");
/// A declared name is a word of the language or not written as names are.
pub const NO_NAME: Code = Code("RC0203");
/// A problem or fix is named that no pack declares. A warning: it is shown by its id.
pub const UNDECLARED_ENTRY: Code = Code("RC0204");
/// A field the record does not have, or a field without an element it could belong to.
pub const UNKNOWN_FIELD: Code = Code("RC0205");
/// The name is known, but as something else than is asked for here.
pub const OTHER_KIND: Code = Code("RC0206");
/// Two holes of one rule have the same name.
pub const HOLE_TWICE: Code = Code("RC0207");
/// A quantifier speaks of a record that no pack declares.
pub const UNKNOWN_RECORD: Code = Code("RC0208");
/// A pattern is looked for in something that is no text.
pub const UNKNOWN_TEXT: Code = Code("RC0209");
/// `disable` names what no earlier pack declares.
pub const NOTHING_TO_DISABLE: Code = Code("RC0210");
/// `via` names a template that no launcher has. A warning.
pub const UNKNOWN_TEMPLATE: Code = Code("RC0211");

// ---- 03: types and units

/// Two things of different type are compared.
pub const UNLIKE_TYPES: Code = Code("RC0301");
/// A size stands beside a number without a unit, or in a unit of sale.
pub const MISSING_UNIT: Code = Code("RC0302");
/// A `one of` fact is compared with a word that it cannot be.
pub const UNKNOWN_WORD: Code = Code("RC0303");
/// An operator is used on a type that has no such question.
pub const OPERATOR_TYPE: Code = Code("RC0304");
/// Arithmetic on things that cannot be reckoned with each other.
pub const ARITHMETIC: Code = Code("RC0305");
/// A name that is no bool fact stands alone where a condition is asked for.
pub const NO_CONDITION: Code = Code("RC0306");
/// A bare phrase ended before a word that was meant to belong to it.
pub const UNQUOTED_PHRASE: Code = Code("RC0307");
/// A second word behind `or` or `and`, where a list of words was meant.
pub const LOOSE_WORD: Code = Code("RC0308");
/// A literal that is no value of the type asked for.
pub const BAD_LITERAL: Code = Code("RC0309");
/// A range whose lower end is above its upper end.
pub const EMPTY_RANGE: Code = Code("RC0310");
/// `NAME = WORD OP VERSION`, and there is no fact `NAME.version`.
pub const NO_VERSION_FACT: Code = Code("RC0311");
/// A hole or group is read as something that its fact cannot hold.
pub const HOLE_TYPE: Code = Code("RC0312");
/// Neither side of a comparison is a fact.
pub const NO_FACT: Code = Code("RC0313");
/// A fact stands where only a value can.
pub const VALUE_WANTED: Code = Code("RC0314");
/// `in LOW..HIGH` on a fact whose type has no order.
pub const RANGE_TYPE: Code = Code("RC0315");
/// A bare phrase holds an action or a condition.
pub const SWALLOWED: Code = Code("RC0316");

// ---- 04: structure of rules and entries

/// A rule without a `when` or an action, or with a clause too many.
pub const RULE_SHAPE: Code = Code("RC0401");
/// A clause that may stand once stands twice.
pub const CLAUSE_TWICE: Code = Code("RC0403");
/// A text of the input would become part of a command.
pub const TEXT_IN_COMMAND: Code = Code("RC0404");
/// A text prints a fact that does not exist.
pub const UNKNOWN_FACT_IN_TEXT: Code = Code("RC0405");
/// A translation prints other facts than the text it translates.
pub const TRANSLATION_FACTS: Code = Code("RC0406");
/// A translation into a language that the pack does not have, or twice into one.
pub const LANGUAGE: Code = Code("RC0407");
/// Rules that depend on themselves.
pub const RULE_CIRCLE: Code = Code("RC0408");
/// Problems that supersede themselves.
pub const SUPERSEDES_CIRCLE: Code = Code("RC0409");
/// A word that this clause does not know.
pub const CLAUSE_WORD: Code = Code("RC0410");
/// A date that is none.
pub const DATE: Code = Code("RC0411");
/// A flag without dashes, or a variable with characters that variables do not have.
pub const FLAG_NAME: Code = Code("RC0412");
/// A pattern that matches everything or nothing.
pub const PATTERN: Code = Code("RC0413");
/// A regular expression that cannot be read.
pub const REGEX: Code = Code("RC0414");
/// A regular expression with look-around or a back-reference.
pub const REGEX_BEYOND: Code = Code("RC0415");
/// A list that names the same thing twice.
pub const LISTED_TWICE: Code = Code("RC0416");
/// A count that always or never holds.
pub const COUNT: Code = Code("RC0417");
/// An extractor that gives nothing, or gives one fact twice.
pub const EXTRACTOR: Code = Code("RC0418");
/// A section whose edges cannot enclose anything.
pub const SECTION_EDGE: Code = Code("RC0419");
/// A test that gives or expects what cannot be.
pub const TEST: Code = Code("RC0420");

// ---- 05: advice

/// An entry that says neither `verified` nor `unverified`.
pub const UNVERIFIED: Code = Code("RC0501");
/// `not log matches …`, though the log may be incomplete.
pub const NOT_LOG: Code = Code("RC0502");
/// A pattern without a literal that could be searched for.
pub const NO_LITERAL: Code = Code("RC0503");
/// A threshold that cards of that nominal size fail.
pub const NOMINAL_SIZE: Code = Code("RC0504");
/// A message of the operating system is matched by its English text.
pub const SYSTEM_MESSAGE: Code = Code("RC0505");
/// A rule that reads text has no test in which it is true, or none in which it is false.
pub const UNTESTED: Code = Code("RC0506");
/// An entry lacks a clause that its reader needs.
pub const INCOMPLETE: Code = Code("RC0507");
/// A template that an earlier one of the same name always hides.
pub const HIDDEN_TEMPLATE: Code = Code("RC0508");

// ---- 06: packs and manifests

/// A manifest that cannot be read.
pub const MANIFEST: Code = Code("RC0601");
/// Two packs of one name.
pub const PACK_TWICE: Code = Code("RC0602");
/// A pack requires one that is not loaded.
pub const PACK_MISSING: Code = Code("RC0603");
/// Packs that require each other in a circle.
pub const PACK_CIRCLE: Code = Code("RC0604");
