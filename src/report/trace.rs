//! A run as text: under each step what was chosen and what changed.
//!
//! ```text
//! step destroy
//!   next: owl (of wolf or owl; nobody decides)
//!   owl: board of ann -> dying of ann
//!   health of wolf: 1 -> 0
//! ```
//!
//! What changes nothing and chooses nothing is left out.

use super::layout::hang;
use super::words::{Words, kind, plain, who};
use crate::semantics::{ChoiceKind, Instance, Key, KeyType, Names, ZoneKey};
use crate::typing::program::{EntityId, QueueId, SequenceId, StepId, StmtId, Value};
use crate::witness::{Difference, Happening, Made, Moment, Trace};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// How far a trace is indented.
const INDENT: usize = 4;

/// More lines than these are cut out of the middle.
const MOST_LINES: usize = 60;

/// So much of what a cycle goes through without any change is named.
const MOST_THROUGH: usize = 6;

/// How the line begins that says how many were cut out.
const CUT: &str = "…";

/// The line where a round begins that is done again and again.
const REPEATS: &str = "--- from here it repeats ---";

/// What stands between what was and what is.
const BECOMES: &str = " -> ";

/// How lines begin that say what was chosen.
const CHOSEN: [&str; 4] = ["next", "chosen", "by chance", "left open"];

/// What a line tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineKind {
    /// What was chosen, and who decided.
    Choice,
    /// What was and what is.
    Change,
    /// That a round begins that is done again and again.
    Repeats,
    /// Something else.
    Other,
}

/// What a line tells, as far as its form shows.
pub(super) fn line_kind(line: &str) -> LineKind {
    let is_choice = |word: &str| line.starts_with(&format!("{word}: ")) && line.ends_with(')');
    match line {
        REPEATS => LineKind::Repeats,
        _ if CHOSEN.iter().any(|word| is_choice(word)) => LineKind::Choice,
        _ if line.contains(BECOMES) => LineKind::Change,
        _ => LineKind::Other,
    }
}

/// The trace in lines, as [`lines`], the middle cut out if there are very many.
pub(super) fn told(words: Words<'_>, names: &Names, trace: &Trace) -> Vec<String> {
    let mut lines = lines(words, names, &trace.moments);
    if lines.is_empty() {
        return vec!["nothing changes".to_owned()];
    }
    if lines.len() > MOST_LINES {
        let left_out = lines.len() - MOST_LINES;
        let cut = format!("{CUT} {left_out} lines are left out …");
        let half = MOST_LINES / 2;
        lines.splice(half..half + left_out, [cut]);
    }
    lines
}

/// Whether a line stands for others that are left out.
pub(super) fn is_cut(line: &str) -> bool {
    line.starts_with(CUT)
}

/// A line of a trace, broken where it is too long.
pub(super) fn show(line: &str, width: usize) -> String {
    let depth = INDENT + line.chars().take_while(|&one| one == ' ').count();
    hang(line, width, depth, depth + 4)
}

/// One line for each heading, choice and change; headings without anything under
/// them are left out, and one is put up again where a step goes on after others inside of it.
pub(super) fn lines(words: Words<'_>, names: &Names, moments: &[Moment]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut open: Vec<Heading> = Vec::new();
    let mut shown: Option<String> = None;
    for moment in moments {
        let (title, mut under) = happening(words, names, &moment.what);
        match (&moment.what, title) {
            (what, Some(title)) => {
                open.retain(|one| one.depth < moment.depth);
                open.push(Heading {
                    depth: moment.depth,
                    title,
                    pass: match what {
                        Happening::Pass(id) => Some(*id),
                        _ => None,
                    },
                });
                shown = None;
            }
            // They belong to what they break off, and to what has just happened.
            (Happening::Cancelled { .. } | Happening::CycleBegins, None) => {}
            (_, None) => open.retain(|one| one.depth <= moment.depth),
        }
        under.extend(changes(words, names, &moment.changes));
        if !under.is_empty() {
            let heading = open.last().map(|one| one.title.clone());
            if shown != heading {
                out.extend(heading.clone());
                shown = heading;
            }
            out.extend(under.into_iter().map(|line| format!("  {line}")));
        }
        rename(words, &mut open, &moment.what);
    }
    out.extend(unchanging(words, moments));
    out
}

