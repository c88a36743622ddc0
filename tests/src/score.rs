//! How right the program is on real reports: what each report's diagnosis must contain, and how much of it does.
//!
//! A case is an input, facts that are given, and what is expected: one of these problems first, one of these fixes among
//! the first three, none of those fixes at all, these facts. No expected problem means that nothing is wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use rulecheck::diagnosis::{Certainty, ProblemView};
use rulecheck::{Diagnosis, Given, Nobody, Ruleset, Value};
use serde_json::Value as Json;

/// The files of real reports, where they are beside the checkout or in it.
#[must_use]
pub fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = [root.join("../shared/cases"), root.join("shared/cases")];
    let mut files: Vec<PathBuf> = folders
        .iter()
        .find_map(|folder| fs::read_dir(folder).ok())
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "jsonl"));
    files.sort();
    files
}

/// All real reports, with their ids.
#[must_use]
pub fn reports() -> Vec<(String, Json)> {
    let texts = files().into_iter().filter_map(|path| fs::read_to_string(path).ok()).collect::<Vec<_>>();
    let lines = texts.iter().flat_map(|text| text.lines());
    lines.filter_map(|line| serde_json::from_str(line).ok()).map(|case: Json| (text(at(&case, "id")), case)).collect()
}

/// What was asked of all cases, and what was right.
#[derive(Debug, Default, Clone)]
pub struct Score {
    counts: BTreeMap<&'static str, u32>,
    /// Each case that fell short, and in what.
    pub short: Vec<(String, Vec<String>)>,
}

