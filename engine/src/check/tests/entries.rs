//! Findings of the checker, by code, place and remedy: entries.

use super::{Checked, finds, mends, sound};
use crate::ir::{ProblemSeverity, StepKind};

fn problem(clause: &str) -> String {
    format!("problem x\n  title \"x\"\n  {clause}\n")
}

fn fix(clause: &str) -> String {
    format!("fix x\n  title \"x\"\n  {clause}\n")
}

#[test]
fn a_problem_with_all_its_clauses() {
    let rules = "problem mps-out-of-memory\n  title \"Apple Silicon: MPS backend out of memory\" zh \"内存不足\"\n  category hardware\n  \
                 severity warning\n  summary \"s\"\n  cause \"c\"\n  keywords \"a\", \"b\"\n  related other\n  supersedes other\n  \
                 source forum \"F\"\n  source official-issue \"I\" <https://example.org/1>\n  verified 2026-09-26\n\
                 problem other\n  title \"o\"\n  unverified \"all of it\"\n";
    let program = sound(rules);
    let problem = &program.problems[0];
    assert_eq!(
        (problem.severity, problem.supersedes.len(), problem.info.related.len()),
        (ProblemSeverity::Warning, 1, 1)
    );
    let kinds: Vec<_> = problem.info.sources.iter().map(|source| &*source.kind).collect();
    assert_eq!(kinds, ["official-issue", "forum"], "sorted by trust");
}

#[test]
fn clauses_stand_once_and_know_their_words() {
    finds(&problem("title \"y\""), "RC0403", "title \"y\"", &["first here"]);
    mends(&problem("severity warnng"), "RC0410", "warnng", &problem("severity warning"));
    finds(&problem("severity bad"), "RC0410", "bad", &["`note`, `warning`, `failure`"]);
    mends(&fix("risk hgih \"x\""), "RC0410", "hgih", &fix("risk high \"x\""));
    finds(&problem("source rumour \"x\""), "RC0410", "rumour", &["official-docs"]);
    finds(&problem("verified 2026-02-30"), "RC0411", "2026-02-30", &["2026-09-26"]);
}

#[test]
fn references_to_what_is_declared_nowhere_are_warnings() {
    for clause in ["related nothing-here", "supersedes nothing-here"] {
        let checked = Checked::rules(&problem(clause));
        assert!(!checked.findings.has_errors());
        assert_eq!(checked.findings.len(), 1, "{:?}", checked.listed());
    }
}

#[test]
fn problems_supersede_in_no_circle() {
    finds(&problem("supersedes x"), "RC0409", "x", &["cannot supersede itself"]);
    finds(
        "problem x\n  title \"x\"\n  supersedes y\nproblem y\n  title \"y\"\n  supersedes x\n",
        "RC0409",
        "x",
        &["`x` → `y` → `x`"],
    );
}

#[test]
fn every_kind_of_step() {
    let rules = "fix x\n  title \"x\"\n  requires app = comfyui\n  exclusive vae\n  flag --cpu-vae\n  flag --reserve-vram 1.5 when os = macos\n  \
                 flag off --a, --b\n  flag --x instead of --y, --z\n  env PYTORCH_X = 0.0\n  env off PYTORCH_X\n  \
                 via pip \"install {pip.name}\" when pip.name is known\n  run \"echo {ram.total} {os}\"\n  do \"Do it on {gpu.name}.\"\n  \
                 risk low \"r\"\n  verify \"v\"\n  undo \"u\"\n  verified 2026-09-26\n";
    let program = sound(rules);
    assert_eq!(program.fixes[0].steps.len(), 9);
    assert!(matches!(&program.fixes[0].steps[1].kind, StepKind::Flag { value: Some(value), .. } if &**value == "1.5"));
    assert!(program.fixes[0].steps[1].when.is_some());
}

#[test]
fn flags_and_variables_are_written_as_such() {
    mends(&fix("flag lowvram"), "RC0412", "lowvram", &fix("flag --lowvram"));
    mends(&fix("flag off -lowvram"), "RC0412", "-lowvram", &fix("flag off --lowvram"));
    finds(&fix("env a.b = 3"), "RC0412", "a.b", &[]);
    finds(&fix("flag --x instead of --x"), "RC0416", "--x", &[]);
}

#[test]
fn a_template_that_no_launcher_has_is_a_warning() {
    let checked = finds(&fix("via pipp \"install x\""), "RC0211", "pipp", &["did you mean `pip`?"]);
    assert!(!checked.findings.has_errors());
}

#[test]
fn text_of_the_input_never_becomes_part_of_a_command() {
    for clause in [
        "run \"pip install {module.missing}\"",
        "via pip \"install {module.missing}\"",
        "do \"Run `pip install {module.missing}`.\"",
    ] {
        finds(&fix(clause), "RC0404", "{module.missing}", &["never becomes part of a command", "table"]);
    }
    sound(&fix("do \"Install {module.missing} with `pip`.\""));
    sound(&fix("do \"Run `pip install {pip.name}` as {os} with {torch.version}.\""));
}

#[test]
fn a_table_that_falls_back_on_the_input_is_not_safe() {
    let rules = format!(
        "table pip.other from module.missing\n  a -> b\n  otherwise module.missing\n{}",
        fix("run \"pip install {pip.other}\"")
    );
    finds(&rules, "RC0404", "{pip.other}", &[]);
}

#[test]
fn launchers_have_slots() {
    finds("launcher y\n  title \"y\"\n  pip \"pip {arg}\"\n", "RC0405", "{arg}", &["`{args}`"]);
    finds("launcher portable\n  title \"y\"\n", "RC0202", "portable", &[]);
    let checked = finds(
        "launcher y\n  title \"y\"\n  pip \"a {args}\"\n  pip \"b {args}\" when os = macos\n",
        "RC0508",
        "pip \"b {args}\" when os = macos",
        &[],
    );
    assert!(!checked.findings.has_errors());
}
