//! Operations of which it is only known what they may change.
//!
//! To show that something is kept by everything that a sequence does, not everything has to be told
//! exactly: an iteration whose turns depend on each other leaves anything in the places that it may
//! change. What there is between its statements is looked at elsewhere, where its body is a part of its
//! own, and so what all parts keep may be taken for granted after it.
//!
//! ```text
//! set c.due to false                      exact
//! for each w: Card in board: react(w)     health: anything; `react` is a part of its own
//! announce afterlife(c)                   exact
//! ```
//!
//! *Guarantees.* What can happen is among what is told; more may be told. An operation that could leave
//! something around it from within, unseen, is refused.

use super::change::Spot;
use super::context::Exec;
use super::met::{Inner, Point, Unknown};
use super::state::{Cell, Layer, cells};
use crate::smt::Term;
use endstep_kernel::footprint::{self, Footprint, Place, Unit};
use endstep_kernel::ir::{Expr, OpKind, System, Target};
use endstep_language::index::Id;
use endstep_language::typing::program::{FieldId, LocalId, SequenceId, SortId, StmtId, Type};
use endstep_verdicts::verdict::{Obstacle, Refusal};

type Result<T> = std::result::Result<T, Refusal>;

impl<'s> Exec<'_, 's> {
    /// Something of which nothing is known; it may be missing, too.
    pub fn any_value(&mut self, g: Term) -> Term {
        let number = self.c.fresh();
        let missing = self.c.any(&format!("missing {number}"), Type::Bool);
        let missing = self.c.terms.is_one(missing);
        self.end(g, missing, "inside", &[]);
        self.c.terms.constant(&format!("some value {number}"))
    }

    /// An operation, exactly if that is possible.
    pub fn loosely(&mut self, id: StmtId, g: Term) -> Result<()> {
        let before = (self.s.clone(), self.frames.clone());
        let lens = self.lengths();
        let is_each = matches!(self.c.system.ops[id].kind, OpKind::Each(_));
        let done = self.op(id, g);
        // Of an iteration that may not mean the same, less is told.
        let unsure = is_each && self.required.len() > lens[0];
        match done {
            Err(Refusal {
                obstacle: Obstacle::Size,
                ..
            }) => return done,
            Ok(()) if !unsure => {
                // It can be cut off in between, and what its turns keep it keeps.
                if is_each {
                    self.note_inner(id);
                    let print = footprint::of_statement(self.c.system, id, self.frame().unit);
                    let after = self.s.clone();
                    if let Some(met) = &mut self.loose {
                        met.unknown.push(Unknown {
                            guard: g,
                            before: before.0,
                            after,
                            composed: true,
                            writes: print.writes,
                        });
                    }
                }
            }
            _ => {
                (self.s, self.frames) = before;
                self.shorten(lens);
                self.unknown(id, g)?;
            }
        }
        let (guard, state) = (g, self.s.clone());
        if let Some(met) = &mut self.loose {
            met.points.push(Point { guard, state });
        }
        Ok(())
    }

    /// An entity that was not there before. Which one does not matter, if only what is kept is asked
    /// about; it could be one that was removed, which is more than can happen.
    pub fn create(
        &mut self,
        sort: SortId,
        (target, with): (Option<&'s Target>, &'s [(FieldId, Expr)]),
        g: Term,
    ) -> Result<Term> {
        let system = self.c.system;
        let number = self.c.fresh();
        let new = self.c.any(&format!("new {number}"), Type::Entity(sort));
        let there = self.read(Cell::There(sort), new)?;
        let there = self.c.terms.is_one(there);
        let absent = self.c.terms.not(there);
        self.c.fact_once(absent);
        let mut values = Vec::new();
        for (field, e) in with {
            values.push((Spot::Field(new, *field), self.eval(e, g)?));
        }
        let place = match target {
            Some(Target::Zone(first, zone)) => {
                Some((*first, zone.zone, self.zone_holder(zone, g)?))
            }
            Some(Target::Beside(..)) => return Err(Obstacle::Arranges.into()),
            None => None,
        };
        let guard = self.live(g);
        for &field in &system.sorts[sort].fields {
            let default = match system.fields[field].default {
                endstep_kernel::ir::NONE => super::state::ABSENT,
                value => value,
            };
            let default = self.c.terms.number(default);
            self.point(Cell::Field(field), guard, new, default);
        }
        self.write(g, &values);
        let guard = self.live(g);
        let one = self.c.terms.number(1);
        self.point(Cell::There(sort), guard, new, one);
        if let Some((first, zone, holder)) = place {
            self.arrive(new, first, (zone, holder), guard)?;
        }
        Ok(new)
    }

    fn lengths(&self) -> [usize; 5] {
        let met = self.loose.as_ref();
        [
            self.required.len(),
            self.chosen.len(),
            met.map_or(0, |met| met.points.len()),
            met.map_or(0, |met| met.unknown.len()),
            met.map_or(0, |met| met.inner.len()),
        ]
    }

    fn shorten(&mut self, [required, chosen, points, unknown, inner]: [usize; 5]) {
        self.required.truncate(required);
        self.chosen.truncate(chosen);
        if let Some(met) = &mut self.loose {
            met.points.truncate(points);
            met.unknown.truncate(unknown);
            met.inner.truncate(inner);
        }
    }

    /// Takes down what is done inside of an operation.
    fn note_inner(&mut self, id: StmtId) {
        let unit = self.frame().unit;
        let mut found = inside(self.c.system, id, unit);
        if let Some(heard) = &self.c.heard {
            found.retain(|inner| match inner {
                Inner::Trigger(id) => heard.contains(&self.c.system.triggers[*id].event),
                Inner::Element(..) | Inner::Block(..) => true,
            });
        }
        if let Some(met) = &mut self.loose {
            met.inner.extend(found);
        }
    }

    /// An operation that may leave anything in the places that it may change.
    fn unknown(&mut self, id: StmtId, g: Term) -> Result<()> {
        let system = self.c.system;
        let unit = self.frame().unit;
        let print = footprint::of_statement(system, id, unit);
        if self.leaves(id, &print) {
            return Err(Refusal::at(Obstacle::Form, system.ops[id].span));
        }
        let guard = self.live(g);
        let before = self.s.clone();
        self.anything(&print, guard);
        if let OpKind::Resolve { one: false, queue } = system.ops[id].kind {
            let zero = self.c.terms.number(0);
            let waiting = &mut self.s.queues[queue.index()];
            *waiting = self.c.terms.choose(guard, zero, *waiting);
        }
        self.any_locals_of(id);
        let number = self.c.fresh();
        let ends = self.c.any(&format!("ends inside {number}"), Type::Bool);
        let ends = self.c.terms.is_one(ends);
        self.end(g, ends, "inside", &[]);
        let composed = is_composed(system, id);
        if composed {
            self.note_inner(id);
        }
        let after = self.s.clone();
        if let Some(met) = &mut self.loose {
            met.unknown.push(Unknown {
                guard,
                before,
                after,
                composed,
                writes: print.writes,
            });
        }
        Ok(())
    }

    /// Anything in all places of a footprint.
    pub fn anything(&mut self, print: &Footprint, guard: Term) {
        let system = self.c.system;
        let number = self.c.fresh();
        let mut moved: Vec<SortId> = Vec::new();
        let mut made: Vec<SortId> = print.creates.iter().copied().collect();
        let mut unknown: Vec<Cell> = Vec::new();
        for &place in &print.writes {
            match place {
                Place::Field(field) => unknown.push(Cell::Field(field)),
                Place::Zone(zone) => moved.push(system.zones[zone].sort),
                Place::Sort(sort) => moved.push(sort),
                Place::Var(var) => {
                    let name = format!("var {} #{number}", system.vars[var].name);
                    let value = self.c.terms.constant(&name);
                    let fact = self.c.held(value, &system.vars[var].domain);
                    self.c.fact_once(fact);
                    let held = self.s.vars[var.index()];
                    self.s.vars[var.index()] = self.c.terms.choose(guard, value, held);
                }
                Place::Queue(queue) => {
                    let name = format!("waiting in {} #{number}", system.queues[queue].name);
                    let value = self.c.terms.constant(&name);
                    let fact = self.c.within(value, Some(0), None);
                    self.c.fact_once(fact);
                    let held = self.s.queues[queue.index()];
                    self.s.queues[queue.index()] = self.c.terms.choose(guard, value, held);
                }
            }
        }
        moved.extend(&print.removes);
        moved.append(&mut made);
        for cell in cells(system) {
            let sort = match cell {
                Cell::There(sort)
                | Cell::Zone(sort)
                | Cell::Holder(sort)
                | Cell::Position(sort) => sort,
                Cell::Low(zone) | Cell::High(zone) => system.zones[zone].sort,
                Cell::Field(field) => {
                    let sort = system.fields[field].sort;
                    if print.creates.contains(&sort) && !unknown.contains(&cell) {
                        unknown.push(cell);
                    }
                    continue;
                }
            };
            if moved.contains(&sort) {
                unknown.push(cell);
            }
        }
        for cell in unknown {
            let symbol = self.c.later(cell, number);
            let below = self.s.map(system, cell).clone();
            let layer = Layer::Unknown {
                below,
                guard,
                symbol,
                number,
            };
            self.s.put(system, cell, layer);
        }
    }

    /// What an operation binds is anything.
    fn any_locals_of(&mut self, id: StmtId) {
        let system = self.c.system;
        let bound: Option<LocalId> = match &system.ops[id].kind {
            OpKind::Let(local, _)
            | OpKind::ChooseNumber { local, .. }
            | OpKind::Create {
                local: Some(local), ..
            } => Some(*local),
            OpKind::ChooseElement(binder, _) => Some(binder.local),
            _ => None,
        };
        let Some(local) = bound else {
            return;
        };
        let types = footprint::types(system, self.frame().unit);
        let number = self.c.fresh();
        let name = format!("some local {number}");
        let value = match types.get(local.index()) {
            Some(&ty) => self.c.any(&name, ty),
            None => self.c.terms.constant(&name),
        };
        self.bind(local, value);
    }

    /// Whether something around an operation may be left from within.
    fn leaves(&self, id: StmtId, print: &Footprint) -> bool {
        let around: Vec<SequenceId> = self.frames.iter().filter_map(|one| one.sequence).collect();
        let mut left = Vec::new();
        leaving(self.c.system, id, &mut left);
        for &performed in &print.performs {
            for &step in &self.c.system.procedures[performed].steps {
                let body = self.c.system.steps[step].body;
                for &op in &self.c.system.blocks[body].ops {
                    leaving(self.c.system, op, &mut left);
                }
            }
        }
        left.iter()
            .any(|one| around.contains(one) || !print.performs.contains(one))
    }
}

