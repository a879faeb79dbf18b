//! Expressions about order: the next player, neighbours in a zone, whose zone something lies in.

use super::checker::Checker;
use super::program::{Expr, ExprKind, Range, SortId, Type};
use super::want::typed;
use crate::diag::{Diagnostic, codes};
use crate::syntax::ast::{self, Loc, Name, Side};

impl Checker<'_> {
    /// The player sort; reports if there is none.
    pub(super) fn player_sort(&mut self, loc: Loc) -> Option<SortId> {
        if self.players.is_none() {
            let message = "this speaks of players, expected a `player` declaration".to_owned();
            let error = Diagnostic::error(codes::types::NO_PLAYERS, message)
                .at(loc, "there are no players")
                .help("add a line such as `player Player, explore 2`");
            self.report(error);
        }
        self.players
    }

    /// A player.
    pub(super) fn player(&mut self, expr: &ast::Expr) -> Option<Expr> {
        let sort = self.player_sort(expr.loc)?;
        self.expect(expr, Type::Entity(sort))
    }

    /// `next after p`, `next q after p where e`
    pub(super) fn turn(
        &mut self,
        forward: bool,
        from: &ast::Expr,
        such_that: &Option<(Name, Box<ast::Expr>)>,
        loc: Loc,
    ) -> Option<Expr> {
        let sort = self.player_sort(loc)?;
        let from = self.expect(from, Type::Entity(sort)).map(Box::new);
        let Some((name, condition)) = such_that else {
            let kind = ExprKind::Turn {
                forward,
                from: from?,
                such_that: None,
            };
            return typed(kind, Type::Entity(sort), loc);
        };
        let bound = self.frame.bound();
        let local = self.bind(name, Some(Type::Entity(sort)));
        let condition = self.truth(condition);
        self.frame.unbind(bound);
        let kind = ExprKind::Turn {
            forward,
            from: from?,
            such_that: Some((local, condition?)),
        };
        typed(kind, Type::Optional(sort), loc)
    }

    /// `first c in z where e`
    pub(super) fn endmost(&mut self, first: bool, binder: &ast::Binder, loc: Loc) -> Option<Expr> {
        let bound = self.frame.bound();
        let checked = self.binder(binder);
        self.frame.unbind(bound);
        let checked = checked?;
        let Range::Zone(zone) = &checked.range else {
            let message = "found a sort or type, expected a zone, as in `first c in row where …`";
            let label = "what lies first of these?";
            self.error(codes::forms::NO_ORDER, message.to_owned(), loc, label);
            return None;
        };
        let family = self.program.zones.get(zone.zone)?.per.is_some();
        if family && zone.of.is_none() {
            let declared = self.program.zones.get(zone.zone)?;
            let whose = declared.per.map_or("", |per| self.sort_name(per));
            let message = format!(
                "found the zones `{}` of every `{whose}`, expected one of them",
                declared.name
            );
            let at = zone.span.into();
            self.error(codes::types::ZONE_ARGUMENT, message, at, "in whose zone?");
            return None;
        }
        self.has_ends(zone)?;
        let Type::Entity(sort) = checked.ty else {
            return None;
        };
        let kind = ExprKind::Endmost(first, Box::new(checked));
        typed(kind, Type::Optional(sort), loc)
    }

    /// `c is before d`
    pub(super) fn is_beside(
        &mut self,
        side: Side,
        subject: &ast::Expr,
        other: &ast::Expr,
        loc: Loc,
    ) -> Option<Expr> {
        let subject = self.entity(subject);
        let other = self.entity(other);
        let ((subject, sort), (other, second)) = subject.zip(other)?;
        if sort != second {
            let (found, expected) = (Type::Entity(second), Type::Entity(sort));
            let (found, expected) = (self.describe(found), self.describe(expected));
            return self.mismatch(other.span.into(), &found, &expected);
        }
        self.has_ordered_zone(sort, loc, "these lie in no order")?;
        let kind = ExprKind::Beside(side, Box::new(subject), Box::new(other));
        typed(kind, Type::Bool, loc)
    }

    /// Reports a sort without an ordered zone.
    fn has_ordered_zone(&mut self, sort: SortId, loc: Loc, label: &str) -> Option<()> {
        let zones = self.program.zones.values();
        let mut zones = zones.iter().filter(|zone| zone.sort == sort);
        if zones.any(|zone| !zone.unordered) {
            return Some(());
        }
        let name = self.sort_name(sort);
        let message = format!("found a `{name}`, expected a sort with an ordered zone");
        self.error(codes::forms::NO_ORDER, message, loc, label);
        None
    }

    /// `neighbour before c`
    pub(super) fn neighbour(&mut self, side: Side, inner: &ast::Expr, loc: Loc) -> Option<Expr> {
        let (inner, sort) = self.entity(inner)?;
        self.has_ordered_zone(sort, loc, "this has no neighbours")?;
        typed(
            ExprKind::Neighbour(side, Box::new(inner)),
            Type::Optional(sort),
            loc,
        )
    }

    /// `holder of c`
    pub(super) fn holder(&mut self, inner: &ast::Expr, loc: Loc) -> Option<Expr> {
        let (inner, sort) = self.entity(inner)?;
        let zones = self.program.zones.values().iter();
        let mut owners: Vec<SortId> = zones
            .filter(|zone| zone.sort == sort)
            .filter_map(|zone| zone.per)
            .collect();
        owners.sort_unstable();
        owners.dedup();
        match owners.as_slice() {
            [owner] => typed(
                ExprKind::Holder(Box::new(inner)),
                Type::Optional(*owner),
                loc,
            ),
            others => {
                let found = match others.len() {
                    0 => "no zones that belong to anybody".to_owned(),
                    many => format!("zones that belong to {many} different sorts"),
                };
                let name = self.sort_name(sort);
                let message = format!("`{name}` has {found}, expected zones per one sort");
                self.error(codes::types::ZONE_ARGUMENT, message, loc, "who holds it?");
                None
            }
        }
    }
}
