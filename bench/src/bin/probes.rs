//! What each group of probes costs here, and what a diagnosis costs with and without them.
//!
//! ```text
//! cargo build --release --manifest-path bench/Cargo.toml
//! bench/target/release/probes tests/cases/diagnose/mps-limit.txt tests/cases/diagnose/nothing-known.txt
//! ```
//! For each group the first reading, which finds nothing in memory yet, and the median of ten by fresh hosts. For each
//! report the groups that its rules asked for, and the medians of ten rounds without a host and with a fresh one,
//! interleaved: by a rule that needs text alone, which asks and pays for none, and by all packs. A report whose text shows another machine asks nothing here: `--fact` has no part
//! in this, so choose reports that could be of this machine.

use std::error::Error;
use std::time::{Duration, Instant};
use std::{env, fs};

use rulecheck::{FactSource, Nobody, PackSource, Ruleset, Source};
use rulecheck_probes::{FACTS, Group, Host};

/// A rule that needs nothing of this machine.
const TEXT_ALONE: &str = r#"rule text-alone when error matches "out of memory" then suggest lower-resolution"#;

const ROUNDS: usize = 10;

fn main() -> Result<(), Box<dyn Error>> {
    println!("{:<28} {:>10} {:>10}", "group", "first", "median");
    let mut none: Vec<Duration> = (0..ROUNDS).map(|_| timed(|| drop(Host::new())).0).collect();
    println!("{:<28} {:>10} {:>10.1?}", "a host that is not asked", "", median(&mut none));
    for group in Group::ALL {
        let (first, mut times) = (read(group), (0..ROUNDS).map(|_| read(group)).collect::<Vec<_>>());
        println!("{:<28} {first:>10.1?} {:>10.1?}", group.as_str(), median(&mut times));
    }
    println!("\n{:<28} {:>10} {:>10}  groups that were asked", "report", "without", "with");
    let reports: Vec<String> = env::args().skip(1).collect();
    let mut text_alone = rulecheck_rulesets::core_sources();
    text_alone.push(PackSource::single(Source::new("text.rules", TEXT_ALONE)));
    for (packs, ruleset) in [("text alone", Ruleset::from_sources(&text_alone)?), ("all packs", rulecheck_rulesets::bundled()?)] {
        println!("\n{packs}");
        for report in &reports {
            diagnose(&ruleset, report)?;
        }
    }
    Ok(())
}

/// The time in which a fresh host reads a group.
fn read(group: Group) -> Duration {
    let name = FACTS.iter().find(|fact| fact.group == group).map_or("", |fact| fact.name);
    timed(|| Host::new().get(name)).0
}

fn diagnose(ruleset: &Ruleset, report: &str) -> Result<(), Box<dyn Error>> {
    let evidence = rulecheck_readers::read(report, &fs::read(report)?)?;
    let (mut without, mut with, mut asked) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..=ROUNDS {
        let (time, answer) = timed(|| ruleset.diagnose(&evidence, &mut Nobody).map(drop));
        answer?;
        without.push(time);
        let mut host = Host::new();
        let (time, answer) = timed(|| ruleset.diagnose(&evidence, &mut host).map(drop));
        answer?;
        with.push(time);
        asked = host.asked().map(|(group, _)| group.as_str()).collect();
    }
    // The first round compiles the patterns that the report needs.
    without.remove(0);
    with.remove(0);
    let name = report.rsplit(['/', '\\']).next().unwrap_or(report);
    let asked = if asked.is_empty() { "none".to_owned() } else { asked.join(", ") };
    println!("{name:<28} {:>10.1?} {:>10.1?}  {asked}", median(&mut without), median(&mut with));
    Ok(())
}

fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let answer = work();
    (start.elapsed(), answer)
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
