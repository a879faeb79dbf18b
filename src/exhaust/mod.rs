//! Checks a program on every small board by plain enumeration: the oracle of all other engines.
//!
//! It is written to be obviously right rather than fast. Each legal board is explored by the
//! interpreter under every assignment of the readings that some run from it consults; the result is
//! a graph, on which everything is decided by going over all nodes until nothing changes:
//!
//! ```text
//! board [wolf 0, owl 1] ──► graph under zero = exactly   V = {end {owl}}
//!                      └──► graph under zero = or less   V = {end {owl}, end {}}    a reading matters
//! ```
//!
//! | file | what it does |
//! |---|---|
//! | `boards`, `job`, `mentions` | which boards, which sequences, which claims |
//! | `graph`, `watch`, `coverage` | what can follow a board, and what happens on the way |
//! | `values`, `paths`, `sides`, `order`, `loops`, `again`, `readings` | questions about graphs |
//! | `leaf`, `harvest`, `compare`, `example`, `document` | what a board, an example, the document has to say |
//! | `bucket`, `explore`, `answers` | findings with their smallest witness, and answers |
//!
//! *Guarantees.* Whatever is `holds in scope` was looked at on every legal board up to the sizes
//! printed. A finding's witness is of the strongest basis, then has the fewest entities, then the
//! fewest micro-steps, then the smallest values, unless it is marked as best effort. The same
//! program gives the same results, byte for byte.
//!
//! *Limits.* Numbers of boards, states and steps ([`Limits`]); meeting one makes verdicts unknown.
//! Boards with runs that leave the bounds of exploration support no comparison, no class of loop but
//! the mandatory one, and no finding that something never happens.

// TRUSTED: the verdicts of this engine, and the tests of all others, rest on this module.

mod boards;
mod job;
mod mentions;
mod options;

mod coverage;
mod graph;
mod watch;

mod again;
mod loops;
mod order;
mod paths;
mod readings;
mod sides;
mod values;

mod compare;
mod document;
mod example;
mod harvest;
mod leaf;

mod answers;
mod bucket;
mod explore;
mod subject;

pub use boards::Boards;
pub use options::{Limits, Options, Progress};

use std::collections::BTreeSet;

use coverage::Coverage;

use crate::typing::program::Program;
use crate::verdict::{Limitation, Results};

/// Explores everything a program asks for, and says what was found.
pub fn check(program: &Program, options: &Options, progress: &mut dyn FnMut(&Progress)) -> Results {
    let mut gathered = answers::Gathered::new(program, options);
    gathered.add(document::clauses(program));
    let mut coverage = Coverage::new(program);
    let mut complete = true;
    let mut mentioned = BTreeSet::new();
    for job in job::jobs(program) {
        let scope = gathered.scopes();
        let explored = explore::explore(program, &job, (options, scope), progress);
        coverage.merge(&explored.coverage);
        mentioned.extend(&explored.mentioned);
        complete &= is_complete(&explored.scope.limitations);
        gathered.explored(explored);
    }
    for index in 0..program.examples.len() {
        let scope = gathered.scopes();
        let examined = example::examine(program, index, options, scope);
        coverage.merge(&examined.coverage);
        complete &= is_complete(&examined.scope.limitations);
        gathered.examined(index, examined);
    }
    let restricted = options.is_restricted();
    if complete && !restricted {
        gathered.add(document::dead(program, &coverage, &mentioned));
    }
    gathered.finish()
}

fn is_complete(limitations: &[Limitation]) -> bool {
    limitations.is_empty()
}
