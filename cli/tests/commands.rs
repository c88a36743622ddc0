//! Runs the real program on the cases in `cases/`, each a text file of sections:
//!
//! ```text
//! # what it is about
//! --- args                what is typed behind `rulecheck`, one line
//! --- stdin               what is piped in; none: nothing
//! --- file NAME           a file in the folder the program runs in; `--- bytes NAME` in hexadecimal figures
//! --- status              the exit status
//! --- stdout              exactly this; `UPDATE_EXPECT=1` writes it
//! --- stdout has          each of these lines is somewhere in it
//! --- stdout lacks        none of these lines is
//! --- json                it is one JSON value, with these at JSON pointers: `/problems/0/id "x"`
//! ```
//!
//! `stderr` as `stdout`. What is not said is not looked at, except that with a status of 0 or 1 standard error is
//! empty where the case says nothing of it.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join("cases")
}

/// The program in an empty folder of its own, without anything of the user's environment.
fn program(name: &str) -> (Command, PathBuf) {
    let here = Path::new(env!("CARGO_TARGET_TMPDIR")).join("commands").join(name);
    let _ = fs::remove_dir_all(&here);
    fs::create_dir_all(&here).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_rulecheck"));
    for variable in ["LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR", "TERM"] {
        command.env_remove(variable);
    }
    let state = here.join("state");
    command.current_dir(&here).env("HOME", &here).env("XDG_STATE_HOME", &state).env("LOCALAPPDATA", &state);
    (command, here)
}

fn run(command: &mut Command, stdin: &[u8]) -> Output {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The program may end without having read it.
    let _ = child.stdin.take().unwrap().write_all(stdin);
    child.wait_with_output().unwrap()
}

struct Section {
    head: String,
    body: String,
}

struct Case {
    about: String,
    sections: Vec<Section>,
}

impl Case {
    fn parse(text: &str) -> Self {
        let mut case = Self { about: String::new(), sections: Vec::new() };
        for line in text.lines() {
            if let Some(head) = line.strip_prefix("--- ") {
                case.sections.push(Section { head: head.trim().to_owned(), body: String::new() });
                continue;
            }
            let into = case.sections.last_mut().map_or(&mut case.about, |section| &mut section.body);
            into.push_str(line);
            into.push('\n');
        }
        case
    }

    fn print(&self) -> String {
        let mut out = self.about.clone();
        for section in &self.sections {
            let _ = write!(out, "--- {}\n{}", section.head, section.body);
        }
        out
    }

    fn body(&self, head: &str) -> Option<&str> {
        self.sections.iter().find(|section| section.head == head).map(|section| section.body.as_str())
    }

    fn run(&self, name: &str) -> Output {
        let (mut command, here) = program(name);
        for section in &self.sections {
            let bytes = match section.head.split_once(' ') {
                Some(("file", file)) => Some((file, section.body.clone().into_bytes())),
                Some(("bytes", file)) => Some((file, figures(&section.body))),
                _ => None,
            };
            if let Some((file, bytes)) = bytes {
                let path = here.join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, bytes).unwrap();
            }
        }
        command.args(self.body("args").expect("a case has args").split_whitespace());
        run(&mut command, self.body("stdin").unwrap_or("").as_bytes())
    }
}

fn figures(text: &str) -> Vec<u8> {
    text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}

