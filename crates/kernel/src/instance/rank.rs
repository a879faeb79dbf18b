//! Orders by rank: which elements come first by what they are.

use std::collections::BTreeMap;

use super::inst::{List, Rank};
use super::lacking::Lacking;
use super::layout::NOWHERE;
use super::machine::Machine;
use crate::ir::{Order, Rank as By, Ranked};
use endstep_language::index::Id;
use endstep_language::typing::program::{EntityId, Type};
use endstep_semantics::semantics::{Site, Stop, Who};

/// An order, whether its elements are taken as they lie with their type, and where it stands.
type Asked<'s> = (&'s Order, (bool, Type), Site);

impl<'s> Machine<'s> {
    /// An order under the readings of the run, as far as they decide which one it is.
    pub(super) fn meant(&mut self, order: &'s Order, site: Site) -> Result<&'s Order, Stop> {
        let mut meant = order;
        while let Order::Per(reading, all) = meant {
            meant = &all[self.scope(site).reading(*reading)?];
        }
        Ok(meant)
    }

    /// Who chooses among those that come first; `None` if it is fixed.
    pub(super) fn chooser(
        &mut self,
        order: &'s Order,
        player: u16,
        site: Site,
    ) -> Result<Option<Who>, Stop> {
        Ok(match self.meant(order, site)? {
            Order::Any => Some(Who::Nobody),
            Order::Chosen(by) => Some(self.who(by, site)?),
            Order::Own if player == NOWHERE => Some(Who::Nobody),
            Order::Own => Some(Who::Player(EntityId::from_index(usize::from(player)))),
            Order::Ranked(ranked) => return self.chooser(&ranked.then, player, site),
            Order::Zone { .. } | Order::Players { .. } | Order::Per(..) => None,
        })
    }

    /// Sorts elements by rank, those of one rank as the order inside has them, but `late` ones after the others as they
    /// come; no ranks where all are of one.
    pub(super) fn ranked(
        &mut self,
        (order, of, site): Asked<'s>,
        elements: List,
        late: &[u16],
    ) -> Result<(List, Vec<Rank>), Stop> {
        if elements.len() < 2 || !order.goes_by_ranks() {
            return Ok((elements, Vec::new()));
        }
        let mut sorted = Tiers::default();
        self.tiers((order, of, site), (elements, late, NOWHERE), &mut sorted)?;
        lower(&mut sorted.ranks);
        Ok((sorted.elements, sorted.ranks))
    }

    fn tiers(
        &mut self,
        (order, of, site): Asked<'s>,
        (elements, late, player): (List, &[u16], u16),
        sorted: &mut Tiers,
    ) -> Result<(), Stop> {
        if elements.len() < 2 {
            sorted.add(&elements, player);
            return Ok(());
        }
        let meant = self.meant(order, site)?;
        let Order::Ranked(ranked) = meant else {
            let (after, own): (List, List) =
                elements.into_iter().partition(|one| late.contains(one));
            let mut all = self.arrange(meant, of, own, site)?;
            all.extend(after);
            sorted.add(&all, player);
            return Ok(());
        };
        let mut groups: BTreeMap<i64, (u16, List)> = BTreeMap::new();
        for (element, at, whose) in self.keys(ranked, &elements, site)? {
            let whose = if whose == NOWHERE { player } else { whose };
            let group = groups.entry(at).or_insert((whose, List::new()));
            group.1.push(element);
        }
        for (whose, group) in groups.into_values() {
            self.tiers((&ranked.then, of, site), (group, late, whose), sorted)?;
        }
        Ok(())
    }

    /// Each element with a number, the smaller the sooner, and the player whose turn that is.
    fn keys(
        &mut self,
        ranked: &'s Ranked,
        elements: &[u16],
        site: Site,
    ) -> Result<Vec<(u16, i64, u16)>, Stop> {
        let mut lacking = Lacking::default();
        let mut found = Vec::with_capacity(elements.len());
        let mut scope = self.scope(site);
        for &element in elements {
            let key = scope.with(ranked.element, element, |scope| scope.value(&ranked.key));
            found.extend(lacking.value(key).map(|key| (element, key, NOWHERE)));
        }
        lacking.told()?;
        match &ranked.by {
            By::Smallest => {}
            // The complement turns the order of all numbers round.
            By::Largest => found.iter_mut().for_each(|one| one.1 = !one.1),
            By::Turn { reversed, from } => {
                let start = self.seat_of(from.as_ref(), site)?;
                let seats = self.scope(site).players();
                for one in &mut found {
                    one.2 = u16::try_from(one.1).unwrap_or(NOWHERE);
                    let seat = seats.iter().position(|&seat| seat == one.2);
                    let seat = seat.unwrap_or(seats.len());
                    let at = turn(seat, start, seats.len(), *reversed);
                    one.1 = i64::try_from(at).unwrap_or(i64::MAX);
                }
            }
        }
        Ok(found)
    }
}

/// Elements in order, with their ranks.
#[derive(Default)]
struct Tiers {
    elements: List,
    ranks: Vec<Rank>,
}

impl Tiers {
    /// Adds elements of one rank.
    fn add(&mut self, elements: &[u16], player: u16) {
        let number = self.ranks.last().map_or(0, |last| last.number + 1);
        self.elements.extend_from_slice(elements);
        let ranks = elements.iter().map(|_| Rank { number, player });
        self.ranks.extend(ranks);
    }
}

/// Numbers ranks from 0; none if there is nothing to tell apart.
pub(super) fn lower(ranks: &mut Vec<Rank>) {
    let least = ranks.iter().map(|rank| rank.number).min().unwrap_or(0);
    ranks.iter_mut().for_each(|rank| rank.number -= least);
    let nothing = |rank: &Rank| rank.number == 0 && rank.player == NOWHERE;
    if ranks.len() < 2 || ranks.iter().all(nothing) {
        ranks.clear();
    }
}

/// How many elements are of the first rank, and whose turn that is.
pub(super) fn foremost(ranks: &[Rank], elements: usize) -> (usize, u16) {
    let Some(first) = ranks.first() else {
        return (elements, NOWHERE);
    };
    let of_it = ranks.iter().take_while(|rank| rank.number == first.number);
    (of_it.count(), first.player)
}

/// How far a seat is from the one where the order begins.
pub(super) fn turn(seat: usize, start: usize, seats: usize, reversed: bool) -> usize {
    let seats = seats.max(1);
    if seat >= seats {
        seat
    } else if reversed {
        (start + seats - seat) % seats
    } else {
        (seat + seats - start) % seats
    }
}
