//! The tell-tale words of failures, found in one pass: only lines that hold one are looked at more closely.

use std::ops::{BitOr, BitOrAssign};
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

/// Which tell-tale words a line holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Marks(u16);

impl Marks {
    /// The head of a traceback.
    pub(crate) const HEADER: Self = Self(1);
    /// A frame of a Python stack.
    pub(crate) const FRAME: Self = Self(2);
    /// `!!! Exception during processing`.
    pub(crate) const PROCESSING: Self = Self(4);
    /// `Error occurred when executing`.
    pub(crate) const EXECUTING: Self = Self(8);
    /// A heading or field of an error report.
    pub(crate) const REPORT: Self = Self(16);
    /// What stands between two tracebacks of a chain.
    pub(crate) const CONNECTOR: Self = Self(32);
    /// A refused workflow.
    pub(crate) const VALIDATION: Self = Self(64);
    /// A program's native end, perhaps.
    pub(crate) const NATIVE: Self = Self(128);
    /// A word of which names of exceptions are made.
    pub(crate) const TYPE: Self = Self(512);
    /// The head of a native stack.
    pub(crate) const STACK: Self = Self(256);

    /// Whether it has one of `others`.
    pub(crate) fn has(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }
}

impl BitOr for Marks {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Marks {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

const WORDS: [(&str, Marks); 55] = [
    ("traceback (most recent call last)", Marks::HEADER),
    ("\", line ", Marks::FRAME),
    ("!!! exception during processing", Marks::PROCESSING),
    ("error occurred when executing", Marks::EXECUTING),
    ("comfyui execution error: ", Marks::EXECUTING),
    ("error details", Marks::REPORT),
    ("exception type:", Marks::REPORT),
    ("exception message:", Marks::REPORT),
    ("stack trace", Marks::REPORT),
    ("during handling of the above exception", Marks::CONNECTOR),
    ("the above exception was the direct cause", Marks::CONNECTOR),
    ("failed to validate prompt", Marks::VALIDATION),
    ("prompt outputs failed validation", Marks::VALIDATION),
    ("invalid prompt: {", Marks::VALIDATION),
    ("prompt has no outputs", Marks::VALIDATION),
    ("error", Marks::TYPE),
    ("exception", Marks::TYPE),
    ("interrupt", Marks::TYPE),
    (".exc.", Marks::TYPE),
    ("(most recent call first)", Marks::STACK),
    ("killed", Marks::NATIVE),
    ("已杀死", Marks::NATIVE),
    ("segmentation fault", Marks::NATIVE),
    ("core dumped", Marks::NATIVE),
    ("windows fatal exception", Marks::NATIVE),
    ("fatal python error", Marks::NATIVE),
    ("terminate called", Marks::NATIVE),
    ("terminating due to", Marks::NATIVE),
    ("exit code", Marks::NATIVE),
    ("exit status", Marks::NATIVE),
    ("exited with", Marks::NATIVE),
    ("crashed with", Marks::NATIVE),
    ("退出代码", Marks::NATIVE),
    ("退出码", Marks::NATIVE),
    ("exception code", Marks::NATIVE),
    ("(0xc0", Marks::NATIVE),
    ("failed assertion", Marks::NATIVE),
    ("memory access fault", Marks::NATIVE),
    ("sigkill", Marks::NATIVE),
    ("sigterm", Marks::NATIVE),
    ("sigsegv", Marks::NATIVE),
    ("sigabrt", Marks::NATIVE),
    ("signal ", Marks::NATIVE),
    ("bus error", Marks::NATIVE),
    ("illegal hardware instruction", Marks::NATIVE),
    ("illegal instruction", Marks::NATIVE),
    ("abort ", Marks::NATIVE),
    ("zsh: ", Marks::NATIVE),
    ("trace/bpt trap", Marks::NATIVE),
    ("oom-kill", Marks::NATIVE),
    ("corrupted size", Marks::NATIVE),
    ("double free or corruption", Marks::NATIVE),
    ("invalid pointer", Marks::NATIVE),
    ("heap corruption", Marks::NATIVE),
    ("stack smashing", Marks::NATIVE),
];

static AUTOMATON: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| automaton(AhoCorasickKind::ContiguousNFA));

/// Takes longer to make and less to run: for long texts.
static LARGE: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| automaton(AhoCorasickKind::DFA));

fn automaton(kind: AhoCorasickKind) -> Option<AhoCorasick> {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::LeftmostFirst)
        .kind(Some(kind))
        .build(WORDS.iter().map(|(word, _)| word))
        .ok()
}

/// The tell-tale words of `text`, in order: where each begins, and which it is.
pub(crate) fn find(text: &str) -> impl Iterator<Item = (usize, Marks)> + '_ {
    hits(&AUTOMATON, text)
}

/// The same, for a part of a long text.
pub(crate) fn find_in_long(text: &str) -> impl Iterator<Item = (usize, Marks)> + '_ {
    hits(&LARGE, text)
}

fn hits<'t>(automaton: &'static Option<AhoCorasick>, text: &'t str) -> impl Iterator<Item = (usize, Marks)> + use<'t> {
    automaton.iter().flat_map(move |automaton| {
        automaton.find_iter(text).map(|hit| {
            let mark = WORDS.get(hit.pattern().as_usize()).map_or(Marks::default(), |(_, mark)| *mark);
            (hit.start(), mark)
        })
    })
}
