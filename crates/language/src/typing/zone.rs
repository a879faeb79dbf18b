//! Zones where a zone is wanted: one zone, or all of a family.
//!
//! With `zone hand of Card per Player`, `hand(p)` is one zone and `hand` all of them, which can be
//! counted, tested and iterated over.

use super::checker::{Checker, Global, Wanted};
use super::compare::bare_name;
use super::program::{Type, ZoneId, ZoneRef};
use super::want::Want;
use super::words::count;
use crate::diag::{Diagnostic, codes};
use crate::syntax::ast::{self, ExprKind, Name};

impl Checker<'_> {
    /// A zone; `family`: or all zones of a family.
    pub(super) fn zone(&mut self, expr: &ast::Expr, family: bool) -> Option<ZoneRef> {
        let mut expr = expr;
        while let ExprKind::Paren(inner) = &expr.kind {
            expr = inner;
        }
        self.wordbook.expr(expr);
        match &expr.kind {
            ExprKind::Name(name) => {
                let zone = self.zone_named(name)?;
                let per = self.program.zones.get(zone)?.per;
                if per.is_some() && !family {
                    return self.whose(name, zone);
                }
                Some(ZoneRef {
                    zone,
                    of: None,
                    span: expr.loc.span(),
                })
            }
            ExprKind::Call(name, arguments) => self.zone_of(name, arguments, expr),
            ExprKind::Error => self.needed(None),
            ExprKind::Old(inner) if self.names_zone(inner) => {
                let message = "found `old` of a zone, expected a zone".to_owned();
                let error = Diagnostic::error(codes::types::MISMATCH, message)
                    .at(expr.loc, "`old` is said of values")
                    .help("put `old` before the value: `old (size of z)`, `old (z is empty)`");
                self.report(error);
                None
            }
            _ => {
                let found = self.expr(expr, Want::Any)?;
                let found = self.describe(found.ty);
                self.mismatch(expr.loc, &found, "a zone")
            }
        }
    }

    fn zone_named(&mut self, name: &Name) -> Option<ZoneId> {
        if let Some(local) = self.frame.local(&name.text) {
            let found = self.describe(local.ty?);
            return self.mismatch(name.loc, &found, "a zone");
        }
        match self.global(name, Wanted::Zone)? {
            Global::Zone(zone) => Some(zone),
            other => self.wrong_kind(name, other.kind(), "a zone"),
        }
    }

    fn zone_of(
        &mut self,
        name: &Name,
        arguments: &[ast::Expr],
        whole: &ast::Expr,
    ) -> Option<ZoneRef> {
        let zone = self.zone_named(name);
        let per = zone.and_then(|zone| self.program.zones.get(zone)?.per);
        let (Some(zone), Some(per), [argument]) = (zone, per, arguments) else {
            for argument in arguments {
                self.expr(argument, Want::Unknown);
            }
            if zone.is_some() {
                let expected = if per.is_some() { "one" } else { "none" };
                let (text, found) = (&name.text, count(arguments.len(), "argument"));
                let message = format!("found {found} of the zone `{text}`, expected {expected}");
                let mut error =
                    Diagnostic::error(codes::types::ZONE_ARGUMENT, message).at(name.loc, "");
                error = match self.declared_at(text) {
                    Some(place) => error.also(place, "declared here"),
                    None => error,
                };
                self.report(error);
            }
            return None;
        };
        let of = self.expect(argument, Type::Entity(per))?;
        Some(ZoneRef {
            zone,
            of: Some(Box::new(of)),
            span: whole.loc.span(),
        })
    }

    fn whose<T>(&mut self, name: &Name, zone: ZoneId) -> Option<T> {
        let declared = self.program.zones.get(zone)?;
        let text = &name.text;
        let owner = declared
            .per
            .map_or("?", |per| self.sort_name(per))
            .to_owned();
        let message = format!("found the zones `{text}` of every `{owner}`, expected one of them");
        let error = Diagnostic::error(codes::types::ZONE_ARGUMENT, message)
            .at(name.loc, "whose?")
            .also(declared.span, "declared here")
            .help(format!("write `{text}(p)`, where `p` is a `{owner}`"));
        self.report(error);
        None
    }

    /// Reports if a zone has no first and last place.
    pub(super) fn has_ends(&mut self, zone: &ZoneRef) -> Option<()> {
        let declared = self.program.zones.get(zone.zone)?;
        if !declared.unordered {
            return Some(());
        }
        let message = format!(
            "found the unordered zone `{}`, expected one with an order",
            declared.name
        );
        let error = Diagnostic::error(codes::forms::NO_ORDER, message)
            .at(zone.span, "has no first and last place")
            .also(declared.span, "declared `unordered`");
        self.report(error);
        None
    }

    /// Whether an expression names a zone, a family or one zone of it.
    fn names_zone(&self, expr: &ast::Expr) -> bool {
        let mut expr = expr;
        while let ExprKind::Paren(inner) = &expr.kind {
            expr = inner;
        }
        match &expr.kind {
            ExprKind::Name(name) | ExprKind::Call(name, _) => {
                let known = self.names.globals.get(&name.text);
                self.frame.local(&name.text).is_none() && matches!(known, Some(Global::Zone(_)))
            }
            _ => false,
        }
    }

    /// The zone or family that an expression names, without reporting anything.
    pub(super) fn zone_silently(&mut self, expr: &ast::Expr) -> Option<ZoneId> {
        let name = bare_name(expr)?;
        match self.names.globals.get(&name.text) {
            Some(Global::Zone(zone)) => {
                self.meant(name);
                Some(zone)
            }
            _ => None,
        }
    }
}
