//! Answers to questions for the largest or smallest value of something, in words.
//!
//! ```text
//! question how_rich: ann's coins is 7 at most during upkeep, as on this board
//! ```
//!
//! A value is called the largest only if everything was tried; if not, it is a value that some run comes to, and
//! another run can come to more.

use super::asserted::name_of;
use super::caveat::caveat;
use super::conditional::found;
use super::finding;
use super::layout::Style;
use super::spoken::{self, Sought};
use super::verdict::why_unknown;
use super::words::{Words, capital};
use endstep_language::syntax::ast::Extreme;
use endstep_language::typing::program::{Claim, ExprKind, Program};
use endstep_semantics::witness::Witness;
use endstep_verdicts::verdict::{Answer, Best, Question, Results, Verdict};

/// What is asked for, if the largest or smallest value of something is.
pub(super) fn asked(program: &Program, question: Question) -> Option<(&Claim, Extreme)> {
    let Question::Claim(at) = question else {
        return None;
    };
    let claim = program.claims.get(at)?;
    Some((claim, claim.kind.extreme()?.0))
}

/// The whole answer, with the name of the question; nothing of other questions.
pub(super) fn answered(words: Words<'_>, answer: &Answer, results: &Results) -> Option<String> {
    let (claim, _) = asked(words.program, answer.subject)?;
    let said = sentence(words, answer, results)?;
    Some(match &claim.doc {
        Some(doc) => format!("{}: {doc} {}", name_of(claim), capital(&said)),
        None => format!("{}: {said}", name_of(claim)),
    })
}

/// The answer as a sentence without its end; nothing of other questions.
pub(super) fn sentence(words: Words<'_>, answer: &Answer, results: &Results) -> Option<String> {
    let (claim, extreme) = asked(words.program, answer.subject)?;
    let Sought { what, when } = spoken::sought(words, claim)?;
    let said = match (&answer.verdict, &answer.best) {
        (Verdict::Unknown(why), best) => {
            let more = match extreme {
                Extreme::Largest => "more",
                Extreme::Smallest => "less",
            };
            let known = match best {
                Some(best) if is_at_bound(words.program, claim, best) => format!(
                    "{what} comes to {} {when}, and the document allows no {more}; not all runs were followed to \
                     their end",
                    best.value
                ),
                Some(best) => format!(
                    "{what} comes to {} {when}, and may come to {more}: not all runs were followed to their end",
                    best.value
                ),
                None => format!("the {} value of {what} {when} is not known", extreme.word()),
            };
            format!("{known}; {}", why_unknown(why).join("; "))
        }
        (_, Some(best)) => {
            let bound = match extreme {
                Extreme::Largest => "at most",
                Extreme::Smallest => "at least",
            };
            format!("{what} is {} {bound} {when}", best.value)
        }
        (_, None) => format!("{what} has no value {when}, in any run that was tried"),
    };
    let beside = answer.best.as_ref().and_then(|best| under(words, best));
    let beside: Vec<String> = beside
        .into_iter()
        .chain(caveat(words, answer, results))
        .collect();
    Some(match beside.is_empty() {
        true => said,
        false => format!("{said} ({})", beside.join("; ")),
    })
}

/// Whether a value of a variable or a field is the largest, or the smallest, that the document allows there.
fn is_at_bound(program: &Program, claim: &Claim, best: &Best) -> bool {
    let Some((extreme, sought)) = claim.kind.extreme() else {
        return false;
    };
    let bounds = match &sought.kind {
        ExprKind::Var(id) => &program.vars[*id].bounds,
        ExprKind::Field(_, id) => &program.fields[*id].bounds,
        // What something else can come to is not worked out.
        _ => return false,
    };
    bounds.document.is_some_and(|(low, high)| match extreme {
        Extreme::Largest => best.value == high,
        Extreme::Smallest => best.value == low,
    })
}

/// Under which readings a value was found, if not under all.
pub(super) fn under(words: Words<'_>, best: &Best) -> Option<String> {
    (!best.is_everywhere()).then(|| readings(words, best))
}

/// Under which readings a value was found.
pub(super) fn readings(words: Words<'_>, best: &Best) -> String {
    let under = words.under(&best.readings);
    match best.readings_known {
        true => under,
        false => found(under),
    }
}

/// The run that comes to the value, or shows what was asked for, if there is one.
pub(super) fn witness<'a>(program: &Program, answer: &'a Answer) -> Option<&'a Witness> {
    let is_value = asked(program, answer.subject).is_some();
    let is_wanted = is_value || answer.verdict == Verdict::Shown;
    answer.witness.as_ref().filter(|_| is_wanted)
}

/// The board and that run.
pub(super) fn shown(words: Words<'_>, answer: &Answer, style: Style) -> Option<String> {
    let witness = witness(words.program, answer)?;
    Some(finding::shown(words, style, witness))
}
