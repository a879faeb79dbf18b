//! Footprints hold on runs: what a step changes lies within what it can write, and what it cannot
//! read makes no difference to it.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use endstep::analysis::{Boards, Options};
use endstep::footprint::{Footprint, Place, cone, of_condition, of_step};
use endstep::index::Id;
use endstep::instance::{Cells, Layout, Machine, Outcome, Setting, Shape};
use endstep::ir::System;
use endstep::lower::lower;
use endstep::semantics::{ChoiceKind, Data, Frame, Note, State, Tag, Variant};
use endstep::typing::program::{
    FieldId, Program, SequenceId, SortId, StepId, Type, Value, VarId, ZoneId,
};

use super::engines::{compiled, random};

/// How many random specifications are looked at, unless `FOOTPRINTS` says which: `1000..2000`.
const SPECIFICATIONS: u64 = 150;
const BOARDS: usize = 6;
const WALKS: u64 = 3;
const LONGEST: usize = 150;

/// The largest boards of a program.
fn boards(program: &Program) -> Vec<Data> {
    let mut boards = Vec::new();
    let options = Options::default();
    let _ = Boards::new(program, &[], &options).each(&|_| None, &mut |_, board| {
        boards.push(board.clone());
        match boards.len() < 50 * BOARDS {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    });
    let skip = (boards.len() / BOARDS).max(1);
    boards.into_iter().rev().step_by(skip).collect()
}

struct Bench<'a> {
    program: &'a Program,
    system: &'a System,
    readings: Vec<u16>,
    footprints: Vec<Footprint>,
}

/// The states before and after a move, its notes, and what kind of choice it was.
type Look<'l> = dyn FnMut(&State, &State, &[Note], Option<ChoiceKind>) + 'l;

/// What one run did.
struct Played {
    tag: Option<Tag>,
    data: Data,
    choices: Vec<(ChoiceKind, usize)>,
}

impl Bench<'_> {
    /// Walks at random, and looks at each move with the steps that were running.
    fn walk(
        &self,
        board: &Data,
        (sequence, only): (SequenceId, Option<StepId>),
        seed: u64,
        look: &mut Look<'_>,
    ) -> Played {
        let variant = Variant::default();
        let layout = Layout::new(self.system, &Shape::new(self.system), board, 0);
        let setting = Setting {
            system: self.system,
            layout: &layout,
            readings: &self.readings,
            variant: &variant,
        };
        let mut machine = Machine::new(setting, Cells::of(self.system, &layout, board));
        machine.begin(sequence, &[], only.map(|step| (step, None)));
        let mut choices = Vec::new();
        let mut dice = seed;
        for _ in 0..LONGEST {
            let before = machine.state();
            machine.notes.clear();
            let mut asked = None;
            let tag = match machine.step() {
                Outcome::Step => None,
                Outcome::Choose(point) => {
                    dice = dice.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(99);
                    let at = usize::try_from(dice >> 40).unwrap() % point.keys.len();
                    choices.push((point.kind, point.keys.len()));
                    asked = Some(point.kind);
                    machine.take(&point, at);
                    None
                }
                Outcome::Done(tag) => Some(tag),
                Outcome::Consult(_) => panic!("all readings are fixed"),
            };
            look(&before, &machine.state(), &machine.notes, asked);
            if tag.is_some() {
                let data = machine.data();
                return Played { tag, data, choices };
            }
        }
        Played {
            tag: None,
            data: machine.data(),
            choices,
        }
    }
}

/// The steps that are running.
fn running(state: &State) -> BTreeSet<StepId> {
    let frames = state.control.iter().flat_map(|one| &one.frames);
    let steps = frames.filter_map(|frame| match frame {
        Frame::Step { step, .. } => Some(*step),
        _ => None,
    });
    steps.collect()
}

/// What differs between data.
fn changed(program: &Program, a: &Data, b: &Data) -> BTreeSet<Place> {
    let mut found = BTreeSet::new();
    for (at, (x, y)) in (0..).zip(a.vars.iter().zip(&b.vars)) {
        if x != y {
            found.insert(Place::Var(VarId(at)));
        }
    }
    for (at, (x, y)) in (0..).zip(a.queues.iter().zip(&b.queues)) {
        if x != y {
            found.insert(Place::Queue(endstep::typing::program::QueueId(at)));
        }
    }
    let keys: BTreeSet<_> = a.zones.keys().chain(b.zones.keys()).collect();
    for key in keys {
        if a.zones.get(key) != b.zones.get(key) {
            found.insert(Place::Zone(key.0));
        }
    }
    for at in 0..a.entities.len().max(b.entities.len()) {
        match (a.entities.get(at), b.entities.get(at)) {
            (Some(x), Some(y)) => {
                if x.removed != y.removed {
                    found.insert(Place::Sort(x.sort));
                }
                let fields = &program.sorts[x.sort].fields;
                for (&field, (x, y)) in fields.iter().zip(x.fields.iter().zip(&y.fields)) {
                    if x != y {
                        found.insert(Place::Field(field));
                    }
                }
            }
            (Some(one), None) | (None, Some(one)) => {
                found.insert(Place::Sort(one.sort));
            }
            (None, None) => {}
        }
    }
    found
}

