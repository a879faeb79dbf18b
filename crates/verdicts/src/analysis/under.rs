//! Under which readings something occurs, told without those on which that does not depend.
//!
//! ```text
//! found under zero = exactly, order = first    and under zero = exactly, order = second     only if zero = exactly
//! ```

use std::collections::{BTreeMap, BTreeSet};

use crate::verdict::Under;
use endstep_language::typing::program::{Program, ReadingId};
use endstep_semantics::semantics::Readings;

/// More assignments than this are listed as they were met.
const MOST_ASSIGNMENTS: usize = 4096;

/// Of no more assignments than this it is said on how many boards something occurs under each.
const MOST_COUNTED: usize = 16;

/// On how many boards something occurs under just these assignments, none of which fixes more than runs
/// from the board consult.
pub(super) type Shapes = BTreeMap<BTreeSet<Readings>, u64>;

/// The same without readings that somebody fixed.
pub(super) fn without(fixed: &Readings, shapes: Shapes) -> Shapes {
    if fixed.is_empty() {
        return shapes;
    }
    let mut found = Shapes::new();
    for (shape, boards) in shapes {
        let open = shape.into_iter().map(|mut one| {
            one.retain(|reading, _| !fixed.contains_key(reading));
            one
        });
        *found.entry(open.collect()).or_default() += boards;
    }
    found
}

/// Under which readings something occurs, without the readings on which that does not depend; on how many
/// boards under each of these; and on how many under which, if that are not always as many.
pub(super) fn under(program: &Program, shapes: &Shapes) -> (Under, u64, Vec<(Readings, u64)>) {
    let parts: BTreeSet<&Readings> = shapes.keys().flatten().collect();
    let involved: BTreeSet<ReadingId> = parts.iter().flat_map(|one| one.keys().copied()).collect();
    let Some(all) = assignments(program, &involved) else {
        let each = shapes
            .iter()
            .filter(|(shape, _)| shape.len() == parts.len());
        let each = each.map(|(_, boards)| boards).sum();
        let listed = parts.into_iter().cloned().collect();
        return (Under::Listed(listed), each, Vec::new());
    };
    let is_in = |full: &Readings, shape: &BTreeSet<Readings>| {
        shape.iter().any(|part| {
            let mut fixed = part.iter();
            fixed.all(|(reading, at)| full.get(reading) == Some(at))
        })
    };
    let total = all.len();
    let occurs = |full: &Readings| shapes.keys().any(|shape| is_in(full, shape));
    let listed: BTreeSet<Readings> = all.into_iter().filter(occurs).collect();
    let everywhere = |shape: &BTreeSet<Readings>| listed.iter().all(|full| is_in(full, shape));
    let boards_of = |is_so: &dyn Fn(&BTreeSet<Readings>) -> bool| -> u64 {
        let those = shapes.iter().filter(|(shape, _)| is_so(shape));
        those.map(|(_, boards)| boards).sum()
    };
    let each = boards_of(&everywhere);
    let count = |full: &Readings| (full.clone(), boards_of(&|shape| is_in(full, shape)));
    let counts: BTreeMap<Readings, u64> = match listed.len() <= MOST_COUNTED {
        true => listed.iter().map(count).collect(),
        false => BTreeMap::new(),
    };
    let first = counts.values().next().copied();
    let by_reading = match counts.values().any(|boards| Some(*boards) != first) {
        true => counts.into_iter().collect(),
        false => Vec::new(),
    };
    let readings = match listed.len() == total {
        true => Under::All,
        false => Under::Listed(shortened(program, &involved, listed)),
    };
    (readings, each, by_reading)
}

/// Under which readings something occurs that occurs under each of some.
pub(super) fn joined<'a>(program: &Program, all: impl IntoIterator<Item = &'a Under>) -> Under {
    let mut parts = BTreeSet::new();
    for one in all {
        match one {
            Under::All => return Under::All,
            Under::Listed(listed) => parts.extend(listed.iter().cloned()),
        }
    }
    under(program, &Shapes::from([(parts, 1)])).0
}

