//! Choices: what may be chosen, by whom, and what each alternative does.

use smallvec::{SmallVec, smallvec};

use super::cells::Cells;
use super::eval::gap;
use super::groups::ENTITIES;
use super::lacking::Lacking;
use super::layout::small;
use super::machine::{Flow, Machine, element_key};
use super::point::{Point, Take};
use super::state::Frame;
use crate::ir::{Binder, Change, Expr, NONE, Op, OpKind, Place, Procedure};
use crate::lower::number;
use endstep_language::index::Id;
use endstep_language::typing::program::{EntityId, SequenceId, StmtId, Type, Value};
use endstep_semantics::semantics::{ChoiceKind, GapCause, Key, Limit, Site, Spot, Stop, Tag, Who};

/// More values than this to choose from end a run as `limit`.
const MOST_VALUES: usize = 4096;

impl<'s> Machine<'s> {
    /// Takes an alternative of a point that this state has come to.
    pub fn take(&mut self, point: &Point, alternative: usize) {
        self.take_key(&point.take, &point.keys[alternative]);
        self.end_blocks();
    }

    /// INVARIANT: never fails: writes that may leave their bounds are left to a frame.
    pub(super) fn take_key(&mut self, take: &Take, key: &Key) {
        match (take, key) {
            (Take::Bind(local), Key::Element(of, _)) => self.bind(local.index(), number(*of)),
            (Take::Visit { stmt, live, again }, Key::Element(of, _)) => {
                self.visit_next(*stmt, element(*of), (*live, *again));
            }
            (Take::Step { keep }, Key::Step(step)) => self.take_step(*step, *keep),
            (Take::Place { sequence, step }, Key::Element(of, _)) => {
                self.take_place(*sequence, *step, element(*of));
            }
            (Take::Match(queue), Key::Instance(one)) => self.place_match(one, *queue),
            (Take::Case, Key::Case(op, at)) => {
                if let OpKind::Cases { arms, .. } = &self.setting.system.ops[*op].kind {
                    self.enter(arms[*at].1);
                }
            }
            (Take::Arm, Key::Option(op, at)) => self.enter_arm(*op, *at),
            (Take::Arm, Key::Taken(op, taken)) => self.enter_arm(*op, usize::from(!taken)),
            (Take::Write(by), Key::Write(spot, of)) => self.push(Frame::Write {
                by: *by,
                writes: smallvec![(*spot, number(*of))],
            }),
            (Take::Write(by), Key::Values(values)) => {
                let writes = values.iter().map(|(spot, of)| (*spot, number(*of)));
                let writes = writes.collect();
                let by = *by;
                self.push(Frame::Write { by, writes });
            }
            (Take::Unit(offers), Key::Element(of, _)) => self.place_unit(offers, number(*of)),
            (Take::Shuffle(zone), Key::Element(of, _)) => self.settle_place(*zone, element(*of)),
            (Take::Commit, key) => self.take_commit(key),
            (take, key) => unreachable!("not an alternative of {take:?}: {key:?}"),
        }
    }

    fn take_commit(&mut self, key: &Key) {
        match key {
            Key::Write(spot, of) => {
                let commit = self.current_commit();
                commit.conflicts.remove(0);
                commit.writes.push((*spot, number(*of)));
            }
            Key::Destination(entity, zone, first) => {
                let zone = self.setting.layout.zone(*zone).map(small);
                let commit = self.current_commit();
                commit.torn.remove(0);
                if let Some(zone) = zone {
                    commit.moves.push((small(entity.index()), (zone, *first)));
                }
                commit.moves.sort_unstable();
            }
            Key::Insert(entity) => {
                let entity = small(entity.index());
                let commit = self.current_commit();
                if let Some(at) = commit.moves.iter().position(|(one, _)| *one == entity) {
                    let next = commit.moves.remove(at);
                    commit.ordered.push(next);
                }
            }
            Key::Announce(event, payload) => {
                let next = (*event, payload.iter().map(|one| number(*one)).collect());
                let commit = self.current_commit();
                if let Some(at) = commit.announcements.iter().position(|one| *one == next) {
                    commit.announcements.remove(at);
                }
                commit.chosen = Some(next);
            }
            other => unreachable!("decides nothing about simultaneous effects: {other:?}"),
        }
    }

