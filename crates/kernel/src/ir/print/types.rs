//! What type an expression has, as far as printing its constants by name needs it.

use super::Printer;
use crate::ir::{Domain, Expr, ExprKind, Fold, Function, NONE, Place};
use endstep_language::index::Id;
use endstep_language::typing::program::{Bounds, Type};

impl Printer<'_> {
    /// The name of a type.
    pub(super) fn type_name(&self, ty: Type) -> String {
        match ty {
            Type::Int => "integer".to_owned(),
            Type::Bool => "boolean".to_owned(),
            Type::Enum(id) => self.system.enums[id].name.clone(),
            Type::Entity(sort) => self.system.sorts[sort].name.clone(),
            Type::Optional(sort) => format!("optional {}", self.system.sorts[sort].name),
        }
    }

    /// What a place may hold: `integer -2 to 4, reach -10 to 12`.
    pub(super) fn domain_of(&self, domain: &Domain) -> String {
        let Bounds {
            document,
            explore,
            reach,
        } = domain.bounds;
        let mut text = match domain.supply {
            true => "supply".to_owned(),
            false => self.type_name(domain.ty),
        };
        if let Some((low, high)) = document {
            text.push_str(&format!(" {low} to {high}"));
        }
        for (what, bounds) in [("explore", explore), ("reach", reach)] {
            if let Some((low, high)) = bounds {
                text.push_str(&format!(", {what} {low} to {high}"));
            }
        }
        text
    }

    /// A constant of a type.
    pub(super) fn constant(&self, n: i64, ty: Option<Type>) -> String {
        let name = match ty {
            _ if n == NONE => Some("none".to_owned()),
            Some(Type::Bool) => Some((n != 0).to_string()),
            Some(Type::Enum(id)) => {
                let at = usize::try_from(n).ok();
                at.and_then(|at| self.system.enums[id].values.get(at).cloned())
            }
            _ => None,
        };
        name.unwrap_or_else(|| n.to_string())
    }

    /// The type of a place.
    pub(super) fn type_of_place(&self, place: &Place) -> Option<Type> {
        Some(match place {
            Place::Var(var, _) => self.system.vars[*var].domain.ty,
            Place::Field(_, field, _) => self.system.fields[*field].domain.ty,
        })
    }

    /// The type of an expression.
    pub(super) fn type_of(&self, e: &Expr) -> Option<Type> {
        let sort = |of: &Expr| match self.type_of(of)? {
            Type::Entity(sort) | Type::Optional(sort) => Some(sort),
            _ => None,
        };
        match &e.kind {
            ExprKind::Const(_) => None,
            ExprKind::Local(local) => *self.types.get(local.index())?,
            ExprKind::Var(var) => Some(self.system.vars[*var].domain.ty),
            ExprKind::Field(_, field) => Some(self.system.fields[*field].domain.ty),
            ExprKind::Unwrap(of) => Some(Type::Entity(sort(of)?)),
            ExprKind::Call(id, _) | ExprKind::Continuous(id, _) => {
                Some(self.system.functions[*id].ty)
            }
            ExprKind::Not(_)
            | ExprKind::Solutions(..)
            | ExprKind::Compare(..)
            | ExprKind::IsRemoved(_)
            | ExprKind::IsIn(..)
            | ExprKind::Beside(..)
            | ExprKind::ReadingIs(..)
            | ExprKind::Fold(Fold::Every | Fold::Some, ..) => Some(Type::Bool),
            ExprKind::Negate(_)
            | ExprKind::Compute(..)
            | ExprKind::Clamp(..)
            | ExprKind::Half(..)
            | ExprKind::Size(_)
            | ExprKind::Pending(_)
            | ExprKind::Fold(..) => Some(Type::Int),
            ExprKind::If(_, a, b) => self.type_of(a).or_else(|| self.type_of(b)),
            ExprKind::Per(_, all) => all.iter().find_map(|one| self.type_of(one)),
            ExprKind::EndOf(_, zone) => Some(Type::Entity(self.system.zones[zone.zone].sort)),
            ExprKind::Endmost(_, binder) => match binder.ty {
                Type::Entity(sort) | Type::Optional(sort) => Some(Type::Optional(sort)),
                Type::Int | Type::Bool | Type::Enum(_) => None,
            },
            ExprKind::Turn {
                from, such_that, ..
            } => {
                let sort = sort(from)?;
                Some(match such_that {
                    Some(_) => Type::Optional(sort),
                    None => Type::Entity(sort),
                })
            }
            ExprKind::Neighbour(_, of) => Some(Type::Optional(sort(of)?)),
            ExprKind::Holder(of) => {
                // Families over several sorts are told apart by the checker of types.
                let lies = sort(of)?;
                let zones = self.system.zones.values();
                let mut owners = zones.iter().filter(|zone| zone.sort == lies);
                owners.find_map(|zone| zone.per).map(Type::Optional)
            }
            ExprKind::Old(of) => self.type_of(of),
        }
    }

    /// The types of the locals of a function.
    pub(super) fn types_in(function: &Function) -> Vec<Option<Type>> {
        let mut types = vec![None; function.locals as usize];
        for (slot, ty) in types.iter_mut().zip(&function.params) {
            *slot = Some(*ty);
        }
        let mut todo = vec![&function.body];
        while let Some(e) = todo.pop() {
            if let ExprKind::Fold(_, binder, _) = &e.kind
                && let Some(slot) = types.get_mut(binder.local.index())
            {
                *slot = Some(binder.ty);
            }
            todo.extend(e.children());
        }
        types
    }
}
