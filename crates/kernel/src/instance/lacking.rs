//! What elements lack that are all looked at; most lack nothing.
//!
//! As in the interpreter no order decides what is told (`docs/semantics.md`, §2).

use endstep_semantics::semantics::Stop;

/// The reason that is told, if there is one; boxed as long as nobody asks.
#[derive(Default)]
pub(super) struct Lacking(Option<Box<Stop>>);

impl Lacking {
    /// The value of one of them, if it has one.
    #[inline(always)]
    pub fn value<T, S: Into<Box<Stop>>>(&mut self, of: Result<T, S>) -> Option<T> {
        match of {
            Ok(value) => Some(value),
            Err(stop) => {
                self.note(stop.into());
                None
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn note(&mut self, stop: Box<Stop>) {
        if self.0.as_ref().is_none_or(|told| stop.precedes(told)) {
            self.0 = Some(stop);
        }
    }

    /// An error if one of them has none.
    #[inline(always)]
    pub fn told(self) -> Result<(), Box<Stop>> {
        self.0.map_or(Ok(()), Err)
    }
}
