//! The engine agrees with the reference evaluator on generated programs and facts.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, and says what it measured"
)]

use rulecheck_tests::agreement::{Compared, compare, difference, setting};
use rulecheck_tests::{reported, score};

/// Programs, and how many sets of facts each is shown.
const PROGRAMS: u64 = 2_600;
const WORLDS: usize = 40;

#[test]
fn engine_and_reference_agree_on_generated_programs() {
    let first = setting("RULECHECK_SEED", 1);
    let programs = setting("RULECHECK_PROGRAMS", PROGRAMS);
    let threads = std::thread::available_parallelism().map_or(2, |count| count.get() as u64).min(8);
    let fault = |compiled: &_, facts: &_| {
        let (expected, actual) = difference(compiled, facts)?;
        Some(format!("reference: {expected:#?}\nengine: {actual:#?}"))
    };
    let started = std::time::Instant::now();
    let results: Vec<Result<Compared, String>> = std::thread::scope(|scope| {
        let run = |thread: u64| {
            let fault = &fault;
            move || compare((first + thread..first + programs).step_by(threads as usize), WORLDS, fault)
        };
        let threads: Vec<_> = (0..threads).map(|thread| scope.spawn(run(thread))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| Err("a run panicked".to_owned()))).collect()
    });
    let mut pairs = 0;
    for result in results {
        match result {
            Ok(compared) => pairs += compared.pairs,
            Err(fault) => panic!("{fault}"),
        }
    }
    println!("{programs} programs, {pairs} pairs in {:.1} s", started.elapsed().as_secs_f64());
    assert!(programs < PROGRAMS || pairs >= 100_000, "only {pairs} pairs");
}

#[test]
fn engine_and_reference_agree_on_real_reports() {
    let ruleset = rulecheck_rulesets::bundled().unwrap_or_else(|error| panic!("{error}"));
    let files = reported::files(&ruleset);
    let started = std::time::Instant::now();
    let reports = score::reports();
    let mut differ = Vec::new();
    for (name, report) in &reports {
        let diagnosis = score::diagnose(&ruleset, report).unwrap_or_else(|error| panic!("{name}: {error}"));
        let told = reported::difference(&files, &diagnosis);
        differ.extend(told.map(|(expected, actual)| format!("{name}\nreference: {expected:#?}\nengine: {actual:#?}")));
    }
    assert!(differ.is_empty(), "{} of {} differ; the first:\n{}", differ.len(), reports.len(), differ[0]);
    println!("{} reports in {:.1} s", reports.len(), started.elapsed().as_secs_f64());
}
