//! What the user pasted or named.

use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use rulecheck::Evidence;
use rulecheck_readers::{MAX_BYTES, Reader};

use crate::failure::{Failure, Result};
use crate::{files, output};

/// What stands for the standard input.
const STANDARD: &str = "-";

/// An input, as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// The inputs named; standard input where none is named, or `-` is.
pub(crate) fn read(paths: &[PathBuf]) -> Result<Vec<Input>> {
    let standard = [PathBuf::from(STANDARD)];
    let paths = if paths.is_empty() { &standard } else { paths };
    if paths.iter().filter(|path| is_standard(path)).count() > 1 {
        return Err(Failure::line("`-` stands for the standard input and can be named once"));
    }
    paths.iter().map(|path| one(path)).collect()
}

/// Whether these name the standard input.
pub(crate) fn use_standard(paths: &[PathBuf]) -> bool {
    paths.is_empty() || paths.iter().any(|path| is_standard(path))
}

/// The evidence of inputs; `encoding` is a WHATWG label.
pub(crate) fn evidence(inputs: &[Input], encoding: Option<&str>) -> Result<Evidence> {
    let reader =
        inputs.iter().try_fold(Reader::new().encoding(encoding), |reader, input| reader.add(&input.name, &input.bytes));
    reader.and_then(Reader::finish).map_err(Failure::line)
}

fn one(path: &Path) -> Result<Input> {
    let name = path.display().to_string();
    let bytes = if is_standard(path) { standard_input()? } else { files::bytes(path, MAX_BYTES)? };
    Ok(Input { name, bytes })
}

fn is_standard(path: &Path) -> bool {
    path.as_os_str() == STANDARD
}

fn standard_input() -> Result<Vec<u8>> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        let end = if cfg!(windows) { "Ctrl-Z and Enter" } else { "Ctrl-D" };
        output::error(&format!("Paste the error text, then press {end} on a line of its own.\n"));
    }
    let mut bytes = Vec::new();
    let read = stdin.lock().take(MAX_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::line(format!("the standard input cannot be read: {error}")))?;
    Ok(bytes)
}
