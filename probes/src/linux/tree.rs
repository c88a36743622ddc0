//! The files that Linux speaks through, real or recorded.

use std::collections::BTreeMap;
use std::{fs, io};

use crate::told::reason_of;
use rulecheck::Reason;

/// Space of a file system in bytes: all, and what is free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Space {
    /// All of it.
    pub total: u64,
    /// What this user may still use.
    pub free: u64,
}

/// Files and folders by their full path.
pub trait Tree {
    /// The text of a file.
    ///
    /// # Errors
    /// What the system says.
    fn read(&self, path: &str) -> io::Result<String>;

    /// The names in a folder, sorted.
    ///
    /// # Errors
    /// What the system says.
    fn list(&self, path: &str) -> io::Result<Vec<String>>;

    /// Where a link leads.
    ///
    /// # Errors
    /// What the system says.
    fn link(&self, path: &str) -> io::Result<String>;

    /// The space of the file system that holds this path.
    ///
    /// # Errors
    /// What the system says.
    fn space(&self, path: &str) -> io::Result<Space>;

    /// The machine's instruction set, as the kernel names it.
    fn arch(&self) -> String;

    /// Whether there is such a file or folder; what may not be looked at is not known to be there.
    fn has(&self, path: &str) -> bool {
        match path.rsplit_once('/') {
            Some((folder, name)) => {
                let folder = if folder.is_empty() { "/" } else { folder };
                self.list(folder).is_ok_and(|names| names.iter().any(|found| found == name))
            }
            None => false,
        }
    }

    /// The text of a file without white space around it, or why it cannot be told.
    ///
    /// # Errors
    /// The reason.
    fn line(&self, path: &str) -> Result<String, Reason> {
        self.read(path).map(|text| text.trim().to_owned()).map_err(|error| reason_of(path, &error))
    }

    /// The number a file holds.
    ///
    /// # Errors
    /// The reason.
    fn number(&self, path: &str) -> Result<u64, Reason> {
        let line = self.line(path)?;
        line.parse().map_err(|_| Reason::Unreadable(format!("{path}: `{line}` is no number")))
    }
}

/// The files of this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct Files;

impl Tree for Files {
    fn read(&self, path: &str) -> io::Result<String> {
        fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    fn list(&self, path: &str) -> io::Result<Vec<String>> {
        let name =
            |entry: io::Result<fs::DirEntry>| entry.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut names = fs::read_dir(path)?.map(name).collect::<io::Result<Vec<_>>>()?;
        names.sort();
        Ok(names)
    }

    fn link(&self, path: &str) -> io::Result<String> {
        fs::read_link(path).map(|target| target.to_string_lossy().into_owned())
    }

    fn space(&self, path: &str) -> io::Result<Space> {
        let found = rustix::fs::statvfs(path)?;
        let bytes = |blocks: u64| blocks.saturating_mul(found.f_frsize);
        Ok(Space { total: bytes(found.f_blocks), free: bytes(found.f_bavail) })
    }

    fn arch(&self) -> String {
        sysinfo::System::cpu_arch()
    }

    fn has(&self, path: &str) -> bool {
        fs::exists(path).unwrap_or(false)
    }
}

/// A machine that was written down: what stood in the files that are asked for.
///
/// The text form has a line `== PATH` above each file's text, `== PATH refused` for one that may not be read,
/// `== PATH space TOTAL FREE` for a file system, `== PATH -> TARGET` for a link, and `== arch NAME`.
#[derive(Debug, Clone, Default)]
pub struct Recorded {
    files: BTreeMap<String, Option<String>>,
    spaces: BTreeMap<String, Space>,
    links: BTreeMap<String, String>,
    arch: String,
}

impl Recorded {
    /// Reads the text form. Lines before the first `==` are for people.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut recorded = Self::default();
        let mut open: Option<String> = None;
        for line in text.lines() {
            if let Some(head) = line.strip_prefix("== ") {
                open = recorded.head(&head.split_whitespace().collect::<Vec<_>>());
            } else if let Some(Some(file)) = open.as_ref().and_then(|path| recorded.files.get_mut(path)) {
                file.push_str(line);
                file.push('\n');
            }
        }
        recorded
    }

    fn head(&mut self, words: &[&str]) -> Option<String> {
        match words {
            ["arch", name] => (*name).clone_into(&mut self.arch),
            [path, "refused"] => drop(self.files.insert((*path).to_owned(), None)),
            [path, "space", total, free] => {
                let space = Space { total: total.parse().ok()?, free: free.parse().ok()? };
                self.spaces.insert((*path).to_owned(), space);
            }
            [path, "->", target] => {
                self.links.insert((*path).to_owned(), (*target).to_owned());
                // It is in the list of its folder.
                self.files.insert((*path).to_owned(), Some(String::new()));
            }
            [path] => {
                self.files.insert((*path).to_owned(), Some(String::new()));
                return Some((*path).to_owned());
            }
            _ => {}
        }
        None
    }
}

impl Tree for Recorded {
    fn read(&self, path: &str) -> io::Result<String> {
        match self.files.get(path) {
            Some(Some(text)) => Ok(text.clone()),
            Some(None) => Err(io::ErrorKind::PermissionDenied.into()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn list(&self, path: &str) -> io::Result<Vec<String>> {
        let folder = if path == "/" { path.to_owned() } else { format!("{path}/") };
        if let Some(None) = self.files.get(path) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        let below = self.files.keys().filter_map(|file| file.strip_prefix(&folder));
        let mut names: Vec<_> = below.filter_map(|rest| rest.split('/').next()).map(str::to_owned).collect();
        names.dedup();
        // A folder that is there and empty is written down as a file without text.
        let empty = self.files.get(path).is_some_and(|text| text.as_deref() == Some(""));
        if names.is_empty() && !empty { Err(io::ErrorKind::NotFound.into()) } else { Ok(names) }
    }

    fn link(&self, path: &str) -> io::Result<String> {
        self.links.get(path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn space(&self, path: &str) -> io::Result<Space> {
        self.spaces.get(path).copied().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn arch(&self) -> String {
        self.arch.clone()
    }
}
