//! Regular expressions: what of Rust's syntax may stand in a rule, and with which meaning.
//!
//! Case, words, digits and white space are ASCII, as everywhere in patterns: `\w`, `\d`, `\s` and `\b` are, and so is
//! what `i` ignores. `.` and classes speak of characters.

use std::ops::RangeInclusive;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use regex::{Regex, RegexBuilder};
use regex_syntax::ast::{self, Ast};
use regex_syntax::hir::{Class, Hir, HirKind};
use serde::{Deserialize, Serialize};

use super::literal::is_space;
use super::machine::{Machine, Room};
use super::{Captured, Hit};
use crate::value::Value;

/// Expressions that would need more bytes than this when compiled are refused, unless they are short programs.
const LARGEST: usize = 1 << 20;
/// The same for those that are: a class of characters may need many bytes.
const LARGEST_SHORT: usize = 16 << 20;
/// Groups nest at most this deep.
const DEEPEST: u32 = 128;
/// An expression that was run on so many bytes is worth what it costs to compile it for speed.
const HEAVY: usize = 64 << 10;

/// An expression that is ready to run.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Expression {
    /// As `regex` takes it.
    narrowed: String,
    machine: Option<Machine>,
    /// Named groups, by their number among all groups.
    pub(super) groups: Vec<usize>,
    /// How many lines a match may span.
    pub(super) reach: Reach,
    #[serde(skip)]
    heavy: Heavy,
}

/// What long texts are searched with.
#[derive(Debug, Default)]
struct Heavy {
    /// Bytes it was run on.
    bytes: AtomicUsize,
    regex: OnceLock<Result<Regex, String>>,
}

impl Expression {
    pub(super) fn new(source: &str, insensitive: bool) -> Result<Self, String> {
        let tree = parse(source, insensitive)?;
        let hir = translate(&tree, source)?;
        let mut groups = Vec::new();
        named_groups(&hir, &mut groups);
        let machine = Machine::new(&hir, &groups);
        let reach = Reach::of(&hir);
        let expression = Self { narrowed: tree.to_string(), machine, groups, reach, heavy: Heavy::default() };
        if expression.machine.is_none()
            && let Err(fault) = expression.regex()
        {
            return Err(fault.clone());
        }
        Ok(expression)
    }

    fn regex(&self) -> &Result<Regex, String> {
        let largest = if self.machine.is_some() { LARGEST_SHORT } else { LARGEST };
        self.heavy.regex.get_or_init(|| {
            RegexBuilder::new(&self.narrowed)
                .multi_line(true)
                .size_limit(largest)
                .dfa_size_limit(LARGEST)
                .nest_limit(DEEPEST * 2)
                .build()
                .map_err(|error| first_line(&error))
        })
    }

