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

use super::board;
use super::change::{Arrivals, changes};
use super::follows;
use super::heading::{self, Headings};
use super::layout::hang;
use super::outcome::goes_on;
use super::place;
use super::words::{Words, beside_others, kind, plain, value_words, who};
use endstep_language::typing::program::{Program, SequenceId, StepId, StmtId, Value};
use endstep_semantics::semantics::{ChoiceKind, Key, KeyType, Names};
use endstep_semantics::witness::{FixedOrder, Happening, Made, Moment, Trace};
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

    /// How far it is indented: not at all, unless it belongs to the heading above it. What is left out
    /// begins there, whatever comes to stand under other headings.
    pub(super) fn depth(&self) -> usize {
        match self.kind {
            LineKind::Heading => 0,
            _ => UNDER,
        }
    }
}

/// The trace in lines, as [`lines`], the middle cut out if there are very many.
pub(super) fn told(words: Words<'_>, names: &Names, trace: &Trace) -> Vec<Line> {
    cut(whole(words, names, trace), None)
}

/// The trace in lines, all of them.
pub(super) fn whole(words: Words<'_>, names: &Names, trace: &Trace) -> Vec<Line> {
    let mut lines = lines(words, names, &trace.moments);
    let why = follows::why(words, names, &trace.open).into_iter();
    lines.extend(why.map(|text| Line::new(LineKind::Other, text)));
    match lines.is_empty() {
        true => vec![Line::new(LineKind::Heading, NOTHING_CHANGES)],
        false => lines,
    }
}

/// Lines without what is in the middle, if there are very many; each that is left stands under its heading. `parting`:
/// the first one that is another than in a run with which it is compared; that is never cut out.
pub(super) fn cut(lines: Vec<Line>, parting: Option<usize>) -> Vec<Line> {
    if lines.len() <= MOST_LINES {
        return lines;
    }
    let half = MOST_LINES / 2;
    let mut stays: Vec<bool> = lines
        .iter()
        .enumerate()
        .map(|(at, line)| {
            let is_in_middle = (half..lines.len() - half).contains(&at);
            !is_in_middle || line.kind == LineKind::Repeats || Some(at) == parting
        })
        .collect();
    let mut heading = None;
    let mut needed = Vec::new();
    for (at, (line, stays)) in lines.iter().zip(&stays).enumerate() {
        match line.kind {
            LineKind::Heading => heading = Some(at),
            _ if *stays => needed.extend(heading),
            _ => {}
        }
    }
    for at in needed {
        stays[at] = true;
    }
    let mut out = Vec::new();
    let mut left_out = 0;
    for (line, stays) in lines.into_iter().zip(stays) {
        if !stays {
            left_out += 1;
            continue;
        }
        if left_out > 0 {
            let text = match left_out {
                1 => "… 1 line is left out …".to_owned(),
                _ => format!("… {left_out} lines are left out …"),
            };
            out.push(Line::new(LineKind::Cut, text));
            left_out = 0;
        }
        out.push(line);
    }
    out
}

/// A line of a trace, broken where it is too long.
pub(super) fn show(line: &Line, width: usize) -> String {
    let depth = INDENT + line.depth();
    hang(&line.text, width, depth, depth + 4)
}

/// A moment as it is shown.
pub(super) struct Entry<'a> {
    /// The moment.
    pub moment: &'a Moment,
    /// The heading that is put up over it.
    pub heading: Option<String>,
    /// What stands under the heading.
    pub lines: Vec<Line>,
}

/// One line for each heading, choice and change; headings without anything under
/// them are left out, and one is put up again where a step goes on after others inside of it.
pub(super) fn lines(words: Words<'_>, names: &Names, moments: &[Moment]) -> Vec<Line> {
    let mut out: Vec<Line> = Vec::new();
    for entry in entries(words, names, moments) {
        let title = entry.heading;
        out.extend(title.map(|title| Line::new(LineKind::Heading, title)));
        out.extend(entry.lines);
    }
    let unchanging = unchanging(words, names, moments);
    out.extend(unchanging.map(|text| Line::new(LineKind::Other, text)));
    out
}

