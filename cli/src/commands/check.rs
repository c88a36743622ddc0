//! `rulecheck check`

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rulecheck::{Diagnostic, Diagnostics, PackSource, Ruleset, Severity, Source};
use rulecheck::report::Detail;

use super::Status;
use crate::args::Format;
use crate::config::Config;
use crate::diagnostics::{self, plural};
use crate::failure::Result;
use crate::{output, packs};

pub(crate) fn run(strict: bool, paths: Vec<PathBuf>, config: &Config) -> Result<Status> {
    config.only("check", &[Format::Text, Format::Json, Format::Markdown])?;
    let paths = checked_paths(paths, config);
    let own = packs::own(&paths)?;
    let sources = packs::sources(&paths, config.only_rules)?;
    let mut found = Diagnostics::new();
    let ruleset = Ruleset::compile(&sources, &mut found);
    found.sort();
    let texts = &ruleset.program().sources;
    let shown = shown(&found, &own, texts);
    print(&shown, texts, &checked(&own, &sources), config)?;
    let wrong = shown.iter().any(|finding| strict || finding.severity == Severity::Error);
    Ok(Status::from(!wrong))
}

/// What is named, else what `--rules` names, else this folder if it holds rules; nothing stands for the built-in packs.
fn checked_paths(paths: Vec<PathBuf>, config: &Config) -> Vec<PathBuf> {
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

/// The findings that are the user's affair: those in the texts that were named, and every error.
fn shown<'a>(found: &'a Diagnostics, own: &[PackSource], texts: &[Source]) -> Vec<&'a Diagnostic> {
    let names: BTreeSet<&str> = own.iter().flat_map(|pack| pack.files.iter().chain(&pack.manifest)).map(|source| &*source.name).collect();
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
            output::styled(&format!("{}{checked}: {counts}\n", diagnostics::text(shown, texts, config.color)), config.color)
        }
    }
}
