//! On which clauses what changes in runs rests, as a sentence after others.
//!
//! ```text
//! What changes there rests on clauses s.1 and s.2; what the trigger "t" changes rests on no clause.
//! ```

use super::layout::list;
use super::words::{Words, capital};
use endstep_language::typing::program::{
    ClauseIdx, Owner, Place, PlaceKind, Program, SequenceId, StmtId, StmtKind,
};
use endstep_semantics::semantics::Spot;
use endstep_semantics::witness::{Difference, Happening, Moment, Run, trace};
use std::collections::BTreeSet;

/// So many clauses are named in a sentence, and so many places without one.
const MOST: usize = 6;

/// What the changes of some runs rest on.
#[derive(Default)]
struct Rests {
    clauses: BTreeSet<ClauseIdx>,
    /// What holds statements of a clause that change something, and statements of none, as they come.
    with: Vec<Owner>,
    without: Vec<Owner>,
    /// Something else changes, and on what that rests is not known.
    unknown: bool,
}

/// The clauses on which what changes in some runs rests, and what changes something without one. Of a
/// specification without clauses nothing is said.
pub(super) fn rests(words: Words<'_>, runs: &[&Run]) -> String {
    let program = words.program;
    if program.clauses.is_empty() {
        return String::new();
    }
    let mut found = Rests::default();
    for run in runs {
        if let Ok(trace) = trace(program, run) {
            let moments = trace.moments.as_slice();
            let changing = moments.iter().filter(|one| !one.changes.is_empty());
            changing.for_each(|moment| found.add(words, moment, moments));
        }
    }
    let clauses = found.clauses.iter();
    let clauses: Vec<String> = clauses.map(|&id| program.clauses[id].id.clone()).collect();
    let without: Vec<String> = found
        .without
        .iter()
        .map(|&one| found.said(words, one))
        .collect();
    match (clauses.len(), without.is_empty()) {
        (0, true) => String::new(),
        (0, false) if !found.unknown => " What changes there rests on no clause.".to_owned(),
        (0, false) => format!(" {} on no clause.", capital(&resting(&without))),
        (number, is_all) => {
            let noun = if number == 1 { "clause" } else { "clauses" };
            let but = match is_all {
                true => String::new(),
                false => format!("; {} on no clause", resting(&without)),
            };
            format!(
                " What changes there rests on {noun} {}{but}.",
                shortened(clauses)
            )
        }
    }
}

impl Rests {
    /// Adds something that changes, among all that happens.
    fn add(&mut self, words: Words<'_>, moment: &Moment, all: &[Moment]) {
        let program = words.program;
        let Some(by) = moment.by else {
            self.unknown = true;
            return;
        };
        for stmt in doers(program, by, moment, all) {
            let Some(holder) = program.stmts[stmt].owner else {
                self.unknown = true;
                continue;
            };
            let clauses = clauses_of(program, stmt);
            let holders = match clauses.is_empty() {
                true => &mut self.without,
                false => &mut self.with,
            };
            if !holders.contains(&holder) {
                holders.push(holder);
            }
            self.clauses.extend(clauses);
        }
    }

    /// `what the trigger "t" changes`
    fn said(&self, words: Words<'_>, holder: Owner) -> String {
        let what = match holder {
            Owner::Step(id) => format!("{} changes", words.step(id)),
            Owner::Trigger(id) => format!("{} changes", words.trigger(id)),
            Owner::Restart(id) => format!("changes before {} begins again", words.sequence(id)),
        };
        match self.with.contains(&holder) {
            true => format!("some of what {what}"),
            false => format!("what {what}"),
        }
    }
}

/// The statements that bring about what changes at a moment: the one that does it, or, of a `simultaneously`, those
/// executed there that ask for something like it.
fn doers(program: &Program, by: StmtId, moment: &Moment, all: &[Moment]) -> Vec<StmtId> {
    if !matches!(program.stmts[by].kind, StmtKind::Simultaneously(_)) {
        return vec![by];
    }
    // What is asked for is executed with the heading, and made afterwards.
    let is_heading =
        |one: &&Moment| one.step <= moment.step && one.what == Happening::Statement(by);
    let begun = all.iter().rev().find(is_heading).map(|one| one.step);
    let executed = all.iter().filter(|one| Some(one.step) == begun);
    let executed = executed.filter_map(|one| match one.what {
        Happening::Statement(stmt) => Some(stmt),
        _ => None,
    });
    let asking: Vec<StmtId> = executed
        .filter(|&stmt| asks(&program.stmts[stmt].kind, &moment.changes))
        .collect();
    match asking.is_empty() {
        true => vec![by],
        false => asking,
    }
}

/// Whether a statement asks for one of some changes, as far as its text shows: of whichever entity.
fn asks(stmt: &StmtKind, changes: &[Difference]) -> bool {
    let writes = |place: &Place| {
        changes.iter().any(|change| match (change, &place.kind) {
            (Difference::Spot(Spot::Var(one), ..), PlaceKind::Var(other)) => one == other,
            (Difference::Spot(Spot::Field(_, one), ..), PlaceKind::Field(_, other)) => one == other,
            _ => false,
        })
    };
    let has = |wanted: fn(&Difference) -> bool| changes.iter().any(wanted);
    match stmt {
        StmtKind::Set(place, _) | StmtKind::Increase(place, ..) | StmtKind::Decrease(place, ..) => {
            writes(place)
        }
        StmtKind::Transfer { from, to, .. } => writes(from) || writes(to),
        StmtKind::Move(..) => has(|one| matches!(one, Difference::Zone(..))),
        StmtKind::Announce(..) => has(|one| matches!(one, Difference::Queue(..))),
        // What else may stand there changes nothing itself.
        _ => false,
    }
}

/// The clauses of a statement, else those of the step or trigger around it, else what the sequence cites as a whole.
fn clauses_of(program: &Program, stmt: StmtId) -> Vec<ClauseIdx> {
    let stmt = &program.stmts[stmt];
    let around = |id: SequenceId| program.sequences[id].cites.clone();
    let (own, sequence) = match (stmt.clause, stmt.owner) {
        (None, Some(Owner::Step(id))) => {
            let step = &program.steps[id];
            let own: Vec<ClauseIdx> = step.clause.iter().chain(&step.cites).copied().collect();
            (own, Some(step.sequence))
        }
        (None, Some(Owner::Trigger(id))) => {
            let trigger = &program.triggers[id];
            let own = trigger.clause.iter().chain(&trigger.cites);
            (own.copied().collect(), None)
        }
        (None, Some(Owner::Restart(id))) => (Vec::new(), Some(id)),
        (clause, _) => (clause.into_iter().collect(), None),
    };
    match own.is_empty() {
        true => sequence.map_or(own, around),
        false => own,
    }
}

/// `what the trigger "t" changes rests`
fn resting(what: &[String]) -> String {
    let verb = if what.len() == 1 { "rests" } else { "rest" };
    format!("{} {verb}", shortened(what.to_vec()))
}

/// The first of several, and how many there are beside them.
fn shortened(mut all: Vec<String>) -> String {
    let more = all.len().saturating_sub(MOST);
    if more > 0 {
        all.truncate(MOST);
        all.push(format!("{more} more"));
    }
    list(&all, "and")
}
