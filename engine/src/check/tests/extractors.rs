//! Findings of the checker, by code, place and remedy: extractors.

use super::{finds, sound};
use crate::ir::{Give, Hole, LineClass};
use crate::value::Value;

#[test]
fn extractors_of_the_language_are_sound() {
    let program = sound(
        "extract from log \"Total VRAM {gpu.vram.total: size}, total RAM {ram.total: size}\"\n\
         extract from log \"got prompt\" as app = comfyui\n\
         extract from json \"system.ram_total\" as ram.total: bytes\n\
         extract from json \"devices[0].name\" as gpu.name\n\
         extract from error /alloc (?<alloc.limit>[0-9.]+ GiB) (?<exit_code>[0-9]+)/\n\
         extract from log.run \"args: {launch.args: list}\"\n\
         extract from log \"torch {package.torch}\"\n\
         line run \"got prompt\"\nline progress \"{*}it/s]\"\nfact exit-code: number\n",
    );
    assert_eq!(program.extractors[0].gives.len(), 2);
    assert!(matches!(&program.extractors[1].gives[0], Give::Value(_, Value::Text(app)) if &**app == "comfyui"));
    assert!(matches!(&program.extractors[2].gives[0], Give::Hole(_, 0, Some(Hole::Bytes))));
    assert_eq!(program.lines.iter().map(|line| line.kind).collect::<Vec<_>>(), [LineClass::Run, LineClass::Progress]);
    assert!(program.fact_names.contains_key("package.torch"));
}

#[test]
fn a_hole_gives_what_its_fact_can_hold() {
    finds("extract from log \"RAM {ram.total: number}\"\n", "RC0312", "ram.total", &["`number` hole", "`size`"]);
    finds("extract from log \"v {torch.version: number}\"\n", "RC0312", "torch.version", &["`version`"]);
    finds("extract from log \"v {gpu.name: size}\"\n", "RC0312", "gpu.name", &[]);
    finds("extract from json \"a.b\" as ram.total: version\n", "RC0312", "version", &[]);
}

#[test]
fn an_extractor_gives_facts_that_exist_once() {
    finds("extract from log \"RAM {ram.totl: size}\"\n", "RC0201", "ram.totl", &["did you mean `ram.total`?"]);
    finds("extract from log \"RAM {*} x\"\n", "RC0418", "\"RAM {*} x\"", &["gives no fact"]);
    finds("extract from log \"{exit.code} or {exit.code}\"\n", "RC0418", "exit.code", &["first here"]);
    finds("extract from log \"x\" as exit.code\n", "RC0418", "exit.code", &["{exit.code}"]);
    finds("extract from logs \"x {exit.code}\"\n", "RC0209", "logs", &["`log`"]);
    finds("extract from log \"x {error.type}\"\n", "RC0206", "error.type", &[]);
    finds("extract from json \"a..b\" as exit.code\n", "RC0418", "\"a..b\"", &["devices[0]"]);
    finds("extract from log \"x\" as app = comfy\n", "RC0303", "comfy", &[]);
}

#[test]
fn lines_have_kinds() {
    finds("line progres \"x y z\"\n", "RC0410", "progres", &["`progress`"]);
}

#[test]
fn regular_expressions_are_read() {
    let rule = |regex: &str| super::when(&format!("error matches {regex}"));
    finds(&rule("/a(b/"), "RC0414", "(", &["is not closed", "`\\(`"]);
    finds(&rule("/foo(?=bar)/"), "RC0415", "(?=", &["look-around", "as a condition of its own"]);
    finds(&rule(r"/(a)x\1/"), "RC0415", r"\1", &["back-references"]);
    finds(&rule(r"/a\/b[c/"), "RC0414", "[", &[]);
    finds(&rule("/(?i)abc/"), "RC0414", "(?i)", &["behind the closing slash"]);
}

#[test]
fn patterns_match_something_of_their_own() {
    finds(&super::when("error matches \"{*}\""), "RC0413", "\"{*}\"", &[]);
}

#[test]
fn sections_have_an_inside() {
    finds("section log.x from end to error\n", "RC0419", "end", &[]);
}

#[test]
fn tables_give_values_of_their_fact() {
    let program = sound("table vram.name from gpu.name\n  \"RTX 3060\" -> 12 GiB\n  \"RTX 4090\" -> 24 GiB\n");
    let fact = program.fact_names["vram.name"];
    assert_eq!(program.facts[fact.index()].ty, crate::value::Type::Size);
    finds("table t from module.missing\n  a -> b\n  A -> c\n", "RC0416", "A", &["first here"]);
    finds("table t from module.mising\n  a -> b\n", "RC0201", "module.mising", &[]);
    finds("table t from module.missing\n  a -> b\n  otherwise ram.total\n", "RC0301", "ram.total", &[]);
    finds("table t from os\n  beos -> b\n", "RC0303", "beos", &[]);
}

#[test]
fn ranges_belong_to_types_with_an_order() {
    finds("fact y: text in 1..2\n", "RC0315", "1..2", &["take it out"]);
    finds("fact y: size in 1..2 GiB\n", "RC0302", "1", &[]);
}
