//! Who decides, in which order, over which elements, and how fine a cancel is.

use super::Feature;
use super::maker::Maker;
use super::tree::name;
use super::world::Ty;
use arbitrary::Result;
use endstep_language::syntax::ast::{
    Binder, Cancel, Decider, DomainPolicy, Expr, ExprKind, Order, Per, Unfinished,
};

impl Maker<'_> {
    /// Somebody who decides.
    pub(super) fn decider(&mut self) -> Result<Decider> {
        let players = self.world.players();
        Ok(match (self.below(8)?, players) {
            (0..=3, Some(players)) => Decider::Player(self.entity(players, 1)?),
            (4 | 5, Some(_)) => Decider::Everyone,
            (6, _) if self.allows(Feature::Chance) => Decider::Chance,
            _ => Decider::Nobody,
        })
    }

    /// One part for each alternative of a reading.
    fn parts<T>(&mut self, mut part: impl FnMut(&mut Self) -> Result<T>) -> Result<Option<Per<T>>> {
        let readings = self.world.readings.clone();
        let Some(reading) = self.any_of(&readings)? else {
            return Ok(None);
        };
        let each = reading.alternatives.iter();
        let each = each.map(|alternative| Ok((name(alternative), part(self)?)));
        let mut alternatives = each.collect::<Result<Vec<_>>>()?;
        if self.odds(64)? {
            alternatives.reverse();
        }
        Ok(Some(Per {
            reading: name(&reading.name),
            alternatives,
        }))
    }

    /// In which order the elements of a binder, which are of this type, are taken; without a
    /// binder, listeners of whatever type.
    pub(super) fn order(&mut self, over: Option<(&Binder, Ty)>, depth: u8) -> Result<Order> {
        let zone = over.and_then(|(binder, _)| binder.zone.as_ref());
        let unordered = zone.is_some_and(|zone| self.is_unordered(zone));
        let players = self.world.players();
        let whole = match over {
            None => players,
            Some(_) => zone.and_then(|zone| self.family_of(zone)),
        };
        let placed = if whole.is_some() { 12 } else { 5 };
        let form = self.pick(&[(10, 0), (placed, 1), (4, 2), (3, 3), (2, 4)])?;
        Ok(match form {
            1 if !unordered && over.is_none_or(|one| self.lies(one)) => {
                let from = match players.filter(|_| whole.is_some() && whole == players) {
                    Some(players) if self.odds(180)? => Some(self.entity(players, 1)?),
                    _ => None,
                };
                Order::Zone {
                    reversed: self.odds(96)?,
                    from,
                }
            }
            2 if players.is_some() && over.is_none_or(|one| self.seated(one)) => {
                let from = match players {
                    Some(players) if self.odds(160)? => Some(self.entity(players, 1)?),
                    _ => None,
                };
                Order::Players {
                    reversed: self.odds(96)?,
                    from,
                }
            }
            3 => Order::Chosen(self.decider()?),
            4 if depth > 0 => {
                let parts = self.parts(|maker| maker.order(over, depth - 1))?;
                parts.map_or(Order::Any, Order::Per)
            }
            _ => Order::Any,
        })
    }

    /// The owners of a family that stands without argument.
    fn family_of(&self, zone: &Expr) -> Option<usize> {
        let ExprKind::Name(name) = &zone.kind else {
            return None;
        };
        let found = self.world.zones.iter().find(|one| one.name == name.text);
        found.and_then(|zone| zone.per)
    }

    fn is_unordered(&self, zone: &Expr) -> bool {
        let (ExprKind::Name(name) | ExprKind::Call(name, _)) = &zone.kind else {
            return false;
        };
        let found = self.world.zones.iter().find(|one| one.name == name.text);
        found.is_some_and(|zone| zone.unordered)
    }

    /// Whether elements lie beside each other: in a zone, or because there are none for them.
    fn lies(&self, (binder, ty): (&Binder, Ty)) -> bool {
        match ty {
            Ty::Entity(sort) => binder.zone.is_some() || self.world.goes_by_number(sort),
            _ => true,
        }
    }

    /// Whether elements have a seat: players, or what lies in ordered zones of players.
    fn seated(&self, (binder, ty): (&Binder, Ty)) -> bool {
        let players = self.world.players();
        if ty == players.map_or(Ty::Int, Ty::Entity) {
            return true;
        }
        let Some(zone) = &binder.zone else {
            return false;
        };
        let (ExprKind::Name(name) | ExprKind::Call(name, _)) = &zone.kind else {
            return false;
        };
        let mut zones = self.world.zones.iter();
        zones.any(|one| {
            one.name == name.text && !one.unordered && one.per.is_some() && one.per == players
        })
    }

    /// Which elements an iteration visits.
    pub(super) fn domain(
        &mut self,
        binder: &Binder,
        order: Option<&Order>,
    ) -> Result<Option<DomainPolicy>> {
        let by_position = binder.zone.is_some() && order.is_some_and(as_they_lie);
        let cases = if by_position { 220 } else { 120 };
        if !self.may(Feature::Domains, cases)? {
            return Ok(None);
        }
        if self.odds(40)? {
            let parts = self.parts(|maker| maker.plain_domain(by_position))?;
            return Ok(parts.map(DomainPolicy::Per));
        }
        self.plain_domain(by_position).map(Some)
    }

    fn plain_domain(&mut self, by_position: bool) -> Result<DomainPolicy> {
        Ok(match self.below(6)? {
            0 => DomainPolicy::Snapshot,
            1 | 2 => DomainPolicy::Rechecked,
            3..=5 if by_position => DomainPolicy::LiveByPosition,
            _ => DomainPolicy::Live,
        })
    }

    /// How fine a cancel is.
    pub(super) fn cancel(&mut self) -> Result<Cancel> {
        if self.odds(48)?
            && let Some(parts) = self.parts(Self::plain_cancel)?
        {
            return Ok(Cancel::Per(parts));
        }
        self.plain_cancel()
    }

    fn plain_cancel(&mut self) -> Result<Cancel> {
        Ok(match self.below(3)? {
            0 => Cancel::EndOfPass,
            1 => Cancel::EndOfStep,
            _ => Cancel::AtOnce,
        })
    }

    /// What becomes of the part of a pass that was not run.
    pub(super) fn unfinished(&mut self) -> Result<Unfinished> {
        if self.odds(48)?
            && let Some(parts) = self.parts(Self::plain_unfinished)?
        {
            return Ok(Unfinished::Per(parts));
        }
        self.plain_unfinished()
    }

    fn plain_unfinished(&mut self) -> Result<Unfinished> {
        Ok(if self.odds(128)? {
            Unfinished::Carried
        } else {
            Unfinished::Lost
        })
    }
}

/// Whether an order is one in which things lie, under every reading.
fn as_they_lie(order: &Order) -> bool {
    match order {
        Order::Zone { .. } => true,
        Order::Per(per) => per.alternatives.iter().all(|(_, one)| as_they_lie(one)),
        Order::Any | Order::Players { .. } | Order::Chosen(_) | Order::Own | Order::Ranked(_) => {
            false
        }
    }
}
