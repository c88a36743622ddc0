//! Fixes.

use std::sync::Arc;

use rulecheck_grammar::ast::{self, Clause, Entry, FixClause, Name, Operand};
use rulecheck_grammar::{Diagnostic, Spanned};

use super::collect::{Declarations, Item};
use super::conditions::Scope;
use super::entries::{Seen, declared};
use super::texts::Braces;
use super::{At, Checker, codes};
use crate::ir::{Fix, Risk, Step, StepKind};

impl Checker<'_> {
    /// Reads the fixes.
    pub(super) fn fixes(&mut self, all: &Declarations<'_>) {
        for item in &all.fixes {
            let Some(id) = self.names.fixes.get(item.node.id.node.as_str()).copied() else { continue };
            let site = self.program.fixes.get(id.index()).map(|fix| fix.info.site);
            if site != Some(item.at.site(item.node.id.span)) {
                continue;
            }
            let fix = self.read_fix(item);
            if let Some(slot) = self.program.fixes.get_mut(id.index()) {
                *slot = fix;
            }
        }
    }

    fn read_fix(&mut self, item: &Item<'_, Entry<FixClause>>) -> Fix {
        let at = item.at;
        let mut fix = Fix { info: declared(&item.node.id, at), ..Fix::default() };
        let mut seen = Seen::default();
        for clause in &item.node.clauses {
            self.fix_clause(clause, &mut fix, &mut seen, at);
        }
        self.sort_sources(&mut fix.info, at);
        fix
    }

    fn fix_clause(&mut self, clause: &Clause<FixClause>, fix: &mut Fix, seen: &mut Seen, at: At) {
        match &clause.kind {
            FixClause::Title(text) => {
                if self.once(seen, "title", clause.span, at) {
                    fix.info.title = self.prose(text, at);
                }
            }
            FixClause::Summary(text) => self.once_text(seen, "summary", clause.span, text, &mut fix.info.summary, at),
            FixClause::Requires(condition) => fix.requires.extend(self.condition(condition, Scope::new(at))),
            FixClause::Exclusive(group) => {
                if self.once(seen, "exclusive", clause.span, at) {
                    fix.exclusive = Some(group.node.as_str().into());
                }
            }
            FixClause::Step(step, when) => fix.steps.extend(self.step(step, when.as_ref(), at)),
            FixClause::Risk(word, text) => {
                const WORDS: [(&str, Risk); 3] = [("low", Risk::Low), ("medium", Risk::Medium), ("high", Risk::High)];
                if self.once(seen, "risk", clause.span, at) {
                    fix.risk = self.clause_word(word, &WORDS, "risk", at).unwrap_or_default();
                    fix.risk_note = text.as_ref().map(|text| self.prose(text, at));
                }
            }
            FixClause::Verify(text) => self.once_text(seen, "verify", clause.span, text, &mut fix.verify, at),
            FixClause::Undo(text) => self.once_text(seen, "undo", clause.span, text, &mut fix.undo, at),
            FixClause::Related(names) => self.related(names, &mut fix.info, at),
            FixClause::Keywords(words) => {
                fix.info.keywords.extend(words.iter().map(|word| Arc::from(word.node.value.as_str())));
            }
            FixClause::Source(source) => self.citation(source, &mut fix.info, at),
            FixClause::Verified(date) => self.verified(seen, date, clause.span, &mut fix.info, at),
            FixClause::Unverified(text) => {
                self.once_text(seen, "unverified", clause.span, text, &mut fix.info.unverified, at);
            }
        }
    }

    /// A step. One whose condition has a mistake is left out: without it, it would always be shown.
    fn step(&mut self, step: &Spanned<ast::Step>, when: Option<&ast::Expr>, at: At) -> Option<Step> {
        let kind = self.step_kind(&step.node, at);
        let when = match when {
            Some(when) => Some(self.condition(when, Scope::new(at))?),
            None => None,
        };
        Some(Step { site: at.site(step.span), kind: kind?, when })
    }

    fn step_kind(&mut self, step: &ast::Step, at: At) -> Option<StepKind> {
        match step {
            ast::Step::Flag { flag, value, instead_of } => {
                let sound = self.flag(flag, at).zip(self.flags(instead_of, at));
                let (flag_name, instead_of_names) = sound?;
                if let Some(same) = instead_of.iter().find(|other| other.node == flag.node) {
                    self.listed_twice(same, flag, at);
                }
                let value = value.as_ref().map(|value| written(&value.node).into());
                Some(StepKind::Flag { flag: flag_name, value, instead_of: instead_of_names })
            }
            ast::Step::FlagOff(flags) => self.flags(flags, at).map(StepKind::FlagOff),
            ast::Step::Env { name, value } => {
                let name = self.variable(name, at)?;
                Some(StepKind::Env { name, value: written(&value.node).into() })
            }
            ast::Step::EnvOff(name) => self.variable(name, at).map(StepKind::EnvOff),
            ast::Step::Via { template, args } => {
                self.is_template(template, at);
                Some(StepKind::Via {
                    template: template.node.as_str().into(),
                    args: self.text(args, at, Braces::Command, None),
                })
            }
            ast::Step::Run(text) => Some(StepKind::Run(self.text(text, at, Braces::Command, None))),
            ast::Step::Do(text) => Some(StepKind::Do(self.prose(text, at))),
        }
    }

    fn flags(&mut self, flags: &[Name], at: At) -> Option<Vec<Arc<str>>> {
        let sound: Vec<_> = flags.iter().map(|flag| self.flag(flag, at)).collect();
        sound.into_iter().collect()
    }

    fn flag(&mut self, flag: &Name, at: At) -> Option<Arc<str>> {
        if flag.node.len() > 2 && flag.node.starts_with("--") {
            return Some(flag.node.as_str().into());
        }
        let full = format!("--{}", flag.node.trim_start_matches('-'));
        let error = Diagnostic::error(codes::FLAG_NAME, format!("`{}` is no flag", flag.node), at.source, flag.span);
        self.push(error.help(format!("a flag begins with two dashes: `{full}`")).edit(at.source, flag.span, full));
        None
    }

    fn variable(&mut self, name: &Name, at: At) -> Option<Arc<str>> {
        let fits = name.node.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if fits && !name.node.starts_with(|c: char| c.is_ascii_digit()) {
            return Some(name.node.as_str().into());
        }
        let message = format!("`{}` is no environment variable", name.node);
        let help = "write letters, digits and `_`, such as `PYTORCH_ENABLE_MPS_FALLBACK`";
        self.error(codes::FLAG_NAME, at, name.span, message, help);
        None
    }

    fn is_template(&mut self, template: &Name, at: At) {
        if self.names.templates.is_empty() || self.names.templates.contains(template.node.as_str()) {
            return;
        }
        let mut known: Vec<_> = self
            .program
            .launchers
            .iter()
            .flat_map(|launcher| &launcher.templates)
            .map(|template| template.name.to_string())
            .collect();
        known.sort();
        known.dedup();
        let near = self.guess(&template.node, known.iter().map(String::as_str));
        let warning = Diagnostic::warning(
            codes::UNKNOWN_TEMPLATE,
            format!("no launcher has a template `{}`", template.node),
            at.source,
            template.span,
        );
        self.push(match near {
            Some(near) => warning.help(format!("did you mean `{near}`?")).edit(at.source, template.span, near),
            None => warning.help(format!("launchers have {}", quote(&known))),
        });
    }
}

fn quote(known: &[String]) -> String {
    super::quote_list(known.iter().map(String::as_str))
}

/// A value as it was written.
fn written(operand: &Operand) -> String {
    match operand {
        Operand::Word(word) => word.clone(),
        Operand::Text(text) => text.value.clone(),
        Operand::Size(number, unit) => format!("{number}{unit}"),
    }
}
