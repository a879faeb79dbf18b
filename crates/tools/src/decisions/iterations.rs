//! Which elements an iteration deals with, and whether at once.

use super::alternative::{Alternative, Draft, Made};
use super::edit::{Edit, always};
use super::said::statements;
use endstep_language::source::SourceMap;
use endstep_language::typing::program::{
    BlockId, DomainPolicy, FieldId, Order, Program, Range, StmtId, StmtKind, Target, VarId, Visit,
    Walk, ZoneId,
};
use std::collections::BTreeSet;

/// Words that say which elements an iteration deals with.
const SAID: [&str; 3] = ["snapshot", "rechecked", "live"];

pub(super) fn drafts(program: &Program, sources: &SourceMap) -> Vec<Draft> {
    let mut found = Vec::new();
    let simultaneous = program.simultaneous();
    for id in statements(program) {
        let stmt = &program.stmts[id];
        let mut add = |alternative, edit| {
            found.push(Draft {
                made: Made::Stmt(id),
                span: stmt.span,
                clause: stmt.clause,
                alternative,
                edit,
            });
        };
        match &stmt.kind {
            // Whoever says which elements are meant has thought of it.
            StmtKind::ForEach { .. } if is_said(sources.text(stmt.span)) => {}
            StmtKind::ForEach { .. } => {
                for (alternative, domain) in domains(program, &stmt.kind) {
                    add(
                        alternative,
                        Edit::Stmt(id, Box::new(visiting(&stmt.kind, domain))),
                    );
                }
                if !simultaneous.contains(&id) && can_be_together(program, id) {
                    add(Alternative::Together, Edit::Together(id));
                }
            }
            StmtKind::Simultaneously(body) if can_be_apart(program, *body) => {
                let kind = always(stmt, *body);
                add(Alternative::OneByOne, Edit::Stmt(id, Box::new(kind)));
            }
            // Nothing else visits elements.
            _ => {}
        }
    }
    found
}

fn is_said(heading: &str) -> bool {
    let mut words = heading.split(|one: char| !one.is_alphanumeric() && one != '_');
    words.any(|word| SAID.contains(&word))
}

/// Which other elements an iteration could deal with.
fn domains(program: &Program, kind: &StmtKind) -> Vec<(Alternative, DomainPolicy)> {
    let StmtKind::ForEach { domain, binder, .. } = kind else {
        return Vec::new();
    };
    let rechecked = (Alternative::Rechecked, DomainPolicy::Rechecked);
    let newcomers = (Alternative::Newcomers, DomainPolicy::Live);
    match domain {
        // Without a condition things come by being moved or created, and nothing stops to qualify but by leaving.
        DomainPolicy::Snapshot if binder.filter.is_none() => match &binder.range {
            Range::Zone(_) => vec![newcomers],
            Range::Sort(sort) if program.sorts[*sort].headroom > 0 => vec![newcomers],
            Range::Sort(_) | Range::Enum(_) | Range::Bool => Vec::new(),
        },
        DomainPolicy::Snapshot => vec![rechecked, newcomers],
        DomainPolicy::Rechecked
        | DomainPolicy::Live
        | DomainPolicy::LiveByPosition
        | DomainPolicy::UntilAllPass
        | DomainPolicy::Per(..) => Vec::new(),
    }
}

fn visiting(kind: &StmtKind, policy: DomainPolicy) -> StmtKind {
    let mut kind = kind.clone();
    if let StmtKind::ForEach { domain, .. } = &mut kind {
        *domain = policy;
    }
    kind
}

/// Whether all that an iteration does can be done at once, and nobody decides anything meanwhile.
fn can_be_together(program: &Program, id: StmtId) -> bool {
    let StmtKind::ForEach {
        order,
        domain,
        body,
        ..
    } = &program.stmts[id].kind
    else {
        return false;
    };
    let is_plain = matches!(
        order,
        Order::Any | Order::Zone { .. } | Order::Players { .. }
    );
    is_plain
        && domain.visits_elements()
        && are_together(program, *body)
        && !reads_back(program, *body, &mut Named::default())
}

