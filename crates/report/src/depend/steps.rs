//! The steps and restarts of sequences: what feeds what, what overwrites or undoes what, which pairs of an open
//! list depend on each other.

use std::collections::BTreeSet;

use super::flow::Flow;
use super::often::{again, goes_by_place, performed_again};
use super::source::{Body, bodies, calls, ops, sequences, woken};
use super::{Evidence, Link, Picture, Source, Thing, known};
use endstep_kernel::footprint::{
    Footprint, Place, Unit, come_to, of_block, of_condition, of_listed, of_restart,
};
use endstep_kernel::ir::{Function, System};
use endstep_language::typing::program::{BlockId, Nest, SequenceId, StepId, TriggerId, Type};
use endstep_verdicts::order::{self, Pair, Row};

/// A step with what its statements can do, without the restart rule of its sequence; or that rule.
struct Part {
    thing: Thing,
    at: usize,
    footprint: Footprint,
    /// What its `ensures` read.
    promised: BTreeSet<Place>,
}

pub(super) fn picture(source: Source<'_>) -> Picture {
    let mut picture = Picture::default();
    let all = sequences(source);
    for &sequence in &all {
        let procedure = &source.system.procedures[sequence];
        for &step in &procedure.steps {
            picture.thing(Thing::Step(step));
        }
        if procedure.restart.is_some() {
            picture.thing(Thing::Restart(sequence));
        }
    }
    let again = again(source);
    for &sequence in &all {
        let parts = parts(source.system, sequence, &mut picture);
        match order::listed((source.program, source.system), source.results, sequence) {
            Some(rows) => {
                open(rows, &mut picture);
                // Between steps a pair says it all.
                let with_restart = |one: &Part| matches!(one.thing, Thing::Restart(_));
                let shown = |one: &Part, other: &Part| with_restart(one) || with_restart(other);
                fixed(&parts, &before_all(&parts), &shown, &mut picture);
            }
            None => {
                let before = before_each(source.system, sequence, again.contains(&sequence));
                fixed(&parts, &before, &|_, _| true, &mut picture);
                undone(source, sequence, &parts, &mut picture);
            }
        }
    }
    for body in bodies(source) {
        performed(source.system, body, &mut picture);
    }
    ended(source, &mut picture);
    picture
}

fn parts(system: &System, sequence: SequenceId, picture: &mut Picture) -> Vec<Part> {
    let procedure = &system.procedures[sequence];
    let step = |&id| {
        let step = &system.steps[id];
        // With `nest places` the places are asked for once, before the first step.
        let asks = match &procedure.over {
            Some((_, _, Nest::Places)) => procedure.steps.first() == Some(&id),
            Some(_) => true,
            None => false,
        };
        Part {
            thing: Thing::Step(id),
            at: picture.thing(Thing::Step(id)),
            footprint: match asks {
                true => of_listed(system, id),
                false => of_block(system, step.body, sequence),
            },
            promised: promised(system, id),
        }
    };
    let mut parts: Vec<Part> = procedure.steps.iter().map(step).collect();
    if let Some(rule) = &procedure.restart {
        let mut footprint = of_restart(system, sequence);
        if let Some(before) = rule.before {
            footprint.add(&of_block(system, before, sequence));
        }
        parts.push(Part {
            thing: Thing::Restart(sequence),
            at: picture.thing(Thing::Restart(sequence)),
            footprint,
            promised: BTreeSet::new(),
        });
    }
    parts
}

/// What the `ensures` of a step read.
pub(super) fn promised(system: &System, id: StepId) -> BTreeSet<Place> {
    let step = &system.steps[id];
    let promised = step.ensures.iter().flat_map(|e| {
        let types = &system.procedures[step.procedure].types;
        let condition = Function {
            params: types.clone(),
            ..Function::condition("", Type::Bool, e.clone())
        };
        of_condition(system, &condition).reads
    });
    promised.collect()
}

