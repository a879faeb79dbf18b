//! What a witness shows, in words and before it is laid out: the board, what happens on it, and
//! where two ends differ.

use super::board;
use super::called::{self, Called};
use super::differences::{Row, beside};
use super::outcome::end;
use super::scene::{self, Scene};
use super::trace::{self, Line, LineKind};
use super::words::Words;
use endstep_language::typing::program::ObserverId;
use endstep_semantics::witness::{Run, Witness};

/// The title over the differences.
pub(super) const DIFFERENCES: &str = "Where they end differently";

/// The title over what two runs begin with.
pub(super) const ALIKE: &str = "Both begin alike";

/// Two runs that begin with so many lines alike have these lines told once.
const LEAST_ALIKE: usize = 3;

/// What a witness shows.
pub(super) struct Exhibit {
    /// The board.
    pub board: board::Shown,
    /// The same board as what lies where.
    pub scene: Scene,
    /// The readings that all runs have: `zero = exactly`. What else they have is part of their names.
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
    /// What happens.
    pub lines: Vec<Line>,
    /// How it ends.
    pub end: String,
    /// What lies where then, if it ends or is left.
    pub after: Option<Scene>,
}

impl Exhibit {
    /// What a witness shows, if it has a run.
    pub(super) fn of(words: Words<'_>, witness: &Witness) -> Option<Self> {
        let runs = witness.runs();
        let first = runs.first()?;
        let readings = words.readings(&called::shared(&runs));
        let after = |run: &Run| scene::after(words.program, &runs, run);
        let called = Called::of(words, witness);
        let from_one_board = !matches!(witness, Witness::Again { .. });
        let mut lines: Vec<Vec<Line>> = runs.iter().map(|run| happens(words, run)).collect();
        let parting = match lines.as_slice() {
            [first, second] if from_one_board => Some(alike(first, second)),
            _ => None,
        };
        lines = lines
            .into_iter()
            .map(|lines| trace::cut(lines, parting))
            .collect();
        let differences = match (runs.get(1), compared(witness)) {
            (Some(second), Some(observer)) => {
                let rows = beside(words, first, second, observer);
                rows.into_iter().map(Row::cells).collect()
            }
            _ => Vec::new(),
        };
        let played = runs.iter().zip(called.titles).zip(lines);
        let played = played.map(|((run, title), lines)| Played {
            title,
            lines,
            end: end(words, run),
            after: after(run),
        });
        Some(Self {
            board: board::shown(words.program, &first.names, &first.board),
            scene: scene::before(words.program, &runs),
            readings,
            runs: played.collect(),
            differences,
            from_one_board,
            columns: called.columns,
        })
    }

    /// What two runs from one board begin with alike, if that is worth telling once, and each run with
    /// what comes after it.
    pub(super) fn parted(&self) -> (&[Line], Vec<(&Played, Vec<Line>)>) {
        let alike = match (self.runs.as_slice(), self.from_one_board) {
            ([first, second], true) => alike(&first.lines, &second.lines),
            _ => 0,
        };
        let alike = if alike < LEAST_ALIKE { 0 } else { alike };
        let first = self.runs.first();
        let shared = first.and_then(|run| run.lines.get(..alike));
        let rests = self.runs.iter();
        let rests = rests.map(|run| (run, rest(&run.lines, alike)));
        (shared.unwrap_or_default(), rests.collect())
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

/// What happens in a run.
fn happens(words: Words<'_>, run: &Run) -> Vec<Line> {
    match endstep_semantics::witness::trace(words.program, run) {
        Ok(found) => trace::whole(words, &run.names, &found),
        Err(error) => {
            let message = error.message(words.program, &run.names);
            let message = format!("this run could not be replayed: {message}");
            vec![Line::new(LineKind::Heading, message)]
        }
    }
}

/// How many lines two runs have in common at their beginning. What is left out of the middle of a run
/// is not known to be the same.
fn alike(first: &[Line], second: &[Line]) -> usize {
    let pairs = first.iter().zip(second);
    pairs
        .take_while(|(one, other)| one == other && one.kind != LineKind::Cut)
        .count()
}

/// What comes after so many lines, under the heading that it stands under.
fn rest(lines: &[Line], from: usize) -> Vec<Line> {
    let (before, after) = lines.split_at(from.min(lines.len()));
    let is_heading = |line: &&Line| line.kind == LineKind::Heading;
    let heading = match after.first() {
        Some(first) if !is_heading(&first) => before.iter().rfind(is_heading),
        _ => None,
    };
    heading.into_iter().chain(after).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_two_runs_begin_with_is_told_once() {
        let heading = |text: &str| Line::new(LineKind::Heading, text);
        let change = |text: &str| Line::new(LineKind::Change, text);
        let first = [heading("a"), change("1"), change("2"), heading("b")];
        let second = [heading("a"), change("1"), change("3"), heading("c")];
        assert_eq!(alike(&first, &second), 2);
        assert_eq!(rest(&second, 2), [heading("a"), change("3"), heading("c")]);
        assert_eq!(rest(&second, 3), [heading("c")]);
        assert_eq!(rest(&second, 4), []);
        let cut = [heading("a"), Line::new(LineKind::Cut, "…"), heading("b")];
        assert_eq!(alike(&cut, &cut), 1);
    }
}
