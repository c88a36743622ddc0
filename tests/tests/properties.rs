//! What must hold of every program: monotonicity, proofs that can be replayed, least changes that do what they say.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, and says what it measured"
)]

use std::collections::BTreeMap;

use rulecheck::explanation::{ChangeBy, ProofNode, Truth};
use rulecheck::{Diagnosis, Origin, Value};
use rulecheck_tests::agreement::{Compiled, Fault, compare, compile, setting};
use rulecheck_tests::reference::World;
use rulecheck_tests::world::{answer, diagnose};

/// Shows generated programs to a check and fails with the first fault.
fn check(programs: u64, worlds: usize, fault: &Fault<'_>) {
    let first = setting("RULECHECK_SEED", 1);
    match compare(first..first + setting("RULECHECK_PROGRAMS", programs), worlds, fault) {
        Ok(compared) => println!("{compared:?}"),
        Err(fault) => panic!("{fault}"),
    }
}

/// The names of the rules of a program.
fn rules(compiled: &Compiled) -> Vec<String> {
    compiled.ruleset.program().rules.iter().map(|rule| rule.name.to_string()).collect()
}

fn quote(compiled: &Compiled, name: &str) -> String {
    let program = compiled.ruleset.program();
    let rule = program.rules.iter().find(|rule| &*rule.name == name);
    rule.map_or_else(String::new, |rule| {
        let unless = rule
            .unless
            .as_ref()
            .map_or_else(String::new, |unless| format!(" unless {}", compiled.ruleset.quote(unless.site)));
        compiled.ruleset.quote(rule.when.site) + &unless
    })
}

/// What each rule came to.
fn truths(compiled: &Compiled, diagnosis: &Diagnosis) -> BTreeMap<String, Truth> {
    let value =
        |name: &String| diagnosis.explain(&format!("rule:{name}")).map(|answer| (name.clone(), answer.proof.value));
    rules(compiled).iter().filter_map(value).collect()
}

/// Whether a program asks what learning a fact may turn: its state, or that there is no problem; or has an exception.
fn turns(compiled: &Compiled) -> bool {
    rules(compiled)
        .iter()
        .map(|name| quote(compiled, name))
        .any(|text| [" is ", "no problem", " unless "].iter().any(|words| text.contains(words)))
}

#[test]
fn learning_an_unknown_fact_turns_nothing() {
    let learnt = [
        ("flag", Value::Bool(true)),
        ("lamp", Value::Bool(false)),
        ("room", Value::Size(8 << 30)),
        ("sys", Value::text("mac")),
    ];
    let fault = |compiled: &Compiled, facts: &World| {
        if turns(compiled) {
            return None;
        }
        let mut facts = facts.clone();
        facts.host.clear();
        let before = truths(compiled, &diagnose(&compiled.ruleset, &facts).ok()?);
        for (name, value) in &learnt {
            if facts.given.contains_key(*name) {
                continue;
            }
            for read in [Some(value.clone()), None] {
                let mut more = facts.clone();
                more.given.insert((*name).to_owned(), read.clone());
                let after = truths(compiled, &diagnose(&compiled.ruleset, &more).ok()?);
                let turned =
                    before.iter().find(|(rule, value)| **value != Truth::Unknown && after.get(*rule) != Some(*value));
                if let Some((rule, value)) = turned {
                    return Some(format!(
                        "rule {rule} was {value:?}, and with {name} = {read:?} it is {:?}",
                        after.get(rule)
                    ));
                }
            }
        }
        None
    };
    check(300, 10, &fault);
}

#[test]
fn the_order_of_facts_is_irrelevant() {
    let fault = |compiled: &Compiled, facts: &World| {
        let mut backwards = rulecheck::Given::new();
        for record in facts.absent.iter().rev() {
            backwards.set(&compiled.ruleset, record, "none").ok()?;
        }
        for (name, value) in facts.given.iter().rev() {
            let value = value.as_ref().map_or_else(|| "none".to_owned(), rulecheck_tests::world::raw);
            backwards.set(&compiled.ruleset, name, &value).ok()?;
        }
        let mut host = rulecheck_tests::world::Host(facts);
        let other = compiled.ruleset.diagnose_with(&rulecheck::Evidence::default(), &backwards, &mut host).ok()?;
        let (one, other) = (answer(&diagnose(&compiled.ruleset, facts).ok()?), answer(&other));
        (one != other).then(|| format!("{one:#?}\n{other:#?}"))
    };
    check(100, 10, &fault);
}

/// The facts that a proof ends in.
fn leaves(node: &ProofNode, into: &mut Vec<String>) {
    if let Some(fact) = node.fact.as_ref().filter(|_| node.children.is_empty()) {
        into.push(fact.clone());
    }
    node.children.iter().for_each(|child| leaves(child, into));
}

