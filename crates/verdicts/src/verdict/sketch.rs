//! Data on which two things come out differently in the two orders, as far as somebody names them.
//!
//! ```text
//! Card 0   health 7, in board, first       Card 1   in board        score 3
//! ```

use endstep_language::typing::program::{FieldId, SortId, VarId, ZoneId};
use serde::{Deserialize, Serialize};

/// Part of a board: what is not named can be anything. Numbers are those of systems, `none` is -1, and an
/// entity is the number of one of its sort.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Sketch {
    /// Variables.
    pub vars: Vec<(VarId, i64)>,
    /// All entities.
    pub entities: Vec<Sketched>,
}

/// An entity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sketched {
    /// Of which sort.
    pub sort: SortId,
    /// Its number among those of its sort.
    pub number: i64,
    /// What is named of its fields.
    pub fields: Vec<(FieldId, i64)>,
    /// In which zone it lies (`None`: in none), and whose, if that is named.
    pub place: Option<(Option<ZoneId>, i64)>,
    /// Of two that lie in one zone the one with the lower number comes first.
    pub position: i64,
}
