//! Turns a syntax tree into text in the one canonical layout.
//!
//! Every line is made whole before it is written: `for each c: Card in board where c.ready, left to
//! right` is one line that may be broken in two places, before `where` and after the comma, if it
//! gets longer than [`WIDTH`]. Of the places that fit, those in the fewest brackets are preferred,
//! and of these the last. What follows is indented by four more spaces, so that it cannot be taken
//! for nested lines.
//!
//! *Guarantees.* For a tree that the parser returned without errors, parsing the text gives an
//! equal tree. For other trees, brackets are added where the grammar would group differently.

mod ask;
mod clause;
mod declaration;
mod expr;
mod form;
mod item;
mod policy;
mod sequence;
mod stmt;

use super::ast::{Comment, Experiment, Expr, File, Name, Text, Trivia};

/// The number of columns after which a line is broken, if there is a place for it.
const WIDTH: usize = 100;

/// Writes a file; see [`super::print`].
pub(super) fn print(file: &File) -> String {
    let mut printer = Printer::default();
    for item in &file.items {
        printer.item(item);
    }
    printer.comments(&file.tail);
    printer.out
}

/// Writes what an experiment changes as one line.
pub(super) fn print_alterations(experiment: &Experiment) -> String {
    let mut printer = Printer::default();
    printer.alterations(experiment);
    printer.line
}

/// Writes an expression as one line.
pub(super) fn print_expr(expr: &Expr) -> String {
    let mut printer = Printer::default();
    printer.expr(expr);
    printer.line
}

/// The text so far, and the line that is being made.
#[derive(Default)]
struct Printer {
    out: String,
    depth: usize,
    line: String,
    // The offsets in the line after which it may be broken.
    breaks: Vec<usize>,
}

impl Printer {
    /// Adds text to the line.
    fn put(&mut self, text: &str) -> &mut Self {
        self.line.push_str(text);
        self
    }

    /// Adds a comma and a space, where the line may be broken.
    fn comma(&mut self) -> &mut Self {
        self.put(",").break_here().put(" ")
    }

    /// Allows a break here; a space has to follow.
    fn break_here(&mut self) -> &mut Self {
        self.breaks.push(self.line.len());
        self
    }

    fn name(&mut self, name: &Name) -> &mut Self {
        self.put(&name.text)
    }

    fn number(&mut self, number: i64) -> &mut Self {
        self.put(&number.to_string())
    }

    /// Names with commas between them.
    fn names(&mut self, names: &[Name]) -> &mut Self {
        self.list(names, |printer, name| {
            printer.name(name);
        })
    }

    /// Parts with commas between them.
    fn list<T>(&mut self, parts: &[T], write: impl Fn(&mut Self, &T)) -> &mut Self {
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                self.comma();
            }
            write(self, part);
        }
        self
    }

    /// A text in quotes.
    fn quoted(&mut self, text: &Text) -> &mut Self {
        self.line.push('"');
        for c in text.text.chars() {
            match c {
                '"' => self.line.push_str("\\\""),
                '\\' => self.line.push_str("\\\\"),
                '\n' => self.line.push_str("\\n"),
                _ => self.line.push(c),
            }
        }
        self.put("\"")
    }

    /// A space and a text in quotes, if there is one.
    fn maybe_quoted(&mut self, text: Option<&Text>) -> &mut Self {
        if let Some(text) = text {
            self.put(" ").quoted(text);
        }
        self
    }

    /// Ends the line that was made, with its comments around it.
    fn end_line(&mut self, trivia: &Trivia) {
        self.comments(&trivia.comments);
        self.blank(trivia.blank_before);
        let line = std::mem::take(&mut self.line);
        let breaks = std::mem::take(&mut self.breaks);
        self.broken(&line, &breaks);
        if let Some(comment) = &trivia.trailing {
            self.out.push_str("  --");
            self.out.push_str(comment);
        }
        self.out.push('\n');
    }

    /// Ends a line that has no comments.
    fn end_plain_line(&mut self) {
        self.end_line(&Trivia::default());
    }

    /// Writes a line in as many lines of text as it needs.
    fn broken(&mut self, line: &str, breaks: &[usize]) {
        let indent = self.depth * 2;
        self.indent(indent);
        let mut room = WIDTH.saturating_sub(indent);
        let pieces = pieces(line, breaks);
        let mut left: usize = pieces.iter().map(|piece| piece.width).sum();
        let mut rest = pieces.as_slice();
        while left > room && rest.len() > 1 {
            let (now, later) = rest.split_at(last_fitting(rest, room));
            self.pieces(now);
            self.out.push('\n');
            self.indent(indent + 4);
            room = WIDTH.saturating_sub(indent + 3);
            left -= now.iter().map(|piece| piece.width).sum::<usize>();
            rest = later;
        }
        self.pieces(rest);
    }

    /// Writes pieces, the first one without the space at its start, if that starts a line.
    fn pieces(&mut self, pieces: &[Piece<'_>]) {
        for piece in pieces {
            let starts = self.out.ends_with([' ', '\n']);
            let text = if starts {
                piece.text.trim_start()
            } else {
                piece.text
            };
            self.out.push_str(text);
        }
    }

    fn indent(&mut self, columns: usize) {
        self.out.extend(std::iter::repeat_n(' ', columns));
    }

    fn blank(&mut self, wanted: bool) {
        if wanted {
            self.out.push('\n');
        }
    }

    fn comments(&mut self, comments: &[Comment]) {
        for comment in comments {
            self.blank(comment.blank_before);
            self.comment_line(&comment.text);
        }
    }

    fn comment_line(&mut self, text: &str) {
        self.indent(self.depth * 2);
        self.out.push_str("--");
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Writes lines that are nested under the last one.
    fn nested(&mut self, write: impl FnOnce(&mut Self)) {
        self.depth += 1;
        write(self);
        self.depth -= 1;
    }

    /// Writes the comments of something that cannot be written.
    fn error(&mut self, trivia: &Trivia) {
        self.line.clear();
        self.breaks.clear();
        self.comments(&trivia.comments);
        if let Some(comment) = &trivia.trailing {
            self.comment_line(comment);
        }
    }
}

/// A part of a line that is not broken.
struct Piece<'l> {
    text: &'l str,
    // The number of characters.
    width: usize,
    // The number of brackets around its start.
    brackets: usize,
}

fn pieces<'l>(line: &'l str, breaks: &[usize]) -> Vec<Piece<'l>> {
    let mut pieces = Vec::new();
    let (mut from, mut brackets) = (0, 0_usize);
    for &to in breaks.iter().chain([&line.len()]) {
        let text = line.get(from..to).unwrap_or_default();
        pieces.push(Piece {
            text,
            width: text.chars().count(),
            brackets,
        });
        // Texts in quotes may hold brackets; they come in pairs, or make a line uglier.
        let opened = text.matches('(').count();
        brackets = (brackets + opened).saturating_sub(text.matches(')').count());
        from = to;
    }
    pieces
}

/// The first of the pieces that go to the next line: at least 1, at most all but the first.
fn last_fitting(pieces: &[Piece<'_>], room: usize) -> usize {
    let mut used = 0;
    let mut best = 1;
    for (index, piece) in pieces.iter().enumerate() {
        let fewer = pieces
            .get(best)
            .is_none_or(|best| piece.brackets <= best.brackets);
        if index > 1 && used <= room && fewer {
            best = index;
        }
        used += piece.width;
        if used > room {
            break;
        }
    }
    best
}
