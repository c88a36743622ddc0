//! The declarations of all files by kind, in the order of declaration, and what later packs take out.

use std::collections::HashMap;
use std::sync::Arc;

use rulecheck_grammar::ast::{self, DeclarationKind};
use rulecheck_grammar::{Diagnostic, Span};

use super::{At, Checker, codes, quote_list};
use crate::ir::{Disabled, PackId};

/// A declaration.
#[derive(Debug)]
pub(super) struct Item<'f, T> {
    /// Where.
    pub(super) at: At,
    /// All of it.
    pub(super) span: Span,
    /// Its number among all declarations.
    pub(super) rank: u32,
    /// Whether clauses were lost to mistakes that are reported already.
    pub(super) partial: bool,
    /// What it says.
    pub(super) node: &'f T,
}

impl<T> Clone for Item<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Item<'_, T> {}

/// All declarations by kind.
#[derive(Debug, Default, Clone)]
pub(super) struct Declarations<'f> {
    pub(super) facts: Vec<Item<'f, ast::Fact>>,
    pub(super) records: Vec<Item<'f, ast::Record>>,
    pub(super) sections: Vec<Item<'f, ast::Section>>,
    pub(super) tables: Vec<Item<'f, ast::Table>>,
    pub(super) rules: Vec<Item<'f, ast::Rule>>,
    pub(super) problems: Vec<Item<'f, ast::Entry<ast::ProblemClause>>>,
    pub(super) fixes: Vec<Item<'f, ast::Entry<ast::FixClause>>>,
    pub(super) launchers: Vec<Item<'f, ast::Entry<ast::LauncherClause>>>,
    pub(super) extracts: Vec<Item<'f, ast::Extract>>,
    pub(super) lines: Vec<Item<'f, ast::Line>>,
    pub(super) tests: Vec<Item<'f, ast::Test>>,
    pub(super) disables: Vec<Item<'f, ast::Disable>>,
}

impl<'f> Declarations<'f> {
    /// Sorts the declarations of parsed files by kind.
    pub(super) fn gather(files: &'f [(PackId, ast::File)]) -> Self {
        let mut all = Self::default();
        let mut rank = 0;
        for (pack, file) in files {
            let at = At { source: file.source, pack: *pack };
            for declaration in &file.declarations {
                all.add(at, rank, declaration);
                rank += 1;
            }
        }
        all
    }

    fn add(&mut self, at: At, rank: u32, declaration: &'f ast::Declaration) {
        fn item<'f, T>(at: At, from: &'f ast::Declaration, rank: u32, node: &'f T) -> Item<'f, T> {
            Item { at, span: from.span, rank, partial: from.partial, node }
        }
        match &declaration.kind {
            DeclarationKind::Fact(it) => self.facts.push(item(at, declaration, rank, it)),
            DeclarationKind::Record(it) => self.records.push(item(at, declaration, rank, it)),
            DeclarationKind::Section(it) => self.sections.push(item(at, declaration, rank, it)),
            DeclarationKind::Table(it) => self.tables.push(item(at, declaration, rank, it)),
            DeclarationKind::Rule(it) => self.rules.push(item(at, declaration, rank, it)),
            DeclarationKind::Problem(it) => self.problems.push(item(at, declaration, rank, it)),
            DeclarationKind::Fix(it) => self.fixes.push(item(at, declaration, rank, it)),
            DeclarationKind::Launcher(it) => self.launchers.push(item(at, declaration, rank, it)),
            DeclarationKind::Extract(it) => self.extracts.push(item(at, declaration, rank, it)),
            DeclarationKind::Line(it) => self.lines.push(item(at, declaration, rank, it)),
            DeclarationKind::Test(it) => self.tests.push(item(at, declaration, rank, it)),
            DeclarationKind::Disable(it) => self.disables.push(item(at, declaration, rank, it)),
        }
    }
}

/// The kinds that can be disabled.
const KINDS: [&str; 4] = ["rule", "problem", "fix", "launcher"];

