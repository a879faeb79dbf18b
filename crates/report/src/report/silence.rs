//! That the document does not say something, in the words of a gap.
//!
//! ```text
//! of which type the counters are      the document does not say of which type the counters are
//! nothing is said of ties             the document is silent here: "nothing is said of ties"
//! ```

use super::words::{Words, alike};
use endstep_language::typing::program::GapId;

impl Words<'_> {
    /// Whether another gap has the same text.
    pub(super) fn has_twin(self, id: GapId) -> bool {
        let text = |id: GapId| alike(&self.program.gaps[id].text);
        let mut others = self.program.gaps.ids().filter(|&other| other != id);
        others.any(|other| text(other) == text(id))
    }

    /// That the document says nothing of something, as the end of a sentence: what the text of the gap asks, where it is
    /// a question, else that text in quotation marks.
    pub(super) fn silence(self, id: GapId) -> String {
        let text = &self.program.gaps[id].text;
        let text = text.trim_end_matches(['.', '?']);
        let asked = text.strip_suffix(" is not said").unwrap_or(text);
        let is_one = !asked.contains(['.', '!', '?', ';', ':', ',', '"']);
        match asks(asked) && is_one && !self.has_twin(id) {
            true => format!("the document does not say {}", small(asked)),
            false => format!("the document is silent here: {}", self.gap(id)),
        }
    }
}

/// Whether a text is a question without its mark: `of which type the counters are`.
fn asks(text: &str) -> bool {
    const ASKING: [&str; 10] = [
        "what", "who", "whom", "whose", "which", "where", "when", "how", "whether", "why",
    ];
    const BEFORE: [&str; 12] = [
        "of", "in", "by", "to", "from", "for", "at", "on", "with", "after", "before", "until",
    ];
    let mut words = text.split_whitespace().map(str::to_lowercase);
    let mut next = words.next();
    if next.as_deref().is_some_and(|word| BEFORE.contains(&word)) {
        next = words.next();
    }
    next.is_some_and(|word| ASKING.contains(&word.as_str()))
}

/// The text with a small letter at its beginning.
fn small(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => format!("{}{}", first.to_lowercase(), letters.as_str()),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_told_from_statements() {
        for text in [
            "what happens then",
            "Whether both draw",
            "of which type they are",
            "by whom",
        ] {
            assert!(asks(text), "{text}");
        }
        for text in [
            "nothing is said of ties",
            "of the two",
            "",
            "If so, what then",
        ] {
            assert!(!asks(text), "{text}");
        }
    }
}
