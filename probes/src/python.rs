//! The Python that a program runs on, by what lies around it.

use std::path::{Component, Path};

use rulecheck::Reason;

use crate::system::arch_word;
use crate::told::{Told, not_present};

/// What lies around a Python's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PythonReading {
    /// The `pyvenv.cfg` of its environment.
    pub settings: Option<String>,
    /// The names of the files beside it.
    pub beside: Vec<String>,
    /// The first bytes of its file, or why they cannot be read.
    pub head: Result<Vec<u8>, Reason>,
}

impl Default for PythonReading {
    fn default() -> Self {
        Self { settings: None, beside: Vec::new(), head: Err(not_present("its file was not looked at")) }
    }
}

/// The version: as its environment was made with, else as its own name and folder or a file beside it say.
pub(crate) fn version(exe: &Path, python: &PythonReading) -> Told<String> {
    let set = python.settings.as_deref().and_then(set_version);
    let beside = || python.beside.iter().find_map(|name| library_version(name));
    let found = set.or_else(|| path_version(exe)).or_else(beside);
    found.map(Some).ok_or_else(|| not_present("nothing beside this Python says its version"))
}

/// `version = 3.12.3`, or `version_info = 3.12.3.final.0` of virtualenv.
fn set_version(settings: &str) -> Option<String> {
    let entry = |wanted: &str| {
        settings.lines().find_map(|line| {
            let (key, value) = line.split_once('=')?;
            (key.trim() == wanted).then(|| value.trim())
        })
    };
    let text = entry("version").or_else(|| entry("version_info"))?;
    let parts = text.split('.').take_while(|part| part.bytes().all(|byte| byte.is_ascii_digit())).take(3);
    let version = parts.collect::<Vec<_>>().join(".");
    version.contains('.').then_some(version)
}

/// `python3.12`, `cpython-3.12.7-macos-aarch64-none`, `Versions/3.12`.
fn path_version(exe: &Path) -> Option<String> {
    let parts = exe.components().filter_map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    let parts: Vec<&str> = parts.collect();
    let prefixed = |part: &&str| {
        let rest = ["python@", "cpython-", "python"].iter().find_map(|prefix| part.strip_prefix(prefix))?;
        numbers(rest)
    };
    let after = parts.windows(2).find_map(|pair| match pair {
        ["Versions", version] => numbers(version),
        _ => None,
    });
    parts.iter().rev().find_map(prefixed).or(after)
}

/// The version at the start of a name.
fn numbers(name: &str) -> Option<String> {
    let end = name.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(name.len());
    let version = name.get(..end)?.trim_end_matches('.');
    (version.contains('.') && version.starts_with(|c: char| c.is_ascii_digit())).then(|| version.to_owned())
}

/// `python312.dll`: the one digit before the others is the first part.
fn library_version(name: &str) -> Option<String> {
    let digits = name.to_ascii_lowercase();
    let digits = digits.strip_prefix("python")?.strip_suffix(".dll")?;
    let (first, rest) = digits.split_at_checked(1)?;
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (number(first) && number(rest)).then(|| format!("{first}.{rest}"))
}

/// The instruction set its file is built for. A file for several does not say which of them runs.
pub(crate) fn arch(python: &PythonReading) -> Told<String> {
    let head = python.head.as_deref().map_err(Clone::clone)?;
    let found = elf(head).or_else(|| windows(head)).or_else(|| apple(head));
    let Some(mut found) = found else { return Err(not_present("its file is no program of a known form")) };
    found.dedup();
    match found.as_slice() {
        [one] => Ok(Some((*one).to_owned())),
        _ => Err(not_present("its file is built for several, and the system does not tell which runs")),
    }
}

fn bytes<const N: usize>(head: &[u8], at: usize) -> Option<[u8; N]> {
    head.get(at..at.checked_add(N)?)?.try_into().ok()
}

fn elf(head: &[u8]) -> Option<Vec<&'static str>> {
    head.starts_with(b"\x7fELF").then_some(())?;
    Some(vec![match u16::from_le_bytes(bytes(head, 18)?) {
        62 => arch_word("x86_64"),
        183 => arch_word("aarch64"),
        _ => arch_word("other"),
    }])
}

