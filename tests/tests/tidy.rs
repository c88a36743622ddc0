//! The sources as a reader meets them: they say what they are, stay small, and speak of the project alone.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, and says what it measured"
)]

use std::fs;
use std::path::{Path, PathBuf};

/// No source file is longer.
const MOST_LINES: usize = 800;
/// Nine of ten files are not longer.
const USUAL_LINES: usize = 500;

/// Macros and attributes for what is not finished, cut so that this file does not hold them.
const UNFINISHED: [&str; 4] =
    [concat!("todo", "!("), concat!("unimpl", "emented!("), concat!("#[", "ignore"), concat!("FIX", "ME")];

/// Words of the work on the project, not of the project; cut for the same reason.
const FOREIGN: [&str; 7] = [
    concat!("/ho", "me/"),
    concat!("/wo", "rk/"),
    concat!("/tmp/tar", "get"),
    concat!("Cla", "ude"),
    concat!("Anth", "ropic"),
    concat!("Chat", "GPT"),
    concat!("Co-Auth", "ored-By"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// All files with this ending below the crates, build outputs left out.
fn files(ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![root()];
    while let Some(folder) = open.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.file_name().unwrap().to_string_lossy();
            if path.is_dir() {
                // `shared` is lent beside the checkout, or in it.
                if name != "target" && name != "shared" && !name.starts_with('.') {
                    open.push(path);
                }
            } else if path.extension().is_some_and(|end| end == ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_source_says_first_what_it_is() {
    let silent: Vec<String> =
        files("rs").iter().filter(|path| !read(path).starts_with("//! ")).map(|path| shown(path)).collect();
    assert!(silent.is_empty(), "without `//!` at the top: {silent:#?}");
}

#[test]
fn sources_are_short_enough_to_be_read() {
    let mut sizes: Vec<(usize, String)> =
        files("rs").iter().map(|path| (read(path).lines().count(), shown(path))).collect();
    sizes.sort();
    let usual = sizes.get(sizes.len() * 9 / 10).map_or(0, |(lines, _)| *lines);
    let long: Vec<_> = sizes.iter().rev().take_while(|(lines, _)| *lines > USUAL_LINES).collect();
    println!("{} files, nine of ten have at most {usual} lines; longer than {USUAL_LINES}: {long:#?}", sizes.len());
    assert!(usual <= USUAL_LINES, "one of ten files has more than {USUAL_LINES} lines");
    let longest = sizes.last().unwrap();
    assert!(longest.0 <= MOST_LINES, "{} has {} lines", longest.1, longest.0);
}

#[test]
fn nothing_is_left_for_later() {
    for path in files("rs") {
        let text = read(&path);
        for word in UNFINISHED {
            assert!(!text.contains(word), "{} holds {word}", shown(&path));
        }
    }
}

#[test]
fn texts_speak_of_the_project_alone() {
    let endings = ["rs", "md", "rules", "ron", "toml", "pest", "txt", "out"];
    for path in endings.iter().flat_map(|ending| files(ending)) {
        let name = shown(&path);
        // Pasted logs hold what people pasted.
        if name.contains("cases") || name.contains("pastes") || name.contains("fixtures") || name.contains("machines") {
            continue;
        }
        let Ok(text) = fs::read_to_string(&path) else { continue };
        for word in FOREIGN {
            let allowed = word.starts_with("/ho") && (name.starts_with("rulesets") || name.ends_with(".rs"));
            assert!(allowed || !text.contains(word), "{name} holds {word}");
        }
    }
}

#[test]
fn the_parser_library_shows_in_no_public_signature() {
    for path in files("rs") {
        let name = shown(&path).replace('\\', "/");
        if name.starts_with("tests/") {
            continue;
        }
        for (number, line) in (1..).zip(read(&path).lines()) {
            let line = line.trim_start();
            let public = line.starts_with("pub ") && !line.starts_with("pub(");
            assert!(!public || !line.contains("pest"), "{name}:{number}: {line}");
            let elsewhere = !["grammar/", "bench/"].iter().any(|own| name.starts_with(own))
                && (line.starts_with("use pest") || line.contains("pest::"));
            assert!(!elsewhere, "{name}:{number} uses pest: {line}");
        }
    }
}

#[test]
fn the_engine_reads_neither_clock_nor_files() {
    for path in files("rs").into_iter().filter(|path| shown(path).replace('\\', "/").starts_with("engine/src/")) {
        let text = read(&path);
        for word in ["std::fs", "std::env", "std::net", "std::process", "std::thread", "std::time"] {
            assert!(!text.contains(word), "{} uses {word}", shown(&path));
        }
    }
}

/// The lines of fenced blocks of a language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == format!("```{language}");
        } else if inside {
            lines.push(line.to_owned());
        }
    }
    lines
}

#[test]
fn the_commands_of_the_readme_are_those_that_are_checked() {
    let readme = read(&root().join("README.md"));
    let checked = read(&root().join(".ci/run"));
    assert!(blocks(&readme, "sh").iter().any(|line| line == "cargo test --workspace"));
    assert!(checked.lines().any(|line| line.starts_with("cargo test --workspace")), ".ci/run does not run the tests");
    for line in blocks(&readme, "sh").iter().filter(|line| line.starts_with("cargo run")) {
        for word in line.split_whitespace().filter(|word| word.contains('/')) {
            assert!(root().join(word).exists(), "the README names {word}");
        }
    }
}
