//! Real reports, for the reference: what a text says is what the engine read in it; what follows from that the reference
//! finds out by itself.

use std::collections::BTreeMap;

use rulecheck::explanation::Truth;
use rulecheck::{Diagnosis, Diagnostics, Origin, Ruleset};
use rulecheck_grammar::ast::{DeclarationKind, Expr, File, FixClause, RuleClause};

use crate::reference::{self, Answer, Text, World};
use crate::world;

/// The rule files of a ruleset as syntax, in the order of declaration.
#[must_use]
pub fn files(ruleset: &Ruleset) -> Vec<File> {
    let program = ruleset.program();
    let pack = |name: &str| program.packs.iter().position(|pack| name.split('/').next() == Some(&*pack.name));
    let mut sources: Vec<_> =
        program.sources.iter().enumerate().filter(|(_, source)| source.name.ends_with(".rules")).collect();
    sources.sort_by_key(|(_, source)| (pack(&source.name), source.name.to_string()));
    let parse = |(at, source): (usize, &rulecheck::Source)| {
        let id = rulecheck::SourceId(u32::try_from(at).unwrap_or(u32::MAX));
        rulecheck_grammar::parse(source, id, &mut Diagnostics::new())
    };
    sources.into_iter().map(parse).collect()
}

/// Both answers where they differ: the reference's, then the engine's.
#[must_use]
pub fn difference(files: &[File], diagnosis: &Diagnosis) -> Option<(Answer, Answer)> {
    let expected = told(reference::diagnose(files, &world(files, diagnosis)));
    let actual = told(world::answer(diagnosis));
    (expected != actual).then_some((expected, actual))
}

/// What is read is given to the reference; the parts of the text itself are no news.
fn told(mut answer: Answer) -> Answer {
    let is_text = |fact: &String| ["error", "log ", "trace "].iter().any(|name| fact.starts_with(name));
    answer.facts.retain(|fact| !is_text(fact));
    for fact in &mut answer.facts {
        if let Some(own) = fact.strip_suffix(" (text)") {
            *fact = format!("{own} (given)");
        }
    }
    answer
}

/// What the text and the caller say.
fn world(files: &[File], diagnosis: &Diagnosis) -> World {
    let facts = diagnosis.facts();
    let said = facts.iter().filter(|fact| matches!(fact.origin(), Origin::Given | Origin::Text));
    World {
        given: said.map(|fact| (fact.name().to_owned(), fact.value().cloned())).collect(),
        text: Text {
            holds: holds(files, diagnosis),
            distances: diagnosis.problems().iter().map(|it| (it.id().to_owned(), it.distance())).collect(),
            has_failure: diagnosis.has_failure(),
        },
        nobody: true,
        ..World::default()
    }
}

/// What the conditions came to that look in the text.
fn holds(files: &[File], diagnosis: &Diagnosis) -> BTreeMap<usize, reference::Truth> {
    let read: BTreeMap<_, _> =
        diagnosis.text_conditions().into_iter().map(|(site, truth)| ((site.source, site.span), truth)).collect();
    let mut holds = BTreeMap::new();
    for file in files {
        for expr in conditions(file).flat_map(reference::every) {
            if let Some(truth) = read.get(&(file.source, expr.span)) {
                holds.insert(std::ptr::from_ref(expr) as usize, as_read(*truth));
            }
        }
    }
    holds
}

const fn as_read(truth: Truth) -> reference::Truth {
    match truth {
        Truth::True => Some(true),
        Truth::False => Some(false),
        Truth::Unknown => None,
    }
}

fn conditions(file: &File) -> impl Iterator<Item = &Expr> {
    file.declarations.iter().flat_map(|declaration| -> Vec<&Expr> {
        match &declaration.kind {
            DeclarationKind::Rule(rule) => {
                let conditions = rule.clauses.iter().filter_map(|clause| match &clause.kind {
                    RuleClause::When(expr) | RuleClause::Unless(expr) => Some(expr),
                    _ => None,
                });
                conditions.collect()
            }
            DeclarationKind::Fix(fix) => {
                let conditions = fix.clauses.iter().filter_map(|clause| match &clause.kind {
                    FixClause::Requires(expr) | FixClause::Step(_, Some(expr)) => Some(expr),
                    _ => None,
                });
                conditions.collect()
            }
            _ => Vec::new(),
        }
    })
}
