//! What a conformance vector can cover: the clauses, branches, readings, triggers and choices of a specification.

use std::collections::{BTreeMap, BTreeSet};

use endstep_kernel::footprint::together;
use endstep_kernel::ir::System;
use endstep_language::typing::program::{BlockId, Program, StmtId, StmtKind, TriggerId};
use endstep_report::report::{Goal, Way};
use endstep_semantics::semantics::{Key, Note, Readings, Tag};
use endstep_semantics::witness::{Instant, Run, RunEnd};

/// The ways that statements can go, with the statement with which each begins.
#[derive(Debug)]
pub struct Map {
    ways: BTreeMap<StmtId, Vec<(Option<StmtId>, Way)>>,
}

impl Map {
    /// Of the statements of a program; those that take effect together with others are not told apart.
    pub fn new(program: &Program, system: &System) -> Self {
        let together = together(system);
        let first = |block: BlockId| program.blocks[block].stmts.first().copied();
        let mut ways = BTreeMap::new();
        let made_up = program.made_up();
        let rules = program.stmts.iter();
        for (id, stmt) in rules.filter(|(id, _)| !made_up.contains(id)) {
            let found: Vec<(Option<StmtId>, Way)> = match &stmt.kind {
                StmtKind::If(arms, otherwise) => guarded(arms, *otherwise, true, &first),
                StmtKind::Cases {
                    arms, otherwise, ..
                } => guarded(arms, *otherwise, otherwise.is_some(), &first),
                StmtKind::ForEach { body, .. } => {
                    vec![(first(*body), Way::Turns), (None, Way::NoTurn)]
                }
                StmtKind::May { .. } => vec![(None, Way::Taken), (None, Way::NotTaken)],
                // What is offered alone is done without being chosen.
                StmtKind::ChooseOne { options, .. } => {
                    let options = options.iter().enumerate();
                    options
                        .map(|(at, (.., block))| (first(*block), Way::Block(at)))
                        .collect()
                }
                _ => continue,
            };
            if !together.contains(&id) {
                ways.insert(id, found);
            }
        }
        Self { ways }
    }

    /// Everything that could be covered under the readings that are fixed, whether or not a run can do it.
    pub fn all(&self, program: &Program, fixed: &Readings) -> BTreeSet<Goal> {
        let mut found = BTreeSet::new();
        found.extend(
            program
                .stmts
                .values()
                .iter()
                .filter_map(|one| one.clause)
                .map(Goal::Clause),
        );
        for (&stmt, ways) in &self.ways {
            found.extend(ways.iter().map(|(_, way)| Goal::Branch(stmt, *way)));
        }
        for (id, reading) in program.readings.iter() {
            let all = (0..reading.alternatives.len()).map(small);
            let open = all.filter(|at| fixed.get(&id).is_none_or(|fixed| fixed == at));
            found.extend(open.map(|at| Goal::Alternative(id, at)));
        }
        found.extend(program.triggers.ids().map(Goal::Trigger));
        found
    }

    /// What a run covers, apart from readings.
    pub fn covered(&self, program: &Program, run: &Run, instants: &[Instant]) -> BTreeSet<Goal> {
        let mut found = BTreeSet::new();
        let mut open: Option<StmtId> = None;
        let mut last: Option<TriggerId> = None;
        for instant in instants {
            for note in &instant.notes {
                match note {
                    Note::Executed(stmt) => {
                        if let Some(before) = open.take() {
                            found.insert(Goal::Branch(before, self.way(before, Some(*stmt))));
                        }
                        found.extend(program.stmts[*stmt].clause.map(Goal::Clause));
                        open = self.is_told_by_the_next(*stmt).then_some(*stmt);
                    }
                    Note::Resolving(trigger) => {
                        found.insert(Goal::Trigger(*trigger));
                        found.extend(last.map(|last| Goal::After(last, *trigger)));
                        last = Some(*trigger);
                    }
                    Note::Cancelled { .. } => open = None,
                    _ => {}
                }
            }
            let made = instant.made.iter();
            let several = made.filter(|made| made.offered.len() > 1);
            found.extend(several.map(|made| Goal::Choice(made.site)));
            let way = match instant.made.as_ref().map(|made| &made.taken) {
                Some(Key::Option(stmt, at)) => Some((*stmt, Way::Block(*at))),
                Some(Key::Taken(stmt, true)) => Some((*stmt, Way::Taken)),
                Some(Key::Taken(stmt, false)) => Some((*stmt, Way::NotTaken)),
                _ => None,
            };
            found.extend(way.map(|(stmt, way)| Goal::Branch(stmt, way)));
        }
        // Where nothing more is done, and nothing went wrong, none of its ways was gone.
        let is_normal = matches!(&run.end, RunEnd::Ended(ended) if ended.tag == Tag::End);
        if let Some(last) = open.filter(|_| is_normal) {
            found.insert(Goal::Branch(last, self.way(last, None)));
        }
        found.retain(|goal| match goal {
            Goal::Branch(stmt, way) => {
                let ways = self.ways.get(stmt);
                ways.is_some_and(|ways| ways.iter().any(|(_, one)| one == way))
            }
            _ => true,
        });
        found
    }

    /// Whether the statement that is executed next tells which way it went.
    fn is_told_by_the_next(&self, stmt: StmtId) -> bool {
        let ways = self.ways.get(&stmt);
        ways.is_some_and(|ways| ways.iter().any(|(first, _)| first.is_some()))
    }

    /// Which way it went, if this was executed next.
    fn way(&self, stmt: StmtId, next: Option<StmtId>) -> Way {
        let ways = self.ways.get(&stmt).map_or(&[][..], Vec::as_slice);
        let way = ways
            .iter()
            .find(|(first, _)| first.is_some() && *first == next);
        match way {
            Some((_, way)) => *way,
            None if ways.iter().any(|(_, way)| *way == Way::Turns) => Way::NoTurn,
            None => Way::Otherwise,
        }
    }
}

/// The ways of something with conditions; whether there is one if none of them holds.
fn guarded<E>(
    arms: &[(E, BlockId)],
    otherwise: Option<BlockId>,
    has_rest: bool,
    first: &dyn Fn(BlockId) -> Option<StmtId>,
) -> Vec<(Option<StmtId>, Way)> {
    let arms = arms.iter().enumerate();
    let arms = arms.map(|(at, (_, block))| (first(*block), Way::Block(at)));
    let rest = (otherwise.and_then(first), Way::Otherwise);
    arms.chain(has_rest.then_some(rest)).collect()
}

/// A position as readings count them.
fn small(at: usize) -> u16 {
    u16::try_from(at).unwrap_or(u16::MAX)
}
