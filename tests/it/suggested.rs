//! Boards outside of the scope that the prover suggests: what they show is told, and nothing else.

use std::collections::BTreeSet;

use endstep::analysis::Options;
use endstep::driver::{Suggestions, orders, suggested};
use endstep::explore;
use endstep::lower::lower;
use endstep::order::{Evidence, Pair, matrix, overlooking};
use endstep::typing::program::{Program, SortId, Value};
use endstep::verdict::{Minimality, Outcome, Question, Results, Verdict, fingerprint};
use endstep::witness::replay;

use super::engines::{LIMITS, compiled, random};
use super::orders::numbers;

const CARD: &str = "entity Card, explore up to 2\n  health: integer, explore 0 to 5\n\
    zone board of Card\nzone heap of Card\nvar score: integer, explore 0 to 1, reach -99 to 99\n";

const ZERO: &str = "    set score to 0";

/// Two steps in any order, and whether that is claimed to make no difference.
fn two(data: &str, first: &str) -> String {
    format!(
        "game \"g\"\n{data}sequence cleanup, steps in any order\n  step first\n{first}\n  step second\n{ZERO}\n\
         claim any_order: order irrelevant in cleanup\n"
    )
}

fn program(text: &str) -> Program {
    compiled(text).unwrap_or_else(|| panic!("in error: {text}"))
}

/// What a check says of a program without suggestions.
fn explored(program: &Program, options: &Options) -> Results {
    let mut results = explore::check(program, options, &mut |_| {});
    let found = orders((program, &lower(program)), Some(&results));
    results.overlooked = found.overlooked;
    results.proofs = found.proofs;
    results
}

/// What comes of the suggestions about a program, and the results with them.
fn tried(program: &Program) -> (Suggestions, Results) {
    let options = Options::default();
    let mut results = explored(program, &options);
    assert!(results.findings.iter().all(|one| one.outside.is_none()));
    let account = suggested(program, &options, &mut results);
    (account, results)
}

/// The verdict on the first claim.
fn claimed(results: &Results) -> &Verdict {
    &results.answers[0].verdict
}

/// What a board that was suggested says of the cards and their health.
fn healths(results: &Results) -> Vec<i64> {
    let mut suggested = results.findings.iter().filter(|one| one.outside.is_some());
    let board = &suggested.next().unwrap().witness.as_ref().unwrap().runs()[0].board;
    let health = |value: &Value| match value {
        Value::Int(number) => *number,
        value => panic!("{value:?}"),
    };
    let entities = board.entities.iter();
    entities.map(|one| health(&one.fields[0])).collect()
}

#[test]
fn a_value_that_is_not_explored_refutes_a_claim() {
    let first = "    if some c: Card in board has c.health > 7\n      increase score by 1";
    for bound in ["integer", "integer from 0 to 30"] {
        let program = program(&two(
            &CARD.replace(
                "integer, explore 0 to 5",
                &format!("{bound}, explore 0 to 5"),
            ),
            first,
        ));
        let before = explored(&program, &Options::default());
        assert_eq!(*claimed(&before), Verdict::HoldsInScope);
        let (account, results) = tried(&program);
        assert_eq!(*claimed(&results), Verdict::Refuted);
        assert_eq!(
            healths(&results),
            [8],
            "one card, and nothing larger than needed"
        );
        assert_eq!((account.boards, account.legal, account.found), (1, 1, 2));
        for at in &results.answers[0].findings {
            let finding = &results.findings[*at];
            assert!(finding.outside.is_some() && finding.scope.is_none());
            assert_eq!(finding.minimality, Minimality::BestEffort);
            assert!(replay(&program, finding.witness.as_ref().unwrap()).is_ok());
        }
        // The pair of steps is refuted as well.
        let matrix = matrix(
            (&program, &lower(&program)),
            Some(&results),
            &results.proofs,
        );
        let rows = matrix.points.iter().flat_map(|point| &point.rows);
        let steps = rows.filter(|row| matches!(row.pair, Pair::Steps(..)));
        let steps: Vec<_> = steps.map(|row| &row.evidence).collect();
        assert!(matches!(steps[..], [Evidence::Refuted(_)]), "{steps:?}");
    }
    // Values outside of the document's bound are none.
    let program = program(&two(
        &CARD.replace(
            "integer, explore 0 to 5",
            "integer from 0 to 7, explore 0 to 5",
        ),
        first,
    ));
    let (account, results) = tried(&program);
    assert_eq!(*claimed(&results), Verdict::HoldsInScope);
    assert_eq!(account, Suggestions::default());
}

#[test]
fn a_number_of_cards_that_is_not_explored_refutes_a_claim() {
    let text = two(CARD, "    if size of board > 2\n      increase score by 1");
    let (account, results) = tried(&program(&text));
    assert_eq!(*claimed(&results), Verdict::Refuted);
    assert_eq!(healths(&results), [0, 0, 0]);
    assert_eq!((account.boards, account.found), (1, 2));
    // The document knows no third.
    let text = text.replace(
        "entity Card, explore up to 2",
        "entity Card from 0 to 2, explore up to 2",
    );
    let (account, results) = tried(&program(&text));
    assert_eq!(*claimed(&results), Verdict::HoldsInScope);
    assert_eq!(account.boards, 0);
}

