//! Looks for boards and schedules whose runs go where no others do.

use std::collections::BTreeSet;

use super::terms::Terms;
use crate::driver::campaign::mutate::{fresh, mutated};
use crate::driver::{At, Walk};
use endstep_engines::sample::{Chosen, Dice, Sampler, Seen, Wanted};
use endstep_language::typing::program::{Program, ReadingId, StmtId};
use endstep_semantics::semantics::{Data, Interpreter, Key, Names, Readings, Variant};
use endstep_semantics::witness::{Run, RunEnd};
use endstep_verdicts::analysis::{self, Ground, Job};

/// So many schedules are tried on a board.
const SCHEDULES: usize = 4;

/// The longest schedule that is tried.
const LONGEST_SCHEDULE: usize = 24;

/// So many questions are asked to make an input smaller.
const QUESTIONS: usize = 300;

/// After so many inputs in a row that come to no legal board nothing more is tried.
const MOST_BARREN: u64 = 5000;

/// One whose legality could not be evaluated within the limits counts for so many.
const COSTLY: u64 = 50;

/// So many of the runs that go where others did are taken all the same, one of these: what ends a run
/// early, or goes on with nothing, is no new place.
const ONE_OF: u64 = 40;

/// So many of these at most, however many runs there are.
const MOST_BESIDE: usize = 5000;

const WANTED: Wanted = Wanted {
    data: false,
    choices: true,
    whole: false,
};

/// A run that was sampled.
#[derive(Debug)]
pub struct Sampled {
    /// For which job, by position.
    pub job: usize,
    /// The run, with the readings that it depends on.
    pub run: Run,
    /// How all readings were fixed.
    pub assignment: Readings,
}

impl Sampled {
    /// How large the board is, and how much is chosen.
    fn size(&self) -> (usize, usize) {
        (self.run.board.entities.len(), self.run.choices.len())
    }
}

/// Runs of the interpreter, each of which went where none before it did; those of small boards first.
pub fn runs(program: &Program, ground: &Ground, jobs: &[Job], terms: &Terms) -> Vec<Sampled> {
    let mut sampler = Sampler::new((program, ground), jobs, &terms.scene);
    let inputs = inputs(&mut sampler, terms);
    let mut found: Vec<Sampled> = Vec::new();
    for input in inputs {
        let Some(dealt) = sampler.deal(&input) else {
            continue;
        };
        let ran = sampler.run(&dealt, &input, WANTED);
        let keys = ran
            .chosen
            .into_iter()
            .map(|mut one| one.keys.swap_remove(one.taken));
        let keys: Vec<Key> = keys.collect();
        let board = dealt.data(ground);
        let names = Names::numbered(program, &board);
        let sequence = jobs[dealt.job].sequence;
        let walk = Walk::new(program, sequence, (board, names), Readings::new());
        let assignment = dealt.assignment();
        found.extend(walked(walk, &assignment, keys).map(|run| Sampled {
            job: dealt.job,
            run,
            assignment,
        }));
    }
    found.sort_by_key(Sampled::size);
    let fixed = terms.fixed();
    let otherwise = read_otherwise(program, jobs, (&found, &fixed));
    found.extend(otherwise);
    found.sort_by_key(Sampled::size);
    found
}

/// For each alternative that no run takes, the smallest run that depends on its reading, with that one, from a board that is legal
/// under it; unless another one is fixed.
fn read_otherwise(
    program: &Program,
    jobs: &[Job],
    (found, fixed): (&[Sampled], &Readings),
) -> Vec<Sampled> {
    let mut taken: BTreeSet<(ReadingId, u16)> = BTreeSet::new();
    for one in found {
        taken.extend(one.run.readings.iter().map(|(&id, &at)| (id, at)));
    }
    let mut more = Vec::new();
    for (id, reading) in program.readings.iter() {
        for at in (0..reading.alternatives.len()).filter_map(|at| u16::try_from(at).ok()) {
            if taken.contains(&(id, at)) || fixed.contains_key(&id) {
                continue;
            }
            let mut depend = found
                .iter()
                .filter(|one| one.run.readings.contains_key(&id));
            more.extend(depend.find_map(|one| {
                let run = &one.run;
                let mut assignment = one.assignment.clone();
                assignment.insert(id, at);
                let job = &jobs[one.job];
                if !is_legal(program, job, &assignment, &run.board) {
                    return None;
                }
                let board = (run.board.clone(), run.names.clone());
                let sequence = job.sequence;
                let walk = Walk::new(program, sequence, board, Readings::new());
                let keys = run.choices.iter().cloned();
                let run = walked(walk, &assignment, keys.collect())?;
                (run.readings.get(&id) == Some(&at)).then_some(Sampled {
                    job: one.job,
                    run,
                    assignment,
                })
            }));
        }
    }
    more
}