/// Whether statements can stand under `simultaneously`.
fn are_together(program: &Program, block: BlockId) -> bool {
    program.blocks[block].stmts.iter().all(|&id| {
        let kind = &program.stmts[id].kind;
        let itself = match kind {
            StmtKind::Nothing
            | StmtKind::Let(..)
            | StmtKind::Set(..)
            | StmtKind::Increase(..)
            | StmtKind::Decrease(..)
            | StmtKind::Transfer { .. }
            | StmtKind::If(..)
            | StmtKind::GapGoesOn { .. } => true,
            // Of what comes to lie in a row at once it is open in which order; that is another question.
            StmtKind::Move(_, Target::Zone(_, zone)) => program.zones[zone.zone].unordered,
            StmtKind::Announce(event, _) => program.events[*event].queue.is_some(),
            // What depends on a reading is somebody's question already.
            StmtKind::Depending(..)
            | StmtKind::Pass
            | StmtKind::Move(..)
            | StmtKind::MoveAll(..)
            | StmtKind::Shuffle(_)
            | StmtKind::Create { .. }
            | StmtKind::Remove(_)
            | StmtKind::Cases { .. }
            | StmtKind::ForEach { .. }
            | StmtKind::Simultaneously(_)
            | StmtKind::Repeat(..)
            | StmtKind::Choose(..)
            | StmtKind::ChooseNumber { .. }
            | StmtKind::ChooseOne { .. }
            | StmtKind::May { .. }
            | StmtKind::Distribute { .. }
            | StmtKind::Perform(..)
            | StmtKind::Resolve { .. }
            | StmtKind::Leave(_)
            | StmtKind::GoTo(_)
            | StmtKind::Declare(_)
            | StmtKind::Gap(_)
            | StmtKind::GapMayChange { .. } => false,
        };
        itself
            && kind
                .blocks()
                .into_iter()
                .all(|inner| are_together(program, inner))
    })
}

/// Fields, variables and zones of which something speaks.
#[derive(Default)]
struct Named {
    fields: BTreeSet<FieldId>,
    vars: BTreeSet<VarId>,
    zones: BTreeSet<ZoneId>,
}

impl Visit<'_> for Named {
    fn field(&mut self, id: FieldId) {
        self.fields.insert(id);
    }

    fn var(&mut self, id: VarId) {
        self.vars.insert(id);
    }

    fn zone_id(&mut self, id: ZoneId) {
        self.zones.insert(id);
    }
}

/// Whether a statement speaks of what one before it may have changed: at once it would see what was there before, which
/// is more than that elements do not see each other.
fn reads_back(program: &Program, block: BlockId, before: &mut Named) -> bool {
    program.blocks[block].stmts.iter().any(|&id| {
        let kind = &program.stmts[id].kind;
        let mut now = Named::default();
        kind.meet(&mut now);
        let again = !now.fields.is_disjoint(&before.fields)
            || !now.vars.is_disjoint(&before.vars)
            || !now.zones.is_disjoint(&before.zones);
        if kind.changes_data() {
            before.fields.extend(now.fields);
            before.vars.extend(now.vars);
            before.zones.extend(now.zones);
        }
        let mut inner = kind.blocks().into_iter();
        again || inner.any(|inner| reads_back(program, inner, before))
    })
}

/// Whether what is done at once has an order in which it could be done one after the other.
fn can_be_apart(program: &Program, block: BlockId) -> bool {
    let has_order = |id: &StmtId| match &program.stmts[*id].kind {
        StmtKind::ForEach { order, .. } => {
            matches!(order, Order::Zone { .. } | Order::Players { .. })
        }
        // Statements stand in an order.
        _ => true,
    };
    program.blocks[block].stmts.iter().all(has_order)
}
