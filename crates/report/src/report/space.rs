//! The size of a state space as text and JSON.
//!
//! ```text
//! round of duel.endstep, on 7 boards
//!   distinct states  9
//!   transitions      2
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::caveat::allowed;
use super::json::SCHEMA_VERSION;
use super::layout::{Style, Tone, count, digits, hang, table};
use super::outcome::{tag, tag_word};
use super::part::{conditions, options_in_words};
use super::words::{GIVEN_UP, Words};
use endstep_engines::explore::Space;
use endstep_language::source::SourceMap;
use endstep_language::typing::program::{Program, SequenceId};
use endstep_semantics::semantics::{Names, Readings, Site, Tag};
use endstep_semantics::witness::{choice_path, step_path};
use serde_json::{Value, json};

/// What was counted, over all boards and readings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The sequence.
    pub sequence: SequenceId,
    /// The name of the board, if it was one.
    pub board: Option<String>,
    /// How many boards.
    pub boards: u64,
    /// How many combinations of a board and the readings that its runs consult.
    pub combinations: u64,
    /// The readings that were fixed beforehand.
    pub readings: Readings,
    /// The options that say on what is counted, as they are written.
    pub options: Vec<String>,
    /// The sums; how runs end is in `ends`.
    pub space: Space,
    /// How many states end a run in each way: in a word, and as a sentence.
    pub ends: BTreeMap<(&'static str, String), u64>,
    /// Why the numbers are too small.
    pub shortfalls: BTreeSet<Shortfall>,
}

/// Why not everything was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shortfall {
    /// More states than this.
    States(u64),
    /// More boards than are looked at.
    Boards,
    /// More combinations of readings on one board than are looked at.
    Readings,
    /// Of some boards it takes too much to say whether they are legal.
    Legality,
    /// Some runs were given up.
    Bounds,
}

impl Account {
    /// Of nothing yet.
    pub fn new(sequence: SequenceId, readings: &Readings) -> Self {
        let space = Space {
            complete: true,
            ..Space::default()
        };
        Self {
            sequence,
            board: None,
            boards: 0,
            combinations: 0,
            readings: readings.clone(),
            options: Vec::new(),
            space,
            ends: BTreeMap::new(),
            shortfalls: BTreeSet::new(),
        }
    }

    /// Adds what was counted on a board under some readings.
    pub fn add(&mut self, sheet: (&Program, &SourceMap), names: &Names, mut space: Space) {
        let words = Words {
            program: sheet.0,
            sources: sheet.1,
        };
        for (end, count) in std::mem::take(&mut space.ends) {
            if matches!(end, Tag::Limit(_)) {
                self.shortfalls.insert(Shortfall::Bounds);
            }
            let end = (tag_word(&end), tag(words, names, &end));
            *self.ends.entry(end).or_default() += count;
        }
        self.space.add(&space);
        self.combinations += 1;
    }

    /// Bytes of memory for each state, rounded up.
    pub fn bytes_per_state(&self) -> u64 {
        self.space.memory.div_ceil(self.space.states.max(1))
    }
}

impl Shortfall {
    fn words(self) -> String {
        match self {
            Self::States(most) => format!("there are more than {}", count(most, "state", "states")),
            Self::Boards => "there are more boards than are looked at".to_owned(),
            Self::Readings => "runs from a board consult too many readings".to_owned(),
            Self::Legality => {
                "it takes too much to say of some boards whether they are legal".to_owned()
            }
            Self::Bounds => format!("some runs were given up {GIVEN_UP}"),
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::States(_) => "states",
            Self::Boards => "boards",
            Self::Readings => "readings",
            Self::Legality => "legality",
            Self::Bounds => "bounds",
        }
    }
}

/// The account as text; `name` is what the specification is called.
pub fn space_text(
    (program, sources): (&Program, &SourceMap),
    name: &str,
    account: &Account,
    style: Style,
) -> String {
    let words = Words { program, sources };
    let on = counted_on(words, account);
    let sequence = words.sequence(account.sequence);
    let title = format!("{sequence} of {name}, on {on}");
    let mut out = format!("{}\n", style.paint(Tone::Strong, &title));
    if !account.options.is_empty() {
        let options = options_in_words(&account.options);
        out.push_str(&format!(
            "  with {options}
"
        ));
    }
    if account.combinations != account.boards {
        let combinations = count(account.combinations, "combination", "combinations");
        out.push_str(&format!("  summed over {combinations} with readings\n"));
    }
    if let Some(contracts) = rests_on(words, account) {
        out.push_str(&hang(&format!("rests on: {contracts}"), style.width, 2, 4));
    }
    let space = &account.space;
    let row = |what: &str, number: u64| vec![what.to_owned(), digits(number)];
    out.push_str(&table(
        &[
            row("distinct states", space.states),
            row("transitions", space.transitions),
            row("depth", space.depth),
            row("deadlocks", space.deadlocks),
            row("bytes per state", account.bytes_per_state()),
        ],
        2,
    ));
    let ends = account.ends.iter();
    section(
        &mut out,
        "States that end a run",
        ends.map(|((_, text), count)| row(text, *count)).collect(),
    );
    let steps = space.steps.iter().map(|(step, count)| {
        let at = format!("where {} ends", words.step(*step));
        row(&at, *count)
    });
    let sites = space.choices.iter().map(|(site, count)| {
        let at = format!(
            "where is chosen: {}",
            chosen(words, account.sequence, *site)
        );
        row(&at, *count)
    });
    section(&mut out, "Distinct data", steps.chain(sites).collect());
    if !account.shortfalls.is_empty() {
        let why = account.shortfalls.iter().map(|one| one.words());
        let why: Vec<String> = why.collect();
        out.push_str(&format!(
            "\ninconclusive, the numbers are too small: {}\n",
            why.join("; ")
        ));
    }
    out
}

