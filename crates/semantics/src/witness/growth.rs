//! Growth: a run that goes round as before, each time with more.
//!
//! ```text
//! stem     board [mother]                              rounds 1 to 13, alike but for the tokens
//! round 1  board [mother, token]             + 1 Card
//! round 2  board [mother, token, token]      + 1 Card
//! ```
//!
//! A state is *more* than another if both are in the same place of the procedure, and differ only in
//! integers, in created entities, of which there are not fewer, and in how much is pending. Triggers that were interrupted
//! may wait below in the second that do not in the first (a head that is repeated above its own stack: J. Esparza et al.,
//! Efficient algorithms for model checking pushdown systems, CAV 2000). A run is shown
//! to grow by a round after which there is more, and twelve more such rounds: each executes the same
//! statements in the same order, and has as much more at its end. The bounds of exploration are widened
//! for that; those of the document are not.
//!
//! *Limits.* That the rounds go on like this for ever is likely, and not proved.

use super::error::ReplayError;
use super::play::{Move, Player};
use super::run::{Run, RunEnd};
use crate::semantics::{Activation, Data, Frame, Note, Running, Spot, State};
use endstep_language::index::Id;
use endstep_language::typing::program::{EntityId, Program, QueueId, SortId, StmtId, Value};
use serde::{Deserialize, Serialize};

/// How many rounds a witness of growth shows after the first one.
pub const MORE_ROUNDS: usize = 12;

/// What there is more of after a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Grown {
    /// An integer, by so much.
    Spot(Spot, i64),
    /// Created entities of a sort.
    Entities(SortId, usize),
    /// What is pending in a queue.
    Pending(QueueId, usize),
    /// Triggers that are interrupted and wait to go on.
    Interrupted(usize),
}

/// What the second state has more than the first, if it is the first but for that.
pub fn growth(program: &Program, from: &State, to: &State) -> Option<Vec<Grown>> {
    growth_of(program, (from, &shape(from)), (to, &shape(to)))
}

/// The same of states whose [`shape`] is known.
pub fn growth_of(
    program: &Program,
    (from, before): (&State, &[Activation]),
    (to, after): (&State, &[Activation]),
) -> Option<Vec<Grown>> {
    let interrupted = interrupted(before, after)?;
    let mut grown = growth_of_data(program, &from.data, &to.data)?;
    grown.extend((interrupted > 0).then_some(Grown::Interrupted(interrupted)));
    (!grown.is_empty()).then_some(grown)
}

/// How many more triggers are interrupted in the second place than in the first, if it is the first but for what waits
/// below the last activation.
fn interrupted(before: &[Activation], after: &[Activation]) -> Option<usize> {
    let (last, below) = before.split_last()?;
    let (again, waiting) = after.split_last()?;
    let more = waiting.strip_prefix(below).filter(|_| again == last)?;
    let triggers = more
        .iter()
        .filter(|one| matches!(one.of, Running::Trigger(_)));
    let triggers = triggers.count();
    (more.is_empty() || triggers > 0).then_some(triggers)
}

/// What the second data have more than the first, in the same place of the procedure.
fn growth_of_data(program: &Program, one: &Data, other: &Data) -> Option<Vec<Grown>> {
    let mut grown = Vec::new();
    let (before, after) = (one, other);
    let mut place = |spot: Spot, one: Value, other: Value| match (one, other) {
        (Value::Int(one), Value::Int(other)) => {
            if one != other {
                grown.push(Grown::Spot(spot, other.checked_sub(one)?));
            }
            Some(())
        }
        (Value::Entity(one), Value::Entity(other))
            if is_created(before, one) && is_created(after, other) =>
        {
            Some(())
        }
        (one, other) => (one == other).then_some(()),
    };
    for (at, (one, other)) in one.vars.iter().zip(&other.vars).enumerate() {
        place(Spot::Var(Id::from_index(at)), *one, *other)?;
    }
    let pairs = one.entities.iter().zip(&other.entities);
    for (at, (one, other)) in pairs.enumerate().filter(|(_, (one, _))| !one.created) {
        if one.removed != other.removed {
            return None;
        }
        let fields = &program.sorts[one.sort].fields;
        for (&field, (one, other)) in fields.iter().zip(one.fields.iter().zip(&other.fields)) {
            place(Spot::Field(Id::from_index(at), field), *one, *other)?;
        }
    }
    if !old_entities(one).eq(old_entities(other)) {
        return None;
    }
    for sort in program.sorts.ids() {
        match created(other, sort).checked_sub(created(one, sort))? {
            0 => {}
            more => grown.push(Grown::Entities(sort, more)),
        }
    }
    for (at, (one, other)) in one.queues.iter().zip(&other.queues).enumerate() {
        match other.len().checked_sub(one.len())? {
            0 => {}
            more => grown.push(Grown::Pending(Id::from_index(at), more)),
        }
    }
    Some(grown)
}

