//! Strongly connected components of a graph, each after all that it leads to (Tarjan 1972).
//!
//! The stack of the search is kept on the heap: a graph may be one walk of a million nodes.

use endstep_verdicts::analysis::Graph;

/// Not seen yet, or not in a component yet.
const NONE: u32 = u32::MAX;

/// The components of a graph.
#[derive(Debug)]
pub struct Components {
    /// The number of each node's component.
    pub of: Vec<u32>,
    /// The nodes, those of one component together.
    nodes: Vec<u32>,
    /// Where each component begins among them, and where the last one ends.
    starts: Vec<usize>,
}

struct Search<'g> {
    graph: &'g Graph,
    found: Components,
    /// When each node was seen.
    seen: Vec<u32>,
    /// The earliest node that is known to be reached from each.
    low: Vec<u32>,
    /// Seen, but not in a component yet.
    open: Vec<u32>,
    /// The way to where the search is, with the next edge of each node.
    way: Vec<(u32, usize)>,
    clock: u32,
}

impl Components {
    /// The components of a graph.
    pub fn new(graph: &Graph) -> Self {
        let count = graph.nodes.len();
        let mut search = Search {
            graph,
            found: Self {
                of: vec![NONE; count],
                nodes: Vec::with_capacity(count),
                starts: vec![0],
            },
            seen: vec![NONE; count],
            low: vec![0; count],
            open: Vec::new(),
            way: Vec::new(),
            clock: 0,
        };
        for node in 0..count as u32 {
            if search.seen[node as usize] == NONE {
                search.from(node);
            }
        }
        search.found
    }

    /// The nodes of each component; a component comes after those it leads to.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let bounds = self.starts.windows(2);
        bounds.map(|pair| &self.nodes[pair[0]..pair[1]])
    }
}

/// Whether a component has a cycle.
pub fn is_cyclic(graph: &Graph, nodes: &[u32]) -> bool {
    match nodes {
        [one] => {
            let mut edges = graph.nodes.at(*one as usize).edges();
            edges.any(|edge| edge.to() == *one as usize)
        }
        _ => true,
    }
}

impl Search<'_> {
    fn from(&mut self, start: u32) {
        self.enter(start);
        while let Some((node, next)) = self.way.last_mut() {
            let (from, at) = (*node as usize, *next);
            *next += 1;
            match self.graph.nodes.at(from).edges().nth(at) {
                Some(edge) if self.seen[edge.to()] == NONE => self.enter(edge.to() as u32),
                Some(edge) if self.found.of[edge.to()] == NONE => {
                    self.low[from] = self.low[from].min(self.seen[edge.to()]);
                }
                Some(_) => {}
                None => self.leave(),
            }
        }
    }

    fn enter(&mut self, node: u32) {
        self.seen[node as usize] = self.clock;
        self.low[node as usize] = self.clock;
        self.clock += 1;
        self.open.push(node);
        self.way.push((node, 0));
    }

    /// Goes back from a node all of whose edges were looked at.
    fn leave(&mut self) {
        let Some((node, _)) = self.way.pop() else {
            return;
        };
        let low = self.low[node as usize];
        if let Some(&(before, _)) = self.way.last() {
            let before = &mut self.low[before as usize];
            *before = (*before).min(low);
        }
        if low < self.seen[node as usize] {
            return;
        }
        // INVARIANT: the node was the first of its component to be seen, so all that were opened
        // since belong to it.
        let component = (self.found.starts.len() - 1) as u32;
        while let Some(member) = self.open.pop() {
            self.found.of[member as usize] = component;
            self.found.nodes.push(member);
            if member == node {
                break;
            }
        }
        self.found.starts.push(self.found.nodes.len());
    }
}
