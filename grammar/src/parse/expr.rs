//! Conditions: gives a flat run of tokens its shape. `or` binds loosest, then `and`, `not`, the tests, `+ -`, `* /`.

use super::cx::{Cx, span};
use super::pattern::{matching, whole};
use super::shape;
use super::syntax::Node;
use super::token::{Chain, Deep, Sort, Token, compare_op, group_kind, tokens};
use super::value;
use crate::ast::{ArithmeticOp, CompareOp, Expr, ExprKind, Items, Operand, Quantifier, Range, State};
use crate::codes;
use crate::source::{Span, Spanned};

/// How deep brackets, `not` and arithmetic may nest together: bounds the depth of every tree, and with it the stack of
/// whoever walks one.
pub(super) const MAX_NESTING: u32 = 256;

/// Reads a condition.
pub(super) fn condition(cx: &mut Cx<'_>, node: Node<'_>) -> Option<Expr> {
    let place = cx.span(&node);
    let tokens = tokens(cx, node);
    let mut parser = Parser { cx, tokens, at: 0, end: span(place.end as usize, place.end as usize) };
    let result = parser.or()?;
    if parser.at < parser.tokens.len() {
        return parser.unexpected();
    }
    Some(*result.expr)
}

/// Reads tokens from left to right. A method returns `None` once it has reported what is wrong.
pub(super) struct Parser<'c, 'a, 'i> {
    pub(super) cx: &'c mut Cx<'a>,
    pub(super) tokens: Vec<Token<'i>>,
    pub(super) at: usize,
    /// The end of the condition.
    pub(super) end: Span,
}

impl<'i> Parser<'_, '_, 'i> {
    fn or(&mut self) -> Option<Deep> {
        let mut any = Chain::new(ExprKind::Or);
        loop {
            any.push(self.and()?);
            if !self.eat_word("or") {
                return Some(any.finish());
            }
        }
    }

    fn and(&mut self) -> Option<Deep> {
        let mut all = Chain::new(ExprKind::And);
        loop {
            all.push(self.not()?);
            if !self.eat_word("and") {
                return Some(all.finish());
            }
        }
    }

    fn not(&mut self) -> Option<Deep> {
        let mut places = Vec::new();
        while self.is_word("not") {
            places.push(self.place());
            self.at += 1;
        }
        let mut result = self.test()?;
        for place in places.into_iter().rev() {
            let kind = ExprKind::Not(result.expr);
            result.expr = Box::new(Expr { span: place.to(self.last_place()), kind });
            result.depth = self.deeper(result.depth, place)?;
        }
        Some(result)
    }

    /// One level more; reports the one too many.
    fn deeper(&mut self, depth: u32, place: Span) -> Option<u32> {
        if depth < MAX_NESTING {
            return Some(depth + 1);
        }
        let message = format!("brackets, `not` and arithmetic nest more than {MAX_NESTING} deep");
        let found = self.cx.error(codes::TOO_DEEP, message, place);
        self.cx.report(found.help("split the condition: let rules `conclude` facts for its parts"));
        None
    }

    /// A comparison or another test, or what stands alone.
    fn test(&mut self) -> Option<Deep> {
        let left = self.sum()?;
        self.tail(left)
    }

    /// What makes a test of the value before it, if anything does.
    fn tail(&mut self, left: Deep) -> Option<Deep> {
        let Some(token) = self.tokens.get(self.at) else { return Some(left) };
        let (text, place) = (token.text, token.span);
        match token.sort {
            Sort::Matching(_) => return self.matches(left),
            Sort::Sign => match compare_op(text) {
                Some(op) => {
                    self.at += 1;
                    return self.compare(left, Spanned::new(op, place));
                }
                None => return Some(left),
            },
            Sort::Word | Sort::Text => {}
        }
        let negated = text == "not" && self.word_at(1) == Some("in");
        match text {
            "in" | "not" if negated || text == "in" => {
                self.at += 1 + usize::from(negated);
                self.is_in(left, negated)
            }
            "about" => {
                self.at += 1;
                self.about(left)
            }
            "has" => {
                self.at += 1;
                self.has(left)
            }
            "is" => {
                self.at += 1;
                self.is(left)
            }
            _ => Some(left),
        }
    }

