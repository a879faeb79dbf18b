//! Tables: types whose values are rows with something printed in each.
//!
//! ```text
//! table Model                        type Model is one of ram, rat, ewe
//!   health: integer                  health(row) = if row is ram or row is ewe then 3 else 2
//!   row ram with health = 3
//!   row rat with health = 2
//!   row ewe with health = 3
//! ```
//!
//! A column becomes a definition, which no text can name: `c.model.health` applies it. Rows in which the same is
//! printed are tested together, and of many different values half are ruled out by each test, so that no table is
//! deep.

use super::activation::Activation;
use super::checker::{Checker, Columns};
use super::declare::Count;
use super::program::{
    Bounds, Define, DefineId, EnumId, Expr, ExprKind, LocalId, Param, Printed, Type, Value,
};
use super::want::typed;
use super::words::listed;
use crate::diag::{Diagnostic, codes};
use crate::resolve::{NameKind, Table, nearest};
use crate::source::Span;
use crate::syntax::ast::{self, BinaryOp, ItemKind, Loc, Name, Row, TableDecl, TypeExpr};
use std::collections::BTreeMap;

/// So many values are printed at most, in all tables together.
const MOST_PRINTED: usize = 16_384;

/// A column in the making.
struct Made {
    /// None: it is in error.
    ty: Option<Type>,
    bounds: Bounds,
    /// Something is printed in rows that do not say.
    has_default: bool,
    /// What is printed in each row, and where that stands.
    printed: Vec<Option<(Value, Span)>>,
}

/// Rows in which the same is printed.
struct Group {
    value: Value,
    span: Span,
    rows: Vec<u16>,
}

