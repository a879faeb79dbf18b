//! Sentences that were true in most cases of their kind, and not in all.

use std::fs;
use std::path::Path;

use endstep::analysis::Options;
use endstep::diag::Code;
use endstep::typing::program::Program;

use super::{Checked, never_says, printed, says, told};
use crate::folder::empty;
use crate::usage::endstep;

const BACK: &str = r#"game "Changed and changed back"
var tax: integer from 0 to 2, starts 0
sequence upkeep
  contract
    changes tax within 0 to 2
    ensures tax = old tax
  step grow
    increase tax by 1
  step shrink
    decrease tax by 1
verify upkeep
claim any: invariant tax < 2 throughout upkeep
"#;

#[test]
fn what_changes_back_could_have_broken_a_contract() {
    let text = told(BACK);
    says(&text, "F0613 it holds, and was hardly put to the test");
    says(
        &text,
        "Upkeep keeps its contract, but at every normal end all that it lists is as it was at the start.",
    );
    says(
        &text,
        "upkeep keeps its contract (at every normal end all that it lists is as it was at the start)",
    );
    never_says(&text, "could not have failed");
    never_says(&text, "ever changes");
    let kept = BACK.replace("  step shrink\n    decrease tax by 1\n", "");
    never_says(&told(&kept), "F0613");
}

/// Decreases of a supply at one moment.
fn taken(more: &str) -> String {
    format!(
        r#"game "Taken"
supply pool: integer from 0 to 3
sequence s
  step take
    simultaneously
      decrease pool by 1
{more}verify s
"#
    )
}

#[test]
fn one_sentence_alone_can_take_too_much() {
    for more in ["", "      decrease pool by 2\n"] {
        let text = told(&taken(more));
        says(&text, "F0303 more is taken than there is");
        says(
            &text,
            "In the step \"take\", more is taken from a supply than \
             it holds, and the document does not say what happens then.",
        );
        says(&text, "=> it stops, because more is taken than there is");
        never_says(&text, "wo things");
    }
    let torn = taken("      set pool to 0\n").replace("pool by 1", "pool by 0");
    never_says(&told(&torn), "F0303");
    let torn = taken("      set pool to 3\n").replace("decrease pool by 1", "set pool to 1");
    let text = told(&torn);
    says(&text, "F0303 the document says different things at once");
    says(&text, "different things are said at once");
    never_says(&text, "more is taken");
}

const BY_CONTRACT: &str = r#"game "By contract"
var tax: integer from 0 to 2, starts 0
var base: integer from 0 to 1
sequence upkeep
  contract
    changes tax within 0 to 2
  step grow
    increase tax by 1
sequence year
  step first
    set tax to base
  step second
    perform upkeep
"#;

#[test]
fn nothing_to_cover_is_no_lack_of_ends() {
    let testgen = ["testgen", "told.endstep", "--runs", "200"];
    let idle = printed(
        "testgen-idle",
        &format!("{BY_CONTRACT}verify year\n"),
        &testgen,
    );
    says(
        &idle,
        "nothing that can be covered is done in the runs that were found",
    );
    never_says(&idle, "no run was found that ends");
    let endless = "game \"Endless\"\nvar n: integer from 0 to 1\nlegal never: n > 1\nsequence s\n  step a\n    \
                   set n to 0\nverify s\n";
    let endless = printed("testgen-endless", endless, &testgen);
    says(&endless, "no run was found that ends");
}

#[test]
fn what_a_contract_leaves_open_is_no_list_of_steps() {
    let text = format!("{BY_CONTRACT}verify year with upkeep by contract\n");
    let text = printed("explore-contract", &text, &["explore", "told.endstep"]);
    says(&text, "where is chosen: what upkeep does, by its contract");
    never_says(&text, "the list of steps");
}

