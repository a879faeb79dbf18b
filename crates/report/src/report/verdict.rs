//! Verdicts, limits and questions in words.

use super::asserted::in_a_line;
use super::caveat::caveat;
use super::layout::{count, list};
use super::paragraph::where_so_read;
use super::part::conditions;
use super::untested;
use super::words::{GIVEN_UP, Words, plain};
use endstep_language::typing::program::{Claim, ClaimKind, Owner, Program, ReadingId, SequenceId};
use endstep_semantics::semantics::Site;
use endstep_semantics::witness::{choice_path, step_path};
use endstep_verdicts::verdict::{
    Answer, Argument, Detail, ExampleFailure, Extra, Finding, Limitation, Question, Results, Scope,
    ScopeOf, Verdict,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The verdict on a finding: which rung of the ladder it stands on.
pub(super) fn of_finding(finding: &Finding) -> &'static str {
    match finding.detail {
        // No run of it shows anything.
        Detail::Example {
            why: ExampleFailure::Illegal(_),
            ..
        } if finding.witness.is_none() => "by inspection",
        Detail::Claim(..) | Detail::Example { .. } => "refuted",
        Detail::MissingClause(_)
        | Detail::DanglingReference(..)
        | Detail::UndefinedTerm(..)
        | Detail::NoBoard(_) => "by inspection",
        Detail::DeadStatement(_)
        | Detail::DeadStep(_)
        | Detail::DeadTrigger(_)
        | Detail::DeadReading(_)
        | Detail::IdleStep(..)
        | Detail::Untested(..) => "holds in scope",
        _ => "shown",
    }
}

/// The verdict in a word or two.
pub(super) fn word(answer: &Answer) -> &'static str {
    match &answer.verdict {
        _ if answer.proof.is_some() => "proved",
        Verdict::HoldsInScope => "holds in scope",
        Verdict::Refuted => "refuted",
        Verdict::Shown => "shown",
        Verdict::NoneInScope => "none in scope",
        Verdict::Unknown(_) => "unknown",
    }
}

/// Why something is unknown.
pub(super) fn limitation(limitation: &Limitation) -> String {
    let boards = |number: u64| count(number, "board", "boards");
    match limitation {
        Limitation::Boards(limit) => format!("there are more than {}", boards(*limit)),
        Limitation::Candidates(limit) => format!(
            "{} were looked at in search of legal ones, and there are more",
            boards(*limit)
        ),
        Limitation::States { limit, boards: met } => format!(
            "from {} more than {} can be reached",
            boards(*met),
            count(*limit, "state", "states")
        ),
        Limitation::Memory(met) => format!(
            "the states that can be reached from {} take too much memory",
            boards(*met)
        ),
        Limitation::Steps(limit) => {
            format!("it would take more than {}", count(*limit, "step", "steps"))
        }
        Limitation::Bounds(met) => {
            format!("runs from {} were given up {GIVEN_UP}", boards(*met))
        }
        Limitation::Evaluation(met) => format!(
            "on {} too much has to be evaluated at once, or a number becomes too large",
            boards(*met)
        ),
        Limitation::Created(_) => {
            "too many new entities have to be compared with each other".to_owned()
        }
        Limitation::Again(met) => {
            format!("what a second time does is not known on {}", boards(*met))
        }
        Limitation::Compared(met) => format!(
            "what the other sequence does is not known on {}",
            boards(*met)
        ),
        Limitation::Unasked(met) => format!("on {} it would have taken too much", boards(*met)),
        Limitation::Readings { limit, boards: met } => format!(
            "runs from {} depend on more than {}",
            boards(*met),
            count(
                *limit,
                "combination of readings",
                "combinations of readings"
            )
        ),
        Limitation::Interrupted => "the check was interrupted".to_owned(),
        Limitation::Unshown(_) => {
            "what was found cannot be shown again, which is a fault of Endstep: please report it"
                .to_owned()
        }
        Limitation::NotLegal => {
            "the board is not legal, so that there is no board to look at".to_owned()
        }
        Limitation::NotLegalAsRead => {
            "the board is not legal under the readings that were tried, so that there is no board to look at"
                .to_owned()
        }
        Limitation::NoBoard => {
            "no board within the explored sizes is legal and one of those to be tried".to_owned()
        }
        Limitation::Uncompared => {
            "two of these ways were compared on no board: none is legal, and explored, under both of them with all other \
             readings the same"
                .to_owned()
        }
    }
}