    /// Says that it is about to be run on so many bytes.
    pub(super) fn announce(&self, bytes: usize) {
        self.heavy.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// The first match that begins at a place or behind it.
    pub(super) fn find_at(&self, text: &str, at: usize, room: &mut Room) -> Option<Hit> {
        if let Some(machine) = self.light(text.len().saturating_sub(at)) {
            return find_by(machine, text, at..=text.len(), room);
        }
        match self.regex() {
            Ok(regex) => self.find_with(regex, text, at),
            Err(_) => find_by(self.machine.as_ref()?, text, at..=text.len(), room),
        }
    }

    /// The match that begins at a place; `Err` where it costs less to look for all of the expression's matches at once.
    pub(super) fn match_at(&self, text: &str, at: usize, room: &mut Room) -> Result<Option<Hit>, ()> {
        let machine = self.light(text.len().saturating_sub(at)).ok_or(())?;
        Ok(find_by(machine, text, at..=at, room))
    }

    /// What short texts are searched with.
    fn light(&self, bytes: usize) -> Option<&Machine> {
        let is_heavy = self.heavy.bytes.load(Ordering::Relaxed) >= HEAVY;
        self.machine.as_ref().filter(|machine| !is_heavy && machine.fits(bytes))
    }

    fn find_with(&self, regex: &Regex, text: &str, at: usize) -> Option<Hit> {
        if self.groups.is_empty() {
            return Some(Hit { span: regex.find_at(text, at)?.range(), captures: Vec::new() });
        }
        let found = regex.captures_at(text, at)?;
        let group = |&index: &usize| {
            found.get(index).map(|group| Captured { value: Value::text(group.as_str()), span: group.range() })
        };
        Some(Hit { span: found.get(0)?.range(), captures: self.groups.iter().map(group).collect() })
    }
}

fn find_by(machine: &Machine, text: &str, starts: RangeInclusive<usize>, room: &mut Room) -> Option<Hit> {
    if machine.find_at(text, starts, room) { hit_of(text, &room.slots) } else { None }
}

/// What a machine recorded.
fn hit_of(text: &str, slots: &[Option<usize>]) -> Option<Hit> {
    let (pairs, _) = slots.as_chunks::<2>();
    let mut spans = pairs.iter().map(|&[start, end]| Some(start?..end?));
    let span = spans.next().flatten()?;
    let captured = |span: std::ops::Range<usize>| {
        let value = Value::text(text.get(span.clone()).unwrap_or_default());
        Captured { value, span }
    };
    Some(Hit { span, captures: spans.map(|span| span.map(captured)).collect() })
}

/// The numbers of the named groups, in order.
fn named_groups(hir: &Hir, into: &mut Vec<usize>) {
    match hir.kind() {
        HirKind::Capture(capture) => {
            if capture.name.is_some() {
                into.push(capture.index as usize);
            }
            named_groups(&capture.sub, into);
        }
        HirKind::Repetition(repetition) => named_groups(&repetition.sub, into),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().for_each(|part| named_groups(part, into)),
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) | HirKind::Look(_) => {}
    }
}

/// Says why a text between slashes is no regular expression of this language, in words for the maintainer.
///
/// # Errors
/// What is wrong with it.
pub fn check_expression(source: &str, insensitive: bool) -> Result<(), String> {
    Expression::new(source, insensitive).map(|_| ())
}

/// The tree of an expression, for finding its literals: case as written.
pub(super) fn literal_tree(source: &str) -> Option<Hir> {
    translate(&parse(source, false).ok()?, source).ok()
}

fn parse(source: &str, insensitive: bool) -> Result<Ast, String> {
    let mut tree = ast::parse::ParserBuilder::new()
        .nest_limit(DEEPEST)
        .build()
        .parse(source)
        .map_err(|error| error.kind().to_string())?;
    narrow(&mut tree, insensitive)?;
    Ok(tree)
}

fn translate(tree: &Ast, source: &str) -> Result<Hir, String> {
    let mut translator = regex_syntax::hir::translate::TranslatorBuilder::new().multi_line(true).build();
    translator.translate(source, tree).map_err(|error| error.kind().to_string())
}

fn first_line(error: &regex::Error) -> String {
    match error {
        regex::Error::CompiledTooBig(_) => "the regular expression is too large".to_owned(),
        _ => error.to_string().lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned(),
    }
}

/// Makes classes, word boundaries and case ASCII.
fn narrow(tree: &mut Ast, insensitive: bool) -> Result<(), String> {
    match tree {
        Ast::Flags(_) => return Err(NO_FLAGS.to_owned()),
        Ast::Group(group) => {
            if group.flags().is_some_and(|flags| !flags.items.is_empty()) {
                return Err(NO_FLAGS.to_owned());
            }
            narrow(&mut group.ast, insensitive)?;
        }
        Ast::Repetition(repetition) => narrow(&mut repetition.ast, insensitive)?,
        Ast::Alternation(list) => list.asts.iter_mut().try_for_each(|item| narrow(item, insensitive))?,
        Ast::Concat(list) => list.asts.iter_mut().try_for_each(|item| narrow(item, insensitive))?,
        Ast::ClassUnicode(_) => {
            return Err("classes of Unicode (`\\p`) are not available; name the characters".to_owned());
        }
        Ast::ClassPerl(class) => {
            let item = ast::ClassSetItem::Ascii(ascii(class));
            *tree = bracketed(class.span, item);
        }
        Ast::ClassBracketed(class) => narrow_set(&mut class.kind, insensitive)?,
        Ast::Literal(literal) if insensitive => {
            let span = literal.span;
            if let Some(both) = both_cases(literal) {
                *tree = bracketed(span, both);
            }
        }
        Ast::Assertion(assertion) => {
            use ast::AssertionKind::{EndLine, EndText, StartLine, StartText};
            if !matches!(assertion.kind, StartLine | EndLine | StartText | EndText) {
                *tree = without_unicode(assertion.span, Ast::Assertion(assertion.clone()));
            }
        }
        Ast::Empty(_) | Ast::Dot(_) | Ast::Literal(_) => {}
    }
    Ok(())
}

