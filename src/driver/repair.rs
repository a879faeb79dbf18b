//! The smallest change of a specification after which something that matters does not matter any
//! more, found by making changes and checking again.
//!
//! Tried are, for what a finding is about, the smallest first: one of two steps always before the
//! other; an iteration, the listeners of an event or the places of a sequence as they lie, from left to right;
//! the whole list in the order written; one alternative of a reading; one step done once more at the end.
//!
//! *Guarantees.* A change is suggested only if a check with it, of the same sequence in the same sizes, no
//! longer has the finding, has no warning or error that was not there before, and meets no limit. It is
//! true of the boards explored. Of changes of one size that do, the one that leaves the fewest findings is
//! suggested.
//!
//! *Limits.* Changes are made one at a time, and to choices that somebody makes on purpose only if the
//! document claims that they make no difference.

use std::collections::{BTreeMap, BTreeSet};

use super::Engine;
use crate::analysis::Options;
use crate::diag::Severity;
use crate::semantics::{Key, Site, Who};
use crate::typing::program::{BlockId, ListPolicy, Order, Program, ReadingId, StepId, StmtKind};
use crate::verdict::{
    Change, ClaimFailure, Detail, Finding, Pair, Repair, Results, ScopeOf, fingerprint,
};

/// A repair for each finding that one was found for, by position.
pub(super) fn repairs(
    program: &Program,
    (options, engine): (&Options, Engine),
    results: &Results,
    progress: &mut dyn FnMut(&crate::analysis::Progress),
) -> Vec<(usize, Repair)> {
    let mut before: BTreeMap<(usize, Option<usize>), BTreeSet<String>> = BTreeMap::new();
    let mut found = Vec::new();
    for (at, finding) in results.findings.iter().enumerate() {
        let changes = changes(program, finding);
        let Some(number) = finding.scope.filter(|_| !changes.is_empty()) else {
            continue;
        };
        let Some(scope) = results.scopes.get(number) else {
            continue;
        };
        if !scope.limitations.is_empty() {
            continue;
        }
        let claim = match finding.detail {
            Detail::Claim(claim, _) => Some(claim),
            _ => None,
        };
        let mut trial = Trial {
            program,
            options,
            engine,
            finding,
            subject: scope.subject,
            known: BTreeSet::new(),
        };
        // What a check of this alone finds without a change.
        let known = before.entry((number, claim));
        let known = known.or_insert_with(|| trial.unchanged(progress));
        trial.known.clone_from(known);
        let mut best: Option<(u8, usize, Repair)> = None;
        for (size, change) in changes {
            if best.as_ref().is_some_and(|(smallest, ..)| *smallest < size) {
                break;
            }
            let Some((boards, left)) = trial.without(change, progress) else {
                continue;
            };
            if best.as_ref().is_none_or(|(_, least, _)| left < *least) {
                best = Some((size, left, Repair { change, boards }));
            }
        }
        found.extend(best.map(|(.., repair)| (at, repair)));
    }
    found
}

/// What could be changed so that a finding goes away, with how large a change it is, the smallest first.
fn changes(program: &Program, finding: &Finding) -> Vec<(u8, Change)> {
    match &finding.detail {
        // What somebody decides is meant to be open, unless it is claimed to make no difference.
        Detail::Order(pair) | Detail::Steps(_, pair) | Detail::SameGap(_, pair)
            if pair.who != Who::Nobody =>
        {
            Vec::new()
        }
        Detail::Order(pair)
        | Detail::Steps(_, pair)
        | Detail::SameGap(_, pair)
        | Detail::Claim(_, ClaimFailure::Order(pair)) => of_pair(program, pair),
        Detail::Reading { reading, .. } | Detail::ReadingPower { reading, .. } => {
            fixed(program, *reading)
        }
        Detail::MissingRecheck(_, step) => vec![(0, Change::Again(*step))],
        _ => Vec::new(),
    }
}

fn of_pair(program: &Program, pair: &Pair) -> Vec<(u8, Change)> {
    let mut found = Vec::new();
    match (&pair.first, &pair.second) {
        (Key::Step(one), Key::Step(other)) => {
            found.push((0, Change::Before(*one, *other)));
            found.push((0, Change::Before(*other, *one)));
            if let Site::Sequence(sequence) = pair.site {
                match program.sequences[sequence].policy {
                    ListPolicy::Unspecified(reading) => {
                        found.push((1, Change::Reading(reading, 0)))
                    }
                    _ => found.push((1, Change::AsWritten(sequence))),
                }
            }
        }
        (Key::Element(..), Key::Element(..)) => found.push((0, Change::LeftToRight(pair.site))),
        (Key::Instance(one), Key::Instance(other)) if one.trigger == other.trigger => {
            found.push((0, Change::LeftToRight(pair.site)));
        }
        _ => {}
    }
    found
}

/// Every alternative of a reading.
fn fixed(program: &Program, reading: ReadingId) -> Vec<(u8, Change)> {
    let count = program.readings[reading].alternatives.len();
    let alternatives = (0..count).filter_map(|at| u16::try_from(at).ok());
    alternatives
        .map(|at| (0, Change::Reading(reading, at)))
        .collect()
}

