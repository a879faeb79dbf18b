//! Whether two ways to read a sentence play alike on every board.
//!
//! Whatever depends on the reading is run under one alternative and under the other, from any data and
//! with the same choices. If each leaves the same, and ends in the same way, then so do all runs: one
//! way can be put in place of the other wherever it stands.
//!
//! ```text
//! for each c: Card in board where c.dead, per order (in_rows: left to right | as_they_like: in any order)
//!   set c.due to true                       alike: turns have nothing to do with each other
//! ```
//!
//! Where the reading decides about nothing but an order, and it was shown that any two neighbours can be
//! exchanged ([`Exchangeable`]), there is nothing left to compare, unless somebody chooses there: who chooses
//! last knows what the others chose, and may be able to bring about what nobody else can.
//!
//! The smallest part is compared that can be: an operation, or what stands around it. A part that
//! announces something into a queue is not, nor one between whose statements a restart rule could
//! become due; and what is not performed but looked at (restart rules, what triggers match, headings,
//! what steps promise, legality) must not depend on the reading at all.

use std::collections::{BTreeMap, BTreeSet};

use super::commute::{alike, any_board, same_truth};
use super::context::Context;
use super::ends::{each_op, units};
use super::exec::any_locals;
use crate::smt::Solver;
use endstep_kernel::footprint::{self, Place, Reached, Reader, Unit, reached, unsettled};
use endstep_kernel::ir::{
    Binder, Block, Decider, Expr, ExprKind, Op, OpKind, Order, System, Under, Until,
};
use endstep_language::typing::program::{BlockId, Nest, ReadingId, SequenceId, StmtId, Unfinished};
use endstep_verdicts::verdict::{Argument, Certificate, Exchangeable, Obstacle, Refusal};

type Result<T> = std::result::Result<T, Refusal>;

/// Why all alternatives of a reading play alike in a sequence on every board, if that can be shown.
///
/// # Errors
///
/// What stands in the way; nothing is said of whether they play alike.
pub fn coincide(
    system: &System,
    (sequence, reading): (SequenceId, ReadingId),
    exchangeable: &Exchangeable,
) -> std::result::Result<Certificate, Refusal> {
    let all = reached(system, sequence);
    super::has_terms(system, &all)?;
    let ordered = ordered(system, (&all, reading), exchangeable);
    let system = &ordered.system;
    looked_at(system, &all, reading)?;
    let mut alike = Alike {
        system,
        reading,
        restarts: restarts(system, &all),
        together: footprint::together(system),
        questions: ordered.questions,
    };
    for &id in &all.sequences {
        let procedure = &system.procedures[id];
        let unit = Unit::Procedure(id);
        for &step in &procedure.steps {
            alike.block(system.steps[step].body, unit)?;
        }
        if let Some(before) = procedure.restart.as_ref().and_then(|rule| rule.before) {
            alike.block(before, unit)?;
        }
    }
    for &id in &all.triggers {
        alike.block(system.triggers[id].body, Unit::Trigger(id))?;
    }
    // What nothing depends on was asked because of something else.
    if alike.questions.is_empty() && !ordered.any {
        return Err(Obstacle::Form.into());
    }
    Ok(Certificate {
        argument: Argument::Alike,
        questions: alike.questions,
    })
}

/// A system in which a reading no longer decides about orders that make no difference.
struct Ordered {
    system: System,
    /// What the solver was asked about these orders.
    questions: Vec<String>,
    /// Whether there are any.
    any: bool,
}

/// Puts every order that makes no difference as it is under the first alternative.
fn ordered(
    system: &System,
    (all, reading): (&Reached, ReadingId),
    exchangeable: &Exchangeable,
) -> Ordered {
    let mut found = Ordered {
        system: system.clone(),
        questions: Vec::new(),
        any: false,
    };
    let mut twins = BTreeMap::new();
    let units = units(all);
    let mut iterations = Vec::new();
    let together = footprint::together(system);
    for &unit in &units {
        each_op(system, unit, &mut |id| iterations.push(id));
    }
    let whose = footprint::units(system);
    for id in iterations {
        let (OpKind::Each(each), Some(questions)) =
            (&system.ops[id].kind, exchangeable.iterations.get(&id))
        else {
            continue;
        };
        // An order that cannot be told ends the run.
        let alone = !together.contains(&id);
        let unit = whose.get(&id).copied();
        let chooses =
            unit.is_none_or(|unit| footprint::of_element(system, each, unit).asks_somebody());
        let settled = !unsettled(system, &each.order) && !chooses;
        if alone && mentions(&each.order, reading) && settled {
            Under::new(&mut found.system, (reading, 0), &mut twins).order_of(id);
            found.took(questions);
        }
    }
    for &id in &all.sequences {
        let procedure = &system.procedures[id];
        if footprint::of_procedure(system, id).asks_somebody() {
            continue;
        }
        if matches!(&procedure.free, Some((Decider::Nobody, Some(one))) if *one == reading)
            && let Some(questions) = exchangeable.lists.get(&id)
        {
            found.system.procedures[id].free = None;
            found.took(questions);
        }
        if let Some((_, order, Nest::Unspecified(one))) = &procedure.over
            && *one == reading
            && !unsettled(system, order)
            && let Some(questions) = exchangeable.places.get(&id)
        {
            if let Some((.., nest)) = &mut found.system.procedures[id].over {
                *nest = Nest::Steps;
            }
            found.took(questions);
        }
    }
    found
}

