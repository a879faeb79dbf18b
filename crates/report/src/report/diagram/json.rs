//! Turns a diagram into JSON. `docs/graph.schema.json` is its schema.

use super::Diagram;
use serde_json::{Value, json};

/// The version of the format. Members may be added without a new version; one that is removed
/// or changes its meaning makes a new one.
pub const GRAPH_VERSION: u32 = 1;

impl Diagram {
    /// The diagram as an object. Nodes are named by their keys, groups by their names.
    pub fn json(&self) -> Value {
        let legend = self.legend.iter();
        let legend = legend.map(|(link, means)| json!({ "link": link.name(), "means": means }));
        let nodes = self.nodes.iter().map(|node| {
            json!({
                "key": node.key,
                "label": node.label,
                "shape": node.shape.name(),
                "group": node.group.and_then(|group| Some(&self.groups.get(group)?.name)),
                "cycle": node.cycle.name(),
            })
        });
        let edges = self.edges.iter().filter_map(|edge| {
            Some(json!({
                "from": self.nodes.get(edge.from)?.key,
                "to": self.nodes.get(edge.to)?.key,
                "link": edge.link.name(),
                "directed": edge.link.is_directed(),
                "labels": edge.labels,
                "cycle": edge.cycle.name(),
            }))
        });
        json!({
            "schema": "endstep graph",
            "version": GRAPH_VERSION,
            "title": self.title,
            "legend": legend.collect::<Vec<_>>(),
            "groups": self.groups.iter().map(|group| &group.name).collect::<Vec<_>>(),
            "nodes": nodes.collect::<Vec<_>>(),
            "edges": edges.collect::<Vec<_>>(),
            "notes": self.notes,
            "restrictions": self.restrictions,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample;

    #[test]
    fn edges_name_their_ends_by_key() {
        let value = sample::awkward().json();
        assert_eq!(value["edges"][0]["from"], "a.\"first\"");
        assert_eq!(value["edges"][0]["link"], "feeds");
        assert_eq!(value["nodes"][0]["group"], "Group [1] & \"co\"");
        assert_eq!(value["edges"][1]["directed"], false);
    }
}
