//! Which readings the rules that a sequence may execute speak of.
//!
//! A reading that is spoken of but that no run depends on coincides in all its alternatives; one that
//! is not spoken of has nothing to do with the sequence.

use std::collections::BTreeSet;

use super::job::{Job, Reachable};
use endstep_language::typing::program::{
    ClaimKind, DefineId, ListPolicy, Nest, ObserverId, Program, ReadingId, SequenceId, Sight,
    Visit, Walk,
};

/// The readings that what is reachable speaks of.
pub fn readings(program: &Program, reachable: &Reachable) -> BTreeSet<ReadingId> {
    let mut readings = Readings::new(program);
    for &sequence in &reachable.sequences {
        readings.sequence(sequence);
    }
    for &step in &reachable.steps {
        program.steps[step].ensures.meet(&mut readings);
    }
    for trigger in program.triggers.values() {
        trigger.condition.meet(&mut readings);
        trigger.listener.meet(&mut readings);
    }
    let raising = program.events.values().iter();
    for whenever in raising.filter_map(|event| event.whenever.as_ref()) {
        whenever.condition.meet(&mut readings);
        whenever.with.meet(&mut readings);
    }
    for &stmt in &reachable.stmts {
        program.stmts[stmt].kind.meet(&mut readings);
    }
    readings.found
}

/// The readings that what an observer sees depends on.
pub fn seen_by(program: &Program, observer: ObserverId) -> BTreeSet<ReadingId> {
    let mut readings = Readings::new(program);
    for sight in &program.observers[observer].sights {
        match sight {
            Sight::Expr(e) => e.meet(&mut readings),
            Sight::Kinds(kinds) => {
                kinds.binder.meet(&mut readings);
                kinds.by.meet(&mut readings);
            }
            Sight::Everything
            | Sight::Field(_)
            | Sight::Var(_)
            | Sight::Zone(..)
            | Sight::IgnoreField(_)
            | Sight::IgnoreVar(_)
            | Sight::IgnoreZone(_) => {}
        }
    }
    readings.found
}

/// The readings of which the sequences speak that claims compare.
pub fn compared<'p>(program: &'p Program, job: &'p Job) -> impl Iterator<Item = ReadingId> + 'p {
    let claims = job.claims.iter().map(|&claim| &program.claims[claim]);
    let others = claims.filter_map(|claim| match claim.kind {
        ClaimKind::Equivalent(_, other, _) => Some(other),
        _ => None,
    });
    others.flat_map(|other| {
        let reachable = Reachable::from(program, other, &job.variant.contracts);
        readings(program, &reachable)
    })
}

/// The readings of which it can be asked whether they matter to a job: those that its rules speak of, what stands for sequences, and
/// what its observer sees; and those on which it depends which boards there are.
pub fn asked(
    program: &Program,
    job: &Job,
    mut mentioned: BTreeSet<ReadingId>,
) -> BTreeSet<ReadingId> {
    let observer = job.observer.into_iter();
    mentioned.extend(observer.flat_map(|observer| seen_by(program, observer)));
    mentioned.extend(of_boards(program));
    let mut readings = Readings::new(program);
    for &sequence in &job.variant.contracts {
        let Some(contract) = &program.sequences[sequence].contract else {
            continue;
        };
        contract.ensures.meet(&mut readings);
        for change in &contract.changes {
            change.within.meet(&mut readings);
        }
    }
    mentioned.extend(readings.found);
    mentioned
}

/// The readings on which it depends which boards are legal, or explored.
pub fn of_boards(program: &Program) -> BTreeSet<ReadingId> {
    let mut readings = Readings::new(program);
    let legal = program.legals.iter().chain(&program.explored);
    let verified = program.verifies.iter();
    let verified = verified.filter_map(|one| one.condition.as_ref());
    for condition in legal.map(|one| &one.condition).chain(verified) {
        condition.meet(&mut readings);
    }
    readings.found
}

/// Notes readings, also those of the definitions that are applied.
struct Readings<'p> {
    program: &'p Program,
    found: BTreeSet<ReadingId>,
    defines: BTreeSet<DefineId>,
}

impl Visit<'_> for Readings<'_> {
    fn reading(&mut self, id: ReadingId) {
        self.found.insert(id);
    }

    fn define(&mut self, id: DefineId) {
        if self.defines.insert(id) {
            self.program.defines[id].body.meet(self);
        }
    }
}

impl<'p> Readings<'p> {
    fn new(program: &'p Program) -> Self {
        Self {
            program,
            found: BTreeSet::new(),
            defines: BTreeSet::new(),
        }
    }
    fn sequence(&mut self, sequence: SequenceId) {
        let declared = &self.program.sequences[sequence];
        if let ListPolicy::Unspecified(reading) = declared.policy {
            self.found.insert(reading);
        }
        if let Some(over) = &declared.over {
            over.binder.meet(self);
            over.order.meet(self);
            if let Nest::Unspecified(reading) = over.nest {
                self.found.insert(reading);
            }
        }
        if let Some(rule) = &declared.restart {
            rule.when.meet(self);
            rule.cancel.meet(self);
            rule.unfinished.meet(self);
        }
    }
}
