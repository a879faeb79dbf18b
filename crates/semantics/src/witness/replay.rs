//! Judges witnesses: does every run again and checks every sentence of what they say.

use std::sync::Arc;

use super::demand;
use super::error::ReplayError;
use super::frame::outside_contract;
use super::growth;
use super::moment::{Happening, Trace};
use super::observe::{Lens, Outcome};
use super::play::interpreter;
use super::region::{Region, outcome, outcome_of};
use super::run::{Ability, Closed, Power, Run, RunEnd, Side, Versus, Violated, Witness};
use super::trace::follow;
use crate::semantics::{Data, Ended, Interpreter, Note, State, Stop, Tag, Who};
use endstep_language::syntax::ast::At;
use endstep_language::typing::program::{
    ClaimKind, Declared, ExampleLine, ExpectedGap, Expr, ObserverId, Program, Value, Whom,
};

/// A witness that shows what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replayed {
    /// Its runs, in the order of [`Witness::runs`].
    pub traces: Vec<Trace>,
}

/// A run that was done again.
struct Done {
    trace: Trace,
    ended: Option<Ended>,
    /// What happened on the last micro-step.
    notes: Vec<Note>,
    /// Where it is left.
    state: State,
}

impl Done {
    /// The data where the run ends or is left; where it stops, those from before the step on which it does.
    fn data(&self) -> &Data {
        let mut outcome = self.ended.iter().filter(|ended| ended.tag.is_outcome());
        outcome.next().map_or(&self.state.data, |ended| &ended.data)
    }
}

/// Does the runs of a witness again and checks what it says.
pub fn replay(program: &Program, witness: &Witness) -> Result<Replayed, ReplayError> {
    let traces = match witness {
        Witness::Run { run, violated } => {
            let done = again(program, run)?;
            if violates(program, run, violated, &done)? {
                vec![done.trace]
            } else {
                return Err(ReplayError::NotViolated);
            }
        }
        Witness::Versus(versus) => replay_versus(program, versus)?,
        Witness::Again {
            first,
            second,
            observer,
        } => replay_again(program, first, second, *observer)?,
        Witness::Lasso { run, closed } => {
            let done = again(program, run)?;
            if !matches!(run.end, RunEnd::Loop { .. }) {
                return Err(ReplayError::NoCycle);
            }
            if closed.is_some() && follows(program, run, done.state)? != *closed {
                return Err(ReplayError::NotClosed);
            }
            vec![done.trace]
        }
        Witness::Growth { run, later } => {
            growth::replay(program, run, later)?;
            vec![again(program, run)?.trace]
        }
        Witness::Power(power) => replay_power(program, power)?,
        Witness::Demands(demands) => {
            let runs = demands.runs.iter().map(|run| again(program, run));
            let traces = runs.map(|done| Ok(done?.trace)).collect::<Result<_, _>>()?;
            demand::replay(program, demands)?;
            traces
        }
    };
    Ok(Replayed { traces })
}

/// The run as a list of what happened.
pub fn trace(program: &Program, run: &Run) -> Result<Trace, ReplayError> {
    Ok(done(program, run, true)?.trace)
}

/// The states that can be reached from the end of a run, if no end is among them.
pub fn closed_region(program: &Program, run: &Run) -> Result<Option<Closed>, ReplayError> {
    let done = again(program, run)?;
    follows(program, run, done.state)
}

/// The states that can follow one, if no end is among them; where what is counted lets no end be seen, of the runs that count
/// nothing.
fn follows(program: &Program, run: &Run, state: State) -> Result<Option<Closed>, ReplayError> {
    let closed = |it: Interpreter<'_>, state: State, uncounted: bool| {
        let states = Region::after(it, state)?.closed();
        Ok(states.map(|states| Closed { states, uncounted }))
    };
    let it = interpreter(program, run);
    let variant = run.variant.uncounting(program);
    if variant.still.is_empty() {
        return closed(it, state, false);
    }
    match closed(it, state.clone(), false) {
        Ok(Some(found)) => Ok(Some(found)),
        Ok(None) | Err(_) => {
            let it = Interpreter {
                variant: &variant,
                ..it
            };
            closed(it, state, true)
        }
    }
}

/// The outcomes that are possible on a side of a run.
pub fn side_outcomes(
    program: &Program,
    run: &Run,
    side: &Side,
    observer: Option<ObserverId>,
) -> Result<Vec<Outcome>, ReplayError> {
    let lens = Lens::new(program, observer);
    let region = Region::of_side(program, run, side)?;
    let outcomes = region.outcomes(interpreter(program, run), &lens, run)?;
    Ok(outcomes.into_iter().collect())
}

