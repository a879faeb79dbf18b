//! What can stand instead of steps, sequences, triggers, events and queues, and instead of their
//! policies.

use super::expr::changed;
use super::operator::Operator;
use super::stmt::without;
use super::walk::Exprs;
use super::{Draft, Edit};
use endstep_language::source::Span;
use endstep_language::syntax::ast::QueueDiscipline;
use endstep_language::typing::program::{
    Block, Cancel, DomainPolicy, ListPolicy, Nest, Order, Program, Sequence, SequenceId, Trigger,
    Unfinished, Walk,
};

/// The mutants of all that is no statement and no definition.
pub(super) fn drafts(program: &Program) -> Vec<Draft> {
    let mut found = Vec::new();
    for (id, sequence) in program.sequences.iter() {
        steps(program, sequence, &mut found);
        sequences(program, (id, sequence), &mut found);
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

fn sequences(program: &Program, (id, sequence): (SequenceId, &Sequence), found: &mut Vec<Draft>) {
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
    for (text, policy) in lists(&sequence.policy).into_iter().filter(|_| several) {
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
}

fn lists(policy: &ListPolicy) -> Vec<(&'static str, ListPolicy)> {
    let any = ("its steps in any order", ListPolicy::Any);
    let written = ("its steps in the order written", ListPolicy::InOrder);
    match policy {
        ListPolicy::InOrder => vec![any],
        ListPolicy::Any => vec![written],
        ListPolicy::Unspecified(_) => vec![written, any],
        ListPolicy::Chosen(_) => vec![any, written],
    }
}

fn nests(nest: Nest) -> Vec<(&'static str, Nest)> {
    let steps = ("each step for all places", Nest::Steps);
    let places = ("all steps for each place", Nest::Places);
    match nest {
        Nest::Steps => vec![places],
        Nest::Places => vec![steps],
        Nest::Unspecified(_) => vec![steps, places],
    }
}

/// Other orders than this one.
pub(super) fn orders(order: &Order) -> Vec<(String, Order)> {
    let any = || ("in any order".to_owned(), Order::Any);
    match order {
        Order::Any => {
            let order = Order::Zone {
                reversed: false,
                from: None,
            };
            vec![("left to right".to_owned(), order)]
        }
        Order::Zone { reversed, from } => {
            let order = Order::Zone {
                reversed: !reversed,
                from: from.clone(),
            };
            let text = match reversed {
                true => "left to right",
                false => "right to left",
            };
            vec![(text.to_owned(), order), any()]
        }
        Order::Players { reversed, from } => {
            let order = Order::Players {
                reversed: !reversed,
                from: from.clone(),
            };
            let text = match reversed {
                true => "in player order",
                false => "in reverse player order",
            };
            vec![(text.to_owned(), order), any()]
        }
        Order::Chosen(_) => vec![any()],
        Order::Per(..) => Vec::new(),
    }
}

/// Other domains than this one.
pub(super) fn domains(domain: &DomainPolicy) -> Vec<(String, DomainPolicy)> {
    let snapshot = || {
        (
            "all that were there at the start".to_owned(),
            DomainPolicy::Snapshot,
        )
    };
    let rechecked = || {
        (
            "the condition is looked at again".to_owned(),
            DomainPolicy::Rechecked,
        )
    };
    let live = || ("all that are there then".to_owned(), DomainPolicy::Live);
    match domain {
        DomainPolicy::Snapshot => vec![rechecked(), live()],
        DomainPolicy::Rechecked | DomainPolicy::Live => vec![snapshot()],
        DomainPolicy::LiveByPosition => vec![snapshot(), live()],
        DomainPolicy::Per(..) => Vec::new(),
    }
}
