//! Which clauses say what: on which of them a statement, a step, a trigger or a restart rests.
//!
//! ```text
//! step a                cites d.9     a rests on d.9
//!   set k to 1                        so does this statement
//!   clause d.2
//!     set j to k                      this one rests on d.2 alone
//! ```
//!
//! A statement rests on the innermost clause around it, and on those that its step or trigger cites, unless it stands in
//! a clause of its own there, and those that its sequence cites, unless it or its step does. What rests on no clause counts for the clauses of whatever performs it or sets
//! it off.

use std::collections::{BTreeMap, BTreeSet};

use super::source::{bodies_of, ops, sequences, woken};
use super::{Source, Thing};
use endstep_kernel::footprint::{Unit, come_to};
use endstep_language::typing::program::{
    BlockId, ClauseIdx, Owner, Program, SequenceId, StepId, StmtId, TriggerId,
};

/// Some clauses.
pub(super) type Clauses = BTreeSet<ClauseIdx>;

/// The clauses of all that is shown.
pub(super) struct Rests<'s> {
    pub source: Source<'s>,
    /// The sequences and triggers that are shown.
    pub units: Vec<Unit>,
    /// The clauses of what begins a unit.
    begun: BTreeMap<Unit, Clauses>,
}

impl<'s> Rests<'s> {
    pub fn of(source: Source<'s>) -> Self {
        let shown = sequences(source).into_iter().map(Unit::Procedure);
        let triggers = woken(source).into_iter().map(Unit::Trigger);
        let mut rests = Self {
            source,
            units: shown.chain(triggers).collect(),
            begun: BTreeMap::new(),
        };
        loop {
            let before = rests.begun.clone();
            for unit in rests.units.clone() {
                for op in ops(source.system, rests.blocks(unit)) {
                    rests.begin(unit, op);
                }
            }
            if rests.begun == before {
                return rests;
            }
        }
    }

    /// What a statement begins counts for its clauses, and so does what it announces.
    fn begin(&mut self, unit: Unit, op: StmtId) {
        let system = self.source.system;
        let kind = &system.ops[op].kind;
        let own = self.of_statement(unit, op);
        let events = system.announced_by(kind).into_iter();
        let woken = events.flat_map(|event| &system.events[event].triggers);
        let woken = woken.map(|&id| Unit::Trigger(id));
        for begun in come_to(system, kind).into_iter().chain(woken) {
            self.begun.entry(begun).or_default().extend(&own);
        }
    }

    /// The bodies of a unit.
    pub fn blocks(&self, unit: Unit) -> Vec<BlockId> {
        let system = self.source.system;
        match unit {
            Unit::Procedure(id) => {
                let bodies = bodies_of(system, id).into_iter();
                bodies.map(|body| body.block).collect()
            }
            Unit::Trigger(id) => vec![system.triggers[id].body],
        }
    }

    /// All statements of a block of a unit and of what it comes to, each with its unit.
    pub fn reached(&self, unit: Unit, block: BlockId) -> Vec<(Unit, StmtId)> {
        let system = self.source.system;
        let mut found: Vec<(Unit, StmtId)> = Vec::new();
        let mut todo = vec![(unit, vec![block])];
        let mut seen = BTreeSet::new();
        while let Some((unit, blocks)) = todo.pop() {
            for op in ops(system, blocks) {
                found.push((unit, op));
                for begun in come_to(system, &system.ops[op].kind) {
                    if seen.insert(begun) {
                        todo.push((begun, self.blocks(begun)));
                    }
                }
            }
        }
        found
    }

    /// Of a statement of a unit.
    pub fn of_statement(&self, unit: Unit, id: StmtId) -> Clauses {
        self.or_begun(unit, stated(self.source.program, id))
    }

    /// Of the order of a list, and the places for which it is done.
    pub fn of_sequence(&self, id: SequenceId) -> Clauses {
        let sequence = &self.source.program.sequences[id];
        let own = sequence.clause.into_iter().chain(sequence.cites.clone());
        self.or_begun(Unit::Procedure(id), own.collect())
    }

