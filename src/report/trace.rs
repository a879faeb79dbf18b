//! A run as text: under each step what was chosen and what changed.
//!
//! ```text
//! step destroy
//!   next: owl (of wolf or owl; nobody decides)
//!   owl moves from board of ann to dying of ann
//!   health of wolf: from 1 to 0
//! ```
//!
//! What changes nothing and chooses nothing is left out.

use super::change::{Arrivals, changes};
use super::layout::hang;
use super::words::{Words, kind, plain, who};
use crate::semantics::{ChoiceKind, Key, KeyType, Names};
use crate::typing::program::{SequenceId, StepId, StmtId, Value};
use crate::witness::{Happening, Made, Moment, Trace};
use serde_json::{Value as Json, json};

/// How far a trace is indented.
const INDENT: usize = 4;

/// More lines than these are cut out of the middle.
const MOST_LINES: usize = 60;

/// So much of what a cycle goes through without any change is named.
const MOST_THROUGH: usize = 6;

/// What is said of a run, or a round, in which nothing does.
const NOTHING_CHANGES: &str = "nothing changes";

/// The line where a round begins that is done again and again.
const REPEATS: &str = "--- from here it repeats ---";

/// How deep a line stands that belongs to the heading above it.
const UNDER: usize = 2;

/// What a line tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineKind {
    /// What is in progress; the lines below belong to it.
    Heading,
    /// How many lines are left out here.
    Cut,
    /// What was chosen, and who decided.
    Choice,
    /// What was and what is.
    Change,
    /// That a round begins that is done again and again.
    Repeats,
    /// Something else.
    Other,
}

/// A line of a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// What it tells.
    pub kind: LineKind,
    /// In words.
    pub text: String,
}

impl Line {
    pub(super) fn new(kind: LineKind, text: impl Into<String>) -> Self {
        Self {
            kind,
            text: text.into(),
        }
    }

    /// How far it is indented: not at all, unless it belongs to the heading above it.
    pub(super) fn depth(&self) -> usize {
        match self.kind {
            LineKind::Heading | LineKind::Cut => 0,
            _ => UNDER,
        }
    }
}

/// The trace in lines, as [`lines`], the middle cut out if there are very many.
pub(super) fn told(words: Words<'_>, names: &Names, trace: &Trace) -> Vec<Line> {
    let mut lines = lines(words, names, &trace.moments);
    if lines.is_empty() {
        return vec![Line::new(LineKind::Heading, NOTHING_CHANGES)];
    }
    if lines.len() > MOST_LINES {
        let left_out = lines.len() - MOST_LINES;
        let cut = Line::new(LineKind::Cut, format!("… {left_out} lines are left out …"));
        let half = MOST_LINES / 2;
        lines.splice(half..half + left_out, [cut]);
    }
    lines
}

/// A line of a trace, broken where it is too long.
pub(super) fn show(line: &Line, width: usize) -> String {
    let depth = INDENT + line.depth();
    hang(&line.text, width, depth, depth + 4)
}

/// One line for each heading, choice and change; headings without anything under
/// them are left out, and one is put up again where a step goes on after others inside of it.
pub(super) fn lines(words: Words<'_>, names: &Names, moments: &[Moment]) -> Vec<Line> {
    let mut out: Vec<Line> = Vec::new();
    let mut open: Vec<Heading> = Vec::new();
    let mut shown: Option<String> = None;
    let mut arrivals = Arrivals::default();
    for moment in moments {
        arrivals.follow(moment);
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
        let changes = changes(words, names, &moment.changes, &mut arrivals).into_iter();
        under.extend(changes.map(|text| Line::new(LineKind::Change, text)));
        if !under.is_empty() {
            let heading = open.last().map(|one| one.title.clone());
            if shown != heading {
                let title = heading
                    .iter()
                    .map(|title| Line::new(LineKind::Heading, title));
                out.extend(title);
                shown = heading;
            }
            out.extend(under);
        }
        rename(words, &mut open, &moment.what);
    }
    let unchanging = unchanging(words, moments);
    out.extend(unchanging.map(|text| Line::new(LineKind::Other, text)));
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
        true => NOTHING_CHANGES.to_owned(),
        false => format!("{NOTHING_CHANGES}; it goes through: {through}"),
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
fn happening(words: Words<'_>, names: &Names, what: &Happening) -> (Option<String>, Vec<Line>) {
    let other = |text: String| vec![Line::new(LineKind::Other, text)];
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
            (None, other(line))
        }
        Happening::Choice(made) => {
            let line = Line::new(LineKind::Choice, choice(words, names, made));
            (None, vec![line])
        }
        Happening::Cancelled {
            sequence,
            steps,
            elements,
            carried,
        } => {
            let line = cancelled(words, names, *sequence, (steps, elements), *carried);
            (None, other(line))
        }
        Happening::Conflict(_) => (None, other("two things are said at once".to_owned())),
        Happening::CycleBegins => (None, vec![Line::new(LineKind::Repeats, REPEATS)]),
        Happening::StepEnd(_) | Happening::Statement(_) | Happening::Other => (None, Vec::new()),
    }
}

/// That a pass is cancelled, with what the next one takes over and what is dropped.
fn cancelled(
    words: Words<'_>,
    names: &Names,
    sequence: SequenceId,
    (steps, elements): (&[StepId], &[(StmtId, Value)]),
    carried: bool,
) -> String {
    // Kept are elements of the sequence itself.
    let is_own = |stmt: StmtId| {
        let step = words.step_around(stmt);
        step.is_some_and(|step| words.program.steps[step].sequence == sequence)
    };
    let (kept, lost): (Vec<_>, Vec<_>) = elements
        .iter()
        .partition(|(stmt, _)| carried && is_own(*stmt));
    let waits = |step: StepId| {
        let mut kept = kept.iter();
        kept.any(|(stmt, _)| words.step_around(*stmt) == Some(step))
    };
    let (waiting, left): (Vec<_>, Vec<_>) = steps.iter().partition(|&&step| waits(step));
    let mut line = format!("{} is cancelled", words.sequence(sequence));
    for (fate, steps, elements) in [
        ("kept for the next pass", waiting, kept),
        ("not done", left, lost),
    ] {
        let dropped = dropped(words, names, &steps, &elements);
        if !dropped.is_empty() {
            line.push_str(&format!("; {fate}: {dropped}"));
        }
    }
    line
}

/// What was chosen, of what, and who decided.
fn choice(words: Words<'_>, names: &Names, made: &Made) -> String {
    let taken = words.key(names, &made.taken);
    let offered = words.keys(names, &made.offered);
    let who = decider(names, made);
    let what = match made.kind {
        ChoiceKind::Order => "next",
        ChoiceKind::Selection | ChoiceKind::Distribution => "chosen",
        ChoiceKind::Chance => "by chance",
        ChoiceKind::Gap => "left open",
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

/// The trace as JSON: an array of moments that chose or changed something.
pub(super) fn json(words: Words<'_>, names: &Names, trace: &Trace) -> Json {
    let mut arrivals = Arrivals::default();
    let moment = |moment: &Moment| {
        arrivals.follow(moment);
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
            "changes": changes(words, names, &moment.changes, &mut arrivals),
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
