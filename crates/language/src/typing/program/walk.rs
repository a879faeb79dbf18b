//! How a typed program is traversed.
//!
//! ```
//! use endstep_language::typing::program::{Expr, ExprKind, FieldId, Visit, Walk};
//!
//! /// The fields that an expression reads.
//! struct Fields(Vec<FieldId>);
//!
//! impl<'t> Visit<'t> for Fields {
//!     fn expr(&mut self, e: &'t Expr) {
//!         if let ExprKind::Field(_, field) = e.kind {
//!             self.0.push(field);
//!         }
//!         e.inside(self);
//!     }
//! }
//! ```
//!
//! Blocks are met by their ids: who wants the statements in them looks them up in the program.

use super::{
    Binder, BlockId, Cancel, Decider, DefineId, DomainPolicy, EnumId, EventId, Expr, ExprKind,
    FieldId, GapId, LocalId, Order, Place, QueueId, ReadingId, SequenceId, Solutions, SortId,
    StepId, StmtKind, Target, Type, Unfinished, Value, VarId, ZoneId, ZoneRef,
};
use crate::source::Span;
use crate::syntax::ast::{BinaryOp, Extreme, Quantifier, Rounding, Side};

crate::walkable! {
    nodes {
        stmt, stmt_mut: StmtKind;
        expr, expr_mut: Expr;
        binder, binder_mut: Binder;
        place, place_mut: Place;
        zone, zone_mut: ZoneRef;
        target, target_mut: Target;
        decider, decider_mut: Decider;
        order, order_mut: Order;
        domain, domain_mut: DomainPolicy;
        cancel, cancel_mut: Cancel;
        unfinished, unfinished_mut: Unfinished;
    }
    ids {
        local, local_mut: LocalId;
        block, block_mut: BlockId;
        field, field_mut: FieldId;
        var, var_mut: VarId;
        zone_id, zone_id_mut: ZoneId;
        queue, queue_mut: QueueId;
        event, event_mut: EventId;
        define, define_mut: DefineId;
        sequence, sequence_mut: SequenceId;
        reading, reading_mut: ReadingId;
    }
    leaves {
        BinaryOp; EnumId; Extreme; GapId; Quantifier; Rounding; Side; Solutions; SortId; Span; StepId;
        String; Type; Value; bool; u16; u32;
    }
    condition: expr, expr_mut: Expr;
}

/// The blocks directly inside.
struct Blocks(Vec<BlockId>);

impl Visit<'_> for Blocks {
    fn block(&mut self, id: BlockId) {
        self.0.push(id);
    }
}

impl StmtKind {
    /// The expressions directly inside, in the order in which they stand; those of the blocks below are
    /// in other statements.
    pub fn exprs(&self) -> Vec<&Expr> {
        directly(self)
    }

    /// Whether it changes data in one go, so that the state may raise events when it is done. Not
    /// `simultaneously`, which is one change of all that stands in it, nor `gap … may change`, which changes something only
    /// once a value is chosen.
    pub fn changes_data(&self) -> bool {
        matches!(
            self,
            Self::Set(..)
                | Self::Increase(..)
                | Self::Decrease(..)
                | Self::Transfer { .. }
                | Self::Move(..)
                | Self::MoveAll(..)
                | Self::Create { .. }
                | Self::Remove(_)
                | Self::Distribute { .. }
        )
    }

    /// The blocks directly inside, in the order in which they stand.
    pub fn blocks(&self) -> Vec<BlockId> {
        let mut found = Blocks(Vec::new());
        self.inside(&mut found);
        found.0
    }
}

impl Expr {
    /// The expressions directly inside.
    pub fn children(&self) -> Vec<&Self> {
        directly(self)
    }

    /// A definition or continuous value that is applied, and to what.
    pub fn applied(&self) -> Option<(DefineId, &[Self])> {
        match &self.kind {
            ExprKind::Call(id, args) => Some((*id, args)),
            ExprKind::Continuous(id, of) => {
                let of = of.as_deref();
                Some((*id, of.map_or(&[], std::slice::from_ref)))
            }
            _ => None,
        }
    }

    /// Whether the expression or one inside it meets a condition.
    pub fn any(&self, test: &dyn Fn(&Self) -> bool) -> bool {
        test(self) || self.children().into_iter().any(|child| child.any(test))
    }
}

impl Binder {
    /// The expressions in its range and filter.
    pub fn children(&self) -> Vec<&Expr> {
        directly(self)
    }
}
