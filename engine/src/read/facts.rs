//! The facts a text states, by the extractors of the program.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use super::lines::{LineCounts, touches};
use super::{Disagreement, Stated};
use crate::evidence::{Evidence, Scalar};
use crate::facts::Provenance;
use crate::ir::{ExtractFrom, Extractor, FactId, Give, Hole, PatternId, Program, TextRef};
use crate::pattern::{Hit, assignments, hole_value};
use crate::value::{Number, Type, Value, is_name};

/// The set that holds the arguments of the program, and the family of their values.
const ARGUMENTS: &str = "launch.args";
const ARGUMENT: &str = "launch.arg.";

/// What the extractors read from.
pub(super) struct Sources<'a> {
    pub(super) program: &'a Program,
    pub(super) evidence: &'a Evidence,
    pub(super) hits: &'a dyn Fn(&TextRef, PatternId) -> &'a [Hit],
    pub(super) counts: &'a LineCounts,
    /// The failure, if one shows by its form.
    pub(super) failure: Option<Range<usize>>,
    /// The spans of all failures that show by their form, merged.
    pub(super) failures: Vec<Range<usize>>,
    /// Where starts begin, sorted.
    pub(super) starts: &'a [usize],
}

/// What was read.
#[derive(Debug, Clone, Default)]
pub(super) struct Facts {
    pub(super) known: BTreeMap<FactId, Stated>,
    pub(super) members: BTreeMap<Arc<str>, Stated>,
    pub(super) disagreements: Vec<Disagreement>,
}

/// A place that an extractor reads a fact from: a hit or a value of a document.
#[derive(Clone, Copy)]
enum Source<'a> {
    Hit(&'a Hit),
    Scalar(&'a Scalar),
}

/// All places of one extractor for one fact, in the order of the text.
struct Statement<'a> {
    places: Vec<Source<'a>>,
    give: &'a Give,
}

/// A value and where it stands.
type Reading = (Value, Range<usize>);

/// How near a reading is; the least is the nearest: before, in or behind the failure; lines; extractor; bytes.
type Nearness = (u8, usize, usize, usize);

pub(super) fn read(sources: &Sources<'_>) -> Facts {
    let mut facts = Facts::default();
    for (fact, statements) in by_fact(sources) {
        let Some(declared) = sources.program.facts.get(fact.index()) else { continue };
        if matches!(declared.ty, Type::Set(_)) {
            sources.read_set(fact, &statements, &mut facts);
        } else {
            sources.read_one(fact, &statements, &mut facts);
        }
    }
    facts
}

/// The extractors of each fact that found something, in the order of declaration.
fn by_fact<'a>(sources: &Sources<'a>) -> BTreeMap<FactId, Vec<Statement<'a>>> {
    let scalars = scalars(sources);
    let mut all: BTreeMap<FactId, Vec<Statement<'a>>> = BTreeMap::new();
    for extractor in &sources.program.extractors {
        let places = places(sources, extractor, &scalars);
        if places.is_empty() {
            continue;
        }
        for give in &extractor.gives {
            let (Give::Value(fact, _) | Give::Hole(fact, ..)) = give;
            all.entry(*fact).or_default().push(Statement { places: places.clone(), give });
        }
    }
    all
}

fn places<'a>(
    sources: &Sources<'a>,
    extractor: &Extractor,
    scalars: &HashMap<&'a str, Vec<&'a Scalar>>,
) -> Vec<Source<'a>> {
    match &extractor.from {
        ExtractFrom::Text(text, pattern) => (sources.hits)(text, *pattern).iter().map(Source::Hit).collect(),
        ExtractFrom::Json(path) => {
            scalars.get(&**path).into_iter().flatten().map(|&scalar| Source::Scalar(scalar)).collect()
        }
    }
}

