//! What is said where a contract stands for the rules of a sequence, and where several sequences are asked.

use super::{never_says, says, told};

/// `mark` keeps its contract, and yet it makes a difference in which order it is performed.
const ORDERED: &str = r#"game "By contract"
entity Card, explore up to 2
  v: integer from 0 to 1
zone row of Card
var total: integer from 0 to 1, starts 0
var turn_of: optional Card, starts none
sequence mark
  contract
    changes total within 0 to 1
  step put
    if turn_of is not none
      set total to turn_of.v
sequence s
  step all_of_them
    for each c in row, in any order
      set turn_of to c
      perform mark
    set turn_of to none
verify s with mark by contract
verify mark
claim ord: order irrelevant in s
claim low: must total <= 1 after s
question one: reachable (total = 1 and row is not empty) in s
"#;

#[test]
fn what_was_compared_by_contract_is_not_said_of_the_rules() {
    let text = told(ORDERED);
    says(
        &text,
        "claim ord: in s no order that is left open makes a difference (with what the contract of mark \
         allows, of the values that were tried; with the rules themselves it may be otherwise)",
    );
    says(
        &text,
        "total is at most 1 (provided mark keeps its contract",
    );
    says(
        &text,
        "(the contract of mark: whatever it allows, of the values that were tried, counts as possible, even if the rules never do it)",
    );
}

#[test]
fn rules_that_a_contract_stands_for_are_not_dead() {
    let without = told(&ORDERED.replace(" with mark by contract", ""));
    says(&without, "F0610");
    never_says(&without, "F0703");
    never_says(&told(ORDERED), "F0703");
}

#[test]
fn an_answer_names_the_sequence_in_which_it_was_asked() {
    let text = told(
        r#"game "Day and night"
entity Card, explore 2
  v: integer from 0 to 1
zone row of Card
zone pile of Card, starts empty
sequence discard_all
  step away
    for each c in row, in any order
      move c to pile
sequence day
  step one
    perform discard_all
sequence night
  step one
    perform discard_all
  step two
    for each c in pile, left to right
      remove c
verify day
verify night
"#,
    );
    says(&text, "F0201");
    says(
        &text,
        "in night, the order does not matter in the step \"away\" of discard all",
    );
    never_says(&text, "in day, the order does not matter");
}

#[test]
fn what_rests_on_a_broken_contract_says_so() {
    let text = told(
        r#"game "Broken"
var score: integer from 0 to 3
var bad: boolean, starts false
sequence gain
  contract
    changes score within 0 to 3
    ensures score = old score + 1
  step g
    if score < 3
      increase score by 1
    otherwise
      set bad to true
sequence main
  step m
    perform gain
claim worse: reachable bad in main
verify gain
verify main with gain by contract
"#,
    );
    says(&text, "F0603");
    says(
        &text,
        "rests on: the contract of gain; that of gain is not kept (F0603), so that this need not be so",
    );
}
