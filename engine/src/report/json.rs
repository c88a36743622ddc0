//! The JSON forms: keys and their order are a promise to launchers and bots. Keys may be added at the end of an object,
//! none is changed or dropped; fields without a value are null, lists are there even when empty.

use serde_json::{Map, Value as Json, json};

use crate::diagnosis::{
    Caution, Diagnosis, FactView, NearMiss, ProblemView, Question, Shell, StepText, Suggestion, Withheld,
};
use crate::evidence::{Input, Place};
use crate::explanation::{Change, Explanation, ProofNode};
use crate::ir::{Citation, ProblemSeverity, Risk};
use crate::value::{Number, Type, Value};

/// The version of the shape.
const SCHEMA: u32 = 1;

/// A diagnosis as one JSON object, its texts in a language.
#[must_use]
pub fn diagnosis(diagnosis: &Diagnosis, lang: &str) -> String {
    let object = json!({
        "schema": SCHEMA,
        "inputs": list(diagnosis.evidence().inputs(), input),
        "facts": list(&diagnosis.facts(), fact),
        "problems": list(&diagnosis.problems(), |it| problem(it, lang)),
        "suggestions": list(&diagnosis.suggestions(), |it| suggestion(it, lang)),
        "withheld": list(&diagnosis.withheld(), |it| withheld(it, lang)),
        "questions": list(&diagnosis.questions(), |it| question(it, lang)),
        "notices": list(diagnosis.notices(), |it| it.text(lang).into()),
        "nearest": list(&diagnosis.near_misses(lang), near_miss),
    });
    print(&object)
}

/// An explanation as one JSON object.
#[must_use]
pub fn explanation(explanation: &Explanation) -> String {
    print(&answer(explanation))
}

/// Several explanations as one JSON object.
#[must_use]
pub fn explanations(explanations: &[Explanation]) -> String {
    print(&json!({ "schema": SCHEMA, "proofs": list(explanations, answer) }))
}

fn print(object: &Json) -> String {
    format!("{object:#}\n")
}

fn list<T>(items: &[T], f: impl Fn(&T) -> Json) -> Json {
    items.iter().map(f).collect()
}

fn input(input: &Input) -> Json {
    json!({ "name": &*input.name, "kind": input.kind, "bytes": input.bytes })
}

fn fact(fact: &FactView<'_>) -> Json {
    json!({
        "name": fact.name(),
        "value": fact.value().map_or(Json::Null, value),
        "type": type_name(fact.ty()),
        "state": if fact.value().is_some() { "known" } else { "none" },
        "origin": fact.origin().as_str(),
        "evidence": list(&fact.evidence(), span),
    })
}

/// The type without the words of a `one of`, which would repeat a declaration at every fact.
pub(crate) fn type_name(ty: &Type) -> String {
    match ty {
        Type::OneOf(_) => "one of".to_owned(),
        Type::Set(of) => format!("set of {}", type_name(of)),
        _ => ty.to_string(),
    }
}

/// A value as the JSON forms print it: sizes as whole bytes, sets as sorted lists.
#[must_use]
pub fn value(value: &Value) -> Json {
    match value {
        Value::Bool(value) => (*value).into(),
        Value::Number(value) => number(*value),
        Value::Size(bytes) => (*bytes).into(),
        Value::Version(version) => version.to_string().into(),
        Value::Text(text) => (**text).into(),
        Value::Set(items) => items.iter().map(self::value).collect(),
    }
}

/// Whole numbers have no decimal point.
fn number(value: Number) -> Json {
    /// Up to here a float holds every whole number.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let value = value.get();
    if value.fract() == 0.0 && value.abs() <= EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "whole and in the range of exact integers")]
        let whole = value as i64;
        return whole.into();
    }
    value.into()
}

fn span(place: &Place) -> Json {
    json!({
        "input": &*place.input,
        "line": place.line,
        "column": place.column,
        "length": place.length,
        "text": place.text,
    })
}

fn problem(problem: &ProblemView<'_>, lang: &str) -> Json {
    json!({
        "id": problem.id(),
        "title": problem.title(lang),
        "certainty": problem.certainty().as_str(),
        "severity": severity(problem.severity()),
        "primary": problem.is_primary(),
        "covered_by": problem.covered_by(),
        "because": problem.because(lang),
        "rules": problem.rules(),
        "evidence": list(&problem.evidence(), span),
        "needs": problem.needs(),
        "summary": problem.summary(lang),
        "cause": problem.cause(lang),
    })
}

