//! Compares a rules text with the record of ties: which sentences are covered,
//! changed, new or gone.
//!
//! Sentences are found again by their hash, wherever they moved. What is left
//! over on both sides, between the same neighbours, is a sentence that changed:
//!
//! ```text
//! record  A  B  C        text  A  B'  C   ->  B changed to B'
//! record  A  B  C        text  A  C       ->  B vanished
//! record  A  C           text  A  B  C    ->  B is new
//! ```

use super::propose::propose;
use super::{ClauseState, Clauses, Sentence, SentenceKind, Tie, TiedText};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// What is wrong with a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// No clause speaks for it, and nothing says that none has to.
    Uncovered,
    /// It read otherwise when it was tied; its first words then, and its lines.
    Changed(String, (u32, u32)),
    /// It is tied to ids that no clause has.
    Unknown(Vec<String>),
}

/// A sentence of the text, and what speaks for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SentenceAccount {
    /// The sentence.
    pub sentence: Sentence,
    /// The clauses tied to it.
    pub clauses: Vec<String>,
    /// Why it needs no clause.
    pub skip: Option<String>,
    /// What is wrong with it, if anything.
    pub problem: Option<Problem>,
}

/// What is covered of a text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TextAccount {
    /// All sentences that are no headings, in order.
    pub sentences: Vec<SentenceAccount>,
    /// Ties whose sentence is gone.
    pub vanished: Vec<Tie>,
    /// Clauses tied to no sentence.
    pub untied: Vec<String>,
}

impl TextAccount {
    /// The sentences with a problem.
    pub fn problems(&self) -> impl Iterator<Item = &SentenceAccount> {
        let all = self.sentences.iter();
        all.filter(|account| account.problem.is_some())
    }

    /// Whether every sentence is covered as it stands, and none is gone.
    pub fn is_complete(&self) -> bool {
        self.vanished.is_empty() && self.problems().next().is_none()
    }
}

/// The account of a text by its record.
pub fn account(sentences: &[Sentence], tied: &TiedText, clauses: &Clauses) -> TextAccount {
    let sentences = covered_kind(sentences);
    let matched = find_again(&tied.sentences, &sentences);
    let known: BTreeSet<&str> = clauses
        .all
        .iter()
        .map(|clause| clause.id.as_str())
        .collect();
    let mut accounts: Vec<SentenceAccount> = Vec::new();
    for (index, sentence) in sentences.iter().enumerate() {
        let tie = matched.tie_of[index].and_then(|at| tied.sentences.get(at));
        accounts.push(judge(sentence, tie, &known));
    }
    let vanished = matched.vanished.iter();
    let vanished = vanished.filter_map(|&at| tied.sentences.get(at).cloned());
    let tied = accounts.iter().flat_map(|account| &account.clauses);
    let tied: BTreeSet<&str> = tied.map(String::as_str).collect();
    let is_tied = |id: &str| tied.contains(id);
    let untied = clauses.all.iter().filter(|clause| !is_tied(&clause.id));
    let untied = untied.map(|clause| clause.id.clone()).collect();
    TextAccount {
        untied,
        vanished: vanished.collect(),
        sentences: accounts,
    }
}

/// The record of a text: ties that it had are kept, also by sentences that
/// changed; ties of vanished sentences are dropped; new sentences get the clauses
/// that seem to speak for them.
pub fn update(
    sentences: &[Sentence],
    old: Option<&TiedText>,
    fresh: TiedText,
    clauses: &Clauses,
) -> TiedText {
    let proposed = propose(sentences, &clauses.all);
    let is_covered =
        |(sentence, _): &(&Sentence, Vec<String>)| sentence.kind != SentenceKind::Heading;
    let (sentences, proposed): (Vec<&Sentence>, Vec<Vec<String>>) =
        sentences.iter().zip(proposed).filter(is_covered).unzip();
    let none = Vec::new();
    let ties = old.map_or(&none, |old| &old.sentences);
    let matched = find_again(ties, &sentences);
    let new_tie = |(index, proposed): (usize, Vec<String>)| {
        let sentence = sentences[index];
        let mut tie = Tie::untied(sentence);
        match matched.tie_of[index].and_then(|at| ties.get(at)) {
            Some(known) => {
                tie.clauses.clone_from(&known.clauses);
                tie.skip.clone_from(&known.skip);
            }
            None => tie.clauses = proposed,
        }
        tie
    };
    let sentences = proposed.into_iter().enumerate().map(new_tie).collect();
    TiedText { sentences, ..fresh }
}

