//! Proofs about whole runs: that a sequence ends, and that something holds throughout.

use std::collections::BTreeSet;

use endstep::analysis::Options;
use endstep::driver::{Orders, orders};
use endstep::explore;
use endstep::ir::{Function, System};
use endstep::lower::lower;
use endstep::order;
use endstep::prove::{Throughout, apart, coincide, terminates, throughout};
use endstep::typing::program::{ClaimKind, Program, SequenceId};
use endstep::verdict::{Argument, Detail, Exchangeable, Question, Results, ScopeOf, Verdict};

use super::engines::{LIMITS, compiled, random};
use super::orders::numbers;
use super::z3::assert_no_answer;

const BEGIN: &str = r#"game "g"
player Player, explore 1 to 1
entity Card, explore up to 2, headroom 2
  health: integer from -2 to 2, explore 0 to 1
  destroyed: boolean, starts false
  due: boolean, starts false
zone board of Card
zone void of Card, starts empty
zone hand of Card per Player, starts empty
var round: integer from 0 to 3, explore 0 to 0
supply coins: integer, explore 0 to 1, reach 0 to 99
queue pending, first in first out, explore up to 6
event dies(c: Card), in pending
legal board_only: every c: Card has c is in board
"#;

/// A specification and its sequence `cleanup`.
pub fn cleanup(text: &str) -> (Program, SequenceId) {
    let program = compiled(text).unwrap_or_else(|| panic!("in error: {text}"));
    let sequences = &program.sequences;
    let mut ids = sequences.ids();
    let sequence = ids.find(|&id| sequences[id].name == "cleanup").unwrap();
    (program, sequence)
}

/// What is proved to come to the same in every order, in a system in which arrangements that nobody looks
/// at are not told apart.
pub fn exchangeable(program: &Program, system: &System) -> (System, Exchangeable) {
    let Orders {
        overlooked,
        matrix,
        proofs,
    } = orders((program, system), None);
    let same = order::overlooking(system, &overlooked);
    let exchangeable = order::exchangeable(&same, &matrix, &proofs);
    (same, exchangeable)
}

fn ends(text: &str) -> Option<Argument> {
    let text = format!(
        "{BEGIN}{text}
verify cleanup
"
    );
    let (program, sequence) = cleanup(&text);
    let system = lower(&program);
    let told = terminates(&system, sequence, &apart(&system.legal));
    let results = explore::check(&program, &Options::default(), &mut |_| {});
    let goes_round = loops(&program, &results).contains(&sequence);
    assert!(told.is_err() || !goes_round, "{text}");
    let certificate = told.ok()?;
    certificate
        .questions
        .iter()
        .for_each(|one| assert_no_answer(one));
    Some(certificate.argument)
}

/// The sequences of which some run from some board goes round for ever.
fn loops(program: &Program, results: &Results) -> BTreeSet<SequenceId> {
    let mut found = BTreeSet::new();
    for finding in &results.findings {
        let goes_round = matches!(finding.detail, Detail::Loop { .. } | Detail::Growth { .. });
        let scope = finding.scope.map(|at| results.scopes[at].subject);
        match scope {
            Some(ScopeOf::Verify(at)) if goes_round => {
                found.insert(program.verifies[at].sequence);
            }
            Some(ScopeOf::Sequence(sequence)) if goes_round => {
                found.insert(sequence);
            }
            _ => {}
        }
    }
    found
}

const CLEANUP: &str = "sequence cleanup, steps in order
  step destroy
    for each c: Card in board where not c.destroyed and c.health <= 0, in any order
      set c.destroyed to true
      set c.due to true
  step tell
    for each c: Card in board where c.due, in any order
      set c.due to false
      move c to void
      announce dies(c)
  restart when pending is not empty
    cancel at once
    unfinished lost
    before restarting
      resolve pending
";

#[test]
fn a_cleanup_that_only_destroys_ends() {
    let harmless = format!(
        "{CLEANUP}trigger hurting on dies(c)\n  for each d: Card in board, in any order\n    decrease d.health by 1, at least -2\n"
    );
    let Some(Argument::Ranking { loops, queues, .. }) = ends(&harmless) else {
        panic!("not proved");
    };
    let mut all = loops.iter().chain(&queues);
    assert!(all.all(|measures| !measures.is_empty()));
    // Each change breaks one thing that the argument needs.
    for broken in [
        // What is dead comes back.
        format!(
            "{CLEANUP}trigger back on dies(c)\n  set c.destroyed to false\n  move c to board\n"
        ),
        // Everybody dies again.
        format!("{CLEANUP}trigger again on dies(c)\n  announce dies(c)\n"),
        // What is owed is owed for ever.
        harmless.replace("      set c.due to false\n      move c to void\n", ""),
        // What waits is still there when the next pass begins.
        harmless.replace("      resolve pending\n", "      resolve next of pending\n"),
        // New ones come.
        format!("{CLEANUP}trigger eggs on dies(c)\n  create Card in board\n"),
    ] {
        assert_eq!(ends(&broken), None, "{broken}");
    }
}

