//! `endstep mutate`: whether a specification would notice a mistake.

use super::exit::Exit;
use super::expected;
use super::fuzz::{Span, USUAL};
use super::include::Roots;
use super::input::Unreadable;
use super::plain::{self, show};
use super::progress::Count;
use super::selection::left_out;
use super::shape::Format;
use super::signal;
use super::specification::{self, Specification, fail};
use super::terminal;
use crate::driver::campaign::Plan;
use crate::driver::mutants::{Clock, Hunt, Original, Terms};
use crate::driver::{self, Choice, NotFound};
use clap::Args;
use endstep_engines::sample::{Scene, Sizes};
use endstep_language::typing::program::Program;
use endstep_report::report::{
    Fate, Mutants, Toll, listed_json, listed_text, mutants_json, mutants_text,
};
use endstep_tools::mutate::{Mutant, Operator, mutants};
use endstep_verdicts::analysis::{Options, Stop, what_is_run};
use endstep_verdicts::verdict::digest;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

/// See whether a specification would notice a mistake: change one small thing after the other
///
/// Each mutant is compared with the original, as by `endstep diff`, on worked examples, then on small
/// boards, then on larger ones. It is killed if a check of it says something else: a finding that is
/// new, gone, or occurs under other readings or on more or fewer boards, or another verdict (on small
/// boards: a new finding with a witness). Some of what `endstep diff` compares takes too long to be
/// looked at for each mutant: what no run executes, steps that make no difference, what another order
/// than a fixed one would do, boards outside of those compared, and on which boards something occurs,
/// if on as many. What survives plays otherwise, and nothing else that a check says shows it. With
/// --campaign it is killed by what a campaign finds from nothing.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  endstep mutate game.endstep
  endstep mutate game.endstep --list --operators guard,emission
  endstep mutate game.endstep --only cleanup.4 --all
  endstep mutate game.endstep --scope Card=2 --most 100 --format json
  endstep mutate game.endstep --campaign --time 60s --jobs 1")]
pub(super) struct Arguments {
    /// The specification
    path: PathBuf,
    /// Only mutants with this name, or this beginning of a name: a clause, or a clause and a line
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Only mutants of these operators
    #[arg(long, value_name = "OPERATOR", value_delimiter = ',', value_parser = operator)]
    operators: Vec<Operator>,
    /// Only so many mutants, spread evenly over all
    #[arg(long, value_name = "N")]
    most: Option<usize>,
    /// List the mutants, and try none
    #[arg(long)]
    list: bool,
    /// Explore at most so many of a sort, or only some values of a field
    #[arg(long, value_name = "SORT=N | SORT.FIELD=A,B")]
    scope: Vec<Choice>,
    /// Look only at runs under this alternative of a reading
    #[arg(long, value_name = "READING=ALTERNATIVE")]
    reading: Vec<Choice>,
    /// Choose sizes for which the original needs no more micro-steps than this in any sequence
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    steps: u64,
    /// Sample runs of each mutant, as `fuzz` does with one thread and no folder, and check none
    #[arg(long)]
    campaign: bool,
    /// How long the campaign on each is: 90s, 30m [default: 60s, unless --runs is given]
    #[arg(long, value_name = "TIME", requires = "campaign")]
    time: Option<Span>,
    /// End the campaign on each after so many runs; the same seed then gives the same
    #[arg(long, value_name = "N", requires = "campaign")]
    runs: Option<u64>,
    /// Where the dice of campaigns start
    #[arg(long, value_name = "N", default_value_t = 0, requires = "campaign")]
    seed: u64,
    /// How many mutants are tried at once; the results do not depend on it [default: one for each
    /// processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// How to show the results
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Show every mutant, not only those that survive
    #[arg(long)]
    all: bool,
    /// Leave out boards, tables and progress
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    roots: Roots,
}

fn operator(word: &str) -> Result<Operator, String> {
    Operator::find(word).ok_or_else(|| {
        let words = Operator::ALL.map(Operator::word);
        format!("expected one of {}", words.join(", "))
    })
}

