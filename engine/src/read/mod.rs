//! What a text says: which failure it is about, where the patterns match, and which facts it states.

mod facts;
mod failure;
mod lines;
mod section;
#[cfg(test)]
mod tests;
mod view;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use crate::evidence::Evidence;
use crate::facts::{Provenance, Reason, State};
use crate::ir::{ErrorPart, FactId, LineClass, PatternId, Program, TextRef};
use crate::pattern::{Hit, Matcher, Patterns, Room};
use crate::value::Value;
use failure::Choice;
use lines::{LineCounts, Recognised};
use view::{Composed, Found};

/// What an evidence says, read by the patterns of a program.
#[derive(Debug, Clone)]
pub struct Texts {
    evidence: Evidence,
    matcher: Matcher,
    log: Found,
    sections: Vec<Option<Range<usize>>>,
    choice: Choice,
    /// Where no failure shows by its form: the lines that are taken for it.
    lines: Vec<Range<usize>>,
    parts: Parts,
    /// For `any error`: each failure's parts.
    errors: Vec<Parts>,
    counts: LineCounts,
    facts: facts::Facts,
}

/// The parts of a failure: `None` where the paste lacks it.
type Parts = BTreeMap<ErrorPart, Option<Found>>;

const PARTS: [ErrorPart; 5] = [ErrorPart::All, ErrorPart::Type, ErrorPart::Message, ErrorPart::Cause, ErrorPart::Trace];

/// A fact as the text states it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stated {
    /// Its value.
    pub value: Value,
    /// Where it stands.
    pub provenance: Provenance,
}

/// Two places that state different values for one fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    /// The fact.
    pub fact: FactId,
    /// The reading that counts.
    pub taken: (Value, Range<usize>),
    /// The one that does not.
    pub other: (Value, Range<usize>),
}

/// A failure that is not the one the text is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Other {
    /// Its index in [`Evidence::failures`].
    pub index: usize,
    /// Why it is not.
    pub standing: Standing,
}

/// Why a failure is not the one the text is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// It came before, in an earlier run or start.
    Earlier,
    /// It came later and follows from the failure.
    Follows,
    /// It was handled: a warning or a retry.
    Handled,
    /// A package failed to import, which counts only where nothing else failed.
    Import,
    /// It is the same one, printed again: in a report and in its log.
    Same,
}

impl Texts {
    /// Reads an evidence.
    #[must_use]
    pub fn read(program: &Program, matcher: &Matcher, evidence: &Evidence) -> Self {
        let mut room = Room::default();
        let text = evidence.text();
        let mut wanted = wanted_in_log(matcher);
        if evidence.failures().is_empty() {
            wanted.extend(&wanted_in_lines(matcher));
        }
        let mut log = Found { all: matcher.scan(text, &wanted, &mut room) };
        let recognised = Recognised::new(program, &log, text);
        let choice = failure::choose(evidence, &recognised);
        let mut lines = Vec::new();
        if choice.failure.is_none() {
            if !evidence.failures().is_empty() {
                let more = wanted_in_lines(matcher).without(&wanted);
                log.add(matcher.scan(text, &more, &mut room));
            }
            lines = left_lines(program, evidence, &log, text);
        }
        let mut texts = Self {
            evidence: evidence.clone(),
            matcher: matcher.clone(),
            sections: section::places(program, evidence, &log, &choice),
            log,
            choice,
            lines,
            parts: Parts::new(),
            errors: Vec::new(),
            counts: LineCounts::default(),
            facts: facts::Facts::default(),
        };
        texts.read_failures(&mut room);
        texts.facts = texts.read_facts(program, &recognised);
        texts.state_failure(program);
        texts
    }

    /// Looks for patterns in the parts of the failure, and of each failure if `any error` asks for it.
    fn read_failures(&mut self, room: &mut Room) {
        let none = Patterns::default();
        let uses = self.matcher.uses();
        let own = |part: ErrorPart| uses.in_text(&text_of(part)).unwrap_or(&none);
        let each = |part: ErrorPart| uses.in_text(&TextRef::EachError(part)).unwrap_or(&none);
        self.parts = match self.choice.failure {
            Some(index) => self.parts_of(index, &own, room),
            None => self.parts_of_lines(&own),
        };
        let mut errors = Vec::new();
        if PARTS.iter().any(|&part| !each(part).is_empty()) {
            errors.extend((0..self.evidence.failures().len()).map(|index| self.parts_of(index, &each, room)));
            if !self.lines.is_empty() {
                errors.push(self.parts_of_lines(&each));
            }
        }
        self.errors = errors;
    }

