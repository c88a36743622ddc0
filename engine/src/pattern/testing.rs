//! Patterns and programs for tests, from a short notation, and random numbers that are the same each time.

use crate::ir::{
    ExtractFrom, Extractor, Fact, FactId, Give, Hole, LineClass, LineKind, Pattern, PatternId, PhrasePart, Program,
    Site, TextRef,
};
use crate::value::{Type, Value};

/// `/re/`, `/re/i`, or a phrase with holes as in a rule.
pub(crate) fn pattern(source: &str) -> Pattern {
    let slashes = source.strip_prefix('/').and_then(|body| body.rsplit_once('/'));
    if let Some((body, flags)) = slashes.filter(|(_, flags)| matches!(*flags, "" | "i")) {
        let names = regex::Regex::new(r"\(\?<([^>]+)>").unwrap();
        let groups = names.captures_iter(body).map(|found| found[1].into()).collect();
        return Pattern::Regex { source: body.into(), insensitive: flags == "i", groups };
    }
    let mut parts = Vec::new();
    let mut rest = source;
    while let Some((before, behind)) = rest.split_once('{') {
        if !before.is_empty() {
            parts.push(PhrasePart::Literal(before.into()));
        }
        let (inside, behind) = behind.split_once('}').unwrap();
        parts.push(match inside.split_once(':') {
            Some((_, ty)) => PhrasePart::Hole(hole(ty.trim())),
            None => PhrasePart::Any,
        });
        rest = behind;
    }
    if !rest.is_empty() {
        parts.push(PhrasePart::Literal(rest.into()));
    }
    Pattern::Phrase(parts)
}

fn hole(name: &str) -> Hole {
    match name {
        "number" => Hole::Number,
        "size" => Hole::Size,
        "bytes" => Hole::Bytes,
        "mib" => Hole::Mib,
        "version" => Hole::Version,
        "word" => Hole::Word,
        "name" => Hole::Name,
        "quoted" => Hole::Quoted,
        "path" => Hole::Path,
        "text" => Hole::Text,
        "line" => Hole::Line,
        "list" => Hole::List,
        other => panic!("no hole {other}"),
    }
}

/// Adds a pattern to a program.
pub(crate) fn add_pattern(program: &mut Program, source: &str) -> PatternId {
    program.patterns.push(pattern(source));
    PatternId(u32::try_from(program.patterns.len()).unwrap() - 1)
}

/// Adds a fact.
pub(crate) fn add_fact(program: &mut Program, name: &str, ty: Type, range: Option<(Value, Value)>) -> FactId {
    let id = FactId(u32::try_from(program.facts.len()).unwrap());
    program.facts.push(Fact {
        name: name.into(),
        ty,
        range,
        description: crate::ir::Text::default(),
        ask: None,
        probe: None,
        record: None,
        concluders: Vec::new(),
        site: Site::default(),
    });
    program.fact_names.insert(name.into(), id);
    id
}

/// Adds `line KIND PATTERN`.
pub(crate) fn add_line(program: &mut Program, kind: LineClass, source: &str) {
    let pattern = add_pattern(program, source);
    program.lines.push(LineKind { kind, pattern, site: Site::default() });
}

/// Adds an extractor whose holes are these facts, in order.
pub(crate) fn add_extractor(program: &mut Program, text: TextRef, source: &str, facts: &[FactId]) -> PatternId {
    let pattern = add_pattern(program, source);
    let gives = (0..).zip(facts).map(|(number, &fact)| Give::Hole(fact, number, None)).collect();
    program.extractors.push(Extractor { from: ExtractFrom::Text(text, pattern), gives, site: Site::default() });
    pattern
}

/// A program with these patterns alone.
pub(crate) fn program_of(sources: &[&str]) -> Program {
    Program { patterns: sources.iter().map(|source| pattern(source)).collect(), ..Program::default() }
}

/// Numbers that look random.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % u64::try_from(limit).unwrap()).unwrap()
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}
