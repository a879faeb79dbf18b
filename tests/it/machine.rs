//! The packed machine takes exactly the steps of the reference interpreter: the same successors,
//! notes, choice points and ends, on random specifications and on the corpus.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::path::Path;

use endstep::analysis::{Boards, Options};
use endstep::instance::{Cells, Layout, Machine, Outcome, Packed, Setting, Shape};
use endstep::ir::System;
use endstep::lower::lower;
use endstep::semantics::{Data, Interpreter, Next, Readings, State, Variant};
use endstep::typing::program::{Program, SequenceId};

use super::engines::{compiled, random};

/// Random specifications that are compared; `MACHINE=n` takes another number of them.
const COUNT: u64 = 150;

const EFFORT: Effort = Effort {
    boards: 4,
    states: 200,
    assignments: 6,
};

#[test]
fn the_machine_steps_as_the_interpreter_does_on_random_specifications() {
    let wanted = std::env::var("MACHINE").ok();
    let count = wanted.and_then(|text| text.parse().ok()).unwrap_or(COUNT);
    let mut compared = Compared::default();
    for seed in 0..count {
        let program = compiled(&random(seed)).unwrap();
        compare(&program, EFFORT, &mut compared);
    }
    assert!(compared.steps > 50 * count, "{compared:?}");
    assert!(compared.choices > 5 * count, "{compared:?}");
    assert!(compared.ends > 5 * count, "{compared:?}");
}

#[test]
fn the_machine_steps_as_the_interpreter_does_on_the_corpus() {
    let mut compared = Compared::default();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut all = Vec::new();
    super::corpus::files(&root, &mut all);
    for path in all {
        let text = std::fs::read_to_string(path).unwrap();
        if let Some(program) = compiled(&text) {
            compare(&program, EFFORT, &mut compared);
        }
    }
    assert!(compared.ends > 100, "{compared:?}");
}

/// How much is compared.
#[derive(Clone, Copy)]
pub struct Effort {
    pub boards: usize,
    pub states: usize,
    pub assignments: usize,
}

/// What was compared.
#[derive(Debug, Default)]
pub struct Compared {
    pub steps: u64,
    pub choices: u64,
    pub ends: u64,
    pub bytes: u64,
}

