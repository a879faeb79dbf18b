//! What can influence places when a sequence runs: a walk from them backwards over dependences.
//!
//! A place depends on the operations that write it; an operation on what it reads, on what binds
//! the locals that it reads, on the operation around it, and on what its procedure or trigger
//! depends on; those on the operations that begin them. What can end the run, or keep it from
//! ending, decides whether anything after it happens, so the walk begins there, too. That
//! evaluating is bounded is left out.

use std::collections::BTreeSet;

use petgraph::graphmap::DiGraphMap;
use petgraph::visit::Dfs;

use super::block::{Unit, alone, come_to, heading, types};
use super::expr::Found;
use super::total::{heading_may_fail, may_lack};
use super::{Footprint, Place};
use crate::ir::{Decider, Expr, ExprKind, Fold, OpKind, Order, System};
use endstep_language::typing::program::{BlockId, DomainPolicy, LocalId, SequenceId, StmtId, Type};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Node {
    /// Whatever is asked about.
    Wanted,
    Place(Place),
    Op(StmtId),
    Unit(Unit),
    Local(Unit, LocalId),
}

/// All places that can influence some places when a sequence runs, those included.
pub fn cone(system: &System, sequence: SequenceId, wanted: &BTreeSet<Place>) -> BTreeSet<Place> {
    let mut walk = Walk {
        system,
        graph: DiGraphMap::new(),
        seen: BTreeSet::new(),
        todo: vec![Unit::Procedure(sequence)],
    };
    walk.graph.add_node(Node::Wanted);
    for &place in wanted {
        walk.depends(Node::Wanted, Node::Place(place));
    }
    while let Some(unit) = walk.todo.pop() {
        if walk.seen.insert(unit) {
            walk.unit(unit);
        }
    }
    let mut found = BTreeSet::new();
    let mut dfs = Dfs::new(&walk.graph, Node::Wanted);
    while let Some(node) = dfs.next(&walk.graph) {
        if let Node::Place(place) = node {
            found.insert(place);
        }
    }
    found
}

struct Walk<'s> {
    system: &'s System,
    graph: DiGraphMap<Node, ()>,
    seen: BTreeSet<Unit>,
    todo: Vec<Unit>,
}

impl Walk<'_> {
    fn depends(&mut self, node: Node, on: Node) {
        self.graph.add_edge(node, on, ());
    }

    fn reads(&mut self, node: Node, footprint: &Footprint) {
        for &place in &footprint.reads {
            self.depends(node, Node::Place(place));
        }
    }

    fn unit(&mut self, unit: Unit) {
        let node = Node::Unit(unit);
        match unit {
            Unit::Trigger(id) => self.block(self.system.triggers[id].body, unit, node),
            Unit::Procedure(id) => {
                let procedure = &self.system.procedures[id];
                let mut found = Found::new(self.system, types(self.system, unit));
                heading(&mut found, id);
                self.reads(node, &found.footprint);
                // A restart cancels what is to come, and can do so for ever.
                if procedure.restart.is_some() || heading_may_fail(self.system, id) {
                    self.depends(Node::Wanted, node);
                }
                for &step in &procedure.steps {
                    self.block(self.system.steps[step].body, unit, node);
                }
                if let Some(before) = procedure.restart.as_ref().and_then(|one| one.before) {
                    self.block(before, unit, node);
                }
            }
        }
    }

    fn block(&mut self, block: BlockId, unit: Unit, around: Node) {
        for &id in &self.system.blocks[block].ops {
            let op = &self.system.ops[id].kind;
            let node = Node::Op(id);
            self.depends(node, around);
            let mut found = Found::new(self.system, types(self.system, unit));
            alone(&mut found, op);
            self.reads(node, &found.footprint);
            for &local in &found.locals {
                self.depends(node, Node::Local(unit, local));
            }
            if let Some(local) = binds(op) {
                self.depends(Node::Local(unit, local), node);
            }
            for &place in &found.footprint.writes {
                self.depends(Node::Place(place), node);
            }
            if ends(self.system, op, &found.footprint) {
                self.depends(Node::Wanted, node);
            }
            for begun in come_to(self.system, op) {
                self.depends(Node::Unit(begun), node);
                self.todo.push(begun);
            }
            for inner in op.blocks() {
                self.block(inner, unit, node);
            }
        }
    }
}

