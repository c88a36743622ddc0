//! The cases in `tests/cases`: text in, the program's printed answer out, side by side. Adding one needs no code.
//!
//! | folder | input | what is run |
//! | --- | --- | --- |
//! | `check/` | `NAME.rules`, or a folder `NAME` with a pack or several | `rulecheck check` |
//! | `test/` | the same | `rulecheck test`, beside `core` alone |
//! | `diagnose/` | `NAME.txt`, perhaps `NAME.rules` | `rulecheck diagnose` |
//! | `explain/` | the same, and an id in `NAME.ron` | `rulecheck explain` |
//! | `format/` | `NAME.rules` | `rulecheck fmt` |
//!
//! `NAME.ron` may hold options: `{ "facts": { "os": "macos" }, "lang": "zh", "format": "json", "explain": "ID",
//! "why_not": "ID", "only_rules": true, "strict": true, "coverage": true, "verbose": true }`. `NAME.out` holds what was
//! printed, and the exit status if it is not 0; `UPDATE_EXPECT=1` writes it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, and says what it measured"
)]

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use ron::Value;

/// Folders, and the ending of what is read.
const AREAS: [(&str, &str); 5] =
    [("check", "rules"), ("test", "rules"), ("diagnose", "txt"), ("explain", "txt"), ("format", "rules")];

/// Whether this is what a case reads: a file with the ending of its area, or a folder of rule files.
fn is_input(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|end| end == ending) || (ending == "rules" && path.is_dir())
}

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/cases")
}

/// The options of a case, in the order written.
fn options(path: &Path) -> Vec<(String, Value)> {
    let Ok(text) = fs::read_to_string(path) else { return Vec::new() };
    match ron::from_str(&text) {
        Ok(Value::Map(map)) => map.into_iter().map(|(name, value)| (word(&name), value)).collect(),
        Ok(_) => panic!("{} is no map", path.display()),
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(value) => value.to_string(),
        other => panic!("{other:?} is no text"),
    }
}

/// The arguments of a case and, where it is read from there, the standard input.
fn arguments(area: &str, name: &str, folder: &Path) -> (Vec<String>, Option<String>) {
    let options = options(&folder.join(name).with_extension("ron"));
    let option = |wanted: &str| options.iter().find(|(name, _)| name == wanted).map(|(_, value)| value);
    let mut arguments: Vec<String> = match area {
        "check" => vec!["check".to_owned()],
        "format" => vec!["fmt".to_owned()],
        area => vec![area.to_owned()],
    };
    if let Some(id) = option("why_not") {
        arguments.extend(["--why-not".to_owned(), word(id)]);
    } else if let Some(id) = option("explain") {
        arguments.push(word(id));
    }
    for (name, value) in &options {
        match (name.as_str(), value) {
            ("facts", Value::Map(facts)) => {
                arguments.extend(
                    facts
                        .iter()
                        .flat_map(|(name, value)| ["--fact".to_owned(), format!("{}={}", word(name), word(value))]),
                );
            }
            ("format", value) => arguments.extend(["--format".to_owned(), word(value)]),
            ("only_rules", Value::Bool(true)) => arguments.push("--only-rules".to_owned()),
            ("strict" | "coverage" | "verbose", Value::Bool(true)) => arguments.push(format!("--{name}")),
            ("lang" | "explain" | "why_not", _) => {}
            (other, _) => {
                panic!("{name} of {area}/{}: no such option, or not so: {other}", folder.join(name).display())
            }
        }
    }
    arguments.extend(["--lang".to_owned(), option("lang").map_or_else(|| "en".to_owned(), word)]);
    arguments.extend(["--probe".to_owned(), "never".to_owned()]);
    if area == "format" {
        arguments.push("-".to_owned());
        return (arguments, fs::read_to_string(folder.join(name).with_extension("rules")).ok());
    }
    if area == "test" {
        arguments.push("--only-rules".to_owned());
    }
    if area == "check" || area == "test" {
        let input = if folder.join(name).is_dir() { name.to_owned() } else { format!("{name}.rules") };
        arguments.push(input);
        return (arguments, None);
    }
    if folder.join(name).with_extension("rules").exists() {
        arguments.extend(["--rules".to_owned(), format!("{name}.rules")]);
    }
    arguments.push(format!("{name}.txt"));
    (arguments, None)
}

/// What the program prints, and how it ends.
fn run(arguments: &[String], input: Option<&str>, folder: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rulecheck"));
    command.args(arguments).current_dir(folder).env("NO_COLOR", "1").env_remove("CLICOLOR_FORCE");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.unwrap_or("").as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let mut text = String::from_utf8(output.stdout).unwrap();
    text.push_str(&String::from_utf8(output.stderr).unwrap());
    if !output.status.success() {
        let _ = writeln!(text, "exit status {}", output.status.code().unwrap_or(-1));
    }
    text
}

/// The first line in which two texts differ.
fn difference(expected: &str, actual: &str) -> String {
    let mut lines = (1..)
        .zip(expected.lines().map(Some).chain(std::iter::repeat(None)).zip(actual.lines().map(Some).chain([None])));
    let found = lines.find(|(_, (expected, actual))| expected != actual);
    let shown = |line: Option<&str>| line.map_or("nothing more".to_owned(), |line| format!("`{line}`"));
    found.map_or_else(
        || "it prints less than expected".to_owned(),
        |(number, (expected, actual))| format!("line {number}: expected {}, found {}", shown(expected), shown(actual)),
    )
}

#[test]
fn cases_print_what_stands_beside_them() {
    let update = std::env::var("UPDATE_EXPECT").is_ok_and(|value| value == "1");
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (area, ending) in AREAS {
        let folder = cases().join(area);
        let Ok(files) = fs::read_dir(&folder) else { continue };
        let mut inputs: Vec<PathBuf> =
            files.map(|file| file.unwrap().path()).filter(|path| is_input(path, ending)).collect();
        inputs.sort();
        for path in inputs {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let (arguments, input) = arguments(area, &name, &folder);
            let actual = run(&arguments, input.as_deref(), &folder);
            count += 1;
            let out = path.with_extension("out");
            let expected = fs::read_to_string(&out).unwrap_or_default();
            if expected == actual {
                continue;
            }
            if update {
                fs::write(&out, &actual).unwrap();
            } else {
                wrong.push(format!(
                    "{area}/{name}: {}\n  rulecheck {}",
                    difference(&expected, &actual),
                    arguments.join(" ")
                ));
            }
        }
    }
    println!("{count} cases");
    assert!(
        wrong.is_empty(),
        "{} of {count} cases differ (UPDATE_EXPECT=1 writes what is printed now):\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// What has no input beside it is forgotten, and would never be run.
#[test]
fn every_file_belongs_to_a_case() {
    for (area, ending) in AREAS {
        let Ok(files) = fs::read_dir(cases().join(area)) else { continue };
        for path in files.map(|file| file.unwrap().path()) {
            let input = [path.with_extension(ending), path.with_extension("")];
            assert!(
                input.iter().any(|path| is_input(path, ending) && path.exists()),
                "{} belongs to no case",
                path.display()
            );
        }
    }
}
