//! The parameters of definitions, events and sequences, and arguments for them.

use super::checker::{Checker, Signature};
use super::program::{Define, Event, Expr, ExprKind, Param, SequenceId, Type, Value};
use super::want::Want;
use super::words::count;
use crate::diag::{Diagnostic, codes};
use crate::index::Id;
use crate::resolve::Table;
use crate::source::Span;
use crate::syntax::ast::{self, ItemKind, Loc, TypeExpr};

impl Checker<'_> {
    /// The parameters of everything that has some. Definitions get a body later.
    pub(super) fn declare_signatures(&mut self) {
        let outline = self.outline;
        for entry in &outline.items {
            match entry.kind {
                ItemKind::Define(item) => {
                    let signature = self.signature(&item.params);
                    let continuous = self.declare_continuous(item);
                    if item.continuous.is_some() {
                        self.one_entity(item, &signature);
                        self.failed |= continuous.is_none();
                    }
                    let ty = continuous.as_ref().map(|one| one.ty);
                    self.define_types.push(ty);
                    self.program.defines.push(Define {
                        name: item.name.text.clone(),
                        params: params(&signature),
                        locals: Vec::new(),
                        body: nothing(entry.loc.span()),
                        printed: None,
                        continuous,
                        span: item.name.loc.span(),
                    });
                    self.define_params.push(signature);
                }
                ItemKind::Event(item) => {
                    let signature = self.signature(&item.params);
                    let queue = item.queue.as_ref().and_then(|queue| self.queue(queue));
                    self.program.events.push(Event {
                        name: item.name.text.clone(),
                        params: params(&signature),
                        whenever: None,
                        queue,
                        listeners: None,
                        locals: Vec::new(),
                        clause: Self::clause_idx(entry.clause),
                        span: item.name.loc.span(),
                    });
                    self.event_params.push(signature);
                }
                ItemKind::Sequence(item) => {
                    let signature = self.signature(&item.params);
                    self.sequence_params.push(signature);
                }
                _ => {}
            }
        }
        self.declare_experiments();
    }

    /// An experiment has the parameters of what it is of.
    fn declare_experiments(&mut self) {
        for entry in &self.outline.items {
            let ItemKind::Experiment(item) = entry.kind else {
                continue;
            };
            let id = SequenceId::from_index(self.sequence_params.len());
            let of = self.names.sequences.get(&item.of.text);
            let of = of.filter(|of| !self.names.experiments.contains_key(of));
            self.names.experiments.insert(id, of);
            let signature = of.and_then(|of| self.sequence_params.get(of)).cloned();
            self.sequence_params.push(signature.unwrap_or_default());
        }
    }

    fn signature(&mut self, params: &[ast::Param]) -> Signature {
        let mut names = Table::new("parameter");
        let each = params.iter().map(|param| {
            let declared = names.declare(&param.name, ());
            self.found(declared);
            self.no_range(&param.ty, param.name.loc);
            let ty = self.type_of(&param.ty, &param.name);
            self.describe_local(&param.name, ty);
            (param.name.text.clone(), ty)
        });
        each.collect()
    }

    /// Bounds belong to places; parameters are none.
    fn no_range(&mut self, ty: &TypeExpr, loc: Loc) {
        if let TypeExpr::Integer {
            document,
            explore,
            reach,
        } = ty
            && (document.is_some() || !explore.is_empty() || reach.is_some())
        {
            let message = "found bounds of a parameter, expected `integer`".to_owned();
            self.error(
                codes::forms::MISPLACED,
                message,
                loc,
                "a parameter has the bounds of its argument",
            );
        }
    }

    /// Binds the parameters of what is about to be checked.
    pub(super) fn bind_params(&mut self, params: &[ast::Param], signature: &Signature) {
        for (param, (_, ty)) in params.iter().zip(signature) {
            self.bind(&param.name, *ty);
        }
    }

    /// Arguments for parameters. `what` is what takes them, for messages.
    pub(super) fn arguments(
        &mut self,
        what: &ast::Name,
        signature: &Signature,
        arguments: &[ast::Expr],
    ) -> Option<Vec<Expr>> {
        if arguments.len() != signature.len() {
            self.wrong_count(what, signature, arguments.len());
            for argument in arguments {
                self.expr(argument, Want::Unknown);
            }
            return None;
        }
        let each = signature.iter().zip(arguments);
        let checked: Vec<Option<Expr>> = each
            .map(|((_, ty), argument)| match ty {
                Some(ty) => self.expect(argument, *ty),
                None => self.expr(argument, Want::Unknown).and(None),
            })
            .collect();
        checked.into_iter().collect()
    }

    /// Reports a number of arguments that is not that of the parameters.
    pub(super) fn wrong_count(&mut self, what: &ast::Name, signature: &Signature, found: usize) {
        let (name, expected) = (&what.text, signature.len());
        let found = count(found, "argument");
        let message = format!("found {found} of `{name}`, expected {expected}");
        let names: Vec<&str> = signature.iter().map(|(name, _)| name.as_str()).collect();
        let mut error = Diagnostic::error(codes::types::ARGUMENTS, message).at(what.loc, "");
        if expected > 0 {
            error = error.help(format!("write `{name}({})`", names.join(", ")));
        }
        self.report(error);
    }
}

/// The parameters of a program; those in error have any type, as the program is not returned.
pub(super) fn params(signature: &Signature) -> Vec<Param> {
    let each = signature.iter().map(|(name, ty)| Param {
        name: name.clone(),
        ty: ty.unwrap_or(Type::Int),
    });
    each.collect()
}

/// A stand-in for an expression that is not there yet.
pub(super) fn nothing(span: Span) -> Expr {
    Expr {
        kind: ExprKind::Const(Value::Bool(false)),
        ty: Type::Bool,
        span,
    }
}
