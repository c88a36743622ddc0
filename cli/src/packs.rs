//! Rule files and packs, from where the user says they are.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rulecheck::{Diagnostics, PackSource, Ruleset, Source};

use crate::config::Config;
use crate::diagnostics;
use crate::failure::{Failure, Result};
use crate::files;

/// Bytes that a rule file may have.
pub(crate) const FILE_BYTES: u64 = 16 << 20;
/// Folders in folders that are searched for packs and rule files.
const DEPTH: usize = 8;

/// The packs of a run: the built-in ones, then those of the user in the order given. A pack takes the place of the
/// built-in one of its name, so that a pack can be worked on.
pub(crate) fn sources(paths: &[PathBuf], only_rules: bool) -> Result<Vec<PackSource>> {
    let own = own(paths)?;
    let names: BTreeSet<_> = own.iter().filter_map(name).collect();
    let built_in = if only_rules { rulecheck_rulesets::core_sources() } else { rulecheck_rulesets::bundled_sources() };
    let kept =
        built_in.into_iter().filter(|pack| names.is_empty() || name(pack).is_none_or(|name| !names.contains(&name)));
    Ok(kept.chain(own).collect())
}

/// The ruleset of a run. Any error in it is a failure that shows all of them.
pub(crate) fn ruleset(config: &Config, paths: &[PathBuf], only_rules: bool) -> Result<Ruleset> {
    if paths.is_empty()
        && !only_rules
        && let Ok(ruleset) = rulecheck_rulesets::bundled()
    {
        return Ok(ruleset);
    }
    let sources = sources(paths, only_rules)?;
    let mut found = Diagnostics::new();
    let ruleset = Ruleset::compile(&sources, &mut found);
    if found.has_errors() {
        found.sort();
        let texts: Vec<Source> = ruleset.program().sources.iter().cloned().collect();
        return Err(Failure::Rules(diagnostics::errors(&found, &texts, config.error_color)));
    }
    Ok(ruleset)
}

/// The packs at these paths, each once.
pub(crate) fn own(paths: &[PathBuf]) -> Result<Vec<PackSource>> {
    let mut packs = Vec::new();
    let mut seen = BTreeSet::new();
    for path in paths {
        let metadata = fs::metadata(path).map_err(|error| Failure::file(path, &error))?;
        let is_manifest = path.file_name().is_some_and(|name| name == "pack.ron");
        if metadata.is_dir() {
            folder(path, &mut packs, &mut seen)?;
        } else if is_manifest {
            let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            folder(parent.unwrap_or(Path::new(".")), &mut packs, &mut seen)?;
        } else if seen.insert(identity(path)) {
            packs.push(PackSource::single(source(path)?));
        }
    }
    Ok(packs)
}

/// The rule files at these paths, and in folders below them.
pub(crate) fn rule_files_at(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        let before = files.len();
        if fs::metadata(path).map_err(|error| Failure::file(path, &error))?.is_dir() {
            rule_files(path, DEPTH, &mut files)?;
        } else {
            files.push(path.clone());
        }
        if files.len() == before {
            return Err(Failure::line(format!(
                "{}: holds no `.rules` file; name a file or another folder",
                path.display()
            )));
        }
    }
    Ok(files)
}

/// Whether a folder holds packs or rule files.
pub(crate) fn holds_rules(path: &Path) -> bool {
    let mut entries = listing(path).unwrap_or_default();
    entries.retain(|entry| is_rules(entry) || entry.ends_with("pack.ron") || entry.join("pack.ron").is_file());
    !entries.is_empty()
}

/// The same file under two names is one file.
fn identity(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// A folder: a pack, or packs and rule files in it.
fn folder(path: &Path, packs: &mut Vec<PackSource>, seen: &mut BTreeSet<PathBuf>) -> Result<()> {
    if path.join("pack.ron").is_file() {
        if seen.insert(identity(path)) {
            packs.push(pack(path)?);
        }
        return Ok(());
    }
    let before = seen.len();
    let known = packs.len();
    for entry in listing(path)? {
        if entry.join("pack.ron").is_file() {
            folder(&entry, packs, seen)?;
        } else if is_rules(&entry) && seen.insert(identity(&entry)) {
            packs.push(PackSource::single(source(&entry)?));
        }
    }
    if packs.len() == known && seen.len() == before && !holds_rules(path) {
        let name = path.display();
        return Err(Failure::line(format!(
            "{name}: holds no pack (a folder with `pack.ron`) and no `.rules` file; name one that does"
        )));
    }
    Ok(())
}

fn pack(path: &Path) -> Result<PackSource> {
    let mut files = Vec::new();
    rule_files(path, DEPTH, &mut files)?;
    let files = files.iter().map(|file| source(file)).collect::<Result<_>>()?;
    Ok(PackSource { manifest: Some(source(&path.join("pack.ron"))?), files })
}

fn rule_files(path: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in listing(path)? {
        let hidden = entry.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if entry.is_dir() && depth > 0 && !hidden {
            rule_files(&entry, depth - 1, files)?;
        } else if is_rules(&entry) {
            files.push(entry);
        }
    }
    Ok(())
}

fn source(path: &Path) -> Result<Source> {
    Ok(Source::new(shown(path), files::text(path, FILE_BYTES)?))
}

/// The name of a file as the user gave it, with `/` on every system, so that places read alike.
fn shown(path: &Path) -> Arc<str> {
    let name = path.display().to_string();
    let name = if cfg!(windows) { name.replace('\\', "/") } else { name };
    name.strip_prefix("./").unwrap_or(&name).into()
}

fn is_rules(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rules") && path.is_file()
}

/// The entries of a folder by name.
fn listing(path: &Path) -> Result<Vec<PathBuf>> {
    let failed = |error| Failure::file(path, &error);
    let entries = fs::read_dir(path).map_err(failed)?.map(|entry| Ok(entry?.path()));
    let mut entries = entries.collect::<std::io::Result<Vec<_>>>().map_err(failed)?;
    entries.sort();
    Ok(entries)
}

/// The name that a pack's manifest gives it.
fn name(pack: &PackSource) -> Option<String> {
    let manifest: ron::Value = ron::from_str(&pack.manifest.as_ref()?.text).ok()?;
    let ron::Value::Map(fields) = manifest else { return None };
    let named = |(key, value): (&ron::Value, &ron::Value)| match (key, value) {
        (ron::Value::String(key), ron::Value::String(value)) if key == "name" => Some(value.clone()),
        _ => None,
    };
    fields.iter().find_map(named)
}