#[test]
fn a_board_that_is_not_legal_tells_nothing() {
    let first =
        "    if (count of c: Card in board where c.health > 7) > 1\n      increase score by 1";
    let lone =
        |condition: &str| format!("{CARD}legal alone: every c: Card in board has {condition}\n");
    // What is before another is not told in terms, so that the prover suggests what is not legal.
    let untold = lone("neighbour before c is none or c.health < 6");
    let (account, results) = tried(&program(&two(&untold, first)));
    assert_eq!(*claimed(&results), Verdict::HoldsInScope);
    assert!(account.boards > 0, "{account:?}");
    assert_eq!((account.legal, account.found), (0, 0));
    // This is told.
    let told = lone("c.health < 6");
    let (account, _) = tried(&program(&two(&told, first)));
    assert_eq!((account.pairs, account.boards), (1, 0));
    // The same board, legal.
    let (_, results) = tried(&program(&two(CARD, first)));
    assert_eq!(*claimed(&results), Verdict::Refuted);
}

#[test]
fn a_board_from_which_no_run_comes_to_the_data_tells_nothing() {
    let first = "    if some c: Card in board has c.health > 7\n      increase score by 1";
    let round = |mends: &str| {
        let round = format!(
            "sequence round\n  step mend\n    for each c: Card in board\n      if c.health > 7\n        {mends}\n  \
             step rest\n    perform cleanup\nverify round\n"
        );
        two(CARD, first).replace("in cleanup\n", "in round\n") + &round
    };
    let (account, results) = tried(&program(&round("set c.health to 7")));
    assert_eq!(*claimed(&results), Verdict::HoldsInScope);
    assert!(account.legal > 0, "{account:?}");
    assert_eq!(account.found, 0);
    let (account, results) = tried(&program(&round("set c.health to 9")));
    assert_eq!(*claimed(&results), Verdict::Refuted);
    assert_eq!(account.boards, 1);
}

#[test]
fn who_asks_for_some_boards_only_gets_no_others() {
    let program = program(&two(
        CARD,
        "    if size of board > 2\n      increase score by 1",
    ));
    let options = Options {
        sizes: vec![(SortId(0), 1)],
        ..Options::default()
    };
    let mut results = explored(&program, &options);
    let before = results.clone();
    assert_eq!(
        suggested(&program, &options, &mut results),
        Suggestions::default()
    );
    assert_eq!(results, before);
}

