//! Where things come to lie, and how far numbers go.

use super::alternative::{Alternative, Draft, Made};
use super::edit::Edit;
use super::said::statements;
use endstep_language::source::SourceMap;
use endstep_language::typing::program::{
    Bounds, Expr, ExprKind, Place, PlaceKind, Program, StmtId, StmtKind, Target, Type, Value,
};

/// Words that say at which end of a zone something comes to lie.
const ENDS: [&str; 4] = ["top of", "bottom of", "first of", "last of"];

pub(super) fn drafts(program: &Program, sources: &SourceMap) -> Vec<Draft> {
    let mut found = Vec::new();
    for id in statements(program) {
        let stmt = &program.stmts[id];
        if let Some((alternative, kind)) = other(program, sources, id) {
            found.push(Draft {
                made: Made::Stmt(id),
                span: stmt.span,
                clause: stmt.clause,
                alternative,
                edit: Edit::Stmt(id, Box::new(kind)),
            });
        }
    }
    found
}

fn other(program: &Program, sources: &SourceMap, id: StmtId) -> Option<(Alternative, StmtKind)> {
    let stmt = &program.stmts[id];
    let mut kind = stmt.kind.clone();
    let alternative = match &mut kind {
        StmtKind::Move(_, Target::Zone(first, zone))
        | StmtKind::MoveAll(_, Target::Zone(first, zone)) => {
            let says = sources.text(stmt.span);
            let is_said = ENDS.iter().any(|end| says.contains(end));
            let is_ordered = !program.zones[zone.zone].unordered;
            if is_said || !is_ordered || *first {
                return None;
            }
            *first = true;
            Alternative::FirstPlace(zone.zone)
        }
        StmtKind::Increase(_, _, limit) | StmtKind::Decrease(_, _, limit) if limit.is_some() => {
            *limit = None;
            Alternative::Unlimited
        }
        StmtKind::Distribute { each, .. } if each.is_some() => {
            *each = None;
            Alternative::Unlimited
        }
        StmtKind::Decrease(place, _, limit) if can_fall(program, place) => {
            *limit = Some(Expr {
                kind: ExprKind::Const(Value::Int(0)),
                ty: Type::Int,
                span: stmt.span,
            });
            Alternative::StopsAtZero
        }
        // Nothing else has a place or a limit of this sort.
        _ => return None,
    };
    Some((alternative, kind))
}

/// Whether a number can fall below zero, and is none of those that begin there.
fn can_fall(program: &Program, place: &Place) -> bool {
    let bounds: Bounds = match &place.kind {
        PlaceKind::Var(var) => program.vars[*var].bounds,
        PlaceKind::Field(_, field) => program.fields[*field].bounds,
    };
    let begins_below = bounds.explore.is_some_and(|(low, _)| low < 0);
    let stops = bounds.document.is_some_and(|(low, _)| low >= 0);
    !begins_below && !stops
}
