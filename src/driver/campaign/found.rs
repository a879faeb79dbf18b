//! Findings of a campaign, each with the input that shows it.

use std::collections::BTreeMap;

use endstep_language::index::Id;
use endstep_language::syntax::ast::BasisKind;
use endstep_language::typing::program::ReadingId;
use endstep_semantics::witness::Witness;
use endstep_verdicts::verdict::Finding;

/// A finding, and how to come to it again.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The finding.
    pub finding: Finding,
    /// The input whose board shows it.
    pub input: Vec<u8>,
    /// The reading that was left open.
    pub open: Option<ReadingId>,
}

impl Found {
    /// The input and the open reading as bytes: two for the reading, then those of the input.
    pub fn bytes(&self) -> Vec<u8> {
        let open = self.open.map_or(0, |reading| reading.index() + 1);
        let open = u16::try_from(open).unwrap_or(0).to_le_bytes();
        [&open, self.input.as_slice()].concat()
    }

    /// The open reading and the input that bytes hold.
    pub fn read(bytes: &[u8]) -> Option<(Option<ReadingId>, &[u8])> {
        let (open, input) = bytes.split_first_chunk()?;
        let open = usize::from(u16::from_le_bytes(*open));
        Some((open.checked_sub(1).map(ReadingId::from_index), input))
    }

    /// What makes one witness better than another: a stronger basis, then fewer entities, fewer readings
    /// that have to be fixed, and fewer choices.
    fn size(&self) -> (BasisKind, usize, usize, usize, usize) {
        let witness = self.finding.witness.as_ref();
        let runs = witness.map_or_else(Vec::new, Witness::runs);
        let entities = runs.first().map_or(0, |run| run.board.entities.len());
        let readings = runs.first().map_or(0, |run| run.readings.len());
        let choices = runs.iter().map(|run| run.choices.len()).sum();
        (
            self.finding.basis,
            entities,
            readings,
            choices,
            self.input.len(),
        )
    }

    /// Whether this shows the same better than another.
    pub fn is_better(&self, other: &Self) -> bool {
        self.size() < other.size()
    }
}

/// Findings by fingerprint.
pub(super) type Findings = BTreeMap<String, Found>;
