//! Runs and witnesses as data: where a run starts, what is chosen in it, how it ends.

use crate::semantics::{Data, Ended, Key, Names, Readings, Tag, Variant};
use endstep_language::typing::program::{
    EntityId, GapId, ObserverId, Program, SequenceId, StepId, Value,
};
use serde::{Deserialize, Serialize};

use super::observe::Outcome;

/// What a run performs.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Root {
    /// A sequence, with its arguments (only examples have some).
    Sequence(SequenceId, Vec<Value>),
    /// A step alone, without the restart rule of its sequence: of one that is done for each place for this
    /// place, or if it is none for all of them.
    Step(StepId, Value),
}

/// One run, written down so that the interpreter alone can do it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// What is performed.
    pub root: Root,
    /// The readings; those that the run does not consult may be absent.
    pub readings: Readings,
    /// How the program was changed for the check.
    pub variant: Variant,
    /// The board.
    pub board: Data,
    /// The names of its entities.
    pub names: Names,
    /// What was taken at the choice points met, in order.
    pub choices: Vec<Key>,
    /// How it ends, or where it is left.
    pub end: RunEnd,
}

/// How a run ends. Steps are micro-steps of the interpreter: each statement, each frame begun or
/// ended and each alternative taken is one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum RunEnd {
    /// It ends so.
    Ended(Ended),
    /// After `stem` steps it is in a state to which `cycle` more steps lead back.
    Loop {
        /// Steps before the cycle.
        stem: u64,
        /// Steps of the cycle, at least one.
        cycle: u64,
    },
    /// After `stem` steps it is in a state, and `cycle` more steps lead to one that is the same but for
    /// what has grown.
    Grows {
        /// Steps before the first round.
        stem: u64,
        /// Steps of a round, at least one.
        cycle: u64,
    },
    /// It is left after so many steps, with these data.
    Stopped {
        /// Steps.
        steps: u64,
        /// The data there.
        data: Data,
    },
}

/// What reproduces a finding. [`replay`](super::replay) checks each of the sentences below.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::large_enum_variant, reason = "there is one for each finding")]
pub enum Witness {
    /// A run that ends, or is left, as it says. `violated` names the condition that is false there.
    Run {
        /// The run.
        run: Run,
        /// What does not hold at its end or at the state where it is left.
        violated: Violated,
    },
    /// The run ends in an outcome that the other side does not have: `outcomes` are all that are
    /// possible on the side of `against`.
    Versus(Box<Versus>),
    /// `second` starts on the data with which `first` ended, and observably changes them.
    Again {
        /// The first run.
        first: Run,
        /// The run after it.
        second: Run,
        /// What is compared; `None`: everything.
        observer: Option<ObserverId>,
    },
    /// A lasso: a run that can go on for ever.
    Lasso {
        /// The run; its end is a [`RunEnd::Loop`].
        run: Run,
        /// The states that can be reached from the cycle, none of which is an end. `None`: the loop is not a mandatory
        /// one.
        closed: Option<Closed>,
    },
    /// A run that goes round as before, each time with more.
    Growth {
        /// The run with the first round; its end is a [`RunEnd::Grows`].
        run: Run,
        /// What is chosen in each of the rounds after it, which are as long.
        later: Vec<Vec<Key>>,
    },
    /// A player can do more on one side than on the other, though the outcomes are the same.
    Power(Box<Power>),
    /// No outcome of a board meets all of some demands.
    Demands(Box<Demands>),
}

/// States none of which is an end, with all that can follow them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Closed {
    /// How many.
    pub states: u64,
    /// Whether those are one that differ in tallies alone.
    pub uncounted: bool,
}

/// What does not hold where a run ends or is left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Violated {
    /// Nothing in particular: the end itself (a gap, a write out of range) is what is wrong, or
    /// what was asked for.
    Nothing,
    /// On its last micro-step the run meets this gap, which goes on.
    Meets(GapId),
    /// The n-th condition of legality.
    Legal(usize),
    /// The n-th `ensures` of a step that has just ended.
    Ensures(StepId, usize),
    /// The n-th `ensures` of the contract of the sequence.
    Contract(SequenceId, usize),
    /// Something was changed that the contract of the sequence does not list.
    Frame(SequenceId),
    /// The condition of the n-th claim (of `unreachable` and of `reachable`: it holds there).
    Claim(usize),
    /// The n-th claim asks for the largest or smallest value of something; it is this one there.
    Takes(usize, i64),
    /// A line of an example: its position, and that of the example.
    Example(usize, usize),
    /// A demand that is met at no outcome of the board either.
    Everywhere(Box<Violated>),
}