/// Why findings of a kind matter is said once for all of them, and so is what `explain` says.
#[test]
fn what_is_said_of_a_kind_is_true_of_each() {
    let odd = r#"game "Half"
player Player, explore 1
  gold: integer from 0 to 5, explore 0 to 3
var n: integer from 0 to 2, starts 0
sequence s
  restart when n = 1
    cancel at once
    unfinished lost
    before restarting
      increase n by 1
  step count
    for each p: Player
      if n = 0
        increase n by 1
  step halve
    for each p: Player
      set p.gold to half of p.gold
verify s
claim some_gold: must (every p: Player has p.gold > 1) after s
"#;
    let folder = empty("whys");
    fs::write(folder.join("told.endstep"), odd).unwrap();
    endstep(&["report", "told.endstep", "-o", "site"], &folder);
    let mut pages = String::new();
    gather(&folder.join("site"), &mut pages);
    says(&pages, "The rule cannot be followed as it stands");
    says(&pages, "it is done only if something comes to it again");
    says(&pages, "Players rely on what is claimed");
    never_says(&pages, "asks for something that is not there");
    never_says(&pages, "its own rules do not bear it out");
    let of = |code: &str| {
        let text = Code::find(code).unwrap().explanation();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    never_says(&of("F0701"), "nothing brings them back");
    never_says(&of("F0405"), "however the game goes");
    says(&of("F0405"), "that stop or never end");
    says(&of("F0505"), "may end it");
    says(&of("F0610"), "the specification claims of it");
    says(&of("F0703"), "Where a contract stands for a sequence");
}

/// The text of all pages in a folder.
fn gather(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            gather(&path, text);
        } else if path.extension().is_some_and(|end| end == "html") {
            text.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn boards_that_a_condition_leaves_out_are_not_said_to_have_been_tried() {
    let game = |more: &str| {
        format!(
            "game \"Left out\"\nvar n: integer from 0 to 3\nsequence s\n  step x\n    set n to 0\n{more}"
        )
    };
    let all = "Holds in scope: every board of these sizes and every run was tried";
    says(&told(&game("verify s\n")), all);
    for (more, conditions) in [
        ("verify s where n < 1\n", "the `where` of its `verify`"),
        ("verify s\nexplore only low: n < 1\n", "`explore only`"),
        (
            "verify s where n < 1\nexplore only low: n < 2\n",
            "`explore only` and the `where` of its `verify`",
        ),
    ] {
        let text = told(&game(more));
        says(
            &text,
            &format!(
                "Holds in scope: every board of these sizes that meets {conditions}, and every run from it, \
                 was tried"
            ),
        );
        never_says(&text, all);
    }
}

#[test]
fn what_an_example_fixes_was_tried_under_nothing_else() {
    let game = |readings: &str| {
        format!(
            r#"game "Fixed"
var x: integer from 0 to 3
reading heal
  one "one"
  two "two"
reading who
  ann "ann"
  bob "bob"
sequence s
  step a
    if heal is one
      set x to 1
    if heal is two and who is bob
      set x to 2
verify s
example e
  given
    x = 0
{readings}  perform s
  expect x = 0
"#
        )
    };
    let text = told(&game("  reading heal is one\n"));
    says(
        &text,
        "the board of the example, under heal = one, which the example fixes size:",
    );
    let text = told(&game("  reading heal is two\n"));
    let given =
        "the board of the example, under heal = two, which the example fixes, only if who = bob";
    says(&text, given);
    let text = told(&game("  reading who is ann\n"));
    says(
        &text,
        "the board of the example, under who = ann, which the example fixes, only if heal = one",
    );
}

#[test]
fn arrows_between_places_are_no_writes_of_the_first() {
    let text = r#"game "Drawn"
entity Card, explore up to 2
zone hand of Card
zone pile of Card, starts empty
sequence s
  step a
    for each c in hand, in any order
      move c to top of pile
verify s
"#;
    let graph = |kind: &str| {
        let arguments = ["graph", "told.endstep", "--no-check", "--kind", kind];
        printed(&format!("graph-{kind}"), text, &arguments)
    };
    let fields = graph("fields");
    says(
        &fields,
        "feeds: what is in the second may depend on the first",
    );
    never_says(&fields, "what the first writes");
}

/// On one board more witnesses than are looked at, and no board with fewer entities.
#[test]
fn many_witnesses_on_a_board_are_no_reason_for_a_smaller_one() {
    let text = r#"game "Three to choose, three steps"
player Player, explore 3
  n: integer from 0 to 3, starts 0
entity Token, explore 0 to 3
zone heap of Token, unordered
zone mat of Token per Player, starts empty
var last_one: optional Player, starts none
reading tie
  low "the first"
  high "the last"
  neither "nobody"
sequence round, steps in any order
  step take
    for each p: Player, in any order
      if heap is not empty
        choose t in heap by p
        move t to mat(p)
        set last_one to p
  step count_them
    for each p: Player, in player order
      set p.n to size of mat(p)
  step crown
    if last_one is not none
      depending on tie
        when low
          increase last_one.n by 1, at most 3
        when high
          set last_one.n to 3
        when neither
          leave round
verify round
"#;
    let text = told(text);
    says(
        &text,
        "comes first in the step \"take\", and it makes a difference",
    );
    says(&text, "size: no smaller board in scope shows it");
    never_says(&text, "there may be a smaller one");
}

const WRITTEN: &str = r#"game "Written"
player Player, explore 1 to 2
  gold: integer from 0 to 3
var price: integer from 0 to 3
sequence buy
  step pay
    for each p: Player where p.gold >= price
      decrease p.gold by price
verify buy
claim pos: invariant every p: Player has p.gold >= 0 at the end of buy
"#;

/// The report with so many players at most.
fn with_players(text: &str, most: u32) -> String {
    let program: Program = Checked::of(text, &Options::default()).program;
    let mut sorts = program.sorts.iter();
    let (player, _) = sorts.find(|(_, sort)| sort.name == "Player").unwrap();
    let options = Options {
        sizes: vec![(player, most)],
        ..Options::default()
    };
    Checked::of(text, &options).text()
}

#[test]
fn boards_that_an_option_leaves_out_were_not_checked() {
    let part = "Holds in the part that was checked: every one of its boards and runs was tried";
    let all = "Holds in scope: every board of these sizes and every run was tried";
    let none = "claims on none of the boards that the file writes down";
    let fewer = with_players(WRITTEN, 1);
    says(&fewer, part);
    never_says(&fewer, none);
    says(&with_players(WRITTEN, 3), all);
    let written = format!("{WRITTEN}board dear\n  Player ann, bob\n  price = 3\n");
    let text = with_players(&written, 1);
    says(&text, part);
    says(&text, none);
    never_says(&text, all);
    // All that are explored have no more.
    let text = with_players(&written, 3);
    says(&text, all);
    never_says(&text, none);
    never_says(&told(&written), none);
}

/// A board that the prover suggests is one board: under other readings another may show the same.
#[test]
fn a_single_board_says_nothing_of_other_readings() {
    let text = r#"game "Beyond"
player Player, explore 1
  gold: integer from 0 to 3, explore 0 to 1
reading r
  a "a"
  b "b"
sequence s
  step gain
    for each p: Player, in any order
      increase p.gold by per r (a: 1 | b: 2)
verify s
claim any_order: order irrelevant in s
"#;
    let text = printed("beyond", text, &["check", "told.endstep"]);
    says(&text, "found on: a board that the prover suggested");
    says(
        &text,
        "F0610 a claim of the document is not true, at least under one reading of the text",
    );
    says(&text, "other readings may have one, too");
    never_says(&text, "is not true if the text is read in one way");
}
