//! What runs have been through: statements after statements, triggers after triggers, and how often.
//!
//! A pair (the statement before, this statement) is an edge: an `if` gives one for each way it goes. A
//! pair of triggers, one resolved after the other, is what makes cards interact. How often an edge is
//! taken is told apart coarsely (once, twice, three times, four to seven times, …).
//!
//! *Limits.* Edges are kept by a hash of 16 bits; two that share one are told apart no longer. This
//! steers a search and decides nothing.
//!
//! *Background.* M. Zalewski, American Fuzzy Lop, technical details, 2014 (edges, buckets).

use endstep_language::index::Id;
use endstep_semantics::semantics::Note;

/// So many edges are told apart.
pub const EDGES: usize = 1 << 16;

/// What one run has been through.
#[derive(Debug)]
pub struct Cover {
    counts: Vec<u8>,
    touched: Vec<u16>,
    stmt: u32,
    trigger: u32,
    event: u32,
}

/// What all runs have been through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    buckets: Vec<u8>,
    edges: usize,
}

impl Default for Cover {
    fn default() -> Self {
        Self {
            counts: vec![0; EDGES],
            touched: Vec::new(),
            stmt: 0,
            trigger: 0,
            event: 0,
        }
    }
}

impl Cover {
    /// Forgets the run.
    pub fn clear(&mut self) {
        for &at in &self.touched {
            self.counts[usize::from(at)] = 0;
        }
        self.touched.clear();
        (self.stmt, self.trigger, self.event) = (0, 0, 0);
    }

    /// Takes down what happened.
    pub fn note(&mut self, note: &Note) {
        match note {
            Note::Executed(stmt) => {
                let stmt = stmt.index() as u32 + 1;
                self.hit(1, self.stmt, stmt);
                self.stmt = stmt;
            }
            Note::Resolving(trigger) => {
                let trigger = trigger.index() as u32 + 1;
                self.hit(2, self.trigger, trigger);
                self.trigger = trigger;
            }
            Note::Announced(event, matched) => {
                let event = event.index() as u32 + 1;
                self.hit(3, event, (*matched).min(4) as u32);
                self.hit(4, self.event, event);
                self.event = event;
            }
            Note::Conflict(_) => self.hit(5, self.stmt, 0),
            Note::Cancelled { sequence, .. } => {
                self.hit(6, sequence.index() as u32, self.stmt);
            }
            _ => {}
        }
    }

    fn hit(&mut self, kind: u32, from: u32, to: u32) {
        let mixed = (kind.wrapping_mul(0x9e37_79b9) ^ from).wrapping_mul(0x85eb_ca6b) ^ to;
        let at = (mixed.wrapping_mul(0xc2b2_ae35) >> 16) as u16;
        let count = &mut self.counts[usize::from(at)];
        if *count == 0 {
            self.touched.push(at);
        }
        *count = count.saturating_add(1);
    }

    /// Whether an edge was taken about so often.
    pub fn has(&self, at: u16, bit: u8) -> bool {
        bucket(self.counts[usize::from(at)]) == bit
    }

    /// The edges taken, each with a bit for how often.
    pub fn edges(&self) -> impl Iterator<Item = (u16, u8)> + '_ {
        let touched = self.touched.iter();
        touched.map(|&at| (at, bucket(self.counts[usize::from(at)])))
    }
}

/// A bit for how often something happened.
fn bucket(count: u8) -> u8 {
    match count {
        0 => 0,
        1 => 1,
        2 => 2,
        3 => 4,
        4..=7 => 8,
        8..=15 => 16,
        16..=31 => 32,
        32..=127 => 64,
        _ => 128,
    }
}

impl Default for Seen {
    fn default() -> Self {
        Self {
            buckets: vec![0; EDGES],
            edges: 0,
        }
    }
}

impl Seen {
    /// Whether a run went where none did before.
    pub fn is_new(&self, cover: &Cover) -> bool {
        let mut edges = cover.edges();
        edges.any(|(at, bit)| self.buckets[usize::from(at)] & bit == 0)
    }

    /// Adds a run: what of it is new.
    pub fn add(&mut self, cover: &Cover) -> Vec<(u16, u8)> {
        let new = cover.edges().filter(|&(at, bit)| self.put(at, bit));
        new.collect()
    }

    /// What one run went through.
    pub fn of(cover: &Cover) -> Self {
        let mut seen = Self::default();
        seen.add(cover);
        seen
    }

    /// Whether other runs went where these did not.
    pub fn lacks(&self, other: &Self) -> bool {
        let mut both = self.buckets.iter().zip(&other.buckets);
        both.any(|(mine, others)| others & !mine != 0)
    }

    /// Adds what other runs went through.
    pub fn merge(&mut self, other: &Self) {
        for (at, &bits) in other.buckets.iter().enumerate() {
            self.edges += usize::from(self.buckets[at] == 0 && bits != 0);
            self.buckets[at] |= bits;
        }
    }

    /// How many edges were taken.
    pub fn edges(&self) -> usize {
        self.edges
    }

    fn put(&mut self, at: u16, bit: u8) -> bool {
        let bits = &mut self.buckets[usize::from(at)];
        let new = *bits & bit == 0;
        self.edges += usize::from(*bits == 0);
        *bits |= bit;
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use endstep_language::typing::program::{StmtId, TriggerId};

    #[test]
    fn an_edge_is_new_once_for_each_number_of_times() {
        let (mut cover, mut seen) = (Cover::default(), Seen::default());
        cover.note(&Note::Executed(StmtId(3)));
        assert!(seen.is_new(&cover));
        assert_eq!(seen.add(&cover).len(), 1);
        assert!(!seen.is_new(&cover));
        cover.note(&Note::Executed(StmtId(3)));
        assert_eq!(seen.add(&cover).len(), 1, "3 after 3");
        cover.clear();
        assert_eq!(cover.edges().count(), 0);
        assert_eq!(seen.edges(), 2);
    }

    #[test]
    fn which_trigger_comes_after_which_is_told_apart() {
        let mut seen = Seen::default();
        for order in [[0, 1], [1, 0]] {
            let mut cover = Cover::default();
            for at in order {
                cover.note(&Note::Resolving(TriggerId(at)));
            }
            assert_eq!(seen.add(&cover).len(), 2);
        }
    }
}
