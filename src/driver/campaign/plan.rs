//! What a campaign is asked: how long it goes on, who looks on, and what is kept.

use super::found::Found;
use endstep_engines::sample::Scene;

/// What a campaign is.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// Of the dice.
    pub seed: u64,
    /// Threads; one if 0.
    pub jobs: usize,
    /// It ends after so many runs.
    pub runs: Option<u64>,
    /// The boards.
    pub scene: Scene,
    /// How much further than the bounds of exploration runs may go.
    pub extra: u32,
}

/// What is kept of a campaign, so that another one can go on with it.
pub trait Archive: Sync {
    /// The inputs that are kept, in any order.
    fn inputs(&self) -> Vec<Vec<u8>> {
        Vec::new()
    }

    /// The inputs that show findings.
    fn shown(&self) -> Vec<Vec<u8>> {
        Vec::new()
    }

    /// Keeps an input that leads somewhere new.
    fn keep(&self, _input: &[u8]) {}

    /// Forgets an input that leads nowhere that others do not.
    fn forget(&self, _input: &[u8]) {}

    /// Keeps a finding, by its fingerprint; one that is there is replaced.
    fn found(&self, print: &str, found: &Found);
}

/// Keeps nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nowhere;

impl Archive for Nowhere {
    fn found(&self, _: &str, _: &Found) {}
}

/// What looks on: told how far a campaign is, it says whether it goes on.
pub type Watcher<'a> = &'a (dyn Fn(&Status) -> bool + Sync);

/// How far a campaign is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Status {
    /// Runs so far.
    pub runs: u64,
    /// How often a legal board was dealt so far.
    pub deals: u64,
    /// Edges taken.
    pub edges: usize,
    /// Inputs kept.
    pub corpus: usize,
    /// Findings.
    pub findings: usize,
    /// What could not be decided.
    pub suspected: usize,
}
