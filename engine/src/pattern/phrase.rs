//! Phrases: literal runs, gaps and holes.
//!
//! A matcher of their own, not regular expressions: compiling one of these costs a hundred times what reading a phrase
//! costs, and holes say more than expressions can (a size is only one with a known unit).
//!
//! **Linear.** What follows a part depends on the part and the place alone, not on where the match began. So the one
//! part that can try many places, a gap or `text` that looks for what follows on its line, remembers for each line what it
//! found, and no place is tried twice. Every start is tried once, see [`Phrase::search`]. The other holes read a run of their own
//! characters, [`hole::LONGEST`] bytes at most.

use std::ops::Range;

use super::hole;
use super::parts::{Part, Phrase, lower, upper};
use super::space::{
    is_boundary, is_word, line_end, skip_space, slice, space_at, space_before, trim, word_at, word_before,
};
use super::{Captured, Hit};
use crate::ir::Hole;
use crate::value::Value;

/// What one search of a phrase in one text remembers.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// Two for each part: where white space must stand before what follows, and where not.
    known: Vec<Option<Known>>,
    line: Range<usize>,
    /// Where the last match ended.
    resume: usize,
    /// Places looked at, a measure of work.
    pub(super) steps: u64,
}

/// What follows a gap, for all places from `from` to `until` where it may begin.
#[derive(Debug, Clone)]
struct Known {
    from: usize,
    until: usize,
    found: Option<(usize, Rest)>,
}

/// The rest of a match.
#[derive(Debug, Clone)]
struct Rest {
    end: usize,
    /// What holes read, the last one first.
    reads: Vec<(usize, Captured)>,
}

struct Search<'t> {
    text: &'t str,
    bytes: &'t [u8],
    memory: &'t mut Memory,
}

impl Phrase {
    /// The parts between gaps at the edges.
    fn first(&self) -> usize {
        usize::from(matches!(self.parts.first(), Some(Part::Gap { .. })))
    }

    /// Whether a part is the last one that reads or matches anything, and a word must end there.
    fn ends_at(&self, part: usize) -> bool {
        part + 1 >= self.parts.len()
    }

    /// All matches that begin in a range of the text, both ends included, from left to right and apart from each
    /// other. The first place at which a further match may begin is returned: it continues a search, and places before
    /// it are never tried again.
    pub(super) fn search(&self, text: &str, starts: Range<usize>, memory: &mut Memory, hits: &mut Vec<Hit>) -> usize {
        memory.known.resize(self.parts.len() * 2, None);
        let mut search = Search { text, bytes: text.as_bytes(), memory };
        let mut at = starts.start;
        while let Some(start) = self.next_start(&mut search, at, starts.end) {
            at = start + 1;
            if let Some(rest) = self.match_at(&mut search, start) {
                at = at.max(rest.end);
                search.memory.resume = rest.end;
                hits.push(self.hit(start, rest));
            }
        }
        at.max(starts.end + 1)
    }

    fn match_at(&self, search: &mut Search<'_>, start: usize) -> Option<Rest> {
        if self.space_first && start > 0 && space_before(search.bytes, start) == 0 {
            return None;
        }
        let first = self.first();
        let edge = matches!(self.parts.first(), Some(Part::Run(run)) if run.first().is_some_and(|&byte| is_word(byte)));
        if edge && word_before(search.bytes, start) {
            return None;
        }
        self.rest(search, first, start).filter(|rest| rest.end > start)
    }

    fn hit(&self, start: usize, rest: Rest) -> Hit {
        let mut start = start;
        if let (Some(Part::Hole(Hole::Text | Hole::Line | Hole::List, _)), Some((_, first))) =
            (self.parts.first(), rest.reads.last())
        {
            // They begin with their line, but white space there is not read.
            start = first.span.start;
        }
        let mut captures = vec![None; self.holes];
        for (hole, captured) in rest.reads {
            if let Some(slot) = captures.get_mut(hole) {
                *slot = Some(captured);
            }
        }
        Hit { span: start..rest.end, captures }
    }

    /// The next place, up to a last one, at which the first part may begin.
    fn next_start(&self, search: &mut Search<'_>, from: usize, last: usize) -> Option<usize> {
        let last = last.min(search.bytes.len());
        let part = self.parts.get(self.first())?;
        match part {
            Part::Run(run) => {
                let found = find_byte(search.bytes, from..last.saturating_add(1), first_bytes(run)?);
                search.memory.steps += (found.unwrap_or(last).saturating_sub(from) / 16) as u64 + 1;
                found
            }
            Part::Hole(hole, _) => (from..=last).find(|&at| {
                search.memory.steps += 1;
                can_start(*hole, search.bytes, at, search.memory.resume)
            }),
            Part::Space | Part::Gap { .. } => None,
        }
    }

