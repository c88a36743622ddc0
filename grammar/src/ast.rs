//! The syntax tree of a rule file: what stands there, before any name or type is known.
//!
//! Order of declarations and clauses is the writer's, and comments and blank lines are kept ([`Trivia`]), so that
//! the printer can give back the file. Equality ignores places (see [`Spanned`]).

mod expr;

pub use expr::{
    ArithmeticOp, CompareOp, Expr, ExprKind, GroupKind, HoleType, Items, Matching, Operand, Pattern, PhrasePart,
    Quantifier, Range, State,
};

use crate::source::{SourceId, Span, Spanned};

/// A parsed file, perhaps partial: declarations with a mistake that nothing could be made of are left out.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct File {
    /// The source it was read from.
    pub source: SourceId,
    /// In the order of the file.
    pub declarations: Vec<Declaration>,
    /// Comments and blank lines behind the last declaration.
    pub trailing: Vec<TriviaLine>,
}

/// What stands around a declaration or clause and has no meaning.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Trivia {
    /// Comment and blank lines before it.
    pub leading: Vec<TriviaLine>,
    /// A comment at the end of its (first) line, with the `#`.
    pub trailing: Option<String>,
}

/// A line without meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TriviaLine {
    /// A comment, with the `#`, without indentation. Behind the last clause of a declaration an indented one keeps two
    /// blanks before the `#`, since it speaks of the declaration above.
    Comment(String),
    /// One blank line (several in a row are one).
    Blank,
}

/// A declaration: begins in column 1, its clauses follow indented.
#[derive(Debug, Clone)]
pub struct Declaration {
    /// All of it.
    pub span: Span,
    /// Whether clauses were left out because of a mistake, which was reported: what it lacks says nothing then.
    pub partial: bool,
    /// Comments around it.
    pub trivia: Trivia,
    /// What it declares.
    pub kind: DeclarationKind,
}

impl PartialEq for Declaration {
    fn eq(&self, other: &Self) -> bool {
        (self.partial, &self.trivia, &self.kind) == (other.partial, &other.trivia, &other.kind)
    }
}

/// What can be declared.
#[derive(Debug, Clone, PartialEq)]
pub enum DeclarationKind {
    /// `fact NAME: TYPE …`
    Fact(Fact),
    /// `record NAME …`
    Record(Record),
    /// `section NAME from … to …`
    Section(Section),
    /// `table FACT from FACT …`
    Table(Table),
    /// `rule NAME …`, or a bare `when …`
    Rule(Rule),
    /// `problem ID …`
    Problem(Entry<ProblemClause>),
    /// `fix ID …`
    Fix(Entry<FixClause>),
    /// `launcher ID …`
    Launcher(Entry<LauncherClause>),
    /// `extract from …`
    Extract(Extract),
    /// `line KIND PATTERN`
    Line(Line),
    /// `test "…" …`
    Test(Test),
    /// `disable KIND NAME because "…"`
    Disable(Disable),
}

/// An id, a fact name or a word, as written.
pub type Name = Spanned<String>;

/// A clause with its comments.
#[derive(Debug, Clone)]
pub struct Clause<T> {
    /// All of it.
    pub span: Span,
    /// Comments around it.
    pub trivia: Trivia,
    /// What it says.
    pub kind: T,
}

impl<T: PartialEq> PartialEq for Clause<T> {
    fn eq(&self, other: &Self) -> bool {
        self.trivia == other.trivia && self.kind == other.kind
    }
}

/// A declaration that is an id and clauses.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry<T> {
    /// Its id.
    pub id: Name,
    /// In the order written; repetitions are the checker's business.
    pub clauses: Vec<Clause<T>>,
}

/// A quoted text as it stands: `"…"`, or `"""…"""` over lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quoted {
    /// Without quotes, escapes resolved, a block dedented.
    pub value: String,
    /// Whether it was written as `"""…"""`.
    pub block: bool,
}

