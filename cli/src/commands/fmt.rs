//! `rulecheck fmt`

use std::io::Read;
use std::path::{Path, PathBuf};
use std::{fs, io};

use rulecheck::{Diagnostics, Source, SourceId};

use super::Status;
use crate::config::Config;
use crate::failure::{Failure, Result};
use crate::{diagnostics, files, output, packs};

pub(crate) fn run(check: bool, paths: &[PathBuf], config: &Config) -> Result<Status> {
    if paths.len() == 1 && paths.iter().all(|path| path.as_os_str() == "-") {
        return standard_input(check, config);
    }
    let here = [PathBuf::from(".")];
    let files = packs::rule_files_at(if paths.is_empty() { &here } else { paths })?;
    // All files are laid out before the first is written: a mistake in one leaves all as they are.
    let mut changed = Vec::new();
    for path in &files {
        let text = files::text(path, packs::FILE_BYTES)?;
        let laid_out = laid_out(&path.display().to_string(), &text, config)?;
        if laid_out != text {
            changed.push((path, laid_out));
        }
    }
    for (path, text) in &changed {
        if !check {
            write(path, text)?;
        }
        let done = if check { "would change" } else { "changed" };
        output::text(&format!("{done} {}\n", path.display()))?;
    }
    Ok(Status::from(!check || changed.is_empty()))
}

fn standard_input(check: bool, config: &Config) -> Result<Status> {
    let mut text = String::new();
    io::stdin()
        .lock()
        .read_to_string(&mut text)
        .map_err(|error| Failure::line(format!("the standard input cannot be read: {error}")))?;
    let laid_out = laid_out("-", &text, config)?;
    if !check {
        output::text(&laid_out)?;
    }
    Ok(Status::from(!check || laid_out == text))
}

fn laid_out(name: &str, text: &str, config: &Config) -> Result<String> {
    let source = Source::new(name, text);
    let mut found = Diagnostics::new();
    let laid_out = rulecheck_grammar::format(&source, SourceId(0), &mut found);
    laid_out.ok_or_else(|| Failure::Rules(diagnostics::errors(&found, &[source], config.error_color)))
}

/// Writes beside the file, then moves it there, so that a crash leaves the old file or the new one.
fn write(path: &Path, text: &str) -> Result<()> {
    let failed = |error| Failure::line(format!("{}: cannot be written: {error}", path.display()));
    let target = fs::canonicalize(path).map_err(failed)?;
    let beside = target.with_extension(format!("rules.{}.tmp", std::process::id()));
    let permissions = fs::metadata(&target).map(|metadata| metadata.permissions()).map_err(failed)?;
    let moved = fs::write(&beside, text)
        .and_then(|()| fs::set_permissions(&beside, permissions))
        .and_then(|()| fs::rename(&beside, &target));
    if moved.is_err() {
        let _ = fs::remove_file(&beside);
    }
    moved.map_err(failed)
}
