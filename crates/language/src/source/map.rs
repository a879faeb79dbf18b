//! The texts of a run, numbered in the order in which they were loaded.

use super::{LineColumn, SourceId, Span};
use crate::index::Arena;
use std::fmt;

/// The size of the largest text that is accepted, in bytes: 4 MiB, some forty
/// times a long rulebook. It keeps offsets far inside a `u32`, and a file that
/// was passed by mistake from stopping the machine.
pub const MAX_SOURCE_BYTES: usize = 4 << 20;

/// The size of all texts of one run together, in bytes.
pub const MAX_TOTAL_BYTES: usize = 4 * MAX_SOURCE_BYTES;

/// The number of texts that one run accepts.
pub const MAX_SOURCES: usize = 10_000;

/// A text with its name and the beginnings of its lines.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    text: String,
    // INVARIANT: strictly increasing, starts with 0, each the offset of a line.
    lines: Vec<u32>,
}

impl SourceFile {
    fn new(name: String, text: String) -> Self {
        let mut lines = vec![0];
        for (offset, byte) in text.bytes().enumerate() {
            if byte == b'\n' {
                lines.push(offset as u32 + 1);
            }
        }
        Self { name, text, lines }
    }

    /// The name under which messages speak of the text; usually a path.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The number of lines; a line end at the very end of the text starts no
    /// further line, and an empty text has one.
    pub fn line_count(&self) -> u32 {
        let open = self.text.ends_with('\n') && self.lines.len() > 1;
        (self.lines.len() - usize::from(open)) as u32
    }

    /// A line without its line end; none if there are fewer lines. Counted from 1.
    pub fn line(&self, line: u32) -> Option<&str> {
        let index = (line as usize).checked_sub(1)?;
        let start = *self.lines.get(index)? as usize;
        let end = self
            .lines
            .get(index + 1)
            .map_or(self.text.len(), |&next| next as usize);
        Some(self.text.get(start..end)?.trim_end_matches(['\n', '\r']))
    }

    /// The line and column of an offset. An offset beyond the end counts as the
    /// end, one inside a character as the character's.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let line = self.lines.partition_point(|&start| start <= offset);
        let start = self.lines[line - 1] as usize;
        let end = self.text.floor_char_boundary(offset as usize);
        let before = self.text.get(start..end).unwrap_or_default();
        LineColumn {
            line: line as u32,
            column: before.chars().count() as u32 + 1,
        }
    }
}

/// The texts of a run.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Arena<SourceId, SourceFile>,
}

impl SourceMap {
    /// A map without texts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text; a byte order mark at its start is dropped, and a carriage return that
    /// ends a line alone becomes a line feed.
    ///
    /// # Errors
    ///
    /// If the bytes are not UTF-8, or more than [`MAX_SOURCE_BYTES`], or with those of the texts before
    /// more than [`MAX_TOTAL_BYTES`], or one text more than [`MAX_SOURCES`]. The map is then unchanged.
    pub fn load(&mut self, name: impl Into<String>, bytes: &[u8]) -> Result<SourceId, LoadError> {
        let name = name.into();
        if bytes.len() > MAX_SOURCE_BYTES {
            return Err(LoadError::TooLarge { name });
        }
        let others: usize = self.files().map(|(_, file)| file.text.len()).sum();
        if others + bytes.len() > MAX_TOTAL_BYTES {
            return Err(LoadError::TooMuch { name });
        }
        if self.files.len() == MAX_SOURCES {
            return Err(LoadError::TooMany { name });
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => {
                let text = text.strip_prefix('\u{feff}').unwrap_or(text);
                Ok(self
                    .files
                    .push(SourceFile::new(name, with_line_feeds(text))))
            }
            Err(error) => {
                let valid = String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into_owned();
                let offset = valid.len() as u32;
                Err(LoadError::NotUtf8 {
                    at: SourceFile::new(String::new(), valid).line_column(offset),
                    byte: bytes[error.valid_up_to()],
                    name,
                })
            }
        }
    }

    /// A loaded text.
    ///
    /// # Panics
    ///
    /// If the id is another map's.
    pub fn file(&self, id: SourceId) -> &SourceFile {
        &self.files[id]
    }

    /// The texts in the order in which they were loaded.
    pub fn files(&self) -> impl DoubleEndedIterator<Item = (SourceId, &SourceFile)> {
        self.files.iter()
    }

    /// The text that a span covers; empty where the span does not fit its text.
    pub fn text(&self, span: Span) -> &str {
        let file = self.files.get(span.source);
        let text = file.and_then(|file| file.text.get(span.range()));
        text.unwrap_or_default()
    }

    /// The whole of a text.
    pub fn span(&self, id: SourceId) -> Span {
        Span::new(id, 0, self.file(id).text.len() as u32)
    }

    /// The line and column at which a span starts.
    pub fn start(&self, span: Span) -> LineColumn {
        self.file(span.source).line_column(span.start)
    }

    /// The line and column before which a span ends.
    pub fn end(&self, span: Span) -> LineColumn {
        self.file(span.source).line_column(span.end)
    }
}

