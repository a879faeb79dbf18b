//! What was asked on a page, and what the answers are.

use super::source::{Link, Source};
use crate::report::extreme;
use crate::report::layout::Style;
use crate::report::stood::unsaid;
use crate::report::untested;
use crate::report::verdict::{argued, held, question, told, unseen, why_unknown, word};
use crate::report::words::Words;
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

/// What is shown.
pub struct Shown {
    /// What it is, as a sentence without its end.
    pub what: String,
    /// The board and the run, as plain text.
    pub run: String,
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
    /// What holds.
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
    let shown = extreme::shown(source.words, answer, Style::default());
    let shown = shown.filter(|_| clause.is_none()).map(|run| Shown {
        what: value.clone().unwrap_or_else(|| asks.clone()),
        run,
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
    let mut groups: Vec<Group> = Vec::new();
    let mut unknown = Vec::new();
    for (title, asked) in all {
        match (
            asked.result,
            groups.iter_mut().find(|one| one.title == title),
        ) {
            (Outcome::Bad, _) => {}
            (Outcome::Unknown, _) => unknown.push(format!("{}: {}", asked.question, asked.answer)),
            (Outcome::Good, Some(group)) => group.lines.push(asked.question),
            (Outcome::Good, None) => groups.push(Group {
                title,
                lines: vec![asked.question],
            }),
        }
    }
    unknown.extend(unseen(source.words, source.sheet.results));
    (groups, unknown)
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
