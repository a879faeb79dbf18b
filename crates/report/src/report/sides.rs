//! Two passages that disagree: what each says, and what follows from it on the board.
//!
//! ```text
//! One side (Page 3): "Everybody reacts once." By it, each player has one reaction; on the board below it
//! ends with health of card 1: 0. The other (Page 9): "…" By it, …
//! ```
//!
//! and what follows from two orders or choices, each by its name:
//!
//! ```text
//! With fighter 1 first, it ends normally. With fighter 2 first, it can stop, because …
//! With card 1 first, it ends like this: health of card 2 is 0. With card 2 first, it ends like this: …
//! ```

use super::called;
use super::differences::{ABSENT, About, Row, beside};
use super::outcome::ends;
use super::words::{Words, beside_others};
use endstep_language::typing::program::{ClauseIdx, ReadingId};
use endstep_semantics::semantics::Tag;
use endstep_semantics::witness::{Run, Versus, Witness};
use endstep_verdicts::verdict::Finding;
use std::collections::BTreeSet;

/// So many places in which two ends differ are named in a sentence.
const MOST_VALUES: usize = 3;

/// So many passages are quoted for a side.
const MOST_PASSAGES: usize = 2;

/// The passages of two alternatives with what follows from them, as sentences; nothing if one of them
/// rests on no clause that says anything.
pub(super) fn of(
    words: Words<'_>,
    reading: ReadingId,
    alternatives: [u16; 2],
    finding: &Finding,
) -> Option<String> {
    let follows = under(words, (reading, alternatives), finding.witness.as_ref());
    let follows = follows.map_or([None, None], |both| both.map(Some));
    let declared = &words.program.readings[reading].alternatives;
    let [first, second] = alternatives.map(|at| declared.get(usize::from(at)));
    let (first, second) = (first?, second?);
    let sides = [("One side", first, second), ("The other", second, first)];
    let sides = sides.iter().zip(follows);
    let sides = sides.map(|((name, of, beside), follows)| {
        let passages = passages(words, &of.cites, &beside.cites);
        side(name, &passages, &of.text, follows)
    });
    Some(sides.collect::<Option<Vec<String>>>()?.join(" "))
}

/// The passages on which an alternative rests, and another does not, that say anything, each with its place. The place names the document if the passages are of several.
fn passages(words: Words<'_>, of: &[ClauseIdx], others: &[ClauseIdx]) -> Vec<String> {
    let clauses = &words.program.clauses;
    let says = |id: &&ClauseIdx| !clauses[**id].says.is_empty();
    let own = of.iter().filter(says).filter(|id| !others.contains(id));
    let documents = of.iter().chain(others).map(|&id| clauses[id].document);
    let documents: BTreeSet<_> = documents.collect();
    let place = |id: ClauseIdx| {
        let clause = &clauses[id];
        let document = clause.document.filter(|_| documents.len() > 1);
        match document.and_then(|id| words.program.documents.get(id)) {
            Some(document) => format!("{}, {}", document.title, clause.locator),
            None => clause.locator.clone(),
        }
    };
    let passage = |&id: &ClauseIdx| format!("({}): \"{}\"", place(id), clauses[id].says);
    own.map(passage).collect()
}

fn side(name: &str, passages: &[String], text: &str, follows: Option<String>) -> Option<String> {
    let shown = passages.get(..passages.len().min(MOST_PASSAGES))?;
    if shown.is_empty() {
        return None;
    }
    let mut out = format!("{name} {}", shown.join(" and "));
    let text = text.trim_end_matches('.');
    out.push_str(&match (text.is_empty(), follows) {
        (true, None) => String::new(),
        (true, Some(follows)) => format!(" By it, on the board below {follows}."),
        (false, None) => format!(" By it, {text}."),
        (false, Some(follows)) => format!(" By it, {text}; on the board below {follows}."),
    });
    Some(out)
}

/// What belongs to the two runs, in the order in which the alternatives of a reading are listed; nothing
/// if the runs are not under these.
fn as_listed<T>(
    versus: &Versus,
    (reading, [first, second]): (ReadingId, [u16; 2]),
    [one, other]: [T; 2],
) -> Option<[T; 2]> {
    let under = |run: &Run| run.readings.get(&reading).copied();
    match (under(&versus.run), under(&versus.against)) {
        (Some(a), Some(b)) if (a, b) == (first, second) => Some([one, other]),
        (Some(a), Some(b)) if (a, b) == (second, first) => Some([other, one]),
        _ => None,
    }
}

/// How two runs end that are compared, each by what it is called, as sentences; nothing if they end alike.
pub(super) fn compared(words: Words<'_>, versus: &Versus) -> Option<String> {
    let [first, second] = follow(words, versus)?;
    let [one, other] = match called::compared(words, versus) {
        Some(names) => names.map(|name| format!("With {name}")),
        None => ["In the first run below", "In the second"].map(str::to_owned),
    };
    Some(format!("{one}, {first}. {other}, {second}."))
}

