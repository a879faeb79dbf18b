//! Adds to results what a board outside of the explored scope shows, and no board in it does.
//!
//! ```text
//! claim order irrelevant in cleanup     holds in scope, Card.strength 0 to 5
//! board [Card strength 8]               a run in which it does not: refuted
//! ```
//!
//! *Guarantees.* Every run of the board was visited, and what is added was replayed. What is so of boards in the
//! scope stays as it is; only answers that say that nothing speaks against something can change.
//!
//! What can be reached on it can be reached.

use std::collections::{BTreeMap, BTreeSet};

use super::answers::{best, both_looked_at, extreme, place};
use super::bucket::{BucketKey, stronger};
use super::closely::is_of_one_board;
use super::demands;
use super::document;
use super::engine::Engine;
use super::harvest::Asked;
use super::job::Job;
use super::options::{Limits, Options};
use super::setup::Open;
use super::subject;
use super::survey::{self, Explored};
use super::trial::{self, Trials};
use super::tried::{note_untried, note_untried_of_best};
use super::under::joined;
use crate::verdict::{
    Answer, Best, ClaimFailure, Coverage, Detail, Finding, Limitation, Minimality, Outside,
    Question, Results, Scope, Under, Verdict,
};
use endstep_language::diag::codes::finding as code;
use endstep_language::typing::program::{Program, SequenceId};
use endstep_semantics::semantics::Data;
use endstep_semantics::witness::{Witness, replay};

/// What came of a board.
#[derive(Debug, Clone, Default)]
pub struct Beyond {
    /// Whether it is a legal one, or nobody knows.
    pub legal: bool,
    /// Whether all runs were visited, and none was given up.
    pub complete: bool,
    /// What it shows that is new.
    pub new: Vec<(BucketKey, Finding)>,
    /// What speaks against what.
    asked: Vec<(Question, BucketKey)>,
    /// Claims that something can be reached, by position, and a run that does.
    reached: Vec<(usize, Witness)>,
    /// It is suggested by the prover.
    suggested: bool,
    /// Of a board in the file: the value that it comes to, by claim that asks for the largest or smallest.
    best: Vec<(usize, Best, Witness)>,
    /// Of a board in the file: claims that ask for that, and why not all is known of the board.
    pub open: Vec<(usize, Vec<Limitation>)>,
    /// What it shows that other boards show, too, under other readings.
    also: Vec<(BucketKey, Under)>,
    /// What was executed.
    coverage: Coverage,
    /// The sequence of which some run stops there, or need not end; of a board in the file.
    without_end: Option<SequenceId>,
    /// How far it puts questions to the test.
    trials: Trials,
    /// Micro-steps.
    pub steps: u64,
}

/// A board to look at.
#[derive(Clone, Copy)]
pub struct Looked<'a> {
    /// The board.
    pub board: &'a Data,
    /// Why.
    pub outside: Outside,
    /// What that may cost.
    pub limits: Limits,
}

fn key(finding: &Finding) -> BucketKey {
    (finding.code, finding.subject.clone(), finding.cause.clone())
}

/// All runs from a board.
pub struct Seen {
    outside: Outside,
    explored: Explored,
}

/// Visits every run from a legal board, explored or not.
pub fn seen((program, engine): (&Program, &dyn Engine), job: &Job, looked: Looked<'_>) -> Seen {
    let options = Options {
        limits: looked.limits,
        board: Some(looked.board.clone()),
        faults_only: true,
        threads: 1,
        ..Options::default()
    };
    // No note about steps is of one board.
    let settled = Open::all(program);
    let explored = survey::explore((program, engine), job, (&options, 0), &settled, &mut |_| {});
    Seen {
        outside: looked.outside,
        explored,
    }
}

