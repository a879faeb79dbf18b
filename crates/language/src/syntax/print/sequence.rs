//! Writes sequences, their steps, restart rules and contracts, and triggers.

use super::Printer;
use super::expr::Follow;
use crate::syntax::ast::{
    Contract, Expr, ListPolicy, Nest, NestOver, Restart, SeqItem, SeqItemKind, Sequence, Step,
    Trigger, Trivia,
};

impl Printer {
    pub(super) fn sequence(&mut self, trivia: &Trivia, sequence: &Sequence) {
        self.put("sequence ")
            .name(&sequence.name)
            .parameters(&sequence.params);
        if sequence.policy != (ListPolicy::InOrder { written: false }) {
            self.comma().put("steps ").list_policy(&sequence.policy);
        }
        if let Some(over) = &sequence.over {
            self.nest_over(over);
        }
        self.end_line(trivia);
        self.nested(|printer| {
            printer.seq_items(&sequence.items);
            printer.comments(&sequence.tail);
        });
    }

    /// What follows `steps`.
    pub(super) fn list_policy(&mut self, policy: &ListPolicy) -> &mut Self {
        match policy {
            ListPolicy::InOrder { .. } => self.put("in order"),
            ListPolicy::Unspecified => self.put("unspecified"),
            ListPolicy::Any => self.put("in any order"),
            ListPolicy::Chosen(decider) => self.put("in an order chosen by ").decider(decider),
        }
    }

    fn nest_over(&mut self, over: &NestOver) {
        self.comma()
            .put("over each ")
            .binder(&over.binder, Follow::NOTHING);
        if let Some(order) = &over.order {
            self.comma().order(order);
        }
        self.comma().put(match over.nest {
            Nest::Steps => "nest steps",
            Nest::Places => "nest places",
            Nest::Unspecified => "nest unspecified",
        });
    }

    fn seq_items(&mut self, items: &[SeqItem]) {
        for SeqItem { trivia, kind, .. } in items {
            match kind {
                SeqItemKind::Error => self.error(trivia),
                SeqItemKind::Clause(clause, items, tail) => {
                    self.clause(trivia, clause, tail, |printer| printer.seq_items(items));
                }
                SeqItemKind::Annotation(line) => self.clause_line(line).end_line(trivia),
                SeqItemKind::Item(item) => self.item_kind(trivia, item),
                SeqItemKind::Step(step) => self.step(trivia, step),
                SeqItemKind::Restart(restart) => self.restart(trivia, restart),
                SeqItemKind::Contract(contract) => self.contract(trivia, contract),
            }
        }
    }

    fn step(&mut self, trivia: &Trivia, step: &Step) {
        self.put("step ").name(&step.name).end_line(trivia);
        self.nested(|printer| {
            for stmt in &step.body.stmts {
                printer.stmt(stmt);
            }
            printer.ensures(&step.ensures);
            printer.comments(&step.body.tail);
        });
    }

    fn ensures(&mut self, ensures: &[(Trivia, Expr)]) {
        for (trivia, condition) in ensures {
            self.put("ensures ").expr(condition).end_line(trivia);
        }
    }

    fn restart(&mut self, trivia: &Trivia, restart: &Restart) {
        self.put("restart when ")
            .expr(&restart.when)
            .end_line(trivia);
        self.nested(|printer| {
            printer
                .put("cancel ")
                .cancel(&restart.cancel)
                .end_plain_line();
            printer
                .put("unfinished ")
                .unfinished(&restart.unfinished)
                .end_plain_line();
            if let Some((trivia, block)) = &restart.before {
                printer.put("before restarting").end_line(trivia);
                printer.block(block);
            }
        });
    }

    fn contract(&mut self, trivia: &Trivia, contract: &Contract) {
        self.put("contract").end_line(trivia);
        self.nested(|printer| {
            for (trivia, place, within) in &contract.changes {
                printer.put("changes ").place(place).within(within.as_ref());
                printer.end_line(trivia);
            }
            printer.ensures(&contract.ensures);
            printer.comments(&contract.tail);
        });
    }

    pub(super) fn trigger(&mut self, trivia: &Trivia, trigger: &Trigger) {
        self.put("trigger ").name(&trigger.name);
        if let Some(listener) = &trigger.listener {
            self.put(" for each ")
                .binder(listener, Follow::NOTHING)
                .put(",")
                .break_here();
        }
        self.put(" on ").name(&trigger.event);
        if !trigger.args.is_empty() {
            self.put("(").names(&trigger.args).put(")");
        }
        self.condition(trigger.condition.as_ref());
        if let Some(priority) = trigger.priority {
            self.comma().put("priority ").number(priority);
        }
        self.end_line(trivia);
        self.block(&trigger.body);
    }
}
