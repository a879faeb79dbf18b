//! The kinds of implicit gaps.

/// Partial operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GapCause {
    /// A mandatory choice from nothing.
    NothingToChoose,
    /// The top or bottom of an empty zone.
    EmptyZone,
    /// A vacant role or absent link was followed.
    Absent,
    /// Half of an odd number, rounding not said.
    OddHalf,
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
}

impl GapCause {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::NothingToChoose,
        Self::EmptyZone,
        Self::Absent,
        Self::OddHalf,
        Self::ExtremeOfNothing,
        Self::ShortSupply,
        Self::NegativeAmount,
        Self::NoCase,
        Self::NotRunning,
        Self::LiesNowhere,
    ];

    /// What specifications and files call it; `docs/semantics.md`, 6.
    pub const fn words(self) -> &'static str {
        match self {
            Self::NothingToChoose => "nothing to choose from",
            Self::EmptyZone => "empty zone",
            Self::Absent => "vacant role or absent link",
            Self::OddHalf => "odd half",
            Self::ExtremeOfNothing => "largest of nothing",
            Self::ShortSupply => "short supply",
            Self::NegativeAmount => "negative amount",
            Self::NoCase => "no case applies",
            Self::NotRunning => "leaving what is not running",
            Self::LiesNowhere => "next to what lies nowhere",
        }
    }

    /// The one that is called so.
    pub fn called(words: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.words() == words)
    }
}
