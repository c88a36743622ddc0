//! Time from process start to the printed answer, beside an empty Rust program, interleaved in one run.
//!
//! ```text
//! cargo build --release -p rulecheck-cli
//! cargo build --release --manifest-path bench/Cargo.toml
//! bench/target/release/start target/release/rulecheck tests/cases/diagnose/mps-limit.txt
//! ```
//! Prints the median, least and greatest of thirty rounds, and the ratio of the medians: at most 1.6 with all packs. Absolute times mean little on a
//! shared machine; the ratio does.

use std::error::Error;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, io};

const ROUNDS: usize = 30;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args_os().skip(1).map(PathBuf::from);
    let (Some(program), Some(report)) = (arguments.next(), arguments.next()) else {
        return Err("usage: start PROGRAM REPORT".into());
    };
    let empty = env::current_exe()?.with_file_name(format!("empty{}", env::consts::EXE_SUFFIX));
    let program = program.canonicalize()?;

    let nothing = Command::new(empty);
    let mut answer = Command::new(&program);
    answer.args(["diagnose", "--probe", "never"]).arg(&report);
    let mut core = Command::new(&program);
    core.args(["diagnose", "--probe", "never", "--only-rules"]).arg(&report);

    let mut rows = [("an empty program", nothing, vec![]), ("rulecheck, core alone", core, vec![]), ("rulecheck, all packs", answer, vec![])];
    for _ in 0..=ROUNDS {
        for (_, command, times) in &mut rows {
            times.push(time(command)?);
        }
    }
    let mut base = None;
    for (name, _, times) in &mut rows {
        // The first round warms the caches of the file system.
        times.remove(0);
        times.sort();
        let median = times.get(ROUNDS / 2).copied().unwrap_or_default();
        let base = *base.get_or_insert(median);
        let (least, greatest) = (times.first().copied().unwrap_or_default(), times.last().copied().unwrap_or_default());
        println!("{name:24} {median:>9.1?}  {least:>9.1?} … {greatest:<9.1?}  {:.1}x", median.as_secs_f64() / base.as_secs_f64());
    }
    Ok(())
}

fn time(command: &mut Command) -> io::Result<Duration> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    command.status()?;
    Ok(start.elapsed())
}
