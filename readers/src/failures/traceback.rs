//! Python tracebacks: heads, frames, source lines, the type at the foot, and chains of them.

use std::ops::Range;

use rulecheck::evidence::Raised;

use crate::anchors::Marks;
use crate::failures::frames::{self, Frame};
use crate::failures::{group, lead, message, record, types};
use crate::lines::Lines;

/// A chain of exceptions and the line behind it.
#[derive(Debug, Default)]
pub(crate) struct Chain {
    /// In the order printed.
    pub(crate) raised: Vec<Raised>,
    /// The line behind it.
    pub(crate) next: usize,
}

/// One traceback.
#[derive(Debug, Default)]
struct Block {
    raised: Raised,
    next: usize,
}

/// How far a traceback is searched for its next frame where a line fits nowhere.
const AHEAD: usize = 4;

/// Reads the tracebacks that begin in line `first`, linked by "During handling of …" and the like.
pub(crate) fn read(lines: &Lines<'_>, first: usize) -> Option<Chain> {
    let mut chain = Chain { raised: Vec::new(), next: first };
    let mut at = Some(first);
    while let Some(index) = at {
        let (raised, next) = if group::begins(lines, index) {
            group::read(lines, index)
        } else {
            let block = block(lines, index);
            (vec![block.raised], block.next)
        };
        chain.next = next.max(index + 1);
        chain.raised.extend(raised);
        at = behind_connector(lines, &mut chain.next);
    }
    let something =
        |raised: &Raised| raised.error_type.is_some() || !raised.message.is_empty() || !raised.trace.is_empty();
    chain.raised.iter().any(something).then_some(chain)
}

/// The next traceback of a chain: behind a connector, a head or a frame.
fn behind_connector(lines: &Lines<'_>, next: &mut usize) -> Option<usize> {
    let connector = lines.skip_blank(*next, 4).filter(|index| lines.has(*index, Marks::CONNECTOR))?;
    *next = connector + 1;
    behind(lines, connector)
}

/// The head or frame behind a connector, which may be wrapped.
pub(crate) fn behind(lines: &Lines<'_>, connector: usize) -> Option<usize> {
    let begins = |index: &usize| frames::header(lines, *index) || frames::frame(lines, *index).is_some();
    (connector + 1..(connector + 7).min(lines.len())).find(begins)
}

/// The state of a traceback being read.
struct Reader<'a, 't> {
    lines: &'a Lines<'t>,
    index: usize,
    /// Blanks before the frame read last.
    indent: Option<usize>,
    /// The frame read last goes on in the next line.
    open: bool,
    /// A line has stood between that frame and here.
    source: bool,
    /// Frames have stamps of their own, so a stamp ends nothing.
    stamped: bool,
    trace: Range<usize>,
}

/// What a line means for a traceback.
enum Step {
    /// It belongs to the stack.
    Stack,
    /// It names the exception.
    Foot(types::TypeLine),
    /// It is the message of an exception whose type is missing.
    Message,
    /// It belongs to something else.
    Over,
}

fn block(lines: &Lines<'_>, first: usize) -> Block {
    let headed = frames::header(lines, first);
    let start = if headed { behind_frame_of_box(lines, first) } else { first };
    let mut reader =
        Reader { lines, index: start, indent: None, open: false, source: false, stamped: false, trace: start..start };
    if start > first + 1 {
        // A drawn box holds the whole stack.
        reader.trace = first + 1..start;
    }
    loop {
        match reader.step() {
            Step::Stack => {}
            Step::Foot(found) => return reader.foot(&found),
            Step::Message => return reader.message(),
            Step::Over => return Block { raised: reader.raised(), next: reader.index.max(first + 1) },
        }
    }
}

/// The line behind the head, or behind the box that some programs draw around a traceback.
fn behind_frame_of_box(lines: &Lines<'_>, head: usize) -> usize {
    if !lines.text(head).contains(['╭', '┌']) {
        return head + 1;
    }
    let inside = |index: &usize| lines.text(*index).trim_start().starts_with(['│', '|', '╰', '└', '╭']);
    (head + 1..lines.len()).find(|index| !inside(index)).unwrap_or(lines.len())
}

