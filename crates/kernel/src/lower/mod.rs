//! Typed programs to systems: sugar is taken away, types are forgotten where numbers do.
//!
//! ```text
//! c.health <= 0 and c is in board     if l0.health <= 0 then (l0 in board) else false
//! increase c.health by 1, at most 5   add l0.health + 1, bound 5
//! ```
//!
//! *Guarantees.* The system does what `docs/semantics.md` says of the program: the operands of
//! every operation are evaluated in the order written, and every gap keeps its kind and place.
//! Statements and operations have the same numbers. In debug builds the result is checked for being
//! well formed.

// TRUSTED: all engines but the interpreter see the program through this.

mod expr;
mod op;

pub use expr::number;

use std::collections::BTreeSet;

use crate::ir::{
    Change, Decider, Domain, Event, Expr, Field, Function, NONE, Op, Procedure, Queue, Reading,
    Restart, Sort, Step, System, Trigger, Var, Whenever, Zone, fault,
};
use endstep_language::typing::program::{
    self, ChangeTarget, DefineId, FieldId, ListPolicy, Program, SortId, Type, Value, VarId,
    VarKind, Visit, Walk, ZoneId,
};
use expr::{decider, order};

/// The system of a program.
pub fn lower(program: &Program) -> System {
    let mut system = System {
        enums: program
            .enums
            .values()
            .iter()
            .map(|one| crate::ir::Enum {
                name: one.name.clone(),
                values: one.values.clone(),
            })
            .collect(),
        players: program
            .sorts
            .iter()
            .find(|(_, sort)| sort.player)
            .map(|(id, _)| id),
        ..System::default()
    };
    state(program, &mut system);
    procedures(program, &mut system);
    conditions(program, &mut system);
    debug_assert_eq!(fault(&system), None);
    system
}

/// A number as a value of a type.
pub fn value(number: i64, ty: Type) -> Value {
    match ty {
        Type::Int => Value::Int(number),
        _ if number == NONE => Value::None,
        Type::Bool => Value::Bool(number != 0),
        Type::Enum(_) => Value::Enum(u16::try_from(number).unwrap_or(u16::MAX)),
        Type::Entity(_) | Type::Optional(_) => {
            Value::Entity(program::EntityId(u32::try_from(number).unwrap_or(u32::MAX)))
        }
    }
}

fn state(program: &Program, system: &mut System) {
    for sort in program.sorts.values() {
        system.sorts.push(Sort {
            name: sort.name.clone(),
            headroom: sort.headroom,
            fields: sort.fields.clone(),
        });
    }
    for field in program.fields.values() {
        system.fields.push(Field {
            name: field.name.clone(),
            sort: field.sort,
            index: field.index,
            domain: Domain {
                ty: field.ty,
                bounds: field.bounds,
                supply: false,
                starts: field.starts.map(number),
            },
            default: number(field.default),
        });
    }
    for var in program.vars.values() {
        system.vars.push(Var {
            name: var.name.clone(),
            domain: Domain {
                ty: var.ty,
                bounds: var.bounds,
                supply: var.kind == VarKind::Supply,
                starts: var.starts.map(number),
            },
        });
    }
    places(program, system);
}

/// Zones, queues and what comes after them.
fn places(program: &Program, system: &mut System) {
    for zone in program.zones.values() {
        system.zones.push(Zone {
            name: zone.name.clone(),
            sort: zone.sort,
            per: zone.per,
            starts_empty: zone.starts_empty,
            capacity: zone.capacity,
            unordered: zone.unordered,
        });
    }
    for queue in program.queues.values() {
        system.queues.push(Queue {
            name: queue.name.clone(),
            discipline: queue.discipline,
            capacity: queue.capacity,
        });
    }
    for reading in program.readings.values() {
        system.readings.push(Reading {
            name: reading.name.clone(),
            alternatives: u16::try_from(reading.alternatives.len()).unwrap_or(u16::MAX),
            names: reading
                .alternatives
                .iter()
                .map(|one| one.name.clone())
                .collect(),
        });
    }
    for gap in program.gaps.values() {
        system.gaps.push(gap.name.clone());
    }
    for define in program.defines.values() {
        system.functions.push(Function {
            name: define.name.clone(),
            params: define.params.iter().map(|param| param.ty).collect(),
            locals: count(&define.locals),
            ty: define.body.ty,
            body: expr::lower(program, &define.body),
            continuous: define.continuous.clone(),
        });
    }
}