    /// Makes a test of what stands left of it; it ends at the last token read.
    fn made(&self, left: Span, depth: u32, kind: ExprKind) -> Option<Deep> {
        Some(Deep { expr: Box::new(Expr { span: left.to(self.last_place()), kind }), depth })
    }

    fn matches(&mut self, left: Deep) -> Option<Deep> {
        let token = self.tokens.get(self.at)?;
        let Sort::Matching(node) = &token.sort else { return None };
        let (node, place) = (node.clone(), token.span);
        self.at += 1;
        let matching = Spanned::new(matching(self.cx, node)?, place);
        self.made(left.expr.span, left.depth, ExprKind::Matches { left: left.expr, matching })
    }

    fn compare(&mut self, left: Deep, op: Spanned<CompareOp>) -> Option<Deep> {
        let right = self.sum()?;
        let depth = left.depth.max(right.depth);
        let mut version = None;
        if let Some(next) = self.compare_sign() {
            let is_word = matches!(right.expr.kind, ExprKind::Operand(Operand::Word(_)));
            if op.node != CompareOp::Equal || !is_word {
                return self.report(|it| shape::chained(it, op.span, next.span));
            }
            self.at += 1;
            version = Some((next, self.operand("a version")?));
        }
        if let ExprKind::Operand(Operand::Word(word)) = &right.expr.kind
            && let "none" | "unknown" = word.as_str()
        {
            let place = op.span.to(right.expr.span);
            let not = if op.node == CompareOp::NotEqual { "not " } else { "" };
            let instead = format!("is {not}{word}");
            return self.report(|it| shape::state_compared(it, place, &instead));
        }
        let span = left.expr.span;
        self.made(span, depth, ExprKind::Compare { left: left.expr, op, right: right.expr, version })
    }

    fn compare_sign(&self) -> Option<Spanned<CompareOp>> {
        let token = self.tokens.get(self.at)?;
        Some(Spanned::new(compare_op(token.text)?, token.span))
    }

    fn is_in(&mut self, left: Deep, negated: bool) -> Option<Deep> {
        let start = self.place();
        let items = if self.is_sign("[") {
            Items::List(self.list()?)
        } else {
            let low = if self.is_sign("(") { None } else { Some(self.operand("a list or a range")?) };
            if low.is_none() || !self.eat_sign("..") {
                return self.report(|it| shape::no_list(it, start));
            }
            Items::Range(Range { low: low?, high: self.operand("the upper end of the range")? })
        };
        let items = Spanned::new(items, start.to(self.last_place()));
        self.made(left.expr.span, left.depth, ExprKind::In { left: left.expr, negated, items })
    }

    fn about(&mut self, left: Deep) -> Option<Deep> {
        let start = self.place();
        let words: Vec<&str> = [self.word_at(0), self.word_at(1)].into_iter().flatten().collect();
        let Some((size, used)) = value::sold_size(&words) else {
            return self.report(|it| shape::no_sold_size(it, start));
        };
        self.at += used;
        let size = Spanned::new(size, start.to(self.last_place()));
        self.made(left.expr.span, left.depth, ExprKind::About { left: left.expr, size })
    }

    fn has(&mut self, left: Deep) -> Option<Deep> {
        let group = self.word_at(0).and_then(group_kind).filter(|_| self.word_at(1) == Some("of"));
        let items = if group.is_some() {
            self.at += 2;
            self.list()?
        } else if self.is_sign("[") {
            let place = self.place();
            return self.report(|it| shape::has_list(it, place));
        } else {
            vec![self.operand("a value")?]
        };
        self.made(left.expr.span, left.depth, ExprKind::Has { left: left.expr, group, items })
    }