/// Says what runs from a board show and results do not.
pub fn beyond(program: &Program, seen: Seen, results: &Results) -> Beyond {
    let Seen {
        outside,
        mut explored,
    } = seen;
    let mut found = Beyond::of(outside, &mut explored);
    let mut findings = explored.findings;
    demands::retell(&mut findings);
    let known = |key: &BucketKey| results.findings.iter().any(|one| self::key(one) == *key);
    let mut against = BTreeSet::new();
    for (key, finding) in findings {
        let told = stronger(key.0);
        let told = told
            .iter()
            .any(|&code| known(&(code, key.1.clone(), key.2.clone())));
        let mut others = results.findings.iter().filter(|one| self::key(one) == key);
        let is_also = others.any(|one| !one.readings.covers(&finding.readings));
        let is_new = is_of_one_board(key.0) && !told && !known(&key);
        let refutes = known(&key) && refutes_more(&explored.asked, &key, results);
        let shows = || {
            let witness = finding.witness.as_ref();
            witness.is_some_and(|witness| replay(program, witness).is_ok())
        };
        // To replay is what costs.
        if !(is_also || is_new || refutes) || !shows() {
            continue;
        }
        if is_new || refutes {
            against.insert(key.clone());
        }
        if is_also {
            found.also.push((key.clone(), finding.readings.clone()));
        }
        if is_new {
            let finding = Finding {
                witness: finding
                    .witness
                    .map(|witness| named(program, outside, witness)),
                scope: None,
                elsewhere: Vec::new(),
                counted: Vec::new(),
                outside: Some(outside),
                occurs: None,
                // Other boards beyond the scope were not looked at.
                readings_known: false,
                minimality: Minimality::BestEffort,
                ..finding
            };
            found.new.push((key, finding));
        }
    }
    found.show(program, outside, explored.shown);
    let limitations = &explored.scope.limitations;
    if matches!(outside, Outside::Written(_)) && found.legal && !limitations.is_empty() {
        let asked = explored.asked.keys().filter_map(|asked| match asked {
            Question::Claim(claim) => extreme(program, *asked).map(|_| *claim),
            _ => None,
        });
        found.open = asked.map(|claim| (claim, limitations.clone())).collect();
    }
    for (question, keys) in explored.asked {
        let keys = keys.into_iter();
        let keys = keys.filter(|key| against.contains(key));
        found.asked.extend(keys.map(|key| (question, key)));
    }
    let orders = orders(program, &explored.scope, &found.new, results);
    found.asked.extend(orders);
    found
}

/// What else is asked about an order of which a claim is refuted, of those who see the same.
fn orders(
    program: &Program,
    scope: &Scope,
    new: &[(BucketKey, Finding)],
    results: &Results,
) -> Vec<(Question, BucketKey)> {
    let Some(sequence) = scope.subject.sequence(program) else {
        return Vec::new();
    };
    let own = scope.subject.verify(program).and_then(|one| one.observer);
    let is_asked = |question: &Question| {
        let mut answers = results.answers.iter();
        answers.any(|answer| answer.subject == *question)
    };
    let mut found = Vec::new();
    for (key, finding) in new {
        let Detail::Claim(at, ClaimFailure::Order(pair)) = &finding.detail else {
            continue;
        };
        if program.claims[*at].observer.or(own) != own {
            continue;
        }
        let questions = subject::of_order(sequence, pair)
            .into_iter()
            .filter(is_asked);
        found.extend(questions.map(|question| (question, key.clone())));
    }
    found
}

/// Whether a finding speaks against anything that nothing has spoken against until now.
fn refutes_more(asked: &Asked, key: &BucketKey, results: &Results) -> bool {
    let is_open = |question: &Question| {
        let mut answers = results.answers.iter();
        answers
            .find(|answer| answer.subject == *question)
            .is_some_and(|answer| !matches!(answer.verdict, Verdict::Refuted | Verdict::Shown))
    };
    let mut asked = asked.iter();
    asked.any(|(question, keys)| keys.contains(key) && is_open(question))
}

impl Beyond {
    /// How far a board was looked at, and what was executed; nothing of what it shows yet.
    fn of(outside: Outside, explored: &mut Explored) -> Self {
        let is_suggested = matches!(outside, Outside::Suggested);
        Self {
            legal: !explored.scope.has_no_board(),
            complete: explored.scope.is_complete(),
            steps: explored.scope.steps,
            coverage: std::mem::take(&mut explored.coverage),
            without_end: (explored.without_end && !is_suggested).then_some(explored.sequence),
            trials: std::mem::take(&mut explored.trials),
            suggested: is_suggested,
            ..Self::default()
        }
    }

