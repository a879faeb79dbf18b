//! Changes that are suggested: with each of them a new check no longer finds what it is for.

use endstep::analysis::Options;
use endstep::driver::{self, Engine};
use endstep::lower::lower;
use endstep::typing::program::Program;
use endstep::verdict::{Change, Detail, Results};

use super::engines::compiled;
use super::machine::{Compared, Effort, compare};

const CARDS: &str = "game \"g\"\nentity Card, explore up to 2\n  health: integer, explore 0 to 1, reach -9 to 9\n\
                     zone board of Card\nzone row of Card, starts empty\n\
                     var score: integer, explore 0 to 1, reach -9 to 9\n\
                     var round: integer, reach -9 to 9, starts 1\n";

fn checked(text: &str) -> (Program, Results) {
    let program = compiled(text).unwrap_or_else(|| panic!("in error: {text}"));
    let options = Options {
        repairs: true,
        ..Options::default()
    };
    let checked = driver::check(&program, (&options, Engine::Fast), None, &mut |_| {});
    (program, checked.results)
}

/// What is suggested for the findings with a code.
fn suggested(program: &Program, results: &Results, code: &str) -> Vec<Option<String>> {
    let step = |id| &program.steps[id].name;
    let told = |change| match change {
        Change::Before(one, other) => format!("{} before {}", step(one), step(other)),
        Change::AsWritten(_) => "as written".to_owned(),
        Change::LeftToRight(_) => "left to right".to_owned(),
        Change::Reading(id, at) => {
            let reading = &program.readings[id];
            reading.alternatives[usize::from(at)].name.clone()
        }
        Change::Again(id) => format!("{} again", step(id)),
    };
    let of = |at: usize| {
        let repair = results.repairs.iter().find(|(finding, _)| *finding == at);
        repair.map(|(_, repair)| {
            assert!(repair.boards > 0);
            told(repair.change)
        })
    };
    let findings = results.findings.iter().enumerate();
    let findings = findings.filter(|(_, finding)| finding.code.id() == code);
    findings.map(|(at, _)| of(at)).collect()
}

fn suggestions(rest: &str, code: &str) -> Vec<Option<String>> {
    let (program, results) = checked(&format!("{CARDS}{rest}"));
    let found = suggested(&program, &results, code);
    assert!(!found.is_empty(), "no {code} in {:?}", results.findings);
    found
}

#[test]
fn one_step_before_another_settles_a_pair() {
    let list = "sequence cleanup, steps in any order\n  step one\n    set score to 1\n  step two\n    set score to 2\n  \
                step three\n    set round to 3\nverify cleanup\nclaim any_order: order irrelevant in cleanup\n";
    let first = Some("one before two".to_owned());
    assert_eq!(suggestions(list, "F0201"), std::slice::from_ref(&first));
    assert_eq!(suggestions(list, "F0610"), [first]);
}

#[test]
fn two_pairs_take_more_than_one_step_before_another() {
    // Whoever is last decides, among three.
    let list = "sequence cleanup, steps in any order\n  step one\n    set score to 1\n  step two\n    set score to 2\n  \
                step three\n    set score to 3\nverify cleanup\nclaim any_order: order irrelevant in cleanup\n";
    assert_eq!(suggestions(list, "F0610"), [Some("as written".to_owned())]);
}

#[test]
fn elements_are_taken_in_a_fixed_order() {
    let body = "sequence cleanup\n  step go\n    for each c in board, in any order\n      move c to bottom of row\nverify cleanup\n";
    assert_eq!(
        suggestions(body, "F0201"),
        [Some("left to right".to_owned())]
    );
}

#[test]
fn a_decision_is_left_alone_unless_it_is_claimed_to_make_no_difference() {
    let chosen = "player Player, explore 1\nvar active: Player\nsequence cleanup, steps in an order chosen by active\n  step one\n    set score to 1\n  step two\n    set score to 2\n\
                  verify cleanup\nclaim any_order: order irrelevant in cleanup\n";
    let first = Some("one before two".to_owned());
    assert_eq!(suggestions(chosen, "F0610"), [first]);
    assert_eq!(suggestions(chosen, "F0201"), [None]);
}