/// A finding that is to go away.
struct Trial<'a> {
    program: &'a Program,
    options: &'a Options,
    engine: Engine,
    finding: &'a Finding,
    subject: ScopeOf,
    /// Fingerprints of what is found without a change.
    known: BTreeSet<String>,
}

impl Trial<'_> {
    /// The specification and the options for checking what the finding is about, and nothing else.
    fn alone(&self) -> Option<(Program, Options)> {
        let mut program = self.program.clone();
        let mut options = self.options.clone();
        options.only.clear();
        options.repairs = false;
        program.examples.clear();
        match (self.subject, &self.finding.detail) {
            (_, Detail::Claim(claim, _)) => options.claims = Some(vec![*claim]),
            (ScopeOf::Verify(at), _) => {
                let verify = program.verifies.get(at)?.clone();
                program.verifies = vec![verify];
                program.claims.clear();
                options.claims = None;
            }
            _ => return None,
        }
        Some((program, options))
    }

    /// Fingerprints of what is found without a change.
    fn unchanged(&self, progress: &mut dyn FnMut(&crate::analysis::Progress)) -> BTreeSet<String> {
        let Some((program, options)) = self.alone() else {
            return BTreeSet::new();
        };
        let results = super::explored(&program, (&options, self.engine), progress);
        let findings = results.findings.iter();
        findings.map(|one| fingerprint(&program, one)).collect()
    }

    /// Makes a change and checks again; on how many boards, and how many findings are left, if that helps.
    fn without(
        &self,
        change: Change,
        progress: &mut dyn FnMut(&crate::analysis::Progress),
    ) -> Option<(u64, usize)> {
        let (mut program, mut options) = self.alone()?;
        make(change, &mut program, &mut options)?;
        let results = super::explored(&program, (&options, self.engine), progress);
        let limited = results.scopes.iter().any(|one| !one.limitations.is_empty());
        let about = |one: &Finding| {
            let same_claim = match (&one.detail, &self.finding.detail) {
                (Detail::Claim(a, _), Detail::Claim(b, _)) => a == b,
                _ => false,
            };
            let same = (one.code, &one.subject, &one.cause);
            same_claim
                || same
                    == (
                        self.finding.code,
                        &self.finding.subject,
                        &self.finding.cause,
                    )
        };
        let new = |one: &Finding| {
            one.severity != Severity::Note
                && one.scope.is_some()
                && !self.known.contains(&fingerprint(&program, one))
        };
        let bad = limited || results.findings.iter().any(|one| about(one) || new(one));
        let boards: u64 = results.scopes.iter().map(|one| one.legal).sum();
        (!bad && boards > 0).then_some((boards, results.findings.len()))
    }
}

/// Makes a change.
fn make(change: Change, program: &mut Program, options: &mut Options) -> Option<()> {
    match change {
        Change::Before(one, other) => {
            let sequence = program.steps[one].sequence;
            program.sequences[sequence].precedes.push((one, other));
        }
        Change::AsWritten(sequence) => {
            program.sequences[sequence].policy = ListPolicy::InOrder;
        }
        Change::Reading(reading, alternative) => {
            if options.readings.contains_key(&reading) {
                return None;
            }
            options.readings.insert(reading, alternative);
        }
        Change::LeftToRight(site) => {
            let order = match site {
                Site::Stmt(stmt) => match &mut program.stmts[stmt].kind {
                    StmtKind::ForEach { order, .. } => order,
                    _ => return None,
                },
                Site::Sequence(sequence) => &mut program.sequences[sequence].over.as_mut()?.order,
                Site::Event(event) => program.events[event].listeners.insert(Order::Any),
                Site::Trigger(_) | Site::Step(_) | Site::Outside(_) => return None,
            };
            *order = Order::Zone {
                reversed: false,
                from: None,
            };
        }
        Change::Again(step) => {
            let mut again = program.steps[step].clone();
            again.body = copied(program, again.body);
            let sequence = again.sequence;
            again.name.push_str(" again");
            let id: StepId = program.steps.push(again);
            program.sequences[sequence].steps.push(id);
        }
    }
    Some(())
}

/// A copy of a block with statements of its own.
fn copied(program: &mut Program, block: BlockId) -> BlockId {
    let mut copy = program.blocks[block].clone();
    for at in &mut copy.stmts {
        let mut stmt = program.stmts[*at].clone();
        for inner in inner_blocks(&mut stmt.kind) {
            *inner = copied(program, *inner);
        }
        *at = program.stmts.push(stmt);
    }
    program.blocks.push(copy)
}

/// The blocks inside of a statement.
fn inner_blocks(kind: &mut StmtKind) -> Vec<&mut BlockId> {
    match kind {
        StmtKind::If(arms, otherwise)
        | StmtKind::Cases {
            arms, otherwise, ..
        } => {
            let bodies = arms.iter_mut().map(|(_, body)| body);
            bodies.chain(otherwise).collect()
        }
        StmtKind::Depending(_, blocks) => blocks.iter_mut().collect(),
        StmtKind::ForEach { body, .. }
        | StmtKind::Simultaneously(body)
        | StmtKind::Repeat(_, body) => vec![body],
        StmtKind::ChooseOne { options, .. } => {
            options.iter_mut().map(|option| &mut option.2).collect()
        }
        StmtKind::May {
            body, otherwise, ..
        } => std::iter::once(body).chain(otherwise).collect(),
        _ => Vec::new(),
    }
}
