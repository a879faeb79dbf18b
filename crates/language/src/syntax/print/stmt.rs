//! Writes statements.

use super::Printer;
use super::expr::Follow;
use super::policy::outcome_word;
use crate::syntax::ast::{Block, CasePolicy, Decider, Expr, Name, Stmt, StmtKind, Trivia, When};

impl Printer {
    /// Statements nested under the last line.
    pub(super) fn block(&mut self, block: &Block) {
        self.nested(|printer| {
            for stmt in &block.stmts {
                printer.stmt(stmt);
            }
            printer.comments(&block.tail);
        });
    }

    pub(super) fn stmt(&mut self, stmt: &Stmt) {
        let Stmt { trivia, kind, .. } = stmt;
        match kind {
            StmtKind::Error => self.error(trivia),
            StmtKind::Clause(clause, block) => {
                self.clause(trivia, clause, &block.tail, |printer| {
                    for stmt in &block.stmts {
                        printer.stmt(stmt);
                    }
                });
            }
            StmtKind::If(..)
            | StmtKind::Cases { .. }
            | StmtKind::Depending { .. }
            | StmtKind::ForEach { .. }
            | StmtKind::Simultaneously(_)
            | StmtKind::Repeat(..)
            | StmtKind::ChooseOne { .. }
            | StmtKind::May { .. } => self.compound(trivia, kind),
            _ => self.simple(kind).end_line(trivia),
        }
    }

    /// A statement on one line.
    fn simple(&mut self, kind: &StmtKind) -> &mut Self {
        match kind {
            StmtKind::Annotation(line) => self.clause_line(line),
            StmtKind::Pass => self.put("pass"),
            StmtKind::Let(name, value) => self.put("let ").name(name).put(" = ").expr(value),
            StmtKind::Set(place, value) => self.put("set ").place(place).put(" to ").expr(value),
            StmtKind::Increase(place, amount, most) => {
                self.put("increase ").place(place).put(" by ").expr(amount);
                self.bounded(", at most ", most.as_ref())
            }
            StmtKind::Decrease(place, amount, least) => {
                self.put("decrease ").place(place).put(" by ").expr(amount);
                self.bounded(", at least ", least.as_ref())
            }
            StmtKind::Transfer { amount, from, to } => {
                self.put("transfer ").expr(amount).put(" from ").place(from);
                self.put(" to ").place(to)
            }
            StmtKind::Move(moved, target) => {
                self.put("move ").expr(moved).put(" to ").target(target)
            }
            StmtKind::MoveAll(zone, target) => self
                .put("move all of ")
                .operand(zone)
                .put(" to ")
                .target(target),
            StmtKind::Shuffle(zone) => self.put("shuffle ").operand(zone),
            StmtKind::Create {
                sort,
                name,
                target,
                with,
            } => {
                self.put("create ").name(sort);
                if let Some(name) = name {
                    self.put(" as ").name(name);
                }
                if let Some(target) = target {
                    self.put(" in ").target(target);
                }
                self.with(with)
            }
            StmtKind::Remove(removed) => self.put("remove ").expr(removed),
            StmtKind::Announce(event, arguments) => {
                self.put("announce ").name(event).arguments(arguments)
            }
            StmtKind::Perform(sequence, arguments) => {
                self.put("perform ").name(sequence).arguments(arguments)
            }
            StmtKind::Resolve { one, queue } => self
                .put(if *one { "resolve next of " } else { "resolve " })
                .name(queue),
            StmtKind::Leave(sequence) => self.put("leave ").name(sequence),
            StmtKind::GoTo(step) => self.put("go to ").name(step),
            StmtKind::Declare(outcome, whom) => self
                .put("declare ")
                .put(outcome_word(*outcome))
                .whom(whom.as_ref()),
            _ => self.choice(kind),
        }
    }

    /// A statement on one line in which something is left open.
    fn choice(&mut self, kind: &StmtKind) -> &mut Self {
        match kind {
            StmtKind::Choose(binder, by) => {
                self.put("choose ").binder(binder, Follow::NOTHING).by(by)
            }
            StmtKind::ChooseNumber {
                name,
                low,
                high,
                by,
            } => {
                self.put("choose number ").name(name).put(" from ").sum(low);
                self.put(" to ").sum(high).by(by)
            }
            StmtKind::Distribute {
                amount,
                binder,
                into,
                by,
                each,
            } => {
                self.put("distribute ").expr(amount).put(" over ");
                self.binder(binder, Follow::NOTHING)
                    .put(" into ")
                    .place(into)
                    .by(by);
                self.bounded(", at most ", each.as_ref());
                self.put(if each.is_some() { " each" } else { "" })
            }
            StmtKind::Gap(name, text) => self.put("gap ").name(name).maybe_quoted(text.as_ref()),
            StmtKind::GapGoesOn {
                name,
                text,
                assuming,
            } => {
                self.put("gap ").name(name).maybe_quoted(text.as_ref());
                self.put(" and go on");
                match assuming {
                    Some(_) => self.put(" assuming").maybe_quoted(assuming.as_ref()),
                    None => self,
                }
            }
            StmtKind::GapMayChange {
                name,
                text,
                place,
                within,
            } => {
                self.put("gap ").name(name).maybe_quoted(text.as_ref());
                self.put(" may change ")
                    .place(place)
                    .within(within.as_ref())
            }
            _ => self.put("nothing"),
        }
    }

