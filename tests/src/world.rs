//! Generated facts, and the engine's answer for them in the words of the reference.

use std::collections::{BTreeMap, BTreeSet};

use rulecheck::diagnosis::Certainty;
use rulecheck::{
    Answer as Told, Diagnosis, Element as HostElement, Evidence, FactSource, Given, Reading, Reason, Ruleset, Type,
    Value,
};

use crate::random::Random;
use crate::reference::{Answer, Element, World};

/// Facts, and the values they take.
const VALUES: [(&str, &str, &[&str]); 18] = [
    ("flag", "bool", &["true", "false"]),
    ("lamp", "bool", &["true", "false"]),
    ("score", "number", &["0", "1", "2", "3"]),
    ("load", "number", &["0", "1", "2", "3"]),
    ("room", "size", &["2 GiB", "4 GiB", "8 GiB", "16 GiB", "23.99 GiB"]),
    ("used", "size", &["0 B", "2 GiB", "4 GiB", "8 GiB"]),
    ("sys", "text", &["mac", "win", "lin"]),
    ("sys.version", "version", &["11", "14", "14.5", "14.5.1", "15.1"]),
    ("torch", "version", &["2.0.1", "2.4", "2.4.1+cu121", "2.4.0rc1", "2.10.0.dev2025"]),
    ("tag", "text", &["alpha", "Beta", "gamma"]),
    ("nick", "text", &["n1", "n2"]),
    ("launch.args", "set", &["", "--a", "--b", "--a,--b", "--c"]),
    ("launch.arg.c", "text", &["5", "6"]),
    ("env.MODE", "text", &["fast", "slow"]),
    ("kind", "text", &["red", "green", "blue"]),
    ("depth", "number", &["0", "1", "2"]),
    ("ready", "bool", &["true", "false"]),
    ("disk.free", "size", &["1 GiB", "9 GiB"]),
];
/// The facts that the host may know.
const PROBED: [&str; 5] = ["lamp", "load", "used", "torch", "ready"];
/// The fields of `card`.
const FIELDS: [(&str, &str, &[&str]); 3] = [
    ("card.maker", "text", &["nv", "am", "it"]),
    ("card.vram", "size", &["4 GiB", "8 GiB", "11.99 GiB"]),
    ("card.cap", "version", &["7.5", "8.6", "9"]),
];

fn ty(name: &str) -> Type {
    match name {
        "bool" => Type::Bool,
        "number" => Type::Number,
        "size" => Type::Size,
        "version" => Type::Version,
        "set" => Type::Set(Type::Text.into()),
        _ => Type::Text,
    }
}

/// A value, none, or nothing.
fn reading(random: &mut Random, (of, values): (&str, &[&str]), known: usize, none: usize) -> Option<Option<Value>> {
    let roll = random.below(100);
    let value = random.pick(values);
    (roll < known + none).then(|| if roll < known { Value::parse(value, &ty(of)) } else { None })
}

/// Facts at random.
#[must_use]
pub fn generate(random: &mut Random) -> World {
    let mut world = World::default();
    let density = random.pick(&[15, 40, 70]);
    for (name, of, values) in VALUES {
        let derived = matches!(name, "kind" | "depth" | "ready");
        if let Some(read) =
            reading(random, (of, values), if derived { density / 6 } else { density }, if derived { 2 } else { 8 })
        {
            world.given.insert(name.to_owned(), read);
        }
        if PROBED.contains(&name)
            && let Some(read) = reading(random, (of, values), 55, 15)
        {
            world.host.insert(name.to_owned(), read);
        }
    }
    let element = |random: &mut Random, known: usize| -> Element {
        FIELDS
            .into_iter()
            .filter_map(|(name, of, values)| Some((name.to_owned(), reading(random, (of, values), known, 8)?)))
            .collect()
    };
    match random.below(10) {
        0 => {
            world.absent.insert("card".to_owned());
        }
        1..=3 => world.given.extend(element(random, 40)),
        _ => {}
    }
    if random.chance(60) {
        let list = (0..random.below(4)).map(|_| element(random, 70)).collect();
        world.elements.insert("card".to_owned(), list);
    }
    world
}

