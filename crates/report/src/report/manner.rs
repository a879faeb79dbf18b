//! How a finding occurs, and in what that differs between two versions of a specification.
//!
//! ```text
//! on how many boards in s2, before: 1 of 4 legal boards
//! on how many boards in s2, now: 2 of 4 legal boards
//! on how many boards in s3, before: not explored: there was no such `verify`
//! ```
//!
//! Every scope counts in which a finding occurs. Scopes are told apart by what is run and from which boards,
//! boards by what tells them apart whatever the order of declarations ([`Counted::digest`]). A scope that only
//! one version has is no scope of the other in which the finding does not occur. Where a limit kept a version from
//! looking at everything, what it counts is the least that there can be: that is another number only if the other
//! version, of which all is known, has fewer.

use super::conditional::found_under_in_full;
use super::finding::{of_how_many, of_known};
use super::layout::{count, digits};
use super::verdict::{is_known, of_finding, scope_condition, scope_subject};
use super::words::Words;
use super::{Sheet, occurs};
use endstep_language::typing::program::Program;
use endstep_semantics::semantics::Readings;
use endstep_verdicts::verdict::{Counted, Detail, Finding, Occurs, ScopeOf, Under};
use std::collections::{BTreeMap, BTreeSet};

/// How a finding occurs: what has to be equal for it to be the same.
pub(super) struct Manner {
    verdict: &'static str,
    /// By what is run, and from which boards; the empty name if no boards are counted.
    places: BTreeMap<String, Place>,
    /// All that was explored, the finding occurs there or not; called as the places are.
    explored: BTreeMap<String, Explored>,
}

/// One thing that was explored.
#[derive(Clone, Copy)]
struct Explored {
    subject: ScopeOf,
    /// Whether nothing more is to be looked at.
    complete: bool,
}

/// How a finding occurs on the boards of one scope.
struct Place {
    /// The number of boards; the least that there can be, if not all is known.
    number: u64,
    /// Whether all boards of the scope were looked at, and it is known of all whether it occurs on them.
    known: bool,
    readings: String,
    /// Whether it is known under which others it does not occur.
    readings_known: bool,
    on_how_many: String,
    boards: Boards,
    words: String,
    formally: String,
}

/// On which boards a finding occurs.
#[derive(PartialEq, Eq)]
enum Boards {
    /// On all of the scope.
    All,
    /// On those with this digest.
    Some(u64),
    /// Only words tell.
    Told,
}

/// One respect in which a finding occurs otherwise: its name, how it was before, and how it is now.
pub(super) struct Difference {
    pub(super) name: String,
    pub(super) before: String,
    pub(super) now: String,
}

impl Manner {
    /// Of a finding.
    pub(super) fn of(sheet: Sheet<'_>, finding: &Finding) -> Self {
        let mut places = BTreeMap::new();
        let labels = labels(sheet);
        if finding.counted.is_empty() {
            let boards = (on_how_many(sheet, finding), Boards::Told);
            places.insert(String::new(), place(sheet, finding, boards));
        }
        for counted in &finding.counted {
            let there = there(finding, counted);
            let legal = sheet.results.scopes.get(counted.scope);
            let boards = match counted.digest {
                _ if legal.is_some_and(|scope| scope.legal == counted.boards) => Boards::All,
                Some(digest) => Boards::Some(digest),
                None => Boards::Told,
            };
            let boards = (on_how_many(sheet, &there), boards);
            let label = labels.get(counted.scope).cloned().unwrap_or_default();
            places.insert(label, place(sheet, &there, boards));
        }
        let scopes = sheet.results.scopes.iter().map(|scope| Explored {
            subject: scope.subject,
            complete: scope.is_exhausted(),
        });
        Self {
            verdict: of_finding(finding),
            places,
            explored: labels.into_iter().zip(scopes).collect(),
        }
    }

