//! What each moment of a run is said to be: who chooses, what changes, where things lie then, where a loop begins.

use std::collections::{BTreeMap, HashSet};

use endstep::semantics::{Interpreter, Next, Spot, Variant, Who};
use endstep::typing::program::Program;
use endstep::verdict::Finding;
use endstep::witness::{Difference, Happening, Lens, Outcome, Root, Run, RunEnd, Witness, trace};
use serde_json::Value;

use super::random::{Counted, text, wrong};

/// Who decides, in each line of a run that tells of a choice; of an order that the document fixes, and that the
/// run tries all the same, whether it is as the document says: whether a run without such freedom goes on so.
pub fn choosers(
    program: &Program,
    (finding, told): (&Finding, &Value),
    counted: &mut Counted,
) -> Result<(), String> {
    for (at, run) in finding.witness.iter().flat_map(Witness::runs).enumerate() {
        let variant = Variant {
            free: Default::default(),
            ..run.variant.clone()
        };
        let it = |variant| Interpreter {
            program,
            readings: &run.readings,
            variant,
        };
        let (own, fixed) = (it(&run.variant), it(&variant));
        let mut state = match &run.root {
            Root::Sequence(id, args) => own.start(*id, args, run.board.clone()),
            Root::Step(id, place) => own.start_step(*id, *place, run.board.clone()),
        };
        let moments = told["witness"]["runs"][at]["trace"].as_array();
        let choices = moments.into_iter().flatten().map(|one| &one["choice"]);
        let mut choices = choices.filter(|one| !one.is_null());
        for key in &run.choices {
            let point = loop {
                match own.next(state.clone()) {
                    Next::Step(next, _) => state = next,
                    Next::Choose(point) => break point,
                    other => return Err(wrong("no choice", other)),
                }
            };
            let mut alternatives = point.alternatives.into_iter();
            let next = alternatives.find(|one| one.key == *key).unwrap();
            let says = match (point.who, fixed.next(state)) {
                (Who::Nobody, Next::Step(one, _)) if one == next.state => "as the document says",
                (Who::Nobody, Next::Step(..)) => "tried against the document's order",
                (Who::Nobody, Next::Done(..)) => "the document's order has no beginning here",
                (Who::Nobody, _) => "nobody decides",
                (Who::Player(id), _) => &format!("{} decides", run.names.entity(id)),
                (Who::Everyone, _) => "the players decide together",
                (Who::Chance, _) => "chance decides",
            };
            let choice = choices.next().ok_or_else(|| wrong("no line of", key))?;
            if choice["decider"] != says {
                return Err(wrong(says, choice));
            }
            *counted.entry("choosers").or_default() += 1;
            state = next.state;
        }
    }
    Ok(())
}

/// Of zones, the table of differences has just those of which the observer sees other contents.
pub fn zones(
    program: &Program,
    (finding, told): (&Finding, &Value),
    counted: &mut Counted,
) -> Result<(), String> {
    let Some(Witness::Versus(versus)) = &finding.witness else {
        return Ok(());
    };
    let lens = Lens::new(program, versus.observer);
    let seen = |run: &Run| {
        let RunEnd::Ended(ended) = &run.end else {
            return None;
        };
        let it = Interpreter {
            program,
            readings: &run.readings,
            variant: &run.variant,
        };
        let Ok(Outcome::Ended(_, seen)) = lens.outcome(it, ended, &run.board) else {
            return None;
        };
        // What was created may have other names.
        let created = ended.data.entities.iter().any(|one| one.created);
        (!created).then_some(seen.zones)
    };
    let (Some(one), Some(other)) = (seen(&versus.run), seen(&versus.against)) else {
        return Ok(());
    };
    let name = |key| versus.run.names.zone(program, key).replace('_', " ");
    for ((key, one), (_, other)) in one.into_iter().zip(other) {
        let rows = told["witness"]["differences"].as_array();
        let is_told = rows
            .into_iter()
            .flatten()
            .any(|row| row["what"] == name(key));
        if is_told != (one != other) {
            return Err(wrong(&name(key), (one, other)));
        }
        *counted.entry("zones").or_default() += u64::from(is_told);
    }
    Ok(())
}

/// What a moment of a run changes, in the words of the report.
fn lines(told: &Value, at: usize, step: u64) -> Vec<String> {
    let moments = told["witness"]["runs"][at]["trace"].as_array();
    let here = moments
        .into_iter()
        .flatten()
        .filter(|one| one["step"] == step);
    let lines = here.flat_map(|one| one["changes"].as_array().unwrap());
    lines
        .map(|line| line.as_str().unwrap().to_owned())
        .collect()
}

