//! Places in source texts: ranges of bytes, and lines and columns for people.

use serde::{Deserialize, Serialize};

crate::define_id! {
    /// A text of the [`SourceMap`](super::SourceMap).
    #[derive(Default)]
    pub struct SourceId;
}

/// A range of bytes of one text: from `start` up to, but not including, `end`.
///
/// The order is by text, then by start, then by end.
//
// INVARIANT: start <= end, and both lie on character boundaries of the text
// where the span was taken from it.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
pub struct Span {
    /// The text.
    pub source: SourceId,
    /// The offset of the first byte.
    pub start: u32,
    /// The offset of the byte after the last one.
    pub end: u32,
}

impl Span {
    /// The bytes `start..end` of a text; the two are swapped if they are in the
    /// wrong order.
    pub fn new(source: SourceId, start: u32, end: u32) -> Self {
        Self {
            source,
            start: start.min(end),
            end: start.max(end),
        }
    }

    /// The empty range before a byte.
    pub fn point(source: SourceId, offset: u32) -> Self {
        Self::new(source, offset, offset)
    }

    /// The smallest range that covers both; `self` if the other is in another text.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        if self.source != other.source {
            return self;
        }
        Self {
            source: self.source,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// The empty range at the end of this one: where something is missing.
    #[must_use]
    pub fn after(self) -> Self {
        Self::point(self.source, self.end)
    }

    /// The number of bytes.
    pub fn len(self) -> u32 {
        self.end - self.start
    }

    /// Whether the range covers no byte.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The range as Rust wants it for indexing a text.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A place as an editor shows it. The order is that of the text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct LineColumn {
    /// The line, counted from 1.
    pub line: u32,
    /// The column in characters (Unicode scalar values), counted from 1.
    pub column: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joining_covers_both_and_stays_in_its_text() {
        let span = |start, end| Span::new(SourceId(0), start, end);
        assert_eq!(span(4, 6).join(span(1, 2)), span(1, 6));
        assert_eq!(span(1, 9).join(span(2, 3)), span(1, 9));
        let elsewhere = Span::new(SourceId(1), 0, 99);
        assert_eq!(span(4, 6).join(elsewhere), span(4, 6));
    }

    #[test]
    fn the_place_after_a_span_is_empty() {
        let span = Span::new(SourceId(0), 7, 3);
        assert_eq!((span.start, span.end, span.len()), (3, 7, 4));
        assert!(span.after().is_empty());
        assert_eq!(span.after().start, 7);
    }
}
