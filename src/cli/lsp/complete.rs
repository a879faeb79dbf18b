//! What can stand where somebody is writing.
//!
//! A name that nobody has is put there, and the specification is read with it: where it is looked up, every name that would do
//! is at hand. Where the line is not finished, endings that would finish it are tried.

use super::blocks::{self, Block};
use super::specification::Instead;
use super::view::View;
use endstep_language::resolve::{NameKind, Offer};
use endstep_language::source::{SourceId, Span};
use endstep_language::syntax::keywords::{self, Role};
use endstep_language::syntax::parse;
use lsp_types::{CompletionItem, CompletionItemKind, Position};
use std::collections::BTreeMap;

/// The name that nobody has.
const PROBE: &str = "what_could_stand_here";

/// How a line that is not finished could go on, likely ones first.
const ENDINGS: [&str; 9] = [
    "",
    " to 0",
    " = 0",
    " by 1",
    ": Nothing",
    " by nobody in particular",
    " from 0 to 1 by nobody in particular",
    " has true",
    " somebody",
];

/// What can stand at a position.
pub(super) fn at(view: View<'_>, at: Position, snippets: bool) -> Vec<CompletionItem> {
    let Some((text, lines)) = view.specification.text(view.path) else {
        return Vec::new();
    };
    let offset = lines.offset(text, at, view.encoding);
    let line = (at.line as usize).min(lines.count() - 1);
    let start = lines.start(text, line);
    let (before, after) = (&text[start..offset], &text[offset..]);
    if is_said(before) {
        return Vec::new();
    }
    let is_part = |one: char| one.is_alphanumeric() || one == '_';
    let begun = before.trim_end_matches(is_part);
    let rest = after.trim_start_matches(is_part);
    let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
    let (tail, below) = rest.split_at(end);
    let hole = Hole {
        view,
        head: &text[..start + begun.len()],
        below,
    };
    let depth = begun.len() - begun.trim_start().len();
    let begins = begun.trim().is_empty();
    let (block, _) = blocks::block_of(view, line);
    let mut items: Vec<CompletionItem> = match begins && block != Block::Board {
        true => Vec::new(),
        false => {
            let offers = hole.offers(tail, depth);
            let numbered = offers.iter().enumerate();
            numbered
                .map(|(number, offer)| item(number, offer))
                .collect()
        }
    };
    match begins {
        true => items.extend(blocks::beginnings(block, depth, snippets)),
        false => items.extend(hole.joining()),
    }
    items
}

/// Whether what follows is a comment, or part of a text in quotes.
pub(super) fn is_said(before: &str) -> bool {
    let mut quoted = false;
    let mut escaped = false;
    let mut bytes = before.bytes().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'-' if !quoted && bytes.peek() == Some(&b'-') => return true,
            _ => {}
        }
    }
    quoted
}

/// A place in a text where a name is wanted.
struct Hole<'a> {
    view: View<'a>,
    /// What stands before it.
    head: &'a str,
    /// The lines that follow its own.
    below: &'a str,
}

impl Hole<'_> {
    /// The names that could stand there, where the line goes on as it does or in another way.
    fn offers(&self, tail: &str, depth: usize) -> Vec<Offer> {
        let as_it_is = std::iter::once(tail).filter(|tail| !tail.trim().is_empty());
        for tail in as_it_is.chain(ENDINGS) {
            // The block of a heading may still be missing, and a line too many harms nothing.
            let block = format!("\n{}nothing", " ".repeat(depth + 2));
            for block in ["", &block] {
                let offers = self.tried(tail, block);
                if !offers.is_empty() {
                    return offers;
                }
            }
        }
        Vec::new()
    }

    fn tried(&self, tail: &str, block: &str) -> Vec<Offer> {
        let text = format!("{}{PROBE}{tail}{block}{}", self.head, self.below);
        // Of a line that cannot be understood nothing is looked up.
        if self.complaint(&text).is_some() {
            return Vec::new();
        }
        let texts = BTreeMap::from([(self.view.path.to_owned(), text)]);
        let instead = Instead {
            texts: &texts,
            probe: Some(PROBE),
        };
        let read = self.view.reread(instead);
        read.uses.offers().to_vec()
    }

    /// What the parser has against the line of the hole in a text.
    fn complaint(&self, text: &str) -> Option<String> {
        let start = self.head.rfind('\n').map_or(0, |at| at + 1);
        let end = text[self.head.len()..].find(['\n', '\r']);
        let end = end.map_or(text.len(), |end| self.head.len() + end);
        let diagnostics = parse(SourceId::default(), text).diagnostics.into_iter();
        let mut own = diagnostics.filter(|one| {
            let place = one.place().map(Span::range);
            place.is_some_and(|place| start <= place.start && place.start <= end)
        });
        own.next().map(|one| one.message)
    }

    /// Words of the language that can go on in the middle of a line: those that the parser asks for, or else those that join.
    fn joining(&self) -> Vec<CompletionItem> {
        let begun = self.head.trim_end();
        if begun.ends_with('.') {
            return Vec::new();
        }
        let cut = format!("{}{}", self.head, self.below);
        if let Some(message) = self.complaint(&cut) {
            let expected = message.split_once("expected").map_or("", |(_, rest)| rest);
            let quoted = expected.split('`').skip(1).step_by(2);
            let wanted: Vec<&str> = quoted
                .filter(|one| one.starts_with(char::is_alphabetic))
                .collect();
            if !wanted.is_empty() || expected.contains("name") {
                return wanted.into_iter().map(keyword).collect();
            }
        }
        let roles = [
            Role::Operator,
            Role::Constant,
            Role::Type,
            Role::Connective,
            Role::Choice,
        ];
        let all = roles.into_iter().flat_map(keywords::with_role);
        all.map(keyword).collect()
    }
}

fn item(number: usize, offer: &Offer) -> CompletionItem {
    CompletionItem {
        label: offer.text.clone(),
        kind: Some(offer.kind.map_or(CompletionItemKind::REFERENCE, kind)),
        detail: offer.kind.map(|kind| kind.word().to_owned()),
        // The best come first.
        sort_text: Some(format!("a{number:05}")),
        ..CompletionItem::default()
    }
}

fn kind(of: NameKind) -> CompletionItemKind {
    match of {
        NameKind::Document | NameKind::Clause => CompletionItemKind::MODULE,
        NameKind::Type | NameKind::Reading => CompletionItemKind::ENUM,
        NameKind::Value | NameKind::Alternative => CompletionItemKind::ENUM_MEMBER,
        NameKind::Sort => CompletionItemKind::CLASS,
        NameKind::Field | NameKind::Column => CompletionItemKind::FIELD,
        NameKind::Variable | NameKind::Local | NameKind::Entity | NameKind::Board => {
            CompletionItemKind::VARIABLE
        }
        NameKind::Zone | NameKind::Queue => CompletionItemKind::STRUCT,
        NameKind::Definition | NameKind::Sequence => CompletionItemKind::FUNCTION,
        NameKind::Step => CompletionItemKind::METHOD,
        NameKind::Event | NameKind::Trigger => CompletionItemKind::EVENT,
        NameKind::Observer
        | NameKind::Gap
        | NameKind::Claim
        | NameKind::Legal
        | NameKind::Example => CompletionItemKind::REFERENCE,
    }
}

/// A word of the language, behind the names.
fn keyword(word: &str) -> CompletionItem {
    CompletionItem {
        label: word.to_owned(),
        kind: Some(CompletionItemKind::KEYWORD),
        sort_text: Some(format!("z{word}")),
        ..CompletionItem::default()
    }
}
