//! Looks on all boards for what no sampled run does.
//!
//! ```text
//! if c in void            if c in void
//!   move c …       ──▶      move c …
//!                         otherwise
//!                           nothing        a probe: where it is executed, that way is gone
//! ```
//!
//! Every way of a statement gets a statement with which it begins, if it has none. Where the engine comes to
//! one, a gap in its place ends that run, and what is chosen on the way there makes the same run of the
//! program as it is.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::search::{Sampled, is_legal, walked};
use crate::driver::Walk;
use endstep_engines::explore::Explorer;
use endstep_kernel::footprint::together;
use endstep_kernel::ir::System;
use endstep_language::syntax::ast::Quantifier;
use endstep_language::typing::program::{
    Block, BlockId, Expr, ExprKind, Gap, GapId, Program, ReadingId, Stmt, StmtId, StmtKind, Type,
    Value,
};
use endstep_report::report::{Goal, Way};
use endstep_semantics::semantics::{
    Data, GapName, Interpreter, Key, Names, Next, Readings, State, Tag,
};
use endstep_semantics::witness::{Root, record};
use endstep_verdicts::analysis::{
    Engine, Graph, Job, NO_ORDERS, Options, Reached, Sought, Task, completed, reached,
};

/// What was found of what was missed.
#[derive(Debug, Default)]
pub struct Found {
    /// Runs that do some of it.
    pub runs: Vec<Sampled>,
    /// What no run from any board does, up to the sizes.
    pub nowhere: BTreeSet<Goal>,
}

/// Where it is looked for.
#[derive(Debug, Clone, Copy)]
pub struct Jobs<'a> {
    /// Of these there are vectors.
    pub played: &'a [Job],
    /// What only these do is done, but there is no vector for it.
    pub others: &'a [Job],
}

/// Looks for what was missed from all boards of some jobs.
pub fn look(
    (program, system): (&Program, &System),
    jobs: Jobs<'_>,
    (missed, options): (&BTreeSet<Goal>, &Options),
) -> Found {
    let mut probes = Probes::new(program, system, missed);
    let read = missed.iter().filter_map(|goal| match goal {
        Goal::Alternative(reading, _) => Some(*reading),
        _ => None,
    });
    let mut sought = Sought {
        stmts: probes.sought(),
        readings: read.collect(),
    };
    let mut found = Found::default();
    let mut everywhere = true;
    let engine = Explorer::new(&probes.program);
    for (at, job) in jobs.played.iter().chain(jobs.others).enumerate() {
        let is_played = at < jobs.played.len();
        let version: (&Program, &dyn Engine) = (&probes.program, &engine);
        let met: Reached = reached(version, job, options, sought.clone());
        everywhere &= met.everywhere;
        let subject = (program, (at, job));
        for (stmt, place) in met.stmts {
            probes.forget(stmt);
            if is_played {
                found.runs.extend(probes.run(subject, stmt, place));
            }
        }
        sought.stmts = probes.sought();
        for (reading, place) in met.readings {
            sought.readings.remove(&reading);
            for &goal in missed.iter().filter(|_| is_played) {
                if let Goal::Alternative(id, taken) = goal
                    && id == reading
                {
                    found.runs.extend(read_as(subject, (id, taken), &place));
                }
            }
        }
    }
    let nowhere = missed.iter().filter(|goal| match goal {
        Goal::Alternative(reading, _) => sought.readings.contains(reading),
        _ => probes.at.contains_key(goal),
    });
    found.nowhere = nowhere.filter(|_| everywhere).copied().collect();
    found
}

