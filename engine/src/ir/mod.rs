//! The checked program: names resolved, types and units known, rules in the order they can be evaluated.
//!
//! `ast::File`s → [`crate::check`] → [`Program`] → the decision graph. Nothing behind this stage sees an unresolved name.
//! Ids are indices into the vectors of [`Program`]; the order of each vector is the order of declaration: packs by what
//! they require, files by name, places in a file.

mod condition;
mod entry;
mod reading;
mod test;

pub use condition::{
    Comparison, Condition, ConditionKind, ErrorPart, FactRef, Group, Hole, Matching, Operator, Over, Pattern,
    PhrasePart, Quantifier, StateKind, Term, Test, TextRef,
};
pub use entry::{
    Citation, EntryInfo, Fix, Launcher, Piece, Problem, ProblemSeverity, Risk, Step, StepKind, Template, Text,
};
pub use reading::{ExtractFrom, Extractor, Give, LineClass, LineKind};
pub use test::{Expectation, GivenText, RuleTest};

use std::collections::BTreeMap;
use std::sync::Arc;

use rulecheck_grammar::{Source, SourceId, Span};
use serde::{Deserialize, Serialize};

use crate::image::{ImageError, Reader, Writer};
use crate::list::List;
use crate::value::{Type, Value};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Site {
    /// The source.
    pub source: SourceId,
    /// The place in it.
    pub span: Span,
}

/// A checked program. An image holds the parts of its [`List`]s each by itself.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Program {
    /// The texts it was made of, for places and quotations. Indexed by [`SourceId`].
    #[serde(skip)]
    pub sources: List<Source>,
    /// The packs.
    pub packs: Vec<Pack>,
    /// All facts: declared ones, fields of records, members of families that rules or extractors name, facts of tables.
    #[serde(skip)]
    pub facts: List<Fact>,
    /// Facts by full name.
    pub fact_names: BTreeMap<Arc<str>, FactId>,
    /// Families: any name behind the prefix is a fact of that type.
    pub families: Vec<Family>,
    /// The records.
    pub records: Vec<Record>,
    /// The sections of the text.
    pub sections: Vec<Section>,
    /// All text patterns; equal ones are one.
    #[serde(skip)]
    pub patterns: List<Pattern>,
    /// The rules, disabled ones left out.
    #[serde(skip)]
    pub rules: List<Rule>,
    /// The tables.
    pub tables: Vec<Table>,
    /// The problems; those only named and declared nowhere are behind the declared ones.
    #[serde(skip)]
    pub problems: List<Problem>,
    /// The fixes; those only named and declared nowhere are behind the declared ones.
    #[serde(skip)]
    pub fixes: List<Fix>,
    /// The launchers.
    #[serde(skip)]
    pub launchers: List<Launcher>,
    /// The extractors.
    pub extractors: Vec<Extractor>,
    /// What lines are.
    pub lines: Vec<LineKind>,
    /// The tests beside the rules.
    #[serde(skip)]
    pub tests: List<RuleTest>,
    /// What a later pack took out.
    pub disabled: Vec<Disabled>,
    /// Rules and tables in an order in which each stands behind all it depends on.
    pub order: Vec<Unit>,
    /// How many conditions there are.
    pub conditions: u32,
}

impl Program {
    /// Writes all of it but the sources into an image.
    pub(crate) fn write(&self, image: &mut Writer) {
        image.value(self);
        image.list(&self.facts);
        image.list(&self.patterns);
        image.list(&self.rules);
        image.list(&self.problems);
        image.list(&self.fixes);
        image.list(&self.launchers);
        image.list(&self.tests);
    }

    /// The program that was written.
    pub(crate) fn read(image: &mut Reader, sources: List<Source>) -> Result<Self, ImageError> {
        let rest: Self = image.value()?;
        let (facts, patterns, rules) = (image.list()?, image.list()?, image.list()?);
        let (problems, fixes, launchers, tests) = (image.list()?, image.list()?, image.list()?, image.list()?);
        Ok(Self { sources, facts, patterns, rules, problems, fixes, launchers, tests, ..rest })
    }
}

/// A rule or table, as a unit of evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unit {
    /// A rule.
    Rule(RuleId),
    /// A table.
    Table(TableId),
}

/// A pack.
#[derive(Debug, Clone, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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

/// A rule.
#[derive(Debug, Clone, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Action {
    /// Where it stands.
    pub site: Site,
    /// What it does.
    pub kind: ActionKind,
    /// Why.
    pub because: Option<Text>,
}

/// What a rule can do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Serialize, Deserialize)]
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

/// Something a later pack took out.
#[derive(Debug, Clone, Serialize, Deserialize)]
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
