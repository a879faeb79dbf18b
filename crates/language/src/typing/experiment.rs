//! Experiments: a sequence as it is written, with changes that the author makes up.
//!
//! ```text
//! experiment swapped: cleanup but infection before armour, steps in any order
//! ```
//!
//! The steps of the sequence are checked once more, as those of another one, so that everything after this knows
//! two sequences and nothing of experiments, but that nobody verifies or claims anything of one.

use super::activation::Caller;
use super::checker::Checker;
use super::program::{ListPolicy, SequenceId, StepId, StmtId, StmtKind};
use crate::diag::{Diagnostic, codes};
use crate::index::Id;
use crate::resolve::{Entry, NameKind, unknown};
use crate::source::Span;
use crate::syntax::ast::{self, Alteration, ItemKind, Loc, Name};
use crate::syntax::print_alterations;
use std::collections::BTreeMap;

/// A sequence with other steps, of another name.
#[derive(Clone, Copy)]
pub(super) struct MadeUp<'a> {
    /// Its name.
    pub(super) name: &'a Name,
    /// Where it stands.
    pub(super) entry: &'a Entry<'a>,
    /// The sequence that is changed.
    pub(super) of: SequenceId,
    /// The order of the list, if it is another one.
    pub(super) policy: Option<&'a ast::ListPolicy>,
    /// Its steps.
    pub(super) steps: &'a [String],
    /// It begins again as it is written.
    pub(super) restarts: bool,
    /// What is changed, as it is written.
    pub(super) alterations: &'a str,
}

/// What was read of the changes.
#[derive(Default)]
struct Altered<'a> {
    policy: Option<&'a ast::ListPolicy>,
    steps: Vec<String>,
    moved: Option<Loc>,
    never: bool,
    instead: BTreeMap<SequenceId, (SequenceId, Loc)>,
    failed: bool,
}

impl<'a> Checker<'a> {
    /// All experiments; everything else that can be performed or left is known.
    pub(super) fn experiments(&mut self) {
        let outline = self.outline;
        let written = outline.items.iter().filter_map(|entry| match entry.kind {
            ItemKind::Sequence(sequence) => Some((sequence, entry)),
            _ => None,
        });
        let written: Vec<_> = written.collect();
        let mut number = written.len();
        for entry in &outline.items {
            let ItemKind::Experiment(experiment) = entry.kind else {
                continue;
            };
            let id = SequenceId::from_index(number);
            number += 1;
            let base = self.names.experiments.get(&id).copied().flatten();
            let Some(base) = base else {
                self.no_base(&experiment.of);
                continue;
            };
            self.sequence_named(&experiment.of);
            if let (Some((sequence, around)), Some(altered)) =
                (written.get(base.index()), self.altered(experiment, base))
            {
                let printed = print_alterations(experiment);
                let made_up = MadeUp {
                    name: &experiment.name,
                    entry,
                    of: base,
                    policy: altered.policy,
                    steps: &altered.steps,
                    restarts: !altered.never,
                    alterations: &printed,
                };
                self.copied(id, (sequence, around), made_up, &altered.instead);
            }
        }
    }

    /// What an experiment is of is another experiment, or nothing.
    fn no_base(&mut self, of: &Name) {
        if self.sequence_named(of).is_some() {
            let message = format!("`{}` is an experiment, expected a sequence", of.text);
            let error = Diagnostic::error(codes::forms::NO_CHANGE, message);
            self.report(
                error
                    .at(of.loc, "this is made up already")
                    .help("write all changes in one line"),
            );
        }
    }

    fn copied(
        &mut self,
        id: SequenceId,
        (sequence, around): (&'a ast::Sequence, &Entry<'_>),
        made_up: MadeUp<'_>,
        instead: &BTreeMap<SequenceId, (SequenceId, Loc)>,
    ) {
        // What is wrong with the sequence was said of it.
        let said = self.diagnostics.len();
        self.instead = instead.iter().map(|(of, (by, _))| (*of, *by)).collect();
        self.replaced.clear();
        self.sequence(id, sequence, around, Some(made_up));
        self.instead.clear();
        self.diagnostics.truncate(said);
        for (of, (_, loc)) in instead {
            if !self.replaced.contains(of) {
                let name = &self.program.sequences[*of].name;
                let message = format!("no step of `{}` performs `{name}`", sequence.name.text);
                self.cannot(message, *loc, "nothing to replace");
            }
        }
        if let Some(span) = self.left_from_outside(made_up.of) {
            let name = &sequence.name.text;
            let message = format!("`leave {name}` stands outside of `{name}`");
            let error = Diagnostic::error(codes::forms::NO_CHANGE, message)
                .at(made_up.name.loc, "it does not end the experiment")
                .also(span, format!("this ends `{name}`, and nothing else"))
                .help("an experiment is of a sequence that only its own steps leave");
            self.report(error);
        }
    }

