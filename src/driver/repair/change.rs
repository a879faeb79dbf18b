//! Changes of a specification that could make a finding go away, and making them in the typed program.

use endstep_language::typing::program::{
    Binder, BlockId, ListPolicy, Order, Program, ReadingId, StepId, StmtKind, VisitMut, Walk,
};
use endstep_semantics::semantics::{Key, Site, Who};
use endstep_verdicts::analysis::Options;
use endstep_verdicts::verdict::{Change, ClaimFailure, Detail, Finding, Pair};

/// What could be changed so that a finding goes away, with how large a change it is, the smallest first.
pub(super) fn changes(program: &Program, finding: &Finding) -> Vec<(u8, Change)> {
    match &finding.detail {
        // What somebody decides is meant to be open, unless it is claimed to make no difference.
        Detail::Order(pair) | Detail::Steps(_, pair) | Detail::SameGap(_, pair)
            if pair.who != Who::Nobody =>
        {
            Vec::new()
        }
        Detail::Order(pair)
        | Detail::Steps(_, pair)
        | Detail::SameGap(_, pair)
        | Detail::Claim(_, ClaimFailure::Order(pair)) => of_pair(program, pair),
        Detail::Reading { reading, .. } | Detail::ReadingPower { reading, .. } => {
            fixed(program, *reading)
        }
        Detail::MissingRecheck(_, step) => vec![(0, Change::Again(*step))],
        _ => Vec::new(),
    }
}

fn of_pair(program: &Program, pair: &Pair) -> Vec<(u8, Change)> {
    let mut found = Vec::new();
    match (&pair.first, &pair.second) {
        (Key::Step(one), Key::Step(other)) => {
            let (first, second) = as_written(program, pair.site, (*one, *other));
            found.push((0, Change::Before(first, second)));
            found.push((0, Change::Before(second, first)));
            if let Site::Sequence(sequence) = pair.site {
                match program.sequences[sequence].policy {
                    ListPolicy::Unspecified(reading) => {
                        found.push((1, Change::Reading(reading, 0)))
                    }
                    _ => found.push((1, Change::AsWritten(sequence))),
                }
            }
        }
        (Key::Element(..), Key::Element(..)) => found.push((0, Change::LeftToRight(pair.site))),
        (Key::Instance(one), Key::Instance(other)) if one.trigger == other.trigger => {
            found.push((0, Change::LeftToRight(pair.site)));
        }
        _ => {}
    }
    found
}

/// Two steps of a list, the one that stands before the other first.
fn as_written(program: &Program, site: Site, (one, other): (StepId, StepId)) -> (StepId, StepId) {
    let place = |step: StepId| match site {
        Site::Sequence(id) => program.sequences[id]
            .steps
            .iter()
            .position(|&at| at == step),
        _ => None,
    };
    match place(one) <= place(other) {
        true => (one, other),
        false => (other, one),
    }
}

/// Every alternative of a reading.
fn fixed(program: &Program, reading: ReadingId) -> Vec<(u8, Change)> {
    let count = program.readings[reading].alternatives.len();
    let alternatives = (0..count).filter_map(|at| u16::try_from(at).ok());
    alternatives
        .map(|at| (0, Change::Reading(reading, at)))
        .collect()
}

/// Makes a change; `None` if it cannot be made.
pub(super) fn make(change: Change, program: &mut Program, options: &mut Options) -> Option<()> {
    match change {
        Change::Before(one, other) => {
            let sequence = program.steps[one].sequence;
            program.sequences[sequence].precedes.push((one, other));
        }
        Change::AsWritten(sequence) => {
            program.sequences[sequence].policy = ListPolicy::InOrder;
        }
        Change::Reading(reading, alternative) => {
            if options.readings.contains_key(&reading) {
                return None;
            }
            options.readings.insert(reading, alternative);
        }
        Change::LeftToRight(site) if !can_be_ordered(program, site) => return None,
        Change::LeftToRight(site) => {
            let order = match site {
                Site::Stmt(stmt) => match &mut program.stmts[stmt].kind {
                    StmtKind::ForEach { order, .. } => order,
                    _ => return None,
                },
                Site::Places(sequence) => &mut program.sequences[sequence].over.as_mut()?.order,
                Site::Event(event) => program.events[event].listeners.insert(Order::Any),
                // These have no order of their own.
                Site::Sequence(_) | Site::Trigger(_) | Site::Step(_) | Site::Outside(_) => {
                    return None;
                }
            };
            *innermost(order) = Order::Zone {
                reversed: false,
                from: None,
            };
        }
        Change::Again(step) => {
            let mut again = program.steps[step].clone();
            again.body = copied(program, again.body);
            let sequence = again.sequence;
            again.name.push_str(" again");
            let id: StepId = program.steps.push(again);
            program.sequences[sequence].steps.push(id);
        }
    }
    Some(())
}

/// The order of those of equal rank.
fn innermost(order: &mut Order) -> &mut Order {
    match order {
        Order::Ranked(ranked) => innermost(&mut ranked.then),
        order => order,
    }
}

/// Whether a specification can say that what is taken at a site is taken as it lies.
fn can_be_ordered(program: &Program, site: Site) -> bool {
    match site {
        Site::Stmt(stmt) => match &program.stmts[stmt].kind {
            StmtKind::ForEach { binder, .. } => program.lies_in_order(binder),
            _ => false,
        },
        Site::Places(sequence) => {
            let over = program.sequences[sequence].over.as_ref();
            over.is_some_and(|over| program.lies_in_order(&over.binder))
        }
        // The order is said of all listeners of an event together.
        Site::Event(event) => {
            let triggers = program.triggers.values().iter();
            let triggers = triggers.filter(|trigger| trigger.event == event);
            let listeners: Vec<&Binder> = triggers.flat_map(|one| &one.listener).collect();
            let first = listeners.first();
            let together = |one: &&Binder| first.is_none_or(|first| first.is_in_line_with(one));
            let mut all = listeners.iter();
            all.all(|one| program.lies_in_order(one) && together(one))
        }
        Site::Sequence(_) | Site::Trigger(_) | Site::Step(_) | Site::Outside(_) => false,
    }
}

/// A copy of a block with statements of its own.
fn copied(program: &mut Program, block: BlockId) -> BlockId {
    let mut copy = program.blocks[block].clone();
    for at in &mut copy.stmts {
        let mut stmt = program.stmts[*at].clone();
        stmt.kind.inside_mut(&mut Copied(program));
        *at = program.stmts.push(stmt);
    }
    program.blocks.push(copy)
}

/// Puts a copy where a block is.
struct Copied<'p>(&'p mut Program);

impl VisitMut for Copied<'_> {
    fn block_mut(&mut self, id: &mut BlockId) {
        *id = copied(self.0, *id);
    }
}