#[test]
fn a_repeat_needs_something_that_becomes_less() {
    let repeat =
        |body: &str| format!("sequence cleanup\n  step go\n    repeat while coins > 0\n{body}");
    assert_eq!(
        ends(&repeat("      decrease coins by 1\n")),
        Some(Argument::Ranking {
            loops: vec![vec!["coins".to_owned()]],
            queues: Vec::new(),
            restarts: false,
        })
    );
    assert_eq!(
        ends(&repeat(
            "      decrease coins by 1\n      increase coins by 1\n"
        )),
        None
    );
    assert_eq!(
        ends(&repeat("      if round > 0\n        decrease coins by 1\n")),
        None
    );
    assert_eq!(
        ends(
            "sequence cleanup\n  step go\n    for each c: Card in board\n      set c.due to true\n"
        ),
        Some(Argument::Straight)
    );
    // Each new one is visited in its turn.
    assert_eq!(
        ends(
            "sequence cleanup\n  step go\n    for each c: Card in board, left to right, live\n      create Card in board\n"
        ),
        None
    );
}

/// Which of the claims of a specification are proved, by name.
fn held(text: &str) -> BTreeSet<String> {
    held_from(BEGIN, text)
}

fn held_from(begin: &str, text: &str) -> BTreeSet<String> {
    let text = format!("{begin}{text}\nverify cleanup\n");
    let program = compiled(&text).unwrap_or_else(|| panic!("in error: {text}"));
    let system = lower(&program);
    let results = explore::check(&program, &Options::default(), &mut |_| {});
    let proved = proved(&program, &system);
    for answer in &results.answers {
        let refuted = answer.verdict == Verdict::Refuted;
        assert!(!refuted || !proved.contains(&answer.subject), "{text}");
    }
    let names = proved.iter().filter_map(|one| match one {
        Question::Claim(at) => Some(program.claims[*at].name.clone()),
        _ => None,
    });
    names.collect()
}

