//! What can stand instead of an expression.

use super::draft::{Draft, Edit};
use super::operator::Operator;
use super::walk::{Exprs, Role};
use endstep_language::source::Span;
use endstep_language::syntax::ast::{BinaryOp, Extreme, Quantifier, Rounding, Side};
use endstep_language::typing::program::{
    Define, DefineId, EnumId, Expr, ExprKind, LocalId, Printed, Program, Type, Value, Walk,
};

/// Something else: the operator, what becomes of it in words, and what stands there then.
type Other = (Operator, String, Expr);

/// A thing with one of its expressions replaced: the place, the operator, the words, the thing.
pub(super) type Changed<T> = (Span, Operator, String, T);

/// All copies of something with one expression replaced; `each` visits its expressions.
pub(super) fn changed<T: Clone>(
    program: &Program,
    original: &T,
    each: &dyn Fn(&mut T, &mut Exprs<'_>),
) -> Vec<Changed<T>> {
    let mut found: Vec<(usize, Span, Other)> = Vec::new();
    let mut at = 0;
    let mut note = |expr: &mut Expr, role| {
        let all = others(program, expr, role).into_iter();
        found.extend(all.map(|other| (at, expr.span, other)));
        at += 1;
    };
    each(&mut original.clone(), &mut Exprs(&mut note));
    let copies = found
        .into_iter()
        .map(|(wanted, span, (operator, text, new))| {
            let mut copy = original.clone();
            let mut at = 0;
            let mut replace = |expr: &mut Expr, _| {
                // What is inside of the new one is visited as well, and has greater numbers.
                if at == wanted {
                    *expr = new.clone();
                }
                at += 1;
            };
            each(&mut copy, &mut Exprs(&mut replace));
            (span, operator, text, copy)
        });
    copies.collect()
}

/// The mutants of a definition.
pub(super) fn of_definition(program: &Program, id: DefineId, define: &Define) -> Vec<Draft> {
    let each = |body: &mut Expr, visit: &mut Exprs<'_>| match body.ty {
        Type::Bool => body.meet_condition_mut(visit),
        _ => body.meet_mut(visit),
    };
    let all = changed(program, &define.body, &each).into_iter();
    let drafts = all.map(|(span, operator, text, body)| Draft {
        operator,
        span,
        clause: None,
        text,
        edit: Edit::Define(id, Box::new(body)),
    });
    drafts.collect()
}

/// What may be printed instead in a column of a table, row by row.
pub(super) fn of_column(program: &Program, id: DefineId, printed: &Printed) -> Vec<Draft> {
    let define = &program.defines[id];
    let mut drafts = Vec::new();
    for ((value, span), row) in printed.rows.iter().zip(0..) {
        let mut found = Vec::new();
        let kind = ExprKind::Const(*value);
        let is_printed = Expr {
            kind,
            ty: define.body.ty,
            span: *span,
        };
        constants(program, &is_printed, *value, &mut found);
        let name = &program.enums[printed.of].values[usize::from(row)];
        drafts.extend(found.into_iter().map(|(operator, text, other)| Draft {
            operator,
            span: *span,
            clause: None,
            text: format!("in the row `{name}`, {text}"),
            edit: Edit::Define(id, Box::new(but(&define.body, (printed.of, row), other))),
        }));
    }
    drafts
}

/// The body of a column with something else printed in one row.
fn but(body: &Expr, (of, row): (EnumId, u16), other: Expr) -> Expr {
    let span = other.span;
    let part = |kind, ty| Box::new(Expr { kind, ty, span });
    let asked = part(ExprKind::Local(LocalId(0)), Type::Enum(of));
    let is = part(ExprKind::Const(Value::Enum(row)), Type::Enum(of));
    let is_row = part(ExprKind::Binary(BinaryOp::Equal, asked, is), Type::Bool);
    let kind = ExprKind::Cond(is_row, Box::new(other), Box::new(body.clone()));
    Expr {
        kind,
        ty: body.ty,
        span,
    }
}

fn others(program: &Program, expr: &Expr, role: Role) -> Vec<Other> {
    let mut found = Vec::new();
    let is_constant = matches!(expr.kind, ExprKind::Const(_));
    if role == Role::Condition && !is_constant {
        let always = with(expr, ExprKind::Const(Value::Bool(true)));
        found.push((Operator::Guard, "it always holds".to_owned(), always));
        let negated = match &expr.kind {
            ExprKind::Not(inner) => (**inner).clone(),
            _ => with(expr, ExprKind::Not(Box::new(expr.clone()))),
        };
        found.push((Operator::Negate, "it is negated".to_owned(), negated));
    }
    match &expr.kind {
        ExprKind::Const(value) => constants(program, expr, *value, &mut found),
        ExprKind::Binary(op, a, b) => binary(expr, role, (*op, a, b), &mut found),
        ExprKind::Min(a, b) | ExprKind::Max(a, b) => {
            for (one, which) in [(a, "first"), (b, "second")] {
                let text = format!("only the {which} value counts");
                found.push((Operator::Clamp, text, (**one).clone()));
            }
        }
        ExprKind::Clamp(inner, ..) => {
            let text = "it is not clamped".to_owned();
            found.push((Operator::Clamp, text, (**inner).clone()));
        }
        _ => found.extend(turned(expr)),
    }
    found
}

fn with(expr: &Expr, kind: ExprKind) -> Expr {
    Expr {
        kind,
        ty: expr.ty,
        span: expr.span,
    }
}

