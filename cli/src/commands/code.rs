//! The page of a finding's code, as `rulecheck show RC0301` prints it.

use rulecheck::report::{Markup, Tone};
use serde_json::json;

use super::Status;
use crate::args::Format;
use crate::config::Config;
use crate::failure::{Failure, Result};
use crate::output;

/// The pages of `docs/codes`, by code.
const PAGES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/codes.rs"));

/// Whether an id is written as codes are: `RC0301`, in either case.
pub(super) fn is_code(id: &str) -> bool {
    let Some((prefix, number)) = id.split_at_checked(2) else { return false };
    prefix.eq_ignore_ascii_case("rc") && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// Prints the page of a code.
pub(super) fn show(code: &str, config: &Config) -> Result<Status> {
    let Some((code, page)) = PAGES.iter().find(|(own, _)| own.eq_ignore_ascii_case(code)) else {
        return Err(Failure::line(unknown(code)));
    };
    match config.format {
        Format::Json => {
            let (title, body) = parts(page);
            let title = title.split_once(": ").map_or(title, |(_, title)| title);
            let entry = json!({ "kind": "code", "id": code, "title": title, "text": body });
            output::text(&format!("{:#}\n", json!({ "schema": 1, "entries": [entry] })))?;
        }
        Format::Markdown => output::text(page)?,
        Format::Text | Format::Ron => output::markup(&text(page), config.color)?,
    }
    Ok(Status::Yes)
}

fn unknown(code: &str) -> String {
    let hint = match nearest(code) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => "codes look like `RC0301`; `rulecheck check` prints the one of each finding".to_owned(),
    };
    format!("there is no finding with the code `{code}`; {hint}")
}

/// The nearest number of the same kind of findings; else the code that this one is most likely a slip of.
fn nearest(code: &str) -> Option<&'static str> {
    let number = |code: &str| code.get(2..)?.parse::<u32>().ok();
    let wanted = number(code).filter(|_| code.len() == 6)?;
    let of_kind = PAGES.iter().filter_map(|(own, _)| Some((*own, number(own)?)));
    let of_kind = of_kind.filter(|(_, number)| number / 100 == wanted / 100);
    let near = of_kind.min_by_key(|(_, number)| number.abs_diff(wanted)).map(|(own, _)| own);
    near.or_else(|| rulecheck_grammar::nearest(code, PAGES.iter().map(|(own, _)| *own)))
}

/// The heading of a page without its `#`, and what stands below it.
fn parts(page: &str) -> (&str, &str) {
    let (heading, body) = page.split_once('\n').unwrap_or((page, ""));
    (heading.trim_start_matches(['#', ' ']), body.trim())
}

/// A page for the terminal: examples are indented instead of fenced.
fn text(page: &str) -> Markup {
    let (heading, body) = parts(page);
    let mut out = Markup::new();
    out.push(Tone::Heading, heading);
    out.end_line();
    out.end_line();
    let mut inside = false;
    for line in body.lines() {
        if line.starts_with("```") {
            inside = !inside;
            continue;
        }
        if inside && !line.is_empty() {
            out.push(Tone::Code, &format!("    {line}"));
        } else {
            out.push(Tone::Plain, line);
        }
        out.end_line();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_told_from_ids() {
        assert!(is_code("RC0301") && is_code("rc9"));
        assert!(!is_code("RC") && !is_code("rocm") && !is_code("rc03x1") && !is_code("ré"));
    }

    #[test]
    fn a_page_is_printed_without_fences() {
        let printed = text("# RC0001: x\n\nWhy.\n\n```rules\nrule r\n\n  when a\n```\n").plain();
        assert_eq!(printed, "RC0001: x\n\nWhy.\n\n    rule r\n\n      when a\n");
    }

    #[test]
    fn an_unknown_code_offers_the_nearest() {
        assert!(unknown("RC0402").contains("did you mean `RC0401`?"));
        assert!(unknown("rc0399").contains("did you mean `RC03"));
        assert!(unknown("RC3001").contains("did you mean `RC0"));
        assert!(unknown("RC9").contains("codes look like"));
    }
}
