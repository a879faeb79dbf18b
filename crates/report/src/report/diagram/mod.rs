//! A graph as it is shown: boxes and arrows with words, whatever they stand for.
//!
//! ```text
//! Cleanup                                      group
//!   destroy ──health──► report                 a step, an arrow with what causes it, a step
//!   destroy ══════════ infect                  a pair that can change places
//! ```
//!
//! Text and JSON tell all of it. Pictures are made from [what is drawn](Diagram::drawn), which folds and
//! leaves out, and says so.
//!
//! *Guarantees.* Nothing here knows what a node is but its [`Shape`]; the same diagram gives the
//! same bytes in every format.

mod dot;
mod drawn;
mod json;
mod layout;
mod mermaid;
mod names;
#[cfg(test)]
mod sample;
mod sketch;
mod svg;
mod text;

pub use crate::depend::{Cycle, Link};
pub use json::GRAPH_VERSION;
pub(in crate::report) use names::NOTHING;
pub use sketch::sketch;

/// A graph to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagram {
    /// What it shows, such as `Steps of Cleanup`.
    pub title: String,
    /// What the arrows mean, a sentence for each kind of edge that occurs.
    pub legend: Vec<(Link, String)>,
    /// Boxes around nodes.
    pub groups: Vec<Group>,
    /// What is connected.
    pub nodes: Vec<Node>,
    /// The connections.
    pub edges: Vec<Edge>,
    /// What is to be said of it in sentences: loops, confirmed or not, and why.
    pub notes: Vec<String>,
    /// The options that kept the check from looking at everything, as they are written.
    pub restrictions: Vec<String>,
    /// Whether nothing was looked at but claims that these name.
    pub only_claims: bool,
}

/// A box around nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// What it is called.
    pub name: String,
    /// What is to be said of all in it; nothing before it is [drawn](Diagram::drawn).
    pub remark: String,
    /// Whether something performs it. What it has to do with other groups is then told of whatever performs it.
    pub is_part: bool,
}

/// A box of a diagram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// What programs call it: `cleanup.destroy`. No two nodes have one key.
    pub key: String,
    /// What people call it.
    pub label: String,
    /// What stands below that, line by line; nothing before it is [drawn](Diagram::drawn).
    pub more: Vec<String>,
    /// What it stands for.
    pub shape: Shape,
    /// The group in which it stands, by position.
    pub group: Option<usize>,
    /// Whether it goes round.
    pub cycle: Cycle,
    /// Whether it is read and nothing changes it.
    pub given: bool,
}

/// What a node stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shape {
    /// A step of a sequence.
    Step,
    /// The restart rule of a sequence.
    Restart,
    /// An event.
    Event,
    /// A trigger.
    Trigger,
    /// A field, variable, zone or queue, or which entities there are.
    Place,
    /// A clause of a document.
    Clause,
}

/// A connection of two nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// From which node, by position.
    pub from: usize,
    /// To which; for a connection without direction the greater position.
    pub to: usize,
    /// What it means.
    pub link: Link,
    /// What causes it, such as `health of Card`, each once and in order.
    pub labels: Vec<String>,
    /// How many of them, the first, are places of the data; the others say more.
    pub places: usize,
    /// Whether it is part of something that can go round.
    pub cycle: Cycle,
}
