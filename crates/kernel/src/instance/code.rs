//! Flat code: where a running procedure or trigger is, as one number.
//!
//! ```text
//! step strike                     3  end of the step
//!   for each a in arena           4  for each    5  end, then 3    6  next element    7  recheck
//!     if a.health > 0             8  if          9  end, then 6
//!       decrease a.health by 1   10  decrease   11  end, then 9
//! ```
//!
//! A block, and so each of its operations, stands in one place only; so an address tells all blocks, iterations and
//! repeats around it, and only what they have in hand (the elements left, the data before a round) is kept beside it.
//!
//! *Guarantees.* [`Code::around`] gives the frames that the interpreter has at an address, outermost first.

use crate::ir::{OpKind, Policy, System};
use endstep_language::index::Id;
use endstep_language::typing::program::{BlockId, QueueId, StepId, StmtId};

/// An address.
pub type Address = u32;

/// What stands at an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instr {
    /// A pass of the procedure goes on.
    Pass,
    /// The activation is over.
    Return,
    /// An operation.
    Op(StmtId),
    /// The end of a block, and what comes then.
    End(BlockId, Address),
    /// An iteration takes its next element.
    Next(StmtId),
    /// Whether the element taken still belongs to an iteration.
    Recheck(StmtId),
    /// Whether there is another round.
    Again(StmtId),
    /// A queue is resolved: one instance, or all.
    Resolve {
        /// The operation.
        stmt: StmtId,
        /// Which queue.
        queue: QueueId,
        /// Only one instance.
        one: bool,
    },
    /// A step is over.
    EndStep(StepId),
    /// What is done before a pass begins again is over.
    EndBefore,
}

/// A frame that is known from an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of `semantics::Frame`")]
pub enum Around {
    Pass,
    Step(StepId),
    Block(BlockId, u32),
    Iterate(StmtId),
    Recheck(StmtId),
    Repeat(StmtId),
    Resolve {
        stmt: StmtId,
        queue: QueueId,
        one: bool,
    },
    Before,
}

/// In what a block stands.
#[derive(Debug, Clone, Copy, Default)]
enum Parent {
    /// A trigger, or nothing.
    #[default]
    Trigger,
    Step(StepId),
    Before,
    /// The operation at an address.
    Op(StmtId),
}

/// The code of a system.
#[derive(Debug, Clone, Default)]
pub struct Code {
    /// By address.
    instrs: Vec<Instr>,
    /// How many frames are around each address.
    depths: Vec<u16>,
    /// Whether each is in what is done before a pass begins again.
    before: Vec<bool>,
    /// Whether what comes next is sure to be no choice and no end, but for gaps in expressions.
    plain: Vec<bool>,
    /// Where each block begins.
    blocks: Vec<Address>,
    parents: Vec<Parent>,
    /// Where each operation stands, and in which block.
    ops: Vec<(Address, BlockId)>,
    /// Where what comes back to an operation stands: the next element, another round, what is pending.
    returns: Vec<Address>,
    /// Where each step ends.
    steps: Vec<Address>,
}

/// Where a pass goes on.
pub const PASS: Address = 0;

/// Where an activation is over.
pub const RETURN: Address = 1;

/// Where what is done before a pass is over.
const END_BEFORE: Address = 2;

/// Where an operation that was not compiled stands: nowhere.
const NONE: Address = Address::MAX;

impl Code {
    /// Of a system.
    pub fn new(system: &System) -> Self {
        let mut code = Self {
            instrs: vec![Instr::Pass, Instr::Return, Instr::EndBefore],
            blocks: vec![NONE; system.blocks.len()],
            parents: vec![Parent::default(); system.blocks.len()],
            ops: vec![(NONE, BlockId(0)); system.ops.len()],
            returns: vec![NONE; system.ops.len()],
            ..Self::default()
        };
        for (id, step) in system.steps.iter() {
            let end = code.push(Instr::EndStep(id));
            code.steps.push(end);
            code.block(system, step.body, (Parent::Step(id), end));
        }
        for trigger in system.triggers.values() {
            code.block(system, trigger.body, (Parent::Trigger, RETURN));
        }
        for procedure in system.procedures.values() {
            let before = procedure.restart.as_ref().and_then(|rule| rule.before);
            if let Some(block) = before {
                code.block(system, block, (Parent::Before, END_BEFORE));
            }
        }
        code.measure(system);
        code
    }

