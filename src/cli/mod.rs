//! Turns command lines into runs of the library, and their results into output
//! and exit codes.
//!
//! One file for each command; each offers its `Arguments` and a function `run`
//! that writes to the output it is given and returns an [`Exit`]. So
//! `endstep explain E0001` becomes a call of `explain::run`.
//!
//! *Guarantees*: whatever happens, the exit code is one of [`Exit`]. A reader of
//! the output that goes away ends the run quietly; a panic is reported as an
//! internal error.

mod account;
mod arguments;
mod audit;
mod baseline;
mod cache;
mod check;
mod completions;
mod config;
mod coverage;
mod decide;
mod destinations;
mod diff;
mod ends;
mod escape;
pub mod exit;
mod expected;
mod explain;
mod explore;
mod fmt;
mod folder;
mod fuzz;
mod graph;
mod include;
mod init;
mod input;
mod lsp;
mod man;
mod merge;
mod mutate;
mod order;
mod output;
mod part;
mod plain;
mod plan;
mod progress;
mod questions;
mod replay;
mod report;
mod revision;
mod run;
mod selection;
mod shape;
mod shard;
mod signal;
mod site;
mod specification;
mod stack;
mod terminal;
mod testgen;
mod watch;
mod witnesses;

pub use exit::Exit;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use escape::is_plain;
use plain::{Plain, err};
use stack::STACK_BYTES;

/// Verifies rules documents: says whether a formalised text is complete,
/// consistent and unambiguous, and shows the smallest board where it is not.
#[derive(Parser, Debug)]
#[command(name = "endstep", version, propagate_version = true, after_help = exit::HELP)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
    /// Use colours: auto (on a terminal), always or never
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        hide_possible_values = true,
        hide_default_value = true,
        default_value_t = terminal::Colour::Auto
    )]
    color: terminal::Colour,
}

#[derive(Subcommand, Debug)]
enum Command {
    Init(init::Arguments),
    Check(arguments::Arguments),
    Merge(merge::Arguments),
    Explain(explain::Arguments),
    Report(report::Arguments),
    Replay(replay::Arguments),
    Decide(decide::Arguments),
    Run(run::Arguments),
    Ends(ends::Arguments),
    Explore(explore::Arguments),
    Fuzz(fuzz::Arguments),
    Mutate(mutate::Arguments),
    Audit(audit::Arguments),
    Graph(graph::Arguments),
    Order(order::Arguments),
    Testgen(testgen::Arguments),
    Coverage(coverage::Arguments),
    Questions(questions::Arguments),
    Diff(diff::Arguments),
    Fmt(fmt::Arguments),
    Lsp(lsp::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

/// Runs the program with its arguments, the program's name first.
pub fn run<A>(arguments: A) -> ExitCode
where
    A: IntoIterator<Item: Into<OsString> + Clone>,
{
    std::panic::set_hook(Box::new(|panic| {
        let version = env!("CARGO_PKG_VERSION");
        // Nobody can be told that standard error is closed.
        let _ = writeln!(
            err(),
            "internal error: {panic}\n\
             this is a fault in endstep {version}, not in your specification; please report it"
        );
    }));
    let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
    supervise(move || dispatch(arguments, &mut io::stdout().lock())).into()
}

/// Does the work on a thread of its own, for the sake of its stack, and turns
/// whatever becomes of it into an exit code.
fn supervise(work: impl FnOnce() -> io::Result<Exit> + Send + 'static) -> Exit {
    let worker = std::thread::Builder::new()
        .name("endstep".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(work);
    let error = match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(exit))) => return exit,
        Ok(Ok(Err(error))) => return output_failed(&error),
        // The hook has said so already.
        Ok(Err(_)) => return Exit::Internal,
        Err(error) => error,
    };
    let _ = writeln!(err(), "error: cannot start a thread: {error}");
    Exit::Internal
}

