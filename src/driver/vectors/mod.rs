//! Conformance vectors: few runs that cover what a specification says, for other programs to be tested with.
//!
//! ```text
//! board, choices   ──▶   the data after everything that changes them, the outcome
//!                        all outcomes that the rules allow on this board
//! ```
//!
//! Boards and schedules are sampled, guided by where runs go, and made smaller (`search`); of the runs
//! that result, few are taken that together cover every clause, branch, alternative of a reading, trigger,
//! pair of triggers and choice that any of them covers (`goal`). What is written down is what the interpreter
//! does, not what the engine did that found it.
//!
//! *Guarantees.* The same program and terms give the same vectors. What is not covered is said.
//!
//! *Limits.* What no sampled run does is not covered, though another might do it. How few they are is
//! greedy: the next is the one that covers most of what is left; then those that the others make
//! superfluous are left out.
//!
//! *Background.* V. Chvátal, A greedy heuristic for the set-covering problem, Mathematics of Operations
//! Research, 1979.

mod goal;
mod probe;
mod search;
mod terms;

pub use terms::Terms;

use std::collections::BTreeSet;

use endstep_kernel::footprint::{Reached, reached};
use endstep_kernel::ir::System;
use endstep_language::typing::program::{ClaimKind, Owner, Program, SequenceId, Stmt};
use endstep_report::report::{Goal, Vector, Vectors, Within, changed_by};
use endstep_semantics::semantics::{Ended, Interpreter, Readings, Tag, Variant};
use endstep_semantics::witness::{ReplayError, Root, Run, outcomes_within, record};
use endstep_verdicts::analysis::{
    Begun, Boards, Ground, Halt, Job, Options, is_legal_at_all, jobs, what_is_run,
};
use endstep_verdicts::verdict::ScopeOf;
use goal::Map;
use search::Sampled;

/// The vectors of a program.
pub fn vectors(program: &Program, terms: &Terms) -> Vectors {
    let ground = Ground::new(program);
    let jobs = played(program, terms);
    let map = Map::new(program, &ground.system);
    let mut missed = map.all(program, &terms.fixed());
    if jobs.is_empty() {
        return Vectors {
            missed,
            ..Vectors::default()
        };
    }
    let candidate = |sampled| candidate((program, &map), &jobs, sampled);
    let sampled = search::runs(program, &ground, &jobs, terms).into_iter();
    let mut candidates: Vec<(Vector, Readings)> = sampled.filter_map(candidate).collect();
    missed.retain(|goal| candidates.iter().all(|(one, _)| !one.covers.contains(goal)));
    let mut nowhere = BTreeSet::new();
    let mut within = Within::default();
    if let Some(options) = &terms.exhaust {
        let others = others(program, terms, &jobs);
        let of = probe::Jobs {
            played: &jobs,
            others: &others,
        };
        let found = probe::look((program, &ground.system), of, (&missed, options));
        candidates.extend(found.runs.into_iter().filter_map(candidate));
        candidates.sort_by_key(|(one, _)| (one.run.board.entities.len(), one.run.choices.len()));
        let undecided = in_examples(program, &ground.system, terms);
        nowhere = found.nowhere;
        let begun = what_is_run(program);
        // Of what nothing runs, nobody knows; of one sequence it is said of that.
        let is_run = |goal| terms.sequence.is_some() || is_run(program, &begun, goal);
        nowhere.retain(|&goal| is_run(goal) && !may_do(program, &undecided, goal));
        within = restricted(program, terms, (&jobs, &others));
    }
    let runs = candidates.len();
    let all = few(candidates).into_iter();
    let all: Vec<Vector> = all
        .map(|(mut vector, assignment)| {
            allow(program, (&mut vector, &assignment), terms);
            vector
        })
        .collect();
    let covered: BTreeSet<Goal> = all
        .iter()
        .flat_map(|one| one.covers.iter().copied())
        .collect();
    missed.retain(|goal| !covered.contains(goal));
    Vectors {
        runs,
        all,
        covered,
        missed,
        nowhere,
        within,
    }
}

