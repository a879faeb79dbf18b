//! All ways to end from a board: both engines find the same, each run is replayed, and they are what a check compares.

use std::collections::BTreeSet;

use endstep::analysis::{Boards, Engine, Job, Options, ends};
use endstep::driver::sequence;
use endstep::exhaust::Naive;
use endstep::explore::Explorer;
use endstep::semantics::Names;
use endstep::typing::program::Program;
use endstep::witness::{RunEnd, trace};
use std::ops::ControlFlow;

use super::engines::{LIMITS, compiled, random};
use super::orders::numbers;
use super::sentences::{printed, says};

/// Every way of the first boards, as text.
fn told(program: &Program, engine: &dyn Engine) -> Vec<String> {
    let Ok(sequence) = sequence(program, None) else {
        return Vec::new();
    };
    let options = Options {
        limits: LIMITS,
        ..Options::default()
    };
    let job = Job::of(program, sequence);
    let boards = Boards::new(program, &job.sizes, &options);
    let mut found = Vec::new();
    let mut left = 12;
    let _ = boards.each(&|_| None, &mut |_, board| {
        let names = Names::numbered(program, board);
        let ends = ends((program, engine), &job, (board, &names), &options);
        let mut outcomes = BTreeSet::new();
        for way in &ends.ways {
            assert!(way.under.is_subset(&ends.combinations), "{way:?}");
            // The interpreter does it again, and comes to the same end.
            let replayed = trace(program, &way.run).unwrap_or_else(|why| panic!("{why:?} {way:?}"));
            assert_eq!(replayed.steps, way.steps, "{way:?}");
            let end = match &way.run.end {
                RunEnd::Ended(ended) => format!("{:?} {:?}", ended.tag, ended.data),
                other => format!("never {other:?}"),
            };
            let steps = way.steps;
            assert!(outcomes.insert(end.clone()), "twice: {end}");
            found.push(format!("{end} {steps} {:?}", way.under));
        }
        found.push(format!("{:?} {:?}", ends.limited, ends.given_up));
        left -= 1;
        match left {
            0 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    });
    found
}

#[test]
fn engines_find_the_same_ways_to_end_and_each_is_replayed() {
    let (mut ways, mut endless) = (0, 0);
    for number in numbers("ENDS", 60) {
        let text = random(number);
        let program = compiled(&text).unwrap();
        println!("number {number}\n{text}");
        let fast = told(&program, &Explorer::new(&program));
        let plain = told(&program, &Naive);
        assert_eq!(fast, plain);
        ways += fast.len();
        endless += fast.iter().filter(|one| one.starts_with("never")).count();
    }
    assert!(ways > 300 && endless > 0, "{ways} {endless}");
}

const SHORT: &str = r#"game "Short"
entity Card, explore up to 2
  v: integer from 0 to 3
zone row of Card
var n: integer from 0 to 9, explore 0 to 1
reading r
  one "a"
  two "b"
legal few: size of row <= 1
sequence s
  step a
    if per r (one: n = 0 | two: n = 1)
      repeat while n < 9
        choose one by everyone together
          option "stop"
            set n to 9
          option "on"
            nothing
    otherwise
      increase n by 2
verify s
board bare
  n = 1
board many
  Card a, b in row with v = 0
"#;

#[test]
fn ways_to_end_are_told_with_the_readings_under_which_there_are_any() {
    let of = |arguments: &[&str]| {
        let all = [&["ends", "told.endstep"], arguments].concat();
        printed("ends", SHORT, &all)
    };
    let text = of(&["--board", "bare"]);
    says(&text, "s of told.endstep, on board bare: 3 ways to end");
    says(&text, "it ends normally, only if r = one");
    says(
        &text,
        "it never ends: after 4 small steps it goes round in 3",
    );
    let json = of(&["s", "--board", "bare", "--format", "json"]);
    says(&json, "\"complete\": true");
    says(&json, "\"under\": [ { \"r\": \"two\" } ]");
    says(
        &of(&["--board", "many"]),
        "the board `many` does not meet all conditions of `legal`",
    );
    says(
        &of(&["--board", "no"]),
        "found the board `no`, expected one of",
    );
    says(
        &of(&["--board", "bare", "--reading", "r=one"]),
        "on board bare: 1 way to end",
    );
    says(
        &of(&["--board", "bare", "--states", "1"]),
        "There may be more: there are more states than are looked at",
    );
}

/// The same gap in other words, and another value beyond the same bound, are other ways to end.
const SILENT: &str = r#"game "Silent"
player Player, explore 1
entity Card, explore 1
zone row of Card
supply gold: integer from 0 to 2, starts 0
supply wood: integer from 0 to 2, starts 0
var n: integer from 0 to 3, starts 0
reading r
  one "in one way"
  two "in another"
clause d.1 (rule) at "1"
  says "All of it."
  sequence pay
    step once
      depending on r
        when one
          decrease gold by 1
        when two
          decrease wood by 1
  sequence grow
    step once
      increase n by per r (one: 4 | two: 9)
  sequence pick
    step once
      depending on r
        when one
          choose c in row where n = 2 by chance
        when two
          choose p: Player where n = 2 by chance
  sequence match
    step once
      depending on r
        when one
          cases
            when n = 1
              nothing
        when two
          cases
            when n = 2
              nothing
"#;

#[test]
fn an_end_is_told_with_a_reason_that_is_true_of_it() {
    let of = |sequence: &str| {
        let all = ["ends", "told.endstep", sequence, "--board", "1"];
        printed("silent", SILENT, &all)
    };
    let both = [
        ("pay", "gold holds less", "wood holds less"),
        ("grow", "n would become 4", "n would become 9"),
        ("pick", "there is no Card", "there is no Player"),
        (
            "match",
            "none of these is so: n is 1",
            "none of these is so: n is 2",
        ),
    ];
    for (sequence, one, other) in both {
        let text = of(sequence);
        says(&text, "2 ways to end");
        says(&text, one);
        says(&text, "only if r = one");
        says(&text, other);
        says(&text, "only if r = two");
    }
}