/// Worlds with one thing less.
#[must_use]
pub fn smaller(world: &World) -> Vec<World> {
    let mut all = Vec::new();
    for name in world.given.keys() {
        let mut less = world.clone();
        less.given.remove(name);
        all.push(less);
    }
    for name in world.host.keys() {
        let mut less = world.clone();
        less.host.remove(name);
        all.push(less);
    }
    if !world.absent.is_empty() {
        all.push(World { absent: BTreeSet::new(), ..world.clone() });
    }
    for (record, list) in &world.elements {
        all.push(World { elements: BTreeMap::new(), ..world.clone() });
        for index in 0..list.len() {
            let mut less = world.clone();
            if let Some(list) = less.elements.get_mut(record) {
                list.remove(index);
            }
            all.push(less);
            for field in list.get(index).into_iter().flat_map(Element::keys) {
                let mut less = world.clone();
                if let Some(element) = less.elements.get_mut(record).and_then(|list| list.get_mut(index)) {
                    element.remove(field);
                }
                all.push(less);
            }
        }
    }
    all
}

/// A world as a host.
#[derive(Debug)]
pub struct Host<'a>(pub &'a World);

fn told(read: Option<&Option<Value>>) -> Told {
    match read {
        Some(Some(value)) => Reading::Known(value.clone()),
        Some(None) => Reading::None,
        None => Reading::Unknown(Reason::NotPresent("nothing here tells it".to_owned())),
    }
    .into()
}

impl FactSource for Host<'_> {
    fn get(&mut self, name: &str) -> Told {
        told(self.0.host.get(name))
    }

    fn elements(&mut self, record: &str) -> Result<Vec<HostElement>, Reason> {
        let list = self.0.elements.get(record).ok_or_else(|| Reason::NotPresent("nothing here tells it".to_owned()))?;
        let element = |element: &Element| HostElement {
            fields: element.iter().map(|(name, read)| (name.clone(), told(Some(read)))).collect(),
        };
        Ok(list.iter().map(element).collect())
    }
}

/// A value as a caller writes it.
#[must_use]
pub fn raw(value: &Value) -> String {
    match value {
        Value::Size(bytes) => bytes.to_string(),
        Value::Set(items) => items.iter().map(ToString::to_string).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// The given facts of a world; the message of the first that cannot be given.
///
/// # Errors
/// If a fact cannot be given.
pub fn given(ruleset: &Ruleset, world: &World) -> Result<Given, String> {
    let mut given = Given::new();
    for (name, value) in &world.given {
        let value = value.as_ref().map_or_else(|| "none".to_owned(), raw);
        given.set(ruleset, name, &value).map_err(|error| error.to_string())?;
    }
    for record in &world.absent {
        given.set(ruleset, record, "none").map_err(|error| error.to_string())?;
    }
    Ok(given)
}

/// Runs the engine on a world without a text.
///
/// # Errors
/// If the facts cannot be given.
pub fn diagnose(ruleset: &Ruleset, world: &World) -> Result<Diagnosis, String> {
    let given = given(ruleset, world)?;
    ruleset.diagnose_with(&Evidence::default(), &given, &mut Host(world)).map_err(|error| error.to_string())
}

/// What the engine found, in the words of the reference.
#[must_use]
pub fn answer(diagnosis: &Diagnosis) -> Answer {
    let is_text = |name: &str| name == "log" || name == "trace" || name.starts_with("error");
    let facts = diagnosis.facts();
    let facts = facts.iter().filter(|fact| !is_text(fact.name())).map(|fact| {
        let value = fact.value().map_or_else(|| "none".to_owned(), ToString::to_string);
        format!("{} = {value} ({})", fact.name(), fact.origin())
    });
    let problems = diagnosis.problems();
    let problems = problems.iter().map(|problem| {
        let certainty = if problem.certainty() == Certainty::Certain { "certain" } else { "possible" };
        let covered = problem.covered_by().map_or_else(String::new, |by| format!(" covered by {by}"));
        format!("{} {certainty}{covered}", problem.id())
    });
    let suggestions = diagnosis.suggestions();
    let suggestions = suggestions.iter().map(|offer| {
        let instead: String = offer.alternatives().iter().map(|fix| format!(" or {fix}")).collect();
        format!("{} {} {} under {}{instead}", offer.fix(), offer.status().as_str(), offer.priority(), offer.problem())
    });
    let withheld = diagnosis.withheld();
    let withheld = withheld.iter().map(|held| format!("{} {}", held.fix(), held.reason()));
    Answer {
        facts: facts.collect(),
        problems: problems.collect(),
        suggestions: suggestions.collect(),
        withheld: withheld.collect(),
    }
}
