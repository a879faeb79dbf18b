//! What a text has: its clauses and what is declared in them, and the blocks that can be folded.

use super::lines::{Encoding, Lines};
use super::specification::{Specification, uri};
use super::view::View;
use endstep_language::resolve::NameKind;
use endstep_language::source::{SourceId, Span};
use endstep_language::syntax::ast::{Item, ItemKind, SeqItem, SeqItemKind};
use endstep_language::syntax::parse;
use lsp_types::{
    DocumentSymbol, FoldingRange, FoldingRangeKind, Location, Range, SymbolKind, WorkspaceSymbol,
};

/// What it is to an editor.
fn symbol_kind(kind: NameKind) -> SymbolKind {
    match kind {
        NameKind::Document => SymbolKind::MODULE,
        NameKind::Clause => SymbolKind::NAMESPACE,
        NameKind::Type => SymbolKind::ENUM,
        NameKind::Value | NameKind::Alternative => SymbolKind::ENUM_MEMBER,
        NameKind::Sort => SymbolKind::CLASS,
        NameKind::Field | NameKind::Column => SymbolKind::FIELD,
        NameKind::Variable | NameKind::Local => SymbolKind::VARIABLE,
        NameKind::Zone | NameKind::Queue => SymbolKind::ARRAY,
        NameKind::Definition | NameKind::Sequence => SymbolKind::FUNCTION,
        NameKind::Reading => SymbolKind::INTERFACE,
        NameKind::Event | NameKind::Trigger => SymbolKind::EVENT,
        NameKind::Step => SymbolKind::METHOD,
        NameKind::Observer | NameKind::Legal => SymbolKind::PROPERTY,
        NameKind::Board | NameKind::Entity | NameKind::Example => SymbolKind::OBJECT,
        NameKind::Gap => SymbolKind::NULL,
        NameKind::Claim => SymbolKind::BOOLEAN,
    }
}

/// What is listed of an item.
struct Entry {
    text: String,
    kind: NameKind,
    at: Span,
    detail: Option<String>,
}

/// The name of an item.
fn entry(item: &ItemKind) -> Option<Entry> {
    let (name, kind) = match item {
        ItemKind::Document(document, ..) => {
            return Some(Entry {
                text: document.name.text.clone(),
                kind: NameKind::Document,
                at: document.name.loc.span(),
                detail: Some(document.title.line()),
            });
        }
        ItemKind::Clause(clause, ..) => {
            return Some(Entry {
                text: clause.id.text.clone(),
                kind: NameKind::Clause,
                at: clause.id.loc.span(),
                detail: Some(clause.locator.line()),
            });
        }
        ItemKind::Type(one) => (&one.name, NameKind::Type),
        ItemKind::Table(one) => (&one.name, NameKind::Type),
        ItemKind::Entity(one) => (&one.name, NameKind::Sort),
        ItemKind::Var(one) => (&one.name, NameKind::Variable),
        ItemKind::Role(one) => (&one.name, NameKind::Variable),
        ItemKind::Zone(one) => (&one.name, NameKind::Zone),
        ItemKind::Define(one) => (&one.name, NameKind::Definition),
        ItemKind::Legal(one) => (&one.name, NameKind::Legal),
        ItemKind::Queue(one) => (&one.name, NameKind::Queue),
        ItemKind::Event(one) => (&one.name, NameKind::Event),
        ItemKind::Reading(one) => (&one.name, NameKind::Reading),
        ItemKind::Trigger(one) => (&one.name, NameKind::Trigger),
        ItemKind::Sequence(one) => (&one.name, NameKind::Sequence),
        ItemKind::Observer(one) => (&one.name, NameKind::Observer),
        ItemKind::Experiment(one) => (&one.name, NameKind::Sequence),
        ItemKind::Claim(one) => (&one.name, NameKind::Claim),
        ItemKind::Board(one) => (&one.name, NameKind::Board),
        ItemKind::Example(one) => (&one.name, NameKind::Example),
        ItemKind::Error
        | ItemKind::Game(_)
        | ItemKind::Include(_)
        | ItemKind::Verify(_)
        | ItemKind::Accept(_) => return None,
    };
    Some(Entry {
        text: name.text.clone(),
        kind,
        at: name.loc.span(),
        detail: None,
    })
}

/// Makes symbols of the items of one text.
struct Tree<'t> {
    text: &'t str,
    lines: &'t Lines,
    encoding: Encoding,
}