    /// Matches from a part and place to the end of the phrase.
    fn rest(&self, search: &mut Search<'_>, mut part: usize, mut at: usize) -> Option<Rest> {
        loop {
            search.memory.steps += 1;
            match self.parts.get(part) {
                None => return self.finish(search, at),
                Some(Part::Run(run)) => at = search.run_end(at, run)?,
                Some(Part::Space) => {
                    let end = skip_space(search.bytes, at);
                    if end == at {
                        return None;
                    }
                    at = end;
                }
                Some(&Part::Gap { left, right }) => {
                    if part + 1 == self.parts.len() {
                        return Some(Rest { end: at, reads: Vec::new() });
                    }
                    return self.gap(search, part, at, left, right);
                }
                Some(&Part::Hole(hole, number)) => return self.hole(search, part, at, hole, number),
            }
            part += 1;
        }
    }

    /// At the end of the phrase: a word must end there, and white space or nothing must follow if it is asked for.
    fn finish(&self, search: &Search<'_>, at: usize) -> Option<Rest> {
        let word = match self.parts.last() {
            Some(Part::Run(run)) => run.last().is_some_and(|&byte| is_word(byte)),
            _ => false,
        };
        let word_goes_on = word && word_at(search.bytes, at);
        let space_lacks = self.space_last && at < search.bytes.len() && space_at(search.bytes, at) == 0;
        (!word_goes_on && !space_lacks).then_some(Rest { end: at, reads: Vec::new() })
    }

    /// White space on one side may be absent, not on both.
    fn gap(&self, search: &mut Search<'_>, part: usize, at: usize, left: bool, right: bool) -> Option<Rest> {
        let from = if left { skip_space(search.bytes, at) } else { at };
        let has_left = from > at;
        if left && !right && !has_left {
            return None;
        }
        self.seek(search, part, part + 1, from, right && !has_left, right).map(|(_, rest)| rest)
    }

    /// The first place from `from` on, on its line, at which the rest matches from part `next` on. `spaced`: only
    /// behind white space. `wraps`: white space at the line's end may lead to the next line.
    fn seek(
        &self,
        search: &mut Search<'_>,
        part: usize,
        next: usize,
        from: usize,
        spaced: bool,
        wraps: bool,
    ) -> Option<(usize, Rest)> {
        let slot = part * 2 + usize::from(spaced);
        if let Some(Some(known)) = search.memory.known.get(slot)
            && known.from <= from
            && from <= known.until
        {
            return known.found.clone();
        }
        let end = search.line_end(from);
        let mut found = None;
        let mut at = from;
        while let Some(place) = self.candidate(search, next, at, end) {
            if !spaced || space_before(search.bytes, place) > 0 {
                found = self.rest(search, next, place).map(|rest| (place, rest));
                if found.is_some() {
                    break;
                }
            }
            at = place + 1;
        }
        if found.is_none() && wraps {
            let place = skip_space(search.bytes, end);
            if place > end {
                found = self.rest(search, next, place).map(|rest| (place, rest));
            }
        }
        let until = found.as_ref().map_or(end, |(place, _)| (*place).min(end));
        if let Some(slot) = search.memory.known.get_mut(slot) {
            *slot = Some(Known { from, until, found: found.clone() });
        }
        found
    }

    /// The next place at which a part may begin, up to the line's end.
    fn candidate(&self, search: &mut Search<'_>, part: usize, from: usize, end: usize) -> Option<usize> {
        match self.parts.get(part) {
            Some(Part::Run(run)) => {
                let found = find_byte(search.bytes, from..end + 1, first_bytes(run)?);
                search.memory.steps += (found.unwrap_or(end).saturating_sub(from) / 16) as u64 + 1;
                found
            }
            _ => {
                search.memory.steps += 1;
                (from..=end).find(|&at| is_boundary(search.bytes, at))
            }
        }
    }

    fn hole(&self, search: &mut Search<'_>, part: usize, at: usize, hole: Hole, number: usize) -> Option<Rest> {
        match hole {
            Hole::Text => self.text(search, part, at, number),
            Hole::Line => {
                let end = search.line_end(at);
                self.read(search, part, (hole, number), at..end, end)
            }
            Hole::Quoted => {
                let (inside, behind) = hole::quoted(search.text, at)?;
                self.read(search, part, (hole, number), inside, behind)
            }
            Hole::Size => {
                let end = hole::size_end(search.bytes, at)?;
                self.read(search, part, (hole, number), at..end, end)
            }
            Hole::Number | Hole::Bytes | Hole::Mib => self.number(search, part, at, hole, number),
            Hole::Word | Hole::Name | Hole::Version => self.run_of(search, part, at, hole, number),
            Hole::Path | Hole::List => self.stretch(search, part, at, hole, number),
        }
    }