/// Which parts can come right before each of a list in order; `again`: the first can come after the last.
fn before_each(system: &System, sequence: SequenceId, again: bool) -> Vec<Vec<usize>> {
    let procedure = &system.procedures[sequence];
    let steps = &procedure.steps;
    let mut before: Vec<Vec<usize>> = (0..steps.len())
        .map(|at| at.checked_sub(1).into_iter().collect())
        .collect();
    if let (true, Some(first)) = (again, before.first_mut()) {
        first.push(steps.len() - 1);
    }
    for (at, &step) in steps.iter().enumerate() {
        for target in system.targets(step) {
            let to = steps.iter().position(|&one| one == target);
            if let Some(to) = to {
                before[to].push(at);
            }
        }
    }
    if procedure.restart.is_some() {
        // A pass can be cancelled in each step, and the first one is next.
        if let Some(first) = before.first_mut() {
            first.push(steps.len());
        }
        before.push((0..steps.len()).collect());
    }
    before
}

/// The same where any step can come after any other.
fn before_all(parts: &[Part]) -> Vec<Vec<usize>> {
    let others = |at: usize| (0..parts.len()).filter(|&other| other != at).collect();
    (0..parts.len()).map(others).collect()
}

/// Parts in an order: what each reads or writes was written by the nearest ones before it that write it; of pairs that
/// are shown.
fn fixed(
    parts: &[Part],
    before: &[Vec<usize>],
    shown: &dyn Fn(&Part, &Part) -> bool,
    picture: &mut Picture,
) {
    for (later, reader) in parts.iter().enumerate() {
        // What it ensures is looked at when it has written.
        let promised = &reader.promised - &reader.footprint.writes;
        let reads = &reader.footprint.reads | &promised;
        for &place in reads.union(&reader.footprint.writes) {
            let link = match reads.contains(&place) {
                true => Link::Feeds,
                false => Link::Overwrites,
            };
            let mut met = BTreeSet::new();
            let mut todo = before[later].clone();
            while let Some(at) = todo.pop() {
                let writer = &parts[at];
                match writer.footprint.writes.contains(&place) {
                    _ if !met.insert(at) => {}
                    false => todo.extend(&before[at]),
                    true if at == later || !shown(writer, reader) => {}
                    true => picture.link((writer.at, reader.at), link, BTreeSet::from([place])),
                }
            }
        }
    }
}

/// Steps in a fixed order that can end their sequence or the run, each with those after it, and with those before it if
/// these would be done for the next place, or when the sequence is performed again; and restarts that can, with all steps.
fn ended(source: Source<'_>, picture: &mut Picture) {
    let system = source.system;
    let all = sequences(source);
    let again = performed_again(source);
    let units = all.iter().map(|&id| Unit::Procedure(id));
    let units = units.chain(woken(source).into_iter().map(Unit::Trigger));
    let mut flow = Flow::of(system, &units.collect::<Vec<_>>());
    for sequence in all {
        if order::listed((source.program, system), source.results, sequence).is_some() {
            continue;
        }
        let steps = &system.procedures[sequence].steps;
        for (at, &one) in steps.iter().enumerate() {
            let early = flow.early(Unit::Procedure(sequence), system.steps[one].body);
            let ends = early.activation || early.beyond;
            // Whoever leaves a sequence that is performed again leaves the one performance.
            let goes_back = ends && goes_by_place(system, sequence)
                || early.beyond && again.contains(&sequence);
            let before = steps[..at].iter().filter(|_| goes_back);
            let after = steps[at + 1..].iter().filter(|_| ends);
            let from = picture.thing(Thing::Step(one));
            let jumped = jumped(system, steps, at);
            for &other in after.chain(before).chain(&jumped) {
                let to = picture.thing(Thing::Step(other));
                picture.link((from, to), Link::Enables, BTreeSet::new());
            }
        }
        let restart = system.procedures[sequence].restart.as_ref();
        let Some(block) = restart.and_then(|rule| rule.before) else {
            continue;
        };
        // What ends there does not begin again.
        let early = flow.early(Unit::Procedure(sequence), block);
        if early.activation || early.beyond {
            let from = picture.thing(Thing::Restart(sequence));
            for &step in steps {
                let to = picture.thing(Thing::Step(step));
                picture.link((from, to), Link::Enables, BTreeSet::new());
            }
        }
    }
}

/// The steps between one and those to which it can go: they are not done, or done once more.
fn jumped(system: &System, steps: &[StepId], at: usize) -> Vec<StepId> {
    let targets = system.targets(steps[at]).into_iter();
    let targets = targets.filter_map(|target| steps.iter().position(|&one| one == target));
    let between = targets.flat_map(|to| match to > at {
        true => at + 1..to,
        false => to..at,
    });
    let between: BTreeSet<usize> = between.collect();
    between.into_iter().map(|at| steps[at]).collect()
}