/// What a condition looks at, also by way of definitions.
struct Looks<'p> {
    program: &'p Program,
    fields: BTreeSet<FieldId>,
    vars: BTreeSet<VarId>,
    zones: bool,
    sorts: BTreeSet<SortId>,
    met: BTreeSet<DefineId>,
}

impl Looks<'_> {
    /// It matters which entities of a type there are, or where they lie.
    fn comes_and_goes(&mut self, ty: Type) {
        if let Type::Entity(sort) | Type::Optional(sort) = ty {
            self.sorts.insert(sort);
        }
    }

    /// A continuous value is made from those of all entities that there are.
    fn continuous(&mut self, id: DefineId) {
        let program = self.program;
        for &one in program.defines[id]
            .continuous
            .iter()
            .flat_map(|one| &one.group)
        {
            let params = program.defines[one].params.iter();
            params.for_each(|param| self.comes_and_goes(param.ty));
            self.define(one);
        }
    }
}

impl<'p> Visit<'p> for Looks<'p> {
    fn expr(&mut self, e: &'p program::Expr) {
        self.zones |= matches!(
            e.kind,
            program::ExprKind::Holder(_)
                | program::ExprKind::Neighbour(..)
                | program::ExprKind::Beside(..)
                | program::ExprKind::Endmost(..)
        );
        match &e.kind {
            program::ExprKind::Holder(of)
            | program::ExprKind::Neighbour(_, of)
            | program::ExprKind::IsRemoved(of) => self.comes_and_goes(of.ty),
            program::ExprKind::Beside(_, of, other) => {
                self.comes_and_goes(of.ty);
                self.comes_and_goes(other.ty);
            }
            program::ExprKind::Turn { from, .. } => self.comes_and_goes(from.ty),
            program::ExprKind::Continuous(id, _) | program::ExprKind::Solutions(id, _) => {
                self.continuous(*id);
            }
            _ => {}
        }
        e.inside(self);
    }

    fn binder(&mut self, binder: &'p program::Binder) {
        if let program::Range::Sort(sort) = binder.range {
            self.sorts.insert(sort);
        }
        binder.inside(self);
    }

    fn zone(&mut self, zone: &'p program::ZoneRef) {
        // All zones of a family are those of the entities that there are.
        if zone.of.is_none() {
            self.sorts.extend(self.program.zones[zone.zone].per);
        }
        zone.inside(self);
    }

    fn zone_id(&mut self, id: ZoneId) {
        self.zones = true;
        self.sorts.insert(self.program.zones[id].sort);
    }

    fn field(&mut self, id: FieldId) {
        self.fields.insert(id);
    }

    fn var(&mut self, id: VarId) {
        self.vars.insert(id);
    }

    fn define(&mut self, id: DefineId) {
        if self.met.insert(id) {
            let body = &self.program.defines[id].body;
            body.meet(self);
        }
    }
}

fn whenever(program: &Program, whenever: &program::Whenever) -> Whenever {
    let with = whenever.with.iter();
    let mut looks = Looks {
        program,
        fields: BTreeSet::new(),
        vars: BTreeSet::new(),
        zones: false,
        sorts: BTreeSet::new(),
        met: BTreeSet::new(),
    };
    whenever.condition.meet(&mut looks);
    Whenever {
        fields: looks.fields,
        vars: looks.vars,
        zones: looks.zones,
        sorts: looks.sorts,
        element: whenever.element,
        condition: expr::lower(program, &whenever.condition),
        with: with.map(|one| expr::lower(program, one)).collect(),
        types: whenever.locals.clone(),
        looks_back: whenever.looks_back,
    }
}

