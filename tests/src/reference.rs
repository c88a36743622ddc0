//! The meaning of rules as a program: a plain evaluator over the syntax tree, to be read beside `docs/semantics.md`.
//!
//! Nothing is compiled, shared between rules or put in order beforehand: every question goes through the declarations, and
//! only what a fact, rule or problem came to is written down. It reads no texts: what `matches` comes to is told.

mod asking;
mod outcome;
mod syntax;
mod text;
mod truth;

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use rulecheck::{Type, Value};
use rulecheck_grammar::ast::{
    ActionKind, ArithmeticOp, CompareOp, DeclarationKind, Expr, ExprKind, Fact, File, GroupKind, Items, Operand,
    Quantifier, Record, Rule, State, Table,
};

use syntax::{actions, asked_problems, asks_no_problem, has_probe, unless, when, word};
use truth::{amount, equal, fits, is_wordy, literal, order, plain};

pub use text::{Text, every};
pub use truth::{Truth, all, any, at_least, not};

/// What is read of a fact or term: unknown, or known to have no value, or a value.
type Read = Option<Option<Value>>;
/// What is known of an element, by full name of the field; what is missing is unknown.
pub type Element = BTreeMap<String, Option<Value>>;

/// What a run can know.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct World {
    /// Given facts; `None` is none.
    pub given: BTreeMap<String, Option<Value>>,
    /// Records given as none.
    pub absent: BTreeSet<String>,
    /// What the host tells when it is asked; the rest it does not know.
    pub host: BTreeMap<String, Option<Value>>,
    /// The elements the host lists when it is asked.
    pub elements: BTreeMap<String, Vec<Element>>,
    /// Nobody is there to be asked, so nothing is waited for.
    pub nobody: bool,
    /// What is told of a text.
    pub text: Text,
}

/// What a run comes to, one line each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// `NAME = VALUE (ORIGIN)`, by name.
    pub facts: Vec<String>,
    /// `ID certain|possible [covered by ID]`, in order.
    pub problems: Vec<String>,
    /// `FIX recommended|possible PRIORITY under PROBLEM [instead of FIXES]`, in order.
    pub suggestions: Vec<String>,
    /// `FIX REASON`, in order of declaration.
    pub withheld: Vec<String>,
}

/// Evaluates files, which must hold no mistake, in order of declaration.
#[must_use]
pub fn diagnose(files: &[File], world: &World) -> Answer {
    let mut asked = BTreeSet::new();
    loop {
        let run = Run::new(files, world, &asked);
        let wanted = run.wanted();
        if wanted.is_empty() {
            return run.answer();
        }
        asked.extend(wanted);
    }
}

struct Run<'a> {
    files: &'a [File],
    world: &'a World,
    /// Facts and records the host was asked for.
    asked: &'a BTreeSet<String>,
    /// The types of names, and what facts, rules (`when` and `unless`) and problems came to.
    types: RefCell<BTreeMap<String, Option<Declared>>>,
    facts: RefCell<BTreeMap<String, (Read, &'static str)>>,
    rules: RefCell<BTreeMap<*const Rule, (Truth, Truth)>>,
    problems: RefCell<BTreeMap<String, Truth>>,
}

/// A type, and what the host is asked for.
type Declared = (Type, Option<String>);

/// What a rule or table says of a fact.
enum Says<'a> {
    Rule(&'a Rule, &'a Operand),
    Table(&'a Table),
}

type At<'e> = Option<(&'e str, &'e Element)>;

impl<'a> Run<'a> {
    fn new(files: &'a [File], world: &'a World, asked: &'a BTreeSet<String>) -> Self {
        let (types, facts, rules, problems) =
            (RefCell::default(), RefCell::default(), RefCell::default(), RefCell::default());
        Self { files, world, asked, types, facts, rules, problems }
    }

    fn declarations(&self) -> impl Iterator<Item = &'a DeclarationKind> + use<'a> {
        self.files.iter().flat_map(|file| &file.declarations).map(|declaration| &declaration.kind)
    }

    fn rules(&self) -> impl Iterator<Item = &'a Rule> + use<'a> {
        self.declarations().filter_map(|kind| if let DeclarationKind::Rule(rule) = kind { Some(rule) } else { None })
    }

