//! Continuous values, which may depend on each other.

use super::maker::{Around, Maker};
use super::tree::{condition, expr, int, item, name, range};
use super::world::{Define, Ty};
use arbitrary::Result;
use endstep_language::syntax::ast::{self, Builtin, ExprKind, Item, ItemKind, TypeExpr};

const CONTINUOUS: [&str; 2] = ["glow", "might"];

/// The numbers that there may be.
const RANGE: (i64, i64) = (0, 2);

impl Maker<'_> {
    /// One or two values of all entities of a sort, or of nothing.
    pub(super) fn continuous(&mut self) -> Result<Vec<Item>> {
        let sorts: Vec<usize> = (0..self.world.sorts.len()).collect();
        let of = match self.odds(200)? {
            true => self.any_of(&sorts)?,
            false => None,
        };
        let params: Vec<(String, Ty)> = self.scoped(|maker| {
            let params = of.map(|sort| (maker.bind(Ty::Entity(sort)), Ty::Entity(sort)));
            Ok(params.into_iter().collect())
        })?;
        let count = self.pick(&[(2, 1), (3, 2)])?;
        let mut types = Vec::new();
        for one in CONTINUOUS.iter().take(count) {
            let ty = self.pick(&[(3, Ty::Bool), (2, Ty::Int)])?;
            types.push((*one, ty));
            self.world.defines.push(Define {
                name: (*one).to_owned(),
                params: params.iter().map(|(_, ty)| *ty).collect(),
                ty,
                continuous: true,
            });
        }
        let around = Around {
            defined: self.world.defines.len(),
            inside: true,
            ..Around::default()
        };
        let mut items = Vec::new();
        for (one, ty) in types {
            let body = self.amid(around, |maker| {
                maker.with_params(&params, |maker| match ty {
                    Ty::Bool => maker.truth(2),
                    _ => {
                        let of = condition(maker.integer_value(2)?);
                        // A number out of its range is no value.
                        let all = vec![of, int(RANGE.0), int(RANGE.1)];
                        Ok(expr(ExprKind::Builtin(Builtin::Clamp, all)))
                    }
                })
            })?;
            items.push(item(ItemKind::Define(ast::Define {
                continuous: Some(match ty {
                    Ty::Bool => TypeExpr::Boolean,
                    _ => TypeExpr::Integer {
                        document: Some(range(RANGE)),
                        explore: Vec::new(),
                        reach: None,
                    },
                }),
                name: name(one),
                params: self.written(&params),
                body,
            })));
        }
        Ok(items)
    }
}
