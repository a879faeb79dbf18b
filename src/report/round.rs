//! What happens each time round in a loop, as a sentence, with what made-up cards say.
//!
//! ```text
//! Each time round: in "destroy" of cleanup, card 1 goes from board of ann to dying of ann; then the trigger
//! "comes back" ("Afterlife: return this card") acts, as card 1 has ability returns: card 1 goes from dying of
//! ann to board of ann.
//! ```
//!
//! Whether something is true or false of a card is told only where nothing else changes, since specifications
//! remember in this way what is still to be done.

use super::change::Arrivals;
use super::layout::list;
use super::spoken;
use super::spoken::phrase::{fact_words, trait_words};
use super::words::{Words, plain};
use crate::semantics::{Instance, Key, KeyType, Names, Spot, Who, ZoneKey};
use crate::typing::program::{EntityId, LocalId, SortId, TriggerId, Type, Value};
use crate::witness::{Difference, Happening, Made, Moment, Run, Witness, trace};
use std::collections::BTreeMap;

/// What is said of a round in which nothing happens to the board.
pub(super) const NOTHING: &str = "Each time round nothing changes.";

/// So much of a round is told.
const MOST_PARTS: usize = 8;

/// So much of what happens in a part is told.
const MOST_EVENTS: usize = 6;

/// A step or a trigger of the round, and what happens in it.
struct Part {
    heading: String,
    /// Whether it is told even if nothing happens in it.
    acts: bool,
    events: Vec<String>,
    /// What becomes true or false.
    traits: Vec<String>,
    /// Of what something becomes true.
    of: Vec<String>,
}

/// What happens in a round, as a sentence of its own; nothing if that would tell nothing.
pub(super) fn told(words: Words<'_>, run: &Run) -> Option<String> {
    let trace = trace(words.program, run).ok()?;
    let begins = |one: &Moment| matches!(one.what, Happening::CycleBegins);
    let at = trace.moments.iter().position(begins)?;
    let (before, round) = trace.moments.split_at(at);
    let mut parts = parts(words, &run.names, before, round);
    let is_still = parts.iter().all(|part| part.events.is_empty());
    for part in &mut parts {
        part.finish(is_still);
    }
    parts.retain(|part| part.acts || !part.events.is_empty());
    if parts.iter().all(|part| part.events.is_empty()) {
        let changes = round.iter().any(|moment| !moment.changes.is_empty());
        return (!changes).then(|| NOTHING.to_owned());
    }
    let more = parts.len().saturating_sub(MOST_PARTS);
    parts.truncate(MOST_PARTS);
    let mut told: Vec<String> = parts.iter().map(Part::words).collect();
    if more > 0 {
        told.push(format!("{more} more"));
    }
    Some(format!("Each time round: {}.", told.join("; then ")))
}

/// Whether somebody, or chance, decides anything in the round that a witness shows; nothing of one that
/// shows none.
pub(super) fn is_decided(words: Words<'_>, witness: Option<&Witness>) -> Option<bool> {
    let (Witness::Growth { run, .. } | Witness::Lasso { run, .. }) = witness? else {
        return None;
    };
    let moments = trace(words.program, run).ok()?.moments.into_iter();
    let mut round = moments.skip_while(|one| !matches!(one.what, Happening::CycleBegins));
    Some(round.any(|one| matches!(one.what, Happening::Choice(made) if made.who != Who::Nobody)))
}

impl Part {
    /// Tells what is true or false where nothing else changes, else only of what.
    fn finish(&mut self, is_still: bool) {
        if is_still {
            self.events = std::mem::take(&mut self.traits);
        } else if self.events.is_empty() && !self.acts && !self.of.is_empty() {
            let mut of: Vec<String> = Vec::new();
            for one in &self.of {
                if !of.contains(one) {
                    of.push(one.clone());
                }
            }
            self.events = vec![format!("it is the turn of {}", list(&of, "and"))];
        }
    }

    fn words(&self) -> String {
        let more = self.events.len().saturating_sub(MOST_EVENTS);
        let mut events: Vec<String> = self.events.iter().take(MOST_EVENTS).cloned().collect();
        if more > 0 {
            events.push(format!("{more} more"));
        }
        match (self.acts, events.is_empty()) {
            (true, true) => self.heading.clone(),
            (true, false) => format!("{}: {}", self.heading, list(&events, "and")),
            (false, _) => format!("{}, {}", self.heading, list(&events, "and")),
        }
    }
}

