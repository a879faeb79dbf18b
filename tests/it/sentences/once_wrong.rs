//! Sentences that were once not true, or said something else than they meant.

use endstep::analysis::Options;

use super::{Checked, never_says, printed, says, told};

/// A step with an order that the document fixes, and more in it.
fn fixed(more: &str) -> String {
    format!(
        r#"game "Fixed"
entity Card, explore up to 2
  a: integer from 0 to 9, explore 0 to 1
  seen: boolean, starts false
zone table of Card
var total: integer from 0 to 99, explore 0 to 1
document d "d"
  clause d.1 (claim) at "1"
    says "It makes no difference in which order the cards are counted."
    claim any_order: order irrelevant in s.t
  clause d.2 (rule) at "2"
    says "From left to right, double the total and add the number of the card."
    sequence s
      step t
        for each c: Card in table, left to right
          increase total by total + c.a
{more}"#
    )
}

#[test]
fn an_order_that_is_fixed_is_named_beside_a_claim_about_open_ones() {
    let matters = "the order that the document fixes in the step \"t\", at `for each c: Card in table, \
                   left to right` (told.endstep:15) matters: F0203)";
    let alone = told(&fixed(""));
    says(
        &alone,
        &format!("(no run tried for it comes to two things whose order is open; {matters}"),
    );
    says(
        &alone,
        "no run tried for it ever comes to two things in the step \"t\" whose order is left open",
    );
    says(
        &alone,
        "what was checked: in the step \"t\" no order that is left open makes a difference",
    );
    let beside = told(&fixed(
        "        for each c: Card in table\n          set c.seen to true\n",
    ));
    never_says(&beside, "F0613");
    says(&beside, &format!("are counted ({matters}"));
}

#[test]
fn what_follows_is_told_of_a_reading_by_what_it_means() {
    let text = r#"game "Tie"
entity M, explore 2
  a: integer from 0 to 9, explore 2 to 4
  b: boolean, starts false
zone field of M
document d "d"
  clause d.1 (rule) at "1"
    says "x"
    reading tie
      more "more than three"
      at_least "at least three"
    sequence s
      step t
        repeat while some m: M in field has per tie (more: m.a > 3 | at_least: m.a >= 3)
          for each m: M in field, left to right
            set m.b to not m.b
"#;
    let both =
        "(a) More than three. Then it ends normally. (b) At least three. Then it never ends.";
    says(&told(text), both);
    // However the alternatives are listed, each end stands with its own.
    let turned = text
        .replace(
            "      more \"more than three\"\n      at_least \"at least three\"\n",
            "      at_least \"at least three\"\n      more \"more than three\"\n",
        )
        .replace(
            "per tie (more: m.a > 3 | at_least: m.a >= 3)",
            "per tie (at_least: m.a >= 3 | more: m.a > 3)",
        );
    let both =
        "(a) At least three. Then it never ends. (b) More than three. Then it ends normally.";
    says(&told(&turned), both);
}

#[test]
fn what_follows_is_told_of_an_order_by_what_comes_first() {
    let text = told(
        r#"game "Ends"
entity Card, explore 1
zone deck of Card
zone hand of Card, starts empty
zone tomb of Card, starts empty
sequence s, steps in any order
  basis text
  step draw
    if hand is empty
      move top of deck to hand
  step burn
    move all of deck to tomb
verify s
"#,
    );
    says(
        &text,
        "The steps \"draw\" and \"burn\" of s may be done in either order",
    );
    let ends = |name: &str, end: &str| format!("With \"{name}\" first, {end}");
    says(&text, &ends("draw", "it ends normally."));
    says(&text, &ends("burn", "it stops, because "));
    never_says(&text, "In one case");
}

#[test]
fn what_moves_at_once_is_told_in_the_order_of_its_arrival() {
    let text = told(
        r#"game "Together"
entity Card, explore 3
zone row of Card
zone pile of Card, starts empty
sequence s
  basis text
  step a
    simultaneously
      for each c: Card in row
        move c to bottom of pile
verify s
"#,
    );
    let mut seen = 0;
    for first in 1..=3 {
        let Some((_, after)) = text.split_once(&format!("With card {first} first s: a")) else {
            continue;
        };
        seen += 1;
        let (run, _) = after.split_once("=> ").unwrap();
        let moves = |card: u8| {
            run.find(&format!("card {card} moves from row to pile"))
                .unwrap()
        };
        let others = (1..=3).filter(|one| *one != first);
        assert!(
            others.into_iter().all(|one| moves(first) < moves(one)),
            "{run}"
        );
    }
    assert_eq!(seen, 2, "{text}");
}

