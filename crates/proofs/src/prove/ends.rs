//! Whether a sequence comes to an end on every board.
//!
//! What has no loop ends, since boards are finite. Loops are sequences that start again, `repeat`, and
//! the resolving of a queue into which what is resolved announces more. For each, measures are looked
//! for that never grow while it goes on and of which one becomes less each time round: in order of
//! rank, so that one may grow when one before it becomes less.
//!
//! ```text
//! cleanup starts again when something waits
//!   destroy: set c.destroyed, set c.due        fewer cards on the board that are not destroyed
//!   afterlife: unset c.due, announce           as many of these, fewer that are due
//! ```
//!
//! A rule that starts a sequence again when something has become so needs a measure to become less
//! whenever that becomes so, and it must not be so any more when the next pass begins. Of a queue that
//! is resolved until it is empty, how many wait may only grow when a measure becomes less.
//!
//! *Background.* R. W. Floyd, *Assigning meanings to programs*, 1967; C. Alias, A. Darte, P. Feautrier,
//! L. Gonnord, *Multi-dimensional rankings, program termination, and complexity bounds of flowchart
//! programs*, SAS 2010: the greedy search for lexicographic measures.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use petgraph::algo::is_cyclic_directed;
use petgraph::graphmap::DiGraphMap;

use super::keep::{Candidate, Says, Where, keep};
use super::measure::measures;
use super::met::Inner;
use super::reach::{Key, all_blocks, heard, set};
use super::state::State;
use super::summary::{Summary, closure, parts, uncut, writes};
use crate::smt::{Reply, Solver};
use endstep_kernel::footprint::{self, Place, Reached, Unit, reached};
use endstep_kernel::ir::{Each, Function, OpKind, Range, System};
use endstep_language::typing::program::{
    BlockId, DomainPolicy, EventId, QueueId, SequenceId, StmtId,
};
use endstep_verdicts::verdict::{Argument, Certificate, Obstacle, Refusal};

type Result<T> = std::result::Result<T, Refusal>;

/// With which parts a loop begins, and which events are announced at all.
type Begun<'a> = (&'a [Key], &'a Rc<BTreeSet<EventId>>);

/// So many ranks of measures are looked for.
const MOST_RANKS: usize = 4;

/// Something that may be done again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Loop {
    /// A sequence that starts again.
    Restart(SequenceId),
    /// A `repeat`, in a unit.
    Repeat(StmtId, BlockId, Unit),
    /// What waits is resolved until nothing waits.
    Resolve(QueueId),
}

/// Why a sequence ends on every board of which some conditions are true, if that can be shown.
///
/// # Errors
///
/// What stands in the way; nothing is said of whether it ends.
pub fn terminates(
    system: &System,
    sequence: SequenceId,
    conditions: &[Function],
) -> std::result::Result<Certificate, Refusal> {
    let solver = &mut Solver::varied(super::RESOURCES, super::MOST_QUESTIONS);
    if let Some(certificate) = goes_straight(system, sequence) {
        return Ok(certificate);
    }
    let all = &reached(system, sequence);
    super::has_terms(system, all)?;
    straight(system, all)?;
    let loops = loops(system, all);
    let given = conditions.iter().enumerate().map(|(number, of)| Candidate {
        number,
        of,
        says: Says::Always,
    });
    let given: Vec<Candidate<'_>> = given.collect();
    let heard = &heard(system, sequence);
    let mut whole = uncut(system, solver, (parts(system, sequence), heard))?;
    let kept = keep(&mut whole, solver, (&[], &given), Where::Throughout)?;
    let mut questions = sound(&mut whole, solver, &kept.all)?;
    drop(whole);
    let (mut found, mut queues) = (Vec::new(), Vec::new());
    let restarts = loops.iter().any(|one| matches!(one, Loop::Restart(_)));
    for one in loops {
        let (ranks, asked) = ranked(system, solver, (one, &kept.all, heard))?;
        questions.extend(asked);
        let told = match one {
            Loop::Restart(_) | Loop::Repeat(..) => &mut found,
            Loop::Resolve(_) => &mut queues,
        };
        if !told.contains(&ranks) {
            told.push(ranks);
        }
    }
    Ok(Certificate {
        argument: Argument::Ranking {
            loops: found,
            queues,
            restarts,
        },
        questions,
    })
}

