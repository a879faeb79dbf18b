//! Visits every node of a syntax tree and notes the name of its form.

use super::names;
use crate::syntax::ast::{
    Binder, Block, BoardLine, ClaimKind, Clause, ClauseLine, Contract, Decider, DomainPolicy,
    EntityDecl, ExampleLine, Expr, ExprKind, Item, ItemKind, ListPolicy, MoveTarget, NestOver,
    Order, Restart, SeqItem, SeqItemKind, Sequence, Sight, Stmt, StmtKind, Trigger, Trivia,
    TypeExpr, When, Whom,
};
use crate::syntax::ast::{Cancel, CasePolicy, Unfinished};
use std::collections::BTreeSet;

/// The names found so far.
#[derive(Default)]
pub(super) struct Census {
    pub(super) found: BTreeSet<&'static str>,
}

impl Census {
    fn note(&mut self, name: &'static str) {
        self.found.insert(name);
    }

    pub(super) fn items(&mut self, items: &[Item]) {
        for item in items {
            self.item(&item.kind);
        }
    }

    fn item(&mut self, kind: &ItemKind) {
        self.note(names::item(kind));
        match kind {
            ItemKind::Document(_, items, _) => self.items(items),
            ItemKind::Clause(clause, items, _) => {
                self.clause(clause);
                self.items(items);
            }
            ItemKind::Entity(entity) => self.entity(entity),
            ItemKind::Var(var) => {
                self.type_expr(&var.ty);
                self.exprs(var.default.iter().chain(&var.starts));
            }
            ItemKind::Role(role) => self.exprs(&role.starts),
            ItemKind::Zone(zone) => {
                for option in &zone.options {
                    self.note(names::zone_option(option));
                }
            }
            ItemKind::Define(define) => self.expr(&define.body),
            ItemKind::Legal(legal) => self.expr(&legal.condition),
            ItemKind::Queue(queue) => self.note(names::discipline(&queue.discipline)),
            ItemKind::Event(event) => event.listeners.iter().for_each(|one| self.order(one)),
            ItemKind::Trigger(trigger) => self.trigger(trigger),
            ItemKind::Sequence(sequence) => self.sequence(sequence),
            ItemKind::Observer(observer) => {
                for (_, sight) in &observer.sights {
                    self.note(names::sight(sight));
                    if let Sight::Sees(seen) | Sight::SeesAsSet(seen) | Sight::Ignores(seen) = sight
                    {
                        self.expr(seen);
                    }
                }
            }
            ItemKind::Verify(verify) => self.exprs(&verify.condition),
            ItemKind::Claim(claim) => self.claim(&claim.kind),
            ItemKind::Board(board) => self.board(&board.lines),
            ItemKind::Example(example) => {
                for (_, line) in &example.lines {
                    self.example_line(line);
                }
            }
            ItemKind::Error
            | ItemKind::Game(_)
            | ItemKind::Include(_)
            | ItemKind::Type(_)
            | ItemKind::Reading(_)
            | ItemKind::Accept(_) => {}
        }
    }

    fn entity(&mut self, entity: &EntityDecl) {
        for field in &entity.fields {
            self.type_expr(&field.ty);
            self.exprs(field.default.iter().chain(&field.starts));
        }
    }

    fn type_expr(&mut self, ty: &TypeExpr) {
        self.note(names::type_expr(ty));
    }

    fn clause(&mut self, clause: &Clause) {
        self.note(names::clause_kind(&clause.kind));
        for (_, line) in &clause.lines {
            self.clause_line(line);
        }
    }

    fn clause_line(&mut self, line: &ClauseLine) {
        self.note(names::clause_line(line));
        if let ClauseLine::Basis(basis) = line {
            self.note(names::basis(&basis.kind));
        }
    }

    fn trigger(&mut self, trigger: &Trigger) {
        trigger.listener.iter().for_each(|one| self.binder(one));
        self.exprs(&trigger.condition);
        self.block(&trigger.body);
    }

    fn sequence(&mut self, sequence: &Sequence) {
        self.note(names::list_policy(&sequence.policy));
        if let ListPolicy::Chosen(by) = &sequence.policy {
            self.decider(by);
        }
        if let Some(NestOver {
            binder,
            order,
            nest,
        }) = &sequence.over
        {
            self.note(names::nest(nest));
            self.binder(binder);
            order.iter().for_each(|order| self.order(order));
        }
        self.seq_items(&sequence.items);
    }

