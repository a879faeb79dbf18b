//! How many boards several scopes have together, each counted once.
//!
//! ```text
//! verify s                  2 legal boards
//! verify s where k = 1      1 of these
//! verify t                  the same 2                    together 2, not 5
//! ```
//!
//! *Guarantees.* There are at least `least` and at most `most`. Both are the same where one scope has all boards of
//! the others, which is told from sizes and conditions.
//!
//! *Limits.* What two conditions have in common is not worked out.

use super::answer::{Limitation, Scope, ScopeOf};
use endstep_language::typing::program::{Expr, Program};

/// A number of boards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Together {
    /// At least so many.
    pub least: u64,
    /// At most so many.
    pub most: u64,
}

/// The legal boards of some scopes.
pub fn together<'a>(program: &Program, scopes: impl Iterator<Item = &'a Scope>) -> Together {
    let mut kept: Vec<&Scope> = Vec::new();
    for scope in scopes {
        if kept.iter().any(|one| has_all_of(program, one, scope)) {
            continue;
        }
        kept.retain(|one| !has_all_of(program, scope, one));
        kept.push(scope);
    }
    let legal = || kept.iter().map(|scope| scope.legal);
    Together {
        least: legal().max().unwrap_or(0),
        most: legal().sum(),
    }
}

/// Whether every board of one scope is one of another, as far as sizes and conditions tell.
fn has_all_of(program: &Program, all: &Scope, part: &Scope) -> bool {
    if all.subject == part.subject || part.legal == 0 {
        return true;
    }
    let is_example = |scope: &Scope| matches!(scope.subject, ScopeOf::Example(_));
    let is_cut_off = all
        .limitations
        .iter()
        .any(|why| matches!(why, Limitation::Boards(_) | Limitation::Candidates(_)));
    let condition = condition(program, all);
    let meets = condition.is_none() || condition == self::condition(program, part);
    let fits = part.sizes.iter().all(|(sort, low, high)| {
        let mut sizes = all.sizes.iter();
        sizes.any(|(of, least, most)| of == sort && least <= low && high <= most)
    });
    !is_example(all)
        && !is_example(part)
        && !is_cut_off
        && meets
        && fits
        && all.values == part.values
}

/// Which of the legal boards are looked at, if not all.
fn condition<'a>(program: &'a Program, scope: &Scope) -> Option<&'a Expr> {
    match scope.subject {
        ScopeOf::Verify(at) => program.verifies.get(at)?.condition.as_ref(),
        ScopeOf::Sequence(_) | ScopeOf::Example(_) => None,
    }
}
