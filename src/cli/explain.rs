//! `endstep explain`: what a code means, and what to do.

use super::Exit;
use super::plain::err;
use clap::Args;
use endstep_language::diag::Code;
use std::io::{self, Write};

/// Explain a code, such as E0001; without one, list all codes
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  endstep explain F0201
  endstep explain")]
pub(super) struct Arguments {
    /// The code of a message or finding, such as E0108 in `error[E0108]`
    code: Option<String>,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> io::Result<Exit> {
    let Some(name) = &arguments.code else {
        for code in Code::all() {
            writeln!(out, "{code}  {}", code.title())?;
        }
        return Ok(Exit::Ok);
    };
    match Code::find(name) {
        Some(code) => {
            writeln!(out, "{code}: {}\n\n{}", code.title(), code.explanation())?;
            Ok(Exit::Ok)
        }
        None => {
            writeln!(
                err(),
                "error: found code `{name}`, expected one that `endstep explain` lists"
            )?;
            Ok(Exit::Usage)
        }
    }
}
