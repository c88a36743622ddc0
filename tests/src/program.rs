//! Generated rule programs: every construct that reads facts, small enough to be read when two evaluators disagree.

use std::fmt;

use crate::random::Random;

/// The facts that all programs share. The first ones are given or unknown, those with a probe are asked for, `kind`,
/// `depth` and `ready` are concluded, `label` and `tint` looked up.
const FACTS: &str = r#"
fact flag: bool
fact lamp: bool
  probe lamps
fact score: number
fact load: number
  probe loads
fact room: size
fact used: size
  probe memory
fact sys: one of mac, win, lin
fact sys.version: version
fact torch: version
  probe torch
fact tag: text
fact nick: name
fact launch.args: set of text
fact launch.arg.*: text
fact env.*: text
fact kind: one of red, green, blue
fact depth: number
fact ready: bool
  probe readiness
record card
  maker: one of nv, am, it
  vram: size
  cap: version
  probe cards
record disk
  free: size
table label from tag
  alpha -> one
  beta -> two
  otherwise nick
table tint from kind
  red -> warm
  blue -> cold
"#;

/// A condition as a tree, so that it can be made smaller.
#[derive(Debug, Clone)]
pub enum Condition {
    /// As written.
    Single(String),
    /// `a and b`, `a or b`, with the word between.
    Joined(&'static str, Vec<Condition>),
    /// `not a`
    Not(Box<Condition>),
    /// `at least 2 of (…)`, `none of (…)`, with the words before the bracket.
    Group(String, Vec<Condition>),
    /// `any card where (…)`, with the words before the bracket.
    Over(String, Box<Condition>),
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Single(text) => f.write_str(text),
            Self::Joined(with, list) => {
                for (index, part) in list.iter().enumerate() {
                    if index > 0 {
                        write!(f, " {with} ")?;
                    }
                    if matches!(part, Self::Joined(..)) { write!(f, "({part})")? } else { write!(f, "{part}")? }
                }
                Ok(())
            }
            Self::Not(inner) if matches!(**inner, Self::Joined(..)) => write!(f, "not ({inner})"),
            Self::Not(inner) => write!(f, "not {inner}"),
            Self::Group(words, list) => {
                let list: Vec<String> = list.iter().map(ToString::to_string).collect();
                write!(f, "{words} ({})", list.join(", "))
            }
            Self::Over(words, inner) => write!(f, "{words} where ({inner})"),
        }
    }
}

impl Condition {
    /// Its parts alone, and itself with one part less or with one part smaller.
    #[must_use]
    pub fn smaller(&self) -> Vec<Self> {
        let mut all = Vec::new();
        match self {
            Self::Single(_) => {}
            Self::Not(inner) => {
                all.push((**inner).clone());
                all.extend(inner.smaller().into_iter().map(|inner| Self::Not(Box::new(inner))));
            }
            Self::Over(words, inner) => {
                all.extend(inner.smaller().into_iter().map(|inner| Self::Over(words.clone(), Box::new(inner))));
            }
            Self::Joined(_, list) | Self::Group(_, list) => {
                all.extend(list.iter().cloned());
                for index in 0..list.len() {
                    let mut less = list.clone();
                    less.remove(index);
                    if less.len() > 1 {
                        all.push(self.with(less));
                    }
                    for part in list.get(index).map(Self::smaller).unwrap_or_default() {
                        let mut changed = list.clone();
                        changed.splice(index..=index, [part]);
                        all.push(self.with(changed));
                    }
                }
            }
        }
        all
    }

    fn with(&self, list: Vec<Self>) -> Self {
        match self {
            Self::Group(words, _) => Self::Group(words.clone(), list),
            Self::Joined(with, _) => Self::Joined(with, list),
            other => other.clone(),
        }
    }
}

/// A generated rule.
#[derive(Debug, Clone)]
pub struct Rule {
    name: String,
    when: Condition,
    unless: Option<Condition>,
    actions: Vec<String>,
}

