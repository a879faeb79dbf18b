//! What has to be explored: a sequence from all boards, with the claims about it.

use std::collections::BTreeSet;

use crate::verdict::ScopeOf;
use endstep_kernel::lower::number;
use endstep_language::index::Id;
use endstep_language::typing::program::{
    BlockId, BoardId, Bounds, EventId, Expr, ObserverId, Order, Owner, Program, SequenceId, SortId,
    StepId, StmtId, StmtKind, Value,
};
use endstep_semantics::semantics::{Data, Readings, Variant};
use endstep_semantics::witness::is_demand;

/// How much further than its values need runs from a board in the file may go: bounds of exploration do not count
/// for it.
pub const MORE_ROOM: u32 = 10_000;

/// A sequence to explore from all legal boards.
#[derive(Debug, Clone)]
pub struct Job {
    /// Why.
    pub subject: ScopeOf,
    /// The sequence.
    pub sequence: SequenceId,
    /// Largest numbers of entities.
    pub sizes: Vec<(SortId, u32)>,
    /// What counts.
    pub observer: Option<ObserverId>,
    /// The program as the `verify` wants it.
    pub variant: Variant,
    /// Claims about it, by position.
    pub claims: Vec<usize>,
    /// Others that demand something beside them, by position. None if all claims are looked at.
    pub also: Vec<usize>,
    /// Whether everything is looked at, or only the claims.
    pub full: bool,
    /// Whether boards count that the specification leaves out of what is explored.
    pub all_legal: bool,
    /// The only board; all if `None`.
    pub on: Option<BoardId>,
}

impl Job {
    /// All about a sequence, as its first `verify` wants it if it has one.
    pub fn of(program: &Program, sequence: SequenceId) -> Self {
        let jobs = jobs(program, None).into_iter();
        let mut verified = jobs.filter(|job| job.sequence == sequence && job.on.is_none());
        verified.next().unwrap_or_else(|| Self {
            subject: ScopeOf::Sequence(sequence),
            sequence,
            sizes: Vec::new(),
            observer: None,
            variant: Variant::default(),
            claims: Vec::new(),
            also: Vec::new(),
            full: false,
            all_legal: false,
            on: None,
        })
    }

    /// Which legal boards are looked at, if not all.
    pub fn only<'p>(&self, program: &'p Program) -> Option<&'p Expr> {
        program.verifies[self.verify()?].condition.as_ref()
    }

    /// Which `verify` of the program it is, if it is one.
    pub fn verify(&self) -> Option<usize> {
        match self.subject {
            ScopeOf::Verify(at) => Some(at),
            _ => None,
        }
    }

    /// Whether any of its claims demands something of outcomes.
    pub fn demands(&self, program: &Program) -> bool {
        let mut claims = self.claims.iter();
        claims.any(|&claim| is_demand(program, claim))
    }
}

/// All that has to be explored; `claims`: what is asked of a claim, if only claims are.
pub fn jobs(program: &Program, claims: Option<&[usize]>) -> Vec<Job> {
    let mut jobs: Vec<Job> = Vec::new();
    let mut on_boards: Vec<Job> = Vec::new();
    for (index, verify) in program.verifies.iter().enumerate() {
        jobs.push(Job {
            subject: ScopeOf::Verify(index),
            sequence: verify.sequence,
            sizes: verify.sizes.clone(),
            observer: verify.observer,
            variant: Variant {
                contracts: verify.contracts.iter().copied().collect(),
                ..Variant::default()
            },
            claims: Vec::new(),
            also: Vec::new(),
            full: claims.is_none(),
            all_legal: false,
            on: None,
        });
    }
    for (index, claim) in program.claims.iter().enumerate() {
        if claims.is_some_and(|claims| !claims.contains(&index)) {
            continue;
        }
        let sequence = claim.kind.sequence();
        if let Some(board) = claim.on {
            add_on(program, &mut on_boards, (board, sequence), index);
            continue;
        }
        if jobs.iter().all(|job| job.sequence != sequence) {
            jobs.push(Job {
                subject: ScopeOf::Sequence(sequence),
                sequence,
                sizes: Vec::new(),
                observer: None,
                variant: Variant::default(),
                claims: vec![index],
                also: Vec::new(),
                full: false,
                all_legal: false,
                on: None,
            });
            continue;
        }
        for job in jobs.iter_mut().filter(|job| job.sequence == sequence) {
            job.claims.push(index);
        }
    }
    jobs.retain(|job| job.full || !job.claims.is_empty());
    jobs.extend(on_boards);
    for job in jobs.iter_mut().filter(|job| job.demands(program)) {
        let about = |&claim: &usize| {
            let is_asked = job.claims.contains(&claim);
            let claim = &program.claims[claim];
            let is_of_all = claim.on.is_none() || claim.on == job.on;
            !is_asked && is_of_all && claim.kind.sequence() == job.sequence
        };
        let others = (0..program.claims.len()).filter(about);
        job.also = others.filter(|&claim| is_demand(program, claim)).collect();
    }
    jobs
}