const NO_FLAGS: &str = "`i` behind the closing slash is the only flag";

fn narrow_set(set: &mut ast::ClassSet, insensitive: bool) -> Result<(), String> {
    match set {
        ast::ClassSet::Item(item) => narrow_item(item, insensitive),
        ast::ClassSet::BinaryOp(operation) => {
            narrow_set(&mut operation.lhs, insensitive)?;
            narrow_set(&mut operation.rhs, insensitive)
        }
    }
}

fn narrow_item(item: &mut ast::ClassSetItem, insensitive: bool) -> Result<(), String> {
    use ast::ClassSetItem::{Ascii, Bracketed, Empty, Literal, Perl, Range, Unicode, Union};
    match item {
        Perl(class) => *item = Ascii(ascii(class)),
        Unicode(_) => return Err("classes of Unicode (`\\p`) are not available; name the characters".to_owned()),
        Bracketed(class) => narrow_set(&mut class.kind, insensitive)?,
        Union(union) => union.items.iter_mut().try_for_each(|item| narrow_item(item, insensitive))?,
        Ascii(class)
            if insensitive && matches!(class.kind, ast::ClassAsciiKind::Lower | ast::ClassAsciiKind::Upper) =>
        {
            class.kind = ast::ClassAsciiKind::Alpha;
        }
        Literal(literal) if insensitive => {
            if let Some(both) = both_cases(literal) {
                *item = both;
            }
        }
        Range(range) if insensitive => *item = range_in_both_cases(range),
        Ascii(_) | Empty(_) | Literal(_) | Range(_) => {}
    }
    Ok(())
}

fn ascii(class: &ast::ClassPerl) -> ast::ClassAscii {
    let kind = match class.kind {
        ast::ClassPerlKind::Digit => ast::ClassAsciiKind::Digit,
        ast::ClassPerlKind::Space => ast::ClassAsciiKind::Space,
        ast::ClassPerlKind::Word => ast::ClassAsciiKind::Word,
    };
    ast::ClassAscii { span: class.span, kind, negated: class.negated }
}

fn bracketed(span: ast::Span, item: ast::ClassSetItem) -> Ast {
    Ast::class_bracketed(ast::ClassBracketed { span, negated: false, kind: ast::ClassSet::Item(item) })
}

fn both_cases(literal: &ast::Literal) -> Option<ast::ClassSetItem> {
    let other = swap_case(literal.c)?;
    let other = ast::Literal { span: literal.span, kind: ast::LiteralKind::Verbatim, c: other };
    let items = vec![ast::ClassSetItem::Literal(literal.clone()), ast::ClassSetItem::Literal(other)];
    Some(ast::ClassSetItem::Union(ast::ClassSetUnion { span: literal.span, items }))
}

fn swap_case(c: char) -> Option<char> {
    if c.is_ascii_uppercase() {
        Some(c.to_ascii_lowercase())
    } else {
        c.is_ascii_lowercase().then(|| c.to_ascii_uppercase())
    }
}

