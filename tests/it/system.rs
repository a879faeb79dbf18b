//! What makes a system ill formed: one system, broken once in each way that `ir::fault` looks for.

use endstep::ir::{
    Decider, Effect, Expr, ExprKind, OpKind, Order, Place, Policy, Range, System, Target, fault,
};
use endstep::lower::lower;
use endstep::typing::program::{
    BlockId, DefineId, EnumId, EventId, FieldId, GapId, LocalId, QueueId, ReadingId, SequenceId,
    SortId, StepId, StmtId, VarId, ZoneId,
};

use super::engines::compiled;

const FORMS: &str = include_str!("../cli/emit.in/forms.endstep");

fn system() -> System {
    let system = lower(&compiled(FORMS).unwrap());
    assert_eq!(fault(&system), None);
    system
}

/// What is wrong once something was changed.
#[track_caller]
fn broken(change: impl FnOnce(&mut System), message: &str) {
    let mut system = system();
    change(&mut system);
    assert_eq!(fault(&system).as_deref(), Some(message));
}

/// Changes the first operation that a change applies to.
#[track_caller]
fn broken_op(mut change: impl FnMut(&mut OpKind) -> Option<()>, message: &str) {
    let first = |system: &mut System| {
        let mut ops = system.ops.iter_mut();
        ops.find_map(|(_, op)| change(&mut op.kind)).unwrap();
    };
    broken(first, message);
}

/// Changes the condition of legality, or puts another expression there.
#[track_caller]
fn broken_expr(kind: ExprKind, message: &str) {
    broken(|system| system.legal[0].body.kind = kind, message);
}

fn constant() -> Expr {
    Expr {
        kind: ExprKind::Const(0),
        span: endstep::source::Span::default(),
    }
}

fn boxed() -> Box<Expr> {
    Box::new(constant())
}

/// A number that nothing has.
const NOBODY: u32 = 999;

fn local() -> Expr {
    Expr {
        kind: ExprKind::Local(LocalId(NOBODY)),
        ..constant()
    }
}

#[test]
fn expressions_name_what_exists() {
    let locals = system().legal[0].locals;
    let message = format!("local 999 does not exist: there are {locals}");
    broken_expr(local().kind, &message);
    broken_expr(
        ExprKind::Var(VarId(NOBODY)),
        "variable 999 does not exist: there are 3",
    );
    broken_expr(
        ExprKind::Field(boxed(), FieldId(NOBODY)),
        "field 999 does not exist: there are 4",
    );
    broken_expr(
        ExprKind::Call(DefineId(NOBODY), vec![]),
        "function 999 does not exist: there are 1",
    );
    broken_expr(
        ExprKind::Call(DefineId(0), vec![]),
        "a function of 1 values gets 0",
    );
    broken_expr(
        ExprKind::Pending(QueueId(NOBODY)),
        "queue 999 does not exist: there are 1",
    );
    broken_expr(
        ExprKind::ReadingIs(ReadingId(NOBODY), 0),
        "reading 999 does not exist: there are 2",
    );
    broken_expr(
        ExprKind::ReadingIs(ReadingId(0), 2),
        "alternative 2 does not exist: there are 2",
    );
    broken_expr(
        ExprKind::Per(ReadingId(0), vec![constant()]),
        "1 alternatives for 2 of zero",
    );
    broken_expr(
        ExprKind::Turn {
            forward: true,
            from: boxed(),
            such_that: Some((LocalId(NOBODY), boxed())),
        },
        &message,
    );
}

#[test]
fn binders_range_over_what_exists() {
    let range = |range: Range, message: &str| {
        let change = |system: &mut System| {
            let ExprKind::Fold(_, over, _) = &mut system.legal[0].body.kind else {
                panic!("`hosts` is about every card");
            };
            over.range = range;
        };
        broken(change, message);
    };
    range(
        Range::Sort(SortId(NOBODY)),
        "sort 999 does not exist: there are 2",
    );
    range(
        Range::Enum(EnumId(NOBODY), 2),
        "enumeration 999 does not exist: there are 1",
    );
    let change = |op: &mut OpKind| match op {
        OpKind::Each(each) => match &mut each.binder.range {
            Range::Zone(zone) => {
                zone.zone = ZoneId(NOBODY);
                Some(())
            }
            _ => None,
        },
        _ => None,
    };
    broken_op(change, "zone 999 does not exist: there are 3");
}

