//! `rulecheck probe`

use std::collections::BTreeMap;
use std::fmt::Write as _;

use rulecheck::report::{Detail, Markup, Tone, value_json};
use rulecheck::{Given, Reading, Reason, Ruleset, Value};
use rulecheck_probes::{Cost, Host, Survey, Surveyed};
use serde_json::{Value as Json, json};

use super::Status;
use crate::args::Format;
use crate::config::Config;
use crate::failure::Result;
use crate::{output, packs};

pub(crate) fn run(mask: bool, config: &Config) -> Result<Status> {
    config.only("probe", &[Format::Text, Format::Json, Format::Ron, Format::Markdown])?;
    let mut survey = Host::new().survey();
    if mask {
        survey.facts.retain(|fact| !fact.private);
        survey.facts.iter_mut().for_each(mask_reason);
    }
    match config.format {
        Format::Json => output::text(&json(&survey))?,
        Format::Ron => output::text(&ron(&survey, &packs::ruleset(config, &config.rules, config.only_rules)?))?,
        Format::Markdown => output::text(&markdown(&survey))?,
        Format::Text => output::markup(&text(&survey, config.detail), config.color)?,
    }
    Ok(Status::Yes)
}

/// Why something is unknown may name a file, and a file its owner.
fn mask_reason(fact: &mut Surveyed) {
    let Reading::Unknown(reason) = &mut fact.answer.reading else { return };
    match reason {
        Reason::NotPresent(why)
        | Reason::NotPermitted(why)
        | Reason::TimedOut(why)
        | Reason::Unreadable(why)
        | Reason::Contradicted(why) => *why = without_paths(why),
        Reason::NotStated | Reason::NotAsked | Reason::ProbesOff | Reason::Undecided => {}
    }
}