/// A range and the letters of the other case that it reaches.
fn range_in_both_cases(range: &ast::ClassSetRange) -> ast::ClassSetItem {
    let mut items = vec![ast::ClassSetItem::Range(range.clone())];
    for (first, last) in [('a', 'z'), ('A', 'Z')] {
        let (from, to) = (range.start.c.max(first), range.end.c.min(last));
        if let (true, Some(from), Some(to)) = (from <= to, swap_case(from), swap_case(to)) {
            let literal = |c| ast::Literal { span: range.span, kind: ast::LiteralKind::Verbatim, c };
            items.push(ast::ClassSetItem::Range(ast::ClassSetRange {
                span: range.span,
                start: literal(from),
                end: literal(to),
            }));
        }
    }
    ast::ClassSetItem::Union(ast::ClassSetUnion { span: range.span, items })
}

/// `(?-u:…)`
fn without_unicode(span: ast::Span, inner: Ast) -> Ast {
    let item = |kind| ast::FlagsItem { span, kind };
    let items = vec![item(ast::FlagsItemKind::Negation), item(ast::FlagsItemKind::Flag(ast::Flag::Unicode))];
    Ast::group(ast::Group {
        span,
        kind: ast::GroupKind::NonCapturing(ast::Flags { span, items }),
        ast: Box::new(inner),
    })
}

/// How far a match reaches beyond its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Reach {
    /// Over so many runs of white space, each of which may hold line ends.
    Spaces(u32),
    /// Over anything.
    Far,
}

