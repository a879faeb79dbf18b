//! The locals of an activation.

use crate::smt::Term;
use endstep_kernel::footprint::Unit;
use endstep_language::index::Id;
use endstep_language::typing::program::{LocalId, SequenceId, SortId, Type};

/// The locals of an activation, or of a function.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    /// Their values.
    pub locals: Vec<Option<Term>>,
    /// Whether it was left.
    pub left: Term,
    /// Which sequence is performed.
    pub sequence: Option<SequenceId>,
    /// Where it stands.
    pub unit: Unit,
    /// Of which sort locals are that hold entities.
    pub sorts: Vec<Option<SortId>>,
    /// Whether locals without a value can have any.
    pub open: bool,
}

impl Frame {
    /// The frame of an activation, or of a function in a unit.
    pub fn new(locals: Vec<Option<Term>>, types: &[Type], unit: Unit, left: Term) -> Self {
        let mut sorts: Vec<Option<SortId>> = types.iter().map(|&ty| sort(ty)).collect();
        sorts.resize(locals.len().max(sorts.len()), None);
        Self {
            locals,
            left,
            sequence: None,
            unit,
            sorts,
            open: false,
        }
    }

    /// Gives a local a value, and says of which type it is.
    pub fn bind(&mut self, local: LocalId, ty: Option<Type>, value: Option<Term>) -> Option<Term> {
        let at = local.index();
        if self.locals.len() <= at {
            self.locals.resize(at + 1, None);
        }
        if self.sorts.len() <= at {
            self.sorts.resize(at + 1, None);
        }
        if let Some(ty) = ty {
            self.sorts[at] = sort(ty);
        }
        std::mem::replace(&mut self.locals[at], value)
    }

    /// The sort of a local, if it holds an entity.
    pub fn sort_of(&self, local: LocalId) -> Option<SortId> {
        self.sorts.get(local.index()).copied().flatten()
    }
}

/// The sort of a type of entities.
pub(super) fn sort(ty: Type) -> Option<SortId> {
    match ty {
        Type::Entity(sort) | Type::Optional(sort) => Some(sort),
        Type::Int | Type::Bool | Type::Enum(_) => None,
    }
}
