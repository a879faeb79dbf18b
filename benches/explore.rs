//! How fast specifications are read, and how fast and how small state spaces are stored.
//!
//! `cargo bench --bench explore` runs it, on one thread. Rates are transitions for each second;
//! what memory each state takes is printed before.
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot go on fails")]
#![allow(clippy::print_stderr, reason = "memory is no measure of time")]
#![allow(missing_docs, reason = "the macros of criterion make a function")]

use std::path::Path;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use endstep::analysis::{Options, Progress};
use endstep::driver::{Reader, Starts, compile};
use endstep::exhaust;
use endstep::explore::{self, Explorer, Quest, Space, space};
use endstep::lower::lower;
use endstep::order::questions;
use endstep::prove::prove;
use endstep::semantics::{Data, Readings, Variant};
use endstep::source::SourceMap;
use endstep::typing::program::Program;
use endstep::verdict::{Outcome, Results};

struct Alone;

impl Reader for Alone {
    fn read(&mut self, path: &str, _: &str) -> Result<(String, Vec<u8>), String> {
        Err(format!("{path} is not included by any of these"))
    }
}

fn program(text: &[u8]) -> Program {
    let mut sources = SourceMap::new();
    let root = sources.load("bench", text).unwrap();
    compile(root, &mut sources, &mut Alone).program.unwrap()
}

fn read(path: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

fn reading(c: &mut Criterion) {
    let text = read("specs/gods-unchained.endstep");
    let mut group = c.benchmark_group("gods-unchained");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("parse and check", |b| b.iter(|| program(&text)));
    let program = program(&text);
    group.bench_function("lower", |b| b.iter(|| lower(&program)));
    group.finish();
}

fn explored(explorer: &Explorer, program: &Program, board: &Data) -> Space {
    let quest = Quest {
        sequence: program.verifies[0].sequence,
        board,
        readings: &Readings::new(),
        variant: &Variant::default(),
        states: usize::MAX,
        points: false,
    };
    space(explorer.ground(), quest).unwrap()
}

fn exploring(c: &mut Criterion) {
    let cases = [
        ("cards", "cards_4"),
        ("cards", "cards_8"),
        ("cards", "cards_12"),
        ("cards", "cards_16"),
        ("kanban", "three"),
        ("counters_5", "1"),
        ("counters_7", "1"),
    ];
    let mut group = c.benchmark_group("explore");
    group.sample_size(10);
    for (name, board) in cases {
        let program = program(&read(&format!("tests/classics/{name}.endstep")));
        let explorer = Explorer::new(&program);
        let readings = Readings::new();
        let starts = Starts::new(&program, &readings, program.verifies[0].sequence);
        let (data, _) = starts.called(board).unwrap();
        let space = explored(&explorer, &program, &data);
        let each = space.memory.div_ceil(space.states);
        let (states, transitions) = (space.states, space.transitions);
        eprintln!("{name} {board}: {states} states of {each} bytes, {transitions} transitions");
        group.throughput(Throughput::Elements(transitions));
        group.bench_function(format!("{name} {board}"), |b| {
            b.iter(|| explored(&explorer, &program, &data));
        });
    }
    group.finish();
}

/// An order claim: proved for any number of cards, and tried on every board with up to so many.
fn proving(c: &mut Criterion) {
    let text = |cards: u32| {
        format!(
            "game \"g\"\nentity Card, explore up to {cards}\n  health: integer, explore 0 to 1, reach -99 to 99\n  \
             guest: optional Card\nzone board of Card\nsequence cleanup\n  step go\n    \
             for each c in board, in any order\n      if c.guest is not none\n        \
             decrease c.guest.health by 1\nverify cleanup\n"
        )
    };
    let mut group = c.benchmark_group("order of cards");
    group.sample_size(10);
    for cards in [1, 2, 3] {
        let program = program(text(cards).as_bytes());
        let system = lower(&program);
        let asked = questions((&program, &system), None);
        let proofs = prove(&system, &asked);
        assert!(matches!(proofs[0].outcome, Outcome::Proved(_)));
        group.bench_function(format!("any number, said of {cards}: proved"), |b| {
            b.iter(|| prove(&system, &asked));
        });
        for (name, check) in [
            ("explored", explore::check as Check),
            ("enumerated", exhaust::check),
        ] {
            group.bench_function(format!("up to {cards}: {name}"), |b| {
                b.iter(|| check(&program, &Options::default(), &mut |_| {}));
            });
        }
    }
    group.finish();
}

type Check = fn(&Program, &Options, &mut dyn FnMut(&Progress)) -> Results;

criterion_group!(benches, reading, exploring, proving);
criterion_main!(benches);
