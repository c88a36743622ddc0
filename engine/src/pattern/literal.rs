//! Which literals a match must hold.
//!
//! Literals are folded as the scanned text is: lower case, one space for a run of white space.

use std::collections::HashMap;

use regex_syntax::hir::{Class, Hir, HirKind};
use serde::{Deserialize, Serialize};

use super::expression::literal_tree;
use super::parts::{fold_into, is_far_letter};
use crate::ir::{Pattern, PhrasePart};

/// A longer literal is cut: no text needs so much to be told from others.
pub(super) const LONGEST: usize = 200;
/// A literal of this many patterns is common: rather a shorter one of fewer.
const COMMON: u32 = 16;
/// A literal of this length says much, one below half of it is found everywhere.
const TELLING: usize = 8;

/// Where in its pattern a literal stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Place {
    /// A match begins with it.
    First,
    /// In a phrase, behind other parts that hold this many runs of white space.
    Inside(u32),
    /// Somewhere in a regular expression.
    Anywhere,
}

/// Literals one of which each match holds.
#[derive(Debug, Clone)]
struct Choice {
    literals: Vec<Vec<u8>>,
    place: Place,
}

/// For each pattern, the literals one of which each of its matches holds; none for a pattern without.
pub(super) fn choose<'p>(patterns: impl Iterator<Item = &'p Pattern>) -> Vec<Option<(Vec<Vec<u8>>, Place)>> {
    let mut choices: Vec<Vec<Choice>> = patterns.map(choices_of).collect();
    let mut shared: HashMap<&[u8], u32> = HashMap::new();
    for literal in choices.iter().filter(|all| all.len() > 1).flatten().flat_map(|choice| &choice.literals) {
        *shared.entry(literal).or_default() += 1;
    }
    let best: Vec<Option<usize>> = choices
        .iter()
        .map(|all| (0..all.len()).min_by_key(|&index| all.get(index).map(|choice| rank(choice, &shared))))
        .collect();
    drop(shared);
    let mut taken = Vec::with_capacity(choices.len());
    for (all, best) in choices.iter_mut().zip(best) {
        let choice = best.filter(|&index| index < all.len()).map(|index| all.swap_remove(index));
        taken.push(choice.map(|choice| (choice.literals, choice.place)));
    }
    taken
}

/// The least is the best: telling, not common, then the longest.
fn rank(choice: &Choice, shared: &HashMap<&[u8], u32>) -> (u8, bool, std::cmp::Reverse<usize>) {
    let shortest = choice.literals.iter().map(Vec::len).min().unwrap_or(0);
    let most = choice.literals.iter().filter_map(|literal| shared.get(literal.as_slice())).max().copied().unwrap_or(0);
    let poor = u8::from(shortest < TELLING) + u8::from(shortest < TELLING / 2);
    (poor, most > COMMON, std::cmp::Reverse(shortest))
}

fn choices_of(pattern: &Pattern) -> Vec<Choice> {
    match pattern {
        Pattern::Phrase(parts) => of_phrase(parts),
        Pattern::Regex { source, .. } => {
            let mut sets = Vec::new();
            let tree = literal_tree(source);
            if let Some(tree) = &tree {
                collect(tree, &mut sets);
            }
            // A single byte stands on every line: the expression itself finds it faster.
            sets.retain(|set: &Vec<Vec<u8>>| !set.is_empty() && set.iter().all(|literal| literal.len() > 1));
            let first = tree.as_ref().and_then(first_literals).unwrap_or_default();
            let begins = |set: &[Vec<u8>]| first.iter().all(|first| set.iter().any(|own| first.starts_with(own)));
            let place = |set: &[Vec<u8>]| {
                if !first.is_empty() && begins(set) { Place::First } else { Place::Anywhere }
            };
            sets.into_iter().map(|literals| Choice { place: place(&literals), literals }).collect()
        }
    }
}

