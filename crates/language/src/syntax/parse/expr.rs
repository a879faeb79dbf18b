//! Reads expressions: operators by precedence, then names, numbers and calls.
//!
//! From loosest to tightest: `or`; `and`; `not`; comparisons and `is`, of which there is at most
//! one; `+` and `-`; `*`; unary `-` and the word forms of [`super::form`]; `.field`. So
//! `not c.health + 1 <= 0 and c.ready` is `(not ((c.health + 1) <= 0)) and c.ready`.

use super::{Failed, MAX_NESTING, Parse, Parser};
use crate::diag::Diagnostic;
use crate::diag::codes::syntax as codes;
use crate::syntax::ast::{BinaryOp, Builtin, Expr, ExprKind, IsTest, Side};
use crate::syntax::lex::Kind;

/// What is expected where an expression starts.
const VALUE: &str = "a value, a name or `(`";

impl Parser<'_> {
    /// A whole expression, alone or within another one.
    pub(super) fn expr(&mut self) -> Parse<Expr> {
        self.bounded(Self::disjunction)
    }

    /// A sum: what ends before a comparison, `and` or `or`.
    pub(super) fn sum(&mut self) -> Parse<Expr> {
        self.bounded(Self::addition)
    }

    /// A single operand: what ends before any operator.
    pub(super) fn operand(&mut self) -> Parse<Expr> {
        self.bounded(Self::single)
    }

    /// What can be changed: a variable, or a field or zone of something.
    pub(super) fn place(&mut self) -> Parse<Expr> {
        let start = self.at;
        let place = self.bounded(Self::postfix)?;
        if matches!(
            place.kind,
            ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Call(..)
        ) {
            return Ok(place);
        }
        self.at = start;
        Err(self.unexpected("a place such as `round` or `c.health`"))
    }

    /// Reads an expression; bounds its height if it is not part of another one.
    fn bounded(&mut self, production: fn(&mut Self) -> Parse<Expr>) -> Parse<Expr> {
        let (start, outermost) = (self.at, self.nesting == 0);
        let expr = self.deeper(production)?;
        if outermost && expr.height() > MAX_NESTING + 1 {
            self.at = start;
            return Err(self.too_deep());
        }
        Ok(expr)
    }

    fn too_deep(&mut self) -> Failed {
        let message =
            format!("found an expression with more than {MAX_NESTING} parts in each other");
        let wrong = Diagnostic::error(codes::TOO_DEEP, message)
            .at(self.here(), "nested too deep")
            .help("give parts of it a name with `define` or `let`");
        self.complaints.add(wrong);
        Failed
    }

    /// Reads something one level further down.
    pub(super) fn deeper<T>(&mut self, production: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        // The outermost expression stands in no other.
        if self.nesting > MAX_NESTING {
            return Err(self.too_deep());
        }
        self.nesting += 1;
        let found = production(self);
        self.nesting -= 1;
        found
    }

    /// An expression made of the tokens from `start` up to the next one.
    pub(super) fn made(&self, start: usize, kind: ExprKind) -> Expr {
        Expr {
            kind,
            loc: self.loc_since(start),
        }
    }

    fn disjunction(&mut self) -> Parse<Expr> {
        self.chain(Self::conjunction, |parser| {
            parser.eat_word("or").then_some(BinaryOp::Or)
        })
    }

    fn conjunction(&mut self) -> Parse<Expr> {
        self.chain(Self::negation, |parser| {
            parser.eat_word("and").then_some(BinaryOp::And)
        })
    }

    fn addition(&mut self) -> Parse<Expr> {
        self.chain(Self::product, |parser| {
            if parser.eat(Kind::Plus) {
                Some(BinaryOp::Add)
            } else {
                parser.eat(Kind::Minus).then_some(BinaryOp::Subtract)
            }
        })
    }

    fn product(&mut self) -> Parse<Expr> {
        self.chain(Self::single, |parser| match parser.eat(Kind::Star) {
            true => Some(BinaryOp::Multiply),
            false => parser
                .eat_words(&["divided", "by"])
                .then_some(BinaryOp::Divide),
        })
    }

    /// Operands with operators of one level between them, grouped from the left.
    fn chain(
        &mut self,
        operand: fn(&mut Self) -> Parse<Expr>,
        operator: fn(&mut Self) -> Option<BinaryOp>,
    ) -> Parse<Expr> {
        let start = self.at;
        let mut left = operand(self)?;
        let mut length = 1;
        while let Some(operator) = operator(self) {
            length += 1;
            if length > MAX_NESTING {
                return Err(self.too_deep());
            }
            let right = operand(self)?;
            let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right));
            left = self.made(start, kind);
        }
        Ok(left)
    }

    fn negation(&mut self) -> Parse<Expr> {
        let start = self.at;
        if !self.eat_word("not") {
            return self.comparison();
        }
        let negated = self.deeper(Self::negation)?;
        Ok(self.made(start, ExprKind::Not(Box::new(negated))))
    }

    fn comparison(&mut self) -> Parse<Expr> {
        let start = self.at;
        let left = self.addition()?;
        let compared = if self.eat_word("is") {
            self.is_test(left)?
        } else if let Some(operator) = self.comparison_operator() {
            let right = self.addition()?;
            ExprKind::Binary(operator, Box::new(left), Box::new(right))
        } else {
            return Ok(left);
        };
        let compared = self.made(start, compared);
        if self.is_word("is") || self.comparison_operator().is_some() {
            return Err(self.second_comparison(start));
        }
        Ok(compared)
    }

    fn comparison_operator(&mut self) -> Option<BinaryOp> {
        let operator = match self.peek_at(0)?.kind {
            Kind::Equal => BinaryOp::Equal,
            Kind::NotEqual => BinaryOp::NotEqual,
            Kind::Less => BinaryOp::Less,
            Kind::LessEqual => BinaryOp::LessEqual,
            Kind::Greater => BinaryOp::Greater,
            Kind::GreaterEqual => BinaryOp::GreaterEqual,
            _ => return None,
        };
        self.take();
        Some(operator)
    }

    fn second_comparison(&mut self, start: usize) -> Failed {
        let message = "found a second comparison, expected `and`, `or` or the end of the condition";
        let filters = (start.saturating_sub(8)..start).any(|at| self.word_at(at) == "where");
        let help = match filters {
            true => {
                "a `where` goes on as far as it can: put brackets around what is compared, as in \
                 `(count of c: Card where c.ready) = 1`"
            }
            false => "write `a < b and b < c`, or put brackets around one of them",
        };
        let wrong = Diagnostic::error(codes::COMPARISON_CHAIN, message)
            .at(self.loc_since(start), "two comparisons in a row")
            .help(help);
        self.complaints.add(wrong);
        Failed
    }

    /// What follows `is`.
    fn is_test(&mut self, subject: Expr) -> Parse<ExprKind> {
        let negated = self.eat_word("not");
        let test = if self.eat_word("none") {
            IsTest::None
        } else if self.eat_word("empty") {
            IsTest::Empty
        } else if self.eat_word("removed") {
            IsTest::Removed
        } else if self.eat_word("in") {
            IsTest::In(Box::new(self.unary()?))
        } else if self.eat_word("before") {
            IsTest::Beside(Side::Before, Box::new(self.unary()?))
        } else if self.eat_word("after") {
            IsTest::Beside(Side::After, Box::new(self.unary()?))
        } else {
            IsTest::Equal(Box::new(self.addition()?))
        };
        Ok(ExprKind::Is {
            subject: Box::new(subject),
            negated,
            test,
        })
    }

    /// A single operand, one level further down.
    pub(super) fn unary(&mut self) -> Parse<Expr> {
        self.deeper(Self::single)
    }

    /// `-e`, a form that begins with words, or something with fields.
    fn single(&mut self) -> Parse<Expr> {
        let start = self.at;
        if self.eat(Kind::Minus) {
            let negated = Box::new(self.unary()?);
            return Ok(self.made(start, ExprKind::Negate(negated)));
        }
        if let Some(form) = self.form()? {
            return Ok(self.made(start, form));
        }
        self.postfix()
    }

    fn postfix(&mut self) -> Parse<Expr> {
        let start = self.at;
        let mut expr = self.primary()?;
        let mut length = 1;
        while self.eat(Kind::Dot) {
            length += 1;
            if length > MAX_NESTING {
                return Err(self.too_deep());
            }
            let field = self.name("the name of a field")?;
            expr = self.made(start, ExprKind::Field(Box::new(expr), field));
        }
        Ok(expr)
    }

    fn primary(&mut self) -> Parse<Expr> {
        let start = self.at;
        let Some(token) = self.peek_at(0) else {
            return Err(self.unexpected(VALUE));
        };
        let kind = match token.kind {
            Kind::Integer => ExprKind::Int(self.integer("a number")?),
            Kind::Open => {
                self.take();
                let inner = self.expr()?;
                self.expect(Kind::Close, "`)`")?;
                ExprKind::Paren(Box::new(inner))
            }
            Kind::Word => match self.text_of(token) {
                "true" | "false" | "none" => self.constant(),
                "not" => return Err(self.unexpected(VALUE)),
                "per" => {
                    let per = self.per(Self::expr)?;
                    ExprKind::Per(per.reading, per.alternatives)
                }
                _ => self.name_or_call()?,
            },
            _ => return Err(self.unexpected(VALUE)),
        };
        Ok(self.made(start, kind))
    }

    fn constant(&mut self) -> ExprKind {
        if self.eat_word("none") {
            return ExprKind::None;
        }
        let value = self.is_word("true");
        self.take();
        ExprKind::Bool(value)
    }

    fn name_or_call(&mut self) -> Parse<ExprKind> {
        let name = self.name(VALUE)?;
        if !self.is(Kind::Open) {
            return Ok(ExprKind::Name(name));
        }
        let arguments = self.arguments()?;
        Ok(match name.text.as_str() {
            "min" => ExprKind::Builtin(Builtin::Min, arguments),
            "max" => ExprKind::Builtin(Builtin::Max, arguments),
            "clamp" => ExprKind::Builtin(Builtin::Clamp, arguments),
            _ => ExprKind::Call(name, arguments),
        })
    }

    /// `(a, b)`, `()`; without brackets there are none.
    pub(super) fn arguments(&mut self) -> Parse<Vec<Expr>> {
        let mut arguments = Vec::new();
        if !self.eat(Kind::Open) || self.eat(Kind::Close) {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.expr()?);
            if !self.eat(Kind::Comma) {
                self.expect(Kind::Close, "`,` or `)`")?;
                return Ok(arguments);
            }
        }
    }
}
