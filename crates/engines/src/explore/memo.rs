//! What graphs have in common: states, and what follows them.
//!
//! A board is looked at under one assignment of readings after the other, and with one rule changed after the other; and runs
//! from one board come to states that others come to. Most of what follows a state depends on none of that, and is
//! found out once:
//!
//! ```text
//! state 7, alternative 1:   to state 9, 12 steps   under settings that agree in "dying", on boards where the cost is 2
//!                           to state 4, 3 steps    under others
//! ```
//!
//! What no operation writes is no part of a state, so that boards that differ in that alone share their states.
//!
//! *Guarantees.* What is recalled is what would be found out anew, micro-steps that are paid for included: a graph is the
//! same whatever was kept before it, and so are its limits.
//!
//! *Limits.* At most [`MOST_WAYS`] ways and ends are kept. With as many, with more than [`MOST_KEPT`] bytes of states and
//! data, or with [`MOST_SETTINGS`] settings, the next graph begins with nothing. Boards with other entities, or on which
//! they lie elsewhere and nothing moves, share nothing.
//!
//! *Background.* Features that are looked up when they are read, and one exploration for all products that agree on
//! what it read: A. Classen et al., Featured transition systems, IEEE Trans. Software Eng. 39(8), 2013.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::snapshots::Snapshots;
use super::visited::Visited;
use endstep_kernel::instance::{Apart, Cells, Dependence, Layout, Machine, Setting, Under};
use endstep_language::typing::program::{StepId, StmtId};
use endstep_semantics::semantics::{Data, Note, Tag};
use endstep_verdicts::analysis::{Covered, Mark, NewEdge, Point, Task};

/// So many ways, ends and choice points are kept.
const MOST_WAYS: usize = 1 << 15;

/// Where states and data have more bytes than this, the next graph begins without them.
const MOST_KEPT: usize = 8 << 20;

/// So many settings are told apart.
const MOST_SETTINGS: usize = 1 << 12;

/// So many combinations of claims, steps and boards are looked at.
const MOST_LOOKED: usize = 1 << 12;

/// So many sorts of boards are kept apart.
const MOST_SORTS: usize = 1 << 7;

/// And so many sets of entities.
const MOST_PLANS: usize = 64;

/// No entry.
const NONE: u32 = u32::MAX;

/// What graphs share, for each sort of board: those that differ in nothing but what operations change, and in values that
/// none of them does.
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
        for &constant in &layout.constants {
            unchanging.data.cells[constant] = 0;
        }
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
    /// Under what something was found out, and the numbers of those with each readings.
    settings: Vec<Under>,
    with_readings: FxHashMap<Vec<u16>, Vec<u32>>,
    /// What it is for the graph that is made, by number.
    setting: u32,
    /// What differs in each of the others, as far as it was asked for the graph with this number.
    differs: RefCell<Vec<(u32, Dependence)>>,
    /// The constants of each board, one after the other, and the number of each board by them.
    constants: Vec<i64>,
    boards: FxHashMap<Box<[i64]>, u32>,
    /// The board of the graph that is made.
    board: u32,
    /// Data at ends and where steps end.
    snapshots: Snapshots,
    /// What is taken down for the graph that is made: [`PLAIN`], or the number of what is looked at; `None`: nothing is
    /// kept.
    asks: Option<u32>,
    /// What graphs looked at, by number.
    looked: FxHashMap<Looked, u32>,
    /// On what something depends, by number.
    dependences: IndexSet<Dependence, FxBuildHasher>,
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

/// What is looked at on the way: claims, and steps of which it is kept where they end; and if claims speak of the board,
/// what can change on it.
type Looked = (Vec<usize>, Vec<StepId>, Option<Cells>);

/// Nothing is looked at.
const PLAIN: u32 = 0;

