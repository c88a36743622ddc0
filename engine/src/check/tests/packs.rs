//! Findings of the checker, by code, place and remedy: packs.

use super::{Checked, MANIFEST, core, finds, one, pack};
use crate::check::PackSource;
use rulecheck_grammar::Source;

fn manifest(name: &str, requires: &str) -> String {
    format!("(name: \"{name}\", version: \"1\", licence: \"MIT\", requires: [{requires}], languages: [\"en\", \"zh\"])")
}

fn found(packs: &[PackSource], code: &str, underlined: &str, words: &[&str]) -> Checked {
    let checked = Checked::of(packs, false);
    one(&checked, "packs", code, underlined, words);
    checked
}

#[test]
fn packs_stand_behind_what_they_require_and_files_are_sorted() {
    let app = pack(&manifest("app", "\"core\""), &[("b.rules", "fact b: bool\n"), ("a.rules", "fact a: bool\n")]);
    let checked = Checked::of(&[app, core()], false);
    assert!(checked.findings.is_empty(), "{:?}", checked.listed());
    let names: Vec<_> = checked.program.packs.iter().map(|pack| &*pack.name).collect();
    assert_eq!(names, ["core", "app"]);
    let (a, b) = (checked.program.fact_names["a"], checked.program.fact_names["b"]);
    assert!(a < b);
    assert_eq!(&*checked.program.sources[2].name, "a.rules", "sources keep the order handed in");
}

#[test]
fn manifests_say_what_they_lack() {
    found(&[pack("(name: \"x\", licence: \"MIT\", languages: [\"en\"])", &[])], "RC0601", "(", &["no `version`"]);
    found(&[pack("(nmae: \"x\")", &[])], "RC0601", "nmae", &["did you mean `name`?"]);
    found(&[pack("(name: x)", &[])], "RC0601", "x", &["in quotes"]);
    found(
        &[pack("(name: \"x\", version: \"1\", licence: \"MIT\", languages: [\"English\"])", &[])],
        "RC0601",
        "\"English\"",
        &["`en`"],
    );
    found(
        &[pack("(name: \"\", version: \"1\", licence: \"MIT\", languages: [\"en\"])", &[])],
        "RC0601",
        "name",
        &["empty `name`"],
    );
}

#[test]
fn packs_have_names_of_their_own() {
    let other = pack(MANIFEST, &[]);
    found(&[core(), other], "RC0602", "\"core\"", &["the other one"]);
}

#[test]
fn what_a_pack_requires_is_loaded() {
    found(&[core(), pack(&manifest("x", "\"cor\""), &[])], "RC0603", "\"cor\"", &["did you mean `core`?"]);
}

#[test]
fn packs_require_each_other_in_no_circle() {
    let packs = [pack(&manifest("a", "\"b\""), &[]), pack(&manifest("b", "\"a\""), &[])];
    found(&packs, "RC0604", "\"b\"", &["`a` → `b` → `a`"]);
}

#[test]
fn a_later_pack_takes_out_and_declares_its_own() {
    let upper = pack(
        &manifest("upper", "\"core\""),
        &[(
            "u.rules",
            "disable launcher portable because \"mine\"\nlauncher portable\n  title \"Mine\"\n  pip \"x {args}\"\n",
        )],
    );
    let checked = Checked::of(&[core(), upper], false);
    assert!(checked.findings.is_empty(), "{:?}", checked.listed());
    assert_eq!((checked.program.launchers.len(), checked.program.disabled.len()), (1, 1));
    assert_eq!(checked.program.launchers[0].templates.len(), 1);
}

#[test]
fn what_named_a_disabled_fix_is_not_to_blame() {
    let lower = pack(
        &manifest("lower", "\"core\""),
        &[(
            "l.rules",
            "fix f\n  title \"f\"\n  do \"x\"\nrule r\n  when fp16\n  then suggest f\nrule s\n  when os = linux\n  then suggest f\n",
        )],
    );
    let upper = pack(
        &manifest("upper", "\"lower\""),
        &[("u.rules", "disable fix f because \"no\"\ndisable rule s because \"no\"\n")],
    );
    let checked = Checked::of(&[core(), lower, upper], false);
    assert!(checked.findings.is_empty(), "{:?}", checked.listed());
    assert!(checked.program.rules.is_empty() && checked.program.fixes.is_empty());
}

#[test]
fn only_what_is_there_can_be_taken_out() {
    finds("disable rule nothing because \"x\"\n", "RC0210", "nothing", &["no earlier pack"]);
    finds("disable fact os because \"x\"\n", "RC0410", "fact", &["`rule`, `problem`, `fix`, `launcher`"]);
    finds("fix f\n  do \"x\"\ndisable fix f because \"x\"\n", "RC0210", "f", &["in this pack"]);
}

#[test]
fn single_files_may_share_a_name_and_do_without_core() {
    let single = |path: &str, fact: &str| PackSource::single(Source::new(path, format!("fact {fact}: bool\n")));
    let checked = Checked::of(&[single("a/x.rules", "a"), single("b/x.rules", "b")], false);
    assert!(checked.findings.is_empty(), "{:?}", checked.listed());
    assert_eq!(&*checked.program.packs[0].name, "x");
}