/// Where and how a run ends if it takes its choices; what its `end` says is not looked at, except
/// for how many steps a run is followed that does not end.
pub fn actual_end(program: &Program, run: &Run) -> Result<RunEnd, ReplayError> {
    let followed = follow(program, run, false)?;
    Ok(match (&run.end, followed.ended) {
        (RunEnd::Ended(_), Some(ended)) => RunEnd::Ended(ended),
        (RunEnd::Ended(_), None) => return Err(ReplayError::EndsOtherwise),
        (_, Some(_)) => return Err(ReplayError::Ends),
        (RunEnd::Grows { stem, cycle }, None) => RunEnd::Grows {
            stem: *stem,
            cycle: *cycle,
        },
        (RunEnd::Loop { stem, cycle }, None) => RunEnd::Loop {
            stem: *stem,
            cycle: *cycle,
        },
        (RunEnd::Stopped { steps, .. }, None) => RunEnd::Stopped {
            steps: *steps,
            data: followed.state.data,
        },
    })
}

fn again(program: &Program, run: &Run) -> Result<Done, ReplayError> {
    done(program, run, false)
}

fn done(program: &Program, run: &Run, values: bool) -> Result<Done, ReplayError> {
    let followed = follow(program, run, values)?;
    match (&run.end, &followed.ended) {
        (RunEnd::Ended(expected), Some(found)) => {
            if expected != found {
                return Err(ReplayError::EndsOtherwise);
            }
        }
        (RunEnd::Ended(_), None) => return Err(ReplayError::EndsOtherwise),
        (_, Some(_)) => return Err(ReplayError::Ends),
        (RunEnd::Grows { .. }, None) => {
            let stem = followed.stem.as_ref().ok_or(ReplayError::NoGrowth)?;
            growth::growth(program, stem, &followed.state).ok_or(ReplayError::NoGrowth)?;
        }
        (RunEnd::Loop { .. }, None) => {
            let tallies = run.variant.uncounting(program).still;
            let uncounted = |state: &State| state.clone().uncounted(program, &tallies);
            if followed.stem.as_ref().map(uncounted) != Some(uncounted(&followed.state)) {
                return Err(ReplayError::NoCycle);
            }
        }
        (RunEnd::Stopped { data, .. }, None) => {
            if *data != followed.state.data {
                return Err(ReplayError::EndsOtherwise);
            }
        }
    }
    Ok(Done {
        trace: followed.trace,
        ended: followed.ended,
        notes: followed.notes,
        state: followed.state,
    })
}

fn violates(
    program: &Program,
    run: &Run,
    violated: &Violated,
    done: &Done,
) -> Result<bool, ReplayError> {
    let data = done
        .ended
        .as_ref()
        .map_or(&done.state.data, |ended| &ended.data);
    let it = interpreter(program, run);
    let fails_on =
        |condition: &Expr, data: &Data| match it.condition(condition, data, Some(&run.board)) {
            Ok(holds) => Ok(!holds),
            Err(Stop::Tag(Tag::Limit(_))) => Err(ReplayError::TooCostly),
            Err(Stop::Tag(_)) => Ok(true),
            Err(Stop::Consult(reading)) => Err(ReplayError::ReadingNotFixed(reading)),
        };
    let fails = |condition: &Expr| fails_on(condition, data);
    match violated {
        Violated::Nothing => Ok(true),
        Violated::Meets(gap) => Ok(done.notes.iter().any(
            |note| matches!(note, Note::Executed(stmt) if program.met_by(*stmt) == Some(*gap)),
        )),
        Violated::Legal(index) => {
            let legal = program.legals.get(*index);
            legal.map_or(Ok(false), |legal| fails(&legal.condition))
        }
        Violated::Ensures(step, index) => {
            Ok(done.notes.contains(&Note::EnsuresFailed(*step, *index)))
        }
        Violated::Contract(sequence, index) => {
            let contract = program.sequences[*sequence].contract.as_ref();
            let condition = contract.and_then(|contract| contract.ensures.get(*index));
            condition.map_or(Ok(false), fails)
        }
        Violated::Frame(sequence) => match outside_contract(it, *sequence, &run.board, data) {
            Ok(found) => Ok(!found.is_empty()),
            Err(Stop::Tag(_)) => Ok(false),
            Err(Stop::Consult(reading)) => Err(ReplayError::ReadingNotFixed(reading)),
        },
        Violated::Claim(index) => match program.claims.get(*index).map(|claim| &claim.kind) {
            Some(
                ClaimKind::Invariant(_, At::Throughout, _)
                | ClaimKind::Reachable(..)
                | ClaimKind::Conserves(..),
            ) if !done.state.is_settled() => Ok(false),
            Some(ClaimKind::Invariant(e, ..) | ClaimKind::Must(e, ..)) => fails_on(e, done.data()),
            Some(ClaimKind::Reachable(_, e, _)) => Ok(!fails_on(e, done.data())?),
            Some(ClaimKind::ReachableAfter(e, _, when)) => {
                let ends = done.ended.iter().any(|ended| ended.tag.is_outcome());
                Ok(ends && concerns(it, when.as_ref(), &run.board)? && !fails(e)?)
            }
            Some(ClaimKind::Conserves(e, _)) => {
                let value = |data: &Data| it.value(e, data, Some(&run.board));
                Ok(value(done.data()) != value(&run.board))
            }
            _ => Ok(false),
        },
        Violated::Takes(index, wanted) => takes(program, (run, done), *index, *wanted),
        Violated::Example(example, line) => {
            let example = program.examples.get(*example);
            match example.and_then(|one| one.lines.get(*line)) {
                Some((line, _)) => unmet(it, (run, done), line, &fails),
                None => Ok(false),
            }
        }
        Violated::Everywhere(demand) => {
            if !violates(program, run, demand, done)? {
                return Ok(false);
            }
            demand::replay_everywhere(program, run, demand)?;
            Ok(true)
        }
    }
}

