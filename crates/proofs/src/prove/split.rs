//! Conditions taken apart, so that what is kept of them can be kept without the rest.
//!
//! ```text
//! every c: Card has c.kind is not spell or (c.health = 1 and c.keyword is no_keyword)
//!   every c: Card has c.kind is not spell or c.health = 1
//!   every c: Card has c.kind is not spell or c.keyword is no_keyword
//! ```

use endstep_kernel::ir::{Expr, ExprKind, Fold, Function};

/// One condition is not taken apart into more.
const MOST: usize = 16;

/// Conditions that are true together just if some others are.
pub fn apart<'a>(conditions: impl IntoIterator<Item = &'a Function>) -> Vec<Function> {
    let mut found = Vec::new();
    for condition in conditions {
        for body in parts(&condition.body) {
            found.push(Function {
                body,
                ..condition.clone()
            });
        }
    }
    found
}

fn parts(e: &Expr) -> Vec<Expr> {
    let with = |kind| Expr { kind, span: e.span };
    let found: Vec<Expr> = match &e.kind {
        ExprKind::If(a, b, c) if is(c, 0) => {
            let mut both = parts(a);
            both.extend(parts(b));
            both
        }
        ExprKind::If(a, b, c) if is(b, 1) => {
            let (one, other) = (parts(a), parts(c));
            let mut all = Vec::new();
            for a in &one {
                for c in &other {
                    all.push(with(ExprKind::If(
                        Box::new(a.clone()),
                        b.clone(),
                        Box::new(c.clone()),
                    )));
                }
            }
            all
        }
        ExprKind::Fold(Fold::Every, binder, Some(body)) => parts(body)
            .into_iter()
            .map(|one| {
                let body = Some(Box::new(one));
                with(ExprKind::Fold(Fold::Every, binder.clone(), body))
            })
            .collect(),
        _ => vec![e.clone()],
    };
    match found.len() <= MOST {
        true => found,
        false => vec![e.clone()],
    }
}

fn is(e: &Expr, value: i64) -> bool {
    matches!(e.kind, ExprKind::Const(one) if one == value)
}
