//! What the engines know of a connection.

use std::collections::BTreeSet;

use super::Source;
use super::source::performed;
use endstep_language::typing::program::{
    ClaimKind, EventId, Program, SequenceId, StepId, TriggerId,
};
use endstep_semantics::witness::{Happening, Moment, Ongoing, Witness, replay};
use endstep_verdicts::verdict::{
    Answer, ClaimFailure, Detail, Finding, Question, Results, ScopeOf, Untested, Verdict,
};

/// The finding that a step may have to be done once more.
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
    let mut findings = results.findings.iter();
    if findings.any(|finding| is_round(finding) && !is_made_up(program, finding)) {
        return false;
    }
    // Runs that go round were found, and are only left out here.
    let mut without_end = results.without_end.iter();
    if without_end.any(|(_, code)| code.to_string().starts_with("F05")) {
        return false;
    }
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
        let holds = answer.verdict == Verdict::HoldsInScope && is_run;
        if holds || answer.proof.is_some() {
            ending.extend(performed(source.system, sequence));
        }
    }
    // Of an example nothing of which ever ends, no finding shows a run.
    let goes_on = |answer: &Answer| {
        matches!(answer.subject, Question::Example(_)) && answer.untested == Some(Untested::NoEnd)
    };
    !results.answers.iter().any(goes_on) && sequences.iter().all(|one| ending.contains(one))
}

/// Whether a finding shows a run that goes round.
fn is_round(finding: &Finding) -> bool {
    matches!(
        finding.detail,
        Detail::Loop { .. } | Detail::Growth { .. } | Detail::Claim(_, ClaimFailure::Loop(_))
    ) || matches!(finding.witness, Some(Witness::Lasso { .. }))
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
    /// What is announced by the body of which trigger.
    pub announced: BTreeSet<(TriggerId, EventId)>,
}

/// The findings that show runs that go round, with what happens on the way round.
pub(super) fn rounds(program: &Program, results: &Results) -> Vec<(usize, Way)> {
    let findings = results.findings.iter().enumerate();
    let rounds = findings.filter(|(_, finding)| is_round(finding) && !is_made_up(program, finding));
    let rounds =
        rounds.filter_map(|(at, finding)| Some((at, way(program, finding.witness.as_ref()?)?)));
    rounds.collect()
}

/// What happens on the way round of a witness.
fn way(program: &Program, witness: &Witness) -> Option<Way> {
    let replayed = replay(program, witness).ok()?;
    let trace = replayed.traces.first()?;
    let begins = |what: &Happening| matches!(what, Happening::CycleBegins);
    let from = trace
        .moments
        .iter()
        .position(|moment| begins(&moment.what))?;
    let mut found = Way::default();
    for moment in &trace.moments[from..] {
        match &moment.what {
            Happening::Trigger(instance) => drop(found.triggers.insert(instance.trigger)),
            Happening::Announced(event, _) => {
                let mut around = moment.within.iter().rev();
                let by = around.find_map(|one| match one.what {
                    Ongoing::Trigger(trigger) => Some(trigger),
                    Ongoing::Pass { .. } | Ongoing::Restart(_) | Ongoing::Step(_) => None,
                });
                found.announced.extend(by.map(|trigger| (trigger, *event)));
            }
            _ => {}
        }
    }
    Some(found)
}
