//! `rulecheck diagnose`

use std::path::PathBuf;

use rulecheck::report;

use super::Status;
use crate::args::Format;
use crate::ask::Asker;
use crate::config::Config;
use crate::failure::Result;
use crate::{inputs, output, run, state};

pub(crate) fn run(files: &[PathBuf], encoding: Option<&str>, ask: bool, config: &Config) -> Result<Status> {
    config.only("diagnose", &[Format::Text, Format::Json, Format::Markdown])?;
    let inputs = inputs::read(files, encoding)?;
    let mut asker = if ask { Some(Asker::new(inputs::use_standard(files), config.lang)?) } else { None };
    let run = run::run(config, inputs, encoding, asker.as_mut())?;
    let diagnosis = &run.diagnosis;
    match config.format {
        Format::Json => output::text(&report::json(diagnosis, config.lang))?,
        Format::Markdown => output::text(&report::markdown(diagnosis, &config.style()))?,
        Format::Text | Format::Ron => output::markup(&report::text(diagnosis, &config.style()), config.color)?,
    }
    if config.terminal {
        state::keep(run.last);
    }
    let status = Status::from(!diagnosis.problems().is_empty());
    // The program ends here: giving back all memory piece by piece would only take time.
    std::mem::forget(run.diagnosis);
    Ok(status)
}
