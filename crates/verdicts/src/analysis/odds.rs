//! Which demands the outcomes of a board cannot meet together: all sets of them that are no larger than they need be.
//!
//! ```text
//!                       none_lost  no_dead  in_order
//! it ends with wolf in play           not met
//! it ends with wolf lost   not met                       core: none_lost + no_dead
//! ```
//!
//! A core is a set of demands that has one of those not met at each outcome, while no part of it has: a minimal
//! hitting set. They are found by branching on an outcome that is not hit yet, as in Murakami and Uno, "Efficient
//! algorithms for dualizing large-scale hypergraphs" (2014): for each demand of a core there is an outcome at which it
//! alone of the core is not met, else it would not be needed, and what leaves another without one is not gone on with.
//!
//! *Limits.* Cores of more than [`MOST_DEMANDS`] are not looked for. Where a run was given up, nothing is said; where
//! there are too many sets to try, nothing is said of several demands.

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

/// More sets of demands than this are not tried on a board.
const MOST_TRIED: usize = 4096;

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
    /// Of the others the sets of which one is not met at each outcome, and no part of which is so; the smallest first.
    pub(super) cores: Vec<Vec<Demand>>,
    /// Whether there are too many of them.
    pub(super) too_many: bool,
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
        self.cores.is_empty() && self.alone.is_empty()
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
        let cores = minimal(&rest);
        Self {
            too_many: cores.is_none(),
            cores: cores.unwrap_or_default(),
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

/// The sets that have something in common with each of some sets, and no part of which has: the smallest first, and of
/// several that are as small in order. None if one of the sets is empty; `None` if there is too much to try.
fn minimal(sets: &[BTreeSet<Demand>]) -> Option<Vec<Vec<Demand>>> {
    let mut search = Search {
        sets,
        left: MOST_TRIED,
        found: BTreeSet::new(),
    };
    search.more(&mut Vec::new(), &BTreeSet::new()).then(|| {
        let found = search.found.into_iter();
        found.map(|(_, core)| core).collect()
    })
}

struct Search<'s> {
    sets: &'s [BTreeSet<Demand>],
    /// How many more sets are tried.
    left: usize,
    /// With their sizes.
    found: BTreeSet<(usize, Vec<Demand>)>,
}

impl Search<'_> {
    /// Adds to what is chosen what hits the first set that is not hit; `tried` was chosen elsewhere. Whether all was
    /// tried.
    fn more(&mut self, chosen: &mut Vec<Demand>, tried: &BTreeSet<Demand>) -> bool {
        let Some(left) = self.left.checked_sub(1) else {
            return false;
        };
        self.left = left;
        let is_hit = |set: &&BTreeSet<Demand>| chosen.iter().any(|one| set.contains(one));
        let sets = self.sets;
        let Some(next) = sets
            .iter()
            .filter(|set| !is_hit(set))
            .min_by_key(|set| set.len())
        else {
            let mut core = chosen.clone();
            core.sort_unstable();
            self.found.insert((core.len(), core));
            return true;
        };
        if chosen.len() == MOST_DEMANDS {
            return true;
        }
        let mut tried = tried.clone();
        for &one in next.difference(&tried.clone()) {
            chosen.push(one);
            let needed = chosen.iter().all(|one| self.needs(chosen, *one));
            let all = !needed || self.more(chosen, &tried);
            chosen.pop();
            if !all {
                return false;
            }
            tried.insert(one);
        }
        true
    }

    /// Whether some set is hit by this alone of what is chosen.
    fn needs(&self, chosen: &[Demand], wanted: Demand) -> bool {
        let mut sets = self.sets.iter();
        sets.any(|set| chosen.iter().filter(|one| set.contains(one)).eq([&wanted]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The demands of a set, as the bits of a number.
    fn set(bits: u32) -> BTreeSet<Demand> {
        let all = (0..8).filter(|at| bits >> at & 1 == 1);
        all.map(Demand::Claim).collect()
    }

    /// All minimal sets, the smallest first, by trying all.
    fn by_force(sets: &[BTreeSet<Demand>]) -> Vec<Vec<Demand>> {
        let hits = |core: &BTreeSet<Demand>| sets.iter().all(|one| !one.is_disjoint(core));
        let part = |core: &BTreeSet<Demand>, one: &Demand| {
            let mut part = core.clone();
            part.remove(one);
            part
        };
        let is_minimal =
            |core: &BTreeSet<Demand>| hits(core) && core.iter().all(|one| !hits(&part(core, one)));
        let cores = (0..256).map(set).filter(is_minimal);
        let cores = cores.filter(|core| core.len() <= MOST_DEMANDS);
        let mut cores: Vec<Vec<Demand>> = cores.map(|core| core.into_iter().collect()).collect();
        cores.sort_by_key(|core| (core.len(), core.clone()));
        cores
    }

    #[test]
    fn all_minimal_cores_are_found_the_smallest_first() {
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
            let found = minimal(&sets);
            assert_eq!(found.as_ref(), Some(&by_force(&sets)), "{sets:?}");
            sizes.extend(found.into_iter().flatten().map(|core| core.len()));
        }
        assert!(sizes.len() >= 6, "{sizes:?}");
        let seven: Vec<BTreeSet<Demand>> = (0..7).map(|at| set(1 << at)).collect();
        assert_eq!(minimal(&seven), Some(Vec::new()));
    }

    #[test]
    fn what_has_too_many_cores_is_given_up() {
        let pair = |at: usize| BTreeSet::from([Demand::Claim(2 * at), Demand::Claim(2 * at + 1)]);
        let sets: Vec<BTreeSet<Demand>> = (0..6).map(pair).collect();
        assert_eq!(minimal(&sets).map(|cores| cores.len()), Some(64));
        let many = |at: usize| (0..20).map(|one| Demand::Claim(20 * at + one)).collect();
        let sets: Vec<BTreeSet<Demand>> = (0..6).map(many).collect();
        assert_eq!(minimal(&sets), None);
    }
}
