//! What there is not, where a rule cannot be followed, as a sentence.
//!
//! ```text
//! let first_one = top of deck(champion)     deck of champion is empty, and something is taken from it
//! ```
//!
//! A gap knows the place where it happens; what stands there is looked up in the program.

use super::super::layout::list;
use super::speaker::Speaker;
use crate::report::words::{beside_others, plain};
use endstep_language::source::Span;
use endstep_language::syntax::ast::BinaryOp;
use endstep_language::typing::program::{
    Binder, DefineId, Expr, ExprKind, LocalId, Place, PlaceKind, Program, Stmt, StmtKind, Target,
    Type, ZoneRef,
};
use endstep_semantics::semantics::{GapCause, Site};

/// Names that are not longer tell nobody anything; the sort does.
const LONGEST_LETTERS: usize = 2;

/// So many options are named.
const MOST_OPTIONS: usize = 3;

impl Speaker<'_> {
    /// Why a rule cannot be followed; nothing if that cannot be said without doubt.
    pub(super) fn lack(&self, cause: GapCause, site: Site, span: Span) -> Option<String> {
        let stmt = match site {
            Site::Stmt(id) => Some(&self.program().stmts[id]),
            _ => None,
        };
        if self.is_past(span) {
            return self
                .was_not_there(stmt, span)
                .filter(|_| cause == GapCause::Absent);
        }
        match cause {
            GapCause::NothingToChoose => self.nothing_to_choose(stmt?),
            GapCause::NoCase => self.no_case(stmt?),
            GapCause::NotRunning => match stmt?.kind {
                StmtKind::Leave(sequence) => {
                    let name = self.words.sequence(sequence);
                    Some(format!("{name} is not going on, and is to be left"))
                }
                _ => None,
            },
            GapCause::ShortSupply => {
                let place = self.place(source(stmt?)?)?;
                Some(format!("{place} holds less than is to be taken from it"))
            }
            GapCause::LiesNowhere => self.lies_nowhere(stmt?, span),
            GapCause::EmptyZone => self.empty(stmt, span),
            GapCause::Absent => self.absent(stmt, span),
            GapCause::Contradictory | GapCause::Ambiguous => self.unsettled(stmt, span, cause),
            GapCause::OddHalf => {
                let is_it = |e: &Expr| matches!(e.kind, ExprKind::Half(..)) && e.span == span;
                let ExprKind::Half(inner, _) = &self.find(stmt, &is_it)?.kind else {
                    return None;
                };
                let what = self.called(inner).noun(inner)?;
                Some(format!(
                    "{what} is odd, and it is not said how half of it is rounded"
                ))
            }
            GapCause::DivisionByZero => {
                let divides = |e: &Expr| {
                    matches!(e.kind, ExprKind::Binary(BinaryOp::Divide, ..)) && e.span == span
                };
                let ExprKind::Binary(_, divided, by) = &self.find(stmt, &divides)?.kind else {
                    return None;
                };
                let what = self.called(divided).noun(divided)?;
                let by = match by.kind {
                    ExprKind::Const(_) => return Some(format!("{what} is divided by 0")),
                    _ => self.called(by).noun(by)?,
                };
                Some(format!("{by} is 0, and {what} is to be divided by it"))
            }
            GapCause::ExtremeOfNothing => self.extreme_of_nothing(stmt, span),
            GapCause::NegativeAmount => {
                let of_it = |e: &Expr| e.span == span && e.ty == Type::Int;
                let amount = self.find(stmt, &of_it)?;
                let what = self.called(amount).noun(amount)?;
                Some(format!("{what} is below 0, and so much is to be moved"))
            }
        }
    }

    fn nothing_to_choose(&self, stmt: &Stmt) -> Option<String> {
        match &stmt.kind {
            StmtKind::Choose(binder, _) => {
                let what = self.kind_of(binder)?;
                Some(format!("there is no {what}, and one has to be chosen"))
            }
            StmtKind::ChooseNumber { low, high, .. } => {
                let ends = [low, high].map(|end| self.called(end).noun(end));
                let [low, high] = [ends[0].as_ref()?, ends[1].as_ref()?];
                Some(format!(
                    "there is no number from {low} to {high}, and one has to be chosen"
                ))
            }
            StmtKind::ChooseOne { options, .. } => {
                let number = options.len();
                let labels = options.iter().map(|(label, ..)| format!("\"{label}\""));
                let what = match number {
                    0..=MOST_OPTIONS => list(&labels.collect::<Vec<_>>(), "or"),
                    _ => format!("one of {number} things"),
                };
                Some(format!(
                    "{what} has to be chosen, and none of them is allowed"
                ))
            }
            StmtKind::Distribute { amount, binder, .. } => {
                let what = self.called(amount).noun(amount)?;
                let all = self.called_around(binder).several(binder)?;
                Some(format!(
                    "{what} is to be given to {all}, and there is no room for all of it"
                ))
            }
            StmtKind::GapMayChange { place, .. } => {
                let place = self.place(place)?;
                Some(format!(
                    "{place} has to be chosen, and there is no value that it may have"
                ))
            }
            _ => None,
        }
    }

    fn no_case(&self, stmt: &Stmt) -> Option<String> {
        let StmtKind::Cases { arms, .. } = &stmt.kind else {
            return None;
        };
        let guards = arms
            .iter()
            .map(|(guard, _)| self.called(guard).sentence(guard, true));
        let guards: Vec<String> = guards.collect::<Option<_>>()?;
        Some(format!(
            "it is said what happens in some cases, and none of these is so: {}",
            guards.join("; ")
        ))
    }

    fn lies_nowhere(&self, stmt: &Stmt, span: Span) -> Option<String> {
        let target = match &stmt.kind {
            StmtKind::Move(_, target) | StmtKind::MoveAll(_, target) => target,
            StmtKind::Create { target, .. } => target.as_ref()?,
            _ => return None,
        };
        match target {
            Target::Before(beside) | Target::After(beside) if beside.span == span => {
                let what = self.called(beside).noun(beside)?;
                Some(format!(
                    "{what} lies nowhere, and something is to be put next to it"
                ))
            }
            Target::Before(_) | Target::After(_) => Some(
                "something is to be put next to another thing, while everything moves at once"
                    .to_owned(),
            ),
            Target::Zone(_, zone) => {
                let zone = beside_others(&self.program().zones[zone.zone].name);
                Some(format!(
                    "there is no {zone}, and something is to be put there"
                ))
            }
        }
    }

    /// That values which depend on each other do not agree, or can be one thing or another.
    fn unsettled(&self, stmt: Option<&Stmt>, span: Span, cause: GapCause) -> Option<String> {
        let is_it = |e: &Expr| matches!(e.kind, ExprKind::Continuous(..)) && e.span == span;
        let (id, _) = self.find(stmt, &is_it)?.applied()?;
        let names = self.group(id)?;
        let all = list(&names, "and");
        Some(match (cause, names.as_slice()) {
            (GapCause::Contradictory, [name]) => {
                let from = self
                    .bounds(id)
                    .map_or_else(String::new, |bounds| format!(" {bounds}"));
                format!("no value of {name}{from} agrees with its rule")
            }
            (GapCause::Contradictory, _) => {
                let group = self.program().defines[id].continuous.as_ref()?.group.iter();
                let bounds = group.filter_map(|&one| {
                    let name = beside_others(&self.program().defines[one].name);
                    Some(format!("{name} {}", self.bounds(one)?))
                });
                let bounds: Vec<String> = bounds.collect();
                let within = match bounds.is_empty() {
                    true => String::new(),
                    false => format!(" ({})", list(&bounds, "and")),
                };
                format!("no values of {all} agree with their rules{within}")
            }
            _ => format!("{all} can have several values, and the rules do not say which"),
        })
    }

    /// The numbers that a continuous value can be: `from 0 to 9`.
    fn bounds(&self, id: DefineId) -> Option<String> {
        let continuous = self.program().defines[id].continuous.as_ref()?;
        let (low, high) = continuous.range;
        (continuous.ty == Type::Int).then(|| format!("from {low} to {high}"))
    }

    /// The values that depend on each other.
    fn group(&self, id: DefineId) -> Option<Vec<String>> {
        let program = self.program();
        let group = &program.defines[id].continuous.as_ref()?.group;
        let names = group
            .iter()
            .map(|one| beside_others(&program.defines[*one].name));
        Some(names.collect())
    }

    fn absent(&self, stmt: Option<&Stmt>, span: Span) -> Option<String> {
        let is_optional = |e: &Expr| e.span == span && matches!(e.ty, Type::Optional(_));
        if let Some(of) = self.find(stmt, &is_optional) {
            // Names of definitions with parameters are no things.
            if of.applied().is_some_and(|(_, args)| !args.is_empty()) {
                return None;
            }
            let what = self.called(of).noun(of)?;
            let what = what.strip_prefix("the ").unwrap_or(&what);
            let is_name = !["that ", "what "].iter().any(|word| what.starts_with(word));
            return is_name.then(|| format!("there is no {what}, and the rule needs one"));
        }
        self.was_not_there(stmt, span)
    }

    fn was_not_there(&self, stmt: Option<&Stmt>, span: Span) -> Option<String> {
        let is_entity = |e: &Expr| e.span == span && matches!(e.ty, Type::Entity(_));
        let of = self.find(stmt, &is_entity)?;
        let what = self.called(of).noun(of)?;
        Some(format!(
            "{what} was not there before, and the rule asks what it was then"
        ))
    }

    /// Whether what has no value may be asked for as it was, which nobody could tell from what is there now.
    fn is_past(&self, span: Span) -> bool {
        let program = self.program();
        elsewhere(program).any(|e| asks_past(program, e, span))
    }

    fn extreme_of_nothing(&self, stmt: Option<&Stmt>, span: Span) -> Option<String> {
        let is_it = |e: &Expr| matches!(e.kind, ExprKind::Extreme(..)) && e.span == span;
        let ExprKind::Extreme(extreme, value, binder) = &self.find(stmt, &is_it)?.kind else {
            return None;
        };
        let which = extreme.word();
        let value = self.property(value).map_or_else(
            || format!("the {which} of them"),
            |(_, what)| format!("the {which} {what} of them"),
        );
        let what = self.kind_of(binder)?;
        Some(format!("there is no {what}, and {value} is needed"))
    }

    /// One of what a binder ranges over, and where its condition cannot be said that it has one.
    fn kind_of(&self, binder: &Binder) -> Option<String> {
        let speaker = self.called_around(binder);
        speaker.single(binder).or_else(|| {
            let all = Binder {
                filter: None,
                ..binder.clone()
            };
            Some(format!("{} of the right kind", speaker.single(&all)?))
        })
    }

    /// What is needed of a zone in which nothing lies.
    fn empty(&self, stmt: Option<&Stmt>, span: Span) -> Option<String> {
        let is_it = |e: &Expr| matches!(&e.kind, ExprKind::EndOf(_, zone) if zone.span == span);
        let ExprKind::EndOf(first, zone) = &self.find(stmt, &is_it)?.kind else {
            return None;
        };
        let program = self.program();
        let sort = &program.sorts[program.zones[zone.zone].sort].name;
        let zone = self.called_in(zone.of.as_deref()).zone_of_all(zone)?;
        let end = if *first { "first" } else { "last" };
        Some(format!(
            "{zone} is empty, and the rule needs its {end} {sort}"
        ))
    }

    fn place(&self, place: &Place) -> Option<String> {
        let program = self.program();
        Some(match &place.kind {
            PlaceKind::Var(id) => beside_others(&program.vars[*id].name),
            PlaceKind::Field(of, field) => {
                let name = beside_others(&program.fields[*field].name);
                format!("{name} of {}", self.called(of).noun(of)?)
            }
        })
    }

    /// A zone; of a family, all of it.
    fn zone_of_all(&self, zone: &ZoneRef) -> Option<String> {
        let name = self.zone(zone)?;
        Some(match zone.of.is_none() && self.is_family(zone.zone) {
            true => format!("every {name}"),
            false => name,
        })
    }

    /// The first expression that passes a test: in a statement, else anywhere.
    fn find<'p>(
        &'p self,
        stmt: Option<&'p Stmt>,
        test: &dyn Fn(&Expr) -> bool,
    ) -> Option<&'p Expr> {
        let here = stmt.into_iter().flat_map(|stmt| stmt.kind.exprs());
        let all = here.chain(elsewhere(self.program()));
        all.into_iter().find_map(|e| first(e, test))
    }

    /// The speaker that calls what an expression does not bind itself as the specification does.
    fn called(&self, expr: &Expr) -> Self {
        self.called_in(Some(expr))
    }

    fn called_in<'e>(&self, exprs: impl IntoIterator<Item = &'e Expr>) -> Self {
        let mut speaker = self.clone();
        let mut own = Vec::new();
        for expr in exprs {
            self.locals(expr, &mut own, &mut speaker.bound);
        }
        speaker
    }

    /// The same of what stands around a binder.
    fn called_around(&self, binder: &Binder) -> Self {
        let mut speaker = self.clone();
        let mut own = vec![binder.local];
        for expr in binder.children() {
            self.locals(expr, &mut own, &mut speaker.bound);
        }
        speaker
    }

    fn locals(&self, expr: &Expr, own: &mut Vec<LocalId>, bound: &mut Vec<(LocalId, String)>) {
        match &expr.kind {
            ExprKind::Local(local) if !own.contains(local) => {
                let written = plain(&self.words.quote(expr.span));
                let name = match expr.ty {
                    Type::Entity(sort) | Type::Optional(sort)
                        if written.chars().count() <= LONGEST_LETTERS =>
                    {
                        format!("that {}", self.program().sorts[sort].name)
                    }
                    _ => written,
                };
                if bound.iter().all(|(id, _)| id != local) {
                    bound.push((*local, name));
                }
            }
            ExprKind::Count(binder)
            | ExprKind::Sum(_, binder)
            | ExprKind::Endmost(_, binder)
            | ExprKind::Extreme(_, _, binder)
            | ExprKind::Quantified(_, binder, _) => own.push(binder.local),
            ExprKind::Turn {
                such_that: Some((local, _)),
                ..
            } => own.push(*local),
            _ => {}
        }
        for child in expr.children() {
            self.locals(child, own, bound);
        }
    }
}