/// Whether a claim concerns a board.
fn concerns(it: Interpreter<'_>, when: Option<&Expr>, board: &Data) -> Result<bool, ReplayError> {
    match when.map(|when| it.condition(when, board, Some(board))) {
        None | Some(Ok(true)) => Ok(true),
        Some(Ok(false)) => Ok(false),
        Some(Err(Stop::Tag(Tag::Limit(_)))) => Err(ReplayError::TooCostly),
        Some(Err(Stop::Tag(_))) => Ok(false),
        Some(Err(Stop::Consult(reading))) => Err(ReplayError::ReadingNotFixed(reading)),
    }
}

/// Whether what a claim asks for has a value at the end of a run, at a moment that counts for it.
fn takes(
    program: &Program,
    (run, done): (&Run, &Done),
    claim: usize,
    wanted: i64,
) -> Result<bool, ReplayError> {
    let it = interpreter(program, run);
    let value = |e: &Expr, data: &Data| match it.value(e, data, Some(&run.board)) {
        Ok(value) => Ok(Some(value)),
        Err(Stop::Tag(Tag::Limit(_))) => Err(ReplayError::TooCostly),
        Err(Stop::Tag(_)) => Ok(None),
        Err(Stop::Consult(reading)) => Err(ReplayError::ReadingNotFixed(reading)),
    };
    let wanted = Some(Value::Int(wanted));
    let kind = program.claims.get(claim).map(|claim| &claim.kind);
    match (kind, &done.ended) {
        (Some(ClaimKind::ExtremeIn(_, e, _)), _) => {
            Ok(done.state.is_settled() && value(e, done.data())? == wanted)
        }
        (Some(ClaimKind::ExtremeAfter(_, e, _, when)), Some(ended)) if ended.tag.is_outcome() => {
            Ok(concerns(it, when.as_ref(), &run.board)? && value(e, &ended.data)? == wanted)
        }
        _ => Ok(false),
    }
}

/// Whether a line of an example is not met.
fn unmet(
    it: Interpreter<'_>,
    (run, done): (&Run, &Done),
    line: &ExampleLine,
    fails: &dyn Fn(&Expr) -> Result<bool, ReplayError>,
) -> Result<bool, ReplayError> {
    let ends = done.ended.as_ref().map(|ended| &ended.tag);
    match line {
        // A run that has ended shows that the step never ended where it should have.
        ExampleLine::After(..) if done.ended.is_some() => Ok(true),
        ExampleLine::Expect(e) | ExampleLine::After(_, e) => fails(e),
        ExampleLine::ExpectOutcome(declared) => {
            let wanted = declared_tag(it, declared, &run.board);
            Ok(wanted.is_none_or(|wanted| ends != Some(&wanted)))
        }
        ExampleLine::ExpectGap(gap) => {
            let met = has_met(it.program, &done.trace, *gap);
            Ok(!met && !ends.is_some_and(|tag| stops_in(tag, *gap)))
        }
        // That something is never offered, or never happens, shows in the run as a whole.
        ExampleLine::Choose(_)
        | ExampleLine::ExpectPossible(_)
        | ExampleLine::ExpectPossibleGap(_) => Ok(true),
    }
}

