//! What visits the runs from a board.

use endstep_engines::{exhaust, explore};
use endstep_language::typing::program::Program;
use endstep_verdicts::analysis::{Options, Progress};
use endstep_verdicts::verdict::Results;

/// What visits the runs from a board. Both give the same results.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Engine {
    /// The one to use.
    #[default]
    Fast,
    /// A plain one, with which the other is compared.
    Naive,
}

/// What an engine makes of a program.
pub(super) fn explored(
    program: &Program,
    (options, engine): (&Options, Engine),
    progress: &mut dyn FnMut(&Progress),
) -> Results {
    match engine {
        Engine::Fast => explore::check(program, options, progress),
        Engine::Naive => exhaust::check(program, options, progress),
    }
}