impl Score {
    fn add(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    /// Adds another score.
    pub fn merge(&mut self, other: &Self) {
        for (what, count) in &other.counts {
            *self.counts.entry(what).or_default() += count;
        }
        self.short.extend(other.short.iter().cloned());
    }

    /// How often something was counted.
    #[must_use]
    pub fn count(&self, what: &str) -> u32 {
        self.counts.get(what).copied().unwrap_or(0)
    }

    /// How many of a hundred.
    #[must_use]
    pub fn percent(&self, right: &str, asked: &str) -> f64 {
        let asked = f64::from(self.count(asked));
        if asked > 0.0 { 100.0 * f64::from(self.count(right)) / asked } else { 100.0 }
    }

    /// The score as lines: what, and how much; percentages first to last as reports are read.
    #[must_use]
    pub fn table(&self) -> Vec<(&'static str, f64)> {
        let count = |what| f64::from(self.count(what));
        vec![
            ("cases", count("cases")),
            ("program failed", count("failed")),
            ("primary problem right %", self.percent("problem right", "problem asked")),
            ("problem wrong", count("problem wrong")),
            ("problem missed", count("problem missed")),
            ("quiet where nothing is wrong %", self.percent("quiet right", "quiet asked")),
            ("accepted fix in first three %", self.percent("fix right", "fix asked")),
            ("cases with a forbidden fix", count("forbidden")),
            ("facts right %", self.percent("facts right", "facts asked")),
            ("facts wrong", count("facts wrong")),
            ("facts missing", count("facts missing")),
        ]
    }

    /// The table, and the first cases that fell short.
    #[must_use]
    pub fn print(&self, cases: usize) -> String {
        let mut text = String::new();
        for (what, value) in self.table() {
            let _ = writeln!(text, "{what:34} {value:.1}");
        }
        for (case, faults) in self.short.iter().take(cases) {
            let _ = writeln!(text, "- {case}: {}", faults.join("; "));
        }
        text
    }

    /// Adds a case, one line of a file of cases.
    ///
    /// # Errors
    /// If the line is no case.
    pub fn case(&mut self, ruleset: &Ruleset, line: &str) -> Result<(), String> {
        let case: Json = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let id = text(at(&case, "id"));
        self.add("cases");
        let mut faults = Vec::new();
        match diagnose(ruleset, &case) {
            Ok(diagnosis) => self.judge(&diagnosis, at(&case, "expect"), &mut faults),
            Err(error) => {
                self.add("failed");
                faults.push(format!("failed: {error}"));
            }
        }
        if !faults.is_empty() {
            self.short.push((id, faults));
        }
        Ok(())
    }

    fn judge(&mut self, diagnosis: &Diagnosis, expected: &Json, faults: &mut Vec<String>) {
        self.problems(diagnosis, &texts(at(expected, "problems")), faults);
        let tips: Vec<String> = diagnosis.suggestions().iter().map(|offer| offer.fix().to_owned()).collect();
        let wanted = texts(at(expected, "fix_any"));
        if !wanted.is_empty() {
            self.add("fix asked");
            if tips.iter().take(3).any(|tip| wanted.contains(tip)) {
                self.add("fix right");
            } else {
                let first: Vec<_> = tips.iter().take(3).collect();
                faults.push(format!("first three {first:?}, none of {wanted:?}"));
            }
        }
        let never = texts(at(expected, "fix_never"));
        let bad: Vec<_> = tips.iter().filter(|tip| never.contains(*tip)).cloned().collect();
        if !bad.is_empty() {
            self.add("forbidden");
            faults.push(format!("forbidden: {}", bad.join(", ")));
        }
        self.facts(diagnosis, at(expected, "facts").as_object().into_iter().flatten(), faults);
    }

    fn problems(&mut self, diagnosis: &Diagnosis, wanted: &BTreeSet<String>, faults: &mut Vec<String>) {
        let problems = diagnosis.problems();
        if wanted.is_empty() {
            self.add("quiet asked");
            let loud: Vec<_> = problems
                .iter()
                .filter(|problem| problem.certainty() == Certainty::Certain)
                .map(ProblemView::id)
                .collect();
            if loud.is_empty() {
                self.add("quiet right");
            } else {
                faults.push(format!("problem where there is none: {}", loud.join(", ")));
            }
            return;
        }
        self.add("problem asked");
        let primary = problems.first().map(ProblemView::id);
        if primary.is_some_and(|primary| wanted.contains(primary)) {
            self.add("problem right");
        } else {
            self.add(if primary.is_some() { "problem wrong" } else { "problem missed" });
            let wanted: Vec<_> = wanted.iter().map(String::as_str).collect();
            faults.push(format!("problem {}, not {}", primary.unwrap_or("none"), wanted.join("|")));
        }
    }

    fn facts<'j>(
        &mut self,
        diagnosis: &Diagnosis,
        expected: impl Iterator<Item = (&'j String, &'j Json)>,
        faults: &mut Vec<String>,
    ) {
        let known: BTreeMap<String, Json> =
            diagnosis.facts().iter().filter_map(|fact| Some((fact.name().to_owned(), json(fact.value()?)))).collect();
        for (name, wanted) in expected {
            self.add("facts asked");
            match known.get(name) {
                Some(got) if same(name, wanted, got) => self.add("facts right"),
                Some(got) => {
                    self.add("facts wrong");
                    faults.push(format!("{name} = {got}, not {wanted}"));
                }
                None => {
                    self.add("facts missing");
                    faults.push(format!("{name} missing, {wanted}"));
                }
            }
        }
    }
}

/// A field; null where there is none.
fn at<'j>(value: &'j Json, field: &str) -> &'j Json {
    value.get(field).unwrap_or(&Json::Null)
}

fn text(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned)
}

fn texts(value: &Json) -> BTreeSet<String> {
    value.as_array().into_iter().flatten().map(text).collect()
}

/// Diagnoses a real report.
///
/// # Errors
/// If its facts or its text cannot be used.
pub fn diagnose(ruleset: &Ruleset, case: &Json) -> Result<Diagnosis, String> {
    let mut given = Given::new();
    for (name, value) in at(case, "given").as_object().into_iter().flatten() {
        given.set(ruleset, name, &text(value)).map_err(|error| error.to_string())?;
    }
    let evidence =
        rulecheck_readers::read("-", text(at(case, "input")).as_bytes()).map_err(|error| error.to_string())?;
    ruleset.diagnose_with(&evidence, &given, &mut Nobody).map_err(|error| error.to_string())
}

