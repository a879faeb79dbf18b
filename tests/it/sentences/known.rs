//! Sentences say no more than is known: of the values, boards, runs and readings that were tried.

use super::{never_says, printed, says, told};

/// Three readings of a step, which fail in ways of their own.
fn three(lines: &str) -> String {
    format!(
        r#"game "Three"
var x: integer from 0 to 5, starts 0
reading a
  one "first"
  two "second"
  three "third"
sequence s
  step first
    depending on a
      when one
        set x to 1
      when two
        set x to 3
      when three
        declare draw
board b
  x = 0
example e
  on b
  perform s
{lines}"#
    )
}

#[test]
fn how_one_reading_breaks_an_example_is_not_said_of_the_others() {
    let after = told(&three("  after s.first expect x = 1\n"));
    says(
        &after,
        "comes out only if the reading \"a\" is taken as \"first\". In the run below, ",
    );
    never_says(&after, "If not, ");
    let end = told(&three("  expect outcome draw\n"));
    says(
        &end,
        "is taken as \"third\". In the run below, it ends normally, and what was",
    );
    // No run shows that there is none: so it is under each of them.
    let possible = told(&three("  expect possible x = 1\n"));
    says(&possible, "If not, no run ends with this: x is 1.");
    let offered = told(&three("  choose \"take\"\n"));
    says(
        &offered,
        "in the run below, it comes to its end without a choice at which \"take\" is offered",
    );
}

#[test]
fn of_a_contract_only_the_values_that_were_tried_are_spoken_of() {
    let text = told(
        r#"game "Stuck"
var y: integer from 0 to 2, explore 0 to 1
sequence pay
  contract
    changes y
    ensures y = old y + 1
  step a
    increase y by 1
sequence day
  step m
    perform pay
verify pay
verify day with pay by contract
"#,
    );
    says(&text, "F0604 no value that was tried meets a contract");
    says(
        &text,
        "No values that were tried for what pay may change make its contract true.",
    );
    says(&text, "nothing that was tried meets the contract of pay");
    says(
        &text,
        "rests on: the contract of pay: whatever it allows, of the values that were tried, counts",
    );
}

/// Somebody or something has to turn up before the players can stop.
fn luck(chance: &str, players: u32) -> String {
    format!(
        r#"game "Luck"
player Player, explore {players}
var done: boolean, starts false
sequence s
  step a
    repeat until done
      choose number n from 0 to 1 by {chance}
      if n = 1
        for each p: Player, in player order
          may by p "stop"
            set done to true
verify s
"#
    )
}

#[test]
fn the_class_of_a_loop_is_that_of_a_point_on_the_way() {
    let both = told(&luck("nobody in particular", 2));
    says(
        &both,
        "S can come to a point from which it can go on for ever: an order, a value or a choice",
    );
    says(
        &both,
        "S can come to a point from which it can go on for ever, but need not: from there player 1 can bring it \
         to an end, whatever all others do.",
    );
    let by_chance = told(&luck("chance", 1));
    says(
        &by_chance,
        "with luck it can be brought to an end, but player 1 cannot make sure of it.",
    );
    never_says(&by_chance, "unless chance ends it");
    let page = printed(
        "known-luck",
        &luck("chance", 1),
        &["report", "told.endstep"],
    );
    never_says(&page, "Only luck ends it");
    never_says(&page, "as long as they like");
}

#[test]
fn demands_are_at_odds_under_the_readings_of_the_board_below() {
    let text = told(
        r#"game "Read"
player Player, explore 1
var x: integer from 0 to 3, starts 0
var active: Player
reading r
  a "one"
  b "two"
sequence s
  step t
    depending on r
      when a
        may by active "more"
          set x to 1
      when b
        set x to 2
verify s
claim c1: must x > 0 after s
claim c2: must x != 1 after s
"#,
    );
    says(
        &text,
        "F0405 demands that cannot be kept together, though any fewer can, if the text is read in one way",
    );
    says(
        &text,
        "From the board below, as the text is read there, s can end in 2 ways",
    );
    says(
        &text,
        "in the second c2 is not met. Such a board was found only if the reading \"r\" is taken as \"one\".",
    );
}

#[test]
fn what_compares_data_reads_what_is_written() {
    let text = r#"game "Stable"
var z: integer from 0 to 2
sequence s
  step a
    repeat until stable
      set z to 1
verify s
"#;
    let text = printed("known-written", text, &["check", "told.endstep"]);
    says(
        &text,
        "only bounds see it, and what compares data (outcomes, `until stable`, contracts)",
    );
}

#[test]
fn the_grade_of_what_was_compared_names_what_leaves_boards_out() {
    let game = |only: &str| {
        format!(
            r#"game "Order"
entity Card, explore 0 to 2
  h: integer from 0 to 1
zone row of Card
zone pile of Card, starts empty
{only}sequence s
  step one
    for each c in row
      repeat while c is in row and c.h = 1
        move c to bottom of pile
verify s
"#
        )
    };
    let less = game("explore only low: every c: Card has c.h = 0\n");
    let page = printed("known-page", &less, &["report", "told.endstep"]);
    says(
        &page,
        "boards that the file writes down, or that the prover suggested, need not meet them:",
    );
    let less = printed("known-order", &less, &["order", "told.endstep"]);
    says(
        &less,
        "no run from any board of the sizes and values explored that meets `explore only` comes out differently",
    );
}

