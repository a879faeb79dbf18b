//! A witness as a film: the board before its runs and after each thing that happens, with the clause that says so.
//!
//! ```text
//! the board
//! destroy      owl moves from board of ann to dying of ann     rules.4
//! poison       health of wolf: from 1 to 0                     rules.7
//! ```
//!
//! All boards of a film tell the same fields, variables and zones, so that one can be made of the other.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::called::Called;
use super::outcome::end;
use super::place::clause_of;
use super::scene::{Relevant, Scene, Spread, Where};
use super::trace::{self, Entry, Line, LineKind};
use super::words::Words;
use endstep_language::typing::program::ClauseIdx;
use endstep_semantics::semantics::Data;
use endstep_semantics::witness::{Moment, Run, Trace, Witness, trace as replayed};

/// If a run has more than twice as many moments, so many are shown at its beginning, after it parts from the other run,
/// and at its end; in between, only where a round begins.
const MOST_FRAMES: usize = 100;

/// A film.
pub(super) struct Film {
    /// The clauses that frames point to.
    pub clauses: Vec<ClauseIdx>,
    /// All places where anything lies at some time, in the order in which they are shown, without what lies there.
    pub places: Vec<Spread>,
    /// The runs.
    pub reels: Vec<Reel>,
}

/// A run.
pub(super) struct Reel {
    /// What it is called.
    pub title: String,
    /// How it ends.
    pub end: String,
    /// After how many frames of the run before it begins: not on the board of the film, but where that one ends.
    pub from: usize,
    /// Where it begins.
    pub board: Scene,
    /// What happens, in order.
    pub frames: Vec<Frame>,
}

/// Something that happens.
#[derive(Default)]
pub(super) struct Frame {
    /// What it is part of, where that is another than before.
    pub heading: Option<String>,
    /// What is chosen and changed.
    pub lines: Vec<Line>,
    /// Whether a round begins with it that is done again and again.
    pub repeats: bool,
    /// The clause that says so: a position in those of the film.
    pub clause: Option<usize>,
    /// The board after it.
    pub board: Scene,
}

/// A run that is filmed.
struct Take<'a> {
    run: &'a Run,
    trace: &'a Trace,
    /// With how many moments all runs begin alike.
    parting: usize,
    /// Whether the runs are too long to be shown whole.
    is_cut: bool,
}

impl Take<'_> {
    /// Whether a moment, of so many, is shown. What runs begin with alike is left out alike.
    fn keeps(&self, at: usize, count: usize) -> bool {
        let parting = self.parting;
        !self.is_cut
            || match at < parting {
                true => at < MOST_FRAMES || at + 1 == parting,
                false => at < parting + MOST_FRAMES || at + MOST_FRAMES >= count,
            }
    }
}

impl Film {
    /// The runs of a witness; nothing if one cannot be replayed.
    pub(super) fn of(words: Words<'_>, witness: &Witness) -> Option<Self> {
        let runs = witness.runs();
        let titles = Called::of(words, witness).titles;
        let traces = runs.iter().map(|run| replayed(words.program, run).ok());
        let traces: Vec<Trace> = traces.collect::<Option<_>>()?;
        let boards = runs.iter().map(|run| &run.board);
        let later = traces.iter().flat_map(|trace| &trace.moments);
        let later = later.filter_map(|moment| moment.data.as_deref());
        let boards: Vec<&Data> = boards.chain(later).collect();
        let told = Relevant::of(words.program, &boards);
        let entries = runs.iter().zip(&traces);
        let entries = entries.map(|(run, trace)| trace::entries(words, &run.names, &trace.moments));
        let entries: Vec<Vec<Entry<'_>>> = entries.collect();
        // A second time begins where the first one ends.
        let follow = matches!(witness, Witness::Again { .. });
        let parting = match entries.as_slice() {
            [first, second] if !follow => alike(first, second),
            _ => 0,
        };
        let is_cut = entries.iter().any(|all| all.len() > 2 * MOST_FRAMES);
        let mut film = Self {
            clauses: Vec::new(),
            places: Vec::new(),
            reels: Vec::new(),
        };
        for (((run, title), trace), entries) in runs.iter().zip(titles).zip(&traces).zip(entries) {
            let before = film.reels.last().filter(|_| follow);
            let from = before.map_or(0, |reel| reel.from + reel.frames.len());
            let take = Take {
                run,
                trace,
                parting,
                is_cut,
            };
            let reel = Reel {
                title,
                end: end(words, run),
                from,
                board: told.scene(&run.names, &run.board, None),
                frames: film.frames(words, &told, &take, entries),
            };
            film.reels.push(reel);
        }
        film.places = places(&film.reels);
        Some(film)
    }

