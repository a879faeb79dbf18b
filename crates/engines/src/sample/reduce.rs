//! Turns inputs into smaller ones that still show something.
//!
//! The parts of an input are tried one after the other ([`Smaller`]): are all these cards needed, is this
//! choice, has this card to be anything but the plainest?
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
use super::deal::Decoded;
use super::smaller::Smaller;

/// No more micro-steps are spent on one input: the runs that are given up are long.
const MOST_STEPS: u64 = 1_000_000;

/// Whether an input still shows what it should.
pub type Question<'q> = &'q mut dyn FnMut(&mut Sampler<'_>, &Decoded, &[u8]) -> bool;

impl Sampler<'_> {
    /// A smaller input for which the answer is still yes; at most so many questions are asked. Boards
    /// that are not legal are not asked about.
    pub fn reduce(&mut self, input: &[u8], most: usize, asked: Question<'_>) -> Vec<u8> {
        let until = self.steps + MOST_STEPS;
        let mut smaller = Smaller::new(input);
        for _ in 0..most {
            let form = self.form(self.job(input));
            let Some(input) = smaller.next(form) else {
                break;
            };
            let dealt = self.deal(&input).filter(|dealt| self.is_legal(dealt));
            if dealt.is_some_and(|dealt| asked(self, &dealt, &input)) {
                smaller.keep();
            }
            if self.steps > until {
                break;
            }
        }
        smaller.best().to_vec()
    }
}
