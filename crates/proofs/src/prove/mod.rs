//! Turns a system into proofs that hold for boards of every size.
//!
//! The prover reads the system, never an instance of it: a field is a function from entities to
//! values, however many entities there are (`state`), a body is run once, on all boards together
//! (`exec`), and whether two parts can change places is one question to the solver (`commute`).
//!
//! ```text
//! for each c: Card in board, in any order
//!   decrease c.guest.health by 1              proved: two guests' losses add up, one guest's too
//! ```
//!
//! *Guarantees.* "Proved" means that the solver finds no data, and that what is assumed is possible.
//! What cannot be told in terms that mean the same is refused, with the obstacle ([`Obstacle`]).
//! Exploration bounds play no part; the document's bounds are facts. Integers are of any size: what
//! is proved holds of runs that stay within 64 bits.
//!
//! *Limits.* Nothing is assumed of the data at a point but what holds of all data, so that a pair
//! that can change places only on boards that can be reached is not proved.

mod always;
mod begins;
mod change;
mod choose;
mod coincide;
mod commute;
mod context;
mod ends;
mod eval;
mod exec;
mod frame;
mod instantiate;
mod iterate;
mod keep;
mod loose;
mod make;
mod measure;
mod met;
mod query;
mod reach;
mod rounds;
mod split;
mod state;
mod suggest;
mod summary;
mod total;

use crate::smt::Solver;
use commute::{Commutation, Pair, Part, commute, two};
use context::Context;
use endstep_kernel::footprint::{Reached, Unit, keeps_order_of_places, keeps_order_told, raises};
use endstep_kernel::ir::{Binder, Each, OpKind, Range, System};
use endstep_language::typing::program::{Nest, SequenceId, StepId, TriggerId};
use endstep_verdicts::verdict::{Commuting, Obstacle, Outcome, Proof, Refusal};
use exec::any_locals;
use frame::Frame;
use reach::all_blocks;

pub use always::{Throughout, throughout};
pub use coincide::coincide;
pub use ends::{goes_straight, terminates};
pub use query::Sizes;
pub use split::apart;
pub use suggest::{Trial, suggest};

type Result<T> = std::result::Result<T, Refusal>;

/// Z3's resource units for one question; a second, about.
const RESOURCES: u32 = 4_000_000;

/// So many questions are asked about one sequence.
const MOST_QUESTIONS: u32 = 1500;

/// What the state raises has no terms, nor has a step that goes to another one.
fn has_terms(system: &System, all: &Reached) -> Result<()> {
    let sequences = all.sequences.iter().copied().map(Unit::Procedure);
    let triggers = all.triggers.iter().copied().map(Unit::Trigger);
    for unit in sequences.chain(triggers) {
        let mut blocks = all_blocks(system, unit);
        while let Some(block) = blocks.pop() {
            for &id in &system.blocks[block].ops {
                let op = &system.ops[id];
                if matches!(op.kind, OpKind::GoTo(_)) {
                    return Err(Refusal::at(Obstacle::Jumps, op.span));
                }
                if system.is_watched && raises(system, &op.kind) {
                    return Err(Refusal::at(Obstacle::Raised, op.span));
                }
                blocks.extend(op.kind.blocks());
            }
        }
    }
    Ok(())
}

/// What can be proved of pairs, each in a unit, between which nothing cuts in: no restart rule and no
/// contract, as [`order::questions`](endstep_verdicts::order::questions) gives them.
pub fn prove(system: &System, pairs: &[(Commuting, Unit)]) -> Vec<Proof> {
    let mut solver = Solver::new(RESOURCES);
    let one = |&(of, unit): &(Commuting, Unit)| {
        let outcome = match told(system, &mut solver, (of, unit)) {
            Ok(outcome) => outcome,
            Err(refusal) => Outcome::Refused(refusal),
        };
        Proof { of, outcome }
    };
    pairs.iter().map(one).collect()
}

/// Two parts that are asked about, with the terms that they are told in.
struct Asked<'s> {
    c: Context<'s>,
    pair: Pair<'s>,
}

