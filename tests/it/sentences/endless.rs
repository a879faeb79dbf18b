//! What graphs say of runs that go round: which never end, which were only followed, and what keeps them going.

use super::{never_says, printed, says};

const TRIGGERS: &[&str] = &["graph", "told.endstep", "--kind", "triggers"];
const JSON: &[&str] = &[
    "graph",
    "told.endstep",
    "--kind",
    "triggers",
    "--format",
    "json",
];

/// Every hit sets off another one, until there have been 40.
const CHAIN: &str = r#"game "Chain"
player Player, explore 1
var x: integer from 0 to 40, explore 0 to 1
queue q, first in first out
event hit, in q
trigger again on hit
  if x < 40
    increase x by 1
    announce hit
sequence s
  step a
    announce hit
    resolve q
"#;

#[test]
fn what_was_only_followed_is_not_said_to_go_round() {
    let at_once = CHAIN
        .replace(", in q", ", at once")
        .replace("    resolve q\n", "");
    for (at, text) in [CHAIN, at_once.as_str()].into_iter().enumerate() {
        let drawn = printed(&format!("endless-chain-{at}"), text, TRIGGERS);
        says(&drawn, "hit – could go round without end");
        says(
            &drawn,
            "it is not known whether a run does; as far as one was followed, it goes on (F0505",
        );
        never_says(&drawn, "goes round without end");
        never_says(&drawn, "a run does (");
        let json = printed(&format!("endless-chain-json-{at}"), text, JSON);
        says(&json, "\"cycle\": \"possible\"");
        never_says(&json, "\"cycle\": \"confirmed\"");
    }
    // What is proved to end does so, whatever was followed.
    let proved = [TRIGGERS, &["--prove"]].concat();
    let drawn = printed("endless-chain-proved", CHAIN, &proved);
    says(&drawn, "no run from any board of the scopes does");
    never_says(&drawn, "goes on");
}

/// A shout has an echo, three times in all; what is repeated goes on for ever.
const ECHO: &str = r#"game "Echo"
player Player, explore 1
var echoes: integer from 0 to 3, explore 0 to 1
event shout, at once
trigger echo on shout
  if echoes < 3
    increase echoes by 1
    announce shout
sequence s
  step a
    repeat while echoes >= 0
      announce shout
"#;

#[test]
fn only_what_closes_a_circle_keeps_itself_going() {
    let drawn = printed("endless-echo", ECHO, TRIGGERS);
    says(
        &drawn,
        "\"shout\" and \"echo\" can bring each other about without end, as far as the text shows: it is not known \
         whether a run does. - A run goes round without end through \"a\", \"shout\" and \"echo\" (F0501",
    );
    says(&drawn, "that these bring each other about need not be why.");
    says(
        &drawn,
        "echo – goes round without end can bring about shout: announces (could go round without end)",
    );
    says(
        &drawn,
        "a – goes round without end can bring about shout: announces (goes round without end)",
    );
    never_says(&drawn, "a run does (");
    let trap = r#"game "Trap"
player Player, explore 1
var hp: integer from 0 to 1, explore 0 to 1
event dies, whenever hp = 0, at once
trigger revive on dies
  set hp to 1
sequence s
  step fight
    repeat while hp = 1
      decrease hp by 1
"#;
    let drawn = printed("endless-trap", trap, TRIGGERS);
    says(&drawn, "through \"fight\", \"dies\" and \"revive\" (F0501");
    never_says(&drawn, "a run does (");
}

/// A round with a fire begins again, after the bell is rung; the bell sets the house on fire.
const ALARM: &str = r#"game "Alarm"
player Player, explore 1
var fire: boolean, starts false
event alarm, at once
trigger bell on alarm
  set fire to true
sequence round
  restart when fire
    cancel at end of step
    unfinished lost
    before restarting
      set fire to false
      announce alarm
  step play
    set fire to true
"#;