impl Violated {
    /// What a demand is called; empty of what is no demand by a name.
    pub fn name(&self, program: &Program) -> String {
        match self {
            Self::Claim(at) => {
                let claim = program.claims.get(*at);
                claim.map_or_else(String::new, |claim| claim.name.clone())
            }
            Self::Legal(at) => {
                let legal = program.legals.get(*at);
                legal.map_or_else(String::new, |legal| format!("legal {}", legal.name))
            }
            Self::Contract(_, at) => format!("ensures #{}", at + 1),
            _ => String::new(),
        }
    }
}

/// One continuation of a run: all runs that begin with the same choices.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Side {
    /// So many choices of the run are fixed; the others are free.
    pub fixed: usize,
    /// When the iteration that made the last of them chooses again, this is taken, if it can be.
    pub then: Option<Key>,
}

/// An outcome on one side that the other side does not have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Versus {
    /// The run with the outcome.
    pub run: Run,
    /// The continuation that it belongs to.
    pub side: Side,
    /// One run of the other side.
    pub against: Run,
    /// The other side.
    pub other: Side,
    /// All outcomes of the other side, smallest first.
    pub outcomes: Vec<Outcome>,
    /// What is compared; `None`: everything.
    pub observer: Option<ObserverId>,
}

/// What somebody can do about an outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Ability {
    /// Make every run end so, whatever the others do.
    Force,
    /// Keep every run from ending so, whatever the others do.
    Avoid,
}

/// Somebody can do something about an outcome on one side, and not on the other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Power {
    /// Who; `None`: the players together.
    pub player: Option<EntityId>,
    /// What.
    pub ability: Ability,
    /// About which outcome.
    pub outcome: Outcome,
    /// A run under the readings where they can. It has the outcome if that can be forced, and
    /// another one if that can be avoided.
    pub able: Run,
    /// A run under the readings where they cannot: of the two, just one has the outcome.
    pub unable: Run,
    /// What is compared; `None`: everything.
    pub observer: Option<ObserverId>,
}

/// A way in which a run can end, with what is not met there: positions in the core.
pub type Way = (Outcome, Vec<usize>);

/// No outcome of a board meets all of some demands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Demands {
    /// The demands: claims, conditions of legality, what a contract ensures.
    pub core: Vec<Violated>,
    /// For each demand a run that meets all the others, and not this one. All start alike.
    pub runs: Vec<Run>,
    /// All ways in which a run from the board can end, smallest first.
    pub ways: Vec<Way>,
    /// What of an end counts; `None`: everything.
    pub observer: Option<ObserverId>,
}

impl Witness {
    /// Its runs, the one that shows the fault first.
    pub fn runs(&self) -> Vec<&Run> {
        match self {
            Self::Run { run, .. } | Self::Lasso { run, .. } | Self::Growth { run, .. } => vec![run],
            Self::Versus(versus) => vec![&versus.run, &versus.against],
            Self::Again { first, second, .. } => vec![first, second],
            Self::Power(power) => vec![&power.able, &power.unable],
            Self::Demands(demands) => demands.runs.iter().collect(),
        }
    }
}

impl Witness {
    /// Gives the entities of its board these names.
    pub fn name(&mut self, names: &Names) {
        let runs = match self {
            Self::Run { run, .. } | Self::Lasso { run, .. } | Self::Growth { run, .. } => vec![run],
            Self::Versus(versus) => vec![&mut versus.run, &mut versus.against],
            Self::Again { first, second, .. } => vec![first, second],
            Self::Power(power) => vec![&mut power.able, &mut power.unable],
            Self::Demands(demands) => demands.runs.iter_mut().collect(),
        };
        for run in runs {
            run.names.clone_from(names);
        }
    }

    /// The readings in which none of its runs differs from another.
    pub fn common_readings(&self) -> Readings {
        let runs = self.runs();
        let mut all: Readings = runs.iter().flat_map(|run| run.readings.clone()).collect();
        all.retain(|reading, at| {
            let mut others = runs.iter().filter_map(|run| run.readings.get(reading));
            others.all(|other| other == at)
        });
        all
    }
}

impl Power {
    /// The run that ends in the outcome.
    pub fn so(&self) -> &Run {
        match self.ability {
            Ability::Force => &self.able,
            Ability::Avoid => &self.unable,
        }
    }
}

impl Run {
    /// The tag with which it ends, if it does.
    pub fn tag(&self) -> Option<&Tag> {
        match &self.end {
            RunEnd::Ended(ended) => Some(&ended.tag),
            RunEnd::Loop { .. } | RunEnd::Grows { .. } | RunEnd::Stopped { .. } => None,
        }
    }
}