impl Reader<'_, '_> {
    fn step(&mut self) -> Step {
        let lines = self.lines;
        if self.index >= lines.len() {
            return Step::Over;
        }
        if lines.blank(self.index) {
            return self.over_blank();
        }
        if lines
            .has(self.index, Marks::CONNECTOR | Marks::HEADER | Marks::PROCESSING | Marks::REPORT | Marks::EXECUTING)
        {
            return Step::Over;
        }
        if let Some(frame) = frames::frame(lines, self.index) {
            self.stamped |= lines.stamped(self.index) && (self.indent.is_some() || lines.stamped(self.index + 1));
            self.indent = Some(lines.indent(self.index));
            self.open = frame == Frame::Open;
            self.source = false;
            return self.take();
        }
        let step = self.other();
        if matches!(step, Step::Stack) { self.take() } else { step }
    }

    /// A line that is neither blank nor a frame.
    fn other(&mut self) -> Step {
        let lines = self.lines;
        let text = lines.text(self.index);
        let indent = lines.indent(self.index);
        let Some(frame_indent) = self.indent else { return self.without_frames() };
        if let Some(found) = lines.sure(self.index).filter(|_| indent <= frame_indent) {
            return Step::Foot(found);
        }
        if std::mem::take(&mut self.open) || frames::filler(text) {
            return Step::Stack;
        }
        if let Some(found) = types::likely(text).filter(|_| indent < frame_indent) {
            return Step::Foot(found);
        }
        if (lines.stamped(self.index) && !self.stamped) || record::starts(lines, self.index) {
            return Step::Over;
        }
        if indent > frame_indent || self.more_ahead() || (indent == frame_indent && !self.source) {
            self.source = true;
            return Step::Stack;
        }
        // Somebody's own words below a stack that was cut off are no message.
        if indent < frame_indent && lead::complains(text) { Step::Message } else { Step::Over }
    }

    /// A head without frames: the type may follow it, or a message of which the type was cut off.
    fn without_frames(&mut self) -> Step {
        let text = self.lines.text(self.index);
        if let Some(found) = types::likely(text) {
            return Step::Foot(found);
        }
        if record::starts(self.lines, self.index) || self.lines.stamped(self.index) {
            return Step::Over;
        }
        if self.more_ahead() { Step::Stack } else { Step::Message }
    }

    /// Blank lines stand between the frames of a report, and before the type that IPython prints.
    fn over_blank(&mut self) -> Step {
        let lines = self.lines;
        let Some(next) = lines.skip_blank(self.index, 3) else { return Step::Over };
        if lines.stamped(next) && !self.stamped {
            return Step::Over;
        }
        let text = lines.text(next);
        let outside = self.indent.is_none_or(|indent| lines.indent(next) <= indent);
        let goes_on = frames::frame(lines, next).is_some()
            || frames::filler(text)
            || (outside && lines.sure(next).is_some())
            || (self.indent.is_some_and(|indent| lines.indent(next) > indent) && !record::starts(lines, next));
        if !goes_on {
            return Step::Over;
        }
        self.index = next;
        Step::Stack
    }

    /// Whether a frame or the foot follows so soon that this line must be part of the stack.
    fn more_ahead(&self) -> bool {
        let lines = self.lines;
        for index in self.index + 1..(self.index + 1 + AHEAD).min(lines.len()) {
            let other = Marks::HEADER | Marks::CONNECTOR | Marks::PROCESSING | Marks::REPORT;
            if lines.has(index, other) || (lines.stamped(index) && !self.stamped) {
                return false;
            }
            if frames::frame(lines, index).is_some() || lines.sure(index).is_some() {
                return true;
            }
        }
        false
    }

    fn take(&mut self) -> Step {
        if self.trace.is_empty() {
            self.trace = self.index..self.index;
        }
        self.index += 1;
        self.trace.end = self.index;
        Step::Stack
    }

    fn raised(&self) -> Raised {
        Raised { trace: self.lines.range(self.trace.clone()).into_iter().collect(), ..Raised::default() }
    }

    fn foot(&self, found: &types::TypeLine) -> Block {
        let message = message::read(self.lines, self.index, found.message, self.stamped);
        let error_type = self.lines.part(self.index, found.name.clone());
        Block { raised: Raised { error_type, message: message.ranges, ..self.raised() }, next: message.next }
    }

    fn message(&self) -> Block {
        let message = message::read(self.lines, self.index, 0, self.stamped);
        Block { raised: Raised { message: message.ranges, ..self.raised() }, next: message.next }
    }
}
