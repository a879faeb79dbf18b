//! Conditions as sentences.
//!
//! ```text
//! every c: Card in board where c.ready has c.health > 0     every Card in board that is ready has health of
//!                                                           more than 0
//! not (some p: Player has fallen(p) and p.rich)             no Player both is fallen and is rich
//! ```
//!
//! Negations are pushed inwards, so that no "not" stands before more than it denies. Of `and` and `or` in
//! each other the inner one is said with "both" or "either"; what is deeper than that is not said.

use super::doubt::{bare, can_be_another, is_of_another, is_open};
use super::noun::side_word;
use super::phrase::{
    compares, fact_words, has, has_as_before, has_entity, has_none, opposite, trait_words,
};
use super::speaker::Speaker;
use crate::report::words::plain;
use endstep_language::syntax::ast::{BinaryOp, Quantifier};
use endstep_language::typing::program::{Binder, Expr, ExprKind, LocalId, Type, Value};

/// How conditions are joined.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Join {
    And,
    Or,
}

/// The conditions of a chain, each with whether it holds or not, and how they are joined.
struct Chain<'e> {
    join: Option<Join>,
    parts: Vec<(&'e Expr, bool)>,
}

/// How a condition is joined that is true if an expression is so.
fn join(expr: &Expr, holds: bool) -> Option<Join> {
    match (&expr.kind, holds) {
        (ExprKind::Not(inner), _) => join(inner, !holds),
        (ExprKind::Binary(BinaryOp::And, ..), true) => Some(Join::And),
        (ExprKind::Binary(BinaryOp::And, ..), false) => Some(Join::Or),
        (ExprKind::Binary(BinaryOp::Or, ..), true) => Some(Join::Or),
        (ExprKind::Binary(BinaryOp::Or, ..), false) => Some(Join::And),
        _ => None,
    }
}

fn chain(expr: &Expr, holds: bool) -> Chain<'_> {
    let by = join(expr, holds);
    let mut parts = Vec::new();
    let mut left = vec![(expr, holds)];
    while let Some((next, holds)) = left.pop() {
        match &next.kind {
            ExprKind::Not(inner) => left.push((inner, !holds)),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, one, other)
                if join(next, holds) == by =>
            {
                left.extend([(&**other, holds), (&**one, holds)]);
            }
            _ => parts.push((next, holds)),
        }
    }
    Chain { join: by, parts }
}

fn is_atom(expr: &Expr, holds: bool) -> bool {
    join(expr, holds).is_none() && !matches!(expr.kind, ExprKind::Quantified(..))
}

/// Words joined with others around them.
fn joined(join: Join, words: &[String], comma: &str) -> String {
    match join {
        Join::And => words.join(&format!("{comma} and ")),
        Join::Or => format!("either {}", words.join(&format!("{comma} or "))),
    }
}

