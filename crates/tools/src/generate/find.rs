//! Finds what can be named: places, entities, zones; and binders that range over them.

use super::Feature;
use super::maker::Maker;
use super::tree::{call, expr, field, name, named, tight};
use super::world::{Line, Ty, Zone};
use arbitrary::Result;
use endstep_language::syntax::ast::{Binder, End, Expr, ExprKind, Side};

/// Which zones are looked for.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sought {
    /// Of this sort.
    pub sort: Option<usize>,
    /// All zones of a family will do.
    pub family: bool,
    /// With ends.
    pub ordered: bool,
}

impl Maker<'_> {
    /// Names of a type that are bound here or declared.
    fn names(&self, ty: Ty) -> Vec<Expr> {
        let locals = self.locals.iter().rev();
        let locals = locals.map(|(name, of)| (name, *of));
        let vars = self.world.vars.iter().map(|var| (&var.name, var.ty));
        let found = locals.chain(vars).filter(|(_, of)| *of == ty);
        found.map(|(name, _)| named(name)).collect()
    }

    /// Entities of a sort that may be missing: in roles and links, at the ends of zones.
    fn doubtful(&self, sort: usize) -> Vec<Expr> {
        let mut all = self.names(Ty::Optional(sort));
        for zone in self.world.zones_of(sort).filter(|zone| !zone.unordered) {
            let whole = self.whole(zone);
            all.extend(whole.map(|zone| expr(ExprKind::EndOf(End::Top, Box::new(zone)))));
        }
        all
    }

    /// Entities of a sort: mostly those that are always there, else those that may be missing.
    fn entities(&mut self, sort: usize) -> Result<Vec<Expr>> {
        let sure = self.names(Ty::Entity(sort));
        if sure.is_empty() || self.odds(40)? {
            let doubtful = self.doubtful(sort);
            return Ok(sure.into_iter().chain(doubtful).collect());
        }
        Ok(sure)
    }

    /// Whether an entity of a sort can be named.
    pub(super) fn has(&self, sort: usize) -> bool {
        !self.names(Ty::Entity(sort)).is_empty() || !self.doubtful(sort).is_empty()
    }

    /// Whether an expression of a type can be made.
    pub(super) fn can(&self, ty: Ty) -> bool {
        match ty {
            Ty::Entity(sort) => self.has(sort),
            Ty::Int | Ty::Bool | Ty::Enum(_) | Ty::Optional(_) => true,
        }
    }

    /// One zone: itself, or that of the first entity that can be named.
    fn whole(&self, zone: &Zone) -> Option<Expr> {
        match zone.per {
            None => Some(named(&zone.name)),
            Some(per) => {
                let sure = self.names(Ty::Entity(per)).into_iter();
                let owner = sure.chain(self.names(Ty::Optional(per))).next()?;
                Some(call(&zone.name, vec![owner]))
            }
        }
    }

    /// Everything of a type that can be read and written.
    pub(super) fn places(&mut self, ty: Ty) -> Result<Vec<Expr>> {
        let vars = self.world.vars.iter().filter(|var| var.ty == ty);
        let mut all: Vec<Expr> = vars.map(|var| named(&var.name)).collect();
        for at in 0..self.world.sorts.len() {
            let fields = self.world.sorts[at]
                .fields
                .iter()
                .filter(|field| field.ty == ty);
            let fields: Vec<String> = fields.map(|field| field.name.clone()).collect();
            if fields.is_empty() {
                continue;
            }
            for owner in self.entities(at)? {
                let each = fields.iter().map(|one| field(owner.clone(), one));
                all.extend(each);
            }
        }
        Ok(all)
    }

    /// Everything of a type that can be read without a gap being likely.
    pub(super) fn readable(&mut self, ty: Ty) -> Result<Vec<Expr>> {
        let locals = self.locals.iter().rev().filter(|(_, of)| *of == ty);
        let mut all: Vec<Expr> = locals.map(|(name, _)| named(name)).collect();
        all.extend(self.places(ty)?);
        all.extend(self.printed(ty)?);
        Ok(all)
    }

    /// Everything of a type that is printed in tables, of whatever row can be named.
    fn printed(&mut self, ty: Ty) -> Result<Vec<Expr>> {
        let mut all = Vec::new();
        for at in 0..self.world.enums.len() {
            let table = &self.world.enums[at];
            let columns = table.columns.iter().filter(|column| column.ty == ty);
            let columns: Vec<String> = columns.map(|column| column.name.clone()).collect();
            if columns.is_empty() {
                continue;
            }
            let locals = self.locals.iter().filter(|(_, of)| *of == Ty::Enum(at));
            let mut rows: Vec<Expr> = locals.map(|(name, _)| named(name)).collect();
            rows.extend(table.values.iter().map(|value| named(value)));
            rows.extend(self.places(Ty::Enum(at))?);
            for row in rows {
                all.extend(columns.iter().map(|column| field(row.clone(), column)));
            }
        }
        Ok(all)
    }

    /// A place of a type, if there is one. Those close at hand come first.
    pub(super) fn writable(&mut self, ty: Ty) -> Result<Option<Expr>> {
        let all = self.places(ty)?;
        self.any_of(&all)
    }

    /// A zone, with the sort that lies in it, if there is such a zone.
    pub(super) fn zone(&mut self, sought: Sought) -> Result<Option<(Expr, usize)>> {
        let fits = |zone: &&Zone| {
            sought.sort.is_none_or(|sort| zone.sort == sort)
                && !(sought.ordered && zone.unordered)
                && (sought.family || zone.per.is_none_or(|per| self.has(per)))
        };
        let zones: Vec<Zone> = self.world.zones.iter().filter(fits).cloned().collect();
        let Some(zone) = self.any_of(&zones)? else {
            return Ok(None);
        };
        self.part_of(&zone, sought.family).map(Some)
    }

    /// A zone as it is named, with the sort that lies in it: one of a family, or all of them.
    fn part_of(&mut self, zone: &Zone, family: bool) -> Result<(Expr, usize)> {
        let found = match zone.per {
            Some(per) if self.has(per) && !(family && self.odds(150)?) => {
                let owner = self.entity(per, 1)?;
                call(&zone.name, vec![owner])
            }
            _ => named(&zone.name),
        };
        Ok((found, zone.sort))
    }

    /// A binder; its name is in scope afterwards, and was in scope of its filter. Entities of one
    /// sort only, if one is given.
    pub(super) fn binder(&mut self, sort: Option<usize>, depth: u8) -> Result<Binder> {
        let sought = Sought {
            sort,
            family: true,
            ..Sought::default()
        };
        let zone = if self.odds(128)? {
            self.zone(sought)?
        } else {
            None
        };
        self.ranging(zone, sort, depth)
    }

    /// What listens to an event whose listeners are taken as they lie, or in player order; nothing
    /// where nothing lies so.
    pub(super) fn lying(&mut self, event: usize, depth: u8) -> Result<Option<Binder>> {
        let line = match self.world.events[event].line {
            None => self.line(self.world.events[event].seated)?,
            known => known,
        };
        self.world.events[event].line = line;
        match line {
            None => Ok(None),
            Some(Line::Sort(sort)) => self.ranging(None, Some(sort), depth).map(Some),
            Some(Line::Zone(at)) => {
                let zone = self.world.zones[at].clone();
                let zone = self.part_of(&zone, true)?;
                self.ranging(Some(zone), None, depth).map(Some)
            }
        }
    }

    /// What lies in an order, of players if they are `seated`.
    fn line(&mut self, seated: bool) -> Result<Option<Line>> {
        let by_number = |&sort: &usize| self.world.goes_by_number(sort);
        let numbered = self.world.things().find(by_number);
        if let Some(sort) = numbered
            && !seated
            && self.odds(128)?
        {
            return Ok(Some(Line::Sort(sort)));
        }
        let of_players = |zone: &Zone| zone.per.is_some() && zone.per == self.world.players();
        let zones = self.world.zones.iter().enumerate();
        let lies = |(at, zone): (usize, &Zone)| {
            (!zone.unordered && (!seated || of_players(zone))).then_some(at)
        };
        let zones: Vec<usize> = zones.filter_map(lies).collect();
        Ok(self.any_of(&zones)?.map(Line::Zone))
    }

    fn ranging(
        &mut self,
        zone: Option<(Expr, usize)>,
        sort: Option<usize>,
        depth: u8,
    ) -> Result<Binder> {
        let fixed = zone.as_ref().map(|(_, sort)| *sort).or(sort);
        let (range, ty) = match fixed {
            Some(sort) => (self.world.sorts[sort].name.clone(), Ty::Entity(sort)),
            None => {
                let ranges = self.world.ranges();
                // Entities are what games are about.
                let things: Vec<_> = self.world.things().collect();
                match self.any_of(&things)? {
                    Some(sort) if !self.odds(80)? => {
                        (self.world.sorts[sort].name.clone(), Ty::Entity(sort))
                    }
                    _ => self.one_of(&ranges)?,
                }
            }
        };
        let sort = if zone.is_none() || self.odds(128)? {
            Some(name(&range))
        } else {
            None
        };
        let bound = name(&self.bind(ty));
        let filter = if depth > 0 && self.odds(72)? {
            Some(self.truth(depth - 1)?)
        } else {
            None
        };
        Ok(Binder {
            name: bound,
            sort,
            zone: zone.map(|(zone, _)| zone),
            filter,
        })
    }

    /// An entity. One of the sort can be named.
    pub(super) fn entity(&mut self, sort: usize, depth: u8) -> Result<Expr> {
        #[derive(Clone, Copy)]
        enum Form {
            Known,
            End,
            Endmost,
            Turn,
            Neighbour,
            Holder,
            Linked,
            Cond,
            Per,
        }
        let mut forms = vec![(12, Form::Known)];
        if depth > 0 {
            forms.push((2, Form::End));
            forms.push((1, Form::Endmost));
            forms.push((3, Form::Linked));
            forms.push((1, Form::Cond));
            if !self.world.readings.is_empty() {
                forms.push((1, Form::Per));
            }
            if Some(sort) == self.world.players() {
                forms.push((4, Form::Turn));
            }
            forms.push((1, Form::Neighbour));
            forms.push((2, Form::Holder));
        }
        let found = match self.pick(&forms)? {
            Form::Known => None,
            Form::End => self.end_of(sort)?,
            Form::Endmost => self.endmost(sort, depth)?,
            Form::Turn => Some(self.turn(sort, depth)?),
            Form::Neighbour => self.neighbour(sort, depth)?,
            Form::Holder => self.holder(sort, depth)?,
            Form::Linked => {
                let links = self.places(Ty::Optional(sort))?;
                self.any_of(&links)?
            }
            Form::Cond => Some(self.conditional(Ty::Entity(sort), depth)?),
            Form::Per => Some(self.per_reading(Ty::Entity(sort), depth)?),
        };
        match found {
            Some(found) => Ok(found),
            None => {
                let all = self.entities(sort)?;
                self.one_of(&all)
            }
        }
    }

    /// An entity or none.
    pub(super) fn optional(&mut self, sort: usize, depth: u8) -> Result<Expr> {
        if self.odds(80)? || !self.has(sort) {
            return Ok(expr(ExprKind::None));
        }
        match self.clear_optional(sort, depth)? {
            Some(found) if self.odds(128)? => Ok(found),
            _ => self.entity(sort, depth),
        }
    }

    /// Something optional that tells its own type.
    pub(super) fn clear_optional(&mut self, sort: usize, depth: u8) -> Result<Option<Expr>> {
        let found = match self.below(5)? {
            4 if depth > 0 => self.endmost(sort, depth)?,
            2 if depth > 0 => self.neighbour(sort, depth)?,
            3 if depth > 0 => self.holder(sort, depth)?,
            1 if depth > 0 && Some(sort) == self.world.players() => {
                Some(self.turn_where(sort, depth)?)
            }
            _ => None,
        };
        if found.is_some() {
            return Ok(found);
        }
        let links = self.readable(Ty::Optional(sort))?;
        self.any_of(&links)
    }

    fn end_of(&mut self, sort: usize) -> Result<Option<Expr>> {
        let sought = Sought {
            sort: Some(sort),
            family: false,
            ordered: true,
        };
        let end = self.end()?;
        let zone = self.zone(sought)?;
        Ok(zone.map(|(zone, _)| expr(ExprKind::EndOf(end, Box::new(zone)))))
    }

    /// `first c in z where e`
    fn endmost(&mut self, sort: usize, depth: u8) -> Result<Option<Expr>> {
        let sought = Sought {
            sort: Some(sort),
            family: false,
            ordered: true,
        };
        let Some(zone) = self.zone(sought)? else {
            return Ok(None);
        };
        let end = self.end()?;
        self.scoped(|maker| {
            let binder = maker.ranging(Some(zone), None, depth)?;
            Ok(Some(expr(ExprKind::Endmost(end, Box::new(binder)))))
        })
    }

    /// An end of a zone.
    pub(super) fn end(&mut self) -> Result<End> {
        self.pick(&[
            (1, End::Top),
            (1, End::Bottom),
            (1, End::First),
            (1, End::Last),
        ])
    }

    fn turn(&mut self, players: usize, depth: u8) -> Result<Expr> {
        if self.odds(64)? {
            return self.turn_where(players, depth);
        }
        let (forward, from) = (!self.odds(96)?, self.entity(players, depth - 1)?);
        Ok(expr(ExprKind::Turn {
            forward,
            from: Box::new(tight(from)),
            such_that: None,
        }))
    }

    fn turn_where(&mut self, players: usize, depth: u8) -> Result<Expr> {
        let (forward, from) = (!self.odds(96)?, self.entity(players, depth - 1)?);
        self.scoped(|maker| {
            let bound = name(&maker.bind(Ty::Entity(players)));
            let condition = maker.truth(depth - 1)?;
            Ok(expr(ExprKind::Turn {
                forward,
                from: Box::new(tight(from)),
                such_that: Some((bound, Box::new(condition))),
            }))
        })
    }

    fn neighbour(&mut self, sort: usize, depth: u8) -> Result<Option<Expr>> {
        if !self.world.zones_of(sort).any(|zone| !zone.unordered) || !self.has(sort) {
            return Ok(None);
        }
        let side = if self.odds(128)? {
            Side::Before
        } else {
            Side::After
        };
        let of = tight(self.entity(sort, depth - 1)?);
        Ok(Some(expr(ExprKind::Neighbour(side, Box::new(of)))))
    }

    /// Whose zone something lies in, where that is a sort.
    fn holder(&mut self, owner: usize, depth: u8) -> Result<Option<Expr>> {
        let held = (0..self.world.sorts.len())
            .find(|&sort| self.world.holder(sort) == Some(owner) && self.has(sort));
        let Some(held) = held.filter(|_| self.allows(Feature::Families)) else {
            return Ok(None);
        };
        let of = tight(self.entity(held, depth - 1)?);
        Ok(Some(expr(ExprKind::Holder(Box::new(of)))))
    }
}
