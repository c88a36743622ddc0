//! What an input is taken for.

use rulecheck::evidence::{Document, Failure, Form};

use crate::copy::Copy;

/// Lines that only a console prints.
const CONSOLE: [&str; 8] = [
    "got prompt",
    "Total VRAM ",
    "pytorch version:",
    "Set vram state to:",
    "Requested to load ",
    "Prompt executed in",
    "it/s]",
    "** Platform:",
];

/// The kind of an input, from what was found in it.
pub(crate) fn of(copy: &Copy, failures: &[Failure], documents: &[Document]) -> &'static str {
    let text = copy.text.trim_start();
    if text.starts_with(['{', '[']) && !documents.is_empty() {
        return "json";
    }
    let has = |form: Form| failures.iter().any(|failure| failure.form == form);
    if has(Form::Report) && documents.iter().all(|document| !matches!(document.kind, "execution-error" | "history")) {
        return "comfyui-report";
    }
    if copy.stamps.len() > 2 || CONSOLE.iter().any(|line| copy.text.contains(line)) {
        return "console-log";
    }
    if has(Form::Traceback) { "traceback" } else { "text" }
}