    /// Reads a value and matches what follows.
    fn read(
        &self,
        search: &mut Search<'_>,
        part: usize,
        (hole, number): (Hole, usize),
        range: Range<usize>,
        behind: usize,
    ) -> Option<Rest> {
        search.memory.steps += 1 + range.len() as u64 / 16;
        let span = trim(search.bytes, range);
        let value = hole::value(hole, slice(search.text, span.clone()))?;
        let mut rest = self.rest(search, part + 1, behind)?;
        rest.reads.push((number, Captured { value, span }));
        Some(rest)
    }

    /// The shortest text up to what follows on the line; the rest of the line if nothing does.
    fn text(&self, search: &mut Search<'_>, part: usize, at: usize, number: usize) -> Option<Rest> {
        let end = search.line_end(at);
        let from = skip_space(search.bytes, at);
        if from >= end {
            return None;
        }
        let spaced = self.parts.get(part + 1) == Some(&Part::Space);
        let next = part + 1 + usize::from(spaced);
        if next >= self.parts.len() {
            return self.read(search, part, (Hole::Text, number), at..end, end);
        }
        let mut first = from + 1;
        while !is_boundary(search.bytes, first) {
            first += 1;
        }
        let (place, mut rest) = self.seek(search, part, next, first, spaced, spaced)?;
        let span = trim(search.bytes, from..place.min(end));
        let value = Value::text(slice(search.text, span.clone()));
        rest.reads.push((number, Captured { value, span }));
        Some(rest)
    }

    fn number(&self, search: &mut Search<'_>, part: usize, at: usize, hole: Hole, number: usize) -> Option<Rest> {
        let is_last = self.ends_at(part);
        let goes_on = |bytes: &[u8], end: usize| {
            word_at(bytes, end) || (bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit))
        };
        let ends = hole::number_ends(search.bytes, at);
        ends.into_iter().flatten().find_map(|end| {
            if is_last && goes_on(search.bytes, end) {
                return None;
            }
            self.read(search, part, (hole, number), at..end, end)
        })
    }

    /// Holes that read a run of their own characters: all of it, or as much as leaves room for a sign that follows
    /// (a word: as little).
    fn run_of(&self, search: &mut Search<'_>, part: usize, at: usize, hole: Hole, number: usize) -> Option<Rest> {
        let end = match hole {
            Hole::Name => hole::run_end(search.bytes, at, hole::LONGEST_NAME, |_, at| hole::in_name(search.text, at)),
            Hole::Version => hole::run_end(search.bytes, at, hole::LONGEST_NAME, hole::in_version),
            _ => hole::run_end(search.bytes, at, hole::LONGEST, |bytes, at| space_at(bytes, at) == 0),
        };
        search.memory.steps += (end - at) as u64;
        let target = (hole, number);
        match self.parts.get(part + 1) {
            None => {
                let signs: &[u8] = if hole == Hole::Word { b".,;:!?" } else { b".-+" };
                let span = hole::without_end_signs(search.bytes, at..end, signs);
                self.read(search, part, target, span.clone(), span.end)
            }
            Some(Part::Run(run)) => {
                let first = first_bytes(run)?;
                let bytes = search.bytes;
                let mut ends = (at + 1..=end).filter(|&end| bytes.get(end).is_some_and(|byte| first.contains(byte)));
                let mut read = |end| self.read(search, part, target, at..end, end);
                if hole == Hole::Word { ends.find_map(&mut read) } else { ends.rev().find_map(&mut read) }
            }
            Some(_) => self.read(search, part, target, at..end, end),
        }
    }

    /// Paths and lists: in quotes or brackets, else up to what follows on the line.
    fn stretch(&self, search: &mut Search<'_>, part: usize, at: usize, hole: Hole, number: usize) -> Option<Rest> {
        let target = (hole, number);
        let enclosed = if hole == Hole::Path {
            hole::quoted(search.text, at)
        } else {
            hole::bracketed_end(search.bytes, at).map(|end| (at..end, end))
        };
        if let Some((inside, behind)) = enclosed {
            return self.read(search, part, target, inside, behind);
        }
        let whole = hole == Hole::List || search.bytes.get(at..).is_some_and(hole::is_rooted);
        let mut limit = search.line_end(at);
        if !whole {
            limit = hole::run_end(search.bytes, at, hole::LONGEST, |bytes, at| space_at(bytes, at) == 0);
        }
        match self.parts.get(part + 1) {
            None => {
                if hole == Hole::Path {
                    limit = self.path_end(search, at);
                }
                let span = hole::without_end_signs(search.bytes, at..limit, b".,;:!?)]}'\"");
                let span = if hole == Hole::Path { span } else { at..limit };
                self.read(search, part, target, span.clone(), span.end)
            }
            Some(next) => {
                limit = limit.min(at + hole::LONGEST);
                let first = if let Part::Run(run) = next { first_bytes(run) } else { None };
                let spaced = *next == Part::Space;
                let mut from = at + 1;
                while let Some(end) = next_end(search.bytes, from..limit + 1, first, spaced) {
                    if let Some(rest) = self.read(search, part, target, at..end, end) {
                        return Some(rest);
                    }
                    from = end + 1;
                }
                None
            }
        }
    }

    /// The end of a path with nothing behind it in the phrase: the quote that closes one before it, or white space.
    fn path_end(&self, search: &Search<'_>, at: usize) -> usize {
        let before = at.checked_sub(1).and_then(|before| hole::quoted(search.text, before));
        before.map_or_else(
            || hole::run_end(search.bytes, at, hole::LONGEST, |bytes, at| space_at(bytes, at) == 0),
            |(inside, _)| inside.end,
        )
    }
}