/// A text for people, with its translations.
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    /// In the manifest's first language.
    pub base: Spanned<Quoted>,
    /// Language and text, in the order written.
    pub translations: Vec<(Name, Spanned<Quoted>)>,
}

/// `fact NAME: TYPE in RANGE "description" ask "question" probe NAME`
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// Without the `.*` of a family.
    pub name: Name,
    /// Whether it was written `NAME.*`.
    pub family: bool,
    /// Its type.
    pub ty: Spanned<Type>,
    /// `in LOW..HIGH`: a reading outside is no reading.
    pub range: Option<Spanned<Range>>,
    /// Description, question, probe.
    pub clauses: Vec<Clause<FactClause>>,
}

/// What a fact, field or record says of itself.
#[derive(Debug, Clone, PartialEq)]
pub enum FactClause {
    /// `"…" zh "…"`
    Description(Text),
    /// `ask "…" zh "…"`
    Ask(Text),
    /// `probe NAME`: the group of readings of a machine that tells it.
    Probe(Name),
}

/// The type of a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    /// `bool`
    Bool,
    /// `number`
    Number,
    /// `size`
    Size,
    /// `version`
    Version,
    /// `text`
    Text,
    /// `name`
    Name,
    /// `one of a, b, c`
    OneOf(Vec<Name>),
    /// `set of TYPE`
    Set(Box<Type>),
}

/// `record NAME "description"` with fields and, perhaps, a probe.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Its name.
    pub name: Name,
    /// Description, question, probe.
    pub clauses: Vec<Clause<FactClause>>,
    /// `FIELD: TYPE …`; names without the record's name. Printed before `probe`, behind the description.
    pub fields: Vec<Clause<Fact>>,
}

/// `section NAME from [first|last] EDGE to EDGE`
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Its name.
    pub name: Name,
    /// Whether the last such start counts (`last`, the default) or the first (`first`).
    pub last: bool,
    /// Where it starts.
    pub from: Spanned<Edge>,
    /// Where it ends; left out: at the end.
    pub to: Option<Spanned<Edge>>,
}

/// An edge of a section.
#[derive(Debug, Clone, PartialEq)]
pub enum Edge {
    /// Where a pattern matches.
    Pattern(Pattern),
    /// `error`: where the failure begins.
    Error,
    /// `start`: the beginning of the text.
    Start,
    /// `end`: the end of the text.
    End,
}

/// `table FACT from FACT` with entries and, perhaps, `otherwise FACT`.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The fact it declares.
    pub fact: Name,
    /// The fact it is looked up by.
    pub from: Name,
    /// `KEY -> VALUE`
    pub entries: Vec<Clause<(Spanned<Operand>, Spanned<Operand>)>>,
    /// `otherwise FACT`
    pub otherwise: Option<Clause<Name>>,
}

/// A rule.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// Absent for a bare `when …`.
    pub name: Option<Name>,
    /// Its `when`, `unless` and `then` clauses as written; the checker asks for one `when`, at most one `unless`, and
    /// at least one action.
    pub clauses: Vec<Clause<RuleClause>>,
}

/// A clause of a rule.
#[derive(Debug, Clone, PartialEq)]
pub enum RuleClause {
    /// `when CONDITION`
    When(Expr),
    /// `unless CONDITION`
    Unless(Expr),
    /// `then ACTION`
    Then(Action),
}

/// What a rule does, with its reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    /// What it does.
    pub kind: Spanned<ActionKind>,
    /// `because TEXT`
    pub because: Option<Text>,
}

/// What a rule can do.
#[derive(Debug, Clone, PartialEq)]
pub enum ActionKind {
    /// `diagnose PROBLEM`
    Diagnose(Name),
    /// `suspect PROBLEM`
    Suspect(Name),
    /// `conclude FACT = LITERAL`
    Conclude(Name, Spanned<Operand>),
    /// `suggest FIX priority N`
    Suggest(Name, Option<Spanned<u32>>),
    /// `avoid FIX`
    Avoid(Name),
}

