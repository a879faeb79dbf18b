//! What is proved for boards of every size, and why something is not.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use endstep_language::source::Span;
use endstep_language::typing::program::{SequenceId, StepId, StmtId, TriggerId};

/// Two things that may change places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Commuting {
    /// Two steps of a list.
    Steps(StepId, StepId),
    /// Two elements of an iteration.
    Elements(StmtId),
    /// Two of the places for which a list is done.
    Places(SequenceId),
    /// All steps for one place first, or one step for all places first.
    Nesting(SequenceId),
    /// Two triggers that match together, or one that matches twice.
    Triggers(TriggerId, TriggerId),
}

/// What the prover has to say of two things.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// Of which.
    pub of: Commuting,
    /// What it says.
    pub outcome: Outcome,
}

/// What the prover says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// They can change places on every board: no data answer these questions, in SMT-LIB 2, with yes.
    Proved(Vec<String>),
    /// There may be data, not necessarily reachable ones, from which they cannot.
    Open,
    /// The solver's resources were used up.
    GaveUp,
    /// What would be assumed contradicts itself.
    Vacuous,
    /// It is not put to the solver.
    Refused(Refusal),
}

/// By which argument something is true of boards of every size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Argument {
    /// Two things never touch what the other changes, and neighbours can be exchanged.
    Disjoint,
    /// What two things both change comes out the same in either order, and neighbours can be exchanged.
    Symmetric,
    /// There are no data from which two neighbours come out differently in the two orders.
    Exchange,
    /// Nothing in it is done again and again.
    Straight,
    /// Measures that cannot become less for ever.
    Ranking {
        /// Of each loop: each time round the first of these that changes becomes less.
        loops: Vec<Vec<String>>,
        /// Of each queue: the same whenever more waits there than before; where it does not, none has to.
        queues: Vec<Vec<String>>,
        /// Whether one is that of a restart: what starts it can be true from the first, and then nothing becomes less the first time.
        restarts: bool,
    },
    /// It holds on every board, and each statement leaves it so.
    Kept,
    /// Whatever depends on a reading does the same under each alternative.
    Alike,
}

impl Argument {
    /// What it is called in a list of certificates.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Disjoint => "disjoint footprints",
            Self::Symmetric => "symmetric updates",
            Self::Exchange => "adjacent transpositions",
            Self::Straight => "no cycle",
            Self::Ranking { .. } => "lexicographic ranking",
            Self::Kept => "inductive invariant",
            Self::Alike => "local equivalence",
        }
    }

    /// What it rests on besides the questions to the solver.
    pub fn theorem(&self) -> &'static str {
        match self {
            Self::Disjoint | Self::Symmetric => {
                "Every order of finitely many things is made from every other by exchanging neighbours. \
                 That two of them can change places is told from what they read and write, without a solver."
            }
            Self::Exchange => {
                "Every order of finitely many things is made from every other by exchanging neighbours. \
                 If any two can change places from all data, and how a run ends counts as data from which \
                 nothing more is done, all orders come to the same. Each question asks for data from which two \
                 orders of two things differ, or on which the terms would not mean what the rules do; there are \
                 none if the answer is unsat. In which order things lie in a zone is not compared if no rule and no \
                 observer looks at it, as is told from the text."
            }
            Self::Straight => {
                "Boards are finite, and what is performed is a graph without cycles: told from the text, without \
                 a solver."
            }
            Self::Ranking { .. } => {
                "No sequence of tuples of numbers that are never below nothing falls for ever in the order that \
                 compares them one after the other. Each question asks for data before and after one of the parts \
                 of which every run is made (a block, a turn, what a trigger does) where a measure grows and none \
                 before it falls, where what brings on another round happens and none falls, or where a condition \
                 that is used is not kept; there are none if the answer is unsat."
            }
            Self::Kept => {
                "What is true of every board and is kept by each part of which every run is made is true \
                 throughout. Each question asks for data of which the conditions are true and, after one of the \
                 statements of a part, are not; there are none if the answer is unsat."
            }
            Self::Alike => {
                "A part of a program can be replaced by one that does the same from all data, with the same \
                 choices and the same ways to end, and an order by another if any two neighbours can be exchanged. \
                 Each question asks for data from which a part that depends on the reading does something else \
                 under one alternative than under the first, or from which two orders of two things differ; there \
                 are none if the answer is unsat. Of two things that never touch what the other changes it is told \
                 from what they read and write, without a solver; and in which order things lie in a zone is not \
                 compared if no rule and no observer looks at it."
            }
        }
    }

    /// In a few words, for a list of what is proved.
    pub fn words(&self) -> String {
        match self {
            Self::Disjoint => "neither touches what the other changes".to_owned(),
            Self::Symmetric => "what both change comes out the same in either order".to_owned(),
            Self::Exchange => "any two can change places".to_owned(),
            Self::Straight => "nothing in it is done again and again".to_owned(),
            Self::Ranking {
                loops,
                queues,
                restarts,
            } => {
                let of_queues = of_queues(queues);
                let all: Vec<String> = of_loops(loops, *restarts)
                    .into_iter()
                    .chain(of_queues)
                    .collect();
                match all.is_empty() {
                    true => "nothing starts it again".to_owned(),
                    false => all.join("; "),
                }
            }
            Self::Kept => "so on every board, and no statement changes that".to_owned(),
            Self::Alike => "whatever depends on it does the same either way".to_owned(),
        }
    }
}

