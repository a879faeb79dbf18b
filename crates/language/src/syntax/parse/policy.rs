//! Reads who decides, in which order, over which elements, and how fine a cancel is.

use super::form::end_named;
use super::{Parse, Parser};
use crate::syntax::ast::{
    Cancel, Decider, DomainPolicy, MoveTarget, Order, OutcomeWord, Rank, Ranked, Unfinished, Whom,
};
use crate::syntax::lex::Kind;

impl Parser<'_> {
    /// `everyone together`, `chance`, `nobody in particular` or a player.
    pub(super) fn decider(&mut self) -> Parse<Decider> {
        if self.eat_word("everyone") {
            self.expect_words(&["together"])?;
            Ok(Decider::Everyone)
        } else if self.eat_word("chance") {
            Ok(Decider::Chance)
        } else if self.eat_word("nobody") {
            self.expect_words(&["in", "particular"])?;
            Ok(Decider::Nobody)
        } else {
            self.expr().map(Decider::Player)
        }
    }

    /// `by D`
    pub(super) fn by(&mut self) -> Parse<Decider> {
        self.expect_words(&["by"])?;
        self.decider()
    }

    /// `for p`, `for everyone`, if it is next.
    pub(super) fn whom(&mut self) -> Parse<Option<Whom>> {
        if !self.eat_word("for") {
            return Ok(None);
        }
        if self.eat_word("everyone") {
            return Ok(Some(Whom::Everyone));
        }
        Ok(Some(Whom::Player(self.expr()?)))
    }

    /// `win`, `loss`, `draw` or `end`.
    pub(super) fn outcome_word(&mut self) -> Parse<OutcomeWord> {
        let outcome = match self.peek_word(0) {
            "win" => OutcomeWord::Win,
            "loss" => OutcomeWord::Loss,
            "draw" => OutcomeWord::Draw,
            "end" => OutcomeWord::End,
            _ => return Err(self.unexpected("`win`, `loss`, `draw` or `end`")),
        };
        self.take();
        Ok(outcome)
    }

    /// `before c`, `after c`, `top of Z` or `Z`.
    pub(super) fn target(&mut self) -> Parse<MoveTarget> {
        if self.eat_word("before") {
            return self.operand().map(MoveTarget::Before);
        }
        if self.eat_word("after") {
            return self.operand().map(MoveTarget::After);
        }
        let end = if self.is_word_at(1, "of") {
            end_named(self.peek_word(0))
        } else {
            None
        };
        if end.is_some() {
            self.at += 2;
        }
        Ok(MoveTarget::Zone(end, self.operand()?))
    }

    /// The words that say in which order, or with `per` one order for each reading.
    pub(super) fn order(&mut self) -> Parse<Order> {
        if self.is_word("per") {
            return self.deeper(|parser| parser.per(Self::order).map(Order::Per));
        }
        if self.eat_words(&["in", "any", "order"]) {
            return Ok(Order::Any);
        }
        if self.eat_words(&["in", "an", "order", "chosen", "by"]) {
            return self.decider().map(Order::Chosen);
        }
        if self.eat_words(&["in", "an", "order", "of", "their", "own"]) {
            return Ok(Order::Own);
        }
        if let Some(by) = self.rank()? {
            return self.ranked(by);
        }
        for (words, players, reversed) in [
            (&["left", "to", "right"][..], false, false),
            (&["right", "to", "left"], false, true),
            (&["in", "player", "order"], true, false),
            (&["in", "reverse", "player", "order"], true, true),
        ] {
            if self.eat_words(words) {
                let of = match players && self.eat_word("of") {
                    true => Some(self.operand()?),
                    false => None,
                };
                let from = match self.eat_word("from") {
                    true => Some(self.expr()?),
                    false => None,
                };
                if players && (of.is_some() || self.goes_on_with_then()) {
                    return self.ranked(Rank::Players { reversed, of, from });
                }
                return Ok(if players {
                    Order::Players { reversed, from }
                } else {
                    Order::Zone { reversed, from }
                });
            }
        }
        Err(self.unexpected(
            "an order: `in any order`, `left to right`, `right to left`, `in player order`, \
             `in reverse player order`, `in an order chosen by …`, `largest … first`, \
             `smallest … first` or `those where … first`",
        ))
    }

    /// `largest e first`, `smallest e first`, `those where e first`, if one of them is next.
    fn rank(&mut self) -> Parse<Option<Rank>> {
        let by = if self.eat_word("largest") {
            Rank::Largest(self.operand()?)
        } else if self.eat_word("smallest") {
            Rank::Smallest(self.operand()?)
        } else if self.eat_words(&["those", "where"]) {
            Rank::Where(self.expr()?)
        } else {
            return Ok(None);
        };
        if !self.eat_word("first") {
            return Err(self.unexpected("`first` (a sum or a product stands in brackets)"));
        }
        Ok(Some(by))
    }

    /// What is said of those of equal rank, if anything is.
    fn ranked(&mut self, by: Rank) -> Parse<Order> {
        let mut then = None;
        if self.goes_on_with_then() {
            self.at += 2;
            then = Some(self.deeper(Self::order)?);
        }
        Ok(Order::Ranked(Box::new(Ranked { by, then })))
    }

    /// Whether `, then` is next.
    fn goes_on_with_then(&self) -> bool {
        self.is_at(0, Kind::Comma) && self.is_word_at(1, "then")
    }

    /// Which elements an iteration visits.
    pub(super) fn domain(&mut self) -> Parse<DomainPolicy> {
        if self.is_word("per") {
            return self.deeper(|parser| parser.per(Self::domain).map(DomainPolicy::Per));
        }
        if self.eat_word("snapshot") {
            Ok(DomainPolicy::Snapshot)
        } else if self.eat_word("rechecked") {
            Ok(DomainPolicy::Rechecked)
        } else if self.eat_words(&["live", "by", "position"]) {
            Ok(DomainPolicy::LiveByPosition)
        } else if self.eat_word("live") {
            Ok(DomainPolicy::Live)
        } else if self.eat_words(&["until", "all", "pass"]) {
            Ok(DomainPolicy::UntilAllPass)
        } else {
            Err(self.unexpected(
                "`snapshot`, `rechecked`, `live`, `live by position` or `until all pass`",
            ))
        }
    }

    /// Whether a domain policy stands `ahead`, perhaps within `per`.
    pub(super) fn is_domain_at(&self, mut ahead: usize) -> bool {
        while self.is_word_at(ahead, "per") && self.is_at(ahead + 2, Kind::Open) {
            // `per`, the reading, `(`, the name of an alternative, `:`
            ahead += 5;
        }
        matches!(
            self.peek_word(ahead),
            "snapshot" | "rechecked" | "live" | "until"
        )
    }

    /// What follows `cancel`.
    pub(super) fn cancel(&mut self) -> Parse<Cancel> {
        if self.is_word("per") {
            return self.deeper(|parser| parser.per(Self::cancel).map(Cancel::Per));
        }
        if self.eat_words(&["at", "once"]) {
            Ok(Cancel::AtOnce)
        } else if self.eat_words(&["at", "end", "of", "step"]) {
            Ok(Cancel::EndOfStep)
        } else if self.eat_words(&["at", "end", "of", "pass"]) {
            Ok(Cancel::EndOfPass)
        } else {
            Err(self.unexpected("`at once`, `at end of step` or `at end of pass`"))
        }
    }

    /// What follows `unfinished`.
    pub(super) fn unfinished(&mut self) -> Parse<Unfinished> {
        if self.is_word("per") {
            return self.deeper(|parser| parser.per(Self::unfinished).map(Unfinished::Per));
        }
        if self.eat_word("lost") {
            Ok(Unfinished::Lost)
        } else if self.eat_word("carried") {
            Ok(Unfinished::Carried)
        } else {
            Err(self.unexpected("`lost` or `carried`"))
        }
    }
}
