//! Places in the texts of a specification, as data.

use super::words::Words;
use endstep_language::source::Span;
use endstep_language::typing::program::{ClauseIdx, Program};
use endstep_semantics::semantics::Site;
use endstep_semantics::witness::{Happening, Moment, Ongoing};
use serde_json::{Value, json};

/// A place: file, line and column, and where it ends; `null` if it is in no text.
pub(super) fn place(words: Words<'_>, span: Span) -> Value {
    let mut files = words.sources.files();
    match files.find(|(id, _)| *id == span.source) {
        Some((_, file)) => {
            let at = file.line_column(span.start);
            let end = file.line_column(span.end);
            json!({
                "file": file.name(),
                "line": at.line,
                "column": at.column,
                "end_line": end.line,
                "end_column": end.column,
            })
        }
        None => Value::Null,
    }
}

/// The place that says that something happens; `null` if none does.
pub(super) fn of_moment(words: Words<'_>, moment: &Moment) -> Value {
    stands(words.program, moment).map_or(Value::Null, |span| place(words, span))
}

/// The clause that says that something happens.
pub(super) fn clause_of(program: &Program, moment: &Moment) -> Option<ClauseIdx> {
    let around = moment.within.iter().rev().map(|within| match within.what {
        Ongoing::Step(id) => Site::Step(id),
        Ongoing::Trigger(id) => Site::Trigger(id),
        Ongoing::Pass { sequence, .. } | Ongoing::Restart(sequence) => Site::Sequence(sequence),
    });
    let mut sites = site(moment).into_iter().chain(around);
    sites.find_map(|site| site.clause(program))
}

/// Where in the specification it stands that this happens.
fn stands(program: &Program, moment: &Moment) -> Option<Span> {
    Some(site(moment)?.span(program))
}

/// What says that this happens.
fn site(moment: &Moment) -> Option<Site> {
    let own = match &moment.what {
        Happening::Pass(id) | Happening::Cancelled { sequence: id, .. } => {
            Some(Site::Sequence(*id))
        }
        Happening::Step(id) | Happening::StepEnd(id) => Some(Site::Step(*id)),
        Happening::Statement(id) => Some(Site::Stmt(*id)),
        Happening::Trigger(instance) => Some(Site::Trigger(instance.trigger)),
        Happening::Choice(made) => Some(made.site),
        Happening::Conflict(at) => Some(*at),
        Happening::Announced(..)
        | Happening::Passed(_)
        | Happening::CycleBegins
        | Happening::Other => None,
    };
    own.or(moment.by.map(Site::Stmt))
}
