//! What happens each time round in a loop, as a sentence, with what made-up cards say.
//!
//! ```text
//! Each time round: in "destroy" of cleanup, card 1 goes from board of ann to dying of ann; then the trigger
//! "comes back" ("Afterlife: return this card") acts, as card 1 has ability returns: card 1 goes from dying of
//! ann to board of ann.
//! ```
//!
//! Whether something is true or false of a card is told after what else changes in the same part: often
//! specifications only remember in this way what is still to be done. Of a round after which there is more it
//! is told by how much something grows: what it becomes is not the same each time.

use super::change::{Arrivals, value};
use super::layout::list;
use super::spoken;
use super::words::{Words, beside_others, plain, value_words};
use endstep_language::typing::program::{EntityId, LocalId, TriggerId, Type, Value};
use endstep_semantics::semantics::{Instance, Key, Names, Spot, Who, ZoneKey};
use endstep_semantics::witness::{
    Difference, Happening, Made, Moment, Ongoing, Run, RunEnd, Within, Witness, trace,
};
use endstep_verdicts::verdict::{Detail, Finding};
use std::collections::BTreeMap;

/// What is said of a round in which nothing happens to the board.
const NOTHING: &str = "Each time round nothing changes.";

/// At most so many parts of a round that grows are named.
const MOST_PARTS: usize = 8;

/// At most so many parts of a longer loop are named; the trace shows all of them.
const FEW_PARTS: usize = 3;

/// So much of what happens in a part is told.
const MOST_EVENTS: usize = 6;

/// A step or a trigger of the round, and what happens in it.
struct Part {
    within: Option<Within>,
    heading: String,
    /// Whether it is told even if nothing happens in it.
    acts: bool,
    events: Vec<String>,
    /// What becomes true or false.
    traits: Vec<String>,
}

/// What a loop goes through: what happens each time round, else what its finding names.
pub(super) fn repeats(words: Words<'_>, finding: &Finding) -> String {
    let run = match &finding.witness {
        Some(Witness::Lasso { run, .. } | Witness::Growth { run, .. }) => Some(run),
        _ => None,
    };
    let round = run.and_then(|run| told(words, run));
    let told = round.map_or_else(String::new, |round| format!(" {round}"));
    if !told.is_empty() && told.trim_start() != NOTHING {
        return told;
    }
    // Of growth, what there is more of comes last in the cause.
    let through = match (&finding.detail, finding.cause.rsplit_once(": ")) {
        (Detail::Growth { .. }, Some((through, _))) => through,
        _ => &finding.cause,
    };
    let names = through.split(" + ").filter(|name| !name.is_empty());
    let names: Vec<String> = names.map(|name| format!("\"{}\"", plain(name))).collect();
    match names.is_empty() {
        true => told,
        false => format!("{told} What repeats: {}.", list(&names, "and")),
    }
}

/// What happens in a round, as a sentence of its own; nothing if that would tell nothing.
fn told(words: Words<'_>, run: &Run) -> Option<String> {
    let trace = trace(words.program, run).ok()?;
    let begins = |one: &Moment| matches!(one.what, Happening::CycleBegins);
    let at = trace.moments.iter().position(begins)?;
    let round = &trace.moments[at..];
    let growing = match run.end {
        // What is counted is no longer what it was when the loop comes round.
        RunEnd::Grows { .. } | RunEnd::Loop { .. } => growing(round),
        RunEnd::Ended(_) | RunEnd::Stopped { .. } => BTreeMap::new(),
    };
    let telling = Telling {
        words,
        names: &run.names,
        growing,
    };
    let mut parts = joined(telling.parts(round));
    if parts.iter().all(|part| part.events.is_empty()) {
        let changes = round.iter().any(|moment| !moment.changes.is_empty());
        return (!changes).then(|| NOTHING.to_owned());
    }
    if matches!(run.end, RunEnd::Loop { .. }) && parts.len() > FEW_PARTS + 1 {
        let told: Vec<String> = few(parts).iter().map(Part::words).collect();
        return Some(format!("{AMONG_OTHERS} {}.", told.join("; ")));
    }
    let more = parts.len().saturating_sub(MOST_PARTS);
    parts.truncate(MOST_PARTS);
    let mut told: Vec<String> = parts.iter().map(Part::words).collect();
    if more > 0 {
        told.push(format!("{more} more"));
    }
    Some(format!("Each time round: {}.", told.join("; then ")))
}