/// All that is proved to hold throughout, whether or not it is refuted.
fn proved(program: &Program, system: &System) -> BTreeSet<Question> {
    let mut found = BTreeSet::new();
    let sequences: BTreeSet<SequenceId> = program.verifies.iter().map(|one| one.sequence).collect();
    for sequence in sequences {
        let mut asked: Vec<(Question, Throughout<'_>)> = Vec::new();
        for (at, legal) in system.legal.iter().enumerate() {
            asked.push((Question::Legal(sequence, at), Throughout::Holds(legal)));
        }
        for (at, claim) in program.claims.iter().enumerate() {
            let first: Option<&Function> = system.claims[at].first();
            let what = match (&claim.kind, first) {
                (ClaimKind::Invariant(_, _, one) | ClaimKind::Must(_, one, _), Some(of))
                    if *one == sequence =>
                {
                    Throughout::Holds(of)
                }
                (ClaimKind::Conserves(_, one), Some(of)) if *one == sequence => {
                    Throughout::Stays(of)
                }
                _ => continue,
            };
            asked.push((Question::Claim(at), what));
        }
        let claims: Vec<Throughout<'_>> = asked.iter().map(|(_, what)| *what).collect();
        let told = throughout(system, sequence, (&system.legal, &claims));
        for ((question, _), one) in asked.iter().zip(told.into_iter().flatten()) {
            if one.is_some() {
                found.insert(*question);
            }
        }
    }
    found
}

#[test]
fn what_every_statement_keeps_is_proved() {
    let claims =
        "question the_dead: invariant every c: Card has not c.due or c.destroyed throughout cleanup
question as_many: conserves (count of c: Card) in cleanup
question as_healthy: conserves (sum of c.health over c: Card) in cleanup
question somewhere: invariant every c: Card has c is in board or c is in void throughout cleanup
question nobody_waits: invariant pending is empty throughout cleanup
";
    let all = held(&format!("{CLEANUP}{claims}"));
    // No board has anybody who is due: that is how the field starts.
    // Nor does anything wait, to which nobody listens.
    let expected = [
        "as_many",
        "as_healthy",
        "nobody_waits",
        "somewhere",
        "the_dead",
    ];
    assert_eq!(all, expected.map(str::to_owned).into());
    let hurt = "trigger hurting on dies(c)\n  for each d: Card in board, in any order\n    decrease d.health by 1, at least -2\n";
    let all = held(&format!("{CLEANUP}{hurt}{claims}"));
    let expected = ["as_many", "somewhere", "the_dead"];
    assert_eq!(all, expected.map(str::to_owned).into());
    let begin = BEGIN.replace("due: boolean, starts false", "due: boolean");
    assert_ne!(begin, BEGIN);
    let anybody = format!("{CLEANUP}{claims}");
    assert!(!held_from(&begin, &anybody).contains("the_dead"));
    let forgives = CLEANUP.replace(
        "set c.destroyed to true\n      set c.due to true",
        "set c.due to true\n      set c.destroyed to true",
    );
    let all = held(&format!("{forgives}{claims}"));
    let expected = ["as_many", "as_healthy", "nobody_waits", "somewhere"];
    assert_eq!(all, expected.map(str::to_owned).into());
    let hand = CLEANUP.replace(
        "move c to void",
        "for each p: Player\n        move c to hand(p)",
    );
    assert!(!held(&format!("{hand}{claims}")).contains("somewhere"));
}

/// Entities of which every zone starts empty lie in none: that is no board on which anything holds.
#[test]
fn what_lies_nowhere_is_not_taken_for_somewhere() {
    let nowhere = BEGIN
        .replace("zone board of Card\n", "zone board of Card, starts empty\n")
        .replace("legal board_only: every c: Card has c is in board\n", "");
    assert_ne!(nowhere, BEGIN);
    let body = "sequence cleanup\n  step go\n    set round to 0\n";
    let claims = "question in_void: invariant every c: Card has c is in void throughout cleanup
question in_none: invariant every c: Card has not c is in board throughout cleanup
question in_some: invariant every c: Card has c is in board or c is in void throughout cleanup
";
    let all = held_from(&nowhere, &format!("{body}{claims}"));
    assert_eq!(all, ["in_none"].map(str::to_owned).into());
}

/// What is proved of random specifications is refuted on no board: `ALWAYS=0..1000` says which.
#[test]
fn proofs_about_runs_of_random_specifications_are_not_refuted() {
    let (mut proved_ends, mut went_round, mut held, mut refuted, mut same) = (0, 0, 0, 0, 0);
    // A rule that is due whatever happens was once taken for one that is never due, and what takes effect
    // together was compared as if it were done one after the other.
    for number in numbers("ALWAYS", 60).chain([126, 10199]) {
        let text = random(number);
        let Some(program) = compiled(&text) else {
            continue;
        };
        let system = lower(&program);
        let options = Options {
            limits: LIMITS,
            ..Options::default()
        };
        let results = explore::check(&program, &options, &mut |_| {});
        let round = loops(&program, &results);
        let verified: BTreeSet<SequenceId> = program
            .verifies
            .iter()
            .filter(|one| one.contracts.is_empty())
            .map(|one| one.sequence)
            .collect();
        let contracted = program.verifies.iter().any(|one| !one.contracts.is_empty());
        if contracted {
            continue;
        }
        for &sequence in &verified {
            let told = terminates(&system, sequence, &apart(&system.legal));
            let again = round.contains(&sequence);
            assert!(
                told.is_err() || !again,
                "{number}: {:?}",
                told.map(|one| one.argument)
            );
            proved_ends += usize::from(matches!(
                told.map(|one| one.argument),
                Ok(Argument::Ranking { .. })
            ));
            went_round += usize::from(again);
        }
        let kept = proved(&program, &system);
        let (overlooking, exchangeable) = exchangeable(&program, &system);
        for answer in &results.answers {
            let is_refuted = answer.verdict == Verdict::Refuted;
            let is_alike = match answer.subject {
                Question::Reading(sequence, reading) => {
                    coincide(&overlooking, (sequence, reading), &exchangeable).is_ok()
                }
                _ => false,
            };
            same += usize::from(is_alike);
            let is_proved = kept.contains(&answer.subject) || is_alike;
            assert!(!is_refuted || !is_proved, "{number}: {:?}", answer.subject);
            held += usize::from(is_proved);
            refuted += usize::from(is_refuted);
        }
    }
    println!(
        "{proved_ends} end, {went_round} go round; {held} hold, {same} play alike, {refuted} refuted"
    );
}
