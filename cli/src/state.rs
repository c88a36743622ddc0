//! The last diagnosis, kept so that `explain` can be asked about it. Only what was printed to a terminal is kept, for
//! nobody else to read, and written whole or not at all.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, io};

use rulecheck::evidence::Gap;
use rulecheck_readers::Excerpt;
use serde_json::{Value as Json, json};

use crate::failure::{Failure, Result};
use crate::files;
use crate::given::{Stated, Stating};
use crate::inputs::Input;
use crate::recorder::Record;

/// Bytes that are kept; a larger diagnosis is not.
const MOST: u64 = 64 << 20;

/// What it takes to make a diagnosis again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Last {
    pub(crate) inputs: Vec<Input>,
    pub(crate) encoding: Option<String>,
    pub(crate) stated: Vec<Stated>,
    pub(crate) rules: Vec<PathBuf>,
    pub(crate) only_rules: bool,
    /// What this machine answered then.
    pub(crate) record: Record,
}

/// Keeps a diagnosis. That it cannot be kept is no reason to fail.
pub(crate) fn keep(mut last: Last) {
    // It may be asked for from another folder.
    for path in &mut last.rules {
        *path = std::path::absolute(&*path).unwrap_or_else(|_| path.clone());
    }
    let text = last.to_json().to_string();
    if text.len() as u64 <= MOST
        && let Some(path) = path()
    {
        let _ = write(&path, &text);
    }
}

/// The last diagnosis.
pub(crate) fn last() -> Result<Last> {
    let nothing = || {
        Failure::line(
            "there is no last diagnosis to explain: name a file, or run `rulecheck diagnose` in this terminal first",
        )
    };
    let path = path().filter(|path| path.is_file()).ok_or_else(nothing)?;
    let broken =
        || Failure::line(format!("{}: is damaged; delete it and run `rulecheck diagnose` again", path.display()));
    let json = serde_json::from_str(&files::text(&path, MOST)?).map_err(|_| broken())?;
    Last::from_json(&json).ok_or_else(broken)
}

impl Last {
    fn to_json(&self) -> Json {
        json!({
            "schema": 1,
            "inputs": self.inputs.iter().map(input_to_json).collect::<Vec<_>>(),
            "encoding": self.encoding,
            "facts": self.stated.iter().map(stated_to_json).collect::<Vec<_>>(),
            "rules": self.rules.iter().map(|path| path.to_string_lossy()).collect::<Vec<_>>(),
            "only_rules": self.only_rules,
            "asked": self.record.to_json(),
        })
    }

    fn from_json(json: &Json) -> Option<Self> {
        let list = |key: &str| json.get(key).and_then(Json::as_array);
        Some(Self {
            inputs: list("inputs")?.iter().map(input_from_json).collect::<Option<_>>()?,
            encoding: json.get("encoding").and_then(text),
            stated: list("facts")?.iter().map(stated_from_json).collect::<Option<_>>()?,
            rules: list("rules")?.iter().map(|path| path.as_str().map(PathBuf::from)).collect::<Option<_>>()?,
            only_rules: json.get("only_rules")?.as_bool()?,
            record: Record::from_json(json.get("asked")?),
        })
    }
}

fn text(json: &Json) -> Option<String> {
    json.as_str().map(ToOwned::to_owned)
}

fn stated_to_json(fact: &Stated) -> Json {
    let value = match &fact.value {
        Stating::Value(value) => json!(value),
        Stating::Element(fields) => json!(fields),
    };
    json!({ "name": fact.name, "value": value, "origin": fact.origin, "lenient": fact.lenient })
}

fn stated_from_json(json: &Json) -> Option<Stated> {
    let field = |pair: &Json| Some((text(pair.get(0)?)?, text(pair.get(1)?)?));
    let value = match json.get("value")? {
        Json::Array(fields) => Stating::Element(fields.iter().map(field).collect::<Option<_>>()?),
        value => Stating::Value(text(value)?),
    };
    let lenient = json.get("lenient")?.as_bool()?;
    Some(Stated { name: text(json.get("name")?)?, value, origin: text(json.get("origin")?)?, lenient })
}