/// Why something is unknown that was asked in one scope or several.
pub(super) fn why_unknown(why: &[Limitation]) -> Vec<String> {
    let one = |one: &Limitation| {
        match one {
        // Another scope may have boards.
        Limitation::NoBoard => {
            "there is a scope of which no board within the explored sizes is legal and one of those to be tried".to_owned()
        }
        other => limitation(other),
    }
    };
    why.iter().map(one).collect()
}

/// Why answers are open, in general: the limits themselves stand with each.
pub(super) fn why_open(results: &Results) -> String {
    let open = results.answers.iter().filter(|answer| answer.is_open());
    let limitations = open.flat_map(|answer| match &answer.verdict {
        Verdict::Unknown(why) => why.as_slice(),
        Verdict::HoldsInScope | Verdict::Refuted | Verdict::Shown | Verdict::NoneInScope => &[],
    });
    let unseen = results.unseen().into_iter();
    let limitations = limitations.chain(unseen.flat_map(|scope| &scope.limitations));
    let reasons: BTreeSet<&str> = limitations
        .map(|why| match why {
            Limitation::NoBoard | Limitation::NotLegal | Limitation::NotLegalAsRead => {
                "there was no board to look at"
            }
            Limitation::Uncompared => "ways to read a sentence were compared on no board",
            Limitation::Interrupted => "the check was interrupted",
            Limitation::Boards(_)
            | Limitation::Candidates(_)
            | Limitation::States { .. }
            | Limitation::Memory(_)
            | Limitation::Steps(_)
            | Limitation::Bounds(_)
            | Limitation::Evaluation(_)
            | Limitation::Created(_)
            | Limitation::Unasked(_)
            | Limitation::Again(_)
            | Limitation::Compared(_)
            | Limitation::Readings { .. }
            | Limitation::Unshown(_) => "a limit was reached",
        })
        .collect();
    let reasons: Vec<String> = reasons.into_iter().map(str::to_owned).collect();
    list(&reasons, "or")
}

/// What was asked, in words.
pub(super) fn told(words: Words<'_>, asked: Question) -> String {
    match asked {
        Question::Claim(at) => match words.program.claims.get(at) {
            Some(claim) => in_a_line(words, claim),
            None => String::new(),
        },
        other => question(words, other),
    }
}

/// That all ways of a reading play alike, or two of them: `in s, both ways of the reading "r" play alike`.
fn alike(
    words: Words<'_>,
    (of, reading): (SequenceId, ReadingId),
    two: Option<[u16; 2]>,
) -> String {
    let (of, named) = (asked_in(words, of, None), words.reading(reading));
    let ways = words.program.readings[reading].alternatives.len();
    match (two, ways) {
        (Some(two), _) => {
            let [one, other] = two.map(|at| words.alternative(reading, at));
            format!("{of}{one} and {other}, of {named}, play alike")
        }
        (None, 2) => format!("{of}both ways of {named} play alike"),
        (None, ways) => format!("{of}all {ways} ways of {named} play alike"),
    }
}

