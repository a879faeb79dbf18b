//! Guesses which clauses speak for a sentence, when nobody has said so yet.
//!
//! A locator such as `The Cleanup Step, 4` names the heading and the number of a
//! list item; a paraphrase shares words with what it paraphrases; and clauses
//! mostly stand in the order of the text. Places and words give points, and those
//! clauses and sentences are tied that have most points while both keep their order:
//!
//! ```text
//! sentence  [4] under "The Cleanup Step": Afterlife effects are triggered.
//! clause    at "The Cleanup Step, 4" says "The afterlife of each destroyed creature is triggered."
//! points    heading 2, item 2, words 1.5
//! ```
//!
//! *Limits*: these are guesses. They are written to the record, where they are
//! corrected by hand; a wrong tie is worse than a missing one, so that a sentence
//! without a good candidate stays untied. Of very many sentences and clauses nothing is guessed.

use super::{ClauseStatus, Sentence, SentenceKind};
use std::collections::{BTreeMap, BTreeSet};

/// Points from which on a clause is tied to a sentence wherever it stands.
const ENOUGH: f64 = 2.2;

/// Points that a clause may have fewer than the best one of a sentence.
const NEAR: f64 = 0.4;

/// Points from which on a clause is tied to a sentence at the same place in the order.
const IN_ORDER: f64 = 0.3;

/// Texts with more pairs of sentences and clauses than this are not put in order.
const MOST_PAIRS: usize = 4_000_000;

/// With more pairs than this nothing is guessed.
const MOST_POINTS: usize = 20_000_000;

/// For each sentence the ids of the clauses that seem to speak for it: the clauses
/// and sentences that fit best while both keep their order, and then whatever fits
/// very well.
pub(super) fn propose(sentences: &[Sentence], clauses: &[ClauseStatus]) -> Vec<Vec<String>> {
    if sentences.len().saturating_mul(clauses.len()) > MOST_POINTS {
        return vec![Vec::new(); sentences.len()];
    }
    let rarity = Rarity::of(sentences);
    let clauses: Vec<Candidate> = clauses.iter().map(Candidate::new).collect();
    let points: Vec<Vec<f64>> = sentences
        .iter()
        .map(|sentence| {
            let all = clauses.iter();
            all.map(|clause| clause.points(sentence, &rarity)).collect()
        })
        .collect();
    let in_order = in_order(&points, clauses.len());
    let is_free = |at: &usize| !in_order.contains(&Some(*at));
    let mut proposed = Vec::new();
    for ((sentence, points), ordered) in sentences.iter().zip(&points).zip(&in_order) {
        if sentence.kind == SentenceKind::Heading {
            proposed.push(Vec::new());
            continue;
        }
        let fitting = fitting(points);
        let free: Vec<usize> = fitting.iter().copied().filter(is_free).collect();
        let mut chosen = match ordered {
            // A clause that found its sentence is no candidate for others that found theirs.
            Some(at) => [vec![*at], free].concat(),
            None if free.is_empty() => fitting,
            None => free,
        };
        if chosen.is_empty() {
            // Whatever the order: who says the same words says this.
            let same = clauses.iter().enumerate();
            let same = same.filter(|(_, clause)| clause.is_word_for_word(sentence));
            chosen.extend(same.map(|(at, _)| at));
        }
        chosen.sort_unstable();
        let ids = chosen.iter().map(|&at| clauses[at].id.to_owned());
        proposed.push(ids.collect());
    }
    proposed
}

/// The clauses that fit a sentence very well, by their points.
fn fitting(points: &[f64]) -> Vec<usize> {
    let best = points.iter().fold(f64::MIN, |best, &one| best.max(one));
    let all = points.iter().enumerate();
    let good = all.filter(|(_, points)| **points >= ENOUGH && **points >= best - NEAR);
    good.map(|(at, _)| at).collect()
}

/// For each sentence at most one clause, so that both keep their order and the sum
/// of the points is the largest possible (alignment by dynamic programming).
fn in_order(points: &[Vec<f64>], clauses: usize) -> Vec<Option<usize>> {
    let rows = points.len();
    if rows * clauses > MOST_PAIRS {
        return vec![None; rows];
    }
    // best[i][j]: the sum for the first i sentences and j clauses.
    let mut best = vec![vec![0.0_f64; clauses + 1]; rows + 1];
    let worth = |row: usize, at: usize| (points[row][at] - IN_ORDER).max(0.0);
    for row in 0..rows {
        for at in 0..clauses {
            let skip = best[row][at + 1].max(best[row + 1][at]);
            best[row + 1][at + 1] = skip.max(best[row][at] + worth(row, at));
        }
    }
    let mut chosen = vec![None; rows];
    let (mut row, mut at) = (rows, clauses);
    while row > 0 && at > 0 {
        let here = best[row][at];
        if here <= best[row - 1][at] {
            row -= 1;
        } else if here <= best[row][at - 1] {
            at -= 1;
        } else {
            (row, at) = (row - 1, at - 1);
            chosen[row] = Some(at);
        }
    }
    chosen
}

