//! Sequences: their steps, the order of the steps, the restart rule and the contract.

use super::activation::{Activation, Caller, Notes};
use super::basis::{invented, supported, weakest};
use super::checker::Checker;
use super::experiment::MadeUp;
use super::program::{
    Alternative, Basis, Change, ChangeTarget, ClauseIdx, Contract, Experiment, Expr, ExprKind,
    ListPolicy, Nest, NestOver, Owner, PlaceKind, Reading, ReadingId, ReadingOrigin, Restart,
    Sequence, SequenceId, Step, StepId, Type,
};
use super::signature::params;
use crate::diag::{Diagnostic, codes};
use crate::index::Id;
use crate::resolve::{Entry, Table};
use crate::source::Span;
use crate::syntax::ast::{self, ItemKind, Loc, Name, SeqItem, SeqItemKind};

/// Most steps of one sequence, and of all. Every step is left out once on every board.
const MOST_STEPS: usize = 512;
const MOST_STEPS_IN_ALL: usize = 4096;

/// A line or block of a sequence with the innermost clause around it in the sequence.
#[derive(Clone, Copy)]
struct Part<'a> {
    kind: &'a SeqItemKind,
    level: Option<ClauseIdx>,
    loc: Loc,
    trivia: &'a ast::Trivia,
}

/// What the steps of a sequence have in common.
struct Common {
    id: SequenceId,
    name: String,
    /// The innermost clause around the sequence.
    clause: Option<ClauseIdx>,
    /// What supports the sequence as a whole.
    basis: Option<Basis>,
    /// The author made it up.
    made_up: bool,
}

/// The parts of what is made up of a sequence: its steps in their places, without what does not belong to it.
fn arranged<'a>(parts: &[Part<'a>], made_up: MadeUp<'_>) -> Vec<Part<'a>> {
    let is_step = |part: &&Part<'a>, name: &String| match part.kind {
        SeqItemKind::Step(step) => step.name.text == *name,
        _ => false,
    };
    let rest = parts.iter().filter(|part| match part.kind {
        SeqItemKind::Step(_) | SeqItemKind::Contract(_) => false,
        SeqItemKind::Restart(_) => made_up.restarts,
        _ => true,
    });
    let names = made_up.steps.iter();
    let steps = names.filter_map(|name| parts.iter().find(|part| is_step(part, name)));
    rest.chain(steps).copied().collect()
}

impl<'a> Checker<'a> {
    /// All sequences.
    pub(super) fn sequences(&mut self) {
        let outline = self.outline;
        let mut number = 0;
        for entry in &outline.items {
            if let ItemKind::Sequence(sequence) = entry.kind {
                self.sequence(SequenceId::from_index(number), sequence, entry, None);
                number += 1;
            }
        }
    }

    /// A sequence, or what somebody made up of it.
    pub(super) fn sequence(
        &mut self,
        id: SequenceId,
        sequence: &'a ast::Sequence,
        entry: &Entry<'_>,
        made_up: Option<MadeUp<'_>>,
    ) {
        let clause = Self::clause_idx(entry.clause);
        let name = made_up.map_or(&sequence.name, |one| one.name);
        self.frame = Activation {
            clause,
            caller: Some(Caller::Sequence(id)),
            path: name.text.clone(),
            ..Activation::default()
        };
        let signature = self.sequence_params[id].clone();
        self.bind_params(&sequence.params, &signature);
        // A reading that the text leaves open is the same one where it is tried in another way.
        let reads = made_up.map_or(id, |one| one.of);
        let policy = made_up.and_then(|one| one.policy);
        let policy = policy.unwrap_or(&sequence.policy);
        let policy = self.list_policy(reads, policy, name, entry.loc);
        let parts = self.annotated_parts(sequence, made_up);
        let notes = std::mem::take(&mut self.frame.notes);
        let basis = supported(&notes, self.clause_basis(clause));
        let common = Common {
            id,
            name: name.text.clone(),
            clause,
            basis: made_up.map_or(basis, |_| Some(invented())),
            made_up: made_up.is_some(),
        };
        let restart = self.only_one(&parts, "restart", |kind| {
            matches!(kind, SeqItemKind::Restart(_))
        });
        let restart = restart.and_then(|part| self.restart(part, &common));
        let contract = self.only_one(&parts, "contract", |kind| {
            matches!(kind, SeqItemKind::Contract(_))
        });
        let contract = contract.and_then(|part| self.contract(part));
        let bound = self.frame.bound();
        let over = sequence
            .over
            .as_ref()
            .and_then(|over| self.over_each(reads, over, name, entry.loc));
        let in_order = matches!(policy, Some(ListPolicy::InOrder)) && sequence.over.is_none();
        self.frame.list = in_order.then(|| self.list_of(&parts));
        let steps = self.steps(&parts, &common);
        self.frame.list = None;
        self.not_too_many(steps.len(), sequence);
        self.frame.unbind(bound);
        let bases = steps
            .iter()
            .filter_map(|step| self.program.steps.get(*step));
        let weakest_step = weakest(bases.map(|step| step.basis.clone()));
        self.program.sequences.push(Sequence {
            name: common.name,
            params: params(&signature),
            locals: self.frame.types(),
            policy: policy.unwrap_or(ListPolicy::InOrder),
            precedes: Vec::new(),
            over,
            restart,
            steps,
            contract,
            basis: common.basis.or(weakest_step).unwrap_or_else(invented),
            clause,
            cites: notes.cites,
            doc: made_up
                .map_or(entry, |one| one.entry)
                .trivia
                .documentation(),
            experiment: made_up.map(|one| Experiment {
                of: one.of,
                alterations: one.alterations.to_owned(),
            }),
            span: name.loc.span(),
        });
    }

