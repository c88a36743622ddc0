//! Real reports, damaged as pastes are: how much of the right diagnosis is left.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test says what it measured")]

use std::{env, fs};

use rulecheck_tests::forms::FORMS;
use rulecheck_tests::score::{Score, files};

/// What must be left of problems and of facts, in percent, whatever the damage.
const FLOOR: f64 = 92.0;

/// Of the cases, every so many are damaged, unless `RULECHECK_EVERY` says otherwise.
const EVERY: usize = 8;

#[test]
fn damaged_reports_keep_their_diagnosis() {
    let cases = cases();
    let every = env::var("RULECHECK_EVERY").ok().and_then(|text| text.parse().ok()).unwrap_or(EVERY);
    let only = env::var("RULECHECK_FORM").unwrap_or_default();
    let worst = env::var("RULECHECK_WORST").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    let ruleset = rulecheck_rulesets::bundled().unwrap_or_else(|error| panic!("{error}"));
    let mut fallen = Vec::new();
    for form in FORMS.iter().filter(|form| form.name.contains(&only)) {
        let mut score = Score::default();
        for line in cases.iter().step_by(every) {
            score.damaged_case(&ruleset, line, form.apply).unwrap_or_else(|error| panic!("{error}"));
        }
        let [problem, quiet, fix, facts] = [
            ("problem right", "problem asked"),
            ("quiet right", "quiet asked"),
            ("fix right", "fix asked"),
            ("facts right", "facts asked"),
        ]
        .map(|(right, asked)| score.percent(right, asked));
        let (forbidden, wrong) = (score.count("forbidden"), score.count("facts wrong"));
        println!(
            "{:16} problem {problem:5.1} quiet {quiet:5.1} fix {fix:5.1} forbidden {forbidden} facts {facts:5.1} wrong {wrong}",
            form.name
        );
        if problem < FLOOR || facts < FLOOR {
            fallen.push(form.name);
        }
        for (case, faults) in score.short.iter().take(worst) {
            println!("  - {case}: {}", faults.join("; "));
        }
    }
    assert!(fallen.is_empty(), "less than {FLOOR} % are right where pastes are {}", fallen.join(", "));
}

/// The cases, a line each.
fn cases() -> Vec<String> {
    let texts = files().into_iter().map(|path| fs::read_to_string(path).unwrap());
    texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
}