    fn enter_arm(&mut self, op: StmtId, at: usize) {
        if let OpKind::ChooseBlock(arms, _) = &self.setting.system.ops[op].kind
            && let Some(block) = arms[at].body
        {
            self.enter(block);
        }
    }

    /// Operations that ask somebody.
    pub(super) fn ask(&mut self, id: StmtId, op: &'s Op) -> Result<Flow, Stop> {
        let site = Site::Stmt(id);
        match &op.kind {
            OpKind::Shuffle(zone) => {
                let zone = self.scope(site).zone(zone)?;
                self.push(Frame::Shuffle {
                    stmt: id,
                    zone,
                    placed: 0,
                });
                Ok(Flow::Go)
            }
            OpKind::ChooseElement(binder, by) => {
                let elements = self.scope(site).elements(binder)?;
                let who = self.who(by, site)?;
                if elements.is_empty() {
                    return Err(gap(GapCause::NothingToChoose, site, op.span));
                }
                let asked = self.asked(ChoiceKind::Selection, who, site);
                Ok(self.branch_elements(asked, &elements, binder.ty, Take::Bind(binder.local)))
            }
            OpKind::ChooseNumber {
                local,
                low,
                high,
                by,
            } => {
                let mut scope = self.scope(site);
                let (low, high) = (scope.value(low)?, scope.value(high)?);
                let who = self.who(by, site)?;
                if low > high {
                    return Err(gap(GapCause::NothingToChoose, site, op.span));
                }
                let numbers = numbers(low, high)?;
                let keys = numbers.into_iter().map(|n| element_key(n, Type::Int));
                let asked = self.asked(ChoiceKind::Selection, who, site);
                Ok(self.branch(asked, keys.collect(), Take::Bind(*local)))
            }
            OpKind::ChooseBlock(arms, by) => {
                let who = self.who(by, site)?;
                let keys = self.offered(arms, id)?;
                if keys.is_empty() {
                    return Err(gap(GapCause::NothingToChoose, site, op.span));
                }
                let asked = self.asked(ChoiceKind::Selection, who, site);
                Ok(self.branch(asked, keys, Take::Arm))
            }
            OpKind::Distribute { .. } => self.begin_distribution(id, op),
            OpKind::ChooseValue { place, ty, within } => {
                self.choose_value(op, site, (place, *ty, within.as_ref()))
            }
            other => unreachable!("asks nobody: {other:?}"),
        }
    }

    fn choose_value(
        &mut self,
        op: &Op,
        site: Site,
        (place, ty, within): (&Place, Type, Option<&(Expr, Expr)>),
    ) -> Result<Flow, Stop> {
        let mut scope = self.scope(site);
        let spot = scope.spot(place)?;
        let within = match within {
            Some((low, high)) => Some((scope.value(low)?, scope.value(high)?)),
            None => None,
        };
        let values = self.values_of(spot, ty, within)?;
        if values.is_empty() {
            return Err(gap(GapCause::NothingToChoose, site, op.span));
        }
        let asked = self.asked(ChoiceKind::Gap, Who::Nobody, site);
        let keys = values.into_iter().map(|one| Key::Write(spot, one));
        let by = match site {
            Site::Stmt(stmt) => Some(stmt),
            _ => None,
        };
        Ok(self.branch(asked, keys.collect(), Take::Write(by)))
    }