/// Whether a run has met a gap that an example expects, and gone on.
fn has_met(program: &Program, trace: &Trace, gap: ExpectedGap) -> bool {
    let ExpectedGap::Named(gap) = gap else {
        return false;
    };
    trace.moments.iter().any(|moment| match moment.what {
        Happening::Statement(stmt) => program.met_by(stmt) == Some(gap),
        _ => false,
    })
}

/// Whether a run that ends so has stopped in a gap that an example expects.
pub fn stops_in(tag: &Tag, gap: ExpectedGap) -> bool {
    matches!(tag, Tag::Gap(name) if name.is(gap))
}

/// The tag that an example expects, if the player it names exists.
pub fn declared_tag(it: Interpreter<'_>, declared: &Declared, board: &Data) -> Option<Tag> {
    let whom = |whom: &Whom| match whom {
        Whom::Everyone => Some(None),
        Whom::Player(expr) => match it.value(expr, board, None) {
            Ok(Value::Entity(id)) => Some(Some(id)),
            _ => None,
        },
    };
    match declared {
        Declared::End => Some(Tag::End),
        Declared::Draw => Some(Tag::Draw),
        Declared::Win(who) => whom(who).map(Tag::Win),
        Declared::Loss(who) => whom(who).map(Tag::Loss),
    }
}

fn replay_versus(program: &Program, versus: &Versus) -> Result<Vec<Trace>, ReplayError> {
    let run = again(program, &versus.run)?;
    let against = again(program, &versus.against)?;
    let found = outcome_of(program, &versus.run, versus.observer)?;
    let own = side_outcomes(program, &versus.run, &versus.side, versus.observer)?;
    if !own.contains(&found) {
        return Err(ReplayError::OtherSide);
    }
    let others = side_outcomes(program, &versus.against, &versus.other, versus.observer)?;
    if others != versus.outcomes {
        return Err(ReplayError::OtherOutcomes);
    }
    if others.contains(&found) {
        return Err(ReplayError::SameOutcome);
    }
    if !others.contains(&outcome_of(program, &versus.against, versus.observer)?) {
        return Err(ReplayError::OtherSide);
    }
    Ok(vec![run.trace, against.trace])
}

fn replay_again(
    program: &Program,
    first: &Run,
    second: &Run,
    observer: Option<ObserverId>,
) -> Result<Vec<Trace>, ReplayError> {
    let one = again(program, first)?;
    let two = again(program, second)?;
    let data = match one.ended {
        Some(ended) => ended.data,
        None => Arc::new(one.state.data),
    };
    if second.board != *data {
        return Err(ReplayError::NotConnected);
    }
    let lens = Lens::new(program, observer);
    let it = interpreter(program, second);
    let before = Ended {
        tag: Tag::End,
        data,
    };
    let before = outcome(it, &lens, first, &before)?;
    let changed = match &two.ended {
        Some(ended) => outcome(it, &lens, first, ended)? != before,
        None => matches!(second.end, RunEnd::Loop { .. }),
    };
    if changed {
        Ok(vec![one.trace, two.trace])
    } else {
        Err(ReplayError::NothingChanges)
    }
}

fn replay_power(program: &Program, power: &Power) -> Result<Vec<Trace>, ReplayError> {
    let lens = Lens::new(program, power.observer);
    let can = |run: &Run| -> Result<bool, ReplayError> {
        let it = interpreter(program, run);
        let region = Region::of_side(program, run, &Side::default())?;
        let ends = region.ends_in(it, &lens, run, &power.outcome)?;
        let diverges = power.outcome == Outcome::Diverges;
        Ok(region.able(Who::of(power.player), power.ability, &ends, diverges))
    };
    let able = again(program, &power.able)?;
    let unable = again(program, &power.unable)?;
    let ends_so = |run| outcome_of(program, run, power.observer).map(|end| end == power.outcome);
    let ends = (ends_so(&power.able)?, ends_so(&power.unable)?);
    if ends
        != (
            power.ability == Ability::Force,
            power.ability == Ability::Avoid,
        )
    {
        return Err(ReplayError::EndsOtherwise);
    }
    if can(&power.able)? && !can(&power.unable)? {
        Ok(vec![able.trace, unable.trace])
    } else {
        Err(ReplayError::SamePower)
    }
}