impl Checker<'_> {
    /// The type of a table: its rows.
    pub(super) fn declare_rows(&mut self, item: &TableDecl) {
        let rows: Vec<Name> = item.rows.iter().map(|row| row.name.clone()).collect();
        if !rows.is_empty() {
            self.enumeration(&item.name, &rows);
            return;
        }
        self.values_of(&item.name, &rows);
        self.without(item, "rows", "write `row NAME with …` for each kind");
    }

    /// What is printed in all tables, and the definitions that look it up; they come after those of the text.
    pub(super) fn tables(&mut self) {
        let outline = self.outline;
        let mut enums = Count::default();
        let mut printed = 0;
        self.frame = Activation::default();
        for entry in &outline.items {
            match entry.kind {
                ItemKind::Type(_) => drop(enums.next::<EnumId>()),
                ItemKind::Table(item) => {
                    let of = enums.next();
                    printed += item.rows.len().saturating_mul(item.columns.len());
                    if printed > MOST_PRINTED {
                        self.too_much_printed(item);
                        return;
                    }
                    self.table(of, item);
                }
                _ => {}
            }
        }
    }

    fn table(&mut self, of: EnumId, item: &TableDecl) {
        if item.columns.is_empty() {
            let name = &item.name.text;
            let help = format!("if nothing is printed, write `type {name} is one of …`");
            self.without(item, "columns", &help);
        }
        let mut names = Table::new("column");
        for column in &item.columns {
            let declared = names.declare(&column.name, ());
            self.found(declared);
        }
        let rows = item.rows.len();
        let made = item.columns.iter().map(|column| self.column(column, rows));
        let mut made: Vec<Made> = made.collect();
        for (at, row) in item.rows.iter().enumerate() {
            self.row(item, (at, row), &mut made);
        }
        let mut columns = Vec::new();
        for (column, made) in item.columns.iter().zip(made) {
            let looks_up = self.looked_up(of, &column.name, made);
            columns.push((column.name.text.clone(), looks_up));
        }
        let span = item.name.loc.span();
        self.tables.insert(of, Columns { columns, span });
    }

    fn too_much_printed(&mut self, item: &TableDecl) {
        let message = format!(
            "found more than {MOST_PRINTED} printed values up to here, in all tables together, expected fewer"
        );
        let error = Diagnostic::error(codes::forms::DEEP_USE, message);
        self.report(error.at(item.name.loc, "too many rows and columns"));
    }

    fn without(&mut self, item: &TableDecl, what: &str, help: &str) {
        let message = format!(
            "the table `{}` has no {what}, expected some",
            item.name.text
        );
        let error = Diagnostic::error(codes::forms::TOO_FEW, message);
        self.report(error.at(item.name.loc, "declared here").help(help));
    }

    fn column(&mut self, column: &ast::Column, rows: usize) -> Made {
        let ty = self.column_type(column);
        let mut bounds = Bounds::default();
        if let TypeExpr::Integer {
            document,
            explore,
            reach,
        } = &column.ty
        {
            bounds.document = document.as_ref().and_then(|range| self.range(range));
            if let Some(range) = explore.first().or(reach.as_ref()) {
                let message = "found what is explored of a column, expected `integer` or \
                               `integer from a to b`";
                let label = "what is printed is on no board another";
                self.error(
                    codes::forms::MISPLACED,
                    message.to_owned(),
                    range.low.loc,
                    label,
                );
            }
        }
        let default = column.default.as_ref();
        let printed = default.and_then(|value| self.printed_value(ty, bounds, value));
        Made {
            ty,
            bounds,
            has_default: default.is_some(),
            printed: vec![printed; rows],
        }
    }

    /// The type of a column; only what is no entity can be printed.
    fn column_type(&mut self, column: &ast::Column) -> Option<Type> {
        let ty = self.type_of(&column.ty, &column.name)?;
        match (&column.ty, ty) {
            (TypeExpr::Named { name, .. }, Type::Entity(_) | Type::Optional(_)) => {
                self.wrong_kind(name, "a sort", "a type of values, `integer` or `boolean`")
            }
            _ => Some(ty),
        }
    }

    fn printed_value(
        &mut self,
        ty: Option<Type>,
        bounds: Bounds,
        value: &ast::Expr,
    ) -> Option<(Value, Span)> {
        let literal = self.literal(value, ty?);
        let literal = self.needed(literal)?;
        self.within(literal, bounds, value.loc);
        Some((literal, value.loc.span()))
    }

    /// What a row says, and what it does not.
    fn row(&mut self, item: &TableDecl, (at, row): (usize, &Row), made: &mut [Made]) {
        let mut given = vec![false; made.len()];
        for (name, value) in &row.with {
            let mut columns = item.columns.iter();
            let Some(place) = columns.position(|one| one.name.text == name.text) else {
                let columns: Vec<&str> = item.columns.iter().map(|one| &*one.name.text).collect();
                self.no_column(name, &item.name.text, &columns, item.name.loc.span());
                continue;
            };
            let declared = item.columns[place].name.loc.span();
            self.uses.add(name.loc.span(), declared, NameKind::Column);
            if std::mem::replace(&mut given[place], true) {
                self.given_twice("column", name);
            }
            let printed = self.printed_value(made[place].ty, made[place].bounds, value);
            made[place].printed[at] = printed;
        }
        let columns = item.columns.iter().zip(made.iter().zip(given));
        // Nothing is said of a column that is itself in error.
        let missing =
            columns.filter(|(_, (made, given))| !given && !made.has_default && made.ty.is_some());
        let missing: Vec<String> = missing.map(|(one, _)| one.name.text.clone()).collect();
        if missing.is_empty() {
            return;
        }
        let names = listed(&missing);
        let message = format!("the row `{}` has no value for {names}", row.name.text);
        let error = Diagnostic::error(codes::forms::FIELD_NEEDED, message)
            .at(row.name.loc, "expected one for each column")
            .also(item.name.loc, "the columns of this table")
            .help(format!(
                "add `with {} = …`, or give the column a `default`",
                missing.join(" = …, ")
            ));
        self.report(error);
    }

    /// The definition that looks up a column.
    fn looked_up(&mut self, of: EnumId, name: &Name, made: Made) -> DefineId {
        let span = name.loc.span();
        let printed: Option<Vec<(Value, Span)>> = made.printed.into_iter().collect();
        let body = made.ty.zip(printed.as_deref());
        let body = body.and_then(|(ty, printed)| body_of(of, ty, printed, span));
        let body = body.unwrap_or(Expr {
            kind: ExprKind::Const(Value::Int(0)),
            ty: made.ty.unwrap_or(Type::Int),
            span,
        });
        self.define_types.push(made.ty);
        self.define_params
            .push(vec![("row".to_owned(), Some(Type::Enum(of)))]);
        self.program.defines.push(Define {
            name: name.text.clone(),
            params: vec![Param {
                name: "row".to_owned(),
                ty: Type::Enum(of),
            }],
            locals: vec![Type::Enum(of)],
            body,
            printed: printed.map(|rows| Printed { of, rows }),
            continuous: None,
            span,
        })
    }

    /// `row.column`, where the row is of this table.
    pub(super) fn printed(&mut self, row: Expr, of: EnumId, name: &Name, loc: Loc) -> Option<Expr> {
        let table = self.tables.get(&of)?;
        let mut columns = table.columns.iter();
        let Some(&(_, column)) = columns.find(|(column, _)| *column == name.text) else {
            let columns: Vec<String> = table.columns.iter().map(|one| one.0.clone()).collect();
            let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
            let (span, of) = (table.span, self.program.enums.get(of)?.name.clone());
            self.no_column(name, &of, &columns, span);
            return None;
        };
        if let Some(declared) = self.program.defines.get(column).map(|one| one.span) {
            let at = name.loc.span();
            self.uses.add(at, declared, NameKind::Column);
        }
        let ty = self.define_types.get(column).copied().flatten()?;
        typed(ExprKind::Call(column, vec![row]), ty, loc)
    }

    /// Where the column stands that an expression reads.
    pub(super) fn column_of(&self, printed: &Expr) -> Option<Span> {
        match printed.kind {
            ExprKind::Call(column, _) => self.program.defines.get(column).map(|one| one.span),
            _ => None,
        }
    }

    fn no_column(&mut self, name: &Name, of: &str, columns: &[&str], declared: Span) {
        self.offer(name, NameKind::Column, columns.iter().copied());
        let message = format!("found `{}`, expected a column of `{of}`", name.text);
        let error = Diagnostic::error(codes::names::UNKNOWN_FIELD, message)
            .at(name.loc, "no such column")
            .also(declared, "its columns are declared here");
        self.report(match nearest(&name.text, columns.iter().copied()) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error,
        });
    }
}

