//! Events that are announced where something is done, and not wherever the same is done.
//!
//! ```text
//! move c to void(holder of c)        announced here …
//! announce destroyed(c)
//!
//! move d to void(holder of d)        … and not here: is `d` not destroyed?
//! ```

use super::alternative::{Alternative, Draft, Made};
use super::edit::Edit;
use super::said::statements;
use endstep_language::typing::program::{
    BlockId, EventId, Expr, ExprKind, FieldId, LocalId, PlaceKind, Program, StmtId, StmtKind,
    Target, Value, VisitMut, Walk, ZoneId,
};
use std::collections::BTreeSet;

/// What a statement does to one thing, whatever the thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Deed {
    Moved(ZoneId),
    Set(FieldId, Value),
    Removed,
}

/// An announcement beside what it is about: after it (`true`), or before.
struct Told<'p> {
    by: StmtId,
    deed: Deed,
    thing: LocalId,
    event: EventId,
    args: &'p [Expr],
    after: bool,
}

pub(super) fn drafts(program: &Program) -> Vec<Draft> {
    let told = told(program);
    let mut found = Vec::new();
    let of_the_text: BTreeSet<StmtId> = statements(program).collect();
    for (block, body) in program.blocks.iter() {
        for &id in &body.stmts {
            let stmt = &program.stmts[id];
            let Some((deed, thing)) = deed(&stmt.kind) else {
                continue;
            };
            if !of_the_text.contains(&id) {
                continue;
            }
            let mut events: BTreeSet<EventId> = announced(program, block);
            for told in told.iter().filter(|told| told.deed == deed) {
                // Once for each event that is not told here.
                if told.by == id || !events.insert(told.event) {
                    continue;
                }
                if let Some(args) = about(told, thing) {
                    found.push(Draft {
                        made: Made::Stmt(id),
                        span: stmt.span,
                        clause: stmt.clause,
                        alternative: Alternative::Announced(told.event, told.by),
                        edit: Edit::Beside(
                            block,
                            id,
                            told.after,
                            Box::new(StmtKind::Announce(told.event, args)),
                        ),
                    });
                }
            }
        }
    }
    found
}

/// All announcements beside what they are about.
fn told(program: &Program) -> Vec<Told<'_>> {
    let mut found = Vec::new();
    let made_up = program.made_up();
    for body in program.blocks.values() {
        for (at, &id) in body.stmts.iter().enumerate() {
            let Some((deed, of)) = deed(&program.stmts[id].kind) else {
                continue;
            };
            let ExprKind::Local(thing) = of.kind else {
                continue;
            };
            for (other, &by) in body.stmts.iter().enumerate() {
                let StmtKind::Announce(event, args) = &program.stmts[by].kind else {
                    continue;
                };
                let speaks = args.iter().any(|arg| arg.kind == ExprKind::Local(thing));
                if speaks && !made_up.contains(&id) {
                    found.push(Told {
                        by: id,
                        deed,
                        thing,
                        event: *event,
                        args,
                        after: other > at,
                    });
                }
            }
        }
    }
    found
}

fn deed(kind: &StmtKind) -> Option<(Deed, &Expr)> {
    match kind {
        StmtKind::Move(of, Target::Zone(_, zone)) => Some((Deed::Moved(zone.zone), of)),
        StmtKind::Remove(of) => Some((Deed::Removed, of)),
        StmtKind::Set(place, value) => match (&place.kind, &value.kind) {
            (PlaceKind::Field(of, field), ExprKind::Const(value)) => {
                Some((Deed::Set(*field, *value), of))
            }
            // Of variables there is one each, and what else is written differs from place to place.
            _ => None,
        },
        // Nothing else is done to one thing.
        _ => None,
    }
}

/// The events that are announced in a block.
fn announced(program: &Program, block: BlockId) -> BTreeSet<EventId> {
    let stmts = program.blocks[block].stmts.iter();
    let events = stmts.filter_map(|&id| match program.stmts[id].kind {
        StmtKind::Announce(event, _) => Some(event),
        // Nothing else announces.
        _ => None,
    });
    events.collect()
}

/// What would be told of another thing; `None` if that speaks of more than the thing.
fn about(told: &Told<'_>, thing: &Expr) -> Option<Vec<Expr>> {
    let mut args = told.args.to_vec();
    let mut instead = Instead {
        of: told.thing,
        with: thing,
        is_about_more: false,
    };
    args.iter_mut().for_each(|arg| arg.meet_mut(&mut instead));
    (!instead.is_about_more).then_some(args)
}

/// Puts an expression where a local stands.
struct Instead<'e> {
    of: LocalId,
    with: &'e Expr,
    is_about_more: bool,
}

impl VisitMut for Instead<'_> {
    fn expr_mut(&mut self, e: &mut Expr) {
        match e.kind {
            ExprKind::Local(local) if local == self.of => *e = self.with.clone(),
            // Locals of the one place are others in the other.
            ExprKind::Local(_) => self.is_about_more = true,
            // Whatever else it is, it may speak of the thing inside.
            _ => e.inside_mut(self),
        }
    }

    fn local_mut(&mut self, _: &mut LocalId) {
        self.is_about_more = true;
    }
}
