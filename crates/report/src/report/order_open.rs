//! Why it is not known whether an order matters, or not known of boards of every size.
//!
//! ```text
//! draw & count: unknown, nothing that is verified comes to it; not proved, because of a contract
//! ```

use super::verdict::limitation;
use endstep_verdicts::order::{Row, Unknown};
use endstep_verdicts::verdict::Outcome;

/// Why the prover does not tell.
pub(super) fn unproved(row: &Row) -> Option<String> {
    Some(match row.unproved.as_ref()? {
        Outcome::Proved(_) => return None,
        Outcome::Open => "some data may tell them apart".to_owned(),
        Outcome::GaveUp => "the solver gave up".to_owned(),
        Outcome::Vacuous => "what would be assumed contradicts itself".to_owned(),
        Outcome::Refused(refusal) => format!("because of {}", refusal.obstacle.words()),
    })
}

pub(super) fn unknown(why: &Unknown) -> String {
    match why {
        Unknown::Unverified => "nothing that is verified comes to it".to_owned(),
        Unknown::Uncompared => {
            "a run that was tried for claims alone can come to it, and nothing was compared there"
                .to_owned()
        }
        Unknown::Narrowed => "nothing was looked at but what `--only` names".to_owned(),
        Unknown::Unchecked => "nothing was run".to_owned(),
        Unknown::Untried => "no other order was tried".to_owned(),
        Unknown::Limits(all) => {
            let all: Vec<String> = all.iter().map(limitation).collect();
            all.join("; ")
        }
    }
}
