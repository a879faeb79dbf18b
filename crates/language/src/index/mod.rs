//! Turns "the nth thing of its kind" into a type: id newtypes, and arenas that
//! only their own ids open.
//!
//! A program that speaks of rules, steps and creatures by number can mix the
//! numbers up; one that speaks of `RuleId(3)` and `StepId(3)` cannot. A kind of
//! thing declares its id once and lives in an [`Arena`]:
//!
//! ```
//! endstep_language::define_id! {
//!     /// A creature on a board.
//!     pub struct CreatureId;
//! }
//!
//! let mut health = endstep_language::index::Arena::<CreatureId, i64>::new();
//! let dwarf = health.push(3);
//! let giant = health.push(9);
//! health[dwarf] -= 1;
//! assert_eq!((health[dwarf], health[giant]), (2, 9));
//! assert_eq!(health.ids().collect::<Vec<_>>(), [dwarf, giant]);
//! ```
//!
//! *Guarantees*: ids are handed out in the order of insertion, from 0, and are
//! never reused; iteration is in that order.
//!
//! *Limits*: an arena holds at most [`u32::MAX`] values; one more is a panic,
//! because every input that could lead there has a smaller limit of its own. An
//! id does not remember its arena: indexing another one of the same kind is a
//! mistake that only a length can catch.

mod walk;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A number that names one value of an [`Arena`]; made by [`define_id!`](crate::define_id).
pub trait Id: Copy + Eq + Ord + Hash + fmt::Debug {
    /// The id of the value at a position, counted from 0.
    ///
    /// # Panics
    ///
    /// If the position is beyond [`u32::MAX`].
    fn from_index(index: usize) -> Self;

    /// The position of the value in its arena, counted from 0.
    fn index(self) -> usize;
}

/// Declares an id newtype over `u32` that implements [`Id`](crate::index::Id).
///
/// ```
/// endstep_language::define_id! {
///     /// A rule of the specification.
///     pub struct RuleId;
/// }
/// assert_eq!(format!("{:?}", RuleId(3)), "RuleId(3)");
/// ```
#[macro_export]
macro_rules! define_id {
    ($($(#[$attribute:meta])* $visibility:vis struct $name:ident;)+) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        $visibility struct $name(pub u32);

        impl $crate::index::Id for $name {
            fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).expect("an arena holds at most u32::MAX values"))
            }

            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl $crate::index::serde::Serialize for $name {
            fn serialize<S: $crate::index::serde::Serializer>(
                &self,
                to: S,
            ) -> Result<S::Ok, S::Error> {
                to.serialize_u32(self.0)
            }
        }

        impl<'de> $crate::index::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::index::serde::Deserializer<'de>>(
                from: D,
            ) -> Result<Self, D::Error> {
                <u32 as $crate::index::serde::Deserialize>::deserialize(from).map(Self)
            }
        }
    )+};
}

/// What [`define_id!`](crate::define_id) writes ids with.
#[doc(hidden)]
pub use serde;

/// Values of one kind, each named by the id that [`push`](Arena::push) returned.
pub struct Arena<I, T> {
    values: Vec<T>,
    ids: PhantomData<fn(I) -> I>,
}

impl<I: Id, T> Arena<I, T> {
    /// An arena without values.
    pub const fn new() -> Self {
        Self {
            values: Vec::new(),
            ids: PhantomData,
        }
    }

    /// Adds a value and returns its id.
    ///
    /// # Panics
    ///
    /// If the arena already holds [`u32::MAX`] values.
    pub fn push(&mut self, value: T) -> I {
        let id = self.next_id();
        self.values.push(value);
        id
    }

    /// The id that the next [`push`](Self::push) will return.
    pub fn next_id(&self) -> I {
        I::from_index(self.values.len())
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The value that an id names, unless the id is another arena's.
    pub fn get(&self, id: I) -> Option<&T> {
        self.values.get(id.index())
    }

    /// The ids, in the order of insertion.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.values.len()).map(I::from_index)
    }

    /// The ids with their values, in the order of insertion.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        let numbered = self.values.iter().enumerate();
        numbered.map(|(index, value)| (I::from_index(index), value))
    }

    /// The ids with their values, for changing the values.
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (I, &mut T)> + ExactSizeIterator {
        let numbered = self.values.iter_mut().enumerate();
        numbered.map(|(index, value)| (I::from_index(index), value))
    }

    /// The values, in the order of insertion.
    pub fn values(&self) -> &[T] {
        &self.values
    }
}

impl<I: Id, T> Index<I> for Arena<I, T> {
    type Output = T;

    fn index(&self, id: I) -> &T {
        &self.values[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for Arena<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.values[id.index()]
    }
}

/// Numbers the values in the order in which they come.
impl<I: Id, T> FromIterator<T> for Arena<I, T> {
    fn from_iter<S: IntoIterator<Item = T>>(values: S) -> Self {
        Self {
            values: values.into_iter().collect(),
            ids: PhantomData,
        }
    }
}

// Written out, because a derive would ask for the same trait of the id.

impl<I, T> Default for Arena<I, T> {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            ids: PhantomData,
        }
    }
}

impl<I, T: Clone> Clone for Arena<I, T> {
    fn clone(&self) -> Self {
        Self {
            values: self.values.clone(),
            ids: PhantomData,
        }
    }
}

impl<I, T: PartialEq> PartialEq for Arena<I, T> {
    fn eq(&self, other: &Self) -> bool {
        self.values == other.values
    }
}

impl<I, T: Eq> Eq for Arena<I, T> {}

impl<I, T: Hash> Hash for Arena<I, T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.values.hash(state);
    }
}

impl<I: Id, T: fmt::Debug> fmt::Debug for Arena<I, T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    define_id! {
        /// A test's id.
        struct ThingId;
    }

    #[test]
    fn an_id_finds_the_value_it_was_given_for() {
        let mut things = Arena::<ThingId, &str>::new();
        let first = things.push("a");
        let second = things.push("b");
        assert_eq!((things[first], things[second]), ("a", "b"));
        assert_eq!(things.get(ThingId(2)), None);
        assert_eq!(things.next_id(), ThingId(2));
        for (_, thing) in things.iter_mut() {
            *thing = "c";
        }
        assert_eq!(things.values(), ["c", "c"]);
    }

    #[test]
    fn collecting_numbers_in_order() {
        let things: Arena<ThingId, char> = "xyz".chars().collect();
        let ids: Vec<_> = things.ids().rev().map(Id::index).collect();
        assert_eq!(ids, [2, 1, 0]);
        assert_eq!(format!("{things:?}").matches("ThingId").count(), 3);
    }
}