/// The local that an operation binds for those after it. What binds one for the operations inside
/// is around them, and parameters come with whatever begins the unit.
pub(super) fn binds(op: &OpKind) -> Option<LocalId> {
    match op {
        OpKind::Let(local, _) | OpKind::ChooseNumber { local, .. } => Some(*local),
        OpKind::Create { local, .. } => *local,
        OpKind::ChooseElement(binder, _) => Some(binder.local),
        _ => None,
    }
}

/// Whether an operation can end a run, or keep it from ending, apart from what stands inside.
pub(super) fn ends(system: &System, op: &OpKind, footprint: &Footprint) -> bool {
    let bounded = |place: &Place| match place {
        Place::Field(field) => system.fields[*field].domain.ty == Type::Int,
        Place::Var(var) => system.vars[*var].domain.ty == Type::Int,
        Place::Zone(zone) => system.zones[*zone].capacity.is_some(),
        Place::Sort(_) | Place::Queue(_) => true,
    };
    match op {
        OpKind::Skip | OpKind::Meet(_) => false,
        // Only these are looked at closely.
        OpKind::Let(_, e) | OpKind::Set(_, e) => {
            let bounded = footprint.writes.iter().any(bounded) && !is_explored(system, op);
            bounded || partial(e) || through_link(op)
        }
        OpKind::If(arms, _) => arms.iter().any(|(guard, _)| partial(guard)),
        OpKind::Each(each) => {
            let finite = matches!(
                each.domain,
                DomainPolicy::Snapshot | DomainPolicy::Rechecked
            );
            !finite
                || !matches!(each.order, Order::Any)
                || each.binder.children().into_iter().any(partial)
        }
        // An option without a condition is always there.
        OpKind::ChooseBlock(arms, Decider::Nobody | Decider::Everyone | Decider::Chance) => {
            arms.iter().all(|arm| arm.guard.is_some())
                || arms
                    .iter()
                    .filter_map(|arm| arm.guard.as_ref())
                    .any(partial)
        }
        _ => true,
    }
}

/// Whether what is written is a number that boards hold there, so that it is within all bounds.
fn is_explored(system: &System, op: &OpKind) -> bool {
    let OpKind::Set(place, e) = op else {
        return false;
    };
    let ExprKind::Const(number) = &e.kind else {
        return false;
    };
    let bounds = match place {
        crate::ir::Place::Var(var, _) => system.vars[*var].domain.bounds,
        crate::ir::Place::Field(_, field, _) => system.fields[*field].domain.bounds,
    };
    let explored = bounds.explore.or(bounds.document);
    explored.is_some_and(|(low, high)| (low..=high).contains(number))
}

/// Whether the place written is found through an expression without a value somewhere.
fn through_link(op: &OpKind) -> bool {
    match op {
        OpKind::Set(crate::ir::Place::Field(e, ..), _) => partial(e),
        _ => false,
    }
}

/// Whether an expression may have no value, or be a number that leaves 64 bits. Functions are not
/// looked into.
fn partial(e: &Expr) -> bool {
    e.any(&|e| {
        let computed = matches!(
            e.kind,
            ExprKind::Call(..)
                | ExprKind::Negate(_)
                | ExprKind::Compute(..)
                | ExprKind::Clamp(..)
                | ExprKind::Half(..)
                | ExprKind::Fold(Fold::Sum, ..)
                | ExprKind::Old(_)
        );
        computed || may_lack(&e.kind)
    })
}
