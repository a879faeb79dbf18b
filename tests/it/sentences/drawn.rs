//! What graphs and the order matrix say of what happens more than once, of what the state raises, of those without a
//! listener, and of clauses whose rules react to each other.

use super::{never_says, printed, says};

const TRIGGERS: &[&str] = &["graph", "told.endstep", "--kind", "triggers"];
const STEPS: &[&str] = &["graph", "told.endstep"];
const CLAUSES: &[&str] = &["graph", "told.endstep", "--kind", "clauses"];
const ORDER: &[&str] = &["order", "told.endstep"];

#[test]
fn a_chain_that_ends_goes_round_but_not_without_end() {
    let text = r#"game "Dominoes"
entity Domino, explore up to 3
  fallen: boolean, starts false
zone line of Domino
event falls(c: Domino), at once
trigger topple on falls(c) where neighbour after c is not none
  let n = neighbour after c
  set n.fallen to true
  announce falls(n)
sequence push
  step touch
    if line is not empty
      announce falls(first of line)
verify push
"#;
    let drawn = printed("drawn-dominoes", text, TRIGGERS);
    says(
        &drawn,
        "falls – could go round without end; in scope, no run does",
    );
    says(
        &drawn,
        "\"falls\" and \"topple\" can bring each other about without end, as far as the text shows: no run from any \
         board of the scopes does.",
    );
    never_says(&drawn, "again and again");
    let svg = [TRIGGERS, &["--format", "svg"]].concat();
    let svg = printed("drawn-dominoes-svg", text, &svg);
    says(&svg, "could go round without end; in scope, no run does");
    never_says(&svg, "could go round;");
}

/// A hunter who is hurt, and what then happens to dogs; the condition of the event, and what is done.
fn hunt(whenever: &str, done: &str) -> String {
    format!(
        "game \"Hunt\"\nplayer Hunter, explore 2\n  life: integer from 0 to 3, explore 1 to 2\nentity Dog, explore 0 \
         to 1, headroom 2\n  loyal: boolean\nzone kennel of Dog per Hunter\nevent \
         hurt(h: Hunter), whenever {whenever}, at once\nsequence night\n  step bite\n    for each h: Hunter, in \
         player order\n      decrease h.life by 1\ntrigger whistle on hurt(h)\n  {done}\nverify night\n"
    )
}

const CREATE: &str = "create Dog in kennel(h) with loyal = true";
const REMOVE: &str = "for each d: Dog\n    remove d";

#[test]
fn what_comes_or_goes_raises_only_what_looks_at_it() {
    let brings = |name: &str, whenever: &str, done: &str| {
        let drawn = printed(name, &hunt(whenever, done), TRIGGERS);
        says(&drawn, "can bring about hurt: announces");
        let (_, of_trigger) = drawn.split_once("whistle –").unwrap_or((&drawn, ""));
        let order = printed(&format!("{name}-order"), &hunt(whenever, done), ORDER);
        (of_trigger.contains("can bring about hurt"), order)
    };
    for (at, done) in [CREATE, REMOVE].into_iter().enumerate() {
        let name = format!("drawn-hunt-{at}");
        // How much life somebody has dogs do not change.
        let (is_brought, order) = brings(&name, "h.life < old h.life", done);
        assert!(!is_brought, "{done}");
        never_says(&order, "the trigger \"whistle\", at `create");
        // How many there are, and where they lie, they do.
        for (number, looks) in [
            "(count of d: Dog) != old (count of d: Dog)",
            "size of kennel(h) != old (size of kennel(h))",
            "(some d: Dog in kennel has d.loyal) and not (old (some d: Dog in kennel has d.loyal))",
        ]
        .into_iter()
        .enumerate()
        {
            let looks = format!("h.life < old h.life or {looks}");
            let (is_brought, _) = brings(&format!("{name}-{number}"), &looks, done);
            assert!(is_brought, "{done}: {looks}");
        }
    }
}