/// Whether an entity of a state was created in the run.
pub fn is_created(data: &Data, id: EntityId) -> bool {
    data.entities.get(id.index()).is_some_and(|one| one.created)
}

fn created(data: &Data, sort: SortId) -> usize {
    let all = data.entities.iter();
    all.filter(|one| one.created && !one.removed && one.sort == sort)
        .count()
}

/// The zones without what was created.
fn old_entities(data: &Data) -> impl Iterator<Item = EntityId> + '_ {
    // Zones are apart by what no entity is.
    let apart = EntityId(u32::MAX);
    data.zones.values().flat_map(move |contents| {
        let old = contents.iter().copied();
        old.filter(|id| !is_created(data, *id)).chain([apart])
    })
}

/// What is still to be done, with one name for all created entities, and without data put aside.
pub fn shape(state: &State) -> Vec<Activation> {
    let nobody = EntityId(u32::MAX);
    let mut control = state.control.clone();
    for activation in &mut control {
        activation.exchange(&mut |id| {
            if is_created(&state.data, *id) {
                *id = nobody;
            }
        });
        for frame in &mut activation.frames {
            if let Frame::Repeat { before: old, .. } | Frame::Step { old, .. } = frame {
                *old = None;
            }
        }
    }
    control
}

/// The statements that are executed on the way.
pub fn executed(notes: &[Note]) -> impl Iterator<Item = StmtId> + '_ {
    notes.iter().filter_map(|note| match note {
        Note::Executed(stmt) => Some(*stmt),
        _ => None,
    })
}

/// Goes all rounds of a run that grows, and checks that each is like the first.
pub(crate) fn replay(
    program: &Program,
    run: &Run,
    later: &[Vec<crate::semantics::Key>],
) -> Result<(), ReplayError> {
    let RunEnd::Grows { stem, cycle } = run.end else {
        return Err(ReplayError::NoGrowth);
    };
    if later.len() < MORE_ROUNDS || cycle == 0 {
        return Err(ReplayError::NoGrowth);
    }
    let mut whole = run.clone();
    whole.choices.extend(later.iter().flatten().cloned());
    let mut player = Player::new(program, &whole);
    let mut go = |steps: u64| {
        let mut found = Vec::new();
        for _ in 0..steps {
            match player.advance()? {
                Move::Step(notes, _) => found.extend(executed(&notes)),
                Move::Ended(..) => return Err(ReplayError::Ends),
            }
        }
        Ok((player.state.clone(), found, player.taken))
    };
    let (mut before, ..) = go(stem)?;
    let mut first = None;
    for round in 0..=later.len() {
        let (after, statements, taken) = go(cycle)?;
        let grown = growth(program, &before, &after).ok_or(ReplayError::NoGrowth)?;
        let (as_much, as_before) = first.get_or_insert((grown.clone(), statements.clone()));
        if *as_much != grown || *as_before != statements {
            return Err(ReplayError::NoGrowth);
        }
        let made = run.choices.len() + later[..round].iter().map(Vec::len).sum::<usize>();
        if taken != made {
            return Err(ReplayError::ChoicesLeft(made.abs_diff(taken)));
        }
        before = after;
    }
    Ok(())
}
