//! Graphs of random specifications against what runs do: what a statement reads that another wrote, and what a run that
//! never ends goes through.
//!
//! `PASSING=0..5000 cargo test --test it passing` looks at the random specifications with these numbers.

use std::collections::{BTreeMap, BTreeSet};

use endstep::analysis::Options;
use endstep::depend::{Cycle, Kind, Link, Picture, Source, Thing, picture};
use endstep::explore;
use endstep::footprint::{Place, Reader, Unit};
use endstep::index::Id;
use endstep::ir::{self, OpKind, System};
use endstep::lower::lower;
use endstep::semantics::Spot;
use endstep::source::Span;
use endstep::syntax::ast::ClauseKind;
use endstep::typing::program::{Clause, ClauseIdx, Owner, Program, StmtId};
use endstep::verdict::Results;
use endstep::witness::{Difference, FixedOrder, Happening, Moment, Witness, replay};

use super::engines::{LIMITS, compiled, random};
use super::orders::numbers;

/// The same with a clause of its own around each statement; the first of them.
pub fn with_clauses(mut program: Program) -> (Program, usize) {
    let first = program.clauses.iter().count();
    let statements: Vec<StmtId> = program.stmts.ids().collect();
    for id in statements {
        let clause = program.clauses.push(Clause {
            id: format!("s.{}", id.index()),
            document: None,
            kind: ClauseKind::Rule,
            locator: String::new(),
            says: String::new(),
            waived: None,
            formalised: true,
            refers_to: Vec::new(),
            dangling: Vec::new(),
            defines: Vec::new(),
            undefined: Vec::new(),
            yields_to: Vec::new(),
            span: Span::default(),
        });
        program.stmts[id].clause = Some(clause);
    }
    (program, first)
}

/// Graphs show nothing of what the author made up.
fn has_experiments(program: &Program) -> bool {
    program.sequences.iter().any(|(_, one)| one.is_experiment())
}

fn drawn(program: &Program, results: Option<&Results>, kind: Kind) -> Picture {
    let source = Source {
        program,
        system: &lower(program),
        results,
        sequence: None,
    };
    picture(source, kind)
}

/// Runs as they were found, in the order that the document fixes.
fn runs(program: &Program, results: &Results) -> Vec<Vec<Moment>> {
    let witnesses = results
        .findings
        .iter()
        .filter_map(|one| one.witness.as_ref());
    let witnesses = witnesses.filter(|one| {
        matches!(
            one,
            Witness::Run { .. } | Witness::Lasso { .. } | Witness::Growth { .. }
        )
    });
    let traces = witnesses.flat_map(|one| replay(program, one).unwrap().traces);
    let freed = |moment: &Moment| matches!(&moment.what, Happening::Choice(made) if made.fixed != FixedOrder::Kept);
    let moments = traces.map(|trace| trace.moments);
    moments.filter(|all| !all.iter().any(freed)).collect()
}

fn unit(program: &Program, id: StmtId) -> Option<Unit> {
    Some(match program.stmts[id].owner? {
        Owner::Step(step) => Unit::Procedure(program.steps[step].sequence),
        Owner::Trigger(trigger) => Unit::Trigger(trigger),
        Owner::Restart(sequence) => Unit::Procedure(sequence),
    })
}

/// The place of a change.
fn place(change: &Difference) -> Option<Place> {
    match change {
        Difference::Spot(Spot::Var(var), ..) => Some(Place::Var(*var)),
        Difference::Spot(Spot::Field(_, field), ..) => Some(Place::Field(*field)),
        Difference::Zone(key, ..) => Some(Place::Zone(key.0)),
        Difference::Queue(queue, ..) => Some(Place::Queue(*queue)),
        Difference::Created(_) | Difference::Removed(_) => None,
    }
}

/// The statements inside of a `simultaneously`, and these themselves.
fn together(system: &System) -> BTreeSet<StmtId> {
    let mut found = BTreeSet::new();
    for (id, op) in system.ops.iter() {
        if let OpKind::Atomic(block) = op.kind {
            found.insert(id);
            let mut todo = vec![block];
            while let Some(block) = todo.pop() {
                for &op in &system.blocks[block].ops {
                    found.insert(op);
                    todo.extend(system.ops[op].kind.blocks());
                }
            }
        }
    }
    found
}