fn windows(head: &[u8]) -> Option<Vec<&'static str>> {
    head.starts_with(b"MZ").then_some(())?;
    let at = usize::try_from(u32::from_le_bytes(bytes(head, 0x3c)?)).ok()?;
    (bytes::<4>(head, at)? == *b"PE\0\0").then_some(())?;
    Some(vec![match u16::from_le_bytes(bytes(head, at.checked_add(4)?)?) {
        0x8664 => arch_word("x86_64"),
        0xaa64 => arch_word("aarch64"),
        _ => arch_word("other"),
    }])
}

/// One instruction set, or a list of them in front of the files for each.
fn apple(head: &[u8]) -> Option<Vec<&'static str>> {
    let word = |kind: u32| match kind {
        0x0100_0007 => arch_word("x86_64"),
        0x0100_000c => arch_word("aarch64"),
        _ => arch_word("other"),
    };
    match bytes::<4>(head, 0)? {
        [0xcf, 0xfa, 0xed, 0xfe] => Some(vec![word(u32::from_le_bytes(bytes(head, 4)?))]),
        // Java's files begin alike, and have a version where the number of programs stands.
        [0xca, 0xfe, 0xba, 0xbe] => {
            let count = usize::try_from(u32::from_be_bytes(bytes(head, 4)?)).ok().filter(|count| *count <= 8)?;
            (0..count).map(|place| Some(word(u32::from_be_bytes(bytes(head, 8 + 20 * place)?)))).collect()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(head: &[u8]) -> PythonReading {
        PythonReading { head: Ok(head.to_vec()), ..PythonReading::default() }
    }

    #[test]
    fn versions_stand_in_many_places() {
        let told = |exe: &str, settings: Option<&str>, beside: &[&str]| {
            let beside = beside.iter().map(|name| (*name).to_owned()).collect();
            let python = PythonReading { settings: settings.map(str::to_owned), beside, ..PythonReading::default() };
            version(Path::new(exe), &python).ok().flatten()
        };
        let is = |version: &str| Some(version.to_owned());
        assert_eq!(told("/usr/bin/python3.12", None, &[]), is("3.12"));
        assert_eq!(told("/v/bin/python", Some("home = /usr/bin\nversion = 3.11.9\n"), &[]), is("3.11.9"));
        assert_eq!(told("/v/bin/python", Some("version_info = 3.10.6.final.0"), &[]), is("3.10.6"));
        assert_eq!(told("/p/python.exe", None, &["python3.dll", "python312.dll"]), is("3.12"));
        assert_eq!(told("/p/python.exe", None, &["python3.dll"]), None);
        assert_eq!(
            told("/u/.local/share/uv/python/cpython-3.12.7-linux-x86_64-gnu/bin/python", None, &[]),
            is("3.12.7")
        );
        let framework = "/L/Python.framework/Versions/3.13/Resources/Python.app/Contents/MacOS/Python";
        assert_eq!(told(framework, None, &[]), is("3.13"));
        assert_eq!(told("/usr/bin/python", None, &[]), None);
    }

    #[test]
    fn files_say_what_they_are_built_for() {
        let is = |word: &str| Ok(Some(word.to_owned()));
        assert_eq!(arch(&reading(&[0xcf, 0xfa, 0xed, 0xfe, 7, 0, 0, 1])), is("x86-64"));
        assert_eq!(arch(&reading(&[0xcf, 0xfa, 0xed, 0xfe, 12, 0, 0, 1])), is("arm64"));
        let mut both = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 2, 1, 0, 0, 7];
        both.extend([0; 16]);
        both.extend([1, 0, 0, 12]);
        assert!(matches!(arch(&reading(&both)), Err(Reason::NotPresent(_))));
        let mut elf = b"\x7fELF\x02\x01\x01".to_vec();
        elf.resize(18, 0);
        elf.extend([183, 0]);
        assert_eq!(arch(&reading(&elf)), is("arm64"));
        let mut windows = b"MZ".to_vec();
        windows.resize(0x3c, 0);
        windows.extend([0x40, 0, 0, 0]);
        windows.extend(b"PE\0\0\x64\x86");
        assert_eq!(arch(&reading(&windows)), is("x86-64"));
        assert!(matches!(arch(&reading(b"#!/bin/sh")), Err(Reason::NotPresent(_))));
        assert!(matches!(arch(&reading(b"")), Err(Reason::NotPresent(_))));
        let refused = Err(Reason::NotPermitted("its file".to_owned()));
        let python = PythonReading { head: refused, ..PythonReading::default() };
        assert!(matches!(arch(&python), Err(Reason::NotPermitted(_))));
    }
}