#[test]
fn where_no_order_was_open_a_proof_speaks_of_more_than_was_tried() {
    let text = r#"game "None"
entity Card, explore 0 to 1
  h: integer from 0 to 2, explore 0 to 1
zone row of Card
sequence s
  step a
    for each c in row
      set c.h to 1
claim k: order irrelevant in s
verify s
"#;
    let page = printed("known-proved", text, &["report", "told.endstep"]);
    says(
        &page,
        "proved (of what was tried: no run tried for it comes to two things whose order is open): where an order is open, \
         neither touches what the other changes",
    );
}

/// On some boards a run leaves the bounds of exploration.
const GIVEN_UP: &str = r#"game "Up"
entity Card, explore 0 to 2
  h: integer, explore 0 to 1, reach 0 to 1
zone row of Card
var x: integer from 0 to 9, explore 0 to 1
sequence s
  step a
    if size of row = 2
      for each c in row
        increase c.h by 1
claim k: invariant x = 0 at the end of s
verify s
"#;

#[test]
fn no_board_is_smaller_than_one_below_which_all_is_known() {
    let text = told(GIVEN_UP);
    says(&text, "runs from 6 boards were given up");
    says(&text, "size: no smaller board in scope shows it");
    never_says(&text, "there may be a smaller one");
}

#[test]
fn what_was_not_seen_is_told_with_its_reason() {
    let page = printed("known-open", GIVEN_UP, &["report", "told.endstep"]);
    says(&page, "1 question is open, because a limit was reached.");
    says(
        &page,
        "what else can happen in s: runs from 6 boards were given up",
    );
}

#[test]
fn runs_that_are_given_up_are_not_compared_by_a_campaign() {
    let text = r#"game "Bound"
entity Card, explore 2
  h: integer, explore 0 to 1, reach 0 to 1
zone row of Card
sequence s
  step a
    for each c in row
      increase c.h by 1
verify s
"#;
    let arguments = ["fuzz", "--runs", "100", "--jobs", "1", "told.endstep"];
    let text = printed("known-suspected", text, &arguments);
    says(
        &text,
        "Suspected: the runs of these boards are too many to tell, or some were given up s leaves the bounds of \
         exploration; whether it ends is not known from that",
    );
    never_says(&text, "differ only in orders");
}

/// Of what comes in the place of something else there is no more than before.
#[test]
fn what_is_created_is_not_said_to_become_more() {
    let text = r#"game "Renewed"
entity Card, explore 1, headroom 2
zone row of Card
zone bin of Card, starts empty
sequence turn
  basis text
  step q
    for each c in row
      remove c
      create Card as k in bin
verify turn
"#;
    let arguments = ["fuzz", "--runs", "1000", "--jobs", "1", "told.endstep"];
    let text = printed("known-renewed", text, &arguments);
    says(
        &text,
        "turn leaves the bounds of exploration because it creates more Card than `headroom` allows; whether it ends is not \
         known from that",
    );
}

#[test]
fn a_vector_is_made_where_the_first_alternatives_go_round_in_a_circle() {
    let text = r#"game "Spin"
player Player, explore 1
var coin: boolean, starts false
var active: Player
sequence spin
  step a
    repeat until coin
      may by active "stop"
        set coin to true
verify spin
"#;
    let text = printed(
        "known-vectors",
        text,
        &["testgen", "--exhaust", "told.endstep"],
    );
    says(&text, "\"branch spin/a/may#1: not done\"");
    says(&text, "\"not_covered\": []");
}

/// What can be reached on a board of the file only, and an `accept` too many.
const WRITTEN: &str = r#"game "Written"
var x: integer from 0 to 9, explore 0 to 1
sequence s
  step a
    if x > 2
      gap far
board high
  x = 7
verify s
question seven: reachable x = 7 in s
question two: reachable x = 2 in s
accept F0611 because "known"
accept F0611 at two because "known"
"#;

#[test]
fn what_a_board_of_the_file_shows_is_not_said_of_the_scope() {
    let text = printed("known-shown", WRITTEN, &["check", "told.endstep"]);
    says(
        &text,
        "question seven: in s it can happen that x is 7 (on the board \"high\" that the file writes down; from the \
         start, before anything is done)",
    );
}

#[test]
fn an_accept_is_not_said_to_cover_nothing_where_another_takes_its_finding() {
    let text = printed("known-accept", WRITTEN, &["check", "told.endstep"]);
    says(
        &text,
        "No longer found, or not needed accept F0611 (told.endstep:13) covers nothing that another one does not",
    );
}