/// Why bytes are no source text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LoadError {
    /// The bytes are not UTF-8.
    NotUtf8 {
        /// The text's name.
        name: String,
        /// Where the first wrong byte stands.
        at: LineColumn,
        /// That byte.
        byte: u8,
    },
    /// There are more than [`MAX_SOURCE_BYTES`] bytes.
    TooLarge {
        /// The text's name.
        name: String,
    },
    /// There are more than [`MAX_TOTAL_BYTES`] bytes with those of the texts before.
    TooMuch {
        /// The name of the text that is too much.
        name: String,
    },
    /// There are already [`MAX_SOURCES`] texts.
    TooMany {
        /// The name of the text that is one too many.
        name: String,
    },
}

impl LoadError {
    /// The name of the text that could not be loaded.
    pub fn name(&self) -> &str {
        match self {
            Self::NotUtf8 { name, .. }
            | Self::TooLarge { name }
            | Self::TooMuch { name }
            | Self::TooMany { name } => name,
        }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotUtf8 { name, at, byte } => write!(
                out,
                "`{name}` is not UTF-8: found byte 0x{byte:02x} at line {}, column {}",
                at.line, at.column
            ),
            Self::TooLarge { name } => write!(
                out,
                "`{name}` is too large: found more than {MAX_SOURCE_BYTES} bytes"
            ),
            Self::TooMuch { name } => write!(
                out,
                "`{name}` is too much: found more than {MAX_TOTAL_BYTES} bytes in the specification and \
                 what it includes"
            ),
            Self::TooMany { name } => write!(
                out,
                "`{name}` is one source too many: expected at most {MAX_SOURCES}"
            ),
        }
    }
}

impl std::error::Error for LoadError {}

/// A text in which no carriage return stands without a line feed. Offsets stay as they were.
fn with_line_feeds(text: &str) -> String {
    let mut left = text.chars().peekable();
    let mut lines = String::with_capacity(text.len());
    while let Some(one) = left.next() {
        let alone = one == '\r' && left.peek() != Some(&'\n');
        lines.push(if alone { '\n' } else { one });
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loaded(text: &str) -> (SourceMap, SourceId) {
        let mut map = SourceMap::new();
        let id = map.load("a.endstep", text.as_bytes()).unwrap();
        (map, id)
    }

    fn at(line: u32, column: u32) -> LineColumn {
        LineColumn { line, column }
    }

    #[test]
    fn columns_count_characters_and_lines_start_after_line_ends() {
        let (map, id) = loaded("añb\r\nc\n");
        let file = map.file(id);
        assert_eq!(file.line_column(0), at(1, 1));
        assert_eq!(file.line_column(3), at(1, 3), "after the two bytes of ñ");
        assert_eq!(file.line_column(2), at(1, 2), "inside ñ");
        assert_eq!(file.line_column(6), at(2, 1));
        assert_eq!(file.line_column(8), at(3, 1), "the end of the text");
        assert_eq!(file.line_column(99), at(3, 1), "beyond the end");
    }

    #[test]
    fn lines_come_without_their_ends() {
        let (map, id) = loaded("a\r\nb\n");
        let file = map.file(id);
        assert_eq!(file.line_count(), 2);
        assert_eq!(file.line(1), Some("a"));
        assert_eq!(file.line(2), Some("b"));
        assert_eq!((file.line(0), file.line(4)), (None, None));
        let (map, id) = loaded("");
        assert_eq!(map.file(id).line_count(), 1);
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_text() {
        let (map, id) = loaded("\u{feff}game");
        assert_eq!(map.file(id).text(), "game");
        assert_eq!(map.text(Span::new(id, 1, 3)), "am");
        assert_eq!(map.text(map.span(id)), "game");
    }

    #[test]
    fn text_that_is_not_utf8_is_refused_with_its_place() {
        let mut map = SourceMap::new();
        let error = map.load("b.endstep", b"one\ntw\xffo").unwrap_err();
        let message = "`b.endstep` is not UTF-8: found byte 0xff at line 2, column 3";
        assert_eq!(error.to_string(), message);
        assert_eq!(map.files().count(), 0);
    }

    #[test]
    fn a_text_may_be_as_large_as_the_limit_and_no_larger() {
        let mut map = SourceMap::new();
        let mut bytes = vec![b' '; MAX_SOURCE_BYTES];
        assert!(map.load("full", &bytes).is_ok());
        bytes.push(b' ');
        let error = map.load("c.endstep", &bytes).unwrap_err();
        let message = "`c.endstep` is too large: found more than 4194304 bytes";
        assert_eq!(error.to_string(), message);
    }

    #[test]
    fn carriage_returns_end_lines() {
        let mut sources = SourceMap::new();
        let id = sources.load("old", b"a\rb\r\nc\nd\r").unwrap();
        let file = sources.file(id);
        let lines: Vec<_> = (1..=file.line_count())
            .map(|line| file.line(line))
            .collect();
        assert_eq!(lines, ["a", "b", "c", "d"].map(Some));
    }
}