    /// The values that a place may take: those within the bounds, else all explored ones of its
    /// type.
    fn values_of(
        &self,
        spot: Spot,
        ty: Type,
        within: Option<(i64, i64)>,
    ) -> Result<Vec<Value>, Stop> {
        match ty {
            Type::Int => {
                let explored = self.writer().domain(spot).bounds.explore;
                let (low, high) = within.or(explored).unwrap_or((0, 0));
                Ok(numbers(low, high)?.into_iter().map(Value::Int).collect())
            }
            Type::Bool => Ok(vec![Value::Bool(false), Value::Bool(true)]),
            Type::Enum(id) => {
                let count = self.setting.system.enums[id].values.len();
                let all = (0..count).filter_map(|n| u16::try_from(n).ok());
                Ok(all.map(Value::Enum).collect())
            }
            Type::Entity(sort) | Type::Optional(sort) => {
                let none = matches!(ty, Type::Optional(_)).then_some(Value::None);
                let members = self.data.members(sort).map(EntityId::from_index);
                Ok(none.into_iter().chain(members.map(Value::Entity)).collect())
            }
        }
    }

    fn begin_distribution(&mut self, id: StmtId, op: &Op) -> Result<Flow, Stop> {
        let OpKind::Distribute {
            amount,
            binder,
            into,
            by,
            each,
        } = &op.kind
        else {
            unreachable!("not a distribution");
        };
        let site = Site::Stmt(id);
        let left = self.scope(site).value(amount)?;
        if left < 0 {
            return Err(gap(GapCause::NegativeAmount, site, amount.span));
        }
        let elements = self.scope(site).elements(binder)?;
        let into = self.shares(&elements, (binder, into, each.as_ref()), site)?;
        if left == 0 {
            return Ok(Flow::Go);
        }
        let rest = self.room(&into, site);
        if rest.first().is_none_or(|&(_, rest)| rest < left) {
            return Err(gap(GapCause::NothingToChoose, site, op.span));
        }
        let who = self.who(by, site)?;
        let before = self.before(&op.kind);
        self.push(Frame::Distribute {
            stmt: id,
            left,
            elements,
            into,
            who,
            before,
        });
        Ok(Flow::Go)
    }

    /// The place of each element, and what it may hold at most; without a cap, more than can be asked for.
    fn shares(
        &mut self,
        elements: &[u16],
        (binder, into, each): (&Binder, &Place, Option<&Expr>),
        site: Site,
    ) -> Result<Vec<(Spot, i64)>, Stop> {
        let mut shares = Vec::with_capacity(elements.len());
        let mut lacking = Lacking::default();
        for &element in elements {
            let mut scope = self.scope(site);
            let share = scope.with(binder.local, element, |scope| {
                let cap = each.map_or(Ok(i64::MAX), |each| scope.value(each))?;
                Ok((scope.spot(into)?, cap))
            });
            shares.extend(lacking.value(share));
        }
        lacking.told()?;
        Ok(shares)
    }

    /// How many units each place can still take, and how many it and those after it can; a place that
    /// several elements share has room once.
    fn room(&mut self, into: &[(Spot, i64)], site: Site) -> Vec<(i64, i64)> {
        let scope = self.scope(site);
        let room_of = |(spot, cap): (Spot, i64)| match cap {
            i64::MAX => i64::MAX,
            cap => cap.saturating_sub(scope.held(spot)).max(0),
        };
        let own: Vec<i64> = into.iter().map(|&one| room_of(one)).collect();
        let mut room = vec![(0, 0); into.len()];
        // The most that is known of each place, and their sum.
        let mut most: SmallVec<[(Spot, i64); 8]> = SmallVec::new();
        for at in (0..into.len()).rev() {
            match most.iter_mut().find(|(spot, _)| *spot == into[at].0) {
                Some((_, known)) => *known = own[at].max(*known),
                None => most.push((into[at].0, own[at])),
            }
            let sum = most
                .iter()
                .fold(0, |sum: i64, one| sum.saturating_add(one.1));
            room[at] = (own[at], sum);
        }
        room
    }

