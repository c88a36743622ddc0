//! What the user pasted or named.

use std::fs::{self, File};
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use rulecheck::Evidence;
use rulecheck_readers::{Excerpt, Reader, WHOLE, is_picture};

use crate::failure::{Failure, Result};
use crate::output;

/// A picture has at most so many bytes.
const LARGEST_PICTURE: u64 = 256 << 20;

/// What stands for the standard input.
const STANDARD: &str = "-";

/// An input, as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Input {
    /// All of it.
    Whole {
        /// Its name, or `-`.
        name: String,
        /// As given.
        bytes: Vec<u8>,
    },
    /// What is read of a long one.
    Excerpt(Excerpt),
}

/// The inputs named; standard input where none is named, or `-` is. `encoding` is a WHATWG label.
pub(crate) fn read(paths: &[PathBuf], encoding: Option<&str>) -> Result<Vec<Input>> {
    let standard = [PathBuf::from(STANDARD)];
    let paths = if paths.is_empty() { &standard } else { paths };
    if paths.iter().filter(|path| is_standard(path)).count() > 1 {
        return Err(Failure::line("`-` stands for the standard input and can be named once"));
    }
    paths.iter().map(|path| one(path, encoding)).collect()
}

/// Whether these name the standard input.
pub(crate) fn use_standard(paths: &[PathBuf]) -> bool {
    paths.is_empty() || paths.iter().any(|path| is_standard(path))
}

/// The evidence of inputs; `encoding` is a WHATWG label.
pub(crate) fn evidence(inputs: &[Input], encoding: Option<&str>) -> Result<Evidence> {
    let reader = inputs.iter().try_fold(Reader::new().encoding(encoding), |reader, input| match input {
        Input::Whole { name, bytes } => reader.add(name, bytes),
        Input::Excerpt(excerpt) => reader.add_excerpt(excerpt.clone()),
    });
    reader.and_then(Reader::finish).map_err(Failure::line)
}

fn one(path: &Path, encoding: Option<&str>) -> Result<Input> {
    let name = path.display().to_string();
    if is_standard(path) {
        let stdin = io::stdin();
        if stdin.is_terminal() {
            let end = if cfg!(windows) { "Ctrl-Z and Enter" } else { "Ctrl-D" };
            output::error(&format!("Paste the error text, then press {end} on a line of its own.\n"));
        }
        let failed = |error| Failure::line(format!("the standard input cannot be read: {error}"));
        return from(name, stdin.lock(), encoding, failed);
    }
    let failed = |error| Failure::file(path, &error);
    if fs::metadata(path).map_err(failed)?.is_dir() {
        return Err(Failure::folder(path));
    }
    from(name, File::open(path).map_err(failed)?, encoding, failed)
}

/// Reads an input whole, or an excerpt where it is too long.
fn from(
    name: String,
    mut input: impl Read,
    encoding: Option<&str>,
    failed: impl Fn(io::Error) -> Failure,
) -> Result<Input> {
    let mut bytes = Vec::new();
    input.by_ref().take(WHOLE as u64 + 1).read_to_end(&mut bytes).map_err(&failed)?;
    if bytes.len() > WHOLE && is_picture(&bytes) {
        input.take(LARGEST_PICTURE).read_to_end(&mut bytes).map_err(failed)?;
    } else if bytes.len() > WHOLE {
        return Excerpt::read(&name, bytes.as_slice().chain(input), encoding)
            .map(Input::Excerpt)
            .map_err(Failure::line);
    }
    Ok(Input::Whole { name, bytes })
}

fn is_standard(path: &Path) -> bool {
    path.as_os_str() == STANDARD
}
