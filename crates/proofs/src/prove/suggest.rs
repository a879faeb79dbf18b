//! Boards on which two things might come out differently, for others to try.
//!
//! Where two things cannot be shown to change places, there may be data from which they cannot. Here they
//! are asked for as the data of a board with so many entities: every fold is the sum of what these give,
//! and what is so of all boards and legal is so, as far as it can be told in terms.
//!
//! ```text
//! a: if c.strength > 7, score is 1     b: score is 0       Card 0 strength 8, score 0     try it
//! ```
//!
//! Boards that were explored are not asked for; so one place at least has a value, or a sort more entities,
//! than boards of the scope have. Few entities come first, and values near those that are explored.
//!
//! *Guarantees.* None. The data need not be those of a legal board, no run need come to them, and what
//! differs need not be seen at the end. Whoever asks has to visit the runs of a board to know.
//!
//! *Limits.* So many entities, values and questions; the same questions in the same order each time.

use super::asked;
use super::begins::begins;
use super::query::{Query, Sizes};
use crate::smt::{Choice, Reply, Solver, Term, Values};
use endstep_kernel::footprint::Unit;
use endstep_kernel::ir::System;
use endstep_language::typing::program::Program;
use endstep_verdicts::verdict::{Commuting, Sketch};

/// Z3's resource units for one question.
const RESOURCES: u32 = 100_000;

/// How far from what is explored values may be: near ones are asked for first.
const WIDTHS: [i64; 5] = [1, 4, 16, 100, 1000];

/// So many boards are suggested for a pair.
const MOST_BOARDS: usize = 3;

/// Somebody who tries a board, and says whether that is enough.
pub type Trial<'a> = &'a mut dyn FnMut(&Sketch) -> bool;

/// Asks for boards outside of a scope on which two things might not be able to change places. How many
/// questions the solver was asked.
pub fn suggest(
    of: (&Program, &System),
    pair: (Commuting, Unit),
    sizes: &Sizes,
    trial: Trial<'_>,
) -> u32 {
    let mut solver = Solver::new(RESOURCES);
    let begins = begins(of.1);
    let mut questions = 0;
    for asked in asked(of.1, pair).unwrap_or_default() {
        solver.forget();
        let Ok(posed) = Query::new(of, asked, (sizes, &begins)) else {
            continue;
        };
        let mut talk = Talk {
            posed,
            solver: &mut solver,
            questions: &mut questions,
        };
        if talk.ask(trial) {
            break;
        }
    }
    questions
}

/// Questions about one pair.
struct Talk<'t, 's> {
    posed: Query<'s>,
    solver: &'t mut Solver,
    questions: &'t mut u32,
}

impl Talk<'_, '_> {
    /// Asks until somebody has enough.
    fn ask(&mut self, trial: Trial<'_>) -> bool {
        let asserted = self.posed.asserted.clone();
        self.solver.begin(&self.posed.c.terms, &asserted);
        let enough = self.narrowed(&asserted, trial);
        self.solver.end();
        enough
    }

    fn option(&mut self, terms: &[Term]) -> Choice {
        self.solver.option(&self.posed.c.terms, terms)
    }

    fn check(&mut self, options: &[&Choice], of: &[Term]) -> Option<Values> {
        *self.questions += 1;
        match self.solver.check(&self.posed.c.terms, options, of) {
            Reply::Satisfiable(values) => Some(values),
            _ => None,
        }
    }

    /// Few entities first, then values that are near.
    fn narrowed(&mut self, asserted: &[Term], trial: Trial<'_>) -> bool {
        let mut widths = Vec::new();
        for below in [false, true] {
            for width in WIDTHS {
                let near = self.posed.near(width, below);
                widths.push(self.option(&near));
            }
        }
        let wide = WIDTHS.len() - 1;
        let upwards = self.check(&[&widths[wide]], asserted).is_some();
        let widths = match upwards {
            true => &widths[..=wide],
            false => &widths[wide + 1..],
        };
        if !upwards && self.check(&[&widths[wide]], asserted).is_none() {
            return false;
        }
        let all = self.posed.there.iter().map(|(_, all)| all.len()).sum();
        let mut sizes = Vec::new();
        for most in 0..=all {
            let few = self.posed.few(most);
            sizes.push(self.option(&few));
        }
        let mut size = 0;
        while size < all
            && self
                .check(&[&widths[wide], &sizes[size]], asserted)
                .is_none()
        {
            size += 1;
        }
        let mut width = 0;
        while width < wide
            && self
                .check(&[&widths[width], &sizes[size]], asserted)
                .is_none()
        {
            width += 1;
        }
        for _ in 0..MOST_BOARDS {
            let values = match self.check(&[&widths[width], &sizes[size]], asserted) {
                Some(values) => values,
                None => match self.check(&[&widths[wide], &sizes[all]], asserted) {
                    Some(values) => values,
                    None => return false,
                },
            };
            self.test(&values, asserted);
            if trial(&self.posed.sketch(&values)) {
                return true;
            }
            let another = self.posed.another(&values);
            self.solver.assert(&self.posed.c.terms, another);
        }
        false
    }

    /// What the solver says is tried in our own terms.
    fn test(&mut self, values: &Values, asserted: &[Term]) {
        let all = self.posed.c.terms.and(asserted);
        let value = values.evaluate(&self.posed.c.terms, all);
        assert!(
            value == Some(1) || value.is_none(),
            "Z3's model does not make terms true that it was asked about"
        );
    }
}