/// What is run: the program, and the job with its position.
type Subject<'a> = (&'a Program, (usize, &'a Job));

/// On a board from which some run depends on a reading, such a run, with some alternative of it; none if the board is not legal then.
fn read_as(
    (program, (at, job)): Subject<'_>,
    (reading, alternative): (ReadingId, u16),
    (board, readings): &(Data, Readings),
) -> Option<Sampled> {
    let mut assignment = completed(program, readings);
    assignment.insert(reading, alternative);
    if !is_legal(program, job, &assignment, board) {
        return None;
    }
    let names = Names::numbered(program, board);
    let mut todo: Vec<Vec<Key>> = vec![Vec::new()];
    for _ in 0..MOST_RUNS {
        let begun = todo.pop()?;
        let run = |keys| {
            let board = (board.clone(), names.clone());
            let walk = Walk::new(program, job.sequence, board, Readings::new());
            walked(walk, &assignment, keys)
        };
        // Where the first alternative of everything goes round in a circle, another may lead out.
        let led_out = || {
            let of = (board, &assignment);
            run(to_an_end((program, job), of, begun.clone())?)
        };
        let Some(run) = run(begun.clone()).or_else(led_out) else {
            continue;
        };
        if run.readings.get(&reading) == Some(&alternative) {
            return Some(Sampled {
                job: at,
                run,
                assignment,
            });
        }
        let made = record(program, &run).ok()?.into_iter();
        let made = made.filter_map(|instant| instant.made);
        for (number, made) in made.enumerate().skip(begun.len()) {
            for other in made.offered.iter().filter(|key| **key != made.taken) {
                let mut keys = run.choices.get(..number)?.to_vec();
                keys.push(other.clone());
                todo.push(keys);
            }
        }
    }
    None
}

/// So many runs from a board are followed to find one that depends on a reading.
const MOST_RUNS: usize = 2000;

/// The program with a statement at the beginning of each way.
struct Probes {
    program: Program,
    /// With which statements what is still looked for begins; of several any will do.
    at: BTreeMap<Goal, Vec<StmtId>>,
    /// What stands instead of one that was found.
    gap: GapId,
}

impl Probes {
    fn new(program: &Program, system: &System, missed: &BTreeSet<Goal>) -> Self {
        let mut changed = program.clone();
        let together = together(system);
        let alone = |stmt: &StmtId| !together.contains(stmt);
        let mut at = BTreeMap::new();
        for &goal in missed {
            let stmts: Vec<StmtId> = match goal {
                Goal::Branch(stmt, way) => beginning(&mut changed, stmt, way).into_iter().collect(),
                Goal::Clause(clause) => {
                    let stmts = program.stmts.iter();
                    let stmts = stmts.filter(|(_, one)| one.clause == Some(clause));
                    stmts.map(|(id, _)| id).filter(alone).collect()
                }
                Goal::Trigger(trigger) => {
                    let body = changed.triggers[trigger].body;
                    vec![first(&mut changed, body, None)]
                }
                Goal::Alternative(..) | Goal::After(..) | Goal::Choice(_) => Vec::new(),
            };
            if !stmts.is_empty() {
                at.insert(goal, stmts);
            }
        }
        let gap = changed.gaps.push(Gap {
            name: String::new(),
            text: String::new(),
            clause: None,
            span: endstep_language::source::Span::default(),
        });
        Self {
            program: changed,
            at,
            gap,
        }
    }

    /// The statements that are still looked for.
    fn sought(&self) -> BTreeSet<StmtId> {
        self.at.values().flatten().copied().collect()
    }

    /// A statement was found: what begins with it need not be looked for any more.
    fn forget(&mut self, found: StmtId) {
        self.at.retain(|_, stmts| !stmts.contains(&found));
    }

    /// A run of the program as it is that comes to a statement.
    fn run(
        &self,
        (program, (at, job)): Subject<'_>,
        stmt: StmtId,
        (board, readings): (Data, Readings),
    ) -> Option<Sampled> {
        let mut ending = self.program.clone();
        ending.stmts[stmt].kind = StmtKind::Gap(self.gap);
        let names = Names::numbered(program, &board);
        let task = Task {
            program: &ending,
            readings: &readings,
            variant: &job.variant,
            names: &names,
            watches: &[],
            keep: &BTreeSet::new(),
            orders: &NO_ORDERS,
            states: usize::MAX,
            steps: u64::MAX,
            spent: &Cell::new(0),
            kept: None,
        };
        let root = Root::Sequence(job.sequence, Vec::new());
        let graph = Explorer::new(&ending).graph(task, &root, &board).ok()?;
        let keys = way_to(&graph, &Tag::Gap(GapName::Named(self.gap)))?;
        let assignment = completed(program, &readings);
        let run = |keys| {
            let board = (board.clone(), names.clone());
            let walk = Walk::new(program, job.sequence, board, Readings::new());
            walked(walk, &assignment, keys)
        };
        // Where the first alternative of everything goes round in a circle, another may lead out.
        let run = run(keys.clone())
            .or_else(|| run(to_an_end((program, job), (&board, &assignment), keys)?))?;
        Some(Sampled {
            job: at,
            run,
            assignment,
        })
    }
}

/// So many states are visited to find how a run can come to an end.
const MOST_STATES: usize = 20_000;

/// What is chosen in a run that begins with these choices and comes to an end, of those the one with the fewest
/// steps.
fn to_an_end(
    (program, job): (&Program, &Job),
    (board, readings): (&Data, &Readings),
    begun: Vec<Key>,
) -> Option<Vec<Key>> {
    let it = Interpreter {
        program,
        readings,
        variant: &job.variant,
    };
    let start = it.start(job.sequence, &[], board.clone());
    let mut todo: VecDeque<((State, Vec<Key>), usize)> = VecDeque::from([((start, Vec::new()), 0)]);
    let mut seen: BTreeSet<(State, usize)> = BTreeSet::new();
    while let Some(((state, keys), taken)) = todo.pop_front() {
        if seen.len() > MOST_STATES || !seen.insert((state.clone(), taken)) {
            continue;
        }
        match it.next(state) {
            Next::Step(state, _) => todo.push_back(((state, keys), taken)),
            Next::Choose(point) => {
                let wanted = begun.get(taken);
                for one in point.alternatives {
                    if wanted.is_none_or(|wanted| *wanted == one.key) {
                        let mut keys = keys.clone();
                        keys.push(one.key);
                        let taken = begun.len().min(taken + 1);
                        todo.push_back(((one.state, keys), taken));
                    }
                }
            }
            Next::Done(ended, _) if matches!(ended.tag, Tag::Limit(_)) => {}
            Next::Done(..) if taken == begun.len() => return Some(keys),
            Next::Done(..) | Next::Consult(_) => {}
        }
    }
    None
}

/// What is chosen on a shortest way to an end.
fn way_to(graph: &Graph, tag: &Tag) -> Option<Vec<Key>> {
    let mut from: BTreeMap<usize, Option<(usize, Option<Key>)>> = BTreeMap::from([(0, None)]);
    let mut todo = VecDeque::from([0]);
    while let Some(at) = todo.pop_front() {
        let node = graph.nodes.get(at)?;
        if node.end().is_some_and(|end| end.ended.tag == *tag) {
            let mut keys = Vec::new();
            let mut here = at;
            while let Some(Some((before, key))) = from.get(&here) {
                keys.extend(key.clone());
                here = *before;
            }
            keys.reverse();
            return Some(keys);
        }
        for edge in node.edges() {
            from.entry(edge.to()).or_insert_with(|| {
                todo.push_back(edge.to());
                Some((at, edge.key().cloned()))
            });
        }
    }
    None
}

/// The statement with which a way begins; a new one, if there is none.
fn beginning(program: &mut Program, stmt: StmtId, way: Way) -> Option<StmtId> {
    let mut kind = program.stmts[stmt].kind.clone();
    let block = match (&mut kind, way) {
        (StmtKind::If(arms, _) | StmtKind::Cases { arms, .. }, Way::Block(at)) => arms.get(at)?.1,
        (StmtKind::ChooseOne { options, .. }, Way::Block(at)) => options.get(at)?.2,
        (StmtKind::ForEach { body, .. }, Way::Turns) | (StmtKind::May { body, .. }, Way::Taken) => {
            *body
        }
        (
            StmtKind::If(_, otherwise)
            | StmtKind::Cases { otherwise, .. }
            | StmtKind::May { otherwise, .. },
            Way::Otherwise | Way::NotTaken,
        ) => match otherwise {
            Some(block) => *block,
            None => {
                let block = program.blocks.push(Block::default());
                *otherwise = Some(block);
                program.stmts[stmt].kind = kind;
                block
            }
        },
        (StmtKind::ForEach { .. }, Way::NoTurn) => return before_none(program, stmt),
        _ => return None,
    };
    Some(first(program, block, Some(stmt)))
}

/// The first statement of a block, or a new one that does nothing.
fn first(program: &mut Program, block: BlockId, like: Option<StmtId>) -> StmtId {
    if let Some(&stmt) = program.blocks[block].stmts.first() {
        return stmt;
    }
    let probe = nothing(program, like);
    program.blocks[block].stmts.push(probe);
    probe
}

fn nothing(program: &mut Program, like: Option<StmtId>) -> StmtId {
    let clause = like.and_then(|like| program.stmts[like].clause);
    program.stmts.push(Stmt {
        kind: StmtKind::Nothing,
        clause,
        owner: None,
        path: String::new(),
        span: endstep_language::source::Span::default(),
    })
}

/// A statement that is executed before an iteration if there is nothing to go through.
fn before_none(program: &mut Program, stmt: StmtId) -> Option<StmtId> {
    let StmtKind::ForEach { binder, .. } = &program.stmts[stmt].kind else {
        return None;
    };
    let span = program.stmts[stmt].span;
    let bool = |kind| Expr {
        kind,
        ty: Type::Bool,
        span,
    };
    let truth = bool(ExprKind::Const(Value::Bool(true)));
    let some = ExprKind::Quantified(Quantifier::Some, Box::new(binder.clone()), Box::new(truth));
    let none = bool(ExprKind::Not(Box::new(bool(some))));
    let probe = nothing(program, Some(stmt));
    let body = program.blocks.push(Block {
        stmts: vec![probe],
        binds: Vec::new(),
    });
    let clause = program.stmts[stmt].clause;
    let guard = program.stmts.push(Stmt {
        kind: StmtKind::If(vec![(none, body)], None),
        clause,
        owner: None,
        path: String::new(),
        span,
    });
    let around = program.blocks.iter().find_map(|(id, block)| {
        let at = block.stmts.iter().position(|one| *one == stmt)?;
        Some((id, at))
    });
    let (block, at) = around?;
    program.blocks[block].stmts.insert(at, guard);
    Some(probe)
}
