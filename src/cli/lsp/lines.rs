//! Places in texts: bytes here, lines and characters with an editor.
//!
//! ```text
//! a🂡b        b stands at byte 5, which is character 5 in UTF-8, 3 in UTF-16, 2 in UTF-32
//! ```
//!
//! *Guarantees.* Every position gives an offset on a character boundary inside of the text: what lies behind the end of a
//! line is its end, what lies behind the last line the end of the text.

use lsp_types::{Position, PositionEncodingKind, Range};

/// In which units an editor counts characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Encoding {
    Utf8,
    /// What every editor can do.
    #[default]
    Utf16,
    Utf32,
}

impl Encoding {
    /// The best one that an editor offers: bytes need no counting.
    pub(super) fn of(offered: Option<&[PositionEncodingKind]>) -> Self {
        let offers = |kind: &PositionEncodingKind| offered.is_some_and(|all| all.contains(kind));
        match () {
            () if offers(&PositionEncodingKind::UTF8) => Self::Utf8,
            () if offers(&PositionEncodingKind::UTF16) => Self::Utf16,
            () if offers(&PositionEncodingKind::UTF32) => Self::Utf32,
            () => Self::Utf16,
        }
    }

    /// Its name in the protocol.
    pub(super) fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
            Self::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    fn units(self, one: char) -> usize {
        match self {
            Self::Utf8 => one.len_utf8(),
            Self::Utf16 => one.len_utf16(),
            Self::Utf32 => 1,
        }
    }

    /// How long a text is.
    pub(super) fn length(self, text: &str) -> u32 {
        let units: usize = text.chars().map(|one| self.units(one)).sum();
        u32::try_from(units).unwrap_or(u32::MAX)
    }
}

/// The beginnings of the lines of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lines {
    // INVARIANT: strictly increasing, begins with 0.
    starts: Vec<usize>,
}

impl Lines {
    /// Those of a text. A line feed ends a line, a carriage return, or both together.
    pub(super) fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let ends = bytes.iter().enumerate().filter(|&(at, byte)| match byte {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        });
        let mut starts = vec![0];
        starts.extend(ends.map(|(at, _)| at + 1));
        Self { starts }
    }

    /// How many lines there are: a line end at the end of the text begins another one.
    pub(super) fn count(&self) -> usize {
        self.starts.len()
    }

    /// The bytes of a line, counted from 0, without its end.
    pub(super) fn line<'t>(&self, text: &'t str, line: usize) -> &'t str {
        let Some(&start) = self.starts.get(line) else {
            return "";
        };
        let end = self.starts.get(line + 1).copied().unwrap_or(text.len());
        let line = text.get(start..end).unwrap_or_default();
        line.trim_end_matches(['\n', '\r'])
    }

    /// Where a line begins; the end of the text if there are fewer lines.
    pub(super) fn start(&self, text: &str, line: usize) -> usize {
        self.starts.get(line).copied().unwrap_or(text.len())
    }

    /// The offset of a position.
    pub(super) fn offset(&self, text: &str, at: Position, encoding: Encoding) -> usize {
        let line = at.line as usize;
        let start = self.start(text, line);
        let (mut units, wanted) = (0, at.character as usize);
        let mut offset = start;
        for one in self.line(text, line).chars() {
            units += encoding.units(one);
            // Inside of a character is its beginning.
            if units > wanted {
                break;
            }
            offset += one.len_utf8();
        }
        offset
    }

    /// The position of an offset.
    pub(super) fn position(&self, text: &str, offset: usize, encoding: Encoding) -> Position {
        let offset = text.floor_char_boundary(offset);
        let line = self.starts.partition_point(|&start| start <= offset) - 1;
        let before = text.get(self.starts[line]..offset).unwrap_or_default();
        Position {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            character: encoding.length(before),
        }
    }

    /// The range of some bytes.
    pub(super) fn range(
        &self,
        text: &str,
        bytes: std::ops::Range<usize>,
        encoding: Encoding,
    ) -> Range {
        let place = |offset| self.position(text, offset, encoding);
        Range::new(place(bytes.start), place(bytes.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::{prop_assert, proptest};

    #[test]
    fn characters_are_counted_as_the_editor_does() {
        let text = "x\r\na🂡b\r";
        let lines = Lines::of(text);
        assert_eq!(lines.count(), 3);
        let at = text.find('b').unwrap();
        let character = |encoding| lines.position(text, at, encoding).character;
        let all = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];
        assert_eq!(all.map(character), [5, 3, 2]);
        // Inside of the card is where it begins, behind the line its end.
        let offset = |character| lines.offset(text, Position::new(1, character), Encoding::Utf16);
        assert_eq!([offset(1), offset(2), offset(3), offset(99)], [4, 4, 8, 9]);
        assert_eq!(
            lines.offset(text, Position::new(9, 0), Encoding::Utf8),
            text.len()
        );
    }

    proptest! {
        #[test]
        fn an_offset_has_one_position(text in "[a🂡é\r\n]{0,12}") {
            let lines = Lines::of(&text);
            for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
                for offset in (0..=text.len()).filter(|&at| text.is_char_boundary(at)) {
                    let position = lines.position(&text, offset, encoding);
                    let back = lines.offset(&text, position, encoding);
                    // Between the two characters of one line end is the end of the line.
                    let inside = text[..offset].ends_with('\r') && text[offset..].starts_with('\n');
                    prop_assert!(back == offset || inside && back + 1 == offset);
                }
            }
        }
    }
}
