//! What a person sees who plays a run: the board, what happened, what can be chosen.

use super::caveat::{allowed, stood_for};
use super::layout::{Style, Tone, hang};
use super::outcome::tag;
use super::words::{Words, kind, who};
use super::{board, trace};
use endstep_language::source::SourceMap;
use endstep_language::typing::program::{Program, ReadingId, SequenceId};
use endstep_semantics::semantics::{ChoicePoint, Data, Ended, Names};
use endstep_semantics::witness::{Moment, Witness};

/// The wording of a run on one board.
#[derive(Clone, Copy, Debug)]
pub struct Play<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its text.
    pub sources: &'a SourceMap,
    /// The names of the entities.
    pub names: &'a Names,
    /// How it looks.
    pub style: Style,
}

impl Play<'_> {
    fn words(&self) -> Words<'_> {
        Words {
            program: self.program,
            sources: self.sources,
        }
    }

    /// The board and what is performed on it.
    pub fn opening(&self, sequence: SequenceId, data: &Data) -> String {
        let name = self.words().sequence(sequence);
        let title = self
            .style
            .paint(Tone::Strong, &format!("{name}, on this board"));
        format!(
            "{title}\n{}",
            board::text(self.program, self.names, data, 2, self.style.width)
        )
    }

    /// A board as it is now.
    pub fn board(&self, data: &Data) -> String {
        board::text(self.program, self.names, data, 2, self.style.width)
    }

    /// What happened, without what was told of the first of the moments.
    pub fn moments(&self, moments: &[Moment], told: usize) -> String {
        let lines = |moments| trace::lines(self.words(), self.names, moments);
        let known = moments.get(..told).map_or(0, |known| lines(known).len());
        let show = |line: &trace::Line| trace::show(line, self.style.width);
        lines(moments).iter().skip(known).map(show).collect()
    }

    /// What has to be chosen, by whom, and the alternatives with their numbers.
    pub fn choice(&self, point: &ChoicePoint) -> String {
        let words = self.words();
        let head = format!(
            "{}, {}: {}",
            kind(point.kind),
            who(self.names, point.who),
            words.site(point.site)
        );
        let mut out = hang(
            &self.style.paint(Tone::Strong, &head),
            self.style.width,
            0,
            4,
        );
        for (at, one) in point.alternatives.iter().enumerate() {
            let label = words.key(self.names, &one.key);
            out.push_str(&format!("  {}  {label}\n", at + 1));
        }
        out
    }

    /// The alternatives of a reading with their numbers.
    pub fn reading(&self, id: ReadingId) -> String {
        let words = self.words();
        let mut out = format!("{}\n", words.reading(id));
        let count = self.program.readings[id].alternatives.len();
        for at in 0..count {
            let text = words.alternative(id, at as u16);
            out.push_str(&format!("  {}  {text}\n", at + 1));
        }
        out
    }

    /// How the run ended.
    pub fn outcome(&self, ended: &Ended) -> String {
        let text = tag(self.words(), self.names, &ended.tag);
        hang(&format!("=> {text}"), self.style.width, 0, 3)
    }

    /// A witness with its board, traces and outcomes.
    pub fn witness(&self, witness: &Witness) -> String {
        let words = self.words();
        let mut out = super::finding::shown(words, self.style, witness);
        let runs = witness.runs().into_iter();
        if let Some(contracts) =
            allowed(words, runs.flat_map(|run| stood_for(words, run)).collect())
        {
            let rests = format!("rests on: {contracts}");
            out.push_str(&hang(&rests, self.style.width, 2, 4));
            out.push('\n');
        }
        out
    }
}
