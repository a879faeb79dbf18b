//! Writes declarations: types, tables, entities, variables, zones, definitions, queues and events.

use super::Printer;
use crate::syntax::ast::{
    Define, EntityDecl, Event, Expr, Param, Queue, QueueDiscipline, Range, Reading, RoleDecl,
    SizeBound, TableDecl, Trivia, TypeDecl, TypeExpr, VarDecl, Zone, ZoneOption,
};

impl Printer {
    pub(super) fn type_decl(&mut self, trivia: &Trivia, decl: &TypeDecl) {
        self.put("type ").name(&decl.name).put(" is one of ");
        self.names(&decl.values).end_line(trivia);
    }

    /// Columns come first, then rows.
    pub(super) fn table(&mut self, trivia: &Trivia, table: &TableDecl) {
        self.put("table ").name(&table.name).end_line(trivia);
        self.nested(|printer| {
            for column in &table.columns {
                printer.name(&column.name).put(": ").type_expr(&column.ty);
                printer.initial(column.default.as_ref(), None);
                printer.end_line(&column.trivia);
            }
            for row in &table.rows {
                printer.put("row ").name(&row.name).with(&row.with);
                printer.end_line(&row.trivia);
            }
            printer.comments(&table.tail);
        });
    }

    pub(super) fn entity(&mut self, trivia: &Trivia, entity: &EntityDecl) {
        self.put(if entity.player { "player " } else { "entity " });
        self.name(&entity.name);
        if let Some((low, high)) = entity.document {
            self.put(" from ").number(low).put(" to ").number(high);
        }
        if let Some(explore) = &entity.explore {
            self.comma().put("explore ").size_bound(explore);
        }
        if let Some(headroom) = entity.headroom {
            self.comma().put("headroom ").number(headroom);
        }
        self.end_line(trivia);
        self.nested(|printer| {
            for field in &entity.fields {
                printer.name(&field.name).put(": ").type_expr(&field.ty);
                printer.initial(field.default.as_ref(), field.starts.as_ref());
                printer.end_line(&field.trivia);
            }
            printer.comments(&entity.tail);
        });
    }

    fn size_bound(&mut self, bound: &SizeBound) -> &mut Self {
        if bound.up_to {
            self.put("up to ");
        } else if let Some(low) = bound.low {
            self.number(low).put(" to ");
        }
        self.number(bound.high)
    }

    fn initial(&mut self, default: Option<&Expr>, starts: Option<&Expr>) -> &mut Self {
        for (word, value) in [("default ", default), ("starts ", starts)] {
            if let Some(value) = value {
                self.comma().put(word).expr(value);
            }
        }
        self
    }

    fn type_expr(&mut self, ty: &TypeExpr) -> &mut Self {
        match ty {
            TypeExpr::Error(_) => self.put("?"),
            TypeExpr::Boolean => self.put("boolean"),
            TypeExpr::Integer {
                document,
                explore,
                reach,
            } => {
                self.put("integer");
                if let Some(document) = document {
                    self.put(" from ").range(document);
                }
                match explore.as_slice() {
                    [] => {}
                    [one] => {
                        self.comma().put("explore ").range(one);
                    }
                    [first, others @ ..] => {
                        self.comma().put("explore ").listed(first);
                        for one in others {
                            self.comma().listed(one);
                        }
                    }
                }
                self.bound("reach ", reach.as_ref())
            }
            TypeExpr::Named { optional, name } => self
                .put(if *optional { "optional " } else { "" })
                .name(name),
            TypeExpr::OneOf(values) => self.put("one of ").names(values),
        }
    }

    /// `a to b`, or one value of several that are listed.
    fn listed(&mut self, range: &Range) -> &mut Self {
        match range.low == range.high {
            true => self.sum(&range.low),
            false => self.range(range),
        }
    }

    fn bound(&mut self, word: &str, range: Option<&Range>) -> &mut Self {
        match range {
            Some(range) => self.comma().put(word).range(range),
            None => self,
        }
    }

