//! What graphs have in common: states, and what follows them.
//!
//! A board is looked at under one assignment of readings after the other, and with one rule changed after the other; and runs
//! from one board come to states that others come to. Most of what follows a state depends on none of that, and is
//! found out once:
//!
//! ```text
//! state 7, alternative 1:   to state 9, 12 steps   under settings that agree in "dying"
//!                           to state 4, 3 steps    under others
//! ```
//!
//! *Guarantees.* What is recalled is what would be found out anew, micro-steps that are paid for included: a graph is the
//! same whatever was kept before it, and so are its limits.
//!
//! *Limits.* At most [`MOST_WAYS`] ways and ends are kept. With as many, with more than [`MOST_KEPT`] bytes of states, or with
//! [`MOST_SETTINGS`] settings, the next graph begins with nothing. Boards that differ in what no operation changes share nothing.
//!
//! *Background.* Features that are looked up when they are read, and one exploration for all products that agree on
//! what it read: A. Classen et al., Featured transition systems, IEEE Trans. Software Eng. 39(8), 2013.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use super::visited::Visited;
use endstep_kernel::instance::{Apart, Cells, Dependence, Layout, Machine, Setting};
use endstep_language::typing::program::{StepId, StmtId};
use endstep_semantics::semantics::{Ended, Note, Variant};
use endstep_verdicts::analysis::{Covered, Mark, NewEdge, Point, Task};

/// So many ways, ends and choice points are kept.
const MOST_WAYS: usize = 1 << 15;

/// Where states have more bytes than this, the next graph begins without them.
const MOST_KEPT: usize = 8 << 20;

/// Of so many settings it is remembered what differs between two of them.
const MOST_SETTINGS: usize = 512;

/// So many sorts of boards are kept apart.
const MOST_SORTS: usize = 1 << 7;

/// And so many sets of entities.
const MOST_PLANS: usize = 64;

/// No entry.
const NONE: u32 = u32::MAX;

/// What graphs share, for each sort of board: those that differ in nothing that no operation changes.
#[derive(Debug, Default)]
pub struct Memos {
    /// Where everything lies, and the data that stand for all others of such boards.
    plans: Vec<(Arc<Layout>, Vec<u8>)>,
    memos: FxHashMap<(usize, Cells), Arc<Mutex<Memo>>>,
    /// What was taken last, and how much it was then.
    last: Option<(Arc<Mutex<Memo>>, usize)>,
    /// How much was found out, without what was found out since then.
    len: usize,
}

impl Memos {
    /// What graphs on a board share.
    pub fn of(&mut self, layout: &Arc<Layout>, board: &Machine<'_>) -> Arc<Mutex<Memo>> {
        if let Some((last, before)) = self.last.take() {
            self.len += locked(&last).len().saturating_sub(before);
        }
        let full = self.len >= MOST_WAYS || self.memos.len() >= MOST_SORTS;
        if full || self.plans.len() >= MOST_PLANS {
            *self = Self::default();
        }
        let plans = &mut self.plans;
        let is = |(other, _): &(Arc<Layout>, _)| Arc::ptr_eq(other, layout);
        let at = plans.iter().position(is).unwrap_or_else(|| {
            let mut data = Vec::new();
            board.pack_more_data(&mut data);
            plans.push((Arc::clone(layout), data));
            plans.len() - 1
        });
        let mut unchanging = Machine::new(board.setting, board.data.clone());
        unchanging.unpack_only_data(&plans[at].1);
        let memo = self.memos.entry((at, unchanging.data)).or_default();
        if !locked(memo).has_room() {
            *memo = Arc::default();
        }
        self.last = Some((Arc::clone(memo), locked(memo).len()));
        Arc::clone(memo)
    }
}

/// Whoever panicked while making a graph has left what is known as it was.
pub fn locked<T>(memo: &Mutex<T>) -> MutexGuard<'_, T> {
    memo.lock().unwrap_or_else(PoisonError::into_inner)
}

/// States, and what follows them.
#[derive(Debug, Default)]
pub struct Memo {
    /// The states.
    pub store: Visited,
    /// Under what something was found out.
    settings: Vec<Under>,
    /// The setting of the graph that is made, by position.
    setting: u32,
    /// What is taken down for the graph that is made; `None`: nothing is kept.
    asks: Option<Asks>,
    /// What the last graph asked that asked for anything, and how many others asked before it.
    asked: (Looked, u32),
    ways: Lists<Way>,
    stops: Lists<Stop>,
    covers: Covers,
    /// The node of each state in the graph that is made, with the number of that graph.
    nodes: Vec<(u32, u32)>,
    /// What it depends on that there is a choice or an end, of each state where there is one in the graph that is made.
    reasons: Vec<Dependence>,
    /// The last graph that came to each control.
    controls: Vec<u32>,
    graph: u32,
}

