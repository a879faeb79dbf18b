//! Integers that only count: something is added to them, and no run asks what they are.
//!
//! ```text
//! increase score by 1                       nothing that runs do reads the score: a tally
//! if score >= 20 …                          … and now it is none
//! ```
//!
//! A run does the same whatever its tallies are, so long as the document does not bound them. Who looks for loops can leave
//! them as they are at the start.

use super::{
    Contract, Expr, ExprKind, FieldId, ListPolicy, Place, PlaceKind, Program, Restart, StmtKind,
    VarId, VarKind, Visit, Walk, When,
};
use crate::syntax::ast::BinaryOp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Variables, and fields of all entities of their sorts.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Tallies {
    /// The variables.
    pub vars: BTreeSet<VarId>,
    /// The fields.
    pub fields: BTreeSet<FieldId>,
}

impl Tallies {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.vars.is_empty() && self.fields.is_empty()
    }
}

/// The variables and fields of which something speaks.
#[derive(Default)]
struct Named(Tallies);

impl Visit<'_> for Named {
    fn var(&mut self, id: VarId) {
        self.0.vars.insert(id);
    }

    fn field(&mut self, id: FieldId) {
        self.0.fields.insert(id);
    }
}

impl Program {
    /// The integers that no run reads: without bounds of the document, and named only where something is added to them or
    /// taken away. None, if some run compares all data (`until stable`).
    pub fn tallies(&self) -> Tallies {
        let stmts = self.stmts.values().iter();
        let compares = |kind: &StmtKind| matches!(kind, StmtKind::Repeat(When::Stable, _));
        if stmts.clone().any(|stmt| compares(&stmt.kind)) {
            return Tallies::default();
        }
        let read = self.read_by_runs();
        let counts = |bounds: super::Bounds| bounds.explore.is_some() && bounds.document.is_none();
        let vars = self.vars.iter().filter(|(id, var)| {
            counts(var.bounds) && var.kind == VarKind::Var && !read.vars.contains(id)
        });
        let fields = self.fields.iter();
        let fields = fields.filter(|(id, one)| counts(one.bounds) && !read.fields.contains(id));
        Tallies {
            vars: vars.map(|(id, _)| id).collect(),
            fields: fields.map(|(id, _)| id).collect(),
        }
    }

    /// What runs read, or change otherwise than by adding to it.
    fn read_by_runs(&self) -> Tallies {
        let mut read = Named::default();
        let together = self.simultaneous();
        for (id, stmt) in self.stmts.iter() {
            let added = (!together.contains(&id)).then(|| added(&stmt.kind));
            match added.flatten() {
                Some((place, by)) => {
                    if let PlaceKind::Field(of, _) = &place.kind {
                        of.meet(&mut read);
                    }
                    by.meet(&mut read);
                }
                None => stmt.kind.meet(&mut read),
            }
        }
        for define in self.defines.values() {
            define.body.meet(&mut read);
        }
        for event in self.events.values() {
            event.listeners.iter().for_each(|one| one.meet(&mut read));
            if let Some(whenever) = &event.whenever {
                whenever.condition.meet(&mut read);
                whenever.with.iter().for_each(|one| one.meet(&mut read));
            }
        }
        for trigger in self.triggers.values() {
            trigger.listener.iter().for_each(|one| one.meet(&mut read));
            trigger.condition.iter().for_each(|one| one.meet(&mut read));
        }
        for step in self.steps.values() {
            step.ensures.iter().for_each(|one| one.meet(&mut read));
        }
        for sequence in self.sequences.values() {
            if let ListPolicy::Chosen(by) = &sequence.policy {
                by.meet(&mut read);
            }
            if let Some(over) = &sequence.over {
                over.binder.meet(&mut read);
                over.order.meet(&mut read);
            }
            if let Some(Restart {
                when,
                cancel,
                unfinished,
                ..
            }) = &sequence.restart
            {
                when.meet(&mut read);
                cancel.meet(&mut read);
                unfinished.meet(&mut read);
            }
            if let Some(Contract { changes, ensures }) = &sequence.contract {
                ensures.iter().for_each(|one| one.meet(&mut read));
                for (low, high) in changes.iter().filter_map(|one| one.within.as_ref()) {
                    low.meet(&mut read);
                    high.meet(&mut read);
                }
            }
        }
        read.0
    }
}

/// The place to which a statement adds something or from which it takes something away, and what.
fn added(kind: &StmtKind) -> Option<(&Place, &Expr)> {
    match kind {
        StmtKind::Increase(place, by, None) | StmtKind::Decrease(place, by, None) => {
            Some((place, by))
        }
        StmtKind::Set(place, value) => {
            let ExprKind::Binary(op, left, right) = &value.kind else {
                return None;
            };
            match op {
                BinaryOp::Add if reads(left, place) => Some((place, right)),
                BinaryOp::Add if reads(right, place) => Some((place, left)),
                BinaryOp::Subtract if reads(left, place) => Some((place, right)),
                // What else is computed is no sum with what was there.
                _ => None,
            }
        }
        // Whatever else changes a place counts as reading it.
        _ => None,
    }
}

/// Whether an expression is what a place holds.
fn reads(e: &Expr, place: &Place) -> bool {
    let kind = match &e.kind {
        ExprKind::Var(var) => PlaceKind::Var(*var),
        ExprKind::Field(of, field) => PlaceKind::Field(of.clone(), *field),
        // No other expression is what one place holds.
        _ => return false,
    };
    kind.is_same(&place.kind)
}
