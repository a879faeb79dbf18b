//! Fields, variables, zones, queues and readings, with their bounds and defaults.
//!
//! `health: integer, explore 0 to 3` becomes `FieldId(0)` of type integer with the default 0.

use super::checker::Checker;
use super::declare::Count;
use super::program::{
    Alternative, Bounds, Field, Queue, Reading, ReadingOrigin, SortId, Type, Value, Var, VarKind,
    Zone,
};
use super::words::count;
use crate::diag::{Diagnostic, codes};
use crate::resolve::{Entry, Table};
use crate::syntax::ast::{self, EntityDecl, ItemKind, Name, RoleDecl, VarDecl, ZoneOption};
use std::mem::discriminant;

/// Most zones. What lies in each is tried together with what lies in all others.
const MOST_ZONES: usize = 512;

impl Checker<'_> {
    /// Fields, variables, zones and queues.
    pub(super) fn declare_state(&mut self) {
        let outline = self.outline;
        let mut sorts = Count::default();
        for entry in &outline.items {
            match entry.kind {
                ItemKind::Entity(item) => {
                    let sort = sorts.next();
                    self.declare_fields(sort, item);
                }
                ItemKind::Var(item) => self.declare_var(item),
                ItemKind::Role(item) => self.declare_role(item),
                ItemKind::Queue(item) => self.declare_queue(item),
                ItemKind::Reading(item) => self.declare_reading(item, entry),
                _ => {}
            }
        }
        for entry in &outline.items {
            if let ItemKind::Zone(item) = entry.kind {
                self.declare_zone(item, entry);
            }
        }
    }

    fn declare_fields(&mut self, sort: SortId, item: &EntityDecl) {
        let mut names = Table::new("field");
        for field in &item.fields {
            let declared = names.declare(&field.name, ());
            self.found(declared);
            let ty = self.type_of(&field.ty, &field.name);
            let starts = field.starts.as_ref();
            let (bounds, listed) = self.bounds(&field.ty, &field.name, starts.is_some());
            let (bounds, default, starts) =
                self.initial(ty, bounds, field.default.as_ref(), starts);
            let id = self.program.fields.next_id();
            let fields = &mut self.program.sorts[sort].fields;
            let index = u32::try_from(fields.len()).unwrap_or(u32::MAX);
            fields.push(id);
            self.field_types.push(ty);
            self.program.fields.push(Field {
                sort,
                index,
                name: field.name.text.clone(),
                ty: ty.unwrap_or(Type::Int),
                bounds,
                listed,
                default,
                starts,
                span: field.name.loc.span(),
            });
        }
    }

    fn declare_var(&mut self, item: &VarDecl) {
        let ty = self.type_of(&item.ty, &item.name);
        let starts = item.starts.as_ref();
        let (bounds, listed) = self.bounds(&item.ty, &item.name, starts.is_some());
        if item.supply && ty.is_some_and(|ty| ty != Type::Int) {
            let found = ty.map_or_else(String::new, |ty| self.describe(ty));
            let message = format!(
                "the supply `{}` is {found}, expected an integer",
                item.name.text
            );
            self.error(
                codes::types::MISMATCH,
                message,
                item.name.loc,
                "a supply is a number",
            );
        }
        let (mut bounds, default, starts) = self.initial(ty, bounds, item.default.as_ref(), starts);
        if item.supply {
            self.supply_bounds(bounds, &item.name);
            bounds.reach = bounds.reach.map(|(low, high)| (low.max(0), high));
        }
        self.var_types.push(ty);
        self.program.vars.push(Var {
            name: item.name.text.clone(),
            kind: if item.supply {
                VarKind::Supply
            } else {
                VarKind::Var
            },
            ty: ty.unwrap_or(Type::Int),
            bounds,
            listed,
            default,
            starts,
            span: item.name.loc.span(),
        });
    }

    fn declare_role(&mut self, item: &RoleDecl) {
        let ty = self.sort(&item.sort).map(Type::Optional);
        let (bounds, default, starts) =
            self.initial(ty, Bounds::default(), None, item.starts.as_ref());
        self.var_types.push(ty);
        self.program.vars.push(Var {
            name: item.name.text.clone(),
            kind: VarKind::Role,
            ty: ty.unwrap_or(Type::Int),
            bounds,
            listed: Vec::new(),
            default,
            starts,
            span: item.name.loc.span(),
        });
    }

    fn declare_queue(&mut self, item: &ast::Queue) {
        const CAPACITY: i64 = 8;
        let capacity = self.size(&item.name, item.capacity.unwrap_or(CAPACITY));
        self.program.queues.push(Queue {
            name: item.name.text.clone(),
            discipline: item.discipline,
            capacity,
            span: item.name.loc.span(),
        });
    }

    /// A reading; what its alternatives cite is filled in with the clauses.
    fn declare_reading(&mut self, item: &ast::Reading, entry: &Entry<'_>) {
        let mut names = Table::new("alternative");
        for alternative in &item.alternatives {
            let declared = names.declare(&alternative.name, ());
            self.found(declared);
        }
        let places = item.alternatives.iter().map(|one| one.name.loc.span());
        self.alternative_places
            .insert(self.program.readings.next_id(), places.collect());
        if item.alternatives.len() < 2 {
            let found = count(item.alternatives.len(), "alternative");
            let message = format!(
                "found {found} of `{}`, expected at least two",
                item.name.text
            );
            self.error(
                codes::forms::TOO_FEW,
                message,
                item.name.loc,
                "declared here",
            );
        }
        let alternatives = item.alternatives.iter().map(|alternative| Alternative {
            name: alternative.name.text.clone(),
            text: alternative.text.line(),
            cites: Vec::new(),
        });
        let alternatives = alternatives.collect();
        self.program.readings.push(Reading {
            name: item.name.text.clone(),
            alternatives,
            origin: ReadingOrigin::Declared,
            clause: Self::clause_idx(entry.clause),
            span: item.name.loc.span(),
        });
    }

    fn declare_zone(&mut self, item: &ast::Zone, entry: &Entry<'_>) {
        let sort = self.sort(&item.sort);
        let per = item.per.as_ref().and_then(|per| self.owners(item, per));
        let mut zone = Zone {
            name: item.name.text.clone(),
            sort: sort.unwrap_or(SortId(0)),
            per,
            starts_empty: false,
            capacity: None,
            explore: None,
            unordered: false,
            span: entry.loc.span(),
        };
        for (at, option) in item.options.iter().enumerate() {
            let is_same = |one: &ZoneOption| discriminant(one) == discriminant(option);
            if item.options[..at].iter().any(is_same) {
                let words = match option {
                    ZoneOption::StartsEmpty => "starts empty",
                    ZoneOption::HoldsAtMost(_) => "holds at most …",
                    ZoneOption::ExploreAtMost(_) => "explore at most …",
                    ZoneOption::Unordered => "unordered",
                };
                self.given_twice(&format!("option `{words}` of"), &item.name);
            }
            match option {
                ZoneOption::StartsEmpty => zone.starts_empty = true,
                ZoneOption::HoldsAtMost(most) => zone.capacity = Some(self.size(&item.name, *most)),
                ZoneOption::ExploreAtMost(most) => {
                    zone.explore = Some(self.size(&item.name, *most))
                }
                ZoneOption::Unordered => zone.unordered = true,
            }
        }
        self.program.zones.push(zone);
        self.few_enough((self.program.zones.len(), MOST_ZONES), "zones", &item.name);
    }

    /// Complains, once, of more sorts or zones than can be looked at in a time that anybody waits.
    pub(super) fn few_enough(&mut self, (number, most): (usize, usize), what: &str, name: &Name) {
        if number == most + 1 {
            let message = format!("found {number} {what} up to here, expected at most {most}");
            let error = Diagnostic::error(codes::forms::DEEP_USE, message);
            self.report(error.at(name.loc, format!("too many {what}")));
        }
    }

    fn owners(&mut self, item: &ast::Zone, per: &Name) -> Option<SortId> {
        let id = self.sort(per)?;
        let sort = self.program.sorts.get(id)?;
        if sort.headroom > 0 {
            let (zone, name) = (&item.name.text, &per.text);
            let message =
                format!("found `{zone}` per `{name}`, which has headroom, expected a sort without");
            let error = Diagnostic::error(codes::forms::FAMILY_HEADROOM, message)
                .at(per.loc, "more of these can appear in a run")
                .also(sort.span, "declared with headroom");
            self.report(error);
        }
        Some(id)
    }

    /// The bounds, default and start of a place. A start that is given is all that is
    /// explored, and the default if there is no other.
    fn initial(
        &mut self,
        ty: Option<Type>,
        bounds: Bounds,
        default: Option<&ast::Expr>,
        starts: Option<&ast::Expr>,
    ) -> (Bounds, Value, Option<Value>) {
        let starts = starts.and_then(|starts| self.initial_value(ty, bounds, starts));
        let bounds = match starts {
            Some(Value::Int(value)) if bounds.explore.is_none() => bounds.exploring((value, value)),
            _ => bounds,
        };
        let default = default.and_then(|default| self.initial_value(ty, bounds, default));
        let fallback = ty.map_or(Value::None, |ty| fallback(ty, bounds));
        (bounds, default.or(starts).unwrap_or(fallback), starts)
    }

    fn initial_value(
        &mut self,
        ty: Option<Type>,
        bounds: Bounds,
        expr: &ast::Expr,
    ) -> Option<Value> {
        let value = ty.and_then(|ty| self.literal(expr, ty));
        let value = self.needed(value)?;
        self.within(value, bounds, expr.loc).then_some(value)
    }
}

/// The default where none is declared. An entity has none, and `Value::None` stands in for it.
fn fallback(ty: Type, bounds: Bounds) -> Value {
    match ty {
        Type::Int => {
            let (low, high) = bounds.explore.or(bounds.document).unwrap_or((0, 0));
            Value::Int(if low <= 0 && 0 <= high { 0 } else { low })
        }
        Type::Bool => Value::Bool(false),
        Type::Enum(_) => Value::Enum(0),
        Type::Entity(_) | Type::Optional(_) => Value::None,
    }
}
