//! Boards that are written out.
//!
//! ```text
//! Player ann, bob with god_health = 1
//! Creature phoenix in board(ann) with health = 0
//! active = ann
//! ```
//!
//! Entities are numbered by sort, then as written; whatever is not said has its default, or is as on the board that it
//! is like. The lines of such a board are a layer: each says otherwise what those below it say.

use super::activation::Activation;
use super::checker::{Checker, Global};
use super::program::{Board, BoardEntity, EntityId, ExprKind, SortId, Type, Value, VarId, ZoneId};
use super::words::listed;
use crate::diag::{Diagnostic, codes};
use crate::index::Id;
use crate::resolve::{NameKind, declared_twice, nearest, unknown};
use crate::source::Span;
use crate::syntax::ast::{self, BoardLine, ItemKind, Name, Trivia};
use std::collections::{BTreeMap, BTreeSet};

/// The lines of a board.
pub(super) type Lines<'a> = &'a [(Trivia, BoardLine)];

/// A zone, or that of an entity, with what lies in it.
type Contents = BTreeMap<(ZoneId, Option<EntityId>), Vec<EntityId>>;

impl<'a> Checker<'a> {
    /// All boards with names of their own.
    pub(super) fn boards(&mut self) {
        let outline = self.outline;
        for entry in &outline.items {
            if let ItemKind::Board(item) = entry.kind {
                let mut layers = self.layers(item.like.as_ref());
                layers.push(&item.lines);
                let board = self.board(&item.name, &layers);
                self.program.boards.push(board);
            }
        }
    }

    /// The lines of a board and of those that it is like, the lowest first; what is no board is reported.
    pub(super) fn layers(&mut self, named: Option<&Name>) -> Vec<Lines<'a>> {
        let outline = self.outline;
        let mut found: Vec<(&str, Lines<'a>)> = Vec::new();
        let mut next = named.cloned();
        while let Some(name) = next {
            let known = self.written_board(&name);
            self.needed(known);
            let mut boards = outline.items.iter().filter_map(|entry| match entry.kind {
                ItemKind::Board(item) if item.name.text == name.text => Some(item),
                _ => None,
            });
            let Some(item) = boards.next() else {
                break;
            };
            if found.iter().any(|(known, _)| *known == item.name.text) {
                let message = format!(
                    "found that `{}` is like itself, expected another board",
                    name.text
                );
                self.error(codes::forms::BOARD, message, name.loc, "this goes round");
                break;
            }
            found.push((&item.name.text, &item.lines));
            next = item.like.clone();
        }
        found.into_iter().rev().map(|(_, lines)| lines).collect()
    }

