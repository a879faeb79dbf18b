//! A graph of what depends on what, as data.

use std::collections::BTreeSet;

use endstep_kernel::footprint::Place;
use endstep_language::typing::program::{ClauseIdx, EventId, SequenceId, StepId, TriggerId};

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

impl Kind {
    /// Whether what engines found is part of the picture, not only the text.
    pub fn rests_on_runs(self) -> bool {
        match self {
            Self::Steps | Self::Triggers | Self::Clauses => true,
            Self::Fields => false,
        }
    }
}

/// What is connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Thing {
    /// A step.
    Step(StepId),
    /// The restart rule of a sequence: when it begins again, and what is done before.
    Restart(SequenceId),
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

/// Whether something is part of what can go round without end.
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
    /// In no run of a scope one of the two could be taken instead of the other.
    Never,
    /// Every board and every run of a scope.
    Scope,
    /// The prover shows that it makes no difference.
    Proved,
    /// What both change comes out the same in either order, and neither can end a run.
    Symmetric,
    /// Neither writes what the other reads or writes, and neither can end a run.
    Disjoint,
    /// A finding that nobody wants to see, by position among what is left out of the results.
    LeftOut(usize),
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
    /// The scopes, by position, on which outcomes were compared to know it.
    pub compared: BTreeSet<usize>,
}

/// Things that can bring each other about without end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    /// Which, by position, ascending.
    pub things: Vec<usize>,
    /// Whether they do so in a run; if so, not all of them need take part.
    pub cycle: Cycle,
    /// Which of them do, in which runs.
    pub shown: Vec<Shown>,
    /// Which of them do as far as a run was followed that goes on each time with more.
    pub followed: Vec<Shown>,
}

/// A run that goes round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The finding that shows it, by position in the results.
    pub finding: usize,
    /// The things on its way round, by position, ascending.
    pub things: Vec<usize>,
    /// What brings what about on it.
    pub links: Vec<(usize, usize)>,
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
    /// Runs that never end, whatever keeps them going.
    pub endless: Vec<Shown>,
    /// Of fields: what can influence each claim, by its position.
    pub cones: Vec<(usize, BTreeSet<Place>)>,
}

impl Picture {
    /// The position of a thing, which is added if it is new.
    pub(super) fn thing(&mut self, thing: Thing) -> usize {
        match self.things.iter().position(|one| *one == thing) {
            Some(at) => at,
            None => {
                self.things.push(thing);
                self.things.len() - 1
            }
        }
    }

    /// Adds a connection, or its places to one that is there.
    pub(super) fn link(&mut self, (from, to): (usize, usize), link: Link, places: BTreeSet<Place>) {
        self.known((from, to), link, places, Evidence::Text);
    }

    /// Adds a connection that is known in some way.
    pub(super) fn known(
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
                compared: BTreeSet::new(),
            }),
        }
    }

    /// Adds scopes on which outcomes were compared to a connection that is there.
    pub(super) fn compared(&mut self, ends: (usize, usize), link: Link, scopes: &BTreeSet<usize>) {
        let (from, to) = match link.is_directed() {
            true => ends,
            false => (ends.0.min(ends.1), ends.0.max(ends.1)),
        };
        let is_it = |one: &&mut Dependence| (one.from, one.to, one.link) == (from, to, link);
        if let Some(one) = self.links.iter_mut().find(is_it) {
            one.compared.extend(scopes);
        }
    }

    /// Whether a run goes round by a link, or could.
    pub fn cycle_of(&self, link: &Dependence) -> Cycle {
        let ends = [link.from, link.to];
        let is_shown = |shown: &Shown| match link.link {
            Link::Causes => shown.links.contains(&(link.from, link.to)),
            Link::Enables => ends.iter().all(|&at| shown.has(at)),
            // Nothing else brings anything about.
            _ => false,
        };
        if !matches!(link.link, Link::Causes | Link::Enables) {
            return Cycle::None;
        }
        self.known_of(&ends, is_shown)
    }

    /// Whether a run goes round through a thing, or could.
    pub fn cycle_at(&self, thing: usize) -> Cycle {
        self.known_of(&[thing], |shown| shown.has(thing))
    }

    /// What is known of something with these ends, which is on the way of some runs.
    fn known_of(&self, ends: &[usize], is_on: impl Fn(&Shown) -> bool) -> Cycle {
        if self.endless.iter().any(is_on) {
            return Cycle::Confirmed;
        }
        let inside = |round: &&Round| {
            let has = |at: &usize| round.things.binary_search(at).is_ok();
            ends.iter().all(has)
        };
        match self.rounds.iter().find(inside).map(|round| round.cycle) {
            Some(Cycle::Confirmed) => Cycle::Possible,
            Some(cycle) => cycle,
            None => Cycle::None,
        }
    }
}

impl Shown {
    /// Whether something is on its way round.
    fn has(&self, thing: usize) -> bool {
        self.things.binary_search(&thing).is_ok()
    }
}
