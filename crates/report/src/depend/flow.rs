//! What decides whether a statement is reached: which places control depends on, through calls, reactions and
//! early ends.
//!
//! ```text
//! if n > 5              n decides whether `sub` is performed, so it decides on all that `sub` writes
//!   perform sub
//! if m > 0              m decides whether anything after this is done
//!   leave s
//! ```
//!
//! What begins a sequence or a trigger is joined for all that begin it; what can end it early is kept apart
//! from that, so that one caller has no part in how the run of another goes on.
//!
//! *Guarantees.* What decides whether a statement is executed is among what is found: conditions and
//! iterations around it, those around whatever begins its sequence or trigger, what the trigger listens for, the
//! queue in which it waited, restarts, and what decides on a `leave` or a `declare` before it (inside of what
//! is repeated: anywhere in it).
//!
//! *Limits.* That a run stops at a gap, written or not, at a conflict or at a bound, and that it never ends, is
//! left out: nearly everything would feed what comes later.
//!
//! *Background.* J. Ferrante, K. Ottenstein, J. Warren, *The program dependence graph and its use in
//! optimization*, TOPLAS 9(3), 1987: control dependence. S. Horwitz, T. Reps, D. Binkley, *Interprocedural
//! slicing using dependence graphs*, TOPLAS 12(1), 1990: through calls.

use std::collections::{BTreeMap, BTreeSet};

use endstep_kernel::footprint::{Alone, Place, Reader, Unit, of_raising};
use endstep_kernel::ir::{Effect, Expr, OpKind, System};
use endstep_language::index::Id;
use endstep_language::typing::program::{BlockId, EventId, LocalId, SequenceId, StmtId, TriggerId};

/// Some places.
type Places = BTreeSet<Place>;

/// What decides whether something is reached, and what locals were made from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Around {
    decides: Places,
    locals: BTreeMap<LocalId, Places>,
}

impl Around {
    /// What something reads, and what the locals that it reads were made from.
    fn read(&self, alone: &Alone) -> Places {
        let locals = alone.locals.iter();
        let made = locals.filter_map(|local| self.locals.get(local)).flatten();
        alone.footprint.reads.iter().chain(made).copied().collect()
    }

    fn join(&mut self, other: Self) {
        self.decides.extend(other.decides);
        for (local, places) in other.locals {
            self.locals.entry(local).or_default().extend(places);
        }
    }
}

/// What is over before its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Over {
    /// The innermost activation of a sequence.
    Activation(SequenceId),
    /// A step of a sequence: another one of its list is next.
    List(SequenceId),
    /// The turns of an iteration that goes on until all pass.
    Turns,
    /// The run.
    Run,
}

/// What something in a unit can end before its end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Early {
    /// This activation of the unit.
    pub activation: bool,
    /// What is around it: then the unit is not begun again either.
    pub beyond: bool,
}

/// The ways in which something ends before it is done, with what decides on each.
type Ends = BTreeMap<Over, Places>;

fn join(ends: &mut Ends, others: Ends) {
    for (over, places) in others {
        ends.entry(over).or_default().extend(places);
    }
}

/// Shows what each statement writes, and what it writes that from.
pub(super) type Show<'a> = &'a mut dyn FnMut(&Places, &Places);

/// How control comes to some units.
pub(super) struct Flow<'s> {
    system: &'s System,
    /// How each unit is begun, of all that begin it together.
    begun: BTreeMap<Unit, Around>,
    /// How each unit ends early, apart from what decides whether it is begun.
    ends: BTreeMap<Unit, Ends>,
    /// What single statements do.
    alone: BTreeMap<StmtId, Alone>,
}

impl<'s> Flow<'s> {
    /// Among some units, each of which may also begin by itself.
    pub(super) fn of(system: &'s System, units: &[Unit]) -> Self {
        let mut flow = Self {
            system,
            begun: BTreeMap::new(),
            ends: BTreeMap::new(),
            alone: BTreeMap::new(),
        };
        loop {
            let before = (flow.begun.clone(), flow.ends.clone());
            for &unit in units {
                let ends = flow.unit(unit, Around::default(), &mut |_, _| {});
                flow.ends.insert(unit, ends);
                flow.writes(unit, &mut |_, _| {});
            }
            if (&flow.begun, &flow.ends) == (&before.0, &before.1) {
                return flow;
            }
        }
    }

    /// Shows what a unit writes.
    pub(super) fn writes(&mut self, unit: Unit, show: Show<'_>) {
        let around = self.begun.get(&unit).cloned().unwrap_or_default();
        self.unit(unit, around, show);
    }