/// How telling words are: rare ones tell more.
struct Rarity(BTreeMap<String, f64>);

impl Rarity {
    fn of(sentences: &[Sentence]) -> Self {
        let mut counts = BTreeMap::new();
        for sentence in sentences {
            for word in words(&sentence.text) {
                *counts.entry(word).or_insert(0.0) += 1.0;
            }
        }
        let total = sentences.len().max(1) as f64;
        let weigh = |(word, count): (String, f64)| (word, (1.0 + total / count).ln());
        Self(counts.into_iter().map(weigh).collect())
    }

    /// The weight of words; unknown ones weigh little, as paraphrases have them.
    fn weight<'w>(&self, words: impl Iterator<Item = &'w String>) -> f64 {
        words.map(|word| self.0.get(word).unwrap_or(&0.5)).sum()
    }
}

/// A clause, prepared for comparison.
struct Candidate<'c> {
    id: &'c str,
    locator: Locator,
    says: BTreeSet<String>,
    text: &'c str,
}

impl<'c> Candidate<'c> {
    fn is_word_for_word(&self, sentence: &Sentence) -> bool {
        let bare = |text: &str| -> Vec<String> {
            let words = text.split(|c: char| !c.is_alphanumeric());
            let words = words.filter(|word| !word.is_empty());
            words.map(str::to_lowercase).collect()
        };
        let said = bare(self.text);
        !said.is_empty() && said == bare(&sentence.text)
    }

    fn new(clause: &'c ClauseStatus) -> Self {
        Self {
            id: &clause.id,
            locator: Locator::new(&clause.locator),
            says: words(&clause.says),
            text: &clause.says,
        }
    }

    fn points(&self, sentence: &Sentence, rarity: &Rarity) -> f64 {
        if sentence.kind == SentenceKind::Heading {
            return 0.0;
        }
        self.place_points(sentence) + self.word_points(sentence, rarity)
    }

    /// What the locator says about where the sentence stands.
    fn place_points(&self, sentence: &Sentence) -> f64 {
        let mut points = 0.0;
        if let Some((from, to)) = self.locator.lines {
            let meets = from <= sentence.lines.1 && sentence.lines.0 <= to;
            points += if meets { 3.0 } else { -3.0 };
        }
        let heading: BTreeSet<String> = tokens(&sentence.heading).collect();
        if !heading.is_empty() {
            let found = heading.intersection(&self.locator.words).count();
            points += 2.0 * found as f64 / heading.len() as f64;
        }
        let agrees = |named: Option<u32>, is: Option<u32>, plus: f64, minus: f64| match named {
            Some(_) if named == is => plus,
            Some(_) => -minus,
            None => 0.0,
        };
        let item = sentence.item.as_ref().and_then(|item| item.parse().ok());
        points += agrees(self.locator.item, item, 2.0, 2.0);
        points += agrees(self.locator.paragraph, Some(sentence.paragraph), 0.7, 0.3);
        points += agrees(self.locator.sentence, Some(sentence.ordinal), 0.5, 0.1);
        points
    }

    /// How much of the smaller of the two the sentence and the paraphrase share.
    fn word_points(&self, sentence: &Sentence, rarity: &Rarity) -> f64 {
        let theirs = words(&sentence.text);
        let shared = rarity.weight(theirs.intersection(&self.says));
        let whole = rarity
            .weight(theirs.iter())
            .min(rarity.weight(self.says.iter()));
        if whole == 0.0 {
            return 0.0;
        }
        3.0 * shared / whole.max(3.0)
    }
}

/// What a locator names: `The Cleanup Step, 4, second sentence`.
#[derive(Default)]
struct Locator {
    words: BTreeSet<String>,
    lines: Option<(u32, u32)>,
    paragraph: Option<u32>,
    sentence: Option<u32>,
    item: Option<u32>,
}

impl Locator {
    fn new(text: &str) -> Self {
        const ORDINALS: [&str; 6] = ["first", "second", "third", "fourth", "fifth", "sixth"];
        let tokens: Vec<String> = tokens(text).collect();
        let number = |at: usize| tokens.get(at)?.parse::<u32>().ok();
        let ordinal = |at: usize| {
            let before = tokens.get(at.checked_sub(1)?)?;
            let found = ORDINALS.iter().position(|one| one == before)?;
            Some(found as u32 + 1)
        };
        let mut locator = Self::default();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            let counted = number(at + 1).or_else(|| ordinal(at));
            match token.as_str() {
                "line" | "lines" => {
                    let skip = usize::from(tokens.get(at + 2).is_some_and(|word| word == "to"));
                    let (from, to) = (number(at + 1), number(at + 2 + skip));
                    let end = |from| to.filter(|&to| to >= from).unwrap_or(from);
                    locator.lines = from.map(|from| (from, end(from)));
                    at += if to.is_some() { 2 + skip } else { 0 };
                }
                "paragraph" => locator.paragraph = counted,
                "sentence" => locator.sentence = counted,
                "item" | "step" | "point" if number(at + 1).is_some() => locator.item = counted,
                _ => {
                    if let Some(number) = number(at) {
                        locator.item = Some(number);
                    }
                    locator.words.insert(token.clone());
                    at += 1;
                    continue;
                }
            }
            locator.words.insert(token.clone());
            at += if number(at + 1).is_some() { 2 } else { 1 };
        }
        locator
    }
}

