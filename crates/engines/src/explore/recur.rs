//! Loops by class: who or what could end a run that can go on for ever (`docs/semantics.md`, 8).
//!
//! Everything that could be followed by an end is tried against ever more adversaries: nobody, luck
//! (order and gaps that nobody decides), chance too, then all but one player.

use std::collections::BTreeMap;

use super::attract::Backwards;
use super::component::{Components, is_cyclic};
use endstep_language::typing::program::EntityId;
use endstep_semantics::semantics::Who;
use endstep_verdicts::analysis::{Graph, Point};
use endstep_verdicts::verdict::LoopClass;

/// The nodes on cycles: those that reach each other together, parted by class.
pub fn loops(graph: &Graph) -> Vec<(Vec<usize>, LoopClass)> {
    let components = Components::new(graph);
    let mut cycles: Vec<Vec<usize>> = Vec::new();
    for nodes in components.iter().filter(|nodes| is_cyclic(graph, nodes)) {
        let mut nodes: Vec<usize> = nodes.iter().map(|&node| node as usize).collect();
        nodes.sort_unstable();
        cycles.push(nodes);
    }
    if cycles.is_empty() {
        return Vec::new();
    }
    cycles.sort_unstable();
    let exits = Exits::new(graph);
    let mut found = Vec::new();
    for cycle in cycles {
        let mut parts: BTreeMap<LoopClass, Vec<usize>> = BTreeMap::new();
        for node in cycle {
            parts.entry(exits.class(node)).or_default().push(node);
        }
        found.extend(parts.into_iter().map(|(class, nodes)| (nodes, class)));
    }
    found
}

/// From which nodes an end can be reached against whom.
struct Exits {
    by_all: Vec<bool>,
    against_luck: Vec<bool>,
    by_players: Vec<bool>,
    alone: Vec<(EntityId, Vec<bool>)>,
}

/// Whether nobody decides at a point, in a way that no chance does either.
fn is_luck(point: &Point) -> bool {
    point.who == Who::Nobody
}

impl Exits {
    fn new(graph: &Graph) -> Self {
        let back = Backwards::new(graph);
        let reach = |helps: &dyn Fn(&Point) -> bool| {
            let ends = graph
                .nodes
                .iter()
                .map(|node| node.end().is_some())
                .collect();
            let decides = |node: usize| graph.nodes.at(node).point().is_none_or(helps);
            back.attractor(graph, ends, decides)
        };
        let players = graph.deciders().into_iter();
        let alone = players.map(|player| {
            let mine = |point: &Point| point.who == Who::Player(player);
            (player, reach(&mine))
        });
        Self {
            by_all: reach(&|_| true),
            against_luck: reach(&|point| !is_luck(point)),
            by_players: reach(&|point| !is_luck(point) && point.who != Who::Chance),
            alone: alone.collect(),
        }
    }

    fn class(&self, node: usize) -> LoopClass {
        if !self.by_all[node] {
            return LoopClass::Mandatory;
        }
        if !self.against_luck[node] {
            return LoopClass::OrderDriven;
        }
        if !self.by_players[node] {
            return LoopClass::ByChance;
        }
        let mut alone = self.alone.iter().filter(|(_, reach)| reach[node]);
        LoopClass::Optional(alone.next().map(|(player, _)| *player))
    }
}
