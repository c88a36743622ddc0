//! Who may use whom, held against what cargo says of the workspace.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, and says what it measured"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Of each crate of the workspace, the crates of the workspace it may use.
const MAY_USE: [(&str, &[&str]); 7] = [
    ("rulecheck-grammar", &[]),
    ("rulecheck", &["rulecheck-grammar"]),
    ("rulecheck-readers", &["rulecheck"]),
    ("rulecheck-probes", &["rulecheck"]),
    ("rulecheck-rulesets", &["rulecheck"]),
    (
        "rulecheck-cli",
        &["rulecheck", "rulecheck-grammar", "rulecheck-probes", "rulecheck-readers", "rulecheck-rulesets"],
    ),
    (
        "rulecheck-tests",
        &["rulecheck", "rulecheck-grammar", "rulecheck-probes", "rulecheck-readers", "rulecheck-rulesets"],
    ),
];

/// Crates from elsewhere that one crate of the workspace alone may use, in whatever way.
const ALONE: [(&str, &str); 8] = [
    ("pest", "rulecheck-grammar"),
    ("pest_derive", "rulecheck-grammar"),
    ("sysinfo", "rulecheck-probes"),
    ("nvml-wrapper", "rulecheck-probes"),
    ("encoding_rs", "rulecheck-readers"),
    ("clap", "rulecheck-cli"),
    ("clap_complete", "rulecheck-cli"),
    ("annotate-snippets", "rulecheck-cli"),
];

/// What a dependency is for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Use {
    of: String,
    /// `normal`, `dev` or `build`.
    kind: String,
}

fn metadata() -> Value {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let call = ["metadata", "--format-version", "1", "--no-deps", "--offline"];
    let output = Command::new(cargo).args(call).current_dir(root).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn uses(metadata: &Value) -> BTreeMap<String, BTreeSet<Use>> {
    let packages = metadata["packages"].as_array().unwrap();
    let kind = |dependency: &Value| dependency["kind"].as_str().unwrap_or("normal").to_owned();
    let of = |package: &Value| {
        let dependencies = package["dependencies"].as_array().unwrap();
        dependencies.iter().map(|dependency| Use { of: text(&dependency["name"]), kind: kind(dependency) }).collect()
    };
    packages.iter().map(|package| (text(&package["name"]), of(package))).collect()
}

#[test]
fn crates_use_only_what_stands_below_them() {
    let uses = uses(&metadata());
    let known: BTreeSet<&str> = MAY_USE.iter().map(|(name, _)| *name).collect();
    assert_eq!(uses.keys().map(String::as_str).collect::<BTreeSet<_>>(), known, "the crates of the workspace");
    for (name, allowed) in MAY_USE {
        for used in uses[name].iter().filter(|used| known.contains(used.of.as_str()) && used.kind != "dev") {
            assert!(allowed.contains(&used.of.as_str()), "{name} uses {}, which stands beside or above it", used.of);
        }
        for used in uses[name].iter().filter(|used| known.contains(used.of.as_str()) && used.kind == "dev") {
            let above = ["rulecheck-cli", "rulecheck-tests"].contains(&used.of.as_str());
            assert!(!above, "the tests of {name} use {}", used.of);
        }
    }
}

#[test]
fn what_belongs_in_one_place_is_used_there_alone() {
    for (name, uses) in uses(&metadata()) {
        for (dependency, owner) in ALONE {
            let found = uses.iter().any(|used| used.of == dependency);
            assert!(!found || name == owner, "{name} uses {dependency}, which is for {owner} alone");
        }
    }
}

#[test]
fn examples_belong_to_the_program() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().unwrap();
    let root = text(&metadata["workspace_root"]).replace('\\', "/");
    for package in packages {
        for target in package["targets"].as_array().unwrap() {
            let source = text(&target["src_path"]).replace('\\', "/");
            let shown = source.replace("/cli/..", "").starts_with(&format!("{root}/examples/"));
            assert!(!shown || package["name"] == "rulecheck-cli", "{source} belongs to {}", package["name"]);
        }
    }
    let cli = packages.iter().find(|package| package["name"] == "rulecheck-cli").unwrap();
    let examples = cli["targets"].as_array().unwrap().iter().filter(|target| target["kind"][0] == "example");
    assert_eq!(
        examples.map(|target| text(&target["name"])).collect::<BTreeSet<_>>(),
        ["bot".to_owned(), "launcher".to_owned()].into()
    );
}

#[test]
fn the_engine_is_kept_pure_by_its_lints() {
    let lints = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/clippy.toml")).unwrap();
    for path in ["std::fs::", "std::env::", "std::time::", "std::net::", "std::process::", "std::thread::"] {
        assert!(lints.contains(path), "engine/clippy.toml does not forbid {path}");
    }
}
