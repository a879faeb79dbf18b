//! Reads the tokens of a line one by one, and says what was found where something else was
//! expected.

use super::{Failed, Parse, Parser};
use crate::diag::codes::syntax as codes;
use crate::diag::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{ClauseId, Loc, Name, Text};
use crate::syntax::keywords;
use crate::syntax::lex::{Kind, Token, shown, unquoted};

impl<'t> Parser<'t> {
    /// The token that comes `ahead` tokens after the next one of the line.
    pub(super) fn peek_at(&self, ahead: usize) -> Option<Token> {
        let index = self.at + ahead;
        if index < self.end {
            self.lines.tokens.get(index).copied()
        } else {
            None
        }
    }

    /// Whether the next token is of a kind.
    pub(super) fn is(&self, kind: Kind) -> bool {
        self.is_at(0, kind)
    }

    /// Whether the token `ahead` is of a kind.
    pub(super) fn is_at(&self, ahead: usize, kind: Kind) -> bool {
        self.peek_at(ahead).is_some_and(|token| token.kind == kind)
    }

    /// Whether the line is over.
    pub(super) fn is_over(&self) -> bool {
        self.at >= self.end
    }

    /// The text of a token.
    pub(super) fn text_of(&self, token: Token) -> &'t str {
        let range = token.start as usize..token.end as usize;
        self.text.get(range).unwrap_or_default()
    }

    /// The word with an index in the whole text; empty if that token is no word.
    pub(super) fn word_at(&self, index: usize) -> &'t str {
        match self.lines.tokens.get(index) {
            Some(token) if token.kind == Kind::Word => self.text_of(*token),
            _ => "",
        }
    }

    /// The word `ahead`; empty if there is none.
    pub(super) fn peek_word(&self, ahead: usize) -> &'t str {
        if self.at + ahead < self.end {
            self.word_at(self.at + ahead)
        } else {
            ""
        }
    }

    /// Whether the next token is a word.
    pub(super) fn is_word(&self, word: &str) -> bool {
        self.is_word_at(0, word)
    }

    /// Whether the token `ahead` is a word.
    pub(super) fn is_word_at(&self, ahead: usize, word: &str) -> bool {
        debug_assert!(keywords::is_keyword(word), "`{word}` is not in the table");
        self.peek_word(ahead) == word
    }

    /// Whether the next tokens are these words.
    pub(super) fn are_words(&self, words: &[&str]) -> bool {
        let mut words = words.iter().enumerate();
        words.all(|(ahead, word)| self.is_word_at(ahead, word))
    }

    /// Takes a token of a kind, if it is next.
    pub(super) fn eat(&mut self, kind: Kind) -> bool {
        let found = self.is(kind);
        self.at += usize::from(found);
        found
    }

    /// Takes a word, if it is next.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.at += usize::from(found);
        found
    }

    /// Takes words, if all of them are next.
    pub(super) fn eat_words(&mut self, words: &[&str]) -> bool {
        let found = self.are_words(words);
        if found {
            self.at += words.len();
        }
        found
    }

    /// Takes a comma and a word, if both are next.
    pub(super) fn eat_option(&mut self, word: &str) -> bool {
        let found = self.is(Kind::Comma) && self.is_word_at(1, word);
        self.at += if found { 2 } else { 0 };
        found
    }

    /// Takes the words, which have to be next.
    pub(super) fn expect_words(&mut self, words: &[&str]) -> Parse<()> {
        for word in words {
            if !self.eat_word(word) {
                return Err(self.unexpected(&format!("`{word}`")));
            }
        }
        Ok(())
    }

    /// Takes a token of a kind, which has to be next; `shown` is how it looks.
    pub(super) fn expect(&mut self, kind: Kind, shown: &str) -> Parse<()> {
        if self.eat(kind) {
            return Ok(());
        }
        Err(self.unexpected(shown))
    }

    /// The line has to be over.
    pub(super) fn expect_end(&mut self) -> Parse<()> {
        if self.is_over() {
            return Ok(());
        }
        Err(self.unexpected("the end of the line"))
    }

    /// Takes a name: a word that is not reserved. `what` says of what, with its article.
    pub(super) fn name(&mut self, what: &str) -> Parse<Name> {
        let text = self.peek_word(0);
        if text.is_empty() {
            return Err(self.unexpected(what));
        }
        if keywords::is_reserved(text) {
            return Err(self.reserved(text, what));
        }
        Ok(Name {
            text: text.to_owned(),
            loc: self.take(),
        })
    }

    /// Takes names with commas between them, at least one.
    pub(super) fn names(&mut self, what: &str) -> Parse<Vec<Name>> {
        let mut names = vec![self.name(what)?];
        while self.eat(Kind::Comma) {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    /// Takes a quoted text.
    pub(super) fn quoted(&mut self, what: &str) -> Parse<Text> {
        match self.peek_at(0) {
            Some(token) if token.kind == Kind::Text => Ok(Text {
                text: unquoted(self.text_of(token)),
                loc: self.take(),
            }),
            _ => Err(self.unexpected(what)),
        }
    }

    /// Takes a quoted text, if one is next.
    pub(super) fn maybe_quoted(&mut self) -> Parse<Option<Text>> {
        if self.is(Kind::Text) {
            return self.quoted("a text").map(Some);
        }
        Ok(None)
    }

    /// Takes a whole number without a sign.
    pub(super) fn integer(&mut self, what: &str) -> Parse<i64> {
        let token = match self.peek_at(0) {
            Some(token) if token.kind == Kind::Integer => token,
            _ => return Err(self.unexpected(what)),
        };
        let Ok(value) = self.text_of(token).parse() else {
            let found = shown(self.text_of(token));
            let message = format!("found {found}, expected a number up to {}", i64::MAX);
            return Err(self.fail(codes::BIG_NUMBER, message, "is too large"));
        };
        self.take();
        Ok(value)
    }

    /// Takes a clause id: names and numbers with dots between them.
    pub(super) fn clause_id(&mut self) -> Parse<ClauseId> {
        let start = self.at;
        self.name("a clause id such as `cleanup.1`")?;
        while self.eat(Kind::Dot) {
            if !self.eat(Kind::Integer) {
                self.name("a name or number after the dot")?;
            }
        }
        let tokens = self.lines.tokens.get(start..self.at).unwrap_or_default();
        Ok(ClauseId {
            text: tokens.iter().map(|token| self.text_of(*token)).collect(),
            loc: self.loc_since(start),
        })
    }

    /// Takes the next token.
    pub(super) fn take(&mut self) -> Loc {
        let start = self.at;
        self.at += 1;
        self.loc_since(start)
    }

    /// The place from a token up to the next one of the line.
    pub(super) fn loc_since(&self, start: usize) -> Loc {
        let first = self.lines.tokens.get(start);
        let last = self.at.checked_sub(1).filter(|&last| last >= start);
        let last = last.and_then(|last| self.lines.tokens.get(last));
        match (first, last) {
            (Some(first), Some(last)) => Loc(Span::new(self.source, first.start, last.end)),
            _ => Loc(self.here()),
        }
    }

    /// The place of the next token, or the end of the line.
    pub(super) fn here(&self) -> Span {
        match self.peek_at(0) {
            Some(token) => Span::new(self.source, token.start, token.end),
            None => self.line_loc().span().after(),
        }
    }

    /// The first token of the current line, for messages.
    pub(super) fn first_word(&self) -> String {
        let range = self.line_loc().span().range();
        let line = self.text.get(range).unwrap_or_default();
        shown(line.split([' ', '\n', '(', ',']).next().unwrap_or_default())
    }

    /// What comes next, for messages.
    fn found(&self) -> String {
        match self.peek_at(0) {
            Some(token) if token.kind == Kind::Text => "a text".to_owned(),
            Some(token) => shown(self.text_of(token)),
            None => "the end of the line".to_owned(),
        }
    }

    /// Reports that something else was expected, unless the lexer has reported what is next.
    pub(super) fn unexpected(&mut self, expected: &str) -> Failed {
        if self.is(Kind::Unknown) {
            return Failed;
        }
        let message = format!("found {}, expected {expected}", self.found());
        let label = format!("expected {expected}");
        let mut wrong = Diagnostic::error(codes::UNEXPECTED, message).at(self.here(), label);
        if let Some(place) = self.unclosed() {
            wrong = wrong.also(place, "this bracket is open");
        }
        for help in self.proposals(expected) {
            wrong = wrong.help(help);
        }
        self.complaints.add(wrong);
        Failed
    }

    /// Reports a fault at the next token.
    pub(super) fn fail(&mut self, code: Code, message: String, label: &str) -> Failed {
        let wrong = Diagnostic::error(code, message).at(self.here(), label);
        self.complaints.add(wrong);
        Failed
    }

    fn reserved(&mut self, word: &str, what: &str) -> Failed {
        let message = format!("found the reserved word `{word}`, expected {what}");
        let wrong = Diagnostic::error(codes::RESERVED_WORD, message)
            .at(self.here(), "can be no name")
            .help(format!(
                "if it is meant as a name, call it `{word}_` or the like"
            ));
        self.complaints.add(wrong);
        Failed
    }

    /// The last bracket of the line that was opened and not closed, if the line is over.
    fn unclosed(&self) -> Option<Span> {
        if !self.is_over() {
            return None;
        }
        let line = self.line.checked_sub(1)?;
        let line = self.lines.lines.get(line)?;
        let range = line.tokens.start as usize..line.tokens.end as usize;
        let mut closed = 0_u32;
        for token in self.lines.tokens.get(range)?.iter().rev() {
            match token.kind {
                Kind::Close => closed += 1,
                Kind::Open if closed == 0 => {
                    return Some(Span::new(self.source, token.start, token.end));
                }
                Kind::Open => closed -= 1,
                _ => {}
            }
        }
        None
    }

    /// Whether the line ends with a binder over a zone: `p: Player in hand`.
    fn ends_in_zone(&self) -> bool {
        let kind = |back: usize| {
            let token = self
                .at
                .checked_sub(back)
                .and_then(|at| self.lines.tokens.get(at));
            token.map(|token| token.kind)
        };
        let words = [1, 2, 3].map(kind) == [Some(Kind::Word); 3];
        words && kind(4) == Some(Kind::Colon) && self.word_at(self.at - 2) == "in"
    }

    /// What the author may have meant.
    fn proposals(&self, expected: &str) -> Vec<String> {
        let mut help = Vec::new();
        let word = self.peek_word(0);
        let before = self.at.checked_sub(1);
        let before = before.and_then(|index| self.lines.tokens.get(index).copied());
        let before_word = before.map_or("", |token| match token.kind {
            Kind::Word => self.text_of(token),
            _ => "",
        });
        if let Some(near) = keywords::nearest(word, expected.split('`').skip(1).step_by(2)) {
            help.push(format!("did you mean `{near}`?"));
        }
        if self.is(Kind::EqualEqual) {
            help.push("\"is equal\" is written `=`".to_owned());
        } else if word == "not" && before.is_some_and(|token| token.kind.continues()) {
            help.push("put brackets around `not …` here".to_owned());
        } else if !word.is_empty() && word != "of" && keywords::goes_with_of(before_word) {
            help.push(format!("write `{before_word} of …`"));
        }
        if self.is_over() && expected.starts_with("`in`") && self.ends_in_zone() {
            let name = self.word_at(self.at - 1);
            help.push(format!(
                "the binder before it took `in {name}`; put brackets around the expression: `(…) in {name}`"
            ));
        }
        let between = before.zip(self.peek_at(0)).map(|(before, next)| {
            let range = before.end as usize..next.start as usize;
            self.text.get(range).unwrap_or_default().contains('\n')
        });
        if between == Some(true) && before.is_some_and(|token| token.kind.continues()) {
            help.push("the line above ends so that this line continues it".to_owned());
        }
        help
    }
}
