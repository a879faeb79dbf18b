//! Where the questions behind proofs and the witnesses of findings are written.

use super::exit::Exit;
use super::input::Input;
use super::output::{apart, folder, is_link};
use std::path::{Path, PathBuf};

/// For each specification a folder: the one that is asked for, or, for several, one for each in it.
pub(super) fn of(
    root: Option<&Path>,
    what: &str,
    inputs: &[Input],
) -> Result<Vec<Option<PathBuf>>, (String, Exit)> {
    let Some(root) = root else {
        return Ok(vec![None; inputs.len()]);
    };
    if let [_] = inputs {
        return Ok(vec![Some(root.to_owned())]);
    }
    let all: Vec<PathBuf> = inputs
        .iter()
        .map(|input| folder(root, input, "standard-input"))
        .collect();
    apart(inputs, &all, what)?;
    if let Some(link) = all.iter().find(|folder| is_link(folder)) {
        let why = format!(
            "found the link `{}`, expected a folder or nothing",
            link.display()
        );
        return Err((why, Exit::Output));
    }
    Ok(all.into_iter().map(Some).collect())
}
