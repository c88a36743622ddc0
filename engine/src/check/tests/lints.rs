//! Findings of the checker, by code, place and remedy: lints.

use super::{Checked, core, when};
use crate::check::PackSource;
use rulecheck_grammar::{Severity, Source};

fn advice(rules: &str) -> Vec<(String, String, String)> {
    let checked = Checked::of(&[core(), PackSource::single(Source::new("mine.rules", rules))], true);
    assert!(checked.findings.iter().all(|it| it.severity == Severity::Warning), "{:?}", checked.listed());
    let advice = checked.findings.iter().filter(|it| it.code.0 != "RC0204");
    advice
        .map(|it| (it.code.0.to_owned(), checked.underlined(it).to_owned(), it.help.clone().unwrap_or_default()))
        .collect()
}

#[track_caller]
fn advises(rules: &str, code: &str, underlined: &str, help: &str) {
    let found = advice(rules);
    let [(own, place, said)] = found.as_slice() else { panic!("{found:#?}") };
    assert_eq!((own.as_str(), place.as_str()), (code, underlined));
    assert!(said.contains(help), "{said}");
}

#[test]
fn nominal_sizes_are_no_thresholds() {
    advises(&when("gpu.vram.total >= 24 GiB"), "RC0504", "gpu.vram.total >= 24 GiB", "`>= 22 GiB`");
    advises(&when("any gpu where (.vram.total >= 16 GiB)"), "RC0504", "(.vram.total >= 16 GiB)", "`>= 14.5 GiB`");
    advises(&when("gpu.vram.total = 8 GiB"), "RC0504", "gpu.vram.total = 8 GiB", "`about 8 GB`");
    assert!(advice(&when("gpu.vram.total >= 22.5 GiB or gpu.vram.total < 8 GiB or ram.total >= 16 GiB")).is_empty());
}

#[test]
fn a_log_may_be_cut_off() {
    advises(&when("fp16 and not log matches \"got prompt\""), "RC0502", "log matches \"got prompt\"", "log.run");
    assert!(advice(&when("not log.run matches \"loaded\"")).is_empty());
}

#[test]
fn the_system_speaks_the_users_language() {
    let english = "error matches \"The specified module could not be found\"";
    advises(&when(english), "RC0505", english, "WinError 126");
    assert!(
        advice(&when("error matches \"WinError 126\" or error matches \"The specified module could not be found\""))
            .is_empty()
    );
}

#[test]
fn a_pattern_needs_a_literal() {
    advises(&when("error matches /[0-9]+/"), "RC0503", "error matches /[0-9]+/", "every line");
    advises(&when("error matches \"a {n: number}\""), "RC0503", "error matches \"a {n: number}\"", "");
    assert!(advice(&when("error matches /(abc|def)+x/ or error matches \"内存\"")).is_empty());
}

#[test]
fn entries_are_whole_and_verified() {
    let bare = advice("problem x\n  category y\nfix z\n  title \"z\"\n");
    let codes: Vec<_> = bare.iter().map(|(code, place, _)| (code.as_str(), place.as_str())).collect();
    assert_eq!(codes, [("RC0501", "x"), ("RC0507", "x"), ("RC0501", "z"), ("RC0507", "z")]);
    let whole = "fix z\n  title \"z\"\n  do \"x\"\n  verify \"v\"\n  undo \"u\"\n  unverified \"on Windows\"\n";
    assert!(advice(whole).is_empty());
}
