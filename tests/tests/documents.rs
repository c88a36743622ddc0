//! What the documents show: each page of a code raises that code, and every rule shown for people to write is sound.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use rulecheck::check::{Options, check_with};
use rulecheck::testing::TestText;
use rulecheck::{Diagnostics, Evidence, PackSource, Ruleset, Severity, Source};
use rulecheck_grammar::SourceId;
use rulecheck_readers::Reader;

/// Warnings that an example may have beside its own code, since it shows one thing and is no pack to be published: what
/// is declared nowhere, not verified, incomplete, or without tests.
const BESIDE: [&str; 4] = ["RC0204", "RC0501", "RC0506", "RC0507"];

/// Codes of texts that no page could hold: their examples are made here.
const LIMITS: [&str; 4] = ["RC0702", "RC0703", "RC0704", "RC0705"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The fenced blocks of a page: what stands behind the fence, and the text.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        if let Some(info) = line.strip_prefix("```") {
            inside = !inside;
            if inside {
                found.push((info.trim().to_owned(), String::new()));
            }
        } else if inside && let Some((_, text)) = found.last_mut() {
            text.push_str(line);
            text.push('\n');
        }
    }
    assert!(!inside, "a block is not closed");
    found
}

/// `core`, and a rule file or manifest beside it.
fn beside_core(language: &str, text: &str) -> Vec<PackSource> {
    let own = if language.starts_with("ron") {
        PackSource { manifest: Some(Source::new("pack.ron", text)), files: Vec::new() }
    } else {
        PackSource::single(Source::new("mine.rules", text))
    };
    let mut packs = rulecheck_rulesets::core_sources();
    packs.push(own);
    packs
}

/// The findings of a text, as code, severity and message; advice for what is published is among them.
fn findings(language: &str, text: &str) -> Vec<(&'static str, Severity, String)> {
    let mut found = Diagnostics::new();
    check_with(&beside_core(language, text), Options { lint: true }, &mut found);
    found.iter().map(|it| (it.code.0, it.severity, it.message.clone())).collect()
}

/// The same, and what `rulecheck check --strict` adds by running the tests, which must pass.
fn findings_and_tests(language: &str, text: &str) -> Vec<(&'static str, Severity, String)> {
    let mut all = findings(language, text);
    let sound = all.iter().all(|(_, severity, _)| *severity == Severity::Warning);
    if sound && lacks_a_test(&beside_core(language, text)) {
        all.push(("RC0506", Severity::Warning, "a rule lacks a test".to_owned()));
    }
    all
}

/// Whether a rule that reads text has no test in which it is true, or none in which it is false.
fn lacks_a_test(packs: &[PackSource]) -> bool {
    let ruleset = Ruleset::compile(packs, &mut Diagnostics::new());
    let (reports, coverage) = ruleset.run_tests(&mut readings);
    for report in reports {
        let failures: Vec<_> = report.failures.iter().map(|failure| failure.message.as_str()).collect();
        assert!(failures.is_empty(), "the test \"{}\" fails: {failures:#?}", report.name);
    }
    coverage.rules.iter().any(|rule| rule.reads_text && !(rule.seen_true && rule.seen_false))
}

