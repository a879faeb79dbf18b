//! Characters that a terminal would obey, by their numbers.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a terminal would do something else with a character than show it. The controls C0, DEL and C1,
/// and those that turn the direction of writing.
fn is_obeyed(one: char) -> bool {
    match one {
        '\n' | '\t' => false,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        _ => one.is_control(),
    }
}

/// Whether a text has characters that are escaped.
pub(super) fn is_plain(text: &str) -> bool {
    !text.contains(is_obeyed)
}

/// The text with escapes in place of control characters.
pub(super) fn escaped(text: &str) -> Cow<'_, str> {
    with(text, &|out, one| {
        let _ = write!(out, "\\u{{{:x}}}", u32::from(one));
    })
}

pub(super) fn with<'t>(text: &'t str, escape: &dyn Fn(&mut String, char)) -> Cow<'t, str> {
    if is_plain(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for one in text.chars() {
        match is_obeyed(one) {
            true => escape(&mut out, one),
            false => out.push(one),
        }
    }
    Cow::Owned(out)
}
