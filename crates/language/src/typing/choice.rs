//! Branches, iterations and choices.

use std::collections::BTreeMap;

use super::activation::Window;
use super::checker::Checker;
use super::compare::in_places;
use super::program::{Binder, BlockId, CasePolicy, Expr, Place, PlaceKind, StmtKind, Type};
use crate::diag::{Diagnostic, codes};
use crate::syntax::ast::{self, Block, Loc, Name, StmtKind as S, Trivia};

impl Checker<'_> {
    /// `if`, `cases`, `depending on`, `for each`
    pub(super) fn branching(&mut self, stmt: &S, loc: Loc) -> Option<StmtKind> {
        match stmt {
            S::If(arms, otherwise) => {
                let arms = arms.iter().map(|(guard, body)| self.arm(guard, body));
                let arms: Vec<_> = arms.collect();
                let otherwise = self.optional_block(otherwise.as_ref());
                let arms: Option<Vec<_>> = arms.into_iter().collect();
                Some(StmtKind::If(arms?, otherwise))
            }
            S::Cases {
                policy,
                arms,
                otherwise,
                ..
            } => {
                let policy = self.case_policy(policy);
                let arms = arms.iter().map(|arm| self.arm(&arm.guard, &arm.body));
                let arms: Vec<_> = arms.collect();
                let otherwise = self.optional_block(otherwise.as_ref());
                let arms: Option<Vec<_>> = arms.into_iter().collect();
                Some(StmtKind::Cases {
                    policy: policy?,
                    arms: arms?,
                    otherwise,
                })
            }
            S::Depending { reading, arms, .. } => self.depending(reading, arms),
            S::ForEach {
                binder,
                order,
                domain,
                body,
            } => {
                self.no_order_together(order.as_ref(), loc);
                let bound = self.frame.bound();
                let checked = self.binder(binder);
                // Orders are the iteration's: only ranks speak of its elements.
                let inside = self.frame.hide(bound);
                self.frame.element = inside.first().cloned();
                let order = self.order(order.as_ref(), checked.as_ref(), loc);
                self.frame.element = None;
                let turns = domain
                    .as_ref()
                    .map_or((false, false), ast::DomainPolicy::takes_turns);
                let domain = self.domain(domain.as_ref(), checked.as_ref(), order.as_ref(), loc);
                self.frame.show(inside);
                let body = self.body(body, turns, loc);
                self.frame.unbind(bound);
                Some(StmtKind::ForEach {
                    binder: checked?,
                    order: order?,
                    domain: domain?,
                    body,
                })
            }
            _ => None,
        }
    }

    /// Warns of an order under `simultaneously`.
    fn no_order_together(&mut self, order: Option<&ast::Order>, loc: Loc) {
        if !self.frame.together || matches!(order, None | Some(ast::Order::Any)) {
            return;
        }
        let message = "an order has no effect under `simultaneously`";
        let warning = Diagnostic::warning(codes::warnings::ORDER_TOGETHER, message)
            .at(loc, "this is done for all at once")
            .help("leave it out, or write the iteration without `simultaneously`");
        self.report(warning);
    }

    /// The body of an iteration, which may go on until all pass: under `some` reading, under every one (`always`).
    fn body(&mut self, body: &Block, (some, always): (bool, bool), loc: Loc) -> BlockId {
        if !some {
            return self.block(body);
        }
        self.frame.windows.push(Window {
            always,
            passes: false,
        });
        let block = self.block(body);
        if self
            .frame
            .windows
            .pop()
            .is_some_and(|window| !window.passes)
        {
            let error = Diagnostic::error(
                codes::forms::PASS,
                "found no `pass` in this iteration, expected one: it goes on until all pass",
            )
            .at(loc, "this would end only when nobody is left to be asked")
            .help("say when somebody passes, as in `may by p` with `otherwise` and `pass`");
            self.report(error);
        }
        block
    }

    /// `pass`
    pub(super) fn pass(&mut self, loc: Loc) -> Option<StmtKind> {
        if !self.frame.windows.is_empty() {
            // It concerns the innermost one that takes turns, and under some reading that may be one further out.
            for window in self.frame.windows.iter_mut().rev() {
                window.passes = true;
                if window.always {
                    break;
                }
            }
            return Some(StmtKind::Pass);
        }
        let message = "found `pass`, expected it in an iteration that goes on until all pass";
        let error = Diagnostic::error(codes::forms::PASS, message)
            .at(loc, "nobody is asked in turn here")
            .help(
                "write `for each p: Player, in player order, until all pass` around it; \
                 to do nothing, write `nothing`",
            );
        self.report(error);
        None
    }

    fn arm(&mut self, guard: &ast::Expr, body: &Block) -> Option<(Expr, BlockId)> {
        let guard = self.truth(guard);
        let body = self.block(body);
        Some((*guard?, body))
    }

    fn case_policy(&mut self, policy: &ast::CasePolicy) -> Option<CasePolicy> {
        Some(match policy {
            ast::CasePolicy::Exclusive => CasePolicy::Exclusive,
            ast::CasePolicy::InOrder => CasePolicy::InOrder,
            ast::CasePolicy::Chosen(decider) => CasePolicy::Chosen(self.decider(decider)?),
        })
    }

    /// The blocks in the order of the alternatives, each of them once.
    fn depending(&mut self, name: &Name, arms: &[(Trivia, Name, Block)]) -> Option<StmtKind> {
        let reading = self.reading(name);
        let parts: Vec<_> = arms.iter().map(|(_, name, _)| (name.clone(), ())).collect();
        let places = reading.and_then(|reading| self.alternatives(name, reading, &parts));
        let blocks = arms.iter().map(|(_, _, body)| self.block(body)).collect();
        Some(StmtKind::Depending(reading?, in_places(blocks, &places?)))
    }

    /// `choose`, `choose number`, `choose one`, `may`, `distribute`
    pub(super) fn choice(&mut self, stmt: &S) -> Option<StmtKind> {
        match stmt {
            S::Choose(binder, by) => {
                let by = self.decider(by);
                let binder = self.binder_here(binder);
                Some(StmtKind::Choose(binder?, by?))
            }
            S::ChooseNumber {
                name,
                low,
                high,
                by,
            } => {
                let (low, high) = (self.int(low), self.int(high));
                let by = self.decider(by);
                let local = self.bind_here(name, Some(Type::Int));
                Some(StmtKind::ChooseNumber {
                    local,
                    low: *low?,
                    high: *high?,
                    by: by?,
                })
            }
            S::ChooseOne { by, options, .. } => {
                let by = self.decider(by);
                self.labels(options);
                let options: Vec<_> = options.iter().map(|option| self.option(option)).collect();
                let options: Option<Vec<_>> = options.into_iter().collect();
                Some(StmtKind::ChooseOne {
                    by: by?,
                    options: options?,
                })
            }
            S::May {
                by,
                label,
                body,
                otherwise,
            } => {
                let by = self.decider(by);
                let body = self.block(body);
                let otherwise = self.optional_block(otherwise.as_ref());
                Some(StmtKind::May {
                    by: by?,
                    label: label.as_ref().map(ast::Text::line),
                    body,
                    otherwise,
                })
            }
            S::Distribute { .. } => self.distribute(stmt),
            _ => None,
        }
    }

    /// A binder whose name stays bound until the block ends.
    fn binder_here(&mut self, binder: &ast::Binder) -> Option<Binder> {
        let checked = self.binder(binder);
        let local = self.frame.local(&binder.name.text).map(|local| local.id);
        self.frame.binds.extend(local);
        checked
    }

    /// Reports options that nobody can tell apart.
    fn labels(&mut self, options: &[ast::ChoiceOption]) {
        let mut known = BTreeMap::new();
        for option in options {
            let label = option.label.line();
            let Some(first) = known.insert(label.clone(), option.label.loc) else {
                continue;
            };
            let message = format!("found a second option \"{label}\", expected another label");
            let error = Diagnostic::error(codes::forms::GIVEN_TWICE, message)
                .at(option.label.loc, "nobody could tell it from the first")
                .also(first.span(), "the first");
            self.report(error);
        }
    }

    fn option(&mut self, option: &ast::ChoiceOption) -> Option<(String, Option<Expr>, BlockId)> {
        let guard = option.guard.as_ref().map(|guard| self.truth(guard));
        let body = self.block(&option.body);
        let guard = match guard {
            Some(guard) => Some(*guard?),
            None => None,
        };
        Some((option.label.line(), guard, body))
    }

    fn distribute(&mut self, stmt: &S) -> Option<StmtKind> {
        let S::Distribute {
            amount,
            binder,
            into,
            by,
            each,
        } = stmt
        else {
            return None;
        };
        let amount = self.int(amount);
        let by = self.decider(by);
        let bound = self.frame.bound();
        let binder = self.binder(binder);
        let place = self.int_place(into);
        let each = each.as_ref().map(|each| self.int(each));
        self.frame.unbind(bound);
        let each = match each {
            Some(each) => Some(*each?),
            None => None,
        };
        let place = place?;
        self.place_of_each(&place)?;
        Some(StmtKind::Distribute {
            amount: *amount?,
            binder: binder?,
            into: place,
            by: by?,
            each,
        })
    }

    fn place_of_each(&mut self, place: &Place) -> Option<()> {
        if let PlaceKind::Field(..) = place.kind {
            return Some(());
        }
        let message = "found a variable, expected a field of each element".to_owned();
        let error = Diagnostic::error(codes::types::NOT_A_PLACE, message)
            .at(place.span, "the same place for all of them")
            .help("use `increase` to add to a single place");
        self.report(error);
        None
    }
}
