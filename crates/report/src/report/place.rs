//! Places in the texts of a specification, as data.

use super::words::Words;
use endstep_language::source::Span;
use endstep_language::typing::program::Program;
use endstep_semantics::semantics::Site;
use endstep_semantics::witness::{Happening, Moment};
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

/// Where in the specification it stands that this happens.
fn stands(program: &Program, moment: &Moment) -> Option<Span> {
    let site = |site: Site| match site {
        Site::Stmt(id) => Some(program.stmts[id].span),
        Site::Step(id) => Some(program.steps[id].span),
        Site::Sequence(id) | Site::Places(id) => Some(program.sequences[id].span),
        Site::Event(id) => Some(program.events[id].span),
        Site::Trigger(id) => Some(program.triggers[id].span),
        Site::Outside(_) => None,
    };
    let own = match &moment.what {
        Happening::Pass(id) | Happening::Cancelled { sequence: id, .. } => {
            site(Site::Sequence(*id))
        }
        Happening::Step(id) | Happening::StepEnd(id) => site(Site::Step(*id)),
        Happening::Statement(id) => site(Site::Stmt(*id)),
        Happening::Trigger(instance) => site(Site::Trigger(instance.trigger)),
        Happening::Choice(made) => site(made.site),
        Happening::Conflict(at) => site(*at),
        Happening::Announced(..)
        | Happening::Passed(_)
        | Happening::CycleBegins
        | Happening::Other => None,
    };
    own.or_else(|| site(Site::Stmt(moment.by?)))
}