impl Ordered {
    fn took(&mut self, questions: &[String]) {
        self.questions.extend_from_slice(questions);
        self.any = true;
    }
}

/// Whether a reading decides about an order itself, not only about what it begins with.
fn mentions(order: &Order, reading: ReadingId) -> bool {
    match order {
        Order::Per(one, all) => *one == reading || all.iter().any(|inner| mentions(inner, reading)),
        Order::Ranked(ranked) => mentions(&ranked.then, reading),
        Order::Any | Order::Chosen(_) | Order::Own | Order::Zone { .. } | Order::Players { .. } => {
            false
        }
    }
}

/// Nothing that is looked at, but not performed, depends on the reading.
fn looked_at(system: &System, all: &Reached, reading: ReadingId) -> Result<()> {
    let refuse = || Err(Obstacle::Form.into());
    let legal = system.legal.iter();
    let mut consulted = legal.map(|one| footprint::of_condition(system, one).consults);
    if consulted.any(|consults| consults.contains(&reading)) {
        return refuse();
    }
    for &id in &all.triggers {
        if footprint::of_matching(system, id)
            .consults
            .contains(&reading)
        {
            return refuse();
        }
    }
    for &id in &all.sequences {
        let procedure = &system.procedures[id];
        let free = matches!(&procedure.free, Some((_, Some(one))) if *one == reading);
        // What is promised of the end of a step may have no value there.
        let ensured = footprint::of_ensured(system, id)
            .consults
            .contains(&reading);
        let over = footprint::of_heading(system, id)
            .consults
            .contains(&reading);
        let nests =
            matches!(&procedure.over, Some((_, _, Nest::Unspecified(one))) if *one == reading);
        let rule = procedure.restart.as_ref();
        let cancels = rule.is_some_and(|rule| {
            let when = footprint::of_restart(system, id)
                .consults
                .contains(&reading);
            let cancel = rule.cancel.depends_on(reading);
            let unfinished = rule.unfinished.depends_on(reading);
            // What a cancelled pass leaves over is told by who would have had a turn.
            let carried = !matches!(rule.unfinished, Unfinished::Lost)
                && footprint::of_procedure(system, id)
                    .consults
                    .contains(&reading);
            when || cancel || unfinished || carried
        });
        if free || ensured || over || nests || cancels {
            return refuse();
        }
    }
    Ok(())
}

/// What the restart rules look at that may cut in between two statements.
fn restarts(system: &System, all: &Reached) -> BTreeSet<Place> {
    let mut found = BTreeSet::new();
    for &id in &all.sequences {
        if system.procedures[id].restart.is_some() {
            found.extend(footprint::of_restart(system, id).reads);
        }
    }
    found
}

/// What is compared.
struct Alike<'a> {
    system: &'a System,
    reading: ReadingId,
    restarts: BTreeSet<Place>,
    /// What takes effect together with other things: of that no part is compared by itself.
    together: BTreeSet<StmtId>,
    questions: Vec<String>,
}

/// Takes the conditions out of an operation that decides by them what of that inside is done, and for whom.
fn taken(kind: &mut OpKind) -> Vec<(Expr, Option<Binder>)> {
    let take = |e: &mut Expr| {
        let yes = ExprKind::Const(1);
        std::mem::replace(
            e,
            Expr {
                kind: yes,
                span: e.span,
            },
        )
    };
    match kind {
        OpKind::If(arms, _) => arms.iter_mut().map(|(e, _)| (take(e), None)).collect(),
        OpKind::Repeat(Until::Until(e) | Until::While(e), _) => vec![(take(e), None)],
        OpKind::Each(each) => {
            let binder = each.binder.clone();
            let filter = each.binder.filter.as_deref_mut();
            filter
                .map(|e| (take(e), Some(binder)))
                .into_iter()
                .collect()
        }
        _ => Vec::new(),
    }
}