fn told(system: &System, solver: &mut Solver, of: (Commuting, Unit)) -> Result<Outcome> {
    let mut questions = Vec::new();
    for Asked { mut c, pair } in asked(system, of)? {
        solver.forget();
        match commute(&mut c, solver, &pair)? {
            Commutation::Commute(more) => questions.extend(more),
            Commutation::May => return Ok(Outcome::Open),
            Commutation::GaveUp => return Ok(Outcome::GaveUp),
            Commutation::Vacuous => return Ok(Outcome::Vacuous),
        }
    }
    Ok(Outcome::Proved(questions))
}

/// The pairs of parts that have to be able to change places, each with terms of its own.
fn asked(system: &System, (of, unit): (Commuting, Unit)) -> Result<Vec<Asked<'_>>> {
    match of {
        Commuting::Steps(one, other) => steps(system, (one, other)),
        Commuting::Elements(stmt) => match &system.ops[stmt].kind {
            OpKind::Each(each) if !keeps_order_told(system, each, unit) => {
                Err(Refusal::at(Obstacle::Untold, system.ops[stmt].span))
            }
            OpKind::Each(each) => Ok(vec![elements(system, (each, unit))]),
            _ => Err(Obstacle::Form.into()),
        },
        Commuting::Places(id) | Commuting::Nesting(id) => places(system, (of, id)),
        Commuting::Triggers(one, other) => Ok(vec![triggers(system, (one, other))?]),
    }
}

/// A frame in which a local is bound.
fn with(frame: &Frame, each: &Binder, value: crate::smt::Term) -> Frame {
    let mut frame = frame.clone();
    frame.bind(each.local, Some(each.ty), Some(value));
    frame
}

fn elements<'s>(system: &'s System, (each, unit): (&'s Each, Unit)) -> Asked<'s> {
    let mut c = Context::new(system);
    let frame = any_locals(&mut c, unit);
    let (one, other, apart) = two(&mut c, each.binder.ty);
    let part = |element| Part::Element(each, element, with(&frame, &each.binder, element));
    let pair = Pair {
        one: part(one),
        other: part(other),
        assumed: vec![apart],
        comment: "two elements of an iteration can change places".to_owned(),
    };
    Asked { c, pair }
}

fn steps(system: &System, (one, other): (StepId, StepId)) -> Result<Vec<Asked<'_>>> {
    let id = system.steps[one].procedure;
    lacks_nothing(system, id)?;
    let over = match &system.procedures[id].over {
        Some(_) => Some(fixed_places(system, id)?),
        None => None,
    };
    // Steps that are done for several places: for two of them, and for the same one.
    let mut found = Vec::new();
    for same in [false, true] {
        let mut c = Context::new(system);
        let frame = any_locals(&mut c, Unit::Procedure(id));
        let (frames, assumed) = match over {
            None if same => break,
            None => ([frame.clone(), frame], Vec::new()),
            Some(binder) => {
                let (place, another, apart) = two(&mut c, binder.ty);
                let (places, assumed) = match same {
                    true => ([place, place], Vec::new()),
                    false => ([place, another], vec![apart]),
                };
                (places.map(|place| with(&frame, binder, place)), assumed)
            }
        };
        let [first, second] = frames;
        let pair = Pair {
            one: Part::Block(system.steps[one].body, first),
            other: Part::Block(system.steps[other].body, second),
            assumed,
            comment: format!(
                "{} and {} can change places",
                system.steps[one].name, system.steps[other].name
            ),
        };
        found.push(Asked { c, pair });
    }
    Ok(found)
}

/// Over what the steps of a sequence are done, if nothing that they do changes that, or in which order: both are found
/// anew for each step.
fn fixed_places(system: &System, id: SequenceId) -> Result<&Binder> {
    let Some((binder, ..)) = &system.procedures[id].over else {
        return Err(Obstacle::Form.into());
    };
    if binder.filter.is_some() {
        return Err(Obstacle::OpenList.into());
    }
    let changed = endstep_kernel::footprint::of_places(system, id);
    let fixed = match &binder.range {
        Range::Sort(sort) => !changed.creates.contains(sort) && !changed.removes.contains(sort),
        Range::Zone(_) => false,
        Range::Enum(..) | Range::Bool => true,
    };
    let fixed = fixed && keeps_order_of_places(system, id);
    match fixed {
        true => Ok(binder),
        false => Err(Obstacle::InnerOrder.into()),
    }
}