    fn seq_items(&mut self, items: &[SeqItem]) {
        for item in items {
            self.note(names::seq_item(&item.kind));
            match &item.kind {
                SeqItemKind::Error => {}
                SeqItemKind::Clause(clause, items, _) => {
                    self.clause(clause);
                    self.seq_items(items);
                }
                SeqItemKind::Annotation(line) => self.clause_line(line),
                SeqItemKind::Item(kind) => self.item(kind),
                SeqItemKind::Step(step) => {
                    self.block(&step.body);
                    self.exprs(step.ensures.iter().map(|(_, condition)| condition));
                }
                SeqItemKind::Restart(restart) => self.restart(restart),
                SeqItemKind::Contract(contract) => self.contract(contract),
            }
        }
    }

    fn restart(&mut self, restart: &Restart) {
        self.expr(&restart.when);
        self.cancel(&restart.cancel);
        self.unfinished(&restart.unfinished);
        self.optional_block(&restart.before);
    }

    fn cancel(&mut self, cancel: &Cancel) {
        self.note(names::cancel(cancel));
        if let Cancel::Per(per) = cancel {
            per.alternatives
                .iter()
                .for_each(|(_, one)| self.cancel(one));
        }
    }

    fn unfinished(&mut self, unfinished: &Unfinished) {
        self.note(names::unfinished(unfinished));
        if let Unfinished::Per(per) = unfinished {
            per.alternatives
                .iter()
                .for_each(|(_, one)| self.unfinished(one));
        }
    }

    fn contract(&mut self, contract: &Contract) {
        for (_, place, within) in &contract.changes {
            self.expr(place);
            let ends = within.iter().flat_map(|range| [&range.low, &range.high]);
            self.exprs(ends);
        }
        self.exprs(contract.ensures.iter().map(|(_, condition)| condition));
    }

    fn optional_block(&mut self, block: &Option<(Trivia, Block)>) {
        block.iter().for_each(|(_, block)| self.block(block));
    }