/// All assignments of some readings, unless there are too many.
fn assignments(program: &Program, involved: &BTreeSet<ReadingId>) -> Option<Vec<Readings>> {
    let mut all: Vec<Readings> = vec![Readings::new()];
    for &reading in involved {
        let count = program.readings[reading].alternatives.len();
        let alternatives = (0..count).filter_map(|n| u16::try_from(n).ok());
        let longer = alternatives.flat_map(|alternative| {
            all.iter().map(move |one| {
                let mut one = one.clone();
                one.insert(reading, alternative);
                one
            })
        });
        all = longer.collect();
        if all.len() > MOST_ASSIGNMENTS {
            return None;
        }
    }
    Some(all)
}

/// Assignments without the readings of which they list every alternative beside all the others.
fn shortened(
    program: &Program,
    involved: &BTreeSet<ReadingId>,
    mut listed: BTreeSet<Readings>,
) -> Vec<Readings> {
    for &reading in involved {
        let without = |one: &Readings| {
            let mut one = one.clone();
            one.remove(&reading);
            one
        };
        let shorter: BTreeSet<Readings> = listed.iter().map(without).collect();
        if shorter.len() * program.readings[reading].alternatives.len() == listed.len() {
            listed = shorter;
        }
    }
    listed.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use endstep_language::source::Span;
    use endstep_language::typing::program::{Alternative, Reading, ReadingOrigin};

    fn program() -> Program {
        let mut program = Program::default();
        for name in ["zero", "order"] {
            let alternatives = ["first", "second"].map(|name| Alternative {
                name: name.to_owned(),
                text: String::new(),
                cites: Vec::new(),
            });
            program.readings.push(Reading {
                name: name.to_owned(),
                alternatives: alternatives.to_vec(),
                origin: ReadingOrigin::Declared,
                clause: None,
                span: Span::default(),
            });
        }
        program
    }

    fn met(all: &[&[(u32, u16)]]) -> BTreeSet<Readings> {
        let one =
            |pairs: &&[(u32, u16)]| pairs.iter().map(|(id, at)| (ReadingId(*id), *at)).collect();
        all.iter().map(one).collect()
    }

    /// Under which readings something occurs that does so on one board for each of these.
    fn of(shapes: &[BTreeSet<Readings>]) -> (Under, u64, Vec<u64>) {
        let mut counted = Shapes::new();
        for shape in shapes {
            *counted.entry(shape.clone()).or_default() += 1;
        }
        let (readings, each, by) = under(&program(), &counted);
        (
            readings,
            each,
            by.into_iter().map(|(_, boards)| boards).collect(),
        )
    }

    #[test]
    fn readings_on_which_a_finding_does_not_depend_are_left_out() {
        let all = (Under::All, 1, Vec::new());
        assert_eq!(of(&[met(&[&[]])]), all);
        assert_eq!(of(&[met(&[&[(0, 0)], &[(0, 1)]])]), all);
        let both_orders = met(&[&[(0, 1), (1, 0)], &[(0, 1), (1, 1)]]);
        let expected = Under::Listed(met(&[&[(0, 1)]]).into_iter().collect());
        assert_eq!(of(&[both_orders]), (expected, 1, Vec::new()));
        let neither_alone = met(&[&[(0, 0), (1, 0)], &[(0, 1), (1, 1)]]);
        let expected = Under::Listed(neither_alone.iter().cloned().collect());
        assert_eq!(of(&[neither_alone]), (expected, 1, Vec::new()));
    }

    #[test]
    fn boards_are_counted_under_each_of_the_readings_that_are_told() {
        let (zero, one) = (met(&[&[(0, 0)]]), met(&[&[(0, 1)]]));
        let both = met(&[&[(0, 0)], &[(0, 1)]]);
        // Each reading has two boards, but only one is a board of both.
        let shapes = [zero.clone(), one.clone(), both.clone()];
        assert_eq!(of(&shapes), (Under::All, 1, Vec::new()));
        let shapes = [zero.clone(), zero, one, both];
        assert_eq!(of(&shapes), (Under::All, 1, vec![3, 2]));
        // On a board from which no run consults the reading it occurs under every alternative.
        let shapes = [met(&[&[]]), met(&[&[(0, 1)]])];
        assert_eq!(of(&shapes), (Under::All, 1, vec![1, 2]));
    }
}