impl Speaker<'_> {
    /// That a condition holds, or does not, as a sentence.
    pub(super) fn sentence(&self, expr: &Expr, holds: bool) -> Option<String> {
        let Chain { join, parts } = chain(expr, holds);
        let Some(by) = join else {
            let (one, holds) = *parts.first()?;
            return match &one.kind {
                // Beside other conditions nobody could tell how far it goes.
                ExprKind::Old(inner) if self.about(one, holds).is_none() => {
                    Some(format!("at the start, {}", self.clause(inner, holds)?))
                }
                _ => self.clause(one, holds),
            };
        };
        let is_long = parts.iter().any(|(one, holds)| !is_atom(one, *holds));
        let say = |one: &Expr, holds| self.clause(one, holds);
        let words = parts.iter().map(|part| self.part_of(*part, &say));
        let words: Vec<String> = words.collect::<Option<_>>()?;
        Some(joined(by, &words, if is_long { "," } else { "" }))
    }

    /// A chain inside of another one: "both … and …" or "either … or …".
    fn inner(
        &self,
        expr: &Expr,
        holds: bool,
        say: &dyn Fn(&Expr, bool) -> Option<String>,
    ) -> Option<String> {
        let Chain { join, parts } = chain(expr, holds);
        if !parts.iter().all(|(one, holds)| is_atom(one, *holds)) {
            return None;
        }
        let words = parts.iter().map(|(one, holds)| say(one, *holds));
        let words: Vec<String> = words.collect::<Option<_>>()?;
        Some(match join? {
            Join::And => format!("both {}", joined(Join::And, &words, "")),
            Join::Or => joined(Join::Or, &words, ""),
        })
    }

    /// A sentence without "and" and "or" of its own.
    fn clause(&self, expr: &Expr, holds: bool) -> Option<String> {
        if let Some((subject, phrase)) = self.about(expr, holds) {
            return Some(format!("{} {phrase}", self.noun(subject)?));
        }
        let is = |holds| if holds { "is" } else { "is not" };
        match &expr.kind {
            ExprKind::Not(inner) => self.clause(inner, !holds),
            ExprKind::Quantified(quantifier, binder, body) => {
                self.quantified(*quantifier, binder, (body, holds))
            }
            ExprKind::Var(id) => Some(fact_words(&self.program().vars[*id].name, holds)),
            ExprKind::Call(..) | ExprKind::Continuous(..) => match expr.applied()? {
                (id, []) => Some(fact_words(&self.program().defines[id].name, holds)),
                _ => None,
            },
            ExprKind::Solutions(id, wanted) => {
                let name = plain(&self.program().defines[*id].name);
                Some(format!("{name} {} {}", is(holds), wanted.word()))
            }
            ExprKind::Binary(op, one, other) => self.comparison(*op, (one, other), holds),
            ExprKind::IsNone(of) => self.missing(of, holds),
            ExprKind::ZoneEmpty(zone) => Some(format!("{} {} empty", self.zone(zone)?, is(holds)))
                .filter(|_| holds || zone.of.is_some() || !self.is_family(zone.zone)),
            ExprKind::QueueEmpty(queue) => {
                let what = if holds { "nothing" } else { "something" };
                let queue = plain(&self.program().queues[*queue].name);
                Some(format!("{what} waits in the queue \"{queue}\""))
            }
            ExprKind::ReadingIs(reading, at) => {
                let alternative = self.words.alternative(*reading, *at);
                let reading = self.words.reading(*reading);
                Some(format!("{reading} {} taken as {alternative}", is(holds)))
            }
            _ => None,
        }
    }

    /// "There is no neighbour before that Card".
    fn missing(&self, of: &Expr, holds: bool) -> Option<String> {
        let (of, is, when) = match &of.kind {
            ExprKind::Old(inner) if is_of_another(inner) => return None,
            ExprKind::Old(inner) => (&**inner, "was", " at the start"),
            _ => (of, "is", ""),
        };
        let noun = self.noun(of)?;
        // `the neighbour before c`: there is one at most.
        let (noun, some) = match noun.strip_prefix("the ") {
            Some(rest) => (rest, "a"),
            None => (noun.as_str(), "some"),
        };
        let some = if holds { "no" } else { some };
        Some(format!("there {is} {some} {noun}{when}"))
    }

    pub(super) fn is_family(&self, zone: endstep_language::typing::program::ZoneId) -> bool {
        self.program().zones[zone].per.is_some()
    }

    /// A comparison of two values.
    fn comparison(
        &self,
        op: BinaryOp,
        (one, other): (&Expr, &Expr),
        holds: bool,
    ) -> Option<String> {
        let op = if holds { op } else { opposite(op) };
        let compares = compares(op)?;
        if one.ty == Type::Bool || can_both_lack(one, other) {
            return None;
        }
        if let (ExprKind::Count(binder), ExprKind::Const(Value::Int(0))) = (&one.kind, &other.kind)
        {
            let single = self.single(binder)?;
            // `the neighbour before c`: there is one at most.
            let (single, some) = match single.strip_prefix("the ") {
                Some(rest) => (rest, "a"),
                None => (single.as_str(), "some"),
            };
            match op {
                BinaryOp::Equal => return Some(format!("there is no {single}")),
                BinaryOp::Greater | BinaryOp::NotEqual => {
                    return Some(format!("there is {some} {single}"));
                }
                _ => {}
            }
        }
        let left = self.noun(one)?;
        Some(format!("{left} {compares} {}", self.beside(&left, other)?))
    }

    /// What something is compared with; "it" for what the same thing was.
    fn beside(&self, left: &str, other: &Expr) -> Option<String> {
        if let ExprKind::Old(inner) = &other.kind
            && self.noun(inner)? == left
            && !is_of_another(inner)
        {
            return Some("what it was at the start".to_owned());
        }
        self.noun(other)
    }

    /// What is said, and of what.
    fn about<'e>(&self, expr: &'e Expr, holds: bool) -> Option<(&'e Expr, String)> {
        let program = self.program();
        match &expr.kind {
            ExprKind::Not(inner) => self.about(inner, !holds),
            ExprKind::Field(of, field) if expr.ty == Type::Bool => {
                Some((bare(of), trait_words(&program.fields[*field].name, holds)))
            }
            ExprKind::Call(..) | ExprKind::Continuous(..) if expr.ty == Type::Bool => {
                match expr.applied()? {
                    (id, [of]) => Some((bare(of), trait_words(&program.defines[id].name, holds))),
                    _ => None,
                }
            }
            ExprKind::IsIn(of, zone) => {
                let is = if holds { "is" } else { "is not" };
                Some((bare(of), format!("{is} {}", self.within(zone)?)))
            }
            ExprKind::Beside(side, of, other) => {
                let lies = if holds { "lies" } else { "does not lie" };
                let phrase = format!("{lies} {} {}", side_word(*side), self.noun(other)?);
                Some((bare(of), phrase))
            }
            ExprKind::IsRemoved(of) => {
                let is = if holds { "is out of" } else { "is in" };
                Some((bare(of), format!("{is} the game")))
            }
            ExprKind::IsNone(of) => {
                let (of, what) = self.property(of)?;
                Some((of, has_none(&what, holds)))
            }
            ExprKind::Old(inner) => {
                let (of, phrase) = self.about(inner, holds)?;
                // What stands for one thing now may have stood for another then.
                if !matches!(of.kind, ExprKind::Local(_)) || inner.any(&can_be_another) {
                    return None;
                }
                let (verb, rest) = phrase.split_once(' ')?;
                let verb = match verb {
                    "is" => "was",
                    "has" => "had",
                    "does" => "did",
                    "lies" => "lay",
                    _ => return None,
                };
                Some((of, format!("{verb} {rest} at the start")))
            }
            ExprKind::Binary(op, one, other) => {
                let op = if holds { *op } else { opposite(*op) };
                self.compared(op, one, other)
            }
            _ => None,
        }
    }

    /// A comparison of what something has, or of what it is.
    fn compared<'e>(
        &self,
        op: BinaryOp,
        one: &'e Expr,
        other: &'e Expr,
    ) -> Option<(&'e Expr, String)> {
        compares(op)?;
        if one.ty == Type::Bool {
            return None;
        }
        let is_entity = |of: &Expr| matches!(of.ty, Type::Entity(_) | Type::Optional(_));
        let Some((of, what)) = self.property(one) else {
            let is_local = matches!(bare(one).kind, ExprKind::Local(_));
            if is_entity(one) && is_local && !can_both_lack(one, other) {
                let is = compares(op)?;
                return Some((bare(one), format!("{is} {}", self.noun(other)?)));
            }
            return None;
        };
        if let ExprKind::Old(was) = &other.kind
            && self.noun(was)? == self.noun(one)?
        {
            let is_one_thing = matches!(bare(of).kind, ExprKind::Local(_));
            return Some((of, has_as_before(&what, op).filter(|_| is_one_thing)?));
        }
        if can_both_lack(one, other) {
            return None;
        }
        let right = match self.property(other) {
            Some((other, its)) if same_local(of, other) => format!("its {its}"),
            _ => self.noun(other)?,
        };
        if op == BinaryOp::Equal && right.starts_with("its ") && !is_entity(one) {
            return Some((of, format!("has {what} equal to {right}")));
        }
        // `k that Kind` would be no English.
        let is_named = op == BinaryOp::Equal && right.starts_with("that ");
        match is_entity(one) || is_named {
            true => Some((of, has_entity(&what, op == BinaryOp::Equal, &right))),
            false => Some((of, has(&what, op, &right)?)),
        }
    }

    /// What is said of a local, if all of a condition is about it.
    pub(super) fn said_of(
        &self,
        local: LocalId,
        expr: &Expr,
        holds: bool,
        form: &dyn Fn(String) -> String,
    ) -> Option<String> {
        let say = |one: &Expr, holds: bool| {
            let (of, phrase) = self.about(one, holds)?;
            let is_own = matches!(of.kind, ExprKind::Local(found) if found == local);
            is_own.then(|| form(phrase))
        };
        let all = chain(expr, holds);
        if !ends_clearly(&all) {
            return None;
        }
        let words = all.parts.iter().map(|part| self.part_of(*part, &say));
        let words: Vec<String> = words.collect::<Option<_>>()?;
        Some(match all.join {
            Some(by) => joined(by, &words, ""),
            None => words.into_iter().next()?,
        })
    }

    /// A part of a chain.
    fn part_of(
        &self,
        (one, holds): (&Expr, bool),
        say: &dyn Fn(&Expr, bool) -> Option<String>,
    ) -> Option<String> {
        match join(one, holds) {
            Some(_) => self.inner(one, holds, say),
            None => say(one, holds),
        }
    }

    /// `every Card is ready`, `no Card is ready`, `for every Card, …`
    fn quantified(
        &self,
        quantifier: Quantifier,
        binder: &Binder,
        (body, holds): (&Expr, bool),
    ) -> Option<String> {
        if self.misses_removed(binder, body) {
            return None;
        }
        let one = self.single(binder)?;
        let inside = self.inside(binder)?;
        let said = |holds| inside.said_of(binder.local, body, holds, &|one| one);
        if (quantifier == Quantifier::Every) != holds {
            return Some(match said(holds) {
                Some(phrase) => format!("some {one} {phrase}"),
                None => format!("for some {one}, {}", inside.nested(body, holds)?),
            });
        }
        if (!holds || is_denied(body))
            && let Some(phrase) = said(!holds)
        {
            let both = match chain(body, !holds).join {
                Some(Join::And) => "both ",
                _ => "",
            };
            return Some(format!("no {one} {both}{phrase}"));
        }
        if let Some(phrase) = inside.implied(binder, &one, body, holds) {
            return Some(format!("every {phrase}"));
        }
        Some(match said(holds) {
            Some(phrase) => format!("every {one} {phrase}"),
            None => format!("for every {one}, {}", inside.nested(body, holds)?),
        })
    }

    /// "Not this or that" of each of them: what is this is that.
    fn implied(&self, binder: &Binder, one: &str, body: &Expr, holds: bool) -> Option<String> {
        let Chain { join, parts } = chain(body, holds);
        if join != Some(Join::Or) {
            return None;
        }
        let (if_not, then): (Vec<_>, Vec<_>) = parts
            .into_iter()
            .partition(|(one, holds)| is_atom(one, *holds) && is_negative(one, *holds));
        if if_not.is_empty() || then.is_empty() || if_not.iter().any(|(one, _)| is_open(one)) {
            return None;
        }
        let say = |one: &Expr, holds: bool| self.said_of(binder.local, one, holds, &|one| one);
        let known = if_not.iter().map(|(one, holds)| say(one, !holds));
        let known: Vec<String> = known.collect::<Option<_>>()?;
        let then = match then.as_slice() {
            [(only, holds)] => say(only, *holds)?,
            _ => {
                let parts = Chain { join, parts: then };
                let words = parts.parts.iter().map(|part| self.part_of(*part, &say));
                let words: Vec<String> = words.collect::<Option<_>>()?;
                Some(joined(Join::Or, &words, "")).filter(|_| ends_clearly(&parts))?
            }
        };
        let that = if binder.filter.is_some() {
            "and that"
        } else {
            "that"
        };
        Some(format!("{one} {that} {} {then}", known.join(" and ")))
    }

    /// What holds for each of them. It ends where the sentence does, so nothing in it has commas.
    fn nested(&self, body: &Expr, holds: bool) -> Option<String> {
        let all = chain(body, holds);
        let is_plain = all.join.is_none() || all.parts.iter().all(|(one, so)| is_atom(one, *so));
        if is_plain {
            self.sentence(body, holds)
        } else {
            None
        }
    }
}