    /// In what another version differs.
    pub(super) fn differences(&self, now: &Self) -> Vec<Difference> {
        let mut found = Vec::new();
        let mut tell = |name: String, before: &str, now: &str| {
            if before != now {
                found.push(Difference {
                    name,
                    before: before.to_owned(),
                    now: now.to_owned(),
                });
            }
        };
        tell("verdict".to_owned(), self.verdict, now.verdict);
        let labels: BTreeSet<&String> = self.places.keys().chain(now.places.keys()).collect();
        for &label in &labels {
            let name = |what: &str| match labels.len() {
                1 => what.to_owned(),
                _ => format!("{what} in {label}"),
            };
            let (before, now) = match (self.places.get(label), now.places.get(label)) {
                (Some(before), Some(now)) => (before, now),
                (before, there) => {
                    let lacking = if before.is_none() { self } else { now };
                    let missed = lacking.explored.get(label).is_some_and(|one| !one.complete);
                    // Outside of all scopes no boards are counted.
                    if !label.is_empty() && !missed {
                        let before = before.map_or_else(
                            || self.lacks(label, now.explored.get(label), "was"),
                            |one| one.on_how_many.clone(),
                        );
                        let now = there.map_or_else(
                            || now.lacks(label, self.explored.get(label), "is"),
                            |one| one.on_how_many.clone(),
                        );
                        tell(name("on how many boards"), &before, &now);
                    }
                    continue;
                }
            };
            if before.readings_known && now.readings_known {
                tell(name("readings"), &before.readings, &now.readings);
            }
            if before.can_be_as_many(now) {
                continue;
            }
            let how_many = name("on how many boards");
            tell(how_many, &before.on_how_many, &now.on_how_many);
            if !before.known || !now.known || before.is_alike(now) {
                continue;
            }
            // The data are told where the words do not tell the boards apart.
            if facts(&before.words) != facts(&now.words) {
                tell(name("which boards"), &before.words, &now.words);
            } else if facts(&before.formally) != facts(&now.formally) {
                let which = name("which boards, formally");
                tell(which, &before.formally, &now.formally);
            } else if before.on_how_many == now.on_how_many {
                tell(
                    name("which boards"),
                    &before.words,
                    "as many, but other boards",
                );
            }
        }
        found
    }

    /// On how many boards of a scope it occurs, where it does not; the other version has that scope.
    fn lacks(&self, label: &str, other: Option<&Explored>, is: &str) -> String {
        if self.explored.contains_key(label) {
            return "none".to_owned();
        }
        match other.map(|one| one.subject) {
            Some(ScopeOf::Verify(_)) => format!("not explored: there {is} no such `verify`"),
            Some(ScopeOf::Example(_)) => format!("not explored: there {is} no such example"),
            Some(ScopeOf::Sequence(_) | ScopeOf::On(..)) | None => "not explored".to_owned(),
        }
    }
}

impl Place {
    /// Whether not all is known of one of them, and the numbers of boards do not contradict each other.
    fn can_be_as_many(&self, other: &Self) -> bool {
        match (self.known, other.known) {
            (true, true) => false,
            (true, false) => other.number <= self.number,
            (false, true) => self.number <= other.number,
            (false, false) => true,
        }
    }

    /// Whether the boards are the same.
    fn is_alike(&self, other: &Self) -> bool {
        match self.boards == Boards::Told || other.boards == Boards::Told {
            true => {
                facts(&self.words) == facts(&other.words)
                    && facts(&self.formally) == facts(&other.formally)
            }
            false => self.boards == other.boards,
        }
    }
}

/// A finding as it occurs in one of its scopes.
fn there(finding: &Finding, counted: &Counted) -> Finding {
    let is_own = finding.scope == Some(counted.scope);
    Finding {
        scope: Some(counted.scope),
        readings: counted.readings.clone(),
        boards: counted.boards,
        boards_each: counted.boards_each,
        by_reading: counted.by_reading.clone(),
        occurs: finding.occurs.clone().filter(|_| is_own),
        ..finding.clone()
    }
}

fn place(sheet: Sheet<'_>, finding: &Finding, (on_how_many, boards): (String, Boards)) -> Place {
    let which = finding.occurs.as_ref();
    let scope = finding.scope.and_then(|at| sheet.results.scopes.get(at));
    let known = scope.is_none_or(|scope| scope.limitations.is_empty() && is_known(scope, finding));
    let words = which.map_or_else(String::new, |one| occurs::in_full(sheet.program, one));
    Place {
        number: finding.boards,
        known,
        readings: readings(sheet, finding),
        readings_known: known && finding.readings_known,
        on_how_many,
        boards,
        words: match scope {
            Some(scope) => of_known(finding, scope, words),
            None => words,
        },
        formally: which.map_or_else(String::new, |one| formally(sheet.program, finding, one)),
    }
}

