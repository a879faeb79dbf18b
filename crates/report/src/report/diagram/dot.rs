//! Turns a diagram into the language of Graphviz.
//!
//! *Guarantees.* Names and labels are quoted, so that whatever they contain is shown as it is.

use super::{Cycle, Diagram, Edge, Link, Node, Shape};

impl Diagram {
    /// The diagram for `dot`.
    pub fn dot(&self) -> String {
        let mut out = format!("digraph {} {{\n", quoted(&self.title));
        out.push_str(&format!(
            "  graph [label={}, labelloc=t, compound=true, fontname=\"sans-serif\"];\n",
            quoted(&self.title)
        ));
        if !self.notes.is_empty() {
            let notes = quoted(&self.notes.join("\n"));
            out.push_str(&format!("  graph [comment={notes}];\n"));
        }
        out.push_str(
            "  node [fontname=\"sans-serif\", fontsize=11, style=filled, fillcolor=white];\n",
        );
        out.push_str("  edge [fontname=\"sans-serif\", fontsize=10];\n");
        for (group, one) in self.groups.iter().enumerate() {
            out.push_str(&format!("  subgraph cluster_{group} {{\n"));
            out.push_str(&format!(
                "    graph [label={}, style=rounded, color=gray60];\n",
                quoted(&one.heading())
            ));
            for node in self.nodes.iter().filter(|node| node.group == Some(group)) {
                out.push_str(&format!("    {}", statement(node)));
            }
            out.push_str("  }\n");
        }
        let known = |group: usize| group < self.groups.len();
        for node in self
            .nodes
            .iter()
            .filter(|node| !node.group.is_some_and(known))
        {
            out.push_str(&format!("  {}", statement(node)));
        }
        for edge in &self.edges {
            if let (Some(from), Some(to)) = (self.nodes.get(edge.from), self.nodes.get(edge.to)) {
                let (from, to) = (quoted(&from.key), quoted(&to.key));
                out.push_str(&format!("  {from} -> {to} [{}];\n", attributes(edge)));
            }
        }
        let key = self.key_lines();
        if !key.is_empty() {
            let key = quoted(&key);
            out.push_str("  subgraph cluster_legend {\n");
            out.push_str("    graph [label=\"Legend\", style=dashed, color=gray60];\n");
            out.push_str(&format!(
                "    \"the legend\" [label={key}, shape=plaintext];\n  }}\n"
            ));
        }
        out.push_str("}\n");
        out
    }
}

fn statement(node: &Node) -> String {
    let shape = match node.shape {
        Shape::Step | Shape::Restart => "box, style=\"filled,rounded\"",
        Shape::Event => "oval",
        Shape::Trigger => "hexagon",
        Shape::Place => "cylinder",
        Shape::Clause => "note",
    };
    let cycle = match node.cycle {
        Cycle::None => "",
        Cycle::Possible => ", color=\"#b26a00\", penwidth=2",
        Cycle::Cleared => ", color=gray45, peripheries=2",
        Cycle::Confirmed => ", color=\"#c62828\", penwidth=3",
    };
    let label = quoted(&node.words());
    format!(
        "{} [label={label}, shape={shape}{cycle}];\n",
        quoted(&node.key)
    )
}

fn attributes(edge: &Edge) -> String {
    let style = match edge.link {
        Link::Feeds | Link::Causes | Link::Refers => "style=solid",
        Link::Overwrites => "style=bold, penwidth=2.5",
        Link::Undoes => "style=dashed, color=\"#c62828\"",
        Link::Conflicts => "style=solid, color=\"#c62828\"",
        Link::Commutes => "style=dotted, color=\"#2e7d32\"",
        Link::Enables => "style=dashed",
        Link::Yields => "style=dashed, color=gray45",
    };
    let mut out = style.to_owned();
    if !edge.link.is_directed() {
        out.push_str(", dir=none");
    }
    if !edge.labels.is_empty() {
        out.push_str(&format!(", label={}", quoted(&edge.labels.join("\n"))));
    }
    out.push_str(&format!(", tooltip={}", quoted(edge.link.name())));
    match edge.cycle {
        Cycle::None => {}
        Cycle::Possible => out.push_str(", fontcolor=\"#b26a00\""),
        Cycle::Cleared => out.push_str(", fontcolor=gray45"),
        Cycle::Confirmed => out.push_str(", fontcolor=\"#c62828\", penwidth=3"),
    }
    out
}

