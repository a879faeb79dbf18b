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

/// Two cards, of which the last one that is looked at prevails under one alternative of a reading; fewer of
/// the boards have two cards, or cards of which something is true.
const PARTLY: &str = r#"game "Partly"
entity Card, explore 0 to 2
  v: integer from 0 to 3
zone row of Card
var last: integer from 0 to 3, starts 0
var n: integer from 0 to 9, explore 0 to 1
reading r
  one "one"
  two "two"
clause s.1 (rule) at "1"
  says "Do it."
  sequence s, steps in any order
    step a
      for each c in row where c.v > 0
        depending on r
          when one
            increase n by 1, at most 9
          when two
            set last to c.v
    step b
      if n > 8
        set last to 2
verify s
claim o: order irrelevant in s.a
"#;

/// The options that leave something out, as they are written.
const LEFT_OUT: [[&str; 2]; 3] = [
    ["--reading", "r=one"],
    ["--scope", "Card.v=2"],
    ["--scope", "Card=1"],
];

#[test]
fn what_is_known_of_a_part_is_said_to_be_about_a_part() {
    let commands = [("order", ORDER), ("steps", STEPS)];
    for (at, option) in LEFT_OUT.iter().enumerate() {
        let written = option.join(" ");
        let sentence = format!("Only a part was explored: `{written}`.");
        for (name, command) in commands {
            let name = format!("partly-{name}-{at}");
            let text = printed(&name, PARTLY, &[command, option].concat());
            says(&text, &sentence);
            never_says(&text, "on any board in scope");
            never_says(&text, "of the sizes and values explored");
            let json = printed(
                &name,
                PARTLY,
                &[command, option, &["--format", "json"]].concat(),
            );
            says(&json, &format!("\"restrictions\": [ \"{written}\" ]"));
            let unchecked = [command, option, &["--no-check"]].concat();
            never_says(&printed(&name, PARTLY, &unchecked), "a part");
        }
        // Nothing of these rests on runs.
        let fields = [FIELDS, option].concat();
        never_says(&printed("partly-fields", PARTLY, &fields), "a part");
        for format in ["dot", "mermaid", "svg"] {
            let drawn = [STEPS, option, &["--format", format]].concat();
            says(
                &printed("partly-drawn", PARTLY, &drawn),
                "Only a part was explored",
            );
        }
    }
    let order = printed("partly-read", PARTLY, &[ORDER, &LEFT_OUT[0]].concat());
    says(
        &order,
        "no run of the part that was explored comes out differently",
    );
    let steps = printed("partly-shown", PARTLY, &[STEPS, &LEFT_OUT[0]].concat());
    says(
        &steps,
        "a can change places with b: last, n, no difference on any board that was tried",
    );
    // Of the whole, and with as many cards as there are at most, nothing is left out.
    for option in [&[][..], &["--scope", "Card=2"]] {
        for command in [ORDER, STEPS] {
            let text = printed("partly-whole", PARTLY, &[command, option].concat());
            never_says(&text, "Only a part");
        }
        let page = printed(
            "partly-page",
            PARTLY,
            &[&["report", "told.endstep"][..], option].concat(),
        );
        never_says(&page, "a part only");
    }
    let only = [ORDER, &["--only", "F0201"]].concat();
    says(
        &printed("partly-only", PARTLY, &only),
        "Other findings are not shown: `--only F0201`.",
    );
}

/// Boards that are explored have one card; the one that the prover suggests has two, but stops before
/// anything comes out differently.
const NEVER_TWO: &str = r#"game "Part2"
player Player, explore 1
entity Card, explore 0 to 2
  v: integer from 0 to 3, explore 0 to 3
zone row of Card
zone out of Card, starts empty
var n: integer from 0 to 9, explore 0 to 1
var last: integer from 0 to 3, starts 0
reading r
  one "one"
  two "two"
clause s.1 (rule) at "1"
  says "Do it."
  sequence s
    step a
      for each c in row where c.v > 0
        depending on r
          when one
            increase n by 1, at most 9
          when two
            set last to c.v
    step b
      for each c in row where c.v = 3, left to right
        set last to n
        set n to c.v
verify s up to Card = 1
claim o: order irrelevant in s.a
"#;

#[test]
fn of_a_claim_about_an_order_that_never_was_open_nothing_was_compared() {
    let text = NEVER_TWO;
    let order = printed("never-two", text, ORDER);
    says(&order, "o: exhausted, never two at once on 10 legal boards");
    never_says(&order, "o: exhausted, no difference");
    let json = printed("never-two", text, &[ORDER, &["--format", "json"]].concat());
    says(
        &json,
        "\"claim\": \"o\", \"evidence\": { \"contracts\": [], \"findings\": [], \"grade\": \"exhausted\", \"legal_boards\": 10, \
         \"legal_boards_at_most\": 10, \"observers\": [], \"places\": [], \"two_at_once\": false, \"why\": null } }",
    );
    // Where there are two, they are compared.
    let all = text.replace(" up to Card = 1", "");
    let one = [ORDER, &["--reading", "r=one"]].concat();
    let order = printed("ever-two", &all, &one);
    says(&order, "o: exhausted, no difference on 42 legal boards");
}
