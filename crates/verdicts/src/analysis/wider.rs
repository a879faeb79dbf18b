//! On which larger boards the same is found: with any number of entities more that stand by.
//!
//! ```text
//! board [rager, rager]                     a loop
//! board [rager, rager] + any Cards in a deck, + Cards on the board with health above 0     the same loop
//! ```
//!
//! So a loop on a board is one on boards of every size: its states, together with any number of entities
//! that nothing meets, are a set that the rules never leave (a closed recurrent set). The argument is that of
//! [`aside`]; what it rests on is which statements any run from the board executes, under the readings of
//! the finding's runs and any alternatives of the others.
//!
//! *Guarantees.* What is told was tried, too: with one and with two entities more, in one zone of each family
//! in which they are said to stand by, the board is legal, and the graph of all runs has the same form.
//!
//! *Limits.* Only for loops, growth apart, for orders and choices that matter, gaps and conflicts, as what is
//! claimed and what observers compute could look at all there is. Boards with too many states are left out.
//!
//! *Background.* A. Gupta, T. A. Henzinger, R. Majumdar, A. Rybalchenko, R.-G. Xu, *Proving
//! non-termination*, 2008: recurrent sets.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use super::boards::Boards;
use super::engine::Engine;
use super::graph::NO_ORDERS;
use super::graph::{Graph, Task};
use super::halt::Halt;
use super::legal::is_legal_at_all;
use super::options::Options;
use super::readings::{completed, under_each};
use crate::verdict::{ClaimFailure, Detail, Finding, Standby};
use endstep_kernel::footprint::{Aside, Executed, aside};
use endstep_kernel::ir::System;
use endstep_kernel::lower::number;
use endstep_language::index::Id;
use endstep_language::typing::program::{
    ClaimKind, EntityId, FieldId, Program, SequenceId, Sight, SortId, StmtId, Value,
};
use endstep_semantics::semantics::{
    Data, Entity, Exceeded, Interpreter, Limit, Names, Readings, Spot, Tag, Variant, ZoneKey,
};
use endstep_semantics::witness::{Root, Run, Witness};

/// Boards with more states than this are left out.
const MOST_STATES: usize = 2000;

/// So many entities are tried to find one that stands by in a place.
const MOST_TRIED: usize = 4096;

/// So many assignments of readings are looked at.
const MOST_READINGS: usize = 256;

/// A program with what it is lowered to.
pub type Subject<'a> = (&'a Program, &'a System, &'a dyn Engine);

/// Where entities stand by on the board of a finding, so that the same is found however many of them there
/// are; nothing where that cannot be told.
pub fn wider(of: Subject<'_>, finding: &Finding) -> Vec<Standby> {
    let found = told(of, finding).unwrap_or_default().into_iter();
    found
        .map(|aside| Standby {
            sort: aside.sort,
            zone: aside.zone,
            only: aside
                .only
                .iter()
                .map(|atom| (atom.expr.span, atom.holds))
                .collect(),
        })
        .collect()
}

fn told((program, system, engine): Subject<'_>, finding: &Finding) -> Option<Vec<Aside>> {
    let runs = finding.witness.as_ref()?.runs();
    let also = match &finding.detail {
        Detail::Loop { .. } | Detail::Gap(_) | Detail::GapMet(..) | Detail::Conflict(..) => {
            Vec::new()
        }
        Detail::Order(_) | Detail::Steps(..) | Detail::Reading { .. } => {
            is_plainly_seen(program, finding.witness.as_ref()?).then(Vec::new)?
        }
        Detail::Claim(at, ClaimFailure::Loop(_)) => system.claims.get(*at)?.iter().collect(),
        Detail::Claim(at, ClaimFailure::Order(_))
            if matches!(program.claims[*at].kind, ClaimKind::OrderIrrelevant(..)) =>
        {
            is_plainly_seen(program, finding.witness.as_ref()?).then_some(())?;
            system.claims.get(*at)?.iter().collect()
        }
        _ => return None,
    };
    let first = runs.first()?;
    let mut executed: BTreeSet<StmtId> = BTreeSet::new();
    let root = sequence_of(first)?;
    for run in &runs {
        let is_same = run.board == first.board && sequence_of(run) == Some(root);
        if !is_same || run.variant != Variant::default() {
            return None;
        }
        executed.extend(executed_by((program, engine), run).ok()?);
    }
    let found = aside(
        system,
        &Executed {
            stmts: executed,
            root,
            also,
        },
    );
    let bounded = |sort: SortId| {
        program.sorts[sort]
            .document
            .is_some_and(|(_, most)| most < u32::MAX)
    };
    let found = found.into_iter().filter(|one| !bounded(one.sort));
    let told: Vec<Aside> = found
        .filter(|one| is_so((program, system, engine), &runs, one))
        .collect();
    Some(told)
}

