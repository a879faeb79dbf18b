//! How a system is traversed. Blocks are met by their ids.

use super::{
    Binder, Compute, Decider, Expr, Fold, OpKind, Order, Place, Relation, Target, ZoneRef,
};
use endstep_language::source::Span;
use endstep_language::syntax::ast::{Rounding, Side};
use endstep_language::typing::program::{
    BlockId, DefineId, DomainPolicy, EnumId, EventId, FieldId, GapId, LocalId, QueueId, ReadingId,
    SequenceId, Solutions, SortId, StepId, Type, VarId, ZoneId,
};

endstep_language::walkable! {
    nodes {
        op, op_mut: OpKind;
        expr, expr_mut: Expr;
        binder, binder_mut: Binder;
        place, place_mut: Place;
        zone, zone_mut: ZoneRef;
        target, target_mut: Target;
        decider, decider_mut: Decider;
        order, order_mut: Order;
    }
    ids {
        local, local_mut: LocalId;
        block, block_mut: BlockId;
        field, field_mut: FieldId;
        var, var_mut: VarId;
        zone_id, zone_id_mut: ZoneId;
        queue, queue_mut: QueueId;
        event, event_mut: EventId;
        function, function_mut: DefineId;
        procedure, procedure_mut: SequenceId;
        reading, reading_mut: ReadingId;
        sort, sort_mut: SortId;
        enumeration, enumeration_mut: EnumId;
        gap, gap_mut: GapId;
    }
    leaves {
        Compute; DomainPolicy; Fold; Relation; Rounding; Side; Solutions; Span; StepId; String; Type; bool; i64;
        u16;
    }
    condition: expr, expr_mut: Expr;
}

/// The expressions directly inside, but for those of places, binders, orders and deciders.
struct Plainly<'t>(Vec<&'t Expr>);

impl<'t> Visit<'t> for Plainly<'t> {
    fn expr(&mut self, e: &'t Expr) {
        self.0.push(e);
    }
    fn place(&mut self, _: &'t Place) {}
    fn binder(&mut self, _: &'t Binder) {}
    fn order(&mut self, _: &'t Order) {}
    fn decider(&mut self, _: &'t Decider) {}
}

/// The blocks directly inside of an operation.
struct Blocks(Vec<BlockId>);

impl Visit<'_> for Blocks {
    fn block(&mut self, id: BlockId) {
        self.0.push(id);
    }
}

impl Expr {
    /// The expressions directly inside.
    pub fn children(&self) -> Vec<&Self> {
        directly(self)
    }

    /// Whether the expression or one inside meets a condition.
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

impl OpKind {
    /// The blocks directly inside.
    pub fn blocks(&self) -> Vec<BlockId> {
        let mut found = Blocks(Vec::new());
        self.inside(&mut found);
        found.0
    }

    /// The expressions directly inside, but for those of places, binders, orders and deciders.
    pub fn exprs(&self) -> Vec<&Expr> {
        let mut found = Plainly(Vec::new());
        self.inside(&mut found);
        found.0
    }
}
