//! Findings about rule files, rendered: the one place where they become text or JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Element, Group, Level, Patch, Renderer, Snippet};
use rulecheck::{Diagnostic, Diagnostics, Severity, Source, SourceId};
use rulecheck_grammar::{Edit, Label, Span};
use serde_json::{Value as Json, json};

/// All errors, and how many there are: why a command could not go on.
pub(crate) fn errors(found: &Diagnostics, sources: &[Source], color: bool) -> String {
    let errors: Vec<_> = found.iter().filter(|finding| finding.severity == Severity::Error).collect();
    let mut out = text(&errors, sources, color);
    let _ = writeln!(out, "{}", summary(&errors));
    out
}

/// Findings with their places quoted.
pub(crate) fn text(found: &[&Diagnostic], sources: &[Source], color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.decor_style(DecorStyle::Ascii).term_width(100);
    let mut out = String::new();
    for finding in found {
        let groups = groups(finding, sources);
        let _ = writeln!(out, "{}\n", renderer.render(&groups));
    }
    out
}

/// Findings on one line each: `FILE:LINE:COLUMN: error[RC0301]: message`.
pub(crate) fn lines(found: &[&Diagnostic], sources: &[Source]) -> String {
    let mut out = String::new();
    for finding in found {
        let kind = word(finding.severity);
        let _ = writeln!(out, "{}: {kind}[{}]: {}", place(finding, sources), finding.code.0, finding.message);
    }
    out
}

/// Findings as a Markdown list.
pub(crate) fn markdown(found: &[&Diagnostic], sources: &[Source]) -> String {
    let mut out = String::new();
    for finding in found {
        let kind = word(finding.severity);
        let _ = writeln!(out, "- **{kind}** {} at `{}`: {}", finding.code.0, place(finding, sources), finding.message);
        if let Some(help) = &finding.help {
            let _ = writeln!(out, "  - {help}");
        }
    }
    out
}

/// Findings as JSON.
pub(crate) fn json(found: &[&Diagnostic], sources: &[Source]) -> String {
    let findings: Vec<_> = found.iter().map(|finding| finding_json(finding, sources)).collect();
    format!("{:#}\n", json!({ "schema": 1, "findings": findings }))
}

/// `2 errors, 1 warning`.
pub(crate) fn summary(found: &[&Diagnostic]) -> String {
    let count = |severity| found.iter().filter(|finding| finding.severity == severity).count();
    let counts = [(count(Severity::Error), "error"), (count(Severity::Warning), "warning")];
    let parts: Vec<_> = counts.iter().filter(|count| count.0 > 0).map(|&(n, word)| plural(n, word)).collect();
    parts.join(", ")
}

/// `1 file`, `2 files`.
pub(crate) fn plural(count: usize, word: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {word}{s}")
}

const fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

fn source(sources: &[Source], id: SourceId) -> Option<&Source> {
    sources.get(id.0 as usize)
}

/// `FILE:LINE:COLUMN`
fn place(finding: &Diagnostic, sources: &[Source]) -> String {
    let (id, span) = finding.place();
    source(sources, id).map_or_else(String::new, |source| {
        let at = source.position(span.start);
        format!("{}:{}:{}", source.name, at.line, at.column)
    })
}

fn groups<'a>(finding: &'a Diagnostic, sources: &'a [Source]) -> Vec<Group<'a>> {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(&*finding.message).id(finding.code.0);
    let mut first = title.elements(snippets(finding, sources));
    // A replacement repeats the help as its own title.
    let edit = finding.edit.as_ref().and_then(|edit| Some((edit, source(sources, edit.source)?)));
    let Some((edit, edited)) = edit else {
        if let Some(help) = &finding.help {
            first = first.element(Level::HELP.message(&**help));
        }
        return vec![first];
    };
    let help = finding.help.as_deref().unwrap_or("write it like this");
    let patched = Snippet::source(&*edited.text).path(&*edited.name).patch(patch(edit, edited));
    vec![first, Level::HELP.secondary_title(help).element(patched)]
}

