//! Definitions, each after those it uses, and conditions of legality.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::activation::Activation;
use super::checker::{Checker, Global};
use super::program::{self, DefineId, Legal, Type};
use super::want::Want;
use crate::diag::{Diagnostic, codes};
use crate::index::Id;
use crate::resolve::Entry;
use crate::syntax::ast::{Define, Expr, ExprKind, ItemKind};

/// A definition is at most so many expressions deep, with those that it uses.
// INVARIANT: whatever recurses over expressions has room for so many on its stack.
const MOST_DEPTH: usize = 512;

impl Checker<'_> {
    /// The bodies of all definitions.
    pub(super) fn defines(&mut self) {
        let outline = self.outline;
        let defines: Vec<(&Define, &Entry<'_>)> = outline
            .items
            .iter()
            .filter_map(|entry| match entry.kind {
                ItemKind::Define(define) => Some((define, entry)),
                _ => None,
            })
            .collect();
        let mut graph = DiGraph::<usize, ()>::new();
        let nodes: Vec<NodeIndex> = (0..defines.len())
            .map(|number| graph.add_node(number))
            .collect();
        for (number, (define, _)) in defines.iter().enumerate() {
            for used in self.used_defines(&define.body) {
                // Their types are known, and they may use themselves.
                if defines
                    .get(used.index())
                    .is_some_and(|(one, _)| one.continuous.is_some())
                {
                    continue;
                }
                if let (Some(&from), Some(&to)) = (nodes.get(number), nodes.get(used.index())) {
                    graph.update_edge(from, to, ());
                }
            }
        }
        let all = self.program.defines.values().iter();
        // Those without a body yet come to little, and those of tables are as deep as they will be.
        let mut depths: Vec<usize> = all.map(|one| depth_of(&one.body, &[])).collect();
        // Components come after those they point to.
        for component in kosaraju_scc(&graph) {
            let mut members: Vec<usize> = component
                .iter()
                .filter_map(|node| graph.node_weight(*node).copied())
                .collect();
            members.sort_unstable();
            let circular = component.len() > 1
                || component
                    .iter()
                    .any(|node| graph.contains_edge(*node, *node));
            let members: Vec<_> = members
                .iter()
                .filter_map(|number| Some((*number, *defines.get(*number)?)))
                .collect();
            if circular {
                self.defined_by_itself(&members);
                continue;
            }
            for (number, (define, entry)) in members {
                let id = DefineId::from_index(number);
                self.define(id, define, entry);
                depths[number] = self.depth(id, define, &depths);
            }
        }
    }

    fn define(&mut self, id: DefineId, define: &Define, entry: &Entry<'_>) {
        self.frame = Activation {
            clause: Self::clause_idx(entry.clause),
            ..Activation::default()
        };
        let signature = self.define_params[id].clone();
        self.bind_params(&define.params, &signature);
        let body = match (&define.continuous, self.define_types[id]) {
            (None, _) => self.expr(&define.body, Want::Any),
            (Some(_), Some(ty)) => self.expect(&define.body, ty),
            (Some(_), None) => self.expr(&define.body, Want::Unknown),
        };
        if let Some(body) = self.needed(body) {
            self.define_types[id] = Some(body.ty);
            let built = &mut self.program.defines[id];
            built.locals = self.frame.types();
            built.body = body;
        }
    }

    /// How deep a definition is, if that is not too much.
    fn depth(&mut self, id: DefineId, define: &Define, depths: &[usize]) -> usize {
        let depth = depth_of(&self.program.defines[id].body, depths);
        if depth <= MOST_DEPTH {
            return depth;
        }
        let message = format!(
            "the definition `{}` is {depth} expressions deep with those that it uses, \
             expected at most {MOST_DEPTH}",
            define.name.text
        );
        let error = Diagnostic::error(codes::forms::DEEP_USE, message);
        self.report(error.at(define.name.loc, "too deep"));
        // The next one is too deep only if it adds as much again.
        0
    }

    fn defined_by_itself(&mut self, members: &[(usize, (&Define, &Entry<'_>))]) {
        self.failed = true;
        let mut members = members.iter().map(|(_, (define, _))| &define.name);
        let Some(first) = members.next() else {
            return;
        };
        let message = format!(
            "the definition `{}` uses itself, expected one that does not",
            first.text
        );
        let mut error =
            Diagnostic::error(codes::forms::CYCLE, message).at(first.loc, "defined here");
        for other in members {
            error = error.also(other.loc, "by way of this one");
        }
        self.report(error);
    }

    /// The definitions that an expression names.
    fn used_defines(&self, body: &Expr) -> Vec<DefineId> {
        let mut used = Vec::new();
        let mut left = vec![body];
        while let Some(expr) = left.pop() {
            if let ExprKind::Name(name) | ExprKind::Call(name, _) = &expr.kind
                && let Some(Global::Define(define)) = self.names.globals.get(&name.text)
            {
                used.push(define);
            }
            left.extend(expr.children());
        }
        used
    }

    /// The conditions of legality.
    pub(super) fn legals(&mut self) {
        let outline = self.outline;
        for entry in &outline.items {
            let ItemKind::Legal(legal) = entry.kind else {
                continue;
            };
            self.frame = Activation::default();
            let condition = self.expect(&legal.condition, Type::Bool);
            if let Some(condition) = self.needed(condition) {
                let conditions = match legal.explored {
                    true => &mut self.program.explored,
                    false => &mut self.program.legals,
                };
                conditions.push(Legal {
                    name: legal.name.text.clone(),
                    condition,
                    clause: Self::clause_idx(entry.clause),
                    span: entry.loc.span(),
                });
            }
        }
    }
}

/// How many expressions stand in each other, where each definition is as deep as it says.
fn depth_of(expr: &program::Expr, depths: &[usize]) -> usize {
    let inside = expr.children().into_iter();
    let inside = inside.map(|child| depth_of(child, depths)).max();
    let used = match &expr.kind {
        program::ExprKind::Call(define, _) => depths.get(define.index()).copied(),
        _ => None,
    };
    1 + inside.max(used).unwrap_or(0)
}
