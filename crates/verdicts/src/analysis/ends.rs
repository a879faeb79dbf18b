//! All ways in which a sequence can end from one board, each with a shortest run to it.
//!
//! ```text
//! cleanup on "two_wolves"      1  wolf dies                    under every reading
//!                              2  both die                     only if zero = or_less
//!                              3  it never ends
//! ```
//!
//! Two ends are one if the observer of the `verify` sees no difference (docs/semantics.md, 5), and if what leaves its
//! bounds, where something does, is the same value of the same thing.
//!
//! *Guarantees.* Whatever is told was found by visiting every run, under each combination of the readings that they
//! consult; where something was given up, [`Ends::given_up`] says why, and there may be more ways.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use super::branch::endless;
use super::engine::Engine;
use super::flat::Edge;
use super::graph::NO_ORDERS;
use super::halt::Halt;
use super::job::Job;
use super::legal::is_legal_at_all;
use super::options::Options;
use super::paths::{RunBuilder, Tree};
use super::readings::each_alternative;
use super::setup::{Runs, Setup, Start};
use super::values::{DIVERGES, Outcomes};
use endstep_language::typing::program::Program;
use endstep_semantics::semantics::{Data, Exceeded, Interpreter, Names, Readings, Tag};
use endstep_semantics::witness::{Outcome, Run};

/// A way to end, or to go on for ever.
#[derive(Debug, Clone)]
pub struct Way {
    /// How it ends, as far as the observer sees.
    pub outcome: Outcome,
    /// A shortest run that ends so.
    pub run: Run,
    /// Its micro-steps; of one that never ends those of one time round included.
    pub steps: u64,
    /// The combinations of readings under which there is such a run.
    pub under: BTreeSet<Readings>,
}

/// All ways to end from a board.
#[derive(Debug, Clone, Default)]
pub struct Ends {
    /// Those that were found: by their outcomes, what never ends last.
    pub ways: Vec<Way>,
    /// The combinations of readings that runs consult and under which the board is legal.
    pub combinations: BTreeSet<Readings>,
    /// Those under which the board is not legal: nothing is performed there.
    pub illegal: BTreeSet<Readings>,
    /// Whether some run was given up at a bound of exploration.
    pub limited: bool,
    /// Why not everything was looked at.
    pub given_up: Option<Halt>,
}

/// The ways in which runs of a job can end from a board.
pub fn ends(
    (program, engine): (&Program, &dyn Engine),
    job: &Job,
    (board, names): (&Data, &Names),
    options: &Options,
) -> Ends {
    let setup = Setup::new((program, engine), job, options.limits, Vec::new());
    let spent = Cell::new(0);
    let start = Start {
        board,
        names,
        spent: &spent,
        budget: options.limits.steps,
        orders: &NO_ORDERS,
        aside: None,
        kept: None,
    };
    let mut found = Found {
        setup: &setup,
        outcomes: vec![Outcomes::default()],
        ways: BTreeMap::new(),
    };
    let mut ends = Ends::default();
    let mut todo = vec![options.readings.clone()];
    while let Some(readings) = todo.pop() {
        if ends.combinations.len() + todo.len() >= options.limits.readings {
            ends.given_up = Some(Halt::Readings);
            break;
        }
        match found.under(start, &readings) {
            Ok(Some(limited)) => {
                ends.limited |= limited;
                ends.combinations.insert(readings);
            }
            Ok(None) => {
                ends.illegal.insert(readings);
            }
            Err(Halt::Consult(reading)) => {
                todo.extend(each_alternative(program, &readings, reading));
            }
            Err(halt) => ends.given_up = Some(halt),
        }
    }
    ends.ways = found.sorted();
    ends
}

/// What was found until now.
struct Found<'a, 'b> {
    setup: &'a Setup<'b>,
    /// One, since there is one observer.
    outcomes: Vec<Outcomes>,
    /// By the numbers of outcomes, and by what leaves its bounds.
    ways: BTreeMap<(usize, Option<Exceeded>), Way>,
}

impl Found<'_, '_> {
    /// Adds what runs under some readings come to; whether any was given up at a bound. `None`: the board is not legal.
    fn under(&mut self, start: Start<'_>, readings: &Readings) -> Result<Option<bool>, Halt> {
        let setup = self.setup;
        let it = Interpreter {
            program: setup.program,
            readings,
            variant: &setup.job.variant,
        };
        if !is_legal_at_all(it, start.board)? {
            return Ok(None);
        }
        let root = setup.root();
        let runs = Runs {
            root: &root,
            readings,
            variant: &setup.job.variant,
            watches: &[],
            keep: &BTreeSet::new(),
        };
        let (graph, values) = setup.compared(start, runs, &mut self.outcomes)?;
        let values = &values[0];
        let all = |_: usize, _: Edge<'_>| true;
        let tree = Tree::from(&graph, 0, &all);
        let builder = RunBuilder {
            program: setup.program,
            graph: &graph,
        };
        for number in values.set(0).iter() {
            if let Outcome::Ended(ending, _) = self.outcomes[0].get(number)
                && matches!(ending.tag(), Tag::Limit(_))
            {
                continue;
            }
            if number == DIVERGES {
                if let Some((stem, round)) = endless((&graph, values), &tree, &all) {
                    let steps = stem.cost + round.cost;
                    self.add(
                        (number, None),
                        builder.lasso(&stem, &round),
                        steps,
                        readings,
                    );
                }
                continue;
            }
            let left = |node: usize| match graph.nodes.at(node).end()?.ended.tag {
                Tag::Range(exceeded) => Some(exceeded),
                _ => None,
            };
            let of_number = |node: usize| values.ends[node] == Some(number);
            let nodes = (0..values.ends.len()).filter(|&node| of_number(node));
            let bounds: BTreeSet<Option<Exceeded>> = nodes.map(left).collect();
            for exceeded in bounds {
                let end = tree.nearest(|node| of_number(node) && left(node) == exceeded);
                if let Some(way) = end.and_then(|end| tree.route(end))
                    && let Some(run) = builder.ended(&way)
                {
                    self.add((number, exceeded), run, way.cost, readings);
                }
            }
        }
        Ok(Some(graph.is_limited()))
    }

    /// A run that ends in a way, under some readings.
    fn add(&mut self, key: (usize, Option<Exceeded>), run: Run, steps: u64, readings: &Readings) {
        let outcome = self.outcomes[0].get(key.0);
        let way = self.ways.entry(key).or_insert_with(|| Way {
            outcome: outcome.clone(),
            run: run.clone(),
            steps,
            under: BTreeSet::new(),
        });
        way.under.insert(readings.clone());
        if steps < way.steps {
            (way.run, way.steps) = (run, steps);
        }
    }

    fn sorted(self) -> Vec<Way> {
        let mut ways: Vec<Way> = self.ways.into_values().collect();
        let never = |way: &Way| way.outcome == Outcome::Diverges;
        ways.sort_by(|one, other| (never(one), &one.outcome).cmp(&(never(other), &other.outcome)));
        ways
    }
}
