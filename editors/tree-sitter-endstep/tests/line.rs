//! A specification as lines in blocks: what the trees of the compiler and of the grammar have in common.

use std::fmt;
use std::ops::Range;

/// A line with the blocks under it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Which construct it is, as the grammar calls it.
    pub kind: String,
    /// The bytes from its first token to the last one before its block, where the compiler says so.
    pub place: Option<Range<usize>>,
    /// What else is compared: names, and what a clause says of itself.
    pub facts: Vec<String>,
    /// The blocks that belong to it, one after the other.
    pub blocks: Vec<Vec<Self>>,
}

impl Line {
    /// A line without blocks, of which only the kind is known.
    pub fn new(kind: &str) -> Self {
        Self {
            kind: kind.to_owned(),
            place: None,
            facts: Vec::new(),
            blocks: Vec::new(),
        }
    }

    /// The same with a place.
    pub fn at(mut self, place: Range<usize>) -> Self {
        self.place = Some(place);
        self
    }

    /// The same with a fact.
    pub fn with(mut self, fact: impl Into<String>) -> Self {
        self.facts.push(fact.into());
        self
    }

    /// The same with a block.
    pub fn over(mut self, block: Vec<Self>) -> Self {
        self.blocks.push(in_order(block));
        self
    }

    /// Writes it with all that is under it.
    fn show(&self, out: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        let indent = 2 * depth;
        write!(out, "{:indent$}{}", "", self.kind)?;
        if let Some(place) = &self.place {
            write!(out, " {}..{}", place.start, place.end)?;
        }
        for fact in &self.facts {
            write!(out, " {fact}")?;
        }
        writeln!(out)?;
        for block in &self.blocks {
            writeln!(out, "{:indent$} block", "")?;
            for line in block {
                line.show(out, depth + 1)?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Line {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.show(out, 0)
    }
}

/// The kinds of lines that the compiler keeps apart from those around them, so that their order is lost.
const APART: [&str; 15] = [
    "basis",
    "before_restarting",
    "cancel",
    "changes",
    "cites",
    "column",
    "defines",
    "ensures",
    "refers",
    "row",
    "says",
    "unfinished",
    "uses",
    "waived",
    "yields",
];

/// The lines of a block, those first whose order is lost.
fn in_order(mut lines: Vec<Line>) -> Vec<Line> {
    let rank = |line: &Line| APART.iter().position(|&kind| kind == line.kind);
    lines.sort_by_key(|line| rank(line).unwrap_or(APART.len()));
    lines
}
