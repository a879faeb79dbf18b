//! What happens in runs, as lists: under each step what was chosen and what changed.

use super::prose::prose;
use super::scene::scene;
use crate::report::exhibit::{ALIKE, Exhibit, Played};
use crate::report::trace::{Line, LineKind};
use crate::report::words::plain;
use maud::{Markup, html};

/// The runs of a finding: what two of them begin with alike once, then each with its end and the board
/// there, side by side where there is room.
pub(super) fn runs(exhibit: &Exhibit) -> Markup {
    let (alike, rests) = exhibit.parted();
    let several = rests.len() > 1;
    // A step in which nothing happened yet is named again where something does.
    let alike = match alike.split_last() {
        Some((last, before)) if last.kind == LineKind::Heading => before,
        _ => alike,
    };
    html! {
        @if !alike.is_empty() {
            h3 { (ALIKE) }
            (timeline(alike))
        }
        div.beside[several] {
            @for (run, rest) in &rests { (self::run(run, rest, several)) }
        }
    }
}

fn run(run: &Played, rest: &[Line], has_title: bool) -> Markup {
    let title = plain(&run.title);
    html! {
        div.run {
            @if has_title { h3 { (prose(&title)) } }
            (timeline(rest))
            p.end { span.aside { "In the end: " } (prose(&run.end)) }
            @if let Some(after) = &run.after {
                p.over { "What lies where afterwards" }
                (scene(after, &format!("The board afterwards: {title}")))
            }
        }
    }
}

/// Lines, of which those that are indented belong to the one above that is not.
fn timeline(lines: &[Line]) -> Markup {
    let mut steps: Vec<(&str, Vec<&Line>)> = Vec::new();
    for line in lines {
        match (line.depth(), steps.last_mut()) {
            (0, _) => steps.push((&line.text, Vec::new())),
            (_, Some((_, under))) => under.push(line),
            (_, None) => steps.push(("", vec![line])),
        }
    }
    html! {
        ol.timeline {
            @for (title, under) in &steps {
                li {
                    @if !title.is_empty() { p.step { (prose(title)) } }
                    @if !under.is_empty() { ul { @for line in under { (happening(line)) } } }
                }
            }
        }
    }
}

fn happening(line: &Line) -> Markup {
    let text = prose(&line.text);
    match line.kind {
        LineKind::Choice => html! { li.choice { (text) } },
        LineKind::Change => html! { li.change { (text) } },
        LineKind::Repeats => html! { li.repeats { "From here it repeats" } },
        LineKind::Heading | LineKind::Cut | LineKind::Other => html! { li { (text) } },
    }
}