impl Reach {
    fn of(hir: &Hir) -> Self {
        let sum = |parts: &[Hir]| parts.iter().map(Self::of).fold(Self::Spaces(0), Self::and);
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => Self::Spaces(0),
            HirKind::Literal(_) | HirKind::Class(_) if is_space(hir) => Self::Spaces(1),
            HirKind::Literal(literal) => Self::far_if(literal.0.contains(&b'\n')),
            HirKind::Class(Class::Unicode(class)) => {
                Self::far_if(class.ranges().iter().any(|range| range.start() <= '\n' && '\n' <= range.end()))
            }
            HirKind::Class(Class::Bytes(class)) => {
                Self::far_if(class.ranges().iter().any(|range| range.start() <= b'\n' && b'\n' <= range.end()))
            }
            HirKind::Repetition(repetition) if is_space(&repetition.sub) => Self::Spaces(1),
            HirKind::Repetition(repetition) => match (Self::of(&repetition.sub), repetition.max) {
                (Self::Spaces(0), _) => Self::Spaces(0),
                (Self::Spaces(each), Some(times)) => Self::Spaces(each.saturating_mul(times)),
                _ => Self::Far,
            },
            HirKind::Capture(capture) => Self::of(&capture.sub),
            // The sum is enough for an alternation, too.
            HirKind::Concat(parts) | HirKind::Alternation(parts) => sum(parts),
        }
    }

    const fn far_if(far: bool) -> Self {
        if far { Self::Far } else { Self::Spaces(0) }
    }

    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Spaces(one), Self::Spaces(other)) => Self::Spaces(one.saturating_add(other)),
            _ => Self::Far,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds(source: &str, insensitive: bool, text: &str) -> Option<String> {
        let expression = Expression::new(source, insensitive).unwrap();
        let found = expression.find_at(text, 0, &mut Room::default());
        expression.announce(HEAVY);
        assert_eq!(found, expression.find_at(text, 0, &mut Room::default()), "{source}");
        found.map(|hit| text.get(hit.span).unwrap().to_owned())
    }

    #[test]
    fn case_words_and_digits_are_ascii() {
        assert_eq!(finds(r"exit code \d+", true, "EXIT Code 137").as_deref(), Some("EXIT Code 137"));
        assert_eq!(finds(r"exit", false, "EXIT"), None);
        assert_eq!(finds(r"[a-f_]+x", true, "zABCX").as_deref(), Some("ABCX"));
        assert_eq!(finds(r"[^a]", true, "A"), None);
        assert_eq!(finds(r"\d", false, "٣"), None);
        assert_eq!(finds(r"\bOOM\b", false, "内OOM存").as_deref(), Some("OOM"));
        assert_eq!(finds(r"O\BM", false, "OM").as_deref(), Some("OM"));
        assert_eq!(finds(r"a.c [内外]", false, "a存c 外").as_deref(), Some("a存c 外"));
        assert_eq!(finds(r"\W", false, "a存").as_deref(), Some("存"));
        assert_eq!(finds(r"^b$", false, "a\nb\nc").as_deref(), Some("b"));
        assert_eq!(finds(r"a.b", false, "a\nb"), None);
    }

    #[test]
    fn what_the_language_lacks_is_said() {
        assert!(Expression::new("(?i)a", false).is_err_and(|error| error.contains("only flag")));
        assert!(Expression::new("(?s:a)", false).is_err_and(|error| error.contains("only flag")));
        assert!(Expression::new(r"\p{Han}", false).is_err_and(|error| error.contains("Unicode")));
        assert!(Expression::new("(?=a)", false).is_err());
        assert!(Expression::new("a{1000}{1000}", false).is_err_and(|error| error.contains("too large")));
        assert!(Expression::new(&"(".repeat(500), false).is_err());
    }

    #[test]
    fn groups_may_have_the_names_of_facts() {
        let expression = Expression::new(r"(x) (?<alloc.reserved_unallocated>\d+)", false).unwrap();
        assert_eq!(expression.groups, [2]);
    }

    #[test]
    fn white_space_reaches_over_lines_and_what_may_be_anything_far() {
        let reach = |source| Expression::new(source, false).unwrap().reach;
        assert_eq!(reach(r"a (?<x>\d+)"), Reach::Spaces(0));
        assert_eq!(reach("a.*b[cd]"), Reach::Spaces(0));
        assert_eq!(reach(r"a\s+b(?:\s*c){2}"), Reach::Spaces(3));
        assert_eq!(reach(r"(?:a\s)*"), Reach::Far);
        assert_eq!(reach("a[^x]"), Reach::Far);
        assert_eq!(reach(r"a\nb"), Reach::Far);
    }

    #[test]
    fn the_machine_and_regex_agree() {
        let mut random = super::super::testing::Random(11);
        let mut found = 0;
        for _ in 0..20_000 {
            let source = expression(&mut random, 3);
            let Ok(expression) = Expression::new(&source, random.below(2) == 0) else { continue };
            let text: String =
                (0..random.below(12)).map(|_| random.pick(&['a', 'b', 'A', '_', ' ', '\n', '存'])).collect();
            let mut room = Room::default();
            for at in (0..=text.len()).filter(|&at| text.is_char_boundary(at)) {
                let Some(machine) = &expression.machine else { panic!("{source} has no machine") };
                let own = find_by(machine, &text, at..=text.len(), &mut room);
                let other = expression.regex().as_ref().ok().and_then(|regex| expression.find_with(regex, &text, at));
                assert_eq!(own, other, "/{source}/ in {text:?} from {at}");
                found += usize::from(own.is_some());
            }
        }
        assert!(found > 1000, "{found}");
    }

    fn expression(random: &mut super::super::testing::Random, depth: usize) -> String {
        const LEAVES: [&str; 16] =
            ["a", "b", "A", "ab", ".", "[ab]", "[^a]", r"\w", r"\s", r"\b", r"\B", "^", "$", "存", "", r"[^\n]"];
        if depth == 0 {
            return random.pick(&LEAVES).to_owned();
        }
        let mut part = || expression(random, depth - 1);
        let (one, two) = (part(), part());
        match random.below(8) {
            0 => format!("(?:{one}|{two})"),
            1 => format!("(?<x{depth}>{one}){two}"),
            2 => format!("(?:{one}){}{two}", random.pick(&["*", "+", "?", "*?", "+?", "??"])),
            3 => format!("(?:{one}){}", random.pick(&["{2}", "{1,3}", "{0,2}?", "{2,}"])),
            4 => format!("({one}){two}"),
            _ => format!("{one}{two}"),
        }
    }
}