#[test]
fn a_witness_from_a_board_that_is_not_legal_any_more_is_no_finding() {
    let folder = crate::folder::empty("known-legal");
    let game = |more: &str| {
        format!(
            "game \"G\"\nvar x: integer from 0 to 3\n{more}sequence s\n  step a\n    if x > 0\n      gap g\nverify s\n"
        )
    };
    std::fs::write(folder.join("g.endstep"), game("")).unwrap();
    let saved = ["check", "--save-witnesses", "w", "g.endstep"];
    crate::usage::endstep(&saved, &folder);
    let all = std::fs::read_dir(folder.join("w")).unwrap();
    let gap = all
        .map(|one| one.unwrap().file_name().into_string().unwrap())
        .find(|name| name.starts_with("F0301"))
        .unwrap();
    let gap = format!("w/{gap}");
    let replayed = |code| {
        let output = crate::usage::endstep(&["replay", &gap], &folder);
        assert_eq!(output.status.code(), Some(code));
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(replayed(0).ends_with("the interpreter comes to the same\n"));
    std::fs::write(folder.join("g.endstep"), game("legal low: x = 0\n")).unwrap();
    says(
        &replayed(1),
        "but its board is not legal, so a check does not look at it",
    );
}

#[test]
fn names_that_differ_at_their_ends_alone_are_told_apart() {
    let text = told(
        r#"game "Ends"
reading who_goes
  none_ "nobody"
  some_ "somebody"
var x: integer from 0 to 3, starts 0
sequence s
  step count_it_
    if who_goes is none_
      set x to 1
verify s
"#,
    );
    says(&text, "who goes = none_ who goes = some_");
    says(&text, "s: count it_");
}

#[test]
fn what_has_one_of_all_values_is_said_in_english() {
    let text = told(
        r#"game "Kinds"
type Kind is one of red, blue
entity Card, explore 1
  k: Kind
zone row of Card
sequence s
  step a
    nothing
verify s
claim all: invariant every k: Kind has some c: Card has c.k = k at the end of s
"#,
    );
    says(&text, "for every Kind, some Card has that Kind as its k");
}

#[test]
fn a_conflict_that_matters_does_so_on_some_board() {
    let text = told(
        r#"game "At once"
entity Card, explore 3
  h: integer from 0 to 2
zone row of Card
var x: integer from 0 to 3, starts 0
sequence s
  step a
    simultaneously
      for each c: Card in row
        set x to c.h
verify s
"#,
    );
    says(
        &text,
        "Different things are said at once in the step \"a\": on some board it \
         comes out differently depending on which one is followed.",
    );
}

#[test]
fn what_is_explained_can_be_written_so() {
    let explained = |code| printed("known-explain", "", &["explain", code]);
    let rule = explained("E0115");
    says(
        &rule,
        "unfinished per leftover (forgotten: lost | kept: carried)",
    );
    let text = r#"game "Again"
reading leftover
  forgotten "it is lost"
  kept "it is kept"
var x: integer from 0 to 3, starts 0
sequence s
  restart when x = 1
    cancel at end of step
    unfinished per leftover (forgotten: lost | kept: carried)
  step a
    increase x by 1
verify s
"#;
    never_says(&told(text), "error");
    says(&explained("E0303"), "`previous … where` can be `none`");
    says(&explained("E0418"), "no more than 64 can be (E0114)");
    says(&explained("F0203"), "where things lie, or who comes first");
}

/// Two sequences, of which the other one creates cards: as many as the headroom allows.
fn compared(headroom: u32) -> String {
    format!(
        r#"game "Compared"
entity Card, explore 0 to 2, headroom {headroom}
zone row of Card
var n: integer from 0 to 3, explore 0 to 3
sequence a
  basis text "p1"
  step x
    if size of row = 2
      set n to 0
sequence b
  basis text "p2"
  step x
    if size of row < 2
      may by nobody in particular
        set n to 3 - n
      otherwise
        create Card in row
        create Card in row
verify a
claim eq: equivalent a, b
"#
    )
}

#[test]
fn boards_on_which_only_the_other_sequence_was_given_up_count_for_neither_side() {
    let some = told(&compared(1));
    says(&some, "at least 3 of 12 legal boards");
    says(
        &some,
        "not all smaller boards were tried: one of them may show it",
    );
    says(&some, ", as far as it was seen: some boards were given up");
    never_says(&some, "no smaller board");
    let all = told(&compared(3));
    says(&all, "11 of 12 legal boards");
    never_says(&all, "at least 11");
    says(&all, "no smaller board in scope shows it");
}

#[test]
fn a_claim_whose_second_run_was_given_up_leaves_others_exact() {
    let all = told(&(compared(1) + "claim low: invariant n < 2 at the end of a\n"));
    says(&all, "at least 3 of 12 legal boards");
    says(&all, "occurs on: 4 of 12 legal boards");
}

#[test]
fn why_other_values_are_not_known_is_said_as_it_is() {
    let text = r#"game "Far"
var n: integer from 0 to 3, explore 0 to 1
var m: integer from 0 to 3, starts 0
sequence s
  basis text "p1"
  step one
    if n = 0
      gap nobody_says
    if n > 1
      set m to 9223372036854775807 + n
verify s
"#;
    let text = printed("undecided", text, &["check", "told.endstep"]);
    says(&text, "not known, because not everything could be tried: n");
}