    fn is(&mut self, left: Deep) -> Option<Deep> {
        let start = self.last_place();
        let negated = self.eat_word("not");
        let state = match self.word_at(0) {
            Some("known") => State::Known,
            Some("unknown") => State::Unknown,
            Some("none") => State::None,
            Some("empty" | "missing" | "absent" | "null" | "nil" | "undefined") => {
                let place = start.to(self.place());
                let instead = if negated { "is not none" } else { "is none" };
                return self.report(|it| shape::state_compared(it, place, instead));
            }
            _ => {
                let place = start.to(self.last_place());
                let (found, instead) = (self.place(), if negated { "!=" } else { "=" });
                return self.report(|it| shape::no_state(it, place, found, instead));
            }
        };
        let state = Spanned::new(state, self.place());
        self.at += 1;
        self.made(left.expr.span, left.depth, ExprKind::Is { left: left.expr, negated, state })
    }

    /// `[a, b]`
    fn list(&mut self) -> Option<Vec<Spanned<Operand>>> {
        let open = self.place();
        if !self.eat_sign("[") {
            return self.report(|it| shape::no_list(it, open));
        }
        let mut items = Vec::new();
        if self.is_sign("]") {
            return self.report(|it| shape::empty_list(it, open));
        }
        while !self.eat_sign("]") {
            items.push(self.operand("a value")?);
            if self.at == self.tokens.len() {
                return self.report(|it| shape::unclosed(it, open));
            }
            if !self.is_sign("]") && !self.eat_sign(",") {
                return self.report(|it| shape::between(it, open));
            }
        }
        Some(items)
    }

    fn sum(&mut self) -> Option<Deep> {
        let mut left = self.product()?;
        while let Some(op) = self.arithmetic(&[("+", ArithmeticOp::Add), ("-", ArithmeticOp::Subtract)]) {
            let right = self.product()?;
            left = self.combine(op?, left, right)?;
        }
        Some(left)
    }

    fn product(&mut self) -> Option<Deep> {
        let mut left = self.primary()?;
        while let Some(op) = self.arithmetic(&[("*", ArithmeticOp::Multiply), ("/", ArithmeticOp::Divide)]) {
            let right = self.primary()?;
            left = self.combine(op?, left, right)?;
        }
        Some(left)
    }

    fn combine(&mut self, op: Spanned<ArithmeticOp>, left: Deep, right: Deep) -> Option<Deep> {
        let depth = self.deeper(left.depth.max(right.depth), op.span)?;
        let span = left.expr.span.to(right.expr.span);
        let kind = ExprKind::Arithmetic { op, left: left.expr, right: right.expr };
        Some(Deep { expr: Box::new(Expr { span, kind }), depth })
    }

    /// The arithmetic sign that stands next. The inner `None`: it lacks white space, which was reported.
    fn arithmetic(&mut self, ops: &[(&str, ArithmeticOp)]) -> Option<Option<Spanned<ArithmeticOp>>> {
        let token = self.tokens.get(self.at)?;
        let (_, op) = ops.iter().find(|(sign, _)| *sign == token.text)?;
        let place = token.span;
        self.at += 1;
        let is_apart = self.place_of(self.at.wrapping_sub(2)).end < place.start && place.end < self.place().start;
        if !is_apart && self.at < self.tokens.len() {
            return Some(self.report(|it| shape::sign_without_space(it, place)));
        }
        Some(Some(Spanned::new(*op, place)))
    }

    /// A bracket, a group, a quantifier, or a value.
    fn primary(&mut self) -> Option<Deep> {
        if self.is_sign("(") {
            return self.bracket();
        }
        let start = self.place();
        let kind = match (self.word_at(0), self.word_at(1)) {
            (Some("at"), Some("least")) => return self.at_least(),
            (Some(word), Some("of")) if group_kind(word).is_some() => {
                self.at += 2;
                let (items, depth) = self.conditions()?;
                return self.made(start, depth, ExprKind::Group(group_kind(word)?, items));
            }
            (Some("no"), Some("problems")) => {
                let place = self.place_of(self.at + 1);
                return self.report(|it| shape::no_problems(it, place));
            }
            (Some("no"), Some("problem")) if self.word_at(2) != Some("where") => {
                self.at += 2;
                ExprKind::NoProblem
            }
            (Some("any" | "no" | "every"), Some(_)) => return self.quantified(),
            _ => ExprKind::Operand(self.operand("a condition")?.node),
        };
        self.made(start, 0, kind)
    }