/// Readings and a variant under which graphs were made.
#[derive(Debug)]
struct Under {
    readings: Vec<u16>,
    variant: Variant,
    /// What differs in each of the others, as far as that was asked.
    differs: Vec<Dependence>,
}

/// What is asked of a graph: claims on the way, and steps of which it is kept where they end; and the board, if claims
/// speak of it.
type Looked = (Vec<usize>, Vec<StepId>, Option<Cells>);

/// What is taken down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asks {
    /// Nothing of claims, nor of where steps end.
    Plain,
    /// What the n-th asked who asked for more.
    More(u32),
}

/// What was found out, and under what it holds.
#[derive(Debug, Clone)]
pub struct Found<T> {
    setting: u32,
    depends: Dependence,
    asks: Asks,
    what: T,
}

/// What leads from a state to the next one that is a node.
#[derive(Debug, Clone)]
pub struct Way {
    /// Which alternative it takes; none where nothing is to be chosen.
    pub alternative: Option<usize>,
    /// The edge, to the state that it leads to.
    pub edge: NewEdge,
    /// Whether the step out of that one is paid for with it.
    pub paid: bool,
    /// Micro-steps that are paid for.
    pub cost: u64,
    /// What happened on it.
    pub happened: Happened,
}

/// What happened on a way or at an end.
#[derive(Debug, Clone, Default)]
pub struct Happened {
    /// What is marked on it; of claims all that is the best of the way so far.
    pub marks: Vec<Mark>,
    /// The notes with which an iteration may begin anew.
    pub notes: Vec<Note>,
    /// What was executed.
    pub covered: Cover,
}

/// What was executed.
#[derive(Debug, Clone)]
pub enum Cover {
    /// As it came.
    List(Vec<Covered>),
    /// One that is kept.
    Kept(u32),
}

impl Default for Cover {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

/// A state from which no single way leads on.
#[derive(Debug, Clone)]
pub enum Stop {
    /// The run ends.
    End(Ended, Happened),
    /// Something is chosen, by an iteration of which one order may stand for all.
    Choice(Point, Option<Choice>),
}

/// A choice of an iteration.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    /// The iteration.
    pub stmt: StmtId,
    /// What its elements have to do with each other, if that was found out.
    pub apart: Option<Apart>,
}

impl Memo {
    /// How much was found out.
    fn len(&self) -> usize {
        self.ways.len() + self.stops.len()
    }

    /// Whether there is room for more.
    fn has_room(&self) -> bool {
        self.store.bytes() <= MOST_KEPT
            && self.len() < MOST_WAYS
            && self.settings.len() < MOST_SETTINGS
    }

    /// Begins a graph, on a board if claims that are looked at speak of it.
    pub fn begin(&mut self, setting: Setting<'_>, task: &Task<'_>, board: Option<&Cells>) {
        self.graph += 1;
        if task.kept.is_none() {
            self.asks = None;
            return;
        }
        let claims = task.watches.iter().map(|watch| watch.claim);
        let steps = task.keep.iter().copied();
        let looked: Looked = (claims.collect(), steps.collect(), board.cloned());
        self.asks = Some(match &mut self.asked {
            _ if looked.0.is_empty() && looked.1.is_empty() => Asks::Plain,
            (asked, number) => {
                if *asked != looked {
                    *asked = looked;
                    *number += 1;
                }
                Asks::More(*number)
            }
        });
        let is =
            |under: &Under| under.readings == setting.readings && under.variant == *setting.variant;
        let at = self.settings.iter().position(is).unwrap_or_else(|| {
            self.settings.push(Under {
                readings: setting.readings.to_vec(),
                variant: setting.variant.clone(),
                differs: Vec::new(),
            });
            self.settings.len() - 1
        });
        self.setting = at as u32;
        let mut differs = std::mem::take(&mut self.settings[at].differs);
        differs.extend(self.settings[differs.len()..].iter().map(|under| {
            let other = Setting {
                readings: &under.readings,
                variant: &under.variant,
                ..setting
            };
            Dependence::between(setting, other)
        }));
        self.settings[at].differs = differs;
    }

    /// Whether what is found out is kept.
    pub fn keeps(&self) -> bool {
        self.asks.is_some() && self.len() < MOST_WAYS
    }

    /// Whether something that was found out holds for the graph that is made.
    fn holds<T>(&self, found: &Found<T>) -> bool {
        let enough = self.asks == Some(Asks::Plain) || self.asks == Some(found.asks);
        let differs = &self.settings[self.setting as usize].differs;
        enough && !differs[found.setting as usize].meets(found.depends)
    }

    /// The way that takes an alternative of a state.
    pub fn way(&self, state: usize, alternative: Option<usize>) -> Option<&Way> {
        self.asks?;
        let mut ways = self.ways.of(state);
        let is = |found: &&Found<Way>| found.what.alternative == alternative && self.holds(found);
        Some(&ways.find(is)?.what)
    }

