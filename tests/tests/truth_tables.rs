//! The connectives and quantifiers, exhaustively, in the engine and in the reference.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, and says what it measured"
)]

use rulecheck::explanation::Truth;
use rulecheck::{Evidence, FactSource, Reading, Reason, Ruleset, Type, Value};
use rulecheck_tests::agreement::{Compiled, compile, difference};
use rulecheck_tests::reference::{Element, World};

const VALUES: [Option<bool>; 3] = [Some(true), Some(false), None];
const T: Option<bool> = Some(true);
const F: Option<bool> = Some(false);
const U: Option<bool> = None;

/// A program with one rule, whose condition is asked.
fn asking(condition: &str) -> Compiled {
    let facts = "fact a: bool\nfact b: bool\nfact c: bool\nfact d: bool\nrecord card\n  on: bool\n  probe cards\n";
    let text = format!("{facts}rule asked\n  when {condition}\n  then diagnose it\nproblem it\n  title \"It\"\n");
    compile(&text).unwrap_or_else(|error| panic!("{condition}: {error}"))
}

/// What the condition comes to, after checking that the reference says the same.
fn value(compiled: &Compiled, facts: &World) -> Option<bool> {
    if let Some((reference, engine)) = difference(compiled, facts) {
        panic!("{facts:?}\nreference: {reference:#?}\nengine: {engine:#?}");
    }
    let diagnosis = rulecheck_tests::world::diagnose(&compiled.ruleset, facts).unwrap();
    match diagnosis.explain("rule:asked").unwrap().proof.value {
        Truth::True => Some(true),
        Truth::False => Some(false),
        Truth::Unknown => None,
    }
}

/// Facts `a`, `b`, … with these values.
fn facts(values: &[Option<bool>]) -> World {
    let mut world = World::default();
    for (name, value) in ["a", "b", "c", "d"].iter().zip(values) {
        if let Some(value) = value {
            world.given.insert((*name).to_owned(), Some(Value::Bool(*value)));
        }
    }
    world
}

/// Every list of so many truth values.
fn lists(length: usize) -> Vec<Vec<Option<bool>>> {
    (0..length).fold(vec![Vec::new()], |lists, _| {
        lists.into_iter().flat_map(|list| VALUES.map(|value| list.iter().copied().chain([value]).collect())).collect()
    })
}

fn count(values: &[Option<bool>], wanted: Option<bool>) -> usize {
    values.iter().filter(|value| **value == wanted).count()
}

#[test]
fn and_or_not_are_kleenes() {
    let table = [
        (T, T, T, T),
        (T, U, U, T),
        (T, F, F, T),
        (U, T, U, T),
        (U, U, U, U),
        (U, F, F, U),
        (F, T, F, T),
        (F, U, F, U),
        (F, F, F, F),
    ];
    let (and, or, not) = (asking("a and b"), asking("a or b"), asking("not a"));
    for (a, b, both, either) in table {
        assert_eq!(value(&and, &facts(&[a, b])), both, "{a:?} and {b:?}");
        assert_eq!(value(&or, &facts(&[a, b])), either, "{a:?} or {b:?}");
    }
    for (a, opposite) in [(T, F), (U, U), (F, T)] {
        assert_eq!(value(&not, &facts(&[a])), opposite, "not {a:?}");
    }
}

#[test]
fn groups_count_what_is_true_and_what_may_be() {
    for (length, names) in [(1, "a"), (2, "a, b"), (3, "a, b, c"), (4, "a, b, c, d")] {
        let groups = ["any of", "all of", "none of"].map(|words| asking(&format!("{words} ({names})")));
        let at_least: Vec<Compiled> =
            (1..=length).map(|least| asking(&format!("at least {least} of ({names})"))).collect();
        for list in lists(length) {
            let (held, open) = (count(&list, T), count(&list, U));
            let decided = |least: usize| {
                if held >= least {
                    T
                } else if held + open < least {
                    F
                } else {
                    U
                }
            };
            let [any, all, none] = groups.each_ref().map(|group| value(group, &facts(&list)));
            assert_eq!(any, decided(1), "any of {list:?}");
            assert_eq!(all, decided(length), "all of {list:?}");
            assert_eq!(none, decided(1).map(|value| !value), "none of {list:?}");
            for (least, compiled) in (1..).zip(&at_least) {
                assert_eq!(value(compiled, &facts(&list)), decided(least), "at least {least} of {list:?}");
            }
        }
    }
}

#[test]
fn quantifiers_speak_of_every_element() {
    let quantifiers = ["any", "no", "every"].map(|word| asking(&format!("{word} card where (.on)")));
    for length in 0..4 {
        for list in lists(length) {
            let element = |value: &Option<bool>| -> Element {
                value.iter().map(|on| ("card.on".to_owned(), Some(Value::Bool(*on)))).collect()
            };
            let mut world = World::default();
            world.elements.insert("card".to_owned(), list.iter().map(element).collect());
            let (held, open, failed) = (count(&list, T), count(&list, U), count(&list, F));
            let any = if held > 0 {
                T
            } else if open > 0 {
                U
            } else {
                F
            };
            let every = if failed > 0 {
                F
            } else if open > 0 {
                U
            } else {
                T
            };
            let [found, none, each] = quantifiers.each_ref().map(|quantifier| value(quantifier, &world));
            assert_eq!((found, none, each), (any, any.map(|value| !value), every), "{list:?}");
        }
    }
    for quantifier in &quantifiers {
        assert_eq!(value(quantifier, &World::default()), U, "elements that nobody lists");
    }
    let nothing = World { absent: ["card".to_owned()].into(), ..World::default() };
    assert_eq!(quantifiers.each_ref().map(|quantifier| value(quantifier, &nothing)), [F, T, T], "given as none");
}

