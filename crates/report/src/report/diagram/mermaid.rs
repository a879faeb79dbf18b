//! Turns a diagram into a flowchart of Mermaid, which many sites draw within Markdown.
//!
//! *Guarantees.* Nodes are named by number and every label is quoted with its signs as
//! entities, so that no text is read as syntax.

use super::{Cycle, Diagram, Edge, Link, Node, Shape};

impl Diagram {
    /// The diagram as a flowchart, to be put between fences called `mermaid`.
    pub fn mermaid(&self) -> String {
        let mut out = String::from("flowchart TD\n");
        out.push_str(&format!("  accTitle: {}\n", plain(&self.title)));
        for note in &self.notes {
            out.push_str(&format!("  %% {}\n", plain(note)));
        }
        for (group, one) in self.groups.iter().enumerate() {
            let inside = self.nodes.iter().enumerate();
            let inside: Vec<_> = inside
                .filter(|(_, node)| node.group == Some(group))
                .collect();
            if inside.is_empty() {
                continue;
            }
            out.push_str(&format!(
                "  subgraph g{group}[{}]\n",
                quoted(&one.heading())
            ));
            for (at, node) in inside {
                out.push_str(&format!("    {}\n", box_of(at, node)));
            }
            out.push_str("  end\n");
        }
        let known = |group: usize| group < self.groups.len();
        for (at, node) in self.nodes.iter().enumerate() {
            if !node.group.is_some_and(known) {
                out.push_str(&format!("  {}\n", box_of(at, node)));
            }
        }
        let valid = |edge: &&Edge| edge.from < self.nodes.len() && edge.to < self.nodes.len();
        let edges: Vec<&Edge> = self.edges.iter().filter(valid).collect();
        for edge in &edges {
            out.push_str(&format!("  n{} {} n{}\n", edge.from, arrow(edge), edge.to));
        }
        for (at, edge) in edges.iter().enumerate() {
            if let Some(style) = line_style(edge) {
                out.push_str(&format!("  linkStyle {at} {style}\n"));
            }
        }
        self.classes(&mut out);
        let key = self.key_lines();
        if !key.is_empty() {
            let key = quoted(&key);
            out.push_str(&format!(
                "  subgraph legend[\"Legend\"]\n    lines[{key}]\n  end\n"
            ));
        }
        out
    }

    fn classes(&self, out: &mut String) {
        let classes = [
            (Cycle::Possible, "stroke:#b26a00,stroke-width:2px"),
            (
                Cycle::Cleared,
                "stroke:#757575,stroke-width:2px,stroke-dasharray:6 2",
            ),
            (Cycle::Confirmed, "stroke:#c62828,stroke-width:4px"),
        ];
        for (cycle, style) in classes {
            let nodes = self.nodes.iter().enumerate();
            let nodes: Vec<String> = nodes
                .filter(|(_, node)| node.cycle == cycle)
                .map(|(at, _)| format!("n{at}"))
                .collect();
            if !nodes.is_empty() {
                let name = cycle.name();
                out.push_str(&format!("  classDef {name} {style}\n"));
                out.push_str(&format!("  class {} {name}\n", nodes.join(",")));
            }
        }
    }
}

fn box_of(at: usize, node: &Node) -> String {
    let label = quoted(&node.words());
    match node.shape {
        Shape::Step | Shape::Restart => format!("n{at}({label})"),
        Shape::Event => format!("n{at}([{label}])"),
        Shape::Trigger => format!("n{at}{{{{{label}}}}}"),
        Shape::Place => format!("n{at}[({label})]"),
        Shape::Clause => format!("n{at}[{label}]"),
    }
}

fn arrow(edge: &Edge) -> String {
    let line = match edge.link {
        Link::Feeds | Link::Causes | Link::Refers => "-->",
        Link::Overwrites => "===",
        Link::Conflicts => "---",
        Link::Commutes => "-.-",
        Link::Undoes | Link::Enables | Link::Yields => "-.->",
    };
    if edge.labels.is_empty() {
        return line.to_owned();
    }
    format!("{line}|{}|", quoted(&edge.labels.join("\n")))
}

