//! Facts that the user states: `--fact` and `--facts`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rulecheck::{Given, GivenError, Ruleset};
use serde_json::Value as Json;

use crate::failure::{Failure, Result};
use crate::files;

/// Bytes that a file of facts may have.
const FILE_BYTES: u64 = 16 << 20;

/// A fact or element as stated, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stated {
    pub(crate) name: String,
    pub(crate) value: Stating,
    /// `--fact`, or the file.
    pub(crate) origin: String,
    /// Whether a program wrote it: what it says of facts that no pack declares is no mistake of the user's.
    pub(crate) lenient: bool,
}

/// What is stated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stating {
    /// The value of a fact.
    Value(String),
    /// The fields of an element of a record.
    Element(Vec<(String, String)>),
}

/// All that is stated, in order: files first, so that a single fact on the command line stands before them.
pub(crate) fn stated(files: &[PathBuf], facts: &[String]) -> Result<Vec<Stated>> {
    let mut list = Vec::new();
    for path in files {
        list.extend(from_file(path)?);
    }
    for fact in facts {
        let (name, value) = fact.split_once('=').ok_or_else(|| {
            Failure::line(format!("--fact {fact}: says no value; write it as NAME=VALUE, such as `--fact os=windows`"))
        })?;
        let value = Stating::Value(value.trim().to_owned());
        list.push(Stated { name: name.trim().to_owned(), value, origin: "--fact".to_owned(), lenient: false });
    }
    Ok(list)
}

/// What is stated, as the engine takes it.
pub(crate) fn given(ruleset: &Ruleset, stated: &[Stated]) -> Result<Given> {
    let mut given = Given::new();
    for fact in stated {
        let fields = fields(ruleset, fact);
        match set(&mut given, ruleset, &fact.name, &fact.value, &fields) {
            Err(_) if fact.lenient => {}
            Err(error) => return Err(Failure::line(format!("{}: {error}", fact.origin))),
            Ok(()) => {}
        }
    }
    Ok(given)
}

fn set(
    given: &mut Given,
    ruleset: &Ruleset,
    name: &str,
    value: &Stating,
    fields: &[(&str, &str)],
) -> std::result::Result<(), GivenError> {
    match value {
        Stating::Value(value) => given.set(ruleset, name, value),
        Stating::Element(_) => given.set_element(ruleset, name, fields),
    }
}

/// The fields of an element; of what a program wrote, those that are known.
fn fields<'a>(ruleset: &Ruleset, fact: &'a Stated) -> Vec<(&'a str, &'a str)> {
    let Stating::Element(fields) = &fact.value else { return Vec::new() };
    let known =
        |field: &(&str, &str)| !fact.lenient || Given::new().set_element(ruleset, &fact.name, &[*field]).is_ok();
    fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).filter(known).collect()
}

fn from_file(path: &Path) -> Result<Vec<Stated>> {
    let text = files::text(path, FILE_BYTES)?;
    let name = path.display();
    let wrong = |error: String| Failure::line(format!("{name}: {error}"));
    let json: Json = match path.extension().and_then(|extension| extension.to_str()) {
        Some("json") => serde_json::from_str(&text).map_err(|error| wrong(format!("is no JSON: {error}")))?,
        Some("ron") => from_ron(&text).map_err(wrong)?,
        _ => return Err(wrong("is no file of facts that --facts reads; name a .ron or .json file".to_owned())),
    };
    let lenient = json.get("facts").is_some_and(Json::is_array);
    let facts = entries(&json).map_err(wrong)?;
    Ok(facts.into_iter().map(|(fact, value)| Stated { name: fact, value, origin: name.to_string(), lenient }).collect())
}

/// RON as JSON, which has all that a fact can be; `None` is null.
fn from_ron(text: &str) -> std::result::Result<Json, String> {
    let value: ron::Value = ron::from_str(text).map_err(|error| {
        let at = error.span.start;
        format!("line {}, column {}: is no RON: {}", at.line, at.col, error.code)
    })?;
    plain_ron(value).map_err(|problem| format!("{problem}; write texts and words in quotes"))
}

