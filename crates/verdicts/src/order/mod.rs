//! The order matrix: every pair of things whose order is in question, with the evidence for whether
//! it matters.
//!
//! ```text
//! for each c: Card in board, in any order     two Cards          disjoint
//! steps in any order                          draw & count       symmetric
//!                                             draw & shuffle     exhausted in scope
//! on destroyed(c)                             heal & explode     refuted
//! ```
//!
//! Evidence comes in grades; of several, the cheapest that is enough is given:
//!
//! | evidence | means | holds for |
//! |---|---|---|
//! | disjoint | neither changes what the other looks at or changes, and none can fail to complete | every board |
//! | symmetric | they only change what they share in ways that give the same in either order, or they do the same thing | every board |
//! | exhausted | no run of any board of a scope differs; or, in it, there never are two at once, or none whose order is open | the scope |
//! | not open | chance, the document, or the one alternative of a reading that was looked at decides which comes first: nothing was compared | |
//! | refuted | a board, replayed, on which the order decides | |
//! | unknown | none of these, with the reason | |
//!
//! *Guarantees.* Disjoint and symmetric are arguments about the text: the two can change places next
//! to each other in every state. They are not given where a restart rule could cut in between, where
//! what has been matched waits in a queue, or where something may fail to complete. A claim that
//! order is irrelevant gets them only if every pair inside has them and every run ends. What an
//! engine refutes is refuted, whatever else is known.
//!
//! *Limits.* Pairs of elements that an inner statement makes (`where e.on = c`) count as anybody's;
//! what waits in queues is never compared by text.
//!
//! *Background.* L. Lamport, *Time, clocks, and the ordering of events*, 1978; C. Clarke et al.,
//! *Model Checking*, ch. 10: independence of transitions. For why agreement of neighbours is enough:
//! adjacent transpositions generate all orders.

mod evidence;
mod source;

mod closed;
mod known;
mod overlooked;
mod points;
mod settled;
mod unreached;

use std::collections::BTreeSet;

use crate::verdict::{Commuting, Outcome, Proof, Results};
use endstep_kernel::footprint::{Agreement, Unit, of_procedure};
use endstep_kernel::ir::System;
use endstep_language::typing::program::{ClaimKind, Program, SequenceId, StepId};
use source::Source;

pub use evidence::{At, Closed, Evidence, Matrix, Pair, Point, Refuting, Row, Settled, Unknown};
pub use overlooked::{overlooked, overlooking};
pub use points::{points, proof_of};
pub use settled::{exchangeable, settled};
pub use unreached::{Unreached, unreached};

/// The matrix of a specification, with what the engines know if they were asked,
/// and what is proved.
pub fn matrix(
    (program, system): (&Program, &System),
    results: Option<&Results>,
    proofs: &[Proof],
) -> Matrix {
    let source = &Source::new((program, system), results, proofs);
    let rows = |(at, settled)| Point {
        at,
        settled,
        rows: points::rows(source, at, settled),
    };
    let points = points(program, system).into_iter().map(rows);
    // Of the places of a sequence whose order is fixed, no other is asked about.
    let points: Vec<Point> = points.filter(|point| !point.rows.is_empty()).collect();
    let claims = program.claims.iter().enumerate();
    // The matrix is about all boards.
    let claims = claims.filter(|(_, claim)| claim.on.is_none());
    let claims = claims.filter_map(|(at, claim)| match claim.kind {
        ClaimKind::OrderIrrelevant(sequence, step) => {
            Some((at, claimed(source, &points, (at, sequence, step))))
        }
        _ => None,
    });
    Matrix {
        claims: claims.collect(),
        points,
    }
}

/// The pairs of which the text alone does not tell, each with the unit that it stands in: what there is
/// to be proved. Pairs that results refute are left out.
pub fn questions(
    (program, system): (&Program, &System),
    results: Option<&Results>,
) -> Vec<(Commuting, Unit)> {
    let source = &Source::new((program, system), results, &[]);
    let mut found = Vec::new();
    for (at, settled) in points(program, system) {
        for row in points::rows(source, at, settled) {
            // What stands in the way of the text stands in the way of the prover.
            let is_open = row.is_open() && row.unproved.is_none();
            let asked = points::asked_of_prover(source, at, row.pair);
            found.extend(asked.filter(|_| is_open));
        }
    }
    found
}

/// A pair of which nothing is known of boards of every size: neither the text nor the prover tells that the
/// two can change places, and no run shows that they cannot.
#[derive(Debug, Clone)]
pub struct Unsettled {
    /// Which two.
    pub of: Commuting,
    /// Where they stand.
    pub unit: Unit,
    /// The sequences that can come to it, by running.
    pub inside: Vec<SequenceId>,
}

