//! A compiled ruleset: immutable, shareable, cheap to clone.

use std::fmt;
use std::sync::Arc;

use rulecheck_grammar::{Diagnostics, Source};

use crate::check::{PackSource, check};
use crate::diagnosis::Diagnosis;
use crate::evidence::Evidence;
use crate::facts::FactSource;
use crate::given::Given;
use crate::graph::Graph;
use crate::image::{ImageError, Reader, Writer};
use crate::index::{Head, Index};
use crate::ir::{FactId, Fix, FixId, ProblemId, Program, RuleId, Site};
use crate::list::List;
use crate::outcome::Outcome;
use crate::pattern::Matcher;
use crate::read::Texts;
use crate::session::Session;

/// Bytes of evidence that one run takes; more ends in a [`LimitError`].
pub const MAX_TEXT: usize = 1 << 31;

/// Rules that are parsed, checked and compiled.
#[derive(Clone)]
pub struct Ruleset {
    inner: Arc<Inner>,
}

struct Inner {
    program: Program,
    graph: Graph,
    matcher: Matcher,
    index: Index,
    nothing: Fix,
}

impl Inner {
    fn new(program: Program) -> Self {
        let graph = Graph::new(&program);
        let (matcher, index) = (Matcher::new(&program), Index::new(&program, &graph));
        Self { graph, matcher, index, nothing: Fix::default(), program }
    }
}

/// Rule sources that hold errors.
#[derive(Debug, Clone)]
pub struct RulesError {
    /// What was found, warnings included.
    pub diagnostics: Diagnostics,
    /// The sources the findings point into.
    pub sources: Vec<Source>,
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, finding) in self.diagnostics.iter().enumerate() {
            let (source, span) = finding.place();
            if index > 0 {
                writeln!(f)?;
            }
            if let Some(source) = self.sources.get(source.0 as usize) {
                let at = source.position(span.start);
                write!(f, "{}:{}:{}: ", source.name, at.line, at.column)?;
            }
            write!(f, "{}: {}", finding.code.0, finding.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for RulesError {}

/// A limit that an input exceeds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LimitError {
    /// The text is too long.
    TextTooLong {
        /// Its length in bytes.
        bytes: usize,
    },
}

impl fmt::Display for LimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TextTooLong { bytes } => {
                write!(
                    f,
                    "the text has {bytes} bytes, more than the {MAX_TEXT} that one run takes; give the part with the failure"
                )
            }
        }
    }
}

impl std::error::Error for LimitError {}

impl Ruleset {
    /// Compiles packs. Always gives a ruleset: what holds an error is left out of it and reported.
    pub fn compile(packs: &[PackSource], diagnostics: &mut Diagnostics) -> Self {
        let program = check(packs, diagnostics);
        Self { inner: Arc::new(Inner::new(program)) }
    }

    /// Compiles packs that must hold no error.
    ///
    /// # Errors
    /// All findings, if one is an error.
    pub fn from_sources(packs: &[PackSource]) -> Result<Self, RulesError> {
        let mut diagnostics = Diagnostics::new();
        let ruleset = Self::compile(packs, &mut diagnostics);
        if diagnostics.has_errors() {
            diagnostics.sort();
            return Err(RulesError { diagnostics, sources: ruleset.program().sources.iter().cloned().collect() });
        }
        Ok(ruleset)
    }

    /// The ruleset as bytes, for [`Ruleset::from_image`]. The texts of the sources are not part of it.
    #[must_use]
    pub fn to_image(&self) -> Vec<u8> {
        let mut image = Writer::new();
        let Inner { program, graph, matcher, index, nothing: _ } = &*self.inner;
        program.write(&mut image);
        graph.write(&mut image);
        matcher.write(&mut image);
        image.value(index);
        image.finish()
    }

    /// The ruleset that an image holds, with the sources it was compiled from, in the same order. Costs next to nothing: what
    /// a run does not need is never decoded.
    ///
    /// # Errors
    /// If the bytes are no image of this version for this kind of machine, or do not begin at a multiple of eight.
    pub fn from_image(image: &'static [u8], sources: List<Source>) -> Result<Self, ImageError> {
        let mut image = Reader::new(image)?;
        let program = Program::read(&mut image, sources)?;
        let (graph, matcher) = (Graph::read(&mut image)?, Matcher::read(&mut image)?);
        let inner = Inner { program, graph, matcher, index: image.value()?, nothing: Fix::default() };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Diagnoses evidence; `host` is asked for what undecided rules need.
    ///
    /// # Errors
    /// If the evidence exceeds a limit.
    pub fn diagnose(&self, evidence: &Evidence, host: &mut dyn FactSource) -> Result<Diagnosis, LimitError> {
        self.diagnose_with(evidence, &Given::new(), host)
    }

    /// Diagnoses evidence with facts that the caller states.
    ///
    /// # Errors
    /// If the evidence exceeds a limit.
    pub fn diagnose_with(
        &self,
        evidence: &Evidence,
        given: &Given,
        host: &mut dyn FactSource,
    ) -> Result<Diagnosis, LimitError> {
        let bytes = evidence.text().len();
        if bytes > MAX_TEXT {
            return Err(LimitError::TextTooLong { bytes });
        }
        let texts = Arc::new(Texts::read(self.program(), self.matcher(), evidence));
        let mut session = Session::new(self, texts, given);
        session.run(self, host);
        let outcome = Outcome::of(self, &session);
        Ok(Diagnosis { ruleset: self.clone(), evidence: evidence.clone(), session, outcome })
    }

    /// The checked program.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.inner.program
    }

    /// The decision graph.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.inner.graph
    }

    pub(crate) fn matcher(&self) -> &Matcher {
        &self.inner.matcher
    }

    pub(crate) fn index(&self) -> &Index {
        &self.inner.index
    }

    /// What a run needs of a rule.
    pub(crate) fn head(&self, rule: RuleId) -> Option<&Head> {
        self.inner.index.rules.get(rule.index())
    }

    pub(crate) fn diagnosing(&self, problem: ProblemId) -> &[RuleId] {
        self.inner.index.diagnosing.get(problem.index()).map_or(&[], Vec::as_slice)
    }

    /// The actions that suggest a fix.
    pub(crate) fn suggesting(&self, fix: FixId) -> &[(RuleId, usize)] {
        self.inner.index.fix(fix).map_or(&[], |fix| &fix.suggesting)
    }

    /// The actions that avoid a fix.
    pub(crate) fn avoiding(&self, fix: FixId) -> &[(RuleId, usize)] {
        self.inner.index.fix(fix).map_or(&[], |fix| &fix.avoiding)
    }

    pub(crate) fn fact_name(&self, fact: FactId) -> &str {
        self.program().facts.get(fact.index()).map_or("", |fact| &fact.name)
    }

    pub(crate) fn fix(&self, fix: FixId) -> &Fix {
        self.program().fixes.get(fix.index()).unwrap_or(&self.inner.nothing)
    }

    /// The rule text at a place, on one line.
    #[must_use]
    pub fn quote(&self, site: Site) -> String {
        let source = self.program().sources.get(site.source.0 as usize);
        let text = source.map_or("", |source| source.slice(site.span));
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

impl fmt::Debug for Ruleset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let program = self.program();
        write!(f, "Ruleset({} rules, {} nodes)", program.rules.len(), self.graph().len())
    }
}
