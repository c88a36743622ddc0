//! Advice: what is allowed, and probably not meant.

use std::sync::Arc;

use rulecheck_grammar::Diagnostic;

use super::{Checker, codes, regexes};
use crate::ir::{
    Comparison, Condition, ConditionKind, Edge, EntryInfo, ExtractFrom, FactRef, Pattern, PatternId, PhrasePart,
    Program, Site, Step, StepKind, Term, Test, TextRef,
};
use crate::value::{Value, format_size};

/// Messages of the operating system, which speaks the user's language, and the code that is the same in all.
const SYSTEM_MESSAGES: [(&str, &str); 19] = [
    ("the specified module could not be found", "WinError 126"),
    ("the specified procedure could not be found", "WinError 127"),
    ("the paging file is too small", "WinError 1455"),
    ("a dynamic link library (dll) initialization routine failed", "WinError 1114"),
    ("is not a valid win32 application", "WinError 193"),
    ("access is denied", "WinError 5"),
    ("being used by another process", "WinError 32"),
    ("the filename or extension is too long", "WinError 206"),
    ("there is not enough space on the disk", "WinError 112"),
    ("the system cannot find the file specified", "WinError 2"),
    ("the system cannot find the path specified", "WinError 3"),
    ("only one usage of each socket address", "WinError 10048"),
    ("the target machine actively refused it", "WinError 10061"),
    ("no space left on device", "Errno 28"),
    ("cannot allocate memory", "Errno 12"),
    ("too many open files", "Errno 24"),
    ("permission denied", "Errno 13"),
    ("no such file or directory", "Errno 2"),
    ("address already in use", "Errno 98"),
];

/// Sizes in which graphics memory is sold, in GB.
const SOLD: [u64; 20] = [2, 3, 4, 6, 8, 10, 11, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 128, 141, 192];