/// Asks a claim of a board alone.
fn add_on(
    program: &Program,
    jobs: &mut Vec<Job>,
    (board, sequence): (BoardId, SequenceId),
    claim: usize,
) {
    let subject = ScopeOf::On(board, sequence);
    if let Some(job) = jobs.iter_mut().find(|job| job.subject == subject) {
        job.claims.push(claim);
        return;
    }
    // All of a sequence have the same observer and the same contracts.
    let mut verifies = program.verifies.iter();
    let verify = verifies.find(|one| one.sequence == sequence);
    let contracts = verify.map(|one| one.contracts.iter().copied().collect());
    let (data, _) = Data::from_board(program, &program.boards[board]);
    jobs.push(Job {
        subject,
        sequence,
        sizes: Vec::new(),
        observer: verify.and_then(|one| one.observer),
        variant: Variant {
            contracts: contracts.unwrap_or_default(),
            extra: room(program, &data).saturating_add(MORE_ROOM),
            ..Variant::default()
        },
        claims: vec![claim],
        also: Vec::new(),
        full: false,
        all_legal: true,
        on: Some(board),
    });
}

/// How far values of a board are from those that are explored: so much further runs may go.
pub fn room(program: &Program, board: &Data) -> u32 {
    let beyond = |value: Value, bounds: Bounds| {
        let (low, high) = bounds.explore.or(bounds.document).unwrap_or((0, 0));
        let value = number(value);
        let far = low.saturating_sub(value).max(value.saturating_sub(high));
        u32::try_from(far).unwrap_or(0)
    };
    let vars = program.vars.values().iter().zip(&board.vars);
    let vars = vars.filter(|(_, value)| matches!(value, Value::Int(_)));
    let vars = vars.map(|(var, value)| beyond(*value, var.bounds));
    let fields = board.entities.iter().flat_map(|entity| {
        let fields = program.sorts[entity.sort].fields.iter();
        let values = fields.zip(&entity.fields);
        let values = values.filter(|(_, value)| matches!(value, Value::Int(_)));
        values.map(|(&field, value)| beyond(*value, program.fields[field].bounds))
    });
    vars.chain(fields).max().unwrap_or(0)
}

/// What a sequence may execute: statements, steps and triggers, found by reading the program.
#[derive(Debug, Clone, Default)]
pub struct Reachable {
    /// Statements.
    pub stmts: BTreeSet<StmtId>,
    /// Steps.
    pub steps: BTreeSet<StepId>,
    /// Sequences.
    pub sequences: BTreeSet<SequenceId>,
}

impl Reachable {
    /// From a sequence, without the bodies of those that are replaced by contracts.
    pub fn from(program: &Program, sequence: SequenceId, without: &BTreeSet<SequenceId>) -> Self {
        let mut found = Self::default();
        let mut todo = vec![sequence];
        // Any trigger may be resolved.
        let bodies = program.triggers.values().iter().map(|trigger| trigger.body);
        let bodies: Vec<BlockId> = bodies.collect();
        for body in bodies {
            found.block(program, body, &mut todo);
        }
        found.performed(program, todo, without);
        found
    }

    /// From a sequence, without what triggers do.
    pub fn from_sequence(program: &Program, sequence: SequenceId) -> Self {
        let mut found = Self::default();
        found.performed(program, vec![sequence], &BTreeSet::new());
        found
    }

    /// From the body of a trigger, with the sequences that are performed in it.
    pub fn from_body(program: &Program, body: BlockId) -> Self {
        let mut found = Self::default();
        let mut todo = Vec::new();
        found.block(program, body, &mut todo);
        found.performed(program, todo, &BTreeSet::new());
        found
    }

