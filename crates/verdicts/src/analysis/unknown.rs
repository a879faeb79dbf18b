//! Of which boards it is not known whether something occurs on them.
//!
//! A board that was given up may show anything. One of which only the second run of a claim was given up
//! (or the other order of an iteration) may show what compares with that run, and nothing else.

use std::collections::BTreeMap;

use crate::verdict::{Detail, Extra};

/// Of which boards not all is known.
#[derive(Debug, Default)]
pub struct Unknown {
    /// Something was given up, on some boards or before all of them were looked at.
    any: bool,
    /// Boards of which runs were given up.
    boards: Least,
    /// Boards of which only this was given up.
    of: BTreeMap<Extra, Least>,
}

/// The fewest entities of some boards; `None`: there are none.
#[derive(Debug, Default, Clone, Copy)]
struct Least(Option<usize>);

impl Least {
    fn add(&mut self, entities: usize) {
        self.0 = Some(self.0.map_or(entities, |least| least.min(entities)));
    }
}

impl Unknown {
    /// Nothing is known.
    pub fn all() -> Self {
        Self {
            any: true,
            boards: Least(Some(0)),
            of: BTreeMap::new(),
        }
    }

    /// Takes down that runs from a board were given up.
    pub fn add(&mut self, entities: usize) {
        self.any = true;
        self.boards.add(entities);
    }

    /// Takes down what else was given up on a board.
    pub fn add_extra(&mut self, extra: Extra, entities: usize) {
        self.of.entry(extra).or_default().add(entities);
    }

    /// All is known of the boards that were looked at; whether others were left out, the larger ones.
    pub fn rest(any: bool) -> Self {
        Self {
            any,
            ..Self::default()
        }
    }

    /// Takes down that boards were left out altogether, the larger ones.
    pub fn add_rest(&mut self) {
        self.any = true;
    }

    fn on<'a>(&'a self, detail: &Detail) -> impl Iterator<Item = &'a Least> {
        let extras = detail.depends_on().into_iter();
        extras.filter_map(|extra| self.of.get(&extra))
    }

    /// Whether there is a board of which that is not known.
    pub fn concerns(&self, detail: &Detail) -> bool {
        self.any || self.on(detail).next().is_some()
    }

    /// Whether it is known of every board with fewer entities.
    pub fn is_known_below(&self, entities: usize, detail: &Detail) -> bool {
        let least = self.on(detail).copied();
        let mut least = std::iter::once(self.boards).chain(least);
        least.all(|one| one.0.is_none_or(|least| entities <= least))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::ClaimFailure;

    #[test]
    fn a_run_given_up_concerns_the_findings_that_compare_with_it() {
        let mut unknown = Unknown::default();
        unknown.add_extra(Extra::Again(1), 2);
        unknown.add_extra(Extra::Again(1), 4);
        let [own, other] = [1, 0].map(|claim| Detail::Claim(claim, ClaimFailure::Again));
        assert!(unknown.concerns(&own) && !unknown.concerns(&other));
        assert!(unknown.is_known_below(2, &own) && !unknown.is_known_below(3, &own));
        assert!(unknown.is_known_below(9, &other));
        unknown.add(1);
        assert!(unknown.concerns(&other) && !unknown.is_known_below(2, &other));
    }
}