#[test]
fn operations_write_what_exists() {
    let zone = "zone 999 does not exist: there are 3";
    let change = |op: &mut OpKind| match op {
        OpKind::Set(place, _) => {
            *place = Place::Var(VarId(NOBODY), place.span());
            Some(())
        }
        _ => None,
    };
    broken_op(change, "variable 999 does not exist: there are 3");
    let change = |op: &mut OpKind| match op {
        OpKind::Move(_, Target::Zone(_, zone)) | OpKind::Shuffle(zone) => {
            zone.zone = ZoneId(NOBODY);
            Some(())
        }
        _ => None,
    };
    broken_op(change, zone);
    let change = |op: &mut OpKind| match op {
        OpKind::Create { with, .. } => {
            with[0].0 = FieldId(0);
            Some(())
        }
        _ => None,
    };
    broken_op(change, "glory is no field of Card");
    let change = |op: &mut OpKind| match op {
        OpKind::Create { sort, .. } => {
            *sort = SortId(NOBODY);
            Some(())
        }
        _ => None,
    };
    broken_op(change, "sort 999 does not exist: there are 2");
    let change = |op: &mut OpKind| match op {
        OpKind::Resolve { queue, .. } => {
            *queue = QueueId(NOBODY);
            Some(())
        }
        _ => None,
    };
    broken_op(change, "queue 999 does not exist: there are 1");
    let change = |op: &mut OpKind| match op {
        OpKind::Stop(Effect::Gap(gap)) => {
            *gap = GapId(NOBODY);
            Some(())
        }
        _ => None,
    };
    broken_op(change, "gap 999 does not exist: there are 2");
}

#[test]
fn calls_and_announcements_fit() {
    let change = |op: &mut OpKind| match op {
        OpKind::Announce(_, args) => {
            args.clear();
            Some(())
        }
        _ => None,
    };
    broken_op(change, "0 values announced, not 1");
    let change = |op: &mut OpKind| match op {
        OpKind::Announce(event, _) => {
            *event = EventId(NOBODY);
            Some(())
        }
        _ => None,
    };
    broken_op(change, "event 999 does not exist: there are 2");
    let change = |op: &mut OpKind| match op {
        OpKind::Call(_, args) => {
            args.clear();
            Some(())
        }
        _ => None,
    };
    broken_op(change, "0 values in a call, not 2");
    let change = |op: &mut OpKind| match op {
        OpKind::Leave(of) => {
            *of = SequenceId(NOBODY);
            Some(())
        }
        _ => None,
    };
    broken_op(change, "procedure 999 does not exist: there are 2");
    let change = |op: &mut OpKind| match op {
        OpKind::Skip | OpKind::Shuffle(_) => {
            *op = OpKind::Switch(ReadingId(0), vec![]);
            Some(())
        }
        _ => None,
    };
    broken_op(change, "0 alternatives for 2 of zero");
    broken(
        |system| {
            drop(
                system
                    .triggers
                    .iter_mut()
                    .map(|(_, one)| one.args.clear())
                    .collect::<Vec<_>>(),
            )
        },
        "second takes another payload than its event has",
    );
}

