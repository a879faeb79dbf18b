//! Turns logical lines into the syntax tree, by recursive descent with one small function for each
//! production of the grammar.
//!
//! A production reads the tokens of its line and then, where it has one, the block nested under
//! it: `for each c in board` reads a binder and then statements. An error ends the production:
//! exactly one diagnostic is reported, the line becomes an `Error` node, its nested lines are
//! skipped, and reading goes on with the next line of the block.
//!
//! *Guarantees.* Linear time; recursion is bounded by [`MAX_NESTING`] blocks and as many levels of
//! an expression. Every line is read once. After [`MAX_DIAGNOSTICS`](super::MAX_DIAGNOSTICS)
//! complaints the rest of the text is not read.

mod ask;
mod clause;
mod cursor;
mod declaration;
mod example;
mod expr;
mod flow;
mod form;
mod heading;
mod item;
mod policy;
mod sequence;
mod stmt;
mod types;

use super::ast::{Comment, File, Loc, Trivia};
use super::complaints::Complaints;
use super::lex::{self, Lines};
use crate::diag::Diagnostic;
use crate::diag::codes::syntax as codes;
use crate::source::{SourceId, Span};

/// How many blocks may stand in each other, and how many expressions.
pub const MAX_NESTING: usize = 64;

/// A diagnostic was reported; the line cannot be understood.
#[derive(Debug)]
struct Failed;

type Parse<T> = Result<T, Failed>;

/// Reads a text; see [`super::parse`].
pub(super) fn parse(source: SourceId, text: &str, tokens: usize) -> Parsed {
    let mut lexing = Complaints::default();
    let lines = lex::lines(source, text, tokens, &mut lexing);
    let mut parser = Parser::new(source, text, &lines);
    let file = parser.file();
    let diagnostics = lexing.merge(parser.complaints);
    Parsed {
        file,
        diagnostics,
        tokens: lines.size(),
    }
}

/// What has been read, and what is next.
struct Parser<'t> {
    source: SourceId,
    text: &'t str,
    lines: &'t Lines<'t>,
    complaints: Complaints,
    // The next line, which is not begun yet.
    line: usize,
    // The depth of the line that is being read.
    depth: u32,
    // The next token and the one after the last of the line that is being read.
    at: usize,
    end: usize,
    // The expressions around the one that is being read.
    nesting: usize,
}

impl<'t> Parser<'t> {
    fn new(source: SourceId, text: &'t str, lines: &'t Lines<'t>) -> Self {
        Self {
            source,
            text,
            lines,
            complaints: Complaints::default(),
            line: 0,
            depth: 0,
            at: 0,
            end: 0,
            nesting: 0,
        }
    }

    fn file(&mut self) -> File {
        let mut items = Vec::new();
        let tail = self.lines_at(0, &mut |parser, trivia| items.push(parser.item(trivia)));
        File { items, tail }
    }

    /// Reads the block nested under the current line: `line` reads one line of it, with what is
    /// nested under that. Returns the comments at the end of the block.
    fn block(&mut self, line: &mut dyn FnMut(&mut Self, Trivia)) -> Vec<Comment> {
        let outer = self.depth;
        if outer as usize + 1 > MAX_NESTING && self.has_block() {
            self.complain_of_depth();
            self.skip_block();
            return Vec::new();
        }
        let tail = self.lines_at(outer + 1, line);
        self.depth = outer;
        tail
    }

    fn lines_at(&mut self, depth: u32, line: &mut dyn FnMut(&mut Self, Trivia)) -> Vec<Comment> {
        let mut tail = Vec::new();
        while let Some(next) = self.lines.lines.get(self.line)
            && next.depth >= depth
            && !self.complaints.is_full()
        {
            self.depth = depth;
            let trivia = self.begin_line();
            if self.at == self.end {
                tail.extend(trivia.comments);
            } else {
                line(self, trivia);
                self.expect_no_block();
            }
        }
        tail
    }

    /// Makes the next line the current one.
    fn begin_line(&mut self) -> Trivia {
        let lines = self.lines;
        let Some(line) = lines.lines.get(self.line) else {
            return Trivia::default();
        };
        self.line += 1;
        self.at = line.tokens.start as usize;
        self.end = line.tokens.end as usize;
        let notes = line.notes.start as usize..line.notes.end as usize;
        let notes = lines.notes.get(notes).unwrap_or_default();
        let comments = notes.iter().map(|note| Comment {
            blank_before: note.blank_before,
            text: note.text.to_owned(),
        });
        Trivia {
            comments: comments.collect(),
            blank_before: line.blank_before,
            trailing: line.trailing.map(str::to_owned),
        }
    }

    /// Whether lines are nested under the current one.
    fn has_block(&self) -> bool {
        let next = self.lines.lines.get(self.line);
        next.is_some_and(|next| next.depth > self.depth && !next.tokens.is_empty())
    }

    /// Skips what is nested under the current line.
    fn skip_block(&mut self) {
        while let Some(next) = self.lines.lines.get(self.line)
            && next.depth > self.depth
        {
            self.line += 1;
        }
    }

    /// Reads with `production`; if it fails, skips the current line and what is nested under it.
    fn attempt<T>(&mut self, production: impl FnOnce(&mut Self) -> Parse<T>, error: T) -> T {
        let depth = self.depth;
        match production(self) {
            Ok(found) => found,
            Err(Failed) => {
                self.depth = depth;
                self.skip_block();
                error
            }
        }
    }

    /// Whether a line at the depth of the current one comes next and begins with a word.
    fn next_line_begins(&self, word: &str) -> bool {
        let Some(next) = self.lines.lines.get(self.line) else {
            return false;
        };
        let first = next.tokens.start as usize;
        next.depth == self.depth && first < next.tokens.end as usize && self.word_at(first) == word
    }

    /// The place of the current line, from its first token to its last.
    fn line_loc(&self) -> Loc {
        let tokens = &self.lines.tokens;
        let line = self.line.checked_sub(1);
        let Some(line) = line.and_then(|index| self.lines.lines.get(index)) else {
            return Loc::default();
        };
        let first = tokens.get(line.tokens.start as usize);
        let last = line.tokens.end.checked_sub(1);
        let last = last.and_then(|index| tokens.get(index as usize));
        match (first, last) {
            (Some(first), Some(last)) => Loc(Span::new(self.source, first.start, last.end)),
            _ => Loc::default(),
        }
    }

    /// Complains of lines nested under a line that takes none, and skips them.
    fn expect_no_block(&mut self) {
        if !self.has_block() {
            return;
        }
        let heading = self.line_loc();
        let word = self.first_word();
        let _ = self.begin_line();
        let message = format!("found lines nested under {word}, expected none");
        let wrong = Diagnostic::error(codes::UNEXPECTED_BLOCK, message)
            .at(self.line_loc(), "is indented deeper")
            .also(heading, "takes no nested lines");
        self.complaints
            .add(wrong.help("start it in the same column as the line above"));
        self.skip_block();
    }

    fn complain_of_depth(&mut self) {
        let message = format!("found more than {MAX_NESTING} blocks in each other");
        let wrong = Diagnostic::error(codes::TOO_DEEP, message)
            .at(self.line_loc(), "the innermost block that is read");
        self.complaints
            .add(wrong.help("move some of it into a sequence of its own"));
    }
}

/// A syntax tree with what is wrong with the text.
#[derive(Debug, Clone, Default)]
pub struct Parsed {
    /// The tree; with errors, what could not be understood are `Error` nodes, or is left out where
    /// there is no such node.
    pub file: File,
    /// In the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// How many tokens and comments were read.
    pub tokens: usize,
}
