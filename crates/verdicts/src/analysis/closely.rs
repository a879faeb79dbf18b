//! Looks closely at one board: what its runs show, whatever is so on other boards.
//!
//! A check says what is so on all boards of a scope. Here somebody has one board on which something is
//! the matter, and wants to know what:
//!
//! ```text
//! board [rager, rager] under zero = exactly ──▶ F0501 cleanup: raging_back     with a witness
//! ```
//!
//! *Guarantees.* Only what one board can show is told, and only if its witness was replayed. Nothing
//! is said about what was not found.
//!
//! *Limits.* Where the runs of the board are too many, [`along`] tells what a single one of them shows.
//! That is not which class a loop is of, and nothing that compares what is possible.

use std::cell::Cell;
use std::collections::BTreeSet;

use super::bucket::Buckets;
use super::demands;
use super::engine::Engine;
use super::graph::NO_ORDERS;
use super::harvest::{Asked, Collector, Ways};
use super::job::Job;
use super::leaf::Leaf;
use super::loops;
use super::options::Options;
use super::setup::{Open, Setup, Start};
use super::sides::Shown;
use super::survey;
use super::unknown::Unknown;
use crate::verdict::{Extra, Finding, Minimality};
use endstep_language::diag::Code;
use endstep_language::diag::codes::finding::kind;
use endstep_language::typing::program::Program;
use endstep_semantics::semantics::{Data, Readings};
use endstep_semantics::witness::{Witness, replay};

/// What came of looking at a board.
#[derive(Debug, Clone, Default)]
pub struct Close {
    /// What was found; each witness was replayed, but for those of `all_of_it`.
    pub findings: Vec<Finding>,
    /// A run that comes back to a state, where nobody can tell whether there is a way out.
    pub unclassified: Option<Witness>,
    /// Whether the board is legal and one of the job, or nobody knows.
    pub legal: bool,
    /// Whether all runs were visited, and none was given up.
    pub complete: bool,
    /// What was given up beside them.
    pub given_up: BTreeSet<Extra>,
    /// Micro-steps.
    pub steps: u64,
}

/// Whether one board can show that kind of finding.
pub fn is_of_one_board(code: Code) -> bool {
    kind(code).is_some_and(|kind| kind.one_board)
}

/// Visits every run from the board of the options.
pub fn closely(of: (&Program, &dyn Engine), job: &Job, options: &Options) -> Close {
    close(of, job, options, None)
}

/// The same of some findings; and of a claim that no run from the board meets both: that it is refuted, and that
/// no end meets what is demanded. A check tells only the first, where it is of the same board. Nothing is
/// replayed.
pub fn all_of_it(
    of: (&Program, &dyn Engine),
    job: &Job,
    options: &Options,
    wanted: Wanted<'_>,
) -> Close {
    close(of, job, options, Some(wanted))
}

/// Which findings are looked at.
pub type Wanted<'a> = &'a dyn Fn(&Finding) -> bool;

fn close(
    (program, engine): (&Program, &dyn Engine),
    job: &Job,
    options: &Options,
    wanted: Option<Wanted<'_>>,
) -> Close {
    // No note about steps is of one board.
    let settled = Open::all(program);
    let explored = survey::explore((program, engine), job, (options, 0), &settled, &mut |_| {});
    let limitations = &explored.scope.limitations;
    let legal = !explored.scope.has_no_board();
    let mut findings = explored.findings;
    if wanted.is_none() {
        demands::retell(&mut findings);
    }
    let findings = findings.into_iter().map(|(_, finding)| finding);
    let is_wanted = |one: &Finding| wanted.is_none_or(|wanted| wanted(one));
    let findings = findings.filter(|one| is_of_one_board(one.code) && is_wanted(one));
    Close {
        findings: match wanted {
            None => replayed(program, findings),
            Some(_) => findings.collect(),
        },
        unclassified: None,
        legal,
        complete: limitations.is_empty(),
        given_up: explored.scope.given_up.keys().copied().collect(),
        steps: explored.scope.steps,
    }
}

/// Visits one run from a board, by the alternatives that it takes.
pub fn along(
    (program, engine): (&Program, &dyn Engine),
    job: &Job,
    (board, readings): (&Data, &Readings),
    (choices, options): (&[usize], &Options),
) -> Close {
    let setup = Setup::new((program, engine), job, options.limits, Vec::new());
    let names = setup.names(board);
    let spent = Cell::new(0);
    let start = Start {
        board,
        names: &names,
        spent: &spent,
        budget: options.limits.steps,
        orders: &NO_ORDERS,
        aside: None,
        kept: None,
    };
    let mut close = Close::default();
    let Ok(Some(leaf)) = setup.path(start, readings, choices) else {
        close.steps = spent.get();
        return close;
    };
    let mut buckets = Buckets::new(program);
    let mut shown = Buckets::new(program);
    let mut collector = Collector {
        setup: &setup,
        buckets: &mut buckets,
        shown: &mut shown,
        asked: &mut Asked::new(),
        weighty: &mut BTreeSet::new(),
        outcomes: &[],
        board: (1, board.entities.len()),
    };
    let ways = Ways::new(&leaf);
    collector.run(&leaf, &ways);
    let found = buckets.finish(program, None, &Unknown::all(), &mut |_| None);
    close.findings = replayed(program, found.into_iter().map(|(_, finding)| finding));
    close.unclassified = lasso(program, &leaf);
    close.steps = spent.get();
    close
}

/// A run that comes back to a state, if the one that was visited does.
fn lasso(program: &Program, leaf: &Leaf) -> Option<Witness> {
    let last = leaf.graph.nodes.iter().enumerate().next_back()?;
    let back = last.1.edges().next()?.to();
    let nodes: Vec<usize> = (back..=last.0).collect();
    let (found, _) = loops::lasso(program, &leaf.graph, &nodes, false)?;
    let witness = found.witness.shown()?;
    replay(program, &witness).ok()?;
    Some(witness)
}

/// Those whose witnesses show what they say.
fn replayed(program: &Program, findings: impl Iterator<Item = Finding>) -> Vec<Finding> {
    let shows = |finding: &Finding| {
        let witness = finding.witness.as_ref();
        witness.is_some_and(|witness| replay(program, witness).is_ok())
    };
    let alone = findings.filter(shows).map(|finding| Finding {
        scope: None,
        elsewhere: Vec::new(),
        counted: Vec::new(),
        occurs: None,
        minimality: Minimality::BestEffort,
        wider: Vec::new(),
        decisive: Vec::new(),
        undecided: Vec::new(),
        ..finding
    });
    alone.collect()
}
