//! Events that the state raises: what becomes true, and what they carry.
//!
//! ```text
//! event dies(c: Card), whenever c is in board and c.health <= 0, in effects
//! event leaves(c: Card, whose: optional Player = old holder of c), whenever c is not in board, at once
//! ```

use std::collections::BTreeSet;

use super::activation::Activation;
use super::checker::Checker;
use super::program::{
    DefineId, EventId, Expr, ExprKind, Program, Range, SortId, StmtKind, Type, Visit, Walk,
    Whenever, ZoneId,
};
use crate::diag::{Diagnostic, codes};
use crate::index::Id;
use crate::resolve::{Entry, Outline};
use crate::source::Span;
use crate::syntax::ast::{self, ItemKind, Loc};

impl Checker<'_> {
    /// What raises events. Comes after all statements are known.
    pub(super) fn raised(&mut self) {
        for (id, event, entry) in written(self.outline) {
            let Some(condition) = &event.whenever else {
                self.values_without_state(event);
                continue;
            };
            self.frame = Activation {
                clause: Self::clause_idx(entry.clause),
                old: true,
                ..Activation::default()
            };
            self.usage.announced.insert(id);
            let built = self.whenever(id, event, condition);
            if let Some(built) = self.needed(built) {
                self.program.events[id].whenever = Some(built);
            }
        }
    }

    /// Only what the state raises says what it carries where it is declared.
    fn values_without_state(&mut self, event: &ast::Event) {
        for param in event.params.iter().filter(|one| one.value.is_some()) {
            let message = format!(
                "found a value for `{}`, expected it where `{}` is announced",
                param.name.text, event.name.text
            );
            let error = Diagnostic::error(codes::forms::RAISED, message)
                .at(param.name.loc, "statements that announce it say what it is")
                .help("write `, whenever` and a condition, or leave the value out");
            self.report(error);
        }
    }

    /// No statement announces what the state raises.
    pub(super) fn not_raised(&mut self, event: EventId, loc: Loc) {
        let mut events = written(self.outline);
        if let Some((_, event, _)) = events.find(|(id, ..)| *id == event)
            && let Some(condition) = &event.whenever
        {
            let name = &event.name.text;
            let message =
                format!("found `announce {name}`, expected an event that only statements announce");
            let error = Diagnostic::error(codes::forms::RAISED, message)
                .at(loc, "the state raises it")
                .also(condition.loc.span(), "whenever this becomes true")
                .help("leave the statement out, or declare another event for it");
            self.report(error);
        }
    }

    fn whenever(
        &mut self,
        id: EventId,
        event: &ast::Event,
        condition: &ast::Expr,
    ) -> Option<Whenever> {
        let signature = self.event_params.get(id)?.clone();
        let has_element = event.params.first().is_some_and(|one| one.value.is_none());
        let mut element = None;
        if let (true, Some(param), Some((_, ty))) =
            (has_element, event.params.first(), signature.first())
        {
            match ty {
                Some(Type::Entity(sort)) => element = Some(*sort),
                Some(_) => {
                    let message = format!(
                        "found `{}`, which is no entity, expected what the event is about",
                        param.name.text
                    );
                    let error = Diagnostic::error(codes::forms::RAISED, message)
                        .at(param.name.loc, "it is raised for each of a sort")
                        .help("give it a value with `=`, or make it an entity");
                    self.report(error);
                    return None;
                }
                None => {}
            }
            self.bind(&param.name, *ty);
        }
        let others = event.params.iter().zip(&signature);
        let mut with = Vec::new();
        for (param, (_, ty)) in others.skip(usize::from(has_element)) {
            let Some(value) = &param.value else {
                let message = format!(
                    "found `{}` without a value, expected what the event carries",
                    param.name.text
                );
                let error = Diagnostic::error(codes::forms::RAISED, message)
                    .at(param.name.loc, "nothing says what it is")
                    .help(format!("write `{}: … = ` and its value", param.name.text));
                self.report(error);
                return None;
            };
            with.push((*ty).and_then(|ty| self.expect(value, ty)));
        }
        let condition = self.truth(condition);
        let with: Option<Vec<Expr>> = with.into_iter().collect();
        let (condition, with) = (*condition?, with?);
        let fits = self.looks_at_what_stays(&condition, &with);
        fits.then(|| Whenever {
            element,
            looks_back: condition.any(&|e| matches!(e.kind, ExprKind::Old(_))),
            condition,
            with,
            locals: self.frame.types(),
        })
    }

    /// Nothing is asked of what waits, nor of an arrangement that is made anew card by card.
    fn looks_at_what_stays(&mut self, condition: &Expr, with: &[Expr]) -> bool {
        let mut looks = Looks {
            program: &self.program,
            met: BTreeSet::new(),
            queue: None,
            zones: Vec::new(),
            sorts: Vec::new(),
        };
        condition.meet(&mut looks);
        let is_shuffled = |zone: ZoneId| {
            let sort = self.program.zones[zone].sort;
            let of_sort = looks.sorts.iter().find(|(one, _)| *one == sort);
            let of_zone = looks.zones.iter().find(|(one, _)| *one == zone);
            of_zone
                .map(|one| one.1)
                .or_else(|| of_sort.map(|one| one.1))
        };
        let shuffled = self
            .program
            .stmts
            .values()
            .iter()
            .find_map(|stmt| match &stmt.kind {
                StmtKind::Shuffle(zone) => Some((is_shuffled(zone.zone)?, stmt.span)),
                _ => None,
            });
        for one in with {
            one.meet(&mut looks);
        }
        if let Some(span) = looks.queue {
            let message =
                "found a condition on what waits in a queue, expected one on the board".to_owned();
            let error = Diagnostic::error(codes::forms::RAISED, message)
                .at(span, "what waits comes and goes between statements");
            self.report(error);
            return false;
        }
        if let Some((looked, shuffled)) = shuffled {
            let message = "found a condition on how something lies that is shuffled, expected one on what lies where".to_owned();
            let error = Diagnostic::error(codes::forms::RAISED, message)
                .at(looked, "it would become true and false with every card")
                .also(shuffled, "shuffled here");
            self.report(error);
            return false;
        }
        true
    }
}

