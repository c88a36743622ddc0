//! What the host is asked: the facts that an undecided rule which diagnoses, suggests or avoids waits for, straight or
//! through what it asks; and the same for what a fix asks that came up.

use std::collections::BTreeSet;

use rulecheck_grammar::ast::{ActionKind, DeclarationKind, Expr, ExprKind, FixClause, Rule};

use super::syntax::{actions, asked_problems, diagnoses, parts, unless, when, words};
use super::{At, Run, Says};

type Names = BTreeSet<String>;

impl Run<'_> {
    /// What is to be asked next: names of facts, and of records for their fields.
    pub(super) fn wanted(&self) -> Names {
        let mut wanted = Names::new();
        for rule in self.rules() {
            let (holds, excepted) = (self.when(rule), self.unless(rule));
            let open = (holds.is_none() && excepted != Some(true)) || (holds == Some(true) && excepted.is_none());
            if open && self.bears_on(rule) {
                self.rule_waits(rule, &mut wanted);
            }
            if self.lenient(rule) != Some(false) {
                let fixes = actions(rule)
                    .filter_map(|action| if let ActionKind::Suggest(fix, _) = action { Some(&fix.node) } else { None });
                fixes
                    .flat_map(|fix| self.fix_conditions(fix))
                    .for_each(|condition| self.waits(condition, None, &mut wanted));
            }
        }
        wanted
    }

    /// Whether what a rule does can change what is offered: to avoid what nothing suggests does not.
    fn bears_on(&self, rule: &Rule) -> bool {
        let suggests = |other: &Rule, avoided: &str| {
            actions(other).any(|action| matches!(action, ActionKind::Suggest(fix, _) if fix.node == avoided))
        };
        actions(rule).any(|action| match action {
            ActionKind::Avoid(fix) => {
                self.rules().any(|other| suggests(other, &fix.node) && self.lenient(other) != Some(false))
            }
            action => !matches!(action, ActionKind::Conclude(..)),
        })
    }

    fn fix_conditions(&self, id: &str) -> Vec<&Expr> {
        let fix = self.declarations().find_map(|kind| {
            if let DeclarationKind::Fix(fix) = kind { (fix.id.node == id).then_some(fix) } else { None }
        });
        let clauses = fix.into_iter().flat_map(|fix| &fix.clauses);
        clauses
            .filter_map(|clause| match &clause.kind {
                FixClause::Requires(condition) | FixClause::Step(_, Some(condition)) => Some(condition),
                _ => None,
            })
            .collect()
    }

    fn rule_waits(&self, rule: &Rule, into: &mut Names) {
        when(rule).chain(unless(rule)).for_each(|condition| self.waits(condition, None, into));
    }

    /// What an undecided condition waits for: of its parts, the undecided ones.
    fn waits(&self, expr: &Expr, at: At<'_>, into: &mut Names) {
        if self.holds(expr, at).is_some() {
            return;
        }
        if let ExprKind::Quantified { record, condition, .. } = &expr.kind {
            match self.elements(&record.node) {
                Some(list) => {
                    list.iter().for_each(|element| self.waits(condition, Some((&record.node, element)), into));
                }
                None => self.record_wait(&record.node, into),
            }
        } else if let Some((problems, _)) = asked_problems(expr) {
            let diagnosing = self.rules().filter(|rule| problems.iter().any(|problem| diagnoses(rule, problem)));
            diagnosing.filter(|rule| self.strict(rule).is_none()).for_each(|rule| self.rule_waits(rule, into));
        } else if parts(expr).is_empty() {
            for name in words(expr) {
                match (name.starts_with('.'), at) {
                    (true, Some((record, element))) if !element.contains_key(&format!("{record}{name}")) => {
                        self.record_wait(record, into);
                    }
                    (true, _) => {}
                    (false, _) if self.record(&name).is_some() => self.record_wait(&name, into),
                    (false, _) => self.fact_waits(&name, into),
                }
            }
        } else {
            parts(expr).into_iter().for_each(|part| self.waits(part, at, into));
        }
    }

    /// A fact waits for what the open rules before its value wait for, else for its probe.
    pub(super) fn fact_waits(&self, name: &str, into: &mut Names) {
        if self.fact(name).0.is_some() {
            return;
        }
        let (_, open) = self.concluded(name);
        for says in &open {
            match says {
                Says::Rule(rule, _) => self.rule_waits(rule, into),
                Says::Table(table) => {
                    self.fact_waits(&table.from.node, into);
                    table.otherwise.iter().for_each(|fact| self.fact_waits(&fact.kind.node, into));
                }
            }
        }
        if open.is_empty() && !self.world.nobody {
            into.extend(self.declared(name).and_then(|(_, probe)| probe).filter(|probe| !self.asked.contains(probe)));
        }
    }

    pub(super) fn record_wait(&self, name: &str, into: &mut Names) {
        let has_probe = self.record(name).is_some_and(|record| super::syntax::has_probe(&record.clauses));
        if has_probe && !self.world.nobody && !self.asked.contains(name) {
            into.insert(name.to_owned());
        }
    }
}
