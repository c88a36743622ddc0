//! The real program beside libraries of an NVIDIA driver that hang where no time limit reaches: while they are loaded,
//! and while they are put away. They are built here.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder with such a library in it.
fn library(name: &str, code: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("driver-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let source = folder.join("driver.c");
    fs::write(&source, format!("#include <unistd.h>\n{code}\n")).unwrap();
    let library = folder.join("libnvidia-ml.so.1");
    let status = Command::new("cc").args(["-shared", "-fPIC", "-o"]).args([&library, &source]).status().unwrap();
    assert!(status.success());
    folder
}

/// The program beside this library, ended after a minute.
fn run(libraries: &Path, args: &[&str], stdin: &str) -> Output {
    let mut child = Command::new("timeout")
        .args(["60", env!("CARGO_BIN_EXE_rulecheck")])
        .args(args)
        .env("LD_LIBRARY_PATH", libraries)
        .env("HOME", libraries)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(stdin.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

/// The status of `probe`, and of each fact whether it is known. On a machine with much to do others than the driver may be
/// out of time, too, so that it is asked up to three times.
fn probed(libraries: &Path) -> (Option<i32>, String) {
    let mut told = (None, String::new());
    for _ in 0..3 {
        let output = run(libraries, &["probe", "-v"], "");
        told = (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned());
        if told.0 != Some(0) || has_the_rest(&told.1) {
            break;
        }
    }
    fs::remove_dir_all(libraries).unwrap();
    told
}

fn has_the_rest(text: &str) -> bool {
    ["ram.total", "os.kernel", "disk[0].total", "launch.args"].iter().all(|name| text.contains(&format!("  {name} ")))
}

#[test]
fn a_library_that_hangs_while_it_is_loaded_takes_only_its_own_facts_away() {
    let (status, text) =
        probed(&library("loading", "__attribute__((constructor)) static void begin(void) { for (;;) pause(); }"));
    assert_eq!(status, Some(0), "{text}");
    assert!(has_the_rest(&text), "{text}");
}

#[test]
fn a_library_that_hangs_while_it_is_put_away_keeps_nobody() {
    let code = "__attribute__((destructor)) static void end(void) { for (;;) pause(); }\n\
                int nvmlInit_v2(void) { return 0; }\nint nvmlShutdown(void) { return 0; }\n\
                int nvmlDeviceGetCount_v2(unsigned *count) { *count = 0; return 0; }";
    let (status, text) = probed(&library("end", code));
    assert_eq!(status, Some(0), "{text}");
    assert!(has_the_rest(&text), "{text}");
}

#[test]
fn a_text_that_no_rule_knows_asks_no_driver() {
    let folder = library("unasked", "__attribute__((constructor)) static void begin(void) { _exit(77); }");
    let output = run(&folder, &["diagnose", "--probe", "auto"], "hello world\n");
    fs::remove_dir_all(folder).unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stdout));
}
