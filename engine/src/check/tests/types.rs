//! Findings of the checker, by code, place and remedy: types.

use super::{Checked, finds, mends, when};

/// The finding's labels as (underlined, text).
fn labels(condition: &str) -> Vec<(String, String)> {
    let checked = Checked::rules(&when(condition));
    let finding = checked.findings.iter().find(|it| it.code.0 != "RC0204").expect("a finding").clone();
    let sources = &checked.program.sources;
    finding
        .labels
        .iter()
        .map(|label| (sources[label.source.0 as usize].slice(label.span).to_owned(), label.text.clone()))
        .collect()
}

#[test]
fn unlike_types_mark_both_operands_and_the_operator() {
    finds(&when("gpu.vram.total < exit.code"), "RC0301", "<", &["a size and a number cannot be compared"]);
    let expected = [("<", ""), ("gpu.vram.total", "a size"), ("exit.code", "a number")];
    assert_eq!(labels("gpu.vram.total < exit.code"), expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
    finds(&when("exit.code > 8 GiB"), "RC0301", "8 GiB", &["a number and a size"]);
    finds(&when("ram.total = \"8 GiB\""), "RC0301", "\"8 GiB\"", &["a size and a text"]);
    finds(&when("torch.version > ram.total"), "RC0301", ">", &["a version and a size"]);
    mends(&when("torch.version >= \"2.4\""), "RC0301", "\"2.4\"", &when("torch.version >= 2.4"));
    finds(&when("node.type = 8 GiB"), "RC0301", "8 GiB", &["a name and a size"]);
}

#[test]
fn a_size_needs_its_unit() {
    finds(&when("gpu.vram.total < 8"), "RC0302", "8", &["compares a size with the number `8`", "`8 GiB`"]);
    let expected = [("8", "a number"), ("gpu.vram.total", "a size"), ("<", "")];
    assert_eq!(labels("gpu.vram.total < 8"), expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
    finds(&when("gpu.vram.total in 4..8 GiB"), "RC0302", "4", &[]);
    finds(&when("gpu.vram.total in [4 GiB, 8]"), "RC0302", "8", &[]);
}

#[test]
fn a_choice_has_only_its_words() {
    mends(&when("os = macoss"), "RC0303", "macoss", &when("os = macos"));
    finds(&when("os = amiga"), "RC0303", "amiga", &["`windows`, `macos`, `linux`"]);
    mends(&when("stage in [sample, vae-decod]"), "RC0303", "vae-decod", &when("stage in [sample, vae-decode]"));
    finds(&when("os = gpu.name"), "RC0303", "gpu.name", &[]);
}

#[test]
fn operators_ask_what_their_type_can_answer() {
    mends(&when("launch.args = --lowvram"), "RC0304", "=", &when("launch.args has --lowvram"));
    mends(&when("fp16 and launch.args != --lowvram"), "RC0304", "!=", &when("fp16 and not launch.args has --lowvram"));
    finds(&when("os < macos"), "RC0304", "<", &["no order"]);
    finds(&when("gpu.name has nvidia"), "RC0304", "gpu.name", &["matches"]);
    finds(&when("launch.args in [a, b]"), "RC0304", "launch.args in [a, b]", &["has any of [a, b]"]);
    finds(&when("os in linux..macos"), "RC0304", "linux..macos", &["list the words"]);
    mends(&when("ram.total about 8 GiB"), "RC0309", "8 GiB", &when("ram.total about 8 GB"));
    finds(&when("exit.code about 24 GB"), "RC0301", "exit.code", &["asks for a size"]);
}

#[test]
fn arithmetic_keeps_units() {
    for sound in [
        "ram.total * 2 > alloc.requested",
        "2 * ram.total > 1 GiB",
        "ram.total + 1 GiB - 3 MiB >= alloc.limit",
        "ram.total / 2 > 3 GiB",
        "exit.code * 2 + 1 = 3",
    ] {
        super::sound(&when(sound));
    }
    finds(&when("ram.total + 1 > 3 GiB"), "RC0305", "+", &["a size `+` a number is no value", "write the unit"]);
    finds(&when("ram.total * ram.total > 3 GiB"), "RC0305", "*", &[]);
    finds(&when("1 / ram.total > 3"), "RC0305", "/", &[]);
    finds(&when("os + 1 > 3"), "RC0305", "os", &["is a choice of words"]);
    finds(&when("ram.total / gpu.vram.total > 2 GiB"), "RC0301", "2 GiB", &[]);
}

#[test]
fn literals_are_values_of_their_type() {
    finds(&when("fp16 = yes"), "RC0309", "yes", &["no bool", "`true`"]);
    finds(&when("gpu.name in [none, x]"), "RC0309", "none", &["`gpu.name is none`"]);
    finds(&when("node.type = \"a b\""), "RC0309", "\"a b\"", &["no name"]);
    finds(&when("gpu.vram.total in ram.total..8 GiB"), "RC0314", "ram.total", &["is a fact"]);
}

#[test]
fn ranges_have_their_lower_end_first() {
    mends(&when("ram.total in 8 GiB..4 GiB"), "RC0310", "8 GiB..4 GiB", &when("ram.total in 4 GiB..8 GiB"));
    mends(&when("torch.version in 2.4..2.1"), "RC0310", "2.4..2.1", &when("torch.version in 2.1..2.4"));
}

#[test]
fn a_version_behind_a_word_needs_the_fact() {
    finds(&when("app = comfyui >= 0.3"), "RC0311", ">= 0.3", &["`app.version`"]);
}

#[test]
fn one_side_is_a_fact() {
    finds(&when("3 > 2"), "RC0313", "3", &["name a fact"]);
    finds(&when("(os = macos) = true"), "RC0313", "(os = macos)", &[]);
}
