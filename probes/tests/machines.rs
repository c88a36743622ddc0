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

mod shown;

use std::fs;
use std::path::{Path, PathBuf};

use rulecheck::Reason;
use rulecheck_probes::linux::{self, Recorded};
use rulecheck_probes::nvml::NvidiaReading;
use rulecheck_probes::{Facts, Group, gpu_facts, memory_facts, system_facts, user_facts};
use shown::{differs, printed};

/// The groups that stand in files.
const READ: [Group; 4] = [Group::System, Group::Memory, Group::Gpus, Group::GpuPrograms];

/// A machine without NVIDIA's library.
fn facts(tree: &Recorded, group: Group) -> Facts {
    let missing = Reason::NotPresent("no library of an NVIDIA driver".to_owned());
    let nvidia = NvidiaReading { cards: Vec::new(), rest: Some(missing.clone()) };
    match group {
        Group::System => system_facts(&linux::system(tree)),
        Group::Memory => memory_facts(&linux::memory(tree)),
        Group::Gpus => gpu_facts(linux::gpus(tree, nvidia)),
        Group::GpuPrograms => user_facts(linux::users(tree, || Err(missing))),
        Group::Disks | Group::Processes => Facts::default(),
    }
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
        let tree = Recorded::parse(&fs::read_to_string(&recording).unwrap());
        let found = printed(move |group| facts(&tree, group), &READ);
        wrong.extend(differs(&recording.with_extension("out"), &found));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
