//! Bound names with what they range over: `c: Card in hand(p) where c.ready`.

use super::checker::{Checker, Global, Wanted};
use super::program::{Binder, Range, Type};
use crate::diag::{Diagnostic, codes};
use crate::syntax::ast::{self, Name};

impl Checker<'_> {
    /// A binder. Its name is bound even if there is an error, until the caller unbinds it.
    pub(super) fn binder(&mut self, binder: &ast::Binder) -> Option<Binder> {
        let range = self.binder_range(binder);
        let ty = range.as_ref().map(|(_, ty)| *ty);
        let local = self.bind(&binder.name, ty);
        let filter = binder.filter.as_ref().map(|filter| self.truth(filter));
        let (range, ty) = range?;
        let filter = match filter {
            Some(filter) => Some(filter?),
            None => None,
        };
        Some(Binder {
            local,
            name: binder.name.text.clone(),
            ty,
            range,
            filter,
        })
    }

    fn binder_range(&mut self, binder: &ast::Binder) -> Option<(Range, Type)> {
        let sort = binder.sort.as_ref().map(|sort| (sort, self.iterable(sort)));
        let Some(zone) = &binder.zone else {
            let Some((_, range)) = sort else {
                return self.ranges_over_nothing(&binder.name);
            };
            return range;
        };
        let zone = self.zone(zone, true)?;
        let lies = self.program.zones.get(zone.zone)?.sort;
        let span = zone.span;
        if let Some((name, range)) = sort {
            let (_, found) = range?;
            if found != Type::Entity(lies) {
                let (found, expected) = (self.describe(found), self.describe(Type::Entity(lies)));
                let message = format!("found {found}, expected {expected}, as lie in the zone");
                let error = Diagnostic::error(codes::types::MISMATCH, message)
                    .at(name.loc, "of another sort than the zone");
                self.report(error.also(span, "the zone"));
                return None;
            }
        }
        Some((Range::Zone(zone), Type::Entity(lies)))
    }

    fn ranges_over_nothing<T>(&mut self, name: &Name) -> Option<T> {
        let message = format!(
            "nothing says what `{}` ranges over, expected a sort or zone",
            name.text
        );
        let error = Diagnostic::error(codes::types::NOT_ITERABLE, message)
            .at(name.loc, "over what?")
            .help(format!(
                "write `{}: Card` or `{} in hand`",
                name.text, name.text
            ));
        self.report(error);
        None
    }

    fn iterable(&mut self, name: &Name) -> Option<(Range, Type)> {
        if name.text == "boolean" {
            return Some((Range::Bool, Type::Bool));
        }
        match self.global(name, Wanted::SortOrType)? {
            Global::Sort(sort) => Some((Range::Sort(sort), Type::Entity(sort))),
            Global::Enum(id) => Some((Range::Enum(id), Type::Enum(id))),
            other => {
                let message = format!(
                    "found `{}`, {}, expected a sort or type",
                    name.text,
                    other.kind()
                );
                let mut error = Diagnostic::error(codes::types::NOT_ITERABLE, message)
                    .at(name.loc, format!("this is {}", other.kind()));
                if let Global::Zone(_) = other {
                    error = error.help(format!("write `in {}`", name.text));
                }
                self.report(error);
                None
            }
        }
    }
}
