//! How many findings there are of each standing, and what is unknown.

use serde::{Deserialize, Serialize};

use super::{Sheet, Standing};
use endstep_language::diag::Severity;

/// The numbers that the last line of a report and the exit code rest on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// New findings that are more than notes.
    pub new: usize,
    /// New findings that are only notes.
    pub notes: usize,
    /// Findings in the file of expected ones.
    pub expected: usize,
    /// Of these, those about which something is decided.
    #[serde(default)]
    pub decided: usize,
    /// Findings that the specification accepts.
    pub accepted: usize,
    /// Expected findings that are gone.
    pub vanished: usize,
    /// `accept`s that cover nothing.
    pub unused: usize,
    /// Questions that a limit kept from being answered.
    pub unknown: usize,
    /// How many of all these make the check fail.
    pub failing: usize,
}

impl Tally {
    /// The numbers of a sheet.
    pub fn of(sheet: Sheet<'_>) -> Self {
        let mut tally = Self {
            vanished: sheet.vanished.len(),
            unused: sheet.unused.len(),
            ..Self::default()
        };
        tally.failing = tally.unused;
        if sheet.policy.vanished_fails {
            tally.failing += tally.vanished;
        }
        for (finding, standing) in sheet.results.findings.iter().zip(sheet.standings) {
            let fails = *standing == Standing::New && sheet.policy.fails(finding.severity);
            tally.failing += usize::from(fails);
            match standing {
                Standing::New if finding.severity == Severity::Note => tally.notes += 1,
                Standing::New => tally.new += 1,
                Standing::Expected(decided) => {
                    tally.expected += 1;
                    tally.decided += usize::from(decided.is_some());
                }
                Standing::Accepted(_) => tally.accepted += 1,
            }
        }
        let answers = sheet.results.answers.iter();
        tally.unknown = answers
            .filter(|answer| answer.is_open() && !answer.is_unasked())
            .count()
            + sheet.results.unseen().len();
        tally
    }

    /// Adds the numbers of another sheet.
    pub fn add(&mut self, other: Self) {
        self.new += other.new;
        self.notes += other.notes;
        self.expected += other.expected;
        self.decided += other.decided;
        self.accepted += other.accepted;
        self.vanished += other.vanished;
        self.unused += other.unused;
        self.unknown += other.unknown;
        self.failing += other.failing;
    }

    /// Whether something is not as expected, and bad enough to fail.
    pub fn is_news(&self) -> bool {
        self.failing > 0
    }

    /// `2 findings: 1 new, 1 known; 3 notes; 1 unknown`
    pub fn line(&self) -> String {
        let found = self.new + self.expected + self.accepted;
        let mut parts = Vec::new();
        for (number, what) in [
            (self.new, "new"),
            (self.expected - self.decided, "known"),
            (self.decided, "decided"),
            (self.accepted, "accepted"),
        ] {
            if number > 0 {
                parts.push(format!("{number} {what}"));
            }
        }
        let mut line = match found {
            0 => "no findings".to_owned(),
            1 => format!("1 finding: {}", parts.join(", ")),
            _ => format!("{found} findings: {}", parts.join(", ")),
        };
        for (number, one, many) in [
            (self.notes, "note", "notes"),
            (
                self.vanished,
                "known finding is gone",
                "known findings are gone",
            ),
            (
                self.unused,
                "accept covers nothing",
                "accepts cover nothing",
            ),
            (self.unknown, "question is open", "questions are open"),
        ] {
            match number {
                0 => {}
                1 => line.push_str(&format!("; 1 {one}")),
                _ => line.push_str(&format!("; {number} {many}")),
            }
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_there_is() {
        assert_eq!(Tally::default().line(), "no findings");
        let tally = Tally {
            new: 1,
            failing: 1,
            expected: 3,
            decided: 2,
            notes: 2,
            unknown: 1,
            ..Tally::default()
        };
        let line = "4 findings: 1 new, 1 known, 2 decided; 2 notes; 1 question is open";
        assert_eq!(tally.line(), line);
        assert!(tally.is_news());
    }

    #[test]
    fn notes_and_open_questions_are_no_news() {
        let tally = Tally {
            notes: 3,
            unknown: 1,
            accepted: 1,
            ..Tally::default()
        };
        assert!(!tally.is_news());
    }
}