/// Values of documents by path, if any extractor asks for one; those of a list also by the list's.
fn scalars<'a>(sources: &Sources<'a>) -> HashMap<&'a str, Vec<&'a Scalar>> {
    let facts = &sources.program.facts;
    let is_set = |give: &Give| {
        let (Give::Value(fact, _) | Give::Hole(fact, ..)) = give;
        facts.get(fact.index()).is_some_and(|fact| matches!(fact.ty, Type::Set(_)))
    };
    // Each path, and whether a set is read from it.
    let mut paths: HashMap<&str, bool> = HashMap::new();
    for extractor in &sources.program.extractors {
        if let ExtractFrom::Json(path) = &extractor.from {
            *paths.entry(path).or_default() |= extractor.gives.iter().any(is_set);
        }
    }
    let mut found: HashMap<&str, Vec<&Scalar>> = HashMap::new();
    if paths.is_empty() {
        return found;
    }
    for scalar in sources.evidence.documents().iter().flat_map(|document| &document.scalars) {
        // A set takes the items of a list.
        let list = list_of(&scalar.path).filter(|list| paths.get(list) == Some(&true));
        let own = Some(scalar.path.as_str()).filter(|path| paths.contains_key(path));
        own.into_iter().chain(list).for_each(|path| found.entry(path).or_default().push(scalar));
    }
    found
}

/// The path of the list that an item stands in.
fn list_of(path: &str) -> Option<&str> {
    path.strip_suffix(']')?.rsplit_once('[').map(|(list, _)| list)
}