impl Tree<'_> {
    fn range(&self, bytes: std::ops::Range<usize>) -> Range {
        self.lines.range(self.text, bytes, self.encoding)
    }

    fn symbol(&self, entry: Entry, heading: Span, children: Vec<DocumentSymbol>) -> DocumentSymbol {
        let start = heading.range().start.min(entry.at.range().start);
        let line = self.lines.position(self.text, start, self.encoding).line as usize;
        let end = block_end(self.text, self.lines, line);
        let end = self.lines.start(self.text, end) + self.lines.line(self.text, end).len();
        #[allow(deprecated, reason = "the field has to be given")]
        DocumentSymbol {
            name: entry.text,
            detail: entry.detail,
            kind: symbol_kind(entry.kind),
            tags: None,
            deprecated: None,
            range: self.range(start..end.max(entry.at.range().end)),
            selection_range: self.range(entry.at.range()),
            children: (!children.is_empty()).then_some(children),
        }
    }

    fn items(&self, items: &[Item]) -> Vec<DocumentSymbol> {
        let all = items
            .iter()
            .filter_map(|item| self.item(&item.kind, item.loc.span()));
        all.collect()
    }

    fn item(&self, kind: &ItemKind, heading: Span) -> Option<DocumentSymbol> {
        let entry = entry(kind)?;
        let children = match kind {
            ItemKind::Document(_, items, _) | ItemKind::Clause(_, items, _) => self.items(items),
            ItemKind::Sequence(sequence) => self.parts(&sequence.items),
            _ => Vec::new(),
        };
        Some(self.symbol(entry, heading, children))
    }

    fn parts(&self, parts: &[SeqItem]) -> Vec<DocumentSymbol> {
        let part = |part: &SeqItem| {
            let heading = part.loc.span();
            match &part.kind {
                SeqItemKind::Step(step) => {
                    let entry = Entry {
                        text: step.name.text.clone(),
                        kind: NameKind::Step,
                        at: step.name.loc.span(),
                        detail: None,
                    };
                    Some(self.symbol(entry, heading, Vec::new()))
                }
                SeqItemKind::Clause(clause, inner, _) => {
                    let entry = Entry {
                        text: clause.id.text.clone(),
                        kind: NameKind::Clause,
                        at: clause.id.loc.span(),
                        detail: Some(clause.locator.line()),
                    };
                    Some(self.symbol(entry, heading, self.parts(inner)))
                }
                SeqItemKind::Item(kind) => self.item(kind, heading),
                SeqItemKind::Error
                | SeqItemKind::Annotation(_)
                | SeqItemKind::Restart(_)
                | SeqItemKind::Contract(_) => None,
            }
        };
        parts.iter().filter_map(part).collect()
    }
}

/// The symbols of a text.
pub(super) fn of_text(text: &str, lines: &Lines, encoding: Encoding) -> Vec<DocumentSymbol> {
    let parsed = parse(SourceId::default(), text);
    let tree = Tree {
        text,
        lines,
        encoding,
    };
    tree.items(&parsed.file.items)
}

/// So many symbols of a workspace are listed at most.
const MOST: usize = 500;

/// The declared names of a specification that have these letters in this order.
pub(super) fn of_workspace(view: View<'_>, query: &str) -> Vec<WorkspaceSymbol> {
    let specification = view.specification;
    let wanted = specification.uses.all().filter(|one| {
        one.is_declaration()
            && one.kind != NameKind::Local
            && fits(query, specification.sources.text(one.at))
    });
    let symbol = |one: &endstep_language::resolve::Use| {
        let (path, range) = specification.range(one.at, view.encoding)?;
        let location = Location::new(uri(path, view.documents)?, range);
        Some(WorkspaceSymbol {
            name: specification.sources.text(one.at).to_owned(),
            kind: symbol_kind(one.kind),
            tags: None,
            container_name: container(specification, one.at),
            location: lsp_types::OneOf::Left(location),
            data: None,
        })
    };
    wanted.filter_map(symbol).take(MOST).collect()
}

/// The name of the file.
fn container(specification: &Specification, at: Span) -> Option<String> {
    let name = specification.path(at.source)?.file_name()?;
    Some(name.to_string_lossy().into_owned())
}

/// Whether the letters of a query stand in a name in the same order, whatever their case.
fn fits(query: &str, name: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    let mut wanted = query.chars().filter(|one| !one.is_whitespace());
    wanted.all(|one| {
        one.to_lowercase()
            .all(|one| letters.any(|letter| letter == one))
    })
}

/// How far a line is indented; none of an empty one.
fn indentation(line: &str) -> Option<usize> {
    let rest = line.trim_start();
    (!rest.is_empty()).then(|| line.len() - rest.len())
}

/// The last line of the block under a line, or the line itself.
pub(super) fn block_end(text: &str, lines: &Lines, line: usize) -> usize {
    let Some(own) = indentation(lines.line(text, line)) else {
        return line;
    };
    let mut end = line;
    for next in line + 1..lines.count() {
        match indentation(lines.line(text, next)) {
            None => {}
            Some(depth) if depth > own => end = next,
            Some(_) => break,
        }
    }
    end
}

/// What can be folded: blocks, and comments of several lines.
pub(super) fn folds(text: &str, lines: &Lines) -> Vec<FoldingRange> {
    let blocks = (0..lines.count()).map(|line| (line, block_end(text, lines, line), None));
    let is_comment = |line: usize| lines.line(text, line).trim_start().starts_with("--");
    let blocks = blocks.filter(|(line, ..)| !is_comment(*line));
    let mut comments = Vec::new();
    let mut line = 0;
    while line < lines.count() {
        let length = (line..lines.count())
            .take_while(|&line| is_comment(line))
            .count();
        if length > 1 {
            comments.push((line, line + length - 1, Some(FoldingRangeKind::Comment)));
        }
        line += length.max(1);
    }
    let all = blocks.chain(comments).filter(|(start, end, _)| end > start);
    let number = |line: usize| u32::try_from(line).unwrap_or(u32::MAX);
    let mut folds: Vec<FoldingRange> = all
        .map(|(start, end, kind)| FoldingRange {
            start_line: number(start),
            end_line: number(end),
            kind,
            ..FoldingRange::default()
        })
        .collect();
    folds.sort_by_key(|one| (one.start_line, one.end_line));
    folds
}
