//! Turns what an engine says of the runs from each board into answers and findings.
//!
//! Each legal board is explored by the engine under every assignment of the readings that some run
//! from it consults; what the engine decides on the graphs is gathered, compared and shown:
//!
//! ```text
//! board [wolf 0, owl 1] ──► graph under zero = exactly   V = {end {owl}}
//!                      └──► graph under zero = or less   V = {end {owl}, end {}}    a reading matters
//! ```
//!
//! | file | what it does |
//! |---|---|
//! | `engine`, `graph`, `flat`, `halt`, `values` | what an engine is asked, and the form of its answers |
//! | `boards`, `numbered`, `legal`, `job`, `mentions` | which boards, which sequences, which claims |
//! | `partial` | whether options leave out some of them |
//! | `ground` | what is the same for all boards of a program, and for all runs from one board |
//! | `threads` | boards on several threads, or on one |
//! | `watch`, `coverage` | what happens on the way through a graph |
//! | `paths`, `branch`, `sides`, `paired`, `order`, `loops`, `growth`, `again`, `readings` | runs that show something |
//! | `setup`, `leaf`, `visit`, `harvest`, `compare`, `example`, `document` | what a board, an example, the document has to say |
//! | `extreme` | which values are taken where the largest or the smallest is asked for |
//! | `odds`, `demands` | what is demanded of the outcomes of a board, and which demands are at odds |
//! | `trial` | whether what holds was ever put to the test |
//! | `board`, `bucket`, `under`, `tally`, `survey`, `answers` | findings with their smallest witness, and answers |
//! | `closely` | what a single board, or a single run, shows |
//! | `sketched`, `beyond` | boards outside of the scope that somebody suggests, and what they show |
//! | `further` | whether another version comes to ends to which this one never comes |
//! | `apart` | whether two versions of a program come to the same |
//! | `reached` | from which board some run executes a statement, or depends on a reading |
//! | `unreached` | which orders nobody knows of, because not all could be looked at |
//! | `wider` | on which larger boards the same is found |
//! | `describe` | all boards on which a finding occurs, by what can be seen on them |
//!
//! *Guarantees.* Whatever is `holds in scope` was looked at on every legal board up to the sizes
//! printed. A finding's witness is of the strongest basis, then shows a difference most plainly, then has
//! the fewest entities, then (of a demand) no outcome that meets it, then the fewest unspecified lists out
//! of their order, then the fewest micro-steps, then the smallest values, unless it is marked as best
//! effort. The same program and engine give the same results, byte for byte.
//!
//! *Limits.* Numbers of boards, states and steps ([`Limits`]); meeting one makes verdicts unknown.
//! Boards with runs that leave the bounds of exploration support no comparison, no class of loop but
//! the mandatory one, and no finding that something never happens.

// TRUSTED: the verdicts of all engines that explore rest on this module.

mod boards;
mod job;
mod memory;
mod mentions;
mod numbered;
mod options;
mod partial;
mod threads;

mod engine;
mod flat;
mod graph;
mod ground;
mod halt;
mod legal;
mod values;
mod watch;
mod ways;

mod again;
mod branch;
mod growth;
mod loops;
mod order;
mod paired;
mod paths;
mod readings;
mod sides;

mod compare;
mod demands;
mod document;
mod example;
mod extreme;
mod harvest;
mod leaf;
mod met;
mod odds;
mod setup;
mod trial;
mod tried;
mod visit;

mod board;

mod answers;
mod apart;
mod beyond;
mod bucket;
mod closely;
mod decisive;
mod describe;
mod ends;
mod further;
mod reached;
mod sieve;
mod sketched;
mod subject;
mod survey;
mod tally;
mod under;
mod unknown;
mod unreached;
mod wider;

pub use answers::{is_about, keep_wanted};
pub use apart::{Apart, Contrast, Unsaid, apart};
pub use beyond::{Beyond, Looked, Seen, add, beyond, seen, still_open};
pub use boards::Boards;
pub use bucket::{WEAK, stronger};
pub use closely::{Close, all_of_it, along, closely, is_of_one_board};
pub use decisive::{decisive, unlimited};
pub use document::{Begun, sequences_not_run, what_is_run};
pub use ends::{Ends, Way, ends};
pub use engine::{Blamed, Continuation, Engine};
pub use example::{Examined, examine};
pub use flat::{Edge, End, NewEdge, Node, Nodes, Point};
pub use further::{Visited, comes_further, each_visited};
pub use graph::{Graph, Kept, LONGEST_WALK, NO_ORDERS, States, Task};
pub use ground::{Ground, Instance};
pub use halt::Halt;
pub use job::{Job, MORE_ROOM, Reachable, jobs, room};
pub use legal::{is_legal, is_legal_at_all};
pub use memory::{Keep, Key, Memory};
pub use mentions::{of_boards, seen_by};
pub use options::{Limits, Options, Progress, Stop};
pub use partial::{is_restricted, leaves_boards_out, leaves_out_values};
pub use reached::{Reached, Sought, reached};
pub use readings::{completed, each_alternative};
pub use sieve::{Sieve, Told};
pub use sketched::sketched;
pub use threads::Threads;
pub use tried::pairs;
pub use unreached::leave_open;
pub use values::{DIVERGES, Outcomes, Set, Values, Viewer};
pub use watch::{Evaluated, Event, Mark, Noted, Watch};
pub use wider::wider;

use std::collections::BTreeSet;

pub use crate::verdict::{Coverage, Covered};
use crate::verdict::{Limitation, Results};
use endstep_language::typing::program::{Program, ReadingId};

/// Explores everything a program asks for, and says what was found.
pub fn check(
    program: &Program,
    options: &Options,
    engine: &dyn Engine,
    progress: &mut dyn FnMut(&Progress),
) -> Results {
    let mut gathered = answers::Gathered::new(program, options);
    gathered.add(document::clauses(program));
    let mut coverage = Coverage::new(program);
    let mut complete = true;
    let mut mentioned: BTreeSet<ReadingId> = BTreeSet::new();
    let claims = options.claims.as_deref();
    let jobs = job::jobs(program, claims);
    for (at, job) in jobs.iter().enumerate() {
        let part = (at + 1, jobs.len());
        let told = &mut |told: &Progress| {
            let told = told.clone();
            progress(&Progress { part, ..told });
        };
        let scope = gathered.scopes();
        let settled = gathered.settled(job.sequence);
        let options = (options, scope);
        let explored = survey::explore((program, engine), job, options, &settled, told);
        coverage.merge(&explored.coverage);
        mentioned.extend(&explored.mentioned);
        complete &= is_complete(&explored.scope.limitations);
        gathered.explored(explored);
    }
    let examples = if claims.is_none() {
        program.examples.len()
    } else {
        0
    };
    for index in 0..examples {
        let scope = gathered.scopes();
        let examined = example::examine(program, index, options, scope);
        coverage.merge(&examined.coverage);
        let performed = program.examples[index].sequence;
        let rules = Reachable::from(program, performed, &BTreeSet::new());
        mentioned.extend(mentions::readings(program, &rules));
        complete &= is_complete(&examined.scope.limitations);
        gathered.examined(index, examined);
    }
    coverage.readings.extend(mentioned);
    if complete && !is_restricted(program, options) {
        gathered.add(document::dead(program, &coverage));
    }
    Results {
        coverage,
        narrowed: claims.is_some(),
        suggested: 0,
        unsuggested: 0,
        ..gathered.finish()
    }
}

fn is_complete(limitations: &[Limitation]) -> bool {
    limitations.is_empty()
}
