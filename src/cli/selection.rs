//! What is looked at, and how: the options of a check that several commands share.

use super::cache::Cache;
use super::exit::Exit;
use super::expected;
use super::input::{Input, Unreadable};
use super::progress::Meter;
use crate::driver::mutants::leaves_out;
use crate::driver::{self, Checked, Choice, Engine, NotFound};
use clap::{Args, ValueEnum};
use endstep_language::typing::program::{Named, Program};
use endstep_verdicts::analysis::{Limits, Options, Stop, leaves_out_values};
use endstep_verdicts::verdict::{Expected, Results};
use std::collections::BTreeMap;

/// The options.
#[derive(Args, Debug)]
pub(super) struct Selection {
    /// Explore at most so many of a sort, or only some values of a field
    #[arg(long, value_name = "SORT=N | SORT.FIELD=A,B")]
    scope: Vec<Choice>,
    /// Look only at runs under this alternative of a reading
    #[arg(long, value_name = "READING=ALTERNATIVE")]
    reading: Vec<Choice>,
    /// Report only what has this code, clause, claim or subject. Where only claims are named, nothing
    /// else is looked at, and no board is tried that the prover suggests beyond the scope
    #[arg(long, value_name = "CODE|CLAUSE|CLAIM")]
    only: Vec<String>,
    /// Look for the smallest change after which an order, a reading or a missing second look does
    /// not matter any more; takes several times as long
    #[arg(long)]
    repairs: bool,
    /// Prove more for boards of every size: that what goes round ends, what every statement keeps, that
    /// readings play alike; can take minutes
    #[arg(long)]
    prove: bool,
    /// Visit every order of every iteration, also where its elements have nothing to do with each other
    #[arg(long)]
    every_order: bool,
    /// How many threads look at boards; the results do not depend on it [default: one for each
    /// processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Which engine visits the runs
    #[arg(long, value_enum, default_value_t = EngineName::Fast, hide = true)]
    engine: EngineName,
    #[command(flatten)]
    cache: Cache,
}

/// How an option begins that only keeps findings from being shown.
const ONLY: &str = "--only ";

/// The engines, as they are called.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum EngineName {
    Fast,
    Naive,
}

impl From<EngineName> for Engine {
    fn from(name: EngineName) -> Self {
        match name {
            EngineName::Fast => Self::Fast,
            EngineName::Naive => Self::Naive,
        }
    }
}

/// An option that chooses something, as it is written.
pub(super) fn as_written(option: &str, choice: &Choice) -> String {
    format!("--{option} {}={}", choice.name, choice.value)
}

impl Selection {
    /// Whether `--scope` has a number for a sort.
    fn gives(&self, sort: &str) -> bool {
        self.scope.iter().any(|one| one.name == sort)
    }

    /// The options that can keep a check from looking at everything, as they are written.
    fn restrictions(&self) -> Vec<String> {
        let scope = self.scope.iter().map(|one| as_written("scope", one));
        let reading = self.reading.iter().map(|one| as_written("reading", one));
        let only = self.only.iter().map(|one| format!("{ONLY}{one}"));
        scope.chain(reading).chain(only).collect()
    }
}

impl Selection {
    /// Of these options those that kept a check from looking at everything: `--scope Card=2` leaves nothing
    /// out where no more cards than two are explored.
    pub(super) fn kept_from(&self, program: &Program, results: &Results) -> Vec<String> {
        self.kept_from_with(&[], program, results)
    }

    /// The same, with the sizes of `endstep.toml`, as they can be written there.
    pub(super) fn kept_from_with(
        &self,
        sizes: &[Choice],
        program: &Program,
        results: &Results,
    ) -> Vec<String> {
        let only = self.only.iter().map(|one| format!("{ONLY}{one}"));
        if !results.scopes.iter().any(|scope| scope.partial) {
            return only.collect();
        }
        // What the specification does not know was refused before.
        let is_less = |size: &&Choice| is_less(program, size).unwrap_or(true);
        let sizes = sizes.iter().filter(|size| !self.gives(&size.name));
        let sizes: Vec<Choice> = sizes.cloned().collect();
        let sizes = sizes_kept_from(&sizes, program, results).into_iter();
        let scope = self.scope.iter().filter(is_less);
        let scope = scope.map(|one| as_written("scope", one));
        let reading = self.reading.iter().map(|one| as_written("reading", one));
        sizes.chain(scope).chain(reading).chain(only).collect()
    }

    /// The options on which results depend, as they are written.
    pub(super) fn that_matter(&self) -> Vec<String> {
        let mut all = self.restrictions();
        let switches = [
            ("--repairs", self.repairs),
            ("--prove", self.prove),
            ("--every-order", self.every_order),
            ("--engine naive", self.engine == EngineName::Naive),
        ];
        let switches = switches.iter().filter(|(_, is_set)| *is_set);
        all.extend(switches.map(|(name, _)| (*name).to_owned()));
        all
    }
}

