//! Rule text to a ruleset, beside a plain pass of pest over the same text, interleaved in one run.
//!
//! ```text
//! cargo run --release --manifest-path bench/Cargo.toml --bin parse [RULES…]
//! ```
//! The text has three-line rules of mixed conditions, 10 000 and 100 000 of them if no number is given. Prints the
//! median of the rounds and the ratio to the plain pass, which only splits the text into tokens and keeps them.

use std::error::Error;
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

use pest::Parser as _;
use rulecheck::{PackSource, Ruleset};
use rulecheck_grammar::{Diagnostics, Source, SourceId, parse};

#[derive(pest_derive::Parser)]
#[grammar = "../grammar/src/rules.pest"]
#[grammar = "src/plain.pest"]
struct Plain;

const ROUNDS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let asked = std::env::args().skip(1).map(|it| it.parse()).collect::<Result<Vec<usize>, _>>()?;
    for rules in if asked.is_empty() { vec![10_000, 100_000] } else { asked } {
        measure(rules)?;
    }
    Ok(())
}

fn measure(rules: usize) -> Result<(), Box<dyn Error>> {
    let text = text_of(rules)?;
    let core = rulecheck_rulesets::core_sources().into_iter().next().ok_or("no core")?;
    let mut rows = [("plain pass of pest", vec![]), ("parse", vec![]), ("parse, check, compile", vec![]), ("core alone, whole", vec![])];
    for _ in 0..=ROUNDS {
        rows[0].1.push(time(|| Plain::parse(Rule::plain_file, &text).map(Iterator::count).map_err(Box::new))?);
        rows[1].1.push(time(|| {
            let mut found = Diagnostics::new();
            let file = parse(&Source::new("bench.rules", text.as_str()), SourceId(0), &mut found);
            clean(found, file.declarations.len() == rules)
        })?);
        rows[2].1.push(time(|| ruleset(&[core.clone(), pack(&text)], rules))?);
        rows[3].1.push(time(|| ruleset(std::slice::from_ref(&core), 0))?);
    }
    println!("{rules} rules, {:.1} MB", text.len() as f64 / 1e6);
    let mut base = None;
    for (name, times) in &mut rows {
        // The first round warms the memory.
        times.remove(0);
        times.sort();
        let median = times[ROUNDS / 2];
        let base = *base.get_or_insert(median);
        println!("  {name:24} {median:>9.1?}  {:.2}x", median.as_secs_f64() / base.as_secs_f64());
    }
    Ok(())
}

fn time<T, E: Into<Box<dyn Error>>>(work: impl FnOnce() -> Result<T, E>) -> Result<Duration, Box<dyn Error>> {
    let start = Instant::now();
    let made = work().map_err(Into::into)?;
    let spent = start.elapsed();
    black_box(made);
    Ok(spent)
}

fn clean(found: Diagnostics, whole: bool) -> Result<(), String> {
    match found.iter().next() {
        Some(first) => Err(first.message.clone()),
        None if !whole => Err("declarations are missing".to_owned()),
        None => Ok(()),
    }
}

fn ruleset(packs: &[PackSource], rules: usize) -> Result<Ruleset, String> {
    let mut found = Diagnostics::new();
    let ruleset = Ruleset::compile(packs, &mut found);
    if found.has_errors() || ruleset.program().rules.len() < rules {
        return Err("the rules do not compile".to_owned());
    }
    Ok(ruleset)
}

fn pack(text: &str) -> PackSource {
    PackSource::single(Source::new("bench.rules", text))
}

/// Rules as maintainers write them: a phrase or two, and facts of every type.
fn text_of(rules: usize) -> Result<String, std::fmt::Error> {
    const TESTS: [&str; 6] = [
        "os = macos >= 14.5",
        "gpu.vram.total in 4 GiB..8 GiB and stage in [sample, vae-decode]",
        "torch.version >= 2.4 and not (launch.args has --lowvram)",
        "gpu.vendor = nvidia or gpu.vendor = amd",
        "at least 2 of (os = linux, gpu.vram.total < 8 GiB, ram.total < 16 GiB)",
        "alloc.requested > 2 GiB and gpu.driver is known",
    ];
    let mut text = String::new();
    for (index, test) in (0..rules).zip(TESTS.iter().cycle()) {
        writeln!(text, "rule number-{index}")?;
        writeln!(text, "  when error matches \"failure {index} of kind {}\" and ({test})", index * 7919 % 9973)?;
        writeln!(text, "  then suggest fix-{} priority {}", index % 97, index % 9 + 1)?;
    }
    Ok(text)
}
