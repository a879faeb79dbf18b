//! The file of expected findings beside a specification.

use super::exit::Exit;
use super::input::{Input, Unreadable, json_if_there};
use super::output::{self, replace};
use crate::driver::Checked;
use endstep_language::diag::Severity;
use endstep_language::typing::program::Program;
use endstep_report::report::Standing;
use endstep_verdicts::verdict::{Expected, ExpectedError, ExpectedFinding, Finding, fingerprint};
use std::path::{Path, PathBuf};

/// The expected findings of a specification, if there is such a file.
pub(super) fn load(input: &Input, ignore: bool) -> Result<Option<Expected>, Unreadable> {
    let Some(path) = input.beside("expected").filter(|_| !ignore) else {
        return Ok(None);
    };
    let Some(text) = json_if_there(&path)? else {
        return Ok(None);
    };
    match Expected::from_json(&text) {
        Ok(expected) => Ok(Some(expected)),
        Err(error) => {
            let name = path.display();
            Err(Unreadable(format!("cannot read `{name}`: {error}")))
        }
    }
}

/// That each of some specifications has a file of expected findings of its own.
///
/// # Errors
///
/// Two share one, as `game.endstep` and `game.txt` do.
pub(super) fn apart(inputs: &[Input]) -> Result<(), (String, Exit)> {
    let files = inputs.iter().enumerate().map(|(at, input)| {
        let own = || PathBuf::from(format!("{at}"));
        input.beside("expected").unwrap_or_else(own)
    });
    output::apart(inputs, &files.collect::<Vec<_>>(), "the expected findings")
}

/// The findings that are to be expected from now on: those that are no notes, and that the
/// specification does not accept; reasons that were given are kept.
pub(super) fn listed(program: &Program, checked: &Checked) -> Expected {
    let mut findings: Vec<Finding> = Vec::new();
    let mut reasons = Vec::new();
    for (finding, standing) in checked
        .results
        .findings
        .iter()
        .zip(&checked.judged.standings)
    {
        let counts = match standing {
            Standing::New => finding.severity != Severity::Note,
            Standing::Expected(_) => true,
            Standing::Accepted(_) => false,
        };
        if counts {
            findings.push(finding.clone());
        }
        if let Standing::Expected(Some(reason)) = standing {
            reasons.push((fingerprint(program, finding), reason.clone()));
        }
    }
    let mut expected = Expected::of(program, &findings);
    for one in &mut expected.findings {
        let mut known = reasons.iter();
        let reason = known.find(|(print, _)| *print == one.fingerprint);
        one.because = reason.map(|(_, reason)| reason.clone());
    }
    expected
}

/// Adds findings to the file of expected ones beside a specification; the file.
pub(super) fn add(specification: &Path, more: Expected) -> Result<PathBuf, Unreadable> {
    let path = specification.with_extension("expected.json");
    let unreadable =
        |error: ExpectedError| Unreadable(format!("cannot read `{}`: {error}", path.display()));
    let mut expected = match json_if_there(&path)? {
        Some(text) => Expected::from_json(&text).map_err(unreadable)?,
        None => Expected {
            findings: Vec::new(),
            ..more.clone()
        },
    };
    let is_known = |one: &ExpectedFinding| {
        let mut known = expected.findings.iter();
        known.any(|known| known.fingerprint == one.fingerprint)
    };
    let new: Vec<_> = more
        .findings
        .into_iter()
        .filter(|one| !is_known(one))
        .collect();
    expected.findings.extend(new);
    expected.findings.sort();
    replace(&path, expected.to_json().as_bytes())?;
    Ok(path)
}

/// Writes a file of expected findings.
pub(super) fn write(path: &Path, mut findings: Vec<ExpectedFinding>) -> Result<(), Unreadable> {
    findings.sort();
    replace(path, Expected::with(findings).to_json().as_bytes())
}

/// Writes what is to be expected beside a specification. Returns the file and how many findings there
/// are; nothing for standard input.
pub(super) fn update(
    input: &Input,
    program: &Program,
    checked: &Checked,
) -> Result<Option<(PathBuf, usize)>, Unreadable> {
    let Some(path) = input.beside("expected") else {
        return Ok(None);
    };
    let expected = listed(program, checked);
    replace(&path, expected.to_json().as_bytes())?;
    Ok(Some((path, expected.findings.len())))
}
