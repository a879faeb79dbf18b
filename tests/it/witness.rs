//! Witnesses that do not show what they say are refused, and files survive unrelated edits.

use std::sync::Arc;

use endstep::analysis::Options;
use endstep::exhaust::check;
use endstep::semantics::Key;
use endstep::source::SourceMap;
use endstep::typing::program::Program;
use endstep::verdict::{Results, fingerprint};
use endstep::witness::{LoadError, ReplayError, RunEnd, Witness, from_json, replay, to_json};

const GAME: &str = r#"game "Race"
entity Card, explore 2
  power: integer, explore 1 to 2
zone board of Card
var result: integer, explore 0 to 0, reach 0 to 9
sequence play
  step last_one_counts
    for each c: Card in board
      set result to c.power
"#;

fn program(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let id = sources.load("race.endstep", text.as_bytes()).unwrap();
    let file = endstep::syntax::parse(id, text).file;
    let (program, diagnostics) = endstep::typing::check(&[file]);
    program.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

fn results(program: &Program) -> Results {
    check(program, &Options::default(), &mut |_| {})
}

/// The witness that the order matters.
fn witness(results: &Results) -> Witness {
    let mut findings = results.findings.iter();
    let finding = findings.find(|one| one.code.id() == "F0201").unwrap();
    finding.witness.clone().unwrap()
}

/// What replaying says once a witness has been tampered with.
fn refused(change: impl FnOnce(&mut endstep::witness::Versus)) -> ReplayError {
    let program = program(GAME);
    let mut witness = witness(&results(&program));
    let Witness::Versus(versus) = &mut witness else {
        panic!("two orders are compared");
    };
    change(versus);
    replay(&program, &witness).unwrap_err()
}

#[test]
fn a_witness_that_is_not_true_is_refused() {
    let swapped = refused(|versus| {
        std::mem::swap(&mut versus.run, &mut versus.against);
        std::mem::swap(&mut versus.side, &mut versus.other);
    });
    assert_eq!(swapped, ReplayError::OtherOutcomes);
    let same = refused(|versus| {
        versus.run = versus.against.clone();
        versus.side = versus.other.clone();
    });
    assert_eq!(same, ReplayError::SameOutcome);
    let too_far = refused(|versus| versus.other.fixed = 5);
    assert_eq!(too_far, ReplayError::ChoicesLeft(4));
    let no_choice = refused(|versus| versus.run.choices.clear());
    assert!(matches!(
        no_choice,
        ReplayError::ChoiceMissing { taken: 0, .. }
    ));
    let other_end = refused(|versus| {
        if let RunEnd::Ended(ended) = &mut versus.run.end {
            Arc::make_mut(&mut ended.data).vars.clear();
        }
    });
    assert_eq!(other_end, ReplayError::EndsOtherwise);
}

/// A number that grows until it is 20, and is then kept from growing.
const GROWTH: &str = r#"game "Growth"
var n: integer, explore 0 to 0, reach 0 to 3
sequence play
  step grow
    repeat while n >= 0
      if n < 20
        increase n by 1
"#;

#[test]
fn growth_that_is_not_shown_is_refused() {
    let program = program(GROWTH);
    let found = results(&program);
    let growth = found.findings.iter().find(|one| one.code.id() == "F0505");
    let witness = growth.and_then(|one| one.witness.clone()).unwrap();
    replay(&program, &witness).unwrap();
    type Change<'a> = &'a dyn Fn(&mut u64, &mut u64, &mut Vec<Vec<Key>>);
    let refused = |change: Change<'_>| {
        let mut witness = witness.clone();
        if let Witness::Growth { run, later } = &mut witness
            && let RunEnd::Grows { stem, cycle } = &mut run.end
        {
            change(stem, cycle, later);
        }
        replay(&program, &witness).unwrap_err()
    };
    let too_few = refused(&|_, _, later| later.truncate(3));
    assert_eq!(too_few, ReplayError::NoGrowth);
    let too_many = refused(&|_, _, later| later.extend(vec![Vec::new(); 20]));
    assert_eq!(too_many, ReplayError::NoGrowth);
    let no_round = refused(&|_, cycle, _| *cycle += 1);
    assert_eq!(no_round, ReplayError::NoGrowth);
    let half_a_round = refused(&|_, cycle, _| *cycle = 1);
    assert_eq!(half_a_round, ReplayError::NoGrowth);
}

/// Two readings that differ in every order of the list. Fewer steps are taken if `pull` comes first.
const LIST: &str = r#"game "List"
var ready: boolean, starts false
var pulled: integer, explore 0 to 0, reach 0 to 9
var shown: integer, explore 0 to 0, reach 0 to 9
reading how_many
  one "one is shown"
  two "two are shown"
sequence play, steps unspecified
  step prepare
    set ready to true
  step pull
    if ready
      repeat while pulled < 5
        increase pulled by 1
  step show
    set shown to per how_many (one: 1 | two: 2)
"#;

#[test]
fn a_list_is_done_in_its_order_where_that_shows_the_same() {
    let program = program(LIST);
    let found = results(&program);
    let mut findings = found.findings.iter();
    let finding = findings.find(|one| one.subject == "how_many").unwrap();
    let Some(Witness::Versus(versus)) = &finding.witness else {
        panic!("two readings are compared");
    };
    let list = program
        .readings
        .iter()
        .find(|one| one.1.name == "play order");
    let in_order = Some(&0);
    assert_eq!(versus.run.readings.get(&list.unwrap().0), in_order);
    assert_eq!(versus.against.readings.get(&list.unwrap().0), in_order);
}

#[test]
fn a_file_still_fits_after_edits_that_have_nothing_to_do_with_it() {
    let before = program(GAME);
    let found = results(&before);
    let text = to_json(&before, &witness(&found));
    let edited = GAME
        .replace(
            "entity Card",
            "type Colour is one of red, blue\nvar shade: Colour, starts red\nentity Card",
        )
        .replace("c: Card in board", "card: Card in board")
        .replace("c.power", "card.power")
        .replace("game \"Race\"", "-- A comment.\n\n\ngame \"Race\"");
    let after = program(&edited);
    let read = from_json(&after, &text).unwrap();
    replay(&after, &read).unwrap();
    let prints = |program: &Program, results: &Results| -> Vec<String> {
        let findings = results.findings.iter();
        findings.map(|one| fingerprint(program, one)).collect()
    };
    assert_eq!(prints(&before, &found), prints(&after, &results(&after)));
}

#[test]
fn a_file_that_no_longer_fits_says_what_is_missing() {
    let before = program(GAME);
    let text = to_json(&before, &witness(&results(&before)));
    let renamed = program(&GAME.replace("power", "strength"));
    let missing = from_json(&renamed, &text).unwrap_err();
    assert_eq!(missing, LoadError::Unknown("field", "power".to_owned()));
    let message = missing.to_string();
    assert_eq!(message, "the specification has no field `power` any more");
    let fixed = program(&GAME.replace("set result to c.power", "set result to 1"));
    let message = from_json(&fixed, &text).unwrap_err().to_string();
    assert!(
        message.starts_with("the run ended in another position "),
        "{message}"
    );
    let ordered = program(&GAME.replace("in board\n", "in board, left to right\n"));
    let message = from_json(&ordered, &text).unwrap_err().to_string();
    assert!(message.contains("choices left"), "{message}");
    assert!(from_json(&before, "{}").is_err());
}

#[test]
fn the_same_program_gives_the_same_results() {
    let program = program(GAME);
    assert_eq!(results(&program), results(&program));
}