impl Checker<'_> {
    /// Gives advice about the checked program.
    pub(super) fn lint(&mut self) {
        let mut found = Vec::new();
        for (id, site) in pattern_sites(&self.program) {
            found.extend(self.pattern_advice(id, site));
        }
        for rule in self.program.rules.iter() {
            let conditions: Vec<_> = std::iter::once(&rule.when).chain(&rule.unless).collect();
            conditions.iter().for_each(|condition| self.condition_advice(condition, &mut found));
            found.extend(self.system_message(&conditions));
        }
        for fix in self.program.fixes.iter() {
            let steps = fix.steps.iter().filter_map(|step| step.when.as_ref());
            fix.requires.iter().chain(steps).for_each(|condition| self.condition_advice(condition, &mut found));
        }
        found.extend(self.entry_advice());
        self.diagnostics_extend(found);
    }

    fn diagnostics_extend(&mut self, found: Vec<Diagnostic>) {
        found.into_iter().for_each(|diagnostic| self.push(diagnostic));
    }

    fn pattern_advice(&self, id: PatternId, site: Site) -> Option<Diagnostic> {
        let pattern = self.program.patterns.get(id.index())?;
        if let Pattern::Regex { source, insensitive, .. } = pattern
            && let Err(fault) = crate::pattern::check_expression(source, *insensitive)
        {
            let message = format!("the regular expression cannot be used: {fault}");
            let error = Diagnostic::error(codes::REGEX, message, site.source, site.span);
            return Some(error.help("write a simpler one, or a quoted phrase with holes"));
        }
        if has_literal(pattern) {
            return None;
        }
        let warning = Diagnostic::warning(
            codes::NO_LITERAL,
            "the pattern has no word that can be searched for",
            site.source,
            site.span,
        );
        Some(warning.help("add a word that the text always holds: without one the pattern is tried on every line"))
    }

    fn condition_advice(&self, condition: &Condition, found: &mut Vec<Diagnostic>) {
        match &condition.kind {
            ConditionKind::All(list) | ConditionKind::Any(list) | ConditionKind::AtLeast(_, list) => {
                list.iter().for_each(|inner| self.condition_advice(inner, found));
            }
            ConditionKind::Quantified(_, _, inner) => self.condition_advice(inner, found),
            ConditionKind::Not(inner) => {
                found.extend(not_log(inner));
                self.condition_advice(inner, found);
            }
            ConditionKind::Test(test) => found.extend(self.nominal_size(test, condition.site)),
        }
    }

    /// `gpu.vram.total >= 24 GiB`: a card sold as 24 GB may report less.
    fn nominal_size(&self, test: &Test, site: Site) -> Option<Diagnostic> {
        let Test::Compare(
            Term::Fact(FactRef::Fact(fact) | FactRef::Element(fact)),
            op,
            Term::Literal(Value::Size(size)),
        ) = test
        else {
            return None;
        };
        let name = &self.program.facts.get(fact.index())?.name;
        let nominal = size % (1 << 30) == 0 && SOLD.contains(&(size >> 30));
        if !name.ends_with("vram.total") || !nominal || !matches!(op, Comparison::GreaterOrEqual | Comparison::Equal) {
            return None;
        }
        let gib = size >> 30;
        // In halves, so that the offer is a round number: cards with ECC report up to 9 % less than their name.
        let halves = gib * 2 * 92 / 100;
        let message = format!("a card sold as {gib} GB may report less than {}", format_size(*size));
        let warning = Diagnostic::warning(codes::NOMINAL_SIZE, message, site.source, site.span);
        Some(if *op == Comparison::Equal {
            warning.help(format!("write `about {gib} GB`"))
        } else {
            let half = if halves % 2 == 1 { ".5" } else { "" };
            warning.help(format!(
                "write `>= {}{half} GiB`: cards with ECC report 6 to 9 % less than their name",
                halves / 2
            ))
        })
    }

    /// A message of the operating system by its English text, in a rule that does not match its code too.
    fn system_message(&self, conditions: &[&Condition]) -> Vec<Diagnostic> {
        let mut patterns: Vec<(String, Site)> = Vec::new();
        for condition in conditions {
            each_pattern(condition, &mut |id, site| {
                let literal = self.program.patterns.get(id.index()).map(literal_text).unwrap_or_default();
                patterns.push((literal, site));
            });
        }
        let mut found = Vec::new();
        for (literal, site) in &patterns {
            for (message, code) in SYSTEM_MESSAGES {
                let number = code.rsplit(' ').next().unwrap_or(code);
                let has_code = || {
                    patterns
                        .iter()
                        .any(|(other, _)| other.split(|c: char| !c.is_ascii_digit()).any(|run| run == number))
                };
                if literal.contains(message) && !has_code() {
                    let said = "the system says this in the user's language, and only an English one is matched";
                    let warning = Diagnostic::warning(codes::SYSTEM_MESSAGE, said, site.source, site.span);
                    found.push(warning.help(format!("match the code instead: `\"{code}\"`")));
                }
            }
        }
        found
    }

    fn entry_advice(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for problem in self.program.problems.iter().filter(|problem| problem.info.declared) {
            found.extend(unverified("problem", &problem.info));
            found.extend(lacks("problem", &problem.info, &[("title", problem.info.title.languages.is_empty())]));
        }
        for fix in self.program.fixes.iter().filter(|fix| fix.info.declared) {
            found.extend(unverified("fix", &fix.info));
            let clauses = [
                ("title", fix.info.title.languages.is_empty()),
                ("a step such as `do`", fix.steps.is_empty()),
                ("verify", fix.verify.is_none()),
                ("undo", fix.undo.is_none() && fix.steps.iter().any(changes)),
            ];
            found.extend(lacks("fix", &fix.info, &clauses));
        }
        found
    }
}

/// Whether a step changes what can be changed back; what a person is told to do may be over when it is done.
const fn changes(step: &Step) -> bool {
    !matches!(step.kind, StepKind::Do(_))
}

fn unverified(kind: &str, info: &EntryInfo) -> Option<Diagnostic> {
    if info.verified.is_some() || info.unverified.is_some() {
        return None;
    }
    let message = format!("the {kind} `{}` does not say whether it was verified", info.id);
    let warning = Diagnostic::warning(codes::UNVERIFIED, message, info.site.source, info.site.span);
    Some(warning.help("add `verified 2026-09-26` with the day its sources were read, or `unverified \"what is not\"`"))
}