/// The moments at which something is chosen, changes or is worth a line.
pub(super) fn entries<'a>(
    words: Words<'_>,
    names: &Names,
    moments: &'a [Moment],
) -> Vec<Entry<'a>> {
    let mut out = Vec::new();
    let mut headings = Headings::default();
    let mut arrivals = Arrivals::default();
    for moment in moments {
        arrivals.follow(moment);
        headings.follow(moment);
        let mut under: Vec<Line> = happening(words, names, &moment.what).into_iter().collect();
        let changes = changes(words, names, &moment.changes, &mut arrivals).into_iter();
        under.extend(changes.map(|text| Line::new(LineKind::Change, text)));
        let follows = follows::lines(words, names, &moment.follows).into_iter();
        under.extend(follows.map(|text| Line::new(LineKind::Change, text)));
        if !under.is_empty() {
            out.push(Entry {
                moment,
                heading: headings.over(words, names, moment),
                lines: under,
            });
        }
    }
    out
}

/// Closing lines of a run: that nothing changes, or why a value is missing.
pub(super) fn at_the_end(words: Words<'_>, names: &Names, trace: &Trace) -> Vec<Line> {
    let unchanging = unchanging(words, names, &trace.moments).into_iter();
    let why = follows::why(words, names, &trace.open);
    let texts = unchanging.chain(why);
    texts.map(|text| Line::new(LineKind::Other, text)).collect()
}