    /// Where something else than the steps of a sequence ends it.
    fn left_from_outside(&self, of: SequenceId) -> Option<Span> {
        let leaves = |id: &StmtId| self.program.stmts[*id].kind == StmtKind::Leave(of);
        let own = self.program.statements_of(of);
        let mut all = self.program.stmts.ids();
        let other = all.find(|id| leaves(id) && !own.contains(id))?;
        Some(self.program.stmts[other].span)
    }

    fn altered(&mut self, experiment: &'a ast::Experiment, of: SequenceId) -> Option<Altered<'a>> {
        let base = self.program.sequences.get(of)?;
        let names = base
            .steps
            .iter()
            .map(|step| &self.program.steps[*step].name);
        let mut altered = Altered {
            steps: names.cloned().collect(),
            ..Altered::default()
        };
        for (alteration, loc) in &experiment.alterations {
            self.alter(&mut altered, (alteration, *loc), of);
        }
        self.still_goes(experiment, &mut altered, of);
        let is_open = match altered.policy {
            None => {
                let base = &self.program.sequences[of];
                matches!(base.policy, ListPolicy::Any | ListPolicy::Chosen(_))
            }
            Some(policy) => matches!(policy, ast::ListPolicy::Any | ast::ListPolicy::Chosen(_)),
        };
        if altered.steps.is_empty() {
            let message = format!("no step of `{}` is left", experiment.of.text);
            self.cannot(message, experiment.name.loc, "nothing is done in it");
            altered.failed = true;
        } else if let (true, Some(loc)) = (is_open, altered.moved) {
            let message = "found a place for a step, in a list whose order is open".to_owned();
            self.cannot(message, loc, "this changes nothing");
            altered.failed = true;
        }
        (!altered.failed).then_some(altered)
    }

    /// Whether the steps that are left can go where they go.
    fn still_goes(
        &mut self,
        experiment: &ast::Experiment,
        altered: &mut Altered<'a>,
        of: SequenceId,
    ) {
        let program = &self.program;
        let is_left = |step: StepId| altered.steps.contains(&program.steps[step].name);
        let goes = program.jumps_of(of).into_iter();
        let mut goes = goes.filter(|(from, ..)| is_left(*from));
        let in_order = altered
            .policy
            .is_none_or(|one| matches!(one, ast::ListPolicy::InOrder { .. }));
        let wrong = match in_order {
            true => goes.find(|(_, to, _)| !is_left(*to)),
            false => goes.next(),
        };
        let Some((_, to, span)) = wrong else { return };
        let name = &program.steps[to].name;
        let (message, label) = match in_order {
            true => (
                format!("a step goes to `{name}`, and there is no such step any more"),
                "left out",
            ),
            false => (
                format!("a step goes to `{name}`, and the list has no order any more"),
                "in no order",
            ),
        };
        let error = Diagnostic::error(codes::forms::NO_CHANGE, message)
            .at(experiment.name.loc, label)
            .also(span, "it goes there");
        self.report(error);
        altered.failed = true;
    }

    fn alter(
        &mut self,
        altered: &mut Altered<'a>,
        (alteration, loc): (&'a Alteration, Loc),
        of: SequenceId,
    ) {
        let fits = match alteration {
            Alteration::Steps(policy) => {
                altered.policy = Some(policy);
                Some(())
            }
            Alteration::NeverRestarting => {
                let base = &self.program.sequences[of];
                let name = base.name.clone();
                let restarts =
                    base.restart.is_some() && !std::mem::replace(&mut altered.never, true);
                if !restarts {
                    self.cannot(format!("`{name}` never begins again"), loc, "already so");
                }
                restarts.then_some(())
            }
            Alteration::Without(step) => {
                let at = self.position(altered, step, of);
                at.map(|at| {
                    altered.steps.remove(at);
                })
            }
            Alteration::ToEnd { step, last } => {
                let at = self.position(altered, step, of);
                at.map(|at| {
                    let step = altered.steps.remove(at);
                    let to = if *last { altered.steps.len() } else { 0 };
                    altered.steps.insert(to, step);
                    altered.moved = Some(loc);
                })
            }
            Alteration::Beside { step, after, other } if step.text == other.text => {
                let beside = if *after { "after" } else { "before" };
                let message = format!("found `{}` {beside} itself", step.text);
                self.cannot(message, loc, "expected another step");
                None
            }
            Alteration::Beside { step, after, other } => {
                let at = self.position(altered, step, of);
                let beside = self.position(altered, other, of);
                at.zip(beside).map(|(at, _)| {
                    let step = altered.steps.remove(at);
                    let mut names = altered.steps.iter();
                    let to = names.position(|one| *one == other.text).unwrap_or(0);
                    altered.steps.insert(to + usize::from(*after), step);
                    altered.moved = Some(loc);
                })
            }
            Alteration::For {
                experiment,
                sequence,
            } => self.instead_of(experiment, sequence).and_then(|(by, of)| {
                let is_new = altered.instead.insert(of, (by, loc)).is_none();
                if !is_new {
                    let message = format!("nothing performs `{}` any more", sequence.text);
                    self.cannot(message, loc, "it is replaced already");
                }
                is_new.then_some(())
            }),
        };
        altered.failed |= fits.is_none();
    }

    /// The position of a step in the list, after the changes so far.
    fn position(&mut self, altered: &Altered<'_>, step: &Name, of: SequenceId) -> Option<usize> {
        let mut steps = altered.steps.iter();
        let at = steps.position(|one| *one == step.text);
        let known = self
            .names
            .steps
            .get(&of)
            .and_then(|steps| steps.place(&step.text));
        if let Some(declared) = known {
            let at = step.loc.span();
            self.uses.add(at, declared, NameKind::Step);
        } else if self.uses.is_probe(&step.text) {
            let names = altered.steps.iter().map(String::as_str);
            self.uses.offer(Some(NameKind::Step), names);
        }
        if at.is_none() {
            let names = altered.steps.iter().map(String::as_str);
            let near = crate::resolve::nearest(&step.text, names);
            let error = unknown("step", &step.text, step.loc.span(), near);
            self.report(error);
        }
        at
    }

    /// An experiment, and the sequence that it is of.
    fn instead_of(&mut self, by: &Name, of: &Name) -> Option<(SequenceId, SequenceId)> {
        let (found, replaced) = (self.sequence_named(by), self.sequence_named(of));
        let (found, replaced) = (found?, replaced?);
        if self.names.experiments.get(&found).copied().flatten() == Some(replaced) {
            return Some((found, replaced));
        }
        let message = format!("`{}` is no experiment of `{}`", by.text, of.text);
        self.cannot(message, by.loc, "expected what is made of the other one");
        None
    }

    /// What is performed where a step performs a sequence: in an experiment it can be another one.
    pub(super) fn performed_here(&mut self, id: SequenceId) -> SequenceId {
        self.instead.get(&id).map_or(id, |&by| {
            self.replaced.insert(id);
            by
        })
    }

    /// The sequence that a step leaves: in an experiment of it, the experiment.
    pub(super) fn itself(&self, left: SequenceId) -> SequenceId {
        match self.frame.caller {
            Some(Caller::Sequence(own))
                if self.names.experiments.get(&own) == Some(&Some(left)) =>
            {
                own
            }
            _ => left,
        }
    }

    fn cannot(&mut self, message: String, loc: Loc, label: &str) {
        self.error(codes::forms::NO_CHANGE, message, loc, label);
    }

    /// Reports that something belongs to the document, if this is an experiment; whether it is one.
    pub(super) fn not_made_up(&mut self, id: SequenceId, name: &Name, what: &str) -> bool {
        let is_one = self.names.experiments.contains_key(&id);
        if is_one {
            let message = format!("found `{}`, an experiment, expected a sequence", name.text);
            let error = Diagnostic::error(codes::forms::MADE_UP, message);
            self.report(error.at(name.loc, what).help(
                "only a `question` is about an experiment, and only another experiment performs it",
            ));
        }
        is_one
    }
}
