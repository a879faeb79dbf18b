//! Any bytes: a specification of this repository, a board of it and a schedule. The sampled run is among
//! all runs of its board.
//!
//! libFuzzer is guided by what follows what in the specification (statements, triggers), besides what is
//! executed in this program: each such pair is one of its extra counters.

#![no_main]

#[path = "../../tests/it/sample/against.rs"]
mod against;
#[allow(dead_code)]
#[path = "../../tests/it/texts.rs"]
mod texts;

use std::sync::atomic::{AtomicU8, Ordering};

use endstep::analysis::{Job, Limits, jobs};
use endstep::explore::Explorer;
use endstep::sample::{Sampler, Scene, Wanted};
use endstep::typing::program::Program;
use libfuzzer_sys::fuzz_target;

/// Each specification, with what it includes: names of files and what stands in them.
static SPECIFICATIONS: &[&[(&str, &str)]] =
    include!(concat!(env!("OUT_DIR"), "/specifications.rs"));

/// Where `texts` would read files.
const ROOT: &str = "";

/// Boards with more states than that are run, and not compared.
const LIMITS: Limits = Limits {
    boards: 1,
    candidates: 1,
    states: 2_000,
    readings: 1,
    steps: 50_000,
};

const COUNTERS: usize = 1 << 16;

/// libFuzzer finds them by the name of their section.
#[used]
#[unsafe(link_section = "__libfuzzer_extra_counters")]
static FOLLOWED: [AtomicU8; COUNTERS] = [const { AtomicU8::new(0) }; COUNTERS];

/// A specification and what is the same for all its boards.
struct World {
    program: &'static Program,
    explorer: &'static Explorer,
    sampler: Sampler<'static>,
}

/// What is made once lasts as long as the process.
fn world(files: &[(&str, &str)]) -> World {
    let program = texts::Texts::of(files).compile();
    let program: &Program = match program {
        Ok(program) => Box::leak(Box::new(program)),
        Err(why) => panic!("{}: {why}", files[0].0),
    };
    let explorer: &Explorer = Box::leak(Box::new(Explorer::new(program)));
    let jobs: &[Job] = Box::leak(jobs(program, None).into_boxed_slice());
    World {
        program,
        explorer,
        sampler: Sampler::new((program, explorer.ground()), jobs, &Scene::default()),
    }
}

thread_local! {
    static WORLDS: std::cell::RefCell<Vec<World>> =
        std::cell::RefCell::new(SPECIFICATIONS.iter().map(|files| world(files)).collect());
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, input)) = bytes.split_first() else {
        return;
    };
    WORLDS.with_borrow_mut(|worlds| {
        let at = usize::from(first) % worlds.len();
        let World {
            program,
            explorer,
            sampler,
        } = &mut worlds[at];
        let Some(dealt) = sampler.deal(input) else {
            return;
        };
        if !sampler.is_legal(&dealt) {
            return;
        }
        let ran = sampler.run(&dealt, input, Wanted::default());
        for (statement, bit) in sampler.cover.edges() {
            let number = usize::from(statement) * 8
                + usize::from(bit)
                + at * (COUNTERS / SPECIFICATIONS.len());
            FOLLOWED[number % COUNTERS].store(1, Ordering::Relaxed);
        }
        let job = sampler.job_of(&dealt);
        let Ok(graph) = against::explored((program, explorer), job, (&dealt, LIMITS)) else {
            return;
        };
        let differs = against::contradicts(&ran, &graph, explorer);
        assert_eq!(differs, None, "{}", SPECIFICATIONS[at][0].0);
    });
});