#[test]
fn what_is_new_raises_an_event_that_is_about_it() {
    let text = |whenever: &str| {
        format!(
            "game \"Litter\"\nentity Dog, explore 0 to 1, headroom 2\n  loyal: boolean\nevent born(d: Dog), whenever \
             {whenever}, at once\ntrigger bark on born(d)\n  set d.loyal to true\nsequence day\n  step whelp\n    \
             create Dog with loyal = true\nverify day\n"
        )
    };
    let drawn = printed("drawn-born", &text("d.loyal"), TRIGGERS);
    says(&drawn, "whelp can bring about born: announces");
    let drawn = printed(
        "drawn-unborn",
        &text("d.loyal and not (old d.loyal)"),
        TRIGGERS,
    );
    never_says(&drawn, "whelp can bring about");
}

/// At each bridge the party rests and crosses; the heading of the list, and what is done at a rotten bridge.
fn bridges(heading: &str, done: &str) -> String {
    format!(
        "game \"Bridges\"\nplayer P, explore 1\nentity Bridge, explore 2\n  rotten: boolean\n  crossed: boolean, starts \
         false\nvar lanterns: integer from 0 to 4, explore 0\nsequence march{heading}\n  step rest\n    increase \
         lanterns by 1\n  step cross\n    if b.rotten\n      {done}\n    set b.crossed to true\n"
    )
}

#[test]
fn what_ends_a_list_decides_on_what_would_be_done_again() {
    let by_place = ", over each b: Bridge, left to right, nest places";
    for (at, done) in ["leave march", "declare draw"].into_iter().enumerate() {
        let text = bridges(by_place, done);
        let drawn = printed(&format!("drawn-places-{at}"), &text, STEPS);
        says(&drawn, "cross decides on rest");
        never_says(&drawn, "connected with nothing");
        // Step by step, all rests come before.
        let text = text.replace("nest places", "nest steps");
        let drawn = printed(&format!("drawn-steps-{at}"), &text, STEPS);
        never_says(&drawn, "cross decides on rest");
    }
    let whole = "sequence whole\n  step go\n    for each b: Bridge, left to right\n      perform march(b)\n";
    let performed = |done| bridges("(b: Bridge)", done) + whole;
    let drawn = printed(
        "drawn-again-loss",
        &performed("declare loss for everyone"),
        STEPS,
    );
    says(&drawn, "cross decides on rest");
    // What is left is only this performance, and the next one begins all the same.
    let drawn = printed("drawn-again-left", &performed("leave march"), STEPS);
    never_says(&drawn, "cross decides on rest");
    let drawn = printed("drawn-again-whole", &performed("leave whole"), STEPS);
    says(&drawn, "cross decides on rest");
}

/// A trigger with a listener and others, with what is said of the event and of the last one.
fn coop(event: &str, priority: &str) -> String {
    format!(
        "game \"Coop\"\nplayer Farmer, explore 1\n  peace: boolean\nentity Hen, explore 0 to 2\n  awake: boolean\n  \
         age: integer from 0 to 1\nzone roost of Hen\nvar active: Farmer\nqueue q, by priority\nevent cock, {event}\n\
         trigger wakes for each h: Hen in roost, on cock{priority}\n  set h.awake to true\ntrigger rest on cock\n  set \
         active.peace to true\nsequence dawn\n  step crow\n    announce cock\n    resolve q\nverify dawn\n"
    )
}

