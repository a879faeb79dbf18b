//! What the text of a document says, as opposed to what an author adds.

use endstep_language::syntax::ast::BasisKind;
use endstep_language::typing::program::{Basis, Owner, Program, StmtId};

/// The statements that stand in clauses and rest on what the text says.
pub(super) fn statements(program: &Program) -> impl Iterator<Item = StmtId> {
    let made_up = program.made_up();
    let ids = program.stmts.ids();
    ids.filter(move |id| !made_up.contains(id) && is_of_the_text(program, *id))
}

fn is_of_the_text(program: &Program, id: StmtId) -> bool {
    let stmt = &program.stmts[id];
    let basis = match stmt.owner {
        Some(Owner::Step(step)) => {
            let step = &program.steps[step];
            let sequence = &program.sequences[step.sequence];
            is_text(&step.basis) && is_text(&sequence.basis)
        }
        Some(Owner::Trigger(trigger)) => is_text(&program.triggers[trigger].basis),
        Some(Owner::Restart(sequence)) => is_text(&program.sequences[sequence].basis),
        None => false,
    };
    basis && stmt.clause.is_some()
}

pub(super) fn is_text(basis: &Basis) -> bool {
    basis.kind == BasisKind::Text
}