/// Of the sizes of `endstep.toml` those that kept a check from looking at everything, as they can be written there.
pub(super) fn sizes_kept_from(
    sizes: &[Choice],
    program: &Program,
    results: &Results,
) -> Vec<String> {
    if !results.scopes.iter().any(|scope| scope.partial) {
        return Vec::new();
    }
    // What the specification does not know was refused before.
    let less = sizes
        .iter()
        .filter(|size| is_less(program, size).unwrap_or(true));
    less.map(|size| format!("sizes.{} = {}", size.name, size.value))
        .collect()
}

/// Whether a size, or values of a field, leave out boards for which the specification asks.
///
/// # Errors
///
/// There is no such sort, or it cannot have as many.
pub(super) fn is_less(program: &Program, choice: &Choice) -> Result<bool, NotFound> {
    if choice.name.contains('.') {
        let fields = driver::fields(program, std::slice::from_ref(choice))?;
        let mut fields = fields.into_iter();
        return Ok(fields.any(|(field, values)| leaves_out_values(program, field, &values)));
    }
    let sizes = driver::sizes(program, std::slice::from_ref(choice))?;
    Ok(sizes.into_iter().any(|size| leaves_out(program, size)))
}

/// Checks a specification, showing progress unless it is to be quiet, and compares what is found with
/// what is expected, unless that is to be ignored.
pub(super) fn look(
    program: &Program,
    input: &Input,
    (selection, no_expected): (&Selection, bool),
    quiet: bool,
) -> Result<Checked, (String, Exit)> {
    let known = expected::load(input, no_expected);
    let known = known.map_err(|Unreadable(why)| (why, Exit::Unreadable))?;
    let how = How {
        name: &input.name,
        position: (1, 1),
        sizes: &[],
        limits: Limits::default(),
        quiet,
        stop: Stop::default(),
        beside: BTreeMap::new(),
        alone: Named::default(),
    };
    check(program, selection, &how, known.as_ref())
}

/// Checks a specification to find a finding again, showing progress; what is expected does not matter.
pub(super) fn once(program: &Program, name: &str, options: &Options) -> Checked {
    let mut meter = Meter::new(name, (1, 1), false);
    driver::check(
        program,
        (options, driver::Engine::default()),
        None,
        &mut |progress| meter.show(progress),
    )
}

/// How specifications are looked at, beside the options.
#[derive(Clone, Debug)]
pub(super) struct How<'a> {
    /// The name of the specification.
    pub name: &'a str,
    /// Which of how many it is, the first being 1.
    pub position: (usize, usize),
    /// Largest numbers of entities, where no option gives one.
    pub sizes: &'a [Choice],
    /// The limits.
    pub limits: Limits,
    /// Whether progress is not shown.
    pub quiet: bool,
    /// Whether somebody has had enough.
    pub stop: Stop,
    /// With what sequences have to do beside what the specification speaks of, by their names.
    pub beside: BTreeMap<String, Named>,
    /// What the version with which it is compared does not declare.
    pub alone: Named,
}

/// Checks a specification.
pub(super) fn check(
    program: &Program,
    selection: &Selection,
    how: &How<'_>,
    known: Option<&Expected>,
) -> Result<Checked, (String, Exit)> {
    let sizes = how.sizes.iter().filter(|size| !selection.gives(&size.name));
    let scope: Vec<Choice> = sizes.chain(&selection.scope).cloned().collect();
    let scoped = scoped(program, &scope, &selection.reading, &selection.only);
    let memory = selection.cache.memory();
    let options = Options {
        threads: selection.threads.map_or(0, usize::from),
        limits: how.limits,
        repairs: selection.repairs,
        prove: selection.prove,
        every_order: selection.every_order,
        stop: how.stop.clone(),
        beside: how.beside.clone(),
        alone: how.alone.clone(),
        memory: memory.map_err(|Unreadable(why)| (why, Exit::Unreadable))?,
        ..scoped.map_err(|NotFound(why)| (why, Exit::Usage))?
    };
    let mut meter = Meter::new(how.name, how.position, how.quiet);
    Ok(driver::check(
        program,
        (&options, selection.engine.into()),
        known,
        &mut |progress| meter.show(progress),
    ))
}

/// The options that a command line asks for.
pub(super) fn scoped(
    program: &Program,
    scope: &[Choice],
    reading: &[Choice],
    only: &[String],
) -> Result<Options, NotFound> {
    let (fields, sizes): (Vec<_>, Vec<_>) = scope
        .iter()
        .cloned()
        .partition(|choice| choice.name.contains('.'));
    Ok(Options {
        sizes: driver::sizes(program, &sizes)?,
        fields: driver::fields(program, &fields)?,
        readings: driver::readings(program, reading)?,
        only: driver::only(program, only)?,
        claims: driver::claims(program, only),
        ..Options::default()
    })
}

/// The options that leave out boards or readings for which the specification asks, as they are written.
pub(super) fn left_out(
    program: &Program,
    scope: &[Choice],
    reading: &[Choice],
) -> Result<Vec<String>, NotFound> {
    let mut all = Vec::new();
    for one in scope {
        all.extend(is_less(program, one)?.then(|| as_written("scope", one)));
    }
    all.extend(reading.iter().map(|one| as_written("reading", one)));
    Ok(all)
}