    /// Of what decides whether a sequence begins again.
    pub fn of_restart(&self, id: SequenceId) -> Clauses {
        let own = headed(self.source.program, Owner::Restart(id));
        self.or_begun(Unit::Procedure(id), own)
    }

    /// Of what a trigger listens for.
    pub fn of_listening(&self, id: TriggerId) -> Clauses {
        let own = headed(self.source.program, Owner::Trigger(id));
        self.or_begun(Unit::Trigger(id), own)
    }

    /// Of what a step ensures.
    pub fn of_step(&self, id: StepId) -> Clauses {
        let sequence = self.source.program.steps[id].sequence;
        let own = headed(self.source.program, Owner::Step(id));
        self.or_begun(Unit::Procedure(sequence), own)
    }

    /// Of a step or restart as a whole: those on which it rests, or, if there are none, on which its statements do.
    pub fn whole(&self, thing: Thing) -> Clauses {
        let (heading, inside) = self.said(thing);
        match heading.is_empty() {
            true => inside,
            false => heading,
        }
    }

    /// Of all that a step, restart or trigger does.
    pub fn all_of(&self, thing: Thing) -> Clauses {
        let (heading, inside) = self.said(thing);
        heading.union(&inside).copied().collect()
    }

    /// On which a step, restart or trigger rests, and on which its statements do.
    fn said(&self, thing: Thing) -> (Clauses, Clauses) {
        let (program, system) = (self.source.program, self.source.system);
        let (owner, block) = match thing {
            Thing::Step(id) => (Owner::Step(id), Some(system.steps[id].body)),
            Thing::Trigger(id) => (Owner::Trigger(id), Some(system.triggers[id].body)),
            Thing::Restart(id) => {
                let rule = system.procedures[id].restart.as_ref();
                (Owner::Restart(id), rule.and_then(|rule| rule.before))
            }
            Thing::Event(_) | Thing::Place(_) | Thing::Clause(_) => return Default::default(),
        };
        let inside = ops(system, block).into_iter();
        let inside = inside.flat_map(|op| stated(program, op)).collect();
        (headed(program, owner), inside)
    }

    fn or_begun(&self, unit: Unit, own: Clauses) -> Clauses {
        match own.is_empty() {
            true => self.begun.get(&unit).cloned().unwrap_or_default(),
            false => own,
        }
    }
}

/// The clauses on which a step, trigger or restart rests as it is written.
fn headed(program: &Program, owner: Owner) -> Clauses {
    let (clause, cites) = match owner {
        Owner::Step(id) => {
            let step = &program.steps[id];
            let sequence = &program.sequences[step.sequence];
            // What the sequence cites, all of its steps do that stand in no clause of their own.
            let whole = sequence.cites.iter();
            let whole = whole.filter(|_| step.clause == sequence.clause);
            (step.clause, step.cites.iter().chain(whole).collect())
        }
        Owner::Trigger(id) => {
            let trigger = &program.triggers[id];
            (trigger.clause, trigger.cites.iter().collect::<Vec<_>>())
        }
        Owner::Restart(id) => {
            let rule = program.sequences[id].restart.as_ref();
            (rule.and_then(|rule| rule.clause), Vec::new())
        }
    };
    clause
        .into_iter()
        .chain(cites.into_iter().copied())
        .collect()
}

/// The clause of a step, trigger or restart.
fn around(program: &Program, owner: Owner) -> Option<ClauseIdx> {
    match owner {
        Owner::Step(id) => program.steps[id].clause,
        Owner::Trigger(id) => program.triggers[id].clause,
        Owner::Restart(id) => program.sequences[id].restart.as_ref()?.clause,
    }
}

/// The clauses on which a statement rests as it is written.
fn stated(program: &Program, id: StmtId) -> Clauses {
    let statement = &program.stmts[id];
    match statement.owner {
        Some(owner) if statement.clause == around(program, owner) => headed(program, owner),
        _ => statement.clause.into_iter().collect(),
    }
}