fn plain_ron(value: ron::Value) -> std::result::Result<Json, &'static str> {
    Ok(match value {
        ron::Value::Bool(value) => value.into(),
        ron::Value::Char(value) => value.to_string().into(),
        ron::Value::String(text) => text.into(),
        ron::Value::Number(number) => serde_json::to_value(number).map_err(|_| "holds a number that is none")?,
        ron::Value::Option(None) => Json::Null,
        ron::Value::Option(Some(value)) => plain_ron(*value)?,
        ron::Value::Seq(items) => Json::Array(items.into_iter().map(plain_ron).collect::<std::result::Result<_, _>>()?),
        ron::Value::Map(fields) => {
            let field = |(name, value)| match name {
                ron::Value::String(name) => Ok((name, plain_ron(value)?)),
                _ => Err("holds a name that is no text"),
            };
            Json::Object(fields.into_iter().map(field).collect::<std::result::Result<_, _>>()?)
        }
        // A word without quotes is read as the name of something empty.
        ron::Value::Unit => return Err("holds a word without quotes"),
        _ => return Err("holds what no fact can be"),
    })
}

/// Names and what is stated: of an object whose keys are names, or of what `--format json` prints.
fn entries(json: &Json) -> std::result::Result<Vec<(String, Stating)>, String> {
    let object = json.as_object().ok_or("holds no map of fact names to values")?;
    if let Some(facts) = object.get("facts").and_then(Json::as_array) {
        return listed(facts).ok_or("holds a fact without `name` and `value`".to_owned());
    }
    let mut list = Vec::new();
    for (name, value) in object {
        let stated = stating(value).ok_or_else(|| {
            format!("the value of `{name}` is no text, number, bool, list of these, none, or list of elements")
        })?;
        list.extend(stated.into_iter().map(|value| (name.clone(), value)));
    }
    Ok(list)
}

/// The facts that `diagnose` and `probe` print as JSON; those of an element of a record belong together.
fn listed(facts: &[Json]) -> Option<Vec<(String, Stating)>> {
    let mut list = Vec::new();
    let mut elements: BTreeMap<(String, u64), Vec<(String, String)>> = BTreeMap::new();
    for fact in facts.iter().filter(|fact| fact.get("state").and_then(Json::as_str) != Some("unknown")) {
        let (name, value) = (fact.get("name")?.as_str()?, plain(fact.get("value")?)?);
        match (fact.get("element").and_then(Json::as_u64), name.split_once('.')) {
            (Some(index), Some((record, _))) => {
                elements.entry((record.to_owned(), index)).or_default().push((name.to_owned(), value));
            }
            _ => list.push((name.to_owned(), Stating::Value(value))),
        }
    }
    list.extend(elements.into_iter().map(|((record, _), fields)| (record, Stating::Element(fields))));
    Some(list)
}

/// One value, or the elements of a record.
fn stating(value: &Json) -> Option<Vec<Stating>> {
    let field = |(name, value): (&String, &Json)| Some((name.clone(), plain(value)?));
    let element =
        |fields: &serde_json::Map<_, _>| fields.iter().map(field).collect::<Option<_>>().map(Stating::Element);
    match value {
        Json::Object(fields) => Some(vec![element(fields)?]),
        Json::Array(items) if items.first().is_some_and(Json::is_object) => {
            items.iter().map(|item| element(item.as_object()?)).collect()
        }
        _ => Some(vec![Stating::Value(plain(value)?)]),
    }
}

/// A value as `--fact` takes it.
fn plain(value: &Json) -> Option<String> {
    Some(match value {
        Json::Null => "none".to_owned(),
        Json::Bool(value) => value.to_string(),
        Json::Number(value) => value.to_string(),
        Json::String(text) => text.clone(),
        Json::Array(items) => items.iter().map(plain).collect::<Option<Vec<_>>>()?.join(","),
        Json::Object(_) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ron_and_json_say_the_same() {
        let ron = from_ron(r#"{ "os": "macos", "ram.total": 8, "launch.args": ["--a", "--b"], "gpu": None }"#).unwrap();
        let json: Json =
            serde_json::from_str(r#"{ "os": "macos", "ram.total": 8, "launch.args": ["--a", "--b"], "gpu": null }"#)
                .unwrap();
        assert_eq!(ron, json);
        let values: Vec<_> = entries(&json).unwrap().into_iter().map(|(_, value)| value).collect();
        assert_eq!(values, ["macos", "8", "--a,--b", "none"].map(|value| Stating::Value(value.to_owned())));
    }

    #[test]
    fn a_diagnosis_is_a_file_of_facts() {
        let json: Json = serde_json::json!({ "schema": 1, "facts": [
            { "name": "os", "value": "linux", "state": "known" },
            { "name": "gpu", "value": null, "state": "unknown" },
        ]});
        assert_eq!(entries(&json).unwrap(), [("os".to_owned(), Stating::Value("linux".to_owned()))]);
    }

    #[test]
    fn a_fact_needs_a_value() {
        assert!(stated(&[], &["os".to_owned()]).unwrap_err().to_string().contains("NAME=VALUE"));
    }
}