/// Opens a list of some parts of a round.
const AMONG_OTHERS: &str = "Each time round, among other things:";

/// A few parts of a round, in their order: triggers that act before steps.
fn few(parts: Vec<Part>) -> Vec<Part> {
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|&at| !parts[at].acts);
    order.truncate(FEW_PARTS);
    let parts = parts.into_iter().enumerate();
    let few = parts.filter(|(at, _)| order.contains(at));
    few.map(|(_, part)| part).collect()
}

/// The integers that are not what they were when the round is over, and how often each changes in it.
fn growing(round: &[Moment]) -> BTreeMap<Spot, usize> {
    let mut all: BTreeMap<Spot, (Value, Value, usize)> = BTreeMap::new();
    for change in round.iter().flat_map(|moment| &moment.changes) {
        if let Difference::Spot(spot, before, after) = change
            && matches!(after, Value::Int(_))
        {
            let (_, last, times) = all.entry(*spot).or_insert((*before, *after, 0));
            *last = *after;
            *times += 1;
        }
    }
    all.retain(|_, (first, last, _)| first != last);
    let all = all.into_iter();
    all.map(|(spot, (_, _, times))| (spot, times)).collect()
}

/// The parts in which something is told, those that belong together as one.
fn joined(parts: Vec<Part>) -> Vec<Part> {
    let mut out: Vec<Part> = Vec::new();
    for part in parts {
        let is_told = part.acts || !part.events.is_empty() || !part.traits.is_empty();
        match out.last_mut() {
            _ if !is_told => {}
            Some(last) if last.within == part.within => {
                last.events.extend(part.events);
                last.traits.extend(part.traits);
            }
            _ => out.push(part),
        }
    }
    for part in &mut out {
        part.events.append(&mut part.traits);
    }
    out
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

/// What a round is told with.
struct Telling<'a> {
    words: Words<'a>,
    names: &'a Names,
    /// What is another each time round, and how often it changes in the round.
    growing: BTreeMap<Spot, usize>,
}

