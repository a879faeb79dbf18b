//! Claims, questions and accepted findings.

use super::activation::Activation;
use super::checker::Checker;
use super::program::{Accept, BoardId, Claim, ClaimKind, Expr, SequenceId, StepId, Type};
use super::want::Want;
use crate::diag::{Diagnostic, codes};
use crate::syntax::ast::{self, ItemKind, StepRef};

impl Checker<'_> {
    /// All claims and questions.
    pub(super) fn claims(&mut self) {
        let outline = self.outline;
        for entry in &outline.items {
            let ItemKind::Claim(claim) = entry.kind else {
                continue;
            };
            self.frame = Activation::default();
            let on = self.board_named(&claim.on);
            let kind = self.claim_kind(&claim.kind);
            let kind =
                kind.filter(|kind| claim.question || !self.claims_made_up(kind, &claim.name));
            let observer = self.observer(&claim.observer);
            if let Some(kind) = self.needed(kind) {
                self.program.claims.push(Claim {
                    question: claim.question,
                    name: claim.name.text.clone(),
                    kind,
                    observer,
                    on,
                    clause: Self::clause_idx(entry.clause),
                    doc: entry.trivia.documentation(),
                    span: entry.loc.span(),
                });
            }
        }
    }

    /// The board of which alone a claim is asked, if it names one; what lies on it can be named.
    fn board_named(&mut self, name: &Option<ast::Name>) -> Option<BoardId> {
        let found = self.written_board(name.as_ref()?);
        self.frame.any_entity = found.is_none();
        let board = self.program.boards.get(found?)?.clone();
        self.name_entities(&board);
        found
    }

    /// Reports what the document is said to claim of an experiment; whether it is.
    fn claims_made_up(&mut self, kind: &ClaimKind, name: &ast::Name) -> bool {
        let mut about = kind.sequences().into_iter();
        let Some(id) = about.find(|id| self.names.experiments.contains_key(id)) else {
            return false;
        };
        let experiment = self.program.sequences.get(id).map_or("", |one| &one.name);
        let message =
            format!("found a claim about `{experiment}`, an experiment, expected a question");
        let error = Diagnostic::error(codes::forms::MADE_UP, message);
        self.report(
            error
                .at(name.loc, "no document claims this")
                .help("write `question` in the place of `claim`"),
        );
        true
    }

    fn claim_kind(&mut self, kind: &ast::ClaimKind) -> Option<ClaimKind> {
        use ast::ClaimKind as C;
        Some(match kind {
            C::Error => return None,
            C::OrderIrrelevant(of) => {
                let (sequence, step) = self.step_ref(of)?;
                ClaimKind::OrderIrrelevant(sequence, step)
            }
            C::Equivalent(a, b, condition) => {
                let (a, b) = (self.rooted(a), self.rooted(b));
                let condition = self.condition(condition.as_ref())?;
                ClaimKind::Equivalent(a?, b?, condition)
            }
            C::Terminates(sequence, condition) => {
                let sequence = self.rooted(sequence);
                let condition = self.condition(condition.as_ref())?;
                ClaimKind::Terminates(sequence?, condition)
            }
            C::Invariant(condition, at, sequence) => {
                let condition = self.demanded(condition, Want::Of(Type::Bool));
                let sequence = self.rooted(sequence);
                ClaimKind::Invariant(condition?, *at, sequence?)
            }
            C::Must(demanded, sequence, condition) => {
                let demanded = self.demanded(demanded, Want::Of(Type::Bool));
                let sequence = self.rooted(sequence);
                let condition = self.condition(condition.as_ref())?;
                ClaimKind::Must(demanded?, sequence?, condition)
            }
            C::Reachable(reachable, condition, sequence) => {
                let condition = self.demanded(condition, Want::Of(Type::Bool));
                let sequence = self.rooted(sequence);
                ClaimKind::Reachable(*reachable, condition?, sequence?)
            }
            C::ReachableAfter(condition, sequence, on) => {
                let condition = self.demanded(condition, Want::Of(Type::Bool));
                let sequence = self.rooted(sequence);
                let on = self.condition(on.as_ref())?;
                ClaimKind::ReachableAfter(condition?, sequence?, on)
            }
            C::ExtremeIn(extreme, value, sequence) => {
                let value = self.ordered(value);
                let sequence = self.rooted(sequence);
                ClaimKind::ExtremeIn(*extreme, value?, sequence?)
            }
            C::ExtremeAfter(extreme, value, sequence, condition) => {
                let value = self.ordered(value);
                let sequence = self.rooted(sequence);
                let condition = self.condition(condition.as_ref())?;
                ClaimKind::ExtremeAfter(*extreme, value?, sequence?, condition)
            }
            C::Conserves(value, sequence) => {
                let value = self.demanded(value, Want::Any);
                let sequence = self.rooted(sequence);
                ClaimKind::Conserves(value?, sequence?)
            }
            C::Idempotent(of) => {
                let (sequence, step) = self.step_ref(of)?;
                ClaimKind::Idempotent(sequence, step)
            }
        })
    }

    /// What a claim says of a state; it may speak of the board by `old`.
    fn demanded(&mut self, expr: &ast::Expr, want: Want) -> Option<Expr> {
        self.frame.old = true;
        let checked = match want {
            Want::Of(ty) => self.expect(expr, ty),
            _ => self.expr(expr, want),
        };
        self.frame.old = false;
        checked
    }

    /// What has a largest and a smallest value: a number; it may speak of the board by `old`.
    fn ordered(&mut self, expr: &ast::Expr) -> Option<Expr> {
        let found = self.demanded(expr, Want::Any)?;
        if found.ty == Type::Int {
            return Some(found);
        }
        let ty = self.describe(found.ty);
        let message = format!("found {ty}, expected an integer");
        let error = Diagnostic::error(codes::types::MISMATCH, message)
            .at(found.span, format!("this is {ty}"))
            .help(match found.ty {
                Type::Bool => "whether it is ever so is a question for `reachable`",
                _ => "only numbers have a largest and a smallest; ask for a field, or `count of …`",
            });
        self.report(error);
        None
    }

    /// `where e`, of boards. None: in error.
    pub(super) fn condition(&mut self, expr: Option<&ast::Expr>) -> Option<Option<Expr>> {
        match expr {
            Some(expr) => self.expect(expr, Type::Bool).map(Some),
            None => Some(None),
        }
    }

    fn step_ref(&mut self, of: &StepRef) -> Option<(SequenceId, Option<StepId>)> {
        let sequence = self.rooted(&of.sequence)?;
        let Some(step) = &of.step else {
            return Some((sequence, None));
        };
        let step = self.step_named(sequence, step)?;
        Some((sequence, Some(step)))
    }

    /// Findings that are expected. Whether a code exists is known where findings are.
    pub(super) fn accepts(&mut self) {
        let outline = self.outline;
        for entry in &outline.items {
            if let ItemKind::Accept(accept) = entry.kind {
                if let Some(at) = &accept.at {
                    self.means_subject(at);
                }
                self.program.accepts.push(Accept {
                    code: accept.code.text.clone(),
                    at: accept.at.as_ref().map(|at| at.text.clone()),
                    because: accept.because.line(),
                    span: entry.loc.span(),
                });
            }
        }
    }
}
