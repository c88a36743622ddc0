//! Why an input could not be read.

use std::fmt;

/// Why an input could not be read, in one line that names the input and says what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadError {
    /// Nothing was pasted, or only white space.
    Empty {
        /// The input.
        name: String,
    },
    /// The bytes are no text in any encoding that is recognised.
    NotText {
        /// The input.
        name: String,
        /// What it seems to be: `a ZIP archive`.
        looks_like: &'static str,
    },
    /// A picture without the metadata that ComfyUI writes.
    NoWorkflow {
        /// The input.
        name: String,
    },
    /// The encoding asked for does not exist.
    UnknownEncoding {
        /// The label as given.
        label: String,
    },
    /// It cannot be read from where it is.
    Unreadable {
        /// The input.
        name: String,
        /// What the system says.
        reason: String,
    },
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty { name } => {
                write!(f, "{} is empty: paste the error text, the log or the error report", shown(name))
            }
            Self::NotText { name, looks_like } => write!(
                f,
                "{} is {looks_like}, not text: paste the text, or give a PNG that holds a workflow; for text in another encoding name it",
                shown(name)
            ),
            Self::NoWorkflow { name } => write!(
                f,
                "{} is a PNG without a workflow in it: give the picture as ComfyUI saved it, or paste the text of the error",
                shown(name)
            ),
            Self::UnknownEncoding { label } => {
                write!(
                    f,
                    "there is no encoding `{label}`: use utf-8, utf-16le, gbk, big5, shift_jis, euc-kr, windows-1251 or another WHATWG label"
                )
            }
            Self::Unreadable { name, reason } => write!(f, "{} cannot be read: {reason}", shown(name)),
        }
    }
}

impl std::error::Error for ReadError {}

fn shown(name: &str) -> &str {
    if name == "-" { "the standard input" } else { name }
}
