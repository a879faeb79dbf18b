//! Expressions as text.

use super::Printer;
use crate::ir::{
    Binder, Decider, Expr, ExprKind, Fold, NONE, Order, Place, Range, Rank, Relation, ZoneRef,
};
use endstep_language::syntax::ast::{Rounding, Side};
use endstep_language::typing::program::{ReadingId, Type};

impl Printer<'_> {
    pub(super) fn place(&self, place: &Place) -> String {
        match place {
            Place::Var(var, _) => self.system.vars[*var].name.clone(),
            Place::Field(e, field, _) => {
                format!("{}.{}", self.expr(e), self.system.fields[*field].name)
            }
        }
    }

    pub(super) fn zone(&self, zone: &ZoneRef) -> String {
        let name = &self.system.zones[zone.zone].name;
        match &zone.of {
            Some(of) => format!("{name}({})", self.expr(of)),
            None => name.clone(),
        }
    }

    pub(super) fn binder(&self, binder: &Binder) -> String {
        let range = match &binder.range {
            Range::Sort(sort) => self.system.sorts[*sort].name.clone(),
            Range::Zone(zone) => self.zone(zone),
            Range::Enum(..) | Range::Bool => String::new(),
        };
        let range = match &binder.range {
            Range::Zone(_) => format!("{} in {range}", self.type_name(binder.ty)),
            Range::Sort(_) => range,
            Range::Enum(..) | Range::Bool => self.type_name(binder.ty),
        };
        let filter = binder.filter.as_ref();
        let filter = filter.map_or(String::new(), |e| format!(" if {}", self.expr(e)));
        format!("l{}: {range}{filter}", binder.local.0)
    }

    pub(super) fn decider(&self, by: &Decider) -> String {
        match by {
            Decider::Player(e) => self.expr(e),
            Decider::Everyone => "everyone".to_owned(),
            Decider::Chance => "chance".to_owned(),
            Decider::Nobody => "nobody".to_owned(),
        }
    }

    pub(super) fn order(&self, order: &Order) -> String {
        let lie = |what: &str, reversed: bool, from: &Option<Expr>| {
            let how = if reversed { ", last to first" } else { "" };
            let from = from.as_ref();
            let from = from.map_or(String::new(), |e| format!(" from {}", self.expr(e)));
            format!("{what}{from}{how}")
        };
        match order {
            Order::Any => "any order".to_owned(),
            Order::Chosen(by) => format!("order by {}", self.decider(by)),
            Order::Zone { reversed, from } => lie("as they lie", *reversed, from),
            Order::Players { reversed, from } => lie("order of play", *reversed, from),
            Order::Own => "order of their own".to_owned(),
            Order::Ranked(ranked) => {
                let by = match &ranked.by {
                    Rank::Smallest => "smallest".to_owned(),
                    Rank::Largest => "largest".to_owned(),
                    Rank::Turn { reversed, from } => lie("order of play", *reversed, from),
                };
                let (element, key) = (ranked.element.0, self.expr(&ranked.key));
                format!(
                    "{by} (l{element}: {key}), then {}",
                    self.order(&ranked.then)
                )
            }
            Order::Per(reading, all) => self.per(*reading, all, &|one| self.order(one)),
        }
    }

    /// What goes with each alternative of a reading.
    pub(super) fn per<T>(
        &self,
        reading: ReadingId,
        all: &[T],
        text: &dyn Fn(&T) -> String,
    ) -> String {
        let all = all.iter().enumerate();
        let all = all.map(|(at, one)| format!("{}: {}", self.alternative(reading, at), text(one)));
        let all: Vec<String> = all.collect();
        let name = &self.system.readings[reading].name;
        format!("per {name} ({})", all.join(" | "))
    }

    /// An expression.
    pub(super) fn expr(&self, e: &Expr) -> String {
        self.expr_as(e, None)
    }

    #[allow(
        clippy::too_many_lines,
        reason = "a flat match with one arm for each form"
    )]
    /// An expression of a type, if that is known.
    pub(super) fn expr_as(&self, e: &Expr, ty: Option<Type>) -> String {
        let both = |op: &str, (a, b): (&Expr, &Expr), ty| {
            format!("({} {op} {})", self.expr_as(a, ty), self.expr_as(b, ty))
        };
        match &e.kind {
            ExprKind::Const(NONE) => "none".to_owned(),
            ExprKind::Const(n) => self.constant(*n, ty),
            ExprKind::Local(local) => format!("l{}", local.0),
            ExprKind::Var(var) => self.system.vars[*var].name.clone(),
            ExprKind::Field(of, field) => {
                format!("{}.{}", self.expr(of), self.system.fields[*field].name)
            }
            ExprKind::Unwrap(of) => format!("{}!", self.expr(of)),
            ExprKind::Call(id, args) => {
                let function = &self.system.functions[*id];
                let args = args.iter().zip(&function.params);
                let args: Vec<String> = args.map(|(e, ty)| self.expr_as(e, Some(*ty))).collect();
                format!("{}({})", function.name, args.join(", "))
            }
            ExprKind::Continuous(id, of) => {
                let name = &self.system.functions[*id].name;
                let of = of.as_ref().map(|of| self.expr(of));
                format!("{name}({})", of.unwrap_or_default())
            }
            ExprKind::Solutions(id, wanted) => {
                let name = &self.system.functions[*id].name;
                format!("({name} is {})", wanted.word())
            }
            ExprKind::Not(of) => format!("not {}", self.expr(of)),
            ExprKind::Negate(of) => format!("-{}", self.expr(of)),
            ExprKind::Compare(relation, a, b) => both(
                match relation {
                    Relation::Equal => "=",
                    Relation::NotEqual => "!=",
                    Relation::Less => "<",
                    Relation::LessEqual => "<=",
                    Relation::Greater => ">",
                    Relation::GreaterEqual => ">=",
                },
                (a, b),
                self.type_of(a).or_else(|| self.type_of(b)),
            ),
            ExprKind::Compute(compute, a, b) => both(compute.symbol(), (a, b), Some(Type::Int)),
            ExprKind::Clamp(a, b, c) => {
                format!(
                    "clamp({}, {}, {})",
                    self.expr(a),
                    self.expr(b),
                    self.expr(c)
                )
            }
            ExprKind::Half(of, rounding) => {
                let how = match rounding {
                    None => "",
                    Some(Rounding::Up) => ", rounded up",
                    Some(Rounding::Down) => ", rounded down",
                };
                format!("half({}{how})", self.expr(of))
            }
            ExprKind::If(c, a, b) => {
                // What lowering made of `and` and `or`.
                let constant = |e: &Expr, n| matches!(e.kind, ExprKind::Const(k) if k == n);
                let ty = ty.or_else(|| self.type_of(e));
                let (c, x, y) = (self.expr(c), self.expr_as(a, ty), self.expr_as(b, ty));
                match ty {
                    Some(Type::Bool) if constant(b, 0) => format!("({c} and {x})"),
                    Some(Type::Bool) if constant(a, 1) => format!("({c} or {y})"),
                    _ => format!("(if {c} then {x} else {y})"),
                }
            }
            ExprKind::IsRemoved(of) => format!("removed({})", self.expr(of)),
            ExprKind::IsIn(of, zone) => format!("({} in {})", self.expr(of), self.zone(zone)),
            ExprKind::Size(zone) => format!("size({})", self.zone(zone)),
            ExprKind::Pending(queue) => format!("size({})", self.system.queues[*queue].name),
            ExprKind::ReadingIs(reading, at) => {
                let name = self.alternative(*reading, usize::from(*at));
                format!("({} is {name})", self.system.readings[*reading].name)
            }
            ExprKind::Per(reading, all) => {
                let ty = ty.or_else(|| self.type_of(e));
                self.per(*reading, all, &|one| self.expr_as(one, ty))
            }
            ExprKind::Fold(fold, binder, of) => {
                let name = match fold {
                    Fold::Count => "count",
                    Fold::Sum => "sum",
                    Fold::Largest => "largest",
                    Fold::Smallest => "smallest",
                    Fold::Every => "every",
                    Fold::Some => "some",
                };
                let of = of
                    .as_ref()
                    .map_or(String::new(), |e| format!(": {}", self.expr(e)));
                format!("{name}({}{of})", self.binder(binder))
            }
            ExprKind::EndOf(true, zone) => format!("first({})", self.zone(zone)),
            ExprKind::EndOf(false, zone) => format!("last({})", self.zone(zone)),
            ExprKind::Endmost(first, binder) => {
                let which = if *first { "first" } else { "last" };
                format!("{which}({})", self.binder(binder))
            }
            ExprKind::Beside(side, one, other) => {
                let (one, other) = (self.expr(one), self.expr(other));
                format!("({one} lies {} {other})", side_word(*side))
            }
            ExprKind::Turn {
                forward,
                from,
                such_that,
            } => {
                let how = if *forward { "next" } else { "previous" };
                let when = such_that.as_ref().map_or(String::new(), |(local, e)| {
                    format!(", l{} where {}", local.0, self.expr(e))
                });
                format!("{how}({}{when})", self.expr(from))
            }
            ExprKind::Neighbour(side, of) => {
                format!("neighbour {}({})", side_word(*side), self.expr(of))
            }
            ExprKind::Holder(of) => format!("holder({})", self.expr(of)),
            ExprKind::Old(of) => format!("old({})", self.expr(of)),
        }
    }
}

fn side_word(side: Side) -> &'static str {
    match side {
        Side::Before => "before",
        Side::After => "after",
    }
}
