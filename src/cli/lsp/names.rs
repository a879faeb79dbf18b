//! Names: where they are declared, where they stand, and how they get another one.

use super::specification::{Instead, Specification};
use super::view::View;
use endstep_language::diag::Severity;
use endstep_language::resolve::{NameKind, Use, Uses};
use endstep_language::source::{SourceId, Span};
use endstep_language::syntax::ast::ItemKind;
use endstep_language::syntax::{keywords, parse};
use lsp_types::{DocumentHighlight, DocumentHighlightKind, Location, Position, Range};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Where the name at a position is declared.
pub(super) fn definition(view: View<'_>, at: Position) -> Option<Location> {
    view.location(view.name(at)?.declared)
}

/// Where what a name means stands.
pub(super) fn references(view: View<'_>, name: Use, declaration: bool) -> Vec<Location> {
    let all = view.specification.uses.of(name.declared);
    let all = all.filter(|one| declaration || !one.is_declaration());
    all.filter_map(|one| view.location(one.at)).collect()
}

/// The same in this file, to be shown there.
pub(super) fn highlights(view: View<'_>, at: Position) -> Vec<DocumentHighlight> {
    let Some(name) = view.name(at) else {
        return Vec::new();
    };
    let all = view.specification.uses.of(name.declared);
    let highlight = |one: &Use| {
        let kind = match one.is_declaration() {
            true => DocumentHighlightKind::WRITE,
            false => DocumentHighlightKind::READ,
        };
        Some(DocumentHighlight {
            range: view.range(one.at)?,
            kind: Some(kind),
        })
    };
    all.filter_map(highlight).collect()
}

/// The name at a position, if it can get another one.
pub(super) fn renamed(view: View<'_>, at: Position) -> Option<(Range, String)> {
    let name = view.name(at)?;
    let text = view.specification.sources.text(name.at);
    Some((view.range(name.at)?, text.to_owned()))
}

/// Where texts change.
pub(super) type Edits = BTreeMap<PathBuf, BTreeSet<(usize, usize)>>;

/// The places of a name in a specification, by file and bytes.
pub(super) fn places(specification: &Specification, declared: Span) -> Edits {
    let mut edits = Edits::new();
    for one in specification.uses.of(declared) {
        if let Some(path) = specification.path(one.at.source) {
            let bytes = one.at.range();
            let places = edits.entry(path.to_owned()).or_default();
            places.insert((bytes.start, bytes.end));
        }
    }
    edits
}

/// Why a name cannot be called so; nothing if it can.
pub(super) fn objection(
    view: View<'_>,
    kind: NameKind,
    edits: &Edits,
    name: &str,
) -> Option<String> {
    if !can_be_a_name(kind, name) {
        let more = match keywords::is_keyword(name) {
            true => ": it is a word of the language",
            false => "",
        };
        return Some(format!(
            "`{name}` cannot be the name of a {}{more}",
            kind.word()
        ));
    }
    let mut texts = BTreeMap::new();
    for (path, places) in edits {
        // A file of another specification, which is asked by itself.
        if let Some((text, _)) = view.specification.text(path) {
            texts.insert(path.clone(), replaced(text, places, name));
        }
    }
    let instead = Instead {
        texts: &texts,
        probe: None,
    };
    let before = view.specification;
    let after = view.reread(instead);
    if errors(&after) > errors(before) || before.program.is_some() && after.program.is_none() {
        return Some(format!(
            "`{name}` already means something where this name stands"
        ));
    }
    (shape(&before.uses) != shape(&after.uses)).then(|| match before.program {
        Some(_) => format!("`{name}` already means something where this name stands"),
        None => "something is in error here, so that it is not clear what has to change".to_owned(),
    })
}

/// How much is in error.
fn errors(specification: &Specification) -> usize {
    let all = specification.diagnostics.iter();
    all.filter(|one| one.severity == Severity::Error).count()
}

/// A text with other names at some places.
fn replaced(text: &str, places: &BTreeSet<(usize, usize)>, name: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for &(start, end) in places {
        out.push_str(text.get(done..start).unwrap_or_default());
        out.push_str(name);
        done = end;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

/// Which names mean the same: for each, in order of places, which one declares it.
fn shape(uses: &Uses) -> Vec<(NameKind, Option<usize>)> {
    let places: BTreeMap<Span, usize> = uses.all().map(|one| one.at).zip(0..).collect();
    let declared = |one: &Use| (one.kind, places.get(&one.declared).copied());
    uses.all().map(declared).collect()
}

/// Whether something of this kind can be called so.
fn can_be_a_name(kind: NameKind, name: &str) -> bool {
    let text = match kind {
        NameKind::Clause => format!("clause {name} (rule) at \"1\"\n"),
        _ => format!("type {name} is one of a_value\n"),
    };
    let parsed = parse(SourceId::default(), &text);
    let told = match parsed.file.items.first().map(|item| &item.kind) {
        Some(ItemKind::Clause(clause, ..)) => &clause.id.text,
        Some(ItemKind::Type(item)) => &item.name.text,
        _ => return false,
    };
    parsed.diagnostics.is_empty() && parsed.file.items.len() == 1 && told == name
}
