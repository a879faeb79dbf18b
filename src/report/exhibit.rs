//! What a witness shows, in words and before it is laid out: the board, what happens on it, and
//! where two ends differ.

use super::board;
use super::demands;
use super::outcome::{beside, end};
use super::trace;
use super::words::Words;
use crate::semantics::Readings;
use crate::typing::program::ObserverId;
use crate::witness::{Ability, Power, Run, Witness};

/// The title over the differences.
pub(super) const DIFFERENCES: &str = "Where they end differently";

/// What a witness shows.
pub(super) struct Exhibit {
    /// The board.
    pub board: board::Shown,
    /// The readings, if all runs have the same: `zero = exactly`.
    pub readings: String,
    /// The runs.
    pub runs: Vec<Played>,
    /// Where their ends differ: what, with the first, with the second.
    pub differences: Vec<[String; 3]>,
    /// Whether all runs begin on the board; else one begins where the other ends.
    pub from_one_board: bool,
    /// What the first and the second of two runs are called in a table.
    pub columns: [String; 2],
}

/// A run in words.
pub(super) struct Played {
    /// What it is called.
    pub title: String,
    /// What happens; lines that belong to the heading above them are indented.
    pub lines: Vec<String>,
    /// How it ends.
    pub end: String,
}

impl Exhibit {
    /// What a witness shows, if it has a run.
    pub(super) fn of(words: Words<'_>, witness: &Witness) -> Option<Self> {
        let runs = witness.runs();
        let first = runs.first()?;
        let alike = runs.iter().all(|run| run.readings == first.readings);
        let readings = match alike {
            true => words.readings(&first.readings),
            false => String::new(),
        };
        let played = |(run, title)| played(words, run, title);
        let differences = match (runs.get(1), compared(witness)) {
            (Some(second), Some(observer)) => beside(words, first, second, observer),
            _ => Vec::new(),
        };
        Some(Self {
            board: board::shown(words.program, &first.names, &first.board),
            readings,
            runs: runs
                .iter()
                .copied()
                .zip(run_titles(words, witness))
                .map(played)
                .collect(),
            differences,
            from_one_board: !matches!(witness, Witness::Again { .. }),
            columns: columns(words, witness),
        })
    }
}

/// The observer with which two ends are compared, if two are.
fn compared(witness: &Witness) -> Option<Option<ObserverId>> {
    match witness {
        Witness::Versus(versus) => Some(versus.observer),
        Witness::Again { observer, .. } => Some(*observer),
        Witness::Power(power) => Some(power.observer),
        Witness::Demands(demands) => (demands.runs.len() == 2).then_some(demands.observer),
        Witness::Run { .. } | Witness::Lasso { .. } | Witness::Growth { .. } => None,
    }
}

/// What each run of a witness is called.
fn run_titles(words: Words<'_>, witness: &Witness) -> Vec<String> {
    let titles: [&str; 2] = match witness {
        Witness::Run { .. } => ["What happens", ""],
        Witness::Lasso { .. } => ["What happens, and happens again", ""],
        Witness::Growth { .. } => ["What happens, and happens again with more", ""],
        Witness::Versus(versus) => {
            let differ = versus.run.readings != versus.against.readings;
            if differ {
                let title =
                    |which: &str, run: &Run| format!("{which}: {}", words.readings(&run.readings));
                return vec![
                    title("First", &versus.run),
                    title("Second", &versus.against),
                ];
            }
            ["First", "Second"]
        }
        Witness::Again { .. } => ["First", "Once again"],
        Witness::Power(power) => return power_titles(words, power),
        Witness::Demands(demands) => return demands::titles(words, demands),
    };
    titles.iter().map(|&title| title.to_owned()).collect()
}

/// What the runs are called of which a player can bring about or prevent one.
fn power_titles(words: Words<'_>, power: &Power) -> Vec<String> {
    let player = power.able.names.entity(power.player);
    let [able, unable] = match power.ability {
        Ability::Force => [
            "can make sure that it ends so",
            "cannot prevent that it ends otherwise",
        ],
        Ability::Avoid => [
            "can make sure that it does not end as in the second",
            "cannot",
        ],
    };
    let title = |which: &str, can: &str, run: &Run| {
        format!("{which}: {}; {player} {can}", words.readings(&run.readings))
    };
    vec![
        title("First", able, &power.able),
        title("Second", unable, &power.unable),
    ]
}

/// What two runs are called over the columns of a table: the readings in which they differ, if so.
fn columns(words: Words<'_>, witness: &Witness) -> [String; 2] {
    let pair = match witness {
        Witness::Versus(versus) => Some((&versus.run, &versus.against)),
        Witness::Power(power) => Some((&power.able, &power.unable)),
        _ => None,
    };
    if let Some((first, second)) = pair {
        let (first, second) = (&first.readings, &second.readings);
        let own = |one: &Readings, other: &Readings| {
            let differs = one.iter().filter(|(id, at)| other.get(*id) != Some(*at));
            words.readings(&differs.map(|(id, at)| (*id, *at)).collect())
        };
        let names = [own(first, second), own(second, first)];
        if names.iter().all(|name| !name.is_empty()) {
            return names;
        }
    }
    ["first", "second"].map(str::to_owned)
}

/// What happens in a run, and its end.
fn played(words: Words<'_>, run: &Run, title: String) -> Played {
    let lines = match crate::witness::trace(words.program, run) {
        Ok(found) => trace::told(words, &run.names, &found),
        Err(error) => {
            let message = error.message(words.program, &run.names);
            vec![format!("this run could not be replayed: {message}")]
        }
    };
    Played {
        title,
        lines,
        end: end(words, run),
    }
}
