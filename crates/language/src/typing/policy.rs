//! Deciders, orders and domains, and how a restart cancels.

use super::checker::Checker;
use super::compare::in_places;
use super::program::{
    Binder, Cancel, Decider, Declared, DomainPolicy, Expr, Order, Range, Rank, ReadingId, SortId,
    Type, Unfinished, Whom, ZoneRef,
};
use crate::diag::{Diagnostic, codes};
use crate::source::Span;
use crate::syntax::ast::{self, Loc, OutcomeWord, Per};

impl Checker<'_> {
    /// Who decides.
    pub(super) fn decider(&mut self, decider: &ast::Decider) -> Option<Decider> {
        Some(match decider {
            ast::Decider::Player(player) => Decider::Player(self.player(player)?),
            ast::Decider::Everyone => Decider::Everyone,
            ast::Decider::Chance => Decider::Chance,
            ast::Decider::Nobody => Decider::Nobody,
        })
    }

    /// A reading with one part for each alternative.
    fn parts<S, T>(
        &mut self,
        per: &Per<S>,
        loc: Loc,
        mut part: impl FnMut(&mut Self, &S) -> Option<T>,
    ) -> Option<(ReadingId, Vec<T>)> {
        if !self.enter(loc) {
            return None;
        }
        let reading = self.reading(&per.reading);
        let places =
            reading.and_then(|reading| self.alternatives(&per.reading, reading, &per.alternatives));
        let each = per.alternatives.iter().map(|(_, one)| part(self, one));
        let parts: Vec<Option<T>> = each.collect();
        self.exit();
        let parts: Option<Vec<T>> = parts.into_iter().collect();
        Some((reading?, in_places(parts?, &places?)))
    }

    /// In which order the elements of a binder are taken.
    pub(super) fn order(
        &mut self,
        order: Option<&ast::Order>,
        binder: Option<&Binder>,
        loc: Loc,
    ) -> Option<Order> {
        Some(match order {
            None | Some(ast::Order::Any) => Order::Any,
            Some(ast::Order::Zone { reversed, from }) => {
                let from = self.zone_order(from.as_ref(), binder, loc)?;
                Order::Zone {
                    reversed: *reversed,
                    from,
                }
            }
            Some(ast::Order::Players { reversed, from }) => {
                self.player_order(binder, loc)?;
                let from = match from {
                    Some(from) => Some(self.player(from)?),
                    None => None,
                };
                Order::Players {
                    reversed: *reversed,
                    from,
                }
            }
            Some(ast::Order::Chosen(decider)) => Order::Chosen(self.decider(decider)?),
            Some(ast::Order::Own) => self.own(loc)?,
            Some(ast::Order::Ranked(ranked)) => self.ranked(ranked, binder, loc)?,
            Some(ast::Order::Per(per)) => {
                let part = |this: &mut Self, one: &ast::Order| this.order(Some(one), binder, loc);
                let (reading, parts) = self.parts(per, per.reading.loc, part)?;
                Order::Per(reading, parts)
            }
        })
    }

    /// `left to right [from p]`: `from` needs a family of zones that belong to players.
    fn zone_order(
        &mut self,
        from: Option<&ast::Expr>,
        binder: Option<&Binder>,
        loc: Loc,
    ) -> Option<Option<Expr>> {
        let from_player = from.map(|from| self.player(from));
        if let Some(binder) = binder {
            self.lies_in_order(binder, loc)?;
        }
        let Some(from_player) = from_player else {
            return Some(None);
        };
        let from_player = from_player?;
        let Some(binder) = binder else {
            return Some(Some(from_player));
        };
        let per = ranged_zone(binder)
            .filter(|zone| zone.of.is_none())
            .and_then(|zone| self.program.zones.get(zone.zone)?.per);
        if per.is_some() && per == self.players {
            return Some(Some(from_player));
        }
        let message = "found `from`, expected to range over the zones of all players".to_owned();
        let error = Diagnostic::error(codes::forms::NO_ORDER, message)
            .at(
                from.map_or(loc, |from| from.loc),
                "there is no zone of this player",
            )
            .help("range over a family declared `per` the player sort, such as `c in board`");
        self.report(error);
        None
    }

    /// `left to right`: what lies in a zone that has an order, or belongs to a sort without zones.
    fn lies_in_order(&mut self, binder: &Binder, loc: Loc) -> Option<()> {
        if self.program.lies_in_order(binder) {
            return Some(());
        }
        if let Some(zone) = ranged_zone(binder) {
            return self.has_ends(zone);
        }
        let Type::Entity(sort) = binder.ty else {
            return Some(());
        };
        let zones = self.program.zones.values().iter();
        let zones = zones.filter(|zone| zone.sort == sort);
        let Some(zone) = zones.min_by_key(|zone| zone.unordered) else {
            return self.is_incomplete(sort, loc);
        };
        let (sort, zone) = (self.sort_name(sort), &zone.name);
        let message =
            format!("found every `{sort}`, wherever it lies, expected what lies in one zone");
        let error = Diagnostic::error(codes::forms::NO_ORDER, message)
            .at(loc, "these do not lie beside each other")
            .help(format!(
                "say which zone, such as `{}: {sort} in {zone}`, or take them `in any order`",
                sort.to_lowercase().chars().take(1).collect::<String>()
            ));
        self.report(error);
        None
    }

    /// What is created has no place among what was there before, unless a zone gives it one.
    fn is_incomplete(&mut self, sort: SortId, loc: Loc) -> Option<()> {
        let declared = self.program.sorts.get(sort)?;
        let (span, sort) = (declared.span, self.sort_name(sort));
        let message = format!("found every `{sort}`, of which more can be created, in order");
        let error = Diagnostic::error(codes::forms::NO_ORDER, message)
            .at(loc, "where does a created one come?")
            .also(span, "declared with headroom")
            .help(format!(
                "declare a zone of {sort} and range over it, or take them `in any order`"
            ));
        self.report(error);
        None
    }

    /// `in player order`: of players, or of what lies in ordered zones of players.
    fn player_order(&mut self, binder: Option<&Binder>, loc: Loc) -> Option<()> {
        let players = self.player_sort(loc)?;
        let Some(binder) = binder.filter(|binder| binder.ty != Type::Entity(players)) else {
            return Some(());
        };
        self.of_players(binder, players, loc)?;
        self.has_ends(ranged_zone(binder)?)
    }

    /// What lies in zones of players.
    pub(super) fn of_players(&mut self, binder: &Binder, players: SortId, loc: Loc) -> Option<()> {
        if let Some(zone) = ranged_zone(binder)
            && self.program.zones.get(zone.zone)?.per == Some(players)
        {
            return Some(());
        }
        let found = self.describe(binder.ty);
        let message =
            format!("found {found} in player order, expected players or what lies in their zones");
        let error = Diagnostic::error(codes::forms::NO_ORDER, message)
            .at(loc, "this is nobody's")
            .help(
                "range over a family declared `per` the player sort, such as `c in board`; \
                 or over the players, and within over what is theirs",
            );
        self.report(error);
        None
    }

    /// The listener of a trigger fits the order that its event says.
    pub(super) fn listens_in_order(
        &mut self,
        order: &Order,
        event: Span,
        binder: &Binder,
        loc: Loc,
    ) -> Option<()> {
        match order {
            Order::Any | Order::Chosen(_) | Order::Own => Some(()),
            Order::Zone { .. } => self.lies_in_order(binder, loc),
            Order::Players { .. } => self.player_order(Some(binder), loc),
            Order::Ranked(ranked) if ranked.ty == binder.ty => {
                // Whose they are is not said, but where they lie.
                let players = self.players.filter(|_| ranked.key.span == event);
                if let (Rank::Turn { .. }, Some(players)) = (&ranked.by, players) {
                    let is_player = binder.ty == Type::Entity(players);
                    is_player
                        .then_some(())
                        .or_else(|| self.of_players(binder, players, loc))?;
                }
                self.listens_in_order(&ranked.then, event, binder, loc)
            }
            Order::Ranked(ranked) => {
                let (found, expected) = (self.describe(binder.ty), self.describe(ranked.ty));
                let message = format!("found {found} that listens, expected {expected}");
                let label = "the event puts its listeners in order by what they are";
                self.error(codes::forms::NO_ORDER, message, loc, label);
                None
            }
            Order::Per(_, orders) => orders
                .iter()
                .try_for_each(|one| self.listens_in_order(one, event, binder, loc)),
        }
    }

    /// Which elements an iteration visits.
    pub(super) fn domain(
        &mut self,
        domain: Option<&ast::DomainPolicy>,
        binder: Option<&Binder>,
        order: Option<&Order>,
        loc: Loc,
    ) -> Option<DomainPolicy> {
        Some(match domain {
            None | Some(ast::DomainPolicy::Snapshot) => DomainPolicy::Snapshot,
            Some(ast::DomainPolicy::Rechecked) => DomainPolicy::Rechecked,
            Some(ast::DomainPolicy::Live) => DomainPolicy::Live,
            Some(ast::DomainPolicy::LiveByPosition) => {
                let zone = binder.map(ranged_zone);
                let lies = zone.is_none_or(|zone| zone.is_some());
                if !lies || !order.is_none_or(as_they_lie) {
                    let unordered = zone
                        .flatten()
                        .filter(|one| self.program.zones[one.zone].unordered);
                    let help = match unordered {
                        Some(_) => "declare the zone without `unordered`, or write `live`",
                        None => "write `left to right, live by position` and range over a zone",
                    };
                    let message = "found `live by position`, expected a zone and an order in which things lie";
                    let error = Diagnostic::error(codes::forms::NO_ORDER, message)
                        .at(loc, "there are no positions")
                        .help(help);
                    self.report(error);
                    return None;
                }
                DomainPolicy::LiveByPosition
            }
            Some(ast::DomainPolicy::UntilAllPass) => {
                let players = self.player_sort(loc)?;
                let of_players = binder.is_none_or(|one| one.ty == Type::Entity(players));
                if !of_players || !order.is_none_or(takes_turns) {
                    let message = "found `until all pass`, expected players in player order";
                    let error = Diagnostic::error(codes::forms::NO_ORDER, message)
                        .at(loc, "who comes after whom?")
                        .help("write `for each p: Player, in player order from active, until all pass`");
                    self.report(error);
                    return None;
                }
                DomainPolicy::UntilAllPass
            }
            Some(ast::DomainPolicy::Per(per)) => {
                let part = |this: &mut Self, one: &ast::DomainPolicy| {
                    this.domain(Some(one), binder, order, loc)
                };
                let (reading, parts) = self.parts(per, per.reading.loc, part)?;
                DomainPolicy::Per(reading, parts)
            }
        })
    }

    /// How fine a cancel is.
    pub(super) fn cancel(&mut self, cancel: &ast::Cancel) -> Option<Cancel> {
        Some(match cancel {
            ast::Cancel::AtOnce => Cancel::AtOnce,
            ast::Cancel::EndOfStep => Cancel::EndOfStep,
            ast::Cancel::EndOfPass => Cancel::EndOfPass,
            ast::Cancel::Per(per) => {
                let (reading, parts) = self.parts(per, per.reading.loc, Self::cancel)?;
                Cancel::Per(reading, parts)
            }
        })
    }

    /// What becomes of the part not run.
    pub(super) fn unfinished(&mut self, unfinished: &ast::Unfinished) -> Option<Unfinished> {
        Some(match unfinished {
            ast::Unfinished::Lost => Unfinished::Lost,
            ast::Unfinished::Carried => Unfinished::Carried,
            ast::Unfinished::Per(per) => {
                let (reading, parts) = self.parts(per, per.reading.loc, Self::unfinished)?;
                Unfinished::Per(reading, parts)
            }
        })
    }

    /// An outcome that is declared or expected.
    pub(super) fn declared(
        &mut self,
        word: OutcomeWord,
        whom: Option<&ast::Whom>,
        loc: Loc,
    ) -> Option<Declared> {
        let whom = match whom {
            Some(ast::Whom::Player(player)) => Some(Whom::Player(self.player(player)?)),
            Some(ast::Whom::Everyone) => Some(Whom::Everyone),
            None => None,
        };
        let (found, expected) = match (word, whom) {
            (OutcomeWord::Win, Some(whom)) => return Some(Declared::Win(whom)),
            (OutcomeWord::Loss, Some(whom)) => return Some(Declared::Loss(whom)),
            (OutcomeWord::Draw, None) => return Some(Declared::Draw),
            (OutcomeWord::End, None) => return Some(Declared::End),
            (OutcomeWord::Win, None) => ("a win of nobody", "`win for p` or `win for everyone`"),
            (OutcomeWord::Loss, None) => {
                ("a loss of nobody", "`loss for p` or `loss for everyone`")
            }
            (OutcomeWord::Draw, Some(_)) => ("a draw for somebody", "`draw`"),
            (OutcomeWord::End, Some(_)) => ("an end for somebody", "`end`"),
        };
        let message = format!("found {found}, expected {expected}");
        self.error(codes::forms::OUTCOME, message, loc, "");
        None
    }
}

/// The zone that a binder ranges over.
fn ranged_zone(binder: &Binder) -> Option<&ZoneRef> {
    match &binder.range {
        Range::Zone(zone) => Some(zone),
        _ => None,
    }
}

/// Whether an order is one in which players take turns, under every reading.
fn takes_turns(order: &Order) -> bool {
    match order {
        Order::Players { .. } => true,
        Order::Per(_, orders) => orders.iter().all(takes_turns),
        Order::Any | Order::Zone { .. } | Order::Chosen(_) | Order::Own | Order::Ranked(_) => false,
    }
}

/// Whether an order is one of those in which things lie, under every reading.
fn as_they_lie(order: &Order) -> bool {
    match order {
        Order::Zone { .. } => true,
        Order::Per(_, orders) => orders.iter().all(as_they_lie),
        Order::Any | Order::Players { .. } | Order::Chosen(_) | Order::Own | Order::Ranked(_) => {
            false
        }
    }
}
