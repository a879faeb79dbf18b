//! What is wrong with the document without any board, what no board ever executes, and what none would
//! miss.

use std::collections::{BTreeMap, BTreeSet};

use super::branch::{Found, Plainness};
use super::bucket::{BucketKey, Buckets, Hit, Place};
use super::harvest::discovered;
use super::job::{Reachable, outer_blocks};
use super::mentions;
use super::unknown::Unknown;
use crate::verdict::{Coverage, Detail, Finding};
use endstep_language::diag::Severity;
use endstep_language::diag::codes::finding as code;
use endstep_language::typing::program::{
    BlockId, ClaimKind, Clause, ClauseIdx, EventId, Owner, Program, ReadingId, SequenceId, StepId,
    StmtId,
};
use endstep_semantics::semantics::{Readings, Site};
use endstep_semantics::witness::{Witness, site_path, step_path};

/// Missing clauses, references that lead nowhere, terms that nothing defines.
pub fn clauses(program: &Program) -> Vec<(BucketKey, Finding)> {
    let mut buckets = Buckets::new(program);
    for (id, clause) in program.clauses.iter() {
        if is_missing(clause) {
            let detail = Detail::MissingClause(id);
            let mut hit = about(program, id, code::MISSING_CLAUSE, detail);
            // Work that is still to be done is no fault of the document.
            hit.severity = Severity::Note;
            add(&mut buckets, hit);
        }
        for (reference, span) in &clause.dangling {
            let detail = Detail::DanglingReference(id, reference.clone());
            let mut hit = about(program, id, code::DANGLING_REFERENCE, detail);
            hit.spans.insert(0, *span);
            add(&mut buckets, hit.because(reference.as_str()));
        }
        for (term, span) in &clause.undefined {
            let detail = Detail::UndefinedTerm(id, term.clone());
            let mut hit = about(program, id, code::UNDEFINED_TERM, detail);
            hit.spans.insert(0, *span);
            add(&mut buckets, hit.because(term.as_str()));
        }
    }
    buckets.finish(program, None, &Unknown::default(), &mut |_| None)
}

/// Notes and references say nothing that could be formalised; a definition may be nothing but one.
fn is_missing(clause: &Clause) -> bool {
    !clause.owes_nothing() && !clause.formalised && clause.waived.is_none()
}

fn about(
    program: &Program,
    id: ClauseIdx,
    code: endstep_language::diag::Code,
    detail: Detail,
) -> Hit {
    let clause = &program.clauses[id];
    let mut hit = discovered(code, Severity::Warning, clause.id.clone(), detail);
    hit.clauses.push(id);
    hit.spans.push(clause.span);
    hit
}

/// What was never executed, the outermost of it.
///
/// A reading is dead if no rule that was explored speaks of it.
pub fn dead(program: &Program, coverage: &Coverage) -> Vec<(BucketKey, Finding)> {
    let mut buckets = Buckets::new(program);
    let hidden = Hidden::of(program);
    let looked = what_is_explored(program);
    for (block, owner) in outer_blocks(program) {
        match owner {
            owner if hidden.holds(program, block, owner) => {}
            // What was not run, or from some boards only, can be done all the same.
            owner if !looked.holds(program, owner) => {}
            Owner::Step(step) if !coverage.has_step(step) => {
                let path = step_path(program, step);
                let hit = discovered(code::DEAD, Severity::Note, path, Detail::DeadStep(step));
                add(&mut buckets, hit.at(program, Site::Step(step)));
            }
            Owner::Trigger(trigger) if !coverage.has_trigger(trigger) => {
                let name = program.triggers[trigger].name.clone();
                let detail = Detail::DeadTrigger(trigger);
                let hit = discovered(code::DEAD, Severity::Note, name, detail);
                add(&mut buckets, hit.at(program, Site::Trigger(trigger)));
            }
            Owner::Step(_) | Owner::Trigger(_) | Owner::Restart(_) => {
                for stmt in dead_statements(program, coverage, block) {
                    let path = site_path(program, Site::Stmt(stmt));
                    let detail = Detail::DeadStatement(stmt);
                    let hit = discovered(code::DEAD, Severity::Note, path, detail);
                    add(&mut buckets, hit.at(program, Site::Stmt(stmt)));
                }
            }
        }
    }
    for (id, reading) in program.readings.iter() {
        if !coverage.readings.contains(&id) && !hidden.readings.contains(&id) {
            let detail = Detail::DeadReading(id);
            let mut hit = discovered(code::DEAD, Severity::Note, reading.name.clone(), detail);
            hit.clauses.extend(reading.clause);
            hit.spans.push(reading.span);
            add(&mut buckets, hit.because("reading"));
        }
    }
    buckets.finish(program, None, &Unknown::default(), &mut |_| None)
}

