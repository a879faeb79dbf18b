//! Who can bring a run where, by attractors in linear time, and so who can force or avoid what.
//!
//! A node joins the attractor once one of its edges leads into it if its decider helps, and once
//! all do if not. Each edge is followed back once, and counted down where it begins.

use endstep_semantics::semantics::Who;
use endstep_semantics::witness::Ability;
use endstep_verdicts::analysis::{DIVERGES, Graph, Values};

/// The edges of a graph, backwards.
#[derive(Debug)]
pub struct Backwards {
    /// Where the edges to each node begin in `from`, and where the last ones end.
    starts: Vec<u32>,
    from: Vec<u32>,
}

impl Backwards {
    /// Of a graph.
    pub fn new(graph: &Graph) -> Self {
        let mut starts = vec![0_u32; graph.nodes.len() + 1];
        for edge in graph.nodes.edges() {
            starts[edge.to() + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut from = vec![0; starts[starts.len() - 1] as usize];
        for (at, node) in graph.nodes.iter().enumerate() {
            for edge in node.edges() {
                from[next[edge.to()] as usize] = at as u32;
                next[edge.to()] += 1;
            }
        }
        Self { starts, from }
    }

    /// The nodes from which an edge leads to a node, one for each edge.
    fn to(&self, node: usize) -> &[u32] {
        &self.from[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// The nodes from which those who help can bring the run into `goal`, whatever the others do.
    pub fn attractor(
        &self,
        graph: &Graph,
        goal: Vec<bool>,
        helps: impl Fn(usize) -> bool,
    ) -> Vec<bool> {
        let mut todo: Vec<usize> = (0..goal.len()).filter(|&node| goal[node]).collect();
        let mut inside = goal;
        let mut outside: Vec<usize> = graph.nodes.iter().map(|node| node.degree()).collect();
        while let Some(node) = todo.pop() {
            for &before in self.to(node) {
                let before = before as usize;
                outside[before] -= 1;
                if !inside[before] && (outside[before] == 0 || helps(before)) {
                    inside[before] = true;
                    todo.push(before);
                }
            }
        }
        inside
    }
}

/// Whether somebody (a player, or the players together) can force or avoid an outcome from the start.
///
/// Whoever cannot keep the others from something cannot avoid it: each of these games is
/// determined, and they win where the others do not.
pub fn is_able(
    (graph, values): (&Graph, &Values),
    who: Who,
    ability: Ability,
    outcome: usize,
) -> bool {
    let mine = |node: usize| {
        let point = graph.nodes.at(node).point();
        point.is_some_and(|point| who.speaks_for(point.who))
    };
    let ends = values.ends.iter();
    let goal = match outcome {
        DIVERGES => ends.map(Option::is_some).collect(),
        _ => ends.map(|end| *end == Some(outcome)).collect(),
    };
    let back = Backwards::new(graph);
    let i_reach = matches!(
        (ability, outcome),
        (Ability::Avoid, DIVERGES) | (Ability::Force, 1..)
    );
    if i_reach {
        back.attractor(graph, goal, mine)[0]
    } else {
        !back.attractor(graph, goal, |node| !mine(node))[0]
    }
}