    /// What a block of a unit can end before its end.
    pub(super) fn early(&mut self, unit: Unit, block: BlockId) -> Early {
        let mut ends = self.block(unit, block, Around::default(), &mut |_, _| {});
        if let Unit::Procedure(id) = unit {
            ends.remove(&Over::List(id));
        }
        let is_own = |over: &Over| match (over, unit) {
            (Over::Activation(left), Unit::Procedure(id)) => *left == id,
            _ => false,
        };
        Early {
            activation: ends.keys().any(is_own),
            beyond: !ends.keys().all(is_own),
        }
    }

    /// Goes through a unit that is begun in some way: how it ends early.
    fn unit(&mut self, unit: Unit, around: Around, show: Show<'_>) -> Ends {
        match unit {
            Unit::Procedure(id) => self.procedure(id, around, show),
            Unit::Trigger(id) => {
                let body = self.system.triggers[id].body;
                self.block(unit, body, around, show)
            }
        }
    }

    fn procedure(&mut self, id: SequenceId, mut around: Around, show: Show<'_>) -> Ends {
        let unit = Unit::Procedure(id);
        let system = self.system;
        let procedure = &system.procedures[id];
        let heading = around.read(&Reader::new(system, unit).heading());
        around.decides.extend(heading);
        let restart = procedure.restart.as_ref();
        let again = restart.is_some()
            || procedure.over.is_some()
            || procedure.free.is_some()
            || system.jumps(id);
        let steps = procedure.steps.iter();
        let steps = steps.map(|&step| system.steps[step].body);
        let blocks: Vec<BlockId> = steps.chain(restart.and_then(|rule| rule.before)).collect();
        let mut ends = self.blocks(unit, &blocks, (around, again), show);
        ends.remove(&Over::Activation(id));
        ends.remove(&Over::List(id));
        ends
    }

    /// Blocks that come one after the other; `again`: those before can come once more, or be the later ones.
    fn blocks(
        &mut self,
        unit: Unit,
        blocks: &[BlockId],
        (mut around, again): (Around, bool),
        show: Show<'_>,
    ) -> Ends {
        if again {
            let ends = self.blocks(unit, blocks, (around.clone(), false), &mut |_, _| {});
            around.decides.extend(ends.into_values().flatten());
        }
        let mut all = Ends::new();
        for &block in blocks {
            let ends = self.block(unit, block, around.clone(), show);
            around.decides.extend(ends.values().flatten());
            join(&mut all, ends);
        }
        all
    }

    fn block(&mut self, unit: Unit, block: BlockId, mut around: Around, show: Show<'_>) -> Ends {
        let system = self.system;
        let mut all = Ends::new();
        for &id in &system.blocks[block].ops {
            let reader = Reader::new(system, unit);
            let alone = self
                .alone
                .entry(id)
                .or_insert_with(|| reader.alone(id))
                .clone();
            let op = &system.ops[id].kind;
            let own = around.read(&alone);
            let mut from: Places = own.union(&around.decides).copied().collect();
            let mut ends = self.begins(unit, op, &around);
            if matches!(op, OpKind::Resolve { one: false, .. }) {
                // What is still waiting then stays there.
                from.extend(ends.values().flatten());
            }
            show(&from, &alone.footprint.writes);
            if let Some(over) = ended(self.system, op) {
                ends.entry(over).or_default().extend(&from);
            }
            let inside = Around {
                decides: from,
                locals: around.locals.clone(),
            };
            let again = matches!(op, OpKind::Each(_) | OpKind::Repeat(..) | OpKind::Atomic(_));
            for inner in op.blocks() {
                let inner = self.blocks(unit, &[inner], (inside.clone(), again), show);
                join(&mut ends, inner);
            }
            if matches!(op, OpKind::Each(each) if each.domain.takes_turns()) {
                ends.remove(&Over::Turns);
            }
            around.decides.extend(ends.values().flatten());
            join(&mut all, ends);
            if let Some(local) = alone.binds {
                around.locals.insert(local, own);
            }
        }
        all
    }

