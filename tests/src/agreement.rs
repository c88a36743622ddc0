//! The engine held against the reference: one program and many facts at a time, with what disagrees made small.

use rulecheck::{Diagnostics, PackSource, Ruleset, Source, SourceId};
use rulecheck_grammar::ast::File;

use crate::program::Program;
use crate::random::Random;
use crate::reference::{self, Answer, World};
use crate::world;

/// A program compiled, and as syntax.
#[derive(Debug)]
pub struct Compiled {
    /// For the engine.
    pub ruleset: Ruleset,
    /// For the reference.
    pub files: Vec<File>,
}

/// Compiles rule text.
///
/// # Errors
/// What the checker found.
pub fn compile(text: &str) -> Result<Compiled, String> {
    let source = Source::new("generated.rules", text);
    let ruleset = Ruleset::from_sources(&[PackSource::single(source.clone())]).map_err(|error| error.to_string())?;
    let file = rulecheck_grammar::parse(&source, SourceId::default(), &mut Diagnostics::new());
    Ok(Compiled { ruleset, files: vec![file] })
}

/// Both answers where they differ: the reference's, then the engine's.
#[must_use]
pub fn difference(compiled: &Compiled, facts: &World) -> Option<(Answer, Answer)> {
    let expected = reference::diagnose(&compiled.files, facts);
    let actual = match world::diagnose(&compiled.ruleset, facts) {
        Ok(diagnosis) => world::answer(&diagnosis),
        Err(error) => Answer { facts: vec![error], ..Answer::default() },
    };
    (expected != actual).then_some((expected, actual))
}

/// Whether a program and facts still show a fault.
pub type Fault<'a> = dyn Fn(&Compiled, &World) -> Option<String> + Sync + 'a;

/// Makes a program and facts that show a fault as small as can be, and tells of it.
#[must_use]
pub fn shrink(mut program: Program, mut facts: World, fault: &Fault<'_>) -> String {
    let shows = |program: &Program, facts: &World| {
        compile(&program.to_string()).is_ok_and(|compiled| fault(&compiled, facts).is_some())
    };
    loop {
        if let Some(smaller) = program.smaller().into_iter().find(|smaller| shows(smaller, &facts)) {
            program = smaller;
        } else if let Some(smaller) = world::smaller(&facts).into_iter().find(|smaller| shows(&program, smaller)) {
            facts = smaller;
        } else {
            break;
        }
    }
    let text = program.to_string();
    let told = compile(&text).map(|compiled| fault(&compiled, &facts).unwrap_or_default()).unwrap_or_default();
    let own = text.find("rule ").and_then(|at| text.get(at..)).unwrap_or(&text);
    format!("{own}\nfacts: {}\n{told}", describe(&facts))
}

/// Facts on few lines.
#[must_use]
pub fn describe(facts: &World) -> String {
    let read = |read: &Option<rulecheck::Value>| read.as_ref().map_or_else(|| "none".to_owned(), ToString::to_string);
    let list = |of: &reference::Element| {
        of.iter().map(|(name, value)| format!("{name} = {}", read(value))).collect::<Vec<_>>().join(", ")
    };
    let elements = facts.elements.iter().map(|(record, all)| {
        format!("{record}: {}", all.iter().map(|one| format!("({})", list(one))).collect::<String>())
    });
    format!(
        "given {}; absent {:?}\nhost: {}; lists {}",
        list(&facts.given),
        facts.absent,
        list(&facts.host),
        elements.collect::<Vec<_>>().join("; ")
    )
}

/// How many programs and facts were compared.
#[derive(Debug, Default, Clone, Copy)]
pub struct Compared {
    /// Programs.
    pub programs: usize,
    /// Pairs of a program and facts.
    pub pairs: usize,
}

/// Shows programs from seeds to a check, each with many facts. The first fault is told, shrunk, with its seed.
///
/// # Errors
/// The fault, or a generated program that the checker refuses.
pub fn compare(seeds: impl Iterator<Item = u64>, worlds: usize, fault: &Fault<'_>) -> Result<Compared, String> {
    let mut compared = Compared::default();
    for seed in seeds {
        let mut random = Random::new(seed);
        let program = Program::generate(&mut random);
        let text = program.to_string();
        let compiled = compile(&text)
            .map_err(|error| format!("seed {seed}: the checker refuses a generated program: {error}\n{text}"))?;
        compared.programs += 1;
        for _ in 0..worlds {
            let facts = world::generate(&mut random);
            compared.pairs += 1;
            if fault(&compiled, &facts).is_some() {
                return Err(format!(
                    "seed {seed} (RULECHECK_SEED={seed} RULECHECK_PROGRAMS=1 runs it alone)\n{}",
                    shrink(program, facts, fault)
                ));
            }
        }
    }
    Ok(compared)
}

/// A number from the environment, to run other or more seeds than usual.
#[must_use]
pub fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}
