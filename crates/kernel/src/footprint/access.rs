//! Single accesses to places, and whether two parts can change places as far as those tell.
//!
//! Two accesses agree if none changes anything, if each is to what is the element's own and the two
//! parts are done for different elements, or if both are changes that give the same in either order:
//!
//! | changes | agree because |
//! |---|---|
//! | `set P to 3` twice | the later one changes nothing |
//! | `increase P by 1` and `decrease P by e` without a bound | sums |
//! | `increase P by 1, at most 5` and `increase P by 2, at most 5` | the sum, stopped at 5 |
//! | moving oneself out of a zone, and into another | the rest keep their order |
//! | moving oneself to the top, and another to the bottom | so do they |
//! | moving oneself into an unordered zone | arrangements are not told apart |
//!
//! If every access of one part agrees with every access of the other, each operation of the one can
//! change places with each of the other, and so can the parts, provided that no operation can fail
//! to complete ([`Footprint::partial`]).
//!
//! *Background.* W. Weihl, *Commutativity-based concurrency control for abstract data types*, IEEE
//! Transactions on Computers 37(12), 1988.

use std::collections::BTreeSet;

use super::place::{Access, Grain, Mode};
use super::{Footprint, Place};

/// Why two parts give the same in either order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Agreement {
    /// What they share they change only in ways that give the same in either order.
    Symmetric,
    /// Neither changes what the other looks at or changes.
    Disjoint,
}

/// Why two parts give the same in either order, as far as what they access tells; else the places
/// because of which they may not. If they are done for elements, those are two of one iteration.
pub fn agree(one: &Footprint, other: &Footprint) -> Result<Agreement, BTreeSet<Place>> {
    let mut agreement = Agreement::Disjoint;
    let mut conflicts = BTreeSet::new();
    for a in &one.accesses {
        for b in &other.accesses {
            match alike(*a, *b) {
                Some(one) => agreement = agreement.min(one),
                None => drop(conflicts.insert(a.place)),
            }
        }
    }
    match conflicts.is_empty() {
        true => Ok(agreement),
        false => Err(conflicts),
    }
}

fn alike(a: Access, b: Access) -> Option<Agreement> {
    use Mode::{Add, AddUpTo, Arrive, Join, Leave, Read, SetTo, TakeDownTo};
    let apart = a.place != b.place || (a.grain, b.grain) == (Grain::Own, Grain::Own);
    match (a.mode, b.mode) {
        _ if apart => Some(Agreement::Disjoint),
        (Read, Read) => Some(Agreement::Disjoint),
        (Add, Add) | (Leave | Join, Leave | Join) => Some(Agreement::Symmetric),
        (Leave, Arrive(_)) | (Arrive(_), Leave) => Some(Agreement::Symmetric),
        (Arrive(a), Arrive(b)) if a != b => Some(Agreement::Symmetric),
        (SetTo(a), SetTo(b)) | (AddUpTo(a), AddUpTo(b)) | (TakeDownTo(a), TakeDownTo(b))
            if a == b =>
        {
            Some(Agreement::Symmetric)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use endstep_language::typing::program::VarId;

    fn part(all: &[(u32, Grain, Mode)]) -> Footprint {
        let access = |&(at, grain, mode)| Access {
            place: Place::Var(VarId(at)),
            grain,
            mode,
        };
        Footprint {
            accesses: all.iter().map(access).collect(),
            ..Footprint::default()
        }
    }

    #[test]
    fn parts_agree_if_each_access_does() {
        use Grain::{Any, Linked, Own};
        use Mode::{Add, AddUpTo, Arrive, Leave, Read, SetTo, Write};
        let check = |a: (u32, Grain, Mode), b, expected: Option<Agreement>| {
            let (one, other) = (part(&[(9, Any, Read), a]), part(&[b, (9, Any, Read)]));
            assert_eq!(agree(&one, &other).ok(), expected, "{a:?} {b:?}");
            assert_eq!(agree(&other, &one).ok(), expected, "{b:?} {a:?}");
        };
        let (disjoint, symmetric) = (Some(Agreement::Disjoint), Some(Agreement::Symmetric));
        check((0, Any, Write), (1, Any, Write), disjoint);
        check((0, Any, Read), (0, Any, Read), disjoint);
        check((0, Any, Write), (0, Any, Read), None);
        check((0, Own, Write), (0, Own, Read), disjoint);
        check((0, Own, Write), (0, Linked, Read), None);
        check((0, Linked, Write), (0, Linked, Write), None);
        check((0, Any, SetTo(3)), (0, Any, SetTo(3)), symmetric);
        check((0, Any, SetTo(3)), (0, Any, SetTo(4)), None);
        check((0, Any, Add), (0, Any, Add), symmetric);
        check((0, Any, Add), (0, Any, AddUpTo(3)), None);
        check((0, Any, AddUpTo(3)), (0, Any, AddUpTo(3)), symmetric);
        check((0, Any, AddUpTo(3)), (0, Any, AddUpTo(4)), None);
        check((0, Any, Leave), (0, Any, Arrive(true)), symmetric);
        check((0, Any, Arrive(true)), (0, Any, Arrive(false)), symmetric);
        check((0, Any, Arrive(true)), (0, Any, Arrive(true)), None);
        check((0, Any, Leave), (0, Any, Read), None);
    }
}