    /// The parts of a sequence, or of what is made up of it; what annotates it as a whole is taken down.
    fn annotated_parts(
        &mut self,
        sequence: &'a ast::Sequence,
        made_up: Option<MadeUp<'_>>,
    ) -> Vec<Part<'a>> {
        let mut parts = Vec::new();
        self.parts_of(&sequence.items, None, &mut parts);
        if let Some(made_up) = made_up {
            parts = arranged(&parts, made_up);
        }
        for part in &parts {
            if let SeqItemKind::Annotation(line) = part.kind {
                self.annotation(line, part.loc);
            }
        }
        parts
    }

    /// Whether so many steps can be explored: each of them is also left out once on each board.
    fn not_too_many(&mut self, steps: usize, sequence: &ast::Sequence) {
        let all = self.program.steps.len();
        let (found, most, of) = match steps > MOST_STEPS {
            true => (steps, MOST_STEPS, "in one sequence"),
            // Said once, of the sequence that goes beyond it.
            false if all > MOST_STEPS_IN_ALL && all - steps <= MOST_STEPS_IN_ALL => {
                (all, MOST_STEPS_IN_ALL, "up to here")
            }
            false => return,
        };
        let message = format!("found {found} steps {of}, expected at most {most}");
        let error = Diagnostic::error(codes::forms::DEEP_USE, message);
        self.report(error.at(sequence.name.loc, "too many steps"));
    }

    /// The parts of a sequence without the clauses around them.
    fn parts_of(
        &mut self,
        items: &'a [SeqItem],
        level: Option<ClauseIdx>,
        parts: &mut Vec<Part<'a>>,
    ) {
        for item in items {
            if !self.enter(item.loc) {
                return;
            }
            match &item.kind {
                SeqItemKind::Clause(clause, inner, _) => {
                    let level = self.names.clauses.get(&clause.id.text).or(level);
                    self.parts_of(inner, level, parts);
                }
                kind => parts.push(Part {
                    kind,
                    level,
                    loc: item.loc,
                    trivia: &item.trivia,
                }),
            }
            self.exit();
        }
    }

    /// The first part of a kind; reports the others.
    fn only_one<'p>(
        &mut self,
        parts: &'p [Part<'a>],
        what: &str,
        is: impl Fn(&SeqItemKind) -> bool,
    ) -> Option<&'p Part<'a>> {
        let mut all = parts.iter().filter(|part| is(part.kind));
        let first = all.next()?;
        for again in all {
            let message = format!("found a second `{what}`, expected one");
            let error = Diagnostic::error(codes::forms::MISPLACED, message).at(again.loc, "second");
            self.report(error.also(first.loc, "first"));
        }
        Some(first)
    }

    fn list_policy(
        &mut self,
        id: SequenceId,
        policy: &ast::ListPolicy,
        name: &Name,
        loc: Loc,
    ) -> Option<ListPolicy> {
        Some(match policy {
            ast::ListPolicy::InOrder { .. } => ListPolicy::InOrder,
            ast::ListPolicy::Unspecified => {
                let words = [
                    (
                        "binding",
                        "the steps are done in the order in which they are listed",
                    ),
                    ("free", "the steps may be done in any order"),
                ];
                let name = format!("{} order", name.text);
                let reading = self.own_reading(name, ReadingOrigin::List(id), words, loc.span());
                ListPolicy::Unspecified(reading)
            }
            ast::ListPolicy::Any => ListPolicy::Any,
            ast::ListPolicy::Chosen(decider) => {
                let decider = self.decider(decider);
                ListPolicy::Chosen(self.needed(decider)?)
            }
        })
    }

    /// The reading of a list or nesting that the text leaves open.
    fn own_reading(
        &mut self,
        name: String,
        origin: ReadingOrigin,
        words: [(&str, &str); 2],
        span: Span,
    ) -> ReadingId {
        let readings = &self.program.readings;
        if let Some((id, _)) = readings.iter().find(|(_, one)| one.origin == origin) {
            return id;
        }
        let alternatives = words.map(|(name, text)| Alternative {
            name: name.to_owned(),
            text: text.to_owned(),
            cites: self.frame.clause.into_iter().collect(),
        });
        let id = self.program.readings.push(Reading {
            name,
            alternatives: alternatives.into(),
            origin,
            clause: self.frame.clause,
            span,
        });
        self.usage.readings.insert(id);
        id
    }

    fn over_each(
        &mut self,
        id: SequenceId,
        over: &ast::NestOver,
        name: &Name,
        loc: Loc,
    ) -> Option<NestOver> {
        let bound = self.frame.bound();
        let binder = self.binder(&over.binder);
        let inside = self.frame.hide(bound);
        let order = self.order(over.order.as_ref(), binder.as_ref(), loc);
        self.frame.show(inside);
        let nest = match over.nest {
            ast::Nest::Steps => Nest::Steps,
            ast::Nest::Places => Nest::Places,
            ast::Nest::Unspecified => {
                let words = [
                    ("steps", "each step is done everywhere before the next step"),
                    (
                        "places",
                        "all steps are done in one place before the next place",
                    ),
                ];
                let name = format!("{} nesting", name.text);
                let reading = self.own_reading(name, ReadingOrigin::Nest(id), words, loc.span());
                Nest::Unspecified(reading)
            }
        };
        let built = binder.zip(order).map(|(binder, order)| NestOver {
            binder,
            order,
            nest,
        });
        self.needed(built)
    }

    /// Which steps a list has: the first that will be, and the names of all.
    fn list_of(&self, parts: &[Part<'a>]) -> (StepId, Vec<String>) {
        let names = parts.iter().filter_map(|part| match part.kind {
            SeqItemKind::Step(step) => Some(step.name.text.clone()),
            _ => None,
        });
        (
            StepId::from_index(self.program.steps.len()),
            names.collect(),
        )
    }

    fn steps(&mut self, parts: &[Part<'a>], common: &Common) -> Vec<StepId> {
        let mut names = Table::new("step");
        let mut steps = Vec::new();
        let mut unsupported = Vec::new();
        for part in parts {
            let SeqItemKind::Step(step) = part.kind else {
                continue;
            };
            let (built, rests) = self.step(step, part, common);
            let id = self.program.steps.push(built);
            let declared = names.declare(&step.name, id);
            self.found(declared);
            if !rests {
                unsupported.push(&step.name);
            }
            steps.push(id);
        }
        self.names.steps.insert(common.id, names);
        self.warn_unsupported("step", &unsupported);
        steps
    }

    /// One warning for all that rest on no clause.
    pub(super) fn warn_unsupported(&mut self, what: &str, names: &[&Name]) {
        let Some((first, others)) = names.split_first() else {
            return;
        };
        let message = match others.len() {
            0 => format!(
                "the {what} `{}` rests on no clause, and counts as invented",
                first.text
            ),
            1 => format!(
                "`{}` and another {what} rest on no clause, and count as invented",
                first.text
            ),
            more => format!(
                "`{}` and {more} other {what}s rest on no clause, and count as invented",
                first.text
            ),
        };
        let mut warning = Diagnostic::warning(codes::warnings::NO_CLAUSE, message)
            .at(first.loc, "on what does this rest?")
            .help("put it under its clause, cite one, or add `basis invented \"…\"`");
        for other in others {
            warning = warning.also(other.loc, "");
        }
        self.report(warning);
    }

    fn step(&mut self, step: &ast::Step, part: &Part<'_>, common: &Common) -> (Step, bool) {
        let outer = std::mem::take(&mut self.frame.notes);
        let clause = part.level.or(common.clause);
        self.frame.clause = clause;
        self.frame.path = format!("{}/{}", common.name, step.name.text);
        self.frame.owner = Some(Owner::Step(StepId::from_index(self.program.steps.len())));
        let body = self.block(&step.body);
        // What the document promises of a step it promises of the steps as they are written.
        let ensures = step.ensures.iter().filter(|_| !common.made_up);
        let ensures = self.ensured(ensures.map(|(_, ensured)| ensured));
        let notes = std::mem::replace(&mut self.frame.notes, outer);
        let around = self
            .clause_basis(part.level)
            .or_else(|| common.basis.clone());
        let basis = match common.made_up {
            true => Some(invented()),
            false => supported(&notes, around),
        };
        let rests = basis.is_some();
        let built = Step {
            name: step.name.text.clone(),
            sequence: common.id,
            body,
            ensures,
            basis: basis.unwrap_or_else(invented),
            clause,
            cites: notes.cites,
            doc: part.trivia.documentation(),
            span: step.name.loc.span(),
        };
        (built, rests)
    }

    /// Conditions that may speak of the beginning by `old`.
    fn ensured<'e>(&mut self, conditions: impl Iterator<Item = &'e ast::Expr>) -> Vec<Expr> {
        self.frame.old = true;
        let mut ensured = Vec::new();
        for condition in conditions {
            let condition = self.expect(condition, Type::Bool);
            ensured.extend(self.needed(condition));
        }
        self.frame.old = false;
        ensured
    }

    fn restart(&mut self, part: &Part<'_>, common: &Common) -> Option<Restart> {
        let SeqItemKind::Restart(restart) = part.kind else {
            return None;
        };
        let outer = std::mem::take::<Notes>(&mut self.frame.notes);
        let clause = part.level.or(common.clause);
        self.frame.clause = clause;
        self.frame.path = format!("{}/before restarting", common.name);
        self.frame.owner = Some(Owner::Restart(common.id));
        let when = self.truth(&restart.when);
        let cancel = self.cancel(&restart.cancel);
        let unfinished = self.unfinished(&restart.unfinished);
        let before = self.optional_block(restart.before.as_ref());
        self.frame.notes = outer;
        let parts = when.zip(cancel).zip(unfinished);
        let ((when, cancel), unfinished) = self.needed(parts)?;
        Some(Restart {
            when: *when,
            cancel,
            unfinished,
            before,
            clause,
            span: part.loc.span(),
        })
    }

    fn contract(&mut self, part: &Part<'_>) -> Option<Contract> {
        let SeqItemKind::Contract(contract) = part.kind else {
            return None;
        };
        let mut changes = Vec::new();
        for (_, place, within) in &contract.changes {
            let target = self.change_target(place);
            let ty = target.as_ref().map(|(_, ty)| *ty);
            let within = self.within_range(within, ty);
            let change = target.zip(within).map(|((target, _), within)| Change {
                target,
                within,
                span: place.loc.span(),
            });
            let known = |one: &Change| change.as_ref().is_some_and(|new| new.is_about(&one.target));
            if changes.iter().any(known) {
                let message = "found two `changes` lines about one place, expected one";
                let error = Diagnostic::error(codes::forms::GIVEN_TWICE, message)
                    .at(place.loc, "an earlier line speaks of it");
                self.report(error.help("leave one of the two lines out"));
            }
            changes.extend(self.needed(change));
        }
        let ensures = self.ensured(contract.ensures.iter().map(|(_, ensured)| ensured));
        Some(Contract { changes, ensures })
    }

    /// `Card.health` is the field of every card; anything else one place.
    fn change_target(&mut self, place: &ast::Expr) -> Option<(ChangeTarget, Type)> {
        if let Some(field) = self.field_of_all(place) {
            let field = field?;
            let ty = self.field_types.get(field).copied().flatten()?;
            return Some((ChangeTarget::FieldOfAll(field), ty));
        }
        let place = self.place(place)?;
        let own = match &place.kind {
            PlaceKind::Var(_) => true,
            PlaceKind::Field(owner, _) => matches!(owner.kind, ExprKind::Local(_)),
        };
        if !own {
            let message = "found the field of something, expected one of a parameter or of a sort";
            let error = Diagnostic::error(codes::types::NOT_A_PLACE, message)
                .at(
                    place.span,
                    "which entity is this when the sequence has ended?",
                )
                .help("write the name of the sort, as in `Card.health`, for all of its entities");
            self.report(error);
            return None;
        }
        let ty = place.ty;
        Some((ChangeTarget::Place(place), ty))
    }
}