/// One snippet per source, that of the finding first.
fn snippets<'a>(finding: &'a Diagnostic, sources: &'a [Source]) -> Vec<Element<'a>> {
    let (home, _) = finding.place();
    let mut labels: BTreeMap<(bool, SourceId), Vec<&Label>> = BTreeMap::new();
    for label in &finding.labels {
        labels.entry((label.source != home, label.source)).or_default().push(label);
    }
    let snippet = |((_, id), labels): ((bool, SourceId), Vec<&'a Label>)| {
        let source = source(sources, id)?;
        let snippet = Snippet::source(&*source.text).path(&*source.name);
        Some(Element::from(labels.iter().fold(snippet, |snippet, label| {
            let kind = if label.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            let annotation = kind.span(range(label.span, source));
            snippet.annotation(if label.text.is_empty() { annotation } else { annotation.label(&*label.text) })
        })))
    };
    labels.into_iter().filter_map(snippet).collect()
}

fn patch<'a>(edit: &'a Edit, source: &Source) -> Patch<'a> {
    Patch::new(range(edit.span, source), &*edit.replacement)
}

/// A span as the renderer takes it: within the text, at ends of characters.
fn range(span: Span, source: &Source) -> Range<usize> {
    let text = &source.text;
    let start = text.floor_char_boundary((span.start as usize).min(text.len()));
    let end = text.ceil_char_boundary((span.end as usize).min(text.len()));
    start..end.max(start)
}

fn finding_json(finding: &Diagnostic, sources: &[Source]) -> Json {
    let mut json = place_json(finding.place(), sources);
    let labels = finding.labels.iter().map(|label| {
        let mut json = place_json((label.source, label.span), sources);
        merge(&mut json, json!({ "text": label.text, "primary": label.primary }));
        json
    });
    let edit = finding.edit.as_ref().map(|edit| {
        let mut json = place_json((edit.source, edit.span), sources);
        merge(&mut json, json!({ "replacement": edit.replacement }));
        json
    });
    let said = json!({ "labels": labels.collect::<Vec<_>>(), "help": finding.help, "edit": edit });
    let mut whole = json!({ "code": finding.code.0, "severity": word(finding.severity), "message": finding.message });
    merge(&mut json, said);
    merge(&mut whole, json);
    whole
}

fn place_json((id, span): (SourceId, Span), sources: &[Source]) -> Json {
    let Some(source) = source(sources, id) else {
        return json!({ "file": null, "line": null, "column": null, "end_line": null, "end_column": null });
    };
    let (start, end) = (source.position(span.start), source.position(span.end));
    json!({
        "file": &*source.name,
        "line": start.line,
        "column": start.column,
        "end_line": end.line,
        "end_column": end.column,
    })
}

/// Puts the fields of one object behind those of another.
fn merge(into: &mut Json, from: Json) {
    if let (Json::Object(into), Json::Object(from)) = (into, from) {
        into.extend(from);
    }
}

#[cfg(test)]
mod tests {
    use rulecheck_grammar::Code;

    use super::*;

    fn found() -> (Diagnostic, Vec<Source>) {
        let sources = vec![Source::new("a.rules", "rule x\n  when 内存 > 3\n"), Source::new("b.rules", "rule x\n")];
        let finding = Diagnostic::error(Code("RC0201"), "there is no fact `内存`", SourceId(0), Span::new(14, 20))
            .label("no such fact")
            .context(SourceId(1), Span::new(5, 6), "the other rule")
            .help("declare it");
        (finding, sources)
    }

    #[test]
    fn a_finding_shows_place_labels_and_help() {
        let (finding, sources) = found();
        let out = text(&[&finding], &sources, false);
        for part in
            ["error[RC0201]: there is no fact `内存`", "a.rules:2:8", "no such fact", "b.rules:1:6", "help: declare it"]
        {
            assert!(out.contains(part), "{part} is missing in\n{out}");
        }
        assert_eq!(lines(&[&finding], &sources), "a.rules:2:8: error[RC0201]: there is no fact `内存`\n");
    }

    #[test]
    fn places_outside_the_text_do_no_harm() {
        let (_, sources) = found();
        for (start, end) in [(15, 16), (900, 901), (28, 28), (20, 14)] {
            let finding = Diagnostic::warning(Code("RC0101"), "x", SourceId(0), Span::new(start, end)).edit(
                SourceId(0),
                Span::new(start, end),
                "y",
            );
            assert!(text(&[&finding], &sources, false).contains("warning[RC0101]"));
        }
        let finding = Diagnostic::warning(Code("RC0101"), "x", SourceId(7), Span::new(0, 1));
        assert!(text(&[&finding], &sources, false).contains("warning[RC0101]"));
    }
}
