//! The checked program: names resolved, types and units known, rules in the order they can be evaluated.
//!
//! `ast::File`s → [`crate::check`] → [`Program`] → [`crate::graph`]. Nothing behind this stage sees an unresolved name.
//! Ids are indices into the vectors of [`Program`]; the order of each vector is the order of declaration: packs by what
//! they require, files by name, places in a file.

use std::collections::BTreeMap;
use std::sync::Arc;

use rulecheck_grammar::{Source, SourceId, Span};

use crate::value::{Type, Value};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The id as an index.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// Index into [`Program::packs`].
    PackId;
    /// Index into [`Program::facts`].
    FactId;
    /// Index into [`Program::records`].
    RecordId;
    /// Index into [`Program::sections`].
    SectionId;
    /// Index into [`Program::patterns`].
    PatternId;
    /// Index into [`Program::rules`].
    RuleId;
    /// Index into [`Program::tables`].
    TableId;
    /// Index into [`Program::problems`].
    ProblemId;
    /// Index into [`Program::fixes`].
    FixId;
    /// Numbers the conditions of a program; [`Program::conditions`] counts them.
    ConditionId;
}

/// A place in a rule file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Site {
    /// The source.
    pub source: SourceId,
    /// The place in it.
    pub span: Span,
}

/// A checked program.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// The texts it was made of, for places and quotations. Indexed by [`SourceId`].
    pub sources: Vec<Source>,
    /// The packs.
    pub packs: Vec<Pack>,
    /// All facts: declared ones, fields of records, members of families that rules or extractors name, facts of tables.
    pub facts: Vec<Fact>,
    /// Facts by full name.
    pub fact_names: BTreeMap<Arc<str>, FactId>,
    /// Families: any name behind the prefix is a fact of that type.
    pub families: Vec<Family>,
    /// The records.
    pub records: Vec<Record>,
    /// The sections of the text.
    pub sections: Vec<Section>,
    /// All text patterns; equal ones are one.
    pub patterns: Vec<Pattern>,
    /// The rules, disabled ones left out.
    pub rules: Vec<Rule>,
    /// The tables.
    pub tables: Vec<Table>,
    /// The problems; those only named and declared nowhere are behind the declared ones.
    pub problems: Vec<Problem>,
    /// The fixes; those only named and declared nowhere are behind the declared ones.
    pub fixes: Vec<Fix>,
    /// The launchers.
    pub launchers: Vec<Launcher>,
    /// The extractors.
    pub extractors: Vec<Extractor>,
    /// What lines are.
    pub lines: Vec<LineKind>,
    /// The tests beside the rules.
    pub tests: Vec<RuleTest>,
    /// What a later pack took out.
    pub disabled: Vec<Disabled>,
    /// Rules and tables in an order in which each stands behind all it depends on.
    pub order: Vec<Unit>,
    /// How many conditions there are.
    pub conditions: u32,
}

/// A rule or table, as a unit of evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A rule.
    Rule(RuleId),
    /// A table.
    Table(TableId),
}

/// A pack.
#[derive(Debug, Clone)]
pub struct Pack {
    /// Its name.
    pub name: Arc<str>,
    /// Its version.
    pub version: Arc<str>,
    /// The languages of its texts, the base language first.
    pub languages: Vec<Arc<str>>,
    /// Kinds of sources, strongest first.
    pub trust: Vec<Arc<str>>,
}

/// A fact.
#[derive(Debug, Clone)]
pub struct Fact {
    /// Its full name.
    pub name: Arc<str>,
    /// Its type.
    pub ty: Type,
    /// A reading outside is no reading.
    pub range: Option<(Value, Value)>,
    /// What it is.
    pub description: Text,
    /// What to ask a person.
    pub ask: Option<Text>,
    /// The group of readings of a machine that tells it.
    pub probe: Option<Arc<str>>,
    /// The record it is a field of.
    pub record: Option<RecordId>,
    /// What can conclude it, in the order of declaration.
    pub concluders: Vec<Unit>,
    /// Where it is declared.
    pub site: Site,
}

impl Fact {
    /// Whether a value is one of this fact: of its type, and in its range.
    #[must_use]
    pub fn takes(&self, value: &Value) -> bool {
        let in_range = self.range.as_ref().is_none_or(|(low, high)| low <= value && value <= high);
        in_range && self.ty.takes(value)
    }
}