/// A clause of a problem.
#[derive(Debug, Clone, PartialEq)]
pub enum ProblemClause {
    /// `title TEXT`
    Title(Text),
    /// `category WORD`
    Category(Name),
    /// `severity note|warning|failure`
    Severity(Name),
    /// `summary TEXT`
    Summary(Text),
    /// `cause TEXT`
    Cause(Text),
    /// `keywords "…", "…"`
    Keywords(Vec<Spanned<Quoted>>),
    /// `related ID, ID`
    Related(Vec<Name>),
    /// `supersedes ID, ID`
    Supersedes(Vec<Name>),
    /// `source KIND "…" <…>`
    Source(SourceRef),
    /// `verified DATE`
    Verified(Name),
    /// `unverified TEXT`
    Unverified(Text),
}

/// A clause of a fix.
#[derive(Debug, Clone, PartialEq)]
pub enum FixClause {
    /// `title TEXT`
    Title(Text),
    /// `summary TEXT`
    Summary(Text),
    /// `requires CONDITION`
    Requires(Expr),
    /// `exclusive GROUP`
    Exclusive(Name),
    /// A change, with `when CONDITION` perhaps.
    Step(Spanned<Step>, Option<Expr>),
    /// `risk low|medium|high TEXT`
    Risk(Name, Option<Text>),
    /// `verify TEXT`
    Verify(Text),
    /// `undo TEXT`
    Undo(Text),
    /// `related ID, ID`
    Related(Vec<Name>),
    /// `keywords "…", "…"`
    Keywords(Vec<Spanned<Quoted>>),
    /// `source KIND "…" <…>`
    Source(SourceRef),
    /// `verified DATE`
    Verified(Name),
    /// `unverified TEXT`
    Unverified(Text),
}

/// One change of a fix.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// `flag --x [VALUE] [instead of --y, --z]`
    Flag {
        /// With its dashes.
        flag: Name,
        /// What it is set to.
        value: Option<Spanned<Operand>>,
        /// The flags it replaces.
        instead_of: Vec<Name>,
    },
    /// `flag off --x, --y`
    FlagOff(Vec<Name>),
    /// `env NAME = VALUE`
    Env {
        /// The variable.
        name: Name,
        /// What it is set to.
        value: Spanned<Operand>,
    },
    /// `env off NAME`
    EnvOff(Name),
    /// `via TEMPLATE TEXT`
    Via {
        /// A template of launchers.
        template: Name,
        /// What is put into it.
        args: Text,
    },
    /// `run TEXT`
    Run(Text),
    /// `do TEXT`
    Do(Text),
}

/// A clause of a launcher.
#[derive(Debug, Clone, PartialEq)]
pub enum LauncherClause {
    /// `title TEXT`
    Title(Text),
    /// `TEMPLATE TEXT [when CONDITION]`: how this install does `flag`, `env`, `pip`, `update`, …
    Template {
        /// `flag`, `env`, or the word that `via` names.
        name: Name,
        /// How it is done.
        text: Text,
        /// Where it is done so.
        when: Option<Expr>,
    },
}

/// `KIND "title" <url>`
#[derive(Debug, Clone, PartialEq)]
pub struct SourceRef {
    /// A word of the manifest's order of trust.
    pub kind: Name,
    /// What it is.
    pub title: Spanned<Quoted>,
    /// Where it is, without `<>`.
    pub url: Option<Spanned<String>>,
}

/// `extract from TEXT PATTERN [as FACT …]`, or `extract from json "path" as FACT[: HOLE]`
#[derive(Debug, Clone, PartialEq)]
pub struct Extract {
    /// What it reads.
    pub from: Spanned<ExtractFrom>,
    /// `as FACT = LITERAL` or `as FACT: HOLE`; without it the pattern's holes name the facts.
    pub binding: Option<Binding>,
}

