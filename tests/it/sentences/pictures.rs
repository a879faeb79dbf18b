//! What `order` and `graph` say of orders that are not open, of what influences a claim, and of what undoes what.

use super::{never_says, printed, says};

const ORDER: &[&str] = &["order", "told.endstep"];
const STEPS: &[&str] = &["graph", "told.endstep"];
const FIELDS: &[&str] = &["graph", "told.endstep", "--kind", "fields"];

/// Two steps of which the later one prevails, in a list with this heading.
fn listed(heading: &str) -> String {
    format!(
        "game \"Listed\"\nvar n: integer from 0 to 9, starts 0\nsequence s, {heading}\n  step a\n    set n to 1\n  \
         step b\n    set n to 2\nverify s\nclaim o: order irrelevant in s\n"
    )
}

#[test]
fn what_chance_decides_was_not_compared() {
    let text = listed("steps in an order chosen by chance");
    let order = printed("order-chance", &text, ORDER);
    says(
        &order,
        "Orders that are not left open the list of steps of s (told.endstep:3), by chance",
    );
    says(&order, "a & b: decided, by chance; both concern n");
    says(
        &order,
        "o: exhausted, never two at once whose order is open on 1 legal board",
    );
    never_says(&order, "no difference");
    never_says(&order, "leaves open");
    let steps = printed("steps-chance", &text, STEPS);
    says(
        &steps,
        "cannot be said to change places with b: n, not known to make no difference",
    );
    never_says(&steps, "makes no difference");
    never_says(&steps, "order is open");
}

#[test]
fn a_reading_that_is_fixed_from_outside_leaves_nothing_open() {
    let text = listed("steps unspecified");
    let fixed = |command: &[&'static str]| [command, &["--reading", "s order=binding"]].concat();
    let order = printed("order-fixed", &text, &fixed(ORDER));
    says(
        &order,
        "a & b: decided, under s order = binding (nothing else was looked at)",
    );
    never_says(&order, "no difference");
    let steps = printed("steps-fixed", &text, &fixed(STEPS));
    says(&steps, "a writes to the same data as b: n");
    never_says(&steps, "change places");
    says(
        &printed("order-free", &text, ORDER),
        "a & b: refuted by F0202",
    );
}

#[test]
fn what_the_document_puts_in_order_was_not_compared() {
    let text = r#"game "Listeners"
entity Card, explore 0 to 2
zone row of Card
var n: integer from 0 to 99, starts 1
queue q, by priority
event now, at once, listeners left to right
event soon, in q
trigger dbl for each c: Card in row, on now
  set n to n * 2
trigger inc on now
  increase n by 1
trigger add for each c: Card in row, on now
  increase n by 2
trigger high on soon, priority 1
  set n to n * 2
trigger low on soon, priority 0
  increase n by 1
sequence s
  step a
    announce now
sequence t
  step a
    announce soon
    resolve q
verify s
verify t
"#;
    let order = printed("order-listeners", text, ORDER);
    says(&order, "dbl & inc: decided, by the document");
    says(&order, "high & low: decided, by the document");
    says(&order, "dbl & add: refuted by F0201");
    never_says(&order, "never two at once on");
}

#[test]
fn what_happens_at_once_has_no_order() {
    let text = "game \"At once\"\nplayer Player, explore 2\n  gold: integer from 0 to 1\nvar n: integer from 0 to 9, \
                starts 0\nsequence s\n  step a\n    simultaneously\n      for each p: Player\n        set n to \
                p.gold\nverify s\n";
    let order = printed("order-at-once", text, ORDER);
    says(&order, "Nothing has an order that is in question.");
}

#[test]
fn an_order_that_nobody_tried_is_unknown() {
    let text = r#"game "By position"
entity Card, explore 2
  v: integer from 0 to 1
zone row of Card
var n: integer from 0 to 9, starts 0
sequence s
  step a
    for each c in row, left to right, live by position
      set n to c.v
verify s
"#;
    let order = printed("order-untried", text, ORDER);
    says(
        &order,
        "one Card & another Card: unknown, no other order was tried",
    );
    never_says(&order, "never two at once");
}

#[test]
fn all_that_two_sequences_do_influences_whether_they_are_equivalent() {
    let text = r#"game "Fields"
var mode: integer from 0 to 3
var x: integer from 0 to 1
var z: integer from 0 to 1
sequence aa
  step s
    nothing
sequence bb
  step s
    if mode = 3
      set x to 1
claim eqv: equivalent aa, bb where mode > 1
"#;
    let fields = printed("fields-equivalent", text, FIELDS);
    says(&fields, "z cannot influence \"eqv\"; the other 2 of 3 may.");
    never_says(&fields, "Nothing but mode");
}

#[test]
fn what_is_tied_by_the_rules_of_legality_influences() {
    let text = r#"game "Tied"
var x: integer from 0 to 3
var y: integer from 0 to 1
var z: integer from 0 to 1
legal tied: x = y
sequence aa
  step s
    increase x by 0
    set z to 1
claim low: invariant x < 2 at the end of aa
"#;
    let fields = printed("fields-tied", text, FIELDS);
    says(&fields, "z cannot influence \"low\"; the other 2 of 3 may.");
    let loose = text.replace("legal tied: x = y\n", "");
    says(
        &printed("fields-loose", &loose, FIELDS),
        "Nothing but x can influence \"low\" (1 of 3).",
    );
}

#[test]
fn a_step_undoes_what_the_run_of_the_finding_shows_it_to_undo() {
    let text = r#"game "Undo"
entity Card, explore 0 to 1, headroom 1
  health: integer from 0 to 5, explore 0 to 1
zone row of Card
zone pile of Card, starts empty
sequence turn
  step kill
    for each c: Card in row where c.health = 0, left to right
      move c to pile
  step heal
    for each c: Card in row
      increase c.health by 1, at most 5
  step born
    create Card in row with health = 0
verify turn
"#;
    let steps = printed("steps-undo", text, STEPS);
    says(
        &steps,
        "heal writes to the same data as born: health of Card born can undo kill:",
    );
    never_says(&steps, "writes the same as");
}