/// What a cycle goes through that changes nothing and chooses nothing: headings, else statements.
fn unchanging(words: Words<'_>, names: &Names, moments: &[Moment]) -> Option<String> {
    let begins = |one: &Moment| matches!(one.what, Happening::CycleBegins);
    let round = &moments[moments.iter().position(begins)? + 1..];
    let is_told =
        |one: &Moment| !one.changes.is_empty() || matches!(one.what, Happening::Choice(_));
    if round.is_empty() || round.iter().any(is_told) {
        return None;
    }
    let headings = round
        .iter()
        .map(|one| heading::begun(words, names, &one.what));
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

/// What is worth a line of what happened, beside what it changed.
fn happening(words: Words<'_>, names: &Names, what: &Happening) -> Option<Line> {
    let other = |text: String| Some(Line::new(LineKind::Other, text));
    match what {
        Happening::Announced(_, 0) => None,
        Happening::Announced(id, matched) => {
            let event = &words.program.events[*id];
            let name = plain(&event.name);
            let happens = match event.whenever {
                Some(_) => "happens",
                None => "is announced",
            };
            let react = match matched {
                1 => "trigger reacts",
                _ => "triggers react",
            };
            other(format!("\"{name}\" {happens}; {matched} {react}"))
        }
        Happening::Choice(made) => {
            let line = choice(words, names, made);
            Some(Line::new(LineKind::Choice, line))
        }
        Happening::Cancelled {
            sequence,
            steps,
            elements,
            lost,
        } => other(cancelled(words, names, *sequence, (steps, elements), lost)),
        Happening::Passed(who) => {
            let who = value_words(words.program, names, (*who, KeyType::Plain));
            other(format!("{who} passes"))
        }
        Happening::Conflict(_) => other("different things are said at once".to_owned()),
        Happening::Statement(stmt) => {
            let [gap, how] = goes_on(words, *stmt)?;
            other(format!("{gap}; it {how}"))
        }
        Happening::CycleBegins => Some(Line::new(LineKind::Repeats, REPEATS)),
        Happening::Pass(_)
        | Happening::Step(_)
        | Happening::Trigger(_)
        | Happening::StepEnd(_)
        | Happening::Other => None,
    }
}

/// A step that was not begun, and for which place, if it was for others.
type NotBegun = (StepId, Option<Value>);

/// That a pass is cancelled, with what the next one takes over and what is dropped.
fn cancelled(
    words: Words<'_>,
    names: &Names,
    sequence: SequenceId,
    (steps, elements): (&[NotBegun], &[(StmtId, Value)]),
    lost: &[StmtId],
) -> String {
    let elements = elements.iter();
    let (lost, kept): (Vec<_>, Vec<_>) = elements.partition(|(stmt, _)| lost.contains(stmt));
    let waits = |step: StepId| {
        let mut kept = kept.iter();
        !has_places(words.program, step)
            && kept.any(|(stmt, _)| words.step_around(*stmt) == Some(step))
    };
    let (waiting, left): (Vec<_>, Vec<_>) = steps.iter().partition(|(step, _)| waits(*step));
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
    match made.fixed {
        FixedOrder::Kept => who(names, made.who),
        FixedOrder::WithoutBeginning => "the document's order has no beginning here".to_owned(),
        FixedOrder::Tried if made.offered.first() == Some(&made.taken) => {
            "as the document says".to_owned()
        }
        FixedOrder::Tried => "tried against the document's order".to_owned(),
    }
}

/// Whether a step is done for each of several places: then what it had left are elements of a place that had begun,
/// and places that had not begun have none.
pub(super) fn has_places(program: &Program, step: StepId) -> bool {
    let sequence = program.steps[step].sequence;
    program.sequences[sequence].over.is_some()
}

/// What a cancelled pass has not come to: steps with the elements that they had left, then elements
/// of steps that had begun.
fn dropped(
    words: Words<'_>,
    names: &Names,
    steps: &[NotBegun],
    elements: &[(StmtId, Value)],
) -> String {
    let program = words.program;
    let is_among = |step| !has_places(program, step) && steps.iter().any(|(one, _)| *one == step);
    let mut groups: Vec<(StmtId, Vec<String>)> = Vec::new();
    for (stmt, value) in elements {
        let element = value_words(program, names, (*value, KeyType::Plain));
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
            Some(step) if is_among(step) => {}
            Some(step) if has_places(program, step) => items.push(format!(
                "the rest of {} ({members})",
                beside_others(&program.steps[step].name)
            )),
            Some(step) => items.push(format!(
                "{} for {members}",
                beside_others(&program.steps[step].name)
            )),
            None => items.push(format!("{} for {members}", words.statement(*stmt))),
        }
    }
    for &(step, place) in steps {
        let own = groups.iter().filter(|(stmt, _)| {
            !has_places(program, step) && words.step_around(*stmt) == Some(step)
        });
        let own: Vec<String> = own.map(|(_, members)| members.join(", ")).collect();
        let mut name = beside_others(&program.steps[step].name);
        if let Some(place) = place {
            let place = value_words(program, names, (place, KeyType::Plain));
            name.push_str(&format!(" for {place}"));
        }
        items.push(match own.is_empty() {
            true => name,
            false => format!("{name} (of {})", own.join("; ")),
        });
    }
    items.join(", ")
}

/// The trace as JSON: an array of moments that begin, choose or change something. A moment has a heading if
/// it does not stand where the one before it does.
pub(super) fn json(words: Words<'_>, names: &Names, trace: &Trace) -> Json {
    let mut arrivals = Arrivals::default();
    let mut headings = Headings::default();
    let mut all = Vec::new();
    for moment in &trace.moments {
        arrivals.follow(moment);
        headings.follow(moment);
        let begins = heading::begun(words, names, &moment.what).is_some();
        let is_told = happening(words, names, &moment.what).is_some();
        if !begins && !is_told && moment.changes.is_empty() {
            continue;
        }
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
        let data = moment.data.as_ref();
        let patch = data.map(|data| board::patch(words.program, names, &moment.changes, data));
        all.push(json!({
            "step": moment.step,
            "heading": headings.over(words, names, moment),
            "choice": choice,
            "changes": changes(words, names, &moment.changes, &mut arrivals),
            "follows": follows::lines(words, names, &moment.follows),
            "place": place::of_moment(words, moment),
            "patch": patch,
        }));
    }
    Json::Array(all)
}
