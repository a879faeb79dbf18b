//! Counts what a sequence can reach from a board: the raw state space, without storing its edges.
//!
//! ```text
//! repeat while true                        states       8 (the counter's values)
//!   choose one by nobody                   transitions  16
//!     option "up"    set n to (n + 1) mod 8   depth     4
//!     option "down"  set n to (n + 7) mod 8
//! ```
//!
//! A **state** is one in which something is chosen, a control cycle begins anew (a round of
//! `repeat`, a pass of a sequence that can restart, the next of what is pending), or the run has
//! ended; what happens between two of them is one **transition**. The way from the board to the
//! first of them is none. A **deadlock** is an end for want of anything that may be done: nothing
//! to choose, no case that applies, a contract that cannot be met.
//!
//! *Guarantees.* Breadth first, so that the depth is the length of the longest shortest way; exact,
//! since whole states are stored.
//!
//! *Limits.* As many states as are asked for; [`Space::complete`] says whether that was enough.
//! More than [`LONGEST_WALK`] small steps without a state are broken off by one.

use std::collections::BTreeMap;

use super::store::Store;
use super::visited::Visited;
use endstep_kernel::instance::{Cells, Machine, Outcome};
use endstep_language::index::Id;
use endstep_language::typing::program::{ReadingId, SequenceId, StepId};
use endstep_semantics::semantics::{Data, GapCause, GapName, Note, Readings, Site, Tag, Variant};
use endstep_verdicts::analysis::{Ground, LONGEST_WALK};

/// So many states are inserted together, so that none waits alone for memory.
const TOGETHER: usize = 256;

/// What is counted, and how far.
#[derive(Debug, Clone, Copy)]
pub struct Quest<'a> {
    /// The sequence.
    pub sequence: SequenceId,
    /// The board.
    pub board: &'a Data,
    /// Readings that are fixed.
    pub readings: &'a Readings,
    /// How the program is changed.
    pub variant: &'a Variant,
    /// Most states.
    pub states: usize,
    /// Whether data are counted at choice points and where steps end.
    pub points: bool,
}

/// What was counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Space {
    /// Distinct states.
    pub states: u64,
    /// Transitions between them.
    pub transitions: u64,
    /// Transitions of the longest shortest way from the first state.
    pub depth: u64,
    /// Ends in each way.
    pub ends: BTreeMap<Tag, u64>,
    /// Ends for want of anything that may be done.
    pub deadlocks: u64,
    /// Distinct data at each choice point.
    pub choices: BTreeMap<Site, u64>,
    /// Distinct data where each step ends.
    pub steps: BTreeMap<StepId, u64>,
    /// Bytes of memory that the states take, their table included; data at points are not.
    pub memory: u64,
    /// Whether all states were visited.
    pub complete: bool,
}

/// Why a board cannot be counted: a run depends on a reading that is not fixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Consulted(pub ReadingId);

impl Space {
    /// Adds what was counted on another board.
    pub fn add(&mut self, other: &Self) {
        self.states += other.states;
        self.transitions += other.transitions;
        self.depth = self.depth.max(other.depth);
        self.deadlocks += other.deadlocks;
        self.memory += other.memory;
        self.complete &= other.complete;
        for (tag, count) in &other.ends {
            *self.ends.entry(tag.clone()).or_default() += count;
        }
        for (site, count) in &other.choices {
            *self.choices.entry(*site).or_default() += count;
        }
        for (step, count) in &other.steps {
            *self.steps.entry(*step).or_default() += count;
        }
    }
}

/// Counts the states of a sequence on a board.
///
/// # Errors
///
/// [`Consulted`]: a reading must be fixed first.
pub fn space(ground: &Ground, quest: Quest<'_>) -> Result<Space, Consulted> {
    let instance = ground.instance(quest.board, quest.readings, quest.variant);
    let setting = instance.setting(ground);
    let machine = || {
        let mut machine = Machine::new(setting, instance.board.clone());
        machine.tells = false;
        machine
    };
    let mut search = Search {
        quest,
        board: &instance.board,
        machine: machine(),
        before: machine(),
        at: machine(),
        store: Visited::default(),
        bytes: Vec::new(),
        points: Points::default(),
        space: Space::default(),
    };
    search.run()?;
    let mut space = search.space;
    space.states = search.store.len() as u64;
    space.memory = search.store.memory() as u64;
    let counted = |all: &BTreeMap<usize, Store>| -> Vec<(usize, u64)> {
        let all = all.iter();
        all.map(|(at, store)| (*at, store.len() as u64)).collect()
    };
    let steps = counted(&search.points.steps).into_iter();
    space.steps = steps
        .map(|(at, count)| (StepId::from_index(at), count))
        .collect();
    let sites = search.points.sites.into_iter();
    space.choices = sites
        .map(|(site, store)| (site, store.len() as u64))
        .collect();
    Ok(space)
}

#[derive(Default)]
struct Points {
    steps: BTreeMap<usize, Store>,
    sites: BTreeMap<Site, Store>,
}

/// The ways on which a walk comes to rest.
enum Rest {
    /// In a state that is stored, under its number.
    State,
    /// There is no room for it.
    Full,
}

struct Search<'a> {
    quest: Quest<'a>,
    board: &'a Cells,
    machine: Machine<'a>,
    /// A state to which a walk is run again.
    before: Machine<'a>,
    /// The choice point whose alternatives are being taken.
    at: Machine<'a>,
    store: Visited,
    bytes: Vec<u8>,
    points: Points,
    space: Space,
}