fn line_style(edge: &Edge) -> Option<String> {
    let colour = match edge.link {
        Link::Undoes | Link::Conflicts => Some("#c62828"),
        Link::Commutes => Some("#2e7d32"),
        _ => None,
    };
    let (colour, width) = match edge.cycle {
        Cycle::None | Cycle::Cleared => (colour, None),
        Cycle::Possible => (colour.or(Some("#b26a00")), None),
        Cycle::Confirmed => (Some("#c62828"), Some("4px")),
    };
    let colour = colour.map(|colour| format!("stroke:{colour}"));
    let width = width.map(|width| format!("stroke-width:{width}"));
    let parts: Vec<String> = colour.into_iter().chain(width).collect();
    (!parts.is_empty()).then(|| parts.join(","))
}

/// A string of Mermaid that is shown as the text. Labels are read as Markdown, so signs that
/// make a list before a space are entities as well.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let before_space = letters.peek().is_none_or(|next| next.is_whitespace());
        let listing = ".)-+".contains(letter) && before_space;
        match letter {
            '\n' => out.push_str("<br/>"),
            '"' => out.push_str("#quot;"),
            '&' => out.push_str("#amp;"),
            '<' => out.push_str("#lt;"),
            '>' => out.push_str("#gt;"),
            ' ' | ',' | ':' | '\'' | '/' | '=' | '?' => out.push(letter),
            '.' | ')' | '(' | '-' | '+' if !listing => out.push(letter),
            letter if letter.is_alphanumeric() => out.push(letter),
            letter if letter.is_control() => out.push(' '),
            letter => out.push_str(&format!("#{};", u32::from(letter))),
        }
    }
    out.push('"');
    out
}

/// The text without signs that mean something outside of quotes.
fn plain(text: &str) -> String {
    let kept = |letter: char| letter.is_alphanumeric() || " .,:'()-".contains(letter);
    text.chars()
        .map(|letter| if kept(letter) { letter } else { ' ' })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::sample;

    #[test]
    fn awkward_labels_are_quoted() {
        insta::assert_snapshot!(sample::awkward().mermaid(), @r###"
        flowchart TD
          accTitle: Steps    more   of  a   game 
          %% Größe goes round  perhaps .
          subgraph g0["Group #91;1#93; #amp; #quot;co#quot;"]
            n0("say #quot;hello#quot; #lt;to#gt; a #amp; b#93;")
            n1{{"back#92;slash#92;"}}
            n3(["Donaudampfschifffahrtsgesellschaftskapitänsmützenhalter"])
            n4["alone #123;1#125;"]
          end
          n2[("Größe<br/>der Straße")]
          n0 -->|"a#124;b<br/>c #amp; #quot;d#quot;"| n1
          n0 -.- n3
          n1 -.->|"x #lt; y"| n0
          n2 -->|"1#46; #96;first#96;"| n2
          n2 -.->|"one, two<br/>three<br/>four<br/>five<br/>six<br/>seven"| n3
          linkStyle 1 stroke:#2e7d32
          linkStyle 2 stroke:#c62828
          linkStyle 3 stroke:#b26a00
          classDef possible stroke:#b26a00,stroke-width:2px
          class n2 possible
          classDef confirmed stroke:#c62828,stroke-width:4px
          class n0 confirmed
          subgraph legend["Legend"]
            lines["arrow: what #8220;feeds#8221; means, in a sentence#46;<br/>dashed red arrow: what #8220;undoes#8221; means, in a sentence#46;<br/>dotted green line: what #8220;commutes#8221; means, in a sentence#46;<br/>arrow: what #8220;causes#8221; means, in a sentence#46;<br/>dashed arrow: what #8220;enables#8221; means, in a sentence#46;"]
          end
        "###);
    }

    /// What stands within quotes has no sign that ends a label or begins a comment.
    #[test]
    fn labels_contain_no_syntax() {
        for diagram in sample::all() {
            for line in diagram.mermaid().lines() {
                let parts: Vec<&str> = line.split('"').collect();
                assert_eq!(parts.len() % 2, 1, "quotes match in {line}");
                for label in parts.iter().skip(1).step_by(2) {
                    let label = label.replace("<br/>", "");
                    assert!(
                        !label.contains(['[', ']', '{', '}', '|', '<', '`', '%']),
                        "{line}"
                    );
                }
            }
        }
    }
}
