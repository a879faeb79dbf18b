//! The names of one kind, each with its id and the place of its declaration.

use super::nearest;
use crate::diag::{Diagnostic, codes};
use crate::source::Span;
use crate::syntax::ast::Name;
use std::collections::BTreeMap;

/// The names of one kind.
#[derive(Debug, Clone)]
pub struct Table<I> {
    what: &'static str,
    entries: BTreeMap<String, (I, Span)>,
}

impl<I: Copy> Table<I> {
    /// A table without names; `what` is the kind in messages, such as `sequence`.
    pub fn new(what: &'static str) -> Self {
        Self {
            what,
            entries: BTreeMap::new(),
        }
    }

    /// Declares a name.
    ///
    /// # Errors
    ///
    /// If it is declared already; the first declaration then stays.
    pub fn declare(&mut self, name: &Name, id: I) -> Result<(), Box<Diagnostic>> {
        self.declare_text(&name.text, name.loc.span(), id)
    }

    /// As [`declare`](Self::declare), for what is not a [`Name`].
    ///
    /// # Errors
    ///
    /// If it is declared already.
    pub fn declare_text(&mut self, text: &str, span: Span, id: I) -> Result<(), Box<Diagnostic>> {
        if let Some((_, first)) = self.entries.get(text) {
            return Err(Box::new(declared_twice(self.what, text, span, *first)));
        }
        self.entries.insert(text.to_owned(), (id, span));
        Ok(())
    }

    /// What a name stands for.
    pub fn get(&self, text: &str) -> Option<I> {
        self.entries.get(text).map(|(id, _)| *id)
    }

    /// Where a name is declared.
    pub fn place(&self, text: &str) -> Option<Span> {
        self.entries.get(text).map(|(_, span)| *span)
    }

    /// What a name stands for.
    ///
    /// # Errors
    ///
    /// If nothing declares it.
    pub fn find(&self, name: &Name) -> Result<I, Box<Diagnostic>> {
        self.get(&name.text).ok_or_else(|| {
            let near = nearest(&name.text, self.names());
            Box::new(unknown(self.what, &name.text, name.loc.span(), near))
        })
    }

    /// The names in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }
}

/// The error for a name that nothing declares.
pub(crate) fn unknown(what: &str, text: &str, span: Span, near: Option<&str>) -> Diagnostic {
    let message = format!("found `{text}`, expected a declared {what}");
    let error = Diagnostic::error(codes::names::UNKNOWN, message)
        .at(span, "nothing of this kind has this name here");
    match near {
        Some(near) => error.help(format!("did you mean `{near}`?")),
        None => error,
    }
}

/// The error for a name that is declared again.
pub(crate) fn declared_twice(what: &str, text: &str, span: Span, first: Span) -> Diagnostic {
    let message = format!("the {what} `{text}` is declared twice");
    Diagnostic::error(codes::names::DECLARED_TWICE, message)
        .at(span, "second declaration")
        .also(first, "first declaration")
        .help("rename one of them")
}
