//! Which expressions that are evaluated at a place may have no value, for one reason.

use endstep_language::source::Span;
use endstep_language::syntax::ast::BinaryOp;
use endstep_language::typing::program::{
    DefineId, Event, EventId, Expr, ExprKind, ListPolicy, Program, Visit, Walk,
};
use endstep_semantics::semantics::{GapCause, Site};

/// Whether another expression is evaluated at a place, in other words, that may have no value for the same reason:
/// boards on which the one has none need not be those on which the other has none.
pub(super) fn has_rival(program: &Program, cause: GapCause, (site, span): (Site, Span)) -> bool {
    let words = program.wording.expr(span);
    let mut seen: Vec<DefineId> = Vec::new();
    let mut todo = exprs(program, site);
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

/// The expressions that are evaluated at a place, without those inside of others.
fn exprs(program: &Program, site: Site) -> Vec<&Expr> {
    let mut found = Found(Vec::new());
    match site {
        Site::Stmt(stmt) => {
            program.stmts[stmt].kind.inside(&mut found);
            // What the state raises is looked at where a statement has changed something.
            let events = program.events.values().iter();
            events.for_each(|event| found.raised(event));
        }
        Site::Sequence(sequence) | Site::Places(sequence) => {
            let sequence = &program.sequences[sequence];
            if let ListPolicy::Chosen(by) = &sequence.policy {
                by.meet(&mut found);
            }
            if let Some(over) = &sequence.over {
                over.binder.meet(&mut found);
                over.order.meet(&mut found);
            }
            if let Some(rule) = &sequence.restart {
                rule.when.meet(&mut found);
            }
            if let Some(contract) = &sequence.contract {
                contract.ensures.meet(&mut found);
                let changes = contract.changes.iter();
                changes.for_each(|change| change.within.meet(&mut found));
            }
        }
        Site::Event(event) => found.event(program, event),
        // Whom an event reaches is found where it is announced.
        Site::Trigger(trigger) => found.event(program, program.triggers[trigger].event),
        Site::Step(step) => program.steps[step].ensures.meet(&mut found),
        Site::Outside(_) => {}
    }
    found.0
}

struct Found<'p>(Vec<&'p Expr>);

impl<'p> Found<'p> {
    fn raised(&mut self, event: &'p Event) {
        if let Some(whenever) = &event.whenever {
            whenever.condition.meet(self);
            whenever.with.meet(self);
        }
    }

    fn event(&mut self, program: &'p Program, event: EventId) {
        let declared = &program.events[event];
        declared.listeners.meet(self);
        self.raised(declared);
        let triggers = program.triggers.values().iter();
        for trigger in triggers.filter(|one| one.event == event) {
            trigger.listener.meet(self);
            trigger.condition.meet(self);
        }
    }
}

impl<'p> Visit<'p> for Found<'p> {
    fn expr(&mut self, e: &'p Expr) {
        self.0.push(e);
    }
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