impl Search<'_> {
    fn run(&mut self) -> Result<(), Consulted> {
        self.machine.begin(self.quest.sequence, &[], None);
        // The first state is where the way from the board comes to rest.
        self.store.pack(&self.machine);
        let rest = match self.machine.step() {
            Outcome::Consult(reading) => return Err(Consulted(reading)),
            Outcome::Step => self.walk(None)?,
            Outcome::Choose(_) | Outcome::Done(_) => self.rest(),
        };
        self.space.complete = self.store.settle() && matches!(rest, Rest::State);
        let mut level = 0..self.store.len();
        while !level.is_empty() {
            for node in level.clone() {
                if !self.expand(node)? {
                    self.store.settle();
                    self.space.complete = false;
                    return Ok(());
                }
            }
            if !self.store.settle() {
                self.space.complete = false;
                return Ok(());
            }
            level = level.end..self.store.len();
            self.space.depth += u64::from(!level.is_empty());
        }
        Ok(())
    }

    /// Visits what follows a state; `false`: there is no room for all of it.
    fn expand(&mut self, node: usize) -> Result<bool, Consulted> {
        self.store.visit(&mut self.machine, self.board, node);
        match self.machine.step() {
            Outcome::Consult(reading) => Err(Consulted(reading)),
            Outcome::Done(tag) => {
                self.points_of_step();
                self.space.deadlocks += u64::from(is_deadlock(&tag));
                *self.space.ends.entry(tag).or_default() += 1;
                Ok(true)
            }
            Outcome::Step => {
                self.space.transitions += 1;
                Ok(matches!(self.walk(Some((node, None)))?, Rest::State))
            }
            Outcome::Choose(point) => {
                self.points_of_step();
                self.machine.notes.clear();
                if self.quest.points {
                    self.machine.pack_only_data(&mut self.bytes);
                    let store = self.points.sites.entry(point.site).or_default();
                    store.insert(&self.bytes);
                }
                std::mem::swap(&mut self.at, &mut self.machine);
                for alternative in 0..point.keys.len() {
                    match alternative + 1 == point.keys.len() {
                        true => std::mem::swap(&mut self.machine, &mut self.at),
                        false => self.machine.copy_from(&self.at),
                    }
                    self.machine.take(&point, alternative);
                    self.space.transitions += 1;
                    if let Rest::Full = self.walk(Some((node, Some(alternative))))? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }

    /// Goes on after a first small step to the next state; `from` is how it was taken.
    fn walk(&mut self, from: Option<(usize, Option<usize>)>) -> Result<Rest, Consulted> {
        let mut length = 0;
        loop {
            length += 1;
            self.points_of_step();
            let mut next = None;
            if !self.quest.points && !self.is_cut() {
                let taken;
                (taken, next) = self.machine.stride(LONGEST_WALK - length);
                length += taken;
            }
            if next.is_none() && (self.is_cut() || length >= LONGEST_WALK) {
                self.store.pack(&self.machine);
                return Ok(self.rest());
            }
            let foreseen = next.is_none() && self.machine.may_branch();
            if foreseen {
                self.store.pack(&self.machine);
                // What follows a state that is there is visited, or will be, from there.
                if self.store.find().is_some() {
                    return Ok(Rest::State);
                }
            }
            match next.unwrap_or_else(|| self.machine.step()) {
                Outcome::Consult(reading) => return Err(Consulted(reading)),
                Outcome::Step => {}
                Outcome::Choose(_) | Outcome::Done(_) => {
                    if !foreseen {
                        self.again(from, length);
                        self.store.pack(&self.before);
                    }
                    return Ok(self.rest());
                }
            }
        }
    }

    /// Whether a control cycle has just begun anew.
    fn is_cut(&self) -> bool {
        let mut notes = self.machine.notes.iter();
        notes.any(|note| matches!(note, Note::Cut))
    }

    /// Stores the state that was packed.
    fn rest(&mut self) -> Rest {
        // As long as all of them can be new they are inserted together.
        if self.store.len() + self.store.deferred() < self.quest.states {
            self.store.defer();
            let fits = self.store.deferred() < TOGETHER || self.store.settle();
            return if fits { Rest::State } else { Rest::Full };
        }
        self.store.settle();
        let found = match self.store.len() < self.quest.states {
            true => self.store.insert().map(|(number, _)| number),
            false => self.store.find(),
        };
        found.map_or(Rest::Full, |_| Rest::State)
    }

    /// Runs a walk again up to its last state, into `before`.
    fn again(&mut self, from: Option<(usize, Option<usize>)>, length: u64) {
        match from {
            None => {
                self.before.restart(self.board);
                self.before.begin(self.quest.sequence, &[], None);
                for _ in 0..length {
                    self.before.step();
                }
            }
            Some((node, alternative)) => {
                self.store.unpack(&mut self.before, self.board, node);
                self.before.retake(alternative, length);
            }
        }
    }

    /// Takes down the data where steps have just ended.
    fn points_of_step(&mut self) {
        if !self.quest.points {
            return;
        }
        for at in 0..self.machine.notes.len() {
            if let Note::StepEnded(step, _) = self.machine.notes[at] {
                self.machine.pack_only_data(&mut self.bytes);
                let store = self.points.steps.entry(step.index()).or_default();
                store.insert(&self.bytes);
            }
        }
    }
}

/// Whether nothing more can be done although the sequence has not ended.
fn is_deadlock(tag: &Tag) -> bool {
    match tag {
        Tag::Gap(GapName::Implicit(cause, ..)) => {
            matches!(cause, GapCause::NothingToChoose | GapCause::NoCase)
        }
        Tag::Stuck(_) => true,
        _ => false,
    }
}
