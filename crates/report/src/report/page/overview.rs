//! The first lines of a page: how far the clauses got, how much was found, asked and tried. And what the
//! words of the page mean.

use super::{Outcome, Page};
use crate::report::headline::REFUTED_BY_ALL;
use crate::report::layout::count;
use crate::report::part::{keeps_findings_back, options_in_words};
use crate::report::words::capital;

/// How well a finding is known: words and what they mean.
const VERDICTS: [(&str, &str); 5] = [
    (
        "shown",
        "it happens on the board below; a second, simpler program replayed it",
    ),
    (
        "refuted",
        "the board below, replayed in the same way, shows that what was claimed or asked is false",
    ),
    (
        REFUTED_BY_ALL,
        "no run that was tried does what was claimed or asked",
    ),
    ("holds in scope", "it is true on every board that was tried"),
    ("by inspection", "the text alone shows it"),
];

/// Who says so.
const ORIGINS: [(&str, &str); 2] = [
    ("discovered", "nobody asked"),
    ("declared", "the specification claims or asks it"),
];

/// On what a finding rests.
const BASES: [(&str, &str); 4] = [
    ("text", "on what clauses say"),
    ("external", "on another source, too"),
    ("gap", "on a way of filling a gap, too"),
    (
        "invented",
        "on cards, effects or boards that were made up to have something to play with, too; the text \
         alone may not show it",
    ),
];

/// What a word means that stands at a finding: its verdict, its origin or its basis; nothing of others.
pub(in crate::report) fn meaning(word: &str) -> &'static str {
    let mut all = VERDICTS.iter().chain(&ORIGINS).chain(&BASES);
    all.find(|(one, _)| *one == word)
        .map_or("", |(_, means)| means)
}

/// What the words of a page mean, an item each; what stands between asterisks is explained there, and
/// `quoted` is how the page marks what a clause says.
pub(in crate::report) fn legend(quoted: &str) -> [String; 6] {
    let told = |words: &[(&str, &str)]| {
        let one = |(word, means): &(&str, &str)| format!("*{}*: {means}.", capital(word));
        words.iter().map(one).collect::<Vec<_>>().join(" ")
    };
    [
        format!(
            "{quoted} stands what a clause says as the specification has it, which need not be in the words of \
             the document."
        ),
        format!(
            "How a finding stands is said in a few words. First how certain it is. {}",
            told(&VERDICTS)
        ),
        format!("Then who says so. {}", told(&ORIGINS)),
        format!(
            "Then on what it rests. {}",
            told(&BASES).replacen("*Text*", "*Basis text*", 1)
        ),
        "Then how it stands. *Known*: it was found before, and is written down as such. *Decided*: the same, and what an editor decided about it. *Accepted*: the specification says why it may \
         stay. *New*: neither. *Note*: worth knowing, and no fault."
            .to_owned(),
        "The board of a finding is the smallest one of its scope that shows it without rules of a weaker basis, \
         unless something else is said of its size."
            .to_owned(),
    ]
}

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
            format!("{}.{}", self.tally.line(), self.same_in_short()),
        ));
        if !self.asked.is_empty() {
            lines.push(Line::plain("Asked", Some("asked"), self.asked_in_short()));
        }
        let held: usize = self.unasked.iter().map(|group| group.number).sum();
        if held > 0 {
            let held = count(held as u64, "other thing holds", "other things hold");
            lines.push(Line::plain(
                "Not asked",
                Some("unasked"),
                format!("{held}."),
            ));
        }
        lines.extend(self.unknown_in_short());
        if !self.tried.is_empty() {
            lines.push(self.tried_in_short());
        }
        lines
    }

    fn same_in_short(&self) -> String {
        match self.named(&self.ranked).filter(|one| one.follows).count() {
            0 => String::new(),
            1 => " One of all these has the same cause as another, and says so.".to_owned(),
            many => format!(" {many} of all these have the same cause as another, and say so."),
        }
    }

    fn asked_in_short(&self) -> String {
        let of = |result| self.asked.iter().filter(|one| one.result == result).count() as u64;
        let should = match of(Outcome::Good) {
            1 => "as it should be",
            _ => "as they should be",
        };
        let mut parts = vec![format!("{} {should}", of(Outcome::Good))];
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

    fn unknown_in_short(&self) -> Option<Line> {
        let others = self.unknown.len() as u64;
        let text = match (self.tally.unknown, others) {
            (0, 0) => return None,
            (0, _) => format!("nothing that was asked; {others} of what nobody asked."),
            (number, _) => {
                let open = count(number as u64, "question is open", "questions are open");
                format!("{open}, because {}.", self.why_open)
            }
        };
        let anchor = (others > 0).then_some("unknown");
        Some(Line::plain("Unknown", anchor, text))
    }

    fn tried_in_short(&self) -> Line {
        let options: Vec<&String> = self
            .restrictions
            .iter()
            .filter(|one| !keeps_findings_back(one))
            .collect();
        let [boards, meeting, runs] = match self.is_limited || !options.is_empty() {
            true => ["legal boards", " that meet some ", "runs from them"],
            false => [
                "every legal board",
                " that meets some ",
                "every run from it",
            ],
        };
        let mut pieces = vec![(boards.to_owned(), None)];
        if !self.conditions.is_empty() {
            pieces.push((meeting.to_owned(), None));
            pieces.push(("conditions".to_owned(), Some("conditions")));
        }
        let tried = self.tried.join("; ");
        pieces.push((format!(", and {runs}, for {tried}."), None));
        if !options.is_empty() {
            let options = options_in_words(options);
            pieces.push((format!(" {options} left others out."), None));
        }
        if self.is_limited {
            pieces.push((" Not all of them could be looked at; ".to_owned(), None));
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
