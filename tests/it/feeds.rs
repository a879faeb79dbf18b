//! Which places of the data feed which: conditions that decide on a write from far away, and all runs of random
//! specifications.
//!
//! `FEEDS=0..10000 cargo test --test it feeds` looks at the random specifications with these numbers.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::ops::ControlFlow;

use endstep::analysis::{Boards, Limits, Options, is_legal};
use endstep::depend::{Kind, Source, Thing, picture};
use endstep::footprint::{Place, name};
use endstep::index::Id;
use endstep::ir::System;
use endstep::lower::lower;
use endstep::semantics::{Data, Interpreter, Next, Readings, State, Tag, Variant};
use endstep::typing::program::{FieldId, Program, SequenceId, SortId, VarId, Verify};

use crate::engines::{compiled, random};
use crate::orders::numbers;

/// The arrows between places.
fn arrows(program: &Program, system: &System) -> BTreeSet<(Place, Place)> {
    let source = Source {
        program,
        system,
        results: None,
        sequence: None,
    };
    let picture = picture(source, Kind::Fields);
    let place = |at: usize| match picture.things[at] {
        Thing::Place(place) => place,
        other => panic!("{other:?} is no place"),
    };
    let links = picture.links.iter();
    links.map(|one| (place(one.from), place(one.to))).collect()
}

/// What feeds what in a text that these variables come before: `n -> k`.
fn feeds(text: &str) -> Vec<String> {
    let vars = ["n", "m", "j", "k", "l"];
    let vars = vars.map(|name| format!("var {name}: integer from 0 to 9, explore 0 to 1\n"));
    let text = format!(
        "game \"G\"\nplayer Player, explore 2\n{}{text}",
        vars.concat()
    );
    let program = compiled(&text).unwrap_or_else(|| panic!("in error: {text}"));
    let system = lower(&program);
    let arrows = arrows(&program, &system);
    let line = |(from, to)| format!("{} -> {}", name(&system, from), name(&system, to));
    let mut lines: Vec<String> = arrows.into_iter().map(line).collect();
    lines.sort();
    lines
}

const SUB: &str = "sequence sub\n  step x\n    set k to 5\n";

#[test]
fn what_decides_whether_a_sequence_is_performed_feeds_what_it_writes() {
    let text = format!("{SUB}sequence s\n  step c\n    if n > 5\n      perform sub\n");
    assert_eq!(feeds(&text), ["n -> k"]);
    // Through another one, and from several.
    let text = format!(
        "{SUB}sequence deeper\n  step y\n    perform sub\n    set l to 1\n\
         sequence s\n  step c\n    if n > 5\n      perform deeper\n    if m > 5\n      perform sub\n"
    );
    assert_eq!(feeds(&text), ["m -> k", "n -> k", "n -> l"]);
}

#[test]
fn what_is_handed_over_feeds_what_is_written_from_it() {
    let text = "sequence sub(a: integer, b: integer)\n  step x\n    set k to a\n    if b > 3\n      set l to 5\n\
                sequence s\n  step c\n    let z = n + 1\n    perform sub(z, m)\n";
    assert_eq!(feeds(text), ["m -> l", "n -> k"]);
}

#[test]
fn what_a_trigger_listens_for_feeds_what_it_writes() {
    let text = "event e(by: integer), at once\ntrigger one on e(by) where n > 5\n  set k to 5\n\
                trigger other on e(by) where by > 3\n  set l to by\n\
                sequence s\n  step c\n    if m > 5\n      announce e(j)\n";
    assert_eq!(
        feeds(text),
        ["j -> l", "m -> k", "m -> l", "n -> k"],
        "each by its own condition, and both by what decides whether it is announced"
    );
}

const QUEUE: &str = "queue q, first in first out\n";

#[test]
fn what_waits_feeds_what_is_written_when_it_is_resolved() {
    let text = format!(
        "{QUEUE}event e, in q\nevent f, at once\ntrigger one on e\n  set k to 5\n\
         trigger other on f where n > 5\n  announce e\n\
         sequence s\n  step c\n    announce f\n  step d\n    if m > 5\n      resolve q\n"
    );
    assert_eq!(feeds(&text), ["m -> k", "m -> q", "n -> q", "q -> k"]);
}

#[test]
fn what_decides_on_an_early_end_feeds_what_would_come_after() {
    let text = "sequence s\n  step b\n    set m to 1\n  step c\n    if n > 5\n      leave s\n    if j = 1\n      declare end\n  \
                step d\n    set k to 5\n";
    assert_eq!(feeds(text), ["j -> k", "n -> k"]);
    // A gap is no end that the document knows; the legend says that gaps are left out.
    let gap =
        "sequence s\n  step c\n    if n > 5\n      gap open \"nothing is said\"\n    set k to 5\n";
    assert!(feeds(gap).is_empty());
}

