//! Gives every declaration its id and type before any body is looked at.
//!
//! `entity Card, explore up to 3` with `health: integer, explore 0 to 3` becomes `SortId(0)` and
//! `FieldId(0)` of type integer. Ids are positions in the text, so the names are numbered in a first
//! pass and the arenas filled, in the same order, in later ones.

use super::checker::{Checker, Global};
use super::program::{
    Alternative, BoardId, Bounds, DocumentId, Enum, EnumId, Field, Queue, Reading, ReadingOrigin,
    Sort, SortId, Type, Value, Var, VarKind, Zone,
};
use super::words::count;
use crate::diag::{Diagnostic, codes};
use crate::index::Id;
use crate::resolve::{Entry, Table, declared_twice};
use crate::syntax::ast::{
    self, EntityDecl, ItemKind, Name, RoleDecl, SizeBound, TypeDecl, VarDecl, ZoneOption,
};

/// Numbers of one kind.
#[derive(Default)]
struct Count(usize);

impl Count {
    fn next<I: Id>(&mut self) -> I {
        let id = I::from_index(self.0);
        self.0 += 1;
        id
    }
}

/// The numbers given so far.
#[derive(Default)]
struct Counts {
    enums: Count,
    sorts: Count,
    vars: Count,
    zones: Count,
    defines: Count,
    queues: Count,
    readings: Count,
    events: Count,
    triggers: Count,
    sequences: Count,
    observers: Count,
    boards: Count,
}

impl<'a> Checker<'a> {
    /// Numbers all names and refuses second declarations.
    pub(super) fn declare_names(&mut self) {
        self.declare_documents();
        let mut counts = Counts::default();
        let mut claims = Table::new("claim");
        let mut legals = Table::new("`legal` condition");
        let mut examples = Table::new("board or example");
        for entry in &self.outline.items {
            let result = match entry.kind {
                ItemKind::Legal(item) => legals.declare(&item.name, ()),
                ItemKind::Claim(item) => claims.declare(&item.name, ()),
                ItemKind::Example(item) => examples.declare(&item.name, ()),
                ItemKind::Board(item) => {
                    let id: BoardId = counts.boards.next();
                    let names = &mut self.names.boards;
                    examples
                        .declare(&item.name, ())
                        .and_then(|()| names.declare(&item.name, id))
                }
                kind => self.declare_name(kind, &mut counts),
            };
            self.found(result);
        }
    }

    fn declare_documents(&mut self) {
        let outline = self.outline;
        let mut games = outline.games.iter();
        if let Some(first) = games.next() {
            self.program.game.clone_from(&first.text);
            for again in games {
                let (span, first) = (again.loc.span(), first.loc.span());
                self.report(declared_twice("game", &again.text, span, first));
            }
        }
        for (number, document) in outline.documents.iter().enumerate() {
            let result = self
                .names
                .documents
                .declare(&document.name, DocumentId::from_index(number));
            self.found(result);
        }
    }

    fn declare_name(
        &mut self,
        kind: &ItemKind,
        counts: &mut Counts,
    ) -> Result<(), Box<Diagnostic>> {
        let names = &mut self.names;
        let (name, global) = match kind {
            ItemKind::Type(item) => (&item.name, Global::Enum(counts.enums.next())),
            ItemKind::Entity(item) => (&item.name, Global::Sort(counts.sorts.next())),
            ItemKind::Var(item) => (&item.name, Global::Var(counts.vars.next())),
            ItemKind::Role(item) => (&item.name, Global::Var(counts.vars.next())),
            ItemKind::Zone(item) => (&item.name, Global::Zone(counts.zones.next())),
            ItemKind::Define(item) => (&item.name, Global::Define(counts.defines.next())),
            ItemKind::Queue(item) => (&item.name, Global::Queue(counts.queues.next())),
            ItemKind::Reading(item) => (&item.name, Global::Reading(counts.readings.next())),
            ItemKind::Event(item) => return names.events.declare(&item.name, counts.events.next()),
            ItemKind::Trigger(item) => {
                return names.triggers.declare(&item.name, counts.triggers.next());
            }
            ItemKind::Sequence(item) => {
                return names.sequences.declare(&item.name, counts.sequences.next());
            }
            ItemKind::Observer(item) => {
                return names.observers.declare(&item.name, counts.observers.next());
            }
            _ => return Ok(()),
        };
        names.globals.declare(name, global)
    }

    /// Enumerations and sorts, without fields.
    pub(super) fn declare_types(&mut self) {
        let outline = self.outline;
        for entry in &outline.items {
            if let ItemKind::Type(item) = entry.kind {
                self.declare_enum(item);
            }
        }
        for entry in &outline.items {
            if let ItemKind::Entity(item) = entry.kind {
                self.declare_sort(item, entry);
            }
        }
    }

