//! Claims as sentences.

use super::speaker::Speaker;
use crate::report::words::Words;
use endstep_language::syntax::ast::At;
use endstep_language::typing::program::{Claim, ClaimKind, Expr, SequenceId, StepId, Type};
use endstep_semantics::semantics::{Data, Names};

/// What is claimed or asked, as a sentence without its end.
pub(in crate::report) fn claim(words: Words<'_>, claim: &Claim) -> Option<String> {
    let names = named(words, claim);
    let speaker = Speaker::new(words, &names);
    let said = speaker.kind(&claim.kind)?;
    let said = match claim.on {
        Some(board) => format!("on {}: {said}", words.board(board)),
        None => said,
    };
    let observer = claim.observer.map(|id| &words.program.observers[id]);
    Some(match observer {
        Some(observer) if observer.why.is_empty() => said,
        Some(observer) => format!("{said}; what counts is {}", observer.why),
        None => said,
    })
}

/// How what a claim can name is called: the entities of the board of which it is asked.
fn named(words: Words<'_>, claim: &Claim) -> Names {
    let board = claim.on.map(|on| &words.program.boards[on]);
    board.map_or_else(Names::default, |board| {
        Data::from_board(words.program, board).1
    })
}

/// Of what the largest or smallest value is asked for, and when.
pub(in crate::report) struct Sought {
    /// `the number of cards`
    pub what: String,
    /// `during cleanup`, `after cleanup, if at the start …`
    pub when: String,
}

/// What is asked for by a question for the largest or smallest value; nothing of other questions.
pub(in crate::report) fn sought(words: Words<'_>, claim: &Claim) -> Option<Sought> {
    let names = named(words, claim);
    let speaker = Speaker::new(words, &names);
    let (_, value) = claim.kind.extreme()?;
    let formally = |e: &Expr| format!("`{}`", words.quote(e.span));
    let when = match &claim.kind {
        ClaimKind::ExtremeAfter(_, _, of, condition) => {
            let after = format!("after {}", words.sequence(*of));
            match condition {
                Some(condition) => {
                    let said = speaker.sentence(condition, true);
                    let said = said.unwrap_or_else(|| formally(condition));
                    format!("{after}, if at the start {said}")
                }
                None => after,
            }
        }
        kind => format!("during {}", words.sequence(kind.sequence())),
    };
    Some(Sought {
        what: speaker.noun(value).unwrap_or_else(|| formally(value)),
        when: match claim.on {
            Some(board) => format!("{when}, from {}", words.board(board)),
            None => when,
        },
    })
}

impl Speaker<'_> {
    fn kind(&self, kind: &ClaimKind) -> Option<String> {
        let sequence = |id: &SequenceId| self.words.sequence(*id);
        Some(match kind {
            ClaimKind::OrderIrrelevant(of, step) => {
                let part = self.part(*of, *step);
                format!("in {part} no order that is left open makes a difference")
            }
            ClaimKind::Equivalent(one, other, condition) => {
                let (one, other) = (sequence(one), sequence(other));
                let said = format!("{one} and {other} come to the same");
                self.on_boards(condition.as_ref(), said)?
            }
            ClaimKind::Terminates(of, condition) => {
                let said = format!(
                    "every run of {} ends, unless players or chance keep it going",
                    sequence(of)
                );
                self.on_boards(condition.as_ref(), said)?
            }
            ClaimKind::Invariant(condition, at, of) => {
                let when = match at {
                    At::End => format!("at the end of {}", sequence(of)),
                    At::Steps => format!(
                        "before {}, after each of its steps and where it ends",
                        sequence(of)
                    ),
                    At::Throughout => format!("throughout {}", sequence(of)),
                };
                format!("{when}, {}", self.sentence(condition, true)?)
            }
            ClaimKind::Must(demanded, of, condition) => {
                let demanded = self.sentence(demanded, true)?;
                let said = format!("after {}, {demanded}", sequence(of));
                self.on_boards(condition.as_ref(), said)?
            }
            ClaimKind::Reachable(is_so, condition, of) => {
                let can = if *is_so { "can" } else { "cannot" };
                let what = self.sentence(condition, true)?;
                format!("in {} it {can} happen that {what}", sequence(of))
            }
            ClaimKind::ReachableAfter(condition, of, on) => {
                let what = self.sentence(condition, true)?;
                let said = format!("it can be that after {} {what}", sequence(of));
                self.on_boards(on.as_ref(), said)?
            }
            ClaimKind::ExtremeIn(extreme, value, of) => {
                let (word, what) = (extreme.word(), self.noun(value)?);
                format!("the {word} value of {what} during {}", sequence(of))
            }
            ClaimKind::ExtremeAfter(extreme, value, of, condition) => {
                let (word, what) = (extreme.word(), self.noun(value)?);
                let said = format!("the {word} value of {what} after {}", sequence(of));
                self.on_boards(condition.as_ref(), said)?
            }
            ClaimKind::Conserves(value, of) => {
                let what = match value.ty {
                    Type::Bool => format!("whether {}", self.sentence(value, true)?),
                    _ => self.noun(value)?,
                };
                format!("throughout {}, {what} stays the same", sequence(of))
            }
            ClaimKind::Idempotent(of, step) => {
                let what = self.part(*of, *step);
                let ended = step.map_or(" at once", |_| " when it has just ended");
                format!("doing {what} once more{ended} changes nothing")
            }
        })
    }

    /// A sequence, or a step of it.
    fn part(&self, sequence: SequenceId, step: Option<StepId>) -> String {
        match step {
            Some(step) => self.words.step(step),
            None => self.words.sequence(sequence),
        }
    }

    /// What is claimed of boards on which a condition holds only.
    fn on_boards(&self, condition: Option<&Expr>, said: String) -> Option<String> {
        Some(match condition {
            Some(condition) => {
                let when = self.sentence(condition, true)?;
                format!("if at the start {when}: {said}")
            }
            None => said,
        })
    }
}
