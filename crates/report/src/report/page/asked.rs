//! What was asked on a page, and what the answers are.

use super::source::{Link, Source};
use crate::report::exhibit::Exhibit;
use crate::report::layout::{Style, list};
use crate::report::stood::unsaid;
use crate::report::verdict::{
    argued, held, question, question_sequence, told, unseen, why_unknown, word,
};
use crate::report::words::{Words, plain};
use crate::report::{extreme, finding, untested};
use endstep_language::typing::program::{Claim, ClaimKind, ClauseIdx};
use endstep_verdicts::verdict::{Answer, Question, Verdict};

/// What is said over what holds without anybody having asked.
pub(in crate::report) const ALSO_HOLDS: &str =
    "Nobody asked, but on every board in scope that was tried this also holds:";

/// A claim, a question or an example, and its answer.
pub(in crate::report) struct Asked {
    /// What was asked.
    pub question: String,
    /// The same as a formula, if it is written as one.
    pub formally: Option<String>,
    /// What it is called, if it is an example.
    pub example: Option<String>,
    /// The sequence of which it was asked, as sentences call it, if it was asked of each by itself.
    pub sequence: Option<String>,
    /// The clause that claims it; `None`: the author asks.
    pub clause: Option<Link>,
    /// The answer, and why it is unknown, if so.
    pub answer: String,
    /// The findings that give it.
    pub findings: Vec<Link>,
    /// How well it turned out.
    pub result: Outcome,
    /// The board and the run that come to the largest or smallest value, or show what was asked for.
    pub shown: Option<Shown>,
}

impl Asked {
    /// Whether both are examples of the author with the same answer, which nothing shows.
    fn is_alike(&self, other: &Self) -> bool {
        let both = [self, other];
        let is_bare = |one: &Self| {
            let is_shown = one.shown.is_some() || !one.findings.is_empty();
            one.example.is_some() && one.clause.is_none() && !is_shown
        };
        both.into_iter().all(is_bare) && self.answer == other.answer
    }

    /// What was asked, with the examples that follow it in one sentence.
    pub(in crate::report) fn with(&self, others: &[&Self]) -> String {
        let all = [self].into_iter().chain(others.iter().copied());
        let names = all.filter_map(|one| one.example.as_deref());
        let names: Vec<String> = names.map(|name| format!("\"{name}\"")).collect();
        match others.is_empty() {
            true => self.question.clone(),
            false => format!("the examples {}", list(&names, "and")),
        }
    }
}

/// What was asked, examples in a row with one answer together.
pub(in crate::report) fn by_answer<'a>(
    all: &'a [&'a Asked],
) -> impl Iterator<Item = (&'a Asked, &'a [&'a Asked])> {
    let rows = all.chunk_by(|one, other| one.is_alike(other));
    let rows = rows.filter_map(<[&Asked]>::split_first);
    rows.map(|(first, others)| (*first, others))
}

/// What is shown.
pub(in crate::report) struct Shown {
    /// What it is, as a sentence without its end.
    pub what: String,
    /// The board and the run, as plain text.
    pub run: String,
    /// The same before it is laid out.
    pub exhibit: Exhibit,
}

/// How an answer turned out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::report) enum Outcome {
    /// It is as it was claimed or hoped.
    Good,
    /// It is not known.
    Unknown,
    /// It is not so.
    Bad,
}

/// What holds, of one kind.
pub(in crate::report) struct Group {
    /// What they have in common.
    pub title: &'static str,
    /// How many they are.
    pub number: usize,
    /// What holds; the same of several sequences in one line.
    pub lines: Vec<String>,
}

/// Whether a question stands in the specification, as a claim or an example.
fn is_written(question: Question) -> bool {
    matches!(question, Question::Claim(_) | Question::Example(_))
}

/// The clause that a claim or an example stands under.
fn clause_of(words: Words<'_>, question: Question) -> Option<ClauseIdx> {
    match question {
        Question::Claim(at) => {
            let claim = words.program.claims.get(at)?;
            claim.clause.filter(|_| !claim.question)
        }
        Question::Example(at) => words.program.examples.get(at)?.clause,
        _ => None,
    }
}