/// To what the sequences can come that are run, and what only others come to.
pub struct Begun {
    sequences: BTreeSet<SequenceId>,
    /// Events that nothing that is run announces, and something else does.
    others: BTreeSet<EventId>,
}

/// What is run of the rules: the sequences that are verified, asked about or performed by examples, with all that they lead to.
pub fn what_is_run(program: &Program) -> Begun {
    led_to_by(program, begun(program))
}

/// The same of what is run from all legal boards: not what examples perform, what is asked of one board, or what a claim compares
/// with something on some boards.
fn what_is_explored(program: &Program) -> Begun {
    let verified = program.verifies.iter().map(|one| one.sequence);
    let asked = program.claims.iter().filter(|claim| claim.on.is_none());
    let asked = asked.flat_map(|claim| {
        let other = match claim.kind {
            ClaimKind::Equivalent(_, other, None) => Some(other),
            _ => None,
        };
        other.into_iter().chain([claim.kind.sequence()])
    });
    led_to_by(program, verified.chain(asked).collect())
}

fn led_to_by(program: &Program, sequences: BTreeSet<SequenceId>) -> Begun {
    let rules = |one: &SequenceId| !program.sequences[*one].is_experiment();
    let (run, events) = led_to(program, sequences.into_iter().filter(rules));
    let (_, all) = led_to(program, program.sequences.ids().filter(rules));
    Begun {
        sequences: run.sequences,
        others: all.difference(&events).copied().collect(),
    }
}

/// The sequences with which runs begin.
fn begun(program: &Program) -> BTreeSet<SequenceId> {
    let verified = program.verifies.iter().map(|one| one.sequence);
    let performed = program.examples.iter().map(|one| one.sequence);
    let asked = program.claims.iter().flat_map(|claim| {
        let other = match claim.kind {
            ClaimKind::Equivalent(_, other, _) => Some(other),
            _ => None,
        };
        other.into_iter().chain([claim.kind.sequence()])
    });
    verified.chain(performed).chain(asked).collect()
}

/// What sequences come to, by performing it or by triggers, and the events that are announced there.
fn led_to(
    program: &Program,
    sequences: impl Iterator<Item = SequenceId>,
) -> (Reachable, BTreeSet<EventId>) {
    let mut found = Reachable::default();
    for sequence in sequences {
        found.add(Reachable::from_sequence(program, sequence));
    }
    let events = with_triggers(program, &mut found);
    (found, events)
}

/// The sequences that nothing runs, in the order in which they stand: no `verify`, claim, question or example comes to them.
pub fn sequences_not_run(program: &Program) -> Vec<SequenceId> {
    // Of what an experiment performs it is known what it does there.
    let (run, _) = led_to(program, begun(program).into_iter());
    let all = program.sequences.iter();
    let rules = all.filter(|(id, one)| !one.is_experiment() && !run.sequences.contains(id));
    rules.map(|(id, _)| id).collect()
}

