//! Places: what can be written.

use super::checker::{Checker, Global, Wanted};
use super::program::{Expr, Place, PlaceKind, Type};
use super::want::Want;
use crate::diag::{Diagnostic, codes};
use crate::syntax::ast::{self, ExprKind, Range};

impl Checker<'_> {
    /// A variable, supply, role, or field of an entity.
    pub(super) fn place(&mut self, expr: &ast::Expr) -> Option<Place> {
        let mut expr = expr;
        while let ExprKind::Paren(inner) = &expr.kind {
            expr = inner;
        }
        self.wordbook.expr(expr);
        match &expr.kind {
            ExprKind::Error => self.needed(None),
            ExprKind::Field(owner, name) => {
                let owner = self.expr(owner, Want::Any)?;
                if let Type::Enum(of) = owner.ty
                    && self.tables.contains_key(&of)
                {
                    let found = self.printed(owner, of, name, expr.loc)?;
                    return self.not_a_place(expr, "what is printed", self.column_of(&found));
                }
                let (owner, sort) = self.followed(owner)?;
                let field = self.field_of(sort, name)?;
                let ty = self.field_types.get(field).copied().flatten()?;
                Some(Place {
                    kind: PlaceKind::Field(Box::new(owner), field),
                    ty,
                    span: expr.loc.span(),
                })
            }
            ExprKind::Name(name) => {
                if let Some(local) = self.frame.local(&name.text) {
                    let bound = local.span;
                    self.means_bound(name);
                    return self.not_a_place(expr, "a name for a value", Some(bound));
                }
                self.offer_places(name);
                match self.global(name, Wanted::Variable)? {
                    Global::Var(var) => {
                        let ty = self.var_types.get(var).copied().flatten()?;
                        self.usage.written.insert(var);
                        Some(Place {
                            kind: PlaceKind::Var(var),
                            ty,
                            span: expr.loc.span(),
                        })
                    }
                    other => {
                        let declared = self.declared_at(&name.text);
                        self.not_a_place(expr, other.kind(), declared)
                    }
                }
            }
            _ => self.not_a_place(expr, "an expression", None),
        }
    }

    /// An integer place.
    pub(super) fn int_place(&mut self, expr: &ast::Expr) -> Option<Place> {
        let place = self.place(expr)?;
        if place.ty != Type::Int {
            let found = self.describe(place.ty);
            return self.mismatch(expr.loc, &found, "an integer");
        }
        Some(place)
    }

    fn not_a_place<T>(
        &mut self,
        expr: &ast::Expr,
        found: &str,
        declared: Option<crate::source::Span>,
    ) -> Option<T> {
        let message = format!("found {found}, expected a variable or the field of an entity");
        let mut error = Diagnostic::error(codes::types::NOT_A_PLACE, message)
            .at(expr.loc, "this cannot be written");
        if let Some(declared) = declared {
            error = error.also(declared, "declared here");
        }
        self.report(error);
        None
    }

    /// `within a to b`: for integer places only.
    pub(super) fn within_range(
        &mut self,
        range: &Option<Range>,
        ty: Option<Type>,
    ) -> Option<Option<(Expr, Expr)>> {
        let Some(range) = range else {
            return Some(None);
        };
        let (low, high) = (self.int(&range.low), self.int(&range.high));
        if let Some(ty) = ty.filter(|ty| *ty != Type::Int) {
            let found = self.describe(ty);
            let message = format!("found a range for {found}, expected none");
            let error = Diagnostic::error(codes::types::MISMATCH, message)
                .at(range.low.loc, "only integers have ranges")
                .help("leave out `within`: all values are tried");
            self.report(error);
            return None;
        }
        Some(Some((*low?, *high?)))
    }
}
