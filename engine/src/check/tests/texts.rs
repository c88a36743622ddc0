//! Findings of the checker, by code, place and remedy: texts.

use super::{finds, mends, sound};
use crate::ir::Piece;

fn fix(step: &str) -> String {
    format!("fix x\n  title \"x\"\n  {step}\n")
}

#[test]
fn texts_print_facts_that_exist() {
    mends(&fix("do \"It is {gpu.nam} here.\""), "RC0405", "{gpu.nam}", &fix("do \"It is {gpu.name} here.\""));
    finds(&fix("do \"It is {something} here.\""), "RC0405", "{something}", &["`{ something }`"]);
    finds(&fix("do \"It is {gpu} here.\""), "RC0405", "{gpu}", &["only facts are printed"]);
    finds(&fix("do \"a\" zh \"b {gpu.nam}\""), "RC0405", "{gpu.nam}", &[]);
    finds("fact y: text ask \"Is it {gpu.nam}?\"\n", "RC0405", "{gpu.nam}", &[]);
}

#[test]
fn other_braces_are_plain() {
    for plain in ["{ gpu.nam }", "{\"a\": 1}", "{}", "{A}", "a { b", "{0}", "{{x y}}"] {
        let program = sound(&fix(&format!("do \"{}\"", plain.replace('"', "\\\""))));
        let crate::ir::StepKind::Do(text) = &program.fixes[0].steps[0].kind else { panic!() };
        assert_eq!(text.languages[0].1, [Piece::Literal(plain.into())]);
    }
    sound("problem x\n  title \"x\"\n  unverified \"{whatever}\"\n");
}

#[test]
fn a_text_is_cut_into_pieces() {
    let program = sound(&fix("do \"a {gpu.name}{env.PYTORCH_X} b\""));
    let crate::ir::StepKind::Do(text) = &program.fixes[0].steps[0].kind else { panic!() };
    let kinds: Vec<_> = text.languages[0].1.iter().map(|piece| matches!(piece, Piece::Fact(_))).collect();
    assert_eq!(kinds, [false, true, true, false]);
    assert!(program.fact_names.contains_key("env.PYTORCH_X"));
}

#[test]
fn a_translation_prints_the_same_facts() {
    sound(&fix("do \"{gpu.name} on {os}\" zh \"{os} {gpu.name}\""));
    finds(&fix("do \"{gpu.name} on {os}\" zh \"{os}\""), "RC0406", "\"{os}\"", &["does not print `{gpu.name}`"]);
    finds(&fix("do \"on {os}\" zh \"{os} {gpu.name}\""), "RC0406", "\"{os} {gpu.name}\"", &["prints `{gpu.name}`"]);
}

#[test]
fn translations_are_into_the_languages_of_the_pack() {
    finds(&fix("do \"a\" de \"b\""), "RC0407", "de", &["`en`, `zh`"]);
    finds(&fix("do \"a\" zh \"b\" zh \"c\""), "RC0407", "zh", &["already"]);
    finds(&fix("do \"a\" en \"b\""), "RC0407", "en", &["already"]);
}

#[test]
fn places_in_block_texts_are_exact() {
    finds("fix x\n  title \"x\"\n  do \"\"\"\n    one {os}\n    two {gpu.nam}\n  \"\"\"\n", "RC0405", "{gpu.nam}", &[]);
}
