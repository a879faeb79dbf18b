//! Working states to and from those of the interpreter, for witnesses and for comparing both.

use super::cells::{Cells, End};
use super::code::Around;
use super::inst::{List, Rank};
use super::layout::{Layout, NOWHERE, small};
use super::machine::Machine;
use super::state::{Activation, Frame, Pass, Together};
use crate::ir::{NONE, OpKind, System};
use crate::lower::{number, value};
use endstep_language::index::Id;
use endstep_language::typing::program::{EntityId, StmtId, Type, Value};
use endstep_semantics::semantics::{self, Data, Destination, Entity, Running, Spot, State};

impl Cells {
    /// The data of a board.
    pub fn of(system: &System, layout: &Layout, data: &Data) -> Self {
        let mut cells = Self {
            cells: data.vars.iter().map(|one| number(*one)).collect(),
            zones: vec![List::new(); layout.zones.len()],
            present: vec![false; layout.zones.len()],
            place: vec![NOWHERE; data.entities.len()],
            ..Self::default()
        };
        for entity in &data.entities {
            cells.sorts.push(entity.sort);
            cells.removed.push(entity.removed);
            let fields = entity.fields.iter().map(|one| number(*one));
            cells.cells.extend(fields);
            cells.cells.resize(layout.cells_of(cells.sorts.len()), NONE);
        }
        for (key, contents) in &data.zones {
            let Some(at) = layout.zone(*key) else {
                continue;
            };
            cells.present[at] = true;
            for one in contents {
                cells.zones[at].push(small(one.index()));
                cells.place[one.index()] = small(at);
            }
        }
        let queues = data.queues.iter();
        cells.queues = queues
            .map(|pending| pending.iter().map(super::event::inst).collect())
            .collect();
        debug_assert_eq!(cells.queues.len(), system.queues.len());
        cells
    }
}