    fn record(&self, name: &str) -> Option<&'a Record> {
        self.declarations().find_map(|kind| match kind {
            DeclarationKind::Record(record) if record.name.node == name => Some(record),
            _ => None,
        })
    }

    /// The type of a fact, and what the host is asked for to learn it.
    fn declared(&self, name: &str) -> Option<Declared> {
        if let Some(known) = self.types.borrow().get(name) {
            return known.clone();
        }
        let declared = self.declaration(name);
        self.types.borrow_mut().insert(name.to_owned(), declared.clone());
        declared
    }

    fn declaration(&self, name: &str) -> Option<Declared> {
        if text::PARTS.contains(&name) {
            return Some((Type::Text, None));
        }
        let own = |fact: &Fact| (plain(&fact.ty.node), has_probe(&fact.clauses).then(|| name.to_owned()));
        self.declarations().find_map(|kind| match kind {
            DeclarationKind::Fact(fact) if fact.name.node == name && !fact.family => Some(own(fact)),
            DeclarationKind::Fact(fact)
                if fact.family && name.strip_prefix(&*fact.name.node).is_some_and(|rest| rest.starts_with('.')) =>
            {
                Some(own(fact))
            }
            DeclarationKind::Table(table) if table.fact.node == name => Some((Type::Text, None)),
            DeclarationKind::Record(record) => {
                let field = name.strip_prefix(&*record.name.node)?.strip_prefix('.')?;
                let fact = record.fields.iter().find(|fact| fact.kind.name.node == field)?;
                Some((plain(&fact.kind.ty.node), has_probe(&record.clauses).then(|| record.name.node.clone())))
            }
            _ => None,
        })
    }

    // Facts: given, then concluded, then what the host told.

    /// The state of a fact and its origin.
    fn fact(&self, name: &str) -> (Read, &'static str) {
        if let Some(known) = self.facts.borrow().get(name) {
            return known.clone();
        }
        let state = self.settle(name);
        self.facts.borrow_mut().insert(name.to_owned(), state.clone());
        state
    }

    fn settle(&self, name: &str) -> (Read, &'static str) {
        if let Some(given) = self.world.given.get(name) {
            return (Some(given.clone()), "given");
        }
        let (concluded, open) = self.concluded(name);
        match concluded {
            Some(value) if open.is_empty() => return (Some(Some(value)), "rule"),
            None if open.is_empty() => {}
            _ => return (None, "rule"),
        }
        let record = self.declarations().find_map(|kind| match kind {
            DeclarationKind::Record(record)
                if name.strip_prefix(&*record.name.node).is_some_and(|rest| rest.starts_with('.')) =>
            {
                Some(record)
            }
            _ => None,
        });
        if let Some(record) = record {
            let origin = if self.world.absent.contains(&record.name.node) { "given" } else { "probe" };
            return match self.elements(&record.name.node) {
                Some(list) => (list.first().map_or(Some(None), |element| element.get(name).cloned()), origin),
                None => (None, origin),
            };
        }
        let probed = self.declared(name).and_then(|(_, probe)| probe);
        match probed {
            Some(_) if self.asked.contains(name) => (self.world.host.get(name).cloned(), "probe"),
            None if self.sayings(name).next().is_some() => (Some(None), "rule"),
            _ => (None, "probe"),
        }
    }

    fn read(&self, name: &str, at: At<'_>) -> Read {
        match (name.starts_with('.'), at) {
            (true, Some((record, element))) => element.get(&format!("{record}{name}")).cloned(),
            _ => self.fact(name).0,
        }
    }

    /// All that can conclude a fact, in the order of declaration.
    fn sayings(&self, name: &str) -> impl Iterator<Item = Says<'a>> {
        self.declarations().filter_map(move |kind| match kind {
            DeclarationKind::Table(table) if table.fact.node == name => Some(Says::Table(table)),
            DeclarationKind::Rule(rule) => actions(rule).find_map(|action| match action {
                ActionKind::Conclude(fact, value) if fact.node == name => Some(Says::Rule(rule, &value.node)),
                _ => None,
            }),
            _ => None,
        })
    }

    /// The value of the first that holds, and what stands before it and is open; nothing if all of that says the same.
    fn concluded(&self, name: &str) -> (Option<Value>, Vec<Says<'a>>) {
        let mut open: Vec<(Option<Value>, Says<'a>)> = Vec::new();
        let ty = self.declared(name).map_or(Type::Text, |(ty, _)| ty);
        for says in self.sayings(name) {
            let (holds, value) = match &says {
                Says::Rule(rule, value) => (self.strict(rule), literal(value, &ty)),
                Says::Table(table) => self.looked_up(table, &ty),
            };
            match holds {
                Some(true) => {
                    if open.iter().all(|(other, _)| *other == value) {
                        open.clear();
                    }
                    return (value, open.into_iter().map(|(_, says)| says).collect());
                }
                Some(false) => {}
                None => open.push((value, says)),
            }
        }
        (None, open.into_iter().map(|(_, says)| says).collect())
    }

    fn looked_up(&self, table: &Table, ty: &Type) -> (Truth, Option<Value>) {
        let from = self.declared(&table.from.node).map_or(Type::Text, |(ty, _)| ty);
        let Some(key) = self.fact(&table.from.node).0 else { return (None, None) };
        let fits =
            |entry: &Operand| key.as_ref().zip(literal(entry, &from)).is_some_and(|(key, entry)| equal(key, &entry));
        if let Some(entry) = table.entries.iter().find(|entry| fits(&entry.kind.0.node)) {
            return (Some(true), literal(&entry.kind.1.node, ty));
        }
        match table.otherwise.as_ref().map(|fact| self.fact(&fact.kind.node).0) {
            Some(None) => (None, None),
            Some(Some(Some(value))) => (Some(true), Some(value)),
            Some(Some(None)) | None => (Some(false), None),
        }
    }

    /// The elements of a record, if they are known: those given as fields make one, to which a host's adds.
    fn elements(&self, name: &str) -> Option<Vec<Element>> {
        if self.world.absent.contains(name) {
            return Some(Vec::new());
        }
        let prefix = format!("{name}.");
        let stated: Element = self
            .world
            .given
            .iter()
            .filter(|(fact, _)| fact.starts_with(&prefix))
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect();
        let listed = self.world.elements.get(name).filter(|_| self.asked.contains(name));
        if stated.is_empty() {
            return listed.cloned();
        }
        let differ = |field: &String, own: &Option<Value>, here: &Element| match (own, here.get(field)) {
            (Some(Value::Text(own)), Some(Some(Value::Text(here)))) => !own.eq_ignore_ascii_case(here),
            _ => false,
        };
        let here = listed
            .and_then(|list| list.iter().find(|here| !stated.iter().any(|(field, own)| differ(field, own, here))));
        Some(vec![here.cloned().unwrap_or_default().into_iter().chain(stated).collect()])
    }

    // Conditions.

    fn holds(&self, expr: &Expr, at: At<'_>) -> Truth {
        if let Some(told) = self.looked_for(expr) {
            return told;
        }
        if let Some((problems, negated)) = asked_problems(expr) {
            let value = any(problems.iter().map(|problem| self.problem(problem)));
            return if negated { not(value) } else { value };
        }
        let each = |list: &[Expr]| list.iter().map(|part| self.holds(part, at)).collect::<Vec<_>>();
        match &expr.kind {
            ExprKind::And(list) | ExprKind::Group(GroupKind::All, list) => all(each(list)),
            ExprKind::Or(list) | ExprKind::Group(GroupKind::Any, list) => any(each(list)),
            ExprKind::Group(GroupKind::None, list) => not(any(each(list))),
            ExprKind::Not(inner) => not(self.holds(inner, at)),
            ExprKind::AtLeast(count, list) => at_least(count.node as usize, each(list)),
            ExprKind::Quantified { quantifier, record, condition } => {
                let list = self.elements(&record.node)?;
                let values = list.iter().map(|element| self.holds(condition, Some((&record.node, element))));
                match quantifier.node {
                    Quantifier::Any => any(values),
                    Quantifier::No => not(any(values)),
                    Quantifier::Every => all(values),
                }
            }
            ExprKind::NoProblem => Some(self.no_problem()),
            ExprKind::Compare { left, op, right, version } => {
                let version =
                    version.as_ref().map(|(op, literal)| self.compare_version(left, op.node, &literal.node, at));
                all([Some(self.compare(left, op.node, right, at)), version].into_iter().flatten())
            }
            ExprKind::In { left, negated, items } => {
                let ty = self.ty(left, at);
                let value = |operand: &Operand| literal(operand, &ty);
                let holds = |own: &Value| match &items.node {
                    Items::List(list) => {
                        list.iter().any(|item| value(&item.node).is_some_and(|item| equal(own, &item)))
                    }
                    Items::Range(range) => {
                        value(&range.low.node).and_then(|low| order(own, &low)).is_some_and(Ordering::is_ge)
                            && value(&range.high.node).and_then(|high| order(own, &high)).is_some_and(Ordering::is_le)
                    }
                };
                let value = self.term(left, at).map(|own| own.is_some_and(|own| holds(&own)));
                if *negated { not(value) } else { value }
            }
            ExprKind::About { left, size } => {
                let (number, unit) = size
                    .node
                    .split_at(size.node.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(size.node.len()));
                let (sold, power) = (
                    number.parse::<f64>().ok()?,
                    match unit.trim() {
                        "MB" => 2,
                        "GB" => 3,
                        _ => 4,
                    },
                );
                let (low, high) = (0.99 * sold * 1000_f64.powi(power), 1.01 * sold * 1024_f64.powi(power));
                self.term(left, at)
                    .map(|own| own.and_then(|own| amount(&own)).is_some_and(|own| low <= own && own <= high))
            }
            ExprKind::Has { left, group, items } => {
                let Type::Set(of) = self.ty(left, at) else { return None };
                let set = match self.term(left, at)? {
                    Some(Value::Set(set)) => set,
                    _ => BTreeSet::new(),
                };
                let mut each = items
                    .iter()
                    .map(|item| literal(&item.node, &of).is_some_and(|item| set.iter().any(|own| equal(own, &item))));
                Some(match group {
                    None | Some(GroupKind::Any) => each.any(|has| has),
                    Some(GroupKind::All) => each.all(|has| has),
                    Some(GroupKind::None) => !each.any(|has| has),
                })
            }
            ExprKind::Is { left, negated, state } => {
                let value = self.is(word(left), state.node, at);
                if *negated { not(value) } else { value }
            }
            ExprKind::Operand(Operand::Word(word)) => match word.as_str() {
                "true" => Some(true),
                "false" => Some(false),
                _ => self.read(word, at).map(|value| value == Some(Value::Bool(true))),
            },
            ExprKind::Matches { .. } | ExprKind::Arithmetic { .. } | ExprKind::Operand(_) => None,
        }
    }

    /// Undecided while the host may still tell, else true or false.
    fn is(&self, name: &str, state: State, at: At<'_>) -> Truth {
        let (read, record) = match self.record(name) {
            Some(_) => (self.elements(name).map(|list| (!list.is_empty()).then_some(Value::Bool(true))), true),
            None => (self.read(name, at), false),
        };
        let mut waits = BTreeSet::new();
        if read.is_none() && record {
            self.record_wait(name, &mut waits);
        } else if read.is_none() && !name.starts_with('.') {
            self.fact_waits(name, &mut waits);
        }
        waits.is_empty().then_some(match state {
            State::Known => matches!(read, Some(Some(_))),
            State::None => matches!(read, Some(None)),
            State::Unknown => read.is_none(),
        })
    }

    /// The type that gives a literal beside a term its meaning.
    fn ty(&self, expr: &Expr, at: At<'_>) -> Type {
        let full = |word: &str| {
            at.filter(|_| word.starts_with('.'))
                .map_or_else(|| word.to_owned(), |(record, _)| format!("{record}{word}"))
        };
        match &expr.kind {
            ExprKind::Operand(Operand::Word(word)) => self.declared(&full(word)).map_or(Type::Number, |(ty, _)| ty),
            _ => Type::Number,
        }
    }

    fn is_fact(&self, expr: &Expr) -> bool {
        matches!(expr.kind, ExprKind::Arithmetic { .. })
            || word(expr).starts_with('.')
            || self.declared(word(expr)).is_some()
    }

    fn term(&self, expr: &Expr, at: At<'_>) -> Read {
        match &expr.kind {
            ExprKind::Arithmetic { op, left, right } => match (self.term(left, at), self.term(right, at)) {
                (Some(None), _) | (_, Some(None)) => Some(None),
                (Some(Some(left)), Some(Some(right))) => {
                    let (left, right) = (amount(&left)?, amount(&right)?);
                    let result = match op.node {
                        ArithmeticOp::Add => left + right,
                        ArithmeticOp::Subtract => left - right,
                        ArithmeticOp::Multiply => left * right,
                        ArithmeticOp::Divide => left / right,
                    };
                    Some(Some(Value::Number(rulecheck::value::Number::new(result)?)))
                }
                _ => None,
            },
            _ if self.is_fact(expr) => self.read(word(expr), at),
            ExprKind::Operand(operand) => literal(operand, &Type::Number).map(Some),
            _ => None,
        }
    }

    fn compare(&self, left: &Expr, op: CompareOp, right: &Expr, at: At<'_>) -> Truth {
        let (ty, other) = (self.ty(left, at), self.ty(right, at));
        let beside = |expr: &Expr, ty: &Type| match &expr.kind {
            ExprKind::Operand(operand) if !self.is_fact(expr) || is_wordy(ty) => literal(operand, ty).map(Some),
            _ => self.term(expr, at),
        };
        let flip = !self.is_fact(left);
        let (own, other) =
            if flip { (beside(left, &other), self.term(right, at)) } else { (self.term(left, at), beside(right, &ty)) };
        match (own, other) {
            (Some(None), _) | (_, Some(None)) => Some(false),
            (Some(Some(own)), Some(Some(other))) => {
                let order = if flip { order(&other, &own)?.reverse() } else { order(&own, &other)? };
                Some(fits(op, order))
            }
            _ => None,
        }
    }

    fn compare_version(&self, left: &Expr, op: CompareOp, version: &Operand, at: At<'_>) -> Truth {
        let own = self.read(&format!("{}.version", word(left)), at)?;
        Some(
            own.zip(literal(version, &Type::Version))
                .and_then(|(own, version)| order(&own, &version))
                .is_some_and(|order| fits(op, order)),
        )
    }

    // Rules and problems.

    fn when(&self, rule: &Rule) -> Truth {
        self.parts(rule).0
    }

    fn unless(&self, rule: &Rule) -> Truth {
        self.parts(rule).1
    }

    fn parts(&self, rule: &Rule) -> (Truth, Truth) {
        if let Some(known) = self.rules.borrow().get(&std::ptr::from_ref(rule)) {
            return *known;
        }
        let values =
            (all(when(rule).map(|expr| self.holds(expr, None))), any(unless(rule).map(|expr| self.holds(expr, None))));
        self.rules.borrow_mut().insert(rule, values);
        values
    }

    /// For `diagnose`, `suspect` and `conclude` the exception counts as `and not (…)`.
    fn strict(&self, rule: &Rule) -> Truth {
        all([self.when(rule), not(self.unless(rule))])
    }

    /// For `suggest` and `avoid` an undecided exception is only a caution.
    fn lenient(&self, rule: &Rule) -> Truth {
        if self.unless(rule) == Some(true) { Some(false) } else { self.when(rule) }
    }

    /// Whether a problem is certain; unknown: possible.
    fn problem(&self, id: &str) -> Truth {
        if let Some(known) = self.problems.borrow().get(id) {
            return *known;
        }
        let value =
            any(self.rules().flat_map(|rule| actions(rule).map(move |action| (rule, action))).map(|(rule, action)| {
                match action {
                    ActionKind::Diagnose(problem) if problem.node == id => self.strict(rule),
                    ActionKind::Suspect(problem) if problem.node == id => all([self.strict(rule), None]),
                    _ => Some(false),
                }
            }));
        self.problems.borrow_mut().insert(id.to_owned(), value);
        value
    }

    fn no_problem(&self) -> bool {
        let asks = |rule: &&Rule| !when(rule).chain(unless(rule)).any(asks_no_problem);
        let diagnosing = |rule: &Rule| actions(rule).any(|action| matches!(action, ActionKind::Diagnose(_)));
        !self.rules().filter(asks).any(|rule| diagnosing(rule) && self.strict(rule) == Some(true))
    }
}
