//! Orders by rank, and turns that go round until all pass.

use arbitrary::Result;

use super::maker::Maker;
use super::tree::{block, condition, name, named, stmt, tight};
use super::world::Ty;
use endstep_language::syntax::ast::{
    Binder, Decider, DomainPolicy, Name, Order, Rank, Ranked, StmtKind, Trivia,
};

/// What the order of listeners speaks of.
pub(super) struct Listening {
    /// A name for the listener, and its sort.
    pub called: (Name, Name),
    /// The sort.
    pub sort: usize,
}

impl Maker<'_> {
    /// An order of elements, now and then by what they are first.
    pub(super) fn ranked(&mut self, element: &[(String, Ty)], then: Order) -> Result<Order> {
        if element.is_empty() || !self.odds(40)? {
            return Ok(then);
        }
        let players = self.world.players();
        let turns = if players.is_some() { 3 } else { 0 };
        let form = self.pick(&[(2, 0), (2, 1), (2, 2), (turns, 3)])?;
        let by = self.scoped(|maker| {
            maker.locals.extend_from_slice(element);
            Ok(match (form, players) {
                (0, _) => Rank::Smallest(tight(maker.integer_value(1)?)),
                (1, _) => Rank::Largest(tight(maker.integer_value(1)?)),
                (3, Some(players)) => Rank::Players {
                    reversed: maker.odds(96)?,
                    of: Some(tight(maker.entity(players, 1)?)),
                    from: None,
                },
                _ => Rank::Where(condition(maker.truth(1)?)),
            })
        })?;
        let by = match (by, players) {
            (Rank::Players { reversed, of, .. }, Some(players)) if self.odds(128)? => {
                let from = Some(self.entity(players, 1)?);
                Rank::Players { reversed, of, from }
            }
            (by, _) => by,
        };
        let own = matches!(by, Rank::Players { .. }) && self.odds(160)?;
        let then = if own { Order::Own } else { then };
        let then = match self.odds(48)? {
            true => self.ranked(element, then)?,
            false => then,
        };
        let then = (then != Order::Any || self.odds(128)?).then_some(then);
        Ok(Order::Ranked(Box::new(Ranked { by, then })))
    }

    /// The order of listeners, and what they are called in it if it goes by what they are; and the sort of these.
    pub(super) fn listeners(&mut self, plain: Order) -> Result<(Order, Option<Listening>)> {
        let things: Vec<usize> = self.world.things().collect();
        let Some(sort) = self.any_of(&things)? else {
            return Ok((plain, None));
        };
        let (order, called) = self.scoped(|maker| {
            let bound = maker.locals.len();
            let called = maker.bind(Ty::Entity(sort));
            let element = maker.locals.split_off(bound);
            Ok((maker.ranked(&element, plain)?, called))
        })?;
        if !matches!(order, Order::Ranked(_)) {
            return Ok((order, None));
        }
        let of = name(&self.world.sorts[sort].name);
        let called = (name(&called), of);
        Ok((order, Some(Listening { called, sort })))
    }

    /// `for each p: Player, in player order, until all pass`; none without players.
    pub(super) fn turns(&mut self, depth: u8) -> Result<Option<StmtKind>> {
        let Some(players) = self.world.players() else {
            return Ok(None);
        };
        let from = match self.odds(128)? {
            true => Some(self.entity(players, 1)?),
            false => None,
        };
        let reversed = self.odds(96)?;
        self.scoped(|maker| {
            let called = maker.bind(Ty::Entity(players));
            let filter = match maker.odds(56)? {
                true => Some(maker.truth(1)?),
                false => None,
            };
            let binder = Binder {
                name: name(&called),
                sort: Some(name(&maker.world.sorts[players].name)),
                zone: None,
                filter,
            };
            let pass = || stmt(StmtKind::Pass);
            let react = maker.slice(2, |maker| maker.block(depth))?;
            let asked = match maker.odds(64)? {
                true => StmtKind::May {
                    by: Decider::Player(named(&called)),
                    label: None,
                    body: react,
                    otherwise: Some((Trivia::default(), block(vec![pass()]))),
                },
                false => {
                    let arm = (maker.truth(1)?, block(vec![pass()]));
                    StmtKind::If(vec![arm], Some((Trivia::default(), react)))
                }
            };
            let mut stmts = vec![stmt(asked)];
            if maker.odds(40)? {
                stmts.extend(maker.statements(1, 0)?);
            }
            Ok(Some(StmtKind::ForEach {
                binder,
                order: Some(Order::Players { reversed, from }),
                domain: Some(DomainPolicy::UntilAllPass),
                body: block(stmts),
            }))
        })
    }
}
