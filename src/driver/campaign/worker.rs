//! One thread of a campaign.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use super::closer::{Closer, Lead};
use super::found::Found;
use super::mutate::{fresh, mutated};
use super::plan::Plan;
use super::shared::{Shared, Wish, Work, is_again};
use endstep_engines::explore::Explorer;
use endstep_engines::sample::{Decoded, Dice, RunResult, Sampler, Seen, Sign, Wanted};
use endstep_language::index::Id;
use endstep_language::typing::program::{Program, ReadingId};
use endstep_verdicts::analysis::Job;

/// So many boards are dealt before a thread tells of its work.
const BATCH: u32 = 64;

/// So many schedules are tried on a board.
const SCHEDULES: usize = 4;

/// So many questions may be asked to make an input smaller that leads somewhere new.
const QUESTIONS: usize = 200;

/// So many to make one smaller that shows a sign.
const QUESTIONS_OF_SIGNS: usize = 600;

/// So many boards may be looked at closely to make one smaller.
const CLOSE_QUESTIONS: usize = 30;

/// A board with more entities is not looked at closely without a sign.
const MOST_ENTITIES: usize = 8;

/// After so many inputs that come to no legal board there is none, as far as anybody can tell.
const MOST_AT_FIRST: u32 = 1000;

/// The same, if some came to one before.
const MOST_BARREN: u32 = 50_000;

pub(super) struct Worker<'g> {
    sampler: Sampler<'g>,
    closer: Closer<'g>,
    shared: &'g Shared<'g>,
    dice: Dice,
    seen: Seen,
    settled: BTreeSet<(usize, Sign)>,
    /// Signs that are not looked at for now.
    resting: BTreeSet<(usize, Sign)>,
    corpus: Arc<Vec<Arc<[u8]>>>,
    told: Work,
    deals: u64,
    /// The hashes of the boards that were dealt since it was told last.
    dealt: Vec<u64>,
    /// So many inputs in a row came to no legal board.
    barren: u32,
    quota: u64,
}

