//! `endstep man`: the manual page, made from what `--help` says.

use super::exit::Exit;
use super::specification::fail;
use clap::{Args, Command};
use clap_mangen::Man;
use std::io::{self, Write};

/// Print the manual page of endstep or of one of its commands
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  endstep man | man -l -
  endstep man check > /usr/local/share/man/man1/endstep-check.1")]
pub(super) struct Arguments {
    /// The command; without it, the page of the program
    command: Option<String>,
}

pub(super) fn run(
    arguments: &Arguments,
    mut program: Command,
    out: &mut dyn Write,
) -> io::Result<Exit> {
    // Names of commands become those of pages: `endstep-check`.
    program.build();
    let command = match &arguments.command {
        None => program,
        Some(name) => match program.find_subcommand(name) {
            Some(command) => command.clone(),
            None => {
                let why = format!("found no command `{name}`; `endstep help` lists them");
                return fail(&why, Exit::Usage);
            }
        },
    };
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    out.write_all(&page)?;
    Ok(Exit::Ok)
}