/// A generated program.
#[derive(Debug, Clone)]
pub struct Program {
    rules: Vec<Rule>,
    /// Problems and fixes: the first line, and the clauses.
    entries: Vec<(String, Vec<String>)>,
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(FACTS.trim_start())?;
        for rule in &self.rules {
            writeln!(f, "rule {}\n  when {}", rule.name, rule.when)?;
            if let Some(unless) = &rule.unless {
                writeln!(f, "  unless {unless}")?;
            }
            rule.actions.iter().try_for_each(|action| writeln!(f, "  then {action}"))?;
        }
        for (first, clauses) in &self.entries {
            writeln!(f, "{first}")?;
            clauses.iter().try_for_each(|clause| writeln!(f, "  {clause}"))?;
        }
        Ok(())
    }
}

/// What a condition may ask for: derived facts and problems up to a layer, so that no rule depends on itself.
#[derive(Debug, Clone, Copy)]
struct Scope {
    layer: usize,
    no_problem: bool,
}

/// What rules settle, in layers: facts to be concluded and problems.
const LAYERS: [&str; 8] = ["kind", "p0", "p1", "depth", "p2", "ready", "p3", "p4"];
/// The layer of the problem that may be diagnosed where there is `no problem`.
const LAST: usize = 7;

impl Program {
    /// A program of a few rules.
    #[must_use]
    pub fn generate(random: &mut Random) -> Self {
        let rules = (0..4 + random.below(7)).map(|index| rule(random, index)).collect();
        let mut entries: Vec<_> = (0..5).map(|index| problem(random, index)).collect();
        entries.extend((0..6).map(|index| fix(random, index)));
        Self { rules, entries }
    }

    /// Programs with one thing less.
    #[must_use]
    pub fn smaller(&self) -> Vec<Self> {
        let mut all = Vec::new();
        for (index, rule) in self.rules.iter().enumerate() {
            let mut less = self.clone();
            less.rules.remove(index);
            all.push(less);
            let mut replace = |rule: Rule| {
                let mut changed = self.clone();
                changed.rules.splice(index..=index, [rule]);
                all.push(changed);
            };
            if rule.unless.is_some() {
                replace(Rule { unless: None, ..rule.clone() });
            }
            for action in 0..rule.actions.len() {
                if rule.actions.len() > 1 {
                    let mut less = rule.clone();
                    less.actions.remove(action);
                    replace(less);
                }
            }
            rule.when.smaller().into_iter().for_each(|when| replace(Rule { when, ..rule.clone() }));
            for unless in rule.unless.iter().flat_map(Condition::smaller) {
                replace(Rule { unless: Some(unless), ..rule.clone() });
            }
        }
        for (index, (first, clauses)) in self.entries.iter().enumerate() {
            let mut less = self.clone();
            less.entries.remove(index);
            let id = first.rsplit(' ').next().unwrap_or_default();
            // What is named and declared nowhere has a place in the order that no declaration shows.
            if !less.to_string().split(|c: char| !c.is_alphanumeric()).any(|word| word == id) {
                all.push(less);
            }
            for clause in 0..clauses.len() {
                let mut less = self.clone();
                if let Some((_, clauses)) = less.entries.get_mut(index) {
                    clauses.remove(clause);
                }
                all.push(less);
            }
        }
        all
    }

    /// Whether it holds a construct, by its words.
    #[must_use]
    pub fn mentions(&self, words: &str) -> bool {
        self.to_string().contains(words)
    }
}

fn rule(random: &mut Random, index: usize) -> Rule {
    let name = format!("r{index}");
    let mut layer = LAYERS.len();
    let mut actions = Vec::new();
    if random.chance(65) {
        layer = random.below(LAYERS.len());
        let target = LAYERS.get(layer).copied().unwrap_or_default();
        actions.push(match target {
            "kind" => format!("conclude kind = {}", random.pick(&["red", "green", "blue"])),
            "depth" => format!("conclude depth = {}", random.below(3)),
            "ready" => format!("conclude ready = {}", random.pick(&["true", "false"])),
            problem => format!("{} {problem}", random.pick(&["diagnose", "diagnose", "diagnose", "suspect"])),
        });
    }
    let scope = Scope { layer, no_problem: layer >= LAST && random.chance(25) };
    while actions.is_empty() || (random.chance(35) && actions.len() < 3) {
        let fix = format!("f{}", random.below(6));
        let priority = if random.chance(60) { format!(" priority {}", 1 + random.below(4)) } else { String::new() };
        actions.push(if random.chance(25) {
            format!("avoid {fix} because \"no\"")
        } else {
            format!("suggest {fix}{priority}")
        });
    }
    let unless = random.chance(30).then(|| condition(random, 1, scope));
    Rule { name, when: condition(random, 3, scope), unless, actions }
}

