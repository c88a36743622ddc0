//! The `rulecheck` program: the only place with arguments, files, colour and exit status.
//!
//! `LowArgs` is what was typed, `Config` what follows from it; each command is a function of both that writes its answer
//! and says how it ends.

mod args;
mod ask;
mod commands;
mod config;
mod diagnostics;
mod failure;
mod files;
mod given;
mod inputs;
mod locale;
mod output;
mod packs;
mod recorder;
mod run;
mod state;

use std::io::Write as _;

use clap::Parser;

use crate::args::LowArgs;
use crate::commands::Status;
use crate::config::Config;
use crate::failure::Failure;

/// Leaves without what C libraries do last: a driver's library that hangs holds the lock which they wait for then.
fn main() -> ! {
    let status = answer();
    // Whatever else was written was written out by whoever wrote it, and told that nobody reads.
    let _ = std::io::stdout().flush();
    signal_hook::low_level::exit(status)
}

/// Does what was typed, and says with which status the program ends.
fn answer() -> i32 {
    let low = match LowArgs::try_parse() {
        Ok(low) => low,
        Err(error) => {
            // Help and version are answers, not mistakes; that nobody reads them is neither.
            let _ = error.print();
            return i32::from(error.use_stderr()) * 2;
        }
    };
    let config = Config::new(low.common);
    match commands::run(low.command, &config) {
        Ok(status) => status.code(),
        Err(Failure::BrokenPipe) => Status::Yes.code(),
        Err(Failure::Line(line)) => {
            let (start, end) = if config.error_color { ("\u{1b}[1;31m", "\u{1b}[0m") } else { ("", "") };
            output::error(&format!("{start}error{end}: {line}\n"));
            2
        }
        Err(Failure::Rules(findings)) => {
            output::error(&findings);
            2
        }
    }
}