/// The events as they are written.
pub(super) fn written<'a>(
    outline: &'a Outline<'a>,
) -> impl Iterator<Item = (EventId, &'a ast::Event, &'a Entry<'a>)> {
    let events = outline.items.iter().filter_map(|entry| match entry.kind {
        ItemKind::Event(event) => Some((event, entry)),
        _ => None,
    });
    let numbered = events.enumerate();
    numbered.map(|(number, (event, entry))| (EventId::from_index(number), event, entry))
}

/// What a condition looks at, also by way of definitions.
struct Looks<'p> {
    program: &'p Program,
    met: BTreeSet<DefineId>,
    /// Where something is asked of a queue.
    queue: Option<Span>,
    /// Zones whose arrangement is looked at, and where.
    zones: Vec<(ZoneId, Span)>,
    /// Sorts of which it is asked what lies before what.
    sorts: Vec<(SortId, Span)>,
}

impl<'p> Visit<'p> for Looks<'p> {
    fn expr(&mut self, e: &'p Expr) {
        match &e.kind {
            ExprKind::QueueEmpty(_) | ExprKind::QueueSize(_) => self.queue = Some(e.span),
            ExprKind::EndOf(_, zone) => self.zones.push((zone.zone, e.span)),
            ExprKind::Endmost(_, binder) => match &binder.range {
                Range::Zone(zone) => self.zones.push((zone.zone, e.span)),
                Range::Sort(sort) => self.sorts.push((*sort, e.span)),
                Range::Enum(_) | Range::Bool => {}
            },
            ExprKind::Neighbour(_, of) | ExprKind::Beside(_, of, _) => {
                if let Type::Entity(sort) | Type::Optional(sort) = of.ty {
                    self.sorts.push((sort, e.span));
                }
            }
            _ => {}
        }
        e.inside(self);
    }

    fn define(&mut self, id: DefineId) {
        if self.met.insert(id) {
            let body = &self.program.defines[id].body;
            body.meet(self);
        }
    }
}
