//! Events that the state raises.

use super::maker::Maker;
use super::tree::{binary, expr, field, int, is, name, named, not, tight};
use super::world::Ty;
use arbitrary::Result;
use endstep_language::syntax::ast::{BinaryOp, Expr, ExprKind, IsTest, Param, TypeExpr};

/// What an event that the state raises is declared with.
pub(super) struct Raised {
    pub params: Vec<Param>,
    pub types: Vec<Ty>,
    pub condition: Expr,
}

/// The name of the element, and of what is carried beside it.
const NAMES: [&str; 2] = ["e1", "n2"];

impl Maker<'_> {
    /// What raises an event; none if nothing can become true.
    pub(super) fn raised(&mut self) -> Result<Option<Raised>> {
        let sorts: Vec<usize> = (0..self.world.sorts.len()).collect();
        let of = match self.odds(220)? {
            true => self.any_of(&sorts)?,
            false => None,
        };
        let Some(fact) = self.fact(of)? else {
            return Ok(None);
        };
        let condition = match self.pick(&[(5, 0), (2, 1), (1, 2), (2, 3)])? {
            0 => fact,
            3 => {
                let was = expr(ExprKind::Old(Box::new(tight(fact.clone()))));
                binary(BinaryOp::And, was, not(fact))
            }
            by => {
                let by = if by == 1 { BinaryOp::And } else { BinaryOp::Or };
                match self.fact(of)? {
                    Some(other) => binary(by, fact, other),
                    None => fact,
                }
            }
        };
        let mut raised = Raised {
            params: Vec::new(),
            types: Vec::new(),
            condition,
        };
        if let Some(sort) = of {
            raised.params.push(Param {
                name: name(NAMES[0]),
                ty: TypeExpr::Named {
                    optional: false,
                    name: name(&self.world.sorts[sort].name),
                },
                value: None,
            });
            raised.types.push(Ty::Entity(sort));
        }
        if self.odds(80)?
            && let Some(number) = self.counted(of)?
        {
            let value = match self.odds(160)? {
                true => expr(ExprKind::Old(Box::new(tight(number)))),
                false => number,
            };
            raised.params.push(Param {
                name: name(NAMES[1]),
                ty: TypeExpr::Integer {
                    document: None,
                    explore: Vec::new(),
                    reach: None,
                },
                value: Some(value),
            });
            raised.types.push(Ty::Int);
        }
        Ok(Some(raised))
    }

    /// A number of the element, or a variable.
    fn counted(&mut self, of: Option<usize>) -> Result<Option<Expr>> {
        let mut all: Vec<Expr> = Vec::new();
        if let Some(sort) = of {
            let fields = self.world.sorts[sort].fields.iter();
            let numbers = fields.filter(|one| one.ty == Ty::Int);
            all.extend(numbers.map(|one| field(named(NAMES[0]), &one.name)));
        }
        let vars = self.world.vars.iter().filter(|one| one.ty == Ty::Int);
        all.extend(vars.map(|one| named(&one.name)));
        self.any_of(&all)
    }

    /// Something that may be true of the element, or of the variables.
    fn fact(&mut self, of: Option<usize>) -> Result<Option<Expr>> {
        let element = || named(NAMES[0]);
        let mut all: Vec<Expr> = Vec::new();
        if let Some(sort) = of {
            let negated = self.odds(80)?;
            let fields = self.world.sorts[sort].fields.iter();
            let flags = fields.filter(|one| one.ty == Ty::Bool);
            all.extend(flags.map(|one| field(element(), &one.name)));
            for zone in self.world.zones_of(sort) {
                let within = IsTest::In(Box::new(named(&zone.name)));
                all.push(is(element(), negated, within));
            }
            if !self.world.sorts[sort].player {
                all.push(is(element(), false, IsTest::Removed));
            }
        }
        if let Some(number) = self.counted(of)? {
            let op = self.pick(&[
                (2, BinaryOp::LessEqual),
                (2, BinaryOp::Equal),
                (1, BinaryOp::Greater),
            ])?;
            let than = self.below(3)?;
            let compared = binary(op, number, int(than as i64));
            all.extend([compared.clone(), compared]);
        }
        self.any_of(&all)
    }
}