fn covered_kind(sentences: &[Sentence]) -> Vec<&Sentence> {
    let kept = sentences.iter();
    kept.filter(|one| one.kind != SentenceKind::Heading)
        .collect()
}

fn judge(sentence: &Sentence, tie: Option<&Tie>, known: &BTreeSet<&str>) -> SentenceAccount {
    let mut account = SentenceAccount {
        sentence: sentence.clone(),
        clauses: tie.map_or_else(Vec::new, |tie| tie.clauses.clone()),
        skip: tie.and_then(|tie| tie.skip.clone()),
        problem: None,
    };
    let unknown: Vec<String> = account
        .clauses
        .iter()
        .filter(|id| !known.contains(id.as_str()))
        .cloned()
        .collect();
    account.problem = match tie {
        _ if !unknown.is_empty() => Some(Problem::Unknown(unknown)),
        Some(tie) if tie.hash != sentence.hash() => {
            Some(Problem::Changed(tie.begins.clone(), tie.lines))
        }
        _ if account.clauses.is_empty() && account.skip.is_none() => Some(Problem::Uncovered),
        _ => None,
    };
    account
}

/// Which tie belongs to which sentence.
struct Matched {
    /// By sentence.
    tie_of: Vec<Option<usize>>,
    /// Ties without a sentence.
    vanished: Vec<usize>,
}

fn find_again(ties: &[Tie], sentences: &[&Sentence]) -> Matched {
    let mut places: BTreeMap<String, VecDeque<usize>> = BTreeMap::new();
    for (at, sentence) in sentences.iter().enumerate() {
        places.entry(sentence.hash()).or_default().push_back(at);
    }
    let mut tie_of = vec![None; sentences.len()];
    let mut place_of = vec![None; ties.len()];
    for (at, tie) in ties.iter().enumerate() {
        let place = places.get_mut(&tie.hash).and_then(VecDeque::pop_front);
        if let Some(place) = place {
            tie_of[place] = Some(at);
            place_of[at] = Some(place);
        }
    }
    let mut vanished = Vec::new();
    let new = leftovers(&tie_of, Some);
    for (neighbour, gone) in leftovers(&place_of, |tie: usize| place_of[tie]) {
        let fresh = new.get(&neighbour).map_or(&[][..], |places| places);
        vanished.extend(pair(&gone, fresh, ties, sentences, &mut tie_of));
    }
    vanished.sort_unstable();
    Matched { tie_of, vanished }
}

/// The positions without a partner, by the place in the text of the nearest
/// position before them that has one.
fn leftovers(
    partners: &[Option<usize>],
    place: impl Fn(usize) -> Option<usize>,
) -> BTreeMap<Option<usize>, Vec<usize>> {
    let mut found: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
    let mut neighbour = None;
    for (at, partner) in partners.iter().enumerate() {
        match partner {
            Some(_) => neighbour = place(at),
            None => found.entry(neighbour).or_default().push(at),
        }
    }
    found
}

/// Pairs ties with new sentences at the same spot: those that begin alike, and
/// then, if equally many are left, in order. Returns the ties that found none.
fn pair(
    gone: &[usize],
    fresh: &[usize],
    ties: &[Tie],
    sentences: &[&Sentence],
    tie_of: &mut [Option<usize>],
) -> Vec<usize> {
    let mut left = Vec::new();
    for &tie in gone {
        let alike = |place: &&usize| {
            tie_of[**place].is_none() && begin_alike(&ties[tie].begins, &sentences[**place].text)
        };
        match fresh.iter().find(alike) {
            Some(&place) => tie_of[place] = Some(tie),
            None => left.push(tie),
        }
    }
    let open: Vec<usize> = fresh
        .iter()
        .copied()
        .filter(|&place| tie_of[place].is_none())
        .collect();
    if open.len() != left.len() {
        return left;
    }
    for (place, tie) in open.into_iter().zip(left) {
        tie_of[place] = Some(tie);
    }
    Vec::new()
}

