//! The commands: each writes its answer and says how it ends.

mod check;
mod code;
mod completions;
mod diagnose;
mod explain;
mod fmt;
mod knowledge;
mod list;
mod probe;
mod search;
mod show;
mod test;

use crate::args::Command;
use crate::config::Config;
use crate::failure::Result;

/// How a command ends; anything that it could not use is a failure instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// It found what it was asked for, or nothing wrong.
    Yes,
    /// It did not, or found something wrong.
    No,
}

impl From<bool> for Status {
    fn from(yes: bool) -> Self {
        if yes { Self::Yes } else { Self::No }
    }
}

impl Status {
    /// The exit status.
    pub(crate) const fn code(self) -> i32 {
        match self {
            Self::Yes => 0,
            Self::No => 1,
        }
    }
}

/// Runs a command.
pub(crate) fn run(command: Command, config: &Config) -> Result<Status> {
    match command {
        Command::Diagnose { files, encoding, ask } => diagnose::run(&files, encoding.as_deref(), ask, config),
        Command::Explain(asked) => explain::run(asked, config),
        Command::Check { strict, paths } => check::run(strict, paths, config),
        Command::Test { coverage, paths } => test::run(coverage, paths, config),
        Command::Fmt { check, paths } => fmt::run(check, &paths, config),
        Command::Probe { mask } => probe::run(mask, config),
        Command::List { what } => list::run(what, config),
        Command::Show { id } => show::run(&id, config),
        Command::Search { words } => search::run(&words, config),
        Command::Completions { shell } => completions::run(shell),
    }
}
