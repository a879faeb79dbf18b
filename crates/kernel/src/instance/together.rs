//! Simultaneous operations: collects writes on the old state, settles what competes, and makes them
//! at once.

use std::collections::BTreeMap;

use super::cells::{End, family};
use super::eval::{gap, overflow};
use super::groups::ENTITIES;
use super::lacking::Lacking;
use super::layout::small;
use super::machine::{Flow, Machine};
use super::point::Take;
use super::state::{Frame, Together};
use crate::ir::{Expr, NONE, Op, OpKind, Place, Target};
use crate::lower::value;
use endstep_language::index::Id;
use endstep_language::typing::program::{BlockId, EntityId, EventId, StmtId};
use endstep_semantics::semantics::{ChoiceKind, GapCause, Key, Note, Site, Spot, Stop, Tag, Who};

/// What the body asks for.
#[derive(Default)]
struct Wishes {
    sets: BTreeMap<Spot, Vec<i64>>,
    // Whether a sum leaves 64 bits does not depend on what is added first.
    sums: BTreeMap<Spot, i128>,
    most: BTreeMap<Spot, i64>,
    least: BTreeMap<Spot, i64>,
    taken: BTreeMap<Spot, i128>,
    moves: BTreeMap<u16, Vec<End>>,
    announcements: Vec<(EventId, Vec<i64>)>,
}

/// Settled writes, and places for which several numbers compete.
type Settled = (Vec<(Spot, i64)>, Vec<(Spot, Vec<i64>)>);