#[test]
fn what_is_left_goes_on_around_it() {
    let text = "sequence sub\n  step x\n    if n > 5\n      leave sub\n    set k to 5\n\
                sequence s\n  step c\n    if m > 5\n      perform sub\n    set l to 5\n";
    assert_eq!(feeds(text), ["m -> k", "n -> k"]);
    let out = text.replace("leave sub", "leave s");
    assert_eq!(feeds(&out), ["m -> k", "m -> l", "n -> k", "n -> l"]);
}

#[test]
fn one_caller_does_not_decide_how_another_goes_on() {
    let text = "sequence sub\n  step x\n    if n > 5\n      declare end\n\
                sequence s\n  step c\n    if m > 5\n      perform sub\n    set k to 5\n\
                sequence t\n  step c\n    if j > 5\n      perform sub\n    set l to 5\n";
    assert_eq!(feeds(text), ["j -> l", "m -> k", "n -> k", "n -> l"]);
}

#[test]
fn a_reaction_that_ends_the_rest_keeps_others_from_coming() {
    let text = "event e, at once\ntrigger one on e\n  set l to 5\n  if n > 5\n    leave s\n\
                trigger other on e\n  set k to 5\n\
                sequence s\n  step c\n    announce e\n  step d\n    set j to 1\n";
    assert_eq!(feeds(text), ["n -> j", "n -> k"]);
}

#[test]
fn what_comes_again_is_decided_on_by_all_that_ends_it() {
    let text = "sequence s\n  step c\n    for each p: Player\n      set k to 5\n      if n > 5\n        leave s\n";
    assert_eq!(feeds(text), ["each Player -> k", "n -> k"]);
    let restart = "sequence s\n  restart when n > 5\n    cancel at end of step\n    unfinished lost\n  \
                   step c\n    set k to 5\n";
    assert_eq!(feeds(restart), ["n -> k"]);
    let over =
        "sequence s, over each p: Player where n > 5, nest steps\n  step c\n    set k to 5\n";
    assert_eq!(feeds(over), ["each Player -> k", "n -> k"]);
}

/// What is the same on two boards but for one place, which is named.
fn differing(one: &Data, other: &Data, program: &Program) -> Option<Place> {
    let mut places = BTreeSet::new();
    let mut number = 0;
    for (at, (a, b)) in one.vars.iter().zip(&other.vars).enumerate() {
        if a != b {
            number += 1;
            places.insert(Place::Var(VarId::from_index(at)));
        }
    }
    for (a, b) in one.entities.iter().zip(&other.entities) {
        for (at, (x, y)) in a.fields.iter().zip(&b.fields).enumerate() {
            if x != y {
                number += 1;
                places.insert(Place::Field(field(program, a.sort, at)));
            }
        }
    }
    let sorts = |data: &Data| -> Vec<SortId> { data.entities.iter().map(|one| one.sort).collect() };
    let same = sorts(one) == sorts(other) && one.zones == other.zones && one.queues == other.queues;
    places.pop_first().filter(|_| same && number == 1)
}

fn field(program: &Program, sort: SortId, at: usize) -> FieldId {
    program.sorts[sort].fields[at]
}

/// What is in each place at the end of a run.
fn found(program: &Program, data: &Data) -> BTreeMap<Place, String> {
    let mut found: BTreeMap<Place, String> = BTreeMap::new();
    for (at, value) in data.vars.iter().enumerate() {
        let _ = write!(
            found.entry(Place::Var(VarId::from_index(at))).or_default(),
            "{value:?}"
        );
    }
    for entity in &data.entities {
        for (at, value) in entity.fields.iter().enumerate() {
            let place = Place::Field(field(program, entity.sort, at));
            let _ = write!(found.entry(place).or_default(), "{value:?},");
        }
        let place = Place::Sort(entity.sort);
        let _ = write!(found.entry(place).or_default(), "{},", entity.removed);
    }
    for (key, inside) in &data.zones {
        let _ = write!(
            found.entry(Place::Zone(key.0)).or_default(),
            "{key:?}{inside:?}"
        );
    }
    for (id, inside) in program.queues.ids().zip(&data.queues) {
        found.insert(Place::Queue(id), format!("{inside:?}"));
    }
    found
}

/// What can be in each place when a run has ended.
type Ends = BTreeMap<Place, BTreeSet<String>>;

/// All runs from a board.
struct Runs<'a> {
    it: Interpreter<'a>,
    ends: Ends,
    /// The states met, and whether all that follows was visited.
    seen: HashMap<State, bool>,
}