    /// A statement with others nested under it.
    fn compound(&mut self, trivia: &Trivia, kind: &StmtKind) {
        match kind {
            StmtKind::If(arms, otherwise) => self.if_statement(trivia, arms, otherwise.as_ref()),
            StmtKind::Cases { .. } => self.cases(trivia, kind),
            StmtKind::Depending {
                reading,
                arms,
                tail,
            } => {
                self.put("depending on ").name(reading).end_line(trivia);
                self.nested(|printer| {
                    for (trivia, alternative, block) in arms {
                        printer.put("when ").name(alternative).end_line(trivia);
                        printer.block(block);
                    }
                    printer.comments(tail);
                });
            }
            StmtKind::ForEach { .. } => self.for_each(trivia, kind),
            StmtKind::Simultaneously(block) => {
                self.put("simultaneously").end_line(trivia);
                self.block(block);
            }
            StmtKind::Repeat(when, block) => {
                match when {
                    When::Stable => self.put("repeat until stable"),
                    When::Until(condition) => self.put("repeat until ").expr(condition),
                    When::While(condition) => self.put("repeat while ").expr(condition),
                };
                self.end_line(trivia);
                self.block(block);
            }
            StmtKind::ChooseOne { by, options, tail } => {
                self.put("choose one").by(by).end_line(trivia);
                self.nested(|printer| {
                    for option in options {
                        printer.put("option ").quoted(&option.label);
                        printer
                            .condition(option.guard.as_ref())
                            .end_line(&option.trivia);
                        printer.block(&option.body);
                    }
                    printer.comments(tail);
                });
            }
            StmtKind::May {
                by,
                label,
                body,
                otherwise,
            } => {
                self.put("may")
                    .by(by)
                    .maybe_quoted(label.as_ref())
                    .end_line(trivia);
                self.block(body);
                self.otherwise(otherwise.as_ref());
            }
            _ => {}
        }
    }

    fn if_statement(
        &mut self,
        trivia: &Trivia,
        arms: &[(Expr, Block)],
        otherwise: Option<&(Trivia, Block)>,
    ) {
        for (index, (condition, block)) in arms.iter().enumerate() {
            if index == 0 {
                self.put("if ").expr(condition).end_line(trivia);
            } else {
                self.put("otherwise if ").expr(condition).end_plain_line();
            }
            self.block(block);
        }
        self.otherwise(otherwise);
    }

    fn otherwise(&mut self, otherwise: Option<&(Trivia, Block)>) {
        if let Some((trivia, block)) = otherwise {
            self.put("otherwise").end_line(trivia);
            self.block(block);
        }
    }

    fn cases(&mut self, trivia: &Trivia, kind: &StmtKind) {
        let StmtKind::Cases {
            policy,
            arms,
            otherwise,
            tail,
        } = kind
        else {
            return;
        };
        match policy {
            CasePolicy::Exclusive => self.put("cases"),
            CasePolicy::InOrder => self.put("cases in order"),
            CasePolicy::Chosen(decider) => self.put("cases chosen by ").decider(decider),
        };
        self.end_line(trivia);
        self.nested(|printer| {
            for arm in arms {
                printer.put("when ").expr(&arm.guard).end_line(&arm.trivia);
                printer.block(&arm.body);
            }
            printer.otherwise(otherwise.as_ref());
            printer.comments(tail);
        });
    }

    fn for_each(&mut self, trivia: &Trivia, kind: &StmtKind) {
        let StmtKind::ForEach {
            binder,
            order,
            domain,
            body,
        } = kind
        else {
            return;
        };
        self.put("for each ").binder(binder, Follow::NOTHING);
        if let Some(order) = order {
            self.comma().order(order);
        }
        if let Some(domain) = domain {
            self.comma().domain(domain);
        }
        self.end_line(trivia);
        self.block(body);
    }

    fn by(&mut self, decider: &Decider) -> &mut Self {
        self.put(" by ").decider(decider)
    }

    fn bounded(&mut self, words: &str, bound: Option<&Expr>) -> &mut Self {
        match bound {
            Some(bound) => self.put(words).expr(bound),
            None => self,
        }
    }

    /// ` with f = e, g = e`, if there are any.
    pub(super) fn with(&mut self, with: &[(Name, Expr)]) -> &mut Self {
        if with.is_empty() {
            return self;
        }
        self.put(" with ").list(with, |printer, (field, value)| {
            printer.name(field).put(" = ").expr(value);
        })
    }

    /// `(a, b)`, or nothing without arguments.
    pub(super) fn arguments(&mut self, arguments: &[Expr]) -> &mut Self {
        if arguments.is_empty() {
            return self;
        }
        self.put("(").exprs(arguments).put(")")
    }
}
