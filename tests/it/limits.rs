//! Specifications that are much too large or too deep: they end in a diagnostic,
//! or in an answer that names the limit.

use std::fmt::Write as _;

use endstep::analysis::Options;
use endstep::diag::Diagnostic;
use endstep::exhaust::check;
use endstep::source::SourceMap;
use endstep::typing::program::Program;
use endstep::verdict::{Limitation, Verdict};

const HEAD: &str = "game \"G\"\nvar n: integer, explore 0 to 1, reach 0 to 9\n";

fn compile(text: &str) -> (Option<Program>, Vec<Diagnostic>) {
    let mut sources = SourceMap::new();
    let id = sources.load("test", text.as_bytes()).unwrap();
    let parsed = endstep::syntax::parse(id, text);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    endstep::typing::check(&[parsed.file])
}

fn errors(text: &str) -> Vec<String> {
    let (program, found) = compile(text);
    let errors = found.iter().filter(|one| one.code.id().starts_with('E'));
    let errors: Vec<String> = errors.map(|one| one.message.clone()).collect();
    assert_eq!(program.is_none(), !errors.is_empty());
    errors
}

fn sequences(count: usize, body: impl Fn(usize) -> String) -> String {
    let mut text = HEAD.to_owned();
    for at in 0..count {
        let _ = write!(text, "sequence s{at}\n  step t\n    {}\n", body(at));
    }
    text
}

#[test]
fn chains_of_sequences_are_bounded() {
    let chain = |count: usize| {
        sequences(count, |at| match at + 1 == count {
            true => "nothing".to_owned(),
            false => format!("perform s{}", at + 1),
        })
    };
    assert!(errors(&chain(256)).is_empty());
    let message = "more than 256 sequences perform each other down to `s256`, expected fewer";
    assert_eq!(errors(&chain(257)), [message]);
    let found = errors(&chain(40_000));
    assert!(found.iter().any(|one| one == message), "{found:?}");
}

#[test]
fn numbers_of_steps_are_bounded() {
    let steps = |count: usize| {
        let steps: String = (0..count)
            .map(|at| format!("  step t{at}\n    nothing\n"))
            .collect();
        format!("{HEAD}sequence play\n{steps}")
    };
    assert!(errors(&steps(512)).is_empty());
    let message = "found 513 steps in one sequence, expected at most 512";
    assert_eq!(errors(&steps(513)), [message]);
    let nothing = |_| "nothing".to_owned();
    assert!(errors(&sequences(4096, nothing)).is_empty());
    let message = "found 4097 steps up to here, expected at most 4096";
    assert_eq!(errors(&sequences(40_000, nothing)), [message]);
}

#[test]
fn numbers_of_sorts_and_zones_are_bounded() {
    let all = |count: usize, line: &dyn Fn(usize) -> String| {
        let lines: String = (0..count).map(line).collect();
        format!("{HEAD}entity Card, explore 1\n{lines}sequence play\n  step t\n    nothing\n")
    };
    let zone = |at| format!("zone z{at} of Card\n");
    assert!(errors(&all(512, &zone)).is_empty());
    let message = "found 513 zones up to here, expected at most 512";
    assert_eq!(errors(&all(20_000, &zone)), [message]);
    let message = "found 4097 sorts up to here, expected at most 4096";
    assert_eq!(
        errors(&all(20_000, &|at| format!("entity E{at}, explore 1\n"))),
        [message]
    );
}

#[test]
fn chains_of_definitions_are_bounded() {
    let mut text = format!("{HEAD}define d0() = n\n");
    for at in 1..20_000 {
        let _ = writeln!(text, "define d{at}() = d{}() + 1", at - 1);
    }
    text.push_str("sequence play\n  step t\n    set n to d19999()\n");
    let found = errors(&text);
    assert!(found[0].contains("513 expressions deep"), "{}", found[0]);
}

#[test]
fn quantifiers_in_each_other_are_given_up() {
    let all: String = (0..30)
        .map(|at| format!("every c{at}: Card has "))
        .collect();
    let text = format!(
        "{HEAD}entity Card, explore 2\nzone board of Card\nsequence play\n  step t\n    if {all}n >= 0\n      set n to 1\n"
    );
    let program = compile(&text).0.unwrap();
    let results = check(&program, &Options::default(), &mut |_| {});
    assert!(results.findings.iter().all(|one| one.witness.is_none()));
    let unknown = |verdict: &Verdict| match verdict {
        Verdict::Unknown(why) => why.contains(&Limitation::Evaluation(2)),
        _ => false,
    };
    assert!(!results.answers.is_empty());
    for answer in &results.answers {
        assert!(unknown(&answer.verdict), "{:?}", answer.verdict);
    }
}

#[test]
fn more_boards_than_can_be_numbered_are_too_many() {
    let mut text = "game \"G\"\n".to_owned();
    for at in 0..30 {
        let _ = write!(
            text,
            "var v{at}: integer, explore 0 to 9\nlegal l{at}: v{at} > 0\n"
        );
    }
    text.push_str("sequence play\n  step t\n    nothing\nverify play\n");
    let program = compile(&text).0.unwrap();
    let options = Options {
        limits: endstep::analysis::Limits {
            boards: 100,
            candidates: 1000,
            ..Options::default().limits
        },
        ..Options::default()
    };
    let results = check(&program, &options, &mut |_| {});
    let unknown = |verdict: &Verdict| matches!(verdict, Verdict::Unknown(_));
    assert!(
        results
            .answers
            .iter()
            .any(|answer| unknown(&answer.verdict))
    );
}

#[test]
fn definitions_that_grow_without_bound_are_given_up() {
    let mut text =
        "game \"G\"\nentity Card, explore 0 to 1\n  v: integer, explore 0 to 1, reach 0 to 9\n\
                    zone row of Card\nvar n: integer, explore 0 to 1, reach 0 to 9\n\
                    define a0(c: Card) = max(c.v, n)\n"
            .to_owned();
    for at in 1..9 {
        let of = format!("a{}(c)", at - 1);
        let eight = [of.as_str(); 8].join(" + ");
        let _ = writeln!(text, "define a{at}(c: Card) = {eight}");
    }
    text.push_str(
        "sequence s\n  step t\n    for each c in row\n      if a8(c) > 3\n        set n to 1\n\
         verify s\n",
    );
    let program = compile(&text).0.unwrap();
    let how = (&Options::default(), endstep::driver::Engine::Fast);
    let began = std::time::Instant::now();
    let checked = endstep::driver::check(&program, how, None, &mut |_| {});
    assert!(!checked.results.answers.is_empty());
    // Gone through whole, the definitions would take longer than anybody waits.
    assert!(began.elapsed() < std::time::Duration::from_secs(60));
}

#[test]
fn states_that_take_too_much_memory_are_given_up() {
    // Each round adds a trigger that waits, and what the round began with is kept.
    let text = format!(
        "{HEAD}queue inbox, first in first out, explore up to 10000\nevent storm(a: integer, b: integer, c: integer), \
         in inbox\nsequence main\n  step t\n    repeat until stable\n      announce storm(1000000000000, \
         1000000000000, 1000000000000)\ntrigger answers on storm(a, b, c)\n  set n to 1\n"
    );
    let program = compile(&text).0.unwrap();
    let results = endstep::explore::check(&program, &Options::default(), &mut |_| {});
    let boards = 2;
    assert_eq!(results.scopes[0].limitations, [Limitation::Memory(boards)]);
}
