//! Conditions.

use rulecheck_grammar::ast::{self, Expr, ExprKind, GroupKind, Items, Name, Operand};
use rulecheck_grammar::{Diagnostic, Span, Spanned};

use super::captures::Captures;
use super::names::Thing;
use super::{At, Checker, codes};
use crate::ir::{
    Condition, ConditionId, ConditionKind, Group, Matching, Over, Quantifier, StateKind, Test,
};

/// How deep conditions may nest; the grammar allows half of it in brackets.
pub(super) const DEEPEST: u32 = 256;

/// Where a condition stands, and what its names can mean there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scope<'s> {
    pub(super) at: At,
    /// The names of the rule's holes.
    pub(super) captures: Option<&'s Captures>,
    /// The elements that a quantifier around it speaks of.
    pub(super) element: Option<Over>,
    pub(super) depth: u32,
    /// The conditions before it in the same `and` or `or`, or in the one around that.
    pub(super) before: &'s [Expr],
    /// The conditions behind it in the same `and` or `or`.
    pub(super) after: &'s [Expr],
}

impl<'s> Scope<'s> {
    pub(super) const fn new(at: At) -> Self {
        Self { at, captures: None, element: None, depth: 0, before: &[], after: &[] }
    }

    /// With the names of a rule's holes.
    pub(super) const fn with(self, captures: &'s Captures) -> Self {
        Self { captures: Some(captures), ..self }
    }

    /// One level deeper, in brackets of its own.
    pub(super) const fn inner(self) -> Self {
        Self { depth: self.depth + 1, before: &[], after: &[], ..self }
    }
}

