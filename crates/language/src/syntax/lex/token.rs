//! Turns one line of text into tokens.

use crate::diag::Diagnostic;
use crate::diag::codes::syntax as codes;
use crate::source::{SourceId, Span};
use crate::syntax::complaints::Complaints;

/// The kinds of tokens. Words are not divided into names and keywords here: most keywords are
/// keywords only where the grammar asks for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the meanings")]
pub(crate) enum Kind {
    Word,
    Integer,
    Text,
    Open,
    Close,
    Comma,
    Colon,
    Dot,
    Bar,
    Plus,
    Minus,
    Star,
    Equal,
    /// `==`, which the language does not have, but which is often written.
    EqualEqual,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    /// What is no token; it was reported.
    Unknown,
}

impl Kind {
    /// Whether a line that ends with this token goes on in the next one.
    pub(crate) fn continues(self) -> bool {
        matches!(
            self,
            Self::Comma
                | Self::Colon
                | Self::Plus
                | Self::Minus
                | Self::Star
                | Self::Equal
                | Self::NotEqual
                | Self::Less
                | Self::LessEqual
                | Self::Greater
                | Self::GreaterEqual
        )
    }
}

/// A token: bytes `start..end` of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    /// What it is.
    pub(crate) kind: Kind,
    /// The offset of its first byte.
    pub(crate) start: u32,
    /// The offset of the byte after its last one.
    pub(crate) end: u32,
}

/// Reads the tokens of a text from one offset on.
pub(crate) struct Scanner<'t> {
    pub(crate) text: &'t str,
    pub(crate) source: SourceId,
    pub(crate) at: usize,
}

impl<'t> Scanner<'t> {
    /// The byte at an offset from here; 0 at the end of the text.
    pub(crate) fn byte(&self, ahead: usize) -> u8 {
        let bytes = self.text.as_bytes();
        bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    /// The text from an offset to here.
    pub(crate) fn since(&self, start: usize) -> &'t str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.source, start as u32, self.at as u32)
    }

    fn skip_while(&mut self, wanted: impl Fn(u8) -> bool) {
        while self.at < self.text.len() && wanted(self.byte(0)) {
            self.at += 1;
        }
    }

