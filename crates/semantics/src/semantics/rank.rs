//! Orders by rank: which elements come first by what they are.
//!
//! ```text
//! largest c.speed first, then in an order chosen by p     cat 3, dog 5, fox 5, owl 1
//!                                                          rank of dog and fox 0, of cat 1, of owl 2
//! ```
//!
//! Ranks are given when the elements are determined; those of one rank are put in order by what comes after `then`.

use std::collections::BTreeMap;

use super::machine::Machine;
use super::state::{Rank, Site};
use super::stop::{Lacking, Stop};
use endstep_language::typing::program::{EntityId, Order, Rank as By, Ranked, Value};

/// Elements with their ranks, first rank first.
pub(super) type Tiers = Vec<(Value, Rank)>;

impl Machine<'_> {
    /// An order under the readings of the run, as far as they decide which one it is.
    pub(super) fn meant<'o>(&mut self, order: &'o Order, site: Site) -> Result<&'o Order, Stop> {
        let mut meant = order;
        while let Order::Per(reading, alternatives) = meant {
            let at = self.eval(site, |scope| scope.reading(*reading))?;
            meant = &alternatives[at];
        }
        Ok(meant)
    }

    /// Sorts elements by rank, those of one rank as the order inside has them, but `late` ones after the others as they
    /// come; no ranks where all are of one.
    pub(super) fn ranked(
        &mut self,
        (order, lying, site): (&Order, bool, Site),
        elements: Vec<Value>,
        late: &[Value],
    ) -> Result<(Vec<Value>, Vec<Rank>), Stop> {
        if !order.goes_by_ranks() {
            return Ok((elements, Vec::new()));
        }
        let tiers = self.tiers((order, lying, site), (elements, late), None)?;
        let (elements, mut ranks) = tiers.into_iter().unzip();
        lower(&mut ranks);
        Ok((elements, ranks))
    }

    fn tiers(
        &mut self,
        (order, lying, site): (&Order, bool, Site),
        (elements, late): (Vec<Value>, &[Value]),
        player: Option<EntityId>,
    ) -> Result<Tiers, Stop> {
        let single = |one: Value| (one, Rank { number: 0, player });
        if elements.len() < 2 {
            return Ok(elements.into_iter().map(single).collect());
        }
        let meant = self.meant(order, site)?;
        let Order::Ranked(ranked) = meant else {
            let (after, own): (Vec<Value>, Vec<Value>) =
                elements.into_iter().partition(|one| late.contains(one));
            let own = self.arrange(meant, lying, own, site)?;
            return Ok(own.into_iter().chain(after).map(single).collect());
        };
        let mut groups: BTreeMap<i64, (Option<EntityId>, Vec<Value>)> = BTreeMap::new();
        for one in self.keys(ranked, elements, site)? {
            let group = groups.entry(one.at);
            let group = group.or_insert((one.player.or(player), Vec::new()));
            group.1.push(one.element);
        }
        let mut tiers = Tiers::new();
        for (whose, group) in groups.into_values() {
            let before = tiers
                .last()
                .map_or(0, |(_, rank): &(Value, Rank)| rank.number + 1);
            let inner = self.tiers((&ranked.then, lying, site), (group, late), whose)?;
            tiers.extend(inner.into_iter().map(|(element, rank)| {
                let number = before + rank.number;
                (element, Rank { number, ..rank })
            }));
        }
        Ok(tiers)
    }

    /// Each element with a number, the smaller the sooner, and the player whose turn that is.
    fn keys(
        &mut self,
        ranked: &Ranked,
        elements: Vec<Value>,
        site: Site,
    ) -> Result<Vec<Keyed>, Stop> {
        let mut lacking = Lacking::default();
        let mut found = Vec::with_capacity(elements.len());
        for element in elements {
            let key = self.eval(site, |scope| {
                scope.with(ranked.element, element, |scope| scope.value(&ranked.key))
            });
            found.extend(lacking.value(key).map(|key| (element, key)));
        }
        lacking.told()?;
        let turns = match &ranked.by {
            By::Turn { reversed, from } => {
                let distance = self.seat_of(from.as_ref(), site)?;
                let players = self.eval(site, |scope| Ok(scope.players()))?;
                Some((distance, players, *reversed))
            }
            By::Smallest | By::Largest => None,
        };
        let keyed = found.into_iter().map(|(element, key)| {
            let (at, player) = match (&turns, key) {
                (Some((distance, players, reversed)), Value::Entity(id)) => {
                    let seat = players.iter().position(|&one| one == id);
                    let at = distance(seat.unwrap_or(players.len()), *reversed);
                    (i64::try_from(at).unwrap_or(i64::MAX), Some(id))
                }
                (_, Value::Int(n)) => (n, None),
                (_, Value::Bool(holds)) => (i64::from(holds), None),
                (_, other) => unreachable!("nothing to compare: {other:?}"),
            };
            // The complement turns the order of all numbers round.
            let at = if ranked.by == By::Largest { !at } else { at };
            Keyed {
                element,
                at,
                player,
            }
        });
        Ok(keyed.collect())
    }
}

/// What gives an element its rank.
struct Keyed {
    element: Value,
    /// The smaller the sooner.
    at: i64,
    /// Whose turn that is.
    player: Option<EntityId>,
}

/// Numbers ranks from 0; none if there is nothing to tell apart.
pub(super) fn lower(ranks: &mut Vec<Rank>) {
    let least = ranks.iter().map(|rank| rank.number).min().unwrap_or(0);
    ranks.iter_mut().for_each(|rank| rank.number -= least);
    let nothing = |rank: &Rank| rank.number == 0 && rank.player.is_none();
    if ranks.len() < 2 || ranks.iter().all(nothing) {
        ranks.clear();
    }
}

/// The elements of the first rank, and whose turn that is.
pub(super) fn foremost(elements: &mut Vec<Value>, ranks: &[Rank]) -> Option<EntityId> {
    let first = ranks.first()?;
    let of_it = ranks.iter().take_while(|rank| rank.number == first.number);
    elements.truncate(of_it.count());
    first.player
}
