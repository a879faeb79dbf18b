//! All ways to end from one board, as text and JSON.
//!
//! ```text
//! round of duel.endstep, on board "two": 2 ways to end
//!
//! 1. it ends normally
//!   round: blows
//!     next: fighter 1 (of fighter 1 or fighter 2; nobody decides)
//! 2. it never ends, only if zero = exactly
//! ```

use super::caveat::{allowed, sees, stood_for};
use super::differences::{Row, beside};
use super::json::{SCHEMA_VERSION, readings_json, run_json};
use super::layout::{Style, Tone, count, hang, list, table, wrap};
use super::outcome::end;
use super::ranges::{changed_by, in_words};
use super::words::{GIVEN_UP, Words, plain};
use super::{board, trace};
use endstep_language::source::SourceMap;
use endstep_language::typing::program::{ObserverId, Program, ReadingId, SequenceId};
use endstep_semantics::semantics::{Data, Names, Readings};
use endstep_semantics::witness::RunEnd;
use endstep_verdicts::analysis::{Ends, Halt, Way};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// So many combinations of readings are named.
const MOST_NAMED: usize = 2;

/// What was asked, and what was found.
#[derive(Clone, Copy, Debug)]
pub struct Endings<'a> {
    /// What people call the specification.
    pub name: &'a str,
    /// Its meaning.
    pub program: &'a Program,
    /// Its text.
    pub sources: &'a SourceMap,
    /// What is performed.
    pub sequence: SequenceId,
    /// What the board is called.
    pub called: &'a str,
    /// What lies there.
    pub board: &'a Data,
    /// The names of the entities.
    pub names: &'a Names,
    /// What counts as a difference.
    pub observer: Option<ObserverId>,
    /// What was found.
    pub ends: &'a Ends,
}

impl<'a> Endings<'a> {
    fn words(self) -> Words<'a> {
        Words {
            program: self.program,
            sources: self.sources,
        }
    }

    /// Why there may be more ways than were found, in words.
    fn shortfalls(self) -> Vec<String> {
        let given_up = self.ends.given_up.map(|why| match why {
            Halt::Memory => "the states take too much memory",
            Halt::States => "there are more states than are looked at (`--states` raises that)",
            Halt::Readings | Halt::Consult(_) => "runs consult too many readings",
            Halt::Steps => "the runs are too long",
            Halt::Created => "too many entities are created to compare two ends",
            Halt::Evaluation => "something takes too much to evaluate",
        });
        let limited = self.ends.limited;
        let bounds = limited.then(|| format!("some runs were given up {GIVEN_UP}"));
        let both = given_up.into_iter().map(str::to_owned).chain(bounds);
        both.chain(self.untried()).collect()
    }

    /// What the document allows and no run was given: other values of what a gap or a contract may change.
    fn untried(self) -> Option<String> {
        let mut verifies = self.program.verifies.iter();
        let verify = verifies.find(|one| one.sequence == self.sequence);
        let contracts = verify.map(|one| one.contracts.iter().copied().collect());
        let values = changed_by(self.program, self.sequence, &contracts.unwrap_or_default());
        (!values.is_empty()).then(|| {
            let values = in_words(&values);
            format!("of what a gap or contract may change, only {values} was tried")
        })
    }

    /// Whether all ways were found.
    pub fn are_all(self) -> bool {
        self.shortfalls().is_empty()
    }

    /// The contracts that a way rests on.
    fn rests_on(self, way: &Way) -> Option<String> {
        let contracts: BTreeSet<SequenceId> =
            stood_for(self.words(), &way.run).into_iter().collect();
        allowed(self.words(), contracts)
    }
}

/// The ways to end as text.
pub fn ends_text(endings: Endings<'_>, style: Style) -> String {
    let words = endings.words();
    let ways = &endings.ends.ways;
    let number = count(ways.len() as u64, "way to end", "ways to end");
    let title = format!(
        "{} of {}, on board {}: {number}",
        words.sequence(endings.sequence),
        endings.name,
        endings.called
    );
    let mut out = format!("{}\n", style.paint(Tone::Strong, &title));
    if let Some(observer) = endings.observer {
        out.push_str(&format!("  {}\n", sees(words, observer)));
    }
    if let Some(illegal) = illegal(words, endings.ends) {
        out.push_str(&hang(&illegal, style.width, 2, 4));
    }
    let laid = board::text(
        endings.program,
        endings.names,
        endings.board,
        2,
        style.width,
    );
    out.push_str(&format!("\n{laid}"));
    for (at, way) in ways.iter().enumerate() {
        out.push_str(&told(endings, style, (at, way)));
    }
    let shortfalls = endings.shortfalls();
    if !shortfalls.is_empty() {
        let why = format!("There may be more: {}.", shortfalls.join("; "));
        out.push_str(&format!("\n{}", wrap(&why, style.width, 0)));
    }
    out
}

