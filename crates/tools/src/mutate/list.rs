//! What can stand instead of steps, sequences, triggers, events and queues, and instead of their
//! policies.

use super::draft::{Draft, Edit};
use super::expr::changed;
use super::operator::Operator;
use super::other::{lists, nests, orders};
use super::stmt::without;
use super::walk::Exprs;
use endstep_language::source::Span;
use endstep_language::syntax::ast::QueueDiscipline;
use endstep_language::typing::program::{
    Block, Cancel, Event, Expr, ExprKind, ListPolicy, Program, Sequence, SequenceId, Trigger,
    Unfinished, Walk,
};

/// The mutants of all that is no statement and no definition.
pub(super) fn drafts(program: &Program) -> Vec<Draft> {
    let mut found = Vec::new();
    let sequences = program.sequences.iter();
    for (id, sequence) in sequences.filter(|(_, one)| !one.is_experiment()) {
        steps(program, sequence, &mut found);
        policies(program, (id, sequence), &mut found);
    }
    triggers(program, &mut found);
    for (id, event) in program.events.iter() {
        // An order that nobody says is none.
        let Some(order) = &event.listeners else {
            continue;
        };
        for (text, new) in orders(order) {
            let mut event = event.clone();
            event.listeners = Some(new);
            found.push(Draft {
                operator: Operator::Order,
                span: event.span,
                clause: None,
                text,
                edit: Edit::Event(id, Box::new(event)),
            });
        }
    }
    for (id, queue) in program.queues.iter() {
        let mut changed = queue.clone();
        let text;
        (changed.discipline, text) = match queue.discipline {
            QueueDiscipline::FirstInFirstOut => {
                (QueueDiscipline::LastInFirstOut, "last in first out")
            }
            QueueDiscipline::LastInFirstOut | QueueDiscipline::ByPriority => {
                (QueueDiscipline::FirstInFirstOut, "first in first out")
            }
        };
        found.push(Draft {
            operator: Operator::Order,
            span: queue.span,
            clause: None,
            text: text.to_owned(),
            edit: Edit::Queue(id, changed),
        });
    }
    found
}

fn steps(program: &Program, sequence: &Sequence, found: &mut Vec<Draft>) {
    for &id in &sequence.steps {
        let step = &program.steps[id];
        let stmts = &program.blocks[step.body].stmts;
        // Of a single statement that can be left out, that is the same.
        let is_same = match stmts[..] {
            [] => true,
            [only] => without(&program.stmts[only].kind).is_some(),
            _ => false,
        };
        if !is_same {
            found.push(Draft {
                operator: Operator::Step,
                span: step.span,
                clause: step.clause,
                text: "it does nothing".to_owned(),
                edit: Edit::Block(step.body, Block::default()),
            });
        }
    }
}

fn policies(program: &Program, (id, sequence): (SequenceId, &Sequence), found: &mut Vec<Draft>) {
    let mut add = |span: Span, operator, text: String, sequence: Sequence| {
        found.push(Draft {
            operator,
            span,
            clause: sequence.clause,
            text,
            edit: Edit::Sequence(id, Box::new(sequence)),
        });
    };
    let several = sequence.steps.len() > 1;
    if several && sequence.policy == ListPolicy::InOrder {
        for at in 1..sequence.steps.len() {
            let mut swapped = sequence.clone();
            swapped.steps.swap(at - 1, at);
            let later = &program.steps[sequence.steps[at - 1]];
            let earlier = &program.steps[sequence.steps[at]];
            let text = format!("`{}` comes before `{}`", earlier.name, later.name);
            add(earlier.span, Operator::Swap, text, swapped);
        }
    }
    // Where steps go to others, they have an order.
    let may_be_open = several && program.jumps_of(id).is_empty();
    for (text, policy) in lists(&sequence.policy).into_iter().filter(|_| may_be_open) {
        let mut changed = sequence.clone();
        changed.policy = policy;
        add(sequence.span, Operator::Order, text.to_owned(), changed);
    }
    if let Some(over) = &sequence.over {
        for (text, order) in orders(&over.order) {
            let mut changed = sequence.clone();
            changed.over = Some(endstep_language::typing::program::NestOver {
                order,
                ..over.clone()
            });
            add(sequence.span, Operator::Order, text, changed);
        }
        for (text, nest) in nests(over.nest) {
            let mut changed = sequence.clone();
            changed.over = Some(endstep_language::typing::program::NestOver {
                nest,
                ..over.clone()
            });
            add(sequence.span, Operator::Order, text.to_owned(), changed);
        }
    }
    restarts(sequence, &mut add);
    let each = |sequence: &mut Sequence, visit: &mut Exprs<'_>| {
        if let Some(over) = &mut sequence.over {
            over.binder.meet_mut(visit);
            over.order.meet_mut(visit);
        }
        if let Some(restart) = &mut sequence.restart {
            restart.when.meet_condition_mut(visit);
        }
    };
    for (span, operator, text, sequence) in changed(program, sequence, &each) {
        add(span, operator, text, sequence);
    }
}

