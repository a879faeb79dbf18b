//! What is said of several things at once: two gaps of one statement, boards in the file beside those of the scope.

use super::{Checked, never_says, says, told};
use endstep::analysis::Options;
use endstep::driver::{self, Engine};

const TWO_ENDS: &str = r#"game "One statement, two gaps"
entity Card, explore 0 to 2
zone left_pile of Card, explore at most 1
zone right_pile of Card, explore at most 1
zone out of Card, starts empty
var mode: integer from 0 to 2
sequence take
  step s
    move (if mode = 0 then top of left_pile else top of right_pile) to out
"#;

#[test]
fn two_gaps_of_one_statement_are_told_as_what_they_have_in_common() {
    let text = told(TWO_ENDS);
    says(
        &text,
        "something is taken from where nothing lies; on the board shown, left pile is empty",
    );
    let one = TWO_ENDS.replace("top of right_pile", "top of left_pile");
    never_says(&told(&one), "on the board shown");
}

#[test]
fn boards_in_the_file_are_none_of_the_scope() {
    let spec = r#"game "A board of its own"
entity Card, explore 2
zone row of Card
sequence s
  step a
    nothing
board tiny
  Card wolf in row
verify s
claim few: must size of row != 2 after s
"#;
    let text = whole(spec);
    says(&text, "every legal board in scope that was tried (1)");
    says(&text, "no smaller board in scope shows it");
}

#[test]
fn what_goes_out_of_range_may_have_another_number_on_a_larger_board() {
    // One card more gives the mark, of a sort declared later, another number.
    let spec = r#"game "Numbers after those that stand by"
entity Card, explore 1
  hp: integer from 0 to 1
entity Mark, explore 1
  hp: integer from 0 to 1
zone row of Card
zone pit of Mark
sequence s
  step one
    for each m: Mark in pit, in any order
      increase m.hp by 1
verify s
"#;
    let text = whole(spec);
    says(&text, "F0304");
    says(
        &text,
        "larger boards: the same, however many more of these there are: Card in row",
    );
}

/// What the whole pipeline tells; boards in the file and larger ones are part of it alone.
fn whole(spec: &str) -> String {
    let options = Options::default();
    let mut checked = Checked::of(spec, &options);
    let whole = driver::check(
        &checked.program,
        (&options, Engine::Fast),
        None,
        &mut |_| {},
    );
    checked.results = whole.results;
    checked.text()
}