/// The round in parts; what was announced before it may be resolved in it.
fn parts(words: Words<'_>, names: &Names, before: &[Moment], round: &[Moment]) -> Vec<Part> {
    let mut pending: Vec<Instance> = Vec::new();
    for moment in before {
        follow(&mut pending, moment);
    }
    let mut parts: Vec<Part> = Vec::new();
    let around = before.iter().rev().find_map(|moment| match moment.what {
        Happening::Step(id) => Some(in_step(words, id)),
        Happening::Trigger(id) => Some(format!("while {} acts", words.trigger(id))),
        _ => None,
    });
    let mut said: Vec<TriggerId> = Vec::new();
    let mut arrivals = Arrivals::default();
    for moment in round {
        arrivals.follow(moment);
        let heading = match moment.what {
            Happening::Step(id) => Some((in_step(words, id), false)),
            Happening::Trigger(id) => {
                let is_first = !said.contains(&id);
                said.push(id);
                let found = pending.iter().find(|one| one.trigger == id);
                Some((acting(words, names, id, found, is_first), true))
            }
            _ => None,
        };
        if let Some((heading, acts)) = heading {
            parts.push(Part {
                heading,
                acts,
                events: Vec::new(),
                traits: Vec::new(),
                of: Vec::new(),
            });
        }
        follow(&mut pending, moment);
        let (mut events, traits) = happened(words, names, &moment.changes, &mut arrivals);
        if let Happening::Choice(made) = &moment.what {
            events.splice(0..0, chosen(words, names, made));
        }
        match parts.last_mut() {
            Some(part) => {
                part.events.extend(events);
                part.traits.extend(traits);
                part.of.extend(turned(names, &moment.changes));
            }
            None if events.is_empty() => {}
            None => parts.push(Part {
                heading: around.clone().unwrap_or_else(|| "first".to_owned()),
                acts: false,
                events,
                traits,
                of: Vec::new(),
            }),
        }
    }
    parts
}

/// What is pending after a moment, beside what was.
fn follow(pending: &mut Vec<Instance>, moment: &Moment) {
    for change in &moment.changes {
        if let Difference::Queue(_, before, after) = change {
            pending.retain(|one| !before.contains(one));
            pending.extend(after.iter().cloned());
        }
    }
}

fn in_step(words: Words<'_>, id: crate::typing::program::StepId) -> String {
    let step = &words.program.steps[id];
    format!(
        "in \"{}\" of {}",
        plain(&step.name),
        words.sequence(step.sequence)
    )
}

/// That a trigger acts: what it says, if that was not told yet, and what made it listen.
fn acting(
    words: Words<'_>,
    names: &Names,
    id: TriggerId,
    found: Option<&Instance>,
    is_first: bool,
) -> String {
    let trigger = &words.program.triggers[id];
    let mut out = words.trigger(id);
    if let Some(text) = says(words, id).filter(|_| is_first) {
        out.push_str(&format!(" (\"{}\")", text.trim_matches('"')));
    }
    out.push_str(" acts");
    let called = match found {
        Some(found) => bound(words, names, found),
        None => of_sorts(words, id),
    };
    let condition = trigger.condition.as_ref();
    let why = condition.and_then(|one| spoken::condition_of(words, names, called, one));
    if let Some(why) = why {
        out.push_str(&format!(", as {why}"));
    }
    out
}

/// What a trigger says: its comment, or on what it was made up.
fn says(words: Words<'_>, id: TriggerId) -> Option<String> {
    let trigger = &words.program.triggers[id];
    trigger.doc.clone().or_else(|| trigger.basis.note.clone())
}

/// How what a trigger was told of is called.
fn bound(words: Words<'_>, names: &Names, found: &Instance) -> Vec<(LocalId, String)> {
    let program = words.program;
    let trigger = &program.triggers[found.trigger];
    let params = &program.events[trigger.event].params;
    let called = |value: Value, ty: Type| plain(&names.value(program, value, ty.into()));
    let args = trigger.args.iter().zip(&found.payload).zip(params);
    let mut bound: Vec<(LocalId, String)> = args
        .map(|((local, value), param)| (*local, called(*value, param.ty)))
        .collect();
    if let Some(listener) = &trigger.listener {
        bound.push((listener.local, called(found.listener, listener.ty)));
    }
    bound
}

