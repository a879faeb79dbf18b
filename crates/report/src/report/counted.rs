//! On how many boards a finding occurs under which readings.
//!
//! ```text
//! under some reading, on at least 3 of them under every reading (how = now: 5; how = later: 3)
//! ```

use super::layout::digits;
use super::words::Words;
use endstep_verdicts::verdict::Finding;

/// Of no more readings than this it is said on how many boards it occurs under each.
const MOST_COUNTED: usize = 4;

/// That readings were fixed from outside, or that no board was looked at under them: of what these do nothing is known.
pub(super) fn of_those_tried(finding: &Finding) -> &'static str {
    match finding.is_tried_under_all() {
        true => "",
        false => ", of those that were tried",
    }
}

/// On how many boards it occurs under each reading, where on others it may.
pub(super) fn at_least_on_each(finding: &Finding) -> String {
    match finding.boards_each {
        0 => "under some reading".to_owned(),
        each => format!(
            "under some reading, on at least {} of them under every reading{}",
            digits(each),
            of_those_tried(finding)
        ),
    }
}

/// On how many boards it occurs under each of its readings.
pub(super) fn on_each(finding: &Finding) -> String {
    match finding.boards_each {
        0 => "none".to_owned(),
        number => digits(number),
    }
}

/// On how many boards it occurs under which readings, in brackets; empty if they are alike, or too many.
pub(super) fn by_readings(words: Words<'_>, finding: &Finding) -> String {
    let by = finding.by_reading.iter();
    let by = by.map(|(one, boards)| format!("{}: {}", words.readings(one), digits(*boards)));
    let by: Vec<String> = by.collect();
    match by.is_empty() || by.len() > MOST_COUNTED {
        true => String::new(),
        false => format!(" ({})", by.join("; ")),
    }
}
