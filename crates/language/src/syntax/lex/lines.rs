//! Turns tokens into logical lines, indentation into depths, and comments into notes on lines.

use super::token::{Kind, Scanner, Token};
use crate::diag::Diagnostic;
use crate::diag::codes::syntax as codes;
use crate::source::{SourceId, Span};
use crate::syntax::complaints::Complaints;
use std::ops::Range;

/// How many tokens and comments one specification may have, with all that it includes: some twenty times
/// a long one. Each takes far more memory than its text.
pub const MAX_TOKENS: usize = 250_000;

/// A comment that fills a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Note<'t> {
    /// What follows the `--`, trimmed on the right.
    pub(crate) text: &'t str,
    /// Whether an empty line stood before it.
    pub(crate) blank_before: bool,
}

/// A logical line, or with no tokens the comments at the end of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line<'t> {
    /// In how many blocks it stands.
    pub(crate) depth: u32,
    /// Its tokens.
    pub(crate) tokens: Range<u32>,
    /// The comments above it.
    pub(crate) notes: Range<u32>,
    /// Whether an empty line stood before it, after its comments.
    pub(crate) blank_before: bool,
    /// The comment after its last token.
    pub(crate) trailing: Option<&'t str>,
}

/// The lines of a text, with what they refer to.
#[derive(Debug, Default)]
pub(crate) struct Lines<'t> {
    /// In the order of the text.
    pub(crate) lines: Vec<Line<'t>>,
    /// The tokens of all lines.
    pub(crate) tokens: Vec<Token>,
    /// The comments of all lines.
    pub(crate) notes: Vec<Note<'t>>,
}

impl Lines<'_> {
    /// How many tokens and comments there are.
    pub(crate) fn size(&self) -> usize {
        self.tokens.len() + self.notes.len()
    }
}

/// Divides a text into logical lines, up to a number of tokens and comments.
pub(crate) fn lines<'t>(
    source: SourceId,
    text: &'t str,
    most: usize,
    complaints: &mut Complaints,
) -> Lines<'t> {
    let mut builder = Builder {
        scanner: Scanner {
            text,
            source,
            at: 0,
        },
        complaints,
        found: Lines::default(),
        blocks: Vec::new(),
        waiting: Vec::new(),
        blank: false,
        has_tab: false,
        is_too_much: false,
        open: None,
    };
    while builder.scanner.at < text.len() && !builder.complaints.is_full() {
        builder.text_line(most);
        if builder.is_too_much {
            builder.complain_of_size();
            break;
        }
    }
    builder.finish();
    builder.found
}

/// The line that is being built.
struct Open {
    indent: u32,
    brackets: u32,
}

struct Builder<'t, 'c> {
    scanner: Scanner<'t>,
    complaints: &'c mut Complaints,
    found: Lines<'t>,
    // The indentation of each open block. INVARIANT: strictly increasing.
    blocks: Vec<u32>,
    // Comments with their indentation that no line has yet.
    waiting: Vec<(u32, Note<'t>)>,
    // Whether the line before was empty.
    blank: bool,
    // Whether a tab was reported: once is enough for a file.
    has_tab: bool,
    // Whether there are more tokens and comments than are accepted.
    is_too_much: bool,
    // Whether the last of the lines can still go on.
    open: Option<Open>,
}

impl<'t> Builder<'t, '_> {
    /// How many tokens and comments were read.
    fn size(&self) -> usize {
        self.found.size() + self.waiting.len()
    }

    /// Reads one line of the text; nothing of it is kept if it is too much.
    fn text_line(&mut self, most: usize) {
        let start = self.scanner.at;
        let (indent, tab) = self.scanner.indentation();
        let first = self.found.tokens.len();
        while let Some(token) = self.scanner.token(self.complaints) {
            self.found.tokens.push(token);
            if self.size() > most {
                self.found.tokens.truncate(first);
                self.is_too_much = true;
                return;
            }
            if self.complaints.is_full() {
                break;
            }
        }
        let comment = if self.scanner.byte(0) == b'-' {
            self.scanner.at += 2;
            Some(self.scanner.rest_of_line())
        } else {
            None
        };
        if self.found.tokens.len() > first {
            if tab && !self.has_tab {
                self.has_tab = true;
                self.complain_of_tab(start);
            }
            self.tokens(indent, first, comment);
        } else if let Some(text) = comment {
            let blank_before = std::mem::take(&mut self.blank);
            self.is_too_much = self.size() >= most;
            self.waiting.push((indent, Note { text, blank_before }));
        } else {
            self.blank = true;
        }
        self.scanner.skip_line_end();
    }

