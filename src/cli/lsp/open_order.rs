//! An order that the document leaves open, made a reading: both ways are then compared by name.
//!
//! ```text
//! step blows                                     reading order_in_blows
//!   for each f in arena, in any order              any "in any order"
//!                                                  fixed "as they lie, from left to right"
//!                                                step blows
//!                                                  for each f in arena, per order_in_blows (any: … | fixed: left to right)
//! ```

use super::looked::span_of;
use super::specification::Instead;
use super::view::View;
use endstep_report::report::exchange::Found;
use lsp_types::TextEdit;
use std::collections::BTreeMap;

/// The words that leave an order open.
const OPEN: &str = "in any order";

/// The changes that make the open order of a finding a reading; none if that gives no specification.
pub(super) fn as_reading(view: View<'_>, finding: &Found) -> Option<Vec<TextEdit>> {
    let place = finding.places.iter().flatten().next()?;
    let (path, range) = span_of(view.specification, place, view.encoding)?;
    let (text, lines) = view.specification.text(view.path)?;
    if path != view.path {
        return None;
    }
    let line = range.start.line as usize;
    let begin = lines.start(text, line);
    let at = begin + lines.line(text, line).find(OPEN)?;
    let (heading, indent, step) = above(view, line)?;
    let name = unused(text, &format!("order_in_{step}"));
    let reading = format!(
        "{indent}reading {name}\n{indent}  any \"in any order\"\n{indent}  fixed \"as they lie, from left to right\"\n"
    );
    let policy = format!("per {name} (any: {OPEN} | fixed: left to right)");
    let top = lines.start(text, heading);
    let mut after = text.to_owned();
    after.replace_range(at..at + OPEN.len(), &policy);
    after.insert_str(top, &reading);
    if !is_sound(view, after) {
        return None;
    }
    let edit = |bytes, new_text| {
        Some(TextEdit {
            range: view.bytes(bytes)?,
            new_text,
        })
    };
    Some(vec![
        edit(top..top, reading)?,
        edit(at..at + OPEN.len(), policy)?,
    ])
}

/// The line of the step or trigger in which a line stands: its number, how it is indented, and its name.
fn above(view: View<'_>, line: usize) -> Option<(usize, String, String)> {
    let (text, lines) = view.specification.text(view.path)?;
    (0..line).rev().find_map(|line| {
        let own = lines.line(text, line);
        let rest = own.trim_start();
        let mut words = rest.split_whitespace();
        if !matches!(words.next()?, "step" | "trigger") {
            return None;
        }
        let indent = own.get(..own.len() - rest.len())?;
        Some((line, indent.to_owned(), words.next()?.to_owned()))
    })
}

/// A name that stands nowhere in a text.
fn unused(text: &str, name: &str) -> String {
    let mut names = (1..).map(|number| match number {
        1 => name.to_owned(),
        _ => format!("{name}_{number}"),
    });
    names
        .find(|name| !text.contains(name.as_str()))
        .unwrap_or_default()
}

/// Whether the specification has a meaning with another text in this file.
fn is_sound(view: View<'_>, text: String) -> bool {
    let texts = BTreeMap::from([(view.path.to_owned(), text)]);
    let instead = Instead {
        texts: &texts,
        probe: None,
    };
    view.reread(instead).program.is_some()
}
