//! No text makes the parser panic, overflow the stack or take more than linear time.

use std::time::Instant;

use proptest::prelude::*;
use rulecheck_grammar::{Diagnostics, Source, SourceId, ast, parse, print};

const LANGUAGE: &str = include_str!("fixtures/language.rules");

fn read(text: &str) -> (ast::File, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let file = parse(&Source::new("x.rules", text), SourceId(0), &mut diagnostics);
    (file, diagnostics)
}

/// Every finding has its place in the text, and a message as the style asks for.
fn check(text: &str) {
    let (file, diagnostics) = read(text);
    let source = Source::new("x.rules", text);
    for found in diagnostics.iter() {
        for span in found.labels.iter().map(|it| it.span).chain(found.edit.iter().map(|it| it.span)) {
            assert!(text.get(span.start as usize..span.end as usize).is_some(), "{found:#?}\nin:\n{text}");
        }
        assert!(!found.message.ends_with('.') && !found.message.contains('\n'), "{found:#?}");
        assert!(found.help.is_some(), "{found:#?}\nin:\n{}", source.slice(found.place().1));
    }
    if diagnostics.is_empty() {
        let once = print(&file);
        let (again, diagnostics) = read(&once);
        assert!(diagnostics.is_empty(), "{:#?}\nin:\n{once}\nof:\n{text}", diagnostics.iter().next());
        assert_eq!(print(&again), once, "of:\n{text}");
    }
}

/// Texts that look like rules from afar.
fn soup() -> impl Strategy<Value = String> {
    let pieces = vec![
        "rule ",
        "when ",
        "then ",
        "unless ",
        "and ",
        "or ",
        "not ",
        "error ",
        "matches ",
        "suggest ",
        "x ",
        "(",
        ")",
        "[",
        "]",
        ",",
        "\"",
        "\"\"\"",
        "/",
        "\\",
        "{",
        "}",
        "{*}",
        "#",
        " #",
        "\n",
        "\n  ",
        "\n    ",
        "\r\n",
        "= ",
        "<",
        ">=",
        "..",
        "8 GiB",
        "8 GB",
        "at least 2 ",
        "of ",
        "any ",
        "none ",
        "no ",
        "where ",
        "in ",
        "is ",
        "has ",
        "about ",
        "followed by ",
        "within ",
        "lines ",
        "times ",
        "fact ",
        ": ",
        "one of ",
        "set of ",
        "test ",
        "given ",
        "expect ",
        "problem ",
        "fix ",
        "title ",
        "zh ",
        "-> ",
        "table ",
        "from ",
        "line ",
        "extract ",
        "json ",
        "as ",
        "<https://x>",
        "“",
        "”",
        "中",
        "\u{a0}",
        "\u{3000}",
        "\u{feff}",
        "\u{0}",
        "\u{301}",
        "- ",
        "* ",
        "\t",
        "when a then suggest b\n",
        "\nrule r\n  when a\n  then suggest b\n",
    ];
    proptest::collection::vec(prop::sample::select(pieces), 0..60).prop_map(|it| it.concat())
}

