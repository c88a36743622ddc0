//! What a run comes to: problems in order, fixes in order, and what is withheld.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use rulecheck::Value;
use rulecheck_grammar::ast::{
    ActionKind, DeclarationKind, Entry, Expr, ExprKind, FixClause, GroupKind, ProblemClause, Rule, Step, Text,
};

use super::syntax::{actions, asked_problems, diagnoses, named, parts, printed, when, words};
use super::truth::{all, written};
use super::{Answer, At, Run, Says, Truth};

/// A problem that came up.
struct Found<'a> {
    id: &'a str,
    certain: bool,
    covered_by: Option<&'a str>,
}

/// A `suggest` that holds or may hold, under one of the problems that came up.
struct Candidate<'a> {
    rule: &'a Rule,
    sure: bool,
    priority: u32,
    problem: Option<usize>,
}

/// A fix that is offered.
struct Offer<'a> {
    fix: &'a str,
    problem: Option<usize>,
    sure: bool,
    priority: u32,
    risk: u8,
    tests: usize,
    group: Option<&'a str>,
    instead: Vec<&'a str>,
}

impl<'a> Run<'a> {
    pub(super) fn answer(&self) -> Answer {
        let problems = self.problems();
        let (offers, withheld) = self.offers(&problems);
        let certainty = |certain| if certain { "certain" } else { "possible" };
        let covered = |found: &Found<'_>| found.covered_by.map_or_else(String::new, |by| format!(" covered by {by}"));
        let mut listed: Vec<_> = problems
            .iter()
            .map(|found| format!("{} {}{}", found.id, certainty(found.certain), covered(found)))
            .collect();
        if offers.iter().any(|offer| offer.problem.is_none()) {
            listed.push(format!(
                "unnamed {}",
                certainty(offers.iter().any(|offer| offer.problem.is_none() && offer.sure))
            ));
        }
        let offer = |offer: &Offer<'_>| {
            let status = if offer.sure { "recommended" } else { "possible" };
            let problem = offer.problem.and_then(|index| problems.get(index)).map_or("unnamed", |found| found.id);
            format!(
                "{} {status} {} under {problem}{}",
                offer.fix,
                offer.priority,
                offer.instead.iter().map(|fix| format!(" or {fix}")).collect::<String>()
            )
        };
        Answer { facts: self.facts(), problems: listed, suggestions: offers.iter().map(offer).collect(), withheld }
    }

    fn facts(&self) -> Vec<String> {
        let mut names: BTreeSet<String> = self.world.given.keys().cloned().collect();
        for kind in self.declarations() {
            match kind {
                DeclarationKind::Fact(fact) if !fact.family => names.extend([fact.name.node.clone()]),
                DeclarationKind::Table(table) => names.extend([table.fact.node.clone()]),
                DeclarationKind::Record(record) => {
                    names.extend(
                        record.fields.iter().map(|field| format!("{}.{}", record.name.node, field.kind.name.node)),
                    );
                }
                _ => {}
            }
        }
        let line = |name: String| {
            let (read, origin) = self.fact(&name);
            let value = read?.map_or_else(|| "none".to_owned(), |value: Value| value.to_string());
            Some(format!("{name} = {value} ({origin})"))
        };
        names.into_iter().filter_map(line).collect()
    }

    // Problems: certain before possible, a failure before a warning before a note (the other way round in a text with a
    // failure), not covered, nearest to the failure, order of declaration.

    fn problems(&self) -> Vec<Found<'a>> {
        let entries: Vec<&'a Entry<ProblemClause>> = self
            .declarations()
            .filter_map(|kind| if let DeclarationKind::Problem(entry) = kind { Some(entry) } else { None })
            .collect();
        let up: Vec<&'a Entry<ProblemClause>> =
            entries.iter().copied().filter(|entry| self.problem(&entry.id.node) != Some(false)).collect();
        let certain = |id: &str| self.problem(id) == Some(true);
        let covers = |by: &str, id: &str| by != id && self.superseded(by).contains(id) && (certain(by) || !certain(id));
        let mut found: Vec<(u8, Found<'a>)> = Vec::new();
        for entry in &up {
            let id: &'a str = &entry.id.node;
            let covered_by = up.iter().map(|by| by.id.node.as_str()).find(|by| covers(by, id));
            let severity = entry.clauses.iter().find_map(|clause| match &clause.kind {
                ProblemClause::Severity(word) => {
                    Some(["failure", "warning", "note"].iter().position(|known| *known == word.node)? as u8)
                }
                _ => None,
            });
            found.push((severity.unwrap_or(0), Found { id, certain: certain(id), covered_by }));
        }
        found.sort_by_key(|(severity, found)| {
            let (certain, severity) = (u8::from(!found.certain), *severity);
            let first = if self.world.text.has_failure { (severity, certain) } else { (certain, severity) };
            (first, found.covered_by.is_some(), self.distance(found.id))
        });
        found.into_iter().map(|(_, found)| found).collect()
    }

    /// What a problem supersedes, straight or through others.
    fn superseded(&self, id: &str) -> BTreeSet<&'a str> {
        let (mut all, mut open) = (BTreeSet::new(), vec![id.to_owned()]);
        while let Some(next) = open.pop() {
            let clauses = self.declarations().filter_map(|kind| match kind {
                DeclarationKind::Problem(entry) if entry.id.node == next => Some(&entry.clauses),
                _ => None,
            });
            for clause in clauses.flatten() {
                if let ProblemClause::Supersedes(ids) = &clause.kind {
                    open.extend(ids.iter().filter(|id| all.insert(id.node.as_str())).map(|id| id.node.clone()));
                }
            }
        }
        all
    }

    // Fixes.

    fn offers(&self, problems: &[Found<'a>]) -> (Vec<Offer<'a>>, Vec<String>) {
        let (mut offers, mut withheld) = (Vec::new(), Vec::new());
        for kind in self.declarations() {
            let DeclarationKind::Fix(fix) = kind else { continue };
            match self.offer(fix, problems) {
                Some(Ok(offer)) => offers.push(offer),
                Some(Err(reason)) => withheld.push(format!("{} {reason}", fix.id.node)),
                None => {}
            }
        }
        // The primary problem's fixes first, covered ones' last; those of no problem behind all others.
        offers.sort_by_key(|offer| {
            let place = (behind(problems, offer.problem), offer.problem.unwrap_or(usize::MAX));
            (place, !offer.sure, offer.priority, offer.risk, Reverse(offer.tests))
        });
        let mut shown: Vec<Offer<'a>> = Vec::new();
        for offer in offers {
            match shown.iter_mut().find(|first| first.group.is_some() && first.group == offer.group) {
                Some(first) => first.instead.push(offer.fix),
                None => shown.push(offer),
            }
        }
        (shown, withheld)
    }

    fn offer(&self, fix: &'a Entry<FixClause>, problems: &[Found<'a>]) -> Option<Result<Offer<'a>, &'static str>> {
        let candidates = self.candidates(&fix.id.node, problems);
        let avoids: Vec<BTreeSet<String>> = self.avoids(&fix.id.node);
        if candidates.is_empty() && avoids.is_empty() {
            return None;
        }
        let id = |index: usize| problems.get(index).map_or("", |found| found.id);
        let avoided = |problem: Option<usize>| {
            avoids.iter().any(|about| about.is_empty() || problem.is_some_and(|index| about.contains(id(index))))
        };
        let kept: Vec<Candidate<'a>> = candidates.into_iter().filter(|candidate| !avoided(candidate.problem)).collect();
        let requires = all(fix.clauses.iter().map(|clause| match &clause.kind {
            FixClause::Requires(condition) => self.holds(condition, None),
            _ => Some(true),
        }));
        if kept.is_empty() {
            return Some(Err("avoided"));
        }
        if requires == Some(false) {
            return Some(Err("not-applicable"));
        }
        if self.in_effect(fix) {
            return Some(Err("in-effect"));
        }
        let sure = kept.iter().any(|candidate| candidate.sure);
        let chosen: Vec<&Candidate<'a>> = kept.iter().filter(|candidate| candidate.sure == sure).collect();
        let place = |problem: Option<usize>| {
            let found = problem.and_then(|index| problems.get(index));
            (found.map(|found| !found.certain).unwrap_or(true), problem.is_none(), behind(problems, problem), problem)
        };
        let risk = fix.clauses.iter().find_map(|clause| match &clause.kind {
            FixClause::Risk(word, _) => {
                Some(["low", "medium", "high"].iter().position(|known| *known == word.node)? as u8)
            }
            _ => None,
        });
        Some(Ok(Offer {
            fix: &fix.id.node,
            problem: chosen.iter().map(|candidate| candidate.problem).min_by_key(|problem| place(*problem))?,
            sure: sure && requires == Some(true) && !self.prints_unknown(fix),
            priority: chosen.iter().map(|candidate| candidate.priority).min()?,
            risk: risk.unwrap_or(0),
            tests: chosen.iter().map(|candidate| self.weight(candidate.rule, &mut Vec::new())).max()?,
            group: fix.clauses.iter().find_map(|clause| {
                if let FixClause::Exclusive(group) = &clause.kind { Some(group.node.as_str()) } else { None }
            }),
            instead: Vec::new(),
        }))
    }

    /// Each rule that suggests a fix, under each problem it is about that came up.
    fn candidates(&self, fix: &str, problems: &[Found<'a>]) -> Vec<Candidate<'a>> {
        let mut list = Vec::new();
        for rule in self.rules() {
            for action in actions(rule) {
                let ActionKind::Suggest(id, priority) = action else { continue };
                let holds = self.lenient(rule);
                if id.node != fix || holds == Some(false) {
                    continue;
                }
                let suspects = actions(rule).any(|action| matches!(action, ActionKind::Suspect(_)));
                let about = about(rule);
                let up: Vec<usize> = (0..problems.len())
                    .filter(|index| problems.get(*index).is_some_and(|found| about.contains(found.id)))
                    .collect();
                let under: Vec<Option<usize>> =
                    if up.is_empty() { vec![None] } else { up.into_iter().map(Some).collect() };
                let priority = priority.as_ref().map_or(5, |priority| priority.node);
                list.extend(under.into_iter().map(|problem| Candidate {
                    rule,
                    sure: holds == Some(true) && !suspects,
                    priority,
                    problem,
                }));
            }
        }
        list
    }

    /// The problems for which each `avoid` that holds withholds a fix; none: all.
    fn avoids(&self, fix: &str) -> Vec<BTreeSet<String>> {
        let avoiding = self
            .rules()
            .filter(|rule| actions(rule).any(|action| matches!(action, ActionKind::Avoid(id) if id.node == fix)));
        let concerned = |rule: &'a Rule| {
            let about = about(rule);
            let covered =
                about.iter().flat_map(|problem| self.superseded(problem)).map(str::to_owned).collect::<Vec<_>>();
            about.into_iter().chain(covered).collect()
        };
        avoiding.filter(|rule| self.lenient(rule) == Some(true)).map(concerned).collect()
    }

    fn steps(&self, fix: &'a Entry<FixClause>) -> impl Iterator<Item = &'a Step> {
        fix.clauses.iter().filter_map(|clause| match &clause.kind {
            FixClause::Step(step, condition) => {
                let applies: Truth = condition.as_ref().map_or(Some(true), |condition| self.holds(condition, None));
                (applies != Some(false)).then_some(&step.node)
            }
            _ => None,
        })
    }

    fn prints_unknown(&self, fix: &'a Entry<FixClause>) -> bool {
        let unknown = |text: &Text| {
            let texts = std::iter::once(&text.base).chain(text.translations.iter().map(|(_, text)| text));
            texts.flat_map(|text| printed(&text.node.value)).any(|name| !matches!(self.fact(name).0, Some(Some(_))))
        };
        self.steps(fix).any(
            |step| matches!(step, Step::Do(text) | Step::Run(text) | Step::Via { args: text, .. } if unknown(text)),
        )
    }

    /// Whether all that a fix changes is known to be so already.
    fn in_effect(&self, fix: &'a Entry<FixClause>) -> bool {
        let set = |flag: &str| match self.fact("launch.args").0 {
            Some(Some(Value::Set(flags))) => Some(flags.contains(&Value::text(flag))),
            Some(_) => Some(false),
            None => None,
        };
        let is = |name: String, value: &str| matches!(self.fact(&name).0, Some(Some(own)) if own.to_string().eq_ignore_ascii_case(value));
        let mut steps = self.steps(fix).peekable();
        steps.peek().is_some()
            && steps.all(|step| match step {
                Step::Flag { flag, value, instead_of } => {
                    let there = value.as_ref().map_or_else(
                        || set(&flag.node) == Some(true),
                        |value| is(format!("launch.arg.{}", flag.node.trim_start_matches('-')), &written(&value.node)),
                    );
                    there && instead_of.iter().all(|flag| set(&flag.node) == Some(false))
                }
                Step::FlagOff(flags) => flags.iter().all(|flag| set(&flag.node) == Some(false)),
                Step::Env { name, value } => is(format!("env.{}", name.node), &written(&value.node)),
                Step::EnvOff(name) => self.fact(&format!("env.{}", name.node)).0 == Some(None),
                Step::Via { .. } | Step::Run(_) | Step::Do(_) => false,
            })
    }

    // More conditions behind it: the single conditions that make a rule's `when` what it is, and those of the rules behind.

    fn weight(&self, rule: &'a Rule, seen: &mut Vec<*const Rule>) -> usize {
        if seen.contains(&std::ptr::from_ref(rule)) {
            return 0;
        }
        seen.push(rule);
        when(rule).map(|condition| self.weigh(condition, None, seen)).sum()
    }

    fn weigh(&self, expr: &Expr, at: At<'_>, seen: &mut Vec<*const Rule>) -> usize {
        let value = self.holds(expr, at);
        if let Some(told) = self.looked_for(expr) {
            return usize::from(told.is_some());
        }
        match &expr.kind {
            ExprKind::Not(inner) => self.weigh(inner, at, seen),
            ExprKind::Quantified { record, condition, .. } => {
                let list = self.elements(&record.node).unwrap_or_default();
                let held = list
                    .iter()
                    .map(|element| Some((record.node.as_str(), element)))
                    .filter(|at| self.holds(condition, *at) == Some(true));
                held.map(|at| self.weigh(condition, at, seen)).sum()
            }
            _ if parts(expr).is_empty() => self.weigh_single(expr, at, value, seen),
            // Those that make it what it is; of an undecided one, those that hold.
            kind => {
                let none = matches!(kind, ExprKind::Group(GroupKind::None, _));
                let wanted = if none { super::not(value) } else { value }.unwrap_or(true);
                let parts = parts(expr).into_iter().filter(|part| self.holds(part, at) == Some(wanted));
                parts.map(|part| self.weigh(part, at, seen)).sum()
            }
        }
    }

    fn weigh_single(&self, expr: &Expr, at: At<'_>, value: Truth, seen: &mut Vec<*const Rule>) -> usize {
        if ["true", "false"].contains(&super::word(expr)) {
            return 0;
        }
        if let Some((problems, negated)) = asked_problems(expr) {
            let wanted = if negated { super::not(value) } else { value }.unwrap_or(true);
            let decided = problems.iter().filter(|problem| self.problem(problem) == Some(wanted));
            let behind = |problem: &String, seen: &mut Vec<*const Rule>| -> usize {
                let diagnosing =
                    self.rules().filter(|rule| diagnoses(rule, problem) && self.strict(rule) == Some(true));
                diagnosing.map(|rule| self.weight(rule, seen)).sum()
            };
            return decided.map(|problem| 1 + behind(problem, seen)).sum();
        }
        if let ExprKind::Compare { left, op, right, version: Some((second, literal)) } = &expr.kind {
            let first = (self.compare(left, op.node, right, at), super::word(left).to_owned());
            let second =
                (self.compare_version(left, second.node, &literal.node, at), format!("{}.version", super::word(left)));
            let decided = [first, second].into_iter().filter(|(own, _)| *own == Some(value.unwrap_or(true)));
            return decided.map(|(_, fact)| 1 + self.weigh_fact(&fact, seen)).sum();
        }
        if value.is_none() { 0 } else { 1 + words(expr).iter().map(|fact| self.weigh_fact(fact, seen)).sum::<usize>() }
    }

    fn weigh_fact(&self, name: &str, seen: &mut Vec<*const Rule>) -> usize {
        match (self.fact(name), self.concluded(name).0) {
            ((Some(Some(_)), "rule"), Some(_)) => {
                let first = self.sayings(name).find(|says| match says {
                    Says::Rule(rule, _) => self.strict(rule) == Some(true),
                    Says::Table(table) => self.looked_up(table, &rulecheck::Type::Text).0 == Some(true),
                });
                if let Some(Says::Rule(rule, _)) = first { self.weight(rule, seen) } else { 0 }
            }
            _ => 0,
        }
    }
}

/// Whether a problem is covered, and so its fixes stand behind; the primary one's never do.
fn behind(problems: &[Found<'_>], problem: Option<usize>) -> bool {
    let found = problem.filter(|index| *index > 0).and_then(|index| problems.get(index));
    found.is_some_and(|found| found.covered_by.is_some())
}

/// The problems a rule is about: those its condition names outside `not` and `none of`, and those it diagnoses or
/// suspects itself.
fn about(rule: &Rule) -> BTreeSet<String> {
    let own = actions(rule).filter_map(|action| match action {
        ActionKind::Diagnose(id) | ActionKind::Suspect(id) => Some(id.node.clone()),
        _ => None,
    });
    when(rule).flat_map(named).chain(own).collect()
}
