//! How often a diagnosis allocates: bounded, whatever the number of rules that have nothing to say.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test fails by panicking, and says what it measured")]

use std::path::Path;

use rulecheck::Nobody;

/// A little above what the report takes today. What raises it should be worth it.
const MOST: u64 = 12_000;

#[test]
fn a_diagnosis_of_a_report_of_4_kib_allocates_a_bounded_number_of_times() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/diagnose/mps-limit.txt");
    let report = std::fs::read(path).unwrap();
    let ruleset = rulecheck_rulesets::bundled().unwrap();
    let evidence = rulecheck_readers::read("report.txt", &report).unwrap();
    let mut problems = 0;
    let counted = allocation_counter::measure(|| {
        problems = ruleset.diagnose(&evidence, &mut Nobody).unwrap().problems().len();
    });
    println!("{} allocations, {} bytes at most at a time", counted.count_total, counted.bytes_max);
    assert!(problems > 0);
    assert!(counted.count_total <= MOST, "{} allocations", counted.count_total);
}