#[test]
fn the_leaves_of_a_proof_alone_lead_to_the_same_conclusion() {
    let fault = |compiled: &Compiled, facts: &World| {
        let diagnosis = diagnose(&compiled.ruleset, facts).ok()?;
        let known: BTreeMap<String, Option<Value>> =
            diagnosis.facts().iter().map(|fact| (fact.name().to_owned(), fact.value().cloned())).collect();
        for rule in rules(compiled) {
            let text = quote(compiled, &rule);
            let proof = diagnosis.explain(&format!("rule:{rule}"))?.proof;
            let mut names = Vec::new();
            leaves(&proof, &mut names);
            // Elements can be given one by one only; and what `no problem` rests on is every rule.
            let apart = ["card", "no problem"].iter().any(|words| format!("{proof:?}").contains(words));
            if apart || proof.value == Truth::Unknown {
                continue;
            }
            let given = names.iter().filter_map(|name| Some((name.clone(), known.get(name)?.clone()))).collect();
            let again = World { given, ..World::default() };
            let replayed = diagnose(&compiled.ruleset, &again).ok()?.explain(&format!("rule:{rule}"))?.proof;
            if replayed.value != proof.value {
                return Some(format!(
                    "rule {rule} ({text}) is {:?}; with the leaves alone {:?}: {names:?}\n{proof:#?}",
                    proof.value, replayed.value
                ));
            }
        }
        None
    };
    check(250, 10, &fault);
}

/// The same facts, but for what the host was not asked: what would be said of a change cannot know that.
fn told(facts: &World, diagnosis: &Diagnosis) -> World {
    let asked: Vec<String> = diagnosis
        .facts()
        .iter()
        .filter(|fact| fact.origin() == Origin::Probe)
        .map(|fact| fact.name().to_owned())
        .collect();
    let mut told = facts.clone();
    told.host.retain(|name, _| asked.contains(name));
    told.elements.retain(|record, _| asked.iter().any(|name| name.starts_with(&format!("{record}."))));
    told
}

#[test]
fn the_least_change_brings_about_what_it_is_for() {
    let found = std::sync::atomic::AtomicUsize::new(0);
    let fault = |compiled: &Compiled, facts: &World| {
        let diagnosis = diagnose(&compiled.ruleset, facts).ok()?;
        let program = compiled.ruleset.program();
        let problems = program.problems.iter().map(|problem| problem.info.id.to_string());
        let targets: Vec<String> = problems.chain(program.fixes.iter().map(|fix| fix.info.id.to_string())).collect();
        for target in targets {
            let why_not = diagnosis.why_not(&target, "en")?;
            if why_not.least_change.is_empty() {
                continue;
            }
            found.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            if why_not.least_change.len() > 3 {
                return Some(format!("{target}: more than three changes: {:?}", why_not.least_change));
            }
            let mut changed = told(facts, &diagnosis);
            for change in &why_not.least_change {
                let value = match &change.by {
                    ChangeBy::Value(value) => Some(value.clone()),
                    ChangeBy::None => None,
                    ChangeBy::Text => return Some(format!("{target}: a text is changed where there is none")),
                };
                // A field gets a value: so there is an element.
                changed.absent.retain(|record| !change.fact.starts_with(&format!("{record}.")));
                changed.given.insert(change.fact.clone(), value);
            }
            let after = answer(&diagnose(&compiled.ruleset, &changed).ok()?);
            let up = |lines: &[String]| lines.iter().any(|line| line.split(' ').next() == Some(&target));
            let stands_for = |line: &String| line.split(" or ").skip(1).any(|other| other == target);
            if !up(&after.problems) && !up(&after.suggestions) && !after.suggestions.iter().any(stands_for) {
                return Some(format!("{target}: {:#?}\n{after:#?}", why_not.least_change));
            }
        }
        None
    };
    check(150, 6, &fault);
    println!("{found:?} least changes");
    assert!(setting("RULECHECK_PROGRAMS", 0) > 0 || found.into_inner() > 100);
}

#[test]
fn why_not_names_the_smallest_change() {
    let text = "fact a: number\nfact b: bool\nrule r\n  when a > 3 and b or a = 1\n  then diagnose it\nproblem it\n  title \"It\"\n";
    let compiled = compile(text).unwrap_or_else(|error| panic!("{error}"));
    let given =
        [("a".to_owned(), Value::parse("2", &rulecheck::Type::Number)), ("b".to_owned(), Some(Value::Bool(false)))]
            .into();
    let diagnosis = diagnose(&compiled.ruleset, &World { given, ..World::default() }).unwrap();
    let why_not = diagnosis.why_not("it", "en").unwrap();
    let changes: Vec<(&str, &str)> =
        why_not.least_change.iter().map(|change| (change.fact.as_str(), change.to.as_str())).collect();
    assert_eq!(changes, [("a", "1")]);
}
