//! The command line of `endstep check`: what is asked for, and which of it results depend on.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::include::Roots;
use super::selection::Selection;
use super::shape::{Level, Shape};
use super::shard::Shard;

/// Find what is wrong with specifications
///
/// Explores every legal board of the sizes that a specification asks for, and every
/// run from it, and shows what the document contradicts, leaves open, or claims
/// wrongly, each with the smallest board that shows it.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  endstep check game.endstep
  endstep check specs/ --format json
  endstep check game.endstep --scope Card=2 --scope Card.afterlife=nothing,draw
  endstep check game.endstep --only F0301 --only cleanup.4
  endstep check game.endstep --prove --emit-smt certificates
  endstep check specs/ --baseline endstep.baseline.json --format github")]
pub(super) struct Arguments {
    /// Files, folders (every .endstep file that no other includes), or - for
    /// standard input; without any, those of endstep.toml, or the current folder
    pub(super) paths: Vec<PathBuf>,
    /// How to show the results
    #[arg(long, value_enum, default_value_t = Shape::Text)]
    pub(super) format: Shape,
    /// How bad a new finding has to be to fail: only a specification in error, a warning, or a note
    /// [default: warning]
    #[arg(long, value_enum, value_name = "SEVERITY")]
    pub(super) fail_on: Option<Level>,
    #[command(flatten)]
    pub(super) selection: Selection,
    /// Write the findings to SPEC.expected.json: from now on they are expected
    #[arg(long, conflicts_with_all = ["no_expected", "only", "scope", "reading"])]
    pub(super) update_expected: bool,
    /// Expect what this file lists for each specification, instead of SPEC.expected.json; what is gone
    /// does not fail
    #[arg(long, value_name = "FILE", conflicts_with_all = ["no_expected", "update_expected"])]
    pub(super) baseline: Option<PathBuf>,
    /// Write the findings to the file of --baseline
    #[arg(long, conflicts_with_all = [
        "no_expected", "update_expected", "only", "scope", "reading", "shard"
    ])]
    pub(super) update_baseline: bool,
    /// Expect nothing: look neither at SPEC.expected.json nor at a baseline
    #[arg(long)]
    pub(super) no_expected: bool,
    /// Take the sizes and limits of this profile of endstep.toml
    #[arg(long, value_name = "NAME")]
    pub(super) profile: Option<String>,
    /// Read this file instead of the endstep.toml of the current folder
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// Check only the I-th of every N specifications; `endstep merge` joins what is printed
    #[arg(long, value_name = "I/N", conflicts_with_all = ["format", "update_expected"])]
    pub(super) shard: Option<Shard>,
    /// Save the witness of each finding in this folder, for `endstep replay`
    #[arg(long, value_name = "DIR")]
    pub(super) save_witnesses: Option<PathBuf>,
    /// Write what was asked to prove answers to a folder, or of several specifications to one for each
    /// in it, so that another solver can answer it
    #[arg(long, value_name = "DIR")]
    pub(super) emit_smt: Option<PathBuf>,
    /// Print what the engines run instead of checking it
    #[arg(long, value_enum, value_name = "WHAT", conflicts_with_all = [
        "format", "scope", "reading", "only", "update_expected", "update_baseline", "save_witnesses",
        "shard", "prove", "emit_smt"
    ])]
    pub(super) emit: Option<Emit>,
    /// Check again whenever a file changes
    #[arg(long, conflicts_with_all = [
        "shard", "update_expected", "update_baseline", "emit", "save_witnesses", "emit_smt"
    ])]
    pub(super) watch: bool,
    /// List all that holds, not only the first of it
    #[arg(long, conflicts_with = "quiet")]
    pub(super) all: bool,
    /// Leave out boards, traces and what holds
    #[arg(long, short)]
    pub(super) quiet: bool,
    #[command(flatten)]
    pub(super) roots: Roots,
}

impl Arguments {
    /// The options on which results depend, and what is shown of them, as they are written.
    pub(super) fn that_matter(&self) -> Vec<String> {
        let mut all = self.selection.that_matter();
        let switches = [
            ("--all", self.all),
            ("--quiet", self.quiet),
            ("--no-expected", self.no_expected),
        ];
        let switches = switches.iter().filter(|(_, is_set)| *is_set);
        all.extend(switches.map(|(name, _)| (*name).to_owned()));
        all.extend(self.profile.iter().map(|name| format!("--profile {name}")));
        let level = self.fail_on.and_then(|level| level.to_possible_value());
        all.extend(level.map(|level| format!("--fail-on {}", level.get_name())));
        all.extend(self.roots.that_matter());
        all
    }
}

/// What can be shown of a specification without checking it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Emit {
    /// The system: the specification without sugar
    Ir,
    /// What each step and trigger can read and write
    Footprints,
}
