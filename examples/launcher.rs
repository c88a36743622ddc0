//! A launcher whose program has just failed: it has the log file and knows what it started, and prints what to try, in
//! order.
//!
//! ```text
//! cargo run --example launcher -- comfyui.log --lowvram --preview-method auto
//! ```
//!
//! What the launcher knows reaches the engine in two ways. What it is sure of is *given*, and stands before all else.
//! What it can find out is *asked for*, and only if an undecided rule needs it: its own facts first, then this machine's.

use std::error::Error;
use std::io::{self, Write};
use std::{env, fs};

use rulecheck::{Answer, Element, FactSource, Given, Reading, Reason, Ruleset, Value};
use rulecheck_probes::Host;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let log =
        arguments.next().ok_or("usage: launcher LOG [ARGUMENT…]: the log of the failed run, and how it was started")?;
    let started_with: Vec<String> = arguments.collect();

    let ruleset = rulecheck_rulesets::bundled()?;
    let evidence = rulecheck_readers::read(&log, &fs::read(&log)?)?;
    let given = given(&ruleset, &started_with)?;
    let diagnosis = ruleset.diagnose_with(&evidence, &given, &mut Launcher { machine: Host::new() })?;

    let mut out = io::stdout().lock();
    for problem in diagnosis.problems().iter().take(1) {
        writeln!(out, "{}", problem.title("en"))?;
    }
    for suggestion in diagnosis.suggestions() {
        writeln!(out, "{}. {} ({})", suggestion.rank(), suggestion.title("en"), suggestion.status().as_str())?;
        for step in suggestion.steps("en") {
            writeln!(out, "   {}", step.text)?;
        }
    }
    Ok(())
}

/// What the launcher is sure of: how it started the program.
fn given(ruleset: &Ruleset, started_with: &[String]) -> Result<Given, Box<dyn Error>> {
    let mut given = Given::new();
    given.set(ruleset, "app", "comfyui")?;
    let flags: Vec<_> = started_with.iter().filter(|argument| argument.starts_with("--")).map(String::as_str).collect();
    given.set(ruleset, "launch.args", &flags.join(","))?;
    // `--reserve-vram 2` is the flag, and the fact `launch.arg.reserve-vram`.
    for pair in started_with.windows(2) {
        if let [flag, value] = pair
            && let Some(name) = flag.strip_prefix("--")
            && !value.starts_with("--")
        {
            given.set(ruleset, &format!("launch.arg.{name}"), value)?;
        }
    }
    Ok(given)
}

/// What the launcher can find out when it is asked: its own facts, and those of the machine it runs on.
struct Launcher {
    machine: Host,
}

impl FactSource for Launcher {
    fn get(&mut self, name: &str) -> Answer {
        match name {
            "install" => Reading::Known(Value::text("portable")).into(),
            // What the launcher should know but cannot tell now is unknown, with the reason; it is never made up.
            "app.version" => {
                Reading::Unknown(Reason::NotPresent("the version file was not written yet".to_owned())).into()
            }
            _ => self.machine.get(name),
        }
    }

    fn elements(&mut self, record: &str) -> Result<Vec<Element>, Reason> {
        self.machine.elements(record)
    }
}
