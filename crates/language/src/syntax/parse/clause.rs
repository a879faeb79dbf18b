//! Reads clauses and the lines that belong to them.

use super::{Failed, Parse, Parser};
use crate::diag::Diagnostic;
use crate::diag::codes::syntax as codes;
use crate::syntax::ast::{
    BasisKind, BasisNote, Clause, ClauseId, ClauseKind, ClauseLine, Comment, Loc, Reference, Text,
    Trivia,
};
use crate::syntax::lex::Kind;

/// The words with which the lines of a clause begin.
pub(super) const CLAUSE_LINES: [&str; 8] = [
    "says", "waived", "refers", "defines", "uses", "yields", "cites", "basis",
];

impl Parser<'_> {
    /// `ID (KIND) at "LOCATOR"` with its lines, and with what it formalises read by `line`. The
    /// comments of `says` move to the heading.
    pub(super) fn clause(
        &mut self,
        trivia: &mut Trivia,
        line: &mut dyn FnMut(&mut Self, Trivia),
    ) -> Parse<(Clause, Vec<Comment>)> {
        let mut clause = self.clause_heading()?;
        let tail = self.block(&mut |parser, line_trivia| {
            let word = parser.peek_word(0);
            if word == "says" {
                if let Some(text) = parser.attempt(|parser| parser.says(&clause.says), None) {
                    clause.says = Some(text);
                    move_comments(trivia, line_trivia);
                }
            } else if CLAUSE_LINES.contains(&word) {
                let found = parser.attempt(|parser| parser.clause_line().map(Some), None);
                clause.lines.extend(found.map(|found| (line_trivia, found)));
            } else {
                line(parser, line_trivia);
            }
        });
        Ok((clause, tail))
    }

    fn clause_heading(&mut self) -> Parse<Clause> {
        let id = self.clause_id()?;
        self.expect(Kind::Open, "`(` and the kind of clause, such as `(rule)`")?;
        let kind = match self.peek_word(0) {
            "rule" => ClauseKind::Rule,
            "definition" => ClauseKind::Definition,
            "example" => ClauseKind::Example,
            "claim" => ClauseKind::Claim,
            "note" => ClauseKind::Note,
            "reference" => ClauseKind::Reference,
            _ => {
                return Err(self.unexpected(
                    "`rule`, `definition`, `example`, `claim`, `note` or `reference`",
                ));
            }
        };
        self.take();
        self.expect(Kind::Close, "`)`")?;
        self.expect_words(&["at"])?;
        let locator = self.quoted("the place in the document, in quotes")?;
        self.expect_end()?;
        Ok(Clause {
            id,
            kind,
            locator,
            says: None,
            lines: Vec::new(),
        })
    }

    fn says(&mut self, earlier: &Option<Text>) -> Parse<Option<Text>> {
        let start = self.at;
        self.take();
        let text = self.quoted("what the clause says, in quotes")?;
        self.expect_end()?;
        match earlier {
            None => Ok(Some(text)),
            Some(earlier) => Err(self.twice("says", self.loc_since(start), earlier.loc)),
        }
    }

    /// Reports a line of which there may be only one.
    pub(super) fn twice(&mut self, word: &str, place: Loc, earlier: Loc) -> Failed {
        let message = format!("found a second `{word}` line, expected at most one");
        let wrong = Diagnostic::error(codes::DUPLICATE_LINE, message)
            .at(place, "the second one")
            .also(earlier, "the first one");
        self.complaints.add(wrong);
        Failed
    }

    /// A line that begins with one of [`CLAUSE_LINES`] other than `says`.
    pub(super) fn clause_line(&mut self) -> Parse<ClauseLine> {
        let word = self.peek_word(0);
        self.take();
        let line = match word {
            "waived" => ClauseLine::Waived(self.quoted("the reason, in quotes")?),
            "refers" => ClauseLine::RefersTo(self.reference()?),
            "defines" => ClauseLine::Defines(self.terms()?),
            "uses" => ClauseLine::Uses(self.terms()?),
            "yields" => {
                self.expect_words(&["to"])?;
                ClauseLine::YieldsTo(self.clause_id()?)
            }
            "cites" => ClauseLine::Cites(self.clause_ids()?),
            _ => ClauseLine::Basis(self.basis()?),
        };
        self.expect_end()?;
        Ok(line)
    }

    fn reference(&mut self) -> Parse<Reference> {
        self.expect_words(&["to"])?;
        match self.maybe_quoted()? {
            Some(title) => Ok(Reference::Title(title)),
            None => self.clause_id().map(Reference::Clause),
        }
    }

    fn terms(&mut self) -> Parse<Vec<Text>> {
        let mut terms = vec![self.quoted("a term, in quotes")?];
        while self.eat(Kind::Comma) {
            terms.push(self.quoted("a term, in quotes")?);
        }
        Ok(terms)
    }

    /// `a.1, a.2`
    pub(super) fn clause_ids(&mut self) -> Parse<Vec<ClauseId>> {
        let mut ids = vec![self.clause_id()?];
        while self.eat(Kind::Comma) {
            ids.push(self.clause_id()?);
        }
        Ok(ids)
    }

    fn basis(&mut self) -> Parse<BasisNote> {
        let kind = match self.peek_word(0) {
            "text" => BasisKind::Text,
            "external" => BasisKind::External,
            "gap" => BasisKind::Gap,
            "invented" => BasisKind::Invented,
            _ => return Err(self.unexpected("`text`, `external`, `gap` or `invented`")),
        };
        self.take();
        let note = self.maybe_quoted()?;
        Ok(BasisNote { kind, note })
    }
}

/// Moves the comments of a line that has no place for them above another one.
pub(super) fn move_comments(to: &mut Trivia, from: Trivia) {
    let trailing = from.trailing.map(|text| Comment {
        blank_before: false,
        text,
    });
    for mut comment in from.comments.into_iter().chain(trailing) {
        comment.blank_before = to.comments.is_empty() && std::mem::take(&mut to.blank_before);
        to.comments.push(comment);
    }
}