/// What a cycle goes through that changes nothing and chooses nothing: headings, else statements.
fn unchanging(words: Words<'_>, moments: &[Moment]) -> Option<String> {
    let begins = |one: &Moment| matches!(one.what, Happening::CycleBegins);
    let round = &moments[moments.iter().position(begins)? + 1..];
    let names = Names::default();
    let is_told =
        |one: &Moment| !one.changes.is_empty() || matches!(one.what, Happening::Choice(_));
    if round.is_empty() || round.iter().any(is_told) {
        return None;
    }
    let headings = round
        .iter()
        .map(|one| happening(words, &names, &one.what).0);
    let statements = round.iter().map(|one| match one.what {
        Happening::Statement(id) => {
            Some(format!("`{}`", words.quote(words.program.stmts[id].span)))
        }
        _ => None,
    });
    let distinct = |all: &mut dyn Iterator<Item = Option<String>>| {
        let mut found: Vec<String> = Vec::new();
        for one in all.flatten() {
            if !found.contains(&one) {
                found.push(one);
            }
        }
        found
    };
    let mut through = distinct(&mut { headings });
    if through.is_empty() {
        through = distinct(&mut { statements });
    }
    let more = through.len().saturating_sub(MOST_THROUGH);
    through.truncate(MOST_THROUGH);
    if more > 0 {
        through.push(format!("{more} more"));
    }
    let through = through.join("; ");
    Some(match through.is_empty() {
        true => "  nothing changes".to_owned(),
        false => format!("  nothing changes; it goes through: {through}"),
    })
}

/// What is in progress, for the heading of what happens in it.
struct Heading {
    /// How deep it stands; what happens further out is no part of it.
    depth: usize,
    title: String,
    /// The sequence, if it is a pass.
    pass: Option<SequenceId>,
}

/// A pass that has begun steps, or was cancelled, begins no more.
fn rename(words: Words<'_>, open: &mut [Heading], what: &Happening) {
    let (sequence, title) = match what {
        Happening::Step(id) => {
            let sequence = words.program.steps[*id].sequence;
            let title = format!("{}, between its steps", words.sequence(sequence));
            (sequence, title)
        }
        Happening::Cancelled { sequence, .. } => {
            let title = format!("{}, before it begins again", words.sequence(*sequence));
            (*sequence, title)
        }
        _ => return,
    };
    let mut passes = open.iter_mut().rev();
    if let Some(pass) = passes.find(|one| one.pass == Some(sequence)) {
        pass.title = title;
    }
}

/// The heading that something puts up, and the lines that it is worth.
fn happening(words: Words<'_>, names: &Names, what: &Happening) -> (Option<String>, Vec<String>) {
    let program = words.program;
    match what {
        Happening::Pass(id) => (Some(format!("{} begins", words.sequence(*id))), Vec::new()),
        Happening::Step(id) => {
            let step = &program.steps[*id];
            let name = plain(&step.name);
            (
                Some(format!("{}: {name}", words.sequence(step.sequence))),
                Vec::new(),
            )
        }
        Happening::Trigger(id) => {
            let title = format!("{} is resolved", words.trigger(*id));
            (Some(title), Vec::new())
        }
        Happening::Announced(id, matched) => {
            let name = plain(&program.events[*id].name);
            let line = format!("\"{name}\" is announced; {matched} triggers react");
            let line = match matched {
                0 => return (None, Vec::new()),
                1 => line.replace("triggers react", "trigger reacts"),
                _ => line,
            };
            (None, vec![line])
        }
        Happening::Choice(made) => (None, vec![choice(words, names, made)]),
        Happening::Cancelled {
            sequence,
            steps,
            elements,
            carried,
        } => {
            let name = words.sequence(*sequence);
            let dropped = dropped(words, names, steps, elements);
            let fate = match carried {
                true => "kept for the next pass",
                false => "not done",
            };
            let line = match dropped.is_empty() {
                true => format!("{name} is cancelled"),
                false => format!("{name} is cancelled; {fate}: {dropped}"),
            };
            (None, vec![line])
        }
        Happening::Conflict(_) => (None, vec!["two things are said at once".to_owned()]),
        Happening::CycleBegins => (None, vec![REPEATS.to_owned()]),
        Happening::StepEnd(_) | Happening::Statement(_) | Happening::Other => (None, Vec::new()),
    }
}

