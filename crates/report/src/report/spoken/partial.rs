//! Which expressions of a statement may have no value, for one reason.

use endstep_language::source::Span;
use endstep_language::syntax::ast::BinaryOp;
use endstep_language::typing::program::{DefineId, Expr, ExprKind, Program, StmtId};
use endstep_semantics::semantics::GapCause;

/// Whether a statement evaluates another expression, in other words, that may have no value for the same reason:
/// boards on which the one has none need not be those on which the other has none.
pub(super) fn has_rival(program: &Program, cause: GapCause, (stmt, span): (StmtId, Span)) -> bool {
    let words = program.wording.expr(span);
    let mut seen: Vec<DefineId> = Vec::new();
    let mut todo: Vec<&Expr> = program.stmts[stmt].kind.exprs();
    // What the state raises is looked at where a statement has changed something.
    let events = program.events.values().iter();
    for whenever in events.filter_map(|event| event.whenever.as_ref()) {
        todo.push(&whenever.condition);
        todo.extend(&whenever.with);
    }
    while let Some(e) = todo.pop() {
        if let Some(at) = lacking(e, cause)
            && at != span
            && (words.is_none() || program.wording.expr(at) != words)
        {
            return true;
        }
        if let Some((define, _)) = e.applied()
            && !seen.contains(&define)
        {
            seen.push(define);
            todo.push(&program.defines[define].body);
        }
        todo.extend(e.children());
    }
    false
}

/// Where what has no value stands, if an expression may have none for a reason although its parts do.
fn lacking(e: &Expr, cause: GapCause) -> Option<Span> {
    match (cause, &e.kind) {
        (GapCause::EmptyZone, ExprKind::EndOf(_, zone)) => Some(zone.span),
        (GapCause::Absent, ExprKind::Unwrap(of)) => Some(of.span),
        (GapCause::OddHalf, ExprKind::Half(_, None))
        | (GapCause::DivisionByZero, ExprKind::Binary(BinaryOp::Divide, ..))
        | (GapCause::ExtremeOfNothing, ExprKind::Extreme(..))
        | (
            GapCause::Contradictory | GapCause::Ambiguous | GapCause::Absent,
            ExprKind::Continuous(..),
        ) => Some(e.span),
        _ => None,
    }
}
