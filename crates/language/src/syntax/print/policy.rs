//! Writes who decides, in which order, over which elements, and how fine a cancel is.

use super::Printer;
use super::form::end_word;
use crate::syntax::ast::{
    Cancel, Decider, DomainPolicy, Expr, ExprKind, MoveTarget, Order, OutcomeWord, Per, Rank,
    Unfinished, Whom,
};

impl Printer {
    pub(super) fn decider(&mut self, decider: &Decider) -> &mut Self {
        match decider {
            Decider::Player(player) => self.expr(player),
            Decider::Everyone => self.put("everyone together"),
            Decider::Chance => self.put("chance"),
            Decider::Nobody => self.put("nobody in particular"),
        }
    }

    /// ` for p`, if somebody is named.
    pub(super) fn whom(&mut self, whom: Option<&Whom>) -> &mut Self {
        match whom {
            None => self,
            Some(Whom::Everyone) => self.put(" for everyone"),
            Some(Whom::Player(player)) => self.put(" for ").expr(player),
        }
    }

    pub(super) fn target(&mut self, target: &MoveTarget) -> &mut Self {
        match target {
            MoveTarget::Before(other) => self.put("before ").operand(other),
            MoveTarget::After(other) => self.put("after ").operand(other),
            MoveTarget::Zone(Some(end), zone) => self.put(end_word(*end)).put(" of ").operand(zone),
            // Without brackets this would be an end of a zone to move to.
            MoveTarget::Zone(None, zone) if matches!(zone.kind, ExprKind::EndOf(..)) => {
                self.put("(").expr(zone).put(")")
            }
            MoveTarget::Zone(None, zone) => self.operand(zone),
        }
    }

    fn per<T>(&mut self, per: &Per<T>, write: impl Fn(&mut Self, &T)) -> &mut Self {
        self.per_head(&per.reading.text)
            .alternatives(&per.alternatives, write)
    }

    pub(super) fn order(&mut self, order: &Order) -> &mut Self {
        match order {
            Order::Any => self.put("in any order"),
            Order::Zone { reversed, from } => {
                self.put(if *reversed {
                    "right to left"
                } else {
                    "left to right"
                });
                self.from(from.as_ref())
            }
            Order::Players { reversed, from } => {
                self.put(if *reversed {
                    "in reverse player order"
                } else {
                    "in player order"
                });
                self.from(from.as_ref())
            }
            Order::Chosen(decider) => self.put("in an order chosen by ").decider(decider),
            Order::Own => self.put("in an order of their own"),
            Order::Ranked(ranked) => {
                self.rank(&ranked.by);
                match &ranked.then {
                    Some(then) => self.comma().put("then ").order(then),
                    None => self,
                }
            }
            Order::Per(per) => self.per(per, |printer, order| {
                printer.order(order);
            }),
        }
    }

    fn rank(&mut self, by: &Rank) -> &mut Self {
        match by {
            Rank::Largest(e) => self.put("largest ").operand(e).put(" first"),
            Rank::Smallest(e) => self.put("smallest ").operand(e).put(" first"),
            Rank::Where(e) => self.put("those where ").expr(e).put(" first"),
            Rank::Players { reversed, of, from } => {
                self.put(match reversed {
                    true => "in reverse player order",
                    false => "in player order",
                });
                if let Some(of) = of {
                    self.put(" of ").operand(of);
                }
                self.from(from.as_ref())
            }
        }
    }

    fn from(&mut self, from: Option<&Expr>) -> &mut Self {
        match from {
            Some(from) => self.put(" from ").expr(from),
            None => self,
        }
    }

    pub(super) fn domain(&mut self, domain: &DomainPolicy) -> &mut Self {
        match domain {
            DomainPolicy::Snapshot => self.put("snapshot"),
            DomainPolicy::Rechecked => self.put("rechecked"),
            DomainPolicy::Live => self.put("live"),
            DomainPolicy::LiveByPosition => self.put("live by position"),
            DomainPolicy::UntilAllPass => self.put("until all pass"),
            DomainPolicy::Per(per) => self.per(per, |printer, domain| {
                printer.domain(domain);
            }),
        }
    }

    pub(super) fn cancel(&mut self, cancel: &Cancel) -> &mut Self {
        match cancel {
            Cancel::AtOnce => self.put("at once"),
            Cancel::EndOfStep => self.put("at end of step"),
            Cancel::EndOfPass => self.put("at end of pass"),
            Cancel::Per(per) => self.per(per, |printer, cancel| {
                printer.cancel(cancel);
            }),
        }
    }

    pub(super) fn unfinished(&mut self, unfinished: &Unfinished) -> &mut Self {
        match unfinished {
            Unfinished::Lost => self.put("lost"),
            Unfinished::Carried => self.put("carried"),
            Unfinished::Per(per) => self.per(per, |printer, unfinished| {
                printer.unfinished(unfinished);
            }),
        }
    }
}

/// How an outcome is written.
pub(super) fn outcome_word(outcome: OutcomeWord) -> &'static str {
    match outcome {
        OutcomeWord::Win => "win",
        OutcomeWord::Loss => "loss",
        OutcomeWord::Draw => "draw",
        OutcomeWord::End => "end",
    }
}
