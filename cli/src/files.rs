//! Files as the user names them.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use crate::failure::{Failure, Result};

/// The bytes of a file, at most `limit` and one more, so that a file that is too large can be told.
pub(crate) fn bytes(path: &Path, limit: u64) -> Result<Vec<u8>> {
    let failed = |error| Failure::file(path, &error);
    if fs::metadata(path).map_err(failed)?.is_dir() {
        return Err(Failure::folder(path));
    }
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(limit.saturating_add(1)).read_to_end(&mut bytes)).map_err(failed)?;
    Ok(bytes)
}

/// The text of a file that must be UTF-8, such as a rule file.
pub(crate) fn text(path: &Path, limit: u64) -> Result<String> {
    let bytes = bytes(path, limit)?;
    let name = path.display();
    if bytes.len() as u64 > limit {
        return Err(Failure::line(format!("{name}: has more than {} MiB; split it", limit >> 20)));
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Failure::line(format!("{name}: is empty; write something into it, or leave it out")));
    }
    if bytes.contains(&0) {
        return Err(Failure::line(format!("{name}: is no UTF-8 text; name a text file, or save it as UTF-8")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = error.as_bytes().iter().take(valid).filter(|&&byte| byte == b'\n').count() + 1;
        Failure::line(format!("{name}:{line}: is no UTF-8 text; save the file as UTF-8"))
    })
}