    /// Adds sequences, with what they perform.
    fn performed(
        &mut self,
        program: &Program,
        mut todo: Vec<SequenceId>,
        without: &BTreeSet<SequenceId>,
    ) {
        while let Some(sequence) = todo.pop() {
            if without.contains(&sequence) || !self.sequences.insert(sequence) {
                continue;
            }
            let declared = &program.sequences[sequence];
            for &step in &declared.steps {
                self.steps.insert(step);
                self.block(program, program.steps[step].body, &mut todo);
            }
            if let Some(before) = declared.restart.as_ref().and_then(|rule| rule.before) {
                self.block(program, before, &mut todo);
            }
        }
    }

    /// The events that are announced in it.
    pub fn announced<'a>(&'a self, program: &'a Program) -> impl Iterator<Item = EventId> + 'a {
        let stmts = self.stmts.iter();
        let by_stmts = stmts.filter_map(|&id| match program.stmts[id].kind {
            StmtKind::Announce(event, _) => Some(event),
            _ => None,
        });
        let events = program.events.iter();
        let raised = events.filter(|(_, event)| event.whenever.is_some());
        // Whatever changes data can raise them.
        by_stmts.chain(raised.map(|(id, _)| id))
    }

    /// Adds what else can be executed.
    pub fn add(&mut self, other: Self) {
        self.stmts.extend(other.stmts);
        self.steps.extend(other.steps);
        self.sequences.extend(other.sequences);
    }

    /// What is not among the others.
    pub fn without(mut self, others: &Self) -> Self {
        self.stmts.retain(|one| !others.stmts.contains(one));
        self.steps.retain(|one| !others.steps.contains(one));
        self.sequences.retain(|one| !others.sequences.contains(one));
        self
    }

    fn block(&mut self, program: &Program, block: BlockId, todo: &mut Vec<SequenceId>) {
        for &stmt in &program.blocks[block].stmts {
            self.stmts.insert(stmt);
            if let StmtKind::Perform(sequence, _) = &program.stmts[stmt].kind {
                todo.push(*sequence);
            }
            for inner in program.stmts[stmt].kind.blocks() {
                self.block(program, inner, todo);
            }
        }
    }

    /// The iterations whose order the document fixes, under some reading; of turns that go round no other is tried.
    pub fn fixed_iterations(&self, program: &Program) -> Vec<StmtId> {
        let fixed = self.stmts.iter().copied().filter(|&stmt| {
            matches!(
                &program.stmts[stmt].kind,
                StmtKind::ForEach { order, domain, .. }
                    if is_fixed(order) && !order.goes_by_ranks() && domain.visits_elements()
            )
        });
        fixed.collect()
    }
}

/// Whether the document fixes an order under these readings; not if they do not say.
pub fn is_fixed_under(order: &Order, readings: &Readings) -> bool {
    match order {
        Order::Zone { .. } | Order::Players { .. } => true,
        Order::Any | Order::Chosen(_) | Order::Own | Order::Ranked(_) => false,
        Order::Per(reading, alternatives) => {
            let meant = readings.get(reading);
            let meant = meant.and_then(|at| alternatives.get(usize::from(*at)));
            meant.is_some_and(|order| is_fixed_under(order, readings))
        }
    }
}

fn is_fixed(order: &Order) -> bool {
    match order {
        Order::Zone { .. } | Order::Players { .. } => true,
        Order::Any | Order::Chosen(_) | Order::Own | Order::Ranked(_) => false,
        Order::Per(_, alternatives) => alternatives.iter().any(is_fixed),
    }
}

/// The body of every rule that is not inside of another statement, with what it belongs to.
pub fn outer_blocks(program: &Program) -> Vec<(BlockId, Owner)> {
    let steps = program.steps.iter();
    let steps = steps
        .filter(|(_, step)| !program.sequences[step.sequence].is_experiment())
        .map(|(id, step)| (step.body, Owner::Step(id)));
    let triggers = program.triggers.iter();
    let triggers = triggers.map(|(id, trigger)| (trigger.body, Owner::Trigger(id)));
    let befores = program.sequences.iter().filter_map(|(id, sequence)| {
        let before = sequence.restart.as_ref()?.before?;
        (!sequence.is_experiment()).then_some((before, Owner::Restart(id)))
    });
    steps.chain(triggers).chain(befores).collect()
}

/// The name of what a job explores.
pub fn title(program: &Program, job: &Job) -> String {
    debug_assert!(job.sequence.index() < program.sequences.len());
    program.sequences[job.sequence].name.clone()
}
