//! Syntax trees to the checked program: names, types, units, order.
//!
//! `PackSource`s → [`check`] → [`Program`]. Every mistake is a diagnostic and costs only the declaration it stands in:
//! the program that comes back holds all that is sound.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use rulecheck_grammar::{Code, Diagnostic, Diagnostics, Source, SourceId, Span};

use crate::ir::{FactId, Pack, PackId, PatternId, Program, Site};

mod arithmetic;
mod captures;
pub mod codes;
mod collect;
mod compare;
mod conditions;
mod entries;
mod expectations;
mod extractors;
mod facts;
mod fixes;
mod launchers;
mod lint;
mod literals;
mod manifest;
mod names;
mod order;
mod patterns;
mod regexes;
mod rules;
mod stray;
mod tables;
mod terms;
#[cfg(test)]
mod tests;
mod texts;

use collect::Declarations;
use names::Names;

/// One pack as text.
#[derive(Debug, Clone, Default)]
pub struct PackSource {
    /// `pack.ron`. Without one the pack is named after its first file, requires `core`, and speaks English and Chinese.
    pub manifest: Option<Source>,
    /// The rule files, in any order.
    pub files: Vec<Source>,
}

impl PackSource {
    /// A single rule file as a pack of its own.
    #[must_use]
    pub fn single(file: Source) -> Self {
        Self { manifest: None, files: vec![file] }
    }
}

/// What a check does besides finding errors.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// Also gives advice: the findings of kind 05.
    pub lint: bool,
}

/// Checks packs: names, types, order. The program holds whatever is sound; it should be used only if no diagnostic is
/// an error.
pub fn check(packs: &[PackSource], diagnostics: &mut Diagnostics) -> Program {
    check_with(packs, Options::default(), diagnostics)
}

/// [`check`], with advice if asked for.
pub fn check_with(packs: &[PackSource], options: Options, diagnostics: &mut Diagnostics) -> Program {
    let sources = lay_out(packs);
    let ordered = manifest::read(packs, diagnostics);
    let mut files = Vec::new();
    for (index, pack) in ordered.iter().enumerate() {
        for file in &pack.files {
            let source = sources.get(file.0 as usize).cloned().unwrap_or_else(|| Source::new("", ""));
            files.push((PackId(id(index)), rulecheck_grammar::parse(&source, *file, diagnostics)));
        }
    }
    let declarations = Declarations::gather(&files);
    let program = Program {
        sources: sources.into(),
        packs: ordered.into_iter().map(|pack| pack.pack).collect(),
        ..Program::default()
    };
    let mut checker = Checker::new(program, diagnostics);
    checker.run(&declarations);
    if options.lint {
        checker.lint();
    }
    checker.program
}

/// The sources in the order handed in: of each pack the manifest, then the files.
fn lay_out(packs: &[PackSource]) -> Vec<Source> {
    packs.iter().flat_map(|pack| pack.manifest.iter().chain(&pack.files)).cloned().collect()
}

/// An index as the number of an id. A program has fewer than 2³² of anything, since a source has fewer bytes.
fn id(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// Where a declaration stands.
#[derive(Debug, Clone, Copy)]
struct At {
    source: SourceId,
    pack: PackId,
}

impl At {
    const fn site(self, span: Span) -> Site {
        Site { source: self.source, span }
    }
}

/// What the passes share.
struct Checker<'a> {
    program: Program,
    diagnostics: &'a mut Diagnostics,
    names: Names,
    /// Equal patterns are one.
    patterns: BTreeMap<crate::ir::Pattern, PatternId>,
    /// Facts that an extractor gives: their values come from the input.
    extracted: HashSet<FactId>,
    /// Facts that a table gives, by the table's `otherwise`.
    table_facts: HashMap<FactId, Option<FactId>>,
    /// Newline offsets of each source whose lines were asked for.
    line_ends: HashMap<SourceId, Vec<u32>>,
    /// How often "did you mean" is still looked for: it is a pass over all names.
    guesses: u32,
}

impl<'a> Checker<'a> {
    fn new(program: Program, diagnostics: &'a mut Diagnostics) -> Self {
        Self {
            program,
            diagnostics,
            names: Names::default(),
            patterns: BTreeMap::new(),
            extracted: HashSet::new(),
            table_facts: HashMap::new(),
            line_ends: HashMap::new(),
            guesses: 500,
        }
    }

    fn run(&mut self, declarations: &Declarations<'_>) {
        let declarations = &self.take_out_disabled(declarations);
        self.declare_facts(declarations);
        self.declare_entries(declarations);
        self.describe_facts(declarations);
        self.sections(declarations);
        self.tables(declarations);
        self.extractors(declarations);
        self.lines(declarations);
        self.launchers(declarations);
        self.problems(declarations);
        self.fixes(declarations);
        let ranks = self.rules(declarations);
        self.rule_tests(declarations);
        self.disables(declarations);
        self.order(&ranks);
        self.program.fact_names = self
            .program
            .facts
            .iter()
            .enumerate()
            .map(|(index, fact)| (Arc::clone(&fact.name), FactId(id(index))))
            .collect();
    }

    fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Reports an error at one place, with what to do.
    fn error(&mut self, code: Code, at: At, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.push(Diagnostic::error(code, message, at.source, span).help(help));
    }

    fn pack(&self, id: PackId) -> Option<&Pack> {
        self.program.packs.get(id.index())
    }

    /// The text a span covers.
    fn slice(&self, at: At, span: Span) -> &str {
        self.program.sources.get(at.source.0 as usize).map_or("", |source| source.slice(span))
    }

    /// The line of an offset, from 1; lines are counted once per source.
    fn line_of(&mut self, at: At, offset: u32) -> usize {
        let text = self.program.sources.get(at.source.0 as usize).map_or("", |source| &source.text);
        let ends = self.line_ends.entry(at.source).or_insert_with(|| {
            text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(index, _)| id(index)).collect()
        });
        ends.partition_point(|&end| end < offset) + 1
    }

    /// The known name nearest to a word, if any is near.
    fn guess<'n>(&mut self, word: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<String> {
        self.guesses = self.guesses.checked_sub(1)?;
        rulecheck_grammar::nearest(word, candidates).map(str::to_owned)
    }
}

/// `a`, `b` and `c`, each in backticks.
fn quote_list<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let quoted: Vec<_> = names.into_iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}
