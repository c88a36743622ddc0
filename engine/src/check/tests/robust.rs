//! Findings of the checker, by code, place and remedy: robust.

use super::{Checked, when};

#[test]
fn deep_conditions_are_checked() {
    let nested = |open: &str, close: &str, depth: usize| format!("{}fp16{}", open.repeat(depth), close.repeat(depth));
    for condition in [
        nested("(os = linux or fp16 and ", ")", 120),
        nested("not (", ")", 120),
        nested("any of (os = linux, ", ")", 120),
        format!("ram.total > {}1 GiB{}", "(1 GiB + ".repeat(120), ")".repeat(120)),
    ] {
        let checked = Checked::rules(&when(&condition));
        assert!(checked.findings.is_empty(), "{:?}", checked.listed());
    }
}

#[test]
fn what_the_grammar_lets_through_is_never_too_deep() {
    for condition in [
        format!("{}fp16", "not ".repeat(250)),
        format!("ram.total {} > 1 GiB", "+ 1 GiB ".repeat(250)),
        format!("{}fp16{}", "(os = linux or fp16 and not ".repeat(120), ")".repeat(120)),
    ] {
        let checked = Checked::rules(&when(&condition));
        assert!(checked.findings.is_empty(), "{:?}", checked.listed());
    }
}

#[test]
fn long_conditions_are_no_deep_ones() {
    let checked = Checked::rules(&when(&vec!["fp16"; 5000].join(" and ")));
    assert!(checked.findings.is_empty(), "{:?}", checked.listed());
}

#[test]
fn many_stray_words_are_found_in_linear_time() {
    let checked = Checked::rules(&when(&format!("stage = sample or {}", vec!["vae-decode"; 3000].join(" or "))));
    assert!(checked.findings.has_errors());
}

#[test]
fn broken_files_never_stop_the_check() {
    for text in [
        "",
        "\u{feff}",
        "rule",
        "rule r",
        "when",
        "fact",
        "fact x:",
        "table t from u",
        "test \"x\"",
        "disable",
        "extract from",
        "{",
        "when fp16 then",
    ] {
        let _ = Checked::rules(text);
    }
}
