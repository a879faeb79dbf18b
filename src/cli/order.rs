//! `endstep order`: the order matrix, which orders matter and how that is known.

use super::exit::Exit;
use super::include::Roots;
use super::input::Unreadable;
use super::output;
use super::plain::{self, show};
use super::selection::{Selection, look};
use super::specification::{fail, open};
use super::terminal;
use crate::driver::{Orders, orders};
use clap::{Args, ValueEnum};
use endstep_kernel::lower::lower;
use endstep_proofs::smt;
use endstep_report::report::{OrderSheet, certificates, order_json, order_text};
use endstep_verdicts::order::{matrix, overlooking};
use std::io::{self, Write};
use std::path::PathBuf;

/// Show which orders matter, and how that is known
///
/// Every pair of things whose order the document leaves open (steps, cards, players, locations,
/// triggers), every iteration (`for each`) whose order it fixes, and every claim that order does not
/// matter, with the cheapest evidence that is enough. What a fixed order of listeners, or of the places
/// of `over each`, comes to is not listed: no other is tried.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  endstep order game.endstep
  endstep order game.endstep --no-check
  endstep order game.endstep --scope Card=2 --format json
  endstep order game.endstep --no-check --emit-smt certificates")]
pub(super) struct Arguments {
    /// The specification
    file: PathBuf,
    /// Do not check the specification first: show what the text and the prover say
    #[arg(long)]
    no_check: bool,
    /// Write each question that the prover answered to a folder, so that another solver can answer it
    #[arg(long, value_name = "DIR")]
    emit_smt: Option<PathBuf>,
    /// How to show it
    #[arg(long, value_enum, default_value_t = OrderFormat::Text)]
    format: OrderFormat,
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    roots: Roots,
}

/// How a matrix is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum OrderFormat {
    /// For reading
    Text,
    /// For programs; docs/order.schema.json describes it
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
    let checked = match arguments.no_check {
        true => None,
        false => match look(program, &input, (&arguments.selection, true), false) {
            Ok(checked) => Some(checked),
            Err((why, exit)) => return fail(&why, exit),
        },
    };
    let system = lower(program);
    let results = checked.as_ref().map(|checked| &checked.results);
    let orders = match results {
        Some(results) => {
            let same = overlooking(&system, &results.overlooked);
            Orders {
                overlooked: results.overlooked.clone(),
                matrix: matrix((program, &same), Some(results), &results.proofs),
                proofs: results.proofs.clone(),
            }
        }
        None => orders((program, &system), None),
    };
    let Orders {
        overlooked,
        matrix,
        proofs,
    } = &orders;
    let same = overlooking(&system, overlooked);
    let restrictions = results.map(|results| arguments.selection.kept_from(program, results));
    let sheet = OrderSheet {
        program,
        system: &same,
        overlooked,
        sources: &specification.sources,
        matrix,
        results,
        restrictions: restrictions.as_deref().unwrap_or_default(),
    };
    if let Some(folder) = &arguments.emit_smt
        && let Err(Unreadable(why)) =
            output::write_all(folder, &certificates(sheet, proofs, &smt::solver()))
    {
        return fail(&why, Exit::Output);
    }
    match arguments.format {
        OrderFormat::Text => {
            show(out, terminal::style(false), |style| {
                order_text(sheet, style)
            })?;
        }
        OrderFormat::Json => {
            out.write_all(plain::json(&order_json(sheet))?.as_bytes())?;
        }
    }
    Ok(Exit::Ok)
}