/// Words and numbers in lower case.
fn tokens(text: &str) -> impl Iterator<Item = String> + '_ {
    let pieces = text.split(|one: char| !one.is_alphanumeric());
    pieces.filter(|one| !one.is_empty()).map(str::to_lowercase)
}

/// Words that say what it is about, without their endings.
fn words(text: &str) -> BTreeSet<String> {
    const EMPTY: [&str; 44] = [
        "the", "a", "an", "of", "to", "in", "on", "at", "and", "or", "is", "are", "be", "been",
        "it", "its", "that", "this", "these", "those", "with", "for", "from", "by", "as", "if",
        "then", "any", "all", "each", "will", "which", "who", "was", "were", "their", "they",
        "you", "your", "may", "can", "when", "after", "not",
    ];
    let telling = tokens(text).filter(|one| !EMPTY.contains(&one.as_str()));
    telling.map(|one| stem(&one)).collect()
}

/// A word without its most common English endings.
fn stem(word: &str) -> String {
    let enough = |rest: &&str| rest.chars().count() >= 4;
    let endings = ["ing", "ed", "es", "s"];
    let mut cut = endings.iter().filter_map(|end| word.strip_suffix(end));
    let rest = cut.find(enough).unwrap_or(word);
    rest.strip_suffix('e')
        .filter(enough)
        .unwrap_or(rest)
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::{ClauseState, split};
    use endstep_language::source::Span;
    use endstep_language::syntax::ast::ClauseKind;

    const TEXT: &str = "\
The Cleanup Step

The following steps occur:

  1. Creatures and relics with 0 health are destroyed.
  2. Spell cards are pulled from the board.
     The Void is the graveyard.
  3. Afterlife effects are triggered.

Final Phases

  1. Resolve all effects of the end of turn.
";

    fn clause(id: &str, locator: &str, says: &str) -> ClauseStatus {
        ClauseStatus {
            id: id.to_owned(),
            document: None,
            kind: ClauseKind::Rule,
            locator: locator.to_owned(),
            says: says.to_owned(),
            state: ClauseState::Formalised,
            reason: None,
            span: Span::default(),
        }
    }

    fn tied(clauses: &[ClauseStatus]) -> Vec<(String, Vec<String>)> {
        let sentences = split(TEXT);
        let proposed = propose(&sentences, clauses);
        let ties = sentences.iter().map(Sentence::beginning).zip(proposed);
        ties.filter(|(_, ids)| !ids.is_empty()).collect()
    }

    #[test]
    fn locators_and_words_find_the_sentence() {
        let clauses = [
            clause(
                "c.1",
                "The Cleanup Step, 1",
                "Everything with no health is destroyed.",
            ),
            clause("c.2", "The Cleanup Step, 2", "Spells leave the board."),
            clause("c.3", "The Cleanup Step, 3", "Each afterlife is triggered."),
            clause(
                "f.1",
                "Final Phases, 1",
                "Effects of the turn's end are resolved.",
            ),
        ];
        let found = tied(&clauses);
        let ids: Vec<_> = found.iter().flat_map(|(_, ids)| ids.clone()).collect();
        assert!(
            ids.starts_with(&["c.1".to_owned(), "c.2".to_owned()]),
            "{found:?}"
        );
        assert!(
            ids.ends_with(&["c.3".to_owned(), "f.1".to_owned()]),
            "{found:?}"
        );
        assert!(
            !found
                .iter()
                .any(|(begins, _)| begins.starts_with("The following"))
        );
    }

    #[test]
    fn lines_in_a_locator_are_believed() {
        let found = tied(&[clause(
            "x",
            "lines 5 to 6",
            "Something quite unlike the text.",
        )]);
        let begins: Vec<_> = found.iter().map(|(begins, _)| begins.as_str()).collect();
        assert_eq!(
            begins,
            [
                "Creatures and relics with 0 …",
                "Spell cards are pulled from …"
            ]
        );
    }

    #[test]
    fn a_clause_that_fits_nothing_is_tied_to_nothing() {
        assert_eq!(tied(&[clause("x", "Setup", "Shuffle the deck.")]), []);
        assert_eq!(tied(&[]), []);
    }
}
