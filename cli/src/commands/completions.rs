//! `rulecheck completions`

use clap::CommandFactory;
use clap_complete::Shell;

use super::Status;
use crate::args::LowArgs;
use crate::failure::{Failure, Result};
use crate::output;

pub(crate) fn run(shell: Shell) -> Result<Status> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut LowArgs::command(), "rulecheck", &mut script);
    let script = String::from_utf8(script).map_err(Failure::line)?;
    output::text(&script)?;
    Ok(Status::Yes)
}
