//! When a restart happens, and what becomes of what it leaves undone.

use super::alternative::{Alternative, Draft, Made};
use super::edit::Edit;
use super::said::is_text;
use endstep_language::typing::program::{Cancel, Program, Restart, Unfinished};

pub(super) fn drafts(program: &Program) -> Vec<Draft> {
    let mut found = Vec::new();
    for (id, sequence) in program.sequences.iter() {
        let Some(restart) = &sequence.restart else {
            continue;
        };
        let clause = restart.clause.or(sequence.clause);
        if sequence.is_experiment() || !is_text(&sequence.basis) || clause.is_none() {
            continue;
        }
        for (alternative, restart) in others(restart) {
            let mut changed = sequence.clone();
            let span = restart.span;
            changed.restart = Some(restart);
            found.push(Draft {
                made: Made::Sequence(id),
                span,
                clause,
                alternative,
                edit: Edit::Sequence(id, Box::new(changed)),
            });
        }
    }
    found
}

fn others(restart: &Restart) -> Vec<(Alternative, Restart)> {
    let mut found = Vec::new();
    let moments = [Cancel::AtOnce, Cancel::EndOfStep, Cancel::EndOfPass];
    if !matches!(restart.cancel, Cancel::Per(..)) {
        for cancel in moments.into_iter().filter(|one| *one != restart.cancel) {
            let changed = Restart {
                cancel: cancel.clone(),
                ..restart.clone()
            };
            found.push((Alternative::Cancelled(cancel), changed));
        }
    }
    let carried = match restart.unfinished {
        Unfinished::Lost => true,
        Unfinished::Carried => false,
        Unfinished::Per(..) => return found,
    };
    let unfinished = match carried {
        true => Unfinished::Carried,
        false => Unfinished::Lost,
    };
    let changed = Restart {
        unfinished,
        ..restart.clone()
    };
    found.push((Alternative::Carried(carried), changed));
    found
}
