//! Cuts a file into declarations at column 1, and these into clauses by indentation, so that a mistake stays where it
//! is. Quotes, brackets and comments are seen here ([`super::scan`]); everything else is left to the grammar.

use std::ops::Range;

use super::cx::{Cx, shown, span};
use super::scan::{Fault, MAX_DEPTH, Scanner, blank_len, word_at};
use super::words::{DECLARATIONS, Kind, OTHER_WORDS, is_clause_word, is_continuing};
use crate::ast::{Trivia, TriviaLine};
use crate::codes;
use crate::nearest::nearest;

/// A declaration, cut into clauses.
pub(super) struct RawDeclaration {
    /// None if its first word declares nothing: then it was reported, and is left out.
    pub(super) kind: Option<Kind>,
    /// The first line and what goes on it, then the clauses. The first one's trivia is the declaration's.
    pub(super) groups: Vec<Group>,
}

/// A clause with the lines that go on it; in a rule perhaps several clauses in a row.
pub(super) struct Group {
    pub(super) start: usize,
    /// One behind its last character that is not white space or comment.
    pub(super) end: usize,
    pub(super) trivia: Trivia,
    /// Where a `then` or `unless` of a rule stands in it.
    pub(super) cuts: Vec<usize>,
    /// Whether it was reported already, and cannot be parsed.
    pub(super) broken: bool,
    /// How far it is indented.
    width: usize,
    /// A comment behind a line that is not its first.
    late_comment: Option<String>,
}

/// A line without its line end.
#[derive(Clone, Copy)]
struct Line {
    start: usize,
    end: usize,
    /// Where its first character stands that is not white space.
    first: usize,
    /// How far it is indented, in columns.
    width: usize,
}

struct Splitter<'c, 'a> {
    cx: &'c mut Cx<'a>,
    scanner: Scanner<'a>,
    declarations: Vec<RawDeclaration>,
    pending: Vec<TriviaLine>,
    /// Where comments and white space of other kinds stand.
    blanks: Vec<Range<usize>>,
    /// Whether the open `"""` was reported already.
    block_reported: bool,
}

/// Cuts a file. Returns its declarations, the comments and blank lines behind the last one, and the places of all
/// comments and of white space other than blanks.
pub(super) fn split(cx: &mut Cx<'_>) -> (Vec<RawDeclaration>, Vec<TriviaLine>, Vec<Range<usize>>) {
    let text = cx.text;
    let scanner = Scanner::new(text);
    let mut splitter = Splitter {
        cx,
        scanner,
        declarations: Vec::new(),
        pending: Vec::new(),
        blanks: Vec::new(),
        block_reported: false,
    };
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        splitter.line(start, line);
        start += line.len();
    }
    splitter.close_declaration();
    let mut pending = splitter.pending;
    if pending.last() == Some(&TriviaLine::Blank) {
        pending.pop();
    }
    (splitter.declarations, pending, splitter.blanks)
}

impl Splitter<'_, '_> {
    fn line(&mut self, start: usize, text: &str) {
        let end = start + text.trim_end_matches(['\n', '\r']).len();
        let line = measure(self.cx.text, start, end);
        if self.scanner.block.is_some() && self.goes_on_block(line) {
            return self.extend(line);
        }
        if !self.cx.slice(line.start, line.first).is_ascii() {
            self.blanks.push(line.start..line.first);
        }
        if line.first == line.end {
            self.blank();
        } else if self.cx.slice(line.first, line.end).starts_with('#') {
            self.comment(line);
        } else if line.width == 0 {
            self.first_column(line);
        } else {
            self.indented(line);
        }
    }

    fn blank(&mut self) {
        let at_start = self.declarations.is_empty() && self.pending.is_empty();
        if !at_start && self.pending.last() != Some(&TriviaLine::Blank) {
            self.pending.push(TriviaLine::Blank);
        }
    }

    /// Behind the last clause of a declaration an indented comment keeps its indentation, since it speaks of that
    /// declaration; before a clause all are indented alike.
    fn comment(&mut self, line: Line) {
        self.blanks.push(line.first..line.end);
        let comment = self.cx.slice(line.first, line.end).trim_end();
        let indent = if line.width > 0 && !self.declarations.is_empty() { "  " } else { "" };
        self.pending.push(TriviaLine::Comment(format!("{indent}{comment}")));
    }

    /// Whether a line belongs to the open `"""`. A line in column 1 does not if it begins a declaration.
    fn goes_on_block(&mut self, line: Line) -> bool {
        if line.width > 0 || line.first == line.end || self.cx.slice(line.start, line.end).starts_with('#') {
            return true;
        }
        let word = word_at(self.cx.text, line.first, line.end);
        if Kind::of(word).is_some() {
            self.close_block();
            return false;
        }
        if !std::mem::replace(&mut self.block_reported, true) {
            let edit = span(line.start, line.start);
            self.report_block_indentation(line, edit);
        }
        true
    }

