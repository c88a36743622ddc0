//! What names stand for, and what is said where they stand for nothing.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use rulecheck_grammar::ast::Name;
use rulecheck_grammar::{Diagnostic, Span};

use super::{At, Checker, codes, id};
use crate::ir::{EntryInfo, Fact, FactId, Fix, FixId, Problem, ProblemId, RecordId, SectionId, Site};
use crate::value::{Type, is_name};

/// The texts that are always there.
pub(super) const TEXTS: [&str; 6] = ["error", "error.type", "error.message", "error.cause", "trace", "log"];

/// What a name of the first space stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Thing {
    Fact(FactId),
    Record(RecordId),
    Section(SectionId),
}

/// The names of a program.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) things: HashMap<Arc<str>, Thing>,
    /// Families by prefix with its dot, as an index.
    pub(super) families: HashMap<Arc<str>, usize>,
    /// The question of each family.
    pub(super) family_asks: Vec<Option<crate::ir::Text>>,
    pub(super) problems: HashMap<Arc<str>, ProblemId>,
    pub(super) fixes: HashMap<Arc<str>, FixId>,
    pub(super) launchers: HashMap<Arc<str>, Site>,
    pub(super) rules: HashMap<Arc<str>, Site>,
    /// The templates that launchers have.
    pub(super) templates: HashSet<Arc<str>>,
    /// The rank of each table of the program.
    pub(super) table_ranks: Vec<u32>,
    /// Problems and fixes that a later pack took out: naming them is no mistake.
    pub(super) disabled: HashSet<Arc<str>>,
}