impl Begun {
    /// Whether something is part of it, or of nothing at all.
    pub fn holds(&self, program: &Program, owner: Owner) -> bool {
        match owner {
            Owner::Trigger(trigger) => !self.others.contains(&program.triggers[trigger].event),
            Owner::Step(step) => self.sequences.contains(&program.steps[step].sequence),
            Owner::Restart(sequence) => self.sequences.contains(&sequence),
        }
    }
}

/// The events that something can announce, with those that the triggers of these can; what the triggers come to is added.
fn with_triggers(program: &Program, found: &mut Reachable) -> BTreeSet<EventId> {
    let mut events: BTreeSet<EventId> = BTreeSet::new();
    let mut todo: Vec<EventId> = found.announced(program).collect();
    while let Some(event) = todo.pop() {
        if !events.insert(event) {
            continue;
        }
        let triggers = program.triggers.values().iter();
        for trigger in triggers.filter(|one| one.event == event) {
            let body = Reachable::from_body(program, trigger.body);
            todo.extend(body.announced(program));
            found.add(body);
        }
    }
    events
}

/// What was not tried where a contract stood for it, whether or not it was tried elsewhere.
#[derive(Default)]
struct Hidden {
    stmts: BTreeSet<StmtId>,
    events: BTreeSet<EventId>,
    readings: BTreeSet<ReadingId>,
}

impl Hidden {
    fn of(program: &Program) -> Self {
        let mut hidden = Reachable::default();
        for verify in &program.verifies {
            let contracts = verify.contracts.iter().copied().collect();
            let tried = Reachable::from(program, verify.sequence, &contracts);
            let rules = Reachable::from(program, verify.sequence, &BTreeSet::new());
            hidden.add(rules.without(&tried));
        }
        if hidden.sequences.is_empty() {
            return Self::default();
        }
        // What the triggers of these events do and announce was not tried either.
        let events = with_triggers(program, &mut hidden);
        Self {
            events,
            readings: mentions::readings(program, &hidden),
            stmts: hidden.stmts,
        }
    }

    fn holds(&self, program: &Program, block: BlockId, owner: Owner) -> bool {
        let first = program.blocks[block].stmts.first();
        match owner {
            Owner::Trigger(trigger) => self.events.contains(&program.triggers[trigger].event),
            Owner::Step(_) | Owner::Restart(_) => {
                first.is_some_and(|stmt| self.stmts.contains(stmt))
            }
        }
    }
}

/// Steps that make no difference, each with all the sequences that come out the same without it.
///
/// One finding for each, wherever it was executed: which sequence is looked at first depends on the
/// order of clauses, and findings must not.
pub fn idle(
    program: &Program,
    idle: &BTreeMap<StepId, BTreeSet<SequenceId>>,
) -> Vec<(BucketKey, Finding)> {
    let mut buckets = Buckets::new(program);
    for (&step, sequences) in idle {
        let detail = Detail::IdleStep(step, sequences.iter().copied().collect());
        let hit = discovered(code::IDLE, Severity::Note, step_path(program, step), detail);
        add(&mut buckets, hit.at(program, Site::Step(step)));
    }
    buckets.finish(program, None, &Unknown::default(), &mut |_| None)
}

/// The first statement of a block that was never executed (those after it were not either), and
/// those inside of executed ones.
fn dead_statements(program: &Program, coverage: &Coverage, block: BlockId) -> Vec<StmtId> {
    let mut found = Vec::new();
    for &stmt in &program.blocks[block].stmts {
        if !coverage.has_stmt(stmt) {
            found.push(stmt);
            break;
        }
        for inner in program.stmts[stmt].kind.blocks() {
            found.extend(dead_statements(program, coverage, inner));
        }
    }
    found
}

fn add(buckets: &mut Buckets, hit: Hit) {
    let readings = Readings::new();
    let place = Place {
        board: 0,
        entities: 0,
        readings: &readings,
        oblique: false,
        mixed: false,
        plainest: Plainness::Ends,
    };
    buckets.record(place, hit, 0, || None::<Found<Witness>>);
}
