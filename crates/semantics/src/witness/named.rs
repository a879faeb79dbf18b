//! Finds what a saved witness names in the specification, or says that it is not there any more.

use std::fmt;

use super::error::ReplayError;
use super::run::Violated;
use super::save::VERSION;
use super::saved::SavedViolated;
use endstep_language::index::{Arena, Id};
use endstep_language::typing::program::{ObserverId, Program, SequenceId, StepId, StmtId};

/// Why a file does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoadError {
    /// It is not JSON of the right shape.
    Malformed,
    /// It was written by another version.
    Version(u32),
    /// The specification has no such thing (its kind, its name).
    Unknown(&'static str, String),
    /// A value does not fit where it stands.
    Value(String),
    /// A run cannot be done any more.
    Run(ReplayError),
    /// A run ends otherwise now: how it ended, how it ends.
    EndsOtherwise(String, String),
}

impl fmt::Display for LoadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed => out.write_str("a part of it is missing, or has another form"),
            Self::Version(found) => {
                write!(out, "found version {found}, expected version {VERSION}")
            }
            Self::Unknown(kind, name) => {
                write!(out, "the specification has no {kind} `{name}` any more")
            }
            Self::Value(value) => write!(out, "the value `{value}` does not fit where it stands"),
            Self::Run(error) => write!(out, "the run cannot be done any more: {error}"),
            Self::EndsOtherwise(then, now) => match then == now {
                true => write!(out, "the run ended in another position than it does now"),
                false => write!(out, "the run ended with {then}, and ends with {now} now"),
            },
        }
    }
}

impl std::error::Error for LoadError {}

/// What was found.
pub(super) type Loaded<T> = Result<T, LoadError>;

/// The thing of a name.
pub(super) fn find<I: Id, T>(
    arena: &Arena<I, T>,
    kind: &'static str,
    name: &str,
    named: impl Fn(&T) -> &str,
) -> Loaded<I> {
    let found = arena.iter().find(|(_, one)| named(one) == name);
    found
        .map(|(id, _)| id)
        .ok_or_else(|| LoadError::Unknown(kind, name.to_owned()))
}

/// A sequence.
pub(super) fn sequence(program: &Program, name: &str) -> Loaded<SequenceId> {
    find(&program.sequences, "sequence", name, |one| &one.name)
}

/// A step, by its path.
pub(super) fn step(program: &Program, path: &str) -> Loaded<StepId> {
    let unknown = || LoadError::Unknown("step", path.to_owned());
    let (of, name) = path.split_once('/').ok_or_else(unknown)?;
    let of = sequence(program, of)?;
    let steps = program.sequences[of].steps.iter().copied();
    let mut steps = steps.filter(|&id| program.steps[id].name == name);
    steps.next().ok_or_else(unknown)
}

/// A statement, by its path.
pub(super) fn stmt(program: &Program, path: &str) -> Loaded<StmtId> {
    find(&program.stmts, "statement", path, |one| &one.path)
}

/// An observer, if one is named.
pub(super) fn load_observer(
    program: &Program,
    name: Option<&String>,
) -> Loaded<Option<ObserverId>> {
    let Some(name) = name else { return Ok(None) };
    find(&program.observers, "observer", name, |one| &one.name).map(Some)
}

/// The position of the thing of a name.
pub(super) fn position<T>(
    all: &[T],
    kind: &'static str,
    name: &str,
    named: impl Fn(&T) -> &str,
) -> Loaded<usize> {
    let found = all.iter().position(|one| named(one) == name);
    found.ok_or_else(|| LoadError::Unknown(kind, name.to_owned()))
}

/// What is violated.
pub(super) fn load_violated(program: &Program, saved: &SavedViolated) -> Loaded<Violated> {
    let from_one = |at: usize| at.saturating_sub(1);
    Ok(match saved {
        SavedViolated::Legal(name) => {
            Violated::Legal(position(&program.legals, "condition", name, |one| {
                &one.name
            })?)
        }
        SavedViolated::Ensures(path, at) => Violated::Ensures(step(program, path)?, from_one(*at)),
        SavedViolated::Contract(name, at) => {
            Violated::Contract(sequence(program, name)?, from_one(*at))
        }
        SavedViolated::Meets(name) => {
            Violated::Meets(find(&program.gaps, "gap", name, |one| &one.name)?)
        }
        SavedViolated::Frame(name) => Violated::Frame(sequence(program, name)?),
        SavedViolated::Claim(name) => {
            Violated::Claim(position(&program.claims, "claim", name, |one| &one.name)?)
        }
        SavedViolated::Takes(name, value) => {
            let claim = position(&program.claims, "claim", name, |one| &one.name)?;
            Violated::Takes(claim, *value)
        }
        SavedViolated::Example(name, line) => {
            let example = position(&program.examples, "example", name, |one| &one.name)?;
            Violated::Example(example, from_one(*line))
        }
        SavedViolated::Everywhere(saved) => {
            Violated::Everywhere(Box::new(load_violated(program, saved)?))
        }
    })
}
