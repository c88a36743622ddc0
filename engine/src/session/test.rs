//! Single tests: what a fact is compared with, and whether a text matches.

use std::cmp::Ordering;
use std::ops::Range;

use super::{Elements, Session};
use crate::explanation::Truth;
use crate::facts::{Reason, State};
use crate::ir::{Comparison, FactRef, Group, Matching, Operator, RecordId, SectionId, StateKind, Term, Test, TextRef};
use crate::pattern::Hit;
use crate::ruleset::Ruleset;
use crate::value::{Number, Value};

/// What a quantifier has at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Context {
    /// Nothing.
    Run,
    /// An element of a record.
    Element(RecordId, usize),
    /// A failure of the text.
    Error(usize),
}

/// The value of a term.
enum Read {
    Known(Value),
    None,
    Unknown,
}

impl Session {
    pub(super) fn test(&self, ruleset: &Ruleset, test: &Test, context: Context) -> Truth {
        match test {
            Test::Holds(fact) => match self.read(ruleset, fact, context) {
                Read::Known(Value::Bool(true)) => Truth::True,
                Read::Known(_) | Read::None => Truth::False,
                Read::Unknown => Truth::Unknown,
            },
            Test::Compare(left, op, right) => self.compare(ruleset, left, *op, right, context),
            Test::Within(term, low, high) => self.of_value(ruleset, term, context, |value| {
                ordering(value, low).is_some_and(Ordering::is_ge) && ordering(value, high).is_some_and(Ordering::is_le)
            }),
            Test::OneOf(term, values) => self.of_value(ruleset, term, context, |value| {
                values.iter().any(|wanted| ordering(value, wanted) == Some(Ordering::Equal))
            }),
            Test::Has(fact, group, values) => self.has(ruleset, fact, *group, values, context),
            Test::State(fact, kind) => match self.state_of(ruleset, fact, context) {
                State::Unknown(Reason::Undecided) if self.waits_for_host(ruleset, fact) => Truth::Unknown,
                state => state_is(&state, *kind),
            },
            Test::RecordState(record, kind) => self.record_is(ruleset, *record, *kind),
            Test::SectionState(section, kind) => self.section_is(*section, *kind),
            Test::Matches(matching) => self.matches(ruleset, matching, context),
            Test::Problem(problem) => self.problem(*problem),
            Test::NoProblem => self.no_problem.unwrap_or_else(|| truth(!self.problems.contains(&Truth::True))),
        }
    }

    fn of_value(&self, ruleset: &Ruleset, term: &Term, context: Context, holds: impl Fn(&Value) -> bool) -> Truth {
        match self.term(ruleset, term, context) {
            Read::Known(value) => truth(holds(&value)),
            Read::None => Truth::False,
            Read::Unknown => Truth::Unknown,
        }
    }

    fn compare(&self, ruleset: &Ruleset, left: &Term, op: Comparison, right: &Term, context: Context) -> Truth {
        let (own, other) = match (self.term(ruleset, left, context), self.term(ruleset, right, context)) {
            (Read::Known(own), Read::Known(other)) => (own, other),
            (Read::None, _) | (_, Read::None) => return Truth::False,
            _ => return Truth::Unknown,
        };
        // A literal decides how many parts of a version count, on whichever side it stands.
        let order = match left {
            Term::Literal(_) => ordering(&other, &own).map(Ordering::reverse),
            _ => ordering(&own, &other),
        };
        let Some(order) = order else { return Truth::Unknown };
        truth(match op {
            Comparison::Equal => order.is_eq(),
            Comparison::NotEqual => order.is_ne(),
            Comparison::Less => order.is_lt(),
            Comparison::LessOrEqual => order.is_le(),
            Comparison::Greater => order.is_gt(),
            Comparison::GreaterOrEqual => order.is_ge(),
        })
    }

    fn has(&self, ruleset: &Ruleset, fact: &FactRef, group: Group, values: &[Value], context: Context) -> Truth {
        let holds = |wanted: &Value, items: &std::collections::BTreeSet<Value>| {
            items.iter().any(|item| ordering(item, wanted) == Some(Ordering::Equal))
        };
        match self.read(ruleset, fact, context) {
            Read::Known(Value::Set(items)) => truth(match group {
                Group::Any => values.iter().any(|wanted| holds(wanted, &items)),
                Group::All => values.iter().all(|wanted| holds(wanted, &items)),
                Group::None => !values.iter().any(|wanted| holds(wanted, &items)),
            }),
            Read::Known(_) | Read::None => truth(group == Group::None),
            Read::Unknown => Truth::Unknown,
        }
    }

