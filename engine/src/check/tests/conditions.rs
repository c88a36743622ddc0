//! Findings of the checker, by code, place and remedy: conditions.

use super::{finds, mends, sound, when};
use crate::ir::{ConditionKind, FactRef, Group, Over, Quantifier, StateKind, Term, Test, TextRef};
use crate::value::Value;

fn kind(condition: &str) -> ConditionKind {
    sound(&when(condition)).rules[0].when.kind.clone()
}

fn test(condition: &str) -> Test {
    match kind(condition) {
        ConditionKind::Test(test) => test,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_condition_of_the_language_is_sound() {
    for condition in [
        "os = macos",
        "gpu.vram.total < 8 GiB",
        "launch.args has --lowvram",
        "os = macos >= 14.5",
        "gpu.vram.total in 4 GiB..8 GiB",
        "launch.args has any of [--lowvram, --novram]",
        "torch.version >= 2.4",
        "alloc.requested > gpu.vram.free * 0.9",
        "gpu.driver is known",
        "gpu is none",
        "log.run is unknown",
        "error is none",
        "stage in [sample, vae-decode]",
        "stage not in [sample, vae-decode]",
        "os != macos",
        "at least 2 of (fp16, os = macos, gpu is none)",
        "any of (fp16, os = macos)",
        "all of (fp16, os = macos)",
        "none of (fp16, os = macos)",
        "any gpu where (.vendor = nvidia and .vram.total < 8 GiB)",
        "every gpu where (.integrated)",
        "no disk where (.free < 5 GiB)",
        "gpu.vram.total about 24 GB",
        "alloc.requested in 1 GiB..4 GiB",
        "problem = some-problem or problem in [a-problem, b-problem] or problem != c-problem",
        "no problem",
        "fp16",
        "not fp16 and (os = linux or os = windows)",
        "fp16 = false",
        "any error where (.message matches \"gone\" and .type = RuntimeError)",
        "no error where (.type in [torch.OutOfMemoryError, KeyError] and .type != ValueError and error matches \"x1\")",
        "env.PYTORCH_ENABLE_MPS_FALLBACK = 1 and package.torchvision < 0.19",
        "error.type = torch.OutOfMemoryError",
        "24 GiB > ram.total",
        "macos = os",
        "ram.total / gpu.vram.total > 2",
        "exit.code = 0xC0000005 or exit.code = -5",
        "model.file matches \"flux\" and log.run matches \"x: {size}\"",
        "error matches \"A\" followed by \"B\" within 20 lines",
        "log matches \"retry\" at least 3 times",
    ] {
        let checked = super::Checked::rules(&when(condition));
        assert!(!checked.findings.has_errors(), "{condition}: {:#?}", checked.listed());
        assert_eq!(checked.program.rules.len(), 1, "{condition}");
    }
}

#[test]
fn literals_take_the_type_of_the_fact_beside_them() {
    let Test::Compare(Term::Fact(_), _, Term::Literal(Value::Version(version))) = test("torch.version >= 2.10") else {
        panic!()
    };
    assert_eq!(version.as_str(), "2.10");
    assert!(matches!(
        test("8 GiB > ram.total"),
        Test::Compare(Term::Fact(_), crate::ir::Comparison::Less, Term::Literal(Value::Size(_)))
    ));
    assert!(matches!(test("launch.args has --x"), Test::Has(_, Group::Any, items) if items == [Value::text("--x")]));
}

#[test]
fn a_size_as_sold_lies_between_the_decimal_and_the_binary_reading() {
    let Test::Within(_, low, high) = test("gpu.vram.total about 24 GB") else { panic!() };
    for bytes in [23.92e9, 23.99 * 1024f64.powi(3), 24.0 * 1024f64.powi(3)] {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small")]
        let size = Value::Size(bytes as u64);
        assert!(low <= size && size <= high);
    }
    assert!(Value::Size(22 << 30) < low);
}

#[test]
fn states_are_of_facts_records_and_sections() {
    assert!(matches!(test("gpu is none"), Test::RecordState(_, StateKind::None)));
    assert!(matches!(test("log.run is unknown"), Test::SectionState(_, StateKind::Unknown)));
    assert!(matches!(test("gpu.name is known"), Test::State(FactRef::Fact(_), StateKind::Known)));
}

#[test]
fn fields_in_a_quantifier_are_those_of_its_elements() {
    let ConditionKind::Quantified(Quantifier::Any, Over::Record(_), inner) = kind("any gpu where (.vendor = nvidia)")
    else {
        panic!()
    };
    assert!(matches!(inner.kind, ConditionKind::Test(Test::Compare(Term::Fact(FactRef::Element(_)), ..))));
    let ConditionKind::Quantified(_, Over::Errors, inner) = kind("any error where (.message matches \"x\")") else {
        panic!()
    };
    assert!(matches!(inner.kind, ConditionKind::Test(Test::Matches(m)) if matches!(m.text, TextRef::EachError(_))));
}

#[test]
fn texts_of_a_failure_are_matched() {
    finds(&when("any error where (.message = gone)"), "RC0206", ".message", &["`.message matches"]);
    finds(&when("any error where (.mesage matches \"gone\")"), "RC0205", ".mesage", &["`.message`"]);
}

#[test]
fn equal_patterns_are_one() {
    let program = sound(&when("error matches \"abc\" or log matches \"abc\""));
    let phrases = program.patterns.iter().filter(|pattern| format!("{pattern:?}").contains("abc")).count();
    assert_eq!(phrases, 1);
}

#[test]
fn unknown_names_offer_the_nearest() {
    mends(&when("gpu.vram.totl < 8 GiB"), "RC0201", "gpu.vram.totl", &when("gpu.vram.total < 8 GiB"));
    finds(&when("torch.version >= newest"), "RC0201", "newest", &["no pack declares a fact"]);
    finds(&when("oss = macos"), "RC0201", "oss", &[]);
    finds(&when("some-flag"), "RC0201", "some-flag", &["no pack declares"]);
    finds(&when("lgo matches \"x\""), "RC0209", "lgo", &["did you mean `log`?"]);
    mends(&when("any gpus where (.vendor = nvidia)"), "RC0208", "gpus", &when("any gpu where (.vendor = nvidia)"));
    mends(&when("any gpu where (.vendr = nvidia)"), "RC0205", ".vendr", &when("any gpu where (.vendor = nvidia)"));
    mends(&when(".vendor = nvidia"), "RC0205", ".vendor", &when("gpu.vendor = nvidia"));
}

#[test]
fn only_a_bool_fact_stands_alone() {
    finds(&when("gpu.name"), "RC0306", "gpu.name", &["is a text", "`gpu.name = …`"]);
    finds(&when("ram.total and fp16"), "RC0306", "ram.total", &["is a size"]);
    finds(&when("gpu"), "RC0306", "gpu", &["any gpu where"]);
    finds(&when("log.run"), "RC0306", "log.run", &["matches"]);
    finds(&when("launch.args"), "RC0306", "launch.args", &["has"]);
}

#[test]
fn a_word_behind_or_offers_the_list() {
    mends(&when("stage = sample or vae-decode"), "RC0308", "vae-decode", &when("stage in [sample, vae-decode]"));
    mends(
        &when("stage = sample or vae-decode or vae-encode"),
        "RC0308",
        "vae-decode",
        &when("stage in [sample, vae-decode, vae-encode]"),
    );
    mends(
        &when("fp16 and stage != sample or vae-decode"),
        "RC0308",
        "vae-decode",
        &when("fp16 and stage not in [sample, vae-decode]"),
    );
    mends(
        &when("launch.args has --lowvram or --novram"),
        "RC0308",
        "--novram",
        &when("launch.args has any of [--lowvram, --novram]"),
    );
    mends(
        &when("launch.args has --lowvram and --novram"),
        "RC0308",
        "--novram",
        &when("launch.args has all of [--lowvram, --novram]"),
    );
    finds(&when("problem = a-problem or b-problem"), "RC0308", "b-problem", &["problem in [a-problem, b-problem]"]);
}

#[test]
fn what_is_a_name_goes_on_no_list() {
    finds(&when("stage = sample or gpu"), "RC0306", "gpu", &["any gpu where"]);
    mends(
        &when("stage = sample or vae-decode or fp16"),
        "RC0308",
        "vae-decode",
        &when("stage in [sample, vae-decode] or fp16"),
    );
}

#[test]
fn a_bare_phrase_that_lost_a_word_needs_quotes() {
    mends(&when("error matches mat1 and mat2"), "RC0307", "mat2", &when("error matches \"mat1 and mat2\""));
}

#[test]
fn counts_that_always_or_never_hold_are_refused() {
    finds(&when("at least 4 of (fp16, os = macos)"), "RC0417", "4", &["never true"]);
}

#[test]
fn a_section_is_never_none() {
    finds(&when("log.run is none"), "RC0304", "log.run", &["is unknown"]);
}

#[test]
fn what_has_no_text_matches_no_pattern() {
    finds(&when("launch.args matches \"--lowvram\""), "RC0209", "launch.args", &["a set", "has"]);
    finds(&when("ram.total matches \"8\""), "RC0209", "ram.total", &["a size"]);
    finds(&when("gpu matches \"8\""), "RC0209", "gpu", &["a record"]);
}
