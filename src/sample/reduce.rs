//! Turns inputs into smaller ones that still show something.
//!
//! The parts of an input are tried one after the other, in the terms of the board: are all these
//! cards needed, is this choice, has this card to be anything but the plainest?
//!
//! ```text
//! rager, owl (ward), rager, relic │ choices 3 1 4 1 5     ──▶     rager, rager │ no choices
//! ```
//!
//! *Guarantees.* What is returned was tried and kept: the last input for which the question was
//! answered with yes. The same input and question give the same result.
//!
//! *Limits.* Locally minimal: no single part can be left out or made plainer. No more questions
//! are asked than are allowed, and no more than a million micro-steps are run for them.
//!
//! *Background.* A. Zeller, R. Hildebrandt, Simplifying and isolating failure-inducing input, IEEE
//! TSE 28(2), 2002 (delta debugging).

use super::Sampler;
use super::deal::Dealt;
use super::form::{Form, RECORD_HEAD};

/// No more micro-steps are spent on one input: the runs that are given up are long.
const MOST_STEPS: u64 = 1_000_000;

/// Whether an input still shows what it should.
pub type Question<'q> = &'q mut dyn FnMut(&mut Sampler<'_>, &Dealt, &[u8]) -> bool;

/// A reduction in progress.
struct Reducer<'a, 'g, 'q> {
    sampler: &'a mut Sampler<'g>,
    asked: Question<'q>,
    left: usize,
    /// The micro-steps of the sampler after which no more is asked.
    until: u64,
    best: Vec<u8>,
}

impl Sampler<'_> {
    /// A smaller input for which the answer is still yes; at most so many questions are asked. Boards
    /// that are not legal are not asked about.
    pub fn reduce(&mut self, input: &[u8], most: usize, asked: Question<'_>) -> Vec<u8> {
        let mut reducer = Reducer {
            until: self.steps + MOST_STEPS,
            sampler: self,
            asked,
            left: most,
            best: input.to_vec(),
        };
        loop {
            let before = reducer.best.clone();
            reducer.entities();
            reducer.schedule();
            reducer.values();
            if reducer.best == before || reducer.left == 0 {
                return reducer.best;
            }
        }
    }
}

impl Reducer<'_, '_, '_> {
    fn form(&self) -> &Form {
        self.sampler.form(self.sampler.job(&self.best))
    }

    /// Tries an input; whether it is kept.
    fn keep(&mut self, input: Vec<u8>) -> bool {
        if self.left == 0 || input == self.best {
            return false;
        }
        self.left -= 1;
        if self.sampler.steps > self.until {
            self.left = 0;
        }
        let Some(dealt) = self.sampler.deal(&input) else {
            return false;
        };
        let kept = self.sampler.is_legal(&dealt) && (self.asked)(self.sampler, &dealt, &input);
        if kept {
            self.best = input;
        }
        kept
    }

    /// Where the records begin, and where they end.
    fn records(&self) -> (Vec<usize>, usize) {
        let form = self.form();
        let (mut at, mut found) = (form.first_record, Vec::new());
        while self.best.get(at).is_some_and(|&kind| kind != 0) {
            found.push(at);
            at += form.record;
        }
        (found, at.min(self.best.len()))
    }

    /// Leaves entities out: many at once, then fewer.
    fn entities(&mut self) {
        let mut together = self.records().0.len().max(1);
        loop {
            let mut first = 0;
            loop {
                let (records, end) = self.records();
                let Some(&start) = records.get(first) else {
                    break;
                };
                let after = records.get(first + together).copied().unwrap_or(end);
                let mut fewer = self.best.clone();
                fewer.drain(start.min(after)..after);
                if !self.keep(fewer) {
                    first += together;
                }
            }
            if together == 1 {
                return;
            }
            together = together.div_ceil(2);
        }
    }

    /// Leaves choices out, from the end on; then takes first alternatives.
    fn schedule(&mut self) {
        let start = |reducer: &Self| (reducer.records().1 + 1).min(reducer.best.len());
        let first = start(self);
        let mut length = self.best.len() - first;
        while length > 0 {
            let shorter = self.best[..self.best.len() - length].to_vec();
            if self.keep(shorter) {
                length = length.min(self.best.len() - start(self));
            } else {
                length /= 2;
            }
        }
        for at in (first..self.best.len()).rev() {
            if at < self.best.len() {
                let mut shorter = self.best.clone();
                shorter.remove(at);
                let mut first = self.best.clone();
                first[at] = 0;
                let _ = self.keep(shorter) || self.keep(first);
            }
        }
    }

    /// Makes everything as plain as it can be: the variables and readings, then each entity.
    fn values(&mut self) {
        let form = self.form();
        let (first_record, vars) = (form.first_record, form.plain_vars());
        for at in 1..first_record.min(self.best.len()) {
            let plain = at.checked_sub(self.form().first_var);
            let plain = plain.and_then(|at| vars.get(at).copied()).unwrap_or(0);
            self.plainer(at, plain);
        }
        let (records, _) = self.records();
        for record in records {
            let sort = self.form().sort_of(self.best[record]);
            let plain = self.form().plain_fields(sort);
            let mut all = self.best.clone();
            for (at, &byte) in plain.iter().enumerate() {
                if let Some(place) = all.get_mut(record + RECORD_HEAD + at) {
                    *place = byte;
                }
            }
            self.keep(all);
            self.plainer(record + 1, 0);
            for (at, &byte) in plain.iter().enumerate() {
                self.plainer(record + RECORD_HEAD + at, byte);
            }
        }
    }

    /// Tries the plain value of a place, then the first, then one nearer to the first.
    fn plainer(&mut self, at: usize, plain: u8) {
        let Some(&now) = self.best.get(at) else {
            return;
        };
        if now == plain {
            return;
        }
        for byte in [plain, 0, now / 2, now.saturating_sub(1)] {
            if byte == plain || byte < now {
                let mut other = self.best.clone();
                other[at] = byte;
                if self.keep(other) {
                    return;
                }
            }
        }
    }
}
