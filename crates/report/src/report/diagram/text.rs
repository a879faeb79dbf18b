//! Turns a diagram into text for a terminal: a paragraph for each box and what leaves it.
//!
//! ```text
//! Steps of Cleanup
//!
//! Cleanup
//!   destroy
//!     feeds report: health of Card
//!     can change places with infect
//! ```

use super::names::NOTHING;
use super::{Cycle, Diagram, Edge, Group};
use crate::report::layout::{hang, list, wrap};
use crate::report::part::left_out;
use crate::report::words::beside_others;

impl Diagram {
    /// The diagram as text in lines of a width, where words allow it.
    pub fn text(&self, width: usize) -> String {
        let mut out = wrap(&self.title, width, 0);
        if let Some(sentence) = left_out(&self.restrictions, self.only_claims) {
            out.push_str(&wrap(&sentence, width, 0));
        }
        let loose = self.nodes.iter().enumerate();
        let loose: Vec<usize> = loose
            .filter(|(_, node)| node.group.is_none_or(|group| group >= self.groups.len()))
            .map(|(at, _)| at)
            .collect();
        if !loose.is_empty() {
            out.push('\n');
            self.paragraphs(&mut out, &loose, width, 0);
        }
        for (group, Group { name, .. }) in self.groups.iter().enumerate() {
            let inside = self.nodes.iter().enumerate();
            let inside: Vec<usize> = inside
                .filter(|(_, node)| node.group == Some(group))
                .map(|(at, _)| at)
                .collect();
            if !inside.is_empty() {
                out.push('\n');
                out.push_str(&hang(name, width, 0, 2));
                self.paragraphs(&mut out, &inside, width, 2);
            }
        }
        if self.nodes.is_empty() {
            out.push('\n');
            out.push_str(&wrap(NOTHING, width, 0));
        }
        self.remarks(&mut out, width);
        out
    }

    /// Nodes with what leaves them, then those with which nothing is connected.
    fn paragraphs(&self, out: &mut String, nodes: &[usize], width: usize, indent: usize) {
        let mut alone = Vec::new();
        for &at in nodes {
            let touched = self
                .edges
                .iter()
                .any(|edge| edge.from == at || edge.to == at);
            if !touched && self.nodes[at].cycle == Cycle::None {
                alone.push(beside_others(&self.called(at)));
                continue;
            }
            let mut heading = self.called(at);
            if let Some(words) = self.nodes[at].cycle.words() {
                heading.push_str(&format!(" – {words}"));
            }
            out.push_str(&hang(&heading, width, indent, indent + 6));
            for edge in self.edges.iter().filter(|edge| edge.from == at) {
                if edge.to < self.nodes.len() {
                    let sentence = self.sentence(edge);
                    out.push_str(&hang(&sentence, width, indent + 2, indent + 6));
                }
            }
        }
        if !alone.is_empty() {
            let where_it_is = match nodes.iter().any(|&at| self.is_part(at)) {
                true => " in this list",
                false => "",
            };
            let sentence = format!(
                "connected with nothing{where_it_is}: {}",
                list(&alone, "and")
            );
            out.push_str(&hang(&sentence, width, indent, indent + 6));
        }
    }

    /// `feeds report: health of Card (goes round)`.
    fn sentence(&self, edge: &Edge) -> String {
        let other = if edge.from == edge.to {
            "itself".to_owned()
        } else {
            self.called(edge.to)
        };
        let mut out = format!("{} {other}", edge.link.verb());
        if !edge.labels.is_empty() {
            // A label that has commas itself would run into the next.
            let commas = edge.labels.iter().any(|label| label.contains(','));
            let labels = edge.labels.join(if commas { "; " } else { ", " });
            out.push_str(&format!(": {labels}"));
        }
        if let Some(words) = edge.cycle.words() {
            out.push_str(&format!(" ({words})"));
        }
        out
    }

    /// Whether a node is part of what something else does, which tells what it has to do with other groups.
    pub(in crate::report) fn is_part(&self, at: usize) -> bool {
        let group = self.nodes.get(at).and_then(|node| node.group);
        let group = group.and_then(|group| self.groups.get(group));
        group.is_some_and(|group| group.is_part)
    }

    /// What people call a node, with its key where another is called the same.
    fn called(&self, at: usize) -> String {
        let node = &self.nodes[at];
        let same = self.nodes.iter().filter(|other| other.label == node.label);
        if same.count() > 1 {
            format!("{} ({})", node.label, node.key)
        } else {
            node.label.clone()
        }
    }

    fn remarks(&self, out: &mut String, width: usize) {
        if !self.notes.is_empty() {
            out.push_str("\nNotes\n");
        }
        for note in &self.notes {
            out.push_str(&hang(&format!("- {note}"), width, 2, 4));
        }
        if !self.legend.is_empty() {
            out.push_str("\nLegend\n");
        }
        for (link, sentence) in &self.legend {
            out.push_str(&hang(&format!("{}: {sentence}", link.verb()), width, 2, 6));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample;

    #[test]
    fn a_diagram_is_told_in_words() {
        insta::assert_snapshot!(sample::awkward().text(60), @r###"
        Steps & "more" <of> a \ game]

        Größe der Straße – could go round without end
          can bring about itself: 1. `first` (could go round without
              end)
          decides on
              Donaudampfschifffahrtsgesellschaftskapitänsmützenhalter:
              one, two; three; four; five; six; seven

        Group [1] & "co"
          say "hello" <to> a & b] – goes round without end
            feeds back\slash\: a|b, c & "d"
            can change places with
                Donaudampfschifffahrtsgesellschaftskapitänsmützenhalter
          back\slash\
            can undo say "hello" <to> a & b]: x < y
          Donaudampfschifffahrtsgesellschaftskapitänsmützenhalter
          connected with nothing: alone {1}

        Notes
          - Größe goes round <perhaps>.

        Legend
          feeds: what “feeds” means, in a sentence.
          can undo: what “undoes” means, in a sentence.
          can change places with: what “commutes” means, in a
              sentence.
          can bring about: what “causes” means, in a sentence.
          decides on: what “enables” means, in a sentence.
        "###);
    }

    #[test]
    fn lines_fit_the_width() {
        let text = sample::chain().text(40);
        assert!(
            text.lines().all(|line| line.chars().count() <= 40),
            "{text}"
        );
    }
}
