//! What graphs say of clauses inside of steps, of cited ones and those of restarts, and of what is performed.

use super::{never_says, printed, says};

const STEPS: &[&str] = &["graph", "told.endstep"];
const CLAUSES: &[&str] = &["graph", "told.endstep", "--kind", "clauses"];

/// A round that begins again if there is a fire, after the bell was rung.
const FIRE: &str = r#"game "Fire"
player Player, explore 1
var fire: boolean, starts false
var bells: integer from 0 to 9, explore 0 to 1
var calm: integer from 0 to 9, explore 0 to 1
document d "D"
  clause d.1 (rule) at "1"
    says "one"
    sequence round
      restart when fire
        cancel at end of step
        unfinished lost
        before restarting
          set fire to false
          perform ring
      step count_bells
        set calm to bells
      step play
        if calm = 0
          set fire to true
  clause d.2 (rule) at "2"
    says "two"
    sequence ring
      step pull
        increase bells by 1
      step listen
        set calm to 1
"#;

#[test]
fn what_a_restart_performs_is_connected() {
    let drawn = printed("clauses-fire", FIRE, STEPS);
    says(
        &drawn,
        "play writes to the same data as restart: fire feeds restart: fire",
    );
    says(
        &drawn,
        "restart feeds count bells: bells can bring about pull: performs ring",
    );
    says(&drawn, "writes to the same data as restart: calm");
    says(&drawn, "connected with nothing in this list: listen");
    never_says(&drawn, "connected with nothing: ");
    let drawn = printed("clauses-fire-clauses", FIRE, CLAUSES);
    says(&drawn, "can bring about d.2: 2");
    says(&drawn, "d.2: 2 feeds d.1: 1: bells");
}

#[test]
fn what_a_trigger_performs_is_connected() {
    let text = r#"game "G"
player Player, explore 1
var z: integer from 0 to 9, explore 0 to 1
var y: integer from 0 to 9, explore 0 to 1
event up, at once
document d "D"
  clause d.1 (rule) at "1"
    says "x"
    sequence s
      step a
        announce up
      step b
        set y to z
  clause d.2 (rule) at "2"
    trigger tp on up
      perform s3
  clause d.3 (rule) at "3"
    sequence s3
      step k
        increase z by 1
"#;
    let drawn = printed("clauses-tp", text, STEPS);
    says(
        &drawn,
        "can bring about k: sets off a trigger that performs s3",
    );
    never_says(&drawn, "connected with nothing");
    let drawn = printed("clauses-tp-clauses", text, CLAUSES);
    says(&drawn, "d.1: 1 can bring about d.2: 2");
    says(&drawn, "d.2: 2 can bring about d.3: 3");
    says(&drawn, "d.3: 3 feeds d.1: 1: z");
}

/// Clauses inside of steps; or around them.
fn market(inside: bool) -> String {
    let clause = |id: usize, step: &str, statements: &[&str]| {
        let head = [
            format!("clause d.{id} (rule) at \"{id}\""),
            format!("  says \"{id}\""),
        ];
        let step = format!("step {step}");
        let body = statements.iter().map(|one| (*one).to_owned());
        let lines: Vec<String> = match inside {
            true => [step]
                .into_iter()
                .chain(head.map(|line| format!("  {line}")))
                .chain(body.map(|line| format!("    {line}")))
                .collect(),
            false => head
                .into_iter()
                .chain([format!("  {step}")])
                .chain(body.map(|line| format!("    {line}")))
                .collect(),
        };
        let lines = lines.into_iter().map(|line| format!("    {line}\n"));
        lines.collect::<String>()
    };
    format!(
        "game \"G\"\nplayer Player, explore 1\nvar k: integer from 0 to 9, explore 0 to 1\nvar j: integer from 0 to 9, \
         starts 0\nevent up, at once\ndocument d \"D\"\n  sequence s\n{}{}  clause d.3 (rule) at \"3\"\n    says \
         \"3\"\n    trigger t on up\n      set k to 1\n",
        clause(1, "a", &["set k to 1 - k"]),
        clause(2, "b", &["set j to k", "announce up"])
    )
}