    /// What a state from which no single way leads on is, and what that depends on.
    pub fn stop(&self, state: usize) -> Option<(&Stop, Dependence)> {
        self.asks?;
        let found = self.stops.of(state).find(|found| self.holds(found))?;
        Some((&found.what, found.depends))
    }

    /// Takes down what it depends on that the graph has a choice or an end there: a way that is known to end there, without
    /// a look at what comes next, depends on that, too.
    pub fn rests_on(&mut self, state: usize, depends: Dependence) {
        if self.keeps() {
            if self.reasons.len() <= state {
                self.reasons.resize(state + 1, Dependence::default());
            }
            self.reasons[state] = depends;
        }
    }

    /// What it depends on that the graph has a choice or an end there.
    pub fn reason(&self, state: usize) -> Dependence {
        self.reasons.get(state).copied().unwrap_or_default()
    }

    /// Keeps a way.
    pub fn keep_way(&mut self, state: usize, depends: Dependence, way: &mut Way) {
        if let Some(asks) = self.asks.filter(|_| self.keeps()) {
            self.covers.keep(&mut way.happened.covered);
            let found = self.found(asks, depends, way.clone());
            self.ways.push(state, found);
        }
    }

    /// Keeps what a state is.
    pub fn keep_stop(&mut self, state: usize, depends: Dependence, mut stop: Stop) {
        if let Some(asks) = self.asks.filter(|_| self.keeps()) {
            if let Stop::End(_, happened) = &mut stop {
                self.covers.keep(&mut happened.covered);
            }
            let found = self.found(asks, depends, stop);
            self.stops.push(state, found);
        }
    }

    fn found<T>(&self, asks: Asks, depends: Dependence, what: T) -> Found<T> {
        Found {
            setting: self.setting,
            depends,
            asks,
            what,
        }
    }

    /// Something that was kept of what was executed.
    pub fn covered(&self, number: u32) -> &[Covered] {
        &self.covers.all[number as usize]
    }

    /// The node of a state in the graph that is made.
    pub fn node(&self, state: usize) -> Option<usize> {
        let &(graph, node) = self.nodes.get(state)?;
        (graph == self.graph).then_some(node as usize)
    }

    /// Gives a state a node in the graph that is made.
    pub fn set_node(&mut self, state: usize, node: usize) {
        if self.nodes.len() <= state {
            self.nodes.resize(state + 1, (0, 0));
        }
        self.nodes[state] = (self.graph, node as u32);
    }

    /// How many bytes a state adds to the graph that is made: its data, and its control if that is new there.
    pub fn bytes_of(&mut self, state: usize) -> usize {
        let (data, control) = self.store.bytes_of(state);
        if self.controls.len() <= control {
            self.controls.resize(control + 1, 0);
        }
        let last = std::mem::replace(&mut self.controls[control], self.graph);
        match last == self.graph {
            true => data,
            false => data + self.store.control_bytes(control),
        }
    }
}

/// A list for each state.
#[derive(Debug)]
struct Lists<T> {
    /// The entry of each state that was added last.
    last: Vec<u32>,
    /// Entries, each with the one of its state before it.
    all: Vec<(u32, Found<T>)>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self {
            last: Vec::new(),
            all: Vec::new(),
        }
    }
}

impl<T> Lists<T> {
    fn len(&self) -> usize {
        self.all.len()
    }

    fn of(&self, state: usize) -> impl Iterator<Item = &Found<T>> {
        let mut next = self.last.get(state).copied().unwrap_or(NONE);
        std::iter::from_fn(move || {
            let (before, found) = self.all.get(next as usize)?;
            next = *before;
            Some(found)
        })
    }

    fn push(&mut self, state: usize, found: Found<T>) {
        if self.last.len() <= state {
            self.last.resize(state + 1, NONE);
        }
        let before = std::mem::replace(&mut self.last[state], self.all.len() as u32);
        self.all.push((before, found));
    }
}

/// What was executed on ways; many have the same.
#[derive(Debug, Default)]
struct Covers {
    numbers: FxHashMap<Arc<[Covered]>, u32>,
    all: Vec<Arc<[Covered]>>,
}

impl Covers {
    /// Replaces a list by its number.
    fn keep(&mut self, covered: &mut Cover) {
        let Cover::List(list) = covered else { return };
        list.sort_unstable();
        list.dedup();
        let number = match self.numbers.get(list.as_slice()) {
            Some(&number) => number,
            None => {
                let number = self.all.len() as u32;
                let list: Arc<[Covered]> = list.as_slice().into();
                self.all.push(Arc::clone(&list));
                self.numbers.insert(list, number);
                number
            }
        };
        *covered = Cover::Kept(number);
    }
}
