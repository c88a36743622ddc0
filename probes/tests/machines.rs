//! Recorded Linux machines: what stood in their files, and the facts that become of it.
//!
//! `UPDATE_EXPECT=1` writes the `.out` beside each recording; a person reads it.

#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test that cannot go on ends; it writes what it expects on demand"
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use rulecheck::{Reading, Reason};
use rulecheck_probes::linux::{self, Recorded};
use rulecheck_probes::nvml::NvidiaReading;
use rulecheck_probes::{Facts, Group, Host, gpu_facts, memory_facts, system_facts, user_facts};

/// A machine without NVIDIA's library.
fn facts(tree: &Recorded, group: Group) -> Facts {
    let missing = Reason::NotPresent("no library of an NVIDIA driver".to_owned());
    let nvidia = NvidiaReading { cards: Vec::new(), rest: Some(missing.clone()) };
    match group {
        Group::System => system_facts(&linux::system(tree)),
        Group::Memory => memory_facts(&linux::memory(tree)),
        Group::Gpus => gpu_facts(linux::gpus(tree, nvidia)),
        Group::GpuPrograms => user_facts(linux::users(tree, Err(missing))),
        Group::Disks | Group::Processes => Facts::default(),
    }
}

fn printed(tree: Recorded) -> String {
    let survey = Host::of(move |group| facts(&tree, group)).survey();
    let mut out = String::new();
    let read = |group| !matches!(group, Group::Disks | Group::Processes);
    for fact in survey.facts.iter().filter(|fact| read(fact.group)) {
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

fn recordings() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/machines");
    let mut found: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.extension().is_some_and(|ending| ending == "txt"));
    found.sort();
    found
}

#[test]
fn recorded_machines_become_their_facts() {
    let mut wrong = Vec::new();
    for recording in recordings() {
        let found = printed(Recorded::parse(&fs::read_to_string(&recording).unwrap()));
        let expected = recording.with_extension("out");
        if env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&expected, &found).unwrap();
        } else if fs::read_to_string(&expected).unwrap_or_default() != found {
            wrong.push(format!("{}:\n{found}", expected.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