/// The program says where the board comes from, and plays it again.
#[test]
fn reports_say_that_a_board_was_suggested() {
    let folder = std::env::temp_dir().join(format!("endstep-suggested-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("three.endstep");
    let text = two(CARD, "    if size of board > 2\n      increase score by 1");
    std::fs::write(&file, text).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = crate::endstep();
        let output = command
            .current_dir(&folder)
            .args(arguments)
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let told = run(&["check", "three.endstep"]);
    let note = "found on: a board that the prover suggested, outside of the explored scope";
    assert_eq!(told.matches(note).count(), 2, "{told}");
    assert!(!told.contains("occurs on"), "{told}");
    let report: serde_json::Value =
        serde_json::from_str(&run(&["check", "--format", "json", "three.endstep"])).unwrap();
    let findings = report["specifications"][0]["findings"].as_array().unwrap();
    let suggested = findings.iter().filter(|one| one["suggested"] == true);
    let suggested: Vec<_> = suggested.collect();
    assert_eq!(suggested.len(), 2);
    for finding in suggested {
        assert!(finding["legal_boards"].is_null());
        let print = finding["fingerprint"].as_str().unwrap();
        let played = run(&["replay", "three.endstep", print]);
        let same = "replayed: the interpreter comes to the same";
        assert!(played.contains(same), "{played}");
    }
    let orders = run(&["order", "three.endstep"]);
    assert!(orders.contains("refuted"), "{orders}");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Z3 answers with other data if it was asked something else before.
#[test]
fn suggestions_do_not_depend_on_what_was_asked_before() {
    let text = two(
        CARD,
        "    for each c in board where c.health > 7\n      set score to c.health",
    );
    let first = tried(&program(&text)).1;
    assert!(first.findings.iter().any(|one| one.outside.is_some()));
    for number in 0..12 {
        tried(&compiled(&random(number)).unwrap());
    }
    assert_eq!(tried(&program(&text)).1.findings, first.findings);
}

#[test]
fn what_is_reached_on_it_is_reachable() {
    let text = "game \"g\"\nvar x: integer, explore 0 to 5\nvar n: integer, explore 0 to 1, reach -99 to 99\n\
                sequence s, steps in any order\n  step a\n    if x > 40\n      set n to 7\n  step b\n    \
                set n to 0\nclaim r: reachable n = 7 in s\nclaim never: unreachable n = 7 in s\n";
    let (_, results) = tried(&program(text));
    let verdicts: Vec<&Verdict> = results.answers.iter().map(|one| &one.verdict).collect();
    assert_eq!(verdicts[..2], [&Verdict::Shown, &Verdict::Refuted]);
    let codes: Vec<&str> = results.findings.iter().map(|one| one.code.id()).collect();
    assert_eq!(
        codes.iter().filter(|code| **code == "F0610").count(),
        1,
        "{codes:?}"
    );
}

/// Whichever of them the prover thought of.
#[test]
fn a_board_speaks_of_every_sequence_that_can_come_to_the_two_things() {
    let pair = "    if some c: Card in board has c.health > 7\n      increase score by 1";
    let mut text = two(CARD, pair).replace("claim any_order: order irrelevant in cleanup\n", "");
    // The first two take fewer steps, and do not show it.
    for (name, more) in [
        ("one", "set score to 0"),
        ("other", "set score to 0"),
        ("late", "nothing"),
        ("later", "nothing"),
    ] {
        text += &format!(
            "sequence {name}\n  step a\n    perform cleanup\n  step b\n    {more}\n\
             verify {name}\nclaim of_{name}: must score = 0 after {name}\n"
        );
    }
    let (account, results) = tried(&program(&text));
    let verdicts = |is: fn(&Question) -> bool| -> Vec<&Verdict> {
        let answers = results.answers.iter().filter(|one| is(&one.subject));
        answers.map(|one| &one.verdict).collect()
    };
    let (holds, refuted) = (&Verdict::HoldsInScope, &Verdict::Refuted);
    let claims = verdicts(|one| matches!(one, Question::Claim(_)));
    assert_eq!(claims, [holds, holds, refuted, refuted], "{account:?}");
    // The order of the two steps in each of them: what is known of one speaks against the others, too.
    let steps = verdicts(|one| matches!(one, Question::Steps(..)));
    assert_eq!(steps, [holds, holds, refuted, refuted]);
}

/// Nothing is told without a replay, nothing of what is proved, and nothing that was known is lost.
#[test]
fn what_is_suggested_of_random_specifications_is_replayed() {
    let (mut boards, mut legal, mut found, mut asked) = (0, 0, 0, 0);
    for number in numbers("SUGGESTED", 2500) {
        let program = compiled(&random(number)).unwrap();
        let options = Options {
            limits: LIMITS,
            ..Options::default()
        };
        let mut results = explored(&program, &options);
        let before = results.clone();
        let account = suggested(&program, &options, &mut results);
        asked += account.pairs;
        boards += account.boards;
        legal += account.legal;
        found += account.found;
        println!("number {number} {account:?}");
        let (new, old): (Vec<_>, Vec<_>) = results
            .findings
            .iter()
            .partition(|one| one.outside.is_some());
        let prints = |all: &[&endstep::verdict::Finding]| -> BTreeSet<String> {
            all.iter().map(|one| fingerprint(&program, one)).collect()
        };
        assert_eq!(account.found > 0, !new.is_empty());
        assert!(prints(&new).is_disjoint(&prints(&old)));
        let known: Vec<_> = before.findings.iter().collect();
        assert!(prints(&old).is_subset(&prints(&known)));
        for finding in &new {
            assert!(replay(&program, finding.witness.as_ref().unwrap()).is_ok());
        }
        for (at, answer) in results.answers.iter().enumerate() {
            let all = answer.findings.iter().map(|&at| &results.findings[at]);
            let all: Vec<_> = all.collect();
            match before.answers.get(at) {
                // On one board it can be reached, after all.
                Some(was) if was.verdict != answer.verdict && answer.verdict == Verdict::Shown => {
                    assert!(replay(&program, answer.witness.as_ref().unwrap()).is_ok());
                }
                Some(was) if was.verdict == Verdict::Refuted => {
                    let known = was.findings.iter().map(|&at| &before.findings[at]);
                    let known: Vec<_> = known.collect();
                    assert!(prints(&known).is_subset(&prints(&all)), "{answer:?}");
                }
                Some(was) if was.verdict == answer.verdict => {}
                _ => assert!(
                    answer.verdict == Verdict::Refuted
                        && all.iter().any(|one| one.outside.is_some())
                ),
            }
        }
        // Proved and refuted is a panic.
        let same = overlooking(&lower(&program), &results.overlooked);
        let matrix = matrix((&program, &same), Some(&results), &results.proofs);
        let rows = matrix.points.iter().flat_map(|point| &point.rows);
        for row in rows {
            assert!(!matches!(row.unproved, Some(Outcome::Proved(_))));
        }
    }
    println!("asked {asked}, boards {boards}, legal {legal}, found {found}");
    assert!(
        boards >= 3 && legal >= 2 && found >= 1,
        "{asked} {boards} {legal} {found}"
    );
}
