//! Real reports, where the folder with them stands beside the checkout: are their failures found and their types right?

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "a test may panic")]
#![allow(clippy::print_stdout, reason = "the table is what one reads when a case is lost")]

use std::path::Path;

use rulecheck::Evidence;

/// Of the cases that state the type, how many percent must be right.
const FLOOR: usize = 99;

struct Row {
    id: String,
    expected: String,
    found: Vec<String>,
}

/// The types in the order in which the engine would prefer their failures: a report first, then by place.
fn types(evidence: &Evidence) -> Vec<String> {
    let mut failures: Vec<_> = evidence.failures().iter().collect();
    failures.sort_by_key(|failure| (failure.form != rulecheck::evidence::Form::Report, failure.span.start));
    failures
        .iter()
        .filter_map(|failure| failure.chain.iter().find_map(|raised| raised.error_type.clone()))
        .map(|name| evidence.slice(&name).to_owned())
        .collect()
}

fn places_lie_inside(evidence: &Evidence) {
    for failure in evidence.failures() {
        let place = evidence.place(&failure.span).expect("a failure has a place");
        assert!(!place.text.is_empty());
        for raised in &failure.chain {
            for range in raised.error_type.iter().chain(&raised.message).chain(&raised.trace) {
                assert!(evidence.place(range).is_some());
            }
        }
    }
}

#[test]
fn types_of_real_reports() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/cases");
    if !folder.is_dir() {
        println!("no reports beside the checkout");
        return;
    }
    let mut rows = Vec::new();
    let (mut without, mut silent) = (0, 0);
    for file in ["memory.jsonl", "env.jsonl"] {
        for line in std::fs::read_to_string(folder.join(file)).expect("readable").lines() {
            let case: serde_json::Value = serde_json::from_str(line).expect("a case per line");
            let input = case["input"].as_str().unwrap_or_default();
            let evidence = rulecheck_readers::read("case", input.as_bytes()).expect("a case is text");
            places_lie_inside(&evidence);
            if std::env::var_os("RULECHECK_DUMP")
                .is_some_and(|id| id == case["id"].as_str().unwrap_or_default() || id == "all")
            {
                dump(case["id"].as_str().unwrap_or_default(), &evidence);
            }
            match case["expect"]["facts"]["error.type"].as_str() {
                Some(expected) => rows.push(Row {
                    id: case["id"].to_string(),
                    expected: expected.to_owned(),
                    found: types(&evidence),
                }),
                None => {
                    without += 1;
                    silent += usize::from(evidence.failures().is_empty());
                }
            }
        }
    }
    let right = rows.iter().filter(|row| row.found.first() == Some(&row.expected)).count();
    for row in rows.iter().filter(|row| row.found.first() != Some(&row.expected)) {
        println!("{:50} expected {:30} found {:?}", row.id, row.expected, row.found);
    }
    println!(
        "{right} of {} types right; {without} cases state none, {silent} of them without a failure by form",
        rows.len()
    );
    assert!(right * 100 >= rows.len() * FLOOR, "{right} of {} types", rows.len());
}

/// What pasting does to a text, and how many percent of the types must survive it.
type Damage = (&'static str, fn(&str) -> String, usize);

const DAMAGES: [Damage; 13] = [
    ("line ends of Windows", |text| text.replace('\n', "\r\n"), 99),
    ("quoted", |text| each_line(text, |line| format!("> {line}")), 99),
    ("in a fence", |text| format!("```\n{text}\n```\n"), 99),
    ("coloured", |text| each_line(text, |line| format!("\u{1b}[31m{line}\u{1b}[0m")), 99),
    ("by compose", |text| each_line(text, |line| format!("comfyui-1  | {line}")), 99),
    ("stamped", |text| each_line(text, |line| format!("2026-09-01T19:08:48.935230 - {line}")), 99),
    ("by a server", |text| each_line(text, |line| format!("2025-01-29T14:18:35.270476069Z {line}")), 99),
    ("unindented", |text| each_line(text, |line| line.trim_start().to_owned()), 99),
    ("escaped", |text| serde_json::Value::from(text).to_string(), 96),
    ("HTML", |text| text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;").replace('\n', "<br>"), 99),
    ("wrapped at 80", |text| each_line(text, |line| wrapped(line, 80)), 98),
    ("wrapped at 46", |text| each_line(text, |line| wrapped(line, 46)), 96),
    ("flattened", |text| text.split_whitespace().collect::<Vec<_>>().join(" "), 88),
];

fn each_line(text: &str, change: impl Fn(&str) -> String) -> String {
    text.lines().map(change).collect::<Vec<_>>().join("\n")
}

fn wrapped(line: &str, width: usize) -> String {
    let symbols: Vec<char> = line.chars().collect();
    symbols.chunks(width).map(String::from_iter).collect::<Vec<_>>().join("\n")
}

#[test]
fn types_survive_damage() {
    let cases = cases();
    for (damage, change, floor) in DAMAGES {
        let (mut all, mut right, mut lost) = (0, 0, Vec::new());
        for (id, input, expected) in &cases {
            let evidence = rulecheck_readers::read("case", change(input).as_bytes()).expect("a case is text");
            places_lie_inside(&evidence);
            all += 1;
            let found = types(&evidence).first().map(|name| name.split_whitespace().collect::<String>());
            if found.as_ref() == Some(expected) { right += 1 } else { lost.push(format!("{id} {found:?}")) }
        }
        println!("{damage:22} {right:3} of {all}   {}", lost.iter().take(8).cloned().collect::<Vec<_>>().join(", "));
        assert!(right * 100 >= all * floor, "{damage}: {right} of {all}");
    }
}

/// The cases that state a type: name, input, type.
fn cases() -> Vec<(String, String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/cases");
    let files =
        ["memory.jsonl", "env.jsonl"].map(|file| std::fs::read_to_string(folder.join(file)).unwrap_or_default());
    let cases = files
        .iter()
        .flat_map(|file| file.lines())
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("a case"));
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    cases
        .filter(|case| case["expect"]["facts"]["error.type"].is_string())
        .map(|case| (text(&case["id"]), text(&case["input"]), text(&case["expect"]["facts"]["error.type"])))
        .collect()
}

fn dump(id: &str, evidence: &Evidence) {
    println!("===== {id}");
    for failure in evidence.failures() {
        println!("  {:?} span {:?}", failure.form, clip(evidence.slice(&failure.span)));
        for raised in &failure.chain {
            let name = raised.error_type.as_ref().map_or("-", |name| evidence.slice(name));
            println!("    type {name}");
            for range in &raised.message {
                println!("    message {:?}", clip(evidence.slice(range)));
            }
            for range in &raised.trace {
                println!("    trace {} lines {:?}", evidence.slice(range).lines().count(), clip(evidence.slice(range)));
            }
        }
    }
    for document in evidence.documents() {
        println!("  document {} with {} scalars", document.kind, document.scalars.len());
    }
}

fn clip(text: &str) -> String {
    let start: String = text.chars().take(150).collect();
    let end: String = text.chars().rev().take(60).collect::<Vec<_>>().into_iter().rev().collect();
    if text.chars().count() > 210 { format!("{start} … {end}") } else { text.to_owned() }
}
