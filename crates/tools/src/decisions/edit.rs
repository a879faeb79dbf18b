//! What is changed where something is decided otherwise.

use endstep_language::syntax::ast::QueueDiscipline;
use endstep_language::typing::program::{
    Block, BlockId, EventId, Expr, ExprKind, Program, QueueId, Sequence, SequenceId, Stmt, StmtId,
    StmtKind, Trigger, TriggerId, Type, Value,
};

/// A change of one place.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Edit {
    /// A statement does something else.
    Stmt(StmtId, Box<StmtKind>),
    /// A statement stands under `simultaneously`.
    Together(StmtId),
    /// Something else is done beside a statement: after it (`true`), or before.
    Beside(BlockId, StmtId, bool, Box<StmtKind>),
    /// A sequence is declared otherwise.
    Sequence(SequenceId, Box<Sequence>),
    /// A trigger is declared otherwise.
    Trigger(TriggerId, Box<Trigger>),
    /// A trigger acts only if this is true then.
    Guarded(TriggerId, Box<Expr>),
    /// Reactions to an event wait in this queue, or in none.
    Event(EventId, Option<QueueId>),
    /// A queue has this discipline.
    Queue(QueueId, QueueDiscipline),
}

impl Edit {
    pub(super) fn apply(&self, program: &Program) -> Program {
        let mut changed = program.clone();
        match self.clone() {
            Self::Stmt(id, kind) => changed.stmts[id].kind = *kind,
            Self::Together(id) => {
                let inner = beside(&changed, id, changed.stmts[id].kind.clone());
                let inner = changed.stmts.push(inner);
                let body = changed.blocks.push(Block {
                    stmts: vec![inner],
                    binds: Vec::new(),
                });
                changed.stmts[id].kind = StmtKind::Simultaneously(body);
            }
            Self::Beside(block, id, after, kind) => {
                let new = beside(&changed, id, *kind);
                let new = changed.stmts.push(new);
                let stmts = &mut changed.blocks[block].stmts;
                let at = stmts.iter().position(|one| *one == id);
                let at = at.map_or(stmts.len(), |at| at + usize::from(after));
                stmts.insert(at, new);
            }
            Self::Sequence(id, sequence) => changed.sequences[id] = *sequence,
            Self::Trigger(id, trigger) => changed.triggers[id] = *trigger,
            Self::Guarded(id, condition) => guard(&mut changed, id, *condition),
            Self::Event(id, queue) => changed.events[id].queue = queue,
            Self::Queue(id, discipline) => changed.queues[id].discipline = discipline,
        }
        changed
    }
}

/// A statement that has all but what it does from another one.
fn beside(program: &Program, id: StmtId, kind: StmtKind) -> Stmt {
    Stmt {
        kind,
        ..program.stmts[id].clone()
    }
}

/// What a trigger does stands under a condition.
fn guard(program: &mut Program, id: TriggerId, condition: Expr) {
    let body = program.triggers[id].body;
    let Some(&first) = program.blocks[body].stmts.first() else {
        return;
    };
    let kind = StmtKind::If(vec![(condition, body)], None);
    let only = beside(program, first, kind);
    let only = program.stmts.push(only);
    let block = program.blocks.push(Block {
        stmts: vec![only],
        binds: Vec::new(),
    });
    program.triggers[id].body = block;
}

/// A block that is always done, where another statement stood.
pub(super) fn always(stmt: &Stmt, body: BlockId) -> StmtKind {
    let truth = Expr {
        kind: ExprKind::Const(Value::Bool(true)),
        ty: Type::Bool,
        span: stmt.span,
    };
    StmtKind::If(vec![(truth, body)], None)
}
