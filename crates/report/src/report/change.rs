//! What changes on a board, as sentences without their end.
//!
//! ```text
//! owl moves from board of ann to dying of ann
//! health of wolf: from 1 to 0
//! wolf is now marked "falls"
//! ```
//!
//! Whatever a field that is true or false is called, it stands between quotation marks: nobody knows
//! whether its name is a verb.

use super::words::{Words, beside_others, plain, value_words};
use endstep_language::typing::program::{EntityId, QueueId, Value};
use endstep_semantics::semantics::{Instance, Key, Names, Spot, ZoneKey};
use endstep_semantics::witness::{Difference, Happening, Moment};
use std::collections::BTreeMap;

/// Entities that are moved at once, in the order in which they arrive as far as it was chosen.
#[derive(Default)]
pub(super) struct Arrivals(Vec<EntityId>);

impl Arrivals {
    /// Takes down what was chosen; what was moved earlier is forgotten.
    pub(super) fn follow(&mut self, moment: &Moment) {
        if let Happening::Choice(made) = &moment.what
            && let Key::Insert(id) = made.taken
        {
            self.0.push(id);
            // The last of them has no choice of its own.
            if let [Key::Insert(one), Key::Insert(other)] = made.offered.as_slice() {
                self.0.push(if *one == id { *other } else { *one });
            }
        }
    }

    /// The moved in the order in which they arrive; those of which nothing was chosen keep theirs, and
    /// come last. Then nothing is known any more.
    pub(super) fn sort(&mut self, moved: &mut [EntityId]) {
        let place = |id: &EntityId| self.0.iter().position(|one| one == id);
        moved.sort_by_key(|id| place(id).unwrap_or(usize::MAX));
        if !moved.is_empty() {
            self.0.clear();
        }
    }
}

/// The changes, moves of entities from zone to zone as one line each.
pub(super) fn changes(
    words: Words<'_>,
    names: &Names,
    changes: &[Difference],
    arrivals: &mut Arrivals,
) -> Vec<String> {
    let (mut out, moved) = moves(words, names, changes, arrivals);
    for change in changes {
        match change {
            Difference::Created(id) | Difference::Removed(id) if moved.contains(id) => {}
            Difference::Created(id) => out.push(format!("{} is created", names.entity(*id))),
            Difference::Removed(id) => out.push(format!("{} is removed", names.entity(*id))),
            Difference::Spot(spot, before, after) => {
                out.push(value(words, names, *spot, (*before, *after)));
            }
            Difference::Zone(key, before, after) => {
                let stays = |id: &&EntityId| before.contains(id) && after.contains(id);
                let old: Vec<&EntityId> = before.iter().filter(stays).collect();
                let new: Vec<&EntityId> = after.iter().filter(stays).collect();
                // Lines of those who come do not tell in which order they lie, nor where one lies unless last.
                let came = after.len() - new.len();
                let is_last = after.last().is_none_or(|last| !before.contains(last));
                let ordered = !words.program.zones[key.0].unordered;
                if old != new || ordered && (came > 1 || came == 1 && !is_last) {
                    let zone = beside_others(&names.zone(words.program, *key));
                    let all: Vec<String> = after.iter().map(|&id| names.entity(id)).collect();
                    out.push(format!("{zone}, now in this order: {}", all.join(", ")));
                }
            }
            Difference::Queue(queue, before, after) => {
                out.push(pending(words, names, *queue, before, after));
            }
        }
    }
    out
}

/// Who moves from where to where, comes or goes, and who that is.
fn moves(
    words: Words<'_>,
    names: &Names,
    changes: &[Difference],
    arrivals: &mut Arrivals,
) -> (Vec<String>, Vec<EntityId>) {
    let mut left: BTreeMap<EntityId, ZoneKey> = BTreeMap::new();
    let mut came: BTreeMap<EntityId, ZoneKey> = BTreeMap::new();
    for change in changes {
        if let Difference::Zone(key, before, after) = change {
            let gone = before.iter().filter(|id| !after.contains(id));
            left.extend(gone.map(|id| (*id, *key)));
            let new = after.iter().filter(|id| !before.contains(id));
            came.extend(new.map(|id| (*id, *key)));
        }
    }
    let only_came = came.keys().filter(|id| !left.contains_key(id));
    let mut moved: Vec<EntityId> = left.keys().chain(only_came).copied().collect();
    arrivals.sort(&mut moved);
    let zone = |key: &ZoneKey| beside_others(&names.zone(words.program, *key));
    let line = |id: &EntityId| {
        let name = names.entity(*id);
        match (left.get(id).map(zone), came.get(id).map(zone)) {
            (Some(from), Some(to)) => format!("{name} moves from {from} to {to}"),
            (Some(from), None) if changes.contains(&Difference::Removed(*id)) => {
                format!("{name} leaves {from} and is out of the game")
            }
            (Some(from), None) => format!("{name} leaves {from} and lies nowhere"),
            (None, to) => {
                let to = to.unwrap_or_default();
                match changes.contains(&Difference::Created(*id)) {
                    true => format!("{name} is new and comes to {to}"),
                    false => format!("{name} lay nowhere and comes to {to}"),
                }
            }
        }
    };
    let out = moved.iter().map(line).collect();
    (out, moved)
}

/// What a place holds now.
pub(super) fn value(
    words: Words<'_>,
    names: &Names,
    spot: Spot,
    (before, after): (Value, Value),
) -> String {
    let program = words.program;
    match (spot, after) {
        (Spot::Field(of, field), Value::Bool(now)) => {
            let is = if now { "is now" } else { "is no longer" };
            let name = plain(&program.fields[field].name);
            return format!("{} {is} marked \"{name}\"", names.entity(of));
        }
        (Spot::Var(var), Value::Bool(now)) => {
            let is = if now { "is now" } else { "is no longer" };
            return format!("\"{}\" {is} true", plain(&program.vars[var].name));
        }
        _ => {}
    }
    let ty = match spot {
        Spot::Var(id) => program.vars[id].ty,
        Spot::Field(_, id) => program.fields[id].ty,
    };
    let place = beside_others(&names.spot(program, spot));
    let told = |value: Value| value_words(program, names, (value, ty.into()));
    // Of names of many things, too: `coins of ann: from 1 to 0`.
    format!("{place}: from {} to {}", told(before), told(after))
}

/// What waits in a queue.
fn pending(
    words: Words<'_>,
    names: &Names,
    queue: QueueId,
    before: &[Instance],
    after: &[Instance],
) -> String {
    let program = words.program;
    let name = beside_others(&program.queues[queue].name);
    let instance = |one: &Instance| words.key(names, &Key::Instance(one.clone()));
    let shown: Vec<String> = after.iter().map(instance).collect();
    match (after.len() > before.len(), shown.is_empty()) {
        (_, true) => format!("{name}: nothing is pending any more"),
        (true, _) => format!("{name}: pending now {}", shown.join(", ")),
        (false, _) => format!("{name}: still pending {}", shown.join(", ")),
    }
}
