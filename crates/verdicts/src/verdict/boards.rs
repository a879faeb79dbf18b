//! How many boards several scopes have together, each counted once.
//!
//! ```text
//! verify s                  2 legal boards
//! verify s where k = 1      1 of these
//! verify t                  the same 2                    together 2, not 5
//! ```
//!
//! *Guarantees.* There are at least `least` and at most `most`. Both are the same where sizes and conditions show that
//! one scope has all boards of the others.
//!
//! *Limits.* What two conditions have in common is not worked out, nor what a scope that was not completed has.

use super::answer::{Scope, ScopeOf};
use endstep_language::typing::program::{Concern, Program};

/// A number of boards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Together {
    /// At least so many.
    pub least: u64,
    /// At most so many.
    pub most: u64,
}

/// The legal boards of some scopes; of the least, those that were looked at under all readings.
pub fn together<'a>(program: &Program, scopes: impl Iterator<Item = &'a Scope>) -> Together {
    let mut kept: Vec<&Scope> = Vec::new();
    let mut least = 0;
    for scope in scopes {
        least = least.max(scope.legal - scope.restricted);
        if kept.iter().any(|one| has_all_of(program, one, scope)) {
            continue;
        }
        kept.retain(|one| !has_all_of(program, scope, one));
        kept.push(scope);
    }
    Together {
        least,
        most: kept.iter().map(|scope| scope.legal).sum(),
    }
}

/// Whether every board of one scope is one of another, as far as sizes and conditions tell.
fn has_all_of(program: &Program, all: &Scope, part: &Scope) -> bool {
    if all.subject == part.subject || part.legal == 0 {
        return true;
    }
    let is_example = |scope: &Scope| matches!(scope.subject, ScopeOf::Example(_));
    let is_whole = all.limitations.is_empty();
    let condition = |scope: &Scope| scope.subject.verify(program)?.condition.as_ref();
    let meets = condition(all).is_none() || condition(all) == condition(part);
    let fits = part.sizes.iter().all(|(sort, low, high)| {
        let mut sizes = all.sizes.iter();
        sizes.any(|(of, least, most)| of == sort && least <= low && high <= most)
    });
    // What a sequence has nothing to do with has one value on its boards.
    let concern = |scope: &Scope| Some(Concern::of(program, scope.subject.sequence(program)?));
    let speaks = || match (concern(all), concern(part)) {
        (Some(all), Some(part)) => all.has_all_of(&part),
        _ => false,
    };
    let alike = is_whole && meets && fits && all.values == part.values;
    !is_example(all) && !is_example(part) && alike && speaks()
}
