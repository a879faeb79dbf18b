//! What is told of findings: at which clauses they stand, and what their witnesses show.

use endstep::analysis::Options;
use endstep::explore::check;
use endstep::report::{Sheet, Standing, Style, check_text};
use endstep::source::SourceMap;
use endstep::syntax::ast::BasisKind;
use endstep::typing::program::Program;
use endstep::verdict::{Finding, Results};
use endstep::witness::{ReplayError, RunEnd, Violated, Witness, replay};

pub struct Told {
    program: Program,
    results: Results,
    pub text: String,
}

impl Told {
    pub fn of(text: &str) -> Self {
        let mut sources = SourceMap::new();
        let id = sources.load("told.endstep", text.as_bytes()).unwrap();
        let parsed = endstep::syntax::parse(id, text);
        let (program, found) = endstep::typing::check(&[parsed.file]);
        let program = program.unwrap_or_else(|| panic!("{:?} {found:?}", parsed.diagnostics));
        let results = check(&program, &Options::default(), &mut |_| {});
        let standings = vec![Standing::New; results.findings.len()];
        let sheet = Sheet {
            name: "told.endstep",
            sources: &sources,
            program: &program,
            results: &results,
            standings: &standings,
            vanished: &[],
            unused: &[],
            unfound: &[],
            policy: Default::default(),
            restrictions: &[],
            saved: None,
            reread: None,
        };
        let text = check_text(sheet, Style::default());
        let words: Vec<&str> = text.split_whitespace().collect();
        let text = words.join(" ");
        Self {
            program,
            results,
            text,
        }
    }

    pub fn finding(&self, code: &str, subject: &str) -> &Finding {
        let mut findings = self.results.findings.iter();
        let found = findings.find(|one| one.code.id() == code && one.subject.starts_with(subject));
        found.unwrap_or_else(|| panic!("no {code} {subject} in {}", self.text))
    }

    fn clauses(&self, code: &str, subject: &str) -> Vec<&str> {
        let clauses = self.finding(code, subject).clauses.iter();
        let clauses = clauses.map(|&id| self.program.clauses[id].id.as_str());
        clauses.collect()
    }

    pub fn says(&self, part: &str) {
        assert!(self.text.contains(part), "{part} is not in\n{}", self.text);
    }
}

#[test]
fn a_loop_stands_at_the_sentence_that_repeats() {
    let told = Told::of(
        r#"game "Loops"
var on: boolean
sequence spins
  clause a.1 (rule) at "a.1"
    says "The round."
    step round
      clause a.2 (rule) at "a.2"
        says "Go on while it is on."
        repeat while on
          nothing
sequence starts_again
  clause b.2 (rule) at "b.2"
    says "Then it begins anew."
    restart when on
      cancel at end of step
      unfinished lost
  clause b.1 (rule) at "b.1"
    says "The first step."
    step one
      nothing
sequence echoes
  clause c.1 (rule) at "c.1"
    says "Shout."
    step shout
      announce shouted
      resolve noises
queue noises, last in first out, explore up to 2
event shouted, in noises
clause c.2 (rule) at "c.2"
  says "It echoes."
  trigger echo on shouted
    announce shouted
verify spins
verify starts_again
verify echoes
"#,
    );
    assert_eq!(told.clauses("F0501", "spins"), ["a.2"]);
    assert_eq!(told.clauses("F0501", "starts_again"), ["b.2"]);
    assert_eq!(told.clauses("F0501", "echoes"), ["c.2"]);
    told.says("--- from here it repeats --- nothing changes; it goes through: `nothing`");
    told.says("starts again is cancelled nothing changes; it goes through: starts again: one");
}

/// Two steps that come to different ends in either order; where `x` is 0, a gap is met before they do.
fn beside_a_gap(explored: &str) -> Told {
    Told::of(&format!(
        r#"game "Beside a gap"
var x: integer, explore {explored}
var y: integer, explore 0 to 0, reach 0 to 9
sequence s, steps in any order
  basis text
  step one
    if x = 0
      gap of_nothing "what is one of nothing is not said" and go on assuming "one"
    set y to 1
  step two
    set y to 2
"#
    ))
}

