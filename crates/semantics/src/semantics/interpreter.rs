//! The interpreter's surface: what is fixed for a run, and how a run begins.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

use super::state::Spot;
use endstep_language::typing::program::{Program, ReadingId, SequenceId, StepId, StmtId, Tallies};

/// Alternatives of readings, fixed so far.
pub type Readings = BTreeMap<ReadingId, u16>;

/// How the program is changed for a check.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Variant {
    /// Iterations that run in any order whatever the program says (position checks).
    pub free: BTreeSet<StmtId>,
    /// A step that does nothing (idle checks).
    pub skip: Option<StepId>,
    /// Sequences replaced by their contracts.
    pub contracts: BTreeSet<SequenceId>,
    /// Added to the headroom of every sort and the capacity of every queue, and, on both sides, to
    /// the reach of every place (to confirm growth).
    pub extra: u32,
    /// Places that stay as they are: what is added to them is not (to find loops in which they grow).
    pub still: Tallies,
}

/// So many entities can be added to all headrooms together.
const MOST_ADDED: u32 = 16_384;

impl Variant {
    /// The same with nothing counted: the tallies stay as they are. Nothing is a tally to a contract, which promises
    /// something of all data.
    pub fn uncounting(&self, program: &Program) -> Self {
        let still = match self.contracts.is_empty() {
            true => program.tallies(),
            false => Tallies::default(),
        };
        Self {
            still,
            ..self.clone()
        }
    }

    /// Whether a place stays as it is.
    pub fn keeps(&self, spot: Spot) -> bool {
        match spot {
            Spot::Var(var) => self.still.vars.contains(&var),
            Spot::Field(_, field) => self.still.fields.contains(&field),
        }
    }

    /// How many of a sort a run may create, of the headrooms of all sorts: the entities of a state stay few
    /// enough to be numbered.
    pub fn room(extra: u32, headroom: u32, all: impl Iterator<Item = u32>) -> usize {
        if headroom == 0 {
            return 0;
        }
        let creatable = all.filter(|&one| one > 0).count();
        let most = MOST_ADDED / u32::try_from(creatable).unwrap_or(u32::MAX).max(1);
        headroom.saturating_add(extra.min(most)) as usize
    }
}

/// The interpreter of a program under readings and a variant.
#[derive(Debug, Clone, Copy)]
pub struct Interpreter<'p> {
    /// The program.
    pub program: &'p Program,
    /// The readings fixed so far; one that is needed and not fixed is reported as
    /// [`Next::Consult`](super::next::Next::Consult).
    pub readings: &'p Readings,
    /// The variant.
    pub variant: &'p Variant,
}