/// A family of facts.
#[derive(Debug, Clone)]
pub struct Family {
    /// With the dot at its end: `env.`.
    pub prefix: Arc<str>,
    /// The type of its members.
    pub ty: Type,
    /// What its members are.
    pub description: Text,
    /// The group of readings of a machine that tells them.
    pub probe: Option<Arc<str>>,
    /// Where it is declared.
    pub site: Site,
}

/// A record: elements with fields.
#[derive(Debug, Clone)]
pub struct Record {
    /// Its name.
    pub name: Arc<str>,
    /// What it is.
    pub description: Text,
    /// Its fields.
    pub fields: Vec<FactId>,
    /// The group of readings of a machine that tells it.
    pub probe: Option<Arc<str>>,
    /// Where it is declared.
    pub site: Site,
}

/// A part of the text.
#[derive(Debug, Clone)]
pub struct Section {
    /// Its name.
    pub name: Arc<str>,
    /// Whether the last such start (before the failure) counts, or the first.
    pub last: bool,
    /// Where it starts.
    pub from: Edge,
    /// Where it ends.
    pub to: Edge,
    /// Where it is declared.
    pub site: Site,
}

/// An edge of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// Where a pattern matches.
    Pattern(PatternId),
    /// Where the failure begins; without a failure, the end.
    Error,
    /// The beginning of the text.
    Start,
    /// The end of the text.
    End,
}

/// A text pattern.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
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
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum PhrasePart {
    /// Text to be found.
    Literal(Arc<str>),
    /// A hole that is read; its number is its place among the named holes of the phrase.
    Hole(Hole),
    /// `{*}`
    Any,
}

/// How a hole is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
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
#[derive(Debug, Clone)]
pub struct Condition {
    /// Its number.
    pub id: ConditionId,
    /// Where it stands.
    pub site: Site,
    /// What it is.
    pub kind: ConditionKind,
}

/// What a condition is. `none of (…)` is a `Not` of an `Any`; `not in` and `is not` are a `Not` of the positive.
#[derive(Debug, Clone)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over {
    /// The elements of a record.
    Record(RecordId),
    /// The failures of the text.
    Errors,
}

/// How a condition speaks of elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quantifier {
    /// For one at least.
    Any,
    /// For none.
    No,
    /// For each.
    Every,
}

/// A single test.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// One at least.
    Any,
    /// Each.
    All,
    /// Not one.
    None,
}

/// Known, unknown or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StateKind {
    /// It has a value.
    Known,
    /// Nothing is known of it.
    Unknown,
    /// It is known to have no value.
    None,
}

/// How two terms compare. With a fact that is none, no comparison holds, `!=` neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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

/// A side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Term {
    /// A value of the other side's type.
    Literal(Value),
    /// A fact.
    Fact(FactRef),
    /// Two terms; `None` for a result that is no value (a division by zero, a negative size): then the test is unknown.
    Arithmetic(Box<Term>, Operator, Box<Term>),
}

/// An arithmetic operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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

/// `TEXT matches …`
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
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

/// A rule.
#[derive(Debug, Clone)]
pub struct Rule {
    /// Its name, or file and line.
    pub name: Arc<str>,
    /// Whether the name was written.
    pub named: bool,
    /// Its pack.
    pub pack: PackId,
    /// Where it is declared: its first line.
    pub site: Site,
    /// When it holds.
    pub when: Condition,
    /// Its exception.
    pub unless: Option<Condition>,
    /// What it does; at least one.
    pub actions: Vec<Action>,
    /// The problems its condition names outside `not`, `none of` and `unless`, in the order written.
    pub problems: Vec<ProblemId>,
}

/// What a rule does.
#[derive(Debug, Clone)]
pub struct Action {
    /// Where it stands.
    pub site: Site,
    /// What it does.
    pub kind: ActionKind,
    /// Why.
    pub because: Option<Text>,
}

/// What a rule can do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ActionKind {
    /// `diagnose`
    Diagnose(ProblemId),
    /// `suspect`
    Suspect(ProblemId),
    /// `conclude`
    Conclude(FactId, Value),
    /// `suggest`, with its priority, 1 (first) to 9
    Suggest(FixId, u8),
    /// `avoid`
    Avoid(FixId),
}

