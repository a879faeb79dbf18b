//! Sampled runs: bytes are boards, and no run shows what the explorer says is not so.
//!
//! `SAMPLES=5000 cargo test --test it sample::random` compares as many random specifications.

mod against;
mod strategy;

use std::collections::BTreeSet;
use std::path::Path;

use endstep::analysis::{self, Engine, Ground, Limits, Options, jobs};
use endstep::explore::Explorer;
use endstep::sample::{Dice, Last, Sampler, Scene, Sign, Sizes, Wanted};
use endstep::semantics::{Interpreter, Tag};
use endstep::typing::program::{Program, SortId};
use endstep::verdict::fingerprint;

use super::engines::{compiled, random};
use against::{contradicts, explored};

/// How many random specifications are compared if nothing else is said.
const COUNT: u64 = 80;

pub fn gods() -> Program {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/gods-unchained.endstep");
    compiled(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Random bytes, some of which are entities.
pub fn random_input(sampler: &Sampler<'_>, dice: &mut Dice) -> Vec<u8> {
    let form = sampler.form(0);
    let records = dice.below(7);
    let mut input: Vec<u8> = (0..form.first_record).map(|_| dice.byte()).collect();
    for _ in 0..records {
        input.push(dice.byte().max(1));
        input.extend((1..form.record).map(|_| dice.byte()));
    }
    input.push(0);
    input.extend((0..dice.below(20)).map(|_| dice.byte()));
    input
}

#[test]
fn every_string_of_bytes_is_a_board() {
    let program = gods();
    let ground = Ground::new(&program);
    let jobs = jobs(&program, None);
    let mut sampler = Sampler::new((&program, &ground), &jobs, &Scene::default());
    let mut dice = Dice::new(7);
    let mut sizes = BTreeSet::new();
    for length in 0..400 {
        let input: Vec<u8> = (0..length).map(|_| dice.byte()).collect();
        let dealt = sampler.deal(&input).expect("there is a board");
        assert_eq!(dealt.data(&ground).entities.len(), dealt.entities());
        sizes.insert(dealt.entities());
        // The run is over, or given up, whatever the schedule.
        sampler.run(&dealt, &input, Wanted::default());
    }
    assert!(
        sizes.contains(&2) && sizes.iter().max() > Some(&5),
        "{sizes:?}"
    );
}

#[test]
fn fewer_bytes_are_smaller_boards() {
    let program = gods();
    let ground = Ground::new(&program);
    let jobs = jobs(&program, None);
    let mut sampler = Sampler::new((&program, &ground), &jobs, &Scene::default());
    let input = [vec![1; 200], vec![0]].concat();
    let all: Vec<usize> = (0..input.len())
        .map(|length| sampler.deal(&input[..length]).unwrap().entities())
        .collect();
    assert!(all.is_sorted(), "{all:?}");
}

#[test]
fn mended_boards_are_legal_and_as_large_as_asked_for() {
    let program = gods();
    let ground = Ground::new(&program);
    let jobs = jobs(&program, None);
    let sizes = Sizes {
        most: vec![(SortId(1), 6), (SortId(2), 4)],
        ..Sizes::default()
    };
    for all_legal in [false, true] {
        let scene = Scene {
            sizes: sizes.clone(),
            all_legal,
        };
        let mut sampler = Sampler::new((&program, &ground), &jobs, &scene);
        let mut dice = Dice::new(3);
        let (mut mended, mut largest) = (0, 0);
        for _ in 0..60 {
            let mut input = random_input(&sampler, &mut dice);
            let Some(dealt) = sampler.mend(&mut input, &mut dice) else {
                continue;
            };
            mended += 1;
            let data = dealt.data(&ground);
            largest = largest.max(data.entities.len());
            let readings = dealt.assignment();
            let job = sampler.job_of(&dealt);
            let it = Interpreter {
                program: &program,
                readings: &readings,
                variant: &job.variant,
            };
            let legal = |one: &endstep::typing::program::Expr| it.condition(one, &data, None);
            assert!(
                program
                    .legals
                    .iter()
                    .all(|one| legal(&one.condition) == Ok(true))
            );
            if !all_legal {
                assert_eq!(analysis::is_legal(it, job.only(&program), &data), Ok(true));
            }
        }
        assert!(
            mended > 30 && largest > 5,
            "{mended} boards, up to {largest}"
        );
    }
}

/// The code of the finding that a sign leads to, if a single run shows it.
fn shown_by(sign: &Sign) -> Option<&'static [&'static str]> {
    Some(match sign {
        Sign::Gap(_) => &["F0301", "F0302"],
        Sign::Conflict(_) | Sign::Competing(_) => &["F0303"],
        Sign::Range(..) => &["F0304"],
        Sign::Stuck(_) => &["F0604"],
        Sign::Ensures(..) => &["F0602"],
        Sign::Dropped(_) => &["F0701"],
        Sign::Legal(_) => &["F0601"],
        Sign::Contract(_) | Sign::Outside(..) => &["F0603"],
        _ => return None,
    })
}

#[test]
fn random_specifications_are_sampled_as_they_are_explored() {
    let count = std::env::var("SAMPLES").map_or(COUNT, |wanted| wanted.parse().unwrap());
    let limits = Limits {
        states: 500,
        steps: 20_000,
        readings: 8,
        ..Limits::default()
    };
    let (mut compared, mut loops, mut signs) = (0, 0, BTreeSet::new());
    for number in 0..count {
        let program = compiled(&random(number)).unwrap();
        let explorer = Explorer::new(&program);
        let jobs = jobs(&program, None);
        let scene = Scene::default();
        let mut sampler = Sampler::new((&program, explorer.ground()), &jobs, &scene);
        let mut dice = Dice::new(number);
        for _ in 0..12 {
            let mut input = random_input(&sampler, &mut dice);
            let Some(dealt) = sampler.mend(&mut input, &mut dice) else {
                continue;
            };
            let job = sampler.job_of(&dealt);
            let ran = sampler.run(&dealt, &input, Wanted::default());
            let Ok(graph) = explored((&program, &explorer), job, (&dealt, limits)) else {
                continue;
            };
            compared += 1;
            loops += usize::from(ran.last == Last::Again);
            let differs = contradicts(&ran, &graph, &explorer);
            assert_eq!(differs, None, "number {number}, {input:?}");
            let options = Options {
                limits,
                board: Some(dealt.data(explorer.ground())),
                guide: dealt.assignment(),
                faults_only: true,
                threads: 1,
                ..Options::default()
            };
            let close = analysis::closely((&program, &explorer), job, &options);
            if !close.complete {
                continue;
            }
            let codes: BTreeSet<&str> = close.findings.iter().map(|one| one.code.id()).collect();
            for sign in &ran.signs {
                let Some(expected) = shown_by(sign) else {
                    continue;
                };
                signs.insert(expected[0]);
                let found = expected.iter().any(|code| codes.contains(code));
                assert!(found, "number {number}: {sign:?}, and only {codes:?} found");
            }
        }
    }
    assert!(
        compared > count as usize / 2,
        "{compared} runs were compared"
    );
    assert!(loops > 3 && signs.len() > 3, "{loops} loops, {signs:?}");
}

#[test]
fn a_single_run_shows_no_more_than_all_runs_of_its_board() {
    let limits = Limits {
        states: 500,
        steps: 20_000,
        readings: 8,
        ..Limits::default()
    };
    let mut shown = 0;
    for number in 0..60 {
        let program = compiled(&random(number)).unwrap();
        let explorer = Explorer::new(&program);
        let jobs = jobs(&program, None);
        let mut sampler = Sampler::new((&program, explorer.ground()), &jobs, &Scene::default());
        let mut dice = Dice::new(number);
        for _ in 0..8 {
            let mut input = random_input(&sampler, &mut dice);
            let Some(dealt) = sampler.mend(&mut input, &mut dice) else {
                continue;
            };
            let job = sampler.job_of(&dealt);
            let schedule = input.get(dealt.schedule..).unwrap_or(&[]);
            let choices: Vec<usize> = schedule.iter().map(|&byte| byte.into()).collect();
            let options = Options {
                limits,
                board: Some(dealt.data(explorer.ground())),
                guide: dealt.assignment(),
                faults_only: true,
                threads: 1,
                ..Options::default()
            };
            let engine = (&program, &explorer as &dyn Engine);
            let close = analysis::closely(engine, job, &options);
            if !close.complete {
                continue;
            }
            let all: BTreeSet<String> = close
                .findings
                .iter()
                .map(|one| fingerprint(&program, one))
                .collect();
            let board = (&dealt.data(explorer.ground()), &dealt.assignment());
            let along = analysis::along(engine, job, board, (&choices, &options));
            for finding in &along.findings {
                shown += 1;
                let print = fingerprint(&program, finding);
                assert!(all.contains(&print), "number {number}: {}", finding.code);
            }
            let ran = sampler.run(&dealt, &input, Wanted::default());
            let again = along.unclassified.is_some();
            assert_eq!(again, ran.last == Last::Again, "number {number}");
        }
    }
    assert!(shown > 20, "{shown} findings");
}

#[test]
fn what_is_reduced_shows_the_same_on_a_smaller_board() {
    let path = "tests/corpus/passages/gods-unchained-restart.endstep";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let program = compiled(&std::fs::read_to_string(path).unwrap()).unwrap();
    let ground = Ground::new(&program);
    let jobs = jobs(&program, None);
    let mut sampler = Sampler::new((&program, &ground), &jobs, &Scene::default());
    let mut dice = Dice::new(5);
    let mut reduced = 0;
    for _ in 0..400 {
        let mut input = random_input(&sampler, &mut dice);
        if sampler.mend(&mut input, &mut dice).is_none() {
            continue;
        }
        let Some((dealt, ran)) = sampler.sample(&input) else {
            continue;
        };
        let Some(gap) = ran.signs.iter().find(|sign| matches!(sign, Sign::Gap(_))) else {
            continue;
        };
        if dealt.entities() < 5 {
            continue;
        }
        let asked = &mut |sampler: &mut Sampler<'_>, dealt: &_, input: &[u8]| {
            let ran = sampler.run(dealt, input, Wanted::default());
            ran.signs.contains(gap)
        };
        let small = sampler.reduce(&input, 2000, asked);
        let (less, again) = sampler.sample(&small).unwrap();
        assert!(again.signs.contains(gap));
        assert!(small.len() <= input.len());
        // Two players, and perhaps one creature that hurts a god when it dies.
        assert!(less.entities() <= 3, "{:?}", less.data(&ground));
        reduced += 1;
    }
    assert!(reduced > 5, "{reduced} runs ended in a gap");
}

#[test]
fn the_same_bytes_give_the_same_run() {
    let program = gods();
    let ground = Ground::new(&program);
    let jobs = jobs(&program, None);
    let ran = |seed: u64| -> Vec<(u32, Vec<Sign>, Option<Tag>)> {
        let mut sampler = Sampler::new((&program, &ground), &jobs, &Scene::default());
        let mut dice = Dice::new(seed);
        let mut all = Vec::new();
        for _ in 0..30 {
            let mut input = random_input(&sampler, &mut dice);
            sampler.mend(&mut input, &mut dice);
            if let Some((_, ran)) = sampler.sample(&input) {
                let tag = match ran.last {
                    Last::Ended(tag) => Some(tag),
                    Last::Again | Last::GivenUp => None,
                };
                all.push((ran.steps, ran.signs, tag));
            }
        }
        all
    };
    assert_eq!(ran(1), ran(1));
    assert_ne!(ran(1), ran(2));
}