#[test]
fn a_clause_inside_of_a_step_counts_as_one_around_it() {
    let inside = printed("clauses-inside", &market(true), CLAUSES);
    says(&inside, "d.1: 1 feeds d.2: 2: k");
    says(&inside, "d.2: 2 can bring about d.3: 3");
    let around = printed("clauses-around", &market(false), CLAUSES);
    assert_eq!(inside, around);
}

const CITED: &str = r#"game "G"
player Player, explore 1
var k: integer from 0 to 9, explore 0 to 1
var j: integer from 0 to 9, starts 0
event up, at once
document d "D"
  clause d.7 (rule) at "7"
    says "seven"
  clause d.8 (rule) at "8"
    says "eight"
  clause d.9 (rule) at "9"
    says "nine"
trigger t on up
  cites d.7
  set j to 2
sequence s
  step a
    cites d.9
    set k to 1 - k
  step b
    cites d.8
    set j to k
    announce up
"#;

#[test]
fn a_cited_clause_counts() {
    let drawn = printed("clauses-cited", CITED, CLAUSES);
    says(&drawn, "d.9: 9 feeds d.8: 8: k");
    says(&drawn, "d.8: 8 can bring about d.7: 7");
}

#[test]
fn a_clause_of_a_restart_counts() {
    let text = r#"game "G"
player Player, explore 1
var fire: boolean, starts false
var k: integer from 0 to 9, explore 0 to 1
document d "D"
  sequence round
    clause d.5 (rule) at "5"
      says "five"
      restart when fire
        cancel at end of step
        unfinished lost
        before restarting
          set fire to false
          set k to 0
    clause d.1 (rule) at "1"
      says "one"
      step a
        if k > 0
          set fire to true
"#;
    let drawn = printed("clauses-restart", text, CLAUSES);
    says(&drawn, "d.5: 5 feeds d.1: 1: k");
    says(&drawn, "d.1: 1 feeds d.5: 5: fire");
    let drawn = printed("clauses-restart-steps", text, STEPS);
    says(&drawn, "restart feeds a: k");
    never_says(&drawn, "connected with nothing");
}

/// Two clauses in one step, within a statement around both.
fn both(around: &str) -> String {
    format!(
        "game \"G\"\nplayer Player, explore 1\nvar k: integer from 0 to 9, explore 0 to 1\nvar j: integer from 0 to 9, \
         explore 0 to 1\nsequence s\n  step a\n    {around}\n      clause d.1 (rule) at \"1\"\n        says \"1\"\n        \
         set k to j\n      clause d.2 (rule) at \"2\"\n        says \"2\"\n        set j to k\n"
    )
}

#[test]
fn clauses_of_one_step_feed_each_other_as_its_statements_do() {
    let drawn = printed("clauses-if", &both("if j > 0"), CLAUSES);
    says(&drawn, "feeds d.2: 2: k");
    never_says(&drawn, "feeds d.1: 1");
    let drawn = printed("clauses-repeat", &both("repeat until j = 0"), CLAUSES);
    says(&drawn, "feeds d.2: 2: k");
    says(&drawn, "feeds d.1: 1: j");
    // Each reads what was there before.
    let drawn = printed("clauses-together", &both("simultaneously"), CLAUSES);
    says(&drawn, "There is nothing of the kind.");
}

/// What a sequence cites counts for those of its steps that stand in no clause of their own.
#[test]
fn a_step_in_a_clause_of_its_own_is_not_of_what_its_sequence_cites() {
    let text = r#"game "Cited"
var x: integer from 0 to 9, explore 0 to 1
var z: integer from 0 to 9, explore 0 to 1
document d "D"
  clause c.9 (rule) at "9"
    says "cited"
  clause c.5 (rule) at "5"
    says "t"
    sequence t
      cites c.9
      step first
        set x to 1
      clause c.6 (rule) at "6"
        says "z"
        step second
          set z to x
      step third
        set x to z
verify t
"#;
    let drawn = printed("clauses-cited", text, CLAUSES);
    says(&drawn, "c.9: 9 feeds c.6: 6: x writes to");
    says(&drawn, "c.6: 6 feeds c.9: 9: z feeds c.5: 5: z");
    let own = text.replace("step second\n", "step second\n          cites c.9\n");
    let drawn = printed("clauses-cited-by-step", &own, CLAUSES);
    says(&drawn, "c.9: 9 feeds c.5: 5: z feeds c.6: 6: x");
}