    /// Takes down what can be reached, and what values are.
    fn show(&mut self, program: &Program, outside: Outside, shown: Vec<(BucketKey, Finding)>) {
        for (_, finding) in shown {
            let best = best(&finding);
            let (Detail::Claim(claim, _), Some(witness)) = (finding.detail, finding.witness) else {
                continue;
            };
            if replay(program, &witness).is_err() {
                continue;
            }
            let witness = named(program, outside, witness);
            match (best, outside) {
                (Some(best), Outside::Written(_)) => self.best.push((claim, best, witness)),
                // Which value is the largest is asked of no board that somebody suggests.
                (Some(_), Outside::Suggested) => {}
                (None, _) => self.reached.push((claim, witness)),
            }
        }
    }
}

/// A witness, with the names that things have on the board that the specification writes down, if it begins there.
fn named(program: &Program, outside: Outside, mut witness: Witness) -> Witness {
    if let Outside::Written(board) = outside {
        witness.name(&Data::from_board(program, &program.boards[board]).1);
    }
    witness
}

/// Adds what a board shows to results.
pub fn add(program: &Program, mut found: Beyond, results: &mut Results) {
    let alive = executed(program, &mut found, results);
    let tested = tested(&found.trials, results);
    results.without_end_on_written.extend(found.without_end);
    for finding in &mut results.findings {
        let mut also = found.also.iter();
        if let Some((_, readings)) = also.find(|(of, _)| *of == key(finding)) {
            // Other boards that somebody could suggest may have it under others.
            finding.readings_known &= !found.suggested;
            finding.readings = joined(program, [&finding.readings, readings]);
        }
    }
    let new = found.new;
    let overtaken = |finding: &Finding| {
        stronger(finding.code).iter().any(|&code| {
            new.iter()
                .any(|(key, _)| *key == (code, finding.subject.clone(), finding.cause.clone()))
        })
    };
    let refuted: Vec<Question> = found.asked.iter().map(|(question, _)| *question).collect();
    let untested = |finding: &Finding| match finding.detail {
        Detail::Untested(question, _) => refuted.contains(&question) || tested.contains(&question),
        _ => false,
    };
    let before = std::mem::take(&mut results.findings);
    let kept = before.into_iter().enumerate();
    let reached = |finding: &Finding| match finding.detail {
        Detail::Claim(at, ClaimFailure::Never) => found.reached.iter().any(|(one, _)| *one == at),
        _ => false,
    };
    let kept =
        kept.filter(|(_, finding)| !overtaken(finding) && !untested(finding) && !reached(finding));
    let kept = kept.filter(|(_, finding)| !alive.contains(&key(finding)));
    let mut all: Vec<(Option<usize>, BucketKey, Finding)> = kept
        .map(|(at, finding)| (Some(at), key(&finding), finding))
        .collect();
    all.extend(new.into_iter().map(|(key, finding)| (None, key, finding)));
    all.sort_by(|(_, a, one), (_, b, other)| {
        let place = |finding: &Finding| (finding.severity, finding.spans.first().copied());
        place(one).cmp(&place(other)).then_with(|| a.cmp(b))
    });
    for answer in &mut results.answers {
        let moved = |at: &usize| all.iter().position(|(from, ..)| *from == Some(*at));
        answer.findings = answer.findings.iter().filter_map(moved).collect();
    }
    for (claim, witness) in &found.reached {
        let mut answers = results.answers.iter_mut();
        let answer = answers.find(|answer| answer.subject == Question::Claim(*claim));
        if let Some(answer) = answer.filter(|answer| answer.verdict != Verdict::Shown) {
            assert!(
                answer.proof.is_none(),
                "proof and runs disagree on {:?}",
                answer.subject
            );
            answer.verdict = Verdict::Shown;
            answer.witness = Some(witness.clone());
            answer.suggested = found.suggested;
            answer.untested = None;
        }
    }
    extremes(program, found.best, results);
    for (question, key) in &found.asked {
        let at = all.iter().position(|(_, one, _)| one == key);
        refute(program, (*question, at), results);
    }
    for answer in &mut results.answers {
        answer.findings.sort_unstable();
        answer.findings.dedup();
    }
    results.findings = all.into_iter().map(|(.., finding)| finding).collect();
}

