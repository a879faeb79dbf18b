//! Each construct, and what is said of it.

mod collisions;

use super::claim;
use crate::report::words::Words;
use endstep_language::source::SourceMap;

const GAME: &str = r#"game "Said"
player Player, explore 2
  gold: integer, explore 0 to 2
entity Card, explore up to 2
  health: integer, explore 0 to 2
  armor: integer, explore 0 to 2
  kind: one of creature, spell
  ready: boolean
  stays_behind: boolean
  host: optional Card
zone board of Card per Player
zone deck of Card per Player
zone aside of Card
role active: Player
role champion: Player
var round: integer, explore 0 to 2
var lost: boolean
queue pending, first in first out
event rings, in pending
define is_ill(c: Card) = c.health = 0
define worth_of(c: Card) = c.health + c.armor
define is_complicated = round > 1
define fallen(p: Player) = p.gold = 0
observer table "what lies on the table"
  sees board
reading zero
  exactly "only 0 counts"
  or_less "less counts too"
sequence cleanup
  step tidy
    nothing
sequence upkeep
  step tidy
    nothing
"#;

/// What is said of a claim; nothing if it cannot be said.
fn said(text: &str) -> Option<String> {
    let text = format!("{GAME}question asked: {text}\n");
    let mut sources = SourceMap::new();
    let id = sources.load("said.endstep", text.as_bytes()).unwrap();
    let parsed = endstep_language::syntax::parse(id, &text);
    let (program, found) = endstep_language::typing::check(&[parsed.file]);
    let program = program.unwrap_or_else(|| panic!("{:?} {found:?}", parsed.diagnostics));
    let words = Words {
        program: &program,
        sources: &sources,
    };
    claim(words, &program.claims[0])
}

