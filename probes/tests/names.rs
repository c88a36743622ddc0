//! What the probes tell and what the core pack declares are of one type.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on ends")]

use std::collections::BTreeMap;
use std::path::Path;

use rulecheck::{FactSource, Reading};
use rulecheck_probes::{FACTS, Group, Host, RunReading, process_facts};

/// The types of the declared facts: `fact NAME: TYPE`, and the fields of `record NAME`. A range behind `in` bounds
/// readings and is no part of the type, a text behind it describes.
fn declared(rules: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut record = None;
    for line in rules.lines() {
        if !line.starts_with(' ') {
            record = line.strip_prefix("record ").and_then(|rest| rest.split(' ').next());
        }
        let fact = line.strip_prefix("fact ").and_then(|rest| rest.split_once(": "));
        let field = record.and_then(|_| line.strip_prefix("  ")?.split_once(": "));
        let Some((name, ty)) = fact.or(field) else { continue };
        let name = if fact.is_some() { name.to_owned() } else { format!("{}.{name}", record.unwrap_or_default()) };
        let ty = ty.split(" in ").next().and_then(|ty| ty.split(" \"").next()).unwrap_or_default();
        found.insert(name, ty.trim().to_owned());
    }
    found
}

fn core(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rulesets/core").join(file);
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn what_probes_tell_the_core_pack_declares() {
    let mut declared = declared(&core("facts.rules"));
    declared.extend(self::declared(&core("facts-machine.rules")));
    for fact in FACTS {
        assert_eq!(declared.get(fact.name).map(String::as_str), Some(fact.ty), "{}", fact.name);
    }
}

/// What the core pack declares with a probe is what probes tell, and with the group they tell it with.
#[test]
fn what_the_core_pack_asks_of_probes_they_tell() {
    let rules = core("facts.rules") + "\n" + &core("facts-machine.rules");
    let mut asked = 0;
    for declaration in rules.split("\n\n") {
        let Some(group) = declaration.lines().find_map(|line| line.strip_prefix("  probe ")) else { continue };
        let head = declaration.lines().find(|line| line.starts_with("fact ") || line.starts_with("record ")).unwrap();
        let name = head.split([' ', ':']).nth(1).unwrap();
        let told = FACTS.iter().filter(|fact| fact.name == name || fact.name.starts_with(&format!("{name}.")));
        let mut told = told.filter(|fact| head.starts_with("record ") || fact.name == name).peekable();
        assert!(told.peek().is_some(), "{name}");
        assert!(told.all(|fact| fact.group.as_str() == group), "{name}");
        asked += 1;
    }
    assert!(asked > 30, "{asked}");
}

/// Every variable that the packs speak of is one that the probes read.
#[test]
fn the_variables_of_the_packs_are_read() {
    let env = vec![("LANG".to_owned(), "C".to_owned())];
    let run = RunReading { env, ..RunReading::default() };
    let mut host = Host::of(move |_: Group| process_facts(Ok(&[]), Ok(Some(&run))));
    let mut variables = 0;
    for pack in ["core", "comfyui", "pytorch", "system", "webui"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rulesets").join(pack);
        for file in std::fs::read_dir(folder).unwrap() {
            let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
            let named = text.lines().filter_map(|line| {
                let rest = line.trim().strip_prefix("env ")?;
                rest.strip_prefix("off ").unwrap_or(rest).split([' ', ',']).next()
            });
            for name in named.filter(|name| name.bytes().next().is_some_and(|byte| byte.is_ascii_uppercase())) {
                assert_eq!(host.get(&format!("env.{name}")).reading, Reading::None, "{name}");
                variables += 1;
            }
        }
    }
    assert!(variables > 5, "{variables}");
}
