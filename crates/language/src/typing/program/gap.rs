//! The kinds of implicit gaps.

use serde::{Deserialize, Serialize};

/// Partial operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum GapCause {
    /// A mandatory choice from nothing.
    NothingToChoose,
    /// The top or bottom of an empty zone.
    EmptyZone,
    /// A vacant role or absent link was followed.
    Absent,
    /// Half of an odd number, rounding not said.
    OddHalf,
    /// A number divided by zero.
    DivisionByZero,
    /// The largest or smallest of nothing.
    ExtremeOfNothing,
    /// More was taken from a supply than it holds.
    ShortSupply,
    /// A negative amount.
    NegativeAmount,
    /// No guard is true.
    NoCase,
    /// `leave` of a sequence that is not running.
    NotRunning,
    /// Next to an entity that lies nowhere.
    LiesNowhere,
    /// A continuous value that nothing fits.
    Contradictory,
    /// A continuous value that several things fit.
    Ambiguous,
}

impl GapCause {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::NothingToChoose,
        Self::EmptyZone,
        Self::Absent,
        Self::OddHalf,
        Self::DivisionByZero,
        Self::ExtremeOfNothing,
        Self::ShortSupply,
        Self::NegativeAmount,
        Self::NoCase,
        Self::NotRunning,
        Self::LiesNowhere,
        Self::Contradictory,
        Self::Ambiguous,
    ];

    /// What it is called, what all of its kind have in common, and whether the cause is an expression
    /// or a place; of the others it is a statement.
    const fn row(self) -> (&'static str, &'static str, bool) {
        match self {
            Self::NothingToChoose => (
                "nothing to choose from",
                "something has to be chosen and there is nothing to choose",
                false,
            ),
            Self::EmptyZone => (
                "empty zone",
                "something is taken from where nothing lies",
                true,
            ),
            Self::Absent => (
                "vacant role or absent link",
                "somebody or something is named that is not there",
                true,
            ),
            Self::OddHalf => (
                "odd half",
                "half of an odd number is taken and nobody said how to round",
                true,
            ),
            Self::DivisionByZero => ("division by zero", "something is divided by 0", true),
            Self::ExtremeOfNothing => (
                "largest of nothing",
                "the largest or smallest of nothing is asked for",
                true,
            ),
            Self::ShortSupply => ("short supply", "more is taken than there is", true),
            Self::NegativeAmount => ("negative amount", "a negative amount is moved", true),
            Self::NoCase => ("no case applies", "none of the cases applies", false),
            Self::NotRunning => (
                "leaving what is not running",
                "something is left that is not going on",
                false,
            ),
            Self::LiesNowhere => (
                "next to what lies nowhere",
                "something is put next to what lies nowhere",
                true,
            ),
            Self::Contradictory => (
                "contradictory values",
                "a value is needed, and none agrees with its rule",
                true,
            ),
            Self::Ambiguous => (
                "ambiguous values",
                "a value is needed, and several agree with its rule",
                true,
            ),
        }
    }

    /// What specifications and files call it; `docs/semantics.md`, 6.
    pub const fn words(self) -> &'static str {
        self.row().0
    }

    /// What all implicit gaps of the kind have in common, as part of a sentence.
    pub const fn in_general(self) -> &'static str {
        self.row().1
    }

    /// Whether the cause is an expression without a value; if not, it is the statement itself.
    pub const fn is_of_expression(self) -> bool {
        self.row().2
    }

    /// The one that is called so.
    pub fn called(words: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.words() == words)
    }
}