/// A table: concludes its fact from another.
#[derive(Debug, Clone)]
pub struct Table {
    /// The fact it declares.
    pub fact: FactId,
    /// The fact it is looked up by.
    pub from: FactId,
    /// Keys and values; keys compare as words do.
    pub entries: Vec<(Value, Value)>,
    /// The fact that gives the value where no key fits.
    pub otherwise: Option<FactId>,
    /// Its pack.
    pub pack: PackId,
    /// Where it is declared.
    pub site: Site,
}

/// A text for people in several languages.
#[derive(Debug, Clone, Default)]
pub struct Text {
    /// Language and pieces, the base language first; empty for no text.
    pub languages: Vec<(Arc<str>, Vec<Piece>)>,
}

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Itself.
    Literal(Arc<str>),
    /// The value of a fact.
    Fact(FactRef),
    /// A slot of a launcher's template: `flag`, `name`, `value`, `args`, `set`.
    Slot(Arc<str>),
}

/// Where something was learnt.
#[derive(Debug, Clone)]
pub struct Citation {
    /// A word of the pack's order of trust.
    pub kind: Arc<str>,
    /// What it is.
    pub title: Arc<str>,
    /// Where it is.
    pub url: Option<Arc<str>>,
}

/// What problems and fixes have in common.
#[derive(Debug, Clone, Default)]
pub struct EntryInfo {
    /// Its id.
    pub id: Arc<str>,
    /// Whether it is declared, or only named.
    pub declared: bool,
    /// Its pack, if declared.
    pub pack: Option<PackId>,
    /// Where it is declared (or first named).
    pub site: Site,
    /// Its title.
    pub title: Text,
    /// In short.
    pub summary: Option<Text>,
    /// Words to find it by.
    pub keywords: Vec<Arc<str>>,
    /// Related ids.
    pub related: Vec<Arc<str>>,
    /// Sources, sorted by trust.
    pub sources: Vec<Citation>,
    /// `2026-09-26`
    pub verified: Option<Arc<str>>,
    /// What is not verified.
    pub unverified: Option<Text>,
}

/// How bad a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum ProblemSeverity {
    /// Something failed.
    #[default]
    Failure,
    /// Something will fail, or is slower than it need be.
    Warning,
    /// Worth knowing.
    Note,
}

/// A problem.
#[derive(Debug, Clone, Default)]
pub struct Problem {
    /// Id, title, sources, …
    pub info: EntryInfo,
    /// A word: `hardware`, …
    pub category: Option<Arc<str>>,
    /// How bad it is.
    pub severity: ProblemSeverity,
    /// What happens.
    pub cause: Option<Text>,
    /// What this is the exact form or the cause of.
    pub supersedes: Vec<ProblemId>,
}

/// How risky a fix is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Risk {
    /// Nothing can be lost.
    #[default]
    Low,
    /// Something may stop working, and can be undone.
    Medium,
    /// Something can be lost.
    High,
}

/// A fix: one change.
#[derive(Debug, Clone, Default)]
pub struct Fix {
    /// Id, title, sources, …
    pub info: EntryInfo,
    /// False: it does not apply.
    pub requires: Vec<Condition>,
    /// Of one group, the best-ranked is offered.
    pub exclusive: Option<Arc<str>>,
    /// How to do it.
    pub steps: Vec<Step>,
    /// How risky it is.
    pub risk: Risk,
    /// What it costs.
    pub risk_note: Option<Text>,
    /// How to see that it worked.
    pub verify: Option<Text>,
    /// How to take it back.
    pub undo: Option<Text>,
}

/// A step of a fix.
#[derive(Debug, Clone)]
pub struct Step {
    /// Where it stands.
    pub site: Site,
    /// What to do.
    pub kind: StepKind,
    /// Only then.
    pub when: Option<Condition>,
}

/// What to do.
#[derive(Debug, Clone)]
pub enum StepKind {
    /// `flag --x VALUE instead of --y`
    Flag {
        /// With its dashes.
        flag: Arc<str>,
        /// Its value.
        value: Option<Arc<str>>,
        /// Flags to take out for it.
        instead_of: Vec<Arc<str>>,
    },
    /// `flag off --x`
    FlagOff(Vec<Arc<str>>),
    /// `env NAME = VALUE`
    Env {
        /// The variable.
        name: Arc<str>,
        /// Its value.
        value: Arc<str>,
    },
    /// `env off NAME`
    EnvOff(Arc<str>),
    /// `via TEMPLATE "…"`
    Via {
        /// A template of launchers.
        template: Arc<str>,
        /// What it is used with.
        args: Text,
    },
    /// `run "…"`
    Run(Text),
    /// `do "…"`
    Do(Text),
}

