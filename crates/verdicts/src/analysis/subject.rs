//! Where a finding is: the clauses, spans and names of places of the specification.

use super::graph::Graph;
use crate::verdict::{Pair, Question};
use endstep_language::index::Id;
use endstep_language::source::Span;
use endstep_language::typing::program::{
    ClauseIdx, EntityId, Owner, Program, SequenceId, StepId, StmtId,
};
use endstep_semantics::semantics::{Exceeded, Frame, Interpreter, Key, Next, Note, Site, Spot};
use endstep_semantics::witness::Difference;

/// The clauses around a place.
pub fn clauses(program: &Program, site: Site) -> Vec<ClauseIdx> {
    match site {
        Site::Stmt(stmt) => match program.stmts[stmt].clause {
            Some(clause) => vec![clause],
            None => around(program, stmt),
        },
        Site::Sequence(sequence) | Site::Places(sequence) => {
            program.sequences[sequence].clause.into_iter().collect()
        }
        // What raises it stands where it is declared.
        Site::Event(event) if program.events[event].whenever.is_some() => {
            program.events[event].clause.into_iter().collect()
        }
        Site::Event(event) => {
            let triggers = program.triggers.values().iter();
            let of = triggers.filter(|trigger| trigger.event == event);
            of.filter_map(|trigger| trigger.clause).collect()
        }
        Site::Trigger(trigger) => {
            let trigger = &program.triggers[trigger];
            trigger
                .clause
                .iter()
                .chain(&trigger.cites)
                .copied()
                .collect()
        }
        Site::Step(step) => of_step(program, step),
        Site::Outside(_) => Vec::new(),
    }
}

/// The clauses on which the step or trigger around a statement rests.
fn around(program: &Program, stmt: StmtId) -> Vec<ClauseIdx> {
    match program.stmts[stmt].owner {
        Some(Owner::Step(step)) => of_step(program, step),
        Some(Owner::Trigger(trigger)) => clauses(program, Site::Trigger(trigger)),
        Some(Owner::Restart(_)) | None => Vec::new(),
    }
}

/// The clauses on which a step rests.
pub fn of_step(program: &Program, step: StepId) -> Vec<ClauseIdx> {
    let step = &program.steps[step];
    step.clause.iter().chain(&step.cites).copied().collect()
}

/// Whether both of a pair are steps.
pub fn are_steps(pair: &Pair) -> bool {
    matches!((&pair.first, &pair.second), (Key::Step(_), Key::Step(_)))
}

/// What is asked about an order that two alternatives are in, and about these two.
pub fn of_order(sequence: SequenceId, pair: &Pair) -> Vec<Question> {
    let two = pair_of(sequence, (&pair.first, &pair.second));
    let all = Question::Order(sequence, pair.site);
    two.into_iter().chain([all]).collect()
}

/// What is asked of two alternatives that have names in the specification.
pub fn pair_of(sequence: SequenceId, pair: (&Key, &Key)) -> Option<Question> {
    match pair {
        (Key::Step(a), Key::Step(b)) => Some(Question::Steps(sequence, *a.min(b), *a.max(b))),
        (Key::Instance(a), Key::Instance(b)) => {
            let (a, b) = (a.trigger, b.trigger);
            Some(Question::Triggers(sequence, a.min(b), a.max(b)))
        }
        _ => None,
    }
}

/// The statement by which the runs end in a node: the last that is executed there, or one that is being
/// executed in several steps.
pub fn ending(program: &Program, graph: &Graph, node: usize) -> Option<StmtId> {
    let state = graph.state(node);
    let mut frames = state.control.iter().flat_map(|one| &one.frames).rev();
    let begun = frames.find_map(|frame| match frame {
        Frame::Commit(together) => Some(together.stmt),
        Frame::Distribute { stmt, .. } | Frame::Shuffle { stmt, .. } => Some(*stmt),
        Frame::Write { by, .. } => *by,
        _ => None,
    });
    let it = Interpreter {
        program,
        readings: &graph.readings,
        variant: &graph.variant,
    };
    let Next::Done(_, notes) = it.next(state) else {
        return begun;
    };
    let executed = notes.iter().rev().find_map(|note| match note {
        Note::Executed(stmt) => Some(*stmt),
        _ => None,
    });
    executed.or(begun)
}

/// What was exceeded, without the board: `Card.health`, `score`, `hand`.
pub fn exceeded(program: &Program, what: Exceeded) -> (String, Span) {
    match what {
        Exceeded::Spot(Spot::Var(var), _) => {
            let var = &program.vars[var];
            (var.name.clone(), var.span)
        }
        Exceeded::Spot(Spot::Field(_, field), _) => {
            let field = &program.fields[field];
            let sort = &program.sorts[field.sort].name;
            (format!("{sort}.{}", field.name), field.span)
        }
        Exceeded::Zone(zone) => {
            let zone = &program.zones[zone];
            (zone.name.clone(), zone.span)
        }
    }
}

/// What was changed, without the board: `Card.health`, `score`, `hand`, `queue effects`.
pub fn changed(program: &Program, graph: &Graph, difference: &Difference) -> String {
    let entity = |id: EntityId| {
        let board = graph.board.entities.get(id.index());
        board.map_or_else(
            || "an entity".to_owned(),
            |one| program.sorts[one.sort].name.clone(),
        )
    };
    match difference {
        Difference::Spot(spot, ..) => exceeded(program, Exceeded::Spot(*spot, 0)).0,
        Difference::Zone((zone, _), ..) => program.zones[*zone].name.clone(),
        Difference::Queue(queue, ..) => format!("queue {}", program.queues[*queue].name),
        Difference::Created(_) => "a new entity".to_owned(),
        Difference::Removed(id) => format!("removal of {}", entity(*id)),
    }
}