#[test]
fn none_is_neither_a_value_nor_unknown() {
    let facts_text = "fact n: number\nfact m: number\nfact t: text\nfact s: set of text\n";
    let cases = [
        ("n = 1", F),
        ("n != 1", F),
        ("not n = 1", T),
        ("n < 1", F),
        ("n in [1, 2]", F),
        ("n not in [1, 2]", T),
        ("n + 1 = 2", F),
        ("n + m > 0", F),
        ("n = m", F),
        ("t = a", F),
        ("t matches \"a\"", F),
        ("s has --x", F),
        ("s has any of [--x]", F),
        ("s has all of [--x]", F),
        ("s has none of [--x]", T),
        ("n is known", F),
        ("n is none", T),
        ("n is unknown", F),
        ("n is not none", F),
    ];
    for (condition, expected) in cases {
        let text =
            format!("{facts_text}rule asked\n  when {condition}\n  then diagnose it\nproblem it\n  title \"It\"\n");
        let compiled = compile(&text).unwrap_or_else(|error| panic!("{condition}: {error}"));
        let given = ["n", "t", "s"].map(|name| (name.to_owned(), None)).into();
        let world = World { given, ..World::default() };
        let diagnosis = rulecheck_tests::world::diagnose(&compiled.ruleset, &world).unwrap();
        let found = diagnosis.explain("rule:asked").unwrap().proof.value;
        assert_eq!((condition, found), (condition, if expected == T { Truth::True } else { Truth::False }));
        if !condition.contains("matches") {
            assert_eq!(difference(&compiled, &world), None, "{condition}");
        }
    }
}

/// A host that answers what it is told to, and counts what it was asked.
struct Telling(Reading, usize);

impl FactSource for Telling {
    fn get(&mut self, _: &str) -> rulecheck::Answer {
        self.1 += 1;
        self.0.clone().into()
    }
}

#[test]
fn a_reading_that_does_not_fit_is_no_reading() {
    let text = "fact limit: size in 1 MiB..64 TiB\n  probe limits\nrule asked\n  when limit is unknown\n  then diagnose it\nproblem it\n  title \"It\"\n";
    let compiled = compile(text).unwrap_or_else(|error| panic!("{error}"));
    let outside = Reading::Known(Value::Size(u64::MAX));
    let other_type = Reading::Known(Value::text("much"));
    let inside = Reading::Known(Value::Size(1 << 30));
    for (reading, unknown) in [
        (outside, true),
        (other_type, true),
        (Reading::Unknown(Reason::NotStated), true),
        (inside, false),
        (Reading::None, false),
    ] {
        let mut host = Telling(reading.clone(), 0);
        let diagnosis = compiled.ruleset.diagnose(&Evidence::default(), &mut host).unwrap();
        assert_eq!((diagnosis.problems().len(), host.1), (usize::from(unknown), 1), "{reading:?}");
    }
}

#[test]
fn another_machine_is_not_asked() {
    let text = "fact os: one of macos, linux\n  probe system\nfact lamp: bool\n  probe lamps\nrule asked\n  when lamp\n  then diagnose it\nproblem it\n  title \"It\"\n";
    let Compiled { ruleset, .. } = compile(text).unwrap_or_else(|error| panic!("{error}"));
    let certain = |given: Option<&str>| {
        let mut stated = rulecheck::Given::new();
        if let Some(os) = given {
            stated.set(&ruleset, "os", os).unwrap();
        }
        let diagnosis = ruleset.diagnose_with(&Evidence::default(), &stated, &mut Machine).unwrap();
        (diagnosis.problems()[0].certainty().as_str(), diagnosis.notices().len())
    };
    assert_eq!(certain(None), ("certain", 0));
    assert_eq!(certain(Some("linux")), ("certain", 0));
    assert_eq!(certain(Some("macos")), ("possible", 1));
}

