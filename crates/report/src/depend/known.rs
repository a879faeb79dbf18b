//! What the engines know of a connection.

use std::collections::BTreeSet;

use super::source::performed;
use super::{Source, Thing};
use endstep_language::diag::Code;
use endstep_language::diag::codes::finding::GROWTH;
use endstep_language::typing::program::{
    ClaimKind, EventId, Program, SequenceId, StepId, TriggerId,
};
use endstep_semantics::witness::{Happening, Moment, Ongoing, RunEnd, Witness, replay};
use endstep_verdicts::verdict::{
    Answer, ClaimFailure, Detail, Finding, Question, Results, ScopeOf, Untested, Verdict,
};

/// The finding that what a step did can be undone later.
pub(super) fn recheck(source: Source<'_>, sequence: SequenceId, step: StepId) -> Option<usize> {
    let mut findings = source.results?.findings.iter();
    findings.position(|finding| finding.detail == Detail::MissingRecheck(sequence, step))
}

/// The one step of a sequence that changes anything, on the run of a finding, after a step was last done; none
/// if several do, or anything else does.
pub(super) fn only_change(
    source: Source<'_>,
    finding: usize,
    (sequence, step): (SequenceId, StepId),
) -> Option<StepId> {
    let finding = source.results?.findings.get(finding)?;
    let replayed = replay(source.program, finding.witness.as_ref()?).ok()?;
    let moments = &replayed.traces.first()?.moments;
    let ended = |moment: &Moment| moment.what == Happening::StepEnd(step);
    let from = moments.iter().rposition(ended)?;
    let changing = moments[from + 1..].iter();
    let changing = changing.filter(|moment| !moment.changes.is_empty());
    let doing = changing.map(|moment| {
        let mut steps = moment.within.iter().filter_map(|within| match within.what {
            Ongoing::Step(step) => Some(step),
            Ongoing::Pass { .. } | Ongoing::Restart(_) | Ongoing::Trigger(_) => None,
        });
        steps.rfind(|&id| source.program.steps[id].sequence == sequence)
    });
    let doing: BTreeSet<Option<StepId>> = doing.collect();
    let mut doing = doing.into_iter();
    doing.next().filter(|_| doing.next().is_none())?
}

/// Whether all runs of some sequences were explored, and end: each is verified, or performed by one
/// that is.
pub(super) fn all_end(source: Source<'_>, sequences: &[SequenceId]) -> bool {
    let Some(results) = source.results else {
        return false;
    };
    let program = source.program;
    let told = results.findings.iter();
    let told = told.filter(|finding| !is_made_up(program, finding));
    // Runs that go round can also have been found, and only be left out here.
    let round = |code: &Code| code.to_string().starts_with("F05");
    let left_out = results.without_end.iter().map(|(_, code)| code);
    let left_out: Vec<&Code> = left_out.filter(|code| round(code)).collect();
    let is_growth = |code: &&Code| **code == GROWTH;
    if told.clone().any(never_ends) || !left_out.iter().all(is_growth) {
        return false;
    }
    // Of what grows only a proof says that it ends.
    let grows = told.clone().any(grows) || !left_out.is_empty();
    // What is run for claims alone is not asked whether it ends.
    let asked = |sequence: SequenceId| {
        let mut answers = results.answers.iter();
        answers.any(|answer| answer.subject == Question::Terminates(sequence))
    };
    let mut scopes = results.scopes.iter();
    let unasked = scopes.any(|scope| match scope.subject {
        ScopeOf::Sequence(id) | ScopeOf::On(_, id) => {
            !program.sequences[id].is_experiment() && !asked(id)
        }
        _ => false,
    });
    if unasked {
        return false;
    }
    let ending = shown_to_end(source, results, grows);
    // Of an example nothing of which ever ends, no finding shows a run.
    let goes_on = |answer: &Answer| {
        matches!(answer.subject, Question::Example(_)) && answer.untested == Some(Untested::NoEnd)
    };
    !results.answers.iter().any(goes_on) && sequences.iter().all(|one| ending.contains(one))
}

/// The sequences of which it is proved that all runs end, or, if none is known to grow, of which all were explored and
/// end, with what they perform.
fn shown_to_end(source: Source<'_>, results: &Results, grows: bool) -> BTreeSet<SequenceId> {
    let program = source.program;
    let of = |question: Question| match question {
        Question::Terminates(sequence) => Some(sequence),
        Question::Claim(at) => match program.claims[at].kind {
            ClaimKind::Terminates(sequence, None) if program.claims[at].on.is_none() => {
                Some(sequence)
            }
            // What is asked of some boards, or of something else, does not say that all runs end.
            _ => None,
        },
        // Nothing else asks whether runs end.
        _ => None,
    };
    let mut ending = BTreeSet::new();
    for answer in &results.answers {
        let Some(sequence) = of(answer.subject) else {
            continue;
        };
        let verifies = program.verifies.iter();
        let mut verifies = verifies.filter(|verify| verify.sequence == sequence);
        // What a contract stands for is not run; what is proved rests on none.
        let is_run = verifies.any(|verify| verify.contracts.is_empty());
        let holds = answer.verdict == Verdict::HoldsInScope && is_run && !grows;
        if holds || answer.proof.is_some() {
            ending.extend(performed(source.system, sequence));
        }
    }
    ending
}