/// One way, and how its end differs from that of the first.
fn told(endings: Endings<'_>, style: Style, (at, way): (usize, &Way)) -> String {
    let words = endings.words();
    let run = &way.run;
    let mut title = format!("{}. {}", at + 1, ending(words, way));
    if let Some(under) = under(endings, way) {
        title.push_str(&format!(", {under}"));
    }
    let mut out = format!(
        "\n{}",
        hang(&style.paint(Tone::Strong, &title), style.width, 0, 3)
    );
    if let Some(readings) = shown_under(endings, way) {
        out.push_str(&hang(
            &format!("this run: if {readings}"),
            style.width,
            3,
            5,
        ));
    }
    if let Some(contracts) = endings.rests_on(way) {
        out.push_str(&hang(&format!("rests on: {contracts}"), style.width, 3, 5));
    }
    match endstep_semantics::witness::trace(endings.program, run) {
        Ok(found) => {
            let lines = trace::told(words, &run.names, &found);
            let lines = lines.iter().map(|line| trace::show(line, style.width));
            out.push_str(&lines.collect::<String>());
        }
        Err(error) => {
            let why = error.message(endings.program, &run.names);
            out.push_str(&format!("    this run could not be replayed: {why}\n"));
        }
    }
    let first = endings.ends.ways.first().filter(|_| at > 0);
    if let Some(first) = first {
        let rows = beside(words, &first.run, run, endings.observer);
        if !rows.is_empty() {
            let head = ["".to_owned(), "1".to_owned(), (at + 1).to_string()];
            let rows = rows.into_iter().map(Row::cells);
            let rows: Vec<Vec<String>> = [head].into_iter().chain(rows).map(Vec::from).collect();
            out.push_str(&format!("    at the end\n{}", table(&rows, 6)));
        }
    }
    out
}

/// How a way ends; of one that never does, when it goes round.
fn ending(words: Words<'_>, way: &Way) -> String {
    let steps = |number: u64| count(number, "small step", "small steps");
    match way.run.end {
        RunEnd::Loop { stem, cycle } => format!(
            "{}: after {} it goes round in {}",
            end(words, &way.run),
            steps(stem),
            steps(cycle)
        ),
        _ => end(words, &way.run),
    }
}

/// Under which readings there is such a run, if that is not so under all that were tried. Where runs were given up,
/// there may be one under others.
fn under(endings: Endings<'_>, way: &Way) -> Option<String> {
    let (words, ends) = (endings.words(), endings.ends);
    let is_all = way.under.len() == ends.combinations.len() && ends.given_up.is_none();
    // The empty combination stands for all.
    if is_all || way.under.iter().any(Readings::is_empty) {
        return None;
    }
    let of = format!(" of the {}", ends.combinations.len());
    let open = way.under.iter().map(|one| open(ends, one));
    let when = when(words, &open.collect(), &of);
    Some(match (endings.are_all(), way.under.len() <= MOST_NAMED) {
        (false, _) => format!("found {when}"),
        (true, true) => format!("only {when}"),
        (true, false) => when,
    })
}

/// Of readings those that are not the same in all that was tried: what is, is no condition.
fn open(ends: &Ends, readings: &Readings) -> Readings {
    let is_fixed = |id: &ReadingId, at: &u16| {
        let mut all = ends.combinations.iter();
        ends.given_up.is_none() && all.all(|one| one.get(id) == Some(at))
    };
    let open = readings.iter().filter(|(id, at)| !is_fixed(id, at));
    open.map(|(id, at)| (*id, *at)).collect()
}

/// Under which readings the run that is shown is one, where the way can be taken under others as well.
fn shown_under(endings: Endings<'_>, way: &Way) -> Option<String> {
    let readings = open(endings.ends, &way.run.readings);
    let is_said = way.under.len() == 1 || readings.is_empty();
    (!is_said).then(|| endings.words().readings(&readings))
}

/// Combinations of readings: `if a = b, or if a = c`; of many their number, `of` how many, and the first.
fn when(words: Words<'_>, all: &BTreeSet<Readings>, of: &str) -> String {
    let named = all.iter().take(MOST_NAMED).map(|one| words.readings(one));
    let named: Vec<String> = named.collect();
    match all.len() <= MOST_NAMED {
        true => format!("if {}", named.join(", or if ")),
        false => format!(
            "under {}{of} combinations of readings, as {}",
            all.len(),
            list(&named, "and")
        ),
    }
}

/// Under which readings the board is not legal.
fn illegal(words: Words<'_>, ends: &Ends) -> Option<String> {
    let when = || when(words, &ends.illegal, "");
    (!ends.illegal.is_empty()).then(|| {
        format!(
            "the board is not legal {}, so nothing is played there",
            when()
        )
    })
}

/// The ways to end as JSON.
pub fn ends_json(endings: Endings<'_>, exit: u8) -> Value {
    let words = endings.words();
    let program = endings.program;
    let ways = endings.ends.ways.iter().map(|way| {
        let under = way.under.iter();
        let mut told = run_json(words, &way.run);
        told["steps"] = json!(way.steps);
        told["under"] = under.map(|one| readings_json(program, one)).collect();
        told["rests_on"] = json!(endings.rests_on(way));
        told
    });
    let observer = endings
        .observer
        .map(|id| plain(&program.observers[id].name));
    let illegal = endings.ends.illegal.iter();
    let illegal: Vec<Value> = illegal.map(|one| readings_json(program, one)).collect();
    json!({
        "version": SCHEMA_VERSION,
        "endstep": env!("CARGO_PKG_VERSION"),
        "exit": exit,
        "name": endings.name,
        "sequence": program.sequences[endings.sequence].name,
        "board": endings.called,
        "observer": observer,
        "combinations": endings.ends.combinations.len(),
        "illegal_under": illegal,
        "complete": endings.are_all(),
        "limits": endings.shortfalls(),
        "ways": ways.collect::<Vec<_>>(),
    })
}