    /// The innermost frame distributes: place the next unit, or end.
    pub(super) fn distribute(&mut self, stmt: StmtId) -> Result<Flow, Stop> {
        let op = &self.setting.system.ops[stmt];
        let OpKind::Distribute { binder, .. } = &op.kind else {
            unreachable!("not a distribution");
        };
        let site = Site::Stmt(stmt);
        let Some(Frame::Distribute {
            left,
            elements,
            into,
            who,
            before,
            ..
        }) = self.frames.last()
        else {
            unreachable!("expected a distribution");
        };
        let before = before.clone();
        let (left, elements, into, who) = (*left, elements.clone(), into.clone(), *who);
        if left == 0 {
            self.pop();
            if let Some(before) = before {
                self.raise(stmt, &before)?;
            }
            return Ok(Flow::On);
        }
        let room = self.room(&into, site);
        let mut offers = Vec::new();
        let mut lacking = Lacking::default();
        for (at, &element) in elements.iter().enumerate() {
            // Units go to elements in canonical order, so what follows must have room for the rest.
            if room[at].0 > 0 && room[at].1 >= left {
                let (spot, _) = into[at];
                let n = self.scope(site).held(spot).checked_add(1);
                let offer = n.ok_or_else(super::eval::overflow);
                let offer = offer.map(|n| (i64::from(element), at, spot, n));
                offers.extend(lacking.value(offer));
            }
        }
        lacking.told()?;
        if offers.is_empty() {
            return Err(gap(GapCause::NothingToChoose, site, op.span));
        }
        let keys = offers.iter().map(|offer| element_key(offer.0, binder.ty));
        let keys = keys.collect();
        let asked = self.asked(ChoiceKind::Distribution, who, site);
        Ok(self.branch(asked, keys, Take::Unit(offers)))
    }

    fn place_unit(&mut self, offers: &[(i64, usize, Spot, i64)], chosen: i64) {
        let Some(&(_, at, spot, n)) = offers.iter().find(|offer| offer.0 == chosen) else {
            return;
        };
        if let Some(Frame::Distribute {
            left,
            elements,
            into,
            ..
        }) = self.frames.last_mut()
        {
            *left -= 1;
            elements.drain(..at);
            into.drain(..at);
        }
        self.push(Frame::Write {
            by: None,
            writes: smallvec![(spot, n)],
        });
    }

    /// The innermost frame shuffles: settle the next place, or end.
    pub(super) fn shuffle(&mut self, stmt: StmtId, zone: u16, placed: usize) -> Flow {
        let layout = self.setting.layout;
        let contents = self.data.zones[usize::from(zone)].clone();
        if placed + 1 >= contents.len() {
            self.pop();
            return Flow::On;
        }
        let family = layout.zones[usize::from(zone)].0;
        let sort = self.setting.system.zones[family].sort;
        let asked = self.asked(ChoiceKind::Chance, Who::Chance, Site::Stmt(stmt));
        let rest = &contents[placed..];
        self.branch_elements(asked, rest, Type::Entity(sort), Take::Shuffle(zone))
    }

    fn settle_place(&mut self, zone: u16, chosen: u16) {
        let Some(Frame::Shuffle { placed, .. }) = self.frames.last_mut() else {
            return;
        };
        let to = *placed as usize;
        *placed += 1;
        self.touch(ENTITIES);
        let contents = &mut self.data.zones[usize::from(zone)];
        if let Some(at) = contents.iter().position(|&one| one == chosen) {
            contents.remove(at);
            contents.insert(to, chosen);
        }
    }