    fn block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            self.note(names::stmt(&stmt.kind));
            self.plain(stmt);
            self.nested(stmt);
        }
    }

    /// Statements without others under them.
    fn plain(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Annotation(line) => self.clause_line(line),
            StmtKind::Let(_, one) | StmtKind::Shuffle(one) | StmtKind::Remove(one) => {
                self.expr(one);
            }
            StmtKind::Set(place, value) => self.exprs([place, value]),
            StmtKind::Increase(place, by, bound) | StmtKind::Decrease(place, by, bound) => {
                self.exprs([place, by].into_iter().chain(bound));
            }
            StmtKind::Transfer { amount, from, to } => self.exprs([amount, from, to]),
            StmtKind::Move(moved, target) | StmtKind::MoveAll(moved, target) => {
                self.expr(moved);
                self.target(target);
            }
            StmtKind::Create { target, with, .. } => {
                target.iter().for_each(|target| self.target(target));
                self.exprs(with.iter().map(|(_, value)| value));
            }
            StmtKind::Announce(_, arguments) | StmtKind::Perform(_, arguments) => {
                self.exprs(arguments);
            }
            StmtKind::Choose(binder, by) => {
                self.binder(binder);
                self.decider(by);
            }
            StmtKind::ChooseNumber { low, high, by, .. } => {
                self.exprs([low, high]);
                self.decider(by);
            }
            StmtKind::Distribute {
                amount,
                binder,
                into,
                by,
                each,
            } => {
                self.exprs([amount, into].into_iter().chain(each));
                self.binder(binder);
                self.decider(by);
            }
            StmtKind::Declare(word, whom) => {
                self.note(names::outcome(word));
                whom.iter().for_each(|whom| self.whom(whom));
            }
            StmtKind::GapMayChange { place, within, .. } => {
                self.expr(place);
                let ends = within.iter().flat_map(|range| [&range.low, &range.high]);
                self.exprs(ends);
            }
            _ => {}
        }
    }

    /// Statements with others under them.
    fn nested(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Clause(clause, body) => {
                self.clause(clause);
                self.block(body);
            }
            StmtKind::If(arms, otherwise) => {
                for (guard, body) in arms {
                    self.expr(guard);
                    self.block(body);
                }
                self.optional_block(otherwise);
            }
            StmtKind::Cases {
                policy,
                arms,
                otherwise,
                ..
            } => {
                self.note(names::case_policy(policy));
                if let CasePolicy::Chosen(by) = policy {
                    self.decider(by);
                }
                for arm in arms {
                    self.expr(&arm.guard);
                    self.block(&arm.body);
                }
                self.optional_block(otherwise);
            }
            StmtKind::Depending { arms, .. } => {
                arms.iter().for_each(|(_, _, body)| self.block(body));
            }
            StmtKind::ForEach {
                binder,
                order,
                domain,
                body,
            } => {
                self.binder(binder);
                order.iter().for_each(|order| self.order(order));
                domain.iter().for_each(|domain| self.domain(domain));
                self.block(body);
            }
            StmtKind::Simultaneously(body) => self.block(body),
            StmtKind::Repeat(when, body) => {
                self.note(names::when(when));
                if let When::Until(condition) | When::While(condition) = when {
                    self.expr(condition);
                }
                self.block(body);
            }
            StmtKind::ChooseOne { by, options, .. } => {
                self.decider(by);
                for option in options {
                    self.exprs(&option.guard);
                    self.block(&option.body);
                }
            }
            StmtKind::May {
                by,
                body,
                otherwise,
                ..
            } => {
                self.decider(by);
                self.block(body);
                self.optional_block(otherwise);
            }
            _ => {}
        }
    }

    fn target(&mut self, target: &MoveTarget) {
        self.note(names::target(target));
        match target {
            MoveTarget::Zone(_, one) | MoveTarget::Before(one) | MoveTarget::After(one) => {
                self.expr(one);
            }
        }
    }

    fn decider(&mut self, by: &Decider) {
        self.note(names::decider(by));
        if let Decider::Player(player) = by {
            self.expr(player);
        }
    }

    fn whom(&mut self, whom: &Whom) {
        self.note(names::whom(whom));
        if let Whom::Player(player) = whom {
            self.expr(player);
        }
    }

    fn order(&mut self, order: &Order) {
        self.note(names::order(order));
        match order {
            Order::Any => {}
            Order::Zone { from, .. } | Order::Players { from, .. } => self.exprs(from),
            Order::Chosen(by) => self.decider(by),
            Order::Per(per) => per.alternatives.iter().for_each(|(_, one)| self.order(one)),
        }
    }

    fn domain(&mut self, domain: &DomainPolicy) {
        self.note(names::domain(domain));
        if let DomainPolicy::Per(per) = domain {
            per.alternatives
                .iter()
                .for_each(|(_, one)| self.domain(one));
        }
    }

    fn claim(&mut self, claim: &ClaimKind) {
        self.note(names::claim(claim));
        match claim {
            ClaimKind::Equivalent(_, _, on) | ClaimKind::Terminates(_, on) => self.exprs(on),
            ClaimKind::Must(holds, _, on) => self.exprs(std::iter::once(holds).chain(on)),
            ClaimKind::Invariant(one, ..)
            | ClaimKind::Reachable(_, one, _)
            | ClaimKind::Conserves(one, _) => self.expr(one),
            ClaimKind::Error | ClaimKind::OrderIrrelevant(_) | ClaimKind::Idempotent(_) => {}
        }
    }

    fn board(&mut self, lines: &[(Trivia, BoardLine)]) {
        for (_, line) in lines {
            self.note(names::board_line(line));
            match line {
                BoardLine::Error => {}
                BoardLine::Entities { zone, with, .. } => {
                    self.exprs(zone.iter().chain(with.iter().map(|(_, value)| value)));
                }
                BoardLine::Var(_, value) => self.expr(value),
            }
        }
    }

    fn example_line(&mut self, line: &ExampleLine) {
        self.note(names::example_line(line));
        match line {
            ExampleLine::Given(lines, _) => self.board(lines),
            ExampleLine::Perform(_, arguments) => self.exprs(arguments),
            ExampleLine::After(_, condition) | ExampleLine::Expect { condition, .. } => {
                self.expr(condition);
            }
            ExampleLine::ExpectOutcome(word, whom) => {
                self.note(names::outcome(word));
                whom.iter().for_each(|whom| self.whom(whom));
            }
            ExampleLine::Error
            | ExampleLine::On(_)
            | ExampleLine::Reading(..)
            | ExampleLine::ExpectGap { .. }
            | ExampleLine::Choose(_) => {}
        }
    }

    fn binder(&mut self, binder: &Binder) {
        self.exprs(binder.zone.iter().chain(&binder.filter));
    }

    fn exprs<'a>(&mut self, exprs: impl IntoIterator<Item = &'a Expr>) {
        for one in exprs {
            self.expr(one);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        self.note(names::expr(&expr.kind));
        match &expr.kind {
            ExprKind::Binary(op, ..) => self.note(names::operator(op)),
            ExprKind::Builtin(builtin, _) => self.note(names::builtin(builtin)),
            ExprKind::Is { test, .. } => self.note(names::test(test)),
            _ => {}
        }
        expr.for_each_child(&mut |child| self.expr(child));
    }
}
