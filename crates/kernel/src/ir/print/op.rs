//! Operations as text.

use super::Printer;
use crate::ir::{Arm, Effect, Expr, OpKind, Policy, Target, Until};
use endstep_language::index::Id;
use endstep_language::typing::program::{BlockId, DomainPolicy, ReadingId, StmtId};

impl Printer<'_> {
    pub(super) fn block(&mut self, block: BlockId, depth: usize) {
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
            OpKind::Switch(reading, blocks) => {
                for (at, &body) in blocks.iter().enumerate() {
                    let name = self.alternative(*reading, at);
                    self.line(depth + 1, &format!("if it is {name}"));
                    self.block(body, depth + 2);
                }
            }
            OpKind::ChooseBlock(arms, _) => {
                for arm in arms {
                    let option = self.option(arm);
                    self.line(depth + 1, &option);
                    if let Some(body) = arm.body {
                        self.block(body, depth + 2);
                    }
                }
            }
            other => {
                for body in other.blocks() {
                    self.block(body, depth + 1);
                }
            }
        }
    }

    fn option(&self, arm: &Arm) -> String {
        let guard = arm.guard.as_ref();
        let guard = guard.map_or(String::new(), |e| format!(" if {}", self.expr(e)));
        match arm.taken {
            None => format!("option {}{guard}", arm.label),
            Some(true) => format!("taken{guard}"),
            Some(false) => format!("declined{guard}"),
        }
    }

    /// The name of an alternative of a reading.
    pub(super) fn alternative(&self, reading: ReadingId, at: usize) -> String {
        let name = self.system.readings[reading].names.get(at);
        name.cloned().unwrap_or_else(|| at.to_string())
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
        let with = |what: &str, e: &Option<Expr>| {
            let e = e.as_ref();
            e.map_or(String::new(), |e| format!("{what}{}", self.expr(e)))
        };
        match op {
            OpKind::Skip => "skip".to_owned(),
            OpKind::Meet(gap) => format!("meet gap {}", self.system.gaps[*gap]),
            OpKind::Pass => "pass".to_owned(),
            OpKind::Let(local, e) => format!("let l{} = {}", local.0, self.expr(e)),
            OpKind::Set(place, e) => {
                let ty = self.type_of_place(place);
                format!("set {} := {}", self.place(place), self.expr_as(e, ty))
            }
            OpKind::Add {
                place,
                sign,
                by,
                bound,
            } => {
                let (what, side, how) = match *sign < 0 {
                    true => ("subtract", "from", ", at least "),
                    false => ("add", "to", ", at most "),
                };
                let (by, place) = (self.expr(by), self.place(place));
                format!("{what} {by} {side} {place}{}", with(how, bound))
            }
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
                let mut text = format!("create {}", self.system.sorts[*sort].name);
                if let Some(local) = local {
                    text.push_str(&format!(" as l{}", local.0));
                }
                if let Some(to) = target {
                    text.push_str(&format!(" in {}", self.target(to)));
                }
                for (at, (field, e)) in with.iter().enumerate() {
                    let field = &self.system.fields[*field];
                    let e = self.expr_as(e, Some(field.domain.ty));
                    let between = if at == 0 { " with" } else { "," };
                    text.push_str(&format!("{between} {} = {e}", field.name));
                }
                text
            }
            OpKind::Remove(e, _) => format!("remove {}", self.expr(e)),
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
                "each {}, {}, {}",
                self.binder(&each.binder),
                self.order(&each.order),
                self.domain(&each.domain)
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
            OpKind::ChooseBlock(arms, by) => match arms.first() {
                Some(Arm {
                    taken: Some(_),
                    label,
                    ..
                }) => format!("may by {}{}", self.decider(by), quoted(label)),
                _ => format!("choose one by {}", self.decider(by)),
            },
            OpKind::Distribute {
                amount,
                binder,
                into,
                by,
                each,
            } => format!(
                "distribute {} over {} into {} by {}{}",
                self.expr(amount),
                self.binder(binder),
                self.place(into),
                self.decider(by),
                with(", each at most ", each)
            ),
            OpKind::ChooseValue { place, within, .. } => {
                let range = within.as_ref().map_or("any value".to_owned(), |(a, b)| {
                    format!("{} to {}", self.expr(a), self.expr(b))
                });
                format!("set {} := {range}, nobody says which", self.place(place))
            }
            OpKind::Call(id, args) => {
                format!("call {}({})", self.system.procedures[*id].name, list(args))
            }
            OpKind::Resolve { one, queue } => {
                let how = if *one { "one of" } else { "all of" };
                format!("resolve {how} {}", self.system.queues[*queue].name)
            }
            OpKind::GoTo(id) => format!("go to {}", self.system.steps[*id].name),
            OpKind::Leave(id) => format!("leave {}", self.system.procedures[*id].name),
            OpKind::Stop(effect) => match effect {
                Effect::Win(e) => format!("stop win{}", with(" of ", e)),
                Effect::Loss(e) => format!("stop loss{}", with(" of ", e)),
                Effect::Draw => "stop draw".to_owned(),
                Effect::End => "stop end".to_owned(),
                Effect::Gap(gap) => format!("stop gap {}", self.system.gaps[*gap]),
            },
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

    fn domain(&self, of: &DomainPolicy) -> String {
        match of {
            DomainPolicy::Snapshot => "snapshot".to_owned(),
            DomainPolicy::Rechecked => "rechecked".to_owned(),
            DomainPolicy::Live => "live".to_owned(),
            DomainPolicy::LiveByPosition => "live by position".to_owned(),
            DomainPolicy::UntilAllPass => "until all pass".to_owned(),
            DomainPolicy::Per(reading, all) => self.per(*reading, all, &|one| self.domain(one)),
        }
    }
}

fn quoted(label: &str) -> String {
    match label {
        "" => String::new(),
        label => format!(": {label}"),
    }
}