/// Text as text, anything else as hexadecimal figures, a long one as what was read of it.
fn input_to_json(input: &Input) -> Json {
    match input {
        Input::Whole { name, bytes } => match str::from_utf8(bytes) {
            Ok(text) => json!({ "name": name, "text": text }),
            Err(_) => {
                let figures: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                json!({ "name": name, "bytes": figures })
            }
        },
        Input::Excerpt(excerpt) => {
            let gaps: Vec<_> = excerpt.gaps.iter().map(|gap| [gap.at, gap.line, gap.column]).collect();
            json!({
                "name": excerpt.name,
                "text": excerpt.text,
                "gaps": gaps,
                "size": excerpt.bytes,
                "left_out": excerpt.lines_left_out,
            })
        }
    }
}

fn input_from_json(json: &Json) -> Option<Input> {
    let name = json.get("name")?.as_str()?.to_owned();
    if json.get("gaps").is_some() {
        return excerpt_from_json(json, name).map(Input::Excerpt);
    }
    if let Some(text) = json.get("text") {
        return Some(Input::Whole { name, bytes: text.as_str()?.as_bytes().to_vec() });
    }
    let pair = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok();
    let bytes = json.get("bytes")?.as_str()?.as_bytes().chunks(2).map(pair).collect::<Option<_>>()?;
    Some(Input::Whole { name, bytes })
}

fn excerpt_from_json(json: &Json, name: String) -> Option<Excerpt> {
    let number = |json: Option<&Json>| usize::try_from(json?.as_u64()?).ok();
    let gap =
        |gap: &Json| Some(Gap { at: number(gap.get(0))?, line: number(gap.get(1))?, column: number(gap.get(2))? });
    Some(Excerpt {
        name,
        bytes: json.get("size")?.as_u64()?,
        lines_left_out: number(json.get("left_out"))?,
        text: text(json.get("text")?)?,
        gaps: json.get("gaps")?.as_array()?.iter().map(gap).collect::<Option<_>>()?,
    })
}

/// Where it is kept: in the folder that the system has for a program's state.
fn path() -> Option<PathBuf> {
    Some(folder()?.join("rulecheck").join("last.json"))
}

fn folder() -> Option<PathBuf> {
    let set = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if cfg!(windows) {
        return set("LOCALAPPDATA");
    }
    // A relative path is to be passed over, as the XDG specification says.
    let named = set("XDG_STATE_HOME").filter(|path| path.is_absolute());
    let home = || set("HOME").filter(|path| path.is_absolute());
    if cfg!(target_os = "macos") {
        return named.or_else(|| Some(home()?.join("Library").join("Application Support")));
    }
    named.or_else(|| Some(home()?.join(".local").join("state")))
}

/// Writes beside the place, then moves it there, so that a crash leaves the old file or the new one.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)?;
    let beside = folder.join(format!("last.{}.tmp", std::process::id()));
    let written = private(&beside).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    let moved = written.and_then(|()| fs::rename(&beside, path));
    if moved.is_err() {
        let _ = fs::remove_file(&beside);
    }
    moved
}

/// A new file that only its owner may read: pastes hold names and paths.
fn private(path: &Path) -> io::Result<File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_comes_back() {
        let stated =
            |name: &str, value| Stated { name: name.to_owned(), value, origin: "--fact".to_owned(), lenient: false };
        let last = Last {
            inputs: vec![
                Input::Whole { name: "-".to_owned(), bytes: "内存\n".into() },
                Input::Whole { name: "a.png".to_owned(), bytes: vec![0x89, 0, 0xff] },
                Input::Excerpt(Excerpt {
                    name: "long.log".to_owned(),
                    bytes: 1 << 30,
                    lines_left_out: 7,
                    text: "a\n\nb".to_owned(),
                    gaps: vec![Gap { at: 3, line: 9, column: 1 }],
                }),
            ],
            encoding: Some("gbk".to_owned()),
            stated: vec![
                stated("os", Stating::Value("macos".to_owned())),
                stated("gpu", Stating::Element(vec![("name".to_owned(), "M1".to_owned())])),
            ],
            rules: vec![PathBuf::from("/rules")],
            only_rules: true,
            record: Record::default(),
        };
        assert_eq!(Last::from_json(&last.to_json()), Some(last));
    }
}
