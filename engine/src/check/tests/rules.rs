//! Findings of the checker, by code, place and remedy: rules.

use super::{Checked, finds, mends, sound, when};
use crate::ir::{ActionKind, FactRef, Piece, Unit};

#[test]
fn a_rule_has_one_when_and_an_action() {
    finds("rule r\n  when fp16\n", "RC0401", "r", &["does nothing"]);
    finds("rule r\n  then conclude resource = vram\n", "RC0401", "r", &["no `when`"]);
    finds(
        "rule r\n  when fp16\n  when os = linux\n  then conclude resource = vram\n",
        "RC0401",
        "when os = linux",
        &["the first", "`and`"],
    );
    finds(
        "rule r\n  when fp16\n  unless os = linux\n  unless os = macos\n  then conclude resource = vram\n",
        "RC0401",
        "unless os = macos",
        &["`or`"],
    );
    finds("rule r\n  when fp16\n  then avoid some-fix\n", "RC0401", "avoid some-fix", &["because"]);
}

#[test]
fn an_unnamed_rule_is_named_after_its_file_and_line() {
    let program = Checked::rules("\n# one\nwhen fp16 then suggest some-fix\n").program;
    assert_eq!((&*program.rules[0].name, program.rules[0].named), ("mine.rules:3", false));
    assert!(matches!(program.rules[0].actions[0].kind, ActionKind::Suggest(_, 5)));
}

#[test]
fn conclusions_are_values_of_their_fact() {
    mends(
        "rule r\n  when fp16\n  then conclude resource = vrm\n",
        "RC0303",
        "vrm",
        "rule r\n  when fp16\n  then conclude resource = vram\n",
    );
    finds("rule r\n  when fp16\n  then conclude ram.total = 8\n", "RC0302", "8", &[]);
    finds("rule r\n  when fp16\n  then conclude gpu = 8\n", "RC0206", "gpu", &["is a record"]);
}

#[test]
fn undeclared_problems_and_fixes_are_warnings_once() {
    let checked =
        Checked::rules("rule a\n  when fp16\n  then suggest some-fix\nrule b\n  when fp16\n  then suggest some-fix\n");
    assert!(!checked.findings.has_errors());
    assert_eq!(checked.listed(), ["RC0204 `some-fix`: no pack declares a fix `some-fix`"]);
    assert!(!checked.program.fixes[0].info.declared);
    let near = Checked::rules("fix cpu-vae\n  do \"x\"\nrule a\n  when fp16\n  then suggest cpu-vea\n");
    assert_eq!(near.findings.iter().next().unwrap().help.as_deref(), Some("did you mean `cpu-vae`?"));
}

#[test]
fn a_fix_is_no_problem() {
    finds(
        "fix x-fix\n  do \"x\"\nrule r\n  when fp16\n  then diagnose x-fix\n",
        "RC0206",
        "x-fix",
        &["is a fix, not a problem"],
    );
    finds(
        "problem x\n  title \"x\"\nrule r\n  when problem = x\n  then suggest x\n",
        "RC0206",
        "x",
        &["is a problem, not a fix"],
    );
}

#[test]
fn names_are_declared_once() {
    finds(&format!("{}{}", when("fp16"), when("fp16")), "RC0202", "r", &["first here", "declared twice"]);
    finds("problem x\n  title \"x\"\nfix x\n  do \"x\"\n", "RC0202", "x", &["share their ids"]);
    finds("fact os: text\n", "RC0202", "os", &["first here"]);
    finds("record gpu\n  name: text\n", "RC0202", "gpu", &[]);
    finds("fact log: text\n", "RC0203", "log", &["always there"]);
    finds("fact error.type: number\n", "RC0203", "number", &["always a text"]);
    finds("fact x: one of aa, bb, aa\n", "RC0416", "aa", &["first here"]);
    sound("fact error.type: text \"What kind of failure\"\n");
}

