//! Real reports, where the folder with them stands beside the checkout: are their failures found and their types right?

#![allow(clippy::print_stdout, reason = "the table is what one reads when a case is lost")]

use std::path::Path;

use rulecheck::Evidence;

/// Of the cases that state the type, how many percent must be right.
const FLOOR: usize = 98;

struct Row {
    id: String,
    expected: String,
    found: Vec<String>,
}

/// The types in the order in which the engine would prefer their failures: a report first, then by place.
fn types(evidence: &Evidence) -> Vec<String> {
    let mut failures: Vec<_> = evidence.failures().iter().collect();
    failures.sort_by_key(|failure| (failure.form != rulecheck::evidence::Form::Report, failure.span.start));
    failures.iter().filter_map(|failure| failure.chain.iter().find_map(|raised| raised.error_type.clone())).map(|name| evidence.slice(&name).to_owned()).collect()
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
            if std::env::var_os("RULECHECK_DUMP").is_some_and(|id| id == case["id"].as_str().unwrap_or_default() || id == "all") {
                dump(case["id"].as_str().unwrap_or_default(), &evidence);
            }
            match case["expect"]["facts"]["error.type"].as_str() {
                Some(expected) => rows.push(Row { id: case["id"].to_string(), expected: expected.to_owned(), found: types(&evidence) }),
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
    println!("{right} of {} types right; {without} cases state none, {silent} of them without a failure by form", rows.len());
    assert!(right * 100 >= rows.len() * FLOOR, "{right} of {} types", rows.len());
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
