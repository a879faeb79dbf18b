//! `endstep audit`: what a specification decides, though the document may say nothing about it.

use super::exit::Exit;
use super::include::Roots;
use super::plain::{self, show};
use super::progress::Count;
use super::selection::{left_out, scoped};
use super::shape::Format;
use super::signal;
use super::specification::{fail, open};
use super::terminal;
use crate::driver::audit::{Inquiry, accepted, audit};
use crate::driver::{Choice, NotFound};
use clap::Args;
use endstep_language::typing::program::{DECISIONS, Program};
use endstep_report::report::{Audit, audit_json, audit_text};
use endstep_tools::decisions::{Decision, decisions};
use endstep_verdicts::analysis::{Options, Stop};
use serde_json::json;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Find out what the specification decides without saying so
///
/// A line of the language settles more than it seems to: whether all that is done happens at once,
/// whether a creature that recovers meanwhile is spared, whether reactions wait. Where the document
/// says nothing of it, that is a question that players will ask. Each such decision is tried the other
/// way; those after which a sequence can end as it cannot end now are told, with a board that shows it.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  endstep audit game.endstep
  endstep audit game.endstep --only cleanup.4 --all
  endstep audit game.endstep --kinds rechecked,together --format json")]
pub(super) struct Arguments {
    /// The specification
    file: PathBuf,
    /// Only decisions with this name, or made in this clause, step, sequence, trigger, event or queue
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Only decisions of these kinds
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = kind)]
    kinds: Vec<&'static str>,
    /// Tell all open decisions, not only the first ten, and what became of the others
    #[arg(long)]
    all: bool,
    /// Explore at most so many of a sort, or only some values of a field
    #[arg(long, value_name = "SORT=N | SORT.FIELD=A,B")]
    scope: Vec<Choice>,
    /// Look only at runs under this alternative of a reading
    #[arg(long, value_name = "READING=ALTERNATIVE")]
    reading: Vec<Choice>,
    /// Spend at most so many micro-steps on the boards of each sequence, and a quarter of them on each decision
    #[arg(long, value_name = "N", default_value_t = 20_000_000)]
    steps: u64,
    /// How many decisions are tried at once; the results do not depend on it [default: one for each
    /// processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// How to show the results
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Leave out boards and progress
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    roots: Roots,
}

fn kind(word: &str) -> Result<&'static str, String> {
    let known = DECISIONS.into_iter().find(|one| *one == word);
    known.ok_or_else(|| format!("expected one of {}", DECISIONS.join(", ")))
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> io::Result<Exit> {
    let (_, specification) = match open(&arguments.file, &arguments.roots)? {
        Ok(opened) => opened,
        Err(exit) => return Ok(exit),
    };
    let Some(program) = &specification.compiled.program else {
        return Ok(Exit::Specification);
    };
    let all = decisions(program, &specification.sources);
    let stale = stale(program, &all);
    let chosen = match chosen(arguments, program, all) {
        Ok(chosen) => chosen,
        Err(NotFound(why)) => return fail(&why, Exit::Usage),
    };
    let (options, restrictions) = match terms(arguments, program) {
        Ok(terms) => terms,
        Err(NotFound(why)) => return fail(&why, Exit::Usage),
    };
    let stop = options.stop.clone();
    let wanted = stop.clone();
    signal::heed(move || wanted.stop());
    let threads = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let inquiry = Inquiry {
        options,
        steps: arguments.steps,
        jobs: arguments.jobs.map_or_else(threads, usize::from),
    };
    let count = Count::new("decisions", chosen.len(), arguments.quiet);
    let rulings = audit(program, &chosen, &inquiry, &|| count.tick());
    drop(count);
    let report = Audit {
        name: &specification.name,
        sources: &specification.sources,
        program,
        decisions: &chosen,
        rulings: &rulings,
        restrictions: &restrictions,
        stale: &stale,
    };
    tell(arguments, report, &stop, out)
}

/// Shows what became of decisions; if somebody would not wait, that it is not all.
fn tell(
    arguments: &Arguments,
    report: Audit<'_>,
    stop: &Stop,
    out: &mut dyn Write,
) -> io::Result<Exit> {
    let exit = match (report.number_open(), report.stale.is_empty()) {
        _ if stop.is_wanted() => Exit::Interrupted,
        (0, true) if report.is_unsure() => Exit::Inconclusive,
        (0, true) => Exit::Ok,
        _ => Exit::Findings,
    };
    match arguments.format {
        Format::Text => {
            let style = terminal::style(arguments.quiet);
            show(out, style, |style| {
                let all = arguments.all;
                audit_text(report, endstep_report::report::Style { all, ..style })
            })?;
        }
        Format::Json => {
            let mut value = audit_json(report);
            value["endstep"] = json!(env!("CARGO_PKG_VERSION"));
            value["exit"] = json!(exit as u8);
            out.write_all(plain::json(&value)?.as_bytes())?;
        }
    }
    if stop.is_wanted() {
        let name = report.name;
        let why = format!("the audit of `{name}` was interrupted: what is shown is not all");
        return fail(&why, exit);
    }
    Ok(exit)
}

/// The decisions that the command line asks for, in their order.
fn chosen(
    arguments: &Arguments,
    program: &Program,
    all: Vec<Decision>,
) -> Result<Vec<Decision>, NotFound> {
    let is_named = |one: &Decision, name: &str| one.name == name || one.stands_at(program, name);
    for name in &arguments.only {
        let is_clause = program.clauses.values().iter().any(|one| one.id == *name);
        if !is_clause && !all.iter().any(|one| is_named(one, name)) {
            let why = format!(
                "found `{name}`, expected a decision (--all shows them), a clause, a step as `cleanup.destroy`, a \
                 sequence, a trigger, an event or a queue that makes one"
            );
            return Err(NotFound(why));
        }
    }
    let is_wanted = |one: &Decision| {
        let mut names = arguments.only.iter();
        let named = arguments.only.is_empty() || names.any(|name| is_named(one, name));
        let kinds = &arguments.kinds;
        named && (kinds.is_empty() || kinds.contains(&one.alternative.word()))
    };
    Ok(all.into_iter().filter(is_wanted).collect())
}

/// The `accept`s that speak of a decision which nobody makes, by position.
fn stale(program: &Program, all: &[Decision]) -> Vec<usize> {
    let used: Vec<usize> = all
        .iter()
        .filter_map(|one| accepted(program, one))
        .collect();
    let accepts = program.accepts.iter().enumerate();
    let stale = accepts.filter(|(at, one)| one.is_about_decision() && !used.contains(at));
    stale.map(|(at, _)| at).collect()
}

/// What is explored, and the options that leave something out, as they are written.
fn terms(arguments: &Arguments, program: &Program) -> Result<(Options, Vec<String>), NotFound> {
    let (scope, reading) = (&arguments.scope, &arguments.reading);
    Ok((
        scoped(program, scope, reading, &[])?,
        left_out(program, scope, reading)?,
    ))
}
