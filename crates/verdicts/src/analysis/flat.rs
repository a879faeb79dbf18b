//! The nodes and edges of a graph, in arrays.
//!
//! ```text
//! nodes   0: edges from 0, a choice       1: edges from 2        2: edges from 3, an end
//! edges   0: to 1, key 0   1: to 2, key 1        2: to 2
//! ```
//!
//! A node takes 12 bytes and an edge 32, beside what is said of them: choice points, ends, keys, marks and notes lie in
//! arrays of their own, those of an edge in a row. A graph is made and dropped for every board and every assignment
//! of readings, and is mostly small: what lies apart in memory costs more than what is in it.
//!
//! *Guarantees.* Nodes are numbered as they are added, and [`expand`](Nodes::expand) is called for them in that order;
//! the edges of a node are those that were added since.

use std::fmt::{self, Debug, Formatter};

use super::watch::Mark;
use endstep_language::syntax::ast::BasisKind;
use endstep_semantics::semantics::{ChoiceKind, Ended, Key, Note, Site, Who};
use endstep_semantics::witness::Iteration;

/// Nodes, and the edges between them.
#[derive(Debug, Default)]
pub struct Nodes {
    /// What each node is.
    kinds: Vec<Kind>,
    /// The first edge of each node that was expanded.
    starts: Vec<u32>,
    edges: Vec<Line>,
    points: Vec<Point>,
    ends: Vec<End>,
    keys: Vec<Key>,
    notes: Vec<Note>,
    marks: Vec<Mark>,
}

/// What a node is, and where more about it is.
#[derive(Debug, Clone, Copy)]
enum Kind {
    /// Neither a choice nor an end, or not expanded yet.
    Plain,
    Choice(u32),
    End(u32),
}

/// An edge.
#[derive(Debug, Clone, Copy)]
struct Line {
    to: u32,
    /// The position of its key; [`NO_KEY`] if it has none.
    key: u32,
    /// One past the last of its notes; the first is where those of the edge before end.
    notes: u32,
    /// The same of its marks.
    marks: u32,
    length: u32,
    low: (u32, u32),
    basis: BasisKind,
}

const NO_KEY: u32 = u32::MAX;

/// An end.
#[derive(Debug)]
pub struct End {
    /// How the run ends there.
    pub ended: Ended,
    /// What happened last.
    pub marks: Vec<Mark>,
}

/// A choice point.
#[derive(Debug, Clone)]
pub struct Point {
    /// Its kind.
    pub kind: ChoiceKind,
    /// Its decider.
    pub who: Who,
    /// Where in the specification.
    pub site: Site,
    /// To which iteration it belongs.
    pub iteration: Iteration,
    /// How many alternatives there are. Some of them may have no edge: [`Graph::narrowed`](super::graph::Graph::narrowed).
    pub alternatives: usize,
}

/// What leads from one node to another, as it is added to a graph.
#[derive(Debug, Clone)]
pub struct NewEdge {
    /// What was chosen; `None` where nothing was to be chosen.
    pub key: Option<Key>,
    /// The node it leads to.
    pub to: usize,
    /// Micro-steps, the choice included.
    pub length: u64,
    /// The weakest basis of what was executed.
    pub basis: BasisKind,
    /// The lowest height of the stack on the way.
    pub low: (usize, usize),
}

/// A node.
#[derive(Clone, Copy)]
pub struct Node<'g> {
    of: &'g Nodes,
    at: usize,
}

/// An edge.
#[derive(Clone, Copy)]
pub struct Edge<'g> {
    of: &'g Nodes,
    at: usize,
}

impl Nodes {
    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// How many of them are states: all but the board itself, if nothing is chosen there and no run ends.
    pub fn states(&self) -> usize {
        let first = self.kinds.first();
        self.len() - usize::from(matches!(first, Some(Kind::Plain)))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// A node.
    #[inline]
    pub fn at(&self, node: usize) -> Node<'_> {
        Node { of: self, at: node }
    }