/// The sequences that an operation and the blocks inside leave.
fn leaving(system: &System, id: StmtId, found: &mut Vec<SequenceId>) {
    let op = &system.ops[id].kind;
    match op {
        OpKind::Leave(sequence) => found.push(*sequence),
        OpKind::GoTo(step) => found.push(system.steps[*step].procedure),
        _ => {}
    }
    for block in op.blocks() {
        for &inner in &system.blocks[block].ops {
            leaving(system, inner, found);
        }
    }
}

/// Whether all that an operation does is done by parts that are looked at by themselves.
fn is_composed(system: &System, id: StmtId) -> bool {
    match &system.ops[id].kind {
        OpKind::Each(_) | OpKind::Repeat(..) | OpKind::Resolve { .. } | OpKind::Call(..) => true,
        OpKind::Announce(event, _) => system.events[*event].queue.is_none(),
        _ => false,
    }
}

/// The parts inside of an operation.
fn inside(system: &System, id: StmtId, unit: Unit) -> Vec<Inner> {
    match &system.ops[id].kind {
        OpKind::Each(_) => vec![Inner::Element(id, unit)],
        OpKind::Repeat(_, body) => vec![Inner::Block(*body, unit)],
        op => footprint::come_to(system, op)
            .into_iter()
            .flat_map(|begun| match begun {
                Unit::Trigger(id) => vec![Inner::Trigger(id)],
                Unit::Procedure(id) => procedure(system, id),
            })
            .collect(),
    }
}

/// The parts of a procedure: its steps, and what is done before it starts again.
pub(super) fn procedure(system: &System, id: SequenceId) -> Vec<Inner> {
    let unit = Unit::Procedure(id);
    let declared = &system.procedures[id];
    let steps = declared.steps.iter().map(|&step| system.steps[step].body);
    let before = declared.restart.as_ref().and_then(|rule| rule.before);
    let blocks = steps.chain(before);
    blocks.map(|block| Inner::Block(block, unit)).collect()
}