impl Machine<'_> {
    /// The data as the interpreter has them.
    pub fn data(&self) -> Data {
        self.data_of(&self.data)
    }

    /// Data as the interpreter has them.
    pub fn data_of(&self, cells: &Cells) -> Data {
        let (system, layout) = (self.setting.system, self.setting.layout);
        let entities = (0..cells.count()).map(|at| {
            let sort = cells.sorts[at];
            let fields = system.sorts[sort].fields.iter();
            Entity {
                sort,
                created: at >= layout.board,
                removed: cells.removed[at],
                fields: fields
                    .map(|&field| {
                        let declared = &system.fields[field];
                        let n = cells.cells[layout.cells_of(at) + declared.index as usize];
                        value(n, declared.domain.ty)
                    })
                    .collect(),
            }
        });
        let vars = cells.cells.iter().zip(system.vars.values());
        let zones = layout.zones.iter().enumerate();
        Data {
            entities: entities.collect(),
            vars: vars.map(|(&n, var)| value(n, var.domain.ty)).collect(),
            zones: zones
                .filter(|(at, _)| cells.present[*at])
                .map(|(at, key)| (*key, cells.zones[at].iter().map(|&one| id(one)).collect()))
                .collect(),
            queues: cells
                .queues
                .iter()
                .map(|pending| pending.iter().map(|one| self.instance(one)).collect())
                .collect(),
        }
    }

    /// The state as the interpreter has it.
    pub fn state(&self) -> State {
        let mut control = Vec::with_capacity(self.stack.len());
        for (at, one) in self.stack.iter().enumerate() {
            let next = self.stack.get(at + 1);
            let locals = one.locals..next.map_or(self.locals.len(), |next| next.locals);
            let frames = one.frames..next.map_or(self.frames.len(), |next| next.frames);
            let types = self.types(one.of);
            let locals = self.locals[locals].iter().zip(types);
            control.push(semantics::Activation {
                of: one.of,
                locals: locals.map(|(&n, &ty)| local(n, ty)).collect(),
                frames: self.frames_of(one, &self.frames[frames]),
            });
        }
        State {
            data: self.data(),
            control,
        }
    }

    pub(super) fn types(&self, of: Running) -> &[Type] {
        match of {
            Running::Sequence(id) => &self.setting.system.procedures[id].types,
            Running::Trigger(id) => &self.setting.system.triggers[id].types,
        }
    }

    fn element_type(&self, stmt: StmtId) -> Type {
        match &self.setting.system.ops[stmt].kind {
            OpKind::Each(each) => each.binder.ty,
            OpKind::Distribute { binder, .. } => binder.ty,
            other => unreachable!("has no elements: {other:?}"),
        }
    }

    fn elements(&self, stmt: StmtId, list: &[u16]) -> Vec<Value> {
        let ty = self.element_type(stmt);
        list.iter().map(|&n| value(i64::from(n), ty)).collect()
    }

    /// The frames of an activation: those that are known from where it is, filled with what is in hand.
    fn frames_of(&self, of: &Activation, held: &[Frame]) -> Vec<semantics::Frame> {
        use semantics::Frame as Plain;
        let mut held = held.iter().peekable();
        let mut frames = Vec::new();
        for around in self.code.around(of.at) {
            let frame = match around {
                Around::Block(block, next) => Plain::Block {
                    block,
                    next: next as usize,
                },
                Around::Recheck(stmt) => Plain::Recheck { stmt },
                Around::Before => Plain::Before,
                Around::Resolve { stmt, queue, one } => Plain::Resolve { stmt, queue, one },
                Around::Repeat(stmt) => match held
                    .next_if(|one| matches!(one, Frame::Repeat { stmt: of, .. } if *of == stmt))
                {
                    Some(frame) => self.frame(frame),
                    None => Plain::Repeat { stmt, before: None },
                },
                Around::Step(step) => match held.next_if(|one| matches!(one, Frame::Step { .. })) {
                    Some(frame) => self.frame(frame),
                    None => Plain::Step { step, old: None },
                },
                Around::Pass | Around::Iterate(_) => match held.next() {
                    Some(frame) => self.frame(frame),
                    None => unreachable!("holds nothing of {around:?}"),
                },
            };
            frames.push(frame);
        }
        frames.extend(held.map(|frame| self.frame(frame)));
        frames
    }

    fn frame(&self, frame: &Frame) -> semantics::Frame {
        use semantics::Frame as Plain;
        let instances = |all: &[super::inst::Inst]| -> Vec<semantics::Instance> {
            all.iter().map(|one| self.instance(one)).collect()
        };
        match frame {
            Frame::Iterate {
                stmt,
                todo,
                ranks,
                visited,
                position,
            } => Plain::Iterate {
                stmt: *stmt,
                todo: self.elements(*stmt, todo),
                ranks: ranks.iter().map(rank).collect(),
                visited: self.elements(*stmt, visited),
                position: *position as usize,
            },
            Frame::Repeat { stmt, before } => Plain::Repeat {
                stmt: *stmt,
                before: Some(Box::new(self.data_of(before))),
            },
            Frame::Commit(together) => Plain::Commit(Box::new(self.together_of(together))),
            Frame::Write { by, writes } => Plain::Write {
                by: *by,
                writes: self.writes(writes),
            },
            Frame::Match {
                event,
                instances: left,
                placed,
            } => Plain::Match {
                event: *event,
                instances: instances(left),
                placed: instances(placed),
            },
            Frame::Interrupt { todo } => Plain::Interrupt {
                todo: instances(todo),
            },
            Frame::Shuffle { stmt, zone, placed } => Plain::Shuffle {
                stmt: *stmt,
                zone: self.setting.layout.zones[usize::from(*zone)],
                placed: *placed as usize,
            },
            Frame::Distribute {
                stmt,
                left,
                elements,
                into,
                who,
                before,
            } => Plain::Distribute {
                stmt: *stmt,
                left: *left,
                elements: self.elements(*stmt, elements),
                into: self.writes(into),
                who: *who,
                before: before.as_ref().map(|before| Box::new(self.data_of(before))),
            },
            Frame::Pass(pass) => Plain::Pass(self.pass_of(pass)),
            Frame::Step { step, old } => Plain::Step {
                step: *step,
                old: Some(Box::new(self.data_of(old))),
            },
        }
    }

    fn pass_of(&self, pass: &Pass) -> semantics::Pass {
        let over = &self.setting.system.procedures[pass.sequence].over;
        let ty = over.as_ref().map_or(Type::Bool, |(binder, ..)| binder.ty);
        let carried = pass.carried.iter();
        semantics::Pass {
            sequence: pass.sequence,
            only: pass.only,
            steps: pass.steps.to_vec(),
            places: pass
                .places
                .iter()
                .map(|&n| value(i64::from(n), ty))
                .collect(),
            current: pass.current,
            begun: pass.begun,
            placed: pass.placed,
            fresh: pass.fresh,
            carried: carried
                .map(|&(stmt, n)| (stmt, value(i64::from(n), self.element_type(stmt))))
                .collect(),
        }
    }

    fn writes(&self, writes: &[(Spot, i64)]) -> Vec<(Spot, Value)> {
        let typed = writes.iter();
        typed
            .map(|&(spot, n)| (spot, value(n, self.writer().domain(spot).ty)))
            .collect()
    }

    fn together_of(&self, now: &Together) -> semantics::Together {
        let layout = self.setting.layout;
        let end = |(zone, first): End| -> Destination { (layout.zones[usize::from(zone)], first) };
        let moves = |all: &[(u16, End)]| -> Vec<(EntityId, Destination)> {
            all.iter().map(|&(one, to)| (id(one), end(to))).collect()
        };
        let payload =
            |(event, payload): &(endstep_language::typing::program::EventId, Vec<i64>)| {
                let types = &self.setting.system.events[*event].payload;
                let typed = payload.iter().zip(types);
                (*event, typed.map(|(&n, &ty)| value(n, ty)).collect())
            };
        semantics::Together {
            stmt: now.stmt,
            conflicts: now
                .conflicts
                .iter()
                .map(|(spot, all)| {
                    let ty = self.writer().domain(*spot).ty;
                    (*spot, all.iter().map(|&n| value(n, ty)).collect())
                })
                .collect(),
            torn: now
                .torn
                .iter()
                .map(|(one, ends)| (id(*one), ends.iter().map(|&to| end(to)).collect()))
                .collect(),
            writes: self.writes(&now.writes),
            moves: moves(&now.moves),
            ordered: moves(&now.ordered),
            made: now.made,
            announcements: now.announcements.iter().map(payload).collect(),
            chosen: now.chosen.as_ref().map(payload),
        }
    }

    /// Whether the state speaks of an entity, but for its own slot.
    pub(super) fn mentions(&self, slot: usize) -> bool {
        // INVARIANT: rare (a created entity was removed, and another is created), so that a plain
        // way through the state as the interpreter has it is quick enough.
        self.state().mentions(EntityId::from_index(slot))
    }
}

/// A local; one that is out of scope has no value of its type.
pub(super) fn local(n: i64, ty: Type) -> Value {
    if n == NONE { Value::None } else { value(n, ty) }
}

fn id(one: u16) -> EntityId {
    EntityId(u32::from(one))
}

/// A rank as the interpreter has it.
fn rank(of: &Rank) -> semantics::Rank {
    let player = (of.player != NOWHERE).then(|| EntityId::from_index(usize::from(of.player)));
    semantics::Rank {
        number: u32::from(of.number),
        player,
    }
}