/// The last pack that disables a kind and name.
type Disabling = HashMap<(&'static str, Arc<str>), PackId>;

impl Checker<'_> {
    /// Leaves out what a later pack disables.
    pub(super) fn take_out_disabled<'f>(&mut self, all: &Declarations<'f>) -> Declarations<'f> {
        let mut left = all.clone();
        if all.disables.is_empty() {
            return left;
        }
        let disabling = self.disabling(all);
        let keep = |kind: &'static str, name: &str, pack: PackId| {
            disabling.get(&(kind, Arc::from(name))).is_none_or(|disabler| *disabler <= pack)
        };
        left.rules.retain(|it| it.node.name.as_ref().is_none_or(|name| keep("rule", &name.node, it.at.pack)));
        left.problems.retain(|it| keep("problem", &it.node.id.node, it.at.pack));
        left.fixes.retain(|it| keep("fix", &it.node.id.node, it.at.pack));
        left.launchers.retain(|it| keep("launcher", &it.node.id.node, it.at.pack));
        let entries = left.disables.iter().filter(|it| matches!(it.node.kind.node.as_str(), "problem" | "fix"));
        self.names.disabled = entries.map(|it| it.node.name.node.as_str().into()).collect();
        left
    }

    fn disabling(&mut self, all: &Declarations<'_>) -> Disabling {
        let mut disabling = Disabling::new();
        for item in &all.disables {
            let Some(kind) = KINDS.into_iter().find(|kind| *kind == item.node.kind.node) else {
                self.unknown_kind(item);
                continue;
            };
            let earlier = declared_in(all, kind, &item.node.name.node);
            if !earlier.iter().any(|pack| *pack < item.at.pack) {
                self.nothing_to_disable(item, kind, all, !earlier.is_empty());
                continue;
            }
            let pack = disabling.entry((kind, item.node.name.node.as_str().into())).or_insert(item.at.pack);
            *pack = (*pack).max(item.at.pack);
        }
        disabling
    }

    fn unknown_kind(&mut self, item: &Item<'_, ast::Disable>) {
        let kind = &item.node.kind;
        let message = format!("`{}` cannot be disabled", kind.node);
        let help = self.guess(&kind.node, KINDS);
        let help = help
            .map_or_else(|| format!("say what it is: {}", quote_list(KINDS)), |near| format!("did you mean `{near}`?"));
        self.error(codes::CLAUSE_WORD, item.at, kind.span, message, help);
    }

    fn nothing_to_disable(&mut self, item: &Item<'_, ast::Disable>, kind: &str, all: &Declarations<'_>, here: bool) {
        let name = &item.node.name;
        let (message, help) = if here {
            let message = format!("the {kind} `{}` stands in this pack or in a later one", name.node);
            (message, "take the declaration out instead; `disable` is for packs that this one builds on".to_owned())
        } else {
            let known = names_of(all, kind);
            let near = self.guess(&name.node, known);
            let help = near.map_or_else(|| "take the line out".to_owned(), |near| format!("did you mean `{near}`?"));
            (format!("no earlier pack declares a {kind} `{}`", name.node), help)
        };
        self.error(codes::NOTHING_TO_DISABLE, item.at, name.span, message, help);
    }

    /// Records what was taken out, for explanations.
    pub(super) fn disables(&mut self, declarations: &Declarations<'_>) {
        for item in &declarations.disables {
            if !KINDS.contains(&item.node.kind.node.as_str()) {
                continue;
            }
            if item.node.because.is_none() {
                let diagnostic = Diagnostic::warning(
                    codes::INCOMPLETE,
                    "nothing says why this is disabled",
                    item.at.source,
                    item.span,
                );
                self.push(diagnostic.help("add `because \"…\"`: explanations show it"));
            }
            let because = item.node.because.as_ref().map(|text| self.plain_text(text, item.at));
            self.program.disabled.push(Disabled {
                kind: item.node.kind.node.as_str().into(),
                name: item.node.name.node.as_str().into(),
                because,
                pack: item.at.pack,
                site: item.at.site(item.span),
            });
        }
    }
}

/// The packs that declare a name of a kind.
fn declared_in(all: &Declarations<'_>, kind: &str, name: &str) -> Vec<PackId> {
    match kind {
        "rule" => {
            let named = all.rules.iter().filter(|it| it.node.name.as_ref().is_some_and(|own| own.node == name));
            named.map(|it| it.at.pack).collect()
        }
        "problem" => all.problems.iter().filter(|it| it.node.id.node == name).map(|it| it.at.pack).collect(),
        "fix" => all.fixes.iter().filter(|it| it.node.id.node == name).map(|it| it.at.pack).collect(),
        _ => all.launchers.iter().filter(|it| it.node.id.node == name).map(|it| it.at.pack).collect(),
    }
}

fn names_of<'f>(all: &Declarations<'f>, kind: &str) -> Vec<&'f str> {
    match kind {
        "rule" => all.rules.iter().filter_map(|it| it.node.name.as_ref()).map(|name| name.node.as_str()).collect(),
        "problem" => all.problems.iter().map(|it| it.node.id.node.as_str()).collect(),
        "fix" => all.fixes.iter().map(|it| it.node.id.node.as_str()).collect(),
        _ => all.launchers.iter().map(|it| it.node.id.node.as_str()).collect(),
    }
}