impl Alike<'_> {
    /// That a block does the same under each alternative.
    fn block(&mut self, id: BlockId, unit: Unit) -> Result<()> {
        for &op in &self.system.blocks[id].ops {
            if !self.mentions(op, unit) {
                continue;
            }
            let asked = self.questions.len();
            if let Err(refusal) = self.op(op, unit) {
                self.questions.truncate(asked);
                // What one operation leaves otherwise, those after it may even out.
                return match self.whole(id, unit) {
                    Ok(()) => Ok(()),
                    Err(_) => Err(refusal),
                };
            }
        }
        Ok(())
    }

    fn op(&mut self, id: StmtId, unit: Unit) -> Result<()> {
        let asked = self.questions.len();
        let inside = self.system.ops[id].kind.blocks();
        if !self.alone(id, unit) {
            let mut blocks = inside.iter();
            if blocks.all(|&block| self.block(block, unit).is_ok()) {
                return Ok(());
            }
            self.questions.truncate(asked);
        } else if self.by_conditions(id, unit).is_ok() {
            return Ok(());
        } else {
            self.questions.truncate(asked);
        }
        let binds = Reader::new(self.system, unit).alone(id).binds;
        if binds.is_some() && inside.is_empty() {
            return Err(Refusal::at(Obstacle::Form, self.system.ops[id].span));
        }
        let block = Block {
            ops: vec![id],
            binds: Vec::new(),
        };
        self.compare(&block, unit)
    }

    /// Of an operation of which nothing but conditions depends on the reading: that they are true of the same
    /// data, and that what stands inside is alike.
    fn by_conditions(&mut self, id: StmtId, unit: Unit) -> Result<()> {
        let Op { mut kind, span } = self.system.ops[id].clone();
        let conditions = taken(&mut kind);
        let rest = Reader::new(self.system, unit).of_op(&kind).footprint;
        if conditions.is_empty() || rest.consults.contains(&self.reading) {
            return Err(Refusal::at(Obstacle::Form, span));
        }
        for (condition, binder) in conditions {
            self.same_condition((condition, binder.as_ref()), unit)?;
        }
        for block in self.system.ops[id].kind.blocks() {
            self.block(block, unit)?;
        }
        Ok(())
    }

    /// That a condition is true of the same data under each alternative as under the first.
    fn same_condition(
        &mut self,
        (condition, binder): (Expr, Option<&Binder>),
        unit: Unit,
    ) -> Result<()> {
        let count = self.system.readings[self.reading].alternatives;
        for alternative in 1..count {
            let mut twins = BTreeMap::new();
            let mut system = self.system.clone();
            let copies = [0, alternative].map(|at| {
                let of = (self.reading, at);
                Under::new(&mut system, of, &mut twins).condition(condition.clone())
            });
            let mut solver = Solver::new(super::RESOURCES);
            let mut c = Context::new(&system);
            let mut frame = any_locals(&mut c, unit);
            if let Some(binder) = binder {
                let element = c.any("element", binder.ty);
                frame.bind(binder.local, Some(binder.ty), Some(element));
            }
            let board = any_board(&mut c);
            self.questions.extend(same_truth(
                &mut c,
                &mut solver,
                (&board, &frame),
                (&copies[0], &copies[1]),
            )?);
        }
        Ok(())
    }

    fn whole(&mut self, id: BlockId, unit: Unit) -> Result<()> {
        self.compare(&self.system.blocks[id].clone(), unit)
    }

    /// Whether an operation depends on the reading itself, not only what stands inside.
    fn alone(&self, id: StmtId, unit: Unit) -> bool {
        let alone = Reader::new(self.system, unit).alone(id);
        alone.footprint.consults.contains(&self.reading)
    }

    fn mentions(&self, id: StmtId, unit: Unit) -> bool {
        let inside = self.system.ops[id].kind.blocks();
        let mut ops = inside
            .iter()
            .flat_map(|&block| &self.system.blocks[block].ops);
        self.alone(id, unit) || ops.any(|&op| self.mentions(op, unit))
    }

    /// The same under each alternative as under the first.
    fn compare(&mut self, block: &Block, unit: Unit) -> Result<()> {
        if block.ops.iter().any(|op| self.together.contains(op)) {
            return Err(Obstacle::Together.into());
        }
        self.is_uncut(block, unit)?;
        let count = self.system.readings[self.reading].alternatives;
        for alternative in 1..count {
            let mut twins = BTreeMap::new();
            let mut system = self.system.clone();
            let mut copies = Vec::new();
            for at in [0, alternative] {
                let original = system.blocks.push(block.clone());
                let of = (self.reading, at);
                copies.push(Under::new(&mut system, of, &mut twins).block(original));
            }
            let mut solver = Solver::new(super::RESOURCES);
            let mut c = Context::new(&system);
            c.twins = twins;
            let frame = any_locals(&mut c, unit);
            let board = any_board(&mut c);
            let asked = alike(
                &mut c,
                &mut solver,
                (&board, &frame),
                (copies[0], copies[1]),
            )?;
            self.questions.extend(asked);
        }
        Ok(())
    }

    /// No restart rule can become due between two statements, where data may differ that are the same in
    /// the end.
    fn is_uncut(&self, block: &Block, unit: Unit) -> Result<()> {
        let is_single = |op: &OpKind| {
            let begins = matches!(op, OpKind::Announce(..) | OpKind::Call(..));
            op.blocks().is_empty() && !begins
        };
        if let [only] = block.ops[..]
            && is_single(&self.system.ops[only].kind)
        {
            return Ok(());
        }
        for &op in &block.ops {
            let print = footprint::of_statement(self.system, op, unit);
            if !print.writes.is_disjoint(&self.restarts) {
                return Err(Refusal::at(Obstacle::Cut, self.system.ops[op].span));
            }
        }
        Ok(())
    }
}
