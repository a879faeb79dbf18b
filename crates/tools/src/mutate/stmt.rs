//! What can stand instead of a statement.

use super::draft::{Draft, Edit};
use super::expr::changed;
use super::operator::Operator;
use super::other::{domains, orders};
use super::walk::Exprs;
use endstep_language::typing::program::{
    CasePolicy, Expr, ExprKind, Order, Program, StmtId, StmtKind, Target, Type, Value, Walk,
};

/// Something else: the operator, what becomes of it in words, and what stands there then.
type Other = (Operator, String, StmtKind);

/// The mutants of all statements of rules.
pub(super) fn drafts(program: &Program) -> Vec<Draft> {
    let mut found = Vec::new();
    let made_up = program.made_up();
    let simultaneous = program.simultaneous();
    let rules = program.stmts.iter();
    for (id, stmt) in rules.filter(|(id, _)| !made_up.contains(id)) {
        let mut add = |span, operator, text, kind| {
            found.push(Draft {
                operator,
                span,
                clause: stmt.clause,
                text,
                edit: Edit::Stmt(id, Box::new(kind)),
            });
        };
        for (operator, text, kind) in others(program, id) {
            // Effects that come about together stop at no gap.
            if !(matches!(kind, StmtKind::Gap(_)) && simultaneous.contains(&id)) {
                add(stmt.span, operator, text, kind);
            }
        }
        let each = |kind: &mut StmtKind, visit: &mut Exprs<'_>| kind.meet_mut(visit);
        for (span, operator, text, kind) in changed(program, &stmt.kind, &each) {
            add(span, operator, text, kind);
        }
    }
    found
}

/// The operator that leaves a statement out, if one does.
pub(super) fn without(kind: &StmtKind) -> Option<Operator> {
    Some(match kind {
        StmtKind::Set(..)
        | StmtKind::Increase(..)
        | StmtKind::Decrease(..)
        | StmtKind::Transfer { .. }
        | StmtKind::Distribute { .. } => Operator::Assignment,
        StmtKind::Move(..)
        | StmtKind::MoveAll(..)
        | StmtKind::Shuffle(_)
        | StmtKind::Remove(_)
        | StmtKind::Create { local: None, .. } => Operator::Move,
        StmtKind::Announce(..) => Operator::Emission,
        StmtKind::Perform(..) | StmtKind::Resolve { .. } => Operator::Call,
        StmtKind::Leave(_) | StmtKind::GoTo(_) | StmtKind::Declare(_) => Operator::Exit,
        StmtKind::Gap(_) | StmtKind::GapGoesOn { .. } | StmtKind::GapMayChange { .. } => {
            Operator::Gap
        }
        _ => return None,
    })
}

fn others(program: &Program, id: StmtId) -> Vec<Other> {
    let stmt = &program.stmts[id];
    let mut found: Vec<Other> = Vec::new();
    if let Some(operator) = without(&stmt.kind) {
        found.push((operator, "it is left out".to_owned(), StmtKind::Nothing));
    }
    let always = |body| {
        let truth = Expr {
            kind: ExprKind::Const(Value::Bool(true)),
            ty: Type::Bool,
            span: stmt.span,
        };
        StmtKind::If(vec![(truth, body)], None)
    };
    match &stmt.kind {
        StmtKind::Increase(..) | StmtKind::Decrease(..) => amounts(&stmt.kind, &mut found),
        StmtKind::Move(..) | StmtKind::MoveAll(..) => {
            found.extend(other_end(program, &stmt.kind));
        }
        StmtKind::If(arms, Some(_)) => {
            let text = "what is done otherwise is left out".to_owned();
            found.push((Operator::Otherwise, text, StmtKind::If(arms.clone(), None)));
        }
        StmtKind::Cases { .. } => found.extend(other_policy(&stmt.kind)),
        StmtKind::ForEach { .. } => iterations(&stmt.kind, &mut found),
        StmtKind::Simultaneously(body) => {
            let text = "one after the other, not at once".to_owned();
            found.push((Operator::Together, text, always(*body)));
        }
        StmtKind::Repeat(_, body) => {
            found.push((Operator::Repeat, "once".to_owned(), always(*body)));
        }
        StmtKind::GapGoesOn { gap, .. } => {
            let text = "the run ends there".to_owned();
            found.push((Operator::Gap, text, StmtKind::Gap(*gap)));
        }
        StmtKind::May { body, .. } => {
            found.push((Operator::May, "must, not may".to_owned(), always(*body)));
        }
        StmtKind::Distribute { .. } => {
            let mut kind = stmt.kind.clone();
            if let StmtKind::Distribute { each, .. } = &mut kind
                && each.take().is_some()
            {
                found.push((Operator::Clamp, "without a limit".to_owned(), kind));
            }
        }
        _ => {}
    }
    found
}