    fn parts_of<'a>(&self, index: usize, wanted: &impl Fn(ErrorPart) -> &'a Patterns, room: &mut Room) -> Parts {
        let Some(failure) = self.evidence.failures().get(index) else { return Parts::new() };
        let read = |part: ErrorPart| {
            let composed = Composed::part(&self.evidence, failure, part);
            if composed.text.is_empty() {
                return (part, None);
            }
            let patterns = wanted(part);
            let found =
                if patterns.is_empty() { Vec::new() } else { self.matcher.scan(&composed.text, patterns, room) };
            (part, Some(composed.to_clean(found)))
        };
        PARTS.into_iter().map(read).collect()
    }

    /// What is left of the text as a failure: all of it is its message.
    fn parts_of_lines<'a>(&self, wanted: &impl Fn(ErrorPart) -> &'a Patterns) -> Parts {
        let inside = |part: ErrorPart| self.log.inside(&self.lines, |pattern| wanted(part).contains(pattern));
        let present = [ErrorPart::All, ErrorPart::Message].into_iter().filter(|_| !self.lines.is_empty());
        present.map(|part| (part, Some(inside(part)))).collect()
    }

    fn read_facts(&self, program: &Program, recognised: &Recognised) -> facts::Facts {
        let failures = self.evidence.failures();
        let mut spans: Vec<Range<usize>> = failures.iter().map(|failure| failure.span.clone()).collect();
        spans.sort_by_key(|span| (span.start, span.end));
        facts::read(&facts::Sources {
            program,
            evidence: &self.evidence,
            hits: &|text, pattern| self.hits(text, pattern),
            counts: &self.counts,
            failure: self.choice.failure.and_then(|index| failures.get(index)).map(|failure| failure.span.clone()),
            failures: lines::merge(spans),
            starts: &recognised.starts,
        })
    }

    /// `error.type`, `error.message` and `error.cause` are facts too.
    fn state_failure(&mut self, program: &Program) {
        let failure = self.choice.failure.and_then(|index| self.evidence.failures().get(index));
        let names =
            [(ErrorPart::Type, "error.type"), (ErrorPart::Message, "error.message"), (ErrorPart::Cause, "error.cause")];
        for (part, name) in names {
            let (text, spans) = match (failure, part) {
                (Some(failure), _) => {
                    let composed = Composed::part(&self.evidence, failure, part);
                    let spans = composed.ranges();
                    (composed.text, spans)
                }
                (None, ErrorPart::Message) => (self.left_text(), self.lines.first().cloned().into_iter().collect()),
                (None, _) => continue,
            };
            let text = text.trim();
            if text.is_empty() {
                continue;
            }
            let stated = Stated { value: Value::text(text), provenance: Provenance::text(spans) };
            match program.fact_names.get(name) {
                Some(&fact) => self.facts.known.insert(fact, stated),
                None => self.facts.members.insert(name.into(), stated),
            };
        }
    }

    /// The state of one of the texts that are always there, for a rule that asks whether it is known: none where the text
    /// was recognised to its last line and nothing failed, unknown where the paste lacks it.
    #[must_use]
    pub fn state_of(&self, name: &str) -> State {
        let text = self.evidence.text();
        if text.trim().is_empty() {
            return State::Unknown(Reason::NotStated);
        }
        let everything = 0..text.len();
        let whole = Provenance::text(vec![everything]);
        if name == "log" {
            return State::Known(Value::text(text.trim()), whole);
        }
        let Some(span) = self.failure_span() else { return State::None(whole) };
        let part = if name == "trace" { ErrorPart::Trace } else { ErrorPart::All };
        let failure = self.choice.failure.and_then(|index| self.evidence.failures().get(index));
        let composed = failure.map(|failure| Composed::part(&self.evidence, failure, part));
        match (composed, name) {
            (Some(composed), "error" | "trace") if !composed.text.trim().is_empty() => {
                State::Known(Value::text(composed.text.trim()), Provenance::text(composed.ranges()))
            }
            (None, "error") => State::Known(Value::text(self.left_text().trim()), Provenance::text(vec![span])),
            _ => State::Unknown(Reason::NotStated),
        }
    }

    /// The device that the failure names, `1` in `cuda:1` or in `GPU 1 has a total capacity of`.
    #[must_use]
    pub fn device(&self) -> Option<usize> {
        let span = self.failure_span()?;
        device_in(self.evidence.slice(&span))
    }

    /// The first run of the lines that are taken for the failure.
    fn left_text(&self) -> String {
        self.lines.first().map_or_else(String::new, |line| self.evidence.slice(line).to_owned())
    }

    /// The evidence that was read.
    #[must_use]
    pub const fn evidence(&self) -> &Evidence {
        &self.evidence
    }

    /// The failure the text is about, as an index into [`Evidence::failures`]. `None` where none shows by its form:
    /// then [`Texts::failure_span`] tells whether what is left of the text is taken for it.
    #[cfg(test)]
    #[must_use]
    pub const fn failure(&self) -> Option<usize> {
        self.choice.failure
    }

    /// Where the failure stands in the clean text, from its first line to its last. `None` if `error` is none.
    #[must_use]
    pub fn failure_span(&self) -> Option<Range<usize>> {
        match self.choice.failure {
            Some(index) => self.evidence.failures().get(index).map(|failure| failure.span.clone()),
            None => Some(self.lines.first()?.start..self.lines.last()?.end),
        }
    }

    /// The failures the text is not about, in its order.
    #[must_use]
    pub fn others(&self) -> &[Other] {
        &self.choice.others
    }

    /// How many failures `any error` speaks of: those of the evidence, in its order, and behind them what is left of the
    /// text where it is taken for the failure.
    #[must_use]
    pub fn error_count(&self) -> usize {
        self.evidence.failures().len() + usize::from(!self.lines.is_empty())
    }

    /// Where a pattern matches in a text, from left to right; places count in the clean text. Only pairs of text and
    /// pattern that the program uses are known; for [`TextRef::Fact`] see [`Texts::find`], for
    /// [`TextRef::EachError`] see [`Texts::error_hits`].
    #[must_use]
    pub fn hits(&self, text: &TextRef, pattern: PatternId) -> &[Hit] {
        match text {
            TextRef::Log => self.log.of(pattern),
            TextRef::Section(section) => match self.sections.get(section.index()) {
                Some(Some(range)) => self.log.within(pattern, range),
                _ => &[],
            },
            TextRef::Fact(_) | TextRef::EachError(_) => &[],
            _ => part_of(text).and_then(|part| self.parts.get(&part)?.as_ref()).map_or(&[], |found| found.of(pattern)),
        }
    }

    /// Where a pattern matches in a part of one failure, counted from 0 to [`Texts::error_count`].
    #[must_use]
    pub fn error_hits(&self, failure: usize, part: ErrorPart, pattern: PatternId) -> &[Hit] {
        let found = self.errors.get(failure).and_then(|parts| parts.get(&part)?.as_ref());
        found.map_or(&[], |found| found.of(pattern))
    }

    /// Whether the paste lacks a part of one failure.
    #[cfg(test)]
    #[must_use]
    pub fn is_error_missing(&self, failure: usize, part: ErrorPart) -> bool {
        match self.evidence.failures().get(failure) {
            Some(failure) => Composed::part(&self.evidence, failure, part).text.is_empty(),
            None => failure >= self.error_count() || !matches!(part, ErrorPart::All | ErrorPart::Message),
        }
    }

    /// All matches of a pattern in the value of a fact; places count in that value.
    #[must_use]
    pub fn find(&self, pattern: PatternId, value: &str) -> Vec<Hit> {
        self.matcher.find(pattern, value)
    }

    /// The hit nearest the failure, else the first.
    #[must_use]
    pub fn nearest<'h>(&self, hits: &'h [Hit]) -> Option<&'h Hit> {
        let Some(failure) = self.failure_span() else { return hits.first() };
        let distance = |hit: &&Hit| {
            let before = failure.start.saturating_sub(hit.span.end);
            before.max(hit.span.start.saturating_sub(failure.end))
        };
        hits.iter().min_by_key(distance)
    }

    /// Lines between a range of the clean text and the failure, 0 inside it. `None` if there is no failure.
    #[must_use]
    pub fn line_distance(&self, range: &Range<usize>) -> Option<u32> {
        let failure = self.failure_span()?;
        Some(if range.end <= failure.start {
            self.lines_between(range.end, failure.start)
        } else if range.start >= failure.end {
            self.lines_between(failure.end, range.start)
        } else {
            0
        })
    }

    /// How many line ends stand between two places of the clean text.
    #[must_use]
    pub fn lines_between(&self, from: usize, to: usize) -> u32 {
        u32::try_from(self.counts.between(self.evidence.text(), from, to)).unwrap_or(u32::MAX)
    }

    /// Whether the paste lacks a text: a section that is not there, a failure or its part, no input at all. Never for
    /// [`TextRef::Fact`] and [`TextRef::EachError`].
    #[must_use]
    pub fn is_missing(&self, text: &TextRef) -> bool {
        match text {
            TextRef::Log => self.evidence.text().trim().is_empty(),
            TextRef::Section(section) => !matches!(self.sections.get(section.index()), Some(Some(_))),
            TextRef::Fact(_) | TextRef::EachError(_) => false,
            _ => part_of(text).is_none_or(|part| !matches!(self.parts.get(&part), Some(Some(_)))),
        }
    }

    /// The place of a text that is one run of the clean text: all of it, a section, or the failure.
    #[cfg(test)]
    #[must_use]
    pub fn range(&self, text: &TextRef) -> Option<Range<usize>> {
        match text {
            TextRef::Log => Some(0..self.evidence.text().len()),
            TextRef::Section(section) => self.sections.get(section.index()).cloned().flatten(),
            TextRef::Error => self.failure_span(),
            _ => None,
        }
    }

    /// The facts the text states, by id. A field of a record is one of its first element.
    #[must_use]
    pub const fn facts(&self) -> &BTreeMap<FactId, Stated> {
        &self.facts.known
    }

    /// Facts of families that the program does not name, and `error.type`, `error.message`, `error.cause` where it
    /// does not declare them; by full name.
    #[must_use]
    pub const fn members(&self) -> &BTreeMap<Arc<str>, Stated> {
        &self.facts.members
    }

    /// The facts that the text states in different ways, by id.
    #[must_use]
    pub fn disagreements(&self) -> &[Disagreement] {
        &self.facts.disagreements
    }
}

