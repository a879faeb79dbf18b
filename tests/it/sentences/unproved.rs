//! What was once said to be proved, and is not so: each specification holds on the boards that it explores, and with
//! more of them it does not.

use super::{never_says, printed, says};

/// A specification that explores little, what has to be replaced for it to show what is wrong, and the code of that.
struct Case {
    name: &'static str,
    text: String,
    wider: (&'static str, &'static str),
    code: &'static str,
    /// What must not be said to be proved.
    claim: &'static str,
}

const ALIKE: &str = "both ways of the reading \"r\" play alike: whatever depends on it";

const ANY_ORDER: &str =
    "in a no order that is left open makes a difference: where an order is open";

/// Two readings that differ in what a step does.
fn of_readings(name: &'static str, body: &str, wider: (&'static str, &'static str)) -> Case {
    let text = format!(
        "game \"g\"\nplayer P, explore 2\n  c: integer from 0 to 5, explore 0 to 0\nvar act: P\nvar b: P\n\
         var n: integer from 0 to 9, explore 5 to 5\nreading r\n  one \"a\"\n  two \"b\"\n\
         sequence sub(p: P)\n  basis text\n  step go\n    choose one by p\n      option \"x\" where n < 5\n        \
         set n to 1\n      option \"y\"\n        set n to 9\n\
         sequence a\n  basis text\n  step go\n{body}\nverify a\n"
    );
    Case {
        name,
        text,
        wider,
        code: "F040",
        claim: ALIKE,
    }
}

/// An iteration over cards.
fn of_orders(name: &'static str, body: &str, wider: (&'static str, &'static str)) -> Case {
    let text = format!(
        "game \"g\"\nplayer P, explore 2\n  h: integer from 0 to 5, starts 3\nentity Card, explore 0 to 1\n  \
         x: integer from 0 to 5, explore 0 to 1\n  z: boolean\n  o: P\nzone row of Card, unordered\nrole champ: P\n\
         var n: integer from 0 to 90, starts 0\n\
         sequence a\n  basis text\n  step go\n{body}\nverify a\nclaim c: order irrelevant in a\n"
    );
    Case {
        name,
        text,
        wider,
        code: "F0201",
        claim: ANY_ORDER,
    }
}

fn cases() -> Vec<Case> {
    let cards = ("explore 0 to 1\n  x", "explore 2 to 3\n  x");
    vec![
        of_readings(
            "a passed turn is not nothing",
            "    for each p: P, in player order from act, until all pass\n      if p.c = 0\n        pass\n      \
             otherwise\n        decrease p.c by 1\n        depending on r\n          when one\n            \
             nothing\n          when two\n            pass",
            ("explore 0 to 0", "explore 0 to 2"),
        ),
        of_readings(
            "who chooses one",
            "    choose one by (per r (one: act | two: b))\n      option \"x\" where n < 5\n        set n to 1\n      \
             option \"y\"\n        set n to 9",
            ("explore 5 to 5", "explore 4 to 5"),
        ),
        of_readings(
            "who chooses in what is performed",
            "    perform sub(per r (one: act | two: b))",
            ("explore 5 to 5", "explore 4 to 5"),
        ),
        of_readings(
            "who chooses last",
            "    for each p: P, per r (one: in player order from act | two: in reverse player order from act)\n      \
             choose one by p\n        option \"on\"\n          set n to 1 - n\n        option \"off\"\n          nothing",
            (
                "player P, explore 2\n  c: integer from 0 to 5, explore 0 to 0\nvar act: P\nvar b: P\n\
                 var n: integer from 0 to 9, explore 5 to 5",
                "player P, explore 3\n  c: integer from 0 to 5, explore 0 to 0\nvar act: P\nvar b: P\n\
                 var n: integer from 0 to 9, explore 0 to 1",
            ),
        ),
        of_orders(
            "an element passes the turn",
            "    for each p: P where p.h > 0, in player order, until all pass\n      decrease p.h by 1\n      \
             set n to 0\n      for each c in row, in any order\n        if c.x = n\n          pass\n        \
             increase n by 1",
            cards,
        ),
        of_orders(
            "nobody is left to choose the next",
            "    for each c in row, in an order chosen by champ\n      if c.z\n        set champ to none",
            cards,
        ),
        of_orders(
            "a rank gets lost",
            "    for each c in row, largest (if n = 0 then 0 else half of 1) first, live\n      if c.z\n        \
             set n to 1",
            cards,
        ),
        of_orders(
            "nobody is left to count from",
            "    for each c in row, in player order of c.o from champ, live\n      if c.z\n        set champ to none",
            cards,
        ),
    ]
}