/// What else a check runs, unless only one sequence is wanted: the sequences that claims alone name, also as
/// those that another is compared with, each from the boards of its claim; and those that only examples perform.
fn others(program: &Program, terms: &Terms, played: &[Job]) -> Vec<Job> {
    if terms.sequence.is_some() {
        return Vec::new();
    }
    let mut found: Vec<Job> = Vec::new();
    let mut add = |other: Job| {
        let place = |one: &Job| (one.sequence, one.subject);
        let mut known = played.iter().chain(&found);
        if !known.any(|one| place(one) == place(&other)) {
            found.push(other);
        }
    };
    for job in jobs(program, None) {
        let claims = job.claims.iter().map(|&claim| &program.claims[claim].kind);
        let compared = claims.filter_map(|kind| match kind {
            ClaimKind::Equivalent(_, other, _) => Some(*other),
            _ => None,
        });
        let sequences: BTreeSet<SequenceId> = compared.chain([job.sequence]).collect();
        for sequence in sequences {
            add(Job {
                sequence,
                variant: Variant::default(),
                ..job.clone()
            });
        }
    }
    let performed = program.examples.iter().map(|one| one.sequence);
    let performed = performed.filter(|&id| program.sequences[id].params.is_empty());
    let is_played = |id: &SequenceId| played.iter().any(|one| one.sequence == *id);
    for sequence in performed.filter(|id| !is_played(id)) {
        add(Job {
            subject: ScopeOf::Sequence(sequence),
            sequence,
            sizes: Vec::new(),
            observer: None,
            variant: Variant::default(),
            claims: Vec::new(),
            also: Vec::new(),
            full: false,
            all_legal: false,
            on: None,
        });
    }
    found
}

/// What runs of examples can come to that are not looked at: sequences with parameters have other arguments there.
fn in_examples(program: &Program, system: &System, terms: &Terms) -> Reached {
    let mut found = Reached::default();
    for example in &program.examples {
        if terms.sequence.is_none() && !program.sequences[example.sequence].params.is_empty() {
            let Reached {
                sequences,
                triggers,
            } = reached(system, example.sequence);
            found.sequences.extend(sequences);
            found.triggers.extend(triggers);
        }
    }
    found
}

/// Whether something is done by what is run, or by nothing at all.
fn is_run(program: &Program, begun: &Begun, goal: Goal) -> bool {
    let is_in = |stmt: &Stmt| stmt.owner.is_none_or(|owner| begun.holds(program, owner));
    match goal {
        Goal::Branch(stmt, _) => is_in(&program.stmts[stmt]),
        Goal::Trigger(trigger) => begun.holds(program, Owner::Trigger(trigger)),
        Goal::Clause(clause) => {
            let mut stmts = program.stmts.values().iter();
            stmts.any(|one| one.clause == Some(clause) && is_in(one))
        }
        Goal::Alternative(..) | Goal::After(..) | Goal::Choice(_) => true,
    }
}

/// Whether something is done by what can be come to, as far as the text shows.
fn may_do(program: &Program, part: &Reached, goal: Goal) -> bool {
    let is_in = |stmt: &Stmt| match stmt.owner {
        Some(Owner::Step(step)) => part.sequences.contains(&program.steps[step].sequence),
        Some(Owner::Restart(sequence)) => part.sequences.contains(&sequence),
        Some(Owner::Trigger(trigger)) => part.triggers.contains(&trigger),
        None => false,
    };
    match goal {
        Goal::Branch(stmt, _) => is_in(&program.stmts[stmt]),
        Goal::Trigger(trigger) => part.triggers.contains(&trigger),
        Goal::Clause(clause) => {
            let mut stmts = program.stmts.values().iter();
            stmts.any(|one| one.clause == Some(clause) && is_in(one))
        }
        Goal::Alternative(..) | Goal::After(..) | Goal::Choice(_) => !part.sequences.is_empty(),
    }
}

/// What of the runs that the rules have is not looked at everywhere, apart from larger boards.
fn restricted(program: &Program, terms: &Terms, (played, others): (&[Job], &[Job])) -> Within {
    let all = || played.iter().chain(others);
    // Where a sequence is looked at from all boards as well, a condition leaves out nothing.
    let is_whole = |one: &Job| {
        let mut same = all().filter(|other| other.sequence == one.sequence);
        same.any(|other| other.only(program).is_none() && is_as_large(program, other, one))
    };
    let conditions = all().filter(|one| !is_whole(one));
    let sizes = &terms.scene.sizes;
    Within {
        sequence: terms.sequence,
        conditions: conditions.filter_map(Job::verify).collect(),
        fixed: terms.fixed(),
        sizes: sizes.most.clone(),
        fields: sizes.fields.clone(),
    }
}

/// Whether a job is asked for at least as many of each sort as another.
fn is_as_large(program: &Program, one: &Job, other: &Job) -> bool {
    let sizes = |job: &Job| Boards::of(program, job, &Options::default()).sizes;
    let both = sizes(one).into_iter().zip(sizes(other));
    both.into_iter()
        .all(|((_, _, most), (_, _, other))| most >= other)
}

