//! What one board has to say, under all readings that its runs depend on.
//!
//! Boards are looked at by several threads at once. What is said depends only on the board and on
//! what was known before its chunk ([`Known`]), and is merged in the order of boards, so that the
//! results do not depend on which thread was faster.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::bucket::{Buckets, Sizes};
use super::halt::Halt;
use super::harvest::{Asked, Collector, Ways};
use super::leaf::{Leaf, Met};
use super::loops;
use super::readings::each_alternative;
use super::setup::{Open, Setup, Start};
use super::trial::{self, Trials};
use super::tried::Tried;
use super::values::Outcomes;
use crate::verdict::{Bound, Coverage, Extra};
use endstep_language::typing::program::{ReadingId, SequenceId, StepId, StmtId};
use endstep_semantics::semantics::{Data, Readings, Site};
use endstep_semantics::witness::Root;

/// What was known before a chunk of boards is looked at.
#[derive(Debug, Clone)]
pub struct Known<'a> {
    /// Readings that are fixed.
    pub readings: &'a Readings,
    /// Readings of which only one alternative is looked at, where a run depends on them.
    pub guide: &'a Readings,
    /// What is still worth looking at.
    pub open: Open,
    /// Iterations of which one order may stand for all.
    pub orders: Arc<BTreeSet<StmtId>>,
    /// The smallest witnesses of findings.
    pub sizes: Arc<Sizes>,
    /// Those that show that something is reachable.
    pub shown: Arc<Sizes>,
    /// How far questions were put to the test.
    pub trials: Arc<Trials>,
    /// Micro-steps that may be spent.
    pub budget: u64,
    /// Micro-steps that may be spent on what nobody asked for.
    pub aside: u64,
}

/// What a board has to say.
#[derive(Debug)]
pub struct BoardResult {
    /// Under how many assignments of readings it is legal, or why that is not known.
    pub leaves: Result<u64, Halt>,
    /// Whether it is known to be legal, and one of those that are explored.
    pub legal: bool,
    /// Some run was given up.
    pub limited: bool,
    /// Which limits were met.
    pub left: BTreeSet<Bound>,
    /// Some run was given up because too much was to be evaluated.
    costly: bool,
    /// Micro-steps.
    pub steps: u64,
    /// Micro-steps of what nobody asked for.
    pub aside: u64,
    /// What nobody asked for and was given up.
    pub given_up: BTreeSet<Extra>,
    /// Nodes.
    pub states: u64,
    /// Findings.
    pub buckets: Buckets,
    /// What shows that something is reachable.
    pub shown: Buckets,
    /// What was asked.
    pub asked: Asked,
    /// Where only claims are looked at: whether some run stops, or need not end.
    pub without_end: bool,
    /// Conflicts that matter.
    pub weighty: BTreeSet<Site>,
    /// What was executed.
    pub coverage: Coverage,
    /// Steps that are not idempotent in place.
    pub in_place: BTreeSet<StepId>,
    /// Steps left out: whether that made a difference.
    pub skipped: BTreeMap<StepId, bool>,
    /// How far questions were put to the test.
    pub trials: Trials,
    /// Under which alternatives of readings it was looked at.
    pub tried: Tried,
}

/// Looks at the board with a number.
pub fn look(setup: &Setup<'_>, known: &Known<'_>, (number, board): (u64, &Data)) -> BoardResult {
    let names = setup.names(board);
    let (spent, aside) = (Cell::new(0), Cell::new(0));
    let kept = setup.engine.lend();
    let start = Start {
        board,
        names: &names,
        spent: &spent,
        budget: known.budget,
        orders: &known.orders,
        aside: Some((&aside, known.aside)),
        kept: Some(&kept),
    };
    let mut met = Met::default();
    met.outcomes
        .resize_with(setup.lenses.len(), Outcomes::default);
    let mut said = BoardResult::nothing(setup, known);
    let mut found = leaves(setup, known, start, &mut met);
    if matches!(found, Err(Halt::Readings)) {
        // What nobody asked for may consult more than what was.
        let asked = Start {
            aside: None,
            ..start
        };
        found = leaves(setup, known, asked, &mut met);
    }
    match found {
        Ok(leaves) => {
            said.leaves = Ok(leaves.len() as u64);
            said.legal = !leaves.is_empty();
            said.coverage.readings.extend(&met.consulted);
            // What is asked of the end of a run can depend on a reading, too.
            let readings = leaves.iter().flat_map(|leaf| leaf.readings.keys());
            said.coverage.readings.extend(readings);
            said.gather(setup, (number, board), &leaves, &met.outcomes);
            said.tried = Tried::of(setup.program, &setup.of_boards, &leaves, met.left_out);
            if let Some(repeated) = &met.repeated {
                said.coverage.merge(repeated);
            }
            for leaf in &leaves {
                let trials = trial::of(setup, leaf, &known.trials);
                trial::merge(&mut said.trials, trials);
            }
        }
        Err(halt) => {
            said.leaves = Err(halt);
            said.legal = is_known_legal(setup, known, board);
        }
    }
    setup.engine.give_back(kept);
    said.steps = spent.get();
    said.aside = aside.get();
    said.states = met.states;
    said
}

