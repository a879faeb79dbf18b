//! Says what is wrong with a line that begins with no word that its block knows, and with headings
//! that lack their nested lines.

use super::{Failed, Parse, Parser};
use crate::diag::Diagnostic;
use crate::diag::codes::syntax as codes;
use crate::syntax::keywords::{self, Role};
use crate::syntax::lex::Kind;

/// What kind of lines a block has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    /// Items: the top level, a document, a clause there.
    Item,
    /// Lines of a sequence.
    Sequence,
    /// Statements.
    Statement,
    /// Lines of the construct that is named.
    Lines(&'static str, &'static [&'static str]),
}

impl Context {
    fn expected(self) -> String {
        match self {
            Self::Item => "an item such as `entity`, `sequence` or `clause`".to_owned(),
            Self::Sequence => "`step`, `restart`, `contract`, `clause` or a declaration".to_owned(),
            Self::Statement => "a statement such as `set`, `move` or `for each`".to_owned(),
            Self::Lines(of, words) => {
                let words: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
                let shown = match words.split_last() {
                    Some((last, rest)) if !rest.is_empty() => {
                        format!("{} or {last}", rest.join(", "))
                    }
                    _ => words.concat(),
                };
                format!("{shown} in {of}")
            }
        }
    }

    fn words(self) -> Vec<&'static str> {
        let mut words = match self {
            Self::Item => Vec::new(),
            Self::Sequence => vec!["step", "restart", "contract", "clause", "cites", "basis"],
            Self::Statement => vec!["clause", "cites", "basis", "otherwise"],
            Self::Lines(_, words) => words.to_vec(),
        };
        match self {
            Self::Item | Self::Sequence => words.extend(keywords::with_role(Role::Item)),
            Self::Statement => words.extend(keywords::with_role(Role::Statement)),
            Self::Lines(..) => {}
        }
        words
    }
}

impl Parser<'_> {
    /// Reports that the current line begins with nothing that stands in its block.
    pub(super) fn unknown_heading(&mut self, context: Context) -> Failed {
        let word = self.peek_word(0);
        let expected = context.expected();
        if word.is_empty() {
            return self.unexpected(&expected);
        }
        let message = format!("found {}, expected {expected}", self.first_word());
        let (code, label, help) = if let Some(place) = keywords::belongs(word) {
            (
                codes::MISPLACED,
                "cannot stand here",
                Some(format!("`{word}` stands {place}")),
            )
        } else {
            (
                codes::UNKNOWN_HEADING,
                "no known beginning of a line",
                self.meant(word, context),
            )
        };
        let mut wrong = Diagnostic::error(code, message).at(self.here(), label);
        if let Some(help) = help {
            wrong = wrong.help(help);
        }
        self.complaints.add(wrong);
        Failed
    }

    /// What an unknown first word may be meant for.
    fn meant(&self, word: &str, context: Context) -> Option<String> {
        if let Some(instead) = keywords::foreign(word) {
            return Some(format!("write {instead}"));
        }
        if let Some(near) = keywords::nearest(word, context.words().into_iter()) {
            return Some(format!("did you mean `{near}`?"));
        }
        if context != Context::Statement {
            return None;
        }
        let rest = (1..).map_while(|ahead| self.peek_at(ahead));
        let kinds: Vec<_> = rest.take(40).map(|token| token.kind).collect();
        if kinds.first() == Some(&Kind::Open) {
            return Some(format!("write `perform {word}(…)` or `announce {word}(…)`"));
        }
        // `x = 1`, `c.h = 1`
        let is_place = matches!(kinds.first(), Some(Kind::Equal | Kind::Dot));
        (is_place && kinds.contains(&Kind::Equal))
            .then(|| "write `set … to …` to change a value".to_owned())
    }

    /// Reports a heading without nested lines, if the current line is one.
    pub(super) fn expect_block(&mut self, expected: &str) -> Parse<()> {
        if self.has_block() {
            return Ok(());
        }
        let heading = self.line_loc();
        let word = self.first_word();
        let message = format!("found nothing nested under {word}, expected {expected}");
        let wrong = Diagnostic::error(codes::MISSING_BLOCK, message)
            .at(heading, "needs lines that are indented deeper");
        self.complaints.add(wrong);
        Err(Failed)
    }
}
