//! Reads the forms of expressions that begin with words, and binders.
//!
//! A form whose word could be a name begins only where the words after it say so: `size of z`
//! counts, `size` alone is a name. A part that comes last and follows `has`, `where`, `then` or
//! `else` takes as much as it can: `count of c in hand(p) where c.ready and c.new` has one filter.

use super::{Parse, Parser};
use crate::syntax::ast::{
    Binder, End, Expr, ExprKind, Extreme, Name, Per, Quantifier, Rounding, Side,
};
use crate::syntax::keywords;
use crate::syntax::lex::Kind;

impl Parser<'_> {
    /// A form, if one begins here.
    pub(super) fn form(&mut self) -> Parse<Option<ExprKind>> {
        let word = self.peek_word(0);
        if self.is_word_at(1, "of") {
            return self.form_with_of(word);
        }
        if let Some(end) = end_named(word)
            && self.is_binder_at(1)
        {
            self.take();
            return Ok(Some(ExprKind::Endmost(end, Box::new(self.binder()?))));
        }
        let form = match word {
            "if" => self.conditional()?,
            "every" => self.quantified(Quantifier::Every)?,
            "some" => self.quantified(Quantifier::Some)?,
            "largest" => self.extreme(Extreme::Largest)?,
            "smallest" => self.extreme(Extreme::Smallest)?,
            "old" => {
                self.take();
                ExprKind::Old(Box::new(self.unary()?))
            }
            "next" => return self.turn(true),
            "previous" => return self.turn(false),
            "neighbour" if self.is_word_at(1, "before") => self.neighbour(Side::Before)?,
            "neighbour" if self.is_word_at(1, "after") => self.neighbour(Side::After)?,
            _ => return Ok(None),
        };
        Ok(Some(form))
    }

    fn form_with_of(&mut self, word: &str) -> Parse<Option<ExprKind>> {
        if let Some(end) = end_named(word) {
            self.at += 2;
            return Ok(Some(ExprKind::EndOf(end, Box::new(self.unary()?))));
        }
        if !matches!(word, "count" | "sum" | "half" | "size" | "holder") {
            return Ok(None);
        }
        self.at += 2;
        Ok(Some(match word {
            "count" => ExprKind::Count(Box::new(self.binder()?)),
            "sum" => {
                let (value, binder) = self.over()?;
                ExprKind::Sum(value, binder)
            }
            "half" => self.half()?,
            "size" => ExprKind::Size(Box::new(self.unary()?)),
            _ => ExprKind::Holder(Box::new(self.unary()?)),
        }))
    }

    /// Whether a name stands there, and then what it ranges over.
    pub(super) fn is_binder_at(&self, ahead: usize) -> bool {
        let kind = |at| self.peek_at(at).map(|token| token.kind);
        kind(ahead) == Some(Kind::Word)
            && !keywords::is_reserved(self.peek_word(ahead))
            && (kind(ahead + 1) == Some(Kind::Colon) || self.is_word_at(ahead + 1, "in"))
    }

    fn conditional(&mut self) -> Parse<ExprKind> {
        self.take();
        let condition = Box::new(self.expr()?);
        self.expect_words(&["then"])?;
        let yes = Box::new(self.expr()?);
        self.expect_words(&["else"])?;
        Ok(ExprKind::Cond(condition, yes, Box::new(self.expr()?)))
    }

    fn quantified(&mut self, quantifier: Quantifier) -> Parse<ExprKind> {
        self.take();
        let binder = Box::new(self.binder()?);
        self.expect_words(&["has"])?;
        let body = Box::new(self.expr()?);
        Ok(ExprKind::Quantified(quantifier, binder, body))
    }

    fn extreme(&mut self, extreme: Extreme) -> Parse<ExprKind> {
        self.take();
        let (value, binder) = self.over()?;
        Ok(ExprKind::Extreme(extreme, value, binder))
    }

    /// `e over BINDER`
    fn over(&mut self) -> Parse<(Box<Expr>, Box<Binder>)> {
        let value = Box::new(self.expr()?);
        self.expect_words(&["over"])?;
        Ok((value, Box::new(self.binder()?)))
    }

    fn half(&mut self) -> Parse<ExprKind> {
        let whole = Box::new(self.unary()?);
        if !self.eat_word("rounded") {
            return Ok(ExprKind::Half(whole, None));
        }
        let rounding = if self.eat_word("up") {
            Rounding::Up
        } else if self.eat_word("down") {
            Rounding::Down
        } else {
            return Err(self.unexpected("`up` or `down`"));
        };
        Ok(ExprKind::Half(whole, Some(rounding)))
    }

    /// `next after p`, `next q after p where e`, or the same with `previous … before`.
    fn turn(&mut self, forward: bool) -> Parse<Option<ExprKind>> {
        let word = if forward { "after" } else { "before" };
        let named = !self.is_word_at(1, word);
        if named && !self.is_word_at(2, word) {
            return Ok(None);
        }
        self.take();
        let name = if named {
            Some(self.name("a name for the player")?)
        } else {
            None
        };
        self.expect_words(&[word])?;
        let from = Box::new(self.unary()?);
        let such_that = match name {
            Some(name) => Some((name, self.turn_condition()?)),
            None => None,
        };
        Ok(Some(ExprKind::Turn {
            forward,
            from,
            such_that,
        }))
    }

    fn turn_condition(&mut self) -> Parse<Box<Expr>> {
        self.expect_words(&["where"])?;
        Ok(Box::new(self.expr()?))
    }

    fn neighbour(&mut self, side: Side) -> Parse<ExprKind> {
        self.at += 2;
        Ok(ExprKind::Neighbour(side, Box::new(self.unary()?)))
    }

    /// `NAME [: SORT] [in Z] [where e]`
    pub(super) fn binder(&mut self) -> Parse<Binder> {
        let name = self.name("a name for each element")?;
        let (sort, has_zone) = self.binder_range()?;
        let zone = if has_zone {
            Some(self.operand()?)
        } else {
            None
        };
        let filter = self.condition()?;
        Ok(Binder {
            name,
            sort,
            zone,
            filter,
        })
    }

    /// `where e`, if it is next.
    pub(super) fn condition(&mut self) -> Parse<Option<Expr>> {
        if self.eat_word("where") {
            return self.expr().map(Some);
        }
        Ok(None)
    }

    /// `: SORT`, `in`, or both.
    fn binder_range(&mut self) -> Parse<(Option<Name>, bool)> {
        let sort = if self.eat(Kind::Colon) {
            Some(self.name("a sort such as `Card`")?)
        } else {
            None
        };
        let has_zone = self.eat_word("in");
        if sort.is_none() && !has_zone {
            return Err(self.unexpected("`:` and a sort, or `in` and a zone"));
        }
        Ok((sort, has_zone))
    }

    /// `per READING (x: a | y: b)`
    pub(super) fn per<T>(
        &mut self,
        mut alternative: impl FnMut(&mut Self) -> Parse<T>,
    ) -> Parse<Per<T>> {
        self.expect_words(&["per"])?;
        let reading = self.name("the name of a reading")?;
        self.expect(Kind::Open, "`(`")?;
        let mut alternatives = Vec::new();
        loop {
            let name = self.name("the name of an alternative, as in `per r (x: … | y: …)`")?;
            self.expect(Kind::Colon, "`:`")?;
            alternatives.push((name, alternative(self)?));
            if !self.eat(Kind::Bar) {
                break;
            }
        }
        self.expect(Kind::Close, "`|` or `)`")?;
        Ok(Per {
            reading,
            alternatives,
        })
    }
}

/// The end of a zone that a word names.
pub(super) fn end_named(word: &str) -> Option<End> {
    Some(match word {
        "top" => End::Top,
        "bottom" => End::Bottom,
        "first" => End::First,
        "last" => End::Last,
        _ => return None,
    })
}
