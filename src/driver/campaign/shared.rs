//! What the threads of a campaign share: corpus, coverage, signs, findings.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::account::Account;
use super::found::{Findings, Found};
use super::plan::{Archive, Status, Watcher};
use endstep_engines::sample::{Seen, Sign, Suspicion};

/// A sign is looked at on so many boards at once. One that two runs show, which may differ for another
/// reason, is looked at again whenever a quarter more runs were sampled.
const TRIES: u32 = 4;

/// What is known of a sign.
#[derive(Debug, Clone, Copy, Default)]
struct Look {
    tries: u32,
    settled: bool,
    /// After so many runs it is looked at again.
    again: u64,
}

/// So many different boards are told apart.
const MOST_BOARDS: usize = 1_000_000;

/// The boards that were dealt, by their hashes.
#[derive(Debug, Default)]
struct Different {
    known: BTreeSet<u64>,
    /// There were more than are told apart.
    more: bool,
}

impl Different {
    fn add(&mut self, board: u64) {
        match self.known.len() < MOST_BOARDS {
            true => {
                self.known.insert(board);
            }
            false => self.more |= !self.known.contains(&board),
        }
    }

    fn number(&self) -> u64 {
        self.known.len() as u64
    }
}

/// Whether a sign is to be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    /// Now, after so many times.
    Now(u32),
    /// Not before there were more runs.
    Later,
    /// Never again.
    Never,
}

/// Whether a sign that was looked at so many times has had its first tries.
pub(super) fn is_again(tries: u32) -> bool {
    tries >= TRIES
}

/// What is known, by sequence and sign.
type Looks = BTreeMap<(usize, Sign), Look>;

#[derive(Default)]
struct State {
    status: Status,
    steps: u64,
    closing: u64,
    /// Runs for signs that were looked at often before.
    again: u64,
    corpus: Arc<Vec<Arc<[u8]>>>,
    seen: Seen,
    boards: Different,
    looks: Looks,
    found: Findings,
    suspected: BTreeMap<(usize, Sign), Suspicion>,
    resumed: usize,
}

/// The shared part of a campaign.
pub(super) struct Shared<'a> {
    runs: Option<u64>,
    archive: &'a dyn Archive,
    watcher: Watcher<'a>,
    over: AtomicBool,
    state: Mutex<State>,
}

/// The work of a thread since it told of it last.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Work {
    /// Runs.
    pub runs: u64,
    /// How often a legal board was dealt.
    pub deals: u64,
    /// Micro-steps.
    pub steps: u64,
}

impl<'a> Shared<'a> {
    pub fn new(runs: Option<u64>, archive: &'a dyn Archive, watcher: Watcher<'a>) -> Self {
        Self {
            runs,
            archive,
            watcher,
            over: AtomicBool::new(false),
            state: Mutex::default(),
        }
    }

    /// Nothing is done while the state is held that could leave it half done.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn archive(&self) -> &'a dyn Archive {
        self.archive
    }

    pub fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Ends the campaign: no board can be dealt.
    pub fn give_up(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// Adds work, and the hashes of the boards that were dealt; the corpus now.
    pub fn report(&self, work: Work, dealt: impl IntoIterator<Item = u64>) -> Arc<Vec<Arc<[u8]>>> {
        let mut state = self.state();
        state.status.runs += work.runs;
        state.status.deals += work.deals;
        state.steps += work.steps;
        for board in dealt {
            state.boards.add(board);
        }
        let status = state.status;
        let corpus = Arc::clone(&state.corpus);
        drop(state);
        let enough = self.runs.is_some_and(|most| status.runs >= most);
        if enough || !(self.watcher)(&status) {
            self.over.store(true, Ordering::Relaxed);
        }
        corpus
    }

    /// How many more runs there may be.
    pub fn left(&self) -> u64 {
        match self.runs {
            Some(most) => most.saturating_sub(self.state().status.runs),
            None => u64::MAX,
        }
    }

    /// Whether it is time to look closely at something that shows no sign; how much was spent on it
    /// is at most a share of everything.
    pub fn can_look(&self, work: Work) -> bool {
        let state = self.state();
        state.closing <= 200_000 + (state.steps + work.steps) / 2
    }

    /// Adds steps of looking closely.
    pub fn looked(&self, steps: u64) {
        self.state().closing += steps;
    }

    /// Adds what a run went through, and its input, if any of it is new.
    pub fn add(&self, cover: &Seen, input: &[u8]) -> bool {
        let mut state = self.state();
        if !state.seen.lacks(cover) {
            return false;
        }
        self.archive.keep(input);
        state.seen.merge(cover);
        Arc::make_mut(&mut state.corpus).push(input.into());
        state.status.corpus = state.corpus.len();
        state.status.edges = state.seen.edges();
        true
    }

    /// What all runs went through.
    pub fn seen(&self) -> Seen {
        self.state().seen.clone()
    }

    /// Whether a sign is still to be looked at; if so it counts as looked at once more.
    pub fn wants(&self, job: usize, sign: &Sign) -> Wish {
        let mut state = self.state();
        let runs = state.status.runs;
        // A try takes about a thousand runs.
        let time = state.again + 1000 <= runs / 16;
        let look = state.looks.entry((job, sign.clone())).or_default();
        let tries = look.tries;
        match (look.settled, tries < TRIES) {
            (true, _) => return Wish::Never,
            (false, true) => {}
            (false, false) if !sign.compares() => return Wish::Never,
            (false, false) if runs < look.again || !time => return Wish::Later,
            (false, false) => {}
        }
        look.tries += 1;
        look.again = runs + runs / 4 + 1000;
        Wish::Now(tries)
    }

    /// Adds runs for a sign that was looked at so many times before: at most a sixteenth of all are for
    /// those that have had their first tries.
    pub fn tried(&self, tries: u32, runs: u64) {
        if is_again(tries) {
            self.state().again += runs;
        }
    }

    /// Takes down that a sign has led to what it is a sign of.
    pub fn settle(&self, job: usize, sign: &Sign) {
        let mut state = self.state();
        let look = state.looks.entry((job, sign.clone())).or_default();
        look.settled = true;
        state.suspected.remove(&(job, sign.clone()));
        state.status.suspected = state.suspected.len();
    }

    /// Adds a finding, if it is new or shown better than before.
    pub fn found(&self, print: String, found: Found) -> bool {
        let mut state = self.state();
        let known = state.found.get(&print);
        if known.is_some_and(|known| !found.is_better(known)) {
            return false;
        }
        self.archive.found(&print, &found);
        let new = state.found.insert(print, found).is_none();
        state.status.findings = state.found.len();
        new
    }

    /// Adds something that could not be decided.
    pub fn suspect(&self, job: usize, suspicion: Suspicion) {
        let mut state = self.state();
        let key = (job, suspicion.sign.clone());
        state.suspected.entry(key).or_insert(suspicion);
        state.status.suspected = state.suspected.len();
    }

    /// Takes down what there was when the campaign began.
    pub fn resumed(&self) {
        let mut state = self.state();
        state.resumed = state.found.len();
    }

    pub fn into_account(self) -> Account {
        let state = self.state.into_inner();
        let state = state.unwrap_or_else(PoisonError::into_inner);
        Account {
            found: state.found.into_values().collect(),
            suspected: state.suspected.into_values().collect(),
            runs: state.status.runs,
            boards: state.boards.number(),
            more_boards: state.boards.more,
            deals: state.status.deals,
            edges: state.seen.edges(),
            corpus: state.corpus.len(),
            resumed: state.resumed,
        }
    }
}
