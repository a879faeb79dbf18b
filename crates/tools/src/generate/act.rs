//! Statements that write, move, make and remove.

use super::block::REACH;
use super::find::Sought;
use super::maker::Maker;
use super::tree::{binary, condition, expr, int, is, name, named, tight};
use super::world::Ty;
use arbitrary::Result;
use endstep_language::syntax::ast::{BinaryOp, Expr, ExprKind, IsTest, MoveTarget, Name, StmtKind};

impl Maker<'_> {
    /// `set PLACE to e`
    pub(super) fn set(&mut self) -> Result<Option<StmtKind>> {
        let mut types = vec![(6, Ty::Int), (4, Ty::Bool)];
        types.extend((0..self.world.enums.len()).map(|at| (2, Ty::Enum(at))));
        for sort in 0..self.world.sorts.len() {
            types.push((2, Ty::Optional(sort)));
            types.push((1, Ty::Entity(sort)));
        }
        let ty = self.pick(&types)?;
        let ty = if self.can(ty) { ty } else { Ty::Int };
        let Some(place) = self.writable(ty)? else {
            return Ok(None);
        };
        let value = self.value(ty, REACH)?;
        Ok(Some(StmtKind::Set(place, value)))
    }

    /// `increase`, `decrease`
    pub(super) fn change(&mut self) -> Result<Option<StmtKind>> {
        let Some(place) = self.writable(Ty::Int)? else {
            return Ok(None);
        };
        let by = if self.odds(144)? {
            self.integer_value(REACH)?
        } else {
            int(1)
        };
        let bound = if self.odds(96)? {
            Some(self.integer_value(1)?)
        } else {
            None
        };
        Ok(Some(if self.odds(128)? {
            StmtKind::Increase(place, by, bound)
        } else {
            StmtKind::Decrease(place, by, bound)
        }))
    }

    /// `transfer e from PLACE to PLACE`
    pub(super) fn transfer(&mut self) -> Result<Option<StmtKind>> {
        let supplies = self.world.supplies.clone();
        let supply = self.any_of(&supplies)?;
        let (other, supplied) = (self.writable(Ty::Int)?, self.odds(160)?);
        let from = match (supply, supplied) {
            (Some(supply), true) => Some(named(&supply.name)),
            _ => self.writable(Ty::Int)?,
        };
        let amount = self.integer_value(1)?;
        let (Some(from), Some(to)) = (from, other) else {
            return Ok(None);
        };
        let (from, to) = if self.odds(64)? {
            (to, from)
        } else {
            (from, to)
        };
        Ok(Some(StmtKind::Transfer { amount, from, to }))
    }

    /// `move c to TARGET`
    pub(super) fn move_one(&mut self) -> Result<Option<StmtKind>> {
        let Some((moved, sort)) = self.any_thing(1)? else {
            return Ok(None);
        };
        let target = self.target(sort)?;
        Ok(target.map(|target| StmtKind::Move(moved, target)))
    }

    /// Where something of a sort can be put, if there is such a place.
    fn target(&mut self, sort: usize) -> Result<Option<MoveTarget>> {
        let apart = !self.around.together && !self.world.zones.is_empty();
        let beside = apart && self.has(sort) && self.odds(40)?;
        if beside {
            let other = tight(self.entity(sort, 1)?);
            return Ok(Some(if self.odds(128)? {
                MoveTarget::Before(other)
            } else {
                MoveTarget::After(other)
            }));
        }
        let ended = self.odds(128)?;
        let sought = Sought {
            sort: Some(sort),
            family: false,
            ordered: ended,
        };
        let zone = self.zone(sought)?;
        let end = if ended { Some(self.end()?) } else { None };
        Ok(zone.map(|(zone, _)| MoveTarget::Zone(end, zone)))
    }

    /// `move all of Z to TARGET`
    pub(super) fn move_all(&mut self) -> Result<Option<StmtKind>> {
        // What comes from an unordered zone all at once arrives in no order.
        let sought = Sought {
            ordered: true,
            ..Sought::default()
        };
        let Some((zone, sort)) = self.zone(sought)? else {
            return Ok(None);
        };
        let target = self.target(sort)?;
        Ok(target.map(|target| StmtKind::MoveAll(zone, target)))
    }

    /// `shuffle Z`
    pub(super) fn shuffle(&mut self) -> Result<Option<StmtKind>> {
        let zone = self.zone(Sought {
            ordered: true,
            ..Sought::default()
        })?;
        Ok(zone.map(|(zone, _)| StmtKind::Shuffle(zone)))
    }

    /// `create S as n in TARGET with f = e`
    pub(super) fn create(&mut self) -> Result<Option<StmtKind>> {
        let room = |&sort: &usize| self.world.sorts[sort].headroom;
        let sorts: Vec<usize> = self.world.things().filter(room).collect();
        let Some(sort) = self.any_of(&sorts)? else {
            return Ok(None);
        };
        let target = if self.odds(200)? {
            self.target(sort)?
        } else {
            None
        };
        let with = self.with(sort)?;
        let bound = if self.odds(128)? {
            Some(name(&self.bind(Ty::Entity(sort))))
        } else {
            None
        };
        Ok(Some(StmtKind::Create {
            sort: name(&self.world.sorts[sort].name),
            name: bound,
            target,
            with,
        }))
    }

    /// Values for some fields, and for all that have no default.
    fn with(&mut self, sort: usize) -> Result<Vec<(Name, Expr)>> {
        let fields = self.world.sorts[sort].fields.clone();
        let mut with = Vec::new();
        for field in fields {
            let needed = matches!(field.ty, Ty::Entity(_));
            if needed || self.odds(80)? {
                with.push((name(&field.name), condition(self.value(field.ty, 1)?)));
            }
        }
        Ok(with)
    }

    /// `remove c`
    pub(super) fn remove(&mut self) -> Result<Option<StmtKind>> {
        let thing = self.any_thing(1)?;
        Ok(thing.map(|(thing, _)| StmtKind::Remove(thing)))
    }

    /// Whether an expression that stands for an entity may be none, as the type checker sees it.
    pub(super) fn is_optional(&self, of: &Expr) -> bool {
        match &of.kind {
            ExprKind::None
            | ExprKind::Neighbour(..)
            | ExprKind::Endmost(..)
            | ExprKind::Holder(_) => true,
            ExprKind::Turn { such_that, .. } => such_that.is_some(),
            ExprKind::Paren(inner) | ExprKind::Old(inner) => self.is_optional(inner),
            ExprKind::Cond(_, yes, no) => self.is_optional(yes) || self.is_optional(no),
            ExprKind::Per(_, all) => all.iter().any(|(_, one)| self.is_optional(one)),
            ExprKind::Name(one) => {
                let local = self
                    .locals
                    .iter()
                    .rev()
                    .find(|(local, _)| *local == one.text);
                let var = self.world.vars.iter().find(|var| var.name == one.text);
                let ty = local.map(|(_, ty)| *ty).or(var.map(|var| var.ty));
                matches!(ty, Some(Ty::Optional(_)))
            }
            ExprKind::Field(_, field) => {
                let mut fields = self.world.sorts.iter().flat_map(|sort| &sort.fields);
                fields.any(|one| one.name == field.text && matches!(one.ty, Ty::Optional(_)))
            }
            _ => false,
        }
    }

    /// A test that a place of integers is above zero, with a statement that brings it closer.
    pub(super) fn counter(&mut self) -> Result<Option<(Expr, StmtKind)>> {
        let vars = self.world.vars.iter().filter(|var| var.ty == Ty::Int);
        let vars: Vec<Expr> = vars.map(|var| named(&var.name)).collect();
        let Some(place) = self.any_of(&vars)? else {
            return Ok(None);
        };
        let above = binary(BinaryOp::Greater, place.clone(), int(0));
        Ok(Some((above, StmtKind::Decrease(place, int(1), None))))
    }

    /// A zone that is not empty, with a statement that takes something out of it for good.
    pub(super) fn supply_of_things(&mut self) -> Result<Option<(Expr, StmtKind)>> {
        let sought = Sought {
            ordered: true,
            ..Sought::default()
        };
        let Some((zone, _)) = self.zone(sought)? else {
            return Ok(None);
        };
        let end = self.end()?;
        let first = expr(ExprKind::EndOf(end, Box::new(zone.clone())));
        let some = is(zone, true, IsTest::Empty);
        Ok(Some((some, StmtKind::Remove(first))))
    }
}