fn amounts(kind: &StmtKind, found: &mut Vec<Other>) {
    let (at, by, clamp, more) = match kind {
        StmtKind::Increase(at, by, clamp) => (at, by, clamp, true),
        StmtKind::Decrease(at, by, clamp) => (at, by, clamp, false),
        _ => return,
    };
    let make = |more, clamp| match more {
        true => StmtKind::Increase(at.clone(), by.clone(), clamp),
        false => StmtKind::Decrease(at.clone(), by.clone(), clamp),
    };
    let (old, new) = match more {
        true => ("increase", "decrease"),
        false => ("decrease", "increase"),
    };
    // A clamp of the other direction would mean something else.
    let text = format!("`{old}` becomes `{new}`");
    found.push((Operator::Sign, text, make(!more, None)));
    if clamp.is_some() {
        let text = "it is not clamped".to_owned();
        found.push((Operator::Clamp, text, make(more, None)));
    }
}

fn other_end(program: &Program, kind: &StmtKind) -> Option<Other> {
    let mut kind = kind.clone();
    let (StmtKind::Move(_, target) | StmtKind::MoveAll(_, target)) = &mut kind else {
        return None;
    };
    let text = match target {
        Target::Zone(_, zone) if program.zones[zone.zone].unordered => return None,
        Target::Zone(first, _) => {
            *first = !*first;
            match *first {
                true => "to the first place, not to the last",
                false => "to the last place, not to the first",
            }
        }
        Target::Before(next) => {
            *target = Target::After(next.clone());
            "`before` becomes `after`"
        }
        Target::After(next) => {
            *target = Target::Before(next.clone());
            "`after` becomes `before`"
        }
    };
    Some((Operator::End, text.to_owned(), kind))
}

fn other_policy(kind: &StmtKind) -> Option<Other> {
    let mut kind = kind.clone();
    let StmtKind::Cases { policy, .. } = &mut kind else {
        return None;
    };
    let text = match policy {
        CasePolicy::Exclusive | CasePolicy::Chosen(_) => {
            *policy = CasePolicy::InOrder;
            "the first case that holds"
        }
        CasePolicy::InOrder => {
            *policy = CasePolicy::Exclusive;
            "in no order"
        }
    };
    Some((Operator::Order, text.to_owned(), kind))
}

fn iterations(kind: &StmtKind, found: &mut Vec<Other>) {
    let StmtKind::ForEach { order, domain, .. } = kind else {
        return;
    };
    // Whose turn it is, and what lies at a position, needs an order that is there.
    let is_possible = |new: &Order| domain.visits_elements() || !matches!(new, Order::Any);
    for (text, new) in orders(order) {
        if !is_possible(&new) {
            continue;
        }
        let mut kind = kind.clone();
        if let StmtKind::ForEach { order, .. } = &mut kind {
            *order = new;
        }
        found.push((Operator::Order, text, kind));
    }
    for (text, new) in domains(domain) {
        let mut kind = kind.clone();
        if let StmtKind::ForEach { domain, .. } = &mut kind {
            *domain = new;
        }
        found.push((Operator::Domain, text, kind));
    }
}
