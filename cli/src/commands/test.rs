//! `rulecheck test`

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rulecheck::explanation::Explanation;
use rulecheck::ir::Site;
use rulecheck::report::{self, Detail, Markup, Tone};
use rulecheck::testing::{Coverage, Covered, TestReport, TestText};
use rulecheck::{Evidence, Ruleset};
use rulecheck_readers::Reader;
use serde_json::json;

use super::{Status, check, knowledge};
use crate::args::Format;
use crate::config::Config;
use crate::diagnostics::plural;
use crate::failure::Result;
use crate::{files, output, packs};

/// Bytes that a text beside a test may have.
const TEXT_BYTES: u64 = 16 << 20;

pub(crate) fn run(coverage: bool, paths: Vec<PathBuf>, config: &Config) -> Result<Status> {
    config.only("test", &[Format::Text, Format::Json, Format::Markdown])?;
    let paths = check::checked_paths(paths, config);
    let ruleset = packs::ruleset(config, &paths, config.only_rules)?;
    let own = own_sources(&ruleset, &paths)?;
    let is_own = |site: Site| own.contains(&(site.source.0 as usize));
    let (reports, mut seen) = ruleset.run_tests_of(&is_own, &mut read);
    seen.rules.retain(|rule| is_own(rule.site));
    let page = Page { ruleset: &ruleset, reports: &reports, seen: coverage.then_some(&seen), config };
    match config.format {
        Format::Json => output::text(&page.json())?,
        _ => output::markup(&page.text(), config.color)?,
    }
    Ok(Status::from(reports.iter().all(|report| report.failures.is_empty())))
}

/// The texts of a test as one evidence. A file is looked for beside the rule file that names it.
pub(crate) fn read(texts: &[TestText<'_>]) -> std::result::Result<Evidence, String> {
    let mut reader = Reader::new();
    for text in texts {
        reader = match text {
            TestText::Text(text) => reader.add("-", text.as_bytes()),
            TestText::File { path, beside } => {
                let file = Path::new(beside).parent().unwrap_or(Path::new("")).join(path);
                let bytes = files::bytes(&file, TEXT_BYTES).map_err(|error| error.to_string())?;
                reader.add(&file.display().to_string(), &bytes)
            }
        }
        .map_err(|error| error.to_string())?;
    }
    reader.finish().map_err(|error| error.to_string())
}

/// The sources that are tested: those at the paths, or all where none is named.
fn own_sources(ruleset: &Ruleset, paths: &[PathBuf]) -> Result<BTreeSet<usize>> {
    let own = packs::own(paths)?;
    let names: BTreeSet<&str> = own.iter().flat_map(|pack| &pack.files).map(|source| &*source.name).collect();
    let sources = ruleset.program().sources.iter().enumerate();
    let is_own = |name: &str| names.is_empty() || names.contains(name);
    Ok(sources.filter(|(_, source)| is_own(&source.name)).map(|(index, _)| index).collect())
}

/// Ends a line with what no test made of a rule or condition.
fn never(covered: &Covered, out: &mut Markup) {
    let unseen = covered.unseen();
    if !unseen.is_empty() {
        out.push(Tone::Warn, &format!("  never {}", unseen.join(", never ")));
    }
    out.end_line();
}

struct Page<'a> {
    ruleset: &'a Ruleset,
    reports: &'a [TestReport],
    seen: Option<&'a Coverage>,
    config: &'a Config,
}

