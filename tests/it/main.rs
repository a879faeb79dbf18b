//! The integration tests, as one program so that they link once.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod alike;
mod always;
mod audit;
mod boards_on_the_way;
mod campaign;
mod changes;
mod ci;
mod classics;
mod cli;
mod corpus;
mod counted;
mod decide;
mod decisive;
mod demands;
mod depend;
mod describe;
mod ends;
mod engines;
mod exact;
mod example;
mod exchange;
mod extremes;
mod feeds;
mod fingerprints;
mod folder;
mod footprint;
mod generate;
mod invariants;
mod limits;
mod lsp;
mod machine;
mod malformed;
mod memory;
mod mutants;
mod mutate;
mod names;
mod numbering;
mod orders;
mod overlooked;
mod pages;
mod paired;
mod passing;
mod pictures;
mod play;
mod prove;
mod repair;
mod report;
mod robust;
mod sample;
mod schema;
mod sentences;
mod site;
mod steady;
mod suggested;
mod syntax;
mod system;
mod testgen;
mod texts;
mod tidy;
mod told;
mod typing;
mod usage;
mod wider;
mod witness;
mod written;
mod z3;

/// The root of the repository.
const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The program, which looks at everything anew.
fn endstep() -> std::process::Command {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_endstep"));
    command.env("ENDSTEP_NO_CACHE", "1");
    command
}