    /// A node, if there is one of this number.
    pub fn get(&self, node: usize) -> Option<Node<'_>> {
        (node < self.len()).then(|| self.at(node))
    }

    /// All nodes, by number.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Node<'_>> + DoubleEndedIterator + Clone {
        (0..self.len()).map(|node| self.at(node))
    }

    /// All edges, by the node that they leave.
    pub fn edges(&self) -> impl ExactSizeIterator<Item = Edge<'_>> {
        (0..self.edges.len()).map(|at| Edge { of: self, at })
    }

    /// Adds a node.
    pub fn add(&mut self) {
        self.kinds.push(Kind::Plain);
    }

    /// What is added from now on belongs to this node.
    ///
    /// INVARIANT: called once for each node, by number.
    pub fn expand(&mut self, node: usize) {
        debug_assert_eq!(node, self.starts.len(), "nodes are expanded by number");
        self.starts.push(small(self.edges.len()));
    }

    /// Something is chosen at a node.
    pub fn choice(&mut self, node: usize, point: Point) {
        self.kinds[node] = Kind::Choice(small(self.points.len()));
        self.points.push(point);
    }

    /// A node is an end; what was marked since the last edge was marked there.
    pub fn end(&mut self, node: usize, ended: Ended) {
        let marks = self.marks.split_off(self.marked());
        self.notes.truncate(self.noted());
        self.kinds[node] = Kind::End(small(self.ends.len()));
        self.ends.push(End { ended, marks });
    }

    /// Marks what happens on the edge that is added next.
    pub fn mark(&mut self, mark: Mark) {
        self.marks.push(mark);
    }

    /// A note with which an iteration may begin anew, of the edge that is added next.
    pub fn note(&mut self, note: Note) {
        self.notes.push(note);
    }

    /// Adds an edge.
    pub fn lead(&mut self, edge: NewEdge) {
        let key = match edge.key {
            None => NO_KEY,
            Some(key) => {
                self.keys.push(key);
                small(self.keys.len() - 1)
            }
        };
        self.edges.push(Line {
            to: small(edge.to),
            key,
            notes: small(self.notes.len()),
            marks: small(self.marks.len()),
            length: small(usize::try_from(edge.length).unwrap_or(usize::MAX)),
            low: (small(edge.low.0), small(edge.low.1)),
            basis: edge.basis,
        });
    }

    /// Leads an edge elsewhere.
    pub fn redirect(&mut self, (node, at): (usize, usize), to: usize) {
        let edge = self.starts[node] as usize + at;
        self.edges[edge].to = small(to);
    }

    /// One past the last note of the last edge.
    fn noted(&self) -> usize {
        self.edges.last().map_or(0, |edge| edge.notes as usize)
    }

    /// One past the last mark of the last edge.
    fn marked(&self) -> usize {
        self.edges.last().map_or(0, |edge| edge.marks as usize)
    }
}

/// A number in 32 bits. What would not fit is far beyond any limit of states; a height of the stack that does not is
/// taken for the largest.
pub(super) fn small(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

impl<'g> Node<'g> {
    /// What is chosen there, if anything.
    #[inline]
    pub fn point(self) -> Option<&'g Point> {
        match self.of.kinds[self.at] {
            Kind::Choice(at) => Some(&self.of.points[at as usize]),
            Kind::Plain | Kind::End(_) => None,
        }
    }

    /// The end, if it is one.
    #[inline]
    pub fn end(self) -> Option<&'g End> {
        match self.of.kinds[self.at] {
            Kind::End(at) => Some(&self.of.ends[at as usize]),
            Kind::Plain | Kind::Choice(_) => None,
        }
    }

    #[inline]
    fn range(self) -> std::ops::Range<usize> {
        let starts = &self.of.starts;
        let start = |at: usize| starts.get(at).map(|&start| start as usize);
        let all = self.of.edges.len();
        start(self.at).unwrap_or(all)..start(self.at + 1).unwrap_or(all)
    }

    /// What can follow; of an end nothing.
    #[inline]
    pub fn edges(self) -> impl ExactSizeIterator<Item = Edge<'g>> + DoubleEndedIterator + Clone {
        let of = self.of;
        self.range().map(move |at| Edge { of, at })
    }

    /// How many edges leave it.
    #[inline]
    pub fn degree(self) -> usize {
        self.range().len()
    }

    /// An edge, by position.
    #[inline]
    pub fn edge(self, at: usize) -> Edge<'g> {
        Edge {
            of: self.of,
            at: self.of.starts[self.at] as usize + at,
        }
    }
}

impl<'g> Edge<'g> {
    #[inline]
    fn line(self) -> &'g Line {
        &self.of.edges[self.at]
    }

    /// What was chosen; `None` where nothing was to be chosen.
    #[inline]
    pub fn key(self) -> Option<&'g Key> {
        self.of.keys.get(self.line().key as usize)
    }

    /// The node it leads to.
    #[inline]
    pub fn to(self) -> usize {
        self.line().to as usize
    }

    /// Micro-steps, the choice included.
    #[inline]
    pub fn length(self) -> u64 {
        u64::from(self.line().length)
    }

    /// The weakest basis of what was executed.
    #[inline]
    pub fn basis(self) -> BasisKind {
        self.line().basis
    }

    /// The lowest height of the stack on the way.
    #[inline]
    pub fn low(self) -> (usize, usize) {
        let (activations, frames) = self.line().low;
        (activations as usize, frames as usize)
    }

    /// Notes with which an iteration may begin anew.
    #[inline]
    pub fn notes(self) -> &'g [Note] {
        let before = self.before().map_or(0, |edge| edge.notes as usize);
        &self.of.notes[before..self.line().notes as usize]
    }

    /// What happened on the way, in order.
    #[inline]
    pub fn marks(self) -> &'g [Mark] {
        let before = self.before().map_or(0, |edge| edge.marks as usize);
        &self.of.marks[before..self.line().marks as usize]
    }

    fn before(self) -> Option<&'g Line> {
        Some(&self.of.edges[self.at.checked_sub(1)?])
    }
}

impl Debug for Node<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Node")
            .field("point", &self.point())
            .field("edges", &self.edges().collect::<Vec<_>>())
            .field("end", &self.end())
            .finish()
    }
}

impl Debug for Edge<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Edge")
            .field("key", &self.key())
            .field("to", &self.to())
            .field("length", &self.length())
            .field("basis", &self.basis())
            .field("low", &self.low())
            .field("notes", &self.notes())
            .field("marks", &self.marks())
            .finish()
    }
}