impl Page<'_> {
    fn place(&self, site: Site) -> String {
        knowledge::place(self.ruleset.program(), site)
    }

    fn text(&self) -> Markup {
        let mut out = Markup::new();
        for report in self.reports {
            self.one(report, &mut out);
        }
        for rule in self.seen.into_iter().flat_map(|seen| &seen.rules) {
            self.unseen(rule, &mut out);
        }
        if self.config.detail != Detail::Brief {
            let failed = self.reports.iter().filter(|report| !report.failures.is_empty()).count();
            let (tone, how) = if failed == 0 {
                (Tone::Good, "all passed".to_owned())
            } else {
                (Tone::Bad, format!("{failed} failed"))
            };
            out.push(Tone::Plain, &format!("{}: ", plural(self.reports.len(), "test")));
            out.push(tone, &how);
            if let Some(seen) = self.seen {
                let fired = seen.rules.iter().filter(|rule| rule.seen_true).count();
                out.push(Tone::Plain, &format!("; {fired} of {} fired", plural(seen.rules.len(), "rule")));
            }
            out.end_line();
        }
        out
    }

    /// What no test made of a rule and of its conditions, where there is any such outcome.
    fn unseen(&self, rule: &Covered, out: &mut Markup) {
        let is_left = |covered: &&Covered| !covered.unseen().is_empty();
        let conditions: Vec<&Covered> = rule.conditions.iter().filter(is_left).collect();
        if rule.unseen().is_empty() && conditions.is_empty() {
            return;
        }
        out.push(Tone::Strong, &rule.name);
        out.push(Tone::Faint, &format!("  {}", self.place(rule.site)));
        never(rule, out);
        for condition in conditions {
            out.push(Tone::Plain, &format!("  `{}`", condition.name));
            never(condition, out);
        }
    }

    fn one(&self, report: &TestReport, out: &mut Markup) {
        if report.failures.is_empty() {
            if self.config.detail == Detail::Full {
                out.push(Tone::Good, "passed ");
                out.push(Tone::Plain, &format!("{}\n", report.name));
            }
            return;
        }
        out.push(Tone::Bad, "failed ");
        out.push(Tone::Strong, &report.name);
        out.push(Tone::Faint, &format!("  {}\n", self.place(report.site)));
        for failure in &report.failures {
            out.push(Tone::Faint, &format!("  {}", self.place(failure.site)));
            out.push(Tone::Plain, &format!("  {}\n", failure.message));
        }
        self.proofs(report, out);
    }

    /// The proof of each thing that was not as expected, once.
    fn proofs(&self, report: &TestReport, out: &mut Markup) {
        let mut proofs: Vec<Explanation> = report.failures.iter().filter_map(|it| it.explanation.clone()).collect();
        proofs.dedup_by(|one, other| one.id == other.id);
        if proofs.is_empty() || self.config.detail == Detail::Brief {
            return;
        }
        out.end_line();
        for line in report::explanations_text(&proofs, &self.config.style()).plain().lines() {
            out.push(Tone::Plain, format!("    {line}").trim_end());
            out.end_line();
        }
        out.end_line();
    }

    fn json(&self) -> String {
        let tests: Vec<_> = self.reports.iter().map(|report| {
            let failures: Vec<_> = report.failures.iter().map(|failure| {
                let proof = failure.explanation.as_ref().map(report::explanation_json);
                let proof = proof.and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok());
                json!({ "place": self.place(failure.site), "message": failure.message, "explanation": proof })
            }).collect();
            json!({ "name": report.name, "place": self.place(report.site), "passed": failures.is_empty(), "failures": failures })
        }).collect();
        let rules = self.seen.map(|seen| &*seen.rules).unwrap_or_default();
        let never: Vec<_> = rules.iter().filter(|rule| !rule.seen_true).map(|rule| rule.name.as_str()).collect();
        let coverage: Vec<_> = rules.iter().map(|rule| {
            let conditions: Vec<_> = rule.conditions.iter().map(|condition| {
                json!({ "condition": condition.name, "place": self.place(condition.site), "never": condition.unseen() })
            }).collect();
            json!({ "rule": rule.name, "place": self.place(rule.site), "never": rule.unseen(), "conditions": conditions })
        }).collect();
        format!("{:#}\n", json!({ "schema": 1, "tests": tests, "never_true": never, "coverage": coverage }))
    }
}
