//! Which patterns a program looks for in which texts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::ir::{
    Condition, Edge, ExtractFrom, FactRef, LineClass, PatternId, Piece, Program, Step, StepKind, Term, Test, Text,
    TextRef,
};

/// A set of patterns.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Patterns {
    bits: Vec<u64>,
}

impl Patterns {
    /// Adds a pattern.
    pub(crate) fn insert(&mut self, pattern: PatternId) {
        let word = pattern.index() / 64;
        if self.bits.len() <= word {
            self.bits.resize(word + 1, 0);
        }
        if let Some(bits) = self.bits.get_mut(word) {
            *bits |= 1 << (pattern.index() % 64);
        }
    }

    /// Whether a pattern is in it.
    #[inline]
    pub(crate) fn contains(&self, pattern: PatternId) -> bool {
        self.bits.get(pattern.index() / 64).is_some_and(|bits| bits >> (pattern.index() % 64) & 1 != 0)
    }

    /// Whether it holds nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.bits.iter().all(|&bits| bits == 0)
    }

    /// Adds all of another.
    pub(crate) fn extend(&mut self, other: &Self) {
        if self.bits.len() < other.bits.len() {
            self.bits.resize(other.bits.len(), 0);
        }
        for (own, other) in self.bits.iter_mut().zip(&other.bits) {
            *own |= other;
        }
    }

    /// What is not in another.
    pub(crate) fn without(&self, other: &Self) -> Self {
        let others = other.bits.iter().copied().chain(std::iter::repeat(0));
        Self { bits: self.bits.iter().zip(others).map(|(own, other)| own & !other).collect() }
    }
}

/// The patterns of a program by the text they are looked for in.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Uses {
    by_text: BTreeMap<TextRef, Patterns>,
    /// What always tells something of a line: starts, runs, warnings, retries, imports; and edges of sections.
    pub(crate) structure: Patterns,
    /// What only matters where a text shows no failure: banners, progress, tables.
    pub(crate) plain_lines: Patterns,
}

impl Uses {
    pub(crate) fn of(program: &Program) -> Self {
        let mut uses = Self::default();
        for rule in program.rules.iter() {
            uses.condition(&rule.when);
            rule.unless.iter().for_each(|unless| uses.condition(unless));
            rule.actions.iter().filter_map(|action| action.because.as_ref()).for_each(|text| uses.text(text));
        }
        for fix in program.fixes.iter() {
            fix.requires.iter().for_each(|condition| uses.condition(condition));
            fix.steps.iter().for_each(|step| uses.step(step));
        }
        for template in program.launchers.iter().flat_map(|launcher| &launcher.templates) {
            template.when.iter().for_each(|condition| uses.condition(condition));
        }
        for extractor in &program.extractors {
            if let ExtractFrom::Text(text, pattern) = &extractor.from {
                uses.add(text, *pattern);
            }
        }
        for edge in program.sections.iter().flat_map(|section| [section.from, section.to]) {
            if let Edge::Pattern(pattern) = edge {
                uses.structure.insert(pattern);
            }
        }
        for line in &program.lines {
            let plain = matches!(line.kind, LineClass::Banner | LineClass::Progress | LineClass::Table);
            if plain { &mut uses.plain_lines } else { &mut uses.structure }.insert(line.pattern);
        }
        uses
    }

    /// The patterns that are looked for in a text.
    pub(crate) fn in_text(&self, text: &TextRef) -> Option<&Patterns> {
        self.by_text.get(text)
    }

    /// All texts and their patterns.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&TextRef, &Patterns)> {
        self.by_text.iter()
    }

    fn add(&mut self, text: &TextRef, pattern: PatternId) {
        self.by_text.entry(text.clone()).or_default().insert(pattern);
    }

    fn condition(&mut self, condition: &Condition) {
        condition.each_test(&mut |test| self.test(test));
    }

    fn test(&mut self, test: &Test) {
        match test {
            Test::Matches(matching) => {
                let followed = matching.followed_by.iter().map(|(pattern, _)| pattern);
                matching.patterns.iter().chain(followed).for_each(|&pattern| self.add(&matching.text, pattern));
            }
            Test::Holds(fact) | Test::Has(fact, ..) | Test::State(fact, _) => self.fact(fact),
            Test::Compare(left, _, right) => {
                self.term(left);
                self.term(right);
            }
            Test::Within(term, ..) | Test::OneOf(term, _) => self.term(term),
            Test::RecordState(..) | Test::SectionState(..) | Test::Problem(_) | Test::NoProblem => {}
        }
    }

    fn term(&mut self, term: &Term) {
        match term {
            Term::Literal(_) => {}
            Term::Fact(fact) => self.fact(fact),
            Term::Arithmetic(left, _, right) => {
                self.term(left);
                self.term(right);
            }
        }
    }

    fn fact(&mut self, fact: &FactRef) {
        if let FactRef::Capture { text, pattern, .. } = fact {
            self.add(text, *pattern);
        }
    }

    fn text(&mut self, text: &Text) {
        for piece in text.languages.iter().flat_map(|(_, pieces)| pieces) {
            if let Piece::Fact(fact) = piece {
                self.fact(fact);
            }
        }
    }

    fn step(&mut self, step: &Step) {
        step.when.iter().for_each(|condition| self.condition(condition));
        match &step.kind {
            StepKind::Via { args, .. } => self.text(args),
            StepKind::Run(text) | StepKind::Do(text) => self.text(text),
            _ => {}
        }
    }
}
