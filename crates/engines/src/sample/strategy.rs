//! Boards and schedules of a specification as a strategy of proptest, for anybody's tests.
//!
//! ```
//! use endstep_engines::sample::strategy::Samples;
//! use endstep_engines::sample::{Scene, Wanted};
//! use endstep_language::source::SourceMap;
//! use endstep_language::{syntax, typing};
//! use endstep_verdicts::analysis::{Ground, jobs};
//! use proptest::test_runner::{Config, TestError, TestRunner};
//!
//! let text = "game \"g\"
//! entity Card, explore up to 2
//!   health: integer, explore 0 to 3, reach -99 to 99
//! zone board of Card
//! sequence cleanup
//!   step hurt
//!     for each c in board, left to right
//!       decrease c.health by 1
//! verify cleanup
//! ";
//! let mut sources = SourceMap::new();
//! let root = sources.load("game.endstep", text.as_bytes()).unwrap();
//! let parsed = syntax::parse(root, text);
//! let program = typing::check(&[parsed.file]).0.unwrap();
//! let ground = Ground::new(&program);
//! let jobs = jobs(&program, None);
//! let samples = Samples::new((&program, &ground), &jobs, &Scene::default());
//!
//! // Nobody is ever below zero: false, and one card without health is enough to see it.
//! let config = Config { failure_persistence: None, ..Config::default() };
//! let told = TestRunner::new(config).run(&samples, |sample| {
//!     let wanted = Wanted { whole: true, ..Wanted::default() };
//!     let end = samples.run(&sample, wanted).whole.unwrap();
//!     let healthy = |n: &_| *n >= typing::program::Value::Int(0);
//!     assert!(end.entities.iter().all(|one| healthy(&one.fields[0])));
//!     Ok(())
//! });
//! let Err(TestError::Fail(_, smallest)) = told else { panic!("not seen") };
//! assert_eq!(smallest.data().entities.len(), 1);
//! ```
//!
//! Failing samples shrink in the terms of the board, as [`reduce`](super::Sampler::reduce) does it: fewer
//! entities, then values as plain as they can be, then shorter and simpler schedules. proptest asks
//! `max_shrink_iters` times, four times for each case unless it is told otherwise.
//!
//! *Guarantees.* Every sample is a legal board of the scene (of those that the specification explores,
//! unless the scene says `all_legal`), when it is made and however it is shrunk. The same seed gives
//! the same samples.
//!
//! *Limits.* What is drawn from the dice is seldom legal as it is and is mended. Where that fails so
//! often that a specification seems to have no legal board of the size, no sample is made, and
//! proptest says why ([`Refused::NotLegal`]).

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use proptest::prelude::any;
use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::deal::Decoded;
use super::dice::Dice;
use super::run::{RunResult, Wanted};
use super::smaller::Smaller;
use super::{Sampler, Scene};
use endstep_language::index::Id;
use endstep_language::typing::program::{EntityId, Program};
use endstep_semantics::semantics::{Data, KeyType, Names, Readings};
use endstep_verdicts::analysis::{Ground, Job};

/// So many draws are mended before no more are tried.
const MOST_DRAWS: u32 = 200;

/// Longer schedules are not drawn; after their end first alternatives are taken.
const LONGEST_SCHEDULE: usize = 32;

/// Why some bytes are no sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// A place has no value on a board with so many entities: it holds one of a sort of which there is
    /// none.
    NoValue,
    /// The board is not legal, or it is left out of what is explored.
    NotLegal,
}

/// A legal board with readings, and a schedule of choices for a run from it.
#[derive(Clone)]
pub struct Sample<'g> {
    program: &'g Program,
    ground: &'g Ground,
    job: &'g Job,
    /// The bytes that stand for it.
    pub input: Vec<u8>,
    /// The board as the sampler has it.
    pub dealt: Decoded,
}

/// The boards and schedules of some sequences of a specification.
#[derive(Debug, Clone)]
pub struct Samples<'g> {
    sampler: Rc<RefCell<Sampler<'g>>>,
}

/// A sample that shrinks.
#[derive(Debug)]
pub struct Shrinking<'g> {
    samples: Samples<'g>,
    smaller: Smaller,
    current: Sample<'g>,
    /// The current sample is smaller than the last one of which it is known that the test fails.
    tried: bool,
}

impl fmt::Display for Refused {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::NoValue => "a place has no value on a board of this size",
            Self::NotLegal => "the board is not legal, or not explored",
        })
    }
}

impl std::error::Error for Refused {}

impl<'g> Samples<'g> {
    /// Of the sequences of jobs.
    pub fn new(of: (&'g Program, &'g Ground), jobs: &'g [Job], scene: &Scene) -> Self {
        let sampler = Sampler::new(of, jobs, scene);
        Self {
            sampler: Rc::new(RefCell::new(sampler)),
        }
    }