/// What was chosen, of what, and who decided.
fn choice(words: Words<'_>, names: &Names, made: &Made) -> String {
    let taken = words.key(names, &made.taken);
    let offered = words.keys(names, &made.offered);
    let who = decider(names, made);
    let what = match made.kind {
        ChoiceKind::Order => CHOSEN[0],
        ChoiceKind::Selection | ChoiceKind::Distribution => CHOSEN[1],
        ChoiceKind::Chance => CHOSEN[2],
        ChoiceKind::Gap => CHOSEN[3],
    };
    format!("{what}: {taken} (of {offered}; {who})")
}

/// Who decided, or how an order that was tried stands to the one that the document fixes.
fn decider(names: &Names, made: &Made) -> String {
    match (made.freed, made.offered.first() == Some(&made.taken)) {
        (false, _) => who(names, made.who),
        (true, true) => "as the document says".to_owned(),
        (true, false) => "tried against the document's order".to_owned(),
    }
}

/// What a cancelled pass has not come to: steps with the elements that they had left, then elements
/// of steps that had begun.
fn dropped(
    words: Words<'_>,
    names: &Names,
    steps: &[StepId],
    elements: &[(StmtId, Value)],
) -> String {
    let program = words.program;
    let mut groups: Vec<(StmtId, Vec<String>)> = Vec::new();
    for (stmt, value) in elements {
        let element = plain(&names.value(program, *value, KeyType::Plain));
        match groups.iter_mut().find(|(one, _)| one == stmt) {
            Some((_, members)) => members.push(element),
            None => groups.push((*stmt, vec![element])),
        }
    }
    let mut items = Vec::new();
    for (stmt, members) in &groups {
        let around = words.step_around(*stmt);
        let members = members.join(", ");
        match around {
            Some(step) if steps.contains(&step) => {}
            Some(step) => items.push(format!(
                "{} for {members}",
                plain(&program.steps[step].name)
            )),
            None => items.push(format!("{} for {members}", words.statement(*stmt))),
        }
    }
    for &step in steps {
        let own = groups
            .iter()
            .filter(|(stmt, _)| words.step_around(*stmt) == Some(step));
        let own: Vec<String> = own.map(|(_, members)| members.join(", ")).collect();
        let name = plain(&program.steps[step].name);
        items.push(match own.is_empty() {
            true => name,
            false => format!("{name} (of {})", own.join("; ")),
        });
    }
    items.join(", ")
}