/// The pairs for which there may be data on which they cannot change places, and no run from any board of a
/// scope shows it; but for those whose order the document fixes.
pub fn unsettled(
    (program, system): (&Program, &System),
    (results, proofs): (&Results, &[Proof]),
) -> Vec<Unsettled> {
    let source = &Source::new((program, system), Some(results), proofs);
    let mut found = Vec::new();
    for (at, settled) in points(program, system) {
        if settled == Settled::Fixed {
            continue;
        }
        for row in points::rows(source, at, settled) {
            let asked = points::asked_of_prover(source, at, row.pair);
            let tried = matches!(
                row.evidence,
                Evidence::Exhausted(_) | Evidence::NeverTwo(_) | Evidence::NeverOpen(_)
            );
            let open = tried && row.unproved == Some(Outcome::Open);
            let Some((of, unit)) = asked.filter(|_| open) else {
                continue;
            };
            let inside = system.procedures.ids();
            let inside = inside.filter(|&id| source::is_inside(source, at, id));
            found.push(Unsettled {
                of,
                unit,
                inside: inside.collect(),
            });
        }
    }
    found
}

/// The pairs of the list of a sequence; none if its steps bind in all that was looked at.
pub fn listed(
    (program, system): (&Program, &System),
    results: Option<&Results>,
    sequence: SequenceId,
) -> Option<Vec<Row>> {
    let procedure = &system.procedures[sequence];
    procedure.free.as_ref()?;
    let proofs = results.map_or(&[][..], |results| &results.proofs);
    let source = Source::new((program, system), results, proofs);
    match closed::binds(&source, sequence) {
        true => None,
        false => Some(points::rows(&source, At::List(sequence), Settled::Open)),
    }
}

/// What is known of a claim that order is irrelevant in a sequence.
fn claimed(
    source: &Source<'_>,
    points: &[Point],
    (claim, sequence, step): (usize, SequenceId, Option<StepId>),
) -> Evidence {
    let asked = known::claim(source, claim);
    if matches!(asked, Evidence::Refuted(_)) {
        return asked;
    }
    // Which trigger comes first the document fixes for just some of those that are put in order together.
    let in_order =
        |point: &Point| point.settled != Settled::Fixed || matches!(point.at, At::Event(_));
    let open = points.iter().filter(|point| {
        in_order(point)
            && match step {
                Some(step) => source::is_in_step(source, point.at, step),
                None => source::is_inside(source, point.at, sequence),
            }
    });
    let rows: Vec<&Row> = open.flat_map(|point| &point.rows).collect();
    let asked = uncompared(asked, &rows);
    let mut weakest = Agreement::Disjoint;
    let mut shared = BTreeSet::new();
    let (mut several, mut proved) = (false, false);
    for row in rows {
        several = true;
        match &row.evidence {
            Evidence::Disjoint => {}
            Evidence::Symmetric(places) => {
                weakest = Agreement::Symmetric;
                shared.extend(places);
            }
            Evidence::Proved => proved = true,
            _ => return asked,
        }
    }
    // All orders give the same if neighbours can change places. What is told by the text alone takes
    // it that both end; what is proved does not.
    if !several {
        return asked;
    }
    match weakest {
        _ if proved => Evidence::Proved,
        _ if of_procedure(source.system, sequence).partial => asked,
        Agreement::Disjoint => Evidence::Disjoint,
        Agreement::Symmetric => Evidence::Symmetric(shared),
    }
}

/// That a claim holds in scopes, or that of the pairs of which it speaks there never were two at once there: then
/// nothing was compared, whatever was on other boards, such as those that the prover suggests.
fn uncompared(asked: Evidence, rows: &[&Row]) -> Evidence {
    let Evidence::Exhausted(scopes) = asked else {
        return asked;
    };
    let covers = |others: &[usize]| scopes.iter().all(|at| others.contains(at));
    let never_two =
        |row: &Row| matches!(&row.evidence, Evidence::NeverTwo(others) if covers(others));
    let never_open = |row: &Row| match &row.evidence {
        Evidence::NeverOpen(others) => covers(others),
        Evidence::Closed(_) => true,
        _ => never_two(row),
    };
    match () {
        () if rows.is_empty() => Evidence::Exhausted(scopes),
        () if rows.iter().all(|row| never_two(row)) => Evidence::NeverTwo(scopes),
        () if rows.iter().all(|row| never_open(row)) => Evidence::NeverOpen(scopes),
        () => Evidence::Exhausted(scopes),
    }
}