fn of_phrase(parts: &[PhrasePart]) -> Vec<Choice> {
    let mut choices = Vec::new();
    let mut place = Place::First;
    let mut spaces = 0;
    let mut run = Vec::new();
    let mut finish = |run: &mut Vec<u8>, place: Place| -> u32 {
        let literal = run.trim_ascii();
        let own_place = match place {
            Place::Inside(spaces) if run.first() == Some(&b' ') => Place::Inside(spaces + 1),
            place => place,
        };
        let spaces = run.iter().filter(|&&byte| byte == b' ').count();
        if !literal.is_empty() {
            choices.push(Choice { literals: vec![cut(literal).to_vec()], place: own_place });
        }
        run.clear();
        u32::try_from(spaces).unwrap_or(u32::MAX)
    };
    for (index, part) in parts.iter().enumerate() {
        if let PhrasePart::Literal(text) = part {
            // Letters beyond ASCII are not folded in the text, so literals end at them.
            for (number, piece) in text.split(is_far_letter).enumerate() {
                if number > 0 {
                    spaces = finish(&mut run, place).saturating_add(spaces);
                    place = Place::Inside(spaces);
                }
                fold_into(&mut run, piece);
            }
            continue;
        }
        spaces = finish(&mut run, place).saturating_add(spaces);
        // A gap at the beginning is no part of the match.
        if index > 0 || !matches!(part, PhrasePart::Any) {
            place = Place::Inside(spaces);
        }
    }
    finish(&mut run, place);
    choices
}

/// The first bytes of a literal that is too long, never a part of a character or a space at the end.
fn cut(literal: &[u8]) -> &[u8] {
    let mut end = literal.len().min(LONGEST);
    while literal.get(end).is_some_and(|&byte| byte & 0xC0 == 0x80) {
        end -= 1;
    }
    literal.get(..end).unwrap_or(literal).trim_ascii_end()
}

/// All sets of literals of an expression of which each match holds one.
fn collect(tree: &Hir, sets: &mut Vec<Vec<Vec<u8>>>) {
    match tree.kind() {
        HirKind::Concat(parts) => {
            let mut run = Vec::new();
            for part in parts {
                if !extend(&mut run, part) {
                    push_run(&mut run, sets);
                    collect(part, sets);
                }
            }
            push_run(&mut run, sets);
        }
        HirKind::Capture(capture) => collect(&capture.sub, sets),
        HirKind::Repetition(repetition) if repetition.min > 0 => collect(&repetition.sub, sets),
        HirKind::Literal(_) => {
            let mut run = Vec::new();
            extend(&mut run, tree);
            push_run(&mut run, sets);
        }
        HirKind::Alternation(branches) => {
            let mut all = Vec::new();
            for branch in branches {
                let mut own = Vec::new();
                collect(branch, &mut own);
                let Some(best) = own.into_iter().max_by_key(|set| set.iter().map(Vec::len).min()) else { return };
                all.extend(best);
            }
            sets.push(all);
        }
        HirKind::Empty | HirKind::Look(_) | HirKind::Class(_) | HirKind::Repetition(_) => {}
    }
}