/// What an extractor reads.
#[derive(Debug, Clone, PartialEq)]
pub enum ExtractFrom {
    /// `log`, `error`, `trace`, a section or a text fact, and the pattern.
    Text(Name, Spanned<Pattern>),
    /// `json "path"`
    Json(Spanned<Quoted>),
}

/// Where an extractor's reading goes.
#[derive(Debug, Clone, PartialEq)]
pub struct Binding {
    /// The fact.
    pub fact: Name,
    /// What it becomes.
    pub value: BindingValue,
}

/// What an extractor gives its fact.
#[derive(Debug, Clone, PartialEq)]
pub enum BindingValue {
    /// `= LITERAL`
    Literal(Spanned<Operand>),
    /// `: HOLE`, or nothing: read by the fact's type.
    Hole(Option<Spanned<HoleType>>),
}

/// `line KIND PATTERN`
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// `start run banner progress warning table retry import`
    pub kind: Name,
    /// What such a line matches.
    pub pattern: Spanned<Pattern>,
}

/// `test "name"` with what is given and what is expected.
#[derive(Debug, Clone, PartialEq)]
pub struct Test {
    /// Its name.
    pub name: Spanned<Quoted>,
    /// In the order written.
    pub clauses: Vec<Clause<TestClause>>,
}

/// A clause of a test.
#[derive(Debug, Clone, PartialEq)]
pub enum TestClause {
    /// `given NAME = VALUE, NAME is none, …`
    Given(Vec<Given>),
    /// `given RECORD: FIELD = VALUE, …`
    GivenElement(Name, Vec<Given>),
    /// `given error TEXT` (false) or `given log TEXT` (true)
    GivenText {
        /// Whether it is a log rather than the failure alone.
        log: bool,
        /// The text.
        text: Spanned<Quoted>,
    },
    /// `given log from "path"` (`log` true) or `given error from "path"`
    GivenFile {
        /// Whether it is a log rather than the failure alone.
        log: bool,
        /// Beside the pack.
        path: Spanned<Quoted>,
    },
    /// `expect …`
    Expect(Spanned<Expectation>),
}

/// One given fact.
#[derive(Debug, Clone, PartialEq)]
pub struct Given {
    /// The fact.
    pub fact: Name,
    /// Its value; none: `is none`.
    pub value: Option<Spanned<Operand>>,
}

/// What a test expects.
#[derive(Debug, Clone, PartialEq)]
pub enum Expectation {
    /// `problem ID` (`no`: must not come up, not even as possible)
    Problem {
        /// Whether it must not come up.
        no: bool,
        /// The problem.
        id: Name,
    },
    /// `no problem`
    NoProblem,
    /// `possible ID` of a fix or problem
    Possible(Name),
    /// `suggest FIX [first]`, `no suggest FIX`
    Suggest {
        /// Whether it must not come up.
        no: bool,
        /// The fix.
        fix: Name,
        /// Whether it must come before all others.
        first: bool,
    },
    /// `only suggest A, B`
    OnlySuggest(Vec<Name>),
    /// `avoid FIX`
    Avoid(Name),
    /// `fact NAME = VALUE`, `fact NAME is none|unknown|known`
    Fact(Name, FactExpectation),
}

/// What a test expects of a fact.
#[derive(Debug, Clone, PartialEq)]
pub enum FactExpectation {
    /// `= VALUE`
    Value(Spanned<Operand>),
    /// `is known|unknown|none`
    State(State),
}

/// `disable KIND NAME because TEXT`
#[derive(Debug, Clone, PartialEq)]
pub struct Disable {
    /// `rule`, `problem`, `fix` or `launcher`.
    pub kind: Name,
    /// What is taken out.
    pub name: Name,
    /// Why.
    pub because: Option<Text>,
}
