//! Why a witness cannot be replayed, or does not show what it says.

use std::fmt;

use super::words::site_path;
use crate::semantics::{Key, Names, Site};
use endstep_language::typing::program::{Program, ReadingId};

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplayError {
    /// The run depends on a reading that it does not fix.
    ReadingNotFixed(ReadingId),
    /// A choice has to be made that the run does not make, after so many that it does.
    ChoiceMissing {
        /// How many were taken.
        taken: usize,
        /// Where.
        site: Site,
    },
    /// What the run chooses is not offered.
    NotOffered {
        /// Which choice of the run, from 0.
        choice: usize,
        /// What it would take.
        key: Key,
    },
    /// The run ends, or is where it says, before all its choices were taken.
    ChoicesLeft(usize),
    /// It ends otherwise than it says.
    EndsOtherwise,
    /// It ends, but says that it goes on.
    Ends,
    /// The state at the end of the cycle is not that at its start.
    NoCycle,
    /// The rounds are not alike, or there is not as much more after each.
    NoGrowth,
    /// The states that can be reached from the cycle are not as many as it says, or one is an end.
    NotClosed,
    /// What should not hold does hold.
    NotViolated,
    /// The outcomes of a side are not those that it says.
    OtherOutcomes,
    /// The outcome is also possible on the other side.
    SameOutcome,
    /// The run is none of its own side.
    OtherSide,
    /// Doing it again changes nothing observed.
    NothingChanges,
    /// The second run does not start where the first one ended.
    NotConnected,
    /// The player can do it on both sides, or on neither.
    SamePower,
    /// Something that is said to be demanded is no demand on these runs.
    NoDemand,
    /// Some outcome of the board meets all of what is demanded.
    AllMet,
    /// Of what is demanded a run does not break just the one that it is shown for.
    OtherDemand,
    /// Some run from the board was given up, so that not all of its outcomes are known.
    GivenUp,
    /// More micro-steps than this are not replayed.
    TooLong(u64),
    /// More states than this are not enumerated.
    TooLarge(usize),
    /// Outcomes with so many created entities cannot be compared.
    TooManyCreated,
    /// A condition, or what is observed, has no value within the limits of evaluation.
    TooCostly,
}

impl ReplayError {
    /// Whether it is only too much to be judged.
    pub fn is_limit(&self) -> bool {
        matches!(
            self,
            Self::TooLong(_) | Self::TooLarge(_) | Self::TooManyCreated | Self::TooCostly
        )
    }

    /// In one line.
    pub fn message(&self, program: &Program, names: &Names) -> String {
        match self {
            Self::ReadingNotFixed(reading) => format!(
                "the run depends on the reading `{}`, which it does not fix",
                program.readings[*reading].name
            ),
            Self::ChoiceMissing { taken, site } => format!(
                "after {taken} choices another has to be made at `{}`, and the run makes none",
                site_path(program, *site)
            ),
            Self::NotOffered { choice, key } => format!(
                "choice {} of the run is `{}`, which is not offered there",
                choice + 1,
                names.key(program, key)
            ),
            other => other.to_string(),
        }
    }
}

impl fmt::Display for ReplayError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::ReadingNotFixed(_) => "the run depends on a reading that it does not fix",
            Self::ChoiceMissing { .. } => "a choice has to be made that the run does not make",
            Self::NotOffered { .. } => "what the run chooses is not offered",
            Self::ChoicesLeft(left) => {
                return write!(out, "the run is over with {left} of its choices left");
            }
            Self::EndsOtherwise => "the run ends otherwise than it says",
            Self::Ends => "the run ends, but says that it goes on",
            Self::NoCycle => "the cycle does not lead back to its first state",
            Self::NoGrowth => {
                "the rounds are not alike, or there is not as much more after each of them"
            }
            Self::NotClosed => {
                "an end can be reached from the cycle, or the region has another size"
            }
            Self::NotViolated => "the run does not break what it is shown for",
            Self::OtherOutcomes => "the outcomes of the other side are not those that it says",
            Self::SameOutcome => "the outcome is also possible on the other side",
            Self::OtherSide => "the run does not belong to the side that it says",
            Self::NothingChanges => "doing it again changes nothing that is observed",
            Self::NotConnected => "the second run does not start where the first one ended",
            Self::SamePower => "it can be done under both readings, or under neither",
            Self::NoDemand => "what it says to be demanded is not demanded of these runs",
            Self::AllMet => "a run from this board can end so that none of these demands is broken",
            Self::OtherDemand => "a run does not break just the demand that it is shown for",
            Self::GivenUp => {
                "some run from this board is given up, and not all of its ends are known"
            }
            Self::TooLong(limit) => return write!(out, "more than {limit} steps"),
            Self::TooLarge(limit) => return write!(out, "more than {limit} states to enumerate"),
            Self::TooManyCreated => "too many created entities to compare up to renaming",
            Self::TooCostly => "a condition takes too much to evaluate",
        };
        out.write_str(text)
    }
}

impl std::error::Error for ReplayError {}
