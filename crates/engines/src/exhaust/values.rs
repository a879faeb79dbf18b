//! Which outcomes are possible from each node, and who can bring them about.
//!
//! `V` is the least fixpoint of "the outcome of an end, or the union over what follows"; a node has
//! `diverges` if it stays when nodes that nothing follows are taken away again and again. Both are
//! computed by going over all nodes until nothing changes.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use endstep_semantics::semantics::Who;
use endstep_semantics::witness::Ability;
use endstep_verdicts::analysis::{DIVERGES, Graph, Halt, Outcomes, Set, Values, Viewer};

/// A set of small numbers. Without zero words at the end, so that equal sets are equal values.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Bits(Vec<u64>);

impl Bits {
    /// Adds a number.
    pub fn insert(&mut self, number: usize) {
        if self.0.len() <= number / 64 {
            self.0.resize(number / 64 + 1, 0);
        }
        self.0[number / 64] |= 1 << (number % 64);
    }

    /// Adds all numbers of another set; whether there was a new one.
    pub fn extend(&mut self, other: &Self) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut new = false;
        for (mine, more) in self.0.iter_mut().zip(&other.0) {
            new |= more & !*mine != 0;
            *mine |= more;
        }
        new
    }

    fn contains(&self, number: usize) -> bool {
        self.0
            .get(number / 64)
            .is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.0.len() * 64).filter(|&number| self.contains(number))
    }

    /// The set as all engines have it.
    pub fn to_set(&self) -> Set {
        let numbers = self.iter().filter_map(|number| u32::try_from(number).ok());
        numbers.collect()
    }
}

impl From<&Set> for Bits {
    fn from(set: &Set) -> Self {
        let mut bits = Self::default();
        set.iter().for_each(|number| bits.insert(number));
        bits
    }
}

/// The values of a graph.
pub fn values(graph: &Graph, viewer: Viewer<'_>, outcomes: &mut Outcomes) -> Result<Values, Halt> {
    let mut sets = vec![Bits::default(); graph.nodes.len()];
    let mut ends = vec![None; graph.nodes.len()];
    for at in 0..graph.nodes.len() {
        ends[at] = viewer.end(graph, at, outcomes)?;
        if let Some(number) = ends[at] {
            sets[at].insert(number);
        }
    }
    for (at, forever) in forever(graph).into_iter().enumerate() {
        if forever {
            sets[at].insert(DIVERGES);
        }
    }
    loop {
        let mut changed = false;
        for at in (0..sets.len()).rev() {
            for edge in graph.nodes.at(at).edges() {
                if edge.to() != at {
                    let more = std::mem::take(&mut sets[edge.to()]);
                    changed |= sets[at].extend(&more);
                    sets[edge.to()] = more;
                }
            }
        }
        if !changed {
            break;
        }
    }
    let mut distinct: IndexSet<Bits, FxBuildHasher> = IndexSet::default();
    let of = sets
        .into_iter()
        .map(|set| distinct.insert_full(set).0 as u32);
    let of = of.collect();
    Ok(Values::new(
        distinct.iter().map(Bits::to_set).collect(),
        of,
        ends,
    ))
}

/// For each node whether an infinite run starts there.
pub fn forever(graph: &Graph) -> Vec<bool> {
    let mut left = vec![true; graph.nodes.len()];
    loop {
        let mut changed = false;
        for at in (0..left.len()).rev() {
            if left[at] && !graph.nodes.at(at).edges().any(|edge| left[edge.to()]) {
                left[at] = false;
                changed = true;
            }
        }
        if !changed {
            return left;
        }
    }
}

/// The nodes from which those who help can bring the run into `goal`, whatever the others do. Each
/// node has one decider; a node without a choice has one successor.
pub fn attractor(graph: &Graph, goal: &[bool], helps: &dyn Fn(usize) -> bool) -> Vec<bool> {
    let mut set = goal.to_vec();
    loop {
        let mut changed = false;
        for at in (0..set.len()).rev() {
            let mut edges = graph.nodes.at(at).edges();
            if set[at] || edges.len() == 0 {
                continue;
            }
            let reached = if helps(at) {
                edges.any(|edge| set[edge.to()])
            } else {
                edges.all(|edge| set[edge.to()])
            };
            if reached {
                set[at] = true;
                changed = true;
            }
        }
        if !changed {
            return set;
        }
    }
}

/// Whether somebody can force or avoid an outcome from the start, everybody else adversarial.
pub fn able(
    graph: &Graph,
    values: &Values,
    who: Who,
    (ability, outcome): (Ability, usize),
) -> bool {
    let is_mine = |at: usize| {
        let point = graph.nodes.at(at).point();
        point.is_some_and(|point| who.speaks_for(point.who))
    };
    let ends: Vec<bool> = values.ends.iter().map(Option::is_some).collect();
    let so: Vec<bool> = values
        .ends
        .iter()
        .map(|end| *end == Some(outcome))
        .collect();
    let others = |at: usize| !is_mine(at);
    match (ability, outcome == DIVERGES) {
        (Ability::Force, false) => attractor(graph, &so, &is_mine)[0],
        // The others cannot bring about an end, or this end.
        (Ability::Force, true) => !attractor(graph, &ends, &others)[0],
        (Ability::Avoid, false) => !attractor(graph, &so, &others)[0],
        (Ability::Avoid, true) => attractor(graph, &ends, &is_mine)[0],
    }
}