/// Which statement reads what which other one wrote last, on a run.
fn read(program: &Program, system: &System, run: &[Moment]) -> BTreeSet<(StmtId, StmtId, Place)> {
    let mut last: BTreeMap<Place, Option<StmtId>> = BTreeMap::new();
    let mut found = BTreeSet::new();
    let together = together(system);
    for moment in run {
        if let Happening::Statement(id) = moment.what
            && let Some(unit) = unit(program, id)
        {
            for place in Reader::new(system, unit).itself(id).reads {
                let writer = last.get(&place).copied().flatten();
                found.extend(writer.map(|writer| (writer, id, place)));
            }
        }
        let by = moment.by.filter(|by| !together.contains(by));
        // What is set to what it was is written all the same.
        if let Happening::Statement(id) = moment.what
            && let OpKind::Set(ir::Place::Var(var, _), _) = system.ops[id].kind
        {
            let by = Some(id).filter(|by| !together.contains(by));
            last.insert(Place::Var(var), by);
        }
        last.extend(moment.changes.iter().filter_map(place).map(|at| (at, by)));
    }
    found.retain(|(writer, reader, _)| writer != reader);
    found
}

#[test]
fn what_a_statement_reads_of_another_is_in_the_graph_of_clauses() {
    let mut told = 0;
    for number in numbers("PASSING", 400) {
        let text = random(number);
        let program = compiled(&text).unwrap_or_else(|| panic!("in error: {text}"));
        if has_experiments(&program) {
            continue;
        }
        let (program, first) = with_clauses(program);
        let options = Options {
            limits: LIMITS,
            ..Options::default()
        };
        let results = explore::check(&program, &options, &mut |_| {});
        let system = lower(&program);
        let picture = drawn(&program, None, Kind::Clauses);
        let clause = |id: StmtId| Thing::Clause(ClauseIdx::from_index(first + id.index()));
        let feeds = |from: StmtId, to: StmtId, place: &Place| {
            picture.links.iter().any(|link| {
                let ends = [link.from, link.to].map(|at| picture.things[at]);
                let is_it = link.link == Link::Feeds && link.places.contains(place);
                is_it && ends == [clause(from), clause(to)]
            })
        };
        for run in runs(&program, &results) {
            for (from, to, place) in read(&program, &system, &run) {
                told += 1;
                let paths = [from, to].map(|id| program.stmts[id].path.clone());
                assert!(
                    feeds(from, to, &place),
                    "number {number}: {paths:?} {place:?}\n{text}"
                );
            }
        }
    }
    assert!(told > 100, "{told}");
}

#[test]
fn what_an_endless_run_goes_through_is_marked_and_nothing_else() {
    let (mut marked, mut grown) = (0, 0);
    for number in numbers("PASSING", 400) {
        let text = random(number);
        let program = compiled(&text).unwrap_or_else(|| panic!("in error: {text}"));
        if has_experiments(&program) {
            continue;
        }
        let options = Options {
            limits: LIMITS,
            ..Options::default()
        };
        let results = explore::check(&program, &options, &mut |_| {});
        let picture = drawn(&program, Some(&results), Kind::Triggers);
        let mut met = BTreeSet::new();
        for finding in &results.findings {
            let Some(witness @ Witness::Lasso { .. }) = &finding.witness else {
                grown += usize::from(matches!(finding.witness, Some(Witness::Growth { .. })));
                continue;
            };
            let moments = replay(&program, witness).unwrap().traces.remove(0).moments;
            let round = moments
                .iter()
                .skip_while(|one| one.what != Happening::CycleBegins);
            met.extend(round.filter_map(|moment| match &moment.what {
                Happening::Trigger(instance) => Some(Thing::Trigger(instance.trigger)),
                Happening::Announced(event, _) => Some(Thing::Event(*event)),
                _ => None,
            }));
        }
        for (at, thing) in picture.things.iter().enumerate() {
            if matches!(thing, Thing::Event(_) | Thing::Trigger(_)) {
                let is_marked = picture.cycle_at(at) == Cycle::Confirmed;
                assert_eq!(
                    is_marked,
                    met.contains(thing),
                    "number {number}: {thing:?}\n{text}"
                );
            }
        }
        let shown = met.iter().all(|thing| picture.things.contains(thing));
        assert!(shown, "number {number}: {met:?}\n{text}");
        marked += met.len();
    }
    assert!(marked > 3 && grown > 3, "{marked} {grown}");
}
