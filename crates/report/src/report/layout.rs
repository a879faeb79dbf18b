//! Lines, columns and colours of a text report.

/// How a text report looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Whether to colour it with ANSI escapes.
    pub colour: bool,
    /// The width in columns.
    pub width: usize,
    /// Whether to leave out boards, traces and what holds.
    pub quiet: bool,
    /// Whether to list all that holds.
    pub all: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            colour: false,
            width: 100,
            quiet: false,
            all: false,
        }
    }
}

/// What a piece of text is, for its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tone {
    /// A heading or a code.
    Strong,
    /// Something wrong.
    Bad,
    /// Something to look at.
    Odd,
    /// Something that is well.
    Good,
    /// Something by the way.
    Faint,
}

impl Style {
    /// The text in the colour of its tone.
    pub(super) fn paint(self, tone: Tone, text: &str) -> String {
        if !self.colour || text.is_empty() {
            return text.to_owned();
        }
        let code = match tone {
            Tone::Strong => "1",
            Tone::Bad => "1;31",
            Tone::Odd => "33",
            Tone::Good => "32",
            Tone::Faint => "2",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}

/// The text in lines that fit the width, each with the indent and a line end.
pub(super) fn wrap(text: &str, width: usize, indent: usize) -> String {
    hang(text, width, indent, indent)
}

/// As [`wrap`], with another indent from the second line on.
pub(super) fn hang(text: &str, width: usize, first: usize, rest: usize) -> String {
    let mut out = String::new();
    let mut line = " ".repeat(first);
    let mut empty = true;
    for word in text.split_whitespace() {
        let length = line.chars().count() + 1 + word.chars().count();
        if !empty && length > width && !is_within_number(&line, word) {
            out.push_str(&line);
            out.push('\n');
            line = " ".repeat(rest);
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    if !empty {
        out.push_str(&line);
        out.push('\n');
    }
    out
}

/// Whether a word is no more than the next three digits of a number at the end of a line: `47 232`.
fn is_within_number(line: &str, word: &str) -> bool {
    let before = line.rsplit(' ').next().unwrap_or_default();
    let digits = word.trim_end_matches([',', '.', ';', ':', ')']);
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|one| one.is_ascii_digit());
    let before = before.trim_start_matches('(');
    is_number(before) && before.len() <= 3 && is_number(digits) && digits.len() == 3
}

/// How wide the table of some rows is, without indent.
pub(super) fn table_width(rows: &[Vec<String>]) -> usize {
    table(rows, 0)
        .lines()
        .map(|line| line.chars().count())
        .max()
        .unwrap_or(0)
}

/// Rows in columns that are two spaces apart, each with the indent and a line end.
/// Columns that are empty in every row are left out.
pub(super) fn table(rows: &[Vec<String>], indent: usize) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for row in rows {
        let mut line = " ".repeat(indent);
        for (cell, &width) in row.iter().zip(&widths).filter(|(_, width)| **width > 0) {
            line.push_str(cell);
            line.push_str(&" ".repeat(width + 2 - cell.chars().count()));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// `1 board`, `2 boards`, `1 234 567 boards`.
pub(super) fn count(number: u64, one: &str, many: &str) -> String {
    format!(
        "{} {}",
        digits(number),
        if number == 1 { one } else { many }
    )
}

/// A number with its thousands apart.
pub(super) fn digits(number: u64) -> String {
    let plain = number.to_string();
    if plain.len() <= 4 {
        return plain;
    }
    let mut out = String::new();
    for (at, digit) in plain.chars().enumerate() {
        if at > 0 && (plain.len() - at).is_multiple_of(3) {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn list(items: &[String], last: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., end] => format!("{} {last} {end}", most.join(", ")),
    }
}

/// A word as a shell wants it.
pub fn shell_word(text: &str) -> String {
    let plain = |one: char| one.is_ascii_alphanumeric() || "/._-+=:@%".contains(one);
    match text.chars().all(plain) && !text.is_empty() {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_wrapped_between_words() {
        assert_eq!(wrap("one two three", 9, 2), "  one two\n  three\n");
        assert_eq!(hang("one two three", 5, 0, 4), "one\n    two\n    three\n");
        assert_eq!(wrap("unbreakable", 4, 0), "unbreakable\n");
        assert_eq!(wrap("  ", 4, 2), "");
    }

    #[test]
    fn empty_columns_are_left_out() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let rows = [row(["a", "", "xyz"]), row(["long", "", ""])];
        assert_eq!(table(&rows, 1), " a     xyz\n long\n");
    }

    #[test]
    fn numbers_and_lists_read_well() {
        assert_eq!(count(1, "board", "boards"), "1 board");
        assert_eq!(count(1234, "board", "boards"), "1234 boards");
        assert_eq!(digits(1_234_567), "1 234 567");
        let items = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(list(&items, "or"), "a, b or c");
        assert_eq!(list(&items[..1], "or"), "a");
    }

    #[test]
    fn colour_is_only_added_where_it_is_wanted() {
        let mut style = Style::default();
        assert_eq!(style.paint(Tone::Bad, "x"), "x");
        style.colour = true;
        assert!(style.paint(Tone::Bad, "x").contains('\u{1b}'));
    }
}
