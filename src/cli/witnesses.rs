//! Saved witnesses: a file for each finding, which `endstep replay` reads.
//!
//! ```json
//! { "version": 1, "specification": "game.endstep", "code": "F0301",
//!   "fingerprint": "…", "subject": "cleanup/destroy", "witness": { … }, "seal": "…" }
//! ```
//!
//! The seal is a hash of all but the path of the specification: a replay shows what the witness
//! shows, and without the seal it could be shown under the name of another finding.

use super::input::Unreadable;
use super::output::{make, replace};
use endstep_language::typing::program::Program;
use endstep_semantics::witness::to_json;
use endstep_verdicts::verdict::{Finding, digest, fingerprint};
use serde_json::{Value, json};
use std::path::Path;

/// The version of the file that is written and read.
pub(super) const VERSION: u64 = 1;

/// Writes the witnesses of findings to a folder, which is made if it is not there.
pub(super) fn save(
    folder: &Path,
    specification: &str,
    program: &Program,
    findings: &[Finding],
) -> Result<(), Unreadable> {
    make(folder)?;
    for finding in findings {
        let Some(witness) = &finding.witness else {
            continue;
        };
        let print = fingerprint(program, finding);
        let witness: Value = serde_json::from_str(&to_json(program, witness)).unwrap_or_default();
        let file = json!({
            "version": VERSION,
            "specification": specification,
            "code": finding.code.id(),
            "fingerprint": print,
            "subject": finding.subject,
            "seal": seal(finding.code.id(), &print, &finding.subject, &witness),
            "witness": witness,
        });
        let short = print.get(..8).unwrap_or(&print);
        let path = folder.join(format!("{}-{short}.json", finding.code.id()));
        replace(&path, format!("{file:#}\n").as_bytes())?;
    }
    Ok(())
}

/// What a file says of itself, so that changes are seen.
fn seal(code: &str, print: &str, subject: &str, witness: &Value) -> String {
    digest(&[code, print, subject, &witness.to_string()])
}

/// A saved witness, not yet fitted to a program.
#[derive(Debug)]
pub(super) struct Saved {
    /// The specification that it was found in.
    pub specification: String,
    /// The finding's code.
    pub code: String,
    /// Its subject.
    pub subject: String,
    /// Its fingerprint.
    pub print: String,
    /// The witness as JSON.
    pub witness: String,
}

/// Reads the text of a file.
pub(super) fn load(name: &str, text: &str) -> Result<Saved, Unreadable> {
    let wrong = |why: &str| Unreadable(format!("`{name}` is no saved witness: {why}"));
    let file: Value = serde_json::from_str(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        wrong(&format!(
            "it is no JSON from line {line}, column {column} on"
        ))
    })?;
    if file["version"].as_u64() != Some(VERSION) {
        return Err(wrong(&format!("expected version {VERSION}")));
    }
    let text = |member: &str| file[member].as_str().map(str::to_owned);
    let needed = |member: &str| text(member).ok_or_else(|| wrong(&format!("expected `{member}`")));
    let saved = Saved {
        specification: needed("specification")?,
        code: needed("code")?,
        subject: needed("subject")?,
        print: needed("fingerprint")?,
        witness: file["witness"].to_string(),
    };
    let sealed = seal(&saved.code, &saved.print, &saved.subject, &file["witness"]);
    if needed("seal")? != sealed {
        return Err(wrong("it was changed after it was saved"));
    }
    Ok(saved)
}
