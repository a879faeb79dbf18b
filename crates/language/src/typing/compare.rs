//! Tests with `is`: of absence, emptiness, place, removal, readings, and equality.

use super::checker::{Checker, Global};
use super::program::{Expr, ExprKind, QueueId, ReadingId, Type};
use super::want::{Want, typed};
use super::words::{count, listed};
use crate::diag::{Diagnostic, codes};
use crate::resolve::{NameKind, nearest};
use crate::syntax::ast::{self, BinaryOp, IsTest, Loc, Name};

impl Checker<'_> {
    /// `subject is [not] test`
    pub(super) fn is(
        &mut self,
        subject: &ast::Expr,
        negated: bool,
        test: &IsTest,
        loc: Loc,
    ) -> Option<Expr> {
        let positive = match test {
            IsTest::None => self.is_none(subject, loc),
            IsTest::Empty => self.is_empty(subject, loc),
            IsTest::Removed => {
                let (entity, _) = self.entity(subject)?;
                typed(ExprKind::IsRemoved(Box::new(entity)), Type::Bool, loc)
            }
            IsTest::In(zone) => self.is_in(subject, zone, loc),
            IsTest::Beside(side, other) => self.is_beside(*side, subject, other, loc),
            IsTest::Equal(other) => match self.asked_reading(subject) {
                Some((name, reading)) => self.reading_is(&name, reading, other, loc),
                None => match self.solutions(subject, other, loc) {
                    Some(asked) => Some(asked),
                    None => self.equal(BinaryOp::Equal, subject, other, loc),
                },
            },
        }?;
        if !negated {
            return Some(positive);
        }
        typed(ExprKind::Not(Box::new(positive)), Type::Bool, loc)
    }

    fn is_none(&mut self, subject: &ast::Expr, loc: Loc) -> Option<Expr> {
        let subject = self.expr(subject, Want::Any)?;
        if let Type::Optional(_) = subject.ty {
            return typed(ExprKind::IsNone(Box::new(subject)), Type::Bool, loc);
        }
        let found = self.describe(subject.ty);
        let message = format!("found {found}, expected something that can be none");
        let error = Diagnostic::error(codes::types::NEVER_NONE, message);
        let error = match subject.kind {
            ExprKind::EndOf(..) => error
                .at(
                    subject.span,
                    "this is never none: where nothing lies, it is a gap",
                )
                .help("ask whether the zone `is empty`"),
            _ => error.at(subject.span, "this is never none").help(
                match (&subject.kind, subject.ty) {
                    (ExprKind::Var(_) | ExprKind::Field(..), Type::Entity(_)) => {
                        "leave out the test, or declare the place `optional`"
                    }
                    (_, Type::Entity(_)) => "leave out the test",
                    _ => "leave out the test: only what is of a sort can be none",
                },
            ),
        };
        self.report(error);
        None
    }

    fn is_empty(&mut self, subject: &ast::Expr, loc: Loc) -> Option<Expr> {
        if let Some(queue) = self.named_queue(subject) {
            return typed(ExprKind::QueueEmpty(queue), Type::Bool, loc);
        }
        let zone = self.zone(subject, true)?;
        typed(ExprKind::ZoneEmpty(zone), Type::Bool, loc)
    }

    /// `size of z`
    pub(super) fn size_of(&mut self, subject: &ast::Expr, loc: Loc) -> Option<Expr> {
        if let Some(queue) = self.named_queue(subject) {
            return typed(ExprKind::QueueSize(queue), Type::Int, loc);
        }
        let zone = self.zone(subject, true)?;
        typed(ExprKind::ZoneSize(zone), Type::Int, loc)
    }

    fn is_in(&mut self, subject: &ast::Expr, zone: &ast::Expr, loc: Loc) -> Option<Expr> {
        let subject = self.entity(subject);
        let zone = self.zone(zone, true);
        let ((subject, sort), zone) = subject.zip(zone)?;
        let lies = self.program.zones.get(zone.zone)?.sort;
        if lies != sort {
            let (found, expected) = (Type::Entity(sort), Type::Entity(lies));
            let (found, expected) = (self.describe(found), self.describe(expected));
            return self.mismatch(subject.span.into(), &found, &expected);
        }
        typed(ExprKind::IsIn(Box::new(subject), zone), Type::Bool, loc)
    }

    fn named_queue(&mut self, subject: &ast::Expr) -> Option<QueueId> {
        let name = bare_name(subject)?;
        match self.names.globals.get(&name.text) {
            Some(Global::Queue(queue)) if self.frame.local(&name.text).is_none() => {
                self.meant(name);
                Some(queue)
            }
            _ => None,
        }
    }

    /// The reading that a test asks, if its subject is one.
    fn asked_reading(&mut self, subject: &ast::Expr) -> Option<(Name, ReadingId)> {
        let name = bare_name(subject)?;
        match self.names.globals.get(&name.text) {
            Some(Global::Reading(reading)) if self.frame.local(&name.text).is_none() => {
                self.meant(name);
                Some((name.clone(), reading))
            }
            _ => None,
        }
    }

    fn reading_is(
        &mut self,
        name: &Name,
        reading: ReadingId,
        other: &ast::Expr,
        loc: Loc,
    ) -> Option<Expr> {
        self.usage.readings.insert(reading);
        let Some(asked) = bare_name(other) else {
            let message = format!(
                "found an expression, expected an alternative of `{}`",
                name.text
            );
            self.error(
                codes::types::MISMATCH,
                message,
                other.loc,
                "not an alternative",
            );
            return None;
        };
        let alternative = self.alternative(reading, asked)?;
        typed(ExprKind::ReadingIs(reading, alternative), Type::Bool, loc)
    }

    /// The alternative of a reading that a name means.
    pub(super) fn alternative(&mut self, reading: ReadingId, name: &Name) -> Option<u16> {
        let declared = self.program.readings.get(reading)?;
        let names = || declared.alternatives.iter().map(|one| one.name.as_str());
        if let Some(position) = names().position(|one| one == name.text) {
            self.means_alternative(name, reading, position);
            return u16::try_from(position).ok();
        }
        if self.uses.is_probe(&name.text) {
            self.uses.offer(Some(NameKind::Alternative), names());
        }
        let message = format!(
            "found `{}`, expected an alternative of `{}`",
            name.text, declared.name
        );
        let help = match nearest(&name.text, names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                let names: Vec<String> = names().map(str::to_owned).collect();
                format!("the alternatives are {}", listed(&names))
            }
        };
        let error = Diagnostic::error(codes::names::UNKNOWN, message);
        let error = error
            .at(name.loc, "no such alternative")
            .also(declared.span, "declared here");
        self.report(error.help(help));
        None
    }

    /// Which alternative of a reading each part is for; reports if they are not one for each.
    pub(super) fn alternatives<T>(
        &mut self,
        name: &Name,
        reading: ReadingId,
        parts: &[(Name, T)],
    ) -> Option<Vec<usize>> {
        let declared: Vec<String> = {
            let declared = &self.program.readings.get(reading)?.alternatives;
            declared.iter().map(|one| one.name.clone()).collect()
        };
        let mut places = Vec::with_capacity(parts.len());
        let mut sound = true;
        for (part, _) in parts {
            let at = declared.iter().position(|one| *one == part.text);
            match at {
                Some(at) => self.means_alternative(part, reading, at),
                None => {
                    let names = declared.iter().map(String::as_str);
                    self.offer(part, NameKind::Alternative, names);
                }
            }
            let message = match at {
                None => format!(
                    "found `{}`, expected an alternative of the reading `{}`",
                    part.text, name.text
                ),
                Some(at) if places.contains(&at) => {
                    format!("the alternative `{}` is given twice", part.text)
                }
                Some(at) => {
                    places.push(at);
                    continue;
                }
            };
            sound = false;
            let error = Diagnostic::error(codes::types::ALTERNATIVES, message)
                .at(part.loc, "")
                .help(format!("its alternatives are {}", listed(&declared)));
            self.report(error);
        }
        if sound && places.len() < declared.len() {
            sound = false;
            let message = format!(
                "found {} for the reading `{}`, expected {}",
                count(places.len(), "part"),
                name.text,
                declared.len()
            );
            let error = Diagnostic::error(codes::types::ALTERNATIVES, message)
                .at(name.loc, "")
                .help(format!("its alternatives are {}", listed(&declared)));
            self.report(error);
        }
        sound.then_some(places)
    }
}

/// Parts given in any order, put where they belong; each place occurs once.
pub(super) fn in_places<T>(parts: Vec<T>, places: &[usize]) -> Vec<T> {
    let mut placed: Vec<(usize, T)> = places.iter().copied().zip(parts).collect();
    placed.sort_by_key(|(at, _)| *at);
    placed.into_iter().map(|(_, part)| part).collect()
}

/// The name that an expression is, in brackets or not.
pub(super) fn bare_name(expr: &ast::Expr) -> Option<&Name> {
    let mut expr = expr;
    while let ast::ExprKind::Paren(inner) = &expr.kind {
        expr = inner;
    }
    match &expr.kind {
        ast::ExprKind::Name(name) => Some(name),
        _ => None,
    }
}
