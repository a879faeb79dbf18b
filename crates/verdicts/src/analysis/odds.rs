//! Which demands the outcomes of a board cannot meet together: the smallest sets of them.
//!
//! ```text
//!                       none_lost  no_dead  in_order
//! it ends with wolf in play           not met
//! it ends with wolf lost   not met                       core: none_lost + no_dead
//! ```
//!
//! A core is a smallest set of demands that has one of those not met at each outcome: a minimum hitting
//! set. Demands that are met at no outcome are cores of their own, and are left aside for the others.
//!
//! *Guarantees.* Of cores that are as small the first is taken, by the order of demands. For each demand
//! of a core there is an outcome at which it alone of the core is not met, else it would not be needed.
//!
//! *Limits.* Cores of more than [`MOST_DEMANDS`] are not looked for. Where a run was given up, nothing is
//! said.

use std::collections::{BTreeMap, BTreeSet};

use super::bucket::Hit;
use super::flat::Edge;
use super::graph::Graph;
use super::setup::{Failure, Setup};
use endstep_language::typing::program::{Program, SequenceId};
use endstep_semantics::semantics::Site;
use endstep_semantics::witness::{MOST_STATES, Violated, is_demand};

/// Cores of more demands are not looked for.
const MOST_DEMANDS: usize = 6;

/// Something demanded of outcomes, in the order in which they are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Demand {
    /// A claim.
    Claim(usize),
    /// A condition of legality.
    Legal(usize),
    /// What the contract of the sequence ensures.
    Ensures(usize),
}

/// Demands on the outcomes of one board that are at odds.
#[derive(Debug, Default)]
pub struct Odds {
    /// Which demands are not met at each outcome, by node; empty if all can be met.
    pub(super) broken: BTreeMap<usize, BTreeSet<Demand>>,
    /// Demands that are met at no outcome.
    pub(super) alone: Vec<Demand>,
    /// Of the others the smallest set of which one is not met at each outcome; empty if there is none.
    pub(super) core: Vec<Demand>,
    /// Whether the runs are too many for the interpreter to visit all of them again.
    large: bool,
}

impl Demand {
    fn of(setup: &Setup<'_>, failure: &Failure, concerned: &[bool]) -> Option<Self> {
        let job = setup.job;
        match failure {
            Failure::Legal(at) => Some(Self::Legal(*at)),
            Failure::Contract(at) => Some(Self::Ensures(*at)),
            Failure::Frame(_) => None,
            Failure::Claim(claim, _) => {
                let mut claims = job.claims.iter().chain(&job.also);
                let at = claims.position(|one| one == claim)?;
                (concerned[at] && is_demand(setup.program, *claim)).then_some(Self::Claim(*claim))
            }
        }
    }

    pub(super) fn violated(self, sequence: SequenceId) -> Violated {
        match self {
            Self::Claim(at) => Violated::Claim(at),
            Self::Legal(at) => Violated::Legal(at),
            Self::Ensures(at) => Violated::Contract(sequence, at),
        }
    }

    /// Adds the clause under which it stands, and its place.
    pub(super) fn place(self, program: &Program, sequence: SequenceId, hit: Hit) -> Hit {
        let (clause, span) = match self {
            Self::Claim(at) => (program.claims[at].clause, program.claims[at].span),
            Self::Legal(at) => (program.legals[at].clause, program.legals[at].span),
            Self::Ensures(_) => return hit.at(program, Site::Sequence(sequence)),
        };
        let mut hit = hit;
        hit.clauses.extend(clause);
        hit.spans.push(span);
        hit
    }
}

impl Odds {
    /// Whether nothing is at odds.
    pub fn is_nothing(&self) -> bool {
        self.core.is_empty() && self.alone.is_empty()
    }

    /// Those of a board under an assignment.
    pub fn of(
        setup: &Setup<'_>,
        graph: &Graph,
        (failures, concerned): (&[(usize, Failure)], &[bool]),
    ) -> Self {
        let outcomes = graph.nodes.iter().filter_map(|node| node.end());
        let count = outcomes.filter(|end| end.ended.tag.is_outcome()).count();
        let mut broken: BTreeMap<usize, BTreeSet<Demand>> = BTreeMap::new();
        for (node, failure) in failures {
            if let Some(demand) = Demand::of(setup, failure, concerned) {
                broken.entry(*node).or_default().insert(demand);
            }
        }
        if count == 0 || broken.len() < count || graph.is_limited() {
            return Self::default();
        }
        let sets: BTreeSet<&BTreeSet<Demand>> = broken.values().collect();
        let mut common = sets.iter().map(|set| (*set).clone());
        let first = common.next().unwrap_or_default();
        let alone: BTreeSet<Demand> = common.fold(first, |all, set| &all & &set);
        let rest: Vec<BTreeSet<Demand>> = sets.iter().map(|set| *set - &alone).collect();
        let steps: u64 = graph.nodes.edges().map(Edge::length).sum();
        Self {
            core: smallest(&rest).unwrap_or_default(),
            alone: alone.into_iter().collect(),
            broken,
            large: steps >= MOST_STATES as u64,
        }
    }