fn sequence_of(run: &Run) -> Option<SequenceId> {
    match &run.root {
        Root::Sequence(sequence, args) if args.is_empty() => Some(*sequence),
        _ => None,
    }
}

/// Whether who compares the outcomes sees fields, variables and zones, and computes nothing.
fn is_plainly_seen(program: &Program, witness: &Witness) -> bool {
    let Witness::Versus(versus) = witness else {
        return false;
    };
    versus.observer.is_none_or(|observer| {
        let mut sights = program.observers[observer].sights.iter();
        !sights.any(|sight| matches!(sight, Sight::Expr(_) | Sight::Kinds(..)))
    })
}

/// The graph of a board under readings.
fn graph(
    (program, engine): (&Program, &dyn Engine),
    root: &Root,
    (board, readings): (&Data, &Readings),
) -> Result<Graph, Halt> {
    let task = Task {
        program,
        readings,
        variant: &Variant::default(),
        names: &Names::numbered(program, board),
        watches: &[],
        keep: &BTreeSet::new(),
        orders: &NO_ORDERS,
        states: MOST_STATES,
        steps: u64::MAX,
        spent: &Cell::new(0),
        kept: None,
    };
    let graph = engine.graph(task, root, board)?;
    match graph.is_limited() {
        true => Err(Halt::Evaluation),
        false => Ok(graph),
    }
}

