//! When reactions happen, in which order, and to what.

use super::alternative::{Alternative, Draft, Made};
use super::edit::Edit;
use super::said::is_text;
use endstep_language::syntax::ast::{BinaryOp, QueueDiscipline};
use endstep_language::typing::program::{
    Event, EventId, Expr, ExprKind, LocalId, Program, QueueId, Range, Trigger, TriggerId, Type,
};

pub(super) fn drafts(program: &Program) -> Vec<Draft> {
    let mut found = Vec::new();
    for (id, trigger) in program.triggers.iter() {
        if !is_text(&trigger.basis) || trigger.clause.is_none() {
            continue;
        }
        of_trigger(program, (id, trigger), &mut found);
    }
    for (id, event) in program.events.iter() {
        found.extend(moment(program, id, event));
    }
    for (id, queue) in program.queues.iter() {
        let discipline = match queue.discipline {
            QueueDiscipline::FirstInFirstOut => QueueDiscipline::LastInFirstOut,
            QueueDiscipline::LastInFirstOut | QueueDiscipline::ByPriority => {
                QueueDiscipline::FirstInFirstOut
            }
        };
        found.push(Draft {
            made: Made::Queue(id),
            span: queue.span,
            clause: None,
            alternative: Alternative::Discipline(id, discipline),
            edit: Edit::Queue(id, discipline),
        });
    }
    found
}

fn of_trigger(program: &Program, (id, trigger): (TriggerId, &Trigger), found: &mut Vec<Draft>) {
    let mut add = |alternative, edit| {
        found.push(Draft {
            made: Made::Trigger(id),
            span: trigger.span,
            clause: trigger.clause,
            alternative,
            edit,
        });
    };
    if let Some(condition) = not_itself(program, trigger) {
        let mut changed = trigger.clone();
        changed.condition = Some(condition);
        add(Alternative::NotItself, Edit::Trigger(id, Box::new(changed)));
    }
    let waits = program.events[trigger.event].queue.is_some();
    if !waits || program.blocks[trigger.body].stmts.is_empty() {
        return;
    }
    if let Some(condition) = &trigger.condition {
        let again = Box::new(condition.clone());
        add(Alternative::StillTrue, Edit::Guarded(id, again));
    }
    if let Some(there) = is_there(trigger) {
        add(Alternative::StillThere, Edit::Guarded(id, Box::new(there)));
    }
}

/// That the listener of a trigger lies where it lay when it heard of the event, or has not left the game.
fn is_there(trigger: &Trigger) -> Option<Expr> {
    let listener = trigger.listener.as_ref()?;
    let part = |kind, ty| Expr {
        kind,
        ty,
        span: trigger.span,
    };
    let of = Box::new(part(ExprKind::Local(listener.local), listener.ty));
    match &listener.range {
        Range::Zone(zone) => Some(part(ExprKind::IsIn(of, zone.clone()), Type::Bool)),
        Range::Sort(_) => {
            let removed = part(ExprKind::IsRemoved(of), Type::Bool);
            Some(part(ExprKind::Not(Box::new(removed)), Type::Bool))
        }
        // Values stay where they are.
        Range::Enum(_) | Range::Bool => None,
    }
}

/// The condition of a trigger, and that its listener is none of those of which the event tells.
fn not_itself(program: &Program, trigger: &Trigger) -> Option<Expr> {
    let listener = trigger.listener.as_ref()?;
    let event = &program.events[trigger.event];
    let same = event.params.iter().zip(&trigger.args);
    let same = same.filter(|(param, _)| param.ty == listener.ty);
    let part = |kind, ty| Expr {
        kind,
        ty,
        span: trigger.span,
    };
    let local = |id: LocalId| Box::new(part(ExprKind::Local(id), listener.ty));
    let is_other = same.map(|(_, arg)| {
        let kind = ExprKind::Binary(BinaryOp::NotEqual, local(listener.local), local(*arg));
        part(kind, Type::Bool)
    });
    let both = |one: Expr, other: Expr| {
        let kind = ExprKind::Binary(BinaryOp::And, Box::new(one), Box::new(other));
        part(kind, Type::Bool)
    };
    let is_other = is_other.reduce(both)?;
    Some(match trigger.condition.clone() {
        Some(condition) => both(is_other, condition),
        None => is_other,
    })
}

/// The other moment at which reactions to an event could happen.
fn moment(program: &Program, id: EventId, event: &Event) -> Option<Draft> {
    let mut triggers = program.triggers.values().iter();
    if !triggers.any(|one| one.event == id) {
        return None;
    }
    let (alternative, queue) = match event.queue {
        Some(_) => (Alternative::AtOnce(id), None),
        None => {
            let queue: QueueId = program.queues.ids().next()?;
            (Alternative::Waits(id, queue), Some(queue))
        }
    };
    Some(Draft {
        made: Made::Event(id),
        span: event.span,
        clause: event.clause,
        alternative,
        edit: Edit::Event(id, queue),
    })
}