/// A text with no path in it but those that every machine has.
fn without_paths(text: &str) -> String {
    const COMMON: [&str; 6] = ["/proc/", "/sys/", "/dev/", "/etc/", "/usr/", "/run/"];
    let word = |word: &str| {
        let path = word.trim_start_matches(['`', '\'', '"', '(']);
        let is_path = path.starts_with(['/', '~', '\\']) || path.contains(":\\") || path.contains(":/");
        if is_path && path.len() > 1 && !COMMON.iter().any(|common| path.starts_with(common)) {
            "(a path)".to_owned()
        } else {
            word.to_owned()
        }
    };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// `gpu[0].name`
fn name(fact: &Surveyed) -> String {
    match (fact.element, fact.name.split_once('.')) {
        (Some(index), Some((record, field))) => format!("{record}[{index}].{field}"),
        _ => fact.name.clone(),
    }
}

fn reading(fact: &Surveyed) -> String {
    match &fact.answer.reading {
        Reading::Known(value) => value.to_string(),
        Reading::None => "none".to_owned(),
        // What a driver's library says may have several lines.
        Reading::Unknown(reason) => format!("unknown: {reason}").replace(['\n', '\r'], " "),
    }
}

/// By group, with the time each took; facts that are unknown stay, with the reason.
fn text(survey: &Survey, detail: Detail) -> Markup {
    let column = survey.facts.iter().map(|fact| name(fact).len()).max().unwrap_or(0) + 2;
    let mut out = Markup::new();
    for group in &survey.groups {
        let millis = group.cost.as_secs_f64() * 1000.0;
        out.push(Tone::Heading, group.group.as_str());
        let source = group.group.source();
        out.push(Tone::Faint, &format!("  probe: {source}; read at {} in {millis:.1} ms\n", group.time));
        for fact in survey.facts.iter().filter(|fact| fact.group == group.group) {
            let known = !matches!(fact.answer.reading, Reading::Unknown(_));
            if !known && detail == Detail::Brief {
                continue;
            }
            out.push(Tone::Plain, &format!("  {:column$}", name(fact)));
            out.push(if known { Tone::Strong } else { Tone::Faint }, &reading(fact));
            out.end_line();
        }
    }
    if detail != Detail::Brief {
        out.push(Tone::Faint, "Nothing of this leaves this computer; `diagnose` asks only for what it needs, and --probe never switches that off.\n");
    }
    out
}

/// As the text: by group, with the source and the time, which free memory needs to be believed.
fn markdown(survey: &Survey) -> String {
    let mut out = String::new();
    for group in &survey.groups {
        let (source, millis) = (group.group.source(), group.cost.as_secs_f64() * 1000.0);
        let _ = writeln!(out, "### {}\n\nFrom {source}; read at {} in {millis:.1} ms\n", group.group, group.time);
        for fact in survey.facts.iter().filter(|fact| fact.group == group.group) {
            let _ = writeln!(out, "- `{}`: {}", name(fact), without_controls(&reading(fact)));
        }
        out.push('\n');
    }
    out
}

/// What a program was started with may move the cursor of whoever reads it.
fn without_controls(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

fn json(survey: &Survey) -> String {
    let facts: Vec<_> = survey.facts.iter().map(fact_json).collect();
    let groups: Vec<_> = survey
        .groups
        .iter()
        .map(|group| {
            json!({
                "group": group.group.as_str(),
                "source": group.group.source(),
                "time": group.time,
                "milliseconds": group.cost.as_secs_f64() * 1000.0,
            })
        })
        .collect();
    format!("{:#}\n", json!({ "schema": 1, "facts": facts, "groups": groups }))
}

fn fact_json(fact: &Surveyed) -> Json {
    let (value, state, reason) = match &fact.answer.reading {
        Reading::Known(value) => (value_json(value), "known", None),
        Reading::None => (Json::Null, "none", None),
        Reading::Unknown(reason) => (Json::Null, "unknown", Some(reason.to_string())),
    };
    json!({
        "name": fact.name,
        "element": fact.element,
        "value": value,
        "state": state,
        "reason": reason,
        "origin": "probe",
        "group": fact.group.as_str(),
        "private": fact.private,
        "time": fact.answer.time,
    })
}

/// What `--facts` reads: known facts and those that are known to be none, records as lists of their elements. What is
/// unknown, or what no pack asks for, stands as a comment.
fn ron(survey: &Survey, ruleset: &Ruleset) -> String {
    let mut elements: BTreeMap<(&str, usize), Vec<&Surveyed>> = BTreeMap::new();
    let mut out = String::from("{\n");
    for Cost { group, time, .. } in &survey.groups {
        let _ = writeln!(out, "    // {group}: read at {time}");
    }
    for fact in &survey.facts {
        if !is_taken(fact, ruleset) {
            let _ = writeln!(out, "    // {}: {}", name(fact), reading(fact));
        } else if let (Some(index), Some((record, _))) = (fact.element, fact.name.split_once('.')) {
            elements.entry((record, index)).or_default().push(fact);
        } else {
            let _ = writeln!(out, "    {:?}: {},", fact.name, value_ron(&fact.answer.reading));
        }
    }
    ron_records(&elements, &mut out);
    out.push_str("}\n");
    out
}

/// Whether a fact can be given: it is not unknown, and a pack declares it like this.
fn is_taken(fact: &Surveyed, ruleset: &Ruleset) -> bool {
    let value = match &fact.answer.reading {
        Reading::Known(Value::Size(bytes)) => bytes.to_string(),
        Reading::Known(value) => value.to_string(),
        Reading::None => "none".to_owned(),
        Reading::Unknown(_) => return false,
    };
    let mut given = Given::new();
    match (fact.element, fact.name.split_once('.')) {
        (Some(_), Some((record, field))) => given.set_element(ruleset, record, &[(field, &value)]).is_ok(),
        _ => given.set(ruleset, &fact.name, &value).is_ok(),
    }
}

fn ron_records(elements: &BTreeMap<(&str, usize), Vec<&Surveyed>>, out: &mut String) {
    let mut records: Vec<&str> = elements.keys().map(|key| key.0).collect();
    records.dedup();
    for record in records {
        let _ = writeln!(out, "    {record:?}: [");
        for fields in elements.range((record, 0)..=(record, usize::MAX)).map(|(_, fields)| fields) {
            out.push_str("        {\n");
            for field in fields {
                let name = field.name.split_once('.').map_or("", |(_, name)| name);
                let _ = writeln!(out, "            {name:?}: {},", value_ron(&field.answer.reading));
            }
            out.push_str("        },\n");
        }
        out.push_str("    ],\n");
    }
}

fn value_ron(reading: &Reading) -> String {
    match reading {
        Reading::Known(value) => one_ron(value),
        Reading::None | Reading::Unknown(_) => "None".to_owned(),
    }
}

fn one_ron(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Size(bytes) => bytes.to_string(),
        Value::Version(version) => format!("{:?}", version.to_string()),
        Value::Text(text) => format!("{:?}", &**text),
        Value::Set(items) => format!("[{}]", items.iter().map(one_ron).collect::<Vec<_>>().join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rulecheck::value::Number;
    use rulecheck::{Answer, Version};
    use rulecheck_probes::{FACTS, Group};

    use super::*;
    use crate::given;

    fn surveyed(name: &str, element: Option<usize>, reading: Reading) -> Surveyed {
        let fact =
            FACTS.iter().find(|fact| fact.name == name || fact.name == "env.*" && name.starts_with("env.")).unwrap();
        let answer = Answer { reading, time: Some("2026-11-30T20:29:05Z".to_owned()) };
        let (group, cost) = (fact.group, Duration::from_millis(1));
        Surveyed { name: name.to_owned(), element, group, cost, private: fact.private, answer }
    }

    /// A value of every type, none, and a reason.
    fn survey() -> Survey {
        let known = Reading::Known;
        let version = known(Value::Version(Version::parse("24.04").unwrap()));
        let flags = ["--lowvram", "--port"].into_iter().map(Value::text).collect();
        let facts = vec![
            surveyed("cpu.cores", None, known(Value::Number(Number::new(16.0).unwrap()))),
            surveyed("env.PYTORCH_CUDA_ALLOC_CONF", None, known(Value::text("a:\"b\"\u{1b}"))),
            surveyed("gpu.bus", Some(0), Reading::Unknown(Reason::Unreadable("two\nlines".to_owned()))),
            surveyed("gpu.name", Some(0), known(Value::text("RTX 4090"))),
            surveyed("gpu.name", Some(1), Reading::None),
            surveyed("launch.args", None, known(Value::Set(flags))),
            surveyed("os.version", None, version),
            surveyed("ram.limit", None, Reading::None),
            surveyed("ram.total", None, known(Value::Size(64 << 30))),
            surveyed("wsl", None, known(Value::Bool(false))),
        ];
        let cost = Cost { group: Group::Memory, cost: Duration::ZERO, time: "2026-11-30T20:29:05Z".to_owned() };
        Survey { facts, groups: vec![cost] }
    }

    #[test]
    fn a_page_has_no_signs_that_move_the_cursor() {
        let page = markdown(&Survey {
            groups: vec![Cost { group: Group::Processes, cost: Duration::ZERO, time: String::new() }],
            ..survey()
        });
        assert!(page.contains("- `env.PYTORCH_CUDA_ALLOC_CONF`: a:\"b\"\u{fffd}\n"), "{page}");
    }

    #[test]
    fn masked_reasons_name_no_files_of_a_person() {
        let why = "the library does not load: /home/me/nv/libnvidia-ml.so.1: file too short";
        let mut fact = surveyed("gpu.bus", Some(0), Reading::Unknown(Reason::Unreadable(why.to_owned())));
        mask_reason(&mut fact);
        assert_eq!(reading(&fact), "unknown: unreadable: the library does not load: (a path) file too short");
        for (text, masked) in [
            (r"`C:\Users\me\x` is gone", "(a path) is gone"),
            ("/proc/meminfo has no MemTotal", "/proc/meminfo has no MemTotal"),
            ("8.5 GiB / 2 GiB", "8.5 GiB / 2 GiB"),
        ] {
            assert_eq!(without_paths(text), masked);
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let ruleset = rulecheck_rulesets::bundled().unwrap();
        let text = ron(&survey(), &ruleset);
        let path = std::env::temp_dir().join(format!("rulecheck-{}-probe.ron", std::process::id()));
        std::fs::write(&path, &text).unwrap();
        let stated = given::stated(std::slice::from_ref(&path), &[]);
        std::fs::remove_file(&path).unwrap();
        let stated = stated.unwrap();
        given::given(&ruleset, &stated).unwrap();
        assert_eq!(stated.len(), 9, "{text}");
        assert!(text.contains("// gpu[0].bus: unknown: unreadable: two lines\n"), "{text}");
    }
}