#[test]
fn a_missing_second_look_is_taken() {
    let steps = "sequence cleanup\n  step destroy\n    for each c in board where c.health <= 0, in any order\n      \
                 remove c\n  step hurt\n    for each c in board, in any order\n      decrease c.health by 1\nverify cleanup\n";
    assert_eq!(
        suggestions(steps, "F0702"),
        [Some("destroy again".to_owned())]
    );
}

#[test]
fn the_reading_that_leaves_the_fewest_findings_is_suggested() {
    let steps = "reading which\n  nothing_left \"a\"\n  all_left \"b\"\nsequence cleanup\n  step go\n    depending on which\n      \
                 when nothing_left\n        for each c in board, in any order\n          move c to bottom of row\n      \
                 when all_left\n        set round to 2\nverify cleanup\n";
    let (program, results) = checked(&format!("{CARDS}{steps}"));
    let codes: Vec<&str> = results.findings.iter().map(|one| one.code.id()).collect();
    let is_reading =
        |one: &&endstep::verdict::Finding| matches!(one.detail, Detail::Reading { .. });
    let code = results.findings.iter().find(is_reading).unwrap().code.id();
    assert_eq!(
        suggested(&program, &results, code),
        [Some("all_left".to_owned())],
        "{codes:?}"
    );
}

/// What a change would break beside the sequence itself: claims, and worked examples.
#[test]
fn nothing_is_suggested_that_breaks_a_claim_or_an_example() {
    let raised = "game \"g\"\nvar x: integer from 0 to 1\nsequence main\n  step raise\n    set x to 1\n  \
                  step lower\n    set x to 0\nverify main\n";
    let of = |rest: &str| {
        let (program, results) = checked(&format!("{raised}{rest}"));
        suggested(&program, &results, "F0702")
    };
    assert_eq!(of(""), [Some("raise again".to_owned())]);
    assert_eq!(of("claim low: must x = 0 after main\n"), [None]);
    assert_eq!(
        of("question low: must x = 0 after main\n"),
        [Some("raise again".to_owned())]
    );
    let example = "example low\n  given\n    x = 0\n  perform main\n  expect x = 0\n";
    assert_eq!(of(example), [None]);
}

/// Of two steps one goes before the other, if that breaks nothing; else the other before the one.
#[test]
fn the_order_is_suggested_with_which_a_claim_stays_true() {
    let text = "game \"g\"\nvar x: integer from 0 to 9, explore 0 to 0\nvar done: boolean, starts false\n\
                sequence main\n  step list\n    perform inner\n  step fin\n    set done to true\n\
                sequence inner, steps in any order\n  step a\n    set x to 1\n  step b\n    set x to 2\n\
                verify main\n";
    let of = |rest: &str| {
        let (program, results) = checked(&format!("{text}{rest}"));
        suggested(&program, &results, "F0201")
    };
    assert_eq!(of(""), [Some("a before b".to_owned())]);
    let can = "claim can: reachable done and x = 1 in main\n";
    assert_eq!(of(can), [Some("b before a".to_owned())]);
}

/// All boards on which it is gone are told, those of every scope in which it was found.
#[test]
fn the_boards_of_all_scopes_are_counted() {
    let text = "game \"g\"\nvar x: integer from 0 to 2\nsequence inner, steps in any order\n  step a\n    set x to 1\n  \
                step b\n    set x to 2\nverify inner where x = 0\nverify inner\n";
    let (program, results) = checked(text);
    assert_eq!(
        suggested(&program, &results, "F0201"),
        [Some("a before b".to_owned())]
    );
    let told: Vec<_> = results.repairs.iter().map(|(_, one)| one).collect();
    assert_eq!((told[0].boards, told[0].scopes), (4, 2));
}