/// Compares both on the first boards of every sequence without parameters.
pub fn compare(program: &Program, effort: Effort, compared: &mut Compared) {
    let system = lower(program);
    assert_eq!(endstep::ir::fault(&system), None);
    let mut boards: Vec<Data> = Vec::new();
    let options = Options::default();
    let _ = Boards::new(program, &[], &options).each(&|_| None, &mut |_, board| {
        boards.push(board.clone());
        if boards.len() < effort.boards * 50 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    for board in program.boards.values() {
        boards.insert(0, Data::from_board(program, board).0);
    }
    // The last ones are the largest.
    let skip = (boards.len() / effort.boards).max(1);
    let boards: Vec<Data> = boards.into_iter().rev().step_by(skip).collect();
    let sequences = program.sequences.iter();
    let sequences = sequences.filter(|(_, one)| one.params.is_empty());
    let free = program.stmts.iter().filter(|(_, stmt)| {
        matches!(
            stmt.kind,
            endstep::typing::program::StmtKind::ForEach { .. }
        )
    });
    let freed = Variant {
        free: free.map(|(id, _)| id).collect(),
        skip: program.steps.ids().next(),
        extra: 1,
        ..Variant::default()
    };
    let contracts = Variant {
        contracts: program
            .sequences
            .iter()
            .filter(|(_, one)| one.contract.is_some())
            .map(|(id, _)| id)
            .collect(),
        ..Variant::default()
    };
    for (sequence, _) in sequences {
        for board in &boards {
            for variant in [&Variant::default(), &freed, &contracts] {
                let run = Run {
                    program,
                    system: &system,
                    sequence,
                    board,
                    variant,
                    effort,
                };
                run.all(compared);
            }
        }
    }
}

struct Run<'a> {
    program: &'a Program,
    system: &'a System,
    sequence: SequenceId,
    board: &'a Data,
    variant: &'a Variant,
    effort: Effort,
}

impl Run<'_> {
    /// Under every assignment of the readings that are consulted.
    fn all(&self, compared: &mut Compared) {
        let mut todo = vec![Readings::new()];
        let mut done = 0;
        while let Some(readings) = todo.pop() {
            done += 1;
            if done > self.effort.assignments {
                return;
            }
            if let Some(reading) = self.under(&readings, compared) {
                let count = self.program.readings[reading].alternatives.len();
                for at in 0..count {
                    let mut more = readings.clone();
                    more.insert(reading, u16::try_from(at).unwrap());
                    todo.push(more);
                }
            }
        }
    }

    #[allow(
        clippy::too_many_lines,
        reason = "what is compared, one after the other"
    )]
    fn under(
        &self,
        readings: &Readings,
        compared: &mut Compared,
    ) -> Option<endstep::typing::program::ReadingId> {
        let it = Interpreter {
            program: self.program,
            readings,
            variant: self.variant,
        };
        let fixed: Vec<u16> = self
            .program
            .readings
            .ids()
            .map(|id| readings.get(&id).copied().unwrap_or(u16::MAX))
            .collect();
        let layout = Layout::new(
            self.system,
            &Shape::new(self.system),
            self.board,
            self.variant.extra,
        );
        let setting = Setting {
            system: self.system,
            layout: &layout,
            readings: &fixed,
            variant: self.variant,
        };
        let words = Cells::of(self.system, &layout, self.board);
        let mut machine = Machine::new(setting, words.clone());
        assert_eq!(&machine.data(), self.board);
        machine.begin(self.sequence, &[], None);
        let start = it.start(self.sequence, &[], self.board.clone());
        assert_eq!(machine.state(), start);
        let mut seen: HashMap<Packed, State> = HashMap::new();
        let mut known: BTreeSet<State> = BTreeSet::new();
        let mut hashes: HashMap<u64, Packed> = HashMap::new();
        let mut todo = Vec::new();
        let (mut bytes, mut own) = (Packed::default(), Vec::new());
        machine.pack(&mut bytes);
        todo.push((bytes.clone(), start, machine.hash(&mut own)));
        let mut other = Machine::new(setting, words.clone());
        while let Some((packed, state, hash)) = todo.pop() {
            if seen.len() >= self.effort.states {
                return None;
            }
            if let Some(before) = seen.get(&packed) {
                assert_eq!(before, &state, "two states have the same bytes");
                continue;
            }
            assert!(
                known.insert(state.clone()),
                "a state has two packings: {state:?}"
            );
            seen.insert(packed.clone(), state.clone());
            compared.bytes += (packed.data.len() + packed.control.len()) as u64;
            machine.unpack(&words, &packed.data, &packed.control);
            assert_eq!(machine.state(), state, "packing loses something");
            assert_eq!(machine.hash(&mut own), hash, "a state has two hashes");
            let alike = hashes.insert(hash, packed);
            assert_eq!(alike, None, "two states have the same hash");
            match (it.next(state), machine.step()) {
                (Next::Step(after, notes), Outcome::Step) => {
                    compared.steps += 1;
                    assert_eq!(machine.notes, notes);
                    assert_eq!(machine.state(), after);
                    machine.pack(&mut bytes);
                    todo.push((bytes.clone(), after, machine.hash(&mut own)));
                }
                (Next::Choose(expected), Outcome::Choose(point)) => {
                    compared.choices += 1;
                    assert_eq!(
                        (point.kind, point.who, point.site, point.level),
                        (expected.kind, expected.who, expected.site, expected.level)
                    );
                    let keys: Vec<_> = expected.alternatives.iter().map(|one| &one.key).collect();
                    assert_eq!(point.keys.iter().collect::<Vec<_>>(), keys);
                    for (at, alternative) in expected.alternatives.into_iter().enumerate() {
                        other.copy_from(&machine);
                        other.take(&point, at);
                        assert_eq!(other.notes, alternative.notes);
                        assert_eq!(other.state(), alternative.state);
                        other.pack(&mut bytes);
                        todo.push((bytes.clone(), alternative.state, other.hash(&mut own)));
                    }
                }
                (Next::Done(ended, notes), Outcome::Done(tag)) => {
                    compared.ends += 1;
                    assert_eq!(tag, ended.tag);
                    assert_eq!(machine.notes, notes);
                    assert_eq!(machine.data(), *ended.data);
                }
                (Next::Consult(expected), Outcome::Consult(reading)) => {
                    assert_eq!(reading, expected);
                    return Some(reading);
                }
                (expected, met) => panic!("the interpreter: {expected:?}, the machine: {met:?}"),
            }
        }
        None
    }
}
