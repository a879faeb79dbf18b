//! Whether what holds was ever put to the test: on which boards, and at which ends.
//!
//! ```text
//! order irrelevant in cleanup     no run of cleanup ever has two cards to put in order     F0613
//! ```
//!
//! *Guarantees.* What is said depends on all boards and runs together. Of what is not known to hold, and
//! of what could be tested by something that is not looked at here, nothing is said.

use std::collections::BTreeMap;

use super::leaf::Leaf;
use super::setup::Setup;
use super::watch::Event;
use crate::verdict::{Question, Untested};
use endstep_language::syntax::ast::At;
use endstep_language::typing::program::ClaimKind;
use endstep_semantics::semantics::{ChoiceKind, Data, Interpreter, Tag};
use endstep_semantics::witness::{differences, outside_contract};

/// How far each question was put to the test; `None`: to the end.
pub type Trials = BTreeMap<Question, Option<Untested>>;

/// Adds how far questions got elsewhere.
pub fn merge(mine: &mut Trials, more: Trials) {
    for (question, trial) in more {
        mine.entry(question)
            .and_modify(|known| *known = further(*known, trial))
            .or_insert(trial);
    }
}

/// The further of two: what has passed more is told.
pub fn further(one: Option<Untested>, other: Option<Untested>) -> Option<Untested> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.max(other)),
        _ => None,
    }
}

/// How far a board puts each question to the test under an assignment, but for those that others have
/// tested already.
pub fn of(setup: &Setup<'_>, leaf: &Leaf, known: &Trials) -> Trials {
    let program = setup.program;
    let court = Trial { setup, leaf };
    let is_open = |question: &Question| known.get(question) != Some(&None);
    let mut found = Trials::new();
    for (at, &claim) in setup.job.claims.iter().enumerate() {
        let question = Question::Claim(claim);
        if is_open(&question) {
            let trial = match leaf.concerned[at] {
                true => court.claim(at, &program.claims[claim].kind),
                false => Some(Untested::NoBoard),
            };
            found.insert(question, trial);
        }
    }
    if !setup.job.full {
        return found;
    }
    let question = Question::Contract(setup.job.sequence);
    if program.sequences[setup.job.sequence].contract.is_some() && is_open(&question) {
        found.insert(question, court.contract());
    }
    for index in 0..program.legals.len() {
        let question = Question::Legal(setup.job.sequence, index);
        if is_open(&question) {
            found.insert(question, court.ended(&|tag| *tag == Tag::End));
        }
    }
    found
}

/// What a board has to say.
struct Trial<'a, 'b> {
    setup: &'a Setup<'b>,
    leaf: &'a Leaf,
}

impl Trial<'_, '_> {
    fn claim(&self, at: usize, kind: &ClaimKind) -> Option<Untested> {
        let graph = &self.leaf.graph;
        let tested = |is_so: bool, why| (!is_so).then_some(why);
        match kind {
            ClaimKind::OrderIrrelevant(_, step) => {
                let mut nodes = graph.nodes.iter().enumerate();
                let is_order = nodes.any(|(at, node)| {
                    let point = node.point();
                    point.is_some_and(|point| point.kind == ChoiceKind::Order)
                        && point.is_some_and(|point| point.alternatives > 1)
                        && step.is_none_or(|step| graph.inside(at, step))
                });
                tested(is_order, Untested::NothingToOrder)
            }
            ClaimKind::Must(..) => self.said(at, &Tag::is_outcome),
            ClaimKind::Invariant(_, At::End, _) => self.said(at, &|tag| *tag == Tag::End),
            ClaimKind::Idempotent(_, None) => self.ended(&|tag| *tag == Tag::End),
            ClaimKind::Idempotent(_, Some(step)) => {
                let is_end =
                    |event: &Event| matches!(event, Event::StepEnded(one, ..) if one == step);
                let ends = graph.all_marks().any(|(.., mark)| is_end(&mark.event));
                tested(ends, Untested::NotDone)
            }
            ClaimKind::Equivalent(..)
            | ClaimKind::Terminates(..)
            | ClaimKind::Invariant(..)
            | ClaimKind::Reachable(..)
            | ClaimKind::ReachableAfter(..)
            | ClaimKind::ExtremeIn(..)
            | ClaimKind::ExtremeAfter(..)
            | ClaimKind::Conserves(..) => None,
        }
    }

    /// The data of the ends with some tags.
    fn ends<'l>(&'l self, counts: &'l dyn Fn(&Tag) -> bool) -> impl Iterator<Item = &'l Data> {
        let ends = self.leaf.graph.nodes.iter();
        let ends = ends.filter_map(|node| Some(&node.end()?.ended));
        ends.filter(|ended| counts(&ended.tag))
            .map(|ended| &*ended.data)
    }

    fn ended(&self, counts: &dyn Fn(&Tag) -> bool) -> Option<Untested> {
        match self.ends(counts).next() {
            Some(_) => None,
            None => Some(Untested::NoEnd),
        }
    }

    /// Of a claim about ends: whether there is one, and anything at it that the claim speaks of.
    fn said(&self, at: usize, counts: &dyn Fn(&Tag) -> bool) -> Option<Untested> {
        let none = self.ended(counts);
        let Some(subject) = &self.setup.subjects[at] else {
            return none;
        };
        let it = self.interpreter();
        let board = &self.leaf.graph.board;
        // What has no value was no harmless look.
        let is_there = |data: &Data| it.condition(subject, data, Some(board)) != Ok(false);
        match none {
            None if !self.ends(counts).any(is_there) => Some(Untested::NothingThere),
            other => other,
        }
    }

    /// Whether a run ends normally, having changed something that the contract lists, if it lists
    /// anything.
    fn contract(&self) -> Option<Untested> {
        let sequence = self.setup.job.sequence;
        let is_end = |tag: &Tag| *tag == Tag::End;
        let contract = &self.setup.program.sequences[sequence].contract;
        if let Some(none) = self.ended(&is_end) {
            return Some(none);
        }
        if contract.as_ref().is_none_or(|one| one.changes.is_empty()) {
            return None;
        }
        let (it, board) = (self.interpreter(), &self.leaf.graph.board);
        let has_changed = |data: &Data| {
            let all = differences(self.setup.program, board, data);
            // What is changed and not listed refutes the contract.
            !all.is_empty() && outside_contract(it, sequence, board, data) == Ok(Vec::new())
        };
        match self.ends(&is_end).any(has_changed) {
            true => None,
            false => Some(Untested::NothingChanges),
        }
    }

    fn interpreter(&self) -> Interpreter<'_> {
        Interpreter {
            program: self.setup.program,
            readings: &self.leaf.readings,
            variant: &self.setup.job.variant,
        }
    }
}