fn condition(random: &mut Random, depth: usize, scope: Scope) -> Condition {
    if depth == 0 || random.chance(25) {
        return Condition::Single(single(random, scope));
    }
    let count = 2 + random.below(2);
    let list = |random: &mut Random| (0..count).map(|_| condition(random, depth - 1, scope)).collect::<Vec<_>>();
    match random.below(10) {
        0..=2 => Condition::Joined("and", list(random)),
        3..=4 => Condition::Joined("or", list(random)),
        5 => Condition::Not(Box::new(condition(random, depth - 1, scope))),
        6 => {
            let words = format!("at least {} of", 1 + random.below(count));
            Condition::Group(words, list(random))
        }
        7 => {
            let words = random.pick(&["any of", "all of", "none of"]);
            Condition::Group(words.to_owned(), list(random))
        }
        8 => Condition::Over(
            format!("{} card", random.pick(&["any", "no", "every"])),
            Box::new(element(random, depth - 1, scope)),
        ),
        _ => Condition::Single(single(random, scope)),
    }
}

/// A condition on an element of `card`.
fn element(random: &mut Random, depth: usize, scope: Scope) -> Condition {
    if depth > 0 && random.chance(40) {
        let list = (0..2).map(|_| element(random, depth - 1, scope)).collect();
        return Condition::Joined(random.pick(&["and", "or"]), list);
    }
    let compare = random.pick(&["<", "<=", ">", ">=", "=", "!="]);
    Condition::Single(match random.below(8) {
        0 => format!(".maker = {}", random.pick(&["nv", "am", "it"])),
        1 => format!(".maker not in [{}]", random.pick(&["nv", "am, it"])),
        2 | 3 => format!(".vram {compare} {} GiB", random.pick(&[4, 8, 12])),
        4 => format!(".cap {compare} {}", random.pick(&["7.5", "8", "8.6"])),
        5 => format!(".vram is {}", random.pick(&["known", "unknown", "none", "not known"])),
        6 => ".vram about 12 GB".to_owned(),
        _ => single(random, scope),
    })
}

fn single(random: &mut Random, scope: Scope) -> String {
    if random.chance(40)
        && let Some(text) = derived(random, scope)
    {
        return text;
    }
    let compare = random.pick(&["<", "<=", ">", ">=", "=", "!="]);
    match random.below(24) {
        0 | 1 => "flag".to_owned(),
        2 | 3 => "lamp".to_owned(),
        4 => format!("score {compare} {}", random.below(4)),
        5 => format!("load {compare} {}", random.below(4)),
        6 => format!("{} {compare} score", random.below(4)),
        7 => format!("score {} load {compare} {}", random.pick(&["+", "-", "*", "/"]), random.below(4)),
        8 => format!("room {compare} {} GiB", random.pick(&[4, 8, 16])),
        9 => format!("room in {} GiB..8 GiB", random.pick(&[2, 4])),
        10 => format!("room about {} GB", random.pick(&[8, 16, 24])),
        11 => format!("used {compare} room * {}", random.pick(&["0.5", "2", "1"])),
        12 => format!("room - used {compare} {} GiB", random.pick(&[1, 4])),
        13 => format!("sys {} {}", random.pick(&["=", "!="]), random.pick(&["mac", "win", "lin"])),
        14 => format!(
            "sys = {} {} {}",
            random.pick(&["mac", "win"]),
            random.pick(&["<", ">=", "="]),
            random.pick(&["14.5", "14", "11"])
        ),
        15 => format!("sys {} [{}]", random.pick(&["in", "not in"]), random.pick(&["mac", "mac, win"])),
        16 => format!("torch {compare} {}", random.pick(&["2.4", "2.4.1", "2"])),
        17 => format!("torch {} 2.1..2.4", random.pick(&["in", "not in"])),
        18 => format!("tag {} {}", random.pick(&["=", "!="]), random.pick(&["alpha", "beta"])),
        19 => format!(
            "launch.args has {}",
            random.pick(&["--a", "any of [--a, --b]", "all of [--a, --b]", "none of [--a, --b]"])
        ),
        20 => format!("env.MODE {} fast", random.pick(&["=", "!="])),
        21 => format!(
            "card.{}",
            random.pick(&["vram >= 8 GiB", "maker = nv", "cap < 8", "vram is known", "vram is none"])
        ),
        22 => format!("card is {}", random.pick(&["known", "unknown", "none", "not none"])),
        _ => {
            let fact =
                random.pick(&["flag", "lamp", "score", "used", "torch", "tag", "label", "launch.args", "env.MODE"]);
            format!("{fact} is {}", random.pick(&["known", "unknown", "none", "not known", "not none"]))
        }
    }
}