    fn push(&mut self, instr: Instr) -> Address {
        let at = address(self.instrs.len());
        self.instrs.push(instr);
        at
    }

    /// Compiles a block, and those inside after it.
    fn block(&mut self, system: &System, id: BlockId, (parent, then): (Parent, Address)) {
        let block = &system.blocks[id];
        self.parents[id.index()] = parent;
        self.blocks[id.index()] = address(self.instrs.len());
        for &op in &block.ops {
            let at = self.push(Instr::Op(op));
            self.ops[op.index()] = (at, id);
        }
        self.push(Instr::End(id, then));
        for &op in &block.ops {
            let kind = &system.ops[op].kind;
            let then = match kind {
                OpKind::Each(_) => {
                    // The check comes right after, where an iteration has one.
                    let next = self.push(Instr::Next(op));
                    self.push(Instr::Recheck(op));
                    next
                }
                OpKind::Repeat(..) => self.push(Instr::Again(op)),
                &OpKind::Resolve { one, queue } => {
                    let stmt = op;
                    self.push(Instr::Resolve { stmt, queue, one })
                }
                _ => self.after(op),
            };
            self.returns[op.index()] = then;
            // What is done at once is no place of its own.
            if !matches!(kind, OpKind::Atomic(_)) {
                for inner in kind.blocks() {
                    self.block(system, inner, (Parent::Op(op), then));
                }
            }
        }
    }

    /// Takes down what is asked of each address in every small step.
    fn measure(&mut self, system: &System) {
        for at in 0..self.instrs.len() {
            let around = self.around(address(at));
            self.depths
                .push(u16::try_from(around.len()).unwrap_or(u16::MAX));
            self.before.push(around.contains(&Around::Before));
            self.plain.push(self.leads_on(system, address(at)));
        }
    }

    /// What [`is_plain`](Self::is_plain) says, worked out.
    fn leads_on(&self, system: &System, at: Address) -> bool {
        match self.at(at) {
            Instr::Op(op) => !asks(&system.ops[op].kind),
            Instr::End(_, then) => self.leads_on(system, then),
            Instr::Again(_) | Instr::EndStep(_) | Instr::Resolve { .. } => true,
            Instr::Pass | Instr::Return | Instr::Next(_) | Instr::Recheck(_) | Instr::EndBefore => {
                false
            }
        }
    }

    /// Whether what comes next is sure to be no choice and no end, but for gaps in expressions.
    #[inline]
    pub fn is_plain(&self, address: Address) -> bool {
        self.plain[address as usize]
    }

    /// What stands at an address.
    #[inline]
    pub fn at(&self, address: Address) -> Instr {
        self.instrs[address as usize]
    }

    /// How many frames the interpreter has at an address.
    #[inline]
    pub fn depth(&self, address: Address) -> usize {
        usize::from(self.depths[address as usize])
    }

    /// Whether an address is in what is done before a pass begins again.
    pub fn is_before(&self, address: Address) -> bool {
        self.before[address as usize]
    }

    /// Where a block begins.
    #[inline]
    pub fn entry(&self, block: BlockId) -> Address {
        self.blocks[block.index()]
    }

    /// Where it goes on after an operation.
    #[inline]
    pub fn after(&self, op: StmtId) -> Address {
        self.ops[op.index()].0 + 1
    }

