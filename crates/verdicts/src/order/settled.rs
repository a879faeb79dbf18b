//! Which questions about orders a matrix answers for boards of every size.

use super::{At, Evidence, Matrix, Pair, Point, Row, Settled, proof_of};
use crate::verdict::{Argument, Certificate, Exchangeable, Outcome, Proof, Question};
use endstep_kernel::footprint::{of_procedure, of_statement, units};
use endstep_kernel::ir::System;
use endstep_semantics::semantics::Site;

/// Why the answer to a question about an order is yes on every board, if a matrix tells.
pub fn settled(matrix: &Matrix, proofs: &[Proof], question: Question) -> Option<Certificate> {
    match question {
        Question::Claim(claim) => {
            let (_, evidence) = matrix.claims.iter().find(|(at, _)| *at == claim)?;
            of(matrix, proofs, evidence)
        }
        Question::Steps(_, one, other) => pair(matrix, proofs, &|pair| match pair {
            Pair::Steps(a, b) => (a, b) == (one, other) || (b, a) == (one, other),
            _ => false,
        }),
        Question::Triggers(_, one, other) => pair(matrix, proofs, &|pair| match pair {
            Pair::Triggers(a, b) => (a, b) == (one, other) || (b, a) == (one, other),
            _ => false,
        }),
        Question::Order(_, Site::Stmt(stmt)) => point(matrix, proofs, &|point| {
            [At::Each(stmt), At::Together(stmt)].contains(&point.at)
        }),
        Question::Position(_, stmt) => point(matrix, proofs, &|point| {
            point.at == At::Each(stmt) && point.settled == Settled::Fixed
        }),
        _ => None,
    }
}

/// What comes to the same in every order, as a matrix tells.
pub fn exchangeable(system: &System, matrix: &Matrix, proofs: &[Proof]) -> Exchangeable {
    let units = units(system);
    let mut found = Exchangeable::default();
    for point in &matrix.points {
        let rows: Vec<(At, &Row)> = point.rows.iter().map(|row| (point.at, row)).collect();
        let Some(certificate) = told(proofs, &rows) else {
            continue;
        };
        // What is told by the text alone takes it that both come to an end.
        let partial = match point.at {
            At::Each(stmt) => of_statement(system, stmt, units[&stmt]).partial,
            At::List(id) | At::Places(id) => of_procedure(system, id).partial,
            At::Together(_) | At::Event(_) => true,
        };
        let by_text = rows
            .iter()
            .any(|(_, row)| argument(&row.evidence) != Some(Argument::Exchange));
        if partial && by_text {
            continue;
        }
        let questions = certificate.questions;
        match point.at {
            At::Each(stmt) => drop(found.iterations.insert(stmt, questions)),
            At::List(id) => drop(found.lists.insert(id, questions)),
            At::Places(id) => drop(found.places.insert(id, questions)),
            At::Together(_) | At::Event(_) => {}
        }
    }
    found
}

fn pair(matrix: &Matrix, proofs: &[Proof], is_it: &dyn Fn(Pair) -> bool) -> Option<Certificate> {
    let mut rows = matrix.points.iter().flat_map(|point| {
        let rows = point.rows.iter();
        rows.map(move |row| (point.at, row))
    });
    let row = rows.find(|(_, row)| is_it(row.pair))?;
    told(proofs, &[row])
}

fn point(matrix: &Matrix, proofs: &[Proof], is_it: &dyn Fn(&Point) -> bool) -> Option<Certificate> {
    let point = matrix.points.iter().find(|point| is_it(point))?;
    let rows: Vec<(At, &Row)> = point.rows.iter().map(|row| (point.at, row)).collect();
    told(proofs, &rows)
}

/// The evidence of a claim, with what was asked for all pairs that are proved.
fn of(matrix: &Matrix, proofs: &[Proof], evidence: &Evidence) -> Option<Certificate> {
    let argument = argument(evidence)?;
    let mut questions = Vec::new();
    for point in &matrix.points {
        let rows = point.rows.iter();
        let proved =
            rows.filter(|row| argument == Argument::Exchange && row.evidence == Evidence::Proved);
        for row in proved {
            questions.extend(asked(proofs, (point.at, row)));
        }
    }
    Some(Certificate {
        argument,
        questions,
    })
}

/// What some rows tell together: nothing unless each tells something.
fn told(proofs: &[Proof], rows: &[(At, &Row)]) -> Option<Certificate> {
    let mut weakest: Option<Argument> = None;
    let mut questions = Vec::new();
    for &(at, row) in rows {
        let one = argument(&row.evidence)?;
        questions.extend(asked(proofs, (at, row)));
        weakest = Some(match (weakest, one) {
            (Some(Argument::Exchange), _) | (_, Argument::Exchange) => Argument::Exchange,
            (Some(Argument::Symmetric), _) | (_, Argument::Symmetric) => Argument::Symmetric,
            (_, one) => one,
        });
    }
    Some(Certificate {
        argument: weakest?,
        questions,
    })
}

fn argument(evidence: &Evidence) -> Option<Argument> {
    Some(match evidence {
        Evidence::Disjoint => Argument::Disjoint,
        Evidence::Symmetric(_) => Argument::Symmetric,
        Evidence::Proved => Argument::Exchange,
        Evidence::Exhausted(_)
        | Evidence::NeverTwo(_)
        | Evidence::NeverOpen(_)
        | Evidence::Closed(_)
        | Evidence::Refuted(_)
        | Evidence::Unknown(_) => return None,
    })
}

/// What the solver was asked about a row that is proved.
fn asked(proofs: &[Proof], (at, row): (At, &Row)) -> Vec<String> {
    match proof_of(at, row.pair, proofs) {
        Some(Outcome::Proved(questions)) if row.evidence == Evidence::Proved => questions.clone(),
        _ => Vec::new(),
    }
}