/// Whether most of the first words are the same.
fn begin_alike(begins: &str, text: &str) -> bool {
    let words: Vec<&str> = begins.trim_end_matches(" …").split(' ').collect();
    let same = words.iter().zip(text.split(' ')).filter(|(a, b)| *a == b);
    2 * same.count() > words.len()
}

impl Clauses {
    /// Whether some clause with this id is formalised or waived.
    pub fn is_settled(&self, id: &str) -> bool {
        let mut all = self.all.iter();
        all.any(|clause| clause.id == id && clause.state != ClauseState::Missing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::{ClauseStatus, split};
    use endstep_language::source::Span;
    use endstep_language::syntax::ast::ClauseKind;

    const TEXT: &str =
        "Setup\n\nShuffle the deck. Deal five cards to everybody. The oldest begins.";

    fn clauses() -> Clauses {
        let clause = |id: &str, says: &str| ClauseStatus {
            id: id.to_owned(),
            document: None,
            kind: ClauseKind::Rule,
            locator: "Setup".to_owned(),
            says: says.to_owned(),
            state: ClauseState::Formalised,
            reason: None,
            span: Span::default(),
        };
        let all = vec![
            clause("s.1", "The deck is shuffled."),
            clause("s.2", "Everybody is dealt five cards."),
        ];
        Clauses { all }
    }

    fn fresh() -> TiedText {
        TiedText {
            document: None,
            source: "rules.txt".to_owned(),
            sentences: Vec::new(),
        }
    }

    fn recorded() -> TiedText {
        update(&split(TEXT), None, fresh(), &clauses())
    }

    fn problems(text: &str) -> Vec<(String, Problem)> {
        let account = account(&split(text), &recorded(), &clauses());
        let problem =
            |one: &SentenceAccount| Some((one.sentence.beginning(), one.problem.clone()?));
        account.sentences.iter().filter_map(problem).collect()
    }

    #[test]
    fn a_first_record_ties_what_fits() {
        let ties: Vec<_> = recorded()
            .sentences
            .into_iter()
            .map(|tie| tie.clauses)
            .collect();
        assert_eq!(
            ties,
            [vec!["s.1".to_owned()], vec!["s.2".to_owned()], vec![]]
        );
        let begins = "The oldest begins.".to_owned();
        assert_eq!(problems(TEXT), [(begins, Problem::Uncovered)]);
    }

    #[test]
    fn a_changed_sentence_keeps_its_ties_until_the_record_is_updated() {
        let edited = TEXT.replace("five", "six");
        let found = problems(&edited);
        let was = Problem::Changed("Deal five cards to everybody.".to_owned(), (3, 3));
        assert_eq!(
            found.first(),
            Some(&("Deal six cards to everybody.".to_owned(), was))
        );
        let updated = update(&split(&edited), Some(&recorded()), fresh(), &clauses());
        assert_eq!(updated.sentences[1].clauses, ["s.2"]);
        let account = account(&split(&edited), &updated, &clauses());
        assert_eq!(account.problems().count(), 1);
    }

    #[test]
    fn sentences_that_vanish_move_or_are_new_are_told_apart() {
        let moved = "Setup\n\nThe oldest begins. A new one.\n\nShuffle the deck. Deal five cards to everybody.";
        let found: Vec<_> = problems(moved)
            .into_iter()
            .map(|(_, problem)| problem)
            .collect();
        assert_eq!(found, [Problem::Uncovered, Problem::Uncovered]);
        let shorter = "Shuffle the deck. The oldest begins.";
        let account = account(&split(shorter), &recorded(), &clauses());
        assert_eq!(account.vanished.len(), 1);
        assert_eq!(account.untied, ["s.2"]);
        assert!(!account.is_complete());
    }

    #[test]
    fn a_tie_to_a_clause_that_is_not_there_covers_nothing() {
        let mut record = recorded();
        record.sentences[2].clauses.push("s.9".to_owned());
        let account = account(&split(TEXT), &record, &clauses());
        let problem = account.sentences[2].problem.clone();
        assert_eq!(problem, Some(Problem::Unknown(vec!["s.9".to_owned()])));
        record.sentences[2].clauses.clear();
        record.sentences[2].skip = Some("flavour".to_owned());
        assert!(super::account(&split(TEXT), &record, &clauses()).is_complete());
    }
}
