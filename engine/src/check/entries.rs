//! Problems, and what they have in common with fixes.

use std::sync::Arc;

use rulecheck_grammar::ast::{Clause, Entry, Name, ProblemClause, SourceRef, Text};
use rulecheck_grammar::{Diagnostic, Span};

use super::collect::{Declarations, Item};
use super::{At, Checker, codes, id, quote_list};
use crate::ir::{Citation, EntryInfo, Fix, FixId, Problem, ProblemId, ProblemSeverity, Site};

/// The clauses that an entry had so far, for those that may stand once.
#[derive(Debug, Default)]
pub(super) struct Seen(Vec<(&'static str, Span)>);

impl Checker<'_> {
    /// Gives every problem, fix and launcher its id.
    pub(super) fn declare_entries(&mut self, all: &Declarations<'_>) {
        for item in &all.problems {
            let name = &item.node.id;
            if self.is_free_entry("problem", name, item.at) {
                let new = ProblemId(id(self.program.problems.len()));
                self.names.problems.insert(name.node.as_str().into(), new);
                self.program.problems.push(Problem { info: declared(name, item.at), ..Problem::default() });
            }
        }
        for item in &all.fixes {
            let name = &item.node.id;
            if self.is_free_entry("fix", name, item.at) {
                let new = FixId(id(self.program.fixes.len()));
                self.names.fixes.insert(name.node.as_str().into(), new);
                self.program.fixes.push(Fix { info: declared(name, item.at), ..Fix::default() });
            }
        }
        self.declare_launchers(all);
    }

    fn is_free_entry(&mut self, what: &str, name: &Name, at: At) -> bool {
        let problem = self.names.problems.get(name.node.as_str()).and_then(|id| self.program.problems.get(id.index()));
        let fix = self.names.fixes.get(name.node.as_str()).and_then(|id| self.program.fixes.get(id.index()));
        let first = match (problem, fix) {
            (Some(problem), _) => (problem.info.site, "problem"),
            (None, Some(fix)) => (fix.info.site, "fix"),
            (None, None) => return true,
        };
        if first.1 == what {
            self.declared_twice(what, name, at, first.0);
        } else {
            let message = format!("the id `{}` names a {} and a {what}", name.node, first.1);
            let error =
                Diagnostic::error(codes::DECLARED_TWICE, message, at.source, name.span).label(format!("the {what}"));
            let error = error.context(first.0.source, first.0.span, format!("the {}", first.1));
            self.push(error.help("problems and fixes share their ids: give one another"));
        }
        false
    }

    /// Reads the problems.
    pub(super) fn problems(&mut self, all: &Declarations<'_>) {
        for item in &all.problems {
            let Some(id) = self.names.problems.get(item.node.id.node.as_str()).copied() else { continue };
            let site = self.program.problems.get(id.index()).map(|problem| problem.info.site);
            if site != Some(item.at.site(item.node.id.span)) {
                continue;
            }
            let problem = self.read_problem(item);
            if let Some(slot) = self.program.problems.get_mut(id.index()) {
                *slot = problem;
            }
        }
        self.supersedes_circles();
    }

    fn read_problem(&mut self, item: &Item<'_, Entry<ProblemClause>>) -> Problem {
        let at = item.at;
        let mut problem = Problem { info: declared(&item.node.id, at), ..Problem::default() };
        let mut seen = Seen::default();
        for clause in &item.node.clauses {
            self.problem_clause(clause, &mut problem, &mut seen, at);
        }
        self.sort_sources(&mut problem.info, at);
        problem
    }

    fn problem_clause(&mut self, clause: &Clause<ProblemClause>, problem: &mut Problem, seen: &mut Seen, at: At) {
        match &clause.kind {
            ProblemClause::Title(text) => {
                if self.once(seen, "title", clause.span, at) {
                    problem.info.title = self.prose(text, at);
                }
            }
            ProblemClause::Category(word) => {
                if self.once(seen, "category", clause.span, at) {
                    problem.category = Some(word.node.as_str().into());
                }
            }
            ProblemClause::Severity(word) => {
                const WORDS: [(&str, ProblemSeverity); 3] = [
                    ("note", ProblemSeverity::Note),
                    ("warning", ProblemSeverity::Warning),
                    ("failure", ProblemSeverity::Failure),
                ];
                if self.once(seen, "severity", clause.span, at) {
                    problem.severity = self.clause_word(word, &WORDS, "severity", at).unwrap_or_default();
                }
            }
            ProblemClause::Summary(text) => {
                self.once_text(seen, "summary", clause.span, text, &mut problem.info.summary, at);
            }
            ProblemClause::Cause(text) => self.once_text(seen, "cause", clause.span, text, &mut problem.cause, at),
            ProblemClause::Keywords(words) => {
                problem.info.keywords.extend(words.iter().map(|word| Arc::from(word.node.value.as_str())));
            }
            ProblemClause::Related(names) => self.related(names, &mut problem.info, at),
            ProblemClause::Supersedes(names) => {
                let known: Vec<_> =
                    names.iter().filter_map(|name| self.superseded(name, &problem.info.id, at)).collect();
                problem.supersedes.extend(known);
            }
            ProblemClause::Source(source) => self.citation(source, &mut problem.info, at),
            ProblemClause::Verified(date) => self.verified(seen, date, clause.span, &mut problem.info, at),
            ProblemClause::Unverified(text) => {
                self.once_text(seen, "unverified", clause.span, text, &mut problem.info.unverified, at);
            }
        }
    }

    /// Whether a clause that may stand once stands there for the first time.
    pub(super) fn once(&mut self, seen: &mut Seen, word: &'static str, span: Span, at: At) -> bool {
        let Some(&(_, first)) = seen.0.iter().find(|(other, _)| *other == word) else {
            seen.0.push((word, span));
            return true;
        };
        let error =
            Diagnostic::error(codes::CLAUSE_TWICE, format!("`{word}` stands twice in one entry"), at.source, span);
        let error = error.label("again here").context(at.source, first, "first here");
        self.push(error.help("take one of the two out"));
        false
    }

    pub(super) fn once_text(
        &mut self,
        seen: &mut Seen,
        word: &'static str,
        span: Span,
        text: &Text,
        slot: &mut Option<crate::ir::Text>,
        at: At,
    ) {
        if self.once(seen, word, span, at) {
            let braces = if word == "unverified" { super::texts::Braces::Plain } else { super::texts::Braces::Prose };
            *slot = Some(self.text(text, at, braces, None));
        }
    }

    /// What a word of a clause means; an unknown one is reported.
    pub(super) fn clause_word<T: Copy>(&mut self, word: &Name, known: &[(&str, T)], what: &str, at: At) -> Option<T> {
        if let Some((_, meaning)) = known.iter().find(|(other, _)| *other == word.node) {
            return Some(*meaning);
        }
        let names = || known.iter().map(|(name, _)| *name);
        let near = self.guess(&word.node, names());
        let error =
            Diagnostic::error(codes::CLAUSE_WORD, format!("there is no {what} `{}`", word.node), at.source, word.span);
        self.push(match near {
            Some(near) => error.help(format!("did you mean `{near}`?")).edit(at.source, word.span, near),
            None => error.help(format!("write one of {}", quote_list(names()))),
        });
        None
    }

    /// Related ids: of problems or fixes.
    pub(super) fn related(&mut self, names: &[Name], info: &mut EntryInfo, at: At) {
        for name in names {
            let known = |name: &str| self.names.problems.contains_key(name) || self.names.fixes.contains_key(name);
            if !known(&name.node) {
                self.undeclared(name, at, "problem or fix");
            }
            info.related.push(name.node.as_str().into());
        }
    }

    fn superseded(&mut self, name: &Name, own: &str, at: At) -> Option<ProblemId> {
        if name.node == own {
            let help = "name the more general problem, or take the clause out";
            self.error(codes::SUPERSEDES_CIRCLE, at, name.span, "a problem cannot supersede itself", help);
            return None;
        }
        self.problem(name, at)
    }

    /// A source, with the kind of trust it deserves.
    pub(super) fn citation(&mut self, source: &SourceRef, info: &mut EntryInfo, at: At) {
        let trust = self.pack(at.pack).map(|pack| pack.trust.clone()).unwrap_or_default();
        let known: Vec<_> = trust.iter().map(|word| (word.as_ref(), ())).collect();
        if !known.is_empty() {
            self.clause_word(&source.kind, &known, "kind of source", at);
        }
        info.sources.push(Citation {
            kind: source.kind.node.as_str().into(),
            title: source.title.node.value.as_str().into(),
            url: source.url.as_ref().map(|url| url.node.as_str().into()),
        });
    }

    /// Sorts sources by the pack's order of trust; of one kind the order written stays.
    pub(super) fn sort_sources(&self, info: &mut EntryInfo, at: At) {
        let Some(pack) = self.pack(at.pack) else { return };
        info.sources
            .sort_by_key(|source| pack.trust.iter().position(|word| *word == source.kind).unwrap_or(usize::MAX));
    }

    pub(super) fn verified(&mut self, seen: &mut Seen, date: &Name, span: Span, info: &mut EntryInfo, at: At) {
        if !self.once(seen, "verified", span, at) {
            return;
        }
        if is_date(&date.node) {
            info.verified = Some(date.node.as_str().into());
        } else {
            let message = format!("`{}` is no date", date.node);
            self.error(codes::DATE, at, date.span, message, "write year, month and day: `2026-09-26`");
        }
    }

    /// Reports problems that supersede each other in a circle.
    fn supersedes_circles(&mut self) {
        let edges: Vec<Vec<usize>> = self
            .program
            .problems
            .iter()
            .map(|problem| problem.supersedes.iter().map(|id| id.index()).collect())
            .collect();
        for circle in super::order::circles(&edges, edges.len()) {
            let members: Vec<(Arc<str>, Site)> = circle
                .iter()
                .filter_map(|index| self.program.problems.get(*index))
                .map(|problem| (Arc::clone(&problem.info.id), problem.info.site))
                .collect();
            let Some((first, site)) = members.first() else { continue };
            let mut shown: Vec<_> = members.iter().take(12).map(|(id, _)| format!("`{id}`")).collect();
            shown.push(format!("`{first}`"));
            let message = format!("problems supersede each other in a circle: {}", shown.join(" → "));
            let mut error = Diagnostic::error(codes::SUPERSEDES_CIRCLE, message, site.source, site.span);
            for (_, site) in members.iter().take(12).skip(1) {
                error = error.context(site.source, site.span, "");
            }
            self.push(error.help("let only the more exact problem supersede the other"));
            for index in circle {
                if let Some(problem) = self.program.problems.get_mut(index) {
                    problem.supersedes.clear();
                }
            }
        }
    }
}

/// A declared entry that says nothing yet.
pub(super) fn declared(name: &Name, at: At) -> EntryInfo {
    EntryInfo {
        id: name.node.as_str().into(),
        declared: true,
        pack: Some(at.pack),
        site: at.site(name.span),
        ..EntryInfo::default()
    }
}

/// Whether a word is a day of the calendar.
fn is_date(word: &str) -> bool {
    let mut parts = word.split('-');
    let mut part = |digits: usize| {
        let text = parts.next()?;
        let fits = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
        if fits { text.parse::<u32>().ok() } else { None }
    };
    let (Some(year), Some(month), Some(day)) = (part(4), part(2), part(2)) else { return false };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(leap),
        _ => 31,
    };
    parts.next().is_none() && (1..=12).contains(&month) && (1..=days).contains(&day) && year > 1990
}

#[cfg(test)]
mod date_tests {
    use super::is_date;

    #[test]
    fn dates_are_days_of_the_calendar() {
        assert!(is_date("2026-09-26") && is_date("2024-02-29"));
        assert!(
            !is_date("2025-02-29")
                && !is_date("2026-13-01")
                && !is_date("2026-9-26")
                && !is_date("26-09-2026")
                && !is_date("2026-09-26-1")
        );
    }
}