/// What is not as the case says; exact texts are brought up to date instead if that is asked for.
fn faults(case: &mut Case, output: &Output, update: bool) -> Vec<String> {
    let stdout = String::from_utf8(output.stdout.clone()).expect("standard output is UTF-8");
    let stderr = String::from_utf8(output.stderr.clone()).expect("standard error is UTF-8");
    let mut faults = Vec::new();
    for section in &mut case.sections {
        let body = &section.body;
        let lines = || body.lines().filter(|line| !line.trim().is_empty());
        match section.head.as_str() {
            "status" if output.status.code().map(|code| code.to_string()).as_deref() != Some(body.trim()) => {
                faults.push(format!("status {:?}, not {}", output.status.code(), body.trim()));
            }
            "stdout" | "stderr" => {
                let said = if section.head == "stdout" { &stdout } else { &stderr };
                if update {
                    section.body.clone_from(said);
                } else if said != body {
                    faults.push(format!("{} differs; it should be:\n{body}", section.head));
                }
            }
            "stdout has" | "stderr has" => {
                let said = if section.head == "stdout has" { &stdout } else { &stderr };
                faults.extend(
                    lines().filter(|line| !said.contains(line.trim())).map(|line| format!("{}: {line}", section.head)),
                );
            }
            "stdout lacks" | "stderr lacks" => {
                let said = if section.head == "stdout lacks" { &stdout } else { &stderr };
                faults.extend(
                    lines().filter(|line| said.contains(line.trim())).map(|line| format!("{}: {line}", section.head)),
                );
            }
            "json" => faults.extend(lines().filter_map(|line| pointer_fault(&stdout, line))),
            _ => {}
        }
    }
    let said = case.sections.iter().any(|section| section.head.starts_with("stderr"));
    let quiet = matches!(output.status.code(), Some(0 | 1)) && !said;
    if quiet && !stderr.is_empty() {
        faults.push("standard error is not empty".to_owned());
    }
    if !faults.is_empty() {
        faults.push(format!("stdout:\n{stdout}\nstderr:\n{stderr}"));
    }
    faults
}

/// `/a/0/b "value"`
fn pointer_fault(stdout: &str, line: &str) -> Option<String> {
    let (pointer, wanted) = line.split_once(' ').unwrap_or((line, ""));
    let json: serde_json::Value = match serde_json::from_str(stdout) {
        Ok(json) => json,
        Err(error) => return Some(format!("no JSON: {error}")),
    };
    let wanted: serde_json::Value = serde_json::from_str(wanted).expect("a value behind the pointer");
    let found = json.pointer(pointer);
    (found != Some(&wanted)).then(|| format!("{pointer} is {found:?}, not {wanted}"))
}

#[test]
fn the_program_does_what_its_cases_say() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut paths: Vec<_> = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() > 20, "the cases are there");
    let mut failed = String::new();
    for path in paths {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let mut case = Case::parse(&fs::read_to_string(&path).unwrap());
        let output = case.run(&name);
        let faults = faults(&mut case, &output, update);
        if update {
            fs::write(&path, case.print()).unwrap();
        }
        if !faults.is_empty() {
            let _ = write!(failed, "\n== {name}\n{}", faults.join("\n"));
        }
    }
    assert!(failed.is_empty(), "{failed}");
}

const REPORT: &str = "RuntimeError: MPS backend out of memory (MPS allocated: 8.72 GB, other allocations: 110.16 MB, max allowed: \
9.07 GB). Tried to allocate 405.00 MB on private pool.\n";

#[test]
fn the_same_input_gives_the_same_bytes() {
    let once = |name: &str| {
        run(program(name).0.args(["diagnose", "--probe", "never", "--format", "json"]), REPORT.as_bytes()).stdout
    };
    let first = once("same-1");
    assert!(!first.is_empty());
    assert_eq!(first, once("same-2"));
}

#[test]
fn the_keys_of_a_diagnosis_stand_in_the_order_that_was_promised() {
    let output = run(program("keys").0.args(["diagnose", "--probe", "never", "--format", "json"]), REPORT.as_bytes());
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let keys = |json: &serde_json::Value| json.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    let starts = |pointer: &str, promised: &str| {
        let keys = keys(json.pointer(pointer).unwrap());
        assert!(keys.starts_with(promised), "{pointer} has {keys}");
    };
    starts("", "schema inputs facts problems suggestions withheld questions");
    starts("/inputs/0", "name kind bytes");
    starts("/facts/0", "name value type state origin evidence");
    starts("/facts/0/evidence/0", "input line column length text");
    starts("/problems/0", "id title certainty severity primary covered_by because rules evidence");
    let promised = "rank fix title status priority problem because rules needs risk risk_note steps verify undo cautions alternatives sources verified";
    starts("/suggestions/0", promised);
    starts("/suggestions/0/steps/0", "text command shell");
    starts("/suggestions/0/sources/0", "kind title url");
    starts("/withheld/0", "fix reason because rules");
}