    /// The rest of the line, without the line end; afterwards the line end is next.
    pub(crate) fn rest_of_line(&mut self) -> &'t str {
        let start = self.at;
        self.skip_while(|byte| byte != b'\n');
        self.since(start).trim_end()
    }

    /// Whether nothing is left of the line.
    pub(crate) fn at_line_end(&self) -> bool {
        match self.byte(0) {
            b'\n' => true,
            b'\r' => self.byte(1) == b'\n' || self.at + 1 == self.text.len(),
            _ => self.at >= self.text.len(),
        }
    }

    /// Skips the line end, if one is next.
    pub(crate) fn skip_line_end(&mut self) {
        if self.byte(0) == b'\r' {
            self.at += 1;
        }
        if self.byte(0) == b'\n' {
            self.at += 1;
        }
    }

    /// Skips the spaces at the start of a line: the indentation in columns, and whether it has a
    /// tab, which reaches to the next even column.
    pub(crate) fn indentation(&mut self) -> (u32, bool) {
        let (mut columns, mut tab) = (0_u32, false);
        loop {
            match self.byte(0) {
                b' ' => columns = columns.saturating_add(1),
                b'\t' => {
                    tab = true;
                    columns = columns.saturating_add(2) & !1;
                }
                _ => return (columns, tab),
            }
            self.at += 1;
        }
    }

    /// The next token of the line; none before a comment and at the line's end.
    pub(crate) fn token(&mut self, complaints: &mut Complaints) -> Option<Token> {
        self.skip_while(|byte| matches!(byte, b' ' | b'\t'));
        if self.at_line_end() || (self.byte(0) == b'-' && self.byte(1) == b'-') {
            return None;
        }
        let start = self.at;
        let kind = match self.byte(0) {
            b'"' => self.quoted(complaints),
            b'0'..=b'9' => self.integer(complaints),
            byte if is_word(byte) => {
                self.skip_while(is_word);
                Kind::Word
            }
            _ => self.symbol(complaints),
        };
        Some(Token {
            kind,
            start: start as u32,
            end: self.at as u32,
        })
    }

    fn integer(&mut self, complaints: &mut Complaints) -> Kind {
        let start = self.at;
        self.skip_while(|byte| byte.is_ascii_digit());
        if !is_word(self.byte(0)) {
            return Kind::Integer;
        }
        let digits = shown(self.since(start));
        self.skip_while(is_word);
        let all = self.since(start);
        let help = match all.chars().all(|one| one.is_ascii_digit() || one == '_') {
            true => "write a number without `_`".to_owned(),
            false => format!(
                "names start with a letter or `_`; if {digits} is a number, put a space behind it"
            ),
        };
        let found = shown(all);
        let wrong = Diagnostic::error(
            codes::BAD_NUMBER,
            format!("found {found}, expected a number or a name"),
        );
        complaints.add(
            wrong
                .at(self.span(start), "neither a number nor a name")
                .help(help),
        );
        Kind::Unknown
    }

    fn quoted(&mut self, complaints: &mut Complaints) -> Kind {
        let start = self.at;
        self.at += 1;
        loop {
            self.skip_while(|byte| !matches!(byte, b'"' | b'\\' | b'\n'));
            match self.byte(0) {
                b'"' => {
                    self.at += 1;
                    return Kind::Text;
                }
                b'\\' => self.escape(complaints),
                _ => break,
            }
        }
        let open = Span::new(self.source, start as u32, start as u32 + 1);
        let message = "found the end of the line, expected `\"` at the end of the text";
        let wrong = Diagnostic::error(codes::OPEN_TEXT, message).at(open, "the text starts here");
        complaints.add(
            wrong.help("a text ends on the line on which it starts; write a line break as `\\n`"),
        );
        Kind::Unknown
    }

    fn escape(&mut self, complaints: &mut Complaints) {
        let start = self.at;
        self.at += 1;
        match self.byte(0) {
            _ if self.at_line_end() => {}
            b'"' | b'\\' | b'n' => self.at += 1,
            _ => {
                self.at += self
                    .text
                    .get(self.at..)
                    .and_then(|rest| rest.chars().next())
                    .map_or(0, char::len_utf8);
                let found = shown(self.since(start));
                let message = format!("found {found}, expected `\\\"`, `\\\\` or `\\n`");
                let wrong = Diagnostic::error(codes::BAD_ESCAPE, message);
                complaints.add(
                    wrong
                        .at(self.span(start), "unknown escape")
                        .help("write a backslash itself as `\\\\`"),
                );
            }
        }
    }

    fn symbol(&mut self, complaints: &mut Complaints) -> Kind {
        let (length, kind) = match (self.byte(0), self.byte(1)) {
            (b'=', b'=') => (2, Kind::EqualEqual),
            (b'!', b'=') => (2, Kind::NotEqual),
            (b'<', b'=') => (2, Kind::LessEqual),
            (b'>', b'=') => (2, Kind::GreaterEqual),
            (b'(', _) => (1, Kind::Open),
            (b')', _) => (1, Kind::Close),
            (b',', _) => (1, Kind::Comma),
            (b':', _) => (1, Kind::Colon),
            (b'.', _) => (1, Kind::Dot),
            (b'|', _) => (1, Kind::Bar),
            (b'+', _) => (1, Kind::Plus),
            (b'-', _) => (1, Kind::Minus),
            (b'*', _) => (1, Kind::Star),
            (b'=', _) => (1, Kind::Equal),
            (b'<', _) => (1, Kind::Less),
            (b'>', _) => (1, Kind::Greater),
            _ => return self.unknown(complaints),
        };
        self.at += length;
        kind
    }

    /// Skips a run of characters that start no token, with one complaint for all of them.
    fn unknown(&mut self, complaints: &mut Complaints) -> Kind {
        let start = self.at;
        let rest = self.text.get(start..).unwrap_or_default();
        let is_known = |c: char| c.is_ascii_alphanumeric() || "\"_ \t\n(),:.|+-*=<>".contains(c);
        let first = rest.chars().next().unwrap_or(' ');
        let length = rest.find(is_known).unwrap_or(rest.len());
        self.at += length.max(first.len_utf8());
        let found = shown(self.since(start));
        let message = format!("found {found}, which the language does not use");
        let wrong = Diagnostic::error(codes::UNKNOWN_CHARACTER, message);
        let wrong = wrong.at(self.span(start), "no word, number, text or operator");
        complaints.add(match instead_of(first) {
            Some(help) => wrong.help(help),
            None => wrong,
        });
        Kind::Unknown
    }
}

/// Whether a byte can stand in a name.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// What to write instead of a character of other languages.
fn instead_of(found: char) -> Option<&'static str> {
    Some(match found {
        '{' | '}' => "blocks are written by indentation, without braces",
        ';' => "a statement ends with its line",
        '[' | ']' => "group with `(` and `)`",
        '&' => "write `and`",
        '!' => "write `not`, or `!=` for \"differs from\"",
        '/' => "write `divided by`, which rounds down, or `half of … rounded up`",
        '#' => "comments start with `--`",
        '\'' | '“' | '”' | '„' | '«' | '»' | '‘' | '’' => {
            "texts stand between `\"` and `\"`"
        }
        '≤' => "write `<=`",
        '≥' => "write `>=`",
        '≠' => "write `!=`",
        '−' | '–' | '—' => "write `-`, or `--` for a comment",
        '×' | '·' => "write `*`",
        c if c.is_alphabetic() => "names are made of the letters a to z, digits and `_`",
        _ => return None,
    })
}

/// User text for a message: in backticks, cut after 40 characters, control characters by number.
pub(crate) fn shown(text: &str) -> String {
    let mut shown = String::from("`");
    for (index, c) in text.chars().enumerate() {
        if index == 40 {
            shown.push('…');
            break;
        }
        if c.is_control() {
            shown.push_str(&format!("U+{:04X}", u32::from(c)));
        } else {
            shown.push(c);
        }
    }
    shown.push('`');
    shown
}

/// The text of a text token, without quotes and with its escapes resolved.
pub(crate) fn unquoted(token: &str) -> String {
    let inner = token.strip_prefix('"').unwrap_or(token);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    let mut text = String::with_capacity(inner.len());
    let mut escaped = false;
    for c in inner.chars() {
        match (escaped, c) {
            (false, '\\') => escaped = true,
            (true, 'n') => {
                text.push('\n');
                escaped = false;
            }
            _ => {
                text.push(c);
                escaped = false;
            }
        }
    }
    text
}
