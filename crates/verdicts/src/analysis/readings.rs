//! How assignments of readings stand to each other.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use super::halt::Halt;
use crate::verdict::Difference;
use endstep_language::typing::program::{ClauseIdx, Program, ReadingId};
use endstep_semantics::semantics::Readings;

/// The readings on which two compared assignments rest; where they differ, as in the first.
pub fn both(one: &Readings, other: &Readings) -> Readings {
    let mut all = other.clone();
    all.extend(one);
    all
}

/// The one reading in which two assignments differ, where both fix it; `None` if there are several.
pub fn only_difference(one: &Readings, other: &Readings) -> Option<ReadingId> {
    let mut differing = one
        .iter()
        .filter(|(reading, at)| other.get(reading).is_some_and(|there| there != *at))
        .map(|(reading, _)| *reading);
    let first = differing.next()?;
    differing.next().is_none().then_some(first)
}

/// The readings with each alternative of one more that must be fixed; the last comes first, for a stack.
pub fn each_alternative(
    program: &Program,
    readings: &Readings,
    reading: ReadingId,
) -> impl Iterator<Item = Readings> {
    let count = program.readings[reading].alternatives.len();
    let alternatives = (0..count).rev().filter_map(|at| u16::try_from(at).ok());
    alternatives.map(move |at| {
        let mut more = readings.clone();
        more.insert(reading, at);
        more
    })
}

/// All readings: those that are open as they come.
pub fn completed(program: &Program, readings: &Readings) -> Readings {
    let mut all: Readings = program.readings.ids().map(|id| (id, 0)).collect();
    all.extend(readings.clone());
    all
}

/// Looks at something under each assignment of the readings that it consults, beginning with some fixed.
///
/// # Errors
///
/// Whatever stops the look; or that more than so many assignments are open at a time.
pub fn under_each(
    (program, fixed): (&Program, &Readings),
    most: usize,
    look: &mut dyn FnMut(&Readings) -> Result<ControlFlow<()>, Halt>,
) -> Result<ControlFlow<()>, Halt> {
    let mut todo = vec![fixed.clone()];
    while let Some(readings) = todo.pop() {
        if todo.len() > most {
            return Err(Halt::States);
        }
        match look(&readings) {
            Ok(ControlFlow::Continue(())) => {}
            Ok(flow) => return Ok(flow),
            Err(Halt::Consult(reading)) => {
                todo.extend(each_alternative(program, &readings, reading));
            }
            Err(halt) => return Err(halt),
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// How two alternatives of a reading stand to each other.
pub fn difference(program: &Program, reading: ReadingId, first: u16, second: u16) -> Difference {
    let cites = |at: u16| -> BTreeSet<ClauseIdx> {
        let alternative = &program.readings[reading].alternatives[usize::from(at)];
        alternative.cites.iter().copied().collect()
    };
    let (one, other) = (cites(first), cites(second));
    let yields = |weak: &BTreeSet<ClauseIdx>, strong: &BTreeSet<ClauseIdx>| {
        let to_strong = |&clause: &ClauseIdx| {
            let above = program.prevailing(clause).into_iter();
            // What goes round in a circle settles nothing.
            let mut above = above.filter(|&one| !program.prevailing(one).contains(&clause));
            above.any(|clause| strong.contains(&clause))
        };
        !weak.is_empty() && weak.iter().all(to_strong)
    };
    if one == other {
        Difference::Ambiguity
    } else if yields(&one, &other) != yields(&other, &one) {
        Difference::Overruled
    } else if one.is_subset(&other) || other.is_subset(&one) {
        // A passage that only one of them has disagrees with none of the other.
        Difference::Ambiguity
    } else {
        Difference::Contradiction
    }
}
