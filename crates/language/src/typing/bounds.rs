//! Types as written, and the bounds of integer places.
//!
//! `integer from 0 to 9, explore 0 to 3` has the document's bound 0..9, the explored values 0..3
//! and, because nothing else is said, the reach -8..11.

use super::checker::{Checker, Global, Wanted};
use super::program::{Bounds, Type, Value};
use crate::diag::{Diagnostic, codes};
use crate::syntax::ast::{Loc, Name, Range, TypeExpr};

/// How far beyond the explored values a run may go where no `reach` is written.
const WIDENING: i64 = 8;

/// More values of one place than this cannot be enumerated.
const MOST_VALUES: i128 = 10_000;

impl Checker<'_> {
    /// A type; an enumeration without a name is named after its owner.
    pub(super) fn type_of(&mut self, ty: &TypeExpr, owner: &Name) -> Option<Type> {
        match ty {
            TypeExpr::Error(_) => self.needed(None),
            TypeExpr::Boolean => Some(Type::Bool),
            TypeExpr::Integer { .. } => Some(Type::Int),
            TypeExpr::OneOf(values) => Some(Type::Enum(self.enumeration(owner, values))),
            TypeExpr::Named { optional, name } => self.named_type(*optional, name),
        }
    }

    fn named_type(&mut self, optional: bool, name: &Name) -> Option<Type> {
        match (self.global(name, Wanted::SortOrType)?, optional) {
            (Global::Sort(sort), true) => Some(Type::Optional(sort)),
            (Global::Sort(sort), false) => Some(Type::Entity(sort)),
            (Global::Enum(id), false) => Some(Type::Enum(id)),
            (Global::Enum(_), true) => {
                let message = format!("found optional `{}`, expected a sort", name.text);
                let error = Diagnostic::error(codes::types::OPTIONAL_VALUE, message)
                    .at(name.loc, "this is a type of values")
                    .help("add a value to the type that means absence");
                self.report(error);
                None
            }
            (other, _) => self.wrong_kind(name, other.kind(), "a sort or type"),
        }
    }

    /// The bounds of a place; without any, it must have a given start. Beside them the values to explore, if they are not
    /// all between.
    pub(super) fn bounds(
        &mut self,
        ty: &TypeExpr,
        owner: &Name,
        starts: bool,
    ) -> (Bounds, Vec<(i64, i64)>) {
        let TypeExpr::Integer {
            document,
            explore,
            reach,
        } = ty
        else {
            return (Bounds::default(), Vec::new());
        };
        if document.is_none() && explore.is_empty() && !starts {
            self.no_bounds(owner);
        }
        let bounds = Bounds {
            document: document.as_ref().and_then(|range| self.range(range)),
            explore: None,
            reach: reach.as_ref().and_then(|range| self.range(range)),
        };
        let listed = self.listed(explore, bounds.document);
        let ends = listed.first().zip(listed.last());
        let ends = ends.map(|(first, last)| (first.0, last.1));
        let bounds = match ends.or(bounds.document) {
            Some(explore) => {
                let many = |(low, high): &(i64, i64)| i128::from(*high) - i128::from(*low) + 1;
                let values = match listed.is_empty() {
                    true => many(&explore),
                    false => listed.iter().map(many).sum(),
                };
                if !starts && values > MOST_VALUES {
                    self.too_many_values(values, explore, &bounds, owner);
                }
                bounds.exploring(explore)
            }
            None => bounds,
        };
        match listed.len() {
            0 | 1 => (bounds, Vec::new()),
            _ => (bounds, listed),
        }
    }

    /// Values to explore, the smaller ones first.
    fn listed(&mut self, explore: &[Range], document: Option<(i64, i64)>) -> Vec<(i64, i64)> {
        let mut listed: Vec<(i64, i64)> = Vec::new();
        for range in explore {
            let Some((low, high)) = self.explored(range, document) else {
                continue;
            };
            if let Some((_, last)) = listed.last().filter(|(_, last)| low <= *last) {
                let message =
                    format!("found {low} after {last}, expected the smaller values first");
                self.error(
                    codes::forms::BAD_RANGE,
                    message,
                    range.low.loc,
                    "not more than the values before it",
                );
                continue;
            }
            listed.push((low, high));
        }
        listed
    }

    /// The values to explore, which the document has to allow.
    fn explored(&mut self, range: &Range, document: Option<(i64, i64)>) -> Option<(i64, i64)> {
        let (low, high) = self.range(range)?;
        if let Some((least, most)) = document.filter(|(least, most)| low < *least || high > *most) {
            let message =
                format!("found {low} to {high} to explore, expected values from {least} to {most}");
            self.error(
                codes::forms::OUT_OF_BOUNDS,
                message,
                range.low.loc,
                "the document allows no others",
            );
            return None;
        }
        Some((low, high))
    }

    /// Reports that there are too many values to try all of them.
    fn too_many_values(
        &mut self,
        values: i128,
        (low, high): (i64, i64),
        bounds: &Bounds,
        owner: &Name,
    ) {
        let name = &owner.text;
        let message = format!("found {values} values to explore, expected at most {MOST_VALUES}");
        // INVARIANT: there are more than four of them.
        let first = if low <= 0 && high > 3 { 0 } else { low };
        let last = first.saturating_add(3);
        let document = bounds.document.map_or_else(String::new, |(least, most)| {
            format!(" from {least} to {most}")
        });
        let reach = bounds.reach.map_or_else(String::new, |(least, most)| {
            format!(", reach {least} to {most}")
        });
        let error = Diagnostic::error(codes::forms::BAD_RANGE, message)
            .at(owner.loc, "every one of them makes another board")
            .help(format!(
                "write `{name}: integer{document}, explore {first} to {last}{reach}` to try only some"
            ));
        self.report(error);
    }

    fn no_bounds(&mut self, owner: &Name) {
        let name = &owner.text;
        let message = format!("nothing says which values of `{name}` are explored");
        let error = Diagnostic::error(codes::forms::NO_BOUND, message)
            .at(owner.loc, "expected a range")
            .help(format!(
                "write `{name}: integer, explore 0 to 3` if the document has no bound"
            ))
            .help(format!(
                "write `{name}: integer from 0 to 3` if the document has one"
            ))
            .help("add `starts 0` if it has one value on all boards");
        self.report(error);
    }

    /// Reports bounds of a supply below zero.
    pub(super) fn supply_bounds(&mut self, bounds: Bounds, owner: &Name) {
        let both = bounds.document.into_iter().chain(bounds.explore);
        if let Some(low) = both.map(|(low, _)| low).min().filter(|low| *low < 0) {
            let name = &owner.text;
            let message = format!("found {low} in the supply `{name}`, expected at least 0");
            self.error(
                codes::forms::BAD_RANGE,
                message,
                owner.loc,
                "a supply is never below zero",
            );
        }
    }

    /// The two ends of a range of constants.
    pub(super) fn range(&mut self, range: &Range) -> Option<(i64, i64)> {
        let low = self.integer(&range.low);
        let high = self.integer(&range.high);
        let (low, high) = (self.needed(low)?, self.needed(high)?);
        if low > high {
            let message = format!("found {low} to {high}, expected the smaller number first");
            self.error(
                codes::forms::BAD_RANGE,
                message,
                range.low.loc,
                "larger than the other end",
            );
            return None;
        }
        Some((low, high))
    }

    /// Whether a constant fits the bounds of its place; reports if it does not.
    pub(super) fn within(&mut self, value: Value, bounds: Bounds, loc: Loc) -> bool {
        let Value::Int(number) = value else {
            return true;
        };
        let kinds = [
            (bounds.document, "the document's"),
            (bounds.reach, "the reach of runs,"),
        ];
        for (bound, whose) in kinds {
            if let Some((low, high)) = bound.filter(|(low, high)| number < *low || number > *high) {
                let message = format!("found {number}, expected {whose} {low} to {high}");
                self.error(
                    codes::forms::OUT_OF_BOUNDS,
                    message,
                    loc,
                    "outside the bounds",
                );
                return false;
            }
        }
        true
    }
}

impl Bounds {
    /// With these values explored, and the reach around them if none is given.
    pub(super) fn exploring(self, (low, high): (i64, i64)) -> Self {
        let around = (low.saturating_sub(WIDENING), high.saturating_add(WIDENING));
        Self {
            explore: Some((low, high)),
            reach: self.reach.or(Some(around)),
            ..self
        }
    }
}