/// What a run covers; nothing if it cannot be followed.
fn candidate(
    (program, map): (&Program, &Map),
    jobs: &[Job],
    sampled: Sampled,
) -> Option<(Vector, Readings)> {
    let Sampled {
        job,
        run,
        assignment,
    } = sampled;
    // A bound of exploration is nothing that an implementation has to do.
    if matches!(run.tag(), Some(Tag::Limit(_))) {
        return None;
    }
    let instants = record(program, &run).ok()?;
    let mut covers = map.covered(program, &run, &instants);
    let readings = run.readings.iter();
    covers.extend(readings.map(|(&id, &at)| Goal::Alternative(id, at)));
    let vector = Vector {
        run,
        instants,
        observer: jobs[job].observer,
        allowed: None,
        covers,
    };
    Some((vector, assignment))
}

/// Fixes the readings on which it depends whether the board is legal: who reads otherwise does not have it.
fn read_legality(program: &Program, run: &mut Run, assignment: &Readings) {
    loop {
        let it = Interpreter {
            program,
            readings: &run.readings,
            variant: &run.variant,
        };
        let Err(Halt::Consult(reading)) = is_legal_at_all(it, &run.board) else {
            return;
        };
        let Some(&alternative) = assignment.get(&reading) else {
            return;
        };
        run.readings.insert(reading, alternative);
    }
}

/// Adds the outcomes allowed. A reading that only other runs of the board depend on is fixed as well.
fn allow(program: &Program, (vector, assignment): (&mut Vector, &Readings), terms: &Terms) {
    read_legality(program, &mut vector.run, assignment);
    loop {
        let within = (vector.observer, terms.states);
        match outcomes_within(program, &vector.run, within) {
            Err(ReplayError::ReadingNotFixed(reading))
                if !vector.run.readings.contains_key(&reading) =>
            {
                let Some(&alternative) = assignment.get(&reading) else {
                    return;
                };
                vector.run.readings.insert(reading, alternative);
            }
            told => {
                // Where a run was given up, it may have come to any outcome.
                let is_given_up = |ended: &Option<Ended>| {
                    let tag = ended.as_ref().map(|ended| &ended.tag);
                    matches!(tag, Some(Tag::Limit(_)))
                };
                // To what else a gap may change something was not tried.
                let is_part = match vector.run.root {
                    Root::Sequence(of, _) => !changed_by(program, of, &BTreeSet::new()).is_empty(),
                    Root::Step(..) => true,
                };
                let all = told.ok().filter(|_| !is_part);
                vector.allowed = all.filter(|all| !all.values().any(is_given_up));
                return;
            }
        }
    }
}

/// The sequences that are verified, as they are: what a contract stands for is played.
fn played(program: &Program, terms: &Terms) -> Vec<Job> {
    let mut all = jobs(program, None);
    all.retain(|job| job.verify().is_some());
    all.retain(|job| terms.sequence.is_none_or(|wanted| wanted == job.sequence));
    for job in &mut all {
        job.variant = Variant::default();
        job.all_legal = terms.scene.all_legal;
    }
    all
}

/// Few of some vectors that cover as much as all of them.
fn few(mut candidates: Vec<(Vector, Readings)>) -> Vec<(Vector, Readings)> {
    let mut left: BTreeSet<Goal> = candidates
        .iter()
        .flat_map(|(one, _)| one.covers.iter().copied())
        .collect();
    let mut taken: Vec<usize> = Vec::new();
    while !left.is_empty() {
        let gain = |at: usize| candidates[at].0.covers.intersection(&left).count();
        // Of equals the first, which has the smallest board.
        let best = (0..candidates.len()).max_by_key(|&at| (gain(at), std::cmp::Reverse(at)));
        let Some(best) = best.filter(|&at| gain(at) > 0) else {
            break;
        };
        left.retain(|goal| !candidates[best].0.covers.contains(goal));
        taken.push(best);
    }
    // Later ones may have made an earlier one superfluous, large ones first.
    taken.sort_unstable();
    for at in taken.clone().into_iter().rev() {
        let others = taken.iter().filter(|&&other| other != at);
        let covered: BTreeSet<Goal> = others
            .flat_map(|&other| candidates[other].0.covers.iter().copied())
            .collect();
        if candidates[at].0.covers.is_subset(&covered) {
            taken.retain(|&other| other != at);
        }
    }
    let mut found = Vec::new();
    for at in taken.into_iter().rev() {
        found.push(candidates.swap_remove(at));
    }
    found.reverse();
    found
}
