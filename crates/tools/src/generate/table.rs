//! Tables: some types get columns, in which something is printed for each of their values.
//!
//! `type Colour is one of red, blue` becomes `table Colour` with the rows `red` and `blue`. That is done when all
//! else is declared, so that the rest is as without.

use super::maker::Maker;
use super::tree::{name, range};
use super::world::{Place, Ty};
use arbitrary::Result;
use endstep_language::syntax::ast::{
    Column, Expr, Item, ItemKind, Name, Row, TableDecl, Trivia, TypeDecl, TypeExpr,
};

/// A column may be called like a field.
const COLUMNS: [&str; 3] = ["power", "rare", "twin"];

/// The numbers that are printed.
const PRINTED: (i64, i64) = (-1, 2);

impl Maker<'_> {
    /// Makes tables of some types.
    pub(super) fn tables(&mut self, items: &mut [Item]) -> Result<()> {
        for item in items {
            let ItemKind::Type(decl) = &item.kind else {
                continue;
            };
            if self.odds(80)? {
                let decl = decl.clone();
                item.kind = ItemKind::Table(self.table(&decl)?);
            }
        }
        Ok(())
    }

    fn table(&mut self, decl: &TypeDecl) -> Result<TableDecl> {
        let mut enums = self.world.enums.iter();
        let at = enums.position(|one| one.name == decl.name.text);
        let at = at.unwrap_or_default();
        let kinds = [Ty::Int, Ty::Bool, Ty::Enum(at)];
        let count = 1 + self.below(COLUMNS.len())?;
        let mut columns = Vec::new();
        let mut printed: Vec<Vec<(Name, Expr)>> = vec![Vec::new(); decl.values.len()];
        for (column, ty) in COLUMNS.iter().zip(kinds).take(count) {
            let default = match self.odds(80)? {
                true => Some(self.constant(ty, PRINTED)?),
                false => None,
            };
            for row in &mut printed {
                if default.is_none() || self.odds(128)? {
                    row.push((name(column), self.constant(ty, PRINTED)?));
                }
            }
            columns.push(Column {
                trivia: Trivia::default(),
                name: name(column),
                ty: self.column_type(ty, decl)?,
                default,
            });
            self.world.enums[at].columns.push(Place {
                name: (*column).to_owned(),
                ty,
                range: PRINTED,
            });
        }
        let rows = decl.values.iter().zip(printed).map(|(value, with)| Row {
            trivia: Trivia::default(),
            name: value.clone(),
            with,
        });
        Ok(TableDecl {
            name: decl.name.clone(),
            columns,
            rows: rows.collect(),
            tail: Vec::new(),
        })
    }

    fn column_type(&mut self, ty: Ty, decl: &TypeDecl) -> Result<TypeExpr> {
        Ok(match ty {
            Ty::Int => TypeExpr::Integer {
                document: self.odds(128)?.then(|| range(PRINTED)),
                explore: Vec::new(),
                reach: None,
            },
            Ty::Bool => TypeExpr::Boolean,
            Ty::Enum(_) | Ty::Entity(_) | Ty::Optional(_) => TypeExpr::Named {
                optional: false,
                name: decl.name.clone(),
            },
        })
    }
}