/// How that is called of which nothing is known but the sort: `the Card`. What could be taken for
/// something else is called nothing.
fn of_sorts(words: Words<'_>, id: TriggerId) -> Vec<(LocalId, String)> {
    let program = words.program;
    let trigger = &program.triggers[id];
    let params = &program.events[trigger.event].params;
    let sorts = trigger.args.iter().zip(params).map(|(local, param)| {
        let sort = match param.ty {
            Type::Entity(sort) | Type::Optional(sort) => Some(sort),
            Type::Int | Type::Bool | Type::Enum(_) => None,
        };
        (*local, sort)
    });
    let sorts: Vec<(LocalId, Option<SortId>)> = sorts.collect();
    let is_alone = |of: SortId| sorts.iter().filter(|(_, one)| *one == Some(of)).count() == 1;
    let known = sorts.iter().filter_map(|(local, sort)| {
        let sort = sort.filter(|sort| is_alone(*sort))?;
        Some((*local, format!("the {}", program.sorts[sort].name)))
    });
    known.collect()
}

/// What was chosen, and by whom.
fn chosen(words: Words<'_>, names: &Names, made: &Made) -> Option<String> {
    let taken = words.key(names, &made.taken);
    if let Key::Step(_) = made.taken {
        let others = made.offered.iter().filter(|one| **one != made.taken);
        let others: Vec<String> = others
            .map(|one| format!("\"{}\"", words.key(names, one)))
            .collect();
        let before = list(&others, "and");
        return (!others.is_empty()).then(|| match made.who {
            Who::Nobody => format!("which comes before {before} by nobody's decision"),
            _ => format!("which comes before {before} by choice"),
        });
    }
    Some(match made.who {
        Who::Nobody => format!("{taken} is taken, which nobody decides"),
        Who::Player(player) => format!("{} chooses {taken}", names.entity(player)),
        Who::Everyone => format!("the players choose {taken}"),
        Who::Chance => format!("chance chooses {taken}"),
    })
}

/// What changes make of a board: what lies elsewhere or has another value, and what is true or false now.
fn happened(
    words: Words<'_>,
    names: &Names,
    changes: &[Difference],
    arrivals: &mut Arrivals,
) -> (Vec<String>, Vec<String>) {
    let program = words.program;
    let mut events = moved(words, names, changes, arrivals);
    let mut traits = Vec::new();
    for change in changes {
        let Difference::Spot(spot, _, now) = change else {
            continue;
        };
        let ty = match spot {
            Spot::Var(id) => program.vars[*id].ty,
            Spot::Field(_, id) => program.fields[*id].ty,
        };
        match (spot, now) {
            (Spot::Var(id), Value::Bool(now)) => {
                traits.push(fact_words(&program.vars[*id].name, *now));
            }
            (Spot::Field(of, id), Value::Bool(now)) => {
                let what = trait_words(&program.fields[*id].name, *now);
                traits.push(format!("{} {what}", names.entity(*of)));
            }
            _ => {
                let value = plain(&names.value(program, *now, KeyType::from(ty)));
                let place = plain(&names.spot(program, *spot));
                events.push(format!("{place} becomes {value}"));
            }
        }
    }
    (events, traits)
}

/// Of what something has become true.
fn turned(names: &Names, changes: &[Difference]) -> Vec<String> {
    let one = |change: &Difference| match change {
        Difference::Spot(Spot::Field(of, _), _, Value::Bool(true)) => Some(names.entity(*of)),
        _ => None,
    };
    changes.iter().filter_map(one).collect()
}

/// What comes, goes, and lies elsewhere.
fn moved(
    words: Words<'_>,
    names: &Names,
    changes: &[Difference],
    arrivals: &mut Arrivals,
) -> Vec<String> {
    let mut places: BTreeMap<EntityId, [Option<ZoneKey>; 2]> = BTreeMap::new();
    for change in changes {
        if let Difference::Zone(key, before, after) = change {
            for id in before.iter().filter(|id| !after.contains(id)) {
                places.entry(*id).or_default()[0] = Some(*key);
            }
            for id in after.iter().filter(|id| !before.contains(id)) {
                places.entry(*id).or_default()[1] = Some(*key);
            }
        }
    }
    let zone = |key: ZoneKey| plain(&names.zone(words.program, key));
    let mut out = Vec::new();
    let mut order: Vec<EntityId> = places.keys().copied().collect();
    arrivals.sort(&mut order);
    for id in order {
        let name = names.entity(id);
        let [from, to] = places.get(&id).copied().unwrap_or_default();
        out.push(match (from, to) {
            (Some(from), Some(to)) => format!("{name} goes from {} to {}", zone(from), zone(to)),
            (Some(from), None) => format!("{name} leaves {}", zone(from)),
            (None, Some(to)) => format!("{name} comes to {}", zone(to)),
            (None, None) => continue,
        });
    }
    out
}
