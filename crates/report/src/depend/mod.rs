//! What depends on what: pictures of a specification as graphs, with what the engines know of them.
//!
//! | kind | nodes | arrows |
//! |---|---|---|
//! | steps | the steps of each sequence | what one writes and a later one reads; pairs of a list whose order is open |
//! | triggers | events, triggers, steps that announce | what brings what about; what decides whether it happens |
//! | fields | places of the data | what is read to write what, and what decides whether it is written |
//! | clauses | clauses of a document | references, precedence, and the arrows of their steps |
//!
//! ```text
//! destroy ──announces──► destroyed ──► feeds ──announces──► destroyed      goes round
//! ```
//!
//! A cycle in the text is a *candidate*: strongly connected components of what brings what about. It
//! is *confirmed* by a loop whose witness goes through one of its triggers, *cleared* if everything
//! was explored and no run loops, and else *possible*.
//!
//! *Guarantees.* Arrows come from [footprints](endstep_kernel::footprint): where nothing writes what another
//! reads, there is none. In a list whose steps have a fixed order, an arrow comes from the nearest
//! step before that writes; what that one leaves alone comes from those before it. Results, if given,
//! only add what they have a witness or an exhausted scope for.
//!
//! *Limits.* Those of footprints: two cards' health is one place. Arrows between places are found
//! operation by operation, without what a caller decides; what can influence a claim is told by the
//! [cone](endstep_kernel::footprint::cone), which is sound.
//!
//! *Background.* A. Aiken, J. Hellerstein, J. Widom, *Static analysis techniques for predicting the
//! behavior of active database rules*, TODS 20(1), 1995: the triggering graph. R. Tarjan, *Depth-first
//! search and linear graph algorithms*, 1972.

mod clauses;
mod fields;
mod known;
mod steps;
mod triggers;

use std::collections::BTreeSet;

use endstep_kernel::footprint::Place;
use endstep_kernel::ir::System;
use endstep_language::typing::program::{
    ClauseIdx, EventId, Program, SequenceId, StepId, TriggerId,
};
use endstep_verdicts::verdict::Results;

/// What a picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The steps of sequences.
    Steps,
    /// Events and triggers.
    Triggers,
    /// Places of the data.
    Fields,
    /// Clauses.
    Clauses,
}

/// What is connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Thing {
    /// A step.
    Step(StepId),
    /// An event.
    Event(EventId),
    /// A trigger.
    Trigger(TriggerId),
    /// A place of the data.
    Place(Place),
    /// A clause.
    Clause(ClauseIdx),
}

/// What a connection means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Link {
    /// What the first writes the second reads.
    Feeds,
    /// Both write it.
    Overwrites,
    /// The first, which comes later, can undo what the second established.
    Undoes,
    /// The order of the two makes a difference, or nobody knows that it makes none.
    Conflicts,
    /// The two can change places.
    Commutes,
    /// The first brings the second about: announces, wakes, performs.
    Causes,
    /// What the first writes decides whether the second happens.
    Enables,
    /// A clause refers to another.
    Refers,
    /// A clause yields to another.
    Yields,
}

impl Link {
    /// Whether the connection has a direction.
    pub fn is_directed(self) -> bool {
        !matches!(self, Self::Conflicts | Self::Commutes | Self::Overwrites)
    }
}

/// Whether something is part of what can go round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Cycle {
    /// No.
    #[default]
    None,
    /// It could, as far as the text shows; nothing is known of runs.
    Possible,
    /// It could, as far as the text shows, and no run in scope does.
    Cleared,
    /// A run does.
    Confirmed,
}

/// How a connection, or that there is none, is known; the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Evidence {
    /// What each can read and write, from the text.
    Text,
    /// Every board and every run of a scope.
    Scope,
    /// The prover shows that it makes no difference.
    Proved,
    /// What both change comes out the same in either order, and neither can end a run.
    Symmetric,
    /// Neither writes what the other reads or writes, and neither can end a run.
    Disjoint,
    /// A finding, by position in the results.
    Finding(usize),
}

/// A connection of two things.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependence {
    /// From which thing, by position.
    pub from: usize,
    /// To which; without direction the one that stands later.
    pub to: usize,
    /// What it means.
    pub link: Link,
    /// What causes it.
    pub places: BTreeSet<Place>,
    /// How it is known.
    pub evidence: Evidence,
}

