//! Names of places of the specification that survive unrelated edits.

use crate::semantics::Site;
use endstep_language::typing::program::{Program, StepId};

/// The path of a step: `cleanup/destroy`.
pub fn step_path(program: &Program, step: StepId) -> String {
    let step = &program.steps[step];
    format!("{}/{}", program.sequences[step.sequence].name, step.name)
}

/// The path of a place. The places of a sequence have that of its list of steps: fingerprints are made of it.
pub fn site_path(program: &Program, site: Site) -> String {
    match site {
        Site::Stmt(stmt) => program.stmts[stmt].path.clone(),
        Site::Sequence(sequence) | Site::Places(sequence) => {
            program.sequences[sequence].name.clone()
        }
        Site::Event(event) => format!("event {}", program.events[event].name),
        Site::Trigger(trigger) => program.triggers[trigger].name.clone(),
        Site::Step(step) => step_path(program, step),
        Site::Outside(_) => "outside".to_owned(),
    }
}

/// What a choice is called by what asks for it: the places of a sequence apart from its list of steps.
pub fn choice_path(program: &Program, site: Site) -> String {
    let path = site_path(program, site);
    match site {
        Site::Places(_) => format!("places of {path}"),
        _ => path,
    }
}
