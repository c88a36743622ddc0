//! Terms: facts, values and arithmetic, and how two of them compare.

use rulecheck_grammar::ast::{ArithmeticOp, CompareOp, Expr, ExprKind, Operand};
use rulecheck_grammar::{Diagnostic, Span, Spanned};

use super::conditions::{DEEPEST, Scope, is_word};
use super::literals::{Beside, a, example, number};
use super::names::{TEXTS, Thing};
use super::{Checker, codes, literals};
use crate::ir::{Comparison, Condition, ConditionKind, ErrorPart, FactRef, Operator, Over, Term, Test, TextRef};
use crate::value::{Type, Value};

/// A side of a comparison: typed by itself, or a literal that the other side types.
enum Side {
    Typed(Term, Type),
    Literal(Spanned<Operand>),
}

impl Checker<'_> {
    /// The fact that a name stands for here: a field of the element at hand, a capture, or a fact.
    pub(super) fn fact_ref(&mut self, word: &str, span: Span, scope: Scope<'_>) -> Option<(FactRef, Type)> {
        if word.starts_with('.') {
            return self.element_field(word, span, scope);
        }
        if let Some(capture) = scope.captures.and_then(|captures| captures.get(word)) {
            return Some((capture.fact.clone(), capture.ty.clone()));
        }
        if scope.captures.is_some_and(|captures| captures.is_lost(word)) && self.thing(word).is_none() {
            let message = format!("the hole `{word}` stands under `not`, `none of`, `unless` or `where`, where nothing is kept");
            self.error(codes::UNKNOWN_FACT, scope.at, span, message, "name a hole of a pattern that the rule's `when` matches");
            return None;
        }
        let fact = self.fact_named(&Spanned::new(word.to_owned(), span), scope.at)?;
        Some((FactRef::Fact(fact), self.type_of(fact)))
    }

    fn element_field(&mut self, word: &str, span: Span, scope: Scope<'_>) -> Option<(FactRef, Type)> {
        let full = match scope.element {
            Some(Over::Record(record)) => self.program.records.get(record.index()).map(|record| format!("{}{word}", record.name)),
            Some(Over::Errors) => match word {
                ".type" | ".message" | ".cause" => Some(format!("error{word}")),
                ".trace" => Some("trace".to_owned()),
                _ => None,
            },
            None => {
                self.field_without_element(word, span, scope);
                return None;
            }
        };
        let fact = match full {
            Some(full) if full == "trace" => Some(self.text_fact(&full)),
            Some(full) => self.fact(&full),
            None => None,
        };
        if let Some(fact) = fact {
            return Some((FactRef::Element(fact), self.type_of(fact)));
        }
        let fields = scope.element.map(|over| self.fields_of(over)).unwrap_or_default();
        let near = self.guess(word.trim_start_matches('.'), fields.iter().map(String::as_str));
        let error = Diagnostic::error(codes::UNKNOWN_FIELD, format!("the elements have no field `{word}`"), scope.at.source, span);
        let error = match near {
            Some(near) => error.help(format!("did you mean `.{near}`?")).edit(scope.at.source, span, format!(".{near}")),
            None => error.help(format!("the fields are {}", super::quote_list(fields.iter().map(String::as_str)))),
        };
        self.push(error);
        None
    }

    fn field_without_element(&mut self, word: &str, span: Span, scope: Scope<'_>) {
        let fact = self.program.facts.iter().find(|fact| fact.record.is_some() && fact.name.ends_with(word));
        let full = fact.map(|fact| fact.name.to_string());
        let error = Diagnostic::error(codes::UNKNOWN_FIELD, format!("no quantifier says whose field `{word}` is"), scope.at.source, span);
        let error = match full {
            Some(full) => error
                .help(format!("write `{full}` for the element that the failing run used, or `any {} where (…)`", full.trim_end_matches(word)))
                .edit(scope.at.source, span, full),
            None => error.help("put it in `any RECORD where (…)`"),
        };
        self.push(error);
    }

    /// A fact before an operator that asks for one.
    pub(super) fn fact_beside(&mut self, expr: &Expr, scope: Scope<'_>) -> Option<(FactRef, Type)> {
        if let ExprKind::Operand(Operand::Word(word)) = &expr.kind {
            return self.fact_ref(word, expr.span, scope);
        }
        self.error(codes::NO_FACT, scope.at, expr.span, "a fact is needed here", "name a fact before the operator");
        None
    }

    /// A term before `in` or `about`.
    pub(super) fn term_beside(&mut self, expr: &Expr, scope: Scope<'_>) -> Option<(Term, Type)> {
        match &expr.kind {
            ExprKind::Arithmetic { .. } => self.arithmetic(expr, scope),
            _ => self.fact_beside(expr, scope).map(|(fact, ty)| (Term::Fact(fact), ty)),
        }
    }

    /// The text before `matches`.
    pub(super) fn text_beside(&mut self, expr: &Expr, scope: Scope<'_>) -> Option<TextRef> {
        let ExprKind::Operand(Operand::Word(word)) = &expr.kind else {
            let help = "name a text before `matches`: `error`, `log`, `trace`, a section or a text fact";
            self.error(codes::UNKNOWN_TEXT, scope.at, expr.span, "only a text matches a pattern", help);
            return None;
        };
        self.text_ref(word, expr.span, scope)
    }

    /// The text of a name; what is none is reported.
    pub(super) fn text_ref(&mut self, word: &str, span: Span, scope: Scope<'_>) -> Option<TextRef> {
        if let Some(text) = self.known_text(word, scope) {
            return Some(text);
        }
        match self.thing(word) {
            None if !word.starts_with('.') && self.fact_is_unknown(word, scope) => self.unknown_text(word, span, scope),
            Some(Thing::Record(_)) => {
                let message = format!("`{word}` is a record, not a text");
                self.error(codes::UNKNOWN_TEXT, scope.at, span, message, format!("name one of its fields: `{word}.…`"));
            }
            _ => {
                let (_, ty) = self.fact_ref(word, span, scope)?;
                let help = match ty {
                    Type::Set(_) => format!("write `{word} has …`"),
                    _ => format!("compare it: `{word} = {}`", example(&ty)),
                };
                let message = format!("`{word}` is {}, and only a text matches a pattern", a(&ty));
                self.error(codes::UNKNOWN_TEXT, scope.at, span, message, help);
            }
        }
        None
    }

    fn fact_is_unknown(&self, word: &str, scope: Scope<'_>) -> bool {
        scope.captures.is_none_or(|captures| captures.get(word).is_none() && !captures.is_lost(word))
    }

    fn unknown_text(&mut self, word: &str, span: Span, scope: Scope<'_>) {
        let near = self.near_fact(word);
        let error = Diagnostic::error(codes::UNKNOWN_TEXT, format!("no text is named `{word}`"), scope.at.source, span);
        let error = match near {
            Some(near) => error.help(format!("did you mean `{near}`?")).edit(scope.at.source, span, near),
            None => error.help("match `error`, `log`, `trace`, a section or a text fact"),
        };
        self.push(error);
    }

    /// The text of a name, if it is one.
    pub(super) fn known_text(&mut self, word: &str, scope: Scope<'_>) -> Option<TextRef> {
        if scope.element == Some(Over::Errors) {
            let part = match word {
                "error" => Some(ErrorPart::All),
                ".type" => Some(ErrorPart::Type),
                ".message" => Some(ErrorPart::Message),
                ".cause" => Some(ErrorPart::Cause),
                ".trace" => Some(ErrorPart::Trace),
                _ => None,
            };
            if let Some(part) = part {
                return Some(TextRef::EachError(part));
            }
        }
        match word {
            "log" => Some(TextRef::Log),
            "error" => Some(TextRef::Error),
            "error.type" => Some(TextRef::ErrorType),
            "error.message" => Some(TextRef::ErrorMessage),
            "error.cause" => Some(TextRef::ErrorCause),
            "trace" => Some(TextRef::Trace),
            _ => self.text_of_fact(word, scope),
        }
    }

    fn text_of_fact(&mut self, word: &str, scope: Scope<'_>) -> Option<TextRef> {
        if let Some(capture) = scope.captures.and_then(|captures| captures.get(word)) {
            return literals::is_word(&capture.ty).then(|| TextRef::Fact(capture.fact.clone()));
        }
        if word.starts_with('.') {
            let Some(Over::Record(record)) = scope.element else { return None };
            let full = format!("{}{word}", self.program.records.get(record.index())?.name);
            let fact = self.fact(&full)?;
            return literals::is_word(&self.type_of(fact)).then_some(TextRef::Fact(FactRef::Element(fact)));
        }
        match self.thing(word)? {
            Thing::Section(section) => Some(TextRef::Section(section)),
            Thing::Fact(fact) => literals::is_word(&self.type_of(fact)).then_some(TextRef::Fact(FactRef::Fact(fact))),
            Thing::Record(_) => None,
        }
    }

    /// `a OP b`, `problem = x`, `NAME = WORD OP VERSION`.
    pub(super) fn compare(&mut self, expr: &Expr, scope: Scope<'_>) -> Option<Condition> {
        let ExprKind::Compare { left, op, right, version } = &expr.kind else { return None };
        if is_word(left, "problem") {
            return self.compare_problem(op, right, expr.span, scope);
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

    fn compare_problem(&mut self, op: &Spanned<CompareOp>, right: &Expr, span: Span, scope: Scope<'_>) -> Option<Condition> {
        if !matches!(op.node, CompareOp::Equal | CompareOp::NotEqual) {
            self.error(codes::OPERATOR_TYPE, scope.at, op.span, "problems have no order", "write `problem = ID` or `problem != ID`");
            return None;
        }
        let ExprKind::Operand(operand) = &right.kind else {
            self.error(codes::OTHER_KIND, scope.at, right.span, "a problem is named by its id", "write `problem = ID`");
            return None;
        };
        let problem = self.problem_operand(&Spanned::new(operand.clone(), right.span), scope.at)?;
        Some(self.test(Test::Problem(problem), op.node == CompareOp::NotEqual, span, scope))
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
            let error = Diagnostic::error(codes::NO_VERSION_FACT, format!("there is no fact `{full}` to compare"), scope.at.source, span);
            let error = error.context(scope.at.source, left.span, format!("`{full}` is meant by this"));
            self.push(error.help("take the comparison out, or write the fact that holds the version: `… and FACT >= …`"));
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
                    let value = self.value_or_unknown(&literal, &ty, Beside { span: right.span, op: Some(op.span) }, scope)?;
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
            self.unknown_fact(name, left.span, scope.at);
            return;
        }
        let error = Diagnostic::error(codes::NO_FACT, "compares two values that never change", scope.at.source, left.span);
        let error = error.label(literals::looks(&left.node)).context(scope.at.source, op, "").context(scope.at.source, right.span, "");
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
        own || (word.starts_with('.') && number(&Operand::Word(word.to_owned())).is_none()) || TEXTS.contains(&word) || self.thing(word).is_some()
    }

    /// The side beside one of a known type.
    fn other_side(&mut self, expr: &Expr, ty: &Type, beside: Beside, scope: Scope<'_>) -> Option<Term> {
        let literal = match &expr.kind {
            ExprKind::Operand(operand) if literals::is_word(ty) => Side::Literal(Spanned::new(operand.clone(), expr.span)),
            _ => self.side(expr, scope)?,
        };
        match literal {
            Side::Literal(literal) => self.value_or_unknown(&literal, ty, beside, scope).map(Term::Literal),
            Side::Typed(term, own) if std::mem::discriminant(&own) == std::mem::discriminant(ty) => Some(term),
            Side::Typed(_, own) => {
                let op = beside.op.unwrap_or(expr.span);
                let message = format!("{} and {} cannot be compared", a(ty), a(&own));
                let error = Diagnostic::error(codes::UNLIKE_TYPES, message, scope.at.source, op);
                let error = error.context(scope.at.source, beside.span, a(ty)).context(scope.at.source, expr.span, a(&own));
                self.push(error.help(format!("compare it with {}, such as `{}`", a(ty), example(ty))));
                None
            }
        }
    }

    /// A literal, or the report of a name that no fact has.
    fn value_or_unknown(&mut self, literal: &Spanned<Operand>, ty: &Type, beside: Beside, scope: Scope<'_>) -> Option<Value> {
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
    fn has_operator(&mut self, ty: &Type, fact: &Expr, op: Spanned<CompareOp>, other: &Expr, scope: Scope<'_>) -> Option<()> {
        let (name, other) = (self.slice(scope.at, fact.span).to_owned(), self.slice(scope.at, other.span).to_owned());
        let equality = matches!(op.node, CompareOp::Equal | CompareOp::NotEqual);
        let (message, help, edit) = match ty {
            Type::Set(_) => {
                let not = if op.node == CompareOp::NotEqual { "not " } else { "" };
                let edit = format!("{not}{name} has {other}");
                (format!("`{name}` is a set: it has items, and is none of them"), format!("write `{edit}`"), Some(edit))
            }
            Type::Text | Type::Name | Type::OneOf(_) | Type::Bool if !equality => {
                (format!("`{name}` is {}, which has no order", a(ty)), "ask with `=`, `!=` or `in […]`".to_owned(), None)
            }
            _ => return Some(()),
        };
        let error = Diagnostic::error(codes::OPERATOR_TYPE, message, scope.at.source, op.span).context(scope.at.source, fact.span, a(ty));
        let error = error.help(help);
        self.push(match edit {
            Some(edit) if equality => error.edit(scope.at.source, fact.span, edit),
            _ => error,
        });
        None
    }

    /// `a + b` and the like.
    fn arithmetic(&mut self, expr: &Expr, scope: Scope<'_>) -> Option<(Term, Type)> {
        if scope.depth > DEEPEST {
            self.error(codes::DEPTH, scope.at, expr.span, "the arithmetic nests too deep", "conclude a part of it as a fact of its own");
            return None;
        }
        match &expr.kind {
            ExprKind::Arithmetic { op, left, right } => {
                let sides = (self.arithmetic(left, scope.inner()), self.arithmetic(right, scope.inner()));
                let ((left_term, left_ty), (right_term, right_ty)) = sides.0.zip(sides.1)?;
                let Some(ty) = result(&left_ty, op.node, &right_ty) else {
                    self.bad_arithmetic(*op, (left.span, &left_ty), (right.span, &right_ty), scope);
                    return None;
                };
                Some((Term::Arithmetic(Box::new(left_term), operator(op.node), Box::new(right_term)), ty))
            }
            ExprKind::Operand(operand) => self.arithmetic_operand(operand, expr.span, scope),
            _ => {
                self.error(codes::ARITHMETIC, scope.at, expr.span, "a condition cannot be reckoned with", "write a number, a size or a fact");
                None
            }
        }
    }

    fn arithmetic_operand(&mut self, operand: &Operand, span: Span, scope: Scope<'_>) -> Option<(Term, Type)> {
        if let Some(number) = number(operand) {
            return Some((Term::Literal(Value::Number(number)), Type::Number));
        }
        match operand {
            Operand::Size(..) => {
                let value = self.literal(&Spanned::new(operand.clone(), span), &Type::Size, span, scope.at)?;
                Some((Term::Literal(value), Type::Size))
            }
            Operand::Word(word) => {
                let (fact, ty) = self.fact_ref(word, span, scope)?;
                if matches!(ty, Type::Number | Type::Size) {
                    return Some((Term::Fact(fact), ty));
                }
                let message = format!("`{word}` is {}, and only numbers and sizes can be reckoned with", a(&ty));
                self.error(codes::ARITHMETIC, scope.at, span, message, "name a fact that is a number or a size");
                None
            }
            Operand::Text(_) => {
                self.error(codes::ARITHMETIC, scope.at, span, "a text cannot be reckoned with", "write a number, a size or a fact");
                None
            }
        }
    }

    fn bad_arithmetic(&mut self, op: Spanned<ArithmeticOp>, left: (Span, &Type), right: (Span, &Type), scope: Scope<'_>) {
        let (sign, help) = match op.node {
            ArithmeticOp::Add => ("+", "add sizes to sizes and numbers to numbers: write the unit, such as `1 GiB`"),
            ArithmeticOp::Subtract => ("-", "subtract sizes from sizes and numbers from numbers: write the unit, such as `1 GiB`"),
            ArithmeticOp::Multiply => ("*", "multiply a size by a number, such as `* 0.9`"),
            ArithmeticOp::Divide => ("/", "divide a size by a number or by a size"),
        };
        let message = format!("{} `{sign}` {} is no value", a(left.1), a(right.1));
        let error = Diagnostic::error(codes::ARITHMETIC, message, scope.at.source, op.span);
        let error = error.context(scope.at.source, left.0, a(left.1)).context(scope.at.source, right.0, a(right.1));
        self.push(error.help(help));
    }
}

/// A word that could be the name of a fact.
pub(super) fn name_like(operand: &Operand) -> Option<&str> {
    match operand {
        Operand::Word(word) if word.starts_with(|c: char| c.is_ascii_lowercase()) && word != "true" && word != "false" => Some(word),
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

const fn operator(op: ArithmeticOp) -> Operator {
    match op {
        ArithmeticOp::Add => Operator::Add,
        ArithmeticOp::Subtract => Operator::Subtract,
        ArithmeticOp::Multiply => Operator::Multiply,
        ArithmeticOp::Divide => Operator::Divide,
    }
}

/// The type of a result, if it has one.
fn result(left: &Type, op: ArithmeticOp, right: &Type) -> Option<Type> {
    use ArithmeticOp::{Add, Divide, Multiply, Subtract};
    match (left, op, right) {
        (Type::Size, Add | Subtract, Type::Size) | (Type::Size, Multiply | Divide, Type::Number) | (Type::Number, Multiply, Type::Size) => {
            Some(Type::Size)
        }
        (Type::Size, Divide, Type::Size) | (Type::Number, _, Type::Number) => Some(Type::Number),
        _ => None,
    }
}