    fn frames(
        &mut self,
        words: Words<'_>,
        told: &Relevant<'_>,
        take: &Take<'_>,
        entries: Vec<Entry<'_>>,
    ) -> Vec<Frame> {
        let names = &take.run.names;
        let count = entries.len();
        let mut before = Arc::new(take.run.board.clone());
        let mut data = Arc::clone(&before);
        let mut next = Frame::default();
        let mut left_out = 0;
        let mut frames = Vec::new();
        for (at, entry) in entries.into_iter().enumerate() {
            let begins = |line: &Line| line.kind == LineKind::Repeats;
            let is_round = entry.lines.iter().any(begins);
            let stays = is_round || next.repeats || take.keeps(at, count);
            // All that is left out before this is one frame.
            if left_out > 0 && stays {
                let cut = Frame {
                    heading: next.heading.take(),
                    lines: vec![cut(std::mem::take(&mut left_out))],
                    board: told.scene(names, &data, Some(&before)),
                    ..Frame::default()
                };
                frames.push(cut);
                before = Arc::clone(&data);
            }
            if let Some(after) = &entry.moment.data {
                data = Arc::clone(after);
            }
            next.heading = entry.heading.or(next.heading);
            if is_round {
                next.repeats = true;
            } else if stays {
                next.lines = entry.lines;
                next.clause = self.clause(words, entry.moment);
                next.board = told.scene(names, &data, Some(&before));
                frames.push(std::mem::take(&mut next));
                before = Arc::clone(&data);
            } else {
                left_out += 1;
            }
        }
        next.lines = trace::at_the_end(words, names, take.trace);
        if !next.lines.is_empty() {
            next.board = told.scene(names, &data, Some(&data));
            frames.push(next);
        }
        frames
    }

    /// The position of the clause that says that something happens.
    fn clause(&mut self, words: Words<'_>, moment: &Moment) -> Option<usize> {
        let clause = clause_of(words.program, moment)?;
        let known = self.clauses.iter().position(|one| *one == clause);
        if known.is_none() {
            self.clauses.push(clause);
        }
        known.or_else(|| self.clauses.len().checked_sub(1))
    }
}

/// How many moments two runs share at the beginning.
fn alike(first: &[Entry<'_>], second: &[Entry<'_>]) -> usize {
    let pairs = first.iter().zip(second);
    pairs
        .take_while(|(one, other)| one.heading == other.heading && one.lines == other.lines)
        .count()
}

fn cut(left_out: usize) -> Line {
    let text = match left_out {
        1 => "… 1 step is left out …".to_owned(),
        _ => format!("… {left_out} steps are left out …"),
    };
    Line::new(LineKind::Cut, text)
}

/// Where anything lies on any board of some runs: zones, then what lies in none.
fn places(reels: &[Reel]) -> Vec<Spread> {
    let frames = reels.iter().flat_map(|reel| &reel.frames);
    let boards = reels.iter().map(|reel| &reel.board);
    let boards = boards.chain(frames.map(|frame| &frame.board));
    let mut found: BTreeMap<Where, Spread> = BTreeMap::new();
    for spread in boards.flat_map(|board| &board.spreads) {
        let known = found.entry(spread.at).or_insert_with(|| Spread {
            cards: Vec::new(),
            ..spread.clone()
        });
        known.is_ordered |= spread.is_ordered;
    }
    found.into_values().collect()
}