/// Literals one of which each match begins with; `None` where that cannot be said.
fn first_literals(tree: &Hir) -> Option<Vec<Vec<u8>>> {
    let parts = match tree.kind() {
        HirKind::Concat(parts) => parts.as_slice(),
        HirKind::Alternation(branches) => {
            let all = branches.iter().map(first_literals).collect::<Option<Vec<_>>>()?;
            return Some(all.concat());
        }
        HirKind::Capture(capture) => return first_literals(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => return first_literals(&repetition.sub),
        _ => std::slice::from_ref(tree),
    };
    let mut run = Vec::new();
    let rest = parts.iter().position(|part| !extend(&mut run, part));
    match run.first() {
        Some(b' ') => None,
        Some(_) => Some(vec![run]),
        None if parts.len() > 1 => first_literals(parts.get(rest?)?),
        None => None,
    }
}

/// Adds a literal, or white space that is at least one character, to a run. False if the part is neither.
fn extend(run: &mut Vec<u8>, part: &Hir) -> bool {
    match part.kind() {
        HirKind::Literal(literal) => match std::str::from_utf8(&literal.0) {
            Ok(text) => fold_into(run, text),
            Err(_) => return false,
        },
        HirKind::Repetition(repetition) if repetition.min > 0 && is_space(&repetition.sub) => fold_into(run, " "),
        HirKind::Class(_) if is_space(part) => fold_into(run, " "),
        HirKind::Look(_) => {}
        _ => return false,
    }
    true
}

pub(super) fn is_space(part: &Hir) -> bool {
    match part.kind() {
        HirKind::Literal(literal) => literal.0.iter().all(|&byte| matches!(byte, b' ' | b'\t'..=b'\r')),
        HirKind::Class(Class::Unicode(class)) => {
            let ranges = class.ranges();
            let mut all = ranges.iter().map(|range| (range.start(), range.end()));
            !ranges.is_empty() && all.all(|(start, end)| (start == ' ' && end == ' ') || ('\t' <= start && end <= '\r'))
        }
        _ => false,
    }
}

fn push_run(run: &mut Vec<u8>, sets: &mut Vec<Vec<Vec<u8>>>) {
    let literal = cut(run.trim_ascii());
    if !literal.is_empty() {
        sets.push(vec![literal.to_vec()]);
    }
    run.clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn regex_sets(source: &str) -> Vec<Vec<String>> {
        let mut sets = Vec::new();
        collect(&literal_tree(source).unwrap(), &mut sets);
        sets.into_iter()
            .map(|set| set.into_iter().map(|literal| String::from_utf8(literal).unwrap()).collect())
            .collect()
    }

    #[test]
    fn expressions_give_what_each_match_must_hold() {
        assert_eq!(
            regex_sets(r"Tried to allocate ([0-9.]+) (GiB|MiB) for X"),
            [vec!["tried to allocate"], vec!["gib", "mib"], vec!["for x"]]
        );
        assert_eq!(regex_sets(r"out\s+of\s+memory"), [["out of memory"]]);
        assert_eq!(regex_sets(r"a*b?"), Vec::<Vec<String>>::new());
        assert_eq!(regex_sets(r"(?:abc|d*)x"), [["x"]]);
        assert_eq!(regex_sets(r"\bWinError\b 126"), [["winerror 126"]]);
    }

    #[test]
    fn a_match_may_begin_with_its_literal() {
        let place = |source: &str| {
            let pattern = Pattern::Regex { source: source.into(), insensitive: false, groups: Vec::new() };
            choose([pattern].iter())[0].as_ref().map(|(_, place)| *place)
        };
        assert_eq!(place(r"\bTried to\s+allocate \d+"), Some(Place::First));
        assert_eq!(place(r"(?:clip_name|unet_name): \d"), Some(Place::First));
        assert_eq!(place(r"\d+ Tried to"), Some(Place::Anywhere));
        assert_eq!(place(r"(?:clip_name|\d+unet_name): x"), Some(Place::Anywhere));
        assert_eq!(place(r"(?:abc )?Tried to"), Some(Place::Anywhere));
        assert_eq!(place(r"\s+Tried to"), Some(Place::Anywhere));
        assert_eq!(place(r"ab.*Tried to allocate"), Some(Place::Anywhere));
    }

    #[test]
    fn phrases_give_their_runs() {
        let parts = [
            PhrasePart::Any,
            PhrasePart::Literal("MPS  Backend ".into()),
            PhrasePart::Any,
            PhrasePart::Literal(" out of\u{3000}memory".into()),
        ];
        let found: Vec<_> =
            of_phrase(&parts).into_iter().map(|choice| (choice.literals.concat(), choice.place)).collect();
        assert_eq!(found, [(b"mps backend".to_vec(), Place::First), (b"out of memory".to_vec(), Place::Inside(3))]);
    }

    #[test]
    fn a_common_literal_gives_way_to_a_rarer_one() {
        let patterns: Vec<Pattern> = (0..20)
            .map(|n| {
                let own = format!(" for own{n:02}");
                Pattern::Phrase(vec![
                    PhrasePart::Literal("Tried to allocate ".into()),
                    PhrasePart::Hole(crate::ir::Hole::Size),
                    PhrasePart::Literal(own.into()),
                ])
            })
            .collect();
        let chosen = choose(patterns.iter());
        assert_eq!(chosen[3].as_ref().unwrap().0, [b"for own03".to_vec()]);
    }
}
