//! The named invariants of real documents on random boards larger than those that `check` explores,
//! along random runs of the reference interpreter under random readings.
//!
//! `check` visits every run from every small board; this looks where it cannot.

use arbitrary::Unstructured;
use endstep::generate::position;
use endstep::semantics::{Data, Interpreter, Next, Note, Readings, Tag, Variant};
use endstep::syntax::ast::At;
use endstep::typing::program::{ClaimKind, Program, SequenceId, Type};
use proptest::prelude::{ProptestConfig, any, proptest};

use super::texts::Texts;

/// A specification whose invariants are tried.
struct Document {
    file: &'static str,
    /// How many of a sort there are at most, where that is not what the specification explores.
    sizes: &'static [(&'static str, u32)],
    /// Invariants of the specification.
    named: &'static [&'static str],
}

const APEX_PREDATOR: Document = Document {
    file: "specs/apex-predator.endstep",
    sizes: &[("Location", 3), ("Stack", 4), ("Card", 6)],
    named: &[
        "nobody_lies_aside",
        "maggots_have_food",
        "everybody_is_checked",
        "forms_go_with_their_thinkers",
        "stacks_are_checked_last",
    ],
};

const GODS_UNCHAINED: Document = Document {
    file: "specs/gods-unchained.endstep",
    sizes: &[("Card", 5), ("Effect", 3)],
    named: &[
        "queue_is_empty_at_rest",
        "no_ward_is_left_marked",
        "void_cards_have_default_stats",
        "no_spell_stays",
        "obliterated_cards_never_return",
        "destroyed_cards_are_on_the_board_or_in_the_void",
        "decks_stay_plain",
        "cards_lie_in_one_place",
        "cards_in_hand_are_as_printed",
    ],
};

const PRICE_OF_POWER: Document = Document {
    file: "specs/price-of-power.endstep",
    sizes: &[
        ("Player", 4),
        ("Realm", 4),
        ("Nation", 3),
        ("Area", 3),
        ("Marker", 2),
        ("Card", 16),
    ],
    named: &[
        "no_allied_unit_stays",
        "merchants_stand",
        "ships_in_port_are_whole",
        "influence_is_authority",
        "rich_dnprs_stand_alone",
        "the_plague_is_over",
        "crusaders_come_home",
        "peace_empties_the_slot",
        "peace_empties_imperial_manpower",
        "markers_are_reset",
        "nobody_keeps_more_than_five",
    ],
};

const RUMBLEBOTS: Document = Document {
    file: "specs/rumblebots.endstep",
    sizes: &[("Player", 4), ("Bot", 12)],
    named: &[
        "two_players_fight",
        "no_second_chance",
        "only_the_champion_is_left",
        "a_champion_is_left",
        "defenders_of_one_faction",
        "all_lie_with_their_owner",
        "nobody_surrenders_too_early",
        "reactors_are_empty",
        "no_crystal_appears",
    ],
};

const XENOSHYFT: Document = Document {
    file: "specs/xenoshyft.endstep",
    sizes: &[
        ("Player", 3),
        ("Troop", 6),
        ("Enemy", 6),
        ("Equipment", 2),
        ("Instant", 2),
        ("Inventory", 3),
        ("ItemDashboard", 1),
        ("Xenosathem", 4),
        ("Offer", 3),
        ("BurnedCard", 3),
    ],
    named: &[
        "hit_points_of_the_base",
        "nine_stacks",
        "hand_of_six",
        "nobody_buys_too_early",
        "nothing_is_kept",
        "no_stack_is_empty",
        "every_burned_card_leaves",
        "at_most_four_troops",
        "one_weapon_and_one_armor",
        "equipment_goes_with_its_troop",
        "killed_troops_go_to_the_owner_of_the_lane",
        "one_side_is_gone",
        "no_enemy_is_left",
        "the_base_does_not_recover",
        "the_base_stands",
        "damaged_enemies_lie_face_up",
    ],
};

const DOCUMENTS: [Document; 5] = [
    APEX_PREDATOR,
    GODS_UNCHAINED,
    PRICE_OF_POWER,
    RUMBLEBOTS,
    XENOSHYFT,
];

/// A run is followed no further than this.
const LONGEST_RUN: usize = 4000;

/// So many random boards are tried for a legal one.
const MOST_BOARDS: usize = 500;

fn program(document: &Document) -> Program {
    let mut program = Texts::read(document.file).compile().unwrap();
    for (_, sort) in program.sorts.iter_mut() {
        let larger = document.sizes.iter().find(|(name, _)| *name == sort.name);
        let most = larger.map_or(sort.explore.1, |(_, most)| *most);
        sort.explore = (sort.explore.0.max(most.min(2)), most);
        sort.headroom += 4;
    }
    for (_, queue) in program.queues.iter_mut() {
        queue.capacity += 12;
    }
    program
}

/// Numbers that look random, from a seed (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).unwrap()
    }
}

/// A claim that is looked at: its name, what holds, and where.
struct Claim<'p> {
    name: &'p str,
    condition: &'p endstep::typing::program::Expr,
    at: At,
    sequence: SequenceId,
}

