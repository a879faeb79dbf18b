//! What happens in runs, as lists: under each step what was chosen and what changed.

use super::prose::prose;
use super::scene::scene;
use crate::report::exhibit::{ALIKE, Exhibit, Played};
use crate::report::trace::{LineKind, line_kind};
use maud::{Markup, html};

/// The runs of a finding: what two of them begin with alike once, then each with its end and the board
/// there, side by side where there is room.
pub(super) fn runs(exhibit: &Exhibit) -> Markup {
    let (alike, rests) = exhibit.parted();
    html! {
        @if !alike.is_empty() {
            h3 { (ALIKE) }
            (timeline(alike))
        }
        div.beside[rests.len() > 1] {
            @for (run, rest) in &rests { (self::run(run, rest)) }
        }
    }
}

fn run(run: &Played, rest: &[String]) -> Markup {
    html! {
        div.run {
            h3 { (prose(&run.title)) }
            (timeline(rest))
            p.end { span.aside { "In the end: " } (prose(&run.end)) }
            @if let Some(after) = &run.after {
                p.over { "What lies where then" }
                (scene(after, &format!("The board afterwards, {}", run.title)))
            }
        }
    }
}

/// Lines, of which those that are indented belong to the one above that is not.
fn timeline(lines: &[String]) -> Markup {
    let mut steps: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in lines {
        let text = line.trim_start();
        match steps.last_mut() {
            Some((_, under)) if line.len() > text.len() => under.push(text),
            _ if line.len() > text.len() => steps.push(("", vec![text])),
            _ => steps.push((text, Vec::new())),
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

fn happening(line: &str) -> Markup {
    match line_kind(line) {
        LineKind::Choice => html! { li.choice { (prose(line)) } },
        LineKind::Change => html! { li.change { (prose(&line.replace(" -> ", " → "))) } },
        LineKind::Repeats => html! { li.repeats { "From here it repeats" } },
        LineKind::Other => html! { li { (prose(line)) } },
    }
}
