//! What the terminal can show: colours and width.

use clap::ValueEnum;
use endstep_language::diag;
use endstep_report::report;
use std::io::{self, IsTerminal};
use std::sync::OnceLock;

/// The width of lines where nothing says otherwise.
const WIDTH: usize = 100;

/// How reports on standard output look.
pub(super) fn style(quiet: bool) -> report::Style {
    report::Style {
        colour: colour(io::stdout().is_terminal()),
        width: width(io::stdout().is_terminal()),
        quiet,
        ..report::Style::default()
    }
}

/// How diagnostics on standard error look.
pub(super) fn diagnostics_style() -> diag::Style {
    diag::Style {
        colour: colour(io::stderr().is_terminal()),
        width: width(io::stderr().is_terminal()),
        ..diag::Style::default()
    }
}

/// When colours are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(super) enum Colour {
    // On a terminal, unless `NO_COLOR` is set; elsewhere if `CLICOLOR_FORCE` is.
    #[default]
    Auto,
    Always,
    Never,
}

/// What the command line says of colours.
static COLOUR: OnceLock<Colour> = OnceLock::new();

/// Takes down what the command line says of colours.
pub(super) fn colour_is(colour: Colour) {
    // Said once: there is one command line.
    let _ = COLOUR.set(colour);
}

fn colour(is_terminal: bool) -> bool {
    let value = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    match COLOUR.get().copied().unwrap_or_default() {
        Colour::Always => return true,
        Colour::Never => return false,
        Colour::Auto => {}
    }
    let forced = value("CLICOLOR_FORCE").is_some_and(|value| value != "0");
    let dumb = value("TERM").is_some_and(|term| term == "dumb");
    value("NO_COLOR").is_none() && (forced || is_terminal && !dumb)
}

fn width(is_terminal: bool) -> usize {
    let columns = std::env::var("COLUMNS").ok().filter(|_| is_terminal);
    let columns = columns.and_then(|columns| columns.parse().ok());
    columns.unwrap_or(WIDTH).clamp(40, 160)
}