#[test]
fn what_more_boards_refute_is_not_proved() {
    for case in cases() {
        let said = printed(
            "unproved",
            &case.text,
            &["check", "told.endstep", "--prove"],
        );
        assert!(!said.contains("error["), "{}: {said}", case.name);
        let proved = said.split("Proved: ").nth(1).unwrap_or_default();
        let proved = proved.split("Holds in scope: ").next().unwrap_or_default();
        never_says(proved, case.claim);
        let wider = case.text.replace(case.wider.0, case.wider.1);
        assert_ne!(wider, case.text, "{}", case.name);
        let said = printed("unproved", &wider, &["check", "told.endstep", "--prove"]);
        says(&said, case.code);
    }
}

/// A reading that makes no difference to what is done, in a sequence with an observer and what its step promises.
fn read_two_ways(observer: &str, more: &str, promise: &str) -> String {
    format!(
        "game \"g\"\nentity Card, explore up to 1\n  h: integer from 0 to 9, explore 0 to 1\nzone row of Card\nvar n: \
         integer from 0 to 9, explore 0 to 1\nreading r\n  one \"it is seen\"\n  two \"it is seen, but for a 9\"\n\
         {more}observer o \"what the text means\"\n  sees {observer}\nsequence s\n  basis text\n  step a\n    let y = \
         per r (one: 1 | two: 2)\n{promise}verify s observing o\n"
    )
}

#[test]
fn ways_to_read_what_is_seen_or_promised_are_not_proved_to_play_alike() {
    let told = |name: &str, text: &str| printed(name, text, &["check", "told.endstep", "--prove"]);
    let proved = "both ways of the reading \"r\" play alike: whatever depends on it does the same either way";
    says(&told("seen-alike", &read_two_ways("n", "", "")), proved);
    let two = "per r (one: n | two: if n = 9 then 0 else n)";
    let of_card = "per r (one: c.h | two: if c.h = 9 then 0 else c.h)";
    let define = format!("define seen = {two}\n");
    let ensures = "    ensures n divided by per r (one: 1 | two: if n = 9 then 0 else 1) >= 0\n";
    let observed = [
        ("seen-otherwise", two.to_owned(), "", ""),
        ("seen-by-definition", "seen".to_owned(), define.as_str(), ""),
        ("seen-by-kind", format!("c in row by {of_card}"), "", ""),
        (
            "seen-where",
            format!("c in row where {of_card} > 0 by c.h"),
            "",
            "",
        ),
        ("promised", "n".to_owned(), "", ensures),
    ];
    for (name, observer, more, promise) in observed {
        let text = told(name, &read_two_ways(&observer, more, promise));
        says(&text, "Holds in scope");
        never_says(&text, proved);
    }
}

#[test]
fn ways_that_let_others_be_chosen_are_not_proved_to_play_alike() {
    let text = |filter: &str| {
        format!(
            "game \"g\"\nplayer Player, explore 1\nentity Card, explore 0\n  h: integer from 0 to 3\nzone row of \
             Card\nvar x: integer from 0 to 9, explore 0 to 0\nvar active: Player\nreading r\n  one \"one\"\n  two \
             \"two\"\ndefine ok(d: Card) = r is two\nsequence s\n  basis text\n  step a\n    choose c: Card where \
             {filter} by active\n    set x to 1\n"
        )
    };
    let filters = [
        "r is two",
        "r is two and c.h = 0",
        "ok(c)",
        "per r (one: x = 0 | two: x >= 0)",
    ];
    for filter in filters {
        let options = ["check", "told.endstep", "--prove"];
        let told = printed("chosen-otherwise", &text(filter), &options);
        says(&told, "Holds in scope");
        never_says(&told, "play alike: whatever depends on it");
    }
}

#[test]
fn what_becomes_less_is_told_of_each_loop_by_itself() {
    let text = "game \"g\"\nvar x: integer from 0 to 9, explore 0 to 3\nvar y: integer from 0 to 9, explore 0 to \
                3\nsequence inner\n  basis text\n  step a\n    repeat while y > 0\n      decrease y by 1\nsequence \
                s\n  basis text\n  step a\n    repeat while x > 0\n      decrease x by 1\n      perform inner\n      \
                set y to x\n";
    says(
        &printed("each-loop", text, &["check", "told.endstep", "--prove"]),
        "each time round this becomes less: y, and of another loop this becomes less: x",
    );
}

/// While there is something left, what waits brings two more about; from one that is resolved to the next nothing need
/// become less.
#[test]
fn what_becomes_less_while_a_queue_is_resolved_does_so_where_more_comes_to_wait() {
    let text = "game \"g\"\nvar x: integer from 0 to 9, explore 0 to 3\nqueue q, first in first out\nevent e, in q\ntrigger \
                t on e\n  basis text\n  if x > 0\n    decrease x by 1\n    announce e\n    announce e\nsequence s\n  \
                basis text\n  step a\n    announce e\n    resolve q\n";
    let told = printed("brings-about", text, &["check", "told.endstep", "--prove"]);
    says(
        &told,
        "s ends, unless players or chance keep it going: each time that what is resolved brings more about, this becomes \
         less: x",
    );
    never_says(&told, "each time round");
}