    fn report_block_indentation(&mut self, line: Line, edit: crate::Span) {
        let opening = self.scanner.block.unwrap_or(line.start);
        let found = self
            .cx
            .error(codes::BLOCK_INDENTATION, "a line of a `\"\"\"` text begins in column 1", span(line.start, line.end))
            .context(self.cx.id, span(opening, opening + 3), "the text begins here")
            .help("indent every line of the text: what stands in column 1 begins a declaration")
            .edit(self.cx.id, edit, "  ");
        self.cx.report(found);
    }

    /// Reports a `"""` that is still open where its declaration ends.
    fn close_block(&mut self) {
        let Some(opening) = self.scanner.block.take() else { return };
        let found = self
            .cx
            .error(codes::UNCLOSED_TEXT, "this text is not closed", span(opening, opening + 3))
            .help("write `\"\"\"` behind its last line, indented like the clause");
        if !self.block_reported {
            self.cx.report(found);
        }
        if let Some(group) = self.group() {
            group.broken = true;
        }
    }

    fn close_declaration(&mut self) {
        self.close_block();
        self.close_group();
        self.block_reported = false;
    }

    /// The last line's comment counts as the clause's where its first line has none.
    fn close_group(&mut self) {
        let Some(group) = self.group() else { return };
        let Some(comment) = group.late_comment.take() else { return };
        if group.trivia.trailing.is_none() {
            group.trivia.trailing = Some(comment);
        } else {
            group.trivia.leading.push(TriviaLine::Comment(comment));
        }
    }

    fn group(&mut self) -> Option<&mut Group> {
        self.declarations.last_mut()?.groups.last_mut()
    }

    fn first_column(&mut self, line: Line) {
        let word = word_at(self.cx.text, line.first, line.end);
        let kind = Kind::of(word);
        if kind.is_some() && !(word == "when" && self.is_after_bare_rule_head()) {
            return self.begin_declaration(kind, line);
        }
        let slashes = self.cx.slice(line.first, line.end).starts_with("//");
        if kind.is_some() || (!slashes && self.is_misplaced_clause(word, line)) {
            self.report_indent(word, line);
            if self.declarations.is_empty() {
                return self.begin_declaration(None, line);
            }
            self.begin_group(line);
            return self.silence_strangers(word);
        }
        if self.cx.slice(line.first, line.end).starts_with("//") {
            return self.comment_in_slashes(line);
        }
        let meant = self.report_unknown_declaration(word, line);
        self.begin_declaration(meant, line);
        if let Some(head) = self.group() {
            head.broken = true;
        }
    }

    fn comment_in_slashes(&mut self, line: Line) {
        let place = span(line.first, line.first + 2);
        let found = self.cx.error(codes::UNKNOWN_DECLARATION, "`//` begins no comment", place);
        self.cx.report(found.help("a comment begins with `#`").edit(self.cx.id, place, "#"));
        self.comment(line);
    }

    /// Whether `rule NAME` stands above and waits for its `when`.
    fn is_after_bare_rule_head(&self) -> bool {
        let Some(RawDeclaration { kind: Some(Kind::Rule), groups }) = self.declarations.last() else { return false };
        let [head] = groups.as_slice() else { return false };
        let text = self.cx.slice(head.start, head.end);
        text.starts_with("rule") && text.split_whitespace().count() == 2 && head.cuts.is_empty()
    }

    /// Whether what stands in column 1 belongs to a clause.
    fn is_misplaced_clause(&self, word: &str, line: Line) -> bool {
        let rest = self.cx.slice(line.first + word.len(), line.end).trim_start();
        match self.cx.slice(line.first, line.end).chars().next() {
            Some('"' | ')' | ']' | ',' | '/' | '(' | '[') => true,
            _ if is_clause_word(word) || is_continuing(word) => true,
            _ => {
                let in_launcher = self.declarations.last().is_some_and(|it| it.kind == Some(Kind::Launcher));
                rest.starts_with('"') && (in_launcher || is_language(word))
            }
        }
    }

    /// Reports a clause in column 1.
    fn report_indent(&mut self, word: &str, line: Line) {
        let place =
            if word.is_empty() { span(line.first, line.first + 1) } else { span(line.first, line.first + word.len()) };
        let message = match word {
            "" => "this begins no declaration".to_owned(),
            "when" => "this `when` belongs to the rule above it".to_owned(),
            _ => format!("{} begins no declaration", shown(word)),
        };
        let found = self
            .cx
            .error(codes::INDENTATION, message, place)
            .label("stands in column 1")
            .help("indent this line: only declarations begin in column 1")
            .edit(self.cx.id, span(line.start, line.start), "  ");
        self.cx.report(found);
    }