    /// The sample that bytes stand for.
    ///
    /// # Errors
    ///
    /// Why they stand for none.
    pub fn read(&self, input: &[u8]) -> Result<Sample<'g>, Refused> {
        let mut sampler = self.sampler.borrow_mut();
        let dealt = sampler.deal(input).ok_or(Refused::NoValue)?;
        if !sampler.is_legal(&dealt) {
            return Err(Refused::NotLegal);
        }
        Ok(Sample {
            program: sampler.program(),
            ground: sampler.ground(),
            job: sampler.job_of(&dealt),
            input: input.to_vec(),
            dealt,
        })
    }

    /// Runs a sample along its schedule.
    pub fn run(&self, sample: &Sample<'_>, wanted: Wanted) -> RunResult {
        let mut sampler = self.sampler.borrow_mut();
        sampler.run(&sample.dealt, &sample.input, wanted)
    }

    /// Bytes of a board that may be legal, or near one.
    fn draw(&self, dice: &mut Dice) -> Vec<u8> {
        let sampler = self.sampler.borrow();
        let job = dice.below(sampler.jobs().len().clamp(1, 256));
        let form = sampler.form(job);
        let most: usize = form.sorts.iter().map(|sort| sort.size.1).sum();
        let mut input = vec![job as u8];
        input.extend((1..form.first_record).map(|_| dice.byte()));
        for _ in 0..dice.below(most + 1) {
            input.push(dice.byte().max(1));
            input.extend((1..form.record).map(|_| dice.byte()));
        }
        input.push(0);
        input.extend((0..dice.below(LONGEST_SCHEDULE + 1)).map(|_| dice.byte()));
        input
    }

    /// A legal sample near bytes.
    fn near(&self, mut input: Vec<u8>, dice: &mut Dice) -> Result<Sample<'g>, Refused> {
        let mended = self.sampler.borrow_mut().mend(&mut input, dice);
        let found = self.read(&input);
        debug_assert!(mended.is_none() || found.is_ok(), "what is mended is legal");
        found
    }
}

impl<'g> Strategy for Samples<'g> {
    type Tree = Shrinking<'g>;
    type Value = Sample<'g>;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let mut dice = Dice::new(any::<u64>().new_tree(runner)?.current());
        let mut refused = Refused::NotLegal;
        for _ in 0..MOST_DRAWS {
            let drawn = self.draw(&mut dice);
            match self.near(drawn, &mut dice) {
                Ok(current) => {
                    return Ok(Shrinking {
                        samples: self.clone(),
                        smaller: Smaller::new(&current.input),
                        current,
                        tried: false,
                    });
                }
                Err(why) => refused = why,
            }
        }
        Err(format!("no legal board was found: {refused}").into())
    }
}

impl Shrinking<'_> {
    /// Goes on to the next smaller sample that is legal, if there is one.
    fn advance(&mut self) -> bool {
        self.tried = false;
        loop {
            let next = {
                let sampler = self.samples.sampler.borrow();
                let form = sampler.form(sampler.job(self.smaller.best()));
                self.smaller.next(form)
            };
            let Some(input) = next else {
                return false;
            };
            if let Ok(sample) = self.samples.read(&input) {
                self.current = sample;
                self.tried = true;
                return true;
            }
        }
    }
}

impl<'g> ValueTree for Shrinking<'g> {
    type Value = Sample<'g>;

    fn current(&self) -> Sample<'g> {
        self.current.clone()
    }

    fn simplify(&mut self) -> bool {
        if self.tried {
            self.smaller.keep();
        }
        self.advance()
    }

    fn complicate(&mut self) -> bool {
        if !self.tried {
            return false;
        }
        if self.advance() {
            return true;
        }
        // Nothing smaller fails: what failed last is it.
        if let Ok(best) = self.samples.read(self.smaller.best()) {
            self.current = best;
        }
        false
    }
}

impl<'g> Sample<'g> {
    /// The board as the interpreter has it.
    pub fn data(&self) -> Data {
        self.dealt.data(self.ground)
    }

    /// Which alternative each reading has.
    pub fn readings(&self) -> Readings {
        self.dealt.assignment()
    }

    /// Which sequence runs, and how.
    pub fn job(&self) -> &'g Job {
        self.job
    }

    /// What is chosen, a byte for each choice: which alternative, by position, counted round and round.
    pub fn schedule(&self) -> &[u8] {
        self.input.get(self.dealt.schedule..).unwrap_or(&[])
    }
}

/// The board in words.
impl fmt::Debug for Sample<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let program = self.program;
        let data = self.data();
        let names = Names::numbered(program, &data);
        writeln!(out, "{}", program.sequences[self.job.sequence].name)?;
        for (id, at) in self.readings() {
            let reading = &program.readings[id];
            let alternative = reading.alternatives.get(usize::from(at));
            let alternative = alternative.map_or("", |one| one.name.as_str());
            writeln!(out, "  reading {} is {alternative}", reading.name)?;
        }
        for ((_, var), &value) in program.vars.iter().zip(&data.vars) {
            let value = names.value(program, value, KeyType::from(var.ty));
            writeln!(out, "  {}: {value}", var.name)?;
        }
        for (at, entity) in data.entities.iter().enumerate() {
            let id = EntityId::from_index(at);
            write!(out, "  {}", names.entity(id))?;
            let mut zones = data.zones.iter();
            if let Some((zone, _)) = zones.find(|(_, contents)| contents.contains(&id)) {
                write!(out, " in {}", names.zone(program, *zone))?;
            }
            let fields = &program.sorts[entity.sort].fields;
            for (n, (&field, &value)) in fields.iter().zip(&entity.fields).enumerate() {
                let field = &program.fields[field];
                let value = names.value(program, value, KeyType::from(field.ty));
                let mark = if n == 0 { ": " } else { ", " };
                write!(out, "{mark}{} {value}", field.name)?;
            }
            writeln!(out)?;
        }
        write!(out, "  choices {:?}", self.schedule())
    }
}