    /// What is violated at the end of a run: more, if that is so at every outcome.
    pub fn judged(&self, violated: Violated) -> Violated {
        let demand = match &violated {
            Violated::Claim(at) => Demand::Claim(*at),
            Violated::Legal(at) => Demand::Legal(*at),
            Violated::Contract(_, at) => Demand::Ensures(*at),
            _ => return violated,
        };
        match self.alone.contains(&demand) && !self.large {
            true => Violated::Everywhere(Box::new(violated)),
            false => violated,
        }
    }

    /// The nodes at which of a core just one demand is not met, for each of its demands.
    pub(super) fn nodes(&self, core: &[Demand]) -> Vec<Vec<usize>> {
        let only = |wanted: &Demand| {
            let of_core = |node: &&usize| {
                let mut others = core.iter().filter(|one| *one != wanted);
                let broken = &self.broken[*node];
                broken.contains(wanted) && !others.any(|one| broken.contains(one))
            };
            self.broken.keys().filter(of_core).copied().collect()
        };
        core.iter().map(only).collect()
    }

    /// Which of a core are not met at a node, by position.
    pub(super) fn positions(&self, core: &[Demand], node: usize) -> Vec<usize> {
        let broken = &self.broken[&node];
        let all = core.iter().enumerate();
        all.filter(|(_, demand)| broken.contains(demand))
            .map(|(at, _)| at)
            .collect()
    }
}

/// Whether other outcomes may meet what a run violates, as far as it is a demand.
pub fn is_mixed(program: &Program, violated: &Violated) -> bool {
    match violated {
        Violated::Claim(at) => is_demand(program, *at),
        Violated::Legal(_) | Violated::Contract(..) => true,
        _ => false,
    }
}

/// The smallest set that has something in common with each of some sets; of several that are as small
/// the first. None if one of them is empty, or it would be too large.
fn smallest(sets: &[BTreeSet<Demand>]) -> Option<Vec<Demand>> {
    let all: BTreeSet<Demand> = sets.iter().flatten().copied().collect();
    let size = (1..=MOST_DEMANDS).find(|&size| can_hit(sets, &[], size))?;
    let mut chosen = Vec::new();
    while chosen.len() < size {
        let next = all.iter().find(|demand| {
            let more = [chosen.as_slice(), &[**demand]].concat();
            !chosen.contains(*demand) && can_hit(sets, &more, size - more.len())
        })?;
        chosen.push(*next);
    }
    Some(chosen)
}

/// Whether so many more are enough to have something in common with each of some sets.
fn can_hit(sets: &[BTreeSet<Demand>], chosen: &[Demand], more: usize) -> bool {
    let left = sets
        .iter()
        .filter(|set| !chosen.iter().any(|one| set.contains(one)));
    let Some(next) = left.min_by_key(|set| set.len()) else {
        return true;
    };
    more > 0
        && next
            .iter()
            .any(|one| can_hit(sets, &[chosen, &[*one]].concat(), more - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The demands of a set, as the bits of a number.
    fn set(bits: u32) -> BTreeSet<Demand> {
        let all = (0..8).filter(|at| bits >> at & 1 == 1);
        all.map(Demand::Claim).collect()
    }

    /// The smallest set, and the first of those, by trying all.
    fn by_force(sets: &[BTreeSet<Demand>]) -> Option<Vec<Demand>> {
        let all = (1..256).map(set);
        let hits = |core: &BTreeSet<Demand>| sets.iter().all(|one| !one.is_disjoint(core));
        let cores = all.filter(|core| core.len() <= MOST_DEMANDS && hits(core));
        let found = cores.min_by_key(|core| (core.len(), core.clone()));
        found.map(|core| core.into_iter().collect())
    }

    #[test]
    fn the_smallest_core_is_found_and_of_several_the_first() {
        let mut state: u32 = 7;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 16
        };
        let mut sizes = BTreeSet::new();
        for _ in 0..400 {
            let count = 1 + next() % 8;
            // Small sets need large cores.
            let sets: Vec<BTreeSet<Demand>> = (0..count)
                .map(|_| match next() % 3 {
                    0 => set(next() & next() & 255),
                    1 => set(1 << (next() % 8)),
                    _ => set(next() & 255),
                })
                .collect();
            let found = smallest(&sets);
            assert_eq!(found, by_force(&sets), "{sets:?}");
            sizes.insert(found.map_or(0, |core| core.len()));
        }
        assert!(sizes.len() >= 6, "{sizes:?}");
        let seven: Vec<BTreeSet<Demand>> = (0..7).map(|at| set(1 << at)).collect();
        assert_eq!(smallest(&seven), None);
    }
}