fn procedures(program: &Program, system: &mut System) {
    for (id, event) in program.events.iter() {
        let listening = program.triggers.iter().filter(|(_, one)| one.event == id);
        system.events.push(Event {
            name: event.name.clone(),
            payload: event.params.iter().map(|param| param.ty).collect(),
            queue: event.queue,
            listeners: event.listeners.as_ref().map(|one| order(program, one)),
            locals: count(&event.locals),
            triggers: listening.map(|(id, _)| id).collect(),
            whenever: event.whenever.as_ref().map(|one| whenever(program, one)),
        });
        system.is_watched |= event.whenever.is_some();
    }
    for trigger in program.triggers.values() {
        system.triggers.push(Trigger {
            name: trigger.name.clone(),
            listener: trigger
                .listener
                .as_ref()
                .map(|one| expr::binder(program, one)),
            event: trigger.event,
            args: trigger.args.clone(),
            condition: trigger
                .condition
                .as_ref()
                .map(|one| expr::lower(program, one)),
            priority: trigger.priority,
            body: trigger.body,
            locals: count(&trigger.locals),
            types: trigger.locals.clone(),
        });
    }
    for sequence in program.sequences.values() {
        system.procedures.push(procedure(program, sequence));
    }
    for step in program.steps.values() {
        let old = |e: &program::Expr| e.any(&|e| matches!(e.kind, program::ExprKind::Old(_)));
        system.steps.push(Step {
            name: format!("{}.{}", program.sequences[step.sequence].name, step.name),
            procedure: step.sequence,
            body: step.body,
            ensures: step
                .ensures
                .iter()
                .map(|one| expr::lower(program, one))
                .collect(),
            old: step.ensures.iter().any(old),
        });
    }
    for block in program.blocks.values() {
        system.blocks.push(crate::ir::Block {
            ops: block.stmts.clone(),
            binds: block.binds.clone(),
        });
    }
    for stmt in program.stmts.values() {
        system.ops.push(Op {
            kind: op::lower(program, &stmt.kind),
            span: stmt.span,
        });
    }
    op::mark_standing(program, system);
}

fn procedure(program: &Program, sequence: &program::Sequence) -> Procedure {
    let list = |all: &[program::Expr]| -> Vec<Expr> {
        all.iter().map(|one| expr::lower(program, one)).collect()
    };
    let contract = sequence.contract.as_ref();
    let changes = contract.map_or(&[][..], |one| &one.changes);
    Procedure {
        name: sequence.name.clone(),
        params: u32::try_from(sequence.params.len()).unwrap_or(u32::MAX),
        locals: count(&sequence.locals),
        types: sequence.locals.clone(),
        free: match &sequence.policy {
            ListPolicy::InOrder => None,
            ListPolicy::Any => Some((Decider::Nobody, None)),
            ListPolicy::Chosen(by) => Some((decider(program, by), None)),
            ListPolicy::Unspecified(reading) => Some((Decider::Nobody, Some(*reading))),
        },
        precedes: sequence.precedes.clone(),
        over: sequence.over.as_ref().map(|over| {
            (
                expr::binder(program, &over.binder),
                order(program, &over.order),
                over.nest,
            )
        }),
        restart: sequence.restart.as_ref().map(|rule| Restart {
            when: expr::lower(program, &rule.when),
            cancel: rule.cancel.clone(),
            unfinished: rule.unfinished.clone(),
            before: rule.before,
        }),
        steps: sequence.steps.clone(),
        changes: changes
            .iter()
            .map(|change| Change {
                target: match &change.target {
                    ChangeTarget::Place(place) => Ok((expr::place(program, place), place.ty)),
                    ChangeTarget::FieldOfAll(field) => Err(*field),
                },
                within: op::within(program, change.within.as_ref()),
            })
            .collect(),
        ensures: contract.map_or_else(Vec::new, |one| list(&one.ensures)),
        contract: contract.is_some(),
    }
}

fn conditions(program: &Program, system: &mut System) {
    let condition =
        |name: &str, e: &program::Expr| Function::condition(name, e.ty, expr::lower(program, e));
    let legals = program.legals.iter();
    system.legal = legals
        .map(|one| condition(&one.name, &one.condition))
        .collect();
    let explored = program.explored.iter();
    system.explored = explored
        .map(|one| condition(&one.name, &one.condition))
        .collect();
    let verified = program.verifies.iter().map(|one| {
        let name = &program.sequences[one.sequence].name;
        one.condition.as_ref().map(|e| condition(name, e))
    });
    system.verified = verified.collect();
    for claim in &program.claims {
        let of = claim.kind.exprs();
        let of = of.into_iter().map(|e| condition(&claim.name, e));
        system.claims.push(of.collect());
    }
}

/// How many locals there are; a text cannot hold as many as would not fit.
fn count(locals: &[Type]) -> u32 {
    u32::try_from(locals.len()).unwrap_or(u32::MAX)
}
