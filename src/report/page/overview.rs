//! The first lines of a page: how far the clauses got, how much was found, asked and tried. And what the
//! words of the page mean.

use super::{Outcome, Page};
use crate::report::layout::count;

/// What the words of a page mean, an item each; what stands between asterisks is explained there, and
/// `QUOTED` stands for how the page marks what a clause says.
pub(in crate::report) const LEGEND: [&str; 6] = [
    "QUOTED stands what a clause says, in the words of the specification, which are not those of the \
     document.",
    "Under the title of a finding stands first how well it is known. *Shown*: it happens on the board \
     below, and was played again by a second, plainer program. *Refuted*: the same, of something that was \
     claimed or asked. *Holds in scope*: it is so on every board that was tried. *By inspection*: the \
     text alone shows it.",
    "Then who says so. *Discovered*: nobody asked. *Declared*: the specification claims or asks it.",
    "Then on what it rests. *Basis text*: on what clauses say. *External*: on another source, too. *Gap*: \
     on a way of filling a gap, too. *Invented*: on cards, effects or boards that were made up to have \
     something to play with, too; the text alone may not show it.",
    "Then how it stands. *Expected*: it was known before. *Accepted*: the specification says why it may \
     stay. *New*: neither. *Note*: worth knowing, and no fault.",
    "The board is the smallest one on which it was found.",
];

/// A line of the summary.
pub(in crate::report) struct Line {
    /// What it is about.
    pub title: &'static str,
    /// Where more is told.
    pub anchor: Option<&'static str>,
    /// What it says, in pieces, some of which lead to a place on the page.
    pub pieces: Vec<(String, Option<&'static str>)>,
}

impl Line {
    fn plain(title: &'static str, anchor: Option<&'static str>, text: String) -> Self {
        Self {
            title,
            anchor,
            pieces: vec![(text, None)],
        }
    }
}

impl Page {
    /// The lines of the summary.
    pub(in crate::report) fn overview(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        let clauses = self.coverage.as_ref();
        lines.extend(clauses.map(|line| Line::plain("Clauses", None, format!("{line}."))));
        lines.push(Line::plain(
            "Found",
            None,
            format!("{}.", self.tally.line()),
        ));
        if !self.asked.is_empty() {
            lines.push(Line::plain("Asked", Some("asked"), self.asked_in_short()));
        }
        let held: usize = self.unasked.iter().map(|group| group.lines.len()).sum();
        if held > 0 {
            let held = count(held as u64, "other thing holds", "other things hold");
            lines.push(Line::plain(
                "Not asked",
                Some("unasked"),
                format!("{held}."),
            ));
        }
        let open = match self.tally.unknown {
            0 => "nothing of what was looked at.".to_owned(),
            number => {
                let open = count(number as u64, "question is open", "questions are open");
                format!("{open}, because a limit was reached.")
            }
        };
        lines.push(Line::plain("Unknown", None, open));
        if !self.tried.is_empty() {
            lines.push(self.tried_in_short());
        }
        lines
    }

    fn asked_in_short(&self) -> String {
        let of = |result| self.asked.iter().filter(|one| one.result == result).count() as u64;
        let mut parts = vec![format!("{} as they should be", of(Outcome::Good))];
        for (number, what) in [(of(Outcome::Bad), "not"), (of(Outcome::Unknown), "unknown")] {
            if number > 0 {
                parts.push(format!("{number} {what}"));
            }
        }
        let all = count(
            self.asked.len() as u64,
            "claim, question or example",
            "claims, questions and examples",
        );
        format!("{all}: {}.", parts.join(", "))
    }

    fn tried_in_short(&self) -> Line {
        let mut pieces = vec![("every legal board".to_owned(), None)];
        if !self.conditions.is_empty() {
            pieces.push((" that meets some ".to_owned(), None));
            pieces.push(("conditions".to_owned(), Some("conditions")));
        }
        let tried = self.tried.join("; ");
        pieces.push((format!(", and every run from it, for {tried}."), None));
        if self.is_limited {
            pieces.push((" Not everything could be looked at; ".to_owned(), None));
            pieces.push(("here".to_owned(), Some("explored")));
            pieces.push((" stands why.".to_owned(), None));
        }
        Line {
            title: "Tried",
            anchor: Some("explored"),
            pieces,
        }
    }
}
