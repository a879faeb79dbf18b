//! `simultaneously`: collects writes on the old state, settles what competes, and makes them at
//! once.
//!
//! ```text
//! simultaneously                         old: hero 2, ogre 3
//!   decrease hero.health by ogre.power   sums: hero -3, ogre -1
//!   decrease ogre.health by hero.power   new: hero -1, ogre 2
//! ```

use std::collections::BTreeMap;

use super::GapCause;
use super::eval::overflow;
use super::machine::{Flow, Machine};
use super::next::{ChoiceKind, Key, Note, Tag};
use super::state::{Destination, Frame, Site, Spot, Together, Who};
use super::stop::{Lacking, Stop};
use endstep_language::index::Id;
use endstep_language::typing::program::{
    Block, BlockId, EntityId, EventId, Expr, Place, Stmt, StmtId, StmtKind, Target, Value, ZoneId,
};

/// What the body asks for.
#[derive(Default)]
struct Wishes {
    sets: BTreeMap<Spot, Vec<Value>>,
    // Whether a sum leaves 64 bits does not depend on what is added first.
    sums: BTreeMap<Spot, i128>,
    most: BTreeMap<Spot, i64>,
    least: BTreeMap<Spot, i64>,
    taken: BTreeMap<Spot, i128>,
    moves: BTreeMap<EntityId, Vec<Destination>>,
    announcements: Vec<(EventId, Vec<Value>)>,
}