    fn bracket(&mut self) -> Option<Deep> {
        let open = self.place();
        self.at += 1;
        let inner = self.or()?;
        if !self.eat_sign(")") {
            return self.unclosed(open);
        }
        let depth = self.deeper(inner.depth, open)?;
        self.made(open, depth, inner.expr.kind)
    }

    fn at_least(&mut self) -> Option<Deep> {
        let start = self.place();
        self.at += 2;
        let place = self.place();
        let Some(count) = self.word_at(0).and_then(whole) else { return self.report(|it| shape::no_count(it, place)) };
        self.at += 1;
        let behind = self.place();
        if !self.eat_word("of") {
            return self.report(|it| shape::no_of(it, behind));
        }
        let (items, depth) = self.conditions()?;
        self.made(start, depth, ExprKind::AtLeast(Spanned::new(count, place), items))
    }

    fn quantified(&mut self) -> Option<Deep> {
        let start = self.place();
        let quantifier = match self.word_at(0)? {
            "any" => Quantifier::Any,
            "no" => Quantifier::No,
            _ => Quantifier::Every,
        };
        let record = Spanned::new(self.word_at(1)?.to_owned(), self.place_of(self.at + 1));
        self.at += 2;
        let place = self.place();
        if !self.eat_word("where") || !self.is_sign("(") {
            return self.report(|it| shape::no_where(it, start, place));
        }
        let condition = self.bracket()?;
        let quantifier = Spanned::new(quantifier, start);
        let kind = ExprKind::Quantified { quantifier, record, condition: condition.expr };
        self.made(start, condition.depth, kind)
    }

    /// `(a, b)`
    fn conditions(&mut self) -> Option<(Vec<Expr>, u32)> {
        let open = self.place();
        if !self.eat_sign("(") {
            return self.report(|it| shape::no_group(it, open));
        }
        let (mut items, mut depth) = (Vec::new(), 0);
        while items.is_empty() || !self.eat_sign(")") {
            let item = self.or()?;
            depth = depth.max(item.depth);
            items.push(*item.expr);
            if !self.is_sign(")") && !self.eat_sign(",") {
                return self.unclosed(open);
            }
        }
        let depth = self.deeper(depth, open)?;
        Some((items, depth))
    }

    /// A value, `what` in messages.
    fn operand(&mut self, what: &str) -> Option<Spanned<Operand>> {
        let Some(token) = self.tokens.get(self.at) else { return self.missing(what) };
        let (text, place) = (token.text, token.span);
        match token.sort {
            Sort::Text => {
                self.at += 1;
                let quoted = super::text::quoted(self.cx, text, place);
                Some(Spanned::new(Operand::Text(quoted.node), place))
            }
            Sort::Word => {
                let next = self.word_at(1).map(|it| (it, self.place_of(self.at + 1)));
                let (value, used) = value::word(self.cx, text, place, next)?;
                if value::is_keyword(text) {
                    return self.missing(what);
                }
                self.at += used;
                Some(Spanned::new(value, place.to(self.last_place())))
            }
            Sort::Sign | Sort::Matching(_) => self.missing(what),
        }
    }

    pub(super) fn word_at(&self, ahead: usize) -> Option<&'i str> {
        let token = self.tokens.get(self.at + ahead)?;
        matches!(token.sort, Sort::Word).then_some(token.text)
    }

    fn is_word(&self, word: &str) -> bool {
        self.word_at(0) == Some(word)
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.at += usize::from(found);
        found
    }

    fn is_sign(&self, sign: &str) -> bool {
        self.tokens.get(self.at).is_some_and(|it| matches!(it.sort, Sort::Sign) && it.text == sign)
    }

    fn eat_sign(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        self.at += usize::from(found);
        found
    }

    /// The place of the next token, or the end.
    pub(super) fn place(&self) -> Span {
        self.place_of(self.at)
    }

    /// The place of the token read last.
    pub(super) fn last_place(&self) -> Span {
        self.at.checked_sub(1).map_or(self.end, |at| self.place_of(at))
    }

    pub(super) fn place_of(&self, at: usize) -> Span {
        self.tokens.get(at).map_or(self.end, |it| it.span)
    }
}
