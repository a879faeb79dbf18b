//! Turns inputs into others near them: in the terms of the board, and byte by byte.
//!
//! *Background.* M. Zalewski, American Fuzzy Lop, technical details, 2014 (havoc, splice).

use endstep_engines::sample::{Dice, Form};

/// At most so many changes at once.
const MOST_CHANGES: usize = 6;

/// The longest schedule that is made.
const LONGEST_SCHEDULE: usize = 64;

/// A random input: some entities, some choices.
pub(in crate::driver) fn fresh(form: &Form, job: usize, dice: &mut Dice) -> Vec<u8> {
    let mut input: Vec<u8> = (0..form.first_record).map(|_| dice.byte()).collect();
    input[0] = u8::try_from(job).unwrap_or(0);
    // Some readings stand as they are written, so that not everything differs at once.
    let plain = dice.below(100);
    for byte in &mut input[1..form.first_var] {
        if dice.odds(plain) {
            *byte = 0;
        }
    }
    let most: usize = form.sorts.iter().map(|sort| sort.size.1).sum();
    for _ in 0..=dice.below(most + 1) {
        input.extend(entity(form, dice));
    }
    input.push(0);
    schedule(&mut input, dice);
    input
}

/// A random entity.
fn entity(form: &Form, dice: &mut Dice) -> Vec<u8> {
    let seats = form.seats.len().clamp(1, 255);
    let mut record: Vec<u8> = (0..form.record).map(|_| dice.byte()).collect();
    record[0] = u8::try_from(1 + dice.below(seats)).unwrap_or(1);
    record
}

fn schedule(input: &mut Vec<u8>, dice: &mut Dice) {
    let length = dice.below(LONGEST_SCHEDULE);
    input.extend((0..length).map(|_| dice.byte()));
}

/// An input with some changes; parts of another input may go into it.
pub(in crate::driver) fn mutated(
    form: &Form,
    (input, other): (&[u8], &[u8]),
    dice: &mut Dice,
) -> Vec<u8> {
    let mut input = input.to_vec();
    input.resize(input.len().max(form.first_record), 0);
    for _ in 0..=dice.below(MOST_CHANGES) {
        change(form, (&mut input, other), dice);
    }
    input
}

fn change(form: &Form, (input, other): (&mut Vec<u8>, &[u8]), dice: &mut Dice) {
    let (records, end) = form.records(input);
    let record = records.get(dice.below(records.len())).copied();
    let length = form.record;
    match (dice.below(14), record) {
        (0 | 1, _) if form.first_record > 1 => {
            let at = 1 + dice.below(form.first_record - 1);
            input[at] = value(input[at], dice);
        }
        (2..=5, Some(record)) => {
            let at = record + dice.below(length);
            if let Some(byte) = input.get_mut(at) {
                *byte = value(*byte, dice).max(u8::from(at == record));
            }
        }
        (6, Some(record)) => {
            input.drain(record..(record + length).min(end));
        }
        (7, Some(record)) => {
            let copy = input[record..(record + length).min(end)].to_vec();
            insert(input, (&records, end, length), copy, dice);
        }
        (8, _) => {
            let made = entity(form, dice);
            insert(input, (&records, end, length), made, dice);
        }
        (9, Some(record)) => {
            // One thing is like that of another entity.
            let from = records[dice.below(records.len())] + dice.below(length);
            let to = record + (from - form.first_record) % length;
            if let Some(&byte) = input.get(from)
                && let Some(place) = input.get_mut(to)
            {
                *place = byte;
            }
        }
        (10, _) => {
            let (others, after) = form.records(other);
            if let Some(&from) = others.get(dice.below(others.len())) {
                let copy = other[from..(from + length).min(after)].to_vec();
                insert(input, (&records, end, length), copy, dice);
            }
        }
        (11, _) => {
            input.truncate(end + 1);
            schedule(input, dice);
        }
        _ => {
            let start = (end + 1).min(input.len());
            let at = start + dice.below(input.len() - start + 1);
            match input.get_mut(at) {
                Some(byte) => *byte = dice.byte(),
                None => input.push(dice.byte()),
            }
        }
    }
}

/// A value near another one, or any.
fn value(byte: u8, dice: &mut Dice) -> u8 {
    match dice.below(4) {
        0 => byte.wrapping_add(1),
        1 => byte.wrapping_sub(1),
        2 => 0,
        _ => dice.byte(),
    }
}

/// Puts a record before one of those that are there, or after all of them.
fn insert(
    input: &mut Vec<u8>,
    (records, end, length): (&[usize], usize, usize),
    mut record: Vec<u8>,
    dice: &mut Dice,
) {
    record.resize(length, 0);
    let at = records.get(dice.below(records.len() + 1)).copied();
    let at = at.unwrap_or(end).min(input.len());
    input.splice(at..at, record);
}
