//! Statements to operations.

use super::expr::{binder, decider, lower as expr, order, place, zone};
use crate::ir::{
    Arm, Each, Effect, Expr, ExprKind, OpKind, Policy, System, Target, Until, Visit, Walk,
};
use endstep_language::typing::program::{
    self, CasePolicy, Declared, Program, StmtKind, Type, When, Whom,
};

/// The operation of a statement.
#[allow(
    clippy::too_many_lines,
    reason = "a flat match with one arm for each statement"
)]
pub fn lower(program: &Program, stmt: &StmtKind) -> OpKind {
    let low = |e: &program::Expr| expr(program, e);
    let maybe = |e: &Option<program::Expr>| e.as_ref().map(|e| expr(program, e));
    let all = |list: &[program::Expr]| list.iter().map(|e| expr(program, e)).collect();
    match stmt {
        StmtKind::Nothing => OpKind::Skip,
        StmtKind::Pass => OpKind::Pass,
        StmtKind::Let(local, e) => OpKind::Let(*local, low(e)),
        StmtKind::Set(to, e) => OpKind::Set(place(program, to), low(e)),
        StmtKind::Increase(to, by, bound) => OpKind::Add {
            place: place(program, to),
            sign: 1,
            by: low(by),
            bound: maybe(bound),
        },
        StmtKind::Decrease(to, by, bound) => OpKind::Add {
            place: place(program, to),
            sign: -1,
            by: low(by),
            bound: maybe(bound),
        },
        StmtKind::Transfer { amount, from, to } => OpKind::Transfer {
            amount: low(amount),
            from: place(program, from),
            to: place(program, to),
        },
        StmtKind::Move(of, to) => OpKind::Move(low(of), target(program, to)),
        StmtKind::MoveAll(of, to) => OpKind::MoveAll(zone(program, of), target(program, to)),
        StmtKind::Shuffle(of) => OpKind::Shuffle(zone(program, of)),
        StmtKind::Create {
            sort,
            local,
            target: to,
            with,
        } => OpKind::Create {
            sort: *sort,
            local: *local,
            target: to.as_ref().map(|to| target(program, to)),
            with: with.iter().map(|(field, e)| (*field, low(e))).collect(),
        },
        StmtKind::Remove(of) => match of.ty {
            Type::Entity(sort) | Type::Optional(sort) => OpKind::Remove(low(of), sort),
            other => unreachable!("not an entity: {other:?}"),
        },
        StmtKind::Announce(event, args) => OpKind::Announce(*event, all(args)),
        StmtKind::If(arms, otherwise) => OpKind::If(guarded(program, arms), *otherwise),
        StmtKind::Cases {
            policy,
            arms,
            otherwise,
        } => OpKind::Cases {
            policy: match policy {
                CasePolicy::Exclusive => Policy::Exclusive,
                CasePolicy::InOrder => Policy::InOrder,
                CasePolicy::Chosen(by) => Policy::Chosen(decider(program, by)),
            },
            arms: guarded(program, arms),
            otherwise: *otherwise,
        },
        StmtKind::Depending(reading, blocks) => OpKind::Switch(*reading, blocks.clone()),
        StmtKind::ForEach {
            binder: over,
            order: by,
            domain,
            body,
        } => OpKind::Each(Box::new(Each {
            binder: binder(program, over),
            order: order(program, by),
            domain: domain.clone(),
            body: *body,
            standing: true,
        })),
        StmtKind::Simultaneously(block) => OpKind::Atomic(*block),
        StmtKind::Repeat(when, block) => {
            let until = match when {
                When::Until(e) => Until::Until(low(e)),
                When::While(e) => Until::While(low(e)),
                When::Stable => Until::Stable,
            };
            OpKind::Repeat(until, *block)
        }
        StmtKind::Choose(over, by) => {
            OpKind::ChooseElement(binder(program, over), decider(program, by))
        }
        StmtKind::ChooseNumber {
            local,
            low: a,
            high: b,
            by,
        } => OpKind::ChooseNumber {
            local: *local,
            low: low(a),
            high: low(b),
            by: decider(program, by),
        },
        StmtKind::ChooseOne { by, options } => {
            let arms = options.iter().map(|(label, guard, body)| Arm {
                label: label.clone(),
                guard: maybe(guard),
                body: Some(*body),
                taken: None,
            });
            OpKind::ChooseBlock(arms.collect(), decider(program, by))
        }
        StmtKind::May {
            by,
            label,
            body,
            otherwise,
        } => {
            let arm = |body, taken| Arm {
                label: label.clone().unwrap_or_default(),
                guard: None,
                body,
                taken: Some(taken),
            };
            let arms = vec![arm(Some(*body), true), arm(*otherwise, false)];
            OpKind::ChooseBlock(arms, decider(program, by))
        }
        StmtKind::Distribute {
            amount,
            binder: over,
            into,
            by,
            each,
        } => OpKind::Distribute {
            amount: low(amount),
            binder: binder(program, over),
            into: place(program, into),
            by: decider(program, by),
            each: maybe(each),
        },
        StmtKind::Perform(sequence, args) => OpKind::Call(*sequence, all(args)),
        StmtKind::Resolve { one, queue } => OpKind::Resolve {
            one: *one,
            queue: *queue,
        },
        StmtKind::Leave(sequence) => OpKind::Leave(*sequence),
        StmtKind::GoTo(step) => OpKind::GoTo(*step),
        StmtKind::Declare(declared) => OpKind::Stop(effect(program, declared)),
        StmtKind::Gap(gap) => OpKind::Stop(Effect::Gap(*gap)),
        StmtKind::GapGoesOn { gap, .. } => OpKind::Meet(*gap),
        StmtKind::GapMayChange {
            place: to,
            within: bounds,
            ..
        } => OpKind::ChooseValue {
            place: place(program, to),
            ty: to.ty,
            within: within(program, bounds.as_ref()),
        },
    }
}