#[test]
fn a_difference_is_shown_by_runs_that_have_met_no_gap_if_there_are_such() {
    let told = beside_a_gap("0 to 1");
    let finding = told.finding("F0201", "s");
    assert_eq!((finding.basis, finding.boards), (BasisKind::Text, 2));
    told.says("The board x = 1");
    // That the document is silent does not rest on what is assumed.
    assert_eq!(told.finding("F0301", "of_nothing").basis, BasisKind::Text);
    told.says(
        "The document does not say what is one of nothing. The specification goes on, assuming: \
         \"one\". The board x = 0",
    );
    let told = beside_a_gap("0 to 0");
    assert_eq!(told.finding("F0201", "s").basis, BasisKind::Gap);
    told.says(
        "the document does not say what is one of nothing; it goes on, assuming: \"one\" y: from",
    );
}

#[test]
fn a_run_that_is_left_before_it_meets_a_gap_does_not_show_it() {
    let told = beside_a_gap("0 to 0");
    let finding = told.finding("F0301", "of_nothing");
    let mut witness = finding.witness.clone().unwrap();
    assert!(replay(&told.program, &witness).is_ok());
    let Witness::Run { run, violated } = &mut witness else {
        panic!("{witness:?}");
    };
    assert!(matches!(violated, Violated::Meets(_)));
    let RunEnd::Stopped { steps, .. } = &mut run.end else {
        panic!("{run:?}");
    };
    // Nothing is changed on the step on which it is met.
    *steps -= 1;
    let replayed = replay(&told.program, &witness);
    assert_eq!(replayed, Err(ReplayError::NotViolated));
}

#[test]
fn the_shortest_run_to_a_gap_is_shown_though_orders_make_no_difference() {
    let told = Told::of(
        r#"game "Cards"
entity Card, explore 3 to 3
  odd: boolean
  seen: boolean
legal one: 1 = count of c: Card where c.odd
legal just_one: some c: Card has c.odd and not c.seen
legal others: every c: Card has c.odd or c.seen
zone row of Card
sequence s
  basis text
  step look
    for each c: Card in row, in any order
      if c.odd
        gap oddity "what is odd is not said" and go on
      set c.seen to true
"#,
    );
    assert!(told.finding("F0301", "oddity").boards > 1);
    told.says("nobody decides) the document does not say what is odd; it goes on all the same");
}

#[test]
fn who_decides_is_told_by_where_the_ends_differ() {
    let text = include_str!("../corpus/reading/fail/who_decides.endstep");
    let told = Told::of(text);
    told.says(
        "Under the first, player 1 can make sure that it ends exactly as in the first run below; under the \
         second, not.",
    );
    told.says("First: chooser = active_player; player 1 can make sure that it ends just so");
    told.says("Second: chooser = other_player; player 1 cannot make sure of that end");
    told.says(
        "Where they end differently chooser = active player chooser = other player result 1 2",
    );
    let witness = told.finding("F0404", "chooser").witness.as_ref().unwrap();
    endstep::witness::replay(&told.program, witness).unwrap();
}

#[test]
fn who_can_only_prevent_something_is_not_said_to_bring_it_about() {
    let told = Told::of(
        r#"game "Dice"
player Player, explore 1
var active: Player
var result: integer from 0 to 3, starts 0
reading who
  chooser "the player chooses the die"
  dice "there is one die"
sequence s
  step t
    depending on who
      when chooser
        choose one by active
          option "low"
            choose number n from 1 to 2 by chance
            set result to n
          option "high"
            choose number n from 2 to 3 by chance
            set result to n
      when dice
        choose number n from 1 to 3 by chance
        set result to n
verify s
"#,
    );
    told.says(
        "Under the first, player 1 can prevent that it ends exactly as in the second run below; under the \
         second, not.",
    );
}

#[test]
fn position_is_shown_by_what_the_fixed_order_makes_impossible() {
    let told = Told::of(
        r#"game "Position"
player Player, explore 1
entity Card, explore 2 to 3
  power: integer, explore 0 to 1
zone board of Card
legal of_two_the_stronger_first: size of board > 2 or (first of board).power = 1
var taken: boolean, starts false
var result: integer, explore 0 to 0, reach 0 to 9
sequence play
  step first_wins
    choose number n from 0 to 1 by everyone together
    for each c: Card in board, left to right
      if not taken
        set taken to true
        set result to n * c.power
"#,
    );
    let finding = told.finding("F0203", "play/first_wins");
    let Some(Witness::Versus(versus)) = &finding.witness else {
        panic!("{finding:?}");
    };
    // With two cards the fixed order has both outcomes, and another order only one of them.
    assert_eq!(versus.run.board.entities.len(), 4);
    assert!(finding.boards > 1);
    told.says("result 1 0");
}

