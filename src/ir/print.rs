//! A system as text, for people who develop or distrust the engines.
//!
//! Operations are named `%3` by number, locals `l0`; what stands indented belongs to what is above.

use std::fmt::Write as _;

use super::{
    Binder, Compute, Decider, Effect, Expr, ExprKind, Fold, Function, NONE, OpKind, Order, Place,
    Policy, Range, Relation, System, Target, Until, ZoneRef,
};
use crate::index::Id;
use crate::typing::program::{BlockId, SequenceId, StmtId};

/// The text of a system.
pub fn print(system: &System) -> String {
    let mut printer = Printer {
        system,
        out: String::new(),
    };
    printer.state();
    for function in system.functions.values() {
        let body = printer.expr(&function.body);
        printer.line(
            0,
            &format!("define {}({}) = {body}", function.name, function.params),
        );
    }
    printer.conditions("legal", &system.legal);
    printer.conditions("explore only", &system.explored);
    for claim in &system.claims {
        printer.conditions("claim", claim);
    }
    for id in system.procedures.ids() {
        printer.procedure(id);
    }
    for trigger in system.triggers.values() {
        let mut head = format!("trigger {}", trigger.name);
        if let Some(listener) = &trigger.listener {
            let _ = write!(head, " each {}", printer.binder(listener));
        }
        let _ = write!(head, " on {}", system.events[trigger.event].name);
        if let Some(condition) = &trigger.condition {
            let _ = write!(head, " where {}", printer.expr(condition));
        }
        let _ = write!(head, " priority {}", trigger.priority);
        printer.line(0, &head);
        printer.block(trigger.body, 1);
    }
    printer.out
}

struct Printer<'s> {
    system: &'s System,
    out: String,
}

