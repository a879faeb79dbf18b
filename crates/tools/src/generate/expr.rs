//! Expressions of the type that their place wants, no deeper than allowed.

use super::find::Sought;
use super::maker::Maker;
use super::tree::{binary, call, condition, expr, int, is, name, named, tight};
use super::world::Ty;
use arbitrary::Result;
use endstep_language::syntax::ast::{BinaryOp, Builtin, Expr, ExprKind, Extreme, IsTest, Rounding};

/// Forms of integers.
#[derive(Clone, Copy)]
enum Form {
    Literal,
    Place,
    Binary(BinaryOp),
    Negate,
    Cond,
    Half,
    Builtin(Builtin),
    Count,
    Sum,
    Extreme,
    Size,
    Pending,
    Call,
    Per,
    Old,
}

impl Maker<'_> {
    /// An expression of a type of which one [can](Maker::can) be made.
    pub(super) fn value(&mut self, ty: Ty, depth: u8) -> Result<Expr> {
        match ty {
            Ty::Int => self.integer_value(depth),
            Ty::Bool => self.truth(depth),
            Ty::Enum(at) => self.enum_value(at, depth),
            Ty::Entity(sort) => self.entity(sort, depth),
            Ty::Optional(sort) => self.optional(sort, depth),
        }
    }

    /// An integer.
    pub(super) fn integer_value(&mut self, depth: u8) -> Result<Expr> {
        let mut forms = vec![(10, Form::Literal), (14, Form::Place)];
        if depth > 0 {
            forms.extend([
                (4, Form::Binary(BinaryOp::Add)),
                (3, Form::Binary(BinaryOp::Subtract)),
                (1, Form::Binary(BinaryOp::Multiply)),
                (1, Form::Binary(BinaryOp::Divide)),
                (1, Form::Negate),
                (1, Form::Cond),
                (2, Form::Half),
                (1, Form::Builtin(Builtin::Min)),
                (1, Form::Builtin(Builtin::Max)),
                (1, Form::Builtin(Builtin::Clamp)),
                (3, Form::Count),
                (2, Form::Sum),
                (1, Form::Extreme),
                (2, Form::Size),
                (1, Form::Pending),
                (self.weight_of_calls(), Form::Call),
            ]);
            if !self.world.readings.is_empty() {
                forms.push((2, Form::Per));
            }
            if self.around.old {
                forms.push((8, Form::Old));
            }
        }
        let form = self.pick(&forms)?;
        let made = match form {
            Form::Literal => None,
            Form::Place => self.leaf(Ty::Int)?,
            Form::Call => self.defined(Ty::Int, depth - 1)?,
            Form::Size => self.size_of_zone()?,
            Form::Pending => {
                let queues = self.world.queues.clone();
                let queue = self.any_of(&queues)?;
                queue.map(|queue| expr(ExprKind::Size(Box::new(named(&queue.name)))))
            }
            other => Some(self.compound(other, depth - 1)?),
        };
        match made {
            Some(made) => Ok(made),
            None => self.literal(),
        }
    }

    /// A small number.
    fn literal(&mut self) -> Result<Expr> {
        Ok(int(self.pick(&[
            (4, 1),
            (3, 0),
            (2, 2),
            (1, 3),
            (1, -1),
        ])?))
    }

    fn compound(&mut self, form: Form, depth: u8) -> Result<Expr> {
        let kind = match form {
            Form::Binary(op) => {
                let (left, right) = (self.integer_value(depth)?, self.integer_value(depth)?);
                return Ok(binary(op, left, right));
            }
            Form::Negate => ExprKind::Negate(Box::new(tight(self.integer_value(depth)?))),
            Form::Cond => return self.conditional(Ty::Int, depth + 1),
            Form::Half => {
                let of = Box::new(tight(self.integer_value(depth)?));
                let rounding = self.pick(&[
                    (2, Some(Rounding::Up)),
                    (2, Some(Rounding::Down)),
                    (1, None),
                ])?;
                ExprKind::Half(of, rounding)
            }
            Form::Builtin(builtin) => {
                let more = matches!(builtin, Builtin::Clamp) || self.odds(32)?;
                let count = if more { 3 } else { 2 };
                let each = (0..count).map(|_| self.integer_value(depth));
                ExprKind::Builtin(builtin, each.collect::<Result<_>>()?)
            }
            Form::Count => {
                let binder = self.scoped(|maker| maker.binder(None, depth))?;
                ExprKind::Count(Box::new(binder))
            }
            Form::Sum | Form::Extreme => return self.over(form, depth),
            Form::Per => return self.per_reading(Ty::Int, depth + 1),
            Form::Old => ExprKind::Old(Box::new(tight(self.integer_value(depth)?))),
            Form::Literal | Form::Place | Form::Size | Form::Pending | Form::Call => {
                return self.literal();
            }
        };
        Ok(expr(kind))
    }

    /// `sum of e over BINDER` and the like.
    fn over(&mut self, form: Form, depth: u8) -> Result<Expr> {
        let which = self.pick(&[(1, Extreme::Largest), (1, Extreme::Smallest)])?;
        self.scoped(|maker| {
            let binder = Box::new(maker.binder(None, depth)?);
            let of = Box::new(condition(maker.integer_value(depth)?));
            Ok(expr(match form {
                Form::Sum => ExprKind::Sum(of, binder),
                _ => ExprKind::Extreme(which, of, binder),
            }))
        })
    }

    fn size_of_zone(&mut self) -> Result<Option<Expr>> {
        let sought = Sought {
            family: true,
            ..Sought::default()
        };
        let zone = self.zone(sought)?;
        Ok(zone.map(|(zone, _)| expr(ExprKind::Size(Box::new(zone)))))
    }

    /// A name or place of a type, if there is one.
    pub(super) fn leaf(&mut self, ty: Ty) -> Result<Option<Expr>> {
        let all = self.readable(ty)?;
        self.any_of(&all)
    }

    /// How often something that is defined is used: more often if that is a continuous value.
    pub(super) fn weight_of_calls(&self) -> u8 {
        let mut defined = self.world.defines.iter().take(self.around.defined);
        match defined.any(|one| one.continuous) {
            true => 10,
            false => 2,
        }
    }

    /// A definition of a type, applied, if there is one for which there are arguments.
    pub(super) fn defined(&mut self, ty: Ty, depth: u8) -> Result<Option<Expr>> {
        let defines = self.world.defines.iter().take(self.around.defined);
        let fit =
            defines.filter(|one| one.ty == ty && one.params.iter().all(|param| self.can(*param)));
        let fit: Vec<_> = fit.cloned().collect();
        let Some(define) = self.any_of(&fit)? else {
            return Ok(None);
        };
        if define.continuous && ty == Ty::Bool && !self.around.inside && self.odds(96)? {
            let word = self.pick(&[(1, "determined"), (1, "contradictory"), (1, "ambiguous")])?;
            let asked = IsTest::Equal(Box::new(named(word)));
            return Ok(Some(is(named(&define.name), false, asked)));
        }
        let arguments = define.params.iter().map(|param| self.value(*param, depth));
        let arguments = arguments.collect::<Result<Vec<_>>>()?;
        Ok(Some(call(&define.name, arguments)))
    }

    /// `if c then a else b`
    pub(super) fn conditional(&mut self, ty: Ty, depth: u8) -> Result<Expr> {
        let depth = depth.saturating_sub(1);
        let test = Box::new(condition(self.truth(depth)?));
        let yes = Box::new(condition(self.value(ty, depth)?));
        let no = Box::new(self.value(ty, depth)?);
        Ok(expr(ExprKind::Cond(test, yes, no)))
    }

    /// `per r (a | b)`. There is a reading.
    pub(super) fn per_reading(&mut self, ty: Ty, depth: u8) -> Result<Expr> {
        let depth = depth.saturating_sub(1);
        let readings = self.world.readings.clone();
        let reading = self.one_of(&readings)?;
        let each = reading.alternatives.iter();
        let each = each.map(|alternative| Ok((name(alternative), self.value(ty, depth)?)));
        let each = each.collect::<Result<Vec<_>>>()?;
        Ok(expr(ExprKind::Per(name(&reading.name), each)))
    }

    fn enum_value(&mut self, at: usize, depth: u8) -> Result<Expr> {
        let forms = [(6, 0), (4, 1), (1, 2), (1, 3)];
        let found = match self.pick(&forms)? {
            1 => self.leaf(Ty::Enum(at))?,
            2 if depth > 0 => Some(self.conditional(Ty::Enum(at), depth)?),
            3 if depth > 0 && !self.world.readings.is_empty() => {
                Some(self.per_reading(Ty::Enum(at), depth)?)
            }
            _ => None,
        };
        match found {
            Some(found) => Ok(found),
            None => self.constant(Ty::Enum(at), (0, 0)),
        }
    }
}