    fn term(&self, ruleset: &Ruleset, term: &Term, context: Context) -> Read {
        match term {
            Term::Literal(value) => Read::Known(value.clone()),
            Term::Fact(fact) => self.read(ruleset, fact, context),
            Term::Arithmetic(left, op, right) => {
                match (self.term(ruleset, left, context), self.term(ruleset, right, context)) {
                    (Read::Known(left), Read::Known(right)) => {
                        calculate(&left, *op, &right).map_or(Read::Unknown, Read::Known)
                    }
                    (Read::None, _) | (_, Read::None) => Read::None,
                    _ => Read::Unknown,
                }
            }
        }
    }

    /// The value of a term in a whole run; `None` if it is none or not known.
    pub(crate) fn term_value(&self, ruleset: &Ruleset, term: &Term) -> Option<Value> {
        match self.term(ruleset, term, Context::Run) {
            Read::Known(value) => Some(value),
            Read::None | Read::Unknown => None,
        }
    }

    fn read(&self, ruleset: &Ruleset, fact: &FactRef, context: Context) -> Read {
        match self.state_of(ruleset, fact, context) {
            State::Known(value, _) => Read::Known(value),
            State::None(_) => Read::None,
            State::Unknown(_) => Read::Unknown,
        }
    }

    /// The state of a fact as a condition refers to it.
    #[must_use]
    pub fn state_of(&self, ruleset: &Ruleset, fact: &FactRef, context: Context) -> State {
        match fact {
            FactRef::Fact(fact) => self.fact(ruleset, *fact),
            FactRef::Element(field) => {
                let Context::Element(record, index) = context else { return State::Unknown(Reason::NotStated) };
                match self.elements(record) {
                    Some(Elements::Known(list, _)) => list
                        .get(index)
                        .and_then(|element| element.get(field))
                        .cloned()
                        .unwrap_or(State::Unknown(Reason::NotStated)),
                    _ => State::Unknown(Reason::NotStated),
                }
            }
            FactRef::Capture { text, pattern, hole, .. } => {
                let hits = self.hits(ruleset, text, *pattern, context);
                let captured = self.texts.nearest(&hits).and_then(|hit| hit.captures.get(*hole as usize)?.clone());
                captured.map_or(State::Unknown(Reason::NotStated), |captured| {
                    State::Known(captured.value, crate::facts::Provenance::text(vec![captured.span]))
                })
            }
        }
    }

    fn record_is(&self, ruleset: &Ruleset, record: RecordId, kind: StateKind) -> Truth {
        match self.elements(record) {
            Some(Elements::Known(list, _)) => truth(match kind {
                StateKind::Known => !list.is_empty(),
                StateKind::None => list.is_empty(),
                StateKind::Unknown => false,
            }),
            _ if self.may_ask_record(ruleset, record) => Truth::Unknown,
            _ => truth(kind == StateKind::Unknown),
        }
    }

    fn section_is(&self, section: SectionId, kind: StateKind) -> Truth {
        let missing = self.texts.is_missing(&TextRef::Section(section));
        truth(match kind {
            StateKind::Known => !missing,
            StateKind::Unknown => missing,
            StateKind::None => false,
        })
    }

    fn matches(&self, ruleset: &Ruleset, matching: &Matching, context: Context) -> Truth {
        match &matching.text {
            TextRef::Section(_) if self.texts.is_missing(&matching.text) => return Truth::Unknown,
            TextRef::Fact(fact) => match self.state_of(ruleset, fact, context) {
                State::Unknown(_) => return Truth::Unknown,
                State::None(_) => return Truth::False,
                State::Known(..) => {}
            },
            _ => {}
        }
        let enough = self.has_hits(ruleset, matching, context)
            && self.matching_hits(ruleset, matching, context).len() >= matching.times.max(1) as usize;
        // An expression beyond the limits matches nothing; what it would have said is not known.
        let faulty = !enough && matching.patterns.iter().any(|&pattern| ruleset.matcher().is_faulty(pattern));
        if faulty { Truth::Unknown } else { truth(enough) }
    }