/// What is printed in a row, in terms of the row.
fn body_of(of: EnumId, ty: Type, printed: &[(Value, Span)], span: Span) -> Option<Expr> {
    let mut groups: Vec<Group> = Vec::new();
    let mut known: BTreeMap<Value, usize> = BTreeMap::new();
    for (at, &(value, span)) in printed.iter().enumerate() {
        let row = u16::try_from(at).ok()?;
        let group = *known.entry(value).or_insert(groups.len());
        if group == groups.len() {
            let rows = Vec::new();
            groups.push(Group { value, span, rows });
        }
        groups[group].rows.push(row);
    }
    let is_true = |group: &Group| group.value == Value::Bool(true);
    match groups.iter().find(|group| is_true(group)) {
        Some(whole) if groups.len() > 1 => Some(among(of, &whole.rows, span)),
        _ => choice(of, ty, &groups, span),
    }
}

/// The value of the group to which the row belongs; none if there is no group.
fn choice(of: EnumId, ty: Type, groups: &[Group], span: Span) -> Option<Expr> {
    match groups {
        [] => return None,
        [only] => return typed(ExprKind::Const(only.value), ty, only.span),
        _ => {}
    }
    let (some, others) = groups.split_at(groups.len() / 2);
    let rows: Vec<u16> = some.iter().flat_map(|group| &group.rows).copied().collect();
    let test = Box::new(among(of, &rows, span));
    let yes = Box::new(choice(of, ty, some, span)?);
    let no = Box::new(choice(of, ty, others, span)?);
    typed(ExprKind::Cond(test, yes, no), ty, span)
}

/// Whether the row is one of these, of which there is one at least.
fn among(of: EnumId, rows: &[u16], span: Span) -> Expr {
    let kind = match rows {
        [row] => {
            let part = |kind| {
                Box::new(Expr {
                    kind,
                    ty: Type::Enum(of),
                    span,
                })
            };
            let local = part(ExprKind::Local(LocalId(0)));
            let value = part(ExprKind::Const(Value::Enum(*row)));
            ExprKind::Binary(BinaryOp::Equal, local, value)
        }
        _ => {
            let (some, others) = rows.split_at(rows.len() / 2);
            let either = [some, others].map(|rows| Box::new(among(of, rows, span)));
            let [some, others] = either;
            ExprKind::Binary(BinaryOp::Or, some, others)
        }
    };
    Expr {
        kind,
        ty: Type::Bool,
        span,
    }
}
