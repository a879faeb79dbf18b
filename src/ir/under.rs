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

use super::{
    Binder, Decider, Expr, ExprKind, Op, OpKind, Order, Place, Policy, Range, System, ZoneRef,
};
use super::{Effect, Target, Until};
use crate::typing::program::{BlockId, DefineId, DomainPolicy, ReadingId, StmtId};

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
        self.kind(&mut kind);
        let copy = self.system.ops.push(Op { kind, span });
        self.twins.insert(copy, id);
        copy
    }

    /// Lets an iteration, itself and not a copy, go through its elements as it does under the alternative.
    pub fn order_of(&mut self, id: StmtId) {
        let mut kind = self.system.ops[id].kind.clone();
        if let OpKind::Each(each) = &mut kind {
            self.order(&mut each.order);
        }
        self.system.ops[id].kind = kind;
    }

    /// A condition as it is under the alternative.
    pub fn condition(&mut self, mut e: Expr) -> Expr {
        self.expr(&mut e);
        e
    }

    fn kind(&mut self, kind: &mut OpKind) {
        match kind {
            OpKind::Skip | OpKind::Leave(_) | OpKind::Resolve { .. } => {}
            OpKind::Let(_, e) | OpKind::Remove(e) => self.expr(e),
            OpKind::Set(place, e) => {
                self.place(place);
                self.expr(e);
            }
            OpKind::Add {
                place, by, bound, ..
            } => {
                self.place(place);
                self.expr(by);
                self.exprs(bound);
            }
            OpKind::Transfer { amount, from, to } => {
                self.expr(amount);
                self.place(from);
                self.place(to);
            }
            OpKind::Move(e, to) => {
                self.expr(e);
                self.target(to);
            }
            OpKind::MoveAll(zone, to) => {
                self.zone(zone);
                self.target(to);
            }
            OpKind::Shuffle(zone) => self.zone(zone),
            OpKind::Create { target, with, .. } => {
                if let Some(target) = target {
                    self.target(target);
                }
                self.exprs(with.iter_mut().map(|(_, e)| e));
            }
            OpKind::Announce(_, args) | OpKind::Call(_, args) => self.exprs(args),
            OpKind::Stop(Effect::Win(whom) | Effect::Loss(whom)) => self.exprs(whom),
            OpKind::Stop(Effect::Draw | Effect::End | Effect::Gap(_)) => {}
            OpKind::ChooseElement(binder, by) => {
                self.binder(binder);
                self.decider(by);
            }
            OpKind::ChooseNumber { low, high, by, .. } => {
                self.exprs([low, high]);
                self.decider(by);
            }
            OpKind::Distribute {
                amount,
                binder,
                into,
                by,
                each,
            } => {
                self.expr(amount);
                self.binder(binder);
                self.place(into);
                self.decider(by);
                self.exprs(each);
            }
            OpKind::ChooseValue { place, within, .. } => {
                self.place(place);
                self.exprs(within.iter_mut().flat_map(|(a, b)| [a, b]));
            }
            OpKind::If(..)
            | OpKind::Cases { .. }
            | OpKind::Switch(..)
            | OpKind::Each(_)
            | OpKind::Atomic(_)
            | OpKind::Repeat(..)
            | OpKind::ChooseBlock(..) => self.compound(kind),
        }
    }

    /// An operation with blocks inside.
    fn compound(&mut self, kind: &mut OpKind) {
        match kind {
            OpKind::If(arms, otherwise) => self.arms(arms, otherwise),
            OpKind::Cases {
                policy,
                arms,
                otherwise,
            } => {
                if let Policy::Chosen(by) = policy {
                    self.decider(by);
                }
                self.arms(arms, otherwise);
            }
            OpKind::Switch(_, blocks) => {
                for block in blocks {
                    *block = self.block(*block);
                }
            }
            OpKind::Each(each) => {
                self.binder(&mut each.binder);
                self.order(&mut each.order);
                self.domain(&mut each.domain);
                each.body = self.block(each.body);
            }
            OpKind::Atomic(body) => *body = self.block(*body),
            OpKind::Repeat(until, body) => {
                if let Until::Until(e) | Until::While(e) = until {
                    self.expr(e);
                }
                *body = self.block(*body);
            }
            OpKind::ChooseBlock(arms, by) => {
                self.decider(by);
                for arm in arms {
                    self.exprs(&mut arm.guard);
                    arm.body = arm.body.map(|body| self.block(body));
                }
            }
            _ => {}
        }
    }

    fn arms(&mut self, arms: &mut [(Expr, BlockId)], otherwise: &mut Option<BlockId>) {
        for (guard, body) in arms {
            self.expr(guard);
            *body = self.block(*body);
        }
        *otherwise = otherwise.map(|body| self.block(body));
    }

    fn exprs<'e>(&mut self, all: impl IntoIterator<Item = &'e mut Expr>) {
        for e in all {
            self.expr(e);
        }
    }

    fn expr(&mut self, e: &mut Expr) {
        match &mut e.kind {
            ExprKind::ReadingIs(reading, at) if *reading == self.reading => {
                e.kind = ExprKind::Const(i64::from(*at == self.alternative));
            }
            ExprKind::Per(reading, all) if *reading == self.reading => {
                let mut taken = all.swap_remove(usize::from(self.alternative));
                self.expr(&mut taken);
                *e = taken;
            }
            ExprKind::Call(function, args) => {
                *function = self.function(*function);
                self.exprs(args);
            }
            _ => self.exprs(e.children_mut()),
        }
    }

    /// A copy of a definition that depends on the reading; another stays as it is.
    fn function(&mut self, id: DefineId) -> DefineId {
        if let Some(&known) = self.functions.get(&id) {
            return known;
        }
        let mut copy = self.system.functions[id].clone();
        let before = format!("{:?}", copy.body.kind);
        self.expr(&mut copy.body);
        let made = match format!("{:?}", copy.body.kind) == before {
            true => id,
            false => self.system.functions.push(copy),
        };
        self.functions.insert(id, made);
        made
    }

    fn binder(&mut self, binder: &mut Binder) {
        if let Range::Zone(zone) = &mut binder.range {
            self.zone(zone);
        }
        self.exprs(binder.filter.as_deref_mut());
    }

    fn zone(&mut self, zone: &mut ZoneRef) {
        self.exprs(zone.of.as_deref_mut());
    }

    fn target(&mut self, target: &mut Target) {
        match target {
            Target::Zone(_, zone) => self.zone(zone),
            Target::Beside(_, e) => self.expr(e),
        }
    }

    fn place(&mut self, place: &mut Place) {
        match place {
            Place::Field(e, ..) => self.expr(e),
            Place::Var(..) => {}
        }
    }

    fn decider(&mut self, by: &mut Decider) {
        if let Decider::Player(e) = by {
            self.expr(e);
        }
    }

    fn order(&mut self, order: &mut Order) {
        match order {
            Order::Any => {}
            Order::Chosen(by) => self.decider(by),
            Order::Zone { from, .. } | Order::Players { from, .. } => self.exprs(from),
            Order::Per(reading, all) if *reading == self.reading => {
                let mut taken = all.swap_remove(usize::from(self.alternative));
                self.order(&mut taken);
                *order = taken;
            }
            Order::Per(_, all) => {
                for one in all {
                    self.order(one);
                }
            }
        }
    }

    fn domain(&self, domain: &mut DomainPolicy) {
        match domain {
            DomainPolicy::Per(reading, all) if *reading == self.reading => {
                let mut taken = all.swap_remove(usize::from(self.alternative));
                self.domain(&mut taken);
                *domain = taken;
            }
            DomainPolicy::Per(_, all) => all.iter_mut().for_each(|one| self.domain(one)),
            DomainPolicy::Snapshot
            | DomainPolicy::Rechecked
            | DomainPolicy::Live
            | DomainPolicy::LiveByPosition => {}
        }
    }
}