#[test]
fn what_is_done_before_restarting_announces() {
    let drawn = printed("endless-alarm", ALARM, TRIGGERS);
    says(
        &drawn,
        "restart – goes round without end can bring about alarm: announces (goes round without end)",
    );
    says(&drawn, "bell – goes round without end");
    says(
        &drawn,
        "A run goes round without end through the restart of round, \"alarm\" and \"bell\" (F0501",
    );
    let json = printed("endless-alarm-json", ALARM, JSON);
    never_says(&json, "\"cycle\": \"none\"");
    // The same if the state raises it, and if a sequence does that a trigger performs.
    let raised = ALARM
        .replace(
            "event alarm, at once",
            "event alarm, whenever not fire, at once",
        )
        .replace("      announce alarm\n", "");
    let drawn = printed("endless-raised", &raised, TRIGGERS);
    says(
        &drawn,
        "restart – goes round without end can bring about alarm: announces",
    );
}

#[test]
fn what_waits_and_is_not_resolved_brings_nothing_about() {
    let text = CHAIN.replace("    resolve q\n", "");
    let drawn = printed("endless-waiting", &text, TRIGGERS);
    says(&drawn, "a can bring about hit: announces");
    never_says(&drawn, "wakes");
    never_says(&drawn, "without end");
}

#[test]
fn a_loop_that_a_claim_about_a_second_time_shows_is_one() {
    let text = r#"game "g"
player Player, explore 1
var heat: integer from 0 to 3, explore 0 to 2, starts 0
queue q, first in first out
event ping, in q
trigger pong on ping where heat = 2
  announce ping
sequence s
  step a
    increase heat by 1, at most 2
  step b
    announce ping
    resolve q
claim twice: idempotent s
verify s
"#;
    let drawn = printed("endless-second", text, TRIGGERS);
    says(&drawn, "as far as the text shows: a run does (F0610");
    never_says(&drawn, "no run");
}

#[test]
fn a_restart_that_ends_the_run_decides_on_its_steps() {
    let text = r#"game "g"
player Player, explore 1
var wind: integer from 0 to 3, explore 0 to 1
sequence s
  restart when wind = 1
    cancel at end of step
    unfinished lost
    before restarting
      set wind to 0
      declare draw
  step fish
    nothing
  step sail
    nothing
verify s
"#;
    let steps = ["graph", "told.endstep", "--kind", "steps"];
    let drawn = printed("endless-restart-ends", text, &steps);
    says(&drawn, "restart decides on fish decides on sail");
    // Without that, it begins again, and nothing is decided.
    let again = text.replace("      declare draw\n", "");
    never_says(&printed("endless-restart", &again, &steps), "decides on");
    let proved = printed(
        "endless-once",
        &again,
        &["check", "told.endstep", "--prove", "--all"],
    );
    says(&proved, "it begins again at most once");
}

#[test]
fn the_first_step_asks_for_the_places() {
    let text = r#"game "g"
player Player, explore 1
entity Lane, explore 2
var gold: integer from 0 to 3, explore 0 to 0
sequence war, over each l: Lane, in any order, nest places
  step fish
    increase gold by 1
  step avalanche
    for each m: Lane
      remove m
verify war
"#;
    let steps = ["graph", "told.endstep", "--kind", "steps"];
    says(
        &printed("endless-places", text, &steps),
        "avalanche feeds fish: which Lane there are",
    );
}

/// What a round goes through is named, and not what there is more of.
#[test]
fn what_there_is_more_of_is_no_trigger() {
    let text = r#"game "More"
player Player, explore 1
event e, at once
event f, at once
trigger t on e
  basis text
  announce f
trigger u on f
  basis text
  announce e
sequence s
  basis text
  step a
    announce e
verify s
"#;
    let text = printed("endless-more", text, &["check", "told.endstep"]);
    says(&text, "What repeats: \"t\" and \"u\".");
    never_says(&text, "interrupted triggers\"");
}
