//! Truth values: comparisons, tests with `is`, quantifiers and what joins them.

use super::find::Sought;
use super::maker::Maker;
use super::tree::{binary, condition, expr, is, named, not, sum, tight};
use super::world::Ty;
use arbitrary::Result;
use endstep_language::syntax::ast::{BinaryOp, Expr, ExprKind, IsTest, Quantifier, Side};

/// Forms of truth values.
#[derive(Clone, Copy)]
enum Form {
    Literal,
    Place,
    Compared,
    Equal,
    Not,
    Joined,
    NoneTest,
    EmptyTest,
    RemovedTest,
    InTest,
    BesideTest,
    ReadingTest,
    Quantified,
    Cond,
    Per,
    Call,
    Old,
}

impl Maker<'_> {
    /// A truth value.
    pub(super) fn truth(&mut self, depth: u8) -> Result<Expr> {
        let mut forms = vec![(2, Form::Literal), (5, Form::Place), (14, Form::Compared)];
        if depth > 0 {
            forms.extend([
                (6, Form::Equal),
                (2, Form::Not),
                (4, Form::Joined),
                (3, Form::NoneTest),
                (4, Form::EmptyTest),
                (1, Form::RemovedTest),
                (3, Form::InTest),
                (2, Form::BesideTest),
                (4, Form::Quantified),
                (1, Form::Cond),
                (self.weight_of_calls(), Form::Call),
            ]);
            if !self.world.readings.is_empty() {
                forms.extend([(2, Form::ReadingTest), (1, Form::Per)]);
            }
            if self.around.old {
                forms.push((3, Form::Old));
            }
        }
        let below = depth.saturating_sub(1);
        let found = match self.pick(&forms)? {
            Form::Literal => None,
            Form::Place => self.leaf(Ty::Bool)?,
            Form::Compared => Some(self.compared(below)?),
            Form::Equal => self.equal(below)?,
            Form::Not => Some(not(self.truth(below)?)),
            Form::Joined => {
                let op = self.pick(&[(1, BinaryOp::And), (1, BinaryOp::Or)])?;
                let (left, right) = (self.truth(below)?, self.truth(below)?);
                Some(binary(op, left, right))
            }
            Form::NoneTest => self.none_test(below)?,
            Form::EmptyTest => self.empty_test()?,
            Form::RemovedTest => {
                let subject = self.any_thing(below)?;
                let negated = self.odds(96)?;
                subject.map(|(subject, _)| is(subject, negated, IsTest::Removed))
            }
            Form::InTest => self.in_test(below)?,
            Form::BesideTest => self.beside_test(below)?,
            Form::ReadingTest => Some(self.reading_test()?),
            Form::Quantified => Some(self.quantified(below)?),
            Form::Cond => Some(self.conditional(Ty::Bool, depth)?),
            Form::Per => Some(self.per_reading(Ty::Bool, depth)?),
            Form::Call => self.defined(Ty::Bool, below)?,
            Form::Old => {
                let of = tight(self.truth(below)?);
                Some(expr(ExprKind::Old(Box::new(of))))
            }
        };
        match found {
            Some(found) => Ok(found),
            None => {
                let value = !self.odds(80)?;
                Ok(expr(ExprKind::Bool(value)))
            }
        }
    }

    fn compared(&mut self, depth: u8) -> Result<Expr> {
        let op = self.pick(&[
            (2, BinaryOp::Less),
            (2, BinaryOp::LessEqual),
            (2, BinaryOp::Greater),
            (2, BinaryOp::GreaterEqual),
            (3, BinaryOp::Equal),
            (1, BinaryOp::NotEqual),
        ])?;
        // Something that varies on the left, so that the test is seldom constant.
        let left = match self.leaf(Ty::Int)? {
            Some(place) if !self.odds(96)? => place,
            _ => self.integer_value(depth)?,
        };
        Ok(binary(op, left, self.integer_value(depth)?))
    }

    /// Equality of something other than numbers. The left side tells the type.
    fn equal(&mut self, depth: u8) -> Result<Option<Expr>> {
        let enums = (0..self.world.enums.len()).map(Ty::Enum);
        let sorts = 0..self.world.sorts.len();
        let links = sorts.flat_map(|sort| [Ty::Entity(sort), Ty::Optional(sort)]);
        let types: Vec<Ty> = std::iter::once(Ty::Bool)
            .chain(enums)
            .chain(links)
            .collect();
        let ty = self.one_of(&types)?;
        let Some(left) = self.leaf(ty)? else {
            return Ok(None);
        };
        if !self.can(ty) {
            return Ok(None);
        }
        let right = self.value(ty, depth)?;
        // `is none` is another form.
        let plain = !matches!(right.kind, ExprKind::None);
        Ok(Some(match self.below(3)? {
            0 if plain => {
                let other = Box::new(sum(right));
                is(left, self.odds(64)?, IsTest::Equal(other))
            }
            1 => binary(BinaryOp::NotEqual, left, right),
            _ => binary(BinaryOp::Equal, left, right),
        }))
    }

    fn none_test(&mut self, depth: u8) -> Result<Option<Expr>> {
        let sorts: Vec<usize> = (0..self.world.sorts.len()).collect();
        let Some(sort) = self.any_of(&sorts)? else {
            return Ok(None);
        };
        let subject = match self.clear_optional(sort, depth)? {
            Some(subject) => subject,
            None => return Ok(None),
        };
        Ok(Some(is(subject, self.odds(128)?, IsTest::None)))
    }

    fn empty_test(&mut self) -> Result<Option<Expr>> {
        let sought = Sought {
            family: true,
            ..Sought::default()
        };
        let zone = self.zone(sought)?.map(|(zone, _)| zone);
        let queues = self.world.queues.clone();
        let subject = match self.any_of(&queues)? {
            Some(queue) if zone.is_none() || self.odds(96)? => Some(named(&queue.name)),
            _ => zone,
        };
        let negated = self.odds(128)?;
        Ok(subject.map(|subject| is(subject, negated, IsTest::Empty)))
    }

    /// An entity that is no player, with its sort.
    pub(super) fn any_thing(&mut self, depth: u8) -> Result<Option<(Expr, usize)>> {
        let things: Vec<usize> = self.world.things().filter(|&sort| self.has(sort)).collect();
        let Some(sort) = self.any_of(&things)? else {
            return Ok(None);
        };
        Ok(Some((self.entity(sort, depth)?, sort)))
    }

    fn in_test(&mut self, depth: u8) -> Result<Option<Expr>> {
        let Some((subject, sort)) = self.any_thing(depth)? else {
            return Ok(None);
        };
        let sought = Sought {
            sort: Some(sort),
            family: true,
            ordered: false,
        };
        let Some((zone, _)) = self.zone(sought)? else {
            return Ok(None);
        };
        Ok(Some(is(
            subject,
            self.odds(96)?,
            IsTest::In(Box::new(zone)),
        )))
    }

    /// `c is before d`
    fn beside_test(&mut self, depth: u8) -> Result<Option<Expr>> {
        let ordered = |sort| self.world.zones_of(sort).any(|zone| !zone.unordered);
        let sorts: Vec<usize> = self.world.things().filter(|&sort| ordered(sort)).collect();
        let sorts: Vec<usize> = sorts.into_iter().filter(|&sort| self.has(sort)).collect();
        let Some(sort) = self.any_of(&sorts)? else {
            return Ok(None);
        };
        let side = self.pick(&[(1, Side::Before), (1, Side::After)])?;
        let (subject, other) = (self.entity(sort, depth)?, self.entity(sort, depth)?);
        let test = IsTest::Beside(side, Box::new(tight(other)));
        Ok(Some(is(subject, self.odds(96)?, test)))
    }

    fn reading_test(&mut self) -> Result<Expr> {
        let readings = self.world.readings.clone();
        let reading = self.one_of(&readings)?;
        let alternative = self.one_of(&reading.alternatives)?;
        let test = IsTest::Equal(Box::new(named(&alternative)));
        Ok(is(named(&reading.name), self.odds(64)?, test))
    }

    fn quantified(&mut self, depth: u8) -> Result<Expr> {
        let which = self.pick(&[(1, Quantifier::Every), (1, Quantifier::Some)])?;
        self.scoped(|maker| {
            let binder = Box::new(maker.binder(None, depth)?);
            let body = Box::new(condition(maker.truth(depth)?));
            Ok(expr(ExprKind::Quantified(which, binder, body)))
        })
    }
}