impl<'s> Machine<'s> {
    pub(super) fn together(&mut self, stmt: StmtId, block: BlockId) -> Result<Flow, Stop> {
        let mut wishes = Wishes::default();
        self.wish_block(block, &mut wishes)?;
        let site = Site::Stmt(stmt);
        for (spot, taken) in &wishes.taken {
            if i128::from(self.scope(site).held(*spot)) < *taken {
                self.notes.push(Note::Conflict(site));
                return Ok(Flow::Done(Tag::Conflict(site)));
            }
        }
        let (writes, conflicts) = self.settle(&wishes, site)?;
        let mut moves = Vec::new();
        let mut torn = Vec::new();
        for (entity, mut ends) in wishes.moves {
            ends.sort_unstable();
            ends.dedup();
            match ends.as_slice() {
                [one] => moves.push((entity, *one)),
                _ => torn.push((entity, ends)),
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
        let block = &self.setting.system.blocks[block];
        for &op in &block.ops {
            self.notes.push(Note::Executed(op));
            self.wish(op, wishes)?;
        }
        for local in &block.binds {
            self.bind(local.index(), NONE);
        }
        Ok(())
    }

    fn wish(&mut self, id: StmtId, wishes: &mut Wishes) -> Result<(), Stop> {
        let op: &'s Op = &self.setting.system.ops[id];
        let site = Site::Stmt(id);
        match &op.kind {
            OpKind::Skip | OpKind::Meet(_) => {}
            OpKind::Let(local, e) => {
                let n = self.scope(site).value(e)?;
                self.bind(local.index(), n);
            }
            OpKind::Set(place, e) => {
                let mut scope = self.scope(site);
                let (spot, n) = (scope.spot(place)?, scope.value(e)?);
                wishes.sets.entry(spot).or_default().push(n);
            }
            OpKind::Add {
                place,
                sign,
                by,
                bound,
            } => self.wish_add(place, (*sign, by, bound.as_ref()), site, wishes)?,
            OpKind::Transfer { amount, from, to } => {
                self.wish_transfer(amount, (from, to), site, wishes)?;
            }
            OpKind::Move(of, target) => {
                let Target::Zone(first, zone) = target else {
                    // "Next to" has no meaning while everything moves at once.
                    return Err(gap(GapCause::LiesNowhere, site, op.span));
                };
                let mut scope = self.scope(site);
                let (entity, zone) = (scope.entity(of)?, scope.zone(zone)?);
                if !self.data.removed[entity] {
                    let ends = wishes.moves.entry(small(entity)).or_default();
                    ends.push((zone, *first));
                }
            }
            OpKind::Announce(event, args) => {
                let mut payload = Vec::with_capacity(args.len());
                for arg in args {
                    payload.push(self.scope(site).value(arg)?);
                }
                wishes.announcements.push((*event, payload));
            }
            OpKind::If(arms, otherwise) => {
                if let Some(block) = self.first(arms, *otherwise, site)? {
                    self.wish_block(block, wishes)?;
                }
            }
            OpKind::Switch(reading, blocks) => {
                let at = self.scope(site).reading(*reading)?;
                self.wish_block(blocks[at], wishes)?;
            }
            OpKind::Each(each) => {
                let mut lacking = Lacking::default();
                for element in self.scope(site).elements(&each.binder)? {
                    self.bind(each.binder.local.index(), i64::from(element));
                    let wished = self.wish_block(each.body, wishes);
                    lacking.value(wished);
                }
                self.bind(each.binder.local.index(), NONE);
                lacking.told()?;
            }
            other => unreachable!("may not stand in `simultaneously`: {other:?}"),
        }
        Ok(())
    }

    fn wish_add(
        &mut self,
        place: &Place,
        (sign, by, bound): (i64, &Expr, Option<&Expr>),
        site: Site,
        wishes: &mut Wishes,
    ) -> Result<(), Stop> {
        let mut scope = self.scope(site);
        let spot = scope.spot(place)?;
        let by = scope.value(by)?;
        let bound = match bound {
            Some(bound) => Some(scope.value(bound)?),
            None => None,
        };
        add(&mut wishes.sums, spot, i128::from(by) * i128::from(sign));
        // To increase by a negative amount is to decrease.
        if self.writer().domain(spot).supply {
            let taken = -i128::from(by) * i128::from(sign);
            add(&mut wishes.taken, spot, taken.max(0));
        }
        // A negative amount means the opposite change, without bound.
        if let Some(bound) = bound.filter(|_| by >= 0) {
            if sign > 0 {
                let tightest = wishes.most.entry(spot).or_insert(bound);
                *tightest = bound.min(*tightest);
            } else {
                let tightest = wishes.least.entry(spot).or_insert(bound);
                *tightest = bound.max(*tightest);
            }
        }
        Ok(())
    }

    fn wish_transfer(
        &mut self,
        amount: &Expr,
        (from, to): (&Place, &Place),
        site: Site,
        wishes: &mut Wishes,
    ) -> Result<(), Stop> {
        let mut scope = self.scope(site);
        let n = scope.value(amount)?;
        if n < 0 {
            return Err(scope.gap(GapCause::NegativeAmount, amount.span));
        }
        let (source, target) = (scope.spot(from)?, scope.spot(to)?);
        if self.writer().domain(source).supply {
            add(&mut wishes.taken, source, n.into());
        }
        add(&mut wishes.sums, source, -i128::from(n));
        add(&mut wishes.sums, target, n.into());
        Ok(())
    }

    fn settle(&mut self, wishes: &Wishes, site: Site) -> Result<Settled, Stop> {
        let mut candidates = wishes.sets.clone();
        for (spot, sum) in &wishes.sums {
            if *sum == 0 {
                continue;
            }
            let held = self.scope(site).held(*spot);
            let n = i128::from(held) + sum;
            let mut n = i64::try_from(n).map_err(|_| overflow())?;
            if let Some(most) = wishes.most.get(spot)
                && *sum > 0
            {
                n = n.min(held.max(*most));
            }
            if let Some(least) = wishes.least.get(spot)
                && *sum < 0
            {
                n = n.max(held.min(*least));
            }
            candidates.entry(*spot).or_default().push(n);
        }
        let mut writes = Vec::new();
        let mut conflicts = Vec::new();
        for (spot, mut numbers) in candidates {
            let mixed = wishes.sets.contains_key(&spot)
                && wishes.sums.get(&spot).is_some_and(|sum| *sum != 0);
            numbers.sort_unstable();
            numbers.dedup();
            match numbers.as_slice() {
                [one] => {
                    // A set and a change compete even where they come to the same.
                    if mixed {
                        self.notes.push(Note::Conflict(site));
                    }
                    writes.push((spot, *one));
                }
                _ => conflicts.push((spot, numbers)),
            }
        }
        Ok((writes, conflicts))
    }

    pub(super) fn current_commit(&mut self) -> &mut Together {
        match self.frames.last_mut() {
            Some(Frame::Commit(together)) => together,
            other => unreachable!("expected simultaneous effects, found {other:?}"),
        }
    }

    /// The innermost frame settles simultaneous effects, one stage after the other.
    pub(super) fn commit(&mut self) -> Result<Flow, Stop> {
        let now = self.current_commit().clone();
        let site = Site::Stmt(now.stmt);
        if let Some((spot, numbers)) = now.conflicts.first() {
            let asked = self.asked(ChoiceKind::Gap, Who::Nobody, site);
            let ty = self.writer().domain(*spot).ty;
            let keys = numbers
                .iter()
                .map(|&n| Key::Write(*spot, value(n, ty)))
                .collect();
            return Ok(self.branch(asked, keys, Take::Commit));
        }
        if let Some((entity, ends)) = now.torn.first() {
            let asked = self.asked(ChoiceKind::Gap, Who::Nobody, site);
            let id = EntityId(u32::from(*entity));
            let keys = ends
                .iter()
                .map(|&(zone, first)| {
                    Key::Destination(id, self.setting.layout.zones[usize::from(zone)], first)
                })
                .collect();
            return Ok(self.branch(asked, keys, Take::Commit));
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
        let insert = |entity: u16| Key::Insert(EntityId(u32::from(entity)));
        let rivals = |end: End| {
            let moves = now.moves.iter().filter(|(_, other)| *other == end);
            moves.map(|(entity, _)| insert(*entity)).collect::<Vec<_>>()
        };
        let layout = self.setting.layout;
        let system = self.setting.system;
        let ends = now.moves.iter().map(|(_, end)| *end);
        let mut ordered = ends.filter(|end| !system.zones[family(layout, end.0)].unordered);
        let contested = ordered.find_map(|end| Some(rivals(end)).filter(|keys| keys.len() > 1));
        let any = now.moves.iter().take(1);
        let keys = contested.unwrap_or_else(|| any.map(|(entity, _)| insert(*entity)).collect());
        let asked = self.asked(ChoiceKind::Order, Who::Nobody, site);
        self.branch(asked, keys, Take::Commit)
    }

    fn make(&mut self, now: &Together) -> Result<(), Stop> {
        let left = self.writer().left_by(&now.writes);
        if let Some(stop @ Stop::Tag(Tag::Range(_))) = left {
            return Err(stop);
        }
        self.touch(ENTITIES);
        let before = self.data.clone();
        // What leaves a zone leaves it before anything arrives.
        for (entity, _) in &now.ordered {
            self.data.take_out(usize::from(*entity));
        }
        // Of zones that are too small the one that is declared first.
        let mut full: Option<(usize, Stop)> = None;
        for (entity, end) in &now.ordered {
            let writer = self.writer();
            let moved = writer.move_to(&mut self.data, usize::from(*entity), *end);
            let zone = family(self.setting.layout, end.0).index();
            if let Err(stop) = moved
                && full.as_ref().is_none_or(|(first, _)| zone < *first)
            {
                full = Some((zone, stop));
            }
        }
        if let Some(stop) = full.map(|(_, stop)| stop).or(left) {
            self.data = before;
            return Err(stop);
        }
        self.write(&now.writes)?;
        let raised = match self.setting.system.is_watched {
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
        let events = &self.setting.system.events;
        let announcements = now.announcements.iter();
        let mut keys: Vec<Key> = announcements
            .map(|(event, payload)| {
                let typed = payload.iter().zip(&events[*event].payload);
                Key::Announce(*event, typed.map(|(&n, &ty)| value(n, ty)).collect())
            })
            .collect();
        keys.sort_unstable();
        keys.dedup();
        let asked = self.asked(ChoiceKind::Order, Who::Nobody, site);
        Ok(self.branch(asked, keys, Take::Commit))
    }
}

fn add(sums: &mut BTreeMap<Spot, i128>, spot: Spot, n: i128) {
    *sums.entry(spot).or_default() += n;
}