/// Reads the command line and runs the command.
fn dispatch(arguments: Vec<OsString>, out: &mut dyn Write) -> io::Result<Exit> {
    let parsed = command().try_get_matches_from(arguments);
    let line = match parsed.and_then(|matches| CommandLine::from_arg_matches(&matches)) {
        Ok(line) => line,
        Err(error) => return misused(&error, out),
    };
    terminal::colour_is(line.color);
    match &line.command {
        // A text that is only laid out otherwise, which another program reads.
        Command::Fmt(arguments) if !io::stdout().is_terminal() => {
            let exit = fmt::run(arguments, out)?;
            out.flush()?;
            return Ok(exit);
        }
        // Messages, in which JSON escapes what a terminal would obey.
        Command::Lsp(arguments) => return lsp::run(arguments, out),
        _ => {}
    }
    let out: &mut dyn Write = &mut Plain(out);
    let exit = match line.command {
        Command::Init(arguments) => init::run(&arguments, out),
        Command::Check(arguments) => check::run(&arguments, out),
        Command::Merge(arguments) => merge::run(&arguments, out),
        Command::Explain(arguments) => explain::run(&arguments, out),
        Command::Report(arguments) => report::run(&arguments, out),
        Command::Replay(arguments) => replay::run(&arguments, out),
        Command::Decide(arguments) => decide::run(&arguments, out),
        Command::Run(arguments) => run::run(&arguments, out),
        Command::Ends(arguments) => ends::run(&arguments, out),
        Command::Explore(arguments) => explore::run(&arguments, out),
        Command::Fuzz(arguments) => fuzz::run(&arguments, out),
        Command::Mutate(arguments) => mutate::run(&arguments, out),
        Command::Audit(arguments) => audit::run(&arguments, out),
        Command::Graph(arguments) => graph::run(&arguments, out),
        Command::Order(arguments) => order::run(&arguments, out),
        Command::Testgen(arguments) => testgen::run(&arguments, out),
        Command::Coverage(arguments) => coverage::run(&arguments, out),
        Command::Questions(arguments) => questions::run(&arguments, out),
        Command::Diff(arguments) => diff::run(&arguments, out),
        Command::Fmt(arguments) => fmt::run(&arguments, out),
        Command::Lsp(arguments) => lsp::run(&arguments, out),
        Command::Completions(arguments) => completions::run(&arguments, &mut command(), out),
        Command::Man(arguments) => man::run(&arguments, command(), out),
    }?;
    out.flush()?;
    Ok(exit)
}

/// Shows what clap says: help, or what is wrong with the command line, in which anything may stand.
fn misused(error: &clap::Error, out: &mut dyn Write) -> io::Result<Exit> {
    let text = error.render().to_string();
    match (error.use_stderr(), is_plain(&text)) {
        (_, true) => error.print()?,
        (true, false) => err().write_all(text.as_bytes())?,
        (false, false) => Plain(out).write_all(text.as_bytes())?,
    }
    Ok(match error.use_stderr() {
        true => Exit::Usage,
        false => Exit::Ok,
    })
}

/// The command line as clap wants it; `--version` names the solver too.
fn command() -> clap::Command {
    let solver = endstep_proofs::smt::version();
    let version = format!("{}\nZ3 {solver}", env!("CARGO_PKG_VERSION"));
    CommandLine::command().long_version(version)
}

fn output_failed(error: &io::Error) -> Exit {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return Exit::BrokenPipe;
    }
    let _ = writeln!(err(), "error: cannot write the output: {error}");
    Exit::Output
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        command().debug_assert();
    }

    #[test]
    fn every_help_shows_an_example() {
        let commands = command();
        assert!(commands.get_subcommands().count() > 12);
        for one in commands.get_subcommands() {
            let name = one.get_name();
            let help = one
                .get_after_help()
                .map(ToString::to_string)
                .unwrap_or_default();
            let call = format!("  endstep {name}");
            assert!(
                help.starts_with("Example") && help.contains(&call),
                "{name}: {help}"
            );
        }
    }

    #[test]
    fn whatever_becomes_of_the_work_gives_an_exit_code() {
        let broken_pipe = || Err(io::ErrorKind::BrokenPipe.into());
        assert_eq!(supervise(broken_pipe), Exit::BrokenPipe);
        let disk_full = || Err(io::ErrorKind::StorageFull.into());
        assert_eq!(supervise(disk_full), Exit::Output);
        assert_eq!(supervise(|| panic!("a fault on purpose")), Exit::Internal);
        assert_eq!(supervise(|| Ok(Exit::Findings)), Exit::Findings);
    }
}
