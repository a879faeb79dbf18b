//! What a claim that holds does not say, beside findings that could be taken to refute it.
//!
//! ```text
//! claim as_many: As many come as go (runs that stop or never end do not count: F0301)
//! claim any_order: It makes no difference who is first (the order that the document fixes in the step
//! "score", at `for each c: Card in row, left to right` (row.endstep:12) matters: F0203)
//! ```

use super::layout::{count, digits, list};
use super::words::{Words, plain};
use endstep_language::syntax::ast::At;
use endstep_language::typing::program::{
    Board, Claim, ClaimKind, Decider, Declared, ListPolicy, ObserverId, Order, Program, SequenceId,
    StepId, StmtId, StmtKind, Visit, Walk,
};
use endstep_semantics::semantics::{Data, Site};
use endstep_semantics::witness::{Happening, Run, Witness, trace as followed};
use endstep_verdicts::analysis::{Reachable, of_boards, pairs};
use endstep_verdicts::verdict::{Answer, Question, Results, Scope, ScopeOf, Untested, Verdict};
use std::collections::BTreeSet;

/// What is to be added to something that holds, or is proved: what it does not speak of, and what it rests on.
pub(super) fn caveat(words: Words<'_>, answer: &Answer, results: &Results) -> Option<String> {
    if answer.verdict == Verdict::Shown {
        let runs = || answer.witness.iter().flat_map(Witness::runs);
        let contracts = runs().flat_map(|run| stood_for(words, run)).collect();
        let written = runs().find_map(|run| on_written(words, run));
        // What is asked of one board says so itself.
        let written = written.filter(|_| !is_of_one_board(words.program, answer.subject));
        let is_start = |run: &Run| followed(words.program, run).is_ok_and(|one| one.steps == 0);
        let at_start = runs()
            .all(is_start)
            .then(|| "from the start, before anything is done".to_owned());
        // That no other value is better holds of all runs, as what is claimed does.
        let of = answer.best.as_ref();
        let of = of.and_then(|_| sequence(words, answer.subject));
        let suggested = answer.suggested.then(|| {
            "on a board that the prover suggested, outside of the explored scope".to_owned()
        });
        let parts: Vec<String> = written
            .into_iter()
            .chain(suggested)
            .chain(at_start)
            .chain(of.and_then(|_| own(words, answer, results)))
            .chain(match of {
                Some(of) => relied_on(words, (answer.subject, of), results),
                None => allowed(words, contracts),
            })
            .collect();
        return (!parts.is_empty()).then(|| parts.join("; "));
    }
    let of = sequence(words, answer.subject);
    if is_of_a_value(words.program, answer.subject) {
        let runs = answer.witness.iter().flat_map(Witness::runs);
        return match answer.verdict {
            Verdict::NoneInScope => relied_on(words, (answer.subject, of?), results),
            _ => allowed(words, runs.flat_map(|run| stood_for(words, run)).collect()),
        };
    }
    let holds = answer.proof.is_some() || answer.verdict == Verdict::HoldsInScope;
    if !holds {
        return None;
    }
    let tried = of.filter(|_| answer.proof.is_none());
    let is_claim = matches!(answer.subject, Question::Claim(_));
    let of_all = is_claim && !is_of_one_board(words.program, answer.subject);
    let claimed = tried.filter(|_| of_all);
    let parts = [
        declared(words, answer, results),
        own(words, answer, results),
        of.and_then(|of| seen(words, answer, of, results)),
        not_compared(words, answer, results),
        tried.and_then(|of| relied_on(words, (answer.subject, of), results)),
        claimed.and_then(|of| unvisited(words, of, results)),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// The claim or question of the author that is answered, if one is.
fn claim(program: &Program, asked: Question) -> Option<&Claim> {
    match asked {
        Question::Claim(at) => program.claims.get(at),
        _ => None,
    }
}

/// Whether the largest or smallest value of something is asked for.
fn is_of_a_value(program: &Program, asked: Question) -> bool {
    claim(program, asked).is_some_and(|claim| claim.kind.extreme().is_some())
}

/// Whether something is asked of one board alone.
fn is_of_one_board(program: &Program, asked: Question) -> bool {
    claim(program, asked).is_some_and(|claim| claim.on.is_some())
}

/// What the sentence itself leaves open.
fn own(words: Words<'_>, answer: &Answer, results: &Results) -> Option<String> {
    let of_end = normal_ends(words.program, answer.subject);
    let claim = match answer.subject {
        Question::Claim(at) => Some(&words.program.claims.get(at)?.kind),
        _ => None,
    };
    match (claim, of_end) {
        // What is found of a sequence need not be so of one board.
        (Some(ClaimKind::OrderIrrelevant(..)), _)
            if is_of_one_board(words.program, answer.subject) =>
        {
            None
        }
        (Some(ClaimKind::OrderIrrelevant(of, step)), _) => fixed(words, (*of, *step), results),
        // Where no run ends, that is said anyhow.
        _ if answer.untested == Some(Untested::NoEnd) => None,
        (
            Some(
                ClaimKind::Must(_, of, _)
                | ClaimKind::ReachableAfter(_, of, _)
                | ClaimKind::ExtremeAfter(_, _, of, _),
            ),
            _,
        ) => without_end(*of, answer, results),
        (_, of) => without_end(of?, answer, results),
    }
}

/// The sequence of whose normal ends alone something is asked.
fn normal_ends(program: &Program, asked: Question) -> Option<SequenceId> {
    match asked {
        Question::Claim(at) => match program.claims.get(at)?.kind {
            ClaimKind::Invariant(_, At::End, of) | ClaimKind::Idempotent(of, None) => Some(of),
            _ => None,
        },
        Question::Legal(of, _) | Question::Contract(of) => Some(of),
        _ => None,
    }
}

/// The sequence that a question is about.
fn sequence(words: Words<'_>, asked: Question) -> Option<SequenceId> {
    match asked {
        Question::Claim(at) => Some(words.program.claims.get(at)?.kind.sequence()),
        Question::Example(_) => None,
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

/// Whether outcomes are compared. What does not hold of all that a contract allows together may hold of the rules
/// that keep it, and the other way round.
pub(super) fn compares(program: &Program, asked: Question) -> bool {
    match asked {
        Question::Claim(at) => program.claims.get(at).is_some_and(|claim| {
            matches!(
                claim.kind,
                ClaimKind::OrderIrrelevant(..)
                    | ClaimKind::Equivalent(..)
                    | ClaimKind::Idempotent(..)
            )
        }),
        Question::Reading(..)
        | Question::Ways(..)
        | Question::Order(..)
        | Question::Steps(..)
        | Question::Triggers(..)
        | Question::Position(..)
        | Question::Gap(..) => true,
        Question::Example(_)
        | Question::Terminates(_)
        | Question::Legal(..)
        | Question::Contract(_) => false,
    }
}

/// Where outcomes are compared: what of them counts, if that is said elsewhere.
fn seen(words: Words<'_>, answer: &Answer, of: SequenceId, results: &Results) -> Option<String> {
    let (program, asked) = (words.program, answer.subject);
    if !compares(program, asked) {
        return None;
    }
    let own = match asked {
        Question::Claim(at) => program.claims.get(at)?.observer,
        _ => None,
    };
    let verify = program.verifies.iter().find(|one| one.sequence == of);
    let observer = verify.and_then(|one| one.observer);
    let observer = observer.filter(|_| own.is_none());
    // Where something is done again, an end of another kind refutes it.
    let again =
        claim(program, asked).is_some_and(|claim| matches!(claim.kind, ClaimKind::Idempotent(..)));
    let mut declares = declares(program, of);
    let decided = declares.any(|id| answer.proof.is_some() || results.coverage.has_stmt(id));
    let told = compared(words, observer, decided && !again);
    // Of readings it is compared.
    let open = !matches!(asked, Question::Reading(..) | Question::Ways(..)) && !again;
    if !open || !is_chosen(program, of) {
        return told;
    }
    Some(match told {
        Some(told) => format!("{told}, and {NOT_WHO}"),
        None => format!("comparing how it can end, and {NOT_WHO}"),
    })
}

/// What no comparison of orders, sequences and steps speaks of.
const NOT_WHO: &str = "not who can bring that about";

/// Whether a player chooses something in what a sequence can come to, and so can have more of a say with one order than
/// with another.
fn is_chosen(program: &Program, of: SequenceId) -> bool {
    let all = reachable(program, of);
    let mut found = Players(false);
    for id in all.stmts {
        program.stmts[id].kind.meet(&mut found);
    }
    for id in all.sequences {
        let sequence = &program.sequences[id];
        if let ListPolicy::Chosen(by) = &sequence.policy {
            found.decider(by);
        }
        if let Some(over) = &sequence.over {
            over.order.meet(&mut found);
        }
    }
    for event in program.events.values() {
        event.listeners.meet(&mut found);
    }
    found.0
}

/// Whether a player decides something.
struct Players(bool);

impl<'t> Visit<'t> for Players {
    fn decider(&mut self, by: &'t Decider) {
        self.0 |= matches!(by, Decider::Player(_) | Decider::Everyone);
    }

    fn order(&mut self, order: &'t Order) {
        self.0 |= matches!(order, Order::Own);
        order.inside(self);
    }
}

/// A sentence of that, with a blank before it; else empty.
pub(super) fn who_is_left_out(program: &Program, sequences: &[SequenceId]) -> &'static str {
    match sequences.iter().any(|&id| is_chosen(program, id)) {
        true => " Who can bring that about was not compared.",
        false => "",
    }
}

/// What no table of orders says, where somebody chooses something.
pub(super) fn not_who(program: &Program) -> Option<&'static str> {
    let mut all = program.sequences.ids();
    all.any(|id| is_chosen(program, id)).then_some(
        "Orders are compared by how it can end, and not by who can bring that about: whoever comes second may know \
         more.",
    )
}

/// To what a sequence can come, without what contracts stand for.
fn reachable(program: &Program, of: SequenceId) -> Reachable {
    let verify = program.verifies.iter().find(|one| one.sequence == of);
    let contracts = verify.map(|one| one.contracts.iter().copied().collect());
    Reachable::from(program, of, &contracts.unwrap_or_default())
}

/// What of outcomes is compared, if not all: what an observer sees; and where a run can declare how the game ends,
/// that alone.
pub(super) fn compared(
    words: Words<'_>,
    observer: Option<ObserverId>,
    decided: bool,
) -> Option<String> {
    match (observer, decided) {
        (None, false) => None,
        (None, true) => Some("comparing only the result once the game is decided".to_owned()),
        (Some(observer), false) => Some(sees(words, observer)),
        (Some(observer), true) => Some(format!(
            "{}, and only the result once the game is decided",
            sees(words, observer)
        )),
    }
}

/// Whether a sequence can come to a statement that declares a win, a loss or a draw.
pub(super) fn decides(program: &Program, of: SequenceId) -> bool {
    declares(program, of).next().is_some()
}

/// The statements that declare a win, a loss or a draw to which a sequence can come.
fn declares(program: &Program, of: SequenceId) -> impl Iterator<Item = StmtId> {
    // What only other sequences declare is no end of this one.
    reachable(program, of).stmts.into_iter().filter(|&id| {
        matches!(
            program.stmts[id].kind,
            StmtKind::Declare(Declared::Win(_) | Declared::Loss(_) | Declared::Draw)
        )
    })
}

/// Of ways to read a sentence on which it depends which boards are legal, or explored: on how many they were not compared.
fn not_compared(words: Words<'_>, answer: &Answer, results: &Results) -> Option<String> {
    let (reading, two) = match answer.subject {
        Question::Reading(_, reading) => (reading, pairs(words.program, reading).collect()),
        Question::Ways(_, reading, one, other) => (reading, vec![(reading, one, other)]),
        // Nothing else compares readings.
        _ => return None,
    };
    if answer.proof.is_some() {
        let is_one = of_boards(words.program).contains(&reading);
        return is_one.then(|| {
            "boards that are legal, or explored, under one of them only are not compared".to_owned()
        });
    }
    let scopes = answer.scopes.iter();
    let scopes: Vec<&Scope> = scopes.filter_map(|&at| results.scopes.get(at)).collect();
    let legal: u64 = scopes.iter().map(|scope| scope.legal).sum();
    let on = |(_, one, other)| -> u64 {
        scopes
            .iter()
            .map(|scope| scope.uncompared(reading, (one, other)))
            .sum()
    };
    let boards: Vec<u64> = two
        .iter()
        .map(|two| on(*two))
        .filter(|boards| *boards > 0)
        .collect();
    // A board of two scopes counts twice.
    let counted = match scopes.len() {
        1 => String::new(),
        many => format!(" (counted in each of {many} scopes)"),
    };
    let legal = count(legal, "board", "boards");
    match boards[..] {
        [] => None,
        [boards] if two.len() == 1 => Some(format!(
            "on {} of {legal}{counted} they were not compared throughout",
            digits(boards)
        )),
        _ => Some(format!(
            "not all of them were compared on each of the {legal}{counted}"
        )),
    }
}

/// That only what an observer sees was compared.
pub(super) fn sees(words: Words<'_>, observer: ObserverId) -> String {
    let name = plain(&words.program.observers[observer].name);
    format!("comparing only what \"{name}\" sees")
}

/// Of boards in the file: that not all was looked at.
fn unvisited(words: Words<'_>, of: SequenceId, results: &Results) -> Option<String> {
    let is_here = |scope: &&Scope| scope.subject.sequence(words.program) == Some(of);
    let scopes = results.scopes.iter().filter(is_here);
    let boards = scopes.map(|scope| scope.unvisited).max().unwrap_or(0);
    (boards > 0).then(|| {
        let boards = count(boards, "board", "boards");
        format!("{boards} in the file could not be tried in full")
    })
}

/// The contracts that stand for sequences there.
fn relied_on(
    words: Words<'_>,
    (asked, of): (Question, SequenceId),
    results: &Results,
) -> Option<String> {
    let program = words.program;
    let verify = program.verifies.iter().find(|one| one.sequence == of)?;
    by_contract(words, &verify.contracts, compares(program, asked), results)
}

/// What something rests on for which contracts stood for sequences; `compares`: whether outcomes were compared.
pub(super) fn by_contract(
    words: Words<'_>,
    contracts: &[SequenceId],
    compares: bool,
    results: &Results,
) -> Option<String> {
    let names: Vec<String> = contracts.iter().map(|&id| words.sequence(id)).collect();
    let broken = broken(words, contracts.iter().copied(), results);
    let keep = match names.len() {
        1 => {
            "keeps its contract and comes to its end wherever it is performed; nothing was looked at \
              while it is under way, and what it changes took values within the bounds of its contract, or explored \
              ones where it gives none"
        }
        _ => {
            "keep their contracts and come to their ends wherever they are performed; nothing was looked \
              at while they are under way, and what they change took values within the bounds of their contracts, or \
              explored ones where they give none"
        }
    };
    (!names.is_empty()).then(|| match (broken.is_empty(), compares) {
        (false, _) => relied_on_broken(&names, &broken),
        (true, false) => format!("provided {} {keep}", list(&names, "and")),
        (true, true) => format!(
            "with what the contract of {} allows, of the values that were tried; with the rules themselves it may be \
             otherwise",
            list(&names, "and")
        ),
    })
}

/// The sequences of which it was found that they do not keep their contracts.
pub(super) fn broken(
    words: Words<'_>,
    contracts: impl Iterator<Item = SequenceId>,
    results: &Results,
) -> Vec<String> {
    let is_broken = |id: &SequenceId| {
        let mut answers = results.answers.iter();
        answers.any(|answer| {
            answer.subject == Question::Contract(*id) && answer.verdict == Verdict::Refuted
        })
    };
    let broken = contracts.filter(is_broken);
    broken.map(|id| words.sequence(id)).collect()
}

/// That some of the contracts on which something relies are broken.
fn relied_on_broken(names: &[String], broken: &[String]) -> String {
    let all = list(names, "and");
    match (names.len(), broken.len()) {
        (1, _) => format!("relies on the contract of {all}, which is broken: F0603"),
        (all_of, number) if all_of == number => {
            format!("relies on the contracts of {all}, which are broken: F0603")
        }
        (_, 1) => format!(
            "relies on the contracts of {all}; that of {} is broken: F0603",
            list(broken, "and")
        ),
        _ => format!(
            "relies on the contracts of {all}; those of {} are broken: F0603",
            list(broken, "and")
        ),
    }
}

/// Of something that a run shows: that contracts stand for sequences in it.
pub(super) fn allowed(words: Words<'_>, contracts: BTreeSet<SequenceId>) -> Option<String> {
    let names: Vec<String> = contracts.into_iter().map(|id| words.sequence(id)).collect();
    (!names.is_empty()).then(|| {
        format!(
            "the contract of {}: whatever it allows, of the values that were tried, counts as possible, even if the \
             rules never do it",
            list(&names, "and")
        )
    })
}

/// That a run begins on a board that the specification writes down, which need be none of a scope.
fn on_written(words: Words<'_>, run: &Run) -> Option<String> {
    let program = words.program;
    // One of a scope can be the same; things have no names of their own there.
    let is_it = |(_, board): &(_, &Board)| {
        let (data, names) = Data::from_board(program, board);
        data == run.board && names == run.names
    };
    let (_, board) = program.boards.iter().find(is_it)?;
    Some(format!(
        "on the board \"{}\" that the file writes down",
        plain(&board.name)
    ))
}

/// The sequences that a run performs by their contracts.
pub(super) fn stood_for(words: Words<'_>, run: &Run) -> Vec<SequenceId> {
    if run.variant.contracts.is_empty() {
        return Vec::new();
    }
    let moments = followed(words.program, run).map_or_else(|_| Vec::new(), |trace| trace.moments);
    let performed = moments.iter().filter_map(|moment| match moment.what {
        Happening::Statement(stmt) => match words.program.stmts[stmt].kind {
            StmtKind::Perform(of, _) => Some(of),
            _ => None,
        },
        _ => None,
    });
    performed
        .filter(|of| run.variant.contracts.contains(of))
        .collect()
}

/// Of what is asked about the end of a sequence: that a declared end is none.
fn declared(words: Words<'_>, answer: &Answer, results: &Results) -> Option<String> {
    let program = words.program;
    let of = normal_ends(program, answer.subject)?;
    let tested = answer.untested != Some(Untested::NoEnd);
    let counts = tested && declares(program, of).any(|id| results.coverage.has_stmt(id));
    counts.then(|| "runs that declare a win, a loss or a draw do not count".to_owned())
}

/// Of a claim about the end: that runs from the same boards come to none.
fn without_end(of: SequenceId, answer: &Answer, results: &Results) -> Option<String> {
    let found = results.without_end.iter().filter(|(here, _)| *here == of);
    let codes: BTreeSet<&str> = found.map(|(_, code)| code.id()).collect();
    let codes: Vec<String> = codes.into_iter().map(str::to_owned).collect();
    // Of what is not verified only claims are asked.
    let scopes = answer
        .scopes
        .iter()
        .filter_map(|&at| results.scopes.get(at));
    let is_verified = |scope: &Scope| match scope.subject {
        ScopeOf::Verify(_) => true,
        ScopeOf::Sequence(_) | ScopeOf::On(..) | ScopeOf::Example(_) => false,
    };
    if results.narrowed || !scopes.into_iter().any(is_verified) {
        return Some("runs that stop or never end, if any do, do not count".to_owned());
    }
    let on_written = results.without_end_on_written.contains(&of);
    match codes.is_empty() {
        true => on_written.then(|| {
            "runs that stop or never end, from boards that the file writes down, do not count"
                .to_owned()
        }),
        false => Some(format!(
            "runs that stop or never end do not count: {}",
            list(&codes, "and")
        )),
    }
}

/// Of a claim about orders: that one which the document fixes decides all the same.
fn fixed(
    words: Words<'_>,
    (of, step): (SequenceId, Option<StepId>),
    results: &Results,
) -> Option<String> {
    let decides = |answer: &&Answer| answer.verdict == Verdict::Refuted;
    let refuted = results.answers.iter().filter(decides);
    let here = refuted.filter_map(|answer| match answer.subject {
        Question::Position(sequence, stmt) if sequence == of => Some(stmt),
        _ => None,
    });
    // What another sequence or a trigger does can be a part of the step.
    let within = |stmt: &StmtId| match (step, words.step_around(*stmt)) {
        (Some(step), Some(around)) => {
            let sequence = |id: StepId| words.program.steps[id].sequence;
            around == step || sequence(around) != sequence(step)
        }
        _ => true,
    };
    let sites: Vec<String> = here
        .filter(within)
        .map(|stmt| words.site(Site::Stmt(stmt)))
        .collect();
    (!sites.is_empty()).then(|| {
        let sites = list(&sites, "and");
        format!("the order that the document fixes in {sites} matters: F0203")
    })
}
