//! One order stands for all where it may, and only there: specifications full of iterations, with each order visited
//! and without, and with the plain engine.
//!
//! `ORDERS=20000 cargo test --test it engines::orders` compares as many specifications.

use endstep::analysis::Options;
use endstep::explore;
use endstep::verdict::Verdict;

use super::{LIMITS, compiled, difference};

/// Random numbers (SplitMix64).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % sides as u64) as usize
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.roll(of.len())]
    }
}

/// What is done for a card, most of it to itself alone.
const DONE: [&str; 18] = [
    "decrease c.health by 1, at least 0",
    "increase c.armour by 1, at most 2",
    "set c.armour to c.health",
    "set c.health to 0",
    "decrease c.armour by c.health, at least 0",
    "increase c.health by 1",
    "set c.marked to c.health = 0",
    "transfer 1 from c.armour to c.health",
    "simultaneously\n  set c.health to c.armour\n  set c.armour to c.health",
    "increase tokens by 1, at most 3",
    "set tokens to c.health",
    "set c.armour to tokens",
    "increase c.armour by count of d: Card where d.marked, at most 2",
    "if some d: Card has d.health = 0\n  set c.marked to true",
    "if c is in row\n  if c = top of row\n    set tokens to c.health",
    "if c is in row\n  if c = bottom of row\n    set tokens to 1",
    "if c is in row\n  if c = top of row\n    set c.armour to (bottom of row).health",
    "if c is in row\n  if c = bottom of row\n    set c.armour to (top of row).health",
];

const IF: [&str; 5] = [
    "c.health > 0",
    "c.armour < 2",
    "tokens = 0",
    "not c.marked",
    "c is in row",
];

const ELEMENTS: [&str; 5] = [
    "c: Card",
    "c in row",
    "c: Card where c.health > 0",
    "c in row where not c.marked",
    "c in heap",
];

fn indented(text: &str, by: usize) -> String {
    let lines = text.lines();
    lines.map(|line| format!("{:by$}{line}\n", "")).collect()
}

fn iteration(dice: &mut Dice) -> String {
    let elements = dice.one(&ELEMENTS);
    let policy = dice.one(&["", "", ", rechecked"]);
    let order = dice.one(&[
        "in any order",
        "in any order",
        "in an order chosen by everyone together",
    ]);
    let mut text = indented(&format!("for each {elements}, {order}{policy}"), 4);
    // Mostly what is one's own.
    let kinds = [9, 9, DONE.len()][dice.roll(3)];
    for _ in 0..=dice.roll(2) {
        let done = dice.one(&DONE[..kinds]);
        match dice.roll(3) {
            0 => {
                text += &indented(&format!("if {}", dice.one(&IF)), 6);
                text += &indented(done, 8);
            }
            _ => text += &indented(done, 6),
        }
    }
    text
}

fn specification(number: u64) -> String {
    let dice = &mut Dice(number);
    let range = dice.one(&[
        "integer from 0 to 3",
        "integer, reach 0 to 6",
        "integer from 0 to 9",
    ]);
    let mut text = format!(
        "game \"Orders\"\nplayer Player from 2 to 2, explore 2 to 2\n\
         entity Card, explore up to 3\n  health: {range}, explore 0 to 1\n  \
         armour: {range}, explore 1 to 1\n  marked: boolean, starts false\n\
         var tokens: integer, explore 0 to 0, reach 0 to 5\nzone row of Card\n\
         zone heap of Card, unordered\nobserver short \"tokens are what is scored\"\n  sees tokens\n\
         sequence play\n  step first\n"
    );
    text += &iteration(dice);
    if dice.roll(2) == 0 {
        text += "  step second\n";
        text += &iteration(dice);
    }
    text += dice.one(&["verify play\n", "verify play observing short\n"]);
    text += "claim same: order irrelevant in play\n";
    text += dice.one(&[
        "",
        "claim low: invariant tokens <= 1 throughout play\n",
        "claim top: reachable size of row > 1 and (top of row).health != (bottom of row).health and (top of row).armour = 0 in play\n",
        "claim bottom: reachable size of row > 1 and (bottom of row).marked and not (top of row).marked in play\n",
        "claim other: unreachable size of row > 1 and (top of row).health = 0 and (bottom of row).health > 0 in play\n",
        "claim kept: conserves (sum of c.health over c: Card) in play\n",
        "claim healthy: must every c: Card has c.health > 0 after play\n",
        "claim steps: invariant every c: Card has c.armour < 3 at every step of play\n",
    ]);
    text
}

#[test]
fn one_order_stands_for_all_where_nothing_else_can_be_told() {
    let (mut fewer, mut mattered) = (0, 0);
    let wanted = std::env::var("ORDERS").map(|wanted| wanted.parse().unwrap());
    let count: u64 = wanted.unwrap_or(250);
    for number in 0..count {
        let text = specification(number);
        let program = compiled(&text).unwrap_or_else(|| panic!("{text}"));
        if let Some(difference) = difference(&text, LIMITS) {
            panic!("number {number}\n{text}\n{difference}");
        }
        let results = |every_order| {
            let options = Options {
                limits: LIMITS,
                threads: 1,
                every_order,
                ..Options::default()
            };
            explore::check(&program, &options, &mut |_| {})
        };
        let (every, one) = (results(true), results(false));
        let states = |all: &[u64]| all.iter().sum::<u64>();
        let of = |results: &endstep::verdict::Results| -> Vec<u64> {
            results.scopes.iter().map(|scope| scope.states).collect()
        };
        fewer += u64::from(states(&of(&one)) < states(&of(&every)));
        let mut answers = one.answers.iter();
        mattered += u64::from(answers.any(|one| one.verdict == Verdict::Refuted));
    }
    assert!(
        fewer >= count / 2 && mattered >= count / 6,
        "{fewer}, {mattered}"
    );
}
