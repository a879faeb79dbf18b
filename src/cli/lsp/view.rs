//! What a request about a place in a text needs.

use super::documents::Documents;
use super::lines::Encoding;
use super::looked::Looked;
use super::specification::{Instead, Specification, uri};
use crate::cli::include::Roots;
use endstep_language::resolve::Use;
use endstep_language::source::Span;
use lsp_types::{Location, Position, Range};
use std::path::Path;

/// A file of a specification, as an editor sees it.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    /// The file.
    pub path: &'a Path,
    /// The specification of which it is part.
    pub specification: &'a Specification,
    /// What was found in that, if it was looked at as it is now.
    pub looked: Option<&'a Looked>,
    /// The texts that are open.
    pub documents: &'a Documents,
    /// From where files may be included.
    pub roots: &'a Roots,
    /// How characters are counted.
    pub encoding: Encoding,
}

impl View<'_> {
    /// The specification with other texts.
    pub(super) fn reread(&self, instead: Instead<'_>) -> Specification {
        let root = &self.specification.root;
        Specification::read(root, self.documents, self.roots, Some(instead))
    }

    /// The text of the file.
    pub(super) fn text(&self) -> &str {
        self.specification
            .text(self.path)
            .map_or("", |(text, _)| text)
    }

    /// The name at a position.
    pub(super) fn name(&self, at: Position) -> Option<Use> {
        let place = self.specification.place(self.path, at, self.encoding)?;
        self.specification.uses.at(place).copied()
    }

    /// Where a range is.
    pub(super) fn location(&self, span: Span) -> Option<Location> {
        let (path, range) = self.specification.range(span, self.encoding)?;
        Some(Location::new(uri(path, self.documents)?, range))
    }

    /// Where a range is in this file, if it is in it.
    pub(super) fn range(&self, span: Span) -> Option<Range> {
        let (path, range) = self.specification.range(span, self.encoding)?;
        (path == self.path).then_some(range)
    }

    /// The range of some bytes of this file.
    pub(super) fn bytes(&self, bytes: std::ops::Range<usize>) -> Option<Range> {
        let (text, lines) = self.specification.text(self.path)?;
        Some(lines.range(text, bytes, self.encoding))
    }
}