/// What the steps of a sequence ensure, and its heading, have values.
fn lacks_nothing(system: &System, id: SequenceId) -> Result<()> {
    match endstep_kernel::footprint::heading_may_fail(system, id) {
        true => Err(Obstacle::Lacks.into()),
        false => Ok(()),
    }
}

/// Each step for one place with each step for another.
fn places(system: &System, (of, id): (Commuting, SequenceId)) -> Result<Vec<Asked<'_>>> {
    let procedure = &system.procedures[id];
    let Some((_, _, nest)) = &procedure.over else {
        return Err(Obstacle::Form.into());
    };
    let by_steps = *nest == Nest::Steps;
    // The places are found anew for each step; nothing may change them.
    let binder = fixed_places(system, id)?;
    if procedure.free.is_some() && !by_steps {
        return Err(Obstacle::OpenList.into());
    }
    lacks_nothing(system, id)?;
    let mut found = Vec::new();
    for (at, &first) in procedure.steps.iter().enumerate() {
        for (behind, &second) in procedure.steps.iter().enumerate() {
            // Within one step the order of places is in question; between steps, what nests in what.
            let same = at == behind;
            let asked = match of {
                Commuting::Nesting(_) => !same,
                _ => same || !by_steps,
            };
            if !asked {
                continue;
            }
            let mut c = Context::new(system);
            let frame = any_locals(&mut c, Unit::Procedure(id));
            let (one, other, apart) = two(&mut c, binder.ty);
            let part = |step: StepId, place| {
                Part::Block(system.steps[step].body, with(&frame, binder, place))
            };
            let pair = Pair {
                one: part(first, one),
                other: part(second, other),
                assumed: vec![apart],
                comment: format!(
                    "{} for one place and {} for another can change places",
                    system.steps[first].name, system.steps[second].name
                ),
            };
            found.push(Asked { c, pair });
        }
    }
    Ok(found)
}

/// Two triggers that interrupt, with one payload.
fn triggers(system: &System, (one, other): (TriggerId, TriggerId)) -> Result<Asked<'_>> {
    let event = system.triggers[one].event;
    if system.events[event].queue.is_some() {
        return Err(Obstacle::Waits.into());
    }
    let mut c = Context::new(system);
    let mut payload = Vec::new();
    for (at, &ty) in system.events[event].payload.iter().enumerate() {
        payload.push(c.any(&format!("payload {at}"), ty));
    }
    let mut assumed = Vec::new();
    let mut listeners = Vec::new();
    for (at, id) in [one, other].into_iter().enumerate() {
        let listener = system.triggers[id].listener.as_ref();
        listeners.push(listener.map(|binder| {
            let term = c.any(&format!("listener {at}"), binder.ty);
            (binder, term)
        }));
    }
    if one == other {
        let [Some((_, a)), Some((_, b))] = listeners[..] else {
            return Err(Obstacle::Form.into());
        };
        let same = c.terms.equal(a, b);
        assumed.push(c.terms.not(same));
    }
    let mut parts = Vec::new();
    for (id, listener) in [one, other].into_iter().zip(listeners) {
        let trigger = &system.triggers[id];
        let locals = vec![None; trigger.locals as usize];
        let left = c.terms.truth(false);
        let mut frame = Frame::new(locals, &trigger.types, Unit::Trigger(id), left);
        for (&local, &value) in trigger.args.iter().zip(&payload) {
            frame.bind(local, None, Some(value));
        }
        if let Some((binder, value)) = listener {
            frame.bind(binder.local, Some(binder.ty), Some(value));
        }
        c.active.push(id);
        parts.push(Part::Block(trigger.body, frame));
    }
    let (Some(other_part), Some(one_part)) = (parts.pop(), parts.pop()) else {
        return Err(Obstacle::Form.into());
    };
    let pair = Pair {
        one: one_part,
        other: other_part,
        assumed,
        comment: format!(
            "{} and {} can change places",
            system.triggers[one].name, system.triggers[other].name
        ),
    };
    Ok(Asked { c, pair })
}
