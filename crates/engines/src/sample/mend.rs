//! Turns the bytes of an illegal board into those of a legal one near it.
//!
//! A condition that fails is evaluated with a list of the places that it reads. What it read last
//! decided, so one of those is given another value, or the entity another place to lie, or it is
//! taken away; and again, until all conditions hold:
//!
//! ```text
//! every card in the deck is plain:  owl.kind, owl.health, owl.ability ─▶ another ability for the owl
//! ```
//!
//! *Limits.* Not complete: a board that still is not legal after some tries is given up.

use super::Sampler;
use super::deal::Decoded;
use super::dice::Dice;
use super::form::{Form, RECORD_HEAD};
use endstep_kernel::instance::{Cells, Machine};
use endstep_language::index::Id;
use endstep_language::typing::program::{Program, SortId};
use endstep_semantics::semantics::{Spot, Stop, Tag, Variant};

/// More changes than this are not tried.
const MOST_TRIES: usize = 160;

/// The last so many places that were read may be to blame.
const LAST_READ: usize = 8;

/// How far the conditions hold: how many, and how many places the first that fails has read.
type Progress = (usize, usize);

/// A condition could not be evaluated within the limits: other values need not make that cheaper.
struct TooCostly;

impl Sampler<'_> {
    /// Whether the conditions of legality hold, and those of what is explored.
    pub fn is_legal(&self, dealt: &Decoded) -> bool {
        let variant = Variant::default();
        let machine = Machine::new(dealt.setting(self.ground, &variant), Cells::default());
        let mut conditions = self.conditions[dealt.job].iter();
        conditions.all(|one| machine.condition_on(one, &dealt.board, &dealt.board) == Ok(1))
    }

    /// How far the conditions hold, and what the first that fails has read; `None`: all hold.
    fn failing(&mut self, dealt: &Decoded) -> Result<Option<(Progress, Vec<Spot>)>, TooCostly> {
        let variant = Variant::default();
        let machine = Machine::new(dealt.setting(self.ground, &variant), Cells::default());
        for (at, condition) in self.conditions[dealt.job].iter().enumerate() {
            let (value, read) = machine.condition_traced(condition, &dealt.board);
            match value {
                Ok(1) => {}
                Err(Stop::Tag(Tag::Limit(_))) => {
                    self.costly += 1;
                    return Err(TooCostly);
                }
                _ => return Ok(Some(((at, read.len()), read))),
            }
        }
        Ok(None)
    }

    /// Changes an input until its board is legal; `None`: it was given up.
    pub fn mend(&mut self, input: &mut Vec<u8>, dice: &mut Dice) -> Option<Decoded> {
        let mut dealt = self.deal(input)?;
        let mut failing = self.failing(&dealt).ok()?;
        for _ in 0..MOST_TRIES {
            let Some((progress, read)) = &failing else {
                return Some(dealt);
            };
            let before = input.clone();
            let form = self.dealers[dealt.job].form();
            if !change(form, (self.program, &dealt), read, (input, dice)) {
                return None;
            }
            let Some(next) = self.deal(input) else {
                *input = before;
                continue;
            };
            let now = self.failing(&next).ok()?;
            let worse = now.as_ref().is_some_and(|(now, _)| now < progress);
            if worse && !dice.odds(10) {
                *input = before;
            } else {
                (dealt, failing) = (next, now);
            }
        }
        None
    }
}

/// Changes something that was read; `false`: nothing can be changed.
fn change(
    form: &Form,
    (program, dealt): (&Program, &Decoded),
    read: &[Spot],
    (input, dice): (&mut Vec<u8>, &mut Dice),
) -> bool {
    let last = &read[read.len().saturating_sub(LAST_READ)..];
    if last.is_empty() {
        return replace(form, dealt, (input, dice));
    }
    let spot = last[last.len() - 1 - dice.below(last.len())];
    match spot {
        Spot::Var(var) => match form.var_byte(var) {
            Some(at) => put(input, at, dice.byte()),
            None => return replace(form, dealt, (input, dice)),
        },
        Spot::Field(entity, field) => {
            let declared = &program.fields[field];
            let Some(record) = dealt.record(entity.index()) else {
                return replace(form, dealt, (input, dice));
            };
            let byte = form.field_byte(declared.sort, declared.index as usize);
            match (dice.below(8), byte) {
                (0, _) => remove(form, record, input),
                (1, _) | (_, None) => reseat(form, declared.sort, record, (input, dice)),
                (_, Some(at)) => put(input, record + at, dice.byte()),
            }
        }
    }
    true
}

/// Gives any entity another place, or takes it away; `false`: there is none.
fn replace(form: &Form, dealt: &Decoded, (input, dice): (&mut Vec<u8>, &mut Dice)) -> bool {
    let records: Vec<usize> = (0..dealt.entities())
        .filter_map(|at| dealt.record(at))
        .collect();
    if records.is_empty() {
        // Nothing but variables can be changed.
        for at in form.first_var..form.first_record {
            put(input, at, dice.byte());
        }
        return form.first_var < form.first_record;
    }
    let record = records[dice.below(records.len())];
    match dice.below(2) {
        0 => remove(form, record, input),
        _ => {
            put(input, record, dice.byte().max(1));
            put(input, record + 1, dice.byte());
        }
    }
    true
}

fn remove(form: &Form, record: usize, input: &mut Vec<u8>) {
    let end = (record + form.record).min(input.len());
    input.drain(record.min(end)..end);
}

/// Another place for an entity of the same sort.
fn reseat(form: &Form, sort: SortId, record: usize, (input, dice): (&mut Vec<u8>, &mut Dice)) {
    let seats = form
        .seats
        .iter()
        .enumerate()
        .filter(|(_, seat)| seat.sort == sort);
    let seats: Vec<usize> = seats.map(|(at, _)| at).collect();
    if let Some(seat) = seats.get(dice.below(seats.len())) {
        put(input, record, u8::try_from(seat + 1).unwrap_or(u8::MAX));
        put(input, record + RECORD_HEAD - 1, dice.byte());
    }
}

/// Writes a byte; those that are missing before it are zeros.
pub fn put(input: &mut Vec<u8>, at: usize, byte: u8) {
    if input.len() <= at {
        input.resize(at + 1, 0);
    }
    input[at] = byte;
}
