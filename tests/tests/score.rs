//! Real reports: how many get the right diagnosis, and that they do not become fewer.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, and says what it measured"
)]

use std::fs;

use rulecheck_tests::score::{Score, files};

/// Of each file of cases the lines of the score that must not fall below what they were (percentages), or exceed it
/// (counts). To be raised, or lowered, as the program becomes better.
const FLOORS: [(&str, [(&str, f64); 4]); 2] = [
    ("env.jsonl", [(PROBLEM, 100.0), (QUIET, 100.0), (FIX, 100.0), (FACTS, 98.3)]),
    ("memory.jsonl", [(PROBLEM, 99.3), (QUIET, 100.0), (FIX, 99.3), (FACTS, 99.7)]),
];
const CEILINGS: [(&str, f64); 2] = [("program failed", 0.0), ("cases with a forbidden fix", 0.0)];

const PROBLEM: &str = "primary problem right %";
const QUIET: &str = "quiet where nothing is wrong %";
const FIX: &str = "accepted fix in first three %";
const FACTS: &str = "facts right %";

#[test]
fn real_reports_get_the_right_diagnosis() {
    let files = files();
    if files.is_empty() {
        println!("there are no reports in ../shared/cases: not scored");
        return;
    }
    let ruleset = rulecheck_rulesets::bundled().unwrap_or_else(|error| panic!("{error}"));
    let mut all = Score::default();
    let mut worse = Vec::new();
    for path in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut score = Score::default();
        for line in fs::read_to_string(&path).unwrap().lines().filter(|line| !line.trim().is_empty()) {
            score.case(&ruleset, line).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        let shown = std::env::var("RULECHECK_WORST").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
        println!("{name}\n{}", score.print(shown));
        worse.extend(fallen(&name, &score));
        all.merge(&score);
    }
    println!("all\n{}", all.print(0));
    assert!(worse.is_empty(), "RULECHECK_WORST=20 shows cases that fall short\n{}", worse.join("\n"));
}

/// The lines that are worse than they were.
fn fallen(name: &str, score: &Score) -> Vec<String> {
    let table = score.table();
    let value = |what: &str| table.iter().find(|(line, _)| *line == what).map_or(f64::NAN, |(_, value)| *value);
    let floors = FLOORS.iter().filter(|(file, _)| *file == name).flat_map(|(_, floors)| floors);
    let low = floors
        .filter(|(what, floor)| value(what) < *floor)
        .map(|(what, floor)| format!("{name}: {what} {:.1}, was {floor}", value(what)));
    let high = CEILINGS
        .iter()
        .filter(|(what, most)| value(what) > *most)
        .map(|(what, most)| format!("{name}: {what} {:.0}, was {most}", value(what)));
    low.chain(high).collect()
}
