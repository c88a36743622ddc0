//! Pastes of every form and damage: `NAME.txt` is read, and what was found in it is compared with `NAME.out`.
//!
//! `UPDATE_EXPECT=1 cargo test -p rulecheck-readers --test pastes` writes the expectations; a person reads them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "a test may panic")]

use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;

use rulecheck::Evidence;

fn render(evidence: &Evidence) -> String {
    let mut out = String::new();
    for input in evidence.inputs() {
        let _ = writeln!(out, "kind: {}", input.kind);
    }
    for failure in evidence.failures() {
        let place = evidence.place(&failure.span).expect("a failure has a place");
        let last = place.line + place.text.matches('\n').count();
        let _ = writeln!(out, "\n{:?} in lines {}-{last}", failure.form, place.line);
        for raised in &failure.chain {
            let name = raised.error_type.as_ref().map_or("(no type)", |name| evidence.slice(name));
            let _ = writeln!(out, "  {name}");
            for range in &raised.message {
                lines(&mut out, "says ", evidence, range);
            }
            for range in &raised.trace {
                lines(&mut out, "stack", evidence, range);
            }
        }
    }
    for document in evidence.documents() {
        let _ = writeln!(out, "\n{} document", document.kind);
        for scalar in &document.scalars {
            let _ = writeln!(out, "  {} = {:?}", scalar.path, scalar.value);
        }
    }
    out
}

fn lines(out: &mut String, label: &str, evidence: &Evidence, range: &Range<usize>) {
    for line in evidence.slice(range).lines() {
        let _ = writeln!(out, "    {label} |{line}");
    }
}

#[test]
fn pastes_read_as_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pastes");
    let mut names: Vec<_> =
        std::fs::read_dir(&folder).expect("the folder is there").map(|entry| entry.expect("readable").path()).collect();
    names.sort();
    let mut wrong = Vec::new();
    let mut count = 0;
    for path in names.iter().filter(|path| path.extension().is_some_and(|extension| extension == "txt")) {
        count += 1;
        let bytes = std::fs::read(path).expect("readable");
        let evidence = rulecheck_readers::read("paste.txt", &bytes).expect("a paste is text");
        let found = render(&evidence);
        let expected = path.with_extension("out");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&expected, &found).expect("writable");
        } else if std::fs::read_to_string(&expected).unwrap_or_default() != found {
            wrong.push(format!("{}:\n{found}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 60, "{count} pastes");
}
