//! Blocks as they are under one alternative of a reading.
//!
//! ```text
//! if per timing (early: a | late: b)      under early:  if a
//! depending on timing                                   if true
//!   when early: x                                         x
//!   when late: y
//! ```
//!
//! Copies stand in the same system as what they are copies of, so that both can be run side by side.
//! What is performed or triggered is not copied.

use std::collections::BTreeMap;

use super::{Expr, ExprKind, Op, OpKind, Order, System, VisitMut, Walk};
use endstep_language::typing::program::{BlockId, DefineId, DomainPolicy, ReadingId, StmtId};

/// Makes copies.
pub struct Under<'a> {
    system: &'a mut System,
    reading: ReadingId,
    alternative: u16,
    /// Of which operation each copy is one.
    twins: &'a mut BTreeMap<StmtId, StmtId>,
    functions: BTreeMap<DefineId, DefineId>,
}

impl<'a> Under<'a> {
    /// Of blocks of a system; of which operation each copy is one is noted in `twins`.
    pub fn new(
        system: &'a mut System,
        (reading, alternative): (ReadingId, u16),
        twins: &'a mut BTreeMap<StmtId, StmtId>,
    ) -> Self {
        Self {
            system,
            reading,
            alternative,
            twins,
            functions: BTreeMap::new(),
        }
    }

    /// A copy of a block.
    pub fn block(&mut self, id: BlockId) -> BlockId {
        let mut copy = self.system.blocks[id].clone();
        for op in &mut copy.ops {
            *op = self.op(*op);
        }
        self.system.blocks.push(copy)
    }

    /// A copy of an operation, with all that stands inside.
    pub fn op(&mut self, id: StmtId) -> StmtId {
        let Op { mut kind, span } = self.system.ops[id].clone();
        if let OpKind::Switch(reading, blocks) = &kind
            && *reading == self.reading
        {
            let yes = Expr {
                kind: ExprKind::Const(1),
                span,
            };
            kind = OpKind::If(vec![(yes, blocks[usize::from(self.alternative)])], None);
        }
        self.op_mut(&mut kind);
        let copy = self.system.ops.push(Op { kind, span });
        self.twins.insert(copy, id);
        copy
    }

    /// Lets an iteration, itself and not a copy, go through its elements as it does under the alternative.
    pub fn order_of(&mut self, id: StmtId) {
        let mut kind = self.system.ops[id].kind.clone();
        if let OpKind::Each(each) = &mut kind {
            self.order_mut(&mut each.order);
        }
        self.system.ops[id].kind = kind;
    }

    /// A condition as it is under the alternative.
    pub fn condition(&mut self, mut e: Expr) -> Expr {
        self.expr_mut(&mut e);
        e
    }

    /// A copy of a definition that depends on the reading; another stays as it is.
    fn function(&mut self, id: DefineId) -> DefineId {
        if let Some(&known) = self.functions.get(&id) {
            return known;
        }
        let mut copy = self.system.functions[id].clone();
        let before = format!("{:?}", copy.body.kind);
        self.expr_mut(&mut copy.body);
        let made = match format!("{:?}", copy.body.kind) == before {
            true => id,
            false => self.system.functions.push(copy),
        };
        self.functions.insert(id, made);
        made
    }
}

impl VisitMut for Under<'_> {
    fn op_mut(&mut self, kind: &mut OpKind) {
        if let OpKind::Each(each) = kind {
            under(&mut each.domain, (self.reading, self.alternative));
        }
        kind.inside_mut(self);
    }

    fn expr_mut(&mut self, e: &mut Expr) {
        match &mut e.kind {
            ExprKind::ReadingIs(reading, at) if *reading == self.reading => {
                e.kind = ExprKind::Const(i64::from(*at == self.alternative));
            }
            ExprKind::Per(reading, all) if *reading == self.reading => {
                let mut taken = all.swap_remove(usize::from(self.alternative));
                self.expr_mut(&mut taken);
                *e = taken;
            }
            // What it depends on may be itself; it stays as it is, with its readings.
            ExprKind::Continuous(_, of) => {
                if let Some(of) = of {
                    self.expr_mut(of);
                }
            }
            ExprKind::Solutions(..) => {}
            _ => e.inside_mut(self),
        }
    }

    fn order_mut(&mut self, order: &mut Order) {
        match order {
            Order::Per(reading, all) if *reading == self.reading => {
                let mut taken = all.swap_remove(usize::from(self.alternative));
                self.order_mut(&mut taken);
                *order = taken;
            }
            _ => order.inside_mut(self),
        }
    }

    fn block_mut(&mut self, id: &mut BlockId) {
        *id = self.block(*id);
    }

    fn function_mut(&mut self, id: &mut DefineId) {
        *id = self.function(*id);
    }
}

/// Which elements are visited under an alternative.
fn under(domain: &mut DomainPolicy, fixed: (ReadingId, u16)) {
    match domain {
        DomainPolicy::Per(reading, all) if *reading == fixed.0 => {
            let mut taken = all.swap_remove(usize::from(fixed.1));
            under(&mut taken, fixed);
            *domain = taken;
        }
        DomainPolicy::Per(_, all) => all.iter_mut().for_each(|one| under(one, fixed)),
        DomainPolicy::Snapshot
        | DomainPolicy::Rechecked
        | DomainPolicy::Live
        | DomainPolicy::LiveByPosition
        | DomainPolicy::UntilAllPass => {}
    }
}