fn near_miss(miss: &NearMiss) -> Json {
    json!({ "rule": miss.rule, "decides": miss.decides, "titles": miss.titles, "needs": miss.needs })
}

const fn severity(severity: ProblemSeverity) -> &'static str {
    match severity {
        ProblemSeverity::Failure => "failure",
        ProblemSeverity::Warning => "warning",
        ProblemSeverity::Note => "note",
    }
}

const fn risk(risk: Risk) -> &'static str {
    match risk {
        Risk::Low => "low",
        Risk::Medium => "medium",
        Risk::High => "high",
    }
}

/// Written out key by key: one literal of this many keys is past what the macro expands.
fn suggestion(it: &Suggestion<'_>, lang: &str) -> Json {
    let mut object = Map::new();
    let mut put = |key: &str, value: Json| object.insert(key.to_owned(), value);
    put("rank", it.rank().into());
    put("fix", it.fix().into());
    put("title", it.title(lang).into());
    put("status", it.status().as_str().into());
    put("priority", it.priority().into());
    put("problem", it.problem().into());
    put("because", it.because(lang).into());
    put("rules", it.rules().into());
    put("needs", it.needs().into());
    put("risk", risk(it.risk()).into());
    put("risk_note", it.risk_note(lang).into());
    put("steps", list(&it.steps(lang), step));
    put("verify", it.verify(lang).into());
    put("undo", it.undo(lang).into());
    put("cautions", list(&it.cautions(lang), caution));
    put("alternatives", it.alternatives().into());
    put("sources", list(it.sources(), source));
    put("verified", it.verified().into());
    Json::Object(object)
}

fn step(step: &StepText) -> Json {
    json!({
        "text": step.text,
        "command": step.command,
        "shell": step.shell.map(Shell::as_str),
        "alternatives": list(&step.alternatives, |it| json!({
            "launcher": it.launcher,
            "text": it.text,
            "command": it.command,
            "shell": it.shell.map(Shell::as_str),
        })),
    })
}

fn caution(caution: &Caution) -> Json {
    json!({ "text": caution.text, "needs": caution.needs })
}

fn source(source: &Citation) -> Json {
    json!({ "kind": &*source.kind, "title": &*source.title, "url": source.url.as_deref() })
}

fn withheld(it: &Withheld<'_>, lang: &str) -> Json {
    json!({
        "fix": it.fix(),
        "reason": it.reason().as_str(),
        "because": it.because(lang),
        "rules": it.rules(),
        "title": it.title(lang),
    })
}

fn question(it: &Question<'_>, lang: &str) -> Json {
    json!({ "fact": it.fact(), "text": it.text(lang), "decides": it.decides() })
}

fn answer(it: &Explanation) -> Json {
    json!({
        "schema": SCHEMA,
        "id": it.id,
        "status": it.status.as_str(),
        "proof": node(&it.proof),
        "order": it.order,
        "least_change": list(&it.least_change, change),
        "title": it.title,
    })
}

fn node(it: &ProofNode) -> Json {
    json!({
        "what": it.what,
        "value": it.value.as_str(),
        "rule": it.rule,
        "place": it.place.as_ref().map(|at| json!({ "file": at.file, "line": at.line, "column": at.column })),
        "evidence": list(&it.evidence, span),
        "fact": it.fact,
        "origin": it.origin.map(crate::facts::Origin::as_str),
        "time": it.time,
        "children": list(&it.children, node),
    })
}

fn change(change: &Change) -> Json {
    json!({ "fact": change.fact, "from": change.from, "to": change.to })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_have_no_decimal_point() {
        let print = |value| number(Number::new(value).unwrap()).to_string();
        assert_eq!(print(3.0), "3");
        assert_eq!(print(-0.5), "-0.5");
        assert_eq!(print(3_221_225_477.0), "3221225477");
    }

    #[test]
    fn values_keep_their_kind() {
        assert_eq!(value(&Value::Size(424_673_280)).to_string(), "424673280");
        let set = Value::parse("--b, --a", &Type::Set(Type::Text.into())).unwrap();
        assert_eq!(value(&set).to_string(), r#"["--a","--b"]"#);
    }
}
