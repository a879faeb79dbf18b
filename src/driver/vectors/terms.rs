//! What vectors are made of.

use endstep_engines::sample::Scene;
use endstep_language::typing::program::SequenceId;
use endstep_semantics::semantics::Readings;
use endstep_verdicts::analysis::Options;

/// What vectors are made of.
#[derive(Debug, Clone, Default)]
pub struct Terms {
    /// Of the dice.
    pub seed: u64,
    /// So many runs are sampled.
    pub runs: u64,
    /// The boards.
    pub scene: Scene,
    /// Only of this sequence.
    pub sequence: Option<SequenceId>,
    /// Sets of outcomes of boards with more states than this are left out.
    pub states: usize,
    /// How what no sampled run does is looked for on all boards; without it, it is not.
    pub exhaust: Option<Options>,
}

impl Terms {
    /// The readings that are fixed from outside.
    pub(super) fn fixed(&self) -> Readings {
        self.scene.sizes.readings.iter().copied().collect()
    }
}