#[test]
fn those_without_a_listener_come_last() {
    let open = "Orders that the document leaves open";
    let decided = "Orders that are not left open";
    let fixed = printed(
        "drawn-fixed",
        &coop("at once, listeners left to right", ""),
        ORDER,
    );
    says(
        &fixed,
        "Orders that are not left open what reacts to \"cock\" (told.endstep:10) wakes & rest: disjoint",
    );
    never_says(&fixed, open);
    let json = [ORDER, &["--format", "json"]].concat();
    let json = printed(
        "drawn-fixed-json",
        &coop("at once, listeners left to right", ""),
        &json,
    );
    says(&json, "\"settled\": \"fixed\"");
    never_says(&json, "\"settled\": \"open\"");
    // Of one rank several hens may be, but not one that is none.
    let ranked = coop(
        "at once, listeners h: Hen largest h.age first, then in any order",
        "",
    );
    let ranked = printed("drawn-ranked", &ranked, ORDER);
    let (left, closed) = ranked.split_once(decided).unwrap_or((&ranked, ""));
    says(left, "wakes for one & for another");
    never_says(left, "wakes & rest");
    says(closed, "wakes & rest: disjoint");
    // In a queue what has the higher priority.
    let queued = printed("drawn-queued", &coop("in q", ", priority 1"), ORDER);
    let (left, closed) = queued.split_once(decided).unwrap_or((&queued, ""));
    says(left, "wakes for one & for another");
    never_says(left, "wakes & rest");
    says(closed, "wakes & rest: decided, by the document");
    // In any order, or if nothing is said, nothing is fixed.
    for (at, event) in ["at once", "at once, listeners in any order"]
        .into_iter()
        .enumerate()
    {
        let free = printed(&format!("drawn-free-{at}"), &coop(event, ""), ORDER);
        says(&free, "wakes & rest: disjoint");
        never_says(&free, decided);
    }
    let read = "at once, listeners per hens (any: in any order | row: left to right)\nreading hens\n  any \"any\"\n  row \
                \"row\"";
    let read = printed("drawn-read", &coop(read, ""), ORDER);
    never_says(&read, decided);
}

/// Who grabs a gem announces it; guards ring the alarm then, and whoever rings wakes the dog.
const MUSEUM: &str = r#"game "Museum"
document m "Museum"
  player Thief, explore 1
    loot: integer from 0 to 3, explore 0
  entity Guard, explore 1
    awake: boolean
  var alarm: boolean, starts false
  var barking: boolean, starts false
  event grabbed, at once
  event rings, whenever alarm, at once
  clause m.1 (rule) at "Entry"
    says "Gems are grabbed."
    sequence heist
      step enter
        for each t: Thief
          increase t.loot by 1
        announce grabbed
      clause m.2 (rule) at "Flight"
        says "They flee from the dog, and from the alarm."
        step flight
          if alarm or barking
            for each t: Thief
              set t.loot to 0
  clause m.3 (rule) at "Guards"
    says "A guard who is awake rings the alarm."
    trigger sees for each g: Guard where g.awake, on grabbed
      set alarm to true
  clause m.4 (rule) at "Dog"
    says "The alarm wakes the dog."
    trigger wakes on rings
      set barking to true
  clause m.5 (rule) at "Night"
    says "Then a guard sleeps."
    sequence night
      step sleep
        for each g: Guard
          set g.awake to false
"#;

#[test]
fn clauses_react_to_each_other() {
    let drawn = printed("drawn-clauses", MUSEUM, CLAUSES);
    let of = |clause: &str| {
        let (_, rest) = drawn.split_once(clause).unwrap_or_default();
        let end = rest.find(" m.").unwrap_or(rest.len());
        rest[..end].to_owned()
    };
    says(&drawn, "can bring about m.3: Guards");
    says(&drawn, "m.3: Guards");
    says(&drawn, "can bring about m.4: Dog");
    says(&drawn, "feeds m.2: Flight: alarm");
    says(&drawn, "feeds m.2: Flight: barking");
    never_says(&drawn, "m.5");
    never_says(&drawn, "There is nothing of the kind.");
    never_says(&of("Clauses of Museum"), "nothing");
    let heist = [CLAUSES, &["--sequence", "heist"]].concat();
    says(
        &printed("drawn-clauses-heist", MUSEUM, &heist),
        "can bring about m.4: Dog",
    );
}