/// The specification's examples with a few of their characters changed.
fn mutated() -> impl Strategy<Value = String> {
    let change =
        (any::<prop::sample::Index>(), 0..8_usize, soup().prop_map(|it| it.chars().take(6).collect::<String>()));
    proptest::collection::vec(change, 1..6).prop_map(|changes| {
        let mut text: Vec<char> = LANGUAGE.chars().collect();
        for (at, len, insert) in changes {
            let at = at.index(text.len());
            let end = (at + len).min(text.len());
            text.splice(at..end, insert.chars());
        }
        text.into_iter().collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn text_like_rules(text in soup()) {
        check(&text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rules_with_slips(text in mutated()) {
        check(&text);
    }
}

#[test]
fn brackets_nest_128_deep_and_no_deeper() {
    let nested = |depth: usize| format!("when {}a{} then suggest b", "(".repeat(depth), ")".repeat(depth));
    assert!(read(&nested(128)).1.is_empty());
    for depth in [129, 5_000, 500_000] {
        let (file, diagnostics) = read(&nested(depth));
        let codes: Vec<_> = diagnostics.iter().map(|it| it.code.0).collect();
        assert_eq!((codes, file.declarations.len()), (vec!["RC0701"], 0));
    }
}

#[test]
fn trees_are_never_deep() {
    // Also where the stack is small, and the program not optimised.
    let small = std::thread::Builder::new().stack_size(1 << 20).spawn(|| {
        for part in ["not any of (x, ", "no gpu where (", "a = (", "x < 1 or y and (1 - ", "not ("] {
            check(&format!("when {}a{} then suggest b", part.repeat(120), ")".repeat(120)));
        }
    });
    small.unwrap().join().unwrap();
    for part in ["not ", "1 + ", "1 * ", "(a and ", "any of (", "no gpu where (", "[", "a in [", "a = "] {
        let text = format!("when {} b then suggest c", part.repeat(50_000));
        let (_, diagnostics) = read(&text);
        assert!(diagnostics.len() <= 2 && !diagnostics.is_empty(), "{part}");
    }
}

/// Texts of a quarter of a megabyte and more, each of one kind.
fn long_texts() -> Vec<(&'static str, String)> {
    let much = |part: &str| part.repeat((1 << 18) / part.len());
    vec![
        ("rules", much("rule a\n  when error matches \"x y\" and os = macos >= 14.5\n  then suggest b priority 1\n")),
        ("blank", much(" ")),
        ("lines", much("\n")),
        ("comment", format!("# {}", much("x"))),
        ("word", much("x")),
        ("bare phrase", format!("when error matches {} then suggest b", much("word  "))),
        ("bare phrase of blanks", format!("when error matches x{}y then suggest b", much(" "))),
        ("phrase", format!("when error matches \"{}\" then suggest b", much("word \\\" "))),
        ("holes", format!("when error matches \"{}\" then suggest b", much("{*} x "))),
        ("braces", format!("when error matches \"{}\" then suggest b", "{".repeat(5_000))),
        ("regex", format!("when error matches /{}/ then suggest b", much("a\\/"))),
        ("conditions", format!("when {} x then suggest b", much("a = 1 and "))),
        ("clauses", format!("rule a\n{}", much("  then suggest b\n"))),
        ("clauses in a line", format!("when x {}", much("then suggest b "))),
        ("quotes", much("\"")),
        ("open texts", much("fix a\n  title \"\n")),
        ("block", format!("fix a\n  title \"\"\"\n{}    \"\"\"\n", much("    line\n"))),
        ("open block", format!("fix a\n  title \"\"\"\n{}", much("    line\n"))),
        ("slashes", format!("when error matches {} then suggest b", much("/"))),
        ("brackets", much("(")),
        ("commas", format!("fix a\n  related {}", much("a, "))),
        ("list", format!("when x in [{}a] then suggest b", much("a, "))),
        ("slips", much("rle a\n  wen x\n")),
        ("wrong clauses", format!("rule a\n{}", much("  x\n"))),
        ("continuation", format!("rule a\n  when a\n{}", much("    and b # c\n"))),
        ("carriage returns", much("when a\r")),
        ("urls", format!("problem a\n  source b \"c\" {}", much("<"))),
        ("wide blanks", much("\u{3000}x")),
    ]
}

#[test]
fn long_texts_take_linear_time() {
    for (name, text) in long_texts() {
        let start = Instant::now();
        let (_, diagnostics) = read(&text);
        // A quadratic pass would take minutes.
        assert!(start.elapsed().as_secs() < 20, "{name}");
        assert!(diagnostics.len() <= 10_000, "{name}");
    }
}

#[test]
fn limits_are_named() {
    let code = |text: &str| read(text).1.iter().map(|it| it.code.0).collect::<Vec<_>>();
    assert_eq!(code(&"#".repeat((16 << 20) + 1)), ["RC0702"]);
    let long = format!("when error matches \"{}\" then suggest b", "x".repeat(2 << 20));
    assert_eq!(code(&long), ["RC0703"]);
    let slips = code(&"x\n".repeat(20_000));
    assert_eq!((slips.len(), slips.last()), (10_000, Some(&"RC0704")));
}
