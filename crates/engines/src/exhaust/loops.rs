//! Loops by class: who or what could end a run that can go on for ever (`docs/semantics.md`, 8).

use std::collections::BTreeMap;

use super::values::{attractor, forever};
use endstep_semantics::semantics::Who;
use endstep_verdicts::analysis::Graph;
use endstep_verdicts::verdict::LoopClass;

/// The loops of a graph: nodes that lie on cycles together, with their class.
pub fn classes(graph: &Graph) -> Vec<(Vec<usize>, LoopClass)> {
    let going = forever(graph);
    if !going.contains(&true) {
        return Vec::new();
    }
    let ends: Vec<bool> = graph
        .nodes
        .iter()
        .map(|node| node.end().is_some())
        .collect();
    let who = |at: usize| graph.nodes.at(at).point().map(|point| point.who);
    // What nobody decides: order, gaps, and choices that the document leaves to nobody.
    let is_luck = |at: usize| who(at) == Some(Who::Nobody);
    let is_chance = |at: usize| who(at) == Some(Who::Chance);
    let reachable = attractor(graph, &ends, &|_| true);
    let with_luck = attractor(graph, &ends, &|at| !is_luck(at));
    let with_chance = attractor(graph, &ends, &|at| !is_luck(at) && !is_chance(at));
    let alone: Vec<_> = graph
        .deciders()
        .into_iter()
        .map(|player| {
            let mine = |at: usize| who(at) == Some(Who::Player(player));
            (player, attractor(graph, &ends, &mine))
        })
        .collect();
    let class = |at: usize| {
        if !reachable[at] {
            LoopClass::Mandatory
        } else if !with_luck[at] {
            LoopClass::OrderDriven
        } else if !with_chance[at] {
            LoopClass::ByChance
        } else {
            let can = alone.iter().find(|(_, set)| set[at]);
            LoopClass::Optional(can.map(|(player, _)| *player))
        }
    };
    let mut found = Vec::new();
    for part in cyclic(graph) {
        let mut by_class: BTreeMap<LoopClass, Vec<usize>> = BTreeMap::new();
        for at in part {
            by_class.entry(class(at)).or_default().push(at);
        }
        found.extend(by_class.into_iter().map(|(class, nodes)| (nodes, class)));
    }
    found
}

/// The nodes that lie on cycles, those that reach each other together.
fn cyclic(graph: &Graph) -> Vec<Vec<usize>> {
    let mut shape = petgraph::graph::DiGraph::<(), ()>::new();
    let ids: Vec<_> = graph.nodes.iter().map(|_| shape.add_node(())).collect();
    for (at, node) in graph.nodes.iter().enumerate() {
        for edge in node.edges() {
            shape.add_edge(ids[at], ids[edge.to()], ());
        }
    }
    let mut found = Vec::new();
    for part in petgraph::algo::tarjan_scc(&shape) {
        let mut nodes: Vec<usize> = part.iter().map(|node| node.index()).collect();
        let first = nodes[0];
        let itself = graph.nodes.at(first).edges().any(|edge| edge.to() == first);
        if nodes.len() > 1 || itself {
            nodes.sort_unstable();
            found.push(nodes);
        }
    }
    found.sort();
    found
}