impl Printer<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.out, "{:1$}{text}", "", depth * 2);
    }

    fn conditions(&mut self, what: &str, all: &[Function]) {
        for one in all {
            let body = self.expr(&one.body);
            self.line(0, &format!("{what} {}: {body}", one.name));
        }
    }

    fn state(&mut self) {
        let system = self.system;
        for sort in system.sorts.values() {
            self.line(
                0,
                &format!("sort {}, headroom {}", sort.name, sort.headroom),
            );
            for &field in &sort.fields {
                let field = &system.fields[field];
                let bounds = field.domain.bounds;
                let text = format!(
                    "field {}: {:?} {:?}",
                    field.name, field.domain.ty, bounds.reach
                );
                self.line(1, &text);
            }
        }
        for var in system.vars.values() {
            let bounds = var.domain.bounds;
            self.line(
                0,
                &format!("var {}: {:?} {:?}", var.name, var.domain.ty, bounds.reach),
            );
        }
        for zone in system.zones.values() {
            let sort = &system.sorts[zone.sort].name;
            let per = zone.per.map_or(String::new(), |per| {
                format!(" per {}", system.sorts[per].name)
            });
            self.line(0, &format!("zone {} of {sort}{per}", zone.name));
        }
        for queue in system.queues.values() {
            let text = format!(
                "queue {}, {:?}, {}",
                queue.name, queue.discipline, queue.capacity
            );
            self.line(0, &text);
        }
        for reading in system.readings.values() {
            self.line(
                0,
                &format!("reading {}, {}", reading.name, reading.alternatives),
            );
        }
    }

    fn procedure(&mut self, id: SequenceId) {
        let procedure = &self.system.procedures[id];
        let mut head = format!("procedure {}({})", procedure.name, procedure.params);
        if let Some((by, reading)) = &procedure.free {
            let _ = write!(head, ", any order by {}", self.decider(by));
            if let Some(reading) = reading {
                let _ = write!(head, " if {}", self.system.readings[*reading].name);
            }
        }
        if let Some((binder, order, nest)) = &procedure.over {
            let (binder, order) = (self.binder(binder), self.order(order));
            let _ = write!(head, ", over {binder}, {order}, {nest:?}");
        }
        self.line(0, &head);
        if let Some(rule) = &procedure.restart {
            let when = self.expr(&rule.when);
            let text = format!(
                "restart when {when}, {:?}, {:?}",
                rule.cancel, rule.unfinished
            );
            self.line(1, &text);
            if let Some(before) = rule.before {
                self.block(before, 2);
            }
        }
        for &step in &procedure.steps {
            let step = &self.system.steps[step];
            self.line(1, &format!("step {}", step.name));
            self.block(step.body, 2);
            for e in &step.ensures {
                let e = self.expr(e);
                self.line(2, &format!("ensures {e}"));
            }
        }
    }

    fn block(&mut self, block: BlockId, depth: usize) {
        for &op in &self.system.blocks[block].ops {
            self.op(op, depth);
        }
    }

    fn op(&mut self, id: StmtId, depth: usize) {
        let op = &self.system.ops[id].kind;
        let text = self.head(op);
        self.line(depth, &format!("%{} {text}", id.index()));
        match op {
            OpKind::If(arms, otherwise)
            | OpKind::Cases {
                arms, otherwise, ..
            } => {
                for (guard, body) in arms {
                    let guard = self.expr(guard);
                    self.line(depth + 1, &format!("when {guard}"));
                    self.block(*body, depth + 2);
                }
                if let Some(body) = otherwise {
                    self.line(depth + 1, "otherwise");
                    self.block(*body, depth + 2);
                }
            }
            other => {
                for body in other.blocks() {
                    self.line(depth + 1, "do");
                    self.block(body, depth + 2);
                }
            }
        }
    }

    #[allow(
        clippy::too_many_lines,
        reason = "a flat match with one arm for each form"
    )]
    fn head(&self, op: &OpKind) -> String {
        let list = |all: &[Expr]| {
            let all: Vec<String> = all.iter().map(|e| self.expr(e)).collect();
            all.join(", ")
        };
        let maybe = |e: &Option<Expr>| e.as_ref().map_or("-".to_owned(), |e| self.expr(e));
        match op {
            OpKind::Skip => "skip".to_owned(),
            OpKind::Let(local, e) => format!("let l{} = {}", local.0, self.expr(e)),
            OpKind::Set(place, e) => format!("set {} := {}", self.place(place), self.expr(e)),
            OpKind::Add {
                place,
                sign,
                by,
                bound,
            } => format!(
                "add {} += {sign} * {}, bound {}",
                self.place(place),
                self.expr(by),
                maybe(bound)
            ),
            OpKind::Transfer { amount, from, to } => format!(
                "transfer {} from {} to {}",
                self.expr(amount),
                self.place(from),
                self.place(to)
            ),
            OpKind::Move(e, to) => format!("move {} to {}", self.expr(e), self.target(to)),
            OpKind::MoveAll(zone, to) => {
                format!("move all of {} to {}", self.zone(zone), self.target(to))
            }
            OpKind::Create {
                sort,
                local,
                target,
                with,
            } => {
                let with = with.iter().map(|(field, e)| {
                    format!("{} = {}", self.system.fields[*field].name, self.expr(e))
                });
                format!(
                    "create {} as {local:?} in {} with {}",
                    self.system.sorts[*sort].name,
                    target.as_ref().map_or("-".to_owned(), |to| self.target(to)),
                    with.collect::<Vec<_>>().join(", ")
                )
            }
            OpKind::Remove(e) => format!("remove {}", self.expr(e)),
            OpKind::Announce(event, args) => {
                format!(
                    "announce {}({})",
                    self.system.events[*event].name,
                    list(args)
                )
            }
            OpKind::If(..) => "if".to_owned(),
            OpKind::Cases { policy, .. } => match policy {
                Policy::Exclusive => "cases".to_owned(),
                Policy::InOrder => "cases in order".to_owned(),
                Policy::Chosen(by) => format!("cases by {}", self.decider(by)),
            },
            OpKind::Switch(reading, _) => {
                format!("switch {}", self.system.readings[*reading].name)
            }
            OpKind::Each(each) => format!(
                "each {}, {}, {:?}",
                self.binder(&each.binder),
                self.order(&each.order),
                each.domain
            ),
            OpKind::Atomic(_) => "atomic".to_owned(),
            OpKind::Repeat(until, _) => match until {
                Until::Until(e) => format!("repeat until {}", self.expr(e)),
                Until::While(e) => format!("repeat while {}", self.expr(e)),
                Until::Stable => "repeat until stable".to_owned(),
            },
            OpKind::Shuffle(zone) => format!("shuffle {}", self.zone(zone)),
            OpKind::ChooseElement(binder, by) => {
                format!("choose {} by {}", self.binder(binder), self.decider(by))
            }
            OpKind::ChooseNumber {
                local,
                low,
                high,
                by,
            } => format!(
                "choose l{} from {} to {} by {}",
                local.0,
                self.expr(low),
                self.expr(high),
                self.decider(by)
            ),
            OpKind::ChooseBlock(_, by) => format!("choose one by {}", self.decider(by)),
            OpKind::Distribute {
                amount,
                binder,
                into,
                by,
                each,
            } => format!(
                "distribute {} over {} into {} by {}, each {}",
                self.expr(amount),
                self.binder(binder),
                self.place(into),
                self.decider(by),
                maybe(each)
            ),
            OpKind::ChooseValue { place, .. } => format!("any value in {}", self.place(place)),
            OpKind::Call(id, args) => {
                format!("call {}({})", self.system.procedures[*id].name, list(args))
            }
            OpKind::Resolve { one, queue } => {
                let how = if *one { "one of" } else { "all of" };
                format!("resolve {how} {}", self.system.queues[*queue].name)
            }
            OpKind::Leave(id) => format!("leave {}", self.system.procedures[*id].name),
            OpKind::Stop(effect) => match effect {
                Effect::Win(e) => format!("stop win {}", maybe(e)),
                Effect::Loss(e) => format!("stop loss {}", maybe(e)),
                Effect::Draw => "stop draw".to_owned(),
                Effect::End => "stop end".to_owned(),
                Effect::Gap(gap) => format!("stop gap {}", gap.0),
            },
        }
    }

    fn place(&self, place: &Place) -> String {
        match place {
            Place::Var(var, _) => self.system.vars[*var].name.clone(),
            Place::Field(e, field, _) => {
                format!("{}.{}", self.expr(e), self.system.fields[*field].name)
            }
        }
    }

    fn target(&self, to: &Target) -> String {
        match to {
            Target::Zone(true, zone) => format!("top of {}", self.zone(zone)),
            Target::Zone(false, zone) => format!("bottom of {}", self.zone(zone)),
            Target::Beside(false, e) => format!("before {}", self.expr(e)),
            Target::Beside(true, e) => format!("after {}", self.expr(e)),
        }
    }

    fn zone(&self, zone: &ZoneRef) -> String {
        let name = &self.system.zones[zone.zone].name;
        match &zone.of {
            Some(of) => format!("{name}({})", self.expr(of)),
            None => name.clone(),
        }
    }

    fn binder(&self, binder: &Binder) -> String {
        let range = match &binder.range {
            Range::Sort(sort) => self.system.sorts[*sort].name.clone(),
            Range::Zone(zone) => self.zone(zone),
            Range::Enum(_, count) => format!("0..{count}"),
            Range::Bool => "0..2".to_owned(),
        };
        let filter = binder.filter.as_ref();
        let filter = filter.map_or(String::new(), |e| format!(" if {}", self.expr(e)));
        format!("l{} in {range}{filter}", binder.local.0)
    }

    fn decider(&self, by: &Decider) -> String {
        match by {
            Decider::Player(e) => self.expr(e),
            Decider::Everyone => "everyone".to_owned(),
            Decider::Chance => "chance".to_owned(),
            Decider::Nobody => "nobody".to_owned(),
        }
    }

    fn order(&self, order: &Order) -> String {
        let from = |e: &Option<Expr>| e.as_ref().map_or("first".to_owned(), |e| self.expr(e));
        match order {
            Order::Any => "any order".to_owned(),
            Order::Chosen(by) => format!("order by {}", self.decider(by)),
            Order::Zone { reversed, from: e } => {
                format!("by place from {}, reversed {reversed}", from(e))
            }
            Order::Players { reversed, from: e } => {
                format!("by player from {}, reversed {reversed}", from(e))
            }
            Order::Per(reading, all) => {
                let all: Vec<String> = all.iter().map(|one| self.order(one)).collect();
                format!(
                    "per {} ({})",
                    self.system.readings[*reading].name,
                    all.join(" | ")
                )
            }
        }
    }

    #[allow(
        clippy::too_many_lines,
        reason = "a flat match with one arm for each form"
    )]
    fn expr(&self, e: &Expr) -> String {
        let both =
            |op: &str, a: &Expr, b: &Expr| format!("({} {op} {})", self.expr(a), self.expr(b));
        match &e.kind {
            ExprKind::Const(NONE) => "none".to_owned(),
            ExprKind::Const(n) => n.to_string(),
            ExprKind::Local(local) => format!("l{}", local.0),
            ExprKind::Var(var) => self.system.vars[*var].name.clone(),
            ExprKind::Field(of, field) => {
                format!("{}.{}", self.expr(of), self.system.fields[*field].name)
            }
            ExprKind::Unwrap(of) => format!("{}!", self.expr(of)),
            ExprKind::Call(id, args) => {
                let args: Vec<String> = args.iter().map(|e| self.expr(e)).collect();
                format!("{}({})", self.system.functions[*id].name, args.join(", "))
            }
            ExprKind::Not(of) => format!("not {}", self.expr(of)),
            ExprKind::Negate(of) => format!("-{}", self.expr(of)),
            ExprKind::Compare(relation, a, b) => both(
                match relation {
                    Relation::Equal => "=",
                    Relation::NotEqual => "!=",
                    Relation::Less => "<",
                    Relation::LessEqual => "<=",
                    Relation::Greater => ">",
                    Relation::GreaterEqual => ">=",
                },
                a,
                b,
            ),
            ExprKind::Compute(compute, a, b) => both(
                match compute {
                    Compute::Add => "+",
                    Compute::Subtract => "-",
                    Compute::Multiply => "*",
                    Compute::Min => "min",
                    Compute::Max => "max",
                },
                a,
                b,
            ),
            ExprKind::Clamp(a, b, c) => {
                format!(
                    "clamp({}, {}, {})",
                    self.expr(a),
                    self.expr(b),
                    self.expr(c)
                )
            }
            ExprKind::Half(of, rounding) => format!("half({}, {rounding:?})", self.expr(of)),
            ExprKind::If(c, a, b) => {
                format!(
                    "(if {} then {} else {})",
                    self.expr(c),
                    self.expr(a),
                    self.expr(b)
                )
            }
            ExprKind::IsRemoved(of) => format!("removed({})", self.expr(of)),
            ExprKind::IsIn(of, zone) => format!("({} in {})", self.expr(of), self.zone(zone)),
            ExprKind::Size(zone) => format!("size({})", self.zone(zone)),
            ExprKind::Pending(queue) => format!("size({})", self.system.queues[*queue].name),
            ExprKind::ReadingIs(reading, at) => {
                format!("{} is {at}", self.system.readings[*reading].name)
            }
            ExprKind::Per(reading, all) => {
                let all: Vec<String> = all.iter().map(|e| self.expr(e)).collect();
                format!(
                    "per {} ({})",
                    self.system.readings[*reading].name,
                    all.join(" | ")
                )
            }
            ExprKind::Fold(fold, binder, of) => {
                let name = match fold {
                    Fold::Count => "count",
                    Fold::Sum => "sum",
                    Fold::Largest => "largest",
                    Fold::Smallest => "smallest",
                    Fold::Every => "every",
                    Fold::Some => "some",
                };
                let of = of
                    .as_ref()
                    .map_or(String::new(), |e| format!(": {}", self.expr(e)));
                format!("{name}({}{of})", self.binder(binder))
            }
            ExprKind::EndOf(true, zone) => format!("first({})", self.zone(zone)),
            ExprKind::EndOf(false, zone) => format!("last({})", self.zone(zone)),
            ExprKind::Turn {
                forward,
                from,
                such_that,
            } => {
                let how = if *forward { "next" } else { "previous" };
                let when = such_that.as_ref().map_or(String::new(), |(local, e)| {
                    format!(", l{} where {}", local.0, self.expr(e))
                });
                format!("{how}({}{when})", self.expr(from))
            }
            ExprKind::Neighbour(side, of) => format!("neighbour({side:?}, {})", self.expr(of)),
            ExprKind::Holder(of) => format!("holder({})", self.expr(of)),
            ExprKind::Old(of) => format!("old({})", self.expr(of)),
        }
    }
}
