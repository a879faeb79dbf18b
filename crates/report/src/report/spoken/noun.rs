//! What expressions stand for, as things one can speak of: `the number of Cards in board that are ready`.

use super::doubt::{bare, goes_on, is_of_another, is_open};
use super::phrase::{of_several, plural};
use super::speaker::Speaker;
use crate::report::layout::list;
use crate::report::words::called;
use endstep_language::syntax::ast::{BinaryOp, OperatorClass, Rounding, Side};
use endstep_language::typing::program::{
    Binder, DefineId, Expr, ExprKind, LocalId, Range, Stmt, StmtKind, Type, Value, ZoneRef,
};

impl Speaker<'_> {
    /// What an expression stands for.
    pub(super) fn noun(&self, expr: &Expr) -> Option<String> {
        match &expr.kind {
            ExprKind::Const(value) => self.value(*value, expr.ty),
            ExprKind::Local(local) => self.bound(*local),
            ExprKind::Var(id) => Some(called(&self.program().vars[*id].name)),
            ExprKind::Unwrap(inner) => self.noun(inner),
            ExprKind::Field(..) | ExprKind::Holder(_) => {
                let (of, what) = self.property(expr)?;
                Some(format!("{what} of {}", self.noun(of)?))
            }
            ExprKind::Call(..) | ExprKind::Continuous(..) => {
                let (define, args) = expr.applied()?;
                self.call(define, args)
            }
            ExprKind::Negate(inner) => match inner.kind {
                ExprKind::Const(Value::Int(n)) => Some(format!("-{n}")),
                _ => None,
            },
            ExprKind::Binary(op, one, other) => self.arithmetic(*op, one, other),
            ExprKind::Half(inner, rounding) => {
                let half = format!("half of {}", self.simple(inner)?);
                Some(match rounding {
                    Some(Rounding::Up) => format!("{half}, rounded up"),
                    Some(Rounding::Down) => format!("{half}, rounded down"),
                    None => half,
                })
            }
            ExprKind::Min(one, other) => self.one_of_two("smaller", one, other),
            ExprKind::Max(one, other) => self.one_of_two("larger", one, other),
            ExprKind::Count(binder) => Some(format!("the number of {}", self.several(binder)?)),
            ExprKind::Sum(summand, binder) => {
                let what = self.summed(summand, binder.local)?;
                Some(format!(
                    "the total of {what} of all {}",
                    self.several(binder)?
                ))
            }
            ExprKind::Extreme(extreme, value, binder) => {
                let which = extreme.word();
                let (of, what) = self.property(value)?;
                let is_own = matches!(of.kind, ExprKind::Local(local) if local == binder.local);
                let all = self.several(binder)?;
                is_own.then(|| format!("the {which} {what} of all {all}"))
            }
            ExprKind::EndOf(..) | ExprKind::ZoneSize(_) | ExprKind::QueueSize(_) => {
                self.lying(expr)
            }
            ExprKind::Turn {
                forward,
                from,
                such_that: None,
            } => {
                let side = if *forward { "after" } else { "before" };
                let sort = self.sort_of(expr.ty)?;
                Some(format!("the {sort} {side} {}", self.noun(from)?))
            }
            ExprKind::Endmost(first, binder) => {
                let which = if *first { "first" } else { "last" };
                Some(format!("the {which} {}", self.single(binder)?))
            }
            ExprKind::Neighbour(side, of) => {
                let side = side_word(*side);
                Some(format!("the neighbour {side} {}", self.noun(of)?))
            }
            ExprKind::Old(inner) => Some(format!("what {} was at the start", self.simple(inner)?))
                .filter(|_| self.from_start && !is_of_another(inner)),
            _ => None,
        }
    }

    /// What lies at an end of a zone, and how much lies in one or waits.
    fn lying(&self, expr: &Expr) -> Option<String> {
        match &expr.kind {
            ExprKind::EndOf(first, zone) => {
                let which = if *first { "first" } else { "last" };
                let sort = &self.program().sorts[self.program().zones[zone.zone].sort].name;
                Some(format!("the {which} {sort} {}", self.within(zone)?))
            }
            ExprKind::ZoneSize(zone) => {
                let sort = &self.program().sorts[self.program().zones[zone.zone].sort].name;
                let zone = self.within(zone)?;
                Some(format!("the number of {} {zone}", plural(sort)))
            }
            ExprKind::QueueSize(queue) => {
                let queue = called(&self.program().queues[*queue].name);
                Some(format!("the number of things pending in {queue}"))
            }
            _ => None,
        }
    }

    /// What stands for itself before words that would else belong to a part of it.
    fn closed(&self, expr: &Expr) -> Option<String> {
        self.simple(expr).filter(|_| !is_open(expr))
    }

    /// What stands for itself after words that would else belong to a part of it.
    fn simple(&self, expr: &Expr) -> Option<String> {
        match expr.kind {
            ExprKind::Binary(..) | ExprKind::Half(..) | ExprKind::Old(_) => None,
            ExprKind::Min(..) | ExprKind::Max(..) => None,
            _ => self.noun(expr),
        }
    }

    fn one_of_two(&self, which: &str, one: &Expr, other: &Expr) -> Option<String> {
        let (one, other) = (self.closed(one)?, self.closed(other)?);
        Some(format!("the {which} one of {one} and {other}"))
    }

    /// Sums and differences, and products of what is neither.
    fn arithmetic(&self, op: BinaryOp, one: &Expr, other: &Expr) -> Option<String> {
        let class = |of: &Expr| match of.kind {
            ExprKind::Binary(op, ..) => Some(op.class()),
            _ => None,
        };
        let is_sum = match op.class() {
            OperatorClass::Sum => true,
            OperatorClass::Product => false,
            OperatorClass::Or | OperatorClass::And | OperatorClass::Comparison => return None,
        };
        let word = op.spoken();
        let is_chain = |of: &Expr| is_sum && class(of) == Some(OperatorClass::Sum);
        let is_product = |of: &Expr| is_sum && class(of) == Some(OperatorClass::Product);
        let one = match is_chain(one) || is_product(one) {
            true => self.noun(one).filter(|_| !is_open(one))?,
            false => self.closed(one)?,
        };
        let other = match is_product(other) {
            true => self.noun(other)?,
            false => self.simple(other)?,
        };
        Some(format!("{one} {word} {other}"))
    }

    /// What is added up for each of the elements.
    fn summed(&self, expr: &Expr, local: LocalId) -> Option<String> {
        let mut parts = Vec::new();
        let mut left = vec![expr];
        while let Some(next) = left.pop() {
            if let ExprKind::Binary(BinaryOp::Add, one, other) = &next.kind {
                left.extend([&**other, &**one]);
                continue;
            }
            let (of, what) = self.property(next)?;
            if !matches!(of.kind, ExprKind::Local(found) if found == local) {
                return None;
            }
            parts.push(what);
        }
        Some(list(&parts, "and"))
    }

    /// What an expression is of something: `health` of a card.
    pub(super) fn property<'e>(&self, expr: &'e Expr) -> Option<(&'e Expr, String)> {
        let (of, what) = match &expr.kind {
            ExprKind::Field(of, field) => (&**of, called(&self.program().fields[*field].name)),
            ExprKind::Holder(of) => (&**of, "holder".to_owned()),
            ExprKind::Unwrap(inner) => return self.property(inner),
            ExprKind::Call(..) | ExprKind::Continuous(..) => match expr.applied()? {
                (define, [of]) if self.is_of_something(define, of) => {
                    let name = called(&self.program().defines[define].name);
                    let name = name.strip_suffix(" of").unwrap_or(&name).to_owned();
                    (of, name)
                }
                _ => return None,
            },
            _ => return None,
        };
        let of = match &of.kind {
            ExprKind::Unwrap(inner) => inner,
            _ => of,
        };
        Some((of, what))
    }

    /// Whether a definition says what an entity is or has, or what is printed in a row of a table.
    fn is_of_something(&self, define: DefineId, of: &Expr) -> bool {
        let is_column = self.program().defines[define].printed.is_some();
        is_column || matches!(of.ty, Type::Entity(_) | Type::Optional(_))
    }

    fn call(&self, define: DefineId, args: &[Expr]) -> Option<String> {
        let name = called(&self.program().defines[define].name);
        if args.is_empty() {
            return Some(name);
        }
        let args = args.iter().map(|one| self.closed(one));
        let args: Vec<String> = args.collect::<Option<_>>()?;
        let name = name.strip_suffix(" of").unwrap_or(&name);
        Some(format!("{name} of {}", list(&args, "and")))
    }

    pub(super) fn value(&self, value: Value, ty: Type) -> Option<String> {
        match (value, ty) {
            (Value::None, _) => None,
            (value, ty) => Some(called(&self.names.value(self.program(), value, ty.into()))),
        }
    }

    /// A zone.
    pub(super) fn zone(&self, zone: &ZoneRef) -> Option<String> {
        let name = called(&self.program().zones[zone.zone].name);
        Some(match &zone.of {
            Some(of) => format!("{name} of {}", self.simple(of)?),
            None => name,
        })
    }

    /// `in board`; of a zone that is called so, `in play`.
    pub(super) fn within(&self, zone: &ZoneRef) -> Option<String> {
        let name = self.zone(zone)?;
        Some(match name.starts_with("in ") {
            true => name,
            false => format!("in {name}"),
        })
    }

    fn sort_of(&self, ty: Type) -> Option<&str> {
        match ty {
            Type::Entity(sort) | Type::Optional(sort) => Some(&self.program().sorts[sort].name),
            Type::Int | Type::Bool | Type::Enum(_) => None,
        }
    }

    /// What a binder binds is called.
    pub(super) fn of_binder(&self, binder: &Binder) -> Option<&str> {
        match &binder.range {
            Range::Sort(sort) => Some(&self.program().sorts[*sort].name),
            Range::Zone(zone) => {
                let sort = self.program().zones[zone.zone].sort;
                Some(&self.program().sorts[sort].name)
            }
            Range::Enum(id) => Some(&self.program().enums[*id].name),
            Range::Bool => None,
        }
    }

    /// One of what a binder ranges over: `Card in board that is ready`.
    pub(super) fn single(&self, binder: &Binder) -> Option<String> {
        let name = self.of_binder(binder)?.to_owned();
        self.ranging(binder, name, false)
    }

    /// All of what a binder ranges over: `Cards in board that are ready`.
    pub(super) fn several(&self, binder: &Binder) -> Option<String> {
        let name = plural(self.of_binder(binder)?);
        self.ranging(binder, name, true)
    }

    /// Whether what was removed meanwhile would have to be left out of what is said: of things in the game alone
    /// it is asked what was.
    pub(super) fn misses_removed(&self, binder: &Binder, said: &Expr) -> bool {
        let Range::Sort(sort) = binder.range else {
            return false;
        };
        let is_removed =
            |stmt: &Stmt| matches!(&stmt.kind, StmtKind::Remove(of) if of.ty == Type::Entity(sort));
        let is_old = |e: &Expr| matches!(e.kind, ExprKind::Old(_));
        said.any(&is_old) && self.program().stmts.values().iter().any(is_removed)
    }

    fn ranging(&self, binder: &Binder, mut name: String, many: bool) -> Option<String> {
        let mut is_of_more = false;
        if let Range::Zone(zone) = &binder.range {
            if zone.of.as_deref().is_some_and(is_open) {
                return None;
            }
            // "in hand of the Player after active that is ready": who is ready?
            let of = zone.of.as_deref().map(|of| &bare(of).kind);
            is_of_more = of.is_some_and(|of| !matches!(of, ExprKind::Local(_) | ExprKind::Var(_)));
            name.push_str(&format!(" {}", self.within(zone)?));
        }
        let Some(filter) = &binder.filter else {
            return Some(name);
        };
        if is_of_more && !many {
            return None;
        }
        if self.misses_removed(binder, filter) || is_open(filter) || many && goes_on(filter) {
            return None;
        }
        let inside = self.inside(binder)?;
        let phrase = inside.said_of(binder.local, filter, true, &|one| match many {
            true => of_several(&one),
            false => one,
        })?;
        Some(format!("{name} that {phrase}"))
    }
}

pub(super) fn side_word(side: Side) -> &'static str {
    match side {
        Side::Before => "before",
        Side::After => "after",
    }
}
