//! Where a new record begins: what ends the message of a failure that has no end mark of its own.

use crate::anchors::Marks;
use crate::failures::{frames, types};
use crate::lines::Lines;
use crate::scan::ascii_lower_starts;

/// How lines begin, in lower case, that go on with no message.
const STARTS: [&str; 46] = [
    "prompt executed in",
    "got prompt",
    "got an oom",
    "memory summary",
    "cannot import ",
    "import times for",
    "exception in thread",
    "exception in callback",
    "exception ignored in",
    "requested to load",
    "loaded completely",
    "loaded partially",
    "loading 1 new",
    "press any key",
    "fetch ",
    "### ",
    "## ",
    "# comfyui",
    "** ",
    "to see the gui",
    "starting server",
    "total vram",
    "failed to validate",
    "output will be ignored",
    "error occurred when executing",
    "!!! exception",
    "processing interrupted",
    "terminate called",
    "warn!: ",
    "model weight dtype",
    "model_type ",
    "unloading models",
    "- **",
    "--",
    "node `",
    "venv \"",
    "launching web ui",
    "set vram state",
    "pytorch version:",
    "device: ",
    "请按任意键继续",
    "processing time",
    "python version:",
    "during handling of",
    "the above exception",
    "exception code:",
];

/// How paragraphs begin, in lower case, that belong to the message although a blank line stands before them.
const PARAGRAPHS: [&str; 12] = [
    "file path:",
    "the safetensors file",
    "if the clip is from",
    "tips:",
    "this error means you ran out",
    "set torch_logs",
    "you can suppress this",
    "import torch._dynamo",
    "(1) in pytorch",
    "(2) alternatively",
    "please file an issue",
    "from user code",
];

/// How lines begin, in lower case, that go on with no message.
pub(crate) fn record_starts() -> impl Iterator<Item = &'static str> {
    STARTS.into_iter()
}

/// Whether a line begins something else than the text before it.
pub(crate) fn starts(lines: &Lines<'_>, index: usize) -> bool {
    let marked = Marks::HEADER
        | Marks::PROCESSING
        | Marks::EXECUTING
        | Marks::REPORT
        | Marks::CONNECTOR
        | Marks::VALIDATION
        | Marks::STACK;
    let text = lines.text(index).trim();
    lines.has(index, marked)
        || STARTS.iter().any(|start| ascii_lower_starts(text, start))
        || frames::frame(lines, index).is_some()
        || progress(text)
        || prompt(text)
        || tag(text)
        || (text.len() > 1 && text.starts_with('|') && text.ends_with('|'))
        || lines.sure(index).is_some()
}

/// How lines begin that go on with nothing, where a paste was wrapped.
const ANEW: [&str; 12] =
    ["file \"", "traceback (", "- **", "* ", "- ", "+ ", "| ", "#", "!!!", "**", "```", "(source line"];

/// Whether a line begins something else than the line before it, by its own text alone. `indented` says so, too, where
/// wrapping leaves no blanks at the start of a line.
pub(crate) fn begins_anew(line: &str, indented: bool) -> bool {
    let text = line.trim();
    (indented && line.starts_with([' ', '\t']))
        || text.is_empty()
        || ANEW.iter().chain(&STARTS).any(|start| ascii_lower_starts(text, start))
        || progress(text)
        || prompt(text)
        || tag(text)
        || frames::filler(text)
        || types::sure(text).is_some_and(|found| found.name.start == 0 && found.message > found.name.end)
}

/// How lines begin, in lower case, that go on with PyTorch's messages.
const HINTS: [&str; 14] = [
    "cuda kernel errors",
    "hip kernel errors",
    "xpu kernel errors",
    "for debugging",
    "compile with",
    "search for",
    "currently allocated",
    "requested",
    "device limit",
    "free (according",
    "pytorch limit",
    ": 1717",
    "please ",
    "see documentation",
];

/// Whether a line goes on with a message where every line has a stamp, which hides where records begin.
pub(crate) fn hint(text: &str) -> bool {
    let line = text.trim_start();
    line.len() < text.len() || HINTS.iter().any(|start| ascii_lower_starts(line, start)) || continues(line)
}

/// Whether a paragraph belongs to the message before it.
pub(crate) fn continues(text: &str) -> bool {
    PARAGRAPHS.iter().any(|start| ascii_lower_starts(text.trim_start(), start))
}

/// Whether a line is a progress bar.
pub(crate) fn progress(text: &str) -> bool {
    text.contains("%|") || text.ends_with("it/s]") || text.ends_with("s/it]")
}

/// Whether a line is a shell's prompt with a command.
pub(crate) fn prompt(text: &str) -> bool {
    let bytes = text.as_bytes();
    let drive = matches!(bytes.get(1..3), Some(b":\\")) && text.contains('>');
    let named = text.split(' ').next().is_some_and(|word| word.contains('@') && !word.contains(['"', '<', '/']))
        && text.contains(['$', '%', '#']);
    let environment =
        text.starts_with('(') && text.find(") ").is_some_and(|at| at < 30) && text.contains(['$', '%', '>']);
    drive || named || environment || text.starts_with("$ ") || text.starts_with("PS ") && text.contains('>')
}

/// `[ComfyUI-Manager] …`: a program that names itself.
fn tag(text: &str) -> bool {
    let Some(close) = text.starts_with('[').then(|| text.bytes().take(40).position(|byte| byte == b']')).flatten()
    else {
        return false;
    };
    let named = text
        .get(1..close)
        .is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.contains(' '));
    named && text.get(close + 1..).is_some_and(|rest| rest.starts_with(' '))
}