    fn declare_enum(&mut self, item: &TypeDecl) {
        self.enumeration(&item.name, &item.values);
    }

    /// A new enumeration with these values.
    pub(super) fn enumeration(&mut self, name: &Name, values: &[Name]) -> EnumId {
        let id = self.program.enums.next_id();
        let mut own = Table::new("value");
        for (number, value) in values.iter().enumerate() {
            let position = u16::try_from(number).unwrap_or(u16::MAX);
            let declared = own.declare(value, ());
            self.found(declared);
            let all = self.names.values.entry(value.text.clone()).or_default();
            all.push((id, position));
        }
        if values.is_empty() || values.len() > usize::from(u16::MAX) {
            let message = format!(
                "found {} values of `{}`, expected 1 to 65535",
                values.len(),
                name.text
            );
            self.error(codes::forms::TOO_FEW, message, name.loc, "declared here");
        }
        self.program.enums.push(Enum {
            name: name.text.clone(),
            values: values.iter().map(|value| value.text.clone()).collect(),
        })
    }

    fn declare_sort(&mut self, item: &EntityDecl, entry: &Entry<'_>) {
        let id = self.program.sorts.next_id();
        if item.player {
            self.declare_players(id, &item.name);
        }
        let document = item
            .document
            .map(|(low, high)| self.sizes(&item.name, low, high));
        let explore = match (&item.explore, document) {
            (Some(bound), _) => self.explored_sizes(item, bound),
            (None, Some(document)) => document,
            (None, None) => {
                let message = format!("nothing says how many `{}` are explored", item.name.text);
                let error = Diagnostic::error(codes::forms::NO_BOUND, message)
                    .at(item.name.loc, "expected a number")
                    .help(format!("write `{}, explore up to 3`", item.name.text));
                self.report(error);
                (0, 0)
            }
        };
        let headroom = self.size(&item.name, item.headroom.unwrap_or(0));
        if item.player && headroom > 0 {
            let message = "found headroom for players, expected none".to_owned();
            self.error(
                codes::forms::PLAYERS_FIXED,
                message,
                item.name.loc,
                "these are the players",
            );
        }
        self.program.sorts.push(Sort {
            name: item.name.text.clone(),
            player: item.player,
            document,
            explore,
            headroom,
            fields: Vec::new(),
            span: entry.loc.span(),
        });
    }

    fn declare_players(&mut self, id: SortId, name: &Name) {
        let Some(first) = self.players else {
            self.players = Some(id);
            return;
        };
        let message = format!(
            "`{}` is a second sort of players, expected one sort",
            name.text
        );
        let mut error =
            Diagnostic::error(codes::forms::TWO_PLAYERS, message).at(name.loc, "second");
        if let Some(sort) = self.program.sorts.get(first) {
            error = error.also(sort.span, "first");
        }
        self.report(error.help("declare it with `entity`"));
    }

    fn explored_sizes(&mut self, item: &EntityDecl, bound: &SizeBound) -> (u32, u32) {
        let low = match (bound.low, bound.up_to) {
            (Some(low), _) => low,
            (None, true) => i64::from(item.player),
            (None, false) => bound.high,
        };
        self.sizes(&item.name, low, bound.high)
    }

    fn sizes(&mut self, name: &Name, low: i64, high: i64) -> (u32, u32) {
        if low > high {
            let message = format!("found {low} to {high}, expected the smaller number first");
            self.error(
                codes::forms::BAD_RANGE,
                message,
                name.loc,
                "how many there are",
            );
        }
        (self.size(name, low), self.size(name, high))
    }

    /// A number of entities.
    pub(super) fn size(&mut self, name: &Name, number: i64) -> u32 {
        const MOST: u32 = 10_000;
        match u32::try_from(number) {
            Ok(size) if size <= MOST => size,
            _ => {
                let message = format!("found {number}, expected a number from 0 to {MOST}");
                self.error(
                    codes::forms::BAD_RANGE,
                    message,
                    name.loc,
                    "how many there are",
                );
                0
            }
        }
    }

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
            let bounds = self.bounds(&field.ty, &field.name, starts.is_some());
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
                default,
                starts,
                span: field.name.loc.span(),
            });
        }
    }

    fn declare_var(&mut self, item: &VarDecl) {
        let ty = self.type_of(&item.ty, &item.name);
        let starts = item.starts.as_ref();
        let bounds = self.bounds(&item.ty, &item.name, starts.is_some());
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
            text: alternative.text.text.clone(),
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
        for option in &item.options {
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