/// What the texts of a test say; examples name no files.
fn readings(texts: &[TestText<'_>]) -> Result<Evidence, String> {
    let mut reader = Reader::new();
    for text in texts {
        let TestText::Text(text) = text else { return Err("an example reads no files".to_owned()) };
        reader = reader.add("-", text.as_bytes()).map_err(|error| error.to_string())?;
    }
    reader.finish().map_err(|error| error.to_string())
}

/// The pages of codes, by code.
fn pages() -> Vec<(String, String)> {
    let entries = fs::read_dir(root().join("docs/codes")).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<_> =
        entries.map(|path| (path.file_stem().unwrap().to_string_lossy().into_owned(), read(&path))).collect();
    pages.sort();
    pages
}

/// All codes that a file declares.
fn codes_in(file: &str) -> BTreeSet<String> {
    let text = read(&root().join(file));
    let behind = text.split("Code(\"").skip(1);
    behind.map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

#[test]
fn every_code_has_a_page_and_every_page_a_code() {
    let mut codes = codes_in("grammar/src/codes.rs");
    codes.extend(codes_in("engine/src/check/codes.rs"));
    let pages: BTreeSet<_> = pages().into_iter().map(|(code, _)| code).collect();
    let missing: Vec<_> = codes.difference(&pages).collect();
    let stray: Vec<_> = pages.difference(&codes).collect();
    assert!(missing.is_empty() && stray.is_empty(), "without a page: {missing:?}; without a code: {stray:?}");
}

#[test]
fn pages_are_short_and_say_which_code_they_are_of() {
    for (code, page) in pages() {
        let heading = page.lines().next().unwrap_or("");
        let name = heading.strip_prefix(&format!("# {code}: "));
        assert!(name.is_some_and(|name| !name.is_empty() && !name.ends_with('.')), "{code} begins with {heading}");
        let lines = page.lines().count();
        assert!((6..=45).contains(&lines), "{code} has {lines} lines");
        assert!(page.lines().all(|line| line.chars().count() <= 130), "{code} has a line that is too long");
    }
}

#[test]
fn the_example_of_a_page_raises_its_code_and_no_other() {
    for (code, page) in pages().iter().filter(|(code, _)| !LIMITS.contains(&code.as_str())) {
        let blocks = blocks(page);
        let [(language, example), (mended_language, mended)] = blocks.as_slice() else {
            panic!("{code} has {} blocks: one that raises it and one that is mended are wanted", blocks.len())
        };
        assert!(
            matches!(language.as_str(), "rules" | "ron") && *mended_language == format!("{language} fixed"),
            "{code}"
        );

        // Tests are run only where a page speaks of them.
        let check = if code == "RC0506" { findings_and_tests } else { findings };
        let found = check(language, example);
        let own = found.iter().any(|(own, ..)| own == code);
        let others = found
            .iter()
            .filter(|(own, severity, _)| own != code && (*severity == Severity::Error || !BESIDE.contains(own)));
        let others: Vec<_> = others.collect();
        assert!(own && others.is_empty(), "the example of {code} raises {found:#?}");

        let found = check(language, mended);
        let wrong: Vec<_> = found
            .iter()
            .filter(|(own, severity, _)| own == code || *severity == Severity::Error || !BESIDE.contains(own))
            .collect();
        assert!(wrong.is_empty(), "the mended example of {code} raises {wrong:#?}");
    }
}

#[test]
fn texts_beyond_the_limits_raise_the_code_of_the_limit() {
    let rule = |condition: &str| format!("rule r\n  when {condition}\n  then suggest f\n");
    let phrases = vec!["\"a phrase of some length\""; 100_000].join(", ");
    let cases = [
        ("RC0702", "# a remark\n".repeat((16 << 20) / 11 + 1)),
        ("RC0703", rule(&format!("error matches any of ({phrases})"))),
        ("RC0704", "nothing\n".repeat(10_001)),
    ];
    for (code, text) in cases {
        let found = parsed(&text);
        assert!(found.contains(code), "{code} is not among {found:?}");
    }
    // A condition that goes deep, on a thread that has no room for it.
    let deep = rule(&format!("{}wsl{}", "(".repeat(100), ")".repeat(100)));
    let small = std::thread::Builder::new().stack_size(64 << 10);
    let found = small.spawn(move || parsed(&deep)).unwrap().join().unwrap();
    assert_eq!(found, BTreeSet::from(["RC0705"]));
    for code in LIMITS {
        assert!(pages().iter().any(|(own, page)| own == code && page.contains("Instead, ")), "{code}");
    }
}

fn parsed(text: &str) -> BTreeSet<&'static str> {
    let mut found = Diagnostics::new();
    let _ = rulecheck_grammar::parse(&Source::new("mine.rules", text), SourceId(0), &mut found);
    found.iter().map(|it| it.code.0).collect()
}

/// The documents in which rules are shown, and what stands behind the fence of those.
fn documents() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<_> = entries.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    found.push(root().join("README.md"));
    found.sort();
    found
}

#[test]
fn the_rules_that_documents_show_are_sound() {
    let mut seen = 0;
    for path in documents() {
        // Rules in the README stand in fences without a language.
        let is_rules = |language: &str| language == "rules" || language.is_empty() && path.ends_with("README.md");
        let page = read(&path);
        let rules: Vec<_> = blocks(&page).into_iter().filter(|(language, _)| is_rules(language)).collect();
        seen += rules.len();
        let text: String = rules.iter().map(|(_, text)| format!("{text}\n")).collect();
        let found = findings_and_tests("rules", &text);
        let errors: Vec<_> = found.iter().filter(|(_, severity, _)| *severity == Severity::Error).collect();
        assert!(errors.is_empty(), "{}: {errors:#?}", path.display());
    }
    assert!(seen >= 10, "only {seen} blocks of rules were found");
}

#[test]
fn the_manifests_that_documents_show_are_sound() {
    for path in documents() {
        for (_, manifest) in blocks(&read(&path)).iter().filter(|(language, _)| language == "ron") {
            let found = findings("ron", manifest);
            assert!(found.is_empty(), "{}: {found:#?}", path.display());
        }
    }
}