/// Which value is the largest or smallest is asked of a board in the file as of any other.
fn extremes(program: &Program, best: Vec<(usize, Best, Witness)>, results: &mut Results) {
    for (claim, best, witness) in best {
        let mut answers = results.answers.iter_mut();
        if let Some(answer) = answers.find(|one| one.subject == Question::Claim(claim)) {
            answer.verdict = both_looked_at(&answer.verdict, Verdict::Shown);
            answer.take(extreme(program, answer.subject), best, witness);
            note_untried_of_best(program, &results.scopes, answer);
        }
    }
}

/// Says why a largest or smallest value is not known, as not all is known of boards in the file.
pub fn still_open(open: Vec<(usize, Vec<Limitation>)>, results: &mut Results) {
    let mut all: BTreeMap<usize, Vec<Limitation>> = BTreeMap::new();
    for (claim, limitations) in open {
        let known = all.entry(claim).or_default();
        for one in limitations {
            match known.iter().position(|other| other.and(&one).is_some()) {
                Some(at) => known[at] = known[at].and(&one).unwrap_or(one),
                None => known.push(one),
            }
        }
    }
    for (claim, limitations) in all {
        if let Some(answer) = of_claim(results, claim) {
            answer.verdict = both_looked_at(&answer.verdict, Verdict::Unknown(limitations));
        }
    }
}

fn of_claim(results: &mut Results, claim: usize) -> Option<&mut Answer> {
    let mut answers = results.answers.iter_mut();
    answers.find(|answer| answer.subject == Question::Claim(claim))
}

/// What is executed on a board is not dead; what stays so within it is.
fn executed(program: &Program, found: &mut Beyond, results: &mut Results) -> BTreeSet<BucketKey> {
    let told = |one: &&Finding| one.code == code::DEAD;
    let before: BTreeSet<BucketKey> = results.findings.iter().filter(told).map(key).collect();
    if before.is_empty() || !found.legal {
        return BTreeSet::new();
    }
    results.coverage.merge(&found.coverage);
    let now: BTreeMap<BucketKey, Finding> = document::dead(program, &results.coverage)
        .into_iter()
        .collect();
    let gone = before.iter().filter(|key| !now.contains_key(*key));
    let gone: BTreeSet<BucketKey> = gone.cloned().collect();
    if !gone.is_empty() {
        let inner = now.into_iter().filter(|(key, _)| !before.contains(key));
        found.new.extend(inner.map(|(key, mut finding)| {
            note_untried(program, &results.scopes, &mut finding);
            (key, finding)
        }));
    }
    gone
}

/// What a board puts to the test was put to the test.
fn tested(trials: &Trials, results: &mut Results) -> BTreeSet<Question> {
    let mut tested = BTreeSet::new();
    for answer in &mut results.answers {
        if let (Some(known), Some(more)) = (answer.untested, trials.get(&answer.subject)) {
            answer.untested = trial::further(Some(known), *more);
            if answer.untested.is_none() {
                tested.insert(answer.subject);
            }
        }
    }
    for finding in &mut results.findings {
        if let Detail::Untested(question, why) = &mut finding.detail {
            let mut answers = results.answers.iter();
            let answer = answers.find(|answer| answer.subject == *question);
            if let Some(now) = answer.and_then(|answer| answer.untested) {
                *why = now;
            }
        }
    }
    tested
}

/// A finding speaks against what is asked.
fn refute(program: &Program, (question, at): (Question, Option<usize>), results: &mut Results) {
    let mut answers = results.answers.iter();
    let known = answers.position(|answer| answer.subject == question);
    let known = known.unwrap_or_else(|| {
        let (clauses, span) = place(program, question);
        results.answers.push(Answer {
            subject: question,
            verdict: Verdict::Refuted,
            scopes: Vec::new(),
            findings: Vec::new(),
            left_out: Vec::new(),
            clauses,
            span,
            untested: None,
            witness: None,
            suggested: false,
            best: None,
            proof: None,
        });
        results.answers.len() - 1
    });
    let answer = &mut results.answers[known];
    assert!(
        answer.proof.is_none(),
        "proof and runs disagree on {question:?}"
    );
    // Whatever is shown stays so.
    if answer.verdict != Verdict::Shown {
        answer.verdict = Verdict::Refuted;
        answer.untested = None;
        answer.findings.extend(at);
    }
}