/// That a sequence ends because nothing in it is done again and again, if that is so.
pub fn goes_straight(system: &System, sequence: SequenceId) -> Option<Certificate> {
    let all = &reached(system, sequence);
    let is_straight = super::has_terms(system, all).is_ok()
        && straight(system, all).is_ok()
        && loops(system, all).is_empty();
    is_straight.then(|| Certificate {
        argument: Argument::Straight,
        questions: Vec::new(),
    })
}

/// What is kept is kept, the terms mean what the rules do, and it is all possible.
pub(super) fn sound<'s>(
    parts: &mut [Summary<'s>],
    solver: &mut Solver,
    kept: &[Candidate<'s>],
) -> Result<Vec<String>> {
    let mut questions = Vec::new();
    let mut possible = false;
    for part in parts {
        let granted = part.granted(kept);
        let mut goals = part.required.clone();
        let start = part.start.clone();
        for (guard, state) in part.moments(Where::Throughout)? {
            for &one in kept {
                if part.is_as_before(one, (&start, &state)) {
                    continue;
                }
                if let Some(says) = part.says(one, kept, (&start, &state)) {
                    goals.push(part.c.terms.implies(guard, says));
                }
            }
        }
        let goal = part.c.terms.and(&goals);
        if part.c.terms.is_truth(goal) != Some(true) {
            match part.follows(solver, &granted, goal)? {
                Some(question) => questions.push(question),
                None => return Err(Obstacle::Form.into()),
            }
        }
        if !possible {
            let no = part.c.terms.truth(false);
            possible = matches!(part.ask(solver, &granted, no)?.1, Reply::Satisfiable(_));
        }
    }
    match possible {
        true => Ok(questions),
        false => Err(Obstacle::Form.into()),
    }
}

/// Nothing but the loops that are looked at can go on for ever.
fn straight(system: &System, all: &Reached) -> Result<()> {
    let units = units(all);
    let mut begins: DiGraphMap<Unit, ()> = DiGraphMap::new();
    let mut waited = BTreeSet::new();
    for &unit in &units {
        let mut bad = None;
        each_op(system, unit, &mut |id| {
            let op = &system.ops[id].kind;
            let resolves = matches!(op, OpKind::Resolve { .. });
            for begun in footprint::come_to(system, op) {
                match resolves {
                    true => drop(waited.insert(begun)),
                    false => drop(begins.add_edge(unit, begun, ())),
                }
            }
            if let OpKind::Each(each) = op
                && let Some(obstacle) = goes_on(system, (id, each), unit)
            {
                bad = Some(Refusal::at(obstacle, system.ops[id].span));
            }
        });
        if let Some(bad) = bad {
            return Err(bad);
        }
    }
    if is_cyclic_directed(&begins) {
        return Err(Obstacle::Reacts.into());
    }
    // While something is resolved, nothing else is.
    let mut todo: Vec<Unit> = waited.into_iter().collect();
    let mut seen = BTreeSet::new();
    while let Some(unit) = todo.pop() {
        if !seen.insert(unit) {
            continue;
        }
        let mut bad = None;
        each_op(system, unit, &mut |id| {
            let op = &system.ops[id].kind;
            if matches!(op, OpKind::Resolve { .. }) {
                bad = Some(Refusal::at(Obstacle::Resolves, system.ops[id].span));
            }
            todo.extend(footprint::come_to(system, op));
        });
        if let Some(bad) = bad {
            return Err(bad);
        }
    }
    Ok(())
}

pub(super) fn units(all: &Reached) -> Vec<Unit> {
    let sequences = all.sequences.iter().copied().map(Unit::Procedure);
    let triggers = all.triggers.iter().copied().map(Unit::Trigger);
    sequences.chain(triggers).collect()
}

/// Why an iteration could find new elements for ever, if it could.
fn goes_on(system: &System, (id, each): (StmtId, &Each), unit: Unit) -> Option<Obstacle> {
    let print = footprint::of_statement(system, id, unit);
    let sort = super::frame::sort(each.binder.ty);
    let no_new = sort.is_none_or(|sort| !print.creates.contains(&sort));
    let still = match &each.binder.range {
        Range::Zone(zone) => !print.writes.contains(&Place::Zone(zone.zone)),
        Range::Sort(_) | Range::Enum(..) | Range::Bool => true,
    };
    fn found(domain: &DomainPolicy, no_new: bool, still: bool) -> Option<Obstacle> {
        match domain {
            DomainPolicy::Snapshot | DomainPolicy::Rechecked => None,
            DomainPolicy::Live => (!no_new).then_some(Obstacle::Creates),
            DomainPolicy::LiveByPosition => (!(no_new && still)).then_some(Obstacle::ByPosition),
            // They can go on reacting.
            DomainPolicy::UntilAllPass => Some(Obstacle::Turns),
            DomainPolicy::Per(_, all) => all.iter().find_map(|one| found(one, no_new, still)),
        }
    }
    found(&each.domain, no_new, still)
}

/// Each operation of a unit.
pub(super) fn each_op(system: &System, unit: Unit, then: &mut dyn FnMut(StmtId)) {
    let mut blocks = all_blocks(system, unit);
    while let Some(block) = blocks.pop() {
        for &op in &system.blocks[block].ops {
            then(op);
            blocks.extend(system.ops[op].kind.blocks());
        }
    }
}

/// What may go round in a sequence.
fn loops(system: &System, all: &Reached) -> Vec<Loop> {
    let mut found = BTreeSet::new();
    for &id in &all.sequences {
        if system.procedures[id].restart.is_some() {
            found.insert(Loop::Restart(id));
        }
    }
    for unit in units(all) {
        each_op(system, unit, &mut |id| match &system.ops[id].kind {
            OpKind::Repeat(_, body) => drop(found.insert(Loop::Repeat(id, *body, unit))),
            OpKind::Resolve { one: false, queue } => {
                let print = footprint::of_statement(system, id, unit);
                let feeds = print
                    .announces
                    .iter()
                    .any(|&event| system.events[event].queue == Some(*queue));
                if feeds {
                    found.insert(Loop::Resolve(*queue));
                }
            }
            _ => {}
        });
    }
    found.into_iter().collect()
}

/// The measures that become less each time round, by rank, and what was asked.
fn ranked<'s>(
    system: &'s System,
    solver: &mut Solver,
    (round, given, heard): (Loop, &[Candidate<'s>], &Rc<BTreeSet<EventId>>),
) -> Result<(Vec<String>, Vec<String>)> {
    // The next pass would be cancelled for what is old; and that no pass begins so is taken for granted.
    if let Loop::Restart(id) = round {
        let rule = system.procedures[id].restart.as_ref();
        if rule.and_then(|rule| rule.before).is_none() {
            return Err(Obstacle::Ranks.into());
        }
    }
    let begin = begin(system, (round, heard));
    let mut written = BTreeSet::new();
    for (inner, _) in &begin {
        written.extend(writes(system, *inner));
    }
    // What is created has the values that it has from the first.
    let set = set(system, &begin);
    written.retain(|place| !matches!(place, Place::Field(_)) || set.contains(place));
    let mut all = measures(system, &written, false);
    let singles = all.len();
    all.extend(measures(system, &written, true));
    // Measures live as long as the parts in which they are valued.
    let functions: Vec<Function> = all.into_iter().map(|one| one.of).collect();
    search(
        system,
        solver,
        (round, given, (&begin, heard)),
        (&functions, singles),
    )
}

fn search<'a, 's: 'a>(
    system: &'a System,
    solver: &mut Solver,
    (round, given, (begin, heard)): (Loop, &[Candidate<'s>], Begun<'_>),
    (functions, singles): (&'a [Function], usize),
) -> Result<(Vec<String>, Vec<String>)> {
    let given: Vec<Candidate<'a>> = given.to_vec();
    let mut parts: Vec<Summary<'a>> = closure(system, solver, (begin.to_vec(), heard))?;
    for part in &mut parts {
        part.uncut(round)?;
    }
    // Values are remembered by number.
    let offset = given.iter().map(|one| one.number + 1).max().unwrap_or(0);
    let candidate = |at: usize, rank: usize| Candidate {
        number: offset + at,
        of: &functions[at],
        says: Says::NotMore(rank),
    };
    let single = |number: usize| number < offset + singles;
    let mut tried: BTreeSet<usize> = (0..singles).collect();
    let mut ranks: Vec<Candidate<'a>> = Vec::new();
    for rank in 0..MOST_RANKS {
        if solver.gave_up() {
            break;
        }
        let known: BTreeSet<usize> = ranks.iter().map(|one| one.number).collect();
        let all = tried.iter().map(|&at| candidate(at, rank));
        let all: Vec<Candidate<'a>> = all.filter(|one| !known.contains(&one.number)).collect();
        let mut granted = given.clone();
        granted.extend(&ranks);
        let more = keep(&mut parts, solver, (&granted, &all), Where::Ends)?;
        let before = ranks.len();
        for one in more.all {
            let mut any = false;
            for part in &mut parts {
                any |= part.changes(one)?;
            }
            ranks.extend(any.then_some(one));
        }
        if shown(&mut parts, solver, (round, &given, &ranks))?.is_some() {
            let ranks = fewest(&mut parts, solver, (round, &given, ranks))?;
            let asked = shown(&mut parts, solver, (round, &given, &ranks))?;
            let words = ranks.iter().map(|one| one.of.name.clone());
            return Ok((words.collect(), asked.unwrap_or_default()));
        }
        if rank == 0 {
            let all: Vec<Candidate<'a>> = (0..functions.len())
                .map(|at| candidate(at, MOST_RANKS))
                .collect();
            let more = wanted(&mut parts, solver, (round, &given, &ranks), (&all, &single))?;
            tried.extend(more.into_iter().map(|number| number - offset));
        } else if ranks.len() == before {
            break;
        }
    }
    Err(Obstacle::Ranks.into())
}

/// The parts of a loop.
fn begin(system: &System, (round, heard): (Loop, &BTreeSet<EventId>)) -> Vec<Key> {
    match round {
        Loop::Restart(id) => parts(system, id),
        Loop::Repeat(_, body, unit) => vec![(Inner::Block(body, unit), BTreeSet::new())],
        Loop::Resolve(queue) => {
            let op = OpKind::Resolve { one: false, queue };
            let begun = footprint::come_to(system, &op).into_iter();
            begun
                .filter_map(|unit| match unit {
                    Unit::Trigger(id) if heard.contains(&system.triggers[id].event) => {
                        Some((Inner::Trigger(id), BTreeSet::new()))
                    }
                    Unit::Trigger(_) | Unit::Procedure(_) => None,
                })
                .collect()
        }
    }
}

/// A moment of a part, by their positions.
type Target = (usize, usize);

/// The numbers of measures with conditions of two parts that may be of use: those that become less where
/// progress is missing, and where one that does may grow.
fn wanted<'s>(
    parts: &mut [Summary<'s>],
    solver: &mut Solver,
    (round, given, ranks): (Loop, &[Candidate<'s>], &[Candidate<'s>]),
    (all, single): (&[Candidate<'s>], &dyn Fn(usize) -> bool),
) -> Result<BTreeSet<usize>> {
    let mut known = given.to_vec();
    known.extend(ranks);
    let mut found = BTreeSet::new();
    let mut targets: BTreeSet<Target> = BTreeSet::new();
    for (at, part) in parts.iter_mut().enumerate() {
        targets.extend(
            part.lacking(solver, (round, &known, ranks))?
                .into_iter()
                .map(|moment| (at, moment)),
        );
    }
    for _ in 0..2 {
        let mut useful: Vec<Candidate<'s>> = Vec::new();
        for &(at, moment) in &targets {
            for one in parts[at].falling(solver, &known, (moment, all))? {
                if found.insert(one.number) {
                    useful.push(one);
                }
            }
        }
        // Where a simple one is of use, what it lacks is looked for.
        let simple = |one: &Candidate<'s>| single(one.number);
        if useful.iter().any(simple) {
            useful.retain(simple);
        }
        targets.clear();
        for (at, part) in parts.iter_mut().enumerate() {
            let growing = part.growing(solver, &known, &useful)?;
            targets.extend(growing.into_iter().map(|moment| (at, moment)));
        }
    }
    Ok(found)
}

/// Few measures that are still enough: where progress is missing one that becomes less is taken, that which
/// helps most often; and where that may grow one of a lower rank.
fn fewest<'s>(
    parts: &mut [Summary<'s>],
    solver: &mut Solver,
    (round, given, ranks): (Loop, &[Candidate<'s>], Vec<Candidate<'s>>),
) -> Result<Vec<Candidate<'s>>> {
    let mut todo: Vec<(Target, usize)> = Vec::new();
    for (at, part) in parts.iter_mut().enumerate() {
        let lacking = part.lacking(solver, (round, given, &[]))?;
        todo.extend(lacking.into_iter().map(|moment| ((at, moment), MOST_RANKS)));
    }
    let mut taken: Vec<Candidate<'s>> = Vec::new();
    loop {
        let mut helps: BTreeMap<usize, usize> = BTreeMap::new();
        let mut open = Vec::new();
        for &((at, moment), below) in &todo {
            let lower =
                |one: &&Candidate<'s>| matches!(one.says, Says::NotMore(rank) if rank < below);
            let all: Vec<Candidate<'s>> = ranks.iter().filter(lower).copied().collect();
            let falling = parts[at].falling(solver, &ranks_and(given, &ranks), (moment, &all))?;
            let has = |one: &Candidate<'s>| taken.iter().any(|other| other.number == one.number);
            if falling.iter().any(has) {
                continue;
            }
            for one in &falling {
                *helps.entry(one.number).or_default() += 1;
            }
            open.push(((at, moment), below));
        }
        let best = ranks
            .iter()
            .filter(|one| helps.contains_key(&one.number))
            .max_by_key(|one| (helps[&one.number], std::cmp::Reverse(one.number)));
        // What nothing helps is shown by what is known of all together, or not at all.
        let Some(&best) = best else {
            break;
        };
        todo = open;
        taken.push(best);
        let Says::NotMore(rank) = best.says else {
            break;
        };
        let alone = Candidate {
            says: Says::NotMore(0),
            ..best
        };
        for (at, part) in parts.iter_mut().enumerate() {
            let growing = part.growing(solver, &ranks_and(given, &ranks), &[alone])?;
            todo.extend(growing.into_iter().map(|moment| ((at, moment), rank)));
        }
    }
    taken.sort_by_key(|one| match one.says {
        Says::NotMore(rank) => (rank, one.number),
        Says::Always | Says::Same => (0, one.number),
    });
    match shown(parts, solver, (round, given, &taken))? {
        Some(_) => Ok(taken),
        None => Ok(ranks),
    }
}

fn ranks_and<'s>(given: &[Candidate<'s>], ranks: &[Candidate<'s>]) -> Vec<Candidate<'s>> {
    given.iter().chain(ranks).copied().collect()
}

/// The questions that show that measures are enough; none if they are not.
fn shown<'s>(
    parts: &mut [Summary<'s>],
    solver: &mut Solver,
    (round, given, ranks): (Loop, &[Candidate<'s>], &[Candidate<'s>]),
) -> Result<Option<Vec<String>>> {
    let mut known = given.to_vec();
    known.extend(ranks);
    let mut questions = Vec::new();
    for part in parts {
        let mut granted = part.granted(&known);
        let around: Vec<(State<'s>, State<'s>)> = part
            .unknown
            .iter()
            .filter(|one| one.composed)
            .map(|one| (one.before.clone(), one.after.clone()))
            .collect();
        for (before, after) in &around {
            granted.push(part.progress(round, ranks, (before, after))?);
        }
        let start = part.start.clone();
        let mut goals = part.required.clone();
        for (guard, state) in part.moments(Where::Ends)? {
            for &one in ranks {
                if let Some(says) = part.says(one, &known, (&start, &state)) {
                    goals.push(part.c.terms.implies(guard, says));
                }
            }
            let progress = part.progress(round, ranks, (&start, &state))?;
            goals.push(part.c.terms.implies(guard, progress));
        }
        granted.extend(part.while_so(round)?);
        goals.extend(part.next_round(round, ranks)?);
        let goal = part.c.terms.and(&goals);
        match part.follows(solver, &granted, goal)? {
            Some(question) => questions.push(question),
            None => return Ok(None),
        }
    }
    Ok(Some(questions))
}
