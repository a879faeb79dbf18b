//! `endstep merge`: the report that the parts of a check give together.

use super::check::last_lines;
use super::exit::Exit;
use super::input::{MOST_BYTES, Unreadable, json};
use super::part::{self, Shown};
use super::plain::err;
use super::shape::{self, Shape};
use super::specification::fail;
use clap::Args;
use std::io::{self, Write};
use std::path::PathBuf;

/// Join the parts of a check that was split with `check --shard`
///
/// The result is, byte for byte, what the check would have printed if it had not been split; so is the
/// exit code.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  endstep check specs/ --shard 1/2 > part1.json      on one machine
  endstep check specs/ --shard 2/2 > part2.json      on another
  endstep merge part1.json part2.json --format sarif > findings.sarif")]
pub(super) struct Arguments {
    /// What `check --shard` printed, all parts in any order
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// How to show the results
    #[arg(long, value_enum, default_value_t = Shape::Text)]
    format: Shape,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> io::Result<Exit> {
    let (mut parts, mut bytes) = (Vec::new(), 0);
    for path in &arguments.files {
        let name = path.display().to_string();
        let text = match json(path) {
            Ok(text) => text,
            Err(Unreadable(why)) => return fail(&why, Exit::Unreadable),
        };
        bytes += text.len() as u64;
        if bytes > MOST_BYTES {
            let why = format!("found more than {MOST_BYTES} bytes of parts up to `{name}`");
            return fail(&why, Exit::Unreadable);
        }
        parts.push((name, text));
    }
    let joined = match part::join(parts) {
        Ok(joined) => joined,
        Err(why) => return fail(&why, Exit::Unreadable),
    };
    if arguments.format == Shape::Text {
        let one = |(_, shown): &(usize, Shown)| (shown.text.clone(), shown.complaints.clone());
        for (text, complaints) in joined.shown.iter().map(one) {
            err().write_all(complaints.as_bytes())?;
            out.write_all(text.as_bytes())?;
        }
        let tallies = joined.shown.iter().map(|(_, shown)| shown.tally);
        last_lines(joined.shown.len(), tallies, joined.exit, out)?;
    } else {
        let report = part::report(joined.shown, joined.exit, joined.policy, None);
        shape::write(arguments.format, report, out)?;
    }
    Ok(joined.exit)
}
