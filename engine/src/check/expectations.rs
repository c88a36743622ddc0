//! The tests beside the rules.

use std::collections::HashMap;

use rulecheck_grammar::ast::{self, Expectation as Said, FactExpectation, Given, Name, TestClause};
use rulecheck_grammar::{Diagnostic, Spanned};

use super::collect::{Declarations, Item};
use super::names::Thing;
use super::{At, Checker, codes};
use crate::ir::{Expectation, FactId, FixId, GivenText, RecordId, RuleTest, StateKind};
use crate::value::Value;

/// A fact given, or `is none`.
type GivenFact = (FactId, Option<Value>);

impl Checker<'_> {
    /// Reads the tests. One with a mistake is left out.
    pub(super) fn rule_tests(&mut self, all: &Declarations<'_>) {
        for item in &all.tests {
            if let Some(test) = self.rule_test(item) {
                self.program.tests.push(test);
            }
        }
    }

    fn rule_test(&mut self, item: &Item<'_, ast::Test>) -> Option<RuleTest> {
        let at = item.at;
        let mut test = RuleTest {
            name: item.node.name.node.value.as_str().into(),
            pack: at.pack,
            site: at.site(item.node.name.span),
            facts: Vec::new(),
            elements: Vec::new(),
            absent: Vec::new(),
            texts: Vec::new(),
            expectations: Vec::new(),
        };
        let (mut seen, mut sound) = (Seen::default(), true);
        for clause in &item.node.clauses {
            sound &= self.test_clause(clause, &mut test, &mut seen, at).is_some();
        }
        if !item.partial && !item.node.clauses.iter().any(|clause| matches!(clause.kind, TestClause::Expect(_))) {
            let help = "add `expect problem ID`, `expect suggest FIX` or another expectation";
            self.error(codes::TEST, at, item.node.name.span, "the test expects nothing", help);
        }
        sound.then_some(test)
    }

    fn test_clause(
        &mut self,
        clause: &ast::Clause<TestClause>,
        test: &mut RuleTest,
        seen: &mut Seen,
        at: At,
    ) -> Option<()> {
        match &clause.kind {
            TestClause::Given(given) => {
                for given in given {
                    self.given(given, test, seen, at)?;
                }
            }
            TestClause::GivenElement(record, fields) => {
                let element = self.element(record, fields, at)?;
                test.elements.push(element);
            }
            TestClause::GivenText { log, text } => {
                let text = text.node.value.as_str().into();
                test.texts.push(if *log { GivenText::Log(text) } else { GivenText::Error(text) });
            }
            TestClause::GivenFile { log: true, path } => {
                test.texts.push(GivenText::LogFile(path.node.value.as_str().into()));
            }
            TestClause::GivenFile { log: false, path } => {
                let help = "write `given log from \"…\"`: the failure is found in it";
                self.error(codes::TEST, at, path.span, "a file gives a whole log, not the failure alone", help);
                return None;
            }
            TestClause::Expect(expectation) => {
                let site = at.site(expectation.span);
                let expectation = self.expectation(&expectation.node, at)?;
                test.expectations.push((expectation, site));
            }
        }
        Some(())
    }

    fn given(&mut self, given: &Given, test: &mut RuleTest, seen: &mut Seen, at: At) -> Option<()> {
        if let Some(Thing::Record(record)) = self.thing(&given.fact.node) {
            if given.value.is_none() {
                test.absent.push(record);
                return Some(());
            }
            let name = &given.fact.node;
            let help = format!("give its fields: `given {name}: FIELD = VALUE`, or `given {name} is none`");
            self.error(codes::TEST, at, given.fact.span, format!("`{name}` is a record and has no value"), help);
            return None;
        }
        let fact = self.fact_named(&given.fact, at)?;
        let fact = self.given_value(fact, given, at)?;
        seen.add(&mut test.facts, fact).or_else(|| self.given_twice(&given.fact, at))
    }

    fn given_twice<T>(&mut self, name: &Name, at: At) -> Option<T> {
        let message = format!("`{}` is given twice", name.node);
        self.error(codes::TEST, at, name.span, message, "give a fact one value; only sets have several");
        None
    }

    fn given_value(&mut self, fact: FactId, given: &Given, at: At) -> Option<GivenFact> {
        let Some(value) = &given.value else { return Some((fact, None)) };
        let ty = self.type_of(fact);
        Some((fact, Some(self.literal(value, &ty, given.fact.span, at)?)))
    }

    fn element(&mut self, record: &Name, fields: &[Given], at: At) -> Option<(RecordId, Vec<GivenFact>)> {
        let Some(Thing::Record(id)) = self.thing(&record.node) else {
            let near = self.near_fact(&record.node);
            let error = Diagnostic::error(
                codes::UNKNOWN_RECORD,
                format!("no pack declares a record `{}`", record.node),
                at.source,
                record.span,
            );
            self.push(error.help(
                near.map_or_else(
                    || "name a record, such as `gpu`".to_owned(),
                    |near| format!("did you mean `{near}`?"),
                ),
            ));
            return None;
        };
        let (mut given, mut seen) = (Vec::new(), Seen::default());
        for field in fields {
            let own = field.fact.node.strip_prefix(&format!("{}.", record.node)).unwrap_or(&field.fact.node);
            let full = format!("{}.{}", record.node, own.trim_start_matches('.'));
            let Some(fact) = self.fact(&full) else {
                self.no_field(record, &field.fact, id, at);
                return None;
            };
            let value = self.given_value(fact, field, at)?;
            seen.add(&mut given, value).or_else(|| self.given_twice(&field.fact, at))?;
        }
        Some((id, given))
    }

    fn no_field(&mut self, record: &Name, field: &Name, id: RecordId, at: At) {
        let fields = self.fields_of(crate::ir::Over::Record(id));
        let near = self.guess(&field.node, fields.iter().map(String::as_str));
        let message = format!("`{}` has no field `{}`", record.node, field.node);
        let error = Diagnostic::error(codes::UNKNOWN_FIELD, message, at.source, field.span);
        self.push(match near {
            Some(near) => error.help(format!("did you mean `{near}`?")).edit(at.source, field.span, near),
            None => error.help(format!("its fields are {}", super::quote_list(fields.iter().map(String::as_str)))),
        });
    }

    fn expectation(&mut self, said: &Said, at: At) -> Option<Expectation> {
        Some(match said {
            Said::NoProblem => Expectation::NoProblem,
            Said::Problem { no: false, id } => Expectation::Problem(self.problem(id, at)?),
            Said::Problem { no: true, id } => Expectation::NotProblem(self.problem(id, at)?),
            Said::Possible(name) => self.possible(name, at)?,
            Said::Suggest { no: true, fix, .. } => Expectation::NotSuggest(self.fix(fix, at)?),
            Said::Suggest { no: false, fix, first } => Expectation::Suggest { fix: self.fix(fix, at)?, first: *first },
            Said::OnlySuggest(names) => {
                let fixes: Vec<Option<FixId>> = names.iter().map(|name| self.fix(name, at)).collect();
                Expectation::OnlySuggest(fixes.into_iter().collect::<Option<_>>()?)
            }
            Said::Avoid(name) => Expectation::Avoid(self.fix(name, at)?),
            Said::Fact(name, expected) => self.expected_fact(name, expected, at)?,
        })
    }

    /// `possible ID` of a fix or a problem.
    fn possible(&mut self, name: &Name, at: At) -> Option<Expectation> {
        if self.names.problems.contains_key(name.node.as_str()) {
            return self.problem(name, at).map(Expectation::PossibleProblem);
        }
        self.fix(name, at).map(Expectation::PossibleFix)
    }

    fn expected_fact(&mut self, name: &Name, expected: &FactExpectation, at: At) -> Option<Expectation> {
        let fact = self.fact_named(name, at)?;
        Some(match expected {
            FactExpectation::Value(value) => {
                let ty = self.type_of(fact);
                let value = Spanned::new(value.node.clone(), value.span);
                Expectation::FactIs(fact, self.literal(&value, &ty, name.span, at)?)
            }
            FactExpectation::State(ast::State::Known) => Expectation::FactState(fact, StateKind::Known),
            FactExpectation::State(ast::State::Unknown) => Expectation::FactState(fact, StateKind::Unknown),
            FactExpectation::State(ast::State::None) => Expectation::FactState(fact, StateKind::None),
        })
    }
}

/// The facts given so far, by their place in the list.
#[derive(Default)]
struct Seen(HashMap<FactId, usize>);

impl Seen {
    /// Adds a given fact. The items of a set come one by one; any other fact is given once.
    fn add(&mut self, facts: &mut Vec<GivenFact>, (fact, value): GivenFact) -> Option<()> {
        let Some(known) = self.0.get(&fact).and_then(|index| facts.get_mut(*index)) else {
            self.0.insert(fact, facts.len());
            facts.push((fact, value));
            return Some(());
        };
        match (known, value) {
            ((_, Some(Value::Set(items))), Some(Value::Set(more))) => items.extend(more),
            _ => return None,
        }
        Some(())
    }
}