#[test]
fn two_steps_that_lead_to_one_gap_are_a_note() {
    let told = Told::of(
        r#"game "One gap"
var n: integer, explore 0 to 1, reach 0 to 9
var m: integer, explore 0 to 1, reach 0 to 9
sequence upkeep, steps unspecified
  step grow
    set n to 1 - n
  step draw
    gap empty_deck "Nothing is said about drawing."
  step count_up
    if m = 1
      increase m by n
"#,
    );
    let note = told.finding("F0204", "upkeep");
    assert_eq!(note.severity, endstep::diag::Severity::Note);
    told.says("the document falls silent in the same way");
    let told = Told::of(
        r#"game "One gap, sometimes"
var n: integer, explore 0 to 1, reach 0 to 9
sequence upkeep, steps unspecified
  step grow
    set n to 1 - n
  step draw
    if n = 1
      gap empty_deck "Nothing is said about drawing."
"#,
    );
    told.finding("F0202", "upkeep");
    assert!(!told.text.contains("F0204"), "{}", told.text);
}

#[test]
fn readings_are_compared_by_runs_with_the_same_choices() {
    let told = Told::of(include_str!("../../docs/examples/orchard/4-mended.endstep"));
    let mut compared = 0;
    for finding in &told.results.findings {
        let Some(Witness::Versus(versus)) = &finding.witness else {
            continue;
        };
        if finding.code.id() == "F0401" && finding.subject == "beside" {
            compared += 1;
            let first = |run: &endstep::witness::Run| run.choices.first().cloned();
            assert_eq!(first(&versus.run), first(&versus.against), "{}", told.text);
        }
    }
    assert_eq!(compared, 1);
}

#[test]
fn a_loop_tells_what_happens_each_time_round() {
    let told = Told::of(
        r#"game "Back"
entity Card, explore 1
  health: integer, explore 0 to 1
  ability: one of nothing_special, returns
zone board of Card
zone pile of Card, starts empty
queue effects, first in first out
event died(c: Card), in effects
sequence cleanup
  restart when effects is not empty
    cancel at end of step
    unfinished lost
    before restarting
      resolve effects
  step destroy
    for each c: Card in board where c.health = 0, left to right
      move c to pile
      announce died(c)
trigger coming_back on died(c) where c.ability is returns
  basis invented "Afterlife: return this card"
  move c to board
"#,
    );
    told.says(
        "Each time round: in \"destroy\" of cleanup, card 1 goes from board to pile; then the trigger \
         \"coming back\" (\"Afterlife: return this card\") acts, as card 1 has ability returns: card 1 goes \
         from pile to board.",
    );
}

#[test]
fn passages_that_disagree_stand_beside_what_follows_from_them() {
    let told = Told::of(
        r#"game "Gold"
var gold: integer, explore 0 to 1, starts 0
document r "Rules"
  clause a (rule) at "1"
    says "Everybody takes one."
    cites b
    reading how_many
      one "each takes one" cites a
      two "each takes two" cites b
    sequence play
      step take
        depending on how_many
          when one
            increase gold by 1
          when two
            increase gold by 2
  clause b (rule) at "2"
    says "Everybody takes two."
    cites a
  clause c (example) at "3"
    says "There is one then."
    -- Who takes one has one.
    example takes_one
      given
        gold = 0
      perform play
      expect gold = 1
  -- There is none left.
  question none_is_left: must gold = 0 after play
"#,
    );
    told.says(
        "Two passages of the text disagree. One side (1): \"Everybody takes \
         one.\" By it, each takes one; on the board below it ends like this: gold is 1. The other (2): \"Everybody \
         takes two.\" By it, each takes two; on the board below it ends like this: gold is 2.",
    );
    told.says("F0612 a worked example comes out only if the text is read in one way");
    told.says(
        "The example \"takes one\" tells this: Who takes one has one. It comes out only if the reading \"how \
         many\" is taken as \"each takes one\". In the run below, this is not true: gold is 1.",
    );
    told.says("formally: expect gold = 1");
    told.says(
        "The author asks whether this is true: There is none left. This fails on the board below.",
    );
    told.says("what was checked: after play, gold is 0");
}