impl Checker<'_> {
    /// What a name stands for. A member of a family becomes a fact when it is first named.
    pub(super) fn thing(&mut self, name: &str) -> Option<Thing> {
        if let Some(thing) = self.names.things.get(name) {
            return Some(*thing);
        }
        let family = self.family_of(name)?;
        Some(Thing::Fact(self.add_member(name, family)))
    }

    /// The fact of this name.
    pub(super) fn fact(&mut self, name: &str) -> Option<FactId> {
        match self.thing(name)? {
            Thing::Fact(fact) => Some(fact),
            Thing::Record(_) | Thing::Section(_) => None,
        }
    }

    /// The family with the longest prefix of a name.
    fn family_of(&self, name: &str) -> Option<usize> {
        let dots = name.bytes().enumerate().filter(|&(_, byte)| byte == b'.').map(|(index, _)| index);
        let prefixes: Vec<_> = dots.filter_map(|dot| name.split_at_checked(dot + 1)).collect();
        let families = &self.names.families;
        prefixes
            .into_iter()
            .rev()
            .filter(|(_, member)| is_name(member))
            .find_map(|(prefix, _)| families.get(prefix).copied())
    }

    fn add_member(&mut self, name: &str, family: usize) -> FactId {
        let fact = self.program.families.get(family).map(|family| Fact {
            name: name.into(),
            ty: family.ty.clone(),
            range: None,
            description: family.description.clone(),
            ask: None,
            probe: family.probe.clone(),
            record: None,
            concluders: Vec::new(),
            site: family.site,
        });
        let ask = self.names.family_asks.get(family).cloned().flatten();
        self.add_fact(Fact { ask, ..fact.unwrap_or_else(|| plain_fact(name, Type::Text, Site::default())) })
    }

    /// Adds a fact under its name.
    pub(super) fn add_fact(&mut self, fact: Fact) -> FactId {
        let new = FactId(id(self.program.facts.len()));
        self.names.things.insert(Arc::clone(&fact.name), Thing::Fact(new));
        self.program.facts.push(fact);
        new
    }

    /// The type of a fact.
    pub(super) fn type_of(&self, fact: FactId) -> Type {
        self.program.facts.get(fact.index()).map_or(Type::Text, |fact| fact.ty.clone())
    }

    /// The fact that holds one of the texts that are always there; `error`, `trace` and `log` become one when a rule
    /// asks whether they are known.
    pub(super) fn text_fact(&mut self, name: &str) -> FactId {
        self.fact(name).unwrap_or_else(|| self.add_fact(plain_fact(name, Type::Text, Site::default())))
    }

    /// The problem that a clause names. One that no pack declares is a warning, and is added.
    pub(super) fn problem(&mut self, name: &Name, at: At) -> Option<ProblemId> {
        if let Some(known) = self.names.problems.get(name.node.as_str()) {
            return Some(*known);
        }
        if let Some(fix) = self.names.fixes.get(name.node.as_str()) {
            let site = self.program.fixes.get(fix.index()).map(|fix| fix.info.site);
            self.other_kind(name, at, "fix", "problem", site);
            return None;
        }
        self.undeclared(name, at, "problem");
        let new = ProblemId(id(self.program.problems.len()));
        self.names.problems.insert(name.node.as_str().into(), new);
        self.program.problems.push(Problem { info: only_named(name, at), ..Problem::default() });
        Some(new)
    }

    /// The fix that a clause names. One that no pack declares is a warning, and is added.
    pub(super) fn fix(&mut self, name: &Name, at: At) -> Option<FixId> {
        if let Some(known) = self.names.fixes.get(name.node.as_str()) {
            return Some(*known);
        }
        if let Some(problem) = self.names.problems.get(name.node.as_str()) {
            let site = self.program.problems.get(problem.index()).map(|problem| problem.info.site);
            self.other_kind(name, at, "problem", "fix", site);
            return None;
        }
        self.undeclared(name, at, "fix");
        let new = FixId(id(self.program.fixes.len()));
        self.names.fixes.insert(name.node.as_str().into(), new);
        self.program.fixes.push(Fix { info: only_named(name, at), ..Fix::default() });
        Some(new)
    }

    fn other_kind(&mut self, name: &Name, at: At, is: &str, wanted: &str, site: Option<Site>) {
        let message = format!("`{}` is a {is}, not a {wanted}", name.node);
        let mut error = Diagnostic::error(codes::OTHER_KIND, message, at.source, name.span);
        if let Some(site) = site {
            error = error.context(site.source, site.span, format!("the {is}"));
        }
        let help = if wanted == "problem" {
            "a fix is named by `suggest` and `avoid`, a problem by `diagnose`, `suspect` and `problem = …`"
        } else {
            "a problem is named by `diagnose`, `suspect` and `problem = …`, a fix by `suggest` and `avoid`"
        };
        self.push(error.help(help));
    }

    /// Warns of a problem or fix that is declared nowhere.
    pub(super) fn undeclared(&mut self, name: &Name, at: At, kind: &str) {
        if self.names.disabled.contains(name.node.as_str()) {
            return;
        }
        let near = self.near_entry(&name.node);
        let help = near.clone().map_or_else(
            || "declare it, with a `title`; until then it is shown by its id".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        let message = format!("no pack declares a {kind} `{}`", name.node);
        let mut warning = Diagnostic::warning(codes::UNDECLARED_ENTRY, message, at.source, name.span).help(help);
        if let Some(near) = near {
            warning = warning.edit(at.source, name.span, near);
        }
        self.push(warning);
    }

    fn near_entry(&mut self, word: &str) -> Option<String> {
        self.guesses = self.guesses.checked_sub(1)?;
        let problems = self.program.problems.iter().map(|problem| &problem.info);
        let declared = problems.chain(self.program.fixes.iter().map(|fix| &fix.info)).filter(|info| info.declared);
        rulecheck_grammar::nearest(word, declared.map(|info| info.id.as_ref())).map(str::to_owned)
    }

    /// The nearest name of a fact, record or section.
    pub(super) fn near_fact(&mut self, word: &str) -> Option<String> {
        self.guesses = self.guesses.checked_sub(1)?;
        let facts = self.program.facts.iter().map(|fact| fact.name.as_ref());
        let records = self.program.records.iter().map(|record| record.name.as_ref());
        let sections = self.program.sections.iter().map(|section| section.name.as_ref());
        rulecheck_grammar::nearest(word, facts.chain(records).chain(sections).chain(TEXTS)).map(str::to_owned)
    }

    /// The names of facts that have all parts of a word, in their order: `vram` is one of `gpu.vram.total`.
    fn facts_with_part(&self, word: &str) -> Vec<String> {
        let wanted: Vec<String> = word.split('.').map(str::to_lowercase).collect();
        let has_all = |name: &&str| {
            let mut rest = name.split('.');
            word.len() > 2 && wanted.iter().all(|part| rest.any(|it| it == *part))
        };
        let facts = self.program.facts.iter().map(|fact| fact.name.as_ref()).filter(|name| !TEXTS.contains(name));
        facts.chain(TEXTS).filter(has_all).map(str::to_owned).collect()
    }

    /// Reports a name that no fact has.
    pub(super) fn unknown_fact(&mut self, name: &str, span: Span, at: At) {
        let longer = self.facts_with_part(name);
        let near = if longer.is_empty() { self.near_fact(name) } else { longer.first().cloned() };
        let mut error =
            Diagnostic::error(codes::UNKNOWN_FACT, format!("no pack declares a fact `{name}`"), at.source, span);
        error = match near {
            Some(_) if longer.len() > 1 => {
                let names = longer.iter().take(4).map(|name| format!("`{name}`"));
                error.help(format!("the whole name is meant: {}", names.collect::<Vec<_>>().join(", ")))
            }
            Some(near) => error.help(format!("did you mean `{near}`?")).edit(at.source, span, near),
            None => error.help(how_to_name(name)),
        };
        self.push(error);
    }

    /// Reports a second declaration of a name.
    pub(super) fn declared_twice(&mut self, what: &str, name: &Name, at: At, first: Site) {
        let message = format!("the {what} `{}` is declared twice", name.node);
        let error = Diagnostic::error(codes::DECLARED_TWICE, message, at.source, name.span).label("again here");
        let error =
            if first == Site::default() { error } else { error.context(first.source, first.span, "first here") };
        self.push(error.help("take one of the two out, or give it another name"));
    }
}

/// What to do about a name that no fact has and that is near none.
fn how_to_name(name: &str) -> String {
    let is_part = |part: &str| {
        !part.is_empty() && part.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-')
    };
    if name.starts_with("--") {
        return format!("ask for a start argument with `launch.args has {name}`");
    }
    if name.contains(['+', '*', '/']) {
        return "`+ - * /` stand between white space".to_owned();
    }
    if name == "problem" || !name.split('.').all(is_part) {
        return "write the name of a fact that is declared: `rulecheck list facts` shows them".to_owned();
    }
    format!("declare it: `fact {name}: TYPE`, or write the name of a fact that is declared")
}

/// A fact of which nothing is known but its type.
pub(super) fn plain_fact(name: &str, ty: Type, site: Site) -> Fact {
    Fact {
        name: name.into(),
        ty,
        range: None,
        description: crate::ir::Text::default(),
        ask: None,
        probe: None,
        record: None,
        concluders: Vec::new(),
        site,
    }
}

fn only_named(name: &Name, at: At) -> EntryInfo {
    EntryInfo { id: name.node.as_str().into(), site: at.site(name.span), ..EntryInfo::default() }
}