fn lacks(kind: &str, info: &EntryInfo, clauses: &[(&str, bool)]) -> Option<Diagnostic> {
    let missing: Vec<_> = clauses.iter().filter(|(_, missing)| *missing).map(|(clause, _)| *clause).collect();
    if missing.is_empty() {
        return None;
    }
    let list = missing.join(", ");
    let message = format!("the {kind} `{}` has no {list}", info.id);
    let warning = Diagnostic::warning(codes::INCOMPLETE, message, info.site.source, info.site.span);
    Some(warning.help(format!("add {list}: who reads the {kind} needs it")))
}

/// `not log matches …`, straight or in a group.
fn not_log(inner: &Condition) -> Option<Diagnostic> {
    let is_log = |condition: &Condition| matches!(&condition.kind, ConditionKind::Test(Test::Matches(matching)) if matching.text == TextRef::Log);
    let asked = match &inner.kind {
        ConditionKind::Any(list) => list.iter().find(|item| is_log(item))?,
        _ => Some(inner).filter(|inner| is_log(inner))?,
    };
    let message = "a log that was pasted only in part does not hold this either";
    let warning = Diagnostic::warning(codes::NOT_LOG, message, asked.site.source, asked.site.span);
    Some(warning.help("ask a section, which is unknown where the paste lacks it: `not log.run matches …`"))
}

/// Each pattern and the place of its first use.
fn pattern_sites(program: &Program) -> Vec<(PatternId, Site)> {
    let mut sites = Vec::new();
    for rule in program.rules.iter() {
        for condition in std::iter::once(&rule.when).chain(&rule.unless) {
            each_pattern(condition, &mut |id, site| sites.push((id, site)));
        }
    }
    for extractor in &program.extractors {
        if let ExtractFrom::Text(_, id) = extractor.from {
            sites.push((id, extractor.site));
        }
    }
    sites.extend(program.lines.iter().map(|line| (line.pattern, line.site)));
    for section in &program.sections {
        for edge in [section.from, section.to] {
            if let Edge::Pattern(id) = edge {
                sites.push((id, section.site));
            }
        }
    }
    sites.sort_by_key(|(id, _)| *id);
    sites.dedup_by_key(|(id, _)| *id);
    sites
}

/// Recursion is bounded by the depth that [`Checker::condition`] allows.
fn each_pattern(condition: &Condition, found: &mut dyn FnMut(PatternId, Site)) {
    match &condition.kind {
        ConditionKind::All(list) | ConditionKind::Any(list) | ConditionKind::AtLeast(_, list) => {
            list.iter().for_each(|inner| each_pattern(inner, found));
        }
        ConditionKind::Not(inner) | ConditionKind::Quantified(_, _, inner) => each_pattern(inner, found),
        ConditionKind::Test(Test::Matches(matching)) => {
            let followed = matching.followed_by.iter().map(|(pattern, _)| pattern);
            matching.patterns.iter().chain(followed).for_each(|pattern| found(*pattern, condition.site));
        }
        ConditionKind::Test(_) => {}
    }
}

/// Whether a pattern holds a run of two characters that every match has.
fn has_literal(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Phrase(parts) => parts.iter().any(|part| match part {
            PhrasePart::Literal(text) => text.trim().len() >= 2,
            PhrasePart::Hole(_) | PhrasePart::Any => false,
        }),
        Pattern::Regex { source, .. } => regexes::read(source).is_ok_and(|regex| regex.has_literal),
    }
}

/// The text that a pattern looks for, in lower case.
fn literal_text(pattern: &Pattern) -> String {
    match pattern {
        Pattern::Phrase(parts) => {
            let literals = parts.iter().map(|part| match part {
                PhrasePart::Literal(text) => Arc::clone(text),
                PhrasePart::Hole(_) | PhrasePart::Any => Arc::from(" "),
            });
            literals.map(|text| text.to_lowercase()).collect()
        }
        Pattern::Regex { source, .. } => source.to_lowercase(),
    }
}