#[test]
fn a_sentence_that_admits_exceptions_is_not_called_untrue() {
    let text = r#"game "Last"
entity Card, explore 2
role last: Card, starts none
document r "Rules"
  clause a (claim) at "1"
    says "WHEN it does not matter who is last."
    claim any_order: order irrelevant in play
  clause b (rule) at "2"
    says "All come."
    sequence play
      step come
        for each c: Card, in any order
          set last to c
"#;
    let mostly = Told::of(&text.replace("WHEN", "Mostly"));
    mostly.says("F0610 a claim of the document is not true on every board");
    let always = Told::of(&text.replace("WHEN", "Always"));
    always.says("F0610 a claim of the document is not true refuted");
    always.says("what was checked: in play no order that is left open makes a difference");
}

#[test]
fn what_an_example_fixes_is_no_condition_of_it() {
    let told = Told::of(
        r#"game "Fixed"
var gold: integer, explore 0 to 1, starts 0
reading how_many
  one "each takes one"
  two "each takes two"
reading what_then
  stays "it stays"
  goes "it goes"
sequence play
  step take
    if what_then is goes
      increase gold by 0
    otherwise
      increase gold by per how_many (one: 1 | two: 2)
example takes_one
  given
    gold = 0
  reading what_then is stays
  perform play
  expect gold = 1
"#,
    );
    told.says("comes out only if the reading \"how many\" is taken as \"each takes one\". In the run below");
}

#[test]
fn what_there_is_not_is_said_in_words() {
    let of = |path: &str| {
        let root = env!("CARGO_MANIFEST_DIR");
        Told::of(&std::fs::read_to_string(format!("{root}/tests/corpus/{path}.endstep")).unwrap())
    };
    let cases = [
        (
            "gap/fail/empty_zone",
            "deck is empty, and the rule needs its first Card",
        ),
        (
            "gap/fail/choice_from_nothing",
            "there is no Card in board, and one has to be chosen",
        ),
        (
            "gap/fail/largest_of_nothing",
            "there is no Card in board, and the largest power of them is needed",
        ),
        (
            "gap/fail/no_case",
            "it is said what happens in some cases, and none of these is so: n is 0; n is 1",
        ),
        (
            "gap/fail/odd_half",
            "n is odd, and it is not said how half of it is rounded",
        ),
        (
            "gap/fail/short_supply",
            "bank holds less than is to be taken from it",
        ),
        (
            "gap/fail/vacant_role",
            "there is no champion, and the rule needs one",
        ),
        (
            "move/fail/next_to_nothing",
            "made lies nowhere, and something is to be put next to it",
        ),
        (
            "choice/fail/too_much_to_spread",
            "1 is to be given to Cards in board, and there is no room for all of it",
        ),
    ];
    for (path, said) in cases {
        let told = of(path);
        told.says(&format!("=> it stops, because {said} at: "));
        // The code stands apart.
        told.says("formally: ");
        assert!(!told.text.contains('`'), "{}", told.text);
    }
}

#[test]
fn code_is_shown_where_words_would_leave_a_doubt() {
    let told = Told::of(
        r#"game "Two of a sort"
player Player, explore 2
entity Card, explore 1
zone pile of Card per Player
zone lost of Card
sequence play
  step draw
    for each c: Card, in any order
      for each d: Card, in any order
        move c to top of pile(if c = d then holder of c else holder of d)
"#,
    );
    told.says("it stops, because somebody or something is named that is not there");
    told.says("in the step \"draw\", at `move c to top of pile(if c = d then holder");
}

#[test]
fn a_gap_that_an_example_expects_is_told_in_words() {
    let path = "tests/corpus/example/fail/gaps.endstep";
    let root = env!("CARGO_MANIFEST_DIR");
    let told = Told::of(&std::fs::read_to_string(format!("{root}/{path}")).unwrap());
    let gap = "it stops, because the document does not say whether somebody draws who is tired";
    told.says(&format!(
        "it ends normally, and what was expected is this: {gap}. "
    ));
    told.says(&format!(
        "it never ends, and what was expected is this: {gap}. "
    ));
    told.says("no run ends like this: it stops, because half of an odd number is taken");
    told.says("formally: expect possible gap \"odd half\"");
}

#[test]
fn by_how_much_a_bound_is_missed_is_told_of_examples() {
    let told = Told::of(
        "game \"g\"\nvar x: integer from 0 to 5, starts 0\nsequence r\n  step a\n    set x to 9\n\
         example e\n  given\n    x = 0\n  perform r\n  expect outcome draw\n",
    );
    told.says("because x would become 9, and the document allows 0 to 5, and what was expected is");
}