/// All statements that runs from the board execute, under the readings of a run and any others.
fn executed_by(of: (&Program, &dyn Engine), run: &Run) -> Result<BTreeSet<StmtId>, Halt> {
    let (program, _) = of;
    let mut found = BTreeSet::new();
    let _ = under_each((program, &run.readings), MOST_READINGS, &mut |readings| {
        let graph = graph(of, &run.root, (&run.board, readings))?;
        let ids = program.stmts.ids();
        found.extend(ids.filter(|id| graph.coverage.has_stmt(*id)));
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(found)
}

/// Whether there are legal boards with more entities there, and with one and two of them it goes the same way.
fn is_so((program, system, engine): Subject<'_>, runs: &[&Run], aside: &Aside) -> bool {
    let Some(first) = runs.first() else {
        return false;
    };
    let keys = first.board.zones.keys().copied();
    let keys: Vec<Option<ZoneKey>> = match aside.zone {
        Some(zone) => keys.filter(|key| key.0 == zone).map(Some).collect(),
        None => vec![None],
    };
    keys.into_iter().any(|key| {
        let Some((larger, id, values)) = joined((program, system), runs, (aside, key)) else {
            return false;
        };
        let values: Vec<Value> = values.iter().map(|value| after(*value, id)).collect();
        let place = (
            aside.sort,
            key.map(|(zone, of)| (zone, of.map(|of| beyond(of, id)))),
        );
        let Some(largest) = joined_by((program, runs), &larger, &values, place) else {
            return false;
        };
        runs.iter().all(|run| {
            let form =
                |board: &Data| form((program, engine), run, board, (&first.board, aside.sort));
            let Some(before) = form(&first.board) else {
                return false;
            };
            [&larger, &largest].into_iter().all(|board| {
                let Some(after) = form(board) else {
                    return false;
                };
                // The argument says so; if it is not, one of the two is wrong, and nothing is told.
                debug_assert!(
                    before == after,
                    "entities that stand by change what happens"
                );
                before == after
            })
        })
    })
}

/// The first legal board with one entity more that meets the conditions, and its values.
fn joined(
    (program, system): (&Program, &System),
    runs: &[&Run],
    (aside, key): (&Aside, Option<ZoneKey>),
) -> Option<(Data, EntityId, Vec<Value>)> {
    let first = runs.first()?;
    let fields = &program.sorts[aside.sort].fields;
    let blank = vec![Value::None; fields.len()];
    let (bare, id) = with_one_more(&first.board, aside.sort, (key, &blank));
    let boards = Boards::new(program, &[], &Options::default());
    let values = boards.of_entity(&bare, id)?;
    let mut at = vec![0; values.len()];
    for _ in 0..MOST_TRIED {
        let picked: Option<Vec<Value>> = values
            .iter()
            .zip(&at)
            .map(|(of, &at)| of.get(at).copied())
            .collect();
        let picked = picked?;
        let value = |field: FieldId| {
            let at = fields.iter().position(|one| *one == field);
            at.and_then(|at| picked.get(at))
                .map_or(0, |value| number(*value))
        };
        let refers = |value: &Value| *value == Value::Entity(id);
        if !picked.iter().any(refers)
            && aside
                .only
                .iter()
                .all(|atom| atom.is_so(system, &value) == Some(true))
            && let Some(board) =
                joined_by((program, runs), &first.board, &picked, (aside.sort, key))
        {
            return Some((board, id, picked));
        }
        let turn = (0..at.len()).rev().find(|&i| at[i] + 1 < values[i].len())?;
        at[turn] += 1;
        at[turn + 1..].fill(0);
    }
    None
}

/// A board with one entity more, if it is legal under the readings of the runs.
fn joined_by(
    (program, runs): (&Program, &[&Run]),
    board: &Data,
    values: &[Value],
    (sort, key): (SortId, Option<ZoneKey>),
) -> Option<Data> {
    let (board, _) = with_one_more(board, sort, (key, values));
    let is_legal = |run: &&Run| {
        let readings = completed(program, &run.readings);
        let it = Interpreter {
            program,
            readings: &readings,
            variant: &run.variant,
        };
        is_legal_at_all(it, &board) == Ok(true)
    };
    runs.iter().all(is_legal).then_some(board)
}

/// The form of the graph of all runs: how each node goes on or ends. Entities are numbered as on the board
/// that came first.
fn form(
    of: (&Program, &dyn Engine),
    run: &Run,
    board: &Data,
    (first, sort): (&Data, SortId),
) -> Option<Vec<(Vec<usize>, Option<Tag>)>> {
    let (program, _) = of;
    let readings = completed(program, &run.readings);
    let graph = graph(of, &run.root, (board, &readings)).ok()?;
    let more = board.entities.len() - first.entities.len();
    let from = first.members(sort).last().map_or(0, |id| id.index() + 1);
    let renumbered = |id: EntityId| match id.index() >= from + more {
        true => EntityId::from_index(id.index() - more),
        false => id,
    };
    let old = |tag: &Tag| match tag {
        Tag::Win(Some(id)) => Tag::Win(Some(renumbered(*id))),
        Tag::Loss(Some(id)) => Tag::Loss(Some(renumbered(*id))),
        Tag::Range(Exceeded::Spot(Spot::Field(id, field), value)) => {
            Tag::Range(Exceeded::Spot(Spot::Field(renumbered(*id), *field), *value))
        }
        Tag::Limit(Limit::Reach(Spot::Field(id, field), value)) => {
            Tag::Limit(Limit::Reach(Spot::Field(renumbered(*id), *field), *value))
        }
        tag => tag.clone(),
    };
    let nodes = graph.nodes.iter().map(|node| {
        let next = node.edges().map(|edge| edge.to()).collect();
        (next, node.end().map(|end| old(&end.ended.tag)))
    });
    Some(nodes.collect())
}

/// A board with one entity more, after those of its sort, as the last of a zone; and which it is.
fn with_one_more(
    board: &Data,
    sort: SortId,
    (key, values): (Option<ZoneKey>, &[Value]),
) -> (Data, EntityId) {
    let sorted = board.entities.iter();
    let at = sorted.take_while(|entity| entity.sort <= sort).count();
    let id = EntityId::from_index(at);
    let moved = |of: EntityId| beyond(of, id);
    let renumbered = |value: Value| after(value, id);
    let mut larger = board.clone();
    for value in &mut larger.vars {
        *value = renumbered(*value);
    }
    for entity in &mut larger.entities {
        for value in &mut entity.fields {
            *value = renumbered(*value);
        }
    }
    let zones: BTreeMap<ZoneKey, Vec<EntityId>> = larger
        .zones
        .iter()
        .map(|((zone, of), contents)| {
            let contents = contents.iter().copied().map(moved);
            ((*zone, of.map(moved)), contents.collect())
        })
        .collect();
    larger.zones = zones;
    larger.entities.insert(
        at,
        Entity {
            sort,
            created: false,
            removed: false,
            fields: values.to_vec(),
        },
    );
    if let Some((zone, of)) = key
        && let Some(contents) = larger.zones.get_mut(&(zone, of.map(moved)))
    {
        contents.push(id);
    }
    (larger, id)
}

/// The number of an entity after another was put in its place.
fn beyond(of: EntityId, place: EntityId) -> EntityId {
    match of >= place {
        true => EntityId::from_index(of.index() + 1),
        false => of,
    }
}

/// A value after an entity was put in a place.
fn after(value: Value, place: EntityId) -> Value {
    match value {
        Value::Entity(of) => Value::Entity(beyond(of, place)),
        value => value,
    }
}
