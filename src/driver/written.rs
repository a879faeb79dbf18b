//! Asks claims and questions of the boards that a specification writes down (`docs/semantics.md`, 9).
//!
//! ```text
//! claim the_last_lane_counts      holds in scope, Lane.height 0 to 1
//! board tall [Lane height 7]      a run in which it does not: refuted
//! ```
//!
//! A board in the file is one that its author thinks of. That it lies beyond what is explored is no reason
//! not to look at it.
//!
//! *Guarantees.* What is told was replayed. Legal boards are counted: those of which all runs were visited, and
//! those of which they were not.
//!
//! *Limits.* Boards on which something is not as it starts are left out: they are moments in the middle of
//! a run. Each board has limits of its own.

use std::collections::{BTreeMap, BTreeSet};

use endstep_engines::explore::Explorer;
use endstep_language::typing::program::{Program, SequenceId, Value};
use endstep_semantics::semantics::Data;
use endstep_verdicts::analysis::{
    self, Job, Limits, Looked, MORE_ROOM, Options, Threads, beyond, jobs, leaves_boards_out, room,
    seen,
};
use endstep_verdicts::verdict::{Outside, Results};

/// What looking at one board may cost.
const LIMITS: Limits = Limits {
    boards: 1,
    candidates: 1,
    states: 50_000,
    readings: 64,
    steps: 2_000_000,
};

/// So many are looked at before anything is made of what they show.
const AT_ONCE: usize = 16;

/// Adds to results what written boards show, unless somebody wants to see some boards only.
pub fn written(program: &Program, options: &Options, results: &mut Results) {
    if leaves_boards_out(program, options) || program.boards.ids().next().is_none() {
        return;
    }
    let jobs = asked(program, options);
    let engine = Explorer::new(program);
    let boards = program.boards.iter();
    let boards = boards.map(|(id, board)| (id, Data::from_board(program, board).0));
    let mut boards: Vec<_> = boards.filter(|(_, board)| begins(program, board)).collect();
    // Of several boards that show the same, the smallest is reported.
    boards.sort_by_key(|(_, board)| board.entities.len());
    let mut known = BTreeSet::new();
    let mut looks: Vec<(Outside, Data, Job)> = Vec::new();
    for (id, board) in boards {
        if known.insert(board.clone()) {
            let far = room(program, &board).saturating_add(MORE_ROOM);
            looks.extend(jobs.iter().map(|job| {
                let mut job = job.clone();
                job.variant.extra = far;
                (Outside::Written(id), board.clone(), job)
            }));
        }
    }
    let threads = Threads::new(options.threads);
    let mut tried: BTreeMap<SequenceId, u64> = BTreeMap::new();
    let mut given_up: BTreeMap<SequenceId, u64> = BTreeMap::new();
    let mut open = Vec::new();
    for part in looks.chunks(AT_ONCE) {
        let all = threads.map(part, |(_, (outside, board, job))| {
            let looked = Looked {
                board,
                outside: *outside,
                limits: LIMITS,
            };
            seen((program, &engine), job, looked)
        });
        for (seen, (.., job)) in all.into_iter().zip(part) {
            let mut found = beyond(program, seen, results);
            open.append(&mut found.open);
            let account = match found.complete {
                true => &mut tried,
                false => &mut given_up,
            };
            if found.legal {
                *account.entry(job.sequence).or_default() += 1;
            }
            analysis::add(program, found, results);
        }
    }
    analysis::still_open(open, results);
    for job in &jobs {
        let mut scopes = results.scopes.iter_mut();
        if let Some(scope) = scopes.find(|scope| scope.subject == job.subject) {
            scope.written = tried.get(&job.sequence).copied().unwrap_or_default();
            scope.unvisited = given_up.get(&job.sequence).copied().unwrap_or_default();
        }
    }
}

/// The claims, by the sequence that they are about.
fn asked(program: &Program, options: &Options) -> Vec<Job> {
    let mut found: Vec<Job> = Vec::new();
    for mut job in jobs(program, options.claims.as_deref()) {
        let known = found.iter().any(|one| one.sequence == job.sequence);
        if !known && job.on.is_none() && !job.claims.is_empty() {
            job.full = false;
            job.all_legal = true;
            found.push(job);
        }
    }
    found
}

/// Whether a run could begin with a board, whatever is explored: no value is out of the document's bounds either.
pub fn could_begin(program: &Program, board: &Data) -> bool {
    let vars = program.vars.values().iter().map(|var| var.bounds);
    let vars = vars.zip(&board.vars);
    let fields = board.entities.iter().flat_map(|entity| {
        let fields = program.sorts[entity.sort].fields.iter();
        let bounds = fields.map(|&field| program.fields[field].bounds);
        bounds.zip(&entity.fields)
    });
    let mut values = vars.chain(fields);
    let fit = values.all(|(bounds, value)| match (bounds.document, value) {
        (Some((low, high)), Value::Int(n)) => (low..=high).contains(n),
        _ => true,
    });
    fit && begins(program, board)
}

/// Whether a claim is asked of this board alone: it may be a moment in the middle of a run.
pub fn is_asked_of(program: &Program, board: &Data) -> bool {
    let mut boards = program.claims.iter().filter_map(|claim| claim.on);
    boards.any(|on| Data::from_board(program, &program.boards[on]).0 == *board)
}

/// Whether a run could begin with a board: what starts somehow does so, and nothing is more or fewer than
/// the document allows.
fn begins(program: &Program, board: &Data) -> bool {
    let vars = program.vars.values().iter().zip(&board.vars);
    let mut vars = vars.filter_map(|(var, value)| Some((var.starts?, *value)));
    let fields = board.entities.iter().flat_map(|entity| {
        let fields = program.sorts[entity.sort].fields.iter();
        fields.zip(&entity.fields)
    });
    let mut fields =
        fields.filter_map(|(&field, value)| Some((program.fields[field].starts?, *value)));
    let mut zones = board.zones.iter().map(|((zone, _), contents)| {
        let zone = &program.zones[*zone];
        let most = zone.capacity.map_or(usize::MAX, |most| most as usize);
        contents.len() <= most && (contents.is_empty() || !zone.starts_empty)
    });
    let mut sorts = program.sorts.iter().map(|(id, sort)| {
        let count = board.members(id).count();
        let (low, high) = sort.document.unwrap_or((0, u32::MAX));
        (low as usize..=high as usize).contains(&count)
    });
    vars.all(|(starts, value)| starts == value)
        && fields.all(|(starts, value)| starts == value)
        && zones.all(|fits| fits)
        && sorts.all(|fits| fits)
}