fn outcome(source: Source<'_>, answer: &Answer) -> Outcome {
    let asked_for = extreme::asked(source.words.program, answer.subject);
    match &answer.verdict {
        _ if answer.proof.is_some() => Outcome::Good,
        Verdict::HoldsInScope | Verdict::Shown => Outcome::Good,
        // That something never has a value is an answer like any value.
        Verdict::NoneInScope if asked_for.is_some() => Outcome::Good,
        // Only what is said to be reachable is nowhere.
        Verdict::NoneInScope | Verdict::Refuted => Outcome::Bad,
        Verdict::Unknown(_) => Outcome::Unknown,
    }
}

/// The verdict, with what it rests on and does not say.
fn in_words(source: Source<'_>, answer: &Answer) -> String {
    let mut text = word(answer).to_owned();
    if let Some(why) = answer.untested {
        // A proof speaks of other boards, too.
        let of = if answer.proof.is_some() {
            "of what was tried: "
        } else {
            ""
        };
        text.push_str(&format!(
            " ({of}{})",
            untested::in_brief(source.words.program, answer.subject, why)
        ));
    }
    if let Some(unsaid) = unsaid(source.words, answer, source.sheet.results) {
        text.push_str(&format!(" ({unsaid})"));
    }
    if let Some(proof) = &answer.proof {
        let why = argued(source.words, answer.subject, &proof.argument);
        text.push_str(&format!(": {why}"));
    } else if let Verdict::Unknown(why) = &answer.verdict {
        let why: Vec<String> = why_unknown(why);
        text.push_str(&format!(": {}", why.join("; ")));
    }
    text
}

fn one(source: Source<'_>, answer: &Answer) -> Asked {
    let value = extreme::sentence(source.words, answer, source.sheet.results);
    let clause = clause_of(source.words, answer.subject);
    let asks = match is_written(answer.subject) {
        true => told(source.words, answer.subject),
        false => held(source.words, answer, source.sheet.results),
    };
    let witness = extreme::witness(source.words.program, answer);
    let witness = witness.filter(|_| clause.is_none());
    let shown = witness.and_then(|witness| {
        Some(Shown {
            what: value.clone().unwrap_or_else(|| asks.clone()),
            run: finding::shown(source.words, Style::default(), witness),
            exhibit: Exhibit::of(source.words, witness)?,
        })
    });
    // Of several scopes, each can have found the same.
    let mut findings: Vec<Link> = Vec::new();
    for &at in &answer.findings {
        let link = source.finding(at);
        if findings.iter().all(|one| one.anchor != link.anchor) {
            findings.push(link);
        }
    }
    Asked {
        question: asks,
        formally: match answer.subject {
            Question::Claim(_) => {
                let formula = question(source.words, answer.subject);
                (formula != told(source.words, answer.subject)).then_some(formula)
            }
            _ => None,
        },
        example: match answer.subject {
            Question::Example(at) => {
                let example = source.words.program.examples.get(at);
                example.map(|one| plain(&one.name))
            }
            _ => None,
        },
        sequence: question_sequence(answer.subject).map(|id| source.words.sequence(id)),
        clause: clause.map(|id| source.clause(id)),
        answer: value.unwrap_or_else(|| in_words(source, answer)),
        findings,
        result: outcome(source, answer),
        shown,
    }
}

/// What the specification claims and asks.
pub(super) fn asked(source: Source<'_>) -> Vec<Asked> {
    let answers = source.sheet.results.answers.iter();
    let answers = answers.filter(|answer| is_written(answer.subject));
    answers.map(|answer| one(source, answer)).collect()
}

/// What is claimed and asked at one clause.
pub(super) fn asked_at(source: Source<'_>, clause: ClauseIdx) -> Vec<Asked> {
    let answers = source.sheet.results.answers.iter();
    let here = |answer: &&Answer| clause_of(source.words, answer.subject) == Some(clause);
    answers
        .filter(here)
        .map(|answer| one(source, answer))
        .collect()
}

