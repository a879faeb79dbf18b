//! The questions that the sentences of a rules text raise.
//!
//! ```text
//! All players must discard down to a maximum hand size of five cards.
//! ~~~~~~~~~~~  turns: in which order, or all at the same time?
//! ```
//!
//! Each pattern of the [catalogue](CATALOGUE) is something that rulebooks leave open, with the words by which it shows. No
//! specification is needed, and nothing is known of what the words mean: a question may have its answer in another
//! sentence.
//!
//! *Background.* D. M. Berry, E. Kamsties, M. M. Krieger, From contract drafting to software specification: linguistic
//! sources of ambiguity, 2003 ("all", "each", plurals, "only", "may"). A. Fantechi, S. Gnesi, G. Lami, A. Maccari,
//! Applications of linguistic techniques for use case analysis (QuARS), Requirements Engineering 8, 2003 (lexical signs of
//! vagueness, optionality, weakness). H. Femmer, D. Méndez Fernández, S. Wagner, S. Eder, Rapid quality assurance with
//! requirements smells, JSS 123, 2017 (precision of such signs).
//!
//! *Guarantees.* The same text gives the same questions in the same order; each of a sentence is asked once.

mod catalogue;

pub use catalogue::{CATALOGUE, Pattern};

use crate::coverage::{Sentence, SentenceKind};
use regex::{Regex, RegexBuilder};
use std::ops::Range;

/// A question that a sentence raises.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// What is open.
    pub pattern: &'static Pattern,
    /// The words by which it shows: their bytes in the text of the sentence.
    pub sign: Range<usize>,
}

/// A sentence with its questions, in order of their places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked<'s> {
    /// The sentence.
    pub sentence: &'s Sentence,
    /// At least one.
    pub questions: Vec<Question>,
}

impl Asked<'_> {
    /// Without the questions that are seldom worth asking; `None` if there are no others.
    pub fn usual(mut self) -> Option<Self> {
        self.questions.retain(|one| one.pattern.usual);
        (!self.questions.is_empty()).then_some(self)
    }
}

/// Signs, ready to be looked for.
struct Sign {
    pattern: &'static Pattern,
    sign: Regex,
    unless: Option<Regex>,
    answered: Option<Regex>,
    under: Option<Regex>,
}

/// The sentences of a text that raise questions, also those that are seldom worth asking.
pub fn questions(sentences: &[Sentence]) -> Vec<Asked<'_>> {
    let signs: Vec<Sign> = CATALOGUE.iter().filter_map(Sign::of).collect();
    let said = sentences
        .iter()
        .filter(|one| one.kind == SentenceKind::Sentence);
    let said: Vec<&Sentence> = said.collect();
    let asked = said.iter().enumerate().map(|(at, &sentence)| {
        let next = &said[at + 1..said.len().min(at + 3)];
        let found = signs.iter().filter_map(|sign| sign.asks(sentence, next));
        let mut questions: Vec<Question> = found.collect();
        questions.sort_by_key(|one| one.sign.start);
        Asked {
            sentence,
            questions,
        }
    });
    asked.filter(|one| !one.questions.is_empty()).collect()
}

impl Sign {
    /// `None` of what is no regular expression, which a test rules out.
    fn of(pattern: &'static Pattern) -> Option<Self> {
        let regex = |text: &str| RegexBuilder::new(text).case_insensitive(true).build().ok();
        let optional = |text: &str| match text {
            "" => Some(None),
            text => regex(text).map(Some),
        };
        Some(Self {
            pattern,
            sign: regex(pattern.sign)?,
            unless: optional(pattern.unless)?,
            answered: optional(pattern.answered)?,
            under: optional(pattern.under)?,
        })
    }

    /// What is asked of a sentence, before those that come next.
    fn asks(&self, sentence: &Sentence, next: &[&Sentence]) -> Option<Question> {
        let sign = self.sign.find(&sentence.text)?.range();
        let says = |regex: &Option<Regex>, text: &str| {
            regex.as_ref().is_some_and(|one| one.is_match(text))
        };
        let mut next = next.iter();
        let is_answered = says(&self.unless, &sentence.text)
            || says(&self.under, &sentence.heading)
            || next.any(|one| says(&self.answered, &one.text));
        // Summaries and licences in capitals say nothing new.
        let is_shouted = !sentence.text.chars().any(char::is_lowercase);
        (!is_answered && !is_shouted).then_some(Question {
            pattern: self.pattern,
            sign,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::split;

    #[test]
    fn every_pattern_is_found_in_its_example() {
        for pattern in &CATALOGUE {
            let sentences = split(pattern.example);
            let found = questions(&sentences);
            let mut all = found.iter().flat_map(|one| &one.questions);
            assert!(
                all.any(|one| one.pattern == pattern),
                "{}: {sentences:?}",
                pattern.name
            );
            assert!(Sign::of(pattern).is_some(), "{}", pattern.name);
        }
    }

    #[test]
    fn names_are_distinct_and_questions_are_questions() {
        let mut names: Vec<&str> = CATALOGUE.iter().map(|one| one.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), CATALOGUE.len());
        for pattern in &CATALOGUE {
            assert!(pattern.question.ends_with('?'), "{}", pattern.name);
        }
    }

    #[test]
    fn what_the_sentence_answers_is_not_asked() {
        let asks = |text: &str| {
            let sentences = split(text);
            questions(&sentences)
                .into_iter()
                .any(|one| one.usual().is_some())
        };
        assert!(asks(
            "Draw two cards from the deck that lies in the middle."
        ));
        assert!(!asks(
            "Draw two cards from the deck. If there are none, shuffle the discards."
        ));
        assert!(!asks(
            "Setup\n\nDraw two cards from the deck that lies in the middle."
        ));
        assert!(asks(
            "Move half of the units to the harbour of your colour."
        ));
        assert!(!asks(
            "Move half of the units, rounded up, to the harbour of your colour."
        ));
        assert!(!asks("The board has nine spaces."));
    }
}