#[test]
fn holes_of_the_when_are_names_of_the_rule() {
    let rules = "rule r\n  when error matches \"Tried to allocate {wanted: size} on\" and wanted > 1 GiB\n  \
                 then conclude resource = vram because \"{wanted} was asked for\"\n";
    let program = sound(rules);
    let because = program.rules[0].actions[0].because.as_ref().unwrap();
    assert!(
        matches!(&because.languages[0].1[0], Piece::Fact(FactRef::Capture { name, hole: 0, .. }) if &**name == "wanted")
    );
    finds(&when("error matches \"a {n: number} b\" and n > 3 GiB"), "RC0301", "3 GiB", &[]);
    finds(&when("not error matches \"a {n: number} b\" and n > 3"), "RC0201", "n", &["stands under `not`"]);
    finds(
        &when("error matches \"a {n: number} b\" and log matches \"c {n: number} d\""),
        "RC0207",
        "n",
        &["first here"],
    );
    sound(&when("error matches /abc (?<what>[a-z]+)/ and what = def"));
}

#[test]
fn problems_are_those_the_condition_names_outside_not() {
    let rules = "problem a\n  title \"a\"\nproblem b\n  title \"b\"\nproblem c\n  title \"c\"\nfix f\n  do \"x\"\n\
                 rule r\n  when problem in [b, a] and not problem = c\n  then suggest f\nrule s\n  when fp16\n  then diagnose c\n  then suggest f\n";
    let program = sound(rules);
    let named = |index: usize| {
        program.rules[index].problems.iter().map(|id| &*program.problems[id.index()].info.id).collect::<Vec<_>>()
    };
    assert_eq!((named(0), named(1)), (vec!["b", "a"], vec![]));
}

#[test]
fn rules_stand_behind_what_they_depend_on() {
    let rules = "problem p\n  title \"p\"\n\
                 rule last\n  when no problem\n  then diagnose p\n\
                 rule third\n  when stage = sample\n  then diagnose p\n\
                 rule second\n  when resource = vram\n  then conclude stage = sample\n\
                 rule first\n  when fp16\n  then conclude resource = vram\n";
    let program = sound(rules);
    let names: Vec<_> = program
        .order
        .iter()
        .filter_map(|unit| match unit {
            Unit::Rule(rule) => Some(&*program.rules[rule.index()].name),
            Unit::Table(_) => None,
        })
        .collect();
    assert_eq!(names, ["first", "second", "third", "last"]);
    let resource = program.fact_names["resource"];
    assert_eq!(program.facts[resource.index()].concluders.len(), 1);
}

#[test]
fn a_circle_is_refused_and_printed() {
    let rules = "rule one\n  when stage = sample\n  then conclude resource = vram\n\
                 rule two\n  when resource = vram\n  then conclude stage = sample\n";
    finds(rules, "RC0408", "one", &["`one` → `two` → `one`", "asks for `stage`", "asks for `resource`"]);
    finds(&when("resource = ram"), "RC0408", "r", &["`r` depends on itself"]);
    let checked = Checked::rules(&format!("{rules}rule three\n  when fp16\n  then conclude app = comfyui\n"));
    assert_eq!(checked.program.rules.len(), 1);
    assert_eq!(checked.program.order.len(), 2);
    finds(
        "table resource from node.type\n  a -> vram\ntable node.type from resource\n  vram -> a\n",
        "RC0408",
        "resource",
        &["the table `node.type`"],
    );
}

#[test]
fn asking_for_no_problem_is_a_circle_where_another_rule_depends_on_it() {
    let rules = "problem p\n  title \"p\"\nrule a\n  when no problem\n  then conclude stage = sample\n\
                 rule b\n  when stage = sample\n  then diagnose p\n";
    finds(rules, "RC0408", "a", &["`a` → `b` → `a`", "`no problem`"]);
}

#[test]
fn one_mistake_leaves_the_other_rules() {
    let checked =
        Checked::rules(&format!("{}rule s\n  when ram.total > 8\n  then conclude stage = sample\n", when("fp16")));
    assert_eq!((checked.program.rules.len(), checked.findings.len()), (1, 1));
}

#[test]
fn all_mistakes_of_a_condition_are_found() {
    let checked = Checked::rules(&when("ram.total > 8 and os = macoss and gpu.nam = x"));
    let codes: Vec<_> = checked.findings.iter().map(|it| it.code.0).collect();
    assert_eq!(codes, ["RC0302", "RC0303", "RC0201"]);
}