impl Checker<'_> {
    /// A condition; `None` if something in it was reported.
    pub(super) fn condition(&mut self, expr: &Expr, scope: Scope<'_>) -> Option<Condition> {
        if scope.depth > DEEPEST {
            self.error(codes::DEPTH, scope.at, expr.span, "the condition nests too deep", "split the rule in two");
            return None;
        }
        let kind = match &expr.kind {
            ExprKind::And(items) => ConditionKind::All(self.conditions(items, scope)?),
            ExprKind::Or(items) => ConditionKind::Any(self.conditions(items, scope)?),
            ExprKind::Not(inner) => ConditionKind::Not(Box::new(self.condition(inner, scope.inner())?)),
            ExprKind::AtLeast(count, items) => self.at_least(count, items, scope)?,
            ExprKind::Group(kind, items) => return self.group(*kind, items, expr.span, scope),
            ExprKind::Quantified { quantifier, record, condition } => self.quantified(quantifier, record, condition, scope)?,
            ExprKind::NoProblem => ConditionKind::Test(Test::NoProblem),
            ExprKind::Compare { .. } => return self.compare(expr, scope),
            ExprKind::In { left, negated, items } => return self.within(left, *negated, items, expr.span, scope),
            ExprKind::About { left, size } => self.about_size(left, size, scope)?,
            ExprKind::Has { left, group, items } => self.has(left, *group, items, scope)?,
            ExprKind::Is { left, negated, state } => return self.is(left, *negated, state.node, expr.span, scope),
            ExprKind::Matches { left, matching } => ConditionKind::Test(self.matches(left, &matching.node, scope)?),
            ExprKind::Operand(Operand::Word(word)) => return self.lone(word, expr.span, scope),
            ExprKind::Operand(_) | ExprKind::Arithmetic { .. } => {
                let help = "compare it with something: `… > 8 GiB`";
                self.error(codes::NO_CONDITION, scope.at, expr.span, "a value is no condition", help);
                return None;
            }
        };
        Some(self.node(kind, expr.span, scope))
    }

    /// Numbers a condition.
    pub(super) fn node(&mut self, kind: ConditionKind, span: Span, scope: Scope<'_>) -> Condition {
        let id = ConditionId(self.program.conditions);
        self.program.conditions += 1;
        Condition { id, site: scope.at.site(span), kind }
    }

    /// A test, or its negation.
    pub(super) fn test(&mut self, test: Test, negated: bool, span: Span, scope: Scope<'_>) -> Condition {
        let positive = self.node(ConditionKind::Test(test), span, scope);
        if negated { self.negate(positive, span, scope) } else { positive }
    }

    fn negate(&mut self, positive: Condition, span: Span, scope: Scope<'_>) -> Condition {
        self.node(ConditionKind::Not(Box::new(positive)), span, scope)
    }

    /// All conditions of a list, so that every mistake in it is found.
    fn conditions(&mut self, items: &[Expr], scope: Scope<'_>) -> Option<Vec<Condition>> {
        let mut sound = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let (before, rest) = items.split_at_checked(index).unwrap_or((&[], &[]));
            let before = if before.is_empty() { scope.before } else { before };
            let after = rest.get(1..).unwrap_or(&[]);
            sound.push(self.condition(item, Scope { before, after, ..scope.inner() }));
        }
        sound.into_iter().collect()
    }

    /// Conditions in brackets, which do not go on from each other.
    fn bracketed(&mut self, items: &[Expr], scope: Scope<'_>) -> Option<Vec<Condition>> {
        let sound: Vec<_> = items.iter().map(|item| self.condition(item, scope.inner())).collect();
        sound.into_iter().collect()
    }

    fn at_least(&mut self, count: &Spanned<u32>, items: &[Expr], scope: Scope<'_>) -> Option<ConditionKind> {
        let sound = self.bracketed(items, scope);
        if count.node == 0 || count.node as usize > items.len() {
            let never = count.node > 0;
            let message = format!("`at least {} of` {} conditions {} holds", count.node, items.len(), if never { "never" } else { "always" });
            let help = format!("write a number from 1 to {}", items.len());
            self.error(codes::COUNT, scope.at, count.span, message, help);
            return None;
        }
        Some(ConditionKind::AtLeast(count.node, sound?))
    }

    fn group(&mut self, kind: GroupKind, items: &[Expr], span: Span, scope: Scope<'_>) -> Option<Condition> {
        let sound = self.bracketed(items, scope)?;
        Some(match kind {
            GroupKind::All => self.node(ConditionKind::All(sound), span, scope),
            GroupKind::Any => self.node(ConditionKind::Any(sound), span, scope),
            GroupKind::None => {
                let any = self.node(ConditionKind::Any(sound), span, scope);
                self.negate(any, span, scope)
            }
        })
    }

    fn quantified(
        &mut self,
        quantifier: &Spanned<ast::Quantifier>,
        record: &Name,
        condition: &Expr,
        scope: Scope<'_>,
    ) -> Option<ConditionKind> {
        let over = self.over(record, scope.at)?;
        let inner = self.condition(condition, Scope { element: Some(over), ..scope.inner() })?;
        let quantifier = match quantifier.node {
            ast::Quantifier::Any => Quantifier::Any,
            ast::Quantifier::No => Quantifier::No,
            ast::Quantifier::Every => Quantifier::Every,
        };
        Some(ConditionKind::Quantified(quantifier, over, Box::new(inner)))
    }

    /// What a quantifier speaks of: a record, or the failures of the text.
    fn over(&mut self, name: &Name, at: At) -> Option<Over> {
        if name.node == "error" {
            return Some(Over::Errors);
        }
        match self.thing(&name.node) {
            Some(Thing::Record(record)) => Some(Over::Record(record)),
            Some(_) => {
                let message = format!("`{}` is no record", name.node);
                self.error(codes::OTHER_KIND, at, name.span, message, "name a record such as `gpu`, or `error` for the failures of the text");
                None
            }
            None => {
                let near = self.guesses.checked_sub(1).and_then(|left| {
                    self.guesses = left;
                    let records = self.program.records.iter().map(|record| record.name.as_ref());
                    rulecheck_grammar::nearest(&name.node, records.chain(["error"])).map(str::to_owned)
                });
                let error = Diagnostic::error(codes::UNKNOWN_RECORD, format!("no pack declares a record `{}`", name.node), at.source, name.span);
                let error = match near {
                    Some(near) => error.help(format!("did you mean `{near}`?")).edit(at.source, name.span, near),
                    None => error.help("name a record such as `gpu`, or `error` for the failures of the text"),
                };
                self.push(error);
                None
            }
        }
    }

    /// `x in […]`, `x in a..b`, `problem in […]`, and their negations.
    fn within(&mut self, left: &Expr, negated: bool, items: &Spanned<Items>, span: Span, scope: Scope<'_>) -> Option<Condition> {
        if is_word(left, "problem") {
            return self.problem_in(items, negated, span, scope);
        }
        let (term, ty) = self.term_beside(left, scope)?;
        if let crate::value::Type::Set(_) = ty {
            let fact = self.slice(scope.at, left.span).to_owned();
            let listed = self.slice(scope.at, items.span).to_owned();
            let error = Diagnostic::error(codes::OPERATOR_TYPE, format!("`{fact}` is a set, and `in` asks for one value"), scope.at.source, span);
            let help = format!("{fact} has any of {listed}");
            self.push(error.help(format!("write `{help}`")));
            return None;
        }
        let test = match &items.node {
            Items::List(list) => {
                let values: Vec<_> = list.iter().map(|item| self.literal(item, &ty, left.span, scope.at)).collect();
                Test::OneOf(term, values.into_iter().collect::<Option<Vec<_>>>()?)
            }
            Items::Range(_) if super::literals::is_word(&ty) || ty == crate::value::Type::Bool => {
                let message = format!("{} has no order, so nothing lies between two of them", super::literals::a(&ty));
                self.error(codes::OPERATOR_TYPE, scope.at, items.span, message, "list the words: `in [a, b]`");
                return None;
            }
            Items::Range(range) => {
                let (low, high) = self.range(range, items.span, &ty, left.span, scope.at)?;
                Test::Within(term, low, high)
            }
        };
        Some(self.test(test, negated, span, scope))
    }

    fn problem_in(&mut self, items: &Spanned<Items>, negated: bool, span: Span, scope: Scope<'_>) -> Option<Condition> {
        let Items::List(list) = &items.node else {
            self.error(codes::OPERATOR_TYPE, scope.at, items.span, "problems have no order", "list them: `problem in [a, b]`");
            return None;
        };
        let tests: Vec<_> = list
            .iter()
            .map(|item| {
                let problem = self.problem_operand(item, scope.at)?;
                Some(self.node(ConditionKind::Test(Test::Problem(problem)), item.span, scope))
            })
            .collect();
        let any = self.node(ConditionKind::Any(tests.into_iter().collect::<Option<_>>()?), span, scope);
        Some(if negated { self.negate(any, span, scope) } else { any })
    }

    pub(super) fn problem_operand(&mut self, operand: &Spanned<Operand>, at: At) -> Option<crate::ir::ProblemId> {
        match super::literals::words(&operand.node) {
            Some(word) => self.problem(&Spanned::new(word.to_owned(), operand.span), at),
            None => {
                self.error(codes::OTHER_KIND, at, operand.span, "a problem is named by its id", "write the id of a problem");
                None
            }
        }
    }

    fn about_size(&mut self, left: &Expr, size: &Spanned<String>, scope: Scope<'_>) -> Option<ConditionKind> {
        let (term, ty) = self.term_beside(left, scope)?;
        if ty != crate::value::Type::Size {
            let a = super::literals::a(&ty);
            let error = Diagnostic::error(codes::UNLIKE_TYPES, format!("`about` asks for a size, and this is {a}"), scope.at.source, left.span);
            self.push(error.label(a).context(scope.at.source, size.span, "a size as sold").help("compare a size, such as `gpu.vram.total`"));
            return None;
        }
        let (low, high) = self.as_sold(size, scope.at)?;
        Some(ConditionKind::Test(Test::Within(term, low, high)))
    }

    fn has(&mut self, left: &Expr, group: Option<GroupKind>, items: &[Spanned<Operand>], scope: Scope<'_>) -> Option<ConditionKind> {
        let (fact, ty) = self.fact_beside(left, scope)?;
        let crate::value::Type::Set(of) = &ty else {
            let name = self.slice(scope.at, left.span).to_owned();
            let message = format!("`{name}` is {}, and only a set has items", super::literals::a(&ty));
            let help = if super::literals::is_word(&ty) {
                format!("write `{name} = …` for the whole of it, or `{name} matches \"…\"` for a part")
            } else {
                format!("write `{name} = …`")
            };
            self.error(codes::OPERATOR_TYPE, scope.at, left.span, message, help);
            return None;
        };
        let values: Vec<_> = items.iter().map(|item| self.literal(item, of, left.span, scope.at)).collect();
        let group = match group {
            None | Some(GroupKind::Any) => Group::Any,
            Some(GroupKind::All) => Group::All,
            Some(GroupKind::None) => Group::None,
        };
        Some(ConditionKind::Test(Test::Has(fact, group, values.into_iter().collect::<Option<_>>()?)))
    }

    fn is(&mut self, left: &Expr, negated: bool, state: ast::State, span: Span, scope: Scope<'_>) -> Option<Condition> {
        let state = match state {
            ast::State::Known => StateKind::Known,
            ast::State::Unknown => StateKind::Unknown,
            ast::State::None => StateKind::None,
        };
        let ExprKind::Operand(Operand::Word(word)) = &left.kind else {
            let help = "name a fact, a record or a section before `is`";
            self.error(codes::NO_FACT, scope.at, left.span, "only a fact is known, unknown or none", help);
            return None;
        };
        let test = self.state_test(word, state, left.span, scope)?;
        Some(self.test(test, negated, span, scope))
    }

    fn state_test(&mut self, word: &str, state: StateKind, span: Span, scope: Scope<'_>) -> Option<Test> {
        if word == "problem" {
            let help = "write `problem = ID`, or `no problem`";
            self.error(codes::OPERATOR_TYPE, scope.at, span, "whether there is a problem is asked otherwise", help);
            return None;
        }
        if matches!(word, "error" | "trace" | "log") {
            let fact = self.text_fact(word);
            return Some(Test::State(crate::ir::FactRef::Fact(fact), state));
        }
        let own = word.starts_with('.') || scope.captures.is_some_and(|captures| captures.get(word).is_some());
        match if own { None } else { self.thing(word) } {
            Some(Thing::Record(record)) => Some(Test::RecordState(record, state)),
            Some(Thing::Section(_)) if state == StateKind::None => {
                let message = format!("the section `{word}` is in the text or missing, never none");
                self.error(codes::OPERATOR_TYPE, scope.at, span, message, format!("write `{word} is unknown`"));
                None
            }
            Some(Thing::Section(section)) => Some(Test::SectionState(section, state)),
            _ => {
                let (fact, _) = self.fact_ref(word, span, scope)?;
                Some(Test::State(fact, state))
            }
        }
    }

    fn matches(&mut self, left: &Expr, matching: &ast::Matching, scope: Scope<'_>) -> Option<Test> {
        let text = self.text_beside(left, scope);
        let patterns: Vec<_> =
            matching.patterns.iter().map(|pattern| self.pattern(&pattern.node, pattern.span, scope.at)).collect();
        let followed_by = match &matching.followed_by {
            Some((pattern, lines)) => Some((self.pattern(&pattern.node, pattern.span, scope.at), lines.node)),
            None => None,
        };
        if let Some(times) = matching.times.as_ref().filter(|times| times.node == 0) {
            self.error(codes::COUNT, scope.at, times.span, "`at least 0 times` always holds", "write a number from 1");
            return None;
        }
        let followed_by = match followed_by {
            Some((pattern, lines)) => Some((pattern?, lines)),
            None => None,
        };
        let patterns = patterns.into_iter().collect::<Option<Vec<_>>>()?;
        let times = matching.times.as_ref().map_or(1, |times| times.node);
        Some(Test::Matches(Matching { text: text?, patterns, followed_by, times }))
    }

    /// The fields of a record, without its name.
    pub(super) fn fields_of(&self, over: Over) -> Vec<String> {
        let Over::Record(record) = over else {
            return ["type", "message", "cause", "trace"].map(str::to_owned).to_vec();
        };
        let Some(record) = self.program.records.get(record.index()) else { return Vec::new() };
        let facts = record.fields.iter().filter_map(|field| self.program.facts.get(field.index()));
        facts.filter_map(|fact| fact.name.strip_prefix(&*record.name)?.strip_prefix('.')).map(str::to_owned).collect()
    }

    /// `true` or `false`.
    pub(super) fn always(&mut self, holds: bool, span: Span, scope: Scope<'_>) -> Condition {
        let kind = if holds { ConditionKind::All(Vec::new()) } else { ConditionKind::Any(Vec::new()) };
        self.node(kind, span, scope)
    }
}

/// Whether an expression is just this word.
pub(super) fn is_word(expr: &Expr, word: &str) -> bool {
    matches!(&expr.kind, ExprKind::Operand(Operand::Word(own)) if own == word)
}

