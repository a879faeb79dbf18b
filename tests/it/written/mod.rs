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
