//! What is said about a mistake: its code, what is marked, the message, the help, and the text after its edit.

#![allow(clippy::panic, clippy::expect_used, reason = "helpers of tests fail by panicking")]

use rulecheck_grammar::{Diagnostic, Diagnostics, Source, SourceId, ast, parse};

fn read(text: &str) -> (ast::File, Vec<Diagnostic>) {
    let mut diagnostics = Diagnostics::new();
    let file = parse(&Source::new("x.rules", text), SourceId(0), &mut diagnostics);
    (file, diagnostics.into_iter().collect())
}

/// Asserts that a text has one mistake.
#[track_caller]
fn says(text: &str, code: &str, marked: &str, message: &str, help: &str) -> Diagnostic {
    let (_, found) = read(text);
    let [one] = found.as_slice() else { panic!("{found:#?}") };
    let span = one.place().1;
    let source = Source::new("x.rules", text);
    let got = (one.code.0, source.slice(span), one.message.as_str(), one.help.as_deref().unwrap_or(""));
    assert_eq!(got, (code, marked, message, help));
    one.clone()
}

/// The same, and the text without a mistake that its edit makes.
#[track_caller]
fn mends(text: &str, code: &str, marked: &str, message: &str, help: &str, mended: &str) {
    let found = says(text, code, marked, message, help);
    let edit = found.edit.expect("an edit");
    let mut after = text.to_owned();
    after.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.replacement);
    assert_eq!(after, mended);
    assert!(read(&after).1.is_empty(), "{:#?}", read(&after).1);
}

/// A condition in a rule.
fn when(condition: &str) -> String {
    format!("rule r\n  when {condition}\n  then suggest f\n")
}

#[test]
fn a_bare_phrase_that_needs_quotes() {
    mends(
        &when("error matches mat1 and mat2 shapes cannot be multiplied"),
        "RC0108",
        "mat1 and mat2 shapes cannot be multiplied",
        "this phrase holds `and`, so it needs quotes",
        "write `\"mat1 and mat2 shapes cannot be multiplied\"`",
        &when("error matches \"mat1 and mat2 shapes cannot be multiplied\""),
    );
    for (phrase, why, rest) in [
        ("Tried to allocate (foo) bytes", "holds `(`", " and os = macos"),
        ("retried at least 3 or 4 times", "holds `at least`", ""),
        ("died within 3 seconds", "holds `within`", " and a"),
        ("a {brace}", "holds `{`", ""),
        ("No module named \"foo\" here", "holds `\"`", " and os = macos"),
    ] {
        let quoted = format!("\"{}\"", phrase.replace('"', "\\\"").replace('{', "\\u{7b}"));
        mends(
            &when(&format!("error matches {phrase}{rest}")),
            "RC0108",
            phrase,
            &format!("this phrase {why}, so it needs quotes"),
            &format!("write `{quoted}`"),
            &when(&format!("error matches {quoted}{rest}")),
        );
    }
}

#[test]
fn a_quote_in_a_bare_phrase_is_no_unclosed_text() {
    let found = read(&when("error matches a 24\" screen")).1;
    let codes: Vec<_> = found.iter().map(|it| it.code.0).collect();
    assert_eq!(codes, ["RC0108"]);
}

#[test]
fn a_bare_name_behind_a_bare_phrase_is_left_to_the_checker() {
    assert!(read(&when("error matches mat1 and mat2")).1.is_empty());
    assert!(read(&when("stage = sample or vae-decode")).1.is_empty());
}

#[test]
fn operators_of_other_languages() {
    for (theirs, ours) in [
        ("a == b", "="),
        ("a <> b", "!="),
        ("a && b", "and"),
        ("a || b", "or"),
        ("a contains b", "has"),
        ("error contains b", "matches"),
    ] {
        let sign = theirs.split(' ').nth(1).unwrap_or("");
        mends(
            &when(theirs),
            "RC0114",
            sign,
            &format!("`{sign}` is written `{ours}`"),
            &format!("write `{ours}`"),
            &when(&theirs.replace(sign, ours)),
        );
    }
    mends(&when("! a"), "RC0114", "!", "`!` is written `not`", "write `not`", &when("not  a"));
}

