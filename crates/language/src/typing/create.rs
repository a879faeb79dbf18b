//! `create Token as t in board(p) with owner = p`

use super::checker::Checker;
use super::program::{Expr, FieldId, SortId, StmtKind, Type};
use super::want::Want;
use super::words::listed;
use crate::diag::{Diagnostic, codes};
use crate::syntax::ast::{self, Name, StmtKind as S};

impl Checker<'_> {
    /// A `create` statement.
    pub(super) fn create(&mut self, stmt: &S) -> Option<StmtKind> {
        let S::Create {
            sort,
            name,
            target,
            with,
        } = stmt
        else {
            return None;
        };
        let id = self.sort(sort);
        let can = id.and_then(|id| self.can_create(id, sort));
        let target = target.as_ref().map(|target| self.target(target, id));
        let with = self.with(id, with, Some(sort));
        let local = name
            .as_ref()
            .map(|name| self.bind_here(name, id.map(Type::Entity)));
        let target = match target {
            Some(target) => Some(target?),
            None => None,
        };
        can?;
        Some(StmtKind::Create {
            sort: id?,
            local,
            target,
            with: with?,
        })
    }

    fn can_create(&mut self, id: SortId, name: &Name) -> Option<()> {
        self.not_a_player(id, name.loc)?;
        let sort = self.program.sorts.get(id)?;
        if sort.headroom > 0 {
            return Some(());
        }
        let text = &name.text;
        let message = format!("`{text}` has no headroom, expected room for created entities");
        let error = Diagnostic::error(codes::forms::NO_HEADROOM, message)
            .at(name.loc, "one is created here")
            .also(sort.span, "declared here")
            .help(format!("add `, headroom 2` to the declaration of `{text}`"));
        self.report(error);
        None
    }

    /// The fields that are given; with `all`, those without default must be.
    fn with(
        &mut self,
        sort: Option<SortId>,
        with: &[(Name, ast::Expr)],
        all: Option<&Name>,
    ) -> Option<Vec<(FieldId, Expr)>> {
        let mut given: Vec<(FieldId, Option<Expr>)> = Vec::new();
        let mut sound = true;
        for (name, value) in with {
            let field = sort.and_then(|sort| self.field_of(sort, name));
            let ty = field.and_then(|field| self.field_types.get(field).copied().flatten());
            let value = match ty {
                Some(ty) => self.expect(value, ty),
                None => self.expr(value, Want::Unknown).and(None),
            };
            sound &= value.is_some();
            let Some(field) = field else {
                continue;
            };
            if given.iter().any(|(other, _)| *other == field) {
                self.given_twice("field", name);
            }
            given.push((field, value));
        }
        if let Some(name) = all {
            sound &= self.all_needed(sort?, &given, name);
        }
        let given: Option<Vec<_>> = given
            .into_iter()
            .map(|(field, value)| Some((field, value?)))
            .collect();
        given.filter(|_| sound)
    }

    /// Reports the fields that hold an entity, are not optional and are not given.
    fn all_needed(&mut self, sort: SortId, given: &[(FieldId, Option<Expr>)], name: &Name) -> bool {
        let Some(declared) = self.program.sorts.get(sort) else {
            return false;
        };
        let missing: Vec<String> = declared
            .fields
            .iter()
            .filter(|field| !given.iter().any(|(other, _)| other == *field))
            .filter_map(|field| self.program.fields.get(*field))
            .filter(|field| matches!(field.ty, Type::Entity(_)))
            .map(|field| field.name.clone())
            .collect();
        if missing.is_empty() {
            return true;
        }
        let message = format!("found no value for {}, expected one", listed(&missing));
        let error = Diagnostic::error(codes::forms::FIELD_NEEDED, message)
            .at(name.loc, "this needs an entity and has no default")
            .also(declared.span, "declared here")
            .help(format!("add `with {} = …`", missing.join(" = …, ")));
        self.report(error);
        false
    }

    /// Reports something that is given a second time.
    pub(super) fn given_twice(&mut self, what: &str, name: &Name) {
        let message = format!("the {what} `{}` is given twice, expected once", name.text);
        self.error(codes::forms::GIVEN_TWICE, message, name.loc, "given again");
    }
}