impl<'g> Worker<'g> {
    /// The thread with a number.
    pub fn new(
        (program, explorer, jobs): (&'g Program, &'g Explorer, &'g [Job]),
        plan: &Plan,
        shared: &'g Shared<'g>,
        number: u64,
    ) -> Self {
        let ground = explorer.ground();
        Self {
            sampler: Sampler::new((program, ground), jobs, &plan.scene),
            closer: Closer {
                program,
                explorer,
                jobs,
                shared,
            },
            shared,
            dice: Dice::new(plan.seed.wrapping_mul(0x9e37_79b9).wrapping_add(number)),
            seen: shared.seen(),
            settled: BTreeSet::new(),
            resting: BTreeSet::new(),
            corpus: Arc::default(),
            told: Work::default(),
            deals: 0,
            dealt: Vec::new(),
            barren: 0,
            quota: shared.left(),
        }
    }

    /// Takes up what there is from before: inputs that lead nowhere that shorter ones do not are
    /// forgotten, and what was found is looked at again.
    pub fn resume(mut self) {
        let archive = self.shared.archive();
        let mut inputs = archive.inputs();
        inputs.sort_by_key(|input| (input.len(), input.clone()));
        for input in inputs {
            let leads = self.sampler.sample(&input).is_some()
                && self.shared.add(&Seen::of(&self.sampler.cover), &input);
            if !leads {
                archive.forget(&input);
            }
        }
        let mut shown = archive.shown();
        shown.sort();
        for (open, input) in shown.iter().filter_map(|bytes| Found::read(bytes)) {
            if let Some(dealt) = self.sampler.deal(input)
                && open.is_none_or(|open| open.index() < dealt.assignment().len())
            {
                // It may have been left open in a campaign that did not fix it.
                let open = open.filter(|open| self.open_readings(dealt.job).contains(open));
                self.closer.look((&dealt, input), open, None);
            }
        }
        self.shared.resumed();
        self.corpus = self.shared.report(Work::default(), []);
    }

    /// Works until the campaign is over.
    pub fn go(mut self) {
        self.tell();
        while !self.shared.is_over() {
            for _ in 0..BATCH {
                self.turn();
                if self.work().runs >= self.quota || self.shared.is_over() {
                    break;
                }
            }
            self.tell();
        }
    }

    /// What was done since it was told last.
    fn work(&self) -> Work {
        Work {
            runs: self.sampler.runs - self.told.runs,
            deals: self.deals - self.told.deals,
            steps: self.sampler.steps - self.told.steps,
        }
    }

    fn tell(&mut self) {
        let dealt = std::mem::take(&mut self.dealt);
        self.corpus = self.shared.report(self.work(), dealt);
        self.told = Work {
            runs: self.sampler.runs,
            deals: self.deals,
            steps: self.sampler.steps,
        };
        self.quota = self.shared.left();
        self.resting.clear();
    }

    /// One board, with some schedules and contrasts.
    fn turn(&mut self) {
        let mut input = self.input();
        let Some(dealt) = self.sampler.mend(&mut input, &mut self.dice) else {
            self.barren += 1;
            let most = if self.deals == 0 {
                MOST_AT_FIRST
            } else {
                MOST_BARREN
            };
            if self.barren >= most {
                self.shared.give_up();
            }
            return;
        };
        self.deals += 1;
        let mut hasher = DefaultHasher::new();
        dealt.board.hash(&mut hasher);
        self.dealt.push(hasher.finish());
        self.barren = 0;
        for turn in 0..SCHEDULES {
            if turn > 0 {
                input.truncate(dealt.schedule);
                input.resize(dealt.schedule, 0);
                let length = 1 + self.dice.below(24);
                input.extend((0..length).map(|_| self.dice.byte()));
            }
            let ran = self.sampler.run(&dealt, &input, Wanted::default());
            self.notice(&dealt, &input, &ran);
            if ran.choices == 0 {
                break;
            }
            self.contrast(&dealt, &input);
        }
        self.reread(&dealt, &input);
    }

    /// An input: a new one, or a kept one with some changes.
    fn input(&mut self) -> Vec<u8> {
        let dice = &mut self.dice;
        let jobs = self.sampler.jobs().len();
        if self.corpus.is_empty() || dice.odds(15) {
            let job = dice.below(jobs);
            return fresh(self.sampler.form(job), job, dice);
        }
        // The latest are tried more often: they are at the edge of what is known.
        let count = self.corpus.len();
        let at = match dice.odds(50) {
            true => count - 1 - dice.below(count.div_ceil(4)),
            false => dice.below(count),
        };
        let other = &self.corpus[dice.below(count)];
        let input = &self.corpus[at];
        let form = self.sampler.form(self.sampler.job(input));
        mutated(form, (input, other), dice)
    }

    /// Keeps an input that leads somewhere new, and follows the signs of its run.
    fn notice(&mut self, dealt: &Decoded, input: &[u8], ran: &RunResult) {
        if self.seen.is_new(&self.sampler.cover) {
            self.keep(dealt.job, input);
        }
        for sign in &ran.signs {
            let lead = Lead {
                sign: sign.clone(),
                only_orders: false,
            };
            self.follow(dealt.job, lead, input);
        }
    }

    /// Runs the board again, with another choice.
    fn contrast(&mut self, dealt: &Decoded, input: &[u8]) {
        let schedule = input.get(dealt.schedule..).unwrap_or(&[]);
        let contrast = self.sampler.other_choice(dealt, schedule, &mut self.dice);
        if let Some(contrast) = contrast {
            let lead = Lead {
                sign: contrast.sign,
                only_orders: contrast.only_orders,
            };
            self.follow(dealt.job, lead, input);
        }
    }

    /// Runs the board again, under another reading.
    fn reread(&mut self, dealt: &Decoded, input: &[u8]) {
        let form = self.sampler.form(dealt.job);
        let at = self.dice.below(form.readings.len());
        let Some(&(count, None)) = form.readings.get(at) else {
            return;
        };
        if count < 2 {
            return;
        }
        let before = dealt.readings[at];
        let other = self.dice.below(usize::from(count) - 1) as u16;
        let other = other + u16::from(other >= before);
        let reading = ReadingId::from_index(at);
        let sign = Sign::Reading(reading, before.min(other), before.max(other));
        let known = (dealt.job, sign);
        if self.settled.contains(&known) || self.resting.contains(&known) {
            return;
        }
        let schedule = input.get(dealt.schedule..).unwrap_or(&[]);
        let contrast = self
            .sampler
            .other_reading(dealt, schedule, (reading, other));
        if let Some(contrast) = contrast {
            let lead = Lead {
                sign: contrast.sign,
                only_orders: false,
            };
            self.follow(dealt.job, lead, input);
        }
    }

    /// The readings of a job that nobody fixed from outside: only these may be left open.
    fn open_readings(&self, job: usize) -> Vec<ReadingId> {
        let readings = self.sampler.form(job).readings.iter().enumerate();
        let open = readings.filter(|(_, (_, fixed))| fixed.is_none());
        open.map(|(at, _)| ReadingId::from_index(at)).collect()
    }

    /// Makes an input that leads somewhere new smaller, and keeps it.
    fn keep(&mut self, job: usize, input: &[u8]) {
        let new = self.seen.add(&self.sampler.cover);
        let small = self
            .sampler
            .reduce(input, QUESTIONS, &mut |sampler, dealt, input| {
                let schedule = input.get(dealt.schedule..).unwrap_or(&[]);
                sampler.run_along(dealt, schedule, Wanted::default());
                new.iter().all(|&(at, bit)| sampler.cover.has(at, bit))
            });
        let Some((dealt, _)) = self.sampler.sample(&small) else {
            return;
        };
        let cover = Seen::of(&self.sampler.cover);
        self.seen.merge(&cover);
        if !self.shared.add(&cover, &small) {
            return;
        }
        if dealt.entities() <= MOST_ENTITIES && self.shared.can_look(self.work()) {
            let readings = self.open_readings(job);
            let open = readings.get(self.dice.below(readings.len() + 1));
            self.closer.look((&dealt, &small), open.copied(), None);
        }
    }

    /// Makes an input that shows a sign smaller, and looks at its board closely.
    fn follow(&mut self, job: usize, lead: Lead, input: &[u8]) {
        let known = (job, lead.sign.clone());
        if self.settled.contains(&known) || self.resting.contains(&known) {
            return;
        }
        let tries = match self.shared.wants(job, &lead.sign) {
            Wish::Now(tries) => tries,
            Wish::Later => {
                self.resting.insert(known);
                return;
            }
            Wish::Never => {
                self.settled.insert(known);
                return;
            }
        };
        let (sign, before) = (&lead.sign, self.sampler.runs);
        let open = match sign {
            Sign::Reading(reading, ..) => Some(*reading),
            _ => None,
        };
        // Two runs may differ for another reason, which smaller boards have as well: if those have shown
        // nothing, the board is asked as it is.
        let sure = match is_again(tries) {
            true => self.reduced_closely((input, open), sign),
            false => None,
        };
        let small = sure.unwrap_or_else(|| {
            let mut shows = |sampler: &mut Sampler<'_>, dealt: &Decoded, input: &[u8]| {
                sampler.shows(dealt, input, sign)
            };
            self.sampler.reduce(input, QUESTIONS_OF_SIGNS, &mut shows)
        });
        self.shared.tried(tries, self.sampler.runs - before);
        let Some(dealt) = self.sampler.deal(&small) else {
            return;
        };
        if self.closer.look((&dealt, &small), open, Some(&lead)) {
            self.shared.settle(job, sign);
            self.settled.insert(known);
        }
    }

    /// A smaller input whose board shows for sure what a sign is a sign of, if the board does.
    fn reduced_closely(
        &mut self,
        (input, open): (&[u8], Option<ReadingId>),
        sign: &Sign,
    ) -> Option<Vec<u8>> {
        let closer = self.closer;
        let dealt = self.sampler.deal(input)?;
        if dealt.entities() > MOST_ENTITIES || !closer.shows((&dealt, input), open, sign) {
            return None;
        }
        let mut shows = |_: &mut Sampler<'_>, dealt: &Decoded, input: &[u8]| {
            closer.shows((dealt, input), open, sign)
        };
        Some(self.sampler.reduce(input, CLOSE_QUESTIONS, &mut shows))
    }
}
