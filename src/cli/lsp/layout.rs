//! The one layout of specifications, as few changes.

use super::view::View;
use endstep_language::diag::has_errors;
use endstep_language::source::SourceId;
use endstep_language::syntax::{parse, print};
use lsp_types::TextEdit;

/// What has to change; nothing where the text has an error of syntax.
pub(super) fn edits(view: View<'_>) -> Option<Vec<TextEdit>> {
    let text = view.text();
    let parsed = parse(SourceId::default(), text);
    if has_errors(&parsed.diagnostics) {
        return None;
    }
    let printed = print(&parsed.file);
    // Line ends are the editor's.
    let printed = match text.contains("\r\n") {
        true => printed.replace('\n', "\r\n"),
        false => printed,
    };
    let (start, end, new_text) = difference(text, &printed);
    if start == end && new_text.is_empty() {
        return Some(Vec::new());
    }
    Some(vec![TextEdit {
        range: view.bytes(start..end)?,
        new_text: new_text.to_owned(),
    }])
}

/// Where two texts differ: from where to where in the first, and what stands there in the second.
fn difference<'n>(old: &str, new: &'n str) -> (usize, usize, &'n str) {
    let common = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b);
    let start = old.floor_char_boundary(common.count());
    let start = new.floor_char_boundary(start);
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let backwards = old_rest.bytes().rev().zip(new_rest.bytes().rev());
    let equal = backwards.take_while(|(a, b)| a == b).count();
    let end = old_rest.ceil_char_boundary(old_rest.len() - equal);
    let same = old_rest.len() - end;
    (start, start + end, &new_rest[..new_rest.len() - same])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::{prop_assert, prop_assert_eq, proptest};

    proptest! {
        #[test]
        fn what_is_put_there_makes_the_new_text(old in "[aé\n]{0,9}", new in "[aé\n]{0,9}") {
            let (start, end, text) = difference(&old, &new);
            prop_assert_eq!(format!("{}{text}{}", &old[..start], &old[end..]), new.clone());
            prop_assert!(old != new || start == end && text.is_empty());
        }
    }
}