/// Whether a finding shows a run that never ends.
fn never_ends(finding: &Finding) -> bool {
    let is_of_claim = matches!(finding.detail, Detail::Claim(..));
    matches!(
        finding.detail,
        Detail::Loop { .. } | Detail::Claim(_, ClaimFailure::Loop(_))
    ) || matches!(finding.witness, Some(Witness::Lasso { .. }))
        || is_of_claim && finding.witness.as_ref().is_some_and(has_round)
}

/// Whether a run of a witness never ends: of something done again, say, or of another sequence.
fn has_round(witness: &Witness) -> bool {
    let mut runs = witness.runs().into_iter();
    runs.any(|run| matches!(run.end, RunEnd::Loop { .. }))
}

/// Whether a finding shows a run that goes on as far as it was followed, each time with more.
fn grows(finding: &Finding) -> bool {
    matches!(finding.detail, Detail::Growth { .. })
}

/// Whether a finding is about what the author made up.
fn is_made_up(program: &Program, finding: &Finding) -> bool {
    let Detail::Claim(at, _) = finding.detail else {
        return false;
    };
    let claim = program.claims.get(at);
    claim.is_some_and(|claim| program.asks_about_experiment(claim))
}

/// What happens on the way round of a run.
#[derive(Debug, Default)]
pub(super) struct Way {
    /// The triggers that are resolved.
    pub triggers: BTreeSet<TriggerId>,
    /// The sequences that begin again by their restart rule.
    pub restarts: BTreeSet<SequenceId>,
    /// What is announced by the body of which step, restart or trigger. A trigger also announces what a sequence does
    /// that it performs.
    pub announced: BTreeSet<(Thing, EventId)>,
    /// What is announced, and by the body of which trigger, if any.
    pub caused: BTreeSet<(Option<TriggerId>, EventId)>,
}

/// What is known of a run that goes round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Goes {
    /// It never ends.
    Forever,
    /// It goes on as far as it was followed.
    AsFollowed,
}

/// The findings that show runs that go round, with what happens on the way round.
pub(super) fn rounds(program: &Program, results: &Results) -> Vec<(usize, Goes, Way)> {
    let findings = results.findings.iter().enumerate();
    let findings = findings.filter(|(_, finding)| !is_made_up(program, finding));
    let rounds = findings.filter_map(|(at, finding)| {
        let goes = match (never_ends(finding), grows(finding)) {
            (true, _) => Goes::Forever,
            (false, true) => Goes::AsFollowed,
            (false, false) => return None,
        };
        Some((at, goes, way(program, finding.witness.as_ref()?)?))
    });
    rounds.collect()
}

/// What happens on the way round of a witness.
fn way(program: &Program, witness: &Witness) -> Option<Way> {
    let replayed = replay(program, witness).ok()?;
    let begins = |moment: &Moment| matches!(moment.what, Happening::CycleBegins);
    let mut rounds = replayed.traces.iter().filter_map(|trace| {
        let from = trace.moments.iter().position(begins)?;
        Some(&trace.moments[from..])
    });
    let round = rounds.next()?;
    let mut found = Way::default();
    for moment in round {
        match &moment.what {
            Happening::Trigger(instance) => drop(found.triggers.insert(instance.trigger)),
            Happening::Cancelled { sequence, .. } => drop(found.restarts.insert(*sequence)),
            Happening::Announced(event, _) => announced(&mut found, moment, *event),
            // Nothing else begins what the picture shows.
            _ => {}
        }
    }
    Some(found)
}

/// Adds an event that is announced at a moment.
fn announced(found: &mut Way, moment: &Moment, event: EventId) {
    let around = moment.within.iter().rev();
    let bodies = around.filter_map(|one| match one.what {
        Ongoing::Step(step) => Some(Thing::Step(step)),
        Ongoing::Restart(sequence) => Some(Thing::Restart(sequence)),
        Ongoing::Trigger(trigger) => Some(Thing::Trigger(trigger)),
        Ongoing::Pass { .. } => None,
    });
    let bodies: Vec<Thing> = bodies.collect();
    let of_trigger = |thing: &Thing| match thing {
        Thing::Trigger(trigger) => Some(*trigger),
        _ => None,
    };
    let cause = bodies.iter().find_map(of_trigger);
    let by = bodies.first().copied();
    for thing in by.into_iter().chain(cause.map(Thing::Trigger)) {
        found.announced.insert((thing, event));
    }
    found.caused.insert((cause, event));
}
