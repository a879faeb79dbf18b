//! The state of making a specification: bytes left, names declared, names in scope.

use super::world::{Ty, World};
use super::{Feature, Options};
use arbitrary::{Result, Unstructured};

/// What the surroundings of a statement or expression allow.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Around {
    /// `old` has a meaning.
    pub old: bool,
    /// Under `simultaneously`.
    pub together: bool,
    /// No queue may be resolved here.
    pub reacting: bool,
    /// In a round that nothing ends: what leads out of bounds or to an end is rare.
    pub round: bool,
    /// How many of the sequences may be performed: those declared first.
    pub callable: usize,
    /// In a step of a list in order: of which sequence, and which step.
    pub list: Option<(usize, usize)>,
    /// How many of the definitions may be used.
    pub defined: usize,
    /// In the expression of a continuous value.
    pub inside: bool,
}

/// A specification in the making.
pub(super) struct Maker<'a> {
    pub u: Unstructured<'a>,
    pub options: &'a Options,
    pub world: World,
    /// Names bound here, outermost first.
    pub locals: Vec<(String, Ty)>,
    pub around: Around,
}

impl<'a> Maker<'a> {
    pub fn new(bytes: &'a [u8], options: &'a Options) -> Self {
        Self {
            u: Unstructured::new(bytes),
            options,
            world: World::default(),
            locals: Vec::new(),
            around: Around::default(),
        }
    }

    /// Whether a feature may occur.
    pub fn allows(&self, feature: Feature) -> bool {
        self.options.allows(feature)
    }

    /// One of some weighted alternatives; the first if no bytes are left. There is at least one.
    pub fn pick<T: Copy>(&mut self, table: &[(u8, T)]) -> Result<T> {
        let total: u32 = table.iter().map(|(weight, _)| u32::from(*weight)).sum();
        let mut at = self.below(total.max(1) as usize)? as u32;
        for (weight, one) in table {
            match at.checked_sub(u32::from(*weight)) {
                Some(rest) => at = rest,
                None => return Ok(*one),
            }
        }
        let first = table.first().map(|(_, one)| *one);
        first.ok_or(arbitrary::Error::EmptyChoose)
    }

    /// True in so many of 256 cases; false if no bytes are left.
    pub fn odds(&mut self, cases: u8) -> Result<bool> {
        Ok(self.u.int_in_range(0..=u8::MAX)? > u8::MAX - cases)
    }

    /// As [`odds`](Self::odds), if a feature may occur.
    pub fn may(&mut self, feature: Feature, cases: u8) -> Result<bool> {
        Ok(self.allows(feature) && self.odds(cases)?)
    }

    /// A number below a bound, which is positive; 0 if no bytes are left.
    pub fn below(&mut self, bound: usize) -> Result<usize> {
        let last = u16::try_from(bound.saturating_sub(1)).unwrap_or(u16::MAX);
        Ok(usize::from(self.u.int_in_range(0..=last)?))
    }

    /// One of some elements, of which there is at least one.
    pub fn one_of<T: Clone>(&mut self, all: &[T]) -> Result<T> {
        let at = self.below(all.len())?;
        let one = all.get(at).cloned();
        one.ok_or(arbitrary::Error::EmptyChoose)
    }

    /// One of some elements, if there are any.
    pub fn any_of<T: Clone>(&mut self, all: &[T]) -> Result<Option<T>> {
        if all.is_empty() {
            return Ok(None);
        }
        self.one_of(all).map(Some)
    }

    /// Makes something from the first of so many equal slices of the bytes left.
    pub fn slice<T>(
        &mut self,
        slices: usize,
        make: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let bytes = self.u.bytes(self.u.len() / slices.max(1))?;
        let rest = std::mem::replace(&mut self.u, Unstructured::new(bytes));
        let made = make(self);
        self.u = rest;
        made
    }

    /// Makes something from the first bytes left: a quarter of them, but at most so many.
    pub fn head<T>(&mut self, most: usize, make: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let quarters = self.u.len() / most.max(1);
        self.slice(quarters.max(4), make)
    }

    /// Makes something with names in scope that are forgotten afterwards.
    pub fn scoped<T>(&mut self, make: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let bound = self.locals.len();
        let made = make(self);
        self.locals.truncate(bound);
        made
    }

    /// Makes something in other surroundings.
    pub fn amid<T>(
        &mut self,
        around: Around,
        make: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let outer = std::mem::replace(&mut self.around, around);
        let made = make(self);
        self.around = outer;
        made
    }

    /// Binds a new name. Names are numbered by depth, so that none hides another.
    pub fn bind(&mut self, ty: Ty) -> String {
        let letter = match ty {
            Ty::Int => "n",
            Ty::Bool => "b",
            Ty::Enum(_) => "v",
            Ty::Entity(sort) | Ty::Optional(sort) if Some(sort) == self.world.players() => "p",
            Ty::Entity(_) | Ty::Optional(_) => "c",
        };
        let name = format!("{letter}{}", self.locals.len() + 1);
        self.locals.push((name.clone(), ty));
        name
    }
}
