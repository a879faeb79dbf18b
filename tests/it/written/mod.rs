//! Boards that a specification writes down: its claims and questions are asked of them, too.

use endstep::analysis::Options;
use endstep::driver::{Checked, Engine, check};
use endstep::verdict::{Outside, Question, Verdict};

use crate::engines::compiled;

const BOARDS: &str = include_str!("written_boards.endstep");

/// What a check says of each claim, by name.
fn verdicts(engine: Engine) -> Vec<(String, Verdict)> {
    let program = compiled(BOARDS).unwrap();
    let options = Options::default();
    let checked: Checked = check(&program, (&options, engine), None, &mut |_| {});
    let results = checked.results;
    let outside = results.findings.iter().filter_map(|one| one.outside);
    for found in outside {
        let Outside::Written(board) = found else {
            panic!("{found:?}");
        };
        assert_eq!(program.boards[board].name, "tall");
    }
    let scopes = results.scopes.iter();
    assert_eq!(scopes.map(|scope| scope.written).max(), Some(1));
    let answers = results
        .answers
        .iter()
        .filter_map(|answer| match answer.subject {
            Question::Claim(at) => Some((program.claims[at].name.clone(), answer.verdict.clone())),
            _ => None,
        });
    answers.collect()
}

#[test]
fn claims_are_asked_of_boards_in_the_file_beyond_what_is_explored() {
    for engine in [Engine::Fast, Engine::Naive] {
        let said = verdicts(engine);
        let of = |name: &str| {
            let found = said.iter().find(|(one, _)| one == name);
            found.map(|(_, verdict)| verdict.clone())
        };
        assert_eq!(of("never_tall"), Some(Verdict::Refuted), "{said:?}");
        assert_eq!(of("is_it_low"), Some(Verdict::Refuted), "{said:?}");
        assert_eq!(of("can_it_be_seven"), Some(Verdict::Shown), "{said:?}");
        assert_eq!(of("always_moved"), Some(Verdict::HoldsInScope), "{said:?}");
        // The board in the middle of a run is none.
        assert_eq!(of("was_it_moved"), Some(Verdict::HoldsInScope), "{said:?}");
    }
}

/// From `big` a run never comes back to where it was.
const TOO_MANY: &str = r#"
game "G"
entity Card, explore 0 to 1
zone row of Card
var n: integer, explore 0 to 0
board big
  Card a in row
  Card b in row
sequence s
  basis text
  step a
    if size of row = 2
      repeat while n >= 0
        increase n by 1
verify s
claim low: invariant n < 5 at the end of s
claim ends: terminates s
"#;

#[test]
fn boards_in_the_file_from_which_runs_are_too_many_are_counted() {
    let program = compiled(TOO_MANY).unwrap();
    let options = Options::default();
    for engine in [Engine::Fast, Engine::Naive] {
        let checked = check(&program, (&options, engine), None, &mut |_| {});
        let results = &checked.results;
        let scope = &results.scopes[0];
        assert_eq!((scope.written, scope.unvisited), (0, 1));
        let mut answers = results.answers.iter();
        assert!(answers.all(|answer| answer.verdict == Verdict::HoldsInScope));
    }
}
