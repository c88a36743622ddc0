//! Conditions.

use rulecheck_grammar::ast::{self, Expr, ExprKind, GroupKind, Items, Name, Operand};
use rulecheck_grammar::{Diagnostic, Span, Spanned};

use super::captures::Captures;
use super::names::Thing;
use super::{At, Checker, codes};
use crate::ir::{Condition, ConditionId, ConditionKind, Group, Matching, Over, Quantifier, StateKind, Test};

/// How deep conditions may nest. The grammar lets brackets, `not` and arithmetic nest 256 deep, and each of them may
/// hold an `or` of an `and`.
pub(super) const DEEPEST: u32 = 800;

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
    /// Whether these are the items of an `and` or `or`.
    chained: bool,
}

impl<'s> Scope<'s> {
    pub(super) const fn new(at: At) -> Self {
        Self { at, captures: None, element: None, depth: 0, before: &[], after: &[], chained: false }
    }

    /// With the names of a rule's holes.
    pub(super) const fn with(self, captures: &'s Captures) -> Self {
        Self { captures: Some(captures), ..self }
    }

    /// One level deeper, in brackets of its own.
    pub(super) const fn inner(self) -> Self {
        Self { depth: self.depth + 1, before: &[], after: &[], chained: false, ..self }
    }

    /// One level deeper, in the items of an `and` or `or`.
    const fn chained(self) -> Self {
        Self { depth: self.depth + 1, chained: true, ..self }
    }

    /// For one of the items. Those of an `and` or `or` go on from each other, the first from what stands before all.
    fn at_item(self, items: &'s [Expr], index: usize) -> Self {
        if !self.chained {
            return self;
        }
        let (before, rest) = items.split_at_checked(index).unwrap_or((&[], &[]));
        let before = if before.is_empty() { self.before } else { before };
        Self { before, after: rest.get(1..).unwrap_or(&[]), chained: false, ..self }
    }
}

/// The fact that holds the start arguments.
const ARGUMENTS: &str = "launch.args";

