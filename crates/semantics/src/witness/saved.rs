//! The shape of a witness in a file: names where the specification has names.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A value: `null`, `true`, `3`, or a word (an entity's name, or a value of an enumeration), which
/// the type of the place tells apart.
pub type SavedValue = serde_json::Value;

/// A file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedWitness {
    /// The version of the format.
    pub version: u32,
    /// The game of the specification.
    pub game: String,
    /// What it shows.
    pub shows: SavedShows,
}

/// What a witness shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum SavedShows {
    /// A run, and what does not hold where it ends.
    Run {
        /// The run.
        run: SavedRun,
        /// What does not hold.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        violated: Option<SavedViolated>,
    },
    /// An outcome that the other side does not have.
    Versus {
        /// The run with the outcome.
        run: SavedRun,
        /// Its side.
        side: SavedSide,
        /// A run of the other side.
        against: SavedRun,
        /// The other side.
        other: SavedSide,
        /// What is compared.
        observer: Option<String>,
    },
    /// A run, and another from where it ended.
    Again {
        /// The first.
        first: SavedRun,
        /// The second.
        second: SavedRun,
        /// What is compared.
        observer: Option<String>,
    },
    /// A run that can go on for ever.
    Lasso {
        /// The run.
        run: SavedRun,
        /// How many states can be reached from the cycle, none of them an end.
        closed: Option<u64>,
        /// Whether states are one that differ in tallies alone.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        uncounted: bool,
    },
    /// A run that goes round with more each time.
    Growth {
        /// The run with the first round.
        run: SavedRun,
        /// The choices of each of the rounds after it.
        later: Vec<Vec<SavedKey>>,
    },
    /// What somebody can do on one side only.
    Power {
        /// Who; absent: the players together.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        player: Option<String>,
        /// `force` or `avoid`.
        ability: String,
        /// Under the readings where they can.
        able: SavedRun,
        /// Under those where not.
        unable: SavedRun,
        /// What is compared.
        observer: Option<String>,
    },
    /// What no outcome of a board meets as a whole.
    Demands {
        /// What is demanded.
        core: Vec<SavedViolated>,
        /// For each of it a run that breaks it alone.
        runs: Vec<SavedRun>,
        /// What of an end counts.
        observer: Option<String>,
    },
}

/// What does not hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum SavedViolated {
    /// A gap that is met, by name.
    Meets(String),
    /// A condition of legality, by name.
    Legal(String),
    /// An `ensures` of a step: its path, and which, from 1.
    Ensures(String, usize),
    /// An `ensures` of a contract: the sequence, and which, from 1.
    Contract(String, usize),
    /// What the contract of a sequence lists.
    Frame(String),
    /// A claim, by name.
    Claim(String),
    /// A claim that asks for the largest or smallest value of something, by name, and the value.
    Takes(String, i64),
    /// A line of an example: its name, and which, from 1.
    Example(String, usize),
    /// A demand that is met at no outcome of the board.
    Everywhere(Box<SavedViolated>),
}

/// A side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedSide {
    /// So many choices are fixed.
    pub fixed: usize,
    /// What is taken when the iteration chooses again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub then: Option<SavedKey>,
}

/// A run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedRun {
    /// The sequence, or `sequence/step`.
    pub perform: String,
    /// Arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<SavedValue>,
    /// Alternatives of readings, by names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub readings: BTreeMap<String, String>,
    /// How the program was changed.
    #[serde(default, skip_serializing_if = "SavedVariant::is_plain")]
    pub variant: SavedVariant,
    /// The board.
    pub board: SavedData,
    /// What was taken at the choice points.
    pub choices: Vec<SavedKey>,
    /// How it ends.
    pub end: SavedEnd,
}

/// How the program was changed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SavedVariant {
    /// Iterations that run in any order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub free: Vec<String>,
    /// A step that does nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip: Option<String>,
    /// Sequences replaced by their contracts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contracts: Vec<String>,
    /// Wider bounds.
    #[serde(skip_serializing_if = "is_zero")]
    pub extra: u32,
}

impl SavedVariant {
    fn is_plain(&self) -> bool {
        *self == Self::default()
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde wants it so")]
fn is_zero(extra: &u32) -> bool {
    *extra == 0
}

/// How a run ends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum SavedEnd {
    /// It ends so.
    Ended {
        /// The tag in words.
        tag: String,
        /// With which data.
        data: SavedData,
    },
    /// It comes back to a state.
    Loop {
        /// Steps before the cycle.
        stem: u64,
        /// Steps of the cycle.
        cycle: u64,
    },
    /// It comes to a state with more.
    Grows {
        /// Steps before the first round.
        stem: u64,
        /// Steps of a round.
        cycle: u64,
    },
    /// It is left after so many steps.
    Stopped {
        /// Steps.
        steps: u64,
        /// The data there.
        data: SavedData,
    },
}

impl SavedEnd {
    /// In a few words.
    pub fn words(&self) -> String {
        match self {
            Self::Ended { tag, .. } => format!("`{tag}`"),
            Self::Loop { cycle, .. } => format!("a cycle of {cycle} steps"),
            Self::Grows { cycle, .. } => format!("rounds of {cycle} steps"),
            Self::Stopped { steps, .. } => format!("other data after {steps} steps"),
        }
    }
}

/// Data.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SavedData {
    /// The entities in order of identity.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub entities: Vec<SavedEntity>,
    /// Variables, supplies, roles.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub vars: BTreeMap<String, SavedValue>,
    /// Zones that are not empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub zones: Vec<SavedZone>,
    /// Queues that are not empty.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub queues: BTreeMap<String, Vec<SavedInstance>>,
}

/// An entity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedEntity {
    /// Its name.
    pub name: String,
    /// Its sort.
    pub sort: String,
    /// Made during the run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub created: bool,
    /// Out of the game.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub removed: bool,
    /// The values of its fields.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub fields: BTreeMap<String, SavedValue>,
}

/// A zone with its contents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedZone {
    /// The zone.
    pub zone: String,
    /// Whose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// Names, first to last.
    pub holds: Vec<String>,
}

/// A pending trigger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedInstance {
    /// Which.
    pub trigger: String,
    /// For whom.
    #[serde(default, skip_serializing_if = "SavedValue::is_null")]
    pub listener: SavedValue,
    /// What was announced.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub payload: Vec<SavedValue>,
}

/// What was chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum SavedKey {
    /// An entity.
    Entity(String),
    /// A number, a truth value, or nothing.
    Value(SavedValue),
    /// A value of an enumeration: its type, and the value.
    Named(String, String),
    /// A step: its path.
    Step(String),
    /// A trigger.
    Instance(SavedInstance),
    /// An option of `choose one`: the statement, and its label.
    Option(String, String),
    /// `may`: the statement, and whether it was taken.
    Taken(String, bool),
    /// A case: the statement, and which, from 1.
    Case(String, usize),
    /// Writes: places and values.
    Write(Vec<(SavedSpot, SavedValue)>),
    /// A destination: the entity, the zone, whose, and whether to its first place.
    Destination(String, String, Option<String>, bool),
    /// A move made next.
    Insert(String),
    /// An announcement made next.
    Announce(String, Vec<SavedValue>),
    /// Values of the places of a contract.
    Values(Vec<(SavedSpot, SavedValue)>),
}

/// A place: a variable, or a field of an entity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SavedSpot {
    /// The entity, and the field: `Card.health`.
    Field(String, String),
    /// A variable.
    Var(String),
}
