//! The blocks and expressions directly inside of operations.

use super::{Effect, Expr, OpKind, Target, Until};
use crate::typing::program::BlockId;

impl OpKind {
    /// The blocks directly inside.
    pub fn blocks(&self) -> Vec<BlockId> {
        match self {
            Self::If(arms, otherwise)
            | Self::Cases {
                arms, otherwise, ..
            } => arms
                .iter()
                .map(|(_, body)| *body)
                .chain(*otherwise)
                .collect(),
            Self::Switch(_, blocks) => blocks.clone(),
            Self::Each(each) => vec![each.body],
            Self::Atomic(body) | Self::Repeat(_, body) => vec![*body],
            Self::ChooseBlock(arms, _) => arms.iter().filter_map(|arm| arm.body).collect(),
            _ => Vec::new(),
        }
    }

    /// The expressions directly inside, but for those of places, binders, orders and deciders.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Self::Let(_, e) | Self::Set(_, e) | Self::Remove(e) => vec![e],
            Self::Add { by, bound, .. } => std::iter::once(by).chain(bound).collect(),
            Self::Transfer { amount, .. } => vec![amount],
            Self::Move(e, to) => std::iter::once(e).chain(to.expr()).collect(),
            Self::MoveAll(zone, to) => zone.of.as_deref().into_iter().chain(to.expr()).collect(),
            Self::Shuffle(zone) => zone.of.as_deref().into_iter().collect(),
            Self::Create { target, with, .. } => {
                let values = with.iter().map(|(_, e)| e);
                values
                    .chain(target.as_ref().and_then(Target::expr))
                    .collect()
            }
            Self::Announce(_, args) | Self::Call(_, args) => args.iter().collect(),
            Self::If(arms, _) | Self::Cases { arms, .. } => {
                arms.iter().map(|(guard, _)| guard).collect()
            }
            Self::Repeat(Until::Until(e) | Until::While(e), _) => vec![e],
            Self::ChooseNumber { low, high, .. } => vec![low, high],
            Self::ChooseBlock(arms, _) => {
                arms.iter().filter_map(|arm| arm.guard.as_ref()).collect()
            }
            Self::Distribute { amount, each, .. } => std::iter::once(amount).chain(each).collect(),
            Self::ChooseValue {
                within: Some((a, b)),
                ..
            } => vec![a, b],
            Self::Stop(Effect::Win(Some(e)) | Effect::Loss(Some(e))) => vec![e],
            _ => Vec::new(),
        }
    }
}

impl Target {
    /// The expression inside.
    pub fn expr(&self) -> Option<&Expr> {
        match self {
            Self::Zone(_, zone) => zone.of.as_deref(),
            Self::Beside(_, e) => Some(e),
        }
    }
}
