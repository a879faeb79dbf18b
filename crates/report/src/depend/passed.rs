//! What passes between clauses: which of them can read what another wrote before.
//!
//! ```text
//! step enter            clause 1    announces "grabbed"
//! trigger sees_it       clause 4    on grabbed: writes alarm
//! step flight           clause 3    reads alarm                clause 4 feeds clause 3: alarm
//! ```
//!
//! For each statement it is known which clauses can have written each place last. Branches are joined; what is repeated
//! can have been done before; what is performed or set off is entered with all that can have been written where it
//! begins, and adds what it can write.
//!
//! *Guarantees.* If on some run a statement of a clause reads what one of another clause wrote last, this is found.
//!
//! *Limits.* Only a `set` of a variable takes away what was written before. Conditions are not looked at.
//!
//! *Background.* G. Kildall, *A unified approach to global program optimization*, POPL 1973: reaching definitions.

use std::collections::{BTreeMap, BTreeSet};

use super::rests::{Clauses, Rests};
use super::steps::promised;
use endstep_kernel::footprint::{
    Footprint, Place, Reader, Unit, come_to, of_block, of_list, of_matching, of_raising, of_restart,
};
use endstep_kernel::ir::{self, OpKind, System};
use endstep_language::typing::program::{
    BlockId, ClauseIdx, DomainPolicy, EventId, SequenceId, StepId, StmtId,
};

/// Some places.
type Places = BTreeSet<Place>;

/// By which clauses each place can have been written last.
type Written = BTreeMap<Place, Clauses>;

/// Adds what can also have been written: whether that is more.
fn join(written: &mut Written, others: &Written) -> bool {
    let mut more = false;
    for (&place, clauses) in others {
        let all = written.entry(place).or_default();
        let before = all.len();
        all.extend(clauses);
        more |= all.len() > before;
    }
    more
}

/// The places that pass from one clause to another.
pub(super) fn passed(rests: &Rests<'_>) -> BTreeMap<(ClauseIdx, ClauseIdx), Places> {
    let mut walk = Walk {
        rests,
        system: rests.source.system,
        own: BTreeMap::new(),
        writes: BTreeMap::new(),
        entry: BTreeMap::new(),
        todo: rests.units.iter().copied().collect(),
        found: BTreeMap::new(),
    };
    walk.all_writes();
    while let Some(unit) = walk.todo.pop_first() {
        let written = walk.entry.get(&unit).cloned().unwrap_or_default();
        match unit {
            Unit::Procedure(id) => walk.procedure(id, written),
            Unit::Trigger(id) => walk.block(unit, walk.system.triggers[id].body, written),
        };
    }
    walk.found
}

/// Goes through sequences and triggers.
struct Walk<'r> {
    rests: &'r Rests<'r>,
    system: &'r System,
    /// What single statements do.
    own: BTreeMap<StmtId, Footprint>,
    /// What each unit can write, with what it comes to.
    writes: BTreeMap<Unit, Written>,
    /// What can have been written where a unit begins.
    entry: BTreeMap<Unit, Written>,
    /// What is to be gone through, again if more can have been written.
    todo: BTreeSet<Unit>,
    found: BTreeMap<(ClauseIdx, ClauseIdx), Places>,
}