/// The supply from which a statement takes.
fn source(stmt: &Stmt) -> Option<&Place> {
    match &stmt.kind {
        StmtKind::Transfer { from, .. } => Some(from),
        StmtKind::Increase(place, ..) | StmtKind::Decrease(place, ..) => Some(place),
        _ => None,
    }
}

/// Whether an expression asks for what stands at a place as it was.
fn asks_past(program: &Program, e: &Expr, span: Span) -> bool {
    match &e.kind {
        ExprKind::Old(inner) => leads_to(program, inner, span, &mut Vec::new()),
        _ => {
            let mut children = e.children().into_iter();
            children.any(|child| asks_past(program, child, span))
        }
    }
}

/// Whether a place is inside of an expression, or of a definition that it applies.
fn leads_to(program: &Program, e: &Expr, span: Span, seen: &mut Vec<DefineId>) -> bool {
    let is_inside =
        e.span.source == span.source && e.span.start <= span.start && span.end <= e.span.end;
    if is_inside {
        return true;
    }
    if let Some((id, _)) = e.applied()
        && !seen.contains(&id)
    {
        seen.push(id);
        if leads_to(program, &program.defines[id].body, span, seen) {
            return true;
        }
    }
    let mut children = e.children().into_iter();
    children.any(|child| leads_to(program, child, span, seen))
}