/// What was asked; of what is written as a formula, that.
pub(super) fn question(words: Words<'_>, question: Question) -> String {
    let program = words.program;
    let placed = |of, site, what: &str| {
        let asked = asked_in(words, of, sequence_at(program, site));
        format!("{asked}{what} {}", words.within(site))
    };
    match question {
        Question::Claim(at) => match program.claims.get(at) {
            Some(claim) => words.line(claim.span),
            None => String::new(),
        },
        Question::Example(at) => match program.examples.get(at) {
            Some(example) => format!("the example \"{}\"", plain(&example.name)),
            None => String::new(),
        },
        Question::Reading(of, reading) => alike(words, (of, reading), None),
        Question::Ways(of, reading, one, other) => alike(words, (of, reading), Some([one, other])),
        Question::Order(of, site) => placed(of, site, "the order does not matter"),
        Question::Steps(of, one, other) => {
            let name = |id| plain(&program.steps[id].name);
            let own = program.steps[one].sequence;
            format!(
                "{}the steps \"{}\" and \"{}\" of {} can change places",
                asked_in(words, of, Some(own)),
                name(one),
                name(other),
                words.sequence(own)
            )
        }
        Question::Triggers(sequence, one, other) => {
            let name = |id| plain(&program.triggers[id].name);
            let sequence = words.sequence(sequence);
            match one == other {
                true => format!(
                    "in {sequence} it makes no difference for which of two things the trigger \"{}\" comes first",
                    name(one)
                ),
                false => format!(
                    "the triggers \"{}\" and \"{}\" can change places in {sequence}",
                    name(one),
                    name(other)
                ),
            }
        }
        Question::Position(of, stmt) => {
            let asked = placed(of, Site::Stmt(stmt), "another order would not matter");
            format!("{asked}{}", where_so_read(words, stmt))
        }
        Question::Terminates(sequence) => format!(
            "{} ends, unless players or chance keep it going",
            words.sequence(sequence)
        ),
        Question::Legal(sequence, at) => {
            let legal = program.legals.get(at);
            let name = legal.map_or_else(String::new, |legal| plain(&legal.name));
            format!("\"{name}\" still holds after {}", words.sequence(sequence))
        }
        Question::Contract(sequence) => format!("{} keeps its contract", words.sequence(sequence)),
        Question::Gap(of, stmt) => {
            placed(of, Site::Stmt(stmt), "what is left open does not matter")
        }
    }
}

/// The sequence in which something is asked, where that is not said anyhow: it is asked of each for itself.
fn asked_in(words: Words<'_>, of: SequenceId, own: Option<SequenceId>) -> String {
    let program = words.program;
    let verified = program.verifies.iter().map(|one| one.sequence);
    let claimed = program.claims.iter().map(|one| one.kind.sequence());
    let mut others = verified.chain(claimed).filter(|&one| one != of);
    match own == Some(of) || others.next().is_none() {
        true => String::new(),
        false => format!("in {}, ", words.sequence(of)),
    }
}

/// In the rules of which sequence a place lies.
fn sequence_at(program: &Program, site: Site) -> Option<SequenceId> {
    let step = match site {
        Site::Sequence(sequence) | Site::Places(sequence) => return Some(sequence),
        Site::Step(step) => step,
        Site::Stmt(stmt) => match program.stmts[stmt].owner? {
            Owner::Step(step) => step,
            Owner::Restart(sequence) => return Some(sequence),
            Owner::Trigger(_) => return None,
        },
        _ => return None,
    };
    Some(program.steps[step].sequence)
}

/// What was asked of something that holds, with the reason if it was hardly put to the test, and with what it
/// does not say.
pub(super) fn held(words: Words<'_>, answer: &Answer, results: &Results) -> String {
    let asked = told(words, answer.subject);
    let reason = match (&answer.proof, answer.untested) {
        (Some(proof), _) => Some(format!(
            "proved: {}",
            argued(words, answer.subject, &proof.argument)
        )),
        (None, Some(why)) => {
            Some(untested::in_brief(words.program, answer.subject, why).to_owned())
        }
        (None, None) => None,
    };
    let notes: Vec<String> = reason
        .into_iter()
        .chain(caveat(words, answer, results))
        .collect();
    match notes.is_empty() {
        true => asked,
        false => format!("{asked} ({})", notes.join("; ")),
    }
}

/// The argument of a proof, in a few words. A claim about orders speaks of those that are open.
pub(super) fn argued(words: Words<'_>, question: Question, argument: &Argument) -> String {
    let claim = match question {
        Question::Claim(at) => words.program.claims.get(at),
        _ => None,
    };
    let of_orders = |claim: &Claim| matches!(claim.kind, ClaimKind::OrderIrrelevant(..));
    match claim.is_some_and(of_orders) {
        true => format!("where an order is open, {}", argument.words()),
        false => argument.words(),
    }
}

