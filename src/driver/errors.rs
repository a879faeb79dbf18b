//! Keeps those complaints of the checker that do not follow from a text that could
//! not be read.
//!
//! Where a statement cannot be read, the checker misses what it would have bound, and
//! complains about whatever uses it; so complaints about the same item are left out.
//! Where a declaration cannot be read, anything may follow from it:
//!
//! ```text
//! sequence cleanup                  sequence draw
//!   step destroy                      step draw
//!     let c = = top of deck             set d.health to 1     unknown `d`: kept
//!     set c.health to 1    unknown `c`: left out
//! ```

use endstep_language::diag::{Diagnostic, Severity};
use endstep_language::source::Span;
use endstep_language::syntax::ast::{File, Item, ItemKind};

/// The complaints of the checker that stand on their own, given what was wrong before.
pub(super) fn independent(
    files: &[File],
    before: &[Diagnostic],
    found: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let errors = before.iter().filter(|one| one.severity == Severity::Error);
    let errors: Vec<Option<Span>> = errors.map(Diagnostic::place).collect();
    if errors.is_empty() {
        return found;
    }
    let mut items = Vec::new();
    for file in files {
        flatten(&file.items, &mut items);
    }
    items.sort_by_key(|(start, _)| *start);
    let item_at = |place: Span| {
        let after = items.partition_point(|(start, _)| *start <= place);
        let (start, inner) = items.get(after.checked_sub(1)?)?;
        (start.source == place.source).then_some((*start, *inner))
    };
    let mut spoilt = Vec::new();
    for error in errors {
        match error.and_then(item_at) {
            Some((start, true)) => spoilt.push(start),
            // A declaration, or no item at all: anything may follow from it.
            Some((_, false)) | None => return Vec::new(),
        }
    }
    let stands = |one: &Diagnostic| {
        let item = one.place().and_then(item_at);
        item.is_some_and(|(start, _)| !spoilt.contains(&start))
    };
    found.into_iter().filter(stands).collect()
}

/// All items with their headings, and whether nothing outside depends on their inside.
fn flatten(items: &[Item], found: &mut Vec<(Span, bool)>) {
    for item in items {
        let inner = matches!(
            item.kind,
            ItemKind::Sequence(_)
                | ItemKind::Trigger(_)
                | ItemKind::Observer(_)
                | ItemKind::Board(_)
                | ItemKind::Example(_)
        );
        found.push((Span::from(item.loc), inner));
        match &item.kind {
            ItemKind::Document(_, items, _) | ItemKind::Clause(_, items, _) => {
                flatten(items, found);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::driver::{Reader, compile};
    use endstep_language::source::SourceMap;

    struct Nothing;

    impl Reader for Nothing {
        fn read(&mut self, _: &str, _: &str) -> Result<(String, Vec<u8>), String> {
            Err("there is nothing".to_owned())
        }
    }

    fn messages(text: &str) -> Vec<String> {
        let mut sources = SourceMap::new();
        let root = sources.load("x.endstep", text.as_bytes()).unwrap();
        let compiled = compile(root, &mut sources, &mut Nothing);
        assert!(compiled.program.is_none());
        let errors = compiled.diagnostics.into_iter();
        let errors = errors.filter(|one| one.severity == endstep_language::diag::Severity::Error);
        errors.map(|one| one.message).collect()
    }

    const HEAD: &str = "game \"g\"\nentity Card, explore 1\n  health: integer, explore 0 to 1\n\
                        zone deck of Card\n";

    #[test]
    fn what_follows_from_an_unreadable_statement_is_left_out() {
        let found = messages(&format!(
            "{HEAD}sequence a\n  step one\n    let c = = top of deck\n    set c.health to 1\n\
             sequence b\n  step two\n    set d.health to 1\n"
        ));
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[1].contains("`d`"), "{found:?}");
    }

    #[test]
    fn anything_may_follow_from_an_unreadable_declaration() {
        let found = messages(&format!(
            "{HEAD}zone of of Card\nsequence b\n  step two\n    move all of deck to hand\n"
        ));
        assert_eq!(found.len(), 1, "{found:?}");
    }
}
