//! What the probes tell and what the core pack declares are of one type.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on ends")]

use std::collections::BTreeMap;
use std::path::Path;

use rulecheck_probes::FACTS;

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

#[test]
fn probes_tell_what_the_core_pack_declares() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rulesets/core/facts.rules");
    let declared = declared(&std::fs::read_to_string(path).unwrap());
    let mut shared = 0;
    for fact in FACTS {
        if let Some(ty) = declared.get(fact.name) {
            assert_eq!(fact.ty, ty, "{}", fact.name);
            shared += 1;
        }
    }
    assert!(shared > 20, "only {shared} facts of the core pack have a probe");
}