/// Panics unless all is said as expected, with all that is not; `None`: it is not said.
fn all_say(cases: &[(&str, Option<&str>)]) {
    let mut wrong = String::new();
    for (text, expected) in cases {
        let found = said(text);
        if found.as_deref() != *expected {
            wrong.push_str(&format!("{text}\n  {expected:?}\n  {found:?}\n"));
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// The same of conditions.
fn conditions(cases: &[(&str, Option<&str>)]) {
    let claims = cases.iter().map(|(text, expected)| {
        let expected = expected.map(|one| format!("after cleanup, {one}"));
        (format!("must {text} after cleanup"), expected)
    });
    let claims: Vec<_> = claims.collect();
    let claims = claims
        .iter()
        .map(|(text, expected)| (text.as_str(), expected.as_deref()));
    all_say(&claims.collect::<Vec<_>>());
}

#[test]
fn claims() {
    all_say(&[
        (
            "order irrelevant in cleanup",
            Some("in cleanup no order that is left open makes a difference"),
        ),
        (
            "order irrelevant in cleanup.tidy observing table",
            Some(
                "in the step \"tidy\" of cleanup no order that is left open makes a difference; what counts is what lies on the table",
            ),
        ),
        (
            "equivalent cleanup, upkeep",
            Some("cleanup and upkeep come to the same"),
        ),
        (
            "equivalent cleanup, upkeep where not is_complicated",
            Some("if at the start it is not complicated: cleanup and upkeep come to the same"),
        ),
        (
            "terminates cleanup",
            Some("every run of cleanup ends, unless players or chance keep it going"),
        ),
        (
            "invariant every c: Card in board has c.health > 0 at the end of cleanup",
            Some("at the end of cleanup, every Card in board has health of more than 0"),
        ),
        (
            "invariant lost at every step of cleanup",
            Some("before cleanup, after each of its steps and where it ends, \"lost\" is true"),
        ),
        (
            "invariant round <= 9 throughout cleanup",
            Some("throughout cleanup, round is at most 9"),
        ),
        (
            "must round = 0 after cleanup where round = 1",
            Some("if at the start round is 1: after cleanup, round is 0"),
        ),
        (
            "reachable round = 2 in cleanup",
            Some("in cleanup it can happen that round is 2"),
        ),
        (
            "unreachable round = 2 in cleanup",
            Some("in cleanup it cannot happen that round is 2"),
        ),
        (
            "conserves round in cleanup",
            Some("throughout cleanup, round stays the same"),
        ),
        (
            "conserves round = 1 in cleanup",
            Some("throughout cleanup, whether round is 1 stays the same"),
        ),
        (
            "idempotent cleanup",
            Some("doing cleanup once more at once changes nothing"),
        ),
    ]);
}

#[test]
fn quantifiers_and_negations() {
    conditions(&[
        ("every c: Card has c.ready", Some("every Card is ready")),
        ("every c: Card has not c.ready", Some("no Card is ready")),
        (
            "every c: Card has c.kind is not spell",
            Some("no Card has kind spell"),
        ),
        (
            "not (every c: Card has c.ready)",
            Some("some Card is not ready"),
        ),
        (
            "some c in aside has c.stays_behind",
            Some("some Card in aside stays behind"),
        ),
        (
            "not (some c in aside has c.stays_behind)",
            Some("no Card in aside stays behind"),
        ),
        (
            "not (some c: Card has c.ready and c.health = 0)",
            Some("no Card both is ready and has health 0"),
        ),
        (
            "every c: Card has not (c.ready and c.health = 0)",
            Some("every Card either is not ready or has health other than 0"),
        ),
        (
            "every c: Card in board where c.ready and is_ill(c) has c.kind is spell or c.armor > 1",
            Some(
                "every Card in board that is ready and is ill either has kind spell or has armor of more than 1",
            ),
        ),
        (
            "every p: Player has size of board(p) <= 2",
            Some("for every Player, the number of Cards in board of that Player is at most 2"),
        ),
        (
            "every p: Player has some c in board(p) has c.ready",
            Some("for every Player, some Card in board of that Player is ready"),
        ),
        (
            "not (every p: Player has size of board(p) <= 2)",
            Some("for some Player, the number of Cards in board of that Player is more than 2"),
        ),
        (
            "every c: Card has not old is_ill(c)",
            Some("no Card was ill at the start"),
        ),
    ]);
}

#[test]
fn what_is_in_what_is_never_in_doubt() {
    conditions(&[
        (
            "round = 1 and lost",
            Some("round is 1 and \"lost\" is true"),
        ),
        (
            "round = 1 or lost",
            Some("either round is 1 or \"lost\" is true"),
        ),
        (
            "not (round = 1 or lost)",
            Some("round is not 1 and \"lost\" is not true"),
        ),
        (
            "round = 1 and (lost or round = 2)",
            Some("round is 1, and either \"lost\" is true or round is 2"),
        ),
        (
            "round = 1 and round < 3 or lost",
            Some("either both round is 1 and round is less than 3, or \"lost\" is true"),
        ),
        (
            "(every c: Card has c.ready) and round = 1",
            Some("every Card is ready, and round is 1"),
        ),
        // Too deep, two of the same sort, and an end that nobody could hear.
        ("round = 1 and (lost or round = 2 and round = 3)", None),
        (
            "every c: Card has some d: Card has c.health = d.health",
            None,
        ),
        (
            "every p: Player has (some c in board(p) has c.ready) and p.gold = 0",
            None,
        ),
        ("round = 1 and not old (round = 2)", None),
        // What comes after it could belong to the condition inside.
        ("round = (count of c: Card where c.health > 1) + 1", None),
        (
            "round = 1 + (count of c: Card where c.health > 1)",
            Some("round is 1 plus the number of Cards that have health of more than 1"),
        ),
        (
            "every p: Player has p.gold > (count of c: Card where c.ready) and fallen(p)",
            Some(
                "for every Player, that Player has gold of more than the number of Cards that are ready and that Player is fallen",
            ),
        ),
        (
            "every c: Card has (c.ready or c.health = 0) and c.armor = 1",
            None,
        ),
        (
            "every c: Card has c.armor = 1 and (c.ready or c.health = 0)",
            Some("every Card has armor 1 and either is ready or has health 0"),
        ),
        (
            "every c: Card has c.armor != 1 or c.ready or c.health = 0 and c.stays_behind",
            Some(
                "every Card that has armor 1 either is ready or both has health 0 and stays behind",
            ),
        ),
    ]);
}

#[test]
fn things() {
    conditions(&[
        (
            "count of c: Card in board = 0",
            Some("there is no Card in board"),
        ),
        (
            "(count of c: Card where c.ready) >= 2",
            Some("the number of Cards that are ready is at least 2"),
        ),
        (
            "(sum of c.health + c.armor over c in aside) = old (sum of c.health + c.armor over c in aside)",
            Some("the total of health and armor of all Cards in aside is what it was at the start"),
        ),
        (
            "(largest c.health over c: Card) < 2",
            Some("the largest health of all Cards is less than 2"),
        ),
    ]);
}

#[test]
fn who_and_where() {
    conditions(&[
        (
            "active = next after old active",
            Some("active is the Player after what active was at the start"),
        ),
        ("champion is none", Some("there is no champion")),
        ("champion is not none", Some("there is some champion")),
        ("aside is empty", Some("aside is empty")),
        ("aside is not empty", Some("aside is not empty")),
        (
            "pending is empty",
            Some("nothing waits in the queue \"pending\""),
        ),
        (
            "every c: Card has c.host is none",
            Some("every Card has no host"),
        ),
        (
            "every c: Card has c.armor < c.health",
            Some("every Card has armor of less than its health"),
        ),
        (
            "every c: Card has c.armor = c.health",
            Some("every Card has armor equal to its health"),
        ),
        (
            "every c: Card has c.host is not none or c.health = 0",
            Some("every Card that has no host has health 0"),
        ),
        (
            "every c: Card in board has not c.ready or c.health = 0",
            Some("every Card in board that is ready has health 0"),
        ),
        (
            "every c: Card where c.armor = 1 has not c.ready or c.kind is spell or c.health = 0",
            Some(
                "every Card that has armor 1 and that is ready either has kind spell or has health 0",
            ),
        ),
        (
            "every c: Card has c.health = old c.health",
            Some("every Card has the same health as at the start"),
        ),
        (
            "every c: Card has holder of c = old holder of c",
            Some("every Card has the same holder as at the start"),
        ),
        (
            "every c: Card has worth_of(c) >= 1",
            Some("every Card has worth of at least 1"),
        ),
        ("some c: Card has holder of c = active", None),
        (
            "round + 1 - 2 = 2 * round",
            Some("round plus 1 minus 2 is 2 times round"),
        ),
        (
            "zero is exactly",
            Some("the reading \"zero\" is taken as \"only 0 counts\" (exactly)"),
        ),
        // Whose gold it was, that of who is active now or was then?
        ("active.gold >= old active.gold", None),
        ("round - (round - 1) = 1", None),
        ("if lost then round = 1 else round = 2", None),
    ]);
}