/// What kind of question it is, for programs.
pub(super) fn question_kind(question: Question) -> &'static str {
    match question {
        Question::Claim(_) => "claim",
        Question::Example(_) => "example",
        Question::Reading(..) => "reading",
        Question::Ways(..) => "ways",
        Question::Order(..) => "order",
        Question::Steps(..) => "steps",
        Question::Triggers(..) => "triggers",
        Question::Position(..) => "position",
        Question::Terminates(_) => "terminates",
        Question::Legal(..) => "legal",
        Question::Contract(_) => "contract",
        Question::Gap(..) => "gap",
    }
}

/// What kind of question it is, for people: what the author asks is no claim.
pub(super) fn question_called(program: &Program, question: Question) -> &'static str {
    match question {
        Question::Claim(at) if program.claims.get(at).is_some_and(|one| one.question) => "question",
        other => question_kind(other),
    }
}

/// What was asked about, by names of the specification: it survives unrelated edits.
pub(super) fn question_subject(program: &Program, question: Question) -> String {
    let sequence = |id| program.sequences[id].name.clone();
    match question {
        Question::Claim(at) => program
            .claims
            .get(at)
            .map_or_else(String::new, |claim| claim.name.clone()),
        Question::Example(at) => program
            .examples
            .get(at)
            .map_or_else(String::new, |example| example.name.clone()),
        Question::Reading(_, reading) => program.readings[reading].name.clone(),
        Question::Ways(_, reading, one, other) => {
            let reading = &program.readings[reading];
            // Whichever is declared first.
            let mut names = [one, other].map(|at| &reading.alternatives[usize::from(at)].name);
            names.sort_unstable();
            format!("{}: {} | {}", reading.name, names[0], names[1])
        }
        Question::Order(_, site) => choice_path(program, site),
        Question::Steps(_, one, other) => format!(
            "{} + {}",
            step_path(program, one),
            step_path(program, other)
        ),
        Question::Triggers(_, one, other) => format!(
            "{} + {}",
            program.triggers[one].name, program.triggers[other].name
        ),
        Question::Position(_, stmt) | Question::Gap(_, stmt) => program.stmts[stmt].path.clone(),
        Question::Terminates(id) | Question::Contract(id) => sequence(id),
        Question::Legal(id, at) => {
            let legal = program.legals.get(at);
            let name = legal.map_or("", |legal| legal.name.as_str());
            format!("{}: {name}", sequence(id))
        }
    }
}

/// The sequence of which it is asked, if the same can be asked of others, each for itself; with
/// [`question_kind`] and [`question_subject`] it tells a question from all others.
pub(super) fn question_sequence(question: Question) -> Option<SequenceId> {
    match question {
        Question::Claim(_) | Question::Example(_) => None,
        Question::Reading(of, _)
        | Question::Ways(of, ..)
        | Question::Order(of, _)
        | Question::Steps(of, ..)
        | Question::Triggers(of, ..)
        | Question::Position(of, _)
        | Question::Terminates(of)
        | Question::Legal(of, _)
        | Question::Contract(of)
        | Question::Gap(of, _) => Some(of),
    }
}

/// What was asked about, in an order that does not depend on that of the declarations.
pub(super) fn question_parts(program: &Program, question: Question) -> Vec<String> {
    let mut parts = match question {
        Question::Steps(_, one, other) => {
            vec![step_path(program, one), step_path(program, other)]
        }
        Question::Triggers(_, one, other) => [one, other]
            .map(|id| program.triggers[id].name.clone())
            .to_vec(),
        other => vec![question_subject(program, other)],
    };
    parts.sort_unstable();
    parts
}

