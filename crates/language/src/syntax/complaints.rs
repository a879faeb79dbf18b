//! Collects the diagnostics of one text, up to a number that a person can still read.

use crate::diag::codes::syntax as codes;
use crate::diag::{Diagnostic, sort};

/// How many diagnostics one text gets; after that many, the rest of it is not read.
pub const MAX_DIAGNOSTICS: usize = 100;

/// The diagnostics of one text.
#[derive(Default)]
pub(crate) struct Complaints {
    list: Vec<Diagnostic>,
}

impl Complaints {
    /// Adds one, unless there are already [`MAX_DIAGNOSTICS`].
    pub(crate) fn add(&mut self, complaint: Diagnostic) {
        if !self.is_full() {
            self.list.push(complaint);
        }
    }

    /// Whether no more are taken.
    pub(crate) fn is_full(&self) -> bool {
        self.list.len() >= MAX_DIAGNOSTICS
    }

    /// All of them in the order of the text, with the later ones of two passes.
    pub(crate) fn merge(self, later: Self) -> Vec<Diagnostic> {
        let mut list = self.list;
        list.extend(later.list);
        sort(&mut list);
        if list.len() >= MAX_DIAGNOSTICS {
            list.truncate(MAX_DIAGNOSTICS);
            let message = format!("found {MAX_DIAGNOSTICS} errors, the rest is not read");
            let last = list.last().and_then(Diagnostic::place);
            let mut stop = Diagnostic::error(codes::TOO_MANY_ERRORS, message);
            if let Some(place) = last {
                stop = stop.at(place, "the last error that is shown");
            }
            list.push(stop);
        }
        list
    }
}