fn named<'p>(program: &'p Program, document: &Document) -> Vec<Claim<'p>> {
    let claims = program.claims.iter().filter_map(|claim| match &claim.kind {
        ClaimKind::Invariant(condition, at, sequence)
            if document.named.contains(&claim.name.as_str()) =>
        {
            Some(Claim {
                name: &claim.name,
                condition,
                at: *at,
                sequence: *sequence,
            })
        }
        _ => None,
    });
    claims.collect()
}

/// A legal board, if one was found.
fn board(program: &Program, it: Interpreter<'_>, numbers: &mut Numbers) -> Option<Data> {
    (0..MOST_BOARDS).find_map(|_| {
        let bytes: Vec<u8> = (0..400).map(|_| numbers.next() as u8).collect();
        let mut board = position(&mut Unstructured::new(&bytes), program).ok()??;
        // Few boards are legal whose every field is random.
        for entity in &mut board.entities {
            let fields = &program.sorts[entity.sort].fields;
            for (held, field) in entity.fields.iter_mut().zip(fields) {
                let field = &program.fields[*field];
                // What always leads to an entity has no default.
                if !matches!(field.ty, Type::Entity(_)) && numbers.below(3) > 0 {
                    *held = field.default;
                }
            }
        }
        let data = Data::from_board(program, &board).0;
        let mut legals = program.legals.iter();
        legals
            .all(|legal| it.condition(&legal.condition, &data, Some(&data)) == Ok(true))
            .then_some(data)
    })
}

/// One random run; how many conditions were looked at on it.
fn run(it: Interpreter<'_>, board: &Data, claims: &[Claim<'_>], numbers: &mut Numbers) -> usize {
    let mut looked = 0;
    let mut look = |at: &[At], data: &Data| {
        for claim in claims.iter().filter(|claim| at.contains(&claim.at)) {
            looked += 1;
            assert_eq!(
                it.condition(claim.condition, data, Some(board)),
                Ok(true),
                "{} is violated by {data:?} from {board:?} under {:?}",
                claim.name,
                it.readings
            );
        }
    };
    let mut state = it.start(claims[0].sequence, &[], board.clone());
    for _ in 0..LONGEST_RUN {
        let notes;
        (state, notes) = match it.next(state) {
            Next::Step(after, notes) => (after, notes),
            Next::Choose(mut point) => {
                let at = numbers.below(point.alternatives.len());
                let taken = point.alternatives.swap_remove(at);
                (taken.state, taken.notes)
            }
            Next::Done(ended, _) => {
                match ended.tag {
                    Tag::End => look(&[At::End, At::Steps], &ended.data),
                    Tag::Win(_) | Tag::Loss(_) | Tag::Draw => look(&[At::Steps], &ended.data),
                    _ => {}
                }
                return looked;
            }
            Next::Consult(reading) => unreachable!("{reading:?} is fixed"),
        };
        look(&[At::Throughout], &state.data);
        let ended = |note: &Note| {
            matches!(note, Note::StepEnded(step, _)
            if it.program.steps[*step].sequence == claims[0].sequence)
        };
        if notes.iter().any(ended) {
            look(&[At::Steps], &state.data);
        }
    }
    looked
}

fn try_one(program: &Program, document: &Document, seed: u64) -> usize {
    let mut numbers = Numbers(seed);
    let mut readings = Readings::new();
    for (id, reading) in program.readings.iter() {
        let at = numbers.below(reading.alternatives.len());
        readings.insert(id, u16::try_from(at).unwrap());
    }
    let variant = Variant::default();
    let it = Interpreter {
        program,
        readings: &readings,
        variant: &variant,
    };
    let Some(board) = board(program, it, &mut numbers) else {
        return 0;
    };
    let mut claims = named(program, document);
    assert_eq!(
        claims.len(),
        document.named.len(),
        "an invariant has another name now"
    );
    claims.sort_by_key(|claim| claim.sequence);
    let groups = claims.chunk_by(|one, other| one.sequence == other.sequence);
    groups
        .map(|group| run(it, &board, group, &mut numbers))
        .sum()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn named_invariants_hold_on_random_large_boards(seed in any::<u64>()) {
        thread_local! {
            static PROGRAMS: [Program; DOCUMENTS.len()] = DOCUMENTS.each_ref().map(program);
        }
        PROGRAMS.with(|programs| {
            for (program, document) in programs.iter().zip(&DOCUMENTS) {
                try_one(program, document, seed);
            }
        });
    }
}

#[test]
fn random_boards_are_found_and_looked_at() {
    for document in DOCUMENTS {
        let program = program(&document);
        let looked: Vec<usize> = (0..40)
            .map(|seed| try_one(&program, &document, seed))
            .collect();
        let used = looked.iter().filter(|&&count| count > 3).count();
        assert!(
            used >= 10,
            "only {used} of 40 runs of {} looked at anything: {looked:?}",
            document.file
        );
    }
}

/// The search is able to fail: runs of this document do leave cards without health.
#[test]
#[should_panic(expected = "nobody_without_health_stays is violated")]
fn random_boards_refute_what_is_false() {
    let document = Document {
        named: &["nobody_without_health_stays"],
        ..GODS_UNCHAINED
    };
    let program = program(&document);
    // As many as the search above tries.
    for seed in 0..1500 {
        try_one(&program, &document, seed);
    }
}