/// The same without what is asked about experiments: no mutant of a rule is one of them, so that every answer would
/// be another one.
fn without_experiments(program: &Program) -> Program {
    let claims = program.claims.iter();
    let claims = claims.filter(|one| !program.asks_about_experiment(one));
    Program {
        claims: claims.cloned().collect(),
        ..program.clone()
    }
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> io::Result<Exit> {
    let (input, specification) = match specification::open(&arguments.path, &arguments.roots)? {
        Ok(opened) => opened,
        Err(exit) => return Ok(exit),
    };
    let Some(program) = &specification.compiled.program else {
        return Ok(Exit::Specification);
    };
    let program = &without_experiments(program);
    let run = what_is_run(program);
    let mut all = mutants(program, &specification.sources);
    // Of what nothing runs, nothing can be compared.
    all.retain(|one| {
        let owner = one.owner(program);
        owner.is_none_or(|owner| run.holds(program, owner))
    });
    let chosen = match chosen(arguments, &all) {
        Ok(chosen) => chosen,
        Err(NotFound(why)) => return fail(&why, Exit::Usage),
    };
    if arguments.list {
        list(arguments, (&specification, program), &chosen, out)?;
        return Ok(Exit::Ok);
    }
    let known = match expected::load(&input, false) {
        Ok(known) => known.map_or_else(Vec::new, |known| known.findings),
        Err(Unreadable(why)) => return fail(&why, Exit::Unreadable),
    };
    let known = known.into_iter().map(|one| one.fingerprint);
    let terms = match terms(arguments, program) {
        Ok(terms) => Terms {
            known: known.collect(),
            ..terms
        },
        Err(NotFound(why)) => return fail(&why, Exit::Usage),
    };
    let stop = terms.options.stop.clone();
    let wanted = stop.clone();
    signal::heed(move || wanted.stop());
    let clock = clock(arguments, &stop);
    let mut original = Original::new(program, &specification.sources, &terms);
    if arguments.campaign {
        original = original.hunting(&hunt(arguments, &terms, &clock));
    }
    let restrictions = match left_out(program, &arguments.scope, &arguments.reading) {
        Ok(restrictions) => restrictions,
        Err(NotFound(why)) => return fail(&why, Exit::Usage),
    };
    let count = Count::new("mutants", chosen.len(), arguments.quiet);
    let fates = original.judge(&chosen, &|_| count.tick());
    drop(count);
    let tried = chosen.into_iter().zip(fates);
    let tried = tried.filter_map(|(mutant, fate)| Some((mutant, fate?)));
    let (chosen, fates): (Vec<Mutant>, Vec<Fate>) = tried.unzip();
    let report = Mutants {
        name: &specification.name,
        sources: &specification.sources,
        program,
        mutants: &chosen,
        fates: &fates,
        all: all.len(),
        scopes: original.scopes(),
        restrictions: &restrictions,
        campaign: original.runs(),
    };
    tell(arguments, report, &stop, out)
}

/// Shows what became of mutants; if somebody would not wait, that it is not all.
fn tell(
    arguments: &Arguments,
    report: Mutants<'_>,
    stop: &Stop,
    out: &mut dyn Write,
) -> io::Result<Exit> {
    let toll = Toll::of(report.fates.iter());
    let exit = match (toll.survived, toll.undecided) {
        _ if stop.is_wanted() => Exit::Interrupted,
        (0, 0) => Exit::Ok,
        (0, _) => Exit::Inconclusive,
        _ => Exit::Findings,
    };
    match arguments.format {
        Format::Text => {
            show(out, terminal::style(arguments.quiet), |style| {
                mutants_text(report, arguments.all, style)
            })?;
        }
        Format::Json => write(mutants_json(report), exit, out)?,
    }
    if stop.is_wanted() {
        let name = &report.name;
        let why = format!("the trial of `{name}` was interrupted: what is shown is not all");
        return fail(&why, exit);
    }
    Ok(exit)
}

fn write(mut value: Value, exit: Exit, out: &mut dyn Write) -> io::Result<()> {
    value["endstep"] = json!(env!("CARGO_PKG_VERSION"));
    value["exit"] = json!(exit as u8);
    out.write_all(plain::json(&value)?.as_bytes())
}

fn list(
    arguments: &Arguments,
    (specification, program): (&Specification, &Program),
    chosen: &[Mutant],
    out: &mut dyn Write,
) -> io::Result<()> {
    let sources = &specification.sources;
    match arguments.format {
        Format::Text => out.write_all(listed_text(sources, chosen).as_bytes()),
        Format::Json => write(listed_json(program, sources, chosen), Exit::Ok, out),
    }
}

/// The mutants that the command line asks for, in their order.
fn chosen(arguments: &Arguments, all: &[Mutant]) -> Result<Vec<Mutant>, NotFound> {
    let is_named = |mutant: &Mutant, name: &str| {
        let rest = mutant.name.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '#']))
    };
    for name in &arguments.only {
        if !all.iter().any(|mutant| is_named(mutant, name)) {
            let why = format!("found `{name}`, expected the name of a mutant; --list shows them");
            return Err(NotFound(why));
        }
    }
    let is_wanted = |mutant: &&Mutant| {
        let mut names = arguments.only.iter();
        let named = arguments.only.is_empty() || names.any(|name| is_named(mutant, name));
        let operators = &arguments.operators;
        named && (operators.is_empty() || operators.contains(&mutant.operator))
    };
    let wanted: Vec<&Mutant> = all.iter().filter(is_wanted).collect();
    let most = arguments.most.unwrap_or(usize::MAX).min(wanted.len());
    // Whatever the names have in common, their hashes do not.
    let mut spread: Vec<usize> = (0..wanted.len()).collect();
    spread.sort_by_cached_key(|&at| digest(&[&wanted[at].name]));
    spread.truncate(most);
    spread.sort_unstable();
    Ok(spread.into_iter().map(|at| wanted[at].clone()).collect())
}