#[test]
fn values_and_units() {
    mends(
        &when("gpu.vram.total < 8 GB"),
        "RC0117",
        "GB",
        "`GB` may only stand behind `about`",
        "write `8 GiB`, or `about 8 GB` for a size as sold",
        &when("gpu.vram.total < 8 GiB"),
    );
    mends(
        &when("a is macos"),
        "RC0114",
        "is",
        "`is` asks whether a fact is `known`, `unknown` or `none`, found `macos`",
        "write `=` to compare with a value",
        &when("a = macos"),
    );
    mends(&when("a = none"), "RC0114", "= none", "`= none` asks for no value", "write `is none`", &when("a is none"));
    mends(
        &when("a has [b]"),
        "RC0101",
        "[",
        "`has` does not say how many of this list",
        "write `has any of [a, b]`, `has all of [a, b]` or `has none of [a, b]`",
        &when("a has any of [b]"),
    );
    says(
        &when("1 < a < 3"),
        "RC0114",
        "<",
        "a second `<` cannot follow",
        "write two comparisons with `and` between them, or `in LOW..HIGH`",
    );
}

#[test]
fn what_is_missing_is_marked_behind_the_last_word() {
    let text = when("a and");
    let found = says(&text, "RC0115", "", "a condition is missing behind `and`", "write it there");
    assert_eq!(found.place().1.start as usize, text.find("and").unwrap() + 3);
    let found = says(
        "fix a\n  flag\n",
        "RC0101",
        "",
        "expected a name here",
        "write `flag --x`, `flag --x VALUE`, `flag --x instead of --y` or `flag off --x`",
    );
    assert_eq!(found.place().1.start, 12);
}

#[test]
fn quotes_of_other_kinds_in_a_condition() {
    let text = when("os.name = “Mac OS” and a");
    let help = "write `\"` before and behind it";
    mends(&text, "RC0120", "“Mac OS”", "a text does not stand in `“`", help, &when("os.name = \"Mac OS\" and a"));
    let text = when("os = 'macos' and a");
    mends(&text, "RC0120", "'macos'", "a text does not stand in `'`", help, &when("os = \"macos\" and a"));
    let help = "write the word in quotes if it belongs to it";
    says(&when("node = 采样器☃x"), "RC0113", "☃", "`☃` cannot stand in a word", help);
}

#[test]
fn signs_of_other_keyboards() {
    let help = "write `（`: the signs of the language are those of an English keyboard".replace('（', "(");
    let mended = when("(os = macos) and b \u{ff0c}".trim_end_matches(" \u{ff0c}"));
    mends(&when("（os ＝ macos） and b"), "RC0114", "（", "`（` is written `(`", &help, &mended);
    let help = "write `>=`: the signs of the language are those of an English keyboard";
    mends(&when("size ≥ 3"), "RC0114", "≥", "`≥` is written `>=`", help, &when("size >= 3"));
    let help = "write `,`: the signs of the language are those of an English keyboard";
    mends(&when("a in [b，c]"), "RC0114", "，", "`，` is written `,`", help, &when("a in [b,c]"));
    let help = "write `and` or `or` between conditions, and a `then` before each action";
    says(&when("node = 采样器，x"), "RC0114", "，", "`，` joins nothing here", help);
}

#[test]
fn a_count_behind_a_bare_phrase_is_offered_behind_its_quotes() {
    let whole = |it: &str| when(&format!("error matches {it}"));
    for (phrase, why, meant) in [
        ("retried at least 3 times", "holds `at least`", "\"retried\" at least 3 times"),
        ("a followed by b within 3 lines", "holds `within`", "\"a\" followed by \"b\" within 3 lines"),
    ] {
        let message = format!("this phrase {why}, so it needs quotes");
        mends(&whole(phrase), "RC0108", phrase, &message, &format!("write `{meant}`"), &whole(meant));
    }
}

#[test]
fn a_second_action_without_its_then() {
    let text = "rule r\n  when a\n  then suggest f, g\n";
    let mended = "rule r\n  when a\n  then suggest f then suggest g\n";
    let help = "give each action its `then`: `then suggest g`";
    mends(text, "RC0101", ",", "`,` joins no actions", help, mended);
    let text = "rule r\n  when a\n  then suggest f and avoid g\n";
    let mended = "rule r\n  when a\n  then suggest f then avoid g\n";
    mends(text, "RC0101", "and", "`and` joins no actions", "give each action its `then`: `then avoid`", mended);
}

#[test]
fn below_a_misspelt_declaration_mistakes_are_found_too() {
    let (_, found) = read("rul foo\n  when a\n  then sugest f\n");
    let codes: Vec<&str> = found.iter().map(|it| it.code.0).collect();
    assert_eq!(codes, ["RC0102", "RC0101"]);
}

#[test]
fn brackets() {
    says(&when("(a and b"), "RC0107", "(", "this `(` is not closed", "write `)` where it ends");
    says(&when("a)"), "RC0107", ")", "this `)` closes nothing", "delete it");
    says(&when("a in [b, c"), "RC0107", "[", "this `[` is not closed", "write `]` where it ends");
}

