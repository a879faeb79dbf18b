//! Names in expressions: locals, variables, definitions, values and entities of boards.
//!
//! A name is looked up in this order: locals, what is declared globally, values of enumerations,
//! entities of the board. `red` in `c.colour = red` is no local and no variable, so it is a value,
//! and the other side of `=` says of which enumeration.

use super::checker::{Checker, Global, Wanted};
use super::program::{EnumId, Expr, ExprKind, FieldId, LocalId, SortId, Type, Value};
use super::want::{Want, typed};
use super::words::listed;
use crate::diag::{Diagnostic, codes};
use crate::resolve::{NameKind, nearest, unknown};
use crate::syntax::ast::{self, Loc, Name};

impl Checker<'_> {
    /// Binds a name; reports if it already means something.
    pub(super) fn bind(&mut self, name: &Name, ty: Option<Type>) -> LocalId {
        let span = name.loc.span();
        let outer = self.frame.local(&name.text).map(|local| local.span);
        let outer = outer.or_else(|| self.declared_at(&name.text));
        let outer = outer.or_else(|| {
            self.frame
                .entities
                .get(&name.text)
                .map(|(_, _, span)| *span)
        });
        let message = format!(
            "`{}` already means something here, expected another name",
            name.text
        );
        let error = Diagnostic::error(codes::names::SHADOWS, message).at(span, "bound again");
        if let Some(outer) = outer {
            self.report(error.also(outer, "its first meaning"));
        } else if let Some(&(id, _)) = self
            .names
            .values
            .get(&name.text)
            .and_then(|all| all.first())
        {
            let of = self.describe(Type::Enum(id));
            self.report(error.help(format!("it is {of}")));
        }
        self.describe_local(name, ty);
        self.frame.bind(&name.text, ty, span)
    }

    /// Takes down a name that is bound, and of which type it is.
    pub(super) fn describe_local(&mut self, name: &Name, ty: Option<Type>) {
        let span = name.loc.span();
        self.uses.add(span, span, NameKind::Local);
        if let Some(ty) = ty {
            let ty = self.describe(ty);
            self.uses.describe(span, ty);
        }
    }

    /// What a name stands for, as an expression.
    pub(super) fn name(&mut self, name: &Name, want: Want) -> Option<Expr> {
        if let Some(local) = self.frame.local(&name.text) {
            let (id, ty) = (local.id, local.ty);
            self.means_bound(name);
            return typed(ExprKind::Local(id), ty?, name.loc);
        }
        match self.names.globals.get(&name.text) {
            Some(Global::Var(var)) => {
                self.meant(name);
                self.usage.vars.insert(var);
                let ty = self.var_types.get(var).copied().flatten()?;
                typed(ExprKind::Var(var), ty, name.loc)
            }
            Some(Global::Define(_)) => self.call(name, &[], name.loc),
            Some(other) if !self.names.values.contains_key(&name.text) => {
                self.meant(name);
                self.not_a_value(name, other)
            }
            _ => self.value(name, want),
        }
    }

    /// Reports a zone, reading and the like where a value is wanted.
    fn not_a_value(&mut self, name: &Name, found: Global) -> Option<Expr> {
        let text = &name.text;
        let help = match found {
            Global::Zone(_) => {
                format!(
                    "write `size of {text}`, `{text} is empty` or `c is in {text}`, or `move all of {text} …`"
                )
            }
            Global::Queue(_) => format!("write `size of {text}` or `{text} is empty`"),
            Global::Reading(_) => format!("write `{text} is` and one of its alternatives"),
            Global::Sort(_) => {
                format!("write `every c: {text} has …` and the like to speak of its entities")
            }
            _ => format!("name a value of `{text}`"),
        };
        let message = format!("found `{text}`, {}, expected a value", found.kind());
        let error = Diagnostic::error(codes::names::WRONG_KIND, message);
        self.report(
            error
                .at(name.loc, format!("this is {}", found.kind()))
                .help(help),
        );
        None
    }

    /// A value of an enumeration, or an entity of the board.
    fn value(&mut self, name: &Name, want: Want) -> Option<Expr> {
        let all = self
            .names
            .values
            .get(&name.text)
            .cloned()
            .unwrap_or_default();
        let wanted = match want {
            Want::Of(Type::Enum(id)) => all.iter().find(|(of, _)| *of == id),
            _ => None,
        };
        match (wanted, all.as_slice()) {
            (Some(&(id, value)), _) | (None, &[(id, value)]) => {
                self.means_value(name, id, value);
                let kind = ExprKind::Const(Value::Enum(value));
                typed(kind, Type::Enum(id), name.loc)
            }
            (None, []) => self.entity_of_board(name, want),
            (None, several) => {
                let several: Vec<EnumId> = several.iter().map(|(id, _)| *id).collect();
                self.ambiguous(name, want, &several);
                None
            }
        }
    }

    fn ambiguous(&mut self, name: &Name, want: Want, of: &[EnumId]) {
        if want == Want::Unknown {
            return;
        }
        let of: Vec<String> = of
            .iter()
            .filter_map(|id| self.program.enums.get(*id))
            .map(|one| format!("`{}`", one.name))
            .collect();
        let text = &name.text;
        let message = format!(
            "`{text}` is a value of {}, expected one that the place tells apart",
            of.join(" and of ")
        );
        let error = Diagnostic::error(codes::names::AMBIGUOUS_VALUE, message)
            .at(name.loc, "which one is meant?")
            .help(
                "compare it with something of the type that is meant, or rename one of the values",
            );
        self.report(error);
    }

    fn entity_of_board(&mut self, name: &Name, want: Want) -> Option<Expr> {
        if let Some(&(entity, sort, _)) = self.frame.entities.get(&name.text) {
            self.means_bound(name);
            let value = ExprKind::Const(Value::Entity(entity));
            return typed(value, Type::Entity(sort), name.loc);
        }
        let wanted = match want {
            Want::Of(Type::Enum(id)) => Some(id),
            Want::Of(_) | Want::Any | Want::Unknown => None,
        };
        self.offer_values(name, wanted);
        if self.frame.any_entity || want == Want::Unknown {
            return self.needed(None);
        }
        let values: Vec<String> = match want {
            Want::Of(Type::Enum(id)) => self.program.enums.get(id).map(|one| one.values.clone()),
            _ => Some(self.names.values.keys().cloned().collect()),
        }
        .unwrap_or_default();
        let candidates = self.frame.local_names().chain(self.names.globals.names());
        let candidates = candidates.chain(self.frame.entities.keys().map(String::as_str));
        let candidates = candidates.chain(values.iter().map(String::as_str));
        let near = nearest(&name.text, candidates);
        let error = match want {
            Want::Of(ty @ Type::Enum(_)) => {
                let message = format!("found `{}`, expected {}", name.text, self.describe(ty));
                let error = Diagnostic::error(codes::names::UNKNOWN, message);
                let error = error.at(name.loc, "nothing of this kind has this name here");
                match near {
                    Some(near) => error.help(format!("did you mean `{near}`?")),
                    None => error.help(format!("the values are {}", listed(&values))),
                }
            }
            _ => unknown(
                "value, variable or other name",
                &name.text,
                name.loc.span(),
                near,
            ),
        };
        let is_payload = self.frame.payload.contains(&name.text);
        self.report(match is_payload {
            true => error.help(format!(
                "what is announced is known behind `on …` only; write `on …({}) where …`",
                self.frame.payload.join(", ")
            )),
            false => error,
        });
        None
    }

    /// The value of this name in an enumeration.
    pub(super) fn value_of(&mut self, name: &Name, id: EnumId) -> Option<u16> {
        let values = &self.program.enums.get(id)?.values;
        let found = values.iter().position(|value| *value == name.text);
        match found.and_then(|position| u16::try_from(position).ok()) {
            Some(value) => {
                self.means_value(name, id, value);
                Some(value)
            }
            None => {
                if self.uses.is_probe(&name.text) {
                    let values = values.iter().map(String::as_str);
                    self.uses.offer(Some(NameKind::Value), values);
                }
                let near = nearest(&name.text, values.iter().map(String::as_str));
                let help = match near {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("the values are {}", listed(values)),
                };
                let message = format!(
                    "found `{}`, expected {}",
                    name.text,
                    self.describe(Type::Enum(id))
                );
                let error = Diagnostic::error(codes::names::UNKNOWN, message);
                self.report(error.at(name.loc, "no such value").help(help));
                None
            }
        }
    }

    /// `c.health`, of an entity or of a value of a table.
    pub(super) fn field(&mut self, owner: &ast::Expr, name: &Name, loc: Loc) -> Option<Expr> {
        let owner = self.expr(owner, Want::Any)?;
        if let Type::Enum(of) = owner.ty
            && self.tables.contains_key(&of)
        {
            return self.printed(owner, of, name, loc);
        }
        let (owner, sort) = self.followed(owner)?;
        let field = self.field_of(sort, name)?;
        let ty = self.field_types.get(field).copied().flatten()?;
        typed(ExprKind::Field(Box::new(owner), field), ty, loc)
    }

    /// The field of this name of a sort.
    pub(super) fn field_of(&mut self, sort: SortId, name: &Name) -> Option<FieldId> {
        let declared = self.program.sorts.get(sort)?;
        let mut fields = declared.fields.iter().copied();
        let own = |id| self.program.fields.get(id).map(|field| field.name.as_str());
        if let Some(field) = fields
            .clone()
            .find(|field| own(*field) == Some(name.text.as_str()))
        {
            self.means_field(name, field);
            return Some(field);
        }
        if self.uses.is_probe(&name.text) {
            let names = fields.clone().filter_map(own);
            self.uses.offer(Some(NameKind::Field), names);
        }
        let near = nearest(&name.text, fields.by_ref().filter_map(own));
        let message = format!(
            "found `{}`, expected a field of `{}`",
            name.text, declared.name
        );
        let error = Diagnostic::error(codes::names::UNKNOWN_FIELD, message)
            .at(name.loc, "no such field")
            .also(declared.span, "its fields are declared here");
        self.report(match near {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error,
        });
        None
    }

    /// A definition applied; a zone of a family is no value.
    pub(super) fn call(&mut self, name: &Name, arguments: &[ast::Expr], loc: Loc) -> Option<Expr> {
        let define = match self.global(name, Wanted::DefinitionOrZone) {
            Some(Global::Define(define)) => define,
            Some(Global::Zone(zone)) => return self.not_a_value(name, Global::Zone(zone)),
            found => {
                for argument in arguments {
                    self.expr(argument, Want::Unknown);
                }
                return self.wrong_kind(name, found?.kind(), "a definition or zone");
            }
        };
        self.usage.defines.insert(define);
        let signature = self.define_params.get(define)?.clone();
        let arguments = self.arguments(name, &signature, arguments);
        let ty = self.define_types.get(define).copied().flatten()?;
        let is_continuous = self.program.defines.get(define)?.continuous.is_some();
        let kind = match is_continuous {
            true => ExprKind::Continuous(define, arguments?.pop().map(Box::new)),
            false => ExprKind::Call(define, arguments?),
        };
        typed(kind, ty, loc)
    }
}