/// How the runs under two alternatives of a reading end, in the order in which these are listed.
pub(super) fn under(
    words: Words<'_>,
    of: (ReadingId, [u16; 2]),
    witness: Option<&Witness>,
) -> Option<[String; 2]> {
    match witness {
        Some(Witness::Versus(versus)) => {
            follow(words, versus).and_then(|ends| as_listed(versus, of, ends))
        }
        _ => None,
    }
}

/// How two runs end, if they do not end alike; else in what their ends differ. What else is chosen on the way may have
/// it end in another way: then it only can.
fn follow(words: Words<'_>, versus: &Versus) -> Option<[String; 2]> {
    let runs = [&versus.run, &versus.against];
    let ends = match ends(words, runs) {
        [one, other] if one != other => Some([one, other]),
        _ if runs.iter().any(|run| run.tag() != Some(&Tag::End)) => None,
        _ => apart(words, versus),
    };
    // What they are called by is chosen.
    let named = usize::from(called::are_by_choice(words, versus));
    let is_open = |run: &Run| {
        let made = called::made(words, run).unwrap_or_default();
        let open = made.iter().filter(|one| one.offered.len() > 1);
        open.count() > named
    };
    let [one, other] = ends?;
    let told = |run: &Run, end: String| if is_open(run) { possibly(end) } else { end };
    Some([told(runs[0], one), told(runs[1], other)])
}

/// In what two ends differ that both are normal: `it ends like this: health of card 1 is 0`.
fn apart(words: Words<'_>, versus: &Versus) -> Option<[String; 2]> {
    let mut rows = beside(words, &versus.run, &versus.against, versus.observer);
    // That something is there or not is seen from where it lies.
    let is_there = |row: &Row| !row.values.iter().any(|one| one == ABSENT);
    if rows.iter().any(is_there) {
        rows.retain(is_there);
    }
    // Code is no way to say it, if there is another.
    let is_named = |row: &Row| row.about != About::Expression;
    if rows.iter().any(is_named) {
        rows.retain(is_named);
    }
    let mut phrases = lying(&mut rows);
    phrases.extend(rows.iter().map(Row::phrases));
    phrases.truncate(MOST_VALUES);
    let side = |at: usize| {
        let phrases: Vec<&str> = phrases.iter().map(|both| both[at].as_str()).collect();
        format!("{LIKE_THIS}{}", phrases.join(", "))
    };
    (!phrases.is_empty()).then(|| [side(0), side(1)])
}

/// What comes before a list of what is so at an end.
const LIKE_THIS: &str = "it ends like this: ";

/// Things that lie in one zone at one end and in another at the other, if that is all in which the contents of zones
/// differ; these rows are taken out.
fn lying(rows: &mut Vec<Row>) -> Vec<[String; 2]> {
    let zones = rows.iter().filter_map(|row| match &row.about {
        About::Zone(contents) => Some((row.name(), contents)),
        _ => None,
    });
    let zones: Vec<(String, &[Vec<String>; 2])> = zones.collect();
    let mut moved: Vec<&String> = Vec::new();
    for (_, [one, other]) in &zones {
        let gone = one.iter().filter(|name| !other.contains(name));
        let come = other.iter().filter(|name| !one.contains(name));
        for name in gone.chain(come) {
            if !moved.contains(&name) {
                moved.push(name);
            }
        }
    }
    let stay = |contents: &[String]| -> Vec<String> {
        let stay = contents.iter().filter(|name| !moved.contains(name));
        stay.cloned().collect()
    };
    let in_order = zones
        .iter()
        .all(|(_, [one, other])| stay(one) == stay(other));
    let place = |name: &String, at: usize| {
        let mut zones = zones.iter();
        let (zone, _) = zones.find(|(_, contents)| contents[at].contains(name))?;
        Some(format!("{name} is in {}", beside_others(zone)))
    };
    let both = |name: &&String| Some([place(name, 0)?, place(name, 1)?]);
    let told: Option<Vec<[String; 2]>> = moved.iter().map(both).collect();
    match told {
        Some(told) if in_order && !told.is_empty() => {
            rows.retain(|row| !matches!(row.about, About::Zone(_)));
            told
        }
        _ => Vec::new(),
    }
}

impl Row {
    /// What it is at each end, as a clause.
    fn phrases(&self) -> [String; 2] {
        let name = beside_others(&self.name());
        [0, 1].map(|at| match &self.about {
            About::Zone(contents) if contents[at].is_empty() => format!("{name} is empty"),
            About::Zone(_) => format!("{name} holds {}", self.values[at]),
            About::Expression => format!("`{}` is {}", self.name(), self.values[at]),
            About::Place | About::Presence => format!("{name} is {}", self.values[at]),
        })
    }
}

/// How a run can end, of how it ends.
fn possibly(end: String) -> String {
    let ways = [
        ("it ends ", "it can end "),
        ("it stops, ", "it can stop, "),
        ("it never ends", "it can go on for ever"),
        ("it is a draw", "it can be a draw"),
    ];
    for (is, can) in ways {
        if let Some(rest) = end.strip_prefix(is) {
            return format!("{can}{rest}");
        }
    }
    for (does, can) in [(" wins", " can win"), (" loses", " can lose")] {
        if let Some(who) = end.strip_suffix(does) {
            return format!("{who}{can}");
        }
    }
    end
}
