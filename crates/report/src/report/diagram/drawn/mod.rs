//! From all that is known to what a picture shows of it.
//!
//! | of | |
//! |---|---|
//! | steps | what a step performs is named in its box, with the number of the group where it stands; a sequence of one step is told there only ([fold]) |
//! | lists in any order | of all pairs the most frequent kind is told once, above the list ([pairs]) |
//! | places | what nothing changes is named below; places that are fed by the same and feed the same share a box; an arrow is left out where others lead to the same place ([thin]) |
//! | restarts, clauses | what they read and write of others is left out if it is much ([sparse]) |
//! | clauses | many are called by their ids alone |
//! | all | arrows between the same two in the same direction are one; of many that undo one step, and of many from a step that decides on earlier ones, one is drawn, which names the others; causes that end alike are put together ([merge]) |
//!
//! ```text
//! destroy ──performs──► remove ──performs──► burn        destroy
//!                                                        ▸ remove the dead: remove
//!                                                          ▸ burn
//! ```
//!
//! *Guarantees.* Every node is drawn, or named in a box or a note. What leads to what, directly or
//! along a way, is the same between places as before. What is left out is said in a note.

mod fold;
mod merge;
mod pairs;
mod sparse;
mod thin;

pub(super) use fold::{INDENT, MARK};

use super::names::UNKNOWN;
use super::{Diagram, Link, Shape};
use crate::report::part::left_out;

/// So many boxes are too many to be seen at once.
pub(super) const MANY: usize = 40;

impl Diagram {
    /// What pictures show: the same with less of what can be told in words.
    pub fn drawn(&self) -> Self {
        let mut out = self.clone();
        sparse::restarts(&mut out);
        fold::fold(&mut out);
        pairs::tell(&mut out);
        thin::thin(&mut out);
        sparse::clauses(&mut out);
        out.announce();
        out.one_group();
        out.number();
        out.shorten_clauses();
        merge::bundle(&mut out);
        merge::merge(&mut out);
        if out.nodes.len() > MANY {
            out.notes.push(format!(
                "These are {} boxes. --sequence NAME shows one sequence and what it performs.",
                out.nodes.len()
            ));
        }
        out.notes
            .splice(..0, left_out(&out.restrictions, out.only_claims));
        let occurs = |link: Link| out.edges.iter().any(|edge| edge.link == link);
        out.legend.retain(|(link, _)| occurs(*link));
        out
    }

    /// Of events, triggers and steps the shapes say what an arrow means; steps stand for themselves.
    fn announce(&mut self) {
        let shape = |at: usize| self.nodes.get(at).map(|node| node.shape);
        if !self.nodes.iter().any(|node| node.shape == Shape::Event) {
            return;
        }
        for edge in &mut self.edges {
            let ends = (shape(edge.from), shape(edge.to));
            let said = match ends {
                (Some(Shape::Event), Some(Shape::Trigger)) => "wakes",
                (Some(Shape::Step | Shape::Restart | Shape::Trigger), Some(Shape::Event)) => {
                    "announces"
                }
                _ => continue,
            };
            if edge.link == Link::Causes {
                edge.labels.retain(|label| label != said);
            }
        }
        let restarts = self.nodes.iter().any(|node| node.shape == Shape::Restart);
        for (link, meaning) in &mut self.legend {
            if *link == Link::Causes {
                let announcing = match restarts {
                    true => "a step, a restart or a trigger announces an event",
                    false => "a step or a trigger announces an event",
                };
                *meaning = format!("{announcing}; an event wakes a trigger");
            }
        }
        for node in &mut self.nodes {
            let group = node.group.and_then(|group| self.groups.get(group));
            if let (Shape::Step | Shape::Restart, Some(group)) = (node.shape, group) {
                node.more.insert(0, format!("of {}", group.name));
                node.group = None;
            }
        }
        self.drop_empty_groups();
    }

    /// Where a clause stands takes more room than many boxes have.
    fn shorten_clauses(&mut self) {
        let many = self.nodes.len() > MANY;
        if !many || self.nodes.iter().any(|node| node.shape != Shape::Clause) {
            return;
        }
        for node in &mut self.nodes {
            if let Some((id, _)) = node.label.split_once(": ") {
                node.label = id.to_owned();
            }
        }
        let note = "Clauses are called by their ids; --format text says where they stand.";
        self.notes.push(note.to_owned());
    }

    /// A group around everything says no more than a title.
    fn one_group(&mut self) {
        let steps = self.nodes.iter().any(|node| node.shape == Shape::Step);
        let [group] = self.groups.as_slice() else {
            return;
        };
        let all = self.nodes.iter().all(|node| node.group == Some(0));
        if steps || !all || self.nodes.is_empty() || !group.remark.is_empty() {
            return;
        }
        self.title = format!("{}: {}", self.title, group.name);
        self.groups.clear();
        for node in &mut self.nodes {
            node.group = None;
        }
    }

    /// Numbers steps whose order is fixed.
    fn number(&mut self) {
        for group in 0..self.groups.len() {
            let inside = |at: usize| self.nodes.get(at).is_some_and(|n| n.group == Some(group));
            let mut edges = self.edges.iter();
            let open = edges.any(|edge| {
                let pair = matches!(edge.link, Link::Commutes | Link::Conflicts);
                pair && inside(edge.from) && inside(edge.to)
            });
            if open || !self.groups[group].remark.is_empty() {
                continue;
            }
            let nodes = self.nodes.iter_mut();
            let steps = nodes.filter(|n| n.group == Some(group) && n.shape == Shape::Step);
            let steps: Vec<&mut super::Node> = steps.collect();
            if steps.len() > 1 {
                for (at, node) in steps.into_iter().enumerate() {
                    node.label = format!("{}. {}", at + 1, node.label);
                }
            }
        }
    }

    /// Keeps some nodes, with the edges between them.
    fn keep(&mut self, kept: &[bool]) {
        let mut place = vec![None; self.nodes.len()];
        let left = kept.iter().enumerate().filter(|(_, kept)| **kept);
        for (next, (at, _)) in left.enumerate() {
            place[at] = Some(next);
        }
        let to = |at: usize| place.get(at).copied().flatten();
        let mut at = 0;
        self.nodes.retain(|_| {
            at += 1;
            kept[at - 1]
        });
        self.edges = self
            .edges
            .drain(..)
            .filter_map(|mut edge| {
                (edge.from, edge.to) = (to(edge.from)?, to(edge.to)?);
                Some(edge)
            })
            .collect();
        self.drop_empty_groups();
    }

    /// Groups in which nothing stands say nothing.
    fn drop_empty_groups(&mut self) {
        let mut place = vec![None; self.groups.len()];
        let mut kept = Vec::new();
        for (at, group) in self.groups.drain(..).enumerate() {
            if self.nodes.iter().any(|node| node.group == Some(at)) {
                place[at] = Some(kept.len());
                kept.push(group);
            }
        }
        self.groups = kept;
        for node in &mut self.nodes {
            node.group = node.group.and_then(|at| place.get(at).copied().flatten());
        }
    }
}

#[cfg(test)]
mod tests;
