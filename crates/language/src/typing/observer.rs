//! Observers, and the sequences that are verified.

use std::collections::BTreeSet;

use super::activation::Activation;
use super::checker::{Checker, Global, Wanted};
use super::compare::bare_name;
use super::program::{
    self, FieldId, Kinds, Observer, ObserverId, Range, SequenceId, Sight, SortId, Verify,
};
use super::want::Want;
use crate::diag::{Diagnostic, codes};
use crate::resolve::NameKind;
use crate::syntax::ast::{self, ExprKind, ItemKind, Name};

impl Checker<'_> {
    /// All observers.
    pub(super) fn observers(&mut self) {
        let outline = self.outline;
        for entry in &outline.items {
            let ItemKind::Observer(observer) = entry.kind else {
                continue;
            };
            self.frame = Activation::default();
            let mut sights = Vec::new();
            for (_, sight) in &observer.sights {
                let seen = self.sight(sight);
                let seen = self.needed(seen);
                self.seen_twice(&sights, seen.as_ref(), sight);
                self.seen_and_not(&sights, seen.as_ref(), sight);
                sights.extend(seen);
            }
            self.program.observers.push(Observer {
                name: observer.name.text.clone(),
                why: observer.why.line(),
                sights,
                span: observer.name.loc.span(),
            });
        }
    }

    /// Reports a line about what an earlier line sees, and this one does not, or the other way round.
    fn seen_and_not(&mut self, before: &[Sight], seen: Option<&Sight>, sight: &ast::Sight) {
        let contradicts = |one: &Sight, other: &Sight| match (one, other) {
            (Sight::IgnoreField(a), Sight::Field(b)) => a == b,
            (Sight::IgnoreVar(a), Sight::Var(b)) => a == b,
            (Sight::IgnoreZone(a), Sight::Zone(b, _)) => a == b,
            // Nothing else is both seen and ignored.
            _ => false,
        };
        let either =
            |one: &Sight, other: &Sight| contradicts(one, other) || contradicts(other, one);
        let (
            Some(seen),
            ast::Sight::Sees(at) | ast::Sight::SeesAsSet(at) | ast::Sight::Ignores(at),
        ) = (seen, sight)
        else {
            return;
        };
        if before.iter().any(|one| either(one, seen)) {
            let message = "found that something is seen and ignored, expected one of both";
            let error = Diagnostic::error(codes::forms::GIVEN_TWICE, message)
                .at(at.loc, "an earlier line says the opposite");
            self.report(error.help("leave one of the two lines out"));
        }
    }

    /// Reports a second line about a zone that says otherwise how it is seen.
    fn seen_twice(&mut self, before: &[Sight], seen: Option<&Sight>, sight: &ast::Sight) {
        let (Some(Sight::Zone(zone, as_set)), ast::Sight::Sees(at) | ast::Sight::SeesAsSet(at)) =
            (seen, sight)
        else {
            return;
        };
        let is_other =
            |one: &Sight| matches!(one, Sight::Zone(of, set) if of == zone && set != as_set);
        if before.iter().any(is_other) {
            let name = &self.program.zones[*zone].name;
            let message = format!("found two ways to see `{name}`, expected one");
            let error = Diagnostic::error(codes::forms::GIVEN_TWICE, message)
                .at(at.loc, "an earlier line sees it otherwise");
            self.report(error.help("leave one of the two lines out"));
        }
    }

    fn sight(&mut self, sight: &ast::Sight) -> Option<Sight> {
        match sight {
            ast::Sight::Everything => Some(Sight::Everything),
            ast::Sight::Sees(seen) => {
                if let Some(field) = self.field_of_all(seen) {
                    return field.map(Sight::Field);
                }
                if let Some(zone) = self.zone_silently(seen) {
                    return Some(Sight::Zone(zone, false));
                }
                let expr = self.expr(seen, Want::Any)?;
                Some(match expr.kind {
                    program::ExprKind::Var(var) => Sight::Var(var),
                    _ => Sight::Expr(expr),
                })
            }
            ast::Sight::SeesAsSet(seen) => match self.zone_silently(seen) {
                Some(zone) => Some(Sight::Zone(zone, true)),
                None => self.not_seen(seen, "a zone"),
            },
            ast::Sight::SeesBy { binder, by, as_set } => {
                let bound = self.frame.bound();
                let (name, end) = (binder.name.loc, by.loc.span().end);
                let binder = self.binder(binder);
                let by = self.expr(by, Want::Any);
                self.frame.unbind(bound);
                let (binder, by) = binder.zip(by)?;
                let lies = match &binder.range {
                    Range::Zone(zone) => !self.program.zones.get(zone.zone)?.unordered,
                    Range::Sort(_) | Range::Enum(_) | Range::Bool => false,
                };
                let mut span = name.span();
                span.end = end;
                Some(Sight::Kinds(Box::new(Kinds {
                    binder,
                    by,
                    as_set: *as_set || !lies,
                    span,
                })))
            }
            ast::Sight::Ignores(ignored) => {
                if let Some(field) = self.field_of_all(ignored) {
                    return field.map(Sight::IgnoreField);
                }
                if let Some(zone) = self.zone_silently(ignored) {
                    return Some(Sight::IgnoreZone(zone));
                }
                let global = bare_name(ignored).and_then(|name| self.meant(name));
                match global {
                    Some(Global::Var(var)) => Some(Sight::IgnoreVar(var)),
                    _ => self.not_seen(ignored, "a variable, a zone or the field of a sort"),
                }
            }
        }
    }

    fn not_seen(&mut self, expr: &ast::Expr, expected: &str) -> Option<Sight> {
        if let Some(name) = bare_name(expr) {
            let found = self.global(name, Wanted::VariableOrZone)?;
            return self.wrong_kind(name, found.kind(), expected);
        }
        self.mismatch(expr.loc, "an expression", expected)
    }

    /// `Card.health`, where `Card` is a sort: none if it is something else, inner none if in error.
    pub(super) fn field_of_all(&mut self, expr: &ast::Expr) -> Option<Option<FieldId>> {
        let ExprKind::Field(owner, field) = &expr.kind else {
            return None;
        };
        let name = bare_name(owner)?;
        match self.names.globals.get(&name.text) {
            Some(Global::Sort(sort)) if self.frame.local(&name.text).is_none() => {
                self.meant(name);
                Some(self.field_of(sort, field))
            }
            _ => None,
        }
    }

    /// The observer of a name, if one is given.
    pub(super) fn observer(&mut self, name: &Option<Name>) -> Option<ObserverId> {
        let name = name.as_ref()?;
        self.named(|names| Some(&names.observers), NameKind::Observer, name)
    }

    /// A sequence that starts on a board, so that it can have no parameters.
    pub(super) fn rooted(&mut self, name: &Name) -> Option<SequenceId> {
        let id = self.sequence_named(name)?;
        let sequence = self.program.sequences.get(id)?;
        if sequence.params.is_empty() {
            return Some(id);
        }
        let message = format!(
            "`{}` has parameters, expected a sequence without",
            name.text
        );
        let error = Diagnostic::error(codes::forms::HAS_PARAMETERS, message)
            .at(name.loc, "nothing gives it arguments")
            .also(sequence.span, "declared here")
            .help("write a sequence without parameters that performs it");
        self.report(error);
        None
    }

    /// What is verified: as written, or every sequence that nothing performs.
    pub(super) fn verifies(&mut self) {
        let outline = self.outline;
        let mut written = false;
        for entry in &outline.items {
            if let ItemKind::Verify(verify) = entry.kind {
                written = true;
                self.frame = Activation::default();
                let verify = self.verify(verify, entry.loc.span());
                if let Some(verify) = self.needed(verify) {
                    self.in_one_way(&verify);
                    self.program.verifies.push(verify);
                }
            }
        }
        if written {
            return;
        }
        let performed = self.calls.performed();
        let roots = self.program.sequences.iter();
        let roots = roots.filter(|(id, one)| {
            one.params.is_empty() && !performed.contains(id) && !one.is_experiment()
        });
        let roots = roots.map(|(sequence, one)| Verify {
            sequence,
            observer: None,
            sizes: Vec::new(),
            contracts: Vec::new(),
            condition: None,
            span: one.span,
        });
        self.program.verifies = roots.collect();
    }

    /// What is asked of a sequence is answered once: it is verified in one way.
    fn in_one_way(&mut self, verify: &Verify) {
        let mut verifies = self.program.verifies.iter();
        let Some(first) = verifies.find(|one| one.sequence == verify.sequence) else {
            return;
        };
        let contracts = |of: &Verify| of.contracts.iter().copied().collect::<BTreeSet<_>>();
        let what = match (
            first.observer == verify.observer,
            contracts(first) == contracts(verify),
        ) {
            (true, true) => return,
            (false, _) => "observed by somebody else",
            (true, false) => "with other contracts",
        };
        let name = &self.program.sequences[verify.sequence].name;
        let message = format!("`{name}` is verified in two ways");
        let error = Diagnostic::error(codes::forms::VERIFIED_OTHERWISE, message)
            .at(verify.span, format!("here {what}"))
            .also(first.span, "first verified here")
            .help(
                "what is asked of a sequence is answered once: verify another one that performs it",
            );
        self.report(error);
    }

    fn verify(&mut self, verify: &ast::Verify, span: crate::source::Span) -> Option<Verify> {
        let sequence = self.rooted(&verify.sequence);
        let sequence = sequence
            .filter(|id| !self.not_made_up(*id, &verify.sequence, "nothing of it is a fault"));
        let observer = self.observer(&verify.observer);
        let mut sizes = Vec::new();
        for (name, size) in &verify.sizes {
            let Some(sort) = self.sort(name) else {
                continue;
            };
            if sizes.iter().any(|(other, _)| *other == sort) {
                self.given_twice("size of", name);
            }
            let most = self.size(name, *size);
            self.not_below_the_least(name, sort, most);
            sizes.push((sort, most));
        }
        let mut contracts = Vec::new();
        for name in &verify.contracts {
            contracts.extend(self.contracted(name));
        }
        let condition = self.condition(verify.condition.as_ref());
        Some(Verify {
            sequence: sequence?,
            observer,
            sizes,
            contracts,
            condition: condition?,
            span,
        })
    }

    /// Up to fewer than the fewest that are explored there is no board.
    fn not_below_the_least(&mut self, name: &Name, sort: SortId, most: u32) {
        let Some(declared) = self.program.sorts.get(sort) else {
            return;
        };
        let (least, span) = (declared.explore.0, declared.span);
        if most >= least {
            return;
        }
        let message = format!("found up to {most} {}, expected {least} or more", name.text);
        let error = Diagnostic::error(codes::forms::BAD_RANGE, message)
            .at(name.loc, "there is no such board")
            .also(span, format!("at least {least} are explored"));
        self.report(error);
    }

    fn contracted(&mut self, name: &Name) -> Option<SequenceId> {
        let id = self.sequence_named(name)?;
        if self.not_made_up(id, name, "it has no contract") {
            return None;
        }
        let sequence = self.program.sequences.get(id)?;
        if sequence.contract.is_some() {
            return Some(id);
        }
        let message = format!("`{}` has no contract, expected one", name.text);
        let error = Diagnostic::error(codes::forms::NO_CONTRACT, message)
            .at(name.loc, "what does it promise?")
            .also(sequence.span, "declared here");
        self.report(error);
        None
    }
}
