//! `rulecheck test`

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

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
    let (mut reports, mut seen) = ruleset.run_tests(&mut read);
    reports.retain(|report| is_own(report.site));
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

/// Rules that no test makes true.
pub(crate) fn never_true(seen: &Coverage) -> impl Iterator<Item = &Covered> {
    seen.rules.iter().filter(|rule| !rule.seen_true)
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
        for rule in self.seen.into_iter().flat_map(never_true) {
            out.push(Tone::Warn, "never true ");
            out.push(Tone::Plain, &format!("{}  {}\n", rule.name, self.place(rule.site)));
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
            if let Some(explanation) = failure.explanation.as_ref().filter(|_| self.config.detail == Detail::Full) {
                out.push(Tone::Plain, &report::explanation_text(explanation, &self.config.style()).plain());
            }
        }
    }

    fn json(&self) -> String {
        let tests: Vec<_> = self.reports.iter().map(|report| {
            let failures: Vec<_> = report.failures.iter().map(|failure| {
                json!({ "place": self.place(failure.site), "message": failure.message })
            }).collect();
            json!({ "name": report.name, "place": self.place(report.site), "passed": failures.is_empty(), "failures": failures })
        }).collect();
        let never: Vec<_> = self.seen.into_iter().flat_map(never_true).map(|rule| rule.name.as_str()).collect();
        format!("{:#}\n", json!({ "schema": 1, "tests": tests, "never_true": never }))
    }
}
