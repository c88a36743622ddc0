//! The specification's own examples.

#![allow(clippy::panic, reason = "helpers of tests fail by panicking")]

use rulecheck_grammar::{Diagnostics, Source, SourceId, ast, format, parse, print};

const LANGUAGE: &str = include_str!("fixtures/language.rules");

fn read(text: &str) -> ast::File {
    let mut diagnostics = Diagnostics::new();
    let file = parse(&Source::new("language.rules", text), SourceId(0), &mut diagnostics);
    assert!(diagnostics.is_empty(), "{:#?}", diagnostics.iter().next());
    file
}

#[test]
fn every_declaration_of_the_specification_parses() {
    let file = read(LANGUAGE);
    let first_words = LANGUAGE.lines().filter(|it| it.starts_with(|c: char| c.is_ascii_alphabetic()));
    assert_eq!(file.declarations.len(), first_words.count());
}

#[test]
fn formatting_is_idempotent_and_changes_nothing_but_layout() {
    let once = print(&read(LANGUAGE));
    let again = read(&once);
    assert_eq!(print(&again), once);
    // Bare phrases stand in quotes now; all else is as it was.
    let phrases = |file: &ast::File| format!("{:?}", ids(file));
    assert_eq!(phrases(&again), phrases(&read(LANGUAGE)));
}

fn ids(file: &ast::File) -> Vec<String> {
    file.declarations
        .iter()
        .map(|it| match &it.kind {
            ast::DeclarationKind::Rule(rule) => {
                format!("{:?} {}", rule.name.as_ref().map(|it| &it.node), rule.clauses.len())
            }
            kind => strip(&format!("{kind:?}")),
        })
        .collect()
}

/// A tree's debug form without places.
fn strip(text: &str) -> String {
    text.split(|it: char| it.is_ascii_digit()).collect()
}

#[test]
fn the_first_rule_needs_one_line() {
    let line = "when error matches MPS backend out of memory and os = macos >= 14.5 then suggest force-upcast-attention priority 3";
    let file = read(line);
    let [ast::Declaration { kind: ast::DeclarationKind::Rule(rule), partial: false, .. }] =
        file.declarations.as_slice()
    else {
        panic!("{file:#?}")
    };
    assert_eq!(rule.name, None);
    let [when, then] = rule.clauses.as_slice() else { panic!("{rule:#?}") };
    let ast::RuleClause::When(ast::Expr { kind: ast::ExprKind::And(parts), .. }) = &when.kind else {
        panic!("{when:#?}")
    };
    let [matches, compare] = parts.as_slice() else { panic!("{parts:#?}") };
    let ast::ExprKind::Matches { matching, .. } = &matches.kind else { panic!("{matches:#?}") };
    let parts = vec![ast::PhrasePart::Literal("MPS backend out of memory".to_owned())];
    assert_eq!(matching.node.patterns[0].node, ast::Pattern::Phrase { parts, quoted: false });
    assert!(matches!(&compare.kind, ast::ExprKind::Compare { version: Some(_), .. }));
    let ast::RuleClause::Then(action) = &then.kind else { panic!("{then:#?}") };
    assert!(matches!(&action.kind.node, ast::ActionKind::Suggest(_, Some(priority)) if priority.node == 3));
}

fn layout(text: &str) -> String {
    let mut diagnostics = Diagnostics::new();
    let text = format(&Source::new("x.rules", text), SourceId(0), &mut diagnostics);
    text.unwrap_or_else(|| panic!("{:#?}", diagnostics.iter().next()))
}

#[test]
fn comments_and_blank_lines_stay() {
    let text = "\
# above

rule a  # beside
  # before
  when x  # one
    # within
    and y  # two

  then suggest b
  # behind
# below


when c then suggest d
# end
";
    let want = "\
# above

rule a  # beside
  # before
  # within
  when x and y  # one

  then suggest b
  # behind
# below

when c then suggest d
# end
";
    assert_eq!(layout(text).replace("  # two\n", ""), want);
    assert_eq!(layout(&layout(text)), layout(text));
    assert!(layout(text).contains("# two"));
}

#[test]
fn long_conditions_break_before_their_words() {
    let part = "error matches \"some rather long phrase\"";
    let text = format!("rule a\n  when {part} and {part} or not ({part} and {part})\n  then suggest b\n");
    let want = format!("rule a\n  when {part} and {part}\n    or not ({part} and {part})\n  then suggest b\n");
    assert_eq!(layout(&text), want);
}

#[test]
fn brackets_that_say_nothing_go() {
    let text = "when ((a and (b and c)) or (not (d))) and (e + (f * g)) > (h - (i - j)) then suggest x";
    assert_eq!(layout(text), "when (a and b and c or not d) and e + f * g > h - (i - j) then suggest x\n");
}

#[test]
fn white_space_of_all_kinds_separates() {
    let text = "\u{feff}rule a\r\n\u{3000}when\u{a0}x = 1\u{3000}and y\r\n\tthen suggest b # c\r\n";
    assert_eq!(layout(text), "rule a\n  when x = 1 and y\n  then suggest b  # c\n");
}

#[test]
fn comments_begin_behind_white_space_only() {
    let text = "when x = a#b and log matches /a #b/ and log matches \"c #d\" then suggest y # e\n";
    let mut diagnostics = Diagnostics::new();
    assert_eq!(format(&Source::new("x", text), SourceId(0), &mut diagnostics), None);
    let text = text.replace("a#b", "ab");
    let want = "when x = ab and log matches /a #b/ and log matches \"c #d\" then suggest y  # e\n";
    assert_eq!(layout(&text), want);
}

#[test]
fn a_translation_may_begin_a_line() {
    let text = "fix a\n  title \"b\"\n  zh \"c\"\n  risk low \"d\"\n    zh \"e\"\n";
    assert_eq!(layout(text), "fix a\n  title \"b\" zh \"c\"\n  risk low \"d\" zh \"e\"\n");
}
