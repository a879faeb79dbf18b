//! Footprints as a table, one for each step and trigger.

use super::{Footprint, Place, of_step, of_trigger};
use crate::ir::System;
use crate::semantics::ChoiceKind;

/// What each step and trigger can do.
pub fn print(system: &System) -> String {
    let steps = system.steps.iter();
    let steps = steps.map(|(id, step)| (format!("step {}", step.name), of_step(system, id)));
    let triggers = system.triggers.iter();
    let triggers =
        triggers.map(|(id, one)| (format!("trigger {}", one.name), of_trigger(system, id)));
    let mut out = String::new();
    for (name, footprint) in steps.chain(triggers) {
        out.push_str(&format!("{name}\n"));
        for (what, all) in rows(system, &footprint) {
            if !all.is_empty() {
                out.push_str(&format!("  {what:<10}{}\n", all.join(", ")));
            }
        }
    }
    out
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
