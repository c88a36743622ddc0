//! `rulecheck check`

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rulecheck::check::{Options, check_with, codes};
use rulecheck::ir::Site;
use rulecheck::report::Detail;
use rulecheck::{Diagnostic, Diagnostics, PackSource, Ruleset, Severity, Source};
use rulecheck_grammar::Code;

use super::{Status, test};
use crate::args::Format;
use crate::config::Config;
use crate::diagnostics::{self, plural};
use crate::failure::Result;
use crate::{output, packs};

/// Advice for packs that are published; a rule of one's own is fine without.
const STRICT: [Code; 3] = [codes::UNVERIFIED, codes::UNTESTED, codes::INCOMPLETE];

pub(crate) fn run(strict: bool, paths: Vec<PathBuf>, config: &Config) -> Result<Status> {
    config.only("check", &[Format::Text, Format::Json, Format::Markdown])?;
    let paths = checked_paths(paths, config);
    let own = packs::own(&paths)?;
    let sources = packs::sources(&paths, config.only_rules)?;
    let mut found = Diagnostics::new();
    let program = check_with(&sources, Options { lint: true }, &mut found);
    if strict && !found.has_errors() {
        untested(&sources, &own, &mut found);
    }
    found.sort();
    let texts: Vec<Source> = program.sources.iter().cloned().collect();
    let mut shown = shown(&found, &own, &texts);
    shown.retain(|finding| strict || !STRICT.contains(&finding.code));
    print(&shown, &texts, &checked(&own, &sources), config)?;
    let wrong = shown.iter().any(|finding| strict || finding.severity == Severity::Error);
    Ok(Status::from(!wrong))
}

/// A rule that reads text needs a test in which it is true and one in which it is false.
fn untested(sources: &[PackSource], own: &[PackSource], found: &mut Diagnostics) {
    let ruleset = Ruleset::compile(sources, &mut Diagnostics::new());
    let (names, texts) = (names(own), &ruleset.program().sources);
    let is_own = |site: Site| texts.get(site.source.0 as usize).is_some_and(|source| names.contains(&*source.name));
    let (_, coverage) = ruleset.run_tests_of(&|site| names.is_empty() || is_own(site), &mut test::read);
    for rule in coverage.rules.iter().filter(|rule| rule.reads_text) {
        let missing = match (rule.seen_true, rule.seen_false) {
            (true, true) => continue,
            (false, true) => "in which it is true",
            (true, false) => "in which it is false",
            (false, false) => "in which it is true, and none in which it is false",
        };
        let message = format!("the rule `{}` reads text and has no test {missing}", rule.name);
        let warning = Diagnostic::warning(codes::UNTESTED, message, rule.site.source, rule.site.span);
        found.push(warning.help("add one: `test \"what happens\"` with `given error \"…\"` and `expect …`"));
    }
}

/// What is named, else what `--rules` names, else this folder if it holds rules; nothing stands for the built-in packs.
pub(crate) fn checked_paths(paths: Vec<PathBuf>, config: &Config) -> Vec<PathBuf> {
    let here = Path::new(".");
    if !paths.is_empty() {
        return config.rules.iter().cloned().chain(paths).collect();
    }
    if config.rules.is_empty() && packs::holds_rules(here) {
        return vec![here.to_owned()];
    }
    config.rules.clone()
}

/// What was checked: all, where only built-in packs were.
fn checked(own: &[PackSource], all: &[PackSource]) -> String {
    let packs = if own.is_empty() { all } else { own };
    let files = packs.iter().map(|pack| pack.files.len()).sum();
    let built_in = if own.is_empty() { "the built-in packs, " } else { "" };
    format!("{built_in}{} in {}", plural(files, "file"), plural(packs.len(), "pack"))
}

/// The names of all texts of packs.
fn names(packs: &[PackSource]) -> BTreeSet<&str> {
    packs.iter().flat_map(|pack| pack.files.iter().chain(&pack.manifest)).map(|source| &*source.name).collect()
}

/// The findings that are the user's affair: those in the texts that were named, and every error.
fn shown<'a>(found: &'a Diagnostics, own: &[PackSource], texts: &[Source]) -> Vec<&'a Diagnostic> {
    let names = names(own);
    let is_own = |finding: &Diagnostic| {
        let mut places = finding.labels.iter().filter_map(|label| texts.get(label.source.0 as usize));
        places.any(|source| names.contains(&*source.name))
    };
    found.iter().filter(|finding| own.is_empty() || finding.severity == Severity::Error || is_own(finding)).collect()
}

fn print(shown: &[&Diagnostic], texts: &[Source], checked: &str, config: &Config) -> Result<()> {
    match config.format {
        Format::Json => output::text(&diagnostics::json(shown, texts)),
        Format::Markdown => output::text(&diagnostics::markdown(shown, texts)),
        Format::Text | Format::Ron if config.detail == Detail::Brief => output::text(&diagnostics::lines(shown, texts)),
        Format::Text | Format::Ron => {
            let counts = diagnostics::summary(shown);
            let counts = if counts.is_empty() { "nothing wrong" } else { &counts };
            output::styled(
                &format!("{}{checked}: {counts}\n", diagnostics::text(shown, texts, config.color)),
                config.color,
            )
        }
    }
}