impl Machine<'_> {
    /// Executes `simultaneously`.
    pub fn together(&mut self, stmt: StmtId, block: BlockId) -> Result<Flow, Stop> {
        let mut wishes = Wishes::default();
        self.wish_block(block, &mut wishes)?;
        let site = Site::Stmt(stmt);
        for (spot, taken) in &wishes.taken {
            let held = self.eval(site, |scope| Ok(scope.held(*spot)))?;
            if i128::from(held) < *taken {
                self.notes.push(Note::Conflict(site));
                return Ok(Flow::Done(Tag::Conflict(site)));
            }
        }
        let (writes, conflicts) = self.settle(&wishes, site)?;
        let mut moves = Vec::new();
        let mut torn = Vec::new();
        for (entity, mut destinations) in wishes.moves {
            destinations.sort_unstable();
            destinations.dedup();
            match destinations.as_slice() {
                [one] => moves.push((entity, *one)),
                _ => torn.push((entity, destinations)),
            }
        }
        for _ in 0..conflicts.len() + torn.len() {
            self.notes.push(Note::Conflict(site));
        }
        self.push(Frame::Commit(Box::new(Together {
            conflicts,
            torn,
            writes,
            moves,
            announcements: wishes.announcements,
            ..Together::of(stmt)
        })));
        Ok(Flow::Go)
    }

    fn wish_block(&mut self, block: BlockId, wishes: &mut Wishes) -> Result<(), Stop> {
        let block: &Block = &self.program().blocks[block];
        for &stmt in &block.stmts {
            self.notes.push(Note::Executed(stmt));
            self.wish(stmt, wishes)?;
        }
        for local in &block.binds {
            self.bind(local.index(), Value::None);
        }
        Ok(())
    }

    fn wish(&mut self, id: StmtId, wishes: &mut Wishes) -> Result<(), Stop> {
        let stmt: &Stmt = &self.program().stmts[id];
        let site = Site::Stmt(id);
        match &stmt.kind {
            StmtKind::Nothing | StmtKind::GapGoesOn { .. } => {}
            StmtKind::Let(local, expr) => {
                let value = self.eval(site, |scope| scope.value(expr))?;
                self.bind(local.index(), value);
            }
            StmtKind::Set(place, expr) => {
                let (spot, value) =
                    self.eval(site, |scope| Ok((scope.spot(place)?, scope.value(expr)?)))?;
                wishes.sets.entry(spot).or_default().push(value);
            }
            StmtKind::Increase(place, by, most) => {
                let (spot, by, bound) = self.wished(place, by, most.as_ref(), site)?;
                add(&mut wishes.sums, spot, by.into());
                // To increase by a negative amount is to decrease.
                if self.it.is_supply(spot) {
                    add(&mut wishes.taken, spot, (-i128::from(by)).max(0));
                }
                if let Some(bound) = bound {
                    let tightest = wishes.most.entry(spot).or_insert(bound);
                    *tightest = bound.min(*tightest);
                }
            }
            StmtKind::Decrease(place, by, least) => {
                let (spot, by, bound) = self.wished(place, by, least.as_ref(), site)?;
                add(&mut wishes.sums, spot, -i128::from(by));
                if self.it.is_supply(spot) {
                    add(&mut wishes.taken, spot, by.max(0).into());
                }
                if let Some(bound) = bound {
                    let tightest = wishes.least.entry(spot).or_insert(bound);
                    *tightest = bound.max(*tightest);
                }
            }
            StmtKind::Transfer { amount, from, to } => {
                self.wish_transfer(amount, (from, to), site, wishes)?
            }
            StmtKind::Move(of, target) => self.wish_move(of, target, stmt, (site, wishes))?,
            StmtKind::Announce(event, args) => {
                let mut payload = Vec::with_capacity(args.len());
                for arg in args {
                    payload.push(self.eval(site, |scope| scope.value(arg))?);
                }
                wishes.announcements.push((*event, payload));
            }
            StmtKind::If(..) | StmtKind::Depending(..) | StmtKind::ForEach { .. } => {
                self.wish_nested(stmt, site, wishes)?;
            }
            other => unreachable!("may not stand in `simultaneously`: {other:?}"),
        }
        Ok(())
    }

    fn wish_nested(&mut self, stmt: &Stmt, site: Site, wishes: &mut Wishes) -> Result<(), Stop> {
        match &stmt.kind {
            StmtKind::If(arms, otherwise) => {
                for (condition, block) in arms {
                    if self.eval(site, |scope| scope.truth(condition))? {
                        return self.wish_block(*block, wishes);
                    }
                }
                match otherwise {
                    Some(block) => self.wish_block(*block, wishes),
                    None => Ok(()),
                }
            }
            StmtKind::Depending(reading, blocks) => {
                let at = self.eval(site, |scope| scope.reading(*reading))?;
                self.wish_block(blocks[at], wishes)
            }
            StmtKind::ForEach { binder, body, .. } => {
                let mut lacking = Lacking::default();
                for element in self.eval(site, |scope| scope.elements(binder))? {
                    self.bind(binder.local.index(), element);
                    let wished = self.wish_block(*body, wishes);
                    lacking.value(wished);
                }
                self.bind(binder.local.index(), Value::None);
                lacking.told()
            }
            other => unreachable!("has no blocks: {other:?}"),
        }
    }

    fn wished(
        &mut self,
        place: &Place,
        by: &Expr,
        bound: Option<&Expr>,
        site: Site,
    ) -> Result<(Spot, i64, Option<i64>), Stop> {
        self.eval(site, |scope| {
            let spot = scope.spot(place)?;
            let by = scope.int(by)?;
            let bound = match bound {
                Some(bound) => Some(scope.int(bound)?),
                None => None,
            };
            // A negative amount means the opposite change, without bound.
            Ok((spot, by, bound.filter(|_| by >= 0)))
        })
    }

    fn wish_transfer(
        &mut self,
        amount: &Expr,
        (from, to): (&Place, &Place),
        site: Site,
        wishes: &mut Wishes,
    ) -> Result<(), Stop> {
        let (n, source, target) = self.eval(site, |scope| {
            let n = scope.int(amount)?;
            if n < 0 {
                return Err(scope.gap(GapCause::NegativeAmount, amount.span));
            }
            Ok((n, scope.spot(from)?, scope.spot(to)?))
        })?;
        if self.it.is_supply(source) {
            add(&mut wishes.taken, source, n.into());
        }
        add(&mut wishes.sums, source, -i128::from(n));
        add(&mut wishes.sums, target, n.into());
        Ok(())
    }

    fn wish_move(
        &mut self,
        of: &Expr,
        target: &Target,
        stmt: &Stmt,
        (site, wishes): (Site, &mut Wishes),
    ) -> Result<(), Stop> {
        let Target::Zone(first, zone) = target else {
            // "Next to" has no meaning while everything moves at once.
            return Err(self.gap(GapCause::LiesNowhere, site, stmt));
        };
        let (entity, key) = self.eval(site, |scope| Ok((scope.entity(of)?, scope.zone(zone)?)))?;
        if self.state.data.entities[entity.index()].removed {
            return Ok(());
        }
        wishes.moves.entry(entity).or_default().push((key, *first));
        Ok(())
    }

    /// Writes on which all agree, and places for which values compete.
    #[allow(
        clippy::type_complexity,
        reason = "the two lists are taken apart at once"
    )]
    fn settle(
        &mut self,
        wishes: &Wishes,
        site: Site,
    ) -> Result<(Vec<(Spot, Value)>, Vec<(Spot, Vec<Value>)>), Stop> {
        let mut candidates = wishes.sets.clone();
        for (spot, sum) in &wishes.sums {
            if *sum == 0 {
                continue;
            }
            let held = self.eval(site, |scope| Ok(scope.held(*spot)))?;
            let value = i128::from(held) + sum;
            let mut value = i64::try_from(value).map_err(|_| overflow())?;
            if let Some(most) = wishes.most.get(spot)
                && *sum > 0
            {
                value = value.min(held.max(*most));
            }
            if let Some(least) = wishes.least.get(spot)
                && *sum < 0
            {
                value = value.max(held.min(*least));
            }
            candidates.entry(*spot).or_default().push(Value::Int(value));
        }
        let mut writes = Vec::new();
        let mut conflicts = Vec::new();
        for (spot, mut values) in candidates {
            let mixed = wishes.sets.contains_key(&spot)
                && wishes.sums.get(&spot).is_some_and(|sum| *sum != 0);
            values.sort_unstable();
            values.dedup();
            match values.as_slice() {
                [one] => {
                    // A set and a change compete even where they come to the same.
                    if mixed {
                        self.notes.push(Note::Conflict(site));
                    }
                    writes.push((spot, *one));
                }
                _ => conflicts.push((spot, values)),
            }
        }
        Ok((writes, conflicts))
    }

    fn current_commit(&mut self) -> &mut Together {
        match self.frames().last_mut() {
            Some(Frame::Commit(together)) => together,
            other => unreachable!("expected simultaneous effects, found {other:?}"),
        }
    }

    /// The innermost frame settles simultaneous effects, one stage after the other.
    pub fn commit(&mut self) -> Result<Flow, Stop> {
        let now = self.current_commit().clone();
        let site = Site::Stmt(now.stmt);
        if let Some((spot, values)) = now.conflicts.first() {
            let asked = self.asked(ChoiceKind::Gap, Who::Nobody, site);
            let keys = values
                .iter()
                .map(|value| Key::Write(*spot, *value))
                .collect();
            return Ok(self.branch(asked, keys, |machine, key| {
                let Key::Write(spot, value) = key else { return };
                let commit = machine.current_commit();
                commit.conflicts.remove(0);
                commit.writes.push((*spot, *value));
            }));
        }
        if let Some((entity, destinations)) = now.torn.first() {
            let asked = self.asked(ChoiceKind::Gap, Who::Nobody, site);
            let keys = destinations
                .iter()
                .map(|(zone, first)| Key::Destination(*entity, *zone, *first))
                .collect();
            return Ok(self.branch(asked, keys, |machine, key| {
                let Key::Destination(entity, zone, first) = key else {
                    return;
                };
                let commit = machine.current_commit();
                commit.torn.remove(0);
                commit.moves.push((*entity, (*zone, *first)));
                commit.moves.sort_unstable();
            }));
        }
        if !now.moves.is_empty() {
            return Ok(self.order_moves(&now, site));
        }
        if !now.made {
            self.make(&now)?;
            return Ok(Flow::Go);
        }
        self.announce_next(&now, site)
    }

    fn order_moves(&mut self, now: &Together, site: Site) -> Flow {
        let rivals = |end: Destination| {
            let moves = now.moves.iter().filter(move |(_, other)| *other == end);
            moves
                .map(|(entity, _)| Key::Insert(*entity))
                .collect::<Vec<_>>()
        };
        let ends = now.moves.iter().map(|(_, end)| *end);
        let mut ordered = ends.filter(|end| !self.program().zones[end.0.0].unordered);
        let contested = ordered.find_map(|end| Some(rivals(end)).filter(|keys| keys.len() > 1));
        let any = now.moves.iter().take(1);
        let keys =
            contested.unwrap_or_else(|| any.map(|(entity, _)| Key::Insert(*entity)).collect());
        let asked = self.asked(ChoiceKind::Order, Who::Nobody, site);
        self.branch(asked, keys, |machine, key| {
            let Key::Insert(entity) = key else { return };
            let commit = machine.current_commit();
            if let Some(at) = commit.moves.iter().position(|(other, _)| other == entity) {
                let next = commit.moves.remove(at);
                commit.ordered.push(next);
            }
        })
    }

    fn make(&mut self, now: &Together) -> Result<(), Stop> {
        let left = self.it.left_by(&now.writes);
        if let Some(stop @ Stop::Tag(Tag::Range(_))) = left {
            return Err(stop);
        }
        let before = self.state.data.clone();
        // What leaves a zone leaves it before anything arrives.
        for (entity, _) in &now.ordered {
            for contents in self.state.data.zones.values_mut() {
                contents.retain(|other| other != entity);
            }
        }
        // Of zones that are too small the one that is declared first.
        let mut full: Option<(ZoneId, Stop)> = None;
        for (entity, destination) in &now.ordered {
            let moved = self.it.move_to(&mut self.state.data, *entity, *destination);
            let zone = destination.0.0;
            if let Err(stop) = moved
                && full.as_ref().is_none_or(|(first, _)| zone < *first)
            {
                full = Some((zone, stop));
            }
        }
        if let Some(stop) = full.map(|(_, stop)| stop).or(left) {
            self.state.data = before;
            return Err(stop);
        }
        self.write(&now.writes)?;
        let raised = match self.is_watched() {
            true => self.raised(&before)?,
            false => Vec::new(),
        };
        let commit = self.current_commit();
        commit.announcements.extend(raised);
        commit.writes.clear();
        commit.ordered.clear();
        commit.made = true;
        Ok(())
    }

    fn announce_next(&mut self, now: &Together, site: Site) -> Result<Flow, Stop> {
        if let Some((event, payload)) = &now.chosen {
            self.current_commit().chosen = None;
            self.announce(*event, payload)?;
            return Ok(Flow::Go);
        }
        if now.announcements.is_empty() {
            self.pop();
            return Ok(Flow::On);
        }
        let mut keys: Vec<Key> = now
            .announcements
            .iter()
            .map(|(event, payload)| Key::Announce(*event, payload.clone()))
            .collect();
        keys.sort_unstable();
        keys.dedup();
        let asked = self.asked(ChoiceKind::Order, Who::Nobody, site);
        Ok(self.branch(asked, keys, |machine, key| {
            let Key::Announce(event, payload) = key else {
                return;
            };
            let next = (*event, payload.clone());
            let commit = machine.current_commit();
            if let Some(at) = commit.announcements.iter().position(|one| *one == next) {
                commit.announcements.remove(at);
            }
            commit.chosen = Some(next);
        }))
    }
}

fn add(sums: &mut BTreeMap<Spot, i128>, spot: Spot, n: i128) {
    *sums.entry(spot).or_default() += n;
}