    /// What an operation begins, and how that ends what is around it.
    fn begins(&mut self, unit: Unit, op: &OpKind, around: &Around) -> Ends {
        let all = self.begun_by(unit, op, around);
        let mut ends: Vec<Ends> = Vec::new();
        for (begun, entry) in &all {
            let early = self.ends.get(begun).into_iter().flatten();
            let early = early.map(|(&over, places)| {
                let made = entry.locals.values().flatten();
                let places = places.iter().chain(&entry.decides).chain(made);
                (over, places.copied().collect())
            });
            ends.push(early.collect());
        }
        for (at, (begun, mut entry)) in all.into_iter().enumerate() {
            // Of several reactions each can be kept from coming by another, or by itself if it comes again.
            for (other, early) in ends.iter().enumerate() {
                let is_before = match other == at {
                    true => self.comes_again(op, begun),
                    false => !matches!(op, OpKind::Resolve { one: true, .. }),
                };
                if is_before {
                    entry.decides.extend(early.values().flatten());
                }
            }
            self.begun.entry(begun).or_default().join(entry);
        }
        let mut joined = Ends::new();
        for early in ends {
            join(&mut joined, early);
        }
        joined
    }

    /// Whether an operation can begin a unit several times.
    fn comes_again(&self, op: &OpKind, begun: Unit) -> bool {
        match (op, begun) {
            (OpKind::Resolve { one, .. }, _) => !one,
            (_, Unit::Trigger(id)) => self.system.triggers[id].listener.is_some(),
            (_, Unit::Procedure(_)) => false,
        }
    }

    /// What an operation begins, each with what decides on that and what its locals are made from.
    fn begun_by(&self, unit: Unit, op: &OpKind, around: &Around) -> Vec<(Unit, Around)> {
        let system = self.system;
        let made = |e: &Expr| around.read(&Reader::new(system, unit).of_expr(e));
        match op {
            OpKind::Call(id, args) => {
                let locals = args.iter().enumerate();
                let locals = locals.map(|(at, arg)| (LocalId::from_index(at), made(arg)));
                let entry = Around {
                    decides: around.decides.clone(),
                    locals: locals.collect(),
                };
                vec![(Unit::Procedure(*id), entry)]
            }
            OpKind::Announce(event, args) if system.events[*event].queue.is_none() => {
                let args: Vec<Places> = args.iter().map(made).collect();
                let triggers = system.events[*event].triggers.iter();
                let woken = |&id: &_| (Unit::Trigger(id), self.woken(id, &args, around));
                triggers.map(woken).collect()
            }
            OpKind::Resolve { queue, .. } => {
                let waiting = system
                    .triggers
                    .iter()
                    .filter(|(_, trigger)| system.events[trigger.event].queue == Some(*queue));
                let mut entry = Around {
                    decides: around.decides.clone(),
                    ..Around::default()
                };
                entry.decides.insert(Place::Queue(*queue));
                waiting
                    .map(|(id, _)| (Unit::Trigger(id), entry.clone()))
                    .collect()
            }
            // What the state raises depends on all that is looked at.
            // Nothing else begins a sequence or a trigger; what waits in a queue begins when it is resolved.
            _ => {
                let raised = system.raised_by(op).into_iter();
                let at_once = raised.filter(|id| system.events[*id].queue.is_none());
                let woken = |event: EventId| {
                    let looked = of_raising(system, event).reads;
                    let mut around = around.clone();
                    around.decides.extend(&looked);
                    let event = &system.events[event];
                    let args = vec![looked; event.payload.len()];
                    let triggers = event.triggers.iter();
                    let all =
                        triggers.map(|&id| (Unit::Trigger(id), self.woken(id, &args, &around)));
                    all.collect::<Vec<_>>()
                };
                at_once.flat_map(woken).collect()
            }
        }
    }

    /// How a trigger is begun by an announcement that it interrupts.
    fn woken(&self, id: TriggerId, args: &[Places], around: &Around) -> Around {
        let reader = Reader::new(self.system, Unit::Trigger(id));
        let payload = self.system.triggers[id].args.iter().copied();
        let mut entry = Around {
            decides: BTreeSet::new(),
            locals: payload.zip(args.iter().cloned()).collect(),
        };
        let turn = reader.turn(id);
        let decides = entry.read(&reader.heading());
        entry.decides.extend(decides);
        entry.decides.extend(&turn.footprint.reads);
        if !turn.locals.is_empty() {
            entry.decides.extend(args.iter().flatten());
        }
        entry.decides.extend(&around.decides);
        entry
    }
}

/// What an operation itself ends.
fn ended(system: &System, op: &OpKind) -> Option<Over> {
    match op {
        OpKind::Leave(id) => Some(Over::Activation(*id)),
        // The steps between are not done, or others are done once more.
        OpKind::GoTo(step) => Some(Over::List(system.steps[*step].procedure)),
        OpKind::Pass => Some(Over::Turns),
        OpKind::Stop(Effect::Win(_) | Effect::Loss(_) | Effect::Draw | Effect::End) => {
            Some(Over::Run)
        }
        // A gap stops the run as well, and is left out (see above).
        _ => None,
    }
}