impl Telling<'_> {
    /// The round in parts: a new one wherever something else goes on.
    fn parts(&self, round: &[Moment]) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        let mut said: Vec<TriggerId> = Vec::new();
        let mut arrivals = Arrivals::default();
        for moment in round {
            arrivals.follow(moment);
            let within = moment.within.last().copied();
            let begins = match &moment.what {
                Happening::Trigger(instance) => {
                    let is_first = !said.contains(&instance.trigger);
                    said.push(instance.trigger);
                    Some(acting(self.words, self.names, instance, is_first))
                }
                _ => None,
            };
            let (mut events, traits) = self.happened(&moment.changes, &mut arrivals);
            if let Happening::Choice(made) = &moment.what {
                events.splice(0..0, chosen(self.words, self.names, made));
            }
            match parts.last_mut() {
                Some(part) if part.within == within && begins.is_none() => {
                    part.events.extend(events);
                    part.traits.extend(traits);
                }
                _ => parts.push(Part {
                    within,
                    acts: begins.is_some(),
                    heading: begins.unwrap_or_else(|| going_on(self.words, within)),
                    events,
                    traits,
                }),
            }
        }
        parts
    }

    /// What changes make of a board: what lies elsewhere or has another value, and what is true or false
    /// now.
    fn happened(
        &self,
        changes: &[Difference],
        arrivals: &mut Arrivals,
    ) -> (Vec<String>, Vec<String>) {
        let program = self.words.program;
        let mut events = moved(self.words, self.names, changes, arrivals);
        let mut traits = Vec::new();
        for change in changes {
            let Difference::Spot(spot, before, now) = change else {
                continue;
            };
            if let Value::Bool(_) = now {
                traits.push(value(self.words, self.names, *spot, (*before, *now)));
                continue;
            }
            let ty = match spot {
                Spot::Var(id) => program.vars[*id].ty,
                Spot::Field(_, id) => program.fields[*id].ty,
            };
            let told = |value: Value| value_words(program, self.names, (value, ty.into()));
            let place = beside_others(&self.names.spot(program, *spot));
            events.push(match (self.growing.get(spot), before, now) {
                (Some(1), Value::Int(before), Value::Int(now)) if now > before => {
                    format!("{place} grows by {}", now.abs_diff(*before))
                }
                (Some(1), Value::Int(before), Value::Int(now)) => {
                    format!("{place} falls by {}", now.abs_diff(*before))
                }
                (Some(_), ..) => {
                    format!(
                        "{place} goes, the first time, from {} to {}",
                        told(*before),
                        told(*now)
                    )
                }
                (None, ..) => format!("{place} becomes {}", told(*now)),
            });
        }
        (events, traits)
    }
}

/// What goes on, and was begun before.
fn going_on(words: Words<'_>, within: Option<Within>) -> String {
    match within.map(|one| one.what) {
        Some(Ongoing::Step(id)) => in_step(words, id),
        Some(Ongoing::Trigger(id)) => format!("while {} acts", words.trigger(id)),
        Some(Ongoing::Pass { sequence, begun }) => match begun {
            true => format!("between the steps of {}", words.sequence(sequence)),
            false => format!("as {} begins", words.sequence(sequence)),
        },
        Some(Ongoing::Restart(sequence)) => {
            format!("before {} begins again", words.sequence(sequence))
        }
        None => "first".to_owned(),
    }
}

fn in_step(words: Words<'_>, id: endstep_language::typing::program::StepId) -> String {
    let step = &words.program.steps[id];
    format!(
        "in \"{}\" of {}",
        plain(&step.name),
        words.sequence(step.sequence)
    )
}

/// That a trigger acts: what it says, if that was not told yet, and what made it listen.
fn acting(words: Words<'_>, names: &Names, instance: &Instance, is_first: bool) -> String {
    let id = instance.trigger;
    let trigger = &words.program.triggers[id];
    let mut out = words.trigger(id);
    if let Some(text) = says(words, id).filter(|_| is_first) {
        out.push_str(&format!(" (\"{}\")", text.trim_matches('"')));
    }
    out.push_str(" acts");
    let of = bound(words, names, instance);
    let condition = trigger.condition.as_ref();
    let why = condition.and_then(|one| spoken::condition_of(words, names, of, one));
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
    let told = |value: Value, ty: Type| value_words(program, names, (value, ty.into()));
    let args = trigger.args.iter().zip(&found.payload).zip(params);
    let mut bound: Vec<(LocalId, String)> = args
        .map(|((local, value), param)| (*local, told(*value, param.ty)))
        .collect();
    if let Some(listener) = &trigger.listener {
        bound.push((listener.local, told(found.listener, listener.ty)));
    }
    bound
}

/// What was chosen, and by whom.
fn chosen(words: Words<'_>, names: &Names, made: &Made) -> Option<String> {
    let taken = words.key(names, &made.taken);
    if let Key::Step(_) = made.taken {
        let others = made.offered.iter().filter(|one| **one != made.taken);
        let others: Vec<String> = others
            .map(|one| format!("\"{}\"", words.label(names, one)))
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
    let zone = |key: ZoneKey| beside_others(&names.zone(words.program, key));
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
