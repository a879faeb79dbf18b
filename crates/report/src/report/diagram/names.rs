//! What shapes, links and cycles are called, by programs and by people.

use super::{Cycle, Diagram, Group, Link, Node, Shape};
use crate::depend::Kind;

/// What is said of a pair of which nothing is known.
pub(super) const UNKNOWN: &str = "not known to make no difference";

/// What is said of a diagram without nodes.
pub(in crate::report) const NOTHING: &str = "There is nothing of the kind.";

impl Link {
    /// Every kind, in the order in which legends show them.
    pub const ALL: [Self; 9] = [
        Self::Feeds,
        Self::Overwrites,
        Self::Undoes,
        Self::Conflicts,
        Self::Commutes,
        Self::Causes,
        Self::Enables,
        Self::Refers,
        Self::Yields,
    ];

    /// What programs call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Feeds => "feeds",
            Self::Overwrites => "overwrites",
            Self::Undoes => "undoes",
            Self::Conflicts => "conflicts",
            Self::Commutes => "commutes",
            Self::Causes => "causes",
            Self::Enables => "enables",
            Self::Refers => "refers",
            Self::Yields => "yields",
        }
    }

    /// What it means, in the legend of a kind of picture.
    pub(super) fn meaning(self, kind: Kind) -> &'static str {
        match self {
            Self::Feeds if kind == Kind::Fields => {
                "what is in the second may depend on the first, or the first may decide whether it is written; \
                 that a run can stop at a gap, a conflict or a bound is left out"
            }
            Self::Feeds if kind == Kind::Steps => {
                "the second may read what the first can write; what a step performs or sets off counts as what it does"
            }
            Self::Feeds => "the second may read what the first can write",
            Self::Overwrites => {
                "both can write there, and the later one does not read what is there"
            }
            Self::Undoes => "the first, which comes later, can undo what the second brings about",
            Self::Conflicts => {
                "the order does not bind, and it makes a difference, or it is not known that it makes none"
            }
            Self::Commutes => "the order does not bind, and makes no difference to how it can end",
            Self::Causes => "the first can bring the second about",
            Self::Enables if matches!(kind, Kind::Steps | Kind::Clauses) => {
                "the first can end its sequence or the run, so that the second, which comes later, or at the next place or \
                 time, is not done, or go to another step, so that the second is not done or done once more; that a pass can be cancelled and begin again, or a run stop at a gap, a conflict or a \
                 bound, is left out"
            }
            Self::Enables => {
                "what the first writes decides whether the second happens; told only of what could go round with each other"
            }
            Self::Refers => "the first refers to the second",
            Self::Yields => "the second prevails over the first",
        }
    }

    /// What it looks like in DOT and Mermaid.
    pub(super) fn look(self) -> &'static str {
        match self {
            Self::Feeds | Self::Causes | Self::Refers => "arrow",
            Self::Overwrites => "thick line",
            Self::Undoes => "dashed red arrow",
            Self::Conflicts => "red line",
            Self::Commutes => "dotted green line",
            Self::Enables | Self::Yields => "dashed arrow",
        }
    }

    /// What is said of it on an arrow that means something else as well.
    pub(super) fn also(self) -> &'static str {
        match self {
            Self::Feeds => "also feeds it",
            Self::Overwrites => "both write",
            Self::Undoes => "can also undo it",
            Self::Conflicts => "order not known to make no difference",
            Self::Commutes => "can change places",
            Self::Causes => "also brings it about",
            Self::Enables => "also decides on it",
            Self::Refers => "also refers to it",
            Self::Yields => "also yields to it",
        }
    }

    /// What stands between the first node and the second in a sentence.
    pub(in crate::report) fn verb(self) -> &'static str {
        match self {
            Self::Feeds => "feeds",
            Self::Overwrites => "writes to the same data as",
            Self::Undoes => "can undo",
            Self::Conflicts => "cannot be said to change places with",
            Self::Commutes => "can change places with",
            Self::Causes => "can bring about",
            Self::Enables => "decides on",
            Self::Refers => "refers to",
            Self::Yields => "yields to",
        }
    }
}

impl Diagram {
    /// What the arrows of DOT and Mermaid mean, a line for each kind; nothing without arrows.
    pub(super) fn key_lines(&self) -> String {
        let lines = self.legend.iter();
        let lines = lines.map(|(link, meaning)| format!("{}: {meaning}", link.look()));
        lines.collect::<Vec<_>>().join("\n")
    }
}

impl Group {
    /// Its name, and below what is to be said of it.
    pub(super) fn heading(&self) -> String {
        match self.remark.is_empty() {
            true => self.name.clone(),
            false => format!("{}\n{}", self.name, self.remark),
        }
    }
}

impl Node {
    /// Its label, and below what else stands in it.
    pub(super) fn words(&self) -> String {
        let lines: Vec<&str> = std::iter::once(&self.label)
            .chain(&self.more)
            .map(String::as_str)
            .collect();
        lines.join("\n")
    }
}

impl Shape {
    /// What programs call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Step => "step",
            Self::Restart => "restart",
            Self::Event => "event",
            Self::Trigger => "trigger",
            Self::Place => "place",
            Self::Clause => "clause",
        }
    }

    /// What people call it.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Step => "a step",
            Self::Restart => "a restart: when a list begins again, and what is done before",
            Self::Event => "an event",
            Self::Trigger => "a trigger",
            Self::Place => "what is written and read",
            Self::Clause => "a clause",
        }
    }
}

impl Cycle {
    /// What programs call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Possible => "possible",
            Self::Cleared => "cleared",
            Self::Confirmed => "confirmed",
        }
    }

    /// What people say of it; nothing of what does not go round.
    pub(super) fn words(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Possible => Some("could go round without end"),
            Self::Cleared => Some("could go round without end; in scope, no run does"),
            Self::Confirmed => Some("goes round without end"),
        }
    }
}