/// A machine with these cards, of these fields each, and its lamp on.
struct Cards(Vec<[(&'static str, Reading); 4]>);

impl FactSource for Cards {
    fn get(&mut self, _: &str) -> rulecheck::Answer {
        Reading::Known(Value::Bool(true)).into()
    }

    fn elements(&mut self, _: &str) -> Result<Vec<rulecheck::Element>, Reason> {
        let field = |(name, reading): &(&str, Reading)| ((*name).to_owned(), reading.clone().into());
        let element = |fields: &[(&str, Reading); 4]| rulecheck::Element { fields: fields.iter().map(field).collect() };
        Ok(self.0.iter().map(element).collect())
    }
}

/// What is stated of a card.
type Stated = &'static [(&'static str, &'static str)];

fn card(vendor: &str, name: &str, gib: u64, integrated: bool) -> [(&'static str, Reading); 4] {
    [
        ("gpu.vendor", Reading::Known(Value::text(vendor))),
        ("gpu.name", Reading::Known(Value::text(name))),
        ("gpu.vram.total", Reading::Known(Value::Size(gib << 30))),
        ("gpu.integrated", Reading::Known(Value::Bool(integrated))),
    ]
}

#[test]
fn a_card_is_of_another_machine_if_it_is_none_of_this_one() {
    let text = "record gpu\n  probe gpus\n  vendor: name\n  name: text\n  vram.total: size\n  integrated: bool\nfact lamp: bool\n  probe lamps\nrule asked\n  when lamp\n  then diagnose it\nproblem it\n  title \"It\"\n";
    let Compiled { ruleset, .. } = compile(text).unwrap_or_else(|error| panic!("{error}"));
    let nvidia = || {
        vec![
            card("nvidia", "NVIDIA GeForce RTX 4090", 24, false),
            card("nvidia", "NVIDIA GeForce GTX 1080 Ti", 11, false),
        ]
    };
    let amd = || vec![card("amd", "AMD Radeon RX 7900 XT/7900 XTX", 24, false)];
    let part = || vec![card("amd", "AMD Radeon Graphics", 1, true)];
    let cases: [(Vec<_>, Stated, bool); 13] = [
        (nvidia(), &[("name", "NVIDIA GeForce GTX 1080 Ti")], true),
        (nvidia(), &[("vram.total", "11 GiB")], true),
        (nvidia(), &[("vram.total", "23.65 GiB")], true),
        (nvidia(), &[("vram.total", "8 GiB")], false),
        // Each is here, but of two cards.
        (nvidia(), &[("name", "NVIDIA GeForce RTX 4090"), ("vram.total", "11 GiB")], false),
        (nvidia(), &[("vendor", "amd")], false),
        (amd(), &[("name", "AMD Radeon RX 7900 XTX"), ("vram.total", "23.98 GiB")], true),
        (amd(), &[("name", "AMD Radeon RX 6900 XT")], false),
        // What a part of a processor has is counted in many ways.
        (part(), &[("name", "AMD Radeon 780M"), ("vram.total", "16 GiB")], true),
        (part(), &[("vendor", "nvidia")], false),
        (Vec::new(), &[("name", "NVIDIA GeForce RTX 4090")], false),
        (Vec::new(), &[("vendor", "nvidia")], true),
        (Vec::new(), &[], true),
    ];
    for (cards, stated, here) in cases {
        let mut given = rulecheck::Given::new();
        if !stated.is_empty() {
            given.set_element(&ruleset, "gpu", stated).unwrap();
        }
        let names: Vec<_> = cards.iter().map(|card| card[1].1.clone()).collect();
        let diagnosis = ruleset.diagnose_with(&Evidence::default(), &given, &mut Cards(cards)).unwrap();
        let found = (diagnosis.problems()[0].certainty().as_str(), diagnosis.notices().len());
        assert_eq!(found, if here { ("certain", 0) } else { ("possible", 1) }, "{stated:?} / {names:?}");
    }
}

#[test]
fn what_only_avoids_a_fix_that_nothing_suggests_asks_nothing() {
    let text = "fact lamp: bool\n  probe lamps\nfact dark: bool\nrule light\n  when dark\n  then diagnose it\n  then suggest look\n    because \"It is dark.\"\nrule not-now\n  when lamp\n  then avoid look\n    because \"It is light.\"\nproblem it\n  title \"It\"\nfix look\n  title \"Look\"\n  do \"Look.\"\n";
    let Compiled { ruleset, .. } = compile(text).unwrap_or_else(|error| panic!("{error}"));
    for (dark, asked) in [("true", 1), ("false", 0)] {
        let mut given = rulecheck::Given::new();
        given.set(&ruleset, "dark", dark).unwrap();
        let mut host = Telling(Reading::Known(Value::Bool(true)), 0);
        let diagnosis = ruleset.diagnose_with(&Evidence::default(), &given, &mut host).unwrap();
        assert_eq!((host.1, diagnosis.suggestions().len()), (asked, 0), "{dark}");
    }
}

/// A Linux machine with its lamp on.
struct Machine;

impl FactSource for Machine {
    fn get(&mut self, name: &str) -> rulecheck::Answer {
        match name {
            "os" => Reading::Known(Value::text("linux")),
            _ => Reading::Known(Value::Bool(true)),
        }
        .into()
    }
}

#[test]
fn values_of_a_wrong_type_cannot_be_given() {
    let ruleset: Ruleset =
        compile("fact n: number\nrule r\n  when n = 1\n  then diagnose p\nproblem p\n  title \"P\"\n").unwrap().ruleset;
    let mut given = rulecheck::Given::new();
    assert!(given.set(&ruleset, "n", "one").is_err());
    assert!(given.set(&ruleset, "m", "1").is_err());
    assert!(Value::parse("1", &Type::Number).is_some());
}