/// The outermost expression that passes a test, of an expression and what is inside.
fn first<'e>(expr: &'e Expr, test: &dyn Fn(&Expr) -> bool) -> Option<&'e Expr> {
    if test(expr) {
        return Some(expr);
    }
    let children = expr.children().into_iter();
    children.into_iter().find_map(|child| first(child, test))
}

/// What is evaluated for other things than the headings of statements.
fn elsewhere(program: &Program) -> impl Iterator<Item = &Expr> {
    let defines = program.defines.values().iter().map(|one| &one.body);
    let steps = program.steps.values().iter().flat_map(|one| &one.ensures);
    let triggers = program.triggers.values().iter().flat_map(|one| {
        let listener = one.listener.iter().flat_map(Binder::children);
        listener.chain(&one.condition)
    });
    let sequences = program.sequences.values().iter().flat_map(|one| {
        let over = one.over.iter().flat_map(|over| over.binder.children());
        over.chain(one.restart.iter().map(|rule| &rule.when))
    });
    let legals = program.legals.iter().map(|one| &one.condition);
    let events = program.events.values().iter();
    let raised = events.filter_map(|event| event.whenever.as_ref());
    let raised = raised.flat_map(|one| std::iter::once(&one.condition).chain(&one.with));
    defines
        .chain(steps)
        .chain(triggers)
        .chain(sequences)
        .chain(raised)
        .chain(legals)
}