/// A condition on what rules settle in an earlier layer.
fn derived(random: &mut Random, scope: Scope) -> Option<String> {
    if scope.no_problem && random.chance(40) {
        return Some("no problem".to_owned());
    }
    let target = LAYERS.get(random.below(LAYERS.len().min(scope.layer)))?;
    if scope.layer == 0 || (*target == "p4" && scope.layer <= LAST) {
        return None;
    }
    let state = random.pick(&["known", "unknown", "none"]);
    Some(match *target {
        "kind" => match random.below(6) {
            0 | 1 => format!("kind {} {}", random.pick(&["=", "!="]), random.pick(&["red", "green", "blue"])),
            2 => "kind in [red, green]".to_owned(),
            3 => format!("kind is {state}"),
            4 => format!("tint = {}", random.pick(&["warm", "cold"])),
            _ => format!("tint is {state}"),
        },
        "depth" => match random.below(3) {
            0 => format!("depth is {state}"),
            1 => "depth >= score".to_owned(),
            _ => format!("depth {} {}", random.pick(&["=", "<", ">"]), random.below(3)),
        },
        "ready" => match random.below(3) {
            0 => format!("ready is {state}"),
            _ => "ready".to_owned(),
        },
        "p1" if random.chance(30) => format!("problem {} [p0, p1]", random.pick(&["in", "not in"])),
        problem => format!("problem {} {problem}", random.pick(&["=", "=", "=", "!="])),
    })
}

fn problem(random: &mut Random, index: usize) -> (String, Vec<String>) {
    let mut clauses = vec![format!("title \"Problem {index}\"")];
    if random.chance(40) {
        clauses.push(format!("severity {}", random.pick(&["note", "warning", "failure"])));
    }
    if index > 0 && random.chance(40) {
        clauses.push(format!("supersedes p{}", random.below(index)));
    }
    (format!("problem p{index}"), clauses)
}

fn fix(random: &mut Random, index: usize) -> (String, Vec<String>) {
    let everything = Scope { layer: LAYERS.len(), no_problem: false };
    let mut clauses = vec![format!("title \"Fix {index}\"")];
    if random.chance(30) {
        clauses.push(format!("requires {}", condition(random, 1, everything)));
    }
    if random.chance(25) {
        clauses.push(format!("exclusive g{}", random.below(2)));
    }
    for _ in 0..1 + random.below(2) {
        let mut step = match random.below(10) {
            0 | 1 => "flag --a".to_owned(),
            2 => "flag --a instead of --b".to_owned(),
            3 => "flag --c 5".to_owned(),
            4 => "flag off --b".to_owned(),
            5 => "env MODE = fast".to_owned(),
            6 => "env off MODE".to_owned(),
            7 => format!("run \"tool {{{}}}\"", random.pick(&["score", "room", "kind", "depth"])),
            8 => format!("do \"Try {{{}}}.\"", random.pick(&["tag", "used", "label", "torch"])),
            _ => "do \"Try it.\"".to_owned(),
        };
        if random.chance(25) {
            step = format!("{step} when {}", single(random, everything));
        }
        clauses.push(step);
    }
    if random.chance(40) {
        clauses.push(format!("risk {} \"Something.\"", random.pick(&["low", "medium", "high"])));
    }
    (format!("fix f{index}"), clauses)
}