/// What is run in each scope, and from which boards. Of several of which that is the same, the one with the
/// fewest entities is called so, and the others are numbered.
fn labels(sheet: Sheet<'_>) -> Vec<String> {
    let words = Words {
        program: sheet.program,
        sources: sheet.sources,
    };
    let scopes = &sheet.results.scopes;
    let bare = scopes.iter().map(|scope| {
        let condition = scope_condition(words, scope);
        let condition = condition.map_or_else(String::new, |one| format!(", where {one}"));
        scope_subject(words, scope) + &condition
    });
    let bare: Vec<String> = bare.collect();
    let most = |at: usize| -> Vec<u32> { scopes[at].sizes.iter().map(|one| one.2).collect() };
    let numbered = bare.iter().enumerate().map(|(at, label)| {
        let alike = (0..bare.len()).filter(|&other| bare[other] == *label);
        match alike
            .filter(|&other| (most(other), other) < (most(at), at))
            .count()
        {
            0 => label.clone(),
            before => format!("{label} ({} of several)", before + 1),
        }
    });
    numbered.collect()
}

/// Alternatives in an order that does not depend on that of declarations.
fn named(words: Words<'_>, all: &Readings) -> String {
    let each = all
        .iter()
        .map(|(&id, &at)| words.readings(&Readings::from([(id, at)])));
    sorted(each).join(", ")
}

/// Under which readings something was found, if not under all, in such an order.
pub(super) fn only_if(words: Words<'_>, under: &Under, known: bool) -> Option<String> {
    match under {
        Under::Listed(listed) if !listed.iter().any(Readings::is_empty) => {
            let all = sorted(listed.iter().map(|one| named(words, one)));
            let found = if known { "" } else { "found " };
            Some(format!("{found}only if {}", all.join("; or ")))
        }
        Under::All | Under::Listed(_) => None,
    }
}

/// Under which readings a finding occurs, with all of them and on how many boards, in an order that does not
/// depend on that of the declarations.
fn readings(sheet: Sheet<'_>, finding: &Finding) -> String {
    let words = Words {
        program: sheet.program,
        sources: sheet.sources,
    };
    let mut out = only_if(words, &finding.readings, finding.readings_known)
        .unwrap_or_else(|| found_under_in_full(words, finding));
    if finding.boards_each != finding.boards {
        let each = count(finding.boards_each, "board", "boards");
        out.push_str(&format!(", on {each} under each"));
    }
    let by = finding.by_reading.iter();
    let by = sorted(by.map(|(one, boards)| format!("{}: {}", named(words, one), digits(*boards))));
    if !by.is_empty() {
        out.push_str(&format!(" ({})", by.join("; ")));
    }
    out
}

/// The parts of a condition, whichever is told first: that is in the order in which things are declared.
fn facts(condition: &str) -> Vec<String> {
    let parts = condition
        .split(" on which ")
        .flat_map(|one| one.split(", and "));
    let parts = parts
        .flat_map(|one| one.split(" and "))
        .flat_map(|one| one.split(", "));
    sorted(parts.map(str::to_owned))
}

fn sorted(all: impl Iterator<Item = String>) -> Vec<String> {
    let mut all: Vec<String> = all.collect();
    all.sort_unstable();
    all
}

/// On how many of the legal boards of its scope a finding occurs.
fn on_how_many(sheet: Sheet<'_>, finding: &Finding) -> String {
    let scope = finding.scope.and_then(|at| sheet.results.scopes.get(at));
    // The board of an example need not be legal.
    let is_of_boards = !matches!(finding.detail, Detail::Example { .. });
    let told = scope.filter(|_| finding.witness.is_some() && is_of_boards);
    told.map_or_else(String::new, |scope| of_how_many(finding, scope))
}

/// On which boards a finding occurs, as conditions; words leave out what nobody would say.
fn formally(program: &Program, finding: &Finding, which: &Occurs) -> String {
    let told = |(when, boards): (String, u64)| format!("{when} ({})", digits(boards));
    let (only, always) = occurs::conditions(program, which, finding.boards);
    let only = only.map(|one| format!("only those with {}", told(one)));
    let always = always.map(|one| format!("all of those with {}", told(one)));
    let parts: Vec<String> = only.into_iter().chain(always).collect();
    parts.join("; ")
}
