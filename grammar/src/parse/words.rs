//! The words that begin declarations and clauses.

use super::syntax::Rule;

/// The kinds of declarations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Fact,
    Record,
    Section,
    Table,
    Rule,
    Problem,
    Fix,
    Launcher,
    Extract,
    Line,
    Test,
    Disable,
}

/// The words that begin a declaration, as offered for a misspelt one.
pub(super) const DECLARATIONS: &[(&str, Kind)] = &[
    ("rule", Kind::Rule),
    ("when", Kind::Rule),
    ("problem", Kind::Problem),
    ("fix", Kind::Fix),
    ("test", Kind::Test),
    ("fact", Kind::Fact),
    ("extract", Kind::Extract),
    ("record", Kind::Record),
    ("section", Kind::Section),
    ("table", Kind::Table),
    ("line", Kind::Line),
    ("launcher", Kind::Launcher),
    ("disable", Kind::Disable),
];

/// Words that writers of other languages begin a declaration with.
pub(super) const OTHER_WORDS: &[(&str, &str)] =
    &[("if", "when"), ("IF", "when"), ("如果", "when"), ("当", "when"), ("issue", "problem"), ("solution", "fix")];

/// What types of other languages are called here.
pub(super) fn own_type(word: &str) -> Option<&'static str> {
    Some(match word {
        "string" | "str" | "String" => "text",
        "int" | "integer" | "float" | "double" => "number",
        "boolean" => "bool",
        "list" | "array" => "set of text",
        "bytes" | "memory" => "size",
        _ => return None,
    })
}

/// A word that begins a clause, and the grammar's rule for the clause.
pub(super) type ClauseWord = (&'static str, Rule);

const RULE: &[ClauseWord] =
    &[("when", Rule::condition_clause), ("unless", Rule::condition_clause), ("then", Rule::then_clause)];
const ABOUT: &[ClauseWord] = &[("ask", Rule::about_clause), ("probe", Rule::about_clause)];
const TABLE: &[ClauseWord] = &[("otherwise", Rule::otherwise_clause)];
const PROBLEM: &[ClauseWord] = &[
    ("title", Rule::text_clause),
    ("category", Rule::word_clause),
    ("severity", Rule::word_clause),
    ("summary", Rule::text_clause),
    ("cause", Rule::text_clause),
    ("keywords", Rule::keywords_clause),
    ("related", Rule::names_clause),
    ("supersedes", Rule::names_clause),
    ("source", Rule::source_clause),
    ("verified", Rule::word_clause),
    ("unverified", Rule::text_clause),
];
const FIX: &[ClauseWord] = &[
    ("title", Rule::text_clause),
    ("summary", Rule::text_clause),
    ("requires", Rule::condition_clause),
    ("exclusive", Rule::word_clause),
    ("flag", Rule::flag_step),
    ("env", Rule::env_step),
    ("via", Rule::via_step),
    ("run", Rule::text_step),
    ("do", Rule::text_step),
    ("risk", Rule::risk_clause),
    ("verify", Rule::text_clause),
    ("undo", Rule::text_clause),
    ("related", Rule::names_clause),
    ("keywords", Rule::keywords_clause),
    ("source", Rule::source_clause),
    ("verified", Rule::word_clause),
    ("unverified", Rule::text_clause),
];
const LAUNCHER: &[ClauseWord] = &[("title", Rule::text_clause)];
const TEST: &[ClauseWord] = &[("given", Rule::given_clause), ("expect", Rule::expect_clause)];

/// Words that go on a clause, so a line that begins with one belongs to the clause above it.
const CONTINUING: &[&str] = &[
    "and", "or", "not", "because", "priority", "within", "followed", "instead", "when", "to", "as", "in", "has", "is",
];

impl Kind {
    /// The kind that a word declares.
    pub(super) fn of(word: &str) -> Option<Self> {
        DECLARATIONS.iter().find(|(it, _)| *it == word).map(|&(_, kind)| kind)
    }

    /// What it is called.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Kind::Rule => "rule",
            other => DECLARATIONS.iter().find(|(_, kind)| *kind == other).map_or("declaration", |(word, _)| word),
        }
    }

    /// The words its clauses begin with.
    pub(super) fn clause_words(self) -> &'static [ClauseWord] {
        match self {
            Kind::Rule => RULE,
            Kind::Fact | Kind::Record => ABOUT,
            Kind::Table => TABLE,
            Kind::Problem => PROBLEM,
            Kind::Fix => FIX,
            Kind::Launcher => LAUNCHER,
            Kind::Test => TEST,
            Kind::Section | Kind::Extract | Kind::Line | Kind::Disable => &[],
        }
    }

    /// The rule of the grammar for a clause that begins with `word`.
    pub(super) fn clause(self, word: &str) -> Option<Rule> {
        self.clause_words().iter().find(|(it, _)| *it == word).map(|&(_, rule)| rule)
    }

    /// Whether its clauses begin with any word: fields, entries, templates.
    pub(super) fn is_free(self) -> bool {
        matches!(self, Kind::Record | Kind::Table | Kind::Launcher)
    }

    /// Whether it has no clauses, so that all its lines go on the first one.
    pub(super) fn is_one_clause(self) -> bool {
        matches!(self, Kind::Section | Kind::Extract | Kind::Line | Kind::Disable)
    }

    /// Whether what stands below its first line may still belong to it.
    pub(super) fn has_open_head(self) -> bool {
        matches!(self, Kind::Fact | Kind::Rule)
    }
}

/// Whether a word begins a clause of some declaration.
pub(super) fn is_clause_word(word: &str) -> bool {
    [RULE, ABOUT, TABLE, PROBLEM, FIX, TEST].iter().any(|words| words.iter().any(|(it, _)| *it == word))
}

/// Whether a line that begins with this word goes on the clause above it.
pub(super) fn is_continuing(word: &str) -> bool {
    CONTINUING.contains(&word)
}

/// Words of the language that are no names.
pub(super) const RESERVED: &[&str] = &[
    "and", "or", "not", "then", "unless", "true", "false", "none", "unknown", "any", "all", "no", "every", "count",
    "at", "in", "is", "has",
];