/// What becomes less each time round of each loop; nothing, if there is no other time.
fn of_loops(loops: &[Vec<String>], restarts: bool) -> Option<String> {
    let falling: Vec<String> = loops.iter().filter_map(|one| falls(one)).collect();
    match (falling.is_empty(), restarts) {
        (true, true) => Some("it begins again at most once".to_owned()),
        (true, false) => None,
        (false, restarts) => {
            let first = match restarts {
                true => ", but perhaps the first time that it begins again,",
                false => "",
            };
            let falling = falling.join(", and of another loop ");
            Some(format!("each time round{first} {falling}"))
        }
    }
}

/// What becomes less whenever more waits in each queue than before; nothing, if more never does.
fn of_queues(queues: &[Vec<String>]) -> Option<String> {
    let falling: Vec<String> = queues.iter().filter_map(|one| falls(one)).collect();
    (!falling.is_empty()).then(|| {
        let falling = falling.join(", and of another queue ");
        format!("each time that what is resolved brings more about, {falling}")
    })
}

/// What becomes less each time round, by rank; nothing, if there is no other time.
fn falls(measures: &[String]) -> Option<String> {
    match measures {
        [] => None,
        [one] => Some(format!("this becomes less: {one}")),
        [..] => Some(format!(
            "one of these becomes less, and none before it more: {}",
            measures.join("; ")
        )),
    }
}

/// Why something is true of boards of every size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Certificate {
    /// The argument.
    pub argument: Argument,
    /// What the solver was asked, in SMT-LIB 2; no data answer any of them with yes.
    pub questions: Vec<String>,
}

/// What comes to the same in every order, on boards of every size, with what the solver was asked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Exchangeable {
    /// The elements of iterations.
    pub iterations: BTreeMap<StmtId, Vec<String>>,
    /// The steps of sequences.
    pub lists: BTreeMap<SequenceId, Vec<String>>,
    /// The places for which the steps of sequences are done, and what nests in what.
    pub places: BTreeMap<SequenceId, Vec<String>>,
}

/// What stands in the way of an encoding that means the same as the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Obstacle {
    /// A shuffle, or units that are distributed one by one.
    Chance,
    /// A `repeat`.
    Repeats,
    /// Something is resolved from a queue.
    Resolves,
    /// A sequence with a restart rule is performed.
    Restarts,
    /// A step goes to another one.
    Jumps,
    /// A list of steps in an open order, or one that is done for several places, is performed.
    OpenList,
    /// Entities are created.
    Creates,
    /// Effects take place together.
    Together,
    /// An inner iteration whose turns may depend on each other.
    InnerOrder,
    /// Several triggers, or a trigger with listeners, react.
    Reacts,
    /// Something is looked for among many: a neighbour, the next player, a largest number.
    Search,
    /// A continuous value.
    Continuous,
    /// The state raises events.
    Raised,
    /// A condition of many may have no value for one of them.
    Lacks,
    /// Something is put beside another card or into a zone with a capacity, or all of a zone is moved.
    Arranges,
    /// Elements are visited by position.
    ByPosition,
    /// What is done for one element can keep the order of the others from being told.
    Untold,
    /// Turns are taken until all pass, or a turn is passed.
    Turns,
    /// `old`.
    Old,
    /// A restart rule could cut in between.
    Cut,
    /// A contract stands for a sequence.
    Contract,
    /// What has matched waits in a queue.
    Waits,
    /// What is asked about has no form that is proved.
    Form,
    /// No measures were found that become less each time round.
    Ranks,
    /// More terms than are put to the solver.
    Size,
}

impl Obstacle {
    /// In words, for `… is not encoded`.
    pub fn words(self) -> &'static str {
        match self {
            Self::Chance => "chance, or counters that are distributed",
            Self::Repeats => "a `repeat`",
            Self::Resolves => "resolving what waits in a queue",
            Self::Restarts => "a restart rule inside",
            Self::Jumps => "a step that goes to another one",
            Self::OpenList => "a list in an open order, or for several places, inside",
            Self::Creates => "creating something",
            Self::Together => "effects that take place together",
            Self::InnerOrder => "an iteration inside whose turns may depend on each other",
            Self::Reacts => "several triggers, or a trigger with listeners",
            Self::Search => {
                "something that is searched for: a first or last thing, a neighbour, a next player, a largest or \
                 smallest number"
            }
            Self::Continuous => "values that depend on each other",
            Self::Raised => "events that the state raises",
            Self::Lacks => "a condition of many that may have no value for one",
            Self::Arranges => {
                "putting something beside another or into a zone with room for so many only, or moving all of a zone"
            }
            Self::ByPosition => "elements that are visited by position",
            Self::Untold => {
                "an order, or somebody who decides about it, that may get lost on the way"
            }
            Self::Turns => "turns that go on until all pass",
            Self::Old => "`old`",
            Self::Cut => "a restart rule that could cut in between",
            Self::Contract => "a contract that stands for a sequence",
            Self::Waits => "a queue between what matches and what happens",
            Self::Form => "a pair of this form",
            Self::Ranks => "something that goes round without a measure that becomes less",
            Self::Size => "something this large",
        }
    }
}

/// An obstacle, and where it stands if it stands somewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// What it is.
    pub obstacle: Obstacle,
    /// Where.
    pub span: Option<Span>,
}

impl From<Obstacle> for Refusal {
    fn from(obstacle: Obstacle) -> Self {
        Self {
            obstacle,
            span: None,
        }
    }
}

impl Refusal {
    /// An obstacle at a place of the specification.
    pub fn at(obstacle: Obstacle, span: Span) -> Self {
        Self {
            obstacle,
            span: Some(span),
        }
    }
}
