//! What is said where a contract stands for the rules of a sequence, and where several sequences are asked.

use super::{never_says, printed, says, told};

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

/// By its rules pay does nothing, and no order matters.
const PAID: &str = r#"game "Paid"
var n: integer from 0 to 9, starts 0
var k: integer from 0 to 9, starts 0
reading r
  x "x"
  y "y"
sequence pay
  basis text
  contract
    changes n within 0 to 2
  step a
    nothing
sequence turn, steps in any order
  basis text
  step p
    perform pay
  step q
    set k to n
  step last
    if n > 1 and r is y
      set k to 3
verify turn with pay by contract
verify pay
question x: order irrelevant in turn
claim m: invariant k < 2 throughout turn
"#;

#[test]
fn what_a_finding_that_is_left_out_rests_on_is_told() {
    let allows = "(by what the contract of pay allows)";
    let only = |command: &'static str, name: &str| {
        printed(name, PAID, &[command, "told.endstep", "--only", "pay"])
    };
    let orders = only("order", "by-contract-order");
    says(
        &orders,
        &format!("x: refuted by a finding that is left out here {allows}"),
    );
    says(
        &orders,
        &format!("p & q: refuted by a finding that is left out here {allows}"),
    );
    says(&orders, "by the rules or by what a contract allows");
    let drawn = only("graph", "by-contract-graph");
    says(
        &drawn,
        &format!("with q: a finding that is left out here {allows}"),
    );
    let page = only("report", "by-contract-report");
    says(
        &page,
        &format!("it matters which, by a finding that is left out here {allows}"),
    );
    let counts = "refuted (the contract of pay: whatever it allows, of the values that were tried, counts as possible";
    assert_eq!(page.matches(counts).count(), 2, "{page}");
    // With the rules themselves nothing is refuted, or it is what they do.
    let rules = PAID
        .replace(" with pay by contract", "")
        .replace("    nothing\n", "    set n to 1\n");
    let arguments = ["order", "told.endstep", "--only", "pay"];
    let orders = printed("by-contract-rules", &rules, &arguments);
    says(
        &orders,
        "p & q: refuted by a finding that is left out here;",
    );
    never_says(&orders, allows);
}

#[test]
fn what_was_not_looked_at_because_of_an_option_is_not_said_to_be_unverified() {
    let text = r#"game "Beside"
entity Card, explore 2
zone row of Card
zone bin of Card, starts empty
var n: integer from 0 to 9, starts 0
sequence pay
  basis text
  contract
    changes n within 0 to 2
  step a
    increase n by 1
sequence turn
  basis text
  step p
    perform pay
  step q
    for each c in row
      move c to bin
verify turn with pay by contract
verify pay
claim m: must row is empty after turn
"#;
    let text = printed(
        "by-contract-only",
        text,
        &["order", "told.endstep", "--only", "m"],
    );
    says(
        &text,
        "unknown, nothing was looked at but what `--only` names",
    );
    never_says(&text, "nothing that is verified comes to it");
}
