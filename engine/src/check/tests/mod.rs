//! What the checker finds, case by case: rule text in; code, underlined text and remedy out.

mod conditions;
mod entries;
mod extractors;
mod lints;
mod packs;
mod robust;
mod rules;
mod spec;
mod texts;
mod types;

use rulecheck_grammar::{Diagnostic, Diagnostics, Edit, Source};

use super::{Options, PackSource, check_with};
use crate::ir::Program;

/// The facts that the cases speak of.
const FACTS: &str = r#"
fact app: one of comfyui, a1111, forge
fact os: one of windows, macos, linux
fact os.version: version
fact stage: one of startup, sample, vae-encode, vae-decode "Where it failed"
fact node.type: name
fact model.file: text
fact resource: one of vram, ram, unified
fact install: one of portable, desktop, manual
fact torch.version: version
fact ram.total: size in 64 MiB..64 TiB
fact alloc.requested: size
fact alloc.limit: size
fact exit.code: number
fact fp16: bool
fact launch.args: set of text
fact module.missing: text
fact package.*: version
fact env.*: text
record gpu "A graphics processor"
  name: text
  vendor: one of nvidia, amd, intel, apple, other
  vram.total: size
  vram.free: size
  integrated: bool
  driver: version
  probe gpus
record disk
  free: size
section log.run from last "got prompt" to error
table pip.name from module.missing
  cv2 -> opencv-python-headless
  PIL -> pillow
launcher portable
  title "Windows portable package" zh "便携包"
  flag "Open the run_*.bat and add {flag} at the end of the python line."
  env "Add a line `set {name}={value}` above the python line."
  pip ".\python_embeded\python.exe -m pip {args}"
"#;

const MANIFEST: &str = r#"(name: "core", version: "1.0.0", licence: "MIT", languages: ["en", "zh"], trust: ["official-docs", "official-issue", "forum"])"#;

/// A pack with a manifest.
fn pack(manifest: &str, files: &[(&str, &str)]) -> PackSource {
    let files = files.iter().map(|(name, text)| Source::new(*name, *text)).collect();
    PackSource { manifest: Some(Source::new("pack.ron", manifest)), files }
}

fn core() -> PackSource {
    pack(MANIFEST, &[("facts.rules", FACTS)])
}

/// What a check of `rules` beside the facts gives.
#[derive(Debug)]
struct Checked {
    program: Program,
    findings: Diagnostics,
}

impl Checked {
    fn of(packs: &[PackSource], lint: bool) -> Self {
        let mut findings = Diagnostics::new();
        let program = check_with(packs, Options { lint }, &mut findings);
        findings.sort();
        Self { program, findings }
    }

    fn rules(rules: &str) -> Self {
        Self::of(&[core(), PackSource::single(Source::new("mine.rules", rules))], false)
    }

    /// The text that a finding underlines.
    fn underlined(&self, finding: &Diagnostic) -> &str {
        let (source, span) = finding.place();
        self.program.sources[source.0 as usize].slice(span)
    }

    /// All findings as `CODE underlined: message`.
    fn listed(&self) -> Vec<String> {
        self.findings.iter().map(|it| format!("{} `{}`: {}", it.code.0, self.underlined(it), it.message)).collect()
    }

    /// The rules after the edits of all findings.
    fn mended(&self) -> String {
        let source = self.program.sources.iter().next_back().expect("a source");
        let mut edits: Vec<Edit> = self.findings.iter().filter_map(|it| it.edit.clone()).collect();
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
        let mut text = source.text.to_string();
        for edit in edits {
            text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.replacement);
        }
        text
    }
}

/// Checks rules that have nothing wrong.
#[track_caller]
fn sound(rules: &str) -> Program {
    let checked = Checked::rules(rules);
    assert!(checked.findings.is_empty(), "{:#?}\nin\n{rules}", checked.listed());
    checked.program
}

/// Checks rules with one mistake: its code, the text it underlines, and words of what is said and of the remedy.
#[track_caller]
fn finds(rules: &str, code: &str, underlined: &str, words: &[&str]) -> Checked {
    let checked = Checked::rules(rules);
    one(&checked, rules, code, underlined, words);
    checked
}

#[track_caller]
fn one(checked: &Checked, rules: &str, code: &str, underlined: &str, words: &[&str]) {
    let all: Vec<_> = checked.findings.iter().filter(|it| it.code.0 != "RC0204").collect();
    let found = all.first().unwrap_or_else(|| panic!("nothing was found in\n{rules}"));
    let listed = checked.listed();
    assert_eq!(all.len(), 1, "{listed:#?}\nin\n{rules}");
    assert_eq!((found.code.0, checked.underlined(found)), (code, underlined), "{listed:#?}\nin\n{rules}");
    let help = found.help.clone().unwrap_or_default();
    let labels: Vec<_> = found.labels.iter().map(|label| label.text.as_str()).collect();
    let said = format!("{}\n{help}\n{}", found.message, labels.join("\n"));
    for word in words {
        assert!(said.contains(word), "`{word}` is not in\n{said}");
    }
    assert!(!help.is_empty(), "{listed:#?} says not what to do");
    assert!(!found.message.ends_with('.') && !found.message.starts_with(char::is_uppercase), "{}", found.message);
}

/// Checks rules with one mistake that an edit mends.
#[track_caller]
fn mends(rules: &str, code: &str, underlined: &str, mended: &str) {
    let checked = finds(rules, code, underlined, &[]);
    assert_eq!(checked.mended(), mended);
    let again = Checked::rules(mended);
    assert!(!again.findings.has_errors(), "{:#?}\nin\n{mended}", again.listed());
}

/// A rule with this condition.
fn when(condition: &str) -> String {
    format!("rule r\n  when {condition}\n  then conclude resource = vram\n")
}
