//! What each word of a text is, for its colour.
//!
//! Names have what they mean; everything else is told by a look at the text alone, so that a text in error is coloured, too.

use super::view::View;
use endstep_language::resolve::NameKind;
use endstep_language::syntax::keywords;
use lsp_types::{SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokensLegend};

/// The kinds of tokens, by the number that the protocol has for them.
const KINDS: [SemanticTokenType; 13] = [
    SemanticTokenType::KEYWORD,
    SemanticTokenType::COMMENT,
    SemanticTokenType::STRING,
    SemanticTokenType::NUMBER,
    SemanticTokenType::NAMESPACE,
    SemanticTokenType::TYPE,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::CLASS,
    SemanticTokenType::PROPERTY,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::EVENT,
    SemanticTokenType::PARAMETER,
];

const KEYWORD: u32 = 0;
const COMMENT: u32 = 1;
const STRING: u32 = 2;
const NUMBER: u32 = 3;

/// The names of the kinds of tokens.
pub(super) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: KINDS.to_vec(),
        token_modifiers: vec![SemanticTokenModifier::DECLARATION],
    }
}

/// The number of a kind of names.
fn number(kind: NameKind) -> u32 {
    match kind {
        NameKind::Document | NameKind::Clause => 4,
        NameKind::Type | NameKind::Reading => 5,
        NameKind::Value | NameKind::Alternative => 6,
        NameKind::Sort => 7,
        NameKind::Field | NameKind::Column => 8,
        NameKind::Variable
        | NameKind::Zone
        | NameKind::Queue
        | NameKind::Board
        | NameKind::Entity
        | NameKind::Gap => 9,
        NameKind::Definition
        | NameKind::Sequence
        | NameKind::Step
        | NameKind::Observer
        | NameKind::Claim
        | NameKind::Legal
        | NameKind::Example => 10,
        NameKind::Event | NameKind::Trigger => 11,
        NameKind::Local => 12,
    }
}

/// A part of a line: bytes of the text, what it is, and whether it is declared here.
type Token = (std::ops::Range<usize>, u32, bool);

/// The tokens of a file.
pub(super) fn tokens(view: View<'_>) -> Vec<SemanticToken> {
    let Some(source) = view.specification.source(view.path) else {
        return Vec::new();
    };
    let names = view.specification.uses.all();
    let names = names.filter(|one| one.at.source == source);
    let mut all: Vec<Token> = names
        .map(|one| (one.at.range(), number(one.kind), one.is_declaration()))
        .collect();
    let known: Vec<_> = all.iter().map(|(bytes, ..)| bytes.clone()).collect();
    let is_known = |bytes: &std::ops::Range<usize>| {
        let at = known.partition_point(|one| one.end <= bytes.start);
        known.get(at).is_some_and(|one| one.start < bytes.end)
    };
    let plain = scanned(view.text()).into_iter();
    all.extend(plain.filter(|(bytes, ..)| !is_known(bytes)));
    all.sort_by_key(|(bytes, ..)| bytes.start);
    encoded(view, &all)
}

/// What can be told of a text by its letters.
fn scanned(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(one) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = &text[at..];
        let line = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let length = match one {
            '-' if rest.starts_with("--") => {
                found.push((at..at + line, COMMENT, false));
                line
            }
            '"' => {
                let end = quoted(&rest[..line]);
                found.push((at..at + end, STRING, false));
                end
            }
            one if one.is_ascii_digit() => {
                let end = rest.find(|one: char| !one.is_ascii_digit());
                let end = end.unwrap_or(rest.len());
                found.push((at..at + end, NUMBER, false));
                end
            }
            one if one.is_alphabetic() || one == '_' => {
                let end = rest.find(|one: char| !one.is_alphanumeric() && one != '_');
                let end = end.unwrap_or(rest.len());
                if keywords::is_keyword(&rest[..end]) {
                    found.push((at..at + end, KEYWORD, false));
                }
                end
            }
            one => one.len_utf8(),
        };
        at += length.max(1);
    }
    found
}

/// How long a text in quotes is, which may have no end.
fn quoted(line: &str) -> usize {
    let mut escaped = false;
    for (at, one) in line.char_indices().skip(1) {
        match one {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    line.len()
}

/// Tokens as the protocol has them: each from where the one before it begins.
fn encoded(view: View<'_>, tokens: &[Token]) -> Vec<SemanticToken> {
    let mut out = Vec::with_capacity(tokens.len());
    let (mut line, mut character) = (0, 0);
    for (bytes, kind, is_declared) in tokens {
        let Some(range) = view.bytes(bytes.clone()) else {
            continue;
        };
        let (start, end) = (range.start, range.end);
        if start.line != end.line {
            continue;
        }
        let delta_line = start.line - line;
        let delta_start = match delta_line {
            0 => start.character - character,
            _ => start.character,
        };
        (line, character) = (start.line, start.character);
        out.push(SemanticToken {
            delta_line,
            delta_start,
            length: end.character - start.character,
            token_type: *kind,
            token_modifiers_bitset: u32::from(*is_declared),
        });
    }
    out
}
