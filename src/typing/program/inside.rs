//! The expressions that stand in the heading of a statement.

use super::{
    CasePolicy, Decider, Declared, Expr, Order, Place, PlaceKind, StmtKind, Target, When, Whom,
    ZoneRef,
};

impl StmtKind {
    /// The expressions directly inside, in the order in which they stand; those of the blocks below are
    /// in other statements.
    pub fn exprs(&self) -> Vec<&Expr> {
        let mut out = Vec::new();
        self.collect(&mut out);
        out
    }

    #[allow(clippy::too_many_lines, reason = "a flat match over all statements")]
    fn collect<'e>(&'e self, out: &mut Vec<&'e Expr>) {
        match self {
            Self::Nothing
            | Self::Depending(..)
            | Self::Simultaneously(_)
            | Self::Repeat(When::Stable, _)
            | Self::Resolve { .. }
            | Self::Leave(_)
            | Self::Declare(Declared::Draw | Declared::End)
            | Self::Gap(_) => {}
            Self::Let(_, e)
            | Self::Remove(e)
            | Self::Repeat(When::Until(e) | When::While(e), _) => {
                out.push(e);
            }
            Self::Set(at, e) => {
                out.extend(place(at));
                out.push(e);
            }
            Self::Increase(at, e, bound) | Self::Decrease(at, e, bound) => {
                out.extend(place(at));
                out.push(e);
                out.extend(bound);
            }
            Self::Transfer { amount, from, to } => {
                out.push(amount);
                out.extend(place(from).into_iter().chain(place(to)));
            }
            Self::Move(e, to) => out.extend([e].into_iter().chain(target(to))),
            Self::MoveAll(from, to) => out.extend(zone(from).into_iter().chain(target(to))),
            Self::Shuffle(of) => out.extend(zone(of)),
            Self::Create {
                target: to, with, ..
            } => {
                out.extend(to.iter().filter_map(target));
                out.extend(with.iter().map(|(_, e)| e));
            }
            Self::Announce(_, args) | Self::Perform(_, args) => out.extend(args),
            Self::If(arms, _) => out.extend(arms.iter().map(|(e, _)| e)),
            Self::Cases { policy, arms, .. } => {
                if let CasePolicy::Chosen(by) = policy {
                    out.extend(decider(by));
                }
                out.extend(arms.iter().map(|(e, _)| e));
            }
            Self::ForEach { binder, order, .. } => {
                out.extend(binder.children());
                order.collect(out);
            }
            Self::Choose(binder, by) => {
                out.extend(binder.children().into_iter().chain(decider(by)))
            }
            Self::ChooseNumber { low, high, by, .. } => {
                out.extend([low, high].into_iter().chain(decider(by)));
            }
            Self::ChooseOne { by, options } => {
                out.extend(decider(by));
                out.extend(options.iter().filter_map(|(_, guard, _)| guard.as_ref()));
            }
            Self::May { by, .. } => out.extend(decider(by)),
            Self::Distribute {
                amount,
                binder,
                into,
                by,
                each,
            } => {
                out.push(amount);
                out.extend(binder.children());
                out.extend(place(into).into_iter().chain(decider(by)).chain(each));
            }
            Self::Declare(Declared::Win(whom) | Declared::Loss(whom)) => match whom {
                Whom::Player(e) => out.push(e),
                Whom::Everyone => {}
            },
            Self::GapMayChange {
                place: at, within, ..
            } => {
                out.extend(place(at));
                out.extend(within.iter().flat_map(|(low, high)| [low, high]));
            }
        }
    }
}

impl Order {
    /// From whom it starts, and who chooses it.
    fn collect<'e>(&'e self, out: &mut Vec<&'e Expr>) {
        match self {
            Self::Any => {}
            Self::Zone { from, .. } | Self::Players { from, .. } => out.extend(from),
            Self::Chosen(by) => out.extend(decider(by)),
            Self::Per(_, many) => many.iter().for_each(|one| one.collect(out)),
        }
    }
}

fn place(of: &Place) -> Option<&Expr> {
    match &of.kind {
        PlaceKind::Field(e, _) => Some(e),
        PlaceKind::Var(_) => None,
    }
}

fn zone(of: &ZoneRef) -> Option<&Expr> {
    of.of.as_deref()
}

fn target(of: &Target) -> Option<&Expr> {
    match of {
        Target::Zone(_, of) => zone(of),
        Target::Before(e) | Target::After(e) => Some(e),
    }
}

fn decider(of: &Decider) -> Option<&Expr> {
    match of {
        Decider::Player(e) => Some(e),
        Decider::Everyone | Decider::Chance | Decider::Nobody => None,
    }
}