impl Runs<'_> {
    /// Visits what follows; nothing if some run stops at a gap or a bound, goes on for ever, makes something, or
    /// there are too many.
    fn visit(&mut self, state: State) -> Option<()> {
        match self.seen.insert(state.clone(), false) {
            None => {}
            Some(true) => {
                self.seen.insert(state, true);
                return Some(());
            }
            Some(false) => return None,
        }
        if self.seen.len() > 1_000 {
            return None;
        }
        match self.it.next(state.clone()) {
            Next::Consult(_) => return None,
            Next::Done(ended, _) => {
                let made = ended.data.entities.iter().any(|one| one.created);
                if made || !matches!(ended.tag, Tag::End | Tag::Win(_) | Tag::Loss(_) | Tag::Draw) {
                    return None;
                }
                for (place, value) in found(self.it.program, &ended.data) {
                    self.ends.entry(place).or_default().insert(value);
                }
            }
            Next::Step(next, _) => self.visit(next)?,
            Next::Choose(point) => {
                for one in point.alternatives {
                    self.visit(one.state)?;
                }
            }
        }
        self.seen.insert(state, true);
        Some(())
    }
}

fn ends(it: Interpreter<'_>, sequence: SequenceId, board: &Data) -> Option<Ends> {
    let mut runs = Runs {
        it,
        ends: Ends::new(),
        seen: HashMap::new(),
    };
    runs.visit(it.start(sequence, &[], board.clone()))?;
    Some(runs.ends)
}

/// Where arrows lead from a place.
fn reached(arrows: &BTreeSet<(Place, Place)>, from: Place) -> BTreeSet<Place> {
    let mut reached = BTreeSet::from([from]);
    loop {
        let next = arrows
            .iter()
            .filter(|(one, other)| reached.contains(one) && !reached.contains(other));
        let Some(&(_, next)) = next.min() else {
            return reached;
        };
        reached.insert(next);
    }
}

/// The legal boards of a program from which all runs end as they should, with what they come to.
fn boards(it: Interpreter<'_>, verify: &Verify) -> Vec<(Data, Ends)> {
    let mut boards = Vec::new();
    let options = Options {
        limits: Limits {
            candidates: 2_000,
            ..Limits::default()
        },
        ..Options::default()
    };
    let all = Boards::new(it.program, &verify.sizes, &options);
    let _ = all.each(&|_| None, &mut |_, board| {
        if matches!(is_legal(it, None, board), Ok(true))
            && let Some(ends) = ends(it, verify.sequence, board)
        {
            boards.push((board.clone(), ends));
        }
        match boards.len() < 100 {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    });
    boards
}

/// Of a specification, on how many pairs of boards that differ in one place something else comes out differently;
/// an error where no arrow leads there.
fn looked_at(program: &Program) -> Result<u64, String> {
    let system = lower(program);
    let arrows = arrows(program, &system);
    let mut told = 0;
    for last in [false, true] {
        let fixed = program.readings.iter().map(|(id, one)| {
            let at = if last { one.alternatives.len() - 1 } else { 0 };
            (id, u16::try_from(at).unwrap())
        });
        let readings: Readings = fixed.collect();
        let variant = Variant::default();
        let it = Interpreter {
            program,
            readings: &readings,
            variant: &variant,
        };
        let boards = program.verifies.iter().map(|verify| boards(it, verify));
        for boards in boards {
            for (at, one) in boards.iter().enumerate() {
                for other in &boards[at + 1..] {
                    told += compared((program, &system), &arrows, (one, other))?;
                }
            }
        }
    }
    Ok(told)
}

/// In how many places two boards that differ in another one come out differently.
fn compared(
    (program, system): (&Program, &System),
    arrows: &BTreeSet<(Place, Place)>,
    (one, other): (&(Data, Ends), &(Data, Ends)),
) -> Result<u64, String> {
    let Some(from) = differing(&one.0, &other.0, program) else {
        return Ok(0);
    };
    let reached = reached(arrows, from);
    let differs = |place: &&Place| other.1.get(place) != one.1.get(place) && **place != from;
    let places: Vec<&Place> = one.1.keys().filter(differs).collect();
    match places.iter().find(|place| !reached.contains(place)) {
        None => Ok(places.len() as u64),
        Some(&&to) => {
            let [from, to] = [from, to].map(|one| name(system, one));
            Err(format!(
                "{from} decides on {to}\n{:?}\n{:?}",
                one.0, other.0
            ))
        }
    }
}

#[test]
fn what_comes_out_differently_is_fed_by_what_is_different() {
    let mut untrue = String::new();
    let mut told = 0;
    for number in numbers("FEEDS", 600) {
        let text = random(number);
        let program = compiled(&text).unwrap_or_else(|| panic!("in error: {text}"));
        match looked_at(&program) {
            Ok(more) => told += more,
            Err(why) => {
                let _ = writeln!(untrue, "number {number}\n{text}\n{why}\n");
            }
        }
    }
    assert!(untrue.is_empty(), "{untrue}");
    assert!(told > 1_000, "{told}");
}