/// The legal leaves of a board: readings are split when one is consulted.
fn leaves(
    setup: &Setup<'_>,
    known: &Known<'_>,
    start: Start<'_>,
    met: &mut Met,
) -> Result<Vec<Leaf>, Halt> {
    let mut leaves = Vec::new();
    let mut todo = vec![known.readings.clone()];
    while let Some(readings) = todo.pop() {
        // This one, too.
        if leaves.len() + todo.len() >= setup.limits.readings {
            return Err(Halt::Readings);
        }
        match setup.leaf(start, &readings, &known.open, met) {
            Ok(leaf) => leaves.extend(leaf),
            Err(Halt::Consult(reading)) => todo.extend(splits(setup, known, readings, reading)),
            Err(halt) => return Err(halt),
        }
    }
    Ok(leaves)
}

/// Whether a board is legal under some assignment of readings, as far as that can be said.
fn is_known_legal(setup: &Setup<'_>, known: &Known<'_>, board: &Data) -> bool {
    let mut todo = vec![known.readings.clone()];
    let mut left = setup.limits.readings;
    while let Some(readings) = todo.pop() {
        if left == 0 {
            return false;
        }
        left -= 1;
        match setup.is_explored(setup.interpreter(&readings), board) {
            Ok(true) => return true,
            Err(Halt::Consult(reading)) => todo.extend(splits(setup, known, readings, reading)),
            Ok(false) | Err(_) => {}
        }
    }
    false
}

/// An assignment with a reading that is consulted: as it is guided, or under each alternative.
fn splits(
    setup: &Setup<'_>,
    known: &Known<'_>,
    mut readings: Readings,
    reading: ReadingId,
) -> Vec<Readings> {
    match known.guide.get(&reading) {
        Some(&alternative) => {
            readings.insert(reading, alternative);
            vec![readings]
        }
        None => each_alternative(setup.program, &readings, reading).collect(),
    }
}

impl BoardResult {
    /// Nothing yet.
    pub fn nothing(setup: &Setup<'_>, known: &Known<'_>) -> Self {
        Self {
            leaves: Ok(0),
            legal: false,
            limited: false,
            left: BTreeSet::new(),
            costly: false,
            steps: 0,
            aside: 0,
            given_up: BTreeSet::new(),
            states: 0,
            buckets: Buckets::smaller_than(setup.program, Arc::clone(&known.sizes)),
            shown: Buckets::smaller_than(setup.program, Arc::clone(&known.shown)),
            asked: Asked::new(),
            without_end: false,
            weighty: BTreeSet::new(),
            coverage: Coverage::new(setup.program),
            in_place: BTreeSet::new(),
            skipped: BTreeMap::new(),
            trials: Trials::new(),
            tried: Tried::default(),
        }
    }

    /// Whether something could not be evaluated.
    pub fn is_costly(&self) -> bool {
        self.costly || matches!(self.leaves, Err(Halt::Evaluation))
    }

    fn gather(
        &mut self,
        setup: &Setup<'_>,
        (number, board): (u64, &Data),
        leaves: &[Leaf],
        outcomes: &[Outcomes],
    ) {
        self.limited = leaves.iter().any(|leaf| leaf.limited);
        let limited = leaves.iter().filter(|leaf| leaf.limited);
        self.left
            .extend(limited.flat_map(|leaf| leaf.graph.bounds_left()));
        self.costly = leaves.iter().any(|leaf| leaf.graph.is_costly());
        let mut collector = Collector {
            setup,
            buckets: &mut self.buckets,
            shown: &mut self.shown,
            asked: &mut self.asked,
            weighty: &mut self.weighty,
            outcomes,
            board: (number, board.entities.len()),
        };
        for leaf in leaves {
            let ways = Ways::new(leaf);
            collector.leaf(leaf, &ways);
            collector.comparisons(leaf, &ways);
            collector.odds(leaf, &ways);
        }
        match setup.job.full {
            true => collector.assignments(leaves),
            // Nothing is found of it.
            false => {
                self.without_end = leaves.iter().any(|leaf| loops::is_without_end(setup, leaf))
            }
        }
        // What is done in an experiment is not done by the document.
        let is_experiment = |id: SequenceId| setup.program.sequences[id].is_experiment();
        let made_up = |root: &Root| match root {
            Root::Sequence(id, _) => is_experiment(*id),
            Root::Step(..) => false,
        };
        for leaf in leaves {
            if !is_experiment(setup.job.sequence) {
                self.coverage.merge(&leaf.graph.coverage);
            }
            let others = leaf.others.iter().map(|(_, other, _)| other);
            for other in others.filter(|other| !made_up(&other.root)) {
                self.coverage.merge(&other.coverage);
            }
            self.in_place.extend(&leaf.again.in_place);
            self.given_up.extend(&leaf.given_up);
            for &(step, differs) in &leaf.skipped {
                *self.skipped.entry(step).or_default() |= differs;
            }
        }
    }
}
