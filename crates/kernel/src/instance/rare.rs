//! Forms of expressions that are seldom evaluated, out of the way of the others: some arithmetic, and
//! what is looked for on the table.

use super::eval::{Scope, Value, too_large};
use super::inst::List;
use crate::ir::{Expr, ExprKind, NONE, NoNumber};
use endstep_language::syntax::ast::{Rounding, Side};
use endstep_semantics::semantics::{GapCause, Stop};

impl Scope<'_> {
    #[cold]
    pub(super) fn no_number(&self, why: NoNumber, e: &Expr) -> Box<Stop> {
        match why {
            NoNumber::TooLarge => too_large(),
            NoNumber::Gap(cause) => Box::new(self.gap(cause, e.span)),
        }
    }

    #[inline(never)]
    pub(super) fn rare(&mut self, e: &Expr) -> Value {
        match &e.kind {
            ExprKind::Continuous(id, of) => self.continuous(*id, of.as_deref(), e.span),
            ExprKind::Solutions(id, wanted) => self.has_solutions(*id, *wanted),
            ExprKind::Negate(of) => self.number(of)?.checked_neg().ok_or_else(too_large),
            ExprKind::Clamp(of, low, high) => {
                let (n, low) = (self.number(of)?, self.number(low)?);
                Ok(n.min(self.number(high)?).max(low))
            }
            ExprKind::Half(of, rounding) => {
                let n = self.number(of)?;
                let odd = n.rem_euclid(2);
                match rounding {
                    Some(Rounding::Up) => Ok(n.div_euclid(2) + odd),
                    Some(Rounding::Down) => Ok(n.div_euclid(2)),
                    None if odd == 0 => Ok(n / 2),
                    None => Err(Box::new(self.gap(GapCause::OddHalf, e.span))),
                }
            }
            ExprKind::IsRemoved(of) => {
                let entity = self.one(of)?;
                let removed = self.data.removed.get(entity);
                let removed = removed.map(|&removed| i64::from(removed));
                removed.ok_or_else(|| self.absent(of))
            }
            ExprKind::ReadingIs(reading, at) => {
                Ok(i64::from(self.reading(*reading)? == usize::from(*at)))
            }
            other => unreachable!("not a rare form: {other:?}"),
        }
    }

    #[inline(never)]
    pub(super) fn found(&mut self, e: &Expr) -> Value {
        match &e.kind {
            ExprKind::EndOf(first, zone) => {
                let contents = self.lying(zone)?;
                let end = if *first {
                    contents.first()
                } else {
                    contents.last()
                };
                end.map(|&one| i64::from(one))
                    .ok_or_else(|| Box::new(self.gap(GapCause::EmptyZone, zone.span)))
            }
            ExprKind::Endmost(first, binder) => {
                let elements = self.those(binder)?;
                let end = if *first {
                    elements.first()
                } else {
                    elements.last()
                };
                Ok(end.map_or(NONE, |&one| i64::from(one)))
            }
            ExprKind::Beside(side, one, other) => {
                let (one, other) = (self.one(one)?, self.one(other)?);
                Ok(i64::from(self.lies_beside(*side, one, other)))
            }
            ExprKind::Neighbour(side, of) => {
                let entity = self.one(of)?;
                let Some((zone, at)) = self.data.place_of(entity) else {
                    return Ok(NONE);
                };
                if self.system.zones[self.layout.zones[zone].0].unordered {
                    return Ok(NONE);
                }
                let next = match side {
                    Side::Before => at.checked_sub(1),
                    Side::After => Some(at + 1),
                };
                let neighbour = next.and_then(|at| self.data.zones[zone].get(at));
                Ok(neighbour.map_or(NONE, |&one| i64::from(one)))
            }
            ExprKind::Holder(of) => {
                let entity = self.one(of)?;
                let place = self.data.place_of(entity);
                let owner = place.and_then(|(zone, _)| self.layout.zones[zone].1);
                Ok(owner.map_or(NONE, |owner| i64::from(owner.0)))
            }
            ExprKind::Turn {
                forward,
                from,
                such_that,
            } => {
                let from = self.one(from)?;
                let circle = self.circle(from, *forward);
                let Some((local, condition)) = such_that else {
                    return Ok(circle.first().map_or(NONE, |&one| i64::from(one)));
                };
                for player in circle {
                    if self.bound(*local, player, condition)? != 0 {
                        return Ok(i64::from(player));
                    }
                }
                Ok(NONE)
            }
            other => unreachable!("not a search: {other:?}"),
        }
    }

    /// Whether one lies before or after the other in the same ordered zone.
    fn lies_beside(&self, side: Side, one: usize, other: usize) -> bool {
        let places = (self.data.place_of(one), self.data.place_of(other));
        let (Some((zone, at)), Some((other_zone, other_at))) = places else {
            return false;
        };
        let lies = match side {
            Side::Before => at < other_at,
            Side::After => at > other_at,
        };
        let unordered = self.system.zones[self.layout.zones[zone].0].unordered;
        zone == other_zone && !unordered && lies
    }

    /// The players after one, once round, that one last.
    fn circle(&self, from: usize, forward: bool) -> List {
        let mut players = self.players();
        if !forward {
            players.reverse();
        }
        let at = players.iter().position(|&one| usize::from(one) == from);
        let seats = players.len();
        players.rotate_left(at.map_or(0, |at| (at + 1) % seats));
        players
    }
}