    /// Performs a procedure by its contract: any values of what it changes that it ensures.
    pub(super) fn by_contract(&mut self, sequence: SequenceId, args: &[i64]) -> Result<Flow, Stop> {
        let procedure = &self.setting.system.procedures[sequence];
        let site = Site::Sequence(sequence);
        let base = self.locals.len();
        self.locals.extend_from_slice(args);
        self.locals.resize(base + procedure.locals as usize, NONE);
        let kept = self.kept(procedure, base, site);
        self.locals.truncate(base);
        let kept = kept?;
        if kept.is_empty() {
            return Ok(Flow::Done(Tag::Stuck(sequence)));
        }
        let asked = self.asked(ChoiceKind::Gap, Who::Nobody, site);
        Ok(self.branch(asked, kept, Take::Write(None)))
    }

    fn kept(&mut self, procedure: &Procedure, base: usize, site: Site) -> Result<Vec<Key>, Stop> {
        let spots = self.changes(&procedure.changes, base, site)?;
        let mut choices: Vec<Vec<(Spot, Value)>> = vec![Vec::new()];
        for (spot, values) in spots {
            if choices.len() * values.len() > MOST_VALUES {
                return Err(Stop::Tag(Tag::Limit(Limit::Values)));
            }
            let longer = choices.into_iter().flat_map(|done| {
                values.iter().map(move |one| {
                    let mut more = done.clone();
                    more.push((spot, *one));
                    more
                })
            });
            choices = longer.collect();
        }
        let mut kept = Vec::new();
        let mut lacking = Lacking::default();
        for writes in choices {
            if lacking.value(self.ensured(procedure, &writes, base, site)) == Some(true) {
                kept.push(Key::Values(writes));
            }
        }
        lacking.told()?;
        Ok(kept)
    }

    fn ensured(
        &mut self,
        procedure: &Procedure,
        writes: &[(Spot, Value)],
        base: usize,
        site: Site,
    ) -> Result<bool, Stop> {
        let mut data: Cells = self.data.clone();
        let writes: SmallVec<[(Spot, i64); 8]> = writes
            .iter()
            .map(|(spot, of)| (*spot, number(*of)))
            .collect();
        if self.writer().write(&mut data, &writes).is_err() {
            return Ok(false);
        }
        let old = std::mem::replace(&mut self.data, data);
        let mut held = Ok(true);
        for condition in &procedure.ensures {
            let mut scope = self.scope_at(base, site);
            scope.old = Some(&old);
            held = match scope.truth(condition) {
                // What has no value does not hold.
                Err(Stop::Tag(Tag::Gap(_))) => Ok(false),
                held => held,
            };
            if !matches!(held, Ok(true)) {
                break;
            }
        }
        self.data = old;
        held
    }

    fn changes(
        &mut self,
        changes: &[Change],
        base: usize,
        site: Site,
    ) -> Result<Vec<(Spot, Vec<Value>)>, Stop> {
        let mut spots = Vec::new();
        for Change { target, within } in changes {
            let found: Vec<(Spot, Type)> = match target {
                Ok((place, ty)) => vec![(self.scope_at(base, site).spot(place)?, *ty)],
                Err(field) => {
                    let declared = &self.setting.system.fields[*field];
                    let members = self.data.members(declared.sort).map(EntityId::from_index);
                    members
                        .map(|id| (Spot::Field(id, *field), declared.domain.ty))
                        .collect()
                }
            };
            let mut scope = self.scope_at(base, site);
            let within = match within {
                Some((low, high)) => Some((scope.value(low)?, scope.value(high)?)),
                None => None,
            };
            for (spot, ty) in found {
                spots.push((spot, self.values_of(spot, ty, within)?));
            }
        }
        Ok(spots)
    }
}

/// The element of a key.
fn element(of: Value) -> u16 {
    u16::try_from(number(of)).unwrap_or(u16::MAX)
}

fn numbers(low: i64, high: i64) -> Result<Vec<i64>, Stop> {
    let count = i128::from(high) - i128::from(low) + 1;
    if count > MOST_VALUES as i128 {
        return Err(Stop::Tag(Tag::Limit(Limit::Values)));
    }
    Ok((low..=high).collect())
}