fn each_bench(mut test: impl FnMut(&Bench<'_>, &[Data], u64)) {
    for seed in super::orders::numbers("FOOTPRINTS", SPECIFICATIONS) {
        let program = compiled(&random(seed)).unwrap();
        let system = lower(&program);
        let boards = boards(&program);
        let alternatives = system.readings.values().iter().map(|one| one.alternatives);
        let bench = Bench {
            program: &program,
            readings: alternatives
                .map(|n| u16::try_from(seed % u64::from(n)).unwrap())
                .collect(),
            footprints: system.steps.ids().map(|id| of_step(&system, id)).collect(),
            system: &system,
        };
        test(&bench, &boards, seed);
    }
}

#[test]
fn what_a_step_does_lies_within_its_footprint() {
    let (mut writes, mut questions, mut news) = (0, 0, 0);
    each_bench(|bench, boards, seed| {
        let sequences = bench.program.sequences.iter();
        let sequences = sequences.filter(|(_, one)| one.params.is_empty());
        for ((id, _), board) in sequences.flat_map(|one| boards.iter().map(move |b| (one, b))) {
            for walk in 0..WALKS {
                bench.walk(
                    board,
                    (id, None),
                    seed + 1000 * walk,
                    &mut |before, after, notes, asked| {
                        let places = changed(bench.program, &before.data, &after.data);
                        for step in running(before) {
                            let of = &bench.footprints[step.index()];
                            assert!(
                                places.is_subset(&of.writes),
                                "specification {seed}, step {}: {places:?} in {of:?}",
                                bench.system.steps[step].name
                            );
                            writes += places.len();
                            if let Some(kind) = asked {
                                questions += 1;
                                assert!(
                                    of.asks.contains(&kind),
                                    "specification {seed}: {kind:?} in {of:?}"
                                );
                            }
                            for note in notes {
                                if let Note::Announced(event, _) = note {
                                    news += 1;
                                    assert!(of.announces.contains(event), "specification {seed}");
                                }
                            }
                        }
                    },
                );
            }
        }
    });
    assert!(
        writes > 1000 && questions > 500 && news > 50,
        "{writes} {questions} {news}"
    );
}

/// Another value of the same type.
fn other(program: &Program, board: &Data, ty: Type, value: Value) -> Option<Value> {
    Some(match (ty, value) {
        (Type::Int, Value::Int(n)) => Value::Int(n + 1),
        (Type::Bool, Value::Bool(b)) => Value::Bool(!b),
        (Type::Enum(id), Value::Enum(n)) => {
            let count = program.enums[id].values.len();
            Value::Enum((n + 1) % u16::try_from(count).unwrap())
        }
        (Type::Optional(_), Value::Entity(_)) => Value::None,
        (Type::Entity(sort) | Type::Optional(sort), now) => board
            .members(sort)
            .map(Value::Entity)
            .find(|one| *one != now)?,
        _ => return None,
    })
}

/// The board, different in one place only.
fn shaken(program: &Program, board: &Data, place: Place) -> Option<Data> {
    let mut data = board.clone();
    match place {
        Place::Var(id) => {
            let value = board.vars[id.index()];
            data.vars[id.index()] = other(program, board, program.vars[id].ty, value)?;
        }
        Place::Field(id) => {
            let field = &program.fields[id];
            let at = board
                .entities
                .iter()
                .position(|one| one.sort == field.sort)?;
            let value = board.entities[at].fields[field.index as usize];
            let value = other(program, board, field.ty, value)?;
            data.entities[at].fields[field.index as usize] = value;
        }
        Place::Zone(id) => {
            let (_, zone) = data
                .zones
                .iter_mut()
                .find(|(key, list)| key.0 == id && list.len() > 1)?;
            zone.reverse();
        }
        Place::Sort(_) | Place::Queue(_) => return None,
    }
    Some(data)
}

#[test]
fn what_a_step_cannot_read_makes_no_difference_to_it() {
    let (mut compared, mut wrote) = (0, 0);
    each_bench(|bench, boards, seed| {
        let program = bench.program;
        let fields = (0..)
            .take(program.fields.len())
            .map(|at| Place::Field(FieldId(at)));
        let vars = (0..)
            .take(program.vars.len())
            .map(|at| Place::Var(VarId(at)));
        let zones = (0..)
            .take(program.zones.len())
            .map(|at| Place::Zone(ZoneId(at)));
        let places: Vec<Place> = fields.chain(vars).chain(zones).collect();
        for (step, of) in bench.system.steps.ids().zip(&bench.footprints) {
            let sequence = bench.system.steps[step].procedure;
            if bench.system.procedures[sequence].params > 0 {
                continue;
            }
            for (&place, board) in places
                .iter()
                .flat_map(|p| boards.iter().map(move |b| (p, b)))
            {
                if of.reads.contains(&place) {
                    continue;
                }
                let Some(shaken) = shaken(program, board, place) else {
                    continue;
                };
                let from = (sequence, Some(step));
                let first = bench.walk(board, from, seed, &mut |_, _, _, _| {});
                let second = bench.walk(&shaken, from, seed, &mut |_, _, _, _| {});
                let what = format!("specification {seed}, {place:?} in {of:?}");
                assert_eq!(first.tag, second.tag, "{what}");
                assert_eq!(first.choices, second.choices, "{what}");
                let written = changed(program, board, &first.data);
                let differ = changed(program, &first.data, &second.data);
                // That place alone, and it only where it was not written.
                assert!(differ.iter().all(|one| *one == place), "{what}: {differ:?}");
                if differ.contains(&place) && !of.writes.contains(&place) {
                    assert!(!written.contains(&place), "{what}");
                }
                compared += 1;
                wrote += usize::from(!written.is_empty());
            }
        }
    });
    assert!(compared > 1000 && wrote > 300, "{compared} {wrote}");
}

const CONES: &str = r#"
game "Cones"
entity Card, explore up to 2
  ready: boolean
  seen: boolean
  power: integer, explore 0 to 1, reach 0 to 9
var hurry: boolean
var late: boolean
var idle: boolean
var turns: integer, explore 0 to 1, reach 0 to 9
sequence play
  step rest
    if hurry
      set late to true
    for each c: Card where c.ready, in any order
      set c.seen to true
  step pass_on
    let was = hurry
    set idle to was
  step count
    increase turns by 1
define tired = late
legal fine: turns >= 0
"#;

#[test]
fn definitions_that_each_use_the_one_before_twice_are_gone_through_once() {
    // 2 to the power of 60 ways lead from the last to the first.
    let mut text = "game \"G\"\nvar n: integer, explore 0 to 1\ndefine d0 = n = 0\n".to_owned();
    for at in 1..60 {
        text.push_str(&format!("define d{at} = d{0} or d{0}\n", at - 1));
    }
    text.push_str("sequence play\n  step t\n    if d59\n      set n to 1\n");
    let program = compiled(&text).unwrap();
    let found = of_step(&lower(&program), StepId(0));
    assert_eq!(found.reads, BTreeSet::from([Place::Var(VarId(0))]));
}

#[test]
fn a_cone_holds_what_is_written_from_and_what_controls_it() {
    let program = compiled(CONES).unwrap();
    let system = lower(&program);
    let var = |name: &str| {
        let found = program.vars.iter().find(|(_, one)| one.name == name);
        Place::Var(found.unwrap().0)
    };
    let field = |name: &str| {
        let found = program.fields.iter().find(|(_, one)| one.name == name);
        Place::Field(found.unwrap().0)
    };
    let of = |places: &[Place]| {
        let wanted = places.iter().copied().collect();
        cone(&system, SequenceId(0), &wanted)
    };
    let set = |places: &[Place]| places.iter().copied().collect::<BTreeSet<_>>();
    // The turns could leave their reach, which ends every run.
    let turns = var("turns");
    assert_eq!(of(&[]), set(&[turns]));
    assert_eq!(of(&[var("late")]), set(&[turns, var("late"), var("hurry")]));
    assert_eq!(of(&[var("idle")]), set(&[turns, var("idle"), var("hurry")]));
    let cards = Place::Sort(SortId(0));
    let seen = [turns, field("seen"), field("ready"), cards];
    assert_eq!(of(&[field("seen")]), set(&seen));
    assert_eq!(of_condition(&system, &system.legal[0]).reads, set(&[turns]));
    let steps: Vec<Footprint> = system.steps.ids().map(|id| of_step(&system, id)).collect();
    assert_eq!(steps[0].conflicts(&steps[1]), None);
    assert_eq!(steps[0].conflicts(&steps[2]), None);
    assert_eq!(steps[0].writes, set(&[var("late"), field("seen")]));
    assert_eq!(steps[2].writes, set(&[turns]));
}