/// Where something was found out.
#[derive(Debug, Clone, Copy)]
struct Found {
    /// Which alternative was taken, if any was.
    alternative: Option<usize>,
    /// Under which setting, on which board, and what was looked at; by number.
    setting: u32,
    board: u32,
    looked: u32,
    /// On what it depends, by number.
    depends: u32,
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
    /// What is marked on it; of claims all that is the best of the way so far. Data are not kept with them.
    pub marks: Vec<Mark>,
    /// The numbers of the data of those that have some.
    pub data: Vec<u32>,
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
    /// The run ends, with data of this number.
    End(Tag, u32, Happened),
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
        self.store.bytes() + self.snapshots.bytes() + size_of_val(self.constants.as_slice())
            <= MOST_KEPT
            && self.len() < MOST_WAYS
            && self.settings.len() < MOST_SETTINGS
            && self.looked.len() < MOST_LOOKED
    }

    /// Begins a graph on a board; `looks_back`: claims that are looked at speak of the board.
    pub fn begin(&mut self, at: Setting<'_>, task: &Task<'_>, board: &Cells, looks_back: bool) {
        self.graph += 1;
        if task.kept.is_none() {
            self.asks = None;
            return;
        }
        self.use_board(at, board);
        let claims = task.watches.iter().map(|watch| watch.claim);
        let steps = task.keep.iter().copied();
        let then = looks_back.then(|| {
            let mut then = board.clone();
            let constants = at.layout.constants.iter();
            constants.for_each(|&at| then.cells[at] = 0);
            then
        });
        let looked: Looked = (claims.collect(), steps.collect(), then);
        self.asks = Some(match looked {
            (claims, steps, _) if claims.is_empty() && steps.is_empty() => PLAIN,
            looked => {
                let number = self.looked.len() as u32 + 1;
                *self.looked.entry(looked).or_insert(number)
            }
        });
        self.use_setting(at);
    }

    /// Makes a board the one of the graph that is made.
    fn use_board(&mut self, at: Setting<'_>, board: &Cells) {
        let constants = at.layout.constants.iter();
        let constants: Box<[i64]> = constants.map(|&at| board.cells[at]).collect();
        let number = self.boards.len() as u32;
        self.board = *self.boards.entry(constants).or_insert_with_key(|new| {
            self.constants.extend(new);
            number
        });
    }

    /// Makes a setting the one of the graph that is made.
    fn use_setting(&mut self, setting: Setting<'_>) {
        let settings = &self.settings;
        let is = |at: &&u32| settings[**at as usize].has_variant_of(setting);
        let known = self.with_readings.get(setting.readings);
        let known = known.and_then(|all| all.iter().find(is)).copied();
        self.setting = known.unwrap_or_else(|| {
            let new = self.settings.len() as u32;
            let under = Under::of(setting);
            let all = self.with_readings.entry(under.readings().to_vec());
            all.or_default().push(new);
            self.settings.push(under);
            new
        });
    }

    /// What differs between a setting and that of the graph that is made.
    fn differs(&self, setting: u32) -> Dependence {
        let mut differs = self.differs.borrow_mut();
        let at = setting as usize;
        if differs.len() <= at {
            differs.resize(self.settings.len(), (0, Dependence::default()));
        }
        let (graph, known) = &mut differs[at];
        if *graph != self.graph {
            let mine = &self.settings[self.setting as usize];
            (*graph, *known) = (self.graph, mine.differs_from(&self.settings[at]));
        }
        *known
    }

    /// Whether what is found out is kept.
    pub fn keeps(&self) -> bool {
        self.asks.is_some() && self.len() < MOST_WAYS
    }

    /// Whether something that was found out holds for the graph that is made.
    fn holds(&self, found: Found) -> bool {
        let enough = self.asks == Some(PLAIN) || self.asks == Some(found.looked);
        let depends = self.dependences[found.depends as usize];
        enough
            && (found.setting == self.setting || !self.differs(found.setting).meets(depends))
            && self.is_like(found.board, depends)
    }

    /// Whether a board has the same constants as that of the graph that is made, of those on which something depends.
    fn is_like(&self, board: u32, depends: Dependence) -> bool {
        if board == self.board {
            return true;
        }
        let count = self.constants.len() / self.boards.len().max(1);
        let (mine, its) = (self.board as usize * count, board as usize * count);
        let mut asked = depends.constants(count);
        asked.all(|at| self.constants[mine + at] == self.constants[its + at])
    }

    /// Keeps the data of a machine: their number, if there is room, and the data.
    pub fn keep_data(&mut self, machine: &Machine<'_>) -> (Option<u32>, Arc<Data>) {
        if !self.keeps() {
            return (None, Arc::new(machine.data()));
        }
        let number = self.snapshots.number(machine);
        if number.is_none() {
            self.asks = None;
        }
        let data = match number {
            Some(number) => self.snapshots.on(number, self.board, machine),
            None => Arc::new(machine.data()),
        };
        (number, data)
    }

    /// Data that were kept, on the board of the graph that is made; the machine is one on it.
    pub fn data(&mut self, number: u32, machine: &mut Machine<'_>) -> Arc<Data> {
        self.snapshots.read(number, self.board, machine)
    }

    /// The way that takes an alternative of a state.
    pub fn way(&self, state: usize, alternative: Option<usize>) -> Option<&Way> {
        self.asks?;
        let is = |found: Found| found.alternative == alternative && self.holds(found);
        Some(self.ways.find(state, is)?.1)
    }

    /// What a state from which no single way leads on is, and what that depends on.
    pub fn stop(&self, state: usize) -> Option<(&Stop, Dependence)> {
        self.asks?;
        let (found, stop) = self.stops.find(state, |found| self.holds(found))?;
        Some((stop, self.dependences[found.depends as usize]))
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
        let Some(found) = self.found(way.alternative, depends) else {
            return;
        };
        self.covers.keep(&mut way.happened.covered);
        let mut kept = way.clone();
        let marks = kept.happened.marks.iter_mut();
        marks.for_each(|mark| mark.data = None);
        self.ways.push(state, found, kept);
    }

    /// Keeps what a state is.
    pub fn keep_stop(&mut self, state: usize, depends: Dependence, mut stop: Stop) {
        let Some(found) = self.found(None, depends) else {
            return;
        };
        if let Stop::End(_, _, happened) = &mut stop {
            self.covers.keep(&mut happened.covered);
        }
        self.stops.push(state, found, stop);
    }

    /// What is found out now; `None`: it is not kept.
    fn found(&mut self, alternative: Option<usize>, depends: Dependence) -> Option<Found> {
        let looked = self.asks.filter(|_| self.keeps())?;
        let (depends, _) = self.dependences.insert_full(depends);
        Some(Found {
            alternative,
            setting: self.setting,
            board: self.board,
            looked,
            depends: depends as u32,
        })
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
    /// Of each entry the one of its state before it, and where it was found out.
    all: Vec<(u32, Found)>,
    /// And what: apart from that, since most entries are passed by.
    what: Vec<T>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self {
            last: Vec::new(),
            all: Vec::new(),
            what: Vec::new(),
        }
    }
}

impl<T> Lists<T> {
    fn len(&self) -> usize {
        self.all.len()
    }

    /// The entry of a state that was added last, of those that are wanted.
    fn find(&self, state: usize, is_wanted: impl Fn(Found) -> bool) -> Option<(Found, &T)> {
        let mut next = self.last.get(state).copied().unwrap_or(NONE) as usize;
        loop {
            let (before, found) = self.all.get(next)?;
            if is_wanted(*found) {
                return Some((*found, &self.what[next]));
            }
            next = *before as usize;
        }
    }

    fn push(&mut self, state: usize, found: Found, what: T) {
        if self.last.len() <= state {
            self.last.resize(state + 1, NONE);
        }
        let before = std::mem::replace(&mut self.last[state], self.all.len() as u32);
        self.all.push((before, found));
        self.what.push(what);
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
