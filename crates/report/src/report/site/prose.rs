//! Sentences as HTML: what stands between backticks is code.

use maud::{Markup, html};

/// A sentence or paragraph.
pub(super) fn prose(text: &str) -> Markup {
    let pieces: Vec<&str> = text.split('`').collect();
    // A lone backtick is one.
    if pieces.len().is_multiple_of(2) {
        return html! { (text) };
    }
    html! {
        @for (at, piece) in pieces.iter().enumerate() {
            @if at % 2 == 0 { (piece) } @else if piece.is_empty() { "``" } @else { code { (piece) } }
        }
    }
}

/// A sentence of which what stands between asterisks is emphasised; not for texts of specifications.
pub(super) fn emphasised(text: &str) -> Markup {
    html! {
        @for (at, piece) in text.split('*').enumerate() {
            @if at % 2 == 0 { (piece) } @else { em { (piece) } }
        }
    }
}

/// Lines as a list.
pub(super) fn list(lines: &[String]) -> Markup {
    html! { ul { @for line in lines { li { (prose(line)) } } } }
}

/// The first sentence of a paragraph; what ends in a full stop before a space and a capital letter, if
/// no quotation or code is open there.
pub(super) fn first_sentence(text: &str) -> &str {
    let (mut quoted, mut code) = (false, false);
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' if !code => quoted = !quoted,
            '`' => code = !code,
            '.' if !quoted && !code && letters.peek().is_none_or(|(_, next)| *next == ' ') => {
                return text.get(..=at).unwrap_or(text);
            }
            _ => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_between_backticks_is_code() {
        assert_eq!(
            prose("a `b` <c>").into_string(),
            "a <code>b</code> &lt;c&gt;"
        );
        assert_eq!(prose("a ` b").into_string(), "a ` b");
        assert_eq!(prose("a `` b").into_string(), "a `` b");
    }

    #[test]
    fn a_sentence_ends_at_a_full_stop() {
        assert_eq!(first_sentence("One. Two."), "One.");
        let quoted = "It says \"One. Two.\" (claim a.b: `x. y`). Three.";
        assert_eq!(
            first_sentence(quoted),
            "It says \"One. Two.\" (claim a.b: `x. y`)."
        );
        assert_eq!(first_sentence("no end"), "no end");
    }
}
