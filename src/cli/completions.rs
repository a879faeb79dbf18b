//! `endstep completions`: a script that lets a shell complete command lines.

use super::Exit;
use clap::{Args, Command};
use clap_complete::Shell;
use std::io::{self, Write};

/// Print a script that lets a shell complete endstep's command lines
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  endstep completions bash > ~/.local/share/bash-completion/completions/endstep")]
pub(super) struct Arguments {
    /// The shell
    shell: Shell,
}

pub(super) fn run(
    arguments: &Arguments,
    command: &mut Command,
    out: &mut dyn Write,
) -> io::Result<Exit> {
    // clap_complete panics where it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, command, "endstep", &mut script);
    out.write_all(&script)?;
    Ok(Exit::Ok)
}
