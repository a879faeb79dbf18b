//! A span that comparisons ignore.

use super::Span;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// Where a node of a tree stands, as a field that comparisons of trees ignore.
///
/// Two `Loc`s are always equal. So `health <= 0` and `health<=0` give equal
/// syntax trees with derived `PartialEq`, and the law that parsing what was
/// printed gives the same tree can be stated with `==`. Whoever wants to compare
/// places compares [`Loc::span`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Loc(pub Span);

impl Loc {
    /// The place itself.
    pub fn span(self) -> Span {
        self.0
    }
}

impl From<Span> for Loc {
    fn from(span: Span) -> Self {
        Self(span)
    }
}

impl From<Loc> for Span {
    fn from(loc: Loc) -> Self {
        loc.0
    }
}

impl PartialEq for Loc {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Loc {}

impl PartialOrd for Loc {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Loc {
    fn cmp(&self, _: &Self) -> Ordering {
        Ordering::Equal
    }
}

impl Hash for Loc {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceId;
    use std::hash::BuildHasher;

    #[test]
    fn every_place_is_equal_to_every_other() {
        let here = Loc(Span::new(SourceId(0), 1, 2));
        let there = Loc(Span::new(SourceId(3), 4, 5));
        assert_eq!(here, there);
        assert_eq!(here.cmp(&there), Ordering::Equal);
        let state = rustc_hash::FxBuildHasher;
        assert_eq!(state.hash_one(here), state.hash_one(there));
        assert_ne!(here.span(), there.span());
    }
}