    /// Where an iteration takes its next element, a repeat its next round, a queue its next instance.
    #[inline]
    pub fn back(&self, op: StmtId) -> Address {
        self.returns[op.index()]
    }

    /// Where it is asked whether an element taken still belongs to an iteration.
    pub fn recheck(&self, op: StmtId) -> Address {
        self.back(op) + 1
    }

    /// Where a step ends.
    pub fn end_of(&self, step: StepId) -> Address {
        self.steps[step.index()]
    }

    /// The step in which an operation stands, if it stands in one.
    pub fn step_of(&self, op: StmtId) -> Option<StepId> {
        let mut op = op;
        loop {
            let (_, block) = self.ops[op.index()];
            match self.parents[block.index()] {
                Parent::Step(step) => return Some(step),
                Parent::Op(outer) => op = outer,
                Parent::Trigger | Parent::Before => return None,
            }
        }
    }

    /// The frames around an address, outermost first; none of what has no place of its own.
    pub fn around(&self, address: Address) -> Vec<Around> {
        let mut around = Vec::new();
        match self.instrs[address as usize] {
            Instr::Pass => around.push(Around::Pass),
            Instr::Return => {}
            Instr::EndStep(step) => around.extend([Around::Step(step), Around::Pass]),
            Instr::EndBefore => around.extend([Around::Before, Around::Pass]),
            Instr::Op(op) => {
                let (at, block) = self.ops[op.index()];
                let next = at - self.blocks[block.index()];
                self.outwards(&mut around, block, next);
            }
            Instr::End(block, _) => {
                self.outwards(&mut around, block, address - self.blocks[block.index()]);
            }
            Instr::Next(op) => self.out_of(&mut around, op, &[Around::Iterate(op)]),
            Instr::Recheck(op) => {
                let both = [Around::Recheck(op), Around::Iterate(op)];
                self.out_of(&mut around, op, &both);
            }
            Instr::Again(op) => self.out_of(&mut around, op, &[Around::Repeat(op)]),
            Instr::Resolve { stmt, queue, one } => {
                let own = Around::Resolve { stmt, queue, one };
                self.out_of(&mut around, stmt, &[own]);
            }
        }
        around.reverse();
        around
    }

    /// From frames of an operation to the outermost one.
    fn out_of(&self, around: &mut Vec<Around>, op: StmtId, own: &[Around]) {
        around.extend_from_slice(own);
        let (at, block) = self.ops[op.index()];
        self.outwards(around, block, at + 1 - self.blocks[block.index()]);
    }

    /// From a block of which so many operations were begun to the outermost frame.
    fn outwards(&self, around: &mut Vec<Around>, block: BlockId, begun: u32) {
        around.push(Around::Block(block, begun));
        match self.parents[block.index()] {
            Parent::Trigger => {}
            Parent::Step(step) => around.extend([Around::Step(step), Around::Pass]),
            Parent::Before => around.extend([Around::Before, Around::Pass]),
            Parent::Op(op) => match self.instrs[self.back(op) as usize] {
                Instr::Next(_) => self.out_of(around, op, &[Around::Iterate(op)]),
                Instr::Again(_) => self.out_of(around, op, &[Around::Repeat(op)]),
                _ => self.out_of(around, op, &[]),
            },
        }
    }
}

/// A position as an address.
///
/// INVARIANT: a text has far fewer statements than there are addresses.
fn address(at: usize) -> Address {
    Address::try_from(at).unwrap_or(NONE)
}

/// Whether an operation may ask somebody or end the run.
pub fn asks(op: &OpKind) -> bool {
    match op {
        OpKind::Cases { policy, .. } => !matches!(policy, Policy::InOrder),
        OpKind::ChooseElement(..)
        | OpKind::ChooseNumber { .. }
        | OpKind::ChooseBlock(..)
        | OpKind::ChooseValue { .. }
        | OpKind::Call(..)
        | OpKind::Stop(_) => true,
        _ => false,
    }
}