    /// A clause that the declaration above it cannot have was reported already.
    fn silence_strangers(&mut self, word: &str) {
        let Some(declaration) = self.declarations.last_mut() else { return };
        let is_known = declaration.kind.is_none_or(|it| it.is_free() || it.clause(word).is_some());
        if let Some(group) = declaration.groups.last_mut().filter(|_| !is_known) {
            group.broken = true;
        }
    }

    /// Returns the kind that was probably meant, so that what is wrong below is found in the same run.
    fn report_unknown_declaration(&mut self, word: &str, line: Line) -> Option<Kind> {
        let width = self.cx.slice(line.first, line.end).chars().next().map_or(0, char::len_utf8);
        let place = span(line.first, line.first + word.len().max(width));
        let names = DECLARATIONS.iter().map(|(it, _)| *it);
        let message = format!("{} begins no declaration", shown(self.cx.at(place)));
        let mut found = self.cx.error(codes::UNKNOWN_DECLARATION, message, place);
        let near = OTHER_WORDS.iter().find(|(it, _)| *it == word).map(|(_, it)| *it).or_else(|| nearest(word, names));
        found = match near {
            Some(near) => found.help(format!("did you mean `{near}`?")).edit(self.cx.id, place, near),
            None => found.help("begin it with `rule`, `when`, `problem`, `fix`, `test`, `fact`, `extract` or another such word; a comment begins with `#`"),
        };
        self.cx.report(found);
        near.and_then(Kind::of)
    }

    fn begin_declaration(&mut self, kind: Option<Kind>, line: Line) {
        self.close_declaration();
        let patterns = matches!(kind, Some(Kind::Section | Kind::Extract | Kind::Line));
        self.scanner.begin_declaration(patterns, kind == Some(Kind::Rule));
        self.declarations.push(RawDeclaration { kind, groups: Vec::new() });
        let leading = std::mem::take(&mut self.pending);
        self.push_group(line, leading);
    }

    fn begin_group(&mut self, line: Line) {
        self.close_block();
        self.close_group();
        self.block_reported = false;
        self.scanner.begin_clause();
        let mut leading = std::mem::take(&mut self.pending);
        for it in &mut leading {
            unindent(it);
        }
        self.push_group(line, leading);
    }

    fn push_group(&mut self, line: Line, leading: Vec<TriviaLine>) {
        let group = Group {
            start: line.first,
            end: line.first,
            trivia: Trivia { leading, trailing: None },
            cuts: Vec::new(),
            broken: false,
            width: line.width,
            late_comment: None,
        };
        if let Some(declaration) = self.declarations.last_mut() {
            declaration.groups.push(group);
        }
        self.scan(line, line.first, true);
    }

    /// Adds a line to the clause above it; comments between them move before the clause.
    fn extend(&mut self, line: Line) {
        let from = if self.scanner.block.is_some() { line.start } else { line.first };
        let pending = std::mem::take(&mut self.pending);
        if let Some(group) = self.group() {
            let late = group.late_comment.take().map(TriviaLine::Comment);
            let comments = late.into_iter().chain(pending).filter(|it| *it != TriviaLine::Blank);
            group.trivia.leading.extend(comments.map(|mut it| {
                unindent(&mut it);
                it
            }));
        }
        self.scan(line, from, false);
    }

    /// Looks at the characters of a line, as the first of the last clause or as one that goes on it.
    fn scan(&mut self, line: Line, from: usize, first: bool) {
        let Some(declaration) = self.declarations.last_mut() else { return };
        let is_known = declaration.kind.is_some();
        let Some(group) = declaration.groups.last_mut() else { return };
        let scan = self.scanner.line(from, line.end, &mut group.cuts, &mut self.blanks);
        group.end = scan.end.max(group.end);
        if let Some(at) = scan.comment {
            self.blanks.push(at..line.end);
            let comment = Some(self.cx.slice(at, line.end).trim_end().to_owned());
            if first {
                group.trivia.trailing = comment;
            } else {
                group.late_comment = comment;
            }
        }
        if let Some(fault) = scan.fault {
            let reported = std::mem::replace(&mut group.broken, true);
            let (start, end) = (group.start, line.end);
            if is_known && !reported {
                self.report_fault(fault, start, end);
            }
        }
    }

    fn report_fault(&mut self, fault: Fault, start: usize, end: usize) {
        let found = match fault {
            Fault::TooDeep(at) => self
                .cx
                .error(codes::TOO_DEEP, format!("brackets nest more than {MAX_DEPTH} deep"), span(at, at + 1))
                .help("split the condition: let rules `conclude` facts for its parts"),
            Fault::UnclosedText(at) => super::mistakes::unclosed_text(self.cx, start, at, end),
        };
        self.cx.report(found);
    }