/// "pile, now in this order: …": as it lies there after that.
pub fn arrangements(
    program: &Program,
    (finding, told): (&Finding, &Value),
    counted: &mut Counted,
) -> Result<(), String> {
    let witness = finding.witness.iter();
    for (at, run) in witness.flat_map(Witness::runs).enumerate() {
        for moment in trace(program, run).unwrap().moments {
            for change in &moment.changes {
                let Difference::Zone(key, _, after) = change else {
                    continue;
                };
                let zone = run.names.zone(program, *key).replace('_', " ");
                let begins = format!("{zone}, now in this order: ");
                let after = after.iter().map(|&id| run.names.entity(id));
                let after = after.collect::<Vec<_>>().join(", ");
                for line in lines(told, at, moment.step) {
                    if line.strip_prefix(&begins).is_some_and(|one| one != after) {
                        return Err(wrong(&line, after));
                    }
                    *counted.entry("arrangements").or_default() +=
                        u64::from(line.starts_with(&begins));
                }
            }
        }
    }
    Ok(())
}

/// "N positions can follow, none of which is an end": as many as there are.
pub fn positions(
    program: &Program,
    (finding, told): (&Finding, &Value),
    counted: &mut Counted,
) -> Result<(), String> {
    let Some(Witness::Lasso {
        run,
        closed: Some(closed),
    }) = &finding.witness
    else {
        return Ok(());
    };
    let it = Interpreter {
        program,
        readings: &run.readings,
        variant: &run.variant,
    };
    let (Root::Sequence(id, args), RunEnd::Loop { stem, .. }) = (&run.root, &run.end) else {
        return Err(wrong("no loop", run));
    };
    let mut state = it.start(*id, args, run.board.clone());
    let mut keys = run.choices.iter();
    for _ in 0..*stem {
        state = match it.next(state) {
            Next::Step(next, _) => next,
            Next::Choose(point) => {
                let key = keys.next().unwrap();
                let mut all = point.alternatives.into_iter();
                all.find(|one| one.key == *key).unwrap().state
            }
            other => return Err(wrong("an end", other)),
        };
    }
    // What only counts stays as it is from there, if it is said so.
    let uncounting = match closed.uncounted {
        true => run.variant.uncounting(program),
        false => run.variant.clone(),
    };
    let it = Interpreter {
        variant: &uncounting,
        ..it
    };
    let mut known = HashSet::from([state.clone()]);
    let mut todo = vec![state];
    while let Some(state) = todo.pop() {
        let next = match it.next(state) {
            Next::Step(next, _) => vec![next],
            Next::Choose(point) => point
                .alternatives
                .into_iter()
                .map(|one| one.state)
                .collect(),
            other => return Err(wrong("an end", other)),
        };
        todo.extend(next.into_iter().filter(|one| known.insert(one.clone())));
    }
    let says = match known.len() {
        1 => "The same position comes back for ever".to_owned(),
        number => format!("{number} positions can follow"),
    };
    *counted.entry("positions").or_default() += 1;
    match text(told).contains(&says) {
        true => Ok(()),
        false => Err(wrong(&says, text(told))),
    }
}

/// What repeats is undone by the end of the round, but for what only counts: where it began, it ends.
pub fn rounds(
    program: &Program,
    (finding, _): (&Finding, &Value),
    counted: &mut Counted,
) -> Result<(), String> {
    let Some(Witness::Lasso { run, .. }) = &finding.witness else {
        return Ok(());
    };
    let moments = trace(program, run).unwrap().moments.into_iter();
    let round = moments.skip_while(|one| !matches!(one.what, Happening::CycleBegins));
    let (mut places, mut zones) = (BTreeMap::new(), BTreeMap::new());
    let mut made = Vec::new();
    for change in round.flat_map(|one| one.changes) {
        match change {
            Difference::Spot(Spot::Field(id, _), ..) if made.contains(&id) => {}
            Difference::Spot(spot, from, to) => places.entry(spot).or_insert((from, to)).1 = to,
            Difference::Zone(key, from, to) => {
                zones.entry(key).or_insert_with(|| (from, Vec::new())).1 = to;
            }
            Difference::Created(id) => made.push(id),
            Difference::Removed(_) | Difference::Queue(..) => {}
        }
    }
    *counted.entry("rounds").or_default() += (places.len() + zones.len()) as u64;
    let variant = run.variant.uncounting(program);
    let place = places
        .into_iter()
        .find(|(spot, (from, to))| from != to && !variant.keeps(*spot));
    let zone = zones.into_iter().find(|(_, (from, to))| from != to);
    match (place, zone) {
        (None, None) => Ok(()),
        other => Err(wrong("not undone", other)),
    }
}