/// The alternative with which the claims hold, not the first one with which it does not matter.
#[test]
fn the_reading_that_leaves_the_fewest_claims_broken_is_suggested() {
    let text = "game \"g\"\nvar score: integer, explore 0 to 2, reach -2 to 4, starts 2\nreading how\n  \
                strict \"strict\"\n  loose \"loose\"\nsequence main\n  step start\n    depending on how\n      \
                when strict\n        decrease score by 1\n      when loose\n        increase score by 1\n\
                verify main\n\
                claim never_less: invariant score >= 2 throughout main\n\
                claim more: invariant score > 1 at the end of main\n";
    let (program, results) = checked(text);
    let is_reading =
        |one: &&endstep::verdict::Finding| matches!(one.detail, Detail::Reading { .. });
    let code = results.findings.iter().find(is_reading).unwrap().code.id();
    assert_eq!(
        suggested(&program, &results, code),
        [Some("loose".to_owned())]
    );
}

/// Steps that wait for others: the packed machine and the interpreter offer the same ones.
#[test]
fn both_machines_make_steps_wait() {
    let text = format!(
        "{CARDS}sequence cleanup, steps in any order\n  step one\n    set score to 1\n  step two\n    set score to 2\n  \
         step three\n    set score to score + round\n  step four\n    set round to 3\nverify cleanup\n"
    );
    let mut program = compiled(&text).unwrap();
    let sequence = program.sequences.ids().next().unwrap();
    let steps = program.sequences[sequence].steps.clone();
    let mut compared = Compared::default();
    for pairs in [
        vec![(3, 0)],
        vec![(3, 2), (2, 1)],
        vec![(0, 1), (0, 2), (3, 1)],
    ] {
        let pairs = pairs
            .into_iter()
            .map(|(a, b): (usize, usize)| (steps[a], steps[b]));
        program.sequences[sequence].precedes = pairs.collect();
        let procedure = lower(&program).procedures[sequence].precedes.clone();
        assert_eq!(procedure, program.sequences[sequence].precedes);
        let effort = Effort {
            boards: 2,
            states: 200,
            assignments: 2,
        };
        compare(&program, effort, &mut compared);
    }
    assert!(compared.choices > 20 && compared.ends > 20, "{compared:?}");
}

#[test]
fn no_order_is_suggested_where_nothing_lies_in_one() {
    let of = |range: &str, order: &str| {
        format!(
            "zone heap of Card, unordered\nsequence cleanup\n  step go\n    for each c{range}{order}\n      \
             set score to c.health\nverify cleanup\n"
        )
    };
    for range in [" in heap", ": Card"] {
        assert_eq!(suggestions(&of(range, ""), "F0201"), [None]);
        let said = format!("{CARDS}{}", of(range, ", left to right"));
        assert_eq!(compiled(&said), None, "{said}");
    }
    let found = suggestions(&of(" in board", ""), "F0201");
    assert_eq!(found, [Some("left to right".to_owned())]);
    let said = format!("{CARDS}{}", of(" in board", ", left to right"));
    assert!(compiled(&said).is_some(), "{said}");
}

#[test]
fn listeners_are_ordered_only_if_all_of_them_lie_in_an_order() {
    let of = |zone: &str, more: &str| {
        format!(
            "zone heap of Card{zone}\nevent called, at once\ntrigger answers for each c: Card in heap, on called\n  \
             set score to c.health\ntrigger waits for each c: Card in {more}, on called\n  nothing\n\
             sequence cleanup\n  step go\n    announce called\nverify cleanup\n"
        )
    };
    let suggested = |zone: &str, more: &str| suggestions(&of(zone, more), "F0201");
    let left_to_right = Some("left to right".to_owned());
    assert!(suggested("", "heap").contains(&left_to_right));
    assert!(!suggested(", unordered", "heap").contains(&left_to_right));
    // Of two zones neither comes first.
    assert!(!suggested("", "board").contains(&left_to_right));
}