#[test]
fn an_order_that_somebody_chooses_is_not_called_open() {
    let text = told(
        r#"game "t"
player Player, explore 1
  hp: integer from 0 to 9, explore 1 to 2
var owner: Player
sequence outer
  step go
    basis text
    perform inner
sequence inner, steps in an order chosen by owner
  step add
    basis text
    increase owner.hp by 1
  step double
    basis text
    set owner.hp to 2 * owner.hp
verify outer
"#,
    );
    says(&text, "F0201 the order matters, and a player chooses it");
    says(
        &text,
        "Player 1 chooses which of the steps \"add\" and \"double\" of inner comes first.",
    );
    never_says(&text, "does not fix it");
    never_says(&text, "its order binds");
}

#[test]
fn a_claim_about_ends_says_that_runs_without_one_do_not_count() {
    let text = |more: &str| {
        format!(
            r#"game "Many"
var a: integer from 0 to 9, starts 0
var b: integer from 0 to 9, starts 0
entity Card, explore up to 1
zone deck of Card
zone hand of Card, starts empty
sequence s
  basis text
  step one
    increase a by 1
{more}    move top of deck to hand
{more}    increase b by 1
verify s
claim as_many: invariant a = b at the end of s
claim as_many_then: must a = b after s
claim never_more: invariant a >= b throughout s
"#
        )
    };
    let note = "(runs that stop or never end do not count: F0302)";
    let stops = told(&text(""));
    says(
        &stops,
        &format!("claim as_many: at the end of s, a is b {note}"),
    );
    says(
        &stops,
        &format!("claim as_many_then: after s, a is b {note}"),
    );
    says(&stops, "claim never_more");
    assert_eq!(stops.matches(note).count(), 2, "{stops}");
    never_says(&told(&text("--")), "do not count");
}

#[test]
fn what_a_restart_drops_is_not_said_to_be_done_by_nothing() {
    let text = told(
        r#"game "Again"
entity Card, explore up to 2
  hurt: boolean
zone board of Card
zone pile of Card, starts empty
var worn: boolean
sequence cleanup
  basis text
  restart when worn
    cancel at end of step
    unfinished lost
    before restarting
      set worn to false
  step mark
    nothing
  step bury
    for each c: Card in board where c.hurt
      move c to pile
  step look
    nothing
verify cleanup
"#,
    );
    says(
        &text,
        "When cleanup is cancelled, it does not keep what was still waiting (in the run below, for the step \
         \"bury\"). That gets its turn only if something comes to it again. The step \
         \"look\" was still to be done; another pass, if one comes to it, does it like any other.",
    );
}

#[test]
fn a_no_is_never_listed_among_what_holds() {
    let text = r#"game "t"
var n: integer from 0 to 9, starts 0
sequence s
  step go
    basis text
    set n to 1
verify s
question two: reachable n = 2 in s
"#;
    let mut checked = Checked::of(text, &Options::default());
    says(&checked.text(), "the answer to a question is no");
    // As with `--only F0201`.
    checked.results.findings.clear();
    for answer in &mut checked.results.answers {
        answer.findings.clear();
    }
    never_says(&checked.text(), "question two");
}

#[test]
fn a_reading_that_was_fixed_is_no_condition_of_a_value() {
    let text = "game \"g\"\nvar n: integer from 0 to 9, explore 0 to 1\nreading r\n  one \"one\"\n  two \"two\"\n\
                sequence s\n  step a\n    if r is one\n      increase n by 3\n    otherwise\n      \
                increase n by 1\nquestion q: largest n after s\n";
    let fixed = printed(
        "fixed-value",
        text,
        &["check", "told.endstep", "--reading", "r=two"],
    );
    says(&fixed, "n is 2 at most after s, as on this board");
    never_says(&fixed, "only if r = two");
    let open = printed("open-value", text, &["check", "told.endstep"]);
    says(&open, "n is 4 at most after s (only if r = one)");
}

#[test]
fn what_a_board_of_the_file_names_is_called_so() {
    let text = "game \"g\"\nentity Card, explore up to 1\n  p: integer from 0 to 9, explore 0 to 1\n\
                zone row of Card\nsequence s\n  step a\n    for each c in row, left to right\n      \
                increase c.p by 1\nboard big\n  Card zoe in row with p = 7\n\
                claim small: must every c in row has c.p < 5 after s\n";
    let all = printed("zoe", text, &["check", "told.endstep"]);
    says(&all, "p of zoe: from 7 to 8");
    never_says(&all, "card 1");
}
