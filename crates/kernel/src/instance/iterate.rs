//! Iterations and repeats: which element comes next.

use std::sync::Arc;

use smallvec::SmallVec;

use super::inst::{List, Rank};
use super::layout::small;
use super::machine::{Flow, Machine};
use super::point::Take;
use super::rank::{foremost, lower, turn};
use super::state::Frame;
use crate::ir::{Each, Expr, NONE, OpKind, Order, Until};
use endstep_language::index::Id;
use endstep_language::typing::program::{BlockId, DomainPolicy, StmtId, Type};
use endstep_semantics::semantics::{ChoiceKind, Note, Site, Stop, Tag, Who};

impl<'s> Machine<'s> {
    pub(super) fn each(&self, stmt: StmtId) -> &'s Each {
        match &self.setting.system.ops[stmt].kind {
            OpKind::Each(each) => each,
            other => unreachable!("not an iteration: {other:?}"),
        }
    }

    pub(super) fn domain(&mut self, stmt: StmtId) -> Result<&'s DomainPolicy, Stop> {
        let mut policy = &self.each(stmt).domain;
        while let DomainPolicy::Per(reading, all) = policy {
            policy = &all[self.scope(Site::Stmt(stmt)).reading(*reading)?];
        }
        Ok(policy)
    }

    /// Whether an iteration determines its elements again and again.
    pub(super) fn is_live(&mut self, stmt: StmtId) -> Result<bool, Stop> {
        let policy = self.domain(stmt)?;
        Ok(matches!(
            policy,
            DomainPolicy::Live | DomainPolicy::LiveByPosition | DomainPolicy::UntilAllPass
        ))
    }

    pub(super) fn begin_iteration(&mut self, stmt: StmtId) -> Result<Flow, Stop> {
        let each = self.each(stmt);
        let site = Site::Stmt(stmt);
        let elements = self.scope(site).elements(&each.binder)?;
        let nothing = elements.is_empty();
        let of = (each.binder.lies(), each.binder.ty);
        let mut todo = if nothing || self.is_live(stmt)? {
            List::new()
        } else {
            self.arrange(&each.order, of, elements, site)?
        };
        let mut late = List::new();
        let base = self.stack.last().map_or(0, |top| top.frames);
        for frame in &mut self.frames[base..] {
            let Frame::Pass(pass) = frame else { continue };
            if pass.carried.is_empty() {
                continue;
            }
            let mine = pass.carried.iter().filter(|(of, _)| *of == stmt);
            for &(_, element) in mine {
                let gone = is_entity(each.binder.ty) && self.data.removed[usize::from(element)];
                if !gone && !todo.contains(&element) {
                    late.push(element);
                    todo.push(element);
                }
            }
            Arc::make_mut(pass).carried.retain(|(of, _)| *of != stmt);
        }
        // Whoever takes turns is asked anyway.
        if !todo.is_empty() && self.takes_turns(stmt)? {
            todo.clear();
        }
        if !nothing || !todo.is_empty() {
            let (todo, ranks) = self.ranked((&each.order, of, site), todo, &late)?;
            self.push(Frame::Iterate {
                stmt,
                todo,
                ranks,
                visited: List::new(),
                position: 0,
            });
            self.jump(self.code.back(stmt));
        }
        Ok(Flow::Go)
    }

    fn arranged(&mut self, stmt: StmtId, but: &[u16]) -> Result<List, Stop> {
        let each = self.each(stmt);
        let site = Site::Stmt(stmt);
        let mut elements = self.scope(site).elements(&each.binder)?;
        elements.retain(|element| !but.contains(element));
        self.arrange(
            &each.order,
            (each.binder.lies(), each.binder.ty),
            elements,
            site,
        )
    }

    /// The innermost frame is an iteration: visit the next element, or end it.
    pub(super) fn iterate(&mut self, stmt: StmtId) -> Result<Flow, Stop> {
        let each = self.each(stmt);
        let site = Site::Stmt(stmt);
        let policy = self.domain(stmt)?;
        if matches!(policy, DomainPolicy::UntilAllPass) {
            return self.turn(stmt);
        }
        let (mut candidates, ranks) = self.candidates(stmt, policy)?;
        let local = each.binder.local.index();
        if candidates.is_empty() {
            self.pop();
            self.jump(self.code.after(stmt));
            self.bind(local, NONE);
            return Ok(Flow::On);
        }
        let (first, player) = foremost(&ranks, candidates.len());
        candidates.truncate(first);
        let who = match candidates.len() {
            1 => None,
            _ => self.chooser(&each.order, player, site)?,
        };
        let who = who.or_else(|| self.is_freed(stmt).then_some(Who::Nobody));
        if who.is_none() || *policy == DomainPolicy::LiveByPosition {
            candidates.truncate(1);
        }
        let asked = self.asked(ChoiceKind::Order, who.unwrap_or(Who::Nobody), site);
        let live = matches!(policy, DomainPolicy::Live | DomainPolicy::LiveByPosition);
        let again = *policy == DomainPolicy::Rechecked;
        let take = Take::Visit { stmt, live, again };
        if let [only] = candidates.as_slice() {
            let only = *only;
            self.visit_next(stmt, only, (live, again));
            return Ok(Flow::Go);
        }
        Ok(self.branch_elements(asked, &candidates, each.binder.ty, take))
    }

    /// What an iteration may visit next, in order, with the ranks.
    fn candidates(
        &mut self,
        stmt: StmtId,
        policy: &DomainPolicy,
    ) -> Result<(List, Vec<Rank>), Stop> {
        let each = self.each(stmt);
        let site = Site::Stmt(stmt);
        let Some(Frame::Iterate {
            todo,
            ranks,
            visited,
            position,
            ..
        }) = self.frames.last()
        else {
            unreachable!("expected an iteration");
        };
        let position = *position as usize;
        let (mut left, mut ranks) = (todo.clone(), ranks.clone());
        if is_entity(each.binder.ty) {
            let removed = &self.data.removed;
            let mut there = left.iter().map(|&one| !removed[usize::from(one)]);
            ranks.retain(|_| there.next() == Some(true));
            left.retain(|one| !removed[usize::from(*one)]);
        }
        let candidates = match policy {
            DomainPolicy::Live => {
                let visited = visited.clone();
                let mut all = self.arranged(stmt, &visited)?;
                let late: List = left.into_iter().filter(|one| !all.contains(one)).collect();
                all.extend_from_slice(&late);
                all.retain(|one| !visited.contains(one));
                let of = (each.binder.lies(), each.binder.ty);
                let all = self.ranked((&each.order, of, site), without_repeats(&all), &late)?;
                ranks = all.1;
                all.0
            }
            DomainPolicy::LiveByPosition => {
                let now = self.arranged(stmt, &[])?;
                now.get(position)
                    .or(left.first())
                    .copied()
                    .into_iter()
                    .collect()
            }
            // Of turns see above; what a reading decides is decided.
            DomainPolicy::Snapshot
            | DomainPolicy::Rechecked
            | DomainPolicy::UntilAllPass
            | DomainPolicy::Per(..) => left,
        };
        Ok((candidates, ranks))
    }

    /// Visits an element.
    pub(super) fn visit_next(&mut self, stmt: StmtId, element: u16, (live, again): (bool, bool)) {
        let each = self.each(stmt);
        if let Some(Frame::Iterate {
            todo,
            ranks,
            visited,
            position,
            ..
        }) = self.frames.last_mut()
        {
            if let Some(at) = todo.iter().position(|other| *other == element) {
                todo.remove(at);
                if at < ranks.len() {
                    ranks.remove(at);
                    lower(ranks);
                }
            }
            if live {
                if let Err(at) = visited.binary_search(&element) {
                    visited.insert(at, element);
                }
                *position += 1;
            }
        }
        if live {
            self.notes.push(Note::Cut);
        }
        self.bind(each.binder.local.index(), i64::from(element));
        self.jump(match again {
            true => self.code.recheck(stmt),
            false => self.code.entry(each.body),
        });
    }

    pub(super) fn recheck(&mut self, stmt: StmtId) -> Result<Flow, Stop> {
        let each = self.each(stmt);
        let base = self.stack.last().map_or(0, |top| top.locals);
        let element = self.locals[base + each.binder.local.index()];
        let element = u16::try_from(element).unwrap_or(u16::MAX);
        if self
            .scope(Site::Stmt(stmt))
            .belongs(&each.binder, element)?
        {
            self.enter(each.body);
        } else {
            self.jump(self.code.back(stmt));
        }
        Ok(Flow::On)
    }

    /// Puts elements in the order in which they are taken.
    pub(super) fn arrange(
        &mut self,
        order: &Order,
        (lying, ty): (bool, Type),
        elements: List,
        site: Site,
    ) -> Result<List, Stop> {
        let entity = is_entity(ty);
        let pairs: SmallVec<[(u16, bool); 8]> = elements.iter().map(|&one| (one, entity)).collect();
        Ok(match self.ranks(order, lying, &pairs, site)? {
            None => elements,
            Some(ranks) => ranks.into_iter().map(|at| elements[at]).collect(),
        })
    }

    /// The positions of elements, each with whether it is an entity, in the order in which they are
    /// taken; `None`: as they are.
    pub(super) fn ranks(
        &mut self,
        order: &Order,
        lying: bool,
        elements: &[(u16, bool)],
        site: Site,
    ) -> Result<Option<Vec<usize>>, Stop> {
        let (reversed, from, players) = match order {
            _ if elements.len() < 2 => return Ok(None),
            Order::Any | Order::Chosen(_) | Order::Own | Order::Ranked(_) => return Ok(None),
            Order::Per(reading, all) => {
                let at = self.scope(site).reading(*reading)?;
                return self.ranks(&all[at], lying, elements, site);
            }
            Order::Zone { reversed, from } => (*reversed, from, false),
            Order::Players { reversed, from } => (*reversed, from, true),
        };
        let freed = matches!(site, Site::Stmt(stmt) if self.is_freed(stmt));
        let start = match self.seat_of(from.as_ref(), site) {
            // What is tried in any order needs no beginning.
            Err(Stop::Tag(Tag::Gap(_))) if freed => return Ok(None),
            start => start?,
        };
        let seats = self.scope(site).players();
        let lying = lying || players;
        let mut keyed: Vec<((usize, usize, i64), usize)> = Vec::with_capacity(elements.len());
        for (index, &(element, entity)) in elements.iter().enumerate() {
            let place = match seats
                .iter()
                .position(|&seat| players && entity && seat == element)
            {
                Some(seat) => (seat, 0, 0),
                None => self.lies_at(element, index, (lying, entity), &seats),
            };
            let seat = turn(place.0, start, seats.len(), players && reversed);
            let at = if reversed && !players {
                -place.2
            } else {
                place.2
            };
            keyed.push(((seat, place.1, at), index));
        }
        keyed.sort_by_key(|(place, _)| *place);
        Ok(Some(keyed.into_iter().map(|(_, index)| index).collect()))
    }

    /// Seat, zone and position of an element.
    fn lies_at(
        &self,
        element: u16,
        index: usize,
        (lying, entity): (bool, bool),
        seats: &[u16],
    ) -> (usize, usize, i64) {
        let index = i64::try_from(index).unwrap_or(i64::MAX);
        if !entity {
            return (usize::MAX, 0, index);
        }
        let seat = |one: u16| seats.iter().position(|&other| other == one);
        if !lying {
            return (usize::MAX, 0, index);
        }
        match self.data.place_of(usize::from(element)) {
            None => (usize::MAX, usize::MAX, index),
            Some((zone, at)) => {
                let (family, owner) = self.setting.layout.zones[zone];
                let owner = owner.map_or(usize::MAX, |owner| {
                    seat(small(owner.index())).unwrap_or(seats.len() + owner.index())
                });
                (owner, family.index(), i64::try_from(at).unwrap_or(i64::MAX))
            }
        }
    }

    pub(super) fn seat_of(&mut self, from: Option<&Expr>, site: Site) -> Result<usize, Stop> {
        let first = match from {
            Some(e) => Some(self.scope(site).entity(e)?),
            None => None,
        };
        let players = self.scope(site).players();
        let at = players
            .iter()
            .position(|&one| Some(usize::from(one)) == first);
        Ok(at.unwrap_or(0))
    }

    pub(super) fn begin_repeat(&mut self, stmt: StmtId) -> Result<Flow, Stop> {
        let (until, body) = self.declared_repeat(stmt);
        if let Until::While(e) = until
            && !self.scope(Site::Stmt(stmt)).truth(e)?
        {
            return Ok(Flow::Go);
        }
        self.begin_round((stmt, body), until, true);
        Ok(Flow::Go)
    }

    fn declared_repeat(&self, stmt: StmtId) -> (&'s Until, BlockId) {
        match &self.setting.system.ops[stmt].kind {
            OpKind::Repeat(until, body) => (until, *body),
            other => unreachable!("not a repeat: {other:?}"),
        }
    }

    fn begin_round(&mut self, (stmt, body): (StmtId, BlockId), until: &Until, first: bool) {
        if matches!(until, Until::Stable) {
            if !first {
                self.pop();
            }
            let before = Box::new(self.data.clone());
            self.push(Frame::Repeat { stmt, before });
        }
        self.notes.push(Note::Cut);
        self.enter(body);
    }

    pub(super) fn repeat(&mut self, stmt: StmtId) -> Result<Flow, Stop> {
        let (until, body) = self.declared_repeat(stmt);
        let ends = match until {
            Until::Until(e) => self.scope(Site::Stmt(stmt)).truth(e)?,
            Until::While(e) => !self.scope(Site::Stmt(stmt)).truth(e)?,
            Until::Stable => match self.frames.last() {
                Some(Frame::Repeat { before, .. }) => {
                    **before == self.data
                        || self.has_gone() && self.state().is_as_it_was(&self.data_of(before))
                }
                _ => true,
            },
        };
        if ends {
            if matches!(until, Until::Stable) {
                self.pop();
            }
            self.jump(self.code.after(stmt));
            return Ok(Flow::On);
        }
        self.begin_round((stmt, body), until, false);
        Ok(Flow::Go)
    }
}

/// Whether elements of a type are entities.
pub(super) fn is_entity(ty: Type) -> bool {
    matches!(ty, Type::Entity(_) | Type::Optional(_))
}

fn without_repeats(elements: &[u16]) -> List {
    let mut kept = List::new();
    for element in elements {
        if !kept.contains(element) {
            kept.push(*element);
        }
    }
    kept
}