impl Walk<'_> {
    fn all_writes(&mut self) {
        loop {
            let mut more = false;
            for unit in self.rests.units.clone() {
                let blocks = self.rests.blocks(unit);
                let found = self.written_in(unit, &blocks);
                more |= join(self.writes.entry(unit).or_default(), &found);
            }
            if !more {
                return;
            }
        }
    }

    /// What some blocks of a unit can write, with what they come to.
    fn written_in(&mut self, unit: Unit, blocks: &[BlockId]) -> Written {
        let mut found = Written::new();
        for op in super::source::ops(self.system, blocks.iter().copied()) {
            let by = self.rests.of_statement(unit, op);
            for &place in &self.own(unit, op).writes {
                found.entry(place).or_default().extend(&by);
            }
            for begun in come_to(self.system, &self.system.ops[op].kind) {
                if let Some(written) = self.writes.get(&begun) {
                    join(&mut found, written);
                }
            }
        }
        found
    }

    /// What a statement does by itself.
    fn own(&mut self, unit: Unit, op: StmtId) -> &Footprint {
        let system = self.system;
        let own = self.own.entry(op);
        own.or_insert_with(|| Reader::new(system, unit).itself(op))
    }

    /// Something of these clauses reads places.
    fn read(&mut self, written: &Written, places: &Places, by: &Clauses) {
        for place in places {
            for &from in written.get(place).into_iter().flatten() {
                for &to in by.iter().filter(|to| **to != from) {
                    self.found.entry((from, to)).or_default().insert(*place);
                }
            }
        }
    }

    fn procedure(&mut self, id: SequenceId, mut written: Written) -> Written {
        let (unit, system) = (Unit::Procedure(id), self.system);
        let procedure = &system.procedures[id];
        let is_again = procedure.restart.is_some()
            || procedure.over.is_some()
            || procedure.free.is_some()
            || system.jumps(id);
        if is_again {
            let own = self.writes.get(&unit).cloned().unwrap_or_default();
            join(&mut written, &own);
        }
        let list = of_list(system, id).reads;
        self.read(&written, &list, &self.rests.of_sequence(id));
        for &step in &procedure.steps {
            let before = match is_again {
                true => written.clone(),
                false => std::mem::take(&mut written),
            };
            let after = self.step(step, before);
            join(&mut written, &after);
        }
        if let Some(rule) = &procedure.restart {
            let when = of_restart(system, id).reads;
            self.read(&written, &when, &self.rests.of_restart(id));
            if let Some(before) = rule.before {
                self.block(unit, before, written.clone());
            }
        }
        written
    }

    fn step(&mut self, id: StepId, written: Written) -> Written {
        let system = self.system;
        let step = &system.steps[id];
        let written = self.block(Unit::Procedure(step.procedure), step.body, written);
        // What it ensures is looked at when it has written.
        let own = of_block(system, step.body, step.procedure).writes;
        let promised = &promised(system, id) - &own;
        self.read(&written, &promised, &self.rests.of_step(id));
        written
    }

    fn block(&mut self, unit: Unit, block: BlockId, mut written: Written) -> Written {
        let system = self.system;
        for &op in &system.blocks[block].ops {
            self.statement((unit, op), &mut written);
        }
        written
    }

    fn statement(&mut self, (unit, id): (Unit, StmtId), written: &mut Written) {
        let kind = &self.system.ops[id].kind;
        let by = self.rests.of_statement(unit, id);
        let own = self.own(unit, id).clone();
        match kind {
            OpKind::Each(_) | OpKind::Repeat(..) => {
                self.read(written, &own.reads, &by);
                let inside = self.written_in(unit, &kind.blocks());
                join(written, &inside);
                if looks_again(kind) {
                    self.read(written, &own.reads, &by);
                }
                for block in kind.blocks() {
                    self.block(unit, block, written.clone());
                }
            }
            OpKind::Atomic(block) => self.together(unit, *block, written),
            // Of everything else each block is done once, or not at all.
            _ => {
                self.read(written, &own.reads, &by);
                self.write(kind, &own.writes, &by, written);
                self.set_off(id, written);
                let before = written.clone();
                for block in kind.blocks() {
                    let after = self.block(unit, block, before.clone());
                    join(written, &after);
                }
            }
        }
    }

    /// Statements that read what was there before any of them wrote.
    fn together(&mut self, unit: Unit, block: BlockId, written: &mut Written) {
        let all = super::source::ops(self.system, [block]);
        for &op in &all {
            let by = self.rests.of_statement(unit, op);
            let reads = self.own(unit, op).reads.clone();
            self.read(written, &reads, &by);
        }
        let inside = self.written_in(unit, &[block]);
        join(written, &inside);
        for op in all {
            self.set_off(op, written);
        }
    }

    fn write(&self, kind: &OpKind, places: &Places, by: &Clauses, written: &mut Written) {
        if let OpKind::Set(ir::Place::Var(var, _), _) = kind {
            written.remove(&Place::Var(*var));
        }
        for &place in places {
            written.entry(place).or_default().extend(by);
        }
    }

    /// What a statement announces and begins.
    fn set_off(&mut self, id: StmtId, written: &mut Written) {
        let system = self.system;
        let kind = &system.ops[id].kind;
        for event in system.announced_by(kind) {
            self.match_all(event, written);
        }
        let begun = come_to(system, kind);
        let mut inside = Written::new();
        for unit in &begun {
            if let Some(found) = self.writes.get(unit) {
                join(&mut inside, found);
            }
        }
        // Several may come one after the other, and one for each listener.
        let is_once = begun.len() == 1 && matches!(kind, OpKind::Call(..));
        let before = written.clone();
        join(written, &inside);
        for unit in begun {
            let entry = self.entry.entry(unit).or_default();
            let more = join(entry, if is_once { &before } else { written });
            if more {
                self.todo.insert(unit);
            }
        }
    }

    /// What the triggers of an event look at when it is announced.
    fn match_all(&mut self, event: EventId, written: &Written) {
        let system = self.system;
        let raising = of_raising(system, event).reads;
        for &trigger in &system.events[event].triggers {
            let reader = Reader::new(system, Unit::Trigger(trigger));
            let mut reads = of_matching(system, trigger).reads;
            reads.extend(reader.turn(trigger).footprint.reads);
            reads.extend(&raising);
            self.read(written, &reads, &self.rests.of_listening(trigger));
        }
    }
}

/// Whether what is repeated is looked at anew after it was done.
fn looks_again(kind: &OpKind) -> bool {
    match kind {
        OpKind::Each(each) => !matches!(each.domain, DomainPolicy::Snapshot),
        // A `repeat` asks for its condition each time.
        _ => true,
    }
}
