//! Footprints as a table, one for each step and trigger.

use std::collections::BTreeSet;

use super::{Footprint, Grain, Mode, Place, Unit, of_element, of_step, of_trigger};
use crate::ir::{OpKind, System};
use endstep_language::typing::program::{BlockId, Type};
use endstep_semantics::semantics::ChoiceKind;

/// What each step and trigger can do, and each iteration inside for one of its elements.
pub fn print(system: &System) -> String {
    let steps = system.steps.iter().map(|(id, step)| {
        let unit = Unit::Procedure(step.procedure);
        (
            format!("step {}", step.name),
            of_step(system, id),
            (step.body, unit),
        )
    });
    let triggers = system.triggers.iter().map(|(id, one)| {
        let unit = Unit::Trigger(id);
        (
            format!("trigger {}", one.name),
            of_trigger(system, id),
            (one.body, unit),
        )
    });
    let mut out = String::new();
    for (name, footprint, body) in steps.chain(triggers) {
        out.push_str(&format!("{name}\n"));
        for (what, all) in rows(system, &footprint) {
            if !all.is_empty() {
                out.push_str(&format!("  {what:<10}{}\n", all.join(", ")));
            }
        }
        out.push_str(&elements(system, body, 1));
    }
    out
}

/// What iterations do for one of their elements: to what is its own, to what it is linked to, and to
/// what is anybody's.
fn elements(system: &System, (block, unit): (BlockId, Unit), depth: usize) -> String {
    let mut out = String::new();
    let indent = "  ".repeat(depth);
    for &op in &system.blocks[block].ops {
        let kind = &system.ops[op].kind;
        let OpKind::Each(each) = kind else {
            for inner in kind.blocks() {
                out.push_str(&elements(system, (inner, unit), depth));
            }
            continue;
        };
        let of = match each.binder.ty {
            Type::Entity(sort) | Type::Optional(sort) => system.sorts[sort].name.clone(),
            Type::Enum(id) => system.enums[id].name.clone(),
            Type::Int | Type::Bool => "value".to_owned(),
        };
        out.push_str(&format!("{indent}for one {of}\n"));
        let footprint = of_element(system, each, unit);
        for (grain, whose) in [
            (Grain::Own, "own"),
            (Grain::Linked, "linked"),
            (Grain::Any, "anybody's"),
        ] {
            let all = accesses(system, &footprint, grain);
            if !all.is_empty() {
                out.push_str(&format!("{indent}  {whose:<11}{}\n", all.join(", ")));
            }
        }
        out.push_str(&elements(system, (each.body, unit), depth + 1));
    }
    out
}

fn accesses(system: &System, footprint: &Footprint, grain: Grain) -> Vec<String> {
    let of_grain = footprint.accesses.iter().filter(|one| one.grain == grain);
    let places: BTreeSet<Place> = of_grain.clone().map(|one| one.place).collect();
    let one = |place: Place| {
        let modes = of_grain.clone().filter(|one| one.place == place);
        let modes: Vec<&str> = modes.map(|one| mode(one.mode)).collect();
        let name = match place {
            Place::Sort(_) => "existence".to_owned(),
            _ => name(system, place),
        };
        format!("{name} ({})", modes.join(", "))
    };
    places.into_iter().map(one).collect()
}

fn mode(mode: Mode) -> &'static str {
    match mode {
        Mode::Read => "read",
        Mode::Write => "written",
        Mode::SetTo(_) => "set to a constant",
        Mode::Add => "added to",
        Mode::AddUpTo(_) => "added to, up to a bound",
        Mode::TakeDownTo(_) => "taken from, down to a bound",
        Mode::Leave => "left",
        Mode::Arrive(true) => "entered at the top",
        Mode::Arrive(false) => "entered at the bottom",
        Mode::Join => "entered",
    }
}

fn rows(system: &System, of: &Footprint) -> Vec<(&'static str, Vec<String>)> {
    let places = |all: &std::collections::BTreeSet<Place>| {
        let names = all.iter().map(|&place| name(system, place));
        names.collect::<Vec<_>>()
    };
    let sorts = |all: &std::collections::BTreeSet<_>| {
        let names = all.iter().map(|&sort| system.sorts[sort].name.clone());
        names.collect::<Vec<_>>()
    };
    let events = of
        .announces
        .iter()
        .map(|&id| system.events[id].name.clone());
    let performs = of
        .performs
        .iter()
        .map(|&id| system.procedures[id].name.clone());
    let consults = of
        .consults
        .iter()
        .map(|&id| system.readings[id].name.clone());
    let asks = of.asks.iter().map(|&kind| asked(kind).to_owned());
    let stops = of.stops.then(|| "somewhere".to_owned());
    vec![
        ("reads", places(&of.reads)),
        ("writes", places(&of.writes)),
        ("creates", sorts(&of.creates)),
        ("removes", sorts(&of.removes)),
        ("announces", events.collect()),
        ("performs", performs.collect()),
        ("consults", consults.collect()),
        ("asks", asks.collect()),
        ("stops", stops.into_iter().collect()),
    ]
}

fn asked(kind: ChoiceKind) -> &'static str {
    match kind {
        ChoiceKind::Order => "for an order",
        ChoiceKind::Selection => "for a selection",
        ChoiceKind::Distribution => "for a distribution",
        ChoiceKind::Chance => "chance",
        ChoiceKind::Gap => "what a gap leaves open",
    }
}

/// The name of a place.
pub fn name(system: &System, place: Place) -> String {
    match place {
        Place::Field(id) => {
            let field = &system.fields[id];
            format!("{}.{}", system.sorts[field.sort].name, field.name)
        }
        Place::Var(id) => system.vars[id].name.clone(),
        Place::Zone(id) => system.zones[id].name.clone(),
        Place::Sort(id) => format!("each {}", system.sorts[id].name),
        Place::Queue(id) => system.queues[id].name.clone(),
    }
}