/// A string of Graphviz that is shown as the text. Graphviz reads entities such as `&lt;`
/// wherever they stand, hence the escape of `&`.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '&' => out.push_str("&amp;"),
            '\n' => out.push_str("\\n"),
            letter if letter.is_control() => out.push(' '),
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::super::sample;

    #[test]
    fn awkward_labels_are_quoted() {
        insta::assert_snapshot!(sample::awkward().dot(), @r###"
        digraph "Steps &amp; \"more\" <of> a \\ game]" {
          graph [label="Steps &amp; \"more\" <of> a \\ game]", labelloc=t, compound=true, fontname="sans-serif"];
          graph [comment="Größe goes round <perhaps>."];
          node [fontname="sans-serif", fontsize=11, style=filled, fillcolor=white];
          edge [fontname="sans-serif", fontsize=10];
          subgraph cluster_0 {
            graph [label="Group [1] &amp; \"co\"", style=rounded, color=gray60];
            "a.\"first\"" [label="say \"hello\" <to> a &amp; b]", shape=box, style="filled,rounded", color="#c62828", penwidth=3];
            "b\\" [label="back\\slash\\", shape=hexagon];
            "d" [label="Donaudampfschifffahrtsgesellschaftskapitänsmützenhalter", shape=oval];
            "e" [label="alone {1}", shape=note];
          }
          subgraph cluster_1 {
            graph [label="empty", style=rounded, color=gray60];
          }
          "c" [label="Größe\nder Straße", shape=cylinder, color="#b26a00", penwidth=2];
          "a.\"first\"" -> "b\\" [style=solid, label="a|b\nc &amp; \"d\"", tooltip="feeds"];
          "a.\"first\"" -> "d" [style=dotted, color="#2e7d32", dir=none, tooltip="commutes"];
          "b\\" -> "a.\"first\"" [style=dashed, color="#c62828", label="x < y", tooltip="undoes"];
          "c" -> "c" [style=solid, label="1. `first`", tooltip="causes", fontcolor="#b26a00"];
          "c" -> "d" [style=dashed, label="one, two\nthree\nfour\nfive\nsix\nseven", tooltip="enables"];
          subgraph cluster_legend {
            graph [label="Legend", style=dashed, color=gray60];
            "the legend" [label="arrow: what “feeds” means, in a sentence.\ndashed red arrow: what “undoes” means, in a sentence.\ndotted green line: what “commutes” means, in a sentence.\narrow: what “causes” means, in a sentence.\ndashed arrow: what “enables” means, in a sentence.", shape=plaintext];
          }
        }
        "###);
    }

    /// Outside of strings there are but names, numbers and the signs of the language, and
    /// brackets match.
    #[test]
    fn every_string_ends_where_it_should() {
        for diagram in sample::all() {
            let (mut inside, mut escaped, mut open) = (false, false, Vec::new());
            for letter in diagram.dot().chars() {
                match letter {
                    _ if escaped => escaped = false,
                    '\\' if inside => escaped = true,
                    '"' => inside = !inside,
                    _ if inside => assert_ne!(letter, '\n', "a string ends on its line"),
                    '{' => open.push('}'),
                    '[' => open.push(']'),
                    '}' | ']' => assert_eq!(open.pop(), Some(letter)),
                    _ => assert!(
                        letter.is_ascii_alphanumeric() || " \n_=,;->.".contains(letter),
                        "{letter:?} stands outside of a string"
                    ),
                }
            }
            assert!(!inside && open.is_empty());
        }
    }
}
