//! The solver that was linked answers real questions.

use z3::ast::Int;
use z3::{SatResult, Solver};

/// What is written for other solvers means what was asked: read again, it has no answer either.
pub fn assert_no_answer(question: &str) {
    let solver = Solver::new();
    solver.from_string(question);
    assert_eq!(solver.check(), SatResult::Unsat, "{question}");
}

/// Two injuries to one creature: in either order, its health is the same.
#[test]
fn two_injuries_commute() {
    let (health, a, b) = (
        Int::new_const("health"),
        Int::new_const("a"),
        Int::new_const("b"),
    );
    let one = (&health - &a) - &b;
    let other = (&health - &b) - &a;
    let solver = Solver::new();
    solver.assert(one.eq(&other).not());
    assert_eq!(solver.check(), SatResult::Unsat);
}

/// An injury and a doubling do not commute, and the model shows a board.
#[test]
fn an_injury_and_a_doubling_do_not_commute() {
    let (health, a) = (Int::new_const("health"), Int::new_const("a"));
    let two = Int::from_i64(2);
    let injured_first = (&health - &a) * &two;
    let doubled_first = &health * &two - &a;
    let solver = Solver::new();
    solver.assert(a.ge(0));
    solver.assert(injured_first.eq(&doubled_first).not());
    assert_eq!(solver.check(), SatResult::Sat);
    let model = solver.get_model().unwrap();
    let value = |term: &Int| model.eval(term, true).unwrap().as_i64().unwrap();
    assert!(value(&a) > 0);
    assert_eq!(value(&injured_first), (value(&health) - value(&a)) * 2);
    assert_ne!(value(&injured_first), value(&doubled_first));
}

#[test]
fn the_version_names_the_loaded_library() {
    let version = endstep::smt::version();
    assert!(
        version.starts_with("5."),
        "found {version}, expected 5.3.2 or newer"
    );
}
