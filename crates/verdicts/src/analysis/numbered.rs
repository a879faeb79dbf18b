//! Sorts of which something can tell the numbers of entities (`docs/semantics.md`, 1.2).
//!
//! ```text
//! entity Lane                    no zones
//! for each l: Lane, left to right            lane 1 comes before lane 2: their numbers can be seen
//! for each l: Lane, in any order             nobody can tell which is 1 and which 2
//! ```
//!
//! Two boards are one if a permutation of the entities of other sorts turns one into the other.
//!
//! *Guarantees.* Sound: where a sort is not named, no expression, statement, order or observer tells two
//! such boards apart. It is not exact: what is never executed counts, too.

// TRUSTED: that boards which are not enumerated show nothing new rests on this list.

use std::collections::BTreeSet;

use endstep_language::typing::program::{
    Binder, Place, PlaceKind, Program, Range, SortId, StmtKind, Type,
};

/// The numbered sorts of a program.
pub fn numbered(program: &Program) -> BTreeSet<SortId> {
    let mut found: BTreeSet<SortId> = program
        .sorts
        .iter()
        .filter(|(_, sort)| sort.player)
        .map(|(id, _)| id)
        .collect();
    found.extend(program.zones.values().iter().filter_map(|zone| zone.per));
    for stmt in program.stmts.values() {
        match &stmt.kind {
            StmtKind::ForEach { binder, order, .. } if order.goes_along() => {
                found.extend(taken_by_number(program, binder));
            }
            StmtKind::Distribute { binder, into, .. } if is_bounded(program, into) => {
                found.extend(taken_by_number(program, binder));
            }
            // Whatever else there is takes entities in an order that is chosen, or all together.
            _ => {}
        }
    }
    let lists = program.sequences.values().iter();
    let lists = lists.filter_map(|sequence| sequence.over.as_ref());
    for over in lists.filter(|over| over.order.goes_along()) {
        found.extend(taken_by_number(program, &over.binder));
    }
    for trigger in program.triggers.values() {
        let order = &program.events[trigger.event].listeners;
        if let (Some(listener), Some(order)) = (&trigger.listener, order)
            && order.goes_along()
        {
            found.extend(taken_by_number(program, listener));
        }
    }
    found
}

/// The sort of a binder whose elements, as they come, are in order of their numbers.
fn taken_by_number(program: &Program, binder: &Binder) -> Option<SortId> {
    let by_number = match &binder.range {
        Range::Sort(_) => true,
        Range::Zone(zone) => program.zones[zone.zone].unordered,
        Range::Enum(_) | Range::Bool => false,
    };
    match binder.ty {
        Type::Entity(sort) | Type::Optional(sort) if by_number => Some(sort),
        _ => None,
    }
}

fn is_bounded(program: &Program, place: &Place) -> bool {
    let bounds = match &place.kind {
        PlaceKind::Var(var) => &program.vars[*var].bounds,
        PlaceKind::Field(_, field) => &program.fields[*field].bounds,
    };
    bounds.document.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use endstep_language::source::SourceMap;

    fn names(lines: &str) -> Vec<String> {
        let text = format!(
            "game \"g\"\nplayer Player, explore 2\nentity Lane, explore 2\n  n: integer from 0 to 3\n\
             entity Card, explore 2\n  n: integer, explore 0 to 3\nzone bag of Card, unordered\n\
             zone row of Card\nentity Coin, explore 2\n{lines}"
        );
        let mut sources = SourceMap::new();
        let id = sources.load("test", text.as_bytes()).unwrap();
        let file = endstep_language::syntax::parse(id, &text).file;
        let (program, diagnostics) = endstep_language::typing::check(&[file]);
        let program = program.unwrap_or_else(|| panic!("{diagnostics:?}"));
        let sorts = numbered(&program).into_iter();
        sorts.map(|sort| program.sorts[sort].name.clone()).collect()
    }

    fn step(statement: &str) -> Vec<String> {
        names(&format!(
            "sequence s\n  basis text\n  step a\n    {statement}\n"
        ))
    }

    #[test]
    fn players_and_owners_of_zones_are_numbered() {
        assert_eq!(names(""), ["Player"]);
        assert_eq!(names("zone pile of Coin per Lane\n"), ["Player", "Lane"]);
    }

    #[test]
    fn what_is_taken_as_it_is_numbered_is_numbered() {
        let each = |order: &str| step(&format!("for each l: Lane, {order}\n      set l.n to 1"));
        assert_eq!(each("left to right"), ["Player", "Lane"]);
        assert_eq!(each("in any order"), ["Player"]);
        assert_eq!(
            step("for each c: Card in row, left to right\n      set c.n to 1"),
            ["Player"]
        );
    }

    #[test]
    fn units_that_can_cross_a_bound_of_the_document_number_what_they_go_to() {
        let distribute = |over: &str| step(&format!("distribute 2 over {over} by chance"));
        assert_eq!(distribute("l: Lane into l.n"), ["Player", "Lane"]);
        assert_eq!(distribute("c: Card in bag into c.n"), ["Player"]);
    }

    #[test]
    fn listeners_and_places_of_a_list_count() {
        let event = "event e, at once, listeners right to left\n\
            trigger t for each l: Lane, on e\n  basis text\n  set l.n to 1\n";
        assert_eq!(names(event), ["Player", "Lane"]);
        let list = "sequence s, over each l: Lane, left to right, nest steps\n  basis text\n\
            \x20 step a\n    set l.n to 1\n";
        assert_eq!(names(list), ["Player", "Lane"]);
    }
}