/// The changes, moves of entities from zone to zone as one line each.
pub(super) fn changes(words: Words<'_>, names: &Names, changes: &[Difference]) -> Vec<String> {
    let program = words.program;
    let mut out = Vec::new();
    let mut left: BTreeMap<EntityId, ZoneKey> = BTreeMap::new();
    let mut came: BTreeMap<EntityId, ZoneKey> = BTreeMap::new();
    for change in changes {
        if let Difference::Zone(key, before, after) = change {
            left.extend(
                before
                    .iter()
                    .filter(|id| !after.contains(id))
                    .map(|id| (*id, *key)),
            );
            came.extend(
                after
                    .iter()
                    .filter(|id| !before.contains(id))
                    .map(|id| (*id, *key)),
            );
        }
    }
    let removed = |id: &EntityId| changes.contains(&Difference::Removed(*id));
    let created = |id: &EntityId| changes.contains(&Difference::Created(*id));
    for (id, from) in &left {
        let from = plain(&names.zone(program, *from));
        let to = match came.remove(id) {
            Some(to) => plain(&names.zone(program, to)),
            None if removed(id) => "out of the game".to_owned(),
            None => "nowhere".to_owned(),
        };
        out.push(format!("{}: {from} -> {to}", names.entity(*id)));
    }
    for (id, to) in &came {
        let to = plain(&names.zone(program, *to));
        let from = if created(id) { "new" } else { "nowhere" };
        out.push(format!("{}: {from} -> {to}", names.entity(*id)));
    }
    for change in changes {
        match change {
            Difference::Created(id) if came.contains_key(id) => {}
            Difference::Removed(id) if left.contains_key(id) => {}
            Difference::Created(id) => out.push(format!("{} is created", names.entity(*id))),
            Difference::Removed(id) => out.push(format!("{} is removed", names.entity(*id))),
            Difference::Spot(spot, before, after) => {
                let ty = match spot {
                    crate::semantics::Spot::Var(id) => program.vars[*id].ty,
                    crate::semantics::Spot::Field(_, id) => program.fields[*id].ty,
                };
                let [before, after] =
                    [before, after].map(|value| plain(&names.value(program, *value, ty.into())));
                let place = plain(&names.spot(program, *spot));
                out.push(format!("{place}: {before} -> {after}"));
            }
            Difference::Zone(key, before, after) => {
                let stays = |id: &&EntityId| before.contains(id) && after.contains(id);
                let old: Vec<&EntityId> = before.iter().filter(stays).collect();
                let new: Vec<&EntityId> = after.iter().filter(stays).collect();
                if old != new {
                    let zone = plain(&names.zone(program, *key));
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

fn pending(
    words: Words<'_>,
    names: &Names,
    queue: QueueId,
    before: &[Instance],
    after: &[Instance],
) -> String {
    let program = words.program;
    let name = plain(&program.queues[queue].name);
    let instance = |one: &Instance| words.key(names, &Key::Instance(one.clone()));
    let shown: Vec<String> = after.iter().map(instance).collect();
    match (after.len() > before.len(), shown.is_empty()) {
        (_, true) => format!("{name}: nothing is pending any more"),
        (true, _) => format!("{name}: pending now {}", shown.join(", ")),
        (false, _) => format!("{name}: still pending {}", shown.join(", ")),
    }
}

/// The trace as JSON: an array of moments that chose or changed something.
pub(super) fn json(words: Words<'_>, names: &Names, trace: &Trace) -> Json {
    let moment = |moment: &Moment| {
        let (heading, _) = happening(words, names, &moment.what);
        let choice = match &moment.what {
            Happening::Choice(made) => {
                let key = |key: &Key| names.key(words.program, key);
                json!({
                    "kind": kind(made.kind),
                    "decider": decider(names, made),
                    "taken": key(&made.taken),
                    "offered": made.offered.iter().map(key).collect::<Vec<_>>(),
                })
            }
            _ => Json::Null,
        };
        json!({
            "step": moment.step,
            "heading": heading,
            "choice": choice,
            "changes": changes(words, names, &moment.changes),
        })
    };
    let interesting = |moment: &&Moment| {
        let (heading, lines) = happening(words, names, &moment.what);
        heading.is_some() || !lines.is_empty() || !moment.changes.is_empty()
    };
    Json::Array(
        trace
            .moments
            .iter()
            .filter(interesting)
            .map(moment)
            .collect(),
    )
}