    pub(super) fn var(&mut self, trivia: &Trivia, var: &VarDecl) {
        self.put(if var.supply { "supply " } else { "var " });
        self.name(&var.name).put(": ").type_expr(&var.ty);
        self.initial(var.default.as_ref(), var.starts.as_ref());
        self.end_line(trivia);
    }

    pub(super) fn role(&mut self, trivia: &Trivia, role: &RoleDecl) {
        self.put("role ")
            .name(&role.name)
            .put(": ")
            .name(&role.sort);
        self.initial(None, role.starts.as_ref()).end_line(trivia);
    }

    pub(super) fn zone(&mut self, trivia: &Trivia, zone: &Zone) {
        self.put("zone ")
            .name(&zone.name)
            .put(" of ")
            .name(&zone.sort);
        if let Some(per) = &zone.per {
            self.put(" per ").name(per);
        }
        for option in &zone.options {
            self.comma();
            match option {
                ZoneOption::StartsEmpty => self.put("starts empty"),
                ZoneOption::HoldsAtMost(most) => self.put("holds at most ").number(*most),
                ZoneOption::ExploreAtMost(most) => self.put("explore at most ").number(*most),
                ZoneOption::Unordered => self.put("unordered"),
            };
        }
        self.end_line(trivia);
    }

    /// `(a: A, b: B)`, or nothing without parameters.
    pub(super) fn parameters(&mut self, params: &[Param]) -> &mut Self {
        if params.is_empty() {
            return self;
        }
        self.put("(").list(params, |printer, param| {
            printer.name(&param.name).put(": ").type_expr(&param.ty);
            if let Some(value) = &param.value {
                printer.put(" = ").expr(value);
            }
        });
        self.put(")")
    }

    pub(super) fn define(&mut self, trivia: &Trivia, define: &Define) {
        self.put(match define.continuous {
            Some(_) => "continuous ",
            None => "define ",
        })
        .name(&define.name)
        .parameters(&define.params);
        if let Some(ty) = &define.continuous {
            self.put(": ").type_expr(ty);
        }
        self.put(" = ").expr(&define.body).end_line(trivia);
    }

    pub(super) fn queue(&mut self, trivia: &Trivia, queue: &Queue) {
        self.put("queue ").name(&queue.name).comma();
        self.put(match queue.discipline {
            QueueDiscipline::FirstInFirstOut => "first in first out",
            QueueDiscipline::LastInFirstOut => "last in first out",
            QueueDiscipline::ByPriority => "by priority",
        });
        if let Some(capacity) = queue.capacity {
            self.comma().put("explore up to ").number(capacity);
        }
        self.end_line(trivia);
    }

    pub(super) fn event(&mut self, trivia: &Trivia, event: &Event) {
        self.put("event ")
            .name(&event.name)
            .parameters(&event.params)
            .comma();
        if let Some(condition) = &event.whenever {
            self.put("whenever ").expr(condition).comma();
        }
        match &event.queue {
            Some(queue) => self.put("in ").name(queue),
            None => self.put("at once"),
        };
        if let Some(order) = &event.listeners {
            self.comma().put("listeners ");
            if let Some((name, sort)) = &event.listener {
                self.name(name).put(": ").name(sort).put(" ");
            }
            self.order(order);
        }
        self.end_line(trivia);
    }

    pub(super) fn reading(&mut self, trivia: &Trivia, reading: &Reading) {
        self.put("reading ").name(&reading.name).end_line(trivia);
        self.nested(|printer| {
            for alternative in &reading.alternatives {
                printer
                    .name(&alternative.name)
                    .put(" ")
                    .quoted(&alternative.text);
                if !alternative.cites.is_empty() {
                    printer.put(" cites ").clause_ids(&alternative.cites);
                }
                printer.end_line(&alternative.trivia);
            }
            printer.comments(&reading.tail);
        });
    }
}
