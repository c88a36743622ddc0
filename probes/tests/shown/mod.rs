//! The facts of a recorded machine as text, beside what is expected of them.

#![allow(dead_code, reason = "not every test uses all of it")]

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use rulecheck::Reading;
use rulecheck_probes::{Group, Host, Machine};

/// The facts of these groups, one a line.
pub fn printed(machine: impl Machine + 'static, groups: &[Group]) -> String {
    let survey = Host::of(machine).survey();
    let mut out = String::new();
    for fact in survey.facts.iter().filter(|fact| groups.contains(&fact.group)) {
        let said = match &fact.answer.reading {
            Reading::Known(value) => value.to_string(),
            Reading::None => "none".to_owned(),
            Reading::Unknown(reason) => format!("unknown, {reason}"),
        };
        let element = fact.element.map(|element| format!("#{element}")).unwrap_or_default();
        writeln!(out, "{}{element}: {said}", fact.name).unwrap();
    }
    out
}

/// What differs from the file of what is expected; `UPDATE_EXPECT=1` writes it, and a person reads it.
pub fn differs(expected: &Path, found: &str) -> Option<String> {
    if env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(expected, found).unwrap();
        return None;
    }
    // A checkout may have other line ends.
    let text = fs::read_to_string(expected).unwrap_or_default().replace("\r\n", "\n");
    (text != found).then(|| format!("{}:\n{found}", expected.display()))
}
