//! How many runs are sampled in a second: the end of a turn in Gods Unchained with six creatures.
//!
//! `cargo bench --bench sample` runs it, on one thread. A sample is everything from bytes on: the
//! board is dealt, its legality looked at, the run followed to its end or its circle.
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot go on fails")]
#![allow(clippy::print_stderr, reason = "lengths are no measure of time")]
#![allow(missing_docs, reason = "the macros of criterion make a function")]

use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use endstep::analysis::{Ground, Job, jobs};
use endstep::driver::{Reader, compile};
use endstep::sample::{Decoded, Dice, Sampler, Scene, Sizes, Wanted};
use endstep::semantics::Entity;
use endstep::source::SourceMap;
use endstep::typing::program::{Program, SortId, Value};

/// The allocator of the program, so that what is timed is what users get.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const CARD: SortId = SortId(1);
const EFFECT: SortId = SortId(2);

struct Alone;

impl Reader for Alone {
    fn read(&mut self, path: &str, _: &str) -> Result<(String, Vec<u8>), String> {
        Err(format!("{path} is not included"))
    }
}

fn program() -> Program {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/gods-unchained.endstep");
    let mut sources = SourceMap::new();
    let root = sources
        .load("bench", &std::fs::read(path).unwrap())
        .unwrap();
    compile(root, &mut sources, &mut Alone).program.unwrap()
}

/// Inputs of legal boards with six creatures.
fn boards_of_six(sampler: &mut Sampler<'_>) -> Vec<Vec<u8>> {
    let mut dice = Dice::new(1);
    let mut found = Vec::new();
    while found.len() < 256 {
        let form = sampler.form(0);
        let (first, record) = (form.first_record, form.record);
        let mut input: Vec<u8> = (0..first + 10 * record).map(|_| dice.byte() | 1).collect();
        input.push(0);
        input.extend((0..32).map(|_| dice.byte()));
        let Some(dealt) = sampler.mend(&mut input, &mut dice) else {
            continue;
        };
        let data = dealt.data(sampler.ground());
        let is_creature = |one: &&Entity| one.sort == CARD && one.fields[0] == Value::Enum(0);
        if data.entities.iter().filter(is_creature).count() == 6 {
            found.push(input);
        }
    }
    found
}

/// How long this process was on a processor, in nanoseconds, where the system tells: on a machine that
/// does other things as well, that is what one core has done.
fn on_processor() -> Option<u64> {
    let told = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    told.split_whitespace().next()?.parse().ok()
}

/// Runs in a second of one core.
fn rate(runs: u64, mut sample: impl FnMut()) -> u64 {
    let before = on_processor().unwrap_or(0);
    (0..20).for_each(|_| sample());
    let spent = on_processor().unwrap_or(0) - before;
    20 * runs * 1_000_000_000 / spent.max(1)
}

fn sampling(c: &mut Criterion) {
    let program = program();
    let ground = Ground::new(&program);
    let jobs = jobs(&program, None);
    let mut group = c.benchmark_group("sample");
    for (name, effects) in [("end_of_turn", 0), ("end_of_turn", 4), ("cleanup", 0)] {
        let is_it = |job: &&Job| program.sequences[job.sequence].name == name;
        let job = [jobs.iter().find(is_it).unwrap().clone()];
        let scene = Scene {
            sizes: Sizes {
                most: vec![(CARD, 6), (EFFECT, effects)],
                ..Sizes::default()
            },
            all_legal: true,
        };
        let mut sampler = Sampler::new((&program, &ground), &job, &scene);
        let inputs = boards_of_six(&mut sampler);
        let steps = |input: &Vec<u8>| sampler.sample(input).unwrap().1.steps;
        let steps: u32 = inputs.iter().map(steps).sum();
        let count = inputs.len() as u64;
        eprintln!(
            "{name}, {effects} effects: {} steps a run",
            u64::from(steps) / count
        );
        let each = rate(count, || {
            for input in &inputs {
                black_box(sampler.sample(input).unwrap());
            }
        });
        eprintln!("{name}, {effects} effects: {each} runs in a second of one core");
        group.throughput(Throughput::Elements(count));
        let title = format!("{name}, 6 creatures, up to {effects} effects");
        group.bench_function(&title, |b| {
            b.iter(|| {
                inputs.iter().for_each(|input| {
                    black_box(sampler.sample(input).unwrap());
                })
            });
        });
        let dealt: Vec<Decoded> = inputs
            .iter()
            .map(|one| sampler.deal(one).unwrap())
            .collect();
        let each = rate(count, || {
            for (dealt, input) in dealt.iter().zip(&inputs) {
                black_box(sampler.run(dealt, input, Wanted::default()));
            }
        });
        eprintln!("{name}, {effects} effects, dealt before: {each} runs in a second of one core");
        group.bench_function(format!("{title}, dealt before"), |b| {
            b.iter(|| {
                for (dealt, input) in dealt.iter().zip(&inputs) {
                    black_box(sampler.run(dealt, input, Wanted::default()));
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, sampling);
criterion_main!(benches);