fn terms(arguments: &Arguments, program: &Program) -> Result<Terms, NotFound> {
    let (fields, sizes): (Vec<_>, Vec<_>) = arguments
        .scope
        .iter()
        .cloned()
        .partition(|choice| choice.name.contains('.'));
    let threads = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    Ok(Terms {
        sizes: driver::sizes(program, &sizes)?,
        options: Options {
            fields: driver::fields(program, &fields)?,
            readings: driver::readings(program, &arguments.reading)?,
            // A mutant need not speak of all of which the specification speaks.
            every_value: true,
            ..Options::default()
        },
        steps: arguments.steps,
        jobs: arguments.jobs.map_or_else(threads, usize::from),
        ..Terms::default()
    })
}

/// When a campaign has had its time.
fn clock(
    arguments: &Arguments,
    stop: &Stop,
) -> impl Fn() -> Box<dyn Fn() -> bool + Send + Sync> + Sync {
    let stop = stop.clone();
    let time = match (arguments.time, arguments.runs) {
        (Some(Span(time)), _) => Some(time),
        (None, Some(_)) => None,
        (None, None) => Some(USUAL),
    };
    move || {
        let (since, stop) = (Instant::now(), stop.clone());
        let has_time = move || time.is_none_or(|time| since.elapsed() < time);
        Box::new(move || !stop.is_wanted() && has_time())
    }
}

/// The campaign on each mutant.
fn hunt<'a>(arguments: &Arguments, terms: &Terms, clock: Clock<'a>) -> Hunt<'a> {
    let readings = terms.options.readings.iter();
    Hunt {
        plan: Plan {
            seed: arguments.seed,
            runs: arguments.runs,
            scene: Scene {
                sizes: Sizes {
                    fields: terms.options.fields.clone(),
                    readings: readings.map(|(id, at)| (*id, *at)).collect(),
                    ..Sizes::default()
                },
                all_legal: false,
            },
            ..Plan::default()
        },
        clock,
    }
}