/// What holds without anybody having asked, by kind, and what is unknown, with the reasons. Where the
/// same is asked of several sequences, it holds only if it holds of all.
pub(super) fn unasked(source: Source<'_>) -> (Vec<Group>, Vec<String>) {
    let mut all: Vec<(&'static str, Asked)> = Vec::new();
    for answer in &source.sheet.results.answers {
        let Some(title) = title(answer.subject).filter(|_| !is_asked(source, answer.subject))
        else {
            continue;
        };
        let new = one(source, answer);
        let same = |(_, old): &&mut (_, Asked)| old.question == new.question;
        match all.iter_mut().find(same) {
            Some((_, old)) if old.result < new.result => *old = new,
            Some(_) => {}
            None => all.push((title, new)),
        }
    }
    let mut good: Vec<(&'static str, Vec<Asked>)> = Vec::new();
    let mut unknown = Vec::new();
    for (title, asked) in all {
        match (asked.result, good.iter_mut().find(|(of, _)| *of == title)) {
            (Outcome::Bad, _) => {}
            (Outcome::Unknown, _) => unknown.push(format!("{}: {}", asked.question, asked.answer)),
            (Outcome::Good, Some((_, lines))) => lines.push(asked),
            (Outcome::Good, None) => good.push((title, vec![asked])),
        }
    }
    unknown.extend(unseen(source.words, source.sheet.results));
    let group = |(title, lines): (&'static str, Vec<Asked>)| Group {
        title,
        number: lines.len(),
        lines: of_each(&lines),
    };
    (good.into_iter().map(group).collect(), unknown)
}

/// What is asked of sequences; where it differs in nothing but the name of the sequence, in one sentence.
fn of_each(all: &[Asked]) -> Vec<String> {
    /// Stands for the name.
    const HOLE: &str = "\u{0}";
    let mut forms: Vec<(String, Vec<String>)> = Vec::new();
    for one in all {
        let form = match &one.sequence {
            Some(name) => one.question.replacen(name, HOLE, 1),
            None => one.question.clone(),
        };
        match forms.iter_mut().find(|(other, _)| *other == form) {
            Some((_, names)) => names.extend(one.sequence.clone()),
            None => forms.push((form, one.sequence.iter().cloned().collect())),
        }
    }
    let sentence = |(form, names): (String, Vec<String>)| match names.as_slice() {
        [] => form,
        [one] => form.replacen(HOLE, one, 1),
        several => form.replacen(HOLE, &format!("each of {}", list(several, "and")), 1),
    };
    forms.into_iter().map(sentence).collect()
}

/// Whether a claim or question of the specification asks for what is looked at unasked.
fn is_asked(source: Source<'_>, subject: Question) -> bool {
    let Question::Terminates(sequence) = subject else {
        return false;
    };
    let claims = &source.words.program.claims;
    let ends = |one: &Claim| matches!(one.kind, ClaimKind::Terminates(of, None) if of == sequence);
    let mut answers = source.sheet.results.answers.iter();
    answers
        .any(|one| matches!(one.subject, Question::Claim(at) if claims.get(at).is_some_and(ends)))
}

/// What those of a kind that hold have in common; nothing for what stands in the specification.
fn title(question: Question) -> Option<&'static str> {
    Some(match question {
        Question::Claim(_) | Question::Example(_) => return None,
        Question::Reading(..) => "Readings that make no difference",
        Question::Ways(..) => "Ways to read a sentence that play alike, where others do not",
        Question::Order(..) => {
            "Orders that the document leaves open, and that make no difference to how it can end"
        }
        Question::Steps(..) => "Steps that can change places",
        Question::Triggers(..) => "Triggers that can change places",
        Question::Position(..) => "Orders that the document fixes, and that could be any other",
        Question::Terminates(_) => "What comes to an end",
        Question::Legal(..) => "What stays legal",
        Question::Contract(_) => "Contracts that are kept",
        Question::Gap(..) => "Gaps that make no difference to how it can end",
    })
}
