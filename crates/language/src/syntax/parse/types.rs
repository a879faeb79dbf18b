//! Reads types, ranges, parameters and initial values.

use super::{Failed, Parse, Parser};
use crate::diag::Diagnostic;
use crate::diag::codes::syntax as codes;
use crate::syntax::ast::{Expr, Name, Param, Range, TypeExpr};
use crate::syntax::lex::Kind;

/// The values that a declaration gives: `default` and `starts`.
#[derive(Default)]
pub(super) struct Initial {
    pub(super) default: Option<Expr>,
    pub(super) starts: Option<Expr>,
}

impl Parser<'_> {
    /// `: TYPE`
    pub(super) fn of_type(&mut self) -> Parse<TypeExpr> {
        self.expect(Kind::Colon, "`:` and a type")?;
        self.type_expr()
    }

    fn type_expr(&mut self) -> Parse<TypeExpr> {
        if self.eat_word("boolean") {
            return Ok(TypeExpr::Boolean);
        }
        if self.eat_word("integer") {
            return self.integer_type();
        }
        if self.eat_words(&["one", "of"]) {
            return self.values().map(TypeExpr::OneOf);
        }
        let optional = self.eat_word("optional");
        let name = self.name("a type: `integer`, `boolean`, `one of …`, `optional …` or a name")?;
        Ok(TypeExpr::Named { optional, name })
    }

    /// What follows `integer`.
    fn integer_type(&mut self) -> Parse<TypeExpr> {
        let document = if self.eat_word("from") {
            Some(self.range()?)
        } else {
            None
        };
        let (mut explore, mut reach) = (Vec::new(), None);
        while self.is(Kind::Comma) && !self.is_at(2, Kind::Colon) {
            if explore.is_empty() && self.eat_option("explore") {
                explore = self.listed()?;
            } else if reach.is_none() && self.eat_option("reach") {
                reach = Some(self.range()?);
            } else {
                break;
            }
        }
        Ok(TypeExpr::Integer {
            document,
            explore,
            reach,
        })
    }

    /// `a to b`
    pub(super) fn range(&mut self) -> Parse<Range> {
        let low = self.sum()?;
        self.expect_words(&["to"])?;
        let high = self.sum()?;
        Ok(Range { low, high })
    }

    /// Values and ranges of them. The list ends before a comma after which no number comes, but something else, such as
    /// `reach 0 to 9`.
    fn listed(&mut self) -> Parse<Vec<Range>> {
        let mut listed = vec![self.one_or_more()?];
        while self.is(Kind::Comma) && (self.is_at(1, Kind::Integer) || self.is_at(1, Kind::Minus)) {
            self.take();
            listed.push(self.one_or_more()?);
        }
        Ok(listed)
    }

    /// `a to b`, or one value.
    fn one_or_more(&mut self) -> Parse<Range> {
        let low = self.sum()?;
        let high = match self.eat_word("to") {
            true => self.sum()?,
            false => low.clone(),
        };
        Ok(Range { low, high })
    }

    /// `within a to b`, if it is next.
    pub(super) fn within(&mut self) -> Parse<Option<Range>> {
        if self.eat_word("within") {
            return self.range().map(Some);
        }
        Ok(None)
    }

    /// The values of an enumeration. The list ends before a comma after which no value comes, but
    /// something else, such as `default red`.
    pub(super) fn values(&mut self) -> Parse<Vec<Name>> {
        let mut values = vec![self.name("the name of a value")?];
        while self.is(Kind::Comma) && self.is_value_at(1) {
            self.take();
            values.push(self.name("the name of a value")?);
        }
        Ok(values)
    }

    /// Whether a lone word, or nothing, stands `ahead`.
    fn is_value_at(&self, ahead: usize) -> bool {
        let Some(token) = self.peek_at(ahead) else {
            return true;
        };
        let ends = match self.peek_at(ahead + 1) {
            Some(next) => matches!(next.kind, Kind::Comma | Kind::Close | Kind::Equal),
            None => true,
        };
        token.kind == Kind::Word && ends
    }

    /// `, default e` and `, starts e`, in any order.
    pub(super) fn initial(&mut self) -> Parse<Initial> {
        let mut initial = Initial::default();
        loop {
            if initial.default.is_none() && self.eat_option("default") {
                initial.default = Some(self.expr()?);
            } else if initial.starts.is_none() && self.eat_option("starts") {
                initial.starts = Some(self.expr()?);
            } else if self.is(Kind::Comma) && ["explore", "reach"].contains(&self.peek_word(1)) {
                let word = self.peek_word(1).to_owned();
                let message = format!("found `{word}` after the values that are given");
                let wrong = Diagnostic::error(codes::MISPLACED, message)
                    .at(self.here(), "comes too late")
                    .help(format!(
                        "put `{word}` before `default` and `starts`, beside the bounds"
                    ));
                self.complaints.add(wrong);
                return Err(Failed);
            } else {
                return Ok(initial);
            }
        }
    }

    /// `(a: A, b: B)`; without brackets there are none.
    pub(super) fn parameters(&mut self) -> Parse<Vec<Param>> {
        self.all_parameters(false)
    }

    /// The same; those of an event may have a value.
    pub(super) fn all_parameters(&mut self, is_event: bool) -> Parse<Vec<Param>> {
        let mut params = Vec::new();
        if !self.eat(Kind::Open) || self.eat(Kind::Close) {
            return Ok(params);
        }
        loop {
            let name = self.name("the name of a parameter")?;
            let ty = self.of_type()?;
            let value = match is_event && self.eat(Kind::Equal) {
                true => Some(self.expr()?),
                false => None,
            };
            params.push(Param { name, ty, value });
            if !self.eat(Kind::Comma) {
                self.expect(Kind::Close, "`,` or `)`")?;
                return Ok(params);
            }
        }
    }
}
