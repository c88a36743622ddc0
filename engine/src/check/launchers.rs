//! Launchers: how kinds of installs take changes.

use rulecheck_grammar::ast::{self, LauncherClause, Name};
use rulecheck_grammar::{Diagnostic, Span};

use super::collect::Declarations;
use super::conditions::Scope;
use super::entries::Seen;
use super::texts::Braces;
use super::{At, Checker, codes};
use crate::ir::{Launcher, Template, Text};

impl Checker<'_> {
    /// Gives every launcher its id, and collects the templates there are.
    pub(super) fn declare_launchers(&mut self, all: &Declarations<'_>) {
        for item in &all.launchers {
            let name = &item.node.id;
            if let Some(first) = self.names.launchers.get(name.node.as_str()).copied() {
                self.declared_twice("launcher", name, item.at, first);
                continue;
            }
            self.names.launchers.insert(name.node.as_str().into(), item.at.site(name.span));
            for clause in &item.node.clauses {
                if let LauncherClause::Template { name, .. } = &clause.kind {
                    self.names.templates.insert(name.node.as_str().into());
                }
            }
        }
    }

    /// Reads the launchers.
    pub(super) fn launchers(&mut self, all: &Declarations<'_>) {
        for item in &all.launchers {
            let at = item.at;
            let site = at.site(item.node.id.span);
            if self.names.launchers.get(item.node.id.node.as_str()) != Some(&site) {
                continue;
            }
            let id = item.node.id.node.as_str().into();
            let mut launcher = Launcher { id, title: Text::default(), templates: Vec::new(), pack: at.pack, site };
            let mut seen = Seen::default();
            for clause in &item.node.clauses {
                match &clause.kind {
                    LauncherClause::Title(text) => {
                        if self.once(&mut seen, "title", clause.span, at) {
                            launcher.title = self.plain_text(text, at);
                        }
                    }
                    LauncherClause::Template { name, text, when } => {
                        self.is_reached(name, clause.span, &launcher, at);
                        self.has_slots(name, text, at);
                        launcher.templates.extend(self.template(name, text, when.as_ref(), at));
                    }
                }
            }
            self.program.launchers.push(launcher);
        }
    }

    /// Warns of a template that is never used, since one before it has no condition.
    fn is_reached(&mut self, name: &Name, span: Span, launcher: &Launcher, at: At) {
        if launcher.templates.iter().any(|other| *other.name == *name.node && other.when.is_none()) {
            let message = format!("an earlier `{}` without a condition always stands before this one", name.node);
            let warning = Diagnostic::warning(codes::HIDDEN_TEMPLATE, message, at.source, span);
            self.push(warning.help("put the template with a condition first"));
        }
    }

    /// Warns of a template that leaves out what it is given.
    fn has_slots(&mut self, name: &Name, text: &ast::Text, at: At) {
        let wanted: &[&str] = match name.node.as_str() {
            "flag" | "flag-off" => &["flag"],
            "env" => &["name", "value"],
            "env-off" => &["name"],
            _ => &["args"],
        };
        let written = &text.base.node;
        let mut slots = written.value.split('{').skip(1).filter_map(|it| it.split_once('}')).map(|(slot, _)| slot);
        // `set` and `unset` are the whole line for the user's shell; a slot that there is not was reported.
        if slots.any(|slot| !wanted.contains(&slot)) {
            return;
        }
        let Some(missing) = wanted.iter().find(|slot| !written.value.contains(&format!("{{{slot}}}"))) else { return };
        let message = format!("the template `{}` leaves out what it is given", name.node);
        let warning = Diagnostic::warning(codes::INCOMPLETE, message, at.source, text.base.span);
        self.push(warning.help(format!("write `{{{missing}}}` where it belongs")));
    }

    fn template(&mut self, name: &Name, text: &ast::Text, when: Option<&ast::Expr>, at: At) -> Option<Template> {
        // How to set a flag or a variable is told in prose; the other templates are commands.
        let prose = name.node.starts_with("flag") || name.node.starts_with("env");
        let text = self.text(text, at, if prose { Braces::Template } else { Braces::CommandTemplate }, None);
        let when = match when {
            Some(when) => Some(self.condition(when, Scope::new(at))?),
            None => None,
        };
        Some(Template { name: name.node.as_str().into(), text, when })
    }
}
