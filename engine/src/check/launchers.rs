//! Launchers: how kinds of installs take changes.

use rulecheck_grammar::Diagnostic;
use rulecheck_grammar::ast::LauncherClause;

use super::collect::Declarations;
use super::conditions::Scope;
use super::entries::Seen;
use super::texts::Braces;
use super::{Checker, codes};
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
            let mut launcher =
                Launcher { id: item.node.id.node.as_str().into(), title: Text::default(), templates: Vec::new(), pack: at.pack, site };
            let mut seen = Seen::default();
            for clause in &item.node.clauses {
                match &clause.kind {
                    LauncherClause::Title(text) => {
                        if self.once(&mut seen, "title", clause.span, at) {
                            launcher.title = self.plain_text(text, at);
                        }
                    }
                    LauncherClause::Template { name, text, when } => {
                        let hidden = launcher.templates.iter().any(|other| *other.name == *name.node && other.when.is_none());
                        if hidden {
                            let message = format!("an earlier `{}` without a condition always stands before this one", name.node);
                            let warning = Diagnostic::warning(codes::HIDDEN_TEMPLATE, message, at.source, clause.span);
                            self.push(warning.help("put the template with a condition first"));
                        }
                        // How to set a flag or a variable is told in prose; the other templates are commands.
                        let prose = matches!(name.node.as_str(), "flag" | "env");
                        let text = self.text(text, at, if prose { Braces::Template } else { Braces::CommandTemplate }, None);
                        let sound = when.as_ref().map(|when| self.condition(when, Scope::new(at)));
                        if let Some(when) = sound.map_or(Some(None), |when| when.map(Some)) {
                            launcher.templates.push(Template { name: name.node.as_str().into(), text, when });
                        }
                    }
                }
            }
            self.program.launchers.push(launcher);
        }
    }
}