fn restarts(sequence: &Sequence, add: &mut dyn FnMut(Span, Operator, String, Sequence)) {
    let Some(restart) = &sequence.restart else {
        return;
    };
    let mut never = sequence.clone();
    never.restart = None;
    let text = "it never restarts".to_owned();
    add(restart.span, Operator::Restart, text, never);
    let cancels = [
        (Cancel::AtOnce, "cancelled at once"),
        (Cancel::EndOfStep, "cancelled at the end of the step"),
        (Cancel::EndOfPass, "cancelled at the end of the pass"),
    ];
    let fixed = !matches!(restart.cancel, Cancel::Per(..));
    let others = cancels
        .into_iter()
        .filter(|(one, _)| fixed && *one != restart.cancel);
    for (cancel, text) in others {
        let mut changed = sequence.clone();
        changed.restart = Some(endstep_language::typing::program::Restart {
            cancel,
            ..restart.clone()
        });
        add(restart.span, Operator::Restart, text.to_owned(), changed);
    }
    let (unfinished, text) = match restart.unfinished {
        Unfinished::Lost => (Unfinished::Carried, "what is unfinished is carried"),
        Unfinished::Carried => (Unfinished::Lost, "what is unfinished is lost"),
        Unfinished::Per(..) => return,
    };
    let mut changed = sequence.clone();
    changed.restart = Some(endstep_language::typing::program::Restart {
        unfinished,
        ..restart.clone()
    });
    add(restart.span, Operator::Restart, text.to_owned(), changed);
}

fn triggers(program: &Program, found: &mut Vec<Draft>) {
    let each = |trigger: &mut Trigger, visit: &mut Exprs<'_>| {
        trigger.listener.meet_mut(visit);
        trigger.condition.meet_condition_mut(visit);
    };
    for (id, trigger) in program.triggers.iter() {
        for (span, operator, text, changed) in changed(program, trigger, &each) {
            found.push(Draft {
                operator,
                span,
                clause: trigger.clause,
                text,
                edit: Edit::Trigger(id, Box::new(changed)),
            });
        }
    }
    raised(program, found);
}

/// Events that the state raises.
fn raised(program: &Program, found: &mut Vec<Draft>) {
    let each = |event: &mut Event, visit: &mut Exprs<'_>| {
        if let Some(whenever) = &mut event.whenever {
            whenever.condition.meet_condition_mut(visit);
            whenever.with.meet_mut(visit);
        }
    };
    for (id, event) in program.events.iter() {
        for (span, operator, text, mut changed) in changed(program, event, &each) {
            if let Some(whenever) = &mut changed.whenever {
                let is_old = |e: &Expr| matches!(e.kind, ExprKind::Old(_));
                whenever.looks_back = whenever.condition.any(&is_old);
            }
            found.push(Draft {
                operator,
                span,
                clause: event.clause,
                text,
                edit: Edit::Event(id, Box::new(changed)),
            });
        }
    }
}