    /// Whether any pattern of a matching hits at all: what mostly is to be known, without copies.
    fn has_hits(&self, ruleset: &Ruleset, matching: &Matching, context: Context) -> bool {
        matching.patterns.iter().any(|&pattern| match (&matching.text, context) {
            (TextRef::Fact(_), _) => !self.hits(ruleset, &matching.text, pattern, context).is_empty(),
            (TextRef::EachError(part), Context::Error(index)) => {
                !self.texts.error_hits(index, *part, pattern).is_empty()
            }
            (text, _) => !self.texts.hits(text, pattern).is_empty(),
        })
    }

    /// The hits that count for a matching: of any of its patterns, and followed by the second where one is asked for.
    pub(crate) fn matching_hits(&self, ruleset: &Ruleset, matching: &Matching, context: Context) -> Vec<Hit> {
        let mut hits: Vec<Hit> = Vec::new();
        for &pattern in &matching.patterns {
            hits.extend(self.hits(ruleset, &matching.text, pattern, context));
        }
        if let Some((second, lines)) = matching.followed_by {
            let followers = self.hits(ruleset, &matching.text, second, context);
            hits.retain(|hit| {
                let behind = |range: &Range<usize>| range.start >= hit.span.end;
                let near = |range: &Range<usize>| self.texts.lines_between(hit.span.end, range.start) <= lines;
                followers.iter().any(|follower| behind(&follower.span) && near(&follower.span))
            });
        }
        hits
    }

    pub(super) fn hits(
        &self,
        ruleset: &Ruleset,
        text: &TextRef,
        pattern: crate::ir::PatternId,
        context: Context,
    ) -> Vec<Hit> {
        match (text, context) {
            (TextRef::Fact(fact), _) => match self.state_of(ruleset, fact, context) {
                State::Known(Value::Text(text), _) => self.texts.find(pattern, &text),
                _ => Vec::new(),
            },
            (TextRef::EachError(part), Context::Error(index)) => self.texts.error_hits(index, *part, pattern).to_vec(),
            (TextRef::EachError(_), _) => Vec::new(),
            _ => self.texts.hits(text, pattern).to_vec(),
        }
    }
}

pub(super) const fn truth(holds: bool) -> Truth {
    if holds { Truth::True } else { Truth::False }
}

fn state_is(state: &State, kind: StateKind) -> Truth {
    match (state, kind) {
        (State::Unknown(Reason::NotAsked), _) => Truth::Unknown,
        (State::Known(..), StateKind::Known)
        | (State::None(_), StateKind::None)
        | (State::Unknown(_), StateKind::Unknown) => Truth::True,
        _ => Truth::False,
    }
}

/// How a value compares with a literal or another value of its type; texts and words without regard to case.
pub(crate) fn ordering(value: &Value, literal: &Value) -> Option<Ordering> {
    match (value, literal) {
        (Value::Version(own), Value::Version(literal)) => Some(own.compare_to(literal)),
        (Value::Text(own), Value::Text(literal)) => {
            Some(own.chars().flat_map(char::to_lowercase).cmp(literal.chars().flat_map(char::to_lowercase)))
        }
        (Value::Number(_), Value::Number(_))
        | (Value::Size(_), Value::Size(_))
        | (Value::Bool(_), Value::Bool(_))
        | (Value::Set(_), Value::Set(_)) => Some(value.cmp(literal)),
        // Only arithmetic brings these together: its results are plain numbers, of bytes where sizes went in, since a
        // difference of sizes may well be negative.
        (Value::Number(_), Value::Size(_)) | (Value::Size(_), Value::Number(_)) => {
            Some(amount(value)?.total_cmp(&amount(literal)?))
        }
        _ => None,
    }
}

/// Arithmetic on numbers and bytes. `None` for a division by zero.
fn calculate(left: &Value, op: Operator, right: &Value) -> Option<Value> {
    let (left, right) = (amount(left)?, amount(right)?);
    let result = match op {
        Operator::Add => left + right,
        Operator::Subtract => left - right,
        Operator::Multiply => left * right,
        Operator::Divide if right == 0.0 => return None,
        Operator::Divide => left / right,
    };
    Number::new(result).map(Value::Number)
}

fn amount(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => Some(number.get()),
        #[expect(clippy::cast_precision_loss, reason = "sizes above 2^53 bytes may round")]
        Value::Size(bytes) => Some(*bytes as f64),
        _ => None,
    }
}