impl Search<'_> {
    fn line_end(&mut self, at: usize) -> usize {
        let line = &mut self.memory.line;
        if at < line.start || at > line.end || line.start == line.end {
            *line = at..line_end(self.bytes, at);
        }
        line.end
    }

    /// Behind a literal run that begins at a place.
    fn run_end(&mut self, at: usize, run: &[u8]) -> Option<usize> {
        let (mut end, mut next) = (at, 0);
        while let Some(&wanted) = run.get(next) {
            self.memory.steps += 1;
            if wanted == b' ' {
                let behind = skip_space(self.bytes, end);
                if behind == end {
                    return None;
                }
                (end, next) = (behind, next + 1);
            } else if wanted.is_ascii() {
                if self.bytes.get(end)?.to_ascii_lowercase() != wanted {
                    return None;
                }
                (end, next) = (end + 1, next + 1);
            } else {
                let (own, wanted) = (self.text.get(end..)?.chars().next()?, first_char(run.get(next..)?)?);
                if own != wanted && lower(own) != wanted {
                    return None;
                }
                (end, next) = (end + own.len_utf8(), next + wanted.len_utf8());
            }
        }
        Some(end)
    }
}

/// The character that bytes of UTF-8 begin with.
fn first_char(bytes: &[u8]) -> Option<char> {
    let length = (1..=4).find(|&length| is_boundary(bytes, length))?;
    std::str::from_utf8(bytes.get(..length)?).ok()?.chars().next()
}

/// The bytes that a run may begin with, in either case.
fn first_bytes(run: &[u8]) -> Option<[u8; 2]> {
    let first = first_char(run)?;
    let lead = |c: char| c.encode_utf8(&mut [0; 4]).as_bytes().first().copied();
    Some([lead(first)?, lead(upper(first))?])
}

/// The next place in a range with one of these bytes.
fn find_byte(bytes: &[u8], range: Range<usize>, [one, other]: [u8; 2]) -> Option<usize> {
    let from = range.start;
    let part = bytes.get(from..range.end.min(bytes.len()))?;
    memchr::memchr2(one, other, part).map(|offset| from + offset)
}

/// The next place in a range at which what follows may begin: a byte, or white space.
fn next_end(bytes: &[u8], range: Range<usize>, first: Option<[u8; 2]>, spaced: bool) -> Option<usize> {
    if let Some(first) = first {
        return find_byte(bytes, range, first);
    }
    let mut places = range;
    places.find(|&at| {
        is_boundary(bytes, at)
            && if spaced {
                space_at(bytes, at) > 0 && space_before(bytes, at) == 0
            } else {
                space_at(bytes, at) > 0 || at == bytes.len()
            }
    })
}

/// Whether a phrase that begins with a hole may begin at a place; `resume` is where the match before ended.
fn can_start(hole: Hole, bytes: &[u8], at: usize, resume: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| bytes.get(before));
    if !is_boundary(bytes, at) {
        return false;
    }
    let begins_word = before.is_none() || space_before(bytes, at) > 0;
    match hole {
        Hole::Text | Hole::Line | Hole::List => at == resume || before.is_none_or(|&byte| byte == b'\n'),
        Hole::Word => begins_word && space_at(bytes, at) == 0,
        Hole::Path => begins_word || before.is_some_and(|byte| b"'\"([=<".contains(byte)),
        Hole::Quoted => bytes.get(at).is_some_and(|&byte| matches!(byte, b'\'' | b'"' | b'`') || byte >= 0x80),
        Hole::Name => !word_before(bytes, at),
        Hole::Number | Hole::Size | Hole::Bytes | Hole::Mib | Hole::Version => {
            let begins =
                bytes.get(at).is_some_and(|&byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'.' | b'v' | b'V'));
            begins && !word_before(bytes, at) && before != Some(&b'.')
        }
    }
}
