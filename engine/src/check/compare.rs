//! Comparisons: what stands on both sides, and whether they are alike.

use rulecheck_grammar::ast::{CompareOp, Expr, ExprKind, Operand};
use rulecheck_grammar::{Diagnostic, Span, Spanned};

use super::conditions::{Scope, is_word};
use super::literals::{Beside, a, example, number};
use super::names::TEXTS;
use super::{Checker, codes, literals};
use crate::ir::{Comparison, Condition, ConditionKind, ErrorPart, Matching, Over, Pattern, Term, Test, TextRef};
use crate::value::{Type, Value};

/// A side of a comparison: typed by itself, or a literal that the other side types.
enum Side {
    Typed(Term, Type),
    Literal(Spanned<Operand>),
}

impl Checker<'_> {
    /// `a OP b`, `problem = x`, `NAME = WORD OP VERSION`.
    pub(super) fn compare(&mut self, expr: &Expr, scope: Scope<'_>) -> Option<Condition> {
        let ExprKind::Compare { left, op, right, version } = &expr.kind else { return None };
        if is_word(left, "problem") {
            return self.compare_problem(op, right, expr.span, scope);
        }
        if scope.element == Some(Over::Errors) && is_word(left, ".type") && version.is_none() {
            return self.compare_error_type(*op, right, expr.span, scope);
        }
        let test = self.comparison(left, *op, right, scope);
        let Some((version_op, literal)) = version else {
            return Some(self.test(test?, false, expr.span, scope));
        };
        let version = self.version_test(left, *op, *version_op, literal, scope);
        let (test, version) = test.zip(version)?;
        let first = self.test(test, false, left.span.to(right.span), scope);
        let second_span = version_op.span.to(literal.span);
        let second = self.test(version, false, second_span, scope);
        Some(self.node(ConditionKind::All(vec![first, second]), expr.span, scope))
    }

    fn compare_problem(
        &mut self,
        op: &Spanned<CompareOp>,
        right: &Expr,
        span: Span,
        scope: Scope<'_>,
    ) -> Option<Condition> {
        if !matches!(op.node, CompareOp::Equal | CompareOp::NotEqual) {
            self.error(
                codes::OPERATOR_TYPE,
                scope.at,
                op.span,
                "problems have no order",
                "write `problem = ID` or `problem != ID`",
            );
            return None;
        }
        let ExprKind::Operand(operand) = &right.kind else {
            self.error(codes::OTHER_KIND, scope.at, right.span, "a problem is named by its id", "write `problem = ID`");
            return None;
        };
        let problem = self.problem_operand(&Spanned::new(operand.clone(), right.span), scope.at)?;
        Some(self.test(Test::Problem(problem), op.node == CompareOp::NotEqual, span, scope))
    }

    /// `.type = WORD` in `any error where (…)`: matches the whole of the type.
    fn compare_error_type(
        &mut self,
        op: Spanned<CompareOp>,
        right: &Expr,
        span: Span,
        scope: Scope<'_>,
    ) -> Option<Condition> {
        if !matches!(op.node, CompareOp::Equal | CompareOp::NotEqual) {
            let help = "ask with `=`, `!=` or `in […]`";
            self.error(codes::OPERATOR_TYPE, scope.at, op.span, "the type of a failure has no order", help);
            return None;
        }
        let ExprKind::Operand(operand) = &right.kind else {
            self.error(codes::NO_FACT, scope.at, right.span, "a type is a word", "write `.type = RuntimeError`");
            return None;
        };
        let test = self.error_type_in(&[Spanned::new(operand.clone(), right.span)], scope)?;
        Some(self.test(test, op.node == CompareOp::NotEqual, span, scope))
    }

    /// Whether the type of the failure at hand is one of these words.
    pub(super) fn error_type_in(&mut self, words: &[Spanned<Operand>], scope: Scope<'_>) -> Option<Test> {
        let mut patterns = Vec::new();
        for word in words {
            let Some(Value::Text(text)) = self.literal(word, &Type::Text, word.span, scope.at) else { return None };
            let source = format!("^{}$", regex_syntax::escape(&text)).into();
            patterns.push(self.intern(Pattern::Regex { source, insensitive: true, groups: Vec::new() }));
        }
        let text = TextRef::EachError(ErrorPart::Type);
        Some(Test::Matches(Matching { text, patterns, followed_by: None, times: 1 }))
    }

    /// The second half of `NAME = WORD OP VERSION`.
    fn version_test(
        &mut self,
        left: &Expr,
        equals: Spanned<CompareOp>,
        op: Spanned<CompareOp>,
        literal: &Spanned<Operand>,
        scope: Scope<'_>,
    ) -> Option<Test> {
        let ExprKind::Operand(Operand::Word(name)) = &left.kind else { return None };
        if equals.node != CompareOp::Equal {
            let help = format!("write `not ({name} = … and {name}.version …)`");
            self.error(codes::OPERATOR_TYPE, scope.at, equals.span, "a version can only stand behind `=`", help);
            return None;
        }
        let full = format!("{name}.version");
        let exists = name.starts_with('.') || self.fact(&full).is_some();
        if !exists {
            let span = op.span.to(literal.span);
            let error = Diagnostic::error(
                codes::NO_VERSION_FACT,
                format!("there is no fact `{full}` to compare"),
                scope.at.source,
                span,
            );
            let error = error.context(scope.at.source, left.span, format!("`{full}` is meant by this"));
            self.push(
                error.help("take the comparison out, or write the fact that holds the version: `… and FACT >= …`"),
            );
            return None;
        }
        let (fact, ty) = self.fact_ref(&full, left.span, scope)?;
        let value = self.literal(literal, &ty, Beside { span: left.span, op: Some(op.span) }, scope.at)?;
        Some(Test::Compare(Term::Fact(fact), comparison(op.node), Term::Literal(value)))
    }

    fn comparison(&mut self, left: &Expr, op: Spanned<CompareOp>, right: &Expr, scope: Scope<'_>) -> Option<Test> {
        match self.side(left, scope)? {
            Side::Typed(term, ty) => {
                self.has_operator(&ty, left, op, right, scope)?;
                let right = self.other_side(right, &ty, Beside { span: left.span, op: Some(op.span) }, scope)?;
                Some(Test::Compare(term, comparison(op.node), right))
            }
            Side::Literal(literal) => match self.side(right, scope)? {
                Side::Typed(term, ty) => {
                    self.has_operator(&ty, right, op, left, scope)?;
                    let value =
                        self.value_or_unknown(&literal, &ty, Beside { span: right.span, op: Some(op.span) }, scope)?;
                    Some(Test::Compare(term, flipped(op.node), Term::Literal(value)))
                }
                Side::Literal(_) => {
                    self.no_fact(&literal, right, op.span, scope);
                    None
                }
            },
        }
    }

    fn no_fact(&mut self, left: &Spanned<Operand>, right: &Expr, op: Span, scope: Scope<'_>) {
        if let Some(name) = name_like(&left.node) {
            if self.is_bare_field(name, left.span, scope) {
                return;
            }
            self.unknown_fact(name, left.span, scope.at);
            return;
        }
        let error =
            Diagnostic::error(codes::NO_FACT, "compares two values that never change", scope.at.source, left.span);
        let error = error.label(literals::looks(&left.node)).context(scope.at.source, op, "").context(
            scope.at.source,
            right.span,
            "",
        );
        self.push(error.help("name a fact on one side"));
    }

    /// What a side is by itself.
    fn side(&mut self, expr: &Expr, scope: Scope<'_>) -> Option<Side> {
        match &expr.kind {
            ExprKind::Arithmetic { .. } => self.arithmetic(expr, scope).map(|(term, ty)| Side::Typed(term, ty)),
            ExprKind::Operand(Operand::Word(word)) if self.stands_for_something(word, scope) => {
                let (fact, ty) = self.fact_ref(word, expr.span, scope)?;
                Some(Side::Typed(Term::Fact(fact), ty))
            }
            ExprKind::Operand(operand) => Some(Side::Literal(Spanned::new(operand.clone(), expr.span))),
            _ => {
                let help = "put brackets around each condition and join them with `and` or `or`";
                self.error(codes::NO_FACT, scope.at, expr.span, "a condition cannot be compared", help);
                None
            }
        }
    }

    /// Whether a word is more than a word here: a fact, or something that [`Checker::fact_ref`] has a word about.
    fn stands_for_something(&mut self, word: &str, scope: Scope<'_>) -> bool {
        let captures = scope.captures;
        let own = captures.is_some_and(|captures| captures.get(word).is_some() || captures.is_lost(word));
        own || (word.starts_with('.') && number(&Operand::Word(word.to_owned())).is_none())
            || TEXTS.contains(&word)
            || self.thing(word).is_some()
    }

    /// The side beside one of a known type.
    fn other_side(&mut self, expr: &Expr, ty: &Type, beside: Beside, scope: Scope<'_>) -> Option<Term> {
        let literal = match &expr.kind {
            ExprKind::Operand(operand) if literals::is_word(ty) => {
                Side::Literal(Spanned::new(operand.clone(), expr.span))
            }
            _ => self.side(expr, scope)?,
        };
        match literal {
            Side::Literal(literal) => self.value_or_unknown(&literal, ty, beside, scope).map(Term::Literal),
            Side::Typed(term, own) if std::mem::discriminant(&own) == std::mem::discriminant(ty) => Some(term),
            Side::Typed(_, own) => {
                let op = beside.op.unwrap_or(expr.span);
                let message = format!("{} and {} cannot be compared", a(ty), a(&own));
                let error = Diagnostic::error(codes::UNLIKE_TYPES, message, scope.at.source, op);
                let error =
                    error.context(scope.at.source, beside.span, a(ty)).context(scope.at.source, expr.span, a(&own));
                self.push(error.help(format!("compare it with {}, such as `{}`", a(ty), example(ty))));
                None
            }
        }
    }

    /// A literal, or the report of a name that no fact has.
    fn value_or_unknown(
        &mut self,
        literal: &Spanned<Operand>,
        ty: &Type,
        beside: Beside,
        scope: Scope<'_>,
    ) -> Option<Value> {
        if matches!(ty, Type::Number | Type::Size | Type::Version)
            && let Some(name) = name_like(&literal.node)
            && Value::parse(name, ty).is_none()
        {
            self.unknown_fact(name, literal.span, scope.at);
            return None;
        }
        self.literal(literal, ty, beside, scope.at)
    }

    /// Whether a type can be compared in this way; if not, what to write instead.
    fn has_operator(
        &mut self,
        ty: &Type,
        fact: &Expr,
        op: Spanned<CompareOp>,
        other: &Expr,
        scope: Scope<'_>,
    ) -> Option<()> {
        let whole = fact.span.to(other.span);
        let (name, other) = (self.slice(scope.at, fact.span).to_owned(), self.slice(scope.at, other.span).to_owned());
        let equality = matches!(op.node, CompareOp::Equal | CompareOp::NotEqual);
        let (message, help, edit) = match ty {
            Type::Set(_) => {
                let not = if op.node == CompareOp::NotEqual { "not " } else { "" };
                let edit = format!("{not}{name} has {other}");
                (format!("`{name}` is a set: it has items, and is none of them"), format!("write `{edit}`"), Some(edit))
            }
            Type::Text | Type::Name | Type::OneOf(_) | Type::Bool if !equality => (
                format!("`{name}` is {}, which has no order", a(ty)),
                "ask with `=`, `!=` or `in […]`".to_owned(),
                None,
            ),
            _ => return Some(()),
        };
        let error = Diagnostic::error(codes::OPERATOR_TYPE, message, scope.at.source, op.span).context(
            scope.at.source,
            fact.span,
            a(ty),
        );
        let error = error.help(help);
        self.push(match edit {
            Some(edit) if equality => error.edit(scope.at.source, whole, edit),
            _ => error,
        });
        None
    }
}

/// A word that could be the name of a fact.
pub(super) fn name_like(operand: &Operand) -> Option<&str> {
    match operand {
        Operand::Word(word)
            if word.starts_with(|c: char| c.is_ascii_lowercase()) && word != "true" && word != "false" =>
        {
            Some(word)
        }
        _ => None,
    }
}

const fn comparison(op: CompareOp) -> Comparison {
    match op {
        CompareOp::Equal => Comparison::Equal,
        CompareOp::NotEqual => Comparison::NotEqual,
        CompareOp::Less => Comparison::Less,
        CompareOp::LessOrEqual => Comparison::LessOrEqual,
        CompareOp::Greater => Comparison::Greater,
        CompareOp::GreaterOrEqual => Comparison::GreaterOrEqual,
    }
}

/// The comparison with its sides swapped: literals stand on the right, since versions compare by the parts of theirs.
const fn flipped(op: CompareOp) -> Comparison {
    match comparison(op) {
        same @ (Comparison::Equal | Comparison::NotEqual) => same,
        Comparison::Less => Comparison::Greater,
        Comparison::LessOrEqual => Comparison::GreaterOrEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterOrEqual => Comparison::LessOrEqual,
    }
}