impl Sources<'_> {
    /// In the failure itself, else nearest before it, else first after it; without a failure the last.
    fn read_one(&self, fact: FactId, statements: &[Statement<'_>], facts: &mut Facts) {
        let mut best: Option<(Nearness, Reading)> = None;
        for (index, statement) in statements.iter().enumerate() {
            let Some(reading) = self.nearest(fact, statement) else { continue };
            let nearness = self.nearness(&reading.1, index);
            if best.as_ref().is_none_or(|(least, _)| nearness < *least) {
                best = Some((nearness, reading));
            }
        }
        let Some((_, (value, span))) = best else { return };
        if let Some(other) = self.contradicting(fact, statements, &value, &span) {
            facts.disagreements.push(Disagreement { fact, taken: (value.clone(), span.clone()), other });
        }
        facts.known.insert(fact, Stated { value, provenance: Provenance::text(vec![span]) });
    }

    /// The nearest reading of one extractor. Its places are in order, so it is near where the failure is.
    fn nearest(&self, fact: FactId, statement: &Statement<'_>) -> Option<Reading> {
        let places = &statement.places;
        let read = |place: &Source<'_>| self.value(fact, *place, statement.give);
        let Some(failure) = &self.failure else { return places.iter().rev().find_map(read) };
        let first = places.partition_point(|place| place.span().end <= failure.start);
        let behind = places.partition_point(|place| place.span().start < failure.end).max(first);
        let part = |from: usize, to: usize| places.get(from..to).unwrap_or_default();
        let inside = part(first, behind).iter().find_map(read);
        let before = || part(0, first).iter().rev().find_map(read);
        inside.or_else(before).or_else(|| part(behind, places.len()).iter().find_map(read))
    }

    fn nearness(&self, span: &Range<usize>, extractor: usize) -> Nearness {
        let text = self.evidence.text();
        match &self.failure {
            None => (0, self.counts.between(text, span.start, text.len()), extractor, 0),
            Some(failure) if span.end <= failure.start => {
                (1, self.counts.between(text, span.end, failure.start), extractor, 0)
            }
            Some(failure) if span.start >= failure.end => {
                (2, self.counts.between(text, failure.end, span.start), extractor, 0)
            }
            Some(_) => (0, 0, extractor, span.start),
        }
    }

    /// A reading of the same start with another value. Other failures speak of other moments.
    fn contradicting(
        &self,
        fact: FactId,
        statements: &[Statement<'_>],
        value: &Value,
        span: &Range<usize>,
    ) -> Option<Reading> {
        let region = self.region(span.start);
        for statement in statements {
            for place in &statement.places {
                let at = place.span();
                let of_other_failure = self.failure.as_ref().is_none_or(|failure| !failure.contains(&at.start))
                    && touches(&self.failures, &at);
                if self.region(at.start) != region || of_other_failure {
                    continue;
                }
                match self.value(fact, *place, statement.give) {
                    Some((other, at)) if differ(value, &other) => return Some((other, at)),
                    _ => {}
                }
            }
        }
        None
    }

    /// All of the last start or report that states any; of those before the failure if there are some.
    fn read_set(&self, fact: FactId, statements: &[Statement<'_>], facts: &mut Facts) {
        let mut regions: BTreeMap<usize, (BTreeSet<Value>, Vec<Range<usize>>)> = BTreeMap::new();
        for statement in statements {
            for place in &statement.places {
                let Some((Value::Set(items), span)) = self.value(fact, *place, statement.give) else { continue };
                let region = regions.entry(self.region(span.start)).or_default();
                region.0.extend(items);
                region.1.push(span);
            }
        }
        let until = self.failure.as_ref().map_or(usize::MAX, |failure| self.region(failure.start));
        let last = regions.range(..=until).next_back().or_else(|| regions.last_key_value()).map(|(&region, _)| region);
        let Some((mut items, mut spans)) = last.and_then(|region| regions.remove(&region)) else { return };
        spans.sort_by_key(|span| (span.start, span.end));
        spans.dedup();
        if self.program.facts.get(fact.index()).is_some_and(|fact| &*fact.name == ARGUMENTS) {
            // A command line without flags is known to have none.
            items.retain(|item| matches!(item, Value::Text(text) if text.starts_with("--")));
            self.read_arguments(&spans, facts);
        }
        facts.known.insert(fact, Stated { value: Value::Set(items), provenance: Provenance::text(spans) });
    }

    /// The values of arguments are facts of their own.
    fn read_arguments(&self, spans: &[Range<usize>], facts: &mut Facts) {
        let Some(family) = self.program.families.iter().find(|family| &*family.prefix == ARGUMENT) else { return };
        for span in spans {
            for (name, text) in assignments(self.evidence.slice(span)) {
                let name = format!("{ARGUMENT}{name}");
                let declared = self.program.fact_names.get(name.as_str());
                let ty =
                    declared.and_then(|fact| self.program.facts.get(fact.index())).map_or(&family.ty, |fact| &fact.ty);
                let Some(value) = Value::parse(text, ty).filter(|_| is_name(&name)) else { continue };
                let stated = Stated { value, provenance: Provenance::text(vec![span.clone()]) };
                match declared {
                    Some(&fact) => facts.known.insert(fact, stated),
                    None => facts.members.insert(name.into(), stated),
                };
            }
        }
    }

    fn region(&self, at: usize) -> usize {
        self.starts.partition_point(|&start| start <= at)
    }

    /// What a place says of a fact: of its type and within its range, or nothing.
    fn value(&self, fact: FactId, place: Source<'_>, give: &Give) -> Option<Reading> {
        let declared = self.program.facts.get(fact.index())?;
        let (value, span) = match (give, place) {
            (Give::Value(_, value), _) => (value.clone(), place.span()),
            (Give::Hole(_, number, hole), Source::Hit(hit)) => {
                let captured = hit.captures.get(*number as usize)?.as_ref()?;
                let read = match (&captured.value, hole) {
                    (Value::Text(text), Some(hole)) => hole_value(*hole, text)?,
                    (value, _) => value.clone(),
                };
                (convert(read, self.evidence.slice(&captured.span), &declared.ty)?, captured.span.clone())
            }
            (Give::Hole(_, _, hole), Source::Scalar(scalar)) => {
                (of_scalar(&scalar.value, *hole, &declared.ty)?, scalar.span.clone())
            }
        };
        let value = unsigned(value, declared.range.as_ref());
        let fits = declared.range.as_ref().is_none_or(|(low, high)| in_range(&value, low, high));
        fits.then_some((value, span))
    }
}

impl Source<'_> {
    fn span(&self) -> Range<usize> {
        match self {
            Self::Hit(hit) => hit.span.clone(),
            Self::Scalar(scalar) => scalar.span.clone(),
        }
    }
}

fn of_scalar(text: &str, hole: Option<Hole>, ty: &Type) -> Option<Value> {
    match hole {
        Some(hole) => convert(hole_value(hole, text)?, text, ty),
        None => convert(Value::text(text), text, ty),
    }
}

/// A value that was read as a value of a fact's type.
fn convert(read: Value, raw: &str, ty: &Type) -> Option<Value> {
    match (read, ty) {
        (Value::Set(items), Type::Set(of)) => {
            let items: BTreeSet<Value> = items.into_iter().filter_map(|item| convert_item(item, of)).collect();
            (!items.is_empty()).then_some(Value::Set(items))
        }
        // A group of an expression has no hole type of its own: for a set it is read as a list.
        (Value::Text(text), Type::Set(_)) => convert(hole_value(Hole::List, &text)?, raw, ty),
        (read, Type::Set(of)) => convert(read, raw, of).map(|item| Value::Set(BTreeSet::from([item]))),
        (read @ Value::Number(_), Type::Number)
        | (read @ Value::Size(_), Type::Size)
        | (read @ Value::Version(_), Type::Version)
        | (read @ Value::Bool(_), Type::Bool) => Some(read),
        (Value::Text(text), ty) => of_text(&text, ty),
        // A size is no number, whatever its digits are.
        (Value::Size(_), Type::Number) | (Value::Number(_), Type::Size) => None,
        (_, ty) => of_text(raw, ty),
    }
}

fn of_text(text: &str, ty: &Type) -> Option<Value> {
    if text.trim().is_empty() {
        return None;
    }
    match ty {
        // Python prints versions as tuples, too: `Mac Version (15, 4)`.
        Type::Version if text.contains(", ") => Value::parse(&text.replace(", ", "."), ty),
        _ => Value::parse(text, ty),
    }
}

/// Windows prints codes as signed 32 bit numbers; a fact that cannot be negative takes them as what they are.
fn unsigned(value: Value, range: Option<&(Value, Value)>) -> Value {
    const CODES: f64 = 4_294_967_296.0;
    match (&value, range) {
        (Value::Number(number), Some((Value::Number(low), Value::Number(high))))
            if number.get() < 0.0 && low.get() == 0.0 && high.get() == CODES - 1.0 =>
        {
            Number::new(number.get() + CODES).map_or(value, Value::Number)
        }
        _ => value,
    }
}

fn convert_item(item: Value, ty: &Type) -> Option<Value> {
    match item {
        Value::Text(text) => of_text(&text, ty),
        other => convert(other, "", ty),
    }
}

fn in_range(value: &Value, low: &Value, high: &Value) -> bool {
    match (value, low, high) {
        (Value::Version(value), Value::Version(low), Value::Version(high)) => {
            value.compare_to(low).is_ge() && value.compare_to(high).is_le()
        }
        (Value::Set(items), ..) => items.iter().all(|item| in_range(item, low, high)),
        _ => low <= value && value <= high,
    }
}

/// Whether two values cannot both be true: sizes are printed rounded, versions in full and in short.
fn differ(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Size(one), Value::Size(other)) => one.abs_diff(*other) > one.max(other) / 100,
        (Value::Version(one), Value::Version(other)) => one.compare_to(other).is_ne() && other.compare_to(one).is_ne(),
        (Value::Text(one), Value::Text(other)) => !one.eq_ignore_ascii_case(other),
        _ => one != other,
    }
}