/// The boards on which is counted: one, or those that the first `verify` of the sequence asks for.
fn counted_on(words: Words<'_>, account: &Account) -> String {
    match &account.board {
        Some(board) => format!("board {board}"),
        None => {
            let boards = count(account.boards, "legal board", "legal boards");
            let (only, condition) = left_out(words, account);
            let several = is_one_of_several(words.program, account.sequence);
            let meet = if account.boards == 1 { "meets" } else { "meet" };
            match conditions(!only.is_empty(), condition.is_some()) {
                Some(conditions) if several && condition.is_some() => {
                    let conditions = conditions.replace("its `verify`", "its first `verify`");
                    format!("{boards} that {meet} {conditions}")
                }
                Some(conditions) => format!("{boards} that {meet} {conditions}"),
                None if several => format!("{boards}, as its first `verify` asks"),
                None => boards,
            }
        }
    }
}

/// Whether a sequence has several `verify`, of which the first says on which boards it is looked at.
fn is_one_of_several(program: &Program, sequence: SequenceId) -> bool {
    let verifies = program.verifies.iter();
    verifies.filter(|one| one.sequence == sequence).count() > 1
}

/// Where something is chosen. Of what a sequence stands for by its contract, that is what it leaves behind.
fn chosen(words: Words<'_>, explored: SequenceId, site: Site) -> String {
    let mut verifies = words.program.verifies.iter();
    let verify = verifies.find(|one| one.sequence == explored);
    match (verify, site) {
        (Some(verify), Site::Sequence(of)) if verify.contracts.contains(&of) => {
            format!("what {} does, by its contract", words.sequence(of))
        }
        _ => words.site(site),
    }
}

/// What leaves out legal boards: the names of what `explore only` says, and the `where` of the first
/// `verify`. Of a board that is named nothing is asked.
fn left_out<'a>(words: Words<'a>, account: &Account) -> (Vec<&'a str>, Option<String>) {
    if account.board.is_some() {
        return (Vec::new(), None);
    }
    let explored = words.program.explored.iter().map(|one| one.name.as_str());
    let mut verifies = words.program.verifies.iter();
    let verify = verifies.find(|one| one.sequence == account.sequence);
    let condition = verify.and_then(|one| one.condition.as_ref());
    (
        explored.collect(),
        condition.map(|one| words.quote(one.span)),
    )
}

/// The contracts that stood for sequences: those of the first `verify` of the sequence.
fn rests_on(words: Words<'_>, account: &Account) -> Option<String> {
    let mut verifies = words.program.verifies.iter();
    let verify = verifies.find(|one| one.sequence == account.sequence)?;
    allowed(words, verify.contracts.iter().copied().collect())
}

fn section(out: &mut String, title: &str, rows: Vec<Vec<String>>) {
    if !rows.is_empty() {
        out.push_str(&format!("{title}\n{}", table(&rows, 2)));
    }
}

/// The account as JSON; docs/json.md describes it.
pub fn space_json(
    (program, sources): (&Program, &SourceMap),
    name: &str,
    account: &Account,
    exit: u8,
) -> Value {
    let words = Words { program, sources };
    let (only, condition) = left_out(words, account);
    let space = &account.space;
    let readings = account.readings.iter().map(|(reading, at)| {
        let reading = &program.readings[*reading];
        let alternative = reading.alternatives.get(usize::from(*at));
        let alternative = alternative.map_or("", |one| one.name.as_str());
        (reading.name.clone(), Value::from(alternative))
    });
    let ends = account.ends.iter();
    let ends =
        ends.map(|((word, text), count)| json!({ "outcome": word, "text": text, "states": count }));
    let point = |kind: &str, at: String, data: u64| json!({ "kind": kind, "at": at, "data": data });
    let steps = space.steps.iter();
    let steps = steps.map(|(step, data)| point("step", step_path(program, *step), *data));
    let sites = space.choices.iter();
    let sites = sites.map(|(site, data)| point("choice", choice_path(program, *site), *data));
    let shortfalls = account.shortfalls.iter().map(|one| one.word());
    json!({
        "version": SCHEMA_VERSION,
        "endstep": env!("CARGO_PKG_VERSION"),
        "exit": exit,
        "name": name,
        "compiled": true,
        "sequence": program.sequences[account.sequence].name,
        "board": account.board,
        "boards": account.boards,
        "only": only,
        "where": condition,
        "options": account.options,
        "rests_on": rests_on(words, account),
        "combinations": account.combinations,
        "readings": Value::Object(readings.collect()),
        "complete": account.shortfalls.is_empty(),
        "shortfalls": shortfalls.collect::<Vec<_>>(),
        "states": space.states,
        "transitions": space.transitions,
        "depth": space.depth,
        "deadlocks": space.deadlocks,
        "ends": ends.collect::<Vec<_>>(),
        "points": steps.chain(sites).collect::<Vec<_>>(),
        "memory_bytes": space.memory,
        "bytes_per_state": account.bytes_per_state(),
    })
}