    fn indented(&mut self, line: Line) {
        let word = word_at(self.cx.text, line.first, line.end);
        let Some(declaration) = self.declarations.last() else { return self.orphan(word, line) };
        let Some(kind) = declaration.kind else { return self.extend(line) };
        if !self.begins_clause(kind, word, line) {
            return self.extend(line);
        }
        let is_clause = kind.is_free() || kind.clause(word).is_some();
        if !is_clause && Kind::of(word).is_some() && word != "when" {
            self.report_outdent(word, line);
            return self.begin_declaration(Kind::of(word), line);
        }
        if !is_clause && is_continuing(word) {
            self.report_continuing(word, line);
            return self.extend(line);
        }
        self.begin_group(line);
    }

    /// Whether an indented line begins a clause: it is not deeper than the one before it did.
    fn begins_clause(&self, kind: Kind, word: &str, line: Line) -> bool {
        let groups = self.declarations.last().map(|it| it.groups.as_slice()).unwrap_or_default();
        let rest = self.cx.slice(line.first + word.len(), line.end);
        let first = self.cx.slice(line.first, line.end).chars().next().unwrap_or(' ');
        let is_clause_word = kind.clause(word).is_some();
        if kind.is_one_clause() || matches!(first, ')' | ']') {
            return false;
        }
        // Templates of launchers have short names too, so there a language has two letters.
        let is_translation = is_language(word) && (kind != Kind::Launcher || word.len() != 3);
        if !is_clause_word && is_translation && rest.trim_start().starts_with('"') {
            return false;
        }
        let begins = is_clause_word || (kind == Kind::Fact && first == '"');
        match groups {
            [head] if kind.has_open_head() => begins && !self.cx.slice(head.start, head.end).ends_with(','),
            [_] => true,
            [.., above] => line.width <= above.width || (kind == Kind::Rule && is_clause_word),
            [] => true,
        }
    }

    /// A line that is indented without a declaration above it.
    fn orphan(&mut self, word: &str, line: Line) {
        if Kind::of(word).is_some() {
            self.report_outdent(word, line);
            return self.begin_declaration(Kind::of(word), line);
        }
        let message = "this line belongs to no declaration";
        let found = self
            .cx
            .error(codes::INDENTATION, message, span(line.first, line.end))
            .help("begin the declaration above it in column 1, for example with `rule` or `when`");
        self.cx.report(found);
        self.begin_declaration(None, line);
    }

    fn report_outdent(&mut self, word: &str, line: Line) {
        let found = self
            .cx
            .error(
                codes::INDENTATION,
                format!("`{word}` begins a declaration"),
                span(line.first, line.first + word.len()),
            )
            .label("stands indented")
            .help("move this line to column 1")
            .edit(self.cx.id, span(line.start, line.first), "");
        self.cx.report(found);
    }

    fn report_continuing(&mut self, word: &str, line: Line) {
        let found = self
            .cx
            .error(codes::INDENTATION, format!("`{word}` begins no clause"), span(line.first, line.first + word.len()))
            .help("indent this line deeper than the clause above, if it goes on that clause")
            .edit(self.cx.id, span(line.start, line.start), "  ");
        self.cx.report(found);
    }
}

/// Finds the first character of a line, and its column.
fn measure(text: &str, start: usize, end: usize) -> Line {
    let (mut first, mut width) = (start, 0);
    while first < end {
        let blank = blank_len(text, first);
        let step = text.get(first..first + blank).and_then(|it| it.chars().next());
        match step {
            Some('\t') => width = (width / 4 + 1) * 4,
            Some('\u{feff}') => {}
            Some('\u{3000}') => width += 2,
            Some(_) => width += 1,
            None => break,
        }
        first += blank;
    }
    Line { start, end, first, width }
}

fn unindent(line: &mut TriviaLine) {
    if let TriviaLine::Comment(comment) = line {
        let bare = comment.trim_start();
        if bare.len() != comment.len() {
            *comment = bare.to_owned();
        }
    }
}

/// Whether a word can be a language, as in `"…" zh "…"`, perhaps with a region: `zh-TW`. Templates of launchers have names
/// like `env-off`.
fn is_language(word: &str) -> bool {
    let (base, region) = word.split_once('-').map_or((word, None), |(base, region)| (base, Some(region)));
    let is_region = region.is_none_or(|region| region.starts_with(|it: char| it.is_ascii_uppercase()));
    (2..=3).contains(&base.len())
        && base.bytes().all(|it| it.is_ascii_lowercase())
        && is_region
        && !is_clause_word(word)
}