#[test]
fn a_message_fits_a_chat() {
    for lang in ["en", "zh"] {
        let output = run(
            program("chat").0.args(["diagnose", "--probe", "never", "--format", "markdown", "--lang", lang]),
            REPORT.as_bytes(),
        );
        let message = String::from_utf8(output.stdout).unwrap();
        assert!((200..2000).contains(&message.chars().count()), "{message}");
    }
}

#[test]
fn every_line_of_a_proof_fits_the_page() {
    for lang in ["en", "zh"] {
        let output = run(
            program("page").0.args(["explain", "--all", "--probe", "never", "--lang", lang, "-"]),
            REPORT.as_bytes(),
        );
        let text = String::from_utf8(output.stdout).unwrap();
        let columns = |line: &str| line.chars().map(|c| if c > '\u{2e80}' { 2 } else { 1 }).sum::<usize>();
        assert!(text.contains("^^^^"));
        assert_eq!(text.lines().find(|line| columns(line) > 80), None);
    }
}

#[test]
fn the_language_is_that_of_the_locale() {
    let answer = |name: &str, variables: &[(&str, &str)]| {
        let mut command = program(name).0;
        command.args(["diagnose", "--probe", "never"]).envs(variables.iter().copied());
        String::from_utf8(run(&mut command, REPORT.as_bytes()).stdout).unwrap()
    };
    assert!(answer("locale-1", &[("LANG", "zh_CN.UTF-8")]).contains("可以试什么"));
    assert!(answer("locale-2", &[("LANG", "zh_CN.UTF-8"), ("LC_ALL", "C")]).contains("What to try"));
    assert!(answer("locale-3", &[]).contains("What to try"));
}

#[test]
fn colour_is_used_only_where_it_is_wanted() {
    let answer = |name: &str, color: &str| {
        let mut command = program(name).0;
        command.args(["diagnose", "--probe", "never", "--color", color]);
        String::from_utf8(run(&mut command, REPORT.as_bytes()).stdout).unwrap()
    };
    let (plain, colored) = (answer("color-1", "auto"), answer("color-2", "always"));
    assert!(!plain.contains('\u{1b}'));
    assert!(colored.contains("\u{1b}["));
}

#[test]
fn a_broken_pipe_ends_quietly() {
    let mut command = program("pipe").0;
    command.args(["diagnose", "--probe", "never"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    child.stdin.take().unwrap().write_all(REPORT.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn what_probe_prints_can_be_given() {
    for format in ["ron", "json"] {
        let (mut command, here) = program(&format!("probe-{format}"));
        let facts = run(command.args(["probe", "--format", format]), b"").stdout;
        let file = format!("facts.{format}");
        fs::write(here.join(&file), facts).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_rulecheck"));
        command.current_dir(&here).args(["diagnose", "--probe", "never", "--format", "json", "--facts", &file]);
        let output = run(&mut command, REPORT.as_bytes());
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let os = json.pointer("/facts").unwrap().as_array().unwrap().iter().find(|fact| fact["name"] == "os").unwrap();
        assert_eq!(os["origin"], "given", "{format}");
    }
}

#[test]
fn nothing_is_kept_of_what_was_not_printed_to_a_terminal() {
    let (mut command, here) = program("kept");
    run(command.args(["diagnose", "--probe", "never"]), REPORT.as_bytes());
    assert!(!here.join("state").exists());
}