/// What a later step can undo: what a step says that it ensures, and what a run has shown to need
/// a second look, if a single step changed anything on it since.
fn undone(source: Source<'_>, sequence: SequenceId, parts: &[Part], picture: &mut Picture) {
    for (at, early) in parts.iter().enumerate() {
        let Thing::Step(id) = early.thing else {
            continue;
        };
        let shown = known::recheck(source, sequence, id).and_then(|finding| {
            let changing = known::only_change(source, finding, (sequence, id))?;
            Some((finding, Thing::Step(changing)))
        });
        let later = parts[at + 1..].iter();
        for late in later.filter(|late| matches!(late.thing, Thing::Step(_))) {
            let writes = &late.footprint.writes;
            let promised: BTreeSet<Place> = writes.intersection(&early.promised).copied().collect();
            if !promised.is_empty() {
                picture.link((late.at, early.at), Link::Undoes, promised);
            }
            if let Some((finding, _)) = shown.filter(|(_, changing)| *changing == late.thing) {
                let touched = early.footprint.reads.union(&early.footprint.writes);
                let touched: BTreeSet<Place> = touched.copied().collect();
                let broken: BTreeSet<Place> = writes.intersection(&touched).copied().collect();
                let evidence = Evidence::Finding(finding);
                picture.known((late.at, early.at), Link::Undoes, broken, evidence);
            }
        }
    }
}

/// Steps that do not bind: each pair, as the order matrix has it.
fn open(rows: Vec<Row>, picture: &mut Picture) {
    for row in rows {
        let Pair::Steps(one, other) = row.pair else {
            continue;
        };
        let pair = (
            picture.thing(Thing::Step(one)),
            picture.thing(Thing::Step(other)),
        );
        let mut compared = BTreeSet::new();
        let (link, places, evidence) = match row.evidence {
            order::Evidence::Disjoint => (Link::Commutes, row.shared, Evidence::Disjoint),
            order::Evidence::Symmetric(places) => (Link::Commutes, places, Evidence::Symmetric),
            order::Evidence::Proved => (Link::Commutes, row.shared, Evidence::Proved),
            order::Evidence::Exhausted(scopes) => {
                compared.extend(scopes);
                (Link::Commutes, row.shared, Evidence::Scope)
            }
            order::Evidence::NeverTwo(_) | order::Evidence::NeverOpen(_) => {
                (Link::Commutes, row.shared, Evidence::Never)
            }
            order::Evidence::Refuted(refuting) => {
                let shown = refuting.shown.first().map(|&at| Evidence::Finding(at));
                let left_out = refuting.left_out.first().map(|&at| Evidence::LeftOut(at));
                let evidence = shown.or(left_out);
                (
                    Link::Conflicts,
                    row.shared,
                    evidence.unwrap_or(Evidence::Text),
                )
            }
            // What chance decides is not compared.
            order::Evidence::Closed(_) | order::Evidence::Unknown(_) => {
                (Link::Conflicts, row.shared, Evidence::Text)
            }
        };
        picture.known(pair, link, places, evidence);
        picture.compared(pair, link, &compared);
    }
}

/// From a step or restart to the first steps of what it performs, or of what the triggers perform that it sets off.
fn performed(system: &System, body: Body, picture: &mut Picture) {
    let own = calls(system, body.block);
    let triggers = reactions(system, body.block).into_iter();
    let others = triggers.flat_map(|id| calls(system, system.triggers[id].body));
    for called in own.into_iter().chain(others) {
        if let Some(&first) = system.procedures[called].steps.first() {
            let pair = (picture.thing(body.thing), picture.thing(Thing::Step(first)));
            picture.link(pair, Link::Causes, BTreeSet::new());
        }
    }
}

/// The triggers that the statements of a block set off, directly or by other triggers; not those of what it performs.
fn reactions(system: &System, block: BlockId) -> BTreeSet<TriggerId> {
    let mut found = BTreeSet::new();
    let mut todo = vec![block];
    while let Some(block) = todo.pop() {
        for op in ops(system, [block]) {
            for begun in come_to(system, &system.ops[op].kind) {
                match begun {
                    Unit::Trigger(id) if found.insert(id) => todo.push(system.triggers[id].body),
                    Unit::Trigger(_) | Unit::Procedure(_) => {}
                }
            }
        }
    }
    found
}