#[test]
fn misspelt_words() {
    mends(
        "probelm x\n",
        "RC0102",
        "probelm",
        "`probelm` begins no declaration",
        "did you mean `problem`?",
        "problem x\n",
    );
    mends(
        "fix x\n  titel \"a\"\n",
        "RC0104",
        "titel",
        "`titel` begins no clause of a fix",
        "did you mean `title`?",
        "fix x\n  title \"a\"\n",
    );
    mends(
        "when a then sugest b\n",
        "RC0101",
        "sugest",
        "expected `avoid`, `conclude`, `diagnose`, `suggest` or `suspect`, found `sugest`",
        "did you mean `suggest`?",
        "when a then suggest b\n",
    );
    mends(
        "fact x: verison\n",
        "RC0119",
        "verison",
        "`verison` is no type",
        "did you mean `version`?",
        "fact x: version\n",
    );
    mends(
        "line run \"{a: siez}\"\n",
        "RC0110",
        "siez",
        "`siez` is no type of a hole",
        "did you mean `size`?",
        "line run \"{a: size}\"\n",
    );
    mends(
        "rule My_Rule\n  when a\n  then suggest b\n",
        "RC0113",
        "My_Rule",
        "`My_Rule` is no name",
        "names are lower-case words joined by `-`: `my-rule`",
        "rule my-rule\n  when a\n  then suggest b\n",
    );
    mends(
        "when a suggest b\n",
        "RC0101",
        "suggest",
        "`then` is missing before `suggest`",
        "write `then suggest`",
        "when a then suggest b\n",
    );
}

#[test]
fn indentation() {
    mends(
        "rule a\n  when b\nthen suggest c\n",
        "RC0103",
        "then",
        "`then` begins no declaration",
        "indent this line: only declarations begin in column 1",
        "rule a\n  when b\n  then suggest c\n",
    );
    mends(
        "rule a\nwhen b\n  then suggest c\n",
        "RC0103",
        "when",
        "this `when` belongs to the rule above it",
        "indent this line: only declarations begin in column 1",
        "rule a\n  when b\n  then suggest c\n",
    );
    mends(
        "  fix a\n  title \"b\"\n",
        "RC0103",
        "fix",
        "`fix` begins a declaration",
        "move this line to column 1",
        "fix a\n  title \"b\"\n",
    );
    mends(
        "rule a\n  when b\n  and c\n  then suggest d\n",
        "RC0103",
        "and",
        "`and` begins no clause",
        "indent this line deeper than the clause above, if it goes on that clause",
        "rule a\n  when b\n    and c\n  then suggest d\n",
    );
}

#[test]
fn texts() {
    says(
        "fix a\n  title \"b\n",
        "RC0105",
        "\"b",
        "this text is not closed",
        "write `\"` behind its last word, or `\"\"\"` before and behind a text of several lines",
    );
    says(
        "fix a\n  title \"C:\\\"\n",
        "RC0105",
        "\"C:\\\"",
        "this text is not closed",
        "write `\\\\` for a backslash before the closing quote: `\\\"` is a quote in the text",
    );
    mends(
        "fix a\n  title “b”\n",
        "RC0120",
        "“b”",
        "a text does not stand in `“`",
        "write `\"` before and behind it",
        "fix a\n  title \"b\"\n",
    );
    mends(
        "fix a\n  title b c\n",
        "RC0101",
        "b c",
        "this text needs quotes",
        "write `\"` before and behind it",
        "fix a\n  title \"b c\"\n",
    );
    mends(
        "fix a\n  do \"\"\"\n    b\nc\n    \"\"\"\n",
        "RC0106",
        "c",
        "a line of a `\"\"\"` text begins in column 1",
        "indent every line of the text: what stands in column 1 begins a declaration",
        "fix a\n  do \"\"\"\n    b\n  c\n    \"\"\"\n",
    );
    says(
        "fix a\n  do \"\"\"\n    b\n\nfix c\n",
        "RC0105",
        "\"\"\"",
        "this text is not closed",
        "write `\"\"\"` behind its last line, indented like the clause",
    );
}

#[test]
fn a_mistake_spoils_its_clause_alone() {
    let text = "\
problem a
  titel \"x\"
  category b
  severity

rule c
  when d ==
  then suggest e

fix f
  title \"g
  do \"h\"

when i then suggest j
";
    let (file, found) = read(text);
    let mut lines: Vec<_> = found.iter().map(|it| Source::new("x", text).position(it.place().1.start).line).collect();
    lines.sort_unstable();
    assert_eq!(lines, [2, 4, 7, 11]);
    let partial: Vec<_> = file.declarations.iter().map(|it| it.partial).collect();
    // The problem, the rule and the fix lack clauses, and say so.
    assert_eq!(partial, [true, true, true, false]);
}