    /// A board as far as it is sound; its entities can be named afterwards.
    pub(super) fn board(&mut self, name: &Name, layers: &[Lines<'_>]) -> Board {
        self.frame = Activation::default();
        let known = self.diagnostics.len();
        let mut entities = self.board_entities(layers);
        let mut contents = Contents::new();
        for (_, line) in layers.iter().copied().flatten() {
            if let BoardLine::Error = line {
                self.failed = true;
            }
            if let BoardLine::Entities {
                sort,
                names,
                zone,
                with,
            } = line
            {
                let sort = self
                    .names
                    .globals
                    .get(&sort.text)
                    .and_then(|global| match global {
                        Global::Sort(sort) => Some(sort),
                        _ => None,
                    });
                let Some(sort) = sort else {
                    continue;
                };
                names.iter().for_each(|name| self.means_bound(name));
                let members = self.members(names);
                let fields = self.board_fields(sort, with);
                for member in &members {
                    if let Some(entity) = entities.get_mut(member.index()) {
                        apply(&mut entity.fields, &fields);
                    }
                }
                if let Some(place) = zone.as_ref().and_then(|zone| self.board_zone(zone, sort)) {
                    for lying in contents.values_mut() {
                        lying.retain(|one| !members.contains(one));
                    }
                    contents.entry(place).or_default().extend(members);
                }
            }
        }
        self.all_fields_given(name, &entities);
        self.all_placed(name, layers, &entities);
        self.numbers_allowed(name, &entities);
        self.places_of_entities(&name.text);
        let board = Board {
            name: name.text.clone(),
            zones: self.board_zones(name, contents, &entities),
            vars: self.board_vars(name, layers),
            entities,
            span: name.loc.span(),
        };
        // What is wrong with a layer was said of the board whose it is.
        let new = self.diagnostics.split_off(known);
        let is_new = |one: &Diagnostic| layers.len() == 1 || !self.diagnostics.contains(one);
        let new: Vec<Diagnostic> = new.into_iter().filter(is_new).collect();
        self.diagnostics.extend(new);
        board
    }

    /// The entities with default fields, numbered; their names are put into the frame.
    fn board_entities(&mut self, layers: &[Lines<'_>]) -> Vec<BoardEntity> {
        let mut all: Vec<(SortId, &Name)> = Vec::new();
        for lines in layers {
            let below = all.clone();
            let is_below = |sort: SortId, name: &Name| {
                let mut below = below.iter();
                below.any(|(of, one)| *of == sort && one.text == name.text)
            };
            let mut own: BTreeSet<&str> = BTreeSet::new();
            for (_, line) in *lines {
                if let BoardLine::Entities { sort, names, .. } = line
                    && let Some(sort) = self.sort(sort)
                {
                    // A layer may say something new of a thing below it; a second line about it in the same layer is an error.
                    let told = names.iter().filter(|name| {
                        let first = own.insert(&name.text);
                        !first || !is_below(sort, name)
                    });
                    all.extend(told.map(|name| (sort, name)));
                }
            }
        }
        all.sort_by_key(|(sort, _)| *sort);
        let mut entities = Vec::new();
        for (number, (sort, name)) in all.into_iter().enumerate() {
            let id = EntityId::from_index(number);
            self.name_entity(name, id, sort);
            entities.push(BoardEntity {
                sort,
                name: name.text.clone(),
                fields: self.default_fields(sort),
            });
        }
        entities
    }

    fn default_fields(&self, sort: SortId) -> Vec<Value> {
        let fields = self
            .program
            .sorts
            .get(sort)
            .map_or(&[][..], |sort| &sort.fields);
        let defaults = fields
            .iter()
            .filter_map(|field| self.program.fields.get(*field));
        defaults.map(|field| field.default).collect()
    }

    fn name_entity(&mut self, name: &Name, id: EntityId, sort: SortId) {
        let span = name.loc.span();
        if let Some((_, _, first)) = self.frame.entities.get(&name.text) {
            let error = declared_twice("entity", &name.text, span, *first);
            self.report(error);
            return;
        }
        let global = self.declared_at(&name.text);
        if global.is_some() || self.names.values.contains_key(&name.text) {
            let message = format!(
                "`{}` already means something, expected another name",
                name.text
            );
            let mut error = Diagnostic::error(codes::names::SHADOWS, message)
                .at(span, "an entity of the board");
            if let Some(place) = global {
                error = error.also(place, "its first meaning");
            }
            self.report(error);
        }
        self.frame
            .entities
            .insert(name.text.clone(), (id, sort, span));
    }

    fn members(&self, names: &[Name]) -> Vec<EntityId> {
        let found = names
            .iter()
            .filter_map(|name| self.frame.entities.get(&name.text));
        found.map(|(id, _, _)| *id).collect()
    }

    /// Positions among the fields of a sort, with values.
    fn board_fields(&mut self, sort: SortId, with: &[(Name, ast::Expr)]) -> Vec<(u32, Value)> {
        let mut given: Vec<(u32, Value)> = Vec::new();
        for (name, value) in with {
            let Some(id) = self.field_of(sort, name) else {
                continue;
            };
            let Some(field) = self.program.fields.get(id).cloned() else {
                continue;
            };
            if given.iter().any(|(other, _)| *other == field.index) {
                self.given_twice("field", name);
            }
            let Some(ty) = self.field_types.get(id).copied().flatten() else {
                continue;
            };
            let literal = self.literal(value, ty);
            if let Some(literal) = self.needed(literal) {
                self.within(literal, field.bounds, value.loc);
                given.push((field.index, literal));
            } else {
                // Not a value, but given: nothing more is said about it.
                given.push((field.index, Value::Bool(false)));
            }
        }
        given
    }

    fn board_zone(&mut self, zone: &ast::Expr, sort: SortId) -> Option<(ZoneId, Option<EntityId>)> {
        let found = self.zone(zone, false);
        let found = self.needed(found)?;
        let lies = self.program.zones.get(found.zone)?.sort;
        if lies != sort {
            let (found, expected) = (Type::Entity(sort), Type::Entity(lies));
            let (found, expected) = (self.describe(found), self.describe(expected));
            return self.mismatch(zone.loc, &found, &expected);
        }
        let Some(of) = found.of else {
            return Some((found.zone, None));
        };
        match of.kind {
            ExprKind::Const(Value::Entity(owner)) => Some((found.zone, Some(owner))),
            _ => {
                let message = "found an expression, expected an entity of the board".to_owned();
                self.error(
                    codes::types::NOT_CONSTANT,
                    message,
                    of.span.into(),
                    "not an entity",
                );
                None
            }
        }
    }

    /// All zones, those of a family by owner.
    fn board_zones(
        &mut self,
        name: &Name,
        mut contents: Contents,
        entities: &[BoardEntity],
    ) -> Vec<(ZoneId, Option<EntityId>, Vec<EntityId>)> {
        let mut zones = Vec::new();
        let mut overfull = Vec::new();
        for (id, zone) in self.program.zones.iter() {
            let owners: Vec<Option<EntityId>> = match zone.per {
                None => vec![None],
                Some(per) => {
                    let owners = entities
                        .iter()
                        .enumerate()
                        .filter(|(_, one)| one.sort == per);
                    owners
                        .map(|(number, _)| Some(EntityId::from_index(number)))
                        .collect()
                }
            };
            for owner in owners {
                let mut held = contents.remove(&(id, owner)).unwrap_or_default();
                if zone.unordered {
                    held.sort_unstable();
                }
                if let Some(most) = zone.capacity.filter(|most| held.len() > *most as usize) {
                    overfull.push((zone.name.clone(), held.len(), most, zone.span));
                }
                zones.push((id, owner, held));
            }
        }
        for (zone, held, most, span) in overfull {
            let message = format!("found {held} in `{zone}`, expected at most {most}");
            let error =
                Diagnostic::error(codes::forms::OUT_OF_BOUNDS, message).at(name.loc, "this board");
            self.report(error.also(span, "declared here"));
        }
        zones
    }

    /// The variables to which lines give values; none where the value is in error.
    fn vars_given(&mut self, lines: Lines<'_>) -> BTreeMap<VarId, Option<Value>> {
        let mut given: BTreeMap<VarId, Option<Value>> = BTreeMap::new();
        for (_, line) in lines {
            let BoardLine::Var(var, value) = line else {
                continue;
            };
            let Some(id) = self.board_var(var) else {
                continue;
            };
            let ty = self.var_types.get(id).copied().flatten();
            let bounds = self
                .program
                .vars
                .get(id)
                .map(|var| var.bounds)
                .unwrap_or_default();
            let literal = ty.and_then(|ty| self.literal(value, ty));
            if let Some(literal) = self.needed(literal) {
                self.within(literal, bounds, value.loc);
            }
            if given.insert(id, literal).is_some() {
                self.given_twice("variable", var);
            }
        }
        given
    }

    fn board_vars(&mut self, name: &Name, layers: &[Lines<'_>]) -> Vec<Value> {
        let mut given: BTreeMap<VarId, Option<Value>> = BTreeMap::new();
        for lines in layers {
            let own = self.vars_given(lines);
            given.extend(own);
        }
        let missing: Vec<String> = self
            .program
            .vars
            .iter()
            .filter(|(id, var)| matches!(var.ty, Type::Entity(_)) && !given.contains_key(id))
            .map(|(_, var)| var.name.clone())
            .collect();
        if !missing.is_empty() {
            let names = listed(&missing);
            let help = format!(
                "add {}",
                missing
                    .iter()
                    .map(|one| format!("`{one} = …`"))
                    .collect::<Vec<_>>()
                    .join(", ")
            );
            self.incomplete(name, &format!("no value for {names}"), &help);
        }
        let vars = self.program.vars.iter();
        vars.map(|(id, var)| given.get(&id).copied().flatten().unwrap_or(var.default))
            .collect()
    }

    fn board_var(&mut self, name: &Name) -> Option<VarId> {
        match self.meant(name) {
            Some(Global::Var(var)) => Some(var),
            Some(other) => self.wrong_kind(name, other.kind(), "a variable"),
            None => {
                let vars = self
                    .program
                    .vars
                    .values()
                    .iter()
                    .map(|var| var.name.as_str());
                if self.uses.is_probe(&name.text) {
                    self.uses.offer(Some(NameKind::Variable), vars.clone());
                }
                let near = nearest(&name.text, vars).map(str::to_owned);
                let error = unknown("variable", &name.text, name.loc.span(), near.as_deref());
                self.report(error);
                None
            }
        }
    }

    /// Reports fields that hold an entity and are not given.
    fn all_fields_given(&mut self, name: &Name, entities: &[BoardEntity]) {
        let mut missing = Vec::new();
        for entity in entities {
            let fields = self
                .program
                .sorts
                .get(entity.sort)
                .map_or(&[][..], |one| &one.fields);
            for (field, value) in fields.iter().zip(&entity.fields) {
                let field = self.program.fields.get(*field);
                let field = field.filter(|field| matches!(field.ty, Type::Entity(_)));
                if let Some(field) = field.filter(|_| *value == Value::None) {
                    missing.push(format!("{}.{}", entity.name, field.name));
                }
            }
        }
        if !missing.is_empty() {
            let names = listed(&missing);
            self.incomplete(
                name,
                &format!("no value for {names}"),
                "give each of them by `with`",
            );
        }
    }

    /// Reports entities that lie nowhere though their sort has zones.
    fn all_placed(&mut self, name: &Name, layers: &[Lines<'_>], entities: &[BoardEntity]) {
        let mut placed: BTreeSet<&str> = BTreeSet::new();
        for (_, line) in layers.iter().copied().flatten() {
            if let BoardLine::Entities {
                names,
                zone: Some(_),
                ..
            } = line
            {
                placed.extend(names.iter().map(|name| name.text.as_str()));
            }
        }
        let zones = self.program.zones.values();
        let has = |sort| zones.iter().any(|zone| zone.sort == sort);
        let lost = entities.iter();
        let lost = lost.filter(|one| !placed.contains(one.name.as_str()) && has(one.sort));
        let missing: Vec<String> = lost.map(|one| one.name.clone()).collect();
        if !missing.is_empty() {
            let names = listed(&missing);
            self.incomplete(
                name,
                &format!("no zone for {names}"),
                "say where each of them lies by `in`",
            );
        }
    }

    /// Reports numbers of entities outside the document's bounds.
    fn numbers_allowed(&mut self, name: &Name, entities: &[BoardEntity]) {
        let mut wrong: Vec<(String, Span)> = Vec::new();
        for (id, sort) in self.program.sorts.iter() {
            let Some((low, high)) = sort.document else {
                continue;
            };
            let count = entities.iter().filter(|one| one.sort == id).count();
            if count < low as usize || count > high as usize {
                let message = format!("found {count} of `{}`, expected {low} to {high}", sort.name);
                wrong.push((message, sort.span));
            }
        }
        for (message, span) in wrong {
            let error =
                Diagnostic::error(codes::forms::OUT_OF_BOUNDS, message).at(name.loc, "this board");
            self.report(error.also(span, "declared here"));
        }
    }

    fn incomplete(&mut self, name: &Name, what: &str, help: &str) {
        let message = format!(
            "the board of `{}` has {what}, expected everything to be said",
            name.text
        );
        let error = Diagnostic::error(codes::forms::BOARD, message).at(name.loc, "this board");
        self.report(error.help(help));
    }
}

fn apply(fields: &mut [Value], given: &[(u32, Value)]) {
    for (index, value) in given {
        if let Some(field) = fields.get_mut(*index as usize) {
            *field = *value;
        }
    }
}