fn becomes(old: &str, new: &str) -> String {
    format!("`{old}` becomes `{new}`")
}

fn constants(program: &Program, expr: &Expr, value: Value, found: &mut Vec<Other>) {
    let mut add = |operator, old: &str, new: &str, value| {
        let other = with(expr, ExprKind::Const(value));
        found.push((operator, becomes(old, new), other));
    };
    match (value, expr.ty) {
        (Value::Int(n), _) => {
            let near = [n.checked_add(1), n.checked_sub(1).filter(|_| n > 0)];
            for other in near.into_iter().flatten() {
                let value = Value::Int(other);
                add(Operator::Number, &n.to_string(), &other.to_string(), value);
            }
        }
        (Value::Bool(is), _) => {
            let (old, new) = (is.to_string(), (!is).to_string());
            add(Operator::Value, &old, &new, Value::Bool(!is));
        }
        (Value::Enum(at), Type::Enum(id)) => {
            let values = &program.enums[id].values;
            let next = (usize::from(at) + 1) % values.len().max(1);
            if next != usize::from(at) {
                let old = &values[usize::from(at)];
                add(
                    Operator::Value,
                    old,
                    &values[next],
                    Value::Enum(next as u16),
                );
            }
        }
        _ => {}
    }
}

fn binary(expr: &Expr, role: Role, (op, a, b): (BinaryOp, &Expr, &Expr), found: &mut Vec<Other>) {
    let mut other = |operator, new: BinaryOp, (old, word): (&str, &str)| {
        let kind = ExprKind::Binary(new, Box::new(a.clone()), Box::new(b.clone()));
        found.push((operator, becomes(old, word), with(expr, kind)));
    };
    match op {
        BinaryOp::Less => other(Operator::Compare, BinaryOp::LessEqual, ("<", "<=")),
        BinaryOp::LessEqual => other(Operator::Compare, BinaryOp::Less, ("<=", "<")),
        BinaryOp::Greater => other(Operator::Compare, BinaryOp::GreaterEqual, (">", ">=")),
        BinaryOp::GreaterEqual => other(Operator::Compare, BinaryOp::Greater, (">=", ">")),
        // Of a whole condition that is its negation.
        BinaryOp::Equal if role == Role::Value => {
            other(Operator::Compare, BinaryOp::NotEqual, ("=", "!="));
        }
        BinaryOp::NotEqual if role == Role::Value => {
            other(Operator::Compare, BinaryOp::Equal, ("!=", "="));
        }
        BinaryOp::Equal | BinaryOp::NotEqual => {}
        // Another product is seldom what somebody meant.
        BinaryOp::Multiply | BinaryOp::Divide => {}
        BinaryOp::Add => other(Operator::Sign, BinaryOp::Subtract, ("+", "-")),
        BinaryOp::Subtract => other(Operator::Sign, BinaryOp::Add, ("-", "+")),
        BinaryOp::And => other(Operator::Connective, BinaryOp::Or, ("and", "or")),
        BinaryOp::Or => other(Operator::Connective, BinaryOp::And, ("or", "and")),
    }
    if let BinaryOp::And | BinaryOp::Or = op {
        for (one, which) in [(a, "second"), (b, "first")] {
            let text = format!("the {which} part is left out");
            found.push((Operator::Part, text, one.clone()));
        }
    }
}

/// What can be turned round.
fn turned(expr: &Expr) -> Option<Other> {
    let mut kind = expr.kind.clone();
    let (operator, old, new) = match &mut kind {
        ExprKind::Half(_, Some(rounding)) => match rounding {
            Rounding::Up => {
                *rounding = Rounding::Down;
                (Operator::Rounding, "rounded up", "rounded down")
            }
            Rounding::Down => {
                *rounding = Rounding::Up;
                (Operator::Rounding, "rounded down", "rounded up")
            }
        },
        ExprKind::Extreme(which, ..) => match which {
            Extreme::Largest => {
                *which = Extreme::Smallest;
                (Operator::End, "largest", "smallest")
            }
            Extreme::Smallest => {
                *which = Extreme::Largest;
                (Operator::End, "smallest", "largest")
            }
        },
        ExprKind::Quantified(which, ..) => match which {
            Quantifier::Every => {
                *which = Quantifier::Some;
                (Operator::Connective, "every", "some")
            }
            Quantifier::Some => {
                *which = Quantifier::Every;
                (Operator::Connective, "some", "every")
            }
        },
        ExprKind::EndOf(first, _) | ExprKind::Endmost(first, _) => {
            *first = !*first;
            match *first {
                true => (Operator::End, "last", "first"),
                false => (Operator::End, "first", "last"),
            }
        }
        ExprKind::Beside(side, ..) => match side {
            Side::Before => {
                *side = Side::After;
                (Operator::End, "before", "after")
            }
            Side::After => {
                *side = Side::Before;
                (Operator::End, "after", "before")
            }
        },
        ExprKind::Turn { forward, .. } => {
            *forward = !*forward;
            match *forward {
                true => (Operator::End, "previous", "next"),
                false => (Operator::End, "next", "previous"),
            }
        }
        ExprKind::Neighbour(side, _) => match side {
            Side::Before => {
                *side = Side::After;
                (Operator::End, "neighbour before", "neighbour after")
            }
            Side::After => {
                *side = Side::Before;
                (Operator::End, "neighbour after", "neighbour before")
            }
        },
        _ => return None,
    };
    Some((operator, becomes(old, new), with(expr, kind)))
}