impl Checker<'_> {
    /// A condition; `None` if something in it was reported.
    pub(super) fn condition(&mut self, expr: &Expr, scope: Scope<'_>) -> Option<Condition> {
        let mut found = Vec::with_capacity(1);
        self.add_condition(expr, scope, &mut found)?;
        found.pop()
    }

    /// Adds a condition to those of the one around it. This is the only way down, and it keeps little on the stack:
    /// conditions may nest deep, and threads may have little of it.
    fn add_condition(&mut self, expr: &Expr, scope: Scope<'_>, found: &mut Vec<Condition>) -> Option<()> {
        let Some((items, inner)) = self.inner_conditions(expr, scope)? else {
            return self.add_leaf(expr, scope, found);
        };
        let mut parts = Vec::with_capacity(items.len());
        let mut sound = Some(());
        for (index, item) in items.iter().enumerate() {
            // Every mistake in a list is found, not only the first.
            sound = self.add_condition(item, inner.at_item(items, index), &mut parts).and(sound);
        }
        sound?;
        self.add_composed(expr, parts, scope, found)
    }

    /// The conditions that a condition is made of, and how names are understood in them; none for a single test.
    fn inner_conditions<'s>(&mut self, expr: &'s Expr, scope: Scope<'s>) -> Option<Option<(&'s [Expr], Scope<'s>)>> {
        if scope.depth > DEEPEST {
            let help = "split the condition: let rules `conclude` facts for its parts";
            self.error(rulecheck_grammar::codes::TOO_DEEP, scope.at, expr.span, "the condition nests too deep", help);
            return None;
        }
        Some(match &expr.kind {
            ExprKind::And(items) | ExprKind::Or(items) => Some((items, scope.chained())),
            ExprKind::AtLeast(_, items) | ExprKind::Group(_, items) => Some((items, scope.inner())),
            ExprKind::Not(inner) => Some((std::slice::from_ref(inner), scope.inner())),
            ExprKind::Quantified { record, condition, .. } => {
                let element = Some(self.over(record, scope.at)?);
                Some((std::slice::from_ref(condition), Scope { element, ..scope.inner() }))
            }
            _ => None,
        })
    }

    /// Adds what is made of conditions.
    fn add_composed(
        &mut self,
        expr: &Expr,
        mut parts: Vec<Condition>,
        scope: Scope<'_>,
        found: &mut Vec<Condition>,
    ) -> Option<()> {
        let kind = match &expr.kind {
            ExprKind::And(_) | ExprKind::Group(GroupKind::All, _) => ConditionKind::All(parts),
            ExprKind::Or(_) | ExprKind::Group(GroupKind::Any, _) => ConditionKind::Any(parts),
            ExprKind::Group(GroupKind::None, _) => {
                let any = self.node(ConditionKind::Any(parts), expr.span, scope);
                ConditionKind::Not(Box::new(any))
            }
            ExprKind::AtLeast(count, _) => {
                self.is_some_count(count, parts.len(), scope.at)?;
                ConditionKind::AtLeast(count.node, parts)
            }
            ExprKind::Quantified { quantifier, record, .. } => {
                let quantifier = match quantifier.node {
                    ast::Quantifier::Any => Quantifier::Any,
                    ast::Quantifier::No => Quantifier::No,
                    ast::Quantifier::Every => Quantifier::Every,
                };
                ConditionKind::Quantified(quantifier, self.over(record, scope.at)?, Box::new(parts.pop()?))
            }
            _ => ConditionKind::Not(Box::new(parts.pop()?)),
        };
        found.push(self.node(kind, expr.span, scope));
        Some(())
    }

    /// Adds a single test.
    fn add_leaf(&mut self, expr: &Expr, scope: Scope<'_>, found: &mut Vec<Condition>) -> Option<()> {
        let kind = match &expr.kind {
            ExprKind::Compare { .. } => {
                found.push(self.compare(expr, scope)?);
                return Some(());
            }
            ExprKind::In { left, negated, items } => {
                found.push(self.within(left, *negated, items, expr.span, scope)?);
                return Some(());
            }
            ExprKind::Is { left, negated, state } => {
                found.push(self.is(left, *negated, state.node, expr.span, scope)?);
                return Some(());
            }
            ExprKind::Operand(Operand::Word(word)) => {
                found.push(self.lone(word, expr.span, scope)?);
                return Some(());
            }
            ExprKind::NoProblem => ConditionKind::Test(Test::NoProblem),
            ExprKind::About { left, size } => self.about_size(left, size, scope)?,
            ExprKind::Has { left, group, items } => self.has(left, *group, items, scope)?,
            ExprKind::Matches { left, matching } => ConditionKind::Test(self.matches(left, &matching.node, scope)?),
            _ => {
                let written = self.slice(scope.at, expr.span).to_owned();
                let help = match &expr.kind {
                    ExprKind::Operand(Operand::Text(_)) => format!(
                        "write `error matches {written}`, or `matches any of (…, {written})` where it is one of several phrases"
                    ),
                    _ => "compare it with something: `… > 8 GiB`".to_owned(),
                };
                self.error(codes::NO_CONDITION, scope.at, expr.span, "a value is no condition", help);
                return None;
            }
        };
        found.push(self.node(kind, expr.span, scope));
        Some(())
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

    fn is_some_count(&mut self, count: &Spanned<u32>, of: usize, at: At) -> Option<()> {
        if count.node > 0 && count.node as usize <= of {
            return Some(());
        }
        let always = if count.node > 0 { "never" } else { "always" };
        let message = format!("that at least {} of {of} conditions hold is {always} true", count.node);
        self.error(codes::COUNT, at, count.span, message, format!("write a number from 1 to {of}"));
        None
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
                self.error(
                    codes::OTHER_KIND,
                    at,
                    name.span,
                    message,
                    "name a record such as `gpu`, or `error` for the failures of the text",
                );
                None
            }
            None => {
                let near = self.guesses.checked_sub(1).and_then(|left| {
                    self.guesses = left;
                    let records = self.program.records.iter().map(|record| record.name.as_ref());
                    rulecheck_grammar::nearest(&name.node, records.chain(["error"])).map(str::to_owned)
                });
                let error = Diagnostic::error(
                    codes::UNKNOWN_RECORD,
                    format!("no pack declares a record `{}`", name.node),
                    at.source,
                    name.span,
                );
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
    fn within(
        &mut self,
        left: &Expr,
        negated: bool,
        items: &Spanned<Items>,
        span: Span,
        scope: Scope<'_>,
    ) -> Option<Condition> {
        if is_word(left, "problem") {
            return self.problem_in(items, negated, span, scope);
        }
        if let Items::List(list) = &items.node
            && scope.element == Some(Over::Errors)
            && is_word(left, ".type")
        {
            let test = self.error_type_in(list, scope)?;
            return Some(self.test(test, negated, span, scope));
        }
        let (term, ty) = self.term_beside(left, scope)?;
        if let crate::value::Type::Set(_) = ty {
            self.in_of_a_set(left, items.span, span, scope);
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

    fn in_of_a_set(&mut self, left: &Expr, items: Span, span: Span, scope: Scope<'_>) {
        let fact = self.slice(scope.at, left.span).to_owned();
        let listed = self.slice(scope.at, items).to_owned();
        let message = format!("`{fact}` is a set, and `in` asks for one value");
        let error = Diagnostic::error(codes::OPERATOR_TYPE, message, scope.at.source, span);
        self.push(error.help(format!("write `{fact} has any of {listed}`")));
    }

    fn problem_in(&mut self, items: &Spanned<Items>, negated: bool, span: Span, scope: Scope<'_>) -> Option<Condition> {
        let Items::List(list) = &items.node else {
            self.error(
                codes::OPERATOR_TYPE,
                scope.at,
                items.span,
                "problems have no order",
                "list them: `problem in [a, b]`",
            );
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
                self.error(
                    codes::OTHER_KIND,
                    at,
                    operand.span,
                    "a problem is named by its id",
                    "write the id of a problem",
                );
                None
            }
        }
    }

    fn about_size(&mut self, left: &Expr, size: &Spanned<String>, scope: Scope<'_>) -> Option<ConditionKind> {
        let (term, ty) = self.term_beside(left, scope)?;
        if ty != crate::value::Type::Size {
            let a = super::literals::a(&ty);
            let error = Diagnostic::error(
                codes::UNLIKE_TYPES,
                format!("`about` asks for a size, and this is {a}"),
                scope.at.source,
                left.span,
            );
            self.push(
                error
                    .label(a)
                    .context(scope.at.source, size.span, "a size as sold")
                    .help("compare a size, such as `gpu.vram.total`"),
            );
            return None;
        }
        let (low, high) = self.as_sold(size, scope.at)?;
        Some(ConditionKind::Test(Test::Within(term, low, high)))
    }

    fn has(
        &mut self,
        left: &Expr,
        group: Option<GroupKind>,
        items: &[Spanned<Operand>],
        scope: Scope<'_>,
    ) -> Option<ConditionKind> {
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
        if self.slice(scope.at, left.span) == ARGUMENTS {
            items.iter().for_each(|item| self.is_argument(item, scope.at));
        }
        let values: Vec<_> = items.iter().map(|item| self.literal(item, of, left.span, scope.at)).collect();
        let group = match group {
            None | Some(GroupKind::Any) => Group::Any,
            Some(GroupKind::All) => Group::All,
            Some(GroupKind::None) => Group::None,
        };
        Some(ConditionKind::Test(Test::Has(fact, group, values.into_iter().collect::<Option<_>>()?)))
    }

    /// Warns of a start argument without its dashes, which no list of arguments holds.
    fn is_argument(&mut self, item: &Spanned<Operand>, at: At) {
        let Operand::Word(word) = &item.node else { return };
        if word.starts_with('-') {
            return;
        }
        let dashed = format!("--{word}");
        let message = format!("`{word}` is no start argument: these begin with `--`");
        let warning = Diagnostic::warning(codes::FLAG_NAME, message, at.source, item.span);
        self.push(warning.help(format!("write `{dashed}`")).edit(at.source, item.span, dashed));
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
        let followed_by = matching
            .followed_by
            .as_ref()
            .map(|(pattern, lines)| (self.pattern(&pattern.node, pattern.span, scope.at), lines.node));
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
