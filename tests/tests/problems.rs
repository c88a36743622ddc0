//! The order of problems where there is a text: what failed first, what lies nearest, what covers what.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use rulecheck::Nobody;
use rulecheck_tests::agreement::{Compiled, compile};

/// The problems that rules find in a text, in order.
fn found(rules: &str, text: &str) -> Vec<String> {
    let Compiled { ruleset, .. } = compile(rules).unwrap_or_else(|error| panic!("{error}"));
    let evidence = rulecheck_readers::read("-", text.as_bytes()).unwrap();
    let diagnosis = ruleset.diagnose(&evidence, &mut Nobody).unwrap();
    let line = |problem: &rulecheck::diagnosis::ProblemView<'_>| {
        let covered = problem.covered_by().map_or_else(String::new, |by| format!(" by {by}"));
        format!("{} {}{covered}", problem.id(), problem.certainty().as_str())
    };
    diagnosis.problems().iter().map(line).collect()
}

const SEVERITIES: &str = r#"
fact flag: bool
rule odd
  when log matches "odd"
  then diagnose oddity
rule broken
  when log matches "broke" and flag
  then diagnose breakage
problem oddity
  title "Odd"
  severity warning
problem breakage
  title "Broken"
"#;

#[test]
fn in_a_text_with_a_failure_severity_comes_before_certainty() {
    let text = "this is odd\nTraceback (most recent call last):\n  File \"a.py\", line 1, in f\n    g()\nValueError: it broke\n";
    assert_eq!(found(SEVERITIES, text), ["breakage possible", "oddity certain"]);
}

const NEAREST: &str = r#"
rule first
  when log matches "a strange start"
  then diagnose far
rule second
  when log matches "a strange end"
  then diagnose near
rule third
  when not log matches "nothing of the kind"
  then diagnose nowhere
problem nowhere
  title "Without a place"
problem far
  title "Far"
problem near
  title "Near"
"#;

#[test]
fn evidence_nearest_the_failure_comes_first_and_without_a_place_last() {
    let text = "a strange start\nmore\nmore\nmore\na strange end\nTraceback (most recent call last):\n  File \"a.py\", line 1, in f\nValueError: it broke\n";
    assert_eq!(found(NEAREST, text), ["near certain", "far certain", "nowhere certain"]);
}

const COVERING: &str = r#"
rule exact
  when error matches "out of memory on the left"
  then diagnose left
rule general
  when error matches "out of memory"
  then diagnose memory
rule vague
  when error matches "out of"
  then suspect shortage
problem shortage
  title "Something is short"
problem memory
  title "Memory"
  supersedes shortage
problem left
  title "Left"
  supersedes memory
"#;

#[test]
fn the_exact_form_covers_the_general_ones() {
    let text = "RuntimeError: out of memory on the left\n";
    assert_eq!(found(COVERING, text), ["left certain", "memory certain by left", "shortage possible by memory"]);
}

#[test]
fn a_text_that_is_cut_off_is_false_for_patterns_and_says_nothing_of_a_section() {
    let rules = r#"
section run from last "got prompt" to error
rule whole
  when not log matches "alpha"
  then diagnose quiet
rule part
  when not run matches "alpha"
  then diagnose perhaps
rule missing
  when run is unknown
  then diagnose cut
problem quiet
  title "Quiet"
problem perhaps
  title "Perhaps"
problem cut
  title "Cut off"
"#;
    assert_eq!(found(rules, "RuntimeError: beta\n"), ["quiet certain", "cut certain", "perhaps possible"]);
    assert_eq!(found(rules, "got prompt\nworking\nRuntimeError: beta\n"), ["quiet certain", "perhaps certain"]);
}