/// The first number behind the name of a kind of device, as PyTorch writes it.
fn device_in(text: &str) -> Option<usize> {
    const KINDS: [&str; 5] = ["cuda:", "xpu:", "hip:", "privateuseone:", "GPU "];
    let begins = |at: usize| !text.get(..at).is_some_and(|it| it.ends_with(|c: char| c.is_ascii_alphanumeric()));
    let number = |at: usize, kind: &str| {
        let behind = text.get(at + kind.len()..)?;
        let digits = behind.len() - behind.trim_start_matches(|it: char| it.is_ascii_digit()).len();
        let ends = kind != "GPU " || behind.get(digits..).is_some_and(|it| it.starts_with(" has a total capacity"));
        behind.get(..digits)?.parse().ok().filter(|index| ends && *index < 256)
    };
    let of_kind = |kind: &'static str| {
        let mut places = text.match_indices(kind).filter(|(at, _)| begins(*at));
        places.find_map(|(at, kind)| Some((at, number(at, kind)?)))
    };
    KINDS.into_iter().filter_map(of_kind).min().map(|(_, index)| index)
}

fn part_of(text: &TextRef) -> Option<ErrorPart> {
    PARTS.into_iter().find(|&part| text_of(part) == *text)
}

const fn text_of(part: ErrorPart) -> TextRef {
    match part {
        ErrorPart::All => TextRef::Error,
        ErrorPart::Type => TextRef::ErrorType,
        ErrorPart::Message => TextRef::ErrorMessage,
        ErrorPart::Cause => TextRef::ErrorCause,
        ErrorPart::Trace => TextRef::Trace,
    }
}

