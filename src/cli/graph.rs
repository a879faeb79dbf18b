//! `endstep graph`: what depends on what, as a picture or as text.

use super::exit::Exit;
use super::include::Roots;
use super::input::Unreadable;
use super::output;
use super::plain;
use super::selection::{Selection, look};
use super::specification::{fail, open};
use super::terminal;
use crate::driver;
use clap::{Args, ValueEnum};
use endstep_kernel::lower::lower;
use endstep_report::depend::{self, Kind, Source};
use endstep_report::report::diagram::{Diagram, sketch};
use std::io::{self, Write};
use std::path::PathBuf;

/// Show what depends on what
///
/// Steps with what feeds what and which pairs of an open list matter; events and triggers with what
/// could go round without end; places of the data with what can influence what; clauses with how they
/// hang together. The specification is checked first, to say which loops a run confirms and which pairs
/// can change places.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  endstep graph game.endstep
  endstep graph game.endstep --kind triggers --format svg -o triggers.svg
  endstep graph game.endstep --sequence cleanup --no-check --format dot | dot -Tpdf > steps.pdf")]
pub(super) struct Arguments {
    /// The specification
    file: PathBuf,
    /// What is connected
    #[arg(long, value_enum, default_value_t = KindName::Steps)]
    kind: KindName,
    /// Show only this sequence and what it performs
    #[arg(long, value_name = "NAME")]
    sequence: Option<String>,
    /// Do not check the specification first: show what the text alone says
    #[arg(long)]
    no_check: bool,
    /// How to show it
    #[arg(long, value_enum, default_value_t = GraphFormat::Text)]
    format: GraphFormat,
    /// Write to this file
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    roots: Roots,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum KindName {
    Steps,
    Triggers,
    Fields,
    Clauses,
}

impl From<KindName> for Kind {
    fn from(name: KindName) -> Self {
        match name {
            KindName::Steps => Self::Steps,
            KindName::Triggers => Self::Triggers,
            KindName::Fields => Self::Fields,
            KindName::Clauses => Self::Clauses,
        }
    }
}

/// How a graph is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum GraphFormat {
    /// For reading
    Text,
    /// For Graphviz
    Dot,
    /// A picture
    Svg,
    /// For Mermaid, as in Markdown pages
    Mermaid,
    /// For programs
    Json,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> io::Result<Exit> {
    let (input, specification) = match open(&arguments.file, &arguments.roots)? {
        Ok(opened) => opened,
        Err(exit) => return Ok(exit),
    };
    let Some(program) = &specification.compiled.program else {
        return Ok(Exit::Specification);
    };
    let sequence = arguments.sequence.as_deref();
    let sequence = match sequence.map(|name| driver::any_sequence(program, name)) {
        None => None,
        Some(Ok(found)) => Some(found),
        Some(Err(driver::NotFound(why))) => return fail(&why, Exit::Usage),
    };
    let checked = match arguments.no_check {
        true => None,
        false => match look(program, &input, (&arguments.selection, true), false) {
            Ok(checked) => Some(checked),
            Err((why, exit)) => return fail(&why, exit),
        },
    };
    let system = lower(program);
    let source = Source {
        program,
        system: &system,
        results: checked.as_ref().map(|checked| &checked.results),
        sequence,
    };
    let kind = arguments.kind.into();
    let picture = depend::picture(source, kind);
    let restrictions = source
        .results
        .map(|results| arguments.selection.kept_from(program, results));
    let diagram = sketch(
        source,
        &specification.sources,
        (kind, &picture),
        restrictions.as_deref().unwrap_or_default(),
    );
    let text = shown(&diagram, arguments.format);
    let Some(target) = &arguments.output else {
        out.write_all(text.as_bytes())?;
        return Ok(Exit::Ok);
    };
    match output::write(target, &text) {
        Ok(()) => writeln!(out, "wrote {}", target.display())?,
        Err(Unreadable(why)) => return fail(&why, Exit::Output),
    }
    Ok(Exit::Ok)
}

fn shown(diagram: &Diagram, format: GraphFormat) -> String {
    match format {
        GraphFormat::Text => diagram.text(terminal::style(false).width),
        GraphFormat::Dot => diagram.drawn().dot(),
        GraphFormat::Svg => diagram.drawn().svg(),
        GraphFormat::Mermaid => diagram.drawn().mermaid(),
        GraphFormat::Json => plain::json(&diagram.json()).unwrap_or_default(),
    }
}
