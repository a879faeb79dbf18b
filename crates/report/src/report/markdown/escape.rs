//! Texts of specifications as Markdown that shows them as they are.
//!
//! Names, paraphrases and comments may hold anything: `a|b`, `<b>`, `# 1`, a lone backtick. Nothing
//! of it may become markup, or end a table, a heading or an anchor. Lines become one line. Texts in
//! backticks, as reports quote specifications, become code.

/// A text inside of a line.
pub(super) fn inline(text: &str) -> String {
    marked(text, false)
}

/// A text at the beginning of a paragraph or of an item of a list.
pub(super) fn block(text: &str) -> String {
    let text = inline(text);
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    match text.as_bytes().get(digits) {
        // A number of a list.
        Some(b'.' | b')') if digits > 0 => format!("{}\\{}", &text[..digits], &text[digits..]),
        // A bullet, a rule, a heading underlined, or a quote.
        Some(b'-' | b'+' | b'=' | b'>') if digits == 0 => format!("\\{text}"),
        _ => text,
    }
}

/// A text in a cell of a table.
pub(super) fn cell(text: &str) -> String {
    marked(text, true)
}

/// A text inside of a line, nothing of it as code.
pub(super) fn plain(text: &str) -> String {
    escaped(&joined(text))
}

/// A text as code.
pub(super) fn code(text: &str) -> String {
    let text = joined(text);
    // A fence that is longer than any run of backticks inside.
    let longest = text.split(|one| one != '`').map(str::len).max();
    let fence = "`".repeat(longest.unwrap_or(0) + 1);
    match text.starts_with('`') || text.ends_with('`') {
        true => format!("{fence} {text} {fence}"),
        false => format!("{fence}{text}{fence}"),
    }
}

/// A row of a table.
pub(super) fn row<T: AsRef<str>>(cells: &[T]) -> String {
    let cells: Vec<String> = cells.iter().map(|one| cell(one.as_ref())).collect();
    raw_row(&cells)
}

/// A row of cells that are Markdown already.
pub(super) fn raw_row(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

/// A table: a heading, and rows.
pub(super) fn table(rows: &[Vec<String>]) -> String {
    let mut out = String::new();
    for (at, cells) in rows.iter().enumerate() {
        out.push_str(&row(cells));
        if at == 0 {
            out.push_str(&rule(cells.len()));
        }
    }
    out
}

/// The line between the heading of a table and its rows.
pub(super) fn rule(columns: usize) -> String {
    format!("|{}\n", " --- |".repeat(columns))
}

fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn marked(text: &str, in_table: bool) -> String {
    let text = joined(text);
    let parts: Vec<&str> = text.split('`').collect();
    // A lone backtick, or nothing between two, quotes nothing.
    let quoted = parts.iter().skip(1).step_by(2);
    let paired = parts.len() % 2 == 1 && quoted.clone().all(|one| !one.trim().is_empty());
    if !paired {
        return escaped(&text);
    }
    let part = |(at, part): (usize, &&str)| match (at % 2 == 1, in_table) {
        (false, _) => escaped(part),
        (true, false) => format!("`{part}`"),
        // A table is cut into cells before anything else is looked at; this cannot be said in code.
        (true, true) if part.contains('\\') => escaped(part),
        (true, true) => format!("`{}`", part.replace('|', "\\|")),
    };
    parts.iter().enumerate().map(part).collect()
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let letters: Vec<char> = text.chars().collect();
    for (at, &one) in letters.iter().enumerate() {
        let beside = |other: Option<&char>| other.is_some_and(|other| other.is_alphanumeric());
        let before = at.checked_sub(1).and_then(|at| letters.get(at));
        let inside_a_word = beside(before) && beside(letters.get(at + 1));
        let is_markup = match one {
            '\\' | '`' | '*' | '[' | ']' | '<' | '|' | '~' | '&' | '#' | '$' => true,
            '_' => !inside_a_word,
            _ => false,
        };
        if is_markup {
            out.push('\\');
        }
        out.push(one);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_shown_and_not_obeyed() {
        assert_eq!(inline("a * b_c _d_ [x](y)"), "a \\* b_c \\_d\\_ \\[x\\](y)");
        assert_eq!(
            inline("<b>&amp; $1$ ~~no~~"),
            "\\<b>\\&amp; \\$1\\$ \\~\\~no\\~\\~"
        );
        assert_eq!(inline("two\n   lines"), "two lines");
        assert_eq!(inline("back\\slash"), "back\\\\slash");
    }

    #[test]
    fn quotes_become_code_unless_they_are_not_closed() {
        assert_eq!(inline("at `a | b*` here"), "at `a | b*` here");
        assert_eq!(inline("a lone ` here"), "a lone \\` here");
        assert_eq!(inline("nothing `` here"), "nothing \\`\\` here");
        assert_eq!(
            code("a ` b"),
            "`` a ` b ``".replace("`` a", "``a").replace("b ``", "b``")
        );
        assert_eq!(code("`a"), "`` `a ``");
    }

    #[test]
    fn nothing_begins_a_block() {
        assert_eq!(block("- no item"), "\\- no item");
        assert_eq!(block("12. no item"), "12\\. no item");
        assert_eq!(block("12 items"), "12 items");
        assert_eq!(block("# no heading"), "\\# no heading");
        assert_eq!(block("=== no line"), "\\=== no line");
        assert_eq!(block("> no quote"), "\\> no quote");
    }

    #[test]
    fn nothing_ends_a_cell() {
        assert_eq!(row(&["a|b", "`c|d`", "-1"]), "| a\\|b | `c\\|d` | -1 |\n");
        assert_eq!(cell("`c\\|d`"), "c\\\\\\|d");
        let rows = [
            vec!["x".to_owned(), "y".to_owned()],
            vec!["1".to_owned(), String::new()],
        ];
        assert_eq!(table(&rows), "| x | y |\n| --- | --- |\n| 1 |  |\n");
    }
}
