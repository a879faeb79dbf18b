//! Enumerations whose sizes are known.

use super::*;
use crate::analysis::sieve::{Sieve, Told};
use endstep_language::source::SourceMap;

fn program(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let id = sources.load("test", text.as_bytes()).unwrap();
    let file = endstep_language::syntax::parse(id, text).file;
    let (program, diagnostics) = endstep_language::typing::check(&[file]);
    program.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

fn boards(text: &str, sizes: &[(SortId, u32)], options: &Options) -> Vec<Data> {
    let program = program(text);
    let mut found = Vec::new();
    let _ = Boards::new(&program, sizes, options).each(&|_| None, &mut |_, board| {
        found.push(board.clone());
        ControlFlow::Continue(())
    });
    found
}

const CARDS: &str = "game \"g\"\n\
    entity Card, explore up to 2\n  health: integer, explore 0 to 1\n\
    zone deck of Card\nzone hand of Card\n";

/// Refutes boards whose first card has another health than this.
struct FirstHas(i64);

impl Sieve for FirstHas {
    fn conditions(&self) -> usize {
        1
    }

    fn judge(&self, board: &Data, unknown: &dyn Fn(usize) -> bool, told: Told<'_>) {
        if !unknown(0) {
            return;
        }
        let first = board.entities.first();
        let refuted = first.is_some_and(|first| first.fields[0] != Value::Int(self.0));
        // What a condition says that reads more makes no difference.
        let spots = [EntityId(1), EntityId(0)].map(|id| Spot::Field(id, FieldId(0)));
        if refuted {
            told(0, true, &spots);
        }
        told(0, refuted, &spots[1..]);
    }
}

fn sieved(options: &Options) -> (Vec<u64>, ControlFlow<(), u64>, bool) {
    let program = program(CARDS);
    let boards = Boards::new(&program, &[], options);
    let mut numbers = Vec::new();
    let flow = boards.each(&|_| Some(Box::new(FirstHas(1))), &mut |number, _| {
        numbers.push(number);
        ControlFlow::Continue(())
    });
    (numbers, flow, boards.gave_up())
}

#[test]
fn boards_that_a_sieve_refutes_are_left_out_but_have_numbers() {
    let (numbers, flow, gave_up) = sieved(&Options::default());
    // One without cards; one card in either zone; two cards in each of three ways.
    assert_eq!(numbers, [1, 3, 5, 8, 9, 12, 13, 16, 17]);
    assert_eq!(flow, ControlFlow::Continue(17));
    assert!(!gave_up);
}

#[test]
fn a_sieve_that_refutes_very_many_boards_ends_the_enumeration() {
    let mut options = Options::default();
    options.limits.candidates = 3;
    let (numbers, flow, gave_up) = sieved(&options);
    // Five are refuted, one for each way of dealing; the fourth is one too many.
    assert_eq!(numbers, [1, 3, 5, 8, 9]);
    assert_eq!(flow, ControlFlow::Break(()));
    assert!(gave_up);
}

#[test]
fn boards_come_by_size_and_every_way_of_dealing_occurs_once() {
    let all = boards(CARDS, &[], &Options::default());
    let sizes: Vec<usize> = all.iter().map(|board| board.entities.len()).collect();
    let counts = [0, 1, 2].map(|size| sizes.iter().filter(|&&one| one == size).count());
    assert_eq!(counts, [1, 4, 12]);
    assert!(sizes.is_sorted(), "the smallest come first");
    let distinct: std::collections::BTreeSet<_> = all.iter().collect();
    assert_eq!(distinct.len(), all.len());
}

#[test]
fn sizes_and_values_can_be_restricted() {
    let one = boards(CARDS, &[(SortId(0), 1)], &Options::default());
    assert_eq!(one.len(), 5);
    let options = Options {
        fields: vec![(FieldId(0), vec![Value::Int(1)])],
        ..Options::default()
    };
    assert_eq!(boards(CARDS, &[], &options).len(), 1 + 2 + 3);
}

#[test]
fn cards_in_a_bag_are_told_apart_by_their_fields_only() {
    let text = "game \"g\"\nentity Card, explore 2\n  health: integer, explore 0 to 1\n\
        zone bag of Card, unordered\n";
    assert_eq!(boards(text, &[], &Options::default()).len(), 3);
    let text = text.replace("zone bag of Card, unordered\n", "");
    assert_eq!(
        boards(&text, &[], &Options::default()).len(),
        3,
        "without a zone"
    );
}

#[test]
fn zones_hold_no_more_than_they_can() {
    let text = CARDS.replace("zone hand of Card", "zone hand of Card, holds at most 1");
    let fuller = |board: &Data| board.zones.values().any(|contents| contents.len() > 1);
    let all = boards(&text, &[], &Options::default());
    assert_eq!(all.len(), 1 + 4 + 8);
    assert!(all.iter().any(fuller), "the deck may hold two");
}

#[test]
fn every_player_has_a_zone_of_a_family_and_links_lead_anywhere() {
    let text = "game \"g\"\nplayer Player, explore 2\n\
        entity Card, explore 1\n  host: optional Card\n\
        zone hand of Card per Player\nrole active: Player\n";
    // Two hands, the host none or the card itself, the role vacant or either player.
    assert_eq!(boards(text, &[], &Options::default()).len(), 2 * 2 * 3);
}

#[test]
fn many_alike_have_a_board_for_each_way_to_share_values_out() {
    let text = "game \"g\"\nentity Card, explore 50 to 50\n  health: integer, explore 0 to 2\n";
    let program = program(text);
    let (boards, mut numbers) = (Boards::new(&program, &[], &Options::default()), Vec::new());
    let flow = boards.each(&|_| None, &mut |number, _| {
        numbers.push(number);
        ControlFlow::Continue(())
    });
    // 52 over 2; as values they would have numbers of 80 bits.
    let all: Vec<u64> = (1..=1326).collect();
    assert_eq!((numbers, flow), (all, ControlFlow::Continue(1326)));
}