/// From where an exploration started.
pub(super) fn scope_subject(words: Words<'_>, scope: &Scope) -> String {
    let program = words.program;
    let example = |at: usize| program.examples.get(at);
    match (scope.subject.sequence(program), scope.subject) {
        (_, ScopeOf::On(board, sequence)) => {
            format!("{} from {}", words.sequence(sequence), words.board(board))
        }
        (Some(sequence), _) => words.sequence(sequence),
        (None, ScopeOf::Example(at)) => example(at).map_or_else(String::new, |example| {
            format!("the example \"{}\"", plain(&example.name))
        }),
        (None, ScopeOf::Verify(_) | ScopeOf::Sequence(_)) => String::new(),
    }
}

/// The conditions of `explore only` under which the boards of a scope were enumerated.
pub(super) fn explored_only<'a>(words: Words<'a>, scope: &Scope) -> Vec<&'a str> {
    if scope.subject.board(words.program).is_some() {
        return Vec::new();
    }
    let conditions = words.program.explored.iter();
    conditions.map(|one| one.name.as_str()).collect()
}

/// What the boards of a scope meet besides, as its `verify` says: `round = 1`.
pub(super) fn scope_condition(words: Words<'_>, scope: &Scope) -> Option<String> {
    let condition = scope.subject.verify(words.program)?.condition.as_ref()?;
    Some(words.quote(condition.span))
}

/// What leaves out legal boards of some scopes, if anything does.
pub(super) fn restricted<'s>(
    words: Words<'_>,
    scopes: impl IntoIterator<Item = &'s Scope, IntoIter: Clone>,
) -> Option<&'static str> {
    let mut scopes = scopes.into_iter();
    let verified = scopes
        .clone()
        .any(|one| scope_condition(words, one).is_some());
    let explored = scopes.any(|one| !explored_only(words, one).is_empty());
    conditions(explored, verified)
}

/// What a test that nobody asked for would have told.
pub(super) fn extra_words(words: Words<'_>, extra: Extra) -> String {
    match extra {
        Extra::Demands => "which of several demands contradict each other".to_owned(),
        Extra::Position(stmt) => format!(
            "whether another order would matter in {}",
            words.site(Site::Stmt(stmt))
        ),
        Extra::Idle(step) => format!("whether {} makes a difference", words.step(step)),
        Extra::Recheck(step) => format!("whether {} lacks a second look", words.step(step)),
        Extra::Compared(claim) => format!(
            "what the other sequence does, of which \"{}\" speaks",
            plain(&words.program.claims[claim].name)
        ),
        Extra::Again(claim) => format!(
            "what a second time does, of which \"{}\" speaks",
            plain(&words.program.claims[claim].name)
        ),
    }
}

/// The same as data.
pub(super) fn extra_json(program: &Program, (extra, boards): (Extra, u64)) -> Value {
    let (kind, at) = match extra {
        Extra::Demands => ("demands", String::new()),
        Extra::Position(stmt) => ("position", program.stmts[stmt].path.clone()),
        Extra::Idle(step) => ("idle step", step_path(program, step)),
        Extra::Recheck(step) => ("second look", step_path(program, step)),
        Extra::Again(claim) => ("second time", program.claims[claim].name.clone()),
        Extra::Compared(claim) => ("other sequence", program.claims[claim].name.clone()),
    };
    json!({ "kind": kind, "at": at, "boards": boards })
}

/// Where no question is open, and not everything that can happen was seen.
pub(super) fn unseen(words: Words<'_>, results: &Results) -> Vec<String> {
    let told = results.unseen().into_iter().map(|scope| {
        let why: Vec<String> = scope.limitations.iter().map(limitation).collect();
        format!(
            "what else can happen in {}: {}",
            scope_subject(words, scope),
            why.join("; ")
        )
    });
    told.collect()
}

/// Whether of every board that was looked at it is known whether a finding occurs on it.
pub(super) fn is_known(scope: &Scope, finding: &Finding) -> bool {
    let mut limitations = scope.limitations.iter();
    let gave_up_none = limitations.all(|one| {
        let leaves_out = matches!(
            one,
            Limitation::Boards(_) | Limitation::Candidates(_) | Limitation::Unasked(_)
        );
        leaves_out || one.is_of_no_board()
    });
    gave_up_none && !finding.lacks(scope)
}
