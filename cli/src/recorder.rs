//! What a host answered during a run, so that the run can be repeated as it was.

use std::collections::BTreeMap;

use rulecheck::value::Number;
use rulecheck::{Answer, Element, FactSource, Reading, Reason, Value, Version};
use serde_json::{Map, Value as Json, json};

/// Passes questions on and keeps the answers.
pub(crate) struct Recorder<'a> {
    host: &'a mut dyn FactSource,
    /// Whether it is asked whatever the text says of the machine.
    always: bool,
    pub(crate) record: Record,
}

/// Answers of a host, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Record {
    facts: BTreeMap<String, Answer>,
    elements: BTreeMap<String, Result<Vec<Element>, Reason>>,
}

impl<'a> Recorder<'a> {
    pub(crate) fn new(host: &'a mut dyn FactSource, always: bool) -> Self {
        Self { host, always, record: Record::default() }
    }
}

impl FactSource for Recorder<'_> {
    fn get(&mut self, name: &str) -> Answer {
        let answer = self.host.get(name);
        self.record.facts.insert(name.to_owned(), answer.clone());
        answer
    }

    fn elements(&mut self, record: &str) -> Result<Vec<Element>, Reason> {
        let elements = self.host.elements(record);
        self.record.elements.insert(record.to_owned(), elements.clone());
        elements
    }

    fn is_there(&self) -> bool {
        self.host.is_there()
    }

    fn is_where_it_failed(&self) -> bool {
        self.always
    }
}

/// A record answers what was asked then.
impl FactSource for Record {
    fn get(&mut self, name: &str) -> Answer {
        self.facts.get(name).cloned().unwrap_or_else(|| Reading::Unknown(Reason::ProbesOff).into())
    }

    fn elements(&mut self, record: &str) -> Result<Vec<Element>, Reason> {
        self.elements.get(record).cloned().unwrap_or(Err(Reason::ProbesOff))
    }

    fn is_there(&self) -> bool {
        !(self.facts.is_empty() && self.elements.is_empty())
    }
}

impl Record {
    pub(crate) fn to_json(&self) -> Json {
        let elements = self.elements.iter().map(|(name, elements)| {
            let elements = match elements {
                Ok(list) => list.iter().map(|element| answers_to_json(&element.fields)).collect(),
                Err(reason) => Json::String(reason.to_string()),
            };
            (name.clone(), elements)
        });
        json!({ "facts": answers_to_json(&self.facts), "elements": elements.collect::<Map<_, _>>() })
    }

    /// What cannot be read is as if it had not been asked.
    pub(crate) fn from_json(json: &Json) -> Self {
        let facts = json.get("facts").map(answers_from_json).unwrap_or_default();
        let elements = json.get("elements").and_then(Json::as_object).into_iter().flatten().map(|(name, elements)| {
            let elements = match elements {
                Json::Array(list) => {
                    Ok(list.iter().map(|fields| Element { fields: answers_from_json(fields) }).collect())
                }
                other => Err(Reason::NotPresent(other.as_str().unwrap_or_default().to_owned())),
            };
            (name.clone(), elements)
        });
        Self { facts, elements: elements.collect() }
    }
}

fn answers_to_json(answers: &BTreeMap<String, Answer>) -> Json {
    let one = |(name, answer): (&String, &Answer)| {
        let reading = match &answer.reading {
            Reading::Known(value) => json!({ "value": value_to_json(value) }),
            Reading::None => json!({ "value": null }),
            Reading::Unknown(reason) => json!({ "unknown": reason.to_string() }),
        };
        (name.clone(), json!({ "reading": reading, "time": answer.time }))
    };
    Json::Object(answers.iter().map(one).collect())
}

fn answers_from_json(json: &Json) -> BTreeMap<String, Answer> {
    let one = |(name, answer): (&String, &Json)| {
        let reading = answer.get("reading")?;
        let reading = match (reading.get("value"), reading.get("unknown").and_then(Json::as_str)) {
            (Some(Json::Null), _) => Reading::None,
            (Some(value), _) => Reading::Known(value_from_json(value)?),
            (None, reason) => Reading::Unknown(Reason::NotPresent(reason.unwrap_or_default().to_owned())),
        };
        let time = answer.get("time").and_then(Json::as_str).map(ToOwned::to_owned);
        Some((name.clone(), Answer { reading, time }))
    };
    json.as_object().into_iter().flatten().filter_map(one).collect()
}

/// A value with its type: `{ "size": 8589934592 }`.
fn value_to_json(value: &Value) -> Json {
    match value {
        Value::Bool(value) => json!({ "bool": value }),
        Value::Number(number) => json!({ "number": number.get() }),
        Value::Size(bytes) => json!({ "size": bytes }),
        Value::Version(version) => json!({ "version": version.to_string() }),
        Value::Text(text) => json!({ "text": &**text }),
        Value::Set(items) => json!({ "set": items.iter().map(value_to_json).collect::<Vec<_>>() }),
    }
}

fn value_from_json(json: &Json) -> Option<Value> {
    let (kind, value) = json.as_object()?.iter().next()?;
    match kind.as_str() {
        "bool" => value.as_bool().map(Value::Bool),
        "number" => Number::new(value.as_f64()?).map(Value::Number),
        "size" => value.as_u64().map(Value::Size),
        "version" => Version::parse(value.as_str()?).map(Value::Version),
        "text" => value.as_str().map(Value::text),
        "set" => value.as_array()?.iter().map(value_from_json).collect::<Option<_>>().map(Value::Set),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_answers_as_the_host_did() {
        let known = |value| Answer { reading: Reading::Known(value), time: Some("2026-11-30T00:00:00Z".to_owned()) };
        let mut record = Record::default();
        record.facts.insert("ram.total".to_owned(), known(Value::Size(u64::MAX)));
        record.facts.insert("gpu".to_owned(), Reading::None.into());
        record.facts.insert("os.version".to_owned(), known(Value::Version(Version::parse("14.5").unwrap())));
        let fields = BTreeMap::from([("gpu.name".to_owned(), known(Value::text("RTX")))]);
        record.elements.insert("gpu".to_owned(), Ok(vec![Element { fields }]));
        assert_eq!(Record::from_json(&record.to_json()), record);
    }
}