    /// Takes the tokens from `first` on, which stand on one line of the text.
    fn tokens(&mut self, indent: u32, first: usize, comment: Option<&'t str>) {
        if self.goes_on(indent, first) {
            self.go_on(comment);
        } else {
            self.start(indent, first, comment);
        }
        self.blank = false;
        let tokens = self.found.tokens.get(first..).unwrap_or_default();
        if let Some(open) = &mut self.open {
            for token in tokens {
                match token.kind {
                    Kind::Open => open.brackets += 1,
                    Kind::Close => open.brackets = open.brackets.saturating_sub(1),
                    _ => {}
                }
            }
        }
    }

    fn word(&self, index: usize) -> Option<&'t str> {
        let token = self.found.tokens.get(index)?;
        if token.kind != Kind::Word {
            return None;
        }
        let text: &'t str = self.scanner.text;
        text.get(token.start as usize..token.end as usize)
    }

    fn goes_on(&self, indent: u32, first: usize) -> bool {
        let Some(open) = &self.open else { return false };
        let begins = self.found.tokens.get(first).map(|token| token.kind);
        if open.brackets > 0 && begins == Some(Kind::Close) {
            return indent >= open.indent;
        }
        if indent <= open.indent {
            return false;
        }
        let before = first.checked_sub(1);
        let last = before.and_then(|index| self.found.tokens.get(index));
        let last_word = before.and_then(|index| self.word(index));
        open.brackets > 0
            || last.is_some_and(|token| token.kind.continues())
            || matches!(last_word, Some("and" | "or"))
            || begins == Some(Kind::Comma)
            || matches!(
                self.word(first),
                Some("and" | "or" | "where" | "has" | "then" | "else")
            )
    }

    /// Adds the newest tokens to the open line; comments in between move above it.
    fn go_on(&mut self, comment: Option<&'t str>) {
        let end = self.found.tokens.len() as u32;
        let Some(line) = self.found.lines.last_mut() else {
            return;
        };
        line.tokens.end = end;
        let trailing = std::mem::replace(&mut line.trailing, comment);
        let between = self.waiting.drain(..).map(|(_, note)| note.text);
        for text in trailing.into_iter().chain(between) {
            let is_first = line.notes.is_empty();
            let blank_before = is_first && std::mem::take(&mut line.blank_before);
            self.found.notes.push(Note { text, blank_before });
            line.notes.end = self.found.notes.len() as u32;
        }
    }

    /// Starts a line with the newest tokens.
    fn start(&mut self, indent: u32, first: usize, comment: Option<&'t str>) {
        if self.blocks.is_empty() {
            self.start_file();
        }
        if self.blocks.last().is_none_or(|&block| indent > block) {
            self.open_block(indent, first);
        } else {
            self.close_blocks(indent, first);
        }
        let from = self.found.notes.len() as u32;
        let blank_before = self.blank;
        let waiting = std::mem::take(&mut self.waiting);
        self.found
            .notes
            .extend(waiting.into_iter().map(|(_, note)| note));
        let notes = from..self.found.notes.len() as u32;
        self.found.lines.push(Line {
            depth: self.blocks.len() as u32 - 1,
            tokens: first as u32..self.found.tokens.len() as u32,
            notes,
            blank_before,
            trailing: comment,
        });
        self.open = Some(Open {
            indent,
            brackets: 0,
        });
    }

    /// Forgets the empty lines at the start of the text.
    fn start_file(&mut self) {
        match self.waiting.first_mut() {
            Some((_, note)) => note.blank_before = false,
            None => self.blank = false,
        }
    }

    fn open_block(&mut self, indent: u32, first: usize) {
        if self.blocks.is_empty() && indent > 0 {
            let message = format!("found {indent} spaces before the first line, expected none");
            self.complain_of_indentation(first, message, "should not be indented");
        }
        self.blocks.push(indent);
    }

    /// Closes the blocks that a line at `indent` ends, each with its comments.
    fn close_blocks(&mut self, indent: u32, first: usize) {
        self.give_to_blocks(Some(indent));
        let mut closed = None;
        while self.blocks.len() > 1 && self.blocks.last().is_some_and(|&block| block > indent) {
            closed = self.blocks.pop();
        }
        let Some(block) = self.blocks.last_mut() else {
            return;
        };
        if *block == indent {
            return;
        }
        let outer = *block;
        if *block > indent {
            // The whole file is indented, which was reported.
            *block = indent;
        } else {
            self.blocks.push(indent);
            let inner = closed.unwrap_or(outer);
            let message =
                format!("found {indent} spaces, expected {outer} or {inner} as in the lines above");
            self.complain_of_indentation(first, message, "belongs to no block");
        }
    }

    /// Gives waiting comments that stand deeper than `indent` to the blocks that end there.
    fn give_to_blocks(&mut self, indent: Option<u32>) {
        let mut level = self.blocks.len();
        let mut kept = Vec::new();
        let mut given: Option<Line<'t>> = None;
        for (column, note) in std::mem::take(&mut self.waiting) {
            let block_at = |level: usize| self.blocks.get(level - 1).copied().unwrap_or(0);
            while level > 1 && block_at(level) > column {
                level -= 1;
            }
            let ends = level > 0 && indent.is_none_or(|indent| block_at(level) > indent);
            if !ends || !kept.is_empty() {
                kept.push((column, note));
                continue;
            }
            let depth = level as u32 - 1;
            if given.as_ref().is_some_and(|line| line.depth != depth) {
                self.found.lines.extend(given.take());
            }
            let from = self.found.notes.len() as u32;
            self.found.notes.push(note);
            let line = given.get_or_insert_with(|| closing_line(depth, from));
            line.notes.end = from + 1;
        }
        self.found.lines.extend(given);
        self.waiting = kept;
    }

    /// Gives the comments at the end of the text to the blocks that are open there.
    fn finish(&mut self) {
        self.open = None;
        if self.blocks.is_empty() {
            self.start_file();
            self.blocks.push(0);
        }
        self.give_to_blocks(None);
    }

    fn complain_of_size(&mut self) {
        let at = self.scanner.at as u32;
        let place = Span::new(self.scanner.source, at, at);
        let message = format!(
            "found more than {MAX_TOKENS} words, numbers, texts, operators and comments in a specification"
        );
        let wrong = Diagnostic::error(codes::TOO_MANY_TOKENS, message);
        self.complaints.add(
            wrong
                .at(place, "the rest is not read")
                .help("write what is alike once, and pass what differs"),
        );
    }

    fn complain_of_tab(&mut self, start: usize) {
        let space = self.scanner.text.get(start..).unwrap_or_default();
        let length = space.len() - space.trim_start_matches([' ', '\t']).len();
        let place = Span::new(self.scanner.source, start as u32, (start + length) as u32);
        let message = "found a tab in the indentation, expected spaces";
        let wrong = Diagnostic::error(codes::TAB, message).at(place, "has a tab");
        self.complaints
            .add(wrong.help("indent each block by two spaces"));
    }

    fn complain_of_indentation(&mut self, first: usize, message: String, label: &str) {
        let Some(token) = self.found.tokens.get(first) else {
            return;
        };
        let place = Span::new(self.scanner.source, token.start, token.end);
        let wrong = Diagnostic::error(codes::INDENTATION, message).at(place, label);
        self.complaints
            .add(wrong.help("lines of one block start in the same column"));
    }
}

fn closing_line<'t>(depth: u32, from: u32) -> Line<'t> {
    Line {
        depth,
        tokens: 0..0,
        notes: from..from,
        blank_before: false,
        trailing: None,
    }
}
