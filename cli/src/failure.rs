//! Why the program could not do what was asked: one clear line each, with the place and the remedy.

use std::fmt;
use std::io;
use std::path::Path;

/// What ends the program with status 2.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A line for standard error.
    Line(String),
    /// Findings in rule files, rendered.
    Rules(String),
    /// Whoever read the output has gone.
    BrokenPipe,
}

pub(crate) type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    pub(crate) fn line(text: impl fmt::Display) -> Self {
        Self::Line(text.to_string())
    }

    /// A file that could not be opened or read, with what to do about it.
    pub(crate) fn file(path: &Path, error: &io::Error) -> Self {
        let name = path.display();
        Self::Line(match error.kind() {
            io::ErrorKind::NotFound => format!("{name}: there is no such file; check the name and the folder"),
            io::ErrorKind::PermissionDenied => format!("{name}: no permission to read it; ask its owner, or copy it"),
            io::ErrorKind::IsADirectory => Self::folder(path).to_string(),
            _ => format!("{name}: cannot be read: {error}"),
        })
    }

    /// A folder where a file is needed.
    pub(crate) fn folder(path: &Path) -> Self {
        Self::Line(format!("{}: is a folder; name a file in it", path.display()))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(text) | Self::Rules(text) => f.write_str(text),
            Self::BrokenPipe => f.write_str("nobody reads the output"),
        }
    }
}

impl From<io::Error> for Failure {
    /// Of writing the answer.
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::BrokenPipe;
        }
        Self::Line(format!("the answer could not be written: {error}"))
    }
}