/// Whether what is said of one thing without naming it again is clear about where each part ends: one that is
/// not the last has no condition inside, and "either … or … and …" is nowhere.
fn ends_clearly(all: &Chain<'_>) -> bool {
    let Some((last, before)) = all.parts.split_last() else {
        return true;
    };
    let is_clear =
        |(one, holds): &(&Expr, bool)| !is_open(one) && join(one, *holds) != Some(Join::Or);
    before.iter().all(is_clear)
        && (join(last.0, last.1).is_none() || ends_clearly(&chain(last.0, last.1)))
}

/// Whether nothing is said but that something is not so.
fn is_denied(body: &Expr) -> bool {
    match chain(body, true) {
        Chain { join: None, parts } => {
            let mut parts = parts.into_iter();
            parts
                .next()
                .is_some_and(|(one, holds)| is_negative(one, holds))
        }
        _ => false,
    }
}

fn is_negative(one: &Expr, holds: bool) -> bool {
    holds == matches!(one.kind, ExprKind::Binary(BinaryOp::NotEqual, ..))
}

/// Whether two expressions are one bound variable.
fn same_local(one: &Expr, other: &Expr) -> bool {
    matches!((&one.kind, &other.kind), (ExprKind::Local(a), ExprKind::Local(b)) if a == b)
}

/// Whether two things are also equal where there is neither: then one has not the other.
fn can_both_lack(one: &Expr, other: &Expr) -> bool {
    let can_lack = |of: &Expr| matches!(of.ty, Type::Optional(_));
    can_lack(one) && can_lack(other)
}
