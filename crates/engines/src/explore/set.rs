//! Outcome sets that are kept once each: equal sets have one number, and unions are remembered.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use endstep_verdicts::analysis::Set;

/// The number of a set.
pub type SetId = u32;

/// All sets met so far.
#[derive(Debug, Default)]
pub struct Sets {
    known: IndexSet<Set, FxBuildHasher>,
    unions: FxHashMap<(SetId, SetId), SetId>,
}

impl Sets {
    /// Sets that are all different, by their positions.
    pub fn from(values: impl Iterator<Item = Set>) -> Self {
        Self {
            known: values.collect(),
            unions: FxHashMap::default(),
        }
    }

    /// The number of a set.
    pub fn id(&mut self, set: Set) -> SetId {
        self.known.insert_full(set).0 as SetId
    }

    /// The set with a number.
    pub fn get(&self, id: SetId) -> &Set {
        &self.known[id as usize]
    }

    /// The union of two sets.
    pub fn union(&mut self, one: SetId, other: SetId) -> SetId {
        if one == other {
            return one;
        }
        let pair = (one.min(other), one.max(other));
        if let Some(&known) = self.unions.get(&pair) {
            return known;
        }
        let (one, other) = (self.get(one), self.get(other));
        let both: Set = one
            .iter()
            .chain(other.iter())
            .map(|number| number as u32)
            .collect();
        let id = self.id(both);
        self.unions.insert(pair, id);
        id
    }

    /// The union of any number of sets.
    pub fn all(&mut self, mut sets: Vec<SetId>) -> SetId {
        sets.sort_unstable();
        sets.dedup();
        let union = sets.into_iter().reduce(|one, other| self.union(one, other));
        union.unwrap_or_else(|| self.id(Set::default()))
    }

    /// All sets, by their numbers.
    pub fn into_sets(self) -> Vec<Set> {
        self.known.into_iter().collect()
    }
}
