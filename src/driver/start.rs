//! Boards on which a run can start: written ones, and legal ones by number.

use super::NotFound;
use super::only::expected;
use endstep_language::typing::program::{Concern, Program, SequenceId, Verify};
use endstep_semantics::semantics::{Data, Interpreter, Names, Readings, Variant};
use endstep_verdicts::analysis::{self, Boards, Halt, Options, each_alternative};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Dice choose among so many of the smallest legal boards.
const MOST_BOARDS: usize = 5000;

/// So many boards, legal or not, are looked at.
const MOST_CANDIDATES: u64 = 1_000_000;

/// That there is no board to start from, as far as something restricts which ones are tried.
/// `left`: what options leave of it.
pub(super) fn no_board(program: &Program, verify: Option<&Verify>, left: bool) -> NotFound {
    if left {
        return NotFound("no board that the options leave is one to start from".to_owned());
    }
    let only = !program.explored.is_empty();
    let condition = verify.is_some_and(|verify| verify.condition.is_some());
    let restricted = match (only, condition) {
        (false, false) => {
            return NotFound("no board within the explored sizes is legal".to_owned());
        }
        (true, false) => "`explore only`",
        (false, true) => "the `where` of its `verify`",
        (true, true) => "`explore only` and the `where` of its `verify`",
    };
    NotFound(format!(
        "no board within the explored sizes is both legal and one of those that {restricted} leaves"
    ))
}

/// What is done with a board and the `verify` that asks for it.
type Visit<'a, 'p> = &'a mut dyn FnMut(Option<&'p Verify>, Data) -> ControlFlow<()>;

/// Where runs of a program can start.
#[derive(Clone, Copy, Debug)]
pub struct Starts<'p> {
    program: &'p Program,
    readings: &'p Readings,
    sequence: SequenceId,
}

impl<'p> Starts<'p> {
    /// The boards from which a sequence starts under readings: those of each `verify` of it, one after the other, or if it
    /// has none all that are explored.
    pub fn new(program: &'p Program, readings: &'p Readings, sequence: SequenceId) -> Self {
        Self {
            program,
            readings,
            sequence,
        }
    }

