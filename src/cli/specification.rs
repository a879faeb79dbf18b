//! Loads a specification and shows what is wrong with it.

use super::exit::Exit;
use super::include::{Disk, Roots};
use super::input::{self, Input, Unreadable};
use super::plain::{err, show_error};
use crate::driver::{Checked, Compiled, Reader, compile};
use endstep_language::diag::{self, Diagnostic, render};
use endstep_language::source::SourceMap;
use endstep_language::typing::program::Program;
use endstep_report::report::{SCHEMA_VERSION, Sheet, shell_word};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::Path;

/// A specification with its sources.
#[derive(Debug)]
pub(super) struct Specification {
    /// Its name in messages.
    pub name: String,
    /// How a command line names it, if it can be read again.
    pub reread: Option<String>,
    /// Its text and that of what it includes.
    pub sources: SourceMap,
    /// Its meaning.
    pub compiled: Compiled,
}

impl Specification {
    /// Reads a specification with all that it includes.
    pub(super) fn load(input: &Input, roots: &Roots) -> Self {
        let words = input.path.is_some().then(|| {
            // A name that begins like an option is none below a folder.
            let here = if input.name.starts_with('-') {
                "./"
            } else {
                ""
            };
            let name = shell_word(&format!("{here}{}", input.name));
            std::iter::once(name).chain(roots.words())
        });
        Self {
            reread: words.map(|words| words.collect::<Vec<_>>().join(" ")),
            ..Self::read(&input.name, &input.bytes, &mut Disk::with(input, roots))
        }
    }

    /// Reads a specification; what it includes comes from the reader.
    pub(super) fn read(name: &str, bytes: &[u8], reader: &mut dyn Reader) -> Self {
        let mut sources = SourceMap::new();
        let compiled = match sources.load(name, bytes) {
            Ok(root) => compile(root, &mut sources, reader),
            Err(error) => Compiled {
                program: None,
                diagnostics: vec![Diagnostic::from(error)],
            },
        };
        Self {
            name: name.to_owned(),
            reread: None,
            sources,
            compiled,
        }
    }

    /// What a report shows of it, once it was checked.
    pub(super) fn sheet<'a>(
        &'a self,
        (program, checked): (&'a Program, &'a Checked),
        restrictions: &'a [String],
    ) -> Sheet<'a> {
        Sheet {
            reread: self.reread.as_deref(),
            ..sheet(&self.name, &self.sources, program, checked, restrictions)
        }
    }

    /// What is wrong with it, in words.
    pub(super) fn complaints(&self) -> String {
        self.complaints_in(&diag::Style::default())
    }

    fn complaints_in(&self, style: &diag::Style) -> String {
        render::text(&self.compiled.diagnostics, &self.sources, style)
    }

    /// Shows what is wrong with it, on standard error.
    pub(super) fn complain(&self) -> io::Result<()> {
        show_error(|style| self.complaints_in(style))
    }
}

/// What a report shows of a specification with this name and these texts.
pub(super) fn sheet<'a>(
    name: &'a str,
    sources: &'a SourceMap,
    program: &'a Program,
    checked: &'a Checked,
    restrictions: &'a [String],
) -> Sheet<'a> {
    Sheet {
        name,
        reread: None,
        sources,
        program,
        results: &checked.results,
        standings: &checked.judged.standings,
        vanished: &checked.judged.vanished,
        unused: &checked.judged.unused,
        unfound: &checked.judged.unfound,
        policy: checked.judged.policy,
        restrictions,
        saved: None,
    }
}

/// Reads the one specification of a command line and shows what is wrong with it; if that is an error,
/// the code with which the command ends.
pub(super) fn open(path: &Path, roots: &Roots) -> io::Result<Result<(Input, Specification), Exit>> {
    let input = match input::one(path) {
        Ok(input) => input,
        Err(Unreadable(why)) => return Ok(Err(fail(&why, Exit::Unreadable)?)),
    };
    let specification = Specification::load(&input, roots);
    specification.complain()?;
    Ok(match specification.compiled.program {
        Some(_) => Ok((input, specification)),
        None => Err(Exit::Specification),
    })
}

/// The bytes of the longest error. What others say of a file may quote all of it.
const LONGEST_ERROR: usize = 4096;

/// Shows an error that is about no place in a specification.
pub(super) fn fail(message: &str, exit: Exit) -> io::Result<Exit> {
    let end = message.floor_char_boundary(LONGEST_ERROR);
    let more = if end < message.len() { "…" } else { "" };
    writeln!(err(), "error: {}{more}", &message[..end])?;
    Ok(exit)
}

/// What is said as JSON of a specification that is in error.
pub(super) fn in_error(specification: &Specification) -> Value {
    let diagnostics = &specification.compiled.diagnostics;
    json!({
        "version": SCHEMA_VERSION,
        "endstep": env!("CARGO_PKG_VERSION"),
        "exit": Exit::Specification as u8,
        "name": specification.name,
        "compiled": false,
        "diagnostics": render::json(diagnostics, &specification.sources),
    })
}
