//! Orders by what elements are: `largest c.speed first, then in any order`.
//!
//! ```text
//! in player order of c.owner from active, then in an order of their own
//!    those of one player are of one rank ─┘        └─ each orders what is theirs
//! ```

use super::activation::Local;
use super::checker::Checker;
use super::program::{Binder, Expr, Order, Rank, Ranked, Type};
use crate::diag::{Diagnostic, codes};
use crate::syntax::ast::{self, Loc, Name};

impl Checker<'_> {
    /// An order by rank, of the elements of a binder or of what listens.
    pub(super) fn ranked(
        &mut self,
        ranked: &ast::Ranked,
        binder: Option<&Binder>,
        loc: Loc,
    ) -> Option<Order> {
        let Some(element) = self.frame.element.clone() else {
            return self.has_no_elements(loc);
        };
        let ty = element.ty?;
        let (key, by) = self.rank(&ranked.by, (&element, binder), loc)?;
        let outer = self.frame.turns;
        self.frame.turns |= matches!(by, Rank::Turn { .. });
        let then = self.order(ranked.then.as_ref(), binder, loc);
        self.frame.turns = outer;
        Some(Order::Ranked(Box::new(Ranked {
            element: element.id,
            ty,
            key,
            by,
            then: then?,
        })))
    }

    fn rank(
        &mut self,
        rank: &ast::Rank,
        (element, binder): (&Local, Option<&Binder>),
        loc: Loc,
    ) -> Option<(Expr, Rank)> {
        let bound = self.frame.bound();
        match rank {
            ast::Rank::Smallest(e) | ast::Rank::Largest(e) => {
                self.frame.locals.push(element.clone());
                let key = self.int(e);
                self.frame.unbind(bound);
                let by = match rank {
                    ast::Rank::Smallest(_) => Rank::Smallest,
                    _ => Rank::Largest,
                };
                Some((*key?, by))
            }
            ast::Rank::Where(e) => {
                self.frame.locals.push(element.clone());
                let key = self.truth(e);
                self.frame.unbind(bound);
                Some((*key?, Rank::Largest))
            }
            ast::Rank::Players { reversed, of, from } => {
                let of = match of {
                    Some(of) => of.clone(),
                    None => self.owner_of(element, binder, loc)?,
                };
                self.frame.locals.push(element.clone());
                let key = self.player(&of);
                self.frame.unbind(bound);
                let from = match from {
                    Some(from) => Some(self.player(from)?),
                    None => None,
                };
                let reversed = *reversed;
                Some((key?, Rank::Turn { reversed, from }))
            }
        }
    }

    /// Whose an element is if nothing is said: a player is their own, a card that of the player in whose zone it
    /// lies.
    fn owner_of(
        &mut self,
        element: &Local,
        binder: Option<&Binder>,
        loc: Loc,
    ) -> Option<ast::Expr> {
        let players = self.player_sort(loc)?;
        let name = Name {
            text: element.name.clone(),
            loc,
        };
        let itself = ast::Expr {
            kind: ast::ExprKind::Name(name),
            loc,
        };
        if element.ty == Some(Type::Entity(players)) {
            return Some(itself);
        }
        if let Some(binder) = binder {
            self.of_players(binder, players, loc)?;
        }
        Some(ast::Expr {
            kind: ast::ExprKind::Holder(Box::new(itself)),
            loc,
        })
    }

    /// What an order by rank needs: a name for the element.
    fn has_no_elements(&mut self, loc: Loc) -> Option<Order> {
        let message =
            "found an order by rank, expected it in a `for each`, or of listeners with a name"
                .to_owned();
        let error = Diagnostic::error(codes::forms::NO_ORDER, message)
            .at(loc, "nothing here can be compared")
            .help(
                "name the listeners, as in `listeners c: Card largest c.speed first`; \
                 for places, perform the sequence from a `for each`",
            );
        self.report(error);
        None
    }

    /// `in an order of their own`: stands within an order by players.
    pub(super) fn own(&mut self, loc: Loc) -> Option<Order> {
        if self.frame.turns {
            return Some(Order::Own);
        }
        let message =
            "found `in an order of their own`, expected it after `in player order …, then`"
                .to_owned();
        let error = Diagnostic::error(codes::forms::NO_ORDER, message)
            .at(loc, "whose own?")
            .help(
                "write `in player order of c.owner, then in an order of their own`, \
                 or say who decides: `in an order chosen by p`",
            );
        self.report(error);
        None
    }
}
