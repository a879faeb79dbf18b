//! Claims about what is so at moments: of numbers that rules change, so that they can fail in the middle of a run.

use super::maker::Maker;
use super::tree::{binary, condition, expr, field, int, item, name, named, tight};
use super::world::Ty;
use arbitrary::Result;
use endstep_language::syntax::ast::{
    At, BinaryOp, Binder, Claim, ClaimKind, Expr, ExprKind, Item, ItemKind,
};

const MOMENTS: [&str; 3] = ["first_moment", "second_moment", "third_moment"];

impl Maker<'_> {
    /// What is asked of the moments of runs: `throughout`, `conserves`, `reachable`, `largest`.
    pub(super) fn moments(&mut self, roots: &[String]) -> Result<Vec<Item>> {
        let count = self.pick(&[(3, 0), (2, 1), (2, 2), (1, 3)])?;
        let asked = MOMENTS.iter().take(count);
        asked.map(|asked| self.moment(asked, roots)).collect()
    }

    fn moment(&mut self, asked: &str, roots: &[String]) -> Result<Item> {
        let sequence = name(&self.one_of(roots)?);
        let mut number = self.tally()?;
        if self.odds(96)? {
            let op = self.pick(&[(2, BinaryOp::Add), (1, BinaryOp::Subtract)])?;
            number = binary(op, number, self.tally()?);
        }
        let kind = match self.below(7)? {
            0 => ClaimKind::Conserves(tight(number), sequence),
            5 => ClaimKind::ExtremeIn(self.extreme()?, tight(number), sequence),
            6 => ClaimKind::ExtremeAfter(self.extreme()?, tight(number), sequence, None),
            form => {
                let against = match self.odds(64)? {
                    true => expr(ExprKind::Old(Box::new(tight(number.clone())))),
                    false => int(self.pick(&[(3, 0), (3, 1), (2, 2), (1, 3)])?),
                };
                let op = self.pick(&[
                    (2, BinaryOp::Equal),
                    (1, BinaryOp::NotEqual),
                    (1, BinaryOp::Less),
                    (2, BinaryOp::LessEqual),
                    (1, BinaryOp::Greater),
                    (2, BinaryOp::GreaterEqual),
                ])?;
                let holds = binary(op, number, against);
                match form {
                    1 => ClaimKind::Reachable(true, tight(holds), sequence),
                    2 => ClaimKind::Reachable(false, tight(holds), sequence),
                    _ => {
                        let at = self.pick(&[(3, At::Throughout), (1, At::Steps)])?;
                        ClaimKind::Invariant(condition(holds), at, sequence)
                    }
                }
            }
        };
        // Which value is the largest can only be asked.
        let only_asked = matches!(kind, ClaimKind::ExtremeIn(..) | ClaimKind::ExtremeAfter(..));
        Ok(item(ItemKind::Claim(Claim {
            question: self.odds(128)? || only_asked,
            name: name(asked),
            kind,
            observer: None,
            on: None,
        })))
    }

    /// A number of the whole board: a variable, cards in a zone, a field summed up.
    fn tally(&mut self) -> Result<Expr> {
        let world = &self.world;
        let int = |ty: Ty| ty == Ty::Int;
        let vars = world.vars.iter().filter(|var| int(var.ty));
        let mut all: Vec<Expr> = vars.map(|var| named(&var.name)).collect();
        let sizes = world.zones.iter().map(|zone| named(&zone.name));
        let queues = world.queues.iter().map(|queue| named(&queue.name));
        all.extend(
            sizes
                .chain(queues)
                .map(|of| expr(ExprKind::Size(Box::new(of)))),
        );
        for sort in &world.sorts {
            let each = |filter| {
                Box::new(Binder {
                    name: name("c1"),
                    sort: Some(name(&sort.name)),
                    zone: None,
                    filter,
                })
            };
            for one in &sort.fields {
                let of = field(named("c1"), &one.name);
                match one.ty {
                    Ty::Int => {
                        all.push(expr(ExprKind::Sum(Box::new(condition(of)), each(None))));
                    }
                    Ty::Bool => all.push(expr(ExprKind::Count(each(Some(of))))),
                    Ty::Enum(_) | Ty::Entity(_) | Ty::Optional(_) => {}
                }
            }
        }
        match self.any_of(&all)? {
            Some(number) => Ok(number),
            None => self.integer_value(1),
        }
    }
}