/// What is looked for in all of the text, whatever it holds.
fn wanted_in_log(matcher: &Matcher) -> Patterns {
    let mut wanted = matcher.uses().structure.clone();
    for (text, patterns) in matcher.uses().texts() {
        if matches!(text, TextRef::Log | TextRef::Section(_)) {
            wanted.extend(patterns);
        }
    }
    wanted
}

/// What else is looked for where no failure shows by its form, since then lines are the failure.
fn wanted_in_lines(matcher: &Matcher) -> Patterns {
    use ErrorPart::{All, Message};
    let mut wanted = matcher.uses().plain_lines.clone();
    for text in [TextRef::Error, TextRef::ErrorMessage, TextRef::EachError(All), TextRef::EachError(Message)] {
        matcher.uses().in_text(&text).into_iter().for_each(|patterns| wanted.extend(patterns));
    }
    wanted
}

/// The lines that nothing recognises. Where only packages failed to import, the first of these is the failure.
fn left_lines(program: &Program, evidence: &Evidence, log: &Found, text: &str) -> Vec<Range<usize>> {
    let mut taken = lines::lines_of(program, log, text, |_| true);
    taken.extend(evidence.failures().iter().map(|failure| lines::whole_lines(text, &failure.span)));
    for document in evidence.documents() {
        let start = document.scalars.iter().map(|scalar| scalar.span.start).min();
        let end = document.scalars.iter().map(|scalar| scalar.span.end).max();
        if let (Some(start), Some(end)) = (start, end) {
            taken.push(lines::whole_lines(text, &(start..end)));
        }
    }
    taken.sort_by_key(|range| (range.start, range.end));
    let left = lines::remaining(text, &lines::merge(taken));
    if left.is_empty() {
        return lines::lines_of(program, log, text, |kind| kind == LineClass::Import).into_iter().take(1).collect();
    }
    left
}