#[test]
fn deciders_orders_and_conditions_are_within_their_frames() {
    let locals = system().procedures[SequenceId(0)].locals;
    let message = format!("local 999 does not exist: there are {locals}");
    let change = |op: &mut OpKind| match op {
        OpKind::ChooseNumber { by, .. } | OpKind::ChooseBlock(_, by) => {
            *by = Decider::Player(local());
            Some(())
        }
        _ => None,
    };
    broken_op(change, &message);
    let change = |op: &mut OpKind| match op {
        OpKind::Cases { policy, .. } => {
            *policy = Policy::Chosen(Decider::Player(local()));
            Some(())
        }
        _ => None,
    };
    broken_op(change, &message);
    let change = |op: &mut OpKind| match op {
        OpKind::Each(each) => {
            each.order = Order::Zone {
                reversed: false,
                from: Some(local()),
            };
            Some(())
        }
        _ => None,
    };
    broken_op(change, &message);
    let change = |op: &mut OpKind| match op {
        OpKind::Each(each) => {
            each.order = Order::Per(ReadingId(0), vec![]);
            Some(())
        }
        _ => None,
    };
    broken_op(change, "0 alternatives for 2 of zero");
    let trigger = |system: &mut System| {
        let (_, trigger) = system.triggers.iter_mut().next().unwrap();
        trigger.condition = Some(local());
    };
    let locals = system().triggers.values()[0].locals;
    let message = format!("local 999 does not exist: there are {locals}");
    broken(trigger, &message);
}

#[test]
fn operations_and_steps_belong_to_one() {
    broken(
        |system| {
            let (_, block) = system
                .blocks
                .iter_mut()
                .find(|(_, one)| !one.ops.is_empty())
                .unwrap();
            block.ops.push(block.ops[0]);
        },
        "operation 0 stands in two blocks",
    );
    broken(
        |system| {
            let (_, block) = system
                .blocks
                .iter_mut()
                .find(|(_, one)| !one.ops.is_empty())
                .unwrap();
            block.ops.push(StmtId(NOBODY));
        },
        &format!(
            "operation 999 does not exist: there are {}",
            system().ops.len()
        ),
    );
    broken(
        |system| {
            let steps = system.procedures[SequenceId(1)].steps.clone();
            system.procedures[SequenceId(0)].steps.extend(steps);
        },
        "a step of finish belongs to another",
    );
    broken(
        |system| system.procedures[SequenceId(0)].steps.push(StepId(NOBODY)),
        "step 999 does not exist: there are 4",
    );
    broken(
        |system| {
            let step = system.procedures[SequenceId(0)].steps[0];
            system.steps[step].body = BlockId(NOBODY);
        },
        &format!(
            "block 999 does not exist: there are {}",
            system().blocks.len()
        ),
    );
    broken(
        |system| {
            let (_, function) = system.functions.iter_mut().next().unwrap();
            function.locals = 0;
        },
        "low has more parameters than locals",
    );
}

#[test]
fn nothing_comes_to_itself() {
    broken(
        |system| {
            let (_, function) = system.functions.iter_mut().next().unwrap();
            function.body.kind = ExprKind::Call(DefineId(0), vec![constant()]);
        },
        "low is defined by itself",
    );
    let change = |op: &mut OpKind| match op {
        OpKind::Remove(..) => {
            *op = OpKind::Call(SequenceId(0), vec![]);
            Some(())
        }
        _ => None,
    };
    // `finish` performs `count_up`.
    let mut system = system();
    system
        .ops
        .iter_mut()
        .find_map(|(_, op)| change(&mut op.kind))
        .unwrap();
    let found = fault(&system).unwrap();
    assert!(["finish performs itself", "count_up performs itself"].contains(&&*found));
}

/// Each of 60 sequences performs the next one twice: 2^60 ways from the first to the last.
#[test]
fn many_ways_through_calls_take_no_time() {
    let mut text = "game \"Ways\"\nvar n: integer, explore 0 to 0, reach 0 to 9\n".to_owned();
    for at in 0..60 {
        let next = at + 1;
        let text_of_one =
            format!("sequence s{at}\n  step a\n    perform s{next}\n    perform s{next}\n");
        text.push_str(&text_of_one);
    }
    text.push_str("sequence s60\n  step a\n    set n to 1\n");
    let system = lower(&compiled(&text).unwrap());
    assert_eq!(system.procedures.len(), 61);
    assert_eq!(fault(&system), None);
}
