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
use crate::ir::{ActionKind, Condition, FactId, Fix, FixId, ProblemId, Program, Rule, RuleId, Site, Test};
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
    /// Of each problem, the rules that diagnose or suspect it.
    diagnosing: Vec<Vec<RuleId>>,
    /// Of each fix, the actions that suggest it.
    suggesting: Vec<Vec<(RuleId, usize)>>,
    /// Of each fix, the actions that avoid it.
    avoiding: Vec<Vec<(RuleId, usize)>>,
    /// Of each rule, whether it asks for `no problem`.
    asks_no_problem: Vec<bool>,
    nothing: Fix,
}

impl Inner {
    fn new(program: Program) -> Self {
        let mut diagnosing = vec![Vec::new(); program.problems.len()];
        let mut suggesting = vec![Vec::new(); program.fixes.len()];
        let mut avoiding = suggesting.clone();
        for (index, rule) in program.rules.iter().enumerate() {
            let id = RuleId(u32::try_from(index).unwrap_or(u32::MAX));
            for (place, action) in rule.actions.iter().enumerate() {
                match action.kind {
                    ActionKind::Diagnose(problem) | ActionKind::Suspect(problem) => {
                        push(&mut diagnosing, problem.index(), id);
                    }
                    ActionKind::Suggest(fix, _) => push(&mut suggesting, fix.index(), (id, place)),
                    ActionKind::Avoid(fix) => push(&mut avoiding, fix.index(), (id, place)),
                    ActionKind::Conclude(..) => {}
                }
            }
        }
        let asks = |rule: &Rule| std::iter::once(&rule.when).chain(&rule.unless).any(asks_no_problem);
        let asks_no_problem = program.rules.iter().map(asks).collect();
        let (graph, matcher) = (Graph::new(&program), Matcher::new(&program));
        Self { graph, matcher, diagnosing, suggesting, avoiding, asks_no_problem, nothing: Fix::default(), program }
    }
}

fn asks_no_problem(condition: &Condition) -> bool {
    let mut asks = false;
    condition.each_test(&mut |test| asks |= *test == Test::NoProblem);
    asks
}

fn push<T>(lists: &mut [Vec<T>], index: usize, item: T) {
    if let Some(list) = lists.get_mut(index) {
        list.push(item);
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
            return Err(RulesError { diagnostics, sources: ruleset.program().sources.clone() });
        }
        Ok(ruleset)
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

    pub(crate) fn diagnosing(&self, problem: ProblemId) -> &[RuleId] {
        self.inner.diagnosing.get(problem.index()).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn asks_no_problem(&self, rule: RuleId) -> bool {
        self.inner.asks_no_problem.get(rule.index()).copied().unwrap_or(false)
    }

    /// The actions that suggest a fix.
    pub(crate) fn suggesting(&self, fix: FixId) -> &[(RuleId, usize)] {
        self.inner.suggesting.get(fix.index()).map_or(&[], Vec::as_slice)
    }

    /// The actions that avoid a fix.
    pub(crate) fn avoiding(&self, fix: FixId) -> &[(RuleId, usize)] {
        self.inner.avoiding.get(fix.index()).map_or(&[], Vec::as_slice)
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