/// How a kind of install takes changes.
#[derive(Debug, Clone)]
pub struct Launcher {
    /// Its id: a value of the fact `install`.
    pub id: Arc<str>,
    /// Its title.
    pub title: Text,
    /// Its templates, in the order written; of one name the first whose condition holds.
    pub templates: Vec<Template>,
    /// Its pack.
    pub pack: PackId,
    /// Where it is declared.
    pub site: Site,
}

/// A template of a launcher.
#[derive(Debug, Clone)]
pub struct Template {
    /// `flag`, `env`, `pip`, …
    pub name: Arc<str>,
    /// The text with slots.
    pub text: Text,
    /// Only then.
    pub when: Option<Condition>,
}

/// Reads facts from the text or from a document.
#[derive(Debug, Clone)]
pub struct Extractor {
    /// What it reads.
    pub from: ExtractFrom,
    /// What it gives.
    pub gives: Vec<Give>,
    /// Where it is declared.
    pub site: Site,
}

/// What an extractor reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExtractFrom {
    /// A pattern in a text.
    Text(TextRef, PatternId),
    /// The value at a path of a document.
    Json(Arc<str>),
}

/// What an extractor gives a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Give {
    /// A fixed value.
    Value(FactId, Value),
    /// What a named hole or group of the pattern read; in a document, the value, read like this hole if one is given,
    /// else by the fact's type.
    Hole(FactId, u32, Option<Hole>),
}

/// What a line is.
#[derive(Debug, Clone, Copy)]
pub struct LineKind {
    /// What.
    pub kind: LineClass,
    /// A line that matches.
    pub pattern: PatternId,
    /// Where it is declared.
    pub site: Site,
}

/// What a line can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LineClass {
    /// The program started.
    Start,
    /// A run started.
    Run,
    /// Said at every start.
    Banner,
    /// A progress bar.
    Progress,
    /// A warning.
    Warning,
    /// A row of a table.
    Table,
    /// A failure that was handled by trying again.
    Retry,
    /// A package failed to import.
    Import,
}

/// Something a later pack took out.
#[derive(Debug, Clone)]
pub struct Disabled {
    /// `rule`, `problem`, `fix`, `launcher`.
    pub kind: Arc<str>,
    /// What.
    pub name: Arc<str>,
    /// Why.
    pub because: Option<Text>,
    /// The pack that did it.
    pub pack: PackId,
    /// Where.
    pub site: Site,
}

/// A test beside the rules.
#[derive(Debug, Clone)]
pub struct RuleTest {
    /// Its name.
    pub name: Arc<str>,
    /// Its pack.
    pub pack: PackId,
    /// Where it is declared.
    pub site: Site,
    /// Facts given; `None` is `is none`.
    pub facts: Vec<(FactId, Option<Value>)>,
    /// Elements given: record and fields.
    pub elements: Vec<(RecordId, Vec<(FactId, Option<Value>)>)>,
    /// Records given as having no elements: `given gpu is none`.
    pub absent: Vec<RecordId>,
    /// Texts given, in order.
    pub texts: Vec<GivenText>,
    /// What is expected, and where it says so.
    pub expectations: Vec<(Expectation, Site)>,
}

/// A text a test gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GivenText {
    /// `given error "…"`: the failure's text.
    Error(Arc<str>),
    /// `given log "…"`: a text as pasted.
    Log(Arc<str>),
    /// `given log from "path"`: a file beside the rule file.
    LogFile(Arc<str>),
}

/// What a test expects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expectation {
    /// Is certain.
    Problem(ProblemId),
    /// Does not come up, not even as possible.
    NotProblem(ProblemId),
    /// No certain problem at all.
    NoProblem,
    /// Comes up as possible.
    PossibleProblem(ProblemId),
    /// Comes up as possible.
    PossibleFix(FixId),
    /// Is suggested, recommended or possible; first of all if `first`.
    Suggest {
        /// The fix.
        fix: FixId,
        /// Whether it must be rank 1.
        first: bool,
    },
    /// Is not suggested, not even as possible.
    NotSuggest(FixId),
    /// Just these are suggested.
    OnlySuggest(Vec<FixId>),
    /// Is withheld by an `avoid`.
    Avoid(FixId),
    /// Has this value.
    FactIs(FactId, Value),
    /// Is known, unknown or none.
    FactState(FactId, StateKind),
}