/// Things that can bring each other about again and again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    /// Which, by position, ascending.
    pub things: Vec<usize>,
    /// Whether a run does.
    pub cycle: Cycle,
    /// The finding that shows it, by position in the results.
    pub finding: Option<usize>,
}

/// Things and their connections.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Picture {
    /// Each once.
    pub things: Vec<Thing>,
    /// In order.
    pub links: Vec<Dependence>,
    /// What can go round.
    pub rounds: Vec<Round>,
    /// Of fields: what can influence each claim, by its position.
    pub cones: Vec<(usize, BTreeSet<Place>)>,
}

/// What a picture is made from.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// The specification.
    pub program: &'a Program,
    /// The same without sugar.
    pub system: &'a System,
    /// What the engines know, if they were asked.
    pub results: Option<&'a Results>,
    /// Only this sequence and what it comes to.
    pub sequence: Option<SequenceId>,
}

/// The picture of a kind.
pub fn picture(source: Source<'_>, kind: Kind) -> Picture {
    match kind {
        Kind::Steps => steps::picture(source),
        Kind::Triggers => triggers::picture(source),
        Kind::Fields => fields::picture(source),
        Kind::Clauses => clauses::picture(source),
    }
}

impl Picture {
    /// The position of a thing, which is added if it is new.
    fn thing(&mut self, thing: Thing) -> usize {
        match self.things.iter().position(|one| *one == thing) {
            Some(at) => at,
            None => {
                self.things.push(thing);
                self.things.len() - 1
            }
        }
    }

    /// Adds a connection, or its places to one that is there.
    fn link(&mut self, (from, to): (usize, usize), link: Link, places: BTreeSet<Place>) {
        self.known((from, to), link, places, Evidence::Text);
    }

    /// Adds a connection that is known in some way.
    fn known(
        &mut self,
        (from, to): (usize, usize),
        link: Link,
        places: BTreeSet<Place>,
        evidence: Evidence,
    ) {
        let (from, to) = match link.is_directed() {
            true => (from, to),
            false => (from.min(to), from.max(to)),
        };
        let is_it = |one: &&mut Dependence| (one.from, one.to, one.link) == (from, to, link);
        match self.links.iter_mut().find(is_it) {
            Some(one) => {
                one.places.extend(places);
                // That all of several pairs can change places is known as well as of the worst of them.
                one.evidence = match link {
                    Link::Commutes => one.evidence.min(evidence),
                    _ => one.evidence.max(evidence),
                };
            }
            None => self.links.push(Dependence {
                from,
                to,
                link,
                places,
                evidence,
            }),
        }
    }

    /// Whether a link lies within something that can go round, and how that is known.
    pub fn cycle_of(&self, link: &Dependence) -> Cycle {
        let causes = matches!(link.link, Link::Causes | Link::Enables);
        let inside = |round: &&Round| {
            let has = |at| round.things.binary_search(&at).is_ok();
            causes && has(link.from) && has(link.to)
        };
        let round = self.rounds.iter().find(inside);
        round.map_or(Cycle::None, |round| round.cycle)
    }

    /// Whether a thing lies within something that can go round.
    pub fn cycle_at(&self, thing: usize) -> Cycle {
        let mut rounds = self.rounds.iter();
        let round = rounds.find(|round| round.things.binary_search(&thing).is_ok());
        round.map_or(Cycle::None, |round| round.cycle)
    }
}

/// The sequences that are shown: all, or one with all that it comes to.
fn sequences(source: Source<'_>) -> Vec<SequenceId> {
    match source.sequence {
        None => source.system.procedures.ids().collect(),
        Some(root) => performed(source.system, root).into_iter().collect(),
    }
}

/// A sequence and what it performs, directly, through others or through triggers.
fn performed(system: &System, root: SequenceId) -> BTreeSet<SequenceId> {
    let steps = system.procedures[root].steps.iter();
    let all = steps.flat_map(|&step| endstep_kernel::footprint::of_step(system, step).performs);
    all.chain([root]).collect()
}

/// The triggers that can be woken by what is shown.
fn woken(source: Source<'_>) -> BTreeSet<TriggerId> {
    let system = source.system;
    let shown = sequences(source);
    let steps = shown.iter().flat_map(|&id| &system.procedures[id].steps);
    let events = steps.flat_map(|&step| endstep_kernel::footprint::of_step(system, step).announces);
    let triggers = events.flat_map(|event| system.events[event].triggers.clone());
    triggers.collect()
}
