//! Under which readings something occurs.

use serde::{Deserialize, Serialize};

use endstep_semantics::semantics::Readings;

/// Under which readings a finding occurs (on one board or another).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Under {
    /// All.
    All,
    /// Those in which, for one of these, all the alternatives listed hold.
    Listed(Vec<Readings>),
}

impl Under {
    /// Whether all are among these, one by one.
    pub fn is_everywhere(&self) -> bool {
        match self {
            Self::All => true,
            Self::Listed(listed) => listed.iter().any(Readings::is_empty),
        }
    }

    /// Whether all assignments of the other are among these, as far as that can be seen of each alternative by itself.
    pub fn covers(&self, other: &Self) -> bool {
        let none = [Readings::new()];
        let (own, other) = (self.listed(&none), other.listed(&none));
        let is_in = |one: &Readings, wide: &Readings| {
            wide.iter()
                .all(|(reading, at)| one.get(reading) == Some(at))
        };
        other
            .iter()
            .all(|one| own.iter().any(|wide| is_in(one, wide)))
    }

    /// The assignments, where all of them are the one that says nothing.
    fn listed<'a>(&'a self, none: &'a [Readings]) -> &'a [Readings] {
        match self {
            Self::All => none,
            Self::Listed(listed) => listed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use endstep_language::index::Id;
    use endstep_language::typing::program::ReadingId;

    fn readings(of: &[(usize, u16)]) -> Readings {
        let each = of.iter().map(|&(id, at)| (ReadingId::from_index(id), at));
        each.collect()
    }

    #[test]
    fn fewer_assignments_are_covered_by_more() {
        let listed =
            |all: &[&[(usize, u16)]]| Under::Listed(all.iter().map(|one| readings(one)).collect());
        let up = listed(&[&[(0, 1)]]);
        let up_loose = listed(&[&[(0, 1), (1, 0)]]);
        let either = listed(&[&[(0, 1)], &[(1, 0)]]);
        for (wide, narrow) in [(&up, &up_loose), (&either, &up), (&either, &up_loose)] {
            assert!(wide.covers(narrow) && !narrow.covers(wide));
            assert!(wide.covers(wide) && Under::All.covers(wide) && !wide.covers(&Under::All));
        }
        assert!(listed(&[&[]]).covers(&Under::All) && Under::All.covers(&Under::All));
        assert!(!up.covers(&either) && !listed(&[]).covers(&up));
    }
}