/// Whether a board is legal, and explored, for a job under all readings.
pub(super) fn is_legal(program: &Program, job: &Job, readings: &Readings, board: &Data) -> bool {
    let variant = Variant::default();
    let interpreter = Interpreter {
        program,
        readings,
        variant: &variant,
    };
    matches!(
        analysis::is_legal(interpreter, job.only(program), board),
        Ok(true)
    )
}

/// Inputs that go where none before them did, made smaller.
fn inputs(sampler: &mut Sampler<'_>, terms: &Terms) -> Vec<Vec<u8>> {
    let mut dice = Dice::new(terms.seed);
    let mut seen: Vec<Seen> = sampler.jobs().iter().map(|_| Seen::default()).collect();
    let mut corpus: Vec<Vec<u8>> = Vec::new();
    let mut beside: Vec<Vec<u8>> = Vec::new();
    let mut chosen: BTreeSet<(usize, StmtId, usize)> = BTreeSet::new();
    let mut barren = 0;
    while sampler.runs < terms.runs && barren < MOST_BARREN {
        let mut input = input(sampler, &corpus, &mut dice);
        let costly = sampler.costly;
        let Some(dealt) = sampler.mend(&mut input, &mut dice) else {
            barren += 1 + (sampler.costly - costly) * COSTLY;
            continue;
        };
        barren = 0;
        for turn in 0..SCHEDULES {
            if turn > 0 {
                input.truncate(dealt.schedule);
                input.resize(dealt.schedule, 0);
                let length = 1 + dice.below(LONGEST_SCHEDULE);
                input.extend((0..length).map(|_| dice.byte()));
            }
            let ran = sampler.run(&dealt, &input, WANTED);
            let options = ran.chosen.iter().filter_map(option);
            let new_options: Vec<_> = options
                .map(|(stmt, at)| (dealt.job, stmt, at))
                .filter(|one| chosen.insert(*one))
                .collect();
            let is_taken = sampler.runs.is_multiple_of(ONE_OF) && beside.len() < MOST_BESIDE;
            if !new_options.is_empty() || is_taken {
                beside.push(input.clone());
            }
            if seen[dealt.job].is_new(&sampler.cover) {
                let new = seen[dealt.job].add(&sampler.cover);
                let small = sampler.reduce(&input, QUESTIONS, &mut |sampler, dealt, input| {
                    let schedule = input.get(dealt.schedule..).unwrap_or(&[]);
                    sampler.run_along(dealt, schedule, Wanted::default());
                    new.iter().all(|&(at, bit)| sampler.cover.has(at, bit))
                });
                corpus.push(small);
            }
            if ran.choices == 0 {
                break;
            }
        }
    }
    corpus.extend(beside);
    corpus
}

/// An option that was taken, or not: of which statement.
fn option(one: &Chosen) -> Option<(StmtId, usize)> {
    match one.keys.get(one.taken)? {
        Key::Option(stmt, _) | Key::Taken(stmt, _) => Some((*stmt, one.taken)),
        _ => None,
    }
}

/// An input: a new one, or a kept one with some changes.
fn input(sampler: &Sampler<'_>, corpus: &[Vec<u8>], dice: &mut Dice) -> Vec<u8> {
    if corpus.is_empty() || dice.odds(25) {
        let job = dice.below(sampler.jobs().len());
        return fresh(sampler.form(job), job, dice);
    }
    let input = &corpus[dice.below(corpus.len())];
    let other = &corpus[dice.below(corpus.len())];
    let form = sampler.form(sampler.job(input));
    mutated(form, (input, other), dice)
}

/// The run that takes these choices, to its end or its circle, with the readings that it depends on.
pub fn walked(mut walk: Walk<'_>, readings: &Readings, keys: Vec<Key>) -> Option<Run> {
    let mut keys = keys.into_iter();
    loop {
        match walk.go() {
            At::Choice(point) => {
                let key = keys.next();
                let wanted = |one| Some(one) == key.as_ref();
                let mut offered = point.alternatives.iter().map(|one| &one.key);
                walk.take(offered.position(wanted).unwrap_or(0)).ok()?;
            }
            At::Reading(reading) => walk.read(reading, readings.get(&reading).copied()?),
            At::Ended(_) => return Some(walk.run().clone()),
            At::Again { forced: true, .. } => {
                let run = walk.run().clone();
                return matches!(run.end, RunEnd::Loop { .. }).then_some(run);
            }
            // It can go on otherwise; the rest of the choices tells how.
            At::Again { forced: false, .. } if keys.len() > 0 => {}
            At::Again { .. } | At::GivenUp => return None,
        }
    }
}
