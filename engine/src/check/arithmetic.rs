//! Arithmetic on numbers and sizes.

use rulecheck_grammar::ast::{ArithmeticOp, Expr, ExprKind, Operand};
use rulecheck_grammar::{Diagnostic, Span, Spanned};

use super::conditions::{DEEPEST, Scope};
use super::literals::{a, number};
use super::{Checker, codes};
use crate::ir::{Operator, Term};
use crate::value::{Type, Value};

impl Checker<'_> {
    /// `a + b` and the like.
    pub(super) fn arithmetic(&mut self, expr: &Expr, scope: Scope<'_>) -> Option<(Term, Type)> {
        if scope.depth > DEEPEST {
            self.error(
                rulecheck_grammar::codes::TOO_DEEP,
                scope.at,
                expr.span,
                "the arithmetic nests too deep",
                "conclude a part of it as a fact of its own",
            );
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
                self.error(
                    codes::ARITHMETIC,
                    scope.at,
                    expr.span,
                    "a condition cannot be reckoned with",
                    "write a number, a size or a fact",
                );
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
                self.error(
                    codes::ARITHMETIC,
                    scope.at,
                    span,
                    "a text cannot be reckoned with",
                    "write a number, a size or a fact",
                );
                None
            }
        }
    }

    fn bad_arithmetic(
        &mut self,
        op: Spanned<ArithmeticOp>,
        left: (Span, &Type),
        right: (Span, &Type),
        scope: Scope<'_>,
    ) {
        let (sign, help) = match op.node {
            ArithmeticOp::Add => ("+", "add sizes to sizes and numbers to numbers: write the unit, such as `1 GiB`"),
            ArithmeticOp::Subtract => {
                ("-", "subtract sizes from sizes and numbers from numbers: write the unit, such as `1 GiB`")
            }
            ArithmeticOp::Multiply => ("*", "multiply a size by a number, such as `* 0.9`"),
            ArithmeticOp::Divide => ("/", "divide a size by a number or by a size"),
        };
        let message = format!("{} `{sign}` {} is no value", a(left.1), a(right.1));
        let error = Diagnostic::error(codes::ARITHMETIC, message, scope.at.source, op.span);
        let error = error.context(scope.at.source, left.0, a(left.1)).context(scope.at.source, right.0, a(right.1));
        self.push(error.help(help));
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
        (Type::Size, Add | Subtract, Type::Size)
        | (Type::Size, Multiply | Divide, Type::Number)
        | (Type::Number, Multiply, Type::Size) => Some(Type::Size),
        (Type::Size, Divide, Type::Size) | (Type::Number, _, Type::Number) => Some(Type::Number),
        _ => None,
    }
}