    /// Every `verify` of the sequence; `None` alone, if there is none.
    fn verifies(self) -> Vec<Option<&'p Verify>> {
        let verifies = self.program.verifies.iter();
        let mut own: Vec<_> = verifies
            .filter(|verify| verify.sequence == self.sequence)
            .map(Some)
            .collect();
        if own.is_empty() {
            own.push(None);
        }
        own
    }

    /// That there is no board to start from.
    fn nowhere(self) -> NotFound {
        let mut verifies = self.verifies().into_iter().flatten();
        let restricted = verifies.find(|verify| verify.condition.is_some());
        no_board(self.program, restricted, !self.readings.is_empty())
    }

    /// A written board, or the n-th legal one.
    ///
    /// # Errors
    ///
    /// As [`named`](Self::named) and [`numbered`](Self::numbered).
    pub fn called(self, name: &str) -> Result<(Data, Names), NotFound> {
        match name.parse() {
            Ok(number) => self.numbered(number),
            Err(_) => self.named(name),
        }
    }

    /// A written board.
    ///
    /// # Errors
    ///
    /// If no board has that name.
    pub fn named(self, name: &str) -> Result<(Data, Names), NotFound> {
        let mut boards = self.program.boards.values().iter();
        match boards.find(|board| board.name == name) {
            Some(board) => Ok(Data::from_board(self.program, board)),
            None => {
                let boards = self.program.boards.values().iter();
                let names: Vec<String> = boards.map(|board| format!("`{}`", board.name)).collect();
                Err(NotFound(match names.is_empty() {
                    true => format!("found the board `{name}`, and the specification has none"),
                    false => format!(
                        "found the board `{name}`, expected one of {}",
                        names.join(", ")
                    ),
                }))
            }
        }
    }

    /// The n-th legal board, counted from 1, smallest first.
    ///
    /// # Errors
    ///
    /// If there are not so many, or a condition takes too much to evaluate.
    pub fn numbered(self, number: usize) -> Result<(Data, Names), NotFound> {
        Ok(self.with_names(self.of_verify(number)?.0))
    }

    /// The n-th legal board, counted from 1, smallest first, and the `verify` that asks for it, if there is one.
    ///
    /// # Errors
    ///
    /// As [`numbered`](Self::numbered).
    pub fn of_verify(self, number: usize) -> Result<(Data, Option<&'p Verify>), NotFound> {
        let mut found = None;
        let mut count = 0;
        let whole = self.each(&mut |verify, data| {
            count += 1;
            if count != number {
                return ControlFlow::Continue(());
            }
            found = Some((data, verify));
            ControlFlow::Break(())
        })?;
        match (found, count, whole) {
            (Some(found), ..) => Ok(found),
            (None, 0, true) => Err(self.nowhere()),
            (None, 0, false) => Err(NotFound(
                "no board to start from was found among as many as are looked at".to_owned(),
            )),
            (None, _, true) => Err(NotFound(format!(
                "found board {number}, expected a number from 1 to {count}"
            ))),
            (None, _, false) => Err(NotFound(format!(
                "found board {number}, expected a number from 1 to {count}, as many as are looked at"
            ))),
        }
    }

    /// One of the smallest legal boards, chosen by dice with so many sides.
    ///
    /// # Errors
    ///
    /// If no board is legal, or a condition takes too much to evaluate.
    pub fn any(self, dice: &mut dyn FnMut(usize) -> usize) -> Result<(Data, Names), NotFound> {
        let mut all = Vec::new();
        self.each(&mut |_, data| {
            all.push(data);
            match all.len() < MOST_BOARDS {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        })?;
        if all.is_empty() {
            return Err(self.nowhere());
        }
        let taken = dice(all.len());
        Ok(self.with_names(all.swap_remove(taken)))
    }

    /// A board with the names of its entities.
    pub fn with_names(self, data: Data) -> (Data, Names) {
        let names = Names::numbered(self.program, &data);
        (data, names)
    }

    /// Visits legal boards until it is told to stop; whether none was left out for their number.
    fn each(self, visit: Visit<'_, 'p>) -> Result<bool, NotFound> {
        let mut left = MOST_CANDIDATES;
        let mut costly = false;
        for verify in self.verifies() {
            let sizes = verify.map_or(&[][..], |verify| &verify.sizes);
            let boards = Boards::new(self.program, sizes, &Options::default());
            let boards = boards.about(Concern::of(self.program, self.sequence));
            let mut done = false;
            let _ = boards.each(&|_| None, &mut |_, data| {
                let flow = match left {
                    0 => ControlFlow::Break(()),
                    _ => match self.is_legal(verify, data) {
                        Some(true) => visit(verify, data.clone()),
                        Some(false) => ControlFlow::Continue(()),
                        None => {
                            costly = true;
                            ControlFlow::Break(())
                        }
                    },
                };
                left = left.saturating_sub(1);
                done = flow.is_break();
                flow
            });
            if done {
                break;
            }
        }
        if costly {
            let why =
                "it cannot be said which boards are legal: a condition takes too much to evaluate";
            return Err(NotFound(why.to_owned()));
        }
        Ok(left > 0)
    }

    /// Whether all conditions hold under some of the readings that are not chosen, unless a limit keeps it from being
    /// said.
    fn is_legal(self, verify: Option<&Verify>, data: &Data) -> Option<bool> {
        let variant = Variant::default();
        let only = verify.and_then(|verify| verify.condition.as_ref());
        let mut todo = vec![self.readings.clone()];
        while let Some(readings) = todo.pop() {
            let interpreter = Interpreter {
                program: self.program,
                readings: &readings,
                variant: &variant,
            };
            match analysis::is_legal(interpreter, only, data) {
                Ok(true) => return Some(true),
                Ok(false) => {}
                Err(Halt::Consult(reading)) if !readings.contains_key(&reading) => {
                    todo.extend(each_alternative(self.program, &readings, reading));
                }
                Err(_) => return None,
            }
        }
        Some(false)
    }
}

/// A sequence by its name; without one, the first that is verified.
///
/// # Errors
///
/// If there is no such sequence, or it needs arguments.
pub fn sequence(program: &Program, name: Option<&str>) -> Result<SequenceId, NotFound> {
    let Some(name) = name else {
        let first = program.verifies.first();
        let first = first.map(|verify| verify.sequence);
        return first.ok_or_else(|| NotFound("the specification has no sequence".to_owned()));
    };
    let all = program.sequences.iter();
    let playable: Vec<_> = all.filter(|(_, one)| one.params.is_empty()).collect();
    match playable.iter().find(|(_, one)| one.name == name) {
        Some((id, _)) => Ok(*id),
        None => {
            let names = playable.iter().map(|(_, one)| one.name.clone());
            Err(expected("the sequence", name, names))
        }
    }
}

/// A sequence by its name that is under `verify`.
///
/// # Errors
///
/// If there is no such sequence.
pub fn verified(program: &Program, name: &str) -> Result<SequenceId, NotFound> {
    let mut verified = program.verifies.iter().map(|verify| verify.sequence);
    let found = verified.find(|&id| program.sequences[id].name == name);
    found.ok_or_else(|| {
        let verifies = program.verifies.iter();
        let names: BTreeSet<String> = verifies
            .map(|verify| program.sequences[verify.sequence].name.clone())
            .collect();
        expected("the verified sequence", name, names.into_iter())
    })
}

/// A sequence by its name, whether or not it needs arguments.
///
/// # Errors
///
/// If there is no such sequence.
pub fn any_sequence(program: &Program, name: &str) -> Result<SequenceId, NotFound> {
    let mut all = program.sequences.iter();
    if let Some((id, _)) = all.find(|(_, one)| one.name == name) {
        return Ok(id);
    }
    let names = program.sequences.values().iter();
    Err(expected(
        "the sequence",
        name,
        names.map(|one| one.name.clone()),
    ))
}