/// A value as the program prints it in JSON.
fn json(value: &Value) -> Json {
    match value {
        Value::Bool(value) => Json::Bool(*value),
        #[expect(clippy::cast_possible_truncation, reason = "checked to be whole")]
        Value::Number(number) if number.get().fract() == 0.0 && number.get().abs() < 9e15 => {
            Json::from(number.get() as i64)
        }
        Value::Number(number) => Json::from(number.get()),
        Value::Size(bytes) => Json::from(*bytes),
        Value::Version(version) => Json::from(version.as_str()),
        Value::Text(text) => Json::from(text.to_string()),
        Value::Set(items) => Json::Array(items.iter().map(json).collect()),
    }
}

/// Whether a fact is what a case expects; names of sizes, versions and the like are read with the tolerance they need.
fn same(name: &str, wanted: &Json, got: &Json) -> bool {
    let is_size = name.starts_with("alloc.") || name.starts_with("ram.") || name.contains("vram");
    if is_size && let (Some(wanted), Some(got)) = (bytes(wanted), bytes(got)) {
        return (wanted - got).abs() <= 0.01 * wanted.max(got).max(1.0);
    }
    if wanted.is_array() || got.is_array() {
        let items = |value: &Json| match value {
            Json::Array(items) => items.iter().map(|item| text(item).trim().to_owned()).collect(),
            one => BTreeSet::from([text(one).trim().to_owned()]),
        };
        return items(wanted).is_subset(&items(got));
    }
    let plain = |value: &Json| text(value).trim().to_lowercase();
    let (wanted, got) = (plain(wanted), plain(got));
    let last = |text: &str| text.rsplit('.').next().unwrap_or_default().to_owned();
    match name {
        "exit.code" => code(&wanted).is_some_and(|wanted| code(&got) == Some(wanted)),
        _ if name.ends_with("version") && got.starts_with(&format!("{wanted}.")) => true,
        "error.type" => last(&wanted) == last(&got),
        "gpu.name" => got.contains(&wanted) || wanted.contains(&got),
        _ => wanted == got,
    }
}

/// A number of bytes, or a number with a unit, which is binary whatever its name.
fn bytes(value: &Json) -> Option<f64> {
    if let Some(number) = value.as_f64() {
        return Some(number);
    }
    let text = text(value);
    let text = text.trim();
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit() && c != '.')?);
    let unit = unit.trim().to_lowercase();
    let power = match unit.as_str() {
        "b" | "byte" | "bytes" => 0,
        unit => 1 + "kmgtpe".find(unit.strip_suffix("ib").or_else(|| unit.strip_suffix('b'))?)?,
    };
    Some(number.parse::<f64>().ok()? * 1024_f64.powi(i32::try_from(power).ok()?))
}

/// An exit code in 32 bits: -1073741819 is 0xC0000005.
fn code(text: &str) -> Option<i64> {
    let number = match text.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16).ok()?,
        #[expect(clippy::cast_possible_truncation, reason = "codes have 32 bits")]
        None => text.parse::<f64>().ok()? as i64,
    };
    Some(number.rem_euclid(1 << 32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_compared_with_the_tolerance_they_need() {
        let same = |name: &str, wanted: &str, got: Json| same(name, &Json::from(wanted), &got);
        assert!(same("gpu.vram.total", "6.00 GiB", Json::from(6_442_450_944_u64)));
        assert!(same("alloc.requested", "405.00 MB", Json::from(424_673_280_u64)));
        assert!(!same("alloc.requested", "405 MB", Json::from(405_000_000_u64)));
        assert!(same("exit.code", "-1073741819", Json::from("0xC0000005")));
        assert!(same("error.type", "torch.cuda.OutOfMemoryError", Json::from("OutOfMemoryError")));
        assert!(same("torch.version", "2.4", Json::from("2.4.1")));
        assert!(!same("torch.version", "2.4.1", Json::from("2.4")));
        assert!(same("gpu.name", "RTX 3060", Json::from("NVIDIA GeForce RTX 3060")));
        assert!(same("launch.args", "--lowvram", Json::from(vec!["--lowvram", "--cpu-vae"])));
        assert!(!same("stage", "sample", Json::from("load")));
    }
}
