//! Computes `V` of every node, one component at a time (`docs/semantics.md`, 5).
//!
//! A component has the outcomes of its ends, those of all components it leads to, and `diverges` if
//! it has a cycle: an infinite run stays in one component from some point on.

use super::component::{Components, is_cyclic};
use super::set::{SetId, Sets};
use endstep_verdicts::analysis::{DIVERGES, Graph, Halt, Outcomes, Set, Values, Viewer};

/// The values of a graph.
pub fn values(graph: &Graph, viewer: Viewer<'_>, outcomes: &mut Outcomes) -> Result<Values, Halt> {
    let ends: Result<Vec<Option<usize>>, Halt> = (0..graph.nodes.len())
        .map(|node| viewer.end(graph, node, outcomes))
        .collect();
    let ends = ends?;
    let components = Components::new(graph);
    let mut sets = Sets::default();
    let mut of_component: Vec<SetId> = Vec::new();
    for nodes in components.iter() {
        let mut parts = Vec::new();
        if is_cyclic(graph, nodes) {
            parts.push(sets.id(only(DIVERGES)));
        }
        let here = of_component.len() as u32;
        for &node in nodes {
            if let Some(number) = ends[node as usize] {
                parts.push(sets.id(only(number)));
            }
            let edges = graph.nodes.at(node as usize).edges();
            let after = edges.map(|edge| components.of[edge.to()]);
            let others = after.filter(|&component| component != here);
            parts.extend(others.map(|component| of_component[component as usize]));
        }
        of_component.push(sets.all(parts));
    }
    let of = components.of.iter().map(|&one| of_component[one as usize]);
    let of = of.collect();
    Ok(Values::new(sets.into_sets(), of, ends))
}

fn only(number: usize) -> Set {
    std::iter::once(number as u32).collect()
}