fn guarded(
    program: &Program,
    arms: &[(program::Expr, program::BlockId)],
) -> Vec<(Expr, program::BlockId)> {
    arms.iter()
        .map(|(guard, body)| (expr(program, guard), *body))
        .collect()
}

/// Two bounds.
pub fn within(
    program: &Program,
    bounds: Option<&(program::Expr, program::Expr)>,
) -> Option<(Expr, Expr)> {
    bounds.map(|(a, b)| (expr(program, a), expr(program, b)))
}

fn effect(program: &Program, declared: &Declared) -> Effect {
    let whom = |of: &Whom| match of {
        Whom::Player(e) => Some(expr(program, e)),
        Whom::Everyone => None,
    };
    match declared {
        Declared::Win(of) => Effect::Win(whom(of)),
        Declared::Loss(of) => Effect::Loss(whom(of)),
        Declared::Draw => Effect::Draw,
        Declared::End => Effect::End,
    }
}

fn target(program: &Program, to: &program::Target) -> Target {
    match to {
        program::Target::Zone(first, of) => Target::Zone(*first, zone(program, of)),
        program::Target::Before(e) => Target::Beside(false, expr(program, e)),
        program::Target::After(e) => Target::Beside(true, expr(program, e)),
    }
}

/// Marks the iterations whose elements cannot be told before their step begins: those that read a
/// local which is no parameter and which they do not bind themselves.
pub fn mark_standing(program: &Program, system: &mut System) {
    for (_, step) in program.steps.iter() {
        let params = program.sequences[step.sequence].params.len();
        for stmt in &program.blocks[step.body].stmts {
            let OpKind::Each(each) = &mut system.ops[*stmt].kind else {
                continue;
            };
            let mut bound = Bound(Vec::new());
            each.binder.meet(&mut bound);
            let foreign = |e: &Expr| match e.kind {
                ExprKind::Local(local) => local.0 as usize >= params && !bound.0.contains(&local),
                _ => false,
            };
            each.standing = !each.binder.children().into_iter().any(|e| e.any(&foreign));
        }
    }
}

/// The locals that are bound inside.
struct Bound(Vec<program::LocalId>);

impl<'t> Visit<'t> for Bound {
    fn expr(&mut self, e: &'t Expr) {
        if !matches!(e.kind, ExprKind::Local(_)) {
            e.inside(self);
        }
    }

    fn local(&mut self, id: program::LocalId) {
        self.0.push(id);
    }
}
